/* kernels/json_avx2.c -- strings and containers of JSON, 64 bytes a step whatever is in them.
 *
 * The steps are those of json_avx512.c.  What has no instruction here is looked up: the characters that may follow a
 * backslash by a hash without collisions, and how to squeeze the backslashes out of 8 bytes in a table of 256 shuffles
 * (PEXT would do without the table, but takes a hundred cycles on AMD processors before Zen 3). */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

enum { JSON_STEP = 64 };

struct json_step { __m256i low, high; };

static inline struct json_step json_load(const char *at)
{
    return (struct json_step){
        _mm256_loadu_si256((const __m256i *)(const void *)at),
        _mm256_loadu_si256((const __m256i *)(const void *)(at + 32)),
    };
}

/* The step at src: src itself, or when less than a step is left a copy of that in `last`, zeros after it. */
static inline const char *json_pad(char last[JSON_STEP], const char *src, size_t left)
{
    if (left >= JSON_STEP)
        return src;
    memset(last, 0, JSON_STEP);
    memcpy(last, src, left);
    return last;
}

static inline uint64_t json_mask(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline uint64_t json_match(struct json_step text, char c)
{
    __m256i wanted = _mm256_set1_epi8(c);

    return json_mask(_mm256_cmpeq_epi8(text.low, wanted), _mm256_cmpeq_epi8(text.high, wanted));
}

static inline uint64_t json_match_control(struct json_step text)
{
    __m256i most = _mm256_set1_epi8(0x1F);

    return json_mask(_mm256_cmpeq_epi8(_mm256_min_epu8(text.low, most), text.low),
                     _mm256_cmpeq_epi8(_mm256_min_epu8(text.high, most), text.high));
}

/* What each byte means after a backslash, and in *known (0xFF or 0) whether it may stand there (u apart).  c/2 + c/8
 * differs in its low four bits for the eight characters: two look-ups by it give the character that belongs there and
 * its meaning.  An empty place holds a character that belongs elsewhere. */
static inline __m256i json_translate(__m256i text, __m256i *known)
{
    const __m256i keys   =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(-1, 0, 0, 0, 'n', '"', 0, 'r', 't', '\\', 0, 0, '/', 'b', 0, 'f'));
    const __m256i values = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 0, '\n', '"', 0, '\r', '\t', '\\', 0, 0,
                                                                     '/', '\b', 0, '\f'));
    __m256i place = _mm256_add_epi8(_mm256_srli_epi16(text, 1), _mm256_srli_epi16(text, 3));

    place = _mm256_and_si256(place, _mm256_set1_epi8(15));
    *known = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(keys, place), text);
    return _mm256_shuffle_epi8(values, place);
}

/* 32 bits as 32 bytes, 0xFF or 0. */
static inline __m256i json_spread(uint32_t bits)
{
    const __m256i byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3,
                                          3, 3, 3, 3, 3, 3);
    const __m256i bit  = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), byte);

    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
}

/* Entry m: the places of the bits of m, ascending, one byte each: the shuffle that moves those of 8 bytes together. */
#define SQUEEZE_BIT(m, i, rest) ((uint64_t)(rest) << 8 * ((m) >> (i) & 1) | (uint64_t)((i) * ((m) >> (i) & 1)))
#define SQUEEZE_LOW(m, rest)    SQUEEZE_BIT(m, 0, SQUEEZE_BIT(m, 1, SQUEEZE_BIT(m, 2, SQUEEZE_BIT(m, 3, rest))))
#define SQUEEZE_1(m)            \
    SQUEEZE_LOW(m, SQUEEZE_BIT(m, 4, SQUEEZE_BIT(m, 5, SQUEEZE_BIT(m, 6, SQUEEZE_BIT(m, 7, 0)))))
