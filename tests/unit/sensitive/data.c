/* sensitive/data: numbers, files in base64, outlines, hashes with their names, pieces; and what is none of it. */
#include "sensitive/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define R16 "q7Xz9Kp2" "Vw4Jt6Mb"
#define R32 R16 "Yc5Ng1Ld0Rs7Qx2W"
#define H32 "9f3b07c1e8a25d64" "b1e7402fd8c9365a"

static void test_data(void **state)
{
    static const char *const data[] = {
        "3141592653589793238462643383279502884197", "0", "fedcba9876543210", "0123456789abcdef0123456789ABCDEF",
        "fedcba098765432fffffffff", "sha512-" R32 R32, "sha1-" R16, "md5-" R16,
        "H4sIAAAAAAAAAAFXTfzTeRwH8P2uGRmG6hKSmJh9a2HsuPy60VnHCEU", "iVBORw0KGgoAAAANSUhEUgAA", "R0lGODlhAQABAIAAAP",
        "/9j/4AAQSkZJRgABAQEASABIAAD", "UEsDBBQAAAAIAA", "AGFzbQEAAAABJwdgAX8Bf2AD",
        "M0-12h24v24H0z", "m12-3l45-6z", "M10-20C30-40S50-60-70-80",
    };
    static const char *const none[] = {
        R16, R32, H32, "M", "Mm-", "M0-1" R16, "M1h2x3", "x0-12h24v24H0z", "fedcba98" H32, "sha5" R32,
        "eyJhbGciOiJIUzI1NiJ9",
        "aXNhYWNzOm5vdCBteSByZWFsIHBhc3N3b3Jk",             /* a name and a password */
    };

    (void)state;
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        if (!sensitive_is_data(slice_of(data[i]))) fail_msg("%s is data", data[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (sensitive_is_data(slice_of(none[i]))) fail_msg("%s is no data", none[i]);
}

/* Base64 of words is data above DATA_LONG bytes; of bytes it is not, however long. */
static void test_encoded_text(void **state)
{
    static const char words[] = "dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIGEgbGF6eSBkb2ch", bytes[] = R32;
    char              text[600] = "";

    (void)state;
    for (size_t len = 0; len < 512; len += sizeof words - 1) {
        memcpy(text + len, words, sizeof words);
        assert_int_equal(sensitive_is_data(slice_of(text)), len + sizeof words - 1 > DATA_LONG);
    }
    memcpy(text, "AAAA", 4);                                /* a control character */
    assert_false(sensitive_is_data(slice_of(text)));
    for (size_t i = 0; i < 512; i++) text[i] = bytes[i % 32];
    assert_false(sensitive_is_data(slice_of(text)));
}

static bool piece(const char *text)
{
    const char *found = strstr(text, H32);
    size_t      at = (size_t)(found - text);

    assert_non_null(found);
    return sensitive_is_piece(slice_of(text), at, at + sizeof H32 - 1);
}

static void test_pieces(void **state)
{
    static char far[400];

    (void)state;
    assert_true(piece("x = '" H32 "' + '" R16 "'"));
    assert_true(piece("'" R16 "'\n    \"" H32 "\";"));     /* C, Python */
    assert_true(piece("'" R16 "' \\\n'" H32 "'"));
    assert_true(piece("'" R16 "' . '" H32 "'"));            /* Perl */
    assert_true(piece("'" H32 "' & '" R16 "x"));            /* is not closed, but long enough */
    assert_false(piece("'" H32 "'"));
    assert_false(piece("'" H32 "', '" R16 "'"));            /* a list */
    assert_false(piece("'" R16 "': '" H32 "'"));
    assert_false(piece("'x' + '" H32 "' + 'y'"));
    assert_false(piece("'a key ' + '" H32 "' + '1234567 12345678'"));
    snprintf(far, sizeof far, "'" R16 "'%*s'" H32 "'", 90, "");
    assert_true(piece(far));
    snprintf(far, sizeof far, "'" R16 "'%*s'" H32 "'", 110, "");
    assert_false(piece(far));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_data), cmocka_unit_test(test_encoded_text),
                                        cmocka_unit_test(test_pieces) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
