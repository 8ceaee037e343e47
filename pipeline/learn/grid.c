/* learn/grid.c -- see grid.h. */
#include "learn/grid.h"

#include "learn/split.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- the published settings ---- */

static size_t forest_grid(uint64_t seed, struct classifier_options *out)
{
    static const enum tree_split     criterion[] = { TREE_GINI, TREE_ENTROPY };
    static const uint32_t            depth[] = { 10, 20, 30 }, trees[] = { 50, 100, 200 };
    static const enum forest_columns columns[] = { FOREST_SQRT, FOREST_LOG2 };
    size_t                           n = 0;

    for (size_t i = 0; i < 2 * 3 * 2 * 3; i++) {
        struct forest_options o = FOREST_DEFAULTS;

        o.criterion = criterion[i / 18];
        o.max_depth = depth[i / 6 % 3];
        o.max_columns = columns[i / 3 % 2];
        o.trees = trees[i % 3];
        o.seed = seed;
        out[n++] = (struct classifier_options){ .kind = CLASSIFIER_FOREST, .of.forest = o };
    }
    return n;
}

static size_t boost_grid(uint64_t seed, struct classifier_options *out)
{
    static const double   share[] = { 0.6, 0.8, 1 }, rate[] = { 0.01, 0.1, 0.5 };
    static const uint32_t depth[] = { 3, 5, 7 }, rounds[] = { 50, 100, 200 };
    size_t                n = 0;

    for (size_t i = 0; i < 3 * 3 * 3 * 3 * 3; i++) {
        struct boost_options o = BOOST_DEFAULTS;

        o.columns_share = share[i / 81];
        o.learning_rate = rate[i / 27 % 3];
        o.max_depth = depth[i / 9 % 3];
        o.rounds = rounds[i / 3 % 3];
        o.rows_share = share[i % 3];
        o.seed = seed;
        out[n++] = (struct classifier_options){ .kind = CLASSIFIER_BOOST, .of.boost = o };
    }
    return n;
}

static size_t svm_grid(struct classifier_options *out)
{
    static const double          cost[] = { 0.1, 1, 10, 100 }, gamma[] = { 1, 0.1, 0.01, 0.001 };
    static const enum svm_kernel kernel[] = { SVM_RBF, SVM_LINEAR };
    size_t                       n = 0;

    for (size_t i = 0; i < 4 * 4 * 2; i++) {
        struct svm_options o = SVM_DEFAULTS;

        o.cost = cost[i / 8];
        o.gamma = gamma[i / 2 % 4];
        o.kernel = kernel[i % 2];
        out[n++] = (struct classifier_options){ .kind = CLASSIFIER_SVM, .of.svm = o };
    }
    return n;
}

size_t grid_published(enum classifier_kind kind, uint64_t seed, struct classifier_options *out)
{
    switch (kind) {
    case CLASSIFIER_FOREST: return forest_grid(seed, out);
    case CLASSIFIER_BOOST:  return boost_grid(seed, out);
    default:                return svm_grid(out);
    }
}

/* ---- the search ---- */

/* One fold's rows, to learn from and to be tested with. */
struct part { struct learn_data learn, test; };

static int parts_make(const struct learn_data *data, uint32_t folds, struct part *part, struct err *err)
{
    uint32_t *fold = calloc(data->rows + 1, sizeof *fold);
    size_t   *row = calloc(data->rows + 1, sizeof *row);
    int       rc = fold && row ? split_folds(data->label, data->rows, folds, false, 0, fold, err)
                               : err_memory(err, data->rows * (sizeof *fold + sizeof *row), "folds");

    for (uint32_t f = 0; f < folds && rc == 0; f++) {
        size_t count = 0;

        for (size_t r = 0; r < data->rows; r++) if (fold[r] != f) row[count++] = r;
        rc = learn_data_select(data, row, count, &part[f].learn, err);
        count = 0;
        for (size_t r = 0; r < data->rows; r++) if (fold[r] == f) row[count++] = r;
        if (rc == 0) rc = learn_data_select(data, row, count, &part[f].test, err);
    }
    free(fold);
    free(row);
    return rc;
}

static int fit_and_score(const struct part *part, const struct classifier_options *options, double *f1,
                         struct err *err)
{
    struct classifier c;

    if (classifier_fit(&part->learn, options, 1, &c, err) < 0) return err->code;
    *f1 = classifier_scores(&c, &part->test).f1;
    if (isnan(*f1)) *f1 = 0;
    classifier_free(&c);
    return 0;
}

static struct grid_score sum_up(const double *f1, uint32_t folds)
{
    struct grid_score s = { 0, 0 };

    for (uint32_t f = 0; f < folds; f++) s.mean += f1[f] / folds;
    for (uint32_t f = 0; f < folds; f++) s.deviation += (f1[f] - s.mean) * (f1[f] - s.mean) / folds;
    s.deviation = sqrt(s.deviation);
    return s;
}

static int score_all(const struct part *part, const struct classifier_options *options, size_t count, uint32_t folds,
                     int threads, double *f1, struct err *err)
{
    int rc = 0;

#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t i = 0; i < count * folds; i++) {
        struct err mine = { 0 };

        if (fit_and_score(part + i % folds, options + i / folds, f1 + i, &mine) == 0) continue;
#pragma omp critical(grid_failure)
        {
            *err = mine;
            rc = mine.code;
        }
    }
    return rc;
}

int grid_search(const struct learn_data *data, const struct classifier_options *options, size_t count, uint32_t folds,
                int threads, struct grid_score *score, size_t *best, struct classifier *refit, struct err *err)
{
    struct part *part;
    double      *f1;
    int          rc;

    if (refit) *refit = (struct classifier){ 0 };
    if (count == 0) return err_set(err, -EINVAL, "no settings to choose from");
    if (folds < 2 || folds > data->rows)
        return err_set(err, -EINVAL, "%u folds of %zu rows", folds, data->rows);
    if (learn_data_check(data, err) < 0) return err->code;
    part = calloc(folds, sizeof *part);
    f1 = calloc(count * folds, sizeof *f1);
    rc = part && f1 ? parts_make(data, folds, part, err) : err_memory(err, count * folds * sizeof *f1, "a search");
    if (rc == 0) rc = score_all(part, options, count, folds, threads, f1, err);
    *best = 0;
    for (size_t i = 0; i < count && rc == 0; i++) {
        score[i] = sum_up(f1 + i * folds, folds);
        if (score[i].mean > score[*best].mean) *best = i;
    }
    for (uint32_t f = 0; part && f < folds; f++) {
        learn_data_free(&part[f].learn);
        learn_data_free(&part[f].test);
    }
    free(part);
    free(f1);
    if (rc == 0 && refit) rc = classifier_fit(data, options + *best, threads, refit, err);
    return rc;
}
