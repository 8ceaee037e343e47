/* dedup/fetch.c -- see fetch.h.  Two hops: the owner of an id knows the ordinal, the owner of an ordinal has the
 * features. */
#include "dedup/fetch.h"

#include "base/search.h"
#include "dedup/gather.h"

#include <errno.h>
#include <stdlib.h>

/* What travels for one document, before its features and, if need be, their occurrences. */
struct fetch_head { uint32_t distinct, total, counted, spare; };

enum { FETCH_MAPPED_PART = 8 };                             /* of memory, for units that are copied from */

int fetch_threads(const struct dedup_state *s, uint64_t largest)
{
    const uint64_t mapped = run_memory_share(s->job->run) / FETCH_MAPPED_PART / (largest + 1) + 1;

    return mapped < (uint64_t)s->threads ? (int)mapped : s->threads;
}

/* Pairs by what memory there is; bytes of features. */
enum { PAIRS_LEAST = 1 << 10, PAIRS_MOST = 1 << 20, PAIRS_BYTES = 512 << 20 };

size_t fetch_pairs(const struct dedup_state *s)
{
    uint64_t document = s->catalogue.documents ? 64 : 1, bytes = 0, held, pairs;

    for (size_t u = 0; u < s->catalogue.count; u++) bytes += s->catalogue.unit[u].bytes;
    bytes -= s->catalogue.documents * sizeof(struct dedup_row);
    if (s->compared) document += s->compared_bytes / s->compared;
    else if (s->catalogue.documents) document += bytes / s->catalogue.documents;
    /* two documents a pair, none of them there twice */
    /* what others asked for is there three times for a moment: as it is made, sent and received */
    held = run_memory_share(s->job->run) / (s->ranks > 1 ? 8 : 4);
    pairs = (held < PAIRS_BYTES ? held : PAIRS_BYTES) / (2 * document);
    return pairs < PAIRS_LEAST ? PAIRS_LEAST : pairs > PAIRS_MOST ? PAIRS_MOST : pairs;
}

/* Opens what own unit u's features lie in. */
static int unit_open(struct fetch *f, size_t u, struct err *err)
{
    struct dedup_state *s = f->state;
    const size_t        own = u - s->unit_first[s->rank];

    return s->gathered[u].bytes ? gather_load(s, u, &f->gathered[own], err) : state_unit(s, u, &f->unit[own], err);
}

static void unit_shut(struct fetch *f, size_t own)
{
    columns_close(&f->unit[own]);
    features_close(&f->gathered[own]);
}

int fetch_open(struct fetch *f, struct dedup_state *s, struct err *err)
{
    size_t   first = s->unit_first[s->rank], units = s->unit_first[s->rank + 1] - first;
    uint64_t bytes = s->own_again_bytes, largest = 0;
    int      rc = 0;

    *f = (struct fetch){ .state = s, .unit = calloc(units + 1, sizeof *f->unit),
                         .gathered = calloc(units + 1, sizeof *f->gathered),
                         .in = calloc((size_t)s->ranks, sizeof *f->in),
                         .answer = calloc(units + 1, sizeof *f->answer),
                         .answer_at = calloc((units + 1) * ((size_t)s->ranks + 1), sizeof *f->answer_at) };
    if (!f->unit || !f->gathered || !f->in || !f->answer || !f->answer_at)
        return err_memory(err, units * sizeof *f->unit, "mapped columns");
    for (size_t u = 0; u < units; u++) {
        const uint64_t gathered = s->gathered[first + u].bytes, own = gathered ? gathered
            : s->catalogue.unit[first + u].bytes;

        bytes += own;
        if (own > largest) largest = own;
    }
    f->threads = fetch_threads(s, largest + s->largest_again);
    f->direct = s->ranks == 1 && gather_is_small(s, bytes);
    for (size_t u = 0; u < units && rc == 0 && f->direct; u++) rc = unit_open(f, first + u, err);
    return rc;
}

