/* near/expand.c -- see expand.h.
 *
 * 1. Pairs   2. Crowded classes   3. All pairs
 *
 * A class is crowded when a benchmark item of it has more than max_matches pairs.  Items of one class have the same
 * neighbours, so this is known before any pair is spelled out, and a crowded item's pairs are never all made. */
#include "near/expand.h"

#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

struct expansion {
    const struct classes *classes;
    struct runs          *out;
    bool                 *crowded;                          /* [classes->admitted.count] */
};

/* ---- 1. Pairs ---- */

static const struct near_document *document_at(const struct expansion *x, uint32_t d)
{
    return &x->classes->result->document[d];
}

static int edge_add(struct expansion *x, uint32_t a, uint32_t b, struct graph_edge edge, struct err *err)
{
    edge.a = a < b ? a : b;
    edge.b = a < b ? b : a;
    return runs_add(x->out, &edge, err);
}

static bool same_bytes(const struct near_document *a, const struct near_document *b)
{
    return a->row->raw.low == b->row->raw.low && a->row->raw.high == b->row->raw.high;
}

/* The edge of two documents of one class: all similarities are 1. */
static struct graph_edge edge_inside(const struct expansion *x, const struct members *members, uint32_t a, uint32_t b)
{
    const struct near_document *d = document_at(x, a), *e = document_at(x, b);

    return (struct graph_edge){ .kind = members == &x->classes->copies ? EDGE_COPY : same_bytes(d, e) ? EDGE_EXACT
                                    : EDGE_NEAR,
                                .shared = d->row->distinct,
                                .union_size = d->row->distinct, .min_sum = d->row->total, .max_sum = d->row->total };
}

enum { NO_EDGE = EDGE_KIND_COUNT };

/* Of two documents of different classes; those of one multiset, which have different numbers, may be equal. */
static struct graph_edge edge_of_link(const struct expansion *x, uint32_t a, uint32_t b, const struct near_link *link,
                                      uint32_t kind)
{
    if (kind == EDGE_NEAR && link->shared == link->union_size && link->min_sum == link->max_sum &&
        same_bytes(document_at(x, a), document_at(x, b))) kind = EDGE_EXACT;
    return (struct graph_edge){ .kind = kind, .shared = link->shared, .union_size = link->union_size,
                                .min_sum = link->min_sum, .max_sum = link->max_sum };
}

/* What the link makes of members of these roles, or NO_EDGE. */
static uint32_t link_kind(const struct expansion *x, const struct near_link *link, bool turned, enum member_role mine,
                          enum member_role theirs)
{
    const bool between = near_inside_between(x->classes->job->options);
    uint32_t my_side = turned ? NEAR_SECOND_INSIDE : NEAR_FIRST_INSIDE, their_side = NEAR_INSIDE - my_side;

    if (!roles_meet(mine, theirs)) return NO_EDGE;
    if (link->marks & NEAR_SIMILAR) return EDGE_NEAR;
    if ((between || mine != theirs) && (((link->marks & my_side) && mine == MEMBER_BENCHMARK) ||
                                        ((link->marks & their_side) && theirs == MEMBER_BENCHMARK)))
        return EDGE_CONTAINED;
    return link->marks & NEAR_ABOVE_FLOOR ? EDGE_BELOW : NO_EDGE;
}

/* The centre of a class's star. */
static uint32_t star_centre(const struct members *members, uint32_t c)
{
    const uint32_t *benchmark, *resident, *streamed;
    size_t          benchmarks = members_of(members, c, MEMBER_BENCHMARK, &benchmark);
    size_t          residents = members_of(members, c, MEMBER_RESIDENT, &resident);
    size_t          streams = members_of(members, c, MEMBER_STREAMED, &streamed);

    if (!benchmarks) return residents ? resident[0] : streamed[0];
    if (streams || !residents || benchmark[0] < resident[0]) return benchmark[0];
    return resident[0];
}

