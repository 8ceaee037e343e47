/* cmd/verdict.c -- see verdict.h. */
#include "cmd/verdict.h"

#include "base/log.h"
#include "cmd/folder.h"
#include "config/capabilities.h"
#include "graph/read.h"
#include "report/report.h"
#include "report/visible.h"

#include <errno.h>
#include <stdio.h>

/* document: nothing is in it, but it knows what is masked. */
struct telling { bool quiet; struct report_document document; };

static void verdict_warn(void *context, const char *sentence)
{
    struct telling *t = context;

    log_warn("%s", report_copy(&t->document, slice_of(sentence)).at);
}

static void gate_say(void *context, enum gate_outcome outcome, const char *sentence)
{
    struct telling *t = context;
    struct bytes    line = { 0 };

    if (outcome != GATE_PASSED) verdict_warn(t, sentence);
    else if (!t->quiet && visible_append(&line, report_copy(&t->document, slice_of(sentence)), true) == 0)
        printf("%.*s\n", (int)line.len, line.at);
    bytes_free(&line);
}

int verdict_reach(const char *dir, bool quiet, bool *gate, struct err *err)
{
    enum gate_outcome worst = GATE_PASSED;
    struct telling    t = { .quiet = quiet };
    sqlite3          *db = NULL;
    char              path[FILE_NAME_MAX];
    int               rc = folder_find_graph(dir, path, err);

    *gate = false;
    report_open(&t.document, "");
    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_define_views(db, capability_tables(), err);
    if (rc == 0) rc = report_parts_open(&t.document, db, capability_reports(), err);
    if (rc == 0) rc = advice_give(db, capability_reports(), &(struct advice_listener){ verdict_warn, &t }, err);
    if (rc == 0) rc = gates_read_back(db, &(struct gate_reader){ gate_say, &t }, &worst, err);
    if (rc == 0 && t.document.failed) rc = err_memory(err, 1 << 10, "what the gates say");
    fflush(stdout);
    *gate = worst != GATE_PASSED;
    if (rc == 0) rc = advice_check_usable(db, capability_reports(), err);
    report_close(&t.document);
    graph_close(db);
    return rc;
}

bool verdict_usable(const char *dir)
{
    struct err err = { 0 };
    sqlite3   *db = NULL;
    char       path[FILE_NAME_MAX];
    int        rc = file_join(dir, "graph.db", path, &err);

    if (rc == 0) rc = graph_open(&db, path, &err);
    /* only what was asked and answered so: a graph.db that cannot be opened is not one of those */
    if (rc == 0) rc = advice_check_usable(db, capability_reports(), &err);
    else rc = 0;
    graph_close(db);
    return rc != -EBADMSG;
}
