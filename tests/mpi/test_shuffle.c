// ranks: 1 2 3 5
/* The exchange and the shuffle: whatever the ranks, threads, partitions and memory are, a partition holds exactly its
 * items, in order; a rank that cannot write its files fails on all ranks. */
#include "base/comm.h"
#include "base/log.h"
#include "base/shuffle.h"

#include <dirent.h>
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MIB = 1 << 20, BATCH = 100000 };

struct world { struct comm *comm; struct stage *stage; int rank, size; uint64_t seed; char dir[64]; };

/* Says which rank missed what, and ends the job: the others must not wait for it. */
static void check(const struct world *world, bool right, const char *what, long long detail)
{
    if (right) return;
    fprintf(stderr, "rank %d of %d: %s (%lld)\n", world->rank, world->size, what, detail);
    comm_abort(world->comm, 1);
}

static uint64_t mix(uint64_t z)                             /* splitmix64 */
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* ---- the exchange ---- */

/* Some pairs have nothing for each other, one has more than goes in a round. */
static size_t exchange_size(const struct world *world, int from, int to)
{
    if (from == world->size - 1 && to == 0) return 33 * MIB + 7;
    return (from + 2 * to) % 3 == 0 ? 0 : (size_t)(from * 5003 + to * 17 + 1);
}

static void check_exchange(const struct world *world)
{
    struct bytes *out = calloc((size_t)world->size, sizeof *out), *in = calloc((size_t)world->size, sizeof *in);
    struct err    err = { 0 };

    check(world, out && in, "memory", 0);
    for (int again = 0; again < 2; again++) {               /* the second time into rooms that are there */
        for (int to = 0; to < world->size; to++) {
            out[to].len = exchange_size(world, world->rank, to);
            check(world, bytes_reserve(&out[to], out[to].len) == 0, "memory", 0);
            for (size_t i = 0; i < out[to].len; i++)
                out[to].at[i] = (char)((i >> 9) + i * 7 + (size_t)(world->rank * 31 + to + again));
        }
        check(world, comm_exchange(world->comm, out, in, &err) == 0, err.text, err.code);
        for (int from = 0; from < world->size; from++) {
            check(world, out[from].len == 0, "what was sent is gone", from);
            check(world, in[from].len == exchange_size(world, from, world->rank), "bytes of another rank", from);
            for (size_t i = 0; i < in[from].len; i++)
                check(world, in[from].at[i] == (char)((i >> 9) + i * 7 + (size_t)(from * 31 + world->rank + again)),
                      "exchanged byte", (long long)i);
        }
    }
    for (int r = 0; r < world->size; r++) {
        bytes_free(&out[r]);
        bytes_free(&in[r]);
    }
    free(out);
    free(in);
}

/* ---- the shuffle ---- */

enum shape {
    RANDOM,                                                 /* hashes, some of them twice with the same value */
    DENSE,                                                  /* small numbers, thirty of each */
    ONE,                                                    /* all in one partition, a third of them with one key */
    /* hashes that come in order: for one rank after the other */
    TURNS
};

/* idle: only the last rank adds */
struct trial { enum shape shape; uint32_t partitions; int threads; uint64_t items; bool idle, spills; uint32_t group; };

static struct sort_item trial_item(const struct world *world, const struct trial *trial, uint64_t i)
{
    uint64_t random = mix(world->seed ^ i);

    switch (trial->shape) {
        case DENSE: return (struct sort_item){ random % (trial->items / 30 + 1), mix(i) % 1000000 };
        case ONE:   return (struct sort_item){ i % 3 ? UINT64_MAX : UINT64_MAX - random % 100000, mix(i) };
        case TURNS: return (struct sort_item){ (i << 40) / (trial->items + 1) << 24 | random >> 40, i };
        default:
            return i % 10 ? (struct sort_item){ random, i } : (struct sort_item){ mix(world->seed ^ i / 20), 5 };
    }
}

/* Ascends with the key, so that the partitions one after the other are the sorted whole. */
static uint32_t trial_partition(const struct trial *trial, uint64_t key)
{
    if (trial->shape == DENSE) return (uint32_t)(key * trial->partitions / (trial->items / 30 + 1));
    return shuffle_partition_of_hash(key, trial->partitions);
}

static uint64_t print_of(struct sort_item item) { return mix(mix(item.key) ^ item.value); }

/* Item number i is added by rank i / 7 % size. */
static uint64_t trial_number(const struct world *world, const struct trial *trial, uint64_t mine)
{
    return trial->idle ? mine : (mine / 7 * (uint64_t)world->size + (uint64_t)world->rank) * 7 + mine % 7;
}

