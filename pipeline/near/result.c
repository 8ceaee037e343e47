/* near/result.c -- see result.h.
 *
 * 1. Residents   2. Streamed documents   3. Links   4. All together */
#include "near/result.h"

#include "base/table.h"
#include "near/documents.h"
#include "near/links.h"
#include "near/stages.h"

#include <errno.h>
#include <stdlib.h>

/* ---- 1. Residents ---- */

static struct near_document document_of(const struct near_job *job, const struct shard *shard, uint32_t shard_number,
                                        const struct near_row *row, const char *heap)
{
    return (struct near_document){ .row = row, .heap = heap, .number = row->record, .dataset = shard->dataset,
                                   .shard = shard_number,
                                   .admitted = near_is_admitted(job, shard->dataset, row->total) };
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

struct reading {                                            /* while the result is put together */
    const struct near_job *job;
    struct near_result    *result;
    const struct near_index *benchmarks;
    struct bytes           documents;                       /* of a part: struct near_document */
    struct table           classes;                         /* of residents: the keys of their classes */
    /* [class_count] streamed classes whose links are taken: all their documents have the same */
    unsigned char         *linked;
};

static int group_cell(struct reading *r, const struct near_document *document, const struct part_group *group,
                      uint32_t *out, struct err *err)
{
    const struct part_group *g = &group[document->row->group];

    return counts_cell(&r->result->counts, document->dataset,
                       (struct slice){ document->heap + g->split_at, g->split_len },
                     (struct slice){ document->heap + g->language_at, g->language_len }, out, err);
}

/* Counts a document, which is one of the part's then. */
static int document_add(struct reading *r, struct near_document document, const struct part_group *group,
                        struct err *err)
{
    struct near_result *result = r->result;

    if (group_cell(r, &document, group, &document.cell, err) < 0) return err->code;
    if (near_resident(&r->job->run->datasets[document.dataset])) {
        result->counts.cell[document.cell].admitted += document.admitted;
        lengths_add(&result->lengths[document.dataset], document.row->total);
    }
    return bytes_append(&r->documents, &document, sizeof document) < 0
               ? err_memory(err, r->documents.len, "documents") : 0;
}

/* The part's documents, where they stay. */
static int documents_take(struct reading *r, struct err *err)
{
    const struct near_document *document = (const struct near_document *)(const void *)r->documents.at;
    const size_t                count = r->documents.len / sizeof *document;

    r->documents.len = 0;
    return near_documents_add(r->result, r->job->run, document, count, err);
}

/* ---- 2. Streamed documents ---- */

/* Copies what a unit of the scan holds of matched documents, so that the unit can be closed: there may be very many. */
static int matched_add(struct reading *r, const struct pass_unit *unit, struct err *err)
{
    const struct shard *shard = &r->job->run->shards->at[unit->shard];
    struct pass_behind  behind = { { 0 } };

    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice             rows = pass_unit_section(unit, p, PART_ROWS),
            heap = pass_unit_section(unit, p, PART_HEAP), group = pass_unit_section(unit, p, PART_GROUPS);
        const struct near_row   *row = (const struct near_row *)rows.at, *kept;
        const size_t             count = rows.len / sizeof *row;
        struct near_document    *document;

        pass_unit_leave(unit, p, &behind);
        if (!count) continue;
        for (size_t i = 0; i < count; i++)
            if (document_add(r, document_of(r->job, shard, unit->shard, &row[i], heap.at),
                             (const struct part_group *)group.at, err) < 0) return err->code;
        if (!(kept = near_rows_keep(r->result, r->job->run, rows, heap, err))) return err->code;
        document = (struct near_document *)(void *)r->documents.at;
        for (size_t i = 0; i < count; i++) {
            document[i].aside = true;
            document[i].row = kept + i;
            document[i].heap = (const char *)(kept + count);
        }
        if (documents_take(r, err) < 0) return err->code;
    }
    return 0;
}

/* ---- 3. Links ---- */

static int link_add(struct reading *r, uint32_t a, uint32_t b, struct near_link link, struct err *err)
{
    if (a == b) return 0;
    link.first = a;
    link.second = b;
    return links_add(r->result->links, &link, err);
}

