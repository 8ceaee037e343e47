/* licence/words.h -- a text as words with one blank between: lower case, letters apart from digits, `licence` spelled
 * `license`, no punctuation but the point in 2.1 and the + in 2+.
 *
 * Marks of comments go with the punctuation; `dnl`, `REM` and Fortran's C at the beginning of a line go, too, and the
 * escapes \n, \r, \t of texts inside strings. */
#ifndef LEAKGRAPH_LICENCE_WORDS_H
#define LEAKGRAPH_LICENCE_WORDS_H

#include "base/slice.h"

#include <stdbool.h>

#include <stdint.h>

enum { WORDS_BYTES = 24 << 10, WORDS_MOST = 8 << 10 };

struct words {
    uint32_t count, len;
    uint32_t at[WORDS_MOST + 1];                            /* where each begins in text; at[count] - 1 is the end */
    char     text[WORDS_BYTES];
};

/* What does not fit is left out. */
void words_read(struct words *out, struct slice text);

/* Word i; nothing beyond the last. */
static inline struct slice words_at(const struct words *words, size_t i)
{
    return i < words->count ? (struct slice){ words->text + words->at[i], words->at[i + 1] - words->at[i] - 1 }
        : (struct slice){ words->text, 0 };
}

/* Is word i one of the list, each of which stands between blanks, as in " or and "? */
bool words_among(const struct words *words, size_t i, const char *list);

/* How many words of `phrase` (one blank between) stand at word i: all of them, or 0. */
size_t words_match(const struct words *words, size_t i, const char *phrase);

#endif
