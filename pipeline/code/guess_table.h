/* code/guess_table.h -- what guess.c counts: words and runs of signs, and how often each language has them. */
#ifndef LEAKGRAPH_CODE_GUESS_TABLE_H
#define LEAKGRAPH_CODE_GUESS_TABLE_H

#include <stddef.h>

enum { GUESS_LANGUAGES = 23 };

/* Names of rows of language.h; text is prose, data, markup: no programming language. */
extern const char *const guess_languages[GUESS_LANGUAGES + 1];

/* text: bytes ascending; share: by language -4 log2 of the share of pieces of source that have it, from '0' on. */
struct guess_word { const char *text, *share; };
extern const struct guess_word guess_words[];
extern const size_t guess_word_count;

#endif
