/* cmd/config.h -- pipeline.yaml, checked and resolved. */
#ifndef LEAKGRAPH_CMD_CONFIG_H
#define LEAKGRAPH_CMD_CONFIG_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/dataset.h"
#include "graph/graph.h"
#include "scan/near.h"

struct config {
    char                *output;                            /* run folder; relative to the current folder */
    char                *base;                              /* where relative globs start: the YAML's folder */
    struct dataset      *datasets;
    size_t               dataset_count;
    bool                 near_on;                           /* near_duplicates is there */
    struct near_options  near;
    int                  store;                             /* enum graph_store */
    double               fail_leakage, fail_rejects;        /* percent; -1: no gate */
    bool                 published;                         /* compat: published */
    uint64_t             memory;                            /* what resident documents and their index may take, bytes; 0: three quarters of the machine's */
};

/* Reads and checks the file, then the --set assignments.  Every error names file and line (or the assignment) and, for an unknown key, the
 * nearest known one.  0, -EINVAL, -EIO, -ENOMEM with err set. */
int  config_read(struct config *out, const char *path, const char *const *sets, size_t set_count, struct err *err);
int  config_parse(struct config *out, const char *name, const char *text, size_t len, const char *base,
                  const char *const *sets, size_t set_count, struct err *err);
int  config_print(const struct config *config, struct bytes *out);          /* config.resolved.yaml: every key, also the defaults; globs from the root, so that it means the same anywhere */
int  config_help(struct bytes *out);                        /* the keys with defaults and help, for `leakgraph help config`: lines of at most 100 columns */
void config_free(struct config *config);

#endif
