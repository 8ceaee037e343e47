/* probe/probe.h -- every item of the benchmarks put to every model.
 *
 * The items are collected by a pass and committed; then blocks of items are dealt over ranks and threads, and each
 * block and model is a unit, so that a resumed run asks no model twice.  What a model cannot answer is a missing value
 * with a counted reason. */
#ifndef LEAKGRAPH_PROBE_PROBE_H
#define LEAKGRAPH_PROBE_PROBE_H

#include "base/comm.h"
#include "base/stage.h"
#include "corpus/dataset.h"
#include "model/model.h"
#include "pass/run.h"

/* Metrics by their names in results.  Values are the metrics' own; probe_sign says which way they point. */
enum probe_metric {
    METRIC_TOKENS,                                          /* of the text */
    /* strided: mean of all tokens; of the windows' means, and these weighed, as the guide did before and does since */
    METRIC_NLL, METRIC_NLL_WINDOWS, METRIC_NLL_WEIGHTED,
    /* e^(mean over tokens) of the collapsed text, and so for the next ones */
    METRIC_PERPLEXITY,
    /* ln PPL(lower) / ln PPL; zlib bytes / ln PPL; mean PPL of windows of 6 lines */
    METRIC_LOWERCASE, METRIC_ZLIB, METRIC_WINDOW,
    METRIC_MIN_K, METRIC_MIN_K_PP,
    /* n-gram accuracy: equal; share above 0.75; share above 0.75 */
    METRIC_ACCURACY, METRIC_EDIT, METRIC_ROUGE,
    METRIC_SUSPICIOUS,                                      /* 1: all n-grams equal */
    /* of another model: ln PPL there / ln PPL, metric "ratio:OTHER"; ln PPL there - ln PPL, "difference:OTHER" */
    METRIC_RATIO, METRIC_DIFFERENCE,
    METRIC_COUNT,
    METRIC_ORDER,                                           /* of gaps alone: shards of `order` */
};
/* "tokens", "nll", "nll_windows", "nll_weighted", "perplexity", "lowercase", "zlib", "window", "min_k", "min_k_pp",
 * "accuracy", "edit", "rouge", "suspicious", "ratio", "difference" */
extern const char *const probe_metric_names[METRIC_COUNT];
/* 1: a larger value says that the model knows the text better; -1: a smaller one; 0: neither. */
int probe_sign(enum probe_metric metric);

enum { PROBE_MODELS = 16, PROBE_FIELDS = 8 };

/* Whether an item was in the training data, against which the metrics are ranked: a pair in a corpus that pass near
 * found (exact, near, contained, copy); a record field, a number (above 0: it was) or true or false. */
enum probe_truth { TRUTH_NONE, TRUTH_NEAR, TRUTH_FIELD };
enum probe_known { KNOWN_OUT, KNOWN_IN, KNOWN_NOT };        /* of one item: it was not, it was, nobody knows */

/* Whole benchmarks as they stand and shuffled: see order.h.  shards 0: not asked; items 0: those that fit. */
struct probe_order { uint32_t shards, permutations, items; uint64_t seed; char *join; };

struct probe_options {
    struct model_options model[PROBE_MODELS];               /* [models] */
    size_t               models;
    uint32_t             metrics;                           /* bits 1 << METRIC_... */
    /* [fields] record fields that are joined to the text; none: the dataset's text */
    char                *field[PROBE_FIELDS];
    size_t               fields;
    char                *join;                              /* between them */
    uint32_t             stride;                            /* of NLL; 0: half the model's context */
    uint32_t             n, starts;                         /* of n-gram accuracy: 5 and 5 */
    /* starts in every chunk of the text instead of in its beginning */
    bool                 strided_starts;
    /* predicted and true n-gram compared as ids instead of as text */
    bool                 compare_tokens;
    double               min_k;                             /* percent: 20 */
    bool                 published;                         /* compat: published */
    int                  truth;                             /* enum probe_truth */
    char                *truth_field;                       /* of TRUTH_FIELD, else '' */
    struct probe_order   order;
};

struct probe_job {
    const struct run *run;
    const bool                 *member;                     /* [dataset_count] which are probed */
    const struct probe_options *options;
    /* Out, on every rank: */
    struct model_info           model[PROBE_MODELS];        /* as opened; names are those of the options */
    uint64_t                    items, asked, reused;       /* items; blocks worked on in this run; found */
};

/* Collective.  0, or <0 with err set: -EDQUOT when a budget is used (all that was answered is committed: a later run
 * goes on). */
int probe_run(struct probe_job *job, struct err *err);

/* One number; item in the order of (shard, record), then model, then metric; `other` for METRIC_RATIO and
 * METRIC_DIFFERENCE, else 0. */
struct probe_value { uint64_t record; double value; uint32_t shard, model, metric, other; };
/* Why some are missing: model, metric (METRIC_COUNT: all), how many items (of METRIC_ORDER: shards), and the first
 * one's reason. */
struct probe_gap   { uint32_t model, metric; uint64_t items; char reason[160]; };
/* A shard of a benchmark in one order; permutation 0 is the benchmark's own. */
struct probe_ordered { double logprob; uint64_t tokens; uint32_t dataset, model, shard, permutation, items; };
/* Every item, in order; known: by TRUTH_FIELD. */
struct probe_asked { uint64_t record; uint32_t shard, known; };
struct probe_result {
    struct probe_value *value;
    size_t count;
    struct probe_gap *gap;
    size_t gaps, gap_room;
    struct probe_asked *item;
    size_t items;
    struct probe_ordered *ordered;                          /* by dataset, model, shard, permutation */
    size_t orders;
};

/* Rank 0, after probe_run.  0, or <0 with err set. */
int  probe_result_read(const struct probe_job *job, struct probe_result *out, struct err *err);
void probe_result_free(struct probe_result *result);

#endif
