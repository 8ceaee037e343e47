/* report/locate.c -- see locate.h. */
#include "report/locate.h"

#include "graph/read.h"
#include "report/show.h"
#include "report/visible.h"

#include <errno.h>

enum { CANDIDATES = 5 };                                    /* that are looked for, so that 4 can be listed */

/* The number behind the last colon of name, which is cut off with it.  False: there is none. */
static bool cut_number(struct slice *name, uint64_t *out)
{
    size_t at = name->len;

    *out = 0;
    while (at > 0 && name->at[at - 1] >= '0' && name->at[at - 1] <= '9') at--;
    if (at < 2 || at == name->len || name->len - at > 18 || name->at[at - 1] != ':') return false;
    for (size_t i = at; i < name->len; i++) *out = *out * 10 + (uint64_t)(name->at[i] - '0');
    name->len = at - 1;
    return true;
}

static int put(struct bytes *to, struct slice text, struct err *err)
{
    to->len = 0;
    return bytes_append_slice(to, text) < 0 ? err_memory(err, text.len, "a document's name") : 0;
}

/* The places that queries have given so far: the first of them, and the names of all. */
struct finding { sqlite3 *db; struct located *out; size_t count; struct bytes names; struct err *err; };

/* Adds those of a query of (dataset, shard, record) with ?1 = text and ?2 = number. */
static int candidates_take(struct finding *f, const char *sql, struct slice text, uint64_t number)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(f->db, &query, sql, f->err);

    if (rc == 0) rc = graph_bind_text(query, 1, text, f->err);
    if (rc == 0) rc = graph_bind_number(query, 2, (int64_t)number, f->err);
    while (rc == 0 && f->count < CANDIDATES && (rc = graph_step(query, f->err)) == 1) {
        struct slice dataset = graph_text(query, 0), shard = graph_text(query, 1);

        rc = 0;
        if (f->count++ == 0) {
            f->out->record = graph_number(query, 2);
            rc = put(&f->out->dataset, dataset, f->err);
            if (rc == 0) rc = put(&f->out->shard, shard, f->err);
        }
        if (rc == 0 && f->count < CANDIDATES &&
            ((f->count > 1 && bytes_append_slice(&f->names, SLICE(", ")) < 0) ||
             visible_append(&f->names, visible_cut(dataset, 200), true) < 0 || bytes_append(&f->names, ":", 1) < 0 ||
             visible_append(&f->names, visible_cut(shard, 200), true) < 0 ||
             bytes_printf(&f->names, ":%llu", (unsigned long long)graph_number(query, 2)) < 0))
            rc = err_memory(f->err, f->names.len, "names");
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* ---- numbers ---- */

/* The record of a shard that is its document `number`, from 0: rejects take no number. */
static int record_of(struct finding *f, uint64_t *number)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(f->db, &query, "SELECT record, records FROM rejects WHERE dataset = ?1 AND "
                                                    "shard = ?2 ORDER BY record", f->err);

    if (rc == 0) rc = graph_bind_text(query, 1, bytes_slice(&f->out->dataset), f->err);
    if (rc == 0) rc = graph_bind_text(query, 2, bytes_slice(&f->out->shard), f->err);
    while (rc == 0 && (rc = graph_step(query, f->err)) == 1 && graph_number(query, 0) <= *number) {
        *number += graph_number(query, 1);
        rc = 0;
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* DATASET:NUMBER.  A binary file takes a record's number too, and which ones do nobody has written down. */
static int find_number(struct finding *f, struct slice dataset, uint64_t number)
{
    struct located *out = f->out;
    size_t        count;
    int           rc = candidates_take(f, "SELECT dataset, shard, record FROM snippets WHERE dataset = ?1 AND "
                                          "id_within_dataset = ?2", dataset, number);

    if (rc < 0 || f->count) return rc;
    rc = candidates_take(f, "SELECT dataset, shard, 0 FROM skipped WHERE reason = 'binary' AND files > 0 AND dataset = "
                            "?1 AND ?2 = ?2", dataset, number);
    count = f->count;
    f->count = 0;
    f->names.len = 0;
    if (rc == 0 && count)
        return err_set(f->err, -ENOENT, "\"%.*s:%llu\" is not stored, and folders with binary files do not tell which "
                                        "record it is: say its path or SHARD:RECORD",
                       (int)visible_cut(dataset, 200).len, dataset.at, (unsigned long long)number);
    if (rc == 0)
        rc = candidates_take(f, "SELECT dataset, shard, ?2 - before FROM (SELECT dataset, shard, records - rejected AS "
                                "n, sum(records - rejected) OVER (PARTITION BY dataset ORDER BY rowid) - records + "
                                "rejected AS before FROM shards) WHERE dataset = ?1 AND before <= ?2 AND ?2 < before + "
                                "n", dataset, number);
    return rc == 0 && f->count == 1 ? record_of(f, &out->record) : rc;
}

static int find_record(struct finding *f, struct slice shard, uint64_t record)
{
    return candidates_take(f, "SELECT dataset, shard, ?2 FROM shards WHERE (shard = ?1 OR dataset || ':' || shard = "
                              "?1) AND ?2 < records + skipped ORDER BY rowid", shard, record);
}

/* ---- paths ---- */

/* Every table that has columns of a record and its path is asked, whosever it is; of places of one document there is
 * one. */
static int paths_query(sqlite3 *db, struct bytes *sql, struct err *err)
{
    static const char tables[] =
        "SELECT m.name, c.dataset, c.prefix FROM (SELECT 'dataset' AS dataset, '' AS prefix UNION ALL SELECT 'corpus', "
        "'run_' UNION ALL SELECT 'corpus', 'block_') AS c JOIN sqlite_master AS m ON m.type = 'table' AND "
        "(SELECT count(*) FROM pragma_table_info(m.name) WHERE name IN (c.dataset, c.prefix || 'shard', "
        "c.prefix || 'record', c.prefix || 'path')) = 4 ORDER BY 1, 2";
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, tables, err);

    if (rc == 0 && bytes_append_slice(sql, SLICE("SELECT dataset, shard, record FROM (")) < 0)
        rc = err_memory(err, sql->len, "a query");
    for (size_t n = 0; rc == 0 && (rc = graph_step(query, err)) == 1; n++) {
        struct slice table = graph_text(query, 0), dataset = graph_text(query, 1), prefix = graph_text(query, 2);

        rc = bytes_printf(sql, "%sSELECT %.*s AS dataset, %.*sshard AS shard, %.*srecord AS record FROM \"%.*s\" "
                               "WHERE %.*spath = ?1", n ? " UNION " : "", (int)dataset.len, dataset.at,
                          (int)prefix.len, prefix.at, (int)prefix.len, prefix.at, (int)table.len, table.at,
                          (int)prefix.len, prefix.at) < 0 ? err_memory(err, sql->len, "a query") : 0;
    }
    graph_finish(query);
    if (rc == 0 && bytes_append(sql, ") WHERE ?2 = ?2 ORDER BY 1, 2, 3", sizeof ") WHERE ?2 = ?2 ORDER BY 1, 2, 3") < 0)
        rc = err_memory(err, sql->len, "a query");
    return rc;
}

static int find_path(struct finding *f, const char *sql, struct slice path)
{
    int rc = candidates_take(f, sql, path, 0);

    return rc == 0 && f->count == 1 ? put(&f->out->path, path, f->err) : rc;
}

/* ---- all of them ---- */

/* Whether the document is stored. */
static int find_id(struct finding *f)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(f->db, &query, "SELECT id FROM snippets WHERE dataset = ?1 AND shard = ?2 AND "
                                                    "record = ?3", f->err);

    if (rc == 0) rc = graph_bind_text(query, 1, bytes_slice(&f->out->dataset), f->err);
    if (rc == 0) rc = graph_bind_text(query, 2, bytes_slice(&f->out->shard), f->err);
    if (rc == 0) rc = graph_bind_number(query, 3, (int64_t)f->out->record, f->err);
    if (rc == 0 && (rc = graph_step(query, f->err)) == 1) f->out->id = graph_number(query, 0);
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

static int find_elsewhere(struct finding *f, struct slice name)
{
    struct slice shorter = name, shortest;
    struct bytes sql = { 0 };
    uint64_t     number, other;
    bool         numbered = cut_number(&shorter, &number);
    int          rc = paths_query(f->db, &sql, f->err);

    shortest = shorter;
    if (rc == 0) rc = find_path(f, sql.at, name);
    if (rc == 0 && !f->count && numbered) rc = find_number(f, shorter, number);
    if (rc == 0 && !f->count && numbered) rc = find_record(f, shorter, number);
    if (rc == 0 && !f->count && numbered) rc = find_path(f, sql.at, shorter);
    if (rc == 0 && !f->count && numbered && cut_number(&shortest, &other)) rc = find_record(f, shortest, other);
    bytes_free(&sql);
    return rc;
}

int locate_document(sqlite3 *db, struct slice name, struct located *out, struct err *err)
{
    struct finding f = { .db = db, .out = out, .err = err };
    struct err     none = { 0 };
    int            rc = show_find(db, name, &out->id, &none);

    if (rc == 0) {
        rc = candidates_take(&f, "SELECT dataset, shard, record FROM snippets WHERE id = ?2 AND ?1 = ?1", SLICE(""),
                             out->id);
    } else if (rc == -ENOENT) {
        rc = find_elsewhere(&f, name);
        if (rc == 0 && !f.count) rc = err_set(err, -ENOENT, "%s", none.text);
        else if (rc == 0 && f.count > 1)
            rc = err_set(err, -EEXIST, "\"%.*s\" are several documents: %.*s%s", (int)visible_cut(name, 200).len,
                         name.at, (int)visible_cut(bytes_slice(&f.names), 600).len, f.names.at,
                         f.count == CANDIDATES ? ", ..." : "");
        else if (rc == 0) rc = find_id(&f);
    } else {
        *err = none;
    }
    bytes_free(&f.names);
    return rc;
}

void located_free(struct located *place)
{
    bytes_free(&place->dataset);
    bytes_free(&place->shard);
    bytes_free(&place->path);
    *place = (struct located){ 0 };
}
