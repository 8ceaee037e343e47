/* dedup/result.h -- what dedup_run found, read back by rank 0: documents with a copy or a pair, verified links, counts.
 */
#ifndef LEAKGRAPH_DEDUP_RESULT_H
#define LEAKGRAPH_DEDUP_RESULT_H

#include "dedup/columns.h"
#include "dedup/fate.h"

struct runs;

/* A document that is not alone: it has a copy, or a verified pair. */
struct dedup_document {
    uint64_t              ordinal;
    struct dedup_fate     fate;
    struct content_hash   raw;                              /* of its bytes */
    /* in a mapped unit, where its strings are too: to be looked at in the order of ordinals */
    const struct dedup_row *row;
    const char           *heap;                             /* base of the row's strings */
    uint32_t              dataset, shard, cell;
    uint32_t              total, distinct, admitted;        /* as in its row */
};

/* Documents of one dataset, split and language. */
struct dedup_cell {
    uint32_t dataset;
    struct slice split, language;
    uint64_t documents, admitted, rejected, skipped, bytes, removed, removed_bytes;
};
struct dedup_shard { uint64_t documents, rejected, removed, xxh3; struct skips skipped; };
struct dedup_reject { uint32_t shard; struct reject reject; const char *heap; };    /* of its path */

struct dedup_result {
    struct dedup_document *document;  size_t document_count;        /* by ordinal */
    /* by first, each pair once; link NULL: there are none, or they are too many for memory and in links alone */
    const struct dedup_link *link;    size_t link_count;
    struct runs           *links;
    struct dedup_cell     *cell;      size_t cell_count;            /* by (dataset, split, language) */
    /* [shards->count]; zeros for shards of other datasets */
    struct dedup_shard    *shard;
    struct dedup_reject   *reject;    size_t reject_count;          /* by (shard, record) */
    struct catalogue       catalogue;
    /* [catalogue.count] mapped: the rows point into them */
    struct column_unit    *unit;
    char                  *names;                                   /* owns the cells' strings */
};

int  dedup_result_read(const struct dedup_job *job, struct dedup_result *out, struct err *err);
void dedup_result_free(struct dedup_result *result);

static inline struct slice dedup_string(const struct dedup_document *document, struct heap_string s)
{
    return heap_slice(document->heap, s);
}

#endif
