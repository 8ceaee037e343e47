/* clean/capability.c -- datasets without what they share, as a capability; see capability/capability.h. */
#include "clean/task.h"

#include "clean/report.h"
#include "clone/task.h"

static bool clean_wants_items(const struct task *task) { (void)task; return true; }

static int clean_finish(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct clean_task    *clean = task->state;
    struct clean_columns  columns;
    const struct clean_job job = { .run = run, .columns = &columns, .outputs = clean->at, .output_count = clean->count,
                                   .clones = &clone_task(task->config)->job, .counts = build->counts,
                                   .small = &clone_task(task->config)->result.small };
    int                   rc;

    clean_columns_list(&columns, task->config);
    rc = clean_run(&job, &clean->result, err);
    if (rc == 0) rc = graph_add_rows(build, &table_cleaned, clean->result.cleaned, clean->result.count, err);
    if (rc == 0) rc = graph_add_rows(build, &table_cleaned_documents, clean->result.document,
                                     clean->result.document_count, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_cleaned_shards, clean->result.shard, clean->result.shard_count,
                                        err);
}

static void clean_release(struct task *task)
{
    struct clean_task *clean = task->state;

    clean_result_free(&clean->result);
    clean_settings_free(clean);
}

static const char *const clean_folders[] = { "cleaned", "lists", NULL };

static const struct gate clean_gates[] = {
    { "cleaned", "exit status 3 when an output of clean loses more than so many percent of a dataset's documents", NULL,
      "SELECT dataset, iif(EXISTS (SELECT 1 FROM datasets WHERE role = 'corpus'), '*', ''), sum(removed), "
      "sum(documents), sum(documents), sum(documents), printf('of %s is removed by "
      "the rule of %s', dataset, output) FROM cleaned WHERE kind IN ('removed', 'cut') GROUP BY output, kind, "
      "dataset ORDER "
      "BY min(rowid)", 0 },
    { .key = NULL },
};

static const struct terminal_table clean_answer[] = {
    { "cleaned datasets",
      "SELECT output, kind, dataset, split, documents, removed, removed_percent AS \"%\", cut, \"left\" FROM "
      "cleaned_outputs", "cleaned_outputs", "there are none" },
    { .title = NULL },
};

#define BY_OUTPUT "dataset, split, '', '', output || ' ' || kind"
static const struct change_part clean_changes[] = {
    { "clean",
      CHANGE_ROWS(BY_OUTPUT, "removed", "removed", "documents", "cleaned") " UNION ALL "
      CHANGE_ROWS(BY_OUTPUT, "cut", "cut", "documents", "cleaned"), false },
    { .key = NULL },
};

const struct capability clean_capability = {
    .name = "clean", .key = "clean", .traits = CAPABILITY_WRITES, .folders = clean_folders,
    .state_size = sizeof(struct clean_task), .read = clean_read, .print = clean_print, .help = clean_help,
    .gates = clean_gates, .answer = clean_answer, .tables = clean_tables, .changes = clean_changes,
    .wants_items = clean_wants_items, .finish = clean_finish,
    .report = { .advise = cleaned_advise, .add = cleaned_add }, .release = clean_release,
};
