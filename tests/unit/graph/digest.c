/* tests/unit/graph/digest.c -- the digest against its definition: make all lines, sort them, hash them. */
#define XXH_INLINE_ALL
#include "tests/unit/sample_graph.h"

#include "base/bytes.h"
#include "graph/store.h"
#include "graph/text.h"

#include <xxhash.h>

enum { ROUNDS = 40 };

static uint64_t seed;

/* ---- the definition ---- */

struct lines { struct bytes text; size_t end[20000]; size_t count; };

static void put_escaped(struct bytes *out, struct slice text)
{
    struct bytes scratch = { 0 };
    struct slice valid;

    assert_int_equal(text_make_valid(text, &scratch, &valid), 0);
    for (size_t i = 0; i < valid.len; i++) {
        unsigned char c = (unsigned char)valid.at[i];

        if (c < 32 || c == 127 || c == '\\' || c == '/') bytes_printf(out, "\\x%02x", c);
        else bytes_append(out, &valid.at[i], 1);
    }
    bytes_free(&scratch);
}

static void put_name(struct bytes *out, const struct graph *graph, uint32_t document)
{
    const struct graph_document *d = &graph->documents[document];

    put_escaped(out, graph->datasets[d->dataset].name);
    bytes_append(out, "/", 1);
    put_escaped(out, d->split);
    bytes_printf(out, "/%llu", (unsigned long long)d->number);
}

static void end_line(struct lines *lines)
{
    bytes_append(&lines->text, "\n", 1);
    assert_true(lines->count + 1 < sizeof lines->end / sizeof lines->end[0]);
    lines->end[++lines->count] = lines->text.len;
}

static struct slice name_of(const struct graph *graph, uint32_t document, struct bytes *out)
{
    out->len = 0;
    put_name(out, graph, document);
    return bytes_slice(out);
}

static void put_all(struct lines *lines, const struct graph *graph)
{
    struct bytes x = { 0 }, y = { 0 };

    for (int p = 0; p < GRAPH_PASSES; p++) {
        const struct graph_pass *pass = &graph->passes[p];

        for (size_t i = 0; i < pass->edge_count; i++) {
            const struct graph_edge *e = &pass->edges[i];
            struct slice             a = name_of(graph, e->a, &x), b = name_of(graph, e->b, &y);
            bool                     swap = slice_compare(a, b) > 0;

            bytes_printf(&lines->text, "E\t%s\t", graph_pass_names[p]);
            bytes_append_slice(&lines->text, swap ? b : a);
            bytes_append(&lines->text, "\t", 1);
            bytes_append_slice(&lines->text, swap ? a : b);
            bytes_printf(&lines->text, "\t%s\t%u\t%u\t%u\t%u", edge_kind_names[e->kind], e->shared, e->union_size,
                         e->min_sum, e->max_sum);
            end_line(lines);
        }
        for (uint32_t i = 0; i < graph->document_count && pass->clustered; i++) {
            uint32_t least = i;

            if (pass->cluster[i] == GRAPH_NO_DOCUMENT) continue;
            for (uint32_t k = 0; k < graph->document_count; k++)
                if (pass->cluster[k] == pass->cluster[i] &&
                    slice_compare(name_of(graph, k, &x), name_of(graph, least, &y)) < 0)
                    least = k;
            bytes_printf(&lines->text, "C\t%s\t", graph_pass_names[p]);
            put_name(&lines->text, graph, i);
            bytes_append(&lines->text, "\t", 1);
            put_name(&lines->text, graph, least);
            end_line(lines);
        }
    }
    for (uint32_t i = 0; i < graph->document_count && graph->fates; i++) {
        if (graph->fates[i].canonical == GRAPH_NO_DOCUMENT) continue;
        bytes_printf(&lines->text, "K\tdedup\t");
        put_name(&lines->text, graph, i);
        bytes_append(&lines->text, "\t", 1);
        put_name(&lines->text, graph, graph->fates[i].canonical);
        bytes_printf(&lines->text, "\t%d", graph->fates[i].kept);
        end_line(lines);
    }
    for (size_t i = 0; i < graph->overlap_count; i++) {
        const struct graph_overlap *o = &graph->overlaps[i];
        const struct slice names[] = { graph->datasets[o->source].name, o->split, graph->datasets[o->target].name,
                                       o->target_split, o->language };

        bytes_append(&lines->text, "O", 1);
        for (size_t k = 0; k < 5; k++) {
            bytes_append(&lines->text, "\t", 1);
            put_escaped(&lines->text, names[k]);
        }
        bytes_printf(&lines->text, "\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%d", (unsigned long long)o->documents,
                     (unsigned long long)o->admitted, (unsigned long long)o->direct,
                     (unsigned long long)o->transitive, (unsigned long long)o->copies, (unsigned long long)o->contained,
                         o->complete);
        end_line(lines);
    }
    for (size_t i = 0; i < graph->row_count * SAMPLE_SENSITIVE; i++) {
        const struct graph_rows      *of = &graph->rows[i / SAMPLE_SENSITIVE];
        const struct graph_sensitive *v = (const struct graph_sensitive *)of->rows + i % SAMPLE_SENSITIVE;

        if (of->table != &table_sensitive) continue;

        bytes_append(&lines->text, "S\t", 2);
        put_escaped(&lines->text, graph->datasets[v->dataset].name);
        bytes_printf(&lines->text, "\t%.*s\t%.*s\t%016llx%016llx\t%llu\t%llu", (int)v->kind.len, v->kind.at,
                     (int)v->pattern.len, v->pattern.at, (unsigned long long)v->hash_high,
                     (unsigned long long)v->hash_low, (unsigned long long)v->occurrences,
                         (unsigned long long)v->documents);
        if (v->corpus_occurrences < 0) bytes_printf(&lines->text, "\t-\t-");
        else
            bytes_printf(&lines->text, "\t%lld\t%lld", (long long)v->corpus_occurrences,
                         (long long)v->corpus_documents);
        end_line(lines);
    }
    bytes_free(&x);
    bytes_free(&y);
}

