/* base/yaml.c -- settings files: libyaml's events into a tree that knows its lines; see option.h.
 *
 * Everything is bounded (size of the file, depth, keys of one map): a settings file may come from a stranger. */
#include "base/option.h"

#include "base/file.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <yaml.h>

enum { YAML_DEPTH = 32, YAML_KEYS = 1024, YAML_BYTES = 16 << 20, YAML_INDEX_DIGITS = 9 };

/* ---- the tree ---- */

void node_free(struct node *node)
{
    for (size_t i = 0; i < node->count; i++) node_free(&node->child[i]);
    free(node->child);
    free(node->key);
    free(node->text);
    *node = (struct node){ 0 };
}

const struct node *node_find(const struct node *map, const char *key)
{
    for (size_t i = 0; map->kind == NODE_MAP && i < map->count; i++)
        if (strcmp(map->child[i].key, key) == 0) return &map->child[i];
    return NULL;
}

/* A new zeroed child, or NULL when memory is out.  There is room for the next power of two, so no field needs to
 * remember the room. */
static struct node *node_grow(struct node *parent)
{
    if ((parent->count & (parent->count - 1)) == 0) {
        struct node *child = realloc(parent->child, (parent->count ? 2 * parent->count : 1) * sizeof *child);

        if (!child) return NULL;
        parent->child = child;
    }
    parent->child[parent->count] = (struct node){ 0 };
    return &parent->child[parent->count++];
}

/* ---- reading ---- */

struct yaml_reader {
    yaml_parser_t parser;
    const char   *name, *text;                              /* what is parsed, [len] */
    size_t        len;
    struct err   *err;
};

static unsigned yaml_line(const yaml_event_t *event) { return (unsigned)event->start_mark.line + 1; }

/* Is a tab among the blanks that the line begins with, or before the place that the parser stopped at?  YAML indents by
 * spaces only, and its parser then speaks of tokens. */
static bool yaml_has_tab(const struct yaml_reader *reader, const yaml_mark_t *mark)
{
    const char *start = reader->text, *end = reader->text + reader->len, *at;

    for (size_t line = mark->line; line; line--) {
        start = memchr(start, '\n', (size_t)(end - start));
        if (!start) return false;
        start++;
    }
    for (at = start; at < end && *at == ' '; at++) continue;
    if (at < end && *at == '\t') return true;
    if (mark->column > (size_t)(end - start)) return false;
    for (at = start + mark->column; at > start && (at[-1] == ' ' || at[-1] == '\t'); at--)
        if (at[-1] == '\t') return true;
    return false;
}

static int yaml_next(struct yaml_reader *reader, yaml_event_t *event)
{
    const yaml_parser_t *parser = &reader->parser;

    if (yaml_parser_parse(&reader->parser, event)) return 0;
    if (parser->error == YAML_MEMORY_ERROR) return err_memory(reader->err, 0, "a settings file");
    if (parser->error == YAML_READER_ERROR)
        return err_set(reader->err, -EINVAL, "%s: byte %zu: not UTF-8 text: %s", reader->name, parser->problem_offset,
                       parser->problem ? parser->problem : "unreadable");
    if (yaml_has_tab(reader, &parser->problem_mark))
        return err_set(reader->err, -EINVAL, "%s:%zu: a tab where YAML wants blanks: indent with spaces", reader->name,
                       parser->problem_mark.line + 1);
    return err_set(reader->err, -EINVAL, "%s:%zu: not valid YAML: %s%s%s", reader->name, parser->problem_mark.line + 1,
                   parser->context ? parser->context : "", parser->context ? ", " : "", parser->problem
                       ? parser->problem : "unreadable");
}

/* A copy of the scalar, which must not hold NUL: the text becomes a C string. */
static int yaml_copy(struct yaml_reader *reader, const yaml_event_t *event, char **out)
{
    size_t      len = event->data.scalar.length;
    const char *text = (const char *)event->data.scalar.value;

    if (memchr(text, '\0', len))
        return err_set(reader->err, -EINVAL, "%s:%u: a NUL character", reader->name, yaml_line(event));
    *out = strdup(text);
    return *out ? 0 : err_memory(reader->err, len + 1, "a setting");
}

