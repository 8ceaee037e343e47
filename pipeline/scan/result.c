/* scan/result.c -- see result.h.
 *
 * 1. Residents   2. Cells and shards   3. Streamed documents   4. Classes and links   5. All together */
#include "scan/result.h"

#include "base/sort.h"
#include "base/table.h"
#include "scan/stages.h"

#include <errno.h>
#include <stdlib.h>

/* Doubles an array's room when it is full.  0 or -ENOMEM. */
static int grow(void **at, size_t *room, size_t count, size_t size)
{
    size_t wanted = *room ? 2 * *room : 256;
    void  *grown;

    if (count < *room) return 0;
    grown = realloc(*at, wanted * size);
    if (!grown) return -ENOMEM;
    *at = grown;
    *room = wanted;
    return 0;
}

static int missing_unit(const struct near_job *job, const struct shard *shard, uint64_t unit, struct err *err)
{
    return err_set(err, -EIO, "%s: unit %llu of %s has disappeared or is damaged; the same command again makes it anew",
                   stage_dir(job->stage), (unsigned long long)unit, shard->path);
}

/* ---- 1. Residents ---- */

static void residents_add(struct near_residents *r, const struct pass_unit *unit, const struct shard *shard, uint32_t shard_number)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice           rows = pass_unit_section(unit, p, PART_ROWS);
        const uint64_t        *hash = (const uint64_t *)pass_unit_section(unit, p, PART_VALUES).at;
        const uint32_t        *times = (const uint32_t *)pass_unit_section(unit, p, PART_COUNTS).at;
        const struct near_row *row = (const struct near_row *)rows.at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++)
            r->document[r->count++] = (struct near_document){
                .row = &row[i], .heap = pass_unit_section(unit, p, PART_HEAP).at, .hash = hash + row[i].value_at, .times = times + row[i].value_at,
                .dataset = shard->dataset, .shard = shard_number, .class_id = NO_CLASS, .copy_class = NO_CLASS };
    }
}

int near_residents_read(const struct near_job *job, struct near_residents *out, struct err *err)
{
    struct pass pass = { 0 };
    size_t      room = 0, rows = 0;
    int         rc;

    *out = (struct near_residents){ 0 };
    rc = near_pass_collect(job, &pass, err);
    free((void *)pass.item);
    for (size_t s = 0; rc == 0 && s < job->shards->count; s++) {
        const struct shard *shard = &job->shards->at[s];
        uint64_t            unit = 0;

        if (!near_resident(&job->datasets[shard->dataset])) continue;
        do {
            struct pass_unit *loaded;

            if (grow((void **)&out->unit, &room, out->unit_count, sizeof *out->unit) < 0) {
                rc = err_memory(err, room * sizeof *out->unit, "units");
                break;
            }
            loaded = &out->unit[out->unit_count];
            rc = pass_unit_load(&pass, shard, unit, loaded, err);
            if (rc == 0) rc = missing_unit(job, shard, unit, err);
            if (rc < 0) break;
            out->unit_count++;
            for (uint64_t p = 0; p < loaded->header->parts; p++) rows += pass_unit_section(loaded, p, PART_ROWS).len / sizeof(struct near_row);
            unit = loaded->header->next;
            rc = 0;
        } while (unit > 0);
    }
    if (rc == 0 && rows >= UINT32_MAX) rc = err_set(err, -EFBIG, "more than 4,294,967,294 resident documents; leave self_join off for this corpus");
    if (rc == 0) {
        out->document = malloc((rows + 1) * sizeof *out->document);
        if (!out->document) rc = err_memory(err, rows * sizeof *out->document, "resident documents");
    }
    for (size_t s = 0, u = 0; rc == 0 && s < job->shards->count; s++) {
        if (!near_resident(&job->datasets[job->shards->at[s].dataset])) continue;
        do residents_add(out, &out->unit[u], &job->shards->at[s], (uint32_t)s);
        while (out->unit[u++].header->next > 0);
    }
    if (rc < 0) near_residents_free(out);
    return rc;
}

