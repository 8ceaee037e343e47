/* report/show.c -- see show.h. */
#include "report/show.h"

#include "graph/read.h"
#include "graph/table.h"
#include "report/compare.h"
#include "report/visible.h"

#include <errno.h>
#include <stdlib.h>

#define SHOW_BOLD  "\x1b[1m"
#define SHOW_PLAIN "\x1b[0m"

enum { SHOW_DIGITS_MAX = 18 };

/* ---- finding a document ---- */

/* The decimal number that text is, or -1. */
static int64_t show_number(struct slice text)
{
    int64_t value = 0;

    if (text.len == 0 || text.len > SHOW_DIGITS_MAX) return -1;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') return -1;
        value = value * 10 + (text.at[i] - '0');
    }
    return value;
}

/* The ids that a query with ?1 = number and ?2 = text gives: *count of them (two at most are looked for), the first in
 * *id. */
static int show_query(sqlite3 *db, const char *sql, int64_t number, struct slice text, uint64_t *id, size_t *count,
                      struct bytes *names, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, sql, err);

    *count = 0;
    if (rc == 0) rc = graph_bind_number(query, 1, number, err);
    if (rc == 0) rc = graph_bind_text(query, 2, text, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct slice name = graph_text(query, 1);

        if ((*count)++ == 0) *id = graph_number(query, 0);
        rc = bytes_append_slice(names, *count > 1 ? SLICE(", ") : SLICE(""));
        if (rc == 0) rc = visible_append(names, name, true);
        if (rc < 0) rc = err_memory(err, names->len, "names");
    }
    graph_finish(query);
    return rc;
}

int show_find(sqlite3 *db, struct slice name, uint64_t *id, struct err *err)
{
    static const char by_id[] = "SELECT id, '' FROM snippets WHERE id = ?1 AND ?2 = ?2";
    static const char by_number[] =
        "SELECT s.id, '' FROM datasets AS d JOIN snippets AS s ON s.dataset = d.id AND s.id_within_dataset = ?1 "
        "WHERE d.id || '/' || ifnull(s.split_within_dataset, '') || '/' || ?1 = ?2";
    static const char by_source[] =
        "SELECT s.id, s.dataset || '/' || ifnull(s.split_within_dataset, '') || '/' || s.id_within_dataset FROM "
        "datasets AS d "
        "JOIN snippets AS s ON s.source_id = substr(?2, length(d.id) + 2) AND s.dataset = d.id "
        "WHERE ?1 = ?1 AND substr(?2, 1, length(d.id) + 1) = d.id || ':' ORDER BY s.id LIMIT 4";
    struct bytes names = { 0 }, shown = { 0 };
    size_t       count = 0, slash = name.len;
    int64_t      number = show_number(name);
    int          rc = 0;

    while (slash > 0 && name.at[slash - 1] != '/') slash--;
    if (number >= 0) rc = show_query(db, by_id, number, name, id, &count, &names, err);
    else if (slash > 0) number = show_number((struct slice){ name.at + slash, name.len - slash });
    if (rc == 0 && count == 0 && number >= 0 && slash > 0)
        rc = show_query(db, by_number, number, name, id, &count, &names, err);
    if (rc == 0 && count == 0) rc = show_query(db, by_source, 0, name, id, &count, &names, err);
    if (rc == 0 && count != 1 && visible_append(&shown, visible_cut(name, 200), true) < 0)
        rc = err_memory(err, name.len, "a name");
    if (rc == 0 && count == 0)
        rc = err_set(err, -ENOENT, "\"%.*s\" is no document of this graph; say a snippets.id, dataset/split/number, "
                                   "dataset:source_id, dataset:number, shard:record or a path",
                     (int)shown.len, shown.at ? shown.at : "");
    else if (rc == 0 && count > 1)
        rc = err_set(err, -EEXIST, "\"%.*s\" are several documents: %.*s%s", (int)shown.len, shown.at,
                     (int)visible_cut(bytes_slice(&names), 600).len, names.at,
                     count == 4 ? ", ..." : "");
    bytes_free(&names);
    bytes_free(&shown);
    return rc;
}

/* ---- a document ---- */

struct show { sqlite3 *db; struct bytes *out; struct err *err; bool colour; const struct show_reader *reader; };

static int show_memory(const struct show *show, int rc)
{
    return rc < 0 ? err_memory(show->err, show->out->len, "the text to show") : 0;
}

