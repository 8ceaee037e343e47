/* export/whole.c -- see whole.h. */
#include "export/whole.h"

#include <string.h>

const struct export_whole *const export_wholes[] = { &export_interduplication, &export_datasette, NULL };

const struct export_whole *export_whole_find(const char *name)
{
    for (size_t i = 0; export_wholes[i]; i++)
        if (strcmp(export_wholes[i]->name, name) == 0) return export_wholes[i];
    return NULL;
}
