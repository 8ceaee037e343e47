/* pipeline/code/lexer_sets.c -- the classes of bytes of a language. */
#include "code/lexing.h"

/* Sets in the layout of struct byteset. */
static const struct byteset word_characters = {             /* letters, digits, underscore, 0x80-0xFF */
    { 0xA8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF0, 0x50, 0x50, 0x50, 0x50, 0x70 }, 0xFF
};
static const struct byteset digits = { { 8, 8, 8, 8, 8, 8, 8, 8, 8, 8 }, 0 };

/* What is single here is so whatever stands behind it. */
static void gaps_make(struct lexer_sets *sets)
{
    for (unsigned c = 0; c < 256; c++) {
        const bool blank = c == ' ' || (c >= '\t' && c <= '\r');

        sets->gap[c] = blank ? GAP_BLANK : c < ' ' || c >= 0x7F || c == '\\' || byteset_has(&sets->stray, (uint8_t)c)
            ? GAP_OTHER : GAP_SINGLE;
    }
    for (const char *const *op = sets->row->operators; *op; op++)
        if (sets->gap[(unsigned char)(*op)[0]] == GAP_SINGLE && !char_in((*op)[0], "(),{}[]"))
            sets->gap[(unsigned char)(*op)[0]] = GAP_LONGER;
}

void lexer_sets_make(struct lexer_sets *sets, const struct language *row)
{
    *sets = (struct lexer_sets){ .row = row, .word = word_characters, .special = digits };
    for (const char *c = row->word_extra; *c; c++)
        byteset_add(&sets->word, (unsigned char)*c);
    for (const char *c = row->special; *c; c++)
        byteset_add(&sets->special, (unsigned char)*c);
    for (const char *c = row->strays; *c; c++)
        byteset_add(&sets->stray, (unsigned char)*c);
    sets->number_words = (!*row->word_extra || strcmp(row->word_extra, "$") == 0) &&
        (row->number == NUMBER_WORD || row->number == NUMBER_C || row->number == NUMBER_POINT);
    gaps_make(sets);
}
