/* tests/unit/probe/result.c -- units of answers put together: the order of values, ratios of two models, gaps. */
#include "probe/item.h"
#include "tests/unit/small_run.h"

#include <errno.h>
#include <math.h>

static struct small_run     r;
static char                 names[2][2] = { "x", "y" };
static struct probe_options options;
static bool                 member[1] = { true };
static struct probe_job     job;

static int set_up(void **unused)
{
    (void)unused;
    small_open(&r);
    small_write(&r, "a1.jsonl", "{\"text\": \"one\"}\n{\"text\": \"two\"}\n");
    small_write(&r, "a2.jsonl", "{\"text\": \"three\"}\n");
    small_start(&r, "datasets:\n  - {name: a, role: benchmark, files: [a1.jsonl, a2.jsonl]}\nsensitive: {}\n");
    options = (struct probe_options){ .models = 2, .metrics = 1u << METRIC_NLL | 1u << METRIC_RATIO, .join = " ",
                                      .model = { { .name = names[0] }, { .name = names[1] } } };
    job = (struct probe_job){ .run = &r.run, .member = member, .options = &options,
                              .model = { { .name = "x", .key = { 1, 1 } }, { .name = "y", .key = { 2, 2 } } } };
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    small_close(&r);
    return 0;
}

/* Commits what a model said of a block: NaN, a value that is not there. */
struct said { double nll, perplexity; };

static void commit(const struct probe_items *items, size_t first, size_t count, uint32_t model, const struct said *said)
{
    const struct probe_block block = { first, count };
    struct bytes             answers = { 0 }, lacks = { 0 };
    struct err               err = { 0 };

    for (uint32_t i = 0; i < count; i++) {
        const struct probe_answer nll = { i, METRIC_NLL, said[i].nll }, ppl = { i, METRIC_PERPLEXITY,
                                                                                 said[i].perplexity };
        struct probe_lack         lack = { i, METRIC_NLL, "" };

        snprintf(lack.reason, sizeof lack.reason, "text %zu", first + i);
        if (!isnan(said[i].nll)) assert_int_equal(bytes_append(&answers, &nll, sizeof nll), 0);
        else assert_int_equal(bytes_append(&lacks, &lack, sizeof lack), 0);
        if (!isnan(said[i].perplexity)) assert_int_equal(bytes_append(&answers, &ppl, sizeof ppl), 0);
    }
    assert_int_equal(stage_commit(r.stage, PROBE_UNIT, probe_block_key(&job, &job.model[model], items, &block),
                                  (struct slice[]){ bytes_slice(&answers), bytes_slice(&lacks) }, 2, &err), 0);
    bytes_free(&answers);
    bytes_free(&lacks);
}

