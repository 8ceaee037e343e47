/* base/memory.c -- see memory.h.
 *
 * A limit of a group holds for all groups in it, so each is asked for up to the root.  In a container the path of a
 * group may be the host's, of which nothing is mounted but the container's own group as the root: the root is asked in
 * any case.  Memory that happens to be free is not asked for: what a run takes should not depend on the moment. */
#include "base/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The number that stands first in the file; after `name`, if that is not NULL.  `max` is no number. */
static uint64_t number_read(const char *folder, const char *file, const char *name)
{
    char     path[PATH_MAX], line[256];
    uint64_t number = MEMORY_UNLIMITED;
    size_t   skip = name ? strlen(name) : 0;
    FILE    *in;

    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path) return number;
    if (!(in = fopen(path, "re"))) return number;
    while (fgets(line, sizeof line, in)) {
        if (name && strncmp(line, name, skip) != 0) continue;
        if (sscanf(line + skip, "%" SCNu64, &number) != 1) number = MEMORY_UNLIMITED;
        break;
    }
    fclose(in);
    return number;
}

uint64_t memory_peak(void)
{
    const uint64_t kilobytes = number_read("/proc/self", "status", "VmHWM:");
    struct rusage  usage;

    if (kilobytes != MEMORY_UNLIMITED) return kilobytes << 10;
    getrusage(RUSAGE_SELF, &usage);                         /* where there is no /proc */
    return (uint64_t)usage.ru_maxrss << 10;
}

static uint64_t group_limit(const char *folder)
{
    uint64_t limit = number_read(folder, "memory.max", NULL);

    limit = smaller(limit, number_read(folder, "memory.high", NULL));
    limit = smaller(limit, number_read(folder, "memory.limit_in_bytes", NULL));
    return smaller(limit, number_read(folder, "memory.stat", "hierarchical_memory_limit "));
}

/* The smallest limit of the group `path` of the tree mounted at root/mount, and of those it lies in. */
static uint64_t path_limit(const char *root, const char *mount, const char *path)
{
    char     folder[PATH_MAX];
    uint64_t limit = MEMORY_UNLIMITED;
    size_t   base = strlen(root) + strlen(mount);

    if ((size_t)snprintf(folder, sizeof folder, "%s%s%s", root, mount, path) >= sizeof folder) return limit;
    for (;;) {
        char *last = strrchr(folder + base, '/');

        limit = smaller(limit, group_limit(folder));
        if (!last) return limit;
        *last = '\0';
    }
}

/* Whether the list, with commas, has the memory controller. */
static int lists_memory(char *list)
{
    char *rest = NULL;

    for (char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        if (strcmp(one, "memory") == 0) return 1;
    return 0;
}

uint64_t memory_group_limit(const char *root, const char *membership)
{
    char     line[PATH_MAX + 256];
    uint64_t limit = MEMORY_UNLIMITED;
    FILE    *in = fopen(membership, "re");

    if (!in) return limit;
    while (fgets(line, sizeof line, in)) {                  /* number:controllers:path */
        char       *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        const char *group;

        if (!path) continue;
        *path++ = '\0';
        group = path;
        path[strcspn(path, "\n")] = '\0';
        if (path[0] != '/' || strstr(path, "/..")) group = "/";                     /* of another namespace */
        if (!list[1]) {
            limit = smaller(limit, path_limit(root, "", group));
            limit = smaller(limit, path_limit(root, "/unified", group));
        } else if (lists_memory(list + 1)) {
            limit = smaller(limit, path_limit(root, "/memory", group));
        }
    }
    fclose(in);
    return limit;
}

static uint64_t resource_limit(__rlimit_resource_t resource)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY) return MEMORY_UNLIMITED;
    return (uint64_t)limit.rlim_cur;
}

uint64_t memory_limit(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t   limit = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : MEMORY_UNLIMITED;

    limit = smaller(limit, memory_group_limit("/sys/fs/cgroup", "/proc/self/cgroup"));
    limit = smaller(limit, resource_limit(RLIMIT_AS));
    return smaller(limit, resource_limit(RLIMIT_DATA));
}
