/* tests/unit/model/http_client.c -- requests: where they go, what failures mean, and the limits that lines share. */
#include "server.h"

#include "base/log.h"

#include <errno.h>
#include <pthread.h>

struct asked { struct http_client *client; struct http_line *line; struct http_answer answer; struct err err; };

static char url[64];

/* Of the server's kind; the rest as the test likes it. */
static struct model_options options_of(const char *kind)
{
    snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/v1", server.port, kind);
    return (struct model_options){ .url = url, .timeout = 10 };
}

static void ask_open(struct asked *a, const struct model_options *options)
{
    *a = (struct asked){ 0 };
    if (http_client_open(&a->client, options, &a->err) < 0 || http_line_open(&a->line, a->client, &a->err) < 0)
        fail_msg("%s", a->err.text);
}

static void ask_close(struct asked *a)
{
    http_line_close(a->line);
    http_client_close(a->client);
}

/* Asks about a prompt for one new token. */
static int ask(struct asked *a, const char *prompt)
{
    char                body[256];
    struct http_request request = { .path = "completions", .most = 8 };

    snprintf(body, sizeof body, "{\"model\": \"toy\", \"prompt\": \"%s\", \"max_tokens\": 1, \"temperature\": 0}",
             prompt);
    request.body = slice_of(body);
    return http_ask(a->line, &request, &a->answer, &a->err);
}

static void urls(void **unused)
{
    static struct { char url[40]; const char *says; } bad[] = {
        { "", "is none" }, { "host only", "is none" }, { "http://", "is none" },
        { "ftp://h/v1", "neither" }, { "file:///etc/passwd", "the url" },
        { "http://secret@h/v1", "a user" }, { "http://u:secret@h/v1", "holds" },
        { "http://h/v1?key=secret", "a query" }, { "http://h/v1#secret", "a fragment" },
    };
    struct http_client *client;
    struct err          err;

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct model_options options = { .url = bad[i].url };

        assert_int_equal(http_client_open(&client, &options, &err), -EINVAL);
        if (!strstr(err.text, bad[i].says) || strstr(err.text, "secret")) fail_msg("%s: %s", bad[i].url, err.text);
        assert_null(client);
    }
    http_client_close(NULL);
    http_line_close(NULL);
}

/* A path follows the url, with or without a slash at its end; one with a slash in front follows it without /v1. */
static void paths(void **unused)
{
    struct http_request tokenize = { .path = "/tokenize", .body = SLICE("{\"prompt\": \"a b\"}") };
    struct asked        a;

    (void)unused;
    for (int slashes = 0; slashes < 3; slashes++) {
        struct model_options options = options_of("good");

        strcat(url, &"//"[2 - slashes]);
        ask_open(&a, &options);
        if (ask(&a, "a b") < 0 || http_ask(a.line, &tokenize, &a.answer, &a.err) < 0) fail_msg("%s", a.err.text);
        assert_int_equal(cJSON_GetObjectItem(a.answer.json, "count")->valueint, 2);
        ask_close(&a);
    }
}

