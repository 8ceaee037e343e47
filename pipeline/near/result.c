/* near/result.c -- see result.h.
 *
 * 1. Residents   2. Streamed documents   3. Classes and links   4. All together */
#include "near/result.h"

#include "base/sort.h"
#include "base/table.h"
#include "near/links.h"
#include "near/stages.h"

#include <errno.h>
#include <stdlib.h>

/* ---- 1. Residents ---- */

static bool is_admitted(const struct near_job *job, uint32_t dataset, const struct near_row *row)
{
    return row->total > 0 && row->total >= near_admits(job, dataset);
}

static struct near_document document_of(const struct near_job *job, const struct shard *shard, uint32_t shard_number,
                                        const struct near_row *row, const char *heap)
{
    return (struct near_document){ .row = row, .heap = heap, .number = row->record, .raw = row->raw,
                                   .total = row->total, .distinct = row->distinct, .dataset = shard->dataset,
                                   .shard = shard_number, .class_id = NO_CLASS, .copy_class = NO_CLASS,
                                   .admitted = is_admitted(job, shard->dataset, row) };
}

static void residents_add(struct near_residents *r, const struct pass_unit *unit, const struct near_job *job)
{
    const struct shard *shard = &job->run->shards->at[unit->shard];

    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice           rows = pass_unit_section(unit, p, PART_ROWS);
        const uint64_t        *hash = (const uint64_t *)pass_unit_section(unit, p, PART_VALUES).at;
        const uint32_t        *times = (const uint32_t *)pass_unit_section(unit, p, PART_COUNTS).at;
        const struct near_row *row = (const struct near_row *)rows.at;
        const char            *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            r->features[r->count] = (struct near_features){ hash + row[i].value_at, times + row[i].value_at };
            r->document[r->count++] = document_of(job, shard, unit->shard, &row[i], heap);
        }
    }
}

int near_residents_read(const struct near_job *job, struct near_residents *out, struct err *err)
{
    const struct pass_scanner collector = near_collector(job);
    struct pass_walk          walk = pass_walk_all(job->run, &collector);
    size_t                    rows = 0;
    int                       rc;

    *out = (struct near_residents){ 0 };
    while ((rc = pass_walk_next(&walk, err)) > 0) {
        for (uint64_t p = 0; p < walk.unit.header->parts; p++)
            rows += pass_unit_section(&walk.unit, p, PART_ROWS).len / sizeof(struct near_row);
        if ((rc = pass_units_keep(&out->units, &walk, err)) < 0) break;
    }
    pass_walk_close(&walk);
    if (rc == 0 && rows >= UINT32_MAX)
        rc = err_set(err, -EFBIG, "more than 4,294,967,294 resident documents; leave self_join off for this corpus");
    if (rc == 0) {
        out->document = malloc((rows + 1) * sizeof *out->document);
        out->features = malloc((rows + 1) * sizeof *out->features);
        if (!out->document || !out->features)
            rc = err_memory(err, rows * (sizeof *out->document + sizeof *out->features), "resident documents");
    }
    for (size_t u = 0; rc == 0 && u < out->units.count; u++) residents_add(out, &out->units.at[u], job);
    if (rc < 0) near_residents_free(out);
    return rc;
}

void near_residents_free(struct near_residents *residents)
{
    pass_units_free(&residents->units);
    free(residents->document);
    free(residents->features);
    *residents = (struct near_residents){ 0 };
}

/* ---- rows of streamed documents ---- */

static void near_kept_leave(const struct near_kept *kept)
{
    if (aside_is_mapped(&kept->aside)) aside_leave(kept->bytes.at, kept->bytes.len);
}

static bool kept_has(const struct near_kept *kept, const struct near_row *row)
{
    return (uintptr_t)row - (uintptr_t)kept->bytes.at < kept->bytes.len;
}

const struct near_row *near_row_of(const struct near_result *result, struct near_look *look,
                                   const struct near_document *document)
{
    if (document->aside && !kept_has(&result->kept[look->kept], document->row))
        for (size_t k = 0; k < result->kept_count; k++) {
            if (!kept_has(&result->kept[k], document->row)) continue;
            near_kept_leave(&result->kept[look->kept]);
            look->kept = k;
            break;
        }
    return document->row;
}

struct reading {                                            /* while the result is put together */
    const struct near_job *job;
    struct near_result    *result;
    size_t                 document_room;
    const struct near_index *benchmarks;
    struct table           classes, copies;
    /* [linked_room] streamed classes whose links are taken: all their documents have the same */
    unsigned char         *linked;
    size_t                 linked_room;
};

