/* tests/unit/licence/table.c -- what the modules rely on: orders, numbers that are places, words as words.c reads
 * them.  That the table is data/licences.json is what tests/cli/licences.sh asks. */
#include "licence/table.h"

#include "licence/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <strings.h>

static bool is_row(size_t row) { return row < licence_row_count; }

static void rows(void **unused)
{
    (void)unused;
    for (size_t i = 1; i < licence_row_count; i++)
        if (strcasecmp(licence_rows[i - 1].id, licence_rows[i].id) >= 0) fail_msg("%s", licence_rows[i].id);
    for (size_t i = 0; i < licence_other_count; i++) assert_true(is_row(licence_others[i].row));
    for (size_t i = 0; i < licence_family_count; i++) {
        const struct licence_family *family = &licence_families[i];

        assert_true(is_row(family->any) || (family->any == LICENCE_NOTHING && family->count));
        assert_true(family->of < licence_family_count);
        for (size_t v = family->first; v < (size_t)family->first + family->count; v++)
            assert_true(is_row(licence_versions[v].only) && is_row(licence_versions[v].later));
    }
}

static void phrases(void **unused)
{
    static struct words words;

    (void)unused;
    for (size_t i = 0; i < licence_phrase_count; i++) {
        const struct licence_phrase *p = &licence_phrases[i];

        words_read(&words, slice_of(p->words));
        if (words.len != strlen(p->words) + 1 || memcmp(words.text, p->words, words.len - 1) != 0)
            fail_msg("no text is read as `%s'", p->words);
        assert_true(p->number < (p->kind == PHRASE_TEXT ? LICENCE_TESTS : licence_family_count));
    }
    assert_true(licence_text_count <= LICENCE_TEXTS);
    for (size_t i = 0; i < licence_text_count; i++) {
        assert_true(is_row(licence_texts[i].row[0]) && licence_texts[i].must[0] > 0);
        assert_true(licence_texts[i].family == LICENCE_NOTHING || licence_texts[i].family < licence_family_count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rows), cmocka_unit_test(phrases) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
