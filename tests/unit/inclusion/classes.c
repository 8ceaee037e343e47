/* tests/unit/inclusion/classes.c -- repositories told by classes of clones. */
#include "inclusion/classes.h"
#include "tests/unit/audit/text.h"

#include <stdio.h>

enum { REPOSITORIES = 25, ITEMS = 12, MEMBERS = 2 * REPOSITORIES };

static void test_class(void **state)
{
    const struct slice both[] = { SLICE("repo_a/x/func_num_0_original_x.py"),
                                  SLICE("repo_a/x/func_num_0_generated_x.py") },
        originals[] = { both[0], SLICE("other/x/func_num_0_original_x.py") },
        strange[] = { both[0], SLICE("other/x/func_num_0_generated_x.py") },
        named[] = { both[0], SLICE("repo_a/generated/func_num_1_original_generated.py") };

    (void)state;
    assert_true(class_tells(both, 2, SLICE("repo_a")));
    assert_true(class_tells(both, 2, SLICE("re")));         /* a part of the name is enough */
    assert_false(class_tells(originals, 2, SLICE("repo_a")));
    assert_false(class_tells(both, 2, SLICE("other")));
    assert_true(class_tells(strange, 2, SLICE("repo_a")));  /* of whatever repository */
    assert_true(class_tells(strange, 2, SLICE("other")));
    assert_true(class_tells(named, 2, SLICE("repo_a")));    /* as files may be called */
    assert_false(class_tells(both, 0, SLICE("repo_a")));
}

static struct class_member member[MEMBERS];
static uint64_t            item[MEMBERS][ITEMS];
static char                text[MEMBERS][60], names[REPOSITORIES][12];
static struct slice        repository[REPOSITORIES];

/* Of each repository a function and what was written, which are nothing like each other. */
static void make(void)
{
    for (uint32_t m = 0; m < MEMBERS; m++) {
        const uint32_t r = m / 2;

        sprintf(names[r], "r%02u", r);
        repository[r] = slice_of(names[r]);
        sprintf(text[m], "%s/f/func_num_0_%s_f.py", names[r], m % 2 ? "generated" : "original");
        for (uint64_t i = 0; i < ITEMS; i++) item[m][i] = 1 + 1000 * m + i;
        member[m] = (struct class_member){ .name = slice_of(text[m]), .repository = r, .of = {
            .form = { .item = item[m], .items = ITEMS, .blind = { m + 1, m + 1 } }, .item = item[m] } };
    }
}

static void tell(bool *told)
{
    struct err err = { 0 };

    assert_int_equal(classes_tell(member, MEMBERS, repository, REPOSITORIES, 1, told, &err), 0);
}

static void test_told(void **state)
{
    bool told[REPOSITORIES];

    (void)state;
    make();
    tell(told);
    for (size_t r = 0; r < REPOSITORIES; r++) assert_false(told[r]);
    memcpy(item[3], item[2], sizeof item[2]);               /* r01: 9 of 12, r04: equal, r06: 8 of 12 */
    for (size_t i = 0; i < 3; i++) item[3][i] = 1 + i;
    member[9].of.form.blind = member[8].of.form.blind;
    memcpy(item[9], item[8], sizeof item[8]);
    memcpy(item[13], item[12], sizeof item[12]);
    for (size_t i = 0; i < 4; i++) item[13][i] = 1 + i;
    tell(told);
    for (size_t r = 0; r < REPOSITORIES; r++) assert_true(told[r] == (r == 1 || r == 4));
    member[8].of.form.items = member[9].of.form.items = CLASS_LINES - 1;            /* too short */
    tell(told);
    assert_true(told[1] && !told[4]);
}

/* r00's function is written in the place of every other one's: who is told depends on who is drawn beside it. */
static void test_sample(void **state)
{
    bool   told[REPOSITORIES], again[REPOSITORIES];
    size_t count = 0;

    (void)state;
    make();
    for (size_t m = 3; m < MEMBERS; m += 2) member[m].of.form.blind = member[0].of.form.blind;
    tell(told);
    tell(again);
    assert_memory_equal(told, again, sizeof told);
    assert_true(told[0]);                                   /* two are drawn beside it, at least one of them others */
    for (size_t r = 1; r < REPOSITORIES; r++) count += told[r];
    assert_true(count < REPOSITORIES / 2);                  /* r00 is one of the two of 25 */
}

/* Clones of clones are one class, also where they are none of each other. */
static void test_closure(void **state)
{
    bool told[REPOSITORIES];

    (void)state;
    make();
    for (size_t m = 1; m < 4; m++) memcpy(item[m], item[0], sizeof item[0]);
    for (size_t i = 0; i < 3; i++) item[1][i] = 7001 + i, item[3][ITEMS - 1 - i] = 8001 + i;
    member[1].repository = member[3].repository = 0;
    memcpy(item[0], item[3], sizeof item[3]);               /* 0 and 1 share 6 of 12, 2 has 9 of each */
    member[2].repository = 0;
    tell(told);
    assert_true(told[0]);
    member[2].of.form.items = CLASS_LINES - 1;
    member[3].of.form.items = CLASS_LINES - 1;
    tell(told);
    assert_false(told[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_class), cmocka_unit_test(test_told),
                                        cmocka_unit_test(test_sample), cmocka_unit_test(test_closure) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