static bool class_is_star(const struct expansion *x, const struct members *members, uint32_t c)
{
    return members_all(members, c) > STAR_LIMIT && !x->classes->job->options->pairs_all;
}

/* ---- 2. Crowded classes ---- */

/* Classes of copies have no neighbours. */
static void neighbours_of(const struct classes *classes, const struct members *members, uint32_t c, uint64_t *first,
                          uint64_t *end)
{
    *first = members == &classes->admitted ? classes->neighbour_start[c] : 0;
    *end = members == &classes->admitted ? classes->neighbour_start[c + 1] : 0;
}

/* Has an item of the class more pairs than it may keep? */
static bool class_is_crowded(const struct expansion *x, const struct members *members, uint32_t c)
{
    const uint32_t *benchmark;
    size_t          benchmarks = members_of(members, c, MEMBER_BENCHMARK, &benchmark);
    uint64_t        pairs, first, end;

    if (!benchmarks) return false;
    pairs = class_is_star(x, members, c) && star_centre(members, c) != benchmark[0] ? 1 : members_all(members, c) - 1;
    neighbours_of(x->classes, members, c, &first, &end);
    for (uint64_t n = first; n < end; n++) pairs += members_all(members, x->classes->neighbour[n].class_id);
    return pairs > x->classes->job->options->max_matches;
}

/* A document of another class that the items of a class have a pair with, as the order of best matches sees it. */
struct match { uint32_t document, kind; const struct near_link *link; };

/* Compares p/q with r/s: which is larger comes first. */
static int larger_first(uint64_t p, uint64_t q, uint64_t r, uint64_t s) { return (p * s < r * q) - (p * s > r * q); }

/* No neighbour's similarities are both 1. */
static int match_order(const void *a, const void *b)
{
    static const int rank[EDGE_KIND_COUNT] = { [EDGE_EXACT] = 0, [EDGE_NEAR] = 0, [EDGE_CONTAINED] = 1,
                                               [EDGE_BELOW] = 2 };
    const struct match *x = a, *y = b;
    int                 c;

    if (rank[x->kind] != rank[y->kind]) return rank[x->kind] - rank[y->kind];
    if (x->link != y->link) {
        if ((c = larger_first(x->link->shared, x->link->union_size, y->link->shared, y->link->union_size)) != 0)
            return c;
        if ((c = larger_first(x->link->min_sum, x->link->max_sum, y->link->min_sum, y->link->max_sum)) != 0) return c;
    }
    return (x->document > y->document) - (x->document < y->document);
}

/* What items of the class have a pair with in other classes, best first: of each class and role no more than an item
 * may keep, which are its first.  0 or -ENOMEM. */
static int matches_collect(const struct expansion *x, const struct members *members, uint32_t c, struct match **out,
                           size_t *count)
{
    const struct classes *classes = x->classes;
    const uint64_t        most = classes->job->options->max_matches;
    const uint32_t       *other;
    size_t                room = 1, n = 0;
    uint64_t              first, end;
    struct match         *match;

    neighbours_of(classes, members, c, &first, &end);
    for (uint64_t i = first; i < end; i++)
        for (int role = 0; role < MEMBER_ROLES; role++) {
            size_t others = members_of(members, classes->neighbour[i].class_id, (enum member_role)role, &other);

            room += others < most ? others : (size_t)most;
        }
    match = malloc(room * sizeof *match);
    if (!match) return -ENOMEM;
    for (uint64_t i = first; i < end; i++) {
        const struct neighbour *neighbour = &classes->neighbour[i];
        const struct near_link *link = &classes->result->link[neighbour->link];

        for (int role = 0; role < MEMBER_ROLES; role++) {
            size_t   others = members_of(members, neighbour->class_id, (enum member_role)role, &other);
            uint32_t kind = link_kind(x, link, neighbour->turned, MEMBER_BENCHMARK, (enum member_role)role);

            for (size_t o = 0; o < others && o < most && kind != NO_EDGE; o++)
                match[n++] = (struct match){ other[o], kind, link };
        }
    }
    qsort(match, n, sizeof *match, match_order);
    *out = match;
    *count = n;
    return 0;
}

