/* tests/unit/probe/items.c -- texts of the probed datasets: fields that are joined, what a record says of itself. */
#include "probe/item.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static const char yaml[] =
    "datasets:\n"
    "  - {name: a, role: benchmark, files: [a1.jsonl, a2.jsonl]}\n"
    "  - {name: b, role: benchmark, files: b.jsonl}\n"
    "  - {name: c, role: benchmark, format: lines, files: c.txt}\n"
    "sensitive: {}\n";

static struct small_run     r;
static struct probe_options options;
static bool                 member[3];
static struct probe_job     job;

static int set_up(void **unused)
{
    (void)unused;
    small_open(&r);
    small_write(&r, "a1.jsonl", "{\"text\": \"one\", \"x\": \"1\", \"y\": {\"z\": \"2\"}, \"in\": true, "
                "\"p\": NaN}\n"
                "{\"text\": 1}\n{\"text\": \"two\", \"x\": \"3\", \"in\": 0, \"p\": Infinity}\n");
    small_write(&r, "a2.jsonl", "{\"text\": \"\", \"y\": {\"z\": \"4\"}, \"in\": 0.5}\n");
    small_write(&r, "b.jsonl", "{\"text\": \"three\", \"x\": 5, \"in\": \"true\"}\n");
    small_write(&r, "c.txt", "a line\n");
    small_start(&r, yaml);
    options = (struct probe_options){ .join = " | ", .truth_field = "" };
    member[0] = member[1] = true, member[2] = false;
    job = (struct probe_job){ .run = &r.run, .member = member, .options = &options };
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    small_close(&r);
    return 0;
}

/* "shard:record text known" of all items, with `, ` between them. */
static void assert_items(const char *expected)
{
    struct probe_items items;
    struct bytes       text = { 0 };
    struct err         err = { 0 };

    if (probe_items_collect(&job, &items, &err) < 0) fail_msg("%s", err.text);
    for (size_t i = 0; i < items.count; i++)
        assert_int_equal(bytes_printf(&text, "%s%u:%llu %.*s %c", i ? ", " : "", items.at[i].shard,
                                      (unsigned long long)items.at[i].record, (int)items.at[i].text.len,
                                      items.at[i].text.at, "oi?"[items.at[i].known]), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_string_equal(text.at, expected);
    bytes_free(&text);
    probe_items_free(&items);
    assert_null(items.at);
}

static void assert_refused(const char *expected)
{
    struct probe_items items;
    struct err         err = { 0 };

    assert_int_equal(probe_items_collect(&job, &items, &err), -EINVAL);
    if (!strstr(err.text, expected)) fail_msg("%s", err.text);
    probe_items_free(&items);
}

static void test_texts(void **unused)
{
    (void)unused;
    assert_items("0:0 one ?, 0:2 two ?, 1:0  ?, 2:0 three ?");          /* what is no document is no item */
    member[0] = false, member[2] = true;
    assert_items("2:0 three ?, 3:0 a line ?");
    member[1] = member[2] = false;
    assert_items("");
}

static void test_fields(void **unused)
{
    (void)unused;
    options.field[0] = (char[]){ "x" }, options.field[1] = (char[]){ "y.z" }, options.fields = 2;
    assert_items("0:0 1 | 2 ?, 0:2 3 ?, 1:0 4 ?, 2:0  ?");  /* a number is no string */
    options.fields = 1;
    assert_items("0:0 1 ?, 0:2 3 ?, 1:0  ?, 2:0  ?");
    options.field[0] = (char[]){ "nowhere" };
    assert_refused("probe.fields: none of 4 items has text in a field `nowhere`");
    options.fields = 2;
    options.field[1] = (char[]){ "nor here" };
    assert_refused("in a field `nowhere`, nor in the others");
    options.field[1] = (char[]){ "x" };
    member[2] = true;
    assert_refused("c.txt: record 0: probe.fields and probe.truth name fields of JSON lines");
}

static void test_truth(void **unused)
{
    (void)unused;
    options.truth = TRUTH_FIELD;
    options.truth_field = (char[]){ "in" };
    assert_items("0:0 one i, 0:2 two o, 1:0  i, 2:0 three ?");          /* a string is no truth */
    options.truth_field = (char[]){ "x" };
    assert_items("0:0 one ?, 0:2 two ?, 1:0  ?, 2:0 three i");          /* nor are "1" and "3" */
    options.truth_field = (char[]){ "p" };
    assert_items("0:0 one ?, 0:2 two i, 1:0  ?, 2:0 three ?");          /* NaN is not known */
}

/* What was collected is there for whoever asks later; without it nothing is made up. */
static void test_map(void **unused)
{
    struct probe_items items;
    struct err         err = { 0 };

    (void)unused;
    assert_items("0:0 one ?, 0:2 two ?, 1:0  ?, 2:0 three ?");
    assert_int_equal(probe_items_map(&job, &items, &err), 0);
    assert_int_equal(items.count, 4);
    assert_true(slice_equal(items.at[3].text, SLICE("three")));
    probe_items_free(&items);
    assert_int_equal(stage_clear(r.stage, &err), 0);
    assert_int_equal(probe_items_map(&job, &items, &err), -EIO);
    assert_non_null(strstr(err.text, "unit 0 of "));
    probe_items_free(&items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_truth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_map, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
