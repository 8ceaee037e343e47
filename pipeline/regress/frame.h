/* regress/frame.h -- a table of columns by name: those of a formula, whatever it was read from.
 *
 * Cells are kept as texts.  A column is one of numbers where each cell that is there is a number.  Missing are empty
 * cells and NA, NaN, nan, null.  Blanks around a cell do not count. */
#ifndef LEAKGRAPH_REGRESS_FRAME_H
#define LEAKGRAPH_REGRESS_FRAME_H

#include "base/bytes.h"
#include "base/err.h"

#include <math.h>
#include <stdbool.h>

struct frame_column {
    struct slice  name;                                     /* borrowed */
    struct slice  cell;                                     /* of the row at hand; borrowed until its end */
    struct bytes  text;                                     /* all cells, */
    size_t       *end, room;                                /* and where each ends, [rows] */
    double       *number;                                   /* [rows], NaN where missing; NULL: a column of texts */
    size_t        text_row;                                 /* the first whose cell is no number */
    bool          nearly;                                   /* nine of ten cells, and two, are numbers or infinite */
    bool          found;                                    /* a cell, or a heading, was there */
};

struct frame { struct frame_column *column; size_t columns, rows; };

/* The names that are wanted, borrowed.  0 or -ENOMEM.  Close accepts a zeroed struct. */
int  frame_open(struct frame *f, const struct slice *name, size_t columns);
void frame_close(struct frame *f);

struct frame_column *frame_column_of(const struct frame *f, struct slice name);     /* NULL: it is not wanted */

/* The row of the cells that were set since the last one.  0 or -ENOMEM. */
int  frame_end_row(struct frame *f);
int  frame_finish(struct frame *f);                         /* says which are numbers.  0 or -ENOMEM */

struct slice frame_cell(const struct frame_column *c, size_t row);
bool         frame_is_missing(struct slice cell);
bool         frame_number(struct slice cell, double *out);  /* finite, decimal */

#endif
