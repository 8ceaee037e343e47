/* graph/value_hash.h -- a hash over values in their order, of a table that is being filled or read: of each its type
 * (one byte, as SQLite numbers them), then 8 bytes of a number, lowest first, or the length in 8 bytes and the bytes of
 * a text. */
#ifndef LEAKGRAPH_GRAPH_VALUE_HASH_H
#define LEAKGRAPH_GRAPH_VALUE_HASH_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

/* Values go through a buffer: most have a few bytes, and a call of the hash for each would take longer than reading
 * them.  Zeroed at first; hash: of library xxhash. */
struct value_hash { void *hash; size_t used; uint8_t buffer[4096]; };

bool value_hash_begin(struct value_hash *hash);             /* false: no memory */
void value_hash_null(struct value_hash *hash);
void value_hash_number(struct value_hash *hash, uint64_t number);
void value_hash_real(struct value_hash *hash, double real); /* NaN: SQLite makes it NULL */
void value_hash_text(struct value_hash *hash, struct slice text);
void value_hash_bytes(struct value_hash *hash, int type, struct slice bytes);   /* of any other type */
void value_hash_end(struct value_hash *hash, char out[33]); /* 32 hex digits and NUL; lets go of what begin took */
void value_hash_drop(struct value_hash *hash);              /* without an end; also of one that has not begun */

#endif
