/* corpus/parquet_footer.c -- see parquet_footer.h.  The numbers of fields are those of parquet.thrift. */
#include "corpus/parquet_footer.h"

#include "corpus/codec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(PARQUET_CORRUPT == (int)CODEC_CORRUPT && PARQUET_TRUNCATED == (int)CODEC_TRUNCATED &&
               PARQUET_UNKNOWN == -EOPNOTSUPP, "codes");

enum { TAIL_BYTES = 8, DEPTH_MAX = 64, PATH_MAX_BYTES = 1024, NODES_MAX = 1 << 16, FOOTER_BYTES_MAX = 256 << 20,
       DICTIONARY_HEADER_BYTES = 100 };
static const int64_t ROWS_MAX = 1ll << 48;                  /* sums over shards stay far from overflowing */
enum { REQUIRED, OPTIONAL, REPEATED };                      /* repetition_type */
enum { CONVERTED_LIST = 3, CONVERTED_DATE = 6, CONVERTED_MILLIS = 9, CONVERTED_MICROS = 10, CONVERTED_UINT_8 = 11,
       CONVERTED_UINT_64 = 14, CONVERTED_COUNT = 22 };
enum { LOGICAL_LIST = 3, LOGICAL_DATE = 6, LOGICAL_TIMESTAMP = 8, LOGICAL_INTEGER = 10, LOGICAL_COUNT = 19 };

/* Types whose values would be taken for something else if their bytes were taken. */
static const char *const foreign_converted[CONVERTED_COUNT] =
    { [5] = "DECIMAL", [7] = "TIME", [8] = "TIME", [20] = "BSON", [21] = "INTERVAL" };
static const char *const foreign_logical[LOGICAL_COUNT] =
    { [5] = "DECIMAL", [7] = "TIME", [13] = "BSON", [14] = "UUID", [15] = "FLOAT16", [16] = "VARIANT",
                                                            [17] = "GEOMETRY", [18] = "GEOGRAPHY" };

static int corrupt(struct err *err, const char *what)
{
    return err_set(err, PARQUET_CORRUPT, "parquet: the footer: %s", what);
}

/* ---- the schema ---- */

struct element {
    int64_t      type, type_bytes, repetition, children, converted;
    struct slice name;
    bool         is_list, is_unsigned, utc;
    enum parquet_time time;
    const char       *foreign;
};

/* TimeUnit is a union of three empty structs. */
static enum parquet_time read_unit(struct thrift *t)
{
    struct thrift_field unit = { 0 };
    enum parquet_time   time = PARQUET_NO_TIME;

    while (thrift_next_field(t, &unit)) {
        if (unit.id >= 1 && unit.id <= 3) time = PARQUET_MILLIS + (unsigned)unit.id - 1;
        thrift_skip(t, unit.type);
    }
    return time;
}

/* LogicalType is a union of structs: what is inside matters of INTEGER, whose field 2 is the sign, and of TIMESTAMP:
 * zone and unit. */
static void read_logical_type(struct thrift *t, struct element *out)
{
    struct thrift_field kind = { 0 };

    while (thrift_next_field(t, &kind)) {
        struct thrift_field inside = { 0 };

        if (kind.id == LOGICAL_LIST) out->is_list = true;
        if (kind.id == LOGICAL_DATE) out->time = PARQUET_DATE;
        if (kind.id > 0 && kind.id < LOGICAL_COUNT && foreign_logical[kind.id]) out->foreign = foreign_logical[kind.id];
        if ((kind.id != LOGICAL_INTEGER && kind.id != LOGICAL_TIMESTAMP) || kind.type != THRIFT_STRUCT) {
            thrift_skip(t, kind.type);
            continue;
        }
        while (thrift_next_field(t, &inside)) {
            if (kind.id == LOGICAL_TIMESTAMP && inside.id == 2 && inside.type == THRIFT_STRUCT) {
                out->time = read_unit(t);
                continue;
            }
            if (kind.id == LOGICAL_INTEGER && inside.id == 2 && inside.type == THRIFT_FALSE) out->is_unsigned = true;
            if (kind.id == LOGICAL_TIMESTAMP && inside.id == 1) out->utc = inside.type == THRIFT_TRUE;
            thrift_skip(t, inside.type);
        }
    }
}

