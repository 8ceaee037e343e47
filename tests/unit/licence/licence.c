/* tests/unit/licence/licence.c -- heads of files in the words that licences ask for, fields, answers. */
#include "licence/licence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#define GPL_2 \
    "This program is free software; you can redistribute it and/or modify it under the terms of the GNU General " \
    "Public License as published by the Free Software Foundation; either version 2 of the License, or (at your " \
    "option) any later version.\n\nThis program is distributed in the hope that it will be useful, but WITHOUT ANY " \
    "WARRANTY. See the GNU General Public License for more details.\n\nYou should have received a copy of the GNU " \
    "General Public License along with this program.\n"
#define LGPL_21 \
    "This library is free software; you can redistribute it and/or modify it under the terms of the GNU Lesser " \
    "General Public License as published by the Free Software Foundation; either version 2.1 of the License, or (at " \
    "your option) any later version.\nSee the GNU Lesser General Public License for more details. You should have " \
    "received a copy of the GNU General Public License\n"
#define APACHE \
    "Licensed under the Apache License, Version 2.0 (the \"License\"); you may not use this file except in " \
    "compliance " \
    "with the License. You may obtain a copy of the License at\n\n    http://www.apache.org/licenses/LICENSE-2.0\n"
#define MIT \
    "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated " \
    "documentation files, to deal in the Software without restriction: The above copyright notice and this " \
    "permission " \
    "notice shall be included in all copies.\n"
#define BSD_1 \
    "Redistribution and use in source and binary forms, with or without modification, are permitted:\n1. " \
    "Redistributions of source code must retain the above copyright notice.\n"
#define BSD_2 BSD_1 "2. Redistributions in binary form must reproduce the above copyright notice.\n"
#define BSD_3 BSD_2 "3. Neither the name may be used to endorse or promote products derived from this software.\n"
#define BSD_4 BSD_3 "4. All advertising materials mentioning features or use of this software\n"
#define ISC \
    "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby " \
    "granted, provided that the above copyright notice and this permission notice appear in all copies.\n"
#define ZERO_BSD \
    "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby " \
    "granted.\n"
#define MPL_1 \
    "Version: MPL 1.1/GPL 2.0/LGPL 2.1\nThe contents of this file are subject to the Mozilla Public License Version " \
    "1.1 (the \"License\"); you may not use this file\nAlternatively, the contents of this file may be used " \
    "under the " \
    "terms of either the GNU General Public License Version 2 or later (the \"GPL\"), or the GNU Lesser General " \
    "Public " \
    "License Version 2.1 or later (the \"LGPL\"). If you wish to use it only under the terms of either the GPL " \
    "or the " \
    "LGPL, and not the MPL\n"

