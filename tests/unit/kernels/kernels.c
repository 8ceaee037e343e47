/* tests/unit/kernels/kernels.c -- every level of every kernel against the scalar one, and the scalar one against
 * something simpler.
 *
 * Inputs end at, or start behind, a page that cannot be touched, and so do outputs: a kernel that reads or writes
 * outside its buffers dies here.  What the text says it knows (the decoded string, the number of common values) was
 * known before the text was made.  SEED=n repeats a run; BENCH=1 times the same calls and prints one line for each
 * kernel and level. */
#include "kernels/kernels.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* ---- random numbers ---- */

static uint64_t random_next(uint64_t *state)                /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static size_t random_below(uint64_t *state, size_t limit) { return (size_t)(random_next(state) % limit); }

/* ---- buffers between two pages that cannot be touched ---- */

enum { ROOM = 1 << 17, PLACES = 2 };                        /* usable bytes of each; places: at its end, at its start */

struct fixture {
    uint64_t seed, random;
    unsigned cpu;                                           /* kernels_cpu(), which is slow under a hypervisor */
    char    *in, *in2, *out, *expect;                       /* [ROOM], guarded on both sides */
};

static char *guarded_open(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char  *at = mmap(NULL, ROOM + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(at != MAP_FAILED && ROOM % page == 0);
    assert_int_equal(mprotect(at, page, PROT_NONE), 0);
    assert_int_equal(mprotect(at + page + ROOM, page, PROT_NONE), 0);
    return at + page;
}

static char *guarded_place(char *room, size_t bytes, int place)
{
    assert_true(bytes <= ROOM);
    return place == 0 ? room + ROOM - bytes : room;
}

/* A copy of the bytes in a place; the content around them is noise that must not matter. */
static char *guarded_copy(char *room, const void *from, size_t bytes, int place)
{
    char *at = guarded_place(room, bytes, place);

    if (bytes)
        memcpy(at, from, bytes);
    return at;
}

/* The levels besides scalar that this machine can run. */
static const struct kernels *level_next(const struct fixture *f, const struct kernels *const **at)
{
    for (; **at; ++*at)
        if (**at != &kernels_scalar && !((**at)->need & ~f->cpu))
            return *(*at)++;
    return NULL;
}

/* ---- texts ---- */

enum { TEXT_ANY, TEXT_ASCII, TEXT_QUOTES, TEXT_BACKSLASHES, TEXT_CONTROLS, TEXT_HIGH, TEXT_JSON, TEXT_CODE,
       TEXT_BRACKETS, TEXT_KINDS };

static void text_fill(char *text, size_t n, int kind, uint64_t *random)
{
    static const char json[] = "\"\\\\\\\\u00dDd8cCFf{}[]ntbfr/,:x \x01\x80";
    static const char code[] =
        "for (int i = 0; i < count; i++) {\\n\\tprintf(\\\"%s\\\\n\\\", \\u00e9\\ud83d\\ude00 name[i]);\\r\\n}";
    static const char brackets[] = "[]{}[]{}\"\\, ";

    for (size_t i = 0; i < n; i++) {
        uint64_t r = random_next(random);

        switch (kind) {
        case TEXT_ASCII:       text[i] = (char)(32 + r % 95); break;
        case TEXT_QUOTES:      text[i] = r % 97 ? '"' : '\\'; break;
        case TEXT_BACKSLASHES: text[i] = r % 97 ? '\\' : "\"nuq"[r >> 32 & 3]; break;
        case TEXT_CONTROLS:    text[i] = (char)(r % 5 ? r >> 32 & 31 : 'a'); break;
        case TEXT_HIGH:        text[i] = (char)(0x80 | r); break;
        case TEXT_JSON:        text[i] = json[r % (sizeof json - 1)]; break;
        case TEXT_CODE:        text[i] = r % 499 ? code[i % (sizeof code - 1)] : (char)(r >> 32); break;
        case TEXT_BRACKETS:    text[i] = brackets[r % (sizeof brackets - 1)]; break;
        default:               text[i] = (char)r; break;
        }
    }
}

/* ---- comparing the levels ---- */

static void check_classify(struct fixture *f, const char *text, size_t n, const struct byteset *a,
                           const struct byteset *b)
{
    size_t    words = (n + 63) / 64, bytes = words * sizeof(uint64_t);
    uint64_t *expect_a = (uint64_t *)(void *)f->expect, *expect_b = expect_a + words;

    kernels_scalar.classify(expect_a, expect_b, a, b, text, n);
    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const char *in = guarded_copy(f->in2, text, n, place);

        while ((level = level_next(f, &at))) {
            uint64_t *out_a = (uint64_t *)(void *)guarded_place(f->out, 2 * bytes, place), *out_b = out_a + words;

            memset(out_a, 0x5A, 2 * bytes);
            level->classify(out_a, out_b, a, b, in, n);
            assert_memory_equal(out_a, expect_a, 2 * bytes);
            memset(out_a, 0x5A, 2 * bytes);                 /* the other one at the border */
            level->classify(out_b, out_a, a, b, in, n);
            assert_memory_equal(out_b, expect_a, bytes);
            assert_memory_equal(out_a, expect_b, bytes);
        }
    }
}

static void check_unescape(struct fixture *f, const char *text, size_t n)
{
    size_t        len = 99, used = 99;
    enum json_end end = kernels_scalar.json_unescape(f->expect, &len, text, n, &used);

    assert_true(used <= n && len <= used);
    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const char *in = guarded_copy(f->in2, text, n, place);

        while ((level = level_next(f, &at))) {
            char  *out = guarded_place(f->out, n + 64, place);
            size_t level_len = 77, level_used = 77;

            memset(out, 0x5A, n + 64);
            assert_int_equal(level->json_unescape(out, &level_len, in, n, &level_used), end);
            assert_int_equal(level_len, len);
            assert_int_equal(level_used, used);
            assert_memory_equal(out, f->expect, len);
            level_used = 77;
            assert_int_equal(level->json_string_check(in, n, &level_used), end);
            assert_int_equal(level_used, used);
        }
    }
}

