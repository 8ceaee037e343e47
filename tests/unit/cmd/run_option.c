/* tests/unit/cmd/run_option.c -- options that the commands share. */
#include "cmd/run.h"
#include "tests/unit/cmd/command_line.h"

static int take(struct run_options *options, char **argv, int argc, int *at, char output[4096], struct err *err)
{
    *at = 0;
    *options = (struct run_options){ 0 };
    return run_take_option(options, argc, argv, at, output, err);
}

static void test_options(void **unused)
{
    char              *words[] = { (char[]){ "--set" }, (char[]){ "a=b" }, (char[]){ "--output" }, (char[]){ "dir" },
                                   (char[]){ "--threads" }, (char[]){ "1024" }, (char[]){ "--clean" },
                                   (char[]){ "--quiet" }, (char[]){ "--other" }, (char[]){ "--replace" } };
    static char        longest[5000];
    struct run_options o;
    struct err         err = { 0 };
    char               output[4096];
    int                at;

    (void)unused;
    assert_int_equal(take(&o, words, 9, &at, output, &err), 1);
    assert_true(at == 2 && o.set_count == 1 && o.set[0] == words[1]);
    assert_int_equal(take(&o, words + 2, 7, &at, output, &err), 1);
    assert_true(at == 2 && o.set_count == 1);
    assert_string_equal(o.set[0], "output=dir");
    assert_int_equal(take(&o, words + 4, 5, &at, output, &err), 1);
    assert_true(at == 2 && o.threads == 1024);
    assert_int_equal(take(&o, words + 6, 3, &at, output, &err), 1);
    assert_true(at == 1 && o.clean && !o.quiet);
    assert_int_equal(take(&o, words + 7, 2, &at, output, &err), 1);
    assert_true(at == 1 && o.quiet);
    assert_int_equal(take(&o, words + 9, 1, &at, output, &err), 1);
    assert_true(at == 1 && o.replace && !o.clean);
    assert_int_equal(take(&o, words + 8, 1, &at, output, &err), 0);
    assert_true(at == 0 && err.code == 0);
    assert_int_equal(take(&o, words, 1, &at, output, &err), -EINVAL);       /* the value is not there */
    memset(longest, 'x', sizeof longest - 1);
    words[3] = longest;
    assert_int_equal(take(&o, words + 2, 2, &at, output, &err), -EINVAL);
    longest[4096 - sizeof "output=dir" + 3] = '\0';         /* with `output=` and its end it just fits */
    assert_int_equal(take(&o, words + 2, 2, &at, output, &err), 1);
    o.set_count = 256;
    at = 0;
    assert_int_equal(run_take_option(&o, 2, words, &at, output, &err), -EINVAL);
}

static void test_fields(void **unused)
{
    char              *words[] = { (char[]){ "--field" }, (char[]){ "text=code" } };
    struct run_options o;
    struct err         err = { 0 };
    char               output[4096];
    int                at;

    (void)unused;
    assert_int_equal(take(&o, words, 2, &at, output, &err), 1);
    assert_true(at == 2 && o.set_count == 1 && o.field_count == 1 && o.set[0] == o.field[0]);
    assert_string_equal(o.set[0], "datasets.*.fields.text=code");
    for (size_t n = 1; n < 32; n++) {
        at = 0;
        assert_int_equal(run_take_option(&o, 2, words, &at, output, &err), 1);
    }
    at = 0;
    assert_int_equal(run_take_option(&o, 2, words, &at, output, &err), -EINVAL);
    assert_non_null(strstr(err.text, "more than 32 times --field"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_options), cmocka_unit_test(test_fields) };

    return cmocka_run_group_tests_name("cmd/run_option", tests, NULL, NULL);
}
