/* tests/unit/audit/words.c -- missed names: how rare they are, and whether the answer has them, counted by hand. */
#include "audit/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ANSWER(category, objective, output, hit) \
    { SLICE("f"), { NULL, 0 }, SLICE(objective), SLICE(output), category, hit, 1 }

/* Missed: self 5 times, run twice, base once: frequencies of all 5/8, 2/8, 1/8, of the most 1, 0.4, 0.2. */
static const struct audit_answer some[] = {
    ANSWER(AUDIT_VARIABLE, "self", "x", false), ANSWER(AUDIT_VARIABLE, "self", "self . x", false),
    ANSWER(AUDIT_VARIABLE, "self", "y", false), ANSWER(AUDIT_VARIABLE, "self", "y", false),
    ANSWER(AUDIT_FUNCTION, "self", "self.x", false), ANSWER(AUDIT_FUNCTION, "run", "def\trun (", false),
    ANSWER(AUDIT_VARIABLE, "run", "runs", false), ANSWER(AUDIT_CLASS, "Base", "a\nBase", false),
    ANSWER(AUDIT_CLASS, "Base", "Base", true), ANSWER(AUDIT_STRING, "'Base'", "x", false),
    { SLICE("f"), { NULL, 0 }, SLICE("Base"), { NULL, 0 }, AUDIT_CLASS, false, 1 },
};

static void wanted(bool published, const uint64_t (*number)[AUDIT_LIMITS][2])
{
    struct audit_missed out[AUDIT_VARIABLE + 1][AUDIT_LIMITS];
    struct err          err = { 0 };

    assert_int_equal(audit_missed_count(some, sizeof some / sizeof *some, published, out, &err), 0);
    for (int c = 0; c <= AUDIT_VARIABLE; c++)
        for (int l = 0; l < AUDIT_LIMITS; l++) {
            assert_int_equal(out[c][l].looked_at, number[c][l][0]);
            assert_int_equal(out[c][l].said, number[c][l][1]);
        }
}

static void test_paper(void **unused)
{
    static const uint64_t number[][AUDIT_LIMITS][2] = {     /* limits 0.5, 0.3, 0.1 */
        [AUDIT_CLASS] = { { 1, 1 }, { 1, 1 }, { 0, 0 } }, [AUDIT_FUNCTION] = { { 1, 1 }, { 1, 1 }, { 0, 0 } },
        [AUDIT_VARIABLE] = { { 1, 0 }, { 1, 0 }, { 0, 0 } },
    };

    (void)unused;
    wanted(false, number);
}

static void test_published(void **unused)
{
    static const uint64_t number[][AUDIT_LIMITS][2] = {
        [AUDIT_CLASS] = { { 1, 1 }, { 1, 1 }, { 0, 0 } }, [AUDIT_FUNCTION] = { { 1, 1 }, { 0, 0 }, { 0, 0 } },
        [AUDIT_VARIABLE] = { { 1, 0 }, { 0, 0 }, { 0, 0 } },
    };

    (void)unused;
    wanted(true, number);
}

static void test_none(void **unused)
{
    struct audit_missed out[AUDIT_VARIABLE + 1][AUDIT_LIMITS];
    struct err          err = { 0 };

    (void)unused;
    assert_int_equal(audit_missed_count(some + 8, 3, false, out, &err), 0);
    for (int c = 0; c <= AUDIT_VARIABLE; c++) assert_true(out[c][0].looked_at == 0 && out[c][0].said == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_paper), cmocka_unit_test(test_published),
                                        cmocka_unit_test(test_none) };

    return cmocka_run_group_tests_name("audit/words", tests, NULL, NULL);
}
