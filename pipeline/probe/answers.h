/* probe/answers.h -- a unit of answers that are asked for one after the other.
 *
 * An answer may have cost money or minutes.  So what was answered when a run ends early (its budget is used, a server
 * stops answering) is committed as a part, and the next run goes on behind it. */
#ifndef LEAKGRAPH_PROBE_ANSWERS_H
#define LEAKGRAPH_PROBE_ANSWERS_H

#include "base/bytes.h"
#include "base/stage.h"

struct answers {
    struct stage    *stage;
    const char      *kind;
    struct unit_key  key;
    uint64_t         count;
    /* Appends answer `number` to the unit's sections.  0; 1 when no more are to be asked for, with the sections as they
     * are to be; <0 with err set, and what it appended is taken away. */
    int            (*ask)(void *of, uint64_t number, struct bytes section[2], struct err *err);
    void            *of;
};

/* Commits the unit unless it is there.  1 when it was made, 0 when it was there; <0 with err set, what ask returned
 * among it. */
int answers_make(const struct answers *answers, struct err *err);

#endif
