/* clone/stages.h -- the stages of line clones, for clone.c and result.c: their scanners and their units. */
#ifndef LEAKGRAPH_CLONE_STAGES_H
#define LEAKGRAPH_CLONE_STAGES_H

#include "clone/clone.h"
#include "clone/index.h"

/* A document of the small side (PART_ROWS); its lines are struct clone_line in PART_VALUES, its strings in the heap. */
struct clone_document { uint64_t record, line_at, line_count; struct heap_string source_id, path, text; };
_Static_assert(sizeof(struct clone_document) == 48, "unit format");

/* A line of a corpus (PART_ROWS, in their order) where a block of the small side begins, the longest one, of at least
 * `lines` lines; index: from 0, of the document's significant lines; number: from 1, of all; before, behind: hashes of
 * the lines around the block, 0 at the document's ends. */
struct clone_row { uint64_t record, before, behind; uint32_t index, number, state, length; };
_Static_assert(sizeof(struct clone_row) == 40, "unit format");

struct pass clone_pass(const struct clone_job *job);        /* without scanners and items */
struct pass_scanner clone_collector(const struct clone_job *job);           /* of the small side */
struct pass_scanner clone_matcher(const struct clone_job *job, const struct clone_piece *piece);     /* of corpora */
struct unit_key clone_index_key(const struct clone_job *job, const struct clone_piece *piece);

/* The small side read back, in the contract's order.  */
struct clone_small {
    struct clone_side_document {
        const struct clone_document *row;
        const char                  *heap;
        const struct clone_line     *line;
        uint64_t                     first;                 /* lines of the small side before it */
        uint32_t                     shard;
    }                   *document;                          /* [count] */
    size_t               count;
    uint64_t             lines;
    struct pass_units    units;
};
int  clone_small_read(const struct clone_job *job, struct clone_small *out, struct err *err);
void clone_small_free(struct clone_small *small);

/* Appends the struct clone_piece, one at least, into which clone_prepare has cut the small side.  0, or <0 with err
 * set. */
int  clone_pieces_read(const struct clone_job *job, struct bytes *pieces, struct err *err);

/* shared: the job; its index is that of the piece. */
int  clone_collect_open(void *shared, struct scanner **out, struct err *err);
int  clone_match_open(void *shared, struct scanner **out, struct err *err);

#endif
