/* clean/clean.h -- datasets without the records that a rule over graph.db names: RUN/cleaned/NAME/DATASET/SHARD.jsonl.zst, and NAME.removed.tsv. */
#ifndef LEAKGRAPH_CLEAN_CLEAN_H
#define LEAKGRAPH_CLEAN_CLEAN_H

#include "base/comm.h"
#include "base/stage.h"
#include "clean/rule.h"
#include "corpus/dataset.h"

enum clean_drop { CLEAN_ITEMS, CLEAN_DOCUMENTS };           /* records of benchmarks, of corpora */

/* What a rule may ask.  Pairs are those of pass near with datasets of the other role; of n-grams, the largest value over fields and corpora counts.
 * NULL is 0. */
enum clean_column {
    CLEAN_NEAR, CLEAN_EXACT, CLEAN_CONTAINED, CLEAN_COPIES, /* pairs: exact or near; exact; contained; copies below min_tokens */
    CLEAN_MATCHES,                                          /* snippets.matches */
    CLEAN_GPT3, CLEAN_PALM, CLEAN_LLAMA3, CLEAN_TULU3, CLEAN_SUBSTRING, CLEAN_WINDOWS, CLEAN_QWEN, CLEAN_IDF,   /* ngram_rules */
    CLEAN_CLONE,                                            /* clone_documents.shared_lines */
    CLEAN_COLUMNS
};
extern const char *const clean_columns[CLEAN_COLUMNS + 1];  /* their names, NULL at the end */

struct clean_output {
    char           *name;                                   /* of the folder */
    enum clean_drop drop;
    char           *dataset;                                /* as written; '': all of the role */
    char           *where;                                  /* the rule as written */
    struct rule    *rule;
    bool           *member;                                 /* [dataset_count] it is made of them; all have the role of drop */
    uint32_t        level;                                  /* of zstd */
};

struct clean_job {
    struct comm               *comm;
    struct stage              *stage;
    const char                *output;                      /* run folder, with its graph.db */
    const struct dataset      *datasets;
    size_t                     dataset_count;
    const struct shard_list   *shards;
    const struct clean_output *outputs;
    size_t                     output_count;
    uint64_t                   pairs_most;                  /* a document with so many pairs may have more than graph.db has */
    int                        threads;
};

/* Writes every output anew, units of an earlier run being taken where they are the same.  Records that cannot be read are in none.  Collective.
 * 0, or <0 with err set: among others -EINVAL when graph.db does not have all pairs that a rule asks for, -EIO when a shard has changed. */
int clean_run(struct clean_job *job, struct err *err);

#endif
