/* cmd/plan.c -- `leakgraph plan`: what a run would do and take, from a sample of the shards; nothing is written. */
#include "base/ratio.h"
#include "capability/languages.h"
#include "cmd/command.h"
#include "cmd/number.h"
#include "cmd/ranks.h"
#include "cmd/run.h"

#include "config/config.h"
#include "pass/run.h"
#include "report/visible.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static const char plan_help[] =
    "usage: leakgraph plan [pipeline.yaml] [--set KEY=VALUE]... [--field [DATASET.]NAME=FIELD]...\n"
    "                      [--ranks N] [--threads N] [--sample PERCENT] [--json]\n"
    "\n"
    "Says what `leakgraph run` would do with this file, and writes nothing: datasets, shards and bytes;\n"
    "from a sample of the records how many documents there are and how large; for dedup what the bands\n"
    "find (the S-curve, the recall at the threshold), records exchanged, candidates, memory, disk and\n"
    "time; what it has no numbers of is named.  A setting that misses more than 5 % at its own\n"
    "threshold, or wastes hashes, is warned of.\n"
    "\n"
    "  --set KEY=VALUE   changes a setting: --set dedup.threshold=0.8\n"
    "  --field NAME=FIELD\n"
    "                    as for `run`: --field text=code\n"
    "  --ranks N         forecasts for so many ranks on one host (otherwise those of this job)\n"
    "  --threads N       threads of a rank (otherwise OMP_NUM_THREADS, otherwise the CPUs it may use)\n"
    "  --sample PERCENT  of the bytes to be read (default 1): the beginnings of up to 256 shards, at most\n"
    "                    256 MB of text and 10 s a pass; less than 16 MB in all are read whole, and then\n"
    "                    the counts are exact\n"
    "  --json            the same numbers as JSON\n"
    "\n"
    "Example: how much is missed by another tool's setting?\n"
    "  leakgraph plan --set dedup.threshold=0.8 --set dedup.bands=9 --set dedup.rows=13\n";

struct planning {
    struct run_options   options;
    double               share;
    int                  ranks;                             /* 0: those of the job */
    bool                 json;
    struct config        config;
    struct shard_list    shards;
    struct forecast      forecast;
    struct sampled        own;                               /* where no capability takes one */
    const struct sampled *sample;                            /* that of the first capability that does */
};

/* ---- the forecast ---- */

static int planning_samples(struct planning *p, struct err *err)
{
    static const struct view_options identifiers = { .kind = VIEW_IDENTIFIERS };
    int                              rc = 0;

    for (size_t t = 0; t < p->config.task_count && rc == 0; t++) {
        struct task         *task = &p->config.task[t];
        const struct sampled *sample = NULL;

        if (task->on && task->of->forecast.look) rc = task->of->forecast.look(task, &p->forecast, &sample, err);
        if (!p->sample) p->sample = sample;
    }
    if (rc < 0 || p->sample) return rc;
    p->sample = &p->own;
    return forecast_sample(&p->forecast, NULL, &identifiers, 1, NULL, &p->own, err);
}

/* ---- as text ---- */

/* Prose, broken at blanks. */
static void fold_print(const char *text)
{
    enum { COLUMNS = 100, INDENT = 2 };
    size_t column = 0;

    while (*text) {
        size_t len = strcspn(text, " ");

        if (column && column + 1 + len > COLUMNS) column = (size_t)printf("\n%*s", INDENT, "") - 1;
        else if (column) column += (size_t)printf(" ");
        column += (size_t)printf("%.*s", (int)len, text);
        text += len + strspn(text + len, " ");
    }
    putchar('\n');
}

