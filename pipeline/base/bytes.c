/* base/bytes.c -- see bytes.h. */
#include "base/bytes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int bytes_reserve(struct bytes *b, size_t room)
{
    size_t grown;
    char  *at;

    if (b->at && room <= b->room) return 0;
    if (room > SIZE_MAX / 2 - BYTES_PAD) return -ENOMEM;
    grown = b->room + b->room / 2;
    if (grown < room) grown = room;
    if (grown < 192) grown = 192;
    at = realloc(b->at, grown + BYTES_PAD);
    if (!at) return -ENOMEM;
    memset(at + grown, 0, BYTES_PAD);
    b->at = at;
    b->room = grown;
    return 0;
}

int bytes_append(struct bytes *b, const void *at, size_t len)
{
    if (len > SIZE_MAX / 2 - b->len || bytes_reserve(b, b->len + len) < 0) return -ENOMEM;
    if (len) memcpy(b->at + b->len, at, len);
    b->len += len;
    return 0;
}

int bytes_append_slice(struct bytes *b, struct slice s) { return bytes_append(b, s.at, s.len); }

int bytes_printf(struct bytes *b, const char *format, ...)
{
    va_list args;
    int     need;

    va_start(args, format);
    need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need < 0 || bytes_reserve(b, b->len + (size_t)need + 1) < 0) return -ENOMEM;
    va_start(args, format);
    vsnprintf(b->at + b->len, (size_t)need + 1, format, args);
    va_end(args);
    b->len += (size_t)need;
    return 0;
}

void bytes_free(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){ 0 };
}

void *array_grown(void *at, size_t *room, size_t count, size_t size)
{
    size_t wanted = *room ? *room : 128;
    void  *grown;

    if (count < *room) return at;
    do wanted *= 2;
    while (wanted <= count && wanted <= PTRDIFF_MAX / size);
    grown = wanted <= PTRDIFF_MAX / size ? realloc(at, wanted * size) : NULL;
    if (!grown) return at;
    *room = wanted;
    return grown;
}
