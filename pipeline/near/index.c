/* near/index.c -- building and mapping the index of resident documents.
 *
 * 1. Classes   2. Dictionary   3. Postings   4. The file
 *
 * The result is a function of the documents alone: classes are ordered by size and hash, features by frequency and
 * hash. */
#include "near/index.h"

#include "base/search.h"
#include "base/sort.h"
#include "base/table.h"
#include "near/lookup.h"

#include <errno.h>
#include <stdlib.h>

enum index_section {
    INDEX_HEADER, INDEX_KEY, INDEX_RANK, INDEX_FILTER, INDEX_CLASS_START, INDEX_CLASS_RANK, INDEX_CLASS_TIMES,
        INDEX_CLASS_TOTAL,
    INDEX_CLASS_LEVEL, INDEX_CLASS_BENCHMARK, INDEX_CLASS_HASH, INDEX_POSTING_START, INDEX_POSTING,
    INDEX_CONTAIN_START, INDEX_CONTAIN, INDEX_COPY, INDEX_TEXT, INDEX_SECTIONS
};

struct index_header { uint64_t features, classes, copies, factor; uint32_t slot_bits, filter_bits, least, corpora; };

struct index_builder {
    const struct near_options   *options;
    const struct near_minimums  *minimums;
    const struct index_document *document;
    size_t                       document_count;
    size_t                       classes, features, copies, texts;
    struct index_text           *text;
    uint32_t                    *first;                     /* [classes] a document that has the class's features */
    uint32_t                    *class_of;                  /* [document_count] */
    uint64_t                    *class_start;
    uint32_t                    *class_total, *class_level, *class_rank, *class_times;
    uint8_t                     *class_benchmark;
    struct content_hash         *class_hash, *copy;
    uint64_t                    *key, *filter, *feature;    /* feature: [features] by rank */
    uint32_t                    *rank;
    unsigned                     slot_bits, filter_bits;
    uint64_t                    *posting_start, *contain_start;
    struct posting              *posting, *contain;
};

/* An array of at least one element, so that NULL always means that memory is out. */
static void *array(size_t count, size_t size) { return calloc(count ? count : 1, size); }

/* ---- 1. Classes ---- */

