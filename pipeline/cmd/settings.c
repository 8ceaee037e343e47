/* cmd/settings.c -- see settings.h. */
#include "cmd/settings.h"

#include "base/log.h"
#include "cmd/version.h"
#include "dedup/candidates.h"
#include "kernels/kernels.h"

#include <assert.h>
#include <stdio.h>

static void setting_text(struct settings *s, const char *key, struct slice value)
{
    assert(s->count < SETTINGS_MAX);
    s->row[s->count++] = (struct graph_setting){ key, value };
}

/* Where the next row's value may be written. */
static char *setting_room(struct settings *s) { return s->text[s->count]; }

static void setting_number(struct settings *s, const char *key, uint64_t value)
{
    snprintf(setting_room(s), sizeof s->text[0], "%llu", (unsigned long long)value);
    setting_text(s, key, slice_of(setting_room(s)));
}

static void setting_bool(struct settings *s, const char *key, bool value) { setting_text(s, key, slice_of(value ? "true" : "false")); }

static void setting_ratio(struct settings *s, const char *key, struct ratio value)
{
    if (value.den) snprintf(setting_room(s), sizeof s->text[0], "%.9g", (double)value.num / value.den);
    else snprintf(setting_room(s), sizeof s->text[0], "off");
    setting_text(s, key, slice_of(setting_room(s)));
}

static void setting_seconds(struct settings *s, const char *key, double value)
{
    snprintf(setting_room(s), sizeof s->text[0], "%.3f", value);
    setting_text(s, key, slice_of(setting_room(s)));
}

static void setting_view(struct settings *s, const char *key, const struct view_options *view)
{
    view_print(view, setting_room(s));
    setting_text(s, key, slice_of(setting_room(s)));
}

static void setting_time(struct settings *s, const char *key, time_t at)
{
    struct tm broken;

    gmtime_r(&at, &broken);
    strftime(setting_room(s), sizeof s->text[0], "%Y-%m-%dT%H:%M:%SZ", &broken);
    setting_text(s, key, slice_of(setting_room(s)));
}

static void settings_add_near(struct settings *s, const struct near_options *o)
{
    setting_view(s, "near.view", &o->view);
    setting_ratio(s, "near.set_threshold", o->set_threshold);
    setting_ratio(s, "near.multiset_threshold", o->multiset_threshold);
    setting_ratio(s, "near.containment_threshold", o->containment_threshold);
    setting_ratio(s, "near.report_floor", o->report_floor);
    setting_number(s, "near.min_tokens", o->min_tokens);
    setting_number(s, "near.max_matches", o->max_matches);
    setting_bool(s, "near.across_languages", o->view.across_languages);
}

static void settings_add_dedup(struct settings *s, const struct config_dedup *dedup)
{
    const struct dedup_options *o = &dedup->options;
    char                       *keep;
    size_t                      used = 0;

    setting_view(s, "dedup.view", &o->view);
    setting_bool(s, "dedup.shingle_backoff", o->view.backoff);
    setting_bool(s, "dedup.across_languages", o->view.across_languages);
    setting_ratio(s, "dedup.threshold", o->threshold);
    setting_ratio(s, "dedup.multiset_threshold", o->multiset_threshold);
    setting_ratio(s, "dedup.containment", o->containment);
    setting_number(s, "dedup.min_tokens", o->min_tokens);
    setting_text(s, "dedup.method", config_dedup_word("method", (int)o->method));
    setting_ratio(s, "dedup.recall", dedup->recall);
    setting_number(s, "dedup.hashes", o->hashes ? o->hashes : (uint64_t)o->bands * o->rows);
    setting_number(s, "dedup.bands", o->bands);
    setting_number(s, "dedup.rows", o->rows);
    if (o->method != DEDUP_EXACT) setting_number(s, "dedup.exact_features", border_of(o).bands_from - 1);       /* up to so many nothing is left to bands */
    setting_text(s, "dedup.cluster", config_dedup_word("cluster", (int)o->cluster));
    keep = setting_room(s);
    for (size_t k = 0; k < o->keep_count; k++)              /* all five words have 35 bytes */
        used += (size_t)snprintf(keep + used, sizeof s->text[0] - used, "%s%s", k ? "," : "", config_dedup_word("keep", (int)o->keep[k]).at);
    setting_text(s, "dedup.keep", slice_of(keep));
    setting_text(s, "dedup.write", config_dedup_word("write", (int)o->write));
    setting_text(s, "dedup.pairs", slice_of(o->pairs_all ? "all" : "star"));
    setting_number(s, "dedup.bucket_cap", o->bucket_cap);
    setting_number(s, "dedup.measure", o->measure);
    setting_text(s, "dedup.compat", config_dedup_word("compat", dedup->compat));
    setting_number(s, "dedup.added", dedup->added_count);   /* their names are in the configuration */
}

static void settings_add_stats(struct settings *s, const struct dedup_stats *stats)
{
    const struct { const char *key; uint64_t value; } number[] = {
        { "dedup.documents", stats->documents },             { "dedup.admitted", stats->admitted },
        { "dedup.classes", stats->classes },                 { "dedup.copies", stats->copies },
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

    for (size_t i = 0; i < sizeof number / sizeof *number; i++) setting_number(s, number[i].key, number[i].value);
}

void settings_fill(struct settings *s, const struct settings_source *from)
{
    static const char *const near_seconds[NEAR_STAGES] = { "seconds.collect", "seconds.index", "seconds.join", "seconds.scan" };
    static const char *const dedup_seconds[DEDUP_STAGES] = {
        [DEDUP_COLUMNS] = "seconds.columns",   [DEDUP_ORDER] = "seconds.order", [DEDUP_CLASSES] = "seconds.classes",
        [DEDUP_BANDS] = "seconds.bands",       [DEDUP_PAIRS] = "seconds.pairs", [DEDUP_VERIFY] = "seconds.verify",
        [DEDUP_MEASURE] = "seconds.measure",   [DEDUP_CLUSTERS] = "seconds.clusters", [DEDUP_REWRITE] = "seconds.rewrite",
    };

    s->count = 0;
    setting_text(s, "version", slice_of(leakgraph_version()));
    setting_text(s, "commit", slice_of(leakgraph_commit()));
    setting_text(s, "configuration", from->resolved);
    setting_text(s, "configuration_hash", slice_of(from->config_hash));
    if (from->near) settings_add_near(s, &from->config->near);
    if (from->dedup) settings_add_dedup(s, &from->config->dedup);
    setting_text(s, "compat", slice_of(from->config->published ? "published" : "none"));
    setting_time(s, "started", from->started_at);
    setting_time(s, "finished", time(NULL));
    setting_number(s, "ranks", (uint64_t)from->ranks);
    setting_number(s, "threads", (uint64_t)from->threads);
    setting_text(s, "kernels", slice_of(kernels->name));
    setting_number(s, "input_bytes", from->shard_bytes);
    setting_number(s, "text_bytes", from->totals->text_bytes);
    setting_number(s, "records", from->totals->documents + from->totals->rejected);
    setting_number(s, "rejected", from->totals->rejected);
    if (from->dedup) settings_add_stats(s, &from->dedup->stats);
    for (size_t i = 0; from->near && i < NEAR_STAGES; i++) setting_seconds(s, near_seconds[i], from->near->seconds[i]);
    for (size_t i = 0; from->dedup && i < DEDUP_STAGES; i++) setting_seconds(s, dedup_seconds[i], from->dedup->seconds[i]);
    setting_seconds(s, "seconds.before_store", log_seconds() - from->started);
}
