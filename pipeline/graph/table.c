/* graph/table.c -- see table.h. */
#include "graph/table.h"

#include <string.h>

static const char *const column_types[COLUMN_TYPES] = {
    [COLUMN_NUMBER] = "INTEGER", [COLUMN_SNIPPET] = "INTEGER", [COLUMN_MEMBER] = "INTEGER NOT NULL",
    [COLUMN_FLAG] = "INTEGER NOT NULL",
    [COLUMN_U31] = "INTEGER NOT NULL", [COLUMN_BIT31] = "INTEGER NOT NULL",
    [COLUMN_U32] = "INTEGER NOT NULL", [COLUMN_U64] = "INTEGER NOT NULL", [COLUMN_RECORD] = "INTEGER NOT NULL",
    [COLUMN_ID] = "INTEGER NOT NULL", [COLUMN_DOCUMENT] = "INTEGER NOT NULL", [COLUMN_MAYBE] = "INTEGER",
    [COLUMN_REAL] = "REAL NOT NULL", [COLUMN_MAYBE_SHARE] = "REAL", [COLUMN_MAYBE_REAL] = "REAL",
    [COLUMN_TEXT] = "TEXT NOT NULL", [COLUMN_OPTIONAL] = "TEXT", [COLUMN_TOKENS] = "TEXT NOT NULL",
    [COLUMN_SOURCE] = "TEXT", [COLUMN_KEY] = "TEXT NOT NULL", [COLUMN_HEX64] = "TEXT NOT NULL",
    [COLUMN_HEX128] = "TEXT NOT NULL", [COLUMN_KNOWN128] = "TEXT", [COLUMN_DATASET] = "TEXT NOT NULL",
    [COLUMN_SHARD] = "TEXT NOT NULL", [COLUMN_MAYBE_SHARD] = "TEXT", [COLUMN_ROLE] = "TEXT NOT NULL",
    [COLUMN_KIND] = "TEXT NOT NULL", [COLUMN_PASS] = "TEXT NOT NULL", [COLUMN_SET] = "REAL NOT NULL",
    [COLUMN_MULTISET] = "REAL NOT NULL", [COLUMN_CONTAINMENT_A] = "REAL NOT NULL",
    [COLUMN_CONTAINMENT_B] = "REAL NOT NULL",
};

const char *graph_column_type(const struct graph_column *column)
{
    const char *type = column_types[column->type];

    if (column->type == COLUMN_NUMBER || column->type == COLUMN_SNIPPET) return "INTEGER PRIMARY KEY";
    if (column->flags & COLUMN_PRIMARY) return *type == 'I' ? "INTEGER PRIMARY KEY" : "TEXT PRIMARY KEY";
    return column->flags & COLUMN_UNIQUE ? "TEXT NOT NULL UNIQUE" : type;
}

static int name_append(struct bytes *out, const struct graph_column *column)
{
    return bytes_printf(out, column->flags & COLUMN_QUOTED ? "\"%s\"" : "%s", column->name);
}

/* Widths of names and types, so that comments stand below each other. */
static void columns_measure(const struct graph_table *table, size_t *name, size_t *type)
{
    *name = *type = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        const struct graph_column *column = &table->columns[c];
        const size_t               wide = strlen(column->name) + (column->flags & COLUMN_QUOTED ? 2 : 0);

        if (wide > *name) *name = wide;
        if (strlen(graph_column_type(column)) > *type) *type = strlen(graph_column_type(column));
    }
}

static bool is_foreign(const struct graph_column *column) { return column->of && !(column->flags & COLUMN_GROUP); }

int graph_table_create(const struct graph_table *table, struct bytes *out)
{
    size_t name_width, type_width, left = 0;
    int    rc;

    if (!table->column_count) return 0;
    rc = bytes_printf(out, "CREATE TABLE %s (\n", table->name);
    columns_measure(table, &name_width, &type_width);
    for (size_t c = 0; c < table->column_count; c++) left += is_foreign(&table->columns[c]) ? 2 : 1;
    for (size_t c = 0; c < table->column_count && rc == 0; c++) {
        const struct graph_column *column = &table->columns[c];
        const size_t               start = out->len + 4;

        rc = bytes_printf(out, "    ");
        if (rc == 0) rc = name_append(out, column);
        if (rc == 0)
            rc = bytes_printf(out, "%*s%s%s", (int)(name_width + 1 - (out->len - start)), "", graph_column_type(column),
                              --left ? "," : "");
        if (rc == 0 && *column->doc)
            rc = bytes_printf(out, "%*s-- %s", (int)(name_width + type_width + 4 - (out->len - start)), "",
                              column->doc);
        if (rc == 0) rc = bytes_printf(out, "\n");
    }
    for (size_t c = 0; c < table->column_count && rc == 0; c++) {
        const struct graph_column *column = &table->columns[c];

        if (is_foreign(column))
            rc = bytes_printf(out, "    CONSTRAINT fk_%s FOREIGN KEY (%s) REFERENCES %s (id) ON DELETE CASCADE%s\n",
                              column->name, column->name, column->of, --left ? "," : "");
    }
    return rc < 0 ? rc : bytes_printf(out, ");\n");
}

int graph_table_views(const struct graph_table *table, bool temporary, struct bytes *out)
{
    int rc = 0;

    for (const struct graph_view *view = table->views; view && view->name && rc == 0; view++)
        rc = bytes_printf(out, "CREATE %sVIEW %s (%s) AS\n    %s;\n", temporary ? "TEMP " : "", view->name,
                          view->columns, view->select);
    return rc;
}

int graph_table_select(const struct graph_table *table, unsigned flags, const char *rest, struct bytes *out)
{
    bool first = true;
    int  rc = bytes_printf(out, "SELECT ");

    for (size_t c = 0; c < table->column_count && rc == 0; c++) {
        const struct graph_column *column = &table->columns[c];

        if (!(column->flags & flags)) continue;
        if (!first) rc = bytes_printf(out, ", ");
        if (rc == 0) rc = name_append(out, column);
        first = false;
    }
    return rc < 0 ? rc : bytes_printf(out, " FROM %s %s", table->name, rest);
}

const struct graph_column *graph_table_column(const struct graph_table *table, enum column_type type)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (table->columns[c].type == type) return &table->columns[c];
    return NULL;
}