static int copy_order(const void *a, const void *b)
{
    const struct content_hash *x = a, *y = b;

    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

static int text_order(const void *a, const void *b)
{
    const struct index_text *x = a, *y = b;

    if (x->sketch != y->sketch) return x->sketch < y->sketch ? -1 : 1;
    if (x->raw != y->raw) return x->raw < y->raw ? -1 : 1;
    if (x->copy != y->copy) return x->copy < y->copy ? -1 : 1;
    return (x->multiset > y->multiset) - (x->multiset < y->multiset);
}

static int texts_fill(struct index_builder *b, struct err *err)
{
    b->text = array(b->document_count, sizeof *b->text);
    if (!b->text) return err_memory(err, b->document_count * sizeof *b->text, "the items' texts");
    for (size_t d = 0; d < b->document_count; d++) {
        const struct near_row *row = b->document[d].row;

        if (b->document[d].benchmark && row->total)
            b->text[b->texts++] = (struct index_text){ row->sketch, row->raw.low, row->copy_low, row->class_low };
    }
    qsort(b->text, b->texts, sizeof *b->text, text_order);
    return 0;
}

/* Gives every admitted document its class: equal multisets, equal class, of documents of one level. */
static int collapse(struct index_builder *b, struct err *err)
{
    struct table      table = { 0 };
    struct sort_item *sort = NULL, *spare = NULL;           /* value: the first document */
    uint32_t         *order = NULL;
    size_t            count = b->document_count;
    int               rc = -ENOMEM;

    b->class_of = array(count, sizeof *b->class_of);
    b->copy = array(count, sizeof *b->copy);
    sort = array(count, sizeof *sort);
    spare = array(count, sizeof *spare);
    if (!b->class_of || !b->copy || !sort || !spare || table_reserve(&table, count) < 0) goto done;
    for (size_t d = 0; d < count; d++) {
        const struct near_row *row = b->document[d].row;
        struct content_hash    key = near_class_key((struct content_hash){ row->class_low, row->class_high },
                                                    b->document[d].level);
        bool                   added;

        b->class_of[d] = TABLE_NONE;
        if (!b->document[d].admitted) {
            if (b->document[d].benchmark) b->copy[b->copies++] = (struct content_hash){ row->copy_low, row->copy_high };
            continue;
        }
        b->class_of[d] = table_put(&table, key.low, key.high, (uint32_t)b->classes, &added);
        if (added) sort[b->classes++] = (struct sort_item){ row->class_low, d };
    }
    qsort(b->copy, b->copies, sizeof *b->copy, copy_order);
    /* by hash, then by size: the second keeps the order of the first */
    sort_items(sort, spare, b->classes);
    for (size_t c = 0; c < b->classes; c++) sort[c].key = b->document[sort[c].value].row->distinct;
    sort_items(sort, spare, b->classes);

    order = array(b->classes, sizeof *order);
    b->first = array(b->classes, sizeof *b->first);
    b->class_hash = array(b->classes, sizeof *b->class_hash);
    b->class_start = array(b->classes + 1, sizeof *b->class_start);
    b->class_total = array(b->classes, sizeof *b->class_total);
    b->class_level = array(b->classes, sizeof *b->class_level);
    b->class_benchmark = array(b->classes, 1);
    if (!order || !b->first || !b->class_hash || !b->class_start || !b->class_total || !b->class_level ||
        !b->class_benchmark) goto done;
    for (size_t c = 0; c < b->classes; c++) {
        const struct near_row *row = b->document[sort[c].value].row;

        order[b->class_of[sort[c].value]] = (uint32_t)c;
        b->first[c] = (uint32_t)sort[c].value;
        b->class_hash[c] = (struct content_hash){ row->class_low, row->class_high };
        b->class_start[c + 1] = b->class_start[c] + row->distinct;
        b->class_total[c] = row->total;
        b->class_level[c] = b->document[sort[c].value].level;
    }
    for (size_t d = 0; d < count; d++)
        if (b->class_of[d] != TABLE_NONE) b->class_benchmark[order[b->class_of[d]]] |= b->document[d].benchmark;
    rc = 0;
done:
    table_free(&table);
    free(sort);
    free(spare);
    free(order);
    return rc < 0 ? err_memory(err, count * 64, "the index's classes") : 0;
}

/* ---- 2. Dictionary ---- */

/* by a feature's top byte; each is ranked on its own, in cache */
enum { PARTITIONS = 256 };

struct occurrence { uint64_t feature, place; };             /* place: in class_rank */
struct distinct   { uint64_t feature; uint32_t classes, id; };

static int distinct_order(const void *a, const void *b)
{
    uint64_t x = ((const struct distinct *)a)->feature, y = ((const struct distinct *)b)->feature;

    return (x > y) - (x < y);
}

/* Groups a partition's occurrences: class_rank gets the number of the distinct feature within the partition, list (with
 * room for n) the distinct ones, sorted.  Returns how many, or -ENOMEM. */
static long partition_group(struct index_builder *b, const struct occurrence *at, size_t n, struct distinct *list)
{
    size_t    room = 16, count = 0;
    unsigned  shift;
    uint32_t *slot, *position;

    while (room < 2 * n) room *= 2;
    shift = 64 - (unsigned)__builtin_ctzll(room);
    slot = calloc(room, sizeof *slot);
    position = array(n, sizeof *position);
    if (!slot || !position) {
        free(slot);
        free(position);
        return -ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        size_t s = (size_t)scatter(at[i].feature, scatter_factor[0], shift);

        while (slot[s] && list[slot[s] - 1].feature != at[i].feature) s = (s + 1) & (room - 1);
        if (!slot[s]) {
            list[count] = (struct distinct){ at[i].feature, 0, (uint32_t)count };
            slot[s] = (uint32_t)++count;
        }
        list[slot[s] - 1].classes++;
        b->class_rank[at[i].place] = slot[s] - 1;
    }
    qsort(list, count, sizeof *list, distinct_order);
    for (size_t i = 0; i < count; i++) position[list[i].id] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) b->class_rank[at[i].place] = position[b->class_rank[at[i].place]];
    free(slot);
    free(position);
    return (long)count;
}

/* The features of all classes while they are numbered: partition p, of those with its first byte, is all[start[p] ..)
 * and has its distinct ones in list[start[p] ..), count[p] of them, offset[p] before it. */
