/* inclusion/verdict.c -- see verdict.h. */
#include "inclusion/verdict.h"

#include "stats/adjust.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

const uint32_t inclusion_threshold[INCLUSION_THRESHOLDS] = { 20, 40, 60, 80 };

/* ---- rows of features ---- */

static int category_of(struct slice role)
{
    int c = 0;

    while (c < AUDIT_CATEGORIES && !slice_equal(role, slice_of(audit_category_names[c]))) c++;
    return c;
}

int inclusion_features_make(const struct graph_inclusion_file *file, const struct graph_inclusion_answer *answer,
                            size_t count, uint32_t threshold, struct audit_features *to, struct err *err)
{
    int rc = 0;

    for (size_t i = 0, end; i < count && rc == 0; i = end) {
        const struct graph_inclusion_file *f = &file[answer[i].file];
        double                             hits[AUDIT_CATEGORIES] = { 0 }, total[AUDIT_CATEGORIES] = { 0 }, all = 0;

        for (end = i; end < count && answer[end].file == answer[i].file; end++) {
            const int c = category_of(answer[end].role);

            if (answer[end].score < 0 || c == AUDIT_CATEGORIES) continue;
            hits[c] += answer[end].score >= (c <= AUDIT_VARIABLE ? 100 : (int64_t)threshold);
            total[c]++;
            all++;
        }
        for (int c = 0; c < AUDIT_CATEGORIES; c++) if (total[c] > 0) hits[c] /= total[c];
        if (all > 0)
            rc = audit_features_add(to, f->path, f->repo.len ? f->repo : (struct slice){ NULL, 0 }, hits, total,
                                    (int)f->trained, err);
    }
    return rc;
}

/* ---- verdicts ---- */

/* The least p that so many draws of `own` out of `pool` files give on average. */
static double least_by_files(size_t own, size_t pool, uint32_t draws)
{
    double choices = 1;

    for (size_t i = 1; i <= own && choices < 1e12; i++) choices *= (double)(pool - own + i) / (double)i;
    return (1 + draws / choices) / (1.0 + draws);
}

static const char *verdict_name(const struct graph_inclusion_verdict *row, double p, double level)
{
    return row->clean ? "clean" : isnan(p) ? "untested" : row->p_adjusted <= level + 1e-12 ? "trained" : "not shown";
}

static double deciding(const struct graph_inclusion_verdict *row, int test)
{
    return test == INCLUSION_SPREAD ? row->p_spread : test == INCLUSION_FILES ? row->p_files : row->p_repositories;
}

/* The least that its p can be. */
static double least(const struct graph_inclusion_verdict *row, const struct inclusion_verdict_options *o)
{
    if (o->test == INCLUSION_SPREAD) return 0;
    return o->test == INCLUSION_RANK ? 1 / ((double)row->clean_repositories + 1)
        : least_by_files((size_t)row->files, (size_t)(row->files + row->clean_files), o->draws);
}

/* A set's rows, whose p of the test that decides stand in p; p has room for as many adjusted ones behind them. */
static int rows_decide(struct graph_inclusion_verdict *row, size_t count, double *p,
                       const struct inclusion_verdict_options *o, struct err *err)
{
    const double level = (double)o->level.num / o->level.den;
    size_t       tested = 0;

    for (size_t i = 0; i < count; i++) {
        p[i] = row[i].clean ? NAN : deciding(&row[i], o->test);
        if (!isnan(p[i])) tested++;
    }
    if (holm_adjust(p, count, p + count) < 0) return err_memory(err, count * sizeof *p, "p-values");
    for (size_t i = 0; i < count; i++) {
        row[i].p_adjusted = p[count + i];
        row[i].decidable = !isnan(p[i]) && (double)tested * least(&row[i], o) <= level + 1e-12;
        row[i].verdict = verdict_name(&row[i], p[i], level);
    }
    return 0;
}

static struct graph_inclusion_verdict row_of(const struct verdict *v, size_t r, uint32_t threshold, bool decides)
{
    const struct audit_suspect    *s = &v->suspect[r];
    const struct audit_repository *of = &v->repositories.at[r];
    struct graph_inclusion_verdict row = {
        .model = slice_of(v->name), .repo = of->name, .threshold = threshold, .decides = decides, .clean = s->clean,
        .label = of->label, .files = s->files, .clean_files = s->against_files, .clean_repositories = s->against,
        .rate = s->rate, .clean_rate = s->against_rate, .excess = s->excess, .p_files = s->p,
        .p_repositories = s->p_rank, .p_spread = s->p_spread,
    };

