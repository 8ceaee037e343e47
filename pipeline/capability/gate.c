/* capability/gate.c -- see gate.h. */
#include "capability/gate.h"

#include "capability/capability.h"
#include "graph/pool.h"
#include "graph/read.h"
#include "graph/rows.h"
#include "graph/settings.h"
#include "graph/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const char *const gate_outcome_names[GATE_OUTCOMES] = { "passed", "inconclusive", "failed" };

double gate_percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

/* ---- measuring ---- */

struct measuring {
    const struct config *config;
    sqlite3             *db;
    struct contents     *given;
    const struct gate   *gate;
    double               limit;
    struct graph_gate   *row;
    size_t               count, room;
    struct pool          pool;
    int                  rc;                                /* of what was heard */
    struct err          *err;
};

/* The sums of a dataset, or of all where it is empty: what was looked through, and whether to its end. */
struct looked {
    uint64_t documents, bytes, records;
    uint64_t empty;                                         /* corpora without a document, of target `*` */
    /* of source, of target; binary: files passed over because they are no text that can be read */
    struct { uint64_t shards, cut, bytes, cut_bytes, records, binary; } of[2];
};

#define LOOKED_IN "?1 = '' OR h.dataset = ?1 OR (?1 = '*' AND h.dataset IN (SELECT id FROM datasets WHERE role = " \
    "'corpus'))"

static const char looked_splits[] =
    "SELECT ifnull(sum(documents), 0), ifnull(sum(bytes), 0), ifnull(sum(documents + rejected), 0), (SELECT count(*) "
    "FROM datasets AS d WHERE ?1 = '*' AND d.role = 'corpus' AND NOT EXISTS (SELECT 1 FROM splits WHERE dataset = d.id "
    "AND documents > 0)) FROM splits AS h WHERE " LOOKED_IN;
static const char looked_shards[] =
    "SELECT count(*), ifnull(sum(whole = 0), 0), ifnull(sum(bytes), 0), ifnull(sum(bytes * (whole = 0)), 0) FROM "
    "shards AS h WHERE " LOOKED_IN;

#define LOOKED_BINARY "(SELECT ifnull(sum(files), 0) FROM skipped AS h WHERE reason = 'binary' AND ("
static const char looked_files[] =
    "SELECT (SELECT ifnull(sum(documents + rejected), 0) FROM splits AS h WHERE " LOOKED_IN "), " LOOKED_BINARY
    LOOKED_IN "))";

static int looked_ask(sqlite3 *db, const char *sql, struct slice dataset, uint64_t **out, size_t count, struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) rc = graph_bind_text(query, 1, dataset, err);
    if (rc == 0) rc = graph_step(query, err);
    for (size_t i = 0; rc == 1 && i < count; i++) *out[i] += graph_number(query, (int)i);
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* Documents are those that were looked through; shards are counted for each side. */
static int looked_read(sqlite3 *db, const struct gate_finding *finding, struct looked *out, struct err *err)
{
    uint64_t    *sums[] = { &out->documents, &out->bytes, &out->records, &out->empty };
    struct slice side[] = { finding->source, finding->target };
    int          rc = looked_ask(db, looked_splits, side[finding->target.len != 0], sums, 4, err);

    for (size_t i = 0; i < (finding->target.len ? 2 : 1) && rc == 0; i++) {
        uint64_t *shards[] = { &out->of[i].shards, &out->of[i].cut, &out->of[i].bytes, &out->of[i].cut_bytes };
        uint64_t *files[] = { &out->of[i].records, &out->of[i].binary };

        rc = looked_ask(db, looked_shards, side[i], shards, 4, err);
        if (rc == 0) rc = looked_ask(db, looked_files, side[i], files, 2, err);
    }
    return rc;
}

static const char *side_name(struct slice name, char out[80])
{
    snprintf(out, 80, "%.*s", (int)(name.len < 79 ? name.len : 79), name.len ? name.at : "");
    return name.len == 0 ? "the data" : slice_equal(name, SLICE("*")) ? "the corpora" : out;
}

