/* regress/penalised.h -- the equations of models with random intercepts, weighted, for given standard deviations.
 *
 * Rows have a vector of fixed columns x and, of each grouping factor t, one level; the level's effect is theta_t u, u
 * standard normal.  What is solved, by Newton's or Henderson's reasoning (Bates, Maechler, Bolker and Walker 2015,
 * Fitting Linear Mixed-Effects Models Using lme4, section 3), is
 *
 *     | L Z'W Z L + I   L Z'W X | | u |
 *     | X'W Z L         X'W X   | | b | = right side,     L the thetas, W a weight a row.
 *
 * The factor with the most levels has a diagonal block: it is eliminated level by level, and what is left is factored
 * as an envelope (envelope.h).  Nested factors hang together by their outer level alone, and cost what they have
 * levels; crossed ones cost the square of the smaller's levels.  Nothing is approximate. */
#ifndef LEAKGRAPH_REGRESS_PENALISED_H
#define LEAKGRAPH_REGRESS_PENALISED_H

#include "regress/envelope.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REGRESS_TERMS = 4 };                                 /* grouping factors of a model */

struct grouping { size_t levels; const uint32_t *of; };     /* the level of each row; each has a row */

struct penalised {
    size_t          rows, fixed, terms;
    const double   *x;                                      /* rows x fixed, row by row; borrowed */
    struct grouping term[REGRESS_TERMS];                    /* the first has the most levels; borrowed */
    size_t          offset[REGRESS_TERMS + 1];              /* of each term's levels among the unknowns; of the fixed */
    size_t         *begin, blocks;                          /* rows of each level of the first term; 1 without terms */
    struct envelope rest;                                   /* all unknowns but those of the first term */
    double         *diagonal, *coupling;                    /* of the first term; of one of its levels with the rest */
    size_t         *touched;                                /* places of the coupling that are not 0 */
    bool           *met;
    /* as chosen */
    double          theta[REGRESS_TERMS];
    bool            with_fixed;
    /* as factored last */
    const double   *weight;                                 /* NULL: 1 */
    double          log_groups, log_fixed;                  /* log determinants of the blocks of u, and of what is left
                                                             * for b */
};

/* p has rows, fixed, terms, x and term; rows are in the order of the first term's levels.  0, -E2BIG (envelope.h) or
 * -ENOMEM.  Close accepts a zeroed struct. */
int  penalised_open(struct penalised *p);
void penalised_close(struct penalised *p);

size_t penalised_unknowns(const struct penalised *p);       /* of all, fixed ones at the end */

/* theta [terms]; without with_fixed the equations are those of u alone.  Then what is below goes by them. */
void penalised_choose(struct penalised *p, const double *theta, bool with_fixed);

/* weight [rows] stays borrowed.  False: the equations are not positive-definite. */
bool penalised_factor(struct penalised *p, const double *weight);

/* vector [unknowns]: right side to solution.  Of b nothing is touched without with_fixed. */
void penalised_solve(const struct penalised *p, double *vector);

/* out = (L Z'; X') of, a number a row; and out = Z L u + X b, a number a row. */
void penalised_gather(const struct penalised *p, const double *of, double *out);
void penalised_spread(const struct penalised *p, const double *vector, double *out);

/* vector [fixed] becomes R^-1 of it, R'R what is left for b: unit vectors become columns of a root of its inverse. */
void penalised_root(const struct penalised *p, double *vector);

#endif