void near_residents_free(struct near_residents *residents)
{
    for (size_t u = 0; u < residents->unit_count; u++) unit_close(&residents->unit[u].file);
    free(residents->unit);
    free(residents->document);
    *residents = (struct near_residents){ 0 };
}

/* ---- 2. Cells and shards ---- */

struct reading {                                            /* while the result is put together */
    const struct near_job *job;
    struct near_result    *result;
    size_t                 cell_room, reject_room, document_room, block_room, link_room;
    size_t                *shard_reject;                    /* [shards + 1] first reject of each shard */
    const struct near_index *benchmarks;
    struct table           classes, copies, cells;
    unsigned char         *linked;                          /* [linked_room] streamed classes whose links are taken: all their documents have the same */
    size_t                 linked_room;
};

static int keep_block(struct reading *r, void *block, struct err *err)
{
    if (!block || grow((void **)&r->result->block, &r->block_room, r->result->block_count, sizeof *r->result->block) < 0) {
        free(block);
        return err_memory(err, 64, "documents");
    }
    r->result->block[r->result->block_count++] = block;
    return 0;
}

/* The cell of a dataset, split and language; made when new.  The strings are copied then. */
static int cell_find(struct reading *r, uint32_t dataset, struct slice split, struct slice language, uint32_t *out, struct err *err)
{
    struct near_result *result = r->result;
    struct unit_key     key;
    char               *copy;
    bool                added;

    key = unit_key_add(unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, &dataset, sizeof dataset), split.at, split.len), language.at, language.len);
    *out = table_put(&r->cells, key.low, key.high, (uint32_t)result->cell_count, &added);
    if (*out == TABLE_NONE) return err_memory(err, sizeof *result->cell, "counts");
    if (!added) return 0;
    copy = malloc(split.len + language.len + 1);
    if (keep_block(r, copy, err) < 0) return err->code;
    if (split.len) memcpy(copy, split.at, split.len);
    if (language.len) memcpy(copy + split.len, language.at, language.len);
    if (grow((void **)&result->cell, &r->cell_room, result->cell_count, sizeof *result->cell) < 0) return err_memory(err, 64, "counts");
    result->cell[result->cell_count++] = (struct near_cell){ .dataset = dataset, .split = { copy, split.len },
                                                             .language = { copy + split.len, language.len } };
    return 0;
}

/* The cell of what is known before a record is read: the listed split, the configured language. */
static int cell_of_shard(struct reading *r, const struct shard *shard, uint32_t *out, struct err *err)
{
    const struct dataset *dataset = &r->job->datasets[shard->dataset];
    char                  name[VIEW_LANGUAGE_NAME] = "";

    if (dataset->language) view_language_name(slice_of(dataset->language), name);
    return cell_find(r, shard->dataset, slice_of(dataset->splits[shard->split].name), slice_of(name), out, err);
}

/* A dataset of which no record could be used, or that has none, must not vanish: it has a cell for each listed split. */
static int cells_of_empty(struct reading *r, struct err *err)
{
    for (size_t s = 0; s < r->job->shards->count; s++) {
        const struct shard *shard = &r->job->shards->at[s];
        const char         *split = r->job->datasets[shard->dataset].splits[shard->split].name;
        bool                there = false;
        uint32_t            cell;

        for (size_t c = 0; c < r->result->cell_count && !there; c++)
            there = r->result->cell[c].dataset == shard->dataset && (!*split || slice_equal(r->result->cell[c].split, slice_of(split)));
        if (!there && cell_of_shard(r, shard, &cell, err) < 0) return err->code;
    }
    return 0;
}

