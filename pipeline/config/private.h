/* config/private.h -- the parts of pipeline.yaml under `datasets`, of the passes and of `clean`; shared by config.c
 * and config_*.c. */
#ifndef LEAKGRAPH_CONFIG_PRIVATE_H
#define LEAKGRAPH_CONFIG_PRIVATE_H

#include "base/option.h"
#include "config/config.h"

/* Reads the list `datasets` of the root map into config->datasets.  0, -EINVAL, -ENOMEM with err set; what was read so
 * far is the config's. */
int config_read_datasets(struct config *config, const struct node *root, const char *name, struct err *err);
int config_print_datasets(const struct config *config, struct bytes *out);      /* as YAML; 0 or -ENOMEM */
int config_help_datasets(struct bytes *out);

/* Reads the map `dedup` when it is there; the datasets have been read.  across_languages and published are in
 * options.view already.  As above. */
int config_read_dedup(struct config *config, const struct node *root, const char *name, struct err *err);
int config_print_dedup(const struct config *config, struct bytes *out);
int config_help_dedup(struct bytes *out);

/* Reads the map `portrait` when it is there; the datasets have been read.  As above. */
int  config_read_portrait(struct config *config, const struct node *root, const char *name, struct err *err);
int  config_print_portrait(const struct config *config, struct bytes *out);
int  config_help_portrait(struct bytes *out);
void config_free_portrait(struct config *config);

/* Reads the map `line_clones` when it is there; the datasets have been read.  As above. */
int config_read_clones(struct config *config, const struct node *root, const char *name, struct err *err);
int config_print_clones(const struct config *config, struct bytes *out);
int config_help_clones(struct bytes *out);

/* Reads the map `ngrams` when it is there.  As above. */
int  config_read_ngrams(struct config *config, const struct node *root, const char *name, struct err *err);
int  config_print_ngrams(const struct config *config, struct bytes *out);
int  config_help_ngrams(struct bytes *out);
void config_free_ngrams(struct config *config);

/* Reads the map `repositories` when it is there; the datasets have been read.  As above. */
int  config_read_repositories(struct config *config, const struct node *root, const char *name, struct err *err);
int  config_print_repositories(const struct config *config, struct bytes *out);
int  config_help_repositories(struct bytes *out);
void config_free_repositories(struct config *config);

/* Reads the map `probe` when it is there; the datasets and near_duplicates have been read.  As above. */
int  config_read_probe(struct config *config, const struct node *root, const char *name, struct err *err);
int  config_print_probe(const struct config *config, struct bytes *out);
int  config_help_probe(struct bytes *out);
void config_free_probe(struct config *config);

/* Reads the map `generate` when it is there, and adds the datasets of the outputs; the other datasets have been read,
 * and nothing that looks at them.  As above. */
int  config_read_generate(struct config *config, const struct node *root, const char *name, struct err *err);
int  config_print_generate(const struct config *config, struct bytes *out);
int  config_help_generate(struct bytes *out);
void config_free_generate(struct config *config);

/* Reads the map `sensitive` when it is there; the datasets have been read.  As above. */
int  config_read_sensitive(struct config *config, const struct node *root, const char *name, struct err *err);
int  config_print_sensitive(const struct config *config, struct bytes *out);
int  config_help_sensitive(struct bytes *out);
void config_free_sensitive(struct config *config);

/* Reads the list `clean` when it is there; all passes have been read.  As above. */
int  config_read_clean(struct config *config, const struct node *root, const char *name, struct err *err);
int  config_print_clean(const struct config *config, struct bytes *out);
int  config_help_clean(struct bytes *out);
void config_free_clean(struct config *config);

/* Defaults, then the map under `key` of the root when there is one. */
int config_section(const struct option *rows, void *settings, const struct node *root, const char *key,
                   const char *name, struct err *err);

#endif