static int show_code(const struct show *show, const char *code)
{
    return show->colour ? bytes_append_slice(show->out, slice_of(code)) : 0;
}

/* "  label  value" unless the value is empty. */
static int show_line(const struct show *show, const char *label, struct slice value)
{
    int rc;

    if (value.len == 0) return 0;
    rc = bytes_printf(show->out, "  %-10s ", label);
    if (rc == 0) rc = visible_append(show->out, value, true);
    return rc < 0 ? rc : bytes_append(show->out, "\n", 1);
}

static const char show_fate_query[] =
    "SELECT d.kept, d.canonical = d.snippet, d.canonical, o.dataset || '/' || ifnull(o.split_within_dataset, '') || "
    "'/' || o.id_within_dataset || '  ' || "
    "coalesce(o.path, o.source_id, ''), d.cluster_size, d.features, d.distinct_features, d.snippet FROM snippets AS s "
    "LEFT JOIN dedup AS d ON d.snippet = s.id "
    "LEFT JOIN snippets AS o ON o.id = d.canonical WHERE s.id = ?1 AND EXISTS (SELECT 1 FROM splits WHERE dataset = "
    "s.dataset AND removed IS NOT NULL)";

/* What pass dedup decided on a document of a dataset that was in it. */
static int show_fate(const struct show *show, uint64_t id)
{
    sqlite3_stmt *query;
    uint64_t      ran = 0;
    int           rc = graph_count(show->db, "SELECT EXISTS (SELECT 1 FROM run WHERE key GLOB 'dedup.*')", &ran,
                                   show->err);

    if (rc < 0 || !ran) return rc;
    rc = graph_prepare(show->db, &query, show_fate_query, show->err);
    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)id, show->err);
    if (rc == 0) rc = graph_step(query, show->err);
    if (rc == 1 && graph_number(query, 7) == 0) {
        rc = show_memory(show, bytes_append_slice(show->out, SLICE("  dedup      kept: it has no pair\n")));
    } else if (rc == 1) {
        bool               kept = graph_number(query, 0) != 0, canonical = graph_number(query, 1) != 0;
        unsigned long long size = graph_number(query, 4);

        if (kept && canonical)
            rc = bytes_printf(show->out, "  dedup      kept%s", size > 1 ? ", as the preferred one"
                              : ": what it has a pair with is of other clusters");
        else
            rc = bytes_printf(show->out, "  dedup      %s, a duplicate of snippet %llu  ", kept ? "kept by protect"
                              : "removed", (unsigned long long)graph_number(query, 2));
        if (rc == 0 && !canonical) rc = visible_append(show->out, graph_text(query, 3), true);
        if (rc == 0 && size > 1) rc = bytes_printf(show->out, "\n  cluster    %llu documents", size);
        if (rc == 0)
            rc = bytes_printf(show->out, "\n  in dedup   %llu features (%llu distinct)\n",
                              (unsigned long long)graph_number(query, 5),
                                       (unsigned long long)graph_number(query, 6));
        rc = show_memory(show, rc);
    }
    graph_finish(query);
    return rc;
}

static const char show_document_query[] =
    "SELECT s.dataset || '/' || ifnull(s.split_within_dataset, '') || '/' || s.id_within_dataset, s.source_id, "
    "s.language, s.path, s.repo, s.license || ifnull(' (' || s.license_class || iif(s.license_from = 'text', ', as its "
    "text says)', ')'), ''), s.holders, "
    "s.shard || ', record ' || s.record, s.features || ' (' || s.distinct_features || ' distinct)' || iif(s.admitted, "
    "'', ': too few to be compared'), "
    "s.matches, s.xxh128, s.snippet FROM snippets AS s WHERE s.id = ?1";

