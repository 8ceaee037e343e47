/* tests/unit/code/published.c -- the worked examples of the published inter-dataset duplication pipeline, through the
 * whole join. */
#include "join_harness.h"

#include <stdlib.h>

static char directory[] = "/tmp/leakgraph-published-XXXXXX";

/* A record with these tokens, separated by spaces. */
static void record_add(char *out, size_t room, const char *split, const char *tokens)
{
    size_t len = strlen(out);
    char   list[512] = "", copy[512], *save = NULL;

    snprintf(copy, sizeof copy, "%s", tokens);
    for (char *t = strtok_r(copy, " ", &save); t; t = strtok_r(NULL, " ", &save))
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s\"%s\"", *list ? ", " : "", t);
    snprintf(out + len, room - len, "{\"text\": \"%s\", \"split\": \"%s\", \"tokens\": [%s]}\n", tokens, split, list);
}

static void run(struct joined *joined, const char *near)
{
    char yaml[2048], out[256];

    snprintf(out, sizeof out, "%s/out", directory);
    snprintf(yaml, sizeof yaml,
             "datasets:\n"
             "  - {name: tlc, role: benchmark, language: java, files: [%s/tlc.jsonl]}\n"
             "  - {name: csn, role: corpus, self_join: exact, language: java, files: [%s/csn.jsonl]}\n"
             "near_duplicates: {min_tokens: 5, %s}\n", directory, directory, near);
    joined_open(joined, yaml, out);
}

/* Admission at 5: `a b c d` no; a five times yes; `int a b c d return` no (keywords do not count). */
static void admission_counts_identifiers(void **unused)
{
    struct joined joined;
    char          text[4096] = "";

    (void)unused;
    record_add(text, sizeof text, "", "a b c d");
    record_add(text, sizeof text, "", "a a a a a");
    record_add(text, sizeof text, "", "int a b c d return");
    /* prefixed strings, true and null count; numbers do not */
    record_add(text, sizeof text, "", "f'x' b'y' 1 a true null");
    write_file(directory, "tlc.jsonl", text);
    write_file(directory, "csn.jsonl", "");
    run(&joined, "pairs: all");
    assert_int_equal(joined.build.graph.document_count, 4);
    assert_false(document_of(&joined.build.graph, 0).admitted);
    assert_true(document_of(&joined.build.graph, 1).admitted);
    assert_false(document_of(&joined.build.graph, 2).admitted);
    assert_int_equal(document_of(&joined.build.graph, 2).features, 4);
    assert_int_equal(document_of(&joined.build.graph, 3).features, 5);
    assert_true(document_of(&joined.build.graph, 3).admitted);
    joined_close(&joined);
}

/* Both thresholds are inclusive: 7 of 10 occurrences is a pair, 7 of 11 is none; 4 of 5 distinct passes the set test.
 */
static void thresholds_are_inclusive(void **unused)
{
    struct joined joined;
    char          text[4096] = "";

    (void)unused;
    record_add(text, sizeof text, "", "a a a a a a a");
    record_add(text, sizeof text, "", "a a a a a a a a a a");
    record_add(text, sizeof text, "", "a a a a a a a a a a a");
    record_add(text, sizeof text, "", "p q r s p q r s");
    record_add(text, sizeof text, "", "p q r s p q r s z");
    write_file(directory, "tlc.jsonl", text);
    write_file(directory, "csn.jsonl", "");
    run(&joined, "pairs: all");
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edge_count, 3);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[0].a, 0);     /* 7/10; and 10/11 */
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[0].b, 1);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[1].a, 1);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[1].b, 2);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[2].a, 3);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[2].shared, 4);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[2].union_size, 5);
    joined_close(&joined);
}

/* The chain d1 - d2 - d3: two pairs, one cluster of three; then the end-to-end example with its percentages. */
static void clusters_are_transitive(void **unused)
{
    static const char *const d1 = "a b c d e f g h i j", *const d2 = "a b c d e f g h i k",
        *const d3 = "a b c d e f g h l k";
    static const char *const z = "z1 z2 z3 z4 z5 z6", *const w = "w1 w2 w3 w4 w5 w6", *const small = "s1 s2 s3 s4";
    struct joined joined;
    char          csn[4096] = "", tlc[4096] = "";
    bool          whole = false, test = false, train = false;

    (void)unused;
    record_add(csn, sizeof csn, "", d1);
    record_add(csn, sizeof csn, "", z);
    record_add(csn, sizeof csn, "", small);
    record_add(tlc, sizeof tlc, "train", d2);
    record_add(tlc, sizeof tlc, "test", d3);
    record_add(tlc, sizeof tlc, "test", z);
    record_add(tlc, sizeof tlc, "test", w);
    record_add(tlc, sizeof tlc, "train", w);
    record_add(tlc, sizeof tlc, "test", small);
    write_file(directory, "tlc.jsonl", tlc);
    write_file(directory, "csn.jsonl", csn);
    run(&joined, "pairs: all");

    /* tlc: d2 d3 z w w small are documents 0-5; csn: d1 z small, stored because they have an edge, are 6-8 */
    /* d2-d3, d2-d1, z-z, w-w, small-small (a copy) */
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edge_count, 5);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[0].kind, EDGE_NEAR);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[0].shared * 11,
                     joined.build.graph.passes[PASS_NEAR].edges[0].union_size * 9);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[4].kind, EDGE_COPY);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].clustered, 7);
    for (size_t i = 0; i < joined.build.graph.overlap_count; i++) {
        const struct graph_overlap *row = &joined.build.graph.overlaps[i];

        if (row->source != 0 || row->target != 1 || row->target_split.len || row->language.len) continue;
        if (!row->split.len) {
            assert_int_equal(row->documents, 6);
            assert_int_equal(row->direct, 2);
            assert_int_equal(row->transitive, 3);           /* 50 % */
            assert_int_equal(row->copies, 1);
            assert_true(row->complete);
            whole = true;
        } else if (slice_equal(row->split, SLICE("test"))) {
            assert_int_equal(row->documents, 4);
            assert_int_equal(row->transitive, 2);
            test = true;
        } else {
            assert_true(slice_equal(row->split, SLICE("train")));
            assert_int_equal(row->documents, 2);
            assert_int_equal(row->transitive, 1);
            train = true;
        }
    }
    assert_true(whole && test && train);
    joined_close(&joined);
}

