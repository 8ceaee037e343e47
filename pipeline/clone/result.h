/* clone/result.h -- the blocks that line clones found, read back from units by rank 0. */
#ifndef LEAKGRAPH_CLONE_RESULT_H
#define LEAKGRAPH_CLONE_RESULT_H

#include "clone/stages.h"
#include "pass/paths.h"

struct clone_block {
    /* of its normalised lines: the same in every run with this normalisation */
    uint64_t fingerprint_low, fingerprint_high;
    uint64_t small_count, corpus_count;                     /* places */
    uint64_t first;                                         /* line of the small side where it first begins */
    /* in clone_result.place: its first, followed by the others */
    size_t   place;
    uint32_t length, places;
};

/* line: from 1, in its document's text; path: of that, at NULL when it has none */
struct clone_block_place { uint32_t block, shard, line; uint64_t record; struct slice path; };

/* of the small side; lines from 1, in its text: what of it is in blocks, joined where it overlaps */
struct clone_span { uint32_t document, first, last; };

/* The first place in the corpora of the longest block that a document of the small side has there; length 0: none. */
struct clone_elsewhere { uint64_t record; uint32_t shard, line, length; struct slice path; };

struct clone_result {
    struct clone_block       *block;                        /* by fingerprint */
    size_t                    block_count;
    /* by block, then in the contract's order: the first ones on either side */
    struct clone_block_place *place;
    size_t                    place_count;
    struct paths              paths;                        /* of the places in corpora */
    struct clone_small        small;
    /* [small.count] lines of a document that are in a block of it that the corpora (with self: other places) have, */
    uint64_t                 *shared;
    struct clone_elsewhere   *elsewhere;                    /* [small.count] */
    struct clone_span        *span;                         /* [span_count] and where they are */
    size_t                    span_count;
};

/* Rank 0, after the scan.  0, or <0 with err set. */
int  clone_result_read(const struct clone_job *job, struct clone_result *out, struct err *err);
void clone_result_free(struct clone_result *result);

/* The document of a line of the small side. */
const struct clone_side_document *clone_small_find(const struct clone_small *small, uint64_t line);

/* The text of a block at its first place, at most CLONE_TEXT_MAX bytes; empty when texts are not stored. */
enum { CLONE_TEXT_MAX = 64 << 10 };
struct slice clone_block_text(const struct clone_result *result, const struct clone_block *block);

#endif
