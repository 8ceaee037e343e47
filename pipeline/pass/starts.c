/* pass/starts.c -- which number the first record of each unit has, of large files of lines that can be entered in the
 * middle: so that a reader can pass over what others make (corpus/source.h, source_set_starts).  See private.h.
 *
 * All ranks and threads share out what it takes: the frames of a .zst file whose headers do not say their length are
 * decoded, then each unit's records are counted, which takes half of the time that reading a plain file takes, and
 * decoding a packed one once more.  It is worth while where the file is in memory when it is read again: from a disk a
 * second reading costs more than the others' passing over saves. */
#include "pass/private.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is measured at once, at least, of an item's frames; and what a frame is to comm_sum. */
enum { CHUNK_FRAMES = 8, CHUNKS_MOST = 1024, FRAME_NUMBERS = sizeof(struct frame) / sizeof(uint64_t) };
_Static_assert(sizeof(struct frame) == 2 * sizeof(uint64_t), "numbers only");

/* An item whose lines are counted.  places: of its chunks of frames, then of its units; first: those of the items
 * before it. */
struct counted { bool chosen; struct frame *frame; size_t frames; uint64_t places, first; };

struct counting {
    struct pass_run *run;
    struct counted  *item;                                  /* [run->starts_count] */
    struct frame    *room;                                  /* of all items' frames */
    size_t           room_count;
    /* [sums] a number for each frame, or unit, that this rank has dealt with; then one for each item: what of it is
     * damaged */
    uint64_t        *sum, sums;
};

/* ---- which files ---- */

/* *found: left at 0: it is nothing to be counted; else its frames and one. */
static int look(struct pass_run *run, size_t item, struct counted *out, uint64_t *found, struct err *err)
{
    const struct shard *shard = pass_shard(run, item);
    int                 rc;

    if (shard->tree || shard_is_parted(shard) ||
        (shard_is_packed(shard) && !slice_ends_in(slice_of(shard->name), ".zst"))) return 0;
    rc = pass_shard_is_there(run, shard, err);
    if (rc > 0) return 0;                                   /* nobody needs the file then */
    if (rc == 0)
        rc = source_frames(&out->frame, &out->frames, &run->pass->run->datasets[shard->dataset], shard, err);
    if (rc > 0) *found = 1 + out->frames;
    return rc < 0 ? err_add(err, "%s", shard->path) : 0;
}

/* Those of the files that can be counted, the first that stay in memory together, as rank 0 has it. */
static void choose(struct counting *c, const uint64_t *found, uint64_t left)
{
    for (size_t i = 0; i < c->run->starts_count; i++) {
        const uint64_t bytes = pass_shard(c->run, i)->bytes;

        if (!found[i] || bytes > left) continue;
        left -= bytes;
        c->item[i].chosen = true;
        c->room_count += found[i] - 1;
    }
}

/* The frames of all that is chosen, which one rank has found, become all ranks'. */
static int frames_tell(struct counting *c, const uint64_t *found, struct err *err)
{
    size_t at = 0;
    int    rc;

    c->room = calloc(c->room_count + 1, sizeof *c->room);
    rc = c->room ? 0 : err_memory(err, c->room_count * sizeof *c->room, "frames");
    if ((rc = comm_agree(c->run->pass->run->comm, rc, err)) < 0) return rc;
    for (size_t i = 0; i < c->run->starts_count; i++) {
        struct counted *item = &c->item[i];

        if (item->chosen && item->frames) memcpy(c->room + at, item->frame, item->frames * sizeof *item->frame);
        free(item->frame);
        item->frame = item->chosen ? c->room + at : NULL;
        item->frames = item->chosen ? found[i] - 1 : 0;
        at += item->frames;
    }
    comm_sum(c->run->pass->run->comm, (uint64_t *)(void *)c->room, c->room_count * FRAME_NUMBERS);
    return 0;
}

