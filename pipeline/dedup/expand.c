/* dedup/expand.c -- see expand.h.
 *
 * 1. Places   2. Groups   3. Pairs   4. Inside classes, over links
 *
 * There may be many millions of links and of pairs: links go by one after the other, pairs are sorted outside.  Nothing
 * is held but a few numbers a document. */
#include "dedup/expand.h"

#include "base/search.h"
#include "base/sort.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

#define NO_PLACE UINT32_MAX

/* ---- 1. Places ---- */

static uint32_t place_of(const struct dedup_result *result, uint64_t ordinal)
{
    const size_t at = search_u64(result->document, sizeof *result->document, offsetof(struct dedup_document, ordinal),
                                 0, result->document_count, ordinal);

    return at < result->document_count && result->document[at].ordinal == ordinal ? (uint32_t)at : NO_PLACE;
}

static int place_missing(uint64_t ordinal, struct err *err)
{
    return err_set(err, -EBADMSG, "pass dedup: document %llu is named by another one and not there itself; remove "
                                  "work/ and run again", (unsigned long long)ordinal);
}

int dedup_places_find(const struct dedup_result *result, struct dedup_places *out, struct err *err)
{
    size_t count = result->document_count;

    *out = (struct dedup_places){ malloc((count + 1) * sizeof *out->representative),
                                  malloc((count + 1) * sizeof *out->canonical) };
    if (!out->representative || !out->canonical)
        return err_memory(err, count * 2 * sizeof *out->canonical, "places of documents");
    for (size_t d = 0; d < count; d++) {
        const struct dedup_document *document = &result->document[d];
        const struct dedup_fate     *fate = &document->fate;

        out->representative[d] = fate->representative == document->ordinal ? (uint32_t)d
            : place_of(result, fate->representative);
        out->canonical[d] = fate->canonical == document->ordinal ? (uint32_t)d : place_of(result, fate->canonical);
        if (out->representative[d] == NO_PLACE) return place_missing(fate->representative, err);
        if (out->canonical[d] == NO_PLACE) return place_missing(fate->canonical, err);
    }
    return 0;
}

void dedup_places_free(struct dedup_places *places)
{
    free(places->representative);
    free(places->canonical);
    *places = (struct dedup_places){ 0 };
}

/* ---- 2. Groups ---- */

/* Documents by what they point to: those of g are member[start[g]] up to start[g + 1], ascending. */
struct groups { uint32_t *start, *member; };

static int groups_make(const uint32_t *head, size_t count, struct groups *out, struct err *err)
{
    out->start = calloc(count + 2, sizeof *out->start);
    out->member = malloc((count + 1) * sizeof *out->member);
    if (!out->start || !out->member) return err_memory(err, count * 2 * sizeof *out->member, "groups of documents");
    for (size_t d = 0; d < count; d++) out->start[head[d] + 2]++;
    for (size_t g = 2; g < count + 2; g++) out->start[g] += out->start[g - 1];
    /* start[g + 1] ends where g's members do */
    for (size_t d = 0; d < count; d++) out->member[out->start[head[d] + 1]++] = (uint32_t)d;
    return 0;
}

static uint32_t group_size(const struct groups *groups, uint32_t g) { return groups->start[g + 1] - groups->start[g]; }

/* ---- 3. Pairs ---- */

struct expansion {
    const struct dedup_options *options;
    const struct dedup_result  *result;
    const struct dedup_places  *places;
    struct groups               group;                      /* all pairs: by representative */
    /* otherwise: removed documents by the classes of theirs and of their canonical, where these are two */
    struct sort_item           *removed;
    size_t                      removed_count;
    struct runs                *out;
};

/* The pair of two documents whose classes have the link; NULL: they are of one class. */
static int pair_add(struct expansion *x, uint32_t a, uint32_t b, const struct dedup_link *link, struct err *err)
{
    struct graph_edge            edge = { .a = a < b ? a : b, .b = a < b ? b : a };
    const struct dedup_document *mine = &x->result->document[edge.a], *other = &x->result->document[edge.b];

    if (link) {
        edge.kind = link->marks & DEDUP_SIMILAR ? EDGE_NEAR : EDGE_CONTAINED;
        edge.shared = link->shared, edge.union_size = link->union_size;
        edge.min_sum = link->min_sum, edge.max_sum = link->max_sum;
    } else {
        edge.kind = !mine->admitted ? EDGE_COPY
            : mine->raw.low == other->raw.low && mine->raw.high == other->raw.high ? EDGE_EXACT : EDGE_NEAR;
        edge.shared = edge.union_size = mine->distinct;
        edge.min_sum = edge.max_sum = mine->total;
    }
    return runs_add(x->out, &edge, err);
}

static const uint32_t *group_begin(const struct groups *groups, uint32_t g)
{
    return groups->member + groups->start[g];
}

static const uint32_t *group_end(const struct groups *groups, uint32_t g) { return group_begin(groups, g + 1); }

/* One document with all of a class but itself. */
static int star_add(struct expansion *x, uint32_t a, uint32_t class_id, const struct dedup_link *link, struct err *err)
{
    int rc = 0;

    for (const uint32_t *b = group_begin(&x->group, class_id); b < group_end(&x->group, class_id) && rc == 0; b++)
        if (*b != a) rc = pair_add(x, a, *b, link, err);
    return rc;
}

