/* probe/nll.c -- a long text in windows that overlap, each token scored once; see metric.h. */
#include "probe/metric.h"

#include <math.h>

bool nll_chunk_at(const struct nll_plan *plan, size_t tokens, bool tail, size_t number, struct nll_chunk *out)
{
    size_t window = plan->window, stride = plan->stride, begin, before = 0;

    if (tokens < 2) return false;
    if (window == 0 || window > tokens) window = tokens;
    if (stride == 0) stride = plan->window > 1 ? plan->window / 2 : 1;
    if (stride > window) stride = window;                   /* else tokens between two windows would never be scored */
    begin = number * stride;
    if (number) before = begin - stride + window < tokens ? begin - stride + window : tokens;
    if (before == tokens) return false;
    out->end = tokens - begin > window ? begin + window : tokens;
    if (tail && out->end == tokens) begin = tokens - window;
    out->begin = begin;
    out->target = out->end - before;
    out->from = before > begin ? before : begin + 1;        /* nothing stands before a window's first token */
    return out->from < out->end;
}

void nll_add(struct nll_sums *sums, const struct nll_chunk *chunk, const struct model_score *score)
{
    size_t count = chunk->end - chunk->from;
    double total = 0;

    for (size_t i = 0; i < count; i++) total -= score[i].logprob;
    sums->means += total / (double)count;
    sums->weighted += total / (double)count * (double)(chunk->target - 1);
    sums->total += total;
    sums->weight += chunk->target - 1;
    sums->tokens += count;
    sums->chunks++;
}

double nll_mean(const struct nll_sums *sums) { return sums->chunks ? sums->means / (double)sums->chunks : NAN; }

double nll_weighted(const struct nll_sums *sums) { return sums->weight ? sums->weighted / (double)sums->weight : NAN; }

double nll_tokens(const struct nll_sums *sums) { return sums->tokens ? sums->total / (double)sums->tokens : NAN; }
