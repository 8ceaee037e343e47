/* code/category.c -- see category.h. */
#include "code/category.h"

#include "base/search.h"

static const char names[][3] = {
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
};
enum { NAMES = sizeof names / sizeof *names };

uint32_t category_of(uint32_t c)
{
    size_t behind;                                          /* the first run that begins after it */

    if (c > 0x10FFFF) return NAMES - 1;
    behind = search_u32(category_runs, sizeof *category_runs, 0, 0, category_runs_count, (c + 1) << CATEGORY_BITS);
    return category_runs[behind - 1] & ((1u << CATEGORY_BITS) - 1);
}

uint32_t category_mask(struct slice name)
{
    uint32_t mask = 0;

    if (name.len != 1 && name.len != 2) return 0;
    for (uint32_t i = 0; i < NAMES; i++)
        if (memcmp(names[i], name.at, name.len) == 0) mask |= 1u << i;
    return mask;
}