void fetch_close(struct fetch *f)
{
    size_t units = f->state ? f->state->unit_first[f->state->rank + 1] - f->state->unit_first[f->state->rank] : 0;

    for (size_t u = 0; f->unit && f->gathered && u < units; u++) unit_shut(f, u);
    for (size_t u = 0; f->answer && u < units; u++) bytes_free(&f->answer[u]);
    for (int r = 0; f->in && r < f->state->ranks; r++) bytes_free(&f->in[r]);
    free(f->unit);
    free(f->gathered);
    free(f->in);
    free(f->answer);
    free(f->answer_at);
    free(f->id);
    free(f->ordinal);
    free(f->features);
    *f = (struct fetch){ 0 };
}

static struct column_features features_of_own(const struct fetch *f, size_t unit, uint64_t ordinal)
{
    const struct dedup_state *s = f->state;
    const size_t              own = unit - s->unit_first[s->rank];

    return gather_features(&f->gathered[own], &f->unit[own], ordinal - s->catalogue.unit[unit].first);
}

static int answer_append(struct bytes *out, struct column_features own)
{
    struct fetch_head head = { own.distinct, own.total, own.count != NULL, 0 };

    if (bytes_append(out, &head, sizeof head) < 0 || bytes_append(out, own.hash, own.distinct * sizeof *own.hash) < 0)
        return -ENOMEM;
    if (!own.count) return 0;
    return bytes_append(out, own.count, own.distinct * sizeof *own.count) < 0 ? -ENOMEM
        : bytes_append(out, &head.spare, own.distinct % 2 * sizeof head.spare);
}

/* documents whose rows, and whose features, are on their way while one is copied: they lie anywhere; bytes of a buffer
 * that is kept however little it holds */
enum { ROWS_AHEAD = 16, FEATURES_AHEAD = 8, ANSWER_SMALL = 64 << 10 };

/* Those of the ordinals asked for, which ascend, that a unit has: from the one returned up to *end. */
static size_t unit_asked(const struct catalogue_unit *of, const struct bytes *asked, size_t *end)
{
    const size_t count = asked->len / sizeof(uint64_t), first = search_u64(asked->at, sizeof(uint64_t), 0, 0, count,
                                                                           of->first);

    *end = search_u64(asked->at, sizeof(uint64_t), 0, first, count, of->first + of->documents);
    return first;
}

static int range_answer(struct fetch *f, size_t u, const uint64_t *ordinal, size_t count, struct bytes *answer,
                        struct err *err)
{
    const uint64_t            first = f->state->catalogue.unit[u].first;
    const struct column_unit *unit = &f->unit[u - f->state->unit_first[f->state->rank]];
    const bool                gathered = f->state->gathered[u].bytes > 0;

    for (size_t i = 0; i < count; i++) {
        if (!gathered && count - i > ROWS_AHEAD) columns_expect(unit, ordinal[i + ROWS_AHEAD] - first);
        if (!gathered && count - i > FEATURES_AHEAD) columns_expect_features(unit, ordinal[i + FEATURES_AHEAD] - first);
        if (answer_append(answer, features_of_own(f, u, ordinal[i])) < 0)
            return err_memory(err, answer->len, "features");
    }
    return 0;
}

/* So many documents of an open unit will be asked for. */
static void unit_asked_for(const struct fetch *f, size_t own, uint64_t places)
{
    if (f->gathered[own].parts) {
        unit_expect(&f->gathered[own].file.file, places);
        return;
    }
    unit_expect(&f->unit[own].file.file, 2 * places);       /* a row and its features */
    if (f->unit[own].again.parts) unit_expect(&f->unit[own].again.file.file, places);
}

/* Answers what all ranks asked of a unit, while it is mapped.  at: [ranks + 1] where each one's answers begin. */
static int unit_answer(struct fetch *f, size_t u, const struct bytes *asked, struct bytes *answer, size_t *at,
                       struct err *err)
{
    struct dedup_state *s = f->state;
    uint64_t            places = 0;
    size_t              first, end;
    int                 rc = 0;

