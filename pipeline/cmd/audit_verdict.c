/* cmd/audit_verdict.c -- `leakgraph audit verdict`: from rows of hits to what a model was trained on. */
#include "audit/verdict.h"
#include "base/file.h"
#include "base/log.h"
#include "base/outputs.h"
#include "cmd/audit.h"
#include "cmd/audit_rows.h"
#include "cmd/number.h"
#include "inclusion/verdict.h"
#include "page/report_write.h"
#include "probe/probe.h"
#include "report/tsv.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETS_MAX = 64, NAME_MAX_LEN = AUDIT_ROWS_NAME, THREADS_MAX = 1024, DRAWS_MAX = 10000000, PLACES_MAX = 320 };

_Static_assert(SETS_MAX >= PROBE_MODELS * INCLUSION_THRESHOLDS, "room for all sets of a run");

/* of each set a classifier of every kind and its features; the rest are a few tables and the report */
_Static_assert(SETS_MAX * (VERDICT_KINDS + 1) + 64 <= PLACES_MAX, "room for all places");

#define FOLDER "verdict"

static const char verdict_help[] =
    "usage: leakgraph audit verdict [NAME=]FEATURES.csv... [--output DIR] [...]\n"
    "       leakgraph audit verdict RUN [--output DIR] [...]\n"
    "\n"
    "Says which repositories a model was trained on, from how many masked elements of their files it\n"
    "gave back (TraWiC; docs/definitions.md, `Verdicts`).  Each file of rows is one way to count hits, a\n"
    "threshold say; NAME is by default the file's.  A row has the file's name, class_hits,\n"
    "class_nums_total, and so on for function, variable, string, comment, docstring; then trained_on (1,\n"
    "0, or nothing: not known) and repository.  Columns are found by name, the file's as file_name or\n"
    "else the first one; counts may be missing.\n"
    "\n"
    "RUN is the folder of a run that has asked models for elements of files (`inclusion` in\n"
    "pipeline.yaml): rows of each model at the thresholds 20, 40, 60 and 80.  Then table elements has\n"
    "what gives repositories away, table missed what was said where a name was not given back;\n"
    "with --output the rows are there too, MODEL-THRESHOLD.csv.\n"
    "\n"
    "Learns from some of the repositories with a label, is tested with the others, and says what it\n"
    "thinks of those without.  And tests each repository, without learning, against those of label 0:\n"
    "p-values, and how often they are wrong.  With labels 0 and none, only that.\n"
    "\n"
    "  --output DIR         tables, report.html, .md and .json, roc.svg and the classifiers, in\n"
    "                       DIR/verdict; without it one table on standard output.  Files there that\n"
    "                       DIR/manifest.tsv does not name are not written over\n"
    "  --table NAME         which: repositories (default), files, scores, compared, noise, untrained,\n"
    "                       false_positives, settings, importance, correlation, calibration, roc;\n"
    "                       of a run also elements, missed\n"
    "  --classifier forest|boosting|svm|all   forest unless given\n"
    "  --grid on|off        choose settings by cross-validation among the published ones (on), or take\n"
    "                       defaults; boosting has 243 to try\n"
    "  --test SHARE         of the repositories with a label that is kept for the test (0.5; published:\n"
    "                       0.2 of the files)\n"
    "  --columns hits|all   6 or 12 columns (all; svm: hits, as counts would drown them)\n"
    "  --use FILE.json      asks a classifier that was stored; nothing is learned, all rows with a label\n"
    "                       are the test\n"
    "  --reference FILE     rows of another model for the same files, one that was not trained on them:\n"
    "                       what counts is what this one knows better\n"
    "  --draws N            of the permutation tests (9999; 0: none are made)\n"
    "  --seed N             of everything that is drawn (0)\n"
    "  --compat published   as the released code: rows are dealt by file, a repository is the first\n"
    "                       component of the path (of a run REPOSITORY/PATH: the owner), its label that\n"
    "                       of its last file; in rows of a run empty answers and values like `null` do\n"
    "                       not count, nor does what was asked of a file and answered twice\n"
    "  --threads N, --quiet   as for `run`\n"
    "\n"
    "Examples:\n"
    "  leakgraph audit verdict results/run --classifier all --output results/run\n"
    "  leakgraph audit verdict 20=t20.csv 60=t60.csv --classifier all --output audit\n"
    "  leakgraph audit verdict new.csv --use audit/verdict/20-forest.json --table files\n"
    "  leakgraph audit verdict rows.csv --table untrained | awk -F'\\t' '$11 <= 0.01'\n";

