/* tests/unit/lm/piece.c -- the cut of texts into pieces: by cases, and by the rule on random texts. */
#include "lm/lm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void cases(void **unused)
{
    static const struct { const char *text; size_t piece; } given[] = {
        { "a", 1 }, { "abc d", 3 }, { " abc d", 4 }, { "  abc", 1 }, { " ", 1 }, { " \n", 1 }, { "\n", 1 },
        { "\n  \t\r\nx", 6 }, { "\n\nx", 2 }, { "+=", 1 }, { " +=", 2 }, { " \t", 2 }, { "\t\t", 1 }, { "\r\n", 1 },
        { "a_1\xC3\xA9-", 5 }, { "\x7F" "a", 1 }, { "\x80", 1 }, { "\xFF\xFF", 2 }, { "a\n", 1 }, { "a ", 1 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (lm_piece(given[i].text, strlen(given[i].text)) != given[i].piece) fail_msg("case %zu", i);
    assert_int_equal(lm_piece("abc", 2), 2);                /* not past the text */
    assert_int_equal(lm_piece(" a", 1), 1);
    assert_int_equal(lm_piece("\n ", 1), 1);
    assert_int_equal(lm_piece("\0a", 2), 1);
}

static void long_pieces_are_cut(void **unused)
{
    char word[200], space[200], lines[200];

    (void)unused;
    memset(word, 'w', sizeof word);
    memset(space, 'w', sizeof space);
    space[0] = ' ';
    memset(lines, ' ', sizeof lines);
    lines[0] = '\n';
    assert_int_equal(lm_piece(word, 64), 64);
    assert_int_equal(lm_piece(word, 65), 64);
    assert_int_equal(lm_piece(word, 200), 64);
    assert_int_equal(lm_piece(space, 65), 65);
    assert_int_equal(lm_piece(space, 200), LM_PIECE_MAX);
    assert_int_equal(lm_piece(lines, 200), LM_PIECE_MAX);
    assert_int_equal(lm_piece(lines, 64), 64);
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

/* The rule of lm.h, one byte at a time. */
static size_t by_the_rule(const char *at, size_t len)
{
    size_t n = 1;

    if (*at == '\n') {
        while (n < len && n < LM_PIECE_MAX && strchr(" \t\n\v\f\r", at[n]) && at[n]) n++;
        return n;
    }
    if (*at == ' ' && (len == 1 || at[1] == ' ' || at[1] == '\n')) return 1;
    n = *at == ' ';
    if (!is_word(at[n])) return n + 1;
    for (size_t word = 0; n < len && word < 64 && is_word(at[n]); word++) n++;
    return n;
}

static void random_texts(void **unused)
{
    uint64_t state = 3;

    (void)unused;
    for (unsigned byte = 0; byte < 256; byte++) {
        char pair[2] = { 'a', (char)byte };

        assert_int_equal(lm_piece(pair, 2), is_word((char)byte) ? 2 : 1);
    }
    for (int round = 0; round < 2000; round++) {
        char   text[300];
        size_t len = 1 + (size_t)round % sizeof text;

        for (size_t i = 0; i < len; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            text[i] = state >> 61 ? "aaaaaaa\n  \t\r+_\xC3\0"[(state >> 40) % 16] : (char)(state >> 50);
        }
        for (size_t at = 0, piece; at < len; at += piece) {
            piece = lm_piece(text + at, len - at);
            if (piece != by_the_rule(text + at, len - at)) fail_msg("round %d, byte %zu: %zu", round, at, piece);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases), cmocka_unit_test(long_pieces_are_cut), cmocka_unit_test(random_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
