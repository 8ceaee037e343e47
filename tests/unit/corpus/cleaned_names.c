/* tests/unit/corpus/cleaned_names.c -- what cleaned shards are called: packing and lines left out, how many more they
 * are made of, none twice, none outside of the folder. */
#include "corpus/cleaned.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 8 };

static struct dataset datasets[1];

static struct cleaned_file file[MOST];

/* more[s] NULL: every file is of one shard. */
static int names_of(const char *const *shards, const size_t *more, size_t count, struct err *err)
{
    struct shard            shard[MOST] = { { 0 } };
    const struct shard_list list = { .at = shard, .count = count };

    datasets[0].name = (char *)(uintptr_t)"d";
    for (size_t s = 0; s < count; s++) {
        shard[s] = (struct shard){ .path = (char *)(uintptr_t)shards[s], .name = (char *)(uintptr_t)shards[s] };
        file[s] = (struct cleaned_file){ .first = s, .count = more ? more[s] + 1 : 1 };
    }
    *err = (struct err){ 0 };
    return cleaned_names(&list, datasets, file, count, err);
}

static void assert_names_more(const char *const *shards, const size_t *more, const char *const *wanted, size_t count)
{
    struct err err;

    if (names_of(shards, more, count, &err) < 0) fail_msg("%s", err.text);
    for (size_t s = 0; s < count; s++) {
        assert_string_equal(file[s].name, wanted[s]);
        free(file[s].name);
    }
}

static void assert_names(const char *const *shards, const char *const *wanted, size_t count)
{
    assert_names_more(shards, NULL, wanted, count);
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__ })

static void test_short(void **unused)
{
    (void)unused;
    assert_names(NAMES("a.jsonl.gz", "b.ndjson", "c.zst", "d.parquet", "e.jsonl.jsonl", ".gz", "f/.gz", "g.gz.gz"),
                 NAMES("d/a.jsonl.zst", "d/b.jsonl.zst", "d/c.jsonl.zst", "d/d.parquet.jsonl.zst",
                       "d/e.jsonl.jsonl.zst", "d/.gz.jsonl.zst", "d/f/.gz.jsonl.zst", "d/g.gz.jsonl.zst"), 8);
    assert_names(NAMES("deep/c.ndjson.xz", "d.tar.zst", "e.py", ".jsonl"),
                 NAMES("d/deep/c.jsonl.zst", "d/d.tar.jsonl.zst", "d/e.py.jsonl.zst", "d/.jsonl.jsonl.zst"), 4);
    assert_names(NULL, NULL, 0);
}

static void test_inside(void **unused)
{
    (void)unused;
    assert_names(NAMES("../../etc/x", "./y//z", "/w", "...", "a/../../../y"),
                 NAMES("d/%2E%2E/%2E%2E/etc/x.jsonl.zst", "d/%2E/y/z.jsonl.zst", "d/w.jsonl.zst",
                       "d/....jsonl.zst", "d/a/%2E%2E/%2E%2E/%2E%2E/y.jsonl.zst"), 5);
}

/* Those that share a short name keep their whole ones, and so do those that such a whole one meets. */
static void test_differ(void **unused)
{
    struct err err;

    (void)unused;
    assert_names(NAMES("a.gz", "a.zst", "b.gz"), NAMES("d/a.gz.jsonl.zst", "d/a.zst.jsonl.zst", "d/b.jsonl.zst"), 3);
    assert_names(NAMES("a.jsonl", "a.gz", "a.jsonl.jsonl"),
                 NAMES("d/a.jsonl.jsonl.zst", "d/a.gz.jsonl.zst", "d/a.jsonl.jsonl.jsonl.zst"), 3);
    assert_int_equal(names_of(NAMES("a/b", "c", "a//b"), NULL, 3, &err), -EEXIST);
    assert_string_equal(err.text, "a/b and a//b would both be written as d/a/b.jsonl.zst: rename one of them");
    for (size_t s = 0; s < 3; s++) assert_null(file[s].name);
}

/* The first shard's name, and how many more; one that is called so already keeps its own, whole. */
static void test_more(void **unused)
{
    (void)unused;
    assert_names_more(NAMES("a/b.jsonl.gz", "c.parquet", "d"), (const size_t[]){ 12, 1, 0 },
                      NAMES("d/a/b+12.jsonl.zst", "d/c.parquet+1.jsonl.zst", "d/d.jsonl.zst"), 3);
    assert_names_more(NAMES("a.gz", "a.zst"), (const size_t[]){ 1, 2 }, NAMES("d/a+1.jsonl.zst", "d/a+2.jsonl.zst"), 2);
    assert_names_more(NAMES("a.gz", "a+1"), (const size_t[]){ 1, 0 }, NAMES("d/a.gz+1.jsonl.zst", "d/a+1.jsonl.zst"),
                      2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_short), cmocka_unit_test(test_inside),
                                        cmocka_unit_test(test_differ), cmocka_unit_test(test_more) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