struct asking {
    struct verdict         set[SETS_MAX];
    const char            *path[SETS_MAX];
    char                   name[SETS_MAX][NAME_MAX_LEN];
    size_t                 count;
    struct verdict_options options;
    const char            *output, *table, *use, *reference, *run;
    const char            *learning;                        /* an option that is of learning alone */
    bool                   test_said, quiet;
    char                   room[PLACES_MAX][NAME_MAX_LEN + 48];
    const char            *place[PLACES_MAX];               /* what is written, below the output */
    size_t                 places;
};

/* ---- the command line ---- */

static int share_take(struct asking *a, const char *value, struct err *err)
{
    char *end;

    a->test_said = true;
    a->options.test_share = strtod(value, &end);
    return *end || end == value || !(a->options.test_share > 0) || a->options.test_share >= 1
        ? err_set(err, -EINVAL, "audit verdict: --test takes a share between 0 and 1, not `%s`", value) : 0;
}

static int classifier_take(struct asking *a, const char *value, struct err *err)
{
    const bool all = strcmp(value, "all") == 0;
    bool       known = all;

    for (int k = 0; k < VERDICT_KINDS; k++) {
        a->options.kind[k] = all || strcmp(value, classifier_names[k]) == 0 ||
                             (k == CLASSIFIER_BOOST && strcmp(value, "boost") == 0);
        known |= a->options.kind[k];
    }
    if (all && !svm_available()) a->options.kind[CLASSIFIER_SVM] = false;
    return known ? 0
        : err_set(err, -EINVAL, "audit verdict: --classifier takes forest, boosting, svm or all, not `%s`", value);
}

static int word_take(bool *out, const char *yes, const char *no, const char *option, const char *value,
                     struct err *err)
{
    *out = strcmp(value, yes) == 0;
    return *out || strcmp(value, no) == 0 ? 0
        : err_set(err, -EINVAL, "audit verdict: %s takes %s or %s, not `%s`", option, yes, no, value);
}

/* Nothing is learned where a classifier is there, and nothing is drawn where no test is made. */
static int options_check(const struct asking *a, struct err *err)
{
    if (a->use && a->learning)
        return err_set(err, -EINVAL, "audit verdict: %s is of learning, and --use asks a classifier that has learned: "
                                     "leave out one of them", a->learning);
    return !a->reference || a->options.draws ? 0
        : err_set(err, -EINVAL, "audit verdict: --reference is of the permutation tests, and --draws 0 makes none: "
                                "leave out one of them");
}

static int option_take(struct asking *a, const char *option, const char *value, struct err *err)
{
    static const char *const learning[] = { "--classifier", "--grid", "--test" };
    uint64_t                 number = 0;
    int                      rc = 0;

    for (size_t i = 0; i < sizeof learning / sizeof *learning; i++)
        if (strcmp(option, learning[i]) == 0) a->learning = learning[i];
    if (strcmp(option, "--classifier") == 0) return classifier_take(a, value, err);
    if (strcmp(option, "--test") == 0) return share_take(a, value, err);
    if (strcmp(option, "--grid") == 0) return word_take(&a->options.grid, "on", "off", option, value, err);
    if (strcmp(option, "--columns") == 0) return word_take(&a->options.hits_only, "hits", "all", option, value, err);
    if (strcmp(option, "--compat") == 0)
        return word_take(&a->options.published, "published", "none", option, value, err);
    if (strcmp(option, "--seed") == 0)
        return number_take(&a->options.seed, 0, (UINT64_C(1) << 53) - 1, "audit verdict", option, value, err);
    if (strcmp(option, "--output") == 0) a->output = value;
    else if (strcmp(option, "--table") == 0) a->table = value;
    else if (strcmp(option, "--use") == 0) a->use = value;
    else if (strcmp(option, "--reference") == 0) a->reference = value;
    else if (strcmp(option, "--draws") == 0) {
        rc = number_take(&number, 0, DRAWS_MAX, "audit verdict", option, value, err);
        a->options.draws = (uint32_t)number;
    } else if (strcmp(option, "--threads") == 0) {
        rc = number_take(&number, 1, THREADS_MAX, "audit verdict", option, value, err);
        a->options.threads = (int)number;
    } else return err_set(err, -EINVAL, "audit verdict: unknown option %s (see leakgraph audit verdict --help)",
                          option);
    return rc;
}

