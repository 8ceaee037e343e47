// ranks: 1 2 3 5
/* The ranks of a run: borders, moving bytes, sums, dealing; one rank fails, one is slower than the others. */
#include "base/comm.h"
#include "base/host.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUND = 16 << 20 };                                  /* what comm.c moves in one call */

struct world { struct comm *comm; int rank, size; uint64_t seed; };

/* Says which rank missed what, and ends the job: the others must not wait for it. */
static void check(const struct world *world, bool right, const char *what, long long detail)
{
    if (right) return;
    fprintf(stderr, "rank %d of %d: %s (%lld)\n", world->rank, world->size, what, detail);
    comm_abort(world->comm, 1);
}

static void sleep_ms(long ms) { nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL); }

/* ---- borders ---- */

static void check_agree(const struct world *world)
{
    struct err err = { 0 };

    check(world, comm_agree(world->comm, 0, &err) == 0 && err.code == 0, "all well", err.code);
    for (int failing = 0; failing < world->size; failing++) {
        char text[64];
        int  rc = 0;

        err = (struct err){ 0 };
        snprintf(text, sizeof text, "shard %d: record 7: byte 9", failing);
        if (world->rank == failing) rc = err_set(&err, -EIO, "%s", text);
        rc = comm_agree(world->comm, rc, &err);
        check(world, rc == -EIO && err.code == -EIO, "code of the failing rank", rc);
        check(world, strcmp(err.text, text) == 0, "text of the failing rank", failing);
    }
    /* Every rank fails: the smallest code wins, here that of the last rank; with equal codes the first rank speaks. */
    err_set(&err, -10 - world->rank, "mine %d", world->rank);
    check(world, comm_agree(world->comm, -10 - world->rank, &err) == -9 - world->size, "smallest code", err.code);
    check(world, atoi(err.text + 5) == world->size - 1, "its text", atoi(err.text + 5));
    err_set(&err, -ENOMEM, "mine %d", world->rank);
    check(world, comm_agree(world->comm, -ENOMEM, &err) == -ENOMEM && atoi(err.text + 5) == 0, "first of equals",
          atoi(err.text + 5));
}

/* A rank that comes late to the border keeps the others waiting, not spinning. */
static void check_late_border(const struct world *world)
{
    struct err      err = { 0 };
    struct timespec before, after;
    double          cpu;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    if (world->rank == world->size - 1) sleep_ms(400);
    check(world, comm_agree(world->comm, 0, &err) == 0, "late border", err.code);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    cpu = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    check(world, cpu < 0.2, "ms of CPU spent waiting 400 ms", (long long)(cpu * 1000));
}

/* ---- bytes ---- */

static char pattern(uint64_t seed, uint64_t who, uint64_t i)
{
    return (char)((seed + who * 131 + i * 2654435761u + (i >> 11)) >> 5);
}

static void fill(const struct world *world, struct bytes *out, uint64_t who, uint64_t len)
{
    check(world, bytes_reserve(out, len) == 0, "memory", (long long)len);
    for (uint64_t i = 0; i < len; i++) out->at[i] = pattern(world->seed, who, i);
    out->len = len;
}

static void check_pattern(const struct world *world, const char *at, uint64_t who, uint64_t len)
{
    for (uint64_t i = 0; i < len; i++) check(world, at[i] == pattern(world->seed, who, i), "moved byte", (long long)i);
}

static void check_broadcast(const struct world *world)
{
    static const uint64_t sizes[] = { 0, 1, 1000, ROUND, 2 * ROUND + 3 };
    struct bytes data = { 0 };
    struct err   err = { 0 };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fill(world, &data, world->rank ? 99 : i, world->rank ? 17 : sizes[i]);  /* what the others hold is replaced */
        check(world, comm_broadcast(world->comm, &data, &err) == 0, err.text, err.code);
        check(world, data.len == sizes[i], "length of a broadcast", (long long)data.len);
        check_pattern(world, data.at, i, sizes[i]);
    }
    bytes_free(&data);
}

