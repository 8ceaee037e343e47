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

/* Whether an item is lines to be counted: such a file, whose units are not all there already.  1, 0, <0. */
static int is_countable(struct pass_run *run, size_t item, struct err *err)
{
    const struct shard *shard = pass_shard(run, item);
    int                 rc;

    if (shard->tree || shard_is_packed(shard) || shard_is_parted(shard)) return 0;
    rc = pass_shard_is_there(run, shard, err);
    if (rc > 0) return 0;                                   /* nobody needs the file then */
    if (rc == 0) rc = source_has_plain_lines(&run->pass->run->datasets[shard->dataset], shard, err);
    return rc < 0 ? err_add(err, "%s", shard->path) : rc;
}

/* Gives the items that are to be counted their room, which is laid end to end in *all: of those that can be, the first
 * that stay in memory together, as rank 0 has it.  The ranks share out the looking. */
static int choose(struct pass_run *run, uint64_t *all, struct err *err)
{
    struct comm   *comm = run->pass->run->comm;
    const size_t   ranks = (size_t)comm_size(comm), rank = (size_t)comm_rank(comm), count = run->starts_count;
    uint64_t      *found = calloc(count + 1, sizeof *found), *left = found + count;
    int            rc = found ? 0 : err_memory(err, count * sizeof *found, "the list of shards");

    *all = 0;
    for (size_t i = rank; i < count && rc == 0; i += ranks)
        if ((rc = is_countable(run, i, err)) > 0) found[i] = 1, rc = 0;
    if ((rc = comm_agree(comm, rc, err)) == 0) {
        if (rank == 0) *left = memory_limit() / 2;
        comm_sum(comm, found, count + 1);
        for (size_t i = 0; i < count; i++) {
            const uint64_t bytes = pass_shard(run, i)->bytes;

            if (!found[i] || bytes > *left) continue;
            *left -= bytes;
            run->starts[i].units = bytes / pass_unit_bytes(run) + 1;
            *all += run->starts[i].units + 1;
        }
    }
    free(found);
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
        const struct shard *shard = pass_shard(run, item);
        struct err          own = { 0 };

        if (__atomic_load_n(&rc, __ATOMIC_RELAXED) < 0) continue;
        if (source_count_unit(&records, &pass->run->datasets[shard->dataset], shard, pass_unit_bytes(run), unit,
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
