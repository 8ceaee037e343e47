/* ngram/tables.h -- what pass ngrams found, put into the graph of a run. */
#ifndef LEAKGRAPH_NGRAM_TABLES_H
#define LEAKGRAPH_NGRAM_TABLES_H

#include "graph/build.h"
#include "ngram/ngram.h"

/* A field of a benchmark item, n-grams of one n against one corpus; sorted by (document, field as listed, corpus,
 * folded, n). */
struct graph_ngram {
    uint32_t     document, corpus, n;
    struct slice field;
    bool         folded, is_short;
    uint32_t     words, ngrams, distinct, found_distinct, found, rare, covered, covered_rare, covered_once, longest_run;
    uint32_t     run_shard, run_at;                         /* run_shard UINT32_MAX: there is no run */
    struct slice run_path;
    int64_t      run_line;                                  /* negative: NULL */
    uint64_t     run_record, documents, occurrences, max_frequency;
    int64_t      lcs, lcs_of;                               /* negative: NULL */
};
/* The published rules over the rows of one field and corpus; negative: NULL. */
struct graph_ngram_rule {
    uint32_t     document, corpus;
    struct slice field;
    int64_t      gpt3_13gram, palm_8gram, tulu3_8gram, exact_substring, windows50, qwen_lcs, windows, windows_found;
    double       llama3_8gram, idf_weighted, decon_5gram;
};

extern const struct graph_table table_ngrams, table_ngram_rules;
extern const struct graph_table *const ngram_tables[];     /* for the descriptor */

/* Adds the pass when all documents are in the graph.  Items that are not stored there, because the view of pass near
 * rejected them, are left out; they are among the rejects.  The graph points into job and result, which must outlive
 * it.  0, or -ENOMEM with err set. */
int graph_add_ngrams(struct graph_build *build, const struct ngram_job *job, const struct ngram_result *result,
                     struct err *err);

#endif
