/* graph/pool.h -- small pieces of memory that are released together. */
#ifndef LEAKGRAPH_GRAPH_POOL_H
#define LEAKGRAPH_GRAPH_POOL_H

#include "base/slice.h"

struct pool_chunk;
struct pool { struct pool_chunk *chunk; };                  /* zeroed: empty */

void *pool_take(struct pool *pool, size_t size);            /* zeroed, aligned to 16; NULL when memory is out */
int   pool_copy(struct pool *pool, struct slice text, struct slice *out);   /* a NUL follows the copy; 0 or -ENOMEM */
void  pool_free(struct pool *pool);                         /* leaves an empty pool */

#endif
