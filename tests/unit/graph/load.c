/* tests/unit/graph/load.c -- a graph is read back as it was written; a file that is cut or changed is told, or read as
 * something whole. */
#include "graph/load.h"

#include "tests/unit/graph/spot.h"

#include <errno.h>

static uint64_t seed;

static void assert_same_graph(const struct graph *a, const struct graph *b)
{
    assert_int_equal(a->dataset_count, b->dataset_count);
    assert_int_equal(a->document_count, b->document_count);
    assert_int_equal(a->overlap_count, b->overlap_count);
    for (size_t i = 0; i < a->document_count; i++) {
        assert_int_equal(a->documents[i].dataset, b->documents[i].dataset);
        assert_int_equal(a->documents[i].number, b->documents[i].number);
        assert_int_equal(a->documents[i].record, b->documents[i].record);
        assert_int_equal(a->documents[i].matches, b->documents[i].matches);
        assert_int_equal(a->documents[i].distinct, b->documents[i].distinct);
    }
    for (int pass = 0; pass < GRAPH_PASSES; pass++) {
        const struct graph_pass *x = &a->passes[pass], *y = &b->passes[pass];

        assert_int_equal(x->edge_count, y->edge_count);
        assert_int_equal(x->clustered, y->clustered);
        if (x->edge_count) assert_memory_equal(x->edges, y->edges, x->edge_count * sizeof *x->edges);
        if (x->clustered)
            assert_memory_equal(x->cluster, y->cluster, a->document_count * sizeof *x->cluster);
    }
    assert_int_equal(a->fates != NULL, b->fates != NULL);
    for (size_t i = 0; i < a->document_count && a->fates; i++) {
        assert_int_equal(a->fates[i].canonical, b->fates[i].canonical);
        if (a->fates[i].canonical == GRAPH_NO_DOCUMENT) continue;
        assert_int_equal(a->fates[i].size, b->fates[i].size);
        assert_int_equal(a->fates[i].distinct, b->fates[i].distinct);
        assert_int_equal(a->fates[i].kept, b->fates[i].kept);
    }
    for (size_t i = 0; i < a->overlap_count; i++) {
        assert_int_equal(a->overlaps[i].direct, b->overlaps[i].direct);
        assert_int_equal(a->overlaps[i].complete, b->overlaps[i].complete);
    }
}

static void test_round_trip(void **state)
{
    static const size_t sizes[][2] = { { 12, 0 }, { 12, 1 }, { 40, 30 }, { 396, 99 }, { 400, 100 }, { 404, 1001 } };
    struct spot        place;

    (void)state;
    place_open(&place);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        /* first everything aside, then everything inside */
        for (uint64_t limit = 0; limit <= 1000000; limit += 1000000) {
            struct sample     sample;
            struct graph_copy copy;
            struct err        err = { 0 };
            size_t            pairs;

            sample_open(&sample, seed + i, sizes[i][0], sizes[i][1]);
            if (i % 2) sample_add_dedup(&sample);
            pairs = sample.graph.passes[PASS_NEAR].edge_count + sample.graph.passes[PASS_DEDUP].edge_count;
            write_sample(&sample, &place, limit);
            if (graph_load(&copy, place.path, capability_tables(), &err) < 0) fail_msg("%s", err.text);
            assert_same_graph(&sample.graph, &copy.graph);
            assert_int_equal(access(place.list, F_OK), limit == 0 && pairs ? 0 : -1);
            unlink(place.list);
            assert_int_equal(count(&place, "SELECT count(*) FROM edges"), limit ? pairs : 0);
            graph_copy_free(&copy);
            sample_close(&sample);
        }
    }
    sample_folder_remove(place.folder);
}

/* Files cut at every place and with bytes changed are told, or read as something whole; nothing crashes. */
static void damage_and_load(const struct spot *place, const char *path, uint64_t *random, struct sample *sample)
{
    FILE  *file = fopen(path, "rbe");
    char  *whole = malloc(1 << 22);
    size_t len;

    assert_true(file && whole);
    len = fread(whole, 1, 1 << 22, file);
    fclose(file);
    assert_true(len > 0 && len < 1 << 22);
    for (int i = 0; i < 60; i++) {
        struct graph_copy copy;
        struct err        err = { 0 };
        struct heard      heard;
        bool              cut = i % 2;
        size_t            at;

        sample->random = *random += 7919;
        at = (size_t)sample_random(sample, len);
        file = fopen(path, "wbe");
        assert_non_null(file);
        assert_int_equal(fwrite(whole, 1, at, file), at);
        if (!cut) {
            assert_int_equal(fputc(~whole[at] & 0xFF, file), ~whole[at] & 0xFF);
            assert_int_equal(fwrite(whole + at + 1, 1, len - at - 1, file), len - at - 1);
        }
        fclose(file);
        if (graph_load(&copy, place->path, capability_tables(), &err) < 0)
            assert_true(err.code < 0 && err.text[0]);
        else assert_false(cut && path != place->path);      /* a list that is cut is never taken for whole */
        graph_copy_free(&copy);
        assert_true(check(place, &heard) >= 0);
    }
    free(whole);
}

static void test_damage(void **state)
{
    struct spot  place;
    struct sample sample;
    uint64_t      random = seed;

    (void)state;
    place_open(&place);
    sample_open(&sample, seed, 60, 40);
    sample_add_dedup(&sample);
    write_sample(&sample, &place, 0);
    damage_and_load(&place, place.list, &random, &sample);
    sample_close(&sample);
    sample_open(&sample, seed, 60, 40);
    sample_add_dedup(&sample);
    write_sample(&sample, &place, 1000000);
    damage_and_load(&place, place.path, &random, &sample);
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_damage),
    };

    seed = sample_seed();
    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
