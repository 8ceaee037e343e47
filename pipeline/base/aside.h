/* base/aside.h -- a buffer that may become too large for memory: from 4 MiB on it lies in a file without a name under
 * the run folder's work/, mapped, and what has been written is left to the system's cache. */
#ifndef LEAKGRAPH_BASE_ASIDE_H
#define LEAKGRAPH_BASE_ASIDE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/stage.h"

#include <stdbool.h>

/* Zeroed: the buffer is in memory. */
struct aside {
    int    file;                                            /* its descriptor + 1 */
    bool   mapped;                                          /* the buffer is the map */
    size_t left;                                            /* bytes left to the cache */
};

/* Room for `more` bytes behind what b holds: before anything is appended to it, always by this function.  0; -ENOSPC,
 * -EIO, -ENOMEM with err set, b as it was. */
int  aside_reserve(struct aside *aside, struct stage *stage, struct bytes *b, size_t more, struct err *err);
/* Appends what there is room for.  Where the buffer is mapped, by a write to the file: a page that is stored to through
 * the map costs a fault and a visit to the file system, so this is for pieces of many pages.  0; -ENOSPC, -EIO with err
 * set, b as it was. */
int  aside_append(const struct aside *aside, const struct stage *stage, struct bytes *b, struct slice piece,
                  struct err *err);
/* Nothing more is appended: the descriptor is let go, for there may be very many such buffers.  0; -ENOSPC, -EIO with
 * err set, as network file systems say only then that there was no room. */
int  aside_end(struct aside *aside, const struct bytes *b, const struct stage *stage, struct err *err);
void aside_free(struct aside *aside, struct bytes *b);      /* instead of bytes_free; leaves an empty buffer */

static inline bool aside_is_mapped(const struct aside *aside) { return aside->mapped; }

/* Leaves mapped bytes of a file to the cache: they no longer count for this process, and are there again when looked
 * at. */
void aside_leave(const void *at, size_t len);

#endif
