/* audit/words.h -- what a model says where it does not give a name back: is the name among the words of the answer?
 * Source: TraWiC (Majdinasab et al.), table 8.
 *
 * Of names that were missed, those whose words are all rare are looked at: a word's frequency is its count among the
 * words of all missed names, divided by the sum of counts (the paper), or by the largest of them (published: the
 * released code).  Words end at white space. */
#ifndef LEAKGRAPH_AUDIT_WORDS_H
#define LEAKGRAPH_AUDIT_WORDS_H

#include "audit/feature.h"

enum { AUDIT_LIMITS = 3 };
extern const double audit_limits[AUDIT_LIMITS];             /* of frequencies: 0.5, 0.3, 0.1 */

struct audit_missed { uint64_t looked_at, said; };          /* missed names that are rare; in the words of the answer */

/* Counts, by category of names and limit, over the answers that are names and no hit; others are passed over.  0, or
 * -ENOMEM with err set. */
int audit_missed_count(const struct audit_answer *answer, size_t count, bool published,
                       struct audit_missed out[AUDIT_VARIABLE + 1][AUDIT_LIMITS], struct err *err);

#endif
