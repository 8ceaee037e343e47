/* A file of scores from a stranger: it is refused with file and reason, or every sample and number has its place, and
 * all that can be computed of it is finite. */
#include "score/file.h"
#include "score/metric.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_scores: %s\n", what);
    abort();
}

static void check(const struct score_samples *samples)
{
    for (size_t s = 0; s < samples->count; s++) {
        const struct score_sample *sample = &samples->at[s];

        require(sample->series < samples->series_count && sample->file < samples->file_count, "a sample of nothing");
        require(sample->value_at + sample->values <= samples->value_count, "numbers of nobody");
        for (size_t v = sample->value_at; v < sample->value_at + sample->values; v++) {
            const struct score_value *value = &samples->value[v];

            require(value->column < samples->column_count && isfinite(value->is), "a number of no column");
            require(!samples->column[value->column].binary || value->is >= 0, "a truth below 0");
        }
    }
}

static void compute(const struct score_samples *samples)
{
    struct score_items   items = { 0 };
    struct score_matched matched;
    struct score_points  points;
    struct err           err = { 0 };
    int                  rc;

    for (char name[] = "0"; *name < '4'; ++*name)
        require(score_items_add(&items, (struct score_item){ .id = { name, 1 } }, &err) == 0, "no memory");
    require(score_match(&items, samples, &matched, &err) == 0, "no memory");
    rc = score_points_make(samples, &items, &matched, NULL, &(struct score_wish){ NULL, SCORE_WORDS_PROSE }, &points,
                           &err);
    require(rc == 0 || rc == -EINVAL, "no memory");
    for (size_t i = 0; i < points.count; i++)
        require(points.at[i].item < items.count && points.at[i].metric < points.metrics, "a score of nothing");
    score_points_free(&points);
    score_matched_free(&matched);
    score_items_free(&items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct score_source source = { SLICE("model"), SLICE("") };
    struct score_samples      samples = { 0 };
    struct err                err = { 0 };
    const int                 rc = score_text_take(&samples, "file", (struct slice){ (const char *)data, size },
                                                   &source, &err);

    require(rc == 0 || (rc == err.code && (rc == -EBADMSG || rc == -EINVAL)), "refused with no reason");
    check(&samples);
    if (rc == 0) compute(&samples);
    score_samples_free(&samples);
    return 0;
}
