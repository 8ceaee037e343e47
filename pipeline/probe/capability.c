/* probe/capability.c -- what models know of the items, as a capability; see capability/capability.h. */
#include "probe/task.h"

#include "base/log.h"
#include "probe/report.h"
#include "probe/tables.h"

/* Without metrics and orders the models are there to write. */
static bool asks(const struct task *task)
{
    const struct probe_options *o = &((const struct probe_task *)task->state)->options;

    return o->metrics || o->order.shards;
}

static int probe_work(struct task *task, const struct run *run, struct err *err)
{
    const double        started = log_seconds();
    struct probe_task *probe = task->state;
    int                 rc;

    if (!asks(task)) return 0;
    probe->job = (struct probe_job){ .run = run, .member = probe->member, .options = &probe->options };
    rc = probe_run(&probe->job, err);
    if (rc == 0)
        log_info("probed: models=%zu items=%llu blocks=%llu reused=%llu seconds=%.2f", probe->options.models,
                 (unsigned long long)probe->job.items, (unsigned long long)probe->job.asked,
                 (unsigned long long)probe->job.reused, log_seconds() - started);
    return rc;
}

static int probe_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct probe_task *probe = task->state;
    int                 rc;

    (void)run;
    if (!asks(task)) return 0;
    rc = probe_result_read(&probe->job, &probe->result, err);
    return rc < 0 ? rc : graph_add_probes(build, &probe->job, &probe->result, err);
}

static void probe_tell(const struct task *task, struct settings *settings)
{
    const struct probe_options *o = &((const struct probe_task *)task->state)->options;

    if (!asks(task)) return;
    settings_add_number(settings, "probe.models", o->models);
    if (o->stride) settings_add_number(settings, "probe.stride", o->stride);
    else settings_add_text(settings, "probe.stride", slice_of("auto"));
    settings_add_number(settings, "probe.n", o->n);
    settings_add_number(settings, "probe.starts", o->starts);
    settings_add_text(settings, "probe.starts_in", slice_of(o->strided_starts ? "windows" : "text"));
    settings_add_text(settings, "probe.compare", slice_of(o->compare_tokens ? "tokens" : "text"));
    settings_add_format(settings, "probe.min_k", "%g", o->min_k);
    if (o->order.shards) {
        settings_add_number(settings, "probe.order.shards", o->order.shards);
        settings_add_number(settings, "probe.order.permutations", o->order.permutations);
        settings_add_number(settings, "probe.order.seed", o->order.seed);
    }
    settings_add_text(settings, "probe.truth", slice_of(o->truth == TRUTH_NEAR ? "near"
                                                        : o->truth == TRUTH_FIELD ? o->truth_field : "none"));
}

static void probe_release(struct task *task)
{
    struct probe_task *probe = task->state;

    probe_result_free(&probe->result);
    probe_settings_free(probe);
}

static const struct terminal_table probe_answer[] = {
    { "models: mean of each metric over the items",
      "SELECT dataset AS benchmark, model, metric, n AS items, mean FROM probe_benchmarks", "probe_benchmarks",
      "no item has a value" },
    { .title = NULL },
};

#define BY_METRIC "s.dataset, ifnull(s.split_within_dataset, ''), m.name, '', p.metric"
#define OF_ITEMS \
    "probes AS p JOIN models AS m ON m.id = p.model JOIN snippets AS s ON s.id = p.snippet GROUP BY 1, 2, 3, 5"
static const struct change_part probe_changes[] = {
    { "probes",
      CHANGE_ROWS(BY_METRIC, "mean", CHANGE_REAL("avg(p.value)"), "NULL", OF_ITEMS) " UNION ALL "
      CHANGE_ROWS(BY_METRIC, "items", "count(*)", "NULL", OF_ITEMS), false },
    { .key = NULL },
};

/* Without these a gate would have nothing to measure in any run. */
static const char *probe_gate_lacks(const struct config *config, const struct gate *gate)
{
    const struct probe_options *o = &probe_task(config)->options;

    if (gate == &probe_gates[PROBE_GATE_ORDER])
        return o->order.shards ? NULL : "probe.order, as {}: the orders that models are asked about";
    if (!o->metrics) return "probe.metrics: one at least";
    return o->truth != TRUTH_NONE ? NULL : "probe.truth, which says what was in the training data";
}

const struct capability probe_capability = {
    .name = "probe", .key = "probe", .brief = "the questions to language models",
    .state_size = sizeof(struct probe_task), .answer = probe_answer, .tables = probe_tables, .gates = probe_gates,
    .gate_lacks = probe_gate_lacks, .changes = probe_changes,
    .read = probe_read, .print = probe_print, .help = probe_help,
    .wants_items = asks, .work = probe_work, .collect = probe_collect, .tell = probe_tell,
    .report = { .advise = probes_advise, .add = probes_add, .check = probes_check }, .release = probe_release,
};
