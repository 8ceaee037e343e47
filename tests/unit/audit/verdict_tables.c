/* tests/unit/audit/verdict_tables.c -- the tables: which there are, a row for what, and that both renderings hold. */
#include "audit/verdict.h"

#include "report/tsv.h"
#include "tests/unit/audit/made_features.h"

#include <cjson/cJSON.h>
#include <string.h>

static const struct verdict_options options = { .kind = { true, false, false }, .test_share = 0.5, .draws = 99,
                                                .threads = 1 };

static const struct report_node *find(const struct report_node *node, const char *key)
{
    const struct report_node *found = NULL;

    if (node->kind == REPORT_TABLE && strcmp(node->key, key) == 0) return node;
    for (const struct report_node *child = node->child; child && !found; child = child->next) found = find(child, key);
    return found;
}

static size_t rows(const struct report_document *d, const char *key)
{
    const struct report_node *table = find(d->root, key);
    size_t                    count = 0;

    if (!table) fail_msg("there is no table %s", key);
    for (const struct report_row *row = table->row; row; row = row->next) count++;
    return count;
}

static void make(struct verdict *v, bool one_label)
{
    struct err err = { 0 };

    *v = (struct verdict){ .name = "t|20" };
    made_features(&v->features, 12, 5, 0.2, 0.4, 8);
    for (size_t i = 0; i < v->features.count; i++)
        if (i < 10 || one_label) v->features.row[i].label = v->features.row[i].label == 1 || i < 5 ? -1 : 0;
    if (verdict_make(v, &options, NULL, NULL, &err) < 0) fail_msg("%s", err.text);
}

static void test_tables(void **unused)
{
    struct report_document d = { 0 };
    struct bytes           text = { 0 };
    struct verdict         v[2];
    cJSON                 *json;

    (void)unused;
    make(&v[0], false);
    make(&v[1], false);
    verdict_document(v, 2, &options, &d);
    assert_int_equal(rows(&d, "scores"), 2 * 3);
    assert_int_equal(rows(&d, "compared"), 2);
    assert_int_equal(rows(&d, "noise"), 2 * 3 * 3);
    assert_int_equal(rows(&d, "settings"), 2);
    assert_int_equal(rows(&d, "importance"), 2 * 12);
    assert_int_equal(rows(&d, "correlation"), 2 * 144);
    assert_int_equal(rows(&d, "files"), 2 * 60);
    assert_int_equal(rows(&d, "repositories"), 2 * (5 + 2));        /* half of ten, and two without a label */
    assert_int_equal(rows(&d, "untrained"), 2 * 12);
    assert_int_equal(rows(&d, "false_positives"), 2 * 3 * 2);
    assert_true(rows(&d, "roc") > 2 && rows(&d, "calibration") > 2);
    assert_int_equal(report_json(&d, &text), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    json = cJSON_Parse(text.at);
    assert_non_null(json);
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "scores_of_classifiers"), "scores"));
    cJSON_Delete(json);
    text.len = 0;
    assert_int_equal(report_markdown(&d, &text), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_non_null(strstr(text.at, "Without training data"));
    assert_null(strstr(text.at, "nan"));
    bytes_free(&text);
    report_close(&d);
    verdict_free(&v[0]);
    verdict_free(&v[1]);
}

/* Files without a label are told as such, in the order of the parts. */
static void test_parts(void **unused)
{
    struct report_document d = { 0 };
    struct bytes           text = { 0 };
    struct verdict         v;
    size_t                 count[3] = { 0 };

    (void)unused;
    make(&v, false);
    verdict_document(&v, 1, &options, &d);
    assert_int_equal(report_tsv(find(d.root, "files"), &text), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    for (const char *at = text.at; (at = strchr(at, '\n')) != NULL; at++)
        for (int p = 0; p < 3; p++) {
            static const char *const part[] = { "\tlearned\t", "\ttest\t", "\tunlabelled\t\t" };
            const size_t             len = strcspn(at + 1, "\n");
            const char              *found = strstr(at + 1, part[p]);

            count[p] += found && found < at + 1 + len;
        }
    assert_true(count[0] == 25 && count[1] == 25 && count[2] == 10);
    bytes_free(&text);
    report_close(&d);
    verdict_free(&v);
}

static void test_nothing_learned(void **unused)
{
    struct report_document d = { 0 };
    struct verdict         v;

    (void)unused;
    make(&v, true);
    verdict_document(&v, 1, &options, &d);
    assert_true(rows(&d, "scores") == 0 && rows(&d, "files") == 0 && rows(&d, "untrained") == 12);
    report_close(&d);
    verdict_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables), cmocka_unit_test(test_parts), cmocka_unit_test(test_nothing_learned),
    };

    return cmocka_run_group_tests_name("audit/verdict_tables", tests, NULL, NULL);
}
