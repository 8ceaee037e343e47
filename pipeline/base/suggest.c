/* base/suggest.c -- see suggest.h. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    SUGGEST_WORD = 64,                                      /* longest word that is compared */
    SUGGEST_PART = 3,                                       /* shortest one that is looked for in a name */
    SUGGEST_WHOLE = 4,                                      /* shortest name that is looked for in a word */
};

/* Edit distance with swaps of neighbours, letters folded; words longer than SUGGEST_WORD are told apart by their first
 * SUGGEST_WORD bytes. */
static size_t suggest_distance(const char *a, const char *b)
{
    size_t row[3][SUGGEST_WORD + 1], na = strnlen(a, SUGGEST_WORD), nb = strnlen(b, SUGGEST_WORD);

    for (size_t j = 0; j <= nb; j++) row[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        int     c = tolower((unsigned char)a[i - 1]);

        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            int    d = tolower((unsigned char)b[j - 1]);
            size_t best = last[j - 1] + (c != d);

            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && c == tolower((unsigned char)b[j - 2]) && d == tolower((unsigned char)a[i - 2]) &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[na % 3][nb];
}

static const char *nearest_by_distance(const char *word, const char *const *candidates)
{
    const char *nearest = NULL;
    size_t      best = 4;

    for (; *candidates; candidates++) {
        size_t distance = suggest_distance(word, *candidates);

        /* People remember the last word of a key; leaving out the rest counts as one more change. */
        for (const char *end = strchr(*candidates, '_'); end; end = strchr(end + 1, '_')) {
            size_t of_end = suggest_distance(word, end + 1) + 1;

            if (of_end < distance) distance = of_end;
        }
        if (distance < best && 2 * distance < strlen(word)) {
            best = distance;
            nearest = *candidates;
        }
    }
    return nearest;
}

static bool begins(const char *text, const char *with) { return strncasecmp(text, with, strlen(with)) == 0; }

static bool holds(const char *text, const char *part)
{
    for (; *text; text++)
        if (begins(text, part)) return true;
    return false;
}

/* The shortest name that begins with the word, or holds it: the least that is added to what was written. */
static const char *nearest_by_part(const char *word, const char *const *candidates, bool (*met)(const char *,
                                                                                              const char *))
{
    const char *nearest = NULL;

    if (strlen(word) < SUGGEST_PART) return NULL;
    for (; *candidates; candidates++)
        if (met(*candidates, word) && (!nearest || strlen(*candidates) < strlen(nearest))) nearest = *candidates;
    return nearest;
}

static const char *nearest_by_whole(const char *word, const char *const *candidates)
{
    const char *nearest = NULL;

    for (; *candidates; candidates++) {
        size_t len = strlen(*candidates);

        if (len >= SUGGEST_WHOLE && 2 * len >= strlen(word) && begins(word, *candidates) &&
            (!nearest || len > strlen(nearest)))
            nearest = *candidates;
    }
    return nearest;
}

const char *suggest_nearest(const char *word, const char *const *candidates)
{
    const char *nearest = nearest_by_distance(word, candidates);

    if (!nearest) nearest = nearest_by_part(word, candidates, begins);
    if (!nearest) nearest = nearest_by_part(word, candidates, holds);
    return nearest ? nearest : nearest_by_whole(word, candidates);
}

const char *suggest(const char *word, const char *const *candidates, char out[SUGGEST_ROOM])
{
    const char *nearest = suggest_nearest(word, candidates);

    *out = '\0';
    if (nearest) snprintf(out, SUGGEST_ROOM, "; did you mean `%.100s`?", nearest);
    return out;
}

const char *suggest_choice(const char *word, const char *choices, char out[SUGGEST_ROOM])
{
    char       *copy = strdup(choices), *rest = copy, *choice;
    const char *words[32] = { 0 };                          /* no option has so many */

    *out = '\0';
    for (size_t i = 0; i < 31 && copy && (choice = strsep(&rest, "|")); i++) words[i] = choice;
    if (copy) suggest(word, words, out);                    /* no memory for a guess: none */
    free(copy);
    return out;
}
