/* cmd/train_ngram.c -- leakgraph train-ngram: a model of n-grams from corpora, or from an ARPA file. */
#include "base/file.h"
#include "base/option.h"
#include "base/status.h"
#include "cmd/command.h"
#include "config/config.h"
#include "config/field_option.h"
#include "config/said.h"
#include "cmd/interrupt.h"
#include "cmd/number.h"
#include "cmd/ranks.h"
#include "cmd/version.h"
#include "cmd/wrong_field.h"
#include "config/yaml_text.h"
#include "corpus/extent.h"
#include "train/train.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS_MAX = 1024, FIELDS_MAX = 16 };

static void train_help(void)
{
    fputs("usage: leakgraph train-ngram --corpus NAME=GLOB... --output FILE.lm [...]\n"
          "       leakgraph train-ngram --from-arpa FILE.arpa --output FILE.lm\n\n"
          "Trains a language model on all documents of the corpora, in one pass: the probability of every\n"
          "token after the ones before it, from the counts of n-grams.  A token is a word with the space\n"
          "before it, a line feed with the indentation after it, or another byte; nothing of a text is lost.\n"
          "The model is one file, which probes map: `backend: ngram`.  The same corpora give the same file,\n"
          "whatever the ranks, threads and memory.  Killed at any moment, the same command goes on where it\n"
          "was.\n\n"
          "  --corpus NAME=GLOB   what it is trained on; repeat it for more files.  .jsonl, .json, .csv, .tsv\n"
          "                       [.gz|.zst|.xz|.bz2], Parquet, archives, folders of source files; quote it\n"
          "  --output FILE.lm     the model, in place of one that is there; its folder is made.\n"
          "                       FILE.lm.rejects.tsv lists records that could not be used\n"
          "  --order N            tokens of the longest n-gram, 2 to 7 (default 5)\n"
          "  --smoothing kneser-ney|witten-bell\n"
          "                       kneser-ney: interpolated, modified (default)\n"
          "  --min-count N        a token that stands less often in the corpora is <unk> (default 1: none is)\n"
          "  --memory SIZE        that each rank takes for counting (default 2GB); less is slower.  The\n"
          "                       estimate on rank 0 is not in it: about 60 bytes for each different n-gram\n"
          "  --field [DATASET.]NAME=FIELD\n"
          "                       as for `run`: --field text=code, --field lib.text=code\n"
          "  --arpa FILE          writes the model also as ARPA text, for other tools\n"
          "  --from-arpa FILE     makes the model from an ARPA file instead of corpora\n"
          "  --work DIR           keeps the corpora's tokens there, so that another order or smoothing needs no\n"
          "                       pass (default: FILE.lm.work, removed at the end)\n"
          "  --threads N, --quiet   as for `run`\n\n"
          "examples:\n"
          "  leakgraph train-ngram --corpus python='python/*.jsonl.zst' --output python.lm\n"
          "  leakgraph train-ngram --corpus lib=/usr/lib/python3 --smoothing witten-bell --output lib.lm\n"
          "  mpirun -n 8 --bind-to none leakgraph train-ngram --corpus c='c/*.jsonl.zst' --memory 8GB \\\n"
          "    --output c.lm\n", stdout);
}

/* ---- the command line ---- */

struct train_line {
    struct named_glob    glob[NAMED_GLOBS_MAX];
    size_t               glob_count;
    char                 field[FIELDS_MAX][FIELD_OPTION_MAX];
    struct said_option          said[FIELDS_MAX];
    size_t               field_count;
    const char          *output, *work, *arpa, *from_arpa;
    struct bytes         settings;                          /* YAML, for the rows */
    struct train_options options;
    int                  threads;
    bool                 quiet, help;
};

