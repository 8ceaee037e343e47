/* view/words.h -- where the words of a text are.
 *
 * A word is a longest run of letters, digits, underscores and bytes beyond ASCII (docs/definitions.md, "Features").
 * Finding its ends is cheap beside hashing it, and who looks for few words need not hash the others. */
#ifndef LEAKGRAPH_VIEW_WORDS_H
#define LEAKGRAPH_VIEW_WORDS_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>

/* Word i is text[start[i] .. end[i]).  Zeroed before its first use; freed by view_words_free. */
struct view_words { uint32_t *start, *end; size_t count, room; };

/* Those of another text.  0, or -ENOMEM with err set, and none. */
int  view_words_find(struct view_words *words, struct slice text, struct err *err);
void view_words_free(struct view_words *words);

static inline struct slice view_words_at(const struct view_words *words, const char *text, size_t i)
{
    return (struct slice){ text + words->start[i], words->end[i] - words->start[i] };
}

#endif
