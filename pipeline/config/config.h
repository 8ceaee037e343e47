/* config/config.h -- pipeline.yaml, checked and resolved. */
#ifndef LEAKGRAPH_CONFIG_CONFIG_H
#define LEAKGRAPH_CONFIG_CONFIG_H

#include "base/bytes.h"
#include "base/err.h"
#include "clean/clean.h"
#include "corpus/dataset.h"
#include "dedup/dedup.h"
#include "graph/graph.h"
#include "generate/generate.h"
#include "probe/probe.h"
#include "clone/clone.h"
#include "near/near.h"
#include "ngram/ngram.h"
#include "portrait/portrait.h"
#include "repository/repository.h"
#include "sensitive/sensitive.h"

/* The section dedup. */
struct config_dedup {
    bool                 on;                                /* dedup is there */
    struct dedup_options options;                           /* resolved */
    /* as written, as are these: 0 where bands and rows were chosen */
    struct ratio         recall;
    uint32_t             bands, rows;
    int                  compat;
    uint32_t            *member;                            /* [member_count] datasets in the order of dedup.datasets */
    size_t               member_count;
    bool                *protect;                           /* [dataset_count] */
    /* [dataset_count] n: the n-th of dedup.added; 0: not among them */
    uint32_t            *generation;
    size_t               added_count;
};

/* The section portrait. */
struct config_portrait {
    bool                    on;                             /* portrait is there */
    struct portrait_options options;
    bool                   *member;                         /* [dataset_count] it is made of them */
};

/* The section line_clones. */
struct config_clones { bool on; struct clone_options options; };

/* The section ngrams. */
struct config_ngrams { bool on; struct ngram_options options; };

/* The section repositories. */
struct config_repositories {
    bool                      on;                           /* repositories is there */
    struct repository_options options;
    /* [dataset_count] those whose repositories are looked for */
    bool                     *benchmark;
};

/* The section probe. */
struct config_probe {
    bool                 on;                                /* probe is there */
    /* without metrics the models are there for `generate` alone */
    struct probe_options options;
    bool                *member;                            /* [dataset_count] their items are put to the models */
};

/* The section generate.  The outputs of each model are a dataset, behind all others; its file is there once they are
 * written. */
struct config_generate { bool on; struct generate_options options; size_t datasets; };

/* The section sensitive. */
struct config_sensitive {
    bool                     on;                            /* sensitive is there */
    struct sensitive_options options;
    bool                    *member;                        /* [dataset_count] their values are collected */
};

/* The section clean. */
struct config_clean { struct clean_output *at; size_t count; };

struct config {
    char                *output;                            /* run folder; relative to the current folder */
    char                *base;                              /* where relative globs start: the YAML's folder */
    struct dataset      *datasets;
    size_t               dataset_count;
    bool                 near_on;                           /* near_duplicates is there */
    struct near_options  near;
    struct config_dedup  dedup;
    struct config_ngrams ngrams;
    struct config_clones clones;
    struct config_portrait portrait;
    struct config_repositories repositories;
    struct config_probe  probe;
    struct config_generate generate;
    struct config_sensitive sensitive;
    struct config_clean  clean;
    int                  store;                             /* enum graph_store */
    double               fail_leakage, fail_rejects, fail_duplicates;           /* percent; -1: no gate */
    bool                 published;                         /* compat: published */
    /* bytes that near_duplicates may take on rank 0, and dedup on every rank; 0: three quarters of the machine's,
     * divided by the ranks for dedup */
    uint64_t             memory;
};

/* Reads and checks the file, then the --set assignments.  Every error names file and line (or the assignment) and, for
 * an unknown key, the nearest known one.  0, -EINVAL, -EIO, -ENOMEM with err set. */
int  config_read(struct config *out, const char *path, const char *const *sets, size_t set_count, struct err *err);
int  config_parse(struct config *out, const char *name, const char *text, size_t len, const char *base,
                  const char *const *sets, size_t set_count, struct err *err);
/* config.resolved.yaml: every key, also the defaults; globs from the root, so that it means the same anywhere */
int  config_print(const struct config *config, struct bytes *out);
/* the keys with defaults and help, for `leakgraph help config`: lines of at most 100 columns */
int  config_help(struct bytes *out);
void config_free(struct config *config);

/* The word for a choice of dedup as the file has it: of the keys method, cluster, write, keep, compat. */
struct slice config_dedup_word(const char *key, int choice);

#endif
