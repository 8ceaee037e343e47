/* stats/ranking.c -- see ranking.h. */
#include "stats/ranking.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Item numbers by value; qsort has no place for the values themselves. */
struct place { double value; size_t item; };

static int by_falling_value(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int                 order = (y->value > x->value) - (y->value < x->value);

    return order ? order : (x->item > y->item) - (x->item < y->item);
}

/* Those with a value, the largest first; returns how many, SIZE_MAX when memory is out. */
static size_t places_make(const double *value, size_t count, struct place **out)
{
    size_t known = 0;

    *out = malloc((count + 1) * sizeof **out);
    if (!*out) return SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        if (!isnan(value[i])) (*out)[known++] = (struct place){ value[i], i };
    qsort(*out, known, sizeof **out, by_falling_value);
    return known;
}

int precision_at(const double *value, const uint8_t *truth, size_t count, size_t n, double *out, struct err *err)
{
    struct place *place;
    size_t        known = places_make(value, count, &place), hits = 0;

    *out = NAN;
    if (known == SIZE_MAX) return err_memory(err, count * sizeof *place, "a ranking");
    if (n > count) n = count;
    for (size_t i = 0, rank = 0; rank < n && i < known; i++, rank++) hits += truth[place[i].item] != 0;
    /* what has no value comes last, in its own order */
    for (size_t i = 0, rank = known; rank < n && i < count; i++) {
        if (!isnan(value[i])) continue;
        hits += truth[i] != 0;
        rank++;
    }
    if (n) *out = (double)hits / (double)n;
    free(place);
    return 0;
}
