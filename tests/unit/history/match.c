/* tests/unit/history/match.c -- which item is which in another run: insertions, removals, edits, numbers that move. */
#include "history/match.h"
#include "tests/unit/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An item: a letter for its text, then its own id (`-`: none), then its path (`-`: none), as "a:x1:-". */
static void list_make(struct match_list *out, const char *words)
{
    char      *copy = strdup(words), *rest = copy;
    uint64_t   id = 1;
    struct err err = { 0 };

    *out = (struct match_list){ 0 };
    for (char *word; (word = strsep(&rest, " "));) {
        const uint64_t text[2] = { (uint64_t)(unsigned char)word[0], 7 };
        char          *name, *path;

        if (!*word) continue;
        strsep(&word, ":");
        name = strsep(&word, ":");
        path = word;
        assert_int_equal(match_add(out, id++, text, SLICE("test"), slice_of(name), strcmp(name, "-") != 0,
                                   strcmp(path, "-") != 0 ? slice_of(path) : SLICE(""), &err), 0);
    }
    free(copy);
}

/* expected: for each new item the number of the old one, `.` for none, `!` behind it where it is edited. */
static void matches(const char *old, const char *new, const char *expected)
{
    struct match_list a, b;
    struct err        err = { 0 };
    char              got[200] = "";

    list_make(&a, old);
    list_make(&b, new);
    assert_int_equal(match_items(&a, &b, &err), 0);
    for (size_t j = 0; j < b.count; j++) {
        const uint32_t peer = b.at[j].peer;

        if (peer == MATCH_NONE) strcat(got, ".");
        else snprintf(got + strlen(got), sizeof got - strlen(got), "%u%s", peer, b.at[j].edited ? "!" : "");
        strcat(got, j + 1 < b.count ? " " : "");
        if (peer != MATCH_NONE) assert_true(a.at[peer].peer == j && a.at[peer].edited == b.at[j].edited);
    }
    if (strcmp(got, expected) != 0) fail_msg("%s | %s: %s, not %s", old, new, got, expected);
    match_free(&a);
    match_free(&b);
}

static void test_texts(void **state)
{
    (void)state;
    matches("", "", "");
    matches("a:-:- b:-:- c:-:-", "a:-:- b:-:- c:-:-", "0 1 2");
    matches("a:-:- b:-:- c:-:-", "x:-:- a:-:- b:-:- c:-:-", ". 0 1 2");                /* inserted at the front */
    matches("a:-:- b:-:- c:-:-", "a:-:- c:-:-", "0 2");                                /* removed */
    matches("a:-:- b:-:- c:-:-", "c:-:- a:-:- b:-:-", "2 0 1");                        /* another order */
    matches("a:-:- a:-:- a:-:-", "a:-:- a:-:-", "0 1");                                /* equal texts in their order */
    matches("a:p:- a:q:- a:r:-", "a:q:- a:r:-", "1 2");                                /* but by their ids */
    matches("a:-:x a:-:y", "a:-:y", "1");                                              /* or paths */
}

static void test_edited(void **state)
{
    (void)state;
    matches("a:1:- b:2:- c:3:-", "x:0:- a:1:- y:2:- c:3:-", ". 0 1! 2");               /* the own id stays */
    matches("a:1:- b:2:- c:3:-", "a:1:- y:4:- c:3:-", "0 . 2");                        /* another id: another item */
    matches("a:-:p b:-:q c:-:r", "a:-:p y:-:q c:-:r", "0 1! 2");                       /* the path stays */
    matches("a:-:p b:-:q c:-:r", "a:-:p y:-:z c:-:r", "0 . 2");
    matches("a:-:- b:-:- c:-:-", "x:-:- a:-:- y:-:- c:-:-", ". 0 1! 2");               /* the neighbours stay */
    matches("a:-:- b:-:- c:-:- d:-:-", "a:-:- y:-:- z:-:- d:-:-", "0 1! 2! 3");
    matches("a:-:- b:-:- c:-:- d:-:-", "a:-:- y:-:- d:-:-", "0 . 3");                  /* one or the other? */
    matches("a:-:- b:-:-", "a:-:- y:-:-", "0 1!");                                     /* at the end */
    matches("a:-:-", "y:-:-", "0!");
}

