/* corpus/shared.h -- unpacked bytes that several batches point into, on any thread; the last that lets go frees them.
 */
#ifndef LEAKGRAPH_CORPUS_SHARED_H
#define LEAKGRAPH_CORPUS_SHARED_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stdlib.h>

struct shared { struct bytes bytes; unsigned users; };

/* A new, empty one with one user; NULL when memory is out. */
static inline struct shared *shared_new(void)
{
    struct shared *shared = calloc(1, sizeof *shared);

    if (shared) shared->users = 1;
    return shared;
}

static inline struct shared *shared_hold(struct shared *shared)
{
    __atomic_add_fetch(&shared->users, 1, __ATOMIC_RELAXED);
    return shared;
}

static inline void shared_release(struct shared *shared)                /* accepts NULL */
{
    if (!shared || __atomic_sub_fetch(&shared->users, 1, __ATOMIC_ACQ_REL)) return;
    bytes_free(&shared->bytes);
    free(shared);
}

/* Whether the caller, who holds it, is the only one: then its bytes may be written. */
static inline bool shared_is_mine(const struct shared *shared)
{
    return __atomic_load_n(&shared->users, __ATOMIC_ACQUIRE) == 1;
}

#endif
