/* base/option.h -- one row an option: YAML key, --set key, type, default, range, help and the line in error messages.
 *
 * A settings file is read into a tree of nodes that know their line; rows are applied to a struct; a key that no row
 * names is an error that tells its line and the nearest known key.  The same rows print the help and the resolved
 * configuration. */
#ifndef LEAKGRAPH_BASE_OPTION_H
#define LEAKGRAPH_BASE_OPTION_H

#include "base/bytes.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

/* A YAML value; lists and maps hold children, a map's child has a key. */
struct node {
    enum node_kind kind;
    char          *key, *text;                              /* key: in a map; text: a scalar's */
    bool           quoted;                                  /* a scalar in quotes: never a number, boolean or null */
    unsigned       line;                                    /* from 1; 0: made by --set */
    struct node   *child;
    size_t         count;
};

/* Reads a YAML document (libyaml events; anchors, aliases and tags are refused; depth <= 32; a repeated key is an
 * error).  name is used in messages "NAME:LINE: ...".  0, -EINVAL, -EIO, -ENOMEM with err set. */
int  node_read(struct node *out, const char *path, struct err *err);
int  node_parse(struct node *out, const char *name, const char *text, size_t len, struct err *err);
/* "near_duplicates.view=lines": makes or replaces.  An item of a list goes by index or by its `name`
 * ("datasets.codetrans.language=java"). A value in [ ] or { } is YAML, any other is text as it stands.  0, -EINVAL,
 * -ENOMEM with err set. */
int  node_set(struct node *root, const char *assignment, struct err *err);
const struct node *node_find(const struct node *map, const char *key);      /* NULL when absent */
bool node_is_null(const struct node *node);                 /* an empty value, `~` or `null`, not in quotes */
void node_free(struct node *node);

/* Sets err to "NAME:LINE: MESSAGE" or, when --set made the node, "--set PLACE: MESSAGE"; path is where the node's
 * parent stands.  Returns -EINVAL. */
int  node_refuse(const struct node *node, const char *name, const char *path, struct err *err, const char *format, ...)
     __attribute__((format(printf, 5, 6)));

enum option_type {
    OPTION_BOOL,                                            /* bool: true/false/yes/no/on/off */
    /* within [min, max]; max 0: what the type holds; choices: a word for 0 */
    OPTION_U32, OPTION_U64,
    /* uint64_t, likewise: bytes, suffixes KB MB GB TB (powers of 1000) and KiB MiB GiB TiB */
    OPTION_SIZE,
    /* struct ratio, "off" allowed when min is 0 and the default is "off"; choices: a word for {1, 0} */
    OPTION_RATIO,
    OPTION_PERCENT,                                         /* double min..100, "off" gives -1 */
    OPTION_CHOICE,                                          /* int: index in `choices`, words separated by | */
    OPTION_TEXT,                                            /* char *, owned, replaced with free+strdup */
};

struct option {
    const char      *key;
    enum option_type type;
    size_t           offset;                                /* in the settings struct */
    const char      *fallback;                              /* default, as it would be written; NULL: required */
    uint64_t         min, max;
    const char      *choices;
    const char      *help;
};

/* Rows end with key NULL. */
int  option_defaults(const struct option *rows, void *settings, struct err *err);
/* Applies a map.  Children whose key is in `others` (NULL-terminated list, may be NULL) are left to the caller; any
 * other unknown key is an error.  name is the file's name, path the map's place ("near_duplicates").  0, -EINVAL,
 * -ENOMEM with err set. */
int  option_apply(const struct option *rows, void *settings, const struct node *map, const char *const *others,
                  const char *name, const char *path, struct err *err);
void option_free(const struct option *rows, void *settings);                /* frees OPTION_TEXT values */
/* as YAML; 0 or -ENOMEM */
int  option_print(const struct option *rows, const void *settings, const char *indent, struct bytes *out);
/* aligned key, default, help */
int  option_help(const struct option *rows, const char *indent, struct bytes *out);

/* Appends text as a YAML scalar that reads back as the same text: plain where that is safe, else in double quotes.  0
 * or -ENOMEM. */
int  option_print_text(const char *text, struct bytes *out);

#endif
