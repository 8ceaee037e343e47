/* cmd/compare.c -- `leakgraph compare`: what a leak does to the scores of models at a benchmark. */
#include "cmd/command.h"
#include "cmd/compare_items.h"
#include "cmd/number.h"

#include "base/log.h"
#include "score/file.h"
#include "score/tell.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char compare_help[] =
    "usage: leakgraph compare RUN --benchmark NAME [MODEL[@SEED]=]FILE... [...]\n"
    "\n"
    "What would a score be without the leak?  Splits what models did at the items of a benchmark by what\n"
    "a finished run found of them, into leaked and clean ones: means with 95 % intervals, how far the\n"
    "groups are apart, tests (docs/definitions.md, `Scores`).\n"
    "\n"
    "FILE holds a score or an answer an item, compressed or not, told by its shape:\n"
    "  rows         JSON lines (or a list of objects).  id (task_id, source_id, idx, question_id,\n"
    "               problem_id) names the item; model, model_kind, seed, layer say whose row it is;\n"
    "               prediction (pred, generated, generation, completion, solution, output) and reference\n"
    "               (target, canonical_solution, gold) are texts; rank, or scores with the index of the\n"
    "               right one, gives mrr; every other number or truth is a column\n"
    "  samples      of lm-evaluation-harness (--log_samples): doc_id, doc, target, filtered_resps; a\n"
    "               metric with a filter is METRIC,FILTER\n"
    "  details      EvalPlus' eval_results.json (base, plus), or what BigCode's code_eval says of each\n"
    "               try, {ITEM: [[TRY, {\"passed\": ...}]]}\n"
    "  lists        of answers, by place: [\"...\", ...], or [[\"...\", ...], ...] as BigCode's harness keeps\n"
    "               generations; what they should be is in --references\n"
    "MODEL and SEED are those of rows that do not say.  Several rows of an item are tries of it.\n"
    "Ids are those of the benchmark (snippets.source_id); numbers that are none are places among its\n"
    "items, from 0 (with --split, among those of the split).  Rows of no item are counted and named.\n"
    "\n"
    "  --benchmark NAME     of the run\n"
    "  --split NAME         its items of this split alone\n"
    "  --leaked RULE        which items leaked, over what the run found, as in clean.where (leakgraph\n"
    "                       help config): near, `contained or clone_type1`, `gpt3_13gram`, in_repository,\n"
    "                       from_strong_copyleft, ...; without it `leaked`, what fail_on.leakage counts:\n"
    "                       items with an exact, near or contained pair in a corpus, copies, functions\n"
    "                       and passages\n"
    "  --references FILE    what answers should be: a list by place, or rows with an id\n"
    "  --metric NAME        a column; exact, bleu, edit, ngram, weighted_ngram (CodeBLEU's parts that\n"
    "                       need no parser) of answers, times 100; pass@K of tries, unbiased.  Repeat it\n"
    "                       for more; without it pass@1, 10, 100 of tests, every other column, or exact,\n"
    "                       bleu and edit\n"
    "  --words prose|space  of bleu: small letters, runs of letters and single signs (default), or what\n"
    "                       stands between white space\n"
    "  --tables             only means over seeds, differences and slopes along layers, in the shapes of\n"
    "                       Tables 2 to 5 of Lopez et al. 2024\n"
    "  --csv                a line a run: model,seed,dup,non_dup,full[,model_kind][,layer]\n"
    "  --json               all of it as JSON\n"
    "  --draws N            of bootstrap and permutations (9999)\n"
    "  --seed N             of everything that is drawn (1)\n"
    "\n"
    "Examples:\n"
    "  leakgraph compare results/run --benchmark humaneval m=eval_results.json\n"
    "  leakgraph compare results/run --benchmark tlc --split test --references references.txt \\\n"
    "      leaky@1=predictions.txt --metric bleu\n"
    "  leakgraph compare results/run --benchmark gsm8k samples_gsm8k.jsonl --leaked 'llama3_8gram >= 0.8'\n";

enum { FILES_MOST = 256, DRAWS_MOST = 10000000 };

enum form { FORM_TEXT, FORM_JSON, FORM_CSV, FORM_TABLES };

struct asking {
    struct compare_choice choice;
    struct score_wish     wish;
    struct score_draws    draws;
    enum form             form;
    const char           *references, *path[FILES_MOST];
    struct score_source   source[FILES_MOST];
    size_t                count;
    const char           *metric[SCORE_METRICS_MOST + 1];   /* up to NULL */
    size_t                metrics;

    struct score_items    items;
    struct compare_found  found;
    struct score_samples  samples;
    struct score_matched  matched;
    struct slice         *reference;                        /* [items.count], of `wanted`'s texts; or NULL */
    struct score_samples  wanted;
    struct score_points   points;
    struct score_study    study;
};

/* ---- the command line ---- */

