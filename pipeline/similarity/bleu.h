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

/* The two parts of CodeBLEU (Ren et al. 2020) that need no parser, 0 to 1, of one candidate and one reference.  plain:
 * BLEU-4 with smoothing method 1 of Chen and Cherry (no match counts as 0.1).  weighted: shares of the reference's
 * runs, not of the candidate's; its words count 1 where they are keywords, else 0.2.  keyword[i]: reference.word[i] is
 * one.  Both are 0 where no word is shared. */
struct bleu_code { double plain, weighted; };
int bleu_code(struct bleu_text candidate, struct bleu_text reference, const uint8_t *keyword, struct bleu_code *out,
              struct err *err);                             /* 0, or -ENOMEM with err set */

#endif
