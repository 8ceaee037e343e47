/* generate/settings.c -- pipeline.yaml: generate; see docs/pipeline.yaml.md. */
#include "generate/task.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the rows fill; choices are indices. */
struct generate_settings {
    char *from, *language, *temperature;
    uint64_t outputs, seed;
    struct ratio top_p;
    uint32_t tokens, lines, top_k;
    int prompt, decay;
};

static const struct option generate_rows[] = {
    { "outputs", OPTION_U64, offsetof(struct generate_settings, outputs), "1000", 1, 1000000000, NULL,
      "of each model" },
    { "tokens", OPTION_U32, offsetof(struct generate_settings, tokens), "256", 1, 1 << 24, NULL,
      "new ones of an output, unless the model ends it" },
    { "prompt", OPTION_CHOICE, offsetof(struct generate_settings, prompt), "none", 0, 0, "none|head|lines|blocks",
      "none: the model's begin of text; head: a Python file up to and with the head of its first function; lines: the "
      "first lines of a document; "
      "blocks: what the outputs of an earlier run repeated, most frequent first" },
    { "from", OPTION_TEXT, offsetof(struct generate_settings, from), "", 0, 0, NULL,
      "head, lines: the dataset whose documents give the prompts; blocks: the earlier run's folder, from this file's "
      "folder" },
    { "lines", OPTION_U32, offsetof(struct generate_settings, lines), "10", 1, 0, NULL, "of a prompt of lines" },
    { "temperature", OPTION_TEXT, offsetof(struct generate_settings, temperature), "1", 0, 0, NULL,
      "0: always the most probable token" },
    { "top_k", OPTION_U32, offsetof(struct generate_settings, top_k), "40", 0, 0, NULL,
      "a token is drawn of so many most probable ones; 0: of all, which `decay: published` does unless this is given" },
    { "top_p", OPTION_RATIO, offsetof(struct generate_settings, top_p), "1", 1, 0, NULL,
      "and of the fewest that together reach this probability" },
    { "decay", OPTION_CHOICE, offsetof(struct generate_settings, decay), "none", 0, 0, "none|published|paper",
      "published: the temperature falls from 10 over the first 20 tokens; paper: from 20 by 1 a token, down to "
      "`temperature`" },
    { "seed", OPTION_U64, offsetof(struct generate_settings, seed), "1", 0, 0, NULL,
      "another one gives other outputs" },
    { "language", OPTION_TEXT, offsetof(struct generate_settings, language), "", 0, 0, NULL,
      "of the outputs, within which near_duplicates compares them" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static int from_check(struct config *config, struct generate_options *o, const struct place *place)
{
    uint32_t dataset;
    int      rc;

    if (o->prompt == PROMPT_NONE)
        return *o->from ? place_refuse(place, "from", "is for prompts, and `prompt` is none") : 0;
    if (!*o->from)
        return place_refuse(place, "from", o->prompt == PROMPT_BLOCKS ? "is missing: the folder of an earlier run"
                      : "is missing: the dataset whose documents give the prompts");
    if (o->prompt == PROMPT_BLOCKS) return place_resolve_path(place, config, "from", "folder", &o->from);
    rc = place_find_dataset(place, config, node_find(place->map, "from"), o->from, &dataset);
    if (rc == 0) config->datasets[dataset].read_aside = true;
    return rc;
}

static int sampling_fill(struct model_sampling *out, const struct generate_settings *s, const struct place *place)
{
    char  *end;
    double temperature = strtod(s->temperature, &end);

    if (end == s->temperature || *end || !isfinite(temperature) || temperature < 0 || temperature > 1000)
        return place_refuse(place, "temperature", "must be a number from 0 to 1000");
    if (!s->top_p.num) return place_refuse(place, "top_p", "must be above 0");
    *out = (struct model_sampling){ .tokens = s->tokens, .temperature = temperature, .top_k = s->top_k,
                                    .top_p = (double)s->top_p.num / s->top_p.den, .seed = s->seed };
    generate_decay(out, (enum generate_decay)s->decay);
    if (s->decay == DECAY_PUBLISHED && !node_find(place->map, "top_k")) out->top_k = 0;
    return 0;
}

/* The dataset that the outputs of a model will be; its file need not be there yet. */
static int dataset_add(struct config *config, const char *model, const char *folder, const struct place *place)
{
    struct dataset *dataset = realloc(config->datasets, (config->dataset_count + 1) * sizeof *dataset);

    if (!dataset) return err_memory(place->err, (config->dataset_count + 1) * sizeof *dataset, "datasets");
    config->datasets = dataset;
    dataset += config->dataset_count;
    *dataset = (struct dataset){ .role = ROLE_BENCHMARK, .utf8 = UTF8_KEEP };
    config->dataset_count++;
    config->made++;
    dataset->splits = calloc(1, sizeof *dataset->splits);
    if (asprintf(&dataset->name, "generations-%s", model) < 0) dataset->name = NULL;
    dataset->url = strdup("");
    if (dataset->splits) {
        dataset->split_count = 1;
        dataset->splits->name = strdup("");
        dataset->splits->globs = calloc(1, sizeof *dataset->splits->globs);
    }
    if (dataset->splits && dataset->splits->globs) {
        dataset->splits->glob_count = 1;
        if (asprintf(dataset->splits->globs, "%s/generations/%s.jsonl.zst", folder, model) < 0)
            *dataset->splits->globs = NULL;
    }
    if (*generate_task(config)->options.language) dataset->language = strdup(generate_task(config)->options.language);
    if (dataset->name && dataset->url && dataset->splits && dataset->splits->name && dataset->splits->globs &&
        *dataset->splits->globs &&
        (dataset->language || !*generate_task(config)->options.language)) return 0;
    return err_memory(place->err, sizeof *dataset, "a dataset");
}

/* One a model; what is wrong with the models themselves, `probe` says. */
static int datasets_add(struct config *config, const struct node *root, const struct place *place)
{
    const struct node *probe = node_find(root, "probe"), *models = probe ? node_find(probe, "models") : NULL;
    const size_t       listed = config->dataset_count;
    char              *folder = config_folder(config);
    int                rc = folder ? 0 : err_memory(place->err, strlen(config->output), "a path");

    if (rc == 0 && (!models || models->kind != NODE_LIST || models->count == 0))
        rc = node_refuse(place->map, place->name, "", place->err, "generate: the models that write are those of "
                                                                  "`probe.models`, as probe: {models: [{name: mine, "
                                                                  "path: mine.lm}], metrics: []}");
    for (size_t m = 0; rc == 0 && m < models->count; m++) {
        const struct node *called = models->child[m].kind == NODE_MAP ? node_find(&models->child[m], "name") : NULL;

        if (!called || called->kind != NODE_SCALAR) continue;
        rc = dataset_add(config, called->text, folder, place);
        for (size_t d = 0; d < listed && rc == 0; d++)
            if (strcmp(config->datasets[d].name, config->datasets[config->dataset_count - 1].name) == 0)
                rc = node_refuse(place->map, place->name, "", place->err,
                                 "generate: the dataset `%.60s` is called as the outputs of a model will be",
                                     config->datasets[d].name);
    }
    free(folder);
    return rc;
}

static int language_check(struct generate_options *o, const struct place *place)
{
    char                   canonical[VIEW_LANGUAGE_NAME];
    char                  *copy;

    if (!*o->language) return 0;
    view_language_name(slice_of(o->language), canonical);
    copy = strdup(canonical);
    if (!copy) return err_memory(place->err, sizeof canonical, "a language");
    free(o->language);
    o->language = copy;
    return 0;
}

int generate_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct place       place = { node_find(root, "generate"), name, "generate", err };
    struct generate_options *o = &generate_task(config)->options;
    struct generate_settings settings = { 0 };
    int                      rc;

    if (!place.map) return 0;
    rc = option_defaults(generate_rows, &settings, err);
    if (rc == 0) rc = option_apply(generate_rows, &settings, place.map, NULL, name, "generate", err);
    o->prompt = settings.prompt, o->decay = settings.decay, o->lines = settings.lines, o->outputs = settings.outputs;
    o->from = settings.from;                                /* moved, and so is the next */
    o->language = settings.language;
    if (rc == 0) rc = sampling_fill(&o->sampling, &settings, &place);
    free(settings.temperature);
    if (rc == 0) rc = from_check(config, o, &place);
    if (rc == 0) rc = language_check(o, &place);
    return rc < 0 ? rc : datasets_add(config, root, &place);
}

void generate_settings_free(struct generate_task *task)
{
    free(task->options.from);
    free(task->options.language);
}

int generate_print(const struct config *config, struct bytes *out)
{
    const struct generate_options *o = &generate_task(config)->options;
    char                           temperature[40];
    struct generate_settings       settings = { .from = o->from, .language = o->language, .temperature = temperature,
                                                .outputs = o->outputs, .seed = o->sampling.seed,
                                                .tokens = o->sampling.tokens, .lines = o->lines,
                                                    .top_k = o->sampling.top_k, .prompt = o->prompt,
                                                        .decay = o->decay };
    struct err                     err = { 0 };
    char                           top_p[40];

    for (int digits = 1; digits <= 17; digits++) {          /* as few as read back as the same number */
        snprintf(temperature, sizeof temperature, "%.*g", digits, o->sampling.temperature);
        if (strtod(temperature, NULL) == o->sampling.temperature) break;
    }
    snprintf(top_p, sizeof top_p, "%.9f", o->sampling.top_p);   /* no ratio has more decimals */
    if (ratio_parse(&settings.top_p, top_p, &err) < 0 || bytes_printf(out, "generate:\n") < 0) return -ENOMEM;
    return option_print(generate_rows, &settings, "  ", out);
}

int generate_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\ngenerate:                 the models of `probe` write texts, which are benchmarks "
                               "`generations-MODEL` of the same run\n");

    return rc < 0 ? rc : option_help(generate_rows, "  ", out);
}