/* Counts of a unit: its groups into cells, its rejects, its shard.  map[] gets the cell of each group of part p for documents. */
static int unit_count(struct reading *r, const struct pass_unit *unit, uint32_t shard_number, struct err *err)
{
    const struct shard   *shard = &r->job->shards->at[shard_number];
    struct near_shard    *counts = &r->result->shard[shard_number];
    uint32_t              cell;

    counts->documents += unit->header->documents;
    counts->rejected += unit->header->rejected;
    counts->xxh3 = unit->header->xxh3;
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice             groups = pass_unit_section(unit, p, PART_GROUPS), rejects = pass_unit_section(unit, p, PART_REJECTS);
        const struct part_group *group = (const struct part_group *)groups.at;
        const struct reject     *reject = (const struct reject *)rejects.at;
        const char              *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t g = 0; g < groups.len / sizeof *group; g++) {
            if (cell_find(r, shard->dataset, (struct slice){ heap + group[g].split_at, group[g].split_len },
                          (struct slice){ heap + group[g].language_at, group[g].language_len }, &cell, err) < 0) return err->code;
            r->result->cell[cell].documents += group[g].documents;
            r->result->cell[cell].admitted += group[g].admitted;
            r->result->cell[cell].bytes += group[g].bytes;
        }
        for (size_t i = 0; i < rejects.len / sizeof *reject; i++) {
            if (cell_of_shard(r, shard, &cell, err) < 0 ||
                grow((void **)&r->result->reject, &r->reject_room, r->result->reject_count, sizeof *r->result->reject) < 0)
                return err->code ? err->code : err_memory(err, sizeof(struct near_reject), "rejects");
            r->result->cell[cell].rejected++;
            r->result->reject[r->result->reject_count++] = (struct near_reject){ shard_number, reject[i] };
        }
    }
    return 0;
}

static int group_cell(struct reading *r, const struct near_document *document, const struct part_group *group, uint32_t *out, struct err *err)
{
    const struct part_group *g = &group[document->row->group];

    return cell_find(r, document->dataset, (struct slice){ document->heap + g->split_at, g->split_len },
                     (struct slice){ document->heap + g->language_at, g->language_len }, out, err);
}

static int document_add(struct reading *r, struct near_document document, const struct part_group *group, struct err *err)
{
    struct near_result *result = r->result;

    if (group_cell(r, &document, group, &document.cell, err) < 0) return err->code;
    if (grow((void **)&result->document, &r->document_room, result->document_count, sizeof *result->document) < 0)
        return err_memory(err, r->document_room * sizeof *result->document, "documents");
    result->document[result->document_count++] = document;
    return 0;
}

/* ---- 3. Streamed documents ---- */

static int link_add(struct reading *r, uint32_t a, uint32_t b, struct near_link link, struct err *err)
{
    if (a == b) return 0;
    link.first = a;
    link.second = b;
    if (a > b) link = near_link_turned(link);
    if (grow((void **)&r->result->link, &r->link_room, r->result->link_count, sizeof link) < 0)
        return err_memory(err, r->link_room * sizeof link, "links");
    r->result->link[r->result->link_count++] = link;
    return 0;
}

static int class_find(struct table *table, struct content_hash hash, uint32_t *count, uint32_t *out, struct err *err)
{
    bool added;

    *out = table_put(table, hash.low, hash.high, *count, &added);
    if (*out == TABLE_NONE) return err_memory(err, 64, "classes");
    *count += added;
    return 0;
}

static int document_classify(struct reading *r, struct near_document *document, struct err *err)
{
    const struct near_row *row = document->row;
    struct content_hash    hash = { row->class_low, row->class_high };

    if (row->admitted) return class_find(&r->classes, hash, &r->result->class_count, &document->class_id, err);
    return class_find(&r->copies, hash, &r->result->copy_class_count, &document->copy_class, err);
}

/* Marks a streamed document's class: 1 when its links were taken with an earlier document, or there is no class; 0; -ENOMEM. */
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

