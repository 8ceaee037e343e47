/* code/guess.h -- the language of texts of which nothing says it: no field, no path, no #! line.
 *
 * Naive Bayes over the presence and absence of 420 words and signs (McCallum and Nigam 1998, the multi-variate
 * Bernoulli model, absence weighing less) in some lines of each text; the table is guess_table.c, made from real
 * packages by scripts/guess_table.py.  One text of a few lines is often told wrong, ten of a dataset hardly ever: guess
 * for datasets.
 */
#ifndef LEAKGRAPH_CODE_GUESS_H
#define LEAKGRAPH_CODE_GUESS_H

#include "code/guess_table.h"
#include "code/language.h"


enum { GUESS_TEXTS = 64, GUESS_LINES = 40 };                /* at most; of the middle of a text that are looked at */

struct guess {                                              /* begins zeroed */
    size_t texts;
    double score[GUESS_TEXTS][GUESS_LANGUAGES];             /* natural logarithms of likelihoods */
};

void guess_add(struct guess *guess, struct slice text);     /* any bytes; more than GUESS_TEXTS are ignored */

/* The language of the texts, or NULL: of none that is known, or not of one.  likely: by place in guess_languages those
 * that others beside these texts are known to have. */
const struct language *guess_best(const struct guess *guess, const bool likely[GUESS_LANGUAGES]);

/* Its place in guess_languages, or GUESS_LANGUAGES. */
size_t guess_place(const char *name);

#endif
