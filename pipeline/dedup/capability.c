/* dedup/capability.c -- deduplication as a capability; see capability/capability.h. */
#include "dedup/task.h"

#include "base/log.h"
#include "base/shuffle.h"
#include "dedup/candidates.h"
#include "dedup/forecast.h"
#include "dedup/report.h"
#include "dedup/summary.h"
#include "dedup/tables.h"
#include "graph/read.h"
#include "view/curve.h"

#include <stdio.h>

/* What the bands catch, before hours are spent on it.  Those that the user gave are taken as they are, and what they
 * miss is said; of those of a tool (`compat`) the report's warning is enough. */
static void bands_say(const struct dedup_task *dedup)
{
    const struct dedup_options *o = &dedup->options;
    double                      threshold = (double)o->threshold.num / o->threshold.den;
    struct curve_verdict        verdict = curve_judge(threshold, o->hashes, o->bands, o->rows);

    if (o->method == DEDUP_EXACT) return;
    log_info("dedup: bands=%u rows=%u recall=%.4f at the threshold %g", o->bands, o->rows, verdict.recall, threshold);
    if (!dedup->bands || dedup->compat) return;
    if (verdict.misses_much)
        log_warn("dedup: %u bands of %u rows miss %.1f %% of the pairs at the threshold %g%s; without them "
                 "(`bands: 0`, `rows: 0`) they are chosen for recall: %g",
                 o->bands, o->rows, 100 * (1 - verdict.recall), threshold,
                 o->method == DEDUP_AUTO ? ", those of short documents aside" : "", o->recall);
    if (verdict.wasted_hashes)
        log_warn("dedup: %u bands of %u rows use %u of %u hashes", o->bands, o->rows, o->bands * o->rows, o->hashes);
}

static void seconds_say(const double seconds[DEDUP_STAGES])
{
    char   text[32 * DEDUP_STAGES];
    size_t at = 0;

    for (enum dedup_stage i = 0; i < DEDUP_STAGES; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, " %s=%.2fs", dedup_stage_names[i], seconds[i]);
    log_info("deduplicated:%s", text);
}

static int dedup_work(struct task *task, const struct run *run, struct err *err)
{
    struct dedup_task *dedup = task->state;
    int                rc;

    if (run->memory && run_memory_check(run, true, SHUFFLE_LEAST, "dedup: tables of what is sorted", "or leave it out",
                                        err) < 0) return err->code;
    bands_say(dedup);
    dedup->job = (struct dedup_job){ .run = run, .member = dedup->member, .member_count = dedup->member_count,
                                     .protect = dedup->protect, .options = &dedup->options };
    rc = dedup_run(&dedup->job, err);
    if (rc == 0) seconds_say(dedup->job.seconds);
    return rc;
}

static const struct pass_totals *dedup_totals(const struct task *task)
{
    return &((const struct dedup_task *)task->state)->job.totals;
}

static int dedup_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct dedup_task *dedup = task->state;
    int                 rc = dedup_result_read(&dedup->job, &dedup->result, err);

    (void)run;
    return rc < 0 ? rc : graph_add_dedup(build, &dedup->job, &dedup->result, err);
}

