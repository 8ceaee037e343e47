/* inclusion/capability.c -- files that models are asked for, as a capability; see capability/capability.h. */
#include "inclusion/task.h"

#include "base/log.h"
#include "inclusion/files.h"
#include "inclusion/report.h"
#include "inclusion/tables.h"
#include "probe/task.h"

static int inclusion_work(struct task *task, const struct run *run, struct err *err)
{
    const double                started = log_seconds();
    struct inclusion_task      *inclusion = task->state;
    const struct probe_options *models = &probe_task(task->config)->options;
    struct inclusion_job       *job = &inclusion->job;
    int                         rc;

    *job = (struct inclusion_job){ .run = run, .options = &inclusion->options, .model = models->model,
                                   .models = models->models };
    rc = inclusion_run(job, err);
    if (rc == 0)
        log_info("inclusion: models=%zu files=%zu asked=%llu reused=%llu too_long=%llu seconds=%.2f", job->models,
                 job->files, (unsigned long long)job->asked, (unsigned long long)job->reused,
                 (unsigned long long)job->refused, log_seconds() - started);
    return rc;
}

/* Of the files, where nothing else is read. */
static const struct pass_totals *inclusion_totals(const struct task *task)
{
    return config_has_trait(task->config, CAPABILITY_CORPORA) ? NULL
        : &((const struct inclusion_task *)task->state)->job.totals;
}

static int inclusion_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    (void)run;
    return pass_add(pass, files_scanner(&((struct inclusion_task *)task->state)->job), err);
}

static int inclusion_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct inclusion_task *inclusion = task->state;

    (void)run;
    return graph_add_inclusion(build, &inclusion->job, &inclusion->verdicts, &inclusion->clones, err);
}

static void inclusion_tell(const struct task *task, struct settings *settings)
{
    const struct inclusion_options *o = &((const struct inclusion_task *)task->state)->options;

    settings_add_text(settings, "inclusion.from", slice_of(o->from));
    settings_add_text(settings, "inclusion.labels", slice_of(o->by_comments ? "comments" : "splits"));
    settings_add_text(settings, "inclusion.ask", slice_of(inclusion_ask_names[o->ask]));
    settings_add_text(settings, "inclusion.elements", slice_of(o->published ? "published" : "exact"));
    settings_add_text(settings, "inclusion.prompt", slice_of(inclusion_prompt_names[o->prompt]));
    settings_add_number(settings, "inclusion.per_category", o->per_category);
    settings_add_number(settings, "inclusion.functions", o->functions);
    settings_add_number(settings, "inclusion.function_tokens", o->function_tokens);
    settings_add_format(settings, "inclusion.functions_back", "%.9g",
                        (double)o->verdict.functions_back.num / o->verdict.functions_back.den);
    settings_add_number(settings, "inclusion.tokens", o->sampling.tokens);
    settings_add_format(settings, "inclusion.temperature", "%g", o->sampling.temperature);
    settings_add_number(settings, "inclusion.seed", o->sampling.seed);
    settings_add_number(settings, "inclusion.threshold", o->verdict.threshold);
    settings_add_text(settings, "inclusion.test", slice_of(inclusion_test_names[o->verdict.test]));
    settings_add_format(settings, "inclusion.level", "%.9g", (double)o->verdict.level.num / o->verdict.level.den);
    settings_add_text(settings, "inclusion.classifiers", slice_of(inclusion_classifier_names[o->verdict.classifiers]));
    settings_add_number(settings, "inclusion.draws", o->verdict.draws);
}

static void inclusion_free(struct task *task)
{
    struct inclusion_task *inclusion = task->state;

    inclusion_verdicts_free(&inclusion->verdicts);
    inclusion_clones_free(&inclusion->clones);
    inclusion_release(&inclusion->job);
    inclusion_settings_free(inclusion);
}

/* Repositories without a file of label 0 alone; compared are those that could be found.  Of files that name none it is
 * the first component of the path (audit/repository.h). */
static const struct gate inclusion_gates[] = {
    { "inclusion", "exit status 3 when more than so many percent of the repositories are found to be in a "
      "model's training data (inclusion)", NULL,
      "WITH named AS (SELECT dataset, trained, ifnull(repo, iif(instr(ltrim(path, '/'), '/'), substr(ltrim(path, "
      "'/'), 1, instr(ltrim(path, '/'), '/') - 1), ltrim(path, '/'))) AS repo FROM inclusion_files), asked AS (SELECT "
      "dataset FROM named GROUP BY dataset, repo HAVING max(trained) IS NOT 0) "
      "SELECT dataset, '', sum(verdict = 'trained'), (SELECT count(*) FROM asked), sum(decidable), (SELECT count(*) "
      "FROM asked), printf('of the repositories of %s are found in the training data of %s', dataset, model), 0, 0, 0, "
      "iif(sum(decidable) < count(*), 'there are too few repositories of label 0, or too few draws, to find all of "
      "them', NULL) FROM inclusion_verdicts AS v, (SELECT dataset FROM asked LIMIT 1) WHERE decides AND NOT clean "
      "GROUP BY model ORDER BY min(v.rowid)", 0 },
    { .key = NULL },
};

static const struct terminal_table inclusion_answer_tables[] = {
    { "what models gave back of the files",
      "SELECT model, trained, count(*) AS repositories, sum(files) AS files, sum(names) AS names, avg(names_hit) AS "
      "\"% right\", sum(texts) AS texts, avg(mean_score) AS score FROM inclusion_repositories GROUP BY model, trained",
      "inclusion_repositories", "no file has an element that was asked for" },
    { "repositories in models' training data, by p adjusted for all",
      "SELECT model, repo AS repository, files, clean_repositories AS others, rate, clean_rate AS \"of others\", "
      "p_spread AS \"p\", p_files AS \"p of files\", p_adjusted AS adjusted, verdict FROM "
      "inclusion_verdicts WHERE decides AND NOT clean ORDER BY p_adjusted IS NULL, p_adjusted, rowid",
      "inclusion_verdicts", NULL },
    { "functions given back, by repository",
      "SELECT model, repo AS repository, label, functions, back AS \"given back\", rate AS share, clean_rate AS "
      "\"of others\", iif(trained, 'trained', '') AS verdict FROM inclusion_clones ORDER BY clean, rate IS NULL, rate "
      "DESC, rowid", "inclusion_clones", NULL },
    { .title = NULL },
};

static const struct change_part inclusion_changes[] = {
    { "inclusion",
      CHANGE_ROWS("'', '', model, '', repo", "verdict", "verdict", "NULL", "inclusion_verdicts WHERE decides"), false },
    { .key = NULL },
};

const struct capability inclusion_capability = {
    .name = "inclusion", .key = "inclusion", .brief = "whether files were in models' training data",
    .state_size = sizeof(struct inclusion_task), .answer = inclusion_answer_tables, .tables = inclusion_tables,
    .changes = inclusion_changes,
    .gates = inclusion_gates,
    .read = inclusion_read, .print = inclusion_print, .help = inclusion_help, .work = inclusion_work,
    .totals = inclusion_totals, .count = inclusion_count, .collect = inclusion_collect, .tell = inclusion_tell,
    .report = { .add = inclusion_add }, .release = inclusion_free,
};