static const struct option train_rows[] = {
    { "order", OPTION_U32, offsetof(struct train_options, order), "5", 2, LM_ORDER_MAX, NULL,
      "tokens of the longest n-gram" },
    { "smoothing", OPTION_CHOICE, offsetof(struct train_options, smoothing), "kneser-ney", 0, 0,
      "kneser-ney|witten-bell", "of estimates" },
    { "min-count", OPTION_U32, offsetof(struct train_options, least), "1", 1, UINT32_MAX, NULL,
      "a rarer token is <unk>" },
    { "memory", OPTION_SIZE, offsetof(struct train_options, memory), "2GB", 1, 0, NULL, "of a rank, for counting" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static bool line_is_setting(const char *option)
{
    for (const struct option *row = train_rows; row->key; row++)
        if (strncmp(option, "--", 2) == 0 && strcmp(option + 2, row->key) == 0) return true;
    return false;
}

static bool line_knows(const char *option)
{
    static const char *const words[] = { "--corpus", "--field", "--threads", "--output", "--work", "--arpa",
                                         "--from-arpa" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(option, words[i]) == 0) return true;
    return line_is_setting(option);
}

static int line_take(struct train_line *line, const char *option, const char *value, struct err *err)
{
    uint64_t threads;

    if (strcmp(option, "--corpus") == 0) {
        if (line->glob_count == NAMED_GLOBS_MAX)
            return err_set(err, -EINVAL, "more than %d globs: quote the glob, so that the shell leaves it whole",
                           NAMED_GLOBS_MAX);
        if (!named_glob_parse(&line->glob[line->glob_count++], value))
            return err_set(err, -EINVAL, "--corpus takes NAME=GLOB, not `%s`", value);
        line->glob[line->glob_count - 1].option = "--corpus";
    } else if (strcmp(option, "--field") == 0) {
        if (line->field_count == FIELDS_MAX) return err_set(err, -EINVAL, "more than %d fields", FIELDS_MAX);
        if (field_option_setting(line->field[line->field_count], value, err) < 0) return err->code;
        line->said[line->field_count++] = (struct said_option){ option, value };
    } else if (strcmp(option, "--threads") == 0) {
        if (number_take(&threads, 1, THREADS_MAX, NULL, option, value, err) < 0) return err->code;
        line->threads = (int)threads;
    } else if (strcmp(option, "--output") == 0) line->output = value;
    else if (strcmp(option, "--work") == 0) line->work = value;
    else if (strcmp(option, "--arpa") == 0) line->arpa = value;
    else if (strcmp(option, "--from-arpa") == 0) line->from_arpa = value;
    else if (strcspn(value, " \t\n\"'#:,{}[]&*!|>%@`") != strlen(value))      /* YAML would read something else */
        return err_set(err, -EINVAL, "%s does not take `%s`", option, value);
    else if (bytes_printf(&line->settings, "%s: %s  # %s\n", option + 2, value, option) < 0)
        return err_memory(err, strlen(value), "the command line");
    return 0;
}

static int line_settings(struct train_line *line, struct err *err)
{
    struct node root = { 0 };
    int         rc = option_defaults(train_rows, &line->options, err);

    if (rc < 0 || !line->settings.len) return rc;
    rc = node_parse(&root, "train-ngram", line->settings.at, line->settings.len, err);
    if (rc == 0) rc = option_apply(train_rows, &line->options, &root, NULL, "train-ngram", "", err);
    if (rc < 0) said_explain(err, "train-ngram", line->settings.at, NULL, NULL, 0);
    node_free(&root);
    return rc;
}

/* Can a file have this name?  A training takes hours, and would say it at its end. */
static int name_check(const char *option, const char *path, struct err *err)
{
    const size_t len = strlen(path);
    struct stat  is;

    if (!len) return err_set(err, -EINVAL, "train-ngram: %s is empty: it names a file", option);
    return path[len - 1] != '/' && (stat(path, &is) < 0 || !S_ISDIR(is.st_mode)) ? 0
        : err_set(err, -EINVAL, "train-ngram: %s names a file, and %s is a folder", option, path);
}

static int line_read(struct train_line *line, int argc, char **argv, struct err *err)
{
    int rc = 0;

    for (int at = 1; at < argc && rc == 0; at++) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            line->help = true;
            return 0;
        }
        if (strcmp(argv[at], "--quiet") == 0) {
            line->quiet = true;
            continue;
        }
        if (!line_knows(argv[at]))
            return err_set(err, -EINVAL, "train-ngram does not know `%s`; see leakgraph train-ngram --help", argv[at]);
        if (at + 1 == argc) return err_set(err, -EINVAL, "%s needs a value", argv[at]);
        rc = line_take(line, argv[at], argv[at + 1], err);
        at++;
    }
    if (rc == 0) rc = line_settings(line, err);
    if (rc < 0) return rc;
    if (!line->output)
        return err_set(err, -EINVAL, "train-ngram needs --output FILE.lm; see leakgraph train-ngram --help");
    if (!line->glob_count == !line->from_arpa)
        return err_set(err, -EINVAL, "train-ngram needs --corpus NAME=GLOB or --from-arpa FILE, and not both; see "
                                     "leakgraph train-ngram --help");
    if (line->from_arpa && (line->settings.len || line->field_count || line->work || line->arpa || line->threads))
        return err_set(err, -EINVAL,
                       "--from-arpa takes the model as it is: beside it, only --output and --quiet have a meaning");
    rc = name_check("--output", line->output, err);
    if (rc == 0 && line->arpa) rc = name_check("--arpa", line->arpa, err);
    return rc;
}

