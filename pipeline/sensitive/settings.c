/* sensitive/settings.c -- pipeline.yaml: sensitive; see docs/pipeline.yaml.md. */
#include "sensitive/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option sensitive_rows[] = {
    { "local", OPTION_BOOL, offsetof(struct sensitive_options, local), "false", 0, 0, NULL,
      "also IP addresses of local, private and multicast networks" },
    { "example", OPTION_BOOL, offsetof(struct sensitive_options, example), "false", 0, 0, NULL,
      "also what is kept free for documents: e-mail addresses and keys with `example` in them, 192.0.2.0/24, "
      "198.51.100.0/24, 203.0.113.0/24, 2001:db8::/32" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const sensitive_others[] = { "datasets", "kinds", NULL };

/* Without the key all kinds. */
static int kinds_read(struct config *config, const struct place *place)
{
    const struct node *list = node_find(place->map, "kinds");
    bool              *kind = sensitive_task(config)->options.kind;

    if (list && words_count(list) == 0) return place_refuse(place, "kinds", "names at least one");
    for (int k = 0; k < SENSITIVE_KINDS && !list; k++) kind[k] = true;
    for (size_t i = 0; list && i < words_count(list); i++) {
        const char *word = words_at(list, i, place);
        int         k = 0;

        if (!word) return place->err->code;
        while (k < SENSITIVE_KINDS && strcmp(sensitive_names[k], word) != 0) k++;
        if (k == SENSITIVE_KINDS)
            return node_refuse(list, place->name, place->path, place->err,
                               "kinds: they are email, ip and key, not `%.60s`", word);
        kind[k] = true;
    }
    return 0;
}

static int lists_read(struct config *config, const struct place *place)
{
    bool **member = &sensitive_task(config)->member, any = false;
    int    rc = place_read_members(place, config, "datasets", ROLE_BENCHMARK, true, member);

    for (size_t d = 0; rc == 0 && d < config->dataset_count; d++) any |= (*member)[d];
    if (rc == 0 && !any)
        rc = node_refuse(place->map, place->name, "", place->err, "sensitive: no dataset has `role: benchmark`; name "
                                                                  "those whose strings are wanted in `datasets`");
    return rc < 0 ? rc : kinds_read(config, place);
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
    const char *kind[SENSITIVE_KINDS];
    size_t      kinds = 0;
    int         rc = bytes_printf(out, "sensitive:\n");

    for (int k = 0; k < SENSITIVE_KINDS; k++)
        if (sensitive_task(config)->options.kind[k]) kind[kinds++] = sensitive_names[k];
    if (rc == 0) rc = config_print_members(config, "datasets", sensitive_task(config)->member, out);
    if (rc == 0) rc = config_print_words("kinds", kind, kinds, out);
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
