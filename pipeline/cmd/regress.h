/* cmd/regress.h -- what the files of `leakgraph regress` share: rows that are read, and results that are told. */
#ifndef LEAKGRAPH_CMD_REGRESS_H
#define LEAKGRAPH_CMD_REGRESS_H

#include "regress/design.h"

/* Rows of CSV, TSV or JSON (lines, or one array), as the content says; what is below an object is called a.b.  0, or
 * <0 with err set, naming the nearest column where one that is wanted is not there. */
int regress_read_file(struct frame *frame, const char *path, struct err *err);

/* What a query of the run's graph.db gives; query NULL: a row for each item that a model was asked about, columns as
 * the command's help has them. */
int regress_read_run(struct frame *frame, const char *run, const char *query, struct err *err);

struct regress_result {
    struct slice             formula;
    const struct design     *design;
    const struct regression *fit;
};

/* A table for people, and one JSON object.  0 or -ENOMEM. */
int regress_tell(const struct regress_result *r, struct bytes *out);
int regress_json(const struct regress_result *r, struct bytes *out);

#endif
