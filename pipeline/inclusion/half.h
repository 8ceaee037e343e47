/* inclusion/half.h -- functions in halves: the first is shown, the second asked for (Majdinasab et al. 2024, section V:
 * the comparison with NiCad; docs/definitions.md, "Inclusion"). */
#ifndef LEAKGRAPH_INCLUSION_HALF_H
#define LEAKGRAPH_INCLUSION_HALF_H

#include "audit/element.h"
#include "base/bytes.h"

/* A function of a text, in whole lines: [at, middle) are the first half of them, rounded down, [middle, end) the rest.
 * It begins with what its first line is indented by; head is where it is declared. */
struct inclusion_half { size_t at, head, middle, end; uint32_t line; };

/* Halves of which the second has fewer statements (code/statement.h) say nothing: anybody writes them. */
enum { HALF_LEAST = 3, HALF_PIECES = 2048 };

/* A zeroed struct is empty; half_free releases its memory. */
struct inclusion_halves { struct inclusion_half *at; size_t count, room; };
void half_free(struct inclusion_halves *halves);

/* Those of a text.  BYTES_PAD bytes past its end must be readable.  *out is emptied first.
 *   exact      in every language whose functions are told, those whose second half has HALF_LEAST statements; `most` of
 *              them, spread by their content, in their order (0: all)
 *   published  of Python, without decorators, all but `async def`: by indentation, then in their order, as a walk in
 *              breadth meets them; none of a text that Python's tokenizer does not read, and not those that more than
 *              HALF_PIECES - 1 spaces cut in pieces
 * 0, or -ENOMEM with err set. */
int half_find(struct audit_reader *reader, const struct language *language, struct slice text, bool published,
              uint32_t most, struct inclusion_halves *out, struct err *err);

/* What the published code compares, appended to *out: the first half, without white space before it, and the true
 * second one, the line feed between them lost; the same with what the model wrote in its place, behind the prompt as it
 * was.  0 or -ENOMEM. */
int half_original(struct slice text, const struct inclusion_half *half, struct bytes *out);
int half_generated(struct slice text, const struct inclusion_half *half, struct slice written, struct bytes *out);

/* What is shown of the first half: not the white space at its end, which belongs to the token behind it; published: not
 * the line feed. */
struct slice half_shown(struct slice text, const struct inclusion_half *half, bool published);

#endif
