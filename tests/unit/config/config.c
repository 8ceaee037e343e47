/* cmd/config: pipeline.yaml read, checked, printed. */
#include "config/config.h"
#include "clean/task.h"
#include "clone/task.h"
#include "dedup/task.h"
#include "generate/task.h"
#include "near/task.h"
#include "ngram/task.h"
#include "portrait/task.h"
#include "probe/task.h"
#include "repository/task.h"
#include "sensitive/task.h"
#include "view/curve.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The bound of a gate. */
static double limit(const struct config *config, const char *gate)
{
    for (size_t t = 0; t < config->task_count; t++)
        for (size_t g = 0; config->task[t].of->gates && config->task[t].of->gates[g].key; g++)
            if (strcmp(config->task[t].of->gates[g].key, gate) == 0) return config->task[t].limit[g];
    fail_msg("no gate is called %s", gate);
    return 0;
}

/* A whole configuration; the cases below differ from it by one thing each. */
static const char whole[] =
    "output: results/demo\n"                                                    /* line 1 */
    "datasets:\n"
    "  - name: codetrans\n"
    "    role: benchmark\n"
    "    language: C++\n"                                                       /* 5 */
    "    splits:\n"
    "      train: [data/train.jsonl.zst, more/*.jsonl]\n"
    "      'test set': data/test.jsonl.zst\n"
    "    fields: {text: code, id: meta.idx}\n"
    "    url: https://example.org/x\n"                                          /* 10 */
    "  - name: debian-java\n"
    "    role: corpus\n"
    "    files: /corpora/*.zst\n"
    "    self_join: exact\n"
    "    format: lines\n"                                                       /* 15 */
    "    utf8: reject\n"
    "    language: MyOwnLang\n"
    "    max_record_bytes: 1MB\n"
    "    max_ratio: 50\n"
    "near_duplicates:\n"                                                        /* 20 */
    "  view: shingles:5\n"
    "  set_threshold: 0.9\n"
    "  report_floor: 0.5\n"
    "  pairs: all\n"
    "  across_languages: true\n"                                                /* 25 */
    "graph: {store: tokens}\n"
    "fail_on: {leakage: 5, rejects: 0.1}\n"
    "compat: published\n"
    "memory: 8GiB\n";

static const char least[] =
    "datasets:\n"
    "  - {name: a, role: benchmark, files: a.jsonl}\n"
    "near_duplicates:\n";

/* As `whole`, for dedup. */
static const char dedup_whole[] =
    "datasets:\n"                                                               /* line 1 */
    "  - {name: stack, files: a.jsonl, fields: {stars: max_stars_count}}\n"
    "  - {name: java, files: b.jsonl}\n"
    "  - {name: heldout, files: c.jsonl}\n"
    "dedup:\n"                                                                  /* 5 */
    "  datasets: [heldout, stack]\n"
    "  protect: heldout\n"
    "  view: shingles:7\n"
    "  threshold: 0.75\n"
    "  multiset_threshold: 0.6\n"                                              /* 10 */
    "  containment: 0.9\n"
    "  min_tokens: 10\n"
    "  method: lsh\n"
    "  recall: 0.95\n"
    "  hashes: 256\n"                                                          /* 15 */
    "  bands: 25\n"
    "  rows: 10\n"
    "  cluster: component\n"
    "  keep: [dataset, stars, newest]\n"
    "  write: lists\n"                                                         /* 20 */
    "  pairs: star\n"
    "  bucket_cap: 50\n"
    "  zstd_level: 19\n"
    "  measure: 0\n"
    "  across_languages: true\n"                                               /* 25 */
    "  shingle_backoff: true\n"
    "fail_on: {duplicates: 30}\n";

static const char dedup_least[] =
    "datasets:\n"
    "  - {name: a, files: a.jsonl}\n"
    "  - {name: b, role: benchmark, files: b.jsonl}\n"
    "dedup:\n";

static int parse(struct config *out, const char *text, const char *set, struct err *err)
{
    *err = (struct err){ 0 };
    return config_parse(out, "p.yaml", text, strlen(text), "/base", &set, set ? 1 : 0, err);
}

