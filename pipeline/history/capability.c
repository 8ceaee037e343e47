/* history/capability.c -- what changed since the runs before, as a capability; see capability/capability.h. */
#include "history/task.h"

#include "base/log.h"
#include "graph/read.h"
#include "graph/rows.h"
#include "graph/tables.h"
#include "history/report.h"
#include "history/tables.h"

#include <errno.h>
#include <stdlib.h>

/* What is compared, and the tables of the earlier run, of all capabilities. */
struct everything { const struct change_part **part; const struct graph_table **table; };

static int everything_list(const struct config *config, struct everything *out, struct err *err)
{
    size_t parts = 0, tables = 0;

    for (size_t t = 0; t < config->task_count; t++)
        for (size_t i = 0; config->task[t].of->tables && config->task[t].of->tables[i]; i++) tables++;
    out->part = calloc(config->task_count + 1, sizeof *out->part);
    out->table = calloc(tables + 1, sizeof *out->table);
    if (!out->part || !out->table) return err_memory(err, tables * sizeof *out->table, "tables");
    tables = 0;
    for (size_t t = 0; t < config->task_count; t++) {
        const struct capability *of = config->task[t].of;

        if (of->changes) out->part[parts++] = of->changes;
        for (size_t i = 0; of->tables && of->tables[i]; i++) out->table[tables++] = of->tables[i];
    }
    return 0;
}

/* An earlier run that cannot be read after all is as good as none. */
static int changes_look(const struct config *config, struct history_runs *runs, struct changes *changes, sqlite3 *now,
                        struct err *err)
{
    struct everything all = { 0 };
    sqlite3          *then = NULL;
    int               rc = everything_list(config, &all, err);

    if (rc == 0) rc = graph_open(&then, runs->latest, err);
    if (rc == 0) rc = graph_define_views(then, all.table, err);
    if (rc == 0) rc = changes_find(changes, all.part, then, now, err);
    graph_close(then);
    free(all.part);
    free(all.table);
    if (rc == 0 || rc == -ENOMEM) return rc;
    changes_free(changes);
    for (size_t i = 0; i < runs->count; i++) runs->run[i].compared = false;
    if (runs->unreadable++ == 0) snprintf(runs->reason, sizeof runs->reason, "%s", err->text);
    *err = (struct err){ 0 };
    return 0;
}

/* One line, however many there are: after another version of the program it is all of them. */
static void unreadable_warn(const struct history_runs *runs)
{
    if (runs->unreadable)
        log_warn("history: %llu earlier run%s cannot be read, as %s", (unsigned long long)runs->unreadable,
                 runs->unreadable == 1 ? "" : "s", runs->reason);
}

static int rows_give(sqlite3 *db, const struct graph_table *table, const void *rows, size_t count,
                     struct contents *given, struct err *err)
{
    const struct graph none = { 0 };

    return rows_add(db, &none, &(struct graph_rows){ table, rows, count, 0 }, given, err);
}

/* Rows of table run: how many runs there are before this one, and what was left out. */
static int counts_give(sqlite3 *db, const struct history_runs *runs, size_t earlier, struct contents *given,
                       struct err *err)
{
    struct settings settings = { 0 };
    int             rc;

    settings_add_number(&settings, "history.runs", earlier);
    settings_add_number(&settings, "history.unfinished", runs->unfinished);
    settings_add_number(&settings, "history.unreadable", runs->unreadable);
    settings_add_number(&settings, "history.unusable", runs->unusable);
    settings_add_number(&settings, "history.others", runs->others);
    if (*runs->reason) settings_add_text(&settings, "history.reason", slice_of(runs->reason));
    rc = settings.failed ? err_memory(err, sizeof *settings.row, "the history")
        : rows_give(db, &table_run, settings.row, settings.count, given, err);
    settings_free(&settings);
    return rc;
}

/* The graph is whole but for these rows, so that this run is read as the ones before were. */
static int history_ask(struct task *task, const struct run *run, sqlite3 *db, struct contents *given, struct err *err)
{
    const struct history_task  *history = task->state;
    const struct history_wanted wanted = { (const char *const *)history->runs, history->run_count, run->output,
                                           history->options.keep };
    struct history_runs         runs = { 0 };
    struct changes              changes = { .most = history->options.most };
    size_t                      earlier = 0;
    int                         rc = history_find(&runs, &wanted, db, err);

    if (rc == 0 && runs.latest) rc = changes_look(task->config, &runs, &changes, db, err);
    unreadable_warn(&runs);
    earlier = runs.count;
    if (rc == 0) rc = history_read(&runs, db, "", err);
    if (rc == 0) rc = counts_give(db, &runs, earlier, given, err);
    if (rc == 0) rc = rows_give(db, &table_history_runs, runs.run, runs.count, given, err);
    if (rc == 0) rc = rows_give(db, &table_history_leakage, runs.leak, runs.leaks, given, err);
    if (rc == 0) rc = rows_give(db, &table_changes, changes.at, changes.count, given, err);
    if (rc == 0) rc = rows_give(db, &table_changed_items, changes.item, changes.item_count, given, err);
    if (rc == 0)
        log_info("history: runs=%zu unfinished=%llu unreadable=%llu unusable=%llu others=%llu changes=%zu", earlier,
                 (unsigned long long)runs.unfinished, (unsigned long long)runs.unreadable,
                 (unsigned long long)runs.unusable, (unsigned long long)runs.others, changes.count);
    changes_free(&changes);
    history_runs_free(&runs);
    return rc;
}

static void history_release(struct task *task) { history_settings_free(task->state); }

const struct capability history_capability = {
    .name = "history", .key = "history", .traits = CAPABILITY_ASIDE, .state_size = sizeof(struct history_task),
    .read = history_settings_read, .print = history_settings_print, .help = history_settings_help,
    .tables = history_tables, .ask = history_ask,
    .report = { .summarise = history_summarise, .add = history_add }, .release = history_release,
};
