/* tests/unit/model/http_each.c -- tokens and scores by llama.cpp's own calls, and servers that do not keep to them. */
#include "server.h"

#include "base/log.h"

#include <errno.h>
#include <math.h>
#include <zlib.h>

struct asked {
    struct http_client   *client;
    struct http_line     *line;
    struct bytes          body;
    struct http_each      how;
    struct http_completion cut;
    struct http_ids        ids;
    struct err             err;
};

static void ask_open(struct asked *a, const char *kind)
{
    char                 url[64];
    struct model_options options = { .url = url, .timeout = 10 };

    *a = (struct asked){ 0 };
    snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/v1", server.port, kind);
    if (http_client_open(&a->client, &options, &a->err) < 0 || http_line_open(&a->line, a->client, &a->err) < 0)
        fail_msg("%s", a->err.text);
    a->how = (struct http_each){ a->line, &a->body, "toy" };
}

static void ask_close(struct asked *a)
{
    http_line_close(a->line);
    http_client_close(a->client);
    bytes_free(&a->body);
    http_completion_free(&a->cut);
    free(a->ids.at);
}

static int tokenize(struct asked *a, const char *text)
{
    return http_each_tokenize(&a->how, slice_of(text), &a->cut, &a->ids, &a->err);
}

/* The server's model: -(1 + crc32 of the two before it and itself % 4000 / 1000). */
static double toy(const char *joined)
{
    return -(1 + (double)(crc32(0, (const Bytef *)joined, (uInt)strlen(joined)) % 4000) / 1000);
}

static void tokens_are_cut(void **unused)
{
    static const uint32_t code[] = { 0, 3, 5, 6, 7, 8 }, parts[] = { 0, 1, 3, 4, 5 };
    struct asked          a;

    (void)unused;
    ask_open(&a, "llama");
    if (tokenize(&a, "def f(x)") < 0) fail_msg("%s", a.err.text);
    assert_true(a.cut.prompt == 5 && a.ids.count == 5);
    assert_memory_equal(a.cut.at, code, sizeof code);
    if (tokenize(&a, "a\xE2\x82\xAC(") < 0) fail_msg("%s", a.err.text);     /* two bytes of it and one, as numbers */
    assert_int_equal(a.cut.prompt, 4);
    assert_memory_equal(a.cut.at, parts, sizeof parts);
    if (tokenize(&a, "x x x") < 0) fail_msg("%s", a.err.text);
    assert_true(a.ids.count == 3 && a.ids.at[1] == a.ids.at[2] && a.ids.at[0] != a.ids.at[1]);
    assert_int_equal(tokenize(&a, ""), 0);
    assert_true(a.cut.prompt == 0 && a.ids.count == 0 && a.cut.at[0] == 0);
    ask_close(&a);
}

static void scores_are_those_of_the_token(void **unused)
{
    struct asked a;
    double       logprob = 1;

    (void)unused;
    ask_open(&a, "llama");
    if (http_each_check(&a.how, SLICE("def f(x)"), &a.err) < 0) fail_msg("%s", a.err.text);
    assert_int_equal(tokenize(&a, "def f(x)"), 0);
    assert_int_equal(http_each_score(&a.how, a.ids.at, 1, &logprob, &a.err), 0);
    assert_float_equal(logprob, toy("def| f"), 1e-9);
    assert_int_equal(http_each_score(&a.how, a.ids.at, 4, &logprob, &a.err), 0);
    assert_float_equal(logprob, toy("(|x|)"), 1e-9);
    ask_close(&a);
}

static void tokens_that_are_not_the_text(void **unused)
{
    static const struct { const char *text, *says; } bad[] = {
        { "!less x y", "end at byte 7 of 9" }, { "!other x y", "token 1 of" }, { "!bytes x y", "token 1 of" },
        { "!empty x y", "token 1 of" }, { "!noid x y", "token 1 of" }, { "!more x", "token 3 of" },
    };
    struct asked a;

    (void)unused;
    ask_open(&a, "llama");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(tokenize(&a, bad[i].text), -ENODATA);
        if (!strstr(a.err.text, bad[i].says)) fail_msg("%s: %s", bad[i].text, a.err.text);
    }
    ask_close(&a);
    ask_open(&a, "openai");
    assert_int_equal(tokenize(&a, "x"), -ENOENT);
    ask_close(&a);
}

static void servers_that_are_no_good(void **unused)
{
    struct asked a;
    double       logprob;

    (void)unused;
    ask_open(&a, "bias");
    assert_int_equal(http_each_check(&a.how, SLICE("def f(x)"), &a.err), -ENODATA);
    assert_non_null(strstr(a.err.text, "after a bias"));
    ask_close(&a);
    ask_open(&a, "deaf");
    assert_int_equal(tokenize(&a, "def f(x)"), 0);
    assert_int_equal(http_each_score(&a.how, a.ids.at, 2, &logprob, &a.err), -ENODATA);
    assert_non_null(strstr(a.err.text, "whose logit has a bias"));
    assert_int_equal(http_each_check(&a.how, SLICE("def f(x)"), &a.err), -ENODATA);
    ask_close(&a);
    ask_open(&a, "llama");
    assert_int_equal(http_each_check(&a.how, SLICE("x y"), &a.err), -ENODATA);
    assert_non_null(strstr(a.err.text, "gives 2 tokens for 3 bytes"));
    ask_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_cut), cmocka_unit_test(scores_are_those_of_the_token),
        cmocka_unit_test(tokens_that_are_not_the_text), cmocka_unit_test(servers_that_are_no_good),
    };

    log_open(&(struct log_options){ .quiet = true });
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
