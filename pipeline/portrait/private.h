/* portrait/private.h -- what file.c, scan.c and build.c share. */
#ifndef LEAKGRAPH_PORTRAIT_PRIVATE_H
#define LEAKGRAPH_PORTRAIT_PRIVATE_H

#include "portrait/portrait.h"

/* The head's constant fields; the bytes before the first block; the hash of these, head_xxh3 taken as 0. */
void     portrait_head_begin(struct portrait_head *head);
uint64_t portrait_head_bytes(const struct portrait_head *head);
uint64_t portrait_head_hash(const void *at, uint64_t bytes);

/* A committed unit of keys. */
struct key_unit { uint32_t shard; uint64_t number; bool verified; };

/* Everything that is to go into the portrait, in the shards' order. */
struct portrait_content {
    struct key_unit       *unit;
    size_t                 unit_count;
    struct portrait_shard *shard;
    size_t                 shard_count;
    struct bytes           names;
    uint64_t               insertions, documents, text_bytes;
};

/* The units of the pass, listed; base: that is extended, or zeroed.  Checks that no shard is there twice.  *out is to
 * be freed either way. */
int  portrait_list(const struct portrait_job *job, const struct portrait *base, struct portrait_content *out,
                   struct err *err);
void portrait_content_free(struct portrait_content *content);

#endif
