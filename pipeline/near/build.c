/* near/build.c -- from what the stages found to the finished graph; see build.h. */
#include "near/build.h"

#include "graph/ids.h"
#include "graph/pairs.h"
#include "licence/licence.h"
#include "near/expand.h"
#include "near/overlap.h"

#include <errno.h>
#include <stdlib.h>

static void *own_array(struct graph_build *build, size_t count, size_t size)
{
    return graph_build_own(build, malloc((count + 1) * size));
}

/* Benchmark documents and those with an edge are stored; texts only of benchmarks and of what has an edge to one. */
enum { STORED = 1, STORED_WITH_TEXT = 2 };

static bool of_benchmark(const struct near_job *job, const struct near_result *result, uint32_t document)
{
    return job->run->datasets[result->document[document].dataset].role == ROLE_BENCHMARK;
}

/* What stored documents are made from, one at a time: there may be very many, and a graph_document is large. */
struct made {
    const struct near_job    *job;
    const struct near_result *result;
    const uint32_t           *from;                         /* [stored] the result's documents */
    const uint64_t           *matches;                      /* of the result's documents */
    const unsigned char      *reason;                       /* likewise: STORED ... */
    struct near_look          look;
};

static void document_make(void *source, size_t i, struct graph_document *out)
{
    struct made                *made = source;
    const struct run           *run = made->job->run;
    const struct near_document *d = &made->result->document[made->from[i]];
    const struct near_row      *row = near_row_of(made->result, &made->look, d);
    const struct scan_cell     *cell = &made->result->counts.cell[d->cell];
    const bool                  with_text = made->reason[made->from[i]] & STORED_WITH_TEXT;
    const bool                  keep_class = made->job->options->keep_index && d->admitted;
    const struct slice          license = near_string(d, row->license), none = { 0 };

    *out = (struct graph_document){
        .dataset = d->dataset, .shard = d->shard, .number = d->number, .record = row->record, .split = cell->split,
        .language = cell->language, .source_id = near_string(d, row->source_id), .path = near_string(d, row->path),
        .repo = near_string(d, row->repo), .license = license, .license_class = licence_class_word(license),
        .license_from = slice_of(licence_source_names[row->license_from]), .holders = near_string(d, row->holders),
        .text = with_text && run->store_text ? near_string(d, row->text) : none,
        .tokens = with_text && run->store_tokens ? near_string(d, row->tokens) : none,
        .features = d->total, .distinct = d->distinct, .matches = made->matches[made->from[i]],
        .hash_low = d->raw.low, .hash_high = d->raw.high,
        .squeezed_low = row->squeezed.low, .squeezed_high = row->squeezed.high,
        .class_low = keep_class ? row->class_low : 0, .class_high = keep_class ? row->class_high : 0,
        .admitted = d->admitted };
}

static uint64_t document_id(void *source, size_t i)
{
    const struct made          *made = source;
    const struct near_document *d = &made->result->document[made->from[i]];

    return graph_id(d->dataset, d->number);
}

static uint32_t document_distinct(void *source, size_t i)
{
    const struct made *made = source;

    return made->result->document[made->from[i]].distinct;
}

/* Why documents are stored: those of benchmarks, and for their pairs, which are counted. */
static int reasons_fill(const struct classes *classes, struct graph_build *build, unsigned char *reason,
                        struct err *err)
{
    const struct near_job    *job = classes->job;
    const struct near_result *result = classes->result;
    struct runs_reader       *reader;
    const void               *record;
    int                       rc = runs_read(build->near_pairs, &reader, err);

    for (size_t d = 0; d < result->document_count; d++)
        if (of_benchmark(job, result, (uint32_t)d)) reason[d] = STORED | STORED_WITH_TEXT;
    while (rc == 0 && (rc = runs_next(reader, &record, err)) > 0) {
        const struct graph_edge *edge = record;
        bool          benchmark = of_benchmark(job, result, edge->a) || of_benchmark(job, result, edge->b);
        unsigned char why = benchmark ? STORED | STORED_WITH_TEXT : STORED;

        reason[edge->a] |= why;
        reason[edge->b] |= why;
        build->near_kinds[edge->kind]++;
        rc = 0;
    }
    runs_reader_close(reader);
    return rc;
}

