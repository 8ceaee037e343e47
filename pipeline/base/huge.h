/* base/huge.h -- memory in pages of 2 MB. */
#ifndef LEAKGRAPH_BASE_HUGE_H
#define LEAKGRAPH_BASE_HUGE_H

/* For commands that take much memory: lets malloc ask the kernel for huge pages, for every library of the process.
 *
 * Tables, postings and batches are written once and read at random; in pages of 4 KB a join spends a quarter of its
 * time in page faults and page-table walks.  Where the kernel gives huge pages only to those who ask
 * (/sys/kernel/mm/transparent_hugepage/enabled says [madvise], as on many servers), glibc from 2.35 on asks, for its
 * heap and for mapped blocks, if the tunable glibc.malloc.hugetlb is 1.  Tunables are read when a process starts and
 * there is no call for them, so this one starts the program again, in its place (same process id, argv as main has
 * it), before anything is open; that takes 15 ms.  Does nothing where the kernel gives huge pages to all or to none,
 * where GLIBC_TUNABLES is set (so GLIBC_TUNABLES= turns it off: under a debugger, say), and where the program cannot be
 * started again: then all is merely slower. */
void huge_pages_ask(char *const *argv);

#endif
