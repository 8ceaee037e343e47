/* dedup/neighbours.c -- a random sample joined exactly with everything: of the pairs that are there, how many did the
 * run find?
 *
 * The sample is drawn by hashes of texts, so it is nobody's choice and the same everywhere.  Every rank has all of it,
 * looks up each feature of each of its documents among the rarest of the sample, decides as verification does, and asks
 * the owner of the links. */
#include "dedup/candidates.h"
#include "base/search.h"
#include "dedup/fetch.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>

/* before the features and, if counted, their occurrences */
struct sample_head { uint64_t id, ordinal; uint32_t distinct, total, counted, spare; };

struct sampling {
    struct dedup_state *state;
    struct bytes        all;                                /* heads and features of all sampled documents */
    struct fetched     *sample;
    uint64_t           *id;                                 /* [count] */
    size_t              count;
    struct sort_item   *post;                               /* [posts] key: feature, value: sample; sorted */
    size_t              posts;
    uint64_t           *filter;                             /* a bit a feature's high bits */
    unsigned            filter_shift;
    uint64_t            below;                              /* a document is in the sample when its spread hash is */
    /* mapped; between two rounds of questions they are left to the cache */
    struct own_links    links;
};

/* Between two looks at what there is: the most documents compared, fewer where as many pairs could be among them, but
 * some for each of many threads; pairs posted. */
enum { NEIGHBOURS_STEP = 4096, NEIGHBOURS_LEAST = 256, NEIGHBOURS_POSTED = 1 << 19 };

static uint64_t sampling_step(const struct sampling *m)
{
    const uint64_t step = NEIGHBOURS_POSTED / (m->count + 1);

    return step < NEIGHBOURS_LEAST ? NEIGHBOURS_LEAST : step > NEIGHBOURS_STEP ? NEIGHBOURS_STEP : step;
}

/* ---- drawing ---- */

static uint64_t spread(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static bool is_sampled(const struct sampling *m, const struct dedup_row *row)
{
    return spread(row->raw.low) < m->below;
}

static int unit_draw(struct sampling *m, size_t u, struct bytes *mine, struct err *err)
{
    struct dedup_state *s = m->state;
    struct column_unit  columns;
    uint64_t            first = s->catalogue.unit[u].first;
    int                 rc = state_unit(s, u, &columns, err);

    for (uint64_t i = 0; rc == 0 && i < s->catalogue.unit[u].documents; i++) {
        const struct dedup_row *row = columns_row(&columns, i, NULL);
        uint64_t                id = own_id_of(s, first + i);
        struct column_features  f;
        struct sample_head      head;

        if ((id & ID_COPY) || !row->admitted || !is_sampled(m, row)) continue;
        f = columns_features(&columns, i);
        head = (struct sample_head){ id, first + i, f.distinct, f.total, f.count != NULL, 0 };
        if (bytes_append(mine, &head, sizeof head) < 0 || bytes_append(mine, f.hash, f.distinct * sizeof *f.hash) < 0 ||
            (f.count && (bytes_append(mine, f.count, f.distinct * sizeof *f.count) < 0 ||
                         bytes_append(mine, &head.spare, f.distinct % 2 * sizeof head.spare) < 0)))
            rc = err_memory(err, f.distinct * 12ull, "a sample");
    }
    columns_close(&columns);
    return rc;
}

static int sample_draw(struct sampling *m, struct err *err)
{
    struct dedup_state *s = m->state;
    struct bytes        mine = { 0 };
    uint64_t            classes = s->job->stats.classes, *sizes = calloc((size_t)s->ranks, sizeof *sizes);
    int                 rc = sizes ? 0 : err_memory(err, (size_t)s->ranks * 8, "a sample");

    comm_sum(s->job->run->comm, &classes, 1);
    m->below = classes > s->job->options->measure ? UINT64_MAX / classes * s->job->options->measure : UINT64_MAX;
    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1] && rc == 0; u++)
        rc = unit_draw(m, u, &mine, err);
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = comm_gather(s->job->run->comm, &mine, &m->all, sizes, err);
    if (rc == 0) rc = comm_broadcast(s->job->run->comm, &m->all, err);
    bytes_free(&mine);
    free(sizes);
    return rc;
}

/* Of each sampled document the features that are rarest in the sample stay, as many as a prefix has: a document that is
 * similar enough has one of them.  Without this a licence that half of all files begin with would be met by half of all
 * files times the sample. */
