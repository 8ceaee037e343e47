/* tests/unit/clonetype/names.c -- what is found by the order of names is what comparing every run of them finds. */
#include "clonetype/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { PATTERNS = 60, MOST = 40, NAMES = 3000 };

static uint64_t state = 7;
static uint32_t pattern[PATTERNS][MOST];
static size_t   length[PATTERNS];
static uint64_t name[NAMES];

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % below;
}

static struct content_hash inside_of(size_t p) { return (struct content_hash){ p, ~p }; }

/* Names out of so many different ones, by where each was met first. */
static void pattern_draw(size_t p, uint64_t different)
{
    uint64_t drawn[MOST];

    length[p] = NAMES_WINDOW + draw(MOST - NAMES_WINDOW + 1);
    for (uint32_t i = 0; i < length[p]; i++) {
        drawn[i] = draw(different);
        pattern[p][i] = 0;
        while (drawn[pattern[p][i]] != drawn[i]) pattern[p][i]++;
    }
}

static bool is_pattern(size_t p, size_t from)
{
    for (uint32_t i = 0; i < length[p]; i++)
        for (uint32_t k = 0; k < i; k++)
            if ((name[from + i] == name[from + k]) != (pattern[p][i] == pattern[p][k])) return false;
    return true;
}

static bool is_found(const struct names_asker *asker, size_t p, size_t from)
{
    for (size_t i = 0; i < asker->count; i++)
        if (asker->place[i].from == from && asker->place[i].inside.low == p) {
            assert_int_equal(asker->place[i].count, length[p]);
            return true;
        }
    return false;
}

/* Names of a document: of few different ones, so that chance has patterns too, with some patterns under other names. */
static void names_draw(size_t count, uint64_t different)
{
    for (size_t i = 0; i < count; i++) name[i] = draw(different) << 40 | draw(different) % 3;
    for (int n = 0; n < 12; n++) {
        const size_t p = draw(PATTERNS);

        if (length[p] > count) continue;
        for (size_t i = 0, from = draw(count - length[p] + 1), salt = draw(1000); i < length[p]; i++)
            name[from + i] = (1000 + salt) * MOST + pattern[p][i];
    }
}

static void test_all(void **unused)
{
    struct names_asker asker = { .count = 0 };
    size_t             truths = 0, found = 0;

    (void)unused;
    for (uint64_t different = 2; different <= 20; different += 3) {
        struct names names = { .count = 0 };

        for (size_t p = 0; p < PATTERNS; p++) {
            pattern_draw(p, different);
            assert_int_equal(names_add(&names, pattern[p], length[p], inside_of(p)), 0);
            assert_int_equal(names_add(&names, pattern[p], length[p], inside_of(p)), 0);    /* once */
        }
        assert_int_equal(names.count, PATTERNS);
        assert_int_equal(names_finish(&names), 0);
        for (int d = 0; d < 40; d++) {
            const size_t count = d < 20 ? draw(60) : draw(NAMES);

            names_draw(count ? count : 1, 1 + draw(different));
            assert_int_equal(names_ask(&names, &asker, (struct feature_list){ name, count }), 0);
            found += asker.count;
            for (size_t p = 0; p < PATTERNS; p++)
                for (size_t from = 0; from + length[p] <= count; from++)
                    if (is_pattern(p, from)) {
                        truths++;
                        if (!is_found(&asker, p, from)) fail_msg("pattern %zu at %zu is not found", p, from);
                    }
        }
        names_free(&names);
    }
    /* what is found beside them is no more than names that are many, and of those the first alone are looked at */
    assert_true(truths > 1000 && found >= truths && found < truths + truths / 10);
    names_asker_free(&asker);
}

/* A text that is one pattern over and over: it ends with what is enough to read it as a whole. */
static void test_many(void **unused)
{
    struct names_asker asker = { .count = 0 };
    struct names       names = { .count = 0 };

    (void)unused;
    for (uint32_t i = 0; i < NAMES_WINDOW; i++) pattern[0][i] = i % 3;
    assert_int_equal(names_add(&names, pattern[0], NAMES_WINDOW, inside_of(0)), 0);
    assert_int_equal(names_finish(&names), 0);
    for (size_t i = 0; i < NAMES; i++) name[i] = i % 3;
    assert_int_equal(names_ask(&names, &asker, (struct feature_list){ name, NAMES }), 0);
    assert_true(asker.many && asker.count == NAMES_PLACES);
    assert_int_equal(names_ask(&names, &asker, (struct feature_list){ name, NAMES_PLACES + NAMES_WINDOW - 1 }), 0);
    assert_true(!asker.many && asker.count == NAMES_PLACES);
    names_free(&names);
    names_asker_free(&asker);
}

/* Two items that differ in their last name alone have the same tokens between the first and the last. */
static void test_twins(void **unused)
{
    struct names_asker asker = { .count = 0 };
    struct names       names = { .count = 0 };

    (void)unused;
    for (uint32_t p = 0; p < 2; p++) {
        for (uint32_t i = 0; i + 1 < NAMES_WINDOW; i++) pattern[p][i] = i % 4;
        pattern[p][NAMES_WINDOW - 1] = p;
        assert_int_equal(names_add(&names, pattern[p], NAMES_WINDOW, inside_of(0)), 0);
    }
    assert_int_equal(names.count, 2);
    assert_int_equal(names_finish(&names), 0);
    for (uint32_t p = 0; p < 2; p++) {
        for (size_t i = 0; i < NAMES_WINDOW; i++) name[i] = 50 + pattern[p][i];
        assert_int_equal(names_ask(&names, &asker, (struct feature_list){ name, NAMES_WINDOW }), 0);
        assert_int_equal(asker.count, 1);
    }
    names_free(&names);
    names_asker_free(&asker);
}

static void test_none(void **unused)
{
    struct names_asker asker = { .count = 0 };
    struct names       names = { .count = 0 };

    (void)unused;
    assert_int_equal(names_finish(&names), 0);
    assert_int_equal(names_ask(&names, &asker, (struct feature_list){ name, NAMES }), 0);
    assert_int_equal(asker.count, 0);
    names_free(&names);
    names_asker_free(&asker);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_all), cmocka_unit_test(test_none),
                                        cmocka_unit_test(test_many), cmocka_unit_test(test_twins) };

    return cmocka_run_group_tests_name("clonetype/names", tests, NULL, NULL);
}
