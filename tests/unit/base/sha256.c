/* tests/unit/base/sha256.c -- the examples of FIPS 180-4, and lengths around the end of a block. */
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void gives(struct slice text, const char *wanted)
{
    uint8_t hash[SHA256_BYTES];
    char    hex[2 * SHA256_BYTES + 1];

    sha256(text, hash);
    for (size_t i = 0; i < SHA256_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", hash[i]);
    assert_string_equal(hex, wanted);
}

static void test_examples(void **unused)
{
    char base64[SHA256_BASE64], *many = malloc(1000000);

    (void)unused;
    gives(SLICE(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    gives(SLICE("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    gives(SLICE("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_non_null(many);
    memset(many, 'a', 1000000);
    gives((struct slice){ many, 1000000 }, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(many);
    sha256_base64(SLICE("abc"), base64);
    assert_string_equal(base64, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

/* Of the hashes of 0 to 199 letters, put in a row, the hash: as Python's hashlib has it. */
static void test_lengths(void **unused)
{
    char    text[200];
    uint8_t all[200][SHA256_BYTES];

    (void)unused;
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < 200; i++) sha256((struct slice){ text, i }, all[i]);
    gives((struct slice){ (const char *)all, sizeof all },
          "f5e61141898898cdabae3590cb32e1901b40bdc59952302926213a44c105c129");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_examples), cmocka_unit_test(test_lengths) };

    return cmocka_run_group_tests_name("base/sha256", tests, NULL, NULL);
}
