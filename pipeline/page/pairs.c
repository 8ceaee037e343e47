/* page/pairs.c -- see pairs.h.
 *
 * "pairs": [{"row", "a": place, "b": place, "why" | "rows", ...}, ...]; a place is [dataset, shard, record]; of a pair
 * that is shown "from" and "to" are the first line and the last one of each side and how many there are. */
#include "page/pairs.h"

#include "graph/ids.h"
#include "graph/read.h"
#include "page/clusters.h"
#include "page/sides.h"

#include <errno.h>
#include <stdlib.h>

/* One side: where it is, and its text. */
struct side { struct located place; struct show_text text; };

struct pair { size_t row; const struct item *item; struct side a, b; };

struct pairs {
    const struct items       *items;
    sqlite3                  *db;
    const struct show_reader *reader;
    items_mask               *mask;
    struct pair               at[PAIRS_MOST];
    size_t                    count;
    struct clusters           clusters;
    struct bytes             *out;
    struct err               *err;
};

static int out_of_memory(const struct pairs *p) { return err_memory(p->err, p->out->len, "the page's diffs"); }

/* ---- which ---- */

/* The worst of each benchmark, of every one as many; what one does not use is another's. */
static int choose(struct pairs *p, size_t rows)
{
    const size_t datasets = p->items->datasets.count;
    size_t      *left = calloc(datasets + 1, sizeof *left), benchmarks = 0;
    bool        *taken = calloc(rows + 1, sizeof *taken);

    if (left && taken) {
        for (size_t i = 0; i < rows; i++) {
            const int32_t dataset = p->items->at[i].dataset;

            if (dataset >= 0 && !left[dataset]) left[dataset] = 1, benchmarks++;
        }
        for (size_t d = 0; d < datasets; d++) left[d] *= PAIRS_MOST / (benchmarks ? benchmarks : 1);
        for (int all = 0; all < 2; all++)
            for (size_t i = 0; i < rows && p->count < PAIRS_MOST; i++) {
                const struct item *item = &p->items->at[i];

                if (taken[i] || item->best.rank == INT32_MAX || item->dataset < 0) continue;
                if (!all && !left[item->dataset]) continue;
                if (!all) left[item->dataset]--;
                taken[i] = true;
                p->at[p->count++] = (struct pair){ .row = i, .item = item };
            }
    }
    free(left);
    free(taken);
    return left && taken ? 0 : out_of_memory(p);
}

/* ---- their texts ---- */

static int put(struct bytes *to, struct slice text) { return bytes_append_slice(to, text); }

/* What graph.db has of the document: its place, and its text if that is stored. */
static int side_read(struct pairs *p, sqlite3_stmt *query, uint64_t id, struct side *side)
{
    int rc = graph_bind_number(query, 1, (int64_t)id, p->err);

    side->place.id = id;
    if (rc == 0 && (rc = graph_step(query, p->err)) == 1) {
        side->place.record = graph_number(query, 2);
        if (put(&side->place.dataset, graph_text(query, 0)) < 0 || put(&side->place.shard, graph_text(query, 1)) < 0 ||
            put(&side->text.text, graph_text(query, 3)) < 0) rc = out_of_memory(p);
        side->text.read = side->text.text.len > 0;
    }
    sqlite3_reset(query);
    return rc < 0 ? rc : 0;
}

/* The match of an item that is inside a document. */
static int side_locate(struct pairs *p, const struct item_match *match, struct side *side)
{
    side->place.record = match->record;
    if (match->dataset < 0) return 0;
    return put(&side->place.dataset, p->items->datasets.at[match->dataset]) < 0 ||
        put(&side->place.shard, match->shard) < 0 ? out_of_memory(p) : 0;
}

/* Asks the reader, once, for every text that is missing. */
static int texts_fetch(struct pairs *p)
{
    struct show_text *text = calloc(2 * PAIRS_MOST, sizeof *text);
    struct side      *of[2 * PAIRS_MOST];
    size_t            count = 0;
    int               rc;

    if (!text) return out_of_memory(p);
    for (size_t i = 0; i < 2 * p->count; i++) {
        struct side *side = i % 2 ? &p->at[i / 2].b : &p->at[i / 2].a;

        if (side->text.read || side->place.shard.len == 0) continue;
        text[count].place = &side->place;
        of[count++] = side;
    }
    rc = count && p->reader ? p->reader->read(p->reader->context, text, count, p->err) : 0;
    for (size_t i = 0; i < count; i++) {
        show_text_free(&of[i]->text);
        of[i]->text = text[i];
    }
    free(text);
    return rc;
}

static int texts_read(struct pairs *p)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(p->db, &query, "SELECT dataset, shard, record, snippet FROM snippets WHERE id = "
                                                    "?1",
                                     p->err);

    for (size_t i = 0; i < p->count && rc == 0; i++) {
        struct pair             *pair = &p->at[i];
        const struct item_match *match = &pair->item->best;

        rc = side_read(p, query, pair->item->id, &pair->a);
        if (rc == 0) rc = match->id ? side_read(p, query, match->id, &pair->b) : side_locate(p, match, &pair->b);
    }
    graph_finish(query);
    return rc < 0 ? rc : texts_fetch(p);
}

/* What may not be shown is masked before texts are taken apart: its pieces would not be found. */
static int text_mask(struct pairs *p, struct bytes *text)
{
    struct bytes masked = { 0 };
    struct slice shown = bytes_slice(text);

    if (!p->mask || !text->len) return 0;
    if (p->mask(&shown, true, &masked) < 0) {
        bytes_free(&masked);
        return out_of_memory(p);
    }
    if (shown.at == text->at) {
        bytes_free(&masked);
        return 0;
    }
    bytes_free(text);
    *text = masked;
    return 0;
}

