/* passage/index.c -- building and mapping the index of the items' runs.
 *
 * 1. Items   2. Prefixes   3. The file
 *
 * The result is a function of the items alone: entries and runs are numbered in the order in which they are met. */
#include "passage/index.h"

#include "base/table.h"

#include <errno.h>
#include <stdlib.h>

enum section {
    SECTION_HEADER, SECTION_ENTRY, SECTION_ITEM, SECTION_BELOW, SECTION_ALL, SECTION_RUN, SECTION_DONOR,
    SECTION_POSTING_START, SECTION_POSTING, SECTION_LANGUAGE, SECTION_NEED, SECTION_KEY, SECTION_ID, SECTION_FILTER,
    SECTION_PREFIX_FILTER,
    SECTIONS
};

enum { SLOT_BITS_LEAST = 4 };

struct header { uint64_t decoys, runs, slot_bits, filter_bits, prefix_bits, factor; };

/* What the builder owns, to free it and to count it. */
#define OWNED(b) { &(b)->entry, &(b)->item, &(b)->below, &(b)->all, &(b)->run, &(b)->donor, &(b)->posting_start, \
    &(b)->posting, &(b)->language, &(b)->need, &(b)->filter, &(b)->prefix_filter, &(b)->key_of, &(b)->count_of }

/* Is there room for what is held?  0, or -ENOMEM with err set. */
static int memory_look(struct passage_builder *b, struct err *err)
{
    struct bytes *owned[] = OWNED(b);
    uint64_t      held = (sizeof *b->slots.key + sizeof *b->slots.id) << b->slots.bits;

    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) held += owned[i]->len;
    return run_memory_check(b->job->run, false, held + b->sets.room * sizeof(struct table_slot),
                            "passages: runs of the benchmarks",
                            "raise near_duplicates.passage_least, or write near_duplicates.passages: off", err);
}

static int out_of_memory(const struct passage_builder *b, struct err *err)
{
    return err_memory(err, b->run.len + b->key_of.len, "the index of passages");
}

/* ---- 1. Items ---- */

/* The id of a run, made when it is new. */
static uint32_t run_id(struct passage_builder *b, uint64_t key)
{
    const uint32_t next = (uint32_t)(b->key_of.len / sizeof key), none = 0;
    uint64_t       at = slots_find(&b->slots, key);

    if (b->slots.key[at]) return b->slots.id[at];
    if (slots_reserve(&b->slots, next + 1ull, SLOT_BITS_LEAST) < 0) return TABLE_NONE;
    at = slots_find(&b->slots, key);
    if (bytes_append(&b->key_of, &key, sizeof key) < 0 || bytes_append(&b->count_of, &none, sizeof none) < 0)
        return TABLE_NONE;
    b->slots.key[at] = key;
    b->slots.id[at] = next;
    return next;
}

/* The entry of these runs, made when it is new. */
static int entry_of(struct passage_builder *b, const struct passage_item *item, const uint64_t *key, uint32_t *out)
{
    const struct content_hash set = content_hash_raw((struct slice){ (const char *)key, item->runs * sizeof *key });
    const uint32_t       next = (uint32_t)(b->entry.len / sizeof(struct passage_entry));
    struct passage_entry entry = { .run_at = b->run.len / sizeof(uint32_t), .language = item->language,
                                   .runs = item->runs,
                                   .need = (uint32_t)ratio_ceil(b->job->near->options->passages, item->runs),
                                   .longer = passage_longer(item->features) };
    bool                 added;

    *out = table_put(&b->sets, set.low, set.high ^ item->features, next, &added);
    if (*out == TABLE_NONE) return -ENOMEM;
    if (!added) return 0;
    for (uint32_t i = 0; i < item->runs; i++) {
        const uint32_t id = run_id(b, key[i]);

        if (id == TABLE_NONE || bytes_append(&b->run, &id, sizeof id) < 0) return -ENOMEM;
        ((uint32_t *)(void *)b->count_of.at)[id]++;
    }
    return bytes_append(&b->entry, &entry, sizeof entry);
}

static int items_of_unit(struct passage_builder *b, const struct pass_unit *unit)
{
    const uint32_t dataset = b->job->run->shards->at[unit->shard].dataset;

    for (uint64_t p = 0; p < unit->header->parts; p++) {
        const struct slice         rows = pass_unit_section(unit, p, PART_ROWS);
        const struct passage_item *item = (const void *)rows.at;
        const uint64_t            *key = (const void *)pass_unit_section(unit, p, PART_VALUES).at;

        for (size_t i = 0; i < rows.len / sizeof *item; i++) {
            struct passage_of of = { .record = item[i].record, .shard = unit->shard };

            ((uint64_t *)(void *)b->all.at)[dataset]++;
            if (item[i].runs < b->job->near->options->passage_least) {
                ((uint64_t *)(void *)b->below.at)[dataset]++;
                continue;
            }
            if (entry_of(b, &item[i], key + item[i].value_at, &of.entry) < 0 ||
                bytes_append(&b->item, &of, sizeof of) < 0) return -ENOMEM;
        }
    }
    return 0;
}