/* Each in words that licences prescribe or projects use. */
static const struct { const char *text, *expression; enum licence_class class; } heads[] = {
    { GPL_2, "GPL-2.0-or-later", LICENCE_STRONG },
    { LGPL_21, "LGPL-2.1-or-later", LICENCE_WEAK },
    { APACHE, "Apache-2.0", LICENCE_PERMISSIVE },
    { "The MIT License (MIT)\n" MIT, "MIT", LICENCE_PERMISSIVE },
    { "Copyright MIT\nThe X11 License\n" MIT "shall not be used in advertising or otherwise to promote the sale",
      "X11", LICENCE_PERMISSIVE },
    { MIT "The Software shall be used for Good, not Evil.", "JSON", LICENCE_RESTRICTED },
    { BSD_1, "BSD-1-Clause", LICENCE_PERMISSIVE },
    { BSD_2, "BSD-2-Clause", LICENCE_PERMISSIVE },
    { "BSD license.\n" BSD_3, "BSD-3-Clause", LICENCE_PERMISSIVE },
    { BSD_4, "BSD-4-Clause", LICENCE_PERMISSIVE },
    { ISC, "ISC", LICENCE_PERMISSIVE },
    { ZERO_BSD, "0BSD", LICENCE_PERMISSIVE },
    { "This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was "
      "not distributed with this file", "MPL-2.0", LICENCE_WEAK },
    { MPL_1, "MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later", LICENCE_WEAK },
    { "are made available under the terms of the Eclipse Public License v1.0 which accompanies this distribution, and "
      "is available at http://www.eclipse.org/legal/epl-v10.html", "EPL-1.0", LICENCE_WEAK },
    { "This program and the accompanying materials are made available under the terms of the Eclipse Public License "
      "2.0 which is available at https://www.eclipse.org/legal/epl-2.0/", "EPL-2.0", LICENCE_WEAK },
    { "subject to the terms of the Common Development and Distribution License, Version 1.0", "CDDL-1.0",
      LICENCE_WEAK },
    { "under the terms of the GNU Affero General Public License as published by the Free Software Foundation, either "
      "version 3 of the License, or (at your option) any later version", "AGPL-3.0-or-later", LICENCE_STRONG },
    { "This library is free software; you can redistribute it and/or modify it under the same terms as Perl itself.",
      "Artistic-1.0-Perl OR GPL-1.0-or-later", LICENCE_PERMISSIVE },
    { "under the Artistic License version 2.0", "Artistic-2.0", LICENCE_PERMISSIVE },
    { "2. Altered source versions must be plainly marked as such, and must not be misrepresented as being the original "
      "software.", "Zlib", LICENCE_PERMISSIVE },
    { "Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE_1_0.txt)", "BSL-1.0",
      LICENCE_PERMISSIVE },
    { "This is free and unencumbered software released into the public domain.", "Unlicense", LICENCE_PERMISSIVE },
    { "This file is in the public domain.", "LicenseRef-public-domain", LICENCE_PERMISSIVE },
    { "version 20140420\nD. J. Bernstein\nPublic domain.\n\nint a;", "LicenseRef-public-domain", LICENCE_PERMISSIVE },
    { "lookup3.c, by Bob Jenkins, May 2006, Public Domain.", "LicenseRef-public-domain", LICENCE_PERMISSIVE },
    { "This is like a public domain\nimplementation of Public Domain, whatever", "", LICENCE_NONE },
    { "http://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0", LICENCE_PERMISSIVE },
    { "Licensed to PSF under a Contributor Agreement.", "PSF-2.0", LICENCE_PERMISSIVE },
    { "DO WHAT THE FUCK YOU WANT TO PUBLIC LICENSE", "WTFPL", LICENCE_PERMISSIVE },
    { "Licensed under the EUPL, Version 1.2", "EUPL-1.2", LICENCE_STRONG },
    { "subject to the Open Software License (OSL 3.0)", "OSL-3.0", LICENCE_STRONG },
    { "Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.",
      "LicenseRef-BSD", LICENCE_PERMISSIVE },
    { GPL_2 "As a special exception, linking this library statically or dynamically with other modules is",
      "GPL-2.0-or-later WITH Classpath-exception-2.0", LICENCE_WEAK },
    { "Licensed under the Apache License, Version 2.0 <LICENSE-APACHE> or the MIT license <LICENSE-MIT>, at your "
      "option",
      "Apache-2.0 OR MIT", LICENCE_PERMISSIVE },
    { "Dual licensed under the MIT and GPL licenses", "MIT OR GPL-1.0-or-later", LICENCE_PERMISSIVE },
    { "licensed under both the BSD-style license (found in the LICENSE file) and the GPLv2 (found in COPYING). "
      "You may select, at your option, one of the above-listed licenses.", "LicenseRef-BSD OR GPL-2.0-only",
      LICENCE_PERMISSIVE },
    { "ALTERNATIVE A - MIT License\n" MIT "ALTERNATIVE B - Public Domain\nThis is free and unencumbered software "
      "released into the public domain.", "MIT OR Unlicense", LICENCE_PERMISSIVE },
    /* Headers of Mesa and of OpenCV. */
    { "Permission is hereby granted, free of charge, to any person obtaining a copy of this software, to deal in the "
      "Software without restriction: The above copyright notice and this permission notice (including the next "
      "paragraph) shall be included in all copies.", "MIT", LICENCE_PERMISSIVE },
    { "Redistribution and use in source and binary forms are permitted:\n* Redistribution's of source code must retain "
      "the above copyright notice.\n* Redistribution's in binary form must reproduce it.\n* The name may not be used "
      "to endorse or promote products.", "BSD-3-Clause", LICENCE_PERMISSIVE },
    /* Licences themselves, which name others. */
    { "Mozilla Public License Version 2.0\n1. Definitions\n1.1. \"Contributor\" means each individual or legal entity "
      "1.12. \"Secondary License\" means either the GNU General Public License, Version 2.0, the GNU Lesser General "
      "Public License, Version 2.1, the GNU Affero General Public License, Version 3.0, or any later versions of those "
      "licenses.", "MPL-2.0", LICENCE_WEAK },
    { "GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\nEveryone is permitted to copy and distribute "
      "verbatim copies of this license document. This version of the GNU Lesser General Public License incorporates "
      "the terms and conditions of version 3 of the GNU General Public License", "LGPL-3.0-only", LICENCE_WEAK },
    { "Apache License\nVersion 2.0, January 2004\nhttp://www.apache.org/licenses/\nTERMS AND CONDITIONS FOR USE, "
      "REPRODUCTION, AND DISTRIBUTION\n1. Definitions.\n", "Apache-2.0", LICENCE_PERMISSIVE },
    { "This is free and unencumbered software released into the public domain.\nAnyone is free to copy, modify, "
      "publish, use, compile, sell, or distribute this software, either in source code form or as a compiled binary, "
      "for any purpose, commercial or non-commercial, and by any means. In jurisdictions that recognize copyright "
      "laws, the author dedicates any and all copyright interest in the software to the public domain.", "Unlicense",
      LICENCE_PERMISSIVE },
    { "GNU General Public License, version 2 or version 3\n", "GPL-2.0-only OR GPL-3.0-only", LICENCE_STRONG },
    { "GNU General Public License version 2 or GNU Lesser General Public License version 3",
      "GPL-2.0-only OR LGPL-3.0-only", LICENCE_WEAK },
    { "GNU General Public License version 2 or GNU General Public License version 3", "GPL-2.0-only OR GPL-3.0-only",
      LICENCE_STRONG },
    { MIT "\nBelow:\n" BSD_3, "MIT AND BSD-3-Clause", LICENCE_PERMISSIVE },
    { APACHE "\nThis part:\n" MIT, "Apache-2.0 AND MIT", LICENCE_PERMISSIVE },
    { GPL_2 "\nThis part:\n" BSD_3, "GPL-2.0-or-later AND BSD-3-Clause", LICENCE_STRONG },
    { "SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note", "GPL-2.0-only WITH Linux-syscall-note",
      LICENCE_STRONG },
    { "SPDX-License-Identifier: MIT OR Apache-2.0\n" MIT, "MIT OR Apache-2.0", LICENCE_PERMISSIVE },
    { "SPDX-License-Identifier: MIT\nSPDX-License-Identifier: MIT\nSPDX-License-Identifier: GPL-3.0-only",
      "MIT AND GPL-3.0-only", LICENCE_STRONG },
    /* One whose name is a part of another's, or that may be chosen of another. */
    { "SPDX-License-Identifier: LGPL-3.0-only\nSPDX-License-Identifier: GPL-3.0-only",
      "LGPL-3.0-only AND GPL-3.0-only", LICENCE_STRONG },
    { "SPDX-License-Identifier: GPL-2.0-only OR MIT\nSPDX-License-Identifier: GPL-2.0-only",
      "(GPL-2.0-only OR MIT) AND GPL-2.0-only", LICENCE_STRONG },
    { "SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0\nSPDX-License-Identifier: GPL-2.0-only",
      "GPL-2.0-only WITH Classpath-exception-2.0 AND GPL-2.0-only", LICENCE_STRONG },
    { "SPDX-License-Identifier: MIT AND (ISC OR X11)\nSPDX-License-Identifier: X11\nSPDX-License-Identifier: ISC AND "
      "X11\nSPDX-License-Identifier: MIT AND (ISC OR X11)", "MIT AND (ISC OR X11) AND X11 AND ISC",
      LICENCE_PERMISSIVE },
    { "SPDX-License-Identifier: MIT AND ISC AND X11\nSPDX-License-Identifier: ISC", "MIT AND ISC AND X11",
      LICENCE_PERMISSIVE },
    { "if (strstr(line, \"SPDX-License-Identifier: \")) return license; at MIT, see COPYING", "", LICENCE_NONE },
    { "int main(void) { return 0; }", "", LICENCE_NONE },
    { "", "", LICENCE_NONE },
};

