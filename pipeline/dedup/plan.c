/* dedup/plan.c -- see plan.h. */
#include "dedup/plan.h"

#include "view/curve.h"

#include <stdio.h>

/* ---- numbers ---- */

static void dataset_add(const struct sample_dataset *d, const struct sample_keys_dataset *k, const struct brief *brief,
                        struct dedup_plan *out, double *decoded, double *kept, double *seconds)
{
    const bool     kept_all = brief_keeps(k->brief_distinct, d->distinct - k->brief_distinct);
    const uint64_t documents = kept_all ? 0 : k->brief, distinct = kept_all ? 0 : k->brief_distinct,
                   instead = documents * (brief->bands + (uint64_t)brief->sketch.size);

    double text = sample_scaled(d, (double)d->text_bytes), repeated = sample_scaled(d, (double)k->repeated_bytes);

    out->whole &= d->whole || !d->shards;
    out->bytes += (double)d->bytes;
    out->sampled_bytes += (double)d->bytes_read;
    out->text_bytes += text;
    out->documents += sample_scaled(d, (double)d->documents);
    out->admitted += sample_scaled(d, (double)d->admitted);
    out->empty += sample_scaled(d, (double)d->empty);
    out->copies += sample_scaled(d, (double)d->copies);
    out->repeats += sample_scaled(d, (double)k->repeats);
    out->prefix_documents += sample_scaled(d, (double)k->prefix_documents);
    out->band_documents += sample_scaled(d, (double)k->band_documents);
    out->records_prefix += sample_scaled(d, (double)k->records_prefix);
    out->records_lsh += sample_scaled(d, (double)k->records_lsh);
    out->column_bytes += PLAN_FEATURE_BYTES * sample_scaled(d, (double)(d->distinct - distinct + instead));
    out->brief += sample_scaled(d, (double)documents);
    out->again_bytes += PLAN_FEATURE_BYTES * sample_scaled(d, (double)distinct);
    *decoded += sample_scaled(d, (double)d->decoded_bytes);
    *kept += text - repeated;
    *seconds += sample_scaled(d, d->seconds);
}

void plan_dedup(const struct sample_keys *keys, size_t dataset_count, const struct forecast_machine *machine,
                struct dedup_plan *out)
{
    const struct dedup_options *options = keys->options;
    double ranks = machine->ranks, threads = ranks * machine->threads, decoded = 0, kept = 0, seconds = 0, records,
        share, room;

    *out = (struct dedup_plan){ .whole = true };
    for (size_t d = 0; d < dataset_count; d++)
        dataset_add(&keys->sample->dataset[d], &keys->dataset[d], &keys->brief, out, &decoded, &kept, &seconds);
    records = out->records_prefix + out->records_lsh;
    share = out->whole || out->sampled_bytes <= 0 ? 1 : out->sampled_bytes / out->bytes;
    out->pairs_least = keys->pairs / share;
    out->pairs_most = keys->pairs / (share * share);
    out->column_bytes += PLAN_ROW_BYTES * out->documents;
    out->state_bytes = PLAN_STATE_BYTES * out->documents / ranks;
    out->matched_least = PLAN_MATCHED_BYTES * out->repeats;
    out->matched_most = PLAN_MATCHED_BYTES * out->documents;
    out->exchanged_bytes = PLAN_RECORD_BYTES * records * (ranks - 1) / ranks;
    room = (double)machine->memory - out->state_bytes;
    out->spilled_bytes = PLAN_RECORD_BYTES * records - ranks * (room > 0 ? room : 0);
    if (out->spilled_bytes < 0) out->spilled_bytes = 0;
    out->seconds[PLAN_READ] = seconds / threads;
    out->seconds[PLAN_EXCHANGE] = records / PLAN_RECORDS_SECOND / threads;
    out->seconds[PLAN_VERIFY] = out->pairs_least / PLAN_PAIRS_SECOND / threads;
    if (out->brief > 0) out->seconds[PLAN_VERIFY] += PLAN_AGAIN_SHARE * seconds / threads;
    if (keys->packed_from && out->text_bytes > 0) {
        decoded *= kept / out->text_bytes;
        out->written_bytes = decoded * (double)keys->packed_to / (double)keys->packed_from;
        out->seconds[PLAN_WRITE] = decoded * keys->pack_seconds / (double)keys->packed_from / threads;
    }
    out->recall = curve_candidate((double)options->threshold.num / options->threshold.den, options->bands,
                                  options->rows);
    out->knee = curve_knee(options->bands, options->rows);
}

