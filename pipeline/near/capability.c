/* near/capability.c -- the near-duplicate join as a capability; see capability/capability.h. */
#include "near/task.h"

#include "base/log.h"
#include "near/build.h"
#include "near/forecast.h"
#include "near/gate.h"
#include "near/report.h"
#include "near/stages.h"
#include "near/summary.h"
#include "near/tables.h"
#include "view/class.h"

#include <string.h>

static int near_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct near_task *near = task->state;
    struct pass        own;
    int                rc;

    minimums_free(&near->job.minimums);                     /* of a pass before */
    near->job = (struct near_job){ .run = run, .options = &near->options };
    rc = near_prepare(&near->job, err);
    own = near_pass(&near->job);
    pass->view = own.view;
    pass->dictionary = own.dictionary;
    return rc < 0 ? rc : pass_add(pass, near_scanner(&near->job), err);
}

static int near_leave(struct task *task, const struct run *run, const struct pass *pass, bool well, struct err *err)
{
    struct near_job *job = &((struct near_task *)task->state)->job;

    (void)run, (void)err;
    pass_totals_add(&job->totals, &pass->totals);
    job->seconds[NEAR_SCAN] = pass->wall;
    near_release(job);
    if (well)
        log_info("joined: collect=%.2fs index=%.2fs join=%.2fs scan=%.2fs", job->seconds[NEAR_COLLECT],
                 job->seconds[NEAR_INDEX], job->seconds[NEAR_JOIN], job->seconds[NEAR_SCAN]);
    return 0;
}

static const struct pass_totals *near_totals(const struct task *task)
{
    return &((const struct near_task *)task->state)->job.totals;
}

static int near_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct near_task *near = task->state;
    int                rc = near_result_read(&near->job, &near->result, err);

    if (rc == 0) rc = near_build(build, &near->job, &near->result, err);
    memcpy(near->kinds, build->near_kinds, sizeof near->kinds);
    return rc < 0 ? rc : graph_add_lengths(build, &near->result, run->dataset_count, err);
}

/* The index that `leakgraph query` maps: of everything that the join holds in memory. */
static void index_tell(const struct near_job *job, struct settings *settings)
{
    struct unit_key key;
    bool            corpora = false;

    for (size_t d = 0; d < job->run->dataset_count; d++) corpora |= job->run->datasets[d].self_join;
    key = near_index_key(job, corpora ? INDEX_RESIDENTS : INDEX_BENCHMARKS);
    settings_add_format(settings, "near.index", "%016llx%016llx", (unsigned long long)key.high,
                        (unsigned long long)key.low);
}

static void minimums_tell(const struct near_job *job, struct settings *settings)
{
    if (job->options->min_tokens) settings_add_number(settings, "near.min_tokens", job->options->min_tokens);
    else settings_add_text(settings, "near.min_tokens", SLICE("auto"));
    for (size_t d = 0; job->minimums.number && d < job->run->dataset_count; d++) {
        struct bytes key = { 0 };

        if (bytes_printf(&key, "near.min_tokens.%s", job->run->datasets[d].name) < 0 || bytes_append(&key, "", 1) < 0)
            settings->failed = true;
        else settings_add_number(settings, key.at, job->minimums.number[d]);
        bytes_free(&key);
    }
}

/* What was not compared though it has the same bytes. */
static void apart_tell(const struct near_task *near, struct settings *settings)
{
    for (size_t d = 0; near->result.lengths && d < near->job.run->dataset_count; d++) {
        struct bytes key = { 0 };

        if (!near->result.lengths[d].apart) continue;
        if (bytes_printf(&key, "near.apart.%s", near->job.run->datasets[d].name) < 0 || bytes_append(&key, "", 1) < 0)
            settings->failed = true;
        else settings_add_number(settings, key.at, near->result.lengths[d].apart);
        bytes_free(&key);
    }
}

/* Counted here once: the database would go through all pairs for it, and has none of them where they are in a file. */
static void kinds_tell(const struct near_task *near, struct settings *settings)
{
    static const char *const key[EDGE_KIND_COUNT] = { "near.pairs.exact", "near.pairs.near", "near.pairs.contained",
                                                      "near.pairs.below", "near.pairs.copy" };

    for (size_t k = 0; k < EDGE_KIND_COUNT; k++) settings_add_number(settings, key[k], near->kinds[k]);
}

