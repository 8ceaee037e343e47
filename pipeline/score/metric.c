/* score/metric.c -- all numbers of all samples, an item, metric and series each; see metric.h. */
#include "score/metric.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a metric is of.  K_MOST: tries that anybody asks for. */
enum source { OF_COLUMN, OF_TEXT, OF_TRIES };
enum { K_MOST = 100000 };
struct plan { enum source source; uint32_t column, k; };    /* column: of the samples, or an enum score_text */

struct making {
    const struct score_samples *samples;
    const struct score_items   *items;
    const struct score_matched *matched;
    const struct slice         *reference;
    enum score_words            words;
    struct plan                 plan[SCORE_METRICS_MOST];
    struct score_points        *out;
    struct score_point         *raw;                        /* of columns and texts: metric is a plan's `column` */
    size_t                      raw_count, raw_room;
    uint64_t                   *tries;                      /* [column]: fewest of an item; 0: none, most: several */
    uint64_t                   *most;
};

void score_points_free(struct score_points *points)
{
    free(points->at);
    *points = (struct score_points){ 0 };
}

static int point_put(struct score_point **at, size_t *room, size_t *count, struct score_point point, struct err *err)
{
    if (ARRAY_GROW(*at, *room, *count) < 0) return err_memory(err, *room * sizeof point, "scores");
    (*at)[(*count)++] = point;
    return 0;
}

/* ---- columns: sums over tries ---- */

static int by_place(const void *a, const void *b)
{
    const struct score_point *x = a, *y = b;

    if (x->series != y->series) return x->series < y->series ? -1 : 1;
    if (x->metric != y->metric) return x->metric < y->metric ? -1 : 1;
    if (x->item != y->item) return x->item < y->item ? -1 : 1;
    return (x->is > y->is) - (x->is < y->is);               /* so that sums do not depend on the order of rows */
}

/* Makes one point, the sum, of those that are of one place. */
static size_t points_merge(struct score_point *at, size_t count)
{
    size_t kept = 0;

    if (count) qsort(at, count, sizeof *at, by_place);
    for (size_t i = 0; i < count; i++) {
        struct score_point *last = kept ? &at[kept - 1] : NULL;

        if (last && last->series == at[i].series && last->metric == at[i].metric && last->item == at[i].item) {
            last->is += at[i].is;
            last->tries += at[i].tries;
        } else at[kept++] = at[i];
    }
    return kept;
}

static int columns_add(struct making *m, struct err *err)
{
    int rc = 0;

    for (size_t s = 0; s < m->samples->count && rc == 0; s++) {
        const struct score_sample *sample = &m->samples->at[s];

        if (m->matched->item[s] == TABLE_NONE) continue;
        for (size_t v = sample->value_at; v < sample->value_at + sample->values && rc == 0; v++)
            rc = point_put(&m->raw, &m->raw_room, &m->raw_count,
                           (struct score_point){ sample->series, m->samples->value[v].column, m->matched->item[s], 1,
                                                 m->samples->value[v].is }, err);
    }
    m->raw_count = points_merge(m->raw, m->raw_count);
    for (size_t i = 0; i < m->raw_count; i++) {
        const struct score_point *point = &m->raw[i];

        if (!m->tries[point->metric] || point->tries < m->tries[point->metric])
            m->tries[point->metric] = point->tries;
        if (point->tries > m->most[point->metric]) m->most[point->metric] = point->tries;
    }
    return rc;
}

/* ---- what is asked for ---- */

static int plan_add(struct making *m, struct plan plan, const char *format, const char *name, struct err *err)
{
    struct score_points *out = m->out;

    for (size_t i = 0; i < out->metrics; i++)               /* asked for twice, it would count twice among all tests */
        if (m->plan[i].source == plan.source && m->plan[i].column == plan.column && m->plan[i].k == plan.k) return 0;
    if (out->metrics == SCORE_METRICS_MOST)
        return err_set(err, -EINVAL, "more than %d metrics; say which with --metric", SCORE_METRICS_MOST);
    m->plan[out->metrics] = plan;
    snprintf(out->metric[out->metrics++], SCORE_METRIC_NAME, format, name, plan.k);
    return 0;
}