/* Appends the head of a document and, when text is given, its text there. */
static int show_head(const struct show *show, uint64_t id, struct bytes *text)
{
    static const char *const labels[] = { "id", "language", "path", "repository", "licence", "holders", "shard",
                                          "features", "matches", "xxh3-128" };
    sqlite3_stmt            *query;
    int                      rc = graph_prepare(show->db, &query, show_document_query, show->err);

    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)id, show->err);
    if (rc == 0) rc = graph_step(query, show->err);
    if (rc == 0) rc = err_set(show->err, -ENOENT, "snippet %llu is not in the graph", (unsigned long long)id);
    if (rc == 1) {
        rc = show_code(show, SHOW_BOLD);
        if (rc == 0) rc = bytes_printf(show->out, "snippet %llu  ", (unsigned long long)id);
        if (rc == 0) rc = visible_append(show->out, graph_text(query, 0), true);
        if (rc == 0) rc = show_code(show, SHOW_PLAIN);
        if (rc == 0) rc = bytes_append(show->out, "\n", 1);
        for (int i = 0; i < 10 && rc == 0; i++) rc = show_line(show, labels[i], graph_text(query, i + 1));
        if (rc == 0) rc = bytes_append_slice(text, graph_text(query, 11));
        rc = show_memory(show, rc);
    }
    graph_finish(query);
    return rc < 0 ? rc : show_fate(show, id);
}

static const char show_pairs_query[] =
    "SELECT e.kind, e.set_similarity, e.multiset_similarity, o.id, o.dataset || '/' || ifnull(o.split_within_dataset, "
    "'') || '/' || o.id_within_dataset, coalesce(o.path, o.source_id, '') FROM snippet_pairs AS e JOIN snippets AS o "
    "ON o.id = e.other WHERE e.pass = ?3 AND e.snippet = ?1 ORDER BY e.set_similarity DESC, e.multiset_similarity "
    "DESC, o.id LIMIT ?2";

/* The pairs of one pass under a heading; *shown counts them. */
static int show_pairs_of(const struct show *show, uint64_t id, struct slice pass, struct slice heading, uint64_t *shown)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(show->db, &query, show_pairs_query, show->err);

    *shown = 0;
    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)id, show->err);
    if (rc == 0) rc = graph_bind_number(query, 2, SHOW_PAIRS + 1, show->err);
    if (rc == 0) rc = graph_bind_text(query, 3, pass, show->err);
    while (rc == 0 && (rc = graph_step(query, show->err)) == 1) {
        struct slice kind = graph_text(query, 0);

        rc = *shown == 0 ? bytes_append_slice(show->out, heading) : 0;
        if ((*shown)++ == SHOW_PAIRS) {
            rc = show_memory(show, bytes_printf(show->out, "  ... (SQL: SELECT * FROM snippet_pairs WHERE snippet = "
                                                           "%llu)\n", (unsigned long long)id));
            break;
        }
        if (rc == 0)
            rc = bytes_printf(show->out, "  %-9.*s  %.3f %.3f     %llu  ", (int)kind.len, kind.at, graph_real(query, 1),
                              graph_real(query, 2),
                                       (unsigned long long)graph_number(query, 3));
        if (rc == 0) rc = visible_append(show->out, graph_text(query, 4), true);
        if (rc == 0) rc = bytes_append(show->out, "  ", 2);
        if (rc == 0) rc = visible_append(show->out, graph_text(query, 5), true);
        if (rc == 0) rc = bytes_append(show->out, "\n", 1);
        rc = show_memory(show, rc);
    }
    graph_finish(query);
    return rc;
}

static int show_pairs(const struct show *show, uint64_t id)
{
    uint64_t near = 0, dedup = 0;
    bool     aside;
    int      rc = graph_run_says(show->db, "edges_file", &aside, show->err);

    if (rc == 0) rc = show_pairs_of(show, id, SLICE("near"), SLICE("\n  pair       set   multiset  snippet\n"), &near);
    if (rc == 0)
        rc = show_pairs_of(show, id, SLICE("dedup"), SLICE("\n  dedup      set   multiset  snippet\n"), &dedup);
    if (rc == 0 && near + dedup == 0)
        rc = show_memory(show, bytes_append_slice(show->out, aside
                                                  ? SLICE("\n  its pairs are in edges.tsv.zst, not in the database\n")
                                                      : SLICE("\n  no pair\n")));
    return rc;
}

/* What is inside what: of an item (?1) or in a document (?2, ?3, ?4); both, where both are said. */
static const char show_inside_query[] =
    "SELECT i.kind, i.alike, s.dataset || '/' || ifnull(s.split_within_dataset, '') || '/' || s.id_within_dataset, "
    "i.dataset || ':' || i.place, i.item FROM " FOUND_INSIDE " AS i JOIN snippets AS s ON s.id = i.item WHERE (?1 = 0 "
    "OR i.item = ?1) AND (?3 = '' OR (i.dataset = ?2 AND i.shard = ?3 AND i.record = ?4)) ORDER BY i.item, i.alike "
    "DESC, i.kind, i.dataset, i.shard, i.record, i.line LIMIT ?5";

