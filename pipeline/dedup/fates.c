/* dedup/fates.c -- what became of every document, told to the owners of the columns and committed there: slice by
 * slice, each some units of every rank, so that no rank holds the fates of all its documents. */
#include "dedup/fetch.h"

#include "base/search.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <stdlib.h>

/* ids of a round; the part of memory that the fates of a slice may take, and how many it has anyway, as each slice goes
 * through all own ids */
enum { FATES_ROUND = 1 << 19, FATES_PART = 8, FATES_LEAST = 1 << 16 };

struct fate_told { uint64_t ordinal; struct dedup_fate fate; };

/* What an own class, which is not the best of its component, and that one are to each other. */
struct kinship { uint64_t representative; uint32_t kin, shared, union_size; };

/* The slice at hand: of rank r, units up to unit[r] and ordinals [from[r], to[r]); fate: of the own ones. */
struct telling {
    struct dedup_state *state;
    struct own_links    links;
    /* struct kinship, ascending, of classes that no link joins with the best of their component */
    struct bytes        indirect;
    struct dedup_fate  *fate;
    uint64_t            most;                               /* documents of a rank in a slice, or one unit */
    size_t             *unit;
    uint64_t           *from, *to;
};

static int take_fates(void *context, const void *message, size_t count, struct err *err)
{
    struct telling         *t = context;
    const struct fate_told *told = message;

    (void)err;
    for (size_t i = 0; i < count; i++)
        t->fate[told[i].ordinal - t->from[t->state->rank]] = told[i].fate;
    return 0;
}

static uint64_t answer_size(void *context, uint64_t id)
{
    const struct dedup_state *s = context;

    return s->size[id - s->id_first[s->rank]];
}

/* The link of a class and its canonical; NULL: they are one, or their ways to each other are longer. */
static const struct dedup_link *link_of(const struct telling *t, uint64_t representative)
{
    const uint64_t canonical = own_canonical(t->state, representative);

    return canonical < representative
        ? own_links_find(t->state, &t->links, (struct link_ids){ representative, canonical }) : NULL;
}

static struct kinship kinship_of_link(uint64_t representative, const struct dedup_link *link)
{
    return (struct kinship){ representative, link->marks & DEDUP_SIMILAR ? DEDUP_NEAR : DEDUP_CONTAINED, link->shared,
                             link->union_size };
}

static struct kinship kinship_of(const struct telling *t, uint64_t representative)
{
    const struct dedup_link *link = link_of(t, representative);
    const struct kinship    *found;
    const size_t             count = t->indirect.len / sizeof *found;
    size_t                   at;

    if (link) return kinship_of_link(representative, link);
    at = search_u64(t->indirect.at, sizeof *found, offsetof(struct kinship, representative), 0, count, representative);
    found = (const struct kinship *)(const void *)t->indirect.at + at;
    return at < count && found->representative == representative ? *found : (struct kinship){ 0 };
}

static uint64_t answer_shared(void *context, uint64_t representative)
{
    const struct kinship kinship = kinship_of(context, representative);

    return (uint64_t)kinship.kin << 32 | kinship.shared;
}

static uint64_t answer_union(void *context, uint64_t representative)
{
    return kinship_of(context, representative).union_size;
}

/* Those of a component may be a pair all the same, which bands have missed. */
static struct kinship kinship_decide(const struct dedup_options *options, uint64_t representative, struct fetched worse,
                                     struct fetched better)
{
    const struct column_features x = worse.features, y = better.features;
    struct dedup_link            link;
    uint64_t                     shared;

    if (pair_decide(options, worse, better, &link)) return kinship_of_link(representative, &link);
    shared = kernels->intersect_u64(x.hash, x.distinct, y.hash, y.distinct);
    return (struct kinship){ representative, DEDUP_INDIRECT, (uint32_t)shared,
                             (uint32_t)((uint64_t)x.distinct + y.distinct - shared) };
}

/* Own classes from *next on that no link joins with the best of their component: so many pairs of ids. */
static size_t indirect_next(const struct telling *t, uint64_t *next, uint64_t *id, size_t most)
{
    const struct dedup_state *s = t->state;
    size_t                    pairs = 0;

    for (; *next < s->id_first[s->rank + 1] && pairs < most; ++*next) {
        if (own_representative(s, *next) != *next || own_canonical(s, *next) == *next || link_of(t, *next)) continue;
        id[2 * pairs] = *next;
        id[2 * pairs++ + 1] = own_canonical(s, *next);
    }
    return pairs;
}

