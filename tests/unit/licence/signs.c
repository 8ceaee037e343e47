/* tests/unit/licence/signs.c -- no name and no text of a licence is without a sign; code is; and what is told by
 * blocks is what reading symbol by symbol tells. */
#include "licence/signs.h"

#include "licence/mention.h"
#include "licence/table.h"
#include "tests/unit/draw.h"

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
    static const char *const signs[] = { "SPDX-License-Identifier: Own", "// Public domain.", "\\nPUBLIC DOMAIN", "mit",
                                         "2MIT2", "X11", "x-11", "x  11", "\\nmit", "Licence", "cc0", "CC BY" };
    static const char *const none[] = { "", "m", "mi", "submit()", "REPUBLIC MAIN", "emit(x)", "nmit", "\\mita",
                                        "public static int slice(int x1) { return x[1]; }",
                                        "for (int x = 1; x < 9; x++) limits += mitre[x] * perforate;" };

    (void)unused;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!licence_may_name(slice_of(signs[i]))) fail_msg("no sign in `%s`", signs[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (licence_may_name(slice_of(none[i]))) fail_msg("a sign in `%s`", none[i]);
}

/* ---- against the obvious program ---- */

/* The text as symbols: letters in lower case, digits as 1, what is between words as one blank, or one line feed where
 * there is one among it; no escapes. */
static size_t symbols_of(struct slice text, char *out)
{
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.at[i];
        const char symbol = c < 0x80 && isalpha(c) ? (char)tolower(c) : c < 0x80 && isdigit(c) ? '1' : ' ';

        if (symbol != ' ' || (len && !isspace((unsigned char)out[len - 1]))) out[len++] = symbol;
        if (c == '\n' && len) out[len - 1] = '\n';
        if (c == '\\' && i + 1 < text.len && memchr("nrt", text.at[i + 1], 3)) i++;
    }
    return len;
}

static bool begins(const char *symbols, size_t len, const char *sign)
{
    for (size_t i = 0; sign[i]; i++) {
        const char symbol = i < len && symbols[i] != '\n' ? symbols[i] : ' ';
        const bool digit = isdigit((unsigned char)sign[i]);

        /* marks may follow */
        if (i >= 4 && sign[i] == ' ' && sign[i + 1] && i < len && symbols[i] == '\n') return true;
        if (sign[i] == ' ' ? symbol != ' ' && symbol != '1' : symbol != (digit ? '1' : sign[i])) return false;
    }
    return true;
}

static bool may_name(struct slice text)
{
    char   symbols[1024];
    size_t len = symbols_of(text, symbols);

    for (size_t at = 0; at < len; at++)
        for (size_t i = 0; i < licence_sign_count; i++)
            if (isalpha((unsigned char)symbols[at]) && (at == 0 || !isalpha((unsigned char)symbols[at - 1])) &&
                begins(symbols + at, len - at, licence_signs[i])) return true;
    return false;
}

/* Pieces of signs, of escapes and of what stands between words, so that about half of the texts have a sign; as long
 * as several blocks, which signs and escapes are cut by. */
static void as_the_obvious_program(void **unused)
{
    static const char *const pieces[] = { "a", "n", "t", "r", "m", "x", "Q", "7", " ", "  ", "\n", "\\", "\\n", "\\\\",
                                          "-", "\xc3\xa9", "_", "word", "int " };
    uint64_t random = seed_of_run();
    size_t   yes = 0, no = 0;

    (void)unused;
    for (int round = 0; round < 6000; round++) {
        const size_t want = draw(&random) % 300;
        char        *text = malloc(want + 1);               /* of that size, so that reading past the end is seen */
        size_t       len = 0;
        bool         expected;

        while (len < want) {
            const bool        sign = draw(&random) % 40 == 0;
            const char *const piece = sign ? licence_signs[draw(&random) % licence_sign_count]
                : pieces[draw(&random) % (sizeof pieces / sizeof *pieces)];
            size_t            n = sign ? 1 + draw(&random) % strlen(piece) : strlen(piece);

            if (n > want - len) n = want - len;
            memcpy(text + len, piece, n);
            len += n;
        }
        expected = may_name((struct slice){ text, len });
        if (licence_may_name((struct slice){ text, len }) != expected)
            fail_msg("%s sign in `%.*s`, round %d", expected ? "a" : "no", (int)len, text, round);
        *(expected ? &yes : &no) += 1;
        free(text);
    }
    assert_true(yes > 600 && no > 600);
}

/* A word of a sign across the borders of what is looked at together. */
static void across_blocks(void **unused)
{
    char text[6000];

    (void)unused;
    for (size_t at = 0; at + 8 < sizeof text; at += at > 80 && at < 1990 ? 61 : 1) {
        memset(text, at % 2 ? ' ' : '9', sizeof text);
        memcpy(text + at, "mit ", 4);
        assert_true(licence_may_name((struct slice){ text, sizeof text }));
        memcpy(text + at, "\\nmi", 4);
        assert_false(licence_may_name((struct slice){ text, sizeof text }));
        if (at) text[at - 1] = 'e';
        memcpy(text + at, "mit ", 4);
        assert_int_equal(licence_may_name((struct slice){ text, sizeof text }), at == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name),
        cmocka_unit_test(every_text),
        cmocka_unit_test(what_else_is_read),
        cmocka_unit_test(as_the_obvious_program),
        cmocka_unit_test(across_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
