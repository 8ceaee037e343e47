/* scan/sensitive: e-mail and IP addresses, keys, what looks random, masks; and that hostile texts take no more than
 * linear time. */
#include "sensitive/sensitive.h"
#include "sensitive/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* "email:a@b.co key/npm:npm_..." of a text, in order, separated by blanks. */
static const char *found(struct slice text)
{
    static char  line[8192];
    struct bytes out = { 0 };
    struct err   err = { 0 };
    size_t       len = 0;

    assert_int_equal(sensitive_find(text, &out, &err), 0);
    *line = 0;
    for (size_t i = 0; i < out.len / sizeof(struct sensitive_match); i++) {
        const struct sensitive_match *match = (const struct sensitive_match *)(const void *)out.at + i;

        len += (size_t)snprintf(line + len, sizeof line - len, "%s%s%s%s:%.*s", i ? " " : "",
                                sensitive_names[match->kind], *match->pattern ? "/" : "", match->pattern,
                                (int)match->len, text.at + match->at);
        assert_true(len < sizeof line);
    }
    bytes_free(&out);
    return line;
}

struct example { const char *text, *expected; };

static void examples_check(const struct example *example, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(found(slice_of(example[i].text)), example[i].expected) != 0)
            fail_msg("`%s` gave `%s`, not `%s`", example[i].text, found(slice_of(example[i].text)),
                     example[i].expected);
}

#define CHECK(examples) examples_check(examples, sizeof examples / sizeof *examples)

/* The examples of docs/definitions.md, "Sensitive strings". */
static void test_published(void **state)
{
    static const struct example examples[] = {
        { "dns 1.2.3.4 x", "ip:1.2.3.4" },   { "version 1.2.3.4 x", "" }, { "\"8.8.8.8\"", "" },
        { " 33.01.33.33 ", "" }, { "host=10.0.0.1;", "" },
        { "<a@b.co>", "email:a@b.co" },      { "x@y", "" },
    };

    (void)state;
    CHECK(examples);
}

