/* probe/porter.c -- Porter's stemmer (Porter 1980, "An algorithm for suffix stripping") with the extensions of NLTK's
 * default mode, which rouge_score uses; see metric.h.
 *
 * A word is cut by lists of rules, SUFFIX -> REPLACEMENT when what stands before the suffix satisfies a condition; of
 * each list the first rule whose suffix the word ends with decides, whether its condition holds or not. */
#include "probe/metric.h"

static bool is_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

/* y is a consonant at the beginning and after a vowel, so that a run of them alternates. */
static bool is_consonant(const char *word, size_t i)
{
    size_t before = i;

    while (before && word[before] == 'y') before--;
    return is_vowel(word[before]) == ((i - before) % 2 == 1);
}

/* How many times vowels are followed by consonants. */
static unsigned measure(const char *stem, size_t len)
{
    unsigned found = 0;
    bool     vowel = false;

    for (size_t i = 0; i < len; i++) {
        bool consonant = is_consonant(stem, i);

        found += consonant && vowel;
        vowel = !consonant;
    }
    return found;
}

static bool has_vowel(const char *stem, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!is_consonant(stem, i)) return true;
    return false;
}

static bool ends_double(const char *word, size_t len)
{
    return len >= 2 && word[len - 1] == word[len - 2] && is_consonant(word, len - 1);
}

/* Consonant, vowel, consonant other than w, x, y; or a word of two, vowel and consonant (an extension). */
static bool ends_cvc(const char *word, size_t len)
{
    if (len == 2) return !is_consonant(word, 0) && is_consonant(word, 1);
    return len >= 3 && is_consonant(word, len - 3) && !is_consonant(word, len - 2) && is_consonant(word, len - 1) &&
        !strchr("wxy", word[len - 1]);
}

enum condition { ALWAYS, MEASURE_0, MEASURE_1, ION, LOGI };         /* MEASURE_n: above n */

struct rule { const char *suffix, *with; enum condition condition; };

static bool holds(enum condition condition, const char *word, size_t stem)
{
    switch (condition) {
    case ALWAYS:    return true;
    case MEASURE_0: return measure(word, stem) > 0;
    case MEASURE_1: return measure(word, stem) > 1;
    case ION:       return measure(word, stem) > 1 && (word[stem - 1] == 's' || word[stem - 1] == 't');
    case LOGI:      return measure(word, stem + 1) > 0;     /* the l belongs to it */
    }
    return false;
}

static bool ends_with(const char *word, size_t len, const char *suffix)
{
    size_t n = strlen(suffix);

    return len >= n && memcmp(word + len - n, suffix, n) == 0;
}

/* No replacement is longer than its suffix. */
static size_t apply(const struct rule *rule, char *word, size_t len)
{
    for (; rule->suffix; rule++) {
        size_t stem, with = strlen(rule->with);

        if (!ends_with(word, len, rule->suffix)) continue;
        stem = len - strlen(rule->suffix);
        if (!holds(rule->condition, word, stem)) return len;
        memcpy(word + stem, rule->with, with);
        return stem + with;
    }
    return len;
}

static const struct rule step_1a[] = { { "sses", "ss", ALWAYS }, { "ies", "i", ALWAYS }, { "ss", "ss", ALWAYS },
                                       { "s", "", ALWAYS }, { 0 } };