static void assert_text(const char *text, const char *expression, enum licence_class class, const char *how)
{
    struct licence got;
    const bool     is = licence_of_text(&got, slice_of(text));

    if (strcmp(got.expression, expression) != 0 || got.class != class || is != (*expression != 0))
        fail_msg("%s: `%s', %s, instead of `%s'\n%s", how, got.expression, licence_class_names[got.class], expression,
                 text);
}

/* The text as a comment of some language: lines of at most 60 bytes between the marks. */
static void wrap(char *out, const char *text, const char *begin, const char *line, const char *end)
{
    size_t column = 0;

    out += sprintf(out, "%s%s", begin, line);
    for (; *text; text++) {
        if (*text == '\n' || (*text == ' ' && column > 60)) {
            out += sprintf(out, "\n%s", line);
            column = 0;
        } else {
            *out++ = *text;
            column++;
        }
    }
    sprintf(out, "\n%s", end);
}

static void in_comments(void **unused)
{
    static const char *const marks[][3] = {
        { "", "", "" }, { "", "# ", "" }, { "", "// ", "" }, { "/*\n", " * ", " */" }, { "(*", " ", "*)" },
        { "", "-- ", "" }, { "", ";; ", "" }, { "\"\"\"", "", "\"\"\"" }, { "<!--\n", "  ", "-->" }, { "", "% ", "" },
        { "", "dnl ", "" }, { "", "REM ", "" }, { "", "C     ", "" }, { "{-", "", "-}" }, { "=begin\n", "", "=end\n" },
        { "", "//! ", "" }, { "/**\n", "\t*\t", "*/" }, { "#!/bin/sh\n", "#\t", "" }, { "", "'", "" }, { "", "! ", "" },
    };
    static char text[8192];

    (void)unused;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
            if (m && strstr(heads[i].text, "SPDX")) continue;           /* a tag is one line */
            wrap(text, heads[i].text, marks[m][0], marks[m][1], marks[m][2]);
            assert_text(m ? text : heads[i].text, heads[i].expression, heads[i].class, m ? marks[m][1] : "plain");
        }
}

