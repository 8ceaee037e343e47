/* corpus/parquet_fields.c -- see parquet_fields.h. */
#include "corpus/parquet_fields.h"

#include "corpus/json_record.h"

#include <errno.h>
#include <stdio.h>

/* A column that the dataset calls by its whole path (`whole`), or by that of the list that it lies in. */
struct called { const struct parquet_node *node; bool whole; };

static struct slice called_path(const struct parquet_footer *footer, struct called called)
{
    struct slice path = parquet_node_path(footer, called.node);

    if (!called.whole) path.len = called.node->list_len;
    return path;
}

static bool is_called(const struct parquet_footer *footer, const struct parquet_node *node, struct slice name,
                      bool whole)
{
    struct slice path = called_path(footer, (struct called){ node, whole });

    if (!whole && (!node->max_repetition || node->column == PARQUET_NO_COLUMN)) return false;
    return path.len && slice_equal(path, name);
}

/* Why the column cannot be a field, NULL: it can.  why: room for an answer.  A list of groups, also one that nobody
 * marked as a list, has a list of strings in each of its columns of strings. */
static const char *unfit(struct called called, uint32_t field, char why[64])
{
    const struct parquet_node *node = called.node;

    if (node->column == PARQUET_NO_COLUMN) return "a group: name one of its columns (group.column)";
    if (node->type == PARQUET_INT96) return "a timestamp of 96 bits, which is not read";
    if (node->foreign) {
        snprintf(why, 64, "of the type %s, which is neither text nor number", node->foreign);
        return why;
    }
    if (!node->max_repetition) return field == FIELD_TOKENS ? "not a list of strings" : NULL;
    if (node->max_repetition > 1) return "a list in a list, of which no field is made";
    if (!called.whole && !node->element) return "a list of groups: name one of its columns (list.column)";
    if (node->type != PARQUET_BYTE_ARRAY) return "a list of something else than strings, of which no field is made";
    return field == FIELD_TOKENS ? NULL : "a list of strings, of which no field is made but `tokens`";
}

/* The node that is called so, a column rather than a group; node NULL: there is none. */
static struct called find_node(const struct parquet_footer *footer, struct slice name)
{
    struct called found = { 0 };

    for (size_t i = 0; i < footer->node_count && (!found.node || found.node->column == PARQUET_NO_COLUMN); i++) {
        const struct parquet_node *node = &footer->node[i];

        if (is_called(footer, node, name, true)) found = (struct called){ node, true };
        else if (is_called(footer, node, name, false)) found = (struct called){ node, false };
    }
    return found;
}

/* The node with the field's best name. */
static struct called find_column(const struct parquet_footer *footer, const struct field_map *map, enum field field)
{
    struct called found = { 0 };
    unsigned      rank = UINT32_MAX;

    for (size_t n = 0; n < map->count; n++) {
        struct called called = { 0 };

        if (map->at[n].fields >> field & 1 && map->at[n].rank < rank) called = find_node(footer, map->at[n].name);
        if (!called.node) continue;
        found = called;
        rank = map->at[n].rank;
    }
    return found;
}

static int no_text(const struct parquet_footer *footer, const struct dataset *dataset, struct err *err)
{
    const char *given = dataset->fields[FIELD_TEXT];
    char        names[400];
    size_t      len = 0;

    for (size_t i = 0; i < footer->node_count; i++) {
        struct slice path = parquet_node_path(footer, &footer->node[i]);

        if (footer->node[i].column == PARQUET_NO_COLUMN || !path.len) continue;
        if (path.len + 8 > sizeof names - len) {
            len += (size_t)snprintf(names + len, sizeof names - len, ", ...");
            break;
        }
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%.*s", len ? ", " : "", (int)path.len, path.at);
    }
    return err_set(err, -EINVAL, "datasets.%s.fields.text: there is no column %s; the columns are %.*s"
                                 "; say which it is: fields: {text: COLUMN} (or --field text=COLUMN)",
                   dataset->name, given ? given : "text, content or code",
                   (int)len, names);
}

static void add_column(struct parquet_fields *out, uint32_t field, const struct parquet_node *node)
{
    size_t at = out->count++;

    for (; at && out->node[at - 1]->column > node->column; at--) {
        out->node[at] = out->node[at - 1];
        out->field[at] = out->field[at - 1];
    }
    out->node[at] = node;
    out->field[at] = field;
}

int parquet_fields_find(struct parquet_fields *out, const struct parquet_footer *footer, const struct dataset *dataset,
                        struct err *err)
{
    struct field_map map;

    *out = (struct parquet_fields){ .count = 0 };
    field_map_set(&map, dataset);
    for (enum field f = 0; f < FIELD_COUNT; f++) {
        const struct called called = find_column(footer, &map, f);
        char                room[64];
        const char         *why = called.node ? unfit(called, f, room) : NULL;

        if (!called.node && f == FIELD_TEXT) return no_text(footer, dataset, err);
        if (why && (f == FIELD_TEXT || dataset->fields[f])) {
            struct slice path = called_path(footer, called);

            return err_set(err, -EINVAL, "datasets.%s.fields.%s: column %.*s is %s", dataset->name,
                           field_names[f], (int)path.len, path.at, why);
        }
        if (called.node && !why) add_column(out, f, called.node);
    }
    for (uint32_t e = 0; e < DATASET_EXTRA; e++) {
        const char   *name = dataset->extra[e];
        struct called called = name ? find_node(footer, slice_of(name)) : (struct called){ 0 };
        char          room[64];
        const char   *why = called.node ? unfit(called, FIELD_COUNT + e, room) : NULL;

        if (why)
            return err_set(err, -EINVAL, "datasets.%s: column %s, which ngrams.fields names, is %s",
                           dataset->name, name, why);
        if (called.node) add_column(out, FIELD_COUNT + e, called.node);
    }
    while (out->field[out->text] != FIELD_TEXT) out->text++;
    return 0;
}
