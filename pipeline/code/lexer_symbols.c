/* code/lexer_symbols.c -- operators beyond ASCII, and those made of letters.
 *
 * For the bitmaps every byte from 0x80 is a letter, which is right for most languages: they have no such operators.
 * Where a language has some, they are marked in a copy of the text, in characters that are no letters and that sources
 * do not have; few texts have any, and those that have none are only looked through for the bytes that could begin one.
 *
 * Sources: Julia's parser (julia-parser.scm: operators; its extensions of flisp: what may begin a name); The Swift
 * Programming Language, "Lexical Structure", operator-head; Scala 3's "Lexical Syntax" (opchar: Sm and So); the Haskell
 * 2010 Report, section 2.2 (uniSymbol); white space: ECMA-262 12.2 and 12.3, the C# standard 6.3.4. */
#include "code/lexing.h"

#include "base/search.h"

#include <string.h>
#include <strings.h>

/* Inclusive ranges, ascending. */
static const uint32_t swift_operators[][2] = {
    { 0xA1, 0xA7 },     { 0xA9, 0xA9 },     { 0xAB, 0xAC },     { 0xAE, 0xAE },     { 0xB0, 0xB1 },     { 0xB6, 0xB6 },
    { 0xBB, 0xBB },     { 0xBF, 0xBF },     { 0xD7, 0xD7 },     { 0xF7, 0xF7 },     { 0x2016, 0x2017 },
    { 0x2020, 0x2027 }, { 0x2030, 0x203E }, { 0x2041, 0x2053 }, { 0x2055, 0x205E }, { 0x2190, 0x23FF },
    { 0x2500, 0x2775 }, { 0x2794, 0x2BFF }, { 0x2E00, 0x2E7F }, { 0x3001, 0x3003 }, { 0x3008, 0x3020 },
    { 0x3030, 0x3030 },
};
/* Letters of names among them: big operators, constants, pictures. */
static const uint32_t julia_operators[][2] = {
    { 0xAC, 0xAC },     { 0xB1, 0xB1 },     { 0xD7, 0xD7 },     { 0xF7, 0xF7 },     { 0x2026, 0x2026 },
    { 0x205D, 0x205D }, { 0x214B, 0x214B }, { 0x2190, 0x2194 }, { 0x2196, 0x21FF }, { 0x2201, 0x2201 },
    { 0x2208, 0x220D }, { 0x2212, 0x221D }, { 0x2223, 0x222A }, { 0x2234, 0x223E }, { 0x2240, 0x22A3 },
    { 0x22A6, 0x22BD }, { 0x22C4, 0x22FF }, { 0x25B7, 0x25B7 }, { 0x27C2, 0x27C2 }, { 0x27C8, 0x27C9 },
    { 0x27D1, 0x27D2 }, { 0x27D5, 0x27D7 }, { 0x27F0, 0x27FF }, { 0x2900, 0x2982 }, { 0x2999, 0x29AF },
    { 0x29B5, 0x29FF }, { 0x2A07, 0x2A08 }, { 0x2A17, 0x2A1A }, { 0x2A1D, 0x2AFF }, { 0x2B30, 0x2B4C },
    { 0xFFE9, 0xFFEC },
};

/* Is there a range that holds it?  A range is found by its end. */
static bool in_ranges(const uint32_t (*range)[2], size_t count, uint32_t c)
{
    size_t low = search_u32(range, sizeof *range, sizeof **range, 0, count, c);

    return low < count && range[low][0] <= c;
}

static bool is_symbol(enum symbol_style style, uint32_t c)
{
    switch (style) {
    case SYMBOLS_SWIFT:   return in_ranges(swift_operators, sizeof swift_operators / sizeof *swift_operators, c);
    case SYMBOLS_JULIA:   return in_ranges(julia_operators, sizeof julia_operators / sizeof *julia_operators, c);
    case SYMBOLS_SCALA:
    case SYMBOLS_HASKELL: return c != 0xFFFD && c != 0xFEFF && !unicode_is_word(c) && !unicode_is_space(c);
    case SYMBOLS_SPACES:  return unicode_is_space(c) || c == 0xFEFF;
    case SYMBOLS_SQL:
    case SYMBOLS_NONE:    break;
    }
    return false;
}

/* Where the $$ of MySQL's line DELIMITER $$ stands: from there on it ends statements. */
static size_t dollar_delimiter(const char *text, size_t len)
{
    size_t i = 0;

    while ((i = find_close(text, i, len, "$$")) < len) {
        size_t word = i;

        while (word > 0 && is_blank(text[word - 1]))
            word--;
        if (word < i && word >= 9 && strncasecmp(text + word - 9, "delimiter", 9) == 0) break;
        i += 2;
    }
    return i;
}

static size_t mark_dollars(const char *text, char *to, size_t from, size_t len)
{
    size_t marked = 0;

    for (size_t i = from; (i = find_close(text, i, len, "$$")) < len; i += 2) {
        to[i] = SYMBOL_FIRST;
        to[i + 1] = SYMBOL_MORE;
        marked++;
    }
    return marked;
}

/* Marks the symbols in text[from..len), in `to`; their number.  One in single quotes is a character's. */
static size_t mark(enum symbol_style style, const char *text, char *to, size_t from, size_t len)
{
    size_t marked = 0;

    if (style == SYMBOLS_SQL) return mark_dollars(text, to, from, len);

    for (size_t i = from, used; i < len; i += used) {
        used = 1;
        if ((unsigned char)text[i] < 0xC2 || !is_symbol(style, unicode_decode(text + i, len - i, &used))) continue;
        if (i > 0 && text[i - 1] == '\'' && i + used < len && text[i + used] == '\'') continue;
        to[i] = style == SYMBOLS_SPACES ? ' ' : SYMBOL_FIRST;
        memset(to + i + 1, style == SYMBOLS_SPACES ? ' ' : SYMBOL_MORE, used - 1);
        marked++;
    }
    return marked;
}

/* Where the first byte of a character that may be one stands: of U+0080 to U+00FF and of U+2000 on. */
static size_t first_candidate(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c;
        uint64_t      eight;

        while (i < len && (memcpy(&eight, text + i, sizeof eight), !(eight & 0x8080808080808080)))
            i += sizeof eight;                              /* 64 bytes behind the text are readable */
        if (i >= len) break;
        c = (unsigned char)text[i];
        if (c >= 0xC2 && (c <= 0xC3 || c >= 0xE2)) return i;
    }
    return len;
}

int lexer_mark_symbols(struct lexer *lexer, const struct language *row, struct slice *text, struct err *err)
{
    size_t from = row->symbols == SYMBOLS_SQL ? dollar_delimiter(text->at, text->len)
        : first_candidate(text->at, text->len);

    if (from == text->len) return 0;
    if (bytes_reserve(&lexer->symbols, text->len) < 0) return err_memory(err, text->len, "a text with symbols");
    memcpy(lexer->symbols.at, text->at, text->len);
    memset(lexer->symbols.at + text->len, 0, BYTES_PAD);
    if (mark(row->symbols, text->at, lexer->symbols.at, from, text->len) == 0) return 0;
    text->at = lexer->symbols.at;
    return 1;
}
