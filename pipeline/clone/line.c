/* clone/line.c -- see line.h. */
#include "clone/line.h"

#include "kernels/kernels.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- normal forms: exact is the line as it stands ---- */

/* What an ASCII character becomes: its lower case, and whether it is of a word or a token of its own. */
enum { IN_WORD = 0x100, IS_TOKEN = 0x200 };

#define WORD_OF(c)    (((c) >= '0' && (c) <= '9') || ((c) >= 'A' && (c) <= 'Z') || ((c) >= 'a' && (c) <= 'z'))
#define IGNORED_OF(c)                                                              \
    ((c) <= ' ' || (c) == '!' || (c) == '"' || (c) == '\'' || (c) == ',' || (c) == '.' ||         \
     (c) == ':' || (c) == ';' || (c) == '?')
#define BECOMES(c)                                                                 \
    ((c) | ((c) >= 'A' && (c) <= 'Z' ? 0x20 : 0) | (WORD_OF(c) ? IN_WORD : IGNORED_OF(c) ? 0 : IS_TOKEN))
#define BECOMES_4(c)  BECOMES(c), BECOMES((c) + 1), BECOMES((c) + 2), BECOMES((c) + 3)
#define BECOMES_16(c) BECOMES_4(c), BECOMES_4((c) + 4), BECOMES_4((c) + 8), BECOMES_4((c) + 12)
static const uint16_t becomes[128] = {
    BECOMES_16(0), BECOMES_16(16), BECOMES_16(32), BECOMES_16(48), BECOMES_16(64), BECOMES_16(80), BECOMES_16(96),
        BECOMES_16(112),
};

/* The character at s, which is not ASCII, and its bytes; a byte that is not UTF-8 stands for itself. */
static uint32_t character_at(const unsigned char *s, size_t len, size_t *used)
{
    size_t   n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    uint32_t c = s[0] & (0x7Fu >> n);

    *used = 1;
    if (s[0] < 0xC2 || s[0] > 0xF4 || n > len) return s[0];
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80) return s[0];
        c = c << 6 | (s[i] & 0x3F);
    }
    if ((n == 3 && (c < 0x800 || (c >= 0xD800 && c < 0xE000))) || (n == 4 && (c < 0x10000 || c > 0x10FFFF)))
        return s[0];
    *used = n;
    return c;
}

static char *character_put(char *out, uint32_t c)
{
    if (c < 0x80) {                                         /* some capitals beyond Latin-1 have an ASCII lower case */
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    } else {
        if (c < 0x10000) *out++ = (char)(0xE0 | c >> 12);
        else {
            *out++ = (char)(0xF0 | c >> 18);
            *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        }
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}

/* A piece of a line: it goes on at `at` and ends at `to`; in_word: the character before it was of a word. */
struct piece { const char *text; size_t at, to; unsigned in_word; };

enum { PIECE = 1024, SIMIAN_GROWTH = 3 };                   /* bytes taken at once; bytes that one becomes at most */

/* The next characters of a line, each token with a space before it.  Returns the bytes put to out. */
static size_t simian_take(struct piece *piece, char out[SIMIAN_GROWTH * PIECE + 16])
{
    const unsigned char *s = (const unsigned char *)piece->text;
    const size_t         stop = piece->to - piece->at < PIECE ? piece->to : piece->at + PIECE;
    char                *end = out;
    unsigned             in_word = piece->in_word;
    size_t               i = piece->at;

    while (i < stop) {
        unsigned char c = s[i];
        unsigned      word, token;

        /* no branch on the kind: source text mixes them at random */
        if (c < 0x80) {
            word = becomes[c] / IN_WORD & 1;
            token = becomes[c] / IS_TOKEN;
            *end = ' ';
            end += token | (word & ~in_word);
            *end = (char)becomes[c];
            end += token | word;
            i++;
        } else {                                            /* the last one may end behind the stop */
            size_t   used;
            uint32_t character = character_at(s + i, piece->to - i, &used);

            word = character >= 0x100;
            if (!word || !in_word) *end++ = ' ';
            end = character_put(end, word ? clone_lower(character) : character);
            i += used;
        }
        in_word = word;
    }
    piece->at = i;
    piece->in_word = in_word;
    return (size_t)(end - out);
}

/* Long lines are hashed piece by piece, which gives the same hash. */
static XXH128_hash_t simian_hash(const char *text, size_t from, size_t to)
{
    struct piece piece = { text, from, to, 0 };
    char         out[SIMIAN_GROWTH * PIECE + 16];
    size_t       len = simian_take(&piece, out);
    XXH3_state_t state;

    if (piece.at == to) return XXH3_128bits(out, len);
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, out, len);
    while (piece.at < to) XXH3_128bits_update(&state, out, simian_take(&piece, out));
    return XXH3_128bits_digest(&state);
}