static void parse_good(struct config *out, const char *text, const char *set)
{
    struct err err;

    if (parse(out, text, set, &err) < 0) fail_msg("%s", err.text);
}

static void test_whole(void **state)
{
    struct config         config;
    const struct dataset *dataset;

    (void)state;
    parse_good(&config, whole, NULL);
    assert_string_equal(config.output, "results/demo");
    assert_string_equal(config.base, "/base");
    assert_int_equal(config.dataset_count, 2);
    dataset = &config.datasets[0];
    assert_string_equal(dataset->name, "codetrans");
    assert_int_equal(dataset->role, ROLE_BENCHMARK);
    assert_string_equal(dataset->language, "cpp");          /* by its alias */
    assert_string_equal(dataset->url, "https://example.org/x");
    assert_int_equal(dataset->split_count, 2);
    assert_string_equal(dataset->splits[0].name, "train");
    assert_int_equal(dataset->splits[0].glob_count, 2);
    assert_string_equal(dataset->splits[0].globs[1], "more/*.jsonl");
    assert_string_equal(dataset->splits[1].name, "test set");
    assert_string_equal(dataset->splits[1].globs[0], "data/test.jsonl.zst");
    assert_string_equal(dataset->fields[FIELD_TEXT], "code");
    assert_string_equal(dataset->fields[FIELD_ID], "meta.idx");
    assert_null(dataset->fields[FIELD_PATH]);
    assert_false(dataset->self_join);
    assert_int_equal(dataset->max_record_bytes, 64 << 20);
    dataset = &config.datasets[1];
    assert_int_equal(dataset->role, ROLE_CORPUS);
    assert_string_equal(dataset->language, "myownlang");    /* unknown: kept, lower-cased */
    assert_string_equal(dataset->splits[0].name, "");
    assert_string_equal(dataset->splits[0].globs[0], "/corpora/*.zst");
    assert_string_equal(dataset->url, "");
    assert_true(dataset->self_join);
    assert_int_equal(dataset->format, FORMAT_LINES);
    assert_int_equal(dataset->utf8, UTF8_REJECT);
    assert_int_equal(dataset->max_record_bytes, 1000000);
    assert_int_equal(dataset->max_ratio, 50);
    assert_true(config_has(&config, &near_capability));
    assert_int_equal(near_task(&config)->options.view.kind, VIEW_SHINGLES);
    assert_int_equal(near_task(&config)->options.view.n, 5);
    assert_true(near_task(&config)->options.view.across_languages);
    assert_true(near_task(&config)->options.view.published);
    assert_true(near_task(&config)->options.set_threshold.num == 9 &&
                near_task(&config)->options.set_threshold.den == 10);
    assert_true(near_task(&config)->options.multiset_threshold.num == 7 &&
                near_task(&config)->options.multiset_threshold.den == 10);
    assert_true(near_task(&config)->options.report_floor.num == 1 && near_task(&config)->options.report_floor.den == 2);
    assert_int_equal(near_task(&config)->options.containment_threshold.den, 0);
    assert_true(near_task(&config)->options.pairs_all);
    assert_int_equal(config.store, STORE_TOKENS);
    assert_true(limit(&config, "leakage") == 5);
    assert_true(limit(&config, "rejects") > 0.099 && limit(&config, "rejects") < 0.101);
    assert_true(config.published);
    assert_true(config.memory == 8ull << 30);
    config_free(&config);
    assert_null(config.datasets);
}

