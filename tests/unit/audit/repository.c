/* tests/unit/audit/repository.c -- whose files are, how they are dealt, what they say together. */
#include "audit/repository.h"

#include "tests/unit/audit/made_features.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void add(struct audit_features *f, const char *file, const char *repository, int label)
{
    const double hits[AUDIT_CATEGORIES] = { 0 };
    struct err   err = { 0 };

    assert_int_equal(audit_features_add(f, slice_of(file), slice_of(repository), hits, hits, label, &err), 0);
}

static void test_names(void **unused)
{
    struct audit_features     f = { 0 };
    struct audit_repositories r;
    struct err                err = { 0 };

    (void)unused;
    add(&f, "/owner/b/x.py", "owner/b", 1);
    add(&f, "owner/a/x.py", "owner/a", 0);
    add(&f, "owner/a/y.py", "owner/a", 1);
    add(&f, "other/z.py", NULL, -1);
    assert_int_equal(audit_repositories_make(&f, false, &r, &err), 0);
    assert_int_equal(r.count, 3);
    assert_true(slice_equal(r.at[0].name, SLICE("other")) && slice_equal(r.at[1].name, SLICE("owner/a")));
    assert_true(r.of[0] == 2 && r.of[1] == 1 && r.of[2] == 1 && r.of[3] == 0);
    assert_true(r.at[0].label == -1 && r.at[1].label == 1 && r.at[1].ones == 1 && r.at[1].zeros == 1);
    audit_repositories_free(&r);
    assert_int_equal(audit_repositories_make(&f, true, &r, &err), 0);
    assert_int_equal(r.count, 2);
    assert_true(slice_equal(r.at[1].name, SLICE("owner")) && r.at[1].files == 3);
    audit_repositories_free(&r);
    audit_features_free(&f);
}

/* Whole repositories on one side, the same whatever the order of the rows. */
static void test_parts(void **unused)
{
    struct audit_features     f = { 0 }, back = { 0 };
    struct audit_repositories r, b;
    struct audit_parts        p, q;
    struct err                err = { 0 };
    int                       side[10], ones = 0;

    (void)unused;
    made_features(&f, 10, 5, 0.5, 0, 1);
    add(&f, "r03/new.py", "r03", -1);
    for (size_t i = f.count; i-- > 0;) add(&back, f.row[i].file, f.row[i].repository, f.row[i].label);
    assert_int_equal(audit_repositories_make(&f, false, &r, &err), 0);
    assert_int_equal(audit_repositories_make(&back, false, &b, &err), 0);
    assert_int_equal(audit_parts_make(&f, &r, false, 0.4, 7, &p, &err), 0);
    assert_int_equal(audit_parts_make(&back, &b, false, 0.4, 7, &q, &err), 0);
    assert_true(p.train == 30 && p.test == 20 && p.unknown == 1 && p.row[50] == 50);
    memset(side, -1, sizeof side);
    for (size_t i = 0; i < 50; i++) {
        int *s = &side[r.of[p.row[i]]];

        assert_true(*s == -1 || *s == (i >= p.train));
        *s = i >= p.train;
    }
    for (size_t i = 0; i < 10; i++) ones += side[i] && i % 2;
    assert_int_equal(ones, 2);                              /* of the four tested, as of all */
    for (size_t i = 0; i < 50; i++) assert_int_equal(side[b.of[q.row[i]]], i >= q.train);
    audit_parts_free(&p);
    audit_parts_free(&q);
    assert_int_equal(audit_parts_make(&f, &r, true, 0.2, 7, &p, &err), 0);
    assert_true(p.train == 40 && p.test == 10 && p.unknown == 1);
    audit_parts_free(&p);
    assert_int_equal(audit_parts_test(&f, &p, &err), 0);
    assert_true(p.train == 0 && p.test == 50 && p.unknown == 1 && p.row[49] == 49 && p.row[50] == 50);
    audit_parts_free(&p);
    audit_repositories_free(&r);
    audit_repositories_free(&b);
    audit_features_free(&f);
    audit_features_free(&back);
}

static void test_too_few(void **unused)
{
    struct audit_features     f = { 0 };
    struct audit_repositories r;
    struct audit_parts        p;
    struct err                err = { 0 };

    (void)unused;
    made_features(&f, 3, 2, 0.5, 0, 1);
    assert_int_equal(audit_repositories_make(&f, false, &r, &err), 0);
    assert_int_equal(audit_parts_make(&f, &r, false, 0.5, 7, &p, &err), -EINVAL);
    assert_int_equal(audit_parts_make(&f, &r, true, 0, 7, &p, &err), -EINVAL);
    audit_repositories_free(&r);
    audit_features_free(&f);
}

/* More than 0.4 of the files, not as many; the last label in the published form, that of most else. */
static void test_votes(void **unused)
{
    const uint8_t             said[] = { 1, 1, 0, 0, 0, 1, 1, 1, 0, 0 };
    const size_t              row[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    struct audit_features     f = { 0 };
    struct audit_repositories r;
    struct audit_vote         vote[2];
    struct learn_scores       s;
    struct err                err = { 0 };

    (void)unused;
    for (int i = 0; i < 10; i++) add(&f, i < 5 ? "a/x" : "b/x", NULL, i < 4 || i == 9);
    assert_int_equal(audit_repositories_make(&f, false, &r, &err), 0);
    audit_votes(&f, &r, row, 10, said, false, vote);
    assert_true(vote[0].said == 2 && vote[0].files == 5 && vote[0].label == 1);
    assert_true(vote[1].said == 3 && vote[1].label == 0);
    assert_true(!audit_vote_says(&vote[0], 4) && audit_vote_says(&vote[1], 4) && !audit_vote_says(&vote[1], 6));
    s = audit_votes_score(vote, 2, 4);
    assert_true(s.tp == 0 && s.fn == 1 && s.fp == 1 && s.tn == 0);
    audit_votes(&f, &r, row, 10, said, true, vote);
    assert_true(vote[0].label == 0 && vote[1].label == 1);
    audit_votes(&f, &r, row, 4, said, false, vote);         /* b has none of these */
    s = audit_votes_score(vote, 2, 4);
    assert_true(s.tp == 1 && s.fn + s.fp + s.tn == 0 && isnan(s.specificity));
    audit_repositories_free(&r);
    audit_features_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_parts), cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_votes),
    };

    return cmocka_run_group_tests_name("audit/repository", tests, NULL, NULL);
}
