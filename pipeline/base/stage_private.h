/* base/stage_private.h -- what stage.c (the folder), stage_unit.c, spill.c, runs.c, aside.c, outputs.c and
 * status.c (its files) share; included by these only. */
#ifndef LEAKGRAPH_BASE_STAGE_PRIVATE_H
#define LEAKGRAPH_BASE_STAGE_PRIVATE_H

#include "base/stage.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>

#define STAGE_TEMPORARY "tmp-"                              /* how names of unfinished files begin */
#define STAGE_UNIT      ".unit"                             /* how names of committed ones end */
#define STAGE_SPILL     ".spill"                            /* how temporaries end that live as long as their run */

struct manifest;

struct stage {
    char                *dir, *work;                        /* owned; work is dir/work */
    int                  folder;                            /* descriptor of work, which was reached through no link */
    struct manifest     *manifest;                          /* outputs.c's; NULL: not read yet */
    char                 host[65];
    int                  lock;                              /* descriptor that holds the flock, -1: not the owner */
    atomic_uint_fast64_t counter;                           /* of temporary names: threads commit side by side */
};

/* The name within stage->folder of a path that begins with stage->work. */
static inline const char *stage_name(const struct stage *stage, const char *path)
{
    return path + strlen(stage->work) + 1;
}

/* Writes the pieces, in as few calls as the system takes, to where fd stands: byte `byte` of the file, for messages;
 * `piece` is used up. 0, or -ENOSPC, -EIO, -ENOMEM with err naming path and byte. */
int stage_write(int fd, const char *path, uint64_t byte, struct iovec *piece, size_t count, struct err *err);
/* what an errno of writing means; returns the code */
int stage_write_error(const char *path, uint64_t byte, int number, struct err *err);

#endif
