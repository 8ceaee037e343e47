/* graph/pool.c -- see pool.h. */
#include "graph/pool.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

enum { POOL_CHUNK = 64 << 10, POOL_ALIGN = 16 };

struct pool_chunk { struct pool_chunk *older; size_t used, room; char at[] __attribute__((aligned(POOL_ALIGN))); };

void *pool_take(struct pool *pool, size_t size)
{
    struct pool_chunk *chunk = pool->chunk;
    void              *piece;

    if (size > SIZE_MAX / 2) return NULL;
    size = (size + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN;
    if (!chunk || size > chunk->room - chunk->used) {
        size_t room = size > POOL_CHUNK ? size : POOL_CHUNK;

        chunk = calloc(1, sizeof *chunk + room);
        if (!chunk) return NULL;
        chunk->room = room;
        chunk->older = pool->chunk;
        pool->chunk = chunk;
    }
    piece = chunk->at + chunk->used;
    chunk->used += size;
    return piece;
}

int pool_copy(struct pool *pool, struct slice text, struct slice *out)
{
    char *at = pool_take(pool, text.len + 1);

    *out = (struct slice){ at, at ? text.len : 0 };
    if (!at) return -ENOMEM;
    if (text.len) memcpy(at, text.at, text.len);
    return 0;
}

void pool_free(struct pool *pool)
{
    while (pool->chunk) {
        struct pool_chunk *older = pool->chunk->older;

        free(pool->chunk);
        pool->chunk = older;
    }
}
