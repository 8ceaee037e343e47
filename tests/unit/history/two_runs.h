/* tests/unit/history/two_runs.h -- two graphs of one pipeline: a benchmark, a corpus, pairs of them. */
#ifndef LEAKGRAPH_TESTS_UNIT_TWO_RUNS_H
#define LEAKGRAPH_TESTS_UNIT_TWO_RUNS_H

#include "history/changes.h"
#include "tests/unit/made_graph.h"

/* A text's hash is its number, of a benchmark 1 to 99; items and documents are numbered by their places. */
#define ITEM(place, id, text) \
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, source_id, path, shard, " \
    "record, matches, features, distinct_features, admitted, xxh128) VALUES (1 + " place ", '', 'bench', 'c', '[]', " \
                                                            "" place \
    ", '" id "', 'p/" id ".c', 's', " place ", 0, 9, 9, 1, printf('%032x', " text "));"
#define DOCUMENT(place) \
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, source_id, path, shard, " \
    "record, matches, features, distinct_features, admitted, xxh128) VALUES (1000000000001 + " place ", '', " \
                                                            "'corpus', 'c', " \
    "'[]', " place ", NULL, 'd" place ".c', 't', " place ", 0, 9, 9, 1, printf('%032x', 1000 + " place "));"
#define PAIR(item, document, kind, alike) \
    "INSERT INTO edges VALUES ('near', 1 + " item ", 1000000000001 + " document ", '" kind "', 5, 9, 5, 9, " alike \
    ", " alike ", 0.97, 0.1);"
#define DATASETS \
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('bench', '', 'benchmark', 0), ('corpus', '', 'corpus', " \
    "0); DELETE FROM run; INSERT INTO run VALUES ('near.view', 'identifiers');"

#define TWO_DOCUMENTS DOCUMENT("0") DOCUMENT("1")
/* a leaks as before, b no longer, c newly, d is another text and was clean, e is gone, f moves */
#define OLD_ITEMS \
    DATASETS TWO_DOCUMENTS ITEM("0", "a", "1") ITEM("1", "b", "2") ITEM("2", "c", "3") ITEM("3", "d", "4") \
    ITEM("4", "e", "5") ITEM("5", "f", "6") PAIR("0", "0", "near", "0.9") PAIR("1", "1", "exact", "1.0") \
    PAIR("4", "0", "near", "0.8") PAIR("5", "0", "near", "0.8") PAIR("5", "1", "near", "0.7")
/* x is new and leaks; y is new and clean */
#define NEW_ITEMS \
    DATASETS TWO_DOCUMENTS ITEM("0", "x", "10") ITEM("1", "a", "1") ITEM("2", "b", "2") ITEM("3", "c", "3") \
    ITEM("4", "d", "40") ITEM("5", "f", "6") ITEM("6", "y", "11") PAIR("0", "1", "copy", "1.0") \
    PAIR("1", "1", "near", "0.9") PAIR("3", "0", "contained", "0.2") PAIR("4", "0", "near", "0.85") \
    PAIR("5", "0", "near", "0.75") PAIR("5", "1", "below", "0.4")

struct two_runs { struct made_graph graph[2]; sqlite3 *db[2]; };

static inline void two_open(struct two_runs *two, const char *old, const char *new)
{
    struct err err = { 0 };

    for (int i = 0; i < 2; i++) {
        made_open(&two->graph[i], i ? new : old);
        two->db[i] = made_read(&two->graph[i]);
        if (graph_define_views(two->db[i], capability_tables(), &err) < 0) fail_msg("%s", err.text);
    }
}

static inline void two_close(struct two_runs *two)
{
    for (int i = 0; i < 2; i++) {
        graph_close(two->db[i]);
        made_close(&two->graph[i]);
    }
}

/* Databases of these statements alone. */
static inline void two_in_memory(sqlite3 *db[2], const char *schema, const char *old, const char *new)
{
    for (int i = 0; i < 2; i++) {
        const char *const sql[] = { schema, i ? new : old };

        assert_int_equal(sqlite3_open(":memory:", &db[i]), SQLITE_OK);
        for (int s = 0; s < 2; s++)
            if (sqlite3_exec(db[i], sql[s], NULL, NULL, NULL) != SQLITE_OK)
                fail_msg("%s: %s", sqlite3_errmsg(db[i]), sql[s]);
    }
}

static inline void text_is(struct slice got, const char *expected)
{
    if (!slice_equal(got, slice_of(expected))) fail_msg("`%.*s`, not `%s`", (int)got.len, got.at, expected);
}

/* The rows of a part as "dataset/split other/split name measure old>new", lines. */
static inline void rows_are(const struct changes *changes, const char *part, const char *expected)
{
    struct bytes text = { 0 };

    for (size_t i = 0; i < changes->count; i++) {
        const struct change *row = &changes->at[i];

        if (!slice_equal(row->part, slice_of(part))) continue;
        for (int l = 0; l < CHANGE_LABELS; l++)
            assert_int_equal(bytes_printf(&text, "%.*s%s", (int)row->label[l].len, row->label[l].at,
                                          l == CHANGE_SPLIT || l == CHANGE_OTHER_SPLIT || l == CHANGE_NAME ? " "
                                              : "/"), 0);
        assert_int_equal(bytes_printf(&text, "%.*s %.*s>%.*s\n", (int)row->measure.len, row->measure.at,
                                      (int)row->old.len, row->old.at, (int)row->new.len, row->new.at), 0);
    }
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_string_equal(text.at, expected);
    bytes_free(&text);
}

#endif
