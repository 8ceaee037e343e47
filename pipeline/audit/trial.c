/* audit/trial.c -- see trial.h. */
#include "audit/trial.h"

#include "base/random.h"
#include "learn/split.h"
#include "stats/distribution.h"
#include "stats/roc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { KEPT_SEED = 42 };                                    /* of the released code */

const unsigned    audit_criterion_tenths[AUDIT_CRITERIA] = { 0, 4, 6 };
const char *const audit_criterion_names[AUDIT_CRITERIA] = { "single", "0.4", "0.6" };
const char *const audit_column_names[AUDIT_COLUMNS] = {
    "class_hits", "class_nums_total", "function_hits", "function_nums_total", "variable_hits", "variable_nums_total",
    "string_hits", "string_nums_total", "comment_hits", "comment_nums_total", "docstring_hits", "docstring_nums_total",
};
static const char *const hits_names[AUDIT_CATEGORIES] = { "class_hits", "function_hits", "variable_hits", "string_hits",
                                                     "comment_hits", "docstring_hits" };

/* ---- rows to numbers ---- */

static void fill_row(const struct audit_feature *row, size_t columns, double *out)
{
    for (int r = 0; r < AUDIT_CATEGORIES; r++) {
        *out++ = row->hits[r];
        if (columns == AUDIT_COLUMNS) *out++ = row->total[r];
    }
}

int audit_data_make(const struct audit_features *f, const size_t *row, size_t count, size_t columns,
                    struct learn_data *out, struct err *err)
{
    *out = (struct learn_data){ .rows = count, .columns = columns,
                                .value = malloc((count * columns + 1) * sizeof *out->value),
                                .label = malloc(count + 1),
                                .name = (const char **)(columns == AUDIT_COLUMNS ? audit_column_names : hits_names) };
    if (!out->value || !out->label) {
        learn_data_free(out);
        return err_memory(err, count * columns * sizeof *out->value, "feature rows");
    }
    for (size_t i = 0; i < count; i++) {
        fill_row(&f->row[row[i]], columns, out->value + i * columns);
        out->label[i] = f->row[row[i]].label == 1;
    }
    return 0;
}

/* ---- learning ---- */

static struct classifier_options defaults_of(enum classifier_kind kind, uint64_t seed)
{
    struct classifier_options o = { .kind = kind };

    switch (kind) {
    case CLASSIFIER_FOREST: o.of.forest = FOREST_DEFAULTS, o.of.forest.seed = seed; break;
    case CLASSIFIER_BOOST:  o.of.boost = BOOST_DEFAULTS, o.of.boost.seed = seed; break;
    case CLASSIFIER_SVM:    o.of.svm = SVM_DEFAULTS; break;
    }
    return o;
}

/* The rows that are learned from: the released code sets a fifth of them aside and looks at it no more. */
static int rows_to_learn(const struct audit_features *f, const struct audit_parts *parts, bool published, size_t **row,
                         size_t *count, struct err *err)
{
    uint8_t *label = malloc(parts->train + 1);
    int      rc = 0;

    *row = malloc((parts->train + 1) * sizeof **row);
    *count = parts->train;
    if (!label || !*row) rc = err_memory(err, parts->train * sizeof **row, "rows to learn from");
    for (size_t i = 0; i < parts->train && rc == 0; i++) {
        (*row)[i] = i;
        label[i] = f->row[parts->row[i]].label == 1;
    }
    if (rc == 0 && published) rc = split_train_test(label, parts->train, 0.2, KEPT_SEED, *row, count, err);
    for (size_t i = 0; i < *count && rc == 0; i++) (*row)[i] = parts->row[(*row)[i]];
    free(label);
    return rc;
}

static int learn(const struct learn_data *data, const struct audit_trial_options *options, struct audit_trial *out,
                 struct err *err)
{
    static const struct grid_score none = { NAN, NAN };
    struct classifier_options     *setting = calloc(GRID_MAX, sizeof *setting);
    struct grid_score             *score = calloc(GRID_MAX, sizeof *score);
    size_t                         count, best = 0;
    int                            rc = setting && score ? 0 : err_memory(err, GRID_MAX * sizeof *setting, "a grid");

    out->best = none;
    if (rc == 0 && options->grid) {
        count = grid_published(options->kind, options->seed, setting);
        rc = grid_search(data, setting, count, GRID_FOLDS, options->threads, score, &best, &out->classifier, err);
        out->chosen = setting[best];
        out->best = score[best];
    } else if (rc == 0) {
        out->chosen = defaults_of(options->kind, options->seed);
        rc = classifier_fit(data, &out->chosen, options->threads, &out->classifier, err);
    }
    free(setting);
    free(score);
    return rc;
}

/* ---- what it is worth ---- */

