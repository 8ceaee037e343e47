/* sensitive/tables.c -- see tables.h. */
#include "sensitive/tables.h"

#include <stdlib.h>

int graph_add_sensitive(struct graph_build *build, const struct sensitive_result *result, struct err *err)
{
    struct graph_sensitive *row = graph_build_own(build, calloc(result->count + 1, sizeof *row));

    if (!row) return err_memory(err, result->count * sizeof *row, "sensitive strings");
    for (size_t i = 0; i < result->count; i++) {
        const struct sensitive_value *from = &result->value[i];

        row[i] = (struct graph_sensitive){ .dataset = from->dataset, .kind = slice_of(sensitive_names[from->kind]),
                                           .pattern = sensitive_pattern(result, from),
                                           .masked = sensitive_masked(result, from), .hash_low = from->hash.low,
                                               .hash_high = from->hash.high,
                                           .occurrences = from->occurrences, .documents = from->documents,
                                               .corpus_occurrences = from->corpus_occurrences,
                                           .corpus_documents = from->corpus_documents, .shard = from->shard,
                                               .record = from->record, .byte = from->at };
    }
    build->graph.sensitive = row, build->graph.sensitive_count = result->count;
    return 0;
}
