/* tests/unit/clean/tables.c -- the check that lists and counts of cleaned documents agree. */
#include "clean/tables.h"
#include "graph/check.h"
#include "tests/unit/made_graph.h"

struct heard { int told; char wrong[512]; };

static void line(void *context, const char *check, const char *wrong)
{
    struct heard *heard = context;

    if (strcmp(check, "cleaned documents are as many as cleaned splits say") != 0) return;
    heard->told++;
    snprintf(heard->wrong, sizeof heard->wrong, "%s", wrong ? wrong : "");
}

static struct heard check(const struct made_graph *g)
{
    struct heard              heard = { 0 };
    const struct check_report report = { line, &heard };
    struct err                err = { 0 };

    assert_true(check_graph(g->path, clean_tables, &report, &err) >= 0);
    assert_int_equal(heard.told, 1);
    return heard;
}

static void test_check(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, "INSERT INTO cleaned VALUES ('o', 'removed', 'a', 't', 9, 9, 1, 0, 0, 5), "
                  "('p', 'cut', 'a', 't', 9, 9, 0, 2, 3, 5), ('q', 'leaky', 'a', 't', 9, 9, 4, 0, 0, 5);"
                  "INSERT INTO cleaned_documents VALUES ('o', 'a', 't', 0, 'i', 's', 0, NULL, 5, 'near'), "
                  "('p', 'a', 't', 0, 'i', 's', 0, '1-1', 2, 'near'), ('p', 'a', 't', 1, 'i', 's', 1, '1-1', 3, "
                  "'near')");
    assert_string_equal(check(&g).wrong, "");               /* what was not drawn is listed nowhere */
    made_run(&g, "DELETE FROM cleaned_documents WHERE output = 'p' AND record = 1");
    assert_non_null(strstr(check(&g).wrong, "p a/t"));
    made_run(&g, "DELETE FROM cleaned_documents WHERE output = 'p'; DELETE FROM cleaned WHERE output = 'p'");
    assert_string_equal(check(&g).wrong, "");
    made_run(&g, "DELETE FROM cleaned WHERE output = 'o'"); /* listed, and counted nowhere */
    assert_non_null(strstr(check(&g).wrong, "o a/t"));
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_check) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
