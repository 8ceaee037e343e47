/* clonetype/capability.c -- clones of functions by type as a capability; see capability/capability.h. */
#include "clonetype/task.h"

#include "clonetype/names.h"
#include "clonetype/report.h"
#include "clonetype/tables.h"
#include "clonetype/within_tables.h"
#include "near/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of what there is: functions of the corpora in `within`, functions of benchmarks in corpora. */
static int searchers_add(const struct clonetype_job *job, struct pass *pass, struct err *err)
{
    int rc = job->within ? pass_add(pass, within_collector(job), err) : 0;

    return rc < 0 || !clonetype_between(job) ? rc : pass_add(pass, clonetype_searcher(job), err);
}

/* It looks for them in corpora. */
static bool clonetype_wants_items(const struct task *task)
{
    const struct config *config = task->config;
    bool                 corpus = false;

    for (size_t d = 0; d < config->dataset_count; d++) corpus |= config->datasets[d].role == ROLE_CORPUS;
    return corpus;
}

/* Are the features of the pass the names of the documents? */
static bool are_names(const struct config *config)
{
    const struct view_options *view = &near_task(config)->options.view;

    return config_has(config, &near_capability) && view->kind == VIEW_IDENTIFIERS && !view->published &&
        view->functions == FUNCTIONS_FAST;                  /* as the items' are told */
}

/* Can names alone say that a document has no clone? */
static bool only_names(const struct clonetype_options *o)
{
    return !o->type[CLONE_TYPE_2] && !o->type[CLONE_TYPE_3] && o->min_names >= NAMES_WINDOW;
}

static int clonetype_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct clonetype_task *clones = task->state;
    int                    rc;

    clonetype_release(&clones->job);                        /* of a pass before */
    clones->job = (struct clonetype_job){ .run = run, .options = &clones->options, .within = clones->within,
                                          .by_names = are_names(task->config) && only_names(&clones->options) };
    rc = clonetype_between(&clones->job) ? clonetype_prepare(&clones->job, err) : 0;
    return rc < 0 ? rc : searchers_add(&clones->job, pass, err);
}

static int clonetype_leave(struct task *task, const struct run *run, const struct pass *pass, bool well,
                           struct err *err)
{
    (void)run, (void)well, (void)err;
    pass_totals_add(&((struct clonetype_task *)task->state)->job.totals, &pass->totals);
    return 0;
}

static const struct pass_totals *clonetype_totals(const struct task *task)
{
    return &((const struct clonetype_task *)task->state)->job.totals;
}

static int clonetype_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    const struct clonetype_job *job = &((struct clonetype_task *)task->state)->job;
    int                         rc = clonetype_between(job) ? pass_add(pass, clonetype_collector(job), err) : 0;

    (void)run;
    return rc < 0 ? rc : searchers_add(job, pass, err);
}

static int clonetype_work(struct task *task, const struct run *run, struct err *err)
{
    (void)run;
    return within_join(&((struct clonetype_task *)task->state)->job, err);
}

static int clonetype_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct clonetype_task *clones = task->state;
    int                    rc = 0;

    (void)run;
    if (clonetype_between(&clones->job)) {
        rc = clonetype_result_read(&clones->job, &clones->result, err);
        if (rc == 0) rc = graph_add_clonetypes(build, &clones->job, &clones->result, err);
    }
    if (rc == 0) rc = within_result_read(&clones->job, &clones->inside, err);
    return rc < 0 ? rc : graph_add_within(build, &clones->inside, err);
}

static void count_tell(struct settings *settings, const char *what, const char *dataset, uint64_t count)
{
    struct bytes key = { 0 };

    if (bytes_printf(&key, "clone_types.%s.%s", what, dataset) < 0 || bytes_append(&key, "", 1) < 0)
        settings->failed = true;
    else settings_add_number(settings, key.at, count);
    bytes_free(&key);
}

