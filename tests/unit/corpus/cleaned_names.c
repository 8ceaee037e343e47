/* tests/unit/corpus/cleaned_names.c -- what cleaned shards are called: packing and lines left out, none twice, none
 * outside of the folder. */
#include "corpus/cleaned.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 8 };

static struct dataset datasets[2];

static int names_of(const char *const *shards, size_t count, char **name, struct err *err)
{
    static const bool       takes_part[] = { true, false };
    struct shard            shard[MOST + 1] = { { 0 } };
    const struct shard_list list = { .at = shard, .count = count + 1 };

    datasets[0].name = (char *)(uintptr_t)"d";
    for (size_t s = 0; s < count; s++) shard[s] = (struct shard){ .path = (char *)(uintptr_t)shards[s],
                                                                  .name = (char *)(uintptr_t)shards[s] };
    shard[count] = (struct shard){ .dataset = 1, .name = (char *)(uintptr_t)"x" };
    *err = (struct err){ 0 };
    return cleaned_names(&list, datasets, takes_part, name, err);
}

static void assert_names(const char *const *shards, const char *const *wanted, size_t count)
{
    char      *name[MOST + 1];
    struct err err;

    if (names_of(shards, count, name, &err) < 0) fail_msg("%s", err.text);
    for (size_t s = 0; s < count; s++) {
        assert_string_equal(name[s], wanted[s]);
        free(name[s]);
    }
    assert_null(name[count]);                               /* takes no part */
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
    char      *name[MOST + 1];
    struct err err;

    (void)unused;
    assert_names(NAMES("a.gz", "a.zst", "b.gz"), NAMES("d/a.gz.jsonl.zst", "d/a.zst.jsonl.zst", "d/b.jsonl.zst"), 3);
    assert_names(NAMES("a.jsonl", "a.gz", "a.jsonl.jsonl"),
                 NAMES("d/a.jsonl.jsonl.zst", "d/a.gz.jsonl.zst", "d/a.jsonl.jsonl.jsonl.zst"), 3);
    assert_int_equal(names_of(NAMES("a/b", "c", "a//b"), 3, name, &err), -EEXIST);
    assert_string_equal(err.text, "a/b and a//b would both be written as d/a/b.jsonl.zst: rename one of them");
    for (size_t s = 0; s < 4; s++) assert_null(name[s]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_short), cmocka_unit_test(test_inside),
                                        cmocka_unit_test(test_differ) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
