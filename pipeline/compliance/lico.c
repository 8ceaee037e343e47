/* compliance/lico.c -- see lico.h. */
#include "compliance/lico.h"

#include "licence/licence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

const char *const licence_type_names[LICENCE_TYPES] = { "permissive", "weak", "strong", "unknown" };

/* What begins with one of them, as the released code's table of licences has it. */
static const char *const published_weak[] = { "mpl-2.0", "lgpl-", "epl-2.0", "cddl-1.0", "cpal-1.0", "ms-rl", "nosl",
                                              "ogtsl", "liliq-r-1.1" };
static const char *const published_strong[] = { "gpl-", "agpl-", "epl-1.0", "eupl-", "cecill-2.1", "cc-by-sa-4.0",
                                                "osl-3.0", "nposl-3.0", "rpl-1.5", "ms-pl", "simpl-2.0",
                                                "mulanpubl-2.0", "liliq-rplus-1.1" };

/* Is it one of the list, or of a family that ends with a dash there? */
static bool among(const char *const *list, size_t count, struct slice id)
{
    for (size_t i = 0; i < count; i++) {
        const size_t len = strlen(list[i]);

        if (id.len >= len && strncasecmp(id.at, list[i], len) == 0 && (id.len == len || list[i][len - 1] == '-'))
            return true;
    }
    return false;
}

enum licence_type licence_type_of(struct slice id, bool published)
{
    const enum licence_class class = licence_class_of(id);

    if (published && among(published_weak, sizeof published_weak / sizeof *published_weak, id))
        return LICENCE_TYPE_WEAK;
    if (published && among(published_strong, sizeof published_strong / sizeof *published_strong, id))
        return LICENCE_TYPE_STRONG;
    return class == LICENCE_PERMISSIVE ? LICENCE_TYPE_PERMISSIVE
        : !published && class == LICENCE_WEAK ? LICENCE_TYPE_WEAK
        : !published && class == LICENCE_STRONG ? LICENCE_TYPE_STRONG : LICENCE_TYPE_UNKNOWN;
}

static double share(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : NAN; }

double lico_permissive(const struct lico *lico) { return share(lico->permissive_right, lico->permissive); }

double lico_copyleft(const struct lico *lico) { return share(lico->copyleft_right, lico->copyleft); }

double lico_score(const struct lico *lico)
{
    const double permissive = lico->permissive ? lico_permissive(lico) : 1,
        copyleft = lico->copyleft ? lico_copyleft(lico) : 1;
    char         digits[32];

    if (!lico->benchmark) return NAN;
    snprintf(digits, sizeof digits, "%.3f",
             (1 - share(lico->striking, lico->benchmark) + 2 * permissive + 4 * copyleft) / 7);
    return strtod(digits, NULL);
}
