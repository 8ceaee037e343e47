/* function/capability.c -- functions inside files as a capability; see capability/capability.h. */
#include "function/task.h"

#include "base/log.h"
#include "function/report.h"
#include "function/tables.h"
#include "near/task.h"

#include <stdlib.h>

static int function_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct function_task *function = task->state;
    int                   rc;

    function_release(&function->job);                       /* of a pass before */
    function->job = (struct function_job){ .run = run, .near = &near_task(task->config)->job };
    if (!config_has(task->config, &near_capability)) return 0;
    rc = function_prepare(&function->job, err);
    return rc < 0 || !function_any(&function->job) ? rc : pass_add(pass, function_scanner(&function->job), err);
}

static int function_leave(struct task *task, const struct run *run, const struct pass *pass, bool well, struct err *err)
{
    const struct function_job *job = &((const struct function_task *)task->state)->job;

    (void)run, (void)pass, (void)err;
    if (well && function_any(job))
        log_info("functions: %llu of %llu items are functions; corpora were compared in theirs too",
                 (unsigned long long)job->functions, (unsigned long long)job->items);
    return 0;
}

static int told_log(const struct functions_told *told, struct err *err)
{
    struct bytes words = { 0 };
    const int    rc = functions_told_say(told, &words) < 0 ? err_memory(err, 256, "a line of the log") : 0;

    if (rc == 0) log_info("functions: exact: %.*s", (int)words.len, words.at);
    bytes_free(&words);
    return rc;
}

static int function_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct function_task   *function = task->state;
    const struct near_task *near = near_task(task->config);
    int                     rc;

    (void)run;
    if (!function_any(&function->job)) return 0;
    rc = function_result_read(&function->job, &near->result.residents, near->options.max_matches, &function->result,
                              err);
    if (rc == 0 && near->options.view.functions == FUNCTIONS_EXACT) rc = told_log(&function->result.told, err);
    return rc < 0 ? rc
        : graph_add_functions(build, &function->job, &near->result.residents, &function->result, err);
}

/* Which corpora were compared in functions, and why. */
static void function_tell(const struct task *task, struct settings *settings)
{
    const struct function_job *job = &((const struct function_task *)task->state)->job;
    const struct functions_told *told = &((const struct function_task *)task->state)->result.told;
    struct bytes               names = { 0 };

    if (!function_any(job)) return;
    for (size_t d = 0; d < job->run->dataset_count; d++)
        if (job->compared[d] && bytes_printf(&names, "%s%s", names.len ? " " : "", job->run->datasets[d].name) < 0)
            settings->failed = true;
    settings_add_text(settings, "functions.datasets", bytes_slice(&names));
    settings_add_number(settings, "functions.items", job->functions);
    if (job->near->options->view.functions == FUNCTIONS_EXACT) {
        settings_add_number(settings, "functions.parsed", told->parsed);
        settings_add_number(settings, "functions.parsed_with_errors", told->wrong);
        settings_add_number(settings, "functions.parse_errors", told->errors);
        settings_add_number(settings, "functions.given_up", told->given_up);
        settings_add_number(settings, "functions.without_parser", told->fast);
    }
    bytes_free(&names);
}

static void function_free(struct task *task)
{
    struct function_task *function = task->state;

    function_release(&function->job);
    function_result_free(&function->result);
}

/* ---- what rules and gates may ask ---- */

static const struct rule_column function_columns[] = {
    { "in_functions", "f.functions", 0,
      "SELECT kind, set_similarity, dataset, shard, record, path FROM function_pairs WHERE item = ?1 ORDER BY rowid" },
    { NULL, NULL, 0, NULL },
};

static const char *function_lacks(const struct config *config, size_t column)
{
    (void)column;
    if (!config_has(config, &near_capability)) return "near_duplicates";
    if (!view_has_functions(&near_task(config)->options.view)) return "a view of identifiers or tokens";
    for (size_t d = 0; d < config->dataset_count; d++)
        if (near_in_functions(&config->datasets[d])) return NULL;
    return "a corpus that is streamed, with `unit: auto` or `unit: function`";
}

static const char *function_gate_lacks(const struct config *config, const struct gate *gate)
{
    (void)gate;
    return function_lacks(config, 0);
}

/* Of the corpora that were compared in functions: the others were not looked at. */
static const struct gate function_gates[] = {
    { "functions", "exit status 3 when more than so many percent of a benchmark's documents are like a function of a "
      "corpus's file", NULL,
      "SELECT f.source, f.target, f.items, f.documents, f.documents, w.whole, printf('of %s is like functions of %s', "
      "f.source, f.target) FROM function_leakage AS f JOIN " GATE_RECORDS " AS w ON w.dataset = f.source WHERE "
      "instr(' ' || (SELECT value FROM run WHERE key = 'functions.datasets') || ' ', ' ' || f.target || ' ')", 0 },
    { .key = NULL },
};

static const struct terminal_table function_answer[] = {
    { "functions inside files: items of the benchmarks that a function of a corpus is like",
      "SELECT source AS benchmark, target AS corpus, documents, items, percent AS \"%\", only_in_functions AS \"not in "
      "files\", functions FROM function_leakage WHERE EXISTS (SELECT 1 FROM run WHERE key = 'functions.datasets')",
      "function_leakage", NULL },
    { .title = NULL },
};

#define BY_CORPUS "source, '', target, '', ''"
static const struct change_part function_changes[] = {
    { "functions",
      CHANGE_ONCE("function_leakage")
      CHANGE_ROWS(BY_CORPUS, "items", "items", "documents", "once") " UNION ALL "
      CHANGE_ROWS(BY_CORPUS, "items only in functions", "only_in_functions", "documents", "once"), false },
    { .key = NULL },
};

const struct capability function_capability = {
    .name = "functions", .after = &near_capability, .state_size = sizeof(struct function_task),
    .gates = function_gates, .gate_lacks = function_gate_lacks,
    .unmeasured = "no corpus was compared in functions: `unit: auto` does where half of the items are some",
    .answer = function_answer, .tables = function_tables, .changes = function_changes,
    .rules = { function_columns, "in_functions AS (SELECT item, sum(functions) AS functions FROM function_items GROUP "
               "BY item)", "LEFT JOIN in_functions AS f ON f.item = s.id", function_lacks, NULL },
    .enter = function_enter, .leave = function_leave, .collect = function_collect, .tell = function_tell,
    .report = { .summarise = functions_add_summary, .add = functions_add }, .release = function_free,
};