static void test_least(void **state)
{
    struct config config;

    (void)state;
    parse_good(&config, least, NULL);
    assert_string_equal(config.output, "results/run");
    assert_true(config_has(&config, &near_capability));
    assert_int_equal(near_task(&config)->options.view.kind, VIEW_IDENTIFIERS);
    assert_false(near_task(&config)->options.view.across_languages);
    assert_false(near_task(&config)->options.view.published);
    assert_true(near_task(&config)->options.set_threshold.num == 4 &&
                near_task(&config)->options.set_threshold.den == 5);
    assert_int_equal(near_task(&config)->options.min_tokens, 0);            /* auto */
    assert_int_equal(near_task(&config)->options.max_matches, 10000);
    assert_false(near_task(&config)->options.pairs_all);
    assert_int_equal(config.store, STORE_TEXT);
    assert_true(limit(&config, "leakage") == -1 && limit(&config, "rejects") == -1);
    assert_int_equal(config.memory, 0);
    assert_null(config.datasets[0].language);
    config_free(&config);
}

/* across_languages at the top is the pass's default; the pass has the last word. */
static void test_across_languages(void **state)
{
    struct config config;

    (void)state;
    parse_good(&config, least, "across_languages=true");
    assert_true(near_task(&config)->options.view.across_languages);
    config_free(&config);
    parse_good(&config, whole, "near_duplicates.across_languages=false");
    assert_false(near_task(&config)->options.view.across_languages);
    config_free(&config);
}

static void test_set(void **state)
{
    const char   *sets[] = { "datasets.codetrans.language=java", "datasets.1.role=benchmark",
                             "datasets.1.self_join=off", "near_duplicates.view=lines",
                             "output=elsewhere", "datasets.0.splits.test set=[x, y]" };
    struct config config;
    struct err    err = { 0 };

    (void)state;
    if (config_parse(&config, "p.yaml", whole, strlen(whole), "", sets, sizeof sets / sizeof *sets, &err) < 0)
        fail_msg("%s", err.text);
    assert_string_equal(config.datasets[0].language, "java");
    assert_int_equal(config.datasets[1].role, ROLE_BENCHMARK);
    assert_int_equal(near_task(&config)->options.view.kind, VIEW_LINES);
    assert_string_equal(config.output, "elsewhere");
    assert_int_equal(config.datasets[0].splits[1].glob_count, 2);
    assert_string_equal(config.base, ".");
    config_free(&config);
}

static bool ratio_is(struct ratio ratio, uint32_t num, uint32_t den) { return ratio.num == num && ratio.den == den; }

static void test_dedup_whole(void **state)
{
    const struct dedup_options *o;
    struct config               config;

    (void)state;
    parse_good(&config, dedup_whole, NULL);
    o = &dedup_task(&config)->options;
    assert_true(config_has(&config, &dedup_capability));
    assert_false(config_has(&config, &near_capability));
    assert_int_equal(config.datasets[0].role, ROLE_CORPUS); /* without near_duplicates nobody asks */
    assert_string_equal(config.datasets[0].fields[FIELD_STARS], "max_stars_count");
    assert_int_equal(dedup_task(&config)->member_count, 2);
    assert_int_equal(dedup_task(&config)->member[0], 2);
    assert_int_equal(dedup_task(&config)->member[1], 0);
    assert_true(!dedup_task(&config)->protect[0] && !dedup_task(&config)->protect[1] &&
                dedup_task(&config)->protect[2]);
    assert_int_equal(o->view.kind, VIEW_SHINGLES);
    assert_int_equal(o->view.n, 7);
    assert_true(o->view.backoff && o->view.across_languages);
    assert_true(ratio_is(o->threshold, 3, 4) && ratio_is(o->multiset_threshold, 3, 5) &&
                ratio_is(o->containment, 9, 10));
    assert_int_equal(o->min_tokens, 10);
    assert_int_equal(o->method, DEDUP_LSH);
    assert_true(o->recall == 0.95);
    assert_true(o->hashes == 256 && o->bands == 25 && o->rows == 10);
    assert_int_equal(o->cluster, DEDUP_COMPONENT);
    assert_int_equal(o->keep_count, 3);
    assert_true(o->keep[0] == KEEP_DATASET && o->keep[1] == KEEP_STARS && o->keep[2] == KEEP_NEWEST);
    assert_int_equal(o->write, DEDUP_WRITE_LISTS);
    assert_false(o->pairs_all);
    assert_int_equal(o->bucket_cap, 50);
    assert_int_equal(o->zstd_level, 19);
    assert_int_equal(o->measure, 0);
    assert_true(limit(&config, "duplicates") == 30);
    config_free(&config);
    assert_null(config.task);
}

