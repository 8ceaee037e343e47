/* cmd/number.c -- see number.h. */
#include "cmd/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

int number_take(uint64_t *out, uint64_t least, uint64_t most, const char *command, const char *option,
                const char *value, struct err *err)
{
    char *end;

    errno = 0;
    *out = strtoull(value, &end, 10);
    return !isdigit((unsigned char)*value) || *end || errno || *out < least || *out > most
        ? err_set(err, -EINVAL, "%s%s%s takes a number from %llu to %llu, not `%s`", command ? command : "",
                  command ? ": " : "", option, (unsigned long long)least, (unsigned long long)most, value) : 0;
}