struct clone_line clone_line_of(const struct clone_raw *raw, const char *text, enum clone_normal normal)
{
    XXH128_hash_t hash = normal == CLONE_EXACT ? XXH3_128bits(text + raw->from, raw->to - raw->from)
        : simian_hash(text, raw->from, raw->to);

    return (struct clone_line){ hash.low64, hash.high64, raw->number, raw->from };
}

/* ---- lines ---- */

/* What ends a line. */
static const struct byteset ends = { { [10] = 1, [13] = 1 }, 0 };

/* A line is significant when it has one of these. */
static struct byteset significant(enum clone_normal normal)
{
    struct byteset set = { { 0 }, 0xFF };

    for (unsigned c = ' ' + 1; c < 0x80; c++)
        if (normal == CLONE_EXACT || becomes[c] / IN_WORD) byteset_add(&set, (unsigned char)c);
    return set;
}

/* content: behind the last significant byte */
struct splitter { struct clone_raw *next; const char *text; size_t from, content; uint32_t number; };

/* The lines that end in the 64 bytes at `at`: ends and significant bytes are bits. */
static void lines_split(struct splitter *s, size_t at, uint64_t end, uint64_t content)
{
    for (; end; end &= end - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(end);
        uint64_t before = content & ((1ull << bit) - 1);
        size_t   here = at + bit;
        /* of CRLF, whose CR has ended the line */
        bool     second = s->text[here] == '\n' && here && s->text[here - 1] == '\r';

        if (before) s->content = at + 64 - (size_t)__builtin_clzll(before);
        *s->next = (struct clone_raw){ (uint32_t)s->from, (uint32_t)s->content, s->number };
        /* written anyway: whether a line is empty cannot be predicted */
        s->next += s->content > s->from;
        s->number += !second;
        s->from = here + 1;
    }
    if (content) s->content = at + 64 - (size_t)__builtin_clzll(content);
}

/* Of lines that are never hashed the system gives no memory. */
static int lines_reserve(struct clone_lines *lines, size_t count)
{
    size_t             room = 2 * lines->room > count ? 2 * lines->room : count;
    struct clone_raw  *grown;
    struct clone_line *line;

    if (count <= lines->room) return 0;
    grown = realloc(lines->at, room * sizeof *grown);
    if (!grown) return -ENOMEM;
    lines->at = grown;
    line = malloc(room * sizeof *line);
    if (!line) return -ENOMEM;
    free(lines->line);
    lines->line = line;
    lines->room = room;
    return 0;
}

enum { BLOCK = 4096 };

int clone_lines_read(struct clone_lines *lines, struct slice text, enum clone_normal normal)
{
    const struct byteset content = significant(normal);
    struct splitter      splitter = { .text = text.at, .number = 1 };
    uint64_t             end[BLOCK / 64], in[BLOCK / 64];

    lines->count = 0;
    for (size_t block = 0; block < text.len; block += BLOCK) {
        size_t n = text.len - block < BLOCK ? text.len - block : BLOCK;

        /* as many as end in a block, and the last one */
        if (lines_reserve(lines, lines->count + BLOCK + 1) < 0) return -ENOMEM;
        kernels->classify(end, in, &ends, &content, text.at + block, n);
        splitter.next = lines->at + lines->count;
        for (size_t w = 0; w < (n + 63) / 64; w++) lines_split(&splitter, block + 64 * w, end[w], in[w]);
        lines->count = (size_t)(splitter.next - lines->at);
    }
    if (splitter.content > splitter.from)
        lines->at[lines->count++] = (struct clone_raw){ (uint32_t)splitter.from, (uint32_t)splitter.content,
                                                        splitter.number };
    return 0;
}

void clone_lines_hash(struct clone_lines *lines, const char *text, enum clone_normal normal)
{
    for (size_t i = 0; i < lines->count; i++) lines->line[i] = clone_line_of(&lines->at[i], text, normal);
}

void clone_lines_free(struct clone_lines *lines)
{
    free(lines->at);
    free(lines->line);
    *lines = (struct clone_lines){ 0 };
}
