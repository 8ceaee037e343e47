/* pass/counts.c -- see counts.h. */
#include "pass/counts.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>

int counts_open(struct scan_counts *out, const struct dataset *datasets, const struct shard_list *shards,
                struct err *err)
{
    *out = (struct scan_counts){ .datasets = datasets, .shards = shards };
    out->shard = calloc(shards->count + 1, sizeof *out->shard);
    out->shard_reject = calloc(shards->count + 1, sizeof *out->shard_reject);
    return out->shard && out->shard_reject ? 0 : err_memory(err, shards->count * sizeof *out->shard, "shards");
}

void counts_free(struct scan_counts *counts)
{
    for (size_t i = 0; i < counts->name_count; i++) free(counts->name[i]);
    free(counts->name);
    free(counts->cell);
    free(counts->shard);
    free(counts->reject);
    free(counts->shard_reject);
    bytes_free(&counts->paths);
    table_free(&counts->cells);
    *counts = (struct scan_counts){ 0 };
}

/* ---- cells ---- */

int counts_cell(struct scan_counts *c, uint32_t dataset, struct slice split, struct slice language, uint32_t *out,
                struct err *err)
{
    struct unit_key key = unit_key_add(unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, &dataset, sizeof dataset),
                                                    split.at, split.len), language.at, language.len);
    char           *copy;
    bool            added;

    *out = table_put(&c->cells, key.low, key.high, (uint32_t)c->cell_count, &added);
    if (*out == TABLE_NONE) return err_memory(err, sizeof *c->cell, "counts");
    if (!added) return 0;
    if (ARRAY_GROW(c->cell, c->cell_room, c->cell_count) < 0 ||
        ARRAY_GROW(c->name, c->name_room, c->name_count) < 0) return err_memory(err, 64,
                "counts");
    copy = malloc(split.len + language.len + 1);
    if (!copy) return err_memory(err, split.len + language.len, "counts");
    c->name[c->name_count++] = copy;
    if (split.len) memcpy(copy, split.at, split.len);
    if (language.len) memcpy(copy + split.len, language.at, language.len);
    c->cell[c->cell_count++] = (struct scan_cell){ .dataset = dataset, .split = { copy, split.len },
                                                   .language = { copy + split.len, language.len } };
    return 0;
}

/* The cell of what is known before a record is read: the listed split, the configured language. */
static int cell_of_shard(struct scan_counts *c, const struct shard *shard, uint32_t *out, struct err *err)
{
    const struct dataset *dataset = &c->datasets[shard->dataset];
    char                  name[VIEW_LANGUAGE_NAME] = "";

    if (dataset->language) view_language_name(slice_of(dataset->language), name);
    return counts_cell(c, shard->dataset, slice_of(dataset->splits[shard->split].name), slice_of(name), out, err);
}

/* A dataset of which no record could be used, or that has none, must not vanish: it has a cell for each listed split.
 */
static int cells_of_empty(struct scan_counts *c, struct err *err)
{
    for (size_t s = 0; s < c->shards->count; s++) {
        const struct shard *shard = &c->shards->at[s];
        const char         *split = c->datasets[shard->dataset].splits[shard->split].name;
        bool                there = false;
        uint32_t            cell;

        for (size_t i = 0; i < c->cell_count && !there; i++)
            there = c->cell[i].dataset == shard->dataset && (!*split || slice_equal(c->cell[i].split, slice_of(split)));
        if (!there && cell_of_shard(c, shard, &cell, err) < 0) return err->code;
    }
    return 0;
}

/* What was passed over before a record was read, by the listing of a tree; then all of a shard joins its cell. */
static int skips_take(struct scan_counts *c, struct err *err)
{
    for (size_t s = 0; s < c->shards->count; s++) {
        uint32_t cell;

        skips_add(&c->shard[s].skipped, &c->shards->at[s].skipped);
        if (!skips_sum(&c->shard[s].skipped)) continue;
        if (cell_of_shard(c, &c->shards->at[s], &cell, err) < 0) return err->code;
        c->cell[cell].skipped += skips_sum(&c->shard[s].skipped);
    }
    return 0;
}

/* ---- units ---- */

int counts_add_unit(struct scan_counts *c, const struct pass_unit *unit, struct err *err)
{
    const struct shard   *shard = &c->shards->at[unit->shard];
    struct scan_shard    *counts = &c->shard[unit->shard];
    struct pass_behind    behind = { { 0 } };
    uint32_t              cell;

    counts->documents += unit->header->documents;
    counts->rejected += unit->header->rejected;
    skips_add(&counts->skipped, &unit->header->skipped);
    counts->xxh3 = unit->header->xxh3;
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice             groups = pass_unit_section(unit, p, PART_GROUPS),
            rejects = pass_unit_section(unit, p, PART_REJECTS);
        const struct part_group *group = (const struct part_group *)groups.at;
        const struct reject     *reject = (const struct reject *)rejects.at;
        const char              *heap = pass_unit_section(unit, p, PART_HEAP).at;

        pass_unit_leave(unit, p, &behind);
        for (size_t g = 0; g < groups.len / sizeof *group; g++) {
            if (counts_cell(c, shard->dataset, (struct slice){ heap + group[g].split_at, group[g].split_len },
                          (struct slice){ heap + group[g].language_at, group[g].language_len }, &cell,
                              err) < 0) return err->code;
            c->cell[cell].documents += group[g].documents;
            c->cell[cell].admitted += group[g].admitted;
            c->cell[cell].bytes += group[g].bytes;
        }
        for (size_t i = 0; i < rejects.len / sizeof *reject; i++) {
            if (cell_of_shard(c, shard, &cell, err) < 0 ||
                ARRAY_GROW(c->reject, c->reject_room, c->reject_count) < 0)
                return err->code ? err->code : err_memory(err, sizeof(struct scan_reject), "rejects");
            c->cell[cell].rejected += reject_records(&reject[i], 1);
            c->reject[c->reject_count++] = (struct scan_reject){ .shard = unit->shard, .reject = reject[i],
                                                                 .path_at = c->paths.len };
            if (reject[i].path_len && bytes_append(&c->paths, heap + reject[i].path_at, reject[i].path_len) < 0)
                return err_memory(err, c->paths.len, "paths");
        }
    }
    return 0;
}

