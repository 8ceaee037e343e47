/* export/export.c -- see export.h. */
#include "export/export.h"

#include "base/log.h"
#include "base/suggest.h"
#include "export/edge_list.h"
#include "graph/edges.h"
#include "graph/read.h"
#include "graph/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 64 };

/* scratch: texts that had to be repaired, a column each. */
struct exporting {
    const struct export_request *request;
    sqlite3                     *db;
    struct export_writer         writer;
    size_t                       column[COLUMNS_MOST];
    struct export_value          value[COLUMNS_MOST];
    struct bytes                 scratch[COLUMNS_MOST];
    struct bytes                 sql, version, digest;
};

/* ---- what is asked ---- */

/* All names of a list, with commas between. */
static const char *formats_of(const struct export_thing *thing, struct bytes *out)
{
    out->len = 0;
    for (size_t i = 0; export_formats[i]; i++)
        if (export_format_takes(export_formats[i], thing) &&
            bytes_printf(out, "%s%s", out->len ? ", " : "", export_formats[i]->name) < 0) return "others";
    return bytes_append(out, "", 1) < 0 ? "others" : out->at;
}

static int check_format(struct exporting *x, struct err *err)
{
    const struct export_request *r = x->request;

    if (!export_format_takes(r->format, r->thing))
        return err_set(err, -EINVAL, "%s cannot say %s; these can: %s", r->format->name, r->thing->name,
                       formats_of(r->thing, &x->sql));
    if (r->columns && r->format->flags & EXPORT_SIDES)
        return err_set(err, -EINVAL, "%s has no columns of which some could be left out", r->format->name);
    return 0;
}

/* Is there such a dataset, of a benchmark where that is asked? */
static int check_dataset(struct exporting *x, enum export_filter filter, struct err *err)
{
    const char   *names[256], *wanted = x->request->filter[filter];
    struct bytes  all = { 0 };
    size_t        at[255], count = 0;
    char          near[SUGGEST_ROOM];
    sqlite3_stmt *query;
    bool          found = false;
    int           rc = graph_prepare(x->db, &query, filter == EXPORT_BENCHMARK
                                     ? "SELECT id FROM datasets WHERE role = 'benchmark'" : "SELECT id FROM datasets",
                                     err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const struct slice name = graph_text(query, 0);

        rc = 0;
        found |= slice_equal(name, slice_of(wanted));
        if (count == 255) continue;
        at[count++] = all.len;
        if (bytes_append_slice(&all, name) < 0 || bytes_append(&all, "", 1) < 0) rc = err_memory(err, 0, "names");
    }
    graph_finish(query);
    for (size_t i = 0; i < count && rc >= 0; i++) names[i] = all.at + at[i];
    if (rc >= 0) names[count] = NULL;
    if (rc == 0 && !found)
        rc = err_set(err, -EINVAL, "%s: the run has no %s `%.100s`%s", export_filter_names[filter],
                     filter == EXPORT_BENCHMARK ? "benchmark" : "dataset", wanted, suggest(wanted, names, near));
    bytes_free(&all);
    return rc;
}

/* SQLite reads the text again, and takes what strtod alone knows (0x1p-1, nan, inf) for 0: no filter at all. */
static int check_similarity(const char *text, struct err *err)
{
    char        *end;
    const double value = strtod(text, &end);

    if (text[0] && !text[strspn(text, "0123456789.eE+-")] && !*end && value >= 0 && value <= 1) return 0;
    return err_set(err, -EINVAL, "--min-similarity takes a number from 0 to 1, not `%.40s`", text);
}

static int check_filters(struct exporting *x, struct err *err)
{
    const struct export_request *r = x->request;
    int                          rc = 0;

    for (enum export_filter f = 0; f < EXPORT_FILTERS && rc == 0; f++) {
        if (!r->filter[f]) continue;
        if (!r->thing->filter[f])
            return err_set(err, -EINVAL, "%s are not chosen by %s", r->thing->name, export_filter_names[f]);
        if (f == EXPORT_BENCHMARK || f == EXPORT_DATASET) rc = check_dataset(x, f, err);
        if (f == EXPORT_SIMILARITY) rc = check_similarity(r->filter[f], err);
    }
    return rc;
}

static int column_named(struct exporting *x, struct slice name, struct err *err)
{
    const struct export_thing *thing = x->request->thing;
    const char                *names[COLUMNS_MOST + 1] = { NULL };
    char                       word[80], near[SUGGEST_ROOM];
    size_t                     c = 0;

    while (c < thing->column_count && !slice_equal(name, slice_of(thing->columns[c].name))) c++;
    if (c < thing->column_count) {
        for (size_t i = 0; i < x->writer.count; i++)        /* so they are no more than there are, too */
            if (x->column[i] == c) return err_set(err, -EINVAL, "--columns: `%s` stands twice", thing->columns[c].name);
        x->column[x->writer.count++] = c;
        return 0;
    }
    for (size_t i = 0; i < thing->column_count; i++) names[i] = thing->columns[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(name.len < 79 ? name.len : 79), name.at);
    return err_set(err, -EINVAL, "--columns: %s have no column `%s`%s", thing->name, word,
                   suggest(word, names, near));
}

