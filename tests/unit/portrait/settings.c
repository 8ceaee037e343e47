/* tests/unit/portrait/settings.c -- the section read, printed and read again; what is refused. */
#include "portrait/task.h"
#include "tests/unit/settings_harness.h"

#define DATASETS \
    "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n  - {name: b, role: corpus, files: b.jsonl}\n" \
    "  - {name: c, role: corpus, files: c.jsonl}\n"

static void test_keys(void **unused)
{
    const struct portrait_options *o;
    const bool                    *member;
    struct config                  config;

    (void)unused;
    settings_again(&config, DATASETS "portrait: {kind: windows, width: 10000, stride: 17, name: it.x, "
                   "extends: /dev/null, datasets: [c, a]}\n");
    o = &portrait_task(&config)->options;
    member = portrait_task(&config)->member;
    assert_true(o->scheme.kind == PORTRAIT_WINDOWS && o->scheme.width == 10000 && o->scheme.stride == 17);
    assert_true(o->fp.num * 1000 == o->fp.den && o->size == 0);
    assert_string_equal(o->name, "it.x");
    assert_string_equal(o->extends, "/dev/null");
    assert_true(member[0] && !member[1] && member[2]);
    config_free(&config);
    settings_again(&config, DATASETS "portrait: {kind: ngrams, n: 1000, size: 3MiB, datasets: b}\n");
    o = &portrait_task(&config)->options;
    assert_true(o->scheme.kind == PORTRAIT_NGRAMS && o->scheme.width == 1000 && o->scheme.stride == 1000);
    assert_int_equal(o->size, 3 << 20);
    config_free(&config);
    settings_again(&config, DATASETS "portrait: {fp: 0.25}\n");
    o = &portrait_task(&config)->options;
    assert_true(o->fp.num * 4 == o->fp.den);
    config_free(&config);
}

static void test_defaults(void **unused)
{
    static const char *const        kinds[] = { "windows", "ngrams", "lines", "content" };
    static const struct portrait_scheme wanted[] = { { PORTRAIT_WINDOWS, 50, 50 }, { PORTRAIT_NGRAMS, 8, 8 },
                                                     { PORTRAIT_LINES, 1, 1 }, { PORTRAIT_CONTENT, 1, 1 } };

    (void)unused;
    for (size_t k = 0; k < 4; k++) {
        const struct portrait_options *o;
        struct config                  config;
        char                           yaml[512];

        snprintf(yaml, sizeof yaml, DATASETS "portrait: {kind: %s}\n", kinds[k]);
        settings_again(&config, yaml);
        o = &portrait_task(&config)->options;
        assert_memory_equal(&o->scheme, &wanted[k], sizeof *wanted);
        assert_true(o->fp.num * 1000 == o->fp.den && o->size == 0 && !*o->extends);
        assert_string_equal(o->name, "corpus");
        assert_true(!portrait_task(&config)->member[0] && portrait_task(&config)->member[1] &&
                    portrait_task(&config)->member[2]);
        config_free(&config);
    }
}

static void test_refused(void **unused)
{
    static const struct refusal refusals[] = {
        { "portrait:\n  fp: 0\n", "p.yaml:6: fp must be above 0 and at most 0.5" },
        { "portrait:\n  fp: 0.500000001\n", "p.yaml:6: fp must be above 0 and at most 0.5" },
        { "portrait:\n  name: ''\n", "p.yaml:6: name must be a file name" },
        { "portrait:\n  name: a/b\n", "p.yaml:6: name must be a file name" },
        { "portrait:\n  name: .a\n", "p.yaml:6: name must be a file name" },
        { "portrait:\n  width: 5\n  stride: 6\n",
          "p.yaml:7: stride leaves gaps: it must not be above the width (n of ngrams)" },
        { "portrait:\n  kind: ngrams\n  stride: 9\n",
          "p.yaml:7: stride leaves gaps: it must not be above the width (n of ngrams)" },
        { "portrait:\n  extends: /dev/null\n  size: 1MB\n",
          "p.yaml:6: extends keeps the size of that file: leave size out" },
        { "portrait:\n  kind: ngrams\n  width: 9\n", "p.yaml:7: width is for kind windows" },
        { "portrait:\n  kind: lines\n  width: 9\n", "p.yaml:7: width is for kind windows" },
        { "portrait:\n  n: 9\n", "p.yaml:6: n is for kind ngrams" },
        { "portrait:\n  kind: content\n  n: 3\n", "p.yaml:7: n is for kind ngrams" },
        { "portrait:\n  kind: lines\n  stride: 1\n", "p.yaml:7: stride is for kinds windows and ngrams" },
        { "portrait:\n  kind: content\n  stride: 1\n", "p.yaml:7: stride is for kinds windows and ngrams" },
        { "portrait:\n  size: 1MB\n  fp: 0.01\n",
          "p.yaml:7: fp decides the size, which `size` says: leave fp out" },
        { "portrait:\n  fp: 0.01\n  extends: /dev/null\n",
          "p.yaml:6: fp decides the size, which the file that `extends` names says: leave fp out" },
        { "portrait:\n  extends: nowhere\n", "p.yaml:6: extends names a file that is not there: /base/nowhere" },
        { "portrait:\n  datasets: []\n", "p.yaml:6: datasets names at least one; without the key it is every corpus" },
        { "portrait:\n  datasets: [[b]]\n", "p.yaml:6: datasets must be a list of names" },
        { "portrait:\n  datasets: [b, d]\n", "p.yaml:6: datasets: no dataset is called `d`" },
        { "portrait:\n  width: 0\n", "p.yaml:6: width: `0` is not a number from 1 to 10000" },
    };
    static const struct refusal no_corpus[] = { {
        "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\nportrait: {width: 9}\n",
        "p.yaml:3: no dataset has `role: corpus`: name those it is made of in datasets" } };
    static const char *const keys[] = { "datasets", "kind", "width", "n", "stride", "fp", "size", "name", "extends",
                                        NULL };

    (void)unused;
    settings_refused(DATASETS, refusals, sizeof refusals / sizeof *refusals);
    settings_refused("", no_corpus, 1);
    settings_helped(portrait_help, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_defaults),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
