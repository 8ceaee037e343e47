/* cmd/settings.c -- see settings.h. */
#include "cmd/settings.h"

#include "base/log.h"
#include "cmd/version.h"
#include "dedup/candidates.h"
#include "kernels/kernels.h"
#include "near/stages.h"

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

static void setting_bool(struct settings *s, const char *key, bool value)
{
    setting_text(s, key, slice_of(value ? "true" : "false"));
}

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

/* The index that `leakgraph query` maps: of everything that the join holds in memory. */
static void setting_index(struct settings *s, const struct near_job *job)
{
    struct unit_key key;
    bool            corpora = false;

    for (size_t d = 0; d < job->dataset_count; d++) corpora |= job->datasets[d].self_join;
    key = near_index_key(job, corpora ? INDEX_RESIDENTS : INDEX_BENCHMARKS);
    snprintf(setting_room(s), sizeof s->text[0], "%016llx%016llx", (unsigned long long)key.high,
             (unsigned long long)key.low);
    setting_text(s, "near.index", slice_of(setting_room(s)));
}

static void settings_add_near(struct settings *s, const struct near_job *job, const struct near_options *o)
{
    setting_view(s, "near.view", &o->view);
    setting_ratio(s, "near.set_threshold", o->set_threshold);
    setting_ratio(s, "near.multiset_threshold", o->multiset_threshold);
    setting_ratio(s, "near.containment_threshold", o->containment_threshold);
    setting_ratio(s, "near.report_floor", o->report_floor);
    setting_number(s, "near.min_tokens", o->min_tokens);
    setting_number(s, "near.max_matches", o->max_matches);
    setting_bool(s, "near.across_languages", o->view.across_languages);
    if (o->keep_index) setting_index(s, job);
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
    /* up to so many nothing is left to bands */
    if (o->method != DEDUP_EXACT) setting_number(s, "dedup.exact_features", border_of(o).bands_from - 1);
    setting_text(s, "dedup.cluster", config_dedup_word("cluster", (int)o->cluster));
    keep = setting_room(s);
    for (size_t k = 0; k < o->keep_count; k++)              /* all five words have 35 bytes */
        used += (size_t)snprintf(keep + used, sizeof s->text[0] - used, "%s%s", k ? "," : "",
                                 config_dedup_word("keep", (int)o->keep[k]).at);
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

static void settings_add_ngrams(struct settings *s, const struct ngram_options *o)
{
    char  *sizes = setting_room(s);
    size_t used = 0;

    for (size_t i = 0; i < o->sizes; i++)
        used += (size_t)snprintf(sizes + used, sizeof s->text[0] - used, "%s%u", i ? "," : "", o->n[i]);
    setting_text(s, "ngrams.n", slice_of(sizes));
    setting_text(s, "ngrams.unit", slice_of(o->unit == NGRAM_TOKENS ? "tokens" : "words"));
    setting_number(s, "ngrams.max_df", o->max_df);
    setting_number(s, "ngrams.cap", o->cap);
}

static void settings_add_probe(struct settings *s, const struct probe_options *o)
{
    setting_number(s, "probe.models", o->models);
    setting_number(s, "probe.stride", o->stride);
    setting_number(s, "probe.n", o->n);
    setting_number(s, "probe.starts", o->starts);
    setting_text(s, "probe.starts_in", slice_of(o->strided_starts ? "windows" : "text"));
    setting_text(s, "probe.compare", slice_of(o->compare_tokens ? "tokens" : "text"));
    snprintf(setting_room(s), sizeof s->text[0], "%g", o->min_k);
    setting_text(s, "probe.min_k", slice_of(setting_room(s)));
    setting_text(s, "probe.truth", slice_of(o->truth == TRUTH_NEAR ? "near" : o->truth == TRUTH_FIELD ? o->truth_field
                                            : "none"));
}

static void settings_add_generate(struct settings *s, const struct generate_job *job)
{
    static const char *const prompt[] = { "none", "head", "lines", "blocks" },
        *const decay[] = { "none", "published", "paper" };
    const struct generate_options *o = job->options;

    setting_number(s, "generate.outputs", o->outputs);
    setting_number(s, "generate.tokens", o->sampling.tokens);
    setting_text(s, "generate.prompt", slice_of(prompt[o->prompt]));
    setting_number(s, "generate.prompts", job->prompts);
    setting_number(s, "generate.without_prompt", job->without);
    setting_text(s, "generate.decay", slice_of(decay[o->decay]));
    setting_number(s, "generate.seed", o->sampling.seed);
}

static void settings_add_portrait(struct settings *s, const struct portrait_job *job)
{
    const struct portrait_head *head = &job->head;
    const struct { const char *key; uint64_t value; } number[] = {
        { "portrait.width", head->width },           { "portrait.stride", head->stride },
                    { "portrait.hashes", head->hashes },
        { "portrait.bytes", head->blocks * PORTRAIT_BLOCK }, { "portrait.shards", head->shards },
        { "portrait.documents", head->documents },
        { "portrait.insertions", head->insertions }, { "portrait.set_bits", head->set_bits },
                { "portrait.probes", head->probes },
        { "portrait.probe_hits", head->probe_hits },
    };

    setting_text(s, "portrait.name", slice_of(job->options->name));
    setting_text(s, "portrait.kind", slice_of(portrait_kind_names[head->kind]));
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) setting_number(s, number[i].key, number[i].value);
    snprintf(setting_room(s), sizeof s->text[0], "%.6g", head->computed);
    setting_text(s, "portrait.rate", slice_of(setting_room(s)));
    snprintf(setting_room(s), sizeof s->text[0], "%016llx", (unsigned long long)head->head_xxh3);
    setting_text(s, "portrait.xxh3", slice_of(setting_room(s)));
    setting_seconds(s, "seconds.portrait", job->seconds);
}

