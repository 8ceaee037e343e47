/* sensitive/mask: values in texts, and in names that a report has put together, or told in lower case. */
#include "sensitive/mask.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM "q7Xz9Kp2Vw4Jt6Mb"
#define DOTS   "\xE2\x80\xA6"

static const struct { const char *text, *shown; } rows[] = {
    { "write to me@b.org, or 93.184.216.34.", "write to m" DOTS "g (8), or 9" DOTS "4 (13)." },
    { "me@b.org", "m" DOTS "g (8)" }, { "nothing here", "nothing here" }, { "", "" },
    { "me@b.org\tme@b.org", "m" DOTS "g (8)\tm" DOTS "g (8)" },
    /* what stands beside a value in a name does not hide it: places, */
    { "doc me@b.org#C.add@2", "doc m" DOTS "g (8)#C.add@2" }, { "93.184.216.34#f@2", "9" DOTS "4 (13)#f@2" },
    { "a#me@b.org#f@1", "a" DOTS "g (10)#f@1" }, { "jane#-@b.org#f@1", "j" DOTS "g (12)#f@1" },
    { "me@b.org#C.#own@1", "m" DOTS "g (8)#C.#own@1" }, { "me@b.org#f@", "m" DOTS "g (8)#f@" },
    { "me@b.org#a#b#c#d@1", "m" DOTS "g (8)#a#b#c#d@1" },
    { "me@b.org#L3", "m" DOTS "g (8)#L3" }, { "93.184.216.34#L10-L20", "9" DOTS "4 (13)#L10-L20" },
    { "93.184.216.34#f@1:2", "9" DOTS "4 (13)#f@1:2" }, { "me@b.org#", "m" DOTS "g (8)#" },
    { "me@b.org@7", "m" DOTS "g (8)@7" }, { "root@93.184.216.34", "root@9" DOTS "4 (13)" },
    { "c:2606:2800:220:1:248:1893:25c8:1946:7", "c:2" DOTS "6 (34):7" },
    { "x:2606:2800:220:1:248:1893:25c8:1946:7:9", "x:2" DOTS "6 (34):7:9" },
    { "src/a.c:3:2a00:1450:4001::200e", "src/a.c:3:2" DOTS "e (20)" },
    { "logs/2a00:1450:4001::200e.c#f@3", "logs/2" DOTS "e (20).c#f@3" }, { "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8:9" },
    { "access-93.184.216.34.log", "access-9" DOTS "4 (13).log" }, { "93.184.216.34_80.log", "9" DOTS "4 (13)_80.log" },
    { "curand-10.4.0.35.dist", "curand-10.4.0.35.dist" }, { "own/10.4.0.35", "own/1" DOTS "5 (9)" },
    { "mail/93.184.216.34.1", "mail/9" DOTS "4 (13).1" }, { "tool-5.13.1.2.3/x", "tool-5.13.1.2.3/x" },
    { "\xE6\x9C\x8D""93.184.216.34\xE6\x97\xA5.txt", "\xE6\x9C\x8D""9" DOTS "4 (13)\xE6\x97\xA5.txt" },
    { "src/jane@corp.org.c", "src/j" DOTS "g (13).c" }, { "jane@corp.org.1", "j" DOTS "g (13).1" },
    { "jane@corp.org.bz2", "j" DOTS "z (16)2" }, { "jane@corp.org-backup", "j" DOTS "g (13)-backup" },
    { "jane@corp.org..py", "j" DOTS "g (13)..py" }, { "home/jane@v2cloud.com/x.py", "home/j" DOTS "m (16)/x.py" },
    { "jane@v1.org#f@3", "j" DOTS "g (11)#f@3" },
    { "keys/my_AKIAQ7XZ9KP2VW4JT6MB.py", "keys/my_A" DOTS "B (20).py" },
    { "AKIAQ7XZ9KP2VW4JT6MB-old.py", "A" DOTS "B (20)-old.py" },
    { "a-ghp_" RANDOM RANDOM "a4Zt_b", "a-g" DOTS "t (40)_b" }, { "AKIAQ7XZ9KP2VW4JT6MBX", "AKIAQ7XZ9KP2VW4JT6MBX" },
    { "#include <a.h>", "#include <a.h>" }, { "#@1", "#@1" }, { "@1", "@1" }, { "12", "12" },
    /* folders, but of an address behind a URL's sign only the host's, */
    { "home/me@b.org/x.c", "home/m" DOTS "g (8)/x.c" }, { "me@b.org/x#f@1", "m" DOTS "g (8)/x#f@1" },
    { "a/me@b.org#f@1", "a/m" DOTS "g (8)#f@1" }, { "own/93.184.216.34", "own/9" DOTS "4 (13)" },
    { "a//me@b.org//b.py", "a//m" DOTS "g (8)//b.py" }, { "w\\me@b.org\\x.py", "w\\m" DOTS "g (8)\\x.py" },
    { "http://93.184.216.34/x.py", "http://9" DOTS "4 (13)/x.py" },
    { "ssh://git@b.org/a/b", "ssh://git@b.org/a/b" }, { "/me@b.org", "/" DOTS "g (9)" }, { "/", "/" },
    { "a/b\nc/me@b.org/x", "a/b\nc/m" DOTS "g (8)/x" }, { "[me@b.org, x]", "[m" DOTS "g (8), x]" },
    /* versions of packages, as far as they can be told from hosts, */
    { "jgroups@5.3.10.Final/x", "jgroups@5.3.10.Final/x" }, { "a/foo@v1.2.3-pre.linux/x", "a/foo@v1.2.3-pre.linux/x" },
    { "android/93.184.216.34/x.py", "android/9" DOTS "4 (13)/x.py" }, { "release/11.3.244.8", "release/11.3.244.8" },
    /* and words of hashes */
    { "npm_" RANDOM RANDOM "a4Zt#share@1", "n" DOTS "t (40)#share@1" },
    { "ghp_" RANDOM RANDOM "a4Zt#commit@1", "g" DOTS "t (40)#commit@1" },
    { "AKIAQ7XZ9KP2VW4JT6MB#hash_it@1", "A" DOTS "B (20)#hash_it@1" },
    { "sha.c#AKIAQ7XZ9KP2VW4JT6MB@1", "sha.c#A" DOTS "B (20)@1" },
    { "usr/share/y.py:2, AKIAQ7XZ9KP2VW4JT6MB/x.py:2", "usr/share/y.py:2, A" DOTS "B (20)/x.py:2" },
    { "shard-0.jsonl:0 AKIAQ7XZ9KP2VW4JT6MB/x.py", "shard-0.jsonl:0 A" DOTS "B (20)/x.py" },
    { "near.min_tokens.AKIAQ7XZ9KP2VW4JT6MB", "near.min_tokens.A" DOTS "B (20)" },
    { "hashes: 3\nname: AKIAQ7XZ9KP2VW4JT6MB", "hashes: 3\nname: A" DOTS "B (20)" },
    /* keys with capitals in lower case; others have lost what was in theirs */
    { "own/akiaq7xz9kp2vw4jt6mb", "own/a" DOTS "b (20)" },
    { "akiaq7xz9kp2vw4jt6mb/own", "a" DOTS "b (20)/own" },
    { "own/sk9f3b07c1e8a25d649f3b07c1e8a25d64", "own/s" DOTS "4 (34)" },
    { "own/scikit-learn-contributions", "own/scikit-learn-contributions" },
    { "Shark/X.java, shark/akiaq7xz9kp2vw4jt6mb", "Shark/X.java, shark/a" DOTS "b (20)" },
    { "own/Akiaq7xz9kp2vw4jt6mb", "own/Akiaq7xz9kp2vw4jt6mb" },         /* as it was written, it is none */
};

