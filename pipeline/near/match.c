/* near/match.c -- the scanner of streamed corpora: which documents match a benchmark item.
 *
 * Nearly all documents match nothing, so the first look is cheap: one walk over the features that looks each up in the
 * index, counts the distinct ones that it has exactly and the others from below (bits in a small map).  A document of n
 * distinct features can reach set threshold t only if the index has at least t n of them; as no class has more than
 * `largest`, a document with more than largest (1 - t) / t absent ones is out before any is looked up.
 *
 * A document that is too large for that may still have an item inside.  It must have a feature of the item's prefix:
 * those are known by a bitmap of their own, and the documents that have one are asked, from a small map of their
 * features, whether enough of the item's may be there.  Where known features have been looked up, they tell. */
#include "near/lookup.h"
#include "base/search.h"
#include "near/stages.h"

#include "base/table.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

enum { ABSENT_BITS = 4096, PRESENT_BITS = 1 << 15, LOOK_AHEAD = 8 };

struct mark { uint32_t document, times; };                  /* the document that had the feature last, and how often */

struct matcher {
    struct scanner            scanner;                      /* first: what the pass sees */
    const struct near_job    *job;
    const struct near_index  *index;
    struct view_scratch      *tokens;
    struct bytes              scratch;
    struct lookup            *lookup;
    struct ratio              lowest;
    struct mark              *mark;                         /* [features] by rank */
    uint32_t                  document;
    struct near_lengths       lengths;                      /* of the part's documents */
    /* a document that matches has no more distinct features that the index lacks */
    uint64_t                  most_absent;
    uint32_t                 *rank, *rank_times;            /* [features] of the document: known ranks */
    size_t                    known;
    /* [features] by rank: the feature; bitmaps of those of prefixes for containment, by feature and by rank.  NULL: it
     * is off */
    uint64_t                 *feature, *prefix, *prefix_rank;
    unsigned                  prefix_shift;
    uint64_t                  present[PRESENT_BITS / 64];   /* of the document's likely features; zero between */
    /* [room] likely features, then the whole document, sorted; scratch */
    uint64_t                 *hash, *spare;
    uint32_t                 *count;                        /* [room] */
    size_t                    room;
    struct table              classes;                      /* multisets probed in this part: place of their row */
};

static int matcher_reserve(struct matcher *m, size_t room, struct err *err)
{
    if (room <= m->room) return 0;
    room += room / 2;
    free(m->spare);
    free(m->hash);
    free(m->count);
    m->spare = malloc(room * sizeof *m->spare);
    m->hash = malloc(room * sizeof *m->hash);
    m->count = malloc(room * sizeof *m->count);
    m->room = m->spare && m->hash && m->count ? room : 0;
    return m->room ? 0 : err_memory(err, room * 20, "a document's features");
}

static bool present_has(const struct matcher *m, uint64_t feature)
{
    return m->present[feature % PRESENT_BITS / 64] >> (feature % 64) & 1;
}

static void present_fill(struct matcher *m, size_t likely)
{
    for (size_t i = 0; i < likely; i++) m->present[m->hash[i] % PRESENT_BITS / 64] |= 1ull << (m->hash[i] % 64);
}

/* May enough of the class's features be in the document?  Of some, the map has another's bit. */
static bool class_may_be_inside(const struct matcher *m, const struct posting *p)
{
    const uint32_t *rank = m->index->class_rank + m->index->class_start[p->class_id];
    uint64_t        spare = p->size - ratio_ceil(m->job->options->containment_threshold, p->size);

    for (uint32_t i = 0; i < p->size; i++)
        if (!present_has(m, m->feature[rank[i]]) && spare-- == 0) return false;
    return true;
}

/* May an item be inside the document, whose likely features are in hash? */
static bool may_hold(struct matcher *m, size_t likely)
{
    const struct near_index *index = m->index;
    const struct ratio       t = m->job->options->containment_threshold;
    bool                     found = false, filled = false;

    if (!m->prefix || likely < ratio_ceil(t, near_inside_least(m->job->options))) return false;
    for (size_t i = 0; i < likely && !found; i++) {
        const uint64_t bit = m->hash[i] >> m->prefix_shift;
        uint32_t       rank;

        if (!(m->prefix[bit >> 6] >> (bit & 63) & 1)) continue;
        rank = near_index_rank(index, m->hash[i]);
        if (rank == TABLE_NONE) continue;
        /* classes come by size, and larger ones need more features */
        for (uint64_t p = index->contain_start[rank]; p < index->contain_start[rank + 1] && !found &&
             ratio_ceil(t, index->contain[p].size) <= likely; p++) {
            if (!filled) present_fill(m, likely);
            filled = true;
            found = class_may_be_inside(m, &index->contain[p]);
        }
    }
    for (size_t i = 0; i < likely && filled; i++) m->present[m->hash[i] % PRESENT_BITS / 64] = 0;
    return found;
}

