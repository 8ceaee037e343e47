/* probe/settings.c -- pipeline.yaml: probe; see docs/pipeline.yaml.md. */
#include "probe/task.h"

#include "base/suggest.h"
#include "model/option.h"
#include "probe/metric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MODEL_NAME = 200 };                                  /* longest, in bytes: it is a file's name too */
enum { PUBLISHED_STRIDE = 512 };                            /* the guide's, with compat: published */

/* What the rows fill; starts_in and compare are indices. */
struct probe_settings { char *join, *truth; uint32_t stride, n, starts; int starts_in, compare; double min_k; };

static const struct option probe_rows[] = {
    { "join", OPTION_TEXT, offsetof(struct probe_settings, join), " ", 0, 0, NULL, "what stands between the fields" },
    { "truth", OPTION_TEXT, offsetof(struct probe_settings, truth), "none", 0, 0, NULL,
      "what the report ranks the metrics against. near: an item was in the training data when near_duplicates finds "
      "it in a corpus, whatever the kind of the pair; `field NAME`: when "
      "that field of its record is true or a number above 0; none" },
    { "stride", OPTION_U32, offsetof(struct probe_settings, stride), "auto", 1, 0, "auto",
      "tokens by which the window moves in a text that is longer; auto: half the window (with compat: published, "
      "512).  Above the window it counts as the window, with a warning" },
    { "n", OPTION_U32, offsetof(struct probe_settings, n), "5", 1, ACCURACY_N, NULL,
      "n-gram accuracy: tokens that the model is to go on with" },
    { "starts", OPTION_U32, offsetof(struct probe_settings, starts), "5", 2, ACCURACY_STARTS, NULL,
      "and places of an item where it is asked" },
    { "starts_in", OPTION_CHOICE, offsetof(struct probe_settings, starts_in), "text", 0, 0, "text|windows",
      "so many in the first window of an item, or in each" },
    { "compare", OPTION_CHOICE, offsetof(struct probe_settings, compare), "text", 0, 0, "text|tokens",
      "n-grams are equal as text, or as the model's tokens" },
    { "min_k", OPTION_PERCENT, offsetof(struct probe_settings, min_k), "20", 0, 0, NULL,
      "of the tokens, the least probable, that min_k and min_k_pp look at" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const probe_others[] = { "models", "metrics", "fields", "datasets", "order", NULL };

static const struct option order_rows[] = {
    { "shards", OPTION_U32, offsetof(struct probe_order, shards), "20", 1, 100000, NULL,
      "a benchmark is cut into so many runs of its items, fewer where they would not have two" },
    { "items", OPTION_U32, offsetof(struct probe_order, items), "auto", 2, 1000000, "auto",
      "of each the first so many are joined to one text; auto: as many as fit into the model's context" },
    { "permutations", OPTION_U32, offsetof(struct probe_order, permutations), "50", 1, 1000000, NULL,
      "which is scored as it stands and in so many other orders" },
    { "seed", OPTION_U64, offsetof(struct probe_order, seed), "1", 0, 0, NULL, "of those orders" },
    { "join", OPTION_TEXT, offsetof(struct probe_order, join), "\n\n", 0, 0, NULL, "what stands between the items" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

/* ---- lists of words ---- */

static int metrics_read(struct probe_options *o, const struct node *list, const struct place *place)
{
    const char *names[METRIC_COUNT + 1] = { 0 };

    memcpy(names, probe_metric_names, sizeof probe_metric_names);
    o->metrics = 0;
    for (size_t i = 0; i < words_count(list); i++) {
        const char *word = words_at(list, i, place);
        uint32_t    metric = 0;
        char        near[SUGGEST_ROOM];

        if (!word) return place->err->code;
        while (metric < METRIC_COUNT && strcmp(names[metric], word) != 0) metric++;
        if (metric == METRIC_COUNT)
            return node_refuse(list, place->name, place->path, place->err,
                               "metrics: `%.60s` is none%s; `leakgraph help config` lists them", word,
                               suggest(word, names, near));
        o->metrics |= 1u << metric;
    }
    for (enum probe_metric m = METRIC_RATIO; m <= METRIC_DIFFERENCE; m++)
        if (o->metrics >> m & 1 && o->models < 2)
            return place_refuse(place, "metrics", "has `%s`, which is one of two models", probe_metric_names[m]);
    return 0;
}

static int fields_read(struct probe_options *o, const struct node *list, const struct place *place)
{
    const size_t count = words_count(list);

    if (count == 0 || count > PROBE_FIELDS)
        return place_refuse(place, "fields",
                      "must be a list of 1 to 8 record fields; without the key it is the dataset's text");
    for (size_t i = 0; i < count; i++) {
        const char *word = words_at(list, i, place);

        if (!word) return place->err->code;
        o->field[o->fields] = strdup(word);
        if (!o->field[o->fields++]) return err_memory(place->err, strlen(word), "fields");
    }
    return 0;
}
_Static_assert(PROBE_FIELDS == 8, "the message above says so");

static int members_read(struct config *config, const struct place *place)
{
    const bool   named = node_find(place->map, "datasets");
    const size_t read = config->dataset_count - (named ? 0 : config->made);         /* outputs only by name */
    bool       **member = &probe_task(config)->member;
    size_t       benchmarks = 0;
    int          rc;

    for (size_t d = 0; d < read; d++) benchmarks += config->datasets[d].role == ROLE_BENCHMARK;
    if (!benchmarks && probe_task(config)->options.metrics)
        return node_refuse(place->map, place->name, "", place->err,
                           "probe: no dataset has `role: benchmark`; models are asked about the items of those; with "
                           "`metrics: []` they only write (`generate`)");
    rc = place_read_members(place, config, "datasets", ROLE_BENCHMARK, false, member);
    for (size_t d = read; rc == 0 && d < config->dataset_count; d++) (*member)[d] = false;
    return rc;
}

/* ---- models ---- */

static bool name_is_good(const char *name)
{
    const size_t len = strlen(name);

    return len > 0 && len <= MODEL_NAME && *name != '.' &&
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == len;
}

static int model_check(const struct config *config, struct model_options *model, const struct place *place)
{
    const struct probe_options *o = &probe_task(config)->options;
    const bool                  http = model->backend == MODEL_HTTP;
    int                         rc;

    if (!name_is_good(model->name))
        return place_refuse(place, "name",
                            "must be letters, digits, `.`, `_` and `-`, not beginning with `.`, at most 200");
    for (size_t m = 0; m + 1 < o->models; m++)
        if (strcasecmp(o->model[m].name, model->name) == 0)
            return place_refuse(place, "name",
                          "is another model's already; names that differ in case alone are one file on some systems");
    if (http && !*model->url)
        return place_refuse(place, "url", "is missing: backend http asks a server, as http://localhost:8000/v1");
    if (!http && !*model->path) return place_refuse(place, "path", "is missing: the file of the model");
    if (http && *model->path) return place_refuse(place, "path", "is for the other backends; http has `url`");
    if (!http && *model->url) return place_refuse(place, "url", "is for backend http");
    if (model->context == 1) return place_refuse(place, "context", "of 1 token leaves none to predict");
    rc = place_resolve_path(place, config, "path", "file", &model->path);
    return rc < 0 ? rc : place_resolve_path(place, config, "cache", NULL, &model->cache);
}
_Static_assert(MODEL_NAME == 200, "the message above says so");

static int models_read(struct config *config, const struct place *outer)
{
    struct probe_options *o = &probe_task(config)->options;
    const struct node    *list = node_find(outer->map, "models");
    int                   rc = 0;

    if (!list || list->kind != NODE_LIST || list->count == 0 || list->count > PROBE_MODELS)
        return place_refuse(outer, "models",
                      "must be a list of 1 to 16 models, as - {name: mine, backend: ngram, path: mine.lm}");
    for (size_t i = 0; i < list->count && rc == 0; i++) {
        struct model_options *model = &o->model[o->models++];
        char                  path[40];
        const struct place    place = { &list->child[i], outer->name, path, outer->err };

        snprintf(path, sizeof path, "probe.models.%zu", i);
        if (place.map->kind != NODE_MAP)
            return node_refuse(place.map->line ? place.map : list, outer->name, path, outer->err,
                               "each model is a map, as {name: mine, path: mine.lm}");
        rc = option_defaults(model_rows, model, outer->err);
        if (rc == 0) rc = option_apply(model_rows, model, place.map, NULL, outer->name, path, outer->err);
        if (rc == 0) rc = model_check(config, model, &place);
    }
    return rc;
}
_Static_assert(PROBE_MODELS == 16, "the message above says so");

/* ---- the section ---- */

static int truth_read(struct config *config, const char *word, const struct place *place)
{
    struct probe_options *o = &probe_task(config)->options;
    const char           *field = strncmp(word, "field ", 6) == 0 ? word + 6 + strspn(word + 6, " ") : "";
    bool                  corpus = false;

    for (size_t d = 0; d < config->dataset_count; d++) corpus |= config->datasets[d].role == ROLE_CORPUS;
    if (strcmp(word, "none") != 0 && strcmp(word, "near") != 0 && !*field)
        return place_refuse(place, "truth", "must be none, near, or `field NAME`");
    o->truth = *field ? TRUTH_FIELD : *word == 'n' && word[1] == 'e' ? TRUTH_NEAR : TRUTH_NONE;
    o->truth_field = strdup(field);
    if (!o->truth_field) return err_memory(place->err, strlen(field), "a field's name");
    if (o->truth == TRUTH_NEAR && !config_has_key(config, "near_duplicates"))
        return place_refuse(place, "truth", "near is found by near_duplicates, which is not there");
    if (o->truth == TRUTH_NEAR && !corpus)
        return place_refuse(place, "truth", "near is a pair in a corpus, and no dataset has `role: corpus`");
    return 0;
}

/* What a corpus is there for when nothing reads it is not clear. */
static int corpora_check(const struct config *config, const struct node *root, const struct place *place)
{
    const bool read = config_has_trait(config, CAPABILITY_CORPORA);

    for (size_t d = 0; d < config->dataset_count && !read; d++)
        if (config->datasets[d].role == ROLE_CORPUS && !config->datasets[d].read_aside)
            return node_refuse(node_find(root, "datasets"), place->name, "", place->err,
                               "datasets: nothing reads `%.60s`: probe asks about items of benchmarks, and no pass "
                               "over corpora is there (near_duplicates finds which items they have)",
                                   config->datasets[d].name);
    return 0;
}

static int order_read_keys(struct probe_order *order, const struct place *place)
{
    const struct node *map = node_find(place->map, "order");
    int                rc;

    if (!map) return 0;
    if (map->kind != NODE_MAP) return place_refuse(place, "order", "must be a map, as {shards: 20}, or {}");
    rc = option_defaults(order_rows, order, place->err);
    return rc < 0 ? rc : option_apply(order_rows, order, map, NULL, place->name, "probe.order", place->err);
}

/* Everything after the models; settings are read already. */
static int section_fill(struct config *config, const struct probe_settings *settings, const struct node *root,
                        const struct place *place)
{
    struct probe_options *o = &probe_task(config)->options;
    const struct node    *metrics = node_find(place->map, "metrics"), *fields = node_find(place->map, "fields");
    int                   rc;

    o->stride = settings->stride ? settings->stride : config->published ? PUBLISHED_STRIDE : 0;
    o->n = settings->n, o->starts = settings->starts, o->min_k = settings->min_k;
    o->strided_starts = settings->starts_in == 1;
    o->compare_tokens = settings->compare == 1;
    o->published = config->published;
    o->metrics = (1u << METRIC_COUNT) - 1;
    if (o->models < 2) o->metrics &= ~(1u << METRIC_RATIO | 1u << METRIC_DIFFERENCE);
    if (metrics && (rc = metrics_read(o, metrics, place)) < 0) return rc;
    if ((rc = order_read_keys(&o->order, place)) < 0) return rc;
    if (!o->metrics && !o->order.shards && !node_find(root, "generate") && !node_find(root, "inclusion") &&
        !node_find(root, "compliance"))
        return place_refuse(place, "metrics", "names at least one; without any, and without `order`, the models are "
                            "there for `generate`, `inclusion` and `compliance` alone, which are not");
    if (!(o->min_k > 0)) return place_refuse(place, "min_k", "must be above 0");
    if (fields && (rc = fields_read(o, fields, place)) < 0) return rc;
    if (config_lacks_items(config))
        return node_refuse(place->map, place->name, "", place->err,
                           "probe: beside dedup needs near_duplicates too (`near_duplicates: {}`), which stores the "
                           "items in graph.db");
    if ((rc = corpora_check(config, root, place)) < 0) return rc;
    rc = truth_read(config, settings->truth, place);
    return rc < 0 ? rc : members_read(config, place);
}

int probe_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct place    place = { node_find(root, "probe"), name, "probe", err };
    struct probe_settings settings = { 0 };
    int                   rc;

    if (!place.map) return 0;
    rc = option_defaults(probe_rows, &settings, err);
    if (rc == 0) rc = option_apply(probe_rows, &settings, place.map, probe_others, name, "probe", err);
    if (rc == 0) rc = models_read(config, &place);
    if (rc == 0) rc = section_fill(config, &settings, root, &place);
    probe_task(config)->options.join = settings.join;             /* moved */
    free(settings.truth);
    return rc;
}

void probe_settings_free(struct probe_task *task)
{
    struct probe_options *o = &task->options;

    for (size_t m = 0; m < o->models; m++) option_free(model_rows, &o->model[m]);
    for (size_t f = 0; f < o->fields; f++) free(o->field[f]);
    free(o->join);
    free(o->truth_field);
    option_free(order_rows, &o->order);
    free(task->member);
}

/* "  key: [a, b]" */
static int print_lists(const struct config *config, struct bytes *out)
{
    const struct probe_options *o = &probe_task(config)->options;
    const bool                 *member = probe_task(config)->member;
    const char                 *metric[METRIC_COUNT];
    size_t                      members = 0, metrics = 0;
    int                         rc;

    for (size_t d = 0; d < config->dataset_count; d++) members += member[d];
    for (size_t m = 0; m < METRIC_COUNT; m++)
        if (o->metrics >> m & 1) metric[metrics++] = probe_metric_names[m];
    rc = config_print_words("metrics", metric, metrics, out);
    if (rc == 0 && o->fields) rc = config_print_words("fields", (const char *const *)o->field, o->fields, out);
    return rc == 0 && members ? config_print_members(config, "datasets", member, out) : rc;
}

int probe_print(const struct config *config, struct bytes *out)
{
    const struct probe_options *o = &probe_task(config)->options;
    char                       *truth = NULL;
    struct probe_settings       settings = { .join = o->join, .stride = o->stride, .n = o->n, .starts = o->starts,
                                             .starts_in = o->strided_starts,
                                             .compare = o->compare_tokens, .min_k = o->min_k };
    int                         rc = bytes_printf(out, "probe:\n  models:\n");

    if (asprintf(&truth, "%s%s", o->truth == TRUTH_FIELD ? "field " : o->truth == TRUTH_NEAR ? "near" : "none",
                 o->truth_field) < 0)
        return -ENOMEM;
    settings.truth = truth;
    for (size_t m = 0; m < o->models && rc == 0; m++) {
        rc = bytes_printf(out, "    -\n");
        if (rc == 0) rc = option_print(model_rows, &o->model[m], "      ", out);
    }
    if (rc == 0) rc = print_lists(config, out);
    if (rc == 0) rc = option_print(probe_rows, &settings, "  ", out);
    if (rc == 0 && o->order.shards) rc = bytes_printf(out, "  order:\n");
    if (rc == 0 && o->order.shards) rc = option_print(order_rows, &o->order, "    ", out);
    free(truth);
    return rc;
}

int probe_help(struct bytes *out)
{
    int rc = bytes_printf(out,
                          "\nprobe:                    a pass: do language models know the items of the benchmarks?\n"
                               "  metrics   all that there can be  a list of ");

    for (size_t m = 0; m < METRIC_COUNT && rc == 0; m++)
        rc = bytes_printf(out, "%s%s", m ? ", " : "", probe_metric_names[m]);
    if (rc == 0)
        rc = bytes_printf(out, "\n  fields    record fields that make an item's text, joined; the dataset's text "
                               "unless given\n"
                                        "  datasets  every benchmark  names of those whose items are asked about\n");
    if (rc == 0) rc = option_help(probe_rows, "  ", out);
    if (rc == 0)
        rc = bytes_printf(out, "  order     a map, {} for its defaults: was a benchmark seen, in the order in which it "
                               "stands?\n");
    if (rc == 0) rc = option_help(order_rows, "    ", out);
    if (rc == 0) rc = bytes_printf(out, "  models    a list, of each:\n");
    return rc < 0 ? rc : option_help(model_rows, "    ", out);
}