static void test_masks(void **state)
{
    struct bytes masked = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct slice text = slice_of(rows[i].text);

        masked.len = 0;
        assert_int_equal(sensitive_mask_text(&text, false, &masked), 0);
        if (!slice_equal(text, slice_of(rows[i].shown)))
            fail_msg("%s: %.*s", rows[i].text, (int)text.len, text.at);
    }
    bytes_free(&masked);
}

/* What is found in many ways is masked once. */
static void test_signs(void **state)
{
    struct bytes text = { 0 }, masked = { 0 };
    struct slice shown;

    (void)state;
    for (int i = 0; i < 100000; i++) assert_int_equal(bytes_append(&text, "#", 1), 0);
    assert_int_equal(bytes_append_slice(&text, SLICE(" me@b.org###########f@7")), 0);
    shown = bytes_slice(&text);
    assert_int_equal(sensitive_mask_text(&shown, false, &masked), 0);
    assert_int_equal(shown.len, text.len - strlen("me@b.org") + strlen("m" DOTS "g (8)"));
    assert_true(slice_equal((struct slice){ shown.at + 100000, shown.len - 100000 },
                            SLICE(" m" DOTS "g (8)###########f@7")));
    bytes_free(&text);
    bytes_free(&masked);
}

/* A program is masked where values are found: there a word of hashes says that it has none, and a path is no name. */
static void test_program(void **state)
{
    static const char *const texts[] = { "a/me@b.org/x\n", "sha = AKIAQ7XZ9KP2VW4JT6MB", "version 93.184.216.34",
                                         "akiaq7xz9kp2vw4jt6mb" };
    struct bytes             masked = { 0 };
    struct slice             text = SLICE("mail me@b.org");

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        text = slice_of(texts[i]);
        assert_int_equal(sensitive_mask_text(&text, true, &masked), 0);
        assert_true(slice_equal(text, slice_of(texts[i])));
    }
    text = SLICE("mail me@b.org");
    assert_int_equal(sensitive_mask_text(&text, true, &masked), 0);
    assert_true(slice_equal(text, SLICE("mail m" DOTS "g (8)")));
    bytes_free(&masked);
}

