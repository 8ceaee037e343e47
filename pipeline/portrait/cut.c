/* portrait/cut.c -- the pieces of a text: windows, n-grams, lines, the whole.
 *
 * Hashes are part of the file format: they never change silently. */
#include "portrait/portrait.h"

#include "view/hash.h"
#include "view/view.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <stdlib.h>

const char *const portrait_kind_names[PORTRAIT_KINDS] = {
    [PORTRAIT_WINDOWS] = "windows", [PORTRAIT_NGRAMS] = "ngrams", [PORTRAIT_LINES] = "lines",
        [PORTRAIT_CONTENT] = "content",
};

void portrait_pieces_free(struct portrait_pieces *pieces)
{
    free(pieces->at);
    bytes_free(&pieces->scratch);
    *pieces = (struct portrait_pieces){ 0 };
}

static int pieces_reserve(struct portrait_pieces *out, size_t more)
{
    size_t                 room = out->room ? 2 * out->room : 1024;
    struct portrait_piece *grown;

    if (more <= out->room - out->count) return 0;
    if (room < out->count + more) room = out->count + more;
    grown = realloc(out->at, room * sizeof *grown);
    if (!grown) return -ENOMEM;
    out->at = grown;
    out->room = room;
    return 0;
}

static int piece_add(struct portrait_pieces *out, uint64_t key, size_t at, size_t end)
{
    if (pieces_reserve(out, 1) < 0) return -ENOMEM;
    out->at[out->count++] = (struct portrait_piece){ key, at, end };
    return 0;
}

static uint64_t hash_of(const char *at, size_t len, uint32_t kind) { return XXH3_64bits_withSeed(at, len, kind); }

/* ---- windows ---- */

static bool continues(char c) { return ((unsigned char)c & 0xC0) == 0x80; }     /* a byte within a character of UTF-8 */

/* Where the n-th character after the one at `at` starts; SIZE_MAX when the text ends before.  A byte that continues
 * nothing belongs to the character before it, so any bytes have characters. */
static size_t character_after(struct slice text, size_t at, uint32_t n)
{
    if (n <= text.len - at) {                               /* ASCII, nearly always: as many bytes */
        uint64_t any = 0, word;
        size_t   i = 0;

        for (; i + 8 <= n; i += 8) {
            memcpy(&word, text.at + at + i, 8);
            any |= word;
        }
        for (; i < n; i++) any |= (uint64_t)(unsigned char)text.at[at + i];
        if (!(any & 0x8080808080808080u) && (at + n == text.len || !continues(text.at[at + n]))) return at + n;
    }
    for (; n > 0 && at < text.len; n--) {
        at++;
        while (at < text.len && continues(text.at[at])) at++;
    }
    return n > 0 ? SIZE_MAX : at;
}

static bool is_ascii(struct slice text)
{
    uint64_t any = 0, word;
    size_t   i = 0;

    for (; i + sizeof word <= text.len; i += sizeof word) {
        memcpy(&word, text.at + i, sizeof word);
        any |= word;
    }
    for (; i < text.len; i++) any |= (unsigned char)text.at[i];
    return !(any & 0x8080808080808080u);
}

static int cut_windows(const struct portrait_scheme *scheme, struct slice text, uint32_t stride,
                       struct portrait_pieces *out)
{
    size_t at = 0, end;

    if (is_ascii(text)) {                                   /* nearly all texts: a character is a byte */
        if (text.len < scheme->width) return 0;
        if (pieces_reserve(out, (text.len - scheme->width) / stride + 1) < 0) return -ENOMEM;
        for (; text.len - at >= scheme->width; at += stride) {
            out->at[out->count++] = (struct portrait_piece){ hash_of(text.at + at, scheme->width, scheme->kind), at,
                                                             at + scheme->width };
            if (text.len - at < stride) break;
        }
        return 0;
    }
    end = character_after(text, 0, scheme->width);
    while (end != SIZE_MAX) {
        size_t next = character_after(text, end, stride);

        if (piece_add(out, hash_of(text.at + at, end - at, scheme->kind), at, end) < 0) return -ENOMEM;
        if (next != SIZE_MAX) at = stride == scheme->width ? end : character_after(text, at, stride);
        end = next;
    }
    return 0;
}

