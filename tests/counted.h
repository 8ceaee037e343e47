/* tests/counted.h -- put before the text of files whose steps are counted: a search in C's library is as many steps as
 * it looks at bytes. */
#ifndef LEAKGRAPH_TESTS_COUNTED_H
#define LEAKGRAPH_TESTS_COUNTED_H

#include <string.h>

/* Steps since the program began: basic blocks entered, and bytes that were searched through. */
extern unsigned long long counted_steps;

static inline void *counted_memchr(const void *at, int c, size_t n)
{
    const char *hit = (const char *)(memchr)(at, c, n);

    counted_steps += hit ? (size_t)(hit - (const char *)at) : n;
    return (void *)(size_t)hit;
}

static inline void *counted_memmove(void *to, const void *from, size_t n)
{
    counted_steps += n;
    return (memmove)(to, from, n);
}

#define memchr(at, c, n) counted_memchr(at, c, n)
#define memmove(to, from, n) counted_memmove(to, from, n)

#endif