/* What writers say beside LogicalType, or said before there was one. */
static void read_converted_type(struct element *out)
{
    int64_t kind = out->converted;

    if (kind < 0 || kind >= CONVERTED_COUNT) return;
    if (kind == CONVERTED_LIST) out->is_list = true;
    if (kind >= CONVERTED_UINT_8 && kind <= CONVERTED_UINT_64) out->is_unsigned = true;
    if (foreign_converted[kind]) out->foreign = foreign_converted[kind];
    if (out->time) return;
    if (kind == CONVERTED_DATE) out->time = PARQUET_DATE;
    if (kind == CONVERTED_MILLIS) out->time = PARQUET_MILLIS, out->utc = true;
    if (kind == CONVERTED_MICROS) out->time = PARQUET_MICROS, out->utc = true;
}

static void read_element(struct thrift *t, struct element *out)
{
    struct thrift_field field = { 0 };

    *out = (struct element){ .type = -1, .converted = -1, .name = SLICE("") };
    while (thrift_next_field(t, &field)) {
        switch (field.id) {
        case 1:  thrift_take_int(t, &field, &out->type); break;
        case 2:  thrift_take_int(t, &field, &out->type_bytes); break;
        case 3:  thrift_take_int(t, &field, &out->repetition); break;
        case 4:  if (thrift_expect(t, &field, THRIFT_BINARY)) out->name = thrift_binary(t); break;
        case 5:  thrift_take_int(t, &field, &out->children); break;
        case 6:  thrift_take_int(t, &field, &out->converted); break;
        case 10: if (thrift_expect(t, &field, THRIFT_STRUCT)) read_logical_type(t, out); break;
        default: thrift_skip(t, field.type);
        }
    }
    read_converted_type(out);
}

/* A group that is being walked. */
struct level { int64_t left; struct parquet_node node; bool is_list; uint32_t element_depth; };

struct walk {
    struct parquet_footer *footer;
    struct level           level[DEPTH_MAX];
    uint32_t               depth;
    char                   path[PATH_MAX_BYTES];
};

static int add_node(struct parquet_footer *footer, const struct parquet_node *node, const char *path, struct err *err)
{
    if (footer->node_count == NODES_MAX)
        return err_set(err, PARQUET_UNKNOWN, "parquet: a schema of more than %d columns and groups is not read",
                       NODES_MAX);
    if (footer->node_count == footer->node_room) {
        size_t               room = footer->node_room ? footer->node_room * 2 : 64;
        struct parquet_node *at = realloc(footer->node, room * sizeof *at);

        if (!at) return err_memory(err, room * sizeof *at, "a schema");
        footer->node = at;
        footer->node_room = room;
    }
    footer->node[footer->node_count] = *node;
    footer->node[footer->node_count++].path_at = (uint32_t)footer->paths.len;
    return bytes_append(&footer->paths, path, node->path_len) < 0 ? err_memory(err, node->path_len, "a schema") : 0;
}

/* The element's node inside the group at hand.  walk->path is extended by its name; a path that does not fit is
 * nobody's. */
static int place_element(struct walk *walk, const struct element *element, struct parquet_node *out, struct err *err)
{
    const struct level        *above = &walk->level[walk->depth - 1];
    const struct parquet_node *parent = &above->node;
    size_t                     at = parent->path_len, dot = at > 0, len = at + dot + element->name.len;
    bool                       nameable = walk->depth == 1 || at > 0;

    *out = (struct parquet_node){ .column = PARQUET_NO_COLUMN, .max_definition = parent->max_definition,
                                  .max_repetition = parent->max_repetition,
                                  .list_len = parent->list_len, .list_definition = parent->list_definition };
    if (element->repetition < REQUIRED || element->repetition > REPEATED)
        return corrupt(err, "an unknown repetition type");
    if (nameable && len <= PATH_MAX_BYTES) {
        if (dot) walk->path[at] = '.';
        memcpy(walk->path + at + dot, element->name.at, element->name.len);
        out->path_len = (uint32_t)len;
    }
    out->max_definition = (uint8_t)(out->max_definition + (element->repetition != REQUIRED));
    out->max_repetition = (uint8_t)(out->max_repetition + (element->repetition == REPEATED));
    if (element->repetition == REPEATED && out->max_repetition == 1) {
        /* Of LIST's group and the repeated one inside it, it is the outer one that people call by name. */
        out->list_len = above->is_list && walk->depth > 1 ? parent->path_len : out->path_len;
        out->list_definition = out->max_definition;
    }
    return 0;
}

