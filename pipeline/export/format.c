/* export/format.c -- see format.h. */
#include "export/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct export_format *const export_formats[] = {
    &export_tsv, &export_csv, &export_jsonl, &export_parquet, &export_graphml, &export_gexf, &export_sarif, NULL,
};

const char *const export_node_fields[NODE_FIELDS] = { "dataset", "shard", "record", "split", "source_id", "path",
                                                      "repo", "license" };

const struct export_format *export_format_find(const char *name)
{
    for (size_t i = 0; export_formats[i]; i++)
        if (strcmp(export_formats[i]->name, name) == 0) return export_formats[i];
    return NULL;
}

bool export_format_takes(const struct export_format *format, const struct export_thing *thing)
{
    if (format->flags & EXPORT_SIDES && !thing->to) return false;
    return !(format->flags & EXPORT_LEAKS) || thing->kind;
}

const struct export_value *export_side(const struct export_writer *writer, const struct export_value *value,
                                       const char *prefix, const char *name)
{
    const int place = export_column_find(writer->thing, prefix, name);

    return place < 0 || value[place].null ? NULL : &value[place];
}

int export_append_place(struct bytes *out, struct slice dataset, struct slice shard, int64_t record)
{
    if (bytes_append_slice(out, dataset) < 0 || bytes_append(out, ":", 1) < 0 || bytes_append_slice(out, shard) < 0)
        return -ENOMEM;
    return bytes_append(out, ":", 1) < 0 ? -ENOMEM : export_append_integer(out, record);
}

/* printf would take longer than all the rest of a row. */
int export_append_integer(struct bytes *out, int64_t number)
{
    char     digits[20], *at = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

    do *--at = (char)('0' + left % 10); while (left /= 10);
    if (number < 0) *--at = '-';
    return bytes_append(out, at, (size_t)(digits + sizeof digits - at));
}

int export_append_real(struct bytes *out, double real)
{
    char text[40];
    int  len = 0;

    for (int digits = 15; digits <= 17; digits++) {
        len = snprintf(text, sizeof text, "%.*g", digits, real);
        if (strtod(text, NULL) == real) break;
    }
    return bytes_append(out, text, (size_t)len);
}
