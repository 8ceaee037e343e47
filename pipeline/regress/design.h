/* regress/design.h -- the numbers that a formula makes of a table: columns of the fixed part, levels of groups.
 *
 * Texts are coded as R does: by a column a text, 1 where it is that, without one for the first of them where the
 * formula has the term without this variable (the intercept stands for none): coefficients are differences to that.
 * The order is that of the bytes, of a column of numbers (factor) that of the numbers.
 * Rows in which anything that the formula names is missing do not count; scale is over those that do. */
#ifndef LEAKGRAPH_REGRESS_DESIGN_H
#define LEAKGRAPH_REGRESS_DESIGN_H

#include "regress/formula.h"
#include "regress/frame.h"
#include "regress/regression.h"

enum { DESIGN_COLUMNS = 500 };

/* A variable of texts: the first of them, and how many there are.  against: coefficients are differences to that. */
struct design_texts { struct slice name, base; size_t levels; bool against; };

struct design {
    struct regression_data data;                            /* of what is below */
    double                *x, *y, *trials;
    uint32_t              *level[REGRESS_TERMS];
    char                 **name, **group_name;              /* (Intercept), log(a), a[text], a:b[text]; g, a:b */
    struct design_texts    texts[FORMULA_VARIABLES];
    size_t                 text_count, missing, untried;    /* rows left out: something is missing; no trials */
};

/* The formula and the frame stay as long as the design.  hits: y are hits, of the formula's trials or of one a row.
 * 0; -EINVAL: the formula and the table do not go together; -EDOM: a value does not; -ENOMEM.  Free accepts a zeroed
 * struct. */
int  design_make(struct design *d, const struct formula *formula, const struct frame *frame, bool hits,
                 struct err *err);
void design_free(struct design *d);

#endif
