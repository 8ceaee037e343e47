/* tests/unit/lm/arpa_read.c -- ARPA files of others and of ours, and those that are refused. */
#include "toy.h"

static struct err err;

static int read_arpa(const char *text, struct lm *lm)
{
    FILE *file = fopen(toy_path, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return lm_arpa_read(lm, toy_path, &err);
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
    assert_true(near(log10(p_after(&lm, lm.begin, 3)), -0.1) && near(log10(p_after(&lm, lm.begin, 4)), -0.3 - 0.7));
    lm_step(&lm, &x, 3);
    assert_true(near(log10(p_after(&lm, x, 4)), -0.2) && near(log10(p_after(&lm, x, LM_UNK)), -1.2) &&
                near(p_after(&lm, x, LM_BEGIN), 0));
    lm_free(&lm);
    /* A weight without anything after it is kept; what is missing of the three is never seen. */
    if (read_arpa("\\data\\\nngram 1=1\nngram 2=0\n\\1-grams:\n0 a\\x20b -0.5\n\\2-grams:\n\\end\\\n", &lm) < 0)
        fail_msg("%s", err.text);
    assert_true(lm.tokens == 4 && lm.states == 2 && memcmp(lm.piece + lm.piece_at[3], "a b", 3) == 0);
    x = 0;
    lm_step(&lm, &x, 3);
    assert_true(near(log10(p_after(&lm, x, 3)), -0.5) && near(p_after(&lm, 0, LM_UNK), 0));
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

/* Lines in any order, ends of DOS, names with escapes that are none, and the comment of ours. */
static void read_as_they_come(void **unused)
{
    struct lm lm;
    uint32_t  state = 0;

    (void)unused;
    if (read_arpa("# leakgraph smoothing=witten-bell trained_tokens=17 trained_documents=4\r\n\\data\\\r\nngram 1=4\r\n"
                  "ngram 2=3\r\n\r\n\\1-grams:\r\n-1 b\\x\r\n-1 \\x0Aa\\x2\r\n-1 </s>\r\n-1 <unk>\r\n\r\n"
                  "\\2-grams:\r\n-2 \\x0aa\\x2 \\x0Aa\\x2\r\n-3 b\\x </s>\r\n-4 \\x0Aa\\x2 b\\x\r\n"
                  "\\end\\\r\n", &lm) < 0)
        fail_msg("%s", err.text);
    assert_true(lm.smoothing == SMOOTH_WITTEN_BELL && lm.trained_tokens == 17 && lm.trained_documents == 4);
    assert_int_equal(lm.tokens, LM_FIRST + 2);              /* numbered as they come; <s>, which is missing, is there */
    assert_true(lm.piece_at[LM_FIRST + 2] == 12 + 3 + 5 && memcmp(lm.piece + 12, "b\\x\na\\x2", 8 - 1) == 0);
    lm_step(&lm, &state, LM_FIRST + 1);
    assert_true(near(p_after(&lm, state, LM_FIRST), 1e-4) && near(log10(p_after(&lm, state, LM_FIRST + 1)), -2));
    state = 0;
    lm_step(&lm, &state, LM_FIRST);
    assert_true(near(log10(p_after(&lm, state, LM_END)), -3));
    assert_true(near(log10(p_after(&lm, state, LM_FIRST + 1)), -1));            /* no weight stands for 1 */
    lm_free(&lm);
}

/* What was written is read back as it was, mean and deviation with it. */
static void there_and_back(void **unused)
{
    struct lm_build b = toy_model();
    struct lm       lm;

    (void)unused;
    assert_int_equal(lm_arpa_write(&b.lm, toy_path, &err), 0);
    if (lm_arpa_read(&lm, toy_path, &err) < 0) fail_msg("%s", err.text);
    assert_true(lm.order == 2 && lm.tokens == TOKENS && lm.states == TOY_STATES && lm.arcs == TOY_ARCS);
    assert_true(lm.begin == 1 && lm.trained_tokens == 6 && lm.trained_documents == 2);
    assert_memory_equal(lm.level, b.lm.level, sizeof lm.level);
    assert_memory_equal(lm.piece_at, b.lm.piece_at, (TOKENS + 1) * sizeof *lm.piece_at);
    assert_memory_equal(lm.piece, b.lm.piece, lm.piece_at[TOKENS]);
    for (uint32_t s = 0; s < TOY_STATES; s++)
        assert_true(lm.state[s].first == b.state[s].first && lm.state[s].suffix == b.state[s].suffix &&
                    near((double)lm.state[s].backoff, (double)b.state[s].backoff) &&
                    near((double)lm.state[s].mean, (double)b.state[s].mean) &&
                    fabs((double)lm.state[s].deviation - (double)b.state[s].deviation) < 1e-4);
    for (size_t a = 0; a < TOY_ARCS; a++)
        assert_true(lm.arc[a].token == b.arc[a].token && lm.arc[a].next == b.arc[a].next &&
                    (a == LM_BEGIN ? isinf(lm.arc[a].logprob)
                     : near((double)lm.arc[a].logprob, (double)b.arc[a].logprob)));
    lm_free(&lm);
    lm_build_free(&b);
}

static void files_that_are_none(void **unused)
{
    static const char nul[] = "\\data\\\nngram 1=1\n\\1-grams:\n-1 a\0b\n\\end\\\n";
    struct lm         lm;

    (void)unused;
    assert_int_equal(lm_arpa_read(&lm, "/nowhere/model.arpa", &err), -ENOENT);
    assert_non_null(strstr(err.text, "/nowhere/model.arpa"));
    assert_int_equal(lm_arpa_read(&lm, toy_folder, &err), -EIO);
    toy_write(nul, sizeof nul - 1);
    assert_int_equal(lm_arpa_read(&lm, toy_path, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "line 4: a NUL byte"));
    assert_true(lm.state == NULL && lm.arcs == 0);          /* nothing to free */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foreign_arpa), cmocka_unit_test(refused_arpa), cmocka_unit_test(read_as_they_come),
        cmocka_unit_test(there_and_back), cmocka_unit_test(files_that_are_none),
    };

    return cmocka_run_group_tests(tests, toy_setup, toy_teardown);
}