/* [NAME=]FILE; without a name the file's, which ends before its last dot. */
static int file_take(struct asking *a, const char *word, struct err *err)
{
    const char *equals = strchr(word, '='), *slash = strrchr(word, '/'), *path = word, *from = word, *end;
    char       *name = a->name[a->count];

    if (audit_rows_is_run(word)) {
        if (a->run) return err_set(err, -EINVAL, "audit verdict: one run at a time, not `%s` beside it", word);
        a->run = word;
        return 0;
    }
    if (a->count == SETS_MAX) return err_set(err, -EINVAL, "audit verdict: more than %d files", SETS_MAX);
    if (equals && equals > word && memchr(word, '/', (size_t)(equals - word)) == NULL) {
        path = equals + 1;
        end = equals;
    } else {
        from = slash ? slash + 1 : word;
        end = strrchr(from, '.');
        if (!end || end == from) end = from + strlen(from);
    }
    if (end == from || (size_t)(end - from) >= NAME_MAX_LEN || !*path)
        return err_set(err, -EINVAL, "audit verdict: `%s` is no [NAME=]FILE with a name of 1 to %d bytes", word,
                       NAME_MAX_LEN - 1);
    memcpy(name, from, (size_t)(end - from));
    name[end - from] = 0;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->name[i], name) == 0)
            return err_set(err, -EINVAL, "audit verdict: two files are called `%s`: say NAME=FILE", name);
    a->path[a->count] = path;
    a->set[a->count++].name = name;
    return 0;
}

static int line_read(struct asking *a, int argc, char **argv, struct err *err)
{
    int rc = 0;

    a->options = (struct verdict_options){ .kind = { [CLASSIFIER_FOREST] = true }, .grid = true, .draws = 9999,
                                           .threads = omp_get_max_threads() };
    for (int i = 1; i < argc && rc == 0; i++) {
        if (strcmp(argv[i], "--quiet") == 0) a->quiet = true;
        else if (argv[i][0] != '-') rc = file_take(a, argv[i], err);
        else if (i + 1 == argc) rc = err_set(err, -EINVAL, "audit verdict: %s needs a value", argv[i]);
        else {
            rc = option_take(a, argv[i], argv[i + 1], err);
            i++;
        }
    }
    if (rc == 0 && !a->count == !a->run)
        rc = err_set(err, -EINVAL, "audit verdict: which rows?  leakgraph audit verdict FEATURES.csv..., or the folder "
                                   "of one run (see leakgraph audit verdict --help)");
    if (rc == 0) rc = options_check(a, err);
    if (!a->test_said) a->options.test_share = a->options.published ? 0.2 : 0.5;
    return rc;
}

/* ---- what comes out ---- */

static const struct report_node *table_named(const struct report_node *node, const char *key)
{
    const struct report_node *found = NULL;

    if (node->kind == REPORT_TABLE && strcmp(node->key, key) == 0) return node;
    for (const struct report_node *child = node->child; child && !found; child = child->next)
        found = table_named(child, key);
    return found;
}

static int table_print(const struct report_document *document, const char *key, struct err *err)
{
    const struct report_node *table = document->failed ? NULL : table_named(document->root, key);
    struct bytes              text = { 0 };
    int                       rc = 0;

    if (document->failed) return err_memory(err, 0, "the tables");
    if (!table) return err_set(err, -EINVAL, "audit verdict: there is no table `%s`", key);
    if (report_tsv(table, &text) < 0) rc = err_memory(err, text.len, key);
    else fwrite(text.at, 1, text.len, stdout);
    bytes_free(&text);
    return rc;
}