/* The members of a class in the documents' order, and with those of the same bytes beside each other, so that an item
 * finds its best without looking at all of them. */
struct inside { const struct members *members; uint32_t *ordered, *by_bytes; size_t count; };

static int by_document(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int bytes_compare(const struct expansion *x, uint32_t a, uint32_t b)
{
    const struct near_row *p = document_at(x, a)->row, *q = document_at(x, b)->row;

    if (p->raw.high != q->raw.high) return p->raw.high < q->raw.high ? -1 : 1;
    return (p->raw.low > q->raw.low) - (p->raw.low < q->raw.low);
}

static int by_bytes(const void *a, const void *b, void *expansion)
{
    const int c = bytes_compare(expansion, *(const uint32_t *)a, *(const uint32_t *)b);

    return c ? c : by_document(a, b);
}

static int inside_order(struct expansion *x, const struct members *members, uint32_t c, struct inside *out)
{
    const uint32_t *member = members->member + members->start[(size_t)c * MEMBER_ROLES];

    *out = (struct inside){ .members = members, .count = members_all(members, c) };
    out->ordered = malloc(2 * out->count * sizeof *out->ordered);
    if (!out->ordered) return -ENOMEM;
    out->by_bytes = out->ordered + out->count;
    memcpy(out->ordered, member, out->count * sizeof *member);
    memcpy(out->by_bytes, member, out->count * sizeof *member);
    qsort(out->ordered, out->count, sizeof *out->ordered, by_document);
    qsort_r(out->by_bytes, out->count, sizeof *out->by_bytes, by_bytes, x);
    return 0;
}

/* Where the members of the item's bytes begin. */
static size_t same_begin(const struct expansion *x, const struct inside *inside, uint32_t item)
{
    size_t from = 0, to = inside->count;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (bytes_compare(x, inside->by_bytes[middle], item) < 0) from = middle + 1;
        else to = middle;
    }
    return from;
}

/* The best pairs of an item inside its class: byte-equal members first, then the others; *kept counts them. */
static int item_expand_inside(struct expansion *x, const struct inside *inside, uint32_t item, uint64_t *kept,
                              struct err *err)
{
    const uint64_t most = x->classes->job->options->max_matches;
    int            rc = 0;

    for (size_t m = same_begin(x, inside, item); m < inside->count && *kept < most && rc == 0; m++) {
        const uint32_t d = inside->by_bytes[m];

        if (!same_bytes(document_at(x, d), document_at(x, item))) break;
        if (d == item) continue;
        rc = edge_add(x, item, d, edge_inside(x, inside->members, item, d), err);
        ++*kept;
    }
    /* those of its bytes are passed over: fewer than it may keep, or all is kept already */
    for (size_t m = 0; m < inside->count && *kept < most && rc == 0; m++) {
        const uint32_t d = inside->ordered[m];

        if (same_bytes(document_at(x, d), document_at(x, item))) continue;
        rc = edge_add(x, item, d, edge_inside(x, inside->members, item, d), err);
        ++*kept;
    }
    return rc;
}

