/* graph/reader.c -- see reader.h. */
#include "graph/reader.h"

#include "graph/edges.h"
#include "graph/ids.h"
#include "graph/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int reader_open(struct reader *reader, sqlite3 *db, const struct graph_table *table, unsigned flags, const char *rest,
                const struct graph *graph, struct pool *pool, struct err *err)
{
    struct bytes sql = { 0 };
    int          rc;

    *reader = (struct reader){ .table = table, .graph = graph, .pool = pool, .flags = flags };
    rc = graph_table_select(table, flags, rest, &sql) < 0 ? err_memory(err, sql.len, table->name)
        : graph_prepare(db, &reader->query, sql.at, err);
    bytes_free(&sql);
    return rc;
}

void reader_close(struct reader *reader)
{
    graph_finish(reader->query);
    *reader = (struct reader){ 0 };
}

static int fail(const struct reader *reader, const struct graph_column *column, const char *what, struct err *err)
{
    return err_set(err, -EBADMSG, "%s: row %llu: %s: %s", reader->table->name, (unsigned long long)reader->rows,
                   column->name, what);
}

/* Rows of one dataset follow each other: the last one is tried first. */
static bool find_dataset(struct reader *reader, struct slice name, uint32_t *out)
{
    const struct graph *graph = reader->graph;
    uint32_t            i = reader->dataset;

    if (i >= graph->dataset_count || !slice_equal(graph->datasets[i].name, name))
        for (i = 0; i < graph->dataset_count && !slice_equal(graph->datasets[i].name, name);) i++;
    if (i == graph->dataset_count) return false;
    *out = reader->dataset = i;
    return true;
}

