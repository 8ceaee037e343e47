/* compliance/settings.c -- pipeline.yaml: compliance; see docs/pipeline.yaml.md. */
#include "compliance/task.h"

#include "probe/task.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_MOST = 1000000 };                              /* of lines, complexity and comments */

/* What the rows fill; template is an index. */
struct compliance_settings {
    char        *benchmark, *comments, *rules, *edit_tokens;
    uint64_t     asked;
    uint32_t     tokens, lines, complexity;
    struct ratio similarity;
    int          template;
};

static const struct option compliance_rows[] = {
    { "benchmark", OPTION_TEXT, offsetof(struct compliance_settings, benchmark), "", 0, 0, NULL,
      "a dataset of functions, as `leakgraph audit licence --build` writes them (fields prompt, signature, license; "
      "fields: {text: reference}): the models of `probe` are asked for each, and, where the answer is strikingly "
      "similar, for its licence" },
    { "asked", OPTION_U64, offsetof(struct compliance_settings, asked), "0", 0, 0, NULL,
      "functions that were asked for by each of `pairs`; 0: as many as it has answers" },
    { "template", OPTION_CHOICE, offsetof(struct compliance_settings, template), "plain", 0, 0, "plain|instruct",
      "plain: a model goes on behind the prompt; instruct: it is told in words what to do" },
    { "tokens", OPTION_U32, offsetof(struct compliance_settings, tokens), "512", 1, 1 << 20, NULL,
      "new ones of an answer, at most; no more than half of the model's context" },
    { "similarity", OPTION_RATIO, offsetof(struct compliance_settings, similarity), "0.6", 1, 0, NULL,
      "an answer is strikingly similar where the largest of BLEU, Jaccard and edit similarity is above this, and all "
      "of the next three hold" },
    { "comments", OPTION_TEXT, offsetof(struct compliance_settings, comments), "0", 0, 0, NULL,
      "it has more comments of the function than this that the prompt has not; off: not asked, where functions have "
      "none" },
    { "lines", OPTION_U32, offsetof(struct compliance_settings, lines), "10", 0, LIMIT_MOST, NULL,
      "the function's body has more lines; not asked with compat: published" },
    { "complexity", OPTION_U32, offsetof(struct compliance_settings, complexity), "3", 0, LIMIT_MOST, NULL,
      "its cyclomatic complexity is above this; not asked with compat: published" },
    { "rules", OPTION_TEXT, offsetof(struct compliance_settings, rules), "", 0, 0, NULL,
      "a file that tells licences in replies, in LiCoEval's format, as data/licence_rules.json; without it the "
      "project's own recogniser" },
    { "edit_tokens", OPTION_TEXT, offsetof(struct compliance_settings, edit_tokens), "", 0, 0, NULL,
      "edits are counted over the tokens of this model, as llama:MODEL.gguf, ngram:FILE or its tokenizer.json; without "
      "it over those of Python's lexer" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const compliance_others[] = { "pairs", NULL };

static int comments_read(struct score_limits *limits, const char *text, const struct place *place)
{
    char         *end;
    unsigned long number;

    limits->uncommented = strcmp(text, "off") == 0;
    if (limits->uncommented) return 0;
    number = strtoul(text, &end, 10);
    if (*end || end == text || *text == '-' || number > LIMIT_MOST)
        return place_refuse(place, "comments", "must be a number from 0 to %d, or off, not `%.60s`", LIMIT_MOST, text);
    limits->comments = (uint32_t)number;
    return 0;
}

/* The path from the root, behind its backend's name. */
static int edit_tokens_read(char **text, const struct config *config, const struct place *place)
{
    enum model_backend backend;
    const char        *path = compliance_edit_path(*text, &backend);
    char              *file, *joined;
    int                rc;

    if (!**text) return 0;
    if (!path)
        return place_refuse(place, "edit_tokens", "takes llama:FILE, ngram:FILE or a tokenizer.json, not `%.60s`",
                            *text);
    file = strdup(path);
    if (!file) return err_memory(place->err, strlen(path), "a path");
    rc = place_resolve_path(place, config, "edit_tokens", "file", &file);
    if (rc == 0 && asprintf(&joined, "%.*s%s", (int)(path - *text), *text, file) < 0)
        rc = err_memory(place->err, strlen(file), "a path");
    free(file);
    if (rc < 0) return rc;
    free(*text);
    *text = joined;
    return 0;
}

static int pairs_read(struct config *config, struct compliance_options *o, const struct place *place)
{
    int rc = 0;

    if (node_find(place->map, "pairs")) rc = place_read_members(place, config, "pairs", -1, true, &o->pairs);
    else {
        o->pairs = calloc(config->dataset_count + 1, sizeof *o->pairs);
        if (!o->pairs) rc = err_memory(place->err, config->dataset_count, "datasets");
    }
    for (size_t d = 0; rc == 0 && d < config->dataset_count; d++)
        if (o->pairs[d]) config->datasets[d].read_aside = true;
    return rc;
}

static int datasets_check(struct config *config, const struct node *root, const struct compliance_options *o,
                          const struct place *place)
{
    const struct node *probe = node_find(root, "probe");
    bool               pairs = false;
    uint32_t           dataset;
    int                rc;

    for (size_t d = 0; d < config->dataset_count; d++) pairs |= o->pairs[d];
    if (!*o->benchmark && !pairs)
        return node_refuse(place->map, place->name, "", place->err, "compliance: needs `benchmark`, functions that "
                           "models are asked for, or `pairs`, answers that are there");
    if (o->asked && !pairs)
        return place_refuse(place, "asked", "is of `pairs`: models are asked for each function of the benchmark");
    if (!*o->benchmark) return 0;
    rc = place_find_dataset(place, config, node_find(place->map, "benchmark"), o->benchmark, &dataset);
    if (rc < 0) return rc;
    config->datasets[dataset].read_aside = true;
    if (probe && node_find(probe, "models")) return 0;
    return node_refuse(place->map, place->name, "", place->err,
                       "compliance: the models that are asked are those of `probe.models`, as probe: {models: [{name: "
                       "mine, path: mine.lm}], metrics: []}");
}

int compliance_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct place         place = { node_find(root, "compliance"), name, "compliance", err };
    struct compliance_options *o = &compliance_task(config)->options;
    struct compliance_settings s = { 0 };
    int                        rc;

    if (!place.map) return 0;
    rc = option_defaults(compliance_rows, &s, err);
    if (rc == 0) rc = option_apply(compliance_rows, &s, place.map, compliance_others, name, "compliance", err);
    *o = (struct compliance_options){ .benchmark = s.benchmark, .rules = s.rules, .edit_tokens = s.edit_tokens,
                                      .asked = s.asked, .how = s.template == 1 ? ASK_INSTRUCT : ASK_PLAIN,
                                      .tokens = s.tokens, .similarity = s.similarity,
                                      .published = config->published };     /* texts are moved */
    o->limits = (struct score_limits){ .similarity = s.similarity.den ? (double)s.similarity.num / s.similarity.den : 0,
                                       .lines = s.lines, .complexity = s.complexity, .published = config->published };
    if (rc == 0) rc = comments_read(&o->limits, s.comments, &place);
    free(s.comments);
    if (rc == 0) rc = place_resolve_path(&place, config, "rules", "file", &o->rules);
    if (rc == 0) rc = edit_tokens_read(&o->edit_tokens, config, &place);
    if (rc == 0) rc = pairs_read(config, o, &place);
    return rc < 0 ? rc : datasets_check(config, root, o, &place);
}

int compliance_check(const struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct compliance_options *o = &compliance_task(config)->options;
    const struct probe_options      *probe = &probe_task(config)->options;

    for (size_t m = 0; *o->benchmark && m < probe->models; m++)
        for (size_t d = 0; d < config->dataset_count; d++)
            if (o->pairs[d] && strcmp(config->datasets[d].name, probe->model[m].name) == 0)
                return node_refuse(node_find(root, "compliance"), name, "", err, "compliance: `%.60s` is a dataset of "
                                   "`pairs` and a model: their answers would have one name", probe->model[m].name);
    return 0;
}

void compliance_settings_free(struct compliance_task *task)
{
    free(task->options.benchmark);
    free(task->options.pairs);
    free(task->options.rules);
    free(task->options.edit_tokens);
}

int compliance_print(const struct config *config, struct bytes *out)
{
    const struct compliance_options *o = &compliance_task(config)->options;
    char                             comments[16] = "off";
    struct compliance_settings       s = {
        .benchmark = o->benchmark, .comments = comments, .rules = o->rules, .edit_tokens = o->edit_tokens,
        .asked = o->asked, .tokens = o->tokens, .lines = o->limits.lines, .complexity = o->limits.complexity,
        .similarity = o->similarity, .template = o->how == ASK_INSTRUCT,
    };
    bool pairs = false;
    int  rc = bytes_printf(out, "compliance:\n");

    if (!o->limits.uncommented) snprintf(comments, sizeof comments, "%u", o->limits.comments);
    for (size_t d = 0; d < config->dataset_count; d++) pairs |= o->pairs[d];
    if (rc == 0 && pairs) rc = config_print_members(config, "pairs", o->pairs, out);
    return rc < 0 ? rc : option_print(compliance_rows, &s, "  ", out);
}

int compliance_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\ncompliance:               does a model give licensed functions away, and name their "
                               "licences?\n"
                               "  pairs        datasets of answers that are there, compared with the first of them: "
                               "fields reference, answer (or generated), prompt, signature, license, reply; fields: "
                               "{text: reference}\n");

    return rc < 0 ? rc : option_help(compliance_rows, "  ", out);
}
