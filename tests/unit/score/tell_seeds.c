/* tests/unit/score/tell_seeds.c -- the published shapes: Tables 2 to 5, and the file of results. */
#include "tests/unit/score/told.h"

#define ROW(kind, seed, layer, clean, leaked) \
    "{\"id\": \"a\", \"model\": \"m,1\", \"model_kind\": \"" kind "\", \"seed\": " #seed ", \"layer\": " #layer \
    ", \"x\": " #clean "}\n{\"id\": \"b\", \"model\": \"m,1\", \"model_kind\": \"" kind "\", \"seed\": " #seed \
    ", \"layer\": " #layer ", \"x\": " #leaked "}\n"

static const char rows[] = ROW("leaky", 1, 1, 5, 10) ROW("leaky", 2, 1, 7, 12) ROW("other", 11, 1, 1, 2)
    ROW("other", 12, 1, 3, 4) ROW("leaky", 1, 2, 5, 8) ROW("other", 1, 2, 1, 2);

static void test_tables(void **unused)
{
    struct told t;

    (void)unused;
    told_open(&t, 2, 1, rows, score_tell_tables, false);
    told_says(&t, "| m,1 | 1 | x | dup | leaky | 2 | 11 | 1 | other | 2 | 3 | 1 | no |");
    told_says(&t, "| m,1 | 1 | x | dup | leaky | other | 8 | 5.657 |");
    told_says(&t, "| m,1 | - | x | dup | 2 | -2 | 10 |");   /* 8 apart at 1 layer, 6 at 2 */
    assert_null(strstr(t.text.at, "Answer"));
    told_close(&t);
    told_open(&t, 2, 1, "{\"id\": \"a\", \"x\": 1}\n{}\n", score_tell_tables, false);
    told_says(&t, "there is nothing to set beside each other");
    told_close(&t);
}

static void test_csv(void **unused)
{
    struct bytes csv = { 0 };
    struct told  t;
    struct err   err = { 0 };

    (void)unused;
    told_open(&t, 2, 1, rows, score_tell, false);
    assert_int_equal(score_csv(&t.told, &csv, &err), 0);
    assert_int_equal(bytes_append(&csv, "", 1), 0);
    assert_string_equal(csv.at, "model,seed,dup,non_dup,full,model_kind,layer\n"
                                "\"m,1\",1,10,5,7.5,leaky,1\n\"m,1\",2,12,7,9.5,leaky,1\n\"m,1\",11,2,1,1.5,other,1\n"
                                "\"m,1\",12,4,3,3.5,other,1\n\"m,1\",1,8,5,6.5,leaky,2\n\"m,1\",1,2,1,1.5,other,2\n");
    told_close(&t);
    csv.len = 0;
    told_open(&t, 2, 0, "{\"id\": \"a\", \"model\": \"q\\u001b\\\"\", \"x\": 1}\n{}\n", score_tell, false);
    assert_int_equal(score_csv(&t.told, &csv, &err), 0);
    assert_int_equal(bytes_append(&csv, "", 1), 0);
    assert_string_equal(csv.at, "model,seed,dup,non_dup,full\n\"q\\x1b\"\"\",,,1,1\n");
    told_close(&t);
    csv.len = 0;                                            /* no formula; a number stays one */
    told_open(&t, 2, 0, "{\"id\": \"a\", \"model\": \"=A1\", \"seed\": -1, \"x\": 1}\n{\"id\": \"b\", \"model\": "
              "\"-1+\\\"b\", \"seed\": \"@\", \"x\": 1}\n{}\n", score_tell, false);
    assert_int_equal(score_csv(&t.told, &csv, &err), 0);
    assert_int_equal(bytes_append(&csv, "", 1), 0);
    assert_string_equal(csv.at, "model,seed,dup,non_dup,full\n\"'=A1\",-1,,1,1\n\"'-1+\"\"b\",\"'@\",,1,1\n");
    told_close(&t);
    told_open(&t, 2, 0, "{\"id\": \"a\", \"x\": 1, \"y\": 1}\n{}\n", score_tell, false);
    assert_int_equal(score_csv(&t.told, &csv, &err), -EINVAL);
    assert_non_null(strstr(err.text, "--csv is of one metric; there are 2"));
    told_close(&t);
    bytes_free(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tables), cmocka_unit_test(test_csv) };

    return cmocka_run_group_tests_name("score/tell_seeds", tests, NULL, NULL);
}