#define SQUEEZE_4(m)            SQUEEZE_1(m), SQUEEZE_1((m) + 1), SQUEEZE_1((m) + 2), SQUEEZE_1((m) + 3)
#define SQUEEZE_16(m)           SQUEEZE_4(m), SQUEEZE_4((m) + 4), SQUEEZE_4((m) + 8), SQUEEZE_4((m) + 12)
#define SQUEEZE_64(m)           SQUEEZE_16(m), SQUEEZE_16((m) + 16), SQUEEZE_16((m) + 32), SQUEEZE_16((m) + 48)

static const uint64_t squeeze_table[256] = { SQUEEZE_64(0), SQUEEZE_64(64), SQUEEZE_64(128), SQUEEZE_64(192) };

/* Writes those of 16 bytes whose bits are set in keep, and up to 8 bytes of noise after them; returns how many. */
static inline size_t json_squeeze_16(char *dst, __m128i text, uint64_t keep)
{
    const __m128i upper = _mm_set_epi64x(0x0808080808080808, 0);
    long long upper_half;
    size_t   low_count = (size_t)_mm_popcnt_u64(keep & 0xFF), high_count = (size_t)_mm_popcnt_u64(keep & 0xFF00);
    __m128i  low  = _mm_loadl_epi64((const __m128i *)(const void *)&squeeze_table[keep & 0xFF]);
    __m128i  high = _mm_loadl_epi64((const __m128i *)(const void *)&squeeze_table[keep >> 8 & 0xFF]);

    text = _mm_shuffle_epi8(text, _mm_or_si128(_mm_unpacklo_epi64(low, high), upper));
    _mm_storel_epi64((__m128i *)(void *)dst, text);
    upper_half = _mm_extract_epi64(text, 1);
    memcpy(dst + low_count, &upper_half, sizeof upper_half);
    return low_count + high_count;
}

static inline size_t json_squeeze(char *dst, struct json_step text, uint64_t keep)
{
    size_t len = json_squeeze_16(dst, _mm256_castsi256_si128(text.low), keep);

    len += json_squeeze_16(dst + len, _mm256_extracti128_si256(text.low, 1), keep >> 16);
    len += json_squeeze_16(dst + len, _mm256_castsi256_si128(text.high), keep >> 32);
    len += json_squeeze_16(dst + len, _mm256_extracti128_si256(text.high, 1), keep >> 48);
    return len;
}

enum json_end json_unescape_avx2(char *dst, size_t *len, const char *src, size_t n, size_t *used)
{
    size_t   in = 0, out = 0;
    uint64_t carry = 0;
    char     last[JSON_STEP];

