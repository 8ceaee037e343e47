/* clonetype/forecast.c -- see forecast.h. */
#include "clonetype/forecast.h"

#include "clonetype/task.h"
#include "report/visible.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_wanted(const struct clonetype_sample *s, size_t dataset)
{
    return s->config->datasets[dataset].role == ROLE_BENCHMARK || (s->within && s->within[dataset]);
}

static int function_count(struct clonetype_sample *s, size_t dataset, size_t i, const struct function *function,
                          struct err *err)
{
    const struct clonetype_options *o = s->options;
    struct clonetype_counts        *counts = &s->counts[dataset];
    struct form                     form;
    uint64_t                        items;
    bool                            added;

    if (function->token_end - function->token < o->min_tokens) return 0;
    if (forms_of(s->forms, i, (enum form_items)o->unit, &form, err) < 0) return err->code;
    if (form.names < o->min_names || form.repeated < o->min_repeated ||
        (o->of == OF_ITEMS && s->config->datasets[dataset].role == ROLE_BENCHMARK &&
         2 * form.tokens < forms_tokens(s->forms))) return 0;
    items = o->type[CLONE_TYPE_3] && (o->unit == FORM_TOKENS || form.items >= o->min_lines) ? form.items : 0;
    if (table_put(&s->blind, form.blind.low ^ dataset, form.blind.high, 0, &added) == TABLE_NONE)
        return err_memory(err, s->blind.count, "functions of the sample");
    counts->functions++;
    counts->all_items += items;
    counts->leads += added && items;
    counts->items += added ? items : 0;
    return 0;
}

static int sample_document(struct sample_watcher *watcher, struct sample_dataset *dataset,
                           const struct multiset *features, const struct record *record, bool admitted, bool copy,
                           struct err *err)
{
    struct clonetype_sample    *s = (struct clonetype_sample *)(void *)watcher;
    const size_t                d = (size_t)(dataset - s->sample.dataset);
    const struct view_language *language;
    const struct functions     *functions;
    int                         rc = 0;

    (void)features, (void)admitted, (void)copy;
    if (!is_wanted(s, d)) return 0;
    language = view_language_of(s->scratch, s->config->datasets[d].language, record, err);
    if (!language || forms_read(s->forms, s->scratch, language, record->text, &functions, err) < 0) return err->code;
    for (size_t i = 0; i < functions->count && rc == 0; i++) rc = function_count(s, d, i, &functions->at[i], err);
    return rc;
}

static int sample_batch(struct sample_watcher *watcher, struct slice records, struct err *err)
{
    (void)watcher, (void)records, (void)err;
    return 0;
}

/* Forms are 48 bytes at most. */
static double sample_filled(const struct sample_watcher *watcher)
{
    return (double)((const struct clonetype_sample *)(const void *)watcher)->blind.count / (4 << 20);
}

void clonetype_sample_free(struct clonetype_sample *s)
{
    view_scratch_close(s->scratch);
    forms_close(s->forms);
    table_free(&s->blind);
    free(s->counts);
    sample_free(&s->sample);
    *s = (struct clonetype_sample){ 0 };
}

int clonetype_forecast_look(struct task *task, const struct forecast *f, const struct sampled **out, struct err *err)
{
    struct clonetype_task    *clones = task->state;
    struct clonetype_sample  *s = &clones->sample;
    const struct view_options view = { .kind = VIEW_IDENTIFIERS }, tokens = { .kind = VIEW_TOKENS };

    *out = &s->sample;
    s->watcher = (struct sample_watcher){ sample_document, sample_batch, sample_filled };
    s->options = &clones->options;
    s->config = f->config;
    s->within = clones->within;
    s->counts = calloc(f->config->dataset_count + 1, sizeof *s->counts);
    if (!s->counts) return err_memory(err, f->config->dataset_count * sizeof *s->counts, "the sample");
    if (view_scratch_open(&s->scratch, &tokens, err) < 0 || forms_open(&s->forms, err) < 0) return err->code;
    return forecast_sample(f, NULL, &view, 1, &s->watcher, &s->sample, err);
}

/* ---- what it comes to ---- */

static double scaled(const struct clonetype_sample *s, size_t dataset, uint64_t value)
{
    return sample_scaled(&s->sample.dataset[dataset], (double)value);
}

/* Bytes that a rank holds of the benchmarks. */
static double benchmarks_need(const struct clonetype_sample *s, const struct forecast *f)
{
    double functions = 0, items = 0;

    for (size_t d = 0; d < f->config->dataset_count; d++) {
        if (f->config->datasets[d].role != ROLE_BENCHMARK) continue;
        functions += scaled(s, d, s->counts[d].functions);
        items += scaled(s, d, s->counts[d].all_items);
    }
    return (double)clonetype_index_need((uint64_t)functions, (uint64_t)items, f->machine.threads);
}

