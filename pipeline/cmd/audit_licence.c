/* cmd/audit_licence.c -- leakgraph audit licence: answers of models beside the functions that they were asked for,
 * without a YAML file; it writes one in memory and runs it.  --build makes a benchmark and nothing else. */
#include "cmd/audit.h"
#include "cmd/audit_licence_lines.h"
#include "cmd/command.h"
#include "cmd/model_option.h"
#include "cmd/number.h"
#include "cmd/run.h"

#include "base/launcher.h"
#include "base/option.h"
#include "config/yaml_text.h"
#include "probe/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char licence_help[] =
    "usage: leakgraph audit licence --pairs [NAME=]FILE... [--output DIR] [...]\n"
    "       leakgraph audit licence --benchmark FILE --model NAME=BACKEND:PATH... --output DIR\n"
    "       leakgraph audit licence --build FILE... > benchmark.jsonl\n"
    "\n"
    "Says which answers of a model are so like a function with a licence that chance cannot be the\n"
    "reason, whether the model names that licence, and how groups of answers differ (LiCoEval, Xu et\n"
    "al., ICSE 2025; docs/definitions.md, `Licence compliance`).  Answers are there already (--pairs),\n"
    "or a model is asked for them (--benchmark).\n"
    "\n"
    "  --pairs [NAME=]FILE  JSON lines, compressed or not, an answer each; repeat it for more groups,\n"
    "                       which are compared with the first (files of one NAME are one group):\n"
    "                         reference   a function's body (or the whole function) in Python\n"
    "                         answer      the code that a model wrote for it; or\n"
    "                         generated, signature   all that it wrote, and the function's head, by\n"
    "                                     which the code is found in it\n"
    "                         prompt      what it was given; comments in there do not count\n"
    "                         license     of the function, as SPDX has it\n"
    "                         reply       what it said when it was asked for the licence\n"
    "                         id          any name\n"
    "  --output DIR         the run folder: graph.db, report.html, .md and .json, and pairs.tsv (a line\n"
    "                       an answer) and summary.tsv (a line a group); without it the lines of\n"
    "                       pairs.tsv on standard output, and nothing is kept\n"
    "\n"
    "  --benchmark FILE     functions as --build writes them (prompt, signature, reference, license):\n"
    "                       each is asked of each model at temperature 0, and, where the answer is\n"
    "                       strikingly similar, its licence.  Answers stay in DIR/work: after a kill,\n"
    "                       or with other limits (--replace), nothing is asked twice\n"
    "  --model NAME=BACKEND:PATH   ngram:FILE, replay:FILE, llama:FILE or http:URL; each is a group\n"
    "  --http NAME=VALUE    of servers: served (the model's name there), key_env (the variable of the\n"
    "                       environment with the key), cache, timeout, retries, concurrency, rate,\n"
    "                       budget, context, as in probe.models of pipeline.yaml\n"
    "  --template plain|instruct   the model goes on behind the prompt (default), or is told what to do\n"
    "  --new-tokens N       most tokens of an answer (512; at most half of the model's context)\n"
    "\n"
    "Strikingly similar is what is above all of these:\n"
    "  --similarity X       the largest of BLEU, Jaccard and edit similarity (0.6)\n"
    "  --comments N         comments of the function that the prompt has not (0); off: not asked, where\n"
    "                       functions have none\n"
    "  --lines N            lines of the function's body (10)\n"
    "  --complexity N       its cyclomatic complexity (3)\n"
    "\n"
    "  --build FILE         Python files, folders, archives or records whose text is a file (repeat it):\n"
    "                       writes functions that a model may be asked for as JSON lines, with prompt,\n"
    "                       reference and license; those that most repositories have first.  They are\n"
    "                       documented, no methods, above --lines and --complexity, with a comment, of\n"
    "                       files that a parser reads and that name one licence, and do not say that\n"
    "                       they were copied\n"
    "  --unlike FILE        leaves out functions that are like one in here (repeat it): what a model has\n"
    "                       seen, for functions that it has not\n"
    "  --likeness X         Jaccard's index of runs of five words at which that filter tells them,\n"
    "                       above 0 and up to 1 (0.2, as LiCoEval's)\n"
    "\n"
    "  --fail-on LICO       exit status 3 when the LICO of a group is below this, from 0 to 1, or not\n"
    "                       defined\n"
    "  --asked N            functions that were asked for, where not each has a line (LICO's N)\n"
    "  --rules FILE         how licences are told in replies: rules in LiCoEval's format, as\n"
    "                       data/licence_rules.json; default: the project's own recogniser\n"
    "  --tokens WHOSE       edits are counted over a model's tokens: llama:MODEL.gguf, ngram:FILE, or the\n"
    "                       path of its tokenizer.json (any name that ends in .json, or json:FILE);\n"
    "                       default: over the tokens of Python's lexer\n"
    "  --compat published   as the released code: lines and complexity are not asked, EPL-1.0, MS-PL and\n"
    "                       others are strong copyleft, no LICO where nothing is strikingly similar;\n"
    "                       --build cuts functions in its way, files that no parser reads by text\n"
    "  --field text=FIELD   the field that is the reference; so for id and license\n"
    "  --set KEY=VALUE, --threads N, --replace, --clean, --verify, --quiet   as for `run`: --set\n"
    "                       fail_on.striking=1 ends with status 3 when more than 1 % of the functions\n"
    "                       have a strikingly similar answer\n"
    "\n"
    "Examples:\n"
    "  leakgraph audit licence --build /usr/lib/python3 --build more.jsonl.zst > benchmark.jsonl\n"
    "  leakgraph audit licence --build later --unlike corpus > unseen.jsonl\n"
    "  leakgraph audit licence --benchmark benchmark.jsonl --model m=llama:m.gguf --output audit\n"
    "  leakgraph audit licence --pairs answers.jsonl > pairs.tsv\n"
    "  leakgraph audit licence --pairs seen=seen.jsonl --pairs unseen=unseen.jsonl --output study\n"
    "  leakgraph audit licence --pairs a.jsonl | awk -F'\\t' '$10 == 1'      # strikingly similar\n";