/* Whatever is there, and however much, it takes bounded time and nothing is read beyond the end. */
static void hostile(void **unused)
{
    static const char *const pieces[] = { "(", " * ", "a", "1.", "SPDX-License-Identifier: ", "gpl ", "or later ", "\n",
                                          "SPDX-License-Identifier: (MIT OR ", "permission is hereby granted ",
                                               "\xff" };
    const size_t             len = 1 << 20;

    (void)unused;
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        char          *text = malloc(len);
        const size_t   n = strlen(pieces[p]);
        struct licence got;

        assert_non_null(text);
        for (size_t i = 0; i < len; i++) text[i] = pieces[p][i % n];
        licence_of_text(&got, (struct slice){ text, len });
        licence_of_field(&got, (struct slice){ text, len });
        licence_named((struct slice){ text, len }, NULL);
        assert_true(strlen(got.expression) < LICENCE_BYTES);
        free(text);
    }
}

/* A text far behind is not looked at; one at the end is, where the head says nothing. */
static void head_and_tail(void **unused)
{
    struct bytes   text = { 0 };
    struct licence got;

    (void)unused;
    while (text.len < LICENCE_HEAD) assert_int_equal(bytes_append(&text, "sub f { 1 }\n", 12), 0);
    assert_int_equal(bytes_append(&text, "under the MIT license\n", 22), 0);
    assert_true(licence_of_text(&got, bytes_slice(&text)));
    assert_string_equal(got.expression, "MIT");
    while (text.len < 2 * LICENCE_HEAD) assert_int_equal(bytes_append(&text, "sub f { 1 }\n", 12), 0);
    assert_false(licence_of_text(&got, bytes_slice(&text)));
    bytes_free(&text);
}

