/* dedup/result.c -- see result.h.  Columns, fates and links are read in the order of their ordinals. */
#include "dedup/result.h"

#include "base/runs.h"
#include "base/table.h"
#include "dedup/state.h"

#include <errno.h>
#include <stdlib.h>

struct reading {
    struct dedup_job    *job;
    struct dedup_result *result;
    size_t               document_room, fate_room, reject_room, cell_room;
    struct table         cells;
    struct bytes         names;                             /* of cells, one after the other */
    /* a bit an ordinal: it stands for a class that has a link */
    uint64_t            *linked;
};

/* ---- links ---- */

enum { LINKS_STEP = 1 << 17 };                              /* those behind are left to the cache */

static uint64_t link_key(const void *record) { return ((const struct dedup_link *)record)->first; }

/* The links of one block. */
static int links_take(struct reading *r, const struct links *links, struct err *err)
{
    struct dedup_result *result = r->result;
    int                  rc = 0;

    for (size_t l = 0; l < links->count && rc == 0; l++) {
        const struct dedup_link *link = &links->link[l];

        if (link->second >= result->catalogue.documents || link->first >= link->second)
            return err_set(err, -EBADMSG, "%s: a unit of links names documents that are not there; remove the work "
                                          "folder with --clean", stage_dir(r->job->run->stage));
        r->linked[link->first >> 6] |= 1ull << (link->first & 63);
        r->linked[link->second >> 6] |= 1ull << (link->second & 63);
        rc = runs_add(result->links, link, err);
        if (l % LINKS_STEP == LINKS_STEP - 1) unit_forget(&links->file);
    }
    return rc;
}

/* The links' key follows from the catalogue and the settings, as dedup_run has made it. */
static int links_read(struct reading *r, const struct dedup_state *state, struct err *err)
{
    const struct runs_options options = { .stage = r->job->run->stage, .name = "links",
                                          .size = sizeof(struct dedup_link), .key = link_key,
                                          .memory = run_memory_sorting(r->job->run) };
    struct dedup_result *result = r->result;
    int                  rc = runs_open(&result->links, &options, err);

    for (uint32_t b = 0; b < state->blocks && rc == 0; b++) {
        struct links links;

        rc = links_load(state, b, &links, err);
        if (rc == 0)
            rc = err_set(err, -EIO, "%s: links have disappeared or are damaged; the same command again makes them "
                                    "anew", stage_dir(r->job->run->stage));
        if (rc < 0) break;
        rc = links_take(r, &links, err);
        unit_close(&links.file);
    }
    if (rc == 0) rc = runs_end(result->links, err);
    if (rc == 0) result->link = runs_records(result->links, &result->link_count);
    return rc;
}

/* ---- cells ---- */

/* The cell of a dataset, split and language; made when new.  Strings are offsets in r->names until the end. */
static int cell_find(struct reading *r, uint32_t dataset, struct slice split, struct slice language, uint32_t *out,
                     struct err *err)
{
    struct dedup_result *result = r->result;
    struct unit_key      key =
        unit_key_add(unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, &dataset, sizeof dataset), split.at,
                                  split.len), language.at, language.len);
    size_t               at = r->names.len;
    bool                 added;

    *out = table_put(&r->cells, key.low, key.high, (uint32_t)result->cell_count, &added);
    if (*out == TABLE_NONE) return err_memory(err, sizeof *result->cell, "counts");
    if (!added) return 0;
    if (ARRAY_GROW(result->cell, r->cell_room, result->cell_count) < 0 ||
        bytes_append_slice(&r->names, split) < 0 || bytes_append_slice(&r->names, language) < 0) return err_memory(err,
                64, "counts");
    result->cell[result->cell_count++] = (struct dedup_cell){ .dataset = dataset,
                                                              .split = { (const char *)(uintptr_t)at, split.len },
                                                              .language =
                                                                  { (const char *)(uintptr_t)(at + split.len),
                                                                    language.len } };
    return 0;
}

/* What is known before a record is read: the listed split, the configured language. */
static int cell_of_shard(struct reading *r, uint32_t shard, uint32_t *out, struct err *err)
{
    const struct dataset *dataset = &r->job->run->datasets[r->job->run->shards->at[shard].dataset];
    char                  name[VIEW_LANGUAGE_NAME] = "";

    if (dataset->language) view_language_name(slice_of(dataset->language), name);
    return cell_find(r, r->job->run->shards->at[shard].dataset,
                     slice_of(dataset->splits[r->job->run->shards->at[shard].split].name), slice_of(name), out, err);
}

