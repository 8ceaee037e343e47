/* cmd/regress_data.c -- rows for `leakgraph regress`: of files and of graph.db. */
#include "cmd/regress.h"

#include "base/file.h"
#include "base/suggest.h"
#include "cmd/folder.h"
#include "config/capabilities.h"
#include "corpus/csv.h"
#include "graph/read.h"
#include "model/json_nul.h"
#include "view/class.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_KEPT = 256, NAME_LONGEST = 127, NUMBER_ROOM = 40 };
#define DATA_MOST ((size_t)1 << 32)                         /* bytes of a file that is read */

/* Doubles tell whole numbers apart below 2^53; names of things are below 2^64, what is far above are amounts. */
static const double WHOLE_MOST = 0x1p53, WHOLE_TEXT = 1e20;

/* The columns that there are, for those who meant one of them. */
struct headings { char at[NAMES_KEPT][NAME_LONGEST + 1]; size_t count; };

static struct frame_column *heading(struct frame *frame, struct headings *names, struct slice name)
{
    struct frame_column *c = frame_column_of(frame, name);

    if (c) c->found = true;
    if (names->count < NAMES_KEPT && name.len <= NAME_LONGEST)
        snprintf(names->at[names->count++], NAME_LONGEST + 1, "%.*s", (int)name.len, name.at);
    return c;
}

static int check_names(const struct frame *frame, const struct headings *names, const char *of, struct err *err)
{
    const char *list[NAMES_KEPT + 1] = { NULL };
    char        near[SUGGEST_ROOM], wanted[NAME_LONGEST + 1], all[400] = "";
    size_t      used = 0;

    for (size_t i = 0; i < frame->columns; i++) {
        const struct slice name = frame->column[i].name;

        if (frame->column[i].found) continue;
        for (size_t k = 0; k < names->count; k++) {
            list[k] = names->at[k];
            if (used < sizeof all)
                used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", names->at[k]);
        }
        snprintf(wanted, sizeof wanted, "%.*s", (int)(name.len < NAME_LONGEST ? name.len : NAME_LONGEST), name.at);
        return err_set(err, -EINVAL, "%s has no column `%s`: it has %s%s%s", of, wanted, *all ? all : "none",
                       used >= sizeof all ? "..." : "", suggest(wanted, list, near));
    }
    return 0;
}

static int row_end(struct frame *frame, struct err *err)
{
    return frame_end_row(frame) < 0 ? err_memory(err, frame->rows * sizeof(double), "rows") : 0;
}

/* ---- CSV ---- */

struct csv {
    struct frame        *frame;
    const char          *name;
    char                 separator;
    size_t               line, count, room;                 /* of the row at hand; columns */
    struct frame_column **column;                           /* NULL: nobody wants it */
    struct bytes         text;
};

/* The next row of *text, which loses it.  1, 0 when there is none, or -EBADMSG. */
static int csv_row(struct csv *c, struct slice *text, struct slice *row, size_t *next_line, struct err *err)
{
    enum csv_place place = CSV_FIELD;
    size_t         used = 0;
    enum csv_end   end;

    if (text->len == 0) return 0;
    c->line = *next_line;
    end = csv_scan(&place, *text, c->separator, &used);
    for (size_t i = 0; i < used; i++) *next_line += text->at[i] == '\n';
    if (end == CSV_BROKEN)
        return err_set(err, -EBADMSG, "%s:%zu: a quote that is closed before the end of its column", c->name,
                       *next_line);
    if (end == CSV_MORE && place == CSV_QUOTED)
        return err_set(err, -EBADMSG, "%s:%zu: a quote that is never closed", c->name, c->line);
    *row = csv_row_without_end((struct slice){ text->at, used });
    text->at += used;
    text->len -= used;
    return 1;
}

