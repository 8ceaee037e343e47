/* cmd/audit_licence.c -- `leakgraph audit licence`: answers of models beside the functions that they were asked for. */
#include "cmd/audit.h"
#include "cmd/ranks.h"
#include "cmd/texts.h"

#include "base/file.h"
#include "base/log.h"
#include "compliance/pair.h"
#include "compliance/study.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    "                       which are compared with the first:\n"
    "                         reference   a function's body (or the whole function) in Python\n"
    "                         answer      the code that a model wrote for it; or\n"
    "                         generated, signature   all that it wrote, and the function's head, by\n"
    "                                     which the code is found in it\n"
    "                         prompt      what it was given; comments in there do not count\n"
    "                         license     of the function, as SPDX has it\n"
    "                         reply       what it said when it was asked for the licence\n"
    "                         id          any name\n"
    "  --output DIR         pairs.tsv, summary.tsv, report.md and report.json there; without it the\n"
    "                       lines of pairs.tsv on standard output\n"
    "\n"
    "  --benchmark FILE     functions as --build writes them (prompt, signature, reference, license):\n"
    "                       each is asked of each model at temperature 0, and, where the answer is\n"
    "                       strikingly similar, its licence.  Answers stay in DIR/work: after a kill,\n"
    "                       or with other limits, nothing is asked twice\n"
    "  --model NAME=BACKEND:PATH   ngram:FILE, replay:FILE, llama:FILE or http:URL; each is a group\n"
    "  --http KEY=VALUE     of servers: served (the model's name there), key_env (the variable of the\n"
    "                       environment with the key), cache, timeout, retries, concurrency, rate,\n"
    "                       budget, context, as in probe.models of pipeline.yaml\n"
    "  --template plain|instruct   the model goes on behind the prompt (default), or is told what to do\n"
    "  --new-tokens N       most tokens of an answer (512; at most half of the model's context)\n"
    "  --threads N          questions at once, where the model allows it\n"
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
    "  --field text=FIELD   the field that is the reference\n"
    "  --quiet              no lines on standard error\n"
    "\n"
    "Examples:\n"
    "  leakgraph audit licence --build /usr/lib/python3 --build more.jsonl.zst > benchmark.jsonl\n"
    "  leakgraph audit licence --build later --unlike corpus > unseen.jsonl\n"
    "  leakgraph audit licence --benchmark benchmark.jsonl --model m=llama:m.gguf --output audit\n"
    "  leakgraph audit licence --pairs answers.jsonl > pairs.tsv\n"
    "  leakgraph audit licence --pairs seen=seen.jsonl --pairs unseen=unseen.jsonl --output study\n"
    "  leakgraph audit licence --pairs a.jsonl | awk -F'\\t' '$10 == 1'      # strikingly similar\n";

struct auditing {
    struct texts          texts;
    struct study          study;
    const char           *pairs[STUDY_GROUPS], *output, *rules, *tokens;
    char                 *build[LICENCE_BUILD_FILES], *unlike[LICENCE_BUILD_FILES];
    size_t                pairs_count, build_count, unlike_count;
    double                likeness;                         /* 0: not given */
    const char           *text_field;                       /* or NULL */
    unsigned long         asked;
    bool                  quiet, failed;
    double                fail_on;                          /* the least LICO; <0: no gate */
    const char           *benchmark, *asked_model[STUDY_GROUPS];
    size_t                models;
    struct bytes          http;                             /* of --http, a line of YAML each */
    uint32_t              new_tokens, threads;
    bool                  instruct;
    struct rules         *read_rules;
    struct model         *model;
    struct model_session *session;
    struct bytes          out, id;
};

/* ---- reading ---- */

static int pair_take(void *context, const struct shard *shard, const struct batch *batch, const struct record *record,
                     struct err *err)
{
    struct auditing *a = context;
    struct pair      pair;
    const char      *why;
    int              rc = pair_parse(&pair, record->line, &why, err);

    (void)batch;
    if (rc < 0) return rc;
    if (rc == 0) return texts_reject(&a->texts, shard, record, why);
    a->id.len = 0;
    if (!pair.id.len && bytes_printf(&a->id, "%s:%llu", shard->name, (unsigned long long)record->number) < 0)
        rc = err_memory(err, strlen(shard->name), "a name");
    else
        rc = study_add(&a->study, &(struct study_texts){ pair.id.len ? pair.id : bytes_slice(&a->id), pair.reference,
                                                         pair.answer, pair.prompt, pair.license, pair.reply }, err);
    pair_free(&pair);
    return rc;
}

