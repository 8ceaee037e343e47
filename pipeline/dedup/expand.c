/* dedup/expand.c -- see expand.h.
 *
 * 1. Places   2. Groups   3. Pairs of one document   4. All pairs
 *
 * There may be many millions of pairs, so they are made in their order: document by document, its partners behind it
 * sorted.  Nothing is held but the pairs themselves and, per document and link, a few numbers. */
#include "dedup/expand.h"

#include "base/search.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

#define NO_PLACE UINT32_MAX
#define NO_LINK  UINT32_MAX                                 /* a partner of the same class */

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

/* The other ends of a class's links: at[start[c]] up to start[c + 1]. */
struct beside { uint32_t class_id, link; };
struct besides { uint64_t *start; struct beside *at; };

static int besides_make(const struct dedup_result *result, struct besides *out, struct err *err)
{
    size_t documents = result->document_count, links = result->link_count;

    out->start = calloc(documents + 2, sizeof *out->start);
    out->at = malloc((2 * links + 1) * sizeof *out->at);
    if (!out->start || !out->at) return err_memory(err, 2 * links * sizeof *out->at, "links of classes");
    for (int fill = 0; fill < 2; fill++) {
        for (size_t l = 0; l < links; l++) {
            uint32_t first = place_of(result, result->link[l].first), second = place_of(result, result->link[l].second);

            if (first == NO_PLACE) return place_missing(result->link[l].first, err);
            if (second == NO_PLACE) return place_missing(result->link[l].second, err);
            if (fill) {
                out->at[out->start[first + 1]++] = (struct beside){ second, (uint32_t)l };
                out->at[out->start[second + 1]++] = (struct beside){ first, (uint32_t)l };
            } else {
                out->start[first + 2]++;
                out->start[second + 2]++;
            }
        }
        for (size_t c = 2; c < documents + 2 && !fill; c++) out->start[c] += out->start[c - 1];
    }
    return 0;
}

/* ---- 3. Pairs of one document ---- */

struct partner { uint32_t document, link; };

struct expansion {
    const struct dedup_options *options;
    const struct dedup_result  *result;
    const struct dedup_places  *places;
    /* by representative (all pairs), by canonical (otherwise) */
    struct groups               group;
    struct besides              beside;
    struct partner             *partner;                    /* of the document at hand */
    size_t                      count, room;
    struct runs                *out;
};

static int partner_add(struct expansion *x, uint32_t document, uint32_t link)
{
    if (x->count == x->room) {
        size_t          room = x->room ? 2 * x->room : 256;
        struct partner *grown = realloc(x->partner, room * sizeof *grown);

        if (!grown) return -ENOMEM;
        x->partner = grown;
        x->room = room;
    }
    x->partner[x->count++] = (struct partner){ document, link };
    return 0;
}

/* The members of a class that come after a. */
static int partners_add(struct expansion *x, uint32_t a, uint32_t class_id, uint32_t link)
{
    const uint32_t end = x->group.start[class_id + 1];
    int            rc = 0;

    for (size_t m = search_u32(x->group.member, sizeof *x->group.member, 0, x->group.start[class_id], end, a + 1);
         m < end && rc == 0; m++) rc = partner_add(x, x->group.member[m], link);
    return rc;
}

static int collect_all(struct expansion *x, uint32_t a)
{
    const uint32_t mine = x->places->representative[a], cap = x->options->bucket_cap,
        size = group_size(&x->group, mine);
    bool           star = size > STAR_LIMIT || size > cap;
    int            rc = 0;

    if (a == mine || !star) rc = partners_add(x, a, mine, NO_LINK);
    else if (mine > a) rc = partner_add(x, mine, NO_LINK);
    for (uint64_t b = x->beside.start[mine]; b < x->beside.start[mine + 1] && rc == 0; b++) {
        const uint32_t other = x->beside.at[b].class_id, link = x->beside.at[b].link,
            others = group_size(&x->group, other);

        star = (uint64_t)size * others > LINK_PAIRS_MAX || size > cap || others > cap;
        if (a == mine || !star) rc = partners_add(x, a, other, link);
        else if (other > a) rc = partner_add(x, other, link);
    }
    return rc;
}