static void near_tell(const struct task *task, struct settings *settings)
{
    static const char *const   seconds[NEAR_STAGES] = { "seconds.collect", "seconds.index", "seconds.join",
                                                        "seconds.scan" };
    const struct near_task   *near = task->state;
    const struct near_options *o = &near->options;
    char                       view[64];

    view_print(&o->view, view);
    settings_add_text(settings, "near.view", slice_of(view));
    settings_add_ratio(settings, "near.set_threshold", o->set_threshold);
    settings_add_ratio(settings, "near.multiset_threshold", o->multiset_threshold);
    if (o->containment_auto) settings_add_text(settings, "near.containment_threshold", SLICE("auto"));
    else settings_add_ratio(settings, "near.containment_threshold", o->containment_threshold);
    settings_add_ratio(settings, "near.report_floor", o->report_floor);
    minimums_tell(&near->job, settings);
    settings_add_number(settings, "near.max_matches", o->max_matches);
    settings_add_bool(settings, "near.across_languages", o->view.across_languages);
    apart_tell(near, settings);
    kinds_tell(near, settings);
    if (o->keep_index) index_tell(&near->job, settings);
    for (size_t i = 0; i < NEAR_STAGES; i++) settings_add_seconds(settings, seconds[i], near->job.seconds[i]);
}

static int near_say(const struct task *task, const struct graph *graph, struct err *err)
{
    const struct near_task *near = task->state;

    return summary_table(graph, near->options.containment_threshold.den != 0, err);
}

static void near_free(struct task *task)
{
    struct near_task *near = task->state;

    sample_free(&near->sample);
    minimums_free(&near->job.minimums);
    near_result_free(&near->result);
}

/* ---- what rules may ask ---- */

/* The most similar pair of these kinds. */
#define PAIR(kinds, side) \
    "SELECT e.kind, e.set_similarity, o.dataset, o.shard, o.record, o.path FROM snippet_pairs AS e JOIN snippets " \
    "AS o ON o.id = e.other WHERE e.pass = 'near' AND e.snippet = ?1 AND e.kind IN (" kinds ")" side \
    " ORDER BY e.set_similarity DESC, e.multiset_similarity DESC, o.id"
#define OTHER_SIDE \
    " AND (SELECT role FROM datasets WHERE id = o.dataset) <> (SELECT d.role FROM snippets AS s JOIN datasets AS d " \
    "ON d.id = s.dataset WHERE s.id = ?1)"

/* An item is a leak as fail_on: {leakage} counts it: by a pair with a corpus, or inside a document there. */
#define LEAKED \
    "ifnull(p.near + p.contained + p.copies > 0, 0) OR EXISTS (SELECT 1 FROM " FOUND_INSIDE " AS i WHERE i.item = " \
    "s.id AND i.leak)"
/* Documents of corpora that an item leaks from, by the class of their licence. */
#define FROM(class) \
    "(SELECT count(*) FROM snippet_pairs AS e JOIN snippets AS t ON t.id = e.other JOIN datasets AS d ON d.id = " \
    "t.dataset WHERE e.snippet = s.id AND e.pass = 'near' AND e.kind <> 'below' AND d.role = 'corpus' AND " \
    "ifnull(t.license_class, 'none') = '" class "') + (SELECT count(*) FROM " FOUND_INSIDE " AS i WHERE i.item = " \
    "s.id AND i.leak AND ifnull(i.license_class, 'none') = '" class "')"

static const struct rule_column near_columns[] = {
    /* exact or near pairs with datasets of the other role */
    { "near", "p.near", RULE_OF_CORPORA | RULE_OF_PAIRS, PAIR("'exact', 'near'", OTHER_SIDE) },
    { "exact", "p.exact", RULE_OF_CORPORA | RULE_OF_PAIRS, PAIR("'exact'", OTHER_SIDE) },
    { "contained", "p.contained", RULE_OF_CORPORA | RULE_OF_PAIRS, PAIR("'contained'", OTHER_SIDE) },
    /* of documents below min_tokens */
    { "copies", "p.copies", RULE_OF_CORPORA | RULE_OF_PAIRS, PAIR("'copy'", OTHER_SIDE) },
    { "matches", "s.matches", RULE_OF_CORPORA, PAIR("'exact', 'near'", "") },
    { "leaked", LEAKED, RULE_OF_PAIRS, PAIR("'exact', 'near', 'contained', 'copy'", OTHER_SIDE) },
    { "from_permissive", FROM("permissive"), RULE_OF_PAIRS, NULL },
    { "from_weak_copyleft", FROM("weak copyleft"), RULE_OF_PAIRS, NULL },
    { "from_strong_copyleft", FROM("strong copyleft"), RULE_OF_PAIRS, NULL },
    { "from_restricted", FROM("restricted"), RULE_OF_PAIRS, NULL },
    { "from_unknown", FROM("unknown"), RULE_OF_PAIRS, NULL },
    { "from_none", FROM("none"), RULE_OF_PAIRS, NULL },
    { NULL, NULL, 0, NULL },
};
enum { COLUMN_CONTAINED = 2 };

