/* config/yaml_text.c -- see yaml_text.h. */
#include "config/yaml_text.h"

#include "base/option.h"

#include <errno.h>
#include <string.h>

bool named_glob_parse(struct named_glob *out, const char *value)
{
    const char *equals = strchr(value, '=');
    size_t      len = equals ? (size_t)(equals - value) : 0;

    if (!len || !equals[1] || len >= sizeof out->name) return false;
    memcpy(out->name, value, len);
    out->name[len] = '\0';
    out->glob = equals + 1;
    out->option = NULL;
    return true;
}

static bool same_dataset(const struct named_glob *a, const struct named_glob *b)
{
    return a->benchmark == b->benchmark && strcmp(a->name, b->name) == 0;
}

/* Ends a line that stands for an option. */
static int line_end(struct bytes *out, const char *option)
{
    return bytes_printf(out, "%s%s\n", option ? "  # " : "", option ? option : "");
}

/* The dataset of the i-th glob, unless an earlier glob has made it. */
static int dataset_append(struct bytes *out, const struct named_glob *glob, size_t count, size_t i,
                          const char *language, bool self_join)
{
    bool first = true;

    for (size_t j = 0; j < i; j++)
        if (same_dataset(&glob[j], &glob[i])) return 0;
    if (bytes_printf(out, "  - name: ") < 0 || option_print_text(glob[i].name, out) < 0 ||
        line_end(out, glob[i].option) < 0 ||
        bytes_printf(out, "    role: %s\n", glob[i].benchmark ? "benchmark" : "corpus") < 0) return -ENOMEM;
    if (language && (bytes_printf(out, "    language: ") < 0 || option_print_text(language, out) < 0 ||
                     line_end(out, "--language") < 0))
        return -ENOMEM;
    if (self_join && !glob[i].benchmark &&
        (bytes_printf(out, "    self_join: exact") < 0 || line_end(out, "--self-join") < 0)) return -ENOMEM;
    if (bytes_printf(out, "    files: [") < 0) return -ENOMEM;
    for (size_t j = i; j < count; j++) {
        if (!same_dataset(&glob[j], &glob[i])) continue;
        if ((!first && bytes_append(out, ", ", 2) < 0) || option_print_text(glob[j].glob, out) < 0) return -ENOMEM;
        first = false;
    }
    return bytes_append(out, "]", 1) < 0 ? -ENOMEM : line_end(out, glob[i].option);
}

int yaml_datasets(struct bytes *out, const struct named_glob *glob, size_t count, const char *language, bool self_join)
{
    int rc = bytes_printf(out, "datasets:\n");

    for (size_t i = 0; i < count && rc == 0; i++) rc = dataset_append(out, glob, count, i, language, self_join);
    return rc;
}
