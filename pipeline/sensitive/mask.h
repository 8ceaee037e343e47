/* sensitive/mask.h -- texts and names as a report shows them: what is sensitive in them is masked.
 *
 * Reports put names together, as PATH#FUNCTION@LINE or in lists, and tell those of repositories in lower case: what may
 * be a value in a name is masked whatever was made of it, and whatever stands beside it but letters and digits. */
#ifndef LEAKGRAPH_SENSITIVE_MASK_H
#define LEAKGRAPH_SENSITIVE_MASK_H

#include "base/bytes.h"
#include "base/slice.h"

#include <stdbool.h>

/* Masks as sensitive_mask does what sensitive_find finds in a program; in names and prose also what
 * sensitive_find_named finds, and keys that were put into lower case.  When there is any, *text becomes a view of
 * `masked`, to which the new text is appended.  In time linear in the text's length.  0 or -ENOMEM. */
int sensitive_mask_text(struct slice *text, bool program, struct bytes *masked);

#endif
