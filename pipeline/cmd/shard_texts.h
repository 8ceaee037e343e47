/* cmd/shard_texts.h -- texts of documents that graph.db does not store, read from the run's shards. */
#ifndef LEAKGRAPH_CMD_SHARD_TEXTS_H
#define LEAKGRAPH_CMD_SHARD_TEXTS_H

#include "config/config.h"
#include "report/show.h"

/* Zeroed but for db and budget, it is ready.  budget: bytes of shards that may be read in all, 0: without end; texts of
 * shards beyond it are not read. */
struct shard_texts { sqlite3 *db; uint64_t budget; struct config config; bool open; uint64_t spent; };

/* Reads the run's configuration from graph.db, once.  0, or <0 with err set. */
int  shard_texts_open(struct shard_texts *texts, struct err *err);
void shard_texts_close(struct shard_texts *texts);

/* What struct show_reader calls; context: a struct shard_texts.  A shard is read once a call, up to the last text that
 * is wanted of it. */
int  shard_texts_read(void *context, struct show_text *text, size_t count, struct err *err);

/* Writes the report of dir/graph.db, with texts of its shards as far as they are quickly read, on up to so many
 * threads.  0, or <0 with err set. */
int  shard_texts_report(const char *dir, int threads, struct err *err);

#endif
