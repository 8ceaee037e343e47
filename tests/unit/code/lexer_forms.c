/* tests/unit/code/lexer_forms.c -- where strings and comments end, and what belongs to them in front. */
#include "tokens.h"

/* string_end after the opening quotes, against the rule read one character at a time. */
static size_t plain_end(const char *text, size_t i, size_t len, char quote, size_t count, unsigned flags)
{
    while (i < len) {
        size_t run = 0;

        while (run < count && i + run < len && text[i + run] == quote)
            run++;
        if (run == count) {
            if (!(flags & FORM_DOUBLED) || i + 1 >= len || text[i + 1] != quote) return i + count;
            i += 2;
        } else if (!(flags & FORM_LINES) && (text[i] == '\n' || text[i] == '\r')) {
            return i;
        } else if ((flags & FORM_ESCAPES) && text[i] == '\\') {
            i += !(flags & FORM_LINES) && i + 2 < len && text[i + 1] == '\r' && text[i + 2] == '\n' ? 3 : 2;
        } else {
            i++;
        }
    }
    return len;
}

static void strings_end_by_the_rule(void **unused)
{
    static const struct { size_t count; unsigned flags; } kinds[] = {
        { 1, 0 }, { 1, FORM_ESCAPES }, { 1, FORM_DOUBLED }, { 1, FORM_LINES }, { 1, FORM_LINES | FORM_ESCAPES },
        { 1, FORM_LINES | FORM_DOUBLED }, { 3, FORM_LINES }, { 3, FORM_LINES | FORM_ESCAPES },
    };
    static const char letters[] = "''\\\\\n\rab\x01\xC3";
    uint64_t          state = 1;

    (void)unused;
    for (int round = 0; round < 20000; round++) {
        char         text[40];
        size_t       len = (size_t)round % sizeof text;
        struct slice slice;

        for (size_t i = 0; i < len; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            text[i] = state >> 63 ? 'x' : letters[(state >> 33) % (sizeof letters - 1)];
        }
        slice = padded_bytes(text, len);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            size_t got = string_end(slice.at, 0, len, '\'', kinds[k].count, kinds[k].flags);

            if (got != plain_end(slice.at, 0, len, '\'', kinds[k].count, kinds[k].flags))
                fail_msg("kind %zu ends at %zu: %.*s", k, got, (int)len, slice.at);
        }
    }
}

static void marks_are_found(void **unused)
{
    (void)unused;
    assert_int_equal(find_close("a*/b*/", 0, 6, "*/"), 1);
    assert_int_equal(find_close("a*/b*/", 2, 6, "*/"), 4);
    assert_int_equal(find_close("**/", 0, 3, "*/"), 1);
    assert_int_equal(find_close("a*/", 0, 2, "*/"), 2);     /* it ends beyond the text */
    assert_int_equal(find_close("*/", 0, 0, "*/"), 0);
    assert_int_equal(find_close("/", 0, 1, "*/"), 1);
    assert_int_equal(find_close("-->", 0, 3, "-->"), 0);
    assert_int_equal(find_close("x;", 0, 2, ";"), 1);
}

/* What begins at the first character that is special: its bytes, and the kind as a letter. */
static void piece_is(const char *language, const char *text, size_t at, enum piece_kind kind, const char *piece)
{
    struct slice slice = padded(text);
    struct scan  scan = scan_of(language, slice);
    struct piece got;
    size_t       i = at;

    while (i > 0 && text[i - 1] == '#') i--;                /* Rust's stand between a prefix and its quote */
    for (scan.word_end = i; i > 0 && is_word(text[i - 1]); i--) continue;
    scan.word_at = i;
    got = form_match(&scan, at);
    if (got.kind != kind || got.end - got.start != strlen(piece) ||
        strncmp(slice.at + got.start, piece, strlen(piece)) != 0)
        fail_msg("%s: `%s` gives kind %d, `%.*s`", language, text, (int)got.kind, (int)(got.end - got.start),
                 slice.at + got.start);
}

