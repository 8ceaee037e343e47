/* dedup/forecast.c -- what a deduplication will take, as text and as JSON; see forecast.h. */
#include "dedup/forecast.h"

#include "dedup/gather.h"
#include "dedup/task.h"
#include "view/curve.h"

#include <stdio.h>
#include <stdlib.h>

int dedup_forecast_look(struct task *task, const struct forecast *f, const struct sampled **out, struct err *err)
{
    struct dedup_task *dedup = task->state;
    bool              *wanted = calloc(f->config->dataset_count + 1, sizeof *wanted);
    int                rc = wanted ? sample_keys_open(&dedup->keys, &dedup->options, &dedup->sample,
                                                      f->config->dataset_count, err)
                                   : err_memory(err, f->config->dataset_count, "datasets");

    *out = &dedup->sample;
    for (size_t m = 0; rc == 0 && m < dedup->member_count; m++) wanted[dedup->member[m]] = true;
    if (rc == 0)
        rc = forecast_sample(f, wanted, &dedup->options.view, dedup->options.min_tokens, &dedup->keys.watcher,
                             &dedup->sample, err);
    if (rc == 0) rc = sample_keys_pair(&dedup->keys, err);
    if (rc == 0) plan_dedup(&dedup->keys, f->config->dataset_count, &f->machine, &dedup->plan);
    free(wanted);
    return rc;
}

size_t dedup_forecast_warn(const struct task *task, const struct forecast *f, size_t i, char out[FORECAST_WARNING])
{
    const struct dedup_task *dedup = task->state;

    return plan_warning(&dedup->plan, &dedup->options, &f->machine, i, out);
}

/* ---- as text ---- */

static void curve_print(const struct dedup_options *o)
{
    printf("  %-18s", "S-curve: Jaccard");
    for (int i = 3; i <= 10; i++) printf("%8.1f", i / 10.0);
    printf("\n  %-18s", "  found by bands");
    for (int i = 3; i <= 10; i++) printf("%8.4f", curve_candidate(i / 10.0, o->bands, o->rows));
    putchar('\n');
}

int dedup_forecast_print(const struct task *task, const struct forecast *f)
{
    const struct dedup_task    *dedup = task->state;
    static const char *const    method[] = { "auto", "lsh", "exact" };
    const struct dedup_options *o = &dedup->options;
    const struct dedup_plan    *plan = &dedup->plan;
    double                      records = plan->records_prefix + plan->records_lsh, total = 0;
    double                      threshold = (double)o->threshold.num / o->threshold.den;
    char                        view[32], a[32], b[32], c[32], d[32], e[32];

    view_print(&o->view, view);
    for (size_t i = 0; i < PLAN_STAGES; i++) total += plan->seconds[i];
    printf("\ndedup: %s, set Jaccard >= %.9g, method %s", view, threshold, method[o->method]);
    if (o->method != DEDUP_EXACT) printf(", %u bands of %u rows (%u hashes)", o->bands, o->rows, o->bands * o->rows);
    putchar('\n');
    forecast_features(&dedup->sample);
    forecast_fact("without a feature", "%.2f %% of documents: found only as byte-equal copies",
         forecast_percent(plan->empty, plan->documents));
    forecast_fact("byte-equal copies", "%.2f %% of documents, at least",
                  forecast_percent(plan->copies, plan->documents));
    if (o->method != DEDUP_EXACT) {
        curve_print(o);
        forecast_fact("recall", "%.4f of pairs at the threshold %.9g, by bands; one half at %.3f", plan->recall,
                      threshold,
             plan->knee);
    }
    forecast_fact("by exact prefixes", "%s documents, %s records",
                  forecast_count(plan->prefix_documents, plan->whole, a),
         forecast_count(plan->records_prefix, plan->whole, b));
    forecast_fact("by bands", "%s documents, %s records", forecast_count(plan->band_documents, plan->whole, a),
         forecast_count(plan->records_lsh, plan->whole, b));
    forecast_fact("records", "%s, %.1f a document, %s in all; %s between ranks",
                  forecast_count(records, plan->whole, a),
         plan->documents > 0 ? records / plan->documents : 0, forecast_size(PLAN_RECORD_BYTES * records, b),
             forecast_size(plan->exchanged_bytes, c));
    if (plan->whole) forecast_fact("candidate pairs", "about %s", forecast_count(plan->pairs_least, true, a));
    else
        forecast_fact("candidate pairs", "%s if similar documents lie together, %s if anywhere",
             forecast_count(plan->pairs_least, false, a),
              forecast_count(plan->pairs_most, false, b));
    forecast_fact("memory of a rank", "%s for documents, of %s", forecast_size(plan->state_bytes, a),
         forecast_size((double)f->machine.memory, b));
    forecast_fact("memory of rank 0", "%s for documents that are not alone, if those are copies only; %s if all are",
                  forecast_size(plan->matched_least, a), forecast_size(plan->matched_most, b));
    forecast_fact("spilled to disk", "%s", forecast_size(plan->spilled_bytes, a));
    forecast_fact("columns", "%s on disk%s", forecast_size(plan->column_bytes, a),
                  plan->column_bytes > GATHER_SMALL ? "; up to half as much more while documents are compared" : "");
    if (plan->brief > 0)
        forecast_fact("features", "%s more while long documents are compared, if all %s of them are",
                      forecast_size(plan->again_bytes, a), forecast_count(plan->brief, plan->whole, b));
    if (o->write == DEDUP_WRITE_SHARDS)
        forecast_fact("cleaned shards", "%s at most at zstd level %d; %.2f %% of documents repeat one of the sample",
             forecast_size(plan->written_bytes, a),
             o->zstd_level, forecast_percent(plan->repeats, plan->documents));
    forecast_fact("time", "%s: read %s, exchange %s, verify %s, write %s", forecast_time(total, a),
         forecast_time(plan->seconds[PLAN_READ], b),
         forecast_time(plan->seconds[PLAN_EXCHANGE], c), forecast_time(plan->seconds[PLAN_VERIFY], d),
             forecast_time(plan->seconds[PLAN_WRITE], e));
    return 0;
}

