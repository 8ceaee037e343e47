/* config/explain.h -- one key of pipeline.yaml, as `leakgraph help config` explains all of them: the same lines, found
 * by their indentation. */
#ifndef LEAKGRAPH_CONFIG_EXPLAIN_H
#define LEAKGRAPH_CONFIG_EXPLAIN_H

#include "base/bytes.h"
#include "base/err.h"

/* What the help says of a key and of those below it: "dedup", "dedup.bands", "probe.models.url", "memory".  0, -EINVAL
 * with the nearest known key, -ENOMEM; err is set. */
int explain_key(const char *path, struct bytes *out, struct err *err);

/* The keys that may be asked for, a line each: of the file, "dedup", and, when deep, those in it, "dedup.bands".  0 or
 * -ENOMEM. */
int explain_keys(bool deep, struct bytes *out);

#endif
