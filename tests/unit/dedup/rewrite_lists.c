/* tests/unit/dedup/rewrite_lists.c -- lists of what would be removed, of a whole run. */
#include "dedup/rewrite.h"
#include "tests/unit/dedup/world.h"

#include <zstd.h>

#define HEAD "shard\trecord\tnumber\tsource_id\tpath\tkept_dataset\tkept_number\tcluster_size\t" \
    "kept_shard\tkept_record\tkept_path\tkind\tsimilarity\n"

static void assert_list(const struct world *w, const char *name, const char *expected)
{
    struct bytes packed = { 0 };
    char         path[128], text[1024];
    size_t       len;

    snprintf(path, sizeof path, "%s/lists/%s.tsv.zst", w->r.output, name);
    read_file(path, &packed);
    len = ZSTD_decompress(text, sizeof text - 1, packed.at, packed.len);
    assert_false(ZSTD_isError(len));
    text[len] = '\0';
    assert_string_equal(text, expected);
    bytes_free(&packed);
}

static void test_lists(void **unused)
{
    struct world w;

    (void)unused;
    world_open(&w, ", keep: [path], write: lists", (const char *const[3]){
        "{\"text\": \"x\", \"path\": \"12345\"}\n{\"no\": 1}\n{\"text\": \"p q r\", \"path\": \"1\"}\n"
        "{\"text\": \"r q p\", \"path\": \"1\\t2\", \"id\": \"i\"}\n",
        "{\"text\": \"p q r\", \"path\": \"1234\"}\n", NULL });
    WORLD_DO(dedup_run(&w.job, err));
    assert_int_equal(w.job.stats.removed, 2);
    /* the record between is no document: record 3 is number 2, and what stays is number 1 */
    assert_list(&w, "a", HEAD "a.jsonl\t3\t2\ti\t1\\x092\ta\t1\t3\ta.jsonl\t2\t1\tnear\t1.000000\n");
    assert_list(&w, "b", HEAD "b.jsonl\t0\t0\t\t1234\ta\t1\t3\ta.jsonl\t2\t1\texact\t1.000000\n");
    assert_list(&w, "c", HEAD);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lists) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
