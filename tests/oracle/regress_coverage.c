/* tests/oracle/regress_coverage.c -- how often 95 % intervals hold the number that the data were made with.
 *
 * usage: regress_coverage [FITS]      2000 of each kind
 *
 * Data of 60 groups, a column that differs between rows and one that differs between groups, normal effects: numbers by
 * REML and ML, hits by logit and by the log link, with groups and without.  Of 2,000 intervals 95 % hold it, half a
 * percent (one standard deviation) less or more; what differs between groups alone is a little less sure, as their
 * variance is estimated, too, and the distribution is the normal one.
 * Exit status 1 when one holds it in less than 93 % or more than 97 %. */
#include "regress/regression.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS = 60, COLUMNS = 3, MOST = GROUPS * 12 };

struct kind {
    const char          *name;
    enum regression_link link;
    bool                 hits, ml;
    size_t               terms;
    double               deviation, beta[COLUMNS];
};

static const struct kind kinds[] = {
    { "least squares",           LINK_IDENTITY, false, false, 0, 0,   { 1, 0.5, -0.3 } },
    { "mixed, REML",             LINK_IDENTITY, false, false, 1, 0.8, { 1, 0.5, -0.3 } },
    { "mixed, ML",               LINK_IDENTITY, false, true,  1, 0.8, { 1, 0.5, -0.3 } },
    { "mixed, crossed, REML",    LINK_IDENTITY, false, false, 2, 0.8, { 1, 0.5, -0.3 } },
    { "logit",                   LINK_LOGIT,    true,  false, 0, 0,   { -0.5, 0.5, -0.3 } },
    { "logit, mixed",            LINK_LOGIT,    true,  false, 1, 0.8, { -0.5, 0.5, -0.3 } },
    { "logit, crossed",          LINK_LOGIT,    true,  false, 2, 0.8, { -0.5, 0.5, -0.3 } },
    { "log",                     LINK_LOG,      true,  false, 0, 0,   { -2.5, 0.2, -0.1 } },
    { "log, mixed",              LINK_LOG,      true,  false, 1, 0.3, { -2.5, 0.2, -0.1 } },
};

struct rows {
    double                 x[MOST * COLUMNS], y[MOST], trials[MOST];
    uint32_t               level[2][MOST];
    struct regression_data data;
};

static double unit_draw(uint64_t *state) { return (double)(draw(state) >> 11) * 0x1p-53; }

static double normal_draw(uint64_t *state)
{
    const double radius = sqrt(-2 * log(1 - unit_draw(state)));

    return radius * cos(2 * acos(-1) * unit_draw(state));
}

/* Four to twelve rows a group; levels of the second factor go round. */
static void make(struct rows *r, const struct kind *k, uint64_t *state)
{
    static const char *const names[] = { "(Intercept)", "within", "between" }, *const groups[] = { "one", "two" };
    double                   effect[2][GROUPS], between[GROUPS];
    size_t                   rows = 0;

    for (size_t g = 0; g < GROUPS; g++) {
        effect[0][g] = k->deviation * normal_draw(state);
        effect[1][g] = k->deviation * normal_draw(state);
        between[g] = normal_draw(state);
    }
    for (uint32_t g = 0; g < GROUPS; g++)
        for (size_t i = 4 + draw(state) % 9; i-- > 0; rows++) {
            double *x = r->x + rows * COLUMNS, eta = 0;

            x[0] = 1;
            x[1] = normal_draw(state);
            x[2] = between[g];
            r->level[0][rows] = g;
            r->level[1][rows] = (uint32_t)(rows % GROUPS);
            for (size_t c = 0; c < COLUMNS; c++) eta += x[c] * k->beta[c];
            for (size_t t = 0; t < k->terms; t++) eta += effect[t][r->level[t][rows]];
            r->y[rows] = k->hits ? 0 : eta + normal_draw(state);
            r->trials[rows] = (double)(5 + draw(state) % 10);
            for (int n = 0; n < r->trials[rows] && k->hits; n++)
                r->y[rows] += unit_draw(state) < (k->link == LINK_LOG ? fmin(1, exp(eta)) : 1 / (1 + exp(-eta)));
        }
    r->data = (struct regression_data){
        .rows = rows, .columns = COLUMNS, .terms = k->terms, .x = r->x, .y = r->y,
        .trials = k->hits ? r->trials : NULL, .term = { { GROUPS, r->level[0] }, { GROUPS, r->level[1] } },
        .name = names, .term_name = groups, .link = k->link, .ml = k->ml };
}

static int look(const struct kind *k, size_t fits)
{
    static struct rows rows;
    uint64_t           state = seed_of_run();
    size_t             held[COLUMNS] = { 0 }, failed = 0, singular = 0;
    bool               wrong = false;

    for (size_t fit = 0; fit < fits; fit++) {
        struct regression r;
        struct err        err = { 0 };

        make(&rows, k, &state);
        if (regression_fit(&rows.data, &r, &err) < 0) {
            if (!failed++) fprintf(stderr, "%s: %s\n", k->name, err.text);
        } else {
            singular += r.singular;
            for (size_t c = 0; c < COLUMNS; c++)
                held[c] += r.coefficient[c].low <= k->beta[c] && k->beta[c] <= r.coefficient[c].high;
        }
        regression_free(&r);
    }
    printf("| %s |", k->name);
    for (size_t c = 0; c < COLUMNS; c++) {
        const double share = (double)held[c] / (double)(fits - failed);

        printf(" %.1f |", 100 * share);
        wrong |= !(share >= 0.93 && share <= 0.97);
    }
    printf(" %zu | %zu |\n", singular, failed);
    fflush(stdout);
    return wrong || failed * 200 > fits;
}

int main(int argc, char **argv)
{
    const size_t fits = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 2000;
    int          wrong = 0;

    printf("| %zu fits each | intercept, %% | within, %% | between, %% | singular | no answer |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: |\n", fits);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) wrong |= look(&kinds[i], fits);
    return wrong;
}