/* ---- what it says ---- */

static void grams_say(const uint64_t grams[LM_ORDER_MAX + 1])
{
    printf("vocabulary  %llu\n", (unsigned long long)grams[1]);
    for (uint32_t k = 2; k <= LM_ORDER_MAX && grams[k]; k++)
        printf("%u-grams     %llu\n", k, (unsigned long long)grams[k]);
}

static int file_say(const char *what, const char *path, struct err *err)
{
    struct stat is;

    if (stat(path, &is) < 0) return err_set(err, -EIO, "%s: %s", path, strerror(errno));
    printf("%-11s %s, %llu bytes\n", what, path, (unsigned long long)is.st_size);
    return 0;
}

static int model_say(const struct train_line *line, const struct train_job *job, struct err *err)
{
    double seconds = job->seconds[0] + job->seconds[1] + job->seconds[2], megabytes = (double)job->text_bytes / 1e6;
    int    rc;

    printf("documents   %llu used, %llu rejected, %.1f MB of text\n", (unsigned long long)job->documents,
           (unsigned long long)job->rejected, megabytes);
    printf("pieces      %llu\n", (unsigned long long)job->pieces);
    grams_say(job->grams);
    printf("seconds     pass %.2f, counting %.2f, estimating %.2f: %.2f MB/s\n", job->seconds[0], job->seconds[1],
           job->seconds[2],
           seconds > 0 ? megabytes / seconds : 0);
    rc = file_say("model", line->output, err);
    if (rc == 0 && line->arpa) rc = file_say("arpa", line->arpa, err);
    if (rc == 0 && job->rejected) printf("rejects     %s.rejects.tsv\n", line->output);
    return rc;
}

/* ---- what is there already ---- */

/* It gives way to another of its kind alone: other files are named by a slip. */
static int kind_check(const char *option, const char *path, bool (*begins)(struct slice), const char *kind,
                      struct err *err)
{
    char      head[4096];
    const int fd = file_open(path, O_RDONLY);
    ssize_t   got;

    if (fd < 0) return 0;                                   /* none; or it is told when it is written */
    got = read(fd, head, sizeof head);
    close(fd);
    return got <= 0 || begins((struct slice){ head, (size_t)got }) ? 0
        : err_set(err, -EINVAL, "train-ngram: %s would replace %s, which is no %s", option, path, kind);
}

static int kinds_check(const struct train_line *line, struct err *err)
{
    const int rc = kind_check("--output", line->output, lm_begins, "model of n-grams", err);

    return rc == 0 && line->arpa ? kind_check("--arpa", line->arpa, lm_arpa_begins, "ARPA text", err) : rc;
}

/* ---- from and to ARPA ---- */

/* The model may not take the place of what it is made of. */
static int source_check(const struct train_line *line, struct err *err)
{
    struct stat to, from;

    if (stat(line->output, &to) < 0 || stat(line->from_arpa, &from) < 0 || to.st_dev != from.st_dev ||
        to.st_ino != from.st_ino) return 0;
    return err_set(err, -EINVAL, "train-ngram: --output and --from-arpa name the same file, %s", line->output);
}

static int convert(const struct train_line *line, struct err *err)
{
    uint64_t  grams[LM_ORDER_MAX + 1] = { 0 };
    struct lm model;
    int       rc = source_check(line, err);

    if (rc == 0) rc = kinds_check(line, err);
    if (rc == 0) rc = lm_arpa_read(&model, line->from_arpa, err);
    if (rc < 0) return rc;
    for (uint32_t k = 1; k <= model.order; k++)
        grams[k] = model.state[model.level[k]].first - model.state[model.level[k - 1]].first;
    rc = lm_write(&model, line->output, err);
    lm_free(&model);
    if (rc < 0 || line->quiet) return rc;
    grams_say(grams);
    return file_say("model", line->output, err);
}

