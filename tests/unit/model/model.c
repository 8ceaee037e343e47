/* tests/unit/model/model.c -- what is refused before a backend is asked, and that it is asked for the rest: a backend
 * that only notes its calls. */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static struct err err;
static char       calls[64];
static int        answer;

static void note(const char *call) { snprintf(calls + strlen(calls), sizeof calls - strlen(calls), "%s ", call); }

static struct model_session noted_session;

static void note_close(struct model *model) { (void)model, note("close"); }

static int note_session_open(struct model_session **out, struct model *model, struct err *e)
{
    (void)model, (void)e;
    note("open");
    if (answer < 0) return err_set(e, answer, "no session");
    *out = &noted_session;
    return 0;
}

static void note_session_close(struct model_session *session) { (void)session, note("end"); }

static int note_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *e)
{
    (void)session, (void)e;
    assert_true(out->count == 0 && out->text.at == text.at && out->text.len == text.len);
    note("cut");
    return answer;
}

static int note_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                      size_t from, struct model_score *out, struct err *e)
{
    (void)session, (void)tokens, (void)begin, (void)e;
    note("score");
    for (size_t i = from; i < end; i++) out[i - from].logprob = -(double)i;
    return answer;
}

static int note_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                         struct model_generation *out, struct err *e)
{
    (void)session, (void)prompt, (void)sampling, (void)e;
    assert_true(out->count == 0 && out->id == NULL);
    note("generate");
    return answer;
}

static const struct model_calls noted_calls = {
    .close = note_close, .session_open = note_session_open, .session_close = note_session_close,
    .tokenize = note_tokenize, .score = note_score, .generate = note_generate,
};
static struct model noted = { &noted_calls, { .name = "noted", .backend = "none", .context = 8 } };

static struct model_session *session_of(struct model *model)
{
    struct model_session *session;

    answer = 0;
    assert_int_equal(model_session_open(&session, model, &err), 0);
    calls[0] = '\0';
    return session;
}

