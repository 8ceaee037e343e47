/* tests/unit/cmd/regress_tell.c -- the table for people and the JSON, of numbers that are given. */
#include "cmd/regress.h"
#include "tests/unit/folder.h"

#include <cjson/cJSON.h>
#include <string.h>

static struct coefficient coefficient[] = {
    { 1.497, 0.251, 5.964, 2e-9, 1.005, 1.989, false }, { -6.2e-4, 0.003, -0.2067, 0.8363, -0.0065, 0.00526, false },
    { 0.091, 0.0351, 2.593, 0.0095, 0.022, 0.16, false }, { NAN, NAN, NAN, NAN, NAN, NAN, true },
};
static char *names[] = { (char[]){ "(Intercept)" }, (char[]){ "parameters" }, (char[]){ "license[MIT\x1b[31m]" },
                         (char[]){ "twice" } },
    *groups[] = { (char[]){ "dataset" }, (char[]){ "\"g\x1b\"" } };

static void fill(struct design *d, struct regression *f)
{
    *d = (struct design){ .name = names, .group_name = groups, .missing = 3,
                          .texts = { { SLICE("license\x1b"), SLICE("Apache-2.0"), 2, true } }, .text_count = 1 };
    d->data = (struct regression_data){ .rows = 1, .columns = 4, .terms = 2, .term = { { 7, NULL }, { 12, NULL } } };
    *f = (struct regression){ .coefficient = coefficient, .columns = 4, .kept = 3, .parameters = 6,
                              .method = METHOD_REML, .terms = 2, .variance = { 0.25, 0 }, .singular = true,
                              .residual = 4, .freedom = INFINITY, .log_likelihood = -10.25, .aic = 32.5, .bic = 40 };
}

static void test_table(void **unused)
{
    struct design         d;
    struct regression     f;
    struct bytes          out = { 0 };
    struct regress_result r = { SLICE("nll ~ parameters"), &d, &f };

    (void)unused;
    fill(&d, &f);
    assert_int_equal(regress_tell(&r, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at,
        "nll ~ parameters\n"
        "linear mixed model by REML; 1 row, 3 left out as something is missing\n\n"
        "                      estimate         (SE)      z        p  95 % from       to\n"
        "(Intercept)              1.497***   (0.251)   5.96  2.0e-09      1.005    1.989\n"
        "parameters            -0.00062      (0.003)  -0.21   0.8363    -0.0065  0.00526\n"
        "license[MIT\\x1b[31m]     0.091**   (0.0351)   2.59   0.0095      0.022     0.16\n"
        "twice                 left out\n\n"
        "random intercepts  variance  deviation  levels\n"
        "dataset                0.25        0.5       7\n"
        "\"g\\x1b\"                   0          0      12\n"
        "(residual)                4          2\n\n"
        "AIC 32.5, BIC 40.0, log-likelihood -10.25 (restricted), 6 parameters\n"
        "license\\x1b: texts, 2 different; coefficients are differences to `Apache-2.0`\n"
        "twice: left out, as the columns before it make it up\n"
        "singular: the variance of \"g\\x1b\" is 0, its rows are no more alike than others\n"
        "*** p < 0.001, ** p < 0.01, * p < 0.05, two-sided, by the normal distribution\n");
    bytes_free(&out);
}

/* Hits: what exp of a coefficient is; without groups: the distribution. */
static void test_links(void **unused)
{
    struct design         d;
    struct regression     f;
    struct bytes          out = { 0 };
    struct regress_result r = { SLICE("y ~ x"), &d, &f };

    (void)unused;
    fill(&d, &f);
    f.residual = NAN;
    f.method = METHOD_LAPLACE;
    d.untried = 2;
    for (d.data.link = LINK_LOGIT; d.data.link <= LINK_LOG; d.data.link++) {
        out.len = 0;
        assert_int_equal(regress_tell(&r, &out), 0);
        assert_int_equal(bytes_append(&out, "", 1), 0);
        assert_non_null(strstr(out.at, d.data.link == LINK_LOG ? "   ratio\n" : "  odds ratio\n"));
        assert_non_null(strstr(out.at, d.data.link == LINK_LOG ? "a ratio of chances" : "a ratio of odds"));
        assert_non_null(strstr(out.at, "  4.468\n"));       /* exp 1.497 */
        assert_non_null(strstr(out.at, ", 2 left out without trials"));
        assert_null(strstr(out.at, "residual"));
    }
    fill(&d, &f);
    f.method = METHOD_OLS;
    f.terms = 0;
    f.freedom = 18;
    out.len = 0;
    assert_int_equal(regress_tell(&r, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_non_null(strstr(out.at, "  t  "));
    assert_non_null(strstr(out.at, "by Student's t with 18 degrees of freedom"));
    assert_non_null(strstr(out.at, "residual variance 4, deviation 2"));
    bytes_free(&out);
}

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(object, key);

    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void test_json(void **unused)
{
    struct design         d;
    struct regression     f;
    struct bytes          out = { 0 };
    struct regress_result r = { SLICE("nll ~ \"x\""), &d, &f };
    cJSON                *json;
    const cJSON          *list;

    (void)unused;
    fill(&d, &f);
    assert_int_equal(regress_json(&r, &out), 0);
    json = cJSON_ParseWithLength(out.at, out.len);
    assert_non_null(json);
    assert_string_equal(cJSON_GetObjectItem(json, "formula")->valuestring, "nll ~ \"x\"");
    assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, "reml");
    assert_true(number_of(json, "rows") == 1 && number_of(json, "missing") == 3 && number_of(json, "aic") == 32.5);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "singular")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "degrees_of_freedom")));
    list = cJSON_GetObjectItem(json, "coefficients");
    assert_int_equal(cJSON_GetArraySize(list), 4);
    assert_true(number_of(cJSON_GetArrayItem(list, 1), "estimate") == -6.2e-4);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 2), "name")->valuestring, "license[MIT\x1b[31m]");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 3), "p")));
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "ratio"));
    list = cJSON_GetObjectItem(json, "groups");
    assert_true(number_of(cJSON_GetArrayItem(list, 0), "levels") == 7);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 1), "singular")));
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "texts"), 0),
                                            "against")->valuestring, "Apache-2.0");
    cJSON_Delete(json);
    d.data.link = LINK_LOG;
    out.len = 0;
    assert_int_equal(regress_json(&r, &out), 0);
    json = cJSON_ParseWithLength(out.at, out.len);
    list = cJSON_GetObjectItem(json, "coefficients");
    assert_true(fabs(number_of(cJSON_GetArrayItem(list, 0), "ratio") - exp(1.497)) < 1e-12);
    cJSON_Delete(json);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_links), cmocka_unit_test(test_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
