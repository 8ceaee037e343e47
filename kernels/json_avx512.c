/* kernels/json_avx512.c -- strings and containers of JSON, 64 bytes a step whatever is in them.
 *
 * Source code has an escape about every 25 bytes, so nothing here branches on one: a step finds which bytes are
 * escaped, translates those with one table look-up and squeezes the backslashes out with VPCOMPRESSB.  Only what a
 * table cannot decode (\u, errors, the end) leaves the straight path.  Source of the bitmaps: Langdale and Lemire,
 * "Parsing gigabytes of JSON per second", 2019. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* One bit for each of the next 64 bytes that are there. */
static inline uint64_t json_mask_left(size_t left) { return _bzhi_u64(~(uint64_t)0, left < 64 ? (unsigned)left : 64); }

/* The next 64 bytes, zeros for those past the end. */
static inline __m512i json_load(const char *src, size_t left)
{
    return left < 64 ? _mm512_maskz_loadu_epi8(json_mask_left(left), src) : _mm512_loadu_si512(src);
}

/* The empty asm keeps gcc from merging a later `& ~carry` into the compare as its mask: the compare and two moves
 * between register files would then stand in the one chain that leads from step to step, and double its length. */
static inline uint64_t json_match(__m512i text, char c)
{
    uint64_t match = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(c));

    __asm__("" : "+r"(match));
    return match;
}

enum json_end json_unescape_avx512(char *dst, size_t *len, const char *src, size_t n, size_t *used)
{
    const __m512i table_low  = _mm512_loadu_si512(json_escape_table);
    const __m512i table_high = _mm512_loadu_si512(json_escape_table + 64);
    size_t   in = 0, out = 0;
    uint64_t carry = 0;

    while (in < n) {
        uint64_t here    = json_mask_left(n - in), active, stop, keep;
        enum json_end end;
        __m512i  text    = json_load(src + in, n - in);
        uint64_t escaped = json_find_escaped(json_match(text, '\\'), &carry, &active);
        uint64_t control = _mm512_cmplt_epu8_mask(text, _mm512_set1_epi8(0x20));
        __m512i  simple  = _mm512_permutex2var_epi8(table_low, text, table_high);   /* reads 7 bits of each byte */
        uint64_t rare    = _mm512_testn_epi8_mask(simple, simple) | _mm512_movepi8_mask(text);

        stop = here & ((escaped & rare) | (~escaped & (json_match(text, '"') | control)));
        keep = here & ~active & ~stop & (stop - 1);         /* what stands before the first stop */
        text = _mm512_mask_mov_epi8(text, escaped, simple);
        _mm512_storeu_si512(dst + out, _mm512_maskz_compress_epi8(keep, text));
        out += (size_t)_mm_popcnt_u64(keep);
        if (!stop) {
            in += 64;
            continue;
        }

        in += (size_t)_tzcnt_u64(stop);
        if (!(escaped & stop & -stop)) {
            end = src[in] == '"' ? JSON_CLOSED : JSON_CONTROL;
            *len  = out;
            *used = in + (end == JSON_CLOSED);
            return end;
        }
        *len = out;
        *used = in - 1;                                     /* its backslash, perhaps the last step's last byte */
        end = json_decode_escapes(dst, len, src, n, used);
        if (end != JSON_CLOSED)
            return end;
        in = *used;
        out = *len;
        carry = 0;
    }
    *len  = out;
    *used = n;
    return JSON_UNTERMINATED;
}

enum json_end json_string_check_avx512(const char *src, size_t n, size_t *used)
{
    const __m512i table_low  = _mm512_loadu_si512(json_escape_table);
    const __m512i table_high = _mm512_loadu_si512(json_escape_table + 64);
    size_t   in = 0;
    uint64_t carry = 0;

    while (in < n) {
        uint64_t here    = json_mask_left(n - in), active, stop;
        enum json_end end;
        __m512i  text    = json_load(src + in, n - in);
        uint64_t escaped = json_find_escaped(json_match(text, '\\'), &carry, &active);
        uint64_t control = _mm512_cmplt_epu8_mask(text, _mm512_set1_epi8(0x20));
        __m512i  simple  = _mm512_permutex2var_epi8(table_low, text, table_high);   /* reads 7 bits of each byte */
        uint64_t rare    = _mm512_testn_epi8_mask(simple, simple) | _mm512_movepi8_mask(text);

        stop = here & ((escaped & rare) | (~escaped & (json_match(text, '"') | control)));
        if (!stop) {
            in += 64;
            continue;
        }
        in += (size_t)_tzcnt_u64(stop);
        if (!(escaped & stop & -stop)) {
            end = src[in] == '"' ? JSON_CLOSED : JSON_CONTROL;
            *used = in + (end == JSON_CLOSED);
            return end;
        }
        *used = in - 1;                                     /* its backslash, perhaps the last step's last byte */
        end = json_check_escape(src, n, used);
        if (end != JSON_CLOSED)
            return end;
        in = *used;
        carry = 0;
    }
    *used = n;
    return JSON_UNTERMINATED;
}

