/* tests/unit/clean/subsets.c -- two subsets that differ in the duplicates alone: which documents, in which order. */
#include "tests/unit/clean/world.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { DOCUMENTS = 40 };

static struct world w;
static char         text[DOCUMENTS][16];

/* The corpus has 40 documents, of which every third is of Python. */
static bool is_python(int d) { return d % 3 == 0; }

static void start(void)
{
    struct bytes shard = { 0 }, sql = { 0 };

    world_open(&w, "sensitive: {kinds: key}\n");
    counts_free(&w.counts);
    small_stop(&w.r);
    for (int d = 0; d < DOCUMENTS; d++) {
        struct content_hash hash;

        snprintf(text[d], sizeof text[d], "t%d", d);
        hash = content_hash_raw(slice_of(text[d]));
        assert_int_equal(bytes_printf(&shard, "{\"text\": \"%s\", \"language\": \"%s\"}\n", text[d],
                                      is_python(d) ? "python" : "java"), 0);
        assert_int_equal(bytes_printf(&sql, "INSERT INTO snippets (id, snippet, dataset, language, tokens, "
                                      "id_within_dataset, shard, record, matches, features, distinct_features, "
                                      "admitted, xxh128) VALUES (%d, '', 'c', '', '[]', 0, 'c.jsonl', %d, 0, 0, 0, "
                                      "1, '%016llx%016llx');", 10 + d, d, (unsigned long long)hash.high,
                                      (unsigned long long)hash.low), 0);
    }
    assert_int_equal(bytes_append(&shard, "", 1), 0);
    assert_int_equal(bytes_append(&sql, "", 1), 0);
    small_write(&w.r, "c.jsonl", shard.at);
    made_run(&w.g, "DELETE FROM snippets WHERE dataset = 'c'");
    made_run(&w.g, sql.at);
    bytes_free(&shard);
    bytes_free(&sql);
    small_start(&w.r, "datasets:\n  - {name: a, role: benchmark, splits: {train: a1.jsonl, test: a2.jsonl}}\n"
                "  - {name: c, role: corpus, files: c.jsonl}\nsensitive: {kinds: key}\n");
    w.r.run.draft = w.g.path;
    world_count(&w);
    w.member[0] = false, w.member[1] = true;
    w.output.drop = CLEAN_SUBSETS;
    w.output.seed = 7;
}

static void stop(void) { world_close(&w); }

static int draw(struct clean_shards *leaky, struct clean_shards *nonleaky, struct err *err)
{
    *leaky = *nonleaky = (struct clean_shards){ .job = &w.job, .output = &w.output, .action = CLEAN_TAKE };
    *err = (struct err){ 0 };
    return subsets_draw(leaky, nonleaky, err);
}

/* ---- the obvious program ---- */

static uint64_t key_of(int d)
{
    const struct content_hash hash = content_hash_raw(slice_of(text[d]));
    unsigned char             bytes[24];

    for (size_t i = 0; i < 8; i++) {                        /* id_within_dataset, low word, high word */
        bytes[i] = (unsigned char)((uint64_t)d >> 8 * i);
        bytes[8 + i] = (unsigned char)(hash.low >> 8 * i);
        bytes[16 + i] = (unsigned char)(hash.high >> 8 * i);
    }
    return XXH3_64bits_withSeed(bytes, sizeof bytes, w.output.seed);
}

/* part[d]: what becomes of each, of which `duplicate` are duplicates. */
static void expected(const bool *duplicate, const char *const names[3], const char *part[DOCUMENTS])
{
    for (int python = 0; python < 2; python++) {
        uint64_t wanted = w.output.base, taken = 0;

        for (int d = 0; d < DOCUMENTS; d++) {
            if (is_python(d) != python) continue;
            wanted += duplicate[d];
            part[d] = duplicate[d] ? names[2] : NULL;
        }
        for (; taken < wanted; taken++) {
            int best = -1;

            for (int d = 0; d < DOCUMENTS; d++)
                if (is_python(d) == python && !duplicate[d] && !part[d] && (best < 0 || key_of(d) < key_of(best)))
                    best = d;
            part[best] = taken < w.output.base ? names[0] : names[1];
        }
    }
}

static void compare(const struct clean_shards *shards, const char *const part[DOCUMENTS], const char *left_out)
{
    struct bytes all = { 0 };

    for (int d = 0; d < DOCUMENTS; d++)
        if (part[d] && strcmp(part[d], left_out) != 0)
            assert_int_equal(bytes_printf(&all, "%s2:%d %s", all.len ? ", " : "", d, part[d]), 0);
    assert_int_equal(bytes_append(&all, "", 1), 0);
    assert_choices(&shards->choices, all.at);
    bytes_free(&all);
}

static void test_draw(void **unused)
{
    static const char *const names[] = { "base", "replacement", "duplicate" };
    static const int         duplicates[] = { 0, 1, 5, 7, 39 };
    struct clean_shards      leaky, nonleaky;
    bool                     duplicate[DOCUMENTS] = { false };
    const char              *part[DOCUMENTS];
    struct err               err;

    (void)unused;
    start();
    for (size_t i = 0; i < 5; i++) {
        char sql[128];

        duplicate[duplicates[i]] = true;
        snprintf(sql, sizeof sql, "INSERT INTO edges VALUES ('near', 1, %d, 'near', 1, 1, 1, 1, 1, 1, 1, 1)",
                 10 + duplicates[i]);
        made_run(&w.g, sql);
    }
    for (uint64_t seed = 0; seed < 3; seed++)
        for (w.output.seed = seed, w.output.base = 1; w.output.base <= 8; w.output.base++) {
            const struct clean_choice *choice;

            if (draw(&leaky, &nonleaky, &err) < 0) fail_msg("%s", err.text);
            expected(duplicate, names, part);
            compare(&leaky, part, "replacement");
            compare(&nonleaky, part, "duplicate");
            assert_int_equal(leaky.choices.choice.len, nonleaky.choices.choice.len);
            choice = (const void *)leaky.choices.choice.at;
            assert_true(choice[0].hash.low == content_hash_raw(SLICE("t0")).low);
            shards_free(&leaky);
            shards_free(&nonleaky);
        }
    stop();
}

/* As many as there are may be drawn, one more may not; the message says how many. */
static void test_too_few(void **unused)
{
    struct clean_shards leaky, nonleaky;
    struct err          err;

    (void)unused;
    start();
    made_run(&w.g, "INSERT INTO edges SELECT 'near', 1, id, 'exact', 1, 1, 1, 1, 1, 1, 1, 1 FROM snippets WHERE "
                   "dataset = 'c' AND record IN (0, 3, 6)");            /* of 14 of Python */
    w.output.base = 8;
    assert_int_equal(draw(&leaky, &nonleaky, &err), 0);
    shards_free(&leaky);
    shards_free(&nonleaky);
    w.output.base = 9;
    assert_int_equal(draw(&leaky, &nonleaky, &err), -EINVAL);
    assert_string_equal(err.text, "python: 11 documents have no duplicates, and base (9) with as many more as there "
                                  "are duplicates (3) needs 12: a base of at most 8 can be drawn");
    shards_free(&leaky);
    shards_free(&nonleaky);
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_draw), cmocka_unit_test(test_too_few) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
