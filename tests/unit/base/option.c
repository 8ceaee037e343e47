/* base/option: rows: values read, refused, printed and explained.  base/yaml reads the settings files. */
#include "base/option.h"
#include "base/ratio.h"
#include "tests/unit/draw.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void parse(struct node *out, const char *text)
{
    struct err err = { 0 };

    if (node_parse(out, "t.yaml", text, strlen(text), &err) < 0) fail_msg("%s", err.text);
}

static void assign(struct node *root, const char *assignment)
{
    struct err err = { 0 };

    if (node_set(root, assignment, &err) < 0) fail_msg("%s", err.text);
}

/* ---- rows ---- */

struct settings {
    bool         on;
    uint32_t     count;
    uint64_t     large, bytes;
    struct ratio share, maybe;
    double       percent;
    int          choice;
    char        *text;
};

static const struct option rows[] = {
    { "on", OPTION_BOOL, offsetof(struct settings, on), "no", 0, 0, NULL, "a switch" },
    { "count", OPTION_U32, offsetof(struct settings, count), "5", 2, 9, NULL, "a number" },
    { "large", OPTION_U64, offsetof(struct settings, large), "18446744073709551615", 0, 0, NULL, "a large one" },
    { "bytes", OPTION_SIZE, offsetof(struct settings, bytes), "1.5 KiB", 0, 0, NULL, "a size" },
    { "share", OPTION_RATIO, offsetof(struct settings, share), "0.8", 0, 0, NULL, "a fraction" },
    { "maybe_share", OPTION_RATIO, offsetof(struct settings, maybe), "off", 0, 0, NULL, "a fraction or not" },
    { "percent", OPTION_PERCENT, offsetof(struct settings, percent), "off", 0, 0, NULL, "a gate" },
    { "choice", OPTION_CHOICE, offsetof(struct settings, choice), "two", 0, 0, "one|two|three", "a word" },
    { "text", OPTION_TEXT, offsetof(struct settings, text), "some text", 0, 0, NULL, "a text" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static int apply(struct settings *settings, const char *text, struct err *err)
{
    static const char *const others[] = { "elsewhere", NULL };
    struct node root;
    int         rc;

    *settings = (struct settings){ 0 };
    parse(&root, text);
    rc = option_defaults(rows, settings, err);
    if (rc == 0) rc = option_apply(rows, settings, &root, others, "t.yaml", "part", err);
    node_free(&root);
    return rc;
}

static void test_values(void **state)
{
    struct settings settings;
    struct err      err = { 0 };

    (void)state;
    assert_int_equal(apply(&settings, "", &err), 0);
    assert_false(settings.on);
    assert_int_equal(settings.count, 5);
    assert_true(settings.large == UINT64_MAX);
    assert_int_equal(settings.bytes, 1536);
    assert_true(settings.share.num == 4 && settings.share.den == 5);
    assert_int_equal(settings.maybe.den, 0);
    assert_true(settings.percent == -1);
    assert_int_equal(settings.choice, 1);
    assert_string_equal(settings.text, "some text");
    option_free(rows, &settings);
    assert_null(settings.text);

    assert_int_equal(apply(&settings, "on: Yes\ncount: 9\nlarge: 0\nbytes: 2TB\nshare: 1\nmaybe_share: .25\npercent: "
                                      "0.1\nchoice: three\ntext: 'off'\n"
                                      "elsewhere: [1]\n", &err), 0);
    assert_true(settings.on);
    assert_int_equal(settings.count, 9);
    assert_int_equal(settings.large, 0);
    assert_int_equal(settings.bytes, 2000000000000);
    assert_true(settings.share.num == 1 && settings.share.den == 1);
    assert_true(settings.maybe.num == 1 && settings.maybe.den == 4);
    assert_true(settings.percent > 0.0999 && settings.percent < 0.1001);
    assert_int_equal(settings.choice, 2);
    assert_string_equal(settings.text, "off");
    option_free(rows, &settings);
    /* how other tools write off */
    assert_int_equal(apply(&settings, "maybe_share: false\npercent: 5%\n", &err), 0);
    assert_int_equal(settings.maybe.den, 0);
    assert_true(settings.percent == 5);
    option_free(rows, &settings);
    /* a ratio may be written as a percentage, with or without a blank */
    assert_int_equal(apply(&settings, "share: 80 %\nmaybe_share: 12.5%\npercent: 80 %\n", &err), 0);
    assert_true(settings.share.num == 4 && settings.share.den == 5);
    assert_true(settings.maybe.num == 1 && settings.maybe.den == 8);
    assert_true(settings.percent == 80);
    option_free(rows, &settings);
}

static void test_values_refused(void **state)
{
    static const struct { const char *text, *says; } bad[] = {
        { "on: 1\n", "t.yaml:1: on: `1` is neither true nor false" },
        { "on: 'yes'\n", "t.yaml:1: on: a text in quotes" },
        { "\ncount: 10\n", "t.yaml:2: count: `10` is not a number from 2 to 9" },
        { "count: 1\n", "from 2 to 9" },
        { "count: -3\n", "from 2 to 9" },
        { "count: 0x5\n", "from 2 to 9" },
        { "count: '5'\n", "quotes" },
        { "count:\n", "t.yaml:1: count has no value" },
        { "count: [5]\n", "t.yaml:1: count is one value, not a list" },
        { "count: {a: 5}\n", "count is one value, not a map" },
        { "large: 18446744073709551616\n", "large: `18446744073709551616` is not a number" },
        { "bytes: 5 Mb/s\n", "is not a size" },
        { "bytes: 0.3\n", "is not a size" },                /* no whole bytes */
        { "bytes: 18446744073709551615KB\n", "is not a size" },
        { "bytes: 1.\n", "is not a size" },
        { "bytes: .5KB\n", "is not a size" },
        { "share: off\n", "share: cannot be switched off" },
        { "share: 80\n", "share: `80` is not a fraction" },
        { "percent: 101\n", "percent: `101` is neither" },
        { "percent: 1e1\n", "neither" },
        { "percent: 0x10\n", "neither" },
        { "percent: nan\n", "neither" },
        { "choice: four\n", "choice: `four` is not one of: one, two, three" },
        { "choice: one|two\n", "is not one of" },
        { "choice: ''\n", "is not one of" },
        { "cuont: 5\n", "t.yaml:1: unknown key `cuont` in part; did you mean `count`?" },
        { "shar: 5\n", "did you mean `share`?" },
        { "elsewere: 5\n", "did you mean `elsewhere`?" },
        { "nothing_like_it: 5\n", "unknown key `nothing_like_it` in part" },
        { "[1, 2]\n", "t.yaml:1: part must hold keys and values" },
        { "just text\n", "part must hold keys and values" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct settings settings;
        struct err      err = { 0 };

        assert_int_equal(apply(&settings, bad[i].text, &err), -EINVAL);
        if (!strstr(err.text, bad[i].says)) fail_msg("case %zu says: %s", i, err.text);
        option_free(rows, &settings);
    }
}

static void test_required(void **state)
{
    static const struct option required[] = {
        { "name", OPTION_TEXT, 0, NULL, 0, 0, NULL, "a name" },
        { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
    };
    char       *name = NULL;
    struct node root;
    struct err  err = { 0 };

    (void)state;
    parse(&root, "\n\n{}\n");
    assert_int_equal(option_defaults(required, &name, &err), 0);
    assert_int_equal(option_apply(required, &name, &root, NULL, "t.yaml", "part", &err), -EINVAL);
    assert_string_equal(err.text, "t.yaml:3: part: `name` is missing");
    node_free(&root);
}

/* An error in an assignment names the assignment's place: there is no line. */
static void test_set_place(void **state)
{
    struct settings settings = { 0 };
    struct node     root;
    struct err      err = { 0 };

    (void)state;
    parse(&root, "");
    assign(&root, "count=12");
    assert_int_equal(option_defaults(rows, &settings, &err), 0);
    assert_int_equal(option_apply(rows, &settings, &root, NULL, "t.yaml", "", &err), -EINVAL);
    assert_string_equal(err.text, "--set count: `12` is not a number from 2 to 9");
    option_free(rows, &settings);
    node_free(&root);
}

/* ---- printing ---- */

static void test_print(void **state)
{
    struct settings settings, again;
    struct bytes    out = { 0 }, second = { 0 };
    struct err      err = { 0 };

    (void)state;
    assert_int_equal(apply(&settings, "bytes: 64MiB\npercent: 12.5\nshare: 0.123456789\ntext: \"no\"\n", &err), 0);
    assert_int_equal(option_print(rows, &settings, "  ", &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, "  on: false\n  count: 5\n  large: 18446744073709551615\n  bytes: 64MiB\n  share: "
                                "0.123456789\n  maybe_share: off\n"
                                "  percent: 12.5\n  choice: two\n  text: \"no\"\n");
    assert_int_equal(apply(&again, out.at, &err), 0);
    assert_int_equal(option_print(rows, &again, "  ", &second), 0);
    assert_int_equal(second.len, out.len - 1);
    assert_memory_equal(second.at, out.at, second.len);
    option_free(rows, &settings);
    option_free(rows, &again);
    out.len = 0;
    assert_int_equal(option_help(rows, " ", &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_non_null(strstr(out.at, " choice       two                   a word (one, two, three)\n"));
    bytes_free(&out);
    bytes_free(&second);
}

/* Random text survives being printed and read: plain or quoted, in a map and in a list. */
static void test_print_text(void **state)
{
    static const char *const piece[] = { "a", "7", "-", "*", "/", " ", "\"", "\\", "'", ":", "#", "\n", "\t", "\x01",
                                         "\x7F", "\xC2\x85", "\xC2\xA0", "\xC3\xA9",
                                         "\xE2\x80\xA8", "\xEF\xBB\xBF", "\xEF\xBF\xBE", "\xF0\x9F\x98\x80", "[", "]",
                                             "{", "}", ",", "&", "!", "|", ">", "%", "@", "`", "~" };
    static const char *const word[] = { "", "null", "~", "true", "No", "y", "1", "0.5", "1e3", "-", "---", "a: b",
                                        "a #b", " a", "a ", "x.y/z-*" };
    uint64_t     random = seed_of_run();
    struct bytes text = { 0 }, out = { 0 };

    (void)state;
    for (size_t i = 0; i < 3000; i++) {
        struct node        root;
        const struct node *value;

        text.len = out.len = 0;
        assert_int_equal(bytes_reserve(&text, 1), 0);
        if (i < sizeof word / sizeof *word) assert_int_equal(bytes_append(&text, word[i], strlen(word[i])), 0);
        for (size_t n = i < sizeof word / sizeof *word ? 0 : draw(&random) % 12; n; n--) {
            const char *next = piece[draw(&random) % (sizeof piece / sizeof *piece)];

            assert_int_equal(bytes_append(&text, next, strlen(next)), 0);
        }
        assert_int_equal(bytes_append(&text, "", 1), 0);
        assert_int_equal(bytes_append(&out, "k: [", 4), 0);
        assert_int_equal(option_print_text(text.at, &out), 0);
        assert_int_equal(bytes_append(&out, "]\n", 3), 0);
        parse(&root, out.at);
        value = node_find(&root, "k");
        assert_int_equal(value->count, 1);
        assert_int_equal(value->child[0].kind, NODE_SCALAR);
        assert_false(node_is_null(&value->child[0]));
        assert_string_equal(value->child[0].text, text.at);
        node_free(&root);
    }
    bytes_free(&text);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_values_refused), cmocka_unit_test(test_required),
        cmocka_unit_test(test_set_place), cmocka_unit_test(test_print),          cmocka_unit_test(test_print_text),
    };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