/* ---- JSON ---- */

static int put_place(struct pairs *p, const char *key, const struct located *place)
{
    int rc = bytes_printf(p->out, ",\"%s\":[", key);

    if (rc == 0) rc = items_json_text(bytes_slice(&place->dataset), p->mask, p->out);
    if (rc == 0) rc = bytes_append(p->out, ",", 1);
    if (rc == 0) rc = items_json_text(bytes_slice(&place->shard), p->mask, p->out);
    return rc < 0 ? rc : bytes_printf(p->out, ",%llu]", (unsigned long long)place->record);
}

/* Why nothing can be compared; empty: it can. */
static struct slice why_not(const struct pair *pair)
{
    const struct show_text *a = &pair->a.text, *b = &pair->b.text, *none = !a->read ? a : !b->read ? b : NULL;

    if (none) return none->note.len ? bytes_slice(&none->note) : SLICE("graph.db does not store its text");
    return a->text.len > PAIR_TEXT_BYTES || b->text.len > PAIR_TEXT_BYTES ? SLICE("its text is too long for a page")
        : (struct slice){ NULL, 0 };
}

static int put_window(struct pairs *p, const char *key, const struct window *window)
{
    return bytes_printf(p->out, ",\"%s\":[%u,%u,%u]", key, window->first + 1, window->last + 1, window->lines);
}

static int put_comparison(struct pairs *p, struct pair *pair)
{
    const struct item  *item = pair->item;
    const struct slice  language = item->language < 0 ? SLICE("") : p->items->languages.at[item->language];
    const struct slice  kind = item->best.kind < 0 ? SLICE("") : p->items->kinds.at[item->best.kind];
    struct comparison   texts = { .language = language, .contained = slice_equal(kind, SLICE("contained")),
                                  .line = item->best.line, .line_end = item->best.line_end };
    const bool          same = slice_equal(bytes_slice(&pair->a.text.text), bytes_slice(&pair->b.text.text));
    struct compared     compared = { 0 };
    size_t              left_out = 0;
    int                 rc = text_mask(p, &pair->a.text.text);

    if (rc == 0) rc = text_mask(p, &pair->b.text.text);
    texts.a = bytes_slice(&pair->a.text.text);
    texts.b = bytes_slice(&pair->b.text.text);
    if (rc == 0) rc = compare_make(&compared, &texts, p->err);
    if (rc == 0) {
        rc = bytes_printf(p->out, ",\"same\":%s,\"laid\":%s,\"coarse\":%s", same ? "true" : "false",
                          compared.laid ? "true" : "false", compared.diff.coarse ? "true" : "false");
        if (rc == 0) rc = put_window(p, "from", &compared.a);
        if (rc == 0) rc = put_window(p, "to", &compared.b);
        if (rc == 0) rc = bytes_append_slice(p->out, SLICE(",\"rows\":"));
        if (rc == 0) rc = sides_json(&compared, PAIR_LINES, PAIR_LINE_BYTES, &left_out, p->out);
        if (rc == 0) rc = bytes_printf(p->out, ",\"left_out\":%zu", left_out);
        if (rc < 0) rc = out_of_memory(p);
    }
    compared_free(&compared);
    return rc;
}

static int pair_put(struct pairs *p, struct pair *pair)
{
    const struct slice why = why_not(pair);
    int64_t            cluster;
    int                rc = clusters_add(&p->clusters, pair->item->id, &cluster, p->err);

    if (rc < 0) return rc;
    if (bytes_printf(p->out, "%s{\"row\":%zu", pair == p->at ? "" : ",\n", pair->row) < 0 ||
        put_place(p, "a", &pair->a.place) < 0 || put_place(p, "b", &pair->b.place) < 0 ||
        (cluster >= 0 && bytes_printf(p->out, ",\"cluster\":%lld", (long long)cluster) < 0)) return out_of_memory(p);
    if (why.len == 0) rc = put_comparison(p, pair);
    else if (bytes_append_slice(p->out, SLICE(",\"why\":")) < 0 || items_json_text(why, p->mask, p->out) < 0)
        return out_of_memory(p);
    return rc == 0 && bytes_append(p->out, "}", 1) < 0 ? out_of_memory(p) : rc;
}

static void pair_free(struct pair *pair)
{
    located_free(&pair->a.place);
    located_free(&pair->b.place);
    show_text_free(&pair->a.text);
    show_text_free(&pair->b.text);
}

int pairs_json(const struct items *items, size_t rows, sqlite3 *db, const struct show_reader *reader, items_mask *mask,
               struct bytes *out, struct err *err)
{
    struct pairs *p = calloc(1, sizeof *p);
    const size_t  before = out->len;
    int           rc;

    if (!p) return err_memory(err, sizeof *p, "the page's diffs");
    *p = (struct pairs){ .items = items, .db = db, .reader = reader, .mask = mask, .out = out, .err = err,
                         .clusters = { .db = db, .mask = mask } };
    rc = choose(p, rows);
    if (rc == 0) rc = texts_read(p);
    if (rc == 0 && bytes_append_slice(out, SLICE("\"pairs\":[")) < 0) rc = out_of_memory(p);
    for (size_t i = 0; i < p->count && rc == 0 && out->len - before < PAIRS_BYTES; i++) {
        rc = pair_put(p, &p->at[i]);
        pair_free(&p->at[i]);
    }
    if (rc == 0 && (bytes_append_slice(out, SLICE("],\n\"clusters\":[")) < 0 ||
                    bytes_append_slice(out, bytes_slice(&p->clusters.json)) < 0 || bytes_append(out, "]", 1) < 0))
        rc = out_of_memory(p);
    for (size_t i = 0; i < p->count; i++) pair_free(&p->at[i]);
    clusters_free(&p->clusters);
    free(p);
    return rc;
}
