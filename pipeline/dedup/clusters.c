/* dedup/clusters.c -- which documents stay.
 *
 * Nodes are classes, standing for all their documents; a link says that the worse of two may go for the better.
 *
 * star: a node stays when no better neighbour stays (or it is protected): the first maximal independent set in the
 * order of preference. Every document that goes has a verified link to one that stays, its canonical: the best such.  A
 * node can be decided once all its better neighbours are, so the ranks decide in rounds, telling each other; the best
 * undecided node of all is decided in every round.
 *
 * component: everything that is connected, however long the chain; its best node stays.  Labels are the smallest id
 * known; in each round the labels of both ends of a link, and the ends, take the smaller one, and then every label
 * jumps to its own label: logarithmically many rounds (Zhang, Azad, Hu, FastSV, 2020). */
#include "dedup/state.h"

#include <errno.h>
#include <stdlib.h>

enum node_fate { UNDECIDED, STAYS, GOES };
/* messages of a round; labels that are asked for at once, and the part of memory that they may take */
enum { CLUSTERS_ROUND = 1 << 20, LABELS_MOST = 1 << 18, LABELS_LEAST = 2, LABELS_PART = 32 };

struct clustering {
    struct dedup_state *state;
    /* mapped; what has been read of them is left to the cache */
    struct own_links    own;
    unsigned char      *fate;                               /* [own ids] of nodes */
    /* [remotes] better ends of own links that other ranks own, ascending, and what is known of them */
    uint64_t           *remote, *known;
    size_t              remotes;
};

/* ---- links ---- */

enum { REMOTES_LEAST = 1 << 16 };

static int id_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Puts the remotes in order, each once. */
static void remotes_settle(struct clustering *c)
{
    size_t kept = 0;

    if (c->remotes) qsort(c->remote, c->remotes, sizeof *c->remote, id_order);
    for (size_t i = 0; i < c->remotes; i++)
        if (!kept || c->remote[i] != c->remote[kept - 1]) c->remote[kept++] = c->remote[i];
    c->remotes = kept;
}

/* A node has many links: repeats go whenever the room is full, which grows where most of it is in use still. */
static int remote_add(struct clustering *c, size_t *room, uint64_t id, struct err *err)
{
    if (c->remotes == *room) {
        remotes_settle(c);
        if (c->remotes >= *room / 2) {
            size_t    more = *room ? 2 * *room : REMOTES_LEAST;
            uint64_t *grown = realloc(c->remote, more * sizeof *grown);

            if (!grown) return err_memory(err, more * sizeof *grown, "neighbours on other ranks");
            c->remote = grown;
            *room = more;
        }
    }
    c->remote[c->remotes++] = id;
    return 0;
}

static int remotes_collect(struct clustering *c, struct err *err)
{
    struct dedup_state *s = c->state;
    size_t              room = 0;

    if (s->ranks == 1) return 0;
    for (uint32_t b = 0; b < c->own.blocks; b++) {
        for (size_t i = 0; i < c->own.block[b].count; i++) {
            uint64_t better = c->own.block[b].id[i].better;

            if (better >= s->id_first[s->rank] && better < s->id_first[s->rank + 1]) continue;
            if (remote_add(c, &room, better, err) < 0) return err->code;
        }
        unit_forget(&c->own.block[b].file);
    }
    remotes_settle(c);
    c->known = calloc(c->remotes + 1, sizeof *c->known);
    return c->known ? 0 : err_memory(err, c->remotes * sizeof *c->known, "neighbours on other ranks");
}

static int links_open(struct clustering *c, struct err *err)
{
    struct dedup_state *s = c->state;
    int                 rc = own_links_open(s, &c->own, err);

    for (uint32_t b = 0; b < c->own.blocks && rc == 0; b++) {
        s->job->stats.candidates += c->own.block[b].candidates;
        s->job->stats.verified += c->own.block[b].count;
    }
    return rc < 0 ? rc : remotes_collect(c, err);
}