/* The best pairs of every item of a crowded class. */
static int crowded_expand(struct expansion *x, const struct members *members, uint32_t c, struct err *err)
{
    const uint32_t *item;
    size_t          items = members_of(members, c, MEMBER_BENCHMARK, &item), count = 0;
    const uint64_t  most = x->classes->job->options->max_matches;
    const uint32_t  centre = star_centre(members, c);
    const bool      star = class_is_star(x, members, c);
    struct inside   inside = { 0 };
    struct match   *match = NULL;
    int             rc = matches_collect(x, members, c, &match, &count);

    if (rc == 0) rc = inside_order(x, members, c, &inside);
    if (rc < 0) err_memory(err, members_all(members, c) * sizeof *match, "an item's matches");
    for (size_t i = 0; i < items && rc == 0; i++) {
        uint64_t kept = 0;

        if (!star || item[i] == centre) rc = item_expand_inside(x, &inside, item[i], &kept, err);
        else if (most) {
            rc = edge_add(x, item[i], centre, edge_inside(x, members, item[i], centre), err);
            kept++;
        }
        for (size_t m = 0; m < count && kept < most && rc == 0; m++, kept++)
            rc = edge_add(x, item[i], match[m].document,
                          edge_of_link(x, item[i], match[m].document, match[m].link, match[m].kind), err);
    }
    free(inside.ordered);
    free(match);
    return rc;
}

/* ---- 3. All pairs ---- */

/* Does a pair come out of the plain expansion?  Crowded items' pairs come out of crowded_expand. */
static bool plain(bool my_class_crowded, enum member_role mine, bool other_crowded, enum member_role theirs)
{
    if (mine != MEMBER_BENCHMARK && theirs != MEMBER_BENCHMARK) return true;
    return (mine == MEMBER_BENCHMARK && !my_class_crowded) || (theirs == MEMBER_BENCHMARK && !other_crowded);
}

/* The star of a large class: every member with the centre that is compared with it. */
static int star_expand(struct expansion *x, const struct members *members, uint32_t c, uint32_t centre, bool crowded,
                       struct err *err)
{
    const struct near_job *job = x->classes->job;
    enum member_role       mine = members == &x->classes->copies ? role_of_copy(job, document_at(x, centre))
        : role_of_document(job, document_at(x, centre));

    for (int theirs = 0; theirs < MEMBER_ROLES; theirs++) {
        const uint32_t *member;
        size_t          count = members_of(members, c, (enum member_role)theirs, &member);

        if (!roles_meet(mine, (enum member_role)theirs) || !plain(crowded, mine, crowded, (enum member_role)theirs))
            continue;
        for (size_t m = 0; m < count; m++)
            if (member[m] != centre &&
                edge_add(x, centre, member[m], edge_inside(x, members, centre, member[m]), err) < 0)
                return err->code;
    }
    return 0;
}

static int inside_expand(struct expansion *x, const struct members *members, uint32_t c, bool crowded, struct err *err)
{
    if (class_is_star(x, members, c)) {
        uint32_t        centre = star_centre(members, c);
        const uint32_t *resident;
        size_t          residents = members_of(members, c, MEMBER_RESIDENT, &resident);

        /* Where an item at the centre keeps only its best pairs, the others' own duplicates still hold together. */
        if (crowded && residents && centre != resident[0]) centre = resident[0];
        return star_expand(x, members, c, centre, crowded, err);
    }
    for (int mine = 0; mine < MEMBER_ROLES; mine++) {
        for (int theirs = mine; theirs < MEMBER_ROLES; theirs++) {
            const uint32_t *a, *b;
            size_t          na = members_of(members, c, (enum member_role)mine, &a),
                nb = members_of(members, c, (enum member_role)theirs, &b);

            if (!roles_meet((enum member_role)mine, (enum member_role)theirs)) continue;
            if (!plain(crowded, (enum member_role)mine, crowded, (enum member_role)theirs)) continue;
            for (size_t i = 0; i < na; i++)
                for (size_t j = mine == theirs ? i + 1 : 0; j < nb; j++)
                    if (edge_add(x, a[i], b[j], edge_inside(x, members, a[i], b[j]), err) < 0) return err->code;
        }
    }
    return 0;
}