static int choose_columns(struct exporting *x, struct err *err)
{
    const char *at = x->request->columns;
    int         rc = 0;

    if (!at)
        for (; x->writer.count < x->request->thing->column_count; x->writer.count++)
            x->column[x->writer.count] = x->writer.count;
    while (at && rc == 0) {
        const char *comma = strchr(at, ',');

        rc = column_named(x, (struct slice){ at, comma ? (size_t)(comma - at) : strlen(at) }, err);
        at = comma ? comma + 1 : NULL;
    }
    return rc;
}

/* ---- queries ---- */

/* Each condition's ?1 is ?N, N its filter's place from 1. */
static int put_condition(struct bytes *out, const char *condition, enum export_filter filter)
{
    for (const char *mark; (mark = strstr(condition, "?1")); condition = mark + 2)
        if (bytes_append(out, condition, (size_t)(mark - condition)) < 0 ||
            bytes_printf(out, "?%d", (int)filter + 1) < 0) return -ENOMEM;
    return bytes_append_slice(out, slice_of(condition));
}

static int put_from(struct exporting *x)
{
    const struct export_request *r = x->request;
    const char                  *word = "WHERE";
    int                          rc = bytes_printf(&x->sql, " FROM %s", r->thing->view);

    for (enum export_filter f = 0; f < EXPORT_FILTERS && rc == 0; f++) {
        if (!r->filter[f] && !(f == EXPORT_LEAKED && r->format->flags & EXPORT_LEAKS)) continue;
        rc = bytes_printf(&x->sql, " %s (", word);
        if (rc == 0) rc = put_condition(&x->sql, r->thing->filter[f], f);
        if (rc == 0) rc = bytes_append(&x->sql, ")", 1);
        word = "AND";
    }
    return rc;
}

static int put_rows(struct exporting *x)
{
    int rc = bytes_printf(&x->sql, "SELECT");

    for (size_t c = 0; c < x->writer.count && rc == 0; c++)
        rc = bytes_printf(&x->sql, "%s \"%s\"", c ? "," : "", export_column_at(&x->writer, c)->name);
    if (rc == 0) rc = put_from(x);
    return rc < 0 ? rc : bytes_printf(&x->sql, " %s", x->request->thing->order);
}

/* The fields of a side's document, as columns of a node. */
static int put_side(struct exporting *x, const char *prefix)
{
    const struct export_thing *thing = x->request->thing;
    int                        rc = bytes_printf(&x->sql, "SELECT");

    for (size_t f = 0; f < NODE_FIELDS && rc == 0; f++)
        rc = export_column_find(thing, prefix, export_node_fields[f]) < 0
            ? bytes_printf(&x->sql, "%s NULL AS %s", f ? "," : "", export_node_fields[f])
            : bytes_printf(&x->sql, "%s \"%s%s\" AS %s", f ? "," : "", prefix, export_node_fields[f],
                           export_node_fields[f]);
    return rc < 0 ? rc : put_from(x);
}

/* A document is one node, whichever rows it is in and whatever they know of it. */
static int put_nodes(struct exporting *x)
{
    int rc = bytes_printf(&x->sql, "SELECT dataset, shard, record");

    for (size_t f = NODE_SPLIT; f < NODE_FIELDS && rc == 0; f++)
        rc = bytes_printf(&x->sql, ", max(%s)", export_node_fields[f]);
    if (rc == 0) rc = bytes_printf(&x->sql, " FROM (");
    if (rc == 0) rc = put_side(x, x->request->thing->from);
    if (rc == 0) rc = bytes_printf(&x->sql, " UNION ALL ");
    if (rc == 0) rc = put_side(x, x->request->thing->to);
    return rc < 0 ? rc : bytes_printf(&x->sql, ") WHERE dataset IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3");
}

static int query_open(struct exporting *x, int (*put)(struct exporting *x), sqlite3_stmt **query, struct err *err)
{
    int rc;

    *query = NULL;
    x->sql.len = 0;
    if (put(x) < 0 || bytes_append(&x->sql, "", 1) < 0) return err_memory(err, x->sql.len, "a query");
    rc = graph_prepare(x->db, query, x->sql.at, err);
    for (enum export_filter f = 0; f < EXPORT_LEAKED && rc == 0; f++)
        if (x->request->filter[f]) rc = graph_bind_text(*query, (int)f + 1, slice_of(x->request->filter[f]), err);
    return rc;
}

/* ---- rows ---- */

static int text_take(struct exporting *x, sqlite3_stmt *query, int c, struct slice *out, struct err *err)
{
    if (text_make_valid(graph_text(query, c), &x->scratch[c], out) < 0) return err_memory(err, 0, "a text");
    return 0;
}

