// ranks: 1 2 3 5
/* The pass over shards that are much larger than the others: several ranks make units of one, each record is shown
 * once, and what is there already is not made again, by however many ranks it was made.  A shard of Parquet is shared
 * out among threads too, who pass row groups over; and so are lines, also in frames of zstd, that were counted. */
#include "base/comm.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/pass.h"
#include "tests/unit/corpus/parquet_put.h"
#include "tests/unit/corpus/pack.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 4000, SMALL = 50, SHARDS = 4, UNIT_BYTES = 1 << 12 };

enum form { LINES, PARQUET, FRAMES };

/* Records of each shard; how many ranks make units of it, with so many; what it is. */
struct sizes { int records[SHARDS], readers[SHARDS][6]; enum form form[SHARDS]; };

static const struct sizes one_large = { { LARGE, SMALL, SMALL, SMALL },
                                        { { 0, 1, 2, 3, 0, 5 }, { 0 }, { 0 }, { 0 } }, { 0 } };
static const struct sizes two_large = { { 3000, LARGE, SMALL, SMALL },
                                        { { 0, 1, 1, 1, 0, 2 }, { 0, 1, 1, 2, 0, 3 }, { 0 }, { 0 } }, { 0 } };
static const struct sizes of_parquet = { { LARGE, SMALL, SMALL, SMALL },
                                         { { 0, 1, 2, 3, 0, 5 }, { 0 }, { 0 }, { 0 } },
                                         { PARQUET, LINES, PARQUET, LINES } };
static const struct sizes of_frames = { { LARGE, SMALL, SMALL, SMALL },
                                        { { 0, 1, 2, 3, 0, 5 }, { 0 }, { 0 }, { 0 } },
                                        { FRAMES, LINES, FRAMES, LINES } };

struct world {
    const struct sizes  *sizes;
    struct comm         *comm;
    int                  rank, size;
    char                 root[64], *glob;
    struct dataset       dataset;
    struct dataset_split split;
    struct shard_list    shards;
    struct run           run;
};

/* Says which rank missed what, and ends the job: the others must not wait for it. */
static void check(const struct world *world, bool right, const char *what, uint64_t detail)
{
    if (right) return;
    fprintf(stderr, "rank %d of %d: %s (%llu)\n", world->rank, world->size, what,
            (unsigned long long)detail);
    comm_abort(world->comm, 1);
}

/* ---- a scanner that counts what it is shown of each shard ---- */

/* seen: how often each record of a shard was; readers: who has seen some of it; shards_done: of scanners that are told
 * so; items, bytes: as the rank said at last */
struct met { uint64_t seen[SHARDS][LARGE], readers[SHARDS], shards_done, items, bytes; };

struct counter { struct scanner scanner; struct met *met; };

static int count(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct met    *met = ((struct counter *)scanner)->met;
    const uint64_t number = document->record->number;
    const char    *folder = strrchr(document->shard->name, '/'), *name = folder ? folder + 1 : document->shard->name;

    __atomic_fetch_add(&met->seen[*name - '0'][number], 1, __ATOMIC_RELAXED);
    return bytes_append(&part->section[PART_ROWS], &number, sizeof number) < 0 ? err_memory(err, 8, "a row") : 0;
}

static void counter_close(struct scanner *scanner) { free(scanner); }

static int counter_open(void *shared, struct scanner **out, struct err *err)
{
    struct counter *counter = calloc(1, sizeof *counter);

    if (!counter) return err_memory(err, sizeof *counter, "a scanner");
    *counter = (struct counter){ { .document = count, .close = counter_close }, shared };
    *out = &counter->scanner;
    return 0;
}

static int shard_counted(void *shared, const struct shard *shard, struct err *err)
{
    (void)shard, (void)err;
    __atomic_fetch_add(&((struct met *)shared)->shards_done, 1, __ATOMIC_RELAXED);
    return 0;
}

/* ---- the shards ---- */

/* Row groups of some rows, which are several to a unit, and of many, which have several units. */
static void put_parquet(struct bytes *out, int shard, int records)
{
    static struct put_group group[LARGE];
    struct bytes            texts = { 0 }, text = { 0 };
    size_t                  count = 0, at = 0;

    for (int r = 0; r < records; r++) {
        text.len = 0;
        bytes_printf(&text, "of_%d = word_%d(%*d)", shard, r, r % 90, r);
        put(&texts, &(uint32_t){ (uint32_t)text.len }, sizeof(uint32_t));
        put(&texts, text.at, text.len);
        if (++group[count].rows < (count % 4 == 3 ? 200 : 9) && r + 1 < records) continue;
        group[count++].page.len = texts.len - at;
        at = texts.len;
    }
    for (size_t g = at = 0; g < count; at += group[g++].page.len) group[g].page.at = texts.at + at;
    put_groups(out, group, count);
    memset(group, 0, sizeof group);
    bytes_free(&texts);
    bytes_free(&text);
}