static void fields(void **unused)
{
    static const struct { const char *field, *expression; enum licence_class class; } cases[] = {
        { "MIT", "MIT", LICENCE_PERMISSIVE }, { "mit", "MIT", LICENCE_PERMISSIVE },
        { "apache-2.0", "Apache-2.0", LICENCE_PERMISSIVE }, { "gpl-3.0", "GPL-3.0-only", LICENCE_STRONG },
        { "GNU GPLv3", "GPL-3.0-only", LICENCE_STRONG }, { "bsd_3_clause", "BSD-3-Clause", LICENCE_PERMISSIVE },
        { "lgpl-2_1", "LGPL-2.1-only", LICENCE_WEAK }, { "gpl-2.0-plus", "GPL-2.0-or-later", LICENCE_STRONG },
        { "[\"MIT\", \"GPL-2.0\", \"MIT\"]", "MIT AND GPL-2.0-only", LICENCE_STRONG },
        { "['mit']", "MIT", LICENCE_PERMISSIVE }, { "[]", "", LICENCE_NONE }, { "", "", LICENCE_NONE },
        { "[\"MIT\", \"sold\"]", "MIT", LICENCE_UNKNOWN }, { "none", "", LICENCE_NONE },
        { "proprietary", "", LICENCE_UNKNOWN }, { "Own-1.0", "Own-1.0", LICENCE_UNKNOWN },
        { "MIT AND LicenseRef-Own", "MIT AND LicenseRef-Own", LICENCE_UNKNOWN },
        { "LicenseRef-not-MIT", "LicenseRef-not-MIT", LICENCE_UNKNOWN },
        { "LicenseRef-BSD", "LicenseRef-BSD", LICENCE_PERMISSIVE },
        { "MIT OR LicenseRef-Own", "MIT OR LicenseRef-Own", LICENCE_PERMISSIVE },
        { "MIT OR Apache-2.0", "MIT OR Apache-2.0", LICENCE_PERMISSIVE },
        { "[\"MIT OR GPL-2.0\", \"ISC\"]", "(MIT OR GPL-2.0-only) AND ISC", LICENCE_PERMISSIVE },
        { "[\"LGPL-3.0\", \"GPL-3.0\"]", "LGPL-3.0-only AND GPL-3.0-only", LICENCE_STRONG },
        { "[\"GPL-2.0 OR MIT\", \"GPL-2.0\", \"MIT OR GPL-2.0\"]",
          "(GPL-2.0-only OR MIT) AND GPL-2.0-only AND (MIT OR GPL-2.0-only)", LICENCE_STRONG },
        { "CC-BY-NC-SA 4.0", "CC-BY-NC-SA-4.0", LICENCE_RESTRICTED },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct licence got;

        licence_of_field(&got, slice_of(cases[i].field));
        if (strcmp(got.expression, cases[i].expression) != 0 || got.class != cases[i].class)
            fail_msg("`%s': `%s', %s", cases[i].field, got.expression, licence_class_names[got.class]);
    }
}

