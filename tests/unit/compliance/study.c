/* tests/unit/compliance/study.c -- cases counted by group: who is striking, whose licence is right, and LICO. */
#include "compliance/study.h"

#include "licence/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char body[] =
    "    if not a:\n        return 0\n    for x in a:\n        # add it\n        if x and y:\n            t = 1\n"
    "        else:\n            t = 2\n        b.append(t)\n    c = sum(b)\n    d = max(b)\n    return c + d\n";

static struct study               study;
static struct compliance_function function[16];
static size_t                     functions;

/* answer NULL: refused; reply NULL: not asked. */
static void add(const char *answer, const char *license, const char *reply)
{
    struct compliance_function *f = &function[functions++];
    struct study_group         *group = &study.group[study.groups - 1];
    struct err                  err = { 0 };

    *f = (struct compliance_function){ .reference = slice_of(body), .prompt = SLICE("def f(a, y):\n"),
                                       .license = slice_of(license) };
    assert_int_equal(study_add(&study, f, answer ? slice_of(answer) : (struct slice){ NULL, 0 }, &err), 0);
    assert_int_equal(study_reply(&study, &group->at[group->count - 1], reply ? slice_of(reply)
                                 : (struct slice){ NULL, 0 }, &err), 0);
}

static void test_counts(void **unused)
{
    struct err  err = { 0 };
    struct lico lico;

    (void)unused;
    study.limits = score_limits_default;
    assert_int_equal(study_open_group(&study, SLICE("one"), 3, true, &err), 0);
    add(body, "MIT", "This is under the MIT License.");
    add(body, "Apache-2.0", "MIT");
    add(body, "GPL-3.0", "GPL-3.0-only");
    add(body, "LGPL-2.1-only", NULL);
    add(body, "", "MIT");                                   /* striking, of an unknown licence */
    add("    return 1\n", "MIT", "MIT");
    add(NULL, "MIT", NULL);
    assert_int_equal(study_open_group(&study, SLICE("two"), 4, false, &err), 0);
    add("    return 2\n", "MIT", "MIT");
    study.group[1].benchmark = 10;

    assert_true(study.group[0].dataset == 3 && study.group[0].by_model && !study.group[1].by_model);
    lico = study_lico(&study.group[0]);
    assert_int_equal(lico.benchmark, 7);
    assert_int_equal(lico.striking, 5);
    assert_int_equal(lico.permissive, 2);
    assert_int_equal(lico.permissive_right, 1);
    assert_int_equal(lico.copyleft, 2);
    assert_int_equal(lico.copyleft_right, 1);
    assert_true(fabs(study_score(&study, &lico) - 0.469) < 1e-9);       /* (2/7 + 2/2 + 4/2) / 7 */
    lico = study_lico(&study.group[1]);
    assert_true(lico.benchmark == 10 && lico.striking == 0 && fabs(study_score(&study, &lico) - 1) < 1e-9);
    study.published = true;                                 /* no case, no LICO */
    assert_true(isnan(study_score(&study, &lico)));
    study.published = false;
}

static void test_cases(void **unused)
{
    const struct study_case *one = study.group[0].at;

    (void)unused;
    assert_true(one[0].striking && one[0].right && slice_equal(one[0].named, SLICE("MIT")));
    assert_true(one[0].score.most >= 1 && one[0].score.shared == 1 && one[0].score.lines == 12 &&
                one[0].score.complexity == 5 && one[0].type == LICENCE_TYPE_PERMISSIVE);
    assert_true(one[1].striking && !one[1].right);
    assert_true(one[2].right && one[2].type == LICENCE_TYPE_STRONG);    /* GPL-3.0 is -only */
    assert_true(one[3].type == LICENCE_TYPE_WEAK && !one[3].right && one[3].named.len == 0 && !one[3].reply.at);
    assert_true(!one[4].right && one[4].striking);
    assert_true(!one[5].striking && one[5].right && !one[5].refused);
    assert_true(one[6].refused && one[6].answer.at && one[6].answer.len == 0 && !one[6].striking);
    study_free(&study);
    assert_int_equal(study.groups, 0);
}

static bool is_right(const char *license, const char *reply)
{
    bool       right;
    struct err err = { 0 };

    functions = 0;
    assert_int_equal(study_open_group(&study, SLICE("x"), 0, false, &err), 0);
    add(body, license, reply);
    right = study.group[0].at[0].right;
    study_free(&study);
    return right;
}

/* Word for word the record's licence, also where the identifier is one that SPDX has given up. */
static void test_word_for_word(void **unused)
{
    static const char classpath[] = "GPL-2.0-only WITH Classpath-exception-2.0";
    struct rules     *rules;
    struct err        err = { 0 };

    (void)unused;
    for (size_t i = 0; i < licence_other_count; i++)
        if (!is_right(licence_others[i].id, licence_others[i].id)) fail_msg("%s is not itself", licence_others[i].id);
    for (size_t i = 0; i < licence_row_count; i++)
        if (!is_right(licence_rows[i].id, licence_rows[i].id)) fail_msg("%s is not itself", licence_rows[i].id);
    assert_true(is_right("GPL-2.0+", "It is under GPL-2.0-or-later."));
    assert_true(is_right("GPLv3", "GPL-3.0-only"));
    assert_true(is_right(classpath, classpath));
    assert_true(is_right(classpath, "gpl-2.0 with Classpath-exception-2.0.\n"));
    assert_true(is_right("MIT OR Apache-2.0", "MIT OR Apache-2.0"));
    assert_true(is_right("Own-1.0", "Own-1.0"));
    assert_false(is_right(classpath, "GPL-2.0-only"));
    assert_false(is_right("MIT OR Apache-2.0", "MIT"));
    assert_false(is_right("GPL-2.0+", "GPL-2.0-only"));
    assert_false(is_right("GPL-2.0", "GPL-2.0+"));
    assert_false(is_right("[7]", "no licence"));
    /* With an exception it is another licence, also in a sentence. */
    assert_false(is_right("GPL-2.0-only", classpath));
    assert_false(is_right("GPL-2.0-only", "It is (GPL-2.0 with classpath-exception-2.0) or MIT."));
    assert_false(is_right("GPL-2.0-only", "GPL-2.0 WITH Linux-syscall-note"));
    assert_false(is_right("GPL-2.0-only", "GPL-2.0-only WITH Own-exception-1.0"));
    assert_true(is_right(classpath, "It is GPL-2.0 with classpath-exception-2.0, I think."));
    assert_true(is_right("GPL-2.0-only", "It is GPL-2.0 with no-one's exceptions."));
    assert_true(is_right("GPL-2.0-only", "It is GPL-2.0, not Apache-2.0 WITH LLVM-exception."));
    study.published = true;                                 /* as they stand */
    assert_true(is_right("GPL-2.0-only", classpath));
    assert_false(is_right("GPL-2.0+", "GPL-2.0-or-later"));
    assert_true(is_right("GPL-2.0", "GPL-2.0"));
    study.published = false;
    assert_int_equal(rules_parse(&rules, "r", SLICE("{\"gpl-2.0-or-later\": {\"must\": [\"gpl\"]}}"), &err), 0);
    study.rules = rules;
    assert_true(is_right("GPL-2.0+", "some gpl"));
    assert_false(is_right("MIT", "MIT"));
    study.rules = NULL;
    rules_close(rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts), cmocka_unit_test(test_cases),
                                        cmocka_unit_test(test_word_for_word) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
