/* tests/unit/cmd/compare_items.c -- items of a run and the rules that they leaked by. */
#include "cmd/compare_items.h"
#include "tests/unit/cmd/compared.h"

#include <errno.h>

static struct made_graph g;

static int set_up(void **unused)
{
    (void)unused;
    compared_open(&g);
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    made_close(&g);
    return 0;
}

/* The ids in order, those that leaked in capitals. */
static void assert_items(const char *split, const char *rule, const char *wanted)
{
    const struct compare_choice choice = { g.folder, "b", split, rule };
    struct score_items          items = { 0 };
    struct compare_found        found;
    struct err                  err = { 0 };
    char                        told[16] = "";

    if (compare_items_read(&choice, &items, &found, &err) < 0) fail_msg("%s: %s", rule, err.text);
    assert_true(items.count < sizeof told);
    for (size_t i = 0; i < items.count; i++)
        told[i] = (char)(items.at[i].id.at[0] - (items.at[i].leaked ? 32 : 0));
    assert_string_equal(told, wanted);
    assert_int_equal(found.rejected, 1);
    assert_int_equal(found.compared, items.count);
    assert_true(slice_equal(items.at[0].language, SLICE("java")));
    score_items_free(&items);
}

static void assert_refused(const char *benchmark, const char *split, const char *rule, const char *says)
{
    const struct compare_choice choice = { g.folder, benchmark, split, rule };
    struct score_items          items = { 0 };
    struct compare_found        found;
    struct err                  err = { 0 };

    assert_int_equal(compare_items_read(&choice, &items, &found, &err), -EINVAL);
    if (!strstr(err.text, says)) fail_msg("%s", err.text);
    score_items_free(&items);
}

static void test_rules(void **unused)
{
    (void)unused;
    assert_items(NULL, NULL, "abCD");                       /* a pair with another benchmark is no leak */
    assert_items(NULL, "near", "abcD");
    assert_items(NULL, "not near", "ABCd");
    assert_items(NULL, "from_strong_copyleft", "abcD");
    assert_items(NULL, "from_none", "abCd");
    assert_items("test", "leaked", "CD");
    assert_items("train", NULL, "ab");
}

static void test_refused(void **unused)
{
    (void)unused;
    assert_refused("x", NULL, NULL, "has no benchmark `x`; it has b, o");
    assert_refused("c", NULL, NULL, "has no benchmark `c`");
    assert_refused("b", "dev", NULL, "b has no split `dev`; it has train, test");
    assert_refused("b", NULL, "neat", "--leaked: at byte 1: there is no column `neat`");
    assert_refused("b", NULL, "gpt3_13gram", "`gpt3_13gram` needs ngrams");
    assert_refused("b", NULL, "in_repository", "needs repositories, which this run has not; it has near");
    made_run(&g, "UPDATE splits SET documents = 9 WHERE split = 'test'");
    assert_refused("b", NULL, NULL, "of 11 items of b graph.db has 4");
}

/* Where graph.db leaves out pairs, an item may still be known to have one. */
static void test_pairs(void **unused)
{
    (void)unused;
    made_run(&g, "WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < 10) INSERT INTO edges "
                 "SELECT 'near', 1, 2000000000000 + i, 'near', 2, 4, 2, 4, 0.5, 0.5, 0.6, 0.6 FROM n;"
                 "INSERT INTO overlap (source, split, target, target_split, language, documents, admitted, direct, "
                 "transitive, copies, contained, complete) VALUES ('b', '', 'c', '', '', 4, 4, 1, 1, 0, 0, 1)");
    assert_refused("b", NULL, "near", "--leaked: a document has 7 pairs, and graph.db may not have all");
    assert_refused("b", NULL, "near", "above that, or compare fewer datasets at a time");
    assert_items(NULL, NULL, "abCD");
    made_run(&g, "UPDATE overlap SET direct = 2");          /* one more was counted than graph.db tells of */
    assert_refused("b", NULL, NULL, "--leaked: a document has 7 pairs");
}

static void test_missing(void **unused)
{
    const struct compare_choice choice = { "/no/such", "b", NULL, NULL };
    struct score_items          items = { 0 };
    struct compare_found        found;
    struct err                  err = { 0 };

    (void)unused;
    assert_int_equal(compare_items_read(&choice, &items, &found, &err), -ENOENT);
    assert_non_null(strstr(err.text, "/no/such"));
    made_run(&g, "DELETE FROM run WHERE key = 'configuration'");
    assert_int_equal(compare_items_read(&(struct compare_choice){ g.folder, "b", NULL, NULL }, &items, &found, &err),
                     -EBADMSG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pairs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("cmd/compare_items", tests, NULL, NULL);
}