/* Of `compliance`, and at the top. */
enum { TEMPLATE, TOKENS, SIMILARITY, COMMENTS, LINES, COMPLEXITY, ASKED, RULES, EDIT_TOKENS, COMPLIANCE_WORDS,
       COMPAT = COMPLIANCE_WORDS, WORDS };
static const struct { const char *option, *key; bool text; } words[WORDS] = {
    [TEMPLATE] = { "--template", "template", true },       [TOKENS] = { "--new-tokens", "tokens", false },
    [SIMILARITY] = { "--similarity", "similarity", false }, [COMMENTS] = { "--comments", "comments", false },
    [LINES] = { "--lines", "lines", false },               [COMPLEXITY] = { "--complexity", "complexity", false },
    [ASKED] = { "--asked", "asked", false },               [RULES] = { "--rules", "rules", true },
    [EDIT_TOKENS] = { "--tokens", "edit_tokens", true },   [COMPAT] = { "--compat", "compat", true },
};

enum { GROUPS = 64 };                                       /* --pairs on one command line */

struct asked {
    struct named_glob glob[GROUPS + 1];                     /* those of --pairs, then the benchmark's */
    size_t            globs;
    const char       *benchmark, *model[PROBE_MODELS], *word[WORDS];
    size_t            models;
    struct bytes      http;                                 /* of --http, a line of settings each */
    double            fail_on;                              /* the least LICO; <0: no gate */
    char             *build[LICENCE_BUILD_FILES], *unlike[LICENCE_BUILD_FILES];
    size_t            build_count, unlike_count;
    double            likeness;                             /* 0: not given */
};

/* ---- the settings ---- */