static void check_ends(struct fixture *f, const char *text, size_t n)
{
    size_t string = kernels_scalar.json_string_end(text, n), container = kernels_scalar.json_container_end(text, n);

    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const char *in = guarded_copy(f->in2, text, n, place);

        while ((level = level_next(f, &at))) {
            assert_int_equal(level->json_string_end(in, n), string);
            assert_int_equal(level->json_container_end(in, n), container);
        }
    }
}

/* A list's end, and that no list of another shape has one. */
static size_t check_list(struct fixture *f, const char *text, size_t n)
{
    size_t end = kernels_scalar.json_list_check(text, n);

    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const char *in = guarded_copy(f->in2, text, n, place);

        while ((level = level_next(f, &at)))
            if (level->json_list_check(in, n) != end)
                fail_msg("%s: %zu instead of %zu: %.*s", level->name, level->json_list_check(in, n), end, (int)n, text);
    }
    return end;
}

/* Random lists of strings, of numbers and of both, most of them of the shape but for one byte; and random bytes of
 * those that matter. */
static void test_list_check(void **state)
{
    enum { STRINGS = 6 };                                   /* the first of the values */
    static const char *const  values[] = { "\"\"", "\"a\"", "\"\\\\\"", "\"\\\"x\"", "\"12\"",
                                           "\"words, with ] [ and \\n in them\"", "0", "-0", "7", "10", "-12.5", "0.0",
                                           "123456789.0123456789" };
    static const struct { size_t from, count; } kinds[] = { { 0, STRINGS }, { STRINGS, 7 }, { 0, STRINGS + 7 } };
    static const char         odd[] = "\"\\,]- .0195[{:}eEux\t\n\x7F\x80\xFF a";
    struct fixture           *f = *state;
    uint64_t                  random = 11;
    size_t                    closed = 0, open = 0;

    for (int round = 0; round < 40000; round++) {
        char   text[600] = "[";
        size_t n = 1, count = 1 + random_below(&random, round % 50 ? 12 : 40), kind = random_below(&random, 3);

        if (round % 4 == 3)
            for (size_t most = 1 + random_below(&random, 150); n < most; n++)
                text[n] = odd[random_below(&random, sizeof odd - 1)];
        else
            for (size_t i = 0; i < count && n < 500; i++)
                n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%s",
                                      i && random_below(&random, 2) ? random_below(&random, 150) ? " " : "  " : "",
                                      values[kinds[kind].from + random_below(&random, kinds[kind].count)],
                                      i + 1 < count ? "," : "]");
        if (round % 4 == 1) text[1 + random_below(&random, n - 1)] = odd[random_below(&random, sizeof odd - 1)];
        if (round % 4 == 2) n = 1 + random_below(&random, n);
        if (check_list(f, text, n)) closed++;
        else open++;
    }
    assert_true(closed > 10000 && open > 10000);
}

static void check_text(struct fixture *f, const char *text, size_t n)
{
    check_unescape(f, text, n);
    check_ends(f, text, n);
}

/* A set and, as an array, what it should hold. */
static struct byteset set_draw(bool has[256], uint64_t *random)
{
    struct byteset set = { { 0 }, 0 };
    size_t density = random_below(random, 5);

    memset(has, 0, 256);
    for (int c = 0; c < 128; c++)
        if (density == 4 || random_below(random, 5) < density) {
            byteset_add(&set, (unsigned char)c);
            has[c] = true;
        }
    if (random_next(random) & 1) {
        set.high = 0xFF;
        memset(has + 128, 1, 128);
    }
    return set;
}

static void test_classify(void **state)
{
    struct fixture *f = *state;

    for (int round = 0; round < 3000; round++) {
        bool   has_a[256], has_b[256];
        struct byteset a = set_draw(has_a, &f->random), b = set_draw(has_b, &f->random);
        size_t n = round < 301 ? (size_t)round : round % 500 == 0 ? 5000 + random_below(&f->random, 3000)
            : random_below(&f->random, 301);
        uint64_t *bits_a = (uint64_t *)(void *)f->expect, *bits_b = bits_a + (n + 63) / 64;

        text_fill(f->in, n, round % TEXT_KINDS, &f->random);
        check_classify(f, f->in, n, &a, &b);                /* leaves the scalar result in expect */
        for (size_t i = 0; i < (n + 63) / 64 * 64; i++) {
            assert_int_equal(bits_a[i / 64] >> i % 64 & 1, i < n && has_a[(unsigned char)f->in[i]]);
            assert_int_equal(bits_b[i / 64] >> i % 64 & 1, i < n && has_b[(unsigned char)f->in[i]]);
        }
    }
}

/* Sets of one character against all 256 bytes, each at every offset mod 64. */
static void test_classify_single(void **state)
{
    struct fixture *f = *state;

    for (unsigned c = 0; c <= 128; c++) {
        struct byteset one = { { 0 }, 0 }, other = { { 0 }, 0xFF };

        if (c < 128)
            byteset_add(&one, (unsigned char)c);
        for (size_t i = 0; i < 320; i++)
            f->in[i] = (char)(i + c);
        check_classify(f, f->in, 320, &one, &other);
    }
}

/* ---- strings ---- */

struct malformed { const char *text; size_t n; enum json_end end; size_t used; const char *decoded; size_t len; };
#define TEXT(s) (s), sizeof(s) - 1

