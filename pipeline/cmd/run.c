/* cmd/run.c -- leakgraph run: from a settings file to graph.db and the report. */
#include "cmd/run.h"

#include "base/log.h"
#include "cmd/command.h"
#include "cmd/folder.h"
#include "cmd/interrupt.h"
#include "cmd/summary.h"
#include "cmd/verdict.h"
#include "cmd/version.h"
#include "graph/build.h"
#include "kernels/kernels.h"
#include "report/leakage.h"
#include "scan/near.h"
#include "scan/result.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

struct running {
    const struct run_options *options;
    struct comm              *comm;
    struct config             config;
    struct bytes              resolved;                     /* the configuration as YAML */
    char                      config_hash[33];
    struct shard_list         shards;
    struct stage             *stage;
    struct near_job           job;
    char                      version[96];
    struct run_summary        summary;
    bool                      gate;
};

/* ---- what is asked ---- */

/* OpenMP passes over a value that it cannot read; the user would get other threads than he asked for.  A list is for nested regions. */
static int threads_check(struct err *err)
{
    const char *text = getenv("OMP_NUM_THREADS"), *at = text;
    char       *end;

    while (at && *at) {
        long threads = strtol(at, &end, 10);

        end += strspn(end, " ");
        if (end == at || threads < 1 || threads > THREADS_MAX || (*end && *end != ',') || (*end == ',' && !end[1]))
            return err_set(err, -EINVAL, "OMP_NUM_THREADS must be a number from 1 to %d, not `%.60s`", THREADS_MAX, text);
        at = end + (*end == ',');
    }
    return 0;
}

static int config_get(struct running *r, struct err *err)
{
    const struct run_options *o = r->options;
    struct unit_key           key;
    int                       rc;

    if (!o->threads && (rc = threads_check(err)) < 0) return rc;
    if (o->yaml) rc = config_read(&r->config, o->yaml, o->set, o->set_count, err);
    else rc = config_parse(&r->config, "overlap", o->text, strlen(o->text), ".", o->set, o->set_count, err);
    if (rc == 0) rc = shard_list_open(&r->shards, r->config.datasets, r->config.dataset_count, r->config.base, err);
    if (rc == 0 && config_print(&r->config, &r->resolved) < 0) rc = err_memory(err, 4096, "the resolved configuration");
    if (rc < 0) return rc;
    key = unit_key_add((struct unit_key){ 0, 0 }, r->resolved.at, r->resolved.len);
    snprintf(r->config_hash, sizeof r->config_hash, "%016llx%016llx", (unsigned long long)key.high, (unsigned long long)key.low);
    return 0;
}

/* All ranks must see the same settings and the same files: results of a mix would be wrong in silence. */
static int same_everywhere(struct running *r, struct err *err)
{
    struct unit_key mine = unit_key_add((struct unit_key){ 0, 0 }, r->resolved.at, r->resolved.len);
    struct bytes    first = { 0 };
    int             rc;

    for (size_t s = 0; s < r->shards.count; s++) {
        uint64_t number[] = { r->shards.at[s].dataset, r->shards.at[s].split, r->shards.at[s].bytes, (uint64_t)r->shards.at[s].mtime_ns,
                              r->shards.at[s].signature };

        mine = unit_key_add(mine, r->shards.at[s].path, strlen(r->shards.at[s].path));
        mine = unit_key_add(mine, number, sizeof number);
    }
    rc = comm_rank(r->comm) == 0 && bytes_append(&first, &mine, sizeof mine) < 0 ? err_memory(err, sizeof mine, "a key") : 0;
    if ((rc = comm_agree(r->comm, rc, err)) == 0) rc = comm_broadcast(r->comm, &first, err);
    if (rc == 0 && (first.len != sizeof mine || memcmp(first.at, &mine, sizeof mine) != 0))
        rc = err_set(err, -EIO, "rank %d sees other settings or other files than rank 0: is everything on a file system that all hosts share?",
                     comm_rank(r->comm));
    bytes_free(&first);
    return comm_agree(r->comm, rc, err);
}

/* ---- what comes out ---- */