static void comments(void **unused)
{
    (void)unused;
    piece_is("c", "// a\nb", 0, PIECE_COMMENT, "// a");
    piece_is("c", "// a\\\nb\nc", 0, PIECE_COMMENT, "// a\\\nb");
    piece_is("java", "// a\\\nb", 0, PIECE_COMMENT, "// a\\");
    piece_is("java", "// a\r\nb", 0, PIECE_COMMENT, "// a");
    piece_is("c", "/* a */ b */", 0, PIECE_COMMENT, "/* a */");
    piece_is("c", "/* a", 0, PIECE_COMMENT, "/* a");
    piece_is("c", "/*/ a */", 0, PIECE_COMMENT, "/*/ a */");
    piece_is("c", "/ 2", 0, PIECE_NONE, "");
    piece_is("rust", "/* a /* b */ c */ d", 0, PIECE_COMMENT, "/* a /* b */ c */");
    piece_is("rust", "/* a /* b */ c", 0, PIECE_COMMENT, "/* a /* b */ c");
    piece_is("haskell", "{- a {- b -} c -} d", 0, PIECE_COMMENT, "{- a {- b -} c -}");
    piece_is("haskell", "--- a\n", 0, PIECE_COMMENT, "--- a");
    piece_is("haskell", "--> a\n", 0, PIECE_NONE, "");
    piece_is("shell", "a #b", 2, PIECE_COMMENT, "#b");
    piece_is("shell", "a#b", 1, PIECE_NONE, "");
    piece_is("perl", "$#a", 1, PIECE_NONE, "");
    piece_is("php", "#[Pure]", 0, PIECE_NONE, "");
    piece_is("php", "# a ?> b", 0, PIECE_COMMENT, "# a ");
    piece_is("ruby", "=begin\na\n=end x\nb", 0, PIECE_COMMENT, "=begin\na\n=end x");
    piece_is("ruby", "a =begin\n", 2, PIECE_NONE, "");
    piece_is("perl", "=pod\na\n=cut\nb", 0, PIECE_COMMENT, "=pod\na\n=cut");
    piece_is("perl", "= 1", 0, PIECE_NONE, "");
}

static void strings_and_prefixes(void **unused)
{
    (void)unused;
    piece_is("c", "\"a\\\"b\" c", 0, PIECE_STRING, "\"a\\\"b\"");
    piece_is("c", "\"a\nb\"", 0, PIECE_STRING, "\"a");
    piece_is("c", "u8\"a\"", 2, PIECE_PREFIXED, "u8\"a\"");
    piece_is("c", "x\"a\"", 1, PIECE_STRING, "\"a\"");
    piece_is("cpp", "R\"-(a)\" )-\" b", 1, PIECE_PREFIXED, "R\"-(a)\" )-\"");
    piece_is("cpp", "R\"(a", 1, PIECE_PREFIXED, "R\"(a");
    piece_is("python", "Rb'''a\nb''' c", 2, PIECE_PREFIXED, "Rb'''a\nb'''");
    piece_is("python", "''' a\\''' b'''", 0, PIECE_STRING, "''' a\\''' b'''");
    piece_is("python", "'' 'a'", 0, PIECE_STRING, "''");
    piece_is("rust", "r##\"a\"# b\"## c", 3, PIECE_PREFIXED, "r##\"a\"# b\"##");
    piece_is("rust", "'a'", 0, PIECE_STRING, "'a'");
    piece_is("rust", "'\\u{1F600}'", 0, PIECE_STRING, "'\\u{1F600}'");
    piece_is("rust", "'\xC3\xA9'", 0, PIECE_STRING, "'\xC3\xA9'");
    piece_is("rust", "'static str", 0, PIECE_NONE, "");
    piece_is("rust", "b'a'", 1, PIECE_PREFIXED, "b'a'");
    piece_is("julia", "A'a'", 1, PIECE_NONE, "");           /* transposed */
    piece_is("r", "r\"--(a)- )--\" b", 1, PIECE_PREFIXED, "r\"--(a)- )--\"");
    piece_is("sql", "'it''s' b", 0, PIECE_STRING, "'it''s'");
    piece_is("csharp", "$@\"a\\\" b", 2, PIECE_STRING, "$@\"a\\\"");
    piece_is("csharp", "@\"a\"\"\nb\" c", 1, PIECE_STRING, "@\"a\"\"\nb\"");
    piece_is("kotlin", "\"\"\"a\\\"\"\" b", 0, PIECE_STRING, "\"\"\"a\\\"\"\"");
    piece_is("swift", "##\"a\"# \"## b", 2, PIECE_STRING, "##\"a\"# \"##");
    piece_is("scala", "raw\"a\\\" b", 3, PIECE_PREFIXED, "raw\"a\\\"");
    piece_is("scala", "sql\"a\\\"b\" c", 3, PIECE_PREFIXED, "sql\"a\\\"b\"");
    piece_is("php", "?> a <?php b", 0, PIECE_STRING, "?> a <?php");
    piece_is("php", "?> <?xml ?> <?= b", 0, PIECE_STRING, "?> <?xml ?> <?=");
    piece_is("cpp", "\"a\"_s b", 0, PIECE_STRING, "\"a\"_s");
    piece_is("cpp", "\"a\"sv b", 0, PIECE_STRING, "\"a\"sv");
    piece_is("cpp", "\"a\"PRIu64 b", 0, PIECE_STRING, "\"a\"");
    piece_is("cpp", "'a'_c b", 0, PIECE_STRING, "'a'_c");
    piece_is("c", "\"a\"_s b", 0, PIECE_STRING, "\"a\"");
    piece_is("swift", "#/a\"/b/# c", 0, PIECE_STRING, "#/a\"/b/#");
    piece_is("text", "\"a\"", 0, PIECE_NONE, "");
}