/* ---- the folder ---- */

static void place_add(struct asking *a, const char *name, const char *end)
{
    assert(a->places < PLACES_MAX);
    snprintf(a->room[a->places], sizeof a->room[0], FOLDER "/%s%s", name, end);
    a->place[a->places] = a->room[a->places];
    a->places++;
}

static void places_of_tables(struct asking *a, const struct report_node *node)
{
    for (const struct report_node *child = node->child; child; child = child->next) {
        places_of_tables(a, child);
        if (child->kind == REPORT_TABLE) place_add(a, child->key, ".tsv");
    }
}

static bool has_classifier(const struct asking *a, size_t set, int kind) { return a->set[set].tried[kind] && !a->use; }

static void classifier_name(const struct asking *a, size_t set, int kind, char name[NAME_MAX_LEN + 32])
{
    snprintf(name, NAME_MAX_LEN + 32, "%s-%s.json", a->name[set], classifier_names[kind]);
}

/* All that will be written. */
static void places_take(struct asking *a, const struct report_document *document, bool picture)
{
    char name[NAME_MAX_LEN + 32];

    places_of_tables(a, document->root);
    for (size_t i = 0; i < REPORT_WRITE_FILES; i++) place_add(a, report_write_names[i], "");
    if (picture) place_add(a, "roc.svg", "");
    for (size_t i = 0; i < a->count; i++) {
        for (int k = 0; k < VERDICT_KINDS; k++) {
            if (!has_classifier(a, i, k)) continue;
            classifier_name(a, i, k, name);
            place_add(a, name, "");
        }
        if (a->run) place_add(a, a->name[i], ".csv");
    }
}

static int files_write(const struct asking *a, const struct report_document *document, struct slice picture,
                       const char *folder, struct err *err)
{
    char path[FILE_NAME_MAX], name[NAME_MAX_LEN + 32];
    int  rc = report_tsv_write(document, folder, err);

    if (rc == 0) rc = report_write_document(document, folder, a->options.threads, err);
    if (rc == 0 && picture.len && (rc = file_join(folder, "roc.svg", path, err)) == 0)
        rc = file_write(path, picture, err);
    for (size_t i = 0; i < a->count && rc == 0; i++)
        for (int k = 0; k < VERDICT_KINDS && rc == 0; k++) {
            if (!has_classifier(a, i, k)) continue;
            classifier_name(a, i, k, name);
            if ((rc = file_join(folder, name, path, err)) == 0)
                rc = classifier_write(&a->set[i].trial[k].classifier, path, err);
        }
    for (size_t i = 0; i < a->count && rc == 0 && a->run; i++) {
        snprintf(name, sizeof name, "%s.csv", a->name[i]);
        if ((rc = file_join(folder, name, path, err)) == 0)
            rc = audit_features_write(&a->set[i].features, true, path, err);
    }
    return rc;
}

/* The places are the command's own, in a folder that is no link; it is made.  -EINVAL: they are of somebody else. */
static int places_claim(const struct asking *a, struct stage *stage, struct err *err)
{
    int folder = inside_open(a->output, FOLDER, true, err), rc = folder < 0 ? folder : 0;

    if (folder >= 0) close(folder);
    if (rc == 0) rc = outputs_replace(stage, a->place, a->places, false, err);
    return rc == -ELOOP || rc == -ENOTDIR || rc == -EEXIST ? err->code = -EINVAL : rc;
}

static int folder_write(struct asking *a, const struct report_document *document, struct err *err)
{
    struct stage *stage = NULL;
    struct bytes  picture = { 0 };
    char          folder[FILE_NAME_MAX];
    int           rc = document->failed ? err_memory(err, 0, "the tables") : file_join(a->output, FOLDER, folder, err);

    if (rc == 0 && verdict_roc_svg(a->set, a->count, &picture) < 0) rc = err_memory(err, picture.len, "roc.svg");
    if (rc == 0) places_take(a, document, picture.len > 0);
    if (rc == 0) rc = stage_open(&stage, a->output, true, err);
    if (rc == 0) rc = places_claim(a, stage, err);
    if (rc == 0) rc = files_write(a, document, bytes_slice(&picture), folder, err);
    for (size_t i = 0; i < a->places && rc == 0; i++) rc = outputs_settle(stage, a->place[i], err);
    if (rc == 0 && !a->quiet) log_info("%s: report.html, report.md, report.json and tables", folder);
    stage_close(stage);
    bytes_free(&picture);
    return rc;
}