    while (in < n) {
        uint64_t         here    = _bzhi_u64(~(uint64_t)0, n - in < 64 ? (unsigned)(n - in) : 64), active, stop, keep;
        enum json_end    end;
        struct json_step text    = json_load(json_pad(last, src + in, n - in));
        uint64_t         escaped = json_find_escaped(json_match(text, '\\'), &carry, &active);
        struct json_step simple, known;

        simple.low  = json_translate(text.low, &known.low);
        simple.high = json_translate(text.high, &known.high);
        stop = here & ((escaped & ~json_mask(known.low, known.high)) |
                       (~escaped & (json_match(text, '"') | json_match_control(text))));
        keep = here & ~active & ~stop & (stop - 1);         /* what stands before the first stop */
        text.low  = _mm256_blendv_epi8(text.low, simple.low, json_spread((uint32_t)escaped));
        text.high = _mm256_blendv_epi8(text.high, simple.high, json_spread((uint32_t)(escaped >> 32)));
        out += json_squeeze(dst + out, text, keep);
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

enum json_end json_string_check_avx2(const char *src, size_t n, size_t *used)
{
    size_t   in = 0;
    uint64_t carry = 0;
    char     last[JSON_STEP];

    while (in < n) {
        uint64_t         here    = _bzhi_u64(~(uint64_t)0, n - in < 64 ? (unsigned)(n - in) : 64), active, stop;
        enum json_end    end;
        struct json_step text    = json_load(json_pad(last, src + in, n - in)), known;
        uint64_t         escaped = json_find_escaped(json_match(text, '\\'), &carry, &active);

        stop = ~escaped & (json_match(text, '"') | json_match_control(text));
        if (escaped) {
            (void)json_translate(text.low, &known.low);
            (void)json_translate(text.high, &known.high);
            stop |= escaped & ~json_mask(known.low, known.high);
        }
        stop &= here;
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

size_t json_string_end_avx2(const char *src, size_t n)
{
    uint64_t carry = 0, active;
    char     last[JSON_STEP];

    for (size_t at = 0; at < n; at += JSON_STEP) {
        struct json_step text = json_load(json_pad(last, src + at, n - at));
        uint64_t escaped = json_find_escaped(json_match(text, '\\'), &carry, &active);
        uint64_t quote   = json_match(text, '"') & ~escaped;

        if (quote)
            return at + (size_t)_tzcnt_u64(quote);
    }
    return n;
}

size_t json_container_end_avx2(const char *src, size_t n)
{
    const __m256i fold = _mm256_set1_epi8(0x20);            /* [ ] become { }, nothing else does */
    /* in_string: all bits when the last step ended in a string */
    uint64_t carry = 0, active, depth = 1, in_string = 0;
    char     last[JSON_STEP];

    for (size_t at = 1; at < n; at += JSON_STEP) {
        struct json_step text    = json_load(json_pad(last, src + at, n - at));
        struct json_step folded  = { _mm256_or_si256(text.low, fold), _mm256_or_si256(text.high, fold) };
        uint64_t         escaped = json_find_escaped(json_match(text, '\\'), &carry, &active);
        uint64_t         quote   = json_match(text, '"') & ~escaped;
        uint64_t         hidden  = json_prefix_xor(quote) ^ in_string;
        unsigned         close;

        in_string = -(hidden >> 63);
        hidden |= escaped;
        close = json_close_brackets(json_match(folded, '{') & ~hidden, json_match(folded, '}') & ~hidden, &depth);
        if (close < 64)
            return at + close + 1;
    }
    return 0;
}

/* What a step of a list has outside strings, numbers left out. */
static inline struct json_list_step json_list_marks(struct json_step text)
{
    return (struct json_list_step){ .comma = json_match(text, ','), .blank = json_match(text, ' '),
                                    .close = json_match(text, ']') };
}

static inline void json_list_numbers(struct json_list_step *s, struct json_step text)
{
    const __m256i nine = _mm256_set1_epi8(9), nought = _mm256_set1_epi8('0');
    const __m256i low = _mm256_sub_epi8(text.low, nought), high = _mm256_sub_epi8(text.high, nought);

    s->digit = json_mask(_mm256_cmpeq_epi8(_mm256_min_epu8(low, nine), low),
                         _mm256_cmpeq_epi8(_mm256_min_epu8(high, nine), high));
    s->zero = json_match(text, '0');
    s->minus = json_match(text, '-');
    s->dot = json_match(text, '.');
}

/* Most lists have either strings or numbers: a step of one kind does not pay for the other.  mixed: this one has both,
 * and strings alone are not tried again. */
size_t json_list_check_avx2(const char *src, size_t n)
{
    struct json_list_state state = { .comma = 1 };          /* as behind one */
    uint64_t               carry = 0, active, mixed = 0;
    char                   last[JSON_STEP];

    for (size_t at = 1; at < n; at += JSON_STEP) {
        struct json_step      text  = json_load(json_pad(last, src + at, n - at)), known;
        struct json_list_step s     = json_list_marks(text);
        uint64_t              quote = json_match(text, '"');
        unsigned              place = 65;

        if (quote | state.in_string) {
            uint64_t escaped = json_find_escaped(json_match(text, '\\'), &carry, &active), inside;

            s.quote = quote & ~escaped;
            s.string_bad = json_match_control(text);
            if (escaped) {
                (void)json_translate(text.low, &known.low);
                (void)json_translate(text.high, &known.high);
                s.string_bad |= escaped & ~json_mask(known.low, known.high);
            }
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
