/* tests/unit/probe/order.c -- benchmarks cut into shards, shuffled and put to a model that likes the alphabet; what
 * does not fit, what cannot be told, units that are there. */
#include "probe/order.h"
#include "tests/unit/small_run.h"

#include <errno.h>
#include <math.h>

/* A byte is a token; one that follows the letter before it costs 1 nat, others 2. */
static struct { struct model model; struct model_session session; uint32_t id[99], at[100]; int asked; } letters;

static int letters_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err)
{
    (void)session, (void)err;
    assert_true(text.len < 99);
    for (uint32_t i = 0; i < text.len; i++) letters.id[i] = (unsigned char)text.at[i], letters.at[i] = i;
    letters.at[text.len] = (uint32_t)text.len;
    *out = (struct model_tokens){ text, letters.id, letters.at, text.len };
    return 0;
}

static int letters_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                         size_t from, struct model_score *out, struct err *err)
{
    const char *at = tokens->text.at;

    (void)session;
    letters.asked++;
    assert_true(begin < from && (!letters.model.info.context || end - begin <= letters.model.info.context));
    if (memchr(at, '?', tokens->text.len)) return err_set(err, -ENODATA, "the server says nothing");
    for (size_t i = from; i < end; i++)
        out[i - from] = (struct model_score){ at[i] == '0' ? -INFINITY : at[i] == at[i - 1] + 1 ? -1 : -2, NAN, NAN };
    return 0;
}

static const struct model_calls letters_calls = { .tokenize = letters_tokenize, .score = letters_score };

static struct small_run     r;
static char                 name[] = "letters", join[8];
static struct probe_options options;
static bool                 member[] = { true, true, true };
static struct probe_job     job;
static struct probe_items   items;

static void items_write(const char *file, const char *text)
{
    struct bytes lines = { 0 };

    for (; *text; text++) assert_int_equal(bytes_printf(&lines, "{\"text\": \"%c\"}\n", *text), 0);
    assert_int_equal(bytes_append(&lines, "", 1), 0);
    small_write(&r, file, lines.at);
    bytes_free(&lines);
}

static void begin(const char *first, const char *second)
{
    struct err err = { 0 };

    small_open(&r);
    items_write("a1.jsonl", first);
    items_write("a2.jsonl", second);
    items_write("b.jsonl", "xyz");
    items_write("c.jsonl", "q");
    small_start(&r, "datasets:\n  - {name: a, role: benchmark, files: [a1.jsonl, a2.jsonl]}\n"
                    "  - {name: b, role: benchmark, files: b.jsonl}\n"
                    "  - {name: c, role: benchmark, files: c.jsonl}\nsensitive: {}\n");
    letters.model = (struct model){ &letters_calls, { .name = name, .backend = "test" } };
    letters.session = (struct model_session){ &letters.model };
    letters.asked = 0;
    *join = '\0';
    options = (struct probe_options){ .models = 1, .join = join, .model = { { .name = name } },
                                      .order = { .shards = 4, .permutations = 20, .seed = 1, .join = join } };
    job = (struct probe_job){ .run = &r.run, .member = member, .options = &options };
    if (probe_items_collect(&job, &items, &err) < 0) fail_msg("%s", err.text);
}

static void end(void)
{
    probe_items_free(&items);
    small_close(&r);
}

/* How many blocks were asked for anew. */
static int ask(void)
{
    struct order_block *block;
    struct err          err = { 0 };
    size_t              count;
    int                 asked = 0;

    job.model[0] = letters.model.info;
    assert_int_equal(order_blocks(&job, &items, &block, &count, &err), 0);
    for (size_t i = 0; i < count; i++) {
        const int rc = order_block_do(&job, &letters.model.info, &items, &block[i], &letters.session, &err);

        if (rc < 0) fail_msg("%s", err.text);
        asked += rc;
    }
    free(block);
    return asked;
}

static struct probe_result result_of(void)
{
    struct probe_result result = { 0 };
    struct err          err = { 0 };

    if (order_read(&job, &items, &result, &err) < 0) fail_msg("%s", err.text);
    return result;
}

static void test_permute(void **unused)
{
    size_t order[6], again[6], first[6] = { 0 };

    (void)unused;
    order_permute(7, 3, 0, order, 6);
    for (size_t i = 0; i < 6; i++) assert_int_equal(order[i], i);
    for (uint32_t p = 1; p <= 6000; p++) {
        bool there[6] = { false };

        order_permute(7, 3, p, order, 6);
        for (size_t i = 0; i < 6; i++) there[order[i]] = true;
        for (size_t i = 0; i < 6; i++) assert_true(there[i]);
        first[order[0]]++;
    }
    for (size_t i = 0; i < 6; i++) assert_in_range(first[i], 880, 1120);        /* 1,000, four deviations of 29 */
    order_permute(7, 3, 1, order, 6);
    order_permute(7, 3, 1, again, 6);
    assert_memory_equal(order, again, sizeof order);
    order_permute(7, 4, 1, again, 6);
    assert_memory_not_equal(order, again, sizeof order);
    order_permute(8, 3, 1, again, 6);
    assert_memory_not_equal(order, again, sizeof order);
}