static int ask_all(const struct classifier *c, const struct audit_features *f, size_t columns, double *value,
                   uint8_t *said)
{
    double row[AUDIT_COLUMNS];

    for (size_t i = 0; i < f->count; i++) {
        fill_row(&f->row[i], columns, row);
        if (value) value[i] = classifier_value(c, row);
        said[i] = classifier_says(c, row);
    }
    return 0;
}

static int score_all(const struct audit_features *f, const struct audit_repositories *r,
                     const struct audit_parts *parts, const uint8_t *said, bool published,
                     struct learn_scores out[AUDIT_CRITERIA], struct err *err)
{
    const size_t      *row = parts->row + parts->train;
    struct audit_vote *vote = calloc(r->count + 1, sizeof *vote);
    uint64_t           n[2][2] = { { 0 } };

    if (!vote) return err_memory(err, r->count * sizeof *vote, "votes");
    for (size_t i = 0; i < parts->test; i++) n[f->row[row[i]].label == 1][said[row[i]]]++;
    out[AUDIT_SINGLE] = learn_scores_of(n[1][1], n[0][1], n[0][0], n[1][0]);
    audit_votes(f, r, row, parts->test, said, published, vote);
    for (int c = AUDIT_FOUR; c < AUDIT_CRITERIA; c++)
        out[c] = audit_votes_score(vote, r->count, audit_criterion_tenths[c]);
    free(vote);
    return 0;
}

static int curves(const struct audit_features *f, const struct audit_parts *parts, struct audit_trial *t,
                  struct err *err)
{
    const size_t *row = parts->row + parts->train;
    double       *value = malloc((parts->test + 1) * sizeof *value);
    uint8_t      *truth = malloc(parts->test + 1);
    struct roc    area;
    int           rc = value && truth ? 0 : err_memory(err, parts->test * sizeof *value, "curves");

    for (size_t i = 0; i < parts->test && rc == 0; i++) {
        value[i] = t->value[row[i]];
        truth[i] = f->row[row[i]].label == 1;
    }
    t->brier = NAN;
    if (rc == 0 && t->classifier.kind != CLASSIFIER_SVM)
        calibration_curve(value, truth, parts->test, AUDIT_BINS, t->bin, &t->brier);
    if (rc == 0) rc = roc_measure(value, truth, parts->test, &area, err);
    t->auc = rc == 0 ? area.auc : NAN;
    if (rc == 0) rc = roc_curve(value, truth, parts->test, &t->roc, &t->roc_points, err);
    free(value);
    free(truth);
    return rc;
}

static int importances(const struct audit_features *f, const struct audit_parts *parts, uint64_t seed,
                       struct audit_trial *t, struct err *err)
{
    struct learn_data data;
    int               rc = 0;

    for (size_t c = 0; c < AUDIT_COLUMNS; c++) t->importance[c] = t->permuted[c] = t->deviation[c] = NAN;
    if (t->classifier.kind == CLASSIFIER_FOREST) rc = forest_importance(&t->classifier.of.forest, t->importance, err);
    if (t->classifier.kind == CLASSIFIER_BOOST) rc = boost_importance(&t->classifier.of.boost, t->importance, err);
    if (rc < 0 || parts->test == 0) return rc;
    rc = audit_data_make(f, parts->row + parts->train, parts->test, t->columns, &data, err);
    if (rc == 0)
        rc = classifier_permute(&t->classifier, &data, AUDIT_REPEATS, seed, t->permuted, t->deviation, err);
    learn_data_free(&data);
    return rc;
}

static int test_all(const struct audit_features *f, const struct audit_repositories *r,
                    const struct audit_parts *parts, const struct audit_trial_options *options,
                    struct audit_trial *t, struct err *err)
{
    int rc;

    t->columns = options->columns;
    t->value = malloc((f->count + 1) * sizeof *t->value);
    t->said = malloc(f->count + 1);
    if (!t->value || !t->said) return err_memory(err, f->count * sizeof *t->value, "answers");
    ask_all(&t->classifier, f, t->columns, t->value, t->said);
    rc = score_all(f, r, parts, t->said, options->published, t->score, err);
    if (rc == 0) rc = curves(f, parts, t, err);
    return rc < 0 ? rc : importances(f, parts, options->seed, t, err);
}

int audit_trial_run(const struct audit_features *f, const struct audit_repositories *r, const struct audit_parts *parts,
                    const struct audit_trial_options *options, struct audit_trial *out, struct err *err)
{
    struct learn_data data = { 0 };
    size_t           *row = NULL, count;
    int               rc;

    *out = (struct audit_trial){ 0 };
    rc = rows_to_learn(f, parts, options->published, &row, &count, err);
    if (rc == 0) rc = audit_data_make(f, row, count, options->columns, &data, err);
    if (rc == 0) rc = learn(&data, options, out, err);
    if (rc == 0) rc = test_all(f, r, parts, options, out, err);
    out->learned = rc == 0 ? count : 0;
    learn_data_free(&data);
    free(row);
    if (rc < 0) audit_trial_free(out);
    return rc;
}

