/* tests/unit/kernels/json.c -- strings of JSON and where they and containers end; lists are in json_list.c.
 *
 * What a text decodes to and where it ends was known before the text was made, and valid strings are also decoded by
 * cJSON. */
#include "tests/unit/kernels/levels.h"

#include <cjson/cJSON.h>

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

static void check_text(struct fixture *f, const char *text, size_t n)
{
    check_unescape(f, text, n);
    check_ends(f, text, n);
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
    const char *form = draw(random) & 1 ? "\\u%04x" : "\\u%04X";
    uint32_t c = (uint32_t)draw_below(random, 4);
    size_t i = draw_below(random, 5);

    c = c == 0 ? 1 + (uint32_t)draw_below(random, 0x10FFFF)
      : c == 1 ? 1 + (uint32_t)draw_below(random, 0x2FFF)
      : 32 + (uint32_t)draw_below(random, 95);
    if ((c & 0xFFFFF800) == 0xD800)
        c = '"';
    if (draw_below(random, 10) == 0) {
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
        size_t characters = round % 400 == 0 ? 2500 : draw_below(&f->random, 120), n = 0, plain_len = 0, len, used;
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
        size_t n = draw_below(&f->random, 301), quote;

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
            size_t n = 20000 + draw_below(&f->random, 20000);

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
    bool   array = draw(random) & 1;
    size_t n = 0, items = draw_below(random, 5);

    text[n++] = array ? '[' : '{';
    for (size_t i = 0; i < items; i++) {
        if (depth > 0 && draw(random) & 1) {
            n += put_container(text + n, depth - 1, random);
            continue;
        }
        text[n++] = '"';
        for (size_t k = draw_below(random, 40); k > 0; k--) {
            if (draw_below(random, 6) == 0) {
                text[n++] = '\\';
                text[n++] = draw(random) & 1 ? '"' : '\\';
            } else {
                text[n++] = inside[draw_below(random, sizeof inside - 1)];
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
        size_t n = put_container(f->in, round % 6, &f->random), more = draw_below(&f->random, 70);

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unescape_cases),
        cmocka_unit_test(test_unescape_every_byte),
        cmocka_unit_test(test_unescape_valid),
        cmocka_unit_test(test_text_random),
        cmocka_unit_test(test_backslash_runs),
        cmocka_unit_test(test_text_uniform),
        cmocka_unit_test(test_container),
        cmocka_unit_test(test_container_deep),
    };

    return cmocka_run_group_tests(tests, group_open, group_close);
}
