/* inclusion/files.c -- see files.h. */
#include "inclusion/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file_row { uint64_t record; struct heap_string text, path, repo, split, language; };
_Static_assert(sizeof(struct file_row) == 48, "unit format");

static int keep_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    const struct record     *record = document->record;
    const struct part_group *group = (const struct part_group *)part->section[PART_GROUPS].at + document->group;
    struct file_row          row = { .record = record->number };

    (void)scanner;
    row.split = (struct heap_string){ group->split_at, group->split_len };
    row.language = (struct heap_string){ group->language_at, group->language_len };
    if (part_add_string(part, record->text, &row.text) < 0 ||
        part_add_field(part, record, FIELD_PATH, &row.path) < 0 ||
        part_add_field(part, record, FIELD_REPO, &row.repo) < 0 ||
        bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0)
        return err_memory(err, record->text.len, "a file");
    return 0;
}

static void keep_close(struct scanner *scanner) { free(scanner); }

static int keep_open(void *shared, struct scanner **out, struct err *err)
{
    (void)shared;
    *out = calloc(1, sizeof **out);
    if (!*out) return err_memory(err, sizeof **out, "a scanner");
    **out = (struct scanner){ .document = keep_document, .close = keep_close };
    return 0;
}

static bool takes_source(const void *shared, const struct dataset *dataset)
{
    return strcmp(dataset->name, ((const struct inclusion_job *)shared)->options->from) == 0;
}

static int unit_take(struct inclusion_job *job, const struct pass_unit *unit)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice           rows = pass_unit_section(unit, p, PART_ROWS);
        const struct file_row *row = (const void *)rows.at;
        const char            *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            if (ARRAY_GROW(job->file, job->room, job->files + 1) < 0) return -ENOMEM;
            job->file[job->files++] = (struct inclusion_file){
                .text = heap_slice(heap, row[i].text), .path = heap_slice(heap, row[i].path),
                .repo = heap_slice(heap, row[i].repo), .split = heap_slice(heap, row[i].split),
                .language = language_by_name(heap_slice(heap, row[i].language)),
                .shard = unit->shard, .record = row[i].record,
            };
        }
    }
    return 0;
}

static int units_read(const struct pass *pass, struct inclusion_job *job, struct err *err)
{
    struct pass_walk walk = pass_walk_all(pass->run, &pass->scanner[0]);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        if (unit_take(job, &walk.unit) < 0) rc = err_memory(err, job->files * sizeof *job->file, "files");
        else rc = pass_units_keep(&job->units, &walk, err);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    return rc;
}

struct pass_scanner files_scanner(const struct inclusion_job *job)
{
    const char *version = job->run->version;

    return (struct pass_scanner){ .kind = "files", .needs = PASS_GROUPS, .takes = takes_source, .open = keep_open,
                                  .key = unit_key_add((struct unit_key){ 0, 0 }, version, strlen(version)),
                                  .shared = (void *)(uintptr_t)job };
}

/* The splits that there are, as far as there is room. */
static void splits_list(const struct inclusion_job *job, char *out, size_t room)
{
    size_t at = 0;

    *out = '\0';
    for (size_t f = 0; f < job->files && at + 64 < room; f++) {
        const struct slice split = job->file[f].split;
        size_t             before = 0;

        while (before < f && !slice_equal(job->file[before].split, split)) before++;
        if (before == f && split.len)
            at += (size_t)snprintf(out + at, room - at, "%s%.*s", at ? ", " : "",
                                   split.len < 40 ? (int)split.len : 40, split.at);
    }
}

/* A split that no file has is a mistake in its name: nothing would be said of any repository, or nothing learned. */
static int split_check(const struct inclusion_job *job, const char *key, const char *split, struct err *err)
{
    char known[400];

    for (size_t f = 0; f < job->files; f++)
        if (!*split || slice_equal(job->file[f].split, slice_of(split))) return 0;
    splits_list(job, known, sizeof known);
    return err_set(err, -EINVAL, "inclusion.%s: no file of `%s` is of split `%.60s`; it has %s", key,
                   job->options->from, split, *known ? known : "no splits");
}

int files_collect(struct inclusion_job *job, struct err *err)
{
    const struct run *run = job->run;
    struct pass       pass = { .run = run, .scanner_count = 1 };
    int               rc;

    pass.scanner[0] = files_scanner(job);
    rc = pass_stream(&pass, run->shards->count, err);
    pass_totals_add(&job->totals, &pass.totals);
    if (rc == 0) rc = comm_agree(run->comm, units_read(&pass, job, err), err);
    if (rc == 0 && job->files == 0)
        rc = err_set(err, -EINVAL, "inclusion: no document of `%s` could be read", job->options->from);
    if (rc == 0) rc = split_check(job, "trained", job->options->trained, err);
    return rc < 0 ? rc : split_check(job, "others", job->options->others, err);
}
