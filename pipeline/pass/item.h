/* pass/item.h -- the documents of benchmarks as graph.db stores them, for a run without the near-duplicate join, which
 * stores them itself. */
#ifndef LEAKGRAPH_PASS_ITEM_H
#define LEAKGRAPH_PASS_ITEM_H

#include "base/comm.h"
#include "base/stage.h"
#include "pass/pass.h"
#include "pass/run.h"
#include "view/hash.h"

/* What the units hold of a document (PART_ROWS); its strings are in the part's heap. */
struct item_row {
    uint64_t            record;
    struct content_hash raw, squeezed;                      /* of the text's bytes; of those that are no white space */
    uint32_t            group, license_from;                /* enum licence_source */
    struct heap_string  source_id, path, repo, license, holders, text, tokens;
};
_Static_assert(sizeof(struct item_row) == 104, "unit format");

struct item_job {
    const struct run *run;
    const struct view_options *view;                        /* of the tokens */
    struct pass_totals         totals;                      /* out, summed over ranks */
};

/* Reads the benchmarks, resuming what is committed.  Collective.  0, or <0 with err set. */
int item_collect(struct item_job *job, struct err *err);

/* The scanner of benchmarks, whose units item_collect has made. */
struct pass_scanner item_collector(const struct item_job *job);

/* The documents in the contract's order; strings are in the units, which stay mapped. */
struct item_document { const struct item_row *row; const char *heap; struct slice split, language; uint32_t shard; };
struct item_result {
    struct item_document *document;
    size_t count, room;
    struct pass_units units;
};

/* Rank 0, after item_collect.  0, or <0 with err set; *out is to be freed either way. */
int  item_result_read(const struct item_job *job, struct item_result *out, struct err *err);
void item_result_free(struct item_result *result);

static inline struct slice item_string(const struct item_document *document, struct heap_string s)
{
    return heap_slice(document->heap, s);
}

#endif
