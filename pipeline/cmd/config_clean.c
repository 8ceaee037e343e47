/* cmd/config_clean.c -- pipeline.yaml: clean; see config.h. */
#include "cmd/config_private.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLEAN_NAME = 200 };                                  /* longest, in bytes */

/* What the rows fill; drop is an index, in the order of enum clean_drop. */
struct clean_settings { char *name, *dataset, *where; int drop; uint32_t level; };

static const struct option clean_rows[] = {
    { "name", OPTION_TEXT, offsetof(struct clean_settings, name), NULL, 0, 0, NULL, "cleaned/NAME/ in the run folder: letters, digits, `_`, `-`" },
    { "drop", OPTION_CHOICE, offsetof(struct clean_settings, drop), "items", 0, 0, "items|documents", "items of benchmarks, or documents of corpora" },
    { "dataset", OPTION_TEXT, offsetof(struct clean_settings, dataset), "", 0, 0, NULL, "the one that is written; without it every benchmark (documents: corpus)" },
    { "where", OPTION_TEXT, offsetof(struct clean_settings, where), NULL, 0, 0, NULL,
      "what is dropped, as `near or llama3_8gram >= 0.8`: columns, alone true when not 0, or compared by >= > <= < = with a decimal number; and, or, not, ( ). "
      "Pairs with datasets of the other role: near (exact or near), exact, contained, copies; matches; of items alone: gpt3_13gram, palm_8gram, llama3_8gram, "
      "tulu3_8gram, exact_substring, windows50, qwen_lcs, idf_weighted (ngrams), clone (lines in shared blocks: line_clones)" },
    { "level", OPTION_U32, offsetof(struct clean_settings, level), "3", 1, 19, NULL, "of zstd" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

/* Where an output is read from, for messages. */
struct place { const struct node *map; const char *name; char path[32]; struct err *err; };

__attribute__((format(printf, 3, 4)))
static int refuse(const struct place *place, const char *key, const char *format, ...)
{
    const struct node *node = node_find(place->map, key);
    char               what[600];
    va_list            args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return node_refuse(node ? node : place->map, place->name, place->path, place->err, "%s: %s", key, what);
}

static int name_check(const struct config *config, const struct place *place)
{
    const struct clean_output *outputs = config->clean.at;
    const size_t               last = config->clean.count - 1, len = strlen(outputs[last].name);

    if (len == 0 || len > CLEAN_NAME || strspn(outputs[last].name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != len)
        return refuse(place, "name", "must be letters, digits, `_` and `-`, at most %d", CLEAN_NAME);
    for (size_t i = 0; i < last; i++)
        if (strcmp(outputs[i].name, outputs[last].name) == 0) return refuse(place, "name", "`%s` is there twice", outputs[last].name);
    return 0;
}

static int members_find(const struct config *config, struct clean_output *output, const struct place *place)
{
    const char *wanted = output->drop == CLEAN_ITEMS ? "benchmark" : "corpus", *dataset = output->dataset, **names, *near;
    bool        any = false, known = false;

    output->member = calloc(config->dataset_count + 1, sizeof *output->member);
    names = calloc(config->dataset_count + 1, sizeof *names);
    if (!output->member || !names) {
        free(names);
        return err_memory(place->err, config->dataset_count * sizeof *names, "datasets");
    }
    for (size_t d = 0; d < config->dataset_count; d++) {
        names[d] = config->datasets[d].name;
        if (*dataset && strcmp(dataset, names[d]) != 0) continue;
        known = true;
        any |= output->member[d] = config->datasets[d].role == (output->drop == CLEAN_ITEMS ? ROLE_BENCHMARK : ROLE_CORPUS);
    }
    near = option_nearest(dataset, names);
    free(names);
    if (any) return 0;
    if (!*dataset) return refuse(place, "drop", "no dataset has `role: %s`", wanted);
    if (known) return refuse(place, "dataset", "`%.60s` is no %s, of which `drop: %s` is", dataset, wanted, output->drop == CLEAN_ITEMS ? "items" : "documents");
    return refuse(place, "dataset", "no dataset is called `%.60s`%s%s%s", dataset, near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

static bool has_n(const struct ngram_options *options, uint32_t n)
{
    for (size_t i = 0; i < options->sizes; i++)
        if (options->n[i] == n) return true;
    return false;
}

/* What the run must have for the column; NULL when it has it. */
static const char *column_lacks(const struct config *config, enum clean_column column)
{
    const struct ngram_options *ngrams = &config->ngrams.options;
    const bool                  on = config->ngrams.on;

    switch (column) {
    case CLEAN_CONTAINED: return config->near.containment_threshold.den ? NULL : "near_duplicates.containment_threshold";
    case CLEAN_GPT3:
    case CLEAN_QWEN:      return on && has_n(ngrams, 13) ? NULL : "ngrams with 13 in its n";
    case CLEAN_PALM:
    case CLEAN_LLAMA3:
    case CLEAN_TULU3:     return on && has_n(ngrams, 8) ? NULL : "ngrams with 8 in its n";
    case CLEAN_SUBSTRING:
    case CLEAN_WINDOWS:   return on && ngrams->unit == NGRAM_WORDS ? NULL : "ngrams with `unit: words`";
    case CLEAN_IDF:       return on ? NULL : "ngrams";
    case CLEAN_CLONE:     return config->clones.on ? NULL : "line_clones";
    default:              return NULL;
    }
}

static int where_read(const struct config *config, struct clean_output *output, const struct place *place)
{
    static const double nothing[CLEAN_COLUMNS];
    struct err          reason = { 0 };
    int                 rc = rule_parse(&output->rule, output->where, clean_columns, &reason);

    if (rc < 0) return refuse(place, "where", "%.500s", reason.text);
    for (int c = 0; c < CLEAN_COLUMNS; c++) {
        const char *lacks = column_lacks(config, (enum clean_column)c);

        if (!(rule_columns(output->rule) >> c & 1)) continue;
        if (c > CLEAN_MATCHES && output->drop == CLEAN_DOCUMENTS)
            return refuse(place, "where", "`%s` is known of benchmark items only", clean_columns[c]);
        if (lacks) return refuse(place, "where", "`%s` needs %s", clean_columns[c], lacks);
    }
    if (output->drop == CLEAN_DOCUMENTS && rule_holds(output->rule, nothing))
        return refuse(place, "where", "is true of documents in which nothing was found, which graph.db does not have: say what must have been found in "
                                      "those that are dropped");
    return 0;
}

static int output_read(struct config *config, const struct place *place)
{
    struct clean_settings settings = { 0 };
    struct clean_output  *output = &config->clean.at[config->clean.count];
    int                   rc = option_defaults(clean_rows, &settings, place->err);

    if (rc == 0) rc = option_apply(clean_rows, &settings, place->map, NULL, place->name, place->path, place->err);
    if (rc < 0) {
        option_free(clean_rows, &settings);
        return rc;
    }
    *output = (struct clean_output){ .name = settings.name, .dataset = settings.dataset, .drop = (enum clean_drop)settings.drop,
                                       .where = settings.where, .level = settings.level };
    config->clean.count++;
    rc = name_check(config, place);
    if (rc == 0) rc = members_find(config, output, place);
    if (rc == 0) rc = where_read(config, output, place);
    return rc;
}

int config_read_clean(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct node *list = node_find(root, "clean");
    int                rc = 0;

    if (!list) return 0;
    if (list->kind != NODE_LIST || list->count == 0)
        return node_refuse(list, name, "", err, "clean must be a list of outputs, as - {name: strict, drop: items, where: near}");
    if (!config->near_on)
        return node_refuse(list, name, "", err, "clean: needs near_duplicates beside it (`near_duplicates: {}`), which stores the documents in graph.db");
    config->clean.at = calloc(list->count, sizeof *config->clean.at);
    if (!config->clean.at) return err_memory(err, list->count * sizeof *config->clean.at, "the outputs of clean");
    for (size_t i = 0; i < list->count && rc == 0; i++) {
        struct place place = { .map = &list->child[i], .name = name, .err = err };

        snprintf(place.path, sizeof place.path, "clean.%zu", i);
        if (place.map->kind != NODE_MAP)
            return node_refuse(place.map->line ? place.map : list, name, "clean", err, "each output is a map, as {name: strict, drop: items, where: near}");
        rc = output_read(config, &place);
    }
    return rc;
}

void config_free_clean(struct config *config)
{
    for (size_t i = 0; i < config->clean.count; i++) {
        free(config->clean.at[i].name);
        free(config->clean.at[i].dataset);
        free(config->clean.at[i].where);
        free(config->clean.at[i].member);
        rule_free(config->clean.at[i].rule);
    }
    free(config->clean.at);
}

int config_print_clean(const struct config *config, struct bytes *out)
{
    int rc = bytes_printf(out, "clean:\n");

    for (size_t i = 0; i < config->clean.count && rc == 0; i++) {
        const struct clean_output  *o = &config->clean.at[i];
        const struct clean_settings settings = { .name = o->name, .dataset = o->dataset, .where = o->where, .drop = (int)o->drop, .level = o->level };

        rc = bytes_printf(out, "  -\n");
        if (rc == 0) rc = option_print(clean_rows, &settings, "    ", out);
    }
    return rc;
}

int config_help_clean(struct bytes *out)
{
    int rc = bytes_printf(out, "\nclean:                    a list of outputs: shards without the records that a rule over the results names\n");

    return rc < 0 ? rc : option_help(clean_rows, "    ", out);
}
