/* dedup/expand.c -- see expand.h.
 *
 * 1. Groups   2. Pairs   3. Inside classes, over links
 *
 * There may be many millions of links and of pairs: links go by one after the other, pairs are sorted outside.  Nothing
 * is held but a few numbers a document. */
#include "dedup/expand.h"

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
    const uint32_t *first = result->representative;
    const size_t    count = result->listed.count;

    out->start = calloc(count + 2, sizeof *out->start);
    out->member = malloc((count + 1) * sizeof *out->member);
    if (!out->start || !out->member) return err_memory(err, count * 2 * sizeof *out->member, "groups of documents");
    for (size_t d = 0; d < count; d++) out->start[first[d] + 2]++;
    for (size_t g = 2; g < count + 2; g++) out->start[g] += out->start[g - 1];
    /* start[g + 1] ends where g's members do */
    for (size_t d = 0; d < count; d++) out->member[out->start[first[d] + 1]++] = (uint32_t)d;
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

static struct graph_edge pair_of(uint32_t a, uint32_t b)
{
    return (struct graph_edge){ .a = a < b ? a : b, .b = a < b ? b : a };
}

/* The pair of two documents of classes that have the link. */
static int pair_add(struct expansion *x, uint32_t a, uint32_t b, const struct dedup_link *link, struct err *err)
{
    struct graph_edge edge = pair_of(a, b);

    edge.kind = link->marks & DEDUP_SIMILAR ? EDGE_NEAR : EDGE_CONTAINED;
    edge.shared = link->shared, edge.union_size = link->union_size;
    edge.min_sum = link->min_sum, edge.max_sum = link->max_sum;
    return runs_add(x->out, &edge, err);
}

/* That of two of one class. */
static int pair_inside(struct expansion *x, const struct dedup_copy *a, const struct dedup_copy *b, struct err *err)
{
    struct graph_edge        edge = pair_of(a->document, b->document);
    const struct graph_fate *fate = &x->result->fate[edge.a];

    edge.kind = !dedup_is_admitted(x->result, edge.a) ? EDGE_COPY
        : a->raw.low == b->raw.low && a->raw.high == b->raw.high ? EDGE_EXACT : EDGE_NEAR;
    edge.shared = edge.union_size = fate->distinct;
    edge.min_sum = edge.max_sum = fate->features;
    return runs_add(x->out, &edge, err);
}

static const uint32_t *group_begin(const struct groups *groups, uint32_t g)
{
    return groups->member + groups->start[g];
}

static const uint32_t *group_end(const struct groups *groups, uint32_t g) { return group_begin(groups, g + 1); }

/* One document with all of a class. */
static int star_add(struct expansion *x, uint32_t a, uint32_t class_id, const struct dedup_link *link, struct err *err)
{
    int rc = 0;

    for (const uint32_t *b = group_begin(&x->group, class_id); b < group_end(&x->group, class_id) && rc == 0; b++)
        rc = pair_add(x, a, *b, link, err);
    return rc;
}

/* ---- 3. Inside classes, over links ---- */

/* Members of a class go by, the first of it first.  All pairs: as many as have room are kept, and with one more the
 * class becomes a star. */
struct members { struct dedup_copy first, *kept; uint32_t room, count; };

static int member_all(struct expansion *x, struct members *m, const struct dedup_copy *copy, struct err *err)
{
    int rc = pair_inside(x, &m->first, copy, err);

    if (m->count < m->room) m->kept[m->count] = *copy;
    m->count++;
    return rc;
}

/* What member_all has left: the pairs without the first. */
static int members_end(struct expansion *x, const struct members *m, struct err *err)
{
    int rc = 0;

    for (uint32_t a = 0; a < m->count && m->count <= m->room; a++)
        for (uint32_t b = a + 1; b < m->count && rc == 0; b++) rc = pair_inside(x, &m->kept[a], &m->kept[b], err);
    return rc;
}

/* A removed document with its canonical, when that is of its class, and so the first of it. */
static int member_kept(struct expansion *x, const struct members *m, const struct dedup_copy *copy, struct err *err)
{
    const struct graph_fate *fate = &x->result->fate[copy->document];

    return !fate->kept && fate->canonical == m->first.document ? pair_inside(x, &m->first, copy, err) : 0;
}

static int inside_expand(struct expansion *x, struct err *err)
{
    const bool           all = x->options->pairs_all;
    const uint32_t       most = x->options->bucket_cap < STAR_LIMIT ? x->options->bucket_cap : STAR_LIMIT;
    struct members       m = { .first = { RANKED_NONE, RANKED_NONE, { 0, 0 } }, .room = most ? most - 1 : 0 };
    struct runs_reader  *reader = NULL;
    const void          *record;
    int                  rc = runs_read(x->result->copies, &reader, err);

    m.kept = malloc((m.room + 1) * sizeof *m.kept);
    if (rc == 0 && !m.kept) rc = err_memory(err, m.room * sizeof *m.kept, "documents of a class");
    while (rc == 0 && (rc = runs_next(reader, &record, err)) > 0) {
        const struct dedup_copy *copy = record;

        rc = 0;
        if (copy->document == copy->representative) {
            rc = members_end(x, &m, err);
            m.first = *copy;
            m.count = 0;
        } else if (copy->representative != m.first.document)
            rc = err_set(err, -EBADMSG, "pass dedup: a class of documents whose first is of another one; remove work/ "
                                        "and run again");
        else rc = all ? member_all(x, &m, copy, err) : member_kept(x, &m, copy, err);
    }
    if (rc == 0) rc = members_end(x, &m, err);
    runs_reader_close(reader);
    free(m.kept);
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

/* Each removed document whose canonical is of another class: a pair when the two are linked. */
static int removed_sort(struct expansion *x, struct err *err)
{
    const uint32_t     *first = x->result->representative;
    struct runs_options options = runs_options(x->out);
    int                 rc;

    options.name = "removed", options.size = sizeof(struct removed), options.key = removed_key, options.join = NULL;
    rc = runs_open(&x->removed, &options, err);
    for (uint32_t d = 0; d < x->result->listed.count && rc == 0; d++) {
        const struct graph_fate *fate = &x->result->fate[d];

        if (fate->kept || first[d] == first[fate->canonical]) continue;
        rc = runs_add(x->removed, &(struct removed){ classes_key(first[d], first[fate->canonical]), d, 0 }, err);
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
    const struct ranked *listed = &x->result->listed;
    const uint32_t       first = ranked_place(listed, link->first), second = ranked_place(listed, link->second);

    if (first == RANKED_NONE) return dedup_place_missing(link->first, err);
    if (second == RANKED_NONE) return dedup_place_missing(link->second, err);
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
    struct expansion x = { .options = options, .result = result, .out = out, .near_first = RANKED_NONE };
    int              rc = inside_expand(&x, err);

    if (rc == 0 && options->pairs_all) rc = groups_make(result, &x.group, err);
    if (rc == 0 && !options->pairs_all) {
        rc = removed_sort(&x, err);
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
