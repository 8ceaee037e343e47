/* tests/unit/similarity/sha1.c -- SHA-1 against the examples of FIPS 180 and RFC 3174. */
#include "similarity/sha1.h"

#include <stdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void is_hash(struct slice text, const char *wanted)
{
    uint8_t hash[20];
    char    hex[41];

    sha1(text, hash);
    for (size_t i = 0; i < 20; i++) snprintf(hex + 2 * i, 3, "%02x", hash[i]);
    assert_string_equal(hex, wanted);
}

static void test_published(void **unused)
{
    static char many[1000000];

    (void)unused;
    is_hash(SLICE(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    is_hash(SLICE("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    is_hash(SLICE("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    memset(many, 'a', sizeof many);
    is_hash((struct slice){ many, sizeof many }, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    for (size_t i = 0; i < 640; i++) many[i] = (char)('0' + i % 8);
    is_hash((struct slice){ many, 640 }, "dea356a2cddd90c7a7ecedc5ebb563934f460452");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_published) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
