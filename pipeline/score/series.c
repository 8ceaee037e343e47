/* score/series.c -- seeds of kinds beside each other, along layers, and models at the same items; see study.h. */
#include "score/study_private.h"

#include "stats/adjust.h"
#include "stats/correlation.h"
#include "stats/line.h"
#include "stats/paired.h"
#include "stats/resample.h"
#include "stats/summary.h"
#include "stats/two_sample.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- runs by subject ---- */

struct seed_mean { uint32_t subject, metric, run; };
struct seed_means { struct seed_mean *at; size_t count; const struct score_run *run; double *value[2]; };

static int by_subject(const void *a, const void *b)
{
    const struct seed_mean *x = a, *y = b;

    if (x->subject != y->subject) return x->subject < y->subject ? -1 : 1;
    if (x->metric != y->metric) return x->metric < y->metric ? -1 : 1;
    return (x->run > y->run) - (x->run < y->run);
}

static int seed_means_make(struct seed_means *means, const struct studying *s, struct err *err)
{
    const size_t count = s->out->runs;

    *means = (struct seed_means){ .at = malloc((count + 1) * sizeof *means->at), .count = count, .run = s->out->run };
    for (int k = 0; k < 2; k++) means->value[k] = malloc((count + 1) * sizeof *means->value[k]);
    if (!means->at || !means->value[0] || !means->value[1])
        return err_memory(err, count * sizeof *means->at, "means of seeds");
    for (size_t r = 0; r < count; r++)
        means->at[r] = (struct seed_mean){ s->subject[s->out->run[r].series], s->out->run[r].metric, (uint32_t)r };
    if (count) qsort(means->at, count, sizeof *means->at, by_subject);
    return 0;
}

static void seed_means_free(struct seed_means *means)
{
    free(means->at);
    for (int k = 0; k < 2; k++) free(means->value[k]);
}

/* Of a subject's seeds by a metric those that have a mean, to value[k].  Their number. */
static size_t seed_values(const struct seed_means *means, uint32_t subject, uint32_t metric, enum score_part part,
                          int k)
{
    size_t low = 0, high = means->count, count = 0;

    while (low < high) {
        const size_t            middle = low + (high - low) / 2;
        const struct seed_mean *at = &means->at[middle];

        if (at->subject < subject || (at->subject == subject && at->metric < metric)) low = middle + 1;
        else high = middle;
    }
    for (; low < means->count && means->at[low].subject == subject && means->at[low].metric == metric; low++) {
        const double value = means->run[means->at[low].run].mean[part];

        if (isfinite(value)) means->value[k][count++] = value;
    }
    return count;
}

/* ---- kinds beside each other ---- */

/* Is this the kind that has not seen the leak, by its name?  It stands second. */
static bool is_other(struct slice kind)
{
    static const char *const begins[] = { "non", "un", "clean", "no_", "no-" };

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (kind.len >= strlen(begins[i]) && memcmp(kind.at, begins[i], strlen(begins[i])) == 0) return true;
    return false;
}

static int kind_take(const struct studying *s, const struct seed_means *means, uint32_t subject, uint32_t metric,
                     enum score_part part, int k, struct score_kind *out)
{
    struct summary summary;
    size_t         count = seed_values(means, subject, metric, part, k);

    if (summary_take(means->value[k], count, &summary) < 0) return -ENOMEM;
    *out = (struct score_kind){ s->out->subject[subject].kind, count, summary.mean, summary.deviation };
    return 0;
}

/* second == first: there is no other kind. */
static int seeds_add(struct studying *s, const struct seed_means *means, uint32_t first, uint32_t second,
                     uint32_t metric, enum score_part part)
{
    const struct score_subject *of = &s->out->subject[first];
    struct score_seeds          row = { of->model, of->layer, metric, part, { { .seeds = 0 } }, NAN, NAN, NAN, NAN,
                                        NAN };
    struct mann_whitney         test;
    struct cohen                effect;

    if (kind_take(s, means, first, metric, part, 0, &row.kind[0]) < 0) return -ENOMEM;
    if (second != first) {
        if (kind_take(s, means, second, metric, part, 1, &row.kind[1]) < 0 ||
            mann_whitney(means->value[0], row.kind[0].seeds, means->value[1], row.kind[1].seeds, &test) < 0 ||
            cohen(means->value[0], row.kind[0].seeds, means->value[1], row.kind[1].seeds, &effect) < 0)
            return -ENOMEM;
        row.difference = row.kind[0].mean - row.kind[1].mean;
        row.u = test.u, row.p = test.p, row.cohen = effect.pooled;
        row.hedges = effect.hedges;
    }
    if (!row.kind[0].seeds && !row.kind[1].seeds) return 0;
    if (ARRAY_GROW(s->out->seeds, s->out->seed_room, s->out->seed_count) < 0) return -ENOMEM;
    s->out->seeds[s->out->seed_count++] = row;
    return 0;
}

