/* audit/feature.h -- what a model knows of a file: for each kind of element, how many of those that were masked it has
 * given back.  Source: Majdinasab et al., Trained Without My Consent (TraWiC), section 3.
 *
 * On disk a CSV: the file's name, `class_hits`, `class_nums_total` and so on in the order of enum audit_category,
 * `trained_on`, `repository`.  Columns are found by name; without a column `file_name` the first is the file, whatever
 * it is called (pandas writes numbers of rows before all others).  `_nums_total` may be missing all together,
 * `trained_on` and `repository` each. */
#ifndef LEAKGRAPH_AUDIT_FEATURE_H
#define LEAKGRAPH_AUDIT_FEATURE_H

#include "audit/element.h"
#include "base/bytes.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct audit_feature {
    char  *file;
    char  *repository;                                      /* NULL: not told */
    double hits[AUDIT_CATEGORIES];                          /* share of a category's elements, 0 .. 1; 0 without any */
    double total[AUDIT_CATEGORIES];                         /* elements; NaN where the CSV does not say */
    int    label;                                           /* trained on: 1, not: 0, unknown: -1 */
};

/* A zeroed struct is empty.  Rows and their texts are owned. */
struct audit_features { struct audit_feature *row; size_t count, room; };

/* Adds a row; file and repository (at NULL: none) are copied, total may be NULL: not told.  0, or -ENOMEM. */
int  audit_features_add(struct audit_features *to, struct slice file, struct slice repository,
                        const double hits[AUDIT_CATEGORIES], const double *total, int label, struct err *err);
void audit_features_free(struct audit_features *f);

/* Whether every row says how many elements there were. */
bool audit_features_have_totals(const struct audit_features *f);

/* Adds the rows of a CSV.  0, or <0 with err set (-EBADMSG: damaged), which names file, line and column; rows that
 * were read before it stay. */
int audit_features_read(struct audit_features *to, const char *path, struct err *err);
/* The same of a text that was read; `name` is used in messages. */
int audit_features_parse(struct audit_features *to, const char *name, struct slice text, struct err *err);

/* Appends the CSV; totals: 12 columns of numbers, else 6.  `repository` is there if a row has one.  Numbers read back
 * bit by bit.  0 or -ENOMEM. */
int audit_features_print(const struct audit_features *f, bool totals, struct bytes *out);
int audit_features_write(const struct audit_features *f, bool totals, const char *path, struct err *err);

/* An element that was masked, and what the model said. */
struct audit_answer {
    struct slice        file, repository;                   /* borrowed; repository.at NULL: none */
    struct slice        objective, output;                  /* what stood there and what was said; at NULL: nothing */
    enum audit_category category;
    bool                hit;
    int                 label;                              /* of the file */
};

/* Adds a row a file, in the order in which files come first.  The file's label is 1 where an element says 1, else 0
 * where one says 0; its repository the first told.
 *   exact      each element with an answer counts once; files whose elements have none have a row of zeros
 *   published  as pandas 1.5 makes them of TraWiC's dataset.csv: a file, objective or output that is read as no value
 *              (empty, `null`, `nan`, `NA`, ...) takes its element away, and of elements with the same file,
 *              category, objective and output the first alone counts; empty literals (audit_is_trivial) do not.
 * 0, or -ENOMEM with err set. */
int audit_features_of(struct audit_features *to, const struct audit_answer *answer, size_t count, bool published,
                      struct err *err);

#endif
