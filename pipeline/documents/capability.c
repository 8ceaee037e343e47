/* documents/capability.c -- counts of what was read for a run without joins, and the benchmarks' items as they are
 * where a capability asks them and no join stores them; see capability/capability.h. */
#include "documents/task.h"

#include "documents/tables.h"
#include "graph/read.h"

#include <stdio.h>

static int documents_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct documents_task *documents = config_state(config, &documents_capability);

    (void)root, (void)name, (void)err;
    documents->view = (struct view_options){ .kind = VIEW_IDENTIFIERS, .across_languages = config->across_languages,
                                             .published = config->published };
    return 0;
}

static int documents_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct documents_task *documents = task->state;

    (void)pass;
    documents->job = (struct item_job){ .run = run, .view = &documents->view };
    documents->wanted = config_wants_items(task->config) && !config_has_trait(task->config, CAPABILITY_ITEMS);
    return documents->wanted ? item_collect(&documents->job, err) : 0;
}

static int documents_leave(struct task *task, const struct run *run, const struct pass *pass, bool well,
                           struct err *err)
{
    struct documents_task *documents = task->state;

    (void)run, (void)well, (void)err;
    pass_totals_add(&documents->job.totals, &pass->totals);
    return 0;
}

static const struct pass_totals *documents_totals(const struct task *task)
{
    const struct documents_task *documents = task->state;

    return documents->wanted ? &documents->job.totals : NULL;
}

static int documents_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct documents_task *documents = task->state;

    (void)run;
    return documents->wanted ? pass_add(pass, item_collector(&documents->job), err) : 0;
}

/* Each shard is told by the first scanner that took it, in the pass or outside. */
static int documents_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct documents_task *documents = task->state;
    const struct config    *config = task->config;
    struct pass             pass = { .run = run };
    int                     rc = 0;

    if (config_has_trait(config, CAPABILITY_DOCUMENTS)) return 0;
    for (size_t t = 0; t < config->task_count && rc == 0; t++)
        if (config->task[t].on && config->task[t].of->count)
            rc = config->task[t].of->count(&config->task[t], run, &pass, err);
    if (rc == 0) rc = counts_read(&documents->counts, &pass, run->shards, err);
    if (rc == 0) rc = graph_build_counts(build, run->datasets, run->dataset_count, &documents->counts, err);
    if (rc == 0 && documents->wanted) rc = item_result_read(&documents->job, &documents->result, err);
    if (rc == 0 && documents->wanted) rc = graph_add_items(build, &documents->result, &documents->counts, err);
    return rc;
}

/* Is every item of a benchmark in the graph?  fsck counts them then. */
static void documents_tell(const struct task *task, struct settings *settings)
{
    const struct documents_task *documents = task->state;
    const bool                   stored = documents->wanted || config_has_trait(task->config, CAPABILITY_ITEMS);

    settings_add_text(settings, "items", stored ? SLICE("stored") : SLICE("not stored"));
}

/* One reject may stand for most of a shard: of each dataset that lost some to damage, the bytes of its files. */
static int lost_measure(sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    sqlite3_stmt *query = NULL;
    char          clause[160];
    int           rc = graph_prepare(db, &query,
                                     "SELECT dataset, sum(lost), sum(bytes + missing), sum(records) FROM shards "
                                     "GROUP BY dataset HAVING sum(lost) > 0 ORDER BY min(rowid)", err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct gate_finding found = { .source = graph_text(query, 0), .clause = clause };

        found.percent = gate_percent(graph_number(query, 1), graph_number(query, 2));
        found.compared = found.whole = graph_number(query, 3);
        snprintf(clause, sizeof clause, "%.*s lost %.3f %% of its bytes to damage",
                 (int)(found.source.len < 80 ? found.source.len : 80), found.source.at, found.percent);
        to->hear(to->context, &found);
        rc = 0;
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* Of the records of each dataset: a large one would hide a small one that is lost. */
static int dataset_rejects_measure(sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    sqlite3_stmt *query = NULL;
    char          clause[160];
    int           rc = graph_prepare(db, &query,
                                     "SELECT dataset, sum(rejected), sum(documents + rejected) FROM splits WHERE "
                                     "(SELECT count(*) FROM datasets) > 1 GROUP BY dataset HAVING sum(rejected) > 0 "
                                     "ORDER BY min(rowid)", err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct gate_finding found = { .source = graph_text(query, 0), .clause = clause };

        found.percent = gate_percent(graph_number(query, 1), graph_number(query, 2));
        found.compared = found.whole = graph_number(query, 2);
        snprintf(clause, sizeof clause, "%.3f %% of the records of %.*s were rejected", found.percent,
                 (int)(found.source.len < 80 ? found.source.len : 80), found.source.at);
        to->hear(to->context, &found);
        rc = 0;
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* Of all records; those that could not be used were looked at too. */
static int rejects_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    uint64_t            records = 0, rejected = 0;
    char                clause[64];
    struct gate_finding found = { .clause = clause };
    int                 rc = graph_count(db, "SELECT sum(documents + rejected) FROM splits", &records, err);

    (void)task;
    if (rc == 0) rc = graph_count(db, "SELECT sum(rejected) FROM splits", &rejected, err);
    found.compared = found.whole = records;
    found.percent = gate_percent(rejected, records);
    snprintf(clause, sizeof clause, "%.3f %% of the records were rejected", found.percent);
    if (rc == 0) to->hear(to->context, &found);
    if (rc == 0) rc = dataset_rejects_measure(db, to, err);
    return rc == 0 ? lost_measure(db, to, err) : rc;
}

static const struct gate documents_gates[] = {
    { "rejects", "exit status 3 above so many percent of all records, of a dataset's records, or of its bytes lost "
      "to damage",
      rejects_measure, NULL, 0 },
    { .key = NULL },
};

static void documents_release(struct task *task)
{
    struct documents_task *documents = task->state;

    item_result_free(&documents->result);
    counts_free(&documents->counts);
}

const struct capability documents_capability = {
    .name = "documents", .state_size = sizeof(struct documents_task), .read = documents_read,
    .gates = documents_gates, .enter = documents_enter, .leave = documents_leave, .totals = documents_totals,
    .count = documents_count, .collect = documents_collect, .tell = documents_tell,
    .release = documents_release,
};
