/* cmd/wrong_field.h -- what to say when no record of a dataset had its text where it was looked for: which fields its
 * records have, and which of them is most likely the text. */
#ifndef LEAKGRAPH_CMD_WRONG_FIELD_H
#define LEAKGRAPH_CMD_WRONG_FIELD_H

#include "config/config.h"

/* Reads the first records of the shard and adds to err's text what they have.  The guess is the field with most text in
 * them, objects' fields by dotted names.  Nothing is added when they cannot be read as JSON.  several: there are other
 * datasets too, so the option must name this one.  Whether a setting is
 * wrong: the field was given, or the records have texts elsewhere. */
bool wrong_field_explain(const struct dataset *dataset, const struct shard *shard, bool several, struct err *err);

/* The same of the first dataset in dir/graph.db without a usable record, where all that its records lack are texts;
 * err's code becomes -EINVAL where a setting is wrong.  Returns it. */
int  wrong_field_tell(const struct config *config, const struct shard_list *shards, const char *dir, struct err *err);

#endif