size_t json_string_end_avx512(const char *src, size_t n)
{
    uint64_t carry = 0, active;

    for (size_t at = 0; at < n; at += 64) {
        __m512i  text    = json_load(src + at, n - at);
        uint64_t escaped = json_find_escaped(json_match(text, '\\'), &carry, &active);
        uint64_t quote   = json_match(text, '"') & ~escaped;

        if (quote)
            return at + (size_t)_tzcnt_u64(quote);
    }
    return n;
}

size_t json_container_end_avx512(const char *src, size_t n)
{
    /* in_string: all bits when the last step ended in a string */
    uint64_t carry = 0, active, depth = 1, in_string = 0;

    for (size_t at = 1; at < n; at += 64) {
        __m512i  text    = json_load(src + at, n - at);
        /* [ ] become { }, nothing else does */
        __m512i  folded  = _mm512_or_si512(text, _mm512_set1_epi8(0x20));
        uint64_t escaped = json_find_escaped(json_match(text, '\\'), &carry, &active);
        uint64_t quote   = json_match(text, '"') & ~escaped;
        uint64_t hidden  = json_prefix_xor(quote) ^ in_string;
        unsigned close;

        in_string = -(hidden >> 63);
        hidden |= escaped;
        close = json_close_brackets(json_match(folded, '{') & ~hidden, json_match(folded, '}') & ~hidden, &depth);
        if (close < 64)
            return at + close + 1;
    }
    return 0;
}

/* What a step of a list has outside strings, numbers left out. */
static inline struct json_list_step json_list_marks(__m512i text)
{
    return (struct json_list_step){ .comma = json_match(text, ','), .blank = json_match(text, ' '),
                                    .close = json_match(text, ']') };
}

static inline void json_list_numbers(struct json_list_step *s, __m512i text)
{
    s->digit = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(text, _mm512_set1_epi8('0')), _mm512_set1_epi8(10));
    s->zero = json_match(text, '0');
    s->minus = json_match(text, '-');
    s->dot = json_match(text, '.');
}

/* Most lists have either strings or numbers: a step of one kind does not pay for the other.  mixed: this one has both,
 * and strings alone are not tried again. */
size_t json_list_check_avx512(const char *src, size_t n)
{
    const __m512i          table_low  = _mm512_loadu_si512(json_escape_table);
    const __m512i          table_high = _mm512_loadu_si512(json_escape_table + 64);
    struct json_list_state state = { .comma = 1 };          /* as behind one */
    uint64_t               carry = 0, active, mixed = 0;

    for (size_t at = 1; at < n; at += 64) {
        __m512i               text  = json_load(src + at, n - at);
        struct json_list_step s     = json_list_marks(text);
        uint64_t              quote = json_match(text, '"');
        unsigned              place = 65;

        if (quote | state.in_string) {
            uint64_t escaped = json_find_escaped(json_match(text, '\\'), &carry, &active), inside;
            __m512i  simple  = _mm512_permutex2var_epi8(table_low, text, table_high);
            uint64_t rare    = _mm512_testn_epi8_mask(simple, simple) | _mm512_movepi8_mask(text);

            s.quote = quote & ~escaped;
            s.string_bad = _mm512_cmplt_epu8_mask(text, _mm512_set1_epi8(0x20)) | (escaped & rare);
            inside = json_prefix_xor(s.quote) ^ state.in_string;
            if (!(mixed | state.number))
                place = json_list_strings(s, inside, &state);
            if (place == 65) {
                mixed = 1;
                json_list_numbers(&s, text);
                place = json_list_step(s, inside, &state);
            }
        } else {
            json_list_numbers(&s, text);
            place = json_list_step(s, 0, &state);
        }
        if (place != 64)
            return place < 64 ? at + place + 1 : 0;
    }
    return 0;
}

#endif