static void time_print(time_t at, char out[32])
{
    struct tm broken;

    gmtime_r(&at, &broken);
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &broken);
}

/* The rows of table run.  All values live in `text`. */
struct settings { struct graph_setting row[40]; size_t count; char text[40][64]; };

static void setting_text(struct settings *s, const char *key, struct slice value) { s->row[s->count++] = (struct graph_setting){ key, value }; }

static void setting_number(struct settings *s, const char *key, uint64_t value)
{
    snprintf(s->text[s->count], sizeof s->text[0], "%llu", (unsigned long long)value);
    setting_text(s, key, slice_of(s->text[s->count]));
}

static void setting_ratio(struct settings *s, const char *key, struct ratio value)
{
    if (value.den) snprintf(s->text[s->count], sizeof s->text[0], "%.9g", (double)value.num / value.den);
    else snprintf(s->text[s->count], sizeof s->text[0], "off");
    setting_text(s, key, slice_of(s->text[s->count]));
}

static void setting_seconds(struct settings *s, const char *key, double value)
{
    snprintf(s->text[s->count], sizeof s->text[0], "%.3f", value);
    setting_text(s, key, slice_of(s->text[s->count]));
}

static void settings_fill(struct settings *s, const struct running *r)
{
    static const char *const keys[NEAR_STAGES] = { "seconds.collect", "seconds.index", "seconds.join", "seconds.scan" };
    const struct near_options *o = &r->config.near;

    setting_text(s, "version", slice_of(leakgraph_version()));
    setting_text(s, "commit", slice_of(leakgraph_commit()));
    setting_text(s, "configuration", bytes_slice(&r->resolved));
    setting_text(s, "configuration_hash", slice_of(r->config_hash));
    view_print(&o->view, s->text[s->count]);
    setting_text(s, "near.view", slice_of(s->text[s->count]));
    setting_ratio(s, "near.set_threshold", o->set_threshold);
    setting_ratio(s, "near.multiset_threshold", o->multiset_threshold);
    setting_ratio(s, "near.containment_threshold", o->containment_threshold);
    setting_ratio(s, "near.report_floor", o->report_floor);
    setting_number(s, "near.min_tokens", o->min_tokens);
    setting_number(s, "near.max_matches", o->max_matches);
    setting_text(s, "near.across_languages", slice_of(o->view.across_languages ? "true" : "false"));
    setting_text(s, "compat", slice_of(r->config.published ? "published" : "none"));
    time_print(r->summary.started_at, s->text[s->count]);
    setting_text(s, "started", slice_of(s->text[s->count]));
    time_print(time(NULL), s->text[s->count]);
    setting_text(s, "finished", slice_of(s->text[s->count]));
    setting_number(s, "ranks", (uint64_t)comm_size(r->comm));
    setting_number(s, "threads", (uint64_t)r->job.threads);
    setting_text(s, "kernels", slice_of(kernels->name));
    setting_number(s, "input_bytes", r->summary.shard_bytes);
    setting_number(s, "text_bytes", r->job.totals.text_bytes);
    setting_number(s, "records", r->job.totals.documents + r->job.totals.rejected);
    setting_number(s, "rejected", r->job.totals.rejected);
    for (size_t i = 0; i < NEAR_STAGES; i++) setting_seconds(s, keys[i], r->job.seconds[i]);
    setting_seconds(s, "seconds.before_store", log_seconds() - r->summary.started);
}