static int arpa_write(const struct train_line *line, struct err *err)
{
    struct lm model;
    int       rc = lm_open(&model, line->output, err);

    if (rc < 0) return rc;
    rc = lm_arpa_write(&model, line->arpa, err);
    lm_close(&model);
    return rc;
}

/* ---- from corpora ---- */

/* The datasets as a settings file would have them; of what it asks for beside them nothing is done. */
static int datasets_read(const struct train_line *line, struct config *out, struct err *err)
{
    struct bytes yaml = { 0 };
    const char  *set[FIELDS_MAX];
    int          rc = yaml_datasets(&yaml, line->glob, line->glob_count, NULL, false);

    *out = (struct config){ 0 };
    for (size_t f = 0; f < line->field_count; f++) set[f] = line->field[f];
    if (rc == 0) rc = bytes_append(&yaml, "dedup: {}\n", sizeof "dedup: {}\n");
    if (rc < 0) rc = err_memory(err, yaml.len, "the settings");
    if (rc == 0) rc = config_parse(out, "train-ngram", yaml.at, yaml.len - 1, ".", set, line->field_count, err);
    if (rc < 0 && yaml.len) said_explain(err, "train-ngram", yaml.at, set, line->said, line->field_count);
    bytes_free(&yaml);
    return rc;
}

/* A folder of our own that nobody will ask for again. */
static int work_remove(struct stage **stage, const char *dir, struct err *err)
{
    static const char *const left[] = { "work/lock", "work", "." };
    char                     path[FILE_NAME_MAX];
    int                      rc = stage_clear(*stage, err);

    status_forget(*stage);
    stage_close(*stage);
    *stage = NULL;
    for (size_t i = 0; i < 3 && rc == 0; i++) {
        rc = i < 2 ? file_join(dir, left[i], path, err) : 0;
        if (rc == 0) remove(i < 2 ? path : dir);            /* a folder with anything else in it stays */
    }
    return rc;
}

/* The model's text: in another place than the model, and not in the corpora either.  Folders may not be there yet. */
static int arpa_check(const struct train_line *line, const struct config *config, const struct shard_list *shards,
                      const char *folder, const char *name, struct err *err)
{
    const char       *slash = strrchr(line->arpa, '/');
    const char *const files[] = { slash ? slash + 1 : line->arpa, NULL };
    char              beside[FILE_NAME_MAX], *real[2] = { NULL, NULL };
    int               rc = file_folder(line->arpa, beside, err);

    if (rc == 0) rc = file_real_path(folder, &real[0], err);
    if (rc == 0) rc = file_real_path(beside, &real[1], err);
    if (rc == 0 && strcmp(name, files[0]) == 0 && strcmp(real[0] ? real[0] : folder, real[1] ? real[1] : beside) == 0)
        rc = err_set(err, -EINVAL, "train-ngram: --output and --arpa name the same file, %s", line->arpa);
    free(real[0]);
    free(real[1]);
    return rc < 0 ? rc : extent_check(config->datasets, config->dataset_count, ".", shards, beside, files, err);
}

/* What is written must not be in the corpora: the model and what lies beside it under its name, its text, and the
 * units. */
static int places_check(const struct train_line *line, const struct config *config, const struct shard_list *shards,
                        const char *folder, const char *work, struct err *err)
{
    static const char *const units[] = { "work/**/*.unit", NULL };
    const char              *slash = strrchr(line->output, '/'), *name = slash ? slash + 1 : line->output;
    char                     rejects[FILE_NAME_MAX + 16];
    const char *const        files[] = { name, rejects, NULL };
    int                      rc;

    snprintf(rejects, sizeof rejects, "%s.rejects.tsv", name);
    rc = extent_check(config->datasets, config->dataset_count, ".", shards, folder, files, err);
    if (rc == 0 && line->arpa) rc = arpa_check(line, config, shards, folder, name, err);
    return rc < 0 ? rc : extent_check(config->datasets, config->dataset_count, ".", shards, work, units, err);
}

/* Of the model and of its text, before the pass. */
static int folders_make(const struct train_line *line, const char *folder, struct err *err)
{
    char beside[FILE_NAME_MAX];
    int  rc = file_make_folder(folder, err);

    if (rc < 0 || !line->arpa) return rc;
    rc = file_folder(line->arpa, beside, err);
    return rc == 0 ? file_make_folder(beside, err) : rc;
}

