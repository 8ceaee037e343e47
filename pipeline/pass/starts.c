/* pass/starts.c -- which number the first record of each unit has, of large files of plain lines: so that a reader can
 * pass over what others make (corpus/source.h, source_set_starts).  See private.h.
 *
 * Counting takes half of the time that reading takes, and is divided among all ranks and threads, unit by unit.  It is
 * worth while where the file is in memory when it is read again: from a disk a second reading costs more than the
 * others' passing over saves. */
#include "pass/private.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>

static uint64_t unit_bytes(const struct pass *pass) { return pass->unit_bytes ? pass->unit_bytes : SOURCE_UNIT_BYTES; }

static const struct shard *shard_of(const struct pass_run *run, size_t item)
{
    return &run->pass->run->shards->at[run->pass->item[item]];
}

/* Whether an item's lines are worth being counted, as this rank sees it: its units are not all there already, it is
 * such a file, and stays in memory, of which it takes its part of *left.  1, 0, <0. */
static int is_countable(struct pass_run *run, size_t item, uint64_t *left, struct err *err)
{
    const struct shard *shard = shard_of(run, item);
    int                 rc;

    if (shard->tree || shard_is_packed(shard) || shard_is_parted(shard) || shard->bytes > *left) return 0;
    rc = pass_shard_is_there(run, shard, err);              /* first: nobody needs the file then */
    if (rc == 0) rc = source_has_plain_lines(&run->pass->run->datasets[shard->dataset], shard, err);
    else if (rc > 0) return 0;
    if (rc < 0) return err_add(err, "%s", shard->path);
    if (rc > 0) *left -= shard->bytes;
    return rc;
}

/* The items that all ranks can count get their room, which is laid end to end in *all. */
static int choose(struct pass_run *run, uint64_t *all, struct err *err)
{
    const struct pass *pass = run->pass;
    uint64_t          *votes = calloc(run->starts_count, sizeof *votes), left = memory_limit() / 2;
    int                rc = votes ? 0 : err_memory(err, run->starts_count * sizeof *votes, "the list of shards");

    *all = 0;
    for (size_t i = 0; i < run->starts_count && rc == 0; i++)
        if ((rc = is_countable(run, i, &left, err)) > 0) votes[i] = 1, rc = 0;
    if ((rc = comm_agree(pass->run->comm, rc, err)) == 0) {
        comm_sum(pass->run->comm, votes, run->starts_count);
        for (size_t i = 0; i < run->starts_count; i++) {
            if (votes[i] != (uint64_t)comm_size(pass->run->comm)) continue;
            run->starts[i].units = shard_of(run, i)->bytes / unit_bytes(pass) + 1;
            *all += run->starts[i].units + 1;
        }
    }
    free(votes);
    return rc;
}

/* The `place`-th of all units: its item; its number is what is left of *place. */
static size_t item_of(const struct pass_run *run, uint64_t *place)
{
    size_t item = 0;

    while (*place >= run->starts[item].units) *place -= run->starts[item++].units;
    return item;
}

/* Counts this rank's units. */
static int count(struct pass_run *run, uint64_t units, struct err *err)
{
    const struct pass *pass = run->pass;
    const uint64_t     ranks = (uint64_t)comm_size(pass->run->comm), rank = (uint64_t)comm_rank(pass->run->comm),
                       mine = units / ranks + (rank < units % ranks);
    const double       started = log_seconds();
    uint64_t           done = 0;
    int                rc = 0;

    status_stage("counting records of large files", "parts of files");
#pragma omp parallel for schedule(dynamic, 1) num_threads(pass->run->threads)
    for (uint64_t i = 0; i < mine; i++) {
        uint64_t            unit = i * ranks + rank, records;
        const size_t        item = item_of(run, &unit);
        const struct shard *shard = shard_of(run, item);
        struct err          own = { 0 };

        if (__atomic_load_n(&rc, __ATOMIC_RELAXED) < 0) continue;
        if (source_count_unit(&records, &pass->run->datasets[shard->dataset], shard, unit_bytes(pass), unit,
                              &own) < 0) {
#pragma omp critical(pass_starts)
            if (rc == 0) {
                *err = own;
                __atomic_store_n(&rc, err_add(err, "%s", shard->path), __ATOMIC_RELAXED);
            }
            continue;
        }
        run->starts[item].record[unit + 1] = records;
#pragma omp critical(pass_starts)
        {
            status_items(++done, mine);
            log_progress(&(struct progress){ .stage = "counting", .shards = done, .shard_total = mine,
                                             .started = started, .unit = "parts of files" });
        }
    }
    log_progress_end();
    return rc;
}

int pass_starts_make(struct pass_run *run, struct err *err)
{
    struct comm *comm = run->pass->run->comm;
    uint64_t     all, *room;
    int          rc;

    if (!run->starts_count) return 0;
    run->starts = calloc(run->starts_count, sizeof *run->starts);
    rc = run->starts ? 0 : err_memory(err, run->starts_count * sizeof *run->starts, "the list of shards");
    if ((rc = comm_agree(comm, rc, err)) < 0 || (rc = choose(run, &all, err)) < 0 || !all) return rc;
    room = run->starts_room = calloc(all, sizeof *room);
    rc = room ? 0 : err_memory(err, all * sizeof *room, "where records start");
    if ((rc = comm_agree(comm, rc, err)) < 0) return rc;
    for (size_t i = 0; i < run->starts_count; i++) {
        if (!run->starts[i].units) continue;
        run->starts[i].record = room;
        room += run->starts[i].units + 1;
        all--;
    }
    rc = count(run, all, err);
    if ((rc = comm_agree(comm, rc, err)) < 0) return rc;
    comm_sum(comm, run->starts_room, (size_t)(room - run->starts_room));
    for (size_t i = 0; i < run->starts_count; i++)
        for (uint64_t u = 0; u < run->starts[i].units; u++) run->starts[i].record[u + 1] += run->starts[i].record[u];
    return 0;
}

void pass_starts_free(struct pass_run *run)
{
    free(run->starts_room);
    free(run->starts);
}
