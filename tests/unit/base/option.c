/* base/option and base/yaml: settings files, assignments, rows. */
#include "base/option.h"
#include "base/ratio.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t seed_of_run(void)
{
    const char *text = getenv("SEED");

    return text ? strtoull(text, NULL, 10) : 20;
}

static uint64_t draw(uint64_t *state)                       /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* ---- reading YAML ---- */

static void parse(struct node *out, const char *text)
{
    struct err err = { 0 };

    if (node_parse(out, "t.yaml", text, strlen(text), &err) < 0) fail_msg("%s", err.text);
}

static void test_tree(void **state)
{
    struct node        root;
    const struct node *list, *item;

    (void)state;
    parse(&root, "# comment\noutput: out\n\nlist:\n  - name: a\n    quoted: '5'\n  - [x, \"y\", ~]\nlast: {}\n");
    assert_int_equal(root.kind, NODE_MAP);
    assert_int_equal(root.count, 3);
    assert_string_equal(node_find(&root, "output")->text, "out");
    assert_int_equal(node_find(&root, "output")->line, 2);
    list = node_find(&root, "list");
    assert_int_equal(list->kind, NODE_LIST);
    assert_int_equal(list->line, 4);
    assert_int_equal(list->count, 2);
    item = node_find(&list->child[0], "quoted");
    assert_true(item->quoted);
    assert_int_equal(item->line, 6);
    assert_false(node_find(&list->child[0], "name")->quoted);
    assert_string_equal(list->child[1].child[1].text, "y");
    assert_true(node_is_null(&list->child[1].child[2]));
    assert_int_equal(node_find(&root, "last")->kind, NODE_MAP);
    assert_int_equal(node_find(&root, "last")->count, 0);
    assert_null(node_find(&root, "absent"));
    assert_null(node_find(list, "name"));
    node_free(&root);
}

static void test_empty(void **state)
{
    static const char *const text[] = { "", "\n\n", "# only this\n", "---\n", "~" };

    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        struct node root;

        parse(&root, text[i]);
        assert_true(node_is_null(&root));
        node_free(&root);
    }
}

