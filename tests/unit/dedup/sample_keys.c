/* tests/unit/dedup/sample_keys.c -- records and pairs that a sample promises, against those of the run itself. */
#include "dedup/sample_keys.h"
#include "tests/unit/dedup/world.h"

static const char *const files[3] = {
    "{\"text\": \"p q r s\"}\n{\"text\": \"q r s t\"}\n{\"text\": \"s r q p\"}\n{\"text\": \"p q r s\"}\n",
    "{\"text\": \"r s t u\"}\n", "{\"text\": \"\"}\n" };

static void look(const char *settings, struct sample_keys *keys, struct sampled *sample, struct world *w)
{
    static const bool     wanted[] = { true, true, true };
    struct sample_options options = { .dataset_count = 3, .wanted = wanted, .share = 1 };
    struct err            err = { 0 };

    world_open(w, settings, files);
    options.datasets = w->r.config.datasets, options.shards = &w->r.shards;
    options.view = &w->job.options->view, options.min_tokens = w->job.options->min_tokens;
    options.watcher = &keys->watcher;
    if (sample_keys_open(keys, w->job.options, sample, 3, &err) < 0 || sample_read(&options, sample, &err) < 0 ||
        sample_keys_pair(keys, &err) < 0) fail_msg("%s", err.text);
}

static void test_whole(void **unused)
{
    struct sample_keys keys;
    struct sampled     sample;
    struct world       w;

    (void)unused;
    look(", write: shards", &keys, &sample, &w);
    assert_int_equal(sample.dataset[0].documents, 4);
    assert_int_equal(sample.dataset[0].copies, 1);
    assert_int_equal(keys.dataset[0].repeats, 2);           /* the copy, and the same words in another order */
    assert_int_equal(keys.dataset[0].repeated_bytes, 14);
    assert_true(keys.dataset[0].prefix_documents == 2 && keys.dataset[1].prefix_documents == 1);
    /* 4 - ceil(0.5 * 4) + 1 of each class; all is compared exactly, so there are no bands */
    assert_true(keys.dataset[0].records_prefix == 6 && keys.dataset[1].records_prefix == 3);
    assert_int_equal(keys.dataset[0].records_lsh + keys.dataset[0].band_documents, 0);
    assert_true(keys.pairs >= 2 && keys.pairs <= 3);        /* the similar ones, and at most all */
    assert_true(keys.packed_from > 0 && keys.packed_to > 0);

    world_links(&w);                                        /* the run has as many records */
    assert_int_equal(w.job.stats.records_prefix, 9);
    sample_keys_free(&keys);
    sample_free(&sample);
    world_close(&w);
}

static void test_bands(void **unused)
{
    struct sample_keys keys;
    struct sampled     sample;
    struct world       w;

    (void)unused;
    /* up to 8 features an estimate says nothing: prefixes, whatever the method */
    look(", method: lsh, bands: 10, rows: 2", &keys, &sample, &w);
    assert_int_equal(keys.dataset[0].records_lsh, 0);
    assert_int_equal(keys.dataset[0].records_prefix, 6);
    assert_int_equal(keys.packed_from, 0);                  /* nothing will be written */
    sample_keys_free(&keys);
    sample_free(&sample);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_whole), cmocka_unit_test(test_bands) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
