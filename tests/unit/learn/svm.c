/* tests/unit/learn/svm.c -- decision values by hand, and files; without libsvm too. */
#include "learn/svm.h"

#include "unit/learn/common.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static double      vector[] = { 1, 0, 0.5, -2 }, coefficient[] = { 0.5, -0.5 };
static const char *names[] = { "a", "b" };
static struct svm  small = { .options = { SVM_LINEAR, 1, 0.25, 0.001 }, .columns = 2, .vectors = 2,
                             .name = (char **)names, .vector = vector, .coefficient = coefficient, .rho = 0.125 };

static void test_decision(void **unused)
{
    const double row[] = { 3, 1 };

    (void)unused;
    small.options.kernel = SVM_LINEAR;
    assert_true(svm_decision(&small, row) == 0.5 * 3 - 0.5 * (1.5 - 2) - 0.125);
    small.options.kernel = SVM_RBF;
    assert_true(fabs(svm_decision(&small, row) - (0.5 * exp(-0.25 * 5) - 0.5 * exp(-0.25 * 15.25) - 0.125)) < 1e-15);
}

static void test_file(void **unused)
{
    const double row[] = { 0.1, 0.7 };
    const char  *wrong[] = {
        "{\"format\":\"leakgraph support vectors\",\"version\":1,\"columns\":2}",
        "{\"format\":\"leakgraph support vectors\",\"version\":1,\"columns\":2,\"kernel\":\"poly\",\"cost\":1,"
        "\"gamma\":1,\"tolerance\":1,\"rho\":0,\"vectors\":1,\"coefficient\":[1],\"vector\":[1,2]}",
        "{\"format\":\"leakgraph support vectors\",\"version\":1,\"columns\":2,\"kernel\":\"rbf\",\"cost\":1,"
        "\"gamma\":1,\"tolerance\":1,\"rho\":0,\"vectors\":1,\"coefficient\":[1],\"vector\":[1]}",
        "{\"format\":\"leakgraph support vectors\",\"version\":1,\"columns\":2,\"kernel\":\"rbf\",\"cost\":1,"
        "\"gamma\":-1,\"tolerance\":1,\"rho\":0,\"vectors\":1,\"coefficient\":[1],\"vector\":[1,2]}",
        "{\"format\":\"leakgraph support vectors\",\"version\":1,\"columns\":2,\"kernel\":\"rbf\",\"cost\":1,"
        "\"gamma\":1,\"tolerance\":1,\"rho\":0,\"vectors\":1e9,\"coefficient\":[1],\"vector\":[1,2]}",
        "{\"format\":\"leakgraph support vectors\",\"version\":1,\"columns\":65536,\"kernel\":\"rbf\",\"cost\":1,"
        "\"gamma\":1,\"tolerance\":1,\"rho\":0,\"vectors\":16000000,\"coefficient\":[1],\"vector\":[1,2]}",
    };
    struct svm back;
    struct err err = { 0 };

    (void)unused;
    for (enum svm_kernel kernel = SVM_LINEAR; kernel <= SVM_RBF; kernel++) {
        small.options.kernel = kernel;
        assert_int_equal(svm_write(&small, "learn_svm.json", &err), 0);
        assert_int_equal(svm_read("learn_svm.json", &back, &err), 0);
        assert_true(back.options.kernel == kernel && back.rho == 0.125 && back.vectors == 2);
        assert_string_equal(back.name[1], "b");
        assert_true(svm_decision(&back, row) == svm_decision(&small, row));
        svm_free(&back);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_text("learn_svm.json", wrong[i]);
        assert_int_equal(svm_read("learn_svm.json", &back, &err), -EBADMSG);
        assert_null(back.vector);
    }
    unlink("learn_svm.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_decision), cmocka_unit_test(test_file) };

    return cmocka_run_group_tests_name("learn/svm", tests, folder_enter, folder_leave);
}
