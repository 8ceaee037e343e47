/* near/match.c -- the scanner of streamed corpora: which documents match a benchmark item.
 *
 * Nearly all documents match nothing, so the first look is cheap.  The pass knows which of the document's features the
 * index hardly lacks (view/dictionary.h); the others are counted from below (bits in a small map).  A document of n
 * distinct features can reach set threshold t only if the index has at least t n of them; as no class has more than
 * `largest`, a document with more than largest (1 - t) / t absent ones is out, whatever it has.
 *
 * A document that is too large for that may still have an item inside.  It must have a feature of the item's prefix,
 * and enough of the others: bits by rank. */
#include "near/lookup.h"
#include "base/search.h"
#include "near/stages.h"

#include "base/table.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

enum { ABSENT_BITS = 4096 };

struct matcher {
    struct scanner            scanner;                      /* first: what the pass sees */
    const struct near_job    *job;
    const struct near_index  *index;
    struct view_scratch      *tokens;
    struct bytes              scratch;
    struct lookup            *lookup;
    struct ratio              lowest;
    struct near_lengths       lengths;                      /* of the part's documents */
    struct knower            *part;                         /* of functions */
    uint32_t                 *rank, *times;                 /* [features] known ranks of the document, ascending */
    uint32_t                 *times_of;                     /* [features] by rank; zero between */
    uint64_t                 *prefix;                       /* bitmap by rank, of those for containment; NULL: off */
    uint64_t                 *hash, *spare;                 /* [room] the whole document, sorted; scratch */
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

static bool class_is_inside(const struct matcher *m, const struct known *known, const struct posting *p)
{
    const uint32_t *rank = m->index->class_rank + m->index->class_start[p->class_id];
    uint64_t        spare = p->size - ratio_ceil(m->job->options->containment_threshold, p->size);

    for (uint32_t i = 0; i < p->size; i++)
        if (!known_has(known, rank[i]) && spare-- == 0) return false;
    return true;
}

/* Are enough distinct features of an item among those of the document? */
static bool holds_item(const struct matcher *m, const struct known *known)
{
    const struct near_index *index = m->index;
    const struct ratio       t = m->job->options->containment_threshold;

    if (!m->prefix || known->distinct < ratio_ceil(t, near_inside_least(m->job->options))) return false;
    for (size_t i = 0; i < known->distinct; i++) {
        const uint32_t rank = known->different[i];

        if (!(m->prefix[rank >> 6] >> (rank & 63) & 1)) continue;
        /* classes come by size, and larger ones need more features */
        for (uint64_t p = index->contain_start[rank]; p < index->contain_start[rank + 1] &&
             ratio_ceil(t, index->contain[p].size) <= known->distinct; p++)
            if (class_is_inside(m, known, &index->contain[p])) return true;
    }
    return false;
}

/* Has the document no more distinct features than so many that the index lacks, as far as a small map tells? */
static bool absent_at_most(const struct known *known, struct feature_list features, uint64_t most)
{
    uint64_t map[ABSENT_BITS / 64] = { 0 };
    size_t   absent = 0;

    for (size_t from = 0; from < features.count && absent <= most; from += 64)
        for (uint64_t lacks = known_unlikely(known, from); lacks; lacks &= lacks - 1) {
            const uint64_t hash = features.hash[from + (size_t)__builtin_ctzll(lacks)];
            uint64_t      *word = &map[hash % ABSENT_BITS / 64];
            const uint64_t bit = 1ull << (hash % 64);

            absent += (*word & bit) == 0;                   /* no branch: it is a coin's answer */
            *word |= bit;
        }
    return absent <= most;
}

/* May the document reach the lowest threshold with a class that has so many of its features at most? */
static bool may_match(const struct matcher *m, const struct known *known, struct feature_list features, size_t most)
{
    const uint64_t shared = most < m->index->largest ? most : m->index->largest;

    return shared && absent_at_most(known, features, shared * (m->lowest.den - m->lowest.num) / m->lowest.num);
}

static int prefix_make(struct matcher *m, struct err *err)
{
    const struct near_index *index = m->index;

    m->prefix = calloc(index->features / 64 + 1, sizeof *m->prefix);
    if (!m->prefix) return err_memory(err, index->features / 8, "a scanner");
    for (uint32_t r = 0; r < index->features; r++)
        if (index->contain_start[r + 1] > index->contain_start[r]) m->prefix[r >> 6] |= 1ull << (r & 63);
    return 0;
}

/* Fills rank and times with the document's known features. */
static void ranks_fill(struct matcher *m, const struct known *known)
{
    for (size_t i = 0; i < known->count; i++)
        if (known->rank[i] != DICTIONARY_NONE) m->times_of[known->rank[i]]++;
    for (size_t i = 0; i < known->distinct; i++) {
        m->rank[i] = known->different[i];
        m->times[i] = m->times_of[m->rank[i]];
        m->times_of[m->rank[i]] = 0;
    }
    near_sort_ranks(m->rank, m->times, known->distinct);
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

/* Links of an admitted document: in the row and the part, if there are any. */
static int match_probe(struct matcher *m, const struct document *document, const struct known *known, bool holds,
                       struct part *part, struct near_row *row, struct err *err)
{
    struct bytes           *links = &part->section[PART_VALUES];
    struct content_hash     key;
    const struct near_link *link;
    size_t                  count, at;
    bool                    added;
    uint32_t                before;
    struct lookup_query      query;

    multiset_fill(m, document, row);
    if (!holds && !ratio_reached(m->lowest, known->distinct, row->distinct)) return 0;

    key = class_hash(m->hash, m->count, row->distinct);
    row->class_low = key.low;
    row->class_high = key.high;
    at = links->len / sizeof *link;
    before = table_put(&m->classes, key.low, key.high, (uint32_t)(part->section[PART_ROWS].len / sizeof *row), &added);
    if (before == TABLE_NONE) return err_memory(err, 32, "the multisets of a part");
    if (added) {
        ranks_fill(m, known);
        query = (struct lookup_query){ m->rank, m->times, known->distinct, row->distinct, row->total, UINT32_MAX, false,
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

/* Links of an admitted document or function, if it may have any. */
static int match_links(struct matcher *m, const struct document *document, struct part *part, struct near_row *row,
                       struct err *err)
{
    const struct feature_list features = document->features;
    struct known              known;
    bool                      holds;

    if (!document->known) return 0;                         /* the benchmarks have no feature */
    if (!m->prefix && !document->function && !may_match(m, document->known, features, features.count)) return 0;
    known_rank(document->known);
    known = document->function ? knower_part(m->part, document->known, document->from, features.count)
        : *document->known;
    holds = holds_item(m, &known);
    return holds || may_match(m, &known, features, known.distinct)
        ? match_probe(m, document, &known, holds, part, row, err) : 0;
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

    if (copied < 0) return copied;
    lengths_add(&m->lengths, row.total);
    if (!document->function && m->job->run->datasets[document->shard->dataset].unit == UNIT_FUNCTION &&
        view_tells_functions(&m->job->options->view, document->language, document->record)) return 0;
    if (!document->function && count_apart(m, document, err) < 0) return err->code;
    if (!document->admitted && !copied) return 0;
    if (matcher_reserve(m, document->features.count, err) < 0) return err->code;
    if (document->admitted && match_links(m, document, part, &row, err) < 0) return err->code;
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

    if (aside_end(&part->values, &part->section[PART_VALUES], m->job->run->stage, err) < 0) return err->code;
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
    knower_close(m->part);
    free(m->rank);
    free(m->times);
    free(m->times_of);
    free(m->prefix);
    free(m->spare);
    free(m->hash);
    free(m->count);
    free(m);
}

/* Of a document's own ranks there are as many as it has features, whatever room there is; the prefix, and what a knower
 * has, are a bit a feature. */
uint64_t match_need(const struct near_index *index)
{
    return index->features * sizeof(uint32_t) + 2ull * index->features / 8 + lookup_need(index);
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
    m->rank = malloc(features * sizeof *m->rank);
    m->times = malloc(features * sizeof *m->times);
    m->times_of = calloc(features, sizeof *m->times_of);
    rc = m->rank && m->times && m->times_of ? knower_open(&m->part, &index->dictionary, err)
        : err_memory(err, features * 12, "a scanner");
    /* an index without features may be none: there is no corpus that is streamed, and others have scanners */
    if (rc == 0 && job->options->containment_threshold.den && index->features) rc = prefix_make(m, err);
    if (rc == 0) rc = lookup_open(&m->lookup, index, job->options, err);
    if (rc == 0 && job->run->store_tokens) rc = view_scratch_open(&m->tokens, &job->options->view, err);
    if (rc < 0) {
        match_close(&m->scanner);
        return rc;
    }
    *out = &m->scanner;
    return 0;
}
