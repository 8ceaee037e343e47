/* similarity/words.h -- the words that similarities are taken over, and numbers for them.
 *
 * words_of_python cuts a text as Pygments' lexer of Python does (PythonLexer, release 2.14), its tokens joined by
 * spaces and split on white space: what LiCoEval (Xu et al., ICSE 2025) takes BLEU and Jaccard over.  Any text has
 * words; what is no Python is a word a character where no rule fits.  Time is linear in the text.  Two things differ:
 * letters are those of code/unicode.c, and `match`, `case` are words like others (the lexer also cuts off a last
 * underscore behind them). */
#ifndef LEAKGRAPH_SIMILARITY_WORDS_H
#define LEAKGRAPH_SIMILARITY_WORDS_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/table.h"

#include <stdint.h>

/* Reusable.  A zeroed struct is ready; words_free releases its memory. */
struct words {
    struct slice *at;                                       /* [count], views of text */
    size_t        count, room;
    struct bytes  text;                                     /* with LF as its only line end */
    struct bytes  stack;                                    /* scratch: strings and fields that are open */
};

/* The words of a text, of at most UINT32_MAX bytes.  0, or -ENOMEM with err set. */
int  words_of_python(struct words *words, struct slice text, struct err *err);
/* Appends a run's words, split on white space as Python's str.split() does, views of it.  0 or -ENOMEM. */
int  words_split(struct words *words, struct slice run);
/* The words of a comment or another text in a natural language, as the published scripts of code summaries cut it
 * (Lopez et al. 2024): letters of ASCII made small, then every longest run of letters, digits and `_`, and every other
 * character that is no white space, by itself.  0, or -ENOMEM with err set. */
int  words_of_prose(struct words *words, struct slice text, struct err *err);
void words_free(struct words *words);

/* Words by number: equal words have equal numbers, from 1.  Equality is by 128-bit hash.  A zeroed struct is ready. */
struct word_numbers { struct table table; uint32_t *at; size_t room; };
/* numbers->at[words->count], until the next call.  0, or -ENOMEM with err set. */
int  word_numbers_take(struct word_numbers *numbers, const struct words *words, struct err *err);
void word_numbers_free(struct word_numbers *numbers);

#endif