static int yaml_refuse_extras(struct yaml_reader *reader, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;

    switch (event->type) {
    case YAML_ALIAS_EVENT:
        /* Most aliases are globs: `*.java` without quotes. */
        return err_set(reader->err, -EINVAL,
                       "%s:%u: `*%.60s` is an alias in YAML: put a text that starts with * in quotes", reader->name,
                       yaml_line(event), (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;         tag = event->data.scalar.tag;         break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;  tag = event->data.mapping_start.tag;  break;
    default: break;
    }
    if (anchor || tag)
        return err_set(reader->err, -EINVAL,
                       "%s:%u: `%.60s`: YAML %s are not used here; put a text that starts with & or ! in quotes",
                       reader->name, yaml_line(event), (const char *)(anchor ? anchor : tag), anchor ? "anchors"
                           : "tags");
    return 0;
}

static int yaml_read_value(struct yaml_reader *reader, const yaml_event_t *event, struct node *out, unsigned depth);

/* Reads the key that event holds, then its value. */
static int yaml_read_pair(struct yaml_reader *reader, const yaml_event_t *event, struct node *map, unsigned depth)
{
    const struct node *same;
    struct node       *child;
    char              *key;
    yaml_event_t       value;
    int                rc;

    if (event->type != YAML_SCALAR_EVENT && event->type != YAML_ALIAS_EVENT)
        return err_set(reader->err, -EINVAL, "%s:%u: a list or map cannot be a key", reader->name, yaml_line(event));
    if ((rc = yaml_refuse_extras(reader, event)) < 0) return rc;
    if (event->data.scalar.length == 0)
        return err_set(reader->err, -EINVAL, "%s:%u: an empty key", reader->name, yaml_line(event));
    if ((rc = yaml_copy(reader, event, &key)) < 0) return rc;
    same = node_find(map, key);
    if (same) {
        err_set(reader->err, rc = -EINVAL, "%s:%u: `%.60s` is given twice, first in line %u", reader->name,
                yaml_line(event), key, same->line);
    } else if (map->count == YAML_KEYS) {
        err_set(reader->err, rc = -EINVAL, "%s:%u: more than %d keys in one map", reader->name, yaml_line(event),
                YAML_KEYS);
    } else if (!(child = node_grow(map))) {
        rc = err_memory(reader->err, sizeof *child, "a setting");
    } else if ((child->key = key, rc = yaml_next(reader, &value)) == 0) {
        rc = yaml_read_value(reader, &value, child, depth);
        child->line = yaml_line(event);                     /* of the key: that is where a reader looks */
        yaml_event_delete(&value);
        return rc;
    } else {
        return rc;                                          /* the child owns the key */
    }
    free(key);
    return rc;
}

static int yaml_read_children(struct yaml_reader *reader, struct node *out, unsigned depth)
{
    int rc = 0;

    while (rc == 0) {
        yaml_event_t event;
        bool         end;

        if ((rc = yaml_next(reader, &event)) < 0) return rc;
        end = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        if (!end && out->kind == NODE_MAP) {
            rc = yaml_read_pair(reader, &event, out, depth);
        } else if (!end) {
            struct node *child = node_grow(out);

            rc = child ? yaml_read_value(reader, &event, child, depth)
                : err_memory(reader->err, sizeof *child, "a setting");
        }
        yaml_event_delete(&event);
        if (end) break;
    }
    return rc;
}

static int yaml_read_value(struct yaml_reader *reader, const yaml_event_t *event, struct node *out, unsigned depth)
{
    int rc = yaml_refuse_extras(reader, event);

    out->line = yaml_line(event);
    if (rc < 0) return rc;
    if (event->type == YAML_SCALAR_EVENT) {
        out->kind = NODE_SCALAR;
        out->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        return yaml_copy(reader, event, &out->text);
    }
    out->kind = event->type == YAML_SEQUENCE_START_EVENT ? NODE_LIST : NODE_MAP;
    if (depth == YAML_DEPTH)
        return err_set(reader->err, -EINVAL, "%s:%u: nested deeper than %d", reader->name, out->line, YAML_DEPTH);
    return yaml_read_children(reader, out, depth + 1);
}

/* Stream start, document start, the value, document end, stream end. */
static int yaml_read_document(struct yaml_reader *reader, struct node *out)
{
    yaml_event_t event;
    bool         seen = false;
    int          rc;

    do {
        if ((rc = yaml_next(reader, &event)) < 0) return rc;
        if (event.type == YAML_DOCUMENT_START_EVENT && seen)
            rc = err_set(reader->err, -EINVAL, "%s:%u: a second document", reader->name, yaml_line(&event));
        else if (event.type == YAML_SCALAR_EVENT || event.type == YAML_SEQUENCE_START_EVENT ||
                 event.type == YAML_MAPPING_START_EVENT ||
                 event.type == YAML_ALIAS_EVENT) {
            seen = true;
            rc = yaml_read_value(reader, &event, out, 0);
        }
        if (event.type == YAML_STREAM_END_EVENT) break;
        yaml_event_delete(&event);
    } while (rc == 0);
    if (rc == 0 && !seen) {                                 /* an empty file is an empty value */
        out->line = 1;
        out->text = strdup("");
        if (!out->text) rc = err_memory(reader->err, 1, "a setting");
    }
    return rc;
}

int node_parse(struct node *out, const char *name, const char *text, size_t len, struct err *err)
{
    const struct slice plain = utf8_without_mark((struct slice){ len ? text : "", len });
    struct yaml_reader reader = { .name = name, .text = plain.at, .len = plain.len, .err = err };
    int                rc;

    *out = (struct node){ 0 };
    if (len > YAML_BYTES) return err_set(err, -EINVAL, "%s: more than %d bytes of settings", name, YAML_BYTES);
    if (!yaml_parser_initialize(&reader.parser)) return err_memory(err, sizeof reader.parser, "a settings file");
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)reader.text, reader.len);
    rc = yaml_read_document(&reader, out);
    yaml_parser_delete(&reader.parser);
    if (rc < 0) node_free(out);
    return rc;
}