static int link_expand(struct expansion *x, const struct near_link *link, struct err *err)
{
    const struct members *members = &x->classes->admitted;

    for (int mine = 0; mine < MEMBER_ROLES; mine++) {
        for (int theirs = 0; theirs < MEMBER_ROLES; theirs++) {
            const uint32_t *a, *b;
            size_t          na = members_of(members, link->first, (enum member_role)mine, &a);
            size_t          nb = members_of(members, link->second, (enum member_role)theirs, &b);

            uint32_t        kind = link_kind(x, link, false, (enum member_role)mine, (enum member_role)theirs);

            if (kind == NO_EDGE ||
                !plain(x->crowded[link->first], (enum member_role)mine, x->crowded[link->second],
                       (enum member_role)theirs)) continue;
            for (size_t i = 0; i < na; i++)
                for (size_t j = 0; j < nb; j++)
                    if (edge_add(x, a[i], b[j], edge_of_link(x, a[i], b[j], link, kind), err) < 0) return err->code;
        }
    }
    return 0;
}

int expand_pairs(const struct classes *classes, struct runs *out, struct err *err)
{
    struct expansion x = { .classes = classes, .out = out,
                           .crowded = calloc(classes->admitted.count + 1, sizeof *x.crowded) };
    int              rc = x.crowded ? 0 : err_memory(err, classes->admitted.count, "edges");

    for (uint32_t c = 0; c < classes->admitted.count && rc == 0; c++)
        x.crowded[c] = class_is_crowded(&x, &classes->admitted, c);
    for (uint32_t c = 0; c < classes->admitted.count && rc == 0; c++) {
        rc = members_all(&classes->admitted, c) > 1 ? inside_expand(&x, &classes->admitted, c, x.crowded[c], err) : 0;
        if (rc == 0 && x.crowded[c]) rc = crowded_expand(&x, &classes->admitted, c, err);
    }
    for (uint32_t c = 0; c < classes->copies.count && rc == 0; c++) {
        bool crowded = class_is_crowded(&x, &classes->copies, c);

        rc = members_all(&classes->copies, c) > 1 ? inside_expand(&x, &classes->copies, c, crowded, err) : 0;
        if (rc == 0 && crowded) rc = crowded_expand(&x, &classes->copies, c, err);
    }
    for (size_t l = 0; l < classes->result->link_count && rc == 0; l++)
        rc = link_expand(&x, &classes->result->link[l], err);
    /* two crowded items may both have kept their pair: the runs keep one */
    if (rc == 0) rc = runs_end(out, err);
    free(x.crowded);
    return rc;
}

int expand_matches(const struct classes *classes, uint64_t **out, struct err *err)
{
    const struct members *members = &classes->admitted;
    uint64_t             *matches = calloc(classes->result->document_count + 1, sizeof *matches);

    *out = matches;
    if (!matches) return err_memory(err, classes->result->document_count * 8, "matches");
    for (uint32_t c = 0; c < members->count; c++) {
        uint64_t met[MEMBER_ROLES] = { 0 };                 /* documents that a member of each role is compared with */

        for (uint64_t n = classes->neighbour_start[c]; n <= classes->neighbour_start[c + 1]; n++) {
            bool            own = n == classes->neighbour_start[c + 1];
            uint32_t        other = own ? c : classes->neighbour[n].class_id;
            const uint32_t *unused;

            if (!own && !(classes->result->link[classes->neighbour[n].link].marks & NEAR_SIMILAR)) continue;
            for (int mine = 0; mine < MEMBER_ROLES; mine++)
                for (int theirs = 0; theirs < MEMBER_ROLES; theirs++)
                    if (roles_meet((enum member_role)mine, (enum member_role)theirs))
                        met[mine] += members_of(members, other, (enum member_role)theirs, &unused);
        }
        for (int role = 0; role < MEMBER_ROLES; role++) {
            const uint32_t *member;
            size_t          count = members_of(members, c, (enum member_role)role, &member);

            /* itself is no match */
            for (size_t i = 0; i < count; i++) matches[member[i]] = met[role] - (role != MEMBER_STREAMED);
        }
    }
    return 0;
}
