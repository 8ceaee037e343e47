/* tests/unit/licence/mention.c -- names of licences with their versions. */
#include "licence/mention.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

static struct words    words;
static struct mentions mentions;

/* As `ID[|ID][?][~][!] ...`: a choice, no version, weak, denied. */
static void assert_mentions(const char *text, bool prose, const char *expected)
{
    char   got[1024] = "";
    size_t len = 0;

    words_read(&words, slice_of(text));
    mentions_find(&mentions, &words, prose);
    for (size_t i = 0; i < mentions.count; i++) {
        const struct mention *m = &mentions.at[i];

        len += (size_t)snprintf(got + len, sizeof got - len, "%s%s%s%s%s%s%s", i ? " " : "", licence_rows[m->row[0]].id,
                                m->row[1] == LICENCE_NOTHING ? "" : "|",
                                m->row[1] == LICENCE_NOTHING ? "" : licence_rows[m->row[1]].id, m->open ? "?" : "",
                                m->weak ? "~" : "", m->denied ? "!" : "");
    }
    if (strcmp(got, expected) != 0) fail_msg("`%s': `%s' instead of `%s'", text, got, expected);
}

static void versions(void **unused)
{
    (void)unused;
    assert_mentions("GNU General Public License as published by the Free Software Foundation; either version 2 of the "
                    "License, or (at your option) any later version.", false, "GPL-2.0-or-later");
    assert_mentions("GNU General Public License version 2 as published by the Free Software Foundation. This "
                    "program is "
                    "distributed in the hope that later", false, "GPL-2.0-only");
    assert_mentions("version 3 or later of the GNU Lesser General Public License", false, "LGPL-3.0-or-later");
    assert_mentions("under version 2 of the GNU GPL", false, "GPL-2.0-only");
    assert_mentions("GNU General Public License, Version 2, June 1991", false, "GPL-2.0-only");
    assert_mentions("GNU Lesser General Public License (LGPL) version 2.1", false, "LGPL-2.1-only LGPL-2.1-only");
    assert_mentions("GNU General Public License version 2 or (at your option) version 3", false,
                    "GPL-2.0-only|GPL-3.0-only");
    assert_mentions("Mozilla Public License, v. 2.0. If a copy", false, "MPL-2.0");
    assert_mentions("the GNU General Public License, version 2, not any later version", false, "GPL-2.0-only");
    assert_mentions("Apache License 2.0, then 1.1", false, "Apache-2.0");
    assert_mentions("GPL-2.0/LGPL-2.1 or later", true, "GPL-2.0-only LGPL-2.1-or-later");
    assert_mentions("the GNU General Public License", false, "GPL-1.0-or-later?");
    assert_mentions("Apache License version 7", false, "LicenseRef-Apache?");
}

/* Names that are words of other meaning, too. */
static void short_names(void **unused)
{
    (void)unused;
    assert_mentions("at MIT in 1985", false, "");
    assert_mentions("mit der Boost-Bibliothek", false, "");
    assert_mentions("License: MIT", false, "MIT");
    assert_mentions("released under the MIT or Apache-2.0", false, "MIT Apache-2.0");
    assert_mentions("running under Apache 2", false, "");
    assert_mentions("add r0, r1, asl #2", false, "");
    assert_mentions("it is ASL 2.0, MPLv2 or GPL 2", false, "Apache-2.0 MPL-2.0 GPL-2.0-only");
    assert_mentions("MIT", true, "MIT");
    assert_mentions("dual BSD/GPL", false, "LicenseRef-BSD GPL-1.0-or-later?");
    assert_mentions("3-clause BSD, new BSD license, BSD 30", true, "BSD-3-Clause BSD-3-Clause LicenseRef-BSD");
}

static void contexts(void **unused)
{
    (void)unused;
    assert_mentions("See the GNU General Public License for more", false, "GPL-1.0-or-later?~");
    assert_mentions("a copy of the GNU Lesser General Public License", false, "LGPL-2.0-or-later?~");
    assert_mentions("http://www.gnu.org/licenses/gpl-3.0.html", false, "GPL-3.0-only~");
    assert_mentions("not GPL but MIT", true, "GPL-1.0-or-later?! MIT");
    assert_mentions("It isn't the Apache License 2.0", true, "Apache-2.0!");
}

static void more_than_there_is_room_for(void **unused)
{
    char text[8192] = "";

    (void)unused;
    for (size_t i = 0; i < 400; i++) strcat(text, "MIT License, ");
    words_read(&words, slice_of(text));
    mentions_find(&mentions, &words, false);
    assert_int_equal(mentions.count, MENTIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions), cmocka_unit_test(short_names), cmocka_unit_test(contexts),
        cmocka_unit_test(more_than_there_is_room_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
