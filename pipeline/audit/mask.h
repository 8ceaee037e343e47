/* audit/mask.h -- what stands before and behind an element, as the model that is asked for it is shown.
 *
 * exact      prefix, value and suffix are the text.
 * published  what the released code of TraWiC (separate_script) shows: the line feed before the element's line is lost,
 *            what is masked is the first place of the value from that line on, wherever the element was, and a comment
 *            keeps its first `#` in the prefix.  A value that is not there (its white space begins on the line before)
 *            costs the prefix its last character, and the suffix begins as if the value had been found before the
 *            first. */
#ifndef LEAKGRAPH_AUDIT_MASK_H
#define LEAKGRAPH_AUDIT_MASK_H

#include "audit/element.h"
#include "base/bytes.h"

/* prefix: appended to, empty at first; suffix: lent of the text.  0 or -ENOMEM with err set. */
int audit_mask_exact(struct slice text, const struct audit_element *element, struct bytes *prefix,
                     struct slice *suffix, struct err *err);
int audit_mask_published(struct slice text, const struct audit_element *element, struct bytes *prefix,
                         struct slice *suffix, struct err *err);

/* The same of any word, from a line (from 1) on. */
int audit_separate(struct slice text, struct slice word, size_t line, struct bytes *prefix, struct slice *suffix,
                   struct err *err);

#endif
