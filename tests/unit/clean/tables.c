/* tests/unit/clean/tables.c -- the checks that lists and counts of cleaned documents agree. */
#include "clean/tables.h"
#include "graph/check.h"
#include "tests/unit/made_graph.h"

struct heard { const char *check; int told; char wrong[512]; };

static void line(void *context, const char *check, const char *wrong)
{
    struct heard *heard = context;

    if (strcmp(check, heard->check) != 0) return;
    heard->told++;
    snprintf(heard->wrong, sizeof heard->wrong, "%s", wrong ? wrong : "");
}

static struct heard check_of(const struct made_graph *g, const char *name)
{
    struct heard              heard = { .check = name };
    const struct check_report report = { line, &heard };
    struct err                err = { 0 };

    assert_true(check_graph(g->path, clean_tables, &report, &err) >= 0);
    assert_int_equal(heard.told, 1);
    return heard;
}

static struct heard check(const struct made_graph *g)
{
    return check_of(g, "cleaned documents are as many as cleaned splits say");
}

static void test_shards(void **unused)
{
    static const char shards[] = "cleaned shards have as many documents as cleaned splits leave";
    struct made_graph g;

    (void)unused;
    made_open(&g, "INSERT INTO cleaned VALUES ('o', 'removed', 'a', 't', 9, 9, 1, 0, 0, 5), "
                  "('o', 'removed', 'a', 'u', 3, 3, 3, 0, 0, 3), ('q', 'leaky', 'a', 't', 9, 9, 4, 0, 0, 5);"
                  "INSERT INTO cleaned_shards VALUES ('o', 'removed', 'a', 'p', 5, 5, 'f', 0), ('o', 'removed', 'a', "
                  "'q', 4, 3, 'f', 5), ('q', 'leaky', 'a', 'p', 9, 5, 'f', 0), ('q', 'leaky', 'b', 'p', 0, 0, NULL, "
                  "NULL)");
    assert_string_equal(check_of(&g, shards).wrong, "");
    made_run(&g, "UPDATE cleaned_shards SET kept = 4 WHERE kept = 3");
    assert_non_null(strstr(check_of(&g, shards).wrong, "o removed a"));
    made_run(&g, "UPDATE cleaned_shards SET kept = 1 WHERE dataset = 'b'; UPDATE cleaned_shards SET kept = 3 WHERE "
                 "kept = 4");
    assert_non_null(strstr(check_of(&g, shards).wrong, "q leaky b"));
    made_close(&g);
}

static void test_check(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, "INSERT INTO cleaned VALUES ('o', 'removed', 'a', 't', 9, 9, 1, 0, 0, 5), "
                  "('p', 'cut', 'a', 't', 9, 9, 0, 2, 3, 5), ('q', 'leaky', 'a', 't', 9, 9, 4, 0, 0, 5);"
                  "INSERT INTO cleaned_documents VALUES ('o', 'a', 't', 0, 'i', 's', 0, NULL, 5, 'near', NULL), "
                  "('p', 'a', 't', 0, 'i', 's', 0, '1-1', 2, 'near', NULL), ('p', 'a', 't', 1, 'i', 's', 1, '1-1', 3, "
                  "'near', NULL)");
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
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_check), cmocka_unit_test(test_shards) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