static int datasets_print(const struct planning *p, struct bytes *name)
{
    const struct sampled *sample = p->sample;

    printf("%-20s %-9s %7s %11s %6s %10s %8s %11s %6s\n", "dataset", "role", "shards", "bytes", "read", "documents",
           "rejected", "text", "ratio");
    for (size_t d = 0; d < p->config.dataset_count; d++) {
        const struct dataset        *dataset = &p->config.datasets[d];
        const struct sample_dataset *seen = &sample->dataset[d];
        char                         size[32], text[32], documents[32], rejected[32];
        uint64_t                     shards = 0, bytes = 0;

        name->len = 0;
        if (visible_append(name, visible_cut(slice_of(dataset->name), 20), true) < 0) return -ENOMEM;
        for (size_t s = 0; s < p->shards.count; s++) {
            if (p->shards.at[s].dataset != d) continue;
            shards++;
            bytes += p->shards.at[s].bytes;
        }
        printf("%-20.*s %-9s %7llu %11s", (int)name->len, name->at, dataset->role == ROLE_BENCHMARK ? "benchmark"
               : "corpus",
               (unsigned long long)shards, forecast_size((double)bytes, size));
        if (!seen->shards) printf("      -   in no pass\n");
        else
            printf(" %4.0f %% %10s %8s %11s %6.2f\n", seen->whole ? 100
                   : forecast_percent((double)seen->bytes_read, (double)seen->bytes),
                   forecast_count(sample_scaled(seen, (double)seen->documents), seen->whole, documents),
                   forecast_count(sample_scaled(seen, (double)seen->rejected), seen->whole, rejected),
                   forecast_size(sample_scaled(seen, (double)seen->text_bytes), text),
                   seen->bytes_read ? (double)seen->text_bytes / (double)seen->bytes_read : 0);
    }
    return 0;
}

/* Is it asked for by its key, and nothing is known of it? */
static bool is_unforecast(const struct task *task)
{
    return task->of->key && task->of->brief && !task->of->forecast.print && !(task->of->traits & CAPABILITY_DATASETS);
}

static void unforecast_print(const struct planning *p)
{
    char   text[1000];
    size_t used = 0;

    FOR_EACH_TASK(task, &p->config)
        if (is_unforecast(task) && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "In no number here: ",
                                     task->of->key);
    if (!used) return;
    if (used < sizeof text) snprintf(text + used, sizeof text - used, ".");
    printf("\n");
    fold_print(text);
}

/* What the numbers rest on. */
static void basis_print(const struct planning *p)
{
    struct sample_sums sums = sample_sum(p->sample, p->config.dataset_count);
    char               read[32], all[32], text[2000];
    size_t             used;

    printf("\n");
    snprintf(text, sizeof text,
             "This is a forecast.  It rests on %.0f documents, %s of %s on disk%s, at %.0f MB of text in a second of "
             "processor time.", sums.documents, forecast_size(sums.read, read), forecast_size(sums.bytes, all),
             sums.whole ? ": everything" : ", the beginnings of shards", sums.seconds > 0
                 ? sums.text / 1e6 / sums.seconds : 0);
    fold_print(text);
    if (!sums.whole)
        fold_print("Numbers with ~ are scaled by bytes.  Copies and pairs are those inside the sample: a document "
                   "whose like was not read "
                   "counts as alone, so there are more of them in the whole.");
    used = (size_t)snprintf(text, sizeof text,
                            "Time supposes that ranks and threads (%d x %d) share the work evenly and the disk keeps "
                            "up.",
                            p->forecast.machine.ranks, p->forecast.machine.threads);
    for (size_t t = 0; t < p->config.task_count && used < sizeof text; t++)
        if (p->config.task[t].on && p->config.task[t].of->forecast.basis)
            used += (size_t)snprintf(text + used, sizeof text - used, "  %s", p->config.task[t].of->forecast.basis);
    fold_print(text);
}

