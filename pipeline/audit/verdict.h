/* audit/verdict.h -- from feature rows to verdicts: classifiers with their scores, lost hits, the test that needs no
 * training data; and what is said of all that.  Tables have the shapes of TraWiC's: scores by threshold and criterion
 * (2, 9, 10), F of three classifiers (4), scores under noise (5 to 7, 11 to 13). */
#ifndef LEAKGRAPH_AUDIT_VERDICT_H
#define LEAKGRAPH_AUDIT_VERDICT_H

#include "audit/permutation.h"
#include "audit/trial.h"
#include "report/document.h"

enum { VERDICT_KINDS = CLASSIFIER_SVM + 1, VERDICT_NOISES = 3, VERDICT_LEVELS = 2 };
extern const double verdict_noise[VERDICT_NOISES];          /* 0.1, 0.5, 0.9 */
extern const double verdict_level[VERDICT_LEVELS];          /* of p: 0.05, 0.01 */

struct verdict_options {
    bool     kind[VERDICT_KINDS];                           /* which classifiers */
    bool     published, grid;
    bool     hits_only;                                     /* 6 columns; else 12 where totals are told, as below */
    double   test_share;
    uint64_t seed;
    uint32_t draws;                                         /* of the permutation tests; 0: none are made */
    int      threads;
};

/* One file of feature rows, as of one threshold, and what came of it.  Zeroed but for name (borrowed) and features. */
struct verdict {
    const char               *name;
    struct audit_features     features;
    struct audit_repositories repositories;
    struct audit_parts        parts;
    bool                      tried[VERDICT_KINDS], noised;
    struct audit_trial        trial[VERDICT_KINDS];
    struct learn_scores       noise[VERDICT_KINDS][VERDICT_NOISES][AUDIT_CRITERIA];
    struct audit_suspect     *suspect;                      /* of each repository; NULL: not asked */
    struct correlation       *correlation;                  /* of columns * columns */
    size_t                    columns;
};

/* Columns that a classifier gets: 12 where rows have totals, 6 where not, where hits_only says so, and for support
 * vectors, in whose distances counts would drown shares (published: 12 for these too). */
size_t verdict_columns(const struct audit_features *f, const struct verdict_options *options,
                       enum classifier_kind kind);

/* Makes one.  reference: rows of another model, or NULL.  use: a classifier that has learned elsewhere and becomes the
 * verdict's, or NULL; then nothing is learned and all rows with a label are the test.  Without rows of both labels no
 * classifier is learned.  0, or <0 with err set. */
int  verdict_make(struct verdict *v, const struct verdict_options *options, const struct audit_features *reference,
                  struct classifier *use, struct err *err);
/* Learns and tests the classifiers that options have, of one that was made without: tried, trial, parts, noise.  0, or
 * <0 with err set (-EINVAL: rows that nothing can be learned from). */
int  verdict_learn(struct verdict *v, const struct verdict_options *options, struct err *err);
void verdict_free(struct verdict *v);                       /* the features too */

/* How often clean repositories have a p at or below verdict_level[level], and those of label 1.  test: 0 permutation of
 * files, 1 rank among repositories, 2 beyond their spread, 3 signs against the reference. */
enum { VERDICT_TESTS = 4 };
extern const char *const verdict_test_names[VERDICT_TESTS];
struct verdict_rate { uint64_t clean, wrong, trained, found; };
struct verdict_rate verdict_rate_of(const struct verdict *v, int test, int level);

/* The report of all; its tables' keys are names of files.  Memory that runs out is told by rendering it. */
void verdict_document(const struct verdict *v, size_t count, const struct verdict_options *options,
                      struct report_document *out);

/* Appends the ROC curves of all that was tried, by kind and file of rows, as an SVG picture; nothing where nothing was.
 * 0 or -ENOMEM. */
int verdict_roc_svg(const struct verdict *v, size_t count, struct bytes *out);

#endif
