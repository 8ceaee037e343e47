/* probe/tables.c -- see tables.h. */
#include "probe/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- truth by the scan ---- */

static bool of_corpus(const struct graph *graph, uint32_t document, struct graph_document *scratch)
{
    return !graph->datasets[graph_document_at(graph, document, scratch)->dataset].benchmark;
}

/* As in graph_document.matches. */
static bool counts(const struct graph_edge *edge) { return edge->kind == EDGE_EXACT || edge->kind == EDGE_NEAR; }

/* Documents with the same features have the same neighbours. */
static bool is_twin(const struct graph_edge *edge)
{
    return counts(edge) && edge->shared == edge->union_size && edge->min_sum == edge->max_sum;
}

int graph_truth_near(const struct graph *graph, int8_t *out, struct err *err)
{
    const struct graph_pass *near = &graph->passes[PASS_NEAR];
    struct graph_document    scratch;
    uint64_t                *pairs = calloc(graph->document_count + 1, sizeof *pairs);
    bool                    *corpus = calloc(graph->document_count + 1, sizeof *corpus),
        *found = calloc(graph->document_count + 1, sizeof *found);
    int                      rc = pairs && corpus && found ? 0
        : err_memory(err, graph->document_count * sizeof *pairs, "pairs with corpora");

    for (uint32_t d = 0; rc == 0 && d < graph->document_count; d++) corpus[d] = of_corpus(graph, d, &scratch);
    for (size_t e = 0; rc == 0 && e < near->edge_count; e++) {
        const struct graph_edge *edge = &near->edges[e];

        if (edge->kind == EDGE_BELOW) continue;
        pairs[edge->a] += counts(edge), pairs[edge->b] += counts(edge);
        found[edge->a] |= corpus[edge->b], found[edge->b] |= corpus[edge->a];
    }
    for (uint32_t d = 0; rc == 0 && d < graph->document_count; d++)
        out[d] = found[d] ? 1 : graph_document_at(graph, d, &scratch)->matches > pairs[d] ? -1 : 0;
    for (size_t e = 0; rc == 0 && e < near->edge_count; e++) {
        const struct graph_edge *edge = &near->edges[e];

        if (!is_twin(edge)) continue;
        if (found[edge->b] && out[edge->a] < 0) out[edge->a] = 1;
        if (found[edge->a] && out[edge->b] < 0) out[edge->b] = 1;
    }
    free(pairs);
    free(corpus);
    free(found);
    return rc;
}

/* ---- rows ---- */

static int64_t or_null(uint64_t number) { return number && number <= INT64_MAX ? (int64_t)number : -1; }

static int models_add(struct graph_build *build, const struct probe_job *job, struct err *err)
{
    const size_t        count = job->options->models;
    struct graph_model *model = graph_build_own(build, calloc(count + 1, sizeof *model));

    if (!model) return err_memory(err, count * sizeof *model, "models");
    for (size_t m = 0; m < count; m++) {
        const struct model_info *info = &job->model[m];

        model[m] = (struct graph_model){ .name = slice_of(job->options->model[m].name),
                                         .backend = slice_of(info->backend), .context = or_null(info->context),
                                         .vocabulary = or_null(info->vocabulary),
                                             .parameters = or_null(info->parameters), .key_low = info->key.low,
                                         .key_high = info->key.high };
    }
    build->graph.models = model, build->graph.model_count = count;
    return 0;
}

/* Metrics' names as rows have them: "ratio:OTHER" is of the models. */
struct names { struct slice metric[METRIC_COUNT], ratio[PROBE_MODELS]; };

static int names_make(struct graph_build *build, const struct probe_job *job, struct names *out, struct err *err)
{
    for (size_t m = 0; m < METRIC_COUNT; m++) out->metric[m] = slice_of(probe_metric_names[m]);
    for (size_t m = 0; m < job->options->models; m++) {
        char *text = NULL;

        if (asprintf(&text, "%s:%s", probe_metric_names[METRIC_RATIO], job->options->model[m].name) < 0)
            return err_memory(err, 64, "names of metrics");
        out->ratio[m] = slice_of(graph_build_own(build, text));
    }
    return 0;
}

static int gaps_add(struct graph_build *build, const struct probe_result *result, const struct names *names,
                    struct err *err)
{
    struct graph_probe_gap *gap = graph_build_own(build, calloc(result->gaps + 1, sizeof *gap));

    if (!gap) return err_memory(err, result->gaps * sizeof *gap, "missing values");
    for (size_t g = 0; g < result->gaps; g++) {
        const struct probe_gap *from = &result->gap[g];

        gap[g] = (struct graph_probe_gap){ .model = from->model, .metric = from->metric < METRIC_COUNT
                                           ? names->metric[from->metric] : (struct slice){ 0 },
                                           .items = from->items, .reason = slice_of(from->reason) };
    }
    build->graph.probe_gaps = gap, build->graph.probe_gap_count = result->gaps;
    return 0;
}

static int items_add(struct graph_build *build, const struct probe_job *job, const struct probe_result *result,
                     struct err *err)
{
    struct graph_probe_item *item = graph_build_own(build, calloc(result->items + 1, sizeof *item));
    struct graph_finder      finder = { .graph = &build->graph };
    const bool               near = job->options->truth == TRUTH_NEAR;
    int8_t                  *truth = calloc(build->graph.document_count + 1, sizeof *truth);
    size_t                   items = 0;
    int                      rc = item && truth ? 0 : err_memory(err, result->items * sizeof *item, "items");

    if (rc == 0 && near) rc = graph_truth_near(&build->graph, truth, err);
    for (size_t i = 0; i < result->items && rc == 0; i++) {
        const struct probe_asked *from = &result->item[i];
        uint32_t                  document;

        if (!graph_find(&finder, from->shard, from->record, &document)) continue;
        item[items++] = (struct graph_probe_item){ document, near ? truth[document] : from->known == KNOWN_NOT ? -1
                                                   : from->known == KNOWN_IN };
    }
    free(truth);
    build->graph.probe_items = item, build->graph.probe_item_count = items;
    return rc;
}

int graph_add_probes(struct graph_build *build, const struct probe_job *job, const struct probe_result *result,
                     struct err *err)
{
    struct graph_probe *probe = graph_build_own(build, malloc((result->count + 1) * sizeof *probe));
    struct graph_finder finder = { .graph = &build->graph };
    struct names        names;
    size_t              probes = 0;
    int                 rc = probe ? models_add(build, job, err)
        : err_memory(err, result->count * sizeof *probe, "values");

    if (rc == 0) rc = names_make(build, job, &names, err);
    if (rc == 0) rc = gaps_add(build, result, &names, err);
    if (rc == 0) rc = items_add(build, job, result, err);
    for (size_t v = 0; v < result->count && rc == 0; v++) {
        const struct probe_value *from = &result->value[v];
        uint32_t                  document;

        if (!graph_find(&finder, from->shard, from->record, &document)) continue;
        probe[probes++] = (struct graph_probe){ from->value, from->metric == METRIC_RATIO ? names.ratio[from->other]
                                                : names.metric[from->metric], document, from->model };
    }
    build->graph.probes = probe, build->graph.probe_count = probes;
    return rc;
}
