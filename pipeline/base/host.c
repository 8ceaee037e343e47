/* base/host.c -- see host.h.
 *
 * Two ranks are on one host when the same kernel runs them, which its boot tells by an id; of ranks in containers the
 * kernel lets each have those of the processors that its container may use. */
#include "base/host.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { HOST_ID = 36 };

struct host_rank { char id[HOST_ID]; int threads; cpu_set_t cpus; };

/* Leaves an id that is none where there is no such file. */
static void host_id(char out[HOST_ID])
{
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

    memset(out, 0, HOST_ID);
    if (file < 0) return;
    if (read(file, out, HOST_ID) != HOST_ID) memset(out, 0, HOST_ID);
    close(file);
}

int host_find(struct host *host, struct comm *comm, int threads, struct err *err)
{
    const int        size = comm_size(comm);
    struct host_rank mine = { .threads = threads };
    struct bytes     rank = { .at = (char *)&mine, .len = sizeof mine }, all = { 0 };
    struct bytes     lengths = { 0 };
    int              rc;

    host_id(mine.id);
    CPU_ZERO(&mine.cpus);
    /* fails where there are more than a set holds: then nothing is shared */
    if (sched_getaffinity(0, sizeof mine.cpus, &mine.cpus) < 0) mine.id[0] = '\0';
    *host = (struct host){ .threads = threads, .own = mine.cpus, .all = mine.cpus };
    if (size == 1) return 0;
    rc = bytes_reserve(&lengths, (size_t)size * sizeof(uint64_t)) < 0 ? err_memory(err, sizeof mine, "ranks") : 0;
    rc = comm_agree(comm, rc, err);
    if (rc == 0) rc = comm_gather(comm, &rank, &all, (uint64_t *)(void *)lengths.at, err);
    for (int r = 1; rc == 0 && comm_rank(comm) == 0 && mine.id[0] && r < size; r++) {
        struct host_rank other;

        memcpy(&other, all.at + (size_t)r * sizeof other, sizeof other);
        if (memcmp(other.id, mine.id, HOST_ID) != 0) continue;
        host->threads += other.threads;
        CPU_OR(&host->all, &host->all, &other.cpus);
    }
    bytes_free(&all);
    bytes_free(&lengths);
    return rc;
}

int host_take(const struct host *host, int threads)
{
    cpu_set_t now;
    int       cpus;

    if (CPU_EQUAL(&host->own, &host->all)) now = host->own;
    else if (sched_setaffinity(0, sizeof host->all, &host->all) < 0 || sched_getaffinity(0, sizeof now, &now) < 0)
        return threads;
    cpus = CPU_COUNT(&now) < host->threads ? CPU_COUNT(&now) : host->threads;
    return cpus > threads ? cpus : threads;
}

void host_give(const struct host *host)
{
    /* it had them before: what cannot fail then is not asked */
    if (!CPU_EQUAL(&host->own, &host->all)) sched_setaffinity(0, sizeof host->own, &host->own);
}
