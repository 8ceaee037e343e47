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
        struct parts_seen whole, seen;
        struct err        err = { 0 };

        if (parts_read(&whole, dataset, shard, unit_bytes, parts, parts, &err) < 0) return 0;
        assert_true(whole.passed == 0 && whole.read == shard->bytes);
        for (uint32_t part = 0; part < parts; part++) {
            if (parts_read(&seen, dataset, shard, unit_bytes, part, parts, &err) < 0) fail_msg("%s", err.text);
            assert_int_equal(seen.hash[part], whole.hash[part]);
            assert_int_equal(seen.read, shard->bytes);
            if (whole.last % parts == part) assert_int_equal(seen.last, whole.last);
            assert_int_equal(seen.xxh3, !seen.asked || whole.last % parts == part ? whole.xxh3 : 0);
            passed += seen.passed;
        }
    }
    return passed;
}

#endif
