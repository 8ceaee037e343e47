/* tests/unit/graph/check.c -- a sound graph passes, and each damage is found by the check that is for it. */
#include "tests/unit/graph/spot.h"

static void test_check(void **state)
{
    static const struct { const char *sql, *name; } damages[] = {
        { "DELETE FROM snippets WHERE id = (SELECT a FROM edges LIMIT 1)", "foreign keys" },
        { "UPDATE shards SET records = records + 1 WHERE dataset = 'bigcode/stack'", "records in" },
        { "DELETE FROM rejects WHERE reason = 'truncated'", "rejected records are listed" },
        { "UPDATE snippets SET shard = 'elsewhere' WHERE id = 1", "benchmark records" },
        { "UPDATE snippets SET id_within_dataset = id_within_dataset + 1 WHERE id = 1000000000003", "ids tell" },
        { "UPDATE snippets SET record = 0 WHERE dataset = 'bigcode/stack'", "records are stored once" },
        { "UPDATE overlap SET transitive = documents + 1 WHERE rowid = 1", "an overlap" },
        { "UPDATE edges SET kind = 'odd' WHERE a = (SELECT min(a) FROM edges)", "pairs are" },
        { "UPDATE edges SET a = b, b = a WHERE a = (SELECT min(a) FROM edges) AND b = (SELECT min(b) FROM edges WHERE "
          "a = (SELECT min(a) FROM edges))", "pairs are" },
        { "INSERT INTO run SELECT 'near.pairs.near', count(*) + 1 FROM edges WHERE pass = 'near' AND kind = 'near'",
          "pairs are as many" },
        { "UPDATE clusters SET cluster = snippet WHERE snippet = (SELECT max(snippet) FROM clusters)", "clusters" },
        { "UPDATE snippets SET matches = 0", "clusters" },
        { "UPDATE edges SET shared = shared + 1 WHERE a = (SELECT min(a) FROM edges)", "digest" },
        { "DELETE FROM run WHERE key = 'digest'", "digest" },
        { "PRAGMA user_version = 1", "graph.db can be opened" },
        { "PRAGMA application_id = 1", "graph.db can be opened" },
        { "DROP TABLE overlap", "an overlap" },
        { "DROP VIEW leakage", "views" },
        { "DROP VIEW pair_kinds; CREATE VIEW pair_kinds AS SELECT 1 AS kind", "views" },
        { "DROP VIEW shard_snippets", "views" },
    };
    struct spot  place;
    struct sample sample;
    struct heard  heard;

    (void)state;
    place_open(&place);
    sample_open(&sample, 1, 200, 150);
    write_sample(&sample, &place, 1000000);
    assert_int_equal(check(&place, &heard), 0);
    assert_true(heard.lines >= 10);
    write_sample(&sample, &place, 0);                       /* pairs aside */
    assert_int_equal(check(&place, &heard), 0);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        write_sample(&sample, &place, 1000000);
        change(&place, damages[i].sql);
        if (check(&place, &heard) < 1 || strncmp(heard.first, damages[i].name, strlen(damages[i].name)) != 0)
            fail_msg("%s: %zu wrong, first %s", damages[i].sql, heard.wrong, heard.first);
    }
    /* A graph of version 0.1.0 does not say that the items are stored; that the join was there says it. */
    write_sample(&sample, &place, 1000000);
    change(&place, "DELETE FROM run WHERE key = 'items'");
    change(&place, "UPDATE snippets SET shard = 'elsewhere' WHERE id = 1");
    assert_int_equal(check(&place, &heard), 0);
    change(&place, "INSERT INTO run VALUES ('near.view', 'identifiers')");
    assert_int_equal(check(&place, &heard), 1);
    assert_non_null(strstr(heard.first, "benchmark records"));
    /* Pairs that were not kept (matches says so) may leave clusters coarser than the components, never finer. */
    write_sample(&sample, &place, 1000000);
    change(&place, "DELETE FROM edges WHERE kind IN ('exact', 'near') AND b = (SELECT max(snippet) FROM clusters)");
    assert_int_equal(check(&place, &heard), 1);
    assert_string_equal(heard.first, "digest");
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

/* Pass dedup damaged, in a graph that also has pass near. */
static void test_check_dedup(void **state)
{
    static const struct { const char *sql, *name; } damages[] = {
        { "DELETE FROM edges WHERE pass = 'dedup' AND a = (SELECT min(canonical) FROM dedup WHERE snippet > canonical "
          "AND kept = 0)", "what is removed has a pair" },
        { "UPDATE dedup SET kept = 0 WHERE snippet = (SELECT canonical FROM dedup WHERE cluster_size > 1 LIMIT 1)",
          "what is removed has a canonical" },
        { "DELETE FROM dedup WHERE snippet = (SELECT canonical FROM dedup WHERE cluster_size > 1 LIMIT 1)",
          "what is removed has a canonical" },
        { "UPDATE dedup SET cluster_size = 9 WHERE snippet = (SELECT max(snippet) FROM dedup WHERE cluster_size > 1)",
          "clusters of dedup have" },
        { "UPDATE splits SET removed = removed + 1 WHERE rowid = 1", "removed documents are counted" },
        { "UPDATE splits SET removed = NULL", "removed documents are counted" },
        { "UPDATE clusters SET cluster = snippet WHERE snippet = (SELECT max(snippet) FROM clusters WHERE pass = "
          "'dedup') AND pass = 'dedup'", "clusters of dedup are" },
        { "DELETE FROM clusters WHERE rowid = (SELECT rowid FROM clusters WHERE pass = 'dedup' AND cluster = snippet)",
          "clusters of dedup are" },
        { "UPDATE dedup SET canonical = 1000000 WHERE snippet = (SELECT max(snippet) FROM dedup)",
          "what is removed has a canonical" },
        { "UPDATE edges SET pass = 'odd' WHERE pass = 'dedup'", "pairs are" },
        { "UPDATE clusters SET pass = 'odd' WHERE pass = 'dedup'", "pairs are" },
        { "DELETE FROM clusters WHERE pass = 'dedup'", "digest" },
        { "UPDATE dedup SET kept = 1 WHERE kept = 0; UPDATE splits SET removed = 0", "digest" },
    };
    struct spot  place;
    struct sample sample;
    struct heard  heard;

    (void)state;
    place_open(&place);
    sample_open(&sample, 1, 200, 150);
    sample_add_dedup(&sample);
    write_sample(&sample, &place, 0);                       /* pairs aside */
    assert_int_equal(check(&place, &heard), 0);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        write_sample(&sample, &place, 1000000);
        assert_int_equal(check(&place, &heard), 0);
        change(&place, damages[i].sql);
        if (check(&place, &heard) < 1 || strncmp(heard.first, damages[i].name, strlen(damages[i].name)) != 0)
            fail_msg("%s: %zu wrong, first %s", damages[i].sql, heard.wrong, heard.first);
    }
    /* Without stars a removed document may hang on its canonical by way of others. */
    write_sample(&sample, &place, 1000000);
    change(&place,
           "UPDATE run SET value = 'component' WHERE key = 'dedup.cluster'; DELETE FROM edges WHERE pass = 'dedup'");
    assert_int_equal(check(&place, &heard), 1);
    assert_string_equal(heard.first, "digest");
    sample_close(&sample);
    sample_folder_remove(place.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check), cmocka_unit_test(test_check_dedup),
    };

    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
