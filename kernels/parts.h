/* kernels/parts.h -- what the files of kernels/ share with each other and with nobody else.
 *
 * One function per table entry and instruction set (contracts: kernels.h), and the pieces that several levels use.  The
 * inline functions are static on purpose: each file gets its own copy, built with its own instruction set, so no AVX
 * code can be picked by the linker for a machine without it. */
#ifndef LEAKGRAPH_KERNELS_PARTS_H
#define LEAKGRAPH_KERNELS_PARTS_H

#include "kernels/kernels.h"

#if defined(__PCLMUL__)
#include <immintrin.h>
#endif

void classify_scalar(uint64_t *a, uint64_t *b, const struct byteset *set_a, const struct byteset *set_b,
                     const char *text, size_t n);
void classify_avx2  (uint64_t *a, uint64_t *b, const struct byteset *set_a, const struct byteset *set_b,
                     const char *text, size_t n);
void classify_avx512(uint64_t *a, uint64_t *b, const struct byteset *set_a, const struct byteset *set_b,
                     const char *text, size_t n);

size_t spans_scalar(uint32_t *start, uint32_t *end, const struct byteset *set, const char *text, size_t n);
size_t spans_avx2  (uint32_t *start, uint32_t *end, const struct byteset *set, const char *text, size_t n);
size_t spans_avx512(uint32_t *start, uint32_t *end, const struct byteset *set, const char *text, size_t n);

enum json_end json_unescape_scalar(char *dst, size_t *len, const char *src, size_t n, size_t *used);
enum json_end json_unescape_avx2  (char *dst, size_t *len, const char *src, size_t n, size_t *used);
enum json_end json_unescape_avx512(char *dst, size_t *len, const char *src, size_t n, size_t *used);

enum json_end json_string_check_scalar(const char *src, size_t n, size_t *used);
enum json_end json_string_check_avx2  (const char *src, size_t n, size_t *used);
enum json_end json_string_check_avx512(const char *src, size_t n, size_t *used);

size_t json_string_end_scalar(const char *src, size_t n);
size_t json_string_end_avx2  (const char *src, size_t n);
size_t json_string_end_avx512(const char *src, size_t n);

size_t json_container_end_scalar(const char *src, size_t n);
size_t json_container_end_avx2  (const char *src, size_t n);
size_t json_container_end_avx512(const char *src, size_t n);

size_t json_list_check_scalar(const char *src, size_t n);
size_t json_list_check_avx2  (const char *src, size_t n);
size_t json_list_check_avx512(const char *src, size_t n);

size_t intersect_u32_scalar(const uint32_t *a, size_t na, const uint32_t *b, size_t nb);
size_t intersect_u32_avx2  (const uint32_t *a, size_t na, const uint32_t *b, size_t nb);
size_t intersect_u32_avx512(const uint32_t *a, size_t na, const uint32_t *b, size_t nb);

size_t intersect_u64_scalar(const uint64_t *a, size_t na, const uint64_t *b, size_t nb);
size_t intersect_u64_avx2  (const uint64_t *a, size_t na, const uint64_t *b, size_t nb);
size_t intersect_u64_avx512(const uint64_t *a, size_t na, const uint64_t *b, size_t nb);

void repeat_scalar(uint8_t *back, const uint64_t *value, size_t n);
void repeat_avx2  (uint8_t *back, const uint64_t *value, size_t n);
void repeat_avx512(uint8_t *back, const uint64_t *value, size_t n);

void minhash_scalar(uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand, size_t lanes,
                    const uint64_t *feature, size_t count);
void minhash_avx2  (uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand, size_t lanes,
                    const uint64_t *feature, size_t count);
void minhash_avx512(uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand, size_t lanes,
                    const uint64_t *feature, size_t count);

/* repeat.c: of the values from .. to - 1. */
void repeat_part(uint8_t *back, const uint64_t *value, size_t from, size_t to);

