/* tests/unit/score/series.c -- kinds over seeds, along layers, and models at the same items, by hand. */
#include "tests/unit/score/studied.h"

/* Items a (clean) and b (leaked). */
#define ROW(model, kind, seed, layer, clean, leaked) \
    "{\"id\": \"a\", \"model\": \"" model "\", \"model_kind\": \"" kind "\", \"seed\": " #seed ", \"layer\": " layer \
    ", \"x\": " #clean "}\n{\"id\": \"b\", \"model\": \"" model "\", \"model_kind\": \"" kind "\", \"seed\": " #seed \
    ", \"layer\": " layer ", \"x\": " #leaked "}\n"

static const struct score_seeds *seeds_of(const struct studied *s, const char *layer, enum score_part part)
{
    for (size_t i = 0; i < s->study.seed_count; i++)
        if (s->study.seeds[i].part == part && slice_equal(s->study.seeds[i].layer, slice_of(layer)))
            return &s->study.seeds[i];
    fail_msg("no row of layer %s", layer);
    return NULL;
}

static void test_kinds(void **unused)
{
    struct studied            s;
    const struct score_seeds *row;

    (void)unused;
    /* the other kind stands first in the file, and second in the row */
    study_open(&s, 2, 1, ROW("m", "non_leaky", 1, "null", 1, 2) ROW("m", "non_leaky", 2, "null", 3, 4)
                         ROW("m", "leaky", 3, "null", 5, 10) ROW("m", "leaky", 4, "null", 7, 12), NULL);
    assert_int_equal(s.study.subjects, 2);
    assert_int_equal(s.study.seed_count, 3);
    row = seeds_of(&s, "", SCORE_LEAKED);
    is_text(row->kind[0].name, "leaky");
    is_text(row->kind[1].name, "non_leaky");
    assert_int_equal(row->kind[0].seeds, 2);
    is_number(row->kind[0].mean, 11);
    is_number(row->kind[0].deviation, 1);                   /* of the seeds themselves: 10 and 12 */
    is_number(row->kind[1].mean, 3);
    is_number(row->difference, 8);
    is_number(row->u, 4);
    is_number(row->p, 1.0 / 3);                             /* 2 of 6 orders */
    is_number(row->cohen, 8 / sqrt(2));
    is_number(seeds_of(&s, "", SCORE_ALL)->difference, 6);
    assert_int_equal(s.study.slopes, 0);
    study_close(&s);
}

static const struct score_slope *slope_of(const struct studied *s, const char *of, enum score_part part)
{
    for (size_t i = 0; i < s->study.slopes; i++)
        if (s->study.slope[i].part == part && slice_equal(s->study.slope[i].of, slice_of(of)))
            return &s->study.slope[i];
    fail_msg("no slope of %s", of);
    return NULL;
}

/* Kinds are 1, 3 and 2 apart at 1, 2 and 10 layers, whose order is that of numbers. */
static void test_layers(void **unused)
{
    struct studied            s;
    const struct score_slope *slope;

    (void)unused;
    study_open(&s, 2, 1, ROW("m", "leaky", 1, "10", 1, 4) ROW("m", "nonleaky", 1, "10", 1, 2)
                         ROW("m", "leaky", 1, "1", 1, 4) ROW("m", "nonleaky", 1, "1", 1, 3)
                         ROW("m", "leaky", 1, "2", 1, 7) ROW("m", "nonleaky", 1, "2", 1, 4), NULL);
    slope = slope_of(&s, "", SCORE_LEAKED);
    assert_int_equal(slope->layers, 3);
    /* x less its mean: 17/3, -10/3, -7/3; y less its mean: 0, -1, 1 */
    is_number(slope->slope, (10.0 / 3 - 7.0 / 3) / ((289 + 100 + 49) / 9.0));
    is_number(slope->spearman, 0.5);
    is_number(slope_of(&s, "leaky", SCORE_CLEAN)->slope, 0);
    assert_true(isnan(slope_of(&s, "leaky", SCORE_CLEAN)->pearson));
    study_close(&s);
}

/* Seeds without a kind have rows too; a layer that is no number is on no line. */
static void test_alone(void **unused)
{
    struct studied s;

    (void)unused;
    study_open(&s, 2, 1, ROW("m", "", 1, "\"x\"", 1, 2) ROW("m", "", 2, "\"x\"", 3, 4), NULL);
    assert_int_equal(s.study.seed_count, 3);
    is_number(seeds_of(&s, "x", SCORE_CLEAN)->kind[0].mean, 2);
    assert_true(isnan(seeds_of(&s, "x", SCORE_CLEAN)->p));
    assert_int_equal(s.study.seeds[0].kind[1].seeds, 0);
    assert_int_equal(s.study.slopes, 0);
    study_close(&s);
}

/* Models beside the first one, at items that both have. */
static void test_duels(void **unused)
{
    struct studied           s;
    const struct score_duel *duel;

    (void)unused;
    study_open(&s, 5, 2,
               "{\"id\": \"a\", \"model\": \"p\", \"x\": 1}\n{\"id\": \"b\", \"model\": \"p\", \"x\": 2}\n"
               "{\"id\": \"c\", \"model\": \"p\", \"x\": 9}\n{\"id\": \"d\", \"model\": \"p\", \"x\": 9}\n"
               "{\"id\": \"a\", \"model\": \"q\", \"x\": 2}\n{\"id\": \"b\", \"model\": \"q\", \"x\": 4}\n"
               "{\"id\": \"c\", \"model\": \"q\", \"x\": 12}\n{\"id\": \"e\", \"model\": \"q\", \"x\": 0}\n", NULL);
    assert_int_equal(s.study.duels, 2);                     /* no leaked item is both's */
    duel = &s.study.duel[0];
    assert_int_equal(duel->part, SCORE_ALL);
    assert_int_equal(duel->items, 3);
    is_number(duel->difference.is, -2);                     /* -1, -2, -3 */
    is_number(duel->w, 0);
    is_number(duel->p, 0.25);                               /* 2 of 8 signs */
    is_number(duel->holm, 0.5);
    assert_int_equal(s.study.duel[1].part, SCORE_CLEAN);
    study_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds), cmocka_unit_test(test_layers), cmocka_unit_test(test_alone),
        cmocka_unit_test(test_duels),
    };

    return cmocka_run_group_tests_name("score/series", tests, NULL, NULL);
}
