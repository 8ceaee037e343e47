/* scan/clone.c -- the stages of line clones in order.
 *
 *   collect   the small side -> documents and lines                      units by shard
 *   index     rank 0, from the collected units                           one file
 *   scan      corpora past the index                                     units by shard, in the pass of all questions */
#include "scan/clone_stages.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>

static struct unit_key lines_key(const struct clone_job *job)
{
    uint64_t number[] = { (uint64_t)job->options->normal, job->store_text };

    return unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, job->version, strlen(job->version)), number, sizeof number);
}

static bool takes_small(const void *shared, const struct dataset *dataset) { (void)shared; return dataset->role == ROLE_BENCHMARK; }
static bool takes_corpus(const void *shared, const struct dataset *dataset) { (void)shared; return dataset->role != ROLE_BENCHMARK; }

struct pass clone_pass(const struct clone_job *job)
{
    return (struct pass){ .comm = job->comm, .stage = job->stage, .datasets = job->datasets, .shards = job->shards->at, .threads = job->threads };
}

struct pass_scanner clone_collector(const struct clone_job *job)
{
    return (struct pass_scanner){ .kind = "clone-lines", .key = lines_key(job), .needs = PASS_GROUPS, .takes = takes_small, .open = clone_collect_open,
                                  .shared = (void *)(uintptr_t)job };
}

struct pass_scanner clone_scanner(const struct clone_job *job)
{
    struct unit_key index = clone_index_key(job), key = unit_key_add(lines_key(job), &index, sizeof index);

    return (struct pass_scanner){ .kind = "clones", .key = unit_key_add(key, &job->options->places, sizeof job->options->places), .needs = PASS_GROUPS,
                                  .takes = takes_corpus, .open = clone_match_open, .shared = (void *)(uintptr_t)job };
}

/* An index depends on the lines of the small side and on the length of a window. */
struct unit_key clone_index_key(const struct clone_job *job)
{
    struct unit_key key = unit_key_add(lines_key(job), &job->options->lines, sizeof job->options->lines);

    for (size_t s = 0; s < job->shards->count; s++) {
        struct unit_key unit;

        if (!takes_small(job, &job->datasets[job->shards->at[s].dataset])) continue;
        unit = pass_unit_key(job->datasets, lines_key(job), &job->shards->at[s], 0);
        key = unit_key_add(key, &unit, sizeof unit);
    }
    return key;
}

/* ---- the small side ---- */

static int units_read(const struct clone_job *job, struct clone_small *out, size_t *documents, struct err *err)
{
    const struct pass         pass = clone_pass(job);
    const struct pass_scanner collector = clone_collector(job);
    size_t                    room = 0;

    for (size_t s = 0; s < job->shards->count; s++) {
        const struct shard *shard = &job->shards->at[s];
        uint64_t            unit = 0;

        if (!takes_small(job, &job->datasets[shard->dataset])) continue;
        do {
            int rc;

            if (out->unit_count == room) {
                struct pass_unit *grown = realloc(out->unit, (room = room ? 2 * room : 64) * sizeof *grown);

                if (!grown) return err_memory(err, room * sizeof *grown, "units");
                out->unit = grown;
            }
            rc = pass_unit_load(&pass, &collector, shard, unit, &out->unit[out->unit_count], err);
            if (rc == 0) rc = err_set(err, -EIO, "%s: unit %llu of %s has disappeared or is damaged; the same command again makes it anew", stage_dir(job->stage),
                                      (unsigned long long)unit, shard->path);
            if (rc < 0) return rc;
            unit = out->unit[out->unit_count].header->next;
            for (uint64_t p = 0; p < out->unit[out->unit_count].header->parts; p++)
                *documents += pass_unit_section(&out->unit[out->unit_count], p, PART_ROWS).len / sizeof(struct clone_document);
            out->unit_count++;
        } while (unit > 0);
    }
    return 0;
}

static void unit_add(struct clone_small *small, const struct pass_unit *unit, uint32_t shard)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice                 rows = pass_unit_section(unit, p, PART_ROWS);
        const struct clone_document *row = (const void *)rows.at;
        const struct clone_line     *line = (const void *)pass_unit_section(unit, p, PART_VALUES).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            small->document[small->count++] = (struct clone_side_document){ &row[i], pass_unit_section(unit, p, PART_HEAP).at, line + row[i].line_at, small->lines, shard };
            small->lines += row[i].line_count;
        }
    }
}

