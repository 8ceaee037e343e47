/* report/query_table.c -- see query_table.h. */
#include "report/query_table.h"

#include "base/bytes.h"
#include "graph/read.h"
#include "report/ahead.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The names stand in brackets: a quoted one that is no column would be taken for a text. */
static int query_print(const struct query_table *table, const char *shows, const char *largest, struct bytes *sql)
{
    int rc = 0;

    for (size_t i = 0; i < table->count && rc == 0; i++)
        rc = bytes_printf(sql, "%s [%s]", i ? "," : "SELECT", table->columns[i].key);
    if (rc == 0 && shows) rc = bytes_printf(sql, ", %s", shows);
    if (rc == 0) rc = bytes_printf(sql, " FROM %s", table->from);
    if (rc == 0 && largest) rc = bytes_printf(sql, " ORDER BY %s", largest);
    return rc < 0 ? rc : bytes_append(sql, "", 1);
}

/* The node is told the query as a person would ask it. */
static int query_prepare(struct report_document *out, struct report_node *node, sqlite3 *db,
                         const struct query_table *table, const char *largest, sqlite3_stmt **query, struct err *err)
{
    struct bytes sql = { 0 };
    int          rc = query_print(table, NULL, largest, &sql);

    *query = NULL;
    if (rc == 0) report_sql(out, node, slice_of(sql.at));
    sql.len = 0;
    if (rc == 0) rc = query_print(table, table->shows, largest, &sql);
    rc = rc < 0 ? err_memory(err, sql.len, "a query") : graph_prepare(db, query, sql.at, err);
    bytes_free(&sql);
    return rc;
}

static struct report_cell query_cell(sqlite3_stmt *query, int at, enum query_cell cell)
{
    const bool nothing = sqlite3_column_type(query, at) == SQLITE_NULL;

    switch (cell) {
    case CELL_NAME:    return report_cell_name(graph_text(query, at));
    case CELL_PART:    return report_cell_part(graph_text(query, at));
    case CELL_OUTCOME: return report_cell_outcome(graph_text(query, at));
    case CELL_TEXT:    return report_cell_text(graph_text(query, at));
    case CELL_COUNT:   return report_cell_count(graph_number(query, at));
    case CELL_ID:      return report_cell_id(graph_number(query, at));
    case CELL_BYTES:   return report_cell_bytes(graph_number(query, at));
    case CELL_FLAG:    return report_cell_flag(graph_number(query, at) != 0);
    case CELL_PERCENT: return report_cell_percentage(nothing ? NAN : graph_real(query, at));
    case CELL_SHARE:   if (!nothing) return report_cell_share(graph_real(query, at));
    }
    return (struct report_cell){ .kind = REPORT_NOTHING };
}

/* Does the view have more rows than are told? */
static int query_large(sqlite3 *db, const struct query_table *table, bool *large, struct err *err)
{
    char     sql[512];
    uint64_t count = 0;
    int      rc;

    snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1 FROM %s LIMIT %d)", table->from, QUERY_ROWS_MOST + 1);
    rc = graph_count(db, sql, &count, err);
    *large = count > QUERY_ROWS_MOST;
    return rc;
}

static const struct report_column rows_columns[] = { { "all", "rows in all" }, { "shown", "rows here" } };

/* The rows that are left out. */
static int query_tell_rest(struct report_document *out, struct report_node *parent, const struct query_table *table,
                           const char *largest, size_t all, struct err *err)
{
    const struct report_cell cell[] = { report_cell_count(all), report_cell_count(QUERY_ROWS_MOST) };
    const size_t             room = strlen(table->key) + sizeof "_rows";
    char                    *key = pool_take(&out->pool, room);

    if (!key) return err_memory(err, room, "a report");
    snprintf(key, room, "%s_rows", table->key);
    report_row(out, report_facts(out, parent, key, rows_columns, 2), cell);
    report_paragraph(out, parent, "report.json has the %s %d rows; view %.*s of graph.db has all %zu.",
                     largest ? "largest" : "first", QUERY_ROWS_MOST, (int)strcspn(table->from, " "), table->from,
                     all);
    return 0;
}

int query_table_add_largest(struct report_document *out, struct report_node *parent, sqlite3 *db,
                            const struct query_table *table, const char *largest, struct query_rows *rows,
                            struct err *err)
{
    struct report_column *head = pool_take(&out->pool, table->count * sizeof *head);
    struct report_node   *node;
    sqlite3_stmt         *query;
    bool                  large = false;
    int                   rc = largest ? query_large(db, table, &large, err) : 0;

    *rows = (struct query_rows){ 0 };
    if (rc < 0) return rc;
    if (!head) return err_memory(err, table->count * sizeof *head, "a report");
    for (size_t i = 0; i < table->count; i++)
        head[i] = (struct report_column){ table->columns[i].key, table->columns[i].label };
    node = report_table(out, parent, table->key, head, table->count);
    rows->table = node;
    rc = query_prepare(out, node, db, table, large ? largest : NULL, &query, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct report_cell cell[QUERY_COLUMNS_MAX];

        rc = 0;
        if (rows->all++ >= QUERY_ROWS_MOST) continue;
        for (size_t i = 0; i < table->count; i++) cell[i] = query_cell(query, (int)i, table->columns[i].cell);
        report_row(out, node, cell);
        if ((table->most && rows->all > table->most) ||
            (table->shows && graph_number(query, (int)table->count) == 0)) {
            report_hide_row(node);
            rows->hidden++;
        }
    }
    graph_finish(query);
    return rc == 0 && rows->all > QUERY_ROWS_MOST ? query_tell_rest(out, parent, table, largest, rows->all, err) : rc;
}

int query_table_add(struct report_document *out, struct report_node *parent, sqlite3 *db,
                    const struct query_table *table, struct query_rows *rows,
                    struct err *err)
{
    if (ahead_take(out->ahead, parent, table, rows)) return 0;
    return query_table_add_largest(out, parent, db, table, NULL, rows, err);
}
