/* tests/unit/cmd/finished.h -- the folder of a finished run with two documents and a pair, made by statements. */
#ifndef LEAKGRAPH_TESTS_UNIT_FINISHED_H
#define LEAKGRAPH_TESTS_UNIT_FINISHED_H

#include "tests/unit/made_graph.h"
#include "view/view.h"

/* "int a;" and "int b;" of datasets b and c, the latter in split x. */
static inline void finished_open(struct made_graph *g)
{
    char hash[2][2][33], sql[1200];

    for (size_t i = 0; i < 2; i++) {
        struct bytes              scratch = { 0 };
        const struct slice        text = i ? SLICE("int b;") : SLICE("int a;");
        const struct content_hash of[] = { content_hash_raw(text), content_hash_squeezed(text, &scratch) };

        for (size_t h = 0; h < 2; h++)
            snprintf(hash[i][h], sizeof hash[i][h], "%016llx%016llx", (unsigned long long)of[h].high,
                     (unsigned long long)of[h].low);
        bytes_free(&scratch);
    }
    snprintf(sql, sizeof sql,
             "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0), ('c', '', 'corpus', 0);"
             "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, split_within_dataset, "
             "source_id, path, shard, record, matches, features, distinct_features, admitted, xxh128, xxh128_squeezed) "
             "VALUES (1, 'int a;', 'b', 'c', '[]', 0, NULL, 'first', NULL, 's', 0, 1, 3, 3, 1, '%s', '%s'), "
             "(1000000000008, 'int b;', 'c', 'c', '[]', 7, 'x', 'second', 'p\x1b.c', 't', 7, 1, 3, 3, 1, '%s', '%s');"
             "INSERT INTO edges VALUES ('near', 1, 1000000000008, 'near', 2, 4, 2, 4, 0.5, 0.5, 0.6, 0.6);", hash[0][0],
             hash[0][1], hash[1][0], hash[1][1]);
    made_open(g, sql);
}

#endif
