/* near/build.c -- from what the stages found to the finished graph; see build.h. */
#include "near/build.h"

#include "base/ranked.h"
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

/* Benchmark documents and those with an edge are stored; texts only of benchmarks and of what has an edge to one.  What
 * they are made from, one at a time: there may be very many, and a graph_document is large. */
struct made {
    const struct near_job    *job;
    const struct near_result *result;
    struct ranked             stored;                       /* of the result's documents; its blocks are the build's */
    const uint64_t           *with_text;                    /* a bit for each of these; likewise */
    const uint32_t           *matches;                      /* of these */
    struct near_look          look;
};

/* The result's document that is stored as number i. */
static uint64_t made_from(const struct made *made, size_t i)
{
    return made->stored.count == made->stored.limit ? i : ranked_at(&made->stored, (uint32_t)i);
}

/* What may be asked of it in any order. */
static const struct near_brief *made_brief(const struct made *made, size_t i)
{
    return &made->result->brief[made_from(made, i)];
}

static void document_make(void *source, size_t i, struct graph_document *out)
{
    struct made                *made = source;
    const struct run           *run = made->job->run;
    const uint64_t              from = made_from(made, i);
    const struct near_document *d = near_document_at(made->result, &made->look, from);
    const struct near_row      *row = near_row_of(made->result, &made->look, d);
    const struct scan_cell     *cell = &made->result->counts.cell[d->cell];
    const bool                  with_text = bits_has(made->with_text, from);
    const bool                  keep_class = made->job->options->keep_index && d->admitted;
    const struct slice          license = near_string(d, row->license), none = { 0 };

    *out = (struct graph_document){
        .dataset = d->dataset, .shard = d->shard, .number = d->number, .record = row->record, .split = cell->split,
        .language = cell->language, .source_id = near_string(d, row->source_id), .path = near_string(d, row->path),
        .repo = near_string(d, row->repo), .license = license, .license_class = licence_class_word(license),
        .license_from = slice_of(licence_source_names[row->license_from]), .holders = near_string(d, row->holders),
        .text = with_text && run->store_text ? near_string(d, row->text) : none,
        .tokens = with_text && run->store_tokens ? near_string(d, row->tokens) : none,
        .features = row->total, .distinct = row->distinct, .matches = made->matches[from],
        .hash_low = row->raw.low, .hash_high = row->raw.high,
        .squeezed_low = row->squeezed.low, .squeezed_high = row->squeezed.high,
        .class_low = keep_class ? row->class_low : 0, .class_high = keep_class ? row->class_high : 0,
        .admitted = d->admitted };
}

static uint64_t document_id(void *source, size_t i)
{
    const struct made       *made = source;
    const struct near_brief *brief = made_brief(made, i);

    return graph_id(made->result->counts.cell[brief->cell].dataset, near_brief_number(brief));
}

static uint32_t document_distinct(void *source, size_t i)
{
    return made_brief(source, i)->distinct;
}

static bool of_benchmark(const struct made *made, uint32_t document)
{
    return made->job->run->datasets[near_dataset_of(made->result, document)].role == ROLE_BENCHMARK;
}

/* Those of benchmarks, and for their pairs, which are counted.  text: which are stored with theirs. */
static int stored_find(struct made *made, uint64_t *text, struct graph_build *build, struct err *err)
{
    struct runs_reader *reader;
    const void         *record;
    int                 rc = runs_read(build->near_pairs, &reader, err);

    for (size_t d = 0; d < made->result->document_count; d++)
        if (of_benchmark(made, (uint32_t)d)) {
            ranked_add(&made->stored, d);
            bits_set(text, d);
        }
    while (rc == 0 && (rc = runs_next(reader, &record, err)) > 0) {
        const struct graph_edge *edge = record;

        ranked_add(&made->stored, edge->a);
        ranked_add(&made->stored, edge->b);
        if (of_benchmark(made, edge->a) || of_benchmark(made, edge->b)) {
            bits_set(text, edge->a);
            bits_set(text, edge->b);
        }
        build->near_kinds[edge->kind]++;
        rc = 0;
    }
    runs_reader_close(reader);
    if (rc < 0 || (rc = ranked_end(&made->stored)) == 0) return rc;
    return rc == -EOVERFLOW ? err_set(err, rc, "%zu documents are more than one graph.db can hold",
                                      made->result->document_count)
                            : err_memory(err, made->result->document_count, "stored documents");
}

/* What is stored, and where; its blocks are the build's. */
static int made_open(struct made **out, struct graph_build *build, const struct classes *classes,
                     const uint32_t *matches, struct err *err)
{
    const size_t count = classes->result->document_count;
    struct made *made = own_array(build, 1, sizeof *made);
    uint64_t    *text = graph_build_own(build, calloc(count / 64 + 1, sizeof *text));
    int          rc;

    *out = made;
    if (!made || !text) return err_memory(err, count / 8, "stored documents");
    *made = (struct made){ .job = classes->job, .result = classes->result, .with_text = text, .matches = matches };
    rc = ranked_open(&made->stored, count) < 0 ? err_memory(err, count / 8, "stored documents")
                                                : stored_find(made, text, build, err);
    for (size_t i = 0; i < 3; i++) {                        /* what is not the build's is free */
        void *block[] = { made->stored.bits, made->stored.before, made->stored.word };

        if (block[i] && !graph_build_own(build, block[i]) && rc == 0) rc = err_memory(err, count / 8, "documents");
    }
    return rc;
}

