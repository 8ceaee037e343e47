/* cmd/config_private.h -- the parts of pipeline.yaml under `datasets` and `dedup`; shared by config.c, config_datasets.c and config_dedup.c. */
#ifndef LEAKGRAPH_CMD_CONFIG_PRIVATE_H
#define LEAKGRAPH_CMD_CONFIG_PRIVATE_H

#include "base/option.h"
#include "cmd/config.h"

/* Reads the list `datasets` of the root map into config->datasets.  0, -EINVAL, -ENOMEM with err set; what was read so far is the config's. */
int config_read_datasets(struct config *config, const struct node *root, const char *name, struct err *err);
int config_print_datasets(const struct config *config, struct bytes *out);      /* as YAML; 0 or -ENOMEM */
int config_help_datasets(struct bytes *out);

/* Reads the map `dedup` when it is there; the datasets have been read.  across_languages and published are in options.view already.  As above. */
int config_read_dedup(struct config *config, const struct node *root, const char *name, struct err *err);
int config_print_dedup(const struct config *config, struct bytes *out);
int config_help_dedup(struct bytes *out);

/* Defaults, then the map under `key` of the root when there is one. */
int config_section(const struct option *rows, void *settings, const struct node *root, const char *key, const char *name, struct err *err);

#endif
