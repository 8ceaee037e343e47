/* tests/unit/clonetype/result.c -- pairs of items and clones, the best first; counts of those that are not kept. */
#include "clonetype/result.h"
#include "tests/unit/clonetype/small_clones.h"

static void check(const char *settings, const char *items, const char *types, const char *names)
{
    struct clonetype_result result;
    struct err              err = { 0 };
    size_t                  n = 0;

    clones_open(settings, items, small_corpus);
    if (clonetype_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.pair_count, strlen(types));
    for (; n < result.pair_count; n++) {
        const struct clonetype_pair *pair = &result.pair[n];
        const struct slice           name = heap_slice(pair->heap, pair->row->span.name);

        assert_true(pair->type == (enum clone_type)(strchr("1c23", types[n]) - "1c23") && *name.at == names[n]);
        assert_true(pair->dataset == 1 && pair->shard == 1 && pair->item == (n >= 4));
    }
    assert_int_equal(result.item_count, 2);
    assert_true(result.item[0].item == 0 && result.item[0].dataset == 1 && result.item[0].type == CLONE_TYPE_1);
    assert_true(result.item[0].pairs == 4 && result.item[1].pairs == 1 && result.item[1].type == CLONE_TYPE_2C);
    assert_int_equal(result.compared[0], 2);
    assert_int_equal(result.compared[1], 0);
    clonetype_result_free(&result);
    clones_close();
}

static void test_pairs(void **unused)
{
    (void)unused;
    check("", small_items, "1c23c", "fqqzo");
}

/* Of an item and a corpus the best are kept, and all are counted. */
static void test_most(void **unused)
{
    struct clonetype_result result;
    struct err              err = { 0 };

    (void)unused;
    clones_open("max_matches: 2", small_items, small_corpus);
    if (clonetype_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.pair_count, 3);
    assert_true(result.pair[0].type == CLONE_TYPE_1 && result.pair[1].type == CLONE_TYPE_2C);
    assert_true(result.item_count == 2 && result.item[0].pairs == 4 && result.item[1].pairs == 1);
    clonetype_result_free(&result);
    clones_close();
}

/* Functions that are most of their item are a group of their own, which others do not push out. */
static void test_main(void **unused)
{
    static const char items[] =
        TEXT("def h(a):\\n    return a.b(a, 1) + a\\n\\ndef f(a, b):\\n    c = a + b\\n    d = g(c, 1)\\n    e = [d]\\n"
             "    k(e)\\n    return e\\n");
    static const char corpus[] =
        TEXT("def h(a):\\n    return a.b(a, 1) + a\\n") TEXT("def h(a):\\n    return a.b(a, 1) + a\\n")
        TEXT("def q(a, b):\\n    c = a + a\\n    d = g(c, 2)\\n    e = [d]\\n    k(e)\\n    return e\\n");
    struct clonetype_result result;
    struct err              err = { 0 };

    (void)unused;
    clones_open("max_matches: 1", items, corpus);
    if (clonetype_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.pair_count, 2);
    assert_true(result.pair[0].main && result.pair[0].type == CLONE_TYPE_2);
    assert_true(!result.pair[1].main && result.pair[1].type == CLONE_TYPE_1 && result.pair[1].row->record == 0);
    assert_true(result.item_count == 1 && result.item[0].type == CLONE_TYPE_1 && result.item[0].pairs == 3);
    clonetype_result_free(&result);
    clones_close();
}

/* Of type 3 the most similar come first; of equal ones the first of the corpus. */
static void test_order(void **unused)
{
    static const char corpus[] =
        TEXT("def y(a, b):\\n    c = a + b\\n    d = g(c, 1)\\n    assert c\\n    del d\\n    e = [d]\\n    k(e)\\n    "
             "return e\\n"
             "def z(a, b):\\n    c = a + b\\n    d = g(c, 1)\\n    for i in c: d += i\\n    e = [d]\\n    k(e)\\n    "
             "return e\\n")
        TEXT("def x(a, b):\\n    c = a + b\\n    d = g(c, 1)\\n    e = [d]\\n    del a\\n    k(e)\\n    return e\\n");
    struct clonetype_result result;
    struct err              err = { 0 };

    (void)unused;
    clones_open("types: 3", small_items, corpus);
    if (clonetype_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.pair_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(*heap_slice(result.pair[i].heap, result.pair[i].row->span.name).at, "zxy"[i]);
        assert_true(result.pair[i].row->common == 6 && result.pair[i].row->whole == (i < 2 ? 7 : 8));
    }
    assert_true(result.item_count == 1 && result.item[0].type == CLONE_TYPE_3 && result.item[0].pairs == 3);
    clonetype_result_free(&result);
    clones_close();
}