static void options_tell(const struct dedup_task *dedup, struct settings *settings)
{
    const struct dedup_options *o = &dedup->options;
    char                        view[64], keep[64];
    size_t                      used = 0;

    view_print(&o->view, view);
    settings_add_text(settings, "dedup.view", slice_of(view));
    settings_add_bool(settings, "dedup.shingle_backoff", o->view.backoff);
    settings_add_bool(settings, "dedup.across_languages", o->view.across_languages);
    settings_add_ratio(settings, "dedup.threshold", o->threshold);
    settings_add_ratio(settings, "dedup.multiset_threshold", o->multiset_threshold);
    settings_add_ratio(settings, "dedup.containment", o->containment);
    settings_add_number(settings, "dedup.min_tokens", o->min_tokens);
    settings_add_text(settings, "dedup.method", dedup_word("method", (int)o->method));
    settings_add_ratio(settings, "dedup.recall", dedup->recall);
    settings_add_number(settings, "dedup.hashes", o->hashes ? o->hashes : (uint64_t)o->bands * o->rows);
    settings_add_number(settings, "dedup.bands", o->bands);
    settings_add_number(settings, "dedup.rows", o->rows);
    if (o->method != DEDUP_EXACT)                           /* up to so many nothing is left to bands */
        settings_add_number(settings, "dedup.exact_features", border_of(o).bands_from - 1);
    settings_add_text(settings, "dedup.cluster", dedup_word("cluster", (int)o->cluster));
    *keep = '\0';
    for (size_t k = 0; k < o->keep_count; k++)              /* all five words have 35 bytes */
        used += (size_t)snprintf(keep + used, sizeof keep - used, "%s%s", k ? "," : "",
                                 dedup_word("keep", (int)o->keep[k]).at);
    settings_add_text(settings, "dedup.keep", slice_of(keep));
    settings_add_text(settings, "dedup.write", dedup_word("write", (int)o->write));
    settings_add_text(settings, "dedup.pairs", slice_of(o->pairs_all ? "all" : "star"));
    settings_add_number(settings, "dedup.bucket_cap", o->bucket_cap);
    settings_add_number(settings, "dedup.measure", o->measure);
    settings_add_text(settings, "dedup.compat", dedup_word("compat", dedup->compat));
    settings_add_number(settings, "dedup.added", dedup->added_count);   /* their names are in the configuration */
}

static void stats_tell(const struct dedup_stats *stats, struct settings *settings)
{
    const struct { const char *key; uint64_t value; } number[] = {
        { "dedup.documents", stats->documents },             { "dedup.admitted", stats->admitted },
        { "dedup.classes", stats->classes },                 { "dedup.copies", stats->copies },
        { "dedup.apart", stats->apart },
        { "dedup.records_lsh", stats->records_lsh },         { "dedup.records_prefix", stats->records_prefix },
        { "dedup.buckets", stats->buckets },                 { "dedup.largest_bucket", stats->largest_bucket },
        { "dedup.hot_buckets", stats->hot_buckets },         { "dedup.hot_members", stats->hot_members },
        { "dedup.candidates", stats->candidates },           { "dedup.verified", stats->verified },
        { "dedup.removed", stats->removed },                 { "dedup.removed_bytes", stats->removed_bytes },
        { "dedup.text_bytes", stats->text_bytes },           { "dedup.clusters", stats->clusters },
        { "dedup.largest_cluster", stats->largest_cluster }, { "dedup.state_bytes", stats->state_bytes },
        { "dedup.spilled_bytes", stats->spilled_bytes },     { "dedup.exchanged_bytes", stats->exchanged_bytes },
        { "dedup.sample_documents", stats->sample_documents }, { "dedup.sample_pairs", stats->sample_pairs },
        { "dedup.sample_found", stats->sample_found },       { "dedup.mutants", stats->mutants },
        { "dedup.mutants_found", stats->mutants_found },
    };

    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        settings_add_number(settings, number[i].key, number[i].value);
}

static void dedup_tell(const struct task *task, struct settings *settings)
{
    static const char *const seconds[DEDUP_STAGES] = {
        [DEDUP_COLUMNS] = "seconds.columns",   [DEDUP_ORDER] = "seconds.order", [DEDUP_CLASSES] = "seconds.classes",
        [DEDUP_BANDS] = "seconds.bands",       [DEDUP_PAIRS] = "seconds.pairs",
        [DEDUP_FEATURES] = "seconds.features", [DEDUP_VERIFY] = "seconds.verify",
        [DEDUP_MEASURE] = "seconds.measure",   [DEDUP_CLUSTERS] = "seconds.clusters",
        [DEDUP_REWRITE] = "seconds.rewrite",
    };
    const struct dedup_task *dedup = task->state;

    options_tell(dedup, settings);
    stats_tell(&dedup->job.stats, settings);
    for (size_t i = 0; i < DEDUP_STAGES; i++) settings_add_seconds(settings, seconds[i], dedup->job.seconds[i]);
}

static int dedup_say(const struct task *task, const struct graph *graph, struct err *err)
{
    const struct dedup_task *dedup = task->state;

    (void)graph;
    return summary_dedup(&dedup->job, &dedup->result, err);
}

