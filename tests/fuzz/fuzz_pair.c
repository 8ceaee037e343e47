/* A line of pairs for `audit licence` from a stranger: it is refused with a reason, or its fields are its strings. */
#include "compliance/pair.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_pair: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pair pair;
    struct err  err = { 0 };
    const char *why;
    const int   rc = pair_parse(&pair, (struct slice){ (const char *)data, size }, NULL, &why, &err);

    require(rc == 0 || rc == 1, "no memory");
    require(!rc == (why != NULL) && !rc == !pair.tree, "refused without a reason");
    if (rc) {
        require(pair.reference.len > 0, "without a reference");
        for (const struct slice *s = &pair.reference; s <= &pair.reply; s++)
            require(s->at && s->len <= size, "a field");
    }
    pair_free(&pair);
    return 0;
}