/* Two words of 16 digits, the high one first. */
static bool read_hex(struct slice text, uint64_t *low)
{
    uint64_t word[2] = { 0, 0 };

    for (size_t i = 0; i < text.len && text.len == 32; i++) {
        char digit = text.at[i];

        if (!((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f'))) return false;
        word[i / 16] = word[i / 16] << 4 | (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    low[0] = word[1];
    low[1] = word[0];
    return text.len == 32;
}

static int read_text(struct reader *reader, struct slice text, const struct slice *before, struct slice *out,
                     struct err *err)
{
    if (before && slice_equal(text, *before)) *out = *before;
    else if (pool_copy(reader->pool, text, out) < 0) return err_memory(err, text.len, reader->table->name);
    return 0;
}

/* Value `at` of the row into its field. */
static int read_value(struct reader *reader, const struct graph_column *column, int at, char *row, const char *before,
                      struct err *err)
{
    void          *field = row + column->offset;
    const uint64_t number = graph_number(reader->query, at);
    const bool     null = sqlite3_column_type(reader->query, at) == SQLITE_NULL;

    switch (column->type) {
    case COLUMN_NUMBER: case COLUMN_SNIPPET: case COLUMN_MEMBER: reader->number = number; return 0;
    case COLUMN_FLAG:   *(bool *)field = number != 0; return 0;
    case COLUMN_U32:
        if (number > UINT32_MAX) return fail(reader, column, "beyond 32 bits", err);
        *(uint32_t *)field = (uint32_t)number;
        return 0;
    case COLUMN_U31:
        if (number >= GRAPH_BIT31) return fail(reader, column, "beyond 31 bits", err);
        *(uint32_t *)field = (*(uint32_t *)field & GRAPH_BIT31) | (uint32_t)number;
        return 0;
    case COLUMN_BIT31:
        *(uint32_t *)field = (*(uint32_t *)field & ~GRAPH_BIT31) | (number ? GRAPH_BIT31 : 0);
        return 0;
    case COLUMN_U64: case COLUMN_RECORD: *(uint64_t *)field = number; return 0;
    case COLUMN_DOCUMENT:
        if (!graph_id_find(reader->graph, number, &reader->document))
            return fail(reader, column, "not in snippets", err);
        *(uint32_t *)field = reader->document;
        return 0;
    case COLUMN_MAYBE:  *(int64_t *)field = null ? -1 : (int64_t)number; return 0;
    case COLUMN_MAYBE_SHARE: *(double *)field = null ? -1 : graph_real(reader->query, at); return 0;
    case COLUMN_TEXT: case COLUMN_OPTIONAL:
        return read_text(reader, graph_text(reader->query, at),
                         before ? (const struct slice *)(const void *)(before + column->offset) : NULL,
                         field, err);
    case COLUMN_HEX128:
        return read_hex(graph_text(reader->query, at), field) ? 0
            : fail(reader, column, "not 32 hexadecimal digits", err);
    case COLUMN_DATASET:
        return find_dataset(reader, graph_text(reader->query, at), field) ? 0
            : fail(reader, column, "of a dataset that is not listed", err);
    case COLUMN_ROLE:   *(bool *)field = slice_equal(graph_text(reader->query, at), SLICE("benchmark")); return 0;
    case COLUMN_KIND:
        *(uint32_t *)field = edge_kind_of(graph_text(reader->query, at));
        return *(uint32_t *)field < EDGE_KIND_COUNT ? 0 : fail(reader, column, "not known here", err);
    case COLUMN_PASS:
        reader->pass = edge_pass_of(graph_text(reader->query, at));
        return reader->pass < GRAPH_PASSES ? 0 : fail(reader, column, "not known here", err);
    default: return fail(reader, column, "cannot be read back", err);
    }
}

int reader_next(struct reader *reader, void *row, const void *before, struct err *err)
{
    int rc = graph_step(reader->query, err), at = 0;

    if (rc != 1) return rc;
    reader->number = ++reader->rows;
    for (size_t c = 0; c < reader->table->column_count; c++) {
        const struct graph_column *column = &reader->table->columns[c];

        if (!(column->flags & reader->flags)) continue;
        rc = read_value(reader, column, at++, row, before, err);
        if (rc < 0) return rc;
    }
    return 1;
}

/* The order in which rows are to be had: that of the database, or of the digest's lines. */
static void order_print(const struct graph_table *table, char out[128])
{
    const struct graph_column *first = table->columns;

    snprintf(out, 128, "ORDER BY rowid");
    if (!(table->flags & TABLE_SORTED)) return;
    while (!(first->flags & COLUMN_LINE)) first++;
    snprintf(out, 128, "ORDER BY %s", first->name);
}

int reader_all(sqlite3 *db, const struct graph_table *table, const struct graph *graph, struct pool *pool, void **rows,
               size_t *count, struct err *err)
{
    const bool    placed = table->flags & TABLE_FATES;      /* a row's place is its document's */
    uint32_t      place = 0;
    struct reader reader = { 0 };
    char          text[128], *at = NULL;
    uint64_t      room;
    int           rc;

    *rows = NULL, *count = 0;
    snprintf(text, sizeof text, "SELECT count(*) FROM %s", table->name);
    rc = graph_count(db, text, &room, err);
    if (rc < 0 || room == 0) return rc;
    if (placed) room = graph->document_count;
    at = room >= UINT32_MAX ? NULL : calloc(room + 1, table->row_size);
    if (!at) return err_memory(err, room * table->row_size, table->name);
    if (placed) memset(at, 0xFF, room * table->row_size);
    *rows = at;
    order_print(table, text);
    rc = reader_open(&reader, db, table, COLUMN_LOAD | COLUMN_LINE, text, graph, pool, err);
    while (rc == 0 && (placed || *count < room)) {
        struct graph_fate fate = { 0 };
        char             *row = placed ? (char *)&fate : at + *count * table->row_size;

        rc = reader_next(&reader, row, *count && !placed ? row - table->row_size : NULL, err);
        if (rc != 1) break;
        rc = 0;
        ++*count;
        if (!placed) continue;
        if (!graph_id_find(graph, reader.number, &place) || fate.size == 0)
            rc = err_set(err, -EBADMSG, "%s: snippet %llu: not in snippets, or in a cluster of no document",
                         table->name, (unsigned long long)reader.number);
        else ((struct graph_fate *)(void *)at)[place] = fate;
    }
    if (placed) *count = room;
    reader_close(&reader);
    return rc;
}
