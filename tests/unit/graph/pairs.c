/* tests/unit/graph/pairs.c -- pairs that are too many for memory make the same graph as those in an array: digest,
 * tables, the list beside the database. */
#include "graph/pairs.h"

#include "base/stage.h"
#include "graph/load.h"
#include "tests/unit/folder.h"
#include "tests/unit/graph/spot.h"

static uint64_t seed;

/* So many times that they are more than the smallest memory takes. */
enum { DOCUMENTS = 600, PAIRS = 9000, TIMES = 20 };

/* The sample's pairs, in another order and many times, of documents in numbers twice as large. */
static struct runs *runs_of(const struct graph_pass *pass, struct stage *stage)
{
    const struct runs_options options = pairs_options(stage, 1);
    struct runs              *runs;
    struct err                err = { 0 };

    assert_int_equal(runs_open(&runs, &options, &err), 0);
    for (size_t e = 0, step = 7919; e < pass->edge_count * TIMES; e++) {
        struct graph_edge edge = pass->edges[e * step % pass->edge_count];

        edge.a = 2 * edge.a + 1;
        edge.b = 2 * edge.b + 1;
        assert_int_equal(runs_add(runs, &edge, &err), 0);
    }
    assert_int_equal(runs_end(runs, &err), 0);
    return runs;
}

static void assert_pairs(const struct graph_pass *pass, const struct graph_pass *expected)
{
    struct pairs      pairs;
    struct graph_edge edge;
    struct err        err = { 0 };

    assert_int_equal(pass->edge_count, expected->edge_count);
    assert_int_equal(pairs_open(&pairs, pass, &err), 0);
    for (size_t e = 0; e < expected->edge_count; e++) {
        assert_int_equal(pairs_next(&pairs, &edge, &err), 1);
        assert_memory_equal(&edge, &expected->edges[e], sizeof edge);
    }
    assert_int_equal(pairs_next(&pairs, &edge, &err), 0);
    pairs_close(&pairs);
}

static void assert_same_file(const char *path, struct graph_pass *expected)
{
    struct graph_copy copy;
    struct err        err = { 0 };

    if (graph_load(&copy, path, capability_tables(), &err) < 0) fail_msg("%s", err.text);
    for (int pass = 0; pass < GRAPH_PASSES; pass++) assert_pairs(&copy.graph.passes[pass], &expected[pass]);
    graph_copy_free(&copy);
}

static void test_same_graph(void **state)
{
    struct spot       place;
    struct sample     sample;
    struct stage     *stage;
    struct runs      *runs[GRAPH_PASSES];
    struct graph_pass expected[GRAPH_PASSES];
    uint32_t          half[2 * DOCUMENTS];
    char              digest[33], wanted[33], folder[] = "/tmp/test_pairs.XXXXXX";
    struct err        err = { 0 };

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(stage_open(&stage, folder, true, &err), 0);
    place_open(&place);
    sample_open(&sample, seed, DOCUMENTS, PAIRS);
    sample_add_dedup(&sample);
    for (uint32_t d = 0; d < 2 * DOCUMENTS; d++) half[d] = d / 2;
    assert_int_equal(graph_digest(&sample.graph, wanted, &err), 0);
    for (int pass = 0; pass < GRAPH_PASSES; pass++) {
        struct graph_pass *of = &sample.graph.passes[pass];

        expected[pass] = *of;
        runs[pass] = runs_of(of, stage);
        assert_int_equal(pairs_give(of, runs[pass], half, &err), 0);
        assert_pairs(of, &expected[pass]);
    }
    assert_true(sample.graph.passes[PASS_NEAR].runs && !sample.graph.passes[PASS_NEAR].edges);
    assert_int_equal(graph_digest(&sample.graph, digest, &err), 0);
    assert_string_equal(digest, wanted);
    for (uint64_t limit = 0; limit <= 1000000; limit += 1000000) {
        write_sample(&sample, &place, limit);
        assert_same_file(place.path, expected);
    }
    for (int pass = 0; pass < GRAPH_PASSES; pass++) runs_close(runs[pass]);
    sample_close(&sample);
    sample_folder_remove(place.folder);
    stage_close(stage);
    remove_tree(folder);
}