static const struct rule step_2[] = {
    { "ational", "ate", MEASURE_0 }, { "tional", "tion", MEASURE_0 }, { "enci", "ence", MEASURE_0 },
    { "anci", "ance", MEASURE_0 }, { "izer", "ize", MEASURE_0 },
    { "bli", "ble", MEASURE_0 }, { "alli", "al", MEASURE_0 }, { "entli", "ent", MEASURE_0 }, { "eli", "e", MEASURE_0 },
    { "ousli", "ous", MEASURE_0 },
    { "ization", "ize", MEASURE_0 }, { "ation", "ate", MEASURE_0 }, { "ator", "ate", MEASURE_0 },
    { "alism", "al", MEASURE_0 }, { "iveness", "ive", MEASURE_0 },
    { "fulness", "ful", MEASURE_0 }, { "ousness", "ous", MEASURE_0 }, { "aliti", "al", MEASURE_0 },
    { "iviti", "ive", MEASURE_0 }, { "biliti", "ble", MEASURE_0 },
    { "fulli", "ful", MEASURE_0 }, { "logi", "log", LOGI }, { 0 },
};
static const struct rule step_3[] = {
    { "icate", "ic", MEASURE_0 }, { "ative", "", MEASURE_0 }, { "alize", "al", MEASURE_0 },
    { "iciti", "ic", MEASURE_0 }, { "ical", "ic", MEASURE_0 },
    { "ful", "", MEASURE_0 }, { "ness", "", MEASURE_0 }, { 0 },
};
static const struct rule step_4[] = {
    { "al", "", MEASURE_1 }, { "ance", "", MEASURE_1 }, { "ence", "", MEASURE_1 }, { "er", "", MEASURE_1 },
    { "ic", "", MEASURE_1 }, { "able", "", MEASURE_1 },
    { "ible", "", MEASURE_1 }, { "ant", "", MEASURE_1 }, { "ement", "", MEASURE_1 }, { "ment", "", MEASURE_1 },
    { "ent", "", MEASURE_1 }, { "ion", "", ION },
    { "ou", "", MEASURE_1 }, { "ism", "", MEASURE_1 }, { "ate", "", MEASURE_1 }, { "iti", "", MEASURE_1 },
    { "ous", "", MEASURE_1 }, { "ive", "", MEASURE_1 },
    { "ize", "", MEASURE_1 }, { 0 },
};

/* Past tense and -ing. */
static size_t step_1b(char *word, size_t len)
{
    size_t stem = len;

    if (ends_with(word, len, "ied")) return len == 4 ? len - 1 : len - 2;       /* an extension: died, spied */
    if (ends_with(word, len, "eed")) return measure(word, len - 3) > 0 ? len - 1 : len;
    if (ends_with(word, len, "ed") && has_vowel(word, len - 2)) stem = len - 2;
    else if (ends_with(word, len, "ing") && has_vowel(word, len - 3)) stem = len - 3;
    if (stem == len) return len;
    if (ends_with(word, stem, "at") || ends_with(word, stem, "bl") || ends_with(word, stem, "iz")) word[stem++] = 'e';
    else if (ends_double(word, stem)) stem -= !strchr("lsz", word[stem - 1]);
    else if (measure(word, stem) == 1 && ends_cvc(word, stem)) word[stem++] = 'e';
    return stem;
}

static size_t step_1c(char *word, size_t len)
{
    if (len > 2 && word[len - 1] == 'y' && is_consonant(word, len - 2)) word[len - 1] = 'i';
    return len;
}

static size_t double_suffixes(char *word, size_t len)
{
    /* an extension: -alli goes first, and what is left is looked at again */
    while (ends_with(word, len, "alli") && measure(word, len - 4) > 0) len -= 2;
    return apply(step_2, word, len);
}

static size_t step_5(char *word, size_t len)
{
    if (word[len - 1] == 'e') {
        unsigned m = measure(word, len - 1);

        if (m > 1 || (m == 1 && !ends_cvc(word, len - 1))) len--;
    }
    if (ends_with(word, len, "ll") && measure(word, len - 1) > 1) len--;
    return len;
}

/* Words whose stems no rule gives. */
static size_t irregular(char *word, size_t len)
{
    static const char *const pool[][2] = {
        { "skies", "sky" }, { "dying", "die" }, { "lying", "lie" }, { "tying", "tie" }, { "innings", "inning" },
        { "outings", "outing" }, { "cannings", "canning" },
        { "sky", "sky" }, { "news", "news" }, { "inning", "inning" }, { "outing", "outing" }, { "canning", "canning" },
        { "howe", "howe" }, { "proceed", "proceed" },
        { "exceed", "exceed" }, { "succeed", "succeed" },
    };

    for (size_t i = 0; i < sizeof pool / sizeof pool[0]; i++) {
        if (strlen(pool[i][0]) != len || memcmp(word, pool[i][0], len) != 0) continue;
        len = strlen(pool[i][1]);
        memcpy(word, pool[i][1], len);
        return len;
    }
    return 0;
}

size_t porter_stem(char *word, size_t len)
{
    size_t known = irregular(word, len);

    if (known || len <= 2) return known ? known : len;
    len = len == 4 && ends_with(word, len, "ies") ? len - 1 : apply(step_1a, word, len);        /* an extension: dies */
    len = step_1b(word, len);
    len = step_1c(word, len);
    len = double_suffixes(word, len);
    len = apply(step_3, word, len);
    len = apply(step_4, word, len);
    return step_5(word, len);
}
