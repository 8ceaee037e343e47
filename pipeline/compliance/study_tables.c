/* compliance/study_tables.c -- what functions and answers look like, and how groups differ; see study.h. */
#include "compliance/study.h"

#include "stats/summary.h"
#include "stats/two_sample.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum metric {
    PROMPT_LINES, LINES, COMPLEXITY, COMMENTS, WORDS, CHARACTERS, SHARED, BLEU, JACCARD, EDIT, MOST, METRICS
};

static const char *const metric_names[METRICS] = {
    "prompt lines", "body lines", "complexity", "comments", "words", "characters", "comments shared", "BLEU", "Jaccard",
    "edit similarity", "largest similarity",
};

static double value_of(const struct score *score, enum metric metric)
{
    const double values[METRICS] = {
        score->prompt_lines, score->lines, score->complexity, score->comments, score->words, score->characters,
        score->shared, score->bleu, score->jaccard, score->edit, score->most,
    };

    return values[metric];
}

enum which { ALL, STRIKING, OTHERS };

/* A metric of a group's cases: values[group->count]; how many. */
static size_t values_of(const struct study_group *group, enum metric metric, enum which which, double *values)
{
    size_t count = 0;

    for (size_t i = 0; i < group->count; i++)
        if (which == ALL || group->at[i].striking == (which == STRIKING))
            values[count++] = value_of(&group->at[i].score, metric);
    return count;
}

static int summaries_tell(const struct study *study, struct report_document *document, struct report_node *parent,
                          double *values)
{
    static const struct report_column columns[] = {
        { "group", "group" }, { "metric", "metric" }, { "least", "least" }, { "median", "median" }, { "mean", "mean" },
        { "most", "most" },
    };
    struct report_node *table = report_table(document, parent, "metrics", columns, sizeof columns / sizeof *columns);

    for (size_t g = 0; g < study->groups; g++)
        for (enum metric metric = 0; metric < METRICS; metric++) {
            struct summary s;
            const size_t   count = values_of(&study->group[g], metric, ALL, values);

            if (summary_take(values, count, &s) < 0) return -ENOMEM;
            report_row(document, table, (struct report_cell[]){
                report_cell_name(study->group[g].name), report_cell_text(slice_of(metric_names[metric])),
                report_cell_share(s.least), report_cell_share(s.median), report_cell_share(s.mean),
                report_cell_share(s.most) });
        }
    return 0;
}

/* One row: a metric of two lists. */
static int difference_tell(struct report_document *document, struct report_node *table, struct slice first,
                           struct slice second, enum metric metric, const double *x, size_t x_count, const double *y,
                           size_t y_count)
{
    struct mann_whitney m;
    struct summary      a, b;
    char                p[40];

    if (mann_whitney(x, x_count, y, y_count, &m) < 0 || summary_take(x, x_count, &a) < 0 ||
        summary_take(y, y_count, &b) < 0) return -ENOMEM;
    snprintf(p, sizeof p, "%.3g", m.p);
    report_row(document, table, (struct report_cell[]){
        report_cell_name(first), report_cell_name(second), report_cell_text(slice_of(metric_names[metric])),
        report_cell_share(a.median), report_cell_share(b.median),
        report_cell_text(slice_of(x_count && y_count ? p : "")), report_cell_share(m.delta),
        report_cell_text(slice_of(cliff_level(m.delta))) });
    return 0;
}

static int differences_tell(const struct study *study, struct report_document *document, struct report_node *parent,
                            double *x, double *y)
{
    static const struct report_column columns[] = {
        { "group", "group" }, { "other", "other" }, { "metric", "metric" }, { "median", "median" },
        { "median_other", "median of the other" }, { "p", "p (Mann-Whitney)" }, { "delta", "Cliff's delta" },
        { "level", "level" },
    };
    struct report_node *table = report_table(document, parent, "differences", columns,
                                             sizeof columns / sizeof *columns);
    int                 rc = 0;

    for (size_t g = 0; g < study->groups && rc == 0; g++) {
        const struct study_group *group = &study->group[g];
        const uint64_t            striking = study_lico(group).striking;

        for (enum metric metric = 0; metric < METRICS && rc == 0; metric++) {
            if (striking && striking < group->count)
                rc = difference_tell(document, table, SLICE("striking"), group->name, metric, x,
                                     values_of(group, metric, STRIKING, x), y, values_of(group, metric, OTHERS, y));
            if (rc == 0 && g)
                rc = difference_tell(document, table, study->group[0].name, group->name, metric, x,
                                     values_of(&study->group[0], metric, ALL, x), y, values_of(group, metric, ALL, y));
        }
    }
    return rc;
}

