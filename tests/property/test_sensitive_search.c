/* tests/property/test_sensitive_search.c -- many strings looked for at once, by their hashes, against memmem.
 *
 * Texts of few letters, in which strings overlap, begin and end alike and contain each other; strings are cut from the
 * text, changed, or drawn. */
#include "sensitive/search.h"

#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_TEXT = 4000, MOST_STRINGS = 300, MOST_LENGTH = 300 };

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

struct places { struct { uint32_t number; size_t at; } place[1 << 16]; size_t count, most; };

static int place_add(void *context, uint32_t number, size_t at)
{
    struct places *places = context;

    assert_true(places->count < sizeof places->place / sizeof *places->place);
    places->place[places->count].number = number;
    places->place[places->count++].at = at;
    return places->count == places->most ? 7 : 0;
}

static size_t length_draw(void) { return NEEDLE_ENDS + (draw(4) ? draw(12) : draw(MOST_LENGTH - NEEDLE_ENDS)); }

/* A string that none of those before it equals; false when one does. */
static bool string_draw(char *string, size_t *len, const struct bytes *text, unsigned letters, bool one_head,
                        char strings[][MOST_LENGTH], const size_t *lens, size_t count)
{
    *len = length_draw();
    if (draw(3) && text->len > *len) memcpy(string, text->at + draw((unsigned)(text->len - *len)), *len);
    else for (size_t i = 0; i < *len; i++) string[i] = (char)('a' + draw(letters));
    if (draw(4) == 0) string[draw((unsigned)*len)] ^= 1;
    if (one_head) memset(string, 'a', NEEDLE_ENDS);
    for (size_t i = 0; i < count; i++)
        if (lens[i] == *len && memcmp(strings[i], string, *len) == 0) return false;
    return true;
}

static void round_check(void)
{
    static char           strings[MOST_STRINGS][MOST_LENGTH];
    static size_t         lens[MOST_STRINGS];
    static struct needle  needle[MOST_STRINGS];
    static struct places  places;
    struct bytes          text = { 0 };
    struct sensitive_search search;
    struct err            err = { 0 };
    unsigned              letters = 2 + draw(draw(2) ? 2 : 60), wanted = draw(MOST_STRINGS);
    size_t                len = draw(8) ? draw(MOST_TEXT) : draw(24), count = 0, seen = 0;
    const bool            one_head = draw(3) == 0;           /* of many lengths, and often in the text */
    bool                 *at_place;

    assert_int_equal(bytes_reserve(&text, len), 0);
    for (size_t i = 0; i < len; i++) text.at[i] = (char)(one_head && draw(5) ? 'a' : 'a' + draw(letters));
    text.len = len;
    memset(text.at + len, 'a', BYTES_PAD);                  /* what is behind the text must not count */
    for (unsigned i = 0; i < wanted; i++) {
        if (!string_draw(strings[count], &lens[count], &text, letters, one_head, strings, lens, count)) continue;
        needle[count] = needle_of((struct slice){ strings[count], lens[count] });
        count++;
    }
    assert_int_equal(sensitive_search_open(&search, needle, count, &err), 0);
    places.count = 0, places.most = SIZE_MAX;
    assert_int_equal(sensitive_search_text(&search, bytes_slice(&text), place_add, &places), 0);
    at_place = calloc((len + 1) * (count + 1), sizeof *at_place);
    assert_non_null(at_place);
    for (size_t i = 0; i < places.count; i++) {
        const size_t number = places.place[i].number, at = places.place[i].at;

        assert_true(number < count && at + lens[number] <= len &&
                    memcmp(text.at + at, strings[number], lens[number]) == 0);
        assert_false(at_place[at * count + number]);        /* once */
        at_place[at * count + number] = true;
        if (i)
            assert_true(at > places.place[i - 1].at ||
                        (at == places.place[i - 1].at && lens[number] > lens[places.place[i - 1].number]));
    }
    for (size_t n = 0; n < count; n++)
        for (const char *at = text.at; (at = memmem(at, len - (size_t)(at - text.at), strings[n], lens[n])); at++)
            seen++;
    if (seen != places.count)
        fail_msg("%zu strings, %zu bytes of %u letters: %zu places instead of %zu", count, len, letters, places.count,
                 seen);
    if (seen) {                                             /* what found() returns ends the search */
        places.count = 0, places.most = 1 + draw((unsigned)seen);
        assert_int_equal(sensitive_search_text(&search, bytes_slice(&text), place_add, &places), 7);
        assert_int_equal(places.count, places.most);
    }
    free(at_place);
    sensitive_search_free(&search);
    bytes_free(&text);
}

static void test_random(void **unused)
{
    const char *long_run = getenv("LONG");
    int         rounds = long_run && *long_run ? 5000 : 200;

    (void)unused;
    for (int i = 0; i < rounds; i++) round_check();
}

/* More strings than the smallest bitmap is made for, all of one beginning and of one end. */
static void test_many(void **unused)
{
    enum { MANY = 20000 };
    struct needle          *needle = calloc(MANY, sizeof *needle);
    static struct places    places;
    struct sensitive_search search;
    struct bytes            text = { 0 };
    struct err              err = { 0 };

    (void)unused;
    assert_non_null(needle);
    for (int i = 0; i < MANY; i++) {
        char name[64];
        int  len = snprintf(name, sizeof name, "prefix-%d-suffix", i);

        needle[i] = needle_of((struct slice){ name, (size_t)len });
        if (i % 7 == 0) assert_int_equal(bytes_printf(&text, "%s%s", name, i % 2 ? "" : "-prefix-"), 0);
    }
    assert_int_equal(sensitive_search_open(&search, needle, MANY, &err), 0);
    places.count = 0, places.most = SIZE_MAX;
    assert_int_equal(sensitive_search_text(&search, bytes_slice(&text), place_add, &places), 0);
    assert_int_equal(places.count, (MANY + 6) / 7);
    for (size_t i = 0; i < places.count; i++) assert_int_equal(places.place[i].number, 7 * i);
    sensitive_search_free(&search);
    bytes_free(&text);
    free(needle);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_many) };
    const char             *seed = getenv("SEED");

    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed=%llu\n", (unsigned long long)state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
