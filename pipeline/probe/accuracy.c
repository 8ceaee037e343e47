/* probe/accuracy.c -- n-grams that a model is asked to go on with; see metric.h. */
#include "probe/metric.h"

bool accuracy_starts(size_t tokens, size_t most, uint32_t n, uint32_t k, size_t *start)
{
    size_t end;

    if (k < 2 || tokens <= (size_t)n + 1) return false;     /* tokens - n - 1 must be above 0 */
    end = (most && most < tokens ? most : tokens) - n;
    if (most && most < (size_t)n + 2) return false;
    for (uint32_t i = 0; i < k; i++) start[i] = 2 + (size_t)i * (end - 2) / (k - 1);
    return true;
}
