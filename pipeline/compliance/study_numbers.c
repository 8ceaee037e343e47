/* compliance/study_numbers.c -- what functions and answers look like, and how groups differ; see study.h. */
#include "compliance/study.h"

#include "stats/summary.h"
#include "stats/two_sample.h"

#include <errno.h>
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

/* A metric of cases of a group. */
struct list { double *at; size_t count; };

static void list_take(struct list *list, const struct study_group *group, enum metric metric, enum which which)
{
    list->count = 0;
    for (size_t i = 0; i < group->count; i++)
        if (which == ALL || group->at[i].striking == (which == STRIKING))
            list->at[list->count++] = value_of(&group->at[i].score, metric);
}

/* Two lists with room for the cases of any group.  0, or -ENOMEM with err set; free list[0].at either way. */
static int lists_open(const struct study *study, struct list list[2], struct err *err)
{
    size_t most = 1;

    for (size_t g = 0; g < study->groups; g++) if (study->group[g].count > most) most = study->group[g].count;
    list[0] = (struct list){ malloc(2 * most * sizeof *list[0].at), 0 };
    list[1] = (struct list){ list[0].at ? list[0].at + most : NULL, 0 };
    return list[0].at ? 0 : err_memory(err, 2 * most * sizeof *list[0].at, "numbers");
}

int study_metrics(const struct study *study, struct study_metric **out, size_t *count, struct err *err)
{
    struct list list[2];
    int         rc = lists_open(study, list, err);

    *count = 0;
    *out = calloc(study->groups * METRICS + 1, sizeof **out);
    if (rc == 0 && !*out) rc = err_memory(err, study->groups * METRICS * sizeof **out, "numbers");
    for (size_t i = 0; rc == 0 && i < study->groups * METRICS; i++) {
        const struct study_group *group = &study->group[i / METRICS];
        struct summary            s;

        list_take(list, group, i % METRICS, ALL);
        if (summary_take(list->at, list->count, &s) < 0) rc = err_memory(err, list->count * 8, "numbers");
        (*out)[(*count)++] = (struct study_metric){ group->name, metric_names[i % METRICS], s.least, s.median, s.mean,
                                                    s.most };
    }
    free(list[0].at);
    return rc;
}

static int difference_take(struct study_difference *row, const struct list list[2], enum metric metric,
                           struct err *err)
{
    struct mann_whitney m;
    struct summary      a, b;

    if (mann_whitney(list[0].at, list[0].count, list[1].at, list[1].count, &m) < 0 ||
        summary_take(list[0].at, list[0].count, &a) < 0 || summary_take(list[1].at, list[1].count, &b) < 0)
        return err_memory(err, (list[0].count + list[1].count) * 8, "numbers");
    row->metric = metric_names[metric];
    row->median = a.median, row->median_other = b.median;
    row->p = m.p, row->delta = m.delta;
    row->level = cliff_level(m.delta);
    return 0;
}

int study_differences(const struct study *study, struct study_difference **out, size_t *count, struct err *err)
{
    struct list list[2];
    int         rc = lists_open(study, list, err);

    *count = 0;
    *out = calloc(2 * study->groups * METRICS + 1, sizeof **out);
    if (rc == 0 && !*out) rc = err_memory(err, 2 * study->groups * METRICS * sizeof **out, "numbers");
    for (size_t g = 0; g < study->groups && rc == 0; g++) {
        const struct study_group *first = study->group, *group = &study->group[g];
        const uint64_t            striking = study_lico(group).striking;

        for (enum metric metric = 0; metric < METRICS && rc == 0; metric++) {
            if (striking && striking < group->count) {
                list_take(&list[0], group, metric, STRIKING);
                list_take(&list[1], group, metric, OTHERS);
                (*out)[*count].group = group->name;
                rc = difference_take(&(*out)[(*count)++], list, metric, err);
            }
            if (rc < 0 || !g) continue;
            list_take(&list[0], first, metric, ALL);
            list_take(&list[1], group, metric, ALL);
            (*out)[*count].group = first->name, (*out)[*count].other = group->name;
            rc = difference_take(&(*out)[(*count)++], list, metric, err);
        }
    }
    free(list[0].at);
    return rc;
}