static int csv_heading(struct csv *c, struct headings *names, struct slice value, struct err *err)
{
    struct frame_column *was = frame_column_of(c->frame, value);

    if (was && was->found)
        return err_set(err, -EBADMSG, "%s:1: two columns are called `%.*s`", c->name, (int)was->name.len,
                       was->name.at);
    if (ARRAY_GROW(c->column, c->room, c->count) < 0) return err_memory(err, c->room * sizeof(void *), "columns");
    c->column[c->count++] = heading(c->frame, names, value);
    return 0;
}

/* names: the row is that of the headings. */
static int csv_cells(struct csv *c, struct slice row, struct headings *names, struct err *err)
{
    size_t       at = 0, used = 0, column = 0;
    struct slice value;
    bool         quoted;
    int          rc = 0;

    if (bytes_reserve(&c->text, row.len + 1) < 0) return err_memory(err, row.len, "a row");
    while (rc == 0 && csv_next_field(row, c->separator, &at, &value, &quoted)) {
        if (quoted) {
            char *to = c->text.at + used;

            used += value.len;
            value = (struct slice){ to, csv_unquote(to, value) };
        }
        if (names) rc = csv_heading(c, names, value, err);
        else if (column < c->count && c->column[column]) c->column[column]->cell = value;
        column++;
    }
    if (rc < 0 || names) return rc;
    return column == c->count ? row_end(c->frame, err)
        : err_set(err, -EBADMSG, "%s:%zu: %zu columns, where the first line has %zu", c->name, c->line, column,
                  c->count);
}

static int csv_read(struct frame *frame, const char *name, struct slice text, struct headings *names, struct err *err)
{
    const char  *line = memchr(text.at, '\n', text.len);
    const size_t first = line ? (size_t)(line - text.at) : text.len;
    struct csv   c = { .frame = frame, .name = name, .separator = memchr(text.at, '\t', first) ? '\t' : ',' };
    struct slice row;
    size_t       next_line = 1;
    bool         named = false;
    int          rc;

    while ((rc = csv_row(&c, &text, &row, &next_line, err)) > 0) {
        if (named && row.len == 0 && c.count > 1) continue; /* an empty line */
        rc = csv_cells(&c, row, named ? NULL : names, err);
        if (rc < 0) break;
        named = true;
    }
    free(c.column);
    bytes_free(&c.text);
    return rc;
}

/* ---- JSON ---- */

/* What the object has under this name; a.b is also b of the object a.  Of a key that is there twice the last counts. */
static const cJSON *json_member(const cJSON *object, struct slice name)
{
    const cJSON *found = NULL, *inner = NULL;

    for (const cJSON *item = object->child; item; item = item->next)
        if (slice_equal(slice_of(item->string), name)) found = item;
    for (const cJSON *item = object->child; item; item = item->next) {
        const size_t len = strlen(item->string);

        if (cJSON_IsObject(item) && len < name.len && name.at[len] == '.' && memcmp(name.at, item->string, len) == 0)
            inner = json_member(item, (struct slice){ name.at + len + 1, name.len - len - 1 });
    }
    return found ? found : inner;
}

/* All of the text as one value; NULL, and *end where it is none or where more than blanks stands behind it. */
static cJSON *json_whole(struct slice text, const char **end)
{
    cJSON *tree = cJSON_ParseWithLengthOpts(text.at, text.len, end, 0);

    if (!*end) *end = text.at;
    while (tree && *end < text.at + text.len && memchr(" \t\r\n", **end, 4)) ++*end;
    if (!tree || *end == text.at + text.len) return tree;
    cJSON_Delete(tree);
    return NULL;
}

#define NO_JSON "is no JSON from byte %zu (NaN and Infinity are none: write null)"
#define HAS_NUL "has a NUL, at which texts would end"

