/* passage/capability.c -- passages of documents as a capability; see capability/capability.h. */
#include "passage/task.h"

#include "base/log.h"
#include "near/task.h"
#include "passage/report.h"
#include "passage/tables.h"

static bool is_on(const struct config *config)
{
    bool benchmarks = false, corpora = false;

    for (size_t d = 0; d < config->dataset_count; d++) {
        benchmarks |= config->datasets[d].role == ROLE_BENCHMARK;
        corpora |= config->datasets[d].role == ROLE_CORPUS;
    }
    return config_has(config, &near_capability) && passage_on(&near_task(config)->options) && benchmarks && corpora;
}

static int passage_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct passage_job *job = &((struct passage_task *)task->state)->job;
    int                 rc;

    *job = (struct passage_job){ .run = run, .near = &near_task(task->config)->job };
    if (!is_on(task->config)) return 0;
    rc = passage_prepare(job, err);
    return rc < 0 ? rc : pass_add(pass, passage_scanner(job), err);
}

static int passage_leave(struct task *task, const struct run *run, const struct pass *pass, bool well, struct err *err)
{
    (void)run, (void)pass, (void)well, (void)err;
    passage_release(&((struct passage_task *)task->state)->job);
    return 0;
}

static int passage_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct passage_task *passage = task->state;
    int                  rc;

    (void)run;
    if (!is_on(task->config)) return 0;
    rc = passage_result_read(&passage->job, near_task(task->config)->options.max_matches, &passage->result, err);
    return rc < 0 ? rc : graph_add_passages(build, &passage->job, &passage->result, err);
}

static void number_of(struct settings *settings, const char *dataset, uint64_t number)
{
    struct bytes key = { 0 };

    if (bytes_printf(&key, "passages.compared.%s", dataset) < 0 || bytes_append(&key, "", 1) < 0)
        settings->failed = true;
    else settings_add_number(settings, key.at, number);
    bytes_free(&key);
}

static void passage_tell(const struct task *task, struct settings *settings)
{
    const struct passage_task   *passage = task->state;
    const struct near_options   *o = &near_task(task->config)->options;
    const struct passage_result *result = &passage->result;
    uint64_t                     below = 0;

    if (!is_on(task->config)) return;
    settings_add_ratio(settings, "passages.share", o->passages);
    settings_add_number(settings, "passages.run", o->passage_run);
    settings_add_number(settings, "passages.least", o->passage_least);
    for (size_t d = 0; d < passage->job.run->dataset_count; d++) {
        const struct dataset *dataset = &passage->job.run->datasets[d];

        if (dataset->role != ROLE_BENCHMARK || !result->index.all) continue;
        below += result->index.below[d];
        number_of(settings, dataset->name, result->index.all[d] - result->index.below[d]);
    }
    settings_add_number(settings, "passages.below", below);
    settings_add_number(settings, "passages.decoys", result->index.decoys);
    settings_add_number(settings, "passages.decoys_reached", result->decoys_reached);
    settings_add_number(settings, "passages.tested", result->chance.tested);
    settings_add_number(settings, "passages.reached", result->chance.reached);
}

static void passage_free(struct task *task) { passage_result_free(&((struct passage_task *)task->state)->result); }

/* ---- what rules and gates may ask ---- */

static const struct rule_column passage_columns[] = {
    { "in_passages", "g.documents", 0,
      "SELECT 'contained', share, dataset, shard, record, path FROM passages WHERE item = ?1 ORDER BY rowid" },
    { NULL, NULL, 0, NULL },
};

static const char *passage_lacks(const struct config *config, size_t column)
{
    (void)column;
    return is_on(config) ? NULL : "near_duplicates.passages";
}

static const char *passage_gate_lacks(const struct config *config, const struct gate *gate)
{
    (void)gate;
    return passage_lacks(config, 0);
}

static const struct gate passage_gates[] = {
    { "passages", "exit status 3 when more than so many percent of a benchmark's documents stand in documents of a "
      "corpus (near_duplicates.passages)", NULL,
      "SELECT f.source, f.target, f.items, f.documents, f.compared, w.whole, printf('of %s stands in documents of %s', "
      "f.source, f.target) FROM passage_leakage AS f JOIN " GATE_RECORDS " AS w ON w.dataset = f.source WHERE "
      "f.compared "
      "IS NOT NULL", 0 },
    { .key = NULL },
};

static const struct terminal_table passage_answer[] = {
    { "passages: items of the benchmarks that stand in documents of a corpus",
      "SELECT source AS benchmark, target AS corpus, documents, compared AS \"long enough\", items AS found, percent "
      "AS "
      "\"%\", only_passages AS \"no other way\" FROM passage_leakage WHERE compared IS NOT NULL",
      "passage_leakage", NULL },
    { .title = NULL },
};

#define BY_CORPUS "source, '', target, '', ''"
static const struct change_part passage_changes[] = {
    { "passages",
      CHANGE_ONCE("passage_leakage")
      CHANGE_ROWS(BY_CORPUS, "items", "items", "documents", "once") " UNION ALL "
      CHANGE_ROWS(BY_CORPUS, "items only as passages", "only_passages", "documents", "once"), false },
    { .key = NULL },
};

const struct capability passage_capability = {
    .name = "passages", .after = &near_capability, .state_size = sizeof(struct passage_task),
    .gates = passage_gates, .gate_lacks = passage_gate_lacks, .answer = passage_answer, .tables = passage_tables,
    .changes = passage_changes,
    .rules = { passage_columns, "in_passages AS (SELECT item, sum(documents) AS documents FROM passage_items GROUP BY "
               "item)", "LEFT JOIN in_passages AS g ON g.item = s.id", passage_lacks, NULL },
    .enter = passage_enter, .leave = passage_leave, .collect = passage_collect, .tell = passage_tell,
    .report = { .summarise = passages_add_summary, .add = passages_add }, .release = passage_free,
};