static size_t binary_count(const struct making *m)
{
    size_t count = 0;

    for (size_t c = 0; c < m->samples->column_count; c++) count += m->tries[c] && m->samples->column[c].binary;
    return count;
}

static bool is_tests(const struct making *m, size_t c)
{
    const struct slice name = m->samples->column[c].name;

    return m->samples->column[c].binary && (m->most[c] > 1 || slice_equal(name, SLICE("passed")) ||
                                            slice_equal(name, SLICE("base")) || slice_equal(name, SLICE("plus")));
}

/* pass@k of every column of what passed or not, or, by default, of tests as far as there are tries; where there is one
 * alone, it needs no name. */
static int passes_add(struct making *m, uint32_t k, bool by_default, struct err *err)
{
    const bool alone = binary_count(m) == 1;
    int        rc = 0;

    for (size_t c = 0; c < m->samples->column_count && rc == 0; c++)
        if (m->tries[c] && m->samples->column[c].binary && (!by_default || (m->tries[c] >= k && is_tests(m, c))))
            rc = plan_add(m, (struct plan){ OF_TRIES, (uint32_t)c, k }, alone ? "%.0spass@%u" : "%.100s pass@%u",
                          m->samples->column[c].name.at, err);
    return rc;
}

/* Are there answers beside what they should be? */
static bool has_texts(const struct making *m)
{
    for (size_t s = 0; s < m->samples->count; s++) {
        const uint32_t item = m->matched->item[s];

        if (item != TABLE_NONE && m->samples->at[s].prediction.at &&
            (m->samples->at[s].reference.at || (m->reference && m->reference[item].at))) return true;
    }
    return false;
}

static int plan_default(struct making *m, struct err *err)
{
    static const uint32_t k[] = { 1, 10, 100 };
    bool                  tests = false;
    int                   rc = 0;

    for (size_t c = 0; c < m->samples->column_count && rc == 0; c++) {
        if (!m->tries[c]) continue;
        if (is_tests(m, c)) tests = true;
        else rc = plan_add(m, (struct plan){ OF_COLUMN, (uint32_t)c, 0 }, "%.120s", m->samples->column[c].name.at, err);
    }
    for (size_t i = 0; tests && i < 3 && rc == 0; i++) rc = passes_add(m, k[i], true, err);
    if (rc == 0 && m->out->metrics == 0 && has_texts(m))
        for (uint32_t t = SCORE_EXACT; t <= SCORE_EDIT && rc == 0; t++)
            rc = plan_add(m, (struct plan){ OF_TEXT, t, 0 }, "%s", score_text_names[t], err);
    return rc;
}

/* The names of what there is. */
static int metric_refuse(const struct making *m, const char *name, struct err *err)
{
    char   known[400] = "";
    size_t at = 0;

    for (size_t c = 0; c < m->samples->column_count && at < 300; c++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%.40s", c ? ", " : "",
                               m->samples->column[c].name.at);
    return err_set(err, -EINVAL, "metric `%.60s`: the files have %s%s%s; exact, bleu, edit, ngram, weighted_ngram need "
                   "answers and references, pass@K tests", name, at ? "columns " : "no numbers", known,
                   at >= 300 ? ", ..." : "");
}

static int plan_named(struct making *m, const char *name, struct err *err)
{
    char *end;

    for (size_t c = 0; c < m->samples->column_count; c++)
        if (m->tries[c] && slice_equal(m->samples->column[c].name, slice_of(name)))
            return plan_add(m, (struct plan){ OF_COLUMN, (uint32_t)c, 0 }, "%.120s", name, err);
    for (uint32_t t = 0; t < SCORE_TEXTS; t++)
        if (strcmp(name, score_text_names[t]) == 0 && has_texts(m))
            return plan_add(m, (struct plan){ OF_TEXT, t, 0 }, "%s", name, err);
    if (strncmp(name, "pass@", 5) == 0) {
        const unsigned long k = strtoul(name + 5, &end, 10);
        int                 rc;

        if (*end || end == name + 5 || k < 1 || k > K_MOST)
            return err_set(err, -EINVAL, "metric `%.60s`: K of pass@K is a number from 1 to %d", name, K_MOST);
        rc = passes_add(m, (uint32_t)k, false, err);
        if (rc < 0 || binary_count(m)) return rc;
    }
    return metric_refuse(m, name, err);
}

