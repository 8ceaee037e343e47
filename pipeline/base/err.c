/* base/err.c -- see err.h. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *err, int code, const char *format, ...)
{
    va_list args;

    err->code = code;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return code;
}

int err_add(struct err *err, const char *format, ...)
{
    char    old[sizeof err->text];
    va_list args;
    int     used;

    memcpy(old, err->text, sizeof old);
    va_start(args, format);
    used = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof err->text)
        snprintf(err->text + used, sizeof err->text - (size_t)used, ": %.*s",
                 (int)(sizeof err->text - 1 - (size_t)used), old);
    return err->code;
}

int err_of_write(int number)
{
    return number == ENOSPC || number == EDQUOT ? -ENOSPC : number == ENOMEM ? -ENOMEM : -EIO;
}

int err_memory(struct err *err, unsigned long long bytes, const char *what)
{
    return err_set(err, -ENOMEM, "out of memory (%llu bytes for %s)", bytes, what);
}
