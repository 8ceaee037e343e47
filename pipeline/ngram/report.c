/* ngram/report.c -- see report.h. */
#include "ngram/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct query_column ngrams_rule_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "field", "field", CELL_NAME }, { "corpus", "corpus", CELL_NAME },
    { "items", "items", CELL_COUNT }, { "gpt3_13gram_percent", "GPT-3 %", CELL_PERCENT },
    { "palm_8gram_percent", "PaLM %", CELL_PERCENT }, { "tulu3_8gram_percent", "Tülu 3 %", CELL_PERCENT },
    { "exact_substring_percent", "substring %", CELL_PERCENT }, { "windows50_percent", "windows %", CELL_PERCENT },
    { "qwen_lcs_percent", "Qwen %", CELL_PERCENT }, { "llama3_8gram_mean", "Llama 3, mean", CELL_SHARE },
    { "idf_weighted_mean", "IDF, mean", CELL_SHARE }, { "decon_5gram_mean", "decon, mean", CELL_SHARE },
};

static const struct query_table ngrams_rules = {
    "rules", "ngram_contamination", ngrams_rule_columns, 13, 0, NULL,
};

static const struct query_column ngrams_pattern_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "field", "field", CELL_NAME }, { "corpus", "corpus", CELL_NAME },
    { "gpt3_13gram", "GPT-3", CELL_TEXT }, { "palm_8gram", "PaLM", CELL_TEXT },
    { "tulu3_8gram", "Tülu 3", CELL_TEXT }, { "exact_substring", "substring", CELL_TEXT },
    { "windows50", "windows", CELL_TEXT }, { "qwen_lcs", "Qwen", CELL_TEXT }, { "items", "items", CELL_COUNT },
};

static const struct query_table ngrams_patterns = {
    "agreement", "ngram_agreement LIMIT 40", ngrams_pattern_columns, 10, 0, NULL,
};
_Static_assert(NGRAMS_PATTERNS == 40, "the limit above says so");

static const struct query_column ngrams_run_columns[] = {
    { "snippet", "snippet", CELL_ID }, { "benchmark", "benchmark", CELL_NAME }, { "source_id", "id", CELL_NAME },
    { "field", "field", CELL_NAME }, { "corpus", "corpus", CELL_NAME }, { "words", "words", CELL_COUNT },
    { "run_words", "longest run", CELL_COUNT }, { "found_percent", "n-grams found %", CELL_PERCENT },
    { "documents", "documents", CELL_COUNT }, { "shard", "shard", CELL_NAME }, { "record", "record", CELL_ID },
    { "at", "at word", CELL_COUNT }, { "run_place", "place (path:line)", CELL_NAME },
    { "more", "more runs", CELL_COUNT },
};
static const struct query_table ngrams_runs = {
    "runs",
    "(SELECT *, count(*) OVER (PARTITION BY item) - 1 AS more, row_number() OVER (PARTITION BY item ORDER BY place) AS "
    "of_item FROM (SELECT r.*, row_number() OVER (ORDER BY r.run_words DESC, r.snippet, r.field, "
    "r.corpus) AS place, coalesce(s.features_xxh128, s.xxh128) AS item FROM "
    "ngram_runs AS r JOIN snippets AS s ON s.id = r.snippet)) WHERE of_item = 1 ORDER BY place LIMIT 20",
    ngrams_run_columns, 14, 0, NULL,
};
_Static_assert(NGRAMS_RUNS == 20, "the limit above says so");

int ngrams_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    bool                ran;
    int                 rc = graph_run_says(db, "ngrams.unit", &ran, err);

    if (rc < 0 || !ran) return rc;
    section = report_section(out, out->root, "ngrams", SLICE("What the published n-gram rules say"));
    report_paragraph(out, section, "Items that a rule flags, in percent of all, also those that it cannot be asked "
                                   "of; means are of those that it can be. GPT-3: any 13-gram found in the corpus. "
                                   "PaLM: at least 70 %% of "
                     "the 8-grams. Tülu 3: more than half of the words in 8-grams of one document. Substring: the "
                     "whole text. Windows: at least 80 %% of the "
                     "windows of 50 bytes, looked for around n-grams of the smallest n: a lower bound. "
                     "Qwen: a 13-gram, and a common subsequence of at least 0.6 of the "
                     "shorter text. Llama 3: the share of words in 8-grams "
                     "that are found. IDF: the share of n-grams found, rare ones weighing more. decon: the share of "
                     "5-grams that one document has, those of few items weighing more (`n` with 5). With `case: "
                     "source` GPT-3, Tülu 3, substring, IDF and decon are of texts in lower case.");
    rc = query_table_add(out, section, db, &ngrams_rules, &rows, err);
    if (rc == 0) report_paragraph(out, section, "Where the rules agree (empty: the rule cannot be asked):");
    if (rc == 0) rc = query_table_add(out, section, db, &ngrams_patterns, &rows, err);
    if (rc == 0)
        report_paragraph(out, section, "The longest runs of words in one document, by the n-grams of the smallest n:");
    return rc < 0 ? rc : query_table_add(out, section, db, &ngrams_runs, &rows, err);
}
