/* tests/unit/clonetype/within.c -- classes and pairs inside a corpus are those of comparing each function with each. */
#include "clonetype/within.h"

#include "base/lcs.h"
#include "tests/unit/clonetype/small_clones.h"

/* Functions of few statements, so that many are alike. */
static void corpus_make(struct bytes *out, uint64_t seed, int functions)
{
    static const char *const statement[] = { "a = b + 1", "b = a + 2", "f(a, b)", "del a", "assert b", "x = [a]" };

    for (int i = 0; i < functions; i++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        assert_int_equal(bytes_printf(out, "{\"language\": \"python\", \"path\": \"p%d\", \"text\": \"def f(a, b):", i),
                         0);
        for (uint64_t n = 0, draw = seed >> 8; n < 5 + seed % 3; n++, draw /= 6)
            assert_int_equal(bytes_printf(out, "\\n  %s", statement[draw % (n == 2 ? 6 : 3)]), 0);
        assert_int_equal(bytes_append_slice(out, SLICE("\"}\n")), 0);
    }
    assert_int_equal(bytes_append(out, "", 1), 0);
}

static bool same(struct content_hash a, struct content_hash b) { return a.low == b.low && a.high == b.high; }

static void run_open(const char *settings, const char *corpus)
{
    static bool member[2] = { true, false };
    char        yaml[512];

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "  - {name: other, role: corpus, files: [o.jsonl]}\n"
                                "clones: {within: [code], min_tokens: 5, min_lines: 2, %s}\n", settings);
    small_open(&small);
    small_write(&small, "c.jsonl", corpus);
    small_write(&small, "o.jsonl", corpus);
    small_start(&small, yaml);
    job = &clonetype_task(&small.config)->job;
    *job = (struct clonetype_job){ .run = &small.run, .options = &clonetype_task(&small.config)->options,
                                   .within = member };
}

/* The pass, the pairs, and what there is. */
static struct within_result result_make(void)
{
    struct pass          pass = { .run = &small.run };
    struct within_result result;
    struct err           err = { 0 };

    if (pass_add(&pass, within_collector(job), &err) < 0 || pass_stream(&pass, small.shards.count, &err) < 0 ||
        within_join(job, &err) < 0 || within_result_read(job, &result, &err) < 0) fail_msg("%s", err.text);
    assert_true(result.count == 1 && result.at[0].dataset == 0);
    return result;
}

static void test_all(void **unused)
{
    struct bytes         corpus = { 0 };
    struct within_result result;
    const struct within *within;
    size_t               found = 0, equal[3] = { 0 };

    (void)unused;
    corpus_make(&corpus, 11, 300);
    run_open("dissimilarity: 0.4", corpus.at);
    result = result_make();
    within = &result.at[0].within;
    assert_int_equal(within->count, 300);
    for (uint32_t b = 0; b < within->count; b++) {
        const struct fragment_row *x = &within->at[b].row->form;
        uint32_t                   first[3] = { b, b, b };
        const struct within_pair  *pair = &result.at[0].pair[found];
        size_t                     pairs = 0;

        assert_int_equal(x->record, b);
        for (uint32_t a = b; a-- > 0;) {
            const struct fragment_row *y = &within->at[a].row->form;

            if (same(x->exact, y->exact)) first[CLONE_TYPE_1] = a;
            if (same(x->consistent, y->consistent)) first[CLONE_TYPE_2C] = a;
            if (same(x->blind, y->blind)) first[CLONE_TYPE_2] = a;
        }
        for (int t = 0; t < 3; t++) {
            assert_int_equal(within->at[b].first[t], first[t]);
            equal[t] += first[t] != b;
        }
        for (uint32_t a = 0; a < b; a++) {
            const uint32_t most = x->items > within->at[a].row->form.items ? x->items : within->at[a].row->form.items;
            uint32_t       common;

            if (first[CLONE_TYPE_2] != b || within->at[a].first[CLONE_TYPE_2] != a) continue;
            assert_int_equal(lcs_length(within->at[a].item, within->at[a].row->form.items, within->at[b].item, x->items,
                                        &common), 0);
            if (10 * common < 6 * most) continue;
            for (size_t p = 0; p < result.at[0].pair_count; p++)
                if (result.at[0].pair[p].a == a && result.at[0].pair[p].b == b) {
                    assert_true(result.at[0].pair[p].common == common && result.at[0].pair[p].whole == most);
                    pairs++;
                    break;
                } else if (p + 1 == result.at[0].pair_count) fail_msg("%u and %u are not found", a, b);
        }
        for (size_t p = 0; p < pairs; p++) {                /* the most alike first, then the first */
            assert_true(pair[p].b == b && pair[p].more == 0);
            if (p) assert_true((uint64_t)pair[p - 1].common * pair[p].whole >=
                               (uint64_t)pair[p].common * pair[p - 1].whole);
        }
        found += pairs;
    }
    assert_int_equal(found, result.at[0].pair_count);
    assert_true(found > 100 && equal[CLONE_TYPE_1] > 10 && equal[CLONE_TYPE_2] > equal[CLONE_TYPE_1]);
    within_result_free(&result);
    clonetype_release(job);
    small_close(&small);
    bytes_free(&corpus);
}