static int show_inside_bind(const struct show *show, sqlite3_stmt *query, uint64_t item, const struct located *in)
{
    int rc = graph_bind_number(query, 1, (int64_t)item, show->err);

    if (rc == 0) rc = graph_bind_text(query, 2, in ? bytes_slice(&in->dataset) : SLICE(""), show->err);
    if (rc == 0) rc = graph_bind_text(query, 3, in ? bytes_slice(&in->shard) : SLICE(""), show->err);
    if (rc == 0) rc = graph_bind_number(query, 4, in ? (int64_t)in->record : 0, show->err);
    return rc < 0 ? rc : graph_bind_number(query, 5, SHOW_PAIRS + 1, show->err);
}

/* Where the item is inside documents, or what is inside the document; *shown counts the lines. */
static int show_inside(const struct show *show, uint64_t item, const struct located *in, uint64_t *shown)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(show->db, &query, show_inside_query, show->err);

    *shown = 0;
    if (rc == 0) rc = show_inside_bind(show, query, item, in);
    while (rc == 0 && (rc = graph_step(query, show->err)) == 1) {
        const struct slice kind = graph_text(query, 0);

        rc = *shown == 0 ? bytes_printf(show->out, "\n  inside     alike  %s\n", item ? "place" : "snippet, place") : 0;
        if ((*shown)++ == SHOW_PAIRS) {
            rc = show_memory(show, bytes_printf(show->out, "  ... (SQL: SELECT * FROM " FOUND_INSIDE ")\n"));
            break;
        }
        if (rc == 0)
            rc = bytes_printf(show->out, "  %-9.*s  %.3f  ", (int)kind.len, kind.at, graph_real(query, 1));
        if (rc == 0 && !item) {
            rc = bytes_printf(show->out, "%llu  ", (unsigned long long)graph_number(query, 4));
            if (rc == 0) rc = visible_append(show->out, graph_text(query, 2), true);
            if (rc == 0) rc = bytes_append(show->out, "  ", 2);
        }
        if (rc == 0) rc = visible_append(show->out, graph_text(query, 3), true);
        if (rc == 0) rc = bytes_append(show->out, "\n", 1);
        rc = show_memory(show, rc);
    }
    graph_finish(query);
    return rc;
}

void show_text_free(struct show_text *text)
{
    bytes_free(&text->text);
    bytes_free(&text->note);
    *text = (struct show_text){ 0 };
}

/* What is known of a document that is not stored. */
static int show_place(const struct show *show, const struct located *place)
{
    struct bytes where = { 0 };
    int          rc = show_code(show, SHOW_BOLD);

    if (rc == 0) rc = visible_append(show->out, bytes_slice(&place->dataset), true);
    if (rc == 0) rc = bytes_append(show->out, ":", 1);
    if (rc == 0) rc = visible_append(show->out, bytes_slice(&place->shard), true);
    if (rc == 0) rc = bytes_printf(show->out, ":%llu", (unsigned long long)place->record);
    if (rc == 0) rc = show_code(show, SHOW_PLAIN);
    if (rc == 0) rc = bytes_append_slice(show->out, SLICE("  not stored: its text is read from its shard\n"));
    if (rc == 0) rc = show_line(show, "path", bytes_slice(&place->path));
    if (rc == 0) rc = bytes_append_slice(&where, bytes_slice(&place->shard));
    if (rc == 0) rc = bytes_printf(&where, ", record %llu", (unsigned long long)place->record);
    if (rc == 0) rc = show_line(show, "shard", bytes_slice(&where));
    bytes_free(&where);
    return show_memory(show, rc);
}

static int show_head_and_text(const struct show *show, const struct located *place, struct show_text *shown)
{
    int rc = place->id ? show_head(show, place->id, &shown->text) : show_place(show, place);

    if (rc < 0 || shown->text.len || !show->reader) return rc;
    shown->place = place;
    return show->reader->read(show->reader->context, shown, 1, show->err);
}

static bool is_missing(const struct show_text *shown) { return shown->text.len == 0 && !shown->read; }

