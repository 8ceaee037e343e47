/* near/minimum.c -- see minimum.h. */
#include "near/minimum.h"

#include <stdlib.h>

void lengths_add(struct near_lengths *lengths, uint32_t features)
{
    size_t bucket = features;

    if (features >= LENGTHS_SINGLE) bucket = LENGTHS_SINGLE + 26 - (size_t)__builtin_clz(features);
    lengths->count[bucket]++;
}

void lengths_sum(struct near_lengths *lengths, const struct near_lengths *more)
{
    for (size_t b = 0; b < LENGTHS_BUCKETS; b++) lengths->count[b] += more->count[b];
    lengths->apart += more->apart;
}

uint32_t lengths_least(size_t bucket)
{
    return bucket < LENGTHS_SINGLE ? (uint32_t)bucket : 1u << (bucket - LENGTHS_SINGLE + 5);
}

uint64_t lengths_from(const struct near_lengths *lengths, uint32_t least)
{
    uint64_t sum = 0;

    for (size_t b = 0; b < LENGTHS_BUCKETS; b++)
        if (lengths_least(b) >= least) sum += lengths->count[b];
    return sum;
}

uint32_t minimum_choose(const struct near_lengths *lengths)
{
    uint64_t all = lengths_from(lengths, 0);

    if (!all) return MINIMUM_USUAL;
    for (uint32_t least = MINIMUM_USUAL; least > MINIMUM_FLOOR; least--)
        if (100 * lengths_from(lengths, least) >= MINIMUM_SHARE * all) return least;
    return MINIMUM_FLOOR;
}

bool minimums_ask(const struct dataset *datasets, size_t count, uint32_t given)
{
    bool ask = false;

    for (size_t d = 0; d < count; d++)
        ask |= datasets[d].role == ROLE_BENCHMARK && !datasets[d].min_tokens && !given;
    return ask;
}

/* What the benchmarks ask of documents of corpora: the smallest of their numbers; 0 when there are none. */
static uint32_t benchmarks_number(struct near_minimums *m, const struct dataset *datasets, size_t count, uint32_t given,
                                  const struct near_lengths *lengths)
{
    uint32_t least = 0;

    for (size_t d = 0; d < count; d++) {
        if (datasets[d].role != ROLE_BENCHMARK) continue;
        m->number[d] = datasets[d].min_tokens ? datasets[d].min_tokens : given ? given : minimum_choose(&lengths[d]);
        if (!least || m->number[d] < least) least = m->number[d];
    }
    return least;
}

int minimums_make(struct near_minimums *out, const struct dataset *datasets, size_t count, uint32_t given,
                  const struct near_lengths *lengths, struct err *err)
{
    uint32_t asked;

    *out = (struct near_minimums){ .number = calloc(2 * count + 1, sizeof *out->number),
                                   .corpora = given ? given : MINIMUM_USUAL };
    if (!out->number) return err_memory(err, 8 * count, "the datasets' min_tokens");
    out->admits = out->number + count;
    asked = benchmarks_number(out, datasets, count, given, lengths);
    out->streamed = asked ? asked : out->corpora;
    for (size_t d = 0; d < count; d++) {
        if (datasets[d].role != ROLE_BENCHMARK) out->number[d] = datasets[d].self_join ? out->corpora : out->streamed;
        out->admits[d] = datasets[d].role == ROLE_BENCHMARK || out->number[d] < out->streamed ? out->number[d]
            : out->streamed;
        if (!out->least || out->admits[d] < out->least) out->least = out->admits[d];
        if (out->number[d] > out->most) out->most = out->number[d];
    }
    return 0;
}

void minimums_free(struct near_minimums *minimums)
{
    free(minimums->number);
    *minimums = (struct near_minimums){ 0 };
}

uint32_t minimums_level(const struct near_minimums *minimums, const struct dataset *datasets, uint32_t dataset)
{
    return minimums->number && datasets[dataset].role == ROLE_BENCHMARK &&
        minimums->number[dataset] > minimums->least ? minimums->number[dataset] : 0;
}
