/* cmd/verdict.c -- see verdict.h. */
#include "cmd/verdict.h"

#include "base/log.h"
#include "cmd/folder.h"
#include "config/capabilities.h"
#include "graph/read.h"

static void verdict_warn(void *context, const char *sentence)
{
    (void)context;
    log_warn("%s", sentence);
}

struct gate_asked { const struct gate *gate; double limit; bool *passed; };

static void gate_hear(void *context, double percent, const char *clause)
{
    const struct gate_asked *asked = context;

    if (percent <= asked->limit) return;
    log_warn("gate fail_on.%s: %s, more than %g %%", asked->gate->key, clause, asked->limit);
    *asked->passed = true;
}

static int gates_ask(const struct task *task, sqlite3 *db, bool *passed, struct err *err)
{
    int rc = 0;

    for (size_t g = 0; rc == 0 && task->of->gates && task->of->gates[g].key; g++) {
        struct gate_asked asked = { &task->of->gates[g], task->limit[g], passed };

        if (task->limit[g] >= 0)
            rc = asked.gate->measure(task, db, &(struct gate_listener){ gate_hear, &asked }, err);
    }
    return rc;
}

int verdict_reach(const struct config *config, const char *dir, bool *gate, struct err *err)
{
    sqlite3 *db = NULL;
    char     path[FILE_NAME_MAX];
    int      rc = folder_find_graph(dir, path, err);

    *gate = false;
    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = advice_give(db, capability_reports(), &(struct advice_listener){ verdict_warn, NULL }, err);
    for (size_t t = 0; t < config->task_count && rc == 0; t++)
        if (config->task[t].on) rc = gates_ask(&config->task[t], db, gate, err);
    if (rc == 0) rc = advice_check_usable(db, capability_reports(), err);
    graph_close(db);
    return rc;
}