/* The quotes of a name are no part of it; what does not close is a string, and what is empty. */
static void names_and_operators(void **unused)
{
    static const struct { const char *text, *tokens; } cases[] = {
        { "`a b` `c\\`d`", "q:a b q:c\\`d" }, { "`` x `a", "s:`` n:x s:`a" }, { "`a\nb`", "s:`a n:b s:`" },
        { "a %in% b %% c", "n:a o:%in% n:b o:%% n:c" }, { "a % b\n%", "n:a o:% n:b o:%" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(tokens_of("r", cases[i].text, strlen(cases[i].text), LEX_ALL), cases[i].tokens);
}

/* Julia: a prefix takes the code out of the string, and letters behind it in. */
static void flags_behind_a_string(void **unused)
{
    static const char text[] = "\"$a\"b r\"$a\"im \"\"\"$a\"\"\"";

    (void)unused;
    assert_string_equal(tokens_of("julia", text, strlen(text), LEX_ALL),
                        "s:\"$ n:a s:\" n:b p:r\"$a\"im s:\"\"\"$ n:a s:\"\"\"");
}

/* Comments and docstrings are what the tokens leave out, and leave the tokens as they are. */
static void kept_comments(void **unused)
{
    static const char *const sources[][3] = {
        { "python", "#!/usr/bin/python\n# a\nx = '#'  # b\ndef f():\n    r'''c\n# d'''\n    f'{x # e\n}'",
          "#!/usr/bin/python|# a|# b|r'''c\n# d'''|# e|" },
        { "javascript", "/* a */ x = /\\/\\*/; // b\n<a /* c */ d='/*'>{/* e */}// f</a>",
          "/* a */|// b|/* c */|/* e */|" },
        { "ruby", "=begin\na\n=end\n\"#{x # b\n}\"\n__END__\nc", "=begin\na\n=end|# b|__END__\nc|" },
        { "rust", "/* a /* b */ c */ 'x' // d", "/* a /* b */ c */|// d|" },
        { "php", "<p>/* a */<?php # b ?>// c<?php // d", "# b |// d|" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const struct language *row = row_of(sources[i][0]);
        struct slice           text = padded(sources[i][1]);
        struct lexer           lexer = { 0 }, with = { 0 };
        struct err             err = { 0 };
        char                   got[256] = "";

        assert_int_equal(lexer_run(&lexer, row, text, LEX_ALL, &err), 0);
        assert_int_equal(lexer.comment_count, 0);
        for (int round = 0; round < 2; round++)
            assert_int_equal(lexer_run(&with, row, text, LEX_ALL | LEX_COMMENTS, &err), 0);
        assert_int_equal(with.count, lexer.count);
        assert_memory_equal(with.token, lexer.token, lexer.count * sizeof *lexer.token);
        for (size_t c = 0; c < with.comment_count; c++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s|", (int)with.comment[c].len,
                     text.at + with.comment[c].at);
        assert_string_equal(got, sources[i][2]);
        lexer_free(&lexer);
        lexer_free(&with);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_end_by_the_rule), cmocka_unit_test(marks_are_found), cmocka_unit_test(comments),
        cmocka_unit_test(strings_and_prefixes),
        cmocka_unit_test(names_and_operators), cmocka_unit_test(flags_behind_a_string), cmocka_unit_test(kept_comments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
