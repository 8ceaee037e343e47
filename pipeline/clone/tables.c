/* clone/tables.c -- see tables.h. */
#include "clone/tables.h"

#include <errno.h>
#include <stdlib.h>

static void *own_array(struct graph_build *build, size_t count, size_t size)
{
    return graph_build_own(build, calloc(count + 1, size));
}

static struct slice small_string(const struct clone_side_document *document, struct heap_string s)
{
    return s.len == NO_STRING ? (struct slice){ 0 } : (struct slice){ document->heap + s.at, s.len };
}

int graph_add_clones(struct graph_build *build, const struct clone_job *job, const struct clone_result *result,
                     struct err *err)
{
    struct graph                *graph = &build->graph;
    struct graph_clone          *clone = own_array(build, result->block_count, sizeof *clone);
    struct graph_clone_place    *place = own_array(build, result->place_count, sizeof *place);
    struct graph_clone_document *document = own_array(build, result->small.count, sizeof *document);
    struct graph_clone_span     *span = own_array(build, result->span_count, sizeof *span);
    size_t                       documents = 0;

    if (!clone || !place || !document || !span)
        return err_memory(err, result->block_count * sizeof *clone + result->place_count * sizeof *place, "blocks");
    for (size_t b = 0; b < result->block_count; b++) {
        const struct clone_block *from = &result->block[b];

        clone[b] = (struct graph_clone){ .fingerprint_low = from->fingerprint_low,
                                         .fingerprint_high = from->fingerprint_high, .small_count = from->small_count,
                                         .corpus_count = from->corpus_count, .text = clone_block_text(result, from),
                                             .length = from->length };
    }
    for (size_t p = 0; p < result->place_count; p++) {
        const struct clone_block_place *from = &result->place[p];

        place[p] = (struct graph_clone_place){ from->record, from->block, job->run->shards->at[from->shard].dataset,
                                               from->shard, from->line };
    }
    for (size_t d = 0; d < result->small.count; d++) {
        const struct clone_side_document *from = &result->small.document[d];

        if (!result->shared[d]) continue;
        document[documents++] = (struct graph_clone_document){
            .record = from->row->record, .lines = from->row->line_count, .shared = result->shared[d],
                .source_id = small_string(from, from->row->source_id),
            .path = small_string(from, from->row->path), .dataset = job->run->shards->at[from->shard].dataset,
                .shard = from->shard };
    }
    for (size_t s = 0; s < result->span_count; s++) {
        const struct clone_side_document *of = &result->small.document[result->span[s].document];

        span[s] = (struct graph_clone_span){ of->row->record, job->run->shards->at[of->shard].dataset, of->shard,
                                             result->span[s].first, result->span[s].last };
    }
    graph->clones = clone, graph->clone_count = result->block_count;
    graph->clone_places = place, graph->clone_place_count = result->place_count;
    graph->clone_documents = document, graph->clone_document_count = documents;
    graph->clone_spans = span, graph->clone_span_count = result->span_count;
    return 0;
}
