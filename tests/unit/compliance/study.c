/* tests/unit/compliance/study.c -- cases counted by group: who is striking, whose licence is right, lines and LICO. */
#include "compliance/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char body[] =
    "    if not a:\n        return 0\n    for x in a:\n        # add it\n        if x and y:\n            t = 1\n"
    "        else:\n            t = 2\n        b.append(t)\n    c = sum(b)\n    d = max(b)\n    return c + d\n";

static void add(struct study *study, const char *id, const char *answer, const char *license, const char *reply)
{
    struct err err = { 0 };

    assert_int_equal(study_add(study, &(struct study_texts){ slice_of(id), slice_of(body), slice_of(answer),
                                                             SLICE("def f(a, y):\n"), slice_of(license),
                                                             slice_of(reply) }, &err), 0);
}

static void has(struct bytes *text, const char *part)
{
    if (!memmem(text->at, text->len, part, strlen(part)))
        fail_msg("`%s` is not in\n%.*s", part, (int)text->len, text->at);
}

static struct study study;

static void test_counts(void **unused)
{
    struct err   err = { 0 };
    struct bytes out = { 0 };
    struct lico  lico;

    (void)unused;
    study.limits = score_limits_default;
    study.tokens = "tokens";
    assert_int_equal(study_open_group(&study, SLICE("one"), &err), 0);
    add(&study, "a", body, "MIT", "This is under the MIT License.");
    add(&study, "b", body, "Apache-2.0", "MIT");
    add(&study, "c", body, "GPL-3.0", "GPL-3.0-only");
    add(&study, "d", body, "LGPL-2.1-only", "");
    add(&study, "e", body, "", "MIT");                      /* striking, of an unknown licence */
    add(&study, "f\tx", "    return 1\n", "MIT", "MIT");
    assert_int_equal(study_open_group(&study, SLICE("two"), &err), 0);
    add(&study, "g", "    return 2\n", "MIT", "MIT");
    study.group[1].benchmark = 10;
    lico = study_lico(&study.group[0]);
    assert_int_equal(lico.benchmark, 6);
    assert_int_equal(lico.striking, 5);
    assert_int_equal(lico.permissive, 2);
    assert_int_equal(lico.permissive_right, 1);
    assert_int_equal(lico.copyleft, 2);
    assert_int_equal(lico.copyleft_right, 1);
    assert_true(fabs(lico_score(&lico) - 0.452) < 1e-9);    /* (1/6 + 2/2 + 4/2) / 7 */
    lico = study_lico(&study.group[1]);
    assert_true(lico.benchmark == 10 && lico.striking == 0 && fabs(lico_score(&lico) - 1) < 1e-9);
    assert_int_equal(study_groups_tsv(&study, &out), 0);
    has(&out, "\none\t6\t6\t5\t83.33\t0.5000\t2\t0.5000\t2\t0.5000\t0.452\n");
    has(&out, "\ntwo\t1\t10\t0\t0.00\t\t0\t\t0\t\t1.000\n");
    study.published = true;                                 /* no case, no LICO */
    out.len = 0;
    assert_int_equal(study_groups_tsv(&study, &out), 0);
    has(&out, "\ntwo\t1\t10\t0\t0.00\t\t0\t\t0\t\t\n");
    study.published = false;
    out.len = 0;
    assert_int_equal(study_cases_tsv(&study, &out), 0);
    has(&out, "one\ta\t1.000000\t1.000000\t1.000000\t1.000000\t1\t12\t5\t1\tMIT\tpermissive\tMIT\t1\n");
    has(&out, "\tLGPL-2.1-only\tweak\t\t0\n");
    has(&out, "\t1\t\t\tMIT\t\n");
    has(&out, "one\tf\\x09x\t");
    bytes_free(&out);
}

static void test_examples(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    assert_int_equal(study.examples, STUDY_EXAMPLES);
    add(&study, "worse", "    # add it\n    if not a:\n        return 0\n    for x in a:\n        if x and y:\n"
        "            t = 1\n        else:\n            t = 2\n        b.append(t)\n    return c + d\n", "MIT", "");
    assert_true(study.group[1].at[1].striking);
    for (size_t i = 0; i < STUDY_EXAMPLES; i++) assert_true(study.example[i].most >= 1);
    while (study.groups < STUDY_GROUPS) assert_int_equal(study_open_group(&study, SLICE("more"), &err), 0);
    assert_int_equal(study_open_group(&study, SLICE("more"), &err), -EINVAL);
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts), cmocka_unit_test(test_examples) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
