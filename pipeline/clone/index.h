/* clone/index.h -- the lines of the small side, so that the longest block of them that begins at a line of any
 * text is found in linear time.
 *
 * A suffix automaton over the documents read backwards, line by line, an end of its own after each (Blumer et al.,
 * 1985).  Its states are the blocks of the small side; those of one state begin at the same lines, and are the longest
 * of them and its beginnings longer than those of its link.  States are numbered in preorder of the links, so that the
 * blocks that begin with a block of state v are those of v that are as long, and those of the states v + 1 .. end - 1.
 * In front of it a table of all windows of L lines: a text without one of them has no block. */
#ifndef LEAKGRAPH_CLONE_INDEX_H
#define LEAKGRAPH_CLONE_INDEX_H

#include "base/stage.h"
#include "clone/line.h"

/* length: of its longest block, ends of documents included; count: places it begins at */
struct clone_state { uint32_t link, length, count, end; };
struct clone_step  { uint32_t state, line, target; };       /* target 0: an empty slot */
struct clone_name  { uint64_t low, high; uint32_t line, used; };

/* factor: of base/scatter.h */
struct clone_index_header { uint64_t lines, states, distinct, window_bits, step_bits, name_bits, block_lines, factor; };

struct clone_index {
    struct unit                      file;
    const struct clone_index_header *header;
    const uint64_t                  *known;                 /* 2^(name_bits + 3) bits: of lines */
    const uint64_t                  *filter;                /* 2^(window_bits + 3) bits: of windows */
    const uint64_t                  *window;                /* [2^window_bits], 0: empty */
    const struct clone_name         *name;                  /* [2^name_bits]: numbers of lines */
    const struct clone_step         *step;                  /* [2^step_bits] */
    const struct clone_state        *state;                 /* [states] */
    /* [lines] the state of all that follows a line, itself included */
    const uint32_t                  *at;
};

struct clone_text { const struct clone_line *line; uint64_t count; };       /* a document of the small side */

/* Bytes that building takes at most for so many lines in so many documents, the lines themselves not counted. */
uint64_t clone_index_memory(uint64_t lines, uint64_t documents);

enum { CLONE_INDEX_MAX = 1 << 30 };                         /* lines and documents together */

/* Builds and commits the index.  block_lines is L.  0, -ENOMEM, -EOVERFLOW (more than CLONE_INDEX_MAX), -EIO, -ENOSPC
 * with err set. */
int  clone_index_build(struct stage *stage, struct unit_key key, const struct clone_text *text, size_t count,
                       uint32_t block_lines, struct err *err);
/* 1; 0: not there; <0 with err set */
int  clone_index_open(struct stage *stage, struct unit_key key, struct clone_index *out, struct err *err);
void clone_index_close(struct clone_index *index);          /* accepts a zeroed index */

/* Is it a line of the small side?  False is certain; of all other lines one in 16 at most is taken for one. */
bool clone_index_knows(const struct clone_index *index, const struct clone_line *line);

/* Walking a text backwards: the longest block of the small side that begins at the last line taken. */
struct clone_match { uint32_t state, length; };
struct clone_match clone_index_step(const struct clone_index *index, struct clone_match match,
                                    const struct clone_line *line);

/* Has the text a window of the small side?  False is certain; true but for two windows with one 64-bit hash. */
bool clone_index_meets(const struct clone_index *index, const struct clone_line *line, size_t count);

#endif
