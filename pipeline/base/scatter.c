/* base/scatter.c -- see scatter.h. */
#include "base/scatter.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

uint64_t scatter_factor[2] = { 0x9E3779B97F4A7C15ull, 0xD1B54A32D192ED03ull };

/* Before main, so that no table is older.  Without random numbers of the kernel, which hardly happens, the address of
 * the stack and the time must do. */
static __attribute__((constructor)) void draw_factors(void)
{
    uint64_t drawn[2];

    if (getrandom(drawn, sizeof drawn, GRND_NONBLOCK) != (ssize_t)sizeof drawn) {
        struct timespec now;

        clock_gettime(CLOCK_REALTIME, &now);
        drawn[0] = (uint64_t)(uintptr_t)&now * scatter_factor[1] ^ (uint64_t)now.tv_nsec << 20;
        drawn[1] = drawn[0] * scatter_factor[0] ^ (uint64_t)getpid() << 32 ^ (uint64_t)now.tv_sec;
    }
    scatter_factor[0] = drawn[0] | 1;
    scatter_factor[1] = drawn[1] | 1;
}
