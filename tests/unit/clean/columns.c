/* tests/unit/clean/columns.c -- what a rule may ask, of all capabilities. */
#include "clean/clean.h"
#include "capability/capability.h"
#include "tests/unit/settings_harness.h"
#include "view/class.h"

static size_t column(const struct clean_columns *columns, const char *name)
{
    size_t c = 0;

    while (c < columns->count && strcmp(columns->name[c], name) != 0) c++;
    assert_true(c < columns->count);
    return c;
}

/* All are there whether their capability is on or not: `lacks` tells which cannot be asked. */
static void try_list(const char *near, uint64_t most)
{
    static const char *const pairs[] = {
        "near", "exact", "contained", "copies", "leaked", "from_permissive", "from_weak_copyleft",
        "from_strong_copyleft", "from_restricted", "from_unknown", "from_none",
    };
    char                     yaml[256];
    struct clean_columns     columns;
    struct config            config;
    uint64_t                 of_pairs = 0;
    struct err               err;

    snprintf(yaml, sizeof yaml, "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\nnear_duplicates: {%s}\n",
             near);
    assert_int_equal(settings_parse(&config, yaml, strlen(yaml), &err), 0);
    clean_columns_list(&columns, &config);
    assert_true(columns.count <= CLEAN_COLUMNS_MAX);
    assert_null(columns.name[columns.count]);
    for (size_t c = 0; c < columns.count; c++) {
        assert_string_equal(columns.name[c], columns.at[c]->name);
        for (size_t other = 0; other < c; other++) assert_string_not_equal(columns.name[c], columns.name[other]);
    }
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) of_pairs |= 1ull << column(&columns, pairs[p]);
    assert_true(columns.of_pairs == of_pairs);
    assert_int_equal(columns.pairs_most, most);
    assert_true(columns.of_lines == 1ull << column(&columns, "clone"));
    assert_string_equal(columns.of[column(&columns, "matches")]->of->key, "near_duplicates");
    assert_string_equal(columns.of[column(&columns, "llama3_8gram")]->of->key, "ngrams");
    assert_string_equal(columns.of[column(&columns, "clone")]->of->key, "line_clones");
    assert_true(columns.of[column(&columns, "near")]->on && !columns.of[column(&columns, "clone")]->on);
    config_free(&config);
}

/* More than a class spells out are there only where all are asked for. */
static void test_list(void **unused)
{
    (void)unused;
    try_list("max_matches: 40", 40);
    try_list("max_matches: 4000", STAR_LIMIT);
    try_list("max_matches: 4000, pairs: all", 4000);
}

/* Tables of capabilities of which no column is asked for are not read. */
static void test_query(void **unused)
{
    static const char    yaml[] = "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\nnear_duplicates: {}\n";
    struct clean_columns columns;
    struct config        config;
    struct bytes         sql = { 0 };
    struct err           err = { 0 };

    (void)unused;
    assert_int_equal(settings_parse(&config, yaml, strlen(yaml), &err), 0);
    clean_columns_list(&columns, &config);
    assert_int_equal(clean_columns_query(&columns, 1ull << column(&columns, "near"), "s.id", &sql, &err), 0);
    assert_non_null(strstr(sql.at, "SELECT s.id, p.near, 0, 0"));
    assert_non_null(strstr(sql.at, "JOIN pairs AS p"));
    assert_null(strstr(sql.at, "clone_items"));
    sql.len = 0;
    assert_int_equal(clean_columns_query(&columns, 0, "s.id", &sql, &err), 0);
    assert_null(strstr(sql.at, "WITH"));
    assert_null(clean_column_lacks(&columns, column(&columns, "near")));
    assert_string_equal(clean_column_lacks(&columns, column(&columns, "in_repository")), "repositories");
    bytes_free(&sql);
    config_free(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_list), cmocka_unit_test(test_query) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