static int items_read(struct passage_builder *b, struct err *err)
{
    const struct pass_scanner collector = passage_collector(b->job);
    struct pass_walk          walk = pass_walk_all(b->job->run, &collector);
    const size_t              counts = b->job->run->dataset_count * sizeof(uint64_t);
    int                       rc = bytes_reserve(&b->all, counts + 1);

    if (rc == 0) rc = bytes_reserve(&b->below, counts + 1);
    if (rc < 0) return out_of_memory(b, err);
    memset(b->all.at, 0, counts);
    memset(b->below.at, 0, counts);
    b->all.len = b->below.len = counts;
    while ((rc = pass_walk_next(&walk, err)) > 0) {
        rc = items_of_unit(b, &walk.unit) < 0 ? out_of_memory(b, err) : memory_look(b, err);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    if (rc == 0 && b->run.len / sizeof(uint32_t) >= UINT32_MAX / 4)
        rc = err_set(err, -EFBIG, "more than %u runs in the items of benchmarks are too many for passages",
                     UINT32_MAX / 4 - 1);
    return rc;
}

/* ---- 2. Prefixes ---- */

static int rarest_first(const void *a, const void *b, void *context)
{
    const uint32_t *count = context, x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (count[x] != count[y]) return count[x] < count[y] ? -1 : 1;
    return (x > y) - (x < y);
}

/* Puts the runs of each entry in order, and each entry under the runs of its prefix. */
static int prefixes_make(struct passage_builder *b)
{
    const struct passage_entry *entry = (const void *)b->entry.at;
    const size_t                entries = b->entry.len / sizeof *entry, runs = b->key_of.len / sizeof(uint64_t);
    uint32_t                   *run = (void *)b->run.at, *posting;
    uint64_t                   *start, sum = 0;

    if (bytes_reserve(&b->posting_start, (runs + 2) * sizeof *start) < 0) return -ENOMEM;
    start = (void *)b->posting_start.at;
    memset(start, 0, (runs + 2) * sizeof *start);
    for (size_t e = 0; e < entries; e++) {
        uint32_t *of = run + entry[e].run_at;

        qsort_r(of, entry[e].runs, sizeof *of, rarest_first, b->count_of.at);
        for (uint32_t i = 0; i <= entry[e].runs - entry[e].need; i++) start[of[i] + 2]++, sum++;
    }
    if (bytes_reserve(&b->posting, (sum + 1) * sizeof *posting) < 0) return -ENOMEM;
    posting = (void *)b->posting.at;
    for (size_t r = 0; r < runs; r++) start[r + 2] += start[r + 1];
    for (size_t e = 0; e < entries; e++)                    /* start[r + 1] becomes the end of r */
        for (uint32_t i = 0; i <= entry[e].runs - entry[e].need; i++)
            posting[start[run[entry[e].run_at + i] + 1]++] = (uint32_t)e;
    b->posting_start.len = (runs + 1) * sizeof *start;
    b->posting.len = sum * sizeof *posting;
    return 0;
}

/* A bitmap of the keys of so many of the runs: of all, or of those in prefixes. */
static int filter_make(const struct passage_builder *b, uint64_t count, bool all, struct bytes *out, unsigned *bits)
{
    const uint64_t *key = (const void *)b->key_of.at, *start = (const void *)b->posting_start.at;
    uint64_t       *filter;

    for (*bits = 6; 1ull << *bits < 16 * (count + 1);) ++*bits;
    if (bytes_reserve(out, (size_t)1 << (*bits - 3)) < 0) return -ENOMEM;
    out->len = (size_t)1 << (*bits - 3);
    memset(out->at, 0, out->len);
    filter = (void *)out->at;
    for (size_t r = 0; r < b->key_of.len / sizeof *key; r++) {
        const uint64_t bit = key[r] >> (64 - *bits);

        if (all || start[r + 1] > start[r]) filter[bit >> 6] |= 1ull << (bit & 63);
    }
    return 0;
}

/* Bitmaps of keys. */
static int filters_make(struct passage_builder *b)
{
    const uint64_t *start = (const void *)b->posting_start.at;
    const size_t    runs = b->key_of.len / sizeof(uint64_t);
    uint64_t        prefixes = 0;

    for (size_t r = 0; r < runs; r++) prefixes += start[r + 1] > start[r];
    if (filter_make(b, runs, true, &b->filter, &b->filter_bits) < 0) return -ENOMEM;
    return filter_make(b, prefixes, false, &b->prefix_filter, &b->prefix_bits);
}

/* ---- 3. The file ---- */

static int index_commit(struct passage_builder *b, struct unit_key key, struct err *err)
{
    const struct header header = { b->decoys, b->key_of.len / sizeof(uint64_t), b->slots.bits, b->filter_bits,
                                   b->prefix_bits, scatter_factor[0] };
    const struct slice  section[SECTIONS] = {
        [SECTION_HEADER]        = { (const char *)&header, sizeof header },
        [SECTION_ENTRY]         = bytes_slice(&b->entry),
        [SECTION_ITEM]          = bytes_slice(&b->item),
        [SECTION_BELOW]         = bytes_slice(&b->below),
        [SECTION_ALL]           = bytes_slice(&b->all),
        [SECTION_RUN]           = bytes_slice(&b->run),
        [SECTION_DONOR]         = bytes_slice(&b->donor),
        [SECTION_POSTING_START] = bytes_slice(&b->posting_start),
        [SECTION_POSTING]       = bytes_slice(&b->posting),
        [SECTION_LANGUAGE]      = bytes_slice(&b->language),
        [SECTION_NEED]          = bytes_slice(&b->need),
        [SECTION_KEY]           = { (const char *)b->slots.key, sizeof *b->slots.key << b->slots.bits },
        [SECTION_ID]            = { (const char *)b->slots.id, sizeof *b->slots.id << b->slots.bits },
        [SECTION_FILTER]        = bytes_slice(&b->filter),
        [SECTION_PREFIX_FILTER] = bytes_slice(&b->prefix_filter),
    };

    return stage_commit(b->job->run->stage, "passages", key, section, SECTIONS, err);
}

int passage_index_build(const struct passage_job *job, struct unit_key key, struct err *err)
{
    struct passage_builder b = { .job = job };
    struct bytes          *owned[] = OWNED(&b);
    int                    rc = slots_reserve(&b.slots, 0, SLOT_BITS_LEAST) < 0 ? out_of_memory(&b, err)
        : items_read(&b, err);

    if (rc == 0 && (passage_add_decoys(&b) < 0 || prefixes_make(&b) < 0 || filters_make(&b) < 0))
        rc = out_of_memory(&b, err);
    if (rc == 0) rc = index_commit(&b, key, err);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) bytes_free(owned[i]);
    table_free(&b.sets);
    slots_free(&b.slots);
    return rc;
}

