/* cmd/plan.c -- `leakgraph plan`: what a run would do and take, from a sample of the shards; nothing is written.
 *
 * 1. What is asked   2. The forecast   3. As text   4. As JSON   5. The command line */
#include "cmd/command.h"
#include "cmd/run.h"

#include "base/log.h"
#include "dedup/plan.h"
#include "dedup/task.h"
#include "report/visible.h"
#include "near/index.h"
#include "near/result.h"
#include "near/task.h"
#include "view/curve.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char plan_help[] =
    "usage: leakgraph plan [pipeline.yaml] [--set KEY=VALUE]... [--ranks N] [--threads N]\n"
    "                      [--sample PERCENT] [--json]\n"
    "\n"
    "Says what `leakgraph run` would do with this file, and writes nothing: datasets, shards and bytes;\n"
    "from a sample of the records how many documents there are and how large; for dedup what the bands\n"
    "find (the S-curve, the recall at the threshold), records exchanged, candidates, memory, disk and\n"
    "time.  A setting that misses more than 5 % at its own threshold, or wastes hashes, is warned of.\n"
    "\n"
    "  --set KEY=VALUE   changes a setting: --set dedup.threshold=0.8\n"
    "  --ranks N         forecasts for so many ranks on one host (otherwise those of this job)\n"
    "  --threads N       threads of a rank (otherwise OMP_NUM_THREADS, otherwise the CPUs it may use)\n"
    "  --sample PERCENT  of the bytes to be read (default 1): the beginnings of up to 256 shards, at most\n"
    "                    256 MB of text and 10 s a pass; less than 16 MB in all are read whole, and then\n"
    "                    the counts are exact\n"
    "  --json            the same numbers as JSON\n"
    "\n"
    "Example: how much is missed by another tool's setting?\n"
    "  leakgraph plan --set dedup.threshold=0.8 --set dedup.bands=9 --set dedup.rows=13\n";

/* ---- 1. What is asked ---- */

struct planning {
    struct run_options  options;
    double              share;
    int                 ranks;                              /* 0: those of the job */
    bool                json;
    struct config       config;
    struct shard_list   shards;
    struct plan_machine machine;
    struct sample       near, dedup;                        /* of the passes that are on */
    struct dedup_plan   plan;
};

/* The join's sample also stands for the other scanners, when neither it nor dedup is asked for. */
static const struct sample *planning_sample(const struct planning *p)
{
    return config_has(&p->config, &near_capability) || !config_has(&p->config, &dedup_capability) ? &p->near
        : &p->dedup;
}

/* Memory as a run takes it: what the settings say, or three quarters of the machine's, which the ranks of dedup share.
 */
static uint64_t machine_memory(const struct planning *p)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    if (p->config.memory) return p->config.memory;
    return pages > 0 && size > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)size / (uint64_t)p->machine.ranks : 0;
}

/* ---- 2. The forecast ---- */

static int planning_samples(struct planning *p, struct err *err)
{
    const struct config  *config = &p->config;
    bool                 *wanted = calloc(config->dataset_count + 1, sizeof *wanted);
    struct sample_options options = { .datasets = config->datasets, .dataset_count = config->dataset_count,
                                      .shards = &p->shards, .wanted = wanted,
                                      .view = &near_task(config)->options.view,
                                          .min_tokens = near_task(config)->options.min_tokens,
                                          .share = p->share };
    int                   rc = wanted ? 0 : err_memory(err, config->dataset_count, "datasets");

    if (rc == 0 && (config_has(config, &near_capability) || !config_has(config, &dedup_capability))) {
        for (size_t d = 0; d < config->dataset_count; d++) wanted[d] = true;
        rc = sample_read(&options, &p->near, err);
    }
    if (rc == 0 && config_has(config, &dedup_capability)) {
        for (size_t d = 0; d < config->dataset_count; d++) wanted[d] = false;
        for (size_t m = 0; m < dedup_task(config)->member_count; m++) wanted[dedup_task(config)->member[m]] = true;
        options.view = &dedup_task(config)->options.view;
        options.min_tokens = dedup_task(config)->options.min_tokens;
        options.dedup = &dedup_task(config)->options;
        rc = sample_read(&options, &p->dedup, err);
    }
    if (rc == 0 && config_has(config, &dedup_capability))
        plan_dedup(&p->dedup, config->dataset_count, &dedup_task(config)->options, &p->machine, &p->plan);
    free(wanted);
    return rc;
}

