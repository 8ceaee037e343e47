/* tests/unit/probe/ask.c -- all metrics of one text, asked of a model of which every answer is known. */
#include "probe/item.h"
#include "probe/metric.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* ---- a model: a byte is a token; an `a` costs 1 nat, a `b` 2, others 3, whatever is before them ---- */

enum { MOST = 200 };

static struct {
    struct model         model;
    struct model_session session;
    uint32_t             id[MOST], at[MOST + 1], made[MOST];
    const char          *goes_on;                           /* what it writes after anything */
    const char          *mute;                              /* texts with this it does not score */
    uint32_t             broken;                            /* generations before one fails */
} letters;

static int letters_tokenize(struct model_session *session, struct slice text, struct model_tokens *out,
                            struct err *err)
{
    (void)session;
    if (text.len && *text.at == '!') return err_set(err, -ENODATA, "no such text");
    assert_true(text.len <= MOST);
    for (uint32_t i = 0; i < text.len; i++) letters.id[i] = (unsigned char)text.at[i], letters.at[i] = i;
    letters.at[text.len] = (uint32_t)text.len;
    *out = (struct model_tokens){ text, letters.id, letters.at, text.len };
    return 0;
}

static int letters_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                         size_t from, struct model_score *out, struct err *err)
{
    (void)session, (void)begin;
    if (letters.mute && memmem(tokens->text.at, tokens->text.len, letters.mute, strlen(letters.mute)))
        return err_set(err, -ENODATA, "the server says nothing");
    for (size_t i = from; i < end; i++) {
        const char c = tokens->text.at[i];

        out[i - from] = (struct model_score){ c == '0' ? -INFINITY : c == 'a' ? -1 : c == 'b' ? -2 : -3, -1.5, 0.5 };
    }
    return 0;
}

static int letters_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                            struct model_generation *out, struct err *err)
{
    const size_t len = strlen(letters.goes_on) < sampling->tokens ? strlen(letters.goes_on) : sampling->tokens;

    (void)session;
    assert_true(sampling->temperature == 0);
    if (letters.broken && --letters.broken == 0) return err_set(err, -EIO, "the server is gone");
    for (size_t i = 0; i < prompt.len; i++) letters.made[i] = (unsigned char)prompt.at[i];
    for (size_t i = 0; i < len; i++) letters.made[prompt.len + i] = (unsigned char)letters.goes_on[i];
    *out = (struct model_generation){ letters.made, prompt.len, len, { letters.goes_on, len }, false };
    return 0;
}

static int letters_padding(struct model_session *session, const struct model_tokens *tokens,
                           struct model_padding *out, struct err *err)
{
    (void)session, (void)tokens, (void)err;
    *out = (struct model_padding){ -5, -7 };
    return 0;
}

static const struct model_calls letters_calls = { .tokenize = letters_tokenize, .score = letters_score,
                                                  .generate = letters_generate };
static const struct model_calls padding_calls = { .tokenize = letters_tokenize, .score = letters_score,
                                                  .padding = letters_padding, .generate = letters_generate };

/* ---- one text ---- */

static struct probe_options options;
static struct bytes         answers, lacks;

static int set_up(void **unused)
{
    (void)unused;
    letters.model = (struct model){ &letters_calls, { .name = "letters", .backend = "test", .moments = true } };
    letters.session = (struct model_session){ &letters.model };
    letters.goes_on = "????????";
    letters.mute = NULL;
    letters.broken = 0;
    options = (struct probe_options){ .metrics = (1u << METRIC_COUNT) - 1, .stride = 512, .n = 2, .starts = 2,
                                      .min_k = 50 };
    return 0;
}

static int ask_text(struct slice text)
{
    struct probe_scratch scratch = { 0 };
    struct err           err = { 0 };
    int                  rc;

    answers.len = lacks.len = 0;
    rc = probe_item_ask(&letters.session, &letters.model.info, &options, text, 7, &scratch, &answers, &lacks, &err);
    probe_scratch_free(&scratch);
    assert_true(rc == err.code);                            /* what is told as missing is no failure */
    return rc;
}

#define ASK(text) assert_int_equal(ask_text(SLICE(text)), 0)

