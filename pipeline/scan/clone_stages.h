/* scan/clone_stages.h -- the stages of line clones, for clone.c and clone_result.c: their scanners and their units. */
#ifndef LEAKGRAPH_SCAN_CLONE_STAGES_H
#define LEAKGRAPH_SCAN_CLONE_STAGES_H

#include "scan/clone.h"
#include "scan/clone_index.h"

/* A document of the small side (PART_ROWS); its lines are struct clone_line in PART_VALUES, its strings in the heap. */
struct clone_document { uint64_t record, line_at, line_count; struct heap_string source_id, path, text; };
_Static_assert(sizeof(struct clone_document) == 48, "unit format");

/* How often, in the documents of a part of a corpus, the longest block that begins at a line is this one (PART_ROWS).  leading: so often
 * the line before began none that covers it. */
struct clone_node { uint32_t state, length, count, leading; };

/* The first places of a node in the part (PART_VALUES): node is a place in PART_ROWS. */
struct clone_place { uint64_t record; uint32_t node, line; };

struct pass clone_pass(const struct clone_job *job);        /* without scanners and items */
struct pass_scanner clone_collector(const struct clone_job *job);           /* of the small side */
struct unit_key clone_index_key(const struct clone_job *job);

/* The small side read back, in the contract's order.  text: for clone_index_build. */
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
    struct pass_unit    *unit;
    size_t               unit_count;
};
int  clone_small_read(const struct clone_job *job, struct clone_small *out, struct err *err);
void clone_small_free(struct clone_small *small);

/* shared: the job. */
int  clone_collect_open(void *shared, struct scanner **out, struct err *err);
int  clone_match_open(void *shared, struct scanner **out, struct err *err);

#endif
