/* clone/capability.c -- blocks of lines as a capability; see capability/capability.h. */
#include "clone/task.h"

#include "base/log.h"
#include "clone/report.h"
#include "clone/stages.h"
#include "clone/tables.h"

#include <stdlib.h>

static int clone_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct clone_task *clone = task->state;
    int                 rc;

    clone->job = (struct clone_job){ .run = run, .options = &clone->options };
    rc = clone_prepare(&clone->job, err);
    return rc < 0 || clone->options.self ? rc : pass_add(pass, clone_scanner(&clone->job), err);
}

static int clone_leave(struct task *task, const struct run *run, const struct pass *pass, bool well, struct err *err)
{
    struct clone_job *job = &((struct clone_task *)task->state)->job;

    (void)run, (void)err;
    clone_totals_add(job, pass);
    job->seconds[CLONE_SCAN] += pass->wall;
    clone_release(job);
    if (well)
        log_info("line clones: collect=%.2fs index=%.2fs scan=%.2fs", job->seconds[CLONE_COLLECT],
                 job->seconds[CLONE_INDEX], job->seconds[CLONE_SCAN]);
    return 0;
}

static const struct pass_totals *clone_totals(const struct task *task)
{
    return &((const struct clone_task *)task->state)->job.totals;
}

static int clone_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct clone_task *clone = task->state;
    int                 rc = clone->options.self ? 0 : pass_add(pass, clone_scanner(&clone->job), err);

    (void)run;
    return rc < 0 ? rc : pass_add(pass, clone_collector(&clone->job), err);
}

static int clone_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct clone_task *clone = task->state;
    int                 rc = clone_result_read(&clone->job, &clone->result, err);

    (void)run;
    return rc < 0 ? rc : graph_add_clones(build, &clone->job, &clone->result, err);
}

/* Documents of the small side that have as many lines as a block: no other can have one. */
static void compared_tell(const struct clone_task *clone, struct settings *settings)
{
    const struct run         *run = clone->job.run;
    const struct clone_small *small = &clone->result.small;
    uint64_t                 *count = run ? calloc(run->dataset_count + 1, sizeof *count) : NULL;

    if (run && !count) settings->failed = true;
    for (size_t d = 0; count && d < small->count; d++)
        count[run->shards->at[small->document[d].shard].dataset] += small->document[d].row->line_count >=
            clone->options.lines;
    for (size_t d = 0; count && d < run->dataset_count; d++) {
        struct bytes key = { 0 };

        if (run->datasets[d].role != ROLE_BENCHMARK) continue;
        if (bytes_printf(&key, "clones.compared.%s", run->datasets[d].name) < 0 || bytes_append(&key, "", 1) < 0)
            settings->failed = true;
        else settings_add_number(settings, key.at, count[d]);
        bytes_free(&key);
    }
    free(count);
}

static void clone_tell(const struct task *task, struct settings *settings)
{
    const struct clone_job *job = &((const struct clone_task *)task->state)->job;

    settings_add_number(settings, "clones.lines", job->options->lines);
    settings_add_text(settings, "clones.normalisation",
                      slice_of(job->options->normal == CLONE_SIMIAN ? "simian" : "exact"));
    settings_add_bool(settings, "clones.self", job->options->self);
    settings_add_number(settings, "clones.places", job->options->places);
    compared_tell(task->state, settings);
    settings_add_seconds(settings, "seconds.clone_lines", job->seconds[CLONE_COLLECT]);
    settings_add_seconds(settings, "seconds.clone_index", job->seconds[CLONE_INDEX]);
    settings_add_seconds(settings, "seconds.clone_scan", job->seconds[CLONE_SCAN]);
}

static void clone_free(struct task *task) { clone_result_free(&((struct clone_task *)task->state)->result); }

/* ---- what rules may ask: lines of an item in shared blocks; of a corpus, the same counted in its documents ---- */

static const struct rule_column clone_columns[] = {
    { "clone", "c.shared_lines", RULE_OF_LINES,
      "SELECT 'clone', NULL, c.corpus, c.block_shard, c.block_record, c.block_path FROM snippets AS s JOIN "
      "clone_documents AS c ON c.dataset = s.dataset AND c.shard = s.shard AND c.record = s.record WHERE s.id = ?1 AND "
      "c.corpus IS NOT NULL" },
    { NULL, NULL, 0, NULL },
};

/* Items of fewer lines than a block has cannot have one: they do not count as compared. */
static const struct gate clone_gates[] = {
    { "clones", "exit status 3 when more than so many percent of a benchmark's documents have a block of lines that a "
      "corpus has (with line_clones.self, that another place has)", NULL,
      "SELECT d.id, '*', (SELECT count(*) FROM clone_documents WHERE dataset = d.id), w.documents, ifnull((SELECT "
      "CAST(value AS INTEGER) FROM run WHERE key = 'clones.compared.' || d.id), w.documents), w.whole, "
      "printf('of %s has a block of lines of a corpus', d.id) FROM datasets AS d JOIN "
      GATE_RECORDS " AS w ON w.dataset = d.id WHERE d.role = 'benchmark' ORDER BY d.rowid", 0 },
    { .key = NULL },
};

static const struct terminal_table clone_answer[] = {
    { "line clones: documents of the benchmarks with a block of lines of a corpus",
      "SELECT dataset AS benchmark, documents, with_blocks AS \"with a block\", percent AS \"%\", shared_lines AS "
      "lines FROM clone_datasets", "clone_datasets", "no block of lines is shared" },
    { .title = NULL },
};

#define BY_DATASET "dataset, '', '', '', ''"
static const struct change_part clone_changes[] = {
    { "line_clones",
      CHANGE_ONCE("clone_datasets")
      CHANGE_ROWS(BY_DATASET, "documents", "with_blocks", "documents", "once") " UNION ALL "
      CHANGE_ROWS(BY_DATASET, "lines", "shared_lines", "NULL", "once") " UNION ALL "
      CHANGE_ROWS("'', '', '', '', ''", "blocks", "count(*)", "NULL", "clones HAVING count(*) > 0"), false },
    { .key = NULL },
};

const struct capability clone_capability = {
    .name = "clones", .key = "line_clones", .brief = "the search for shared blocks of lines",
    .traits = CAPABILITY_TEXTS | CAPABILITY_CORPORA, .state_size = sizeof(struct clone_task),
    .gates = clone_gates, .answer = clone_answer, .tables = clone_tables, .changes = clone_changes,
    .read = clone_read, .print = clone_print, .help = clone_help,
    .rules = { clone_columns, NULL, "LEFT JOIN clone_documents AS c ON c.dataset = s.dataset AND c.shard = s.shard AND "
               "c.record = s.record", NULL, NULL },
    .enter = clone_enter, .leave = clone_leave,
    .totals = clone_totals, .count = clone_count, .collect = clone_collect, .tell = clone_tell,
    .report = { .summarise = clones_add_summary, .add = clones_add }, .release = clone_free,
};