static int pairs_decide(struct telling *t, const struct fetch *fetch, const uint64_t *id, size_t pairs, struct err *err)
{
    const size_t    size = pairs * sizeof(struct kinship);
    struct kinship *out;

    if (bytes_reserve(&t->indirect, t->indirect.len + size) < 0)
        return err_memory(err, t->indirect.len + size, "components");
    out = (struct kinship *)(void *)(t->indirect.at + t->indirect.len);
#pragma omp parallel for num_threads(t->state->threads) schedule(dynamic, 64)
    for (size_t i = 0; i < pairs; i++)
        out[i] = kinship_decide(t->state->job->options, id[2 * i], fetch_get(fetch, id[2 * i]),
                                fetch_get(fetch, id[2 * i + 1]));
    t->indirect.len += size;
    return 0;
}

/* Compares them while features are there.  Collective. */
static int indirect_make(struct telling *t, struct err *err)
{
    struct dedup_state *s = t->state;
    const size_t        most = fetch_pairs(s);
    uint64_t            next = s->id_first[s->rank], going = 1, *id = malloc(2 * most * sizeof *id);
    struct fetch        fetch = { 0 };
    int                 rc = id ? fetch_open(&fetch, s, err) : err_memory(err, 2 * most * sizeof *id, "components");

    rc = comm_agree(s->job->run->comm, rc, err);
    while (rc == 0 && going) {
        const size_t pairs = indirect_next(t, &next, id, most);

        rc = fetch_run(&fetch, id, 2 * pairs, err);
        if (rc == 0) rc = pairs_decide(t, &fetch, id, pairs, err);
        own_links_forget(&t->links);
        going = next < s->id_first[s->rank + 1];
        if ((rc = comm_agree(s->job->run->comm, rc, err)) == 0) comm_sum(s->job->run->comm, &going, 1);
    }
    fetch_close(&fetch);
    free(id);
    return rc;
}

/* Ids of this rank. */
static int fates_tell(struct telling *t, struct mail *mail, const uint64_t *id, size_t count, struct err *err)
{
    struct dedup_state *s = t->state;
    uint64_t           *key = malloc((count + 1) * sizeof *key),
        *answer = malloc((5 * count + 1) * sizeof *answer);
    int                 rc = comm_agree(s->job->run->comm, key && answer ? 0 : err_memory(err, count * 48, "fates"),
                                        err);

    for (size_t i = 0; i < count && rc == 0; i++) key[i] = own_representative(s, id[i]);
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, key, answer, count, answer_place, s, err);
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, key, answer + 3 * count, count, answer_shared, t, err);
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, key, answer + 4 * count, count, answer_union, t, err);
    own_links_forget(&t->links);
    for (size_t i = 0; i < count && rc == 0; i++) key[i] = own_canonical(s, id[i]);
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, key, answer + count, count, answer_place, s, err);
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, key, answer + 2 * count, count, answer_size, s, err);
    for (size_t i = 0; i < count && rc == 0; i++) {
        uint64_t         ordinal = own_place(s, id[i]);
        struct fate_told told = { ordinal, { answer[i], answer[count + i], (uint32_t)answer[2 * count + i],
                                             key[i] != id[i] && !is_protected(s, ordinal),
                                             (uint16_t)(answer[3 * count + i] >> 32), (uint32_t)answer[3 * count + i],
                                             (uint32_t)answer[4 * count + i] } };

        if (mail_post(mail, share_owner(s->ordinal_first, s->ranks, ordinal), &told) < 0)
            rc = err_memory(err, sizeof told, "fates");
    }
    free(key);
    free(answer);
    return comm_agree(s->job->run->comm, rc, err);
}

/* Is a document of this slice, and not alone? */
static bool is_told(const struct telling *t, uint64_t id)
{
    const struct dedup_state *s = t->state;
    const uint64_t            ordinal = own_place(s, id);
    int                       owner;

    if (own_representative(s, id) == id && own_canonical(s, id) == id && s->size[id - s->id_first[s->rank]] <= 1)
        return false;
    owner = share_owner(s->ordinal_first, s->ranks, ordinal);
    return ordinal >= t->from[owner] && ordinal < t->to[owner];
}

static int fates_deliver(struct telling *t, struct err *err)
{
    struct dedup_state *s = t->state;
    struct mail         mail = { 0 };
    uint64_t            next = s->id_first[s->rank], end = s->id_first[s->rank + 1],
        *id = malloc(FATES_ROUND * sizeof *id);
    int                 rc = comm_agree(s->job->run->comm, id ? 0 : err_memory(err, FATES_ROUND * sizeof *id, "fates"),
                                        err);

    if (rc == 0) rc = mail_open(&mail, s->job->run->comm, sizeof(struct fate_told), err);
    while (rc == 0) {
        size_t count = 0;

        for (; next < end && count < FATES_ROUND; next++)
            if (is_told(t, next)) id[count++] = next;
        rc = fates_tell(t, &mail, id, count, err);
        if (rc == 0) rc = mail_deliver(&mail, next < end, take_fates, t, err);
        if (rc <= 0) break;
        rc = 0;
    }
    mail_close(&mail);
    free(id);
    return rc;
}

