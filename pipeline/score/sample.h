/* score/sample.h -- how models did at the items of a benchmark: rows of files, whoever wrote them, in one shape.
 *
 * A sample is one answer, or one row of numbers, to one item.  What is known beside it says which series it belongs to:
 * model, kind (as leaky or non-leaky), seed, frozen layers.  Several samples of an item in a series are tries. */
#ifndef LEAKGRAPH_SCORE_SAMPLE_H
#define LEAKGRAPH_SCORE_SAMPLE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "base/table.h"
#include "graph/pool.h"

#include <stdbool.h>
#include <stdint.h>

struct score_value { uint32_t column; double is; };

/* Texts lie in the list's pool. */
struct score_sample {
    struct slice id, other;                                 /* at NULL: none; other: a second name of the same item */
    int64_t      number;                                    /* of its row or document; negative: it has an id alone */
    struct slice prediction, reference;                     /* at NULL: none */
    size_t       value_at, values;                          /* of the list's values */
    uint32_t     series, file;
    uint64_t     line;                                      /* of the file, from 1; an element's or item's number */
};

/* Empty where nothing was said. */
struct score_series { struct slice model, kind, seed, layer; };

/* binary: every value so far was true or false, or passed or not. */
struct score_column { struct slice name; bool binary; };

struct score_samples {
    struct score_sample *at;           size_t count, room;
    struct score_series *series;       size_t series_count, series_room;
    struct score_column *column;       size_t column_count, column_room;
    struct score_value  *value;        size_t value_count, value_room;
    const char         **file;         size_t file_count, file_room;        /* paths, borrowed */
    struct table         series_by_name, column_by_name;
    struct pool          pool;
    struct bytes         key;                               /* scratch */
};
enum { SCORE_COLUMNS_MOST = 1000, SCORE_SERIES_MOST = 10000 };

void score_samples_free(struct score_samples *samples);

/* Begins to read a file of that path, which is borrowed.  0 or -ENOMEM. */
int score_file_begin(struct score_samples *samples, const char *path, struct err *err);

/* The number of the series or column of that name, which is new or was there.  0; -EINVAL where there are too many, or
 * -ENOMEM, with err set. */
int score_series_put(struct score_samples *samples, struct score_series series, uint32_t *out, struct err *err);
int score_column_put(struct score_samples *samples, struct slice name, bool binary, uint32_t *out, struct err *err);

/* Adds a sample of the file that was begun last; its texts are copied, its values are those that score_value_add adds
 * next, a column once.  0; -EEXIST where the column has one, or -ENOMEM, with err set. */
int score_sample_add(struct score_samples *samples, struct score_sample sample, struct err *err);
int score_value_add(struct score_samples *samples, struct slice column, bool binary, double value, struct err *err);

#endif
