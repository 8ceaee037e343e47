/* corpus/extent: whether what is written would be in a dataset, by globs, folders, links and what is left out. */
#include "corpus/extent.h"
#include "tests/unit/corpus/sample_folder.h"

#include <errno.h>
#include <string.h>

static const char *const written[] = { "graph.db", "run.log", "work/**/*.unit", "clean/**/*.jsonl.zst", NULL };

/* Whether a dataset of one glob is refused; what of the message is checked goes to the caller. */
static int ask(const char *glob, const char *exclude, const char *output, struct err *err)
{
    struct dataset    dataset = { .name = strdup("code"), .splits = calloc(1, sizeof *dataset.splits),
                                  .split_count = 1 };
    struct shard_list shards = { 0 };
    char              path[512];
    int               rc;

    dataset.splits->name = strdup("");
    dataset.splits->globs = calloc(1, sizeof *dataset.splits->globs);
    dataset.splits->globs[dataset.splits->glob_count++] = strdup(glob);
    if (exclude) {
        dataset.exclude = calloc(1, sizeof *dataset.exclude);
        dataset.exclude[dataset.exclude_count++] = strdup(exclude);
    }
    snprintf(path, sizeof path, "%s", path_of(output));
    shard_list_open(&shards, &dataset, 1, folder, err);     /* a glob that matches nothing yet is asked, too */
    *err = (struct err){ 0 };
    rc = extent_check(&dataset, 1, folder, &shards, path, written, err);
    shard_list_free(&shards);
    dataset_free(&dataset);
    return rc;
}

static void assert_extent(const char *glob, const char *exclude, const char *output, int want)
{
    struct err err = { 0 };
    int        rc = ask(glob, exclude, output, &err);

    if (rc != want) fail_msg("%s, output %s: %d instead of %d %s", glob, output, rc, want, err.text);
}

static void test_folders(void **unused)
{
    (void)unused;
    assert_extent("data", NULL, "data", -EINVAL);
    assert_extent("data", NULL, "data/out", -EINVAL);
    assert_extent("data", NULL, "data/none/out", -EINVAL);
    assert_extent("data/", NULL, "./data/deep/../out", -EINVAL);
    assert_extent("data", NULL, "out", 0);
    assert_extent("data", NULL, "data-out", 0);
    assert_extent("data", NULL, ".", 0);                    /* a folder beside the results */
    assert_extent("*", NULL, "out", -EINVAL);               /* not there yet, and a folder of the next run */
    assert_extent("*", NULL, ".", -EINVAL);
    assert_extent("d*", NULL, "out", 0);
    assert_extent("data", "out", "data/out", 0);
    assert_extent("data", "out", "data/out/run", 0);
    assert_extent("data", "out", "data/other", -EINVAL);
    assert_extent("data", NULL, "data/.git/out", 0);        /* is passed over */
}

static void test_globs(void **unused)
{
    (void)unused;
    assert_extent("data/*.zst", NULL, "data/out", 0);
    assert_extent("data/*.zst", NULL, "data", 0);
    assert_extent("data/*.jsonl", NULL, "data", 0);
    assert_extent("data/**/*.zst", NULL, "data/out", -EINVAL);
    assert_extent("data/**/*.zst", NULL, "data/.out", 0);
    assert_extent("data/**/*.py", NULL, "data/out", 0);
    assert_extent("data/**/*.jsonl", NULL, "data/out", 0);
    assert_extent("data/**/a*.zst", NULL, "data/out", -EINVAL);
    assert_extent("data/**", NULL, "data/out", -EINVAL);
    assert_extent("data/**", NULL, "data/.out", 0);
    assert_extent("data/**", NULL, "out", 0);
    assert_extent("data/**", "out", "data/out", 0);
    assert_extent("data/*", NULL, "data", -EINVAL);
    assert_extent("data/*", NULL, "data/.out", 0);
    assert_extent("**/*.db", NULL, "any/where", -EINVAL);
    assert_extent("*/graph.db", NULL, "out", -EINVAL);
    assert_extent("data/[g]raph.db", NULL, "data", -EINVAL);
    assert_extent("data/?.zst", NULL, "data", 0);
    assert_extent("clean/*.zst", NULL, ".", -EINVAL);
    assert_extent("clean/*.py", NULL, ".", 0);
}

static void test_links(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    assert_extent("data/linked", NULL, "data/deep/out", -EINVAL);
    assert_extent("data/linked/**", NULL, "data/deep/out", -EINVAL);
    assert_extent("data/deep", NULL, "data/linked/out", -EINVAL);
    assert_extent("data/linked/*.zst", NULL, "data/deep", 0);

    /* A link leads from a wildcard into the results. */
    mkdir(path_of("results"), 0755);
    make_file("results/graph.db", 1);
    make_file("results/mine.txt", 1);
    assert_int_equal(symlink("../results/graph.db", path_of("odd/x.link")), 0);
    assert_int_equal(symlink("../results/mine.txt", path_of("odd/y.link")), 0);
    assert_extent("odd/x*.link", NULL, "results", -EINVAL);
    assert_extent("odd/y*.link", NULL, "results", 0);

    assert_int_equal(ask("data", NULL, "data/out", &err), -EINVAL);
    assert_non_null(strstr(err.text, "dataset code: "));
    assert_non_null(strstr(err.text, path_of("data/out")));
    assert_non_null(strstr(err.text, "--set 'datasets.code.exclude=[out]'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_folders), cmocka_unit_test(test_globs),
                                        cmocka_unit_test(test_links) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
