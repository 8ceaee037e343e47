/* documents/tables.c -- see tables.h. */
#include "documents/tables.h"

#include "licence/licence.h"

#include <errno.h>
#include <stdlib.h>

int graph_add_items(struct graph_build *build, const struct item_result *result, const struct scan_counts *counts,
                    struct err *err)
{
    struct graph_document *document = graph_build_own(build, malloc((result->count + 1) * sizeof *document));

    if (!document) return err_memory(err, result->count * sizeof *document, "stored documents");
    if (result->count >= UINT32_MAX)
        return err_set(err, -EOVERFLOW, "the benchmarks have 2^32 documents or more; compare fewer at a time");
    for (size_t i = 0; i < result->count; i++) {
        const struct item_document *from = &result->document[i];
        const struct item_row      *row = from->row;

        document[i] = (struct graph_document){
            .dataset = counts->shards->at[from->shard].dataset, .shard = from->shard,
                .number = counts_number(counts, from->shard, row->record),
            .record = row->record, .split = from->split, .language = from->language,
                .source_id = item_string(from, row->source_id),
            .path = item_string(from, row->path), .repo = item_string(from, row->repo),
                .license = item_string(from, row->license),
                .license_class = licence_class_word(item_string(from, row->license)),
                .license_from = slice_of(licence_source_names[row->license_from]),
                .holders = item_string(from, row->holders),
            .text = item_string(from, row->text), .tokens = item_string(from, row->tokens), .hash_low = row->raw.low,
                .hash_high = row->raw.high,
            .squeezed_low = row->squeezed.low, .squeezed_high = row->squeezed.high };
    }
    build->graph.documents = document, build->graph.document_count = result->count;
    return 0;
}
