/* export/datasette: it is JSON, names what is there and nothing else, and its queries run. */
#include "export/whole.h"

#include "tests/unit/export/exported.h"

static cJSON *metadata(const struct made_graph *g)
{
    struct export_sink sink = { .file = -1 };
    struct err         err = { 0 };
    sqlite3           *db = made_read(g);
    cJSON             *made;

    assert_int_equal(export_datasette.write(db, capability_tables(), &sink, &err), 0);
    assert_int_equal(bytes_append(&sink.buffer, "", 1), 0);
    made = cJSON_Parse(sink.buffer.at);
    assert_non_null(made);
    export_sink_close(&sink);
    graph_close(db);
    return made;
}

static void prepares(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *query;
    struct err    err = { 0 };

    if (graph_prepare(db, &query, sql, &err) < 0) fail_msg("%s: %s", sql, err.text);
    assert_true(graph_step(query, &err) >= 0);
    graph_finish(query);
}

static void test_names(void **state)
{
    struct made_graph g;
    sqlite3          *db;
    cJSON            *made;
    const cJSON      *graph, *one, *column;
    uint64_t          relations, told = 0;
    struct err        err = { 0 };
    char              sql[400];

    (void)state;
    made_open(&g, exported_sql);
    made = metadata(&g);
    db = made_read(&g);
    graph = cJSON_GetObjectItem(cJSON_GetObjectItem(made, "databases"), "graph");
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(graph, "tables")) {
        assert_true(cJSON_IsString(cJSON_GetObjectItem(one, "description")));
        cJSON_ArrayForEach(column, cJSON_GetObjectItem(one, "columns")) {
            snprintf(sql, sizeof sql, "SELECT \"%s\".\"%s\" FROM \"%s\"", one->string, column->string, one->string);
            prepares(db, sql);
        }
        cJSON_ArrayForEach(column, cJSON_GetObjectItem(one, "units")) {
            snprintf(sql, sizeof sql, "SELECT \"%s\".\"%s\" FROM \"%s\"", one->string, column->string, one->string);
            prepares(db, sql);
        }
        told++;
    }
    assert_int_equal(graph_count(db, "SELECT count(*) FROM sqlite_schema WHERE type IN ('table', 'view')", &relations,
                                 &err), 0);
    assert_int_equal(told, relations);                      /* all of them, each once */
    assert_non_null(cJSON_GetObjectItem(graph, "queries")->child);
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(graph, "queries"))
        prepares(db, cJSON_GetObjectItem(one, "sql")->valuestring);
    graph_close(db);
    cJSON_Delete(made);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_names) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
