/* tests/unit/dedup/mail.c -- messages of one rank to itself, in rounds, and questions; shares of owners.  Several ranks
 * are in tests/mpi. */
#include "dedup/state.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct message { uint64_t a, b; };
struct taken { struct message at[8]; size_t count; int refuse; };

static int take(void *context, const void *message, size_t count, struct err *err)
{
    struct taken *taken = context;

    if (taken->refuse) return err_set(err, -ERANGE, "no");
    assert_true(taken->count + count <= 8);
    if (count) memcpy(taken->at + taken->count, message, count * sizeof *taken->at);
    taken->count += count;
    return 0;
}

static void test_rounds(void **unused)
{
    struct comm  *comm;
    struct mail   mail;
    struct taken  taken = { .count = 0 };
    struct err    err = { 0 };

    (void)unused;
    assert_int_equal(comm_open(&comm, &err), 0);
    assert_int_equal(mail_open(&mail, comm, sizeof(struct message), &err), 0);
    for (uint64_t i = 0; i < 3; i++) assert_int_equal(mail_post(&mail, 0, &(struct message){ i, 10 * i }), 0);
    assert_int_equal(mail.posted, 3);
    assert_int_equal(mail_deliver(&mail, true, take, &taken, &err), 1);         /* there will be more */
    assert_int_equal(mail.posted, 0);
    assert_int_equal(taken.count, 3);
    assert_true(taken.at[2].a == 2 && taken.at[2].b == 20);
    assert_int_equal(mail_deliver(&mail, true, take, &taken, &err), 1);         /* nothing comes twice */
    assert_int_equal(taken.count, 3);
    assert_int_equal(mail_post(&mail, 0, &(struct message){ 7, 8 }), 0);
    assert_int_equal(mail_deliver(&mail, false, take, &taken, &err), 0);
    assert_int_equal(taken.count, 4);
    assert_int_equal(taken.at[3].b, 8);
    taken.refuse = 1;
    assert_int_equal(mail_post(&mail, 0, &(struct message){ 0, 0 }), 0);
    assert_int_equal(mail_deliver(&mail, false, take, &taken, &err), -ERANGE);
    mail_close(&mail);
    mail_close(&mail);                                      /* nothing is left */
    comm_close(comm);
}

static uint64_t answer(void *context, uint64_t key) { return key * *(const uint64_t *)context; }

static void test_ask(void **unused)
{
    static const uint64_t first[] = { 0, 100 }, key[] = { 5, 0, 99, 5 };
    struct comm          *comm;
    uint64_t              value[4] = { 0 }, factor = 3;
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(comm_open(&comm, &err), 0);
    assert_int_equal(ask(comm, first, key, value, 4, answer, &factor, &err), 0);
    for (size_t i = 0; i < 4; i++) assert_int_equal(value[i], 3 * key[i]);
    assert_int_equal(ask(comm, first, NULL, NULL, 0, answer, &factor, &err), 0);
    comm_close(comm);
}

/* first[r] <= value < first[r + 1]; nobody asks a rank without a share. */
static void test_owner(void **unused)
{
    static const uint64_t first[] = { 0, 0, 5, 5, 6, 10, 10 };
    static const int      owner[] = { 1, 1, 1, 1, 1, 3, 4, 4, 4, 4 };

    (void)unused;
    for (uint64_t v = 0; v < 10; v++) assert_int_equal(share_owner(first, 6, v), owner[v]);
    assert_int_equal(share_owner(first + 1, 1, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rounds), cmocka_unit_test(test_ask),
                                        cmocka_unit_test(test_owner) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
