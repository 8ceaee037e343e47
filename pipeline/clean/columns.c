/* clean/columns.c -- what rules may ask, gathered from the capabilities; see clean.h. */
#include "clean/clean.h"

#include <assert.h>

void clean_columns_list(struct clean_columns *out, const struct config *config)
{
    *out = (struct clean_columns){ .pairs_most = UINT64_MAX };
    for (size_t t = 0; t < config->task_count; t++) {
        const struct rule_source *rules = &config->task[t].of->rules;
        const uint64_t            most = rules->pairs_most ? rules->pairs_most(config) : UINT64_MAX;

        if (most < out->pairs_most) out->pairs_most = most;
        for (const struct rule_column *c = rules->columns; c && c->name; c++) {
            assert(out->count < CLEAN_COLUMNS_MAX);
            out->at[out->count] = c;
            out->of[out->count] = &config->task[t];
            if (c->traits & RULE_OF_PAIRS) out->of_pairs |= 1ull << out->count;
            if (c->traits & RULE_OF_LINES) out->of_lines |= 1ull << out->count;
            out->name[out->count++] = c->name;
        }
    }
}
