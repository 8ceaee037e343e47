/* cmd/probe.c -- leakgraph probe: language models asked about benchmarks without a YAML file; it writes one in memory
 * and runs it. */
#include "base/option.h"
#include "cmd/command.h"
#include "cmd/model_option.h"
#include "cmd/run.h"
#include "config/yaml_text.h"
#include "probe/probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void probe_help(void)
{
    fputs("usage: leakgraph probe --model NAME=BACKEND:PATH... --benchmark NAME=GLOB... [--corpus NAME=GLOB...]\n"
          "       leakgraph probe --model NAME=BACKEND:PATH... --generate N --corpus NAME=GLOB...\n"
          "                       [--output DIR] [...]\n\n"
          "Asks language models how well they know the items of benchmarks; with a corpus also finds which\n"
          "items it has, and says how well each metric tells those from the others.\n\n"
          "  --model NAME=BACKEND:PATH   ngram:FILE, replay:FILE, llama:FILE or http:URL (up to and with /v1);\n"
          "                              repeat it for more models\n"
          "  --benchmark NAME=GLOB       a small dataset; repeat NAME for more files\n"
          "  --corpus NAME=GLOB          what a model was trained on, say: exact and near copies of the items\n"
          "                              are looked for there\n"
          "  --output DIR                the run folder (default results/run)\n"
          "  --generate N                every model writes so many texts, and the blocks of lines in them\n"
          "                              that the corpora have are counted; then there need be no benchmark\n"
          "  --metrics LIST              as nll,min_k,accuracy (default: all that there can be)\n"
          "  --language NAME             of all datasets (default: from record, file name or #! line)\n"
          "  --field [DATASET.]NAME=FIELD\n"
          "                              as for `run`: --field text=code; of one dataset alone:\n"
          "                              --field humaneval.text=canonical_solution\n"
          "  --set KEY=VALUE, --threads N, --replace, --clean, --verify, --quiet   as for `run`\n\n"
          "example:\n"
          "  leakgraph train-ngram --corpus mine='corpus/*.jsonl.zst' --output mine.lm\n"
          "  leakgraph probe --model mine=ngram:mine.lm --benchmark humaneval=HumanEval.jsonl.gz \\\n"
          "    --corpus mine='corpus/*.jsonl.zst' --set 'probe.fields=[prompt, canonical_solution]'\n", stdout);
}

/* The words of a,b,c as a YAML list. */
static int metrics_append(struct bytes *out, const char *list)
{
    struct bytes word = { 0 };
    int          rc = bytes_printf(out, "  metrics: [");

    for (const char *at = list; rc == 0 && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        word.len = 0;
        rc = bytes_printf(&word, "%.*s", (int)strcspn(at, ","), at);
        if (rc == 0 && at != list) rc = bytes_printf(out, ", ");
        if (rc == 0) rc = option_print_text(word.at, out);
    }
    bytes_free(&word);
    return rc < 0 ? rc : bytes_printf(out, "]  # --metrics\n");
}

/* What the command line says of the run, as a settings file. */
struct asked {
    struct named_glob glob[NAMED_GLOBS_MAX];
    size_t globs;
    const char *model[PROBE_MODELS], *language, *metrics, *generate;
    size_t models;
    bool benchmark, corpus;
};

static int settings_write(const struct asked *asked, struct bytes *out, struct err *err)
{
    const bool near = asked->benchmark && asked->corpus;
    int        rc = yaml_datasets(out, asked->glob, asked->globs, asked->language, false);

    if (rc == 0 && near) rc = bytes_printf(out, "near_duplicates: {}\n");
    if (rc == 0 && asked->generate)
        rc = bytes_printf(out, "line_clones: {}\ngenerate:\n  outputs: %s  # --generate\n", asked->generate);
    if (rc == 0 && asked->generate && asked->language) rc = bytes_printf(out, "  language: ");
    if (rc == 0 && asked->generate && asked->language) rc = option_print_text(asked->language, out);
    if (rc == 0 && asked->generate && asked->language) rc = bytes_printf(out, "  # --language\n");
    if (rc == 0)
        rc = bytes_printf(out, "probe:\n%s%s", near ? "  truth: near\n" : "", asked->benchmark || asked->metrics ? ""
                          : "  metrics: []\n");
    if (rc == 0 && asked->metrics) rc = metrics_append(out, asked->metrics);
    if (rc == 0) rc = bytes_printf(out, "  models:\n");
    if (rc < 0) return err_memory(err, out->len, "the settings");
    for (size_t m = 0; m < asked->models && rc == 0; m++) rc = model_option_append(out, asked->model[m], err);
    /* the end of the text */
    return rc == 0 && bytes_append(out, "", 1) < 0 ? err_memory(err, out->len, "the settings") : rc;
}

/* One option and its value. */
static int option_take(struct asked *asked, const char *option, const char *value, struct err *err)
{
    const bool  benchmark = strcmp(option, "--benchmark") == 0, model = strcmp(option, "--model") == 0;
    const char **text = strcmp(option, "--language") == 0 ? &asked->language : strcmp(option, "--metrics") == 0
        ? &asked->metrics
                                : strcmp(option, "--generate") == 0 ? &asked->generate : NULL;

    if (!benchmark && !model && !text && strcmp(option, "--corpus") != 0)
        return err_set(err, -EINVAL, "probe does not know `%s`; see leakgraph probe --help", option);
    if (!value) return err_set(err, -EINVAL, "%s needs a value", option);
    if (text == &asked->generate && (!*value || value[strspn(value, "0123456789")]))
        return err_set(err, -EINVAL, "--generate takes a number, not `%s`", value);
    if (text) *text = value;
    else if (model && asked->models == PROBE_MODELS) return err_set(err, -EINVAL, "more than %d models", PROBE_MODELS);
    else if (model) asked->model[asked->models++] = value;
    else if (asked->globs == NAMED_GLOBS_MAX)
        return err_set(err, -EINVAL, "more than %d globs; write a pipeline.yaml", NAMED_GLOBS_MAX);
    else if (!named_glob_parse(&asked->glob[asked->globs], value))
        return err_set(err, -EINVAL, "%s takes NAME=GLOB, not `%s`", option, value);
    else {
        asked->glob[asked->globs].option = option;
        asked->glob[asked->globs++].benchmark = benchmark;
    }
    return 0;
}

int cmd_probe(int argc, char **argv, struct err *err)
{
    struct run_options options = { .name = "probe" };
    struct asked       asked = { .globs = 0 };
    struct bytes       yaml = { 0 };
    char               output[4096];
    int                rc;

    for (int at = 1; at < argc; ) {
        rc = run_take_option(&options, argc, argv, &at, output, err);
        if (rc < 0) return rc;
        if (rc > 0) continue;
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            probe_help();
            return 0;
        }
        rc = option_take(&asked, argv[at], at + 1 < argc ? argv[at + 1] : NULL, err);
        if (rc < 0) return rc;
        at += 2;
    }
    for (size_t g = 0; g < asked.globs; g++) *(asked.glob[g].benchmark ? &asked.benchmark : &asked.corpus) = true;
    if (asked.generate ? !asked.models || !asked.corpus : !asked.models || !asked.benchmark)
        return err_set(err, -EINVAL, "probe needs --model NAME=BACKEND:PATH and %s; see leakgraph probe --help",
                       asked.generate ? "--corpus NAME=GLOB" : "--benchmark NAME=GLOB");
    rc = settings_write(&asked, &yaml, err);
    options.text = yaml.at;
    if (rc == 0) rc = run_carry_out(&options, err);
    bytes_free(&yaml);
    return rc;
}
