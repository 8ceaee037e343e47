/* regress/formula.h -- what a formula as in R asks for: `nll ~ overlap + log(length) + (1 | item)`.
 *
 * On the left the response: a column, log, log1p or scale of one, or HITS/TRIALS.  On the right, joined by +, in any
 * order: columns, log, log1p and scale of them, factor of them (their numbers are texts), a:b (the product, of texts
 * all pairs), a*b (a + b + a:b), 0 or -1 (no intercept), 1, and of groups (1 | g), (1 | a:b), (1 | a/b), which is
 * (1 | a) + (1 | a:b).  A name has letters, digits, _ and dots, or stands between backquotes.  Everything else is
 * refused, with its place. */
#ifndef LEAKGRAPH_REGRESS_FORMULA_H
#define LEAKGRAPH_REGRESS_FORMULA_H

#include "base/err.h"
#include "base/slice.h"
#include "regress/penalised.h"

#include <stdbool.h>
#include <stdint.h>

enum { FORMULA_VARIABLES = 32, FORMULA_TERMS = 64, FORMULA_LONGEST = 4096 };

enum formula_function {
    FORMULA_PLAIN, FORMULA_LOG, FORMULA_LOG1P, FORMULA_SCALE,
    FORMULA_FACTOR,                                         /* numbers as texts */
    FORMULA_FUNCTIONS
};
extern const char *const formula_function_names[FORMULA_FUNCTIONS + 1];     /* up to NULL; the first is "" */

struct formula_variable { enum formula_function function; struct slice name; };     /* name: a piece of the text */

/* A term and a group are sets of variables: bit i is variable[i]. */
struct formula {
    struct formula_variable response, trials;               /* trials.name.at: NULL where none are said */
    struct formula_variable variable[FORMULA_VARIABLES];
    uint32_t                term[FORMULA_TERMS];            /* single variables first, then pairs, ...; none twice */
    uint32_t                group[REGRESS_TERMS];           /* in the order said */
    size_t                  variables, terms, groups;
    bool                    intercept;
};

/* text is borrowed by the formula.  0, or -EINVAL with err set: "formula, character N: ...". */
int formula_parse(struct formula *out, struct slice text, struct err *err);

#endif