/* A file that is cut while the database is made is told, and no database stands there. */
static void test_cut(void **state)
{
    struct spot   place;
    struct sample sample;
    struct stage *stage;
    struct runs  *runs;
    uint32_t      half[2 * DOCUMENTS];
    char          command[128], digest[33], folder[] = "/tmp/test_pairs.XXXXXX";
    struct err    err = { 0 };

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(stage_open(&stage, folder, true, &err), 0);
    place_open(&place);
    sample_open(&sample, seed, DOCUMENTS, PAIRS);
    for (uint32_t d = 0; d < 2 * DOCUMENTS; d++) half[d] = d / 2;
    runs = runs_of(&sample.graph.passes[PASS_NEAR], stage);
    assert_int_equal(pairs_give(&sample.graph.passes[PASS_NEAR], runs, half, &err), 0);
    assert_int_equal(graph_digest(&sample.graph, digest, &err), 0);
    snprintf(command, sizeof command, "truncate -s -1000 %s/work/*-pairs.spill", folder);
    assert_int_equal(system(command), 0);
    for (uint64_t limit = 0; limit <= 1000000; limit += 1000000) {
        err = (struct err){ 0 };
        for (int threads = 0; threads < 3; threads++) {     /* 0: the digest is known */
            if (threads) *digest = '\0';
            assert_int_equal(store_write(&sample.graph, capability_tables(), place.path, digest, limit, threads, &err),
                             -EBADMSG);
            assert_non_null(strstr(err.text, "cut off"));
            assert_int_equal(access(place.path, F_OK), -1);
        }
    }
    assert_int_equal(graph_digest(&sample.graph, digest, &err), -EBADMSG);
    runs_close(runs);
    sample_close(&sample);
    sample_folder_remove(place.folder);
    stage_close(stage);
    remove_tree(folder);
}

/* No room for the digest's own order of the pairs, though for all else: told, no database stands there. */
static void test_no_digest(void **state)
{
    struct spot   place;
    struct sample sample;
    struct stage *stage;
    struct runs  *runs;
    enum { MANY = 8 * DOCUMENTS, ENOUGH = 4000 };           /* pairs: more than the digest holds in memory */
    uint32_t      half[2 * MANY];
    char          digest[33], work[64], moved[64], folder[] = "/tmp/test_pairs.XXXXXX";
    struct err    err = { 0 };

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(stage_open(&stage, folder, true, &err), 0);
    place_open(&place);
    sample_open(&sample, seed, MANY, 4 * PAIRS);
    for (uint64_t again = seed; sample.graph.passes[PASS_NEAR].edge_count <= ENOUGH;) {     /* some have few pairs */
        sample_close(&sample);
        sample_open(&sample, ++again, MANY, 4 * PAIRS);
    }
    for (uint32_t d = 0; d < 2 * MANY; d++) half[d] = d / 2;
    runs = runs_of(&sample.graph.passes[PASS_NEAR], stage);
    assert_int_equal(pairs_give(&sample.graph.passes[PASS_NEAR], runs, half, &err), 0);
    snprintf(work, sizeof work, "%s/work", folder);
    snprintf(moved, sizeof moved, "%s/moved", folder);
    assert_int_equal(rename(work, moved), 0);               /* the pairs' file is open */
    for (int threads = 1; threads < 3; threads++) {
        *digest = '\0';
        err = (struct err){ 0 };
        assert_int_equal(store_write(&sample.graph, capability_tables(), place.path, digest, 1000000, threads, &err),
                         -EIO);
        assert_non_null(strstr(err.text, "-digest.spill"));
        assert_int_equal(access(place.path, F_OK), -1);
    }
    assert_int_equal(rename(moved, work), 0);
    for (int threads = 1; threads < 3; threads++) {
        *digest = '\0';
        assert_int_equal(store_write(&sample.graph, capability_tables(), place.path, digest, 1000000, threads, &err),
                         0);
        assert_int_equal(strlen(digest), 32);
        assert_int_equal(access(place.path, F_OK), 0);
    }
    runs_close(runs);
    sample_close(&sample);
    sample_folder_remove(place.folder);
    stage_close(stage);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same_graph), cmocka_unit_test(test_cut),
                                        cmocka_unit_test(test_no_digest) };

    seed = sample_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
