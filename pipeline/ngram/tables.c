/* ngram/tables.c -- see tables.h. */
#include "ngram/tables.h"

#include <errno.h>
#include <stdlib.h>

static struct graph_ngram ngram_make(const struct ngram_job *job, const struct ngram_row *row, uint32_t document)
{
    return (struct graph_ngram){
        .document = document, .corpus = row->corpus, .n = row->n,
            .field = slice_of(job->options->field[row->field].name), .is_short = row->is_short,
        .words = row->words, .ngrams = row->ngrams, .distinct = row->distinct, .found_distinct = row->found_distinct,
            .found = row->found, .rare = row->rare,
        .covered = row->covered, .covered_rare = row->covered_rare, .covered_once = row->covered_once,
            .longest_run = row->longest_run,
        .run_shard = row->longest_run ? row->run_shard : UINT32_MAX, .run_at = row->run_at,
            .run_record = row->run_record, .documents = row->documents,
        .occurrences = row->occurrences, .max_frequency = row->max_frequency, .lcs = row->lcs_of ? (int64_t)row->lcs
            : -1,
        .lcs_of = row->lcs_of ? (int64_t)row->lcs_of : -1 };
}

static struct graph_ngram_rule rule_make(const struct ngram_job *job, const struct ngram_row *row, size_t count,
                                         uint32_t document)
{
    struct ngram_rules rules = ngram_rules_of(row, count, job->options->max_df != 0);

    return (struct graph_ngram_rule){
        .document = document, .corpus = row->corpus, .field = slice_of(job->options->field[row->field].name),
            .gpt3_13gram = rules.gpt3_13gram,
        .palm_8gram = rules.palm_8gram, .tulu3_8gram = rules.tulu3_8gram, .exact_substring = rules.exact_substring,
            .windows50 = rules.windows50,
        .qwen_lcs = rules.qwen_lcs, .windows = row->windows ? (int64_t)row->windows : -1, .windows_found = row->windows
            ? (int64_t)row->windows_found : -1,
        .llama3_8gram = rules.llama3_8gram, .idf_weighted = rules.idf_weighted };
}

int graph_add_ngrams(struct graph_build *build, const struct ngram_job *job, const struct ngram_result *result,
                     struct err *err)
{
    const size_t             sizes = job->options->sizes;
    struct graph_ngram      *ngram = graph_build_own(build, malloc((result->count + 1) * sizeof *ngram));
    struct graph_ngram_rule *rule = graph_build_own(build, malloc((result->count / sizes + 1) * sizeof *rule));
    struct graph_finder      finder = { .graph = &build->graph };
    size_t                   ngrams = 0, rules = 0;

    if (!ngram || !rule) return err_memory(err, result->count * sizeof *ngram, "rows of ngrams");
    for (size_t r = 0; r < result->count; r += sizes) {
        const struct ngram_row *row = &result->row[r];
        uint32_t                document;

        if (!graph_find(&finder, row->shard, row->record, &document)) continue;
        for (size_t i = 0; i < sizes; i++) ngram[ngrams++] = ngram_make(job, &row[i], document);
        rule[rules++] = rule_make(job, row, sizes, document);
    }
    build->graph.ngrams = ngram, build->graph.ngram_count = ngrams;
    build->graph.ngram_rules = rule, build->graph.ngram_rule_count = rules;
    return 0;
}