/* As JSON writes it.  Whole numbers past 2^53 are one double where they are several numbers. */
static int json_number(const cJSON *item, char *out, const char *where, struct slice name, struct err *err)
{
    const double value = cJSON_IsBool(item) ? cJSON_IsTrue(item) : item->valuedouble;

    snprintf(out, NUMBER_ROOM, "%.17g", value);
    return fabs(value) < WHOLE_MOST || fabs(value) >= WHOLE_TEXT ? 0
        : err_set(err, -EBADMSG, "%s: `%.*s` is %s, and numbers from 2^53 are not told apart: write it in quotes, as "
                                 "a text", where, (int)name.len, name.at, out);
}

static int json_row(struct frame *frame, const cJSON *object, struct headings *names, const char *where,
                    struct err *err)
{
    char number[FORMULA_VARIABLES + 2][NUMBER_ROOM];

    if (!cJSON_IsObject(object)) return err_set(err, -EBADMSG, "%s: a row is a JSON object", where);
    for (const cJSON *item = object->child; item && frame->rows == 0; item = item->next)
        heading(frame, names, slice_of(item->string));
    for (size_t i = 0; i < frame->columns; i++) {
        struct frame_column *c = &frame->column[i];
        const cJSON         *item = json_member(object, c->name);

        c->found |= item != NULL;
        if (!item || cJSON_IsNull(item)) continue;
        if (cJSON_IsArray(item) || cJSON_IsObject(item))
            return err_set(err, -EBADMSG, "%s: `%.*s` is neither a number nor a text", where, (int)c->name.len,
                           c->name.at);
        if (cJSON_IsString(item)) c->cell = slice_of(item->valuestring);
        else if (json_number(item, number[i], where, c->name, err) < 0) return -EBADMSG;
        else c->cell = slice_of(number[i]);
    }
    return row_end(frame, err);
}

static int json_array(struct frame *frame, const char *name, struct slice text, struct headings *names,
                      struct err *err)
{
    const char *end = NULL;
    cJSON      *all = json_whole(text, &end);
    char        where[FILE_NAME_MAX];
    size_t      number = 0;
    int         rc = all ? 0 : err_set(err, -EBADMSG, "%s: " NO_JSON, name, (size_t)(end - text.at) + 1);

    if (rc == 0 && json_has_nul(text)) rc = err_set(err, -EBADMSG, "%s: " HAS_NUL, name);
    for (const cJSON *item = all ? all->child : NULL; item && rc == 0; item = item->next) {
        snprintf(where, sizeof where, "%s: record %zu", name, number++);
        rc = json_row(frame, item, names, where, err);
    }
    cJSON_Delete(all);
    return rc;
}

static int json_lines(struct frame *frame, const char *name, struct slice text, struct headings *names,
                      struct err *err)
{
    char where[FILE_NAME_MAX];
    int  rc = 0;

    for (size_t line = 1; text.len && rc == 0; line++) {
        const char  *next = memchr(text.at, '\n', text.len), *end = NULL;
        const size_t len = next ? (size_t)(next - text.at) : text.len;
        cJSON       *object;

        snprintf(where, sizeof where, "%s:%zu", name, line);
        if (strspn(text.at, " \t\r") < len) {
            object = json_whole((struct slice){ text.at, len }, &end);
            if (!object) rc = err_set(err, -EBADMSG, "%s: " NO_JSON, where, (size_t)(end - text.at) + 1);
            else if (json_has_nul((struct slice){ text.at, len })) rc = err_set(err, -EBADMSG, "%s: " HAS_NUL, where);
            else rc = json_row(frame, object, names, where, err);
            cJSON_Delete(object);
        }
        text.at += len + (next != NULL);
        text.len -= len + (next != NULL);
    }
    return rc;
}

/* ---- files ---- */

