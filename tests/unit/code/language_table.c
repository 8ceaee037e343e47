/* tests/unit/code/language_table.c -- what the lexer and the look-ups rely on in every row. */
#include "code/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define each_row(row) (const struct language *row = language_rows; row < language_rows + language_row_count; row++)

static bool is_lower(const char *word)
{
    for (; *word; word++)
        if (*word >= 'A' && *word <= 'Z') return false;
    return true;
}

/* Names are compared without case by folding one side only, so the rows have lower case; and a name, an extension, a
 * file or an interpreter belongs to one row. */
static void every_name_finds_its_row(void **unused)
{
    char path[64];

    (void)unused;
    for each_row(row) {
        assert_true(is_lower(row->name));
        assert_ptr_equal(language_by_name(slice_of(row->name)), row);
        for (const char *const *word = row->aliases; word && *word; word++)
            if (!is_lower(*word) || language_by_name(slice_of(*word)) != row)
                fail_msg("%s: alias %s", row->name, *word);
        for (const char *const *word = row->extensions; word && *word; word++) {
            snprintf(path, sizeof path, "x.%s", *word);
            if (!is_lower(*word) || language_by_path(slice_of(path)) != row)
                fail_msg("%s: extension %s", row->name, *word);
        }
        for (const char *const *word = row->files; word && *word; word++)
            if (!is_lower(*word) || language_by_path(slice_of(*word)) != row) fail_msg("%s: file %s", row->name, *word);
        for (const char *const *word = row->interpreters; word && *word; word++) {
            snprintf(path, sizeof path, "#!/bin/%s\n", *word);
            if (!is_lower(*word) || language_by_shebang(slice_of(path)) != row)
                fail_msg("%s: interpreter %s", row->name, *word);
        }
    }
}

/* The lexer takes the first operator that fits: none may begin with one that stands before it. */
static void no_operator_hides_another(void **unused)
{
    (void)unused;
    for each_row(row)
        for (const char *const *op = row->operators; *op; op++) {
            assert_in_range(strlen(*op), 2, 4);
            for (const char *const *before = row->operators; before < op; before++)
                if (strncmp(*op, *before, strlen(*before)) == 0 && strlen(*op) > strlen(*before))
                    fail_msg("%s: %s stands after %s", row->name, *op, *before);
        }
}

/* A form is tried only where a special character stands, forms end, and none hides a longer one behind it. */
static void every_form_can_open(void **unused)
{
    enum { FORMS = sizeof language_rows[0].forms / sizeof language_rows[0].forms[0] };

    (void)unused;
    for each_row(row) {
        size_t count = 0;

        while (count < FORMS && row->forms[count].kind != FORM_END)
            count++;
        assert_true(count < FORMS);
        for (size_t i = 0; i < count; i++) {
            const struct form *form = &row->forms[i];

            if (!form->open[0] || !strchr(row->special, form->open[0]))
                fail_msg("%s: no special character opens %s", row->name, form->open);
            for (size_t before = 0; before < i; before++)
                if (row->forms[before].kind == FORM_LINE && row->forms[before].flags == 0 &&
                    strncmp(form->open, row->forms[before].open, strlen(row->forms[before].open)) == 0)
                    fail_msg("%s: %s stands after the comment %s", row->name, form->open, row->forms[before].open);
            if (form->kind == FORM_NESTED)                  /* which jumps from one shared character to the next */
                assert_true(strlen(form->open) == 2 && strlen(form->close) == 2 &&
                            (form->open[0] == form->close[1] || form->open[1] == form->close[0]));
            if (form->kind == FORM_STRING || form->kind == FORM_BLOCK) assert_true(form->close[0]);
        }
    }
}

/* A prefix is looked up in four bytes, in lower case where the row does not care for case. */
static void every_prefix_can_match(void **unused)
{
    (void)unused;
    for each_row(row)
        for (const struct prefix *p = row->prefixes; p && p->word; p++) {
            assert_in_range(strlen(p->word), 1, 3);
            if (row->flags & ROW_PREFIX_FOLDED) assert_true(is_lower(p->word));
        }
}

static void the_last_row_hides_nothing(void **unused)
{
    const struct language *text = &language_rows[language_row_count - 1];

    (void)unused;
    assert_string_equal(text->name, "text");
    assert_true(text->forms[0].kind == FORM_END && !*text->special && !*text->operators && !*text->strays);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_finds_its_row), cmocka_unit_test(no_operator_hides_another),
        cmocka_unit_test(every_form_can_open), cmocka_unit_test(every_prefix_can_match),
        cmocka_unit_test(the_last_row_hides_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
