/* tests/unit/made_graph.h -- a graph.db made by statements on the real schema, and what a capability's part of the
 * report says of it. */
#ifndef LEAKGRAPH_TESTS_UNIT_MADE_GRAPH_H
#define LEAKGRAPH_TESTS_UNIT_MADE_GRAPH_H

#include "config/capabilities.h"
#include "graph/graph.h"
#include "graph/read.h"
#include "report/report.h"
#include "tests/unit/folder.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct made_graph { char folder[64], path[80]; };

static inline void made_run(const struct made_graph *g, const char *sql)
{
    sqlite3 *db;
    char    *message = NULL;

    assert_int_equal(sqlite3_open(g->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", message, sql);
    sqlite3_close(db);
}

static inline void made_open(struct made_graph *g, const char *sql)
{
    const struct graph empty = { 0 };
    char               digest[33], folder[] = "/tmp/leakgraph-made-XXXXXX";
    struct err         err = { 0 };

    assert_non_null(mkdtemp(folder));
    snprintf(g->folder, sizeof g->folder, "%s", folder);
    snprintf(g->path, sizeof g->path, "%s/graph.db", folder);
    assert_int_equal(graph_digest(&empty, digest, &err), 0);
    if (graph_write(&empty, capability_tables(), g->path, digest, 1, &err) < 0) fail_msg("%s", err.text);
    made_run(g, sql);
}

static inline void made_close(const struct made_graph *g) { remove_tree(g->folder); }

static inline sqlite3 *made_read(const struct made_graph *g)
{
    sqlite3   *db;
    struct err err = { 0 };

    if (graph_open(&db, g->path, &err) < 0) fail_msg("%s", err.text);
    return db;
}

/* What the part alone adds to a report: Markdown with a NUL behind it, to be freed, and JSON, to be deleted. */
struct made_report { struct bytes markdown; cJSON *json; };

static inline void made_report(const struct made_graph *g, const struct report_part *part, struct made_report *out)
{
    struct report_document document;
    struct bytes           json = { 0 };
    struct err             err = { 0 };
    sqlite3               *db = made_read(g);

    *out = (struct made_report){ 0 };
    report_open(&document, "Report");
    if ((part->open && part->open(&document, db, &err) < 0) ||
        (part->judge && part->judge(&document, document.root, db, &err) < 0) ||
        (part->summarise && part->summarise(&document, document.root, db, &err) < 0) ||
        (part->add && part->add(&document, db, &err) < 0)) fail_msg("%s", err.text);
    graph_close(db);                                        /* nothing in the document borrows from it */
    assert_int_equal(report_markdown(&document, &out->markdown), 0);
    assert_int_equal(report_json(&document, &json), 0);
    assert_int_equal(bytes_append(&out->markdown, "", 1), 0);
    assert_int_equal(bytes_append(&json, "", 1), 0);
    out->json = cJSON_Parse(json.at);
    assert_non_null(out->json);
    /* whatever the graph holds is shown, never obeyed */
    assert_null(strchr(out->markdown.at, '\x1b'));
    assert_null(strstr(out->markdown.at, "<script"));
    bytes_free(&json);
    report_close(&document);
}

static inline void made_report_free(struct made_report *report)
{
    bytes_free(&report->markdown);
    cJSON_Delete(report->json);
}

static inline void made_says(const struct made_report *report, const char *text)
{
    if (!strstr(report->markdown.at, text)) fail_msg("not said: %s\n%s", text, report->markdown.at);
}

static inline void made_silent(const struct made_report *report, const char *text)
{
    if (strstr(report->markdown.at, text)) fail_msg("said: %s\n%s", text, report->markdown.at);
}

/* What stands in the JSON at "sensitive.kinds.0.dataset", printed without white space; "" when nothing does. */
static inline void made_json(const struct made_report *report, const char *path, const char *expected)
{
    const cJSON *at = report->json;
    char         name[64], *text = NULL;
    const char  *rest = path;

    for (size_t len; at && *rest; rest += len + (rest[len] == '.')) {
        len = strcspn(rest, ".");
        snprintf(name, sizeof name, "%.*s", (int)len, rest);
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(name)) : cJSON_GetObjectItemCaseSensitive(at, name);
    }
    if (at) text = cJSON_PrintUnformatted(at);
    if (strcmp(text ? text : "", expected) != 0) fail_msg("%s: %s, not %s", path, text ? text : "nothing", expected);
    cJSON_free(text);
}

/* All sentences of a part's warnings, each with a line's end. */
static inline void made_hear(void *context, const char *sentence)
{
    assert_int_equal(bytes_printf(context, "%s\n", sentence), 0);
}

static inline void made_advises(const struct made_graph *g, const struct report_part *part, const char *expected)
{
    struct bytes heard = { 0 };
    struct err   err = { 0 };
    sqlite3     *db = made_read(g);

    if (part->advise(db, &(struct advice_listener){ made_hear, &heard }, &err) < 0) fail_msg("%s", err.text);
    graph_close(db);
    assert_int_equal(bytes_append(&heard, "", 1), 0);
    assert_string_equal(heard.at, expected);
    bytes_free(&heard);
}

#endif