/* What the resident datasets of near_duplicates need on rank 0: rows, features and their occurrences in units, texts if
 * they are kept, and the index under construction. */
static double resident_bytes(const struct planning *p)
{
    const double document = sizeof(struct near_row) + sizeof(struct near_document) + sizeof(struct index_document) +
        64 + 100, feature = 12 + 60;
    double       bytes = 0;

    for (size_t d = 0; d < p->config.dataset_count; d++) {
        const struct sample_dataset *seen = &p->near.dataset[d];

        if (!near_resident(&p->config.datasets[d])) continue;
        bytes += sample_scaled(seen, document * (double)seen->documents + feature * (double)seen->distinct);
        if (p->config.store != STORE_NONE) bytes += sample_scaled(seen, (double)seen->text_bytes);
    }
    return bytes;
}

/* Seconds to read the shards of near_duplicates and to make features of them. */
static double near_seconds(const struct planning *p)
{
    double seconds = 0;

    for (size_t d = 0; d < p->config.dataset_count; d++)
        seconds += sample_scaled(&p->near.dataset[d], p->near.dataset[d].seconds);
    return seconds / p->machine.ranks / p->machine.threads;
}

/* Over all datasets of a sample. */
struct sample_sums { double documents, unadmitted, bytes, read, text, seconds; bool whole; };

static struct sample_sums sums_of(const struct planning *p, const struct sample *sample)
{
    struct sample_sums sums = { .whole = true };

    for (size_t d = 0; d < p->config.dataset_count; d++) {
        const struct sample_dataset *seen = &sample->dataset[d];

        sums.documents += (double)seen->documents;
        sums.unadmitted += (double)(seen->documents - seen->admitted);
        sums.bytes += (double)seen->bytes;
        sums.read += (double)seen->bytes_read;
        sums.text += (double)seen->text_bytes;
        sums.seconds += seen->seconds;
        sums.whole &= seen->whole || !seen->shards;
    }
    return sums;
}

static const struct { const char *key, *label; unsigned permille; } quantiles[] = {
    { "p10", "10 %", 100 }, { "p50", "half", 500 }, { "p90", "90 %", 900 }, { "p99", "99 %", 990 },
    { "most", "all", 1000 },
};
enum { QUANTILES = sizeof quantiles / sizeof quantiles[0] };

/* The least number that this share of the documents does not exceed. */
static uint32_t quantile(const struct sample *sample, unsigned permille)
{
    uint64_t at = (sample->documents * permille + 999) / 1000;

    return sample->documents ? sample->features[at ? at - 1 : 0] : 0;
}

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/* ---- 3. As text ---- */

static const char *size_text(double bytes, char out[32])
{
    static const char *const unit[] = { "bytes", "KB", "MB", "GB", "TB", "PB" };
    size_t                   u = 0;

    for (; bytes >= 999.5 && u + 1 < sizeof unit / sizeof *unit; u++) bytes /= 1000;
    snprintf(out, 32, u ? "%.2f %s" : "%.0f %s", bytes, unit[u]);
    return out;
}

/* In full when it is exact, else in three digits. */
static const char *count_text(double count, bool exact, char out[32])
{
    static const char unit[] = " kMGT";
    size_t            u = 0;

    for (; !exact && count >= 999.5 && u + 2 < sizeof unit; u++) count /= 1000;
    if (u) snprintf(out, 32, "~%.*f %c", count < 9.995 ? 2 : count < 99.95 ? 1 : 0, count, unit[u]);
    else snprintf(out, 32, exact ? "%.0f" : "~%.0f", count);
    return out;
}

