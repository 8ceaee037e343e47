/* near/expand.c -- see expand.h.
 *
 * 1. Pairs   2. Crowded classes   3. All pairs
 *
 * A class is crowded when a benchmark item of it has more than max_matches pairs.  Items of one class have the same
 * neighbours, so this is known before any pair is spelled out, and a crowded item's pairs are never all made. */
#include "near/expand.h"

#include "near/links.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

struct expansion {
    const struct classes *classes;
    struct runs          *out;
    bool                 *crowded;                          /* [classes->admitted.count] */
};

/* ---- 1. Pairs ---- */

static const struct near_brief *brief_of(const struct expansion *x, uint32_t d)
{
    return &x->classes->result->brief[d];
}

static int edge_add(struct expansion *x, uint32_t a, uint32_t b, struct graph_edge edge, struct err *err)
{
    edge.a = a < b ? a : b;
    edge.b = a < b ? b : a;
    return runs_add(x->out, &edge, err);
}

static bool same_bytes(const struct expansion *x, uint32_t a, uint32_t b)
{
    const uint32_t *same = x->classes->result->same;

    return same[a] == same[b];
}

/* The edge of two documents of one class: all similarities are 1. */
static struct graph_edge edge_inside(const struct expansion *x, const struct members *members, uint32_t a, uint32_t b)
{
    const struct near_brief *d = brief_of(x, a);

    return (struct graph_edge){ .kind = members == &x->classes->copies ? EDGE_COPY : same_bytes(x, a, b) ? EDGE_EXACT
                                    : EDGE_NEAR,
                                .shared = d->distinct,
                                .union_size = d->distinct, .min_sum = d->total, .max_sum = d->total };
}

enum { NO_EDGE = EDGE_KIND_COUNT };

/* Are the two classes of one multiset?  They are where benchmarks have different `min_tokens`. */
static bool are_twins(const struct near_link *link)
{
    return link->shared == link->union_size && link->min_sum == link->max_sum;
}

/* Of two documents of different classes, which may be equal where the classes are twins. */
static struct graph_edge edge_of_link(const struct expansion *x, uint32_t a, uint32_t b, const struct near_link *link,
                                      uint32_t kind)
{
    if (kind == EDGE_NEAR && are_twins(link) && same_bytes(x, a, b)) kind = EDGE_EXACT;
    return (struct graph_edge){ .kind = kind, .shared = link->shared, .union_size = link->union_size,
                                .min_sum = link->min_sum, .max_sum = link->max_sum };
}

/* What the link makes of members of these roles, or NO_EDGE. */
static uint32_t link_kind(const struct expansion *x, const struct near_link *link, enum member_role mine,
                          enum member_role theirs)
{
    const bool between = near_inside_between(x->classes->job->options);