static void links_close(struct clustering *c)
{
    own_links_close(&c->own);
    free(c->fate);
    free(c->remote);
    free(c->known);
}

/* What is known of an id: the array of this rank's ids, or what its owner said last. */
static uint64_t remote_known(const struct clustering *c, uint64_t id)
{
    size_t low = 0, high = c->remotes;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (c->remote[middle] <= id) low = middle;
        else high = middle;
    }
    return c->known[low];
}

static bool is_own(const struct dedup_state *s, uint64_t id)
{
    return id >= s->id_first[s->rank] && id < s->id_first[s->rank + 1];
}

/* ---- star ---- */

static unsigned char fate_of(const struct clustering *c, uint64_t id)
{
    return is_own(c->state, id) ? c->fate[id - c->state->id_first[c->state->rank]] : (unsigned char)remote_known(c, id);
}

/* Links [from, to) are those of one worse node.  Decides it when that can be done. */
static void node_decide(struct clustering *c, const struct links *links, size_t from, size_t to)
{
    struct dedup_state *s = c->state;
    uint64_t            own = links->id[from].worse - s->id_first[s->rank];
    bool                waits = false;

    if (c->fate[own] != UNDECIDED) return;
    /* better ends ascend: the first that stays is the best, unless a better one waits */
    for (size_t i = from; i < to; i++) {
        unsigned char fate = fate_of(c, links->id[i].better);

        if (fate == UNDECIDED) waits = true;
        if (waits || fate != STAYS) continue;
        packed_set(&s->canonical, own, links->id[i].better);
        c->fate[own] = GOES;
        return;
    }
    if (!waits) c->fate[own] = STAYS;
}

static uint64_t answer_fate(void *context, uint64_t id)
{
    const struct clustering *c = context;

    return c->fate[id - c->state->id_first[c->state->rank]];
}

static uint64_t nodes_sweep(struct clustering *c)
{
    uint64_t undecided = 0;

    for (uint32_t b = 0; b < c->own.blocks; b++) {
        const struct links *links = &c->own.block[b];

        for (size_t from = 0, to; from < links->count; from = to) {
            for (to = from + 1; to < links->count && links->id[to].worse == links->id[from].worse; to++) continue;
            node_decide(c, links, from, to);
            undecided += c->fate[links->id[from].worse - c->state->id_first[c->state->rank]] == UNDECIDED;
        }
        unit_forget(&links->file);
    }
    return undecided;
}

static int star_make(struct clustering *c, struct err *err)
{
    struct dedup_state *s = c->state;
    uint64_t            undecided, before = UINT64_MAX;

    memset(c->fate, STAYS, own_ids(s));
    for (uint32_t b = 0; b < c->own.blocks; b++) {
        for (size_t i = 0; i < c->own.block[b].count; i++) {
            const uint64_t worse = c->own.block[b].id[i].worse;

            if (!is_protected(s, own_place(s, worse))) c->fate[worse - s->id_first[s->rank]] = UNDECIDED;
        }
        unit_forget(&c->own.block[b].file);
    }
    for (;;) {
        int rc = s->ranks == 1 ? 0 : ask(s->job->run->comm, s->id_first, c->remote, c->known, c->remotes, answer_fate,
                                         c,
                                         err);

        if (rc < 0) return rc;
        undecided = nodes_sweep(c);
        comm_sum(s->job->run->comm, &undecided, 1);
        if (undecided == 0) return 0;
        if (undecided >= before)
            return err_set(err, -EPROTO, "clusters do not settle: %llu documents stay undecided",
                           (unsigned long long)undecided);
        before = undecided;
    }
}

/* ---- component ---- */

struct label_told { uint64_t id, label; };

static int take_labels(void *context, const void *message, size_t count, struct err *err)
{
    struct clustering       *c = context;
    const struct label_told *told = message;

    (void)err;
    for (size_t i = 0; i < count; i++)
        if (told[i].label < own_canonical(c->state, told[i].id))
            own_canonical_set(c->state, told[i].id, told[i].label);
    return 0;
}