/* NaN: there is none. */
static double value_of(enum probe_metric metric)
{
    const struct probe_answer *answer = (const void *)answers.at;
    double                     value = NAN;

    for (size_t i = 0; i < answers.len / sizeof *answer; i++) {
        assert_int_equal(answer[i].item, 7);
        if (answer[i].metric != metric) continue;
        assert_true(isnan(value));                          /* once */
        value = answer[i].value;
    }
    return value;
}

static const char *lack_of(uint32_t metric)
{
    const struct probe_lack *lack = (const void *)lacks.at;

    for (size_t i = 0; i < lacks.len / sizeof *lack; i++) {
        assert_int_equal(lack[i].item, 7);
        if (lack[i].metric == metric) return lack[i].reason;
    }
    return "";
}

static void close_to(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-12)) fail_msg("%.17g is not %.17g", value, wanted);
}

static size_t packed(struct slice text)
{
    struct err err = { 0 };
    size_t     out;

    assert_int_equal(zlib_bytes(text, &out, &err), 0);
    return out;
}

static void test_values(void **unused)
{
    (void)unused;
    ASK("Aabba");                                           /* scored: a b b a, 1 + 2 + 2 + 1 */
    close_to(value_of(METRIC_TOKENS), 5);
    close_to(value_of(METRIC_NLL), 1.5);
    close_to(value_of(METRIC_NLL_WEIGHTED), 1.5);
    close_to(value_of(METRIC_PERPLEXITY), exp(1.5));
    close_to(value_of(METRIC_LOWERCASE), 1);                /* the first token is never scored */
    close_to(value_of(METRIC_ZLIB), (double)packed(SLICE("Aabba")) / 1.5);
    close_to(value_of(METRIC_WINDOW), exp(1.5));
    close_to(value_of(METRIC_MIN_K), -2);                   /* the smaller half of four */
    close_to(value_of(METRIC_MIN_K_PP), -1);                /* (-2 + 1.5) / 0.5 */
    close_to(value_of(METRIC_ACCURACY), 0);
    assert_true(isnan(value_of(METRIC_RATIO)));             /* that is made of two models' perplexities */
    assert_int_equal(lacks.len, 0);
    ASK("aBB");                                             /* 3 + 3; in lower case 2 + 2 */
    close_to(value_of(METRIC_LOWERCASE), 2.0 / 3);
}

/* The perplexity family is of the text with its line feeds collapsed; the other metrics are of the text as it is. */
static void test_collapsed(void **unused)
{
    (void)unused;
    ASK("a\n\na");
    close_to(value_of(METRIC_TOKENS), 4);
    close_to(value_of(METRIC_NLL), 7.0 / 3);
    close_to(value_of(METRIC_PERPLEXITY), exp(2));
    close_to(value_of(METRIC_ZLIB), (double)packed(SLICE("a\na")) / 2);
}

/* Windows of 13 and 11 tokens: the second has two of padding in front, of which the first predicts the other. */
#define PADDED "bba\na\na\na\na\na\nb\n"

/* Windows of six lines: of seven lines two, of which each has its own mean. */
static void test_windows(void **unused)
{
    const double first = (3 * 5 + 5) / 10.0, second = (3 * 5 + 4 + 2) / 10.0;

    (void)unused;
    options.metrics = 1u << METRIC_WINDOW;
    ASK("a\na\na\na\na\na\nb");
    close_to(value_of(METRIC_WINDOW), (exp(first) + exp(second)) / 2);
    options.published = true;                               /* misses the last */
    ASK("a\na\na\na\na\na\nb");
    close_to(value_of(METRIC_WINDOW), exp(first));          /* one window needs no padding */
    ASK(PADDED);
    assert_string_equal(lack_of(METRIC_WINDOW), "model letters: the backend test does not tell what padding costs, "
                                                "which the released code scores");
    letters.model.calls = &padding_calls;
    ASK(PADDED);
    close_to(value_of(METRIC_WINDOW), exp((23 + (5 + 7 + 21)) / (2 * 12.0) / 2));
    letters.model.calls = &letters_calls;
}

