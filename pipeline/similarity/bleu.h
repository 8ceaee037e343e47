/* similarity/bleu.h -- sentence BLEU-4: how many of a text's runs of one to four words a reference has.
 *
 * Papineni et al. 2002, with smoothing method 4 of Chen and Cherry 2014 as NLTK (3.5 and later) computes them. */
#ifndef LEAKGRAPH_SIMILARITY_BLEU_H
#define LEAKGRAPH_SIMILARITY_BLEU_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct bleu_text { const uint32_t *word; size_t count; };   /* words by number, none of them UINT32_MAX */

/* BLEU of a candidate, 0 to 1, against `references` of them; 0 without a reference or a word that one has, so also of
 * an empty candidate.  A number occurs in it as often as in the reference that has it most often.  The reference whose
 * length is nearest, the shorter of two, says what brevity costs.  0, or -ENOMEM with err set. */
int bleu4(struct bleu_text candidate, const struct bleu_text *reference, size_t references, double *out,
          struct err *err);

#endif
