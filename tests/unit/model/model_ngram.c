/* tests/unit/model/model_ngram.c -- the backend `ngram` on a model that can be worked out by hand. */
#include "unit/lm/toy.h"

#include "model/model.h"

static struct err err;

static struct model *open_model(uint32_t context)
{
    struct model_options options = { .name = (char[]){ "toy" }, .backend = MODEL_NGRAM, .path = toy_path,
                                     .context = context };
    struct lm_counts     counts = two_documents();
    struct model        *model;
    struct lm            lm;

    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, NULL, &err), 0);
    assert_int_equal(lm_write(&lm, toy_path, &err), 0);
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
    struct model_padding      padding;
    struct lm                 lm;
    uint32_t                  after;
    size_t                    len = 0;
    uint64_t                  state = 7;

    (void)unused;
    assert_int_equal(lm_open(&lm, toy_path, &err), 0);
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
    after = lm.begin;
    assert_int_equal(model_score_padding(session, &tokens, &padding, &err), 0);
    assert_true(padding.pad == lm_step(&lm, &after, LM_END));
    after = lm.begin;
    assert_true(padding.first == lm_step(&lm, &after, tokens.id[0]) && padding.pad != padding.first);
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
        cmocka_unit_test(scores), cmocka_unit_test(generates), cmocka_unit_test(refused_models),
    };

    return cmocka_run_group_tests(tests, toy_setup, toy_teardown);
}
