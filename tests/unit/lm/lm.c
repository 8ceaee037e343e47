/* tests/unit/lm/lm.c -- a model that can be worked out by hand; ARPA files that are refused; the backend `ngram` on
 * it. */
#include "lm/lm.h"
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { A = LM_FIRST, B, TOKENS };

static char       dir[] = "/tmp/leakgraph-lm.XXXXXX", path[64];
static struct err err;

/* Two documents: " a" "b", and " a" " a". */
static struct lm_counts two_documents(void)
{
    static const uint32_t row[] = { LM_BEGIN, A, A, LM_END, A, A, A, B, B, LM_END },
        piece_at[] = { 0, 5, 8, 12, 14, 15 };
    static const uint64_t count[] = { 2, 1, 1, 1, 1 };

    return (struct lm_counts){ 2, TOKENS, 5, 6, 2, row, count, piece_at, "<unk><s></s> ab" };
}

static double p(const struct lm *lm, uint32_t from, uint32_t token) { return exp(lm_step(lm, &from, token)); }

static bool near(double a, double b) { return fabs(a - b) < 1e-6; }

/* Bigrams by what was seen: <s> a 2, a </s> 1, a a 1, a b 1, b </s> 1.  Unigrams by what they were seen after: a 2, b
 * 1, </s> 2.  Nothing was seen four times: the discounts are .5, 1 and 1.5. */
static void by_hand(void **unused)
{
    struct lm_counts    counts = two_documents();
    struct lm_discounts discounts[3];
    struct lm           lm;
    uint32_t            after_a = 0, after_b = 0;
    const double        held = (1 + 1 + .5) / 5 / 4, a = (2 - 1) / 5.0 + held, b = (1 - .5) / 5.0 + held;

    (void)unused;
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, discounts, &err), 0);
    assert_false(discounts[1].estimated || discounts[2].estimated);
    assert_int_equal(lm.states, 4);                         /* none, <s>, a, b */
    assert_int_equal(lm.arcs, TOKENS + 5);
    assert_true(near(p(&lm, 0, A), a) && near(p(&lm, 0, LM_END), a) && near(p(&lm, 0, B), b) &&
                near(p(&lm, 0, LM_UNK), held));
    assert_true(near(p(&lm, lm.begin, A), (2 - 1) / 2.0 + 1 / 2.0 * a));
    assert_true(near(p(&lm, lm.begin, B), 1 / 2.0 * b));
    lm_step(&lm, &after_a, A);
    lm_step(&lm, &after_b, B);
    assert_true(near(p(&lm, after_a, A), (1 - .5) / 3 + .5 * a) && near(p(&lm, after_a, LM_UNK), .5 * held));
    assert_true(near(p(&lm, after_b, LM_END), .5 + .5 * a) && near(p(&lm, after_b, A), .5 * a));
    lm_free(&lm);

    /* Witten-Bell counts what was seen: a 3, b 1, </s> 2, of 6, and 3 different ones. */
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_WITTEN_BELL, 1, discounts, &err), 0);
    assert_true(near(p(&lm, 0, A), (3 + 3 / 4.0) / 9) && near(p(&lm, 0, LM_UNK), 3 / 4.0 / 9));
    assert_true(near(p(&lm, lm.begin, A), (2 + p(&lm, 0, A)) / 3));
    lm_free(&lm);
}

static void no_document(void **unused)
{
    static const uint32_t piece_at[] = { 0, 5, 8, 12 };
    struct lm_counts      counts = { .order = 3, .tokens = LM_FIRST, .piece_at = piece_at, .piece = "<unk><s></s>" };
    struct lm             lm;

    (void)unused;
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, NULL, &err), 0);
    assert_true(near(p(&lm, lm.begin, LM_END), .5) && near(p(&lm, 0, LM_UNK), .5));
    lm_free(&lm);
}

/* ---- ARPA ---- */

