/* tests/unit/licence/holders.c -- lines that name holders, and lines that are about copyright. */
#include "licence/licence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <stdlib.h>

static void assert_holders(const char *text, const char *expected)
{
    struct bytes out = { 0 };

    assert_int_equal(licence_holders(&out, slice_of(text)), 0);
    if (out.len != strlen(expected) || (out.len && memcmp(out.at, expected, out.len) != 0))
        fail_msg("`%s': `%.*s'", text, (int)out.len, out.at ? out.at : "");
    bytes_free(&out);
}

static void holders(void **unused)
{
    (void)unused;
    assert_holders("/* Copyright (c) 2001-2004, 2007 Jane Doe <jane@doe.org>. All rights reserved. */", "Jane Doe");
    assert_holders("# Copyright 2019 The Foo Authors\n# Copyright (C) 1999 by Bar, Inc.\n",
                   "The Foo Authors; Bar, Inc.");
    assert_holders("// SPDX-FileCopyrightText: 2020 J\xc3\xb6rg <a@b>\n", "J\xc3\xb6rg");
    assert_holders(" * \xc2\xa9 2010 Example Ltd.\n * (C) Copyright 2011 IBM Corp\n", "Example Ltd.; IBM Corp");
    assert_holders("dnl Copyright (C) 1998\xe2\x80\x93" "2004 Free Software Foundation, Inc.", 
                   "Free Software Foundation, Inc.");
    assert_holders("Copyright (c) The Regents", "The Regents");
    assert_holders("Copyright 2001 A B\nCopyright 2002 A B\n", "A B");
    assert_holders("Copyright 2001 IBM Corporation\nCopyright 2002 IBM\nCopyright 2003 Red Hat, Inc.\n"
                   "Copyright 2004 Hat\nCopyright 2005 IBM\nCopyright 2006 Red Hat, Inc.\n",
                   "IBM Corporation; IBM; Red Hat, Inc.; Hat");
    assert_holders("Copyright 2001 Jane Doe\nCopyright 2002 Doe\nCopyright 2003 Jane\nCopyright 2004 Doe\n",
                   "Jane Doe; Doe; Jane");
    assert_holders("copyright: 2015-present, Name (http://x)", "Name");
}

static void what_is_none(void **unused)
{
    (void)unused;
    assert_holders("", "");
    assert_holders("The above copyright notice and this permission notice", "");
    assert_holders("Copyright (c) <year> <copyright holders>", "");
    assert_holders("in no event shall the copyright holders be liable", "");
    assert_holders("(c) this is the third case", "");
    assert_holders("Copyright (c) 2001", "");
    assert_holders("copyright law of 1976 applies", "");
}

/* At most so many, and names are cut between characters. */
static void bounds(void **unused)
{
    struct bytes text = { 0 }, out = { 0 };
    size_t       count = 1;

    (void)unused;
    for (int i = 0; i < 300; i++) assert_int_equal(bytes_printf(&text, "Copyright 2001 Name%d\n", i), 0);
    assert_int_equal(licence_holders(&out, bytes_slice(&text)), 0);
    for (size_t i = 0; i < out.len; i++) count += out.at[i] == ';';
    assert_int_equal(count, LICENCE_HOLDERS);
    text.len = out.len = 0;
    assert_int_equal(bytes_printf(&text, "Copyright 2001 a"), 0);
    for (int i = 0; i < 300; i++) assert_int_equal(bytes_append(&text, "\xc3\xa9", 2), 0);
    assert_int_equal(licence_holders(&out, bytes_slice(&text)), 0);
    assert_int_equal(out.len, LICENCE_HOLDER_BYTES - 1);
    for (int i = 0; i < (1 << 18); i++) assert_int_equal(bytes_append(&text, "(c) ", 4), 0);
    assert_int_equal(licence_holders(&out, bytes_slice(&text)), 0);
    bytes_free(&text);
    bytes_free(&out);
}

/* Each way to begin a statement, at every place of a line and of a text. */
static void anywhere(void **unused)
{
    static const char *const starts[] = { "Copyright 2001", "COPYRIGHT (C)", "copr. 2001", "SPDX-FileCopyrightText:",
                                          "spdx-snippetcopyrighttext:", "(c) 2001", "(C) 2001,", "\xc2\xa9 2001",
                                          "\xa9 2001", "&copy; 2001", "&COPY; 2001", "&#169; 2001", "\\(co 2001",
                                          "\\(CO 2001", "@copyright{} 2001" };
    static const char        lines[] = "int f(c);\nc = co(&c, '\\(');\n";
    char                     text[600];

    (void)unused;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (size_t before = 0; before < 400; before++) {
            const size_t blanks = before / 2, behind = before % 2 ? 150 : 0;
            const int    len = snprintf(text, sizeof text, "%.*s%*s%s", (int)(blanks * 3 % sizeof lines), lines,
                                        (int)blanks, "", starts[i]);

            snprintf(text + len, sizeof text - (size_t)len, " Jane Doe\n%*s", (int)behind, "");
            assert_holders(text, "Jane Doe");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holders), cmocka_unit_test(what_is_none), cmocka_unit_test(bounds),
        cmocka_unit_test(anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
