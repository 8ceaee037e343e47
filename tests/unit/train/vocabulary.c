/* tests/unit/train/vocabulary.c -- the vocabularies of parts as one: the most frequent first, of equals by bytes. */
#include "training.h"

static struct slice piece(const struct train_vocabulary *v, uint32_t id)
{
    return (struct slice){ v->piece + v->piece_at[id], v->piece_at[id + 1] - v->piece_at[id] };
}

static void vocabulary_is(const struct train_vocabulary *v, const char *const *names, size_t count)
{
    static const char *const first[LM_FIRST] = { "<unk>", "<s>", "</s>" };

    assert_int_equal(v->tokens, LM_FIRST + count);
    assert_int_equal(v->piece_at[0], 0);
    for (uint32_t id = 0; id < v->tokens; id++) {
        const char     *name = id < LM_FIRST ? first[id] : names[id - LM_FIRST];
        struct unit_key hash = train_hash(slice_of(name));

        if (!slice_equal(piece(v, id), slice_of(name))) fail_msg("%u is not `%s`", id, name);
        assert_true(table_find(&v->table, hash.low, hash.high) == (id < LM_FIRST ? TABLE_NONE : id));
    }
}

#define VOCABULARY(v, ...) do { \
        static const char *const names[] = { __VA_ARGS__, NULL }; \
        vocabulary_is(v, names, sizeof names / sizeof *names - 1); \
    } while (0)

/* `+` 4 times; ` a`, `-` twice; the rest once.  Long ones that agree in their first eight bytes are ordered too. */
static const char lines[] = "{\"text\": \"++ a-longpiece2 a\"}\n\f{\"text\": \"-+longpiece1+\"}\n"
                            "{\"text\": \"longpiece\"}\n{\"text\": \"\xC3\xA9\"}\n{\"text\": \"\"}\n";

static void the_most_frequent_comes_first(void **unused)
{
    struct training g;

    (void)unused;
    training_open(&g, lines, 2, 1, 2);
    training_scan(&g);
    training_must(&g, train_merge_vocabularies(&g.t, &g.err));
    VOCABULARY(&g.t.vocabulary, "+", " a", "-", "longpiece", "longpiece1", "longpiece2", "\xC3\xA9");
    training_close(&g);
}

static void rare_ones_are_left_out(void **unused)
{
    struct unit_key  key = { 0, 0 };
    struct training  g;

    (void)unused;
    for (uint32_t least = 2; least <= 5; least++) {
        training_open(&g, lines, 2, least, 1);
        training_scan(&g);
        training_must(&g, train_merge_vocabularies(&g.t, &g.err));
        if (least == 2) VOCABULARY(&g.t.vocabulary, "+", " a", "-");
        else if (least < 5) VOCABULARY(&g.t.vocabulary, "+");
        else vocabulary_is(&g.t.vocabulary, NULL, 0);
        if (least == 4) assert_memory_equal(&key, &g.t.vocabulary.key, sizeof key);     /* as with 3 */
        if (least == 5) assert_true(key.low != g.t.vocabulary.key.low);
        key = g.t.vocabulary.key;
        training_close(&g);
    }
}

/* An empty corpus, and one of empty documents. */
static void nothing_to_learn(void **unused)
{
    static const char *const none[] = { "", "{\"text\": \"\"}\n" };
    struct training          g;

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        training_open(&g, none[i], 2, 1, 3);
        training_scan(&g);
        training_must(&g, train_merge_vocabularies(&g.t, &g.err));
        vocabulary_is(&g.t.vocabulary, NULL, 0);
        training_close(&g);
    }
    train_vocabulary_free(&(struct train_vocabulary){ 0 });
}

static void threads_do_not_show(void **unused)
{
    struct unit_key key[3];

    (void)unused;
    for (int threads = 1; threads <= 3; threads++) {
        struct bytes    random = random_lines(3, 50, 40);
        struct training g;

        training_open(&g, random.at, 2, 1, threads);
        training_scan(&g);
        training_must(&g, train_merge_vocabularies(&g.t, &g.err));
        assert_int_equal(g.t.vocabulary.tokens, LM_FIRST + 20);
        key[threads - 1] = g.t.vocabulary.key;
        training_close(&g);
        bytes_free(&random);
    }
    assert_memory_equal(&key[0], &key[1], sizeof *key);
    assert_memory_equal(&key[0], &key[2], sizeof *key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_frequent_comes_first), cmocka_unit_test(rare_ones_are_left_out),
        cmocka_unit_test(nothing_to_learn), cmocka_unit_test(threads_do_not_show),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