static int metric_take(struct asking *a, const char *value, struct err *err)
{
    if (a->metrics == SCORE_METRICS_MOST)
        return err_set(err, -EINVAL, "compare: --metric more than %d times", SCORE_METRICS_MOST);
    a->metric[a->metrics++] = value;
    a->wish.metric = a->metric;
    return 0;
}

/* A file twice for one model would be more tries of each item than there were. */
static int file_once(const struct asking *a, size_t file, struct err *err)
{
    struct stat is, was;

    for (size_t f = 0; f < file; f++)
        if (slice_equal(a->source[f].model, a->source[file].model) &&
            slice_equal(a->source[f].seed, a->source[file].seed) &&
            stat(a->path[f], &was) == 0 && stat(a->path[file], &is) == 0 && is.st_dev == was.st_dev &&
            is.st_ino == was.st_ino)
            return err_set(err, -EINVAL, "compare: %s is there twice: its rows would be twice as many tries",
                           a->path[file]);
    return 0;
}

/* MODEL[@SEED]=FILE; without a name there is none.  Models have slashes: a word that is a file is one. */
static int file_take(struct asking *a, const char *word, struct err *err)
{
    const char *equals = strchr(word, '='), *at = NULL;

    if (a->count == FILES_MOST) return err_set(err, -EINVAL, "compare: more than %d files", FILES_MOST);
    if (equals && access(word, F_OK) == 0) equals = NULL;
    a->path[a->count] = equals ? equals + 1 : word;
    a->source[a->count] = (struct score_source){ { 0 }, { 0 } };
    if (equals) {
        at = memrchr(word, '@', (size_t)(equals - word));
        a->source[a->count].model = (struct slice){ word, (size_t)((at ? at : equals) - word) };
        if (at) a->source[a->count].seed = (struct slice){ at + 1, (size_t)(equals - at - 1) };
    }
    if (!*a->path[a->count] || equals == word)
        return err_set(err, -EINVAL, "compare: `%s` is no [MODEL[@SEED]=]FILE", word);
    return file_once(a, a->count++, err);
}

static int words_take(struct asking *a, const char *value, struct err *err)
{
    a->wish.words = strcmp(value, "space") == 0 ? SCORE_WORDS_SPACE : SCORE_WORDS_PROSE;
    return a->wish.words == SCORE_WORDS_SPACE || strcmp(value, "prose") == 0 ? 0
        : err_set(err, -EINVAL, "compare: --words takes prose or space, not `%s`", value);
}

static int option_take(struct asking *a, const char *option, const char *value, struct err *err)
{
    static const char *const names[] = { "--benchmark", "--split", "--leaked", "--references" };
    const char             **to[] = { &a->choice.benchmark, &a->choice.split, &a->choice.rule, &a->references };
    uint64_t                 number = 0;
    int                      rc;

    if (!value) return err_set(err, -EINVAL, "compare: %s needs a value", option);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i]) == 0) {
            *to[i] = value;
            return 0;
        }
    if (strcmp(option, "--metric") == 0) return metric_take(a, value, err);
    if (strcmp(option, "--words") == 0) return words_take(a, value, err);
    if (strcmp(option, "--seed") == 0) return number_take(&a->draws.seed, 0, UINT64_MAX, "compare", option, value, err);
    if (strcmp(option, "--draws") != 0)
        return err_set(err, -EINVAL, "compare: unknown option %s (see leakgraph compare --help)", option);
    rc = number_take(&number, 100, DRAWS_MOST, "compare", option, value, err);
    a->draws.draws = (uint32_t)number;
    return rc;
}

static int form_take(struct asking *a, enum form form, struct err *err)
{
    if (a->form != FORM_TEXT && a->form != form)
        return err_set(err, -EINVAL, "compare: --json, --csv and --tables are one at a time");
    a->form = form;
    return 0;
}

static int line_read(struct asking *a, int argc, char **argv, struct err *err)
{
    int rc = 0;

    for (int i = 1; i < argc && rc == 0; i++) {
        if (strcmp(argv[i], "--json") == 0) rc = form_take(a, FORM_JSON, err);
        else if (strcmp(argv[i], "--csv") == 0) rc = form_take(a, FORM_CSV, err);
        else if (strcmp(argv[i], "--tables") == 0) rc = form_take(a, FORM_TABLES, err);
        else if (strncmp(argv[i], "--", 2) == 0) {
            rc = option_take(a, argv[i], i + 1 < argc ? argv[i + 1] : NULL, err);
            i++;
        } else if (!a->choice.run) a->choice.run = argv[i];
        else rc = file_take(a, argv[i], err);
    }
    if (rc == 0 && (!a->choice.run || !a->choice.benchmark || !a->count))
        rc = err_set(err, -EINVAL, "compare: the folder of a run, --benchmark NAME and files of scores are needed (see "
                                   "leakgraph compare --help)");
    return rc;
}