struct ranking {
    struct occurrence *all;
    struct distinct   *list;
    size_t             start[PARTITIONS + 1], offset[PARTITIONS + 1];
    long               count[PARTITIONS];
    uint64_t          *frequency;                           /* features that so many classes have, then the ranks */
    uint32_t          *rank_of;                             /* [features] by partition and hash */
};

/* Puts every class's features into their partition, and its times into the index. */
static void occurrences_part(struct index_builder *b, struct ranking *r)
{
    size_t fill[PARTITIONS];

    for (size_t c = 0; c < b->classes; c++) {
        const struct index_document *d = &b->document[b->first[c]];

        for (size_t i = 0; i < d->row->distinct; i++) r->start[(d->hash[i] >> 56) + 1]++;
        if (d->row->distinct) memcpy(b->class_times + b->class_start[c], d->times, d->row->distinct * sizeof *d->times);
    }
    for (size_t p = 0; p < PARTITIONS; p++) {
        r->start[p + 1] += r->start[p];
        fill[p] = r->start[p];
    }
    for (size_t c = 0; c < b->classes; c++) {
        const struct index_document *d = &b->document[b->first[c]];

        for (size_t i = 0; i < d->row->distinct; i++)
            r->all[fill[d->hash[i] >> 56]++] = (struct occurrence){ d->hash[i], b->class_start[c] + i };
    }
}

/* Partitions are in hash order already, so a counting sort by frequency finishes the order. */
static int features_rank(struct index_builder *b, struct ranking *r)
{
    uint32_t most = 0;

    b->features = r->offset[PARTITIONS];
    for (size_t p = 0; p < PARTITIONS; p++)
        for (long i = 0; i < r->count[p]; i++)
            if (r->list[r->start[p] + (size_t)i].classes > most) most = r->list[r->start[p] + (size_t)i].classes;
    r->frequency = array((size_t)most + 2, sizeof *r->frequency);
    r->rank_of = array(b->features, sizeof *r->rank_of);
    b->feature = array(b->features, sizeof *b->feature);
    if (!r->frequency || !r->rank_of || !b->feature) return -ENOMEM;
    for (size_t p = 0; p < PARTITIONS; p++)
        for (long i = 0; i < r->count[p]; i++) r->frequency[r->list[r->start[p] + (size_t)i].classes + 1]++;
    for (size_t f = 0; f <= most; f++) r->frequency[f + 1] += r->frequency[f];
    for (size_t p = 0; p < PARTITIONS; p++)
        for (long i = 0; i < r->count[p]; i++) {
            const struct distinct *d = &r->list[r->start[p] + (size_t)i];
            const uint32_t         rank = (uint32_t)r->frequency[d->classes]++;

            r->rank_of[r->offset[p] + (size_t)i] = rank;
            b->feature[rank] = d->feature;
        }
    return 0;
}

static void classes_rank(struct index_builder *b, const struct ranking *r, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t p = 0; p < PARTITIONS; p++)
        for (size_t i = r->start[p]; i < r->start[p + 1]; i++)
            b->class_rank[r->all[i].place] = r->rank_of[r->offset[p] + b->class_rank[r->all[i].place]];

#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
    for (size_t c = 0; c < b->classes; c++)                 /* by rank within each class */
        near_sort_ranks(b->class_rank + b->class_start[c], b->class_times + b->class_start[c],
                        (size_t)(b->class_start[c + 1] - b->class_start[c]));
}

/* Numbers all features by (classes that have them, hash) and writes each class's ranks. */
static int dictionary_number(struct index_builder *b, int threads, struct err *err)
{
    const size_t   total = b->class_start[b->classes];
    struct ranking r = { .all = array(total, sizeof *r.all), .list = array(total, sizeof *r.list) };
    int            rc = 0;

    b->class_rank = array(total, sizeof *b->class_rank);
    b->class_times = array(total, sizeof *b->class_times);
    if (!r.all || !r.list || !b->class_rank || !b->class_times) rc = -ENOMEM;
    if (rc == 0) {
        occurrences_part(b, &r);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (size_t p = 0; p < PARTITIONS; p++)
            r.count[p] = partition_group(b, r.all + r.start[p], r.start[p + 1] - r.start[p], r.list + r.start[p]);
        for (size_t p = 0; p < PARTITIONS; p++) {
            if (r.count[p] < 0) rc = -ENOMEM;
            else r.offset[p + 1] = r.offset[p] + (size_t)r.count[p];
        }
    }
    if (rc == 0) rc = features_rank(b, &r);
    if (rc == 0) classes_rank(b, &r, threads);
    free(r.all);
    free(r.list);
    free(r.rank_of);
    free(r.frequency);
    return rc < 0 ? err_memory(err, total * 44, "the index's dictionary") : 0;
}