/* Adds items [from, to) of those of this rank, each thread some. */
static void add_batch(const struct world *world, const struct trial *trial, struct shuffle *shuffle, uint64_t from,
                      uint64_t to)
{
    int failed = 0;

#pragma omp parallel for num_threads(trial->threads) schedule(dynamic, 500) reduction(+ : failed)
    for (uint64_t i = from; i < to; i++) {
        uint64_t         number = trial_number(world, trial, i);
        struct sort_item item = trial_item(world, trial, number);

        if (number >= trial->items) continue;
        if (shuffle_add(shuffle, omp_get_thread_num(), trial_partition(trial, item.key), item.key, item.value) < 0)
            failed++;
    }
    check(world, failed == 0, "items that could not be added", failed);
}

static int add_all(const struct world *world, const struct trial *trial, struct shuffle *shuffle, struct err *err)
{
    uint64_t done = 0, mine = trial->items / (uint64_t)world->size + 7;
    int      rc;

    if (trial->idle) mine = world->rank == world->size - 1 ? trial->items : 0;
    do {
        while (done < mine && !shuffle_is_full(shuffle)) {
            uint64_t to = done + BATCH < mine ? done + BATCH : mine;

            add_batch(world, trial, shuffle, done, to);
            done = to;
        }
        rc = shuffle_round(shuffle, done < mine, err);
    } while (rc == 1);
    return rc;
}

static int open_shuffle(const struct world *world, const struct trial *trial, struct shuffle **out, struct err *err)
{
    return shuffle_open(out, &(struct shuffle_options){ .comm = world->comm, .stage = world->stage, .name = "bands",
                                                        .partitions = trial->partitions, .group = trial->group,
                                                        .threads = trial->threads }, err);
}

/* Nothing but the lock is left in work/. */
static void check_no_files(const struct world *world)
{
    char           path[80];
    DIR           *folder;
    struct dirent *entry;
    struct err     err = { 0 };

    comm_agree(world->comm, 0, &err);                       /* all ranks have closed theirs */
    snprintf(path, sizeof path, "%s/work", world->dir);
    folder = opendir(path);
    check(world, folder != NULL, path, errno);
    while ((entry = readdir(folder))) check(world, strncmp(entry->d_name, "tmp-", 4) != 0, entry->d_name, 0);
    closedir(folder);
    comm_agree(world->comm, 0, &err);                       /* and nobody has begun anew */
}

static void check_trial(const struct world *world, const struct trial *trial)
{
    uint64_t            *count = calloc(trial->partitions, sizeof *count),
        *print = calloc(trial->partitions, sizeof *print), totals[3];
    const uint32_t       group = trial->group ? trial->group : 1;
    uint32_t             first = shuffle_first(trial->partitions / group, world->size, world->rank) * group;
    uint32_t             end = shuffle_first(trial->partitions / group, world->size, world->rank + 1) * group;
    struct shuffle      *shuffle;
    struct shuffle_stats stats;
    struct err           err = { 0 };

    check(world, count && print, "memory", 0);
    for (uint64_t i = 0; i < trial->items; i++) {
        struct sort_item item = trial_item(world, trial, i);
        uint32_t         p = trial_partition(trial, item.key);

        count[p]++;
        print[p] += print_of(item);
    }
    check(world, open_shuffle(world, trial, &shuffle, &err) == 0, err.text, err.code);
    check(world, add_all(world, trial, shuffle, &err) == 0, err.text, err.code);
#pragma omp parallel for num_threads(trial->threads) schedule(dynamic)
    for (uint32_t p = first; p < end; p++) {
        struct sort_item *item;
        struct err        mine = { 0 };
        size_t            n;
        uint64_t          sum = 0;

        check(world, shuffle_owner(shuffle, p) == world->rank, "owner", p);
        check(world, shuffle_take(shuffle, p, &item, &n, &mine) == 0, mine.text, mine.code);
        check(world, n == count[p], "items of a partition", (long long)n);
        for (size_t i = 0; i < n; i++) {
            sum += print_of(item[i]);
            if (i)
                check(world, item[i - 1].key < item[i].key ||
                      (item[i - 1].key == item[i].key && item[i - 1].value <= item[i].value), "order", p);
        }
        check(world, sum == print[p], "content of a partition", p);
        free(item);
    }
    stats = shuffle_stats(shuffle);
    totals[0] = stats.items;
    totals[1] = stats.spilled_bytes;
    totals[2] = stats.sent_bytes;
    comm_sum(world->comm, totals, 3);
    check(world, totals[0] == trial->items, "items in all", (long long)totals[0]);
    check(world, (totals[1] > 0) == trial->spills, "spilled", (long long)totals[1]);
    if (world->size == 1) check(world, totals[2] == 0, "sent to nobody", (long long)totals[2]);
    shuffle_close(shuffle);
    check_no_files(world);
    free(count);
    free(print);
}