/* Licences for which there is no room: nothing strict hides behind what is permissive, in a text or in a field. */
static void assert_more(const char *const *name, size_t count, const char *expression)
{
    struct bytes   tags = { 0 }, list = { 0 };
    struct licence got;

    for (size_t i = 0; i < count; i++) {
        assert_int_equal(bytes_printf(&tags, "// SPDX-License-Identifier: %s\n", name[i]), 0);
        assert_int_equal(bytes_printf(&list, "%s\"%s\"", i ? ", " : "[", name[i]), 0);
    }
    assert_int_equal(bytes_printf(&list, "]"), 0);
    for (int field = 0; field < 2; field++) {
        if (field) licence_of_field(&got, bytes_slice(&list));
        else assert_true(licence_of_text(&got, bytes_slice(&tags)));
        assert_string_equal(got.expression, expression);
        assert_int_equal(got.class, strstr(expression, "others") ? LICENCE_UNKNOWN : LICENCE_PERMISSIVE);
        licence_of_field(&got, slice_of(expression));       /* what is read of it again is the same */
        assert_string_equal(got.expression, expression);
        assert_int_equal(got.class, strstr(expression, "others") ? LICENCE_UNKNOWN : LICENCE_PERMISSIVE);
    }
    bytes_free(&tags);
    bytes_free(&list);
}

#define LONG(letter) "LicenseRef-aaaaaaaaaabbbbbbbbbbccccccccccddddddddddee" letter
#define MITS "MIT OR MIT OR MIT OR MIT OR MIT OR MIT OR MIT OR MIT OR "

static void more_than_fits(void **unused)
{
    static const char *const many[] = { "MIT", "ISC", "X11", "Zlib", "0BSD", "BSL-1.0", "Unlicense", "CC0-1.0",
                                        "GPL-3.0-only" };
    static const char *const wide[] = { "MIT", LONG("a"), LONG("b"), LONG("c"), LONG("d"), LONG("e"), "GPL-3.0-only",
                                        LONG("f") };
    static const char *const one[] = { MITS MITS MITS MITS MITS MITS "MIT AND GPL-3.0-only", "MIT" };
    static const char *const first[] = { MITS MITS MITS MITS MITS "MIT OR Unlicense OR Apache-2.0 OR 0BSD", "ISC" };
    struct licence           got;

    (void)unused;
    assert_more(many, 8, "MIT AND ISC AND X11 AND Zlib AND 0BSD AND BSL-1.0 AND Unlicense AND CC0-1.0");
    assert_more(many, 9, "MIT AND ISC AND X11 AND Zlib AND 0BSD AND BSL-1.0 AND Unlicense AND CC0-1.0 AND "
                         "LicenseRef-others");
    assert_more(wide, 8, "MIT AND " LONG("a") " AND " LONG("b") " AND " LONG("c") " AND " LONG("d")
                         " AND LicenseRef-others");
    assert_more(one, 1, "LicenseRef-others");
    assert_more(one, 2, "LicenseRef-others AND MIT");
    assert_more(first, 1, MITS MITS MITS MITS MITS "MIT OR Unlicense OR Apache-2.0 OR 0BSD");
    assert_more(first, 2, "LicenseRef-others");
    licence_of_field(&got, slice_of(one[0]));
    assert_string_equal(got.expression, "LicenseRef-others");
    assert_int_equal(got.class, LICENCE_UNKNOWN);
}