/* NAME=FILE; without a name the file's. */
static int group_read(struct auditing *a, const char *value, struct err *err)
{
    const char  *equals = strchr(value, '='), *slash = strchr(value, '/');
    const bool   named = equals && (!slash || equals < slash) && equals > value;
    char        *file = (char *)(uintptr_t)(named ? equals + 1 : value);
    const char  *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    struct slice name = named ? (struct slice){ value, (size_t)(equals - value) }
        : (struct slice){ base, strcspn(base, ".") };
    int          rc = study_open_group(&a->study, name, err);

    if (rc < 0) return rc;
    a->study.group[a->study.groups - 1].benchmark = a->asked;
    a->texts.dataset.fields[FIELD_TEXT] = a->text_field ? (char *)(uintptr_t)a->text_field : (char[]){ "reference" };
    rc = texts_read(&a->texts, &file, 1, err);
    if (rc == 0 && a->asked && a->study.group[a->study.groups - 1].count > a->asked)
        rc = err_set(err, -EINVAL, "audit licence: %s has more answers than --asked %lu", file, a->asked);
    return rc;
}

static int tokens_open(struct auditing *a, struct err *err)
{
    const char          *file = strchr(a->tokens, ':'), *end = strrchr(a->tokens, '.');
    struct model_options options = { .name = (char[]){ "tokens" }, .key_env = (char[]){ "" }, .cache = (char[]){ "" },
                                     .served = (char[]){ "" }, .url = (char[]){ "" }, .path = (char[]){ "" } };
    int                  rc;

    file = file ? file + 1 : a->tokens;
    if (strncmp(a->tokens, "llama:", 6) == 0) options.backend = MODEL_LLAMA;
    else if (strncmp(a->tokens, "ngram:", 6) == 0) options.backend = MODEL_NGRAM;
    else if (strncmp(a->tokens, "json:", 5) == 0) options.backend = MODEL_TOKENIZER;
    else if (end && strcmp(end, ".json") == 0) options.backend = MODEL_TOKENIZER, file = a->tokens;
    else return err_set(err, -EINVAL, "audit licence: --tokens takes llama:FILE, ngram:FILE or a tokenizer.json, not "
                        "`%s`", a->tokens);
    options.path = (char *)(uintptr_t)file;
    rc = model_open(&a->model, &options, err);
    if (rc == 0) rc = model_session_open(&a->session, a->model, err);
    a->study.scorer.session = a->session;
    a->study.tokens = a->tokens;
    return rc;
}

/* ---- writing ---- */

static int file_put(const char *folder, const char *name, struct bytes *content, int made, struct err *err)
{
    char path[FILE_NAME_MAX];
    int  rc = made < 0 ? err_memory(err, content->len, name) : file_join(folder, name, path, err);

    if (rc == 0) rc = file_write(path, bytes_slice(content), err);
    content->len = 0;
    return rc;
}

static int folder_write(struct auditing *a, struct err *err)
{
    struct report_document document = { .failed = false };
    int                    rc = file_make_folder(a->output, err);

    if (rc == 0) rc = file_put(a->output, "pairs.tsv", &a->out, study_cases_tsv(&a->study, &a->out), err);
    if (rc == 0) rc = file_put(a->output, "summary.tsv", &a->out, study_groups_tsv(&a->study, &a->out), err);
    if (rc == 0) rc = study_document(&a->study, &document, err);
    if (rc == 0) rc = file_put(a->output, "report.json", &a->out, report_json(&document, &a->out), err);
    if (rc == 0) rc = file_put(a->output, "report.md", &a->out, report_markdown(&document, &a->out), err);
    report_close(&document);
    return rc;
}

static double group_lico(const struct auditing *a, const struct lico *lico)
{
    return a->study.published && !lico->striking ? NAN : lico_score(lico);
}

