/* score/study.c -- groups of a subject beside each other; see study.h.  Seeds, layers and models: score/series.c. */
#include "score/study_private.h"

#include "stats/adjust.h"
#include "stats/resample.h"
#include "stats/two_sample.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

const char *const score_part_names[SCORE_PARTS] = { "full", "dup", "non_dup" };

bool score_in_part(const struct score_items *items, uint32_t item, enum score_part part)
{
    return part == SCORE_ALL || items->at[item].leaked == (part == SCORE_LEAKED);
}

size_t score_range_end(const struct score_point *at, size_t count, size_t from)
{
    size_t to = from;

    while (to < count && at[to].series == at[from].series && at[to].metric == at[from].metric) to++;
    return to;
}

uint64_t score_draw_seed(const struct studying *s, uint32_t subject, uint32_t metric)
{
    const struct score_subject *of = &s->out->subject[subject];
    const struct slice          part[] = { of->model, of->kind, of->layer, slice_of(s->points->metric[metric]) };
    uint64_t                    seed = s->draws->seed;

    for (size_t i = 0; i < sizeof part / sizeof *part; i++) seed = XXH3_64bits_withSeed(part[i].at, part[i].len, seed);
    return seed;
}

/* ---- subjects ---- */

static bool same_subject(const struct score_series *a, const struct score_subject *b)
{
    return slice_equal(a->model, b->model) && slice_equal(a->kind, b->kind) && slice_equal(a->layer, b->layer);
}

static int subjects_find(struct studying *s, struct err *err)
{
    const size_t count = s->samples->series_count;

    s->subject = malloc((count + 1) * sizeof *s->subject);
    s->out->subject = malloc((count + 1) * sizeof *s->out->subject);
    if (!s->subject || !s->out->subject) return err_memory(err, count * sizeof *s->out->subject, "models");
    for (size_t i = 0; i < count; i++) {
        const struct score_series *series = &s->samples->series[i];
        uint32_t                   at = (uint32_t)s->out->subjects;

        /* seeds of a subject mostly follow each other */
        while (at && !same_subject(series, &s->out->subject[at - 1])) at--;
        if (!at) {
            at = (uint32_t)++s->out->subjects;
            s->out->subject[at - 1] = (struct score_subject){ series->model, series->kind, series->layer, 0 };
        }
        s->out->subject[at - 1].seeds++;
        s->subject[i] = at - 1;
    }
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct score_point *x = a, *y = b;

    if (x->series != y->series) return x->series < y->series ? -1 : 1;
    if (x->metric != y->metric) return x->metric < y->metric ? -1 : 1;
    if (x->item != y->item) return x->item < y->item ? -1 : 1;
    return (x->is > y->is) - (x->is < y->is);
}

/* Items' means over seeds. */
static int means_take(struct studying *s, struct err *err)
{
    struct score_point *at = malloc((s->points->count + 1) * sizeof *at);
    size_t              kept = 0;

    s->mean = at;
    if (!at) return err_memory(err, s->points->count * sizeof *at, "scores");
    for (size_t i = 0; i < s->points->count; i++) {
        at[i] = s->points->at[i];
        at[i].series = s->subject[at[i].series];
        at[i].tries = 1;
    }
    if (s->points->count) qsort(at, s->points->count, sizeof *at, by_place);
    for (size_t i = 0; i < s->points->count; i++) {
        struct score_point *last = kept ? &at[kept - 1] : NULL;

        if (last && last->series == at[i].series && last->metric == at[i].metric && last->item == at[i].item) {
            last->is += at[i].is;
            last->tries++;
        } else at[kept++] = at[i];
    }
    for (size_t i = 0; i < kept; i++) at[i].is /= at[i].tries;
    s->means = kept;
    return 0;
}

/* ---- runs ---- */

static int runs_take(struct studying *s, struct err *err)
{
    const struct score_points *points = s->points;

    for (size_t from = 0, to; from < points->count; from = to) {
        struct score_run run = { points->at[from].series, points->at[from].metric, { 0 } };
        size_t           items[SCORE_PARTS] = { 0 };

        to = score_range_end(points->at, points->count, from);
        for (int part = 0; part < SCORE_PARTS; part++) {
            for (size_t i = from; i < to; i++)
                if (score_in_part(s->items, points->at[i].item, (enum score_part)part)) {
                    run.mean[part] += points->at[i].is;
                    items[part]++;
                }
            run.mean[part] = items[part] ? run.mean[part] / (double)items[part] : NAN;
        }
        if (ARRAY_GROW(s->out->run, s->out->run_room, s->out->runs) < 0)
            return err_memory(err, s->out->run_room * sizeof run, "means");
        s->out->run[s->out->runs++] = run;
    }
    return 0;
}

/* ---- effects ---- */

/* Values of a part of one subject and metric. */
struct part_values { double *at[SCORE_PARTS]; size_t count[SCORE_PARTS]; };

static void values_take(const struct studying *s, size_t from, size_t to, struct part_values *values)
{
    for (int part = 0; part < SCORE_PARTS; part++) {
        values->count[part] = 0;
        for (size_t i = from; i < to; i++)
            if (score_in_part(s->items, s->mean[i].item, (enum score_part)part))
                values->at[part][values->count[part]++] = s->mean[i].is;
    }
}