    /* rounds that go from unit to unit keep little behind them */
    if (answer->room > ANSWER_SMALL && answer->len < answer->room / 4) bytes_free(answer);
    answer->len = 0;
    for (int r = 0; r < s->ranks; r++) {
        first = unit_asked(&s->catalogue.unit[u], &asked[r], &end);
        places += end - first;
    }
    if (places) rc = unit_open(f, u, err);
    if (places && rc == 0) unit_asked_for(f, u - s->unit_first[s->rank], places);
    for (int r = 0; r < s->ranks; r++) {
        at[r] = answer->len;
        if (!places || rc < 0) continue;
        first = unit_asked(&s->catalogue.unit[u], &asked[r], &end);
        if (end > first)
            rc = range_answer(f, u, (const uint64_t *)(const void *)asked[r].at + first, end - first, answer, err);
    }
    at[s->ranks] = answer->len;
    unit_shut(f, u - s->unit_first[s->rank]);
    return rc;
}

/* Of all units: each thread maps one after the other. */
static int features_answer(struct fetch *f, const struct bytes *asked, struct err *err)
{
    const struct dedup_state *s = f->state;
    const size_t              first = s->unit_first[s->rank], units = s->unit_first[s->rank + 1] - first,
        answers = (size_t)s->ranks + 1;
    int                       rc = 0;

#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 1)
    for (size_t u = 0; u < units; u++) {
        struct err mine = { 0 };

        if (unit_answer(f, first + u, asked, &f->answer[u], &f->answer_at[u * answers], &mine) == 0) continue;
#pragma omp critical(fetch_failure)
        {
            *err = mine;
            rc = mine.code;
        }
    }
    return rc;
}

/* What another rank asked of this one. */
static int features_send(const struct fetch *f, int rank, struct bytes *out, struct err *err)
{
    const struct dedup_state *s = f->state;

    out->len = 0;
    for (size_t u = 0; u < s->unit_first[s->rank + 1] - s->unit_first[s->rank]; u++) {
        const size_t *at = &f->answer_at[u * ((size_t)s->ranks + 1) + (size_t)rank];

        if (at[1] > at[0] && bytes_append(out, f->answer[u].at + at[0], at[1] - at[0]) < 0)
            return err_memory(err, out->len, "features");
    }
    return 0;
}

/* Ordinals to their owners, ascending; back come features in the same order.  This rank's own stay where its units put
 * them. */
static int features_exchange(struct fetch *f, const struct sort_item *wanted, struct bytes *out, struct err *err)
{
    struct dedup_state *s = f->state;
    int                 rc = 0;

    for (size_t i = 0; i < f->count && rc == 0; i++)
        if (bytes_append(&out[share_owner(s->ordinal_first, s->ranks, wanted[i].key)], &wanted[i].key,
                         sizeof wanted[i].key) < 0)
            rc = err_memory(err, f->count * sizeof *wanted, "questions");
    if ((rc = comm_agree(s->job->run->comm, rc, err)) == 0) rc = comm_exchange(s->job->run->comm, out, f->in, err);
    if (rc == 0) rc = features_answer(f, f->in, err);
    out[s->rank].len = 0;
    for (int r = 0; r < s->ranks && rc == 0; r++)
        if (r != s->rank) rc = features_send(f, r, &out[r], err);
    if ((rc = comm_agree(s->job->run->comm, rc, err)) == 0) rc = comm_exchange(s->job->run->comm, out, f->in, err);
    return rc;
}

/* Where what was wanted has arrived; *at goes on behind it. */
static struct column_features features_next(const char **at)
{
    const struct fetch_head *head = (const struct fetch_head *)(const void *)*at;
    const uint64_t          *hash = (const uint64_t *)(const void *)(*at + sizeof *head);

    *at += sizeof *head + head->distinct * sizeof *hash + (head->counted ? (head->distinct + 1ull) / 2 * 8 : 0);
    return (struct column_features){ hash, head->counted ? (const uint32_t *)(hash + head->distinct) : NULL,
                                     head->distinct, head->total };
}

