/* learn/data.h -- what classifiers learn from: rows of numbers, each with a label. */
#ifndef LEAKGRAPH_LEARN_DATA_H
#define LEAKGRAPH_LEARN_DATA_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { LEARN_ROWS_MAX = 1 << 30, LEARN_COLUMNS_MAX = 1 << 16 };

/* Whoever fills it owns what it points to; learn_data_free is for those that learn_data_select made. */
struct learn_data {
    size_t       rows, columns;
    double      *value;                                     /* rows * columns, a row after the other */
    uint8_t     *label;                                     /* rows: 0 or 1 */
    const char **name;                                      /* columns, or NULL: they have none */
};

static inline const double *learn_row(const struct learn_data *d, size_t row) { return d->value + row * d->columns; }

/* Whether it can be learned from: a row and a column at least, finite numbers, labels 0 and 1.  0, or -EINVAL with err
 * set, which names row and column from 0. */
int learn_data_check(const struct learn_data *d, struct err *err);

/* The rows row[0 .. count-1] of `from`, in this order; a row may come again.  Values and labels are the result's own,
 * names stay from's.  0, or -ENOMEM with err set; then *out is empty. */
int  learn_data_select(const struct learn_data *from, const size_t *row, size_t count, struct learn_data *out,
                       struct err *err);
void learn_data_free(struct learn_data *d);                 /* values and labels; leaves it empty */

#endif
