/* base/slice.h -- a borrowed run of bytes, not NUL-terminated; never owns. */
#ifndef LEAKGRAPH_BASE_SLICE_H
#define LEAKGRAPH_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice { const char *at; size_t len; };

#define SLICE(literal) ((struct slice){ (literal), sizeof(literal) - 1 })

static inline struct slice slice_of(const char *text)
{
    return (struct slice){ text, text ? strlen(text) : 0 };
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

/* Whether a name ends so, a small letter of the ending standing for the capital, too; .Z is not .z. */
static inline bool slice_ends_in(struct slice name, const char *ending)
{
    const size_t len = strlen(ending);

    if (name.len < len) return false;
    for (size_t i = 0; i < len; i++) {
        const char c = name.at[name.len - len + i];

        if (c != ending[i] && !(ending[i] >= 'a' && ending[i] <= 'z' && c == ending[i] - 'a' + 'A')) return false;
    }
    return true;
}

/* Order by bytes, shorter first where one is a prefix of the other. */
static inline int slice_compare(struct slice a, struct slice b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int    c = n ? memcmp(a.at, b.at, n) : 0;

    return c ? c : (a.len > b.len) - (a.len < b.len);
}

#endif
