/* tests/unit/probe/answers.c -- answers asked for one by one: failures in between, parts that go on, an early end. */
#include "probe/answers.h"
#include "tests/unit/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 5 };

static char                  folder[] = "/tmp/leakgraph-answers-XXXXXX";
static struct stage         *stage;
static const struct unit_key key = { 1, 2 };

/* The answer whose number is `fail` fails, after it has appended half of itself; behind `last` nothing is asked for. */
struct asked { uint64_t fail, last; unsigned times[COUNT]; };

static int ask(void *of, uint64_t number, struct bytes section[2], struct err *err)
{
    struct asked *asked = of;

    asked->times[number]++;
    assert_int_equal(bytes_printf(&section[0], "answer %d.", (int)number), 0);
    if (number == asked->fail) return err_set(err, -EDQUOT, "the budget is used");
    assert_int_equal(bytes_printf(&section[1], "%d", (int)number), 0);
    if (number == asked->last) {
        section[0].len = 0;
        return 1;
    }
    return 0;
}

static int make(struct asked *asked, struct unit_key of_unit)
{
    const struct answers answers = { stage, "answers", of_unit, COUNT, ask, asked };
    struct err           err = { 0 };
    const int            rc = answers_make(&answers, &err);

    if (rc < 0) assert_string_equal(err.text, "the budget is used");
    return rc;
}

static void expect(struct unit_key of_unit, const char *first, const char *second)
{
    struct unit unit;
    struct err  err = { 0 };

    assert_int_equal(stage_load(stage, "answers", of_unit, &unit, &err), 1);
    assert_int_equal(unit.count, 2);
    assert_int_equal(unit.section[0].len, strlen(first));
    assert_memory_equal(unit.section[0].at, first, strlen(first));
    assert_int_equal(unit.section[1].len, strlen(second));
    assert_memory_equal(unit.section[1].at, second, strlen(second));
    unit_close(&unit);
}

static struct unit_key part_of(struct unit_key whole) { return unit_key_add(whole, "part", 4); }

/* A failure at every place: what was answered before it is not asked again, nothing is there twice or by half. */
static void test_parts(void **unused)
{
    (void)unused;
    for (uint64_t fail = 0; fail < COUNT; fail++) {
        const struct unit_key own = unit_key_add(key, &fail, sizeof fail);
        struct asked          asked = { fail, COUNT, { 0 } };

        assert_int_equal(make(&asked, own), -EDQUOT);
        assert_int_equal(make(&asked, own), -EDQUOT);       /* no answer more: the part stays */
        if (fail + 1 < COUNT) {
            asked.fail = fail + 1;
            assert_int_equal(make(&asked, own), -EDQUOT);   /* one more */
        }
        asked.fail = COUNT;
        assert_int_equal(make(&asked, own), 1);
        for (uint64_t i = 0; i < COUNT; i++)
            assert_int_equal(asked.times[i], i == fail ? 3 : i == fail + 1 ? 2 : 1);
        expect(own, "answer 0.answer 1.answer 2.answer 3.answer 4.", "01234");
        assert_int_equal(make(&asked, own), 0);
        assert_int_equal(asked.times[0], fail == 0 ? 3 : 1);
    }
}

/* Of a finished unit nothing else stays. */
static void test_nothing_left(void **unused)
{
    char command[99];

    (void)unused;
    snprintf(command, sizeof command, "test $(ls %s/work/*.unit | wc -l) = %d", folder, COUNT);
    assert_int_equal(system(command), 0);
}

static void test_early_end(void **unused)
{
    struct asked asked = { 2, 3, { 0 } };
    struct unit  unit;
    struct err   err = { 0 };

    (void)unused;
    assert_int_equal(make(&asked, key), -EDQUOT);
    asked.fail = COUNT;
    assert_int_equal(make(&asked, key), 1);
    assert_int_equal(asked.times[4], 0);
    expect(key, "", "0123");
    assert_int_equal(stage_load(stage, "answers", part_of(key), &unit, &err), 0);
}

/* A part that is none: of another shape, of as many answers as the whole has or more.  All are asked for. */
static void test_no_part(void **unused)
{
    const uint64_t     counts[] = { 0, COUNT, UINT64_MAX };
    const struct slice none[] = { SLICE("x"), SLICE("y"), SLICE("z") };

    (void)unused;
    for (size_t c = 0; c < 4; c++) {
        const struct unit_key own = unit_key_add((struct unit_key){ 7, 7 }, &c, sizeof c);
        const struct slice    of[] = { SLICE("x"), SLICE("y"), { (const char *)&counts[c % 3], sizeof counts[0] } };
        struct asked          asked = { COUNT, COUNT, { 0 } };
        struct err            err = { 0 };

        assert_int_equal(stage_commit(stage, "answers", part_of(own), c == 3 ? none : of, 3, &err), 0);
        assert_int_equal(make(&asked, own), 1);
        for (int i = 0; i < COUNT; i++) assert_int_equal(asked.times[i], 1);
        expect(own, "answer 0.answer 1.answer 2.answer 3.answer 4.", "01234");
    }
}

static int set_up(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    return mkdtemp(folder) && stage_open(&stage, folder, true, &err) == 0 ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    stage_close(stage);
    remove_tree(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_parts), cmocka_unit_test(test_nothing_left),
                                        cmocka_unit_test(test_early_end), cmocka_unit_test(test_no_part) };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
