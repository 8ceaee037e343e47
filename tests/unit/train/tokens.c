/* tests/unit/train/tokens.c -- units of tokens: documents as ids of the one vocabulary, and samples of their rows. */
#include "training.h"

static struct unit unit_of_tokens(struct training *g)
{
    struct unit unit;

    if (stage_load(g->run.stage, TRAIN_TOKENS, g->t.unit[0].key, &unit, &g->err) != 1) fail_msg("no unit of tokens");
    assert_int_equal(unit.count, 2);                        /* samples, and one part */
    return unit;
}

static void documents_by_hand(void **unused)
{
    static const uint32_t wanted[] = { 3, 3, 4, LM_END, LM_END, 4, LM_UNK, 3, LM_END };      /* + is 3, - is 4 */
    struct training       g;
    struct unit           unit;

    (void)unused;
    training_open(&g, "{\"text\": \"++-\"}\n{\"text\": \"\"}\n{\"text\": \"-a+\"}\n", 2, 2, 2);
    training_number(&g);
    unit = unit_of_tokens(&g);
    assert_int_equal(unit.section[1].len, sizeof wanted);
    assert_memory_equal(unit.section[1].at, wanted, sizeof wanted);
    assert_int_equal(unit.section[0].len, 0);               /* not long enough for a sample */
    unit_close(&unit);
    training_close(&g);
}

/* The 126th token of a part, and every 251st after it, with the six before it or what stands for them. */
static void samples_are_rows(void **unused)
{
    struct training g;

    (void)unused;
    for (size_t length = 1; length <= 300; length = length * 3 + 1) {
        struct bytes               lines = random_lines(length, 1200 / length, length);
        struct unit                unit;
        const struct train_sample *sample;
        const uint32_t            *token;
        size_t                     count, samples = 0, begin = 0;

        training_open(&g, lines.at, 3, 1, 1);
        training_number(&g);
        unit = unit_of_tokens(&g);
        sample = (const struct train_sample *)(const void *)unit.section[0].at;
        token = (const uint32_t *)(const void *)unit.section[1].at;
        count = unit.section[1].len / sizeof *token;
        for (size_t i = 0; i < count; i++) {
            if (i % 251 == 125) {
                for (size_t k = 0; k < LM_ORDER_MAX; k++) {
                    bool before = i + k < begin + LM_ORDER_MAX - 1;

                    assert_int_equal(sample[samples].token[k], before ? LM_BEGIN : token[i + k + 1 - LM_ORDER_MAX]);
                }
                samples++;
            }
            if (token[i] == LM_END) begin = i + 1;
        }
        assert_int_equal(unit.section[0].len, samples * sizeof *sample);
        assert_true(samples >= 4);
        unit_close(&unit);
        training_close(&g);
        bytes_free(&lines);
    }
}

/* The key of all tokens is that of the corpus and the vocabulary; a unit that is there is taken. */
static void keys_tell_the_vocabulary(void **unused)
{
    static const char lines[] = "{\"text\": \"++-\"}\n{\"text\": \"a\"}\n";
    static const uint32_t other[] = { LM_END };
    struct unit_key       key;
    struct training       g;
    struct unit           unit;

    (void)unused;
    training_open(&g, lines, 2, 1, 1);
    training_number(&g);
    key = g.t.key;
    training_must(&g, train_number(&g.t, &g.err));
    assert_memory_equal(&key, &g.t.key, sizeof key);
    training_must(&g, stage_commit(g.run.stage, TRAIN_TOKENS, g.t.unit[0].key,
                                   (struct slice[]){ { "", 0 }, { (const char *)other, sizeof other } }, 2, &g.err));
    training_must(&g, train_number(&g.t, &g.err));
    unit = unit_of_tokens(&g);
    assert_int_equal(unit.section[1].len, sizeof other);
    unit_close(&unit);

    train_vocabulary_free(&g.t.vocabulary);
    g.options.least = 2;                                    /* another vocabulary */
    training_must(&g, train_merge_vocabularies(&g.t, &g.err));
    training_must(&g, train_number(&g.t, &g.err));
    assert_true(key.low != g.t.key.low);
    unit = unit_of_tokens(&g);
    assert_int_equal(unit.section[1].len, 6 * sizeof(uint32_t));
    unit_close(&unit);
    training_close(&g);
}

/* A part whose values go beyond its vocabulary. */
static void a_broken_unit_is_told(void **unused)
{
    const struct unit_header header = { .documents = 1, .parts = 1 };
    const struct train_entry entry = { 0, 1 };
    const uint16_t           value[] = { 1, 2, 0 };
    struct slice             section[1 + PART_SECTIONS] = { { (const char *)&header, sizeof header } };
    struct training          g;

    (void)unused;
    section[1 + PART_ROWS] = (struct slice){ (const char *)&entry, sizeof entry };
    section[1 + PART_HEAP] = SLICE("a");
    section[1 + PART_VALUES] = (struct slice){ (const char *)value, sizeof value };
    training_open(&g, "{\"text\": \"a\"}\n", 2, 1, 1);
    training_scan(&g);
    training_must(&g, stage_commit(g.run.stage, "train",
                                   pass_unit_key(&g.dataset, g.t.pass.scanner[0].key, &g.shards.at[0], 0), section,
                                   1 + PART_SECTIONS, &g.err));
    training_must(&g, train_merge_vocabularies(&g.t, &g.err));
    assert_int_equal(train_number(&g.t, &g.err), -EBADMSG);
    assert_non_null(strstr(g.err.text, "expected layout"));
    training_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_by_hand), cmocka_unit_test(samples_are_rows),
        cmocka_unit_test(keys_tell_the_vocabulary), cmocka_unit_test(a_broken_unit_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
