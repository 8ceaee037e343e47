/* cmd/verdict.c -- see verdict.h. */
#include "cmd/verdict.h"

#include "base/log.h"
#include "cmd/folder.h"
#include "config/capabilities.h"
#include "graph/read.h"
#include "report/visible.h"

#include <errno.h>
#include <stdio.h>

static void verdict_warn(void *context, const char *sentence)
{
    (void)context;
    log_warn("%s", sentence);
}

static void gate_say(void *quiet, enum gate_outcome outcome, const char *sentence)
{
    struct bytes line = { 0 };

    if (outcome != GATE_PASSED) log_warn("%s", sentence);
    else if (!*(const bool *)quiet && visible_append(&line, slice_of(sentence), true) == 0)
        printf("%.*s\n", (int)line.len, line.at);
    bytes_free(&line);
}

int verdict_reach(const char *dir, bool quiet, bool *gate, struct err *err)
{
    enum gate_outcome worst = GATE_PASSED;
    sqlite3          *db = NULL;
    char              path[FILE_NAME_MAX];
    int               rc = folder_find_graph(dir, path, err);

    *gate = false;
    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_define_views(db, capability_tables(), err);
    if (rc == 0) rc = advice_give(db, capability_reports(), &(struct advice_listener){ verdict_warn, NULL }, err);
    if (rc == 0) rc = gates_read_back(db, &(struct gate_reader){ gate_say, &quiet }, &worst, err);
    fflush(stdout);
    *gate = worst != GATE_PASSED;
    if (rc == 0) rc = advice_check_usable(db, capability_reports(), err);
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
