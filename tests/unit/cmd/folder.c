/* tests/unit/cmd/folder.c -- the folder of a run: unfinished, of somebody else, of another configuration. */
#include "cmd/folder.h"
#include "tests/unit/said.h"

#include <string.h>

struct place { char dir[64]; };

static void place_open(struct place *p)
{
    *p = (struct place){ "/tmp/leakgraph-folder-XXXXXX" };
    assert_non_null(mkdtemp(p->dir));
}

static void put(const struct place *p, const char *name, const char *text)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", p->dir, name);
    if (!text) assert_int_equal(mkdir(path, 0700), 0);
    else write_file(path, text, strlen(text));
}

static void test_graph(void **unused)
{
    struct place p;
    struct err   err = { 0 };
    char         path[FILE_NAME_MAX], expected[128];

    (void)unused;
    place_open(&p);
    snprintf(expected, sizeof expected, "%s/graph.db", p.dir);
    assert_int_equal(folder_find_graph(p.dir, path, &err), 0);      /* empty: whoever opens it says so */
    assert_string_equal(path, expected);
    put(&p, "work", NULL);
    assert_int_equal(folder_find_graph(p.dir, path, &err), -ENOENT);
    assert_non_null(strstr(err.text, "this run is not finished"));
    put(&p, "graph.db", "");
    assert_int_equal(folder_find_graph(p.dir, path, &err), 0);
    remove_tree(p.dir);
}

/* What is said to a run that would write there: an error that has `refused`, or a line that has `says`. */
static void target(const struct place *p, const char *resolved, struct folder_use use, const char *says,
                   const char *refused)
{
    struct said said;
    struct err  err = { 0 };
    int         rc;

    said_begin(&said);
    rc = folder_check_target(p->dir, slice_of(resolved), &use, &err);
    said_end(&said);
    assert_int_equal(rc, refused ? -EINVAL : 0);
    if (says && *says) assert_non_null(strstr(said.text.at, says));
    else assert_string_equal(said.text.at, "");
    if (refused && !strstr(err.text, refused)) fail_msg("%s", err.text);
    said_free(&said);
}

static const struct folder_use plain, clean = { .clean = true }, replace = { .replace = true },
    extends = { .extends = true };

static void test_target(void **unused)
{
    struct place p;

    (void)unused;
    place_open(&p);
    target(&p, "a: 1\n", plain, "", NULL);                  /* empty */
    put(&p, "report.md", "mine");
    target(&p, "a: 1\n", plain, "", "--clean");
    target(&p, "a: 1\n", replace, "", "--clean");           /* nobody's: not the results of another configuration */
    target(&p, "a: 1\n", clean, "", NULL);
    put(&p, "graph.db", "");
    target(&p, "a: 1\n", plain, "", "--clean");
    put(&p, "work", NULL);                                  /* of somebody else, too */
    target(&p, "a: 1\n", plain, "", "--clean");
    put(&p, "work/lock", "");                               /* an earlier run of ours */
    target(&p, "a: 1\n", plain, "", NULL);
    put(&p, "config.resolved.yaml", "a: 1\n");
    target(&p, "a: 1\n", plain, "", NULL);
    target(&p, "a: 2\n", plain, "", "another configuration: choose another --output, or replace them with --replace");
    target(&p, "a: 2\n", replace, "replacing the results of another configuration", NULL);
    target(&p, "a: 2\n", clean, "replacing the results of another configuration", NULL);
    target(&p, "a: 1\nb: 1\n", extends, "extending the store; what it has is kept", NULL);
    target(&p, "a: 1", plain, "", "another configuration");  /* a part of it is not it */
    target(&p, "a: 1\n\n", plain, "", "another configuration");
    remove_tree(p.dir);
}

#define CONFIGURATION(rest) \
    "datasets: [{name: a, role: benchmark, files: [/nowhere/a]}, {name: b, files: [/nowhere/b], role: corpus}]\n" rest

/* What changes no result is no other configuration; what does is named. */
static void test_results(void **unused)
{
    struct place p;

    (void)unused;
    place_open(&p);
    put(&p, "work", NULL);
    put(&p, "work/lock", "");
    put(&p, "config.resolved.yaml", CONFIGURATION("output: x\nmemory: 1GB\nnear_duplicates: {min_tokens: 20}\n"));
    target(&p, CONFIGURATION("near_duplicates: {min_tokens: 20, view: identifiers}\n"), plain, "", NULL);
    target(&p, CONFIGURATION("fail_on: {leakage: 5, coverage: 10}\nnear_duplicates: {min_tokens: 20}\n"), plain, "",
           NULL);
    target(&p, CONFIGURATION("near_duplicates: {min_tokens: 30}\n"), plain, "",
           "(near_duplicates: there `min_tokens: 20`, here `min_tokens: 30`)");
    target(&p, CONFIGURATION("near_duplicates: {min_tokens: 20}\nsensitive: {}\n"), plain, "", "another");
    remove_tree(p.dir);
}

/* Larger than what is read at a time; the last byte differs. */
static void test_long(void **unused)
{
    static char  text[100001];
    struct place p;

    (void)unused;
    place_open(&p);
    put(&p, "work", NULL);
    put(&p, "work/lock", "");
    memset(text, 'x', sizeof text - 1);
    put(&p, "config.resolved.yaml", text);
    target(&p, text, plain, "", NULL);
    text[sizeof text - 2] = 'y';
    target(&p, text, plain, "", "another configuration");
    remove_tree(p.dir);
}

static int shards_check(const struct place *p, const char *name)
{
    static const char *const folders[] = { "clean", "cleaned", "lists", NULL };
    char              path[128];
    struct shard      shard = { .path = path };
    struct shard_list list = { .at = &shard, .count = 1 };
    struct err        err = { 0 };
    int               rc;

    snprintf(path, sizeof path, "%s/%s", p->dir, name);
    rc = folder_check_shards(p->dir, folders, &list, &err);
    if (rc < 0) assert_non_null(strstr(err.text, path));
    return rc;
}

/* Only what a run removes is refused, by whatever name it is reached. */
static void test_shards(void **unused)
{
    struct place p;
    char         path[128];

    (void)unused;
    place_open(&p);
    assert_int_equal(shards_check(&p, "clean/a"), 0);       /* no such folder yet */
    put(&p, "clean", NULL);
    put(&p, "cleaned", NULL);
    put(&p, "lists", NULL);
    put(&p, "clean-too", NULL);
    put(&p, "clean/a", "");
    put(&p, "cleaned/a", "");
    put(&p, "lists/a", "");
    put(&p, "clean-too/a", "");
    put(&p, "a", "");
    snprintf(path, sizeof path, "%s/link", p.dir);
    assert_int_equal(symlink("clean/a", path), 0);
    assert_int_equal(shards_check(&p, "a"), 0);
    assert_int_equal(shards_check(&p, "clean-too/a"), 0);
    assert_int_equal(shards_check(&p, "clean/a"), -EINVAL);
    assert_int_equal(shards_check(&p, "cleaned/a"), -EINVAL);
    assert_int_equal(shards_check(&p, "lists/a"), -EINVAL);
    assert_int_equal(shards_check(&p, "link"), -EINVAL);
    assert_int_equal(shards_check(&p, "cleaned/../clean/a"), -EINVAL);
    remove_tree(p.dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph), cmocka_unit_test(test_target), cmocka_unit_test(test_results),
        cmocka_unit_test(test_long), cmocka_unit_test(test_shards),
    };

    return cmocka_run_group_tests_name("cmd/folder", tests, NULL, NULL);
}
