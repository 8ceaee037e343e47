/* tests/unit/passage/result.c -- items with the documents that they stand in, the best first; counts of all. */
#include "passage/result.h"
#include "tests/unit/passage/small_passages.h"

static const char items[] = PASSAGE_TEXT("a b c d e f g h i j") PASSAGE_TEXT("q r s t u v")
    PASSAGE_TEXT("a b c d e f g h  i j");
static const char corpus[] =
    PASSAGE_TEXT("x x x x x a b c d e f g h y y")           /* 6 of 8 */
    PASSAGE_TEXT("x a b c d e f g h i j y y")               /* all */
    PASSAGE_TEXT("a b c d e f g h i j")                     /* not longer */
    PASSAGE_TEXT("x x x a b c d e f g y y y y");            /* 5 of 8 */

static void check(uint64_t most, size_t pairs)
{
    struct passage_result result;
    struct err            err = { 0 };

    passages_open(PASSAGE_SETTINGS, items, corpus);
    passages_scan();
    if (passage_result_read(&passages_job, most, &result, &err) < 0) fail_msg("%s", err.text);
    assert_true(result.pair_count == pairs && result.count_count == 2 && result.index.items == 3);
    assert_true(result.count[0].item == 0 && result.count[0].dataset == 1 && result.count[0].documents == 2);
    assert_true(result.count[1].item == 2 && result.count[1].documents == 2);
    assert_true(result.pair[0].row->found == 8 && result.pair[0].row->record == 1 && result.pair[0].shard == 1);
    if (pairs > 2) assert_true(result.pair[1].row->found == 6 && result.pair[1].row->record == 0);
    assert_true(result.chance.tested == 0 && result.decoys_reached == 0);
    passage_result_free(&result);
    passages_end();
}

static void test_pairs(void **unused)
{
    (void)unused;
    check(10, 4);
    check(1, 2);
}

/* Pieces of items that stand in many documents: what the decoys are of, and who holds an item is no stranger. */
static void test_chance(void **unused)
{
    struct passage_result result;
    struct bytes          made = { 0 }, document = { 0 };
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(bytes_printf(&document, "{\"language\": \"python\", \"text\": \""), 0);
    for (int i = 0; i < 30; i++) {                          /* the document has all runs but one of each item */
        assert_int_equal(bytes_printf(&made, "{\"language\": \"python\", \"text\": \"a%d b%d c%d d%d e%d "
                                             "f%d\"}\n", i, i, i,
                                      i, i, i), 0);
        assert_int_equal(bytes_printf(&document, "a%d b%d c%d d%d %s ", i, i, i, i, i < 29 ? "x" : "e29 f29"), 0);
    }
    assert_true(bytes_append(&made, "", 1) == 0 && bytes_printf(&document, "\"}\n") == 0);
    passages_open("view: identifiers, passages: 0.5, passage_run: 3, passage_least: 4", made.at, document.at);
    passages_scan();
    if (passage_result_read(&passages_job, 10, &result, &err) < 0) fail_msg("%s", err.text);
    assert_true(result.index.decoys == 30 && result.chance.tested == 30);
    /* two of four runs of each item are there: so every item stands in the document, and no decoy counts */
    assert_true(result.count_count == 30 && result.chance.reached == 0);
    passage_result_free(&result);
    passages_end();
    passages_open("view: identifiers, passages: 0.6, passage_run: 3, passage_least: 4", made.at, document.at);
    passages_scan();
    if (passage_result_read(&passages_job, 10, &result, &err) < 0) fail_msg("%s", err.text);
    /* three of four are not, but in the last; of what is drawn from the others half is there, sometimes more */
    assert_true(result.count_count == 1 && result.chance.reached > 0 && result.chance.reached < 30);
    assert_int_equal(result.decoys_reached, result.chance.reached);
    passage_result_free(&result);
    passages_end();
    bytes_free(&made);
    bytes_free(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs), cmocka_unit_test(test_chance) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("passage/result", tests, NULL, NULL);
}