/* Rank r sends r * 1001 bytes, the last one more than a round. */
static uint64_t gather_size(const struct world *world, int rank)
{
    return rank == world->size - 1 ? ROUND + 5 : (uint64_t)rank * 1001;
}

static void check_gather(const struct world *world)
{
    struct bytes mine = { 0 }, all = { 0 };
    uint64_t    *size = world->rank ? NULL : calloc((size_t)world->size, sizeof *size), at = 0;
    struct err   err = { 0 };

    fill(world, &mine, (uint64_t)world->rank, gather_size(world, world->rank));
    check(world, comm_gather(world->comm, &mine, &all, size, &err) == 0, err.text, err.code);
    for (int rank = 0; rank < world->size && world->rank == 0; rank++) {
        check(world, size[rank] == gather_size(world, rank), "gathered size", rank);
        check_pattern(world, all.at + at, (uint64_t)rank, size[rank]);
        at += size[rank];
    }
    check(world, all.len == at, "gathered bytes in all", (long long)all.len);
    bytes_free(&mine);
    bytes_free(&all);
    free(size);
}

/* What goes to others is counted, and what stays is not. */
static void check_sent(const struct world *world)
{
    const uint64_t others = (uint64_t)world->size - 1, rank = (uint64_t)world->rank, before = comm_sent(world->comm);
    struct bytes   data = { 0 }, all = { 0 }, *out = calloc((size_t)world->size, sizeof *out),
                  *in = calloc((size_t)world->size, sizeof *in);
    uint64_t      *size = calloc((size_t)world->size, sizeof *size), expected;
    struct err     err = { 0 };

    check(world, out && in && size, "memory", world->size);
    fill(world, &data, 0, 1000);
    check(world, comm_broadcast(world->comm, &data, &err) == 0, err.text, err.code);
    expected = rank ? 0 : 1000 * others;
    check(world, comm_sent(world->comm) - before == expected, "bytes of a broadcast", (long long)expected);
    fill(world, &data, rank, 100 + rank);
    check(world, comm_gather(world->comm, &data, &all, size, &err) == 0, err.text, err.code);
    expected += rank ? 100 + rank : 0;
    check(world, comm_sent(world->comm) - before == expected, "bytes of a gather", (long long)expected);
    for (int r = 0; r < world->size; r++) fill(world, &out[r], (uint64_t)r, 10 + (uint64_t)r);
    check(world, comm_exchange(world->comm, out, in, &err) == 0, err.text, err.code);
    for (uint64_t r = 0; r <= others; r++) expected += r == rank ? 0 : 10 + r;
    check(world, comm_sent(world->comm) - before == expected, "bytes of an exchange", (long long)expected);
    for (int r = 0; r < world->size; r++) {
        bytes_free(&out[r]);
        bytes_free(&in[r]);
    }
    bytes_free(&data);
    bytes_free(&all);
    free(out);
    free(in);
    free(size);
}

static void check_sum(const struct world *world)
{
    enum { MANY = (1 << 20) + 3 };                          /* more than one call takes */
    uint64_t *value = calloc(MANY, sizeof *value), ranks = (uint64_t)world->size;

    check(world, value != NULL, "memory", MANY);
    for (uint64_t i = 0; i < MANY; i++) value[i] = i * ((uint64_t)world->rank + 1);
    comm_sum(world->comm, value, MANY);
    for (uint64_t i = 0; i < MANY; i++) check(world, value[i] == i * (ranks * (ranks + 1) / 2), "sum", (long long)i);
    free(value);
}

/* ---- dealing ---- */

/* What one rank does in a deal: how long an item takes it, and after how many items it fails (-1: never). */
struct habit { long item_ms; int fails_after; };

