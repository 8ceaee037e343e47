/* clean/result.c -- what was written, read back from the units: lists of records, and rows for graph.db. */
#include "clean/clean_private.h"

#include "base/outputs.h"
#include "corpus/cleaned.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Of a shard: readable documents, and those that are written. */
struct tally { uint64_t documents, kept; };

struct listing {
    struct clean_result       *result;
    const struct clean_shards *shards;
    const char                *kind;
    struct bytes               list, lines;
    size_t                     first;                       /* row of table cleaned that is the first of these shards */
    size_t                     next;                        /* choice that the next record is */
    struct tally              *tally;                       /* [shards->count] */
};

/* As dedup's lists have them (dedup/rewrite_lists.c), behind the dataset. */
#define LIST_HEAD "dataset\tshard\trecord\tnumber\tsource_id\tpath\t" MATCH_COLUMNS

static const char *const list_heads[] = {
    [CLEAN_REMOVE] = LIST_HEAD "\twhy\n",
    [CLEAN_CUT] = LIST_HEAD "\tlines\tbytes\twhy\n",
    [CLEAN_CUT_BLOCKS] = LIST_HEAD "\tlines\tbytes\twhy\n",
    [CLEAN_TAKE] = LIST_HEAD "\tlanguage\tpart\n",
};

/* The row of a dataset's split. */
static struct graph_cleaned *cell_find(struct listing *l, uint32_t dataset, struct slice split)
{
    struct clean_result *result = l->result;
    struct slice         copy;

    for (size_t i = l->first; i < result->count; i++)
        if (result->cleaned[i].dataset == dataset && slice_equal(result->cleaned[i].split, split))
            return &result->cleaned[i];
    if (ARRAY_GROW(result->cleaned, result->room, result->count) < 0 ||
        pool_copy(&result->pool, split, &copy) < 0)
        return NULL;
    result->cleaned[result->count] = (struct graph_cleaned){ .output = slice_of(l->shards->output->name),
                                                             .kind = slice_of(l->kind), .split = copy,
                                                                 .dataset = dataset };
    return &result->cleaned[result->count++];
}

/* The record's own id, or shard:record, in scratch or where it is. */
static int source_of(const char *heap, const struct clean_row *row, const struct shard *shard, struct bytes *scratch,
                     struct slice *out)
{
    scratch->len = 0;
    *out = (struct slice){ heap + row->source_id.at, row->source_id.len };
    if (row->source_id.len != NO_STRING) return 0;
    if (bytes_printf(scratch, "%s:%llu", shard->name, (unsigned long long)row->record) < 0) return -ENOMEM;
    *out = bytes_slice(scratch);
    return 0;
}

/* Lines as 3-9,20-31. */
static int lines_print(struct bytes *out, const char *heap, const struct clean_row *row, size_t *count)
{
    int rc = 0;

    out->len = 0;
    *count = row->spans.len / sizeof(struct clean_span);
    for (size_t i = 0; i < *count && rc == 0; i++) {
        struct clean_span span;

        memcpy(&span, heap + row->spans.at + i * sizeof span, sizeof span);
        rc = bytes_printf(out, "%s%u-%u", i ? "," : "", span.first, span.last);
    }
    return rc;
}

static int list_row(struct listing *l, const struct graph_cleaned_document *document, struct slice match,
                    struct slice language)
{
    const struct run       *run = l->shards->job->run;
    const enum clean_action action = l->shards->action;
    struct bytes           *out = &l->list;
    int                     rc = bytes_printf(out, "%s\t", run->datasets[document->dataset].name);

    if (rc == 0) rc = cleaned_value(out, slice_of(run->shards->at[document->shard].name));
    if (rc == 0)
        rc = bytes_printf(out, "\t%llu\t%llu\t", (unsigned long long)document->record,
                          (unsigned long long)document->number);
    if (rc == 0) rc = cleaned_value(out, document->source_id);
    if (rc == 0) rc = bytes_append(out, "\t", 1);
    if (rc == 0) rc = cleaned_value(out, document->path);
    if (rc == 0) rc = bytes_append(out, "\t", 1);
    if (rc == 0) rc = bytes_append_slice(out, match);
    if (rc == 0) rc = bytes_append(out, "\t", 1);
    if (rc == 0 && (action == CLEAN_CUT || action == CLEAN_CUT_BLOCKS))
        rc = bytes_printf(out, "%.*s\t%llu\t", (int)l->lines.len, l->lines.at, (unsigned long long)document->bytes);
    if (rc == 0 && action == CLEAN_TAKE) rc = cleaned_value(out, language);
    if (rc == 0 && action == CLEAN_TAKE) rc = bytes_append(out, "\t", 1);
    if (rc == 0) rc = bytes_append_slice(out, document->why);
    return rc < 0 ? rc : bytes_append(out, "\n", 1);
}