    if (!roles_meet(mine, theirs)) return NO_EDGE;
    if (link->marks & NEAR_SIMILAR) return EDGE_NEAR;
    if ((between || mine != theirs) && (((link->marks & NEAR_FIRST_INSIDE) && mine == MEMBER_BENCHMARK) ||
                                        ((link->marks & NEAR_SECOND_INSIDE) && theirs == MEMBER_BENCHMARK)))
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

/* Pairs of an item with others of its class. */
static uint64_t pairs_inside(const struct expansion *x, const struct members *members, uint32_t c)
{
    const uint32_t *benchmark;

    if (!members_of(members, c, MEMBER_BENCHMARK, &benchmark)) return 0;
    return class_is_star(x, members, c) && star_centre(members, c) != benchmark[0] ? 1 : members_all(members, c) - 1;
}

/* Has an item of the class more pairs than it may keep?  Classes of copies have no neighbours. */
static bool class_is_crowded(const struct expansion *x, const struct members *members, uint32_t c, uint64_t outside)
{
    const uint32_t *benchmark;

    return members_of(members, c, MEMBER_BENCHMARK, &benchmark) &&
        pairs_inside(x, members, c) + outside > x->classes->job->options->max_matches;
}

static int crowded_find(struct expansion *x, struct err *err)
{
    const struct classes *classes = x->classes;
    struct near_link      link;
    struct links          links;
    int                   rc = links_open(&links, classes->result, err);

    for (uint32_t c = 0; c < classes->admitted.count && rc == 0; c++) {
        uint64_t outside = 0;

        while ((rc = links_next(&links, c, &link, err)) > 0) outside += members_all(&classes->admitted, link.second);
        x->crowded[c] = class_is_crowded(x, &classes->admitted, c, outside);
    }
    links_close(&links);
    return rc;
}

/* A document of another class that the items of a class have a pair with, as the order of best matches sees it. */
struct match { uint32_t document, kind; struct near_link link; };

/* [count] of a class; twins: uint32_t, the members of its twins. */
struct matches { struct match *at; size_t count, room; bool full; struct bytes twins; };

/* Compares p/q with r/s: which is larger comes first. */
static int larger_first(uint64_t p, uint64_t q, uint64_t r, uint64_t s) { return (p * s < r * q) - (p * s > r * q); }

/* No match's similarities are both 1: members of twins are none. */
static int match_order(const void *a, const void *b)
{
    static const int rank[EDGE_KIND_COUNT] = { [EDGE_EXACT] = 0, [EDGE_NEAR] = 0, [EDGE_CONTAINED] = 1,
                                               [EDGE_BELOW] = 2 };
    const struct match *x = a, *y = b;
    int                 c;

    if (rank[x->kind] != rank[y->kind]) return rank[x->kind] - rank[y->kind];
    if ((c = larger_first(x->link.shared, x->link.union_size, y->link.shared, y->link.union_size)) != 0) return c;
    if ((c = larger_first(x->link.min_sum, x->link.max_sum, y->link.min_sum, y->link.max_sum)) != 0) return c;
    return (x->document > y->document) - (x->document < y->document);
}

/* More than an item may keep are put in order, and only its best stay. */
static void matches_cut(struct matches *matches, uint64_t most)
{
    qsort(matches->at, matches->count, sizeof *matches->at, match_order);
    if (matches->count < most) return;
    matches->count = (size_t)most;
    matches->full = true;
}

static int match_add(struct matches *matches, const struct match *match, uint64_t most, struct err *err)
{
    enum { SLACK = 4096 };

    /* the best come first in what was cut, and nothing is added to it that is worse than its last */
    if (matches->full && (!most || match_order(match, &matches->at[most - 1]) > 0)) return 0;
    if (matches->count >= SLACK && matches->count / 2 >= most) matches_cut(matches, most);
    if (ARRAY_GROW(matches->at, matches->room, matches->count) < 0)
        return err_memory(err, matches->room * sizeof *match, "an item's matches");
    matches->at[matches->count++] = *match;
    return 0;
}

/* The members of a twin, with which every item has a pair as with those of its own class. */
static int twins_add(const struct expansion *x, uint32_t c, struct matches *matches, struct err *err)
{
    const uint32_t *member;
    const size_t    count = members_between(&x->classes->admitted, c, 0, MEMBER_ROLES, &member),
        bytes = count * sizeof *member;

    return bytes_append(&matches->twins, member, bytes) < 0 ? err_memory(err, bytes, "an item's matches") : 0;
}

/* What items of the link's first class have a pair with in its second: of each role no more than an item may keep. */
static int matches_add(const struct expansion *x, const struct near_link *link, struct matches *matches,
                       struct err *err)
{
    const struct members *members = &x->classes->admitted;
    const uint64_t        most = x->classes->job->options->max_matches;
    int                   rc = 0;