/* Ids of a dataset follow each other, so the role of a pair's sides is known without looking at the documents. */
static const char pairs_tables[] =
    "side AS (SELECT min(s.id) AS first, max(s.id) AS last, d.role FROM snippets AS s JOIN datasets AS d ON d.id = "
    "s.dataset GROUP BY d.id),"
    " met AS (SELECT e.a, e.b, e.kind FROM edges AS e JOIN side AS x ON e.a BETWEEN x.first AND x.last JOIN side AS y "
    "ON e.b BETWEEN y.first AND y.last"
    "          WHERE e.pass = 'near' AND x.role <> y.role),"
    " pairs AS (SELECT id, sum(kind IN ('exact', 'near')) AS near, sum(kind = 'exact') AS exact, sum(kind = "
    "'contained') AS contained,"
    "                  sum(kind = 'copy') AS copies FROM (SELECT a AS id, kind FROM met UNION ALL SELECT b, kind FROM "
    "met) GROUP BY id)";

static const char *near_lacks(const struct config *config, size_t column)
{
    const bool on = config_has(config, &near_capability);

    if (column == COLUMN_CONTAINED)
        return on && near_task(config)->options.containment_threshold.den ? NULL
            : "near_duplicates.containment_threshold";
    return on ? NULL : "near_duplicates";
}

static uint64_t near_pairs_most(const struct config *config)
{
    const struct near_options *o = &near_task(config)->options;

    return o->pairs_all || o->max_matches < STAR_LIMIT ? o->max_matches : STAR_LIMIT;
}

/* What changes between runs.  A benchmark's own name as the target: between its splits. */
#define BY_PAIR "source, split, target, target_split, ''"
#define OF_BENCHMARKS "overlap JOIN datasets AS d ON d.id = source WHERE d.role = 'benchmark' AND language = ''"
static const struct change_part near_changes[] = {
    { "leakage",
      CHANGE_ROWS(BY_PAIR, "direct", "direct", "documents", OF_BENCHMARKS) " UNION ALL "
      CHANGE_ROWS(BY_PAIR, "contained", "contained", "documents", OF_BENCHMARKS) " UNION ALL "
      CHANGE_ROWS(BY_PAIR, "copies", "copies", "documents", OF_BENCHMARKS) " UNION ALL "
      CHANGE_ROWS(BY_PAIR, "transitive", "transitive", "documents", OF_BENCHMARKS), false },
    { "pairs",
      CHANGE_ROWS("'', '', '', '', kind", "pairs", "pairs", "NULL", "pair_kinds"), false },
    { "min_tokens",
      CHANGE_ROWS("dataset, '', '', '', ''", "min_tokens", "min_tokens", "NULL", "near_minimums"), false },
    { .key = NULL },
};

const struct capability near_capability = {
    .name = "near", .key = "near_duplicates",
    .brief = "turns the near-duplicate join on (`near_duplicates: {}` with its defaults)",
    .traits = CAPABILITY_DOCUMENTS | CAPABILITY_ITEMS | CAPABILITY_TEXTS | CAPABILITY_CORPORA | CAPABILITY_ROLES,
    .state_size = sizeof(struct near_task),
    .read = near_read, .check = near_check, .print = near_print, .help = near_help, .gates = near_gates,
    .tables = near_tables, .changes = near_changes,
    .rules = { near_columns, pairs_tables, "LEFT JOIN pairs AS p ON p.id = s.id", near_lacks, near_pairs_most },
    .enter = near_enter, .leave = near_leave, .totals = near_totals, .collect = near_collect, .tell = near_tell,
    .say = near_say,
    .report = { .judge = near_report_judge, .summarise = near_report_summary, .advise = near_report_advise,
                .add = near_report_add },
    .forecast = { near_forecast_look, near_forecast_print, near_forecast_json, NULL, NULL }, .release = near_free,
};
