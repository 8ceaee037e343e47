/* base/spill.h -- items that do not fit in memory: one file a partition under the run folder's work/, appended to in
 * checksummed blocks.
 *
 * The files are temporaries of this process; whoever owns the folder next removes what a killed run has left.  A file
 * is open only while it is written or read, so there may be any number of partitions.  Different partitions may be used
 * by different threads at the same time. */
#ifndef LEAKGRAPH_BASE_SPILL_H
#define LEAKGRAPH_BASE_SPILL_H

#include "base/err.h"
#include "base/sort.h"
#include "base/stage.h"

#include <sys/uio.h>

/* prefix: of its files' paths, owned; their names, from name_at on, are in the stage's folder. */
struct spill { char *prefix; char name[24]; int folder; size_t name_at; };

/* name: in file names and messages.  0 or -ENOMEM */
int  spill_open(struct spill *out, struct stage *stage, const char *name, struct err *err);
void spill_close(struct spill *spill);                      /* the files stay: see spill_remove; accepts a zeroed one */

/* Appends the items that piece[1 .. pieces-1] hold together as one block; *bytes is the file's size before and after,
 * 0: it is made. piece[0] is for the block's header, all of them are used up.  0, or -ENOSPC, -EIO, -ENOMEM with err
 * set. */
int  spill_append(const struct spill *spill, uint32_t partition, uint64_t *bytes, struct iovec *piece, size_t pieces,
                  struct err *err);

/* Reads all items of a file of `bytes` bytes into item, which has room for bytes / sizeof *item, and adds their number
 * to *count.  0; -EBADMSG when the file is damaged, cut off or longer; -EIO when it cannot be read; err names file and
 * byte. */
int  spill_read(const struct spill *spill, uint32_t partition, uint64_t bytes, struct sort_item *item, size_t *count,
                struct err *err);
void spill_remove(const struct spill *spill, uint32_t partition);

#endif
