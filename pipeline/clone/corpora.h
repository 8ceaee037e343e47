/* clone/corpora.h -- the lines of the corpora where blocks of the small side begin, read back from the units of all
 * pieces. */
#ifndef LEAKGRAPH_CLONE_CORPORA_H
#define LEAKGRAPH_CLONE_CORPORA_H

#include "clone/stages.h"

/* Takes a row of the piece that is asked for; leading: the longest block of all pieces that begins there is the row's,
 * and the line begins it by the rule of clone.h.  0, -ENOMEM or -EOVERFLOW. */
typedef int clone_row_take(void *context, const struct clone_row *row, uint32_t shard, bool leading);

/* All rows of piece[own], in the contract's order.  0, or <0 with err set; what take gave becomes clone_rows_fail. */
int clone_corpora_read(const struct clone_job *job, const struct clone_piece *piece, size_t count, size_t own,
                       clone_row_take *take, void *context, struct err *err);

/* Sets err for what blocks and places that do not fit give: -ENOMEM, -EOVERFLOW.  Returns rc. */
int clone_rows_fail(int rc, struct err *err);

#endif