/* ---- warnings ---- */

/* The Jaccard index that bands catch with a probability of 0.95. */
static double jaccard_caught(uint32_t bands, uint32_t rows)
{
    double low = 0, high = 1;

    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;

        if (curve_candidate(middle, bands, rows) < 0.95) low = middle;
        else high = middle;
    }
    return high;
}

static int warn_recall(const struct dedup_plan *plan, const struct dedup_options *o, char *out)
{
    double threshold = (double)o->threshold.num / o->threshold.den;

    if (o->method == DEDUP_EXACT) return 0;
    if (curve_judge(threshold, o->hashes, o->bands, o->rows).misses_much)
        return snprintf(out, FORECAST_WARNING,
                        "%u bands of %u rows miss %.1f %% of the pairs at the threshold %.9g itself: without bands and "
                        "rows in the settings they are chosen for `recall`", o->bands, o->rows,
                            100 * (1 - plan->recall), threshold);
    if (plan->recall + 1e-6 >= o->recall) return 0;
    return snprintf(out, FORECAST_WARNING,
                    "%u bands of %u rows find %.2f %% of the pairs at the threshold, less than the `recall` of %.2f %%",
                    o->bands, o->rows, 100 * plan->recall, 100 * o->recall);
}

static int warn_hashes(const struct dedup_options *o, char *out)
{
    uint32_t wasted = curve_judge((double)o->threshold.num / o->threshold.den, o->hashes, o->bands,
                                  o->rows).wasted_hashes;

    if (o->method == DEDUP_EXACT || !wasted) return 0;
    return snprintf(out, FORECAST_WARNING, "%u of %u hashes are wasted: %u bands of %u rows use %u", wasted, o->hashes,
                    o->bands, o->rows,
                    o->bands * o->rows);
}

/* A share c of n features in a document of k n gives a Jaccard index of c / (1 + k - c) at most. */
static int warn_containment(const struct dedup_options *o, char *out)
{
    double share, caught, times;

    if (!o->containment.den) return 0;
    share = (double)o->containment.num / o->containment.den;
    caught = o->method == DEDUP_EXACT ? (double)o->threshold.num / o->threshold.den : jaccard_caught(o->bands, o->rows);
    times = share / caught + share - 1;
    if (times < 1)
        return snprintf(out, FORECAST_WARNING,
                        "candidates are blind to `containment`: they are pairs that look similar, "
                                           "and a document of which "
                        "%.9g is in another one need not be, whatever their sizes", share);
    return snprintf(out, FORECAST_WARNING,
                    "candidates are pairs that look similar: a document of which %.9g is in one of "
                                       "more than %.2f times its size "
                    "is often missed", share, times);
}

static int warn_memory(const struct dedup_plan *plan, const struct forecast_machine *machine, char *out)
{
    if (plan->state_bytes <= (double)machine->memory) return 0;
    return snprintf(out, FORECAST_WARNING,
                    "the state of documents needs %.0f MB in each rank, more than its `memory` of "
                                       "%.0f MB: take more ranks on "
                    "more hosts", plan->state_bytes / 1e6, (double)machine->memory / 1e6);
}

static int warn_matched(const struct dedup_plan *plan, const struct forecast_machine *machine, char *out)
{
    if (plan->matched_least <= (double)machine->memory) return 0;
    return snprintf(out, FORECAST_WARNING,
                    "rank 0 needs %.0f MB for documents that are not alone while it writes graph.db, more than its "
                    "`memory` of %.0f MB: give it a host that has them",
                    plan->matched_least / 1e6, (double)machine->memory / 1e6);
}

size_t plan_warning(const struct dedup_plan *plan, const struct dedup_options *options,
                    const struct forecast_machine *machine, size_t i,
                    char out[FORECAST_WARNING])
{
    for (size_t kind = 0; kind < 5; kind++) {
        int len = kind == 0 ? warn_recall(plan, options, out) : kind == 1 ? warn_hashes(options, out) : kind == 2
            ? warn_containment(options, out) : kind == 3 ? warn_memory(plan, machine, out)
            : warn_matched(plan, machine, out);

        if (len > 0 && i-- == 0) return (size_t)len;
    }
    return 0;
}
