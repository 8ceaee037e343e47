/* probe/membership.c -- scores that tell texts a model was trained on from others; see metric.h. */
#include "probe/metric.h"

#include "code/lexing.h"
#include "clone/line.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <zlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int min_k(const struct model_score *score, size_t count, double percent, bool plus_plus, double *out, struct err *err)
{
    double *value, sum = 0;
    size_t  least = (size_t)((double)count * percent / 100);

    *out = NAN;
    if (count == 0) return 0;
    value = malloc(count * sizeof *value);
    if (!value) return err_memory(err, count * sizeof *value, "a text's scores");
    for (size_t i = 0; i < count; i++) {
        value[i] = plus_plus ? (score[i].logprob - score[i].mean) / score[i].deviation : score[i].logprob;
        /* all tokens alike: this one is as likely as expected */
        if (plus_plus && score[i].deviation == 0) value[i] = 0;
        if (isnan(value[i])) {
            free(value);
            return 0;
        }
    }
    qsort(value, count, sizeof *value, by_value);
    if (least == 0) least = 1;
    if (least > count) least = count;
    for (size_t i = 0; i < least; i++) sum += value[i];
    *out = sum / (double)least;
    free(value);
    return 0;
}

int zlib_bytes(struct slice text, size_t *out, struct err *err)
{
    uLong  bound = compressBound(text.len);
    Bytef *packed = malloc(bound);

    if (!packed) return err_memory(err, bound, "a text's zlib stream");
    if (compress(packed, &bound, (const Bytef *)text.at, text.len) != Z_OK) {
        free(packed);
        return err_memory(err, bound, "a text's zlib stream");
    }
    *out = bound;
    free(packed);
    return 0;
}

int metric_collapse(struct slice text, struct bytes *out, struct err *err)
{
    out->len = 0;
    if (bytes_reserve(out, text.len) < 0) return err_memory(err, text.len, "a text");
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != '\n' || i == 0 || text.at[i - 1] != '\n') out->at[out->len++] = text.at[i];
    return 0;
}

/* Of a character beyond ASCII: Latin-1 has its capitals 32 below. */
static uint32_t lower_of(uint32_t c)
{
    if (c >= 0x100) return clone_lower(c);
    return c >= 0xC0 && c <= 0xDE && c != 0xD7 ? c + 32 : c;
}

int metric_lower(struct slice text, struct bytes *out, struct err *err)
{
    out->len = 0;
    for (size_t i = 0, used = 1; i < text.len; i += used) {
        char     c = text.at[i], encoded[4];
        uint32_t point;
        size_t   len = 0;

        used = 1;
        if ((unsigned char)c < 0x80) {
            encoded[len++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        } else {
            point = unicode_decode(text.at + i, text.len - i, &used);
            if (point == 0xFFFD && used == 1) encoded[len++] = c;
            else len = (size_t)(unicode_encode(lower_of(point), encoded) - encoded);
        }
        if (bytes_append(out, encoded, len) < 0) return err_memory(err, text.len, "a text in lower case");
    }
    return 0;
}

enum { WINDOW_LINES = 6 };

/* Past the line feed of line `lines` from `at` on; SIZE_MAX: there are fewer. */
static size_t lines_skip(struct slice text, size_t at, unsigned lines)
{
    for (; lines && at != SIZE_MAX; lines--) {
        const char *feed = at < text.len ? memchr(text.at + at, '\n', text.len - at) : NULL;

        at = feed ? (size_t)(feed - text.at) + 1 : SIZE_MAX;
    }
    return at;
}

bool window_next(struct slice text, bool published, size_t *at, struct slice *out)
{
    size_t begin = *at, end, next;

    if (begin == SIZE_MAX) return false;
    end = lines_skip(text, begin, WINDOW_LINES);
    next = end == SIZE_MAX ? SIZE_MAX : lines_skip(text, begin, 1);
    if (end == SIZE_MAX && published && begin) return false;        /* the one that ends with the text */
    *out = (struct slice){ text.at + begin, (end == SIZE_MAX ? text.len : end - 1) - begin };
    *at = next;
    return true;
}

/* Of as many labels as the longest window has, padding in front included; the first token is none. */
static double window_padded(const struct window_loss *window, size_t longest)
{
    if (window->tokens == longest) return window->sum;
    return window->sum + (double)(longest - window->tokens - 1) * window->pad +
        (window->tokens ? window->first : 0);
}

double window_published(const struct window_loss *window, size_t count)
{
    enum { BATCH = 32 };
    size_t longest = 0;
    double sum = 0;

    for (size_t i = 0; i < count; i++) longest = window[i].tokens > longest ? window[i].tokens : longest;
    if (longest < 2) return NAN;
    for (size_t from = 0; from < count; from += BATCH) {
        size_t to = from + BATCH < count ? from + BATCH : count;
        double batch = 0;

        for (size_t i = from; i < to; i++) batch += window_padded(&window[i], longest);
        sum += batch / (double)(to - from) / (double)(longest - 1);
    }
    return exp(sum / (double)count);
}
