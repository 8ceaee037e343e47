/* base/huge.c -- see huge.h. */
#include "base/huge.h"

#include <limits.h>
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

void huge_pages_ask(char *const *argv)
{
    char    program[PATH_MAX];                              /* the link itself would be the name in `ps` */
    ssize_t length;

    if (getenv("GLIBC_TUNABLES") || !given_when_asked()) return;
    length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || (size_t)length >= sizeof program) return;
    program[length] = '\0';
    if (setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0) == 0) execv(program, argv);
}
