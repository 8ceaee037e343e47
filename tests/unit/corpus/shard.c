/* corpus/shard: which shards a dataset has, what they are called, in which order they stand. */
#include "corpus/dataset.h"
#include "tests/unit/corpus/sample_folder.h"

#include <errno.h>
#include <string.h>

/* Two splits of at most two globs (NULL: none). */
struct set { const char *first[2], *second[2]; };

static struct dataset make_dataset(const struct set *set, enum dataset_format format)
{
    struct dataset dataset = { .name = strdup("set"), .format = format, .splits = calloc(2, sizeof *dataset.splits),
                               .split_count = 2 };

    for (size_t s = 0; s < 2; s++) {
        const char *const    *globs = s ? set->second : set->first;
        struct dataset_split *split = &dataset.splits[s];

        split->name = strdup(s ? "test" : "train");
        split->globs = calloc(2, sizeof *split->globs);
        for (size_t g = 0; g < 2 && globs[g]; g++) split->globs[split->glob_count++] = strdup(globs[g]);
    }
    return dataset;
}

/* "split:name " for each shard. */
static void assert_shards(const struct set *set, enum dataset_format format, const char *want)
{
    struct dataset    dataset = make_dataset(set, format);
    struct shard_list list;
    struct err        err = { 0 };
    char              got[2048] = "";

    if (shard_list_open(&list, &dataset, 1, folder, &err) < 0) fail_msg("%s: %s", want, err.text);
    for (size_t i = 0; i < list.count; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%u:%s%s ", list.at[i].split, list.at[i].name,
                 list.at[i].tree ? "/" : "");
    if (strcmp(got, want)) fail_msg("\"%s\" instead of \"%s\"", got, want);
    shard_list_free(&list);
    dataset_free(&dataset);
}

static void assert_refused(const struct set *set, enum dataset_format format, int code, const char *text)
{
    struct dataset    dataset = make_dataset(set, format);
    struct shard_list list = { .count = 77 };
    struct err        err = { 0 };

    if (shard_list_open(&list, &dataset, 1, folder, &err) != code) fail_msg("%s: %d %s", text, err.code, err.text);
    if (!strstr(err.text, text) || strncmp(err.text, "dataset set: ", 13)) fail_msg("%s instead of %s", err.text, text);
    assert_int_equal(list.count, 0);
    assert_null(list.at);
    dataset_free(&dataset);
}

static void test_names(void **state)
{
    char want[600];

    (void)state;
    assert_shards(&(struct set){ { "data/a.zst" }, { "data/b.zst" } }, FORMAT_AUTO, "0:a.zst 1:b.zst ");
    assert_shards(&(struct set){ { "data/b.zst" }, { "data/a.zst" } }, FORMAT_AUTO, "0:b.zst 1:a.zst ");
    assert_shards(&(struct set){ { "data/deep/*.zst" }, { "data/[ab].zst" } }, FORMAT_AUTO,
                  "0:deep/c.zst 1:a.zst 1:b.zst ");
    assert_shards(&(struct set){ { "data/deep/c.zst" }, { "data/deep/er/d.zst" } }, FORMAT_AUTO, "0:c.zst 1:er/d.zst ");
    assert_shards(&(struct set){ { "data/deep/er/?.zst" }, { NULL } }, FORMAT_AUTO, "0:c.zst 0:d.zst ");
    assert_shards(&(struct set){ { "data/deep/**/*.zst" }, { NULL } }, FORMAT_AUTO, "0:c.zst 0:er/c.zst 0:er/d.zst ");
    assert_shards(&(struct set){ { "**/d.zst", "data/a.zst" }, { NULL } }, FORMAT_AUTO,
                  "0:data/a.zst 0:data/deep/er/d.zst ");
    assert_shards(&(struct set){ { "data/ab", "data/abc/f" }, { NULL } }, FORMAT_AUTO, "0:ab 0:abc/f ");
    assert_shards(&(struct set){ { "data/deep" }, { "data/a.zst" } }, FORMAT_AUTO, "0:deep/ 1:a.zst ");
    snprintf(want, sizeof want, "0:%s 1:etc/passwd ", path_of("data/a.zst") + 1);  /* they share the root */
    assert_shards(&(struct set){ { "data/a.zst" }, { "/etc/passwd" } }, FORMAT_AUTO, want);
}

