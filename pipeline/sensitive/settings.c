/* sensitive/settings.c -- pipeline.yaml: sensitive; see docs/pipeline.yaml.md. */
#include "sensitive/task.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option sensitive_rows[] = {
    { "local", OPTION_BOOL, offsetof(struct sensitive_options, local), "false", 0, 0, NULL,
      "also IP addresses of local, private and multicast networks" },
    { "example", OPTION_BOOL, offsetof(struct sensitive_options, example), "false", 0, 0, NULL,
      "also e-mail addresses with `example` in them" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const sensitive_others[] = { "datasets", "kinds", NULL };

/* A key whose value is a word or a list of words, each of which take() knows; without the key, *there is false. */
static int words_read(const struct place *place, const char *key, int (*take)(struct config *, const char *),
                      struct config *config, const char *what, bool *there)
{
    const struct node *list = node_find(place->map, key);
    size_t             count = !list ? 0 : list->kind == NODE_LIST ? list->count : 1;

    *there = list != NULL;
    if (list && count == 0)
        return node_refuse(list, place->name, "sensitive", place->err, "%s names at least one", key);
    for (size_t i = 0; i < count; i++) {
        const struct node *word = list->kind == NODE_LIST ? &list->child[i] : list;

        if (word->kind != NODE_SCALAR || node_is_null(word))
            return node_refuse(list, place->name, "sensitive", place->err, "%s must be a list of names", key);
        if (take(config, word->text) < 0)
            return node_refuse(list, place->name, "sensitive", place->err, "%s: %s `%.60s`", key, what, word->text);
    }
    return 0;
}

static int dataset_take(struct config *config, const char *word)
{
    for (size_t d = 0; d < config->dataset_count; d++) {
        if (strcmp(config->datasets[d].name, word) != 0) continue;
        sensitive_task(config)->member[d] = true;
        return 0;
    }
    return -EINVAL;
}

static int kind_take(struct config *config, const char *word)
{
    for (int k = 0; k < SENSITIVE_KINDS; k++) {
        if (strcmp(sensitive_names[k], word) != 0) continue;
        sensitive_task(config)->options.kind[k] = true;
        return 0;
    }
    return -EINVAL;
}

static int lists_read(struct config *config, const struct place *place)
{
    bool there, any = false;
    int  rc;

    sensitive_task(config)->member = calloc(config->dataset_count + 1, sizeof *sensitive_task(config)->member);
    if (!sensitive_task(config)->member) return err_memory(place->err, config->dataset_count, "datasets");
    rc = words_read(place, "datasets", dataset_take, config, "no dataset is called", &there);
    for (size_t d = 0; d < config->dataset_count; d++) {
        if (!there) sensitive_task(config)->member[d] = config->datasets[d].role == ROLE_BENCHMARK;
        any |= sensitive_task(config)->member[d];
    }
    if (rc == 0 && !any)
        rc = node_refuse(place->map, place->name, "", place->err, "sensitive: no dataset has `role: benchmark`; name "
                                                                  "those whose strings are wanted in `datasets`");
    if (rc == 0) rc = words_read(place, "kinds", kind_take, config, "they are email, ip and key, not", &there);
    for (int k = 0; k < SENSITIVE_KINDS && !there; k++) sensitive_task(config)->options.kind[k] = true;
    return rc;
}

int sensitive_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct node *map = node_find(root, "sensitive");
    const struct place place = { map, name, "sensitive", err };
    int                rc;

    if (!map) return 0;
    rc = option_defaults(sensitive_rows, &sensitive_task(config)->options, err);
    if (rc == 0)
        rc = option_apply(sensitive_rows, &sensitive_task(config)->options, map, sensitive_others, name, "sensitive",
                          err);
    return rc < 0 ? rc : lists_read(config, &place);
}

void sensitive_settings_free(struct sensitive_task *task) { free(task->member); }

int sensitive_print(const struct config *config, struct bytes *out)
{
    int  rc = bytes_printf(out, "sensitive:\n  datasets: [");
    bool first = true;

    for (size_t d = 0; rc == 0 && d < config->dataset_count; d++) {
        if (!sensitive_task(config)->member[d]) continue;
        rc = first ? 0 : bytes_printf(out, ", ");
        if (rc == 0) rc = option_print_text(config->datasets[d].name, out);
        first = false;
    }
    if (rc == 0) rc = bytes_printf(out, "]\n  kinds: [");
    first = true;
    for (int k = 0; rc == 0 && k < SENSITIVE_KINDS; k++) {
        if (!sensitive_task(config)->options.kind[k]) continue;
        rc = bytes_printf(out, "%s%s", first ? "" : ", ", sensitive_names[k]);
        first = false;
    }
    if (rc == 0) rc = bytes_printf(out, "]\n");
    return rc < 0 ? rc : option_print(sensitive_rows, &sensitive_task(config)->options, "  ", out);
}

int sensitive_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nsensitive:                a pass: e-mail addresses, IP addresses and keys, and "
                               "which of the benchmarks' are in the corpora too\n"
                               "  datasets                every benchmark  names of the datasets whose strings are "
                               "wanted\n"
                               "  kinds                   all  of email, ip, key\n");

    return rc < 0 ? rc : option_help(sensitive_rows, "  ", out);
}
