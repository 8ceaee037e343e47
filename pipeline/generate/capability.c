/* generate/capability.c -- what models write, and what of it they had by heart, as two capabilities; see
 * capability/capability.h.
 */
#include "generate/task.h"

#include "base/file.h"
#include "base/log.h"
#include "clone/task.h"
#include "generate/report.h"
#include "generate/tables.h"
#include "probe/task.h"

static bool generate_wants_items(const struct task *task) { (void)task; return true; }

static int generate_begin(struct task *task, const struct run *run, struct err *err)
{
    const double                started = log_seconds();
    struct generate_task      *generate = task->state;
    const struct probe_options *models = &probe_task(task->config)->options;
    struct generate_job        *job = &generate->job;
    int                         rc;

    *job = (struct generate_job){ .run = run, .dataset_count = run->dataset_count - task->config->made,
                                  .model = models->model, .models = models->models, .options = &generate->options };
    rc = generate_run(job, err);
    if (rc == 0)
        log_info("generated: models=%zu outputs=%llu prompts=%llu without=%llu blocks=%llu reused=%llu seconds=%.2f",
                 job->models, (unsigned long long)job->options->outputs, (unsigned long long)job->prompts,
                 (unsigned long long)job->without, (unsigned long long)job->made, (unsigned long long)job->reused,
                 log_seconds() - started);
    return rc;
}

static int generate_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    return graph_add_generations(build, &((struct generate_task *)task->state)->job, run->shards, err);
}

static void generate_tell(const struct task *task, struct settings *settings)
{
    static const char *const prompt[] = { "none", "head", "lines", "blocks" },
        *const decay[] = { "none", "published", "paper" };
    const struct generate_job     *job = &((const struct generate_task *)task->state)->job;
    const struct generate_options *o = job->options;

    settings_add_number(settings, "generate.outputs", o->outputs);
    settings_add_number(settings, "generate.tokens", o->sampling.tokens);
    settings_add_text(settings, "generate.prompt", slice_of(prompt[o->prompt]));
    settings_add_number(settings, "generate.prompts", job->prompts);
    settings_add_number(settings, "generate.without_prompt", job->without);
    settings_add_text(settings, "generate.decay", slice_of(decay[o->decay]));
    settings_add_number(settings, "generate.seed", o->sampling.seed);
}

static void generate_free(struct task *task)
{
    struct generate_task *generate = task->state;

    generate_release(&generate->job);
    generate_settings_free(generate);
}

static const struct terminal_table generate_answer[] = {
    { "generated texts",
      "SELECT model, outputs, tokens, stopped FROM generation_outputs", "generation_outputs", "there are none" },
    { .title = NULL },
};

static const char *const generate_folders[] = { GENERATE_FOLDER, NULL };

#define BY_MODEL "'', '', model, '', ''"
static const struct change_part generate_changes[] = {
    { "generations",
      CHANGE_ROWS(BY_MODEL, "outputs", "outputs", "NULL", "generation_outputs") " UNION ALL "
      CHANGE_ROWS(BY_MODEL, "tokens", "tokens", "NULL", "generation_outputs") " UNION ALL "
      CHANGE_ROWS(BY_MODEL, "ended by itself", "stopped", "outputs", "generation_outputs"), false },
    { .key = NULL },
};

const struct capability generate_capability = {
    .name = "generate", .key = "generate", .traits = CAPABILITY_DATASETS, .folders = generate_folders,
    .state_size = sizeof(struct generate_task),
    .answer = generate_answer, .tables = generate_tables, .changes = generate_changes,
    .read = generate_read, .print = generate_print, .help = generate_help, .wants_items = generate_wants_items,
    .begin = generate_begin, .collect = generate_collect, .tell = generate_tell,
    .report = { .add = memorisation_add }, .release = generate_free,
};

/* ---- memorised: the outputs, met by line clones ---- */

static int memorised_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    const struct generate_task *generate = generate_task(task->config);
    const struct clone_task    *clone = clone_task(task->config);

    (void)run;
    if (!config_has(task->config, &generate_capability) || !config_has(task->config, &clone_capability) ||
        clone->options.self) return 0;
    return graph_add_memorised(build, &generate->job, &clone->job, &clone->result, err);
}

static const struct gate memorised_gates[] = {
    { "memorised", "exit status 3 when more than so many percent of a model's outputs have a block of lines of a "
      "corpus",
      NULL,
      "SELECT printf('generations-%s', model), '*', outputs_with_any, outputs, ifnull((SELECT CAST(value AS "
      "INTEGER) FROM run WHERE key = 'clones.compared.generations-' || model), outputs), outputs, printf('of the "
      "outputs of %s have a block of lines of a corpus', model) FROM memorisation AS m WHERE outputs = (SELECT "
      "max(outputs) FROM "
      "memorisation WHERE model = m.model) GROUP BY model ORDER BY min(rowid)", 0 },
    { .key = NULL },
};

static const struct terminal_table memorised_answer[] = {
    { "memorised: outputs with a block of lines of a corpus",
      "SELECT model, outputs, tokens, blocks, occurrences, outputs_with_any AS \"with a block\", percent AS \"%\" FROM "
      "memorisation_shares", "memorisation_shares", NULL },
    { .title = NULL },
};

static const struct change_part memorised_changes[] = {
    { "memorised",
      CHANGE_ONCE("memorisation_shares")
      CHANGE_ROWS(BY_MODEL, "blocks", "blocks", "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_MODEL, "outputs", "outputs_with_any", "outputs", "once"), false },
    { .key = NULL },
};

const struct capability memorised_capability = { .name = "memorised", .after = &clone_capability,
    .answer = memorised_answer, .tables = memorised_tables, .changes = memorised_changes, .gates = memorised_gates,
    .collect = memorised_collect };
