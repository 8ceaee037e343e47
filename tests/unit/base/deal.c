/* base/deal: with one rank every item comes once and in order, until there is none or the deal is stopped; tests/mpi
 * has the ranks. */
#include "base/comm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    struct err err = { 0 };

    return comm_open((struct comm **)state, &err);
}

static int tear_down(void **state)
{
    comm_close(*state);
    return 0;
}

static struct deal *open_deal(void **state, uint64_t count)
{
    struct deal *deal;
    struct err   err = { 0 };

    if (deal_open(&deal, *state, count, &err) < 0) fail_msg("%s", err.text);
    return deal;
}

/* Deals of several lengths, one after the other. */
static void test_order(void **state)
{
    static const uint64_t counts[] = { 0, 1, 2, 1000 };

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        struct deal *deal = open_deal(state, counts[c]);
        uint64_t     item = 77;

        for (uint64_t i = 0; i < counts[c]; i++) {
            deal_poll(deal);
            assert_int_equal(deal_next(deal, &item), DEAL_ITEM);
            assert_int_equal(item, i);
        }
        item = 77;
        for (int again = 0; again < 3; again++) assert_int_equal(deal_next(deal, &item), DEAL_NONE);
        assert_int_equal(item, 77);
        deal_close(deal);
    }
}

static void test_stop(void **state)
{
    for (uint64_t after = 0; after < 3; after++) {
        struct deal *deal = open_deal(state, 5);
        uint64_t     item;

        for (uint64_t i = 0; i < after; i++) assert_int_equal(deal_next(deal, &item), DEAL_ITEM);
        deal_stop(deal);
        deal_stop(deal);
        assert_int_equal(deal_next(deal, &item), DEAL_NONE);
        deal_poll(deal);
        assert_int_equal(deal_next(deal, &item), DEAL_NONE);
        deal_close(deal);                                   /* with items left */
    }
}

/* A report replaces the one before. */
static void test_report(void **state)
{
    struct deal_progress first = { 1, 2, 3, 4 }, second = { 10, UINT64_MAX, 30, 0 }, none = { 0 }, total;
    struct deal         *deal = open_deal(state, 0);

    total = deal_total(deal);
    assert_memory_equal(&total, &none, sizeof total);
    deal_report(deal, &first);
    total = deal_total(deal);
    assert_memory_equal(&total, &first, sizeof total);
    deal_report(deal, &second);
    deal_poll(deal);
    total = deal_total(deal);
    assert_memory_equal(&total, &second, sizeof total);
    deal_close(deal);
    deal = open_deal(state, 0);                             /* the next one starts from nothing */
    total = deal_total(deal);
    assert_memory_equal(&total, &none, sizeof total);
    deal_close(deal);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_order), cmocka_unit_test(test_stop),
                                        cmocka_unit_test(test_report) };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
