/* tests/unit/generate/tables.c -- rows of outputs, of blocks that a model has by heart, and of its memorisation. */
#include "generate/tables.h"
#include "clone/task.h"
#include "tests/unit/small_run.h"

#include <math.h>

static bool is(struct slice text, const char *wanted) { return slice_equal(text, slice_of(wanted)); }

/* The datasets of outputs follow the others. */
static void test_generations(void **unused)
{
    char                          first[] = "x", second[] = "y";
    const struct model_options    model[] = { { .name = first }, { .name = second } };
    struct generate_output        output[] = { { .number = 0, .prompt = -1, .model = 0, .tokens = 5, .stopped = true },
                                               { .number = 1, .prompt = 3, .model = 0, .tokens = 6 },
                                               { .number = 0, .prompt = 0, .model = 1, .tokens = 7 } };
    const struct generate_job     job = { .dataset_count = 2, .model = model, .models = 2, .output = output,
                                          .output_count = 3 };
    char                          x[] = "x.jsonl.zst", y[] = "y.jsonl.zst";
    struct shard                  shard[] = { { .dataset = 0 }, { .dataset = 1 }, { .dataset = 1 },
                                              { .dataset = 2, .name = x },
                                              { .dataset = 3, .name = y } };
    const struct shard_list       shards = { .at = shard, .count = 5 };
    const struct graph_generation *row;
    struct graph_build            build = { 0 };
    struct err                    err = { 0 };

    (void)unused;
    assert_int_equal(graph_add_generations(&build, &job, &shards, &err), 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_generations).count, 3);
    row = graph_rows_of(&build.graph, &table_generations).rows;
    assert_true(is(row[0].model, "x") && row[0].output == 0 && row[0].prompt == -1 && row[0].tokens == 5 &&
                row[0].stopped && row[0].dataset == 2 && row[0].shard == 3);
    assert_true(is(row[1].model, "x") && row[1].output == 1 && row[1].prompt == 3 && !row[1].stopped &&
                row[1].shard == 3);
    assert_true(is(row[2].model, "y") && row[2].dataset == 3 && row[2].shard == 4);
    assert_true(is(row[1].path, "generations/x.jsonl.zst") && is(row[2].path, "generations/y.jsonl.zst"));
    graph_build_free(&build);
}

/* Four outputs: the blocks ab and cde are in the corpus three times and once. */
static void test_memorised(void **unused)
{
    char                          name[] = "m";
    const struct model_options    model = { .name = name };
    const struct generate_options options = { .outputs = 4, .sampling = { .tokens = 99 } };
    const struct generate_job     job = { .dataset_count = 0, .model = &model, .models = 1, .options = &options };
    const struct graph_memorisation *row;
    const struct graph_memorised *by_heart;
    struct small_run              r;
    struct clone_task            *clones;
    struct graph_build            build = { 0 };
    struct err                    err = { 0 };

    (void)unused;
    small_open(&r);
    small_write(&r, "m.jsonl", "{\"text\": \"c\\nd\\ne\\nx\\na\\nb\"}\n{\"text\": \"y\\ny\"}\n"
                "{\"text\": \"a\\nb\\n1\\na\\nb\"}\n{\"text\": \"2\\na\\nb\"}\n");
    small_write(&r, "c.jsonl", "{\"text\": \"a\\nb\\n3\\na\\nb\\n4\\na\\nb\\n5\\nc\\nd\\ne\"}\n");
    small_start(&r, "datasets:\n  - {name: m, role: benchmark, language: text, files: m.jsonl}\n"
                "  - {name: c, role: corpus, language: text, files: c.jsonl}\n"
                "line_clones: {lines: 2, normalisation: exact}\n");
    small_pass(&r);
    clones = clone_task(&r.config);
    if (clone_result_read(&clones->job, &clones->result, &err) < 0 ||
        graph_add_memorised(&build, &job, &clones->job, &clones->result, &err) < 0) fail_msg("%s", err.text);

    assert_int_equal(clones->result.block_count, 2);
    assert_int_equal(graph_rows_of(&build.graph, &table_memorised).count, 2);
    by_heart = graph_rows_of(&build.graph, &table_memorised).rows;
    for (size_t i = 0; i < 2; i++) {
        const bool two = clones->result.block[by_heart[i].clone].length == 2;

        assert_true(is(by_heart[i].model, "m") && by_heart[i].first == 0);
        assert_int_equal(by_heart[i].occurrences, two ? 4 : 1);
        assert_int_equal(by_heart[i].outputs, two ? 3 : 1);
    }
    assert_int_equal(graph_rows_of(&build.graph, &table_memorisation).count, 4);
    row = graph_rows_of(&build.graph, &table_memorisation).rows;
    for (size_t part = 0; part < 4; part++) {
        static const uint64_t occurrences[] = { 2, 2, 4, 5 }, with_any[] = { 1, 1, 2, 3 };

        assert_true(is(row[part].model, "m") && row[part].outputs == part + 1 && row[part].tokens == 99);
        assert_int_equal(row[part].blocks, 2);
        assert_int_equal(row[part].occurrences, occurrences[part]);
        assert_int_equal(row[part].with_any, with_any[part]);
        /* 1 and 1 beside 3 and 1 at first: not defined; then more of what the corpus has more of */
        if (part < 2) assert_true(isnan(row[part].spearman) && isnan(row[part].pearson));
        else assert_true(fabs(row[part].spearman - 1) < 1e-9 && fabs(row[part].pearson - 1) < 1e-9);
    }
    graph_build_free(&build);
    small_close(&r);
}

/* Of two outputs there are no quarters: a row for one, a row for both. */
static void test_few(void **unused)
{
    char                          name[] = "m";
    const struct model_options    model = { .name = name };
    const struct generate_options options = { .outputs = 2 };
    const struct generate_job     job = { .model = &model, .models = 1, .options = &options };
    const struct clone_result     none = { 0 };
    const struct graph_memorisation *row;
    struct graph_build            build = { 0 };
    struct err                    err = { 0 };

    (void)unused;
    assert_int_equal(graph_add_memorised(&build, &job, NULL, &none, &err), 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_memorised).count, 0);
    assert_int_equal(graph_rows_of(&build.graph, &table_memorisation).count, 2);
    row = graph_rows_of(&build.graph, &table_memorisation).rows;
    assert_int_equal(row[0].outputs, 1);
    assert_int_equal(row[1].outputs, 2);
    assert_true(row[1].blocks == 0 && isnan(row[1].spearman));
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_generations), cmocka_unit_test(test_memorised),
                                        cmocka_unit_test(test_few) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
