/* tests/unit/model/option.c -- models as a command line names them. */
#include "model/option.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static int reads(struct model_options *out, const char *value, const char *http, struct err *err)
{
    struct node node = { .kind = NODE_MAP };
    int         rc;

    *err = (struct err){ 0 };
    if (*http) assert_int_equal(node_parse(&node, "--http", http, strlen(http), err), 0);
    rc = model_option_read(out, value, &node, err);
    node_free(&node);
    return rc;
}

static void test_read(void **unused)
{
    static const struct { const char *value; int backend; const char *name, *path, *url; } cases[] = {
        { "mine=ngram:a/b.lm", MODEL_NGRAM, "mine", "a/b.lm", "" },
        { "m=llama:C:x.gguf", MODEL_LLAMA, "m", "C:x.gguf", "" },
        { "r=replay:x=y:z", MODEL_REPLAY, "r", "x=y:z", "" },
        { "s=http:http://h:1/v1", MODEL_HTTP, "s", "", "http://h:1/v1" },
    };
    struct model_options o;
    struct err           err;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(reads(&o, cases[i].value, "", &err), 0);
        assert_int_equal(o.backend, cases[i].backend);
        assert_string_equal(o.name, cases[i].name);
        assert_string_equal(o.path, cases[i].path);
        assert_string_equal(o.url, cases[i].url);
        assert_true(o.retries == 5 && o.concurrency == 4 && o.timeout == 120 && !*o.key_env);
        option_free(model_rows, &o);
    }
    assert_int_equal(reads(&o, "s=http:http://h/v1", "key_env: K\nconcurrency: 32\nserved: \"a b\"\n", &err), 0);
    assert_true(o.concurrency == 32 && o.retries == 5);
    assert_string_equal(o.key_env, "K");
    assert_string_equal(o.served, "a b");
    option_free(model_rows, &o);
    /* what is of servers is no matter of a file */
    assert_int_equal(reads(&o, "m=ngram:x", "key_env: K\n", &err), 0);
    assert_string_equal(o.key_env, "");
    option_free(model_rows, &o);
}

static void test_refused(void **unused)
{
    static const struct { const char *value, *http, *why; } cases[] = {
        { "ngram:x", "", "--model takes NAME=BACKEND:PATH" }, { "m=ngram:", "", "--model takes NAME=BACKEND:PATH" },
        { "=ngram:x", "", "--model takes NAME=BACKEND:PATH" }, { "m=gram:x", "", "BACKEND being one of ngram|http" },
        { "m=ngram|http:x", "", "BACKEND being one of" }, { "m", "", "--model takes NAME=BACKEND:PATH" },
        { "s=http:u", "url: v\n", "--http takes KEY=VALUE of a server" },
        { "s=http:u", "retries: many\n", "--http:1: retries: `many` is not a number" },
        { "s=http:u", "retries: 1\nretrys: 1\n", "--http:2: unknown key `retrys`; did you mean `retries`?" },
    };
    struct model_options o;
    struct err           err;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(reads(&o, cases[i].value, cases[i].http, &err), -EINVAL);
        if (!strstr(err.text, cases[i].why)) fail_msg("%s: %s", cases[i].value, err.text);
        option_free(model_rows, &o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_read), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("model/option", tests, NULL, NULL);
}