/* The ranks share out the looking. */
static int find(struct counting *c, struct err *err)
{
    struct comm *comm = c->run->pass->run->comm;
    const size_t ranks = (size_t)comm_size(comm), rank = (size_t)comm_rank(comm), count = c->run->starts_count;
    uint64_t    *found = calloc(count + 1, sizeof *found);
    int          rc = found ? 0 : err_memory(err, count * sizeof *found, "the list of shards");

    for (size_t i = rank; i < count && rc == 0; i += ranks) rc = look(c->run, i, &c->item[i], &found[i], err);
    if (rc == 0 && rank == 0) found[count] = memory_limit() / 2;
    if ((rc = comm_agree(comm, rc, err)) == 0) {
        comm_sum(comm, found, count + 1);
        choose(c, found, found[count]);
        rc = frames_tell(c, found, err);
    }
    for (size_t i = 0; rc < 0 && i < count; i++) free(c->item[i].frame);
    free(found);
    return rc;
}

/* ---- sharing out ---- */

/* Whose the `place`-th of all places is. */
static size_t item_of(const struct counting *c, uint64_t place)
{
    size_t item = 0;

    while (place - c->item[item].first >= c->item[item].places) item++;
    return item;
}

/* One place: 1; 0: its item is damaged; <0. */
typedef int each_place(struct counting *c, size_t item, uint64_t number, struct err *err);

/* Deals with this rank's places of all items, on all threads; then with what all have put into c->sum. */
static int share_out(struct counting *c, const char *doing, each_place *each, struct err *err)
{
    const struct pass *pass = c->run->pass;
    const uint64_t     ranks = (uint64_t)comm_size(pass->run->comm), rank = (uint64_t)comm_rank(pass->run->comm);
    const double       started = log_seconds();
    uint64_t           places = 0, mine, done = 0, *damaged = c->sum + c->sums;
    char               stage[64];
    int                rc = 0;

    for (size_t i = 0; i < c->run->starts_count; places += c->item[i++].places) c->item[i].first = places;
    mine = places / ranks + (rank < places % ranks);
    snprintf(stage, sizeof stage, "%s large files", doing);
    status_stage(stage, "parts of files");
#pragma omp parallel for schedule(dynamic, 1) num_threads(pass->run->threads)
    for (uint64_t i = 0; i < mine; i++) {
        const uint64_t place = i * ranks + rank;
        const size_t   item = item_of(c, place);
        struct err     own = { 0 };
        int            sound;

        if (__atomic_load_n(&rc, __ATOMIC_RELAXED) < 0) continue;
        sound = each(c, item, place - c->item[item].first, &own);
#pragma omp critical(pass_starts)
        {
            if (sound < 0 && rc == 0) {
                *err = own;
                __atomic_store_n(&rc, err_add(err, "%s", pass_shard(c->run, item)->path), __ATOMIC_RELAXED);
            }
            damaged[item] += sound == 0;
            status_items(++done, mine);
            log_progress(&(struct progress){ .stage = doing, .shards = done, .shard_total = mine, .started = started,
                                             .unit = "parts of files" });
        }
    }
    log_progress_end();
    if ((rc = comm_agree(pass->run->comm, rc, err)) < 0) return rc;
    comm_sum(pass->run->comm, c->sum, c->sums + c->run->starts_count);
    return 0;
}

/* Room for so many numbers and one for each item, all 0. */
static int sums_open(struct counting *c, uint64_t sums, struct err *err)
{
    free(c->sum);
    c->sum = calloc(sums + c->run->starts_count, sizeof *c->sum);
    c->sums = sums;
    return comm_agree(c->run->pass->run->comm, c->sum ? 0 : err_memory(err, sums * sizeof *c->sum, "parts of files"),
                      err);
}

/* ---- frames that do not say their length ---- */

static bool are_measured(const struct frame *frame, size_t count)
{
    for (size_t f = 0; f < count; f++)
        if (frame[f].bytes == FRAME_UNMEASURED) return false;
    return true;
}

/* Each opens the file anew, so there are not too many of them. */
static size_t chunk_frames(const struct counted *item) { return CHUNK_FRAMES + item->frames / CHUNKS_MOST; }

