/* tests/unit/regress/common.h -- made data, and numbers that are to be near others. */
#ifndef LEAKGRAPH_TESTS_UNIT_REGRESS_COMMON_H
#define LEAKGRAPH_TESTS_UNIT_REGRESS_COMMON_H

#include "regress/regression.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define close_to(value, wanted, tolerance) close_at(__LINE__, value, wanted, tolerance)

static inline void close_at(int line, double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance * (1 + fabs(wanted))))
        fail_msg("line %d: %.12g is not %.12g", line, value, wanted);
}

static inline double unit_draw(uint64_t *state) { return (double)(draw(state) >> 11) * 0x1p-53; }

static inline double normal_draw(uint64_t *state)
{
    const double radius = sqrt(-2 * log(1 - unit_draw(state)));

    return radius * cos(2 * acos(-1) * unit_draw(state));
}

/* Names that messages have. */
static const char *const column_names[] = { "first", "second", "third", "fourth", "fifth", "sixth" };
static const char *const group_names[] = { "one", "two", "three", "four" };

/* Rows with an intercept, normal columns, groups drawn at random (each level has a row), and effects of all. */
enum { MADE_ROWS = 400, MADE_COLUMNS = 6 };
struct made {
    double   x[MADE_ROWS * MADE_COLUMNS], y[MADE_ROWS], trials[MADE_ROWS];
    uint32_t level[REGRESS_TERMS][MADE_ROWS];
    struct regression_data data;
};

static inline void made_groups(struct made *m, size_t t, size_t levels, double deviation, uint64_t *state)
{
    double effect[MADE_ROWS];

    for (size_t i = 0; i < levels; i++) effect[i] = deviation * normal_draw(state);
    for (size_t i = 0; i < m->data.rows; i++) {
        m->level[t][i] = (uint32_t)(i < levels ? i : draw(state) % levels);
        m->y[i] += effect[m->level[t][i]];
    }
    m->data.term[t] = (struct grouping){ levels, m->level[t] };
    if (m->data.terms <= t) m->data.terms = t + 1;
}

/* y: what the columns and groups add up to, for noise or hits to come. */
static inline void made_begin(struct made *m, size_t rows, size_t columns, uint64_t *state)
{
    *m = (struct made){ .data = { .rows = rows, .columns = columns, .x = m->x, .y = m->y, .name = column_names,
                                  .term_name = group_names } };
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++) {
            m->x[i * columns + k] = k ? normal_draw(state) : 1;
            m->y[i] += m->x[i * columns + k] * 0.3;
        }
}

static inline void made_noise(struct made *m, double deviation, uint64_t *state)
{
    for (size_t i = 0; i < m->data.rows; i++) m->y[i] += deviation * normal_draw(state);
}

static inline void made_hits(struct made *m, enum regression_link link, size_t most, uint64_t *state)
{
    m->data.trials = m->trials;
    m->data.link = link;
    for (size_t i = 0; i < m->data.rows; i++) {
        const double chance = link == LINK_LOG ? fmin(0.9, exp(m->y[i] - 2)) : 1 / (1 + exp(-m->y[i]));

        m->trials[i] = (double)(1 + draw(state) % most);
        m->y[i] = 0;
        for (int k = 0; k < m->trials[i]; k++) m->y[i] += unit_draw(state) < chance;
    }
}

#endif