static const struct malformed string_cases[] = {
    { TEXT("\""),                     JSON_CLOSED,       1,  TEXT("") },
    { TEXT("a\\n\\t\\r\\b\\f\\/\\\\\\\"\"x"), JSON_CLOSED, 18, TEXT("a\n\t\r\b\f/\\\"") },
    { TEXT("\\u0041\\u00e9\\u20AC\""), JSON_CLOSED,      19, TEXT("A\xC3\xA9\xE2\x82\xAC") },
    { TEXT("\\ud83d\\ude00\""),       JSON_CLOSED,       13, TEXT("\xF0\x9F\x98\x80") },
    { TEXT("\\uDBFF\\uDFFF\""),       JSON_CLOSED,       13, TEXT("\xF4\x8F\xBF\xBF") },
    { TEXT("\\u0000\\u001f\""),       JSON_CLOSED,       13, TEXT("\0\x1F") },
    { TEXT("\\ud83dx\""),             JSON_CLOSED,       8,  TEXT("\xEF\xBF\xBDx") },
    { TEXT("\\ude00\\ud83d\""),       JSON_CLOSED,       13, TEXT("\xEF\xBF\xBD\xEF\xBF\xBD") },
    { TEXT("\\ud83d\\ud83d\\ude00\""), JSON_CLOSED,      19, TEXT("\xEF\xBF\xBD\xF0\x9F\x98\x80") },
    { TEXT("\\ud83d\\u0041\""),       JSON_CLOSED,       13, TEXT("\xEF\xBF\xBD" "A") },
    { TEXT("\\ud83d\\n\""),           JSON_CLOSED,       9,  TEXT("\xEF\xBF\xBD\n") },
    { TEXT("\xFF\x80\x7F\""),         JSON_CLOSED,       4,  TEXT("\xFF\x80\x7F") },
    { TEXT(""),                       JSON_UNTERMINATED, 0,  TEXT("") },
    { TEXT("abc"),                    JSON_UNTERMINATED, 3,  TEXT("abc") },
    { TEXT("abc\\"),                  JSON_UNTERMINATED, 4,  TEXT("abc") },
    { TEXT("abc\\\""),                JSON_UNTERMINATED, 5,  TEXT("abc\"") },
    { TEXT("a\\u12"),                 JSON_UNTERMINATED, 5,  TEXT("a") },
    { TEXT("\\ud83d\\ude00"),         JSON_UNTERMINATED, 12, TEXT("\xF0\x9F\x98\x80") },
    { TEXT("\\ud83d\\ude0"),          JSON_UNTERMINATED, 11, TEXT("\xEF\xBF\xBD") },
    { TEXT("\\ud83d\\"),              JSON_UNTERMINATED, 7,  TEXT("\xEF\xBF\xBD") },
    { TEXT("ab\\q\""),                JSON_BAD_ESCAPE,   3,  TEXT("ab") },
    { TEXT("ab\\\n\""),               JSON_BAD_ESCAPE,   3,  TEXT("ab") },
    { TEXT("ab\\U0041\""),            JSON_BAD_ESCAPE,   3,  TEXT("ab") },
    /* 0x62 is `b` without the top bit */
    { TEXT("ab\\\xE2\""),             JSON_BAD_ESCAPE,   3,  TEXT("ab") },
    { TEXT("a\\u12x4\""),             JSON_BAD_ESCAPE,   5,  TEXT("a") },
    { TEXT("a\\u12\""),               JSON_BAD_ESCAPE,   5,  TEXT("a") },
    { TEXT("a\\u12\xB1" "4\""),       JSON_BAD_ESCAPE,   5,  TEXT("a") },
    { TEXT("\\ud83d\\ud83g\""),       JSON_BAD_ESCAPE,   11, TEXT("\xEF\xBF\xBD") },
    { TEXT("ab\ncd\""),               JSON_CONTROL,      2,  TEXT("ab") },
    { TEXT("ab\0cd\""),               JSON_CONTROL,      2,  TEXT("ab") },
    { TEXT("\x1F\""),                 JSON_CONTROL,      0,  TEXT("") },
};

/* Each case alone and behind 1..130 plain bytes or escapes, so that it meets every place in a vector. */
static void test_unescape_cases(void **state)
{
    struct fixture *f = *state;

    for (size_t c = 0; c < sizeof string_cases / sizeof string_cases[0]; c++)
        for (size_t before = 0; before <= 130; before++)
            for (int escaped = 0; escaped < 2; escaped++) {
                const struct malformed *m = &string_cases[c];
                size_t shift = escaped ? 2 * before : before, len, used;

                for (size_t i = 0; i < before; i++)
                    memcpy(f->in + (escaped ? 2 * i : i), escaped ? "\\\\" : "x", escaped ? 2 : 1);
                memcpy(f->in + shift, m->text, m->n);
                assert_int_equal(kernels_scalar.json_unescape(f->out, &len, f->in, shift + m->n, &used), m->end);
                assert_int_equal(used, shift + m->used);
                assert_int_equal(len, before + m->len);
                for (size_t i = 0; i < before; i++)
                    assert_int_equal(f->out[i], escaped ? '\\' : 'x');
                assert_memory_equal(f->out + before, m->decoded, m->len);
                check_text(f, f->in, shift + m->n);
            }
}

/* A backslash before each of the 256 bytes, at every offset mod 64. */
static void test_unescape_every_byte(void **state)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    struct fixture *f = *state;

    for (size_t before = 0; before < 64; before++)
        for (unsigned c = 0; c < 256; c++) {
            const char *letter = c ? strchr(letters, (int)c) : NULL;
            size_t len, used, n = before + 8;

            memset(f->in, 'x', before);
            memcpy(f->in + before, "\\?0041\"]", 8);
            f->in[before + 1] = (char)c;
            if (letter || c == 'u') {
                assert_int_equal(kernels_scalar.json_unescape(f->out, &len, f->in, n, &used), JSON_CLOSED);
                assert_int_equal(used, n - 1);
                assert_int_equal(len, before + (letter ? 5 : 1));
                assert_int_equal(f->out[before], letter ? values[letter - letters] : 'A');
            } else {
                assert_int_equal(kernels_scalar.json_unescape(f->out, &len, f->in, n, &used), JSON_BAD_ESCAPE);
                assert_int_equal(used, before + 1);
                assert_int_equal(len, before);
            }
            check_text(f, f->in, n);
        }
}