static int posts_thin(struct sampling *m, struct err *err)
{
    struct sort_item *rare = malloc((m->posts + 1) * sizeof *rare), *spare = malloc((m->posts + 1) * sizeof *spare);
    uint32_t         *taken = calloc(m->count + 1, sizeof *taken);
    bool             *stays = calloc(m->posts + 1, sizeof *stays);
    size_t            kept = 0;
    int               rc = rare && spare && taken && stays ? 0 : err_memory(err, m->posts * 33, "a sample");

    for (size_t from = 0, to; from < m->posts && rc == 0; from = to) {
        for (to = from + 1; to < m->posts && m->post[to].key == m->post[from].key; to++) continue;
        for (size_t p = from; p < to; p++) rare[p] = (struct sort_item){ to - from, p };
    }
    if (rc == 0) sort_items(rare, spare, m->posts);
    for (size_t i = 0; i < m->posts && rc == 0; i++) {
        size_t sample = m->post[rare[i].value].value;

        stays[rare[i].value] = taken[sample]++ < prefix_length(m->state->job->options->threshold,
                                                               m->sample[sample].features.distinct);
    }
    for (size_t p = 0; p < m->posts && rc == 0; p++)
        if (stays[p]) m->post[kept++] = m->post[p];
    if (rc == 0) m->posts = kept;
    free(rare);
    free(spare);
    free(taken);
    free(stays);
    return rc;
}

/* Where each sampled document begins, and which have a feature. */
static int sample_index(struct sampling *m, struct err *err)
{
    struct sort_item *spare;
    size_t            features = 0;
    unsigned          bits = 10;

    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;

        m->posts = 0;
        for (size_t at = 0; at < m->all.len;) {
            const struct sample_head *head = (const struct sample_head *)(const void *)(m->all.at + at);
            const uint64_t           *hash = (const uint64_t *)(const void *)(m->all.at + at + sizeof *head);

            if (pass) {
                m->id[count] = head->id;
                m->sample[count] = (struct fetched){ head->ordinal,
                                                     { hash, head->counted ? (const uint32_t *)(hash + head->distinct)
                                                       : NULL, head->distinct, head->total } };
                for (uint32_t f = 0; f < head->distinct; f++)
                    m->post[m->posts + f] = (struct sort_item){ hash[f], count };
            }
            m->posts += head->distinct;
            count++;
            at += sizeof *head + head->distinct * sizeof *hash + (head->counted ? (head->distinct + 1ull) / 2 * 8 : 0);
        }
        if (pass) break;
        m->count = count;
        features = m->posts;
        while (bits < 26 && 1ull << bits < 16 * features) bits++;
        m->filter_shift = 64 - bits;
        m->sample = malloc((count + 1) * sizeof *m->sample);
        m->id = malloc((count + 1) * sizeof *m->id);
        m->post = malloc((features + 1) * sizeof *m->post);
        m->filter = calloc((1ull << bits) / 64, sizeof *m->filter);
        if (!m->sample || !m->id || !m->post || !m->filter)
            return err_memory(err, features * sizeof *m->post, "a sample");
    }
    spare = malloc((features + 1) * sizeof *spare);
    if (!spare) return err_memory(err, features * sizeof *spare, "a sample");
    sort_items(m->post, spare, features);
    free(spare);
    if (!m->state->job->options->containment.den && posts_thin(m, err) < 0) return err->code;
    for (size_t p = 0; p < m->posts; p++)
        m->filter[m->post[p].key >> m->filter_shift >> 6] |= 1ull << (m->post[p].key >> m->filter_shift & 63);
    return 0;
}

/* ---- comparing ---- */

/* one a thread; met[count] false between documents */
struct comparer { bool *met; uint32_t *touched; struct bytes found; };

static size_t post_find(const struct sampling *m, uint64_t feature)
{
    return search_u64(m->post, sizeof *m->post, offsetof(struct sort_item, key), 0, m->posts, feature);
}

/* sampled: the document is in the sample too.  Then a pair counts where its worse document is compared, once. */
static int document_compare(const struct sampling *m, struct comparer *c, struct fetched document, uint64_t id,
                            bool sampled)
{
    size_t touched = 0;
    int    rc = 0;

    for (uint32_t f = 0; f < document.features.distinct; f++) {
        uint64_t feature = document.features.hash[f], bit = feature >> m->filter_shift;

        if (!(m->filter[bit >> 6] >> (bit & 63) & 1)) continue;
        for (size_t p = post_find(m, feature); p < m->posts && m->post[p].key == feature; p++) {
            uint32_t with = (uint32_t)m->post[p].value;

            if (!c->met[with]) c->touched[touched++] = with;
            c->met[with] = true;
        }
    }
    for (size_t t = 0; t < touched; t++) {
        size_t            with = c->touched[t];
        bool              worse = id > m->id[with];
        struct link_ids   ids = { worse ? id : m->id[with], worse ? m->id[with] : id };
        struct dedup_link link;

        c->met[with] = false;
        if (id == m->id[with] || (sampled && !worse) || rc < 0) continue;
        if (pair_decide(m->state->job->options, worse ? document : m->sample[with], worse ? m->sample[with] : document,
                        &link) &&
            bytes_append(&c->found, &ids, sizeof ids) < 0) rc = -ENOMEM;
    }
    return rc;
}