static void filter_add(struct index_builder *b, uint64_t feature)
{
    const uint64_t bit = feature >> (64 - b->filter_bits);

    b->filter[bit >> 6] |= 1ull << (bit & 63);
}

/* Passages and copies are of items that are too short to be compared, too. */
static bool has_bits_alone(const struct index_document *document) { return document->benchmark && !document->admitted; }

/* The table in which features are looked up.  At most half full; the bitmap has 16 bits a feature. */
static int dictionary_fill(struct index_builder *b, struct err *err)
{
    size_t bits = b->features;

    for (size_t d = 0; d < b->document_count; d++)
        if (has_bits_alone(&b->document[d])) bits += b->document[d].row->distinct;
    while ((1ull << b->slot_bits) < 2 * b->features + 2) b->slot_bits++;
    while ((1ull << b->filter_bits) < 16 * bits || b->filter_bits < 6) b->filter_bits++;
    b->key = array(1ull << b->slot_bits, sizeof *b->key);
    b->rank = array(1ull << b->slot_bits, sizeof *b->rank);
    b->filter = array(1ull << (b->filter_bits - 6), sizeof *b->filter);
    if (!b->key || !b->rank || !b->filter) return err_memory(err, 16ull << b->slot_bits, "the index's dictionary");
    for (size_t r = 0; r < b->features; r++) {
        uint64_t f = b->feature[r], at = scatter(f, scatter_factor[0], 64 - b->slot_bits);

        while (b->key[at]) at = (at + 1) & ((1ull << b->slot_bits) - 1);
        b->key[at] = f;
        b->rank[at] = (uint32_t)r;
        filter_add(b, f);
    }
    for (size_t d = 0; d < b->document_count; d++)
        for (size_t i = 0; has_bits_alone(&b->document[d]) && i < b->document[d].row->distinct; i++)
            filter_add(b, b->document[d].hash[i]);
    return 0;
}

/* ---- 3. Postings ---- */

/* least: distinct features of a class; benchmarks_only: that an item is of. */
static int postings_fill(struct index_builder *b, struct ratio t, uint64_t least, bool benchmarks_only,
                         uint64_t **start, struct posting **out, struct err *err)
{
    uint64_t *fill;

    *start = array(b->features + 2, sizeof **start);
    if (!*start) return err_memory(err, (b->features + 2) * 8, "the index's postings");
    /* counted one place ahead, so that filling leaves the starts */
    fill = *start + 1;
    for (int counting = 1; counting >= 0; counting--) {
        for (size_t c = 0; c < b->classes && t.den; c++) {
            const uint32_t *rank = b->class_rank + b->class_start[c];
            uint64_t        size = b->class_start[c + 1] - b->class_start[c], prefix = ratio_prefix(t, size);

            if (size < least || (benchmarks_only && !b->class_benchmark[c])) continue;
            for (uint64_t i = 0; i < prefix && i < size; i++) {
                if (counting) fill[rank[i] + 1]++;
                else (*out)[fill[rank[i]]++] = (struct posting){ (uint32_t)c, (uint32_t)i, (uint32_t)size };
            }
        }
        if (!counting) break;
        for (size_t f = 0; f < b->features; f++) fill[f + 1] += fill[f];
        *out = array(fill[b->features], sizeof **out);
        if (!*out) return err_memory(err, fill[b->features] * sizeof **out, "the index's postings");
    }
    return 0;
}

/* ---- 4. The file ---- */

