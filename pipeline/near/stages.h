/* near/stages.h -- the stages of the join, for near.c and result.c: their keys, their scanners, their units. */
#ifndef LEAKGRAPH_NEAR_STAGES_H
#define LEAKGRAPH_NEAR_STAGES_H

#include "near/index.h"
#include "near/near.h"

/* A pass without scanners and items, and the scanner of resident shards. */
struct pass near_pass(const struct near_job *job);
struct pass_scanner near_collector(const struct near_job *job);

/* Scanner of the collect stage: a row and the sorted features of every document.  Scanner of the scan stage: rows and
 * links of documents that match the index.  shared: the job. */
int  collect_open(void *shared, struct scanner **out, struct err *err);
int  match_open(void *shared, struct scanner **out, struct err *err);
/* Bytes that the latter takes of each thread, its lookup with it. */
uint64_t match_need(const struct near_index *index);

/* Which resident documents an index is made of. */
enum index_of { INDEX_BENCHMARKS, INDEX_RESIDENTS };
struct unit_key near_index_key(const struct near_job *job, enum index_of of);

/* The self-join of an index in blocks of classes, one unit a block, dealt over ranks.  Collective. */
#define JOIN_BLOCK 16384u
int  near_join(const struct near_job *job, const struct near_index *index, struct unit_key index_key, struct err *err);
struct unit_key near_join_key(struct unit_key index_key, uint64_t block);

/* Fills a row's hashes and strings from a record.  0, or -ENOMEM with err set.  tokens may be NULL unless tokens are
 * stored. */
int  near_row_fill(const struct near_job *job, const struct document *document, struct view_scratch *tokens,
                   struct bytes *scratch,
                   struct part *part, struct near_row *row, struct err *err);

#endif
