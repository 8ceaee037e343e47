/* tests/unit/learn/forest.c -- forests learn, are the same for any threads, and come back from files. */
#include "learn/forest.h"

#include "unit/learn/common.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static double share_right(const struct forest *f, const struct learn_data *d)
{
    size_t right = 0;

    for (size_t i = 0; i < d->rows; i++) right += (forest_probability(f, learn_row(d, i)) > 0.5) == d->label[i];
    return (double)right / (double)d->rows;
}

static void test_learns(void **unused)
{
    struct learn_data     train = learn_set(600, 6, 0.1, 1), test = learn_set(600, 6, 0, 2);
    struct forest_options o = FOREST_DEFAULTS;
    struct forest         f;
    double                importance[6], sum = 0;
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(forest_fit(&train, &o, 2, &f, &err), 0);
    assert_true(share_right(&f, &test) > 0.9);
    assert_int_equal(forest_importance(&f, importance, &err), 0);
    for (size_t c = 0; c < 6; c++) sum += importance[c];
    assert_true(fabs(sum - 1) < 1e-12);
    for (size_t c = 2; c < 6; c++) assert_true(importance[c] < importance[0] / 2 && importance[c] < importance[1] / 2);
    forest_free(&f);
    o.max_depth = 1;
    assert_int_equal(forest_fit(&train, &o, 1, &f, &err), 0);
    for (uint32_t i = 0; i < o.trees; i++) assert_true(f.tree[i].count <= 3);
    forest_free(&f);
    learn_data_free(&train);
    learn_data_free(&test);
}

/* The file of a forest, which the caller frees. */
static char *file_of(const struct forest *f, size_t *len)
{
    char       *text = NULL;
    struct err  err = { 0 };
    FILE       *file;

    assert_int_equal(forest_write(f, "learn_forest.json", &err), 0);
    file = file_stream("learn_forest.json", "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *len = (size_t)ftell(file);
    rewind(file);
    text = malloc(*len + 1);
    assert_int_equal(fread(text, 1, *len, file), *len);
    text[*len] = '\0';
    fclose(file);
    return text;
}

static void test_threads(void **unused)
{
    struct learn_data     d = learn_set(200, 5, 0.2, 3);
    struct forest_options o = FOREST_DEFAULTS;
    char                 *first = NULL;
    size_t                first_len = 0;
    struct err            err = { 0 };

    (void)unused;
    o.trees = 23, o.criterion = TREE_ENTROPY, o.max_columns = FOREST_LOG2, o.seed = 5;
    for (int threads = 1; threads <= 5; threads++) {
        struct forest f;
        char         *text;
        size_t        len;

        assert_int_equal(forest_fit(&d, &o, threads, &f, &err), 0);
        text = file_of(&f, &len);
        if (first) {
            assert_int_equal(len, first_len);
            assert_memory_equal(text, first, len);
            free(text);
        } else first = text, first_len = len;
        forest_free(&f);
    }
    free(first);
    learn_data_free(&d);
}

static void test_file(void **unused)
{
    struct learn_data     d = learn_set(150, 4, 0.2, 4);
    struct forest_options o = FOREST_DEFAULTS;
    struct forest         f, back, other;
    struct err            err = { 0 };
    char                 *text;
    size_t                len, differ = 0;

    (void)unused;
    o.trees = 9, o.seed = 77, o.min_rows_leaf = 2;
    assert_int_equal(forest_fit(&d, &o, 1, &f, &err), 0);
    text = file_of(&f, &len);
    assert_int_equal(forest_read("learn_forest.json", &back, &err), 0);
    assert_int_equal(back.columns, 4);
    assert_string_equal(back.name[2], "third \"quoted\"");
    assert_true(back.options.seed == 77 && back.options.trees == 9 && back.options.min_rows_leaf == 2);
    o.seed = 78;
    assert_int_equal(forest_fit(&d, &o, 1, &other, &err), 0);
    for (size_t i = 0; i < d.rows; i++) {
        assert_true(forest_probability(&f, learn_row(&d, i)) == forest_probability(&back, learn_row(&d, i)));
        differ += forest_probability(&f, learn_row(&d, i)) != forest_probability(&other, learn_row(&d, i));
    }
    assert_true(differ > 0);
    forest_free(&back);
    for (size_t cut = 0; cut + 2 < len; cut += 1 + len / 97) {                  /* a file that ends early */
        char *part = strndup(text, cut);

        write_text("learn_forest.json", part);
        assert_true(forest_read("learn_forest.json", &back, &err) < 0);
        assert_null(back.tree);
        free(part);
    }
    for (size_t at = 0; at < len; at += 1 + len / 397) {                        /* a byte that is another: no crash */
        char *other_text = strdup(text);

        other_text[at] = other_text[at] == '9' ? '-' : '9';
        write_text("learn_forest.json", other_text);
        if (forest_read("learn_forest.json", &back, &err) == 0) {
            for (size_t i = 0; i < d.rows; i++) {
                double p = forest_probability(&back, learn_row(&d, i));

                assert_true(p >= 0 && p <= 1);
            }
            forest_free(&back);
        }
        free(other_text);
    }
    unlink("learn_forest.json");
    free(text);
    forest_free(&f);
    forest_free(&other);
    learn_data_free(&d);
}

static void test_refused(void **unused)
{
    struct learn_data     d = learn_set(20, 3, 0, 5);
    struct forest_options o = FOREST_DEFAULTS;
    struct forest         f;
    struct err            err = { 0 };

    (void)unused;
    o.trees = 0;
    assert_int_equal(forest_fit(&d, &o, 1, &f, &err), -EINVAL);
    o = FOREST_DEFAULTS;
    o.criterion = TREE_SECOND_ORDER;
    assert_int_equal(forest_fit(&d, &o, 1, &f, &err), -EINVAL);
    o = FOREST_DEFAULTS;
    o.seed = UINT64_MAX;
    assert_int_equal(forest_fit(&d, &o, 1, &f, &err), -EINVAL);
    o = FOREST_DEFAULTS;
    d.value[7] = NAN;
    assert_int_equal(forest_fit(&d, &o, 1, &f, &err), -EINVAL);
    assert_null(f.tree);
    d.value[7] = 0;
    memset(d.label, 1, d.rows);                             /* one class alone: every answer is that */
    assert_int_equal(forest_fit(&d, &o, 1, &f, &err), 0);
    assert_true(forest_probability(&f, d.value) == 1);
    forest_free(&f);
    learn_data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_learns), cmocka_unit_test(test_threads),
                                        cmocka_unit_test(test_file), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("learn/forest", tests, folder_enter, folder_leave);
}