/* The same of a corpus that is compared with itself. */
static double within_need(const struct clonetype_sample *s, const struct forecast *f, size_t d)
{
    return scaled(s, d, s->counts[d].functions) * (sizeof(struct within_function) + 2 * sizeof(uint32_t)) +
        (double)clonetype_index_need((uint64_t)scaled(s, d, s->counts[d].leads), (uint64_t)scaled(s, d,
                                                                                          s->counts[d].items),
                                     f->machine.threads);
}

int clonetype_forecast_print(const struct task *task, const struct forecast *f)
{
    const struct clonetype_task   *clones = task->state;
    const struct clonetype_sample *s = &clones->sample;
    struct bytes                   name = { 0 };
    char                           count[32], size[32], memory[32];
    double                         functions = 0;
    bool                           whole = true;
    int                            rc = 0;

    printf("\nclones: functions of at least %u tokens\n", clones->options.min_tokens);
    for (size_t d = 0; d < f->config->dataset_count; d++) {
        if (f->config->datasets[d].role != ROLE_BENCHMARK) continue;
        functions += scaled(s, d, s->counts[d].functions);
        whole &= s->sample.dataset[d].whole;
    }
    forecast_fact("in benchmarks", "%s, which need %s on every rank, of %s", forecast_count(functions, whole, count),
                  forecast_size(benchmarks_need(s, f), size), forecast_size((double)f->machine.memory, memory));
    for (size_t d = 0; rc == 0 && s->within && d < f->config->dataset_count; d++) {
        if (!s->within[d]) continue;
        name.len = 0;
        rc = visible_append(&name, visible_cut(slice_of(f->config->datasets[d].name), 24), true);
        if (rc == 0)
            forecast_fact("within", "%.*s: %s, which need %s on every rank", (int)name.len, name.at,
                          forecast_count(scaled(s, d, s->counts[d].functions), s->sample.dataset[d].whole, count),
                          forecast_size(within_need(s, f, d), size));
    }
    bytes_free(&name);
    return rc;
}

void clonetype_forecast_json(const struct task *task, const struct forecast *f, cJSON *root, bool *failed)
{
    const struct clonetype_sample *s = &((const struct clonetype_task *)task->state)->sample;
    cJSON *object = forecast_put(root, "clones", cJSON_CreateObject(), failed),
        *within = forecast_put(object, "within", cJSON_CreateArray(), failed), *warnings;
    char   text[FORECAST_WARNING];
    double functions = 0;

    for (size_t d = 0; d < f->config->dataset_count; d++) {
        cJSON *of;

        if (f->config->datasets[d].role == ROLE_BENCHMARK) functions += scaled(s, d, s->counts[d].functions);
        if (!s->within || !s->within[d]) continue;
        of = forecast_put(within, NULL, cJSON_CreateObject(), failed);
        forecast_put(of, "dataset", cJSON_CreateString(f->config->datasets[d].name), failed);
        forecast_number(of, "functions", scaled(s, d, s->counts[d].functions), failed);
        forecast_number(of, "classes", scaled(s, d, s->counts[d].leads), failed);
        forecast_number(of, "bytes", within_need(s, f, d), failed);
    }
    forecast_number(object, "functions", functions, failed);
    forecast_number(object, "bytes", benchmarks_need(s, f), failed);
    warnings = forecast_put(object, "warnings", cJSON_CreateArray(), failed);
    for (size_t i = 0; clonetype_forecast_warn(task, f, i, text); i++)
        forecast_put(warnings, NULL, cJSON_CreateString(text), failed);
}

/* A run would end where an index is more than its rank may take. */
size_t clonetype_forecast_warn(const struct task *task, const struct forecast *f, size_t i, char out[FORECAST_WARNING])
{
    const struct clonetype_sample *s = &((const struct clonetype_task *)task->state)->sample;
    const double                   memory = (double)f->machine.memory;
    char                           size[32], all[32];

    for (size_t d = 0; d <= f->config->dataset_count; d++) {
        const bool   benchmarks = d == f->config->dataset_count;
        const double need = benchmarks ? benchmarks_need(s, f) : s->within && s->within[d] ? within_need(s, f, d) : 0;

        if (memory <= 0 || need <= memory || i-- > 0) continue;
        return (size_t)snprintf(out, FORECAST_WARNING, "clones: functions of %.100s need about %s on every rank, more "
                                "than its memory (%s): the run would end; raise `memory`, clones.min_tokens or "
                                "clones.min_lines, start fewer ranks, or leave 3 out of clones.types",
                                benchmarks ? "the benchmarks" : f->config->datasets[d].name, forecast_size(need, size),
                                forecast_size(memory, all));
    }
    return 0;
}
