/* compliance/capability.c -- licensed functions that models give away, as a capability; see capability/capability.h. */
#include "compliance/task.h"

#include "base/log.h"
#include "compliance/report.h"
#include "compliance/tables.h"
#include "probe/task.h"

#include <math.h>
#include <stdio.h>

static int compliance_work(struct task *task, const struct run *run, struct err *err)
{
    struct compliance_task     *compliance = task->state;
    const struct probe_options *models = &probe_task(task->config)->options;

    compliance->job = (struct compliance_job){ .run = run, .options = &compliance->options, .model = models->model,
                                               .models = models->models };
    return compliance_run(&compliance->job, err);
}

/* Of functions and answers, where nothing else is read. */
static const struct pass_totals *compliance_totals(const struct task *task)
{
    return config_has_trait(task->config, CAPABILITY_CORPORA) ? NULL
        : &((const struct compliance_task *)task->state)->job.functions.totals;
}

static int compliance_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    (void)run;
    return pass_add(pass, functions_scanner(&((struct compliance_task *)task->state)->job.functions), err);
}

static void group_say(const struct study *study, const struct study_group *group)
{
    const struct lico lico = study_lico(group);
    const double      score = study_score(study, &lico);
    char              said[32] = "not defined";

    if (!isnan(score)) snprintf(said, sizeof said, "%.3f", score);
    log_info("%.*s: %zu answers to %llu functions, %llu strikingly similar, licence right of %llu of %llu; LICO %s",
             (int)group->name.len, group->name.at, group->count, (unsigned long long)lico.benchmark,
             (unsigned long long)lico.striking, (unsigned long long)(lico.permissive_right + lico.copyleft_right),
             (unsigned long long)(lico.permissive + lico.copyleft), said);
}

static int compliance_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    const struct compliance_job *job = &((const struct compliance_task *)task->state)->job;

    (void)run;
    for (size_t g = 0; g < job->study.groups; g++) group_say(&job->study, &job->study.group[g]);
    log_info("edits are counted over %s", *job->options->edit_tokens ? job->options->edit_tokens
             : "tokens of Python's lexer");
    return graph_add_compliance(build, job, err);
}

static void compliance_tell(const struct task *task, struct settings *settings)
{
    const struct compliance_task    *compliance = task->state;
    const struct compliance_options *o = &compliance->options;

    settings_add_text(settings, "compliance.benchmark", slice_of(o->benchmark));
    settings_add_text(settings, "compliance.template", slice_of(o->how == ASK_INSTRUCT ? "instruct" : "plain"));
    settings_add_number(settings, "compliance.tokens", o->tokens);
    settings_add_ratio(settings, "compliance.similarity", o->similarity);
    if (o->limits.uncommented) settings_add_text(settings, "compliance.comments", SLICE("off"));
    else settings_add_number(settings, "compliance.comments", o->limits.comments);
    settings_add_number(settings, "compliance.lines", o->limits.lines);
    settings_add_number(settings, "compliance.complexity", o->limits.complexity);
    settings_add_text(settings, "compliance.rules", slice_of(o->rules));
    settings_add_text(settings, "compliance.edit_tokens", slice_of(o->edit_tokens));
    settings_add_number(settings, "compliance.rejected", compliance->job.functions.totals.rejected);
}

static void compliance_free(struct task *task)
{
    struct compliance_task *compliance = task->state;

    compliance_release(&compliance->job);
    compliance_settings_free(compliance);
}

/* Functions that a model could not take were not compared; what has no LICO has nothing to compare. */
#define OF_GROUPS " FROM compliance_groups ORDER BY rowid"
static const struct gate compliance_gates[] = {
    { "striking", "exit status 3 when more than so many percent of the functions that were asked for have a strikingly "
      "similar answer of a model (compliance)", NULL,
      "SELECT dataset, '', striking, benchmark, benchmark - refused, benchmark, printf('of the functions asked have a "
      "strikingly similar answer of %s', answers_of)" OF_GROUPS, 0 },
    { "lico_short", "exit status 3 when a LICO is short of 1 by more than so many percent, or not defined: 20 asks for "
      "0.8 (compliance)", NULL,
      "SELECT dataset, '', iif(lico IS NULL, 0, 1000 - CAST(round(1000 * lico) AS INTEGER)), 1000, iif(lico IS NULL, "
      "0, benchmark - refused), benchmark, printf('are what the LICO of %s, %s, is short of 1', answers_of, "
      "ifnull(lico, 'not defined')), 0, 0, 0, iif(lico IS NULL, printf('%s has no LICO, as nothing is strikingly "
      "similar (compat: published)', answers_of), NULL)" OF_GROUPS, 0 },
    { .key = NULL },
};

static const struct terminal_table compliance_answer[] = {
    { "strikingly similar answers, and licences that were named",
      "SELECT answers_of AS \"answers of\", answers, benchmark AS asked, striking, percent AS \"%\", permissive, "
      "accuracy_permissive AS \"right\", copyleft, accuracy_copyleft AS \"right\", lico AS LICO FROM compliance_models",
      "compliance_models", NULL },
    { .title = NULL },
};

#define BY_MODEL "'', '', answers_of, '', ''"
static const struct change_part compliance_changes[] = {
    { "compliance",
      CHANGE_ONCE("compliance_models")
      CHANGE_ROWS(BY_MODEL, "striking", "striking", "answers", "once") " UNION ALL "
      CHANGE_ROWS(BY_MODEL, "accuracy", CHANGE_REAL("accuracy"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_MODEL, "lico", CHANGE_REAL("lico"), "NULL", "once"), false },
    { .key = NULL },
};

const struct capability compliance_capability = {
    .name = "compliance", .key = "compliance", .brief = "whether models give licensed functions away",
    .state_size = sizeof(struct compliance_task), .answer = compliance_answer, .tables = compliance_tables,
    .changes = compliance_changes,
    .gates = compliance_gates,
    .read = compliance_read, .check = compliance_check, .print = compliance_print, .help = compliance_help,
    .work = compliance_work, .totals = compliance_totals, .count = compliance_count, .collect = compliance_collect,
    .tell = compliance_tell, .report = { .add = compliance_add }, .release = compliance_free,
};
