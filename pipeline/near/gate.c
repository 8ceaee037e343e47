/* near/gate.c -- see gate.h. */
#include "near/gate.h"

#include "graph/read.h"
#include "near/leaked.h"
#include "near/task.h"

#include <stdio.h>

/* Items of a benchmark: all of them, unusable ones too, and those that were compared with a document of the target:
 * long enough, in a language that the target has. */
#define LOOKED_THERE "t.dataset = ?2 AND (?3 OR t.language IN (SELECT language FROM splits WHERE dataset = ?1))"

static const char looked_query[] =
    "SELECT ifnull(sum(s.documents + s.rejected), 0), ifnull(sum(iif(EXISTS (SELECT 1 FROM splits AS t WHERE "
    "t.dataset = ?2 AND (?3 OR t.language = s.language) AND t.admitted > 0), s.admitted, 0)), 0), "
    "(SELECT ifnull(sum(documents), 0) FROM splits AS t WHERE " LOOKED_THERE "), "
    "(SELECT ifnull(sum(bytes), 0) FROM splits AS t WHERE " LOOKED_THERE "), "
    "(SELECT ifnull(sum(admitted), 0) FROM splits AS t WHERE " LOOKED_THERE ") FROM splits AS s WHERE s.dataset = ?1";

static int looked_at(sqlite3 *db, const struct leaked *row, bool across, struct gate_finding *finding, struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, looked_query, err);

    if (rc == 0) rc = graph_bind_text(query, 1, row->source, err);
    if (rc == 0) rc = graph_bind_text(query, 2, row->target, err);
    if (rc == 0) rc = graph_bind_number(query, 3, across, err);
    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        finding->whole = graph_number(query, 0);
        finding->compared = graph_number(query, 1);
        finding->documents = graph_number(query, 2);
        finding->bytes = graph_number(query, 3);
        finding->met = graph_number(query, 4);
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* The languages of the items that the target has hardly a document of.  Columns: items of such languages, all items,
 * the languages, documents of the target in them, all of its documents, the languages that it is of; its documents and
 * source's that have the bytes of one of another language. */
#define LANGUAGE_NAME(column) "iif(" column " = '', 'of no known language', " column ")"
static const char languages_query[] =
    "WITH met AS (SELECT x.language AS language, x.documents AS documents, (SELECT ifnull(sum(y.documents), 0) FROM "
    "splits AS y WHERE y.dataset = ?2 AND y.language = x.language) AS there, (SELECT ifnull(sum(documents), 0) FROM "
    "splits WHERE dataset = ?2) AS whole FROM splits AS x WHERE x.dataset = ?1 AND x.documents > 0 ORDER BY x.rowid), "
    "told AS (SELECT *, " LEAKED_ALONE("there", "language", "whole") " AS alone FROM met) "
    "SELECT ifnull(sum(iif(alone, documents, 0)), 0), ifnull(sum(documents), 0), group_concat(DISTINCT iif(alone, "
        LANGUAGE_NAME("language") ", NULL)), ifnull(max(iif(alone, there, 0)), 0), max(whole), (SELECT "
    "group_concat(name, ' and ') FROM (SELECT DISTINCT " LANGUAGE_NAME("language") " AS name FROM splits WHERE dataset "
    "= ?2 AND documents > 0 ORDER BY name LIMIT 5)), (SELECT ifnull(sum(CAST(value AS INTEGER)), 0) FROM run WHERE key "
    "= 'near.apart.' || ?2) FROM told";

/* Doubt and missed documents of the finding; texts in room. */
static int languages_look(sqlite3 *db, const struct leaked *row, bool across, struct gate_finding *finding,
                          char room[2][512], struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, languages_query, err);

    if (rc == 0) rc = graph_bind_text(query, 1, row->source, err);
    if (rc == 0) rc = graph_bind_text(query, 2, row->target, err);
    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        const struct slice theirs = graph_text(query, 2), there = graph_text(query, 5);

        snprintf(room[0], 512, "%.*s is %.*s, and %.*s is %.*s: %llu of its %llu documents are of those languages",
                 (int)row->source.len, row->source.at, (int)theirs.len, theirs.at, (int)row->target.len,
                 row->target.at, (int)there.len, there.at, (unsigned long long)graph_number(query, 3),
                 (unsigned long long)graph_number(query, 4));
        if (!across && 2 * graph_number(query, 0) > graph_number(query, 1)) finding->doubt = room[0];
        snprintf(room[1], 512, "documents of %.*s have the same bytes as items, but another language, and were not "
                 "compared", (int)row->target.len, row->target.at);
        finding->missed = graph_number(query, 6);
        finding->why = room[1];
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* The share of each whole benchmark that is in each corpus.  Contained documents count where they are looked for.
 * An item below min_tokens is compared by its bytes alone: it was compared when it was found so, else it was not. */
static int leakage_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    const struct near_options *options = &((const struct near_task *)task->state)->options;
    struct leaked_list         leaked = { 0 };
    int                        rc = leaked_read(&leaked, db, err);

    for (size_t i = 0; i < leaked.count && rc == 0; i++) {
        const struct leaked *row = &leaked.at[i];
        const uint64_t       in = row->direct + row->copies + row->in_functions + row->contained;
        char                 clause[512], room[2][512];
        struct gate_finding  found = { .source = row->source, .target = row->target,
                                       .percent = gate_percent(in, row->documents), .clause = clause };

        if (!row->target_is_corpus) continue;
        rc = looked_at(db, row, options->view.across_languages, &found, err);
        if (rc == 0) rc = languages_look(db, row, options->view.across_languages, &found, room, err);
        found.compared += row->copies;
        snprintf(clause, sizeof clause, "%.2f %% of %.*s is in %.*s", found.percent, (int)row->source.len,
                 row->source.at, (int)row->target.len, row->target.at);
        if (rc == 0) to->hear(to->context, &found);
    }
    leaked_free(&leaked);
    return rc;
}

const struct gate near_gates[] = {
    { "leakage",
      "exit status 3 when more than so many percent of a whole benchmark are in one corpus: documents with an exact or "
      "near pair there, copies below min_tokens (equal but for white space), those that only a function inside a file "
      "is like or a clone of (clones of type 1, 2c, 2), those with only a contained pair and those that are passages "
      "of a document; transitive ones are not counted",
      leakage_measure, NULL, 0 },
    { .key = NULL },
};
