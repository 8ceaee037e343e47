/* kernels/intersect.c -- how many values two ascending arrays share: the specification, and the search for unequal
 * sizes.
 *
 * A merge walks both arrays.  Which one goes on is a coin toss that no predictor learns, so the merge has no branch on
 * it. Where one array is much longer, each value of the short one is looked up instead: steps of 1, 2, 4... from where
 * the last one was found, then bisection.  Source: Bentley and Yao, "An almost optimal algorithm for unbounded
 * searching", 1976. */
#include "kernels/parts.h"

/* long : short from which on searching is faster (measured) */
enum { INTERSECT_SEARCH_RATIO = 16 };

size_t intersect_search_u32(const uint32_t *few, size_t few_count, const uint32_t *many, size_t many_count)
{
    size_t count = 0, at = 0;

    for (size_t i = 0; i < few_count && at < many_count; i++) {
        size_t step = 1, span;

        while (step <= many_count - at && many[at + step - 1] < few[i]) {   /* all before `at` is smaller than few[i] */
            at += step;
            step *= 2;
        }
        span = step - 1 < many_count - at ? step - 1 : many_count - at;
        while (span) {                                      /* the first value not smaller is in [at, at + span] */
            size_t half = span / 2;
            int    after = many[at + half] < few[i];

            at   = after ? at + half + 1 : at;
            span = after ? span - half - 1 : half;
        }
        count += at < many_count && many[at] == few[i];
    }
    return count;
}

size_t intersect_search_u64(const uint64_t *few, size_t few_count, const uint64_t *many, size_t many_count)
{
    size_t count = 0, at = 0;

    for (size_t i = 0; i < few_count && at < many_count; i++) {
        size_t step = 1, span;

        while (step <= many_count - at && many[at + step - 1] < few[i]) {
            at += step;
            step *= 2;
        }
        span = step - 1 < many_count - at ? step - 1 : many_count - at;
        while (span) {
            size_t half = span / 2;
            int    after = many[at + half] < few[i];

            at   = after ? at + half + 1 : at;
            span = after ? span - half - 1 : half;
        }
        count += at < many_count && many[at] == few[i];
    }
    return count;
}

size_t intersect_u32_scalar(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
    size_t count = 0, i = 0, j = 0;

    if (nb / INTERSECT_SEARCH_RATIO > na)
        return intersect_search_u32(a, na, b, nb);
    if (na / INTERSECT_SEARCH_RATIO > nb)
        return intersect_search_u32(b, nb, a, na);
    while (i < na && j < nb) {
        uint32_t x = a[i], y = b[j];

        count += x == y;
        i += x <= y;
        j += y <= x;
    }
    return count;
}

size_t intersect_u64_scalar(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    size_t count = 0, i = 0, j = 0;

    if (nb / INTERSECT_SEARCH_RATIO > na)
        return intersect_search_u64(a, na, b, nb);
    if (na / INTERSECT_SEARCH_RATIO > nb)
        return intersect_search_u64(b, nb, a, na);
    while (i < na && j < nb) {
        uint64_t x = a[i], y = b[j];

        count += x == y;
        i += x <= y;
        j += y <= x;
    }
    return count;
}