static int planning_print(const struct planning *p, struct err *err)
{
    struct bytes line = { 0 };
    char         memory[32], text[FORECAST_WARNING], warning[FORECAST_WARNING + 16];
    size_t       warnings = 0;
    int          rc;

    printf("%zu datasets, %zu shards; %d x %d threads, %s of memory a rank\n\n", p->config.dataset_count,
           p->shards.count, p->forecast.machine.ranks, p->forecast.machine.threads,
           forecast_size((double)p->forecast.machine.memory, memory));
    rc = datasets_print(p, &line);
    for (size_t t = 0; t < p->config.task_count && rc == 0; t++)
        if (p->config.task[t].on && p->config.task[t].of->forecast.print)
            rc = p->config.task[t].of->forecast.print(&p->config.task[t], &p->forecast);
    FOR_EACH_TASK(task, &p->config)
        if (rc == 0 && task->of->traits & CAPABILITY_DATASETS)
            printf("\nThe datasets that %s writes first are in no number here.\n", task->of->name);
    if (rc == 0) unforecast_print(p);
    if (rc == 0) basis_print(p);
    for (size_t t = 0; t < p->config.task_count && rc == 0; t++) {
        const struct task *task = &p->config.task[t];

        for (size_t i = 0; task->on && task->of->forecast.warn && task->of->forecast.warn(task, &p->forecast, i, text);
             i++) {
            snprintf(warning, sizeof warning, "%swarning: %s", warnings++ ? "" : "\n", text);
            fold_print(warning);
        }
    }
    bytes_free(&line);
    return rc < 0 ? err_memory(err, 4096, "the plan") : 0;
}

/* ---- as JSON ---- */

static void json_datasets(const struct planning *p, cJSON *root, bool *failed)
{
    cJSON *list = forecast_put(root, "datasets", cJSON_CreateArray(), failed);

    for (size_t d = 0; d < p->config.dataset_count; d++) {
        const struct sample_dataset *seen = &p->sample->dataset[d];
        cJSON                       *row = forecast_put(list, NULL, cJSON_CreateObject(), failed);

        forecast_put(row, "name", cJSON_CreateString(p->config.datasets[d].name), failed);
        forecast_put(row, "role", cJSON_CreateString(p->config.datasets[d].role == ROLE_BENCHMARK ? "benchmark"
                                                     : "corpus"),
                 failed);
        if (!seen->shards) continue;
        forecast_number(row, "shards", (double)seen->shards, failed);
        forecast_number(row, "bytes", (double)seen->bytes, failed);
        forecast_number(row, "bytes_read", (double)seen->bytes_read, failed);
        forecast_put(row, "exact", cJSON_CreateBool(seen->whole), failed);
        forecast_number(row, "documents", sample_scaled(seen, (double)seen->documents), failed);
        forecast_number(row, "rejected", sample_scaled(seen, (double)seen->rejected), failed);
        forecast_number(row, "admitted", sample_scaled(seen, (double)seen->admitted), failed);
        forecast_number(row, "text_bytes", sample_scaled(seen, (double)seen->text_bytes), failed);
        forecast_number(row, "features", sample_scaled(seen, (double)seen->distinct), failed);
    }
}

static int planning_json(const struct planning *p, struct err *err)
{
    cJSON             *root = cJSON_CreateObject(), *list;
    struct sample_sums sums = sample_sum(p->sample, p->config.dataset_count);
    bool               failed = !root;
    char              *text;

    forecast_number(root, "ranks", p->forecast.machine.ranks, &failed);
    forecast_number(root, "threads", p->forecast.machine.threads, &failed);
    forecast_number(root, "memory_rank", (double)p->forecast.machine.memory, &failed);
    forecast_number(root, "sample_documents", sums.documents, &failed);
    forecast_number(root, "sample_text_bytes", sums.text, &failed);
    forecast_number(root, "sample_seconds", sums.seconds, &failed);
    json_datasets(p, root, &failed);
    for (size_t t = 0; t < p->config.task_count; t++)
        if (p->config.task[t].on && p->config.task[t].of->forecast.json)
            p->config.task[t].of->forecast.json(&p->config.task[t], &p->forecast, root, &failed);
    list = forecast_put(root, "not_forecast", cJSON_CreateArray(), &failed);
    FOR_EACH_TASK(task, &p->config)
        if (is_unforecast(task)) forecast_put(list, NULL, cJSON_CreateString(task->of->key), &failed);
    text = failed ? NULL : cJSON_Print(root);
    if (text) puts(text);
    cJSON_free(text);
    cJSON_Delete(root);
    return text ? 0 : err_memory(err, 4096, "the plan");
}