/* "KEY: VALUE", with the option that says so.  A number stands as it is: what is none is refused by its key. */
static int word_append(struct bytes *out, const char *indent, const char *key, const char *value, bool text,
                       const char *option)
{
    const bool plain = !text && *value && value[strspn(value, "0123456789.")] == '\0';
    int        rc = bytes_printf(out, "%s%s: ", indent, key);

    if (rc == 0) rc = plain ? bytes_append_slice(out, slice_of(value)) : option_print_text(value, out);
    return rc < 0 ? rc : bytes_printf(out, "  # %s\n", option);
}

static int compliance_append(const struct asked *asked, struct bytes *out)
{
    int  rc = bytes_printf(out, "compliance:\n%s", asked->benchmark ? "  benchmark: benchmark\n" : "");
    bool pairs = false;

    for (size_t g = 0; g < asked->globs && rc == 0; g++) {
        if (asked->glob[g].benchmark) continue;
        rc = bytes_printf(out, pairs ? ", " : "  pairs: [");
        if (rc == 0) rc = option_print_text(asked->glob[g].name, out);
        pairs = true;
    }
    if (rc == 0 && pairs) rc = bytes_printf(out, "]  # --pairs\n");
    for (int w = 0; w < COMPLIANCE_WORDS && rc == 0; w++)
        if (asked->word[w])
            rc = word_append(out, "  ", words[w].key, asked->word[w], words[w].text, words[w].option);
    return rc;
}

static int models_append(const struct asked *asked, struct bytes *out, struct err *err)
{
    int rc = bytes_printf(out, "probe:\n  metrics: []\n  models:\n");

    if (rc < 0) return err_memory(err, out->len, "the settings");
    for (size_t m = 0; m < asked->models && rc == 0; m++) {
        rc = model_option_append(out, asked->model[m], err);
        if (rc == 0 && strstr(asked->model[m], "=http:") && bytes_append_slice(out, bytes_slice(&asked->http)) < 0)
            rc = err_memory(err, asked->http.len, "the settings");
    }
    return rc;
}

static int settings_write(const struct asked *asked, struct bytes *out, struct err *err)
{
    int rc = yaml_datasets(out, asked->glob, asked->globs, "python", false);

    if (rc == 0 && asked->word[COMPAT])
        rc = word_append(out, "", words[COMPAT].key, asked->word[COMPAT], true, words[COMPAT].option);
    if (rc == 0 && asked->fail_on >= 0)
        rc = bytes_printf(out, "fail_on:\n  lico_short: %.6f  # --fail-on\n", 100 * (1 - asked->fail_on));
    if (rc == 0) rc = compliance_append(asked, out);
    if (rc < 0) return err_memory(err, out->len, "the settings");
    if (asked->models) rc = models_append(asked, out, err);
    /* the end of the text */
    return rc == 0 && bytes_append(out, "", 1) < 0 ? err_memory(err, out->len, "the settings") : rc;
}

/* ---- the command line ---- */

/* NAME=FILE; without a name the file's up to its first dot. */
static int pairs_take(struct asked *asked, const char *value, struct err *err)
{
    const char        *equals = strchr(value, '='), *slash = strchr(value, '/');
    const bool         named = equals && (!slash || equals < slash) && equals > value;
    const char        *file = named ? equals + 1 : value, *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    const char        *name = named ? value : base;
    const size_t       len = named ? (size_t)(equals - value) : strcspn(base, ".");
    struct named_glob *glob = &asked->glob[asked->globs];

    if (asked->globs == GROUPS) return err_set(err, -EINVAL, "audit licence: --pairs more than %d times", GROUPS);
    if (!len || len >= sizeof glob->name || !*file)
        return err_set(err, -EINVAL, "audit licence: --pairs takes [NAME=]FILE, not `%s`", value);
    *glob = (struct named_glob){ .glob = file, .option = "--pairs" };
    memcpy(glob->name, name, len);
    asked->globs++;
    return 0;
}