static void refused_options(void **unused)
{
    static char name[] = "m", none[] = "", path[] = "/nowhere/model";
    static const struct { struct model_options options; int rc; const char *says; } bad[] = {
        { { .path = path }, -EINVAL, "no name" }, { { .name = none, .path = path }, -EINVAL, "no name" },
        { { .name = name, .backend = MODEL_TOKENIZER + 1, .path = path }, -EINVAL, "none of ngram|http|replay|llama" },
        { { .name = name, .backend = -1, .path = path }, -EINVAL, "backend -1" },
        { { .name = name, .backend = MODEL_NGRAM }, -EINVAL, "model m: no path" },
        { { .name = name, .backend = MODEL_REPLAY, .path = none }, -EINVAL, "model m: no path" },
        { { .name = name, .backend = MODEL_HTTP, .path = path }, -EINVAL, "model m: no url" },
        { { .name = name, .backend = MODEL_HTTP, .url = none }, -EINVAL, "model m: no url" },
        { { .name = name, .backend = MODEL_NGRAM, .path = path, .context = 1 }, -EINVAL, "none to predict" },
        { { .name = name, .backend = MODEL_NGRAM, .path = path }, -ENOENT, "model m: /nowhere/model" },
        { { .name = name, .backend = MODEL_REPLAY, .path = path }, -ENOENT, "model m: /nowhere/model" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct model *model = &noted;

        assert_int_equal(model_open(&model, &bad[i].options, &err), bad[i].rc);
        if (!strstr(err.text, bad[i].says)) fail_msg("case %zu: %s", i, err.text);
        assert_null(model);
    }
}

static void calls_reach_the_backend(void **unused)
{
    struct model_session *session = session_of(&noted);
    struct model_tokens   tokens = { .count = 6 };
    struct model_score    score[2];
    struct model_sampling sampling = { .tokens = 7, .top_p = 1 };
    struct model_generation made;

    (void)unused;
    assert_ptr_equal(session->model, &noted);
    assert_string_equal(model_info(&noted)->name, "noted");
    assert_int_equal(model_score(session, &tokens, 1, 6, 4, score, &err), 0);
    assert_true(score[0].logprob == -4 && score[1].logprob == -5);
    assert_int_equal(model_score(session, &tokens, 1, 6, 6, NULL, &err), 0);        /* nothing is asked for */
    assert_int_equal(model_tokenize(session, SLICE("text"), &tokens, &err), 0);
    assert_int_equal(model_generate(session, SLICE(""), &sampling, &made, &err), 0);
    answer = -EIO;
    assert_int_equal(model_tokenize(session, SLICE("text"), &tokens, &err), -EIO);
    model_session_close(session);
    model_close(&noted);
    assert_string_equal(calls, "score cut generate cut end close ");
    model_session_close(NULL);
    model_close(NULL);
    assert_int_equal(model_session_open(&session, &noted, &err), -EIO);
    assert_null(session);
}

static void refused_samplings(void **unused)
{
    static const struct { struct model_sampling sampling; const char *says; } bad[] = {
        { { .tokens = 1, .top_p = 1, .temperature = -.1 }, "temperature" },
        { { .tokens = 1, .top_p = 1, .temperature = NAN }, "temperature" },
        { { .tokens = 1, .top_p = 1, .temperature = INFINITY }, "temperature" },
        { { .tokens = 1, .top_p = 1, .decay_tokens = 1, .decay_from = -1 }, "temperature" },
        { { .tokens = 1, .top_p = 1, .decay_tokens = 1, .decay_from = NAN }, "temperature" },
        { { .tokens = 1 }, "top_p" }, { { .tokens = 1, .top_p = 1.01 }, "top_p" },
        { { .tokens = 1, .top_p = NAN }, "top_p" },
        { { .tokens = 8, .top_p = 1 }, "8 new tokens do not fit a context of 8" },
    };
    struct model_session   *session = session_of(&noted);
    struct model_generation made = { .count = 5 };
    struct model_sampling   fine = { .tokens = 7, .top_p = .5, .temperature = 2, .decay_from = -1 };

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(model_generate(session, SLICE("a"), &bad[i].sampling, &made, &err), -EINVAL);
        if (!strstr(err.text, bad[i].says) || !strstr(err.text, "model noted")) fail_msg("case %zu: %s", i, err.text);
        assert_int_equal(made.count, 0);
    }
    assert_string_equal(calls, "");
    assert_int_equal(model_generate(session, SLICE("a"), &fine, &made, &err), 0);    /* no decay, so from nowhere */
    noted.info.context = 0;                                 /* no limit */
    fine.tokens = UINT32_MAX;
    assert_int_equal(model_generate(session, SLICE("a"), &fine, &made, &err), 0);
    noted.info.context = 8;
    assert_string_equal(calls, "generate generate ");
}

static void texts_of_more_than_four_gigabytes(void **unused)
{
    struct model_session   *session = session_of(&noted);
    struct slice            large = { "a", (size_t)UINT32_MAX + 1 };
    struct model_tokens     tokens;
    struct model_generation made;

    (void)unused;
    assert_int_equal(model_tokenize(session, large, &tokens, &err), -ENODATA);
    assert_non_null(strstr(err.text, "4 GB"));
    assert_int_equal(model_generate(session, large, &(struct model_sampling){ .tokens = 1, .top_p = 1 }, &made, &err),
                     -ENODATA);
    assert_non_null(strstr(err.text, "4294967296 bytes"));
    assert_string_equal(calls, "");
    large.len--;
    assert_int_equal(model_tokenize(session, large, &tokens, &err), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_options), cmocka_unit_test(calls_reach_the_backend),
        cmocka_unit_test(refused_samplings), cmocka_unit_test(texts_of_more_than_four_gigabytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
