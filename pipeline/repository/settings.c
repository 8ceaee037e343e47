/* repository/settings.c -- pipeline.yaml: repositories; see docs/pipeline.yaml.md. */
#include "repository/task.h"

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
    size_t corpora = 0, benchmarks = 0;

    for (size_t d = 0; d < config->dataset_count; d++) {
        corpora += config->datasets[d].role == ROLE_CORPUS;
        benchmarks += config->datasets[d].role == ROLE_BENCHMARK;
    }
    if (!corpora)
        return node_refuse(place->map, place->name, "", place->err, "repositories: no dataset has `role: corpus`");
    if (!benchmarks)
        return node_refuse(place->map, place->name, "", place->err,
                           "repositories: no dataset has `role: benchmark`; its repositories are looked for");
    return place_read_members(place, config, "benchmarks", ROLE_BENCHMARK, false, &repository_task(config)->benchmark);
}

static int renames_resolve(const struct config *config, struct repository_options *o, const struct place *place)
{
    struct repository_renames renames;
    int                       rc;

    if (!*o->renames) return 0;
    rc = place_resolve_path(place, config, "renames", "file", &o->renames);
    if (rc < 0) return rc;
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
    int rc = bytes_printf(out, "repositories:\n");

    if (rc == 0) rc = config_print_members(config, "benchmarks", repository_task(config)->benchmark, out);
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
