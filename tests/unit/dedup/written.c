/* tests/unit/dedup/written.c -- rows of what was written where: shards that share a file, one of which nothing stays,
 * and none where no shards are written. */
#include "dedup/tables.h"
#include "tests/unit/dedup/world.h"

/* The rows that a run with these settings gives, as "shard documents kept file record|". */
static void assert_rows(const char *settings, const char *const files[3], const char *datasets, const char *wanted)
{
    struct world        w;
    struct dedup_result result;
    struct graph_build  build = { 0 };
    char                found[512] = "";
    size_t              used = 0;

    world_open(&w, settings, files);
    if (datasets) {                                         /* instead of one shard each */
        small_stop(&w.r);
        small_start(&w.r, datasets);
        w.job = (struct dedup_job){ .run = &w.r.run, .member = dedup_task(&w.r.config)->member,
                                    .member_count = dedup_task(&w.r.config)->member_count,
                                    .options = &dedup_task(&w.r.config)->options };
    }
    WORLD_DO(dedup_run(&w.job, err));
    WORLD_DO(dedup_result_read(&w.job, &result, err));
    WORLD_DO(graph_add_dedup_shards(&build, &w.job, &result, err));
    for (size_t t = 0; t < build.graph.row_count; t++)
        for (size_t i = 0; i < build.graph.rows[t].count; i++) {
            const struct graph_dedup_shard *row = (const struct graph_dedup_shard *)build.graph.rows[t].rows + i;

            assert_ptr_equal(build.graph.rows[t].table, &table_dedup_shards);
            assert_int_equal(row->dataset, w.r.shards.at[row->shard].dataset);
            used += (size_t)snprintf(found + used, sizeof found - used, "%s %llu %llu %.*s %lld|",
                                     w.r.shards.at[row->shard].name, (unsigned long long)row->documents,
                                     (unsigned long long)row->kept, (int)row->file.len,
                                     row->file.at ? row->file.at : "", (long long)row->record);
        }
    assert_string_equal(found, wanted);
    graph_build_free(&build);
    dedup_result_free(&result);
    world_close(&w);
}

static const char *const files[3] = {
    "{\"text\": \"p q r\"}\n{\"no\": 1}\n{\"text\": \"s t u\"}\n",
    "{\"text\": \"p q r\"}\n", "{\"text\": \"alone\"}\n{\"text\": \"p q r\"}\n{\"text\": \"v w x\"}\n" };

static void test_rows(void **unused)
{
    (void)unused;
    assert_rows(", keep: [dataset], write: shards", files, NULL,
                "a.jsonl 2 2 clean/a/a.jsonl.zst 0|b.jsonl 1 0  -1|c.jsonl 3 2 clean/c/c.jsonl.zst 0|");
    assert_rows("", files, "datasets: [{name: d, language: text, files: ['*.jsonl']}]\n"
                "dedup: {view: 'shingles:1', method: exact, keep: [dataset], measure: 0}\n",
                "a.jsonl 2 2 clean/d/a+2.jsonl.zst 0|b.jsonl 1 0  -1|c.jsonl 3 2 clean/d/a+2.jsonl.zst 2|");
    assert_rows("", files, "datasets: [{name: o, language: text, files: [a.jsonl]}, {name: d, language: text, files: "
                "['[bc].jsonl']}]\ndedup: {view: 'shingles:1', method: exact, measure: 0, datasets: [d]}\n",
                "b.jsonl 1 1 clean/d/b+1.jsonl.zst 0|c.jsonl 3 2 clean/d/b+1.jsonl.zst 1|");
    assert_rows(", write: lists", files, NULL, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
