/* tests/unit/graph/things.h -- a graph with a table of the test's own that has every type of column. */
#ifndef LEAKGRAPH_TESTS_UNIT_GRAPH_THINGS_H
#define LEAKGRAPH_TESTS_UNIT_GRAPH_THINGS_H

#include "graph/build.h"
#include "graph/load.h"
#include "graph/read.h"
#include "tests/unit/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct thing {
    uint64_t     low, high, known_low, known_high, hash, number, record;
    int64_t      maybe;
    double       real, share, value;
    struct slice text, optional, source, tokens;
    const char  *key;
    uint32_t     dataset, shard, maybe_shard, document, small, kind;
    bool         flag, role;
};

#define ROW thing
#define FIELD(member) offsetof(struct ROW, member)

TABLE_PAIR(low, high);
TABLE_PAIR(known_low, known_high);

static const struct graph_column columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "" },
    { "hash", COLUMN_HEX128, FIELD(low), COLUMN_LINE, NULL, "" },
    { "known", COLUMN_KNOWN128, FIELD(known_low), 0, NULL, "" },
    { "word", COLUMN_HEX64, FIELD(hash), 0, NULL, "" },
    { "number", COLUMN_U64, FIELD(number), COLUMN_LINE, NULL, "" },
    { "small", COLUMN_U32, FIELD(small), COLUMN_LINE, NULL, "" },
    { "maybe", COLUMN_MAYBE, FIELD(maybe), COLUMN_LINE, NULL, "" },
    { "real", COLUMN_REAL, FIELD(real), 0, NULL, "" },
    { "share", COLUMN_MAYBE_SHARE, FIELD(share), 0, NULL, "" },
    { "value", COLUMN_MAYBE_REAL, FIELD(value), 0, NULL, "" },
    { "text", COLUMN_TEXT, FIELD(text), COLUMN_LINE, NULL, "" },
    { "optional", COLUMN_OPTIONAL, FIELD(optional), COLUMN_LOAD, NULL, "" },
    { "source", COLUMN_SOURCE, FIELD(source), 0, NULL, "" },
    { "tokens", COLUMN_TOKENS, FIELD(tokens), 0, NULL, "" },
    { "key", COLUMN_KEY, FIELD(key), 0, NULL, "" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), COLUMN_LOAD, NULL, "" },
    { "maybe_shard", COLUMN_MAYBE_SHARD, FIELD(maybe_shard), 0, NULL, "" },
    { "snippet", COLUMN_DOCUMENT, FIELD(document), COLUMN_LINE, "snippets", "" },
    { "kind", COLUMN_KIND, FIELD(kind), COLUMN_LOAD, NULL, "" },
    { "flag", COLUMN_FLAG, FIELD(flag), COLUMN_LINE, NULL, "" },
    { "role", COLUMN_ROLE, FIELD(role), COLUMN_LOAD, NULL, "" },
};
static const struct graph_table things = { .name = "things", .doc = "Of a test.", .digest = "X",
                                           TABLE_COLUMNS(columns), .row_size = sizeof(struct thing) };
static const struct graph_table *const tables[] = { &things, NULL };

static const struct graph_dataset  datasets[] = { { SLICE("one"), SLICE(""), true, true },
                                                  { SLICE("two"), SLICE(""), false, false } };
static const struct graph_shard    shards[] = { { .dataset = 0, .name = SLICE("a.jsonl") },
                                                { .dataset = 1, .name = SLICE("b.jsonl") } };
static const struct graph_document documents[] = { { .dataset = 0, .number = 0 },
                                                   { .dataset = 1, .shard = 1, .number = 7 } };
static const struct thing rows[] = {
    { .low = 0x0123456789abcdef, .high = 0xfedcba9876543210, .known_low = 1, .hash = 0xff, .number = 1ull << 40,
      .record = 9, .maybe = 0, .real = -1.5, .share = 0, .value = -0.25, .text = SLICE("same"),
      .optional = SLICE("there"), .source = SLICE("its own"), .tokens = SLICE("[\"a\"]"), .key = "k1", .dataset = 1,
      .shard = 1, .maybe_shard = 0, .document = 1, .small = UINT32_MAX, .kind = EDGE_COPY, .flag = true, .role = true },
    { .maybe = -1, .real = 2, .share = -1, .value = NAN, .text = SLICE("same"), .key = "k2", .maybe_shard = UINT32_MAX,
      .record = 3 },
};

struct stored { char folder[64], path[96]; };

static inline void stored_open(struct stored *s)
{
    struct graph_build build = { .graph = { .datasets = datasets, .dataset_count = 2, .shards = shards,
                                            .shard_count = 2, .documents = documents, .document_count = 2 } };
    char               digest[33];
    struct err         err = { 0 };

    *s = (struct stored){ .folder = "/tmp/leakgraph-reader-XXXXXX" };
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof s->path, "%s/graph.db", s->folder);
    assert_int_equal(graph_add_rows(&build, &things, rows, 2, &err), 0);
    assert_int_equal(graph_digest(&build.graph, digest, &err), 0);
    if (graph_write(&build.graph, tables, s->path, digest, 1, &err) < 0) fail_msg("%s", err.text);
    graph_build_free(&build);
}

static inline void change(const struct stored *s, const char *sql)
{
    sqlite3 *db;
    char    *message = NULL;

    assert_int_equal(sqlite3_open(s->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", message, sql);
    sqlite3_close(db);
}

#endif
