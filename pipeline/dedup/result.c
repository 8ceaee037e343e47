/* dedup/result.c -- see result.h.  Columns, fates and links are read in the order of their ordinals. */
#include "dedup/result.h"

#include "base/table.h"
#include "dedup/state.h"

#include <errno.h>
#include <stdlib.h>

struct reading {
    struct dedup_job    *job;
    struct dedup_result *result;
    size_t               reject_room, cell_room;
    uint32_t             place;                             /* of the next document that is not alone */
    struct table         cells;
    struct bytes         names;                             /* of cells, one after the other */
    /* a bit an ordinal: it stands for a class that has a link, or others */
    uint64_t            *linked, *copied;
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
        bits_set(r->linked, link->first);
        bits_set(r->linked, link->second);
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

/* A unit's fates, one for each document, that name documents. */
static int fates_open(const struct reading *r, size_t u, struct fate_unit *out, struct err *err)
{
    const struct catalogue *catalogue = &r->result->catalogue;
    int                     rc = fate_load(r->job, catalogue, u, out, err);
    bool                    fit;

    if (rc < 0) return rc;
    fit = out->count == catalogue->unit[u].documents;
    for (size_t i = 0; i < out->count && fit; i++)
        fit = out->fate[i].representative < catalogue->documents && out->fate[i].canonical < catalogue->documents;
    if (fit) return 0;
    unit_close(&out->file);
    return err_set(err, -EBADMSG, "%s: units of columns and fates do not fit together; remove the work folder with "
                                  "--clean", stage_dir(r->job->run->stage));
}

/* First: who is not alone. */
static int fates_survey(struct reading *r, struct err *err)
{
    struct dedup_result *result = r->result;
    int                  rc;

    for (size_t u = 0; u < result->catalogue.count; u++) {
        const uint64_t   first = result->catalogue.unit[u].first;
        struct fate_unit fates;

        if ((rc = fates_open(r, u, &fates, err)) < 0) return rc;
        for (size_t i = 0; i < fates.count; i++) {
            const struct dedup_fate *fate = &fates.fate[i];

            if (fate->representative != first + i) bits_set(r->copied, fate->representative);
            if (fate->size > 1 || bits_has(r->linked, fate->representative)) ranked_add(&result->listed, first + i);
        }
        unit_close(&fates.file);
    }
    rc = ranked_end(&result->listed);
    if (rc == -EOVERFLOW)
        return err_set(err, rc, "pass dedup: more than %u documents are not alone; graph.db cannot hold them",
                       RANKED_NONE);
    if (rc < 0) return err_memory(err, result->catalogue.documents / 16, "places of documents");
    result->fate = malloc((result->listed.count + 1ull) * sizeof *result->fate);
    result->representative = malloc((result->listed.count + 1ull) * sizeof *result->representative);
    result->admitted = calloc(result->listed.count / 64 + 1, sizeof *result->admitted);
    return result->fate && result->representative && result->admitted ? 0
        : err_memory(err, result->listed.count * (sizeof *result->fate + sizeof *result->representative), "documents");
}

int dedup_place_missing(uint64_t ordinal, struct err *err)
{
    return err_set(err, -EBADMSG, "pass dedup: document %llu is named by another one and not there itself; remove "
                                  "work/ and run again", (unsigned long long)ordinal);
}

/* The next one that is not alone. */
static int document_add(struct reading *r, uint64_t ordinal, const struct dedup_row *row, const struct dedup_fate *fate,
                        struct err *err)
{
    struct dedup_result *result = r->result;
    struct dedup_copy    copy = { ranked_place(&result->listed, fate->representative), r->place, row->raw };
    struct graph_fate   *out = &result->fate[r->place];

