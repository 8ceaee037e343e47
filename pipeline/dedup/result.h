/* dedup/result.h -- what dedup_run found, read back by rank 0: documents with a copy or a pair, verified links, counts.
 */
#ifndef LEAKGRAPH_DEDUP_RESULT_H
#define LEAKGRAPH_DEDUP_RESULT_H

#include "base/bits.h"
#include "base/ranked.h"
#include "base/runs.h"
#include "dedup/columns.h"
#include "dedup/fate.h"
#include "graph/graph.h"

/* A document of a class that has several: its place, that of the class's first, the hash of its bytes. */
struct dedup_copy { uint32_t representative, document; struct content_hash raw; };

/* Documents of one dataset, split and language. */
struct dedup_cell {
    uint32_t dataset;
    struct slice split, language;
    uint64_t documents, admitted, rejected, skipped, bytes, removed, removed_bytes;
};
struct dedup_shard { uint64_t documents, rejected, removed, xxh3; struct skips skipped; };
struct dedup_reject { uint32_t shard; struct reject reject; const char *heap; };    /* of its path */

struct dedup_result {
    /* The ordinals of documents that are not alone: they have a copy, or a verified pair.  There may be many millions,
     * so of each 16 bytes are held, and 5 more until there are pairs; the rest is in its row.  A document's place is
     * that of its ordinal, here and in what follows. */
    struct ranked          listed;
    struct graph_fate     *fate;                                    /* [listed.count] canonical is a place */
    uint64_t              *admitted;                                /* a bit each */
    /* What pairs are made from, and gone afterwards (dedup_result_forget).  representative: [listed.count] the place of
     * the first of its class; copies: by class, its first before the others. */
    uint32_t              *representative;
    struct runs           *copies;
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
/* Gives back what pairs were made from. */
void dedup_result_forget(struct dedup_result *result);

/* Of runs of copies. */
struct runs_options dedup_copies_options(struct stage *stage, uint64_t memory);

static inline bool dedup_is_admitted(const struct dedup_result *result, uint32_t place)
{
    return bits_has(result->admitted, place);
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
