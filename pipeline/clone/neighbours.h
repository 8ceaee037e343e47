/* clone/neighbours.h -- which blocks have a place in the corpora that stands alone: no other place of the block there
 * has the same line before it, and none has the same line behind it.
 *
 * So told are the blocks that Simian reports from those that it does not, as longer ones, repeated in the corpora
 * alone, have all their places (docs/definitions.md, "Line clones").  Asked are blocks of an index (index.h), by their
 * keys (nodes.h): keys that begin with a block are one range, and ranges nest. */
#ifndef LEAKGRAPH_CLONE_NEIGHBOURS_H
#define LEAKGRAPH_CLONE_NEIGHBOURS_H

#include "base/bytes.h"
#include "base/table.h"

/* From here on, up to the next border, `block` is the smallest around; UINT32_MAX: none. */
struct clone_border { uint64_t at; uint32_t block; };

/* key[count] is borrowed, ascending.  A zeroed struct is empty. */
struct clone_neighbours {
    const uint64_t *key;
    uint64_t       *end;                                    /* [count] behind the keys that begin with it */
    size_t          count;
    struct clone_border *border;                            /* [borders] where blocks begin and end, ascending */
    size_t          borders;
    struct table    lines;                                  /* places in again, by block, side and line */
    struct bytes    again;                                  /* bool: more than one place has the line there */
    struct bytes    before;                                 /* the lines before, each of its smallest block */
    struct bytes    places;                                 /* those that may stand alone */
    bool           *alone;                                  /* [count] after clone_neighbours_end */
};

/* end[i]: behind the keys of the blocks that begin with block key[i]; copied.  0 or -ENOMEM; free it either way. */
int  clone_neighbours_open(struct clone_neighbours *out, const uint64_t *key, const uint64_t *end, size_t count);

/* A place in the corpora: the key of its longest block, hashes of the lines before and behind that, 0 for the
 * document's ends; leading: it may stand alone for that block.  0 or -ENOMEM. */
int  clone_neighbours_add(struct clone_neighbours *neighbours, uint64_t key, uint64_t before, uint64_t behind,
                          bool leading);

/* After the last place: sets alone.  0 or -ENOMEM. */
int  clone_neighbours_end(struct clone_neighbours *neighbours);
void clone_neighbours_free(struct clone_neighbours *neighbours);

#endif