static void test_emails(void **state)
{
    static const struct example examples[] = {
        { "a@b.co", "email:a@b.co" },
        { "Mail me: first.last+tag@sub-domain.example.org.", "email:first.last+tag@sub-domain.example.org" },
        { "('jos\xC3\xA9@d\xC3\xB6m.de')", "email:jos\xC3\xA9@d\xC3\xB6m.de" },
        /* quotes, spaces and stops of other scripts are borders, and no letters */
        { "\xE2\x80\x9C" "a@b.co\xE2\x80\x9D c@d.co\xC2\xA0x \xEF\xBC\x9A" "e@f.co\xE3\x80\x82",
          "email:a@b.co email:c@d.co email:e@f.co" },
        { "\xC2\xABj\xC3\xA9@\xE4\xBE\x8B.co\xC2\xBB 1.2.3.4", "email:j\xC3\xA9@\xE4\xBE\x8B.co" },
        { "a\xE2\x80\x93" "b@c.co\xE2\x80", "email:b@c.co\xE2\x80" },      /* one that is cut is none */
        { "x\xE3\x80\x80" "a@b.co\xE3\x80\x80y", "email:a@b.co" },
        { "a@b.co,c@d.co;e@f.co", "email:a@b.co email:c@d.co email:e@f.co" },
        { "a@b.co\nc@d.co", "email:a@b.co email:c@d.co" },
        { "a@b.co@d.com", "" },                             /* @ is no border */
        { "a@b.co1 a@b.c_1 image.png@01D0A526.B4C739C0", "" },     /* no top-level domain has digits */
        { "a@b.co.1 a@b.co.uk|c", "" },                     /* nor is a part of one taken */
        /* pod, HTML, a URL */
        { "by A B E<lt>a@b.orgE<gt>.", "email:a@b.org" }, { "E<lt>a.b@c.co.ukE<gt>", "email:a.b@c.co.uk" },
        { "a@b.orgE<62> a@b.DE<verbar>", "email:a@b.org" },
        { "L<a@b.org|mailto:a@b.org>", "email:a@b.org" }, { "a@b.orgE", "email:a@b.orgE" },
        { "a@b.orgE<x y>", "email:a@b.orgE" },              /* no escape */
        { "a@b.org<br>", "email:a@b.org" },
        { "&lt;a@b.org&gt; a@b.co&#62; a@b.co&#x3e;", "email:a@b.org email:a@b.co email:a@b.co" },
        { "a@b.org&c=1", "" }, { "a@b.org&;", "" },
        { "maven/org.jgroups/jgroups@5.3.10.Final a@163.com a@1.2.co", "email:a@163.com" },
        { "#{@block.index #@a.bc *@a.bc arity=@a.bc a+@b.co a_@b.co", "email:a+@b.co email:a_@b.co" },
        { "git+ssh://git@host.org:8", "" }, { "mailto:a@b.org", "email:a@b.org" },
        { "a@b.c", "" },                                    /* after the dot at least two */
        { "a@b.1co", "" },                                  /* the first of them a letter */
        { "a@.com", "" }, { "a@b..com", "" }, { "@b.com", "" }, { " @decorator.name", "" },
        { "[a@b.co]", "" }, { "x=a@b.co;", "email:x=a@b.co" }, { "a@b.co/x", "" }, { "a@b.co-", "" },
        { "a@b.com.", "email:a@b.com" },
        { "a@b.co.", "email:a@b.co" },
        { "git@github.com:owner/name.git", "email:git@github.com" },
        { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b.co",     /* 64 */
          "email:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b.co" },
        { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b.co", "" },
    };

    (void)state;
    CHECK(examples);
    assert_string_equal(found((struct slice){ "\0a@b.co\0", 8 }), "email:a@b.co");
    assert_string_equal(found((struct slice){ "a\0@b.co", 7 }), "");
}

static void test_ips(void **state)
{
    static const struct example examples[] = {
        { "at 93.184.216.34, and", "ip:93.184.216.34" },
        { "93.184.216.34", "ip:93.184.216.34" },
        { "It is 93.184.216.34. So", "ip:93.184.216.34" },
        { "93.184.216.34:8080", "ip:93.184.216.34" },
        { "93.184.216.34/24", "" }, { "=93.184.216.34", "" }, { "v93.184.216.34", "" },
        { "93.184.216.34.5", "" }, { "93.184.216", "" }, { "93.184.216.256", "" }, { "93.184.216.034", "" },
        { "93.184..216.34", "" },
        { "on 24.12.19.3 we", "" },                         /* a date */
        { "on 19.12.24.3 we", "" },
        { "on 99.13.19.203 we", "ip:99.13.19.203" },        /* there is no 13th month */
        { "on 45.12.50.103 we", "ip:45.12.50.103" },        /* and no day 45 or 50 */
        { "10.35.69.216", "ip:10.35.69.216" }, { "(10.0.0.192)", "ip:10.0.0.192" },
        { "x\n(10.0.0.192)\ny", "ip:10.0.0.192" },
        { "E<lt>93.184.216.34E<gt> &lt;93.184.216.34&gt;", "ip:93.184.216.34 ip:93.184.216.34" },
        { "34.216.184.93.in-addr.arpa", "" },
        { "Name SERVER: 8.8.4.4", "ip:8.8.4.4" },
        { "10.0.0.1 127.0.0.1", "ip:10.0.0.1 ip:127.0.0.1" },       /* leaving out local ones is an option */
        { "2001:db8::ff00:42:8329", "ip:2001:db8::ff00:42:8329" },
        { "(2001:0db8:0000:0000:0000:ff00:0042:8329)", "ip:2001:0db8:0000:0000:0000:ff00:0042:8329" },
        { "::ffff:93.184.216.34", "ip:::ffff:93.184.216.34" },      /* one address, not two */
        { "see 2001:db8::1: it", "ip:2001:db8::1" },
        { "1111:2:3:4:5:6:7:8 4001::1 64:ff9b::1", "" },    /* given to nobody */
        { "abcd::dead a::b", "" },                          /* no digit: a scope of C++ */
        { "12:30:45", "" }, { "00:1a:2b:3c:4d:5e", "" }, { "2001:db8:::1", "" }, { "x2001:db8::1", "" }, { "1::2", "" },
    };
    char context[256];

    (void)state;
    CHECK(examples);
    for (int gap = 95; gap <= 98; gap++) {                  /* within 100 bytes: all of `dns` */
        snprintf(context, sizeof context, "dns%*s1.2.3.4", gap, "");
        assert_string_equal(found(slice_of(context)), gap <= 97 ? "ip:1.2.3.4" : "");
        snprintf(context, sizeof context, "1.2.3.4%*sdns", gap, "");
        assert_string_equal(found(slice_of(context)), gap <= 97 ? "ip:1.2.3.4" : "");
    }
}

/* Versions, sections, object identifiers, and the words that make an address of them. */
static void test_versions(void **state)
{
    static const struct example examples[] = {
        { "nvcc 11.3.244.8 and", "" }, { "\"11.3.244.8\"", "" }, { "ECMA 15.5.4.11", "" }, { "(\"2.5.29.14\")", "" },
        { "2.5.32.14", "" }, { "2.5.132.99", "ip:2.5.132.99" }, { "2.5.132.31", "" }, { "2.5.132.32", "ip:2.5.132.32" },
        { "2.5.132.131", "ip:2.5.132.131" },
        { "host 11.3.244.8", "ip:11.3.244.8" }, { "11.3.244.8 is its IP", "ip:11.3.244.8" },
        { "IPv4Address('9.4.2.25')", "ip:9.4.2.25" }, { "script 9.4.2.25", "" },      /* `ip` is no word there */
        { "host\n11.3.244.8", "" },                         /* another line */
        { "version 104.131.124.203", "" }, { "OID 1.3.101.112", "" },
        { "ObjectIdentifier(\"2.5.4.17\") # addr", "" },
        { "104.131.124.203 version", "ip:104.131.124.203" },
        { "host version 104.131.124.203", "ip:104.131.124.203" },
        { "10.4.11.2 192.168.0.1", "ip:10.4.11.2 ip:192.168.0.1" }, { "10.4.1.2 10.1.1.1", "ip:10.4.1.2 ip:10.1.1.1" },
    };

    (void)state;
    CHECK(examples);
}

static void test_examples(void **state)
{
    (void)state;
    assert_true(sensitive_is_example(SLICE("AKIAIOSFODNN7EXAMPLE"), SENSITIVE_KEY));
    assert_true(sensitive_is_example(SLICE("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), SENSITIVE_KEY));
    assert_false(sensitive_is_example(SLICE("AKIAIOSFODNN7EXAMPEL"), SENSITIVE_KEY));
    assert_true(sensitive_is_example(SLICE("a@Example.com"), SENSITIVE_EMAIL));
    assert_false(sensitive_is_example(SLICE("a@exampel.com"), SENSITIVE_EMAIL));
    assert_true(sensitive_is_example(SLICE("192.0.2.1"), SENSITIVE_IP));
    assert_true(sensitive_is_example(SLICE("198.51.100.255"), SENSITIVE_IP));
    assert_true(sensitive_is_example(SLICE("203.0.113.0"), SENSITIVE_IP));
    assert_true(sensitive_is_example(SLICE("::ffff:192.0.2.1"), SENSITIVE_IP));
    assert_true(sensitive_is_example(SLICE("2001:DB8:0::1"), SENSITIVE_IP));
    assert_false(sensitive_is_example(SLICE("192.0.3.1"), SENSITIVE_IP));
    assert_false(sensitive_is_example(SLICE("2001:db9::1"), SENSITIVE_IP));
}

static void test_local(void **state)
{
    static const char *const local[] = { "10.1.2.3", "127.0.0.1", "0.0.0.0", "192.168.1.1", "172.16.0.1",
                                         "172.31.255.255", "169.254.1.1", "224.0.0.1", "255.255.255.255",
                                         "100.64.0.1", "100.127.255.255", "198.18.0.1", "198.19.9.9", "::1", "::",
                                         "fe80::1", "fd00::1", "ff02::1", "::ffff:10.0.0.1" };
    static const char *const remote[] = { "11.1.2.3", "100.63.0.1", "100.128.0.1", "198.20.0.1", "172.15.0.1",
                                          "172.32.0.1", "192.169.1.1", "223.255.255.255", "169.253.1.1",
                                          "2001:db8::1", "::2", "::ffff:11.0.0.1", "no address" };

    (void)state;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if (!sensitive_is_local(slice_of(local[i]))) fail_msg("%s is local", local[i]);
    for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
        if (sensitive_is_local(slice_of(remote[i]))) fail_msg("%s is not local", remote[i]);
}

/* ---- keys ---- */

#define R8  "q7Xz9Kp2"
#define R16 R8 "Vw4Jt6Mb"
#define R20 R16 "3Hf8"
#define R32 R16 "Yc5Ng1Ld0Rs7Qx2W"
#define H16 "9f3b07c1e8a25d64"
#define H32 H16 "b1e7402fd8c9365a"

/* A pattern with what it finds, and what it nearly would.  Written in pieces: as a whole they would look real to
 * scanners of this repository too. */
static void test_keys(void **state)
{
    static const struct example examples[] = {
        { "id = AKIA" "Q7XZ9KP2VW4JT6MB", "key/aws:AKIA" "Q7XZ9KP2VW4JT6MB" },
        { "ASIA" "Q7XZ9KP2VW4JT6MB", "key/aws:ASIA" "Q7XZ9KP2VW4JT6MB" },
        { "A3TX" "Q7XZ9KP2VW4JT6MB", "key/aws:A3TX" "Q7XZ9KP2VW4JT6MB" },
        { "AKIA" "Q7XZ9KP2VW4JT6M", "" }, { "AKIA" "Q7XZ9KP2VW4JT6MBX", "" }, { "AKIA" "Q7XZ9KP2VW4JT6Mb", "" },
        { "AKIB" "Q7XZ9KP2VW4JT6MB", "" },
        { "xAKIA" "Q7XZ9KP2VW4JT6MB", "" },
        { "AKIA" "IOSFODNNEXAMPLES", "" },                  /* words */
        { "AKIA" "XXXXXXXXXXXXXXXX", "" },
        { "aws_secret_access_key = '" R32 "/+" "Zk8Bv3'", "key/aws_secret:" R32 "/+" "Zk8Bv3" },
        { "AWS token: \"" R32 "/+" "Zk8Bv3\"", "key/aws_secret:" R32 "/+" "Zk8Bv3" },
        { "secret_access_key = '" R32 "/+" "Zk8Bv3'", "key/base64:" R32 "/+" "Zk8Bv3" },     /* no `aws`, but random */
        { "token ghp_" R32 "a4Zt", "key/github:ghp_" R32 "a4Zt" },
        { "gho_" R32 "a4Zt ghu_" R32 "a4Zt ghs_" R32 "a4Zt ghr_" R32 "a4Zt",
          "key/github:gho_" R32 "a4Zt key/github:ghu_" R32 "a4Zt "
          "key/github:ghs_" R32 "a4Zt key/github:ghr_" R32 "a4Zt" },
        { "github_pat_" R32 R32 R16 "_9", "key/github:github_pat_" R32 R32 R16 "_9" },
        { "ghp_" R32 "a4Z", "" }, { "ghp_" R32 "a4Zt9", "" }, { "ghx_" R32 "a4Zt", "" }, { "ghp-" R32 "a4Zt", "" },
        { "glpat-" R20, "key/gitlab:glpat-" R20 }, { "gldt-" R20, "key/gitlab:gldt-" R20 }, { "glpat-" R16, "" },
        { "glpat_" R20, "" },
        { "xoxb-123456789012-" R16, "key/slack:xoxb-123456789012-" R16 },
        { "xoxp-12-34-" R20, "key/slack:xoxp-12-34-" R20 },
        { "xoxb-" R32, "" }, { "xoxz-123456789012-" R16, "" }, { "xoxb-1-q7", "" },
        { "https://hooks.slack.com/services/T0" R8 "/B0" R8 "/" R20,
          "key/slack:https://hooks.slack.com/services/T0" R8 "/B0" R8 "/" R20 },
        { "https://hooks.slack.com/services/T0" R8 "/C0" R8 "/" R20, "" },
        { "https://hooks.slack.com/services/T0" R8 "/B0" R8, "" },
        { "sk_live_" R20 "q7Xz", "key/stripe:sk_live_" R20 "q7Xz" }, { "rk_live_" R32, "key/stripe:rk_live_" R32 },
        { "sk_live_" R20, "" }, { "sk_test_" R32, "" },
        { "AC" H32, "key/twilio:AC" H32 }, { "SK" H32, "key/twilio:SK" H32 }, { "AC" H16, "" }, { "AD" H32, "" },
        { "AC" R32, "" },
        { "key=AIza" R32 "_a4", "key/google:AIza" R32 "_a4" }, { "AIza" R32 "_a", "" }, { "AIzb" R32 "_a4", "" },
        { "npm_" R32 "a4Zt", "key/npm:npm_" R32 "a4Zt" }, { "npm_" R32, "" }, { "npm-" R32 "a4Zt", "" },
        { "pypi-AgEIcHlwaS5vcmc" R32 R32 R8, "key/pypi:pypi-AgEIcHlwaS5vcmc" R32 R32 R8 },
        { "pypi-AgEIcHlwaS5vcmc" R32, "" }, { "pypi-" R32 R32 R32, "" },
        { "SG." R16 "q7Xz9K." R32 R8 "q7X", "key/sendgrid:SG." R16 "q7Xz9K." R32 R8 "q7X" },
        { "SG." R16 "q7Xz9." R32 R8 "q7X", "" }, { "SG." R16 "q7Xz9K." R32 R8 "q7Xz", "" },
        { H32 "-us12", "key/mailchimp:" H32 "-us12" }, { H32 "-us", "" }, { H32 "-eu12", "" }, { H16 "-us12", "" },
        { "AccountName=x;AccountKey=" R32 R32 R16 "q7Xz9K==;", "key/azure:" R32 R32 R16 "q7Xz9K==" },
        { "AccountKey=" R32 R32 R16 "q7Xz9K=;", "" }, { "Key=" R32 R32 R16 "q7Xz9K==", "" },
        { "sq0csp-" R32 R8 "q7X", "key/square:sq0csp-" R32 R8 "q7X" },
        { "sq0atp-" R16 "q7Xz9K", "key/square:sq0atp-" R16 "q7Xz9K" }, { "sq0csp-" R32, "" },
        { "M" R20 "q7X.q7Xz9K." R20 "q7Xz9Kp", "key/discord:M" R20 "q7X.q7Xz9K." R20 "q7Xz9Kp" },
        { "P" R20 "q7X.q7Xz9K." R20 "q7Xz9Kp", "" }, { "M" R20 "q7X.q7Xz9." R20 "q7Xz9Kp", "" },
        { "eyJhbGciOiJIUzI1NiJ9.eyJ" R8 ".7" R32, "key/jwt:eyJhbGciOiJIUzI1NiJ9.eyJ" R8 ".7" R32 },
        { "eyJhbGciOiJIUzI1NiJ9.eyJ" R8, "" }, { "exJhbGciOiJIUzI1NiJ9.eyJ" R8 "." R32, "" },
        { "sk-" R20 "T3BlbkFJ" R20, "key/openai:sk-" R20 "T3BlbkFJ" R20 }, { "sk-" R20 "T3BlbkFj" R20, "" },
        { "sk-" R16 "T3BlbkFJ" R20, "" },
        { "k = \"" R32 "\"", "key/base64:" R32 }, { "k = '" R32 "'", "key/base64:" R32 }, { "k = \"" R32 "'", "" },
        { "k = " R32, "" }, { "k = \"" R16 " " R16 "\"", "" },
        { "k = \"" R20 "\"", "" },                          /* at most log2(20) bits */
        { "k = '" H16 "'", "key/hex:" H16 }, { "k = 'a1b2'", "" }, { "k = '12345678901234567890'", "" },
        { "pi = '31415926535897932384626433832795028841971693993751'", "" },
        { "'sha512-" R32 R32 R16 "q7Xz9K=='", "" },
        { "\"gitHead\": \"" H32 "b1e7402f\"", "" }, { "\"integrity\": \"" H32 H32 "\"", "" },
        { "\"name\": \"" H32 "b1e7402f\"", "key/hex:" H32 "b1e7402f" },
        { "k = '00000000aaaaaaaa'", "" },
        /* random by entropy, an alphabet by its pairs */
        { "k = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/'", "" },
        { "k = 'getElementByIdOrThrowWhenMissingXmlHttpRequestJsQueryVf'", "" },
        { "k = 'ghp_" R32 "a4Zt'", "key/github:ghp_" R32 "a4Zt" },                             /* once */
    };

    (void)state;
    CHECK(examples);
}

/* Hashes: of 32, 40 or 64 bytes on a line that speaks of them; any key of a text that is full of them. */
static void test_hashes(void **state)
{
    static const char key[] = "k = '" H32 "'", lines10[] = "\n\n\n\n\n\n\n\n\n\n";
    struct bytes      text = { 0 };

    (void)state;
    assert_string_equal(found(SLICE("x = '" H32 "'")), "key/hex:" H32);
    assert_string_equal(found(SLICE("MD5 = '" H32 "'")), "");
    assert_string_equal(found(SLICE("x = '" H32 "' # Byte by byte")), "");
    assert_string_equal(found(SLICE("md5\nx = '" H32 "'\nbytes")), "key/hex:" H32);
    assert_string_equal(found(SLICE("MD5 = '" H32 "b'")), "key/hex:" H32 "b");
    /* of 51 to 101 lines, `sha` in one or two: above 2 % or not */
    for (int mentions = 1; mentions <= 2; mentions++)
        for (int tens = 4; tens <= 10; tens++) {
            int lines = 10 * tens + 1;

            text.len = 0;
            for (int m = 0; m < mentions; m++) assert_int_equal(bytes_append_slice(&text, SLICE("SHA ")), 0);
            for (int i = 0; i < tens; i++) assert_int_equal(bytes_append_slice(&text, slice_of(lines10)), 0);
            assert_int_equal(bytes_append_slice(&text, slice_of(key)), 0);
            assert_string_equal(found(bytes_slice(&text)), mentions * 50 > lines ? "" : "key/hex:" H32);
        }
    bytes_free(&text);
}

static void test_gibberish(void **state)
{
    static const char *const words[] = { "getElementsByTagName", "my_secret_password", "connection-string",
                                         "ThisIsADefaultToken", "xxxxxxxxxxxxxxxx", "1234567890", "placeholder", "" };
    static const char *const random[] = { R32, R20, H32, H16, "kqzvxwjhgtbpfmdl", "Q7XZ9KP2VW4JT6MB" };

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sensitive_is_gibberish(slice_of(words[i]))) fail_msg("%s is made of words", words[i]);
    for (size_t i = 0; i < sizeof random / sizeof *random; i++)
        if (!sensitive_is_gibberish(slice_of(random[i]))) fail_msg("%s is gibberish", random[i]);
    assert_true(sensitive_entropy(SLICE("aaaa")) == 0);
    assert_true(sensitive_entropy(SLICE("")) == 0);
    assert_true(sensitive_entropy(SLICE("abcdabcd")) == 2);
    assert_true(sensitive_entropy(SLICE("0123456789abcdef")) == 4);
}

static int gibberish_of(const char *letters, int len)
{
    uint64_t draw = 1;
    int      gibberish = 0;
    char     text[32];

    for (int i = 0; i < 2000; i++) {
        for (int k = 0; k < len; k++) {
            draw = draw * 6364136223846793005ull + 1442695040888963407ull;
            text[k] = letters[(draw >> 33) % strlen(letters)];
        }
        gibberish += sensitive_is_gibberish((struct slice){ text, (size_t)len });
    }
    return gibberish;
}

/* The rates that sensitive/random.c speaks of: by far most random strings are gibberish. */
static void test_gibberish_of_random(void **state)
{
    (void)state;
    assert_true(gibberish_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 32) >= 1980);
    assert_true(gibberish_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 16) >= 1960);
    assert_true(gibberish_of("0123456789abcdef", 16) >= 1990);
}

/* ---- masks ---- */

static void test_masks(void **state)
{
    static const struct example examples[] = {
        { "a@b.example.com.z", "a\xE2\x80\xA6z (17)" }, { "ab", "a\xE2\x80\xA6" "b (2)" },
        { "\xC3\xA9x\xE2\x82\xAC", "\xC3\xA9\xE2\x80\xA6\xE2\x82\xAC (6)" },
        { "\xFFx\xFF", "\xEF\xBF\xBD\xE2\x80\xA6\xEF\xBF\xBD (3)" }, { "x\x80", "x\xE2\x80\xA6\xEF\xBF\xBD (2)" },
    };
    struct bytes out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        out.len = 0;
        assert_int_equal(sensitive_mask(slice_of(examples[i].text), &out), 0);
        if (!slice_equal(bytes_slice(&out), slice_of(examples[i].expected)))
            fail_msg("`%s` gave `%.*s`", examples[i].text, (int)out.len, out.at);
    }
    bytes_free(&out);
}