static uint64_t answer_label(void *context, uint64_t id)
{
    const struct clustering *c = context;

    return own_canonical(c->state, id);
}

static int label_post(struct clustering *c, struct mail *mail, uint64_t id, uint64_t label)
{
    struct label_told told = { id, label };

    if (label >= id) return 0;
    if (is_own(c->state, id)) return take_labels(c, &told, 1, NULL);
    return mail_post(mail, share_owner(c->state->id_first, c->state->ranks, id), &told);
}

static int labels_meet(struct clustering *c, struct mail *mail, const struct link_ids *id)
{
    struct dedup_state *s = c->state;
    uint64_t            worse = own_canonical(s, id->worse);
    uint64_t            better = is_own(s, id->better) ? own_canonical(s, id->better) : remote_known(c, id->better);
    uint64_t            label = worse < better ? worse : better;

    if (worse == better) return 0;
    if (label_post(c, mail, id->worse, label) < 0 || label_post(c, mail, id->better, label) < 0) return -ENOMEM;
    return label_post(c, mail, worse, label) < 0 || label_post(c, mail, better, label) < 0 ? -ENOMEM : 0;
}

/* Own ids take the label of another, where that is not themselves; a slice of them at a time. */
static int labels_take(struct clustering *c, uint64_t (*whose)(const struct dedup_state *state, uint64_t id),
                       struct err *err)
{
    struct dedup_state *s = c->state;
    /* all that ranks ask for may be one rank's to answer */
    const uint64_t      fit = run_memory_share(s->job->run) / LABELS_PART / (3 * sizeof(uint64_t)),
        share = (fit < LABELS_MOST ? fit : LABELS_MOST) / (uint64_t)s->ranks,
        most = share < LABELS_LEAST ? LABELS_LEAST : share;
    uint64_t            next = s->id_first[s->rank], end = s->id_first[s->rank + 1], going = 1,
        *id = malloc(most * 3 * sizeof *id), *other = id + most, *label = other + most;
    int                 rc = comm_agree(s->job->run->comm,
                                        id ? 0 : err_memory(err, most * 3 * sizeof *id, "labels"), err);

    while (rc == 0 && going) {
        size_t count = 0;

        for (; next < end && count < most; next++) {
            id[count] = next;
            other[count] = whose(s, next);
            count += other[count] != next;
        }
        rc = ask(s->job->run->comm, s->id_first, other, label, count, answer_label, c, err);
        for (size_t i = 0; i < count && rc == 0; i++) own_canonical_set(s, id[i], label[i]);
        going = next < end;
        if (rc == 0) comm_sum(s->job->run->comm, &going, 1);
    }
    free(id);
    return rc;
}