static int pair_add(struct studying *s, const struct seed_means *means, uint32_t first, uint32_t second)
{
    int rc = 0;

    for (uint32_t m = 0; m < s->points->metrics && rc == 0; m++)
        for (int part = 0; part < SCORE_PARTS && rc == 0; part++)
            rc = seeds_add(s, means, first, second, m, (enum score_part)part);
    return rc;
}

static bool same_place(const struct score_subject *a, const struct score_subject *b)
{
    return slice_equal(a->model, b->model) && slice_equal(a->layer, b->layer);
}

/* The kind of the subject's model and layers that stands first: one that is not the other, where there is one.  *alone:
 * there is no second. */
static uint32_t kind_first(const struct score_study *study, uint32_t subject, bool *alone)
{
    uint32_t first = subject;
    bool     other;

    *alone = true;
    for (uint32_t a = 0; a < study->subjects; a++) {
        if (a == subject || !same_place(&study->subject[a], &study->subject[subject])) continue;
        *alone = false;
        other = is_other(study->subject[first].kind);
        if (is_other(study->subject[a].kind) == other ? a < first : other) first = a;
    }
    return first;
}

/* Each kind beside the first one of its model and layers. */
static int kinds_study(struct studying *s, const struct seed_means *means)
{
    int rc = 0;

    for (uint32_t b = 0; b < s->out->subjects && rc == 0; b++) {
        const struct score_subject *subject = &s->out->subject[b];
        bool                        alone;
        const uint32_t              first = kind_first(s->out, b, &alone);

        if (first != b) rc = pair_add(s, means, first, b);
        else if (alone && (subject->seeds > 1 || subject->layer.len)) rc = pair_add(s, means, b, b);
    }
    return rc;
}

/* ---- along layers ---- */

/* A number of layers as it is written. */
static bool layer_read(struct slice text, double *out)
{
    char  room[32];
    char *end;

    if (!text.len || text.len >= sizeof room) return false;
    memcpy(room, text.at, text.len);
    room[text.len] = '\0';
    *out = strtod(room, &end);
    return *end == '\0' && isfinite(*out);
}

/* What is set against the layers: a kind's mean, or (2) how far kinds are apart. */
static double slope_value(const struct score_seeds *row, int of)
{
    return of == 2 ? row->difference : row->kind[of].seeds ? row->kind[of].mean : NAN;
}

/* Rows of one line stand side by side. */
static int by_line(const void *a, const void *b)
{
    const struct score_seeds *x = *(const struct score_seeds *const *)a, *y = *(const struct score_seeds *const *)b;
    int                       c = slice_compare(x->model, y->model);

    if (c == 0) c = (x->metric > y->metric) - (x->metric < y->metric);
    if (c == 0) c = (x->part > y->part) - (x->part < y->part);
    if (c == 0) c = slice_compare(x->kind[0].name, y->kind[0].name);
    return c ? c : slice_compare(x->kind[1].name, y->kind[1].name);
}

static int by_line_and_row(const void *a, const void *b)
{
    const struct score_seeds *x = *(const struct score_seeds *const *)a, *y = *(const struct score_seeds *const *)b;
    const int                 c = by_line(a, b);

    return c ? c : (x > y) - (x < y);
}

static int slope_add(struct studying *s, const struct score_seeds *const *row, size_t rows, int of, double *x,
                     double *y)
{
    struct score_slope add = { .model = row[0]->model, .of = of == 2 ? SLICE("") : row[0]->kind[of].name,
                               .metric = row[0]->metric, .part = row[0]->part };
    struct correlation rank, plain;
    struct line        line;
    double             layer;

    for (size_t i = 0; i < rows; i++) {
        const double value = slope_value(row[i], of);

        if (!layer_read(row[i]->layer, &layer) || !isfinite(value)) continue;
        x[add.layers] = layer;
        y[add.layers++] = value;
    }
    if (add.layers < 2) return 0;
    line = line_fit(x, y, add.layers);
    plain = pearson(x, y, add.layers);
    if (spearman(x, y, add.layers, &rank) < 0) return -ENOMEM;
    add.slope = line.slope, add.intercept = line.intercept, add.slope_p = line.p;
    add.pearson = plain.r, add.pearson_p = plain.p, add.spearman = rank.r, add.spearman_p = rank.p;
    if (ARRAY_GROW(s->out->slope, s->out->slope_room, s->out->slopes) < 0) return -ENOMEM;
    s->out->slope[s->out->slopes++] = add;
    return 0;
}