static int compare_lines(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

static void naive_digest(const struct graph *graph, char out[33])
{
    struct lines *lines = calloc(1, sizeof *lines);
    struct slice *line;
    struct bytes  all = { 0 };
    XXH128_hash_t sum;

    assert_non_null(lines);
    put_all(lines, graph);
    line = calloc(lines->count + 1, sizeof *line);
    assert_non_null(line);
    for (size_t i = 0; i < lines->count; i++)
        line[i] = (struct slice){ lines->text.at + lines->end[i], lines->end[i + 1] - lines->end[i] };
    qsort(line, lines->count, sizeof *line, compare_lines);
    for (size_t i = 0; i < lines->count; i++) bytes_append_slice(&all, line[i]);
    sum = XXH3_128bits(all.at, all.len);
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)sum.high64, (unsigned long long)sum.low64);
    bytes_free(&all);
    bytes_free(&lines->text);
    free(line);
    free(lines);
}

/* ---- tests ---- */

static void test_equals_definition(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct sample sample;
        char          fast[33], naive[33];
        struct err    err;

        sample_open(&sample, seed + round, 12 + round * 9, round * 11);
        if (round % 2) sample_add_dedup(&sample);
        if (round % 3) sample_add_sensitive(&sample);
        assert_int_equal(graph_digest(&sample.graph, fast, &err), 0);
        naive_digest(&sample.graph, naive);
        assert_string_equal(fast, naive);
        sample_close(&sample);
    }
}

static void test_empty(void **state)
{
    const struct graph empty = { 0 };
    char               digest[33];
    struct err         err;
    XXH128_hash_t      sum = XXH3_128bits("", 0);
    char               expected[33];

    (void)state;
    snprintf(expected, sizeof expected, "%016llx%016llx", (unsigned long long)sum.high64,
             (unsigned long long)sum.low64);
    assert_int_equal(graph_digest(&empty, digest, &err), 0);
    assert_string_equal(digest, expected);
}