/* The number of a class of an index, or NO_CLASS: one of no document has no pairs. */
static uint32_t class_of_index(const struct reading *r, const struct near_index *index, uint32_t c)
{
    const struct content_hash key = near_class_key(index->class_hash[c], index->class_level[c]);

    return table_find(&r->classes, key.low, key.high);
}
_Static_assert(NO_CLASS == TABLE_NONE, "what is not in the table is in no class");

static int residents_classes(struct reading *r, struct err *err)
{
    const struct near_result *result = r->result;
    struct near_look          look = { 0 };
    bool                      unused;

    for (size_t d = 0; d < result->document_count; d++) {
        const struct near_document *document = near_document_at(result, &look, d);
        struct content_hash         key;

        if (document->aside || result->class_of[d] == NO_CLASS) continue;
        key = near_class_of(r->job, document, document->row);
        if (table_put(&r->classes, key.low, key.high, result->class_of[d], &unused) == TABLE_NONE)
            return err_memory(err, r->classes.room * sizeof *r->classes.slot, "classes");
    }
    return 0;
}

/* Links of a unit of the scan, whose documents are those behind *at: those of the first document of each class. */
static int matched_links(struct reading *r, const struct pass_unit *unit, struct near_look *look, size_t *at,
                         struct err *err)
{
    struct pass_behind behind = { { 0 } };

    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice            rows = pass_unit_section(unit, p, PART_ROWS);
        const struct near_link *link = (const struct near_link *)pass_unit_section(unit, p, PART_VALUES).at;
        const struct near_row  *row = (const struct near_row *)rows.at;

        pass_unit_leave(unit, p, &behind);
        for (size_t i = 0; i < rows.len / sizeof *row; i++, ++*at) {
            uint32_t first;

            while (*at < r->result->document_count && !near_document_at(r->result, look, *at)->aside) ++*at;
            if (*at == r->result->document_count)
                return err_set(err, -EIO, "%s: units of the scan changed while they were read",
                               stage_dir(r->job->run->stage));
            first = r->result->class_of[*at];
            if (first == NO_CLASS || r->linked[first]) continue;
            r->linked[first] = 1;
            for (uint32_t l = 0; l < row[i].value_count; l++) {
                const struct near_link *found = &link[row[i].value_at + l];
                const uint32_t          second = class_of_index(r, r->benchmarks, found->second);

                if (second != NO_CLASS && link_add(r, first, second, *found, err) < 0) return err->code;
            }
            unit_forget_before(&unit->file, link + row[i].value_at, &behind.at[PART_VALUES]);
        }
    }
    return 0;
}

/* Of all units of the scan, once more: classes have their numbers only when all documents are known.  Units were
 * verified when those were read. */
static int streamed_links(struct reading *r, struct err *err)
{
    const struct pass_scanner scanner = near_scanner(r->job);
    struct pass_walk          walk = pass_walk_all(r->job->run, &scanner);
    struct near_look          look = { 0 };
    size_t                    at = 0;
    int                       rc;

    walk.heads = true;
    while ((rc = pass_walk_next(&walk, err)) > 0)
        if ((rc = matched_links(r, &walk.unit, &look, &at, err)) < 0) break;
    pass_walk_close(&walk);
    return rc;
}

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
                const uint32_t first = class_of_index(r, index, link[l].first),
                               second = class_of_index(r, index, link[l].second);

                if (first != NO_CLASS && second != NO_CLASS) rc = link_add(r, first, second, link[l], err);
            }
            if (unit.section[s].len) unit_forget(&unit);
        }
        unit_close(&unit);
        if (rc < 0) return rc;
    }
    return 0;
}

/* ---- 4. All together ---- */

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
                if (document_add(r, residents->document[d], group, err) < 0) return err->code;
            if (documents_take(r, err) < 0) return err->code;
        }
    }
    return 0;
}

static void streamed_lengths(struct reading *r, const struct pass_unit *unit)
{
    struct near_lengths *sum = &r->result->lengths[r->job->run->shards->at[unit->shard].dataset];
    struct pass_behind   behind = { { 0 } };

    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice lengths = pass_unit_section(unit, p, PART_COUNTS);

        pass_unit_leave(unit, p, &behind);
        for (size_t at = 0; at + sizeof *sum <= lengths.len; at += sizeof *sum)
            lengths_sum(sum, (const struct near_lengths *)(const void *)(lengths.at + at));
    }
}