static void test_blocks(void **unused)
{
    static const struct order_block wanted[] = {
        { 0, 2, 0, 0, 0, 16 }, { 0, 2, 0, 0, 16, 21 }, { 2, 2, 0, 1, 0, 16 }, { 2, 2, 0, 1, 16, 21 },
        { 4, 2, 0, 2, 0, 16 }, { 4, 2, 0, 2, 16, 21 }, { 6, 3, 0, 3, 0, 16 }, { 6, 3, 0, 3, 16, 21 },
        { 9, 3, 1, 0, 0, 16 }, { 9, 3, 1, 0, 16, 21 },      /* c has one item, which has one order */
    };
    struct order_block *block;
    struct err          err = { 0 };
    size_t              count;

    (void)unused;
    begin("abcde", "fghi");
    assert_int_equal(order_blocks(&job, &items, &block, &count, &err), 0);
    assert_int_equal(count, sizeof wanted / sizeof *wanted);
    assert_memory_equal(block, wanted, sizeof wanted);
    free(block);
    options.order.shards = 0;
    assert_int_equal(order_blocks(&job, &items, &block, &count, &err), 0);
    assert_int_equal(count, 0);
    free(block);
    end();
}

static void test_rows(void **unused)
{
    struct probe_result result;
    size_t              order[3];

    (void)unused;
    begin("abcde", "fghi");
    assert_int_equal(ask(), 10);
    assert_int_equal(letters.asked, 5 * 21);
    result = result_of();
    assert_int_equal(result.orders, 5 * 21);
    assert_int_equal(result.gaps, 0);
    for (size_t i = 0; i < result.orders; i++) {
        const struct probe_ordered *o = &result.ordered[i];
        const uint32_t              shard = (uint32_t)(i / 21);
        double                      logprob = 0;

        assert_true(o->dataset == (shard == 4) && o->shard == shard % 4 && o->permutation == i % 21 && o->model == 0);
        assert_int_equal(o->items, shard < 3 ? 2 : 3);
        assert_int_equal(o->tokens, o->items - 1);          /* nothing stands before the first */
        order_permute(1, o->shard, o->permutation, order, o->items);
        for (size_t k = 1; k < o->items; k++) logprob -= order[k] == order[k - 1] + 1 ? 1 : 2;
        assert_true(o->logprob == logprob);
    }
    probe_result_free(&result);
    assert_int_equal(ask(), 0);                             /* it is all there */
    options.order.permutations = 30;                        /* of the first blocks, too */
    assert_int_equal(ask(), 5);
    options.order.seed = 2;
    assert_int_equal(ask(), 10);
    end();
}

/* What fits into a context, joints included; a text that is longer in another order is scored in windows. */
static void test_context(void **unused)
{
    struct probe_result result;

    (void)unused;
    begin("abcde", "fghi");
    options.order.shards = 1;
    memcpy(join, "--", 3);
    letters.model.info.context = 8;
    ask();
    result = result_of();
    assert_true(result.orders == 42 && result.ordered[0].items == 3 && result.ordered[0].tokens == 6);
    assert_true(result.ordered[0].logprob == -12);          /* a--b--c */
    probe_result_free(&result);
    options.order.items = 4;                                /* so many whatever fits; b has three */
    ask();
    result = result_of();
    assert_true(result.ordered[0].items == 4 && result.ordered[0].tokens == 9 && result.ordered[21].items == 3);
    assert_true(result.ordered[0].logprob == -18);
    probe_result_free(&result);
    options.order.items = 0;
    letters.model.info.context = 3;
    ask();
    result = result_of();
    assert_true(result.orders == 0 && result.gaps == 1 && result.gap[0].metric == METRIC_ORDER &&
                result.gap[0].items == 2);
    assert_string_equal(result.gap[0].reason, "no two items fit into the 3 tokens that the model takes");
    probe_result_free(&result);
    end();
}

/* A shard of which any order is missing has none. */
static void test_gaps(void **unused)
{
    struct probe_result result;
    struct err          err = { 0 };

    (void)unused;
    begin("ab?de", "fg0i");
    assert_int_equal(ask(), 10);
    result = result_of();
    assert_int_equal(result.orders, 3 * 21);
    assert_true(result.ordered[0].shard == 0 && result.ordered[21].shard == 2 && result.ordered[42].dataset == 1);
    assert_true(result.gaps == 1 && result.gap[0].items == 2);
    assert_string_equal(result.gap[0].reason, "the server says nothing");
    probe_result_free(&result);
    options.order.seed = 3;                                 /* nobody was asked for these */
    assert_int_equal(order_read(&job, &items, &result, &err), -EIO);
    probe_result_free(&result);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_permute), cmocka_unit_test(test_blocks),
                                        cmocka_unit_test(test_rows), cmocka_unit_test(test_context),
                                        cmocka_unit_test(test_gaps) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