/* Copies what a unit of the scan holds of matched documents, so that the unit can be closed: there may be very many. */
static int matched_add(struct reading *r, const struct pass_unit *unit, uint32_t shard_number, struct err *err)
{
    const struct shard *shard = &r->job->shards->at[shard_number];

    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice            rows = pass_unit_section(unit, p, PART_ROWS), heap = pass_unit_section(unit, p, PART_HEAP);
        const struct near_link *link = (const struct near_link *)pass_unit_section(unit, p, PART_VALUES).at;
        char                   *block;
        int                     taken;

        if (!rows.len) continue;
        block = malloc(rows.len + heap.len);
        if (keep_block(r, block, err) < 0) return err->code;
        memcpy(block, rows.at, rows.len);
        memcpy(block + rows.len, heap.at, heap.len);
        for (size_t i = 0; i < rows.len / sizeof(struct near_row); i++) {
            struct near_document document = { .row = (const struct near_row *)block + i, .heap = block + rows.len, .dataset = shard->dataset,
                                              .shard = shard_number, .class_id = NO_CLASS, .copy_class = NO_CLASS };

            if (document_classify(r, &document, err) < 0 ||
                document_add(r, document, (const struct part_group *)pass_unit_section(unit, p, PART_GROUPS).at, err) < 0) return err->code;
            taken = links_taken(r, document.class_id, err);
            if (taken < 0) return taken;
            if (taken) continue;
            for (uint32_t l = 0; l < document.row->value_count; l++) {
                struct near_link found = link[document.row->value_at + l];
                uint32_t         second = 0;

                if (class_find(&r->classes, r->benchmarks->class_hash[found.second], &r->result->class_count, &second, err) < 0 ||
                    link_add(r, document.class_id, second, found, err) < 0) return err->code;
            }
        }
    }
    return 0;
}

/* ---- 4. Classes and links ---- */

static int joined_links(struct reading *r, const struct near_index *index, struct unit_key key, struct err *err)
{
    for (uint64_t block = 0; block * JOIN_BLOCK < index->classes; block++) {
        struct unit unit;
        int         rc = stage_load(r->job->stage, "join", near_join_key(key, block), &unit, err);

        if (rc == 0) rc = err_set(err, -EIO, "%s: a unit of the join has disappeared or is damaged; the same command again makes it anew",
                                  stage_dir(r->job->stage));
        if (rc < 0) return rc;
        for (size_t s = 0; s < unit.count && rc >= 0; s++) {
            const struct near_link *link = (const struct near_link *)unit.section[s].at;

            for (size_t l = 0; l < unit.section[s].len / sizeof *link && rc >= 0; l++) {
                uint32_t first = 0, second = 0;

                rc = class_find(&r->classes, index->class_hash[link[l].first], &r->result->class_count, &first, err);
                if (rc == 0) rc = class_find(&r->classes, index->class_hash[link[l].second], &r->result->class_count, &second, err);
                if (rc == 0) rc = link_add(r, first, second, link[l], err);
            }
        }
        unit_close(&unit);
        if (rc < 0) return rc;
    }
    return 0;
}

static int links_finish(struct near_result *result, struct err *err)
{
    size_t            kept = 0, count = result->link_count;
    struct sort_item *item = malloc((count + 1) * sizeof *item), *spare = malloc((count + 1) * sizeof *spare);
    struct near_link *sorted = malloc((count + 1) * sizeof *sorted);

    if (!item || !spare || !sorted) {
        free(item);
        free(spare);
        free(sorted);
        return err_memory(err, count * 60, "links");
    }
    for (size_t l = 0; l < count; l++) item[l] = (struct sort_item){ (uint64_t)result->link[l].first << 32 | result->link[l].second, l };
    sort_items(item, spare, count);
    for (size_t l = 0; l < count; l++) sorted[l] = result->link[item[l].value];
    free(item);
    free(spare);
    free(result->link);
    result->link = sorted;
    for (size_t l = 0; l < result->link_count; l++) {       /* a pair of classes may be found by the join, from both its sides, and by the */
        struct near_link *last = kept ? &result->link[kept - 1] : NULL;     /* scan, which knows only of benchmark items inside: marks add up */

        if (last && last->first == result->link[l].first && last->second == result->link[l].second) last->marks |= result->link[l].marks;
        else result->link[kept++] = result->link[l];
    }
    result->link_count = kept;
    return 0;
}