static void clonetype_tell(const struct task *task, struct settings *settings)
{
    const struct clonetype_task    *clones = task->state;
    const struct clonetype_options *o = &clones->options;
    const struct run               *run = clones->job.run;
    char                            types[CLONE_TYPES * 4] = "";

    for (int t = 0; t < CLONE_TYPES; t++)
        if (o->type[t])
            snprintf(types + strlen(types), sizeof types - strlen(types), "%s%s", *types ? " " : "",
                     clone_type_names[t]);
    settings_add_text(settings, "clone_types.types", slice_of(types));
    for (size_t d = 0; run && d < run->dataset_count; d++)
        if (clonetype_searches(&clones->job, &run->datasets[d]))
            count_tell(settings, "searched", run->datasets[d].name, 1);
    settings_add_text(settings, "clone_types.unit", slice_of(o->unit == FORM_TOKENS ? "tokens" : "lines"));
    settings_add_number(settings, "clone_types.min_tokens", o->min_tokens);
    settings_add_number(settings, "clone_types.min_names", o->min_names);
    settings_add_number(settings, "clone_types.min_repeated", o->min_repeated);
    settings_add_number(settings, "clone_types.min_lines", o->min_lines);
    settings_add_text(settings, "clone_types.of", slice_of(o->of == OF_ITEMS ? "items" : "functions"));
    for (size_t d = 0; run && clones->result.compared && d < run->dataset_count; d++)
        if (run->datasets[d].role == ROLE_BENCHMARK)
            count_tell(settings, "compared", run->datasets[d].name, clones->result.compared[d]);
    for (size_t c = 0; run && c < clones->inside.count; c++)
        count_tell(settings, "functions", run->datasets[clones->inside.at[c].dataset].name,
                   clones->inside.at[c].within.count);
}

static void clonetype_free(struct task *task)
{
    struct clonetype_task *clones = task->state;

    clonetype_result_free(&clones->result);
    within_result_free(&clones->inside);
    clonetype_sample_free(&clones->sample);
    free(clones->within);
    clonetype_release(&clones->job);
}

/* ---- what rules and gates may ask ---- */

static const char clone_match[] =
    "SELECT 'type ' || type, similarity, dataset, shard, record, path FROM clone_pairs WHERE item = ?1 ORDER BY rowid";

static const struct rule_column clonetype_columns[] = {
    { "clone_type1", "k.type1", 0, clone_match }, { "clone_type2", "k.type2", 0, clone_match },
    { "clone_type3", "k.type3", 0, clone_match }, { NULL, NULL, 0, NULL },
};

/* Where `clones` is not written only some are looked for.  A pair is of the strictest type that is, so that without
 * the loosest one of a column the others are not all that it says. */
static const char *clonetype_lacks(const struct config *config, size_t column)
{
    static const struct { enum clone_type loosest; const char *lacks; } of[] = {
        { CLONE_TYPE_1, "clones with 1 in its types" }, { CLONE_TYPE_2, "clones with 2 in its types" },
        { CLONE_TYPE_3, "clones with 3 in its types" },
    };

    if (clonetype_task(config)->implied) return "the key `clones`";
    return clonetype_task(config)->options.type[of[column].loosest] ? NULL : of[column].lacks;
}

/* A gate is of the column of its name. */
static const char *clonetype_gate_lacks(const struct config *config, const struct gate *gate)
{
    return clonetype_lacks(config, rule_column_at(clonetype_columns, gate->key));
}

/* Items without a function that is long enough were not compared. */
#define CLONE_GATE(key, of, types) \
    { key, "exit status 3 when more than so many percent of a benchmark's documents have a function with a clone of " \
      of " in a corpus", NULL, \
      "SELECT d.id, t.id, (SELECT count(*) FROM clone_items AS i JOIN snippets AS s ON s.id = i.item WHERE s.dataset " \
      "= d.id AND i.dataset = t.id AND i.type IN (" types ")), w.documents, ifnull((SELECT CAST(value AS INTEGER) " \
      "FROM run WHERE key = 'clone_types.compared.' || d.id), w.documents), w.whole, printf('of %s has clones in " \
      "%s', d.id, t.id) FROM datasets AS d JOIN datasets AS t JOIN " GATE_RECORDS " AS w ON w.dataset = d.id WHERE " \
      "d.role = 'benchmark' AND " CLONE_SEARCHED " ORDER BY d.rowid, t.rowid", 0 }