static int cell_order(const void *a, const void *b, void *cells)
{
    const struct dedup_cell *x = &((const struct dedup_cell *)cells)[*(const uint32_t *)a],
        *y = &((const struct dedup_cell *)cells)[*(const uint32_t *)b];
    int                      c;

    if (x->dataset != y->dataset) return x->dataset < y->dataset ? -1 : 1;
    c = slice_compare(x->split, y->split);
    return c ? c : slice_compare(x->language, y->language);
}

static int cells_finish(struct reading *r, struct err *err)
{
    struct dedup_result *result = r->result;
    size_t               count = result->cell_count;
    uint32_t            *order = malloc((count + 1) * sizeof *order);
    struct dedup_cell   *sorted = malloc((count + 1) * sizeof *sorted);

    if (!order || !sorted) {
        free(order);
        free(sorted);
        return err_memory(err, count * 80, "counts");
    }
    for (uint32_t c = 0; c < count; c++) {
        order[c] = c;
        result->cell[c].split.at = r->names.at + (uintptr_t)result->cell[c].split.at;
        result->cell[c].language.at = r->names.at + (uintptr_t)result->cell[c].language.at;
    }
    if (count) qsort_r(order, count, sizeof *order, cell_order, result->cell);
    for (uint32_t c = 0; c < count; c++) sorted[c] = result->cell[order[c]];
    free(result->cell);
    free(order);
    result->cell = sorted;
    result->names = r->names.at;
    r->names = (struct bytes){ 0 };
    return 0;
}

/* A dataset of which no record could be used must not vanish: it has a cell for each listed split. */
static int cells_of_empty(struct reading *r, struct err *err)
{
    for (size_t u = 0; u < r->result->catalogue.count; u++) {
        const struct shard *shard = &r->job->run->shards->at[r->result->catalogue.unit[u].shard];
        const char         *split = r->job->run->datasets[shard->dataset].splits[shard->split].name;
        bool                there = false;
        uint32_t            cell;

        for (size_t c = 0; c < r->result->cell_count && !there; c++) {
            struct slice of = { r->names.at + (uintptr_t)r->result->cell[c].split.at, r->result->cell[c].split.len };

            there = r->result->cell[c].dataset == shard->dataset && (!*split || slice_equal(of, slice_of(split)));
        }
        if (!there && cell_of_shard(r, r->result->catalogue.unit[u].shard, &cell, err) < 0) return err->code;
    }
    return 0;
}

/* What was passed over, in a tree's listing too, joins the cells of the shards that take part. */
static int skips_take(struct reading *r, struct err *err)
{
    const struct catalogue *catalogue = &r->result->catalogue;

    for (size_t u = 0; u < catalogue->count; u++) {
        uint32_t            shard = catalogue->unit[u].shard, cell;
        struct dedup_shard *counts = &r->result->shard[shard];

        if (u && catalogue->unit[u - 1].shard == shard) continue;
        skips_add(&counts->skipped, &r->job->run->shards->at[shard].skipped);
        if (!skips_sum(&counts->skipped)) continue;
        if (cell_of_shard(r, shard, &cell, err) < 0) return err->code;
        r->result->cell[cell].skipped += skips_sum(&counts->skipped);
    }
    return 0;
}

/* ---- units ---- */

static int rejects_take(struct reading *r, const struct column_unit *unit, uint64_t part, uint32_t shard,
                        struct err *err)
{
    struct dedup_result *result = r->result;
    struct slice         section = pass_unit_section(&unit->file, part, PART_REJECTS);
    const struct reject *reject = (const struct reject *)section.at;
    const char          *heap = pass_unit_section(&unit->file, part, PART_HEAP).at;
    uint32_t             cell;

    for (size_t i = 0; i < section.len / sizeof *reject; i++) {
        if (reject_is_skip(&reject[i])) continue;
        if (cell_of_shard(r, shard, &cell, err) < 0) return err->code;
        if (ARRAY_GROW(result->reject, r->reject_room, result->reject_count) < 0)
            return err_memory(err, sizeof *result->reject, "rejects");
        result->cell[cell].rejected += reject[i].records;
        result->reject[result->reject_count++] = (struct dedup_reject){ shard, reject[i], heap };
    }
    return 0;
}

static bool has_link(const struct reading *r, uint64_t ordinal)
{
    return r->linked[ordinal >> 6] >> (ordinal & 63) & 1;
}

/* Places are found when all documents are known. */
static int document_add(struct reading *r, uint64_t ordinal, const struct dedup_row *row, const struct dedup_fate *fate,
                        struct err *err)
{
    struct dedup_result *result = r->result;
    const size_t         n = result->document_count;

