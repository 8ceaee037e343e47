/* clean/match.h -- what a chosen record was matched with, as columns of a list: those that dedup's lists have for the
 * document that stays, kept_number too.
 *
 * graph.db names places by dataset, shard and record; a number is that of the run's counts. */
#ifndef LEAKGRAPH_CLEAN_MATCH_H
#define LEAKGRAPH_CLEAN_MATCH_H

#include "clean/clean.h"

#include <sqlite3.h>

#define MATCH_COLUMNS "kept_dataset\tkept_number\tkept_shard\tkept_record\tkept_path\tkind\tsimilarity"

#define MATCH_NONE SLICE("\t\t\t\t\t\t")                      /* what match_print gives of nothing */

/* similarity: negative where there is none */
struct match { struct slice kind, dataset, shard, path; uint64_t record; double similarity; uint32_t of_shard; };
enum { MATCH_NO_SHARD = UINT32_MAX };                       /* of_shard: not among the run's */

/* Appends the columns, without an end of line; NULL: all are empty.  counts number it.  0 or -ENOMEM. */
int match_print(struct bytes *out, const struct match *match, const struct scan_counts *counts);

/* Asks graph.db.  Rank 0. */
struct matcher;
int  matcher_open(struct matcher **out, const struct clean_job *job, sqlite3 *db, struct err *err);
void matcher_close(struct matcher *matcher);                /* accepts NULL */

/* Appends the columns of the first row of sql (rule_column.match; ?1 is id, ?2 against, which may be NULL).  1; 0:
 * there is none, and nothing is appended; <0 with err set.  sql is prepared once, and must outlive the matcher. */
int matcher_find(struct matcher *matcher, const char *sql, uint64_t id, const char *against, struct bytes *out,
                 struct err *err);

/* By the columns of the rule (bits) that made it hold, in their order: the first of them that tells.  Otherwise as
 * matcher_find. */
int matcher_find_columns(struct matcher *matcher, uint64_t columns, uint64_t id, struct bytes *out, struct err *err);

#endif
