/* tests/unit/model/http_answer.c -- JSON within limits, and what is believed of an answer's tokens. */
#include "model/http.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define CUT "\xEF\xBF\xBD"                                  /* U+FFFD: what a decoder leaves of parts of a character */

static struct err             err;
static struct http_completion got;

/* ---- JSON ---- */

static int parse(const char *text, size_t len)
{
    cJSON *json = http_json((struct slice){ text, len }, &err);
    int    rc = json ? 0 : err.code;

    cJSON_Delete(json);
    return rc;
}

static void json_within_limits(void **unused)
{
    enum { DEEP = HTTP_DEPTH_MAX + 1 };
    static const char *const bad[] = { "", "{", "{} x", "{\"a\": }", "nul", "[1, 2" };
    static const char *const none[] = { "[NaN", "[NaNNaN]", "[nan]", "[1NaN]", "[NaN,]" };
    static const char *const good[] = { "{}", " {\"a\": [1, 2]}\r\n\t ", "[]", "1", "{\"a\": \"[[[\\\"[[\"}" };
    char                     deep[2 * DEEP], *written;
    cJSON                   *json;
    char                    *wide = malloc(2 * HTTP_VALUES_MAX + 16);

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(parse(bad[i], strlen(bad[i])), -EBADMSG);
        assert_non_null(strstr(err.text, "no JSON"));
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_int_equal(parse(good[i], strlen(good[i])), 0);
    /* where a number is none, not within strings, and nothing else is forgiven */
    json = http_json(SLICE("{\"a\": [NaN, -Infinity,Infinity], \"N\\\"aN NaN\": \"\\\\\", \"b\": NaN}"), &err);
    assert_non_null(json);
    written = cJSON_PrintUnformatted(json);
    assert_string_equal(written, "{\"a\":[[],[],[]],\"N\\\"aN NaN\":\"\\\\\",\"b\":[]}");
    cJSON_free(written);
    cJSON_Delete(json);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(parse(none[i], strlen(none[i])), -EBADMSG);
    assert_int_equal(parse(NULL, 0), -EBADMSG);
    assert_int_equal(parse("{}}", 2), 0);                   /* not past its end */
    memset(deep, '[', DEEP);
    memset(deep + DEEP, ']', DEEP);
    assert_int_equal(parse(deep + 1, 2 * DEEP - 2), 0);
    assert_int_equal(parse(deep, 2 * DEEP), -EBADMSG);
    assert_non_null(strstr(err.text, "64 deep at byte 64"));
    assert_non_null(wide);                                  /* one value in front of each comma, and the list itself */
    memset(wide, ',', 2 * HTTP_VALUES_MAX);
    wide[0] = '[';
    assert_int_equal(parse(wide, HTTP_VALUES_MAX + 1), -EBADMSG);
    assert_non_null(strstr(err.text, "more than"));
    assert_int_equal(parse(wide, HTTP_VALUES_MAX), -EBADMSG);
    assert_non_null(strstr(err.text, "no JSON"));           /* as many values as are allowed: it is looked at */
    free(wide);
}

/* ---- completions ---- */

/* choice: what stands in the first of the choices. */
static int read_choice(const char *choice, enum http_scoring scoring, const char *prompt, uint32_t most)
{
    char         text[4096];
    cJSON       *json;
    int          rc;
    static cJSON *kept;                                     /* got.text lives in it */

    snprintf(text, sizeof text, "{\"choices\": [{%s}]}", choice);
    json = http_json(slice_of(text), &err);
    if (!json) fail_msg("%s: %s", choice, err.text);
    rc = http_completion_read(&got, json, scoring, slice_of(prompt), most, &err);
    cJSON_Delete(kept);
    kept = json;
    return rc;
}

/* tokens: as they stand in the JSON; ends: where each ends, 0 behind the last. */
static void cut_is(const uint32_t *at, size_t count, const uint32_t *ends)
{
    assert_int_equal(at[0], 0);
    for (size_t i = 0; i < count; i++)
        if (at[i + 1] != ends[i]) fail_msg("token %zu ends at %u, not %u", i, at[i + 1], ends[i]);
    assert_int_equal(ends[count], 0);
}