/* ---- the points ---- */

/* Those of columns, from the sums. */
static int columns_take(struct making *m, uint32_t metric, struct err *err)
{
    const struct plan *plan = &m->plan[metric];
    int                rc = 0;

    for (size_t i = 0; i < m->raw_count && rc == 0; i++) {
        struct score_point point = m->raw[i];

        if (point.metric != plan->column) continue;
        point.metric = metric;
        point.is = plan->source == OF_TRIES ? 100 * score_pass_at(point.tries, (uint64_t)point.is, plan->k)
            : point.is / point.tries;
        if (isfinite(point.is)) rc = point_put(&m->out->at, &m->out->room, &m->out->count, point, err);
    }
    return rc;
}

static int texts_take(struct making *m, unsigned wanted, struct err *err)
{
    struct score_scratch *scratch;
    double                value[SCORE_TEXTS];
    int                   rc = score_scratch_open(&scratch, err);

    for (size_t s = 0; s < m->samples->count && rc == 0; s++) {
        const struct score_sample *sample = &m->samples->at[s];
        const uint32_t             item = m->matched->item[s];
        struct slice               reference = sample->reference;

        if (item == TABLE_NONE || !sample->prediction.at) continue;
        if (!reference.at && m->reference) reference = m->reference[item];
        if (!reference.at) continue;
        rc = score_text(scratch, sample->prediction, reference, m->items->at[item].language, m->words, wanted, value,
                        err);
        m->out->too_long += rc == 0 && wanted >> SCORE_EDIT & 1 && isnan(value[SCORE_EDIT]);
        for (uint32_t p = 0; p < m->out->metrics && rc == 0; p++)
            if (m->plan[p].source == OF_TEXT && !isnan(value[m->plan[p].column]))
                rc = point_put(&m->out->at, &m->out->room, &m->out->count,
                               (struct score_point){ sample->series, p, item, 1, value[m->plan[p].column] }, err);
    }
    score_scratch_close(scratch);
    return rc;
}

static int points_take(struct making *m, struct err *err)
{
    unsigned wanted = 0;
    size_t   texts;
    int      rc = 0;

    for (uint32_t p = 0; p < m->out->metrics; p++)
        if (m->plan[p].source == OF_TEXT) wanted |= 1u << m->plan[p].column;
    if (wanted) rc = texts_take(m, wanted, err);
    texts = m->out->count = points_merge(m->out->at, m->out->count);
    for (size_t i = 0; i < texts; i++) m->out->at[i].is /= m->out->at[i].tries;
    for (uint32_t p = 0; p < m->out->metrics && rc == 0; p++)
        if (m->plan[p].source != OF_TEXT) rc = columns_take(m, p, err);
    if (m->out->count) qsort(m->out->at, m->out->count, sizeof *m->out->at, by_place);
    return rc;
}

int score_points_make(const struct score_samples *samples, const struct score_items *items,
                      const struct score_matched *matched, const struct slice *reference,
                      const struct score_wish *wish, struct score_points *out, struct err *err)
{
    struct making m = { .samples = samples, .items = items, .matched = matched, .reference = reference,
                        .words = wish->words, .out = out };
    int           rc = 0;

    *out = (struct score_points){ 0 };
    m.tries = calloc(samples->column_count + 1, sizeof *m.tries);
    m.most = calloc(samples->column_count + 1, sizeof *m.most);
    if (!m.tries || !m.most) rc = err_memory(err, samples->column_count * sizeof *m.tries, "columns");
    if (rc == 0) rc = columns_add(&m, err);
    if (rc == 0 && !wish->metric) rc = plan_default(&m, err);
    for (const char *const *name = wish->metric; name && *name && rc == 0; name++) rc = plan_named(&m, *name, err);
    if (rc == 0) rc = points_take(&m, err);
    free(m.raw);
    free(m.tries);
    free(m.most);
    return rc;
}