/* ---- 5. All together ---- */

static int reject_order(const void *a, const void *b)
{
    const struct near_reject *x = a, *y = b;

    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    return (x->reject.record > y->reject.record) - (x->reject.record < y->reject.record);
}

/* Numbers: documents of a dataset count from 0 over its shards; in a shard, a document's number is its record's less the rejects before it. */
static int documents_number(struct reading *r, struct err *err)
{
    struct near_result *result = r->result;
    size_t              shards = r->job->shards->count, *first = calloc(shards + 1, sizeof *first);

    if (!first) return err_memory(err, shards * sizeof *first, "shards");
    if (result->reject_count) qsort(result->reject, result->reject_count, sizeof *result->reject, reject_order);
    for (size_t i = 0; i < result->reject_count; i++) first[result->reject[i].shard + 1]++;
    for (size_t s = 0; s < shards; s++) {
        first[s + 1] += first[s];
        if (s && r->job->shards->at[s].dataset == r->job->shards->at[s - 1].dataset)
            result->shard[s].first = result->shard[s - 1].first + result->shard[s - 1].documents;
    }
    for (size_t d = 0; d < result->document_count; d++) {
        struct near_document *document = &result->document[d];
        size_t                low = first[document->shard], high = first[document->shard + 1], before = low;

        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (result->reject[middle].reject.record < document->row->record) low = middle + 1;
            else high = middle;
        }
        document->number = result->shard[document->shard].first + document->row->record - (low - before);
    }
    free(first);
    return 0;
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

static int cell_order(const void *a, const void *b, void *cells)
{
    const struct near_cell *x = &((const struct near_cell *)cells)[*(const uint32_t *)a], *y = &((const struct near_cell *)cells)[*(const uint32_t *)b];
    int                     c;

    if (x->dataset != y->dataset) return x->dataset < y->dataset ? -1 : 1;
    c = slice_compare(x->split, y->split);
    return c ? c : slice_compare(x->language, y->language);
}

static int cells_sort(struct near_result *result, struct err *err)
{
    size_t            count = result->cell_count;
    uint32_t         *order = malloc((count + 1) * sizeof *order), *place = malloc((count + 1) * sizeof *place);
    struct near_cell *sorted = malloc((count + 1) * sizeof *sorted);

    if (!order || !place || !sorted) {
        free(order);
        free(place);
        free(sorted);
        return err_memory(err, count * 64, "counts");
    }
    for (uint32_t c = 0; c < count; c++) order[c] = c;
    if (count) qsort_r(order, count, sizeof *order, cell_order, result->cell);
    for (uint32_t c = 0; c < count; c++) {
        sorted[c] = result->cell[order[c]];
        place[order[c]] = c;
    }
    for (size_t d = 0; d < result->document_count; d++) result->document[d].cell = place[result->document[d].cell];
    free(result->cell);
    free(order);
    free(place);
    result->cell = sorted;
    return 0;
}

static int residents_take(struct reading *r, struct err *err)
{
    struct near_residents *residents = &r->result->residents;
    size_t                 d = 0;

    for (size_t u = 0; u < residents->unit_count; u++) {
        const struct pass_unit *unit = &residents->unit[u];
        size_t                  rows = 0;

        for (uint64_t p = 0; p < unit->header->parts; p++) {
            const struct part_group *group = (const struct part_group *)pass_unit_section(unit, p, PART_GROUPS).at;

            rows = pass_unit_section(unit, p, PART_ROWS).len / sizeof(struct near_row);
            for (size_t i = 0; i < rows; i++, d++)
                if (document_classify(r, &residents->document[d], err) < 0 || document_add(r, residents->document[d], group, err) < 0)
                    return err->code;
        }
    }
    return 0;
}