int clone_small_read(const struct clone_job *job, struct clone_small *out, struct err *err)
{
    size_t documents = 0;
    int    rc;

    *out = (struct clone_small){ 0 };
    rc = units_read(job, out, &documents, err);
    if (rc == 0 && !(out->document = malloc((documents + 1) * sizeof *out->document))) rc = err_memory(err, documents * sizeof *out->document, "documents of the small side");
    for (size_t s = 0, u = 0; rc == 0 && s < job->shards->count; s++) {
        if (!takes_small(job, &job->datasets[job->shards->at[s].dataset])) continue;
        do unit_add(out, &out->unit[u], (uint32_t)s);
        while (out->unit[u++].header->next > 0);
    }
    if (rc < 0) clone_small_free(out);
    return rc;
}

void clone_small_free(struct clone_small *small)
{
    for (size_t u = 0; u < small->unit_count; u++) unit_close(&small->unit[u].file);
    free(small->unit);
    free(small->document);
    *small = (struct clone_small){ 0 };
}

/* ---- the index ---- */

/* Units are mapped; said before memory runs out. */
static int memory_check(const struct clone_job *job, const struct clone_small *small, struct err *err)
{
    uint64_t bytes = clone_index_memory(small->lines, small->count) + small->count * sizeof *small->document;

    for (size_t u = 0; u < small->unit_count; u++) bytes += small->unit[u].file.bytes;
    if (!job->memory || bytes <= job->memory) return 0;
    return err_set(err, -ENOMEM, "line_clones: the %llu lines of the benchmarks need about %llu MB in memory, more than `memory` (%llu MB): raise it, or compare "
                   "fewer benchmarks at a time", (unsigned long long)small->lines, (unsigned long long)(bytes >> 20), (unsigned long long)(job->memory >> 20));
}

static int index_make(const struct clone_job *job, struct unit_key key, struct err *err)
{
    struct clone_small small;
    struct clone_text *text = NULL;
    int                rc = clone_small_read(job, &small, err);

    if (rc == 0) rc = memory_check(job, &small, err);
    if (rc == 0 && !(text = malloc((small.count + 1) * sizeof *text))) rc = err_memory(err, small.count * sizeof *text, "documents of the small side");
    for (size_t d = 0; rc == 0 && d < small.count; d++) text[d] = (struct clone_text){ small.document[d].line, small.document[d].row->line_count };
    if (rc == 0) rc = clone_index_build(job->stage, key, text, small.count, job->options->lines, err);
    free(text);
    clone_small_free(&small);
    return rc;
}

/* Rank 0 builds the index unless it is there; then every rank maps it.  Collective. */
static int index_get(struct clone_job *job, struct err *err)
{
    struct unit_key key = clone_index_key(job);
    int             rc = 0, found = 0;

    if (comm_rank(job->comm) == 0) {
        rc = found = clone_index_open(job->stage, key, job->index, err);
        if (rc == 0) rc = index_make(job, key, err);
        if (rc > 0) rc = 0;
    }
    if ((rc = comm_agree(job->comm, rc, err)) < 0) return rc;
    if (!found) found = clone_index_open(job->stage, key, job->index, err);
    if (found == 0) found = err_set(err, -EIO, "%s: the index that rank 0 has just written is not there; is the folder shared by all hosts?", stage_dir(job->stage));
    return comm_agree(job->comm, found < 0 ? found : 0, err);
}

/* ---- the stages ---- */

void clone_totals_add(struct clone_job *job, const struct pass *pass)
{
    job->totals.documents += pass->totals.documents;
    job->totals.rejected += pass->totals.rejected;
    job->totals.bytes += pass->totals.bytes;
    job->totals.text_bytes += pass->totals.text_bytes;
    job->totals.units += pass->totals.units;
    job->totals.units_reused += pass->totals.units_reused;
}

int clone_prepare(struct clone_job *job, struct err *err)
{
    struct pass collect = clone_pass(job);
    double      started = log_seconds();
    int         rc;

    job->index = calloc(1, sizeof *job->index);
    rc = job->index ? 0 : err_memory(err, sizeof *job->index, "the index");
    if ((rc = comm_agree(job->comm, rc, err)) < 0) return rc;
    collect.scanner[collect.scanner_count++] = clone_collector(job);
    rc = pass_stream(&collect, job->shards->count, err);
    clone_totals_add(job, &collect);
    job->seconds[CLONE_COLLECT] = log_seconds() - started;
    if (rc < 0) return rc;
    started = log_seconds();
    rc = index_get(job, err);
    job->seconds[CLONE_INDEX] = log_seconds() - started;
    return rc;
}

void clone_release(struct clone_job *job)
{
    if (job->index) clone_index_close(job->index);
    free(job->index);
    job->index = NULL;
}
