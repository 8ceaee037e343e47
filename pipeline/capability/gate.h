/* capability/gate.h -- gates: what the user bounds in `fail_on`, what was found, and whether enough was looked at to
 * say so.
 *
 * A gate is measured from graph.db before it is put in its place, so that the outcomes stand in it (tables gates and
 * run) and in everything that is made from it.  A gate that looked at nothing, or at too little, is inconclusive: it
 * does not pass. */
#ifndef LEAKGRAPH_CAPABILITY_GATE_H
#define LEAKGRAPH_CAPABILITY_GATE_H

#include "base/err.h"
#include "base/slice.h"
#include "capability/config.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct contents;

/* What was measured of one thing: a benchmark in a corpus, a dataset, the run. */
struct gate_finding {
    /* Datasets: whose records the value is of, and in which they were looked for.  Empty: of all datasets; in none.
     * Target "*": in all corpora together. */
    struct slice source, target;
    double       percent;
    uint64_t     compared, whole;                           /* of source's records: looked at, and all there are */
    const char  *clause;                                    /* "4.20 % of bench is in stack" */
    /* Where a part of target alone can have it: its documents, their bytes, and those of them that are long enough to
     * be compared.  0 documents: all of it. */
    uint64_t     documents, bytes, met;
    /* What the capability itself has to say against it, where fail_on.coverage asks for anything; NULL: nothing. */
    const char  *doubt;
    /* How many more of source's records may have it; why says which: a doubt where the limit would be exceeded. */
    uint64_t     missed;
    const char  *why;
};

struct gate_listener { void (*hear)(void *context, const struct gate_finding *finding); void *context; };

/* A percentage that the user may bound: measured once for everything that it is of.  0, or <0 with err set. */
struct gate {
    const char *key, *help;                                 /* of fail_on; key NULL: the end of a list */
    int       (*measure)(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err);
    const char *sql;                                        /* instead of measure: see gate_ask */
    uint64_t    least;                                      /* percent: a lower bound would make no sense */
};

/* Hears a finding for each row of a query whose columns are: source, target, part, all (percent is 100 * part / all),
 * compared, whole, and what the percentage is, "of bench is in stack"; then, where there are more, documents, bytes,
 * met and doubt.  ?1 is `dataset`.  0, or <0 with err set. */
int gate_ask(sqlite3 *db, const char *sql, struct slice dataset, const struct gate_listener *to, struct err *err);

/* For those queries: the usable records of each dataset, and with those that are not. */
#define GATE_RECORDS "(SELECT dataset, sum(documents) AS documents, sum(documents + rejected) AS whole FROM splits " \
    "GROUP " \
                     "BY dataset)"

enum gate_outcome { GATE_PASSED, GATE_INCONCLUSIVE, GATE_FAILED, GATE_OUTCOMES };
extern const char *const gate_outcome_names[GATE_OUTCOMES]; /* "passed", ... */

/* Says share of whole as a percentage, 0 of nothing. */
double gate_percent(uint64_t part, uint64_t whole);

/* Measures every gate of the tasks that are on and bounded, and adds the outcomes to the database, which holds all else
 * and is still being made: rows of table gates, and of table run `gates` (the worst outcome, or `none`) and
 * `gate.KEY`.  given: is told of them (graph/rows.h), or NULL.  0, or <0 with err set. */
int gates_measure(const struct config *config, sqlite3 *db, struct contents *given, struct err *err);

/* What the listener is told of each row of table gates, in its order: a sentence without a full stop. */
struct gate_reader { void (*hear)(void *context, enum gate_outcome outcome, const char *sentence); void *context; };

/* Reads the outcomes back.  *worst: GATE_PASSED also when nothing was bounded.  0, or <0 with err set. */
int gates_read_back(sqlite3 *db, const struct gate_reader *to, enum gate_outcome *worst, struct err *err);

#endif
