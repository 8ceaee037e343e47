/* dedup/rewrite.c -- the results as files: which are there already, which are of another run, and the order of the
 * work.  See fate.h. */
#include "dedup/rewrite.h"

#include "base/outputs.h"
#include "corpus/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- places ---- */

int rewrite_clean_place(const struct rewrite *rewrite, size_t file, char place[FILE_NAME_MAX], struct err *err)
{
    return file_join("clean", rewrite->files.at[file].name, place, err);
}

int rewrite_list_place(const struct rewrite *rewrite, size_t dataset, char place[FILE_NAME_MAX], struct err *err)
{
    const char *name = rewrite->job->run->datasets[dataset].name;

    if ((size_t)snprintf(place, FILE_NAME_MAX, "lists/%s" CLEANED_LIST, name) >= FILE_NAME_MAX)
        return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", name);
    return 0;
}

/* ---- files that are there already ---- */

struct file_mark { uint64_t bytes; int64_t seconds, nanoseconds; };
_Static_assert(sizeof(struct file_mark) == 24, "unit format");

struct unit_key rewrite_clean_key(const struct rewrite *rewrite, size_t f)
{
    const struct cleaned_file *file = &rewrite->files.at[f];
    struct unit_key            key = rewrite->key;

    for (size_t s = file->first; s < file->first + file->count; s++) {
        struct unit_key columns = columns_shard_key(rewrite->job, (uint32_t)s);

        key = unit_key_add(key, &columns, sizeof columns);
    }
    return unit_key_add(key, file->name, strlen(file->name));
}

struct unit_key rewrite_list_key(const struct rewrite *rewrite, size_t dataset)
{
    return unit_key_add(unit_key_add(rewrite->key, "list 2", 6), rewrite->job->run->datasets[dataset].name,
                        strlen(rewrite->job->run->datasets[dataset].name));
}

/* All zeros: there is no such file.  False when something else has its name. */
static bool mark_of(const struct rewrite *rewrite, const char *place, struct file_mark *out)
{
    struct err  ignored = { 0 };
    struct stat is;
    char        path[FILE_NAME_MAX];

    *out = (struct file_mark){ 0 };
    if (file_join(rewrite->job->run->output, place, path, &ignored) < 0) return false;
    if (lstat(path, &is) < 0) return errno == ENOENT || errno == ENOTDIR;
    if (!S_ISREG(is.st_mode)) return false;
    *out = (struct file_mark){ (uint64_t)is.st_size, is.st_mtim.tv_sec, is.st_mtim.tv_nsec };
    return true;
}

int rewrite_mark(const struct rewrite *rewrite, struct unit_key key, const char *place, const struct file_sum *sum,
                 struct err *err)
{
    struct file_mark mark;
    int              rc;

    if (!mark_of(rewrite, place, &mark) || (mark.bytes > 0) != (sum != NULL))
        return err_set(err, -EIO, sum ? "%s: was written and is not there" : "%s: was not written and is there", place);
    rc = sum ? outputs_wrote(rewrite->job->run->stage, place, sum, err) : 0;
    return rc < 0 ? rc : stage_commit(rewrite->job->run->stage, "written", key,
                                      &(struct slice){ (const char *)&mark, sizeof mark }, 1, err);
}

static int is_marked(const struct rewrite *rewrite, struct unit_key key, const char *place, bool *out, struct err *err)
{
    struct file_mark mark;
    struct unit      unit;
    int              rc = stage_load(rewrite->job->run->stage, "written", key, &unit, err);

    *out = rc > 0 && unit.count == 1 && unit.section[0].len == sizeof mark && mark_of(rewrite, place, &mark) &&
        memcmp(unit.section[0].at, &mark, sizeof mark) == 0;
    if (rc > 0) unit_close(&unit);
    return rc < 0 ? rc : 0;
}

/* Looked for by rank 0 alone, and told: all ranks must deal the same work. */
static int find_done(struct rewrite *rewrite, struct err *err)
{
    const struct dedup_job *job = rewrite->job;
    struct bytes            told = { 0 };
    char                    place[FILE_NAME_MAX];
    int                     rc = 0;

    for (size_t f = 0; comm_rank(job->run->comm) == 0 && f < rewrite->files.count && rc == 0; f++) {
        if (job->options->write != DEDUP_WRITE_SHARDS) break;
        rc = rewrite_clean_place(rewrite, f, place, err);
        if (rc == 0) rc = is_marked(rewrite, rewrite_clean_key(rewrite, f), place, &rewrite->file_done[f], err);
    }
    for (size_t d = 0; comm_rank(job->run->comm) == 0 && d < job->run->dataset_count && rc == 0; d++) {
        if (!rewrite->takes_part[d]) continue;
        rc = rewrite_list_place(rewrite, d, place, err);
        if (rc == 0) rc = is_marked(rewrite, rewrite_list_key(rewrite, d), place, &rewrite->list_done[d], err);
    }
    if (rc == 0 && (bytes_append(&told, rewrite->file_done, rewrite->files.count * sizeof(bool)) < 0 ||
                    bytes_append(&told, rewrite->list_done, job->run->dataset_count * sizeof(bool)) < 0))
        rc = err_memory(err, rewrite->files.count, "the list of files");
    if ((rc = comm_agree(job->run->comm, rc, err)) == 0) rc = comm_broadcast(job->run->comm, &told, err);
    if (rc == 0) {
        memcpy(rewrite->file_done, told.at, rewrite->files.count * sizeof(bool));
        memcpy(rewrite->list_done, told.at + rewrite->files.count * sizeof(bool),
               job->run->dataset_count * sizeof(bool));
    }
    bytes_free(&told);
    return rc;
}