static int slopes_study(struct studying *s)
{
    const size_t               count = s->out->seed_count;
    double                    *x = malloc((count + 1) * sizeof *x), *y = malloc((count + 1) * sizeof *y);
    const struct score_seeds **row = malloc((count + 1) * sizeof *row);
    int                        rc = x && y && row ? 0 : -ENOMEM;

    for (size_t i = 0; rc == 0 && i < count; i++) row[i] = &s->out->seeds[i];
    if (rc == 0 && count) qsort(row, count, sizeof *row, by_line_and_row);
    for (size_t from = 0, to; from < count && rc == 0; from = to) {
        for (to = from + 1; to < count && by_line(&row[from], &row[to]) == 0;) to++;
        for (int of = 0; of < 3 && rc == 0; of++) rc = slope_add(s, row + from, to - from, of, x, y);
    }
    free(x);
    free(y);
    free(row);
    return rc;
}

int score_series_study(struct studying *s, struct err *err)
{
    struct seed_means means;
    int               rc = seed_means_make(&means, s, err);

    if (rc == 0 && (kinds_study(s, &means) < 0 || slopes_study(s) < 0))
        rc = err_memory(err, s->out->seed_room * sizeof *s->out->seeds, "seeds");
    seed_means_free(&means);
    return rc;
}

/* ---- models at the same items ---- */

static size_t range_of(const struct studying *s, uint32_t subject, uint32_t metric)
{
    size_t low = 0, high = s->means;

    while (low < high) {
        const size_t              middle = low + (high - low) / 2;
        const struct score_point *at = &s->mean[middle];

        if (at->series < subject || (at->series == subject && at->metric < metric)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Items that both have, in their order.  Their number. */
static size_t items_pair(const struct studying *s, const struct score_duel *duel, double *x, double *y)
{
    size_t       a = range_of(s, duel->first, duel->metric), b = range_of(s, duel->second, duel->metric), count = 0;
    const size_t a_end = score_range_end(s->mean, s->means, a), b_end = score_range_end(s->mean, s->means, b);

    if (a == s->means || b == s->means || s->mean[a].series != duel->first || s->mean[b].series != duel->second ||
        s->mean[a].metric != duel->metric || s->mean[b].metric != duel->metric) return 0;
    while (a < a_end && b < b_end) {
        const uint32_t first = s->mean[a].item, second = s->mean[b].item;

        if (first == second && score_in_part(s->items, first, duel->part)) {
            x[count] = s->mean[a].is;
            y[count++] = s->mean[b].is;
        }
        a += first <= second;
        b += second <= first;
    }
    return count;
}

static int duel_add(struct studying *s, struct score_duel duel, double *x, double *y)
{
    const struct bootstrap_options options = { s->draws->draws, score_draw_seed(s, duel.second, duel.metric), 0.95,
                                               s->draws->threads };
    struct wilcoxon                test;
    struct bootstrap               mean;

    duel.items = items_pair(s, &duel, x, y);
    if (!duel.items) return 0;
    if (wilcoxon(x, y, duel.items, RANK_AUTO, &test) < 0) return -ENOMEM;
    for (size_t i = 0; i < duel.items; i++) x[i] -= y[i];
    if (bootstrap_one(x, duel.items, statistic_mean, NULL, &options, &mean) < 0 ||
        ARRAY_GROW(s->out->duel, s->out->duel_room, s->out->duels) < 0) return -ENOMEM;
    duel.difference = (struct score_estimate){ mean.value, mean.low, mean.high };
    duel.w = fmin(test.above, test.below), duel.p = test.p;
    s->out->duel[s->out->duels++] = duel;
    return 0;
}

static int duels_adjust(struct score_study *out)
{
    double *p = malloc((2 * out->duels + 1) * sizeof *p);
    int     rc = p ? 0 : -ENOMEM;

    for (size_t i = 0; i < out->duels && p; i++) p[i] = out->duel[i].p;
    if (rc == 0) rc = holm_adjust(p, out->duels, p ? p + out->duels : NULL);
    for (size_t i = 0; i < out->duels && rc == 0; i++) out->duel[i].holm = p[out->duels + i];
    free(p);
    return rc;
}

/* Each model beside the first one of its kind and layers. */
int score_duels_study(struct studying *s, struct err *err)
{
    const struct score_subject *subject = s->out->subject;
    double                     *x = malloc((s->items->count + 1) * sizeof *x), *y = malloc((s->items->count + 1) *
                                                                                          sizeof *y);
    int                         rc = x && y ? 0 : -ENOMEM;

    for (uint32_t b = 1; b < s->out->subjects && rc == 0; b++) {
        uint32_t a = 0;

        while (a < b && (!slice_equal(subject[a].kind, subject[b].kind) ||
                         !slice_equal(subject[a].layer, subject[b].layer))) a++;
        for (uint32_t m = 0; a < b && m < s->points->metrics && rc == 0; m++)
            for (int part = 0; part < SCORE_PARTS && rc == 0; part++)
                rc = duel_add(s, (struct score_duel){ .first = a, .second = b, .metric = m,
                                                      .part = (enum score_part)part }, x, y);
    }
    if (rc == 0) rc = duels_adjust(s->out);
    free(x);
    free(y);
    return rc < 0 ? err_memory(err, s->items->count * sizeof *x, "pairs of models") : 0;
}