static bool class_is_inside(const struct matcher *m, const struct posting *p)
{
    const uint32_t *rank = m->index->class_rank + m->index->class_start[p->class_id];
    uint64_t        spare = p->size - ratio_ceil(m->job->options->containment_threshold, p->size);

    for (uint32_t i = 0; i < p->size; i++)
        if (m->mark[rank[i]].document != m->document && spare-- == 0) return false;
    return true;
}

/* Are enough distinct features of an item among the document's known ones? */
static bool holds_known(const struct matcher *m)
{
    const struct near_index *index = m->index;

    if (!m->prefix || m->known < ratio_ceil(m->job->options->containment_threshold, near_inside_least(m->job->options)))
        return false;
    for (size_t i = 0; i < m->known; i++) {
        const uint32_t rank = m->rank[i];

        if (!(m->prefix_rank[rank >> 6] >> (rank & 63) & 1)) continue;
        for (uint64_t p = index->contain_start[rank]; p < index->contain_start[rank + 1]; p++)
            if (class_is_inside(m, &index->contain[p])) return true;
    }
    return false;
}

/* Finds the ranks that the index knows (distinct, with occurrences).  Returns a lower bound of the number of
 * distinct absent features; when that alone rules a match out, known ranks are not looked for, unless the document may
 * hold an item. */
static size_t look_up(struct matcher *m, struct feature_list features, bool *holds)
{
    const struct near_index *index = m->index;
    uint64_t map[ABSENT_BITS / 64] = { 0 };
    size_t   known = 0, absent = 0, likely = 0;

    if (++m->document == 0) {
        memset(m->mark, 0, (index->features + 1ull) * sizeof *m->mark);
        m->document = 1;
    }
    for (size_t i = 0; i < features.count; i++) {           /* no branch on the filter's answer: it is a coin's */
        uint64_t feature = features.hash[i];
        bool     maybe = near_index_maybe(index, feature);

        m->hash[likely] = feature;
        likely += maybe;
        map[feature % ABSENT_BITS / 64] |= (uint64_t)!maybe << (feature % 64);
    }
    m->known = 0;
    for (size_t i = 0; i < ABSENT_BITS / 64; i++) absent += (size_t)__builtin_popcountll(map[i]);
    if (absent > m->most_absent && !may_hold(m, likely)) return absent;
    for (size_t i = 0; i < likely; i++) {
        uint32_t rank;

        if (i + LOOK_AHEAD < likely) near_index_prefetch(index, m->hash[i + LOOK_AHEAD]);
        rank = near_index_rank(index, m->hash[i]);
        if (rank == TABLE_NONE) continue;                   /* the filter was wrong: the bound stays a bound */
        if (m->mark[rank].document != m->document) {
            m->mark[rank] = (struct mark){ m->document, 1 };
            m->rank[known++] = rank;
        } else m->mark[rank].times++;
    }
    m->known = known;
    *holds = holds_known(m);
    return absent;
}

/* What may_hold asks: prefixes and features by rank. */
static int prefixes_make(struct matcher *m, struct err *err)
{
    const struct near_index *index = m->index;
    uint64_t                 count = 0;
    unsigned                 bits = 6;

    for (uint32_t r = 0; r < index->features; r++) count += index->contain_start[r + 1] > index->contain_start[r];
    while (1ull << bits < 16 * count) bits++;
    m->prefix_shift = 64 - bits;
    m->feature = malloc((index->features + 1ull) * sizeof *m->feature);
    m->prefix = calloc(1ull << (bits - 6), sizeof *m->prefix);
    m->prefix_rank = calloc(index->features / 64 + 1, sizeof *m->prefix_rank);
    if (!m->feature || !m->prefix || !m->prefix_rank) return err_memory(err, index->features * 10ull, "a scanner");
    for (uint64_t s = 0; s <= index->slot_mask; s++) {
        const uint64_t feature = index->key[s], bit = feature >> m->prefix_shift;
        const uint32_t rank = index->rank[s];

        if (!feature) continue;
        m->feature[rank] = feature;
        if (index->contain_start[rank + 1] == index->contain_start[rank]) continue;
        m->prefix[bit >> 6] |= 1ull << (bit & 63);
        m->prefix_rank[rank >> 6] |= 1ull << (rank & 63);
    }
    return 0;
}

