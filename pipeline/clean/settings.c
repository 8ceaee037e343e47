/* clean/settings.c -- pipeline.yaml: clean; see docs/pipeline.yaml.md. */
#include "clean/task.h"
#include "clone/task.h"
#include "corpus/cleaned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLEAN_NAME = 200 };                                  /* longest, in bytes */

#define CLEAN_BASE_MAX 1000000000000ull

/* What the rows fill; drop is an index, in the order of enum clean_drop. */
struct clean_settings {
    char *name, *dataset, *where, *subsets, *against;
    int drop;
    uint32_t level;
    uint64_t base, seed, shard_size;
    bool transitive;
};

static const struct option clean_rows[] = {
    { "name", OPTION_TEXT, offsetof(struct clean_settings, name), NULL, 0, 0, NULL,
      "cleaned/NAME/ in the run folder: letters, digits, `_`, `-`" },
    { "drop", OPTION_CHOICE, offsetof(struct clean_settings, drop), "items", 0, 0, "items|documents|spans",
      "items of benchmarks, or documents of corpora; spans: of `dataset` the lines alone that are in blocks of "
      "line_clones" },
    { "dataset", OPTION_TEXT, offsetof(struct clean_settings, dataset), "", 0, 0, NULL,
      "the one that is written; without it every benchmark (documents: corpus)" },
    { "where", OPTION_TEXT, offsetof(struct clean_settings, where), "", 0, 0, NULL,
      "what is dropped, as `near or llama3_8gram >= 0.8`: columns, alone true when not 0, or compared by >= > <= < = "
      "with a decimal number; and, or, not, ( ). "
      "Pairs with datasets of the other role: near (exact or near), exact, contained, copies; matches; of items "
      "alone: leaked (what fail_on.leakage counts), from_permissive, from_weak_copyleft, from_strong_copyleft, "
      "from_restricted, from_unknown, from_none (documents of corpora it leaks from, by their licences), in_functions, "
      "in_passages, clone_type1, clone_type2, clone_type3, in_repository (corpora that have its repository), "
      "gpt3_13gram, palm_8gram, llama3_8gram, "
      "tulu3_8gram, exact_substring, windows50, qwen_lcs, idf_weighted, decon_5gram (ngrams), clone (lines in "
      "shared blocks: line_clones; also of a corpus whose spans are dropped, alone)" },
    { "subsets", OPTION_TEXT, offsetof(struct clean_settings, subsets), "", 0, 0, NULL,
      "instead of drop and where: the dataset of which two subsets of one size are drawn, leaky (base and its "
      "duplicates) and nonleaky (base and others)" },
    { "base", OPTION_U64, offsetof(struct clean_settings, base), "0", 0, CLEAN_BASE_MAX, NULL,
      "of subsets: documents without duplicates that both have, of each language" },
    { "against", OPTION_TEXT, offsetof(struct clean_settings, against), "", 0, 0, NULL,
      "of subsets: the benchmark in which a duplicate has its pair; without it any other" },
    { "transitive", OPTION_BOOL, offsetof(struct clean_settings, transitive), "false", 0, 0, NULL,
      "of subsets: a cluster with a document of the benchmark is enough for a duplicate" },
    { "seed", OPTION_U64, offsetof(struct clean_settings, seed), "123", 0, 0, NULL,
      "of subsets: another one draws others" },
    { "level", OPTION_U32, offsetof(struct clean_settings, level), "3", 1, 19, NULL, "of zstd" },
    { "shard_size", OPTION_SIZE, offsetof(struct clean_settings, shard_size), CLEANED_SIZE, 0, 0, NULL,
      "small shards that follow each other are written as one, SHARD+N for SHARD and N more, while they have no more "
      "bytes on disk together; 0: each by itself" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static int name_check(const struct config *config, const struct place *place)
{
    const struct clean_output *outputs = clean_task(config)->at;
    const size_t               last = clean_task(config)->count - 1, len = strlen(outputs[last].name);

    if (len == 0 || len > CLEAN_NAME ||
        strspn(outputs[last].name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != len)
        return place_refuse(place, "name", ": must be letters, digits, `_` and `-`, at most %d", CLEAN_NAME);
    for (size_t i = 0; i < last; i++)
        if (strcmp(outputs[i].name, outputs[last].name) == 0)
            return place_refuse(place, "name", ": `%s` is there twice", outputs[last].name);
    return 0;
}

/* Spans and subsets are of one dataset, whatever its role. */
static int members_find(const struct config *config, struct clean_output *output, const struct place *place)
{
    const char *wanted = output->drop == CLEAN_ITEMS ? "benchmark" : "corpus", *dataset = output->dataset,
        *key = output->drop == CLEAN_SUBSETS ? "subsets" : "dataset";
    const bool  any_role = output->drop == CLEAN_SPANS || output->drop == CLEAN_SUBSETS;
    bool        any = false, known = false;
    uint32_t    unknown;

    output->member = calloc(config->dataset_count + 1, sizeof *output->member);
    if (!output->member) return err_memory(place->err, config->dataset_count, "datasets");
    if (any_role && !*dataset) return place_refuse(place, key, ": must say of which dataset spans are dropped");
    for (size_t d = 0; d < config->dataset_count; d++) {
        if (*dataset && strcmp(dataset, config->datasets[d].name) != 0) continue;
        known = true;
        any |= output->member[d] = any_role || config->datasets[d].role == (output->drop == CLEAN_ITEMS ? ROLE_BENCHMARK
                                                                            : ROLE_CORPUS);
    }
    if (any) return 0;
    if (!*dataset) return place_refuse(place, "drop", ": no dataset has `role: %s`", wanted);
    if (known)
        return place_refuse(place, "dataset", ": `%.60s` is no %s, of which `drop: %s` is", dataset, wanted,
                            output->drop == CLEAN_ITEMS ? "items" : "documents");
    return place_find_dataset(place, config, node_find(place->map, key), dataset, &unknown);
}

/* Of the dataset whose spans are dropped. */
static bool is_corpus(const struct config *config, const struct clean_output *output)
{
    for (size_t d = 0; d < config->dataset_count; d++)
        if (output->member[d]) return config->datasets[d].role == ROLE_CORPUS;
    return false;
}

static int where_read(const struct config *config, struct clean_output *output, const struct place *place)
{
    static const double  nothing[CLEAN_COLUMNS_MAX];
    const bool           spans = output->drop == CLEAN_SPANS,
                         corpus = spans ? is_corpus(config, output) : output->drop == CLEAN_DOCUMENTS;
    struct clean_columns columns;
    struct err           reason = { 0 };
    int                  rc;

    clean_columns_list(&columns, config);
    rc = rule_parse(&output->rule, output->where, columns.name, &reason);
    if (rc == -ENOMEM) *place->err = reason;
    if (rc < 0) return rc == -ENOMEM ? rc : place_refuse(place, "where", ": %.500s", reason.text);
    for (size_t c = 0; c < columns.count; c++) {
        const char *lacks;

        if (!(rule_columns(output->rule) >> c & 1)) continue;
        if (spans && corpus && !(columns.of_lines >> c & 1))
            return place_refuse(place, "where",
                                ": `%s`: spans of a corpus are found while it is written, by `clone` alone",
                                columns.name[c]);
        if (corpus && !spans && !(columns.at[c]->traits & RULE_OF_CORPORA))
            return place_refuse(place, "where", ": `%s` is known of benchmark items only", columns.name[c]);
        if ((lacks = clean_column_lacks(&columns, c)))
            return place_refuse(place, "where", ": `%s` needs %s", columns.name[c], lacks);
    }
    if (corpus && rule_holds(output->rule, nothing))
        return place_refuse(place, "where", ": is true of documents in which nothing was found%s: say what must have "
                                            "been found in those that are dropped",
                            spans ? "" : ", which graph.db does not have");
    if (!spans) return 0;
    if (!config_has(config, &clone_capability))
        return place_refuse(place, "drop", ": spans are the lines of blocks, which line_clones finds");
    if (clone_task(config)->options.self)
        return place_refuse(place, "drop",
                            ": spans are shared with corpora, which line_clones does not read with `self: true`");
    return 0;
}

static int subsets_read(const struct config *config, const struct clean_output *output, const struct place *place)
{
    bool     against = false;
    uint32_t other;
    int      rc;

    if (output->where[0]) return place_refuse(place, "where", ": subsets are drawn, not dropped by a rule");
    if (!config_has_key(config, "near_duplicates"))
        return place_refuse(place, "subsets", ": needs near_duplicates, which finds the duplicates");
    if (!output->base)
        return place_refuse(place, "base",
                            ": must say how many documents of each language both subsets have, 1 or more");
    for (size_t d = 0; d < config->dataset_count; d++)
        against |= config->datasets[d].role == ROLE_BENCHMARK && !output->member[d] &&
            (!output->against[0] || strcmp(output->against, config->datasets[d].name) == 0);
    if (against) return 0;
    if (!output->against[0])
        return place_refuse(place, "subsets", ": there is no other dataset with `role: benchmark`, in which duplicates "
                                              "would have their pairs");
    rc = place_find_dataset(place, config, node_find(place->map, "against"), output->against, &other);
    return rc < 0 ? rc
        : place_refuse(place, "against", ": `%.60s` must be another dataset, with `role: benchmark`",
                       output->against);
}

static int output_read(struct config *config, const struct place *place)
{
    struct clean_settings settings = { 0 };
    struct clean_output  *output = &clean_task(config)->at[clean_task(config)->count];
    bool                  subsets;
    int                   rc = option_defaults(clean_rows, &settings, place->err);

    if (rc == 0) rc = option_apply(clean_rows, &settings, place->map, NULL, place->name, place->path, place->err);
    if (rc < 0) {
        option_free(clean_rows, &settings);
        return rc;
    }
    subsets = settings.subsets[0] != '\0';
    if (subsets && settings.dataset[0]) rc = place_refuse(place, "dataset", ": subsets names the dataset");
    *output = (struct clean_output){ .name = settings.name, .dataset = subsets ? settings.subsets : settings.dataset,
                                     .drop = subsets ? CLEAN_SUBSETS : (enum clean_drop)settings.drop,
                                         .where = settings.where, .level = settings.level,
                                     .shard_size = settings.shard_size,
                                     .against = settings.against, .base = settings.base, .seed = settings.seed,
                                         .transitive = settings.transitive };
    free(subsets ? settings.dataset : settings.subsets);
    clean_task(config)->count++;
    if (rc == 0) rc = name_check(config, place);
    if (rc == 0) rc = members_find(config, output, place);
    if (rc < 0) return rc;
    if (subsets) return subsets_read(config, output, place);
    if (output->base || output->against[0] || output->transitive)
        return place_refuse(place, output->base ? "base" : output->against[0] ? "against" : "transitive",
                            ": is for subsets");
    return where_read(config, output, place);
}

int clean_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct node *list = node_find(root, "clean");
    int                rc = 0;

    if (!list) return 0;
    if (list->kind != NODE_LIST || list->count == 0)
        return node_refuse(list, name, "", err,
                           "clean must be a list of outputs, as - {name: strict, drop: items, where: near}");
    if (config_lacks_items(config))
        return node_refuse(list, name, "", err, "clean: beside dedup needs near_duplicates too (`near_duplicates: "
                                                "{}`), which stores the documents in graph.db");
    clean_task(config)->at = calloc(list->count, sizeof *clean_task(config)->at);
    if (!clean_task(config)->at)
        return err_memory(err, list->count * sizeof *clean_task(config)->at, "the outputs of clean");
    for (size_t i = 0; i < list->count && rc == 0; i++) {
        char         path[32];
        struct place place = { .map = &list->child[i], .name = name, .path = path, .err = err };

        snprintf(path, sizeof path, "clean.%zu", i);
        if (place.map->kind != NODE_MAP)
            return node_refuse(place.map->line ? place.map : list, name, "clean", err,
                               "each output is a map, as {name: strict, drop: items, where: near}");
        rc = output_read(config, &place);
    }
    return rc;
}

void clean_settings_free(struct clean_task *task)
{
    for (size_t i = 0; i < task->count; i++) {
        free(task->at[i].name);
        free(task->at[i].dataset);
        free(task->at[i].where);
        free(task->at[i].against);
        free(task->at[i].member);
        rule_free(task->at[i].rule);
    }
    free(task->at);
}

int clean_print(const struct config *config, struct bytes *out)
{
    char none[] = "";
    int  rc = bytes_printf(out, "clean:\n");

    for (size_t i = 0; i < clean_task(config)->count && rc == 0; i++) {
        const struct clean_output  *o = &clean_task(config)->at[i];
        const bool                  subsets = o->drop == CLEAN_SUBSETS;
        const struct clean_settings settings = { .name = o->name, .dataset = subsets ? none : o->dataset,
                                                 .where = o->where, .subsets = subsets ? o->dataset : none,
                                                 .against = o->against, .drop = subsets ? 0 : (int)o->drop,
                                                     .level = o->level, .base = o->base, .seed = o->seed,
                                                 .shard_size = o->shard_size,
                                                 .transitive = o->transitive };

        rc = bytes_printf(out, "  -\n");
        if (rc == 0) rc = option_print(clean_rows, &settings, "    ", out);
    }
    return rc;
}

int clean_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nclean:                    a list of outputs: shards without the records (or the "
                               "lines) that a rule over the results names, or subsets\n");

    return rc < 0 ? rc : option_help(clean_rows, "    ", out);
}
