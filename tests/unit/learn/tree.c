/* tests/unit/learn/tree.c -- what a tree answers, and what is no tree. */
#include "learn/tree.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct tree_node nodes[] = {
    { .column = 1, .threshold = 0.1, .left = 1, .right = 2, .gain = 2, .weight = 8, .rows = 8, .value = 0.5 },
    { .column = -1, .value = 1.0 / 3, .weight = 3, .rows = 3 },
    { .column = 0, .threshold = -2, .left = 3, .right = 4, .gain = 1, .weight = 5, .rows = 5, .value = 0.6 },
    { .column = -1, .value = 0.25, .weight = 4, .rows = 4 },
    { .column = -1, .value = 1, .weight = 1, .rows = 1 },
};
static const struct learn_tree small = { nodes, 5 };

static void test_value(void **unused)
{
    double gain[2] = { 0 };

    (void)unused;
    assert_true(learn_tree_value(&small, (double[]){ 9, 0.1 }) == 1.0 / 3);
    assert_true(learn_tree_value(&small, (double[]){ -2, 0.2 }) == 0.25);
    assert_true(learn_tree_value(&small, (double[]){ -1.9, 0.2 }) == 1);
    learn_tree_add_gains(&small, gain);
    assert_true(gain[0] == 0.125 && gain[1] == 0.25);
}

static void test_json(void **unused)
{
    struct bytes text = { 0 };
    struct learn_tree  back;
    struct err   err = { 0 };
    cJSON       *json;

    (void)unused;
    assert_int_equal(learn_tree_json(&small, &text), 0);
    json = cJSON_ParseWithLength(text.at, text.len);
    assert_non_null(json);
    assert_int_equal(learn_tree_parse(json, 2, &back, &err), 0);
    assert_int_equal(back.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const struct tree_node *a = nodes + i, *b = back.node + i;

        assert_true(a->threshold == b->threshold && a->value == b->value && a->gain == b->gain &&
                    a->weight == b->weight && a->rows == b->rows && a->column == b->column && a->left == b->left &&
                    a->right == b->right);
    }
    learn_tree_free(&back);
    assert_int_equal(learn_tree_parse(json, 1, &back, &err), -EBADMSG);               /* it asks for column 1 */
    assert_null(back.node);
    cJSON_Delete(json);
    bytes_free(&text);
}

static void refused(const char *column, const char *left, const char *right, const char *value)
{
    struct bytes text = { 0 };
    struct learn_tree  t;
    struct err   err = { 0 };
    cJSON       *json;

    assert_int_equal(bytes_printf(&text, "{\"column\":%s,\"left\":%s,\"right\":%s,\"rows\":[1,1,1],"
                                  "\"threshold\":[0,0,0],\"value\":%s,\"gain\":[0,0,0],\"weight\":[1,1,1]}", column,
                                  left, right, value), 0);
    json = cJSON_ParseWithLength(text.at, text.len);
    assert_non_null(json);
    if (learn_tree_parse(json, 2, &t, &err) != -EBADMSG) fail_msg("taken: %.*s", (int)text.len, text.at);
    assert_true(err.text[0] != '\0');
    assert_null(t.node);
    cJSON_Delete(json);
    bytes_free(&text);
}

static void test_hostile(void **unused)
{
    const char *column = "[0,-1,-1]", *left = "[1,0,0]", *right = "[2,0,0]", *value = "[0,0,1]";
    struct learn_tree t;
    struct err  err = { 0 };

    (void)unused;
    refused("[0,0,-1]", "[1,0,0]", "[2,0,0]", value);       /* a cycle */
    refused("[0,-1,-1]", "[0,0,0]", right, value);          /* its own child */
    refused("[0,-1,-1]", "[3,0,0]", right, value);          /* outside */
    refused("[0,-1,-1]", "[4294967297,0,0]", right, value);
    refused("[0,-1,-1]", "[1.5,0,0]", right, value);
    refused("[0,-1,-1]", "[-1,0,0]", right, value);
    refused("[0,-1,-1]", "[2,0,0]", right, value);          /* both the same, and one that nothing leads to */
    refused("[-1,-1,-1]", left, right, value);
    refused("[0,1,-1]", "[1,2,0]", "[2,2,0]", value);       /* a child of two */
    refused("[2,-1,-1]", left, right, value);               /* columns that are not there */
    refused("[-2,-1,-1]", left, right, value);
    refused(column, left, right, "[0,0,1e999]");
    refused(column, left, right, "[0,0,null]");
    refused(column, left, right, "[0,0,\"1\"]");
    refused(column, left, right, "[0,0]");
    refused(column, left, right, "[0,0,1,1]");
    refused(column, left, right, "0");
    refused("[]", "[]", "[]", "[]");
    refused("7", left, right, value);
    assert_int_equal(learn_tree_parse(NULL, 2, &t, &err), -EBADMSG);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_value), cmocka_unit_test(test_json),
                                        cmocka_unit_test(test_hostile) };

    return cmocka_run_group_tests_name("learn/tree", tests, NULL, NULL);
}