static int file_text(const char *path, struct bytes *out, struct err *err)
{
    const int file = file_open(path, O_RDONLY);
    ssize_t   got = 1;
    int       rc = 0;

    if (file < 0) return err_set(err, -errno, "%s: %s", path, strerror(errno));
    while (rc == 0 && got > 0) {
        if (out->len > DATA_MOST) rc = err_set(err, -EFBIG, "%s: too long for a table", path);
        else if (bytes_reserve(out, out->len * 2 + 65536) < 0) rc = err_memory(err, out->len * 2, "a table");
        else if ((got = file_read(file, out->at + out->len, out->room - out->len)) < 0)
            rc = err_set(err, -errno, "%s: %s", path, strerror(errno));
        else out->len += (size_t)got;
    }
    close(file);
    if (rc == 0) out->at[out->len] = 0;                     /* in the pad: what walks the text ends there */
    return rc;
}

int regress_read_file(struct frame *frame, const char *path, struct err *err)
{
    struct headings *names = calloc(1, sizeof *names);
    struct bytes     bytes = { 0 };
    struct slice     text;
    int              rc = names ? file_text(path, &bytes, err) : err_memory(err, sizeof *names, "names");

    text = bytes_slice(&bytes);
    if (text.len >= 3 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0) text.at += 3, text.len -= 3;
    if (rc == 0 && text.len == 0) rc = err_set(err, -EBADMSG, "%s: is empty", path);
    if (rc == 0) {
        const size_t blank = strspn(text.at, " \t\r\n");

        rc = (text.at[blank] == '{' ? json_lines : text.at[blank] == '[' ? json_array : csv_read)(frame, path, text,
                                                                                             names, err);
    }
    if (rc == 0) rc = check_names(frame, names, path, err);
    if (rc == 0 && frame->rows == 0) rc = err_set(err, -EBADMSG, "%s: has a line of headings and no rows", path);
    free(names);
    bytes_free(&bytes);
    return rc;
}

/* ---- graph.db ---- */

/* Columns of the rows that a run has by itself; pairs: needs those of pass near. */
static const struct { const char *name, *sql; bool near; } ready[] = {
    { "model", "m.name", false }, { "parameters", "m.parameters", false }, { "dataset", "s.dataset", false },
    { "item", "s.source_id", false }, { "split", "s.split_within_dataset", false },
    { "language", "s.language", false }, { "repo", "s.repo", false }, { "license", "s.license", false },
    { "license_class", "s.license_class", false }, { "path", "s.path", false }, { "truth", "i.truth", false },
    { "matches", "s.matches", true }, { "copies", "ifnull(o.copies, 0)", true },
    { "overlap", "ifnull(o.overlap, 0)", true }, { "containment", "ifnull(o.containment, 0)", true },
};

enum { READY = sizeof ready / sizeof *ready };

static size_t ready_of(struct slice name)
{
    size_t i = 0;

    while (i < READY && !slice_equal(slice_of(ready[i].name), name)) i++;
    return i;
}

/* Copies are counted where all pairs of the items are there: near_duplicates keeps max_matches of each item and, but
 * with pairs: all, stars of classes above STAR_LIMIT. */
static int check_copies(sqlite3 *db, const char *run, struct err *err)
{
    struct bytes sql = { 0 };
    uint64_t     most = 0;
    int          rc = bytes_printf(&sql,
        "SELECT ifnull(max(pairs), 0) FROM (SELECT count(*) AS pairs FROM snippet_pairs WHERE pass = 'near' AND "
        "snippet IN (SELECT snippet FROM probes) GROUP BY snippet) WHERE pairs >= (SELECT min(CAST(value AS INTEGER), "
        "CASE WHEN (SELECT value FROM run WHERE key = 'configuration') LIKE '%%near_duplicates:%%' || char(10) || "
        "'  pairs: all%%' THEN CAST(value AS INTEGER) ELSE %u END) FROM run WHERE key = 'near.max_matches')",
        STAR_LIMIT);

    if (rc == 0) rc = bytes_append(&sql, "", 1);
    rc = rc < 0 ? err_memory(err, sql.len, "a query") : graph_count(db, sql.at, &most, err);
    bytes_free(&sql);
    return rc < 0 || !most ? rc
        : err_set(err, -EINVAL, "%s: an item has %llu pairs, and graph.db may not have all of its `copies`; set "
                                "near_duplicates.pairs to all and near_duplicates.max_matches above that, or take "
                                "`matches`, which counts them all", run, (unsigned long long)most);
}

