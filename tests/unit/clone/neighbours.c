/* tests/unit/clone/neighbours.c -- places that stand alone, in nested ranges and at the ends of documents; then against
 * comparing all places with each other. */
#include "clone/neighbours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BLOCKS = 12, PLACES = 40 };

static uint64_t state = 5;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)((state >> 33) % below);
}

static void test_alone(void **unused)
{
    static const uint64_t   key[] = { 10, 20, 25, 50 }, end[] = { 40, 30, 30, 60 };
    struct clone_neighbours n;

    (void)unused;
    assert_int_equal(clone_neighbours_open(&n, key, end, 4), 0);
    assert_int_equal(clone_neighbours_add(&n, 5, 1, 2, true), 0);           /* of none */
    assert_int_equal(clone_neighbours_add(&n, 10, 1, 2, true), 0);          /* others have its neighbours below */
    assert_int_equal(clone_neighbours_add(&n, 26, 1, 3, true), 0);          /* begins with 10, 20 and 25 */
    assert_int_equal(clone_neighbours_add(&n, 20, 7, 8, true), 0);
    assert_int_equal(clone_neighbours_add(&n, 20, 9, 8, true), 0);          /* the same line behind */
    assert_int_equal(clone_neighbours_add(&n, 25, 4, 5, false), 0);         /* alone, but not leading */
    assert_int_equal(clone_neighbours_add(&n, 50, 0, 0, true), 0);          /* a whole document, twice */
    assert_int_equal(clone_neighbours_add(&n, 50, 0, 0, true), 0);
    assert_int_equal(clone_neighbours_end(&n), 0);
    assert_true(!n.alone[0] && !n.alone[1] && !n.alone[2] && n.alone[3]);
    clone_neighbours_free(&n);
    assert_int_equal(clone_neighbours_open(&n, NULL, NULL, 0), 0);
    assert_int_equal(clone_neighbours_add(&n, 5, 1, 2, true), 0);
    assert_int_equal(clone_neighbours_end(&n), 0);
    clone_neighbours_free(&n);
}

struct place { uint64_t key, before, behind; bool leading; };

static bool is_alone(const struct place *place, size_t count, uint64_t key, uint64_t end)
{
    for (size_t i = 0; i < count; i++) {
        bool alone = place[i].key == key && place[i].leading;

        for (size_t k = 0; k < count && alone; k++) {
            if (k == i || place[k].key < key || place[k].key >= end) continue;
            if (place[i].before && place[i].before == place[k].before) alone = false;
            if (place[k].key == key && place[i].behind && place[i].behind == place[k].behind) alone = false;
        }
        if (alone) return true;
    }
    return false;
}

static void test_random(void **unused)
{
    (void)unused;
    for (int round = 0; round < 2000; round++) {
        uint64_t                key[BLOCKS], end[BLOCKS];
        struct place            place[PLACES];
        const size_t            blocks = 1 + draw(BLOCKS), places = draw(PLACES);
        struct clone_neighbours n;

        for (size_t b = 0; b < blocks; b++) {               /* ascending, each inside one before it or beside */
            const uint64_t most = b && draw(2) ? end[b - 1] : 200;

            key[b] = (b ? key[b - 1] : 0) + 1;
            end[b] = key[b] + 1 < most ? key[b] + 1 + draw((uint32_t)(most - key[b])) : most;
            for (size_t a = 0; a < b; a++)
                if (key[b] < end[a] && end[b] > end[a]) end[b] = end[a];
            if (end[b] <= key[b]) end[b] = key[b] + 1;
        }
        assert_int_equal(clone_neighbours_open(&n, key, end, blocks), 0);
        for (size_t i = 0; i < places; i++) {
            place[i] = (struct place){ 1 + draw(BLOCKS + 4), draw(6), draw(6), draw(3) > 0 };
            assert_int_equal(clone_neighbours_add(&n, place[i].key, place[i].before, place[i].behind,
                                                  place[i].leading), 0);
        }
        assert_int_equal(clone_neighbours_end(&n), 0);
        for (size_t b = 0; b < blocks; b++) assert_int_equal(n.alone[b], is_alone(place, places, key[b], end[b]));
        clone_neighbours_free(&n);
    }
}

/* One line repeated: blocks inside each other, and places in the innermost, between and behind them.  Each place is
 * noted once, not for every block around it. */
static void test_nested(void **unused)
{
    enum { DEPTH = 3000 };
    uint64_t               *key = malloc(DEPTH * sizeof *key), *end = malloc(DEPTH * sizeof *end);
    struct clone_neighbours n;

    (void)unused;
    assert_true(key && end);
    for (uint64_t b = 0; b < DEPTH; b++) key[b] = 1 + b, end[b] = 10 * DEPTH - b;
    assert_int_equal(clone_neighbours_open(&n, key, end, DEPTH), 0);
    for (uint64_t i = 0; i < DEPTH; i++) {                  /* at each block, then behind the blocks inside it */
        assert_int_equal(clone_neighbours_add(&n, key[i], 10 + i, 0, true), 0);
        assert_int_equal(clone_neighbours_add(&n, end[i] - 1, i % 2 ? 10 + i : 5, 0, true), 0);
    }
    assert_int_equal(n.lines.count, 2 * DEPTH - DEPTH / 2); /* of odd blocks both have the same line */
    assert_int_equal(clone_neighbours_end(&n), 0);
    for (size_t b = 0; b < DEPTH; b++) assert_int_equal(n.alone[b], b % 2 == 0);
    clone_neighbours_free(&n);
    free(key);
    free(end);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_alone), cmocka_unit_test(test_random),
                                        cmocka_unit_test(test_nested) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
