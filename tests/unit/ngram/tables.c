/* tests/unit/ngram/tables.c -- every number of a row in the graph; items that are not stored there are left out. */
#include "ngram/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct ngram_row row_of(uint32_t shard, uint64_t record, uint32_t n)
{
    return (struct ngram_row){ .shard = shard, .field = 1, .corpus = 2, .n = n, .record = record, .is_short = n == 13,
                               .words = 3, .ngrams = 4, .distinct = 5, .found_distinct = 6, .found = 7, .rare = 8,
                               .covered = 9, .covered_rare = 10, .covered_once = 11, .longest_run = 12, .run_shard = 13,
                               .run_at = 14, .run_record = 15, .run_line = 23, .lcs = 16, .lcs_of = 17, .documents = 18,
                               .occurrences = 19, .max_frequency = 20, .idf_share = 0.5, .windows = 21,
                               .windows_found = 22, .exact = 1 };
}

static char text[] = "text", test[] = "test";
static struct ngram_options options = { .n = { 8, 13 }, .sizes = 2, .fields = 2,
                                        .field = { { text, NULL }, { test, NULL } } };

static void test_rows(void **unused)
{
    struct graph_document   document[] = { { .shard = 0, .record = 1 }, { .shard = 1, .record = 0 } };
    struct ngram_row        row[] = { row_of(0, 0, 8), row_of(0, 0, 13), row_of(0, 1, 8), row_of(0, 1, 13),
                                      row_of(1, 0, 8), row_of(1, 0, 13) };
    struct ngram_job        job = { .options = &options };
    struct graph_build      build = { .graph = { .documents = document, .document_count = 2 } };
    const struct graph_ngram *ngram;
    const struct graph_ngram_rule *rule;
    struct ngram_rules      rules = ngram_rules_of(row, row, 2, &options);
    char                    name[] = "x a/b.c";
    struct wanted_path      path = { .record = 15, .shard = 13, .at = 2, .len = 5 };
    struct ngram_result     result = { .row = row, .count = 6,
                                       .paths = { .at = &path, .count = 1, .text = { .at = name, .len = 7 } } };
    struct err              err = { 0 };

    (void)unused;
    row[5].longest_run = row[5].lcs_of = row[4].windows = 0;
    assert_int_equal(graph_add_ngrams(&build, &job, &result, &err), 0);
    assert_true(graph_rows_of(&build.graph, &table_ngrams).count == 4 &&
                graph_rows_of(&build.graph, &table_ngram_rules).count == 2);
    ngram = graph_rows_of(&build.graph, &table_ngrams).rows;
    for (size_t i = 0; i < 4; i++) {
        assert_true(ngram[i].document == i / 2 && ngram[i].corpus == 2 && ngram[i].n == (i % 2 ? 13 : 8));
        assert_true(slice_equal(ngram[i].field, SLICE("test")));
    }
    assert_true(!ngram[0].is_short && ngram[1].is_short);
    assert_true(ngram[0].words == 3 && ngram[0].ngrams == 4 && ngram[0].distinct == 5);
    assert_true(ngram[0].found_distinct == 6 && ngram[0].found == 7 && ngram[0].rare == 8);
    assert_true(ngram[0].covered == 9 && ngram[0].covered_rare == 10 && ngram[0].covered_once == 11);
    assert_true(ngram[0].longest_run == 12 && ngram[0].run_shard == 13 && ngram[0].run_at == 14);
    assert_true(ngram[0].run_record == 15 && ngram[0].lcs == 16 && ngram[0].lcs_of == 17);
    assert_true(ngram[0].documents == 18 && ngram[0].occurrences == 19 && ngram[0].max_frequency == 20);
    assert_true(slice_equal(ngram[0].run_path, SLICE("a/b.c")) && ngram[0].run_line == 23);
    assert_true(!ngram[3].run_path.at && ngram[3].run_line == -1);
    assert_true(ngram[3].run_shard == UINT32_MAX && ngram[3].lcs == -1 && ngram[3].lcs_of == -1);

    rule = graph_rows_of(&build.graph, &table_ngram_rules).rows;
    assert_true(rule[0].document == 0 && rule[0].corpus == 2 && slice_equal(rule[0].field, SLICE("test")));
    assert_true(rule[0].gpt3_13gram == rules.gpt3_13gram && rule[0].palm_8gram == rules.palm_8gram);
    assert_true(rule[0].tulu3_8gram == rules.tulu3_8gram && rule[0].exact_substring == 1);
    assert_true(rule[0].windows50 == rules.windows50 && rule[0].qwen_lcs == rules.qwen_lcs);
    assert_true(rule[0].windows == 21 && rule[0].windows_found == 22);
    assert_true(rule[0].llama3_8gram > 2.9 && rule[0].llama3_8gram < 3.1);  /* 9 / 3: not max_df's 10 / 3 */
    assert_true(rule[0].idf_weighted > 0.4 && rule[0].idf_weighted < 0.6);
    assert_true(rule[1].document == 1 && rule[1].windows == -1 && rule[1].windows_found == -1);
    graph_build_free(&build);
}

