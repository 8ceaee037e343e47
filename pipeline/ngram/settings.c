/* ngram/settings.c -- pipeline.yaml: ngrams; see docs/pipeline.yaml.md. */
#include "ngram/task.h"

#include <stdlib.h>
#include <string.h>

struct ngrams_settings { int unit, letters, whole; uint64_t max_df, cap; };

static const struct option ngrams_rows[] = {
    { "unit", OPTION_CHOICE, offsetof(struct ngrams_settings, unit), "words", 0, 0, "words|tokens",
      "what an n-gram is made of: runs of letters, digits, `_` and bytes beyond ASCII, in their own case; or the "
      "lexer's tokens" },
    { "case", OPTION_CHOICE, offsetof(struct ngrams_settings, letters), "source", 0, 0, "source|keep|fold",
      "source: each rule as its source has it (docs/definitions.md): GPT-3, Tülu 3, StarCoder's substring and decon "
      "in lower case, the others as written; keep, fold: all as written, all in lower case (letters of ASCII), which "
      "is half the work" },
    { "short", OPTION_CHOICE, offsetof(struct ngrams_settings, whole), "undecided", 0, 0, "undecided|whole",
      "what the rules say of a field of fewer than n words: nothing (NULL), or what its one n-gram, of all its words, "
      "says" },
    { "max_df", OPTION_U64, offsetof(struct ngrams_settings, max_df), "0", 0, 0, NULL,
      "n-grams in more documents of a corpus are boilerplate there: the rules do not count them (the columns found "
      "and rare have both); 0: all count" },
    { "cap", OPTION_U64, offsetof(struct ngrams_settings, cap), "1000", 1, 0, NULL,
      "most occurrences that one n-gram adds to the count of an item" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

_Static_assert((int)NGRAM_FIELDS <= (int)DATASET_EXTRA, "every field of an item may be a column of a table");

static const char *const ngrams_others[] = { "n", "fields", NULL };
static const uint32_t    ngrams_default[] = { 8, 13 };

static int number_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int sizes_read(struct ngram_options *o, const struct node *list, const struct place *place)
{
    size_t count = list->kind == NODE_LIST ? list->count : 1;

    if (count == 0 || count > NGRAM_SIZES)
        return node_refuse(list, place->name, "ngrams", place->err, "n must be a list of 1 to %d numbers", NGRAM_SIZES);
    for (size_t i = 0; i < count; i++) {
        const struct node *word = list->kind == NODE_LIST ? &list->child[i] : list;
        char              *end = NULL;
        unsigned long      n = word->kind == NODE_SCALAR && word->text[0] >= '0' && word->text[0] <= '9'
            ? strtoul(word->text, &end, 10) : 0;

        if (!end || *end || n < 1 || n > NGRAM_N_MAX)
            return node_refuse(word->line ? word : list, place->name, "ngrams", place->err,
                               "n must be a list of numbers from 1 to %d", NGRAM_N_MAX);
        o->n[i] = (uint32_t)n;
    }
    qsort(o->n, count, sizeof *o->n, number_order);
    for (size_t i = 1; i < count; i++)
        if (o->n[i] == o->n[i - 1])
            return node_refuse(list, place->name, "ngrams", place->err, "n: %u is there twice", o->n[i]);
    o->sizes = count;
    return 0;
}

static int field_add(struct ngram_options *o, const char *name, const char *source, const struct place *place)
{
    struct ngram_field *field = &o->field[o->fields++];

    field->name = strdup(name);
    field->source = source ? strdup(source) : NULL;
    return field->name && (field->source || !source) ? 0 : err_memory(place->err, strlen(name), "fields");
}

static int fields_read(struct ngram_options *o, const struct node *map, const struct place *place)
{
    int rc = 0;

    if (map->kind != NODE_MAP || map->count == 0 || map->count > NGRAM_FIELDS)
        return node_refuse(map, place->name, "ngrams", place->err,
                           "fields must be a map of 1 to %d names to record fields, as {question: prompt, test: test}",
                               NGRAM_FIELDS);
    for (size_t i = 0; i < map->count && rc == 0; i++) {
        const struct node *field = &map->child[i];

        if (field->kind != NODE_SCALAR || !*field->key)
            return node_refuse(field->line ? field : map, place->name, "ngrams", place->err,
                               "fields.%s must be the name of a record field", field->key);
        rc = field_add(o, field->key, node_is_null(field) ? NULL : field->text, place);
    }
    return rc;
}

static int datasets_check(const struct config *config, const struct place *place)
{
    size_t corpora = 0;

    for (size_t d = 0; d < config->dataset_count; d++) corpora += config->datasets[d].role == ROLE_CORPUS;
    if (corpora == config->dataset_count)
        return node_refuse(place->map, place->name, "", place->err,
                           "ngrams: no dataset has `role: benchmark`; n-grams of its items are looked for");
    if (corpora == 0)
        return node_refuse(place->map, place->name, "", place->err, "ngrams: no dataset has `role: corpus`");
    if (!config_lacks_items(config)) return 0;
    return node_refuse(place->map, place->name, "", place->err, "ngrams: beside dedup needs near_duplicates too "
                                                                "(`near_duplicates: {}`), which stores the items in "
                                                                "graph.db");
}

int ngram_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct place     place = { node_find(root, "ngrams"), name, "ngrams", err };
    struct ngram_options  *o = &ngram_task(config)->options;
    struct ngrams_settings settings;
    const struct node     *n, *fields;
    int                    rc;

    if (!place.map) return 0;
    rc = option_defaults(ngrams_rows, &settings, err);
    if (rc == 0) rc = option_apply(ngrams_rows, &settings, place.map, ngrams_others, name, "ngrams", err);
    if (rc == 0) rc = datasets_check(config, &place);
    if (rc < 0) return rc;
    if (settings.unit == 1 && settings.letters == NGRAM_FOLD)
        return node_refuse(node_find(place.map, "case"), name, "ngrams", err,
                           "case: fold is for `unit: words`: a lexer reads texts in their own case");
    o->unit = settings.unit == 1 ? NGRAM_TOKENS : NGRAM_WORDS;
    o->letters = (enum ngram_case)settings.letters;
    o->whole = settings.whole == 1;
    o->max_df = settings.max_df;
    o->cap = settings.cap;
    memcpy(o->n, ngrams_default, sizeof ngrams_default);
    o->sizes = sizeof ngrams_default / sizeof *ngrams_default;
    if ((n = node_find(place.map, "n")) && (rc = sizes_read(o, n, &place)) < 0) return rc;
    fields = node_find(place.map, "fields");
    rc = fields ? fields_read(o, fields, &place) : field_add(o, "text", NULL, &place);
    for (size_t d = 0; d < config->dataset_count && rc == 0; d++)
        for (size_t f = 0; f < o->fields && config->datasets[d].role == ROLE_BENCHMARK; f++)
            config->datasets[d].extra[f] = o->field[f].source;
    return rc;
}

int ngram_print(const struct config *config, struct bytes *out)
{
    const struct ngram_options  *o = &ngram_task(config)->options;
    const struct ngrams_settings settings = { o->unit == NGRAM_TOKENS, (int)o->letters, o->whole, o->max_df,
                                                                        o->cap };
    int                          rc = bytes_printf(out, "ngrams:\n  n: [");

    for (size_t i = 0; i < o->sizes && rc == 0; i++) rc = bytes_printf(out, "%s%u", i ? ", " : "", o->n[i]);
    if (rc == 0) rc = bytes_printf(out, "]\n  fields:\n");
    for (size_t f = 0; f < o->fields && rc == 0; f++) {
        rc = bytes_printf(out, "    ");
        if (rc == 0) rc = option_print_text(o->field[f].name, out);
        if (rc == 0) rc = bytes_printf(out, ": ");
        if (rc == 0) rc = o->field[f].source ? option_print_text(o->field[f].source, out) : bytes_printf(out, "~");
        if (rc == 0) rc = bytes_printf(out, "\n");
    }
    return rc < 0 ? rc : option_print(ngrams_rows, &settings, "  ", out);
}

int ngram_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nngrams:                   a pass: n-grams of benchmark items that corpora have, and "
                               "the published rules over them\n"
                               "  n       list of lengths, 1 to 100; [8, 13] unless given, which the rules want; "
                               "decon_5gram wants 5\n"
                               "  fields  parts of an item that are kept apart: names to record fields, as {question: "
                               "prompt, solution: canonical_solution, test: test}; "
                               "`~` is the dataset's text; {text: ~} unless given\n");

    return rc < 0 ? rc : option_help(ngrams_rows, "  ", out);
}

void ngram_settings_free(struct ngram_task *task)
{
    for (size_t f = 0; f < task->options.fields; f++) {
        free(task->options.field[f].name);
        free(task->options.field[f].source);
    }
}