static void test_dedup_least(void **state)
{
    const struct dedup_options *o;
    struct config               config;

    (void)state;
    parse_good(&config, dedup_least, NULL);
    o = &dedup_task(&config)->options;
    assert_int_equal(dedup_task(&config)->member_count, 2);
    assert_true(dedup_task(&config)->member[0] == 0 && dedup_task(&config)->member[1] == 1);
    assert_false(dedup_task(&config)->protect[0] || dedup_task(&config)->protect[1]);
    assert_true(o->view.kind == VIEW_SHINGLES && o->view.n == 5 && !o->view.backoff && !o->view.across_languages);
    assert_true(ratio_is(o->threshold, 7, 10));
    assert_true(o->multiset_threshold.den == 0 && o->containment.den == 0);
    assert_int_equal(o->min_tokens, 1);
    assert_int_equal(o->method, DEDUP_AUTO);
    assert_true(o->recall == 0.99);
    assert_int_equal(o->hashes, 0);
    assert_true(o->bands > 0 && o->rows > 0 && o->bands * o->rows <= 512);
    assert_true(curve_candidate(0.7, o->bands, o->rows) >= 0.99);
    assert_true(o->keep_count == 2 && o->keep[0] == KEEP_LONGEST && o->keep[1] == KEEP_PATH);
    assert_true(o->cluster == DEDUP_STAR && o->write == DEDUP_WRITE_SHARDS && o->pairs_all);
    assert_true(o->bucket_cap == 1000 && o->zstd_level == 3 && o->measure == 1000);
    assert_true(limit(&config, "duplicates") == -1);
    config_free(&config);
    parse_good(&config, dedup_least, "across_languages=true");
    assert_true(dedup_task(&config)->options.view.across_languages);
    config_free(&config);
    parse_good(&config, dedup_least, "dedup.hashes=128");   /* chosen within them */
    assert_true(dedup_task(&config)->options.bands * dedup_task(&config)->options.rows <= 128 &&
                dedup_task(&config)->options.bands > 0);
    config_free(&config);
}