/* ---- 4. Inside classes, over links ---- */

static int inside_all(struct expansion *x, uint32_t class_id, struct err *err)
{
    const uint32_t *from = group_begin(&x->group, class_id), *end = group_end(&x->group, class_id);
    const uint32_t  size = group_size(&x->group, class_id);
    int             rc = 0;

    if (size > STAR_LIMIT || size > x->options->bucket_cap) return star_add(x, class_id, class_id, NULL, err);
    for (const uint32_t *a = from; a < end; a++)
        for (const uint32_t *b = a + 1; b < end && rc == 0; b++) rc = pair_add(x, *a, *b, NULL, err);
    return rc;
}

static int link_all(struct expansion *x, uint32_t first, uint32_t second, const struct dedup_link *link,
                    struct err *err)
{
    const uint32_t  cap = x->options->bucket_cap, size = group_size(&x->group, first),
        others = group_size(&x->group, second);
    const bool      star = (uint64_t)size * others > LINK_PAIRS_MAX || size > cap || others > cap;
    int             rc = 0;

    for (const uint32_t *a = group_begin(&x->group, first); a < group_end(&x->group, first) && rc == 0; a++)
        rc = *a == first || !star ? star_add(x, *a, second, link, err) : pair_add(x, *a, second, link, err);
    return rc;
}

static uint64_t classes_key(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

/* Each removed document with its canonical: a pair when their classes are one, or linked. */
static int inside_kept(struct expansion *x, struct err *err)
{
    const struct dedup_places *places = x->places;
    const size_t               count = x->result->document_count;
    struct sort_item          *spare = malloc((count + 1) * sizeof *spare);
    int                        rc = 0;

    x->removed = malloc((count + 1) * sizeof *x->removed);
    if (!x->removed || !spare) rc = err_memory(err, 2 * count * sizeof *spare, "removed documents");
    for (uint32_t d = 0; d < count && rc == 0; d++) {
        const uint32_t canonical = places->canonical[d], mine = places->representative[d],
            other = places->representative[canonical];

        if (!x->result->document[d].fate.removed || d == canonical) continue;
        if (mine == other) rc = pair_add(x, d, canonical, NULL, err);
        else x->removed[x->removed_count++] = (struct sort_item){ classes_key(mine, other), d };
    }
    if (rc == 0) sort_items(x->removed, spare, x->removed_count);
    free(spare);
    return rc;
}

struct sought { const struct sort_item *item; uint64_t key; };

static bool removed_before(const void *context, size_t i)
{
    const struct sought *sought = context;

    return sought->item[i].key < sought->key;
}

static int link_kept(struct expansion *x, uint32_t first, uint32_t second, const struct dedup_link *link,
                     struct err *err)
{
    const struct sought sought = { x->removed, classes_key(first, second) };
    int                 rc = 0;

    for (size_t r = search_first(0, x->removed_count, removed_before, &sought);
         r < x->removed_count && x->removed[r].key == sought.key && rc == 0; r++) {
        const uint32_t d = (uint32_t)x->removed[r].value;

        rc = pair_add(x, d, x->places->canonical[d], link, err);
    }
    return rc;
}

static int link_expand(struct expansion *x, const struct dedup_link *link, struct err *err)
{
    const uint32_t first = place_of(x->result, link->first), second = place_of(x->result, link->second);

    if (first == NO_PLACE) return place_missing(link->first, err);
    if (second == NO_PLACE) return place_missing(link->second, err);
    return x->options->pairs_all ? link_all(x, first, second, link, err) : link_kept(x, first, second, link, err);
}

static int links_expand(struct expansion *x, struct err *err)
{
    const struct dedup_result *result = x->result;
    struct runs_reader        *reader = NULL;
    const void                *link = NULL;
    int                        rc = 0;

    for (size_t l = 0; l < result->link_count && rc == 0; l++) rc = link_expand(x, &result->link[l], err);
    if (result->link || !result->links) return rc;
    rc = runs_read(result->links, &reader, err);
    while (rc == 0 && (rc = runs_next(reader, &link, err)) > 0) rc = link_expand(x, link, err);
    runs_reader_close(reader);
    return rc;
}

int expand_dedup(const struct dedup_options *options, const struct dedup_result *result,
                 const struct dedup_places *places, struct runs *out, struct err *err)
{
    struct expansion x = { .options = options, .result = result, .places = places, .out = out };
    int              rc = 0;

    if (result->document_count >= UINT32_MAX)
        return err_set(err, -EOVERFLOW, "pass dedup: %zu documents are more than one graph.db can hold",
                       result->document_count);
    if (options->pairs_all) rc = groups_make(places->representative, result->document_count, &x.group, err);
    for (uint32_t c = 0; c < result->document_count && options->pairs_all && rc == 0; c++)
        if (group_size(&x.group, c) > 1) rc = inside_all(&x, c, err);
    if (rc == 0 && !options->pairs_all) rc = inside_kept(&x, err);
    if (rc == 0) rc = links_expand(&x, err);
    if (rc == 0) rc = runs_end(out, err);
    free(x.group.start);
    free(x.group.member);
    free(x.removed);
    return rc;
}
