/* tests/unit/page/items.c -- which items there are, by which rules, and which match is the best. */
#include "page/items.h"
#include "tests/unit/page/items_graph.h"

static struct slice name(const struct item_names *names, int32_t at)
{
    assert_true(at >= 0 && (size_t)at < names->count);
    return names->at[at];
}

static void rules_are(const struct items *items, const struct item *item, const char *expected)
{
    struct bytes said = { 0 };

    for (size_t bit = 0; bit < items->rules.count; bit++)
        if (item->rules >> bit & 1)
            assert_int_equal(bytes_printf(&said, "%.*s,", (int)items->rules.at[bit].len, items->rules.at[bit].at), 0);
    assert_int_equal(bytes_append(&said, "", 1), 0);
    assert_string_equal(said.at, expected);
    bytes_free(&said);
}

static void match_is(const struct items *items, const struct item *item, const char *dataset, const char *kind,
                     const char *place, double alike)
{
    assert_true(slice_equal(name(&items->datasets, item->best.dataset), slice_of(dataset)));
    assert_true(slice_equal(name(&items->kinds, item->best.kind), slice_of(kind)));
    assert_true(slice_equal(item->best.place, slice_of(place)));
    assert_true(item->best.alike == alike);
}

static void test_items(void **unused)
{
    struct made_graph g;
    struct items      items;
    struct err        err = { 0 };
    sqlite3          *db;
    const uint64_t    order[] = { 1, 3, 4, 2, 1000000000001, 6, 5 };

    (void)unused;
    made_open(&g, items_sql);
    db = made_read(&g);
    assert_int_equal(items_read(&items, db, &err), 0);
    assert_int_equal(items.count, 7);
    for (size_t i = 0; i < 7; i++) assert_int_equal(items.at[i].id, order[i]);
    assert_false(items.aside);

    /* near in a corpus before exact in its own benchmark */
    match_is(&items, &items.at[0], "code", "near", "lib/x.py", 0.8);
    rules_are(&items, &items.at[0], "exact,near,gpt3_13gram,palm_8gram,");
    assert_int_equal(items.at[0].copies, 3);
    assert_true(slice_equal(name(&items.licences, items.at[0].best.licence), SLICE("MIT")));
    assert_true(slice_equal(name(&items.repos, items.at[0].best.repo), SLICE("org/x")));
    assert_true(slice_equal(items.at[0].path, SLICE("src/one.py")) && items.at[0].number == 0);
    /* inside a document: the most alike, with its lines */
    match_is(&items, &items.at[1], "code", "function", "lib/f.py#g@5", 1.0);
    rules_are(&items, &items.at[1], "function,");
    assert_true(items.at[1].best.id == 0 && items.at[1].best.record == 7 && items.at[1].copies == 2);
    assert_true(items.at[1].best.line == 5 && items.at[1].best.line_end == 6);
    /* the share of the item counts; no path: its own id */
    match_is(&items, &items.at[3], "code", "contained", "y", 0.95);
    /* another benchmark before its own */
    match_is(&items, &items.at[2], "other", "exact", "there", 1.0);
    match_is(&items, &items.at[4], "bench", "exact", "four", 1.0);
    assert_true(items.at[5].best.rank == INT32_MAX);
    rules_are(&items, &items.at[5], "gpt3_13gram,");
    match_is(&items, &items.at[6], "bench", "exact", "four", 1.0);
    items_free(&items);
    graph_close(db);
    made_close(&g);
}

/* Pairs in a file: items are known by their matches alone.  No benchmark: nothing. */
static void test_aside(void **unused)
{
    struct made_graph g;
    struct items      items;
    struct err        err = { 0 };
    sqlite3          *db;

    (void)unused;
    made_open(&g, items_sql);
    made_run(&g, "DELETE FROM edges; UPDATE snippets SET matches = 4 WHERE id = 2; INSERT INTO run VALUES "
                 "('edges_file', "
                 "'edges.tsv.zst');");
    db = made_read(&g);
    assert_int_equal(items_read(&items, db, &err), 0);
    assert_true(items.aside && items.count == 4);
    for (size_t i = 0; i < items.count; i++)
        if (items.at[i].id == 2) {
            rules_are(&items, &items.at[i], "pair,");
            assert_int_equal(items.at[i].copies, 4);
        }
    items_free(&items);
    graph_close(db);
    made_run(&g, "UPDATE datasets SET role = 'corpus'; DELETE FROM function_pairs; DELETE FROM ngram_rules;");
    db = made_read(&g);
    assert_int_equal(items_read(&items, db, &err), 0);
    assert_int_equal(items.count, 0);
    items_free(&items);
    graph_close(db);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_items), cmocka_unit_test(test_aside) };

    return cmocka_run_group_tests_name("page/items", tests, NULL, NULL);
}