/* ---- n-grams ---- */

static bool is_word_byte(char c)
{
    unsigned char b = (unsigned char)c;

    return b >= 0x80 || (b >= '0' && b <= '9') || ((b | 32) >= 'a' && (b | 32) <= 'z') || b == '_';
}

/* Words first, then n-grams over their hashes in place: piece i is made of words i to i + n - 1, none of them
 * overwritten before. */
static int cut_ngrams(const struct portrait_scheme *scheme, struct slice text, uint32_t stride,
                      struct portrait_pieces *out)
{
    size_t words, count = 0;

    for (size_t i = 0; i < text.len; ) {
        size_t start;

        while (i < text.len && !is_word_byte(text.at[i])) i++;
        start = i;
        while (i < text.len && is_word_byte(text.at[i])) i++;
        if (i > start && piece_add(out, view_hash((struct slice){ text.at + start, i - start }, 0), start, i) < 0)
            return -ENOMEM;
    }
    words = out->count;
    out->count = 0;
    if (bytes_reserve(&out->scratch, scheme->width * sizeof(uint64_t)) < 0) return -ENOMEM;
    for (size_t i = 0; i + scheme->width <= words; i += stride) {
        uint64_t *hash = (uint64_t *)(void *)out->scratch.at;

        for (size_t w = 0; w < scheme->width; w++) hash[w] = out->at[i + w].key;
        out->at[count++] = (struct portrait_piece){ hash_of(out->scratch.at, scheme->width * sizeof *hash,
                                                            scheme->kind), out->at[i].at,
                                                    out->at[i + scheme->width - 1].end };
    }
    out->count = count;
    return 0;
}

/* ---- lines, the whole ---- */

static bool is_white(char c) { return (unsigned char)c <= ' '; }

static int cut_lines(struct slice text, struct portrait_pieces *out)
{
    for (size_t next, i = 0; i < text.len; i = next) {
        const char *newline = memchr(text.at + i, '\n', text.len - i);
        size_t      end = newline ? (size_t)(newline - text.at) : text.len;

        next = end + (newline != NULL);
        while (i < end && is_white(text.at[i])) i++;
        while (end > i && is_white(text.at[end - 1])) end--;
        if (end > i && piece_add(out, hash_of(text.at + i, end - i, PORTRAIT_LINES), i, end) < 0) return -ENOMEM;
    }
    return 0;
}

/* The two halves of two hashes, so that a text without white space has two keys too. */
static int cut_whole(struct slice text, struct portrait_pieces *out)
{
    struct content_hash squeezed = content_hash_squeezed(text, &out->scratch);

    if (!out->scratch.at || piece_add(out, content_hash_raw(text).low, 0, text.len) < 0) return -ENOMEM;
    return piece_add(out, squeezed.high, 0, text.len);
}

int portrait_cut(const struct portrait_scheme *scheme, struct slice text, bool every, struct portrait_pieces *out,
                 struct err *err)
{
    uint32_t stride = every ? 1 : scheme->stride;
    int      rc = 0;

    out->count = 0;
    switch ((enum portrait_kind)scheme->kind) {
    case PORTRAIT_WINDOWS: rc = cut_windows(scheme, text, stride, out); break;
    case PORTRAIT_NGRAMS:  rc = cut_ngrams(scheme, text, stride, out); break;
    case PORTRAIT_LINES:   rc = cut_lines(text, out); break;
    case PORTRAIT_CONTENT: rc = cut_whole(text, out); break;
    case PORTRAIT_KINDS:   break;
    }
    return rc < 0 ? err_memory(err, out->count * sizeof *out->at, "the pieces of a text") : 0;
}