static int read_leaf(struct walk *walk, const struct element *element, struct parquet_node *node, struct err *err)
{
    if (element->type < 0 || element->type >= PARQUET_TYPE_COUNT) return corrupt(err, "a column of an unknown type");
    if (element->type == PARQUET_FIXED && (element->type_bytes <= 0 || element->type_bytes > INT32_MAX))
        return corrupt(err, "a column of a fixed length that is none");
    node->type = (enum parquet_type)element->type;
    node->type_bytes = (uint32_t)element->type_bytes;
    node->unsigned_number = element->is_unsigned;
    node->foreign = element->foreign;
    if (node->type == (element->time == PARQUET_DATE ? PARQUET_INT32 : PARQUET_INT64)) node->time = element->time;
    node->utc = element->utc;
    node->column = walk->footer->columns++;
    /* The repeated column itself, or what LIST's repeated group holds directly. */
    node->element = node->max_repetition == 1 && (element->repetition == REPEATED ||
                                                  walk->level[walk->depth - 1].element_depth == walk->depth);
    return add_node(walk->footer, node, walk->path, err);
}

static int read_schema(struct parquet_footer *footer, struct thrift *t, struct err *err)
{
    struct walk      walk = { .footer = footer };
    struct element   element;
    enum thrift_type type;
    uint32_t         count = thrift_list(t, &type);
    int              rc = 0;

    if (t->broken || count == 0 || type != THRIFT_STRUCT) return corrupt(err, "no schema");
    read_element(t, &element);
    if (element.children < 0) return corrupt(err, "a group with fewer than no columns");
    walk.level[0] = (struct level){ .left = element.children };
    walk.depth = 1;
    for (uint32_t i = 1; i < count && rc == 0; i++) {
        struct parquet_node node;

        while (walk.depth && !walk.level[walk.depth - 1].left) walk.depth--;
        if (!walk.depth) return corrupt(err, "a schema whose groups have fewer columns than it has");
        read_element(t, &element);
        if (t->broken) break;
        walk.level[walk.depth - 1].left--;
        if ((rc = place_element(&walk, &element, &node, err)) < 0) return rc;
        if (element.children < 0) return corrupt(err, "a group with fewer than no columns");
        if (element.type >= 0) {
            rc = read_leaf(&walk, &element, &node, err);
            continue;
        }
        if (walk.depth == DEPTH_MAX)
            return err_set(err, PARQUET_UNKNOWN, "parquet: a schema more than %d groups deep is not read", DEPTH_MAX);
        rc = add_node(footer, &node, walk.path, err);
        walk.level[walk.depth] = (struct level){ element.children, node, element.is_list,
                                                 element.repetition == REPEATED && node.max_repetition == 1 &&
                                                     element.children == 1 ? walk.depth + 1 : 0 };
        walk.depth++;
    }
    if (rc < 0) return rc;
    if (t->broken) return corrupt(err, "a damaged schema");
    while (walk.depth && !walk.level[walk.depth - 1].left) walk.depth--;
    if (walk.depth) return corrupt(err, "a schema whose groups have more columns than it has");
    return footer->columns ? 0 : corrupt(err, "a schema without columns");
}

/* ---- the whole ---- */

/* parquet-mr before 1.2.9 did not count the header of a dictionary's page among a column's bytes (PARQUET-816): its
 * columns may be longer than they say by what such a header takes at most. */
static uint32_t slack_of_writer(struct slice created_by)
{
    static const struct slice writer = { "parquet-mr", 10 };
    static const int          fixed[3] = { 1, 2, 9 };
    int                       version[3] = { 0 };
    char                      text[64];

    if (created_by.len < writer.len || memcmp(created_by.at, writer.at, writer.len) != 0) return 0;
    snprintf(text, sizeof text, "%.*s", (int)(created_by.len < 63 ? created_by.len : 63), created_by.at);
    sscanf(text, "parquet-mr version %9d.%9d.%9d", &version[0], &version[1], &version[2]);
    for (int i = 0; i < 3; i++)
        if (version[i] != fixed[i]) return version[i] < fixed[i] ? DICTIONARY_HEADER_BYTES : 0;
    return 0;
}

