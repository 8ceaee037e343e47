/* Heads of files, fields and answers from a stranger: whatever they say, an expression that is told reads back as
 * itself, and identifiers are the table's. */
#include "licence/expression.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what, const char *detail)
{
    if (right) return;
    fprintf(stderr, "fuzz_licence: %s: %s\n", what, detail);
    abort();
}

static void check(const struct licence *licence)
{
    const struct slice text = slice_of(licence->expression);
    struct licence     again;

    require(text.len < LICENCE_BYTES && licence->class < LICENCE_CLASSES, "out of bounds", "");
    require(text.len > 0 || licence->class == LICENCE_NONE || licence->class == LICENCE_UNKNOWN, "a class of "
        "nothing", "");
    require(expression_read(&again, text) == text.len, "does not read back", licence->expression);
    require(strcmp(again.expression, licence->expression) == 0, "reads back differently", again.expression);
    require(again.choice == licence->choice && again.count == licence->count, "means something else", again.expression);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice text = { (const char *)data, size };
    struct bytes       holders = { 0 };
    struct licence     licence;
    const char        *id;

    licence_of_text(&licence, text);
    check(&licence);
    licence_of_field(&licence, text);
    check(&licence);
    id = licence_named(text, NULL);
    require(!id || licence_class_of(slice_of(id)) != LICENCE_UNKNOWN, "an identifier of nobody", id ? id : "");
    require(licence_holders(&holders, text) == 0, "no memory", "");
    require(holders.len < LICENCE_HOLDERS * (LICENCE_HOLDER_BYTES + 4), "too many holders", "");
    bytes_free(&holders);
    return 0;
}