/* What holds is named once, whichever of those that hold together has it; a choice is a whole. */
static void held_once(void **unused)
{
    static const char *const cases[][4] = {
        { "MIT", "MIT AND BSD-3-Clause", "", "MIT AND BSD-3-Clause" },
        { "MIT AND BSD-3-Clause", "MIT", "ISC", "MIT AND BSD-3-Clause AND ISC" },
        { "MIT AND ISC", "ISC AND MIT", "", "MIT AND ISC" },
        { "ISC", "MIT AND (ISC AND Zlib)", "", "ISC AND MIT AND Zlib" },
        { "MIT OR ISC", "Zlib AND (MIT OR ISC)", "MIT", "(MIT OR ISC) AND Zlib AND MIT" },
        { "MIT", "MIT AND ISC OR Zlib", "", "MIT AND (MIT AND ISC OR Zlib)" },
        { "MIT", "MIT AND LicenseRef-MIT AND ISC", "", "MIT AND LicenseRef-MIT AND ISC" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *one = cases[i];
        char               text[256];
        struct licence     got;

        snprintf(text, sizeof text, "[\"%s\", \"%s\", \"%s\"]", one[0], one[1], one[2]);
        licence_of_field(&got, slice_of(text));
        assert_string_equal(got.expression, one[3]);
        snprintf(text, sizeof text, "SPDX-License-Identifier: %s\nSPDX-License-Identifier: %s\n%s%s\n", one[0], one[1],
                 one[2][0] ? "SPDX-License-Identifier: " : "", one[2]);
        assert_true(licence_of_text(&got, slice_of(text)));
        assert_string_equal(got.expression, one[3]);
    }
}

#define SEVEN \
    "MIT license, and the ISC license, and the X11 license, and the zlib license, and Apache 2.0, and the Boost " \
    "Software License 1.0, and with that too MPL 2.0"
#define SEVEN_IDS "MIT AND ISC AND X11 AND Zlib AND Apache-2.0 AND BSL-1.0 AND MPL-2.0"

/* So it is in prose, where a name may stand any number of times. */
static void more_in_prose(void **unused)
{
    static const struct { const char *before, *text, *expression; enum licence_class class; } cases[] = {
        { "", SEVEN ", and EPL-2.0", SEVEN_IDS " AND EPL-2.0", LICENCE_WEAK },
        { "", SEVEN ", and EPL-2.0, and GPL-3.0", SEVEN_IDS " AND EPL-2.0 AND LicenseRef-others", LICENCE_UNKNOWN },
        { "", SEVEN ", and EPL-2.0, and GPL-3.0, and the MIT license", SEVEN_IDS " AND EPL-2.0 AND LicenseRef-others",
          LICENCE_UNKNOWN },
        { "", SEVEN " or EPL-2.0, and GPL-3.0", "MIT AND ISC AND X11 AND Zlib AND Apache-2.0 AND BSL-1.0 AND "
          "(MPL-2.0 OR EPL-2.0) AND LicenseRef-others", LICENCE_UNKNOWN },
        { "", SEVEN ", and the GNU GPL version 2 or version 3", SEVEN_IDS " AND GPL-2.0-only AND LicenseRef-others",
          LICENCE_UNKNOWN },
        { "the MIT license, ", "and GPL-3.0", "MIT AND LicenseRef-others", LICENCE_UNKNOWN },
        { "the MIT license, ", "not GPL-3.0", "MIT", LICENCE_PERMISSIVE },
        { "the MIT license, ", "see GPL-3.0", "MIT", LICENCE_PERMISSIVE },
        { "GPL-3.0, ", "and the GNU General Public License", "GPL-3.0-only", LICENCE_STRONG },
        { "not the MIT license, ", "and GPL-3.0", "LicenseRef-others", LICENCE_UNKNOWN },
    };
    struct bytes   text = { 0 };
    struct licence got;
    bool           several;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text.len = 0;
        for (size_t k = 0; cases[i].before[0] && k < 128; k++)
            assert_int_equal(bytes_printf(&text, "%s", cases[i].before), 0);
        assert_int_equal(bytes_printf(&text, "%s\n", cases[i].text), 0);
        assert_true(licence_of_text(&got, bytes_slice(&text)));
        if (strcmp(got.expression, cases[i].expression) != 0 || got.class != cases[i].class)
            fail_msg("`%s%s': `%s', %s", cases[i].before, cases[i].text, got.expression,
                     licence_class_names[got.class]);
        assert_non_null(licence_named(bytes_slice(&text), &several));
        assert_int_equal(several, strstr(got.expression, " AND ") || strstr(got.expression, "others"));
    }
    bytes_free(&text);
}

