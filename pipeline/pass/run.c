/* pass/run.c -- see run.h. */
#include "pass/run.h"

#include <unistd.h>

static uint64_t memory_default(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)size : 0;
}

uint64_t run_memory(const struct run *run) { return run->memory ? run->memory : memory_default(); }

uint64_t run_memory_sorting(const struct run *run) { return run_memory(run) / 8; }

uint64_t run_memory_share(const struct run *run)
{
    return run_memory_of(run->memory, comm_size(run->comm));
}

uint64_t run_memory_of(uint64_t said, int ranks) { return said ? said : memory_default() / (uint64_t)ranks; }