static int group_cell(struct reading *r, const struct near_document *document, const struct part_group *group,
                      uint32_t *out, struct err *err)
{
    const struct part_group *g = &group[document->row->group];

    return counts_cell(&r->result->counts, document->dataset,
                       (struct slice){ document->heap + g->split_at, g->split_len },
                     (struct slice){ document->heap + g->language_at, g->language_len }, out, err);
}

static int document_add(struct reading *r, struct near_document document, const struct part_group *group,
                        struct err *err)
{
    struct near_result *result = r->result;

    if (group_cell(r, &document, group, &document.cell, err) < 0) return err->code;
    if (near_resident(&r->job->run->datasets[document.dataset])) {
        result->counts.cell[document.cell].admitted += document.admitted;
        lengths_add(&result->lengths[document.dataset], document.row->total);
    }
    if (ARRAY_GROW(result->document, r->document_room, result->document_count) < 0)
        return err_memory(err, r->document_room * sizeof *result->document, "documents");
    result->document[result->document_count++] = document;
    return 0;
}

/* ---- 2. Streamed documents ---- */

static int link_add(struct reading *r, uint32_t a, uint32_t b, struct near_link link, struct err *err)
{
    if (a == b) return 0;
    link.first = a;
    link.second = b;
    return links_add(r->result->links, &link, err);
}

static int class_find(struct table *table, struct content_hash hash, uint32_t *count, uint32_t *out, struct err *err)
{
    bool added;

    *out = table_put(table, hash.low, hash.high, *count, &added);
    if (*out == TABLE_NONE) return err_memory(err, 64, "classes");
    *count += added;
    return 0;
}

static struct content_hash index_class_key(const struct near_index *index, uint32_t c)
{
    return near_class_key(index->class_hash[c], index->class_level[c]);
}

static int document_classify(struct reading *r, struct near_document *document, struct err *err)
{
    const struct near_row *row = document->row;
    struct content_hash    hash = { row->class_low, row->class_high }, copy = { row->copy_low, row->copy_high };
    uint32_t               level = minimums_level(&r->job->minimums, r->job->run->datasets, document->dataset);
    int                    rc = 0;

    if (document->admitted && (hash.low || hash.high))
        rc = class_find(&r->classes, near_class_key(hash, level), &r->result->class_count, &document->class_id, err);
    if (rc == 0 && (!document->admitted || row->total < r->job->minimums.most) && (copy.low || copy.high))
        rc = class_find(&r->copies, copy, &r->result->copy_class_count, &document->copy_class, err);
    return rc;
}

/* Marks a streamed document's class: 1 when its links were taken with an earlier document, or there is no class; 0;
 * -ENOMEM. */
static int links_taken(struct reading *r, uint32_t class_id, struct err *err)
{
    int taken;

    if (class_id == NO_CLASS) return 1;
    if (class_id >= r->linked_room) {
        size_t         room = 2 * (size_t)class_id + 1024;
        unsigned char *grown = realloc(r->linked, room);

        if (!grown) return err_memory(err, room, "links");
        memset(grown + r->linked_room, 0, room - r->linked_room);
        r->linked = grown;
        r->linked_room = room;
    }
    taken = r->linked[class_id];
    r->linked[class_id] = 1;
    return taken;
}

/* Rows are kept in pieces that stay where they are: the first small, as nearly all runs need no more. */
enum { KEPT_LEAST = 1 << 20, KEPT_MOST = 64 << 20 };

/* Rows and heap of a part, copied; NULL with err set. */
static char *keep_part(struct reading *r, struct slice rows, struct slice heap, struct err *err)
{
    struct near_result *result = r->result;
    struct near_kept   *kept = result->kept_count ? &result->kept[result->kept_count - 1] : NULL;
    const size_t        size = rows.len + heap.len, doubled = kept ? 2 * kept->bytes.room : KEPT_LEAST,
                        room = doubled < KEPT_MOST ? doubled : KEPT_MOST;
    char               *at;

    if (!kept || kept->bytes.room - kept->bytes.len < size) {
        if (kept && aside_end(&kept->aside, &kept->bytes, r->job->run->stage, err) < 0) return NULL;
        if (kept) near_kept_leave(kept);
        if (ARRAY_GROW(result->kept, result->kept_room, result->kept_count) < 0) {
            err_memory(err, result->kept_room * sizeof *kept, "documents");
            return NULL;
        }
        kept = &result->kept[result->kept_count];
        *kept = (struct near_kept){ 0 };
        if (aside_reserve(&kept->aside, r->job->run->stage, &kept->bytes, size > room ? size : room, err) < 0)
            return NULL;
        result->kept_count++;
    }
    at = kept->bytes.at + kept->bytes.len;
    if (aside_append(&kept->aside, r->job->run->stage, &kept->bytes, rows, err) < 0 ||
        aside_append(&kept->aside, r->job->run->stage, &kept->bytes, heap, err) < 0) return NULL;
    kept->bytes.len = (kept->bytes.len + 63) / 64 * 64;
    if (kept->bytes.len > kept->bytes.room) kept->bytes.len = kept->bytes.room;
    return at;
}

