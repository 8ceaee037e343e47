/* tests/unit/near/links.c -- links read class by class: from both sides, marks added up, from memory and from a file.
 */
#include "near/links.h"

#include "tests/unit/folder.h"
#include "tests/unit/near/made_result.h"

#include <stdio.h>

/* Every class has a link with those whose numbers differ by a power of two. */
enum { CLASSES = 3000 };

static bool are_linked(uint32_t a, uint32_t b)
{
    const uint32_t apart = a < b ? b - a : a - b;

    return apart && (apart & (apart - 1)) == 0;
}

static void add_all(struct runs *runs)
{
    struct err err = { 0 };

    for (uint32_t a = CLASSES; a-- > 0;)
        for (uint32_t b = 0; b < a; b++)
            if (are_linked(a, b)) {
                const struct near_link link = { b, a, NEAR_FIRST_INSIDE, a, b, a + b, 9 },
                    again = { a, b, NEAR_FIRST_INSIDE, a, b, a + b, 9 };

                assert_int_equal(links_add(runs, &link, &err), 0);
                if (a % 3 == 0) assert_int_equal(links_add(runs, &again, &err), 0);     /* inside each other */
            }
    assert_int_equal(runs_end(runs, &err), 0);
}

/* Of every third class nobody asks, and of some not for all. */
static void read_all(const struct near_result *result)
{
    struct links     links;
    struct near_link link;
    struct err       err = { 0 };

    assert_int_equal(links_open(&links, result, &err), 0);
    for (uint32_t c = 0; c < CLASSES; c++) {
        if (c % 3 == 1) continue;
        for (uint32_t other = 0; other < CLASSES && (c % 7 || other < c); other++) {
            const uint32_t larger = c < other ? other : c, smaller = c < other ? c : other;

            if (!are_linked(c, other)) continue;
            assert_int_equal(links_next(&links, c, &link, &err), 1);
            assert_true(link.first == c && link.second == other && link.shared == larger);
            assert_true(link.union_size == smaller && link.min_sum == c + other && link.max_sum == 9);
            assert_int_equal(link.marks, larger % 3 == 0 ? NEAR_INSIDE : c < other ? NEAR_FIRST_INSIDE
                                                                                   : NEAR_SECOND_INSIDE);
        }
        if (c % 7) assert_int_equal(links_next(&links, c, &link, &err), 0);
    }
    links_close(&links);
}

static void test_links(void **state)
{
    char          folder[] = "/tmp/test_links.XXXXXX";
    struct stage *stage;
    struct err    err = { 0 };

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(stage_open(&stage, folder, true, &err), 0);
    for (int spills = 0; spills < 2; spills++) {
        const struct runs_options options = links_options(spills ? stage : NULL, 1);
        struct near_result        result = { .class_count = CLASSES };

        assert_int_equal(runs_open(&result.links, &options, &err), 0);
        add_all(result.links);
        result.link = runs_records(result.links, &result.link_count);
        assert_int_equal(result.link == NULL, spills);
        read_all(&result);
        read_all(&result);
        runs_close(result.links);
    }
    stage_close(stage);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_links) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
