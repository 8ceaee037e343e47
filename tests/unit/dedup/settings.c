/* tests/unit/dedup/settings.c -- the section read, printed and read again; what is refused. */
#include "dedup/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS \
    "datasets:\n  - {name: one, files: a.jsonl}\n  - {name: two, files: b.jsonl}\n  - {name: three, files: c.jsonl}\n"

static bool is(struct ratio ratio, uint64_t num, uint64_t den) { return ratio.num * den == ratio.den * num; }

static void test_keys(void **unused)
{
    const struct dedup_task    *task;
    const struct dedup_options *o;
    struct config               config;

    (void)unused;
    settings_again(&config, DATASETS "dedup: {view: 'shingles:7', threshold: 0.75, multiset_threshold: 0.6, "
                   "containment: 0.9, min_tokens: 10, shingle_backoff: true, across_languages: true, method: lsh, "
                   "recall: 0.95, hashes: 256, bands: 25, rows: 10, cluster: component, write: lists, pairs: star, "
                   "bucket_cap: 2, zstd_level: 19, measure: 0, keep: [dataset, stars, newest, path, longest], "
                   "datasets: [one, three], protect: one, added: three}\n");
    task = dedup_task(&config);
    o = &task->options;
    assert_true(o->view.kind == VIEW_SHINGLES && o->view.n == 7 && o->view.backoff && o->view.across_languages);
    assert_true(is(o->threshold, 3, 4) && is(o->multiset_threshold, 3, 5) && is(o->containment, 9, 10));
    assert_true(o->min_tokens == 10 && o->method == DEDUP_LSH && o->recall == 0.95 && o->hashes == 256 &&
                o->bands == 25 && o->rows == 10 && o->cluster == DEDUP_COMPONENT && o->write == DEDUP_WRITE_LISTS &&
                !o->pairs_all && o->bucket_cap == 2 && o->zstd_level == 19 && o->measure == 0);
    assert_int_equal(o->keep_count, 5);
    assert_true(o->keep[0] == KEEP_DATASET && o->keep[1] == KEEP_STARS && o->keep[2] == KEEP_NEWEST &&
                o->keep[3] == KEEP_PATH && o->keep[4] == KEEP_LONGEST);
    assert_true(task->member_count == 2 && task->member[0] == 0 && task->member[1] == 2);
    assert_true(task->protect[0] && !task->protect[1] && !task->protect[2]);
    assert_true(task->added_count == 1 && config.datasets[0].added == 0 && config.datasets[2].added == 1);
    config_free(&config);
}