/* Why nothing can be said, to *out; it stays empty when enough was looked at. */
static int finding_doubt(const struct config *config, const struct gate_finding *f, const struct looked *looked,
                         double limit, struct bytes *out)
{
    const struct slice through = f->target.len ? f->target : f->source, side[] = { f->source, f->target };
    const double       share = gate_percent(f->compared, f->whole);
    const double       usable = gate_percent(looked->documents, looked->records);
    char               name[80];

    if (looked->documents == 0) return bytes_printf(out, "%s: no document could be read", side_name(through, name));
    if (looked->empty)
        return bytes_printf(out, "%llu of the corpora: no document could be read", (unsigned long long)looked->empty);
    if (f->compared == 0)
        return bytes_printf(out, "nothing was compared%s%s", f->doubt ? ": " : "", f->doubt ? f->doubt : "");
    if (f->doubt && config->coverage > 0) return bytes_printf(out, "%s", f->doubt);
    if (f->missed && f->percent + gate_percent(f->missed, f->whole) > limit)
        return bytes_printf(out, "%llu %s", (unsigned long long)f->missed, f->why);
    if (share < config->coverage)
        return bytes_printf(out, "%llu of %llu were compared (%.1f %%), less than fail_on.coverage, %g %%",
                            (unsigned long long)f->compared, (unsigned long long)f->whole, share, config->coverage);
    if (f->target.len && usable < config->coverage)
        return bytes_printf(out, "%s: %llu of %llu records could be used (%.1f %%), less than fail_on.coverage, %g %%",
                            side_name(through, name), (unsigned long long)looked->documents,
                            (unsigned long long)looked->records, usable, config->coverage);
    if (f->documents && gate_percent(f->met, f->documents) < config->coverage)
        return bytes_printf(out, "%s: %llu of %llu documents are long enough to be compared (%.1f %%), less than "
                            "fail_on.coverage, %g %%", side_name(through, name), (unsigned long long)f->met,
                            (unsigned long long)f->documents, gate_percent(f->met, f->documents), config->coverage);
    for (size_t i = 0; i < 2; i++) {
        const uint64_t files = looked->of[i].records + looked->of[i].binary;
        const double   read = gate_percent(looked->of[i].records, files);

        if (looked->of[i].binary && read < config->coverage)
            return bytes_printf(out, "%s: %llu of %llu files and records were passed over as binary, which UTF-16 is, "
                                "too: %.1f %% is left, less than fail_on.coverage, %g %%", side_name(side[i], name),
                                (unsigned long long)looked->of[i].binary, (unsigned long long)files, read,
                                config->coverage);
    }
    for (size_t i = 0; i < 2; i++) {
        const double cut = gate_percent(looked->of[i].cut_bytes, looked->of[i].bytes);

        if (looked->of[i].cut && cut > config->lost)
            return bytes_printf(out, "%s: shards not read to their end: %llu of %llu, with %.1f %% of the bytes, more "
                                "than fail_on.lost, %g %%", side_name(side[i], name),
                                (unsigned long long)looked->of[i].cut, (unsigned long long)looked->of[i].shards, cut,
                                config->lost);
    }
    return 0;
}

static int finding_copy(struct measuring *m, const struct gate_finding *f, struct graph_gate *row)
{
    if (pool_copy(&m->pool, f->source, &row->source) < 0 || pool_copy(&m->pool, f->target, &row->target) < 0 ||
        pool_copy(&m->pool, slice_of(f->clause), &row->clause) < 0) return -ENOMEM;
    return 0;
}

static void gate_hear(void *context, const struct gate_finding *f)
{
    struct measuring *m = context;
    struct looked     looked = { 0 };
    struct bytes      doubt = { 0 };
    struct graph_gate *row;

    if (m->rc < 0) return;
    m->rc = looked_read(m->db, f, &looked, m->err);
    if (m->rc == 0 && (ARRAY_GROW(m->row, m->room, m->count) < 0 ||
                       finding_doubt(m->config, f, &looked, m->limit, &doubt) < 0))
        m->rc = err_memory(m->err, sizeof *m->row, "gates");
    if (m->rc == 0) {
        row = &m->row[m->count++];
        *row = (struct graph_gate){ .gate = m->gate->key, .percent = f->percent, .allowed = m->limit,
                                    .compared = f->compared, .whole = f->whole,
                                    .documents = f->documents ? f->documents : looked.documents,
                                    .bytes = f->documents ? f->bytes : looked.bytes };
        row->outcome = gate_outcome_names[f->percent > m->limit ? GATE_FAILED : doubt.len ? GATE_INCONCLUSIVE
                                                                                           : GATE_PASSED];
        if (finding_copy(m, f, row) < 0 || pool_copy(&m->pool, bytes_slice(&doubt), &row->doubt) < 0)
            m->rc = err_memory(m->err, doubt.len, "gates");
    }
    bytes_free(&doubt);
}

