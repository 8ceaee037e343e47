/* dedup/result.h -- what dedup_run found, read back by rank 0: documents with a copy or a pair, verified links, counts.
 */
#ifndef LEAKGRAPH_DEDUP_RESULT_H
#define LEAKGRAPH_DEDUP_RESULT_H

#include "dedup/columns.h"
#include "dedup/fate.h"
#include "graph/graph.h"

struct runs;

/* A document that is not alone: it has a copy, or a verified pair.  There may be many millions, so it is what pairs are
 * made from; the rest is in its row. */
struct dedup_document {
    uint64_t            ordinal;
    struct content_hash raw;                                /* of its bytes */
    uint32_t            representative;                     /* place of the first of its class */
    uint32_t            admitted;
};
#define DEDUP_NO_PLACE UINT32_MAX

/* Documents of one dataset, split and language. */
struct dedup_cell {
    uint32_t dataset;
    struct slice split, language;
    uint64_t documents, admitted, rejected, skipped, bytes, removed, removed_bytes;
};
struct dedup_shard { uint64_t documents, rejected, removed, xxh3; struct skips skipped; };
struct dedup_reject { uint32_t shard; struct reject reject; const char *heap; };    /* of its path */

struct dedup_result {
    /* by ordinal; fate: [document_count], where canonical is a place among them */
    struct dedup_document *document;  size_t document_count;
    struct graph_fate     *fate;
    /* of the ordinals: a bit each, set for those of the documents; and how many are before each word of them */
    uint64_t              *listed;
    uint32_t              *before;
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

/* The place of the document with that ordinal, or DEDUP_NO_PLACE. */
static inline uint32_t dedup_place(const struct dedup_result *result, uint64_t ordinal)
{
    const uint64_t bit = 1ull << (ordinal & 63);

    if (ordinal >= result->catalogue.documents || !(result->listed[ordinal >> 6] & bit)) return DEDUP_NO_PLACE;
    return result->before[ordinal >> 6] + (uint32_t)__builtin_popcountll(result->listed[ordinal >> 6] & (bit - 1));
}

/* -EBADMSG: no document has that ordinal, which another one names. */
int dedup_place_missing(uint64_t ordinal, struct err *err);

/* Where a document's row lies: its unit, and in it the row, the base of its strings, its group.  To be looked at in the
 * order of ordinals. */
struct dedup_look {
    size_t                   unit;
    const struct dedup_row  *row;
    const char              *heap;
    const struct part_group *group;
};
struct dedup_look dedup_look(const struct dedup_result *result, uint64_t ordinal);

#endif
