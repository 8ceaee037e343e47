/* scan/clone_line.c -- see clone_line.h. */
#include "scan/clone_line.h"

#include "kernels/kernels.h"

#include <errno.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- normal forms ---- */

static struct slice normal_exact(struct slice line)
{
    while (line.len && (unsigned char)line.at[line.len - 1] <= ' ') line.len--;
    return line;
}

/* What an ASCII character becomes: its lower case, and whether it is of a word or a token of its own. */
enum { IN_WORD = 0x100, IS_TOKEN = 0x200 };

#define WORD_OF(c)    (((c) >= '0' && (c) <= '9') || ((c) >= 'A' && (c) <= 'Z') || ((c) >= 'a' && (c) <= 'z'))
#define IGNORED_OF(c) ((c) <= ' ' || (c) == '!' || (c) == '"' || (c) == '\'' || (c) == ',' || (c) == '.' || (c) == ':' || (c) == ';' || (c) == '?')
#define BECOMES(c)    ((c) | ((c) >= 'A' && (c) <= 'Z' ? 0x20 : 0) | (WORD_OF(c) ? IN_WORD : IGNORED_OF(c) ? 0 : IS_TOKEN))
#define BECOMES_4(c)  BECOMES(c), BECOMES((c) + 1), BECOMES((c) + 2), BECOMES((c) + 3)
#define BECOMES_16(c) BECOMES_4(c), BECOMES_4((c) + 4), BECOMES_4((c) + 8), BECOMES_4((c) + 12)
static const uint16_t becomes[128] = {
    BECOMES_16(0), BECOMES_16(16), BECOMES_16(32), BECOMES_16(48), BECOMES_16(64), BECOMES_16(80), BECOMES_16(96), BECOMES_16(112),
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
    if ((n == 3 && (c < 0x800 || (c >= 0xD800 && c < 0xE000))) || (n == 4 && (c < 0x10000 || c > 0x10FFFF))) return s[0];
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

/* Each token with a space before it.  out has room for SIMIAN_GROWTH bytes a byte. */
enum { SIMIAN_GROWTH = 3 };

static struct slice normal_simian(struct slice line, char *out)
{
    const unsigned char *s = (const unsigned char *)line.at;
    char                *end = out;
    unsigned             in_word = 0;

    for (size_t i = 0; i < line.len;) {
        unsigned char c = s[i];
        unsigned      word, token;

        if (c < 0x80) {                                     /* no branch on the kind: source text mixes them at random */
            word = becomes[c] / IN_WORD & 1;
            token = becomes[c] / IS_TOKEN;
            *end = ' ';
            end += token | (word & ~in_word);
            *end = (char)becomes[c];
            end += token | word;
            i++;
        } else {
            size_t   used;
            uint32_t character = character_at(s + i, line.len - i, &used);

            word = character >= 0x100;
            if (!word || !in_word) *end++ = ' ';
            end = character_put(end, word ? clone_lower(character) : character);
            i += used;
        }
        in_word = word;
    }
    return (struct slice){ out, (size_t)(end - out) };
}

/* ---- lines ---- */

struct splitter { struct clone_lines *lines; enum clone_normal normal; const char *text; };

static int line_add(struct splitter *splitter, size_t from, size_t to, uint32_t number)
{
    struct clone_lines *lines = splitter->lines;
    struct slice        line = { splitter->text + from, to - from };
    XXH128_hash_t       hash;

    if (splitter->normal == CLONE_EXACT) line = normal_exact(line);
    else if (line.len) {
        if (lines->normal.room < SIMIAN_GROWTH * line.len + 8 && bytes_reserve(&lines->normal, SIMIAN_GROWTH * line.len + 8) < 0) return -ENOMEM;
        line = normal_simian(line, lines->normal.at);
    }
    if (!line.len) return 0;
    if (lines->count == lines->room) {
        size_t             room = lines->room ? 2 * lines->room : 1024;
        struct clone_line *grown = realloc(lines->at, room * sizeof *grown);

        if (!grown) return -ENOMEM;
        lines->at = grown;
        lines->room = room;
    }
    hash = XXH3_128bits(line.at, line.len);
    lines->at[lines->count++] = (struct clone_line){ hash.low64, hash.high64, number, (uint32_t)from };
    return 0;
}

enum { BLOCK = 4096 };

int clone_lines_read(struct clone_lines *lines, struct slice text, enum clone_normal normal)
{
    static const struct byteset ends = { { [10] = 1, [13] = 1 }, 0 }, none = { { 0 }, 0 };
    struct splitter splitter = { lines, normal, text.at };
    uint64_t        end[BLOCK / 64], unused[BLOCK / 64];
    size_t          from = 0;
    uint32_t        number = 1;

    lines->count = 0;
    for (size_t block = 0; block < text.len; block += BLOCK) {
        size_t n = text.len - block < BLOCK ? text.len - block : BLOCK;

        kernels->classify(end, unused, &ends, &none, text.at + block, n);
        for (size_t w = 0; w < (n + 63) / 64; w++) {
            for (uint64_t bits = end[w]; bits; bits &= bits - 1) {
                size_t at = block + 64 * w + (size_t)__builtin_ctzll(bits);

                bool   second = text.at[at] == '\n' && at && text.at[at - 1] == '\r';   /* of CRLF, whose CR has ended the line */

                if (!second && line_add(&splitter, from, at, number++) < 0) return -ENOMEM;
                from = at + 1;
            }
        }
    }
    return from < text.len ? line_add(&splitter, from, text.len, number) : 0;
}

void clone_lines_free(struct clone_lines *lines)
{
    free(lines->at);
    bytes_free(&lines->normal);
    *lines = (struct clone_lines){ 0 };
}
