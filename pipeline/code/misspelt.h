/* code/misspelt.h -- names of languages that are probably slips: `pyton` would be a language of its own, that nothing
 * is compared with.
 *
 * Datasets may name languages without a row (language.h), so only what is near a row's name is taken for a slip, and
 * not what is a language for all that: TeX, Stata, Cython. */
#ifndef LEAKGRAPH_CODE_MISSPELT_H
#define LEAKGRAPH_CODE_MISSPELT_H

/* The name of the row that is probably meant, or NULL: the name has a row, or is near none. */
const char *misspelt_language(const char *name);

#endif
