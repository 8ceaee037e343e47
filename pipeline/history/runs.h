/* history/runs.h -- the runs before one, found again.
 *
 * A nightly job keeps some of its run folders.  Those that `runs` names are read, and the newest of them also tells of
 * runs before it, whose folders may be gone: so the trend stays when old folders are removed.  What cannot be read, is
 * not finished, or is of other datasets is counted, and no error. */
#ifndef LEAKGRAPH_HISTORY_RUNS_H
#define LEAKGRAPH_HISTORY_RUNS_H

#include "base/err.h"
#include "history/tables.h"

#include <sqlite3.h>

/* runs: globs of folders or graph.db files, from the root; none: what the run folder `own` held before this run, which
 * is left out otherwise.  most: the newest so many are kept. */
struct history_wanted { const char *const *runs; size_t run_count; const char *own; size_t most; };

/* Zeroed at first.  Oldest first.  latest: the graph.db of the newest that has one, owned; NULL: there is none.
 * Folders that were named and are none of these: without graph.db, not to be read, with a dataset of which no record
 * could be used, of other datasets; reason: why the first of the second kind cannot be read. */
struct history_runs {
    struct history_run  *run;
    size_t               count, room;
    struct history_leak *leak;
    size_t               leaks, leak_room;
    char                *latest;
    uint64_t             unfinished, unreadable, unusable, others;
    char                 reason[sizeof ((struct err *)0)->text];
    struct pool          pool;
};

/* What is said of a run by its own table run, and the rows of its leakage, as number `run`.  Texts are in the pool.  0,
 * or <0 with err set. */
int  history_read(struct history_runs *runs, sqlite3 *db, const char *folder, struct err *err);

/* The runs before that of `now`, a graph that may still be written.  0, or <0 with err set: -ENOMEM, or what is wrong
 * with `now`. */
int  history_find(struct history_runs *runs, const struct history_wanted *wanted, sqlite3 *now, struct err *err);
void history_runs_free(struct history_runs *runs);

#endif
