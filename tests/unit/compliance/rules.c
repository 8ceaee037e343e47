/* tests/unit/compliance/rules.c -- licences that answers name, by our rules; the format of rules and its traps. */
#include "compliance/rules.h"

#include "tests/unit/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char *found(const struct rules *rules, const char *text, bool *several)
{
    static struct bytes scratch;
    const char         *name = rules_find(rules, slice_of(text), several, &scratch);

    assert_non_null(scratch.at);
    bytes_free(&scratch);
    return name;
}

/* The published examples, by the rules of data/licence_rules.json. */
static void test_published(void **unused)
{
    static const struct { const char *text, *id; } said[] = {
        { "Apache License 2.0", "apache-2.0" },             { "MIT License", "mit" },
        { "BSD 3-Clause License", "bsd-3-clause" },         { "The BSD 2-Clause", "bsd-2-clause" },
        { "New BSD License", NULL },                        { "GNU General Public License v3.0", "gpl-3.0-only" },
        { "GNU General Public License v3.0 or later", "gpl-3.0-or-later" },
        { "GNU GPL version 2 or later", "gpl-2.0-or-later" },
        { "GPL v2", "gpl-2.0-only" },
        { "GNU Lesser General Public License v2.1", "lgpl-2.1-only" },
        { "LGPL v3 or later", "lgpl-3.0-or-later" },
        { "GNU Affero General Public License v3", "agpl-3.0-only" },
        { "MPL 2.0", "mpl-2.0" },                           { "Mozilla Public License, v. 2.0", "mpl-2.0" },
        { "Eclipse Public License - v 2.0", "epl-2.0" },    { "MIT 0", "mit-0" },
        { "BSD 30", NULL },                                 { "gpl 20", NULL },
        { "AGPL-3.0", NULL },                               { "Python Software Foundation License", NULL },
        { "Apache-2.0", NULL },                             { "BSD-3-Clause", NULL },
        { "GPLv3", NULL },                                  { "(MIT)", NULL },
        { "", NULL },
    };
    struct rules *rules;
    struct err    err = { 0 };

    (void)unused;
    assert_int_equal(rules_open(&rules, "data/licence_rules.json", &err), 0);
    assert_true(rules_count(rules) >= 42);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const char *name = found(rules, said[i].text, NULL);

        if (name ? !said[i].id || strcmp(name, said[i].id) != 0 : said[i].id != NULL)
            fail_msg("`%s` is %s, not %s", said[i].text, name ? name : "nothing", said[i].id ? said[i].id : "nothing");
    }
    rules_close(rules);
}

static void test_format(void **unused)
{
    static const char json[] = "{\"A-1\": {\"name\": [\"aa\"], \"version\": [\"1.0\", \"3+\"]},"
        " \"B\": {\"must\": [\"bb\"], \"no\": [\"not\", \"never\"]}, \"C\": {\"name\": [\"Cc\"]},"
        " \"D\": {\"name\": [\"d e\"], \"version\": [\"2*x?\"]}}";
    struct rules *rules;
    struct err    err = { 0 };
    bool          several;

    (void)unused;
    assert_int_equal(rules_parse(&rules, "rules", slice_of(json), &err), 0);
    assert_int_equal(rules_count(rules), 4);
    assert_string_equal(found(rules, "AA v1x0", NULL), "a-1");              /* a point is any character */
    assert_null(found(rules, "aa v1.05", NULL));
    assert_null(found(rules, "aa 11.0", NULL));
    assert_string_equal(found(rules, "aa,aa -333", NULL) ? "x" : "-", "-"); /* no word by itself */
    assert_string_equal(found(rules, "aa -333", NULL), "a-1");
    assert_null(found(rules, "aa -3334", NULL));
    assert_string_equal(found(rules, "xbbx", &several), "b");
    assert_false(several);
    assert_null(found(rules, "bb NEVER", NULL));
    assert_null(found(rules, "Cc cc", NULL));               /* the text is in lower case, the rule is not */
    assert_string_equal(found(rules, "aa 1.0 bb", &several), "a-1");
    assert_true(several);
    assert_string_equal(found(rules, "d e v22x!", NULL), "d");
    assert_string_equal(found(rules, "d e -", NULL), "d");
    assert_string_equal(found(rules, "d e", NULL), "d");    /* nothing is a version, too, behind the space */
    rules_close(rules);
}

/* ---- versions: the same as trying every way ---- */

