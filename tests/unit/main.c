/* tests/unit/main.c -- runs the unit test of one module: unit ROOM/MODULE, as in tests/unit/ROOM/MODULE.c; without a
 * name, all.
 *
 * Every test has a main of its own, which the build renames and lists in units.h. */
#include <stdio.h>
#include <string.h>

#define UNIT(name, function) int function(void);
#include "units.h"
#undef UNIT

static const struct { const char *name; int (*run)(void); } unit[] = {
#define UNIT(name, function) { #name, function },
#include "units.h"
#undef UNIT
};

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    int         failed = 0, ran = 0;

    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        if (only && strcmp(only, unit[i].name) != 0) continue;
        failed |= unit[i].run();
        ran++;
    }
    if (!ran) fprintf(stderr, "unit: there is no test of a module `%s`\n", only ? only : "");
    return ran ? failed : 2;
}
