/* audit/trial.h -- a classifier of files that a model was trained on: learned from some of the rows with a label,
 * tested with the others, asked for those without.  Source: TraWiC (Majdinasab et al.), sections 3.4 and 4. */
#ifndef LEAKGRAPH_AUDIT_TRIAL_H
#define LEAKGRAPH_AUDIT_TRIAL_H

#include "audit/repository.h"
#include "learn/classifier.h"
#include "learn/curve.h"
#include "learn/grid.h"
#include "stats/correlation.h"

enum { AUDIT_COLUMNS = 2 * AUDIT_CATEGORIES, AUDIT_BINS = 10, AUDIT_REPEATS = 20 };
/* criteria of a score: the files; repositories of which more than 0.4, more than 0.6 of the files are said to be */
enum { AUDIT_SINGLE, AUDIT_FOUR, AUDIT_SIX, AUDIT_CRITERIA };
extern const unsigned    audit_criterion_tenths[AUDIT_CRITERIA];        /* 0, 4, 6 */
extern const char *const audit_criterion_names[AUDIT_CRITERIA];         /* single, 0.4, 0.6 */
extern const char *const audit_column_names[AUDIT_COLUMNS];             /* class_hits, class_nums_total, ... */

struct audit_trial_options {
    enum classifier_kind kind;
    bool                 published;                         /* a fifth of the rows to learn from is kept back, unused */
    bool                 grid;                              /* chosen from the published settings, else defaults */
    size_t               columns;                           /* AUDIT_COLUMNS, or AUDIT_CATEGORIES: hits alone */
    uint64_t             seed;
    int                  threads;
};

struct audit_trial {
    struct classifier         classifier;
    struct classifier_options chosen;                       /* not told of one that has learned elsewhere */
    struct grid_score         best;                         /* of the grid; NaN without */
    size_t                    columns, learned;             /* rows that it has learned from */
    double                   *value;                        /* of each feature row */
    uint8_t                  *said;
    struct learn_scores       score[AUDIT_CRITERIA];        /* of the test */
    double                    auc, brier;                   /* of the test; NaN: not defined */
    struct calibration_bin    bin[AUDIT_BINS];              /* counts of 0 for support vectors, which say no share */
    struct roc_point         *roc;
    size_t                    roc_points;
    double                    importance[AUDIT_COLUMNS];    /* by impurity or gain; NaN for support vectors */
    double                    permuted[AUDIT_COLUMNS], deviation[AUDIT_COLUMNS];
};

/* The rows row[0 .. count-1] as columns of numbers; AUDIT_COLUMNS of them need totals.  Labels that are not known are
 * 0.  Its values and labels are owned.  0 or -ENOMEM. */
int audit_data_make(const struct audit_features *f, const size_t *row, size_t count, size_t columns,
                    struct learn_data *out, struct err *err);

/* Learns, tests, asks.  0, or <0 with err set (-EINVAL: rows that nothing can be learned from); then *out is empty. */
int audit_trial_run(const struct audit_features *f, const struct audit_repositories *r, const struct audit_parts *parts,
                    const struct audit_trial_options *options, struct audit_trial *out, struct err *err);

/* The same with a classifier that has learned elsewhere, which becomes the trial's; its columns must be ours. */
int audit_trial_use(const struct audit_features *f, const struct audit_repositories *r, const struct audit_parts *parts,
                    const struct audit_trial_options *options, struct classifier *classifier, struct audit_trial *out,
                    struct err *err);
void audit_trial_free(struct audit_trial *t);

/* Scores of the test's rows with other features `noisy` in place of theirs.  0 or -ENOMEM. */
int audit_trial_score(const struct audit_trial *t, const struct audit_features *f, const struct audit_features *noisy,
                      const struct audit_repositories *r, const struct audit_parts *parts, bool published,
                      struct learn_scores out[AUDIT_CRITERIA], struct err *err);

/* A copy of the rows in which each hit was lost with probability `ratio` (kept iff U > ratio; of many hits how many
 * are kept is drawn at once).  Needs totals.  0 or -ENOMEM. */
int audit_noise(const struct audit_features *f, double ratio, uint64_t seed, struct audit_features *out,
                struct err *err);

/* Spearman's correlations of the columns over all rows: out[i * columns + j].  0 or -ENOMEM. */
int audit_correlations(const struct audit_features *f, size_t columns, struct correlation *out, struct err *err);

#endif