static int compare_edges(const void *left, const void *right)
{
    const struct graph_edge *a = left, *b = right;

    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

/* A pass over documents that have moved. */
static struct graph_pass move_pass(const struct graph_pass *from, size_t documents, const uint32_t *moved,
                                   struct graph_edge **edge, uint32_t **cluster)
{
    *edge = calloc(from->edge_count + 1, sizeof **edge);
    *cluster = calloc(documents + 1, sizeof **cluster);
    assert_true(*edge && *cluster);
    for (size_t i = 0; i < from->edge_count; i++) {
        uint32_t a = moved[from->edges[i].a], b = moved[from->edges[i].b];

        (*edge)[i] = from->edges[i];
        (*edge)[i].a = a < b ? a : b;
        (*edge)[i].b = a < b ? b : a;
    }
    qsort(*edge, from->edge_count, sizeof **edge, compare_edges);
    for (size_t i = 0; i < documents; i++) {                /* a cluster's label becomes its new smallest member */
        uint32_t least = GRAPH_NO_DOCUMENT;

        for (size_t k = 0; k < documents && from->cluster[i] != GRAPH_NO_DOCUMENT; k++)
            if (from->cluster[k] == from->cluster[i] && moved[k] < least) least = moved[k];
        (*cluster)[moved[i]] = least;
    }
    return (struct graph_pass){ .edges = *edge, .edge_count = from->edge_count, .cluster = *cluster,
                                .clustered = from->clustered };
}

/* The same graph with its datasets listed the other way round. */
static void reverse_datasets(const struct sample *from, struct sample *to, uint32_t *moved)
{
    const struct graph *graph = &from->graph;
    size_t              n = 0;

    *to = *from;
    to->pool = (struct pool){ 0 };
    to->document = calloc(graph->document_count, sizeof *to->document);
    to->fate = calloc(graph->document_count, sizeof *to->fate);
    assert_true(to->document && to->fate);
    for (uint32_t d = 0; d < SAMPLE_DATASETS; d++) {
        to->dataset[d] = from->dataset[SAMPLE_DATASETS - 1 - d];
        for (uint32_t i = 0; i < graph->document_count; i++) {
            if (graph->documents[i].dataset != SAMPLE_DATASETS - 1 - d) continue;
            moved[i] = (uint32_t)n;
            to->document[n] = graph->documents[i];
            to->document[n++].dataset = d;
        }
    }
    for (uint32_t i = 0; i < graph->document_count; i++) {
        to->fate[moved[i]] = graph->fates[i];
        if (graph->fates[i].canonical != GRAPH_NO_DOCUMENT)
            to->fate[moved[i]].canonical = moved[graph->fates[i].canonical];
    }
    for (size_t i = 0; i < SAMPLE_OVERLAPS; i++) {
        to->overlap[i].source = SAMPLE_DATASETS - 1 - from->overlap[i].source;
        to->overlap[i].target = SAMPLE_DATASETS - 1 - from->overlap[i].target;
    }
    to->graph.datasets = to->dataset;
    to->graph.documents = to->document;
    to->graph.fates = to->fate;
    to->graph.rows = to->rows;
    to->rows[0].rows = to->fate;
    to->graph.passes[PASS_NEAR] = move_pass(&graph->passes[PASS_NEAR], graph->document_count, moved, &to->edge,
                                            &to->cluster);
    to->graph.passes[PASS_DEDUP] = move_pass(&graph->passes[PASS_DEDUP], graph->document_count, moved,
                                             &to->dedup_edge, &to->dedup_cluster);
    to->graph.overlaps = to->overlap;
}

static void test_order_of_datasets(void **state)
{
    struct sample sample, other;
    uint32_t      moved[400];
    char          a[33], b[33];
    struct err    err;

    (void)state;
    sample_open(&sample, seed, 400, 700);
    sample_add_dedup(&sample);
    reverse_datasets(&sample, &other, moved);
    assert_int_equal(graph_digest(&sample.graph, a, &err), 0);
    assert_int_equal(graph_digest(&other.graph, b, &err), 0);
    assert_string_equal(a, b);
    sample_close(&sample);
    sample_close(&other);
}

/* What it depends on, and what not. */
static void test_what_counts(void **state)
{
    struct sample      sample;
    struct graph_fate *kept;
    char               before[33], after[33];
    struct err         err;

    (void)state;
    sample_open(&sample, seed, 100, 100);
    sample_add_dedup(&sample);
    sample_add_sensitive(&sample);
    assert_int_equal(graph_digest(&sample.graph, before, &err), 0);
    sample.document[0].path = sample.document[0].text = SLICE("other");
    sample.shard[0].mtime_ns++;
    sample.document[0].matches++;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_equal(before, after);
    sample.sensitive[0].masked = SLICE("other");
    sample.sensitive[0].byte++;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_equal(before, after);
    sample.sensitive[0].corpus_documents = -1;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_not_equal(before, after);
    sample.sensitive[0].corpus_documents = sample.sensitive[0].corpus_occurrences / 2;
    sample.edge[0].max_sum++;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_not_equal(before, after);
    sample.edge[0].max_sum--;
    sample.document[sample.edge[0].a].number += 1000;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_not_equal(before, after);
    sample.document[sample.edge[0].a].number -= 1000;
    sample.overlap[0].complete = !sample.overlap[0].complete;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_not_equal(before, after);
    sample.overlap[0].complete = !sample.overlap[0].complete;
    kept = &sample.fate[sample.dedup_edge[0].a];
    kept->features++;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_equal(before, after);
    kept->kept = !kept->kept;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_not_equal(before, after);
    kept->kept = !kept->kept;
    kept->canonical = kept->canonical ? 0 : 1;
    assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
    assert_string_not_equal(before, after);
    sample_close(&sample);
}

/* Whoever takes any document out of its cluster changes the digest: also the one that the cluster is named by. */
static void test_member_gone(void **state)
{
    struct sample         sample;
    uint32_t             *cluster;
    size_t                gone = 0, named = 0;
    char                  before[33], after[33];
    struct err            err;

    (void)state;
    sample_open(&sample, seed, 200, 250);
    sample_add_dedup(&sample);
    assert_int_equal(graph_digest(&sample.graph, before, &err), 0);
    for (int which = 0; which < GRAPH_PASSES; which++) {
        struct graph_pass *pass = &sample.graph.passes[which];

        cluster = which == PASS_NEAR ? sample.cluster : sample.dedup_cluster;
        assert_ptr_equal(pass->cluster, cluster);
        assert_true(pass->clustered > 2);
        for (uint32_t i = 0; i < sample.graph.document_count; i++) {
            const uint32_t of = cluster[i];

            if (of == GRAPH_NO_DOCUMENT) continue;
            cluster[i] = GRAPH_NO_DOCUMENT;
            assert_int_equal(graph_digest(&sample.graph, after, &err), 0);
            assert_string_not_equal(before, after);
            named += of == i;
            cluster[i] = of;
            gone++;
        }
    }
    assert_int_equal(gone, sample.graph.passes[PASS_NEAR].clustered + sample.graph.passes[PASS_DEDUP].clustered);
    assert_true(named > 10);
    sample_close(&sample);
}

static void test_file(void **state)
{
    char folder[64], path[80];

    (void)state;
    sample_folder(folder);
    snprintf(path, sizeof path, "%s/graph.db", folder);
    for (uint64_t round = 0; round < 6; round++) {
        struct sample sample;
        char          digest[33], again[33];
        struct err    err;

        sample_open(&sample, seed + round, 60 + round * 100, round * 60);
        if (round >= 2) sample_add_dedup(&sample);
        if (round >= 1) sample_add_sensitive(&sample);
        assert_int_equal(graph_digest(&sample.graph, digest, &err), 0);
        /* Every other time the pairs are too many for the database. */
        assert_int_equal(store_write(&sample.graph, capability_tables(), path, digest,
                                     round % 2 ? 10 : 1000000, 1, &err), 0);
        assert_int_equal(graph_digest_file(path, capability_tables(), again, &err), 0);
        assert_string_equal(digest, again);
        sample_close(&sample);
    }
    sample_folder_remove(folder);
}

/* A graph of pass near alone keeps its bits for ever. */
static void test_golden(void **state)
{
    struct sample sample;
    char          digest[33];
    struct err    err;

    (void)state;
    sample_open(&sample, 7, 100, 100);
    assert_int_equal(graph_digest(&sample.graph, digest, &err), 0);
    assert_string_equal(digest, "d5d487c23a5bd0109f01b6cc2239d80b");
    sample_close(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_definition), cmocka_unit_test(test_empty),
            cmocka_unit_test(test_order_of_datasets),
        cmocka_unit_test(test_what_counts), cmocka_unit_test(test_member_gone), cmocka_unit_test(test_file),
        cmocka_unit_test(test_golden),
    };

    seed = sample_seed();
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
