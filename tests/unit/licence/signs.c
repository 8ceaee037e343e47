/* tests/unit/licence/signs.c -- no name and no text of a licence is without a sign; code is. */
#include "licence/signs.h"

#include "licence/mention.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* Names as texts write them: between other words, in capitals, with marks, numbers and line ends about them. */
static void every_name(void **unused)
{
    static const char *const around[][2] = { { "", "" }, { "x = \"", "\"" }, { "int a7", "_b" }, { "(", ")" },
                                             { "say(\"\\n", "\\n\");" }, { "# see\n#  ", "\n" }, { "3", "2" } };
    struct words    words;
    struct mentions mentions;
    size_t          found = 0;
    char            text[512];

    (void)unused;
    for (size_t p = 0; p < licence_phrase_count; p++) {
        if (licence_phrases[p].kind == PHRASE_TEXT) continue;
        for (size_t i = 0; i < 4 * sizeof around / sizeof *around; i++) {
            const char *const *sides = around[i / 4];
            size_t             len = (size_t)snprintf(text, sizeof text, "%s", sides[0]);

            for (const char *at = licence_phrases[p].words; *at; at++) {
                if (*at == ' ' && i % 4 == 1) len += (size_t)snprintf(text + len, sizeof text - len, "\n * ");
                else if (*at == ' ' && i % 4 == 2 && !isalpha((unsigned char)at[-1]) != !isalpha((unsigned char)at[1]))
                    continue;                               /* X11, CC0 */
                else if (*at == ' ' && i % 4 == 3) text[len++] = '-';
                else text[len++] = i % 4 == 2 ? (char)toupper((unsigned char)*at) : *at;
            }
            snprintf(text + len, sizeof text - len, "%s", sides[1]);
            words_read(&words, slice_of(text));
            mentions_find(&mentions, &words, true);
            found += mentions.count > 0;
            if (mentions.count && !licence_may_name(slice_of(text))) fail_msg("no sign in `%s`", text);
        }
    }
    assert_true(found > licence_phrase_count * 10);
}

static void every_text(void **unused)
{
    char text[4096];

    (void)unused;
    for (size_t i = 0; i < licence_text_count; i++) {
        size_t len = 0;

        for (size_t k = 0; k < LICENCE_MUST && licence_texts[i].must[k]; k++)
            for (size_t p = 0; p < licence_phrase_count; p++)
                if (licence_phrases[p].kind == PHRASE_TEXT && licence_phrases[p].number + 1 == licence_texts[i].must[k])
                    len += (size_t)snprintf(text + len, sizeof text - len, "%s.\n", licence_phrases[p].words);
        if (!licence_may_name((struct slice){ text, len })) fail_msg("no sign in `%s`", text);
    }
}

static void what_else_is_read(void **unused)
{
    static const char *const signs[] = { "SPDX-License-Identifier: Own", "// Public domain.", "REPUBLIC DOMAIN", "mit",
                                         "2MIT2", "X11", "x-11", "x  11", "\\nmit", "Licence", "cc0", "CC BY" };
    static const char *const none[] = { "", "m", "mi", "submit()", "emit(x)", "nmit", "\\mita",
                                        "public static int slice(int x1) { return x[1]; }",
                                        "for (int x = 1; x < 9; x++) limits += mitre[x] * perforate;" };

    (void)unused;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!licence_may_name(slice_of(signs[i]))) fail_msg("no sign in `%s`", signs[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (licence_may_name(slice_of(none[i]))) fail_msg("a sign in `%s`", none[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name),
        cmocka_unit_test(every_text),
        cmocka_unit_test(what_else_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
