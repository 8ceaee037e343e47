/* base/memory.h -- how much memory this process may take before something stops it, and has taken. */
#ifndef LEAKGRAPH_BASE_MEMORY_H
#define LEAKGRAPH_BASE_MEMORY_H

#include <stdint.h>

#define MEMORY_UNLIMITED UINT64_MAX

/* The smallest limit in force, in bytes: the machine's memory, RLIMIT_AS, RLIMIT_DATA, those of the control groups.
 * MEMORY_UNLIMITED when nothing is known. */
uint64_t memory_limit(void);

/* The smallest of the control groups that the file `membership` names (/proc/self/cgroup) and of all that these lie in,
 * in the tree that is mounted at `root` (/sys/fs/cgroup), of both versions; see cgroups(7).  What is missing or cannot
 * be read limits nothing. */
uint64_t memory_group_limit(const char *root, const char *membership);

/* The most that this program has had in memory at one time, in bytes.  Not what getrusage tells, which counts what the
 * process that started it had, too. */
uint64_t memory_peak(void);

#endif