static void test_refused(void **state)
{
    static const struct { const char *text, *says; } bad[] = {
        { "a: 1\nb: 2\na: 3\n", "t.yaml:3: `a` is given twice, first in line 1" },
        { "a: &x 1\n", "t.yaml:1: `x`: YAML anchors" },
        { "a: *.java\n", "t.yaml:1: " },
        { "a: *x\n", "t.yaml:1: `*x` is an alias in YAML: put a text that starts with * in quotes" },
        { "a: !!str 5\n", "YAML tags" },
        { "a: [1, 2\nb: 3\n", "t.yaml:2: not valid YAML: " },
        { "a: 1\n b: 2\n", "t.yaml:2: not valid YAML: " },
        { "a:\n\t- b\n", "t.yaml:2: not valid YAML: " },
        { "a: 1\n---\nb: 2\n", "t.yaml:2: a second document" },
        { "? [a]\n: b\n", "t.yaml:1: a list or map cannot be a key" },
        { "\"\": b\n", "t.yaml:1: an empty key" },
        { "a: \"b\\0c\"\n", "t.yaml:1: a NUL character" },
        { "a: \xFF\n", "byte 3: not UTF-8 text" },
        { "a: \x01\n", "not UTF-8 text: control characters" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct node root;
        struct err  err = { 0 };

        assert_int_equal(node_parse(&root, "t.yaml", bad[i].text, strlen(bad[i].text), &err), -EINVAL);
        if (!strstr(err.text, bad[i].says)) fail_msg("case %zu says: %s", i, err.text);
        assert_null(root.child);
        assert_null(root.text);
    }
}

/* What bounds a hostile file. */
static void test_bounds(void **state)
{
    struct bytes text = { 0 };
    struct node  root;
    struct err   err = { 0 };

    (void)state;
    for (int i = 0; i < 100000; i++) assert_int_equal(bytes_append(&text, "[", 1), 0);
    assert_int_equal(node_parse(&root, "t.yaml", text.at, text.len, &err), -EINVAL);
    assert_non_null(strstr(err.text, "t.yaml:1: nested deeper than 32"));
    text.len = 0;
    for (int i = 0; i < 32; i++) assert_int_equal(bytes_append(&text, "[", 1), 0);
    for (int i = 0; i < 32; i++) assert_int_equal(bytes_append(&text, "]", 1), 0);
    assert_int_equal(node_parse(&root, "t.yaml", text.at, text.len, &err), 0);
    node_free(&root);
    text.len = 0;
    for (int i = 0; i < 1025; i++) assert_int_equal(bytes_printf(&text, "k%d: 1\n", i), 0);
    assert_int_equal(node_parse(&root, "t.yaml", text.at, text.len, &err), -EINVAL);
    assert_non_null(strstr(err.text, "t.yaml:1025: more than 1024 keys"));
    assert_int_equal(bytes_reserve(&text, (16 << 20) + 1), 0);
    memset(text.at, ' ', (16 << 20) + 1);
    assert_int_equal(node_parse(&root, "t.yaml", text.at, (16 << 20) + 1, &err), -EINVAL);
    bytes_free(&text);
}

static void test_file(void **state)
{
    char        path[] = "/tmp/test_option.XXXXXX";
    int         fd = mkstemp(path);
    struct node root;
    struct err  err = { 0 };

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a: b\nc: [\n", 10), 10);
    assert_int_equal(node_read(&root, path, &err), -EINVAL);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    assert_int_equal(ftruncate(fd, 5), 0);
    assert_int_equal(node_read(&root, path, &err), 0);
    assert_string_equal(node_find(&root, "a")->text, "b");
    node_free(&root);
    close(fd);
    unlink(path);
    assert_int_equal(node_read(&root, path, &err), -EIO);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(node_read(&root, "/tmp", &err), -EIO);
}

/* ---- assignments ---- */

static const char *const assigned_text =
    "near: {view: lines}\ndatasets:\n  - name: a.b\n    splits: {v1.0: x, v1: y}\n  - name: a\n  - other: 1\nnone:\n";

static void assign(struct node *root, const char *assignment)
{
    struct err err = { 0 };

    if (node_set(root, assignment, &err) < 0) fail_msg("%s", err.text);
}

static void test_set(void **state)
{
    struct node        root;
    const struct node *list;

    (void)state;
    parse(&root, assigned_text);
    list = node_find(&root, "datasets");
    assign(&root, "near.view=shingles:5");
    assert_string_equal(node_find(node_find(&root, "near"), "view")->text, "shingles:5");
    assert_int_equal(node_find(node_find(&root, "near"), "view")->line, 0);
    assign(&root, "none.deep.er=x=y");                      /* null becomes a map; the value keeps its = */
    assert_string_equal(node_find(node_find(node_find(&root, "none"), "deep"), "er")->text, "x=y");
    assign(&root, "datasets.0.language=java");
    assert_string_equal(node_find(&list->child[0], "language")->text, "java");
    assign(&root, "datasets.a.b.language=python");          /* the longest name that fits */
    assert_string_equal(node_find(&list->child[0], "language")->text, "python");
    assign(&root, "datasets.a.language=c");
    assert_string_equal(node_find(&list->child[1], "language")->text, "c");
    assign(&root, "datasets.2.name=late");
    assign(&root, "datasets.late.other=2");
    assert_string_equal(node_find(&list->child[2], "other")->text, "2");
    assign(&root, "datasets.a.b.splits.v1.0=z");
    assert_string_equal(node_find(node_find(&list->child[0], "splits"), "v1.0")->text, "z");
    assert_string_equal(node_find(node_find(&list->child[0], "splits"), "v1")->text, "y");
    assign(&root, "datasets.a.files=[a, 'b c']");
    assert_int_equal(node_find(&list->child[1], "files")->count, 2);
    assert_string_equal(node_find(&list->child[1], "files")->child[1].text, "b c");
    assert_int_equal(node_find(&list->child[1], "files")->line, 0);
    assign(&root, "datasets.a.files=*.java");               /* no alias here */
    assert_string_equal(node_find(&list->child[1], "files")->text, "*.java");
    assign(&root, "near={}");
    assert_int_equal(node_find(&root, "near")->count, 0);
    node_free(&root);
    parse(&root, "");
    assign(&root, "a.b=c");
    assert_string_equal(node_find(node_find(&root, "a"), "b")->text, "c");
    node_free(&root);
}

static void test_set_refused(void **state)
{
    static const struct { const char *assignment, *says; } bad[] = {
        { "near", "--set near: must be key=value" },
        { "=5", "must be key=value" },
        { "near.view.deeper=1", "--set near.view.deeper=1: `near.view` holds a value, not keys" },
        { "datasets.9.name=x", "`datasets` has no item `9` (3 items: an index from 0, or a name)" },
        { "datasets.nobody.name=x", "`datasets` has no item `nobody`" },
        { "datasets.99999999999999999999.name=x", "no item" },
        { "near.=1", "an empty key" },
        { ".near=1", "an empty key" },
        { "near..view=1", "an empty key" },
        { "near={a: 1", NULL },                             /* no closing bracket: text, as it stands */
        { "near=[a, &b c]", "--set near=[a, &b c]: value:1: " },
        { "near=\xFF", "not UTF-8" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct node root;
        struct err  err = { 0 };

        parse(&root, assigned_text);
        assert_int_equal(node_set(&root, bad[i].assignment, &err), bad[i].says ? -EINVAL : 0);
        if (bad[i].says && !strstr(err.text, bad[i].says)) fail_msg("case %zu says: %s", i, err.text);
        node_free(&root);
    }
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

static void test_nearest(void **state)
{
    static const char *const known[] = { "view", "set_threshold", "multiset_threshold", "min_tokens",
                                         "across_languages", NULL };
    static const struct { const char *word, *nearest; } list[] = {
        { "treshold", "set_threshold" }, { "threshold", "set_threshold" },
        { "multi_set_threshold", "multiset_threshold" }, { "mintokens", "min_tokens" },
        { "veiw", "view" }, { "View", "view" }, { "vi", NULL }, { "x", NULL }, { "", NULL }, { "tokens", "min_tokens" },
        { "completely_else", NULL },
        { "across-language", "across_languages" },
    };
    char huge[5000];

    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const char *nearest = option_nearest(list[i].word, known);

        if (list[i].nearest) assert_string_equal(nearest ? nearest : "none", list[i].nearest);
        else assert_null(nearest);
    }
    memset(huge, 'v', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_null(option_nearest(huge, known));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),           cmocka_unit_test(test_empty),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bounds),         cmocka_unit_test(test_file),     cmocka_unit_test(test_set),
        cmocka_unit_test(test_set_refused),    cmocka_unit_test(test_values),   cmocka_unit_test(test_values_refused),
        cmocka_unit_test(test_required),       cmocka_unit_test(test_set_place), cmocka_unit_test(test_print),
        cmocka_unit_test(test_print_text),     cmocka_unit_test(test_nearest),
    };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