/* Takes items until there is none and counts them in taken[0..count).  Returns how many this rank took. */
static uint64_t take_items(const struct world *world, uint64_t count, struct habit habit, uint64_t *taken)
{
    struct deal         *deal;
    struct deal_progress mine = { 0 }, total;
    struct err           err = { 0 };
    enum deal_answer     answer;
    uint64_t             item;

    check(world, deal_open(&deal, world->comm, count, &err) == 0, err.text, err.code);
    while ((answer = deal_next(deal, &item)) != DEAL_NONE) {
        if (answer == DEAL_WAIT) {
            sleep_ms(1);
            continue;
        }
        check(world, item < count, "item out of range", (long long)item);
        for (long ms = 0; ms < habit.item_ms; ms++) {       /* work in short batches, served between them */
            sleep_ms(1);
            deal_poll(deal);
            deal_report(deal, &mine);
        }
        if (habit.fails_after >= 0 && mine.items == (uint64_t)habit.fails_after) {
            deal_stop(deal);
            break;
        }
        taken[item]++;
        mine.items++;
        mine.bytes += item;
        deal_report(deal, &mine);
    }
    if (answer == DEAL_NONE) check(world, deal_next(deal, &item) == DEAL_NONE, "none stays", 0);
    total = deal_total(deal);
    check(world, total.items >= mine.items && total.items <= count, "progress in all", (long long)total.items);
    deal_close(deal);
    return mine.items;
}

static void check_deal(const struct world *world, uint64_t count, struct habit habit, const char *what)
{
    uint64_t *taken = calloc(count + 1, sizeof *taken), mine;

    check(world, taken != NULL, "memory", (long long)count);
    mine = take_items(world, count, habit, taken);
    taken[count] = mine;
    comm_sum(world->comm, taken, count + 1);
    for (uint64_t i = 0; i < count; i++) check(world, taken[i] == 1, what, (long long)i);
    check(world, taken[count] == count, what, (long long)taken[count]);
    free(taken);
}

/* One rank is a hundred times slower: the others take nearly everything, and wait for it at the end. */
static void check_slow_rank(const struct world *world)
{
    enum { COUNT = 120 };
    uint64_t taken[COUNT] = { 0 }, mine[8] = { 0 };
    int      slow = world->size > 1 ? world->size - 1 : -1; /* alone, it would only be slow */

    mine[world->rank] = take_items(world, COUNT, (struct habit){ world->rank == slow ? 100 : 1, -1 }, taken);
    comm_sum(world->comm, taken, COUNT);
    comm_sum(world->comm, mine, 8);
    for (uint64_t i = 0; i < COUNT; i++) check(world, taken[i] == 1, "each item once beside a slow rank", (long long)i);
    if (slow > 0) check(world, mine[slow] <= COUNT / 4, "the slow rank's share", (long long)mine[slow]);
}

/* One rank fails: nothing is dealt twice, dealing ends early, and the border tells everybody why. */
static void check_failing_rank(const struct world *world, int failing)
{
    enum { COUNT = 5000 };
    uint64_t  *taken = calloc(COUNT, sizeof *taken), sum = 0;
    struct err err = { 0 };
    int        rc = 0;

    check(world, taken != NULL, "memory", COUNT);
    take_items(world, COUNT, (struct habit){ 1, world->rank == failing ? 2 : -1 }, taken);
    if (world->rank == failing) rc = err_set(&err, -EIO, "shard 3 is broken");
    rc = comm_agree(world->comm, rc, &err);
    check(world, rc == -EIO && strcmp(err.text, "shard 3 is broken") == 0, "failure reaches all", rc);
    comm_sum(world->comm, taken, COUNT);
    for (uint64_t i = 0; i < COUNT; i++) {
        check(world, taken[i] <= 1, "dealt twice", (long long)i);
        sum += taken[i];
    }
    check(world, sum < COUNT, "stopped early", (long long)sum);
    free(taken);
}