static size_t put_utf8(char *dst, uint32_t c)
{
    static const uint32_t limit[] = { 0x80, 0x800, 0x10000, 0x110000 };
    static const uint8_t  lead[]  = { 0, 0xC0, 0xE0, 0xF0 };
    size_t more = 0;

    while (c >= limit[more])
        more++;
    for (size_t i = more; i > 0; i--, c >>= 6)
        dst[i] = (char)(0x80 | (c & 0x3F));
    dst[0] = (char)(lead[more] | c);
    return more + 1;
}

/* One character in one of its written forms; the return value is its length, *plain grows by its UTF-8. */
static size_t put_escaped(char *text, char *plain, size_t *plain_len, uint64_t *random)
{
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    const char *form = random_next(random) & 1 ? "\\u%04x" : "\\u%04X";
    uint32_t c = (uint32_t)random_below(random, 4);
    size_t i = random_below(random, 5);

    c = c == 0 ? 1 + (uint32_t)random_below(random, 0x10FFFF)
      : c == 1 ? 1 + (uint32_t)random_below(random, 0x2FFF)
      : 32 + (uint32_t)random_below(random, 95);
    if ((c & 0xFFFFF800) == 0xD800)
        c = '"';
    if (random_below(random, 10) == 0) {
        plain[(*plain_len)++] = values[i];
        text[0] = '\\';
        text[1] = letters[i];
        return 2;
    }
    *plain_len += put_utf8(plain + *plain_len, c);
    if (c == '"' || c == '\\' || (c == '/' && i == 0)) {
        text[0] = '\\';
        text[1] = (char)c;
        return 2;
    }
    if (c < 0x20 || i == 1) {
        if (c < 0x10000)
            return (size_t)sprintf(text, form, c);
        return (size_t)sprintf(text, form, 0xD800 + ((c - 0x10000) >> 10)) +
            (size_t)sprintf(text + 6, form, 0xDC00 + (c & 0x3FF));
    }
    return put_utf8(text, c);
}

/* Valid strings: decoded as they were made, and as cJSON decodes them. */
static void test_unescape_valid(void **state)
{
    struct fixture *f = *state;
    static char     quoted[40000], plain[40000];

    for (int round = 0; round < 2000; round++) {
        size_t characters = round % 400 == 0 ? 2500 : random_below(&f->random, 120), n = 0, plain_len = 0, len, used;
        cJSON *json;

        quoted[0] = '"';
        for (size_t i = 0; i < characters; i++)
            n += put_escaped(quoted + 1 + n, plain, &plain_len, &f->random);
        quoted[1 + n++] = '"';
        quoted[1 + n] = 0;
        plain[plain_len] = 0;
        assert_int_equal(kernels_scalar.json_unescape(f->out, &len, quoted + 1, n, &used), JSON_CLOSED);
        assert_int_equal(used, n);
        assert_int_equal(len, plain_len);
        assert_memory_equal(f->out, plain, len);
        json = cJSON_Parse(quoted);
        assert_non_null(json);
        assert_string_equal(cJSON_GetStringValue(json), plain);
        cJSON_Delete(json);
        assert_int_equal(kernels_scalar.json_string_end(quoted + 1, n), n - 1);
        check_text(f, quoted + 1, n);
    }
}

static void test_text_random(void **state)
{
    struct fixture *f = *state;

    for (int round = 0; round < 12000; round++) {
        size_t n = random_below(&f->random, 301), quote;

        text_fill(f->in, n, round % TEXT_KINDS, &f->random);
        if (n && round / TEXT_KINDS % 2)
            f->in[0] = '[';
        check_text(f, f->in, n);

        /* a quote closes when an even number of backslashes stands right before it */
        for (quote = 0; quote < n; quote++) {
            size_t run = 0;

            while (run < quote && f->in[quote - 1 - run] == '\\')
                run++;
            if (f->in[quote] == '"' && run % 2 == 0)
                break;
        }
        assert_int_equal(kernels_scalar.json_string_end(f->in, n), quote);
    }
    for (int kind = 0; kind < TEXT_KINDS; kind++)
        for (int round = 0; round < 5; round++) {
            size_t n = 20000 + random_below(&f->random, 20000);

            text_fill(f->in, n, kind, &f->random);
            check_text(f, f->in, n);
        }
}

/* Runs of backslashes of every length ending at every offset mod 64, with each kind of byte after them. */
static void test_backslash_runs(void **state)
{
    struct fixture *f = *state;

    for (size_t run = 0; run <= 140; run += run < 8 ? 1 : 11 + (run & 1))
        for (size_t border = 128; border < 192; border++)
            for (const char *after = "\"nu\x01]"; *after; after++) {
                size_t n = border + 1 + border % 7;

                if (run > border - 1)
                    continue;
                memset(f->in, 'x', n);
                f->in[0] = '[';
                memset(f->in + border - run, '\\', run);
                f->in[border] = *after;
                f->in[n - 1] = '"';
                check_text(f, f->in, n);
            }
}

/* All quotes, all backslashes, one long line without any. */
static void test_text_uniform(void **state)
{
    struct fixture *f = *state;
    static const char bytes[] = "\"\\ax{}[]\x01\x1F\x20\x7F\x80\xFF";

    for (size_t c = 0; c < sizeof bytes; c++)               /* NUL too */
        for (size_t n = 0; n < 300; n++) {
            memset(f->in, bytes[c], n);
            check_text(f, f->in, n);
        }
}

/* ---- containers ---- */