static int show_missing_text(const struct show *show, const struct show_text *shown)
{
    int rc;

    if (!shown->note.len)
        return bytes_append_slice(show->out, SLICE("(the text is not stored: graph.store was none, or this is a corpus "
                                                   "document that no benchmark has a pair with, or it is empty; its "
                                                   "shard has it)\n"));
    rc = bytes_append_slice(show->out, SLICE("(the text is not stored, and not to be read: "));
    if (rc == 0) rc = visible_append(show->out, bytes_slice(&shown->note), true);
    return rc < 0 ? rc : bytes_append(show->out, ")\n", 2);
}

static int show_one(const struct show *show, const struct located *place)
{
    struct show_text    shown = { 0 };
    const struct bytes *text = &shown.text;
    struct bytes       *out = show->out;
    uint64_t            inside;
    int                 rc = show_head_and_text(show, place, &shown);

    if (rc == 0 && place->id) rc = show_pairs(show, place->id);
    if (rc == 0 && place->id) rc = show_inside(show, place->id, NULL, &inside);
    if (rc == 0 && place->shard.len) rc = show_inside(show, 0, place, &inside);
    if (rc == 0) {
        rc = bytes_append(out, "\n", 1);
        if (rc == 0 && is_missing(&shown)) rc = show_missing_text(show, &shown);
        if (rc == 0) rc = visible_append(out, bytes_slice(text), false);
        if (rc == 0 && text->len && text->at[text->len - 1] != '\n') rc = bytes_append(out, "\n", 1);
        rc = show_memory(show, rc);
    }
    show_text_free(&shown);
    return rc;
}

int show_document(sqlite3 *db, uint64_t id, bool colour, struct bytes *out, struct err *err)
{
    return show_places(db, &(struct located){ .id = id }, NULL, NULL, colour, out, err);
}

/* ---- a pair ---- */

/* How much of one snippet's distinct features another has. */
static int show_containment(const struct show *show, uint64_t of, uint64_t in, double share)
{
    const unsigned long long a = of, b = in;

    if (share >= 1)
        return bytes_printf(show->out, "all of snippet %llu's distinct features are in snippet %llu\n", a, b);
    if (share <= 0)
        return bytes_printf(show->out, "none of snippet %llu's distinct features are in snippet %llu\n", a, b);
    return bytes_printf(show->out, "%.2f %% of snippet %llu's distinct features are in snippet %llu\n", 100 * share, a,
                        b);
}

/* inside: something was said of the two already. */
static int show_scores(const struct show *show, uint64_t a, uint64_t b, uint64_t inside)
{
    sqlite3_stmt *query;
    uint64_t      found = 0;
    bool          aside;
    int           rc = graph_run_says(show->db, "edges_file", &aside, show->err);

    if (rc == 0)
        rc = graph_prepare(show->db, &query,
                           "SELECT kind, shared, \"union\", min_sum, max_sum, set_similarity, multiset_similarity, "
                                    "containment_a, containment_b, iif(pass = 'dedup', ' (dedup)', '') FROM edges "
                                    "WHERE pass IN ('near', 'dedup') AND a = ?1 AND b = ?2 "
                                    "ORDER BY pass DESC", show->err);
    if (rc < 0) return rc;
    rc = graph_bind_number(query, 1, (int64_t)(a < b ? a : b), show->err);
    if (rc == 0) rc = graph_bind_number(query, 2, (int64_t)(a < b ? b : a), show->err);
    while (rc == 0 && (rc = graph_step(query, show->err)) == 1) {
        struct slice kind = graph_text(query, 0), pass = graph_text(query, 9);

        found++;
        rc = bytes_printf(show->out, "\n%.*s%.*s: set %.6f (%llu of %llu), multiset %.6f (%llu of %llu)\n",
                          (int)kind.len, kind.at, (int)pass.len, pass.at,
                          graph_real(query, 5), (unsigned long long)graph_number(query, 1),
                              (unsigned long long)graph_number(query, 2), graph_real(query, 6),
                          (unsigned long long)graph_number(query, 3), (unsigned long long)graph_number(query, 4));
        if (rc == 0) rc = show_containment(show, a, b, graph_real(query, a < b ? 7 : 8));
        if (rc == 0) rc = show_containment(show, b, a, graph_real(query, a < b ? 8 : 7));
        rc = show_memory(show, rc);
    }
    graph_finish(query);
    if (rc == 0 && !found && !inside)
        rc = show_memory(show, bytes_append_slice(show->out, aside
                                                  ? SLICE("\nThe pairs of this graph are in edges.tsv.zst, not in the "
                                                          "database.\n")
                                                              : SLICE("\nThese two are no pair of the graph.\n")));
    return rc;
}

