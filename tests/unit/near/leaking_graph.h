/* tests/unit/near/leaking_graph.h -- a graph.db with leaks: two benchmarks, two corpora, overlap and some pairs; ids as
 * graph/ids.h has them. */
#ifndef LEAKGRAPH_TESTS_UNIT_NEAR_LEAKING_GRAPH_H
#define LEAKGRAPH_TESTS_UNIT_NEAR_LEAKING_GRAPH_H

#include "tests/unit/made_graph.h"

#define LEAKING_SNIPPET(id, dataset, number, text, source, matches) \
    "INSERT INTO snippets VALUES (" #id ", '" text "', '" dataset "', 'java', '[]', " #number ", 'test', " \
    "'" source "', NULL, NULL, NULL, NULL, NULL, NULL, " \
    "'s', " #number ", " #matches ", 30, 20, 1, 'hash of " text "', NULL, NULL);"
/* sets, multisets, of a in b, of b in a */
#define LEAKING_EDGE(a, b, kind, set, of_a, of_b) \
    "INSERT INTO edges VALUES ('near', " #a ", " #b ", '" kind "', 1, 2, 3, 4, " #set ", 0.5, " #of_a ", " #of_b ");"
#define LEAKING_OVERLAP(source, split, target, target_split, documents, direct, copies, contained) \
    "INSERT INTO overlap VALUES ('" source "', '" split "', '" target "', '" target_split "', '', " #documents ", " \
    #documents ", " #direct ", " #direct ", " #copies ", " #contained ", 1);"

static const char leaking_sql[] =
    "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('other', '', 'benchmark', 1), "
    "('code', '', 'corpus', 0), ('stack', '', 'corpus', 0);"
    LEAKING_SNIPPET(1, "bench", 0, "one" , "id<script>\x1b[2J|`", 2)
    LEAKING_SNIPPET(2, "bench", 1, "first\nkept\nsame\nlast", "second", 1)
    LEAKING_SNIPPET(3, "bench", 2, "three", "third", 0)
    LEAKING_SNIPPET(1000000000001, "other", 0, "four", "fourth", 0)
    LEAKING_SNIPPET(2000000000001, "code", 0, "other\nkept\nsame\nend", "fifth", 2)
    LEAKING_SNIPPET(2000000000002, "code", 1, "one", "sixth", 1)
    LEAKING_EDGE(1, 2000000000002, "exact", 1.0, 1.0, 1.0)
    LEAKING_EDGE(1, 2000000000001, "near", 0.8, 0.9, 0.9)
    LEAKING_EDGE(2, 2000000000001, "near", 0.9, 0.9, 0.9)
    LEAKING_EDGE(2, 2000000000002, "contained", 0.2, 0.9, 0.2)
    LEAKING_EDGE(3, 2000000000002, "contained", 0.1, 0.95, 0.1)
    LEAKING_EDGE(1000000000001, 2000000000001, "below", 0.5, 0.5, 0.5)
    LEAKING_OVERLAP("bench", "", "other", "", 10, 0, 0, 0)
    LEAKING_OVERLAP("bench", "", "code", "", 10, 2, 1, 2)
    LEAKING_OVERLAP("bench", "test", "code", "", 6, 2, 1, 2)
    LEAKING_OVERLAP("bench", "", "stack", "", 10, 0, 0, 0)
    LEAKING_OVERLAP("other", "", "bench", "", 4, 0, 0, 0)
    LEAKING_OVERLAP("other", "", "code", "", 4, 3, 0, 0)
    LEAKING_OVERLAP("code", "", "bench", "", 50, 2, 0, 1)
    LEAKING_OVERLAP("bench", "test", "bench", "train", 6, 3, 0, 0)
    LEAKING_OVERLAP("bench", "train", "bench", "test", 4, 1, 0, 0);

#endif