static const char *time_text(double seconds, char out[32])
{
    if (seconds < 120) snprintf(out, 32, "%.*f s", seconds < 9.95 ? 1 : 0, seconds);
    else if (seconds < 7200) snprintf(out, 32, "%.0f min", seconds / 60);
    else snprintf(out, 32, "%.1f h", seconds / 3600);
    return out;
}

static void fact(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fact(const char *label, const char *format, ...)
{
    va_list list;

    printf("  %-18s ", label);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

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

/* The datasets' names of which `is` is true, as one line. */
static int names_print(const struct planning *p, const char *label, bool resident, struct bytes *line)
{
    size_t shown = 0, left = 0;

    line->len = 0;
    for (size_t d = 0; d < p->config.dataset_count; d++) {
        if (near_resident(&p->config.datasets[d]) != resident) continue;
        if (line->len > 50) left++;
        else if (bytes_printf(line, "%s", shown++ ? ", " : "") < 0 ||
                 visible_append(line, visible_cut(slice_of(p->config.datasets[d].name), 24), true) < 0)
            return -ENOMEM;
    }
    if (left && bytes_printf(line, ", %zu more", left) < 0) return -ENOMEM;
    if (line->len) fact(label, "%.*s", (int)line->len, line->at);
    return 0;
}

static int datasets_print(const struct planning *p, struct bytes *name)
{
    const struct sample *sample = planning_sample(p);

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
               (unsigned long long)shards, size_text((double)bytes, size));
        if (!seen->shards) printf("      -   in no pass\n");
        else
            printf(" %4.0f %% %10s %8s %11s %6.2f\n", seen->whole ? 100
                   : percent((double)seen->bytes_read, (double)seen->bytes),
                   count_text(sample_scaled(seen, (double)seen->documents), seen->whole, documents),
                   count_text(sample_scaled(seen, (double)seen->rejected), seen->whole, rejected),
                   size_text(sample_scaled(seen, (double)seen->text_bytes), text),
                   seen->bytes_read ? (double)seen->text_bytes / (double)seen->bytes_read : 0);
    }
    return 0;
}

static void features_print(const struct sample *sample)
{
    printf("  %-18s", "features, up to");
    for (size_t q = 0; q < QUANTILES; q++)
        printf(" %u (%s)%s", quantile(sample, quantiles[q].permille), quantiles[q].label, q + 1 < QUANTILES ? ","
               : " of documents\n");
}

static int print_near(const struct planning *p, struct bytes *line)
{
    const struct near_options *o = &near_task(&p->config)->options;
    struct sample_sums         sums = sums_of(p, &p->near);
    double                     need = resident_bytes(p);
    char                       view[32], size[32], memory[32], seconds[32];

    view_print(&o->view, view);
    printf("\nnear_duplicates: %s, set Jaccard >= %.9g, multiset Jaccard >= %.9g\n", view,
           (double)o->set_threshold.num / o->set_threshold.den,
           (double)o->multiset_threshold.num / (o->multiset_threshold.den ? o->multiset_threshold.den : 1));
    if (names_print(p, "resident", true, line) < 0 || names_print(p, "streamed", false, line) < 0) return -ENOMEM;
    features_print(&p->near);
    fact("below min_tokens", "%.2f %% of documents: only looked up as byte-equal copies",
         percent(sums.unadmitted, sums.documents));
    fact("residents need", "%s on rank 0, of %s", size_text(need, size),
         size_text((double)p->machine.memory * (p->config.memory ? 1 : p->machine.ranks), memory));
    fact("time to read", "%s, features included; the join itself comes on top", time_text(near_seconds(p), seconds));
    return 0;
}

