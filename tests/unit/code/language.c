/* tests/unit/code/language.c -- the row of a name, of a path, of a #! line. */
#include "code/language.h"

#include "code/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void expect_name(const struct language *language, const char *name)
{
    if (!name) {
        assert_null(language);
        return;
    }
    assert_non_null(language);
    assert_string_equal(language_name(language), name);
}

static void names_and_aliases(void **unused)
{
    static const char *const cases[][2] = {
        { "C++", "cpp" }, { "cpp", "cpp" }, { "cxx", "cpp" }, { "CPP", "cpp" }, { "golang", "go" }, { "Go", "go" },
        { "py", "python" },
        { "python3", "python" }, { " Python ", "python" }, { "C#", "csharp" }, { "js", "javascript" },
        { "Shell", "shell" }, { "bash", "shell" },
        { "text", "text" }, { "JAVA", "java" }, { "Brainfuck", NULL }, { "", NULL }, { "jav", NULL }, { "javaa", NULL },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_name(language_by_name(slice_of(cases[i][0])), cases[i][1]);
    for (size_t i = 0; language_at(i); i++)                 /* no alias hides a row's own name */
        assert_ptr_equal(language_by_name(slice_of(language_name(language_at(i)))), language_at(i));
    expect_name(language_generic(), "text");
}

static void paths(void **unused)
{
    static const char *const cases[][2] = {
        { "src/Main.java", "java" }, { "a/b.C", "c" }, { "a.hpp", "cpp" }, { "x.tar.py", "python" },
        { "Makefile", "makefile" },
        { "dir/GNUmakefile", "makefile" }, { "lib.rs", "rust" }, { "a\\b\\c.kt", "kotlin" }, { "Gemfile", "ruby" },
        { ".bashrc", "shell" },
        { "x.R", "r" }, { "noext", NULL }, { "dir.py/noext", NULL }, { "a.", NULL }, { "", NULL },
        { "a.unknown", NULL }, { "a.tsx", "typescript" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_name(language_by_path(slice_of(cases[i][0])), cases[i][1]);
}

static bool list_has(const char *const *list, const char *word)
{
    for (; list && *list; list++)
        if (strcmp(*list, word) == 0) return true;
    return false;
}

/* Every word of every row is that of the first row that has it, in capitals too. */
static void expect_words(const char *const *list, int kind)
{
    for (; list && *list; list++) {
        const struct language *first = language_rows;
        char                   word[80], capitals[80];

        if (kind == 2) snprintf(word, sizeof word, "a/b.%s", *list);
        else snprintf(word, sizeof word, "%s%s", kind == 1 ? "d\\" : "", *list);
        for (size_t i = 0; i <= strlen(word); i++)
            capitals[i] = (char)(word[i] >= 'a' && word[i] <= 'z' ? word[i] - 32 : word[i]);
        while (!(kind == 0 ? list_has(first->aliases, *list) || strcmp(first->name, *list) == 0
                 : list_has(kind == 1 ? first->files : first->extensions, *list)))
            first++;
        assert_ptr_equal(kind ? language_by_path(slice_of(word)) : language_by_name(slice_of(word)), first);
        assert_ptr_equal(kind ? language_by_path(slice_of(capitals)) : language_by_name(slice_of(capitals)), first);
    }
}

static void all_words(void **unused)
{
    (void)unused;
    for (size_t i = 0; language_at(i); i++) {
        assert_int_equal(language_place(language_at(i)), i);
        expect_words(language_at(i)->aliases, 0);
        expect_words(language_at(i)->files, 1);
        expect_words(language_at(i)->extensions, 2);
    }
}

static void shebangs(void **unused)
{
    static const char *const cases[][2] = {
        { "#!/usr/bin/python\n", "python" }, { "#!/usr/bin/env python3.11 -u\nx", "python" },
        { "#! /bin/sh -e", "shell" },
        { "#!/usr/bin/env -S node --x\n", "javascript" }, { "#!/usr/bin/env A=b perl\n", "perl" },
        { "#!/usr/bin/Rscript\n", "r" },
        { "#!/usr/bin/lua5.4\r\n", "lua" }, { "#!/usr/bin/env\n", NULL }, { "#!", NULL }, { "#!\npython", NULL },
        { "#", NULL }, { "", NULL },
        { "python", NULL }, { "#!/usr/bin/3\n", NULL }, { "#!/usr/bin/tclsh\n", NULL },
        { "\xEF\xBB\xBF#!/bin/bash\n", "shell" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_name(language_by_shebang(slice_of(cases[i][0])), cases[i][1]);
}

/* The rows by number, for those that walk over them: the generic one is the last. */
static void rows_by_number(void **unused)
{
    size_t count = 0;

    (void)unused;
    while (language_at(count))
        count++;
    assert_true(count > 1);
    assert_ptr_equal(language_at(count - 1), language_generic());
    assert_null(language_at(count + 1));
    assert_null(language_at(SIZE_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_aliases), cmocka_unit_test(paths), cmocka_unit_test(all_words),
        cmocka_unit_test(shebangs), cmocka_unit_test(rows_by_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
