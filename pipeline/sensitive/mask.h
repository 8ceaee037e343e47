/* sensitive/mask.h -- texts and names as a report shows them: what is sensitive in them is masked.
 *
 * Reports put names together, as PATH#FUNCTION@LINE, and tell those of repositories in lower case: what is a value in
 * the name is masked whatever was made of it. */
#ifndef LEAKGRAPH_SENSITIVE_MASK_H
#define LEAKGRAPH_SENSITIVE_MASK_H

#include "base/bytes.h"
#include "base/slice.h"

/* Masks values of all kinds as sensitive_mask does; when there is any, *text becomes a view of `masked`, to which the
 * new text is appended.  In time linear in the text's length.  0 or -ENOMEM. */
int sensitive_mask_text(struct slice *text, struct bytes *masked);

#endif