    if (are_twins(link)) return twins_add(x, link->second, matches, err);
    for (int role = 0; role < MEMBER_ROLES; role++) {
        const uint32_t *other;
        size_t          others = members_of(members, link->second, (enum member_role)role, &other);
        uint32_t        kind = link_kind(x, link, MEMBER_BENCHMARK, (enum member_role)role);

        for (size_t o = 0; o < others && o < most && kind != NO_EDGE && rc == 0; o++)
            rc = match_add(matches, &(struct match){ other[o], kind, *link }, most, err);
    }
    return rc;
}

/* Documents of an item's multiset in their order, and with those of the same bytes beside each other, so that it finds
 * its best without looking at all of them. */
struct inside { const struct members *members; uint32_t *ordered, *by_bytes; size_t count; };

static int by_document(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int bytes_compare(const struct expansion *x, uint32_t a, uint32_t b)
{
    const uint32_t p = x->classes->result->same[a], q = x->classes->result->same[b];

    return (p > q) - (p < q);
}

static int by_bytes(const void *a, const void *b, void *expansion)
{
    const int c = bytes_compare(expansion, *(const uint32_t *)a, *(const uint32_t *)b);

    return c ? c : by_document(a, b);
}

/* Of a class, unless it is NO_CLASS, and its twins. */
static int inside_order(struct expansion *x, const struct members *members, uint32_t c, const struct matches *matches,
                        struct inside *out)
{
    const uint32_t *member = NULL;
    const size_t    own = c == NO_CLASS ? 0 : members_between(members, c, 0, MEMBER_ROLES, &member);

    *out = (struct inside){ .members = members, .count = own + matches->twins.len / sizeof *out->ordered };
    out->ordered = malloc((2 * out->count + 1) * sizeof *out->ordered);
    if (!out->ordered) return -ENOMEM;
    out->by_bytes = out->ordered + out->count;
    if (own) memcpy(out->ordered, member, own * sizeof *member);
    if (matches->twins.len) memcpy(out->ordered + own, matches->twins.at, matches->twins.len);
    qsort(out->ordered, out->count, sizeof *out->ordered, by_document);
    memcpy(out->by_bytes, out->ordered, out->count * sizeof *out->ordered);
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

/* The best pairs of an item with those of its multiset, in two steps that count them in *kept: byte-equal ones, */
static int item_expand_same(struct expansion *x, const struct inside *inside, uint32_t item, uint64_t *kept,
                            struct err *err)
{
    const uint64_t most = x->classes->job->options->max_matches;
    int            rc = 0;

    for (size_t m = same_begin(x, inside, item); m < inside->count && *kept < most && rc == 0; m++) {
        const uint32_t d = inside->by_bytes[m];

        if (!same_bytes(x, d, item)) break;
        if (d == item) continue;
        rc = edge_add(x, item, d, edge_inside(x, inside->members, item, d), err);
        ++*kept;
    }
    return rc;
}

/* and then the others, where those of its bytes are passed over: fewer than it may keep, or all is kept already. */
static int item_expand_others(struct expansion *x, const struct inside *inside, uint32_t item, uint64_t *kept,
                              struct err *err)
{
    const uint64_t most = x->classes->job->options->max_matches;
    int            rc = 0;

    for (size_t m = 0; m < inside->count && *kept < most && rc == 0; m++) {
        const uint32_t d = inside->ordered[m];

        if (same_bytes(x, d, item)) continue;
        rc = edge_add(x, item, d, edge_inside(x, inside->members, item, d), err);
        ++*kept;
    }
    return rc;
}

/* Of an item of a star that is not its centre: with the centre, and with members of twins. */
static int item_expand_star(struct expansion *x, const struct inside *twins, uint32_t item, uint32_t centre,
                            uint64_t *kept, struct err *err)
{
    const uint64_t most = x->classes->job->options->max_matches;
    const bool     same = same_bytes(x, item, centre);
    int            rc = 0;

    for (int step = 0; step < 2 && rc == 0; step++) {
        if (step == !same && *kept < most) {
            rc = edge_add(x, item, centre, edge_inside(x, twins->members, item, centre), err);
            ++*kept;
        }
        if (rc == 0) rc = (step ? item_expand_others : item_expand_same)(x, twins, item, kept, err);
    }
    return rc;
}

/* The best pairs of every item of a crowded class, which has these matches outside. */
static int crowded_expand(struct expansion *x, const struct members *members, uint32_t c, struct matches *matches,
                          struct err *err)
{
    const uint32_t *item;
    size_t          items = members_of(members, c, MEMBER_BENCHMARK, &item);
    const uint64_t  most = x->classes->job->options->max_matches;
    const uint32_t  centre = star_centre(members, c);
    const bool      star = class_is_star(x, members, c);
    struct inside   inside = { 0 }, twins = { 0 };
    int             rc = inside_order(x, members, c, matches, &inside);

    if (rc == 0 && star) rc = inside_order(x, members, NO_CLASS, matches, &twins);
    if (rc < 0) err_memory(err, members_all(members, c) * 8, "an item's matches");
    if (matches->count) matches_cut(matches, most);
    for (size_t i = 0; i < items && rc == 0; i++) {
        uint64_t kept = 0;

        if (star && item[i] != centre) rc = item_expand_star(x, &twins, item[i], centre, &kept, err);
        else {
            rc = item_expand_same(x, &inside, item[i], &kept, err);
            if (rc == 0) rc = item_expand_others(x, &inside, item[i], &kept, err);
        }
        for (size_t m = 0; m < matches->count && kept < most && rc == 0; m++, kept++) {
            const struct match *match = &matches->at[m];

            rc = edge_add(x, item[i], match->document,
                          edge_of_link(x, item[i], match->document, &match->link, match->kind), err);
        }
    }
    free(inside.ordered);
    free(twins.ordered);
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
    const struct classes  *classes = x->classes;
    const enum member_role mine = members == &classes->copies ? role_of_copy(classes->job, classes->result, centre)
        : role_of_document(classes->job, classes->result, centre);

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
        const uint32_t *a, *b;
        const size_t    na = members_of(members, link->first, (enum member_role)mine, &a);

        for (int theirs = 0; theirs < MEMBER_ROLES && na; theirs++) {
            const size_t   nb = members_of(members, link->second, (enum member_role)theirs, &b);
            const uint32_t kind = nb ? link_kind(x, link, (enum member_role)mine, (enum member_role)theirs) : NO_EDGE;

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

/* An admitted class: its own pairs, those with the classes after it, and of its items, when they are crowded, the best
 * of all. */
static int class_expand(struct expansion *x, uint32_t c, struct links *links, struct err *err)
{
    const struct members *members = &x->classes->admitted;
    struct matches        matches = { 0 };
    struct near_link      link;
    int                   rc = members_all(members, c) > 1 ? inside_expand(x, members, c, x->crowded[c], err) : 0;

    while (rc == 0 && (rc = links_next(links, c, &link, err)) > 0) {
        rc = c < link.second ? link_expand(x, &link, err) : 0;
        if (rc == 0 && x->crowded[c]) rc = matches_add(x, &link, &matches, err);
    }
    if (rc == 0 && x->crowded[c]) rc = crowded_expand(x, members, c, &matches, err);
    free(matches.at);
    bytes_free(&matches.twins);
    return rc;
}

int expand_pairs(const struct classes *classes, struct runs *out, struct err *err)
{
    struct expansion x = { .classes = classes, .out = out,
                           .crowded = calloc(classes->admitted.count + 1, sizeof *x.crowded) };
    struct links     links = { 0 };
    struct matches   none = { 0 };
    int              rc = x.crowded ? crowded_find(&x, err) : err_memory(err, classes->admitted.count, "edges");

    if (rc == 0) rc = links_open(&links, classes->result, err);
    for (uint32_t c = 0; c < classes->admitted.count && rc == 0; c++) rc = class_expand(&x, c, &links, err);
    links_close(&links);
    for (uint32_t c = 0; c < classes->copies.count && rc == 0; c++) {
        bool crowded = class_is_crowded(&x, &classes->copies, c, 0);

        rc = members_all(&classes->copies, c) > 1 ? inside_expand(&x, &classes->copies, c, crowded, err) : 0;
        if (rc == 0 && crowded) rc = crowded_expand(&x, &classes->copies, c, &none, err);
    }
    /* two crowded items may both have kept their pair: the runs keep one */
    if (rc == 0) rc = runs_end(out, err);
    free(x.crowded);
    return rc;
}

/* Documents that a member of each role is compared with, of these that are in a class. */
static void met_add(const struct members *members, uint32_t c, uint64_t met[MEMBER_ROLES])
{
    const uint32_t *unused;

    for (int theirs = 0; theirs < MEMBER_ROLES; theirs++) {
        const size_t count = members_of(members, c, (enum member_role)theirs, &unused);

        for (int mine = 0; mine < MEMBER_ROLES; mine++)
            if (roles_meet((enum member_role)mine, (enum member_role)theirs)) met[mine] += count;
    }
}

int expand_matches(const struct classes *classes, uint32_t **out, struct err *err)
{
    const struct members *members = &classes->admitted;
    uint32_t             *matches = calloc(classes->result->document_count + 1, sizeof *matches);
    struct near_link      link;
    struct links          links;
    int                   rc;

    *out = matches;
    if (!matches) return err_memory(err, classes->result->document_count * sizeof *matches, "matches");
    rc = links_open(&links, classes->result, err);
    for (uint32_t c = 0; c < members->count && rc == 0; c++) {
        uint64_t met[MEMBER_ROLES] = { 0 };

        met_add(members, c, met);
        while ((rc = links_next(&links, c, &link, err)) > 0)
            if (link.marks & NEAR_SIMILAR) met_add(members, link.second, met);
        for (int role = 0; role < MEMBER_ROLES; role++) {
            const uint32_t *member;
            size_t          count = members_of(members, c, (enum member_role)role, &member);

            /* itself is no match */
            for (size_t i = 0; i < count; i++) matches[member[i]] = (uint32_t)(met[role] - (role != MEMBER_STREAMED));
        }
    }
    links_close(&links);
    return rc;
}
