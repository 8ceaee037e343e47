/* tests/unit/clone/tables.c -- blocks, places, documents and spans in the graph, each number in its place. */
#include "clone/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_rows(void **unused)
{
    static const char         heap[] = "id path A\nB\r";
    struct dataset            dataset[6] = { [5] = { .name = (char[]){ "corpus" } } };
    struct shard              shard[] = { { .dataset = 4 }, { .dataset = 5 } };
    struct shard_list         shards = { .at = shard, .count = 2 };
    struct run                run = { .shards = &shards, .datasets = dataset };
    struct clone_job          job = { .run = &run };
    struct clone_line         line[] = { { .number = 1, .byte = 0 }, { .number = 2, .byte = 2 } };
    struct clone_document     row[] = { { .record = 7, .line_count = 2, .source_id = { 0, 2 }, .path = { 3, 4 },
                                          .text = { 8, 4 } },
                                        { .record = 8, .line_count = 9, .source_id = { 0, NO_STRING },
                                          .path = { 0, NO_STRING }, .text = { 0, NO_STRING } },
                                        { .record = 9, .line_count = 3, .source_id = { 0, NO_STRING },
                                          .path = { 0, NO_STRING }, .text = { 0, NO_STRING } } };
    struct clone_side_document document[] = { { &row[0], heap, line, 0, 0 }, { &row[1], heap, line, 2, 0 },
                                              { &row[2], heap, line, 11, 1 } };
    struct clone_block        block = { 11, 12, 13, 14, 0, 0, 2, 1 };
    struct clone_block_place  place = { 0, 1, 15, 16, SLICE("a/b.py") };
    struct clone_span         span = { 2, 17, 18 };
    uint64_t                  shared[] = { 2, 0, 1 };
    struct clone_elsewhere    elsewhere[] = { { 19, 1, 20, 21, SLICE("c.py") }, { 0 }, { 0 } };
    struct clone_result       result = { .block = &block, .block_count = 1, .place = &place, .place_count = 1,
                                         .small = { .document = document, .count = 3, .lines = 14 },
                                         .shared = shared, .elsewhere = elsewhere, .span = &span, .span_count = 1 };
    struct graph_build        build = { 0 };
    struct graph_rows         clones, places, documents, spans;
    const struct graph_clone  *clone;
    const struct graph_clone_place *at;
    const struct graph_clone_document *of;
    const struct graph_clone_span *part;
    struct err                err = { 0 };

    (void)unused;
    assert_int_equal(graph_add_clones(&build, &job, &result, &err), 0);
    clones = graph_rows_of(&build.graph, &table_clones);
    places = graph_rows_of(&build.graph, &table_clone_places);
    documents = graph_rows_of(&build.graph, &table_clone_documents);
    spans = graph_rows_of(&build.graph, &table_clone_spans);
    clone = clones.rows, at = places.rows, of = documents.rows, part = spans.rows;
    assert_true(clones.count == 1 && places.count == 1 && spans.count == 1);
    assert_true(clone->fingerprint_low == 11 && clone->fingerprint_high == 12);
    assert_true(clone->small_count == 13 && clone->corpus_count == 14);
    assert_int_equal(clone->length, 2);
    assert_true(slice_equal(clone->text, SLICE("A\nB")));     /* to the end of its last line */
    assert_true(at->clone == 0 && at->dataset == 5 &&
                at->shard == 1 && at->line == 15 &&
                at->record == 16 && slice_equal(at->path, SLICE("a/b.py")));
    assert_int_equal(documents.count, 2);       /* without a block it is not there */
    assert_true(of[0].record == 7 && of[0].lines == 2 &&
                of[0].shared == 2 && of[0].dataset == 4 &&
                of[0].shard == 0);
    assert_true(slice_equal(of[0].source_id, SLICE("id")));
    assert_true(slice_equal(of[0].path, SLICE("path")));
    assert_true(slice_equal(of[0].corpus, SLICE("corpus")) && slice_equal(of[0].block_path, SLICE("c.py")));
    assert_true(of[0].block_record == 19 && of[0].block_shard == 1 && of[0].block_line == 20 &&
                of[0].block_lines == 21);
    assert_true(of[1].block_lines == 0 && of[1].block_shard == UINT32_MAX && !of[1].corpus.len);
    assert_true(of[1].record == 9 && of[1].shard == 1 &&
                of[1].dataset == 5 && !of[1].path.at);
    assert_true(part->record == 9 && part->dataset == 5 &&
                part->shard == 1 && part->first == 17 &&
                part->last == 18 && !part->path.len);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
