/* clonetype/settings.c -- pipeline.yaml: clones; see docs/pipeline.yaml.md. */
#include "clonetype/names.h"
#include "clonetype/task.h"
#include "near/task.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const clone_type_names[CLONE_TYPES] = { "1", "2c", "2", "3" };

static const struct option clonetype_rows[] = {
    { "dissimilarity", OPTION_RATIO, offsetof(struct clonetype_options, dissimilarity), "0.3", 1, 0, NULL,
      "of type 3: 1 - LCS / size of the larger one, at most; below 1" },
    { "unit", OPTION_CHOICE, offsetof(struct clonetype_options, unit), "lines", 0, 0, "lines|tokens",
      "of type 3: statements, as a pretty-printer would put them into lines, or tokens; of the blind form" },
    { "min_tokens", OPTION_U32, offsetof(struct clonetype_options, min_tokens), "20", 1, 0, NULL,
      "of a function that is compared" },
    { "min_names", OPTION_U32, offsetof(struct clonetype_options, min_names), "0", 0, 0, NULL,
      "of a function that is compared, keywords aside" },
    { "min_repeated", OPTION_U32, offsetof(struct clonetype_options, min_repeated), "0", 0, 0, NULL,
      "different names that a function that is compared has twice or more, keywords aside" },
    { "of", OPTION_CHOICE, offsetof(struct clonetype_options, of), "functions", 0, 0, "functions|items",
      "of the benchmarks: all functions; those that have half of their item's tokens or more, in corpora that "
      "are compared in functions (`unit`)" },
    { "min_lines", OPTION_U32, offsetof(struct clonetype_options, min_lines), "6", 1, 0, NULL,
      "statements of a function that is compared for type 3 by lines" },
    { "max_matches", OPTION_U32, offsetof(struct clonetype_options, max_matches), "1000", 1, 0, NULL,
      "pairs of an item with a corpus that graph.db keeps, the best first; all are counted" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const clonetype_others[] = { "types", "within", NULL };

/* Without the key all types. */
static int types_read(struct clonetype_options *options, const struct place *place)
{
    const struct node *list = node_find(place->map, "types");

    if (list && words_count(list) == 0) return place_refuse(place, "types", "names at least one");
    for (int t = 0; t < CLONE_TYPES; t++) options->type[t] = !list;
    for (size_t i = 0; list && i < words_count(list); i++) {
        const char *word = words_at(list, i, place);
        int         t = 0;

        if (!word) return place->err->code;
        while (t < CLONE_TYPES && strcmp(clone_type_names[t], word) != 0) t++;
        if (t == CLONE_TYPES)
            return node_refuse(list, place->name, place->path, place->err, "types: they are 1, 2c, 2 and 3, not "
                               "`%.60s`", word);
        options->type[t] = true;
    }
    return 0;
}

static bool has_role(const struct config *config, enum dataset_role role)
{
    for (size_t d = 0; d < config->dataset_count; d++)
        if (config->datasets[d].role == role) return true;
    return false;
}

/* Renamed items, where near compares a corpus in functions. */
bool clonetype_implied(const struct config *config)
{
    bool compared = false;

    for (size_t d = 0; d < config->dataset_count; d++)
        compared |= near_in_functions(&config->datasets[d]);
    return config_has(config, &near_capability) && near_task(config)->options.renamed && compared &&
        has_role(config, ROLE_BENCHMARK);
}

int clonetype_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct clonetype_options *options = &clonetype_task(config)->options;
    const struct node        *map = node_find(root, "clones");
    const struct place        place = { map, name, "clones", err };
    bool                      between;

    if (!config_has(config, &clonetype_capability)) return 0;
    if (option_defaults(clonetype_rows, options, err) < 0) return err->code;
    if (!map) {
        clonetype_task(config)->implied = true;
        options->type[CLONE_TYPE_1] = options->type[CLONE_TYPE_2C] = true;
        options->of = OF_ITEMS;
        options->min_names = NAMES_WINDOW;
        options->min_repeated = REPEATED_IMPLIED;
        return 0;
    }
    if (option_apply(clonetype_rows, options, map, clonetype_others, name, "clones", err) < 0) return err->code;
    if (!options->dissimilarity.den || options->dissimilarity.num == options->dissimilarity.den)
        return place_refuse(&place, "dissimilarity", "is below 1");
    if (node_find(map, "within") &&
        place_read_members(&place, config, "within", ROLE_CORPUS, false, &clonetype_task(config)->within) < 0)
        return err->code;
    between = has_role(config, ROLE_BENCHMARK) && has_role(config, ROLE_CORPUS);
    if (!node_find(map, "within") && !between)
        return node_refuse(map, name, "", err, "clones: needs a dataset with `role: benchmark` and one with `role: "
                                               "corpus`, functions of the first being looked for in the second, or "
                                               "`within`, which names corpora whose functions are compared with each "
                                               "other");
    if (between && config_lacks_items(config))
        return node_refuse(map, name, "", err, "clones: beside dedup needs near_duplicates too (`near_duplicates: "
                                               "{}`), which stores the items in graph.db");
    return types_read(options, &place);
}

static int within_print(const struct config *config, struct bytes *out)
{
    const bool  *within = clonetype_task(config)->within;
    const char **word = within ? malloc((config->dataset_count + 1) * sizeof *word) : NULL;
    size_t       words = 0;
    int          rc = 0;

    for (size_t d = 0; word && d < config->dataset_count; d++)
        if (within[d]) word[words++] = config->datasets[d].name;
    if (within) rc = word ? config_print_words("within", word, words, out) : -ENOMEM;
    free(word);
    return rc;
}

int clonetype_print(const struct config *config, struct bytes *out)
{
    const struct clonetype_options *options = &clonetype_task(config)->options;
    const char                     *type[CLONE_TYPES];
    size_t                          types = 0;
    int                             rc = bytes_printf(out, "clones:\n");

    for (int t = 0; t < CLONE_TYPES; t++)
        if (options->type[t]) type[types++] = clone_type_names[t];
    if (rc == 0) rc = config_print_words("types", type, types, out);
    if (rc == 0) rc = within_print(config, out);
    return rc < 0 ? rc : option_print(clonetype_rows, options, "  ", out);
}

int clonetype_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nclones:                   a pass: functions of the benchmarks that functions of the "
                               "corpora are clones of, by type\n"
                               "  types                   all  of 1 (equal but for layout and comments), 2c (names "
                               "renamed one to one, literals), 2 (names and literals, in any way), 3 (statements "
                               "added, taken away, changed)\n"
                               "  within                  none  corpora whose functions are compared with each other: "
                               "classes of types 1, 2c and 2, pairs of type 3\n");

    return rc < 0 ? rc : option_help(clonetype_rows, "  ", out);
}