/* What a row says beyond the clause; the doubt's text goes to room. */
static int finding_rest(sqlite3_stmt *query, struct gate_finding *found, struct bytes *room)
{
    const struct slice doubt = graph_text(query, 10);

    found->documents = graph_number(query, 7);
    found->bytes = graph_number(query, 8);
    found->met = graph_number(query, 9);
    if (doubt.len && bytes_printf(room, "%.*s", (int)doubt.len, doubt.at) < 0) return -ENOMEM;
    found->doubt = doubt.len ? room->at : NULL;
    return 0;
}

int gate_ask(sqlite3 *db, const char *sql, struct slice dataset, const struct gate_listener *to, struct err *err)
{
    sqlite3_stmt *query = NULL;
    struct bytes  clause = { 0 }, doubt = { 0 };
    int           rc = graph_prepare(db, &query, sql, err);
    const bool    more = rc == 0 && sqlite3_column_count(query) > 7;

    if (rc == 0 && dataset.len) rc = graph_bind_text(query, 1, dataset, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const struct slice  what = graph_text(query, 6);
        const double        all = graph_real(query, 3);
        struct gate_finding found = { .source = graph_text(query, 0), .target = graph_text(query, 1),
                                      .percent = all > 0 ? 100 * graph_real(query, 2) / all : 0,
                                      .compared = graph_number(query, 4), .whole = graph_number(query, 5) };

        clause.len = doubt.len = 0;
        rc = bytes_printf(&clause, "%.2f %% %.*s", found.percent, (int)what.len, what.at) < 0
            ? err_memory(err, what.len, "gates") : 0;
        found.clause = clause.at;
        if (rc == 0 && more) rc = finding_rest(query, &found, &doubt) < 0 ? err_memory(err, 64, "gates") : 0;
        if (rc == 0) to->hear(to->context, &found);
    }
    graph_finish(query);
    bytes_free(&clause);
    bytes_free(&doubt);
    return rc < 0 ? rc : 0;
}

/* A gate without a finding looked at nothing. */
static int gate_measure(struct measuring *m, const struct task *task, struct err *err)
{
    const size_t before = m->count;
    const struct gate_listener listener = { gate_hear, m };
    int          rc = m->gate->sql ? gate_ask(m->db, m->gate->sql, SLICE(""), &listener, err)
                                   : m->gate->measure(task, m->db, &listener, err);

    if (rc < 0 || m->rc < 0) return rc < 0 ? rc : m->rc;
    if (m->count > before) return 0;
    if (ARRAY_GROW(m->row, m->room, m->count) < 0) return err_memory(err, sizeof *m->row, "gates");
    m->row[m->count++] = (struct graph_gate){ .gate = m->gate->key, .allowed = m->limit,
                                              .outcome = gate_outcome_names[GATE_INCONCLUSIVE],
                                              .clause = SLICE("nothing was measured"),
                                              .doubt = slice_of(task->of->unmeasured ? task->of->unmeasured :
                                                  "this run has nothing of which it could be said") };
    return 0;
}

/* ---- what is stored ---- */

static enum gate_outcome outcome_of(const char *name)
{
    for (enum gate_outcome o = 0; o < GATE_OUTCOMES; o++)
        if (strcmp(gate_outcome_names[o], name) == 0) return o;
    return GATE_INCONCLUSIVE;
}

/* Rows of table run: the worst of each gate, and of all. */
static void outcomes_tell(const struct measuring *m, struct settings *settings)
{
    enum gate_outcome worst = GATE_PASSED;

    for (size_t i = 0; i < m->count;) {
        const char       *key = m->row[i].gate;
        char              name[80];
        size_t            of = i;

        for (; i < m->count && strcmp(m->row[i].gate, key) == 0; i++)
            if (outcome_of(m->row[i].outcome) > outcome_of(m->row[of].outcome) ||
                (m->row[i].outcome == m->row[of].outcome && m->row[i].percent > m->row[of].percent)) of = i;
        if (outcome_of(m->row[of].outcome) > worst) worst = outcome_of(m->row[of].outcome);
        snprintf(name, sizeof name, "gate.%s", key);
        settings_add_format(settings, name, "%s: %.*s; at most %g %%", m->row[of].outcome, (int)m->row[of].clause.len,
                            m->row[of].clause.at, m->row[of].allowed);
    }
    settings_add_text(settings, "gates", slice_of(m->count ? gate_outcome_names[worst] : "none"));
}

