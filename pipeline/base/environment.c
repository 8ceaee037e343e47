/* base/environment.c -- see environment.h. */
#include "base/environment.h"

#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool given_when_asked(void)
{
    char  line[64];
    FILE *in = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    bool  asked;

    if (!in) return false;
    asked = fgets(line, sizeof line, in) && strstr(line, "[madvise]");
    fclose(in);
    return asked;
}

void environment_set(char *const *argv)
{
    char    program[PATH_MAX];                              /* the link itself would be the name in `ps` */
    ssize_t length;

    if (getenv("GLIBC_TUNABLES")) return;
    length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || (size_t)length >= sizeof program) return;
    program[length] = '\0';
    if (setenv("OMP_WAIT_POLICY", "passive", 0) == 0 &&
        setenv("GLIBC_TUNABLES", given_when_asked() ? "glibc.malloc.hugetlb=1" : "", 0) == 0)
        execv(program, argv);
}

void environment_keep_memory(uint64_t memory, int threads)
{
    enum { KEPT_MOST = 32 << 20, KEPT_LEAST = 4 << 20 };
    const char    *said = getenv("GLIBC_TUNABLES");
    const uint64_t share = memory / 16 / (uint64_t)threads;
    const int      kept = share < KEPT_MOST ? (int)share : KEPT_MOST;

    if (kept < KEPT_LEAST) return;                          /* what malloc learns is more */
    if (said && (strstr(said, "malloc.mmap_threshold") || strstr(said, "malloc.trim_threshold"))) return;
    mallopt(M_MMAP_THRESHOLD, kept);
    mallopt(M_TRIM_THRESHOLD, kept);
}

void environment_give_memory(void) { malloc_trim(0); }
