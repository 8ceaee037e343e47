/* audit/hit.c -- see hit.h. */
#include "audit/hit.h"

#include "base/lcs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* Characters as numbers that are not 0.  What is no UTF-8 is a character a byte or several: the same for both texts. */
static size_t characters(struct slice text, uint64_t *out)
{
    size_t count = 0;

    for (size_t at = 0; at < text.len; count++) {
        uint64_t character = (unsigned char)text.at[at++];

        for (int more = 0; more < 3 && at < text.len && continues(text.at[at]); more++)
            character = character << 8 | (unsigned char)text.at[at++];
        out[count] = character + 1;
    }
    return count;
}

static size_t at_most(size_t count, size_t most) { return count < most ? count : most; }

int audit_ratio(struct slice a, struct slice b, unsigned *out, struct err *err)
{
    uint64_t *character;
    size_t    na, nb;
    uint32_t  common = 0;
    int       rc;

    *out = 100;
    if (slice_equal(a, b)) return 0;
    character = malloc((a.len + b.len) * sizeof *character);
    if (!character) return err_memory(err, (a.len + b.len) * sizeof *character, "an answer");
    na = characters(a, character);
    nb = characters(b, character + na);
    rc = lcs_length(character, na, character + na, nb, &common);
    if (rc == 0 && common == UINT32_MAX) {
        const uint64_t *second = character + na;

        na = at_most(na, AUDIT_CHARACTERS);
        nb = at_most(nb, AUDIT_CHARACTERS);
        rc = lcs_length(character, na, second, nb, &common);
    }
    free(character);
    if (rc < 0) return err_memory(err, (na + nb) * sizeof *character, "an answer");
    *out = (unsigned)rint(100 * ((double)(2 * (uint64_t)common) / (double)(na + nb)));
    return 0;
}

static struct slice without(struct slice text, char c)
{
    while (text.len && text.at[0] == c) text.at++, text.len--;
    while (text.len && text.at[text.len - 1] == c) text.len--;
    return text;
}

struct slice audit_trimmed(struct slice text) { return without(without(without(text, '\n'), '\t'), ' '); }

int audit_score(struct slice wanted, struct slice output, unsigned *out, struct err *err)
{
    return audit_ratio(audit_trimmed(wanted), audit_trimmed(output), out, err);
}

bool audit_hits(enum audit_category category, unsigned score, unsigned threshold)
{
    return score >= (audit_is_name(category) ? 100 : threshold);
}

bool audit_is_trivial(struct slice wanted)
{
    static const struct slice trivial[] = {
        SLICE("\"\"\"\"\"\""), SLICE("\"\"\"\n\"\"\""), SLICE("\"\"\" \"\"\""), SLICE("\"\"\";\"\"\""), SLICE("''"),
        SLICE("' '"), SLICE("'\n'"),
    };

    for (size_t i = 0; i < sizeof trivial / sizeof *trivial; i++)
        if (slice_equal(wanted, trivial[i])) return true;
    return false;
}