static int streamed_take(struct reading *r, const struct pass *scan, struct err *err)
{
    for (size_t s = 0; s < r->job->shards->count; s++) {
        const struct shard *shard = &r->job->shards->at[s];
        uint64_t            number = 0;

        if (near_resident(&r->job->datasets[shard->dataset])) continue;
        do {
            struct pass_unit unit;
            int              rc = pass_unit_load(scan, shard, number, &unit, err);

            if (rc == 0) rc = missing_unit(r->job, shard, number, err);
            if (rc < 0) return rc;
            number = unit.header->next;
            rc = unit_count(r, &unit, (uint32_t)s, err);
            if (rc == 0) rc = matched_add(r, &unit, (uint32_t)s, err);
            unit_close(&unit.file);
            if (rc < 0) return rc;
        } while (number > 0);
    }
    return 0;
}

static int residents_count(struct reading *r, struct err *err)
{
    const struct near_residents *residents = &r->result->residents;

    for (size_t s = 0, u = 0; s < r->job->shards->count; s++) {
        if (!near_resident(&r->job->datasets[r->job->shards->at[s].dataset])) continue;
        do if (unit_count(r, &residents->unit[u], (uint32_t)s, err) < 0) return err->code;
        while (residents->unit[u++].header->next > 0);
    }
    return 0;
}

static int index_open(const struct near_job *job, struct unit_key key, struct near_index *out, struct err *err)
{
    int rc = near_index_open(job->stage, key, out, err);

    if (rc == 0) return err_set(err, -EIO, "%s: the index has disappeared or is damaged; the same command again makes it anew", stage_dir(job->stage));
    return rc < 0 ? rc : 0;
}

int near_result_read(const struct near_job *job, struct near_result *out, struct err *err)
{
    struct reading    r = { .job = job, .result = out };
    struct near_index benchmarks = { 0 }, residents = { 0 };
    struct unit_key   key = near_index_key(job, INDEX_BENCHMARKS);
    struct pass       scan = { 0 };
    bool              corpora = false;
    int               rc;

    *out = (struct near_result){ .shard = calloc(job->shards->count + 1, sizeof *out->shard) };
    if (!out->shard) return err_memory(err, job->shards->count * sizeof *out->shard, "shards");
    for (size_t d = 0; d < job->dataset_count; d++) corpora |= job->datasets[d].self_join;

    rc = near_residents_read(job, &out->residents, err);
    if (rc == 0) rc = residents_count(&r, err);
    if (rc == 0) rc = residents_take(&r, err);
    if (rc == 0) rc = near_pass_scan(job, &key, &scan, err);
    if (rc == 0 && (!corpora || scan.item_count)) rc = index_open(job, key, &benchmarks, err);
    if (rc == 0) {
        r.benchmarks = &benchmarks;
        rc = streamed_take(&r, &scan, err);
    }
    if (rc == 0 && corpora) {
        rc = index_open(job, near_index_key(job, INDEX_RESIDENTS), &residents, err);
        if (rc == 0) rc = joined_links(&r, &residents, near_index_key(job, INDEX_RESIDENTS), err);
    } else if (rc == 0) rc = joined_links(&r, &benchmarks, key, err);
    if (rc == 0) rc = cells_of_empty(&r, err);
    if (rc == 0) rc = links_finish(out, err);
    if (rc == 0) rc = documents_number(&r, err);
    if (rc == 0) rc = documents_sort(out, err);
    if (rc == 0) rc = cells_sort(out, err);
    near_index_close(&benchmarks);
    near_index_close(&residents);
    table_free(&r.classes);
    table_free(&r.copies);
    table_free(&r.cells);
    free(r.linked);
    free((void *)scan.item);
    if (rc < 0) near_result_free(out);
    return rc;
}

void near_result_free(struct near_result *result)
{
    for (size_t b = 0; b < result->block_count; b++) free(result->block[b]);
    free(result->block);
    free(result->document);
    free(result->cell);
    free(result->shard);
    free(result->reject);
    free(result->link);
    near_residents_free(&result->residents);
    *result = (struct near_result){ 0 };
}