/* Rank 0: units -> graph.db, report, table. */
static int finish(struct running *r, struct err *err)
{
    struct near_result result;
    struct graph_build build = { 0 };
    struct settings   *settings = calloc(1, sizeof *settings);
    char               digest[33], path[4400];
    int                rc = settings ? near_result_read(&r->job, &result, err) : err_memory(err, sizeof *settings, "settings");

    if (rc < 0) {
        free(settings);
        return rc;
    }
    rc = graph_build(&build, &r->job, &result, err);
    if (rc == 0) {
        settings_fill(settings, r);
        build.graph.settings = settings->row;
        build.graph.setting_count = settings->count;
        rc = graph_digest(&build.graph, digest, err);
    }
    if (rc == 0) {
        snprintf(path, sizeof path, "%s/graph.db", r->config.output);
        rc = graph_write(&build.graph, path, digest, err);
    }
    if (rc == 0)
        log_info("stored: documents=%zu pairs=%zu clustered=%zu rejects=%zu", build.graph.document_count, build.graph.edge_count, build.graph.cluster_count,
                 build.graph.reject_count);
    if (rc == 0) {
        snprintf(path, sizeof path, "%s/config.resolved.yaml", r->config.output);
        rc = file_write(path, bytes_slice(&r->resolved), err);
    }
    if (rc == 0) rc = leakage_write(r->config.output, err);
    if (rc == 0 && !r->options->quiet) rc = summary_table(&build.graph, r->config.near.containment_threshold.den != 0, r->config.output, digest, err);
    if (rc == 0) fflush(stdout);                            /* the table before the warnings, where both go to one file */
    if (rc == 0) rc = verdict_reach(&r->config, r->config.output, &r->gate, err);
    graph_build_free(&build);
    near_result_free(&result);
    free(settings);
    return rc;
}

/* ---- the whole ---- */

/* Three quarters of the machine's: only rank 0 holds resident documents. */
static uint64_t memory_default(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)size : 0;
}

static int carry_out(struct running *r, struct err *err)
{
    int  rc, rank = comm_rank(r->comm);
    char path[4400];

    rc = comm_agree(r->comm, config_get(r, err), err);
    if (rc == 0) rc = same_everywhere(r, err);
    if (rc < 0) return rc;

    if (rank == 0) interrupt_explain();
    if (rank == 0) rc = folder_check_target(r->config.output, bytes_slice(&r->resolved), r->options->clean, err);
    if (rank == 0 && rc == 0) rc = stage_open(&r->stage, r->config.output, true, err);
    if ((rc = comm_agree(r->comm, rc, err)) < 0) return rc;
    if (rank != 0) rc = stage_open(&r->stage, r->config.output, false, err);
    if (rank == 0 && r->options->clean) rc = stage_clear(r->stage, err);
    if ((rc = comm_agree(r->comm, rc, err)) < 0) return rc;
    snprintf(path, sizeof path, "%s/run.log", r->config.output);
    log_open(&(struct log_options){ .rank = rank, .quiet = r->options->quiet, .path = rank == 0 ? path : NULL });

    snprintf(r->version, sizeof r->version, "%s %s", leakgraph_version(), leakgraph_commit());
    r->job = (struct near_job){ .comm = r->comm, .stage = r->stage, .version = r->version, .datasets = r->config.datasets, .dataset_count = r->config.dataset_count,
                                .shards = &r->shards, .options = &r->config.near, .store_text = r->config.store != STORE_NONE,
                                .store_tokens = r->config.store == STORE_TOKENS,
                                .threads = r->options->threads ? r->options->threads : omp_get_max_threads(),
                                .memory = r->config.memory ? r->config.memory : memory_default() };
    for (size_t s = 0; s < r->shards.count; s++) r->summary.shard_bytes += r->shards.at[s].bytes;
    log_info("leakgraph %s (%s): datasets=%zu shards=%zu bytes=%llu ranks=%d threads=%d", leakgraph_version(), leakgraph_commit(), r->config.dataset_count,
             r->shards.count, (unsigned long long)r->summary.shard_bytes, comm_size(r->comm), r->job.threads);
    rc = near_run(&r->job, err);
    if (rc == 0)
        log_info("joined: collect=%.2fs index=%.2fs join=%.2fs scan=%.2fs", r->job.seconds[NEAR_COLLECT], r->job.seconds[NEAR_INDEX], r->job.seconds[NEAR_JOIN],
                 r->job.seconds[NEAR_SCAN]);
    if (rc == 0 && rank == 0) rc = finish(r, err);
    rc = comm_agree(r->comm, rc, err);
    if (rc == 0) summary_line(&r->summary, r->comm, &r->job);
    return rc;
}