/* Documents [from, to) of a unit. */
static int range_compare(const struct sampling *m, const struct catalogue_unit *unit, const struct column_unit *columns,
                         uint64_t from, uint64_t to,
                         struct comparer *comparer, struct err *err)
{
    struct dedup_state *s = m->state;
    int                 failed = 0;

#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 64)
    for (uint64_t i = from; i < to; i++) {
        const struct dedup_row *row = columns_row(columns, i, NULL);
        struct fetched          document = { unit->first + i, { 0 } };
        const uint64_t          id = own_id_of(s, unit->first + i);

        if ((id & ID_COPY) || !row->admitted) continue;
        document.features = columns_features(columns, i);
        if (document_compare(m, &comparer[omp_get_thread_num()], document, id, is_sampled(m, row)) < 0)
            __atomic_store_n(&failed, 1, __ATOMIC_RELAXED);
    }
    return failed ? err_memory(err, sizeof(struct link_ids), "pairs of the sample") : 0;
}

/* ---- asking ---- */

static int take_pairs(void *context, const void *message, size_t count, struct err *err)
{
    struct sampling       *m = context;
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

static int found_post(const struct sampling *m, struct comparer *comparer, struct mail *mail, struct err *err)
{
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
static int units_compare(struct sampling *m, struct comparer *comparer, struct err *err)
{
    struct dedup_state *s = m->state;
    struct column_unit  columns = { 0 };
    struct mail         mail = { 0 };
    size_t              u = s->unit_first[s->rank], end = s->unit_first[s->rank + 1];
    uint64_t            at = 0, step = sampling_step(m);
    int                 rc = mail_open(&mail, s->job->run->comm, sizeof(struct link_ids), err);

    while (rc == 0) {
        while (u < end && rc == 0 && mail.posted < NEIGHBOURS_POSTED) {
            const struct catalogue_unit *unit = &s->catalogue.unit[u];
            uint64_t                     to = unit->documents - at < step ? unit->documents : at + step;

            if (!columns.part_first) rc = state_unit(s, u, &columns, err);
            if (rc == 0) rc = range_compare(m, unit, &columns, at, to, comparer, err);
            if (rc == 0) rc = found_post(m, comparer, &mail, err);
            at = to;
            if (at < unit->documents) continue;
            columns_close(&columns);
            at = 0;
            u++;
        }
        rc = comm_agree(s->job->run->comm, rc, err);
        if (rc == 0) rc = mail_deliver(&mail, u < end, take_pairs, m, err);
        if (rc <= 0) break;
        rc = 0;
    }
    columns_close(&columns);
    mail_close(&mail);
    return rc;
}

int neighbours_measure(struct dedup_state *s, struct err *err)
{
    struct sampling  m = { .state = s };
    struct comparer *comparer = calloc((size_t)s->threads, sizeof *comparer);
    int              rc = comm_agree(s->job->run->comm, comparer ? 0
                                     : err_memory(err, (size_t)s->threads * sizeof *comparer, "a sample"), err);

    if (rc == 0) rc = sample_draw(&m, err);
    if (rc == 0) rc = sample_index(&m, err);
    for (int t = 0; t < s->threads && rc == 0; t++) {
        comparer[t].met = calloc(m.count + 1, sizeof *comparer[t].met);
        comparer[t].touched = malloc((m.count + 1) * sizeof *comparer[t].touched);
        if (!comparer[t].met || !comparer[t].touched) rc = err_memory(err, m.count * 8, "a sample");
    }
    if (rc == 0) rc = own_links_open(s, &m.links, err);
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = units_compare(&m, comparer, err);
    if (s->rank == 0) s->job->stats.sample_documents = m.count;
    for (int t = 0; comparer && t < s->threads; t++) {
        free(comparer[t].met);
        free(comparer[t].touched);
        bytes_free(&comparer[t].found);
    }
    free(comparer);
    bytes_free(&m.all);
    free(m.sample);
    free(m.id);
    free(m.post);
    free(m.filter);
    own_links_close(&m.links);
    return rc;
}
