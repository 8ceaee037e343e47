/* code/category.h -- the general category of a character (Unicode 16.0, section 4.5), which patterns of tokenizers ask
 * for as \p{L} or \p{Nd}.  The table is what such patterns see in Hugging Face's tokenizers 0.23. */
#ifndef LEAKGRAPH_CODE_CATEGORY_H
#define LEAKGRAPH_CODE_CATEGORY_H

#include "base/slice.h"

#include <stdint.h>

enum { CATEGORY_BITS = 5 };

/* The number of the character's category, below 1 << CATEGORY_BITS; what is no character has that of the unassigned. */
uint32_t category_of(uint32_t c);

/* A bit for each category that a name means: of one (Lu), or of all that begin with a letter (L).  0: no such name. */
uint32_t category_mask(struct slice name);

/* ---- the table ---- */

/* Of each run of characters the first one << CATEGORY_BITS, and the number of their category; ascending from 0. */
extern const uint32_t category_runs[];
extern const size_t   category_runs_count;

#endif