static int read_metadata(struct parquet_footer *footer, struct err *err)
{
    const unsigned char *raw = (const unsigned char *)footer->raw.at;
    struct thrift        t = { .at = raw, .end = raw + footer->raw.len };
    struct thrift_field  field = { 0 };
    enum thrift_type     type;
    int64_t              rows = -1;
    bool                 schema = false, groups = false;
    int                  rc = 0;

    while (rc == 0 && thrift_next_field(&t, &field)) {
        if (field.id == 2 && !schema && field.type == THRIFT_LIST) {
            schema = true;
            rc = read_schema(footer, &t, err);
        } else if (field.id == 3) thrift_take_int(&t, &field, &rows);
        else if (field.id == 6 && field.type == THRIFT_BINARY) footer->slack = slack_of_writer(thrift_binary(&t));
        else if (field.id == 4 && !groups && field.type == THRIFT_LIST) {
            groups = true;
            footer->groups_left = footer->group_count = thrift_list(&t, &type);
            footer->groups = t;
            if (type != THRIFT_STRUCT && footer->group_count) return corrupt(err, "row groups that are none");
            for (uint32_t g = 0; g < footer->group_count && !t.broken; g++) thrift_skip_element(&t, THRIFT_STRUCT);
        } else thrift_skip(&t, field.type);
    }
    if (rc < 0) return rc;
    if (t.broken) return corrupt(err, "it is damaged");
    if (rows > ROWS_MAX) return corrupt(err, "more rows than a file can have");
    if (!schema || !groups || rows < 0) return corrupt(err, "schema, rows or row groups are missing");
    footer->rows = (uint64_t)rows;
    return 0;
}

int parquet_footer_open(struct parquet_footer *out, struct input *input, struct err *err)
{
    unsigned char tail[TAIL_BYTES];
    uint64_t      len;
    int           rc;

    *out = (struct parquet_footer){ 0 };
    if (input->size < 4 + TAIL_BYTES)
        return err_set(err, PARQUET_TRUNCATED, "parquet: %llu bytes are no whole file",
                       (unsigned long long)input->size);
    if ((rc = input_read_at(input, input->size - TAIL_BYTES, tail, TAIL_BYTES, err)) < 0) return rc;
    if (rc == 0) return err_set(err, PARQUET_TRUNCATED, "parquet: the file became shorter");
    if (!memcmp(tail + 4, "PARE", 4))
        return err_set(err, PARQUET_UNKNOWN, "parquet: the footer is encrypted, which is not read");
    if (memcmp(tail + 4, "PAR1", 4) != 0)
        return err_set(err, PARQUET_TRUNCATED, "parquet: the file does not end with a footer");
    len = tail[0] | (uint64_t)tail[1] << 8 | (uint64_t)tail[2] << 16 | (uint64_t)tail[3] << 24;
    if (len > input->size - 4 - TAIL_BYTES) return corrupt(err, "it is said to be longer than the file");
    if (len > FOOTER_BYTES_MAX)
        return err_set(err, PARQUET_UNKNOWN, "parquet: a footer of %llu bytes is not read", (unsigned long long)len);
    out->data_end = input->size - TAIL_BYTES - len;
    if (bytes_reserve(&out->raw, (size_t)len) < 0) return err_memory(err, len, "a footer");
    if ((rc = input_read_at(input, out->data_end, out->raw.at, (size_t)len, err)) < 0) return rc;
    if (rc == 0) return err_set(err, PARQUET_TRUNCATED, "parquet: the file became shorter");
    out->raw.len = (size_t)len;
    return read_metadata(out, err);
}

void parquet_footer_close(struct parquet_footer *footer)
{
    bytes_free(&footer->raw);
    bytes_free(&footer->paths);
    free(footer->node);
    *footer = (struct parquet_footer){ 0 };
}

/* ---- row groups ---- */

struct metadata {
    int64_t type, codec, values, unpacked, bytes, data_at, dictionary_at;
    bool    there, encrypted, elsewhere;
};

static void read_column_metadata(struct thrift *t, struct metadata *out)
{
    struct thrift_field field = { 0 };

    out->there = true;
    while (thrift_next_field(t, &field)) {
        switch (field.id) {
        case 1:  thrift_take_int(t, &field, &out->type); break;
        case 4:  thrift_take_int(t, &field, &out->codec); break;
        case 5:  thrift_take_int(t, &field, &out->values); break;
        case 6:  thrift_take_int(t, &field, &out->unpacked); break;
        case 7:  thrift_take_int(t, &field, &out->bytes); break;
        case 9:  thrift_take_int(t, &field, &out->data_at); break;
        case 11: thrift_take_int(t, &field, &out->dictionary_at); break;
        default: thrift_skip(t, field.type);
        }
    }
}

static void read_column(struct thrift *t, struct metadata *out)
{
    struct thrift_field field = { 0 };

    *out = (struct metadata){ .type = -1, .codec = -1, .values = -1, .bytes = -1, .data_at = -1 };
    while (thrift_next_field(t, &field)) {
        if (field.id == 1) out->elsewhere = true;
        if (field.id == 8) out->encrypted = true;
        if (field.id == 3 && field.type == THRIFT_STRUCT) read_column_metadata(t, out);
        else thrift_skip(t, field.type);
    }
}

