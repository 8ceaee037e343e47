/* near/gate.c -- see gate.h. */
#include "near/gate.h"

#include "near/leaked.h"
#include "near/task.h"

#include <stdio.h>

/* The share of each whole benchmark that is in each corpus.  Contained documents count when the user asked for them. */
static int leakage_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    const bool         contained = ((const struct near_task *)task->state)->options.containment_threshold.den != 0;
    struct leaked_list leaked = { 0 };
    int                rc = leaked_read(&leaked, db, err);

    for (size_t i = 0; i < leaked.count && rc == 0; i++) {
        const struct leaked *row = &leaked.at[i];
        uint64_t             in = row->direct + (contained ? row->contained : 0);
        double               share = row->documents ? 100.0 * (double)in / (double)row->documents : 0;

        char                 clause[512];

        if (!row->target_is_corpus) continue;
        snprintf(clause, sizeof clause, "%.2f %% of %.*s is in %.*s", share, (int)row->source.len, row->source.at,
                 (int)row->target.len, row->target.at);
        to->hear(to->context, share, clause);
    }
    leaked_free(&leaked);
    return rc;
}

const struct gate near_gates[] = {
    { "leakage",
      "exit status 3 when more than so many percent of a whole benchmark are in one corpus: documents with an "
      "exact or near pair there and, when containment_threshold is on, those with only a contained one; copies below "
      "min_tokens and transitive ones are not counted", leakage_measure },
    { NULL, NULL, NULL },
};
