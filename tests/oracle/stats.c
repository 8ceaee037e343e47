/* tests/oracle/stats.c -- what pipeline/stats says of groups of numbers, for tests/oracle/stats.py.  A line in: NAME N
 * X... M Y..., with two numbers more where a case below asks for them; a line out: its numbers. */
#include "stats/adjust.h"
#include "stats/correlation.h"
#include "stats/distribution.h"
#include "stats/line.h"
#include "stats/paired.h"
#include "stats/resample.h"
#include "stats/two_sample.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what)
{
    fprintf(stderr, "stats: %s\n", what);
    exit(1);
}

static double number(void)
{
    double value;

    if (scanf("%lf", &value) != 1) stop("a number is missing");
    return value;
}

struct group { double *at; size_t count; };

static struct group group_read(void)
{
    struct group g = { .count = (size_t)number() };

    g.at = malloc((g.count + 1) * sizeof *g.at);
    if (!g.at) stop("out of memory");
    for (size_t i = 0; i < g.count; i++) g.at[i] = number();
    return g;
}

static void say(size_t count, ...)
{
    va_list list;

    va_start(list, count);
    for (size_t i = 0; i < count; i++) printf("%.17g ", va_arg(list, double));
    va_end(list);
}

static int two_samples(const char *name, const struct group *x, const struct group *y)
{
    int rc = 0;

    if (strncmp(name, "mann_whitney", 12) == 0) {
        enum rank_method    method = strstr(name, "exact") ? RANK_EXACT : strstr(name, "normal") ? RANK_NORMAL
                                                                                                 : RANK_AUTO;
        struct mann_whitney m;

        rc = mann_whitney_by(method, x->at, x->count, y->at, y->count, &m);
        say(5, m.u, m.p, m.greater, m.delta, (double)m.exact);
    } else if (strcmp(name, "cliff") == 0) {
        struct cliff c;

        rc = cliff_delta(x->at, x->count, y->at, y->count, &c);
        say(3, c.delta, c.low, c.high);
    } else if (strcmp(name, "means") == 0) {
        struct cohen   d;
        struct t_tests t;

        rc = cohen(x->at, x->count, y->at, y->count, &d);
        if (rc == 0) rc = t_tests(x->at, x->count, y->at, y->count, &t);
        say(9, d.plain, d.pooled, d.hedges, t.student.t, t.student.freedom, t.student.p, t.welch.t, t.welch.freedom,
            t.welch.p);
    } else return 1;
    return rc;
}

static int pairs(const char *name, const struct group *x, const struct group *y)
{
    int rc = 0;

    if (strncmp(name, "wilcoxon", 8) == 0) {
        enum rank_method method = strstr(name, "exact") ? RANK_EXACT : strstr(name, "normal") ? RANK_NORMAL : RANK_AUTO;
        struct wilcoxon  w;

        rc = wilcoxon(x->at, y->at, x->count, method, &w);
        say(5, w.above, w.below, w.p, w.greater, (double)w.exact);
    } else if (strcmp(name, "paired_t") == 0) {
        struct t_test t;

        rc = paired_t(x->at, y->at, x->count, &t);
        say(3, t.t, t.freedom, t.p);
    } else if (strcmp(name, "line") == 0) {
        const struct line l = line_fit(x->at, y->at, x->count);

        say(6, l.slope, l.intercept, l.error, l.low, l.high, l.p);
    } else if (strcmp(name, "correlations") == 0) {
        struct correlation c = pearson(x->at, y->at, x->count);

        say(2, c.r, c.p);
        rc = spearman(x->at, y->at, x->count, &c);
        say(2, c.r, c.p);
        if (rc == 0) rc = kendall(x->at, y->at, x->count, &c);
        say(2, c.r, c.p);
    } else return 1;
    return rc;
}

static double spread(const double *value, size_t count, const void *unused)
{
    const double mean = statistic_mean(value, count, NULL);
    double       sum = 0;

    (void)unused;
    for (size_t i = 0; i < count; i++) sum += (value[i] - mean) * (value[i] - mean);
    return sqrt(sum / (double)count);
}

static int drawn(const char *name, const struct group *x, const struct group *y)
{
    const double first = number(), second = number();
    int          rc = 0;

    if (strcmp(name, "permutation") == 0) {                 /* rounds, seed */
        struct permutation p;

        rc = permutation_means(x->at, x->count, y->at, y->count, (uint64_t)first, (uint64_t)second, 2, &p);
        say(5, p.difference, p.p, p.greater, (double)p.rounds, (double)p.exact);
    } else if (strcmp(name, "bca") == 0) {                  /* value, acceleration; x: the resamples */
        double low, high;

        bootstrap_range(x->at, x->count, first, second, 0.95, &low, &high);
        say(2, low, high);
    } else {                                                /* rounds, seed */
        struct bootstrap_options o = BOOTSTRAP_DEFAULTS;
        struct bootstrap         b;
        statistic               *of = strstr(name, "spread") ? spread : statistic_mean;

        o.rounds = (uint64_t)first;
        o.seed = (uint64_t)second;
        o.threads = 2;
        if (strncmp(name, "bootstrap_one", 13) == 0) rc = bootstrap_one(x->at, x->count, of, NULL, &o, &b);
        else if (strncmp(name, "bootstrap_two", 13) == 0)
            rc = bootstrap_two(x->at, x->count, y->at, y->count, of, NULL, &o, &b);
        else stop(name);
        say(4, b.value, b.low, b.high, b.error);
    }
    return rc;
}

/* Of each number by itself. */
static int each(const char *name, const struct group *x, const struct group *y)
{
    double *out = calloc(2 * x->count + 1, sizeof *out);
    int     rc = out ? 0 : -1;

    if (strcmp(name, "adjust") == 0) {
        rc = holm_adjust(x->at, x->count, out);
        if (rc == 0) rc = benjamini_hochberg(x->at, x->count, out + x->count);
        for (size_t i = 0; i < 2 * x->count; i++) say(1, out[i]);
    } else if (strcmp(name, "normal_quantile") == 0)
        for (size_t i = 0; i < x->count; i++) say(1, normal_quantile(x->at[i]));
    else if (strcmp(name, "student_quantile") == 0)
        for (size_t i = 0; i < x->count; i++) say(1, student_quantile(x->at[i], y->at[i]));
    else rc = 1;
    free(out);
    return rc;
}

int main(void)
{
    char name[32];

    while (scanf("%31s", name) == 1) {
        struct group x = group_read(), y = group_read();
        int          rc = two_samples(name, &x, &y);

        if (rc > 0) rc = pairs(name, &x, &y);
        if (rc > 0) rc = each(name, &x, &y);
        if (rc > 0) rc = drawn(name, &x, &y);
        if (rc < 0) stop("out of memory");
        printf("\n");
        free(x.at);
        free(y.at);
    }
    return 0;
}
