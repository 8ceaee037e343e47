/* near/forecast.c -- what the join will take; see forecast.h. */
#include "near/forecast.h"

#include "graph/graph.h"
#include "near/index.h"
#include "near/result.h"
#include "near/task.h"
#include "report/visible.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SAMPLE_LENGTH == (int)MINIMUM_USUAL && (int)SAMPLE_LENGTH < (int)LENGTHS_SINGLE,
               "a sample tells all lengths that a number is chosen by");

int near_forecast_look(struct task *task, const struct forecast *f, const struct sampled **out, struct err *err)
{
    struct near_task *near = task->state;

    /* where numbers are to be chosen, the shortest that may be compared are admitted */
    const uint32_t    least = near->options.min_tokens ? near->options.min_tokens : MINIMUM_FLOOR;

    *out = &near->sample;
    return forecast_sample(f, NULL, &near->options.view, least, NULL, &near->sample, err);
}

/* What the resident datasets of near_duplicates need on rank 0: rows, features and their occurrences in units, texts if
 * they are kept, and the index under construction. */
static double resident_bytes(const struct near_task *near, const struct forecast *f)
{
    const double document = sizeof(struct near_row) + sizeof(struct near_document) + sizeof(struct index_document) +
        64 + 100, feature = 12 + 60;
    double       bytes = 0;

    for (size_t d = 0; d < f->config->dataset_count; d++) {
        const struct sample_dataset *seen = &near->sample.dataset[d];

        if (!near_resident(&f->config->datasets[d])) continue;
        bytes += sample_scaled(seen, document * (double)seen->documents + feature * (double)seen->distinct);
        if (f->config->store != STORE_NONE) bytes += sample_scaled(seen, (double)seen->text_bytes);
    }
    return bytes;
}

/* Seconds to read the shards of near_duplicates and to make features of them. */
static double near_seconds(const struct near_task *near, const struct forecast *f)
{
    double seconds = 0;

    for (size_t d = 0; d < f->config->dataset_count; d++)
        seconds += sample_scaled(&near->sample.dataset[d], near->sample.dataset[d].seconds);
    return seconds / f->machine.ranks / f->machine.threads;
}

/* Documents that the run would not compare, as far as the sample tells the benchmarks' numbers.  0 or -ENOMEM. */
static int short_documents(const struct near_task *near, const struct forecast *f, double *out)
{
    const size_t         count = f->config->dataset_count;
    struct near_lengths *lengths = calloc(count + 1, sizeof *lengths);
    struct near_minimums minimums = { 0 };
    struct err           unused = { 0 };
    int                  rc = lengths ? 0 : -ENOMEM;

    if (near->options.min_tokens) {                         /* said: the sample has counted by it */
        free(lengths);
        return 0;
    }
    for (size_t d = 0; d < count && rc == 0; d++)
        memcpy(lengths[d].count, near->sample.dataset[d].lengths, sizeof near->sample.dataset[d].lengths);
    if (rc == 0) rc = minimums_make(&minimums, f->config->datasets, count, 0, lengths, &unused);
    *out = 0;
    for (size_t d = 0; d < count && rc == 0; d++) {
        uint32_t least = minimums.admits[d] < SAMPLE_LENGTH ? minimums.admits[d] : SAMPLE_LENGTH;

        *out += (double)(near->sample.dataset[d].documents - lengths_from(&lengths[d], least));
    }
    minimums_free(&minimums);
    free(lengths);
    return rc;
}

/* The datasets' names of which `is` is true, as one line. */
static int names_print(const struct forecast *f, const char *label, bool resident, struct bytes *line)
{
    size_t shown = 0, left = 0;

    line->len = 0;
    for (size_t d = 0; d < f->config->dataset_count; d++) {
        if (near_resident(&f->config->datasets[d]) != resident) continue;
        if (line->len > 50) left++;
        else if (bytes_printf(line, "%s", shown++ ? ", " : "") < 0 ||
                 visible_append(line, visible_cut(slice_of(f->config->datasets[d].name), 24), true) < 0)
            return -ENOMEM;
    }
    if (left && bytes_printf(line, ", %zu more", left) < 0) return -ENOMEM;
    if (line->len) forecast_fact(label, "%.*s", (int)line->len, line->at);
    return 0;
}

int near_forecast_print(const struct task *task, const struct forecast *f)
{
    const struct near_task    *near = task->state;
    const struct near_options *o = &near->options;
    struct sample_sums         sums = sample_sum(&near->sample, f->config->dataset_count);
    double                     need = resident_bytes(near, f);
    struct bytes               line = { 0 };
    char                       view[32], size[32], memory[32], seconds[32];
    int                        rc;

    view_print(&o->view, view);
    printf("\nnear_duplicates: %s, set Jaccard >= %.9g, multiset Jaccard >= %.9g\n", view,
           (double)o->set_threshold.num / o->set_threshold.den,
           (double)o->multiset_threshold.num / (o->multiset_threshold.den ? o->multiset_threshold.den : 1));
    rc = names_print(f, "resident", true, &line);
    if (rc == 0) rc = names_print(f, "streamed", false, &line);
    bytes_free(&line);
    if (rc < 0) return rc;
    forecast_features(&near->sample);
    if ((rc = short_documents(near, f, &sums.unadmitted)) < 0) return rc;
    forecast_fact("below min_tokens", "%.2f %% of documents: only looked up as copies, equal but for white space",
         forecast_percent(sums.unadmitted, sums.documents));
    forecast_fact("residents need", "%s on rank 0, of %s", forecast_size(need, size),
         forecast_size((double)f->machine.memory * (f->config->memory ? 1 : f->machine.ranks), memory));
    forecast_fact("time to read", "%s, features included; the join itself comes on top",
                  forecast_time(near_seconds(near, f), seconds));
    return 0;
}

void near_forecast_json(const struct task *task, const struct forecast *f, cJSON *root, bool *failed)
{
    const struct near_task *near = task->state;
    cJSON *object = forecast_put(root, "near_duplicates", cJSON_CreateObject(), failed);
    cJSON *resident = forecast_put(object, "resident", cJSON_CreateArray(), failed),
        *streamed = forecast_put(object, "streamed", cJSON_CreateArray(), failed);

    for (size_t d = 0; d < f->config->dataset_count; d++)
        forecast_put(near_resident(&f->config->datasets[d]) ? resident : streamed, NULL,
                 cJSON_CreateString(f->config->datasets[d].name), failed);
    forecast_features_json(&near->sample, object, failed);
    forecast_number(object, "resident_bytes", resident_bytes(near, f), failed);
    forecast_number(object, "seconds_read", near_seconds(near, f), failed);
}
