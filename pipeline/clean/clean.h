/* clean/clean.h -- datasets without what they share: RUN/cleaned/NAME/DATASET/SHARD.jsonl.zst, and lists of what was
 * removed and why.
 *
 * Items or documents go as a whole, or lose the lines that are in blocks of line_clones; or two subsets of a dataset
 * are drawn that differ in its duplicates alone (Lopez et al. 2024, inter-dataset code duplication: leaky and non-leaky
 * pre-training). */
#ifndef LEAKGRAPH_CLEAN_CLEAN_H
#define LEAKGRAPH_CLEAN_CLEAN_H

#include "base/comm.h"
#include "base/stage.h"
#include "capability/capability.h"
#include "clean/rule.h"
#include "clean/tables.h"
#include "clone/stages.h"
#include "corpus/dataset.h"
#include "graph/pool.h"
#include "pass/counts.h"
#include "pass/run.h"

/* Records of benchmarks, of corpora; lines of one dataset; or subsets. */
enum clean_drop { CLEAN_ITEMS, CLEAN_DOCUMENTS, CLEAN_SPANS, CLEAN_SUBSETS };

/* What a rule may ask, of all capabilities in the table's order.  Pairs are those of pass near with datasets of the
 * other role; of n-grams, the largest value over fields and corpora counts.  NULL is 0. */
enum { CLEAN_COLUMNS_MAX = 64 };
struct clean_columns {
    const char               *name[CLEAN_COLUMNS_MAX + 1];  /* NULL at the end */
    const struct rule_column *at[CLEAN_COLUMNS_MAX];
    const struct task        *of[CLEAN_COLUMNS_MAX];        /* whose it is */
    size_t                    count;
    uint64_t                  of_pairs, of_lines;           /* sets of columns, bits 1 << i */
    uint64_t                  pairs_most;                   /* so many, and graph.db may lack some */
};
void clean_columns_list(struct clean_columns *out, const struct config *config);
/* What the run must have for column c, as "ngrams"; NULL when it has it. */
const char *clean_column_lacks(const struct clean_columns *columns, size_t c);

/* Appends, with a NUL behind it, a query for the documents of dataset ?1 by s.id, s being snippets: `head`, columns of
 * s, then every column of a rule; those that are not in the set `asked` cost nothing and are 0.  0, or -ENOMEM. */
int clean_columns_query(const struct clean_columns *columns, uint64_t asked, const char *head, struct bytes *out,
                        struct err *err);
/* Has graph.db every pair that the rule (NULL: whoever looks at pairs) asks for?  A pair that it does not have would
 * leave a record in its place without a word.  0, or <0 with err set (-EINVAL with what to do). */
int clean_columns_check(const struct clean_columns *columns, const struct rule *rule, sqlite3 *db, struct err *err);

struct clean_output {
    char           *name;                                   /* of the folder */
    enum clean_drop drop;
    char           *dataset;                                /* as written; '': all of the role */
    char           *where;                                  /* the rule as written; of subsets '' */
    struct rule    *rule;                                   /* of subsets NULL */
    /* [dataset_count] it is made of them; all have the role of drop, spans and subsets have one */
    bool           *member;
    uint32_t        level;                                  /* of zstd */
    uint64_t        shard_size;                             /* bytes of small shards that are written as one file */
    char           *against;                                /* subsets: a benchmark; '': all of them */
    /* subsets: documents of each language without duplicates, and what shuffles them */
    uint64_t        base, seed;
    bool            transitive;                             /* subsets: duplicates through a cluster too */
};

struct clean_job {
    const struct run *run;
    const struct clean_columns *columns;                    /* of rules */
    const struct clean_output *outputs;
    size_t                     output_count;
    const struct clone_job    *clones;                      /* whose units say where the blocks of corpora are */
    const struct clone_small  *small;                       /* of rank 0: the documents that have them too */
    const struct scan_counts  *counts;                      /* of rank 0, to number documents; NULL elsewhere */
};

/* Rows for graph.db; the strings are in the pool. */
struct clean_result {
    /* by output, then dataset, split, in the order that they are met */
    struct graph_cleaned          *cleaned;
    size_t                         count, room;
    struct graph_cleaned_document *document;                /* by output, then in the contract's order */
    size_t                         document_count, document_room;
    struct graph_cleaned_shard    *shard;                   /* by output, then in the contract's order */
    size_t                         shard_count, shard_room;
    struct pool                    pool;
};

/* Writes every output anew, units of an earlier run being taken where they are the same.  Records that cannot be read
 * are in none.  Collective; the result is rank 0's and to be freed either way.  0, or <0 with err set: among others
 * -EINVAL when graph.db does not have all pairs that a rule asks for or a language has too few documents for the
 * subsets, -EIO when a shard has changed. */
int  clean_run(const struct clean_job *job, struct clean_result *out, struct err *err);
void clean_result_free(struct clean_result *result);

#endif