/* What was added later is a generation of its own, in the order of the list; printed, it reads back the same. */
static void test_dedup_added(void **state)
{
    struct config config;
    struct bytes  text = { 0 };

    (void)state;
    parse_good(&config, dedup_whole, NULL);
    assert_int_equal(dedup_task(&config)->added_count, 0);
    assert_true(config.datasets[0].added == 0 && config.datasets[2].added == 0);
    config_free(&config);
    assert_null(config.task);
    parse_good(&config, dedup_whole, "dedup={datasets: [stack, java, heldout], added: [java, heldout]}");
    assert_int_equal(dedup_task(&config)->added_count, 2);
    assert_true(config.datasets[0].added == 0 && config.datasets[1].added == 1 &&
                config.datasets[2].added == 2);
    assert_int_equal(config_print(&config, &text), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_non_null(strstr(text.at, "\n  added: [java, heldout]\n"));
    config_free(&config);
    parse_good(&config, text.at, NULL);
    assert_true(config.datasets[0].added == 0 && config.datasets[1].added == 1 &&
                config.datasets[2].added == 2);
    config_free(&config);
    bytes_free(&text);
    /* java takes no part, so it may stand anywhere */
    parse_good(&config, dedup_whole, "dedup={datasets: [stack, heldout], added: heldout}");
    assert_int_equal(config.datasets[2].added, 1);
    config_free(&config);
}

/* A tool's bands, rows and threshold, each unless it is given. */
static void test_dedup_compat(void **state)
{
    static const struct { const char *set; uint32_t bands, rows, num, den; } compat[] = {
        { "dedup={compat: datatrove}", 14, 8, 18, 25 },
        { "dedup={compat: text-dedup}", 24, 10, 7, 10 },
        { "dedup={compat: bigcode}", 25, 10, 7, 10 },
        { "dedup={compat: bigcode, threshold: 0.8}", 25, 10, 4, 5 },
        { "dedup={compat: datatrove, bands: 20, rows: 13}", 20, 13, 18, 25 },
    };
    struct config config;

    (void)state;
    for (size_t i = 0; i < sizeof compat / sizeof *compat; i++) {
        parse_good(&config, dedup_least, compat[i].set);
        assert_true(dedup_task(&config)->options.bands == compat[i].bands &&
                    dedup_task(&config)->options.rows == compat[i].rows);
        assert_true(ratio_is(dedup_task(&config)->options.threshold, compat[i].num, compat[i].den));
        assert_true(dedup_task(&config)->options.view.kind == VIEW_SHINGLES &&
                    dedup_task(&config)->options.view.n == 5);
        config_free(&config);
    }
    parse_good(&config, dedup_least, "dedup={compat: datatrove, bands: 0, rows: 0}");
    assert_true(curve_candidate(0.72, dedup_task(&config)->options.bands, dedup_task(&config)->options.rows) >= 0.99);
    config_free(&config);
}

/* ---- errors ---- */

struct bad { const char *set, *says; };                     /* set: applied to `whole` */

static void test_refused_by_set(void **state)
{
    static const struct bad bad[] = {
        { "near_duplicates.treshold=0.7",
          "--set near_duplicates.treshold: unknown key `treshold` in near_duplicates; did you mean `set_threshold`?" },
        { "near_duplicates.set_threshold=0", "set_threshold must be above 0" },
        { "near_duplicates.multiset_threshold=0.0", "multiset_threshold must be above 0" },
        { "near_duplicates.report_floor=0", "report_floor must be above 0" },
        { "near_duplicates.containment_threshold=0", "containment_threshold must be above 0" },
        { "near_duplicates.report_floor=0.9", "report_floor must be below set_threshold" },
        { "near_duplicates.set_threshold=0.4", "p.yaml:23: report_floor must be below set_threshold" },
        { "near_duplicates.set_threshold=off", "cannot be switched off" },
        { "near_duplicates.min_tokens=0", "is not a number of at least 1" },
        { "near_duplicates.view=identifers", "did you mean `identifiers`?" },
        { "near_duplicates.view=shingles:0", "--set near_duplicates.view: " },
        { "near_duplicates=off", "near_duplicates must hold keys and values" },
        { "graph.store=all", "`all` is not one of: none, text, tokens" },
        { "fail_on.leakage=200", "percentage" },
        { "fail_on.leakge=2", "did you mean `leakage`?" },
        { "compat=publishd", "`publishd` is not one of" },
        { "memory=lots", "is not a size" },
        { "output=", "output has no value" },
        { "datasets=[]", "datasets must be a list" },
        { "datasets={a: 1}", "datasets must be a list" },
        { "datasets=[a]", "datasets.0 must hold keys and values" },
        { "datasets.0.name=a b", "is not 1 to 200 letters" },
        { "datasets.0.name=", "name has no value" },
        { "datasets.1.name=codetrans", "two datasets are called `codetrans`" },
        { "datasets.0.role=both", "`both` is not one of: benchmark, corpus" },
        { "datasets.0.self_join=exact", "self_join is for a corpus" },
        { "datasets.0.files=x", "p.yaml:3: datasets.codetrans: either `splits` or `files`, not both" },
        { "datasets.0.splits=x", "`splits` must be a map" },
        { "datasets.0.splits={}", "`splits` must be a map" },
        { "datasets.0.splits.train=[]", "`train` must be a path, a glob or a list" },
        { "datasets.0.splits.train=", "`train` must be a path, a glob or a list" },
        { "datasets.0.splits.train={a: b}", "`train` must be a path, a glob or a list" },
        { "datasets.0.splits.train=[a, []]", "each file must be one path" },
        { "datasets.0.splits.train=[a, '']", "each file must be one path" },
        { "datasets.0.fields.txt=code", "unknown key `txt` in datasets.codetrans.fields; did you mean `text`?" },
        { "datasets.0.fields.text=a..b", "text: `a..b` is not a field name" },
        { "datasets.0.fields.text=.a", "is not a field name" },
        { "datasets.0.fields.text=a.", "is not a field name" },
        { "datasets.0.fields=text", "datasets.codetrans.fields must hold keys and values" },
        { "datasets.0.language=abcdefghijklmnopqrstuvwxyzabcdef", "language: " },
        { "datasets.0.max_record_bytes=10GB", "is not a size from 1024 to 268435456" },
        { "datasets.0.max_ratio=0", "is not a number of at least 1" },
        { "datasets.0.format=csv", "is not one of: auto, lines" },
        { "datasets.0.utf8=drop", "is not one of: keep, repair, reject" },
        { "datasets.7.name=x", "`datasets` has no item `7`" },
        { "dataset.0.name=x", "unknown key `dataset`; did you mean `datasets`?" },
        { "no assignment", "must be key=value" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config config;
        struct err    err;

        if (parse(&config, whole, bad[i].set, &err) != -EINVAL) fail_msg("%s is accepted", bad[i].set);
        if (!strstr(err.text, bad[i].says)) fail_msg("%s says: %s", bad[i].set, err.text);
        assert_null(config.datasets);
        assert_null(config.output);
    }
}

static void test_dedup_refused(void **state)
{
    static const struct bad bad[] = {
        { "dedup.treshold=0.7", "--set dedup.treshold: unknown key `treshold` in dedup; did you mean `threshold`?" },
        { "dedup=off", "dedup must hold keys and values" },
        { "dedup.threshold=0", "threshold must be above 0" },
        { "dedup.threshold=off", "cannot be switched off" },
        { "dedup.multiset_threshold=0", "multiset_threshold must be above 0" },
        { "dedup.containment=0.0", "containment must be above 0" },
        { "dedup.recall=0.49", "recall must be from 0.5 to 0.9999" },
        { "dedup.recall=1", "recall must be from 0.5 to 0.9999" },
        { "dedup.min_tokens=0", "is not a number of at least 1" },
        { "dedup.view=shingels:5", "did you mean `shingles:5`?" },
        { "dedup.view=lines", "p.yaml:26: shingle_backoff is for the view shingles:N" },
        { "dedup.method=fast", "`fast` is not one of: auto, lsh, exact" },
        { "dedup.hashes=513", "is not a number from 0 to 512" },
        { "dedup.hashes=249", "p.yaml:16: 25 bands of 10 rows need 250 hashes, more than hashes: 249" },
        { "dedup.rows=0", "p.yaml:16: bands and rows are given together or not at all" },
        { "dedup.bands=0", "p.yaml:17: bands and rows are given together" },
        { "dedup.cluster=chain", "is not one of: star, component" },
        { "dedup.write=files", "is not one of: shards, lists, none" },
        { "dedup.keep=[longest, longest]", "keep: `longest` is there twice" },
        { "dedup.keep=[longst]",
          "keep: `longst` is not one of: dataset, longest, stars, newest, path; did you mean `longest`?" },
        { "dedup.keep=[]", "keep names at least one of" },
        { "dedup.keep=[[a]]", "keep must be a list of names" },
        { "dedup.keep={a: b}", "keep must be a list of names" },
        { "dedup.datasets=[stak]",
          "--set dedup.datasets: datasets: no dataset is called `stak`; did you mean `stack`?" },
        { "dedup.datasets=[stack, java, stack]", "datasets: `stack` is there twice" },
        { "dedup.datasets=[]", "datasets names at least one" },
        { "dedup.datasets=", "datasets must be a list of names" },
        { "dedup.protect=java", "protect: `java` is not among dedup.datasets" },
        { "dedup.protect=nobody", "protect: no dataset is called `nobody`" },
        { "dedup.added=[java]", "added: `java` is not among dedup.datasets" },
        { "dedup.added=[heldout, stack]", "added: all of dedup.datasets are" },
        { "dedup.added=[heldout]", "added: in dedup.datasets, `stack` must stand before what was added after it" },
        { "dedup.added=[stack]",
          "added: in `datasets`, `stack` must be listed after `heldout`, which was there before it" },
        { "dedup={datasets: [java, stack, heldout], added: [stack, heldout]}",
          "added: in `datasets`, `stack` must be listed after `java`" },
        { "dedup={datasets: [stack, java, heldout], added: [heldout, java]}",
          "added: in dedup.datasets, `heldout` must stand before" },
        { "dedup={datasets: [stack, java, heldout], added: [heldout, heldout]}", "added: `heldout` is there twice" },
        { "dedup.added=[haldout]", "did you mean `heldout`?" },
        { "dedup.bucket_cap=1", "is not a number of at least 2" },
        { "dedup.zstd_level=20", "is not a number from 1 to 19" },
        { "dedup.compat=datatrov", "is not one of: none, datatrove, text-dedup, bigcode" },
        { "fail_on.leakage=5", "leakage needs near_duplicates, which is not there" },
        { "near_duplicates={}", "p.yaml:2: datasets.stack: `role` is missing" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config config;
        struct err    err;

        if (parse(&config, dedup_whole, bad[i].set, &err) != -EINVAL) fail_msg("%s is accepted", bad[i].set);
        if (!strstr(err.text, bad[i].says)) fail_msg("%s says: %s", bad[i].set, err.text);
        assert_null(config.task);
        assert_null(config.task);
    }
}

static void test_refused_by_line(void **state)
{
    static const struct bad bad[] = {
        { "", "p.yaml: `datasets` is missing" },
        { "datasets:\n  - {name: a, role: benchmark, files: x}\n", "near_duplicates turns the near-duplicate join on" },
        { "near_duplicates:\n", "p.yaml: `datasets` is missing" },
        { "datasets:\n  - {name: a, role: corpus, files: x}\nnear_duplicates: {}\n", "p.yaml:1: nothing to compare" },
        { "datasets:\n  - role: corpus\nnear_duplicates: {}\n", "p.yaml:2: datasets.0: `name` is missing" },
        { "datasets:\n  - name: a\nnear_duplicates: {}\n", "p.yaml:2: datasets.a: `role` is missing" },
        { "datasets:\n  - {name: a, role: corpus}\nnear_duplicates: {}\n",
          "p.yaml:2: datasets.a: `files` or `splits` is missing" },
        { "datasets:\n  - {name: a, role: corpus, files: x, spilts: y}\nnear_duplicates: {}\n",
          "p.yaml:2: unknown key `spilts` in datasets.a; did you mean `splits`?" },
        { "outptu: x\n", "p.yaml:1: unknown key `outptu`; did you mean `output`?" },
        { "near_duplicates:\n  view: shingles\ndatasets:\n  - {name: a, files: x, role: corpus}\n",
          "p.yaml:2: unknown view `shingles`" },
        { "datasets:\n  - {name: a, files: x}\ndedup:\n  keep: [path,\n    '']\n",
          "p.yaml:5: keep must be a list of names" },
        { "datasets:\n  - {name: a, files: x}\ndedup:\n  view: identifiers\n  recall: 0.9999\n  hashes: 4\n",
          "p.yaml:5: " },
        { "datasets:\n  - {name: a, role: benchmark, files: x}\nnear_duplicates:\nfail_on:\n  duplicates: 4\n",
          "p.yaml:5: duplicates needs dedup, which is not there" },
        { "near_duplicates:\n  set_threshold: 8\ndatasets:\n  - {name: a, files: x, role: corpus}\n",
          "p.yaml:2: set_threshold: `8` is not a fraction" },
        { "- a\n", "p.yaml:1: the file must hold keys and values" },
        { "output: ''\n", "p.yaml:1: output: an empty path" },
        { "a: [\n", "p.yaml:2: not valid YAML" },
        { "datasets:\n  - {name: a, role: corpus, files: [x,\n    '']}\nnear_duplicates:\n",
          "p.yaml:3: each file must be" },
        { "datasets:\n  - {name: b, role: corpus, files: x}\n  - {name: a, role: corpus, files: x}\n  - {name: b, "
          "role: corpus, files: x}\nnear_duplicates:\n",
          "p.yaml:4: two datasets are called `b`" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct config config;
        struct err    err;

        if (parse(&config, bad[i].set, NULL, &err) != -EINVAL) fail_msg("case %zu is accepted", i);
        if (!strstr(err.text, bad[i].says)) fail_msg("case %zu says: %s", i, err.text);
        assert_null(config.datasets);
    }
}

/* ---- printing ---- */

static void test_print(void **state)
{
    static const char *const text[] = { whole, least, dedup_whole, dedup_least };

    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        struct config config, again;
        struct bytes  first = { 0 }, second = { 0 };

        parse_good(&config, text[i], "datasets.0.url=a \"quoted\" # text");
        assert_int_equal(config_print(&config, &first), 0);
        assert_int_equal(bytes_append(&first, "", 1), 0);
        parse_good(&again, first.at, NULL);                 /* the resolved file is a configuration */
        assert_int_equal(config_print(&again, &second), 0);
        assert_int_equal(bytes_append(&second, "", 1), 0);
        assert_string_equal(first.at, second.at);
        assert_string_equal(again.datasets[0].url, "a \"quoted\" # text");
        assert_non_null(strstr(first.at, i == 0 ? "  min_tokens: 20\n" : i == 1 ? "  min_tokens: auto\n"
                                                          : "  bucket_cap: "));
        assert_non_null(strstr(first.at, "  - name: "));
        for (size_t d = 0; d < again.dataset_count; d++)    /* files are found from any folder */
            for (size_t g = 0; g < again.datasets[d].splits[0].glob_count; g++)
                assert_int_equal(again.datasets[d].splits[0].globs[g][0], '/');
        bytes_free(&first);
        bytes_free(&second);
        config_free(&config);
        config_free(&again);
    }
}

static void test_help(void **state)
{
    static const char *const keys[] = { "output", "memory", "compat", "datasets", "max_ratio", "splits", "fields",
                                        "tokens", "set_threshold", "store", "leakage",
                                        "stars", "date", "bands", "shingle_backoff", "protect", "text-dedup",
                                            "duplicates" };
    struct bytes out = { 0 };

    (void)state;
    assert_int_equal(config_help(&out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) assert_non_null(strstr(out.at, keys[i]));
    for (const char *line = out.at; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 100);
    bytes_free(&out);
}

static void test_file(void **state)
{
    char          folder[] = "/tmp/test_config.XXXXXX", path[64];
    struct config config;
    struct err    err = { 0 };
    FILE         *file;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.yaml", folder);
    assert_int_equal(config_read(&config, path, NULL, 0, &err), -EINVAL);
    assert_non_null(strstr(err.text, "there is no such file; `leakgraph help config` tells what it may say"));
    assert_non_null(strstr(err.text, path));
    assert_non_null(file = fopen(path, "w"));
    assert_true(fputs(least, file) >= 0);
    fclose(file);
    assert_int_equal(config_read(&config, path, NULL, 0, &err), 0);
    assert_string_equal(config.base, folder);               /* where relative globs start */
    config_free(&config);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(config_read(&config, "p.yaml", NULL, 0, &err), 0);
    assert_string_equal(config.base, ".");
    config_free(&config);
    unlink(path);
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),           cmocka_unit_test(test_least),
                      cmocka_unit_test(test_across_languages), cmocka_unit_test(test_set),
        cmocka_unit_test(test_refused_by_set),  cmocka_unit_test(test_refused_by_line), cmocka_unit_test(test_print),
                       cmocka_unit_test(test_help),
        cmocka_unit_test(test_file),            cmocka_unit_test(test_dedup_whole),
                cmocka_unit_test(test_dedup_least),      cmocka_unit_test(test_dedup_compat),
        cmocka_unit_test(test_dedup_added),     cmocka_unit_test(test_dedup_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
