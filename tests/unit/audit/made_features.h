/* tests/unit/audit/made_features.h -- feature rows drawn from a seed: repositories of which a model knows some. */
#ifndef LEAKGRAPH_TESTS_UNIT_AUDIT_MADE_FEATURES_H
#define LEAKGRAPH_TESTS_UNIT_AUDIT_MADE_FEATURES_H

#include "audit/feature.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* `count` repositories r00, r01, ... of `files` files; every other one has label 1.  An element of a file is given back
 * with probability `base`, and `more` above that in repositories of label 1. */
static inline void made_features(struct audit_features *to, size_t count, size_t files, double base, double more,
                                 uint64_t seed)
{
    struct err err = { 0 };

    for (size_t i = 0; i < count * files; i++) {
        struct random random = random_start(seed, i);
        const int     label = (int)(i / files % 2);
        double        hits[AUDIT_CATEGORIES], total[AUDIT_CATEGORIES];
        char          file[64], repository[32];

        snprintf(repository, sizeof repository, "r%02zu", i / files);
        snprintf(file, sizeof file, "%s/f%03zu.py", repository, i % files);
        for (int r = 0; r < AUDIT_CATEGORIES; r++) {
            total[r] = (double)(1 + random_below(&random, 20));
            hits[r] = 0;
            for (double k = 0; k < total[r]; k++) hits[r] += random_unit(&random) < base + (label ? more : 0);
            hits[r] /= total[r];
        }
        assert_int_equal(audit_features_add(to, slice_of(file), slice_of(repository), hits, total, label, &err), 0);
    }
}

#endif
