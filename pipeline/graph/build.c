/* graph/build.c -- see build.h. */
#include "graph/build.h"

#include "base/bytes.h"
#include "base/runs.h"

#include <errno.h>
#include <stdlib.h>

void *graph_build_own(struct graph_build *build, void *block)
{
    if (!block) return NULL;
    if (ARRAY_GROW(build->owned, build->owned_room, build->owned_count) < 0) {
        free(block);
        return NULL;
    }
    return build->owned[build->owned_count++] = block;
}

static void *own_array(struct graph_build *build, size_t count, size_t size)
{
    return graph_build_own(build, malloc((count + 1) * size));
}

int graph_add_rows(struct graph_build *build, const struct graph_table *table, const void *rows, size_t count,
                   struct err *err)
{
    struct graph *graph = &build->graph;

    if (ARRAY_GROW(build->rows, build->row_room, graph->row_count) < 0)
        return err_memory(err, sizeof *build->rows, table->name);
    build->rows[graph->row_count++] = (struct graph_rows){ .table = table, .rows = rows, .count = count };
    graph->rows = build->rows;
    if (table->flags & TABLE_FATES) graph->fates = rows;
    return 0;
}

static const struct skips *skips_at(const struct skips *first, size_t stride, size_t i)
{
    return (const struct skips *)(const void *)((const char *)first + i * stride);
}

int graph_build_skips(struct graph_build *build, struct graph_shard *shard, size_t count, const struct skips *first,
                      size_t stride, struct err *err)
{
    struct graph_skip *row;
    size_t             rows = 0;

    for (size_t s = 0; s < count; s++)
        for (size_t r = 0; r < SKIP_REASON_COUNT; r++) rows += skips_at(first, stride, s)->files[r] > 0;
    row = own_array(build, rows, sizeof *row);
    if (!row) return err_memory(err, rows * sizeof *row, "the graph");
    build->graph.skips = row, build->graph.skip_count = rows;
    for (size_t s = 0; s < count; s++) {
        const struct skips *skips = skips_at(first, stride, s);

        shard[s].skipped = skips_sum(skips);
        for (size_t r = 0; r < SKIP_REASON_COUNT; r++)
            if (skips->files[r])
                *row++ = (struct graph_skip){ shard[s].dataset, (uint32_t)s, skip_names[r], skips->files[r] };
    }
    return 0;
}

int graph_build_counts(struct graph_build *build, const struct dataset *datasets, size_t dataset_count,
                       const struct scan_counts *counts, struct err *err)
{
    struct graph            *graph = &build->graph;
    const struct shard_list *shards = counts->shards;
    struct graph_dataset    *dataset = own_array(build, dataset_count, sizeof *dataset);
    struct graph_shard      *shard = own_array(build, shards->count, sizeof *shard);
    struct graph_split      *split = own_array(build, counts->cell_count, sizeof *split);
    struct graph_reject     *reject = own_array(build, counts->reject_count, sizeof *reject);
    size_t                   rejects = 0;

    if (!dataset || !shard || !split || !reject)
        return err_memory(err, counts->reject_count * sizeof *reject, "the graph");
    for (size_t d = 0; d < dataset_count; d++)
        dataset[d] = (struct graph_dataset){ slice_of(datasets[d].name), slice_of(datasets[d].url),
                                             datasets[d].role == ROLE_BENCHMARK,
                                             datasets[d].role == ROLE_BENCHMARK || datasets[d].self_join };
    for (size_t s = 0; s < shards->count; s++) {
        const struct shard *from = &shards->at[s];

        shard[s] = (struct graph_shard){ .dataset = from->dataset,
                                         .split = slice_of(datasets[from->dataset].splits[from->split].name),
                                         .name = slice_of(from->name), .bytes = from->bytes,
                                         .mtime_ns = from->mtime_ns, .xxh3 = counts->shard[s].xxh3,
                                         .records = counts->shard[s].documents + counts->shard[s].rejected,
                                         .rejected = counts->shard[s].rejected,
                                         .whole = graph_shard_is_read(counts->shard[s].xxh3) };
    }
    for (size_t c = 0; c < counts->cell_count; c++) {
        const struct scan_cell *cell = &counts->cell[c];

        split[c] = (struct graph_split){ .dataset = cell->dataset, .split = cell->split, .language = cell->language,
                                         .documents = cell->documents,
                                         .admitted = cell->admitted, .rejected = cell->rejected,
                                         .skipped = cell->skipped, .bytes = cell->bytes,
                                         .removed = -1, .removed_bytes = -1 };
    }
    for (size_t r = 0; r < counts->reject_count; r++) {
        const struct scan_reject *from = &counts->reject[r];

        if (reject_is_skip(&from->reject)) continue;
        reject[rejects++] = graph_reject_of(shards->at[from->shard].dataset, from->shard, &from->reject,
                                            counts->paths.at, from->path_at);
        graph_shard_add_reject(&shard[from->shard], &from->reject);
    }
    graph->datasets = dataset, graph->dataset_count = dataset_count;
    graph->shards = shard, graph->shard_count = shards->count;
    graph->splits = split, graph->split_count = counts->cell_count;
    graph->rejects = reject, graph->reject_count = rejects;
    build->counts = counts;
    return graph_build_skips(build, shard, shards->count, &counts->shard->skipped, sizeof *counts->shard, err);
}

void graph_build_free(struct graph_build *build)
{
    for (size_t i = 0; i < build->owned_count; i++) free(build->owned[i]);
    free(build->owned);
    free(build->rows);
    runs_close(build->near_pairs);
    runs_close(build->dedup_pairs);
    *build = (struct graph_build){ 0 };
}

bool graph_find(struct graph_finder *f, uint32_t shard, uint64_t record, uint32_t *out)
{
    for (; f->at < f->graph->document_count; f->at++) {
        const struct graph_document *document = f->document;

        if (f->made != f->at + 1) document = f->document = graph_document_at(f->graph, f->at, &f->scratch);
        f->made = f->at + 1;
        if (document->shard > shard || (document->shard == shard && document->record > record)) return false;
        if (document->shard != shard || document->record != record) continue;
        *out = (uint32_t)f->at;
        return true;
    }
    return false;
}