/* ---- the answers ---- */

/* What each item's answer should be, by a file of its own. */
static int references_read(struct asking *a, struct err *err)
{
    const struct score_source source = { { 0 }, { 0 } };
    struct score_matched      matched = { 0 };
    int                       rc;

    if (!a->references) return 0;
    a->reference = calloc(a->items.count + 1, sizeof *a->reference);
    rc = a->reference ? score_file_read(&a->wanted, a->references, &source, err)
        : err_memory(err, a->items.count * sizeof *a->reference, "references");
    if (rc == 0) rc = score_match(&a->items, &a->wanted, &matched, err);
    for (size_t s = 0; s < a->wanted.count && rc == 0; s++) {
        const struct score_sample *sample = &a->wanted.at[s];

        if (matched.item[s] != TABLE_NONE)
            a->reference[matched.item[s]] = sample->reference.at ? sample->reference : sample->prediction;
    }
    if (rc == 0 && !matched.matched)
        rc = err_set(err, -EINVAL, "%s: none of its %zu rows is of an item of %s", a->references, a->wanted.count,
                     a->choice.benchmark);
    else if (rc == 0 && matched.strangers)
        log_warn("%s: %zu of %zu rows are of no item of %s", a->references, matched.strangers, a->wanted.count,
                 a->choice.benchmark);
    score_matched_free(&matched);
    return rc;
}

/* Each file has rows of items, or it is of another benchmark. */
static int files_check(const struct asking *a, struct err *err)
{
    for (size_t f = 0; f < a->samples.file_count; f++)
        if (a->matched.naming[f] == SCORE_BY_NOTHING)
            return err_set(err, -EINVAL, "compare: %.300s: none of its rows is of an item of %s: its ids are like "
                           "`%.60s`", a->samples.file[f], a->choice.benchmark,
                           a->items.count ? a->items.at[0].id.at : "");
    return a->matched.matched ? 0
        : err_set(err, -EINVAL, "compare: each of %zu rows has an id that several items of %s have", a->samples.count,
                  a->choice.benchmark);
}

static int samples_read(struct asking *a, struct err *err)
{
    int rc = 0;

    for (size_t f = 0; f < a->count && rc == 0; f++)
        rc = score_file_read(&a->samples, a->path[f], &a->source[f], err);
    if (rc == 0) rc = score_match(&a->items, &a->samples, &a->matched, err);
    if (rc == 0) rc = files_check(a, err);
    return rc;
}

/* ---- what comes out ---- */

static int answer_render(const struct asking *a, struct bytes *out, struct err *err)
{
    const struct score_told told = { &a->samples, &a->items, &a->matched, &a->points, &a->study, a->choice.benchmark,
                                     a->choice.split, a->choice.rule ? a->choice.rule : "leaked", a->found.rejected,
                                     a->found.compared };
    struct report_document  document;
    int                     rc;

    if (a->form == FORM_CSV) return score_csv(&told, out, err);
    report_open(&document, "What the leak does to scores");
    (a->form == FORM_TABLES ? score_tell_tables : score_tell)(&told, &document);
    rc = (a->form == FORM_JSON ? report_json : report_markdown)(&document, out);
    report_close(&document);
    return rc < 0 ? err_memory(err, out->len, "the answer") : 0;
}

static int answer_print(const struct asking *a, struct err *err)
{
    struct bytes out = { 0 };
    int          rc = answer_render(a, &out, err);

    if (rc == 0 && fwrite(out.at, 1, out.len, stdout) != out.len)
        rc = err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    bytes_free(&out);
    return rc;
}

static void asking_free(struct asking *a)
{
    score_study_free(&a->study);
    score_points_free(&a->points);
    score_matched_free(&a->matched);
    score_samples_free(&a->samples);
    score_samples_free(&a->wanted);
    score_items_free(&a->items);
    free(a->reference);
    free(a);
}

int cmd_compare(int argc, char **argv, struct err *err)
{
    struct asking *a;
    int            rc;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(compare_help, stdout) < 0;
    a = calloc(1, sizeof *a);
    if (!a) return err_memory(err, sizeof *a, "the scores");
    a->draws = (struct score_draws){ 9999, 1, omp_get_max_threads() };
    rc = line_read(a, argc, argv, err);
    if (rc == 0) rc = compare_items_read(&a->choice, &a->items, &a->found, err);
    if (rc == 0) rc = samples_read(a, err);
    if (rc == 0) rc = references_read(a, err);
    if (rc == 0)
        rc = score_points_make(&a->samples, &a->items, &a->matched, a->reference, &a->wish, &a->points, err);
    if (rc == 0) rc = score_study_make(&a->samples, &a->items, &a->points, &a->draws, &a->study, err);
    if (rc == 0) rc = answer_print(a, err);
    asking_free(a);
    return rc;
}