/* Sums over the datasets that were added to a store, whose other documents would hide what is found in them. */
static int added_sums(const struct task *task, sqlite3 *db, uint64_t out[3], struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query,
                                     "SELECT ifnull(sum(removed), 0), ifnull(sum(documents), 0), "
                                     "ifnull(sum(documents + rejected), 0) FROM splits WHERE removed IS "
                                     "NOT NULL AND dataset = ?1", err);

    for (size_t d = 0; d < task->config->dataset_count && rc == 0; d++) {
        if (!task->config->datasets[d].added) continue;
        rc = graph_bind_text(query, 1, slice_of(task->config->datasets[d].name), err);
        if (rc == 0) rc = graph_step(query, err);
        for (int i = 0; rc == 1 && i < 3; i++) out[i] += graph_number(query, i);
        sqlite3_reset(query);
        if (rc > 0) rc = 0;
    }
    graph_finish(query);
    return rc;
}

/* Every document of its datasets is looked at: those below min_tokens by their bytes. */
static int duplicates_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    const struct dedup_task  *dedup = task->state;
    const struct dedup_stats *stats = &dedup->job.stats;
    uint64_t                  sums[3] = { 0, 0, 0 };
    char                      clause[64];
    struct gate_finding       found = { .clause = clause };
    int                       rc;

    if (dedup->added_count) rc = added_sums(task, db, sums, err);
    else {
        found.missed = stats->apart;
        found.why = "documents have the same bytes as one of another language and were not compared with it";
        sums[0] = stats->removed;
        sums[1] = stats->documents;
        rc = graph_count(db, "SELECT sum(documents + rejected) FROM splits WHERE removed IS NOT NULL", &sums[2], err);
    }
    found.percent = gate_percent(sums[0], sums[1]);
    found.compared = sums[1];
    found.whole = sums[2];
    snprintf(clause, sizeof clause, "dedup removed %.2f %% of the documents%s", found.percent,
             dedup->added_count ? " that were added" : "");
    if (rc == 0) to->hear(to->context, &found);
    return rc;
}

static const struct gate dedup_gates[] = {
    { "duplicates", "exit status 3 when dedup removes more than so many percent of its documents; with --add, of "
      "those that were added",
      duplicates_measure, NULL, 0 },
    { .key = NULL },
};

static void dedup_release(struct task *task)
{
    struct dedup_task *dedup = task->state;

    sample_keys_free(&dedup->keys);
    sample_free(&dedup->sample);
    dedup_result_free(&dedup->result);
    dedup_settings_free(dedup);
}

static const char *const dedup_folders[] = { "clean", "lists", NULL };

#define BY_SPLIT "dataset, split, '', '', ''"
#define OF_SPLITS "splits WHERE removed IS NOT NULL GROUP BY dataset, split"
static const struct change_part dedup_changes[] = {
    { "dedup",
      CHANGE_ROWS(BY_SPLIT, "removed", "sum(removed)", "sum(documents)", OF_SPLITS) " UNION ALL "
      CHANGE_ROWS(BY_SPLIT, "removed bytes", "sum(removed_bytes)", "sum(bytes)", OF_SPLITS) " UNION ALL "
      CHANGE_ROWS("'', '', '', '', ''", "clusters", "count(DISTINCT canonical)", "NULL",
                  "dedup WHERE cluster_size > 1 HAVING count(*) > 0"), false },
    { .key = NULL },
};

const struct capability dedup_capability = {
    .name = "dedup", .key = "dedup", .brief = "the removal of duplicates from corpora",
    .traits = CAPABILITY_DOCUMENTS | CAPABILITY_TEXTS | CAPABILITY_CORPORA, .folders = dedup_folders,
    .state_size = sizeof(struct dedup_task),
    .tables = dedup_tables, .read = dedup_read, .print = dedup_print, .help = dedup_help, .gates = dedup_gates,
    .changes = dedup_changes,
    .work = dedup_work, .totals = dedup_totals, .collect = dedup_collect, .tell = dedup_tell, .say = dedup_say,
    .report = { .summarise = duplication_add_summary, .advise = duplication_advise, .add = duplication_add,
                .ahead = duplication_ahead },
    .forecast = { dedup_forecast_look, dedup_forecast_print, dedup_forecast_json, dedup_forecast_warn,
                  "Reading and compressing were measured here; 10 million records and 1 million pairs a second and "
                  "thread, 32 bytes of memory and 200 of disk a document, 8 of disk a feature, and on rank 0 "
                  "36 bytes of memory of one that is not alone are taken for granted." },
    .release = dedup_release,
};