/* matches: the build's own. */
static int documents_build(struct graph_build *build, const struct classes *classes, const uint64_t *matches,
                           struct err *err)
{
    const struct near_job    *job = classes->job;
    const struct near_result *result = classes->result;
    size_t                    count = result->document_count, stored = 0;
    unsigned char            *reason = graph_build_own(build, calloc(count + 1, 1));
    uint32_t                 *place = own_array(build, count, sizeof *place),
        *from = own_array(build, count, sizeof *from);
    struct made              *made = own_array(build, 1, sizeof *made);
    uint32_t                 *cluster = own_array(build, count, sizeof *cluster);
    uint64_t                 *size = calloc(classes->admitted.count + 1, sizeof *size);
    uint32_t                 *first = malloc((classes->admitted.count + 1) * sizeof *first);
    size_t                    clustered = 0;
    const uint32_t           *unused;
    int                       rc = 0;

    if (!reason || !place || !from || !made || !cluster || !size || !first) {
        rc = err_memory(err, count * (sizeof *place + sizeof *from + sizeof *cluster), "stored documents");
        goto done;
    }
    if ((rc = reasons_fill(classes, build, reason, err)) < 0) goto done;
    for (size_t d = 0; d < count; d++) {
        place[d] = (uint32_t)stored;
        if (reason[d]) from[stored++] = (uint32_t)d;
    }
    *made = (struct made){ job, result, from, matches, reason, { 0 } };
    if ((rc = pairs_give(&build->graph.passes[PASS_NEAR], build->near_pairs, place, err)) < 0) goto done;

    /* Clusters: components with at least two documents; documents come in order, so the first met is the smallest. */
    for (uint32_t c = 0; c < classes->admitted.count; c++) {
        size[classes->component[c]] += members_joined(classes, c, &unused);
        first[c] = NO_CLASS;
    }
    for (size_t d = 0; d < count; d++) {
        uint32_t component;

        if (reason[d]) cluster[place[d]] = GRAPH_NO_DOCUMENT;
        if (!reason[d] || result->document[d].class_id == NO_CLASS) continue;
        component = classes->component[result->document[d].class_id];
        if (size[component] < 2) continue;
        if (!classes->met[result->document[d].class_id] &&
            role_of_document(job, &result->document[d]) == MEMBER_STREAMED)
            continue;
        if (first[component] == NO_CLASS) first[component] = place[d];
        cluster[place[d]] = first[component];
        clustered++;
    }
    build->graph.make_document = document_make;
    build->graph.document_id = document_id;
    build->graph.document_distinct = document_distinct;
    build->graph.source = made;
    build->graph.document_count = stored;
    build->graph.passes[PASS_NEAR].cluster = cluster;
    build->graph.passes[PASS_NEAR].clustered = clustered;
    build->near_place = place;
    build->near_place_count = count;
done:
    free(size);
    free(first);
    return rc;
}

int near_build(struct graph_build *out, const struct near_job *job, const struct near_result *result, struct err *err)
{
    struct classes        classes;
    struct runs_options   options = pairs_options(job->run->stage, run_memory_sorting(job->run));
    struct graph_overlap *overlap = NULL;
    uint64_t             *matches = NULL;
    size_t                overlaps = 0;
    int                   rc;

    *out = (struct graph_build){ 0 };
    rc = classes_open(&classes, job, result, err);
    if (rc < 0) return rc;
    rc = graph_build_counts(out, job->run->datasets, job->run->dataset_count, &result->counts, err);
    if (rc == 0) rc = runs_open(&out->near_pairs, &options, err);
    if (rc == 0) rc = expand_pairs(&classes, out->near_pairs, err);
    if (rc == 0) rc = expand_matches(&classes, &matches, err);
    if (matches && !graph_build_own(out, matches) && rc == 0) rc = err_memory(err, sizeof matches, "the graph");
    if (rc == 0) rc = overlap_compute(&classes, &overlap, &overlaps, err);
    graph_build_own(out, overlap);
    if (rc == 0) rc = documents_build(out, &classes, matches, err);
    classes_free(&classes);
    out->graph.overlaps = overlap, out->graph.overlap_count = overlaps;
    if (rc < 0) graph_build_free(out);
    return rc;
}