/* With max_df the rules see rare n-grams alone. */
static void test_rare(void **unused)
{
    struct graph_document document[] = { { .shard = 0, .record = 0 } };
    struct ngram_row      row[] = { row_of(0, 0, 8), row_of(0, 0, 13) };
    struct ngram_options  rare = options;
    struct ngram_job      job = { .options = &rare };
    struct graph_build    build = { .graph = { .documents = document, .document_count = 1 } };
    struct err            err = { 0 };
    const struct graph_ngram_rule *rule;

    (void)unused;
    rare.max_df = 1;
    row[1].rare = 0;
    row[1].is_short = false;
    assert_int_equal(graph_add_ngrams(&build, &job, &(struct ngram_result){ .row = row, .count = 2 }, &err), 0);
    rule = graph_rows_of(&build.graph, &table_ngram_rules).rows;
    assert_int_equal(rule->gpt3_13gram, 0);
    graph_build_free(&build);
    build = (struct graph_build){ .graph = { .documents = document, .document_count = 1 } };
    assert_int_equal(graph_add_ngrams(&build, &job, &(struct ngram_result){ 0 }, &err), 0);
    assert_true(graph_rows_of(&build.graph, &table_ngrams).count == 0 &&
                graph_rows_of(&build.graph, &table_ngram_rules).count == 0);
    graph_build_free(&build);
}

/* With ngrams.case: source the folded rows stand behind those as written, and some rules are of them. */
static void test_folded(void **unused)
{
    struct graph_document document[] = { { .shard = 0, .record = 0 } };
    struct ngram_row      row[] = { row_of(0, 0, 8), row_of(0, 0, 13) }, folded[] = { row_of(0, 0, 8), row[1] };
    struct ngram_result   result = { .row = row, .folded = folded, .count = 2 };
    struct ngram_job      job = { .options = &options, .fold = true, .both = true };
    struct graph_build    build = { .graph = { .documents = document, .document_count = 1 } };
    struct err            err = { 0 };
    const struct graph_ngram      *ngram;
    const struct graph_ngram_rule *rule;

    (void)unused;
    row[1].is_short = folded[1].is_short = false;
    row[1].found = row[0].covered_once = 0;
    assert_int_equal(graph_add_ngrams(&build, &job, &result, &err), 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_ngrams).count, 4);
    ngram = graph_rows_of(&build.graph, &table_ngrams).rows;
    for (size_t i = 0; i < 4; i++) assert_true(ngram[i].folded == (i > 1) && ngram[i].n == (i % 2 ? 13 : 8));
    assert_int_equal(graph_rows_of(&build.graph, &table_ngram_rules).count, 1);
    rule = graph_rows_of(&build.graph, &table_ngram_rules).rows;
    assert_true(rule->gpt3_13gram == 1 && rule->tulu3_8gram == 1 && rule->qwen_lcs == 0);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_rare),
                                        cmocka_unit_test(test_folded) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