int node_read(struct node *out, const char *path, struct err *err)
{
    struct bytes text = { 0 };
    int          fd = file_open(path, O_RDONLY), rc = 0;
    ssize_t      got;

    *out = (struct node){ 0 };
    if (fd < 0) return err_set(err, -EIO, "%s: %s", path, strerror(errno));
    for (;;) {
        if (bytes_reserve(&text, text.len + 65536) < 0) {
            rc = err_memory(err, text.len + 65536, path);
            break;
        }
        got = file_read(fd, text.at + text.len, 65536);
        if (got < 0) rc = err_set(err, -EIO, "%s: byte %zu: %s", path, text.len, strerror(errno));
        if (got <= 0) break;
        text.len += (size_t)got;
        if (text.len > YAML_BYTES) break;                   /* node_parse says so */
    }
    close(fd);
    if (rc == 0) rc = node_parse(out, path, text.at, text.len, err);
    bytes_free(&text);
    return rc;
}

/* ---- assignments ---- */

/* The child of `parent` that the path starts with, *used being the length of its name there.  Names may hold dots
 * themselves (splits, datasets), so the longest one that fits wins; in a list a map goes by its `name`, or by index.
 * *used is 0 when there is none. */
static struct node *node_step(struct node *parent, const char *path, size_t path_len, size_t *used)
{
    struct node *found = NULL;
    size_t       digits = strspn(path, "0123456789"), index = 0;

    *used = 0;
    for (size_t i = 0; i < parent->count; i++) {
        struct node       *child = &parent->child[i];
        const struct node *name = parent->kind == NODE_LIST ? node_find(child, "name") : NULL;
        const char        *word = parent->kind == NODE_MAP ? child->key : name ? name->text : NULL;
        size_t             len = word ? strlen(word) : 0;

        if (len <= *used || len > path_len || memcmp(path, word, len) != 0 || (len < path_len && path[len] != '.'))
            continue;
        found = child;
        *used = len;
    }
    if (found || parent->kind != NODE_LIST || digits == 0 || digits > YAML_INDEX_DIGITS ||
        (digits < path_len && path[digits] != '.'))
        return found;
    for (size_t i = 0; i < digits; i++) index = index * 10 + (size_t)(path[i] - '0');
    *used = index < parent->count ? digits : 0;
    return index < parent->count ? &parent->child[index] : NULL;
}

static void node_empty(struct node *node, enum node_kind kind)
{
    char *key = node->key;

    node->key = NULL;
    node_free(node);
    *node = (struct node){ .kind = kind, .key = key };
}