/* Numbers of places are no names: with an item at the front each text has the id of the one before. */
static void test_numbers(void **state)
{
    (void)state;
    matches("a:0:- b:1:- c:2:- d:3:-", "x:0:- a:1:- b:2:- c:3:- d:4:-", ". 0 1 2 3");
    matches("a:0:- b:1:- c:2:- d:3:-", "x:0:- a:1:- y:2:- c:3:- d:4:-", ". 0 1! 2 3");
    matches("a:0:- b:1:- c:2:- d:3:- e:4:-", "b:0:- c:1:- y:2:- e:3:-", "1 2 3! 4");
}

/* Splits are apart. */
static void test_splits(void **state)
{
    const uint64_t    text[2] = { 1, 2 };
    struct match_list a = { 0 }, b = { 0 };
    struct err        err = { 0 };

    (void)state;
    assert_int_equal(match_add(&a, 1, text, SLICE("train"), SLICE("x"), true, SLICE("p"), &err), 0);
    assert_int_equal(match_add(&b, 1, text, SLICE("test"), SLICE("x"), true, SLICE("p"), &err), 0);
    assert_int_equal(match_items(&a, &b, &err), 0);
    assert_true(a.at[0].peer == MATCH_NONE && b.at[0].peer == MATCH_NONE);
    match_free(&a);
    match_free(&b);
}

/* Random insertions, removals and edits of items with own ids, in any order: each is known again. */
static void test_random(void **state)
{
    uint64_t random = seed_of_run();

    (void)state;
    for (int round = 0; round < 200; round++) {
        struct match_list a = { 0 }, b = { 0 };
        struct err        err = { 0 };
        const uint64_t    count = draw(&random) % 60;
        uint32_t          truth[120];                       /* of the new ones: number, and 1000 where edited */
        size_t            kept = 0, made = 0;

        for (uint64_t i = 0; i < count; i++) {
            const uint64_t text[2] = { i % 50, 1 };         /* some texts stand there twice */
            char           name[24];

            snprintf(name, sizeof name, "id%llu", (unsigned long long)i);
            assert_int_equal(match_add(&a, i, text, SLICE(""), slice_of(name), true, SLICE(""), &err), 0);
        }
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t fate = draw(&random) % 8, old[2] = { i % 50, 1 }, fresh[2] = { 1000 + made, 1 };
            char           name[24];

            if (fate == 0) {                                /* another item before it */
                snprintf(name, sizeof name, "new%zu", made);
                assert_int_equal(match_add(&b, b.count, fresh, SLICE(""), slice_of(name), true, SLICE(""), &err), 0);
                truth[made++] = MATCH_NONE;
            }
            if (fate == 1) continue;                        /* it is gone */
            snprintf(name, sizeof name, "id%llu", (unsigned long long)i);
            assert_int_equal(match_add(&b, b.count, fate == 2 ? fresh : old, SLICE(""), slice_of(name), true, SLICE(""),
                                       &err), 0);
            truth[made++] = (uint32_t)i + (fate == 2 ? 1000 : 0);
            kept += fate != 2;
        }
        assert_int_equal(match_items(&a, &b, &err), 0);
        for (size_t j = 0; j < made && kept; j++) {
            const struct match_item *item = &b.at[j];
            const uint32_t           is = item->peer + (item->edited ? 1000 : 0), number = truth[j] % 1000;
            /* of two equal texts one may be taken for the other, when that one's own text is gone */
            const bool               twin = truth[j] != MATCH_NONE && (number >= 50 || number + 50 < count);

            if (is != truth[j] && !twin)
                fail_msg("seed %llu, round %d: item %zu is %u, not %u", (unsigned long long)seed_of_run(), round, j, is,
                         truth[j]);
        }
        match_free(&a);
        match_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts), cmocka_unit_test(test_edited),
                                        cmocka_unit_test(test_numbers), cmocka_unit_test(test_splits),
                                        cmocka_unit_test(test_random) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests_name("history/match", tests, NULL, NULL);
}