/* Random nested JSON; returns its length. */
static size_t put_container(char *text, int depth, uint64_t *random)
{
    static const char inside[] = "ab[]{},:   ";
    bool   array = random_next(random) & 1;
    size_t n = 0, items = random_below(random, 5);

    text[n++] = array ? '[' : '{';
    for (size_t i = 0; i < items; i++) {
        if (depth > 0 && random_next(random) & 1) {
            n += put_container(text + n, depth - 1, random);
            continue;
        }
        text[n++] = '"';
        for (size_t k = random_below(random, 40); k > 0; k--) {
            if (random_below(random, 6) == 0) {
                text[n++] = '\\';
                text[n++] = random_next(random) & 1 ? '"' : '\\';
            } else {
                text[n++] = inside[random_below(random, sizeof inside - 1)];
            }
        }
        text[n++] = '"';
    }
    text[n++] = array ? ']' : '}';
    return n;
}

static void test_container(void **state)
{
    struct fixture *f = *state;

    for (int round = 0; round < 3000; round++) {
        size_t n = put_container(f->in, round % 6, &f->random), more = random_below(&f->random, 70);

        assert_int_equal(kernels_scalar.json_container_end(f->in, n), n);
        assert_int_equal(kernels_scalar.json_container_end(f->in, n - 1), 0);
        check_ends(f, f->in, n);
        check_ends(f, f->in, n - 1);
        text_fill(f->in + n, more, TEXT_JSON, &f->random);
        assert_int_equal(kernels_scalar.json_container_end(f->in, n + more), n);
        check_ends(f, f->in, n + more);
    }
}

static void test_container_deep(void **state)
{
    struct fixture *f = *state;

    for (size_t depth = 1; depth < 40000; depth += 1 + depth / 3) {
        memset(f->in, '[', depth);
        memset(f->in + depth, '}', depth);
        f->in[2 * depth] = ']';
        assert_int_equal(kernels_scalar.json_container_end(f->in, 2 * depth + 1), 2 * depth);
        assert_int_equal(kernels_scalar.json_container_end(f->in, 2 * depth - 1), 0);
        check_ends(f, f->in, 2 * depth + 1);
        check_ends(f, f->in, 2 * depth - 1);
    }
}

/* ---- intersections ---- */

/* Two ascending arrays of these sizes, steps up to `span`; returns how many values are common.  top 1: the largest
 * value of the type comes after them in a; 2: in both. */
static size_t pair_draw(uint64_t *a, size_t *na, uint64_t *b, size_t *nb, uint64_t span, unsigned top, uint64_t *random)
{
    size_t want_a = *na, want_b = *nb, common = 0;
    size_t in_common = random_below(random, 3), min = want_a < want_b ? want_a : want_b;
    uint64_t value = random_below(random, 2) ? 0 : random_next(random) % span;

    *na = *nb = 0;
    while (want_a + want_b > 0) {
        bool both = min > 0 && want_a > 0 && want_b > 0 && random_below(random, 4) < in_common * 2;
        bool to_a = both || random_below(random, want_a + want_b) < want_a, to_b = both || !to_a;

        if (to_a) { a[(*na)++] = value; want_a--; }
        if (to_b) { b[(*nb)++] = value; want_b--; }
        common += both;
        value += 1 + random_next(random) % span;
    }
    if (top > 0)
        a[(*na)++] = UINT64_MAX;
    if (top > 1)
        b[(*nb)++] = UINT64_MAX;
    return common + (top > 1);
}

static size_t common_brute(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    size_t count = 0;

    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++)
            count += a[i] == b[j];
    return count;
}

static void check_intersect(struct fixture *f, const uint64_t *a, size_t na, const uint64_t *b, size_t nb,
                            size_t common, bool narrow)
{
    assert_int_equal(kernels_scalar.intersect_u64(a, na, b, nb), common);
    assert_int_equal(kernels_scalar.intersect_u64(b, nb, a, na), common);
    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const uint64_t *x = (const uint64_t *)(const void *)guarded_copy(f->in, a, na * sizeof *a, place);
        const uint64_t *y = (const uint64_t *)(const void *)guarded_copy(f->in2, b, nb * sizeof *b, place);

        while ((level = level_next(f, &at))) {
            assert_int_equal(level->intersect_u64(x, na, y, nb), common);
            assert_int_equal(level->intersect_u64(y, nb, x, na), common);
        }
    }
    if (!narrow)
        return;
    /* the same values in 32 bits; the largest stays the largest */
    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        uint32_t *x = (uint32_t *)(void *)guarded_place(f->in, na * sizeof *x, place);
        uint32_t *y = (uint32_t *)(void *)guarded_place(f->in2, nb * sizeof *y, place);

        for (size_t i = 0; i < na; i++)
            x[i] = (uint32_t)a[i];
        for (size_t j = 0; j < nb; j++)
            y[j] = (uint32_t)b[j];
        assert_int_equal(kernels_scalar.intersect_u32(x, na, y, nb), common);
        assert_int_equal(kernels_scalar.intersect_u32(y, nb, x, na), common);
        while ((level = level_next(f, &at))) {
            assert_int_equal(level->intersect_u32(x, na, y, nb), common);
            assert_int_equal(level->intersect_u32(y, nb, x, na), common);
        }
    }
}

static void test_intersect(void **state)
{
    struct fixture *f = *state;
    static uint64_t a[ROOM / 8], b[ROOM / 8];

    for (int round = 0; round < 6000; round++) {
        size_t limit_a = round % 3 ? 70 : 301, limit_b = round % 7 ? 70 : 301;
        size_t na = random_below(&f->random, limit_a), nb = random_below(&f->random, limit_b), common;
        bool   narrow = round % 2;
        unsigned top = (unsigned)round % 5 / 2;

        common = pair_draw(a, &na, b, &nb, (uint64_t)1 << round % (narrow ? 21 : 54), top, &f->random);
        assert_int_equal(common, common_brute(a, na, b, nb));
        check_intersect(f, a, na, b, nb, common, narrow);
    }
}

