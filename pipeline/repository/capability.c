/* repository/capability.c -- repositories of benchmarks in corpora as a capability; see capability/capability.h. */
#include "repository/task.h"

#include "near/task.h"
#include "repository/report.h"
#include "repository/tables.h"

static int repository_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct repository_task *repository = task->state;
    int                      rc;

    repository->job = (struct repository_job){ .run = run, .options = &repository->options,
                                               .benchmark = repository->benchmark,
                                               .near = config_has(task->config, &near_capability) };
    if (repository->job.near) near_task(task->config)->job.keep_classes = true;
    rc = repository_prepare(&repository->job, err);
    return rc < 0 ? rc : pass_add(pass, repository_scanner(&repository->job), err);
}

static int repository_leave(struct task *task, const struct run *run, const struct pass *pass, bool well,
                          struct err *err)
{
    (void)run, (void)well, (void)err;
    pass_totals_add(&((struct repository_task *)task->state)->job.totals, &pass->totals);
    return 0;
}

static const struct pass_totals *repository_totals(const struct task *task)
{
    return &((const struct repository_task *)task->state)->job.totals;
}

static int repository_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    const struct repository_job *job = &((struct repository_task *)task->state)->job;
    int                          rc = pass_add(pass, repository_scanner(job), err);

    (void)run;
    return rc < 0 ? rc : pass_add(pass, repository_collector(job), err);
}

static int repository_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct repository_task *repository = task->state;
    const struct near_task *near = near_task(task->config);
    int                      rc = repository_result_read(&repository->job, repository->job.near ? &near->result : NULL,
                                                         &repository->result, err);

    (void)run;
    return rc < 0 ? rc : graph_add_repositories(build, &repository->result, err);
}

static void repository_tell(const struct task *task, struct settings *settings)
{
    const struct repository_options *o = &((const struct repository_task *)task->state)->options;

    settings_add_ratio(settings, "repositories.share", o->share);
    settings_add_number(settings, "repositories.top", o->top);
    settings_add_number(settings, "repositories.path_components", o->path_components);
}

static void repository_free(struct task *task)
{
    struct repository_task *repository = task->state;

    repository_result_free(&repository->result);
    repository_release(&repository->job);
    repository_settings_free(repository);
}

/* Compared are the files that name a repository. */
static const struct gate repository_gates[] = {
    { "repositories", "exit status 3 when more than so many percent of a benchmark's repositories are in one corpus, "
      "by "
      "name or by content", NULL,
      "SELECT benchmark, corpus, sum(by_name OR by_content), count(*), sum(files), w.whole, printf('of the "
      "repositories "
      "of %s are in %s', benchmark, corpus) FROM repositories AS r JOIN " GATE_RECORDS " AS w ON w.dataset = "
      "r.benchmark "
      "GROUP BY benchmark, corpus ORDER BY min(r.rowid)", 0 },
    { .key = NULL },
};

static const struct terminal_table repository_answer[] = {
    { "repositories of the benchmarks in the corpora",
      "SELECT benchmark, corpus, repositories, by_name AS \"by name\", by_content AS \"by content\", either, "
      "either_percent AS \"%\" FROM repository_membership", "repository_membership",
      "no benchmark names its repositories" },
    { .title = NULL },
};

/* The record's repository by the end of what it says: `owner/name`, or an address that ends so. */
#define NAMED "lower(rtrim(iif(s.repo LIKE '%.git', substr(s.repo, 1, length(s.repo) - 4), s.repo), '/ '))"
static const struct rule_column repository_columns[] = {
    { "in_repository", "(SELECT count(*) FROM repositories AS r WHERE r.benchmark = s.dataset AND (r.by_name OR "
      "r.by_content) AND r.repo <> '' AND (" NAMED " = r.repo OR substr(" NAMED ", -length(r.repo) - 1) IN ('/' || "
      "r.repo, ':' || r.repo)))", 0, NULL },
    { NULL, NULL, 0, NULL },
};

#define BY_CORPUS "benchmark, '', corpus, '', ''"
static const struct change_part repository_changes[] = {
    { "repositories",
      CHANGE_ONCE("repository_membership")
      CHANGE_ROWS(BY_CORPUS, "by name", "by_name", "repositories", "once") " UNION ALL "
      CHANGE_ROWS(BY_CORPUS, "by content", "by_content", "repositories", "once") " UNION ALL "
      CHANGE_ROWS(BY_CORPUS, "files", "found", "files", "once"), false },
    { .key = NULL },
};

const struct capability repository_capability = {
    .name = "repositories", .key = "repositories", .brief = "that for repositories of benchmarks in corpora",
    .traits = CAPABILITY_CORPORA, .after = &near_capability, .state_size = sizeof(struct repository_task),
    .rules = { repository_columns, NULL, NULL, NULL, NULL },
    .gates = repository_gates, .unmeasured = "no record of a benchmark names its repository (datasets.NAME.fields says "
    "which field does, as {repo: repo_name}; else repositories.path_components takes it from the path)",
    .answer = repository_answer, .tables = repository_tables, .changes = repository_changes,
    .read = repository_read, .print = repository_print, .help = repository_help, .enter = repository_enter,
    .leave = repository_leave, .totals = repository_totals, .count = repository_count, .collect = repository_collect,
    .tell = repository_tell, .report = { .add = membership_add }, .release = repository_free,
};