/* A model of nothing would take the place of a good one. */
static int none_usable(const struct train_job *job, const struct config *config, struct err *err)
{
    if (!job->rejected) return err_set(err, -EBADMSG, "the corpora have no records: there is no model of nothing");
    err_set(err, -EBADMSG, "none of %llu records could be used", (unsigned long long)job->rejected);
    if (wrong_field_explain(&config->datasets[0], &job->run->shards->at[0], config->dataset_count > 1, err))
        err->code = -EINVAL;
    return err->code;
}

static int train(const struct train_line *line, struct comm *comm, struct err *err)
{
    struct config     config = { 0 };
    struct shard_list shards = { 0 };
    struct stage     *stage = NULL;
    struct run        run;
    struct train_job  job;
    char              version[96], work[FILE_NAME_MAX], folder[FILE_NAME_MAX], *base = NULL;
    bool              none;
    int               rank = comm_rank(comm), rc = datasets_read(line, &config, err);

    if (rc == 0) rc = file_real_path(".", &base, err);
    if (rc == 0) rc = shard_list_open(&shards, config.datasets, config.dataset_count, base ? base : ".", err);
    if (rc == 0) shard_list_warn(&shards);
    if (rc == 0) rc = file_folder(line->output, folder, err);
    if (rc == 0 && snprintf(work, sizeof work, "%s%s", line->work ? line->work : line->output, line->work ? ""
                            : ".work") >= (int)sizeof work)
        rc = err_set(err, -ENAMETOOLONG, "%s: the path is too long", line->output);
    if (rc == 0 && rank == 0) rc = places_check(line, &config, &shards, folder, work, err);
    if (rc == 0 && rank == 0) rc = kinds_check(line, err);
    if (rc == 0 && rank == 0) rc = folders_make(line, folder, err);
    if (rc == 0 && rank == 0) rc = stage_open(&stage, work, true, err);
    if (rc == 0 && rank == 0) file_sweep_folder(folder, FILE_FRESH);
    rc = comm_agree(comm, rc, err);
    if (rc == 0 && rank != 0) rc = stage_open(&stage, work, false, err);
    rc = comm_agree(comm, rc, err);
    snprintf(version, sizeof version, "%s %s", leakgraph_version(), leakgraph_commit());
    run = (struct run){ .comm = comm, .stage = stage, .version = version, .datasets = config.datasets,
                        .dataset_count = config.dataset_count, .shards = &shards,
                        .threads = line->threads ? line->threads : omp_get_max_threads() };
    job = (struct train_job){ .run = &run, .options = &line->options };
    if (rc == 0) {
        status_open(&(struct status_run){ "train-ngram", version, run.threads }, comm, stage);
        rc = train_run(&job, line->output, err);
        none = rc == 0 && job.documents == 0;
        status_close(command_status(none ? -EBADMSG : rc),
                     none ? "no record could be used" : rc < 0 ? err->text : NULL);
        rc = comm_agree(comm, rc, err);                     /* behind it no rank writes there */
    }
    if (rc == 0 && rank == 0 && !line->work) rc = work_remove(&stage, work, err);
    if (rc == 0 && rank == 0 && job.documents == 0) rc = none_usable(&job, &config, err);
    if (rc == 0 && rank == 0 && line->arpa) rc = arpa_write(line, err);
    if (rc == 0 && rank == 0 && !line->quiet) rc = model_say(line, &job, err);
    rc = comm_agree(comm, rc, err);
    stage_close(stage);
    shard_list_free(&shards);
    config_free(&config);
    free(base);
    return rc;
}

int cmd_train_ngram(int argc, char **argv, struct err *err)
{
    struct train_line *line = calloc(1, sizeof *line);
    struct comm       *comm = NULL;
    int                rc = line ? line_read(line, argc, argv, err) : err_memory(err, sizeof *line, "the command line");

    if (rc == 0 && line->help) train_help();
    else if (rc == 0 && (rc = ranks_open(&comm, line->quiet, err)) == 0) {
        if (comm_rank(comm) == 0) interrupt_explain(true);
        if (!line->from_arpa) rc = train(line, comm, err);
        else rc = comm_agree(comm, comm_rank(comm) == 0 ? convert(line, err) : 0, err);
        rc = ranks_close(comm, rc, err);
    }
    if (line) bytes_free(&line->settings);
    free(line);
    return rc;
}