/* The last rank may write no file larger than a few bytes. */
static void check_failing_write(const struct world *world)
{
    const struct trial trial = { RANDOM, 64, 2, 1000000 * (uint64_t)world->size, false, true, 0 };
    struct rlimit      limit, small;
    struct shuffle    *shuffle;
    struct err         err = { 0 };
    int                rc;

    signal(SIGXFSZ, SIG_IGN);
    check(world, getrlimit(RLIMIT_FSIZE, &limit) == 0, "getrlimit", errno);
    small = limit;
    small.rlim_cur = 1000;
    if (world->rank == world->size - 1) setrlimit(RLIMIT_FSIZE, &small);
    check(world, open_shuffle(world, &trial, &shuffle, &err) == 0, err.text, err.code);
    rc = add_all(world, &trial, shuffle, &err);
    check(world, rc == -EIO && err.code == -EIO, "a failing write fails on every rank", rc);
    check(world, strstr(err.text, "work/tmp-") && strstr(err.text, "-bands-") && strstr(err.text, ".spill: byte "),
          err.text, 0);
    shuffle_close(shuffle);
    check_no_files(world);
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void open_folder(struct world *world)
{
    struct bytes name = { 0 };
    struct err   err = { 0 };

    if (world->rank == 0) {
        strcpy(world->dir, "/tmp/test_shuffle.XXXXXX");
        check(world, mkdtemp(world->dir) && bytes_append(&name, world->dir, strlen(world->dir) + 1) == 0, "a folder",
              errno);
    }
    check(world, comm_broadcast(world->comm, &name, &err) == 0, err.text, err.code);
    snprintf(world->dir, sizeof world->dir, "%s", name.at);
    bytes_free(&name);
    check(world, comm_agree(world->comm, stage_open(&world->stage, world->dir, world->rank == 0, &err), &err) == 0,
          err.text, err.code);
}

int main(void)
{
    struct world world = { 0 };
    struct err   err = { 0 };
    const char  *seed = getenv("SEED");
    char         path[96];

    if (comm_open(&world.comm, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        comm_abort(NULL, 1);
    }
    world.rank = comm_rank(world.comm);
    world.size = comm_size(world.comm);
    world.seed = seed ? strtoull(seed, NULL, 10) : 20;
    log_open(&(struct log_options){ .rank = world.rank });
    if (world.rank == 0) printf("seed=%llu ranks=%d\n", (unsigned long long)world.seed, world.size);
    open_folder(&world);

    check_exchange(&world);
    for (int threads = 1; threads <= 4; threads++) {
        static const uint32_t partitions[] = { 1, 3, 64, 1000 };

        for (size_t p = 0; p < sizeof partitions / sizeof *partitions; p++) {
            check_trial(&world, &(struct trial){ RANDOM, partitions[p], threads, 20011, false, false, 0 });
            check_trial(&world, &(struct trial){ DENSE, partitions[p], threads, 20011, threads == 2, false, 0 });
        }
    }
    check_trial(&world, &(struct trial){ RANDOM, 64, 2, 0, false, false, 0 });
    check_trial(&world, &(struct trial){ RANDOM, 65536, 2, 300000, false, false, 0 });
    check_trial(&world, &(struct trial){ ONE, 64, 2, 100000, false, false, 0 });
    /* groups stay together: five of them go to other ranks than their partitions would */
    check_trial(&world, &(struct trial){ RANDOM, 40, 2, 20011, false, false, 8 });
    check_trial(&world, &(struct trial){ DENSE, 1024, 2, 20011, false, false, 1024 });
    /* More than the 10 MiB or so that a rank keeps of what comes, when it may use no more than the least. */
    check_trial(&world, &(struct trial){ RANDOM, 64, 3, 900000 * (uint64_t)world.size, false, true, 0 });
    check_trial(&world, &(struct trial){ TURNS, 1000, 2, 900000 * (uint64_t)world.size, false, true, 0 });
    check_trial(&world, &(struct trial){ DENSE, 3, 1, 900000 * (uint64_t)(world.size < 3 ? world.size : 3), true,
                                         true, 0 });
    check_trial(&world, &(struct trial){ ONE, 1000, 2, 1000000, false, true, 0 });
    check_failing_write(&world);

    stage_close(world.stage);
    if (world.rank == 0) {
        snprintf(path, sizeof path, "%s/work/lock", world.dir);
        unlink(path);
        snprintf(path, sizeof path, "%s/work", world.dir);
        rmdir(path);
        rmdir(world.dir);
    }
    comm_close(world.comm);
    log_close();
    return 0;
}
