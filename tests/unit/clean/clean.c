/* tests/unit/clean/clean.c -- outputs one after the other: what each removes, cuts or draws, and what is left of
 * earlier ones. */
#include "clone/task.h"
#include "tests/unit/clean/world.h"

static struct world w;

static int set_up(void **unused)
{
    (void)unused;
    world_open(&w, "line_clones: {lines: 1, normalisation: exact}\n");
    made_run(&w.g, "UPDATE snippets SET matches = 1 WHERE id IN (2, 3)");
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    world_close(&w);
    return 0;
}

static void run(struct clean_result *result)
{
    struct err err = { 0 };

    if (clean_run(&w.job, result, &err) < 0) fail_msg("%s", err.text);
}

static bool is(struct slice text, const char *wanted) { return slice_equal(text, slice_of(wanted)); }

static void test_outputs(void **unused)
{
    static char         first[] = "first", second[] = "second", none[] = "";
    struct clean_output outputs[2];
    struct clean_result result;

    (void)unused;
    w.output.name = first, w.output.dataset = none;
    world_rule(&w, "matches");
    outputs[0] = w.output;
    w.output.rule = NULL;
    world_rule(&w, "matches = 0");
    outputs[1] = w.output, outputs[1].name = second;
    w.job.outputs = outputs, w.job.output_count = 2;
    run(&result);
    assert_int_equal(result.count, 4);                      /* two splits each */
    assert_true(is(result.cleaned[0].output, "first") && is(result.cleaned[0].kind, "removed") &&
                is(result.cleaned[0].split, "train") && result.cleaned[0].removed == 1);
    assert_true(is(result.cleaned[3].output, "second") && is(result.cleaned[3].split, "test") &&
                result.cleaned[3].removed == 1);
    assert_int_equal(result.document_count, 4);
    assert_file(&w, "cleaned/first.removed.tsv",
                "dataset\tshard\trecord\tnumber\tsource_id\tpath\t" MATCH_COLUMNS "\twhy\n"
                "a\ta1.jsonl\t2\t1\ta1.jsonl:2\t\t\t\t\t\t\t\t\tmatches\n"
                "a\ta2.jsonl\t0\t2\tx\\x092\t\t\t\t\t\t\t\t\tmatches\n");
    assert_file(&w, "cleaned/second/a/a2.jsonl.zst",
                "{\"id\": \"x\\t2\", \"text\": \"five\\nsix\", \"language\": \"java\"}\n");
    clean_result_free(&result);
    assert_null(result.cleaned);
    rule_free(outputs[0].rule);
}

/* Results of two rules never lie side by side; files of others stay. */
static void test_sweep(void **unused)
{
    struct clean_result result;
    struct stat         is_there;
    char                path[128], list[128], other[128];

    (void)unused;
    world_rule(&w, "matches");
    run(&result);
    clean_result_free(&result);
    snprintf(path, sizeof path, "%s/cleaned/out/a/a1.jsonl.zst", w.r.output);
    snprintf(list, sizeof list, "%s/cleaned/out.removed.tsv", w.r.output);
    snprintf(other, sizeof other, "%s/cleaned/out/a/other.jsonl.zst", w.r.output);
    assert_int_equal(stat(list, &is_there), 0);
    write_file(other, "x", 1);
    w.output.drop = CLEAN_SPANS;
    run(&result);
    clean_result_free(&result);
    assert_int_equal(stat(list, &is_there), -1);
    assert_int_equal(stat(other, &is_there), 0);
    assert_int_equal(stat(path, &is_there), 0);
}

/* Lines of a benchmark are in graph.db. */
static void test_spans(void **unused)
{
    struct clean_result result;

    (void)unused;
    made_run(&w.g, "INSERT INTO clone_spans VALUES ('a', 'a2.jsonl', 0, 2, 2, NULL)");
    w.output.drop = CLEAN_SPANS;
    world_rule(&w, "matches");
    run(&result);
    assert_true(is(result.cleaned[1].kind, "cut") && result.cleaned[1].cut == 1 && result.cleaned[1].spans == 1 &&
                result.cleaned[1].removed == 0 && result.cleaned[1].removed_bytes == 3);
    assert_int_equal(result.cleaned[0].cut, 0);             /* it shares no block */
    assert_file(&w, "cleaned/out.cut.tsv", "dataset\tshard\trecord\tnumber\tsource_id\tpath\t" MATCH_COLUMNS
                "\tlines\tbytes\twhy\na\ta2.jsonl\t0\t2\tx\\x092\t\t\t\t\t\t\t\t\t2-2\t3\tmatches\n");
    clean_result_free(&result);
}

/* Two folders and two lists of what was taken. */
static void test_subsets(void **unused)
{
    struct clean_result result;
    char                list[512];

    (void)unused;
    w.member[0] = false, w.member[1] = true;
    w.output.drop = CLEAN_SUBSETS, w.output.base = 1;
    run(&result);
    assert_int_equal(result.count, 2);
    assert_true(is(result.cleaned[0].kind, "leaky") && is(result.cleaned[1].kind, "nonleaky"));
    assert_true(result.cleaned[0].documents == 2 && result.cleaned[0].removed == 1);
    assert_int_equal(result.document_count, 0);
    clean_result_free(&result);
    snprintf(list, sizeof list, "%s/cleaned/out/leaky/c/c.jsonl.zst", w.r.output);
    assert_int_equal(access(list, R_OK), 0);
    snprintf(list, sizeof list, "%s/cleaned/out.nonleaky.tsv", w.r.output);
    assert_int_equal(access(list, R_OK), 0);
}

static void test_failure(void **unused)
{
    struct clean_result result;
    struct err          err = { 0 };

    (void)unused;
    world_rule(&w, "near");
    w.columns.pairs_most = 0;
    assert_int_equal(clean_run(&w.job, &result, &err), -EINVAL);
    assert_true(strncmp(err.text, "clean: out: ", 12) == 0);
    clean_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_outputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sweep, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_subsets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failure, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