/* Thousands of values, alike in number and very different. */
static void test_intersect_large(void **state)
{
    struct fixture *f = *state;
    static uint64_t a[ROOM / 8], b[ROOM / 8];

    for (int round = 0; round < 60; round++) {
        size_t na = 1 + random_below(&f->random, round % 3 ? 60 : 8000), nb = 1 + random_below(&f->random, 8000),
            common;

        common = pair_draw(a, &na, b, &nb, (uint64_t)1 << round % 17, (unsigned)round % 3, &f->random);
        check_intersect(f, a, na, b, nb, common, true);
    }
}

/* Equal arrays, disjoint ones side by side, and one value in a long array, for every small size. */
static void test_intersect_shapes(void **state)
{
    struct fixture *f = *state;
    static uint64_t a[2048], b[2048];

    for (size_t n = 0; n < 80; n++) {
        for (size_t i = 0; i < n; i++)
            a[i] = b[i] = 3 * i;
        check_intersect(f, a, n, b, n, n, true);
        for (size_t i = 0; i < n; i++)
            b[i] = 3 * (n + i);
        check_intersect(f, a, n, b, n, 0, true);
    }
    for (size_t i = 0; i < 2048; i++)
        b[i] = 2 * i + 1;
    for (a[0] = 0; a[0] < 4100; a[0]++)
        check_intersect(f, a, 1, b, 2048, a[0] % 2 && a[0] < 4096, true);
}

/* ---- equal values before each ---- */

static void check_repeat(struct fixture *f, const uint64_t *value, size_t n)
{
    uint8_t *expect = (uint8_t *)f->expect;

    for (size_t i = 0; i < n; i++) {
        expect[i] = 0;
        for (size_t distance = REPEAT_REACH; distance > 0; distance--)
            if (distance <= i && value[i] == value[i - distance])
                expect[i] = (uint8_t)distance;
    }
    for (int place = 0; place < PLACES; place++) {
        const uint64_t *x = (const uint64_t *)(const void *)guarded_copy(f->in, value, n * sizeof *value, place);

        for (const struct kernels *const *level = kernels_all; *level; level++) {
            uint8_t *back = (uint8_t *)guarded_place(f->out, n, place);

            if ((*level)->need & ~f->cpu)
                continue;
            memset(back, 0xEE, n);
            (*level)->repeat(back, x, n);
            assert_memory_equal(back, expect, n);
        }
    }
}

/* Every small size, few different values and many; values that differ in one half alone are not equal. */
static void test_repeat(void **state)
{
    struct fixture *f = *state;
    static uint64_t value[2048];

    for (int round = 0; round < 400; round++) {
        size_t n = round < 80 ? (size_t)round : random_below(&f->random, 2048), different = 1 + (size_t)round % 30;

        for (size_t i = 0; i < n; i++)
            value[i] = (uint64_t)random_below(&f->random, different) << (i % 3 ? 32 : 0);
        check_repeat(f, value, n);
    }
}

/* ---- minima of affine maps ---- */

enum { LANES_MAX = 512 };

/* The document in two pieces, the second of them copied to a border: minima of `before` go in, those of both pieces
 * come out. */
static void check_minhash(struct fixture *f, const uint64_t *feature, size_t before, size_t count, size_t lanes)
{
    uint32_t multiplier[LANES_MAX], summand[LANES_MAX], start[LANES_MAX], expect[LANES_MAX];
    size_t   bytes = lanes * sizeof *start;

    for (size_t i = 0; i < lanes; i++) {
        multiplier[i] = (uint32_t)random_next(&f->random);
        summand[i] = (uint32_t)random_next(&f->random);
        start[i] = UINT32_MAX;
        expect[i] = UINT32_MAX;
        for (size_t j = 0; j < before + count; j++) {
            uint32_t value = (uint32_t)(multiplier[i] * (feature[j] & UINT32_MAX) + summand[i]);

            if (j < before && value < start[i])
                start[i] = value;
            if (value < expect[i])
                expect[i] = value;
        }
    }
    for (int place = 0; place < PLACES; place++) {
        const uint64_t *x = (const uint64_t *)(const void *)guarded_copy(f->in, feature + before,
                                                                         count * sizeof *feature, place);
        const uint32_t *a = (const uint32_t *)(const void *)guarded_copy(f->in2, multiplier, bytes, place);
        const uint32_t *b = (const uint32_t *)(const void *)guarded_copy(f->expect, summand, bytes, place);

        for (const struct kernels *const *level = kernels_all; *level; level++) {
            uint32_t *lane;

            if ((*level)->need & ~f->cpu)
                continue;
            lane = (uint32_t *)(void *)guarded_copy(f->out, start, bytes, place);
            (*level)->minhash(lane, a, b, lanes, x, count);
            assert_memory_equal(lane, expect, bytes);
        }
    }
}

/* Every number of lanes, every small number of features, and numbers around those that a kernel may take as a block. */
static void test_minhash(void **state)
{
    struct fixture *f = *state;
    static uint64_t feature[8192];

    for (size_t i = 0; i < 8192; i++)                       /* the high halves must not matter, small low halves must */
        feature[i] = random_next(&f->random) >> (i % 64 < 40 ? 0 : i % 64) ^ (i % 5 ? 0 : (uint64_t)UINT32_MAX << 32);
    for (size_t lanes = 16; lanes <= LANES_MAX; lanes += 16)
        for (size_t count = 0; count < 12; count++)
            check_minhash(f, feature + random_below(&f->random, 8000), random_below(&f->random, 3), count, lanes);
    for (int round = 0; round < 200; round++) {
        size_t power = (size_t)16 << round % 8, count = power - 3 + random_below(&f->random, 7);

        check_minhash(f, feature + random_below(&f->random, 4000), random_below(&f->random, 70), count,
                      16 + 16 * random_below(&f->random, LANES_MAX / 16));
    }
    check_minhash(f, feature, 0, 8000, LANES_MAX);
}

/* ---- the table ---- */

