/* A file of licence rules from a stranger, and behind its first zero byte an answer: it is refused with a reason, or
 * finds the same licence twice, with and without asking for others. */
#include "compliance/rules.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_rules: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char        *zero = size ? memchr(data, 0, size) : NULL;
    const struct slice file = { (const char *)data, zero ? (size_t)(zero - (const char *)data) : size };
    const struct slice text = { zero ? zero + 1 : "", zero ? size - file.len - 1 : 0 };
    struct bytes       scratch = { 0 };
    struct err         err = { 0 };
    struct rules      *rules;
    const char        *one, *first;
    bool               several;

    if (rules_parse(&rules, "f", file, &err) < 0) {
        require(err.code == -EINVAL && strncmp(err.text, "f:", 2) == 0 && !rules, "a failure without text");
        return 0;
    }
    require(rules_count(rules) > 0, "no rule, and no failure");
    one = rules_find(rules, text, NULL, &scratch);
    first = rules_find(rules, text, &several, &scratch);
    require(one == first && (first || !several), "another licence the second time");
    bytes_free(&scratch);
    rules_close(rules);
    return 0;
}