static struct score_estimate estimate_of(const struct bootstrap *bootstrap)
{
    return (struct score_estimate){ bootstrap->value, bootstrap->low, bootstrap->high };
}

/* Leaked beside clean; each number is NaN where the groups are too small for it. */
static int groups_test(const struct part_values *v, const struct bootstrap_options *options,
                       struct score_effect *out)
{
    const double       *x = v->at[SCORE_LEAKED], *y = v->at[SCORE_CLEAN];
    const size_t        x_count = v->count[SCORE_LEAKED], y_count = v->count[SCORE_CLEAN];
    struct mann_whitney ranks;
    struct t_tests      means;
    struct cohen        cohen_of;
    struct cliff        cliff;
    struct permutation  deals;
    struct bootstrap    difference;

    if (mann_whitney(x, x_count, y, y_count, &ranks) < 0 || t_tests(x, x_count, y, y_count, &means) < 0 ||
        cohen(x, x_count, y, y_count, &cohen_of) < 0 || cliff_delta(x, x_count, y, y_count, &cliff) < 0 ||
        permutation_means(x, x_count, y, y_count, options->rounds, options->seed, options->threads, &deals) < 0 ||
        bootstrap_two(x, x_count, y, y_count, statistic_mean, NULL, options, &difference) < 0) return -ENOMEM;
    out->difference = estimate_of(&difference);
    out->delta = (struct score_estimate){ cliff.delta, cliff.low, cliff.high };
    out->u = ranks.u, out->p = ranks.p, out->exact = ranks.exact;
    out->t = means.welch.t, out->freedom = means.welch.freedom, out->welch = means.welch.p;
    out->permutation = deals.p;
    out->cohen = cohen_of.pooled;
    out->hedges = cohen_of.hedges;
    return 0;
}

static int effect_take(struct studying *s, size_t from, size_t to, struct part_values *values)
{
    struct score_effect            effect = { .subject = s->mean[from].series, .metric = s->mean[from].metric };
    const struct bootstrap_options options = { s->draws->draws, score_draw_seed(s, effect.subject, effect.metric),
                                               0.95, s->draws->threads };
    struct bootstrap               mean;

    values_take(s, from, to, values);
    for (int part = 0; part < SCORE_PARTS; part++) {
        if (bootstrap_one(values->at[part], values->count[part], statistic_mean, NULL, &options, &mean) < 0)
            return -ENOMEM;
        effect.of[part] = (struct score_mean){ values->count[part], estimate_of(&mean) };
    }
    if (groups_test(values, &options, &effect) < 0 ||
        ARRAY_GROW(s->out->effect, s->out->effect_room, s->out->effects) < 0) return -ENOMEM;
    s->out->effect[s->out->effects++] = effect;
    return 0;
}

/* The family is all subjects by all metrics. */
static int effects_adjust(struct score_study *out)
{
    double *p = malloc((3 * out->effects + 1) * sizeof *p);
    int     rc = p ? 0 : -ENOMEM;

    for (size_t i = 0; i < out->effects && p; i++) p[i] = out->effect[i].p;
    if (rc == 0) rc = holm_adjust(p, out->effects, p + out->effects);
    if (rc == 0) rc = benjamini_hochberg(p, out->effects, p + 2 * out->effects);
    for (size_t i = 0; i < out->effects && rc == 0; i++) {
        out->effect[i].holm = p[out->effects + i];
        out->effect[i].hochberg = p[2 * out->effects + i];
    }
    free(p);
    return rc;
}

static int effects_study(struct studying *s, struct err *err)
{
    struct part_values values = { .count = { 0 } };
    int                rc = 0;

    for (int part = 0; part < SCORE_PARTS && rc == 0; part++) {
        values.at[part] = malloc((s->items->count + 1) * sizeof *values.at[part]);
        rc = values.at[part] ? 0 : -ENOMEM;
    }
    for (size_t from = 0, to; from < s->means && rc == 0; from = to) {
        to = score_range_end(s->mean, s->means, from);
        rc = effect_take(s, from, to, &values);
    }
    if (rc == 0) rc = effects_adjust(s->out);
    for (int part = 0; part < SCORE_PARTS; part++) free(values.at[part]);
    return rc < 0 ? err_memory(err, s->items->count * sizeof(double), "scores of items") : 0;
}

int score_study_make(const struct score_samples *samples, const struct score_items *items,
                     const struct score_points *points, const struct score_draws *draws, struct score_study *out,
                     struct err *err)
{
    struct studying s = { .samples = samples, .items = items, .points = points, .draws = draws, .out = out };
    int             rc;

    *out = (struct score_study){ 0 };
    rc = subjects_find(&s, err);
    if (rc == 0) rc = means_take(&s, err);
    if (rc == 0) rc = runs_take(&s, err);
    if (rc == 0) rc = effects_study(&s, err);
    if (rc == 0) rc = score_series_study(&s, err);
    if (rc == 0) rc = score_duels_study(&s, err);
    free(s.subject);
    free(s.mean);
    return rc;
}

void score_study_free(struct score_study *study)
{
    free(study->subject);
    free(study->effect);
    free(study->run);
    free(study->seeds);
    free(study->slope);
    free(study->duel);
    *study = (struct score_study){ 0 };
}