static const struct gate clonetype_gates[] = {
    CLONE_GATE("clone_type1", "type 1", "'1'"),
    CLONE_GATE("clone_type2", "type 1, 2c or 2", "'1', '2c', '2'"),
    CLONE_GATE("clone_type3", "any type", "'1', '2c', '2', '3'"),
    { .key = NULL },
};

static const struct terminal_table clonetype_answer[] = {
    { "clones: items of the benchmarks with a function that is cloned in a corpus, by the strictest type",
      "SELECT source AS benchmark, target AS corpus, documents, type1 AS \"type 1\", type2c AS \"type 2c\", type2 AS "
      "\"type 2\", type3 AS \"type 3\", percent AS \"%\" FROM clone_type_leakage WHERE EXISTS (SELECT 1 FROM run WHERE "
      "key = 'clone_types.types')", "clone_type_leakage", NULL },
    { "clones within corpora: functions with another one, by the strictest type",
      "SELECT dataset AS corpus, functions, type1 AS \"type 1\", type2c AS \"type 2c\", type2 AS \"type 2\", type3 AS "
      "\"type 3\", percent AS \"%\", classes FROM clone_within", "clone_within", NULL },
    { .title = NULL },
};

#define BY_CORPUS "source, '', target, '', ''"
static const struct change_part clonetype_changes[] = {
    { "clones",
      CHANGE_ONCE("clone_type_leakage")
      CHANGE_ROWS(BY_CORPUS, "items", "items", "documents", "once") " UNION ALL "
      CHANGE_ROWS(BY_CORPUS, "type 1", "type1", "documents", "once") " UNION ALL "
      CHANGE_ROWS(BY_CORPUS, "type 2c", "type2c", "documents", "once") " UNION ALL "
      CHANGE_ROWS(BY_CORPUS, "type 2", "type2", "documents", "once") " UNION ALL "
      CHANGE_ROWS(BY_CORPUS, "type 3", "type3", "documents", "once"), false },
    { .key = NULL },
};

const struct capability clonetype_capability = {
    .name = "clonetypes", .key = "clones", .after = &near_capability,
    .brief = "the search for clones of functions, by type",
    .traits = CAPABILITY_CORPORA, .state_size = sizeof(struct clonetype_task),
    .gates = clonetype_gates, .gate_lacks = clonetype_gate_lacks, .answer = clonetype_answer,
    .tables = clonetype_tables, .changes = clonetype_changes,
    .rules = { clonetype_columns, "clone_kinds AS (SELECT item, count(CASE WHEN type = '1' THEN 1 END) AS type1, "
               "count(CASE WHEN type <> '3' THEN 1 END) AS type2, count(*) AS type3 FROM clone_items GROUP BY item)",
               "LEFT JOIN clone_kinds AS k ON k.item = s.id", clonetype_lacks, NULL },
    .read = clonetype_read, .implied = clonetype_implied, .print = clonetype_print, .help = clonetype_help,
    .wants_items = clonetype_wants_items,
    .enter = clonetype_enter, .leave = clonetype_leave, .totals = clonetype_totals, .count = clonetype_count,
    .work = clonetype_work,
    .collect = clonetype_collect, .tell = clonetype_tell,
    .forecast = { clonetype_forecast_look, clonetype_forecast_print, clonetype_forecast_json, clonetype_forecast_warn,
                  NULL },
    .report = { .summarise = clonetypes_add_summary, .add = clonetypes_add }, .release = clonetype_free,
};