int run_carry_out(const struct run_options *options, struct err *err)
{
    struct running r = { .options = options, .summary = { .started = log_seconds(), .started_at = time(NULL) } };
    int            rc = comm_open(&r.comm, err), rank;

    if (rc < 0) return rc;
    rank = comm_rank(r.comm);
    log_open(&(struct log_options){ .rank = rank, .quiet = options->quiet });
    rc = carry_out(&r, err);
    if (rc < 0 && rank != 0) err->text[0] = '\0';           /* rank 0 says it */
    if (rc >= 0 && r.gate) rc = 3;
    stage_close(r.stage);
    shard_list_free(&r.shards);
    config_free(&r.config);
    bytes_free(&r.resolved);
    comm_close(r.comm);
    return rc;
}

/* ---- the command line ---- */

int run_take_option(struct run_options *options, int argc, char **argv, int *at, char output[4096], struct err *err)
{
    const char *option = argv[*at];
    char       *end;
    long        threads;

    if (strcmp(option, "--clean") == 0) options->clean = true;
    else if (strcmp(option, "--quiet") == 0) options->quiet = true;
    else if (strcmp(option, "--set") != 0 && strcmp(option, "--output") != 0 && strcmp(option, "--threads") != 0) return 0;
    else if (*at + 1 >= argc) return err_set(err, -EINVAL, "%s needs a value", option);
    else if (strcmp(option, "--threads") == 0) {
        threads = strtol(argv[++*at], &end, 10);
        if (*end || end == argv[*at] || threads < 1 || threads > THREADS_MAX)
            return err_set(err, -EINVAL, "--threads takes a number from 1 to %d, not `%s`", THREADS_MAX, argv[*at]);
        options->threads = (int)threads;
    } else {
        bool is_output = strcmp(option, "--output") == 0;

        if (options->set_count == sizeof options->set / sizeof options->set[0]) return err_set(err, -EINVAL, "more than 256 settings");
        if (is_output && snprintf(output, 4096, "output=%s", argv[*at + 1]) >= 4096) return err_set(err, -EINVAL, "--output: the path is too long");
        options->set[options->set_count++] = is_output ? output : argv[*at + 1];
        ++*at;
    }
    ++*at;
    return 1;
}

static void run_help(void)
{
    fputs("usage: leakgraph run [pipeline.yaml] [--output DIR] [--set KEY=VALUE]... [--threads N] [--clean]\n"
          "                     [--quiet]\n\n"
          "Reads what pipeline.yaml names, finds which documents the datasets share, and writes into the output\n"
          "folder graph.db (SQLite), report.md, report.json, config.resolved.yaml and run.log.  Killed at any\n"
          "moment, the same command goes on where it was; work/ holds the finished pieces.\n\n"
          "  --output DIR      the run folder (also `output:` in the file)\n"
          "  --set KEY=VALUE   changes a setting: --set near_duplicates.set_threshold=0.9,\n"
          "                    --set datasets.codetrans.language=java\n"
          "  --threads N       threads of this rank (otherwise OMP_NUM_THREADS, otherwise the CPUs it may use)\n"
          "  --clean           forgets finished pieces first and begins anew, whatever the folder holds\n"
          "  --quiet           no progress line and no table; errors still show\n\n"
          "`leakgraph help config` explains the file.  On many cores or hosts:\n"
          "  mpirun -n 8 --bind-to none leakgraph run pipeline.yaml\n", stdout);
}

int cmd_run(int argc, char **argv, struct err *err)
{
    struct run_options options = { 0 };
    char               output[4096];

    for (int at = 1; at < argc; ) {
        int rc = run_take_option(&options, argc, argv, &at, output, err);

        if (rc < 0) return rc;
        if (rc > 0) continue;
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            run_help();
            return 0;
        }
        if (argv[at][0] == '-') return err_set(err, -EINVAL, "run does not know `%s`; see leakgraph run --help", argv[at]);
        if (options.yaml) return err_set(err, -EINVAL, "run takes one settings file; `%s` is a second", argv[at]);
        options.yaml = argv[at++];
    }
    if (!options.yaml) options.yaml = "pipeline.yaml";
    return run_carry_out(&options, err);
}