bool node_is_null(const struct node *node)
{
    return node->kind == NODE_SCALAR && !node->quoted &&
        (!node->text || !*node->text || strcmp(node->text, "~") == 0 || strcasecmp(node->text, "null") == 0);
}

/* Walks to the place that path names, making maps on the way; NULL with err set when there is no such place. */
static struct node *node_reach(struct node *root, const char *path, size_t path_len, const char *assignment,
                               struct err *err)
{
    struct node *node = root, *next;
    unsigned     depth = 0;
    size_t       used;

    for (size_t at = 0; at < path_len; at += used + 1) {
        const char *dot = memchr(path + at, '.', path_len - at);

        if (node_is_null(node)) node_empty(node, NODE_MAP);
        if (node->kind == NODE_SCALAR || ++depth > YAML_DEPTH) {
            err_set(err, -EINVAL, "--set %.200s: `%.*s` holds a value, not keys", assignment, (int)(at ? at - 1 : 0),
                    path);
            return NULL;
        }
        next = node_step(node, path + at, path_len - at, &used);
        if (!next) used = dot ? (size_t)(dot - path) - at : path_len - at;
        if (!next && node->kind == NODE_LIST) {
            err_set(err, -EINVAL, "--set %.200s: `%.*s` has no item `%.*s` (%zu items: an index from 0, or a name)",
                    assignment,
                    (int)(at ? at - 1 : 0), path, (int)used, path + at, node->count);
            return NULL;
        }
        if (!next) {
            char *key = used && node->count < YAML_KEYS ? strndup(path + at, used) : NULL;

            next = key ? node_grow(node) : NULL;
            if (!next) {
                free(key);
                if (used == 0) err_set(err, -EINVAL, "--set %.200s: an empty key", assignment);
                else err_memory(err, sizeof *next, "a setting");
                return NULL;
            }
            next->key = key;
            next->text = strdup("");                        /* null until it is given something */
            if (!next->text) {
                err_memory(err, 1, "a setting");
                return NULL;
            }
        }
        if (used < path_len - at && at + used + 1 == path_len) {
            err_set(err, -EINVAL, "--set %.200s: an empty key", assignment);
            return NULL;
        }
        node = next;
    }
    return node;
}

static void node_forget_lines(struct node *node)
{
    node->line = 0;
    for (size_t i = 0; i < node->count; i++) node_forget_lines(&node->child[i]);
}

/* Refuses text that a YAML file could not hold: ill-formed UTF-8. */
static int node_check_text(const char *text, struct err *err)
{
    struct node  probe;
    struct bytes quoted = { 0 };
    int          rc = option_print_text(text, &quoted) < 0 ? err_memory(err, strlen(text), "a setting")
                                                           : node_parse(&probe, "value", quoted.at, quoted.len, err);

    if (rc == 0) node_free(&probe);
    bytes_free(&quoted);
    return rc;
}

int node_set(struct node *root, const char *assignment, struct err *err)
{
    const char  *equals = strchr(assignment, '='), *value = equals ? equals + 1 : NULL;
    size_t       path_len = equals ? (size_t)(equals - assignment) : 0, len = value ? strlen(value) : 0;
    struct node *place, made = { .kind = NODE_SCALAR };

    if (path_len == 0) return err_set(err, -EINVAL, "--set %.200s: must be key=value", assignment);
    /* A value in brackets is YAML; anything else is text as it stands, so that a glob needs no second pair of quotes.
     */
    if (len >= 2 && ((value[0] == '[' && value[len - 1] == ']') || (value[0] == '{' && value[len - 1] == '}'))) {
        if (node_parse(&made, "value", value, len, err) < 0) return err_add(err, "--set %.200s", assignment);
        node_forget_lines(&made);
    } else if (node_check_text(value, err) < 0) {
        return err_add(err, "--set %.200s", assignment);
    } else if (!(made.text = strdup(value))) {
        return err_memory(err, len + 1, "a setting");
    }
    place = node_reach(root, assignment, path_len, assignment, err);
    if (!place) {
        node_free(&made);
        return err->code;
    }
    made.key = place->key;
    place->key = NULL;
    node_free(place);
    *place = made;
    return 0;
}
