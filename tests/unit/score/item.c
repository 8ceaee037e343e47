/* tests/unit/score/item.c -- which items samples are of. */
#include "tests/unit/score/taken.h"

static void match(const struct score_items *items, const char *first, const char *second,
                  struct score_samples *samples, struct score_matched *out)
{
    struct err err = { 0 };

    *samples = (struct score_samples){ 0 };
    take(samples, first);
    if (second) take(samples, second);
    assert_int_equal(score_match(items, samples, out, &err), 0);
}

static void done(struct score_samples *samples, struct score_matched *matched)
{
    score_samples_free(samples);
    score_matched_free(matched);
}

/* Ids that are numbers are those of rows however many digits they have: 1.0 is 1, not what stands behind it, from 0. */
static void test_numbers(void **unused)
{
    static const char *const id[] = { "1.0", "2.0", "3e0", "007", "12e999", "5", "6.50", "6.5000" };
    struct score_items   items = { 0 };
    struct score_samples samples;
    struct score_matched matched;
    struct err           err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof id / sizeof *id; i++)
        assert_int_equal(score_items_add(&items, (struct score_item){ .id = slice_of(id[i]) }, &err), 0);
    assert_int_equal(score_items_find(&items, SLICE("1.0")), 0);
    assert_int_equal(score_items_find(&items, SLICE("1")), 0);
    assert_int_equal(score_items_find(&items, SLICE("3")), 2);
    assert_int_equal(score_items_find(&items, SLICE("7")), TABLE_NONE);
    assert_int_equal(score_items_find(&items, SLICE("5.0")), TABLE_NONE);
    assert_true(items.at[6].twice && items.at[7].twice && !items.at[0].twice);
    match(&items, "{\"id\": 1.0}\n{\"id\": 2.0}\n{\"id\": 5.0}\n{\"id\": 6.5}", NULL, &samples, &matched);
    assert_int_equal(matched.naming[0], SCORE_BY_ID);
    assert_int_equal(matched.item[0], 0);
    assert_int_equal(matched.item[1], 1);
    assert_int_equal(matched.item[2], 5);
    assert_int_equal(matched.item[3], TABLE_NONE);
    assert_int_equal(matched.ambiguous, 1);
    done(&samples, &matched);
    score_items_free(&items);
}

static void test_match(void **unused)
{
    struct score_items   items = { 0 };
    struct score_samples samples;
    struct score_matched matched;

    (void)unused;
    items_make(&items, 4, 1);
    assert_int_equal(score_items_find(&items, SLICE("c")), 2);
    assert_int_equal(score_items_find(&items, SLICE("z")), TABLE_NONE);
    assert_true(items.at[3].leaked && !items.at[2].leaked);
    match(&items, "{\"id\": \"b\"}\n{\"id\": \"x\"}\n{\"id\": \"0\"}", "{\"id\": 3}\n{\"id\": 9}\n{}",
          &samples, &matched);
    /* where one id is an id, numbers are ids too */
    assert_int_equal(matched.naming[0], SCORE_BY_ID);
    assert_int_equal(matched.item[0], 1);
    assert_int_equal(matched.item[2], TABLE_NONE);
    /* where none is, they are places, and rows without one have their number */
    assert_int_equal(matched.naming[1], SCORE_BY_PLACE);
    assert_int_equal(matched.item[3], 3);
    assert_int_equal(matched.item[4], TABLE_NONE);
    assert_int_equal(matched.item[5], 2);
    assert_int_equal(matched.matched, 3);
    assert_int_equal(matched.strangers, 3);
    assert_int_equal(matched.stranger[2], 4);
    assert_int_equal(matched.scored, 3);
    assert_int_equal(matched.missing, 1);
    assert_int_equal(matched.first_missing[0], 0);
    done(&samples, &matched);
    match(&items, "{\"id\": \"Mbpp/b\"}\n{\"id\": \"Mbpp/\"}", NULL, &samples, &matched);
    assert_int_equal(matched.naming[0], SCORE_BY_TAIL);
    assert_int_equal(matched.item[0], 1);
    assert_int_equal(matched.item[1], TABLE_NONE);
    done(&samples, &matched);
    match(&items, "{\"id\": \"none\"}\n{\"id\": \"-1\"}\n{\"id\": \"99999999999\"}", NULL, &samples, &matched);
    assert_int_equal(matched.naming[0], SCORE_BY_NOTHING);
    assert_int_equal(matched.strangers, 3);
    done(&samples, &matched);
    score_items_free(&items);
}

/* The document's own id goes before its number. */
static void test_other(void **unused)
{
    struct score_items   items = { 0 };
    struct score_samples samples;
    struct score_matched matched;

    (void)unused;
    items_make(&items, 4, 1);
    match(&items, "{\"doc_id\": 0, \"doc\": {\"id\": \"d\"}, \"resps\": []}\n{}", "{\"doc_id\": 2, \"resps\": []}\n{}",
          &samples, &matched);
    assert_int_equal(matched.item[0], 3);
    assert_int_equal(matched.item[2], 2);
    done(&samples, &matched);
    score_items_free(&items);
}

/* What several items are called names none. */
static void test_twice(void **unused)
{
    struct score_items   items = { 0 };
    struct score_samples samples;
    struct score_matched matched;
    struct err           err = { 0 };

    (void)unused;
    items_make(&items, 3, 0);
    assert_int_equal(score_items_add(&items, (struct score_item){ .id = SLICE("a"), .number = 3 }, &err), 0);
    match(&items, "{\"id\": \"a\"}\n{\"id\": \"b\"}", NULL, &samples, &matched);
    assert_int_equal(matched.ambiguous, 1);
    assert_int_equal(matched.strangers, 1);
    assert_int_equal(matched.item[0], TABLE_NONE);
    assert_int_equal(matched.item[1], 1);
    done(&samples, &matched);
    score_items_free(&items);
}

/* Numbers from 0 are places, though some of them are ids by chance; others are ids, though all of them are places;
 * behind a slash those from 0 are neither. */
static void test_counted(void **unused)
{
    struct score_items   items = { 0 };
    struct score_samples samples;
    struct score_matched matched;
    struct err           err = { 0 };

    (void)unused;
    for (size_t i = 0; i < 4; i++) {
        const char name[] = { (char)('2' + i), 0 };

        assert_int_equal(score_items_add(&items, (struct score_item){ .id = slice_of(name), .number = i }, &err), 0);
    }
    match(&items, "{\"id\": 0}\n{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}", "{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}",
          &samples, &matched);
    assert_int_equal(matched.naming[0], SCORE_BY_PLACE);
    assert_int_equal(matched.item[2], 2);
    assert_int_equal(matched.naming[1], SCORE_BY_ID);
    assert_int_equal(matched.item[5], 0);
    assert_int_equal(matched.strangers, 1);
    done(&samples, &matched);
    match(&items, "{\"id\": \"E/0\"}\n{\"id\": \"E/2\"}\n{\"id\": \"E/3\"}", "{\"id\": \"E/2\"}\n{\"id\": \"E/1\"}",
          &samples, &matched);
    assert_int_equal(matched.naming[0], SCORE_BY_NOTHING);
    assert_int_equal(matched.naming[1], SCORE_BY_TAIL);
    done(&samples, &matched);
    score_items_free(&items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_match), cmocka_unit_test(test_other),
        cmocka_unit_test(test_twice), cmocka_unit_test(test_counted),
    };

    return cmocka_run_group_tests_name("score/item", tests, NULL, NULL);
}