static int document_add(struct listing *l, const struct graph_cleaned *cell, struct graph_cleaned_document document)
{
    struct clean_result *result = l->result;

    document.output = cell->output;
    document.split = cell->split;
    if (ARRAY_GROW(result->document, result->document_room, result->document_count) < 0 ||
        pool_copy(&result->pool, document.source_id, &document.source_id) < 0 ||
        pool_copy(&result->pool, document.path, &document.path) < 0 ||
        pool_copy(&result->pool, bytes_slice(&l->lines), &document.lines) < 0 ||
        pool_copy(&result->pool, document.why, &document.why) < 0) return -ENOMEM;
    result->document[result->document_count++] = document;
    return 0;
}

static int row_take(struct listing *l, const struct part_group *group, const char *heap, const struct clean_row *row,
                    uint32_t s)
{
    const struct clean_job *job = l->shards->job;
    const struct shard     *shard = &job->run->shards->at[s];
    const bool              taken = l->shards->action == CLEAN_TAKE;
    const bool              removed = l->shards->action == CLEAN_REMOVE || row->emptied;
    struct graph_cleaned   *cell = cell_find(l, shard->dataset,
                                             (struct slice){ heap + group->split_at, group->split_len });
    const size_t            choice = l->next++;             /* rows come in the order of the choices */
    struct bytes            scratch = { 0 }, why = { 0 };
    struct graph_cleaned_document document = {
        .why = choices_why(&l->shards->choices, choice), .path = heap_slice(heap, row->path),
        .number = counts_number(job->counts, s, row->record), .record = row->record, .bytes = row->bytes,
        .dataset = shard->dataset, .shard = s };
    size_t                  spans = 0;
    int                     rc = cell ? lines_print(&l->lines, heap, row, &spans) : -ENOMEM;

    if (rc == 0) rc = source_of(heap, row, shard, &scratch, &document.source_id);
    if (rc == 0 && row->emptied) {
        rc = bytes_printf(&why, "%.*s; nothing is left", (int)document.why.len, document.why.at);
        document.why = bytes_slice(&why);
    }
    if (rc == 0)
        rc = list_row(l, &document, choices_match(&l->shards->choices, choice),
                      (struct slice){ heap + group->language_at, group->language_len });
    if (row->emptied) l->lines.len = 0;                     /* it is removed as a whole */
    if (rc == 0 && !taken) rc = document_add(l, cell, document);
    bytes_free(&scratch);
    bytes_free(&why);
    if (rc < 0) return rc;
    if (taken) l->tally[s].kept++;
    else if (removed) l->tally[s].kept--;
    if (taken) cell->removed--, cell->removed_bytes -= row->bytes;          /* they were all counted as removed */
    else {
        cell->removed += removed;
        cell->cut += !removed;
        cell->spans += removed ? 0 : spans;
        cell->removed_bytes += row->bytes;
    }
    return 0;
}

static int unit_take(struct listing *l, const struct pass_unit *unit)
{
    const bool taken = l->shards->action == CLEAN_TAKE;
    int        rc = 0;

    for (uint64_t p = 0; p < unit->header->parts && rc == 0; p++) {
        struct slice             rows = pass_unit_section(unit, p, PART_ROWS),
            groups = pass_unit_section(unit, p, PART_GROUPS);
        const struct clean_row  *row = (const void *)rows.at;
        const struct part_group *group = (const void *)groups.at;
        const char              *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t g = 0; g < groups.len / sizeof *group && rc == 0; g++) {
            struct graph_cleaned *cell = cell_find(l, l->shards->job->run->shards->at[unit->shard].dataset,
                                                   (struct slice){ heap + group[g].split_at, group[g].split_len });

            if (!cell) return -ENOMEM;
            l->tally[unit->shard].documents += group[g].documents;
            l->tally[unit->shard].kept += taken ? 0 : group[g].documents;
            cell->documents += group[g].documents;
            cell->bytes += group[g].bytes;
            cell->removed += taken ? group[g].documents : 0;
            cell->removed_bytes += taken ? group[g].bytes : 0;
        }
        for (size_t i = 0; i < rows.len / sizeof *row && rc == 0; i++)
            rc = row_take(l, &group[row[i].group], heap, &row[i], unit->shard);
    }
    return rc;
}