static int row_take(struct exporting *x, sqlite3_stmt *query, struct err *err)
{
    int rc = 0;

    for (int c = 0; c < (int)x->writer.count && rc == 0; c++) {
        struct export_value *value = &x->value[c];

        *value = (struct export_value){ .null = sqlite3_column_type(query, c) == SQLITE_NULL, .text = SLICE("") };
        if (value->null) continue;
        switch (export_column_at(&x->writer, (size_t)c)->type) {
        case EXPORT_TEXT: rc = text_take(x, query, c, &value->text, err); break;
        case EXPORT_REAL: value->real = graph_real(query, c); break;
        case EXPORT_INTEGER:
        case EXPORT_FLAG: value->number = sqlite3_column_int64(query, c); break;
        }
    }
    return rc;
}

static int write_rows(struct exporting *x, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = query_open(x, put_rows, &query, err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        rc = row_take(x, query, err);
        if (rc == 0) rc = x->writer.format->row(&x->writer, x->value, err);
        x->writer.rows++;
    }
    graph_finish(query);
    return rc;
}

static int write_nodes(struct exporting *x, struct err *err)
{
    struct export_node node;
    sqlite3_stmt      *query;
    int                rc = query_open(x, put_nodes, &query, err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        node = (struct export_node){ 0 };
        rc = 0;
        for (int f = 0; f < NODE_FIELDS && rc == 0; f++)
            if (sqlite3_column_type(query, f) != SQLITE_NULL) rc = text_take(x, query, f, &node.field[f], err);
        if (rc == 0) rc = x->writer.format->node(&x->writer, &node, err);
    }
    graph_finish(query);
    return rc;
}

/* ---- the whole ---- */

static int run_value(sqlite3 *db, const char *key, struct bytes *out, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT value FROM run WHERE key = ?1", err);

    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(key), err);
    if (rc == 0 && (rc = graph_step(query, err)) == 1)
        rc = bytes_append_slice(out, graph_text(query, 0)) < 0 ? err_memory(err, 0, key) : 0;
    graph_finish(query);
    return rc;
}

/* What is told of items and removed documents by their pairs is not told without them. */
static int told_without(const struct exporting *x, struct err *err)
{
    const bool items = strcmp(x->request->thing->view, "items") == 0;

    if (items && x->request->filter[EXPORT_LEAKED])
        return err_set(err, -EINVAL, "the pairs are too many for graph.db and lie in " EDGES_FILE " beside it: which "
                                     "items leaked is not told without them; ask for `pairs --leaked`");
    if (items || strcmp(x->request->thing->view, "removed_documents") == 0)
        log_warn("the pairs are too many for graph.db and lie in " EDGES_FILE " beside it: %s",
                 items ? "items that are contained or copied are not known, nor what each is like"
                 : "why a document was removed is not known");
    return 0;
}

/* Pairs beyond what graph.db holds lie in a list beside it. */
static int find_pairs(struct exporting *x, struct err *err)
{
    char     folder[FILE_NAME_MAX], path[FILE_NAME_MAX];
    bool     aside;
    int      rc = graph_run_says(x->db, "edges_file", &aside, err);

    if (rc < 0 || !aside) return rc;
    if (strcmp(x->request->thing->view, "pairs") != 0) return told_without(x, err);
    rc = file_folder(sqlite3_db_filename(x->db, "main"), folder, err);
    if (rc == 0) rc = file_join(folder, EDGES_FILE, path, err);
    return rc < 0 ? rc : edge_list_attach(x->db, path, err);
}

static int write_all(struct exporting *x, struct err *err)
{
    const struct export_format *format = x->writer.format;
    int                         rc;

    x->writer.state = calloc(1, format->state_size + 1);
    if (!x->writer.state) return err_memory(err, format->state_size, format->name);
    rc = format->begin(&x->writer, err);
    if (rc == 0 && format->flags & EXPORT_NODES) rc = write_nodes(x, err);
    if (rc == 0) rc = write_rows(x, err);
    if (rc == 0) rc = format->end(&x->writer, err);
    if (format->close) format->close(&x->writer);
    free(x->writer.state);
    return rc;
}

int export_rows(const struct export_request *request, sqlite3 *db, struct export_sink *sink, uint64_t *rows,
                struct err *err)
{
    struct exporting x = { .request = request, .db = db };
    int              rc;

    x.writer = (struct export_writer){ .format = request->format, .thing = request->thing, .column = x.column,
                                       .header = request->header, .sink = sink };
    rc = check_format(&x, err);
    if (rc == 0) rc = check_filters(&x, err);
    if (rc == 0) rc = choose_columns(&x, err);
    if (rc == 0) rc = find_pairs(&x, err);
    if (rc == 0) rc = run_value(db, "version", &x.version, err);
    if (rc == 0) rc = run_value(db, "digest", &x.digest, err);
    x.writer.version = bytes_slice(&x.version);
    x.writer.digest = bytes_slice(&x.digest);
    if (rc == 0) rc = write_all(&x, err);
    *rows = x.writer.rows;
    for (size_t c = 0; c < COLUMNS_MOST; c++) bytes_free(&x.scratch[c]);
    bytes_free(&x.sql);
    bytes_free(&x.version);
    bytes_free(&x.digest);
    return rc;
}