/* Copies what a unit of the scan holds of matched documents, so that the unit can be closed: there may be very many. */
static int matched_add(struct reading *r, const struct pass_unit *unit, uint32_t shard_number, struct err *err)
{
    const struct shard *shard = &r->job->run->shards->at[shard_number];
    const char         *behind = NULL;

    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice            rows = pass_unit_section(unit, p, PART_ROWS),
            heap = pass_unit_section(unit, p, PART_HEAP);
        const struct near_link *link = (const struct near_link *)pass_unit_section(unit, p, PART_VALUES).at;
        const struct near_row  *row = (const struct near_row *)rows.at;
        const char             *kept;
        int                     taken;

        unit_forget_before(&unit->file, pass_unit_section(unit, p, PART_GROUPS).at, &behind);
        if (!rows.len) continue;
        kept = keep_part(r, rows, heap, err);
        if (!kept) return err->code;
        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            struct near_document document = document_of(r->job, shard, shard_number, &row[i], heap.at), *added;

            document.aside = true;
            if (document_classify(r, &document, err) < 0 ||
                document_add(r, document, (const struct part_group *)pass_unit_section(unit, p, PART_GROUPS).at,
                             err) < 0) return err->code;
            added = &r->result->document[r->result->document_count - 1];
            added->row = (const struct near_row *)(const void *)kept + i;
            added->heap = kept + rows.len;
            taken = links_taken(r, document.class_id, err);
            if (taken < 0) return taken;
            if (taken) continue;
            for (uint32_t l = 0; l < row[i].value_count; l++) {
                struct near_link found = link[row[i].value_at + l];
                uint32_t         second = 0;

                if (class_find(&r->classes, index_class_key(r->benchmarks, found.second), &r->result->class_count,
                               &second, err) < 0 ||
                    link_add(r, document.class_id, second, found, err) < 0) return err->code;
            }
            unit_forget_before(&unit->file, link + row[i].value_at, &behind);
        }
    }
    return 0;
}

/* ---- 3. Classes and links ---- */

static int joined_links(struct reading *r, const struct near_index *index, struct unit_key key, struct err *err)
{
    for (uint64_t block = 0; block * JOIN_BLOCK < index->classes; block++) {
        struct unit unit;
        int         rc = stage_load(r->job->run->stage, "join", near_join_key(key, block), &unit, err);

        if (rc == 0)
            rc = err_set(err, -EIO,
                         "%s: a unit of the join has disappeared or is damaged; the same command again makes it anew",
                                  stage_dir(r->job->run->stage));
        if (rc < 0) return rc;
        for (size_t s = 0; s < unit.count && rc >= 0; s++) {
            const struct near_link *link = (const struct near_link *)unit.section[s].at;

            for (size_t l = 0; l < unit.section[s].len / sizeof *link && rc >= 0; l++) {
                uint32_t first = 0, second = 0;

                rc = class_find(&r->classes, index_class_key(index, link[l].first), &r->result->class_count, &first,
                                err);
                if (rc == 0)
                    rc = class_find(&r->classes, index_class_key(index, link[l].second), &r->result->class_count,
                                    &second, err);
                if (rc == 0) rc = link_add(r, first, second, link[l], err);
            }
            if (unit.section[s].len) unit_forget(&unit);
        }
        unit_close(&unit);
        if (rc < 0) return rc;
    }
    return 0;
}

/* ---- 4. All together ---- */

/* Until now it is the record in its shard. */
static void documents_number(struct near_result *result)
{
    for (size_t d = 0; d < result->document_count; d++)
        result->document[d].number = counts_number(&result->counts, result->document[d].shard,
                                                   result->document[d].number);
}