static bool naive_here(const char *pattern, const char *text)
{
    const char how = *pattern ? pattern[1] : 0;
    const bool often = how == '+' || how == '*' || how == '?';
    const bool fits = *pattern && *text && (*pattern == '.' ? *text != '\n' : *text == *pattern);

    if (!*pattern) return *text < '0' || *text > '9';
    if ((how == '*' || how == '?') && naive_here(pattern + 2, text)) return true;
    if (!fits) return false;
    if ((how == '+' || how == '*') && naive_here(pattern, text + 1)) return true;
    return naive_here(pattern + (often ? 2 : 1), text + 1);
}

static bool naive(const char *pattern, const char *text)
{
    for (; *text; text++)
        if (strchr("v- \n", *text) && naive_here(pattern, text + 1)) return true;
    return false;
}

static void test_versions(void **unused)
{
    static const char marks[] = "12.1+*?x", texts[] = "12v- 1x2\n.";
    uint64_t          state = 7;
    size_t            hits = 0;

    (void)unused;
    for (int round = 0; round < 20000; round++) {
        char          pattern[7], text[14], json[64];
        struct rules *rules;
        struct err    err = { 0 };
        const char   *name;
        size_t        length = 0, size = 0;

        for (const size_t most = draw(&state) % sizeof pattern; length < most; length++)
            pattern[length] = marks[draw(&state) % (sizeof marks - 1)];
        for (const size_t most = draw(&state) % sizeof text; size < most; size++)
            text[size] = texts[draw(&state) % (sizeof texts - 1)];
        pattern[length] = text[size] = '\0';
        snprintf(json, sizeof json, "{\"a\": {\"version\": [\"%s\"]}}", pattern);
        assert_int_equal(rules_parse(&rules, "r", slice_of(json), &err), 0);
        name = found(rules, text, NULL);
        if (!name == naive(pattern, text)) fail_msg("`%s` in `%s`: %s", pattern, text, name ? name : "nothing");
        hits += name != NULL;
        rules_close(rules);
    }
    assert_true(hits > 1000 && hits < 19000);
}

/* Patterns that could be read in more ways than there is time for. */
static void test_hostile(void **unused)
{
    static const char json[] = "{\"a\": {\"version\": [\".*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*z\","
                               " \"1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+\"]}}";
    char         *text = malloc((1 << 18) + 1);
    struct rules *rules;
    struct err    err = { 0 };

    (void)unused;
    assert_int_equal(rules_parse(&rules, "r", slice_of(json), &err), 0);
    for (int i = 0; i < 1 << 18; i++) text[i] = i % 3 ? '1' : ' ';
    text[1 << 18] = '\0';
    assert_null(found(rules, text, NULL));
    for (int i = 0; i < 1 << 18; i++) text[i] = i ? '1' : '-';
    text[(1 << 18) - 1] = '2';
    assert_null(found(rules, text, NULL));
    rules_close(rules);
    free(text);
}

#define TEN "0123456789"

static void test_refused(void **unused)
{
    static const char *const wrong[] = { "", "[]", "{}", "{\"a\": []}", "{\"a\": {\"names\": []}}",
                                         "{\"a\": {\"name\": \"x\"}}", "{\"a\": {\"name\": [1]}}", "{\"a\": {",
                                         "{\"a\": {\"version\": [\"" TEN TEN TEN TEN TEN TEN "0123\"]}}" };
    struct rules *rules;
    struct err    err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(rules_parse(&rules, "some.json", slice_of(wrong[i]), &err), -EINVAL);
        assert_null(rules);
        assert_int_equal(strncmp(err.text, "some.json: ", 11), 0);
    }
    assert_int_equal(rules_open(&rules, "/no/such/file", &err), -ENOENT);
    rules_close(NULL);
}

static void test_same(void **unused)
{
    (void)unused;
    assert_true(rules_same_licence(SLICE("GPL-3.0"), SLICE("gpl-3.0-only")));
    assert_true(rules_same_licence(SLICE("lgpl-2.1-only"), SLICE("LGPL-2.1")));
    assert_true(rules_same_licence(SLICE("MIT"), SLICE("mit")));
    assert_false(rules_same_licence(SLICE("GPL-3.0"), SLICE("GPL-3.0-or-later")));
    assert_false(rules_same_licence(SLICE("mpl-2.0"), SLICE("mpl-2.0-only")));
    assert_false(rules_same_licence(SLICE("mit"), SLICE("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published), cmocka_unit_test(test_format), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_versions), cmocka_unit_test(test_hostile), cmocka_unit_test(test_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