/* A rank that stops while its question is under way gets its answer at the end, and the next deal does not hear it. */
static void check_stop_while_waiting(const struct world *world)
{
    struct deal *deal;
    struct err   err = { 0 };
    uint64_t     item;

    check(world, deal_open(&deal, world->comm, 10, &err) == 0, err.text, err.code);
    if (world->rank) check(world, deal_next(deal, &item) == DEAL_WAIT, "the first answer takes a while", 0);
    else sleep_ms(20);
    deal_stop(deal);
    check(world, deal_next(deal, &item) == DEAL_NONE, "nothing after a stop", 0);
    deal_close(deal);
}

/* ---- the processors of the host ---- */

/* The processor that a rank is bound to here, of those that all may use. */
static size_t cpu_of_rank(const cpu_set_t *all, int rank)
{
    size_t cpu = 0;
    int    left = rank % CPU_COUNT(all);

    for (; !CPU_ISSET(cpu, all) || left-- > 0; cpu++) continue;
    return cpu;
}

/* Each rank has a processor of its own, as launchers bind them: rank 0 is given all of these. */
static void check_host(const struct world *world)
{
    struct err  err = { 0 };
    struct host host;
    cpu_set_t   before, own, all, now;
    int         threads = 0, worth;

    CPU_ZERO(&own);
    CPU_ZERO(&all);
    check(world, sched_getaffinity(0, sizeof before, &before) == 0, "processors", errno);
    for (int rank = 0; rank < world->size; rank++) CPU_SET(cpu_of_rank(&before, rank), &all);
    for (int rank = 0; rank < world->size; rank++) threads += 1 + rank % 2;
    CPU_SET(cpu_of_rank(&before, world->rank), &own);
    check(world, sched_setaffinity(0, sizeof own, &own) == 0, "one processor", errno);

    check(world, host_find(&host, world->comm, 1 + world->rank % 2, &err) == 0, err.text, err.code);
    if (world->rank) threads = 1 + world->rank % 2, all = own;
    worth = threads < CPU_COUNT(&all) ? threads : CPU_COUNT(&all);
    if (worth < 1 + world->rank % 2) worth = 1 + world->rank % 2;
    check(world, host.threads == threads, "the threads of the host", host.threads);
    check(world, host_take(&host, 1 + world->rank % 2) == worth, "what they are worth", worth);
    check(world, sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &all), "they are had", CPU_COUNT(&now));
    host_give(&host);
    check(world, sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &own), "and given", CPU_COUNT(&now));
    check(world, sched_setaffinity(0, sizeof before, &before) == 0, "as before", errno);
}

int main(void)
{
    struct world      world = { 0 };
    struct err        err = { 0 };
    const char       *seed = getenv("SEED");
    const struct habit quick = { 0, -1 };

    if (comm_open(&world.comm, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        comm_abort(NULL, 1);
    }
    world.rank = comm_rank(world.comm);
    world.size = comm_size(world.comm);
    world.seed = seed ? strtoull(seed, NULL, 10) : 20;
    log_open(&(struct log_options){ .rank = world.rank });
    if (world.rank == 0) printf("seed=%llu ranks=%d\n", (unsigned long long)world.seed, world.size);

    check_agree(&world);
    check_late_border(&world);
    check_broadcast(&world);
    check_gather(&world);
    check_sent(&world);
    check_sum(&world);
    check_host(&world);
    check_deal(&world, 0, quick, "an empty deal");
    check_deal(&world, 1, quick, "one item");
    check_deal(&world, 3000, quick, "each item once");
    for (int round = 0; round < 100; round++)
        check_deal(&world, (uint64_t)round % 7, quick, "deals one after the other");
    check_slow_rank(&world);
    check_failing_rank(&world, 0);
    check_failing_rank(&world, world.size - 1);
    check_failing_rank(&world, world.size / 2);
    for (int round = 0; round < 20; round++) check_stop_while_waiting(&world);
    check_deal(&world, 100, quick, "a deal after stopped ones");
    comm_close(world.comm);
    log_close();
    return 0;
}