int passage_index_open(struct stage *stage, struct unit_key key, struct passage_index *out, struct err *err)
{
    struct header       header;
    const struct slice *s;
    int                 rc;

    *out = (struct passage_index){ 0 };
    rc = stage_load(stage, "passages", key, &out->file, err);
    if (rc <= 0) return rc;
    s = out->file.section;
    if (out->file.count != SECTIONS || s[SECTION_HEADER].len != sizeof header) {
        passage_index_close(out);
        return err_set(err, -EBADMSG, "%s: the index of passages does not have the expected layout; remove the work "
                                      "folder with --clean", stage_dir(stage));
    }
    memcpy(&header, s[SECTION_HEADER].at, sizeof header);
    out->entries = (uint32_t)(s[SECTION_ENTRY].len / sizeof *out->entry);
    out->items = (uint32_t)(s[SECTION_ITEM].len / sizeof *out->item);
    out->languages = (uint32_t)(s[SECTION_LANGUAGE].len / sizeof *out->language);
    out->decoys = (uint32_t)header.decoys;
    out->runs = (uint32_t)header.runs;
    out->entry = (const void *)s[SECTION_ENTRY].at;
    out->item = (const void *)s[SECTION_ITEM].at;
    out->below = (const void *)s[SECTION_BELOW].at;
    out->all = (const void *)s[SECTION_ALL].at;
    out->run = (const void *)s[SECTION_RUN].at;
    out->donor = (const void *)s[SECTION_DONOR].at;
    out->posting_start = (const void *)s[SECTION_POSTING_START].at;
    out->posting = (const void *)s[SECTION_POSTING].at;
    out->language = (const void *)s[SECTION_LANGUAGE].at;
    out->need = (const void *)s[SECTION_NEED].at;
    out->key = (const void *)s[SECTION_KEY].at;
    out->id = (const void *)s[SECTION_ID].at;
    out->filter = (const void *)s[SECTION_FILTER].at;
    out->slot_mask = (1ull << header.slot_bits) - 1;
    out->slot_shift = (unsigned)(64 - header.slot_bits);
    out->filter_shift = (unsigned)(64 - header.filter_bits);
    out->prefix_filter = (const void *)s[SECTION_PREFIX_FILTER].at;
    out->prefix_shift = (unsigned)(64 - header.prefix_bits);
    out->factor = header.factor;
    return 1;
}

void passage_index_close(struct passage_index *index)
{
    unit_close(&index->file);
    *index = (struct passage_index){ 0 };
}