static void groups_say(const struct auditing *a)
{
    for (size_t g = 0; g < a->study.groups; g++) {
        const struct study_group *group = &a->study.group[g];
        const struct lico         lico = study_lico(group);
        char                      score[32];

        snprintf(score, sizeof score, "%.3f", group_lico(a, &lico));
        log_info("%.*s: %zu answers to %llu functions, %llu strikingly similar, licence right of %llu of %llu; LICO %s",
                 (int)group->name.len, group->name.at, group->count, (unsigned long long)lico.benchmark,
                 (unsigned long long)lico.striking,
                 (unsigned long long)(lico.permissive_right + lico.copyleft_right),
                 (unsigned long long)(lico.permissive + lico.copyleft),
                 isnan(group_lico(a, &lico)) ? "not defined" : score);
    }
    log_info("edits are counted over %s", a->study.tokens);
}

/* The gate, group by group: what is not defined does not pass. */
static void groups_gate(struct auditing *a)
{
    for (size_t g = 0; g < a->study.groups && a->fail_on >= 0; g++) {
        const struct slice name = a->study.group[g].name;
        const struct lico  lico = study_lico(&a->study.group[g]);
        const double       score = group_lico(a, &lico);

        if (score >= a->fail_on) continue;
        a->failed = true;
        if (isnan(score)) log_warn("--fail-on is inconclusive: %.*s has no LICO", (int)name.len, name.at);
        else log_warn("--fail-on failed: LICO of %.*s is %.3f, less than %g", (int)name.len, name.at, score,
                      a->fail_on);
    }
}

/* Of rank 0, the study being there. */
static int results_write(struct auditing *a, struct err *err)
{
    int rc = 0;

    if (a->output) rc = folder_write(a, err);
    else if (study_cases_tsv(&a->study, &a->out) < 0) rc = err_memory(err, a->out.len, "the lines");
    else if (a->out.len && fwrite(a->out.at, 1, a->out.len, stdout) != a->out.len)
        rc = err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    if (rc == 0 && !a->quiet) groups_say(a);
    if (rc == 0) groups_gate(a);
    return rc;
}

static int models_ask(struct auditing *a, struct comm *comm, struct err *err)
{
    struct node http = { .kind = NODE_MAP };
    int         rc = a->http.len ? node_parse(&http, "--http", a->http.at, a->http.len, err) : 0;

    if (rc == 0)
        rc = audit_licence_ask(&(struct licence_ask){ a->benchmark, a->text_field, a->output, a->asked_model,
                                                      a->models, &http, a->new_tokens, (int)a->threads, a->instruct,
                                                      a->quiet }, comm, &a->study, err);
    node_free(&http);
    return rc;
}

static int audit_run(struct auditing *a, struct err *err)
{
    struct comm *comm = NULL;
    int          rc = a->benchmark ? ranks_open(&comm, a->quiet, err) : 0;

    if (rc < 0) return rc;
    if (a->rules) rc = rules_open(&a->read_rules, a->rules, err);
    a->study.rules = a->read_rules;
    if (rc == 0 && a->tokens) rc = tokens_open(a, err);
    if (comm) rc = comm_agree(comm, rc, err);
    for (size_t p = 0; p < a->pairs_count && rc == 0; p++) rc = group_read(a, a->pairs[p], err);
    if (rc == 0 && comm) rc = models_ask(a, comm, err);
    if (rc == 0 && (!comm || comm_rank(comm) == 0)) rc = results_write(a, err);
    return comm ? ranks_close(comm, comm_agree(comm, rc, err), err) : rc;
}

/* ---- the command line ---- */

static int number_take(unsigned long *out, unsigned long most, const char *option, const char *value, struct err *err)
{
    char *end;

    errno = 0;
    *out = strtoul(value, &end, 10);
    return *end || end == value || *value == '-' || errno || *out > most
        ? err_set(err, -EINVAL, "audit licence: %s takes a number up to %lu, not `%s`", option, most, value) : 0;
}

static int similarity_take(struct auditing *a, const char *value, struct err *err)
{
    char *end;

    a->study.limits.similarity = strtod(value, &end);
    return *end || end == value || !(a->study.limits.similarity >= 0) || a->study.limits.similarity > 1
        ? err_set(err, -EINVAL, "audit licence: --similarity takes a number from 0 to 1, not `%s`", value) : 0;
}

static int limit_take(uint32_t *out, const char *option, const char *value, struct err *err)
{
    unsigned long number;
    const int     rc = number_take(&number, 1000000, option, value, err);

    *out = (uint32_t)number;
    return rc;
}

