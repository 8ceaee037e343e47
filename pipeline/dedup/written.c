/* dedup/written.c -- which shard went to which file in clean/, as rows of graph.db: see tables.h.
 *
 * The files are named as the rewriting named them; what they hold follows from the fates, so that rows are there also
 * for files that an earlier run has written. */
#include "dedup/tables.h"

#include "corpus/cleaned.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_dedup_shard
static const struct graph_column dedup_shards_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), 0, NULL, "that could be read" },
    { "kept", COLUMN_U64, FIELD(kept), 0, NULL, "of them, written in their order" },
    { "file", COLUMN_OPTIONAL, FIELD(file), 0, NULL, "in the run folder; NULL: nothing of the shard stays" },
    { "file_record", COLUMN_MAYBE, FIELD(record), 0, NULL,
      "number in the file, from 0, of the first of them: a record is a line" },
};
#undef ROW

static const struct graph_check dedup_shards_checks[] = {
    { "what dedup wrote of a dataset is what it did not remove",
      "SELECT w.dataset, w.kept, s.kept FROM (SELECT dataset, sum(kept) AS kept FROM dedup_shards GROUP BY dataset) "
      "AS w JOIN (SELECT dataset, sum(documents - removed) AS kept FROM splits WHERE removed IS NOT NULL GROUP BY "
      "dataset) AS s USING (dataset) WHERE w.kept <> s.kept",
      "kept in dedup_shards", "in splits" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_dedup_shards = {
    .name = "dedup_shards", .row_size = sizeof(struct graph_dedup_shard), TABLE_COLUMNS(dedup_shards_columns),
    .checks = dedup_shards_checks,
    .doc = "Pass dedup with `write: shards`: which cleaned file each shard went to.",
};

static int files_make(const struct dedup_job *job, struct cleaned_files *files, struct err *err)
{
    bool *takes_part = calloc(job->run->dataset_count + 1, sizeof *takes_part);
    int   rc;

    *files = (struct cleaned_files){ 0 };
    if (!takes_part) return err_memory(err, job->run->dataset_count, "the list of files");
    for (size_t m = 0; m < job->member_count; m++) takes_part[job->member[m]] = true;
    rc = cleaned_files_make(files, job->run->shards, job->run->datasets, takes_part, job->options->shard_size, err);
    free(takes_part);
    return rc;
}

/* The shards of a file; the build owns its name. */
static int file_rows(struct graph_build *build, const struct dedup_job *job, const struct dedup_result *result,
                     const struct cleaned_file *file, struct graph_dedup_shard *row)
{
    uint64_t record = 0;
    char    *path;

    if (asprintf(&path, "clean/%s", file->name) < 0) path = NULL;
    if (!graph_build_own(build, path)) return -ENOMEM;
    for (size_t s = file->first; s < file->first + file->count; s++, row++) {
        const struct dedup_shard *shard = &result->shard[s];
        const uint64_t            kept = shard->documents - shard->removed;

        *row = (struct graph_dedup_shard){ .dataset = job->run->shards->at[s].dataset, .shard = (uint32_t)s,
                                           .documents = shard->documents, .kept = kept,
                                           .file = kept ? slice_of(path) : (struct slice){ 0 },
                                           .record = kept ? (int64_t)record : -1 };
        record += kept;
    }
    return 0;
}

int graph_add_dedup_shards(struct graph_build *build, const struct dedup_job *job, const struct dedup_result *result,
                           struct err *err)
{
    struct cleaned_files      files;
    struct graph_dedup_shard *row = NULL;
    size_t                    count = 0;
    int                       rc;

    if (job->options->write != DEDUP_WRITE_SHARDS) return 0;
    rc = files_make(job, &files, err);
    if (rc == 0) row = graph_build_own(build, calloc(job->run->shards->count + 1, sizeof *row));
    if (rc == 0 && !row) rc = err_memory(err, job->run->shards->count * sizeof *row, "the list of files");
    for (size_t f = 0; f < files.count && rc == 0; f++) {
        if (file_rows(build, job, result, &files.at[f], row + count) < 0) rc = err_memory(err, 64, "the list of files");
        count += files.at[f].count;
    }
    cleaned_files_free(&files);
    return rc < 0 ? rc : graph_add_rows(build, &table_dedup_shards, row, count, err);
}