static void test_select(void **state)
{
    static const unsigned none = 0, all = ~0u, no_wide = ~(unsigned)KERNEL_CPU_AVX512;
    (void)state;

    assert_ptr_equal(kernels_select(none, NULL), &kernels_scalar);
    assert_ptr_equal(kernels_select(all, "scalar"), &kernels_scalar);
    assert_ptr_equal(kernels_select(all, ""), kernels_all[0]);
    assert_null(kernels_select(all, "sse9"));
    assert_null(kernels_select(none, "avx2"));
    assert_null(kernels_select(all, "avx"));
    assert_non_null(kernels);
    for (const struct kernels *const *k = kernels_all; *k; k++) {
        assert_ptr_equal(kernels_select(all, (*k)->name), *k);
        assert_ptr_equal(kernels_select((*k)->need, (*k)->name), *k);
        assert_true((*k)->need || *k == &kernels_scalar);
        assert_true(!k[1] == (*k == &kernels_scalar));
    }
    if (kernels_select(all, "avx512")) {
        assert_ptr_equal(kernels_select(no_wide, NULL), kernels_select(all, "avx2"));
        assert_null(kernels_select(no_wide, "avx512"));
    }
}

/* ---- speed ---- */

static double seconds_now(void)                             /* of this process: other programs count less */
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { BENCH_BYTES = 1 << 20, BENCH_PAIRS = 1000 };

struct bench {
    char          *text, *out;                              /* one JSON string of source-like text, closed; room */
    char          *container;                               /* the same between brackets, cut in strings of 2 KB */
    size_t         n, container_n, size_a, size_b;
    uint64_t      *bits, *a64, *b64;                        /* [BENCH_PAIRS, size] ascending rows */
    uint32_t      *a32, *b32;
    struct byteset set_a, set_b;
};

static volatile size_t bench_sink;                          /* keeps the calls alive */

static size_t bench_classify(const struct kernels *k, const struct bench *b)
{
    k->classify(b->bits, b->bits + b->n / 64 + 1, &b->set_a, &b->set_b, b->text, b->n);
    return b->n;
}

static size_t bench_unescape(const struct kernels *k, const struct bench *b)
{
    size_t len, used;

    k->json_unescape(b->out, &len, b->text, b->n, &used);
    bench_sink = len;
    return used;
}

static size_t bench_string_end(const struct kernels *k, const struct bench *b)
{
    return k->json_string_end(b->text, b->n);
}
static size_t bench_string_check(const struct kernels *k, const struct bench *b)
{
    size_t used;

    k->json_string_check(b->text, b->n, &used);
    return used;
}
static size_t bench_container(const struct kernels *k, const struct bench *b)
{
    return k->json_container_end(b->container, b->container_n);
}

static size_t bench_u32(const struct kernels *k, const struct bench *b)
{
    size_t common = 0;

    for (size_t i = 0; i < BENCH_PAIRS; i++)
        common += k->intersect_u32(b->a32 + i * b->size_a, b->size_a, b->b32 + i * b->size_b, b->size_b);
    bench_sink = common;
    return BENCH_PAIRS;
}

static size_t bench_u64(const struct kernels *k, const struct bench *b)
{
    size_t common = 0;

    for (size_t i = 0; i < BENCH_PAIRS; i++)
        common += k->intersect_u64(b->a64 + i * b->size_a, b->size_a, b->b64 + i * b->size_b, b->size_b);
    bench_sink = common;
    return BENCH_PAIRS;
}

/* Documents of size_a features, size_b lanes; any numbers will do for multipliers and summands. */
static size_t bench_minhash(const struct kernels *k, const struct bench *b)
{
    static uint32_t lane[LANES_MAX];

    for (size_t i = 0; i < BENCH_PAIRS; i++)
        k->minhash(lane, b->a32, b->b32, b->size_b, b->a64 + i * b->size_a, b->size_a);
    bench_sink = lane[0];
    return BENCH_PAIRS * b->size_a;
}

static size_t bench_repeat(const struct kernels *k, const struct bench *b)
{
    static uint8_t back[16000 / sizeof(uint64_t)];

    for (size_t i = 0; i < BENCH_PAIRS; i++)
        k->repeat(back, b->a64 + i * b->size_a, b->size_a);
    bench_sink = back[0];
    return BENCH_PAIRS * b->size_a;
}

/* The best of many short runs, in calls' items a second: other programs disturb some of them, not all. */
static double bench_rate(size_t (*call)(const struct kernels *, const struct bench *), const struct kernels *k,
                         const struct bench *b)
{
    double best = 0;

    for (int run = 0; run < 25; run++) {
        double start = seconds_now(), elapsed, rate;
        size_t items = 0;

        do {
            items += call(k, b);
            elapsed = seconds_now() - start;
        } while (elapsed < 0.006);
        rate = (double)items / elapsed;
        best = rate > best ? rate : best;
    }
    return best;
}

static void bench_levels(const char *name, const char *unit, double scale,
                         size_t (*call)(const struct kernels *, const struct bench *),
                         const struct bench *b)
{
    printf("bench %-28s", name);
    for (const struct kernels *const *k = kernels_all; *k; k++)
        if (!((*k)->need & ~kernels_cpu()))
            printf("  %s %8.2f", (*k)->name, bench_rate(call, *k, b) * scale);
    printf("  %s\n", unit);
}

static void bench_sets(struct bench *b, size_t size_a, size_t size_b, uint64_t *random)
{
    char name[64];

    b->size_a = size_a;
    b->size_b = size_b;
    for (size_t i = 0; i < BENCH_PAIRS; i++) {
        size_t na = size_a, nb = size_b;

        pair_draw(b->a64 + i * size_a, &na, b->b64 + i * size_b, &nb, 50, 0, random);
    }
    for (size_t i = 0; i < BENCH_PAIRS * size_a; i++)
        b->a32[i] = (uint32_t)b->a64[i];
    for (size_t i = 0; i < BENCH_PAIRS * size_b; i++)
        b->b32[i] = (uint32_t)b->b64[i];
    snprintf(name, sizeof name, "intersect_u32 %zu with %zu", size_a, size_b);
    bench_levels(name, "M pairs/s", 1e-6, bench_u32, b);
    snprintf(name, sizeof name, "intersect_u64 %zu with %zu", size_a, size_b);
    bench_levels(name, "M pairs/s", 1e-6, bench_u64, b);
}