static int measure_chunk(struct counting *c, size_t item, uint64_t chunk, struct err *err)
{
    const struct counted *of = &c->item[item];
    const size_t          most = chunk_frames(of), first = chunk * most, left = of->frames - first,
                          count = left < most ? left : most;
    const struct frame   *from = of->frame + first;
    uint64_t             *sum = c->sum + (from - c->room);
    struct frame         *frame = malloc(count * sizeof *frame);
    int                   rc;

    if (!frame) return err_memory(err, count * sizeof *frame, "frames");
    memcpy(frame, from, count * sizeof *frame);
    rc = are_measured(frame, count) ? 1 : source_measure(frame, count, pass_shard(c->run, item), err);
    for (size_t f = 0; f < count && rc > 0; f++) sum[f] = frame[f].bytes;
    free(frame);
    return rc;
}

static int measure(struct counting *c, struct err *err)
{
    int rc;

    if (are_measured(c->room, c->room_count)) return 0;     /* so they are on all ranks */
    if ((rc = sums_open(c, c->room_count, err)) < 0) return rc;
    for (size_t i = 0; i < c->run->starts_count; i++)
        c->item[i].places = (c->item[i].frames + chunk_frames(&c->item[i]) - 1) / chunk_frames(&c->item[i]);
    if ((rc = share_out(c, "measuring", measure_chunk, err)) < 0) return rc;
    for (size_t f = 0; f < c->room_count; f++) c->room[f].bytes = c->sum[f];
    for (size_t i = 0; i < c->run->starts_count; i++) c->item[i].chosen &= !c->sum[c->sums + i];
    return 0;
}

/* ---- records ---- */

static int count_unit(struct counting *c, size_t item, uint64_t unit, struct err *err)
{
    const struct shard *shard = pass_shard(c->run, item);

    return source_count_unit(&c->sum[c->item[item].first + unit], &c->run->pass->run->datasets[shard->dataset], shard,
                             pass_unit_bytes(c->run), unit, &c->run->starts[item].at[unit], err);
}

static int count(struct counting *c, struct err *err)
{
    struct pass_run *run = c->run;
    uint64_t         units = 0, at = 0;
    int              rc = 0;

    for (size_t i = 0; i < run->starts_count && rc == 0; i++) {
        c->item[i].places = 0;
        if (!c->item[i].chosen) continue;
        rc = source_starts(&run->starts[i].at, &run->starts[i].units, c->item[i].frame, c->item[i].frames,
                           pass_shard(run, i)->bytes, pass_unit_bytes(run), err);
        units += c->item[i].places = rc == 0 ? run->starts[i].units : 0;
    }
    if ((rc = comm_agree(run->pass->run->comm, rc, err)) < 0 || !units) return rc;
    if ((rc = sums_open(c, units, err)) < 0 || (rc = share_out(c, "counting", count_unit, err)) < 0)
        return rc;
    for (size_t i = 0; i < run->starts_count; i++) {
        struct starts *starts = &run->starts[i];

        for (uint64_t u = 0; u < starts->units; u++) starts->at[u + 1].record = starts->at[u].record + c->sum[at++];
        if (!c->sum[c->sums + i]) continue;
        free(starts->at);
        *starts = (struct starts){ NULL, 0 };
    }
    return 0;
}

int pass_starts_make(struct pass_run *run, struct err *err)
{
    struct counting c = { .run = run };
    int             rc;

    if (!run->starts_count) return 0;
    run->starts = calloc(run->starts_count, sizeof *run->starts);
    c.item = calloc(run->starts_count, sizeof *c.item);
    rc = run->starts && c.item ? 0 : err_memory(err, run->starts_count * sizeof *c.item, "the list of shards");
    if ((rc = comm_agree(run->pass->run->comm, rc, err)) == 0) rc = find(&c, err);
    if (rc == 0) rc = measure(&c, err);
    if (rc == 0) rc = count(&c, err);
    free(c.item);
    free(c.room);
    free(c.sum);
    return rc;
}

void pass_starts_free(struct pass_run *run)
{
    for (size_t i = 0; run->starts && i < run->starts_count; i++) free(run->starts[i].at);
    free(run->starts);
}