static int read_arpa(const char *text, struct lm *lm)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return lm_arpa_read(lm, path, &err);
}

#define UNIGRAMS "\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.3\n-0.6\t</s>\n-0.5\tx\t-0.2\n-0.7\ty\n\n"
#define BIGRAMS  "\\2-grams:\n-0.2\tx y\n-0.1\t<s> x\n-0.4 x   x \n\n"

static void foreign_arpa(void **unused)
{
    struct lm lm;
    uint32_t  x = 0;

    (void)unused;
    if (read_arpa("made elsewhere\n\n\\data\\\nngram 1=5\nngram  2 = 3\n\n" UNIGRAMS BIGRAMS "\\end\\\nand so on\n",
                  &lm) < 0)
        fail_msg("%s", err.text);
    assert_true(lm.order == 2 && lm.tokens == 5 && lm.states == 3 && lm.smoothing == SMOOTH_KNESER_NEY);
    assert_true(near(log10(p(&lm, lm.begin, 3)), -0.1) && near(log10(p(&lm, lm.begin, 4)), -0.3 - 0.7));
    lm_step(&lm, &x, 3);
    assert_true(near(log10(p(&lm, x, 4)), -0.2) && near(log10(p(&lm, x, LM_UNK)), -1.2) &&
                near(p(&lm, x, LM_BEGIN), 0));
    lm_free(&lm);
    /* A weight without anything after it is kept; what is missing of the three is never seen. */
    if (read_arpa("\\data\\\nngram 1=1\nngram 2=0\n\\1-grams:\n0 a\\x20b -0.5\n\\2-grams:\n\\end\\\n", &lm) < 0)
        fail_msg("%s", err.text);
    assert_true(lm.tokens == 4 && lm.states == 2 && memcmp(lm.piece + lm.piece_at[3], "a b", 3) == 0);
    x = 0;
    lm_step(&lm, &x, 3);
    assert_true(near(log10(p(&lm, x, 3)), -0.5) && near(p(&lm, 0, LM_UNK), 0));
    lm_free(&lm);
}

static void refused_arpa(void **unused)
{
    static const struct { const char *text, *says; } bad[] = {
        { "", "line 0: no \\data\\" },
        { "\\data\\\n\\1-grams:\n", "line 2: no `ngram 1" },
        { "\\data\\\nngram 2=1\n", "line 2: no `ngram" },
        { "\\data\\\nngram 1=0\nngram 2=0\nngram 3=0\nngram 4=0\nngram 5=0\nngram 6=0\nngram 7=0\nngram 8=0\n",
          "line 9: n-grams longer than 7" },
        { "\\data\\\nngram 1=5\nngram 2=3\n" UNIGRAMS BIGRAMS, "line 15: \\end\\ is missing" },
        { "\\data\\\nngram 1=5\n" UNIGRAMS, "line 5: no logarithm of a back" },
        { "\\data\\\nngram 1=4\nngram 2=3\n" UNIGRAMS BIGRAMS, "line 11: 5 1-grams, not 4" },
        { "\\data\\\nngram 1=5\nngram 2=1\n" UNIGRAMS "\\end\\\n", "line 11: \\2-grams: is missing" },
        { "\\data\\\nngram 1=1\n\\1-grams:\n0.5 a\n", "line 4: no logarithm of a prob" },
        { "\\data\\\nngram 1=1\n\\1-grams:\nnan a\n", "line 4: no logarithm of a prob" },
        { "\\data\\\nngram 1=1\nngram 2=0\n\\1-grams:\n-1 a inf\n", "line 5: no logarithm of a back" },
        { "\\data\\\nngram 1=1\nngram 2=0\n\\1-grams:\n-1 a -1 b\n", "line 5: something after" },
        { "\\data\\\nngram 1=1\n\\1-grams:\n-1\n", "line 4: fewer tokens" },
        { "\\data\\\nngram 1=2\n\\1-grams:\n-1 a\n-1 \\x61\n\\end\\\n", "line 5: this n-gram is there twice" },
        { "\\data\\\nngram 1=5\nngram 2=1\n" UNIGRAMS "\\2-grams:\n-1 x z\n", "line 12: a token that is no unigram" },
        { "\\data\\\nngram 1=5\nngram 2=3\nngram 3=1\n" UNIGRAMS BIGRAMS "\\3-grams:\n-1 y x x\n\\end\\\n",
          "line 18: this n-gram without its last token" },
        { "\\data\\\nngram 1=5\nngram 2=2\nngram 3=1\n" UNIGRAMS "\\2-grams:\n-1 y x\n-1 <s> x\n\n\\3-grams:\n-1 <s> "
                                                                 "x y\n\\end\\\n",
          "line 17: this n-gram without its first token" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lm lm;

        assert_int_equal(read_arpa(bad[i].text, &lm), -EBADMSG);
        if (!strstr(err.text, bad[i].says)) fail_msg("`%s' is not in `%s'", bad[i].says, err.text);
    }
}

/* ---- the backend ---- */

static struct model *open_model(uint32_t context)
{
    struct model_options options = { .name = (char[]){ "toy" }, .backend = MODEL_NGRAM, .path = path,
                                     .context = context };
    struct lm_counts     counts = two_documents();
    struct model        *model;
    struct lm            lm;

    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, NULL, &err), 0);
    assert_int_equal(lm_write(&lm, path, &err), 0);
    lm_free(&lm);
    if (model_open(&model, &options, &err) < 0) fail_msg("%s", err.text);
    return model;
}

