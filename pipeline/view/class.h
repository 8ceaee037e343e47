/* view/class.h -- which documents are one: the hash of a multiset of features, and of a text that has too few. */
#ifndef LEAKGRAPH_VIEW_CLASS_H
#define LEAKGRAPH_VIEW_CLASS_H

#include "view/view.h"

/* Documents of one class up to which all its pairs are spelled out: the pairs of a larger one, which would be half its
 * square, form a star. */
#define STAR_LIMIT 1000u

/* 128-bit hash of a multiset: hash[n] ascending and distinct, count[n]. */
struct content_hash class_hash(const uint64_t *hash, const uint32_t *count, size_t n);

/* Key of equal documents that are not admitted, by a hash of their text: of one language, unless languages are
 * compared. */
struct content_hash copy_hash(struct content_hash raw, const struct view_language *language);

#endif