static void test_order(void **state)
{
    (void)state;
    /* By bytes within a split, whatever the order of its globs; as listed for lines. */
    assert_shards(&(struct set){ { "data/b.zst", "data/B.zst" }, { "data/a.zst" } }, FORMAT_AUTO,
                  "0:B.zst 0:b.zst 1:a.zst ");
    assert_shards(&(struct set){ { "data/b.zst", "data/[aB].zst" }, { NULL } }, FORMAT_LINES,
                  "0:b.zst 0:B.zst 0:a.zst ");
}

/* The settings say where a glob stands; nothing else is known of a dataset made by hand. */
static void test_where(void **state)
{
    struct dataset    dataset = make_dataset(&(struct set){ { "data/a.zst", "data/none*" }, { NULL } }, FORMAT_AUTO);
    struct shard_list list;
    struct err        err = { 0 };

    (void)state;
    dataset.splits[0].where = calloc(2, sizeof(char *));
    dataset.splits[0].where[0] = strdup("p.yaml:3: datasets.set.files");
    dataset.splits[0].where[1] = strdup("p.yaml:4: datasets.set.files");
    assert_int_equal(shard_list_open(&list, &dataset, 1, folder, &err), -EINVAL);
    assert_memory_equal(err.text, "p.yaml:4: datasets.set.files: no file matches 'data/none*' (looked in ", 70);
    dataset_free(&dataset);
}

static void test_refused(void **state)
{
    (void)state;
    mkdir(path_of("empty"), 0755);
    assert_refused(&(struct set){ { "data/none*" }, { NULL } }, FORMAT_AUTO, -EINVAL,
                   "no file matches 'data/none*' (looked in ");
    assert_refused(&(struct set){ { "data/a.zst" }, { "data/none" } }, FORMAT_AUTO, -EINVAL, folder);
    assert_refused(&(struct set){ { "/none/x/*" }, { NULL } }, FORMAT_AUTO, -EINVAL,
                   "no file matches '/none/x/*' (there is no /none/x)");
    assert_refused(&(struct set){ { "empty/*" }, { NULL } }, FORMAT_AUTO, -EINVAL, "/empty, which is empty)");
    assert_refused(&(struct set){ { "empty" }, { NULL } }, FORMAT_AUTO, -EINVAL, "/empty, which is empty)");
    assert_refused(&(struct set){ { "data/a.zst" }, { "data/[a].zst" } }, FORMAT_AUTO, -EINVAL, "in two splits");
    assert_refused(&(struct set){ { "data/a.zst" }, { "data/../data/a.zst" } }, FORMAT_AUTO, -EINVAL, "in two splits");
    assert_refused(&(struct set){ { "data/deep", "data/a.zst" }, { "data/deep/er/d.zst" } }, FORMAT_AUTO, -EINVAL,
                   "in two splits, `train` and `test`: ");
    assert_refused(&(struct set){ { "data/dangling" }, { NULL } }, FORMAT_AUTO, -EIO, "dangling");
    assert_refused(&(struct set){ { "data/fifo" }, { NULL } }, FORMAT_AUTO, -EINVAL, "neither a file nor a folder");
    assert_refused(&(struct set){ { "data/deep" }, { NULL } }, FORMAT_LINES, -EINVAL, "needs files");
}

/* A folder of shards is no tree of source files, whatever lies beside them. */
static void test_folder_of_shards(void **state)
{
    static const char *const shards[] = { "a.jsonl", "a.jsonl.gz", "b.ndjson.zst", "x.parquet", "a.tar", "a.tar.xz",
                                          "a.tgz", "a.zip", "a.7z" };
    static const char *const others[] = { "a.json", "a.gz", "tar.c", "a.zip.c", "jsonl" };
    char                     name[64], said[128];

    (void)state;
    mkdir(path_of("mixed"), 0755);
    mkdir(path_of("mixed/deep"), 0755);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(name, sizeof name, "mixed/%s", others[i]);
        make_file(name, 1);
    }
    assert_shards(&(struct set){ { "mixed" }, { NULL } }, FORMAT_AUTO, "0:mixed/ ");
    for (size_t i = 0; i < sizeof shards / sizeof *shards; i++) {
        snprintf(name, sizeof name, "mixed/deep/%s", shards[i]);
        snprintf(said, sizeof said, "mixed holds shards such as deep/%s; say '", shards[i]);
        make_file(name, 1);
        assert_refused(&(struct set){ { "mixed" }, { NULL } }, FORMAT_AUTO, -EINVAL, said);
        unlink(path_of(name));
    }
}

