/* near/tables.c -- see tables.h. */
#include "near/tables.h"

#include <stdlib.h>

#define FIELD(member) offsetof(struct graph_length, member)
static const struct graph_column length_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "least", COLUMN_U32, FIELD(least), 0, NULL, "features of the view, occurrences" },
    { "most", COLUMN_U32, FIELD(most), 0, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), 0, NULL, "with so many" },
};

const struct graph_table table_lengths = {
    .name = "lengths", .row_size = sizeof(struct graph_length), TABLE_COLUMNS(length_columns),
    .doc = "Pass near: readable documents of each dataset by their features, below 32 each number, then from one "
           "power of 2 to the next; what min_tokens leaves out.",
};

const struct graph_table *const near_tables[] = { &table_lengths, NULL };

int graph_add_lengths(struct graph_build *build, const struct near_result *result, size_t datasets, struct err *err)
{
    size_t               room = datasets * LENGTHS_BUCKETS, count = 0;
    struct graph_length *row = graph_build_own(build, malloc((room + 1) * sizeof *row));

    if (!row) return err_memory(err, room * sizeof *row, "lengths");
    for (size_t d = 0; d < datasets; d++)
        for (size_t b = 0; b < LENGTHS_BUCKETS; b++)
            if (result->lengths[d].count[b])
                row[count++] = (struct graph_length){
                    (uint32_t)d, lengths_least(b), b + 1 < LENGTHS_BUCKETS ? lengths_least(b + 1) - 1 : UINT32_MAX,
                    result->lengths[d].count[b] };
    return graph_add_rows(build, &table_lengths, row, count, err);
}
