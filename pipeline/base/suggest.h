/* base/suggest.h -- what a wrong word may have meant: the one place that guesses, for keys, names and words of all
 * kinds.
 *
 * First by edit distance (Damerau 1964: a change, a letter more, one less, two neighbours swapped), then by a part of
 * the name, as people know the begin of a name rather than all of it: `gpt3` means gpt3_13gram. */
#ifndef LEAKGRAPH_BASE_SUGGEST_H
#define LEAKGRAPH_BASE_SUGGEST_H

/* The candidate nearest to word, or NULL when none is near.  Letters are folded.  In this order, the first of equals:
 *   edit distance <= 3 and less than half the word's length; a candidate may also be met by its end, for one change
 *   more: `treshold` finds set_threshold;
 *   the shortest candidate that begins with the word, then the shortest that has it inside: words of 3 letters or more;
 *   the longest candidate of 4 letters or more that the word begins with, where that is half of the word.
 * candidates end with NULL. */
const char *suggest_nearest(const char *word, const char *const *candidates);

enum { SUGGEST_ROOM = 128 };

/* The same as the end of a message: "; did you mean `WORD`?" in out, which is returned; empty when none is near. */
const char *suggest(const char *word, const char *const *candidates, char out[SUGGEST_ROOM]);

/* Likewise, of words that are separated by |. */
const char *suggest_choice(const char *word, const char *choices, char out[SUGGEST_ROOM]);

#endif