static int echo(const char *tokens, const char *logprobs, const char *prompt)
{
    char choice[2048];

    snprintf(choice, sizeof choice, "\"logprobs\": {\"tokens\": [%s], \"token_logprobs\": [%s]}", tokens, logprobs);
    return read_choice(choice, HTTP_ECHO, prompt, 0);
}

static void prompts_are_cut(void **unused)
{
    static const struct { const char *tokens, *prompt; uint32_t ends[6]; } cuts[] = {
        { "\"a\", \"bc\"", "abc", { 1, 3 } },
        { "\"a\", \"" CUT "\", \"" CUT "\"", "a\xC3\xA9", { 1, 2, 3 } },                /* a byte each */
        { "\"" CUT "\", \"" CUT CUT "b\"", "\xE2\x82\xAC" "b", { 1, 4 } },              /* one of it, and two */
        { "\"" CUT "\", \"" CUT "b\"", "\xE2\x82\xAC" "b", { 2, 4 } },                  /* two, and one */
        { "\"" CUT "\", \"" CUT "\", \"" CUT "\"", "\xE2\x82\xAC", { 1, 2, 3 } },
        { "\"" CUT "\", \"x\"", CUT "x", { 3, 4 } },                                    /* it stands in the text */
        { "\"\xF0\x9F\x98\x80\", \"" CUT "\", \"" CUT "\"", "\xF0\x9F\x98\x80\xF0\x9F\x98\x80", { 4, 7, 8 } },
        { "", "", { 0 } },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        char logprobs[64] = "";

        for (size_t k = 0; cuts[i].ends[k]; k++) strcat(logprobs, k ? ", -2" : "null");
        if (echo(cuts[i].tokens, logprobs, cuts[i].prompt) < 0) fail_msg("%s: %s", cuts[i].prompt, err.text);
        assert_false(got.begun);
        cut_is(got.at, got.prompt, cuts[i].ends);
        for (size_t k = 0; k < got.prompt; k++) assert_true(k ? got.logprob[k] == -2 : isnan(got.logprob[k]));
    }
    {   /* Twelve characters, two bytes and one of each: many ways that lead to the same places, and one to the end. */
        char tokens[512] = "", logprobs[256] = "", prompt[64] = "";

        for (int i = 0; i < 24; i++) {
            strcat(tokens, i ? ", \"" CUT "\"" : "\"" CUT "\"");
            strcat(logprobs, i ? ", -1" : "null");
            if (i % 2) strcat(prompt, "\xE2\x82\xAC");
        }
        if (echo(tokens, logprobs, prompt) < 0) fail_msg("%s", err.text);
        for (uint32_t i = 0; i <= 24; i++) assert_int_equal(got.at[i], i / 2 * 3 + i % 2 * 2);
    }
    /* A begin of text in front, and a token behind that a server adds which always makes one. */
    assert_int_equal(echo("\"<s>\", \"a\", \"b\", \"c\"", "null, -1, -3, -4", "ab"), 0);
    assert_true(got.begun && got.prompt == 2 && got.logprob[0] == -1 && got.logprob[1] == -3);
    assert_int_equal(echo("\"a\", \"b\"", "null, 5e-5", "ab"), 0);
    assert_true(got.logprob[1] == 0);                       /* above 0 by rounding */
}