static int check_run(sqlite3 *db, const struct frame *frame, const char *run, struct err *err)
{
    uint64_t probes;
    bool     near = false, aside = false;
    int      rc = graph_count(db, "SELECT count(*) FROM (SELECT 1 FROM probes LIMIT 1)", &probes, err);

    if (rc == 0) rc = graph_run_says(db, "near.view", &near, err);
    if (rc == 0) rc = graph_run_says(db, "edges_file", &aside, err);
    if (rc < 0) return rc;
    if (!probes)
        return err_set(err, -EINVAL, "%s: this run has asked no model (`probe` in pipeline.yaml); --query takes other "
                                     "rows", run);
    for (size_t i = 0; i < frame->columns; i++) {
        const size_t known = ready_of(frame->column[i].name);

        if (known == READY || !ready[known].near || (near && !aside)) continue;
        return err_set(err, -EINVAL, "%s: `%s` is of near duplicates, %s", run, ready[known].name,
                       near ? "whose pairs this run has in a file" : "which this run has not looked for");
    }
    return frame_column_of(frame, SLICE("copies")) ? check_copies(db, run, err) : 0;
}

/* The names of metrics and ready columns, so that check_names can tell of them. */
static int ready_names(sqlite3 *db, struct frame *frame, struct headings *names, struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, "SELECT DISTINCT metric FROM probes ORDER BY metric", err);

    for (size_t i = 0; i < READY; i++) heading(frame, names, slice_of(ready[i].name));
    while (rc == 0 && (rc = graph_step(query, err)) > 0) {
        heading(frame, names, graph_text(query, 0));
        rc = 0;
    }
    graph_finish(query);
    return rc;
}

/* A metric's column is bound to its name: that of the place of the column, from 1. */
static int ready_query(const struct frame *frame, struct bytes *out)
{
    static const char rest[] =
        " FROM probes AS p JOIN snippets AS s ON s.id = p.snippet JOIN models AS m ON m.id = p.model LEFT JOIN "
        "probe_items AS i ON i.snippet = p.snippet";
    static const char pairs[] =
        " LEFT JOIN (SELECT snippet, sum(kind IN ('exact', 'copy')) AS copies, max(set_similarity) AS overlap, "
        "max(containment) AS containment FROM snippet_pairs WHERE pass = 'near' AND (snippet - 1) / 1000000000000 <> "
        "(other - 1) / 1000000000000 GROUP BY snippet) AS o ON o.snippet = p.snippet";
    bool near = false;
    int  rc = bytes_printf(out, "SELECT");

    for (size_t i = 0; i < frame->columns && rc == 0; i++) {
        const size_t known = ready_of(frame->column[i].name);

        near |= known < READY && ready[known].near;
        rc = known < READY ? bytes_printf(out, "%s %s", i ? "," : "", ready[known].sql)
            : bytes_printf(out, "%s max(CASE WHEN p.metric = ?%zu THEN p.value END)", i ? "," : "", i + 1);
    }
    if (rc == 0) rc = bytes_printf(out, "%s%s GROUP BY p.model, p.snippet ORDER BY p.model, p.snippet", rest,
                                   near ? pairs : "");
    return rc == 0 ? bytes_append(out, "", 1) : rc;
}

/* Every row; column[k]: what the query's k-th column is for, or NULL. */
static int take_rows(struct frame *frame, sqlite3_stmt *query, struct frame_column *const *column, int columns,
                     struct err *err)
{
    int rc = 0;