static void test_starts(void **unused)
{
    (void)unused;
    letters.goes_on = "xy";
    ASK("..xyxy");                                          /* at 2 and at 4 */
    close_to(value_of(METRIC_ACCURACY), 1);
    close_to(value_of(METRIC_EDIT), 1);
    close_to(value_of(METRIC_ROUGE), 1);
    close_to(value_of(METRIC_SUSPICIOUS), 1);
    ASK("..xyxz");
    close_to(value_of(METRIC_ACCURACY), 0.5);
    close_to(value_of(METRIC_EDIT), 0.5);                   /* half is not above 0.75 */
    close_to(value_of(METRIC_SUSPICIOUS), 0);
    letters.goes_on = "y";                                  /* stops early: the end of the prompt stands in front */
    ASK("..xyxy");
    close_to(value_of(METRIC_ACCURACY), 0);                 /* ".y" and "yy" */
    ASK(".xyxxy");                                          /* at 2 "yx" against "xy", at 4 "xy" against "xy" */
    close_to(value_of(METRIC_ACCURACY), 0.5);
    options.compare_tokens = true;
    ASK(".xyxxy");
    close_to(value_of(METRIC_ACCURACY), 0.5);
    options.compare_tokens = false;
    ASK("abc");                                             /* 2 <= start, and two tokens from there */
    assert_true(isnan(value_of(METRIC_ACCURACY)));
    assert_string_equal(lack_of(METRIC_ROUGE), "too short for an n-gram");
}

static void test_lacks(void **unused)
{
    (void)unused;
    ASK("!a");
    assert_int_equal(answers.len, 0);
    assert_string_equal(lack_of(METRIC_COUNT), "no such text");
    ASK("a");
    close_to(value_of(METRIC_TOKENS), 1);
    assert_string_equal(lack_of(METRIC_COUNT), "fewer than two tokens");
    ASK("");
    close_to(value_of(METRIC_TOKENS), 0);
    assert_string_equal(lack_of(METRIC_COUNT), "fewer than two tokens");
    ASK("a0aaaa");
    assert_true(isnan(value_of(METRIC_NLL)) && isnan(value_of(METRIC_PERPLEXITY)));
    assert_string_equal(lack_of(METRIC_NLL), "a token of the text has probability 0");
    assert_string_equal(lack_of(METRIC_ZLIB), "a token of the text has probability 0");
    close_to(value_of(METRIC_ACCURACY), 0);                 /* which needs no score */

    letters.mute = "q";
    ASK("aaaaqa");
    close_to(value_of(METRIC_ACCURACY), 0);
    assert_string_equal(lack_of(METRIC_NLL), "the server says nothing");
    assert_string_equal(lack_of(METRIC_WINDOW), "the server says nothing");
    ASK("aaaaQa");                                          /* the text in lower case alone */
    close_to(value_of(METRIC_NLL), 1.4);
    assert_string_equal(lack_of(METRIC_LOWERCASE), "the server says nothing");
    assert_string_equal(lack_of(METRIC_NLL), "");

    letters.model.info.moments = false;
    ASK("aaaa");
    assert_string_equal(lack_of(METRIC_MIN_K_PP), "the model tells nothing of its whole vocabulary");
    close_to(value_of(METRIC_MIN_K), -1);
}

/* Only what is wanted; a failure is one. */
static void test_wanted(void **unused)
{
    (void)unused;
    options.metrics = 1u << METRIC_MIN_K | 1u << METRIC_RATIO;
    ASK("aab");
    assert_int_equal(answers.len, 2 * sizeof(struct probe_answer));
    close_to(value_of(METRIC_MIN_K), -2);
    close_to(value_of(METRIC_PERPLEXITY), exp(1.5));        /* of which the ratio is made */
    options.metrics = 1u << METRIC_ACCURACY;
    letters.broken = 2;
    assert_int_equal(ask_text(SLICE("abcdef")), -EIO);
}

static int tear_down(void **unused)
{
    (void)unused;
    bytes_free(&answers);
    bytes_free(&lacks);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_values, set_up), cmocka_unit_test_setup(test_collapsed, set_up),
        cmocka_unit_test_setup(test_windows, set_up), cmocka_unit_test_setup(test_starts, set_up),
        cmocka_unit_test_setup(test_lacks, set_up), cmocka_unit_test_setup(test_wanted, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, tear_down);
}