static void records(void **unused)
{
    struct licence got;

    (void)unused;
    assert_int_equal(licence_of_record(&got, SLICE("MIT"), SLICE("# License: ISC")), LICENCE_IN_FIELD);
    assert_string_equal(got.expression, "MIT");
    assert_int_equal(licence_of_record(&got, (struct slice){ 0 }, SLICE("# License: ISC")), LICENCE_IN_TEXT);
    assert_string_equal(got.expression, "ISC");
    assert_int_equal(licence_of_record(&got, SLICE("none"), SLICE("int a;")), LICENCE_UNSAID);
    assert_int_equal(got.class, LICENCE_NONE);
    assert_true(slice_equal(licence_class_word(SLICE("gpl-2.0")), SLICE("strong copyleft")));
    assert_true(slice_equal(licence_class_word(SLICE("sold")), SLICE("unknown")));
    assert_int_equal(licence_class_word(SLICE("none")).len, 0);
    assert_int_equal(licence_class_word((struct slice){ 0 }).len, 0);
}

static void answers(void **unused)
{
    static const struct { const char *prose, *id; bool several; } cases[] = {
        { "Apache License 2.0", "Apache-2.0", false }, { "The license is Apache-2.0.", "Apache-2.0", false },
        { "(MIT)", "MIT", false }, { "`MIT License`", "MIT", false }, { "**BSD 3-Clause**", "BSD-3-Clause", false },
        { "New BSD License", "BSD-3-Clause", false }, { "The BSD 2-Clause", "BSD-2-Clause", false },
        { "GPLv3", "GPL-3.0-only", false }, { "GPL-3.0", "GPL-3.0-only", false },
        { "GNU General Public License v3.0 or later", "GPL-3.0-or-later", false },
        { "GNU GPL version 2 or later", "GPL-2.0-or-later", false }, { "GPL v2", "GPL-2.0-only", false },
        { "GNU Lesser General Public License v2.1", "LGPL-2.1-only", false },
        { "LGPL v3 or later", "LGPL-3.0-or-later", false }, { "AGPL-3.0", "AGPL-3.0-only", false },
        { "GNU Affero General Public License v3", "AGPL-3.0-only", false }, { "MPL 2.0", "MPL-2.0", false },
        { "Mozilla Public License, v. 2.0", "MPL-2.0", false }, { "Eclipse Public License - v 2.0", "EPL-2.0", false },
        { "MIT 0", "MIT-0", false }, { "Python Software Foundation License", "PSF-2.0", false },
        { "It is under the GPL, that is the GNU GPL version 2", "GPL-2.0-only", false },
        { "It is not GPL but MIT.", "MIT", false }, { "Either MIT or Apache 2.0", "MIT", true },
        { "GPL", "GPL-1.0-or-later", false }, { "Apache", "LicenseRef-Apache", false },
        { "BSD 30", "LicenseRef-BSD", false }, { "I cannot tell the license of this code.", NULL, false },
        { "", NULL, false }, { MIT, "MIT", false },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool              several = false;
        const char *const id = licence_named(slice_of(cases[i].prose), &several);

        if (!id != !cases[i].id || (id && strcmp(id, cases[i].id) != 0) || several != cases[i].several)
            fail_msg("`%s': %s%s", cases[i].prose, id ? id : "none", several ? " and others" : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_comments), cmocka_unit_test(hostile), cmocka_unit_test(head_and_tail),
        cmocka_unit_test(fields), cmocka_unit_test(more_than_fits), cmocka_unit_test(held_once),
        cmocka_unit_test(more_in_prose), cmocka_unit_test(records), cmocka_unit_test(answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