/* One look at all links; *different: some link's ends do not agree yet. */
static int labels_round(struct clustering *c, struct mail *mail, bool *different, struct err *err)
{
    struct dedup_state *s = c->state;
    uint32_t            b = 0;
    size_t              i = 0;
    int                 rc = 0;

    *different = false;
    do {
        for (; b < c->own.blocks && rc == 0 && mail->posted < CLUSTERS_ROUND; b++, i = 0) {
            for (; i < c->own.block[b].count && rc == 0; i++) {
                const struct link_ids *id = &c->own.block[b].id[i];
                uint64_t better = is_own(s, id->better) ? own_canonical(s, id->better) : remote_known(c, id->better);

                if (own_canonical(s, id->worse) == better) continue;
                *different = true;
                if (labels_meet(c, mail, id) < 0) rc = err_memory(err, sizeof(struct label_told), "labels");
            }
            unit_forget(&c->own.block[b].file);
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = mail_deliver(mail, b < c->own.blocks, take_labels, c, err);
    } while (rc > 0 && (rc = 0, true));
    return rc;
}

/* Every label becomes its own label. */
static int labels_jump(struct clustering *c, struct err *err) { return labels_take(c, own_canonical, err); }

static int component_make(struct clustering *c, struct err *err)
{
    struct dedup_state *s = c->state;
    struct mail         mail = { 0 };
    int                 rc = mail_open(&mail, s->job->run->comm, sizeof(struct label_told), err);

    while (rc == 0) {
        bool     different = false;
        uint64_t any;

        if (s->ranks > 1)
            rc = ask(s->job->run->comm, s->id_first, c->remote, c->known, c->remotes, answer_label, c, err);
        if (rc == 0) rc = labels_round(c, &mail, &different, err);
        if (rc < 0) break;
        any = different;
        comm_sum(s->job->run->comm, &any, 1);
        /* every link has one label at both ends: that is what a component is */
        if (!any) break;
        rc = labels_jump(c, err);
    }
    mail_close(&mail);
    return rc;
}

/* ---- from nodes to documents ---- */

/* A document goes with the one that stands for its class. */
static int members_follow(struct clustering *c, struct err *err) { return labels_take(c, own_representative, err); }

static int take_sizes(void *context, const void *message, size_t count, struct err *err)
{
    struct clustering *c = context;
    const uint64_t    *canonical = message;

    (void)err;
    for (size_t i = 0; i < count; i++) c->state->size[canonical[i] - c->state->id_first[c->state->rank]]++;
    return 0;
}

static int sizes_count(struct clustering *c, struct err *err)
{
    struct dedup_state *s = c->state;
    struct mail         mail = { 0 };
    uint64_t            i = 0, count = own_ids(s), first = s->id_first[s->rank];
    int                 rc = mail_open(&mail, s->job->run->comm, sizeof(uint64_t), err);

    for (uint64_t k = 0; k < count; k++) s->size[k] = 1;
    while (rc == 0) {
        for (; i < count && rc == 0 && mail.posted < CLUSTERS_ROUND; i++) {
            const uint64_t canonical = packed_get(&s->canonical, i);

            if (canonical == first + i) continue;
            if (is_own(s, canonical)) s->size[canonical - first]++;
            else if (mail_post(&mail, share_owner(s->id_first, s->ranks, canonical), &canonical) < 0)
                rc = err_memory(err, sizeof canonical, "sizes");
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = mail_deliver(&mail, i < count, take_sizes, c, err);
        if (rc <= 0) break;
        rc = 0;
    }
    mail_close(&mail);
    return rc;
}

/* Where most of it is held: before clusters are made, or now. */
static uint64_t state_bytes(const struct dedup_state *s)
{
    const uint64_t before = PACKED_BYTES * (own_ordinals(s) + 2 * own_ids(s)),
        now = own_ids(s) * (3 * PACKED_BYTES + sizeof *s->size + sizeof(unsigned char));

    return before > now ? before : now;
}

int clusters_make(struct dedup_state *s, struct err *err)
{
    struct clustering c = { .state = s, .fate = calloc(own_ids(s) + 1, 1) };
    int               rc = 0;

    packed_free(&s->id_of);                                 /* nobody asks for an id by ordinal from here on */
    s->size = calloc(own_ids(s) + 1, sizeof *s->size);
    if (!c.fate || !s->size || packed_open(&s->canonical, own_ids(s)) < 0)
        rc = err_memory(err, own_ids(s) * (PACKED_BYTES + sizeof *s->size + 1), "clusters");
    s->job->stats.state_bytes = state_bytes(s);
    if (rc == 0) rc = links_open(&c, err);
    for (uint64_t i = 0; i < own_ids(s) && rc == 0; i++) packed_set(&s->canonical, i, s->id_first[s->rank] + i);
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = s->job->options->cluster == DEDUP_STAR ? star_make(&c, err) : component_make(&c, err);
    if (rc == 0) rc = members_follow(&c, err);
    if (rc == 0) rc = sizes_count(&c, err);
    links_close(&c);
    for (uint64_t i = 0; i < own_ids(s) && rc == 0; i++) {
        if (s->size[i] > 1) s->job->stats.clusters++;
        if (s->size[i] > s->job->stats.largest_cluster) s->job->stats.largest_cluster = s->size[i];
    }
    return rc;
}
