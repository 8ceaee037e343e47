/* tests/unit/ngram/result.c -- rows added up from units, and the published rules at their borders. */
#include "ngram/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>
#include <math.h>

static const char yaml[] = "datasets:\n"
                           "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                           "  - {name: code, role: corpus, files: [c.jsonl, d.jsonl]}\n"
                           "  - {name: all, role: corpus, files: [a.jsonl]}\n"
                           "ngrams: {n: [2, 3], cap: 2, max_df: 1}\n";

static struct small_run small;

static struct ngram_job *open_run(void)
{
    small_open(&small);
    small_write(&small, "b.jsonl", "{\"text\": \"a b c d e\"}\n{\"text\": \"x\"}\n");
    small_write(&small, "c.jsonl", "{\"text\": \"- a b c\", \"path\": \"c/0\"}\n{\"text\": \"b\\r\\nc\\rx\\na b\"}\n");
    small_write(&small, "d.jsonl", "{\"text\": \"a b a b\"}\n{\"text\": \"something else\"}\n{\"text\": \"c d\"}\n");
    small_write(&small, "a.jsonl", "{\"text\": \"a b c d e\"}\n");
    small_start(&small, yaml);
    small_pass(&small);
    return &ngram_task(&small.config)->job;
}

static void test_rows(void **unused)
{
    struct ngram_job       *job = open_run();
    struct ngram_result     result;
    const struct ngram_row *row;
    struct err              err = { 0 };

    (void)unused;
    if (ngram_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.count, 2 * 2 * 2);              /* items, corpora, sizes */
    for (size_t i = 0; i < 8; i++) {
        row = &result.row[i];
        assert_true(row->entry == i / 4 && row->record == i / 4 && row->corpus == 1 + i / 2 % 2);
        assert_true(row->n == 2 + i % 2 && row->shard == 0 && row->field == 0);
    }

    /* a b: documents 0, 1, 2, four times; b c: 0, 1; c d: 4 */
    row = &result.row[0];
    assert_true(!row->is_short && row->words == 5 && row->ngrams == 4 && row->distinct == 4);
    assert_true(row->found == 3 && row->found_distinct == 3 && row->rare == 1);
    assert_true(row->covered == 4 && row->covered_rare == 2 && row->covered_once == 3);
    assert_true(row->longest_run == 2 && row->run_shard == 1 && row->run_record == 0 && row->run_at == 0);
    assert_true(row->run_line == 1 && slice_equal(paths_find(&result.paths, 1, 0), SLICE("c/0")));
    assert_true(row->documents == 4 && row->occurrences == 2 + 2 + 1 && row->max_frequency == 3);
    assert_true(row->exact == 0 && row->windows == 0);
    assert_true(fabs(row->idf_share - (log(6. / 4) + log(6. / 3) + log(6. / 2)) /
                     (log(6. / 4) + log(6. / 3) + log(6. / 2) + log(6. / 1))) < 1e-12);
    row = &result.row[1];                                   /* a b c, once */
    assert_true(row->ngrams == 3 && row->found == 1 && row->covered == 3 && row->longest_run == 1);
    assert_true(row->documents == 1 && row->rare == 1);

    row = &result.row[2];                                   /* all of it, in the only document: nothing weighs */
    assert_true(row->found == 4 && row->covered == 5 && row->covered_once == 5 && row->longest_run == 4);
    assert_true(row->rare == 4 && row->covered_rare == 5);
    assert_true(row->exact == 1 && row->idf_share < 0 && row->run_shard == 3);

    row = &result.row[4];                                   /* x, shorter than n: as a whole */
    assert_true(row->is_short && row->words == 1 && row->ngrams == 1 && row->found == 1 && row->covered == 1);
    assert_true(row->run_shard == 1 && row->run_record == 1 && row->run_at == 2 && row->exact == -1);
    assert_int_equal(row->run_line, 3);                     /* LF, CRLF and CR end lines */
    assert_null(paths_find(&result.paths, 1, 1).at);
    row = &result.row[6];
    assert_true(row->found == 0 && row->documents == 0 && row->longest_run == 0 && row->max_frequency == 0);
    assert_true(row->idf_share >= 0 && row->idf_share <= 0);

    ngram_result_free(&result);
    assert_true(!result.row && !result.count);
    assert_int_equal(stage_clear(small.stage, &err), 0);
    assert_int_equal(ngram_result_read(job, &result, &err), -EIO);
    assert_non_null(strstr(err.text, "the table of n-grams has disappeared"));
    small_close(&small);
}