/* Windows see nothing before them; long ones are scored by several walks, which must not show. */
static void scores(void **unused)
{
    enum { LONG = 5000 };
    static char               text[2 * LONG];
    static struct model_score score[LONG], one;
    struct model             *model = open_model(0);
    struct model_session     *session;
    struct model_tokens       tokens;
    struct lm                 lm;
    size_t                    len = 0;
    uint64_t                  state = 7;

    (void)unused;
    assert_int_equal(lm_open(&lm, path, &err), 0);
    assert_int_equal(model_session_open(&session, model, &err), 0);
    assert_true(model_info(model)->moments && model_info(model)->vocabulary == TOKENS);
    for (int i = 0; i < LONG - 1; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        memcpy(text + len, state >> 62 ? " a" : "\n", 2);
        len += state >> 62 ? 2 : 1;
    }
    assert_int_equal(model_tokenize(session, (struct slice){ text, len }, &tokens, &err), 0);
    assert_true(tokens.count > 3000 && tokens.at[0] == 0 && tokens.at[tokens.count] == len);
    for (size_t begin = 0; begin < 40; begin += 13) {
        uint32_t at = 0;

        assert_int_equal(model_score(session, &tokens, begin, tokens.count, begin + 1, score, &err), 0);
        lm_step(&lm, &at, tokens.id[begin]);
        for (size_t i = begin + 1; i < tokens.count; i++) {
            double mean = (double)lm.state[at].mean;

            assert_int_equal(tokens.id[i], text[tokens.at[i]] == ' ' ? A : LM_UNK);
            assert_true(score[i - begin - 1].mean == mean &&
                        score[i - begin - 1].logprob == lm_step(&lm, &at, tokens.id[i]));
        }
    }
    assert_int_equal(model_score(session, &tokens, 100, 102, 101, &one, &err), 0);
    /* the last token but one is all that a bigram looks at */
    assert_true(one.logprob == score[101 - 39 - 1].logprob);
    assert_int_equal(model_score(session, &tokens, 100, 101, 101, &one, &err), 0);
    lm_close(&lm);
    model_session_close(session);
    model_close(model);
}