/* ---- all together ---- */

static int reject_order(const void *a, const void *b)
{
    const struct scan_reject *x = a, *y = b;

    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    return (x->reject.record > y->reject.record) - (x->reject.record < y->reject.record);
}

static int cell_order(const void *a, const void *b, void *cells)
{
    const struct scan_cell *x = &((const struct scan_cell *)cells)[*(const uint32_t *)a],
        *y = &((const struct scan_cell *)cells)[*(const uint32_t *)b];
    int                     c;

    if (x->dataset != y->dataset) return x->dataset < y->dataset ? -1 : 1;
    c = slice_compare(x->split, y->split);
    return c ? c : slice_compare(x->language, y->language);
}

static int cells_sort(struct scan_counts *c, uint32_t **out, struct err *err)
{
    size_t            count = c->cell_count;
    uint32_t         *order = malloc((count + 1) * sizeof *order), *place = malloc((count + 1) * sizeof *place);
    struct scan_cell *sorted = malloc((count + 1) * sizeof *sorted);

    *out = place;
    if (!order || !place || !sorted) {
        free(order);
        free(sorted);
        return err_memory(err, count * 64, "counts");
    }
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    if (count) qsort_r(order, count, sizeof *order, cell_order, c->cell);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = c->cell[order[i]];
        place[order[i]] = i;
    }
    free(c->cell);
    free(order);
    c->cell = sorted;
    table_clear(&c->cells);                                 /* it names places that were before */
    return 0;
}

/* Documents of a dataset count from 0 over its shards; in a shard, a document's number is its record's less the rejects
 * and the binary files before it. */
int counts_finish(struct scan_counts *counts, uint32_t **place, struct err *err)
{
    *place = NULL;
    if (cells_of_empty(counts, err) < 0 || skips_take(counts, err) < 0) return err->code;
    if (counts->reject_count) qsort(counts->reject, counts->reject_count, sizeof *counts->reject, reject_order);
    for (size_t i = 0; i < counts->reject_count; i++) {
        struct scan_reject *reject = &counts->reject[i];

        reject->until = reject->reject.records + (i && reject[-1].shard == reject->shard ? reject[-1].until : 0);
        counts->shard_reject[reject->shard + 1]++;
    }
    for (size_t s = 0; s < counts->shards->count; s++) {
        counts->shard_reject[s + 1] += counts->shard_reject[s];
        if (s && counts->shards->at[s].dataset == counts->shards->at[s - 1].dataset)
            counts->shard[s].first = counts->shard[s - 1].first + counts->shard[s - 1].documents;
    }
    return cells_sort(counts, place, err);
}

uint64_t counts_number(const struct scan_counts *counts, uint32_t shard, uint64_t record)
{
    const size_t first = counts->shard_reject[shard], end = counts->shard_reject[shard + 1],
        at = search_u64(counts->reject, sizeof *counts->reject, offsetof(struct scan_reject, reject.record), first, end,
                        record);

    return counts->shard[shard].first + record - (at > first ? counts->reject[at - 1].until : 0);
}

static int shard_read(struct scan_counts *counts, const struct pass *pass, const struct pass_scanner *scanner,
                      uint32_t s, struct err *err)
{
    struct pass_walk walk = pass_walk_shard(pass->run, scanner, s);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0)
        if ((rc = counts_add_unit(counts, &walk.unit, err)) < 0) break;
    pass_walk_close(&walk);
    return rc;
}

int counts_read(struct scan_counts *out, const struct pass *pass, const struct shard_list *shards, struct err *err)
{
    uint32_t *place = NULL;
    int       rc = counts_open(out, pass->run->datasets, shards, err);

    for (uint32_t s = 0; s < shards->count && rc == 0; s++) {
        const struct dataset *dataset = &pass->run->datasets[shards->at[s].dataset];

        for (size_t i = 0; i < pass->scanner_count; i++) {
            const struct pass_scanner *scanner = &pass->scanner[i];

            if (scanner->takes && !scanner->takes(scanner->shared, dataset)) continue;
            rc = shard_read(out, pass, scanner, s, err);
            break;
        }
    }
    if (rc == 0) rc = counts_finish(out, &place, err);
    free(place);
    return rc;
}
