/* report/terminal.c -- see terminal.h. */
#include "report/terminal.h"

#include "graph/read.h"
#include "report/visible.h"

#include <math.h>
#include <stdlib.h>

enum { TERMINAL_TEXT = 32, TERMINAL_COLUMNS = 16 };

/* Cells of all rows one after the other, each with a NUL behind it; at: where each begins. */
struct cells {
    struct bytes text;
    size_t      *at, count, room;
    int          columns, width[TERMINAL_COLUMNS];
    bool         number[TERMINAL_COLUMNS];
    size_t       rows, left;
};

static int cell_print(struct bytes *out, sqlite3_stmt *query, int column)
{
    switch (sqlite3_column_type(query, column)) {
    case SQLITE_NULL:    return bytes_printf(out, "-");
    case SQLITE_INTEGER: return bytes_printf(out, "%lld", (long long)sqlite3_column_int64(query, column));
    case SQLITE_FLOAT: {
        const double value = sqlite3_column_double(query, column);

        return bytes_printf(out, value != 0 && fabs(value) < 1 ? "%.4f" : "%.2f", value);
    }
    default:             return visible_append(out, visible_cut(graph_text(query, column), TERMINAL_TEXT), true);
    }
}

static int cell_add(struct cells *cells, sqlite3_stmt *query, int column, bool heading)
{
    const size_t start = cells->text.len;
    int          rc = ARRAY_GROW(cells->at, cells->room, cells->count);

    if (rc < 0) return rc;
    cells->at[cells->count++] = start;
    rc = heading ? bytes_printf(&cells->text, "%s", sqlite3_column_name(query, column))
                 : cell_print(&cells->text, query, column);
    if (rc == 0) rc = bytes_append(&cells->text, "", 1);
    if (rc == 0 && (int)(cells->text.len - start - 1) > cells->width[column])
        cells->width[column] = (int)(cells->text.len - start - 1);
    if (!heading && sqlite3_column_type(query, column) != SQLITE_TEXT &&
        sqlite3_column_type(query, column) != SQLITE_NULL) cells->number[column] = true;
    return rc;
}

static int cells_read(struct cells *cells, sqlite3 *db, const char *sql, struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) {
        cells->columns = sqlite3_column_count(query);
        if (cells->columns > TERMINAL_COLUMNS) cells->columns = TERMINAL_COLUMNS;
        for (int c = 0; c < cells->columns && rc == 0; c++) rc = cell_add(cells, query, c, true);
    }
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        rc = 0;
        if (cells->rows == TERMINAL_ROWS) {
            cells->left++;
            continue;
        }
        cells->rows++;
        for (int c = 0; c < cells->columns && rc == 0; c++) rc = cell_add(cells, query, c, false);
    }
    graph_finish(query);
    return rc < 0 && !err->code ? err_memory(err, cells->text.len, "a table") : rc < 0 ? rc : 0;
}

static void cells_print(FILE *out, const struct cells *cells)
{
    for (size_t row = 0; row <= cells->rows; row++)
        for (int c = 0; c < cells->columns; c++) {
            const char *text = cells->text.at + cells->at[row * (size_t)cells->columns + (size_t)c];
            const bool  last = c == cells->columns - 1;

            if (cells->number[c]) fprintf(out, "%*s", cells->width[c], text);
            else if (last) fprintf(out, "%s", text);        /* no blanks at the end of a line */
            else fprintf(out, "%-*s", cells->width[c], text);
            fputs(last ? "\n" : "  ", out);
        }
}

int terminal_print(FILE *out, sqlite3 *db, const struct terminal_table *table, struct err *err)
{
    struct cells cells = { 0 };
    int          rc = cells_read(&cells, db, table->sql, err);

    if (rc == 0 && cells.rows == 0 && table->none) fprintf(out, "%s: %s\n\n", table->title, table->none);
    if (rc == 0 && cells.rows) {
        fprintf(out, "%s\n", table->title);
        cells_print(out, &cells);
        if (cells.left) fprintf(out, "%zu more rows are in the view %s of graph.db\n", cells.left, table->view);
        fputs("\n", out);
    }
    bytes_free(&cells.text);
    free(cells.at);
    return rc;
}
