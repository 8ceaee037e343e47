/* tests/unit/view/hash.c -- hashes of features and texts: what is in files already, the rule one byte at a time, and
 * that white space alone is squeezed out. */
#include "view/view.h"

#include "kernels/kernels.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static char letters[512];

/* Hashes stand in graphs and indexes: these values may not change. */
static void values_are_those_of_the_files(void **unused)
{
    static const struct { size_t len; uint64_t seed, hash; } kept[] = {
        { 0, 0, 0x7ab6a036d045e622u }, { 1, 0, 0xe7b31452b06b537cu }, { 8, 0, 0x9c430ecda5d1d2d5u },
        { 9, 1, 0x4d18137daeb54a7fu }, { 16, 7, 0x10e2f7dcc6651500u }, { 17, 0, 0x2bf6f66973a6179du },
        { 200, 7, 0x68a4e27266050598u },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        uint64_t got = view_hash((struct slice){ letters, kept[i].len }, kept[i].seed);

        if (got != kept[i].hash)
            fail_msg("{ %zu, %" PRIu64 ", 0x%016" PRIx64 " },", kept[i].len, kept[i].seed, got);
    }
}

/* Up to 16 bytes: two little-endian words, their product folded, and a finish. */
static uint64_t plain_hash(const char *at, size_t len, uint64_t seed)
{
    uint64_t          low = 0, high = 0, hash;
    unsigned __int128 product;

    for (size_t i = 0; i < len; i++) *(i < 8 ? &low : &high) |= (uint64_t)(unsigned char)at[i] << i % 8 * 8;
    product = (unsigned __int128)(low ^ VIEW_HASH_K0 ^ seed) * (high ^ VIEW_HASH_K1 ^ len * VIEW_HASH_K2);
    hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    hash += (low << 21 | low >> 43) + high * VIEW_HASH_K2;
    hash = (hash ^ hash >> 32) * VIEW_HASH_K1;
    hash ^= hash >> 29;
    return hash ? hash : 1;
}

static void short_words_by_the_rule(void **unused)
{
    (void)unused;
    for (size_t len = 0; len <= 16; len++)
        for (size_t from = 0; from < 64; from++)
            for (uint64_t seed = 0; seed < 3; seed++)
                assert_true(view_hash((struct slice){ letters + from, len }, seed) ==
                            plain_hash(letters + from, len, seed));
    for (size_t n = 0; n <= 8; n++) {
        uint64_t low_bytes = n == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * n) - 1;

        assert_true(view_hash_mask[8 + n] == low_bytes);
        assert_true(view_hash_mask[n] == 0);
        assert_true(view_hash_mask[16 + n] == UINT64_MAX);
    }
}

/* A table takes 0 for a free place: words that would hash to it get 1. */
static void no_hash_is_zero(void **unused)
{
    /* the seed makes the first factor 0, so that nothing is left of the product; low is 0, so nothing is added */
    static const char zeros[32];

    (void)unused;
    assert_true(view_hash((struct slice){ zeros, 1 }, VIEW_HASH_K0) == 1);
    assert_true(view_hash((struct slice){ zeros, 8 }, VIEW_HASH_K0) == 1);
}

static bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool same(struct content_hash a, struct content_hash b) { return a.low == b.low && a.high == b.high; }

/* The hash of a text without its white space is that of the bytes that are left. */
static void squeezed_texts(void **unused)
{
    static const char alphabet[] = "ab \t\n\v\f\r\x08\x0E\x1C\x85\xA0";
    struct bytes      scratch = { 0 };
    uint64_t          state = 11;

    (void)unused;
    for (size_t len = 0; len < 300; len++)
        for (unsigned often = 1; often < 60; often = often * 3) {
            char   text[300 + BYTES_PAD], left[300];
            size_t kept = 0;

            for (size_t i = 0; i < len; i++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                text[i] = (state >> 33) % often ? 'x' : alphabet[(state >> 50) % (sizeof alphabet - 1)];
                if (!is_white(text[i])) left[kept++] = text[i];
            }
            memset(text + len, ' ', BYTES_PAD);
            if (!same(content_hash_squeezed((struct slice){ text, len }, &scratch),
                      content_hash_raw((struct slice){ left, kept })))
                fail_msg("%zu bytes, %zu of them no white space", len, kept);
        }
    assert_true(same(content_hash_squeezed(SLICE(" \n "), &scratch), content_hash_raw(SLICE(""))));
    bytes_free(&scratch);
}

static void raw_texts(void **unused)
{
    struct content_hash empty = content_hash_raw(SLICE(""));

    (void)unused;
    assert_true(same(content_hash_raw((struct slice){ NULL, 0 }), empty));
    assert_true(empty.low == 0x6001c324468d497fu && empty.high == 0x99aa06d3014798d8u);     /* XXH3-128 of nothing */
    assert_false(same(content_hash_raw(SLICE("a ")), content_hash_raw(SLICE("a"))));
}

/* Its length and both its ends, and nothing between. */
static void sketches(void **unused)
{
    char text[200], other[200];

    (void)unused;
    memset(text, 'x', sizeof text);
    memcpy(other, text, sizeof text);
    for (size_t len = 0; len <= sizeof text; len++) {
        const uint64_t sketch = content_sketch((struct slice){ text, len });

        assert_true(content_sketch((struct slice){ other, len }) == sketch);
        if (len) assert_true(content_sketch((struct slice){ text, len - 1 }) != sketch);
        for (size_t at = 0; at < len; at++) {
            const bool ends = len <= 64 || at < 32 || at >= len - 32;

            other[at] = 'y';
            assert_int_equal(content_sketch((struct slice){ other, len }) != sketch, ends);
            other[at] = 'x';
        }
    }
    assert_true(content_sketch((struct slice){ NULL, 0 }) == content_sketch(SLICE("")));
}

/* The hash of the bytes in small letters: every byte at every place of a word of eight, and at lengths around those at
 * which pieces of long ones end. */
static void folded_words(void **unused)
{
    static char text[1200], small[sizeof text];
    const size_t room = sizeof text - 64;

    (void)unused;
    for (int shift = 0; shift < 256; shift++) {
        for (size_t i = 0; i < sizeof text; i++) {
            text[i] = (char)(i * 3 + (size_t)shift);
            small[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
        }
        for (size_t len = 0; len <= room; len += len < 40 || len % 256 > 240 || len % 256 < 16 ? 1 : 31)
            for (uint64_t seed = 0; seed < 2; seed++)
                assert_true(view_hash_folded((struct slice){ text, len }, seed) ==
                            view_hash((struct slice){ small, len }, seed));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_files), cmocka_unit_test(short_words_by_the_rule),
        cmocka_unit_test(no_hash_is_zero), cmocka_unit_test(squeezed_texts), cmocka_unit_test(raw_texts),
        cmocka_unit_test(sketches), cmocka_unit_test(folded_words),
    };

    for (size_t i = 0; i < sizeof letters; i++) letters[i] = (char)(i * 7 + 1);
    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
