/* tests/unit/history/tell.c -- what changed in sentences and tables: numbers and texts, columns that are used, rows
 * that
 * are left to scripts. */
#include "history/tell.h"
#include "history/items.h"
#include "tests/unit/made_graph.h"

#define NONE { "", 0 }
#define TEXT(text) { text, sizeof text - 1 }

static void told(const struct changes *changes, size_t lines, struct made_report *out)
{
    const struct history_wish wish = { lines, "look there" };
    struct report_document    document;
    struct bytes              json = { 0 };

    *out = (struct made_report){ 0 };
    report_open(&document, "Told");
    changes_tell(changes, &wish, &document, document.root);
    assert_false(document.failed);
    assert_int_equal(report_markdown(&document, &out->markdown), 0);
    assert_int_equal(report_json(&document, &json), 0);
    assert_int_equal(bytes_append(&out->markdown, "", 1), 0);
    assert_int_equal(bytes_append(&json, "", 1), 0);
    out->json = cJSON_Parse(json.at);
    assert_non_null(out->json);
    bytes_free(&json);
    report_close(&document);
}

static void test_nothing(void **state)
{
    const struct changes none = { 0 };
    struct made_report   report;

    (void)state;
    told(&none, 20, &report);
    made_says(&report, "\nNothing changed.\n");
    made_silent(&report, "|");
    made_json(&report, "summary.changed", "false");
    made_json(&report, "items.newly_leaked", "[]");
    made_report_free(&report);
}

static void test_values(void **state)
{
    struct change row[] = {
        { TEXT("leakage"), { TEXT("b"), NONE, TEXT("c"), NONE, NONE }, TEXT("direct"), TEXT("5"), TEXT("8"), 100, 50 },
        { TEXT("leakage"), { TEXT("b"), TEXT("test"), TEXT("c"), NONE, NONE }, TEXT("direct"), NONE, TEXT("2"), -1, 8 },
        { TEXT("probes"), { TEXT("b"), NONE, TEXT("m"), NONE, TEXT("nll") }, TEXT("mean"), TEXT("-1.5"), TEXT("0.25"),
          -1,
          -1 },
        { TEXT("settings"), { NONE, NONE, NONE, NONE, TEXT("view") }, TEXT("value"), TEXT("lines"), TEXT("12e9"), -1,
          -1 },
    };
    const struct changes changes = { .at = row, .count = 4 };
    struct made_report   report;

    (void)state;
    told(&changes, 20, &report);
    made_says(&report, "Leakage:\n\n| dataset | split | in or by | what | old | new | change | old % | new % | points "
                       "|");
    made_says(&report, "| b | all | c | direct | 5 | 8 | +3 | 5.00 % | 16.00 % | +11 |");
    made_says(&report, "| b | test | c | direct | - | 2 | +2 | - | 25.00 % | +25 |");
    made_says(&report, "Probes:\n\n| dataset | in or by | name | what | old | new | change |");
    made_says(&report, "| b | m | nll | mean | -1.5 | 0.25 | +1.75 |");
    made_says(&report, "| view | value | lines | 12e9 | - |");                         /* digits of a hash */
    made_says(&report, "Warning: the runs had other settings (1, below)");
    made_silent(&report, "versions of the program");
    made_json(&report, "changes.leakage.0.change", "3");
    made_json(&report, "changes.leakage.1.old", "null");
    made_json(&report, "changes.probes.0.new", "0.25");
    made_json(&report, "changes.settings.0.new", "\"12e9\"");
    made_json(&report, "summary.changed", "true");
    made_report_free(&report);
}

static void test_items(void **state)
{
    struct change row[] = {
        { TEXT(HISTORY_ITEMS), { TEXT("b"), NONE, NONE, NONE, NONE }, TEXT("added"), NONE, TEXT("4"), -1, -1 },
        { TEXT(HISTORY_ITEMS), { TEXT("b"), NONE, TEXT("b"), NONE, NONE }, TEXT("moved"), NONE, TEXT("1"), -1, -1 },
        { TEXT(HISTORY_ITEMS), { TEXT("b"), NONE, TEXT("c"), NONE, NONE }, TEXT("newly leaked"), NONE, TEXT("3"), -1,
          -1 },
        { TEXT(HISTORY_ITEMS), { TEXT("b"), NONE, TEXT("c"), NONE, NONE }, TEXT("removed"), NONE, TEXT("1"), -1, -1 },
        { TEXT(HISTORY_ITEMS), { TEXT("z"), NONE, NONE, NONE, NONE }, TEXT(ITEMS_NOT_COMPARED), NONE, TEXT("why"), -1,
          -1 },
        { TEXT(HISTORY_ITEMS), { NONE, NONE, NONE, NONE, NONE }, TEXT(ITEMS_NEW_LEAKS), NONE, TEXT("3"), -1, -1 },
    };
    struct changed_item  item[] = {
        { TEXT("newly leaked"), TEXT("b"), NONE, TEXT("i1"), NONE, TEXT("c"), { NONE, -1, NONE },
          { TEXT("near"), 0.9, TEXT("c/s:1") } },
        { TEXT("moved"), TEXT("b"), TEXT("test"), TEXT("i2"), TEXT("p"), TEXT("b"), { TEXT("near"), 0.8, TEXT("b/s:1")
          },
          { TEXT("exact"), 1, TEXT("b/s:2") } },
        { TEXT("newly leaked"), TEXT("b"), NONE, TEXT("i3"), NONE, TEXT("c"), { NONE, -1, NONE },
          { TEXT("copy"), 1, TEXT("c/s:2") } },
        { TEXT("removed"), TEXT("b"), NONE, TEXT("i4"), NONE, TEXT("c"), { TEXT("near"), 0.7, TEXT("c/s:3") },
          { NONE, -1, NONE } },
    };
    const struct changes changes = { .at = row, .count = 6, .item = item, .item_count = 4 };
    struct made_report   report;

    (void)state;
    assert_int_equal(changes_new_leaks(&changes), 3);
    assert_true(changes_lack_items(&changes));
    told(&changes, 1, &report);
    made_says(&report, "\nb in its other splits: 1 moved.\n");
    made_says(&report, "\nb in c: 3 newly leaked, 1 removed.\n");
    made_says(&report, "Items of z were not compared: why.");
    made_says(&report, "| b | all | i1 | - | c | near | 0.900 | c/s:1 |");
    made_silent(&report, "i3");                             /* the second row is for scripts */
    made_says(&report, "1 row more: look there.");
    made_says(&report, "1 more are counted and not listed.");
    made_says(&report, "| b | test | i2 | p | b | near | 0.800 | b/s:1 | exact | 1.000 | b/s:2 |");
    made_says(&report, "| dataset | split | id | path | in | was found as | was alike | old match | is found as | "
                       "alike | match |\n");
    made_says(&report, "| b | all | i4 | - | c | near | 0.700 | c/s:3 |");
    made_json(&report, "items.newly_leaked.1.id", "\"i3\"");
    made_json(&report, "items.no_longer_leaked", "[]");
    made_json(&report, "items.moved.0.old_alike", "0.8");
    made_json(&report, "summary.newly_leaked", "3");
    made_json(&report, "summary.new_leaks", "3");
    made_report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing), cmocka_unit_test(test_values),
                                        cmocka_unit_test(test_items) };

    return cmocka_run_group_tests_name("history/tell", tests, NULL, NULL);
}
