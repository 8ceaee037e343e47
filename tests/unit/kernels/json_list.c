/* tests/unit/kernels/json_list.c -- the end of a list of plain strings and numbers, the same at every level. */
#include "tests/unit/kernels/levels.h"

/* A list's end, and that no list of another shape has one. */
static size_t check_list(struct fixture *f, const char *text, size_t n)
{
    size_t end = kernels_scalar.json_list_check(text, n);

    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const char *in = guarded_copy(f->in2, text, n, place);

        while ((level = level_next(f, &at)))
            if (level->json_list_check(in, n) != end)
                fail_msg("%s: %zu instead of %zu: %.*s", level->name, level->json_list_check(in, n), end, (int)n, text);
    }
    return end;
}

/* Random lists of strings, of numbers and of both, most of them of the shape but for one byte; and random bytes of
 * those that matter. */
static void test_list_check(void **state)
{
    enum { STRINGS = 6 };                                   /* the first of the values */
    static const char *const  values[] = { "\"\"", "\"a\"", "\"\\\\\"", "\"\\\"x\"", "\"12\"",
                                           "\"words, with ] [ and \\n in them\"", "0", "-0", "7", "10", "-12.5", "0.0",
                                           "123456789.0123456789" };
    static const struct { size_t from, count; } kinds[] = { { 0, STRINGS }, { STRINGS, 7 }, { 0, STRINGS + 7 } };
    static const char         odd[] = "\"\\,]- .0195[{:}eEux\t\n\x7F\x80\xFF a";
    struct fixture           *f = *state;
    uint64_t                  random = 11;
    size_t                    closed = 0, open = 0;

    for (int round = 0; round < 40000; round++) {
        char   text[600] = "[";
        size_t n = 1, count = 1 + draw_below(&random, round % 50 ? 12 : 40), kind = draw_below(&random, 3);

        if (round % 4 == 3)
            for (size_t most = 1 + draw_below(&random, 150); n < most; n++)
                text[n] = odd[draw_below(&random, sizeof odd - 1)];
        else
            for (size_t i = 0; i < count && n < 500; i++)
                n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%s",
                                      i && draw_below(&random, 2) ? draw_below(&random, 150) ? " " : "  " : "",
                                      values[kinds[kind].from + draw_below(&random, kinds[kind].count)],
                                      i + 1 < count ? "," : "]");
        if (round % 4 == 1) text[1 + draw_below(&random, n - 1)] = odd[draw_below(&random, sizeof odd - 1)];
        if (round % 4 == 2) n = 1 + draw_below(&random, n);
        if (check_list(f, text, n)) closed++;
        else open++;
    }
    assert_true(closed > 10000 && open > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_check),
    };

    return cmocka_run_group_tests(tests, group_open, group_close);
}