/* Where what this rank asked of its own unit u begins. */
static const char *own_answer(const struct fetch *f, size_t u)
{
    const size_t from = f->answer_at[u * ((size_t)f->state->ranks + 1) + (size_t)f->state->rank];

    return f->answer[u].at ? f->answer[u].at + from : NULL;
}

static void features_place(struct fetch *f, const struct sort_item *wanted, const char **at)
{
    struct dedup_state *s = f->state;
    size_t              unit = s->unit_first[s->rank];

    for (int r = 0; r < s->ranks; r++) at[r] = f->in[r].at;
    at[s->rank] = own_answer(f, 0);
    for (size_t i = 0; i < f->count; i++) {
        const uint64_t ordinal = wanted[i].key;
        const int      r = share_owner(s->ordinal_first, s->ranks, ordinal);

        while (r == s->rank && ordinal >= s->catalogue.unit[unit].first + s->catalogue.unit[unit].documents)
            at[r] = own_answer(f, ++unit - s->unit_first[r]);
        f->features[wanted[i].value] = features_next(&at[r]);
    }
}

/* The different ones of id[count], ascending, into f->id. */
static int ids_collect(struct fetch *f, const uint64_t *id, size_t count, struct err *err)
{
    struct sort_item *item = malloc((count + 1) * sizeof *item), *spare = malloc((count + 1) * sizeof *spare);
    size_t            kept = 0;

    free(f->id);
    free(f->ordinal);
    free(f->features);
    f->count = 0;
    f->id = malloc((count + 1) * sizeof *f->id);
    f->ordinal = malloc((count + 1) * sizeof *f->ordinal);
    f->features = malloc((count + 1) * sizeof *f->features);
    if (item && spare && f->id && f->ordinal && f->features) {
        for (size_t i = 0; i < count; i++) item[i] = (struct sort_item){ id[i], 0 };
        sort_items(item, spare, count);
        for (size_t i = 0; i < count; i++)
            if (i == 0 || item[i].key != item[i - 1].key) f->id[kept++] = item[i].key;
        f->count = kept;
    }
    free(item);
    free(spare);
    return item && spare && f->id && f->ordinal && f->features ? 0
        : err_memory(err, count * 72, "documents to compare");
}

int fetch_run(struct fetch *f, const uint64_t *id, size_t count, struct err *err)
{
    struct dedup_state *s = f->state;
    struct bytes       *out;
    struct sort_item   *wanted = NULL, *spare = NULL;
    const char        **at;
    int                 rc;

    if (f->direct) return 0;
    out = calloc((size_t)s->ranks, sizeof *out);
    at = calloc((size_t)s->ranks, sizeof *at);
    rc = out && at ? ids_collect(f, id, count, err) : err_memory(err, (size_t)s->ranks * 40, "questions");
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, f->id, f->ordinal, f->count, answer_place, s, err);
    if (rc == 0) {
        wanted = malloc((f->count + 1) * sizeof *wanted);
        spare = malloc((f->count + 1) * sizeof *spare);
        rc = comm_agree(s->job->run->comm, wanted && spare ? 0 : err_memory(err, f->count * 32, "questions"), err);
    }
    if (rc == 0) {
        for (size_t i = 0; i < f->count; i++) wanted[i] = (struct sort_item){ f->ordinal[i], i };
        sort_pairs(wanted, spare, f->count);
        rc = features_exchange(f, wanted, out, err);
    }
    if (rc == 0) features_place(f, wanted, at);
    for (int r = 0; out && r < s->ranks; r++) bytes_free(&out[r]);
    free(out);
    free(at);
    free(wanted);
    free(spare);
    return rc;
}

struct fetched fetch_get(const struct fetch *f, uint64_t id)
{
    size_t low = 0, high = f->count;

    if (f->direct) {
        uint64_t ordinal = own_place(f->state, id);

        return (struct fetched){ ordinal, features_of_own(f, catalogue_find(&f->state->catalogue, ordinal), ordinal) };
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (f->id[middle] <= id) low = middle;
        else high = middle;
    }
    return (struct fetched){ f->ordinal[low], f->features[low] };
}
