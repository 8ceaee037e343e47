/* cmd/audit_inclusion.c -- leakgraph audit inclusion: models asked for elements of files without a YAML file; it writes
 * one in memory and runs it. */
#include "base/option.h"
#include "cmd/audit.h"
#include "cmd/command.h"
#include "cmd/model_option.h"
#include "cmd/run.h"
#include "probe/probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: leakgraph audit inclusion --model NAME=BACKEND:PATH... --files GLOB...\n"
    "                                 [--trained GLOB...] [--others GLOB...] [--output DIR] [...]\n"
    "\n"
    "Was a model trained on these files?  It is shown what stands around names, strings, comments and\n"
    "documentation of each file, and asked for them (TraWiC; docs/definitions.md, `Inclusion`).\n"
    "\n"
    "  --model NAME=BACKEND:PATH   llama:FILE, http:URL (up to and with /v1), ngram:FILE or replay:FILE;\n"
    "                              repeat it for more models, as one that cannot know the files\n"
    "  --files GLOB                files that are asked about; shards of any kind, archives, folders\n"
    "  --trained GLOB              files that the models are known to be trained on\n"
    "  --others GLOB               files that they cannot know, as newer ones of the same kind: without\n"
    "                              them there is nothing to compare with\n"
    "  --prompt plain|own|santacoder|starcoder|codellama|deepseek|qwen\n"
    "                              plain (default): what stands before an element; others: before and\n"
    "                              behind it, with those marks (own: those that a GGUF file names)\n"
    "  --ask elements|functions|both\n"
    "                              elements (default); functions: the second halves of functions, by\n"
    "                              clone types; both\n"
    "  --elements exact|published  as TraWiC's code finds them, of Python (default: exact)\n"
    "  --per-category N            elements asked for of each kind and file (4; 0: all)\n"
    "  --language NAME             of all files (default: from record, file name or #! line)\n"
    "  --output DIR                the run folder (default results/run)\n"
    "  --field NAME=FIELD, --set KEY=VALUE, --threads N, --replace, --clean, --verify, --quiet   as for\n"
    "                              `run`\n"
    "\n"
    "With --others it says which repositories it was trained on, with p-values; --set\n"
    "fail_on.inclusion=0 ends with status 3 when there is one.  `leakgraph audit verdict\n"
    "DIR` learns from files with --trained.\n"
    "\n"
    "example:\n"
    "  leakgraph audit inclusion --model mine=llama:model.gguf --files 'mine/*.tar.gz' \\\n"
    "    --others 'newer/*.tar.gz' --prompt starcoder --output results/audit\n";

/* Of `inclusion`, and of the dataset. */
enum { PROMPT, ASK, ELEMENTS, PER_CATEGORY, INCLUSION_WORDS, LANGUAGE = INCLUSION_WORDS, WORDS };
static const struct { const char *option, *key; } words[WORDS] = {
    { "--prompt", "prompt" }, { "--ask", "ask" }, { "--elements", "elements" },
    { "--per-category", "per_category" }, { "--language", "language" },
};

enum { ASKED, TRAINED, OTHERS, SPLITS, GLOBS = 256 };
static const struct { const char *option, *split; } splits[SPLITS] = {
    { "--files", "asked" }, { "--trained", "trained" }, { "--others", "others" },
};

struct asked {
    const char *model[PROBE_MODELS], *word[WORDS];
    size_t      models, globs, in[SPLITS];
    struct { const char *glob; int split; } glob[GLOBS];
};

/* The dataset: a split for each kind of file. */
static int dataset_write(const struct asked *asked, struct bytes *out)
{
    int rc = bytes_printf(out, "datasets:\n  - name: files\n    role: corpus\n");

    if (rc == 0 && asked->word[LANGUAGE]) rc = bytes_printf(out, "    language: ");
    if (rc == 0 && asked->word[LANGUAGE]) rc = option_print_text(asked->word[LANGUAGE], out);
    if (rc == 0) rc = bytes_printf(out, "%s    splits:\n", asked->word[LANGUAGE] ? "  # --language\n" : "");
    for (int s = 0; s < SPLITS && rc == 0; s++) {
        if (!asked->in[s]) continue;
        rc = bytes_printf(out, "      %s:\n", splits[s].split);
        for (size_t g = 0; g < asked->globs && rc == 0; g++) {
            if (asked->glob[g].split != s) continue;
            rc = bytes_printf(out, "        - ");
            if (rc == 0) rc = option_print_text(asked->glob[g].glob, out);
            if (rc == 0) rc = bytes_printf(out, "  # %s\n", splits[s].option);
        }
    }
    return rc;
}