static void curve_print(const struct dedup_options *o)
{
    printf("  %-18s", "S-curve: Jaccard");
    for (int i = 3; i <= 10; i++) printf("%8.1f", i / 10.0);
    printf("\n  %-18s", "  found by bands");
    for (int i = 3; i <= 10; i++) printf("%8.4f", curve_candidate(i / 10.0, o->bands, o->rows));
    putchar('\n');
}

static void print_dedup(const struct planning *p)
{
    static const char *const    method[] = { "auto", "lsh", "exact" };
    const struct dedup_options *o = &dedup_task(&p->config)->options;
    const struct dedup_plan    *plan = &p->plan;
    double                      records = plan->records_prefix + plan->records_lsh, total = 0;
    double                      threshold = (double)o->threshold.num / o->threshold.den;
    char                        view[32], a[32], b[32], c[32], d[32], e[32];

    view_print(&o->view, view);
    for (size_t i = 0; i < PLAN_STAGES; i++) total += plan->seconds[i];
    printf("\ndedup: %s, set Jaccard >= %.9g, method %s", view, threshold, method[o->method]);
    if (o->method != DEDUP_EXACT) printf(", %u bands of %u rows (%u hashes)", o->bands, o->rows, o->bands * o->rows);
    putchar('\n');
    features_print(&p->dedup);
    fact("without a feature", "%.2f %% of documents: found only as byte-equal copies",
         percent(plan->empty, plan->documents));
    fact("byte-equal copies", "%.2f %% of documents, at least", percent(plan->copies, plan->documents));
    if (o->method != DEDUP_EXACT) {
        curve_print(o);
        fact("recall", "%.4f of pairs at the threshold %.9g, by bands; one half at %.3f", plan->recall, threshold,
             plan->knee);
    }
    fact("by exact prefixes", "%s documents, %s records", count_text(plan->prefix_documents, plan->whole, a),
         count_text(plan->records_prefix, plan->whole, b));
    fact("by bands", "%s documents, %s records", count_text(plan->band_documents, plan->whole, a),
         count_text(plan->records_lsh, plan->whole, b));
    fact("records", "%s, %.1f a document, %s in all; %s between ranks", count_text(records, plan->whole, a),
         plan->documents > 0 ? records / plan->documents : 0, size_text(PLAN_RECORD_BYTES * records, b),
             size_text(plan->exchanged_bytes, c));
    if (plan->whole) fact("candidate pairs", "about %s", count_text(plan->pairs_least, true, a));
    else
        fact("candidate pairs", "%s if similar documents lie together, %s if anywhere",
             count_text(plan->pairs_least, false, a),
              count_text(plan->pairs_most, false, b));
    fact("memory of a rank", "%s for documents, of %s", size_text(plan->state_bytes, a),
         size_text((double)p->machine.memory, b));
    fact("spilled to disk", "%s", size_text(plan->spilled_bytes, a));
    fact("feature columns", "%s on disk", size_text(plan->column_bytes, a));
    if (o->write == DEDUP_WRITE_SHARDS)
        fact("cleaned shards", "%s at most at zstd level %d; %.2f %% of documents repeat one of the sample",
             size_text(plan->written_bytes, a),
             o->zstd_level, percent(plan->repeats, plan->documents));
    fact("time", "%s: read %s, exchange %s, verify %s, write %s", time_text(total, a),
         time_text(plan->seconds[PLAN_READ], b),
         time_text(plan->seconds[PLAN_EXCHANGE], c), time_text(plan->seconds[PLAN_VERIFY], d),
             time_text(plan->seconds[PLAN_WRITE], e));
}

