/* audit/hit.h -- did the model give an element back?
 *
 * The score of an answer is 100 times the share of characters of both that a longest common subsequence has,
 * 2 LCS / (|a| + |b|), rounded half to even: what fuzzywuzzy's `ratio` gives on top of python-Levenshtein.  A name is
 * hit by 100, anything else by a threshold; TraWiC's "edit distance threshold 20" is a score of 20 and more, the
 * loosest, not a distance.  Both sides are trimmed first: of line feeds, then of tabs, then of spaces, each once. */
#ifndef LEAKGRAPH_AUDIT_HIT_H
#define LEAKGRAPH_AUDIT_HIT_H

#include "audit/element.h"

/* In 0 .. 100, of UTF-8 texts; of two that are equal 100, the empty ones too.  Texts whose comparison would take too
 * long (base/lcs.h) are compared by their first AUDIT_CHARACTERS characters.  0 or -ENOMEM with err set. */
enum { AUDIT_CHARACTERS = 1 << 13 };
int audit_ratio(struct slice a, struct slice b, unsigned *out, struct err *err);

struct slice audit_trimmed(struct slice text);

/* The score of a model's output against what was masked, both trimmed; and whether it is a hit.  threshold: of what is
 * no name, 0 .. 100. */
int  audit_score(struct slice wanted, struct slice output, unsigned *out, struct err *err);
bool audit_hits(enum audit_category category, unsigned score, unsigned threshold);

/* Is it one of the seven strings that say nothing, which the published tool leaves out? */
bool audit_is_trivial(struct slice wanted);

#endif
