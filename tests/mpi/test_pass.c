// ranks: 1 2 3 5
/* The pass over a shard that is much larger than the others: all ranks make units of it, each record is shown once, and
 * what is there already is not made again, by however many ranks it was made. */
#include "base/comm.h"
#include "base/log.h"
#include "pass/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 4000, SMALL = 50, SHARDS = 4, RECORDS = LARGE + (SHARDS - 1) * SMALL, UNIT_BYTES = 1 << 12 };

struct world {
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

/* seen: how often each record of a shard was; shards_done: of scanners that are told so */
struct met { uint64_t seen[SHARDS][LARGE], of_large, shards_done; };

struct counter { struct scanner scanner; struct met *met; };

static int count(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct met    *met = ((struct counter *)scanner)->met;
    const uint64_t number = document->record->number;

    __atomic_fetch_add(&met->seen[document->shard->name[strlen(document->shard->name) - 7] - '0'][number], 1,
                       __ATOMIC_RELAXED);
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

static void write_shards(struct world *world)
{
    char path[96];

    for (int s = 0; s < SHARDS; s++) {
        FILE *file;

        snprintf(path, sizeof path, "%s/%d.jsonl", world->root, s);
        file = fopen(path, "w");
        check(world, file != NULL, "a shard cannot be written", 0);
        for (int i = 0; i < (s == 0 ? LARGE : SMALL); i++)
            fprintf(file, "{\"text\": \"of_%d = word_%d(%*d)\"}\n", s, i, i % 90, i);
        check(world, fclose(file) == 0, "a shard cannot be written", 0);
    }
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
    check(world, asprintf(&world->glob, "%s/*.jsonl", world->root) > 0, "memory", 0);
    world->split = (struct dataset_split){ .name = (char *)"", .globs = &world->glob, .glob_count = 1 };
    world->dataset = (struct dataset){ .name = "c", .url = "", .role = ROLE_CORPUS, .splits = &world->split,
                                       .split_count = 1 };
    check(world, shard_list_open(&world->shards, &world->dataset, 1, world->root, &err) == 0, err.text, 0);
}

/* ---- a pass ---- */

/* What all ranks met is in *all, what this one did in *mine; told: the scanner wants to be told of whole shards. */
static struct pass_totals pass_once(struct world *world, int threads, bool told, struct met *mine, struct met *all)
{
    struct pass pass = { .run = &world->run, .view = { .kind = VIEW_IDENTIFIERS }, .unit_bytes = UNIT_BYTES };
    struct err  err = { 0 };

    world->run = (struct run){ .version = "test", .comm = world->comm, .datasets = &world->dataset, .dataset_count = 1,
                               .shards = &world->shards, .threads = threads };
    check(world, stage_open(&world->run.stage, world->root, world->rank == 0, &err) == 0, err.text, 0);
    memset(mine, 0, sizeof *mine);
    check(world, pass_add(&pass, (struct pass_scanner){ .kind = told ? "told" : "counted", .needs = PASS_FEATURES,
                                                        .min_tokens = 1, .open = counter_open,
                                                        .shard_done = told ? shard_counted : NULL, .shared = mine },
                          &err) == 0, err.text, 0);
    check(world, pass_stream(&pass, world->shards.count, &err) == 0, err.text, 0);
    for (int i = 0; i < LARGE; i++) mine->of_large += mine->seen[0][i];
    memcpy(all, mine, sizeof *all);
    comm_sum(world->comm, (uint64_t *)all, sizeof *all / sizeof(uint64_t));
    stage_close(world->run.stage);
    return pass.totals;
}

static void check_once(const struct world *world, const struct met *all)
{
    for (int s = 0; s < SHARDS; s++)
        for (int i = 0; i < LARGE; i++)
            check(world, all->seen[s][i] == (s == 0 || i < SMALL), "a record is not shown once",
                  (uint64_t)(s * 10000 + i));
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

int main(void)
{
    static struct met  mine, all;
    struct world       world = { 0 };
    struct err         err = { 0 };
    struct pass_totals first, again;
    char               command[96];

    if (comm_open(&world.comm, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        comm_abort(NULL, 1);
    }
    world.rank = comm_rank(world.comm);
    world.size = comm_size(world.comm);
    log_open(&(struct log_options){ .rank = world.rank, .quiet = true });
    open_world(&world);

    first = pass_once(&world, 2, false, &mine, &all);
    check_once(&world, &all);
    check(&world, mine.of_large > LARGE / 2u / (unsigned)world.size, "too little of the large shard", mine.of_large);
    check(&world, world.size == 1 || mine.of_large < LARGE, "all of the large shard", mine.of_large);
    check(&world, first.documents == RECORDS && first.units > 20, "documents", first.documents);

    again = pass_once(&world, 1, false, &mine, &all);
    check(&world, again.documents == RECORDS && again.units == 0 && again.units_reused == first.units, "not found",
          again.units);
    check(&world, again.text_bytes == first.text_bytes && again.rejected == 0, "another text", again.text_bytes);

    remove_one(&world);
    again = pass_once(&world, 1, false, &mine, &all);
    check(&world, again.units == 1 && again.documents == RECORDS && again.units_reused == first.units - 1, "one unit",
          again.units);

    again = pass_once(&world, 2, true, &mine, &all);
    check_once(&world, &all);
    check(&world, all.shards_done == SHARDS && again.documents == RECORDS, "shards that are done", all.shards_done);
    check(&world, mine.of_large == 0 || mine.of_large == LARGE, "a divided shard", mine.of_large);

    wait_for_all(&world);
    snprintf(command, sizeof command, "rm -rf %s", world.root);
    check(&world, world.rank || system(command) == 0, "cleaning up", 0);
    shard_list_free(&world.shards);
    free(world.glob);
    if (world.rank == 0) printf("ok\n");
    comm_close(world.comm);
    return 0;
}