/* Appends the row of a document with its links, which may be another row's with the same multiset. */
static int row_add(struct matcher *m, const struct document *document, struct part *part, struct near_row *row,
                   struct err *err)
{
    if (near_row_fill(m->job, document, m->tokens, &m->scratch, part, row, err) < 0) return err->code;
    return bytes_append(&part->section[PART_ROWS], row, sizeof *row) < 0 ? err_memory(err, sizeof *row, "a part's rows")
        : 0;
}

struct sought { const struct content_hash *copy; struct content_hash key; };

static bool copy_is_before(const void *context, size_t i)
{
    const struct sought       *sought = context;
    const struct content_hash *copy = &sought->copy[i];

    return copy->low != sought->key.low ? copy->low < sought->key.low : copy->high < sought->key.high;
}

/* 0, or -ENOMEM with err set. */
static int copy_key(struct matcher *m, const struct document *document, struct content_hash *out, struct err *err)
{
    *out = copy_hash(content_hash_squeezed(document->record->text, &m->scratch), document->language);
    return m->scratch.at ? 0 : err_memory(err, document->record->text.len, "a text without its white space");
}

/* Is the document an item that is too short to be compared, but for white space?  1, 0, or -ENOMEM with err set. */
static int match_copy(struct matcher *m, const struct document *document, struct near_row *row, struct err *err)
{
    const struct near_index *index = m->index;
    struct content_hash      key;
    size_t                   low;

    if (!index->copies) return 0;
    if (copy_key(m, document, &key, err) < 0) return err->code;
    low = search_first(0, index->copies, copy_is_before, &(struct sought){ index->copy, key });
    if (low == index->copies || index->copy[low].low != key.low || index->copy[low].high != key.high) return 0;
    row->copy_low = key.low;
    row->copy_high = key.high;
    return 1;
}

/* Puts the document's multiset into hash and count. */
static void multiset_fill(struct matcher *m, const struct document *document, struct near_row *row)
{
    if (document->features.count) memcpy(m->hash, document->features.hash, document->features.count * sizeof *m->hash);
    row->distinct = (uint32_t)view_multiset(m->hash, m->count, document->features.count, m->spare);
}

/* Links of an admitted document, whose known features have been looked up: in the row and the part, if there are any.
 */
static int match_probe(struct matcher *m, const struct document *document, bool holds, struct part *part,
                       struct near_row *row, struct err *err)
{
    struct bytes           *links = &part->section[PART_VALUES];
    struct content_hash     key;
    const struct near_link *link;
    size_t                  count, at;
    bool                    added;
    uint32_t                before;
    struct lookup_query      query;

    multiset_fill(m, document, row);
    if (!holds && !ratio_reached(m->lowest, m->known, row->distinct)) return 0;

    key = class_hash(m->hash, m->count, row->distinct);
    row->class_low = key.low;
    row->class_high = key.high;
    at = links->len / sizeof *link;
    before = table_put(&m->classes, key.low, key.high, (uint32_t)(part->section[PART_ROWS].len / sizeof *row), &added);
    if (before == TABLE_NONE) return err_memory(err, 32, "the multisets of a part");
    if (added) {
        for (size_t i = 0; i < m->known; i++) m->rank_times[i] = m->mark[m->rank[i]].times;
        near_sort_ranks(m->rank, m->rank_times, m->known);
        query = (struct lookup_query){ m->rank, m->rank_times, m->known, row->distinct, row->total, UINT32_MAX, false,
                                      0 };
        if (lookup_run(m->lookup, &query, &link, &count, err) < 0) return err->code;
        if (aside_reserve(&part->values, m->job->run->stage, links, count * sizeof *link, err) < 0) return err->code;
        if (bytes_append(links, link, count * sizeof *link) < 0)
            return err_memory(err, count * sizeof *link, "a part's links");
    /* the same multiset was probed in this part: its row has the links */
    } else {
        const struct near_row *same = (const struct near_row *)part->section[PART_ROWS].at + before;
        size_t                 rows = part->section[PART_ROWS].len / sizeof *same;

        /* it had none, so has no row */
        if (before >= rows || same->class_low != key.low || same->class_high != key.high) return 0;
        at = same->value_at;
        count = same->value_count;
    }
    row->value_at = at;
    row->value_count = (uint32_t)count;
    return 0;
}

