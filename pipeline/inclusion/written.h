/* inclusion/written.h -- what models write in the place of the second halves of functions; those of a file and a model
 * are a unit. */
#ifndef LEAKGRAPH_INCLUSION_WRITTEN_H
#define LEAKGRAPH_INCLUSION_WRITTEN_H

#include "inclusion/half.h"
#include "inclusion/inclusion.h"

#define WRITTEN_UNIT "functions"

/* A function, as a unit stores it: a struct inclusion_half, and a string in the unit's second section. */
struct inclusion_written {
    uint32_t           at, head, middle, end, line, refused;        /* refused: 1: the model has no room for it */
    struct heap_string output;
};
_Static_assert(sizeof(struct inclusion_written) == 32, "unit format");

static inline size_t written_count(const struct unit *unit)
{
    return unit->section[0].len / sizeof(struct inclusion_written);
}

static inline struct inclusion_half written_half(const struct inclusion_written *w)
{
    return (struct inclusion_half){ .at = w->at, .head = w->head, .middle = w->middle, .end = w->end, .line = w->line };
}

/* Of everything that a file's functions depend on. */
struct unit_key written_key(const struct inclusion_job *job, const struct model_info *model, size_t file);

/* Asks a model for the functions of a file and commits the unit unless it is there.  As answers_make. */
int written_make(const struct inclusion_job *job, struct model_session *session, const struct model_info *model,
                 size_t file, struct err *err);

#endif