/* By dataset and number.  Residents and streamed documents each came in order, so often there is nothing to do. */
static int documents_sort(struct near_result *result, struct err *err)
{
    size_t                count = result->document_count, descents = 0;
    struct sort_item     *item, *spare;
    struct near_document *sorted;

    for (size_t d = 1; d < count; d++) {
        const struct near_document *x = &result->document[d - 1], *y = &result->document[d];

        descents += x->dataset > y->dataset || (x->dataset == y->dataset && x->number > y->number);
    }
    if (!descents) return 0;
    item = malloc(count * sizeof *item);
    spare = malloc(count * sizeof *spare);
    sorted = malloc(count * sizeof *sorted);
    if (!item || !spare || !sorted) {
        free(item);
        free(spare);
        free(sorted);
        return err_memory(err, count * sizeof *sorted, "documents");
    }
    for (size_t d = 0; d < count; d++) item[d] = (struct sort_item){ result->document[d].number, d };
    sort_items(item, spare, count);
    for (size_t d = 0; d < count; d++) item[d].key = result->document[item[d].value].dataset;
    sort_items(item, spare, count);
    for (size_t d = 0; d < count; d++) sorted[d] = result->document[item[d].value];
    free(item);
    free(spare);
    free(result->document);
    result->document = sorted;
    return 0;
}

static int residents_take(struct reading *r, struct err *err)
{
    struct near_residents *residents = &r->result->residents;
    size_t                 d = 0;

    for (size_t u = 0; u < residents->units.count; u++) {
        const struct pass_unit *unit = &residents->units.at[u];
        size_t                  rows = 0;

        for (uint64_t p = 0; p < unit->header->parts; p++) {
            const struct part_group *group = (const struct part_group *)pass_unit_section(unit, p, PART_GROUPS).at;

            rows = pass_unit_section(unit, p, PART_ROWS).len / sizeof(struct near_row);
            for (size_t i = 0; i < rows; i++, d++)
                if (document_classify(r, &residents->document[d], err) < 0 ||
                    document_add(r, residents->document[d], group, err) < 0)
                    return err->code;
        }
    }
    return 0;
}

static void streamed_lengths(struct reading *r, const struct pass_unit *unit)
{
    struct near_lengths *sum = &r->result->lengths[r->job->run->shards->at[unit->shard].dataset];
    const char          *behind = NULL;

    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice lengths = pass_unit_section(unit, p, PART_COUNTS);

        unit_forget_before(&unit->file, lengths.at, &behind);
        for (size_t at = 0; at + sizeof *sum <= lengths.len; at += sizeof *sum)
            lengths_sum(sum, (const struct near_lengths *)(const void *)(lengths.at + at));
    }
}

/* The last piece is complete. */
static int kept_end(struct reading *r, struct err *err)
{
    struct near_kept *last = r->result->kept_count ? &r->result->kept[r->result->kept_count - 1] : NULL;

    return last ? aside_end(&last->aside, &last->bytes, r->job->run->stage, err) : 0;
}

static int streamed_take(struct reading *r, struct err *err)
{
    const struct pass_scanner scanner = near_scanner(r->job);
    struct pass_walk          walk = pass_walk_all(r->job->run, &scanner);
    int                       rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        rc = counts_add_unit(&r->result->counts, &walk.unit, err);
        if (rc == 0) rc = matched_add(r, &walk.unit, walk.unit.shard, err);
        if (rc == 0) streamed_lengths(r, &walk.unit);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    return rc < 0 ? rc : kept_end(r, err);
}

static int residents_count(struct reading *r, struct err *err)
{
    const struct near_residents *residents = &r->result->residents;

    for (size_t u = 0; u < residents->units.count; u++)
        if (counts_add_unit(&r->result->counts, &residents->units.at[u], err) < 0) return err->code;
    /* the pass did not know which are admitted: document_add counts them */
    for (size_t c = 0; c < r->result->counts.cell_count; c++) r->result->counts.cell[c].admitted = 0;
    return 0;
}

struct resident_text { struct index_text text; uint32_t dataset; };

static int resident_order(const void *a, const void *b)
{
    const struct resident_text *x = a, *y = b;

    return (x->text.raw > y->text.raw) - (x->text.raw < y->text.raw);
}

/* At this moment the counts are those of the residents. */
static bool languages_differ(const struct scan_counts *counts)
{
    for (size_t c = 1; c < counts->cell_count; c++)
        if (!slice_equal(counts->cell[c].language, counts->cell[0].language)) return true;
    return false;
}