/* What the numbers rest on. */
static void basis_print(const struct planning *p)
{
    struct sample_sums sums = sums_of(p, planning_sample(p));
    char               read[32], all[32], text[1000];

    printf("\n");
    snprintf(text, sizeof text,
             "This is a forecast.  It rests on %.0f documents, %s of %s on disk%s, at %.0f MB of text in a second of "
             "processor time.", sums.documents, size_text(sums.read, read), size_text(sums.bytes, all),
             sums.whole ? ": everything" : ", the beginnings of shards", sums.seconds > 0
                 ? sums.text / 1e6 / sums.seconds : 0);
    fold_print(text);
    if (!sums.whole)
        fold_print("Numbers with ~ are scaled by bytes.  Copies and pairs are those inside the sample: a document "
                   "whose like was not read "
                   "counts as alone, so there are more of them in the whole.");
    snprintf(text, sizeof text, "Time supposes that ranks and threads (%d x %d) share the work evenly and the disk "
                                "keeps up.%s", p->machine.ranks,
             p->machine.threads, !config_has(&p->config, &dedup_capability) ? "" :
             "  Reading and compressing were measured here; 10 million records and 1 million pairs a second and "
             "thread, 64 bytes of memory "
             "and 200 of disk a document, 8 of disk a feature are taken for granted.");
    fold_print(text);
}

static int planning_print(const struct planning *p, struct err *err)
{
    struct bytes line = { 0 };
    char         memory[32], text[PLAN_WARNING], warning[PLAN_WARNING + 16];
    int          rc;

    printf("%zu datasets, %zu shards; %d x %d threads, %s of memory a rank\n\n", p->config.dataset_count,
           p->shards.count, p->machine.ranks,
           p->machine.threads, size_text((double)p->machine.memory, memory));
    rc = datasets_print(p, &line);
    if (rc == 0 && config_has(&p->config, &near_capability)) rc = print_near(p, &line);
    if (rc == 0 && config_has(&p->config, &dedup_capability)) print_dedup(p);
    if (rc == 0 && p->config.made)
        printf("\nThe outputs that models write first (generate) are in no number here.\n");
    if (rc == 0) basis_print(p);
    for (size_t i = 0; rc == 0 && config_has(&p->config, &dedup_capability) &&
         plan_warning(&p->plan, &dedup_task(&p->config)->options, &p->machine, i, text); i++) {
        snprintf(warning, sizeof warning, "%swarning: %s", i ? "" : "\n", text);
        fold_print(warning);
    }
    bytes_free(&line);
    return rc < 0 ? err_memory(err, 4096, "the plan") : 0;
}

/* ---- 4. As JSON ---- */

/* Adds to an object or, key NULL, to an array; frees the value when that fails.  Building goes on, as *failed is looked
 * at in the end. */
static cJSON *json_put(cJSON *parent, const char *key, cJSON *value, bool *failed)
{
    if (value && parent && (key ? cJSON_AddItemToObject(parent, key, value) : cJSON_AddItemToArray(parent, value)))
        return value;
    cJSON_Delete(value);
    *failed = true;
    return NULL;
}

static void json_number(cJSON *parent, const char *key, double value, bool *failed)
{
    json_put(parent, key, cJSON_CreateNumber(value), failed);
}

static void json_datasets(const struct planning *p, cJSON *root, bool *failed)
{
    cJSON *list = json_put(root, "datasets", cJSON_CreateArray(), failed);

    for (size_t d = 0; d < p->config.dataset_count; d++) {
        const struct sample_dataset *seen = &planning_sample(p)->dataset[d];
        cJSON                       *row = json_put(list, NULL, cJSON_CreateObject(), failed);

        json_put(row, "name", cJSON_CreateString(p->config.datasets[d].name), failed);
        json_put(row, "role", cJSON_CreateString(p->config.datasets[d].role == ROLE_BENCHMARK ? "benchmark" : "corpus"),
                 failed);
        if (!seen->shards) continue;
        json_number(row, "shards", (double)seen->shards, failed);
        json_number(row, "bytes", (double)seen->bytes, failed);
        json_number(row, "bytes_read", (double)seen->bytes_read, failed);
        json_put(row, "exact", cJSON_CreateBool(seen->whole), failed);
        json_number(row, "documents", sample_scaled(seen, (double)seen->documents), failed);
        json_number(row, "rejected", sample_scaled(seen, (double)seen->rejected), failed);
        json_number(row, "admitted", sample_scaled(seen, (double)seen->admitted), failed);
        json_number(row, "text_bytes", sample_scaled(seen, (double)seen->text_bytes), failed);
        json_number(row, "features", sample_scaled(seen, (double)seen->distinct), failed);
    }
}