static int settings_write(const struct asked *asked, struct bytes *out, struct err *err)
{
    int rc = dataset_write(asked, out);

    if (rc == 0) rc = bytes_printf(out, "inclusion:\n  from: files\n");
    for (int s = TRAINED; s < SPLITS && rc == 0; s++)
        if (asked->in[s]) rc = bytes_printf(out, "  %s: %s\n", splits[s].split, splits[s].split);
    for (int w = 0; w < INCLUSION_WORDS && rc == 0; w++) {
        if (!asked->word[w]) continue;
        rc = bytes_printf(out, "  %s: ", words[w].key);
        if (rc == 0) rc = option_print_text(asked->word[w], out);
        if (rc == 0) rc = bytes_printf(out, "  # %s\n", words[w].option);
    }
    if (rc == 0) rc = bytes_printf(out, "probe:\n  metrics: []\n  models:\n");
    if (rc < 0) return err_memory(err, out->len, "the settings");
    for (size_t m = 0; m < asked->models && rc == 0; m++) rc = model_option_append(out, asked->model[m], err);
    /* the end of the text */
    return rc == 0 && bytes_append(out, "", 1) < 0 ? err_memory(err, out->len, "the settings") : rc;
}

/* One option and its value. */
static int option_take(struct asked *asked, const char *option, const char *value, struct err *err)
{
    const bool model = strcmp(option, "--model") == 0;
    int        split = 0, word = 0;

    while (split < SPLITS && strcmp(option, splits[split].option) != 0) split++;
    while (word < WORDS && strcmp(option, words[word].option) != 0) word++;
    if (!model && split == SPLITS && word == WORDS)
        return err_set(err, -EINVAL, "audit inclusion does not know `%s`; see leakgraph audit inclusion --help",
                       option);
    if (!value || !*value) return err_set(err, -EINVAL, "%s needs a value", option);
    if (model && asked->models == PROBE_MODELS) return err_set(err, -EINVAL, "more than %d models", PROBE_MODELS);
    if (model) asked->model[asked->models++] = value;
    else if (word < WORDS) asked->word[word] = value;
    else if (asked->globs == GLOBS)
        return err_set(err, -EINVAL, "more than %d globs; write a pipeline.yaml", GLOBS);
    else {
        asked->in[split]++;
        asked->glob[asked->globs].glob = value;
        asked->glob[asked->globs++].split = split;
    }
    return 0;
}

int audit_inclusion(int argc, char **argv, struct err *err)
{
    struct run_options options = { .name = "audit inclusion" };
    struct asked       asked = { .globs = 0 };
    struct bytes       yaml = { 0 };
    char               output[4096];
    int                rc;

    for (int at = 1; at < argc; ) {
        rc = run_take_option(&options, argc, argv, &at, output, err);
        if (rc < 0) return rc;
        if (rc > 0) continue;
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) return fputs(help, stdout) < 0 ? -EIO : 0;
        rc = option_take(&asked, argv[at], at + 1 < argc ? argv[at + 1] : NULL, err);
        if (rc < 0) return rc;
        at += 2;
    }
    if (!asked.models || !asked.globs)
        return err_set(err, -EINVAL, "audit inclusion needs --model NAME=BACKEND:PATH and --files GLOB; see leakgraph "
                       "audit inclusion --help");
    rc = settings_write(&asked, &yaml, err);
    options.text = yaml.at;
    if (rc == 0) rc = run_carry_out(&options, err);
    bytes_free(&yaml);
    return rc;
}