static int check_columns(const struct classifier *c, size_t columns, struct err *err)
{
    const char *const *have = classifier_column_names(c),
                      *const *ours = columns == AUDIT_COLUMNS ? audit_column_names : hits_names;

    if (classifier_columns(c) != columns)
        return err_set(err, -EINVAL, "the classifier has learned from %zu columns, not from %zu", classifier_columns(c),
                       columns);
    for (size_t i = 0; have && i < columns; i++)
        if (strcmp(have[i], ours[i]) != 0)
            return err_set(err, -EINVAL, "column %zu of the classifier is `%.80s`, not `%s`", i + 1, have[i], ours[i]);
    return 0;
}

int audit_trial_use(const struct audit_features *f, const struct audit_repositories *r, const struct audit_parts *parts,
                    const struct audit_trial_options *options, struct classifier *classifier, struct audit_trial *out,
                    struct err *err)
{
    int rc = check_columns(classifier, options->columns, err);

    *out = (struct audit_trial){ .best = { NAN, NAN } };
    if (rc < 0) return rc;
    out->classifier = *classifier;
    *classifier = (struct classifier){ 0 };
    rc = test_all(f, r, parts, options, out, err);
    if (rc < 0) audit_trial_free(out);
    return rc;
}

void audit_trial_free(struct audit_trial *t)
{
    classifier_free(&t->classifier);
    free(t->value);
    free(t->said);
    free(t->roc);
    *t = (struct audit_trial){ 0 };
}

int audit_trial_score(const struct audit_trial *t, const struct audit_features *f, const struct audit_features *noisy,
                      const struct audit_repositories *r, const struct audit_parts *parts, bool published,
                      struct learn_scores out[AUDIT_CRITERIA], struct err *err)
{
    uint8_t *said = malloc(f->count + 1);
    int      rc = said ? 0 : err_memory(err, f->count, "answers");

    if (rc == 0) {
        ask_all(&t->classifier, noisy, t->columns, NULL, said);
        rc = score_all(f, r, parts, said, published, out, err);
    }
    free(said);
    return rc;
}

/* ---- noise, correlations ---- */

/* Of more hits than these it is not drawn one by one which are kept: how many is as a normal distribution has it, and
 * rows may say that there are a thousand million. */
enum { HITS_DRAWN = 10000 };

static double hits_kept(double had, double ratio, struct random *random)
{
    const double mean = had * (1 - ratio);
    double       kept = 0;

    if (had > HITS_DRAWN) {
        kept = round(mean + normal_quantile(random_unit(random)) * sqrt(mean * ratio));
        return fmax(0, fmin(had, kept));
    }
    for (double k = 0; k < had; k++) kept += random_unit(random) > ratio;
    return kept;
}

int audit_noise(const struct audit_features *f, double ratio, uint64_t seed, struct audit_features *out,
                struct err *err)
{
    int rc = 0;

    *out = (struct audit_features){ 0 };
    for (size_t i = 0; i < f->count && rc == 0; i++) {
        const struct audit_feature *row = &f->row[i];
        struct random               random = random_start(seed, i);
        double                      hits[AUDIT_CATEGORIES];

        for (int r = 0; r < AUDIT_CATEGORIES; r++) {
            const double had = round(row->hits[r] * row->total[r]);

            hits[r] = row->total[r] > 0 ? hits_kept(had, ratio, &random) / row->total[r] : 0;
        }
        rc = audit_features_add(out, slice_of(row->file), slice_of(row->repository), hits, row->total, row->label, err);
    }
    if (rc < 0) audit_features_free(out);
    return rc;
}

int audit_correlations(const struct audit_features *f, size_t columns, struct correlation *out, struct err *err)
{
    double *value = malloc((columns * f->count + 1) * sizeof *value), row[AUDIT_COLUMNS];
    int     rc = value ? 0 : err_memory(err, columns * f->count * sizeof *value, "correlations");

    for (size_t i = 0; i < f->count && rc == 0; i++) {
        fill_row(&f->row[i], columns, row);
        for (size_t c = 0; c < columns; c++) value[c * f->count + i] = row[c];
    }
    for (size_t a = 0; a < columns && rc == 0; a++)
        for (size_t b = 0; b < columns && rc == 0; b++)
            if (spearman(value + a * f->count, value + b * f->count, f->count, &out[a * columns + b]) < 0)
                rc = err_memory(err, f->count * sizeof *value, "correlations");
    free(value);
    return rc;
}