/* KEY=VALUE as a line of a model's settings; which model it is stands in --model. */
static int http_take(struct bytes *out, const char *value, struct err *err)
{
    static const char *const others[] = { "name", "backend", "path", "url", "threads" };
    const size_t             len = strspn(value, "abcdefghijklmnopqrstuvwxyz_");
    char                     key[32];

    if (!len || len >= sizeof key || value[len] != '=')
        return err_set(err, -EINVAL, "audit licence: --http takes KEY=VALUE, as key_env=API_KEY, not `%s`", value);
    memcpy(key, value, len);
    key[len] = '\0';
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(key, others[i]) == 0)
            return err_set(err, -EINVAL, "audit licence: --http takes KEY=VALUE of a server (served, key_env, cache, "
                           "timeout, retries, concurrency, rate, budget, context), not `%s`", key);
    return word_append(out, "      ", key, value + len + 1, false, "--http") < 0
        ? err_memory(err, strlen(value), "settings") : 0;
}

static int file_take(char **file, size_t *count, const char *option, const char *value, struct err *err)
{
    if (*count == LICENCE_BUILD_FILES)
        return err_set(err, -EINVAL, "audit licence: %s more than %d times", option, LICENCE_BUILD_FILES);
    file[(*count)++] = (char *)(uintptr_t)value;
    return 0;
}

/* A number from 0 to 1; above 0 where 0 is none. */
static int share_take(double *out, bool zero, const char *option, const char *value, struct err *err)
{
    char *end;

    *out = strtod(value, &end);
    return *end || end == value || !(zero ? *out >= 0 : *out > 0) || *out > 1
        ? err_set(err, -EINVAL, "audit licence: %s takes a number %s, not `%s`", option,
                  zero ? "from 0 to 1" : "above 0, at most 1", value) : 0;
}

static int option_take(struct asked *asked, const char *option, const char *value, struct err *err)
{
    int word = 0;

    while (word < WORDS && strcmp(option, words[word].option) != 0) word++;
    if (!value && strncmp(option, "--", 2) == 0) return err_set(err, -EINVAL, "%s needs a value", option);
    if (word < WORDS) {
        asked->word[word] = value;
        return 0;
    }
    if (strcmp(option, "--pairs") == 0) return pairs_take(asked, value, err);
    if (strcmp(option, "--build") == 0) return file_take(asked->build, &asked->build_count, option, value, err);
    if (strcmp(option, "--unlike") == 0) return file_take(asked->unlike, &asked->unlike_count, option, value, err);
    if (strcmp(option, "--likeness") == 0) return share_take(&asked->likeness, false, option, value, err);
    if (strcmp(option, "--fail-on") == 0) return share_take(&asked->fail_on, true, option, value, err);
    if (strcmp(option, "--http") == 0) return http_take(&asked->http, value, err);
    if (strcmp(option, "--benchmark") == 0) {
        asked->benchmark = value;
        return 0;
    }
    if (strcmp(option, "--model") != 0)
        return err_set(err, -EINVAL, "audit licence does not know `%s`; see leakgraph audit licence --help", option);
    if (asked->models == PROBE_MODELS) return err_set(err, -EINVAL, "more than %d models", PROBE_MODELS);
    asked->model[asked->models++] = value;
    return 0;
}

static bool asks_servers(const struct asked *asked)
{
    for (size_t m = 0; m < asked->models; m++)
        if (strstr(asked->model[m], "=http:")) return true;
    return false;
}

/* The folder that the settings name, or NULL. */
static const char *output_of(const struct run_options *options)
{
    for (size_t i = options->set_count; i-- > 0; )
        if (strncmp(options->set[i], "output=", 7) == 0) return options->set[i] + 7;
    return NULL;
}

/* Is there an option that --build would not look at? */
static bool build_ignores(const struct asked *asked, const struct run_options *options, const char **out)
{
    *out = options->threads ? "--threads" : options->clean ? "--clean" : options->replace ? "--replace"
        : options->verify ? "--verify" : NULL;
    for (int w = 0; w < WORDS; w++)
        if (asked->word[w] && w != LINES && w != COMPLEXITY && w != COMPAT) *out = words[w].option;
    for (size_t i = 1; i < options->set_count; i++) {       /* behind the one that is our own */
        const char *option = options->said[i].option ? options->said[i].option : "--set";

        if (strcmp(option, "--field") != 0) *out = option;
    }
    return *out;
}

