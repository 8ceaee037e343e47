/* repository/settings.c -- pipeline.yaml: repositories; see docs/pipeline.yaml.md. */
#include "repository/task.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option repositories_rows[] = {
    { "renames", OPTION_TEXT, offsetof(struct repository_options, renames), "", 0, 0, NULL,
      "a list of repositories that are called otherwise now: old name, TAB, new name; from the file's folder" },
    { "path_components", OPTION_U32, offsetof(struct repository_options, path_components), "0", 0, 16, NULL,
      "the repository of a record without one is named by so many first folders of its path; 0: it has none" },
    { "share", OPTION_RATIO, offsetof(struct repository_options, share), "0.5", 0, 0, NULL,
      "share of a repository's files that, copied exactly or nearly, put it into a corpus by content" },
    { "top", OPTION_U32, offsetof(struct repository_options, top), "5", 0, 1000, NULL,
      "other repositories with its files that are listed for each" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const repositories_others[] = { "benchmarks", NULL };

static int benchmarks_read(struct config *config, const struct place *place)
{
    const struct node *list = node_find(place->map, "benchmarks");
    size_t             count = !list ? 0 : list->kind == NODE_LIST ? list->count : 1, corpora = 0, benchmarks = 0;
    bool              *chosen = repository_task(config)->benchmark = calloc(config->dataset_count + 1, sizeof *chosen);

    if (!chosen) return err_memory(place->err, config->dataset_count, "datasets");
    for (size_t d = 0; d < config->dataset_count; d++) {
        corpora += config->datasets[d].role == ROLE_CORPUS;
        benchmarks += config->datasets[d].role == ROLE_BENCHMARK;
        if (!list) chosen[d] = config->datasets[d].role == ROLE_BENCHMARK;
    }
    if (!corpora)
        return node_refuse(place->map, place->name, "", place->err, "repositories: no dataset has `role: corpus`");
    if (!benchmarks)
        return node_refuse(place->map, place->name, "", place->err,
                           "repositories: no dataset has `role: benchmark`; its repositories are looked for");
    if (list && count == 0)
        return place_refuse(place, "benchmarks", "names at least one; without the key it is every benchmark");
    for (size_t i = 0; i < count; i++) {
        const struct node *word = list->kind == NODE_LIST ? &list->child[i] : list;
        size_t             d = 0;

        if (word->kind != NODE_SCALAR || node_is_null(word))
            return place_refuse(place, "benchmarks", "must be a list of names");
        while (d < config->dataset_count && strcmp(config->datasets[d].name, word->text) != 0) d++;
        if (d == config->dataset_count || config->datasets[d].role != ROLE_BENCHMARK)
            return node_refuse(list, place->name, "repositories", place->err,
                               "benchmarks: no dataset with `role: benchmark` is called `%.60s`", word->text);
        chosen[d] = true;
    }
    return 0;
}

/* By its path from the root, so that the resolved configuration means the same anywhere. */
static int renames_resolve(const struct config *config, struct repository_options *o, const struct place *place)
{
    struct repository_renames renames;
    char                     *path = NULL, *real;
    int                       rc;

    if (!*o->renames) return 0;
    if (asprintf(&path, "%s%s%s", *o->renames == '/' ? "" : config->base, *o->renames == '/' ? "" : "/",
                 o->renames) < 0)
        return err_memory(place->err, strlen(o->renames), "a path");
    real = realpath(path, NULL);
    free(path);
    if (!real) return place_refuse(place, "renames", "names a file that is not there");
    free(o->renames);
    o->renames = real;
    rc = repository_renames_read(&renames, o->renames, place->err);
    repository_renames_free(&renames);
    return rc;
}

int repository_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct repository_options *o = &repository_task(config)->options;
    const struct node         *map = node_find(root, "repositories");
    const struct place         place = { map, name, "repositories", err };
    int                        rc;

    if (!map) return 0;
    rc = option_defaults(repositories_rows, o, err);
    if (rc == 0) rc = option_apply(repositories_rows, o, map, repositories_others, name, "repositories", err);
    if (rc == 0 && (!o->share.den || !o->share.num)) rc = place_refuse(&place, "share", "must be above 0");
    if (rc == 0) rc = renames_resolve(config, o, &place);
    return rc < 0 ? rc : benchmarks_read(config, &place);
}

void repository_settings_free(struct repository_task *task)
{
    free(task->benchmark);
    free(task->options.renames);
}

int repository_print(const struct config *config, struct bytes *out)
{
    int  rc = bytes_printf(out, "repositories:\n  benchmarks: [");
    bool first = true;

    for (size_t d = 0; rc == 0 && d < config->dataset_count; d++) {
        if (!repository_task(config)->benchmark[d]) continue;
        rc = first ? 0 : bytes_printf(out, ", ");
        if (rc == 0) rc = option_print_text(config->datasets[d].name, out);
        first = false;
    }
    if (rc == 0) rc = bytes_printf(out, "]\n");
    return rc < 0 ? rc : option_print(repositories_rows, &repository_task(config)->options, "  ", out);
}

int repository_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nrepositories:             a pass: which repositories of benchmarks are in the "
                               "corpora, by name and by content\n"
                               "  benchmarks              every benchmark  names of the datasets whose repositories "
                               "are looked for\n");

    return rc < 0 ? rc : option_help(repositories_rows, "  ", out);
}
