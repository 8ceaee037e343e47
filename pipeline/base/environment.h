/* base/environment.h -- what libraries read of the environment when a process starts, and never again; and what malloc
 * keeps. */
#ifndef LEAKGRAPH_BASE_ENVIRONMENT_H
#define LEAKGRAPH_BASE_ENVIRONMENT_H

#include <stdint.h>

/* For commands that take much memory and have threads: sets the variables below where they are not set, and starts the
 * program again, in its place (same process id, argv as main has it), before anything is open; that takes 15 ms.  There
 * is no call for either.
 *
 * GLIBC_TUNABLES: lets malloc ask the kernel for huge pages, for every library of the process.  Tables, postings and
 * batches are written once and read at random; in pages of 4 KB a join spends a quarter of its time in page faults and
 * page-table walks.  Where the kernel gives huge pages only to those who ask
 * (/sys/kernel/mm/transparent_hugepage/enabled says [madvise], as on many servers), glibc from 2.35 on asks, for its
 * heap and for mapped blocks, if the tunable glibc.malloc.hugetlb is 1.
 *
 * OMP_WAIT_POLICY: passive.  libgomp's threads wait for the next parallel region by looking at a word again and again,
 * for milliseconds, while the one that works needs the core's other half, or another rank the core.
 *
 * Does nothing where GLIBC_TUNABLES is set (so GLIBC_TUNABLES= turns it off: under a debugger, say), and where the
 * program cannot be started again: then all is merely slower. */
void environment_set(char *const *argv);

/* Lets malloc keep what is freed at the end of each thread's heap, and take blocks from there instead of mapping each:
 * up to 32 MB, and a sixteenth of `memory` with all threads.  Buffers of batches and parts come and go by the thousand;
 * what malloc gives back comes again as pages that the kernel has to find, clear and map: a tenth of a pass's time,
 * more where the machine is a virtual one.  malloc learns of itself to keep some, from blocks that were freed before:
 * below 4 MB, and where GLIBC_TUNABLES says one of the two thresholds, nothing is said to it.  memory: bytes that this
 * rank may take.  Threads that allocate meanwhile go by either rule. */
void environment_keep_memory(uint64_t memory, int threads);

/* Gives back to the system what was freed and malloc keeps, also between blocks in use: at the end of what had much. */
void environment_give_memory(void);

#endif
