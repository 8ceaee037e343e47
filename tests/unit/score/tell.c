/* tests/unit/score/tell.c -- the answer first, then tables. */
#include "tests/unit/score/told.h"

#define X(id, x) "{\"id\": \"" id "\", \"x\": " #x "}\n"

static const char rows[] = X("a", 1) X("b", 2) X("c", 3) X("d", 4) X("e", 5) X("f", 9) X("?<b>\\u001b", 7);

static void test_answer(void **unused)
{
    struct told t;

    (void)unused;
    told_open(&t, 7, 4, rows, score_tell, false);
    told_says(&t, "4 of 7 items of b leaked (rule: near). 6 of 7 were compared; the others count as clean.");
    told_says(&t, "m, x, with a score at 6 of 7 items: on clean items the model scores 2 (");
    told_says(&t, "; 3 items), on leaked ones 6 (");
    /* 1 of 20 orders, either way */
    told_says(&t, "; leaked less clean is 4 (2 to 7.333; p 0.1), which may be chance; the published number is 4, that "
                  "of clean items 2. With 3 clean items the interval is worth little.");
    told_says(&t, "- of none: 1");
    told_says(&t, "| f | 7 | ?&lt;b&gt;\\\\x1b |");        /* whatever an id is, it is shown */
    told_says(&t, "| item without a score |\n| --- |\n| g |");
    told_says(&t, "| m | - | - | x | 1 | dup | 3 | 6 |");
    told_says(&t, "| m | - | - | x | 4 |");
    assert_null(strstr(t.text.at, "by their place"));
    told_close(&t);
}

static void test_nothing(void **unused)
{
    struct told t;

    (void)unused;
    told_open(&t, 2, 0, X("a", 1) X("b", 2), score_tell, false);
    told_says(&t, "0 of 2 items of b leaked (rule: near). No item leaked: the numbers are those of clean items. "
                  "1 of 2 were compared; the others count as clean.");
    told_says(&t, "m, x: no item with a score leaked: 1.5 (");
    assert_null(strstr(t.text.at, "How far apart"));
    told_close(&t);
    told_open(&t, 2, 2, X("a", 1) X("b", 2), score_tell, false);
    told_says(&t, "m, x: every item with a score leaked: 1.5 (");
    told_close(&t);
    told_open(&t, 2, 1, "{\"id\": \"a\"}\n{}\n", score_tell, false);
    told_says(&t, "No item has a score: there is nothing to compare.");
    told_close(&t);
    /* places are told, and what rejects do to them */
    told_open(&t, 2, 1, X("0", 1) X("1", 2), score_tell, false);
    told_says(&t, "by their place among the items, from 0");
    told_says(&t, "records of the benchmark were rejected");
    told_close(&t);
}

/* Numbers that there are not are null, and every table is there. */
static void test_json(void **unused)
{
    struct told  t;
    cJSON       *json, *row;

    (void)unused;
    told_open(&t, 4, 1, X("a", 1) X("d", 2), score_tell, true);
    json = cJSON_Parse(t.text.at);
    assert_non_null(json);
    row = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "tests"), "tests"), 0);
    is_number(cJSON_GetObjectItem(row, "p")->valuedouble, 1);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(row, "t")));
    row = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "matching"), "counts");
    is_number(cJSON_GetObjectItem(row, "missing")->valuedouble, 2);
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "seeds"), "slopes")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "answer"), "sentences")), 1);
    cJSON_Delete(json);
    told_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer), cmocka_unit_test(test_nothing), cmocka_unit_test(test_json),
    };

    return cmocka_run_group_tests_name("score/tell", tests, NULL, NULL);
}
