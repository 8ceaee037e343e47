/* tests/unit/dedup/rewrite_shards.c -- cleaned shards of a whole run: what stays, as it stands, with the size of its
 * cluster; damage and killed runs are in rewrite.c. */
#include "tests/unit/dedup/world.h"

#include <zstd.h>

static void assert_shard(const struct world *w, const char *name, const char *expected)
{
    struct bytes packed = { 0 };
    char         path[128], text[1024];
    size_t       len;

    snprintf(path, sizeof path, "%s/clean/%s", w->r.output, name);
    read_file(path, &packed);
    len = ZSTD_decompress(text, sizeof text - 1, packed.at, packed.len);
    assert_false(ZSTD_isError(len));
    text[len] = '\0';
    assert_string_equal(text, expected);
    bytes_free(&packed);
}

static void test_shards(void **unused)
{
    struct world w;
    struct stat  before, after;
    char         path[128];

    (void)unused;
    world_open(&w, ", keep: [path], write: shards", (const char *const[3]){
        "{\"text\": \"p q r\", \"path\": \"1\"}\n{\"no\": 1}\n{ \"text\":\"r q p\", \"path\": \"12\"}\n",
        "{\"text\": \"p q r\", \"path\": \"123\"}\n", "{\"text\": \"alone\"}\n" });
    WORLD_DO(dedup_run(&w.job, err));
    assert_int_equal(w.job.stats.removed, 2);
    assert_shard(&w, "a/a.jsonl.zst", "{\"text\": \"p q r\", \"path\": \"1\",\"duplicate_count\":3}\n");
    snprintf(path, sizeof path, "%s/clean/b", w.r.output);
    assert_int_equal(stat(path, &before), -1);              /* nothing stays of b */
    assert_shard(&w, "c/c.jsonl.zst", "{\"text\": \"alone\"}\n");
    snprintf(path, sizeof path, "%s/clean/a/a.jsonl.zst", w.r.output);
    assert_int_equal(stat(path, &before), 0);
    WORLD_DO(dedup_run(&w.job, err));                       /* is not written again */
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    write_file(path, "x", 1);                               /* unless it is another one */
    WORLD_DO(dedup_run(&w.job, err));
    assert_shard(&w, "a/a.jsonl.zst", "{\"text\": \"p q r\", \"path\": \"1\",\"duplicate_count\":3}\n");
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_shards) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