/* What belongs together on the command line. */
static int words_check(const struct asked *asked, const struct run_options *options, struct err *err)
{
    const bool  pairs = asked->globs > 0;
    const char *wrong = NULL, *word;

    if (asked->build_count && (pairs || asked->benchmark))
        wrong = "--build makes a benchmark, --pairs and --benchmark have answers; one at a time";
    else if (asked->benchmark && (!asked->models || !output_of(options)))
        wrong = "--benchmark needs --model NAME=BACKEND:PATH and --output DIR";
    else if (asked->models && !asked->benchmark) wrong = "--model needs --benchmark FILE, the functions to ask for";
    else if (asked->http.len && !asks_servers(asked)) wrong = "--http is of --model NAME=http:URL, which is not there";
    else if (asked->likeness > 0 && !asked->unlike_count) wrong = "--likeness is of --unlike, which is not there";
    else if (asked->unlike_count && !asked->build_count)
        wrong = "--unlike is of --build, whose functions it leaves out";
    else if (asked->build_count && asked->fail_on >= 0) wrong = "--fail-on is of answers, which --build has not";
    else if (asked->build_count && output_of(options))
        wrong = "--output is of answers; --build writes the benchmark to standard output";
    else if (asked->build_count && build_ignores(asked, options, &word))
        return err_set(err, -EINVAL, "audit licence: %s is of answers, which --build has not", word);
    else if (!asked->build_count && !pairs && !asked->benchmark)
        wrong = "which answers?  leakgraph audit licence --pairs FILE (see leakgraph audit licence --help)";
    else if (!asked->build_count && !output_of(options) && launcher_speaks())
        wrong = "several ranks need --output DIR, where they meet";
    return wrong ? err_set(err, -EINVAL, "audit licence: %s", wrong) : 0;
}

/* ---- a benchmark ---- */

static int limit_take(uint32_t *out, const struct asked *asked, int word, struct err *err)
{
    const char *value = asked->word[word];
    uint64_t    number;

    if (!value) return 0;
    if (number_take(&number, 0, 1000000, "audit licence", words[word].option, value, err) < 0) return err->code;
    *out = (uint32_t)number;
    return 0;
}

static int benchmark_build(const struct asked *asked, const struct run_options *options, struct err *err)
{
    struct score_limits  limits = score_limits_default;
    struct licence_build build = { (char **)(uintptr_t)asked->build, asked->build_count,
                                   (char **)(uintptr_t)asked->unlike, asked->unlike_count,
                                   asked->likeness > 0 ? asked->likeness : 0.2, NULL, &limits, options->quiet };
    const char          *compat = asked->word[COMPAT];
    int                  rc = limit_take(&limits.lines, asked, LINES, err);

    if (rc == 0) rc = limit_take(&limits.complexity, asked, COMPLEXITY, err);
    limits.published = compat && strcmp(compat, "published") == 0;
    if (rc == 0 && compat && !limits.published && strcmp(compat, "none") != 0)
        rc = err_set(err, -EINVAL, "audit licence: --compat takes published or none, not `%s`", compat);
    for (size_t i = 0; i < options->set_count && rc == 0; i++) {
        const struct said_option *said = &options->said[i];

        if (!said->option || strcmp(said->option, "--field") != 0) continue;
        if (strncmp(said->value, "text=", 5) != 0 || !said->value[5])
            rc = err_set(err, -EINVAL, "audit licence: --build takes --field text=FIELD, not `%s`", said->value);
        build.text_field = said->value + 5;
    }
    return rc < 0 ? rc : audit_licence_build(&build, err);
}

/* ---- the run ---- */

static int file_forget(const char *path, const struct stat *is, int kind, struct FTW *at)
{
    (void)is, (void)kind, (void)at;
    return remove(path);
}

