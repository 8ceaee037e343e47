/* learn/data.c -- see data.h. */
#include "learn/data.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int learn_data_check(const struct learn_data *d, struct err *err)
{
    if (d->rows == 0 || d->columns == 0) return err_set(err, -EINVAL, "no rows or no columns to learn from");
    if (d->rows > LEARN_ROWS_MAX || d->columns > LEARN_COLUMNS_MAX)
        return err_set(err, -EINVAL, "%zu rows of %zu columns are more than %d of %d", d->rows, d->columns,
                       (int)LEARN_ROWS_MAX, (int)LEARN_COLUMNS_MAX);
    for (size_t r = 0; r < d->rows; r++) {
        if (d->label[r] > 1) return err_set(err, -EINVAL, "row %zu: the label is %d, not 0 or 1", r, d->label[r]);
        for (size_t c = 0; c < d->columns; c++)
            if (!isfinite(learn_row(d, r)[c]))
                return err_set(err, -EINVAL, "row %zu, column %zu: not a finite number", r, c);
    }
    return 0;
}

int learn_data_select(const struct learn_data *from, const size_t *row, size_t count, struct learn_data *out,
                      struct err *err)
{
    const size_t width = from->columns * sizeof *from->value;

    *out = (struct learn_data){ .rows = count, .columns = from->columns, .name = from->name,
                                .value = malloc(count * width + 1), .label = malloc(count + 1) };
    if (!out->value || !out->label) {
        learn_data_free(out);
        return err_memory(err, count * (width + 1), "rows to learn from");
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(out->value + i * from->columns, learn_row(from, row[i]), width);
        out->label[i] = from->label[row[i]];
    }
    return 0;
}

void learn_data_free(struct learn_data *d)
{
    free(d->value);
    free(d->label);
    *d = (struct learn_data){ 0 };
}
