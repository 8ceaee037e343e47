/* pass/run.c -- see run.h. */
#include "pass/run.h"

#include "base/log.h"
#include "base/memory.h"

#include <pthread.h>

/* What a process takes besides: code, libraries, MPI, buffers of threads. */
#define BESIDES ((uint64_t)200 << 20)

static uint64_t machine_default;

static void find_default(void) { machine_default = run_memory_within(memory_limit()); }

static uint64_t memory_default(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_default);
    return machine_default;
}

uint64_t run_memory_within(uint64_t limit)
{
    uint64_t most = limit / 4 * 3, least = limit / 8, left = limit > BESIDES ? limit - BESIDES : 0;

    if (limit == MEMORY_UNLIMITED) return 0;
    if (left < least) left = least;
    return left < most ? left : most;
}

uint64_t run_memory(const struct run *run) { return run->memory ? run->memory : memory_default(); }

uint64_t run_memory_sorting(const struct run *run) { return run_memory(run) / 8; }

uint64_t run_memory_share(const struct run *run)
{
    return run_memory_of(run->memory, comm_size(run->comm));
}

/* MB as `memory` counts them: what is needed rounded up, so that to say just that is enough. */
static unsigned long long megabytes(uint64_t bytes, bool up) { return (bytes + (up ? 999999 : 0)) / 1000000; }

int run_memory_check(const struct run *run, bool every_rank, uint64_t need, const char *what, const char *advice,
                     struct err *err)
{
    const uint64_t memory = every_rank ? run_memory_share(run) : run_memory(run);
    const bool     divided = every_rank && !run->memory && comm_size(run->comm) > 1;

    if (!memory || need <= memory) return 0;
    return err_set(err, -ENOMEM,
                   "%s need about %llu MB in memory, more than `memory` (%llu MB%s): raise `memory`, %s%s", what,
                   megabytes(need, true), megabytes(memory, false), every_rank ? " a rank" : "",
                   divided ? "start fewer ranks, " : "", advice);
}

bool run_memory_warn(const struct run *run, uint64_t most, const char *what)
{
    const uint64_t memory = run_memory(run);

    if (!memory || most <= memory) return false;
    if (comm_rank(run->comm) == 0)
        log_warn("%s may take up to %llu MB of each rank, %d threads' together, more than `memory` (%llu MB): start "
                 "fewer threads, or raise it", what, megabytes(most, true), run->threads, megabytes(memory, false));
    return true;
}

uint64_t run_memory_of(uint64_t said, int ranks) { return said ? said : memory_default() / (uint64_t)ranks; }