/* What the child does: it has nothing of the process but the end of a pipe, which is told when that has ended. */
_Noreturn static void folder_outlive(const char *folder, int end)
{
    char    byte;
    ssize_t got;

    setsid();                                               /* signals of the terminal are not for it */
    for (int stream = 0; stream < 3; stream++) close(stream);
    do got = read(end, &byte, 1);
    while (got < 0 && errno == EINTR);
    nftw(folder, file_forget, 8, FTW_DEPTH | FTW_PHYS);
    _exit(0);
}

/* The folder goes when the process has ended, whatever ends it, or closes *end.  0, or <0 with err set. */
static int folder_watch(const char *folder, int *end, pid_t *child, struct err *err)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0) return err_set(err, -errno, "a pipe: %s", strerror(errno));
    *child = fork();
    if (*child == 0) {
        close(ends[1]);
        folder_outlive(folder, ends[0]);
    }
    close(ends[0]);
    *end = ends[1];
    if (*child > 0) return 0;
    close(ends[1]);
    return err_set(err, -errno, "another process: %s", strerror(errno));
}

/* In a folder that goes when its lines have been printed. */
static int run_aside(struct run_options *options, struct err *err)
{
    const char *home = getenv("TMPDIR");
    char        setting[4096], *folder = setting + sizeof "output=" - 1;
    pid_t       child = 0;
    int         rc, end = -1;

    if (options->set_count == sizeof options->set / sizeof options->set[0])
        return err_set(err, -EINVAL, "more than 256 settings");
    if (snprintf(setting, sizeof setting, "output=%s/leakgraph-audit.XXXXXX", home && *home ? home : "/tmp") >=
        (int)sizeof setting) return err_set(err, -ENAMETOOLONG, "TMPDIR: the path is too long");
    if (!mkdtemp(folder)) return err_set(err, -errno, "%s: cannot be made: %s", folder, strerror(errno));
    if ((rc = folder_watch(folder, &end, &child, err)) < 0) {
        rmdir(folder);
        return rc;
    }
    options->set[options->set_count++] = setting;
    options->tell = audit_licence_print;
    options->passing = true;
    rc = run_carry_out(options, err);
    close(end);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return rc;
}

static int answers_audit(struct asked *asked, struct run_options *options, struct err *err)
{
    struct bytes yaml = { 0 };
    int          rc;

    if (asked->benchmark)
        asked->glob[asked->globs++] = (struct named_glob){ .name = "benchmark", .glob = asked->benchmark,
                                                           .benchmark = true, .option = "--benchmark" };
    rc = settings_write(asked, &yaml, err);
    options->text = yaml.at;
    options->tell = audit_licence_write;
    if (output_of(options)) options->files = audit_licence_files, options->file_count = AUDIT_LICENCE_FILES;
    if (rc == 0) rc = output_of(options) ? run_carry_out(options, err) : run_aside(options, err);
    bytes_free(&yaml);
    return rc;
}

int audit_licence(int argc, char **argv, struct err *err)
{
    /* --field comes later, and stands */
    struct run_options options = { .name = "audit licence", .set = { "datasets.*.fields.text=reference" },
                                   .set_count = 1 };
    struct asked       asked = { .fail_on = -1 };
    char               output[4096];
    int                rc = 0;

    for (int at = 1; at < argc && rc == 0; ) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            bytes_free(&asked.http);
            return fputs(licence_help, stdout) < 0 ? -EIO : 0;
        }
        rc = run_take_option(&options, argc, argv, &at, output, err);
        if (rc == 0) {
            rc = option_take(&asked, argv[at], at + 1 < argc ? argv[at + 1] : NULL, err);
            at += 2;
        } else if (rc > 0) rc = 0;
    }
    if (rc == 0) rc = words_check(&asked, &options, err);
    if (rc == 0) rc = asked.build_count ? benchmark_build(&asked, &options, err) : answers_audit(&asked, &options, err);
    bytes_free(&asked.http);
    return rc;
}
