/* graph/rows.c -- see rows.h.
 *
 * The arrays are shown to SQLite as virtual tables, so that one `INSERT INTO edges SELECT * FROM source_of_edges` moves
 * them: the virtual machine is entered once a table, not once a row, and values are not bound first and copied then. */
#include "graph/rows.h"

#include "graph/edges.h"
#include "graph/ids.h"
#include "graph/pairs.h"
#include "graph/tables.h"
#include "graph/text.h"

#include <errno.h>
#include <stdio.h>

/* What the virtual table shows now. */
struct rows {
    const struct graph      *graph;
    const struct graph_rows *of;                            /* rows NULL: the graph makes documents one at a time */
    struct bytes             scratch;                       /* repaired text, made names */
    struct contents         *contents;                      /* is told what is given; or NULL */
    struct value_hash       *hash;                          /* of it that of the table; or NULL */
    bool                     given;                         /* a value of the column: without one it is NULL */
    /* the one made last, or the pair read last, and its place + 1 */
    struct graph_document    document;
    struct graph_edge        edge;
    size_t                   made;
    /* of the pair whose similarities were asked last, and its place + 1: there are four, of the same counts */
    struct edge_scores       score;
    size_t                   scored;
    struct pairs             pairs;                         /* where pairs are read one at a time */
    struct err               err;                           /* of reading them */
};

/* ---- values ---- */

static void rows_tell_text(struct rows *rows, struct slice text)
{
    rows->given = true;
    if (rows->hash) value_hash_text(rows->hash, text);
}