/* Residents with the bytes of one that is of another language. */
static int residents_apart(struct near_result *result, struct err *err)
{
    const struct near_residents *residents = &result->residents;
    struct resident_text        *at;
    size_t                       count = 0;

    if (!languages_differ(&result->counts)) return 0;
    at = malloc((residents->count + 1) * sizeof *at);
    if (!at) return err_memory(err, residents->count * sizeof *at, "texts");
    for (size_t d = 0; d < residents->count; d++) {
        const struct near_row *row = residents->document[d].row;

        if (row->total)
            at[count++] = (struct resident_text){ { row->sketch, row->raw.low, row->copy_low, row->class_low },
                                                  residents->document[d].dataset };
    }
    qsort(at, count, sizeof *at, resident_order);
    for (size_t from = 0, to; from < count; from = to) {
        bool apart = false;

        for (to = from; to < count && at[to].text.raw == at[from].text.raw; to++)
            apart |= at[to].text.copy != at[from].text.copy || at[to].text.multiset != at[from].text.multiset;
        for (size_t i = from; apart && i < to; i++) result->lengths[at[i].dataset].apart++;
    }
    free(at);
    return 0;
}

static int index_open(const struct near_job *job, struct unit_key key, struct near_index *out, struct err *err)
{
    int rc = near_index_open(job->run->stage, key, out, err);

    if (rc == 0)
        return err_set(err, -EIO, "%s: the index has disappeared or is damaged; the same command again makes it anew",
                       stage_dir(job->run->stage));
    return rc < 0 ? rc : 0;
}

int near_result_read(const struct near_job *job, struct near_result *out, struct err *err)
{
    struct reading    r = { .job = job, .result = out };
    struct near_index benchmarks = { 0 }, residents = { 0 };
    struct unit_key   key = near_index_key(job, INDEX_BENCHMARKS);
    const struct runs_options options = links_options(job->run->stage, run_memory_sorting(job->run));
    uint32_t         *place = NULL;
    bool              corpora = false, streamed = false;
    int               rc;

    *out = (struct near_result){ 0 };
    for (size_t d = 0; d < job->run->dataset_count; d++) corpora |= job->run->datasets[d].self_join;
    for (size_t s = 0; s < job->run->shards->count; s++)
        streamed |= !near_resident(&job->run->datasets[job->run->shards->at[s].dataset]);

    rc = counts_open(&out->counts, job->run->datasets, job->run->shards, err);
    if (rc == 0) rc = runs_open(&out->links, &options, err);
    out->lengths = calloc(job->run->dataset_count + 1, sizeof *out->lengths);
    if (rc == 0 && !out->lengths) rc = err_memory(err, job->run->dataset_count * sizeof *out->lengths, "lengths");
    if (rc == 0) rc = near_residents_read(job, &out->residents, err);
    if (rc == 0) rc = residents_count(&r, err);
    if (rc == 0) rc = residents_take(&r, err);
    if (rc == 0) rc = residents_apart(out, err);
    if (rc == 0 && (!corpora || streamed)) rc = index_open(job, key, &benchmarks, err);
    if (rc == 0) {
        r.benchmarks = &benchmarks;
        rc = streamed_take(&r, err);
    }
    if (rc == 0 && corpora) {
        rc = index_open(job, near_index_key(job, INDEX_RESIDENTS), &residents, err);
        if (rc == 0) rc = joined_links(&r, &residents, near_index_key(job, INDEX_RESIDENTS), err);
    } else if (rc == 0) rc = joined_links(&r, &benchmarks, key, err);
    if (rc == 0) rc = runs_end(out->links, err);
    if (rc == 0) out->link = runs_records(out->links, &out->link_count);
    if (rc == 0) rc = counts_finish(&out->counts, &place, err);
    if (rc == 0) documents_number(out);
    if (rc == 0) rc = documents_sort(out, err);
    for (size_t d = 0; rc == 0 && d < out->document_count; d++) out->document[d].cell = place[out->document[d].cell];
    free(place);
    near_index_close(&benchmarks);
    near_index_close(&residents);
    table_free(&r.classes);
    table_free(&r.copies);
    free(r.linked);
    if (rc < 0) near_result_free(out);
    return rc;
}

void near_result_free(struct near_result *result)
{
    for (size_t k = 0; k < result->kept_count; k++) aside_free(&result->kept[k].aside, &result->kept[k].bytes);
    free(result->kept);
    free(result->document);
    free(result->lengths);
    counts_free(&result->counts);
    runs_close(result->links);
    near_residents_free(&result->residents);
    *result = (struct near_result){ 0 };
}
