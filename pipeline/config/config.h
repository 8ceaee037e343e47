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
/* config.resolved.yaml: every key, also the defaults; output and globs from the root, so that it means the same
 * anywhere; what it is read back as prints the same */
int  config_print(const struct config *config, struct bytes *out);
/* Do two resolved configurations ask for the same results?  `output`, `memory` and `fail_on` change none, nor does a
 * key that one of them leaves at its default.  Where not, differ are the first lines that are not equal, of either, and
 * the place of the first one, "datasets.bench" (empty where that cannot be told: one is no configuration of this
 * version); they lie in room, which the caller frees. */
bool config_same_results(struct slice there, struct slice here, struct slice differ[3], struct bytes room[3]);
/* the keys with defaults and help, for `leakgraph help config`: lines of at most 100 columns */
int  config_help(struct bytes *out);
void config_free(struct config *config);

#endif