static void put_lines(struct bytes *out, int shard, int records)
{
    for (int r = 0; r < records; r++)
        bytes_printf(out, "{\"text\": \"of_%d = word_%d(%*d)\"}\n", shard, r, r % 90, r);
}

/* The same lines in frames, some of less than a line; some do not say their length. */
static void put_frames(struct bytes *out, int shard, int records)
{
    struct bytes text = { 0 };

    put_lines(&text, shard, records);
    for (size_t at = 0, len; at < text.len; at += len) {
        len = 40 + at * 7 % 300;
        if (len > text.len - at) len = text.len - at;
        pack_frame(out, text.at + at, len, 1, at % 10 != 0);
    }
    bytes_free(&text);
}

static void write_shards(struct world *world)
{
    static void (*const put_of[])(struct bytes *out, int shard, int records) =
        { [LINES] = put_lines, [PARQUET] = put_parquet, [FRAMES] = put_frames };
    static const char *const endings[] = { [LINES] = "jsonl", [PARQUET] = "parquet", [FRAMES] = "jsonl.zst" };
    struct bytes             content = { 0 };
    char                     path[96];

    for (int s = 0; s < SHARDS; s++) {
        const enum form form = world->sizes->form[s];
        FILE           *file;

        snprintf(path, sizeof path, "%s/%d.%s", world->root, s, endings[form]);
        file = fopen(path, "w");
        check(world, file != NULL, "a shard cannot be written", 0);
        content.len = 0;
        put_of[form](&content, s, world->sizes->records[s]);
        fwrite(content.at, 1, content.len, file);
        check(world, fclose(file) == 0, "a shard cannot be written", 0);
    }
    bytes_free(&content);
}

/* The folder is rank 0's; the ranks are of one host. */
static void open_world(struct world *world)
{
    struct bytes name = { 0 };
    struct err   err = { 0 };

    strcpy(world->root, "/tmp/leakgraph-pass.XXXXXX");
    if (world->rank == 0) {
        check(world, mkdtemp(world->root) != NULL, "mkdtemp", 0);
        write_shards(world);
    }
    check(world, bytes_append(&name, world->root, strlen(world->root) + 1) == 0, "memory", 0);
    check(world, comm_broadcast(world->comm, &name, &err) == 0, err.text, 0);
    memcpy(world->root, name.at, name.len);
    bytes_free(&name);
    check(world, asprintf(&world->glob, "%s/?.*", world->root) > 0, "memory", 0);
    world->split = (struct dataset_split){ .name = (char *)"", .globs = &world->glob, .glob_count = 1 };
    world->dataset = (struct dataset){ .name = "c", .url = "", .role = ROLE_CORPUS, .splits = &world->split,
                                       .split_count = 1 };
    check(world, shard_list_open(&world->shards, &world->dataset, 1, world->root, &err) == 0, err.text, 0);
}

/* ---- a pass ---- */

/* What the rank has said of the stage. */
static void status_look(const struct world *world, struct met *mine)
{
    struct status_record said;
    struct err           err = { 0 };
    char                 path[96];
    int                  work;

    snprintf(path, sizeof path, "%s/work", world->root);
    work = open(path, O_RDONLY | O_DIRECTORY);
    check(world, work >= 0 && status_read(work, (uint32_t)world->rank, &said, &err) == 1, "no status", 0);
    close(work);
    mine->items = said.counts.items;
    mine->bytes = said.counts.bytes;
    check(world, said.counts.item_total == SHARDS, "a total of shards", said.counts.item_total);
}

/* What all ranks met is in *all; told: the scanner wants to be told of whole shards. */
static struct pass_totals pass_once(struct world *world, int threads, bool told, struct met *all)
{
    struct pass pass = { .run = &world->run, .view = { .kind = VIEW_IDENTIFIERS }, .unit_bytes = UNIT_BYTES };
    struct err  err = { 0 };
    uint64_t    bytes = 0;

