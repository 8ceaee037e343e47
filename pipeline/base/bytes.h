/* base/bytes.h -- a growable byte buffer whose content may be read BYTES_PAD bytes past its end.
 *
 * Kernels load whole vectors; the pad makes such a load legal for the last bytes of any buffer of ours.
 * A zeroed struct is an empty buffer.  at is owned by the struct. */
#ifndef LEAKGRAPH_BASE_BYTES_H
#define LEAKGRAPH_BASE_BYTES_H

#include "base/slice.h"

#include <stddef.h>

enum { BYTES_PAD = 64 };

struct bytes { char *at; size_t len, room; };               /* room: usable bytes, the pad not counted */

/* at least this much room in all; 0 or -ENOMEM, content kept */
int  bytes_reserve(struct bytes *b, size_t room);
int  bytes_append(struct bytes *b, const void *at, size_t len);             /* 0 or -ENOMEM (then b is unchanged) */
int  bytes_append_slice(struct bytes *b, struct slice s);
int  bytes_printf(struct bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));   /* 0 or -ENOMEM */
void bytes_free(struct bytes *b);                           /* leaves an empty buffer */

/* Makes room for one more element in an array of `count`: doubles it when it is full.  0 or -ENOMEM (then it is
 * unchanged). */
int  array_grow(void **at, size_t *room, size_t count, size_t size);

static inline struct slice bytes_slice(const struct bytes *b) { return (struct slice){ b->at, b->len }; }

#endif