static int outcomes_store(const struct measuring *m, struct err *err)
{
    const struct graph      none = { 0 };
    const struct graph_rows gates = { &table_gates, m->row, m->count, 0 };
    struct settings         settings = { 0 };
    int                     rc = rows_add(m->db, &none, &gates, m->given, err);

    outcomes_tell(m, &settings);
    if (settings.failed) rc = err_memory(err, sizeof *settings.row, "gates");
    if (rc == 0)
        rc = rows_add(m->db, &none, &(struct graph_rows){ &table_run, settings.row, settings.count, 0 }, m->given, err);
    settings_free(&settings);
    return rc;
}

int gates_measure(const struct config *config, sqlite3 *db, struct contents *given, struct err *err)
{
    struct measuring m = { .config = config, .db = db, .given = given, .err = err };
    int              rc = 0;

    for (size_t t = 0; t < config->task_count && rc == 0; t++) {
        const struct task *task = &config->task[t];

        for (size_t g = 0; rc == 0 && task->on && task->of->gates && task->of->gates[g].key; g++) {
            m.gate = &task->of->gates[g];
            m.limit = task->limit[g];
            if (m.limit >= 0) rc = gate_measure(&m, task, err);
        }
    }
    if (rc == 0) rc = outcomes_store(&m, err);
    free(m.row);
    pool_free(&m.pool);
    return rc;
}

/* ---- and read back ---- */

static const char outcomes_query[] =
    "SELECT outcome, gate, clause, allowed, doubt, compared, whole, documents, bytes, (SELECT ifnull(sum(files), 0) "
    "FROM skipped AS k WHERE reason = 'binary' AND (g.source = '' OR g.target = '*' OR k.dataset IN (g.source, "
    "g.target))) FROM gates AS g ORDER BY rowid";

static int outcome_print(sqlite3_stmt *query, enum gate_outcome outcome, struct bytes *out)
{
    const struct slice gate = graph_text(query, 1);
    char               name[80];
    int                rc;

    snprintf(name, sizeof name, "%.*s", (int)gate.len, gate.at);
    rc = bytes_printf(out, "gate fail_on.%s %s%s: ", name, outcome == GATE_INCONCLUSIVE ? "is " : "",
                      gate_outcome_names[outcome]);
    if (rc == 0 && outcome == GATE_INCONCLUSIVE) {
        const struct slice doubt = graph_text(query, 4);

        rc = bytes_printf(out, "%.*s; ", (int)doubt.len, doubt.at);
    }
    if (rc == 0) {
        const struct slice clause = graph_text(query, 2);

        rc = bytes_printf(out, "%.*s, %s %g %%", (int)clause.len, clause.at,
                          outcome == GATE_FAILED ? "more than" : "at most", graph_real(query, 3));
    }
    if (rc == 0)
        rc = bytes_printf(out, " (%llu of %llu compared; %llu documents, %llu bytes looked through",
                          (unsigned long long)graph_number(query, 5), (unsigned long long)graph_number(query, 6),
                          (unsigned long long)graph_number(query, 7), (unsigned long long)graph_number(query, 8));
    if (rc == 0 && graph_number(query, 9))
        rc = bytes_printf(out, "; %llu binary files passed over", (unsigned long long)graph_number(query, 9));
    if (rc == 0) rc = bytes_append(out, ")", 1);
    return rc == 0 ? bytes_append(out, "", 1) : rc;
}

int gates_read_back(sqlite3 *db, const struct gate_reader *to, enum gate_outcome *worst, struct err *err)
{
    sqlite3_stmt *query = NULL;
    struct bytes  sentence = { 0 };
    int           rc = graph_prepare(db, &query, outcomes_query, err);

    *worst = GATE_PASSED;
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const struct slice name = graph_text(query, 0);
        char               text[32];
        enum gate_outcome  outcome;

        snprintf(text, sizeof text, "%.*s", (int)name.len, name.at);
        outcome = outcome_of(text);
        if (outcome > *worst) *worst = outcome;
        sentence.len = 0;
        rc = outcome_print(query, outcome, &sentence) < 0 ? err_memory(err, 256, "gates") : 0;
        if (rc == 0) to->hear(to->context, outcome, sentence.at);
    }
    graph_finish(query);
    bytes_free(&sentence);
    return rc < 0 ? rc : 0;
}