static int builder_commit(struct index_builder *b, struct stage *stage, struct unit_key key, struct err *err)
{
    struct index_header header = { b->features, b->classes, b->copies, scatter_factor[0], b->slot_bits, b->filter_bits,
                                   b->minimums->least, b->minimums->corpora };
    size_t              total = b->class_start[b->classes];
    uint64_t            postings = b->posting_start[b->features], contains = b->contain_start[b->features];
    const struct slice  section[INDEX_SECTIONS] = {
        [INDEX_HEADER]          = { (const char *)&header, sizeof header },
        [INDEX_KEY]             = { (const char *)b->key, sizeof *b->key << b->slot_bits },
        [INDEX_RANK]            = { (const char *)b->rank, sizeof *b->rank << b->slot_bits },
        [INDEX_FILTER]          = { (const char *)b->filter, (size_t)1 << (b->filter_bits - 3) },
        [INDEX_CLASS_START]     = { (const char *)b->class_start, (b->classes + 1) * sizeof *b->class_start },
        [INDEX_CLASS_RANK]      = { (const char *)b->class_rank, total * sizeof *b->class_rank },
        [INDEX_CLASS_TIMES]     = { (const char *)b->class_times, total * sizeof *b->class_times },
        [INDEX_CLASS_TOTAL]     = { (const char *)b->class_total, b->classes * sizeof *b->class_total },
        [INDEX_CLASS_LEVEL]     = { (const char *)b->class_level, b->classes * sizeof *b->class_level },
        [INDEX_CLASS_BENCHMARK] = { (const char *)b->class_benchmark, b->classes },
        [INDEX_CLASS_HASH]      = { (const char *)b->class_hash, b->classes * sizeof *b->class_hash },
        [INDEX_POSTING_START]   = { (const char *)b->posting_start, (b->features + 1) * sizeof *b->posting_start },
        [INDEX_POSTING]         = { (const char *)b->posting, postings * sizeof *b->posting },
        [INDEX_CONTAIN_START]   = { (const char *)b->contain_start, (b->features + 1) * sizeof *b->contain_start },
        [INDEX_CONTAIN]         = { (const char *)b->contain, contains * sizeof *b->contain },
        [INDEX_COPY]            = { (const char *)b->copy, b->copies * sizeof *b->copy },
        [INDEX_TEXT]            = { (const char *)b->text, b->texts * sizeof *b->text },
    };

    return stage_commit(stage, "index", key, section, INDEX_SECTIONS, err);
}

static void builder_free(struct index_builder *b)
{
    void *owned[] = { b->first, b->class_of, b->class_start, b->class_total, b->class_rank, b->class_times,
                      b->class_level, b->class_benchmark, b->class_hash, b->copy, b->text, b->key, b->filter,
                      b->feature,
                      b->rank, b->posting_start,
                      b->contain_start, b->posting, b->contain };

    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) free(owned[i]);
}

int near_index_build(struct stage *stage, struct unit_key key, const struct near_options *options,
                     const struct near_minimums *minimums,
                     const struct index_document *documents, size_t count, int threads, struct err *err)
{
    struct index_builder b = { .options = options, .minimums = minimums, .document = documents,
                                 .document_count = count };
    struct ratio         lowest = options->report_floor.den ? options->report_floor : options->set_threshold;
    int                  rc;

    rc = collapse(&b, err);
    if (rc == 0) rc = texts_fill(&b, err);
    if (rc == 0) rc = dictionary_number(&b, threads, err);
    if (rc == 0) rc = dictionary_fill(&b, err);
    if (rc == 0) rc = postings_fill(&b, lowest, 0, false, &b.posting_start, &b.posting, err);
    if (rc == 0)
        rc = postings_fill(&b, options->containment_threshold, near_inside_least(options), true, &b.contain_start,
                           &b.contain, err);
    if (rc == 0) rc = builder_commit(&b, stage, key, err);
    builder_free(&b);
    return rc;
}

/* Every document of a corpus is asked for, and nearly none is there: a bit in a table that stays in the cache says so.
 */
static int text_filter_make(struct near_index *index, struct err *err)
{
    enum { BITS_EACH = 16, LEAST_BITS = 6 };
    unsigned bits = LEAST_BITS;

    while ((size_t)1 << bits < index->texts * BITS_EACH) bits++;
    index->text_shift = 64 - bits;
    index->text_filter = calloc((size_t)1 << (bits - LEAST_BITS), sizeof *index->text_filter);
    if (!index->text_filter) return err_memory(err, (size_t)1 << (bits - 3), "a filter of texts");
    for (size_t i = 0; i < index->texts; i++) {
        uint64_t bit = index->text[i].sketch >> index->text_shift;

        index->text_filter[bit / 64] |= 1ull << bit % 64;
    }
    return 0;
}