/* Whatever is beside a value in a name, it is not shown. */
static void test_any_name(void **state)
{
    static const char *const value[] = {
        "me.too@b.org", "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "AKIAQ7XZ9KP2VW4JT6MB",
        "ghp_" RANDOM RANDOM "a4Zt", "npm_" RANDOM RANDOM "a4Zt", "sk_live_" RANDOM RANDOM,
        "glpat-" RANDOM "a4Zt", "akiaq7xz9kp2vw4jt6mb",
    };
    static const char *const beside[] = { "/", "//", "#", "#f@12", ":", ":7", ", ", " ", "\\", "\n", "sha/", "/sha256",
                                          "commit ", " hashes", "version/", " update: ", "@", "(", ")", "[", "]", "\"",
                                          "=", "|", "src/shard-0.jsonl:3 ", "#L3-L9", "\xC3\xA9/",
                                          "/\xE2\x82\xAC", "" };
    static const char *const behind[] = { "/", "//", "#", "#f@12", ":", ":7", ":7:9", ", ", " ", "\\", "\n", "/sha256",
                                          " hashes", "@3", "(", ")", "[", "]", "\"", "=", "|", "#L3-L9", "/\xC3\xA9",
                                          ".c", ".py", "-old", "_2", "/version 7", "" };
    enum { SIDES = sizeof beside / sizeof *beside, BEHIND = sizeof behind / sizeof *behind };
    uint64_t     random = seed_of_run();
    struct bytes name = { 0 }, masked = { 0 };

    (void)state;
    for (int round = 0; round < 20000; round++) {
        const char  *v = value[draw(&random) % (sizeof value / sizeof *value)];
        struct slice text;

        name.len = masked.len = 0;
        for (uint64_t i = draw(&random) % 4; i; i--)
            assert_int_equal(bytes_printf(&name, "%s", beside[draw(&random) % SIDES]), 0);
        /* what a value may go on with, or be gone on by: a letter, a user's sign, a dot */
        if (name.len && memmem(name.at, name.len, ":/", 2)) continue;   /* a URL's user is told */
        if (name.len && !strchr("/ ,#\n(\"[", name.at[name.len - 1])) assert_int_equal(bytes_append(&name, "/", 1), 0);
        assert_int_equal(bytes_printf(&name, "%s", v), 0);
        for (uint64_t i = draw(&random) % 4; i; i--)
            assert_int_equal(bytes_printf(&name, "%s", behind[draw(&random) % BEHIND]), 0);
        text = bytes_slice(&name);
        assert_int_equal(sensitive_mask_text(&text, false, &masked), 0);
        if (memmem(text.at, text.len, v, strlen(v))) fail_msg("%.*s", (int)text.len, text.at);
    }
    bytes_free(&name);
    bytes_free(&masked);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_masks), cmocka_unit_test(test_signs),
                                        cmocka_unit_test(test_program),
                                        cmocka_unit_test(test_any_name) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