static void what_failures_mean(void **unused)
{
    static const struct { const char *kind, *prompt; uint32_t retries; int rc, requests; const char *says; } cases[] = {
        { "good", "x", 0, 0, 1, "" }, { "good", "!5001 a", 2, 0, 2, "" },
        { "good", "!5002 b", 1, -EIO, 2, "asked 2 times: the server answers with status 500: in pieces" },
        { "good", "!unknown a", 2, -ENOENT, 1, "status 404): no model of that name" },
        { "good", "!redirect a", 2, -EIO, 1, "sends us elsewhere" },
        { "good", "!aftermuch a", 2, -EIO, 1, "wait 86400 s" }, { "good", "!html a", 2, -EBADMSG, 1, "no JSON" },
        { "good", "!array a", 2, -EBADMSG, 1, "no JSON object" }, { "good", "!cutonce a", 1, 0, 2, "" },
        { "good", "!nul a", 2, -ENODATA, 1, "has a NUL" }, { "good", "!nulbyte a", 2, -ENODATA, 1, "has a NUL" },
        { "keyed", "x", 2, -EACCES, 1, "of which none is given" },
        { "nobody", "!leak x", 2, -ENODATA, 1, "status 400): bad request by None" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct model_options options = options_of(cases[i].kind);
        struct asked         a;
        int                  rc;

        options.retries = cases[i].retries;
        ask_open(&a, &options);
        stat_of("requests");
        rc = ask(&a, cases[i].prompt);
        if (rc != cases[i].rc || (rc < 0 && (!strstr(a.err.text, cases[i].says) || !strstr(a.err.text, url))))
            fail_msg("%s: %d, %s", cases[i].prompt, rc, a.err.text);
        assert_true((a.answer.json != NULL) == (rc == 0));
        assert_int_equal(stat_of("requests"), cases[i].requests);
        ask_close(&a);
    }
}

/* A request that fails with 500 each time is refused where the server still answers what it has answered before; else
 * the server is at fault. */
static void one_that_always_fails(void **unused)
{
    static const struct { const char *good, *bad; int rc, requests; } cases[] = {
        { "x", "!5009 a", -ENODATA, 3 }, { "!later b", "!5009 b", -EIO, 3 }, { NULL, "!5009 c", -EIO, 2 },
        { "x", "!aftermuch c", -EIO, 1 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct model_options options = options_of("good");
        struct asked         a;
        int                  rc;

        options.retries = 1;
        ask_open(&a, &options);
        if (cases[i].good && ask(&a, cases[i].good) < 0) fail_msg("%s", a.err.text);
        stat_of("requests");
        rc = ask(&a, cases[i].bad);
        if (rc != cases[i].rc) fail_msg("%s: %d, %s", cases[i].bad, rc, a.err.text);
        if (i < 3) assert_non_null(strstr(a.err.text, "asked 2 times: the server answers with status 500"));
        assert_int_equal(a.err.code, rc);
        assert_int_equal(stat_of("requests"), cases[i].requests);
        assert_null(a.answer.json);
        assert_int_equal(ask(&a, "y"), 0);                  /* the line goes on */
        ask_close(&a);
    }
}

static void nobody_is_there(void **unused)
{
    struct model_options options = { .url = (char[]){ "http://127.0.0.1:1/v1" }, .retries = 1 };
    struct asked         a;

    (void)unused;
    ask_open(&a, &options);                                 /* connects to nobody */
    assert_int_equal(ask(&a, "x"), -EIO);
    assert_non_null(strstr(a.err.text, "asked 2 times"));
    ask_close(&a);
}

/* The key is taken from the environment, sent, and in no error. */
static void keys(void **unused)
{
    struct model_options options = options_of("keyed");
    struct http_client  *client;
    struct asked         a;

    (void)unused;
    options.key_env = (char[]){ "TEST_HTTP_KEY" };
    ask_open(&a, &options);
    if (ask(&a, "x") < 0) fail_msg("%s", a.err.text);
    assert_int_equal(ask(&a, "!leak x"), -ENODATA);
    if (strstr(a.err.text, KEY) || !strstr(a.err.text, "hold the key")) fail_msg("%s", a.err.text);
    ask_close(&a);
    setenv("TEST_HTTP_OTHER", "sk-other", 1);
    options.key_env = (char[]){ "TEST_HTTP_OTHER" };
    ask_open(&a, &options);
    assert_int_equal(ask(&a, "x"), -EACCES);
    assert_null(strstr(a.err.text, "sk-other"));
    ask_close(&a);
    setenv("TEST_HTTP_OTHER", "sk other", 1);
    assert_int_equal(http_client_open(&client, &options, &a.err), -EINVAL);
    assert_true(strstr(a.err.text, "TEST_HTTP_OTHER") && !strstr(a.err.text, "sk other"));
    setenv("TEST_HTTP_OTHER", "", 1);
    assert_int_equal(http_client_open(&client, &options, &a.err), -EINVAL);
    assert_non_null(strstr(a.err.text, "TEST_HTTP_OTHER, which is to hold the key, is empty"));
    unsetenv("TEST_HTTP_OTHER");
    assert_int_equal(http_client_open(&client, &options, &a.err), -EINVAL);
    assert_non_null(strstr(a.err.text, "not set"));
}

/* Kept answers are not asked for again; what holds the key is not kept. */
static void answers_are_kept(void **unused)
{
    char                 cache[96];
    struct model_options options = options_of("keyed");
    struct asked         a;
    struct unit_key      key;

    (void)unused;
    snprintf(cache, sizeof cache, "%s/cache/of it", server.folder);
    options.cache = cache;
    options.key_env = (char[]){ "TEST_HTTP_KEY" };
    ask_open(&a, &options);
    stat_of("requests");
    assert_int_equal(ask(&a, "x"), 0);
    assert_false(a.answer.kept);
    key = a.answer.key;
    assert_int_equal(http_keep(a.line, &a.answer, &a.err), 0);
    assert_true(a.answer.kept);
    assert_int_equal(ask(&a, "y"), 0);
    assert_true(!a.answer.kept && a.answer.key.low != key.low);
    assert_int_equal(ask(&a, "x"), 0);
    assert_true(a.answer.kept && a.answer.key.low == key.low && cJSON_GetObjectItem(a.answer.json, "choices"));
    assert_int_equal(stat_of("requests"), 2);
    assert_int_equal(ask(&a, "!keyed x"), 0);
    assert_int_equal(http_keep(a.line, &a.answer, &a.err), 0);
    assert_false(a.answer.kept);
    assert_int_equal(ask(&a, "!keyed x"), 0);
    assert_int_equal(stat_of("requests"), 2);
    ask_close(&a);
    options = options_of("good");                           /* another server's answers are not ours */
    options.cache = cache;
    ask_open(&a, &options);
    assert_int_equal(ask(&a, "x"), 0);
    assert_true(!a.answer.kept && a.answer.key.low != key.low);
    ask_close(&a);
}

/* `a b` and one new token are 3 tokens by the server's count; 8 are booked for each request. */
static void a_budget_is_kept(void **unused)
{
    struct model_options options = options_of("good");
    struct asked         a;

    (void)unused;
    options.budget = 8 + 3 + 3;
    ask_open(&a, &options);
    for (int i = 0; i < 3; i++) assert_int_equal(ask(&a, "a b"), 0);
    assert_int_equal(ask(&a, "a b"), -EDQUOT);
    assert_non_null(strstr(a.err.text, "14 tokens is used up: 9 are spent and the next request may take 8"));
    ask_close(&a);
    ask_open(&a, &options);
    assert_int_equal(ask(&a, "!nousage x"), 0);             /* not told: what was booked is spent */
    assert_int_equal(ask(&a, "a b"), -EDQUOT);
    assert_non_null(strstr(a.err.text, "8 are spent"));
    ask_close(&a);
    options.budget = 7;
    ask_open(&a, &options);
    stat_of("requests");
    assert_int_equal(ask(&a, "a b"), -EDQUOT);
    assert_int_equal(stat_of("requests"), 0);
    ask_close(&a);
}

static void a_rate_is_kept(void **unused)
{
    struct model_options options = options_of("good");
    struct asked         a;
    double               began = log_seconds();

    (void)unused;
    options.rate = 1200;                                    /* one in a twentieth of a second */
    ask_open(&a, &options);
    for (int i = 0; i < 3; i++) assert_int_equal(ask(&a, "a b"), 0);
    assert_true(log_seconds() - began > .09);
    ask_close(&a);
}

static void *ask_alone(void *arg)    { return ask(arg, "!wait x") == 0 ? NULL : arg; }
static void *ask_together(void *arg) { return ask(arg, "!meet2 x") == 0 ? NULL : arg; }

/* Three lines of a client that may have two requests at the server, or as many as nothing said stands for: one. */
static void lines_share_the_server(void **unused)
{
    (void)unused;
    for (uint32_t most = 0; most <= 2; most += 2) {
        struct model_options options = options_of("good");
        struct asked         a[3];
        pthread_t            thread[3];
        void                *failed;

        options.concurrency = most;
        ask_open(&a[0], &options);
        for (int i = 1; i < 3; i++) {
            a[i] = (struct asked){ .client = a[0].client };
            assert_int_equal(http_line_open(&a[i].line, a[i].client, &a[i].err), 0);
        }
        stat_of("requests");
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, most ? ask_together : ask_alone, &a[i]), 0);
        for (int i = 0; i < 3; i++) {
            pthread_join(thread[i], &failed);
            assert_null(failed);
        }
        assert_int_equal(stat_of("flying_max"), most ? most : 1);
        for (int i = 1; i < 3; i++) http_line_close(a[i].line);
        ask_close(&a[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls), cmocka_unit_test(paths), cmocka_unit_test(what_failures_mean),
        cmocka_unit_test(one_that_always_fails),
        cmocka_unit_test(nobody_is_there), cmocka_unit_test(keys), cmocka_unit_test(answers_are_kept),
        cmocka_unit_test(a_budget_is_kept), cmocka_unit_test(a_rate_is_kept), cmocka_unit_test(lines_share_the_server),
    };

    log_open(&(struct log_options){ .quiet = true });
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