static struct ngram_row row_of(uint32_t n)
{
    return (struct ngram_row){ .n = n, .words = 20, .ngrams = 10, .exact = -1, .idf_share = -1 };
}

static void test_rules(void **unused)
{
    const struct ngram_options all = { .max_df = 0 }, rare = { .max_df = 1 }, whole = { .whole = true };
    struct ngram_row           row[2] = { row_of(8), row_of(13) };
    struct ngram_rules         rules = ngram_rules_of(row, row, 0, &all);

    (void)unused;
    assert_true(rules.gpt3_13gram == -1 && rules.palm_8gram == -1 && rules.tulu3_8gram == -1 && rules.qwen_lcs == -1 &&
                rules.exact_substring == -1 && rules.windows50 == -1 && rules.llama3_8gram < 0 &&
                rules.idf_weighted < 0);
    rules = ngram_rules_of(row, row, 2, &all);                  /* asked, and nothing found */
    assert_true(rules.gpt3_13gram == 0 && rules.palm_8gram == 0 && rules.tulu3_8gram == 0 && rules.qwen_lcs == 0 &&
                rules.exact_substring == -1 && rules.windows50 == -1 && rules.idf_weighted < 0 &&
                rules.llama3_8gram >= 0 && rules.llama3_8gram <= 0);

    row[0].found = 7, row[0].rare = 6, row[0].covered = 15, row[0].covered_rare = 5, row[0].covered_once = 10;
    row[0].exact = 1, row[0].idf_share = 0.25, row[0].windows = 10, row[0].windows_found = 8;
    row[1].found = 1, row[1].near = NGRAM_UNKNOWN;
    rules = ngram_rules_of(row, row, 2, &all);
    assert_true(rules.palm_8gram == 1 && rules.tulu3_8gram == 0);       /* 70 %; half is not more than half */
    assert_true(fabs(rules.llama3_8gram - 0.75) < 1e-12 && rules.gpt3_13gram == 1);
    assert_int_equal(rules.qwen_lcs, -1);                   /* a text too long for it */
    assert_true(rules.exact_substring == 1 && rules.windows50 == 1 && fabs(rules.idf_weighted - 0.25) < 1e-12);
    rules = ngram_rules_of(row, row, 2, &rare);                   /* what is frequent does not count */
    assert_true(rules.palm_8gram == 0 && rules.gpt3_13gram == 0 && rules.qwen_lcs == 0);
    assert_true(fabs(rules.llama3_8gram - 0.25) < 1e-12);

    row[0].covered_once = 11, row[0].windows_found = 7;
    row[1].near = NGRAM_NEAR;
    rules = ngram_rules_of(row, row, 2, &all);
    assert_true(rules.tulu3_8gram == 1 && rules.windows50 == 0 && rules.qwen_lcs == 1);
    row[1].near = NGRAM_FAR;
    assert_int_equal(ngram_rules_of(row, row, 2, &all).qwen_lcs, 0);
    /* 20 words for 8, 12 for 13: nothing is said of 13-grams, but what the one of 12 says where it is asked for */
    row[0].words = row[1].words = 12, row[1].is_short = true, row[1].near = NGRAM_NEAR;
    rules = ngram_rules_of(row, row, 2, &all);
    assert_true(rules.gpt3_13gram == -1 && rules.qwen_lcs == -1 && rules.palm_8gram == 1 && rules.idf_weighted > 0);
    rules = ngram_rules_of(row, row, 2, &whole);
    assert_true(rules.gpt3_13gram == 1 && rules.qwen_lcs == 1 && rules.palm_8gram == 1);
    row[0].is_short = true;
    rules = ngram_rules_of(row, row, 2, &all);
    assert_true(rules.palm_8gram == -1 && rules.tulu3_8gram == -1 && rules.llama3_8gram < 0 && rules.idf_weighted < 0);
    assert_true(rules.exact_substring == 1 && rules.windows50 == 0);    /* say what bytes say */
    rules = ngram_rules_of(row, row, 2, &whole);
    assert_true(rules.palm_8gram == 1 && rules.llama3_8gram > 0 && rules.idf_weighted > 0);
    row[0] = (struct ngram_row){ .n = 8, .idf_share = -1 }; /* a field without a word */
    rules = ngram_rules_of(row, row, 1, &all);
    assert_true(rules.palm_8gram == 0 && rules.tulu3_8gram == 0 && rules.llama3_8gram < 0 && rules.gpt3_13gram == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_rules) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