/* The same perplexities' difference, where there are two. */
static void test_differences(void **unused)
{
    struct probe_items  items;
    struct probe_result result;
    struct err          err = { 0 };

    (void)unused;
    options.metrics = 1u << METRIC_DIFFERENCE;
    if (probe_items_collect(&job, &items, &err) < 0) fail_msg("%s", err.text);
    commit(&items, 0, 2, 0, (const struct said[]){ { NAN, exp(1) }, { NAN, NAN } });
    commit(&items, 0, 2, 1, (const struct said[]){ { NAN, exp(3) }, { NAN, exp(3) } });
    commit(&items, 2, 1, 0, (const struct said[]){ { NAN, 1 } });
    commit(&items, 2, 1, 1, (const struct said[]){ { NAN, exp(2) } });
    if (probe_result_read(&job, &result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct probe_value *v = &result.value[i];

        assert_true(v->metric == METRIC_DIFFERENCE && v->model == i % 2 && v->other == 1 - i % 2);
        assert_true(fabs(v->value - (i % 2 ? -2 : 2)) < 1e-12);     /* also of a perplexity of 1 */
    }
    assert_true(result.gap[result.gaps - 1].metric != METRIC_RATIO);
    probe_result_free(&result);
    probe_items_free(&items);
}

static void test_values(void **unused)
{
    static const struct probe_value wanted[] = {
        { 0, 0.5, 0, 0, METRIC_NLL, 0 }, { 0, 2, 0, 0, METRIC_RATIO, 1 }, { 0, 0.75, 0, 1, METRIC_NLL, 0 },
        { 0, 0.5, 0, 1, METRIC_RATIO, 0 },
        { 1, 1.5, 0, 1, METRIC_NLL, 0 },
        { 0, 3, 1, 0, METRIC_NLL, 0 }, { 0, 4, 1, 1, METRIC_NLL, 0 }, { 0, 0, 1, 1, METRIC_RATIO, 0 },
    };
    struct probe_items  items;
    struct probe_result result;
    struct err          err = { 0 };

    (void)unused;
    if (probe_items_collect(&job, &items, &err) < 0) fail_msg("%s", err.text);
    /* ln: 1 and 2; none and 3; 0 and 2 */
    commit(&items, 0, 2, 0, (const struct said[]){ { 0.5, exp(1) }, { NAN, NAN } });
    commit(&items, 0, 2, 1, (const struct said[]){ { 0.75, exp(2) }, { 1.5, exp(3) } });
    commit(&items, 2, 1, 0, (const struct said[]){ { 3, 1 } });
    commit(&items, 2, 1, 1, (const struct said[]){ { 4, exp(2) } });
    if (probe_result_read(&job, &result, &err) < 0) fail_msg("%s", err.text);

    assert_int_equal(result.items, 3);
    assert_int_equal(result.item[1].record, 1);
    assert_int_equal(result.item[2].shard, 1);
    assert_int_equal(result.item[2].known, KNOWN_NOT);
    assert_int_equal(result.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < result.count; i++) {
        const struct probe_value *v = &result.value[i], *w = &wanted[i];

        if (v->record != w->record || v->shard != w->shard || v->model != w->model || v->metric != w->metric ||
            v->other != w->other || fabs(v->value - w->value) > 1e-12)
            fail_msg("%zu: %u:%llu model %u metric %u of %u: %g", i, v->shard, (unsigned long long)v->record, v->model,
                     v->metric, v->other, v->value);
    }
    /* x: the value of one item, and the ratio of perplexity 1; y: the ratio to a model that has none */
    assert_int_equal(result.gaps, 3);
    assert_true(result.gap[0].model == 0 && result.gap[0].metric == METRIC_NLL && result.gap[0].items == 1);
    assert_string_equal(result.gap[0].reason, "text 1");
    assert_true(result.gap[1].model == 1 && result.gap[1].metric == METRIC_RATIO && result.gap[1].items == 1);
    assert_true(result.gap[2].model == 0 && result.gap[2].metric == METRIC_RATIO && result.gap[2].items == 1);
    probe_result_free(&result);
    assert_null(result.value);
    probe_items_free(&items);
}

/* Of what is missing for the same reason the first item's words stand, and the items are counted. */
static void test_gaps(void **unused)
{
    struct probe_items  items;
    struct probe_result result;
    struct err          err = { 0 };

    (void)unused;
    options.models = 1;
    if (probe_items_collect(&job, &items, &err) < 0) fail_msg("%s", err.text);
    commit(&items, 0, 2, 0, (const struct said[]){ { NAN, NAN }, { NAN, NAN } });
    assert_int_equal(probe_result_read(&job, &result, &err), -EIO);
    if (!strstr(err.text, "answers of model x have disappeared or are damaged")) fail_msg("%s", err.text);
    probe_result_free(&result);
    err = (struct err){ 0 };
    commit(&items, 2, 1, 0, (const struct said[]){ { NAN, NAN } });
    if (probe_result_read(&job, &result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.count, 0);
    assert_int_equal(result.gaps, 1);
    assert_int_equal(result.gap[0].items, 3);
    assert_string_equal(result.gap[0].reason, "text 0");
    probe_result_free(&result);
    probe_items_free(&items);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_differences, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_gaps, set_up, tear_down) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
