/* capability/config.h -- what pipeline.yaml says, resolved: what all capabilities are told, and the state of each. */
#ifndef LEAKGRAPH_CAPABILITY_CONFIG_H
#define LEAKGRAPH_CAPABILITY_CONFIG_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/option.h"
#include "corpus/dataset.h"

#include <stdbool.h>

struct capability;
struct config;

/* A capability in a run. */
struct task {
    const struct capability *of;
    const struct config     *config;
    void                    *state;                         /* [of->state_size] */
    double                  *limit;                         /* one for each of its gates, percent; -1: none */
    bool                     on;                            /* its key is there */
};

struct config {
    char           *output;                                 /* run folder; relative to the current folder */
    char           *base;                                   /* where relative globs start: the YAML's folder */
    struct dataset *datasets;
    size_t          dataset_count;
    bool            of_file;                                /* read from a file, whose lines messages may name */
    size_t          made;                                   /* of them the last so many, which the run itself writes */
    int             store;                                  /* enum graph_store */
    bool            published;                              /* compat: published */
    bool            across_languages;                       /* where a capability does not say it itself */
    uint64_t        memory;                                 /* bytes; 0: nothing was said */
    /* of fail_on, percent: what must be compared of whatever a gate is of, and what may lie in damaged shards */
    double          coverage, lost;
    struct task    *task;                                   /* [task_count] in the table's order */
    size_t          task_count;
};

/* The run folder by its place from the root, which need not be there yet; owned by the caller.  NULL: no memory, or no
 * current folder. */
char *config_folder(const struct config *config);

/* ---- for those who read settings ---- */

/* Defaults, then the map under `key` of the root when there is one. */
int config_section(const struct option *rows, void *settings, const struct node *root, const char *key,
                   const char *name, struct err *err);

/* Where settings are read from, for messages: the map, the file's name, the map's place in it. */
struct place { const struct node *map; const char *name, *path; struct err *err; };

/* -EINVAL with "NAME:LINE: KEY WHAT", at the key when it is there; "KEY: WHAT" where the format begins with a colon.
 * See node_refuse. */
int place_refuse(const struct place *place, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The number of a dataset in *out, or -EINVAL naming the nearest one; list: the node that names it. */
int place_find_dataset(const struct place *place, const struct config *config, const struct node *list,
                       const char *word, uint32_t *out);

/* A list of words, or one alone: how many, and word i; a word is a scalar that is neither null nor empty.  NULL: it is
 * none, with err set. */
size_t      words_count(const struct node *list);
const char *words_at(const struct node *list, size_t i, const struct place *place);

/* The number of the dataset that word i of the list names.  0, or -EINVAL. */
int words_dataset(const struct node *list, size_t i, const struct place *place, const struct config *config,
                  uint32_t *out);

/* Marks the datasets that the list `key` of the place names: member [dataset_count + 1], owned by the caller.  Without
 * the key all of `role` (-1: of any).  A named one must have the role too, unless any_role.  0, -EINVAL, -ENOMEM. */
int place_read_members(const struct place *place, const struct config *config, const char *key, int role,
                       bool any_role, bool **member);

/* "  KEY: [a, b]"; 0 or -ENOMEM. */
int config_print_words(const char *key, const char *const *word, size_t count, struct bytes *out);
int config_print_members(const struct config *config, const char *key, const bool *member, struct bytes *out);

/* A path that `key` gives by its place from the root, so that the resolved configuration means the same anywhere; *path
 * is replaced.  thing: "file" or "folder" that must be there, and links to it are followed; NULL: there may be nothing.
 * An empty path is left alone.  0; -EINVAL that says where the thing would be, -ENOMEM with err set. */
int place_resolve_path(const struct place *place, const struct config *config, const char *key, const char *thing,
                       char **path);

#endif
