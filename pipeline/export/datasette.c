/* export/datasette.c -- metadata.json for datasette, from the descriptions of the tables.  See whole.h. */
#include "export/whole.h"

#include "corpus/writer.h"
#include "export/thing.h"
#include "graph/tables.h"

#include <errno.h>
#include <string.h>

/* Where somebody begins who has just opened the database.  :names are fields of a form. */
static const struct { const char *name, *title, *sql; } queries[] = {
    { "leakage_of_benchmarks", "How much of each benchmark is elsewhere", "SELECT * FROM benchmark_leakage" },
    { "leaked_items_of", "Items of a benchmark that leaked, the worst first",
      "SELECT * FROM leaked_items WHERE dataset = :benchmark" },
    { "pairs_of_a_document", "All pairs of a document (snippets.id), the most alike first",
      "SELECT * FROM pairs WHERE a = :snippet UNION ALL SELECT * FROM pairs WHERE b = :snippet ORDER BY similarity "
      "DESC" },
    { "pairs_of_datasets", "Pairs between two datasets, the most alike first",
      "SELECT kind, similarity, a, a_source_id, a_path, b, b_source_id, b_path FROM pairs WHERE a_dataset = :dataset "
      "AND b_dataset = :other ORDER BY similarity DESC LIMIT 1000" },
    { "leaks_by_repository", "Repositories that most items leak from",
      "SELECT match_dataset, match_repo, match_license, count(*) AS items FROM items WHERE leaked AND match_repo IS "
      "NOT NULL GROUP BY 1, 2, 3 ORDER BY items DESC LIMIT 100" },
    { "leaks_by_licence", "Licences that items leak from", "SELECT * FROM leak_licences" },
    { "rules", "What each rule and gate found", "SELECT * FROM rule_numbers" },
    { "largest_clusters", "The largest clusters",
      "SELECT pass, cluster, count(*) AS documents FROM clusters GROUP BY 1, 2 ORDER BY documents DESC LIMIT 100" },
    { "removed_by_reason", "What dedup and clean removed, and why",
      "SELECT output, dataset, why, count(*) AS documents FROM removed_documents GROUP BY 1, 2, 3 ORDER BY 1, 2, 4 "
      "DESC" },
};

static int put_text(struct bytes *out, const char *before, const char *text)
{
    return bytes_append_slice(out, slice_of(before)) < 0 ? -ENOMEM : json_append_string(out, slice_of(text));
}

/* The unit of a column, by its name; NULL: it is a count, or says it itself. */
static const char *unit_of(const char *name)
{
    const size_t len = strlen(name);

    if (strcmp(name, "mtime") == 0) return "ns";
    return len >= 5 && strcmp(name + len - 5, "bytes") == 0 ? "B" : NULL;
}

/* {"name": "...", ...} of the columns that something is to be said of. */
static int put_columns(struct bytes *out, const struct graph_table *table)
{
    const char *before = ", \"columns\": {";
    int         rc = 0;

    for (size_t c = 0; c < table->column_count && rc == 0; c++) {
        if (!*table->columns[c].doc) continue;
        rc = put_text(out, before, table->columns[c].name);
        if (rc == 0) rc = put_text(out, ": ", table->columns[c].doc);
        before = ", ";
    }
    return rc == 0 && *before == ',' && before[2] == 0 ? bytes_append(out, "}", 1) : rc;
}

static int put_units(struct bytes *out, const struct graph_table *table)
{
    const char *before = ", \"units\": {";
    int         rc = 0;

    for (size_t c = 0; c < table->column_count && rc == 0; c++) {
        const char *unit = unit_of(table->columns[c].name);

        if (!unit) continue;
        rc = put_text(out, before, table->columns[c].name);
        if (rc == 0) rc = put_text(out, ": ", unit);
        before = ", ";
    }
    return rc == 0 && before[2] == 0 ? bytes_append(out, "}", 1) : rc;
}

/* What an export says of a view's columns holds of the view. */
static int put_thing_columns(struct bytes *out, const char *view)
{
    const char *before = ", \"columns\": {";
    int         rc = 0;

    for (const struct export_thing *thing = export_things; thing->name; thing++) {
        if (strcmp(thing->view, view) != 0) continue;
        for (size_t c = 0; c < thing->column_count && rc == 0; c++) {
            if (!*thing->columns[c].doc) continue;
            rc = put_text(out, before, thing->columns[c].name);
            if (rc == 0) rc = put_text(out, ": ", thing->columns[c].doc);
            before = ", ";
        }
    }
    return rc == 0 && before[2] == 0 ? bytes_append(out, "}", 1) : rc;
}

static int put_view(struct bytes *out, const struct graph_view *view, bool *first)
{
    int rc = put_text(out, *first ? "\n" : ",\n", view->name);

    *first = false;
    if (rc == 0) rc = put_text(out, ": {\"description\": ", view->doc);
    if (rc == 0) rc = put_thing_columns(out, view->name);
    return rc < 0 ? rc : bytes_append(out, "}", 1);
}

static int put_tables(struct bytes *out, const struct graph_table *const *tables, bool *first)
{
    int rc = 0;

    for (; *tables && rc == 0; tables++) {
        const struct graph_table *table = *tables;

        if (table->column_count) {
            rc = put_text(out, *first ? "\n" : ",\n", table->name);
            *first = false;
            if (rc == 0) rc = put_text(out, ": {\"description\": ", table->doc);
            if (rc == 0) rc = put_columns(out, table);
            if (rc == 0) rc = put_units(out, table);
            if (rc == 0) rc = bytes_append(out, "}", 1);
        }
        for (const struct graph_view *view = table->views; view && view->name && rc == 0; view++)
            rc = put_view(out, view, first);
    }
    return rc;
}

static int put_queries(struct bytes *out)
{
    int rc = 0;

    for (size_t q = 0; q < sizeof queries / sizeof *queries && rc == 0; q++) {
        rc = put_text(out, q ? ",\n" : "\n", queries[q].name);
        if (rc == 0) rc = put_text(out, ": {\"title\": ", queries[q].title);
        if (rc == 0) rc = put_text(out, ", \"sql\": ", queries[q].sql);
        if (rc == 0) rc = bytes_append(out, "}", 1);
    }
    return rc;
}

static int write_metadata(sqlite3 *db, const struct graph_table *const *tables, struct export_sink *sink,
                          struct err *err)
{
    struct bytes *out = &sink->buffer;
    bool          first = true;
    int           rc = bytes_append_slice(out, SLICE("{\"title\": \"leakgraph\", \"databases\": {\"graph\": "
                                                     "{\"description\": \"What the datasets of a run share.\", "
                                                     "\"tables\": {"));

    (void)db;
    if (rc == 0) rc = put_tables(out, graph_tables, &first);
    if (rc == 0) rc = put_tables(out, tables, &first);
    for (size_t i = 0; i < GRAPH_UNIONS && rc == 0; i++) rc = put_view(out, &graph_unions[i], &first);
    if (rc == 0) rc = bytes_printf(out, "}, \"queries\": {");
    if (rc == 0) rc = put_queries(out);
    if (rc == 0) rc = bytes_printf(out, "}}}}\n");
    return rc < 0 ? err_memory(err, out->len, "metadata") : 0;
}

const struct export_whole export_datasette = {
    .name = "datasette", .doc = "metadata.json for datasette: what tables and columns are, queries to begin with",
    .write = write_metadata,
};