/* intersect.c: the same number by searching each value of the much shorter array `few` in `many`. */
size_t intersect_search_u32(const uint32_t *few, size_t few_count, const uint32_t *many, size_t many_count);
size_t intersect_search_u64(const uint64_t *few, size_t few_count, const uint64_t *many, size_t many_count);

/* `truth`, 0 or 1, as a number to count with.  Compilers like to turn a sum of comparisons back into a jump, and which
 * of two arrays goes on is a coin toss that no branch predictor learns; they cannot see through the empty asm. */
static inline size_t intersect_advance(size_t truth)
{
    __asm__("" : "+r"(truth));
    return truth;
}

/* json.c: the byte that a backslash and this character stand for; 0 for `u` and for whatever may not follow a
 * backslash. Nothing above 0x7F is set, so the first 128 entries are the whole function. */
extern const char json_escape_table[256];

/* json.c: decodes the escape whose backslash is src[*in] to dst[*out], and the \u escapes that follow it directly (text
 * in another script is one long run of them).  JSON_CLOSED: done, *in and *out are past it.  Else JSON_BAD_ESCAPE or
 * JSON_UNTERMINATED, *in is the offending byte or n, and *out is past what was decoded before. */
enum json_end json_decode_escapes(char *dst, size_t *out, const char *src, size_t n, size_t *in);

/* json.c: the same without the decoding, of one escape. */
enum json_end json_check_escape(const char *src, size_t n, size_t *in);

/* Which of 64 bytes are escaped, given where the backslashes are.  *carry: whether the byte before bit 0 escapes it (0
 * or 1); becomes the same for the next 64 bytes.  *active: the backslashes that do escape their next byte.
 *
 * In a run of backslashes the first, third, fifth... are active.  Adding the first bit of a run to the run carries out
 * of its end and leaves zeros in its place; so one addition tells the runs that start at even places from the others,
 * and then the active ones are at the even places of the former and the odd places of the latter. */
static inline uint64_t json_find_escaped(uint64_t backslash, uint64_t *carry, uint64_t *active)
{
    const uint64_t odd = 0xAAAAAAAAAAAAAAAA;
    uint64_t escaped_first = *carry, start, in_even_run;

    backslash &= ~escaped_first;                            /* an escaped backslash starts no run */
    start = backslash & ~(backslash << 1);
    in_even_run = backslash & ~(backslash + (start & ~odd));
    *active = backslash & (in_even_run ^ odd);
    *carry = *active >> 63;
    return *active << 1 | escaped_first;
}

#if defined(__PCLMUL__)
/* Bit i of the result is the xor of bits 0..i: between the quotes of a text, opening ones included, it is 1.  A
 * carry-less product with all ones is this sum of all shifts. */
static inline uint64_t json_prefix_xor(uint64_t bits)
{
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0);

    return (uint64_t)_mm_cvtsi128_si64(product);
}
#endif

/* Where in 64 bytes the brackets close: *depth is how many are open before them and becomes how many are after; open
 * and close tell the brackets.  Returns the place where the depth reaches 0, or 64 when it stays above. */
static inline unsigned json_close_brackets(uint64_t open, uint64_t close, uint64_t *depth)
{
    uint64_t opened = (uint64_t)__builtin_popcountll(open), closed = (uint64_t)__builtin_popcountll(close), before = 0;

    if (closed >= *depth)                                   /* only now is a look at single brackets needed */
        for (uint64_t rest = close; rest; rest &= rest - 1) {
            uint64_t below = (rest & -rest) - 1;

            if (*depth + (uint64_t)__builtin_popcountll(open & below) == ++before)
                return (unsigned)__builtin_ctzll(rest);
        }
    *depth += opened - closed;
    return 64;
}

#if defined(__PCLMUL__)
/* What 64 bytes of a list hold, a bit each; the last five outside strings too. */
struct json_list_step { uint64_t quote, string_bad, digit, zero, minus, dot, comma, blank, close; };

/* What of the step before the next one must know. */
struct json_list_state { uint64_t in_string, comma, blank, ended, number, minus, dot, zero, fraction; };

