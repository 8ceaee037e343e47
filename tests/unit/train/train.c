/* tests/unit/train/train.c -- whole trainings: what is told of them, what they leave, and the model by hand. */
#include "training.h"

#include <dirent.h>
#include <math.h>

/* `+-` and `++`: the bigrams <s> + twice, + +, + -, + </s> and - </s> once. */
static const char lines[] = "{\"text\": \"+-\"}\n{\"text\": \"++\"}\n";

static bool near(double a, double b) { return fabs(a - b) < 1e-6; }

static double p(const struct lm *lm, uint32_t state, uint32_t token) { return exp(lm_step(lm, &state, token)); }

static size_t units_there(const struct training *g, const char *kind)
{
    char           path[64];
    DIR           *folder;
    struct dirent *entry;
    size_t         count = 0;

    snprintf(path, sizeof path, "%s/work", g->folder);
    folder = opendir(path);
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) count += strncmp(entry->d_name, kind, strlen(kind)) == 0;
    closedir(folder);
    return count;
}

static void a_model_by_hand(void **unused)
{
    enum { PLUS = LM_FIRST, MINUS };
    struct training g;
    struct lm       lm;

    (void)unused;
    training_open(&g, lines, 2, 1, 2);
    training_must(&g, train_run(&g.job, g.path, &g.err));
    assert_true(g.job.documents == 2 && g.job.rejected == 0 && g.job.text_bytes == 4 && g.job.pieces == 4);
    assert_true(g.job.grams[1] == LM_FIRST + 2 && g.job.grams[2] == 5);
    assert_true(g.job.seconds[0] >= 0 && g.job.seconds[1] >= 0 && g.job.seconds[2] >= 0);
    training_must(&g, lm_open(&lm, g.path, &g.err));
    assert_true(lm.order == 2 && lm.trained_tokens == 6 && lm.trained_documents == 2);
    assert_true(memcmp(lm.piece + lm.piece_at[PLUS], "+-", 2) == 0);
    /* tests/unit/train/estimate.c works it out: discounts of .5, 1 and 1.5, over 4 tokens */
    assert_true(near(p(&lm, 0, PLUS), (2 - 1) / 5.0 + (1 + 1 + .5) / 5 / 4));
    assert_true(near(p(&lm, lm.begin, PLUS), (2 - 1) / 2.0 + 1 / 2.0 * p(&lm, 0, PLUS)));
    lm_close(&lm);
    assert_int_equal(units_there(&g, "train-tokens"), 0);   /* only the units of the pass outlive the training */
    assert_int_equal(units_there(&g, "train-rows"), 0);
    assert_int_equal(units_there(&g, "train-"), 1);
    training_close(&g);
}

static void options_reach_the_model(void **unused)
{
    struct training g;
    struct lm       lm;
    uint64_t        first;

    (void)unused;
    training_open(&g, lines, 3, 2, 1);
    g.options.smoothing = SMOOTH_WITTEN_BELL;
    training_must(&g, train_run(&g.job, g.path, &g.err));
    training_must(&g, lm_open(&lm, g.path, &g.err));
    assert_true(lm.order == 3 && lm.smoothing == SMOOTH_WITTEN_BELL);
    assert_int_equal(lm.tokens, LM_FIRST + 1);              /* `-` stands once: it is <unk> */
    assert_true(p(&lm, 0, LM_UNK) > .1);
    first = lm.xxh3;
    lm_close(&lm);
    training_must(&g, train_run(&g.job, g.path, &g.err));   /* again, from the units of the pass */
    training_must(&g, lm_open(&lm, g.path, &g.err));
    assert_true(lm.xxh3 == first);
    lm_close(&lm);
    training_close(&g);
}

static void rejects_are_told(void **unused)
{
    struct training g;
    char            name[80];

    (void)unused;
    training_open(&g, "{\"text\": \"+-\"}\nnone\n{\"other\": 1}\n", 2, 1, 1);
    training_must(&g, train_run(&g.job, g.path, &g.err));
    assert_true(g.job.documents == 1 && g.job.rejected == 2);
    snprintf(name, sizeof name, "%s.rejects.tsv", g.path);
    assert_int_equal(access(name, F_OK), 0);
    training_close(&g);
}

/* A model that is there stays; what could not be used is listed. */
static void an_empty_corpus_is_no_model(void **unused)
{
    static const char *const shards[] = { "", "none\n" };

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        struct training g;
        char            name[80];
        FILE           *file;

        training_open(&g, shards[i], 2, 1, 1);
        file = fopen(g.path, "w");
        assert_true(file && fputs("a model", file) >= 0 && fclose(file) == 0);
        training_must(&g, train_run(&g.job, g.path, &g.err));
        assert_true(g.job.documents == 0 && g.job.rejected == i && g.job.pieces == 0 && g.job.grams[1] == 0);
        file = fopen(g.path, "r");
        assert_true(file && fread(name, 1, sizeof name, file) == 7 && fclose(file) == 0);
        snprintf(name, sizeof name, "%s.rejects.tsv", g.path);
        assert_int_equal(access(name, F_OK), i ? 0 : -1);
        training_close(&g);
    }
}

static void no_place_for_the_model(void **unused)
{
    struct training g;

    (void)unused;
    training_open(&g, lines, 2, 1, 1);
    assert_true(train_run(&g.job, "/nowhere/model", &g.err) < 0);
    assert_non_null(strstr(g.err.text, "/nowhere"));
    assert_int_equal(units_there(&g, "train-rows"), 1);     /* what was counted is there for the next time */
    training_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_by_hand), cmocka_unit_test(options_reach_the_model),
        cmocka_unit_test(rejects_are_told), cmocka_unit_test(an_empty_corpus_is_no_model),
        cmocka_unit_test(no_place_for_the_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
