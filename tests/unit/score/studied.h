/* tests/unit/score/studied.h -- a study of rows at items a, b, c, ... of which the last ones leaked. */
#ifndef LEAKGRAPH_TESTS_UNIT_SCORE_STUDIED_H
#define LEAKGRAPH_TESTS_UNIT_SCORE_STUDIED_H

#include "score/study.h"
#include "tests/unit/score/taken.h"

#include <math.h>

struct studied {
    struct score_items   items;
    struct score_samples samples;
    struct score_matched matched;
    struct score_points  points;
    struct score_study   study;
};

static inline void study_open(struct studied *s, size_t items, size_t leaked, const char *text,
                              const char *const *metric)
{
    const struct score_wish  wish = { metric, SCORE_WORDS_PROSE };
    const struct score_draws draws = { 500, 1, 2 };
    struct err               err = { 0 };

    *s = (struct studied){ .points = { 0 } };
    items_make(&s->items, items, leaked);
    take(&s->samples, text);
    if (score_match(&s->items, &s->samples, &s->matched, &err) < 0 ||
        score_points_make(&s->samples, &s->items, &s->matched, NULL, &wish, &s->points, &err) < 0 ||
        score_study_make(&s->samples, &s->items, &s->points, &draws, &s->study, &err) < 0) fail_msg("%s", err.text);
}

static inline void study_close(struct studied *s)
{
    score_study_free(&s->study);
    score_points_free(&s->points);
    score_matched_free(&s->matched);
    score_samples_free(&s->samples);
    score_items_free(&s->items);
}

#endif
