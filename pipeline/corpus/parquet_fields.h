/* corpus/parquet_fields.h -- which columns of a Parquet file are a dataset's fields.
 *
 * Columns are fields by name, dots reach into groups; of a list only `tokens` is made, and only of strings. */
#ifndef LEAKGRAPH_CORPUS_PARQUET_FIELDS_H
#define LEAKGRAPH_CORPUS_PARQUET_FIELDS_H

#include "corpus/dataset.h"
#include "corpus/parquet_footer.h"
#include "corpus/record.h"

enum { PARQUET_FIELDS = FIELD_COUNT + DATASET_EXTRA };      /* the fields, then the dataset's extra ones */

struct parquet_fields {
    const struct parquet_node *node[PARQUET_FIELDS];        /* [count], in the order of the schema; of the footer */
    uint32_t                   field[PARQUET_FIELDS];
    size_t                     count, text;                 /* text: place of the text's column */
};

/* 0; -EINVAL with err set: the text's column, or one that the dataset names, is not there or cannot be a field.
 * Columns with default names that cannot be are passed over. */
int parquet_fields_find(struct parquet_fields *out, const struct parquet_footer *footer, const struct dataset *dataset,
                        struct err *err);

#endif