static void json_features(const struct sample *sample, cJSON *parent, bool *failed)
{
    cJSON *object = json_put(parent, "features", cJSON_CreateObject(), failed);

    for (size_t q = 0; q < QUANTILES; q++)
        json_number(object, quantiles[q].key, quantile(sample, quantiles[q].permille), failed);
}

static void json_near(const struct planning *p, cJSON *root, bool *failed)
{
    cJSON *near = json_put(root, "near_duplicates", cJSON_CreateObject(), failed);
    cJSON *resident = json_put(near, "resident", cJSON_CreateArray(), failed),
        *streamed = json_put(near, "streamed", cJSON_CreateArray(), failed);

    for (size_t d = 0; d < p->config.dataset_count; d++)
        json_put(near_resident(&p->config.datasets[d]) ? resident : streamed, NULL,
                 cJSON_CreateString(p->config.datasets[d].name), failed);
    json_features(&p->near, near, failed);
    json_number(near, "resident_bytes", resident_bytes(p), failed);
    json_number(near, "seconds_read", near_seconds(p), failed);
}

static void json_dedup(const struct planning *p, cJSON *root, bool *failed)
{
    const struct dedup_plan    *plan = &p->plan;
    const struct dedup_options *o = &dedup_task(&p->config)->options;
    const struct { const char *key; double value; } numbers[] = {
        { "threshold", (double)o->threshold.num / o->threshold.den }, { "bands", o->bands }, { "rows", o->rows },
        { "recall", plan->recall },
        { "knee", plan->knee }, { "documents", plan->documents }, { "text_bytes", plan->text_bytes },
        { "admitted", plan->admitted },
        { "without_feature", plan->empty }, { "copies", plan->copies }, { "repeats", plan->repeats },
        { "prefix_documents", plan->prefix_documents },
        { "band_documents", plan->band_documents }, { "records_prefix", plan->records_prefix },
        { "records_lsh", plan->records_lsh },
        { "candidates_least", plan->pairs_least }, { "candidates_most", plan->pairs_most },
        { "largest_bucket", (double)p->dedup.largest_bucket },
        { "exchanged_bytes", plan->exchanged_bytes }, { "state_bytes_rank", plan->state_bytes },
        { "column_bytes", plan->column_bytes },
        { "spilled_bytes", plan->spilled_bytes }, { "written_bytes", plan->written_bytes },
        { "seconds_read", plan->seconds[PLAN_READ] },
        { "seconds_exchange", plan->seconds[PLAN_EXCHANGE] }, { "seconds_verify", plan->seconds[PLAN_VERIFY] },
        { "seconds_write", plan->seconds[PLAN_WRITE] },
    };
    cJSON *dedup = json_put(root, "dedup", cJSON_CreateObject(), failed), *curve, *warnings;
    char   text[PLAN_WARNING];

    json_put(dedup, "exact", cJSON_CreateBool(plan->whole), failed);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_number(dedup, numbers[i].key, numbers[i].value, failed);
    json_features(&p->dedup, dedup, failed);
    curve = json_put(dedup, "curve", cJSON_CreateArray(), failed);
    for (int i = 3; i <= 10 && o->method != DEDUP_EXACT; i++) {
        cJSON *point = json_put(curve, NULL, cJSON_CreateObject(), failed);

        json_number(point, "jaccard", i / 10.0, failed);
        json_number(point, "found", curve_candidate(i / 10.0, o->bands, o->rows), failed);
    }
    warnings = json_put(dedup, "warnings", cJSON_CreateArray(), failed);
    for (size_t i = 0; plan_warning(plan, o, &p->machine, i, text); i++)
        json_put(warnings, NULL, cJSON_CreateString(text), failed);
}