    *out = (struct graph_fate){ .canonical = ranked_place(&result->listed, fate->canonical), .features = row->total,
                                .distinct = row->distinct };
    if (fate->size > GRAPH_CLUSTER_MOST)
        return err_set(err, -EOVERFLOW, "pass dedup: a cluster of more than %u documents; graph.db cannot hold it",
                       GRAPH_CLUSTER_MOST);
    out->size = fate->size & GRAPH_CLUSTER_MOST;
    out->kept = !fate->removed;
    result->representative[r->place] = copy.representative;
    if (copy.representative == RANKED_NONE) return dedup_place_missing(fate->representative, err);
    if (out->canonical == RANKED_NONE) return dedup_place_missing(fate->canonical, err);
    if (row->admitted) bits_set(result->admitted, r->place);
    r->place++;
    return fate->representative == ordinal && !bits_has(r->copied, ordinal) ? 0
        : runs_add(result->copies, &copy, err);
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

        if (row->group >= groups) {
            rc = err_set(err, -EBADMSG, "%s: a unit of columns has a document of no group; remove the work folder "
                                        "with --clean", stage_dir(r->job->run->stage));
            break;
        }
        counts = &result->cell[cell[row->group]];
        counts->removed += fate[i].removed;
        result->shard[shard].removed += fate[i].removed;
        counts->removed_bytes += fate[i].removed ? row->bytes : 0;
        if (ranked_has(&result->listed, first + i)) rc = document_add(r, first + i, row, &fate[i], err);
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

        if (rc == 0) rc = fates_open(r, u, &fates, err);
        if (rc < 0) return rc;
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

/* A class's first comes first. */
static uint64_t copy_key(const void *record)
{
    const struct dedup_copy *copy = record;

    return (uint64_t)copy->representative << 32 | (copy->document == copy->representative ? 0 : copy->document + 1);
}

struct runs_options dedup_copies_options(struct stage *stage, uint64_t memory)
{
    return (struct runs_options){ .stage = stage, .name = "copies", .size = sizeof(struct dedup_copy), .key = copy_key,
                                  .memory = memory };
}

/* Bits of all documents. */
static int bits_open(struct reading *r, struct err *err)
{
    const uint64_t documents = r->result->catalogue.documents;

    r->linked = calloc(documents / 64 + 1, sizeof *r->linked);
    r->copied = calloc(documents / 64 + 1, sizeof *r->copied);
    return r->linked && r->copied && ranked_open(&r->result->listed, documents) == 0 ? 0
        : err_memory(err, documents / 8 * 3, "documents with links");
}

/* Links before documents: they say who is not alone. */
static int all_read(struct reading *r, const struct dedup_state *state, struct err *err)
{
    const struct run         *run = r->job->run;
    const struct runs_options copies = dedup_copies_options(run->stage, run_memory_sorting(run));
    int                       rc = bits_open(r, err);

    if (rc == 0) rc = links_read(r, state, err);
    if (rc == 0) rc = fates_survey(r, err);
    if (rc == 0) rc = runs_open(&r->result->copies, &copies, err);
    if (rc == 0) rc = units_take(r, err);
    if (rc == 0) rc = runs_end(r->result->copies, err);
    if (rc == 0) rc = cells_of_empty(r, err);
    if (rc == 0) rc = skips_take(r, err);
    return rc < 0 ? rc : cells_finish(r, err);
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
        rc = all_read(&r, &state, err);
    }
    if (rc == 0 && out->reject_count) qsort(out->reject, out->reject_count, sizeof *out->reject, reject_order);
    state_close(&state);
    table_free(&r.cells);
    bytes_free(&r.names);
    free(r.linked);
    free(r.copied);
    if (rc < 0) dedup_result_free(out);
    return rc;
}

void dedup_result_forget(struct dedup_result *result)
{
    free(result->representative);
    runs_close(result->copies);
    runs_close(result->links);
    result->representative = NULL;
    result->copies = result->links = NULL;
    result->link = NULL;
    result->link_count = 0;
}

void dedup_result_free(struct dedup_result *result)
{
    for (size_t u = 0; result->unit && u < result->catalogue.count; u++) columns_close(&result->unit[u]);
    dedup_result_forget(result);
    catalogue_free(&result->catalogue);
    ranked_free(&result->listed);
    free(result->fate);
    free(result->admitted);
    free(result->cell);
    free(result->shard);
    free(result->reject);
    free(result->unit);
    free(result->names);
    *result = (struct dedup_result){ 0 };
}