/* ---- as JSON ---- */

void dedup_forecast_json(const struct task *task, const struct forecast *f, cJSON *root, bool *failed)
{
    const struct dedup_task    *dedup = task->state;
    const struct dedup_plan    *plan = &dedup->plan;
    const struct dedup_options *o = &dedup->options;
    const struct { const char *key; double value; } numbers[] = {
        { "threshold", (double)o->threshold.num / o->threshold.den }, { "bands", o->bands }, { "rows", o->rows },
        { "recall", plan->recall },
        { "knee", plan->knee }, { "documents", plan->documents }, { "text_bytes", plan->text_bytes },
        { "admitted", plan->admitted },
        { "without_feature", plan->empty }, { "copies", plan->copies }, { "repeats", plan->repeats },
        { "prefix_documents", plan->prefix_documents },
        { "band_documents", plan->band_documents }, { "records_prefix", plan->records_prefix },
        { "records_lsh", plan->records_lsh },
        { "candidates_least", plan->pairs_least }, { "candidates_most", plan->pairs_most },
        { "largest_bucket", (double)dedup->keys.largest_bucket },
        { "exchanged_bytes", plan->exchanged_bytes }, { "state_bytes_rank", plan->state_bytes },
        { "matched_bytes_least", plan->matched_least }, { "matched_bytes_most", plan->matched_most },
        { "column_bytes", plan->column_bytes }, { "brief_documents", plan->brief },
        { "again_bytes_most", plan->again_bytes },
        { "spilled_bytes", plan->spilled_bytes }, { "written_bytes", plan->written_bytes },
        { "seconds_read", plan->seconds[PLAN_READ] },
        { "seconds_exchange", plan->seconds[PLAN_EXCHANGE] }, { "seconds_verify", plan->seconds[PLAN_VERIFY] },
        { "seconds_write", plan->seconds[PLAN_WRITE] },
    };
    cJSON *object = forecast_put(root, "dedup", cJSON_CreateObject(), failed), *curve, *warnings;
    char   text[FORECAST_WARNING];

    forecast_put(object, "exact", cJSON_CreateBool(plan->whole), failed);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        forecast_number(object, numbers[i].key, numbers[i].value, failed);
    forecast_features_json(&dedup->sample, object, failed);
    curve = forecast_put(object, "curve", cJSON_CreateArray(), failed);
    for (int i = 3; i <= 10 && o->method != DEDUP_EXACT; i++) {
        cJSON *point = forecast_put(curve, NULL, cJSON_CreateObject(), failed);

        forecast_number(point, "jaccard", i / 10.0, failed);
        forecast_number(point, "found", curve_candidate(i / 10.0, o->bands, o->rows), failed);
    }
    warnings = forecast_put(object, "warnings", cJSON_CreateArray(), failed);
    for (size_t i = 0; plan_warning(plan, o, &f->machine, i, text); i++)
        forecast_put(warnings, NULL, cJSON_CreateString(text), failed);
}
