/* sensitive/capability.c -- e-mail addresses, IP addresses and keys as a capability; see capability/capability.h. */
#include "sensitive/task.h"

#include "base/log.h"
#include "sensitive/report.h"
#include "sensitive/tables.h"

#include <stdio.h>
#include <string.h>

static int pass_scanners(const struct sensitive_job *job, struct pass *pass, struct err *err)
{
    int rc = sensitive_has_member(job, ROLE_BENCHMARK) ? pass_add(pass, sensitive_searcher(job), err) : 0;

    return rc < 0 || !sensitive_has_member(job, ROLE_CORPUS) ? rc
        : pass_add(pass, sensitive_collector(job, ROLE_CORPUS), err);
}

static int sensitive_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct sensitive_task *sensitive = task->state;
    int                     rc;

    sensitive->job = (struct sensitive_job){ .run = run, .options = &sensitive->options, .member = sensitive->member };
    if (run->store_text && (config_has_trait(task->config, CAPABILITY_TEXTS) || config_wants_items(task->config)))
        log_warn("sensitive: graph.db has texts, with the strings as they are, for the other passes; `graph: {store: "
                 "none}` leaves them out");
    rc = sensitive_prepare(&sensitive->job, err);
    return rc < 0 ? rc : pass_scanners(&sensitive->job, pass, err);
}

static int sensitive_leave(struct task *task, const struct run *run, const struct pass *pass, bool well,
                           struct err *err)
{
    (void)run, (void)well, (void)err;
    pass_totals_add(&((struct sensitive_task *)task->state)->job.totals, &pass->totals);
    return 0;
}

static const struct pass_totals *sensitive_totals(const struct task *task)
{
    return &((const struct sensitive_task *)task->state)->job.totals;
}

static int sensitive_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    const struct sensitive_job *job = &((struct sensitive_task *)task->state)->job;
    int                         rc = pass_scanners(job, pass, err);

    (void)run;
    return rc < 0 ? rc : pass_add(pass, sensitive_collector(job, ROLE_BENCHMARK), err);
}

static int sensitive_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct sensitive_task *sensitive = task->state;
    int                     rc = sensitive_result_read(&sensitive->job, &sensitive->result, err);

    (void)run;
    return rc < 0 ? rc : graph_add_sensitive(build, &sensitive->result, err);
}

static void sensitive_tell(const struct task *task, struct settings *settings)
{
    const struct sensitive_options *o = &((const struct sensitive_task *)task->state)->options;
    char                            kinds[SENSITIVE_KINDS * 8] = "";

    for (int k = 0; k < SENSITIVE_KINDS; k++)
        if (o->kind[k])
            snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), "%s%s", *kinds ? " " : "",
                     sensitive_names[k]);
    settings_add_text(settings, "sensitive.kinds", slice_of(kinds));
    settings_add_bool(settings, "sensitive.local", o->local);
    settings_add_bool(settings, "sensitive.example", o->example);
}

static void sensitive_free(struct task *task)
{
    struct sensitive_task *sensitive = task->state;

    sensitive_result_free(&sensitive->result);
    sensitive_release(&sensitive->job);
    sensitive_settings_free(sensitive);
}

/* ---- gates ---- */

static const char in_corpora_sql[] =
    "SELECT d.id, '*', (SELECT count(DISTINCT xxh128) FROM sensitive WHERE dataset = d.id AND corpus_occurrences > 0), "
    "max(1, (SELECT count(DISTINCT xxh128) FROM sensitive WHERE dataset = d.id)), w.documents, w.whole, "
    "printf('of the sensitive values of %s are in a corpus', d.id) FROM datasets AS d JOIN " GATE_RECORDS " AS w ON "
    "w.dataset = d.id WHERE d.role = 'benchmark' AND d.id = ?1";
static const char values_sql[] =
    "SELECT d.id, '', (SELECT count(DISTINCT xxh128) FROM sensitive WHERE dataset = d.id), w.documents, w.documents, "
    "w.whole, printf('is what the sensitive values of %s are of its documents', d.id) FROM datasets AS d JOIN "
    GATE_RECORDS " AS w ON w.dataset = d.id WHERE d.id = ?1";

/* Of each dataset whose values were collected, also where there are none. */
static int members_ask(const struct task *task, sqlite3 *db, const char *sql, const struct gate_listener *to,
                       struct err *err)
{
    const struct sensitive_task *sensitive = task->state;
    int                          rc = 0;

    for (size_t d = 0; d < task->config->dataset_count && rc == 0; d++)
        if (sensitive->member[d]) rc = gate_ask(db, sql, slice_of(task->config->datasets[d].name), to, err);
    return rc;
}

static int in_corpora_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    return members_ask(task, db, in_corpora_sql, to, err);
}

static int values_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    return members_ask(task, db, values_sql, to, err);
}

static const struct gate sensitive_gates[] = {
    { "sensitive", "exit status 3 when more than so many percent of a benchmark's different sensitive values are in a "
      "corpus", in_corpora_measure, NULL, 0 },
    { "sensitive_values", "exit status 3 when a dataset has more than so many different sensitive values for every "
      "hundred of its documents, 100 at most; 0: any is too many", values_measure, NULL, 0 },
    { .key = NULL },
};

static const struct terminal_table sensitive_answer[] = {
    { "sensitive values, and how many of them a corpus has",
      "SELECT dataset, kind, pattern, \"distinct\" AS \"values\", occurrences, in_corpus AS \"in a corpus\" FROM "
      "sensitive_kinds UNION ALL SELECT dataset, kind, pattern, \"distinct\", occurrences, NULL FROM sensitive_alone",
      "sensitive_kinds", "there are none" },
    { .title = NULL },
};

#define BY_KIND "dataset, '', '', '', rtrim(kind || ' ' || pattern)"
#define OF_VALUES "sensitive GROUP BY dataset, kind, pattern"
static const struct change_part sensitive_changes[] = {
    { "sensitive",
      CHANGE_ROWS(BY_KIND, "values", "count(DISTINCT xxh128)", "NULL", OF_VALUES) " UNION ALL "
      CHANGE_ROWS(BY_KIND, "in a corpus", "count(DISTINCT iif(corpus_occurrences > 0, xxh128, NULL))",
                  "count(DISTINCT xxh128)", OF_VALUES), false },
    { .key = NULL },
};

const struct capability sensitive_capability = {
    .name = "sensitive", .key = "sensitive", .brief = "the search for e-mail addresses, IP addresses and keys",
    .traits = CAPABILITY_CORPORA, .state_size = sizeof(struct sensitive_task),
    .gates = sensitive_gates, .answer = sensitive_answer, .tables = sensitive_tables, .changes = sensitive_changes,
    .read = sensitive_read, .print = sensitive_print, .help = sensitive_help, .enter = sensitive_enter,
    .leave = sensitive_leave, .totals = sensitive_totals, .count = sensitive_count, .collect = sensitive_collect,
    .tell = sensitive_tell, .report = { .open = sensitive_report_open, .add = sensitive_add },
    .release = sensitive_free,
};
