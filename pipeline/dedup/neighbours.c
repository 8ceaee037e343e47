/* dedup/neighbours.c -- a random sample joined exactly with everything: of the pairs that are there, how many did the
 * run find?
 *
 * The sample is drawn by hashes of texts, so it is nobody's choice and the same everywhere.  Every rank has the
 * sketches of all of it, by which it finds the documents that may be similar to one; where there are no sketches, they
 * are all the features.  This is done twice: before features are made, to say of which documents, and after all links
 * are, when what may be similar is decided as verification does, and the owner of the links is asked. */
#include "dedup/candidates.h"
#include "base/search.h"
#include "dedup/fetch.h"
#include "dedup/gather.h"
#include "dedup/wanted.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>

/* before the values and, if counted, their occurrences; values: of the sketch, then of the features */
struct sample_head { uint64_t id, ordinal; uint32_t distinct, total, counted, spare; };

struct neighbours {
    struct dedup_state *state;
    struct bytes        sketches, features;                 /* heads and values of all sampled documents */
    struct sketch      *sketch;                             /* [count] */
    struct fetched     *sample;
    uint64_t           *id, *ordinal, *met;                 /* met: not 0 when another document may be similar to it */
    size_t              count;
    struct sort_item   *post;                               /* [posts] key: feature, value: sample; sorted */
    size_t              posts;
    uint64_t           *filter;                             /* bits of spread features: they are small as they come */
    unsigned            filter_shift;
    struct comparer    *comparer;                           /* [threads] */
    uint64_t            below;                              /* a document is in the sample when its spread hash is */
    /* mapped; between two rounds of questions they are left to the cache */
    struct own_links    links;
};

/* Between two looks at what there is: the most documents compared, fewer where as many pairs could be among them, but
 * some for each of many threads; pairs posted. */
enum { NEIGHBOURS_STEP = 4096, NEIGHBOURS_LEAST = 256, NEIGHBOURS_POSTED = 1 << 19 };

static uint64_t sampling_step(const struct neighbours *m)
{
    const uint64_t step = NEIGHBOURS_POSTED / (m->count + 1);

    return step < NEIGHBOURS_LEAST ? NEIGHBOURS_LEAST : step > NEIGHBOURS_STEP ? NEIGHBOURS_STEP : step;
}

/* ---- what is compared ---- */

/* A unit whose documents are compared: those of its columns, or, as all that may be similar to one is wanted, those
 * that were gathered of it. */
struct compared { struct column_unit columns; struct features gathered; uint64_t count; };

static int compared_open(struct dedup_state *s, size_t u, struct compared *out, struct err *err)
{
    int rc = state_unit(s, u, &out->columns, err);

    if (rc == 0 && s->gathered[u].bytes) rc = gather_load(s, u, &out->gathered, err);
    out->count = out->gathered.parts ? features_count(&out->gathered) : s->catalogue.unit[u].documents;
    return rc;
}

static void compared_close(struct compared *c)
{
    columns_close(&c->columns);
    features_close(&c->gathered);
}

/* ---- drawing ---- */