static int link_order(const void *key, const void *at)
{
    const struct dedup_link *a = key, *b = at;

    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return (a->second > b->second) - (a->second < b->second);
}

/* A removed document and its canonical, in either order: a pair when their classes are one, or linked. */
static int collect_kept(struct expansion *x, uint32_t removed, uint32_t partner)
{
    const struct dedup_document *document = x->result->document;
    const uint32_t               canonical = x->places->canonical[removed];
    uint64_t                     mine = document[removed].fate.representative,
        other = document[canonical].fate.representative;
    const struct dedup_link      key = { .first = mine < other ? mine : other, .second = mine < other ? other : mine },
        *found;

    if (!document[removed].fate.removed || removed == canonical) return 0;
    if (mine == other) return partner_add(x, partner, NO_LINK);
    found = bsearch(&key, x->result->link, x->result->link_count, sizeof key, link_order);
    return found ? partner_add(x, partner, (uint32_t)(found - x->result->link)) : 0;
}

static int collect_star(struct expansion *x, uint32_t a)
{
    int rc = x->places->canonical[a] > a ? collect_kept(x, a, x->places->canonical[a]) : 0;

    for (uint32_t m = x->group.start[a]; m < x->group.start[a + 1] && rc == 0; m++)
        if (x->group.member[m] > a) rc = collect_kept(x, x->group.member[m], x->group.member[m]);
    return rc;
}

/* ---- 4. All pairs ---- */

static struct graph_edge edge_of(const struct expansion *x, uint32_t a, const struct partner *partner)
{
    const struct dedup_document *mine = &x->result->document[a], *other = &x->result->document[partner->document];

    if (partner->link != NO_LINK) {
        const struct dedup_link *link = &x->result->link[partner->link];

        return (struct graph_edge){ a, partner->document, link->marks & DEDUP_SIMILAR ? EDGE_NEAR : EDGE_CONTAINED,
                                    link->shared, link->union_size,
                                    link->min_sum, link->max_sum };
    }
    return (struct graph_edge){ a, partner->document,
                                !mine->admitted ? EDGE_COPY : mine->raw.low == other->raw.low &&
                                    mine->raw.high == other->raw.high ? EDGE_EXACT : EDGE_NEAR,
                                mine->distinct, mine->distinct, mine->total, mine->total };
}

static int partner_order(const void *a, const void *b)
{
    const struct partner *x = a, *y = b;

    return (x->document > y->document) - (x->document < y->document);
}

static int pairs_put(struct expansion *x, uint32_t a, struct err *err)
{
    int rc = 0;

    if (x->count > 1) qsort(x->partner, x->count, sizeof *x->partner, partner_order);
    for (size_t p = 0; p < x->count && rc == 0; p++) {
        struct graph_edge edge = edge_of(x, a, &x->partner[p]);

        rc = runs_add(x->out, &edge, err);
    }
    return rc;
}

int expand_dedup(const struct dedup_options *options, const struct dedup_result *result,
                 const struct dedup_places *places, struct runs *out, struct err *err)
{
    struct expansion x = { .options = options, .result = result, .places = places, .out = out };
    bool             all = options->pairs_all;
    int              rc;

    if (result->document_count >= UINT32_MAX || result->link_count >= UINT32_MAX)
        return err_set(err, -EOVERFLOW, "pass dedup: %zu documents and %zu links are more than one graph.db can hold",
                       result->document_count, result->link_count);
    rc = groups_make(all ? places->representative : places->canonical, result->document_count, &x.group, err);
    if (rc == 0 && all) rc = besides_make(result, &x.beside, err);
    for (uint32_t a = 0; a < result->document_count && rc == 0; a++) {
        x.count = 0;
        rc = all ? collect_all(&x, a) : collect_star(&x, a);
        rc = rc < 0 ? err_memory(err, x.count * sizeof *x.partner, "pairs") : pairs_put(&x, a, err);
    }
    if (rc == 0) rc = runs_end(out, err);
    free(x.group.start);
    free(x.group.member);
    free(x.beside.start);
    free(x.beside.at);
    free(x.partner);
    return rc;
}