static int units_take(struct listing *l, struct err *err)
{
    const struct clean_shards *shards = l->shards;
    struct pass_walk           walk = pass_walk_all(shards->job->run, &shards->pass.scanner[0]);
    int                        rc;

    while ((rc = pass_walk_next(&walk, err)) > 0)
        if (unit_take(l, &walk.unit) < 0) {
            rc = err_memory(err, l->list.len, "the list of what was cleaned");
            break;
        }
    pass_walk_close(&walk);
    return rc;
}

static int file_rows(struct listing *l, const struct cleaned_file *file)
{
    struct clean_result    *result = l->result;
    char                    place[FILE_NAME_MAX];
    struct slice            path;
    uint64_t                record = 0;

    snprintf(place, sizeof place, "cleaned/%s/%s", l->shards->folder, file->name);
    if (pool_copy(&result->pool, slice_of(place), &path) < 0) return -ENOMEM;
    for (size_t s = file->first; s < file->first + file->count; s++) {
        const struct tally *tally = &l->tally[s];
        const uint64_t      kept = tally->kept;

        if (ARRAY_GROW(result->shard, result->shard_room, result->shard_count) < 0) return -ENOMEM;
        result->shard[result->shard_count++] = (struct graph_cleaned_shard){
            .output = slice_of(l->shards->output->name), .kind = slice_of(l->kind),
            .file = kept ? path : (struct slice){ 0 }, .dataset = l->shards->job->run->shards->at[s].dataset,
            .shard = (uint32_t)s, .documents = tally->documents, .kept = kept, .record = kept ? (int64_t)record : -1 };
        record += kept;
    }
    return 0;
}

static int files_take(struct listing *l, struct err *err)
{
    const struct cleaned_files *files = &l->shards->files;

    for (size_t f = 0; f < files->count; f++)
        if (file_rows(l, &files->at[f]) < 0) return err_memory(err, 64, "the list of cleaned shards");
    return 0;
}

void list_path(const struct clean_output *output, const char *kind, char out[256])
{
    snprintf(out, 256, "cleaned/%s.%s.tsv", output->name, kind);
}

int result_add(struct clean_result *result, const struct clean_shards *shards, const char *kind, struct err *err)
{
    struct listing    listing = { .result = result, .shards = shards, .kind = kind, .first = result->count };
    const struct run *run = shards->job->run;
    struct file_sum   sum;
    char              place[256];
    const char       *places[] = { place };
    int               rc = bytes_append_slice(&listing.list, slice_of(list_heads[shards->action])) < 0
        ? err_memory(err, 64, "a list") : 0;

    listing.tally = calloc(shards->job->run->shards->count + 1, sizeof *listing.tally);
    if (rc == 0 && !listing.tally) rc = err_memory(err, shards->job->run->shards->count * 16, "a list");
    list_path(shards->output, kind, place);
    if (rc == 0) rc = units_take(&listing, err);
    if (rc == 0) rc = files_take(&listing, err);
    if (rc == 0) rc = outputs_renew(run->stage, place, places, NULL, 1, err);
    if (rc == 0) rc = inside_write(run->output, place, bytes_slice(&listing.list), &sum, err);
    if (rc == 0) rc = outputs_wrote(run->stage, place, &sum, err);
    free(listing.tally);
    bytes_free(&listing.list);
    bytes_free(&listing.lines);
    return rc;
}

void clean_result_free(struct clean_result *result)
{
    free(result->cleaned);
    free(result->document);
    free(result->shard);
    pool_free(&result->pool);
    *result = (struct clean_result){ 0 };
}