/* A step's answer: 64 when the list goes on behind it, the place of its closing bracket, or 65: it is not of the shape.
 * What is wrong behind the closing bracket does not count. */
static inline unsigned json_list_place(uint64_t close, uint64_t bad)
{
    if (close && (!bad || (close & -close) < (bad & -bad)))
        return (unsigned)__builtin_ctzll(close);
    return bad ? 65 : 64;
}

/* Goes through a step that has no number, nor the end of one: digit, zero, minus and dot of it are not looked at.  65
 * leaves the state alone: perhaps it has numbers. */
static inline unsigned json_list_strings(struct json_list_step s, uint64_t inside, struct json_list_state *state)
{
    const uint64_t open = s.quote & inside, shut = s.quote & ~inside, out = ~(inside | shut);
    const uint64_t comma = s.comma & out, blank = s.blank & out, close = s.close & out;
    const uint64_t after_comma = comma << 1 | state->comma, after_shut = shut << 1 | state->ended;
    uint64_t       bad = (s.string_bad & inside) | (out & ~(comma | blank | close));
    unsigned       place;

    bad |= after_shut ^ (comma | close);
    bad |= blank & ~after_comma;
    bad |= open ^ ((after_comma | blank << 1 | state->blank) & ~blank);
    place = json_list_place(close, bad);
    if (place != 64)
        return place;
    state->in_string = -(inside >> 63);
    state->comma = comma >> 63;
    state->blank = blank >> 63;
    state->ended = shut >> 63;
    return 64;
}

/* Goes through a step of any kind.
 *
 * Every rule says what may stand before or behind a byte, so each is a shift by one and a mask.  Only the second dot of
 * a number is further away: an addition carries each dot to the end of the digits behind it. */
static inline unsigned json_list_step(struct json_list_step s, uint64_t inside, struct json_list_state *state)
{
    const uint64_t open = s.quote & inside, shut = s.quote & ~inside, out = ~inside & ~shut;
    const uint64_t digit = s.digit & out, minus = s.minus & out, dot = s.dot & out, number = digit | minus | dot;
    const uint64_t comma = s.comma & out, blank = s.blank & out, close = s.close & out, stop = comma | close;
    const uint64_t after_comma = comma << 1 | state->comma, after_blank = blank << 1 | state->blank;
    const uint64_t after_number = number << 1 | state->number, after_minus = minus << 1 | state->minus;
    const uint64_t after_dot = dot << 1 | state->dot, after_shut = shut << 1 | state->ended;
    const uint64_t start = number & ~after_number, first = (start & digit) | (after_minus & digit);
    const uint64_t zero = s.zero & first, after_zero = zero << 1 | state->zero;
    const uint64_t fraction = (after_dot | state->fraction) & digit;
    uint64_t       sum, bad, ends;
    const uint64_t carried = __builtin_add_overflow(digit, fraction, &sum);

    ends = (sum & ~digit) | (state->fraction & ~digit);
    bad = (s.string_bad & inside) | (out & ~(number | stop | blank));
    bad |= (after_shut | (after_number & ~number)) ^ stop;
    bad |= blank & ~after_comma;
    bad |= (open | start) & ~(after_comma | after_blank);
    bad |= after_comma & ~(blank | open | start);
    bad |= after_blank & ~(open | start);
    bad |= minus & ~start;
    bad |= after_minus & ~digit;
    bad |= dot & ~((digit << 1) | (state->number & ~state->minus & ~state->dot));
    bad |= after_dot & ~digit;
    bad |= after_zero & digit;
    bad |= ends & dot;
    state->in_string = -(inside >> 63);
    state->comma = comma >> 63;
    state->blank = blank >> 63;
    state->ended = shut >> 63;
    state->number = number >> 63;
    state->minus = minus >> 63;
    state->dot = dot >> 63;
    state->zero = zero >> 63;
    state->fraction = carried;
    return json_list_place(close, bad);
}
#endif

#endif