/* ---- the command line ---- */

static int planning_make(struct planning *p, struct err *err)
{
    const struct run_options *o = &p->options;
    int                       rc = config_read(&p->config, o->yaml, o->set, o->set_count, err);

    if (rc < 0) run_explain(o, err);
    if (rc == 0)
        rc = shard_list_open(&p->shards, p->config.datasets, p->config.dataset_count - p->config.made, p->config.base,
                             err);
    if (rc == 0)
        rc = languages_guess(p->config.datasets, p->config.dataset_count - p->config.made, &p->shards, err);
    if (rc < 0) return rc;
    shard_list_warn(&p->shards);
    p->forecast.config = &p->config;
    p->forecast.shards = &p->shards;
    p->forecast.share = p->share;
    p->forecast.machine.memory = run_memory_of(p->config.memory, p->forecast.machine.ranks);
    rc = planning_samples(p, err);
    if (rc == 0) rc = p->json ? planning_json(p, err) : planning_print(p, err);
    return rc;
}

/* Rank 0 reads and speaks; a sample is too small to be shared. */
static int planning_carry_out(struct planning *p, struct err *err)
{
    struct comm *comm;
    int          rc = ranks_open(&comm, false, err);

    if (rc < 0) return rc;
    p->forecast.machine.ranks = p->ranks ? p->ranks : comm_size(comm);
    p->forecast.machine.threads = p->options.threads ? p->options.threads : omp_get_max_threads();
    if (comm_rank(comm) == 0) rc = planning_make(p, err);
    rc = comm_agree(comm, rc, err);
    sample_free(&p->own);
    shard_list_free(&p->shards);
    config_free(&p->config);
    return ranks_close(comm, rc, err);
}

int cmd_plan(int argc, char **argv, struct err *err)
{
    struct planning p = { .share = 0.01 };
    char            output[4096];

    for (int at = 1; at < argc; at++) {
        const char *option = argv[at], *value = at + 1 < argc ? argv[at + 1] : NULL;
        double      number = 0;
        uint64_t    ranks = 0;
        int         rc = 0;

        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) return fputs(plan_help, stdout) < 0;
        if (strcmp(option, "--json") == 0) p.json = true;
        else if (strcmp(option, "--set") == 0 || strcmp(option, "--field") == 0 || strcmp(option, "--threads") == 0) {
            rc = run_take_option(&p.options, argc, argv, &at, output, err);
            at--;                                           /* it has moved past */
        } else if (strcmp(option, "--ranks") == 0) {
            rc = value ? number_take(&ranks, 1, 1 << 20, "plan", option, value, err)
                : err_set(err, -EINVAL, "%s needs a value", option);
            if (rc == 0) p.ranks = (int)ranks;
            at++;
        } else if (strcmp(option, "--sample") == 0) {
            if (!value) rc = err_set(err, -EINVAL, "%s needs a value", option);
            else if (!percent_parse(&number, value) || number == 0)
                rc = err_set(err, -EINVAL, "--sample takes a percentage above 0, at most 100, not `%s`", value);
            p.share = number / 100;
            at++;
        } else if (option[0] == '-')
            return err_set(err, -EINVAL, "plan does not know `%s`; see leakgraph plan --help", option);
        else if (p.options.yaml) return err_set(err, -EINVAL, "plan takes one settings file; `%s` is a second", option);
        else p.options.yaml = option;
        if (rc < 0) return rc;
    }
    if (!p.options.yaml) p.options.yaml = "pipeline.yaml";
    return planning_carry_out(&p, err);
}
