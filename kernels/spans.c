/* kernels/spans.c -- where runs of bytes of a set start and end: the specification. */
#include "kernels/parts.h"

size_t spans_scalar(uint32_t *start, uint32_t *end, const struct byteset *set, const char *text, size_t n)
{
    size_t starts = 0, ends = 0;
    int    inside = 0;

    for (size_t i = 0; i < n; i++) {
        int has = byteset_has(set, (unsigned char)text[i]);

        if (has && !inside)
            start[starts++] = (uint32_t)i;
        if (inside && !has)
            end[ends++] = (uint32_t)i;
        inside = has;
    }
    if (inside)
        end[ends] = (uint32_t)n;
    return starts;
}