static uint64_t spread(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static bool is_sampled(const struct neighbours *m, const struct dedup_row *row)
{
    return spread(row->raw.low) < m->below;
}

static int sample_append(struct bytes *out, struct sample_head head, const uint64_t *hash, const uint32_t *count)
{
    head.counted = count != NULL;
    if (bytes_append(out, &head, sizeof head) < 0 || bytes_append(out, hash, head.distinct * sizeof *hash) < 0)
        return -ENOMEM;
    if (!count) return 0;
    return bytes_append(out, count, head.distinct * sizeof *count) < 0 ? -ENOMEM
        : bytes_append(out, &head.spare, head.distinct % 2 * sizeof head.spare);
}

static int unit_draw(const struct neighbours *m, size_t u, struct bytes *mine, struct err *err)
{
    struct dedup_state *s = m->state;
    struct column_unit  columns;
    uint64_t            first = s->catalogue.unit[u].first;
    int                 rc = state_unit(s, u, &columns, err);

    for (uint64_t i = 0; rc == 0 && i < s->catalogue.unit[u].documents; i++) {
        const struct dedup_row *row = columns_row(&columns, i, NULL);
        const uint64_t          id = own_id_of(s, first + i);
        struct sketch           sketch;

        if ((id & ID_COPY) || !row->admitted || !is_sampled(m, row)) continue;
        sketch = columns_sketch(&columns, i);
        if (sample_append(mine, (struct sample_head){ id, first + i, (uint32_t)sketch.count, 0, 0, 0 }, sketch.hash,
                          NULL) < 0)
            rc = err_memory(err, sketch.count * 8ull, "a sample");
    }
    columns_close(&columns);
    return rc;
}

/* The features of those that were drawn of a unit: where they were gathered, of those that may be similar to another
 * document; the others are not compared. */
static int unit_features(const struct neighbours *m, size_t u, struct bytes *mine, struct err *err)
{
    struct dedup_state          *s = m->state;
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    struct compared              of = { .count = 0 };
    size_t                       k = search_u64(m->ordinal, sizeof *m->ordinal, 0, 0, m->count, unit->first);
    int                          rc = 0;

    if (k == m->count || m->ordinal[k] >= unit->first + unit->documents) return 0;
    rc = compared_open(s, u, &of, err);
    for (; rc == 0 && k < m->count && m->ordinal[k] < unit->first + unit->documents; k++) {
        const struct column_features f = gather_features(&of.gathered, &of.columns, m->ordinal[k] - unit->first);

        if (sample_append(mine, (struct sample_head){ m->id[k], m->ordinal[k], f.distinct, f.total, 0, 0 }, f.hash,
                          f.count) < 0)
            rc = err_memory(err, f.distinct * 12ull, "a sample");
    }
    compared_close(&of);
    return rc;
}

/* The sketches of all sampled documents, or their features: of every rank, on every rank, in one order. */
static int sample_gather(struct neighbours *m, bool sketches, struct bytes *all, struct err *err)
{
    struct dedup_state *s = m->state;
    struct bytes        mine = { 0 };
    uint64_t           *sizes = calloc((size_t)s->ranks, sizeof *sizes);
    int                 rc = sizes ? 0 : err_memory(err, (size_t)s->ranks * 8, "a sample");

    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1] && rc == 0; u++)
        rc = sketches ? unit_draw(m, u, &mine, err) : unit_features(m, u, &mine, err);
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = comm_gather(s->job->run->comm, &mine, all, sizes, err);
    if (rc == 0) rc = comm_broadcast(s->job->run->comm, all, err);
    bytes_free(&mine);
    free(sizes);
    return rc;
}

/* The next of what was gathered; *at goes on behind it. */
static struct column_features sample_next(const struct bytes *all, size_t *at, const struct sample_head **head)
{
    const uint64_t *hash;

    *head = (const struct sample_head *)(const void *)(all->at + *at);
    hash = (const uint64_t *)(const void *)(*head + 1);
    *at += sizeof **head + (*head)->distinct * sizeof *hash +
        ((*head)->counted ? ((*head)->distinct + 1ull) / 2 * 8 : 0);
    return (struct column_features){ hash, (*head)->counted ? (const uint32_t *)(hash + (*head)->distinct) : NULL,
                                     (*head)->distinct, (*head)->total };
}

static uint64_t filter_bit(const struct neighbours *m, uint64_t feature)
{
    return feature * 0x9e3779b97f4a7c15ull >> m->filter_shift;
}

/* Room for as many documents and features of their sketches as were gathered. */
static int index_reserve(struct neighbours *m, struct err *err)
{
    const struct sample_head *head;
    size_t                    features = 0;
    unsigned                  bits = 10;

    m->count = 0;
    for (size_t at = 0; at < m->sketches.len; m->count++) features += sample_next(&m->sketches, &at, &head).distinct;
    while (bits < 26 && 1ull << bits < 16 * features) bits++;
    m->filter_shift = 64 - bits;
    m->sketch = malloc((m->count + 1) * sizeof *m->sketch);
    m->sample = calloc(m->count + 1, sizeof *m->sample);
    m->id = malloc((m->count + 1) * sizeof *m->id);
    m->ordinal = malloc((m->count + 1) * sizeof *m->ordinal);
    m->met = calloc(m->count + 1, sizeof *m->met);
    m->post = malloc((features + 1) * sizeof *m->post);
    m->filter = calloc((1ull << bits) / 64, sizeof *m->filter);
    return m->sketch && m->sample && m->id && m->ordinal && m->met && m->post && m->filter ? 0
        : err_memory(err, features * sizeof *m->post, "a sample");
}

