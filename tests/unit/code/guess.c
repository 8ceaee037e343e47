/* tests/unit/code/guess.c -- texts of a few lines, of which nothing else says what they are. */
#include "code/guess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const bool none[GUESS_LANGUAGES];

static const struct { const char *language, *text; } samples[] = {
    { "python", "def mean(values):\n    if not values:\n        raise ValueError(\"none\")\n"
                "    return sum(values) / len(values)\n" },
    { "java", "public static int count(List<String> names, String prefix) {\n    int found = 0;\n"
              "    for (String name : names) {\n        if (name.startsWith(prefix)) found++;\n    }\n"
              "    return found;\n}\n" },
    { "c", "static int find(const char *text, size_t len, char wanted)\n{\n    for (size_t i = 0; i < len; i++)\n"
           "        if (text[i] == wanted) return (int)i;\n    return -1;\n}\n" },
    { "cpp", "template <typename T>\nstd::vector<T> twice(const std::vector<T> &in)\n{\n    std::vector<T> out;\n"
             "    for (const auto &x : in) out.push_back(x);\n    return out;\n}\n" },
    { "javascript", "function sum(list) {\n  let total = 0;\n  for (const x of list) {\n    total += x;\n  }\n"
                    "  return total === undefined ? null : total;\n}\nmodule.exports = { sum };\n" },
    { "go", "func Count(names []string) (int, error) {\n\tif len(names) == 0 {\n"
            "\t\treturn 0, errors.New(\"none\")\n\t}\n"
            "\tn := 0\n\tfor _, name := range names {\n\t\tn += len(name)\n\t}\n\treturn n, nil\n}\n" },
    { "rust", "pub fn first(words: &[String]) -> Option<&str> {\n    let mut best = None;\n"
              "    for w in words.iter() {\n"
              "        best = match best {\n            None => Some(w.as_str()),\n            other => other,\n"
              "        };\n    }\n    best\n}\n" },
    { "ruby", "def greet(names)\n  names.each do |name|\n    puts \"Hello #{name}\" unless name.nil?\n  end\nend\n" },
    { "php", "<?php\nfunction total($items) {\n    $sum = 0;\n    foreach ($items as $item) {\n"
             "        $sum += $item->price;\n    }\n    return $sum;\n}\n" },
    { "shell", "for file in \"$@\"; do\n    if [ -f \"$file\" ]; then\n        echo \"$file\"\n    fi\ndone\n" },
    { "haskell", "import qualified Data.Map as Map\n\ncount :: Ord a => [a] -> Map.Map a Int\n"
                 "count = foldr (\\x -> Map.insertWith (+) x 1) Map.empty\n  where\n    _unused = ()\n" },
    { "sql", "CREATE TABLE users (id INTEGER NOT NULL, name VARCHAR(20));\n"
             "INSERT INTO users VALUES (1, 'a');\nSELECT name FROM users WHERE id = 1;\n" },
};

static const char *guessed(const char *text, const bool likely[GUESS_LANGUAGES])
{
    struct guess           guess = { 0 };
    const struct language *row;

    guess_add(&guess, slice_of(text));
    row = guess_best(&guess, likely);
    return row ? language_name(row) : "none";
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (strcmp(guessed(samples[i].text, none), samples[i].language) != 0)
            fail_msg("%s is taken for %s", samples[i].language, guessed(samples[i].text, none));
}

/* What is no source has no language, and neither has what is in many. */
static void test_none(void **state)
{
    struct guess guess = { 0 };

    (void)state;
    assert_null(guess_best(&guess, none));
    assert_string_equal(guessed("", none), "none");
    assert_string_equal(guessed("The committee met in the morning, and for a while nothing was said of the matter.\n"
                                "If there is time, it will be on the list of next week.\n", none), "none");
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) guess_add(&guess, slice_of(samples[i].text));
    assert_null(guess_best(&guess, none));
}

/* A piece that two languages could have is of the one that others are of. */
static void test_likely(void **state)
{
    static const char either[] = "public int get(int index) {\n    return this.values[index];\n}\n";
    bool              java[GUESS_LANGUAGES] = { 0 }, csharp[GUESS_LANGUAGES] = { 0 };

    (void)state;
    java[guess_place("java")] = csharp[guess_place("csharp")] = true;
    assert_string_equal(guessed(either, java), "java");
    assert_string_equal(guessed(either, csharp), "csharp");
    assert_int_equal(guess_place("cobol"), GUESS_LANGUAGES);
}

/* Every language of the table is one of the program, and the words can be searched. */
static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < GUESS_LANGUAGES; i++) assert_non_null(language_by_name(slice_of(guess_languages[i])));
    assert_null(guess_languages[GUESS_LANGUAGES]);
    for (size_t w = 0; w < guess_word_count; w++) {
        assert_int_equal(strlen(guess_words[w].share), GUESS_LANGUAGES);
        assert_true(w == 0 || strcmp(guess_words[w - 1].text, guess_words[w].text) < 0);
    }
}

/* Any bytes, of any length. */
static void test_bytes(void **state)
{
    static char  text[1 << 16];
    struct guess guess = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * 2654435761u >> 13);
    for (size_t n = 0; n < sizeof text; n = n * 2 + 1) guess_add(&guess, (struct slice){ text, n });
    memset(text, '\n', sizeof text);
    guess_add(&guess, (struct slice){ text, sizeof text });
    assert_int_equal(guess.texts, 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_samples), cmocka_unit_test(test_none),
                                        cmocka_unit_test(test_likely), cmocka_unit_test(test_table),
                                        cmocka_unit_test(test_bytes) };

    return cmocka_run_group_tests_name("guess", tests, NULL, NULL);
}
