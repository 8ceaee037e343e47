/* code/misspelt.c -- see misspelt.h. */
#include "code/misspelt.h"

#include "base/suggest.h"
#include "code/language.h"

#include <strings.h>

enum { MISSPELT_ROWS = 128 };

/* Languages of The Stack and of GitHub's list that are near a row's name. */
static const char *const others[] = {
    "applescript", "cython", "f-sharp", "fsharp", "livescript", "perl6", "purescript", "rescript", "stata", "swiftui",
    "tex",
};

const char *misspelt_language(const char *name)
{
    const char *names[MISSPELT_ROWS + 1] = { 0 };

    if (language_by_name(slice_of(name))) return NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(name, others[i]) == 0) return NULL;
    for (size_t i = 0; i < MISSPELT_ROWS && language_at(i); i++) names[i] = language_name(language_at(i));
    return suggest_nearest(name, names);
}
