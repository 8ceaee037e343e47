/* report/query_table.c -- see query_table.h. */
#include "report/query_table.h"

#include "graph/read.h"

int query_table_add(struct report_document *out, struct report_node *parent, sqlite3 *db,
                    const struct query_table *table, struct query_rows *rows,
                    struct err *err)
{
    struct report_column *head = pool_take(&out->pool, table->count * sizeof *head);
    struct report_node   *node;
    sqlite3_stmt         *query;
    int                   rc;

    *rows = (struct query_rows){ 0 };
    if (!head) return err_memory(err, table->count * sizeof *head, "a report");
    for (size_t i = 0; i < table->count; i++)
        head[i] = (struct report_column){ table->columns[i].key, table->columns[i].label };
    node = report_table(out, parent, table->key, head, table->count);
    rc = graph_prepare(db, &query, table->sql, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct report_cell cell[QUERY_COLUMNS_MAX];
        int                at = 0;

        for (size_t i = 0; i < table->count; i++, at++) {
            switch (table->columns[i].cell) {
            case CELL_NAME:    cell[i] = report_cell_name(graph_text(query, at)); break;
            case CELL_PART:    cell[i] = report_cell_part(graph_text(query, at)); break;
            case CELL_TEXT:    cell[i] = report_cell_text(graph_text(query, at)); break;
            case CELL_COUNT:   cell[i] = report_cell_count(graph_number(query, at)); break;
            case CELL_BYTES:   cell[i] = report_cell_bytes(graph_number(query, at)); break;
            case CELL_FLAG:    cell[i] = report_cell_flag(graph_number(query, at) != 0); break;
            case CELL_PERCENT:
                cell[i] = report_cell_percent(graph_number(query, at), graph_number(query, at + 1));
                at++;
                break;
            case CELL_SHARE:
                cell[i] = sqlite3_column_type(query, at) == SQLITE_NULL ? (struct report_cell){ .kind = REPORT_NOTHING }
                    : report_cell_share(graph_real(query, at));
                break;
            }
        }
        report_row(out, node, cell);
        rows->all++;
        if (table->hides && graph_number(query, at) == 0) {
            report_hide_row(node);
            rows->hidden++;
        }
        rc = 0;
    }
    graph_finish(query);
    return rc;
}