static int unit_settle(struct telling *t, size_t u, struct err *err)
{
    struct dedup_state          *s = t->state;
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    const struct dedup_fate     *fate = t->fate + (unit->first - t->from[s->rank]);
    struct dedup_stats          *stats = &s->job->stats;
    struct column_unit           columns;
    int                          rc = fate_commit(s->job, u, fate, unit->documents, err);

    if (rc == 0) rc = state_unit(s, u, &columns, err);
    if (rc < 0) return rc;
    for (uint64_t i = 0; i < unit->documents; i++) {
        const struct dedup_row *row = columns_row(&columns, i, NULL);

        stats->admitted += row->admitted;
        stats->removed += fate[i].removed;
        stats->removed_bytes += fate[i].removed ? row->bytes : 0;
    }
    stats->documents += unit->documents;
    stats->text_bytes += unit->text_bytes;
    columns_close(&columns);
    return 0;
}

/* The next units of every rank, the same on all; false: there are no more. */
static bool slice_next(struct telling *t)
{
    const struct dedup_state    *s = t->state;
    const struct catalogue_unit *unit = s->catalogue.unit;
    bool                         any = false;

    for (int r = 0; r < s->ranks; r++) {
        t->from[r] = t->to[r];
        for (; t->unit[r] < s->unit_first[r + 1]; t->unit[r]++) {
            const uint64_t documents = unit[t->unit[r]].documents;

            if (t->to[r] > t->from[r] && t->to[r] - t->from[r] + documents > t->most) break;
            t->to[r] += documents;
            any = true;
        }
    }
    return any;
}

static int slice_make(struct telling *t, size_t first, struct err *err)
{
    struct dedup_state *s = t->state;
    const uint64_t      from = t->from[s->rank], count = t->to[s->rank] - from;
    int                 rc;

    t->fate = malloc((count + 1) * sizeof *t->fate);
    rc = t->fate ? 0 : err_memory(err, count * sizeof *t->fate, "fates");
    for (uint64_t i = 0; i < count && rc == 0; i++)
        t->fate[i] = (struct dedup_fate){ .representative = from + i, .canonical = from + i, .size = 1 };
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = fates_deliver(t, err);
    for (size_t u = first; u < t->unit[s->rank] && rc == 0; u++) rc = unit_settle(t, u, err);
    free(t->fate);
    return comm_agree(s->job->run->comm, rc, err);
}

/* What rank 0 may take is what all do: hosts may differ, and slices must not. */
static int slices_agree(struct telling *t, struct err *err)
{
    const struct dedup_state *s = t->state;
    struct bytes              most = { 0 };
    int                       rc = t->unit && t->from && t->to ? 0 : err_memory(err, (size_t)s->ranks * 24, "fates");

    t->most = run_memory_share(s->job->run) / FATES_PART / sizeof *t->fate;
    if (t->most < FATES_LEAST) t->most = FATES_LEAST;
    if (rc == 0 && bytes_append(&most, &t->most, sizeof t->most) < 0) rc = err_memory(err, sizeof t->most, "fates");
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = comm_broadcast(s->job->run->comm, &most, err);
    if (rc == 0) {
        memcpy(&t->most, most.at, sizeof t->most);
        memcpy(t->unit, s->unit_first, (size_t)s->ranks * sizeof *t->unit);
        memcpy(t->to, s->ordinal_first, (size_t)s->ranks * sizeof *t->to);
    }
    bytes_free(&most);
    return rc;
}

int fates_make(struct dedup_state *s, struct err *err)
{
    const size_t   ranks = (size_t)s->ranks;
    struct telling t = { .state = s, .unit = calloc(ranks, sizeof *t.unit), .from = calloc(ranks, sizeof *t.from),
                         .to = calloc(ranks, sizeof *t.to) };
    size_t         first = s->unit_first[s->rank];
    int            rc = slices_agree(&t, err);

    if (rc == 0) rc = comm_agree(s->job->run->comm, own_links_open(s, &t.links, err), err);
    if (rc == 0 && s->job->options->cluster == DEDUP_COMPONENT) rc = indirect_make(&t, err);
    for (; rc == 0 && slice_next(&t); first = t.unit[s->rank]) rc = slice_make(&t, first, err);
    own_links_close(&t.links);
    bytes_free(&t.indirect);
    free(t.unit);
    free(t.from);
    free(t.to);
    return rc;
}
