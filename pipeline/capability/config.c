/* capability/config.c -- what the readers of settings have in common; see config.h. */
#include "capability/config.h"

#include "base/file.h"
#include "base/suggest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *config_folder(const struct config *config)
{
    char *here = *config->output == '/' ? NULL : getcwd(NULL, 0), *folder = NULL;

    if (*config->output == '/') return strdup(config->output);
    if (here && asprintf(&folder, "%s%s%s", here, strcmp(here, "/") == 0 ? "" : "/", config->output) < 0) folder = NULL;
    free(here);
    return folder;
}

int config_section(const struct option *rows, void *settings, const struct node *root, const char *key,
                   const char *name, struct err *err)
{
    const struct node *map = node_find(root, key);
    int                rc = option_defaults(rows, settings, err);

    return rc < 0 || !map ? rc : option_apply(rows, settings, map, NULL, name, key, err);
}

int place_refuse(const struct place *place, const char *key, const char *format, ...)
{
    const struct node *node = node_find(place->map, key);
    char               what[600];
    va_list            args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return node_refuse(node ? node : place->map, place->name, place->path, place->err, "%s%s%s", key,
                       *format == ':' ? "" : " ", what);
}

int place_find_dataset(const struct place *place, const struct config *config, const struct node *list,
                       const char *word, uint32_t *out)
{
    const char **names;
    char         near[SUGGEST_ROOM];
    int          rc;

    for (size_t d = 0; d < config->dataset_count; d++) {
        if (strcmp(config->datasets[d].name, word) != 0) continue;
        *out = (uint32_t)d;
        return 0;
    }
    names = calloc(config->dataset_count + 1, sizeof *names);
    if (!names) return err_memory(place->err, (config->dataset_count + 1) * sizeof *names, "dataset names");
    for (size_t d = 0; d < config->dataset_count; d++) names[d] = config->datasets[d].name;
    rc = node_refuse(list, place->name, place->path, place->err, "%s: no dataset is called `%.60s`%s", list->key,
                     word, suggest(word, names, near));
    free(names);
    return rc;
}

size_t words_count(const struct node *list) { return list->kind == NODE_LIST ? list->count : 1; }

const char *words_at(const struct node *list, size_t i, const struct place *place)
{
    const struct node *word = list->kind == NODE_LIST ? &list->child[i] : list;

    if (word->kind == NODE_SCALAR && *word->text && !node_is_null(word)) return word->text;
    node_refuse(word->line ? word : list, place->name, place->path, place->err, "%s must be a list of names",
                list->key);
    return NULL;
}

int words_dataset(const struct node *list, size_t i, const struct place *place, const struct config *config,
                  uint32_t *out)
{
    const char *word = words_at(list, i, place);

    return word ? place_find_dataset(place, config, list, word, out) : place->err->code;
}

static const char *role_name(int role) { return role == ROLE_BENCHMARK ? "benchmark" : "corpus"; }

int place_read_members(const struct place *place, const struct config *config, const char *key, int role,
                       bool any_role, bool **member)
{
    const struct node *list = node_find(place->map, key);
    uint32_t           d = 0;

    *member = calloc(config->dataset_count + 1, sizeof **member);
    if (!*member) return err_memory(place->err, config->dataset_count, "datasets");
    for (size_t i = 0; !list && i < config->dataset_count; i++)
        (*member)[i] = role < 0 || (int)config->datasets[i].role == role;
    if (list && words_count(list) == 0)
        return place_refuse(place, key, "names at least one; without the key it is every %s",
                            role < 0 ? "dataset" : role_name(role));
    for (size_t i = 0; list && i < words_count(list); i++) {
        int rc = words_dataset(list, i, place, config, &d);

        if (rc < 0) return rc;
        if (!any_role && role >= 0 && (int)config->datasets[d].role != role)
            return node_refuse(list, place->name, place->path, place->err, "%s: `%.60s` has not `role: %s`", key,
                               config->datasets[d].name, role_name(role));
        (*member)[d] = true;
    }
    return 0;
}

int config_print_words(const char *key, const char *const *word, size_t count, struct bytes *out)
{
    int rc = bytes_printf(out, "  %s: [", key);

    for (size_t i = 0; i < count && rc == 0; i++) {
        rc = i ? bytes_printf(out, ", ") : 0;
        if (rc == 0) rc = option_print_text(word[i], out);
    }
    return rc < 0 ? rc : bytes_printf(out, "]\n");
}

int config_print_members(const struct config *config, const char *key, const bool *member, struct bytes *out)
{
    const char **name = calloc(config->dataset_count + 1, sizeof *name);
    size_t       names = 0;
    int          rc;

    if (!name) return -ENOMEM;
    for (size_t d = 0; d < config->dataset_count; d++)
        if (member[d]) name[names++] = config->datasets[d].name;
    rc = config_print_words(key, name, names, out);
    free(name);
    return rc;
}

int place_resolve_path(const struct place *place, const struct config *config, const char *key, const char *thing,
                       char **path)
{
    const bool whole = **path == '/';
    char      *base, *joined = NULL, *resolved;
    int        len, rc;

    if (!**path) return 0;
    if ((rc = file_real_path(config->base, &base, place->err)) < 0) return rc;
    len = asprintf(&joined, "%s%s%s", whole ? "" : base ? base : config->base, whole ? "" : "/", *path);
    free(base);
    if (len < 0) return err_memory(place->err, strlen(*path), "a path");
    if (thing) rc = file_real_path(joined, &resolved, place->err);
    else resolved = joined;
    if (rc < 0) {
        free(joined);
        return rc;
    }
    free(*path);
    *path = resolved ? resolved : joined;
    if (!resolved) return place_refuse(place, key, "names a %s that is not there: %.500s", thing, *path);
    if (thing) free(joined);
    return 0;
}
