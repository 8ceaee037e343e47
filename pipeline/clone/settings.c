/* clone/settings.c -- pipeline.yaml: line_clones; see docs/pipeline.yaml.md. */
#include "clone/task.h"

#include "clone/least.h"

#include <errno.h>

static const struct option clone_rows[] = {
    { "lines", OPTION_U32, offsetof(struct clone_options, lines), "6", 1, 1000000, NULL,
      "significant lines of the shortest block" },
    { "normalisation", OPTION_CHOICE, offsetof(struct clone_options, normal), "exact", 0, 0, "exact|simian",
      "exact: white space at the ends of lines is ignored; simian: case, white space and ! \" ' , . : ; ? are; lines "
      "that are empty then are passed over" },
    { "self", OPTION_BOOL, offsetof(struct clone_options, self), "false", 0, 0, NULL,
      "true: blocks that the benchmarks repeat themselves; no corpus is read" },
    { "places", OPTION_U32, offsetof(struct clone_options, places), "10", 1, LEAST_MAX, NULL,
      "of a block that graph.db keeps on either side; all are counted" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

/* Is there a dataset of the role? */
static bool has_role(const struct config *config, enum dataset_role role)
{
    for (size_t d = 0; d < config->dataset_count; d++)
        if (config->datasets[d].role == role) return true;
    return false;
}

int clone_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct node *map = node_find(root, "line_clones");
    int                rc = config_section(clone_rows, &clone_task(config)->options, root, "line_clones", name, err);

    if (rc < 0 || !map) return rc;
    if (!has_role(config, ROLE_BENCHMARK))
        return node_refuse(map, name, "", err,
                           "line_clones: no dataset has `role: benchmark`; the blocks of those are looked for");
    if (!clone_task(config)->options.self && !has_role(config, ROLE_CORPUS))
        return node_refuse(map, name, "", err, "line_clones: no dataset has `role: corpus`; `self: true` finds what "
                                               "the benchmarks repeat themselves");
    return 0;
}

int clone_print(const struct config *config, struct bytes *out)
{
    return bytes_printf(out, "line_clones:\n") < 0 ? -ENOMEM
        : option_print(clone_rows, &clone_task(config)->options, "  ", out);
}

int clone_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nline_clones:              a pass: blocks of lines that benchmarks (outputs of a "
                               "model, say) share with corpora\n");

    return rc < 0 ? rc : option_help(clone_rows, "  ", out);
}