static int check_chunk(const struct parquet_footer *footer, const struct parquet_node *node,
                       const struct metadata *from,
                       struct parquet_chunk *out, struct err *err)
{
    struct slice path = parquet_node_path(footer, node);
    uint64_t     group = footer->group_count - footer->groups_left - 1, at = (uint64_t)from->data_at, bytes;
    const char  *what = NULL;

    if (from->encrypted)
        return err_set(err, PARQUET_UNKNOWN, "parquet: column %.*s is encrypted, which is not read", (int)path.len,
                       path.at);
    if (from->elsewhere)
        return err_set(err, PARQUET_UNKNOWN, "parquet: column %.*s lies in another file, which is not read",
                       (int)path.len, path.at);
    if (from->dictionary_at > 0 && from->dictionary_at < from->data_at) at = (uint64_t)from->dictionary_at;
    if (!from->there) what = "nothing is said of it";
    else if (from->type != (int64_t)node->type) what = "its type is not the schema's";
    else if (from->values < 0) what = "it has fewer than no values";
    else if (from->bytes < 0 || from->data_at < 4 || at > footer->data_end ||
             (uint64_t)from->bytes > footer->data_end - at)
        what = "it does not lie inside the file";
    if (what)
        return err_set(err, PARQUET_CORRUPT, "parquet: row group %llu, column %.*s: %s", (unsigned long long)group,
                       (int)path.len, path.at, what);
    bytes = (uint64_t)from->bytes;
    bytes += footer->data_end - at - bytes < footer->slack ? footer->data_end - at - bytes : footer->slack;
    *out = (struct parquet_chunk){ .there = true, .at = at, .bytes = bytes, .values = (uint64_t)from->values,
                                   .unpacked = from->unpacked > (int64_t)bytes ? (uint64_t)from->unpacked : bytes,
                                   .codec = (int)from->codec };
    return 0;
}

static int read_columns(struct parquet_footer *footer, const struct parquet_node *const *node, size_t count,
                        struct parquet_chunk *chunk, struct err *err)
{
    struct thrift   *t = &footer->groups;
    enum thrift_type type;
    uint32_t         columns = thrift_list(t, &type);
    size_t           next = 0;
    int              rc = 0;

    for (uint32_t c = 0; c < columns && !t->broken; c++) {
        struct metadata metadata;

        if (type != THRIFT_STRUCT || next == count || node[next]->column != c) {
            thrift_skip_element(t, type);
            continue;
        }
        read_column(t, &metadata);
        for (; next < count && node[next]->column == c; next++)         /* two fields may be one column */
            if (!t->broken && rc == 0) rc = check_chunk(footer, node[next], &metadata, &chunk[next], err);
    }
    return rc;
}

int parquet_next_group(struct parquet_footer *footer, const struct parquet_node *const *node, size_t count,
                       struct parquet_chunk *chunk,
                       uint64_t *rows, struct err *err)
{
    struct thrift      *t = &footer->groups;
    struct thrift_field field = { 0 };
    int64_t             told = -1;
    bool                columns = false;
    int                 rc = 0;

    if (!footer->groups_left) return 0;
    footer->groups_left--;
    *rows = 0;
    for (size_t i = 0; i < count; i++) chunk[i] = (struct parquet_chunk){ 0 };
    while (thrift_next_field(t, &field)) {
        if (field.id == 3) thrift_take_int(t, &field, &told);
        else if (field.id == 1 && !columns && field.type == THRIFT_LIST) {
            columns = true;
            rc = read_columns(footer, node, count, chunk, err);
        } else thrift_skip(t, field.type);
    }
    if (told >= 0) *rows = (uint64_t)told;
    if (told == 0 && !t->broken) {                          /* writers leave such groups' columns empty, or out */
        if (rc < 0) *err = (struct err){ 0 };
        return 1;
    }
    if (rc < 0) return rc;
    if (told < 0) return corrupt(err, "a row group with fewer than no rows");
    for (size_t i = 0; i < count; i++) {
        if (!chunk[i].there) return corrupt(err, "a row group lacks a column");
        if (chunk[i].values < *rows || (!node[i]->max_repetition && chunk[i].values != *rows))
            return corrupt(err, "a column has another number of values than its row group has rows");
    }
    return 1;
}