static void prompts_that_do_not_fit(void **unused)
{
    static const struct { const char *tokens, *logprobs, *prompt, *says; } bad[] = {
        { "\"a\", \"c\"", "null, -1", "ab", "part at token 1" }, { "\"a\"", "null", "ab", "part at token 1" },
        { "\"a\", \"b\", \"c\", \"d\"", "null, -1, -1, -1", "ab", "4 tokens do not make up the text of 2 bytes" },
        { "\"a\", \"\", \"b\"", "null, -1, -1", "ab", "part at token 1" },
        { "\"" CUT "\", \"" CUT CUT CUT "\"", "null, -1", "\xE2\x82\xAC", "part at token 1" },
        { "\"a\", \"b\"", "null, null", "ab", "no probability of token 1" },
        { "\"a\", \"b\"", "-1, -1", "ab", "probability of the first token" },
        { "\"a\", \"b\"", "null, 2e-4", "ab", "at most 0" }, { "\"a\", \"b\"", "null, \"x\"", "ab", "no number" },
        { "\"a\", \"b\"", "null", "ab", "2 tokens, 1 logarithms" }, { "\"a\", 1", "null, -1", "ab", "no text" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(echo(bad[i].tokens, bad[i].logprobs, bad[i].prompt), -ENODATA);
        if (!strstr(err.text, bad[i].says)) fail_msg("case %zu: %s", i, err.text);
    }
    assert_int_equal(read_choice("\"text\": \"a\"", HTTP_ECHO, "a", 0), -ENODATA);
    assert_non_null(strstr(err.text, "no logprobs"));
    assert_int_equal(read_choice("\"logprobs\": {\"tokens\": [\"a\", \"b\"], \"token_logprobs\": [null, -1], "
                                 "\"text_offset\": [1, 0]}", HTTP_ECHO, "ab", 0), -ENODATA);
    assert_non_null(strstr(err.text, "text_offset of token 1"));
}

#define TOLD(text, p) "{\"7\": {\"logprob\": " #p ", \"decoded_token\": \"" text "\"}}"

/* vLLM tells nothing of the first token: it is what the others leave. */
static void an_untold_first_token(void **unused)
{
    static const uint32_t ends[] = { 2, 3, 0 }, broken[] = { 1, 3, 0 }, late[] = { 3, 5, 0 };
    static const uint32_t long_one[] = { 40, 41, 0 };

    (void)unused;
    assert_int_equal(read_choice("\"prompt_logprobs\": [null, " TOLD("c", -1) "]", HTTP_PROMPT_LOGPROBS, "abc", 0), 0);
    cut_is(got.at, got.prompt, ends);
    assert_true(isnan(got.logprob[0]) && got.logprob[1] == -1);
    assert_int_equal(read_choice("\"prompt_logprobs\": [null, " TOLD(CUT CUT, -1) "]", HTTP_PROMPT_LOGPROBS,
                                 "\xE2\x82\xAC", 0), 0);
    cut_is(got.at, got.prompt, broken);
    assert_int_equal(read_choice("\"prompt_logprobs\": [null, " TOLD(CUT CUT, -1) "]", HTTP_PROMPT_LOGPROBS,
                                 "ab\xE2\x82\xAC", 0), 0);
    cut_is(got.at, got.prompt, late);                       /* with two characters and a part in front */
    assert_int_equal(read_choice("\"prompt_logprobs\": [null, " TOLD("c", -1) "]", HTTP_PROMPT_LOGPROBS,
                                 "0123456789012345678901234567890123456789c", 0), 0);
    cut_is(got.at, got.prompt, long_one);
    assert_int_equal(read_choice("\"prompt_logprobs\": [null, " TOLD("abc", -1) "]", HTTP_PROMPT_LOGPROBS, "abc", 0),
                     0);                                    /* a begin of text, which leaves no byte */
    assert_true(got.begun && got.prompt == 1 && got.logprob[0] == -1);
    assert_int_equal(read_choice("\"prompt_logprobs\": [null, " TOLD("x", -1) "]", HTTP_PROMPT_LOGPROBS, "abc", 0),
                     -ENODATA);
    assert_int_equal(read_choice("\"prompt_logprobs\": [null, null]", HTTP_PROMPT_LOGPROBS, "abc", 0), -ENODATA);
    assert_non_null(strstr(err.text, "token 1 are not those of one token"));
    assert_int_equal(read_choice("\"text\": \"\"", HTTP_PROMPT_LOGPROBS, "abc", 0), -ENODATA);
    assert_non_null(strstr(err.text, "no prompt_logprobs"));
}

static void new_tokens_are_cut(void **unused)
{
    static const uint32_t ends[] = { 1, 3, 0 };

    (void)unused;
    /* behind an echo */
    assert_int_equal(read_choice("\"text\": \"abcd\", \"finish_reason\": \"length\", \"logprobs\": "
                                 "{\"tokens\": [\"a\", \"b\", \"cd\"], \"token_logprobs\": [null, -1, -2]}",
                                 HTTP_ECHO, "a", 2), 0);
    assert_true(got.prompt == 1 && got.count == 2 && !got.stopped && slice_equal(got.text, SLICE("bcd")));
    cut_is(got.new_at, got.count, ends);
    /* as llama.cpp's server tells them; the end of text as a token that is no text */
    assert_int_equal(read_choice("\"text\": \"bcd\", \"finish_reason\": \"stop\", \"logprobs\": {\"content\": ["
                                 "{\"token\": \"b\", \"logprob\": -1}, {\"token\": \"cd\", \"logprob\": -1}, "
                                 "{\"token\": \"</s>\", \"logprob\": -1}]}", HTTP_NO_SCORES, "a", 2), 0);
    assert_true(got.prompt == 0 && got.count == 2 && got.stopped && slice_equal(got.text, SLICE("bcd")));
    cut_is(got.new_at, got.count, ends);
    /* beside prompt_logprobs, in a list of their own */
    assert_int_equal(read_choice("\"text\": \"c\", \"prompt_logprobs\": [null, " TOLD("b", -1) "], \"logprobs\": "
                                 "{\"tokens\": [\"c\"], \"token_logprobs\": [-2]}", HTTP_PROMPT_LOGPROBS, "ab", 1), 0);
    assert_true(got.prompt == 2 && got.count == 1 && slice_equal(got.text, SLICE("c")));
    /* nothing was asked about: a begin of text stands before what is new */
    assert_int_equal(read_choice("\"text\": \"c\", \"logprobs\": {\"tokens\": [\"<s>\", \"c\"], \"token_logprobs\": "
                                 "[null, -2]}", HTTP_ECHO, "", 1), 0);
    assert_true(got.begun && got.prompt == 0 && got.count == 1);
    /* no token at all */
    assert_int_equal(read_choice("\"text\": \"\", \"finish_reason\": \"stop\", \"logprobs\": {\"tokens\": [], "
                                 "\"token_logprobs\": []}", HTTP_NO_SCORES, "a", 1), 0);
    assert_true(got.count == 0 && got.stopped && got.text.len == 0);
}

static void new_tokens_that_do_not_fit(void **unused)
{
    static const struct { const char *choice; enum http_scoring scoring; const char *says; } bad[] = {
        { "\"text\": \"bc\", \"logprobs\": {\"tokens\": [\"b\", \"c\"], \"token_logprobs\": [-1, -1]}", HTTP_NO_SCORES,
          "2 new tokens, 1 were asked for" },
        { "\"text\": \"b\", \"logprobs\": {\"tokens\": [\"c\"], \"token_logprobs\": [-1]}", HTTP_NO_SCORES,
          "1 tokens do not make up the text of 1 bytes: they part at token 0" },
        { "\"text\": \"xb\", \"logprobs\": {\"tokens\": [\"a\", \"b\"], \"token_logprobs\": [null, -1]}", HTTP_ECHO,
          "does not begin with the prompt" },
        { "\"text\": \"\", \"logprobs\": {\"tokens\": [\"a\", \"b\"], \"token_logprobs\": [null, -1]}", HTTP_ECHO,
          "does not begin with the prompt" },
        { "\"text\": 1, \"logprobs\": {\"tokens\": [\"a\", \"b\"], \"token_logprobs\": [null, -1]}", HTTP_ECHO,
          "no text" },
        { "\"text\": \"\xFF\", \"logprobs\": {\"tokens\": [\"\xFF\"], \"token_logprobs\": [-1]}", HTTP_NO_SCORES,
          "not UTF-8" },
        { "\"text\": \"b\"", HTTP_NO_SCORES, "no logprobs" },
    };
    cJSON *none = cJSON_Parse("{\"choices\": []}");

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read_choice(bad[i].choice, bad[i].scoring, "a", 1), -ENODATA);
        if (!strstr(err.text, bad[i].says)) fail_msg("case %zu: %s", i, err.text);
    }
    assert_int_equal(http_completion_read(&got, none, HTTP_NO_SCORES, SLICE(""), 1, &err), -ENODATA);
    assert_non_null(strstr(err.text, "no choices"));
    cJSON_Delete(none);
}

static void is_freed(void **unused)
{
    (void)unused;
    http_completion_free(&got);
    assert_true(got.at == NULL && got.logprob == NULL && got.new_at == NULL);
    http_completion_free(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_within_limits), cmocka_unit_test(prompts_are_cut),
        cmocka_unit_test(prompts_that_do_not_fit), cmocka_unit_test(an_untold_first_token),
        cmocka_unit_test(new_tokens_are_cut), cmocka_unit_test(new_tokens_that_do_not_fit), cmocka_unit_test(is_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
