/* tests/unit/clean/settings.c -- the list of outputs read, printed and read again; what is refused. */
#include "clean/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS \
    "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n  - {name: b, role: benchmark, files: b.jsonl}\n" \
    "  - {name: c, role: corpus, files: c.jsonl}\n"

static void test_keys(void **unused)
{
    const struct clean_output *o;
    struct clean_columns       columns;
    struct config              config;
    uint64_t                   asked = 0;

    (void)unused;
    settings_again(&config, DATASETS "near_duplicates:\nline_clones:\nngrams:\nclean:\n"
                   "  - {name: A-z_0, dataset: b, where: \"near or clone > 3\", level: 19}\n"
                   "  - {name: all, where: matches}\n"
                   "  - {name: docs, drop: documents, where: exact}\n"
                   "  - {name: lines, drop: spans, dataset: c, where: clone}\n"
                   "  - {name: half, subsets: c, base: 1000000000000, against: b, transitive: true, seed: 5}\n");
    o = clean_task(&config)->at;
    assert_int_equal(clean_task(&config)->count, 5);
    assert_true(o->drop == CLEAN_ITEMS && o->level == 19 && !o->member[0] && o->member[1] && !o->member[2]);
    assert_string_equal(o->name, "A-z_0");
    assert_string_equal(o->where, "near or clone > 3");
    clean_columns_list(&columns, &config);
    for (size_t c = 0; c < columns.count; c++)
        if (strcmp(columns.name[c], "near") == 0 || strcmp(columns.name[c], "clone") == 0) asked |= 1ull << c;
    assert_true(rule_columns(o->rule) == asked);
    assert_true(o[1].member[0] && o[1].member[1] && !o[1].member[2] && o[1].level == 3);
    assert_true(o[2].drop == CLEAN_DOCUMENTS && !o[2].member[0] && !o[2].member[1] && o[2].member[2]);
    assert_true(o[3].drop == CLEAN_SPANS && !o[3].member[0] && o[3].member[2]);
    assert_true(o[4].drop == CLEAN_SUBSETS && o[4].base == 1000000000000 && o[4].transitive && o[4].seed == 5 &&
                !o[4].rule && o[4].member[2] && !o[4].member[0]);
    assert_string_equal(o[4].against, "b");
    config_free(&config);
    settings_again(&config, DATASETS "near_duplicates:\nclean: [{name: x, subsets: a, base: 1}]\n");
    o = clean_task(&config)->at;
    assert_true(o->seed == 123 && !o->transitive && !*o->against && o->member[0]);
    config_free(&config);
}

