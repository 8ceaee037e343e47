/* model/pattern.h -- the patterns by which tokenizers cut text into words, as GPT-2's, Llama 3's, Qwen's, DeepSeek's.
 *
 * Of regular expressions as Oniguruma reads them (Hugging Face's tokenizers use it): alternatives, the first that
 * matches counting; groups (?:...), ignoring case (?i:...); look ahead (?=...), (?!...); classes [...], [^...] with
 * ranges; \s \S \d \D \p{..} \P{..} by general category, \r \n \t and escaped signs; ? * + {n} {n,} {n,m}, as many as
 * there are, and possessive ?+ *+ ++.  A group may be followed by ? alone.  Anything else is refused with its place. */
#ifndef LEAKGRAPH_MODEL_PATTERN_H
#define LEAKGRAPH_MODEL_PATTERN_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { PATTERN_MOST = 4096 };                               /* bytes */
#define PATTERN_NONE SIZE_MAX

struct pattern;

/* The text is read once; it is UTF-8.  0, -EBADMSG with the place that is not read, -ENOMEM, with err set. */
int  pattern_open(struct pattern **out, struct slice text, struct err *err);
void pattern_close(struct pattern *pattern);                /* accepts NULL */

bool pattern_is_space(uint32_t c);                          /* \s: Unicode's White_Space */

/* A character as patterns see it: with its category. */
uint32_t pattern_mark(uint32_t c);

/* The end of the match that begins at `at` in the text mark[0, count); PATTERN_NONE: none begins there.  *steps counts
 * down to 0, which ends the search: a pattern can be made that tries without end. */
size_t pattern_match(const struct pattern *pattern, const uint32_t *mark, size_t count, size_t at, uint64_t *steps);

#endif
