/* tests/unit/audit/text.h -- texts of the tests. */
#ifndef LEAKGRAPH_TESTS_UNIT_AUDIT_TEXT_H
#define LEAKGRAPH_TESTS_UNIT_AUDIT_TEXT_H

#include "audit/element.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static inline void expect_slice(struct slice got, const char *want)
{
    if (!slice_equal(got, slice_of(want))) fail_msg("`%.*s` instead of `%s`", (int)got.len, got.at, want);
}

#endif
