/* sensitive/random.c -- what looks random: entropy, and the filter that tells gibberish from words.
 *
 * Gibberish is told by pairs of neighbours.  A pair is natural when its second letter is one of the ten or so that
 * follow the first one in most words, or when it repeats or counts on (`xxxx`, `abcd`, `1234`).  Not natural are other
 * pairs of letters or digits, and a letter beside a digit.  Signs, and a capital after a small letter, end a word: they
 * do not count.  Of the pairs in names written by people about 85 % are natural, in random letters of one case 45 %, in
 * random base64 30 %: below 60 % a text is gibberish.  So are 99.8 % of random strings of 32 bytes of base64 and 99.2 %
 * of those of 16 capitals and digits, and 5.5 % of the names of 12 bytes and more in Python's standard library. */
#include "sensitive/key.h"

#include <math.h>

enum { NATURAL_PERCENT = 60 };

/* For each letter the fewest that follow it in at least 85 % (of k and y: as many as eleven do) of its places inside
 * the 94,120 different words of the names and comments in Debian's Python standard library and C headers. */
static const char *const followers[26] = {
    "bcdglmnprst", "aceijlorsuy", "acehiklortu", "acdefilorsu", "acdflmnrstx", "aefilorstu", "aehilnorstu",
        "aeilmorstu", "acdeglmnost",
    "acdeikmnosu", "aceilnopstu", "adeilostuy", "abeilmopsu", "acdefgiostu", "cdlmnprstuw", "aehiloprstu", "dfilqrstu",
        "acdeimorsty",
    "acehilopstu", "acehiorstuy", "beilmnprst", "aceinops", "acdehilnors", "acefimpstxy", "aceilmnprst", "acdeilostyz",
};

double sensitive_entropy(struct slice text)
{
    uint32_t count[256] = { 0 };
    double   sum = 0, all = (double)text.len;

    for (size_t i = 0; i < text.len; i++) count[(unsigned char)text.at[i]]++;
    for (size_t c = 0; c < 256; c++)
        if (count[c]) sum += count[c] * log2(count[c] / all);
    return text.len ? -sum / all : 0;
}

bool sensitive_is_gibberish(struct slice text)
{
    size_t natural = 0, counted = 0;

    for (size_t i = 1; i < text.len; i++) {
        char a = text.at[i - 1], b = text.at[i], small = sensitive_lower(b);

        if (!sensitive_is_alnum(a) || !sensitive_is_alnum(b) || (sensitive_is_lower(a) && sensitive_is_upper(b)))
            continue;
        counted++;
        if (b == a || b == a + 1) natural++;
        else if (!sensitive_is_digit(a) && !sensitive_is_digit(b))
            natural += strchr(followers[sensitive_lower(a) - 'a'], small) != NULL;
    }
    return natural * 100 < counted * NATURAL_PERCENT;
}

size_t sensitive_mentions(struct slice text, const char *word)
{
    size_t len = strlen(word), count = 0;

    for (size_t i = 0; i + len <= text.len; i++) {
        size_t n = 0;

        while (n < len && sensitive_lower(text.at[i + n]) == word[n]) n++;
        count += n == len;
    }
    return count;
}
