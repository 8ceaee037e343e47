/* tests/unit/capability/config.c -- what the readers of settings share: sections, members, refusals, paths. */
#include "capability/capability.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

static struct dataset three[] = {
    { .name = (char[]){ "humaneval" }, .role = ROLE_BENCHMARK }, { .name = (char[]){ "stack" }, .role = ROLE_CORPUS },
    { .name = (char[]){ "two words" }, .role = ROLE_CORPUS },
};
static const struct config config = { .datasets = three, .dataset_count = 3 };

static void parsed(struct node *root, const char *text)
{
    struct err err = { 0 };

    if (node_parse(root, "p.yaml", text, strlen(text), &err) < 0) fail_msg("%s", err.text);
}

struct made { uint32_t number; };
static const struct option rows[] = {
    { "number", OPTION_U32, offsetof(struct made, number), "7", 1, 9, NULL, "a number" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static void test_section(void **unused)
{
    struct node root;
    struct made made = { 0 };
    struct err  err = { 0 };

    (void)unused;
    parsed(&root, "given:\n  number: 3\nwrong:\n  numbr: 3\n");
    assert_int_equal(config_section(rows, &made, &root, "absent", "p.yaml", &err), 0);
    assert_int_equal(made.number, 7);
    assert_int_equal(config_section(rows, &made, &root, "given", "p.yaml", &err), 0);
    assert_int_equal(made.number, 3);
    assert_int_equal(config_section(rows, &made, &root, "wrong", "p.yaml", &err), -EINVAL);
    assert_non_null(strstr(err.text, "p.yaml:4: "));
    assert_non_null(strstr(err.text, "wrong"));
    node_free(&root);
}

/* One key of a map as the list of members; expected: a digit for each dataset, or the error. */
static void members(const char *yaml, int role, bool any_role, const char *expected)
{
    struct node  root;
    struct err   err = { 0 };
    struct place place = { &root, "p.yaml", "dedup", &err };
    bool        *member = NULL;
    char         got[4] = "";
    int          rc;

    parsed(&root, yaml);
    rc = place_read_members(&place, &config, "of", role, any_role, &member);
    for (size_t d = 0; d < 3 && rc == 0; d++) got[d] = member[d] ? '1' : '0';
    assert_true(rc == 0 || rc == -EINVAL);
    assert_int_equal(rc, err.code);
    if (rc == 0 ? strcmp(got, expected) != 0 : !strstr(err.text, expected))
        fail_msg("%s: %s", yaml, rc ? err.text : got);
    free(member);
    node_free(&root);
}

static void test_members(void **unused)
{
    (void)unused;
    members("a: 1\n", -1, false, "111");
    members("a: 1\n", ROLE_CORPUS, false, "011");
    members("a: 1\n", ROLE_BENCHMARK, true, "100");         /* without the key the role counts all the same */
    members("of: [stack, humaneval]\n", -1, false, "110");
    members("of: stack\n", ROLE_CORPUS, false, "010");      /* a word alone is a list of one */
    members("of: two words\n", ROLE_CORPUS, false, "001");
    members("of: [humaneval]\n", ROLE_CORPUS, true, "100");
    members("of: [stack, humaneval]\n", ROLE_CORPUS, false, "p.yaml:1: of: `humaneval` has not `role: corpus`");
    members("of: [stack]\n", ROLE_BENCHMARK, false, "of: `stack` has not `role: benchmark`");
    members("of: []\n", -1, false, "of names at least one; without the key it is every dataset");
    members("of: []\n", ROLE_CORPUS, false, "it is every corpus");
    members("a: 1\nof: [stak]\n", -1, false, "p.yaml:2: of: no dataset is called `stak`; did you mean `stack`?");
    members("of: [zzzzzzzzzz]\n", -1, false, "no dataset is called `zzzzzzzzzz`");
    members("of: [[stack]]\n", -1, false, "of must be a list of names");
    members("of: {a: stack}\n", -1, false, "of must be a list of names");
    members("of: [~]\n", -1, false, "of must be a list of names");
}

static void test_words(void **unused)
{
    struct node  root;
    struct err   err = { 0 };
    struct place place = { &root, "p.yaml", "", &err };
    uint32_t     d = 9;

    (void)unused;
    parsed(&root, "list: [a, [b], null, 'null', '']\nalone: a\nnone: []\nsets:\n  - stack\n  - [b]\n  - stak\n");
    assert_int_equal(words_count(node_find(&root, "list")), 5);
    assert_string_equal(words_at(node_find(&root, "list"), 0, &place), "a");
    assert_null(words_at(node_find(&root, "list"), 1, &place));
    assert_null(words_at(node_find(&root, "list"), 2, &place));
    assert_string_equal(words_at(node_find(&root, "list"), 3, &place), "null");
    assert_int_equal(words_count(node_find(&root, "alone")), 1);
    assert_string_equal(words_at(node_find(&root, "alone"), 0, &place), "a");
    assert_null(words_at(node_find(&root, "list"), 4, &place));
    assert_string_equal(err.text, "p.yaml:1: list must be a list of names");
    assert_int_equal(words_count(node_find(&root, "none")), 0);
    assert_int_equal(words_dataset(node_find(&root, "sets"), 0, &place, &config, &d), 0);
    assert_int_equal(d, 1);
    assert_int_equal(words_dataset(node_find(&root, "sets"), 1, &place, &config, &d), -EINVAL);
    assert_string_equal(err.text, "p.yaml:6: sets must be a list of names");    /* the word's line */
    assert_int_equal(words_dataset(node_find(&root, "sets"), 2, &place, &config, &d), -EINVAL);
    assert_non_null(strstr(err.text, "did you mean `stack`?"));
    node_free(&root);
}

/* At the key's line when it is there, else at the map's. */
static void test_refuse(void **unused)
{
    struct node  root;
    struct err   err = { 0 };
    struct place place;

    (void)unused;
    parsed(&root, "x: 1\nmap:\n  a: 1\n  b: 2\n");
    place = (struct place){ node_find(&root, "map"), "p.yaml", "map", &err };
    assert_int_equal(place_refuse(&place, "b", "is %d", 2), -EINVAL);
    assert_string_equal(err.text, "p.yaml:4: b is 2");
    assert_int_equal(place_refuse(&place, "b", ": `%d` is none", 2), -EINVAL);
    assert_string_equal(err.text, "p.yaml:4: b: `2` is none");
    assert_int_equal(place_refuse(&place, "c", "is missing"), -EINVAL);
    assert_non_null(strstr(err.text, ": c is missing"));
    assert_int_equal(atoi(err.text + strlen("p.yaml:")), (int)place.map->line);
    assert_int_equal(node_set(&root, "map.a=5", &err), 0);
    place.map = node_find(&root, "map");
    assert_int_equal(place_refuse(&place, "a", "is %d", 5), -EINVAL);
    assert_string_equal(err.text, "--set map.a: a is 5");   /* of the command line */
    node_free(&root);
}

static void test_print(void **unused)
{
    const char  *words[] = { "a", "b: c" };
    const bool   some[] = { true, false, true }, none[] = { false, false, false };
    struct bytes out = { 0 };

    (void)unused;
    assert_int_equal(config_print_words("w", words, 2, &out), 0);
    assert_int_equal(config_print_members(&config, "m", some, &out), 0);
    assert_int_equal(config_print_members(&config, "n", none, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, "  w: [a, \"b: c\"]\n  m: [humaneval, \"two words\"]\n  n: []\n");
    bytes_free(&out);
}

/* expected: also where there is nothing */
static void resolves(const char *base, const char *path, const char *thing, bool there, const char *expected)
{
    struct config     of = { .base = (char *)(uintptr_t)base };
    const struct node map = { .line = 7 };
    struct err        err = { 0 };
    char             *got = strdup(path), message[128];
    int               rc;

    assert_non_null(got);
    rc = place_resolve_path(&(struct place){ &map, "p.yaml", "of", &err }, &of, "at", thing, &got);
    assert_int_equal(rc, there ? 0 : -EINVAL);
    assert_string_equal(got, expected);
    snprintf(message, sizeof message, "p.yaml:7: at names a %s that is not there: %s", thing ? thing : "", expected);
    if (!there) assert_string_equal(err.text, message);
    free(got);
}

static void test_paths(void **unused)
{
    char folder[] = "/tmp/leakgraph-config-XXXXXX", link[64], file[64], absent[64];

    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/f", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    snprintf(absent, sizeof absent, "%s/a/b", folder);
    write_file(file, "", 0);
    assert_int_equal(symlink(folder, link), 0);
    resolves(link, "f", NULL, true, file);                 /* the base is followed in both cases */
    resolves(link, "f", "file", true, file);
    resolves(folder, "link/f", "file", true, file);
    resolves(folder, "a/b", NULL, true, absent);
    resolves(folder, "a/b", "folder", false, absent);
    resolves(folder, "/no/such", NULL, true, "/no/such");
    resolves("no/such/base", "x", NULL, true, "no/such/base/x");
    resolves(folder, "", "file", true, "");
    remove_tree(folder);
}

/* What is asked of the tasks: a capability that is there is not one that is on. */
static void test_tasks(void **unused)
{
    const struct capability items = { .key = "items", .traits = CAPABILITY_DOCUMENTS | CAPABILITY_ITEMS };
    const struct capability documents = { .key = "documents", .traits = CAPABILITY_DOCUMENTS };
    const struct capability keyless = { .traits = CAPABILITY_CORPORA }, other = { .key = "other" };
    int                     state;
    struct task             task[] = { { .of = &items, .state = &state }, { .of = &documents, .on = true },
                                       { .of = &keyless, .on = true } };
    struct config           of = { .task = task, .task_count = 3 };

    (void)unused;
    assert_ptr_equal(config_state(&of, &items), &state);
    assert_null(config_state(&of, &other));
    assert_true(!config_has(&of, &items) && config_has(&of, &documents) && !config_has(&of, &other));
    assert_true(!config_has_key(&of, "items") && config_has_key(&of, "documents") && !config_has_key(&of, "other"));
    assert_true(config_has_trait(&of, CAPABILITY_CORPORA | CAPABILITY_ITEMS));
    assert_false(config_has_trait(&of, CAPABILITY_ITEMS));
    assert_true(config_lacks_items(&of));
    task[0].on = true;
    assert_false(config_lacks_items(&of));
    assert_false(config_wants_items(&of));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_section), cmocka_unit_test(test_members), cmocka_unit_test(test_words),
        cmocka_unit_test(test_refuse), cmocka_unit_test(test_print), cmocka_unit_test(test_paths),
        cmocka_unit_test(test_tasks),
    };

    return cmocka_run_group_tests_name("capability/config", tests, NULL, NULL);
}