/* Where each sampled document's sketch begins, and which have a feature. */
static int sample_index(struct neighbours *m, struct err *err)
{
    struct sort_item *spare;
    size_t            count = 0;

    if (index_reserve(m, err) < 0) return err->code;
    m->posts = 0;
    for (size_t at = 0; at < m->sketches.len; count++) {
        const struct sample_head    *head;
        const struct column_features f = sample_next(&m->sketches, &at, &head);

        m->id[count] = head->id;
        m->ordinal[count] = head->ordinal;
        m->sketch[count] = (struct sketch){ f.hash, f.distinct };
        for (uint32_t i = 0; i < f.distinct; i++) m->post[m->posts++] = (struct sort_item){ f.hash[i], count };
    }
    spare = malloc((m->posts + 1) * sizeof *spare);
    if (!spare) return err_memory(err, m->posts * sizeof *spare, "a sample");
    sort_items(m->post, spare, m->posts);
    free(spare);
    for (size_t p = 0; p < m->posts; p++) {
        const uint64_t bit = filter_bit(m, m->post[p].key);

        m->filter[bit >> 6] |= 1ull << (bit & 63);
    }
    return 0;
}

/* The features of the sampled documents, once they are made. */
static int sample_features(struct neighbours *m, struct err *err)
{
    size_t count = 0;
    int    rc = sample_gather(m, false, &m->features, err);

    for (size_t at = 0; rc == 0 && at < m->features.len; count++) {
        const struct sample_head    *head;
        const struct column_features f = sample_next(&m->features, &at, &head);

        m->sample[count] = (struct fetched){ head->ordinal, f };
    }
    return rc;
}

/* ---- comparing ---- */

/* one a thread; met: [count] features in common, 0 between documents; touched: the sampled ones that a document may be
 * similar to */
struct comparer { uint32_t *met, *touched; struct bytes found; };

static size_t post_find(const struct neighbours *m, uint64_t feature)
{
    return search_u64(m->post, sizeof *m->post, offsetof(struct sort_item, key), 0, m->posts, feature);
}

/* How many there are in c->touched of a document of this sketch. */
static size_t document_meet(const struct neighbours *m, struct comparer *c, struct sketch_plan plan,
                            struct sketch sketch)
{
    size_t touched = 0, kept = 0;

    for (size_t f = 0; f < sketch.count; f++) {
        const uint64_t feature = sketch.hash[f], bit = filter_bit(m, feature);

        if (!(m->filter[bit >> 6] >> (bit & 63) & 1)) continue;
        for (size_t p = post_find(m, feature); p < m->posts && m->post[p].key == feature; p++) {
            uint32_t with = (uint32_t)m->post[p].value;

            if (!c->met[with]++) c->touched[touched++] = with;
        }
    }
    /* what is among the smallest of both is in common; of what is smaller than a sketch, anything may do */
    for (size_t t = 0; t < touched; t++) {
        const uint32_t with = c->touched[t], met = c->met[with];

        c->met[with] = 0;
        if (met < plan.least && sketch.count >= plan.size) continue;
        if (sketch_may_match(plan, sketch.hash, sketch.count, m->sketch[with].hash, m->sketch[with].count))
            c->touched[kept++] = with;
    }
    return kept;
}

/* sampled: the document is in the sample too.  Then a pair counts where its worse document is compared, once. */
static int document_compare(const struct neighbours *m, struct comparer *c, size_t touched, struct fetched document,
                            uint64_t id, bool sampled)
{
    int rc = 0;

    for (size_t t = 0; t < touched && rc == 0; t++) {
        size_t            with = c->touched[t];
        bool              worse = id > m->id[with];
        struct link_ids   ids = { worse ? id : m->id[with], worse ? m->id[with] : id };
        struct dedup_link link;

        if (id == m->id[with] || (sampled && !worse)) continue;
        if (pair_decide(m->state->job->options, worse ? document : m->sample[with], worse ? m->sample[with] : document,
                        &link) &&
            bytes_append(&c->found, &ids, sizeof ids) < 0) rc = -ENOMEM;
    }
    return rc;
}

/* A document that may be similar to others of the sample is wanted, and these are.  The sampled one that it is itself
 * does not count. */