    if (n == DEDUP_NO_PLACE)
        return err_set(err, -EOVERFLOW, "pass dedup: more than %zu documents are not alone; graph.db cannot hold them",
                       n);
    if (ARRAY_GROW(result->document, r->document_room, n) < 0 || ARRAY_GROW(result->fate, r->fate_room, n) < 0)
        return err_memory(err, n * (sizeof *result->document + sizeof *result->fate), "documents");
    result->document[n] = (struct dedup_document){ ordinal, row->raw, DEDUP_NO_PLACE, row->admitted };
    result->fate[n] = (struct graph_fate){ DEDUP_NO_PLACE, fate->size, row->total, row->distinct, !fate->removed };
    result->listed[ordinal >> 6] |= 1ull << (ordinal & 63);
    result->document_count++;
    return 0;
}

/* A part's documents: counts into cells, those that are not alone into the list. */
static int part_take(struct reading *r, const struct column_unit *unit, uint64_t part, uint32_t shard, uint64_t first,
                     const struct dedup_fate *fate, struct err *err)
{
    struct dedup_result     *result = r->result;
    uint32_t                 dataset = r->job->run->shards->at[shard].dataset, *cell;
    const char              *heap;
    size_t                   groups;
    const struct part_group *group = columns_groups(unit, part, &groups, &heap);
    int                      rc = 0;

    cell = malloc((groups + 1) * sizeof *cell);
    if (!cell) return err_memory(err, groups * sizeof *cell, "counts");
    for (size_t g = 0; g < groups && rc == 0; g++) {
        rc = cell_find(r, dataset, (struct slice){ heap + group[g].split_at, group[g].split_len },
                       (struct slice){ heap + group[g].language_at, group[g].language_len },
                       &cell[g], err);
        if (rc < 0) break;
        result->cell[cell[g]].documents += group[g].documents;
        result->cell[cell[g]].admitted += group[g].admitted;
        result->cell[cell[g]].bytes += group[g].bytes;
    }
    for (uint32_t i = unit->part_first[part]; i < unit->part_first[part + 1] && rc == 0; i++) {
        const struct dedup_row *row = columns_row(unit, i, NULL);
        struct dedup_cell      *counts;

        if (row->group >= groups || fate[i].representative >= result->catalogue.documents ||
            fate[i].canonical >= result->catalogue.documents) {
            rc = err_set(err, -EBADMSG, "%s: units of columns and fates do not fit together; remove the work folder "
                                        "with --clean", stage_dir(r->job->run->stage));
            break;
        }
        counts = &result->cell[cell[row->group]];
        counts->removed += fate[i].removed;
        result->shard[shard].removed += fate[i].removed;
        counts->removed_bytes += fate[i].removed ? row->bytes : 0;
        if (fate[i].size < 2 && !has_link(r, fate[i].representative)) continue;
        if ((rc = document_add(r, first + i, row, &fate[i], err)) < 0) break;
    }
    free(cell);
    return rc;
}

static int units_take(struct reading *r, struct err *err)
{
    struct dedup_result *result = r->result;

    result->unit = calloc(result->catalogue.count + 1, sizeof *result->unit);
    if (!result->unit) return err_memory(err, result->catalogue.count * sizeof *result->unit, "units");
    for (size_t u = 0; u < result->catalogue.count; u++) {
        const struct catalogue_unit *unit = &result->catalogue.unit[u];
        struct dedup_shard          *shard = &result->shard[unit->shard];
        struct fate_unit             fates;
        int                          rc = columns_load(r->job, &result->catalogue, u, false, &result->unit[u], err);

        if (rc == 0) rc = fate_load(r->job, &result->catalogue, u, &fates, err);
        if (rc < 0) return rc;
        if (fates.count != unit->documents)
            rc = err_set(err, -EBADMSG, "%s: a unit of fates has another number of documents than its columns",
                         stage_dir(r->job->run->stage));
        shard->documents += unit->documents;
        shard->rejected += unit->rejected;
        shard->xxh3 = unit->xxh3;
        skips_add(&shard->skipped, &result->unit[u].file.header->skipped);
        for (uint64_t p = 0; p < result->unit[u].file.header->parts && rc == 0; p++) {
            rc = part_take(r, &result->unit[u], p, unit->shard, unit->first, fates.fate, err);
            if (rc == 0) rc = rejects_take(r, &result->unit[u], p, unit->shard, err);
        }
        unit_close(&fates.file);
        unit_forget(&result->unit[u].file.file);
        if (rc < 0) return rc;
    }
    return 0;
}

/* ---- places ---- */

int dedup_place_missing(uint64_t ordinal, struct err *err)
{
    return err_set(err, -EBADMSG, "pass dedup: document %llu is named by another one and not there itself; remove "
                                  "work/ and run again", (unsigned long long)ordinal);
}