static uint64_t signature(const char *glob)
{
    struct dataset    dataset = make_dataset(&(struct set){ { glob }, { NULL } }, FORMAT_AUTO);
    struct shard_list list;
    struct err        err = { 0 };
    uint64_t          out;

    assert_int_equal(shard_list_open(&list, &dataset, 1, folder, &err), 0);
    out = list.at[0].signature;
    shard_list_free(&list);
    dataset_free(&dataset);
    return out;
}

/* A file put in another's place is seen also when neither the sum of sizes nor the newest time changes. */
static void test_signature(void **state)
{
    const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } },
        older[2] = { { .tv_sec = 900 }, { .tv_sec = 900 } };
    uint64_t              first, second;
    char                  moved[512];

    (void)state;
    mkdir(path_of("signed"), 0755);
    make_file("signed/a.c", 3);
    make_file("signed/b.c", 4);
    assert_int_equal(utimensat(AT_FDCWD, path_of("signed/a.c"), old, 0), 0);
    first = signature("signed");
    assert_true(first != 0 && first == signature("signed"));
    assert_int_equal(utimensat(AT_FDCWD, path_of("signed/a.c"), older, 0), 0);
    second = signature("signed");
    assert_true(second != first);
    assert_int_equal(utimensat(AT_FDCWD, path_of("signed/a.c"), old, 0), 0);
    assert_true(signature("signed") == first);
    assert_true(signature("signed/a.c") == 0);
    snprintf(moved, sizeof moved, "%s", path_of("signed/c.c"));
    assert_int_equal(rename(path_of("signed/a.c"), moved), 0);
    assert_true(signature("signed") != first);
}

static void test_measures(void **state)
{
    struct dataset    dataset[2];
    struct shard_list list;
    struct err        err = { 0 };
    struct stat       st;

    (void)state;
    dataset[0] = make_dataset(&(struct set){ { "data/a.zst" }, { NULL } }, FORMAT_AUTO);
    dataset[1] = make_dataset(&(struct set){ { "data/deep" }, { NULL } }, FORMAT_AUTO);
    assert_int_equal(shard_list_open(&list, dataset, 2, folder, &err), 0);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.at[1].dataset, 1);
    assert_int_equal(list.at[0].bytes, 5);
    assert_string_equal(list.at[0].path, path_of("data/a.zst"));
    assert_int_equal(stat(list.at[0].path, &st), 0);
    assert_true(list.at[0].mtime_ns == (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec);
    assert_int_equal(list.at[1].bytes, 7 + 8 + 9);
    shard_list_free(&list);
    /* One link is followed where it is asked for alone; the same file may be in two datasets. */
    dataset_free(&dataset[1]);
    dataset[1] = make_dataset(&(struct set){ { "data/link" }, { NULL } }, FORMAT_AUTO);
    assert_int_equal(shard_list_open(&list, dataset, 2, folder, &err), 0);
    assert_int_equal(list.at[1].bytes, 5);
    shard_list_free(&list);
    dataset_free(&dataset[0]);
    dataset_free(&dataset[1]);
}

/* By what it is called alone. */
static void test_packed(void **unused)
{
    static const struct { const char *name; bool tree, packed; } shards[] = {
        { "a.jsonl.zst", false, true }, { "a.json.gz", false, true }, { "deep/a.csv.bz2", false, true },
        { "a.parquet", false, true }, { "a.tar.xz", false, true }, { "a.tgz", false, true }, { "a.zip", false, true },
        { "a.jsonl", false, false }, { "a.tar", false, false }, { "a.csv", false, false }, { "zst", false, false },
        { "a.zst.txt", false, false }, { "folder.zst", true, false },
        { "folder.parquet", true, false },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof shards / sizeof *shards; i++) {
        char name[32];

        snprintf(name, sizeof name, "%s", shards[i].name);
        if (shard_is_packed(&(struct shard){ .name = name, .tree = shards[i].tree }) != shards[i].packed)
            fail_msg("%s", name);
        assert_true(shard_is_parted(&(struct shard){ .name = name, .tree = shards[i].tree }) ==
                    (strcmp(name, "a.parquet") == 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),    cmocka_unit_test(test_order),            cmocka_unit_test(test_where),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_packed),
        cmocka_unit_test(test_measures), cmocka_unit_test(test_folder_of_shards), cmocka_unit_test(test_signature),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