int near_index_open(struct stage *stage, struct unit_key key, struct near_index *out, struct err *err)
{
    struct index_header header;
    const struct slice *s;
    int                 rc;

    *out = (struct near_index){ 0 };
    rc = stage_load(stage, "index", key, &out->file, err);
    if (rc <= 0) return rc;
    s = out->file.section;
    if (out->file.count != INDEX_SECTIONS || s[INDEX_HEADER].len != sizeof header) {
        near_index_close(out);
        return err_set(err, -EBADMSG, "%s: the index does not have the expected layout; remove the work folder with "
                                      "--clean", stage_dir(stage));
    }
    memcpy(&header, s[INDEX_HEADER].at, sizeof header);
    out->features = (uint32_t)header.features;
    out->classes = (uint32_t)header.classes;
    out->copies = header.copies;
    out->least = header.least;
    out->corpora = header.corpora;
    out->dictionary = (struct dictionary){
        .features = out->features, .key = (const uint64_t *)s[INDEX_KEY].at,
        .rank = (const uint32_t *)s[INDEX_RANK].at, .filter = (const uint64_t *)s[INDEX_FILTER].at,
        .slot_mask = (1ull << header.slot_bits) - 1, .factor = header.factor, .slot_shift = 64 - header.slot_bits,
        .filter_shift = 64 - header.filter_bits };
    out->class_start = (const uint64_t *)s[INDEX_CLASS_START].at;
    out->class_rank = (const uint32_t *)s[INDEX_CLASS_RANK].at;
    out->class_times = (const uint32_t *)s[INDEX_CLASS_TIMES].at;
    out->class_total = (const uint32_t *)s[INDEX_CLASS_TOTAL].at;
    out->class_level = (const uint32_t *)s[INDEX_CLASS_LEVEL].at;
    out->class_benchmark = (const uint8_t *)s[INDEX_CLASS_BENCHMARK].at;
    out->class_hash = (const struct content_hash *)s[INDEX_CLASS_HASH].at;
    out->largest = out->classes ? (uint32_t)(out->class_start[out->classes] - out->class_start[out->classes - 1]) : 0;
    out->posting_start = (const uint64_t *)s[INDEX_POSTING_START].at;
    out->posting = (const struct posting *)s[INDEX_POSTING].at;
    out->contain_start = (const uint64_t *)s[INDEX_CONTAIN_START].at;
    out->contain = (const struct posting *)s[INDEX_CONTAIN].at;
    out->copy = (const struct content_hash *)s[INDEX_COPY].at;
    out->text = (const struct index_text *)s[INDEX_TEXT].at;
    out->texts = s[INDEX_TEXT].len / sizeof *out->text;
    rc = text_filter_make(out, err);
    if (rc < 0) near_index_close(out);
    return rc < 0 ? rc : 1;
}

struct sought { const struct index_text *text; uint64_t sketch; };

static bool text_is_before(const void *context, size_t i)
{
    const struct sought *sought = context;

    return sought->text[i].sketch < sought->sketch;
}

static size_t text_first(const struct near_index *index, uint64_t sketch)
{
    return search_first(0, index->texts, text_is_before, &(struct sought){ index->text, sketch });
}

bool near_index_has_text(const struct near_index *index, uint64_t sketch)
{
    const uint64_t bit = sketch >> index->text_shift;
    size_t         first;

    if (!(index->text_filter[bit / 64] >> bit % 64 & 1)) return false;
    first = text_first(index, sketch);
    return first < index->texts && index->text[first].sketch == sketch;
}

bool near_index_is_apart(const struct near_index *index, const struct index_text *text)
{
    bool there = false;

    for (size_t at = text_first(index, text->sketch); at < index->texts; at++) {
        if (index->text[at].sketch != text->sketch) break;
        if (index->text[at].raw != text->raw) continue;
        if (index->text[at].copy == text->copy && index->text[at].multiset == text->multiset) return false;
        there = true;
    }
    return there;
}

void near_index_close(struct near_index *index)
{
    unit_close(&index->file);
    free(index->text_filter);
    *index = (struct near_index){ 0 };
}
