/* near/lookup.h -- finding every class of an index that passes the thresholds with one document. */
#ifndef LEAKGRAPH_NEAR_LOOKUP_H
#define LEAKGRAPH_NEAR_LOOKUP_H

#include "near/index.h"

struct lookup;                                              /* one a thread */

/* A document as the index sees it. */
struct lookup_query {
    /* [known] its features that the index has: ranks ascending, occurrences */
    const uint32_t *rank, *times;
    size_t          known;
    uint32_t        distinct, total;                        /* of all its features */
    /* joining an index with itself: the query's own class.  Larger ids are found only where one is inside the other, so
     * such a pair can be found from both its sides.  Else UINT32_MAX */
    uint32_t        below;
    /* the query is (a class with) a benchmark item: it may be inside a class */
    bool            benchmark;
    uint32_t        level;                                  /* of its class; of a streamed document 0 */
};

int  lookup_open(struct lookup **out, const struct near_index *index, const struct near_options *options,
                 struct err *err);
/* Bytes that it takes. */
uint64_t lookup_need(const struct near_index *index);
void lookup_close(struct lookup *lookup);                   /* accepts NULL */

/* The links of a query, sorted by class (second; first is left 0), each class once; valid until the next call.  A class
 * that equals the query is among them unless `below` keeps it out.  The same whatever order postings are met in.  0 or
 * -ENOMEM. */
int  lookup_run(struct lookup *lookup, const struct lookup_query *query, const struct near_link **link, size_t *count,
                struct err *err);

/* Sorts rank[n] ascending and times[n] with it, in place. */
void near_sort_ranks(uint32_t *rank, uint32_t *times, size_t n);

#endif