/* Words, indentation and punctuation as in code: an escape about every 25 bytes, most of them \n and \". */
static size_t bench_fill(char *text, size_t n, uint64_t *random)
{
    static const char *const piece[] = {
        "return ", "self.", "(", ")", " = ", "value", "index", ", ", "for ", " in ", "range", "items", "    ", "    ",
            "import ",
        "0", "42", "name", "result", "[", "]", ".append", "if ", "not ", ": ", "count", " + ", "# the ", "None",
    };
    static const char *const escape[] = { "\\n", "\\n", "\\n", "\\n", "\\\"", "\\\"", "\\t", "\\\\", "\\u00e9" };
    size_t at = 0;

    while (at < n - 16) {
        const char *next = random_below(random, 6) ? piece[random_below(random, sizeof piece / sizeof piece[0])]
                                                   : escape[random_below(random, random_below(random, 8) ? 7 : 9)];

        at += (size_t)sprintf(text + at, "%s", next);
    }
    return at;
}

static void bench_run(struct fixture *f)
{
    static const size_t sizes[][2] = {
        { 5, 5 }, { 8, 30 }, { 20, 20 }, { 30, 40 }, { 60, 60 }, { 1000, 1000 }, { 20, 400 }, { 20, 1000 },
        { 20, 2000 }, { 5, 2000 },
    };
    static const size_t signatures[][2] = { { 30, 128 }, { 30, 224 }, { 200, 128 }, { 200, 224 }, { 1000, 256 } };
    struct bench b = {
        .text = malloc(BENCH_BYTES + 64), .out = malloc(BENCH_BYTES + 64), .container = malloc(BENCH_BYTES + 4096),
            .bits = malloc(BENCH_BYTES),
        .a64 = malloc(BENCH_PAIRS * 16000), .b64 = malloc(BENCH_PAIRS * 16000), .a32 = malloc(BENCH_PAIRS * 8000),
            .b32 = malloc(BENCH_PAIRS * 8000),
    };

    assert_true(b.text && b.out && b.container && b.bits && b.a64 && b.b64 && b.a32 && b.b32);
    b.set_a.high = 0xFF;
    for (int c = 'A'; c <= 'Z'; c++) {
        byteset_add(&b.set_a, (unsigned char)c);
        byteset_add(&b.set_a, (unsigned char)(c | 32));
    }
    byteset_add(&b.set_b, '"');
    byteset_add(&b.set_b, '#');
    b.n = bench_fill(b.text, BENCH_BYTES, &f->random);
    b.text[b.n++] = '"';
    b.container[b.container_n++] = '[';
    while (b.container_n < BENCH_BYTES - 4096) {
        b.container[b.container_n++] = '"';
        b.container_n += bench_fill(b.container + b.container_n, 2048, &f->random);
        memcpy(b.container + b.container_n, "\",[2],", 6);
        b.container_n += 6;
    }
    memcpy(b.container + b.container_n, "1]", 2);
    b.container_n += 2;

    bench_levels("classify, two sets", "GB/s", 1e-9, bench_classify, &b);
    bench_levels("json_unescape", "GB/s", 1e-9, bench_unescape, &b);
    bench_levels("json_string_check", "GB/s", 1e-9, bench_string_check, &b);
    bench_levels("json_string_end", "GB/s", 1e-9, bench_string_end, &b);
    bench_levels("json_container_end", "GB/s", 1e-9, bench_container, &b);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        bench_sets(&b, sizes[i][0], sizes[i][1], &f->random);
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        char name[64];

        b.size_a = signatures[i][0];
        b.size_b = signatures[i][1];
        snprintf(name, sizeof name, "minhash %zu, %zu lanes", b.size_a, b.size_b);
        bench_levels(name, "M features/s", 1e-6, bench_minhash, &b);
    }
    bench_levels("repeat 1000", "M values/s", 1e-6, bench_repeat, &b);
    free(b.text);
    free(b.out);
    free(b.container);
    free(b.bits);
    free(b.a64);
    free(b.b64);
    free(b.a32);
    free(b.b32);
}

static int group_open(void **state)
{
    static struct fixture f;
    const char *seed = getenv("SEED");

    f.seed = f.random = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    f.cpu = kernels_cpu();
    printf("seed=%llu\n", (unsigned long long)f.seed);
    for (const struct kernels *const *k = kernels_all; *k; k++)
        if ((*k)->need & ~f.cpu)
            printf("skipped: %s (this machine cannot run it)\n", (*k)->name);
    f.in     = guarded_open();
    f.in2    = guarded_open();
    f.out    = guarded_open();
    f.expect = guarded_open();
    *state = &f;
    return 0;
}

static int group_close(void **state)
{
    if (getenv("BENCH"))
        bench_run(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_classify),
        cmocka_unit_test(test_classify_single),
        cmocka_unit_test(test_unescape_cases),
        cmocka_unit_test(test_unescape_every_byte),
        cmocka_unit_test(test_unescape_valid),
        cmocka_unit_test(test_text_random),
        cmocka_unit_test(test_backslash_runs),
        cmocka_unit_test(test_text_uniform),
        cmocka_unit_test(test_container),
        cmocka_unit_test(test_container_deep),
        cmocka_unit_test(test_list_check),
        cmocka_unit_test(test_intersect),
        cmocka_unit_test(test_intersect_large),
        cmocka_unit_test(test_intersect_shapes),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_minhash),
    };

    return cmocka_run_group_tests(tests, group_open, group_close);
}