static void settings_add_clones(struct settings *s, const struct clone_job *job)
{
    setting_number(s, "clones.lines", job->options->lines);
    setting_text(s, "clones.normalisation", slice_of(job->options->normal == CLONE_SIMIAN ? "simian" : "exact"));
    setting_bool(s, "clones.self", job->options->self);
    setting_number(s, "clones.places", job->options->places);
    setting_seconds(s, "seconds.clone_lines", job->seconds[CLONE_COLLECT]);
    setting_seconds(s, "seconds.clone_index", job->seconds[CLONE_INDEX]);
    setting_seconds(s, "seconds.clone_scan", job->seconds[CLONE_SCAN]);
}

static void settings_add_repositories(struct settings *s, const struct repository_options *o)
{
    setting_ratio(s, "repositories.share", o->share);
    setting_number(s, "repositories.top", o->top);
    setting_number(s, "repositories.path_components", o->path_components);
}

static void settings_add_sensitive(struct settings *s, const struct sensitive_options *o)
{
    char kinds[SENSITIVE_KINDS * 8] = "";

    for (int k = 0; k < SENSITIVE_KINDS; k++)
        if (o->kind[k])
            snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), "%s%s", *kinds ? " " : "",
                     sensitive_names[k]);
    snprintf(setting_room(s), sizeof s->text[0], "%s", kinds);
    setting_text(s, "sensitive.kinds", slice_of(setting_room(s)));
    setting_bool(s, "sensitive.local", o->local);
    setting_bool(s, "sensitive.example", o->example);
}

/* What each scanner of the one pass took, and what they share: decoding, parsing, features.  Of all threads and ranks
 * together. */
static void settings_add_scanners(struct settings *s, const struct pass *pass)
{
    for (size_t i = 0; i < pass->scanner_count; i++) {
        snprintf(s->key[i], sizeof s->key[i], "seconds.scanner.%s", pass->scanner[i].kind);
        setting_seconds(s, s->key[i], pass->scanner[i].seconds);
    }
    if (pass->scanner_count) setting_seconds(s, "seconds.scanner.shared", pass->seconds);
}

void settings_fill(struct settings *s, const struct settings_source *from)
{
    static const char *const near_seconds[NEAR_STAGES] =
        { "seconds.collect", "seconds.index", "seconds.join", "seconds.scan" };
    static const char *const dedup_seconds[DEDUP_STAGES] = {
        [DEDUP_COLUMNS] = "seconds.columns",   [DEDUP_ORDER] = "seconds.order", [DEDUP_CLASSES] = "seconds.classes",
        [DEDUP_BANDS] = "seconds.bands",       [DEDUP_PAIRS] = "seconds.pairs", [DEDUP_VERIFY] = "seconds.verify",
        [DEDUP_MEASURE] = "seconds.measure",   [DEDUP_CLUSTERS] = "seconds.clusters",
            [DEDUP_REWRITE] = "seconds.rewrite",
    };

    s->count = 0;
    setting_text(s, "version", slice_of(leakgraph_version()));
    setting_text(s, "commit", slice_of(leakgraph_commit()));
    setting_text(s, "configuration", from->resolved);
    setting_text(s, "configuration_hash", slice_of(from->config_hash));
    if (from->near) settings_add_near(s, from->near, &from->config->near);
    if (from->config->ngrams.on) settings_add_ngrams(s, &from->config->ngrams.options);
    if (from->generate) settings_add_generate(s, from->generate);
    if (from->config->probe.on && from->config->probe.options.metrics)
        settings_add_probe(s, &from->config->probe.options);
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
    if (from->clones) settings_add_clones(s, from->clones);
    if (from->portrait) settings_add_portrait(s, from->portrait);
    if (from->config->repositories.on) settings_add_repositories(s, &from->config->repositories.options);
    if (from->config->sensitive.on) settings_add_sensitive(s, &from->config->sensitive.options);
    for (size_t i = 0; from->near && i < NEAR_STAGES; i++) setting_seconds(s, near_seconds[i], from->near->seconds[i]);
    for (size_t i = 0; from->dedup && i < DEDUP_STAGES; i++)
        setting_seconds(s, dedup_seconds[i], from->dedup->seconds[i]);
    settings_add_scanners(s, from->scan);
    setting_seconds(s, "seconds.before_store", log_seconds() - from->started);
}