#define NEAR   "near_duplicates:\nclean:\n"
#define CLONES "line_clones:\nclean:\n"

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { NEAR, "p.yaml:6: clean must be a list of outputs, as - {name: strict, drop: items, where: near}" },
        { NEAR "  - x\n", "p.yaml:7: each output is a map, as {name: strict, drop: items, where: near}" },
        { NEAR "  - {name: a b, where: near}\n",
          "p.yaml:7: name: must be letters, digits, `_` and `-`, at most 200" },
        { NEAR "  - {name: x, where: near}\n  - {name: x, where: near}\n", "p.yaml:8: name: `x` is there twice" },
        { NEAR "  - {name: x, where: near, dataset: d}\n", "p.yaml:7: dataset: no dataset is called `d`" },
        { NEAR "  - {name: x, where: near, dataset: c}\n",
          "p.yaml:7: dataset: `c` is no benchmark, of which `drop: items` is" },
        { NEAR "  - {name: x, where: near, dataset: a, drop: documents}\n",
          "p.yaml:7: dataset: `a` is no corpus, of which `drop: documents` is" },
        { NEAR "  - {name: x, where: clone, drop: spans}\n",
          "p.yaml:7: dataset: must say of which dataset spans are dropped" },
        { NEAR "  - {name: x, where: clone}\n", "p.yaml:7: where: `clone` needs line_clones" },
        { "near_duplicates: {containment_threshold: off}\nclean:\n  - {name: x, where: contained}\n",
          "p.yaml:7: where: `contained` needs near_duplicates.containment_threshold" },
        { NEAR "  - {name: x, where: gpt3_13gram}\n", "p.yaml:7: where: `gpt3_13gram` needs ngrams with 13 in its n" },
        { NEAR "  - {name: x, where: palm_8gram}\n", "p.yaml:7: where: `palm_8gram` needs ngrams with 8 in its n" },
        { "ngrams: {unit: tokens}\nclean:\n  - {name: x, where: windows50}\n",
          "p.yaml:7: where: `windows50` needs ngrams with `unit: words`" },
        { CLONES "  - {name: x, where: near}\n", "p.yaml:7: where: `near` needs near_duplicates" },
        { CLONES "  - {name: x, where: idf_weighted}\n", "p.yaml:7: where: `idf_weighted` needs ngrams" },
        { NEAR "  - {name: x, where: idf_weighted, drop: documents}\n",
          "p.yaml:7: where: `idf_weighted` is known of benchmark items only" },
        { NEAR "  - {name: x, where: not near, drop: documents}\n",
          "p.yaml:7: where: is true of documents in which nothing was found, which graph.db does not have: say what "
          "must have been found in those that are dropped" },
        { CLONES "  - {name: x, where: matches, drop: spans, dataset: c}\n",
          "p.yaml:7: where: `matches`: spans of a corpus are found while it is written, by `clone` alone" },
        { CLONES "  - {name: x, where: clone < 5, drop: spans, dataset: c}\n",
          "p.yaml:7: where: is true of documents in which nothing was found: say what must have been found in those "
          "that are dropped" },
        { "line_clones: {self: true}\nclean:\n  - {name: x, where: clone, drop: spans, dataset: a}\n",
          "p.yaml:7: drop: spans are shared with corpora, which line_clones does not read with `self: true`" },
        { NEAR "  - {name: x, where: matches, drop: spans, dataset: a}\n",
          "p.yaml:7: drop: spans are the lines of blocks, which line_clones finds" },
        { NEAR "  - {name: x, where: near, base: 3}\n", "p.yaml:7: base: is for subsets" },
        { NEAR "  - {name: x, where: near, against: a}\n", "p.yaml:7: against: is for subsets" },
        { NEAR "  - {name: x, where: near, transitive: true}\n", "p.yaml:7: transitive: is for subsets" },
        { NEAR "  - {name: x, subsets: c}\n",
          "p.yaml:7: base: must say how many documents of each language both subsets have, 1 or more" },
        { NEAR "  - {name: x, subsets: c, base: 1, where: near}\n",
          "p.yaml:7: where: subsets are drawn, not dropped by a rule" },
        { NEAR "  - {name: x, subsets: c, base: 1, dataset: a}\n", "p.yaml:7: dataset: subsets names the dataset" },
        { NEAR "  - {name: x, subsets: c, base: 1, against: c}\n",
          "p.yaml:7: against: `c` must be another dataset, with `role: benchmark`" },
        { NEAR "  - {name: x, subsets: c, base: 1, against: d}\n", "p.yaml:7: against: no dataset is called `d`" },
        { CLONES "  - {name: x, subsets: c, base: 1}\n",
          "p.yaml:7: subsets: needs near_duplicates, which finds the duplicates" },
    };
    static const struct refusal others[] = {
        { "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\nnear_duplicates:\n"
          "clean: [{name: x, where: near, drop: documents}]\n", "p.yaml:4: drop: no dataset has `role: corpus`" },
        { "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\nnear_duplicates:\n"
          "clean: [{name: x, subsets: a, base: 1}]\n",
          "p.yaml:4: subsets: there is no other dataset with `role: benchmark`, in which duplicates would have their "
          "pairs" },
        { "datasets:\n  - {name: a, files: a.jsonl}\ndedup:\nclean: [{name: x, where: near}]\n",
          "p.yaml:4: clean: beside dedup needs near_duplicates too (`near_duplicates: {}`), which stores the documents "
          "in graph.db" },
    };
    static const char *const keys[] = { "  name", "  drop", "  dataset", "  where", "  subsets", "  base", "  against",
                                        "  transitive", "  seed", "  level", NULL };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_refused("", others, sizeof others / sizeof *others);
    settings_helped(clean_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
