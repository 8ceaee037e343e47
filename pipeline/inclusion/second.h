/* inclusion/second.h -- a function of a text in the forms of clone types, its second half apart. */
#ifndef LEAKGRAPH_INCLUSION_SECOND_H
#define LEAKGRAPH_INCLUSION_SECOND_H

#include "clonetype/clonetype.h"

/* NiCad's dissimilarity of type 3, at most. */
#define SECOND_DISSIMILARITY ((struct ratio){ 3, 10 })

/* What one reads with; second_open makes it, second_close accepts a zeroed one. */
struct second_reader { struct view_scratch *scratch; struct forms *forms; struct form_place *place; size_t room; };
int  second_open(struct second_reader *reader, struct err *err);
void second_close(struct second_reader *reader);

/* A function that was read; the items, statements of the blind form, are owned.  A zeroed struct is ready. */
struct second { struct form form; uint64_t *item; size_t room, first; /* item of the second half */ };
void second_free(struct second *second);

/* Reads a text, of which BYTES_PAD bytes past its end must be readable; *functions is valid until it reads the next. */
int second_read(struct second_reader *reader, const struct language *language, struct slice text,
                const struct functions **functions, struct err *err);
/* Its function i, of which the second half begins at a byte of the text. */
int second_take(struct second_reader *reader, size_t i, size_t middle, struct second *out, struct err *err);

/* The type of clone that one is of the other, CLONE_TYPES: none; of type 3 by the second halves.  *alike: 1 -
 * dissimilarity, 1 of the other types.  0 or -ENOMEM with err set. */
int second_compare(const struct second *a, const struct second *b, enum clone_type *type, double *alike,
                   struct err *err);

#endif