static void test_defaults(void **unused)
{
    const struct dedup_options *o;
    struct config               config;

    (void)unused;
    settings_again(&config, DATASETS "dedup:\n");
    o = &dedup_task(&config)->options;
    assert_true(o->view.kind == VIEW_SHINGLES && o->view.n == 5 && !o->view.backoff && !o->view.across_languages);
    assert_true(is(o->threshold, 7, 10) && !o->multiset_threshold.den && !o->containment.den && o->min_tokens == 1 &&
                o->method == DEDUP_AUTO && o->recall == 0.99 && o->bands > 1 && o->rows > 1 &&
                o->cluster == DEDUP_STAR && o->write == DEDUP_WRITE_SHARDS && o->pairs_all && o->bucket_cap == 1000 &&
                o->zstd_level == 3 && o->measure == 1000);
    assert_true(o->keep_count == 2 && o->keep[0] == KEEP_LONGEST && o->keep[1] == KEEP_PATH);
    assert_int_equal(dedup_task(&config)->member_count, 3);
    config_free(&config);
    settings_again(&config, DATASETS "dedup: {method: exact}\n");
    assert_true(dedup_task(&config)->options.bands == 1 && dedup_task(&config)->options.rows == 1);
    config_free(&config);
    /* a tool's numbers, unless they are given */
    settings_again(&config, DATASETS "dedup: {compat: datatrove}\n");
    o = &dedup_task(&config)->options;
    assert_true(o->bands == 14 && o->rows == 8 && is(o->threshold, 18, 25) && o->cluster == DEDUP_COMPONENT);
    config_free(&config);
    settings_again(&config, DATASETS "dedup: {compat: bigcode, threshold: 0.8}\n");
    o = &dedup_task(&config)->options;
    assert_true(o->bands == 25 && o->rows == 10 && is(o->threshold, 4, 5) && o->cluster == DEDUP_COMPONENT);
    config_free(&config);
    settings_again(&config, DATASETS "dedup: {compat: text-dedup, bands: 9, rows: 9}\n");
    assert_true(dedup_task(&config)->options.cluster == DEDUP_COMPONENT);
    config_free(&config);
    settings_again(&config, DATASETS "dedup: {compat: text-dedup, cluster: star}\n");
    assert_true(dedup_task(&config)->options.cluster == DEDUP_STAR);
    config_free(&config);
    assert_true(slice_equal(dedup_word("method", DEDUP_EXACT), SLICE("exact")));
    assert_true(slice_equal(dedup_word("keep", KEEP_STARS), SLICE("stars")));
    assert_true(slice_equal(dedup_word("cluster", DEDUP_STAR), SLICE("star")));
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "dedup:\n  treshold: 1\n", "p.yaml:6: unknown key `treshold` in dedup; did you mean `threshold`?" },
        { "dedup:\n  threshold: 0\n", "p.yaml:6: threshold must be above 0" },
        { "dedup:\n  containment: 0\n", "p.yaml:6: containment must be above 0" },
        { "dedup:\n  recall: 0.49\n", "p.yaml:6: recall must be from 0.5 to 0.9999; `method: exact` misses nothing" },
        { "dedup:\n  view: lines\n  shingle_backoff: true\n",
          "p.yaml:7: shingle_backoff is for the view shingles:N" },
        { "dedup:\n  bands: 3\n", "p.yaml:6: bands and rows are given together or not at all" },
        { "dedup:\n  rows: 3\n", "p.yaml:6: bands and rows are given together or not at all" },
        { "dedup:\n  hashes: 10\n  bands: 3\n  rows: 4\n",
          "p.yaml:7: 3 bands of 4 rows need 12 hashes, more than hashes: 10" },
        { "dedup:\n  keep: []\n", "p.yaml:6: keep names at least one of: dataset, longest, stars, newest, path" },
        { "dedup:\n  keep: [star]\n",
          "p.yaml:6: keep: `star` is not one of: dataset, longest, stars, newest, path; did you mean `stars`?" },
        { "dedup:\n  keep: [path, path]\n", "p.yaml:6: keep: `path` is there twice" },
        { "dedup:\n  datasets: []\n", "p.yaml:6: datasets names at least one; without the key it is all of them" },
        { "dedup:\n  datasets: [one, thre]\n",
          "p.yaml:6: datasets: no dataset is called `thre`; did you mean `three`?" },
        { "dedup:\n  datasets: [one, one]\n", "p.yaml:6: datasets: `one` is there twice" },
        { "dedup:\n  datasets: [one, two]\n  protect: three\n",
          "p.yaml:7: protect: `three` is not among dedup.datasets" },
        { "dedup:\n  added: [one, two, three]\n",
          "p.yaml:6: added: all of dedup.datasets are; what was there first is not named" },
        { "dedup:\n  added: [two, two]\n", "p.yaml:6: added: `two` is there twice" },
        { "dedup:\n  datasets: [two, one]\n  added: [two]\n",
          "p.yaml:7: added: in dedup.datasets, `one` must stand before what was added after it" },
        { "dedup:\n  datasets: [two, one]\n  added: [one]\n",
          "p.yaml:7: added: in `datasets`, `one` must be listed after `two`, which was there before it" },
        { "dedup:\n  bucket_cap: 1\n", "p.yaml:6: bucket_cap: `1` is not a number of at least 2" },
    };
    static const char *const keys[] = { "datasets", "protect", "added", "keep", "view", "threshold", "containment",
                                        "min_tokens", "method", "recall", "bands", "cluster", "write", "pairs",
                                        "bucket_cap", "measure", "compat", NULL };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_helped(dedup_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_defaults),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
