/* inclusion/settings.c -- pipeline.yaml: inclusion; see docs/pipeline.yaml.md. */
#include "inclusion/task.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const inclusion_prompt_names[] = { "plain", "santacoder", "starcoder", "codellama", "deepseek", "qwen",
                                               "own", NULL };

const char *const inclusion_ask_names[] = { "", "elements", "functions", "both" };

const char *const inclusion_test_names[INCLUSION_TESTS] = { "spread", "files", "repositories" };

const char *const inclusion_classifier_names[] = { "none", "forest", "all" };

/* What the rows fill; choices are indices. */
struct inclusion_settings {
    char *from, *trained, *others, *temperature;
    uint64_t     seed;
    struct ratio top_p;
    uint32_t     per_category, tokens;
    uint32_t     functions, function_tokens;
    int          ask, elements, prompt, labels;
    struct ratio level, functions_back;
    uint32_t     draws;
    int          threshold, test, classifiers;
};

static const struct option inclusion_rows[] = {
    { "from", OPTION_TEXT, offsetof(struct inclusion_settings, from), NULL, 0, 0, NULL,
      "the dataset whose documents are the files that the models of `probe` are asked for" },
    { "trained", OPTION_TEXT, offsetof(struct inclusion_settings, trained), "", 0, 0, NULL,
      "a split of it that the models are known to be trained on, where there is one" },
    { "others", OPTION_TEXT, offsetof(struct inclusion_settings, others), "", 0, 0, NULL,
      "a split of it that they are known not to be trained on" },
    { "labels", OPTION_CHOICE, offsetof(struct inclusion_settings, labels), "splits", 0, 0, "splits|comments",
      "what is known of the files: splits: by `trained` and `others`; comments: published, of files of Python and a "
      "model that was trained on those whose comments are 1 % to 80 % of the code" },
    { "ask", OPTION_CHOICE, offsetof(struct inclusion_settings, ask), "elements", 0, 0, "elements|functions|both",
      "for what: elements; functions: the second half of each, compared with what stands there by clone types" },
    { "elements", OPTION_CHOICE, offsetof(struct inclusion_settings, elements), "exact", 0, 0, "exact|published",
      "exact: names by their role, strings, comments, documentation, in every language whose functions are told; "
      "published: as TraWiC's code finds them, of Python, quirks and all; so are functions, and their clones" },
    { "prompt", OPTION_CHOICE, offsetof(struct inclusion_settings, prompt), "plain", 0, 0,
      "plain|santacoder|starcoder|codellama|deepseek|qwen|own",
      "plain: what stands before an element; otherwise what stands before and behind it, between the marks of that "
      "family of models; own: those that a GGUF file names, plain where it names none" },
    { "per_category", OPTION_U32, offsetof(struct inclusion_settings, per_category), "4", 0, 0, NULL,
      "elements asked for, of classes, functions, variables, strings, comments and documentation of a file each; 0: "
      "all" },
    { "functions", OPTION_U32, offsetof(struct inclusion_settings, functions), "4", 0, 0, NULL,
      "of a file that are asked for, of those whose second half has 3 statements; 0: all (published: always)" },
    { "function_tokens", OPTION_U32, offsetof(struct inclusion_settings, function_tokens), "512", 1, 1 << 20, NULL,
      "new ones of a function, at most; one that needs more is not asked for" },
    { "functions_back", OPTION_RATIO, offsetof(struct inclusion_settings, functions_back), "0.1", 1, 0, NULL,
      "a repository was trained on, by its functions, where more than this share of them is given back" },
    { "tokens", OPTION_U32, offsetof(struct inclusion_settings, tokens), "200", 1, 1 << 20, NULL,
      "new ones of an answer, at most" },
    { "temperature", OPTION_TEXT, offsetof(struct inclusion_settings, temperature), "0", 0, 0, NULL,
      "0: always the most probable token; published: 0.8" },
    { "top_p", OPTION_RATIO, offsetof(struct inclusion_settings, top_p), "1", 1, 0, NULL,
      "a token is drawn of the fewest that together reach this probability; published: 0.95" },
    { "seed", OPTION_U64, offsetof(struct inclusion_settings, seed), "1", 0, 0, NULL, "of what is drawn" },
    { "threshold", OPTION_CHOICE, offsetof(struct inclusion_settings, threshold), "20", 0, 0, "20|40|60|80",
      "for verdicts: strings, comments and documentation count as given back from this score on; table "
      "inclusion_verdicts has all four, this one decides" },
    { "test", OPTION_CHOICE, offsetof(struct inclusion_settings, test), "spread", 0, 0,
      "spread|files|repositories",
      "whose p decides: spread: how far a repository is beyond those of label 0, two at least; files: its files "
      "against theirs, which takes what files of a repository share for knowledge; repositories: its rank among them, "
      "which takes many" },
    { "level", OPTION_RATIO, offsetof(struct inclusion_settings, level), "0.05", 1, 0, NULL,
      "a repository was trained on where its p, adjusted for all that are tested, is at most this" },
    { "draws", OPTION_U32, offsetof(struct inclusion_settings, draws), "9999", 0, 10000000, NULL,
      "of the test of files; 0: no verdicts" },
    { "classifiers", OPTION_CHOICE, offsetof(struct inclusion_settings, classifiers), "forest", 0, 0,
      "none|forest|all",
      "with `trained` and `others`: learned from half of their repositories, tested with the other half, asked for the "
      "rest; all: forest, boosting and support vectors" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static int sampling_fill(struct model_sampling *out, const struct inclusion_settings *s, const struct place *place)
{
    char  *end;
    double temperature = strtod(s->temperature, &end);

    if (end == s->temperature || *end || !isfinite(temperature) || temperature < 0 || temperature > 1000)
        return place_refuse(place, "temperature", "must be a number from 0 to 1000");
    if (!s->top_p.num) return place_refuse(place, "top_p", "must be above 0");
    if (!s->level.num) return place_refuse(place, "level", "must be above 0");
    *out = (struct model_sampling){ .tokens = s->tokens, .temperature = temperature,
                                    .top_p = (double)s->top_p.num / s->top_p.den, .seed = s->seed };
    return 0;
}

static int check(struct config *config, const struct node *root, struct inclusion_options *o,
                 const struct place *place)
{
    const struct node *probe = node_find(root, "probe"), *gates = node_find(root, "fail_on");
    uint32_t           dataset;
    int                rc = place_find_dataset(place, config, node_find(place->map, "from"), o->from, &dataset);

    if (rc < 0) return rc;
    if (!probe || !node_find(probe, "models"))
        return node_refuse(place->map, place->name, "", place->err,
                           "inclusion: the models that are asked are those of `probe.models`, as probe: {models: "
                           "[{name: mine, path: mine.lm}], metrics: []}");
    if (o->ask == INCLUSION_FUNCTIONS && gates && node_find(gates, "inclusion"))
        return place_refuse(place, "ask", "is functions, and fail_on.inclusion goes by elements: ask for both");
    if (*o->trained && strcmp(o->trained, o->others) == 0)
        return place_refuse(place, "others", "is the split that `trained` names");
    if (o->by_comments && (*o->trained || *o->others))
        return place_refuse(place, "labels", "says that splits have no labels, so `trained` and `others` cannot stand");
    config->datasets[dataset].read_aside = true;
    return 0;
}

int inclusion_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct place        place = { node_find(root, "inclusion"), name, "inclusion", err };
    struct inclusion_options *o = &inclusion_task(config)->options;
    struct inclusion_settings settings = { 0 };
    int                       rc;

    if (!place.map) return 0;
    rc = option_defaults(inclusion_rows, &settings, err);
    if (rc == 0) rc = option_apply(inclusion_rows, &settings, place.map, NULL, name, "inclusion", err);
    o->from = settings.from, o->trained = settings.trained, o->others = settings.others;     /* moved */
    o->by_comments = settings.labels == 1, o->ask = (unsigned)settings.ask + 1;
    o->functions = settings.functions, o->function_tokens = settings.function_tokens;
    o->published = settings.elements == 1, o->prompt = settings.prompt, o->per_category = settings.per_category;
    if (rc == 0) rc = sampling_fill(&o->sampling, &settings, &place);
    o->verdict = (struct inclusion_verdict_options){
        .threshold = inclusion_threshold[settings.threshold], .draws = settings.draws, .level = settings.level,
        .functions_back = settings.functions_back, .test = settings.test, .classifiers = settings.classifiers,
        .seed = settings.seed,
    };
    free(settings.temperature);
    return rc < 0 ? rc : check(config, root, o, &place);
}

void inclusion_settings_free(struct inclusion_task *task)
{
    free(task->options.from);
    free(task->options.trained);
    free(task->options.others);
}

int inclusion_print(const struct config *config, struct bytes *out)
{
    const struct inclusion_options *o = &inclusion_task(config)->options;
    char                            temperature[40], top_p[40];
    struct inclusion_settings       settings = {
        .from = o->from, .trained = o->trained, .others = o->others, .temperature = temperature,
        .seed = o->sampling.seed, .per_category = o->per_category, .tokens = o->sampling.tokens,
        .ask = (int)o->ask - 1, .functions = o->functions, .function_tokens = o->function_tokens,
        .functions_back = o->verdict.functions_back, .elements = o->published, .prompt = o->prompt,
        .labels = o->by_comments, .level = o->verdict.level,
        .draws = o->verdict.draws, .test = o->verdict.test, .classifiers = o->verdict.classifiers,
    };
    struct err                      err = { 0 };

    while (inclusion_threshold[settings.threshold] != o->verdict.threshold) settings.threshold++;
    for (int digits = 1; digits <= 17; digits++) {          /* as few as read back as the same number */
        snprintf(temperature, sizeof temperature, "%.*g", digits, o->sampling.temperature);
        if (strtod(temperature, NULL) == o->sampling.temperature) break;
    }
    snprintf(top_p, sizeof top_p, "%.9f", o->sampling.top_p);   /* no ratio has more decimals */
    if (ratio_parse(&settings.top_p, top_p, &err) < 0 || bytes_printf(out, "inclusion:\n") < 0) return -ENOMEM;
    return option_print(inclusion_rows, &settings, "  ", out);
}

int inclusion_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\ninclusion:                were files in the training data of the models of `probe`? "
                               "They are asked for what is in them\n");

    return rc < 0 ? rc : option_help(inclusion_rows, "  ", out);
}