static void document_want(struct neighbours *m, const struct comparer *c, size_t touched, uint64_t ordinal, uint64_t id,
                          struct wanted *wanted)
{
    for (size_t t = 0; t < touched; t++) {
        if (m->id[c->touched[t]] == id) continue;
        wanted_mark(wanted, ordinal);
        __atomic_store_n(&m->met[c->touched[t]], 1, __ATOMIC_RELAXED);
    }
}

/* Of the documents of a unit those that are wanted. */
static void unit_want(struct neighbours *m, const struct catalogue_unit *unit, const struct column_unit *columns,
                      struct wanted *wanted)
{
    const struct dedup_state *s = m->state;

#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 64)
    for (uint64_t i = 0; i < unit->documents; i++) {
        struct comparer *c = &m->comparer[omp_get_thread_num()];
        const uint64_t   id = own_id_of(s, unit->first + i);
        size_t           touched;

        if ((id & ID_COPY) || !columns_row(columns, i, NULL)->admitted) continue;
        touched = document_meet(m, c, columns->brief.sketch, columns_sketch(columns, i));
        document_want(m, c, touched, unit->first + i, id, wanted);
    }
}

/* The index and the sketch of the n-th; false: it is not admitted. */
static bool compared_sketch(const struct compared *of, uint64_t n, uint64_t *i, struct sketch *sketch)
{
    const uint32_t         most = of->columns.brief.sketch.size;
    struct column_features all;

    *i = n;
    if (of->gathered.parts) {
        all = features_at(&of->gathered, n, i);
        *sketch = (struct sketch){ all.hash, most && most < all.distinct ? most : all.distinct };
        return true;
    }
    if (!columns_row(&of->columns, n, NULL)->admitted) return false;
    *sketch = columns_sketch(&of->columns, n);
    return true;
}

static int range_compare(const struct neighbours *m, uint64_t first, const struct compared *unit, uint64_t from,
                         uint64_t to, struct err *err)
{
    const struct dedup_state *s = m->state;
    int                       failed = 0;

#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 64)
    for (uint64_t n = from; n < to; n++) {
        struct comparer *c = &m->comparer[omp_get_thread_num()];
        struct fetched   document;
        struct sketch    sketch;
        uint64_t         i, id;
        size_t           touched;

        if (!compared_sketch(unit, n, &i, &sketch)) continue;
        if ((id = own_id_of(s, first + i)) & ID_COPY) continue;
        if (!(touched = document_meet(m, c, unit->columns.brief.sketch, sketch))) continue;
        document = (struct fetched){ first + i, gather_features(&unit->gathered, &unit->columns, i) };
        if (document_compare(m, c, touched, document, id, is_sampled(m, columns_row(&unit->columns, i, NULL))) < 0)
            __atomic_store_n(&failed, 1, __ATOMIC_RELAXED);
    }
    return failed ? err_memory(err, sizeof(struct link_ids), "pairs of the sample") : 0;
}

/* ---- asking ---- */

static int take_pairs(void *context, const void *message, size_t count, struct err *err)
{
    struct neighbours       *m = context;
    const struct link_ids *asked = message;
    uint64_t               found = 0;

    (void)err;
#pragma omp parallel for num_threads(m->state->threads) schedule(static) reduction(+ : found)
    for (size_t i = 0; i < count; i++) found += own_links_find(m->state, &m->links, asked[i]) != NULL;
    own_links_forget(&m->links);
    m->state->job->stats.sample_pairs += count;
    m->state->job->stats.sample_found += found;
    return 0;
}

static int found_post(const struct neighbours *m, struct mail *mail, struct err *err)
{
    struct comparer          *comparer = m->comparer;
    const struct dedup_state *s = m->state;

    for (int t = 0; t < s->threads; t++) {
        for (size_t i = 0; i < comparer[t].found.len / sizeof(struct link_ids); i++) {
            const struct link_ids *ids = (const struct link_ids *)(const void *)comparer[t].found.at + i;

            if (mail_post(mail, share_owner(s->id_first, s->ranks, ids->worse), ids) < 0)
                return err_memory(err, sizeof *ids, "pairs of the sample");
        }
        comparer[t].found.len = 0;
    }
    return 0;
}

