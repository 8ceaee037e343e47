/* kernels/kernels.h -- the few inner loops that have a vector version, behind one table.
 *
 * No I/O and no allocation: arrays in, arrays out.  classify.c, spans.c, json.c, intersect.c, repeat.c and minhash.c
 * are the specification; the *_avx2.c and *_avx512.c files give identical bits and are compiled with only their own
 * instruction set.  The table is chosen once, in main before threads start; LEAKGRAPH_KERNELS=scalar|avx2|avx512 forces
 * a level.
 *
 * None of these reads a byte before its buffer or past its end (the differential test ends every buffer at an unmapped
 * page) except where the declaration says so. */
#ifndef LEAKGRAPH_KERNELS_H
#define LEAKGRAPH_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* A set of bytes: any ASCII characters, and all of 0x80-0xFF or none of them.
 * Bit h of ascii[l] tells whether the character 16*h + l is in the set (h < 8). */
struct byteset { uint8_t ascii[16]; uint8_t high; };        /* high: 0 or 0xFF */

static inline int byteset_has(const struct byteset *s, unsigned char c)
{
    return c < 0x80 ? s->ascii[c & 15] >> (c >> 4) & 1 : s->high & 1;
}

static inline void byteset_add(struct byteset *s, unsigned char c) { s->ascii[c & 15] |= (uint8_t)(1u << (c >> 4)); }

enum { REPEAT_REACH = 11, SPANS_PAD = 32 };

enum json_end { JSON_CLOSED = 0, JSON_UNTERMINATED, JSON_BAD_ESCAPE, JSON_CONTROL };

struct kernels {
    const char *name;                                       /* "scalar", "avx2", "avx512" */
    unsigned    need;                                       /* KERNEL_CPU_* bits that must all be present */

    /* Byte classes, one bit a byte: bit i%64 of a[i/64] is set iff text[i] is in set_a, likewise b.
     * a and b have (n+63)/64 words; bits past n are 0.  Any alignment. */
    void (*classify)(uint64_t *a, uint64_t *b, const struct byteset *set_a, const struct byteset *set_b,
                     const char *text, size_t n);

    /* Where runs of bytes of a set are: run i is text[start[i] .. end[i]).  Returns how many.  n < 2^32.  start and end
     * each have room for n / 2 + 1 + SPANS_PAD values, of which those behind the last may be overwritten. */
    size_t (*spans)(uint32_t *start, uint32_t *end, const struct byteset *set, const char *text, size_t n);

    /* Copies a JSON string's value: src points after the opening quote, n bytes are readable.  On JSON_CLOSED *used is
     * the number of source bytes up to and including the closing quote and *len the bytes written.  Escapes are decoded
     * to UTF-8; a surrogate pair becomes one character, a lone surrogate U+FFFD; a raw byte below 0x20 ends with
     * JSON_CONTROL, a bad escape with JSON_BAD_ESCAPE, *used then being the offset of the offending byte
     * (JSON_UNTERMINATED: n). *len is always what was decoded before the end. dst has room for n + 64 bytes; bytes of
     * dst past *len may be overwritten within that room. */
    enum json_end (*json_unescape)(char *dst, size_t *len, const char *src, size_t n, size_t *used);

    /* The same without a copy: what json_unescape returns, and its *used. */
    enum json_end (*json_string_check)(const char *src, size_t n, size_t *used);

    /* Finds the end of a JSON string without copying: the offset of the closing quote, or n when there is none.
     * src points after the opening quote.  Control characters and escapes are not checked. */
    size_t (*json_string_end)(const char *src, size_t n);

    /* Finds the end of a JSON array or object: src[0] is its opening bracket; the offset after its matching closing
     * bracket, or 0 when it does not close within n bytes.  Only brackets outside strings count; the two kinds are
     * counted together, so "[}" closes.  A backslash hides the next byte inside strings and, where it is malformed,
     * outside. */
    size_t (*json_container_end)(const char *src, size_t n);

    /* Checks a list as programs write most of them: src[0] is its opening bracket; values are strings without \u and
     * whole or decimal numbers without exponent; behind the bracket and each comma may be one blank, and no other.  The
     * offset after its closing bracket; 0: it is of another shape, or no JSON, or does not close within n bytes. */
    size_t (*json_list_check)(const char *src, size_t n);

    /* Number of values that two strictly ascending arrays have in common. */
    size_t (*intersect_u32)(const uint32_t *a, size_t na, const uint32_t *b, size_t nb);
    size_t (*intersect_u64)(const uint64_t *a, size_t na, const uint64_t *b, size_t nb);

    /* back[i] is the least distance of 1 .. REPEAT_REACH with value[i - distance] == value[i]; 0: none is. */
    void (*repeat)(uint8_t *back, const uint64_t *value, size_t n);

    /* MinHash: lane[i] becomes the least of itself and multiplier[i] * x + summand[i] modulo 2^32, x being the low 32
     * bits of each of feature[count].  lanes is a multiple of 16.  A document may come in pieces: lane starts as all
     * UINT32_MAX. */
    void (*minhash)(uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand, size_t lanes,
                    const uint64_t *feature, size_t count);
};

/* AVX2: and POPCNT; BMI: BMI1, BMI2, LZCNT; AVX512: F, BW, DQ, VL, VBMI, VBMI2. */
enum { KERNEL_CPU_AVX2 = 1, KERNEL_CPU_BMI = 2, KERNEL_CPU_CLMUL = 4, KERNEL_CPU_AVX512 = 8 };

extern const struct kernels kernels_scalar, kernels_avx2, kernels_avx512;
extern const struct kernels *const kernels_all[];           /* best first, scalar last, then NULL */

unsigned kernels_cpu(void);                                 /* KERNEL_CPU_* of this machine (with OS support) */

/* The best table that `cpu` can run, or the one named `only` (NULL or "": any); NULL when `only` cannot run here. */
const struct kernels *kernels_select(unsigned cpu, const char *only);

/* The table in use: scalar until main has set it. */
extern const struct kernels *kernels;

#endif
