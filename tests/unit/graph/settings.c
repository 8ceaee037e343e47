/* tests/unit/graph/settings.c -- rows of table run as texts, in the order in which they are added. */
#include "graph/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void test_texts(void **state)
{
    static const struct { const char *key, *value; } rows[] = {
        { "text", "a b" }, { "empty", "" }, { "format", "7 of x" }, { "number", "18446744073709551615" },
        { "yes", "true" }, { "no", "false" }, { "ratio", "0.75" }, { "off", "off" }, { "third", "0.333333333" },
        { "seconds", "1.500" }, { "time", "2001-09-09T01:46:40Z" },
    };
    struct settings s = { 0 };
    char            key[] = "text", value[] = "a b";

    (void)state;
    settings_add_text(&s, key, slice_of(value));
    key[0] = value[0] = '?';                                /* copied */
    settings_add_text(&s, "empty", SLICE(""));
    settings_add_format(&s, "format", "%d of %s", 7, "x");
    settings_add_number(&s, "number", UINT64_MAX);
    settings_add_bool(&s, "yes", true);
    settings_add_bool(&s, "no", false);
    settings_add_ratio(&s, "ratio", (struct ratio){ 3, 4 });
    settings_add_ratio(&s, "off", (struct ratio){ 0, 0 });
    settings_add_ratio(&s, "third", (struct ratio){ 1, 3 });
    settings_add_seconds(&s, "seconds", 1.5);
    settings_add_time(&s, "time", 1000000000);
    assert_false(s.failed);
    assert_int_equal(s.count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < s.count; i++) {
        assert_string_equal(s.row[i].key, rows[i].key);
        if (!slice_equal(s.row[i].value, slice_of(rows[i].value)))
            fail_msg("%s: %.*s", rows[i].key, (int)s.row[i].value.len, s.row[i].value.at);
    }
    settings_free(&s);
    assert_true(!s.row && s.count == 0);
}

/* Rows stay what they were when there are many of them, and what is too long for a format is cut. */
static void test_many(void **state)
{
    struct settings s = { 0 };
    char            key[16], wide[400];

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "key.%u", i);
        settings_add_number(&s, key, i);
    }
    assert_int_equal(s.count, 1000);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "key.%u", i);
        assert_string_equal(s.row[i].key, key);
        assert_true(slice_equal(s.row[i].value, slice_of(key + 4)));
    }
    memset(wide, 'w', sizeof wide - 1);
    wide[sizeof wide - 1] = 0;
    settings_add_format(&s, "wide", "%s", wide);
    assert_int_equal(s.row[1000].value.len, 255);
    settings_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts), cmocka_unit_test(test_many) };

    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