    for (int c = 0; c < AUDIT_CATEGORIES; c++) row.by[c] = s->by[c];
    return row;
}

static int set_add(struct inclusion_verdicts *out, const struct verdict *v, uint32_t threshold,
                   const struct inclusion_verdict_options *o, struct err *err)
{
    const size_t                    count = v->repositories.count;
    struct graph_inclusion_verdict *row;
    double                         *p;
    size_t                          clean = 0;
    int                             rc;

    for (size_t r = 0; r < count; r++) clean += v->suspect[r].clean;
    if (!clean) return 0;
    row = realloc(out->row, (out->rows + count) * sizeof *row);
    if (row) out->row = row;
    p = malloc(2 * count * sizeof *p);
    if (!row || !p) {
        free(p);
        return err_memory(err, (out->rows + count) * sizeof *row, "verdicts");
    }
    row += out->rows;
    for (size_t r = 0; r < count; r++) row[r] = row_of(v, r, threshold, threshold == o->threshold);
    rc = rows_decide(row, count, p, o, err);
    out->rows += count;
    free(p);
    return rc;
}

/* Learns from the files with a label; too few of them are no error. */
static int set_learn(struct inclusion_verdicts *out, struct verdict *v, uint32_t threshold,
                     const struct inclusion_verdict_options *o, int threads, struct err *err)
{
    const struct verdict_options options = {
        .kind = { [CLASSIFIER_FOREST] = o->classifiers != INCLUSION_NONE,
                  [CLASSIFIER_BOOST] = o->classifiers == INCLUSION_ALL,
                  [CLASSIFIER_SVM] = o->classifiers == INCLUSION_ALL && svm_available() },
        .test_share = 0.5, .seed = o->seed & ((UINT64_C(1) << 53) - 1), .threads = threads };
    int rc = verdict_learn(v, &options, err);

    if (rc == -EINVAL) {
        *err = (struct err){ 0 };
        rc = 0;
    }
    return rc < 0 ? rc : inclusion_learned_add(&out->learned, v, threshold, err);
}

static int model_add(struct inclusion_verdicts *out, const struct inclusion_verdict_options *o,
                     const struct graph_inclusion_file *file, const struct graph_inclusion_answer *answer,
                     size_t count, int threads, struct err *err)
{
    const struct verdict_options options = { .draws = o->draws, .seed = o->seed };
    int                          rc = 0;

    for (int t = 0; t < INCLUSION_THRESHOLDS && rc == 0; t++) {
        struct verdict *v = &out->set[out->sets++];

        *v = (struct verdict){ .name = answer->model.at };
        rc = inclusion_features_make(file, answer, count, inclusion_threshold[t], &v->features, err);
        if (rc == 0) rc = verdict_make(v, &options, NULL, NULL, err);
        if (rc == 0 && o->draws) rc = set_add(out, v, inclusion_threshold[t], o, err);
        if (rc == 0) rc = set_learn(out, v, inclusion_threshold[t], o, threads, err);
    }
    return rc;
}

int inclusion_verdicts_make(struct inclusion_verdicts *out, const struct inclusion_verdict_options *options,
                            const struct graph_inclusion_file *file, const struct graph_inclusion_answer *answer,
                            size_t count, int threads, struct err *err)
{
    size_t models = 0;
    int    rc = 0;

    *out = (struct inclusion_verdicts){ .sets = 0 };
    if (!options->draws && options->classifiers == INCLUSION_NONE) return 0;
    for (size_t i = 0; i < count; i++) models += i == 0 || !slice_equal(answer[i].model, answer[i - 1].model);
    out->set = calloc(models * INCLUSION_THRESHOLDS + 1, sizeof *out->set);
    if (!out->set) return err_memory(err, models * INCLUSION_THRESHOLDS * sizeof *out->set, "verdicts");
    for (size_t i = 0, end; i < count && rc == 0; i = end) {
        for (end = i + 1; end < count && slice_equal(answer[end].model, answer[i].model);) end++;
        rc = model_add(out, options, file, answer + i, end - i, threads, err);
    }
    if (rc < 0) inclusion_verdicts_free(out);
    return rc;
}

void inclusion_verdicts_free(struct inclusion_verdicts *v)
{
    for (size_t i = 0; i < v->sets; i++) verdict_free(&v->set[i]);
    free(v->set);
    free(v->row);
    inclusion_learned_free(&v->learned);
    *v = (struct inclusion_verdicts){ .sets = 0 };
}
