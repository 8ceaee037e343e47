/* config/config.h -- pipeline.yaml, checked and resolved; see capability/config.h for what comes of it. */
#ifndef LEAKGRAPH_CONFIG_CONFIG_H
#define LEAKGRAPH_CONFIG_CONFIG_H

#include "capability/capability.h"

/* Reads and checks the file, then the --set assignments.  Every error names file and line (or the assignment) and, for
 * an unknown key, the nearest known one.  *out must stay where it is: the tasks point to it.  0, -EINVAL, -EIO, -ENOMEM
 * with err set. */
int  config_read(struct config *out, const char *path, const char *const *sets, size_t set_count, struct err *err);
int  config_parse(struct config *out, const char *name, const char *text, size_t len, const char *base,
                  const char *const *sets, size_t set_count, struct err *err);
/* config.resolved.yaml: every key, also the defaults; globs from the root, so that it means the same anywhere */
int  config_print(const struct config *config, struct bytes *out);
/* the keys with defaults and help, for `leakgraph help config`: lines of at most 100 columns */
int  config_help(struct bytes *out);
void config_free(struct config *config);

#endif
