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
    (void)run;
    return graph_add_inclusion(build, &((struct inclusion_task *)task->state)->job, err);
}

static void inclusion_tell(const struct task *task, struct settings *settings)
{
    const struct inclusion_options *o = &((const struct inclusion_task *)task->state)->options;

    settings_add_text(settings, "inclusion.from", slice_of(o->from));
    settings_add_text(settings, "inclusion.labels", slice_of(o->by_comments ? "comments" : "splits"));
    settings_add_text(settings, "inclusion.elements", slice_of(o->published ? "published" : "exact"));
    settings_add_text(settings, "inclusion.prompt", slice_of(inclusion_prompt_names[o->prompt]));
    settings_add_number(settings, "inclusion.per_category", o->per_category);
    settings_add_number(settings, "inclusion.tokens", o->sampling.tokens);
    settings_add_format(settings, "inclusion.temperature", "%g", o->sampling.temperature);
    settings_add_number(settings, "inclusion.seed", o->sampling.seed);
}

static void inclusion_free(struct task *task)
{
    struct inclusion_task *inclusion = task->state;

    inclusion_release(&inclusion->job);
    inclusion_settings_free(inclusion);
}

static const struct terminal_table inclusion_answer_tables[] = {
    { "what models gave back of the files",
      "SELECT model, trained, count(*) AS repositories, sum(files) AS files, sum(names) AS names, avg(names_hit) AS "
      "\"% right\", sum(texts) AS texts, avg(mean_score) AS score FROM inclusion_repositories GROUP BY model, trained",
      "inclusion_repositories", "no file has an element" },
    { .title = NULL },
};

const struct capability inclusion_capability = {
    .name = "inclusion", .key = "inclusion", .brief = "whether files were in models' training data",
    .state_size = sizeof(struct inclusion_task), .answer = inclusion_answer_tables, .tables = inclusion_tables,
    .read = inclusion_read, .print = inclusion_print, .help = inclusion_help, .work = inclusion_work,
    .totals = inclusion_totals, .count = inclusion_count, .collect = inclusion_collect, .tell = inclusion_tell,
    .report = { NULL, NULL, NULL, inclusion_add, NULL }, .release = inclusion_free,
};