/* 1,200 equal documents: a star, with the counts of all pairs; or all of them when asked. */
static void large_classes_are_stars(void **unused)
{
    struct joined joined;
    size_t        room = 1 << 20;
    char         *text = malloc(room);

    (void)unused;
    assert_non_null(text);
    text[0] = '\0';
    for (int i = 0; i < 700; i++) snprintf(text + 64 * i, 65, "%-63s\n", "{\"text\": \"m n o p q r\"}");
    write_file(directory, "tlc.jsonl", text);
    for (int i = 700; i < 1200; i++)
        snprintf(text + 64 * (i - 700), 65, "%-63s\n", i % 2 ? "{\"text\": \"m n o p q r\"}"
                 : "{\"text\": \"r m n o p q\"}");
    text[64 * 500] = '\0';
    write_file(directory, "csn.jsonl", text);
    free(text);

    run(&joined, "pairs: star");
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edge_count, 1199);
    for (size_t e = 0; e < 1199; e++) {
        assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[e].a, 0);
        assert_int_equal(joined.build.graph.passes[PASS_NEAR].edges[e].kind,
                         joined.build.graph.passes[PASS_NEAR].edges[e].b >= 700 &&
                             joined.build.graph.passes[PASS_NEAR].edges[e].b % 2 == 0 ? EDGE_NEAR : EDGE_EXACT);
    }
    assert_int_equal(document_of(&joined.build.graph, 5).matches, 1199);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].clustered, 1200);
    joined_close(&joined);

    run(&joined, "pairs: all, max_matches: 2000");
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edge_count, 1200 * 1199 / 2);
    joined_close(&joined);
}

/* An item with more equal documents than it may keep does not hide that they are equal to each other. */
static void crowded_stars_leave_the_corpus_together(void **unused)
{
    struct joined joined;
    size_t        room = 1 << 20;
    char         *text = malloc(room);

    (void)unused;
    assert_non_null(text);
    for (int i = 0; i < 1200; i++) snprintf(text + 64 * i, 65, "%-63s\n", "{\"text\": \"m n o p q r\"}");
    write_file(directory, "csn.jsonl", text);
    free(text);
    write_file(directory, "tlc.jsonl", "{\"text\": \"m n o p q r\"}\n");
    run(&joined, "max_matches: 1000");
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].clustered, 1201);
    assert_int_equal(joined.build.graph.passes[PASS_NEAR].edge_count, 1000 + 1199);
    assert_int_equal(document_of(&joined.build.graph, 0).matches, 1200);
    joined_close(&joined);
}

static const struct scan_cell *cell_of(const struct near_result *result, uint32_t dataset, const char *split)
{
    for (size_t c = 0; c < result->counts.cell_count; c++)
        if (result->counts.cell[c].dataset == dataset && slice_equal(result->counts.cell[c].split, slice_of(split)))
            return &result->counts.cell[c];
    fail_msg("no documents of split `%s`", split);
    return NULL;
}

/* A record without a split has none, whatever the record before it said; an empty dataset has a row all the same. */
static void splits_come_from_records(void **unused)
{
    struct joined joined;

    (void)unused;
    write_file(directory, "tlc.jsonl",
               "{\"text\": \"a\", \"split\": \"train\"}\n{\"text\": \"b\"}\n{\"text\": \"c\", \"split\": "
               "\"te\\u0000st\"}\n{\"text\": \"d\"}\n{\"text\": \"e\"}\n{}\n");
    write_file(directory, "csn.jsonl", "");
    run(&joined, "pairs: all");
    assert_int_equal(cell_of(joined.result, 0, "train")->documents, 1);
    assert_int_equal(cell_of(joined.result, 0, "te\xEF\xBF\xBDst")->documents, 1);
    assert_int_equal(cell_of(joined.result, 0, "")->documents, 3);
    assert_int_equal(cell_of(joined.result, 0, "")->rejected, 1);
    assert_int_equal(cell_of(joined.result, 1, "")->documents, 0);
    joined_close(&joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(admission_counts_identifiers), cmocka_unit_test(thresholds_are_inclusive),
        cmocka_unit_test(clusters_are_transitive), cmocka_unit_test(large_classes_are_stars),
        cmocka_unit_test(crowded_stars_leave_the_corpus_together), cmocka_unit_test(splits_come_from_records),
    };
    char command[128];
    int  failed;

    if (!mkdtemp(directory)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command) == 0 ? failed : 1;
}
