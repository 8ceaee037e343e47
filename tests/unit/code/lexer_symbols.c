/* tests/unit/code/lexer_symbols.c -- operators beyond ASCII, and names with a prefix that is no part of them. */
#include "tokens.h"

struct symbol_case { const char *language, *text, *tokens; };

static void expect_tokens(const struct symbol_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *tokens = tokens_of(cases[i].language, cases[i].text, strlen(cases[i].text), LEX_ALL);

        if (strcmp(tokens, cases[i].tokens) != 0)
            fail_msg("%s: `%s` gives `%s`", cases[i].language, cases[i].text, tokens);
    }
}
#define EXPECT_TOKENS(cases) expect_tokens(cases, sizeof(cases) / sizeof *(cases))

static void operators_split_names(void **unused)
{
    static const struct symbol_case cases[] = {
        { "julia", "x≤y", "n:x o:≤ n:y" }, { "julia", "√i+√2", "o:√ n:i o:+ o:√ d:2" },
        { "julia", "a∈b ∪ c÷d", "n:a o:∈ n:b o:∪ n:c o:÷ n:d" }, { "julia", "¬x⊻y", "o:¬ n:x o:⊻ n:y" },
        { "julia", "f = x→x⊗y", "n:f o:= n:x o:→ n:x o:⊗ n:y" },
        { "julia", "x≤\"a≤b\"", "n:x o:≤ s:\"a≤b\"" }, { "julia", "'≤' ≤ '√'", "s:'≤' o:≤ s:'√'" },
        { "haskell", "f∘g", "n:f o:∘ n:g" }, { "haskell", "a → b", "n:a o:→ n:b" },
        { "scala", "a∪b", "n:a o:∪ n:b" }, { "swift", "a≠b", "n:a o:≠ n:b" }, { "swift", "√x", "o:√ n:x" },
        { "julia", "x = 1 # x≤y\ny≥z", "n:x o:= d:1 n:y o:≥ n:z" },
    };

    (void)unused;
    EXPECT_TOKENS(cases);
}

static void letters_stay_letters(void **unused)
{
    static const struct symbol_case cases[] = {
        { "julia", "∂x∇y∑z∞", "n:∂x∇y∑z∞" }, { "julia", "α₁ᵀ=ħ", "n:α₁ᵀ o:= n:ħ" },
        { "julia", "⊥⊤∅∫f", "n:⊥⊤∅∫f" }, { "julia", "ⅈ€", "n:ⅈ€" },
        { "swift", "let 犬€ = 🐶", "n:let n:犬€ o:= n:🐶" }, { "haskell", "naïve' Ωmega", "n:naïve' n:Ωmega" },
        { "ruby", "x≤y", "n:x≤y" }, { "python", "µ", "n:µ" },
        /* no UTF-8, and control characters that the mark uses */
        { "julia", "x\xE2\x89y", "n:x\xE2\x89y" }, { "julia", "\x1E\x1F", "x:\x1E x:\x1F" },
    };

    (void)unused;
    EXPECT_TOKENS(cases);
}

/* Names come alone, too: where they stand is said of the text as it was given. */
static void names_alone(void **unused)
{
    static const char text[] = "aa≤bb√cc∂";

    (void)unused;
    assert_string_equal(tokens_of("julia", text, strlen(text), LEX_NAMES), "n:aa n:bb n:cc∂");
    assert_string_equal(tokens_of("ruby", text, strlen(text), LEX_NAMES), "n:aa≤bb√cc∂");
}

static void white_space_and_delimiters(void **unused)
{
    static const struct symbol_case cases[] = {
        { "javascript", "a\xC2\xA0= b\xE2\x80\xA8""c\xEF\xBB\xBF'\xC2\xA0'", "n:a o:= n:b n:c s:'\xC2\xA0'" },
        { "csharp", "\xC2\xA0""a\xE3\x80\x80é", "n:a n:é" }, { "python", "a\xC2\xA0", "n:a\xC2\xA0" },
        { "sql", "DELIMITER $$\na; END$$\nb $$", "n:DELIMITER o:$$ n:a o:; n:END o:$$ n:b o:$$" },
        { "sql", "a $$ b $$ c$$", "n:a s:$$ b $$ n:c$$" },
    };

    (void)unused;
    EXPECT_TOKENS(cases);
}

static void raw_names(void **unused)
{
    static const struct symbol_case cases[] = {
        { "rust", "r#try(r#fn)", "q:try o:( q:fn o:)" }, { "rust", "r#\"a\"#", "p:r#\"a\"#" },
        { "rust", "#[derive(r#a)]", "o:# o:[ n:derive o:( q:a o:) o:]" }, { "rust", "br#x r#", "n:br o:# n:x n:r o:#" },
        { "rust", "r #x r#1", "n:r o:# n:x n:r o:# d:1" },
        { "sql", "SELECT U&\"d\\0061t\" FROM t", "n:SELECT q:d\\0061t n:FROM n:t" },
        { "sql", "u&'a'", "p:u&'a'" }, { "sql", "a&\"b\"", "n:a o:& q:b" },
        { "csharp", "new { @class = @a.b, @\"c\", @$\"{@if}\", @1 }",
          "n:new o:{ q:class o:= q:a o:. n:b o:, s:@\"c\" o:, s:@$\"{ q:if s:}\" o:, o:@ d:1 o:}" },
        { "csharp", "in @in@", "n:in q:in o:@" }, { "kotlin", "x in `in`", "n:x n:in q:in" },
    };

    (void)unused;
    EXPECT_TOKENS(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_split_names), cmocka_unit_test(letters_stay_letters),
        cmocka_unit_test(names_alone), cmocka_unit_test(raw_names),
        cmocka_unit_test(white_space_and_delimiters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