/* The lines of the document in which the item is found inside it, best first; 0: it is not, or they are not known. */
static int show_lines(const struct show *show, uint64_t item, const struct located *in, uint64_t *line,
                      uint64_t *line_end)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(show->db, &query,
                                     "SELECT line, line_end FROM " FOUND_INSIDE " WHERE item = ?1 AND dataset = ?2 AND "
                                     "shard = ?3 AND record = ?4 AND ?5 = ?5 ORDER BY alike DESC, leak DESC, line "
                                     "LIMIT 1", show->err);

    if (rc == 0) rc = show_inside_bind(show, query, item, in);
    if (rc == 0 && (rc = graph_step(query, show->err)) == 1) {
        *line = graph_number(query, 0);
        *line_end = graph_number(query, 1);
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* Both texts' differences.  The kind, the language and the lines in which a is found inside b are the graph's. */
static int show_difference(const struct show *show, uint64_t a, const struct located *in, struct slice text_a,
                           struct slice text_b)
{
    static const char sql[] =
        "SELECT ifnull(language, ''), EXISTS (SELECT 1 FROM edges WHERE pass IN ('near', 'dedup') AND kind = "
        "'contained' AND a = min(?1, ?2) AND b = max(?1, ?2)) FROM snippets WHERE id = ?1";
    const uint64_t b = in->id;
    sqlite3_stmt  *query;
    uint64_t       line = 0, line_end = 0;
    int            rc = a && in->shard.len ? show_lines(show, a, in, &line, &line_end) : 0;

    if (rc < 0) return rc;
    rc = graph_prepare(show->db, &query, sql, show->err);
    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)a, show->err);
    if (rc == 0) rc = graph_bind_number(query, 2, (int64_t)b, show->err);
    if (rc == 0) rc = graph_step(query, show->err);
    if (rc >= 0) {                                          /* a may be none of the graph's */
        const struct comparison texts = { text_a, text_b, rc ? graph_text(query, 0) : SLICE(""),
                                          rc && graph_number(query, 1) != 0, line, line_end };
        const struct diff_style style = { .colour = show->colour, .visible = true };

        rc = compare_print(&texts, &style, show->out, show->err);
    }
    graph_finish(query);
    return rc;
}

static int show_two(const struct show *show, const struct located *a, const struct located *b)
{
    struct show_text of_a = { 0 }, of_b = { 0 };
    uint64_t         inside = 0;
    int              rc = show_head_and_text(show, a, &of_a);

    if (rc == 0) rc = show_memory(show, bytes_append(show->out, "\n", 1));
    if (rc == 0) rc = show_head_and_text(show, b, &of_b);
    if (rc == 0 && a->id && b->shard.len) rc = show_inside(show, a->id, b, &inside);
    if (rc == 0 && b->id && a->shard.len && !inside) rc = show_inside(show, b->id, a, &inside);
    if (rc == 0 && a->id && b->id) rc = show_scores(show, a->id, b->id, inside);
    if (rc == 0) rc = show_memory(show, bytes_append(show->out, "\n", 1));
    if (rc == 0 && (is_missing(&of_a) || is_missing(&of_b)))
        rc = show_memory(show, show_missing_text(show, is_missing(&of_a) ? &of_a : &of_b));
    else if (rc == 0)
        rc = show_difference(show, a->id, b, bytes_slice(&of_a.text), bytes_slice(&of_b.text));
    show_text_free(&of_a);
    show_text_free(&of_b);
    return rc;
}

int show_pair(sqlite3 *db, uint64_t a, uint64_t b, bool colour, struct bytes *out, struct err *err)
{
    return show_places(db, &(struct located){ .id = a }, &(struct located){ .id = b }, NULL, colour, out, err);
}

int show_places(sqlite3 *db, const struct located *a, const struct located *b, const struct show_reader *reader,
                bool colour, struct bytes *out, struct err *err)
{
    const struct show show = { db, out, err, colour, reader };

    return b ? show_two(&show, a, b) : show_one(&show, a);
}