    while (rc == 0 && (rc = graph_step(query, err)) > 0) {
        char number[FORMULA_VARIABLES + 2][NUMBER_ROOM];

        for (int k = 0; k < columns; k++) {
            const size_t place = column[k] ? (size_t)(column[k] - frame->column) : 0;

            if (!column[k] || sqlite3_column_type(query, k) == SQLITE_NULL) continue;
            if (sqlite3_column_type(query, k) == SQLITE_FLOAT) {
                snprintf(number[place], NUMBER_ROOM, "%.17g", graph_real(query, k));
                column[k]->cell = slice_of(number[place]);
            } else column[k]->cell = graph_text(query, k);
        }
        rc = row_end(frame, err);
    }
    return rc;
}

static int read_ready(struct frame *frame, sqlite3 *db, const char *run, struct headings *names, struct err *err)
{
    struct frame_column *column[FORMULA_VARIABLES + 2];
    struct bytes         sql = { 0 };
    sqlite3_stmt        *query = NULL;
    int                  rc = check_run(db, frame, run, err);

    if (rc == 0) rc = ready_names(db, frame, names, err);
    if (rc == 0) rc = check_names(frame, names, run, err);
    if (rc == 0 && ready_query(frame, &sql) < 0) rc = err_memory(err, sql.len, "a query");
    if (rc == 0) rc = graph_prepare(db, &query, sql.at, err);
    for (size_t i = 0; i < frame->columns; i++) {
        column[i] = &frame->column[i];
        if (rc == 0 && ready_of(frame->column[i].name) == READY)
            rc = graph_bind_text(query, (int)i + 1, frame->column[i].name, err);
    }
    if (rc == 0) rc = take_rows(frame, query, column, (int)frame->columns, err);
    graph_finish(query);
    bytes_free(&sql);
    return rc;
}

/* Nothing but blanks, comments and semicolons? */
static bool is_nothing(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *query = NULL;
    bool          nothing = true;

    while (*sql && nothing) {
        nothing = sqlite3_prepare_v2(db, sql, -1, &query, &sql) == SQLITE_OK && !query;
        sqlite3_finalize(query);
    }
    return nothing;
}

/* What stands behind the first statement would not be asked, and a statement without columns has no rows. */
static int check_query(sqlite3 *db, sqlite3_stmt *query, const char *sql, struct err *err)
{
    if (!sqlite3_column_count(query))
        return err_set(err, -EINVAL, "--query takes a SELECT: this statement has no columns");
    return is_nothing(db, sql + strlen(sqlite3_sql(query))) ? 0
        : err_set(err, -EINVAL, "--query takes one statement, and there is more behind its `;`");
}

static int read_query(struct frame *frame, sqlite3 *db, const char *sql, struct headings *names, struct err *err)
{
    struct frame_column **column = NULL;
    sqlite3_stmt         *query = NULL;
    int                   columns = 0, rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) rc = check_query(db, query, sql, err);
    if (rc == 0) {
        columns = sqlite3_column_count(query);
        column = calloc((size_t)columns + 1, sizeof *column);
        if (!column) rc = err_memory(err, (size_t)columns * sizeof *column, "columns");
    }
    for (int k = 0; k < columns && rc == 0; k++)
        column[k] = heading(frame, names, slice_of(sqlite3_column_name(query, k)));
    if (rc == 0) rc = check_names(frame, names, "the query", err);
    if (rc == 0) rc = take_rows(frame, query, column, columns, err);
    graph_finish(query);
    free(column);
    return rc;
}

int regress_read_run(struct frame *frame, const char *run, const char *query, struct err *err)
{
    struct headings *names = calloc(1, sizeof *names);
    sqlite3         *db = NULL;
    char             path[FILE_NAME_MAX];
    int              rc = names ? folder_find_graph(run, path, err) : err_memory(err, sizeof *names, "names");

    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_define_views(db, capability_tables(), err);
    if (rc == 0) rc = query ? read_query(frame, db, query, names, err) : read_ready(frame, db, run, names, err);
    graph_close(db);
    free(names);
    return rc;
}