/* A million documents like the sampled ones have a thousand million pairs: they are looked up as they come. */
static int units_compare(struct neighbours *m, struct err *err)
{
    struct dedup_state *s = m->state;
    struct compared     unit = { .count = 0 };
    struct mail         mail = { 0 };
    size_t              u = s->unit_first[s->rank], end = s->unit_first[s->rank + 1];
    uint64_t            at = 0, step = sampling_step(m);
    int                 rc = mail_open(&mail, s->job->run->comm, sizeof(struct link_ids), err);

    while (rc == 0) {
        while (u < end && rc == 0 && mail.posted < NEIGHBOURS_POSTED) {
            uint64_t to;

            if (!unit.columns.part_first) rc = compared_open(s, u, &unit, err);
            to = unit.count - at < step ? unit.count : at + step;
            if (rc == 0) rc = range_compare(m, s->catalogue.unit[u].first, &unit, at, to, err);
            if (rc == 0) rc = found_post(m, &mail, err);
            at = to;
            if (at < unit.count) continue;
            compared_close(&unit);
            at = 0;
            u++;
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = mail_deliver(&mail, u < end, take_pairs, m, err);
        if (rc <= 0) break;
        rc = 0;
    }
    compared_close(&unit);
    mail_close(&mail);
    return rc;
}

/* ---- all of it ---- */

int neighbours_open(struct neighbours **out, struct dedup_state *s, struct err *err)
{
    struct neighbours *m = calloc(1, sizeof *m);
    uint64_t           classes = s->job->stats.classes;
    int                rc = 0;

    *out = m;
    if (m) m->state = s, m->comparer = calloc((size_t)s->threads, sizeof *m->comparer);
    if (!m || !m->comparer) rc = err_memory(err, (size_t)s->threads * sizeof *m->comparer, "a sample");
    if ((rc = comm_agree(s->job->run->comm, rc, err)) < 0) return rc;
    comm_sum(s->job->run->comm, &classes, 1);
    m->below = classes > s->job->options->measure ? UINT64_MAX / classes * s->job->options->measure : UINT64_MAX;
    rc = sample_gather(m, true, &m->sketches, err);
    if (rc == 0) rc = sample_index(m, err);
    for (int t = 0; t < s->threads && rc == 0; t++) {
        m->comparer[t].met = calloc(m->count + 1, sizeof *m->comparer[t].met);
        m->comparer[t].touched = malloc((m->count + 1) * sizeof *m->comparer[t].touched);
        if (!m->comparer[t].met || !m->comparer[t].touched) rc = err_memory(err, m->count * 8, "a sample");
    }
    return comm_agree(s->job->run->comm, rc, err);
}

void neighbours_close(struct neighbours *m)
{
    if (!m) return;
    for (int t = 0; m->comparer && t < m->state->threads; t++) {
        free(m->comparer[t].met);
        free(m->comparer[t].touched);
        bytes_free(&m->comparer[t].found);
    }
    free(m->comparer);
    bytes_free(&m->sketches);
    bytes_free(&m->features);
    free(m->sketch);
    free(m->sample);
    free(m->id);
    free(m->ordinal);
    free(m->met);
    free(m->post);
    free(m->filter);
    own_links_close(&m->links);
    free(m);
}

int neighbours_want(struct neighbours *m, struct wanted *wanted, struct err *err)
{
    struct dedup_state *s = m->state;
    int                 rc = 0;

    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1] && rc == 0; u++) {
        const struct catalogue_unit *unit = &s->catalogue.unit[u];
        struct column_unit           columns;

        rc = state_unit(s, u, &columns, err);
        if (rc == 0) unit_want(m, unit, &columns, wanted);
        columns_close(&columns);
    }
    if ((rc = comm_agree(s->job->run->comm, rc, err)) < 0) return rc;
    comm_sum(s->job->run->comm, m->met, m->count);
    for (size_t i = 0; i < m->count; i++)
        if (m->met[i] && m->ordinal[i] >= s->ordinal_first[s->rank] && m->ordinal[i] < s->ordinal_first[s->rank + 1])
            wanted_mark(wanted, m->ordinal[i]);
    return 0;
}

int neighbours_measure(struct neighbours *m, struct err *err)
{
    struct dedup_state *s = m->state;
    int                 rc = comm_agree(s->job->run->comm, sample_features(m, err), err);

    if (rc == 0) rc = comm_agree(s->job->run->comm, own_links_open(s, &m->links, err), err);
    if (rc == 0) rc = units_compare(m, err);
    if (s->rank == 0) s->job->stats.sample_documents = m->count;
    return rc;
}
