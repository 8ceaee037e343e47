/* tests/unit/near/classes.c -- members and components, against going from document to document. */
#include "near/classes.h"

#include "tests/unit/near/made_result.h"

static void open_classes(struct classes *out, const struct made_near *m)
{
    struct err err = { 0 };

    assert_int_equal(classes_open(out, &m->job, &m->result, &err), 0);
}

/* By role, then in their order; streamed members count where a benchmark item is in the class or beside it. */
static void test_members(void **unused)
{
    static const struct made_document document[] = {
        { 0, 0, 1 }, { 0, -1, 2 }, { 1, 1, 3 }, { 1, 0, 4 }, { 2, 1, 5 }, { 2, 0, 6 }, { 2, 2, 7 }, { 2, -1, 8 },
        { 2, 3, 9 },
    };
    struct made_near *m = made_near(document, 9);
    struct classes    c;
    const uint32_t   *member;

    (void)unused;
    made_link(m, 0, 2, NEAR_SIMILAR, 19);
    made_link(m, 0, 3, NEAR_FIRST_INSIDE, 19);
    open_classes(&c, m);
    assert_true(members_of(&c.admitted, 0, MEMBER_BENCHMARK, &member) == 1 && member[0] == 0);
    assert_true(members_of(&c.admitted, 0, MEMBER_RESIDENT, &member) == 1 && member[0] == 3);
    assert_true(members_of(&c.admitted, 0, MEMBER_STREAMED, &member) == 1 && member[0] == 5);
    assert_int_equal(members_all(&c.admitted, 0), 3);
    assert_true(members_of(&c.admitted, 1, MEMBER_BENCHMARK, &member) == 0);
    assert_true(members_all(&c.copies, 0) == 2 && c.copies.count == 1);
    assert_true(c.met[0] && !c.met[1] && c.met[2] && !c.met[3]);        /* inside is not beside */
    assert_int_equal(members_joined(&c, 1, &member), 1);
    assert_int_equal(member[0], 2);
    assert_int_equal(members_joined(&c, 2, &member), 1);
    assert_true(c.component[2] == 0 && c.component[1] == 1 && c.component[3] == 3);
    classes_free(&c);
    classes_free(&c);
    made_free(m);
}

static void test_components(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct made_near *m = made_random(seed);
        uint32_t          least[64];
        struct classes    c;

        open_classes(&c, m);
        for (uint32_t i = 0; i < m->result.class_count; i++) least[i] = i;
        for (uint32_t round = 0; round < m->result.class_count; round++)
            for (size_t l = 0; l < m->link_count; l++) {
                uint32_t *a = &least[m->link[l].first], *b = &least[m->link[l].second];

                if (m->link[l].marks & NEAR_SIMILAR) *a = *b = *a < *b ? *a : *b;
            }
        for (uint32_t i = 0; i < m->result.class_count; i++) assert_int_equal(c.component[i], least[i]);
        classes_free(&c);
        made_free(m);
    }
}

static void test_roles(void **unused)
{
    (void)unused;
    assert_true(roles_meet(MEMBER_BENCHMARK, MEMBER_STREAMED) && roles_meet(MEMBER_RESIDENT, MEMBER_BENCHMARK));
    assert_true(roles_meet(MEMBER_RESIDENT, MEMBER_RESIDENT) && roles_meet(MEMBER_BENCHMARK, MEMBER_BENCHMARK));
    assert_false(roles_meet(MEMBER_RESIDENT, MEMBER_STREAMED));
    assert_false(roles_meet(MEMBER_STREAMED, MEMBER_STREAMED));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_members), cmocka_unit_test(test_components),
                                        cmocka_unit_test(test_roles) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
