/* capability/languages.h -- the language of datasets of which nothing says it.
 *
 * A document is compared with those of its own language, and that is said by the dataset, the record, its path or a #!
 * line.  A benchmark of bare texts beside a corpus of files would be compared with nothing: where some dataset's
 * language is known, that of a dataset whose first records say nothing is guessed by their texts (code/guess.h).
 * Where none is known all are text alike, and nothing is guessed.
 *
 * Of datasets that were added to a store each is guessed by itself and those before it, which keep what they were taken
 * for: it is given from then on. */
#ifndef LEAKGRAPH_CAPABILITY_LANGUAGES_H
#define LEAKGRAPH_CAPABILITY_LANGUAGES_H

#include "base/comm.h"
#include "corpus/dataset.h"

enum { LANGUAGES_SHARDS = 4, LANGUAGES_BYTES = 4 << 20 };   /* looked at, of a dataset */

/* Gives datasets the language that their texts have.  Asked again with these given, it gives no other one more: the
 * configuration that a run resolves is that of the same run.  The same answer wherever the same files are seen; a shard
 * that cannot be read tells nothing here: the pass says why.  0 or -ENOMEM with err set. */
int languages_guess(struct dataset *datasets, size_t count, const struct shard_list *shards, struct err *err);

/* The same, by rank 0 for all; collective. */
int languages_settle(struct comm *comm, struct dataset *datasets, size_t count, const struct shard_list *shards,
                     struct err *err);

void languages_log(const struct dataset *datasets, size_t count);   /* a line for each that was guessed */

#endif