    world->run = (struct run){ .version = "test", .comm = world->comm, .datasets = &world->dataset, .dataset_count = 1,
                               .shards = &world->shards, .threads = threads };
    check(world, stage_open(&world->run.stage, world->root, world->rank == 0, &err) == 0, err.text, 0);
    status_open(&(struct status_run){ "test", "test", threads }, world->comm, world->run.stage);
    memset(all, 0, sizeof *all);
    check(world, pass_add(&pass, (struct pass_scanner){ .kind = told ? "told" : "counted", .needs = PASS_FEATURES,
                                                        .min_tokens = 1, .open = counter_open,
                                                        .shard_done = told ? shard_counted : NULL, .shared = all },
                          &err) == 0, err.text, 0);
    check(world, pass_stream(&pass, world->shards.count, &err) == 0, err.text, 0);
    status_close(0, NULL);
    status_look(world, all);
    for (int shard = 0; shard < SHARDS; shard++)
        for (int i = 0; i < LARGE && !all->readers[shard]; i++) all->readers[shard] = all->seen[shard][i] > 0;
    comm_sum(world->comm, (uint64_t *)all, sizeof *all / sizeof(uint64_t));
    stage_close(world->run.stage);
    for (size_t i = 0; i < world->shards.count; i++) bytes += world->shards.at[i].bytes;
    check(world, all->items == SHARDS, "shards are counted wrong", all->items);
    check(world, all->bytes == bytes, "bytes are counted wrong", all->bytes);
    return pass.totals;
}

static void check_once(const struct world *world, const struct met *all, bool divided)
{
    for (int s = 0; s < SHARDS; s++) {
        const uint64_t readers = divided ? (uint64_t)world->sizes->readers[s][world->size] : 1;

        for (int i = 0; i < LARGE; i++)
            check(world, all->seen[s][i] == (i < world->sizes->records[s]), "a record is not shown once",
                  (uint64_t)(s * 10000 + i));
        if (readers) check(world, all->readers[s] == readers, "another number of ranks", all->readers[s]);
    }
}

static void wait_for_all(const struct world *world)
{
    struct err err = { 0 };

    check(world, comm_agree(world->comm, 0, &err) == 0, err.text, 0);
}

/* Removes one unit, of many. */
static void remove_one(struct world *world)
{
    char command[160];

    snprintf(command, sizeof command, "cd %s/work && rm \"$(ls counted-* | head -n 20 | tail -n 1)\"", world->root);
    check(world, world->rank || system(command) == 0, "no unit to remove", 0);
    wait_for_all(world);
}

static void check_pass(struct world *world, const struct sizes *sizes)
{
    static struct met  all;
    struct pass_totals first, again;
    uint64_t           records = 0;
    char               command[96];

    world->sizes = sizes;
    for (int s = 0; s < SHARDS; s++) records += (uint64_t)sizes->records[s];
    open_world(world);

    first = pass_once(world, 4, false, &all);               /* of whom two have a part of a shard that has such */
    check_once(world, &all, true);
    check(world, first.documents == records && first.units > 20, "documents", first.documents);

    again = pass_once(world, 1, false, &all);
    check(world, again.documents == records && again.units == 0 && again.units_reused == first.units, "not found",
          again.units);
    check(world, again.text_bytes == first.text_bytes && again.rejected == 0, "another text", again.text_bytes);

    remove_one(world);
    again = pass_once(world, 1, false, &all);
    check(world, again.units == 1 && again.documents == records && again.units_reused == first.units - 1, "one unit",
          again.units);

    again = pass_once(world, 2, true, &all);
    check_once(world, &all, false);
    check(world, all.shards_done == SHARDS && again.documents == records, "shards that are done", all.shards_done);

    wait_for_all(world);
    snprintf(command, sizeof command, "rm -rf %s", world->root);
    check(world, world->rank || system(command) == 0, "cleaning up", 0);
    shard_list_free(&world->shards);
    free(world->glob);
}

int main(void)
{
    struct world world = { .comm = NULL };
    struct err   err = { 0 };

    if (comm_open(&world.comm, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        comm_abort(NULL, 1);
    }
    world.rank = comm_rank(world.comm);
    world.size = comm_size(world.comm);
    log_open(&(struct log_options){ .rank = world.rank, .quiet = true });
    check_pass(&world, &one_large);
    check_pass(&world, &two_large);
    check_pass(&world, &of_parquet);
    check_pass(&world, &of_frames);
    if (world.rank == 0) printf("ok\n");
    comm_close(world.comm);
    return 0;
}
