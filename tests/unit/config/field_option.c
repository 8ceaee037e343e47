/* config/field_option: what --field takes, and the settings that it stands for. */
#include "config/field_option.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void settings_are_made(void **state)
{
    static const struct { const char *value, *setting; } good[] = {
        { "text=code", "datasets.*.fields.text=code" },
        { "id=meta.id", "datasets.*.fields.id=meta.id" },
        { "b.text=a=b", "datasets.b.fields.text=a=b" },
        { "java-1.5.tokens=t", "datasets.java-1.5.fields.tokens=t" },
    };
    char       out[FIELD_OPTION_MAX];
    struct err err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(field_option_setting(out, good[i].value, &err), 0);
        assert_string_equal(out, good[i].setting);
    }
    for (enum field f = 0; f < FIELD_COUNT; f++) {
        struct field_option option;

        snprintf(out, sizeof out, "d.%s=x.y", field_names[f]);
        assert_int_equal(field_option_parse(&option, out, &err), 0);
        assert_int_equal(option.field, f);
        assert_string_equal(option.name, "x.y");
        assert_true(slice_equal(option.dataset, SLICE("d")));
    }
}

static void the_rest_is_refused(void **state)
{
    static const struct { const char *value, *word; } bad[] = {
        { "", "no `=`" }, { "code", "no `=`" },           { "=x", "no such name" },
        { "txt=x", "no such name in `txt=x`; the names are text, id, path," },
        { ".text=x", "no dataset" },                      { "text=", "not the name of a field" },
        { "text=.a", "not the name" },                    { "text=a..b", "not the name" },
    };
    char       out[FIELD_OPTION_MAX], text[2 * FIELD_OPTION_MAX] = "text=";
    struct err err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(field_option_setting(out, bad[i].value, &err), -EINVAL);
        assert_non_null(strstr(err.text, bad[i].word));
    }
    memset(text + 5, 'a', sizeof text - 6);
    assert_int_equal(field_option_setting(out, text, &err), -EINVAL);
    assert_non_null(strstr(err.text, "too many bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_made), cmocka_unit_test(the_rest_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
