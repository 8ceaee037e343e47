/* model/sample.h -- the choice of a next token, one for all backends that see a distribution. */
#ifndef LEAKGRAPH_MODEL_SAMPLE_H
#define LEAKGRAPH_MODEL_SAMPLE_H

#include "model/model.h"

struct sample_candidate { uint32_t id; double logprob; };   /* natural logarithm; any constant may be added to all */

/* Temperature of new token `step` (from 0): linear from decay_from to temperature over decay_tokens tokens (Yang et
 * al., ICSE 2024, docs/definitions.md, "Outputs of models"). */
double sample_temperature(const struct model_sampling *sampling, uint32_t step);

/* Picks one of count > 0 candidates and returns its id.  In order (most probable first, of equals the smaller id) it
 * keeps top_k, then as many as together reach top_p of what the temperature makes of them, and draws with a number made
 * of (seed, step); at temperature 0 it is the first.  No candidate is drawn whose probability is 0 (-infinity; NaN
 * counts as that), unless it is so of all.  The array is left in another order, with other numbers: fill it anew for
 * every token.  Takes time in proportion to count, at the very worst to that of sorting. */
uint32_t sample_pick(struct sample_candidate *candidate, size_t count, const struct model_sampling *sampling,
                     uint32_t step);

/* A number in [0, 1) made of (seed, step, draw) alone, on every machine the same. */
double sample_uniform(uint64_t seed, uint32_t step, uint32_t draw);

#endif
