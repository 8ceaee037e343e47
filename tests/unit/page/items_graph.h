/* tests/unit/page/items_graph.h -- a graph.db in which items leak in every way: by pairs with a corpus, with another
 * benchmark, with their own; inside a document; by a rule that knows no document. */
#ifndef LEAKGRAPH_TESTS_UNIT_PAGE_ITEMS_GRAPH_H
#define LEAKGRAPH_TESTS_UNIT_PAGE_ITEMS_GRAPH_H

#include "tests/unit/made_graph.h"

#define CODE "2000000000000"                                /* before the ids of the third dataset */
#define ITEMS_SNIPPET(id, dataset, number, text, source, path, repo, license) \
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, split_within_dataset, " \
    "source_id, " \
    "path, repo, license, shard, record, matches, features, distinct_features, admitted, xxh128) VALUES (" #id ", '" \
    text "', '" dataset "', 'python', '[]', " #number ", 'test', '" source "', " path ", " repo ", " license ", 's', " \
    #number ", 0, 30, 20, 1, '" #id "');"
#define ITEMS_EDGE(a, b, kind, set, of_a) \
    "INSERT INTO edges VALUES ('near', " #a ", " #b ", '" kind "', 1, 2, 3, 4, " #set ", 0.5, " #of_a ", 0.1);"

static const char items_sql[] =
    "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('other', '', 'benchmark', 0), "
    "('code', '', 'corpus', 0);"
    "INSERT INTO shards (dataset, split, shard, bytes, mtime, xxh3, records, rejected, skipped, whole, lost, missing, "
    "rejected_bytes) VALUES ('code', '', 's', 900, 1, '00000000000000aa', 8, 0, 0, 1, 0, 0, 0);"
    ITEMS_SNIPPET(1, "bench", 0, "a = 1\nb = 2\n", "one", "'src/one.py'", "'me/bench'", "NULL")
    ITEMS_SNIPPET(2, "bench", 1, "c = 3\n", "two", "'src/two.py'", "NULL", "NULL")
    ITEMS_SNIPPET(3, "bench", 2, "", "three</script>", "NULL", "NULL", "NULL")
    ITEMS_SNIPPET(4, "bench", 3, "d\n", "four", "NULL", "NULL", "NULL")
    ITEMS_SNIPPET(5, "bench", 4, "e\n", "five", "NULL", "NULL", "NULL")
    ITEMS_SNIPPET(6, "bench", 5, "f\n", "alone", "NULL", "NULL", "NULL")
    ITEMS_SNIPPET(1000000000001, "other", 0, "d\n", "there", "NULL", "NULL", "NULL")
    ITEMS_SNIPPET(2000000000001, "code", 0, "a = 1\nb = 3\n", "x", "'lib/x.py'", "'org/x'", "'MIT'")
    ITEMS_SNIPPET(2000000000002, "code", 1, "z\n\nc = 3\ny\n", "y", "NULL", "NULL", "NULL")
    ITEMS_EDGE(1, 2000000000001, "near", 0.8, 0.9)
    ITEMS_EDGE(1, 2000000000002, "near", 0.75, 0.9)
    ITEMS_EDGE(1, 2, "exact", 1.0, 1.0)
    ITEMS_EDGE(2, 2000000000002, "contained", 0.2, 0.95)
    ITEMS_EDGE(4, 5, "exact", 1.0, 1.0)
    ITEMS_EDGE(4, 1000000000001, "exact", 1.0, 1.0)
    ITEMS_EDGE(6, 2000000000001, "below", 0.5, 0.5)
    "INSERT INTO clusters VALUES ('near', 1, 1), ('near', 2, 1), ('near', " CODE " + 1, 1), ('near', " CODE " + 2, 1);"
    "INSERT INTO function_pairs (item, dataset, shard, record, source_id, path, repo, license, name, line, line_end, "
    "byte, "
    "byte_end, kind, shared, \"union\", min_sum, max_sum, set_similarity, multiset_similarity, text) VALUES "
    "(3, 'code', 's', 7, 'f', 'lib/f.py', 'org/f', 'GPL-3.0', 'g', 5, 6, 10, 20, 'exact', 1, 1, 1, 1, 1.0, 1.0, ''), "
    "(3, 'code', 's', 6, 'e', 'lib/e.py', 'org/f', 'MIT', 'g', 5, 6, 10, 20, 'near', 1, 1, 1, 1, 0.9, 1.0, '');"
    "INSERT INTO ngram_rules (snippet, field, corpus, gpt3_13gram, palm_8gram) VALUES (6, 'text', 'code', 1, 0), "
    "(1, 'text', 'code', 1, 1);";

#endif
