/* generate/memorised.h -- which blocks of lines that line clones found stand in the outputs of one model, and how often
 * (Yang et al., ICSE 2024, section 4; docs/definitions.md, "Line clones").
 *
 * The blocks are those of the whole run, so that numbers for a part of the outputs are of the same blocks. */
#ifndef LEAKGRAPH_GENERATE_MEMORISED_H
#define LEAKGRAPH_GENERATE_MEMORISED_H

#include "clone/result.h"

/* the outputs are looked at in so many steps: the first quarter, the first half, ... */
enum { MEMORISED_PARTS = 4 };

/* Of one block: places, in the outputs of each part alone; outputs that have it, and the first of them. */
struct memorised_block { uint64_t places[MEMORISED_PARTS], outputs, first; };

struct memorised {
    struct memorised_block *block;                          /* [blocks of the result] */
    uint64_t                upto[MEMORISED_PARTS];          /* outputs up to and with each part */
    /* outputs with lines that the corpora have (clone_result.span), up to and with each part: also where the longest
     * block there is none of the corpora's */
    uint64_t                with_any[MEMORISED_PARTS];
};

/* Looks for the blocks in the documents of `dataset`, whose records are the outputs 0 .. outputs - 1.  Without `self`
 * of line clones.  0, or -ENOMEM with err set; *out is to be freed either way. */
int  memorised_count(const struct clone_job *job, const struct clone_result *result, uint32_t dataset, uint64_t outputs,
                     struct memorised *out, struct err *err);
void memorised_free(struct memorised *memorised);

#endif