/* Of each function the best pairs are kept, and all are counted; without type 3 there are none. */
static void test_most(void **unused)
{
    struct bytes         corpus = { 0 };
    struct within_result all, most;
    size_t               p = 0, left = 0;

    (void)unused;
    corpus_make(&corpus, 12, 100);
    run_open("dissimilarity: 0.4", corpus.at);
    all = result_make();
    ((struct clonetype_options *)(uintptr_t)job->options)->max_matches = 2;
    most = result_make();
    for (size_t i = 0; i < most.at[0].pair_count; i++) {
        const struct within_pair *pair = &most.at[0].pair[i];

        while (all.at[0].pair[p].b != pair->b) p++;
        assert_memory_equal(pair, &all.at[0].pair[p], offsetof(struct within_pair, more));
        if (pair->more) assert_true(i == 0 || pair[-1].b != pair->b);
        left += pair->more;
        p++;
    }
    assert_true(left > 0);
    assert_int_equal(most.at[0].pair_count + left, all.at[0].pair_count);
    within_result_free(&most);
    ((struct clonetype_options *)(uintptr_t)job->options)->type[CLONE_TYPE_3] = false;
    most = result_make();
    assert_true(most.at[0].pair_count == 0 && most.at[0].within.count == 100 && most.at[0].within.leads == 0);
    within_result_free(&most);
    within_result_free(&all);
    small_close(&small);
    bytes_free(&corpus);
}

static void test_memory(void **unused)
{
    struct pass  pass = { 0 };
    struct bytes corpus = { 0 };
    struct err   err = { 0 };

    (void)unused;
    corpus_make(&corpus, 13, 100);
    run_open("dissimilarity: 0.4", corpus.at);
    pass.run = &small.run;
    if (pass_add(&pass, within_collector(job), &err) < 0 || pass_stream(&pass, small.shards.count, &err) < 0)
        fail_msg("%s", err.text);
    small.run.memory = 1 << 15;
    assert_int_equal(within_join(job, &err), -ENOMEM);
    assert_non_null(strstr(err.text, "clones: functions of code need about 1 MB in memory, more than `memory`"));
    small.run.memory = 1 << 20;
    assert_int_equal(within_join(job, &err), 0);
    small.run.memory = 1 << 15;                             /* what is there needs no index, but the functions' list */
    assert_int_equal(within_join(job, &err), 0);
    small.run.memory = 1000;
    assert_int_equal(within_join(job, &err), -ENOMEM);
    small_close(&small);
    bytes_free(&corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_all), cmocka_unit_test(test_most),
                                        cmocka_unit_test(test_memory) };

    return cmocka_run_group_tests_name("clonetype/within", tests, NULL, NULL);
}
