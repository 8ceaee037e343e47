/* base/yaml: settings files into a tree that knows its lines, and assignments to places of it. */
#include "base/option.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

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

/* As editors on Windows begin a file. */
static void test_mark(void **state)
{
    struct node root;

    (void)state;
    parse(&root, "\xEF\xBB\xBF# comment\r\noutput: out\r\n");
    assert_string_equal(node_find(&root, "output")->text, "out");
    assert_int_equal(node_find(&root, "output")->line, 2);
    node_free(&root);
}

static void test_empty(void **state)
{
    static const char *const text[] = { "", "\n\n", "# only this\n", "---\n", "~", "\xEF\xBB\xBF",
                                        "\xEF\xBB\xBF---\n" };

    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        struct node root;

        parse(&root, text[i]);
        assert_true(node_is_null(&root));
        node_free(&root);
    }
}

static void test_null(void **state)
{
    static const struct { const char *text; bool null; } value[] = {
        { "a:", true },        { "a: ~", true },     { "a: null", true },  { "a: NULL", true },  { "a: Null", true },
        { "a: 'null'", false }, { "a: ''", false },  { "a: \"~\"", false }, { "a: nul", false }, { "a: nulls", false },
        { "a: []", false },    { "a: {}", false },   { "a: 0", false },    { "a: |\n", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        struct node root;

        parse(&root, value[i].text);
        if (node_is_null(node_find(&root, "a")) != value[i].null) fail_msg("%s", value[i].text);
        node_free(&root);
        assert_null(root.child);
        assert_int_equal(root.count, 0);
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
        { "a:\n\t- b\n", "t.yaml:2: a tab where YAML wants blanks" },
        { "a: 1\n\tb: 2\n", "t.yaml:2: a tab where YAML wants blanks" },
        { "a:\n  - b: 1\n  \tc: 2\n", "t.yaml:3: a tab where YAML wants blanks" },
        { "a:\t- b\n", "t.yaml:1: a tab where YAML wants blanks" },
        { "a: \"x\ty\" b\n", "t.yaml:1: not valid YAML" },  /* the tab is not what is wrong */
        { "a:\n  b:\n\t\tc: 2\n", "t.yaml:3: a tab where YAML wants blanks" },
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
    char        path[] = "/tmp/test_yaml.XXXXXX";
    static char text[200000];
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
    memset(text, 'x', sizeof text);
    assert_int_equal(pwrite(fd, text, sizeof text, 4), sizeof text);            /* more than one read */
    assert_int_equal(node_read(&root, path, &err), 0);
    assert_int_equal(strlen(node_find(&root, "a")->text), 1 + sizeof text);
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
        { "datasets.18446744073709551616.name=x", "no item" },          /* 2 to the 64th: 0 when it wraps around */
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

/* Places are no deeper than files are. */
static void test_set_deep(void **state)
{
    (void)state;
    for (int depth = 30; depth < 36; depth++) {
        struct node root;
        struct err  err = { 0 };
        char        assignment[100] = "a";

        for (int i = 1; i < depth; i++) strcat(assignment, ".a");
        strcat(assignment, "=1");
        parse(&root, "");
        assert_int_equal(node_set(&root, assignment, &err), depth <= 32 ? 0 : -EINVAL);
        if (depth > 32) assert_non_null(strstr(err.text, "holds a value, not keys"));
        node_free(&root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree), cmocka_unit_test(test_mark), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_bounds), cmocka_unit_test(test_file),
        cmocka_unit_test(test_set),    cmocka_unit_test(test_set_refused), cmocka_unit_test(test_set_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
