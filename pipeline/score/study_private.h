/* score/study_private.h -- what the halves of score/study.h share. */
#ifndef LEAKGRAPH_SCORE_STUDY_PRIVATE_H
#define LEAKGRAPH_SCORE_STUDY_PRIVATE_H

#include "score/study.h"

struct studying {
    const struct score_samples *samples;
    const struct score_items   *items;
    const struct score_points  *points;
    const struct score_draws   *draws;
    struct score_study         *out;
    uint32_t                   *subject;                    /* [series_count] */
    struct score_point         *mean;                       /* over seeds: series is a subject; ordered as points */
    size_t                      means;
};

/* The end of the points that have the series and metric of point `from`. */
size_t score_range_end(const struct score_point *at, size_t count, size_t from);

bool   score_in_part(const struct score_items *items, uint32_t item, enum score_part part);

/* What a draw of this subject and metric begins with: the same whatever stands before it. */
uint64_t score_draw_seed(const struct studying *s, uint32_t subject, uint32_t metric);

/* score/series.c: rows of seeds and slopes, of duels.  0, or -ENOMEM with err set. */
int score_series_study(struct studying *s, struct err *err);
int score_duels_study(struct studying *s, struct err *err);

#endif
