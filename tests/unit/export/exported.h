/* tests/unit/export/exported.h -- a run whose names are hostile, and what an export of it is. */
#ifndef LEAKGRAPH_TESTS_UNIT_EXPORT_EXPORTED_H
#define LEAKGRAPH_TESTS_UNIT_EXPORT_EXPORTED_H

#include "export/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/made_graph.h"

/* Item 1 has an exact pair with document c0, whose path has all that formats give a meaning to; a near one with c1,
 * whose path is no UTF-8, has a NUL and a mark that turns text around; item 2 is inside c7, which snippets has not;
 * item 3 has no pair.  c0's repository is a formula, c1's licence one of a megabyte. */
#define HOSTILE_PATH "a\tb\nc\rd\"e\",<f>&g\\h"
static const char exported_sql[] =
    "INSERT INTO datasets VALUES ('b', '', 'benchmark', 1), ('c', 'https://c', 'corpus', 0);"
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, split_within_dataset, source_id, "
    "path, repo, license, shard, record, matches, features, distinct_features, admitted, xxh128) VALUES "
    "(1, '', 'b', 'c', '[]', 0, 'test', 'b0', NULL, NULL, NULL, 'b.jsonl', 0, 2, 9, 9, 1, '1'),"
    "(2, '', 'b', 'c', '[]', 1, 'test', 'b1', 'x/b1.c', NULL, NULL, 'b.jsonl', 1, 0, 9, 9, 1, '2'),"
    "(3, '', 'b', 'c', '[]', 2, NULL, 'b2', NULL, NULL, NULL, 'b.jsonl', 2, 0, 9, 9, 0, '3'),"
    "(1000000000001, '', 'c', 'c', '[]', 0, NULL, 'c0', 'a' || char(9) || 'b' || char(10) || 'c' || char(13) || "
    "'d\"e\",<f>&g\\h', '=1+1', 'MIT', 't', 0, 1, 9, 9, 1, '1'),"
    "(1000000000002, '', 'c', 'c', '[]', 1, NULL, 'c1', CAST(x'FF4100E280AE1B' AS TEXT), 'o/r', hex(zeroblob(524288)), "
    "'t', 1, 0, 9, 9, 1, '6');"
    "INSERT INTO edges VALUES ('near', 1, 1000000000001, 'exact', 9, 9, 9, 9, 1, 1, 1, 1), "
    "('near', 1, 1000000000002, 'near', 8, 9, 8, 9, 8 / 9.0, 8 / 9.0, 0.9, 0.9);"
    "INSERT INTO clusters VALUES ('near', 1, 1), ('near', 1000000000001, 1), ('near', 1000000000002, 1);"
    "INSERT INTO function_pairs VALUES (2, 'c', 't', 7, 'c7', 'src/c7.c', '@o/r', 'MIT', 'permissive', 'f', NULL, 12, "
    "20, 100, 200, 'near', 9, 10, 9, 10, 0.9, 0.9, '');"
    "INSERT INTO dedup VALUES (1000000000001, 1, 2, 0, 9, 9), (1, 1, 2, 1, 9, 9);"
    "REPLACE INTO run VALUES ('version', '1.2.3'), ('digest', 'abcdef');";

/* What is exported, with a NUL behind it; or the error's code, with its text. */
static inline int exported(const struct made_graph *g, const struct export_request *request, struct bytes *out)
{
    struct export_sink sink;
    struct err         err = { 0 };
    uint64_t           rows;
    char               path[FILE_NAME_MAX], piece[4096];
    sqlite3           *db = made_read(g);
    FILE              *file;
    int                rc;

    out->len = 0;
    snprintf(path, sizeof path, "%s/exported", g->folder);
    assert_int_equal(export_sink_open(&sink, path, &err), 0);
    rc = export_rows(request, db, &sink, &rows, &err);
    if (rc == 0) rc = export_sink_commit(&sink, &err);
    export_sink_close(&sink);
    graph_close(db);
    if (rc < 0) assert_int_equal(bytes_append(out, err.text, strlen(err.text) + 1), 0);
    if (rc < 0) return rc;
    assert_non_null(file = fopen(path, "rb"));
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;) assert_int_equal(bytes_append(out, piece, n), 0);
    fclose(file);
    return bytes_append(out, "", 1);
}

static inline struct export_request request_of(const char *thing, const char *format)
{
    return (struct export_request){ .thing = export_thing_find(thing), .format = export_format_find(format),
                                    .header = true };
}

static inline void assert_says(const struct bytes *text, const char *part)
{
    if (!memmem(text->at, text->len, part, strlen(part))) fail_msg("not there: %s\nin %.3000s", part, text->at);
}

#endif