/* Of the documents of a unit, *at and those that follow. */
static int unit_places(struct dedup_result *result, const struct catalogue_unit *unit, const struct dedup_fate *fate,
                       size_t *at, struct err *err)
{
    for (; *at < result->document_count && result->document[*at].ordinal < unit->first + unit->documents; ++*at) {
        const struct dedup_fate *mine = &fate[result->document[*at].ordinal - unit->first];

        result->document[*at].representative = dedup_place(result, mine->representative);
        result->fate[*at].canonical = dedup_place(result, mine->canonical);
        if (result->document[*at].representative == DEDUP_NO_PLACE)
            return dedup_place_missing(mine->representative, err);
        if (result->fate[*at].canonical == DEDUP_NO_PLACE) return dedup_place_missing(mine->canonical, err);
    }
    return 0;
}

static int places_find(struct reading *r, struct err *err)
{
    struct dedup_result *result = r->result;
    const size_t         words = result->catalogue.documents / 64 + 1;
    size_t               at = 0;
    int                  rc = 0;

    result->before = malloc(words * sizeof *result->before);
    if (!result->before) return err_memory(err, words * sizeof *result->before, "places of documents");
    for (size_t w = 0, before = 0; w < words; w++) {
        result->before[w] = (uint32_t)before;
        before += (size_t)__builtin_popcountll(result->listed[w]);
    }
    /* none of them are still the pass's */
    if (ARRAY_GROW(result->fate, r->fate_room, result->document_count) < 0) rc = err_memory(err, 64, "documents");
    for (size_t u = 0; u < result->catalogue.count && rc == 0; u++) {
        struct fate_unit fates;

        rc = fate_load(r->job, &result->catalogue, u, &fates, err);
        if (rc < 0) break;
        rc = unit_places(result, &result->catalogue.unit[u], fates.fate, &at, err);
        unit_close(&fates.file);
    }
    return rc;
}

struct dedup_look dedup_look(const struct dedup_result *result, uint64_t ordinal)
{
    struct dedup_look look = { .unit = catalogue_find(&result->catalogue, ordinal) };
    const uint64_t    i = ordinal - result->catalogue.unit[look.unit].first;

    look.row = columns_row(&result->unit[look.unit], i, &look.heap);
    look.group = columns_group(&result->unit[look.unit], i);
    return look;
}

/* ---- all of it ---- */

static int reject_order(const void *a, const void *b)
{
    const struct dedup_reject *x = a, *y = b;

    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    return (x->reject.record > y->reject.record) - (x->reject.record < y->reject.record);
}

int dedup_result_read(const struct dedup_job *job, struct dedup_result *out, struct err *err)
{
    struct dedup_job   mine = *job;                         /* read alone, whatever the other ranks do meanwhile */
    struct reading     r = { .job = &mine, .result = out };
    struct dedup_state state = { 0 };
    int                rc;

    *out = (struct dedup_result){ .shard = calloc(job->run->shards->count + 1, sizeof *out->shard) };
    if (!out->shard) return err_memory(err, job->run->shards->count * sizeof *out->shard, "shards");
    rc = state_read(&state, &mine, err);
    if (rc == 0) {
        out->catalogue = state.catalogue;
        state.catalogue = (struct catalogue){ 0 };
        r.linked = calloc(out->catalogue.documents / 64 + 1, sizeof *r.linked);
        out->listed = calloc(out->catalogue.documents / 64 + 1, sizeof *out->listed);
        rc = r.linked && out->listed ? links_read(&r, &state, err) : err_memory(err, out->catalogue.documents / 4,
                                                                                "documents with links");
    }
    if (rc == 0) rc = units_take(&r, err);
    if (rc == 0) rc = places_find(&r, err);
    if (rc == 0) rc = cells_of_empty(&r, err);
    if (rc == 0) rc = skips_take(&r, err);
    if (rc == 0) rc = cells_finish(&r, err);
    if (rc == 0 && out->reject_count) qsort(out->reject, out->reject_count, sizeof *out->reject, reject_order);
    state_close(&state);
    table_free(&r.cells);
    bytes_free(&r.names);
    free(r.linked);
    if (rc < 0) dedup_result_free(out);
    return rc;
}

void dedup_result_free(struct dedup_result *result)
{
    for (size_t u = 0; result->unit && u < result->catalogue.count; u++) columns_close(&result->unit[u]);
    catalogue_free(&result->catalogue);
    free(result->document);
    free(result->fate);
    free(result->listed);
    free(result->before);
    runs_close(result->links);
    free(result->cell);
    free(result->shard);
    free(result->reject);
    free(result->unit);
    free(result->names);
    *result = (struct dedup_result){ 0 };
}