static void generates(void **unused)
{
    struct model           *model = open_model(0), *narrow = open_model(6);
    struct model_session   *session, *other;
    struct model_generation made;
    struct model_sampling   greedy = { .tokens = 5, .top_p = 1 }, wide = { .tokens = 30, .temperature = 1, .top_p = 1 };
    int                     stopped = 0, different = 0;
    char                    first[64] = "";

    (void)unused;
    assert_int_equal(model_session_open(&session, model, &err), 0);
    assert_int_equal(model_session_open(&other, narrow, &err), 0);
    /* After <s> a is likeliest; after a, of a and </s>, which are equal, the smaller. */
    assert_int_equal(model_generate(session, SLICE(""), &greedy, &made, &err), 0);
    assert_true(made.prompt == 0 && made.count == 1 && made.stopped && slice_equal(made.text, SLICE(" a")));
    assert_int_equal(model_generate(session, SLICE(" a a?b"), &greedy, &made, &err), 0);
    assert_true(made.prompt == 4 && made.count == 0 && made.stopped && made.id[2] == LM_UNK && made.id[3] == B);
    for (uint64_t seed = 0; seed < 200; seed++) {
        char whole[64], top[64];

        wide.seed = seed;
        wide.top_k = 0;
        assert_int_equal(model_generate(session, SLICE(" a"), &wide, &made, &err), 0);
        assert_true(made.count <= 30 && made.stopped == (made.count < 30) && made.text.len < sizeof whole);
        snprintf(whole, sizeof whole, "%.*s", (int)made.text.len, made.text.at);
        for (size_t i = 0; i < made.count; i++)
            assert_true(made.id[made.prompt + i] == A || made.id[made.prompt + i] == B);
        stopped += made.stopped;
        different += strcmp(whole, first) != 0;
        memcpy(first, whole, sizeof first);
        wide.top_k = TOKENS - 2;                            /* all that can be drawn: </s>, a, b */
        assert_int_equal(model_generate(session, SLICE(" a"), &wide, &made, &err), 0);
        snprintf(top, sizeof top, "%.*s", (int)made.text.len, made.text.at);
        assert_string_equal(whole, top);
    }
    assert_true(stopped > 150 && different > 50);
    /* In a context of 6, 5 new tokens leave the prompt its last one. */
    assert_int_equal(model_generate(other, SLICE(" a a a a?b"), &greedy, &made, &err), 0);
    assert_true(made.prompt == 1 && made.id[0] == B);
    greedy.tokens = 6;
    assert_int_equal(model_generate(other, SLICE(" a"), &greedy, &made, &err), -EINVAL);
    wide.top_p = 0;
    assert_int_equal(model_generate(session, SLICE(" a"), &wide, &made, &err), -EINVAL);
    assert_false(memcmp(&model_info(model)->key, &model_info(narrow)->key, sizeof(struct unit_key)) == 0);
    model_session_close(session);
    model_session_close(other);
    model_close(model);
    model_close(narrow);
}

static void refused_models(void **unused)
{
    struct model_options options = { .name = (char[]){ "toy" }, .backend = MODEL_NGRAM,
                                     .path = (char[]){ "/nowhere/toy.lm" } };
    struct model        *model;

    (void)unused;
    assert_int_equal(model_open(&model, &options, &err), -ENOENT);
    assert_non_null(strstr(err.text, "model toy: /nowhere/toy.lm"));
    options.path = (char[]){ "" };
    assert_int_equal(model_open(&model, &options, &err), -EINVAL);
    options.backend = 9;
    assert_int_equal(model_open(&model, &options, &err), -EINVAL);
    assert_null(model);
    model_close(NULL);
    model_session_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand), cmocka_unit_test(no_document), cmocka_unit_test(foreign_arpa),
            cmocka_unit_test(refused_arpa), cmocka_unit_test(scores),
        cmocka_unit_test(generates), cmocka_unit_test(refused_models),
    };
    int failed;

    if (!mkdtemp(dir)) return 1;
    snprintf(path, sizeof path, "%s/model", dir);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    rmdir(dir);
    return failed;
}
