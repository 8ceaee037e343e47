/* base/exchange: with one rank its own part is handed over without a copy; tests/mpi has the ranks. */
#include "base/comm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Round after round with the same buffers: what is put in comes out, and room goes to and fro. */
static void test_own(void **state)
{
    static const char *const rounds[] = { "first", "", "a longer one than the others before it", "x" };
    struct comm *comm;
    struct bytes out = { 0 }, in = { 0 };
    struct err   err = { 0 };

    (void)state;
    assert_int_equal(comm_open(&comm, &err), 0);
    assert_int_equal(comm_exchange(comm, &out, &in, &err), 0);                  /* nothing, no room at all */
    assert_true(!in.at && !in.len && !out.len);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        char *given, *room = in.at;

        assert_int_equal(bytes_append_slice(&out, slice_of(rounds[i])), 0);
        given = out.at;
        assert_int_equal(comm_exchange(comm, &out, &in, &err), 0);
        assert_true(slice_equal(bytes_slice(&in), slice_of(rounds[i])));
        assert_ptr_equal(in.at, given);
        assert_ptr_equal(out.at, room);
        assert_int_equal(out.len, 0);
    }
    assert_int_equal(comm_exchange(comm, &out, &in, &err), 0);                  /* what came before is not kept */
    assert_int_equal(in.len, 0);
    bytes_free(&out);
    bytes_free(&in);
    comm_close(comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_own) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
