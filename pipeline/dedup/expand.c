/* dedup/expand.c -- see expand.h.
 *
 * 1. Groups   2. Pairs   3. Inside classes, over links
 *
 * There may be many millions of links and of pairs: links go by one after the other, pairs are sorted outside.  Nothing
 * is held but a few numbers a document. */
#include "dedup/expand.h"

#include "base/runs.h"
#include "base/search.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

/* ---- 1. Groups ---- */

/* Documents by their class: those of the class of which g is the first are member[start[g]] up to start[g + 1],
 * ascending. */
struct groups { uint32_t *start, *member; };

static int groups_make(const struct dedup_result *result, struct groups *out, struct err *err)
{
    const struct dedup_document *of = result->document;
    const size_t                 count = result->document_count;

    out->start = calloc(count + 2, sizeof *out->start);
    out->member = malloc((count + 1) * sizeof *out->member);
    if (!out->start || !out->member) return err_memory(err, count * 2 * sizeof *out->member, "groups of documents");
    for (size_t d = 0; d < count; d++) out->start[of[d].representative + 2]++;
    for (size_t g = 2; g < count + 2; g++) out->start[g] += out->start[g - 1];
    /* start[g + 1] ends where g's members do */
    for (size_t d = 0; d < count; d++) out->member[out->start[of[d].representative + 1]++] = (uint32_t)d;
    return 0;
}

static uint32_t group_size(const struct groups *groups, uint32_t g) { return groups->start[g + 1] - groups->start[g]; }

/* ---- 2. Pairs ---- */

struct removed { uint64_t classes; uint32_t document, spare; };

struct expansion {
    const struct dedup_options *options;
    const struct dedup_result  *result;
    struct groups               group;                      /* all pairs */
    /* otherwise: removed documents by the classes of theirs and of their canonical, where these are two */
    struct runs                *removed;
    struct runs_reader         *reader;
    const struct removed       *next;                       /* of the reader; NULL: there are no more */
    struct bytes                near;                       /* those of whom one class is that of the link at hand */
    uint32_t                    near_first;
    struct runs                *out;
};

static uint64_t removed_key(const void *record) { return ((const struct removed *)record)->classes; }

/* The pair of two documents whose classes have the link; NULL: they are of one class. */
static int pair_add(struct expansion *x, uint32_t a, uint32_t b, const struct dedup_link *link, struct err *err)
{
    struct graph_edge            edge = { .a = a < b ? a : b, .b = a < b ? b : a };
    const struct dedup_document *mine = &x->result->document[edge.a], *other = &x->result->document[edge.b];
    const struct graph_fate     *fate = &x->result->fate[edge.a];

    if (link) {
        edge.kind = link->marks & DEDUP_SIMILAR ? EDGE_NEAR : EDGE_CONTAINED;
        edge.shared = link->shared, edge.union_size = link->union_size;
        edge.min_sum = link->min_sum, edge.max_sum = link->max_sum;
    } else {
        edge.kind = !mine->admitted ? EDGE_COPY
            : mine->raw.low == other->raw.low && mine->raw.high == other->raw.high ? EDGE_EXACT : EDGE_NEAR;
        edge.shared = edge.union_size = fate->distinct;
        edge.min_sum = edge.max_sum = fate->features;
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

/* ---- 3. Inside classes, over links ---- */

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
    const struct dedup_document *document = x->result->document;
    struct runs_options          options = runs_options(x->out);
    int                          rc;

    options.name = "removed", options.size = sizeof(struct removed), options.key = removed_key, options.join = NULL;
    rc = runs_open(&x->removed, &options, err);
    for (uint32_t d = 0; d < x->result->document_count && rc == 0; d++) {
        const struct graph_fate *fate = &x->result->fate[d];
        const uint32_t           mine = document[d].representative, other = document[fate->canonical].representative;

        if (fate->kept || d == fate->canonical) continue;
        rc = mine == other ? pair_add(x, d, fate->canonical, NULL, err)
            : runs_add(x->removed, &(struct removed){ classes_key(mine, other), d, 0 }, err);
    }
    if (rc == 0) rc = runs_end(x->removed, err);
    return rc;
}

static int removed_next(struct expansion *x, struct err *err)
{
    const void *record = NULL;
    const int   rc = runs_next(x->reader, &record, err);

    x->next = rc > 0 ? record : NULL;
    return rc < 0 ? rc : 0;
}

/* Those of whom one class is `first`, the smaller one, by the other. */
static int removed_of(struct expansion *x, uint32_t first, struct err *err)
{
    int rc = 0;

    x->near.len = 0;
    x->near_first = first;
    while (rc == 0 && x->next && x->next->classes >> 32 < first) rc = removed_next(x, err);
    while (rc == 0 && x->next && x->next->classes >> 32 == first) {
        if (bytes_append(&x->near, x->next, sizeof *x->next) < 0) return err_memory(err, x->near.len, "removed");
        rc = removed_next(x, err);
    }
    return rc;
}

struct sought { const struct removed *removed; uint64_t classes; };

static bool removed_before(const void *context, size_t i)
{
    const struct sought *sought = context;

    return sought->removed[i].classes < sought->classes;
}

/* Links come by their first class, as the removed do. */
static int link_kept(struct expansion *x, uint32_t first, uint32_t second, const struct dedup_link *link,
                     struct err *err)
{
    int rc = first == x->near_first ? 0 : removed_of(x, first, err);
    const struct sought sought = { (const struct removed *)(const void *)x->near.at, classes_key(first, second) };
    const size_t        count = x->near.len / sizeof *sought.removed;

    for (size_t r = search_first(0, count, removed_before, &sought);
         r < count && sought.removed[r].classes == sought.classes && rc == 0; r++) {
        const uint32_t d = sought.removed[r].document;

        rc = pair_add(x, d, x->result->fate[d].canonical, link, err);
    }
    return rc;
}

static int link_expand(struct expansion *x, const struct dedup_link *link, struct err *err)
{
    const uint32_t first = dedup_place(x->result, link->first), second = dedup_place(x->result, link->second);

    if (first == DEDUP_NO_PLACE) return dedup_place_missing(link->first, err);
    if (second == DEDUP_NO_PLACE) return dedup_place_missing(link->second, err);
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

int expand_dedup(const struct dedup_options *options, const struct dedup_result *result, struct runs *out,
                 struct err *err)
{
    struct expansion x = { .options = options, .result = result, .out = out, .near_first = DEDUP_NO_PLACE };
    int              rc = 0;

    if (options->pairs_all) rc = groups_make(result, &x.group, err);
    for (uint32_t c = 0; c < result->document_count && options->pairs_all && rc == 0; c++)
        if (group_size(&x.group, c) > 1) rc = inside_all(&x, c, err);
    if (rc == 0 && !options->pairs_all) {
        rc = inside_kept(&x, err);
        if (rc == 0) rc = runs_read(x.removed, &x.reader, err);
        if (rc == 0) rc = removed_next(&x, err);
    }
    if (rc == 0) rc = links_expand(&x, err);
    if (rc == 0) rc = runs_end(out, err);
    runs_reader_close(x.reader);
    runs_close(x.removed);
    bytes_free(&x.near);
    free(x.group.start);
    free(x.group.member);
    return rc;
}