/* The smallest place of a class's joined members that are stored, if it is smaller than *first. */
static void first_see(struct made *made, const struct classes *classes, uint32_t c, uint32_t *first)
{
    const uint32_t *member;
    const size_t    count = members_joined(classes, c, &member);

    for (size_t m = 0; m < count; m++) {
        const uint32_t place = ranked_place(&made->stored, member[m]);

        if (place < *first) *first = place;
    }
}

/* Of components with at least two documents: all that are stored are called after the first of them.  *clustered: how
 * many are in one. */
static int clusters_fill(struct made *made, const struct classes *classes, uint32_t *cluster, size_t *clustered,
                         struct err *err)
{
    const size_t    count = classes->admitted.count;
    unsigned char  *several = calloc(count + 1, 1);
    uint32_t       *first = malloc((count + 1) * sizeof *first);
    const uint32_t *member;

    *clustered = 0;
    if (!several || !first) {
        free(several);
        free(first);
        return err_memory(err, count * (1 + sizeof *first), "clusters");
    }
    memset(first, 0xFF, count * sizeof *first);
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t component = classes->component[c];
        const size_t   sum = several[component] + members_joined(classes, c, &member);

        several[component] = sum < 2 ? (unsigned char)sum : 2;
        first_see(made, classes, c, &first[component]);
    }
    memset(cluster, 0xFF, made->stored.count * sizeof *cluster);
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t component = classes->component[c];
        const size_t   joined = several[component] < 2 ? 0 : members_joined(classes, c, &member);

        for (size_t m = 0; m < joined; m++) {
            const uint32_t place = ranked_place(&made->stored, member[m]);

            if (place == RANKED_NONE) continue;
            cluster[place] = first[component];
            ++*clustered;
        }
    }
    free(several);
    free(first);
    return 0;
}
_Static_assert(GRAPH_NO_DOCUMENT == UINT32_MAX && RANKED_NONE == UINT32_MAX, "what memset makes is no document");

/* Where documents of the result are stored, unless all are; *out is the build's. */
static int places_make(struct graph_build *build, const struct ranked *stored, uint32_t **out, struct err *err)
{
    *out = NULL;
    if (stored->count == stored->limit) return 0;
    *out = own_array(build, stored->limit, sizeof **out);
    if (!*out) return err_memory(err, stored->limit * sizeof **out, "stored documents");
    for (size_t d = 0, place = 0; d < stored->limit; d++) {
        (*out)[d] = (uint32_t)place;
        place += ranked_has(stored, d);
    }
    return 0;
}

/* matches: the build's own. */
static int documents_build(struct graph_build *build, const struct classes *classes, const uint32_t *matches,
                           struct err *err)
{
    struct graph_pass *pass = &build->graph.passes[PASS_NEAR];
    struct made       *made = NULL;
    uint32_t          *place = NULL, *cluster;
    int                rc = made_open(&made, build, classes, matches, err);

    if (rc < 0) return rc;
    if (!(cluster = own_array(build, made->stored.count, sizeof *cluster)))
        return err_memory(err, made->stored.count * sizeof *cluster, "clusters");
    rc = clusters_fill(made, classes, cluster, &pass->clustered, err);
    if (rc == 0) rc = places_make(build, &made->stored, &place, err);
    if (rc == 0) rc = pairs_give(pass, build->near_pairs, place, err);
    build->graph.make_document = document_make;
    build->graph.document_id = document_id;
    build->graph.document_distinct = document_distinct;
    build->graph.source = made;
    build->graph.document_count = made->stored.count;
    pass->cluster = cluster;
    build->near_place = place;
    build->near_place_count = classes->result->document_count;
    return rc;
}

/* Gives an array back that is asked no more. */
static void forget(uint32_t **array)
{
    free(*array);
    *array = NULL;
}

int near_build(struct graph_build *out, const struct near_job *job, struct near_result *result, struct err *err)
{
    struct classes        classes;
    struct runs_options   options = pairs_options(job->run->stage, run_memory_sorting(job->run));
    struct graph_overlap *overlap = NULL;
    uint32_t             *matches = NULL;
    size_t                overlaps = 0;
    int                   rc;

    *out = (struct graph_build){ 0 };
    rc = classes_open(&classes, job, result, err);
    if (!job->keep_classes) forget(&result->class_of);
    forget(&result->copy_of);
    if (rc < 0) return rc;
    rc = graph_build_counts(out, job->run->datasets, job->run->dataset_count, &result->counts, err);
    if (rc == 0) rc = runs_open(&out->near_pairs, &options, err);
    if (rc == 0) rc = expand_pairs(&classes, out->near_pairs, err);
    forget(&result->same);
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
