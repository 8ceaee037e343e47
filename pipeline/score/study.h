/* score/study.h -- what a leak does to scores: those of leaked items beside those of clean ones.
 *
 * A subject is a model, of a kind, with so many layers frozen; its seeds are averaged item by item.  Of each subject
 * and metric: means of all, leaked and clean items with intervals, how far the groups are apart, and tests of that.  Of
 * kinds (leaky and non-leaky pre-training, Lopez et al. 2024): means over seeds beside each other; of layers: how what
 * kinds are apart goes with them.  Of models that did the same items: which is better, item by item.
 * The statistics are pipeline/stats'; docs/definitions.md, "Scores". */
#ifndef LEAKGRAPH_SCORE_STUDY_H
#define LEAKGRAPH_SCORE_STUDY_H

#include "score/metric.h"

enum score_part { SCORE_ALL, SCORE_LEAKED, SCORE_CLEAN, SCORE_PARTS };
extern const char *const score_part_names[SCORE_PARTS];     /* "full", "dup", "non_dup": as published */

enum { SCORE_FEW = 10 };                                    /* of fewer items an interval says little */

struct score_estimate { double is, low, high; };            /* low, high: NaN where they are not known */
struct score_mean { size_t items; struct score_estimate mean; };

struct score_subject { struct slice model, kind, layer; uint32_t seeds; };

/* Of a subject by a metric; NaN where a group is too small. */
struct score_effect {
    uint32_t              subject, metric;
    struct score_mean     of[SCORE_PARTS];
    struct score_estimate difference, delta;                /* leaked less clean; Cliff's */
    double                u, p, holm, hochberg;             /* Mann-Whitney's, and p among all effects */
    double                t, freedom, welch, permutation, cohen, hedges;
    bool                  exact;
};

/* Of one series: means of its items. */
struct score_run { uint32_t series, metric; double mean[SCORE_PARTS]; };

/* Seeds of a model, of both kinds beside each other; n 0: there is no such kind. */
struct score_kind { struct slice name; size_t seeds; double mean, deviation; };
struct score_seeds {
    struct slice      model, layer;
    uint32_t          metric;
    enum score_part   part;
    struct score_kind kind[2];
    double            difference, u, p, cohen, hedges;      /* NaN: of one kind alone */
};

/* Along the layers: what kinds are apart (of ''), or the mean of a kind. */
struct score_slope {
    struct slice    model, of;
    uint32_t        metric;
    enum score_part part;
    size_t          layers;
    double          slope, intercept, slope_p, pearson, pearson_p, spearman, spearman_p;
};

/* Two subjects at the same items. */
struct score_duel {
    uint32_t              first, second, metric;
    enum score_part       part;
    size_t                items;
    struct score_estimate difference;                       /* first less second */
    double                w, p, holm;                       /* Wilcoxon's */
};

struct score_study {
    struct score_subject *subject; size_t subjects;
    struct score_effect  *effect;  size_t effects, effect_room;
    struct score_run     *run;     size_t runs, run_room;
    struct score_seeds   *seeds;   size_t seed_count, seed_room;
    struct score_slope   *slope;   size_t slopes, slope_room;
    struct score_duel    *duel;    size_t duels, duel_room;
};

/* draws: of bootstrap and permutation tests; seed: what they are drawn by. */
struct score_draws { uint32_t draws; uint64_t seed; int threads; };

/* *out borrows the samples' texts and is to be freed either way.  0, or -ENOMEM with err set. */
int  score_study_make(const struct score_samples *samples, const struct score_items *items,
                      const struct score_points *points, const struct score_draws *draws, struct score_study *out,
                      struct err *err);
void score_study_free(struct score_study *study);

#endif
