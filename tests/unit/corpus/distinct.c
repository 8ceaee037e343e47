/* corpus/distinct: a file under several names is read once; a file that benchmark and corpus share is told. */
#include "corpus/distinct.h"
#include "tests/unit/corpus/sample_folder.h"

#include <errno.h>
#include <string.h>

static struct dataset make_dataset(const char *name, enum dataset_role role, const char *const *globs, size_t splits)
{
    struct dataset dataset = { .name = strdup(name), .role = role, .splits = calloc(splits, sizeof *dataset.splits),
                               .split_count = splits };

    for (size_t g = 0; globs[g]; g++) {                     /* splits > 1: one glob each */
        struct dataset_split *split = &dataset.splits[splits > 1 ? g : 0];

        if (!split->globs) split->globs = calloc(8, sizeof *split->globs);
        if (!split->name) split->name = strdup(splits > 1 ? g ? "test" : "train" : "");
        split->globs[split->glob_count++] = strdup(globs[g]);
    }
    return dataset;
}

/* The names of the shards, and what is warned of ("" for nothing). */
static void assert_list(struct dataset *dataset, size_t count, const char *want, const char *warning)
{
    struct shard_list list;
    struct err        err = { 0 };
    char              got[1024] = "";

    if (shard_list_open(&list, dataset, count, folder, &err) < 0) fail_msg("%s: %s", want, err.text);
    for (size_t i = 0; i < list.count; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s ", list.at[i].name);
    if (strcmp(got, want)) fail_msg("\"%s\" instead of \"%s\"", got, want);
    if (!*warning && list.warnings.len) fail_msg("warned: %s", list.warnings.at);
    if (*warning && (!list.warnings.len || !strstr(list.warnings.at, warning)))
        fail_msg("\"%s\" instead of \"%s\"", list.warnings.len ? list.warnings.at : "", warning);
    shard_list_free(&list);
    for (size_t d = 0; d < count; d++) dataset_free(&dataset[d]);
}

#define GLOBS(...) (const char *const[]){ __VA_ARGS__, NULL }

static void test_one_dataset(void **state)
{
    struct dataset set;

    (void)state;
    set = make_dataset("set", ROLE_CORPUS, GLOBS("data/a.zst", "data/b.zst"), 1);
    assert_list(&set, 1, "a.zst b.zst ", "");
    set = make_dataset("set", ROLE_CORPUS, GLOBS("data/a.zst", "./data/a.zst", "data/[ab].zst"), 1);
    assert_list(&set, 1, "a.zst b.zst ", "dataset set: 2 of its 4 files are reached by a second name");
    set = make_dataset("set", ROLE_CORPUS, GLOBS("data/link", "data/a.zst"), 1);
    assert_list(&set, 1, "a.zst ", "1 of its 2 files is reached by a second name and read once: ");
    set = make_dataset("set", ROLE_CORPUS, GLOBS("data/deep/c.zst", "data/linked/c.zst"), 1);
    assert_list(&set, 1, "deep/c.zst ", "1 of its 2 files");
    set = make_dataset("set", ROLE_CORPUS, GLOBS("data/deep", "data/a.zst", "data/deep/er/d.zst", "data/linked/er"), 1);
    assert_list(&set, 1, "a.zst deep ", "2 of its 4 files");
}

/* As listed, where the order is the user's. */
static void test_lines(void **state)
{
    struct dataset set = make_dataset("set", ROLE_CORPUS, GLOBS("data/link", "data/a.zst"), 1);

    (void)state;
    set.format = FORMAT_LINES;
    assert_list(&set, 1, "link ", "1 of its 2 files");
}

static void test_splits(void **state)
{
    struct dataset    set = make_dataset("set", ROLE_CORPUS, GLOBS("data/a.zst", "data/link"), 2);
    struct shard_list list;
    struct err        err = { 0 };

    (void)state;
    assert_int_equal(shard_list_open(&list, &set, 1, folder, &err), -EINVAL);
    assert_non_null(strstr(err.text, "dataset set: one file is in two splits, `train` and `test`: "));
    dataset_free(&set);
}

static void test_two_datasets(void **state)
{
    struct dataset set[3];

    (void)state;
    set[0] = make_dataset("items", ROLE_BENCHMARK, GLOBS("data/a.zst"), 1);
    set[1] = make_dataset("code", ROLE_CORPUS, GLOBS("data/link", "data/b.zst"), 1);
    assert_list(set, 2, "a.zst b.zst link ", "benchmark items and corpus code have 1 file in common");
    set[0] = make_dataset("code", ROLE_CORPUS, GLOBS("data/deep", "data/a.zst"), 1);
    set[1] = make_dataset("items", ROLE_BENCHMARK, GLOBS("data/deep/c.zst", "data/deep/er", "data/b.zst"), 1);
    assert_list(set, 2, "a.zst deep b.zst deep/c.zst deep/er ", "benchmark items and corpus code have 2 files");
    set[0] = make_dataset("one", ROLE_CORPUS, GLOBS("data/a.zst"), 1);      /* two corpora may share: dedup finds it */
    set[1] = make_dataset("two", ROLE_CORPUS, GLOBS("data/a.zst"), 1);
    set[2] = make_dataset("items", ROLE_BENCHMARK, GLOBS("data/b.zst"), 1);
    assert_list(set, 3, "a.zst a.zst b.zst ", "");
}

/* What the datasets from `first` on have that one before them has; "": nothing. */
static void assert_refused(struct dataset *dataset, size_t count, size_t first, const char *says)
{
    struct shard_list list;
    struct err        err = { 0 };
    int               rc;

    if (shard_list_open(&list, dataset, count, folder, &err) < 0) fail_msg("%s: %s", says, err.text);
    rc = shards_refuse_shared(&list, dataset, count, first, &err);
    assert_int_equal(rc, *says ? -EINVAL : 0);
    if (*says && !strstr(err.text, says)) fail_msg("\"%s\" instead of \"%s\"", err.text, says);
    shard_list_free(&list);
}

static void test_refused(void **state)
{
    struct dataset set[4];

    (void)state;
    set[0] = make_dataset("one", ROLE_CORPUS, GLOBS("data/a.zst"), 1);
    set[1] = make_dataset("two", ROLE_CORPUS, GLOBS("data/a.zst"), 1);
    set[2] = make_dataset("three", ROLE_CORPUS, GLOBS("data/b.zst", "data/deep"), 1);
    set[3] = make_dataset("four", ROLE_CORPUS, GLOBS("data/link", "data/deep/c.zst", "data/deep/er"), 1);
    assert_refused(set, 4, 4, "");
    assert_refused(set, 3, 2, "");                          /* what is there already may share */
    assert_refused(set, 2, 1, "datasets `one` and `two` have 1 file in common: ");
    assert_refused(set, 4, 3, "datasets `one` and `four` have 1 file in common: ");
    assert_refused(&set[2], 2, 1, "datasets `three` and `four` have 2 files in common: ");
    for (size_t d = 0; d < 4; d++) dataset_free(&set[d]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_one_dataset), cmocka_unit_test(test_lines),
                                        cmocka_unit_test(test_splits), cmocka_unit_test(test_two_datasets),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("corpus/distinct", tests, make_folder, remove_folder);
}
