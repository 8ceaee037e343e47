/* tests/unit/cmd/offer.c -- what is offered for a value, by its name in the help. */
#include "cmd/offer.h"
#include "tests/unit/folder.h"

#include <string.h>

/* offered: letters of what is, f file, d folder, c command, k key, s setting, then the words. */
static void is_offered(const struct offer *offer, const char *offered)
{
    char said[200];

    snprintf(said, sizeof said, "%s%s%s%s%s%s%s", offer->file ? "f" : "", offer->folder ? "d" : "",
             offer->command ? "c" : "", offer->key ? "k" : "", offer->setting ? "s" : "", offer->words.len ? " " : "",
             offer->words.len ? offer->words.at : "");
    assert_string_equal(said, offered);
}

static void test_values(void **unused)
{
    static const char *const values[][2] = {
        { "DIR", "d" }, { "RUN", "d" }, { "FILE.lm", "f" }, { "NAME=GLOB", "f" }, { "[NAME=]FILE", "f" },
        { "NAME=BACKEND:PATH", "f" }, { "OLD", "f" },
        { "COMMAND", "c" }, { "KEY", "k" }, { "KEY=VALUE", "s" }, { "N", "" },
        { "NAME=FIELD", "" }, { "A,B", "" }, { "", "" }, { "exact|published", " exact published" },
        { "identifiers+literals|n2", " identifiers+literals n2" }, { "codesearchnet", " codesearchnet" },
    };
    const struct usage none = { 0 };
    struct offer       both = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct offer offer = { 0 };

        assert_int_equal(offer_add(&offer, &none, slice_of(values[i][0])), 0);
        is_offered(&offer, values[i][1]);
        offer_free(&offer);
    }
    assert_int_equal(offer_add(&both, &none, SLICE("a|b")), 0);
    assert_int_equal(offer_add(&both, &none, SLICE("config")), 0);
    assert_int_equal(offer_add(&both, &none, SLICE("COMMAND")), 0);
    is_offered(&both, "c a b config");
    offer_free(&both);
}

static void arguments(const char *help, size_t words, const char *first, const char *rest)
{
    struct usage usage;
    struct offer offer[2];

    assert_int_equal(usage_read(&usage, slice_of(help)), 0);
    assert_int_equal(offer_arguments(&usage, words, &offer[0], &offer[1]), 0);
    is_offered(&offer[0], first);
    is_offered(&offer[1], rest);
    offer_free(&offer[0]);
    offer_free(&offer[1]);
    usage_free(&usage);
}

static void test_arguments(void **unused)
{
    (void)unused;
    arguments("usage: leakgraph run [pipeline.yaml] [--output DIR] [--set KEY=VALUE]... [--quiet]\n", 2, "f", "");
    arguments("usage: leakgraph export DIR pairs|items [--format a|b]\n", 2, "d", " pairs items");
    arguments("usage: leakgraph compare RUN --benchmark NAME [MODEL[@SEED]=]FILE... [...]\n", 2, "d", "f");
    arguments("usage: leakgraph dedup CORPUS... --output DIR [...]\n"
              "       leakgraph dedup --add NEW... --store DIR\n", 2, "f", "f");
    arguments("usage: leakgraph help [COMMAND]\n       leakgraph help config [KEY]\n", 2, "c config", "k");
    arguments("usage: leakgraph audit licence --build FILE... > benchmark.jsonl\n", 3, "", "");
    arguments("usage: leakgraph audit verdict [NAME=]FEATURES.csv... [--output DIR] [...]\n"
              "       leakgraph audit verdict RUN\n", 3, "fd", "f");
    arguments("usage: leakgraph regress FORMULA --run DIR [--query SQL]   what\n", 2, "", "");
    arguments("usage: leakgraph query PORTRAIT [FILE]...  what\n", 2, "f", "f");
    arguments("no usage\n", 2, "", "");
    arguments("usage: leakgraph export DIR THING [--as N]\n\nTHING is one of\n  pairs   some\n          more\n"
              "  items   others\n\nAS is one of\n  tsv  it\n", 2, "d", " pairs items");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_values), cmocka_unit_test(test_arguments) };

    return cmocka_run_group_tests_name("cmd/offer", tests, NULL, NULL);
}