/* Items of one form are one row of a clone, however many they are; each has its own type, place and count. */
static void test_class(void **unused)
{
    static const char first[] =
        TEXT("def f(a, b):\\n    c = a + b\\n    d = g(c, 1)\\n    e = [d]\\n    k(e)\\n    return e\\n");
    static const char other[] =
        TEXT("\\ndef q(x, y):\\n    c = x + y\\n    d = r(c, 2)\\n    e = [d]\\n    s(e)\\n    return e\\n");
    static const char more[] = TEXT("def f(a, b):\\n    c = a + b\\n    d = g(c, 1)\\n    e = [d]\\n    k(e)\\n    "
                                    "del a\\n    return e\\n");
    enum { ITEMS = 30, COPIES = 20 };
    static char items[ITEMS * sizeof other], corpus[COPIES * sizeof first + sizeof more];

    (void)unused;
    for (size_t i = 0; i < ITEMS; i++) strcat(items, i % 3 ? first : other);
    for (size_t i = 0; i < COPIES; i++) strcat(corpus, first);
    strcat(corpus, more);
    for (int loose = 0; loose < 2; loose++) {
        struct pass_scanner     searcher;
        struct clonetype_result result;
        struct pass_unit        unit;
        struct err              err = { 0 };
        size_t                  rows = 0;

        clones_open(loose ? "" : "types: [1, 3]", items, corpus);
        searcher = clonetype_searcher(job);
        assert_int_equal(pass_unit_load(&small.run, &searcher, 1, 0, &unit, &err), 1);
        for (uint64_t p = 0; p < unit.header->parts; p++)
            rows += pass_unit_section(&unit, p, PART_ROWS).len / sizeof(struct clonetype_row);
        unit_close(&unit.file);
        assert_int_equal(rows, COPIES + 1);
        if (clonetype_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
        assert_int_equal(result.item_count, ITEMS);
        assert_int_equal(result.pair_count, ITEMS * (COPIES + 1));
        for (size_t i = 0; i < result.pair_count; i++) {
            const struct clonetype_pair *pair = &result.pair[i];
            const enum clone_type        type = i % (COPIES + 1) == COPIES || (!loose && pair->item % 3 == 0)
                ? CLONE_TYPE_3 : pair->item % 3 ? CLONE_TYPE_1 : CLONE_TYPE_2C;

            assert_true(pair->item == i / (COPIES + 1) && pair->fragment == pair->item && pair->type == type);
            assert_int_equal(pair->row->record, i % (COPIES + 1));
        }
        for (size_t i = 0; i < ITEMS; i++) assert_int_equal(result.item[i].pairs, COPIES + 1);
        clonetype_result_free(&result);
        clones_close();
    }
}

/* Of one blind form, but with other statements, as a line end ends one: each is compared by its own, whichever comes
 * first; what is of type 1 all the same has all of the clone's in common. */
static void test_layout(void **unused)
{
    static const char joined[] =
        TEXT("def f(a, b):\\n    if a: c = 1\\n    if b: c = 2\\n    if a: c = 3\\n    if b: c = 4\\n    return c\\n");
    static const char apart[] =
        TEXT("def f(a, b):\\n    if a:\\n        c = 1\\n    if b:\\n        c = 2\\n    if a:\\n        c = 3\\n    "
             "if b:\\n        c = 4\\n    return c\\n");
    static const char near[] =
        TEXT("def f(a, b):\\n    if a:\\n        c = 1\\n    if b:\\n        c = 2\\n    if a:\\n        c = [3]\\n    "
             "if b:\\n        c = 4\\n    return c\\n");
    char items[sizeof joined + sizeof apart], corpus[sizeof apart + sizeof near];

    (void)unused;
    clones_open("unit: tokens", small_items, small_corpus); /* others are other classes, whatever is compared */
    assert_true(job->index->count == 2 && job->index->at[0].first && job->index->at[1].first);
    clones_close();
    strcpy(corpus, apart);
    strcat(corpus, near);
    for (uint32_t order = 0; order < 2; order++) {
        struct clonetype_result result;
        struct err              err = { 0 };
        const uint32_t          whole = order;              /* the item that is apart, too */

        strcpy(items, order ? joined : apart);
        strcat(items, order ? apart : joined);
        clones_open("min_lines: 2, dissimilarity: 0.2", items, corpus);
        assert_true(job->index->at[0].items != job->index->at[1].items);
        if (clonetype_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
        assert_int_equal(result.pair_count, 3);
        for (size_t i = 0; i < 3; i++) {
            const struct clonetype_pair *pair = &result.pair[i];
            const struct item_lines      lines = pair->type != CLONE_TYPE_3 ? (struct item_lines){ 0, 0 }
                : clonetype_index_lines(job->index, pair->fragment, pair->row->item, pair->row->item_end);

            if (pair->row->record == 0) assert_true(pair->type == CLONE_TYPE_1 && pair->common == 10);
            else assert_true(pair->type == CLONE_TYPE_3 && pair->item == whole && lines.line == 1);
            if (pair->row->record == 1) assert_true(lines.line_end == 10 && pair->common == 9 && pair->whole == 10);
            else assert_int_equal(pair->whole, 10);
        }
        clonetype_result_free(&result);
        clones_close();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs), cmocka_unit_test(test_most),
                                        cmocka_unit_test(test_order), cmocka_unit_test(test_main),
                                        cmocka_unit_test(test_class), cmocka_unit_test(test_layout) };

    return cmocka_run_group_tests_name("clonetype/result", tests, NULL, NULL);
}