/* ---- files of other runs ---- */

static void places_free(char **place, size_t count)
{
    for (size_t i = 0; place && i < count; i++) free(place[i]);
    free(place);
}

/* What is in clean/ and lists/ from now on, before anything is written, so that at no time results of two runs lie side
 * by side.  Of rank 0. */
static int sweep(const struct rewrite *rewrite, struct err *err)
{
    const struct dedup_job *job = rewrite->job;
    const size_t            files = rewrite->files.count, datasets = job->run->dataset_count;
    char                  **clean = calloc(files + 1, sizeof *clean), **list = calloc(datasets + 1, sizeof *list);
    bool                   *done = calloc(datasets + 1, sizeof *done);
    char                    place[FILE_NAME_MAX];
    size_t                  cleans = 0, lists = 0;
    int                     rc = clean && list && done ? 0 : err_memory(err, files * sizeof *clean,
                                                                        "the list of files"), folder;

    for (size_t f = 0; job->options->write == DEDUP_WRITE_SHARDS && f < files && rc == 0; f++) {
        rc = rewrite_clean_place(rewrite, f, place, err);
        if (rc == 0 && !(clean[cleans++] = strdup(place))) rc = err_memory(err, strlen(place), "the list of files");
    }
    for (size_t d = 0; d < datasets && rc == 0; d++) {
        if (!rewrite->takes_part[d]) continue;
        rc = rewrite_list_place(rewrite, d, place, err);
        done[lists] = rewrite->list_done[d];
        if (rc == 0 && !(list[lists++] = strdup(place))) rc = err_memory(err, strlen(place), "the list of files");
    }
    if (rc == 0)
        rc = outputs_renew(job->run->stage, "clean/", (const char *const *)clean, rewrite->file_done, cleans, err);
    if (rc == 0) rc = outputs_renew(job->run->stage, "lists/", (const char *const *)list, done, lists, err);
    if (rc == 0 && job->options->write == DEDUP_WRITE_SHARDS) {             /* there also when nothing stays */
        rc = folder = inside_open(job->run->output, "clean", true, err);
        if (folder >= 0) rc = close(folder);
    }
    places_free(clean, cleans);
    places_free(list, lists);
    free(done);
    return rc;
}

/* Nothing is written: what an earlier run left would pass for what graph.db tells.  Of rank 0. */
static int sweep_all(struct stage *stage, struct err *err)
{
    int rc = outputs_renew(stage, "clean/", NULL, NULL, 0, err);

    return rc < 0 ? rc : outputs_renew(stage, "lists/", NULL, NULL, 0, err);
}

/* ---- the whole ---- */

static int rewrite_open(struct rewrite *rewrite, struct dedup_job *job, const struct catalogue *catalogue,
                        struct err *err)
{
    /* of what is written: 2 replaces a duplicate_count that is there; 3: rows keep tokens, stars and date */
    enum { FORMAT = 3 };
    uint64_t number[] = { (uint64_t)job->options->zstd_level, packer_version(), FORMAT };

    *rewrite = (struct rewrite){ .job = job, .catalogue = catalogue,
                                 .key = unit_key_add(job->fate_key, number, sizeof number) };
    rewrite->takes_part = calloc(job->run->dataset_count + 1, sizeof *rewrite->takes_part);
    rewrite->file_done = calloc(job->run->shards->count + 1, sizeof *rewrite->file_done);
    rewrite->list_done = calloc(job->run->dataset_count + 1, sizeof *rewrite->list_done);
    rewrite->verified = calloc(catalogue->count + 1, sizeof *rewrite->verified);
    if (!rewrite->takes_part || !rewrite->file_done || !rewrite->list_done || !rewrite->verified)
        return err_memory(err, job->run->shards->count * 16 + catalogue->count, "writing the results");
    for (size_t m = 0; m < job->member_count; m++) rewrite->takes_part[job->member[m]] = true;
    return cleaned_files_make(&rewrite->files, job->run->shards, job->run->datasets, rewrite->takes_part,
                              job->options->shard_size, err);
}

static void rewrite_close(struct rewrite *rewrite)
{
    cleaned_files_free(&rewrite->files);
    free(rewrite->takes_part);
    free(rewrite->file_done);
    free(rewrite->list_done);
    free(rewrite->verified);
}

int rewrite_run(struct dedup_job *job, const struct catalogue *catalogue, struct err *err)
{
    struct rewrite rewrite;
    int            rc;

    if (job->options->write == DEDUP_WRITE_NONE)
        return comm_agree(job->run->comm, comm_rank(job->run->comm) == 0 ? sweep_all(job->run->stage, err) : 0, err);
    rc = comm_agree(job->run->comm, rewrite_open(&rewrite, job, catalogue, err), err);
    if (rc == 0) rc = find_done(&rewrite, err);
    if (rc == 0) rc = comm_agree(job->run->comm, comm_rank(job->run->comm) == 0 ? sweep(&rewrite, err) : 0, err);
    if (rc == 0 && job->options->write == DEDUP_WRITE_SHARDS) rc = rewrite_shards(&rewrite, err);
    if (rc == 0) rc = rewrite_lists(&rewrite, err);
    rewrite_close(&rewrite);
    return rc;
}