static int planning_json(const struct planning *p, struct err *err)
{
    cJSON             *root = cJSON_CreateObject();
    struct sample_sums sums = sums_of(p, planning_sample(p));
    bool               failed = !root;
    char              *text;

    json_number(root, "ranks", p->machine.ranks, &failed);
    json_number(root, "threads", p->machine.threads, &failed);
    json_number(root, "memory_rank", (double)p->machine.memory, &failed);
    json_number(root, "sample_documents", sums.documents, &failed);
    json_number(root, "sample_text_bytes", sums.text, &failed);
    json_number(root, "sample_seconds", sums.seconds, &failed);
    json_datasets(p, root, &failed);
    if (config_has(&p->config, &near_capability)) json_near(p, root, &failed);
    if (config_has(&p->config, &dedup_capability)) json_dedup(p, root, &failed);
    text = failed ? NULL : cJSON_Print(root);
    if (text) puts(text);
    cJSON_free(text);
    cJSON_Delete(root);
    return text ? 0 : err_memory(err, 4096, "the plan");
}

/* ---- 5. The command line ---- */

static int planning_make(struct planning *p, struct err *err)
{
    const struct run_options *o = &p->options;
    int                       rc = config_read(&p->config, o->yaml, o->set, o->set_count, err);

    if (rc == 0)
        rc = shard_list_open(&p->shards, p->config.datasets, p->config.dataset_count - p->config.made,
                             p->config.base, err);
    if (rc < 0) return rc;
    p->machine.memory = machine_memory(p);
    rc = planning_samples(p, err);
    if (rc == 0) rc = p->json ? planning_json(p, err) : planning_print(p, err);
    return rc;
}

/* Rank 0 reads and speaks; a sample is too small to be shared. */
static int planning_carry_out(struct planning *p, struct err *err)
{
    struct comm *comm;
    int          rc = comm_open(&comm, err);

    if (rc < 0) return rc;
    log_open(&(struct log_options){ .rank = comm_rank(comm) });
    p->machine.ranks = p->ranks ? p->ranks : comm_size(comm);
    p->machine.threads = p->options.threads ? p->options.threads : omp_get_max_threads();
    if (comm_rank(comm) == 0) rc = planning_make(p, err);
    rc = comm_agree(comm, rc, err);
    if (rc < 0 && comm_rank(comm) != 0) err->text[0] = '\0';        /* rank 0 says it */
    sample_free(&p->near);
    sample_free(&p->dedup);
    shard_list_free(&p->shards);
    config_free(&p->config);
    comm_close(comm);
    return rc;
}

static int plan_take_number(const char *option, const char *value, double least, double most, double *out,
                            struct err *err)
{
    char *end;

    if (!value) return err_set(err, -EINVAL, "%s needs a value", option);
    *out = strtod(value, &end);
    if (end == value || *end || !(*out >= least && *out <= most))
        return err_set(err, -EINVAL, "%s takes a number from %g to %g, not `%s`", option, least, most, value);
    return 0;
}

int cmd_plan(int argc, char **argv, struct err *err)
{
    struct planning p = { .share = 0.01 };
    char            output[4096];

    for (int at = 1; at < argc; at++) {
        const char *option = argv[at], *value = at + 1 < argc ? argv[at + 1] : NULL;
        double      number = 0;
        int         rc = 0;

        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) return fputs(plan_help, stdout) < 0;
        if (strcmp(option, "--json") == 0) p.json = true;
        else if (strcmp(option, "--set") == 0 || strcmp(option, "--threads") == 0) {
            rc = run_take_option(&p.options, argc, argv, &at, output, err);
            at--;                                           /* it has moved past */
        } else if (strcmp(option, "--ranks") == 0) {
            if ((rc = plan_take_number(option, value, 1, 1 << 20, &number, err)) == 0) p.ranks = (int)number;
            at++;
        } else if (strcmp(option, "--sample") == 0) {
            if ((rc = plan_take_number(option, value, 0, 100, &number, err)) == 0) p.share = number / 100;
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
