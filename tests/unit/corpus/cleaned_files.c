/* tests/unit/corpus/cleaned_files.c -- small shards share a file while it is small; others, and those of another
 * dataset or split, have their own. */
#include "corpus/cleaned.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 8 };

static struct dataset       datasets[3] = { { .name = "a" }, { .name = "b" }, { .name = "c" } };
static char                 names[MOST][2] = { "0", "1", "2", "3", "4", "5", "6", "7" };
static struct cleaned_files files;

/* Shards of these bytes; a letter a shard says its dataset, an upper one its second split. */
static int make(const char *of, const uint64_t *bytes, const bool *takes_part, uint64_t size)
{
    struct shard            shard[MOST] = { { 0 } };
    const struct shard_list list = { .at = shard, .count = strlen(of) };
    struct err              err = { 0 };

    for (size_t s = 0; s < list.count; s++)
        shard[s] = (struct shard){ .name = names[s], .path = names[s], .bytes = bytes[s],
                                   .dataset = (uint32_t)((of[s] | 0x20) - 'a'), .split = of[s] < 'a' };
    return cleaned_files_make(&files, &list, datasets, takes_part, size, &err);
}

/* wanted: the names, each followed by a blank. */
static void assert_files(const char *of, const uint64_t *bytes, uint64_t size, const char *wanted)
{
    static const bool all[] = { true, true, true };
    char              found[256] = "";
    size_t            used = 0, s = 0;

    assert_int_equal(make(of, bytes, all, size), 0);
    for (size_t f = 0; f < files.count; f++) {
        used += (size_t)snprintf(found + used, sizeof found - used, "%s ", files.at[f].name);
        assert_int_equal(files.at[f].first, s);
        for (; s < files.at[f].first + files.at[f].count; s++) assert_int_equal(files.of[s], f);
    }
    assert_int_equal(s, strlen(of));
    assert_string_equal(found, wanted);
    cleaned_files_free(&files);
}

static void test_sizes(void **unused)
{
    static const uint64_t bytes[] = { 4, 0, 5, 2, 10, 1, 11, 1 };

    (void)unused;
    assert_files("aaaaaaaa", bytes, 10, "a/0+2.jsonl.zst a/3.jsonl.zst a/4.jsonl.zst a/5.jsonl.zst a/6.jsonl.zst "
                 "a/7.jsonl.zst ");
    assert_files("aaaaaaaa", bytes, 11, "a/0+3.jsonl.zst a/4+1.jsonl.zst a/6.jsonl.zst a/7.jsonl.zst ");
    assert_files("aaaaaaaa", bytes, UINT64_MAX, "a/0+7.jsonl.zst ");
    assert_files("aaa", bytes, 0, "a/0.jsonl.zst a/1.jsonl.zst a/2.jsonl.zst ");
    assert_files("aaaa", (const uint64_t[]){ 0, 0, 1, 0 }, 1, "a/0+1.jsonl.zst a/2.jsonl.zst a/3.jsonl.zst ");
    assert_files("", bytes, 10, "");
    assert_files("aa", (const uint64_t[]){ UINT64_MAX, 1 }, UINT64_MAX, "a/0.jsonl.zst a/1.jsonl.zst ");
}

static void test_apart(void **unused)
{
    static const uint64_t bytes[MOST] = { 0 };

    (void)unused;
    assert_files("aaAAbBcc", bytes, 10, "a/0+1.jsonl.zst a/2+1.jsonl.zst b/4.jsonl.zst b/5.jsonl.zst "
                 "c/6+1.jsonl.zst ");
}

/* Those that take no part are in none; the last that is done ends its file. */
static void test_done(void **unused)
{
    static const bool     some[] = { true, false, true };
    static const uint64_t bytes[MOST] = { 0 };

    (void)unused;
    assert_int_equal(make("aabbccc", bytes, some, 10), 0);
    assert_int_equal(files.count, 2);
    assert_true(files.of[2] == CLEANED_NONE && files.of[3] == CLEANED_NONE && files.of[4] == 1);
    assert_false(cleaned_files_done(&files, 1));
    assert_false(cleaned_files_done(&files, 6));
    assert_false(cleaned_files_done(&files, 4));
    assert_true(cleaned_files_done(&files, 0));
    assert_true(cleaned_files_done(&files, 5));
    cleaned_files_free(&files);
    cleaned_files_free(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sizes), cmocka_unit_test(test_apart),
                                        cmocka_unit_test(test_done) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