static int count_take(uint32_t *out, const char *option, const char *value, struct err *err)
{
    const int rc = limit_take(out, option, value, err);

    return rc == 0 && !*out
        ? err_set(err, -EINVAL, "audit licence: %s takes a number from 1 on, not `%s`", option, value) : rc;
}

static int fail_on_take(struct auditing *a, const char *value, struct err *err)
{
    char *end;

    a->fail_on = strtod(value, &end);
    return *end || end == value || !(a->fail_on >= 0) || a->fail_on > 1
        ? err_set(err, -EINVAL, "audit licence: --fail-on takes a number from 0 to 1, not `%s`", value) : 0;
}

static bool asks_servers(const struct auditing *a)
{
    for (size_t m = 0; m < a->models; m++)
        if (strstr(a->asked_model[m], "=http:")) return true;
    return false;
}

/* What belongs together on the command line. */
static int words_check(const struct auditing *a, struct err *err)
{
    if (a->build_count && (a->pairs_count || a->benchmark))
        return err_set(err, -EINVAL, "audit licence: --build makes a benchmark, --pairs and --benchmark have answers; "
                       "one at a time");
    if (a->benchmark && (!a->models || !a->output))
        return err_set(err, -EINVAL, "audit licence: --benchmark needs --model NAME=BACKEND:PATH and --output DIR");
    if (a->models && !a->benchmark)
        return err_set(err, -EINVAL, "audit licence: --model needs --benchmark FILE, the functions to ask for");
    if (a->http.len && !asks_servers(a))
        return err_set(err, -EINVAL, "audit licence: --http is of --model NAME=http:URL, which is not there");
    if (a->likeness > 0 && !a->unlike_count)
        return err_set(err, -EINVAL, "audit licence: --likeness is of --unlike, which is not there");
    if (a->unlike_count && !a->build_count)
        return err_set(err, -EINVAL, "audit licence: --unlike is of --build, whose functions it leaves out");
    if (a->build_count && a->fail_on >= 0)
        return err_set(err, -EINVAL, "audit licence: --fail-on is of answers, which --build has not");
    if (!a->build_count && !a->pairs_count && !a->benchmark)
        return err_set(err, -EINVAL, "audit licence: which answers?  leakgraph audit licence --pairs FILE (see "
                       "leakgraph audit licence --help)");
    return 0;
}

static int compat_take(struct auditing *a, const char *value, struct err *err)
{
    a->study.published = a->study.limits.published = strcmp(value, "published") == 0;
    return a->study.published || strcmp(value, "none") == 0 ? 0
        : err_set(err, -EINVAL, "audit licence: --compat takes published or none, not `%s`", value);
}

/* KEY=VALUE as a line of settings. */
static int http_take(struct bytes *out, const char *value, struct err *err)
{
    const size_t key = strspn(value, "abcdefghijklmnopqrstuvwxyz_");
    const char  *is = value + key + 1;
    bool         number;

    if (!key || value[key] != '=')
        return err_set(err, -EINVAL, "audit licence: --http takes KEY=VALUE, as key_env=API_KEY, not `%s`", value);
    number = *is && strspn(is, "0123456789") == strlen(is);
    return bytes_printf(out, "%.*s: ", (int)key, value) < 0 ||
        (number ? bytes_append_slice(out, slice_of(is)) : option_print_text(is, out)) < 0 ||
        bytes_append(out, "\n", 1) < 0 ? err_memory(err, strlen(value), "settings") : 0;
}

static int file_take(char **file, size_t *count, const char *option, const char *value, struct err *err)
{
    if (*count == LICENCE_BUILD_FILES)
        return err_set(err, -EINVAL, "audit licence: %s more than %d times", option, LICENCE_BUILD_FILES);
    file[(*count)++] = (char *)(uintptr_t)value;
    return 0;
}

