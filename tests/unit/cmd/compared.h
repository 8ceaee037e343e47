/* tests/unit/cmd/compared.h -- the folder of a finished run with a benchmark of four items, of which two leaked, made
 * by statements.
 *
 * Benchmark b: a and b of split train, c and d of split test; corpus c has documents that are near d and hold c as a
 * passage, copyleft the former; another benchmark, o, has one that is near a. */
#ifndef LEAKGRAPH_TESTS_UNIT_COMPARED_H
#define LEAKGRAPH_TESTS_UNIT_COMPARED_H

#include "tests/unit/made_graph.h"

#define COMPARED_SNIPPET(id, dataset, number, split, source, license) \
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, split_within_dataset, " \
    "source_id, shard, record, matches, features, distinct_features, admitted, xxh128, license_class) VALUES (" \
    #id ", '', '" dataset "', 'java', '[]', " #number ", " split ", '" source "', 's', " #number \
    ", 0, 1, 1, 1, '', " license ");"

static inline void compared_open(struct made_graph *g)
{
    made_open(g, "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0), "
                 "('c', '', 'corpus', 0), ('o', '', 'benchmark', 0);"
                 "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) VALUES "
                 "('b', 'train', 'java', 2, 2, 0, 0, 1), ('b', 'test', 'java', 2, 2, 1, 0, 1), "
                 "('o', '', 'java', 1, 1, 0, 0, 1);"
                 COMPARED_SNIPPET(1, "b", 0, "'train'", "a", "NULL") COMPARED_SNIPPET(2, "b", 1, "'train'", "b", "NULL")
                 COMPARED_SNIPPET(3, "b", 2, "'test'", "c", "NULL") COMPARED_SNIPPET(4, "b", 3, "'test'", "d", "NULL")
                 COMPARED_SNIPPET(1000000000001, "c", 0, "NULL", "x", "'strong copyleft'")
                 COMPARED_SNIPPET(2000000000001, "o", 0, "NULL", "y", "NULL")
                 "INSERT INTO edges VALUES ('near', 4, 1000000000001, 'near', 2, 4, 2, 4, 0.5, 0.5, 0.6, 0.6), "
                 "('near', 1, 2000000000001, 'near', 2, 4, 2, 4, 0.5, 0.5, 0.6, 0.6);"
                 "INSERT INTO passages (item, dataset, shard, record, source_id, found, runs, share) VALUES "
                 "(3, 'c', 's', 9, 's:9', 1, 1, 1);"
                 "INSERT INTO run VALUES ('configuration', 'datasets: [{name: b, role: benchmark, files: b.jsonl}, "
                 "{name: c, role: corpus, files: c.jsonl}, {name: o, role: benchmark, files: o.jsonl}]\n"
                 "near_duplicates: {max_matches: 5}\n');");
}

#endif
