/* tests/unit/config/capabilities.c -- the table is whole, and in the order that its capabilities rely on. */
#include "config/capabilities.h"
#include "tests/unit/folder.h"

#include <string.h>

static size_t place_of(const char *key)
{
    for (size_t c = 0; capabilities[c]; c++)
        if (capabilities[c]->key && strcmp(capabilities[c]->key, key) == 0) return c;
    fail_msg("no capability has the key %s", key);
    return 0;
}

static void test_table(void **unused)
{
    static const char *const keys[] = { "near_duplicates", "generate", "dedup", "ngrams", "line_clones",
                                        "repositories", "portrait", "sensitive", "probe", "clean" };

    (void)unused;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) place_of(keys[k]);
    for (size_t c = 0; capabilities[c]; c++) {
        const struct capability *of = capabilities[c];

        assert_non_null(of->name);
        assert_true(!of->key || of->brief || of->read);     /* a key that does something */
        for (size_t d = 0; d < c; d++) {
            assert_string_not_equal(of->name, capabilities[d]->name);
            if (of->key && capabilities[d]->key) assert_string_not_equal(of->key, capabilities[d]->key);
        }
        assert_true(!of->enter || of->leave);               /* what was made ready for the pass goes */
        assert_true(!of->read || of->state_size > 0);
    }
}

/* A gate is named once, whoever has it, and says what it bounds. */
static void test_gates(void **unused)
{
    const char *met[64];
    size_t      count = 0;

    (void)unused;
    for (size_t c = 0; capabilities[c]; c++)
        for (const struct gate *gate = capabilities[c]->gates; gate && gate->key; gate++) {
            assert_true(gate->help && (gate->measure != NULL) != (gate->sql != NULL));
            for (size_t i = 0; i < count; i++) assert_string_not_equal(gate->key, met[i]);
            assert_true(count < sizeof met / sizeof *met);
            met[count++] = gate->key;
        }
    assert_true(count > 0);
}

/* Who puts documents into the graph comes before all that add to them; who writes datasets before all others that read
 * the corpora in the pass. */
static void test_order(void **unused)
{
    bool others = false;

    (void)unused;
    for (size_t c = 0; capabilities[c]; c++) {
        const bool documents = capabilities[c]->traits & (CAPABILITY_DOCUMENTS | CAPABILITY_DATASETS);

        assert_false(documents && others);
        others |= !documents;
    }
    for (size_t c = 0; capabilities[c]; c++) {
        bool met = !capabilities[c]->after;

        for (size_t d = 0; d < c; d++) met |= capabilities[d] == capabilities[c]->after;
        if (!met) fail_msg("%s stands before %s, whose results it reads", capabilities[c]->name,
                           capabilities[c]->after->name);
    }
    assert_string_equal(capabilities[place_of("repositories")]->after->key, "near_duplicates");
    assert_true(place_of("generate") < place_of("dedup"));
    for (size_t c = place_of("clean") + 1; capabilities[c]; c++) fail_msg("%s follows clean", capabilities[c]->name);
}

static void test_reports(void **unused)
{
    const struct report_part *const *part = capability_reports();
    size_t                           c = 0;

    (void)unused;
    for (; capabilities[c]; c++) assert_ptr_equal(part[c], &capabilities[c]->report);
    assert_null(part[c]);
    assert_ptr_equal(capability_reports(), part);
}

/* Every table of a capability, and no name twice: graph.db has one name space. */
static void test_tables(void **unused)
{
    const struct graph_table *const *table = capability_tables();
    size_t                           n = 0;

    (void)unused;
    for (size_t c = 0; capabilities[c]; c++)
        for (size_t t = 0; capabilities[c]->tables && capabilities[c]->tables[t]; t++, n++)
            assert_ptr_equal(table[n], capabilities[c]->tables[t]);
    assert_null(table[n]);
    for (size_t t = 0; t < n; t++)
        for (size_t u = 0; u < t; u++) assert_string_not_equal(table[t]->name, table[u]->name);
    assert_ptr_equal(capability_tables(), table);           /* asked again, it is no longer */
    assert_null(table[n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_gates), cmocka_unit_test(test_order),
        cmocka_unit_test(test_reports), cmocka_unit_test(test_tables),
    };

    return cmocka_run_group_tests_name("config/capabilities", tests, NULL, NULL);
}
