/* corpus/dataset.c -- see dataset.h. */
#include "corpus/dataset.h"
#include "corpus/glob.h"

#include <stdlib.h>

const char *const field_names[FIELD_COUNT] = {
    [FIELD_TEXT] = "text",         [FIELD_ID] = "id",           [FIELD_PATH] = "path",   [FIELD_REPO] = "repo",
    [FIELD_LANGUAGE] = "language", [FIELD_LICENSE] = "license", [FIELD_SPLIT] = "split", [FIELD_TOKENS] = "tokens",
    [FIELD_STARS] = "stars",       [FIELD_DATE] = "date",
};

void dataset_free(struct dataset *dataset)
{
    for (size_t s = 0; s < dataset->split_count; s++) {
        struct dataset_split *split = &dataset->splits[s];

        for (size_t g = 0; g < split->glob_count; g++) {
            free(split->globs[g]);
            if (split->where) free(split->where[g]);
        }
        free(split->globs);
        free(split->where);
        free(split->name);
    }
    for (size_t f = 0; f < FIELD_COUNT; f++) free(dataset->fields[f]);
    for (size_t e = 0; e < dataset->exclude_count; e++) free(dataset->exclude[e]);
    free(dataset->exclude);
    free(dataset->splits);
    free((void *)dataset->language);                        /* const for its readers, owned like the rest */
    free(dataset->name);
    free(dataset->url);
    *dataset = (struct dataset){ 0 };
}

bool dataset_excludes(const struct dataset *dataset, struct slice path)
{
    for (size_t e = 0; e < dataset->exclude_count; e++)
        if (glob_matches(dataset->exclude[e], path)) return true;
    return false;
}

uint64_t dataset_max_record(const struct dataset *dataset)
{
    const uint64_t usual = 64ull << 20, set = dataset->max_record_bytes ? dataset->max_record_bytes : usual;

    return set < DATASET_RECORD_MOST ? set : DATASET_RECORD_MOST;
}

uint32_t dataset_max_ratio(const struct dataset *dataset) { return dataset->max_ratio ? dataset->max_ratio : 1000; }
