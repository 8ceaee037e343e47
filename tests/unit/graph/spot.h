/* tests/unit/graph/spot.h -- a sample of a graph in a folder of the test's own: written, asked, changed, checked. */
#ifndef LEAKGRAPH_TESTS_UNIT_GRAPH_SPOT_H
#define LEAKGRAPH_TESTS_UNIT_GRAPH_SPOT_H

#include "tests/unit/sample_graph.h"

#include "graph/check.h"
#include "graph/edges.h"
#include "graph/ids.h"
#include "graph/read.h"
#include "graph/store.h"

struct spot { char folder[64], path[80], list[96]; };

static inline void place_open(struct spot *place)
{
    sample_folder(place->folder);
    snprintf(place->path, sizeof place->path, "%s/graph.db", place->folder);
    snprintf(place->list, sizeof place->list, "%s/" EDGES_FILE, place->folder);
}

static inline void write_sample(struct sample *sample, const struct spot *place, uint64_t edge_limit)
{
    char       digest[33], beside[33] = "";
    struct err err = { 0 };

    assert_int_equal(graph_digest(&sample->graph, digest, &err), 0);
    if (store_write(&sample->graph, capability_tables(), place->path, beside, edge_limit, 2, &err) < 0)
        fail_msg("%s", err.text);
    assert_string_equal(beside, digest);
}

static inline uint64_t count(const struct spot *place, const char *sql)
{
    struct err err = { 0 };
    sqlite3   *db;
    uint64_t   value = 0;

    if (graph_open(&db, place->path, &err) < 0 || graph_count(db, sql, &value, &err) < 0)
        fail_msg("%s: %s", sql, err.text);
    graph_close(db);
    return value;
}

static inline void change(const struct spot *place, const char *sql)
{
    sqlite3 *db;
    char    *message = NULL;

    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", sql, message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* What is said of each check. */
struct heard { size_t lines, wrong; char first[200]; };

static inline void hear(void *context, const char *check, const char *wrong)
{
    struct heard *heard = context;

    heard->lines++;
    if (wrong && heard->wrong++ == 0) snprintf(heard->first, sizeof heard->first, "%s", check);
}

static inline int check(const struct spot *place, struct heard *heard)
{
    const struct check_report report = { hear, heard };
    struct err                err = { 0 };

    *heard = (struct heard){ 0 };
    return check_graph(place->path, capability_tables(), &report, &err);
}

#endif
