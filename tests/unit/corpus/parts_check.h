/* tests/unit/corpus/parts_check.h -- a shard to one reader, and to those who divide it. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_PARTS_CHECK_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_PARTS_CHECK_H

#include "tests/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Who reads a part of the units finds in them what he would find who reads them all, and the hash where it is his.
 * Returns how many records the readers passed over together. */
static inline uint64_t check_parts(const struct dataset *dataset, const struct shard *shard, uint64_t unit_bytes)
{
    uint64_t passed = 0;

    for (uint32_t parts = 2; parts <= PARTS_MAX; parts++) {
        int         rc;
        const char *differs = parts_differ(dataset, shard, unit_bytes, parts, &passed, &rc);

        if (differs) fail_msg("%u parts: %s", parts, differs);
        if (rc < 0) return 0;
    }
    return passed;
}

#endif