/* ---- time ---- */

/* Texts of 2 MB on one line, a piece repeated.  Where one byte in a piece cost the whole line, they would take hours;
 * the test would be stopped. */
static void test_hostile(void **state)
{
    static const char *const pieces[] = {
        "a.", "@", "a@", "a@b.", " a@", "a@b.co@", "1.", "1.2.3.4.", "1.2.3.4 ", "dn 1.2.3.4,", ":", "1:", "::", "a:1:",
            "a::1 ", "-", "a-", "'", "\"'", "'a", "ghp_", "sk-", "sk-T3BlbkFJ-",
        "eyJ", "eyJaaaaaaa.", "eyJaaaaaaa.eyJ.", "M" R20 "q7X.q7Xz9K.", "SG.", "xox", "xoxb-1-",
            "https://hooks.slack.com/services/T", "AccountKey=", "'" R32 "'", " " H32 "-us1 ",
        "aws key'" R32 "q7Xz9Kp2' ", "\xC3\xA9", "\xFF@",
    };
    enum { BYTES = 2 << 20 };
    struct bytes text = { 0 }, out = { 0 };
    struct err   err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        text.len = out.len = 0;
        while (text.len < BYTES) assert_int_equal(bytes_append_slice(&text, slice_of(pieces[i])), 0);
        assert_int_equal(sensitive_find(bytes_slice(&text), &out, &err), 0);
        for (size_t m = 0; m < out.len / sizeof(struct sensitive_match); m++) {
            const struct sensitive_match *match = (const struct sensitive_match *)(const void *)out.at + m;

            assert_in_range(match->len, SENSITIVE_SHORTEST, SENSITIVE_LONGEST);
            assert_true((size_t)match->at + match->len <= text.len);
        }
    }
    bytes_free(&text);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published), cmocka_unit_test(test_emails), cmocka_unit_test(test_ips),
            cmocka_unit_test(test_versions), cmocka_unit_test(test_examples), cmocka_unit_test(test_local),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_hashes), cmocka_unit_test(test_gibberish), cmocka_unit_test(test_gibberish_of_random),
            cmocka_unit_test(test_masks),
        cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