/* Valid text is lent: it outlives the statement.  Repaired text is copied by SQLite. */
static void rows_give_text(struct rows *rows, sqlite3_context *out, struct slice text)
{
    struct slice valid;

    if (text_make_valid(text, &rows->scratch, &valid) < 0) {
        sqlite3_result_error_nomem(out);
        return;
    }
    rows_tell_text(rows, valid);
    sqlite3_result_text64(out, valid.len ? valid.at : "", valid.len,
                          valid.at == text.at ? SQLITE_STATIC : SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void rows_give_number(struct rows *rows, sqlite3_context *out, uint64_t number)
{
    rows->given = true;
    if (rows->hash) value_hash_number(rows->hash, number);
    sqlite3_result_int64(out, (sqlite3_int64)number);
}

static void rows_give_real(struct rows *rows, sqlite3_context *out, double real)
{
    rows->given = true;
    if (rows->hash) value_hash_real(rows->hash, real);
    sqlite3_result_double(out, real);                       /* NaN becomes NULL */
}

static void rows_give_hex(struct rows *rows, sqlite3_context *out, const uint64_t *low, size_t words)
{
    static const char digits[] = "0123456789abcdef";
    char              text[32];

    for (size_t i = 0; i < 16 * words; i++) text[i] = digits[low[words - 1 - i / 16] >> (60 - i % 16 * 4) & 15];
    rows_tell_text(rows, (struct slice){ text, 16 * words });
    sqlite3_result_text64(out, text, 16 * words, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* shard:record, of the columns that tell both. */
static void rows_give_place(struct rows *rows, sqlite3_context *out, const char *at)
{
    const struct graph_table *table = rows->of->table;
    const void               *of = at + graph_table_column(table, COLUMN_SHARD)->offset;
    const void               *record = at + graph_table_column(table, COLUMN_RECORD)->offset;
    struct bytes              name = { 0 };
    struct slice              shard = rows->graph->shards[*(const uint32_t *)of].name, valid;

    if (text_make_valid(shard, &rows->scratch, &valid) < 0 ||
        bytes_printf(&name, "%.*s:%llu", (int)valid.len, valid.at,
                     (unsigned long long)*(const uint64_t *)record) < 0) sqlite3_result_error_nomem(out);
    else {
        rows_tell_text(rows, bytes_slice(&name));
        sqlite3_result_text64(out, name.at, name.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    }
    bytes_free(&name);
}

/* A row of the table that is shown now.  Pairs that are not in memory are shown in their order. */
static const char *rows_at(struct rows *rows, size_t row)
{
    if (rows->of->rows) return graph_row(rows->of, row);
    if (rows->of->table == &table_edges) {
        for (; rows->made < row + 1 && rows->err.code == 0; rows->made++)
            if (pairs_next(&rows->pairs, &rows->edge, &rows->err) == 0)
                err_set(&rows->err, -EIO, "pairs: fewer than there were");
        return (const char *)&rows->edge;
    }
    if (rows->made != row + 1) rows->graph->make_document(rows->graph->source, row, &rows->document);
    rows->made = row + 1;
    return (const char *)&rows->document;
}

static const struct edge_scores *rows_score(struct rows *rows, size_t row, const void *edge)
{
    if (rows->scored != row + 1) rows->score = edge_score(rows->graph, rows->of->pass, edge);
    rows->scored = row + 1;
    return &rows->score;
}

static void rows_give(struct rows *rows, sqlite3_context *out, size_t row, const struct graph_column *column)
{
    const struct graph        *graph = rows->graph;
    const char                *at = rows_at(rows, row);
    const void                *field = at + column->offset;
    const struct slice        *text = field;
    const uint64_t            *number = field;
    const int64_t             *maybe = field;
    const double              *real = field;
    const uint32_t            *shard = field;

    switch (column->type) {
    case COLUMN_NUMBER:   rows_give_number(rows, out, row + 1); break;
    case COLUMN_SNIPPET: case COLUMN_MEMBER: rows_give_number(rows, out, graph_id_at(graph, row)); break;
    case COLUMN_FLAG:     rows_give_number(rows, out, *(const bool *)field); break;
    case COLUMN_U32:      rows_give_number(rows, out, *(const uint32_t *)field); break;
    case COLUMN_U31:      rows_give_number(rows, out, *(const uint32_t *)field & ~GRAPH_BIT31); break;
    case COLUMN_BIT31:    rows_give_number(rows, out, *(const uint32_t *)field >> 31); break;
    case COLUMN_U64: case COLUMN_RECORD: rows_give_number(rows, out, *(const uint64_t *)field); break;
    case COLUMN_ID:       rows_give_number(rows, out, (uint64_t)*(const uint32_t *)field + 1); break;
    case COLUMN_DOCUMENT: rows_give_number(rows, out, graph_id_at(graph, *(const uint32_t *)field)); break;
    case COLUMN_TEXT:     rows_give_text(rows, out, *text); break;
    case COLUMN_OPTIONAL: if (text->len) rows_give_text(rows, out, *text); break;
    case COLUMN_SOURCE:
        if (!text->at) rows_give_place(rows, out, at);
        else if (text->len) rows_give_text(rows, out, *text);
        break;
    case COLUMN_TOKENS:   rows_give_text(rows, out, text->len ? *text : SLICE("[]")); break;
    case COLUMN_KEY:      rows_give_text(rows, out, slice_of(*(const char *const *)field)); break;
    case COLUMN_HEX64:    rows_give_hex(rows, out, field, 1); break;
    case COLUMN_HEX128:   rows_give_hex(rows, out, field, 2); break;
    case COLUMN_KNOWN128: if (number[0] || number[1]) rows_give_hex(rows, out, field, 2); break;
    case COLUMN_DATASET:  rows_give_text(rows, out, graph->datasets[*(const uint32_t *)field].name); break;
    case COLUMN_SHARD:    rows_give_text(rows, out, graph->shards[*(const uint32_t *)field].name); break;
    case COLUMN_ROLE:     rows_give_text(rows, out, *(const bool *)field ? SLICE("benchmark") : SLICE("corpus")); break;
    case COLUMN_KIND:     rows_give_text(rows, out, slice_of(edge_kind_names[*(const uint32_t *)field])); break;
    case COLUMN_PASS:     rows_give_text(rows, out, slice_of(graph_pass_names[rows->of->pass])); break;
    case COLUMN_SET:      rows_give_real(rows, out, rows_score(rows, row, field)->set); break;
    case COLUMN_MULTISET: rows_give_real(rows, out, rows_score(rows, row, field)->multiset); break;
    case COLUMN_CONTAINMENT_A: rows_give_real(rows, out, rows_score(rows, row, field)->containment_a); break;
    case COLUMN_CONTAINMENT_B: rows_give_real(rows, out, rows_score(rows, row, field)->containment_b); break;
    case COLUMN_MAYBE:    if (*maybe >= 0) rows_give_number(rows, out, (uint64_t)*maybe); break;
    case COLUMN_REAL: case COLUMN_MAYBE_REAL: rows_give_real(rows, out, *real); break;
    case COLUMN_MAYBE_SHARE: if (*real >= 0) rows_give_real(rows, out, *real); break;
    case COLUMN_MAYBE_SHARD: if (*shard != UINT32_MAX) rows_give_text(rows, out, graph->shards[*shard].name); break;
    case COLUMN_TYPES:    break;
    }
}

/* ---- the virtual tables ---- */

struct rows_source { sqlite3_vtab base; struct rows *rows; };
struct rows_cursor { sqlite3_vtab_cursor base; struct rows *rows; size_t row; };

static int rows_connect(sqlite3 *db, void *context, int argc, const char *const *argv, sqlite3_vtab **out,
                        char **message)
{
    struct rows              *rows = context;
    const struct graph_table *table = rows->of->table;
    struct rows_source       *source = sqlite3_malloc64(sizeof *source);
    struct bytes              declaration = { 0 };
    int                       rc = source ? bytes_printf(&declaration, "CREATE TABLE x(") : -ENOMEM;

    (void)argc, (void)argv, (void)message;
    for (size_t c = 0; c < table->column_count && rc == 0; c++)
        rc = bytes_printf(&declaration, "%s\"%s\"", c ? "," : "", table->columns[c].name);
    if (rc == 0) rc = bytes_printf(&declaration, ")");
    rc = rc < 0 ? SQLITE_NOMEM : sqlite3_declare_vtab(db, declaration.at);
    bytes_free(&declaration);
    if (rc != SQLITE_OK) {
        sqlite3_free(source);
        return rc;
    }
    *source = (struct rows_source){ .rows = rows };
    *out = &source->base;
    return SQLITE_OK;
}

static int rows_disconnect(sqlite3_vtab *source)
{
    sqlite3_free(source);
    return SQLITE_OK;
}

static int rows_best_index(sqlite3_vtab *source, sqlite3_index_info *info)
{
    (void)source, (void)info;                               /* there is one way: all rows in order */
    return SQLITE_OK;
}

static int rows_open(sqlite3_vtab *source, sqlite3_vtab_cursor **out)
{
    struct rows_cursor *cursor = sqlite3_malloc64(sizeof *cursor);

    if (!cursor) return SQLITE_NOMEM;
    *cursor = (struct rows_cursor){ .rows = ((struct rows_source *)source)->rows };
    *out = &cursor->base;
    return SQLITE_OK;
}

static int rows_close(sqlite3_vtab_cursor *cursor)
{
    sqlite3_free(cursor);
    return SQLITE_OK;
}

/* Over documents without a row. */
static void rows_pass_over(struct rows_cursor *cursor)
{
    const struct graph_rows *of = cursor->rows->of;

    if (!(of->table->flags & TABLE_DOCUMENTS)) return;
    while (cursor->row < of->count && !graph_row_is_there(of, cursor->row)) cursor->row++;
}

static int rows_filter(sqlite3_vtab_cursor *cursor, int plan, const char *plan_text, int argc, sqlite3_value **argv)
{
    (void)plan, (void)plan_text, (void)argc, (void)argv;
    ((struct rows_cursor *)cursor)->row = 0;
    rows_pass_over((struct rows_cursor *)cursor);
    return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *cursor)
{
    ((struct rows_cursor *)cursor)->row++;
    rows_pass_over((struct rows_cursor *)cursor);
    return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *at)
{
    const struct rows_cursor *cursor = (const struct rows_cursor *)at;

    return cursor->row >= cursor->rows->of->count;
}

static int rows_column(sqlite3_vtab_cursor *at, sqlite3_context *out, int column)
{
    struct rows_cursor *cursor = (struct rows_cursor *)at;

    cursor->rows->given = false;
    rows_give(cursor->rows, out, cursor->row, &cursor->rows->of->table->columns[column]);
    if (!cursor->rows->given && cursor->rows->hash) value_hash_null(cursor->rows->hash);
    return cursor->rows->err.code == 0 ? SQLITE_OK : SQLITE_ERROR;
}

static int rows_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((struct rows_cursor *)cursor)->row;
    return SQLITE_OK;
}

/* Without xCreate the module's name is also the table's. */
static const sqlite3_module rows_module = {
    .xConnect = rows_connect, .xDisconnect = rows_disconnect, .xBestIndex = rows_best_index, .xOpen = rows_open,
        .xClose = rows_close,
    .xFilter = rows_filter, .xNext = rows_next, .xEof = rows_eof, .xColumn = rows_column, .xRowid = rows_rowid,
};

/* ---- filling ---- */

/* Is there no room?  SQLite calls that a full disk where the system does, but not where a quota is used up; what the
 * system said stands with the file, and with the connection unless something was asked of the system after it.  Where
 * no more files may be made, it cannot open the one that it sorts in. */
static bool rows_no_room(sqlite3 *db, int rc)
{
    int of_file = 0;

    if ((rc & 0xFF) != SQLITE_IOERR) return rc == SQLITE_FULL || (rc & 0xFF) == SQLITE_CANTOPEN;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &of_file);
    return err_of_write(of_file) == -ENOSPC || err_of_write(sqlite3_system_errno(db)) == -ENOSPC;
}

int rows_fail(sqlite3 *db, const char *what, struct err *err)
{
    int rc = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
    int code = rc == SQLITE_NOMEM ? -ENOMEM : rc == SQLITE_TOOBIG ? -EFBIG : db && rows_no_room(db, rc) ? -ENOSPC
        : -EIO;
    const char *hint = code != -ENOSPC || rc == SQLITE_FULL ? ""
        : (rc & 0xFF) == SQLITE_CANTOPEN ? ": may another file be made?" : ": a quota is used up";

    return err_set(err, code, "graph database: %s: %s%s", what, db ? sqlite3_errmsg(db) : "out of memory", hint);
}

static int rows_fill_table(struct rows *rows, sqlite3 *db, const struct graph_rows *of, struct err *err)
{
    const char *name = of->table->name;
    char        sql[128], source[64];

    if (of->count == 0) return 0;
    rows->of = of;
    if (rows->contents) {
        struct contents_table *told = contents_of(rows->contents, of->table);

        if (!told) return err_memory(err, sizeof *told->hash, "a digest");
        rows->hash = told->hash;
    }
    rows->made = rows->scored = 0;
    snprintf(source, sizeof source, "source_of_%s", name);
    snprintf(sql, sizeof sql, "INSERT INTO main.%s SELECT * FROM %s", name, source);
    if (sqlite3_create_module(db, source, &rows_module, rows) != SQLITE_OK ||
        sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return rows_fail(db, name, err);
    if (rows->contents) contents_of(rows->contents, of->table)->rows += (uint64_t)sqlite3_changes64(db);
    return 0;
}

/* The pairs of a pass, read once while they are shown. */
static int rows_fill_pairs(struct rows *rows, sqlite3 *db, const struct graph_pass *pass, const struct graph_rows *of,
                           struct err *err)
{
    int rc = pairs_open(&rows->pairs, pass, err);

    if (rc == 0) rc = rows_fill_table(rows, db, of, err);
    pairs_close(&rows->pairs);
    if (rows->err.code < 0) *err = rows->err;
    return rows->err.code < 0 ? rows->err.code : rc;
}

int rows_add(sqlite3 *db, const struct graph *graph, const struct graph_rows *of, struct contents *given,
             struct err *err)
{
    struct rows rows = { .graph = graph, .contents = given };
    int         rc = rows_fill_table(&rows, db, of, err);

    bytes_free(&rows.scratch);
    return rc;
}

/* ---- halves ---- */

enum rows_half rows_half_of(const struct graph_table *table)
{
    if (table == &table_edges || table == &table_clusters) return ROWS_PAIRS;
    for (const struct graph_table *const *core = graph_tables; *core; core++)
        if (*core == table) return ROWS_DOCUMENTS;
    return ROWS_PAIRS;
}

static uint64_t rows_values_of(const struct graph_table *table, size_t rows) { return rows * table->column_count; }

uint64_t rows_values(const struct graph *graph, enum rows_half half, bool edges_aside)
{
    uint64_t values = half == ROWS_DOCUMENTS ? rows_values_of(&table_snippets, graph->document_count) : 0;

    for (uint32_t pass = 0; pass < GRAPH_PASSES && half == ROWS_PAIRS; pass++) {
        const struct graph_pass *of = &graph->passes[pass];

        if (!edges_aside) values += rows_values_of(&table_edges, of->edge_count);
        if (of->cluster) values += rows_values_of(&table_clusters, of->clustered);
    }
    for (size_t i = 0; i < graph->row_count; i++)
        if (rows_half_of(graph->rows[i].table) == half)
            values += rows_values_of(graph->rows[i].table, graph->rows[i].count);
    return values;
}

static int rows_fill_documents(struct rows *rows, sqlite3 *db, struct err *err)
{
    const struct graph     *graph = rows->graph;
    const struct graph_rows core[] = {
        { &table_datasets, graph->datasets, graph->dataset_count, 0 },
        { &table_snippets, graph->documents, graph->document_count, 0 },
        { &table_overlap, graph->overlaps, graph->overlap_count, 0 },
        { &table_splits, graph->splits, graph->split_count, 0 },
        { &table_shards, graph->shards, graph->shard_count, 0 },
        { &table_skipped, graph->skips, graph->skip_count, 0 },
        { &table_rejects, graph->rejects, graph->reject_count, 0 },
        { &table_run, graph->settings, graph->setting_count, 0 },
    };
    int rc = 0;

    for (size_t i = 0; i < sizeof core / sizeof core[0] && rc == 0; i++) rc = rows_fill_table(rows, db, &core[i], err);
    return rc;
}

static int rows_fill_passes(struct rows *rows, sqlite3 *db, bool edges_aside, struct err *err)
{
    const struct graph *graph = rows->graph;
    int                 rc = 0;

    for (uint32_t pass = 0; pass < GRAPH_PASSES && rc == 0; pass++) {
        const struct graph_pass *of = &graph->passes[pass];
        const struct graph_rows  edges = { &table_edges, of->edges, edges_aside ? 0 : of->edge_count, pass };
        const struct graph_rows  clusters = { &table_clusters, of->cluster, of->cluster ? graph->document_count : 0,
                                             pass };

        rc = rows_fill_pairs(rows, db, of, &edges, err);
        if (rc == 0) rc = rows_fill_table(rows, db, &clusters, err);
    }
    return rc;
}

int rows_fill(sqlite3 *db, const struct graph *graph, enum rows_half half, bool edges_aside, struct contents *given,
              struct err *err)
{
    struct rows rows = { .graph = graph, .contents = given };
    int         rc = half == ROWS_DOCUMENTS ? rows_fill_documents(&rows, db, err)
                                            : rows_fill_passes(&rows, db, edges_aside, err);

    for (size_t i = 0; i < graph->row_count && rc == 0; i++)
        if (rows_half_of(graph->rows[i].table) == half) rc = rows_fill_table(&rows, db, &graph->rows[i], err);
    bytes_free(&rows.scratch);
    return rc;
}