/* A document with the bytes of an item that is of another language has no feature in common with it. */
static int count_apart(struct matcher *m, const struct document *document, struct err *err)
{
    struct content_hash raw, copy, multiset;
    struct near_row     row = { 0 };
    uint64_t            sketch;

    if (!document->features.count || !m->index->texts) return 0;
    sketch = content_sketch(document->record->text);
    if (!near_index_has_text(m->index, sketch)) return 0;
    raw = content_hash_raw(document->record->text);
    if (matcher_reserve(m, document->features.count, err) < 0) return err->code;
    multiset_fill(m, document, &row);
    multiset = class_hash(m->hash, m->count, row.distinct);
    if (copy_key(m, document, &copy, err) < 0) return err->code;
    m->lengths.apart += near_index_is_apart(m->index, &(struct index_text){ sketch, raw.low, copy.low, multiset.low });
    return 0;
}

static int match_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct matcher *m = (struct matcher *)scanner;
    struct near_row row = { .record = document->record->number, .total = (uint32_t)document->features.count,
                            .group = document->group };
    const bool      is_short = !document->admitted || row.total < m->job->minimums.most;
    const int       copied = is_short ? match_copy(m, document, &row, err) : 0;
    size_t          absent;
    bool            holds = false;

    if (copied < 0) return copied;
    lengths_add(&m->lengths, row.total);
    if (!document->function && m->job->run->datasets[document->shard->dataset].unit == UNIT_FUNCTION &&
        view_tells_functions(&m->job->options->view, document->language, document->record)) return 0;
    if (!document->function && count_apart(m, document, err) < 0) return err->code;
    if (!document->admitted && !copied) return 0;
    if (matcher_reserve(m, document->features.count, err) < 0) return err->code;
    if (document->admitted) {
        absent = look_up(m, document->features, &holds);
        if (m->known && (holds || ratio_reached(m->lowest, m->known, m->known + absent)) &&
            match_probe(m, document, holds, part, &row, err) < 0) return err->code;
    }
    if (!copied && !row.value_count) return 0;
    if (!row.distinct) multiset_fill(m, document, &row);
    return row_add(m, document, part, &row, err);
}

static void match_begin(struct scanner *scanner)
{
    struct matcher *m = (struct matcher *)scanner;

    table_clear(&m->classes);
    m->lengths = (struct near_lengths){ 0 };
}

static int match_end(struct scanner *scanner, struct part *part, struct err *err)
{
    const struct matcher *m = (struct matcher *)scanner;

    aside_end(&part->values);
    return bytes_append(&part->section[PART_COUNTS], &m->lengths, sizeof m->lengths) < 0
        ? err_memory(err, sizeof m->lengths, "a part's lengths") : 0;
}

static void match_close(struct scanner *scanner)
{
    struct matcher *m = (struct matcher *)scanner;

    view_scratch_close(m->tokens);
    bytes_free(&m->scratch);
    lookup_close(m->lookup);
    table_free(&m->classes);
    free(m->mark);
    free(m->rank);
    free(m->rank_times);
    free(m->feature);
    free(m->prefix);
    free(m->prefix_rank);
    free(m->spare);
    free(m->hash);
    free(m->count);
    free(m);
}

int match_open(void *shared, struct scanner **out, struct err *err)
{
    const struct near_job   *job = shared;
    const struct near_index *index = job->benchmarks;
    struct matcher          *m = calloc(1, sizeof *m);
    size_t                   features = index->features + 1ull;
    int                      rc;

    *out = NULL;
    if (!m) return err_memory(err, sizeof *m, "a scanner");
    m->scanner = (struct scanner){ .begin = match_begin, .document = match_document, .end = match_end,
                                   .close = match_close };
    m->job = job;
    m->index = index;
    m->lowest = job->options->report_floor.den ? job->options->report_floor : job->options->set_threshold;
    m->mark = calloc(features, sizeof *m->mark);
    m->most_absent = (uint64_t)index->largest * (m->lowest.den - m->lowest.num) / m->lowest.num;
    m->rank = malloc(features * sizeof *m->rank);
    m->rank_times = malloc(features * sizeof *m->rank_times);
    rc = m->mark && m->rank && m->rank_times ? 0 : err_memory(err, features * 16, "a scanner");
    /* an index without features may be none: there is no corpus that is streamed, and others have scanners */
    if (rc == 0 && job->options->containment_threshold.den && index->features) rc = prefixes_make(m, err);
    if (rc == 0) rc = lookup_open(&m->lookup, index, job->options, err);
    if (rc == 0 && job->run->store_tokens) rc = view_scratch_open(&m->tokens, &job->options->view, err);
    if (rc < 0) {
        match_close(&m->scanner);
        return rc;
    }
    *out = &m->scanner;
    return 0;
}
