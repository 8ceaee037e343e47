/* graph/reference.c -- see reference.h. */
#include "graph/reference.h"

#include "base/suggest.h"
#include "graph/tables.h"

#include <errno.h>
#include <string.h>

static const char reference_head[] =
    "# graph.db\n"
    "\n"
    "What the datasets of one run share, as SQLite. datasets, snippets and duplicates have the shape of the published\n"
    "inter-dataset duplication database, so that queries and notebooks written for it run here unchanged. All text is\n"
    "valid UTF-8: bad bytes and NUL are U+FFFD. Integers are counts unless said otherwise. Every table is there in\n"
    "every graph; one of a pass that did not run is empty. Columns marked \\* are in `run.digest`.\n"
    "\n"
    "Views are the queries of the report, by name: `SELECT * FROM leakage` gives its rows in its order. Percentages\n"
    "are NULL where there is nothing to be a part of.\n";

/* Text in a cell of a table: a bar would end it, an angle begin a tag. */
static int put_cell(struct bytes *out, const char *text)
{
    int rc = 0;

    for (; *text && rc == 0; text++) {
        if (*text == '|' || *text == '<' || *text == '*') rc = bytes_append(out, "\\", 1);
        if (rc == 0) rc = bytes_append(out, text, 1);
    }
    return rc;
}

static int put_column(struct bytes *out, const struct graph_column *column)
{
    int rc = bytes_printf(out, "| %s%s | %s", column->name, column->flags & COLUMN_LINE ? " \\*" : "",
                          graph_column_type(column));

    if (rc == 0 && column->of) rc = bytes_printf(out, ", of %s", column->of);
    if (rc == 0) rc = bytes_printf(out, *column->doc ? " | " : " |");
    if (rc == 0) rc = put_cell(out, column->doc);
    return rc < 0 ? rc : bytes_printf(out, " |\n");
}

static int put_view(struct bytes *out, const struct graph_view *view)
{
    return bytes_printf(out, "\nView **%s** (%s). %s\n", view->name, view->columns, view->doc);
}

static int put_table(struct bytes *out, const struct graph_table *table)
{
    int rc = bytes_printf(out, "\n## %s\n\n%s\n", table->name, table->doc);

    if (rc == 0 && table->column_count) rc = bytes_printf(out, "\n| column | type | |\n|---|---|---|\n");
    for (size_t c = 0; c < table->column_count && rc == 0; c++) rc = put_column(out, &table->columns[c]);
    for (const struct graph_view *view = table->views; view && view->name && rc == 0; view++)
        rc = put_view(out, view);
    return rc;
}

int graph_reference(const struct graph_table *const *tables, struct bytes *out)
{
    int rc = bytes_append(out, reference_head, sizeof reference_head - 1);

    for (size_t i = 0; graph_tables[i] && rc == 0; i++) rc = put_table(out, graph_tables[i]);
    for (; *tables && rc == 0; tables++) rc = put_table(out, *tables);
    if (rc == 0)
        rc = bytes_printf(out, "\n## Views of all tables\n\nIn these each table says what it found; one that found "
                               "nothing adds no row.\n");
    for (size_t i = 0; i < GRAPH_UNIONS && rc == 0; i++) rc = put_view(out, &graph_unions[i]);
    return rc;
}

/* ---- one of them ---- */

/* What is looked for, and the names of all that there is. */
struct sought { const char *name, *near[512]; size_t count; };

static bool is_sought(struct sought *s, const char *name)
{
    if (s->count < sizeof s->near / sizeof *s->near - 1) s->near[s->count++] = name;
    return strcmp(s->name, name) == 0;
}

/* 1: found and appended; 0. */
static int put_sought(struct sought *s, const struct graph_table *table, struct bytes *out)
{
    int rc = 0;

    if (is_sought(s, table->name)) rc = put_table(out, table) < 0 ? -ENOMEM : 1;
    for (const struct graph_view *view = table->views; view && view->name && rc == 0; view++)
        if (is_sought(s, view->name)) rc = put_view(out, view) < 0 ? -ENOMEM : 1;
    return rc;
}

int graph_reference_of(const struct graph_table *const *tables, const char *name, struct bytes *out, struct err *err)
{
    struct sought sought = { .name = name };
    char          near[SUGGEST_ROOM];
    int           rc = 0;

    for (size_t i = 0; graph_tables[i] && rc == 0; i++) rc = put_sought(&sought, graph_tables[i], out);
    for (; *tables && rc == 0; tables++) rc = put_sought(&sought, *tables, out);
    for (size_t i = 0; i < GRAPH_UNIONS && rc == 0; i++)
        if (is_sought(&sought, graph_unions[i].name)) rc = put_view(out, &graph_unions[i]) < 0 ? -ENOMEM : 1;
    if (rc < 0) return err_memory(err, out->len, "the help");
    if (rc) return 0;
    return err_set(err, -EINVAL, "graph.db has no table or view `%s`%s", name, suggest(name, sought.near, near));
}
