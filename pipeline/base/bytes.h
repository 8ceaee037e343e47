/* base/bytes.h -- a growable byte buffer whose content may be read BYTES_PAD bytes past its end.
 *
 * Kernels load whole vectors; the pad makes such a load legal for the last bytes of any buffer of ours.
 * A zeroed struct is an empty buffer.  at is owned by the struct. */
#ifndef LEAKGRAPH_BASE_BYTES_H
#define LEAKGRAPH_BASE_BYTES_H

#include "base/slice.h"

#include <errno.h>
#include <stddef.h>

enum { BYTES_PAD = 64 };

struct bytes { char *at; size_t len, room; };               /* room: usable bytes, the pad not counted */

/* at least this much room in all; 0 or -ENOMEM, content kept */
int  bytes_reserve(struct bytes *b, size_t room);
int  bytes_append(struct bytes *b, const void *at, size_t len);             /* 0 or -ENOMEM (then b is unchanged) */
int  bytes_append_slice(struct bytes *b, struct slice s);
int  bytes_printf(struct bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));   /* 0 or -ENOMEM */
void bytes_free(struct bytes *b);                           /* leaves an empty buffer */

/* Makes room for element number `count` of an array that has room for `room`: doubles it until there is.  0 or
 * -ENOMEM (then both are unchanged).  A macro, so that the array is assigned as the pointer that it is; arguments are
 * read more than once, and `count` may not be `room` itself. */
#define ARRAY_GROW(array, room, count) \
    ((array) = array_grown((array), &(room), (count), sizeof *(array)), (count) < (room) ? 0 : -ENOMEM)
/* The array of so many bytes an element, moved when it had to grow; *room is as it was when it could not. */
void *array_grown(void *at, size_t *room, size_t count, size_t size);

static inline struct slice bytes_slice(const struct bytes *b) { return (struct slice){ b->at, b->len }; }

#endif