/* How many pass each limit alone, and all but it. */
static void limits_tell(const struct study *study, struct report_document *document, struct report_node *parent)
{
    static const struct report_column columns[] = {
        { "group", "group" }, { "similarity", "similarity" }, { "comments", "comments" }, { "lines", "lines" },
        { "complexity", "complexity" }, { "all", "all" },
    };
    const struct score_limits *limits = &study->limits;
    struct report_node        *table = report_table(document, parent, "limits", columns,
                                                    sizeof columns / sizeof *columns);

    for (size_t g = 0; g < study->groups; g++) {
        const struct study_group *group = &study->group[g];
        uint64_t                  passed[5] = { 0 };

        for (size_t i = 0; i < group->count; i++) {
            const struct score *s = &group->at[i].score;

            passed[0] += s->most > limits->similarity;
            passed[1] += limits->uncommented || s->shared > limits->comments;
            passed[2] += s->lines > limits->lines;
            passed[3] += s->complexity > limits->complexity;
            passed[4] += group->at[i].striking;
        }
        report_row(document, table, (struct report_cell[]){
            report_cell_name(group->name), report_cell_count(passed[0]), report_cell_count(passed[1]),
            report_cell_count(passed[2]), report_cell_count(passed[3]), report_cell_count(passed[4]) });
    }
}

/* How many answers have their largest similarity in each tenth. */
static void distribution_tell(const struct study *study, struct report_document *document, struct report_node *parent)
{
    enum { TENTHS = 10 };
    static const struct report_column columns[TENTHS + 1] = {
        { "group", "group" }, { "0.0", "0" }, { "0.1", "0.1" }, { "0.2", "0.2" }, { "0.3", "0.3" }, { "0.4", "0.4" },
        { "0.5", "0.5" }, { "0.6", "0.6" }, { "0.7", "0.7" }, { "0.8", "0.8" }, { "0.9", "0.9" },
    };
    struct report_node *table = report_table(document, parent, "distribution", columns, TENTHS + 1);

    for (size_t g = 0; g < study->groups; g++) {
        struct report_cell cell[TENTHS + 1] = { report_cell_name(study->group[g].name) };
        uint64_t           count[TENTHS] = { 0 };

        for (size_t i = 0; i < study->group[g].count; i++) {
            const double most = study->group[g].at[i].score.most;

            count[most >= 1 ? TENTHS - 1 : (size_t)(most * TENTHS)]++;
        }
        for (size_t t = 0; t < TENTHS; t++) cell[t + 1] = report_cell_count(count[t]);
        report_row(document, table, cell);
    }
}

int study_tables(const struct study *study, struct report_document *document, struct report_node *parent)
{
    struct report_node *section;
    size_t              most = 1;
    double             *x, *y;
    int                 rc;

    for (size_t g = 0; g < study->groups; g++) if (study->group[g].count > most) most = study->group[g].count;
    x = malloc(most * sizeof *x);
    y = malloc(most * sizeof *y);
    rc = x && y ? 0 : -ENOMEM;
    section = report_section(document, parent, "limits", SLICE("What passes each limit"));
    limits_tell(study, document, section);
    section = report_section(document, parent, "distribution", SLICE("Largest similarity, from"));
    distribution_tell(study, document, section);
    section = report_section(document, parent, "metrics", SLICE("Functions and answers"));
    if (rc == 0) rc = summaries_tell(study, document, section, x);
    section = report_section(document, parent, "differences", SLICE("How groups differ"));
    if (rc == 0) rc = differences_tell(study, document, section, x, y);
    free(x);
    free(y);
    return rc;
}