static int streamed_take(struct reading *r, struct err *err)
{
    const struct pass_scanner scanner = near_scanner(r->job);
    struct pass_walk          walk = pass_walk_all(r->job->run, &scanner);
    int                       rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        rc = counts_add_unit(&r->result->counts, &walk.unit, err);
        if (rc == 0) rc = matched_add(r, &walk.unit, err);
        if (rc == 0) streamed_lengths(r, &walk.unit);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    return rc;
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

/* All links, of the scan and of the join, once classes have their numbers. */
static int links_read(struct reading *r, bool corpora, struct err *err)
{
    const struct near_job *job = r->job;
    const enum index_of    of = corpora ? INDEX_RESIDENTS : INDEX_BENCHMARKS;
    const struct runs_options options = links_options(job->run->stage, run_memory_sorting(job->run));
    struct near_index      residents = { 0 };
    int                    rc = runs_open(&r->result->links, &options, err);

    r->linked = calloc(r->result->class_count + 1ull, 1);
    if (rc == 0 && !r->linked) rc = err_memory(err, r->result->class_count, "links");
    if (rc == 0) rc = residents_classes(r, err);
    if (rc == 0) rc = streamed_links(r, err);
    if (rc == 0 && corpora) rc = index_open(job, near_index_key(job, of), &residents, err);
    if (rc == 0) rc = joined_links(r, corpora ? &residents : r->benchmarks, near_index_key(job, of), err);
    near_index_close(&residents);
    if (rc == 0) rc = runs_end(r->result->links, err);
    if (rc == 0) r->result->link = runs_records(r->result->links, &r->result->link_count);
    return rc;
}

int near_result_read(const struct near_job *job, struct near_result *out, struct err *err)
{
    struct reading    r = { .job = job, .result = out };
    struct near_index benchmarks = { 0 };
    uint32_t         *place = NULL;
    bool              corpora = false, streamed = false;
    int               rc;

    *out = (struct near_result){ 0 };
    for (size_t d = 0; d < job->run->dataset_count; d++) corpora |= job->run->datasets[d].self_join;
    for (size_t s = 0; s < job->run->shards->count; s++)
        streamed |= !near_resident(&job->run->datasets[job->run->shards->at[s].dataset]);

    r.benchmarks = &benchmarks;
    rc = counts_open(&out->counts, job->run->datasets, job->run->shards, err);
    out->lengths = calloc(job->run->dataset_count + 1, sizeof *out->lengths);
    if (rc == 0 && !out->lengths) rc = err_memory(err, job->run->dataset_count * sizeof *out->lengths, "lengths");
    if (rc == 0) rc = near_residents_read(job, &out->residents, err);
    if (rc == 0) rc = residents_count(&r, err);
    if (rc == 0) rc = residents_take(&r, err);
    if (rc == 0) rc = residents_apart(out, err);
    if (rc == 0 && (!corpora || streamed))
        rc = index_open(job, near_index_key(job, INDEX_BENCHMARKS), &benchmarks, err);
    if (rc == 0) rc = streamed_take(&r, err);
    if (rc == 0) rc = counts_finish(&out->counts, &place, err);
    if (rc == 0) rc = near_documents_end(out, job, place, err);
    if (rc == 0) rc = links_read(&r, corpora, err);
    free(place);
    near_index_close(&benchmarks);
    bytes_free(&r.documents);
    table_free(&r.classes);
    free(r.linked);
    if (rc < 0) near_result_free(out);
    return rc;
}

void near_result_free(struct near_result *result)
{
    for (size_t k = 0; k < result->kept_count; k++) aside_free(&result->kept[k].aside, &result->kept[k].bytes);
    free(result->kept);
    aside_free(&result->listed.aside, &result->listed.bytes);
    free(result->brief);
    free(result->class_of);
    free(result->copy_of);
    free(result->same);
    free(result->lengths);
    counts_free(&result->counts);
    runs_close(result->links);
    near_residents_free(&result->residents);
    *result = (struct near_result){ 0 };
}
