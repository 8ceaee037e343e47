/* config/private.h -- the part of pipeline.yaml under `datasets`, for config.c. */
#ifndef LEAKGRAPH_CONFIG_PRIVATE_H
#define LEAKGRAPH_CONFIG_PRIVATE_H

#include "config/config.h"

/* Reads the list `datasets` of the root map into config->datasets.  0, -EINVAL, -ENOMEM with err set; what was read so
 * far is the config's. */
int config_read_datasets(struct config *config, const struct node *root, const char *name, struct err *err);
int config_print_datasets(const struct config *config, struct bytes *out);      /* as YAML; 0 or -ENOMEM */
int config_help_datasets(struct bytes *out);

#endif
