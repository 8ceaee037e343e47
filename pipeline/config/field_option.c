/* config/field_option.c -- see field_option.h. */
#include "config/field_option.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool field_option_is_name(const char *name)
{
    return *name && *name != '.' && name[strlen(name) - 1] != '.' && !strstr(name, "..");
}

static int refuse(const char *value, const char *why, struct err *err)
{
    char   known[160];
    size_t len = 0;

    for (enum field f = 0; f < FIELD_COUNT; f++)
        len += (size_t)snprintf(known + len, sizeof known - len, "%s%s", f ? ", " : "", field_names[f]);
    return err_set(err, -EINVAL, "--field takes [DATASET.]NAME=FIELD, as text=code: %s in `%.200s`; the names are %s",
                   why, value, known);
}

int field_option_parse(struct field_option *out, const char *value, struct err *err)
{
    const char  *equals = strchr(value, '='), *dot;
    struct slice key;

    *out = (struct field_option){ .dataset = { value, 0 } };
    if (!equals) return refuse(value, "there is no `=`", err);
    key = (struct slice){ value, (size_t)(equals - value) };
    dot = memrchr(key.at, '.', key.len);
    if (dot) {
        out->dataset.len = (size_t)(dot - value);
        key = (struct slice){ dot + 1, (size_t)(equals - dot) - 1 };
        if (!out->dataset.len) return refuse(value, "no dataset stands before the dot", err);
    }
    while (out->field < FIELD_COUNT && !slice_equal(key, slice_of(field_names[out->field]))) out->field++;
    if (out->field == FIELD_COUNT) return refuse(value, "there is no such name", err);
    out->name = equals + 1;
    return field_option_is_name(out->name) ? 0 : refuse(value, "what follows `=` is not the name of a field", err);
}

int field_option_setting(char out[FIELD_OPTION_MAX], const char *value, struct err *err)
{
    struct field_option option;
    int                 rc = field_option_parse(&option, value, err), len;

    if (rc < 0) return rc;
    if (!option.dataset.len) option.dataset = SLICE("*");
    len = snprintf(out, FIELD_OPTION_MAX, "datasets.%.*s.fields.%s=%s", (int)option.dataset.len, option.dataset.at,
                   field_names[option.field], option.name);
    return len < FIELD_OPTION_MAX ? 0 : refuse(value, "too many bytes", err);
}