static int option_take(struct auditing *a, const char *option, const char *value, struct err *err)
{
    struct score_limits *limits = &a->study.limits;
    const char         **text = strcmp(option, "--output") == 0 ? &a->output
        : strcmp(option, "--rules") == 0 ? &a->rules : strcmp(option, "--tokens") == 0 ? &a->tokens
        : strcmp(option, "--benchmark") == 0 ? &a->benchmark : NULL;

    if (!value) return err_set(err, -EINVAL, "audit licence: %s needs a value", option);
    if (text) {
        *text = value;
        return 0;
    }
    if (strcmp(option, "--pairs") == 0) {
        if (a->pairs_count == STUDY_GROUPS)
            return err_set(err, -EINVAL, "audit licence: more than %d groups", STUDY_GROUPS);
        a->pairs[a->pairs_count++] = value;
        return 0;
    }
    if (strcmp(option, "--build") == 0) return file_take(a->build, &a->build_count, option, value, err);
    if (strcmp(option, "--unlike") == 0) return file_take(a->unlike, &a->unlike_count, option, value, err);
    if (strcmp(option, "--likeness") == 0) {
        char *end;

        a->likeness = strtod(value, &end);
        return *end || end == value || !(a->likeness > 0) || a->likeness > 1
            ? err_set(err, -EINVAL, "audit licence: --likeness takes a number above 0, at most 1, not `%s`", value) : 0;
    }
    if (strcmp(option, "--model") == 0) {
        if (a->models == STUDY_GROUPS)
            return err_set(err, -EINVAL, "audit licence: more than %d models", STUDY_GROUPS);
        a->asked_model[a->models++] = value;
        return 0;
    }
    if (strcmp(option, "--http") == 0) return http_take(&a->http, value, err);
    if (strcmp(option, "--new-tokens") == 0 || strcmp(option, "--threads") == 0)
        return count_take(option[2] == 'n' ? &a->new_tokens : &a->threads, option, value, err);
    if (strcmp(option, "--template") == 0) {
        a->instruct = strcmp(value, "instruct") == 0;
        return a->instruct || strcmp(value, "plain") == 0 ? 0
            : err_set(err, -EINVAL, "audit licence: --template takes plain or instruct, not `%s`", value);
    }
    if (strcmp(option, "--fail-on") == 0) return fail_on_take(a, value, err);
    if (strcmp(option, "--similarity") == 0) return similarity_take(a, value, err);
    limits->uncommented |= strcmp(option, "--comments") == 0 && strcmp(value, "off") == 0;
    if (strcmp(option, "--comments") == 0 && limits->uncommented) return 0;
    if (strcmp(option, "--comments") == 0) return limit_take(&limits->comments, option, value, err);
    if (strcmp(option, "--lines") == 0) return limit_take(&limits->lines, option, value, err);
    if (strcmp(option, "--complexity") == 0) return limit_take(&limits->complexity, option, value, err);
    if (strcmp(option, "--asked") == 0) return number_take(&a->asked, 1000000000, option, value, err);
    if (strcmp(option, "--compat") == 0) return compat_take(a, value, err);
    if (strcmp(option, "--field") == 0) {
        if (strncmp(value, "text=", 5) != 0 || !value[5])
            return err_set(err, -EINVAL, "audit licence: --field takes text=FIELD, not `%s`", value);
        a->text_field = value + 5;
        return 0;
    }
    return err_set(err, -EINVAL, "audit licence: unknown option %s (see leakgraph audit licence --help)", option);
}

int audit_licence(int argc, char **argv, struct err *err)
{
    struct auditing a = { .texts = { .command = "audit licence", .take = pair_take, .context = &a },
                          .new_tokens = 512, .fail_on = -1,
                          .study = { .limits = score_limits_default, .tokens = "tokens of Python's lexer" } };
    int             rc = 0;

    for (int i = 1; i < argc && rc == 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(licence_help, stdout) < 0;
        if (strcmp(argv[i], "--quiet") == 0) a.quiet = true;
        else {
            rc = option_take(&a, argv[i], i + 1 < argc ? argv[i + 1] : NULL, err);
            i++;
        }
    }
    if (rc == 0) rc = words_check(&a, err);
    if (rc == 0 && a.build_count)
        rc = audit_licence_build(&(struct licence_build){ a.build, a.build_count, a.unlike, a.unlike_count,
                                                          a.likeness > 0 ? a.likeness : 0.2,
                                                          a.text_field, &a.study.limits, a.quiet }, err);
    else if (rc == 0) rc = audit_run(&a, err);
    study_free(&a.study);
    bytes_free(&a.http);
    model_session_close(a.session);
    model_close(a.model);
    rules_close(a.read_rules);
    bytes_free(&a.out);
    bytes_free(&a.id);
    return rc == 0 && a.failed ? 3 : rc;
}