static void say(const struct verdict *v)
{
    for (int k = 0; k < VERDICT_KINDS; k++)
        if (v->tried[k] && v->parts.test)
            log_info("%s: %s, of %zu files of the test: F1 %.3f, accuracy %.3f; repositories by more than 0.4: F1 %.3f",
                     v->name, classifier_names[k], v->parts.test, v->trial[k].score[AUDIT_SINGLE].f1,
                     v->trial[k].score[AUDIT_SINGLE].accuracy, v->trial[k].score[AUDIT_FOUR].f1);
    for (int test = 0; test < VERDICT_TESTS; test++) {
        const struct verdict_rate rate = verdict_rate_of(v, test, 0);

        if (rate.clean + rate.trained)
            log_info("%s: p at most 0.05 by %s: %llu of %llu clean repositories, %llu of %llu trained on", v->name,
                     verdict_test_names[test], (unsigned long long)rate.wrong, (unsigned long long)rate.clean,
                     (unsigned long long)rate.found, (unsigned long long)rate.trained);
    }
}

/* ---- the command ---- */

/* A model's rows at each threshold are a set, as a file is. */
static int run_read(struct asking *a, struct err *err)
{
    struct audit_rows *row;
    size_t             count;
    int                rc = audit_rows_read(a->run, a->options.published, &row, &count, err);

    if (rc == 0 && count > SETS_MAX) rc = err_set(err, -EINVAL, "%s: more than %d sets of rows", a->run, SETS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (rc < 0) {
            audit_features_free(&row[i].features);
            continue;
        }
        memcpy(a->name[i], row[i].name, sizeof a->name[i]);
        a->set[a->count++] = (struct verdict){ .name = a->name[i], .features = row[i].features };
    }
    free(row);
    return rc;
}

static int make_all(struct asking *a, struct err *err)
{
    struct audit_features reference = { 0 };
    int                   rc = a->reference ? audit_features_read(&reference, a->reference, err) : 0;

    if (rc == 0 && a->run) rc = run_read(a, err);
    for (size_t i = 0; i < a->count && rc == 0; i++) {
        struct classifier stored = { 0 };

        if (!a->run) rc = audit_features_read(&a->set[i].features, a->path[i], err);
        if (rc == 0 && a->set[i].features.count == 0) rc = err_set(err, -EBADMSG, "%s: has no row", a->path[i]);
        if (rc == 0 && a->use) rc = classifier_read(a->use, &stored, err);
        if (rc == 0)
            rc = verdict_make(&a->set[i], &a->options, a->reference ? &reference : NULL, a->use ? &stored : NULL, err);
        classifier_free(&stored);
        if (rc == 0 && !a->quiet) say(&a->set[i]);
    }
    audit_features_free(&reference);
    return rc;
}

static const char *first_table(const struct asking *a)
{
    for (int k = 0; k < VERDICT_KINDS; k++) if (a->set[0].tried[k]) return "repositories";
    return "untrained";
}

int audit_verdict(int argc, char **argv, struct err *err)
{
    struct asking         *a;
    struct report_document document = { 0 };
    int                    rc;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(verdict_help, stdout) < 0;
    a = calloc(1, sizeof *a);
    if (!a) return err_memory(err, sizeof *a, "the rows");
    rc = line_read(a, argc, argv, err);
    if (rc == 0) rc = make_all(a, err);
    if (rc == 0) {
        verdict_document(a->set, a->count, &a->options, &document);
        if (a->run) rc = audit_rows_tell(a->run, a->options.published, &document, err);
        if (rc == 0 && a->output) rc = folder_write(a, &document, err);
        if (rc == 0 && (a->table || !a->output))
            rc = table_print(&document, a->table ? a->table : first_table(a), err);
    }
    report_close(&document);
    for (size_t i = 0; i < a->count; i++) verdict_free(&a->set[i]);
    free(a);
    return rc;
}
