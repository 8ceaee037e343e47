/* tests/unit/score/taken.h -- samples of a text, and what is said of a text that is refused. */
#ifndef LEAKGRAPH_TESTS_UNIT_SCORE_TAKEN_H
#define LEAKGRAPH_TESTS_UNIT_SCORE_TAKEN_H

#include "score/file.h"
#include "score/item.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static inline void take(struct score_samples *samples, const char *text)
{
    const struct score_source source = { SLICE("m"), SLICE("") };
    struct err                err = { 0 };

    if (score_text_take(samples, "f", slice_of(text), &source, &err) < 0) fail_msg("%s: %s", text, err.text);
}

static inline void take_refused(const char *text, int code, const char *says)
{
    const struct score_source source = { SLICE("m"), SLICE("") };
    struct score_samples      samples = { 0 };
    struct err                err = { 0 };
    const int                 rc = score_text_take(&samples, "f", slice_of(text), &source, &err);

    if (rc != code || err.code != code || !strstr(err.text, says)) fail_msg("%s: %d: %s", text, rc, err.text);
    score_samples_free(&samples);
}

static inline void is_text(struct slice text, const char *wanted)
{
    if (!slice_equal(text, slice_of(wanted))) fail_msg("%.*s is not %s", (int)text.len, text.at, wanted);
}

/* The value of a column of sample s; NaN where it has none. */
static inline double value_of(const struct score_samples *samples, size_t s, const char *column)
{
    const struct score_sample *sample = &samples->at[s];

    for (size_t v = sample->value_at; v < sample->value_at + sample->values; v++)
        if (slice_equal(samples->column[samples->value[v].column].name, slice_of(column)))
            return samples->value[v].is;
    return 0.0 / 0.0;
}

static inline void is_number(double value, double wanted)
{
    if (!(value - wanted < 1e-6 && wanted - value < 1e-6)) fail_msg("%.10g is not %.10g", value, wanted);
}

/* Items a, b, c, ... of which the last `leaked` leaked. */
static inline void items_make(struct score_items *items, size_t count, size_t leaked)
{
    struct err err = { 0 };

    for (size_t i = 0; i < count; i++) {
        const char name[] = { (char)('a' + i), 0 };

        assert_int_equal(score_items_add(items, (struct score_item){ .id = slice_of(name), .language = SLICE("java"),
                                                                     .number = i, .leaked = i + leaked >= count },
                                         &err), 0);
    }
}

#endif
