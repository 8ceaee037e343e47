/* cmd/run.c -- leakgraph run: from a settings file to graph.db and the report. */
#include "cmd/run.h"

#include "base/environment.h"
#include "base/host.h"
#include "base/log.h"
#include "base/outputs.h"
#include "base/status.h"
#include "cmd/answer.h"
#include "cmd/command.h"
#include "cmd/folder.h"
#include "cmd/interrupt.h"
#include "cmd/ranks.h"
#include "cmd/shard_texts.h"
#include "cmd/summary.h"
#include "cmd/verdict.h"
#include "cmd/version.h"
#include "cmd/wrong_field.h"
#include "capability/languages.h"
#include "config/capabilities.h"
#include "graph/contents.h"
#include "graph/edges.h"
#include "kernels/kernels.h"
#include "pass/content.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct running {
    const struct run_options *options;
    struct comm              *comm;
    struct config             config;
    struct bytes              resolved;                     /* the configuration as YAML */
    char                      config_hash[33];
    struct shard_list         shards;
    struct stage             *stage;
    bool                     *anew;                         /* of the shards, with --verify */
    char                      version[96], draft[FILE_NAME_MAX];
    struct run                run;                          /* what the capabilities are told */
    struct host               host;                         /* for what rank 0 does while the others wait */
    struct pass               pass;                         /* over all shards */
    struct graph_build        build;                        /* on rank 0, as are the next */
    struct settings           settings;
    char                      digest[33];
    struct run_summary        summary;
    bool                      gate;
};

/* ---- what is asked ---- */

/* OpenMP passes over a value that it cannot read; the user would get other threads than he asked for.  A list is for
 * nested regions. */
static int threads_check(struct err *err)
{
    const char *text = getenv("OMP_NUM_THREADS"), *at = text;
    char       *end;

    while (at && *at) {
        long threads = strtol(at, &end, 10);

        end += strspn(end, " ");
        if (end == at || threads < 1 || threads > THREADS_MAX || (*end && *end != ',') || (*end == ',' && !end[1]))
            return err_set(err, -EINVAL, "OMP_NUM_THREADS must be a number from 1 to %d, not `%.60s`", THREADS_MAX,
                           text);
        at = end + (*end == ',');
    }
    return 0;
}

/* By paths from the root, which units are named by: config.resolved.yaml has them too, and a run of it finds what this
 * one has made. */
static int shards_find(struct running *r, size_t datasets, struct err *err)
{
    char *base;
    int   rc = file_real_path(r->config.base, &base, err);

    if (rc == 0) rc = shard_list_open(&r->shards, r->config.datasets, datasets, base ? base : r->config.base, err);

    free(base);
    return rc;
}

void run_explain(const struct run_options *o, struct err *err)
{
    said_explain(err, o->yaml ? o->yaml : o->name, o->text, o->set, o->said, o->set_count);
}

static int config_get(struct running *r, struct err *err)
{
    const struct run_options *o = r->options;
    int                       rc;

    if (!o->threads && (rc = threads_check(err)) < 0) return rc;
    if (o->yaml) rc = config_read(&r->config, o->yaml, o->set, o->set_count, err);
    else rc = config_parse(&r->config, o->name, o->text, strlen(o->text), ".", o->set, o->set_count, err);
    if (rc < 0) run_explain(o, err);
    return rc < 0 ? rc : shards_find(r, r->config.dataset_count - r->config.made, err);
}

/* What the datasets' own texts say is a setting like those that are given: the resolved file has it. */
static int config_resolve(struct running *r, struct err *err)
{
    struct unit_key key;
    int             rc = languages_settle(r->comm, r->config.datasets, r->config.dataset_count - r->config.made,
                                          &r->shards, err);

    if (rc == 0 && config_print(&r->config, &r->resolved) < 0) rc = err_memory(err, 4096, "the resolved configuration");
    if (rc < 0) return rc;
    key = unit_key_add((struct unit_key){ 0, 0 }, r->resolved.at, r->resolved.len);
    snprintf(r->config_hash, sizeof r->config_hash, "%016llx%016llx", (unsigned long long)key.high,
             (unsigned long long)key.low);
    return 0;
}

/* All ranks must see the same settings and the same files: results of a mix would be wrong in silence. */
static int same_everywhere(struct running *r, struct err *err)
{
    struct unit_key mine = unit_key_add((struct unit_key){ 0, 0 }, r->resolved.at, r->resolved.len);
    struct bytes    first = { 0 };
    int             rc;

    for (size_t s = 0; s < r->shards.count; s++) {
        uint64_t number[] = { r->shards.at[s].dataset, r->shards.at[s].split, r->shards.at[s].bytes,
                              (uint64_t)r->shards.at[s].mtime_ns,
                              r->shards.at[s].signature };

        mine = unit_key_add(mine, r->shards.at[s].path, strlen(r->shards.at[s].path));
        mine = unit_key_add(mine, number, sizeof number);
    }
    rc = comm_rank(r->comm) == 0 && bytes_append(&first, &mine, sizeof mine) < 0 ? err_memory(err, sizeof mine, "a key")
        : 0;
    if ((rc = comm_agree(r->comm, rc, err)) == 0) rc = comm_broadcast(r->comm, &first, err);
    if (rc == 0 && (first.len != sizeof mine || memcmp(first.at, &mine, sizeof mine) != 0))
        rc = err_set(err, -EIO, "rank %d sees other settings or other files than rank 0: is everything on a file "
                                "system that all hosts share?", comm_rank(r->comm));
    bytes_free(&first);
    return comm_agree(r->comm, rc, err);
}

/* ---- the work ---- */

static void shards_sum(struct running *r)
{
    r->summary.shard_bytes = 0;
    for (size_t s = 0; s < r->shards.count; s++) r->summary.shard_bytes += r->shards.at[s].bytes;
}

/* Datasets that the run writes itself are read with all others from here on. */
static int shards_again(struct running *r, struct err *err)
{
    int rc;

    shard_list_free(&r->shards);
    rc = comm_agree(r->comm, shards_find(r, r->config.dataset_count, err), err);
    shards_sum(r);
    return rc < 0 ? rc : same_everywhere(r, err);
}

/* The steps that all ranks take together. */
enum step { STEP_BEGIN, STEP_ENTER, STEP_LEAVE, STEP_LEAVE_FAILED, STEP_WORK, STEP_FINISH };

static void step_tell(const char *capability, enum step step)
{
    char name[96];

    snprintf(name, sizeof name, step == STEP_ENTER ? "preparing %s" : "%s", capability);
    if (step != STEP_LEAVE && step != STEP_LEAVE_FAILED) status_stage(name, NULL);
}

/* A step of one capability.  A rank may fail in it alone, by its memory or its disk, behind the step's last collective
 * call; what comes next, of this capability or another, is collective again: so all ranks agree first. */
static int task_step(struct running *r, struct task *task, enum step step, struct err *err)
{
    const struct capability *of = task->of;
    const struct run        *run = &r->run;
    int                      rc = 0;

    step_tell(of->name, step);
    switch (step) {
    case STEP_BEGIN:  rc = of->begin ? of->begin(task, run, err) : 0; break;
    case STEP_ENTER:  rc = of->enter ? of->enter(task, run, &r->pass, err) : 0; break;
    case STEP_LEAVE:  rc = of->leave ? of->leave(task, run, &r->pass, true, err) : 0; break;
    case STEP_LEAVE_FAILED: rc = of->leave ? of->leave(task, run, &r->pass, false, err) : 0; break;
    case STEP_WORK:   rc = of->work ? of->work(task, run, err) : 0; break;
    case STEP_FINISH: rc = of->finish ? of->finish(task, run, &r->build, err) : 0; break;
    }
    return comm_agree(r->comm, rc, err);
}

static int run_begin(struct running *r, struct err *err)
{
    int rc = 0;

    FOR_EACH_TASK(task, &r->config) {
        if (rc == 0) rc = task_step(r, task, STEP_BEGIN, err);
        if (rc == 0 && task->of->traits & CAPABILITY_DATASETS) rc = shards_again(r, err);
    }
    return rc;
}

/* Everything that is asked while the shards stream by. */
static int run_pass(struct running *r, struct err *err)
{
    struct task *last = NULL;
    int          rc = 0;

    r->pass = (struct pass){ .run = &r->run };
    FOR_EACH_TASK(task, &r->config) {
        if (rc < 0) break;
        last = task;
        rc = task_step(r, task, STEP_ENTER, err);
    }
    if (rc == 0 && r->pass.scanner_count) rc = pass_stream(&r->pass, r->shards.count, err);
    FOR_EACH_TASK(task, &r->config) {
        struct err other = { 0 };

        if (rc == 0) rc = task_step(r, task, STEP_LEAVE, err);
        else task_step(r, task, STEP_LEAVE_FAILED, &other);
        if (task == last) break;
    }
    return rc;
}

static int run_work(struct running *r, struct err *err)
{
    int rc = 0;

    FOR_EACH_TASK(task, &r->config)
        if (rc == 0) rc = task_step(r, task, STEP_WORK, err);
    return rc;
}

/* ---- what comes out ---- */

#define DRAFT "work/tmp-graph.db"

static void draft_remove(const struct running *r)
{
    struct err ignored = { 0 };

    inside_remove(r->config.output, DRAFT, &ignored);
    inside_remove(r->config.output, "work/" EDGES_FILE, &ignored);
}

static const struct pass_totals *totals_of(struct running *r)
{
    FOR_EACH_TASK(task, &r->config) {
        const struct pass_totals *totals = task->of->totals ? task->of->totals(task) : NULL;

        if (totals) return totals;
    }
    return &r->pass.totals;
}

static int collect(struct running *r, struct err *err)
{
    int rc = 0;

    FOR_EACH_TASK(task, &r->config)
        if (rc == 0 && task->of->collect) rc = task->of->collect(task, &r->run, &r->build, err);
    return rc;
}

/* What each scanner of the one pass took, and what they share: decoding, parsing, features.  Of all threads and ranks
 * together. */
static void scanners_tell(const struct pass *pass, struct settings *s)
{
    char key[64];

    for (size_t i = 0; i < pass->scanner_count; i++) {
        snprintf(key, sizeof key, "seconds.scanner.%s", pass->scanner[i].kind);
        settings_add_seconds(s, key, pass->scanner[i].seconds);
    }
    if (pass->scanner_count) settings_add_seconds(s, "seconds.scanner.shared", pass->seconds);
}

static int settings_fill(struct running *r, struct err *err)
{
    const struct pass_totals *totals = totals_of(r);
    struct settings          *s = &r->settings;

    settings_free(s);
    settings_add_text(s, "version", slice_of(leakgraph_version()));
    settings_add_text(s, "commit", slice_of(leakgraph_commit()));
    settings_add_text(s, "configuration", bytes_slice(&r->resolved));
    settings_add_text(s, "configuration_hash", slice_of(r->config_hash));
    settings_add_text(s, "compat", slice_of(r->config.published ? "published" : "none"));
    settings_add_time(s, "started", r->summary.started_at);
    settings_add_time(s, "finished", time(NULL));
    settings_add_number(s, "ranks", (uint64_t)comm_size(r->comm));
    settings_add_number(s, "threads", (uint64_t)r->run.threads);
    settings_add_text(s, "kernels", slice_of(kernels->name));
    settings_add_number(s, "input_bytes", r->summary.shard_bytes);
    settings_add_number(s, "text_bytes", totals->text_bytes);
    settings_add_number(s, "records", totals->documents + totals->rejected);
    settings_add_number(s, "rejected", totals->rejected);
    FOR_EACH_TASK(task, &r->config)
        if (task->of->tell) task->of->tell(task, s);
    scanners_tell(&r->pass, s);
    settings_add_seconds(s, "seconds.before_store", log_seconds() - r->summary.started);
    return s->failed ? err_memory(err, s->count * sizeof *s->row, "the rows of table run") : 0;
}

/* What is asked of the database before it is put in its place. */
static int graph_ask(void *running, sqlite3 *db, struct contents *given, struct err *err)
{
    struct running *r = running;
    int             rc = gates_measure(&r->config, db, given, err);

    FOR_EACH_TASK(task, &r->config)
        if (rc == 0 && task->of->ask) rc = task->of->ask(task, &r->run, db, given, err);
    return rc < 0 ? rc : contents_tell(db, capability_tables(), given, err);       /* of all that is in it */
}

/* What every run writes, as the manifest has it from here on: not yet. */
static int store_claim(struct running *r, struct err *err)
{
    static const char *const place[] = { "graph.db", "report.html", "report.md", "report.json", "config.resolved.yaml",
                                         EDGES_FILE };
    const bool               aside = graph_edges_aside(&r->build.graph, GRAPH_EDGE_LIMIT);
    int                      rc = outputs_replace(r->stage, place, 5 + aside, true, err);

    /* that of an earlier run would contradict the table */
    return rc < 0 || aside ? rc : outputs_renew(r->stage, EDGES_FILE, NULL, NULL, 0, err);
}

/* Rank 0: graph, settings and, where it is the last time, what the gates find in them.  Only then does it get its name:
 * a graph.db is complete or not there. */
static int store(struct running *r, bool last, struct err *err)
{
    struct graph *graph = &r->build.graph;
    char          path[FILE_NAME_MAX];
    int           rc = settings_fill(r, err);

    graph->settings = r->settings.row;
    graph->setting_count = r->settings.count;
    graph->ask = last ? graph_ask : NULL;
    graph->asking = r;
    if (rc == 0 && last) rc = store_claim(r, err);
    if (rc == 0) rc = file_join(r->config.output, last ? "graph.db" : DRAFT, path, err);
    if (rc < 0) return rc;
    rc = graph_write(graph, capability_tables(), path, r->digest, host_take(&r->host, r->run.threads), err);
    host_give(&r->host);
    return rc;
}

/* Rank 0: units -> graph.db; all ranks: what is made from a draft of it, and becomes a part of it. */
static int graph_make(struct running *r, struct err *err)
{
    const bool first = comm_rank(r->comm) == 0, again = config_has_trait(&r->config, CAPABILITY_WRITES);
    int        rc;

    status_stage("putting results together", NULL);
    rc = first ? collect(r, err) : 0;
    status_stage("building graph.db", NULL);
    if (rc == 0 && first) rc = store(r, !again, err);
    rc = comm_agree(r->comm, rc, err);
    FOR_EACH_TASK(task, &r->config)
        if (rc == 0) rc = task_step(r, task, STEP_FINISH, err);
    if (again) status_stage("building graph.db", NULL);
    if (rc == 0 && first && again) rc = store(r, true, err);
    if (first) draft_remove(r);
    return comm_agree(r->comm, rc, err);
}

static int write_report(const struct running *r, struct err *err)
{
    const struct graph *graph = &r->build.graph;
    size_t              pairs = 0, clustered = 0;
    char                path[FILE_NAME_MAX];
    int                 rc = file_join(r->config.output, "config.resolved.yaml", path, err);

    for (size_t p = 0; p < GRAPH_PASSES; p++) {
        pairs += graph->passes[p].edge_count;
        clustered += graph->passes[p].clustered;
    }
    log_info("stored: documents=%zu pairs=%zu clustered=%zu rejects=%zu", graph->document_count, pairs, clustered,
             graph->reject_count);
    if (rc == 0) rc = file_write(path, bytes_slice(&r->resolved), err);
    if (rc == 0) rc = shard_texts_report(r->config.output, host_take(&r->host, r->run.threads), err);
    host_give(&r->host);
    return rc < 0 ? rc : outputs_finish(r->stage, err);
}

/* In the caller's own way; what it writes is named before and summed behind.  As options->tell. */
static int tell(const struct running *r, struct err *err)
{
    const struct run_options *o = r->options;
    struct err                settling = { 0 };
    int rc = o->file_count ? outputs_replace(r->stage, o->files, o->file_count, true, err) : 0, settled = 0;

    if (rc == 0) rc = o->tell(o->context, r->config.output, err);
    if (rc < 0 && rc != -EBADMSG) return rc;
    for (size_t i = 0; i < o->file_count && settled == 0; i++)
        settled = outputs_settle(r->stage, o->files[i], &settling);
    if (settled == 0) return rc;
    *err = settling;
    return settled;
}

static int outcome(struct running *r, struct err *err)
{
    bool quiet = r->options->quiet;
    int  rc = graph_make(r, err);

    if (rc == 0) status_stage("writing the report", NULL);
    if (rc == 0 && comm_rank(r->comm) == 0) {
        rc = write_report(r, err);
        /* tables of what could not be read would hide that it could not */
        if (rc == 0 && !quiet) quiet = !verdict_usable(r->config.output);
        if (rc == 0 && r->options->tell) {
            rc = tell(r, err);
            quiet |= rc == 1;
            rc = rc < 0 ? rc : 0;
        }
        if (rc == 0 && !quiet) rc = answer_print(&r->config, &r->build.graph, r->digest, err);
        /* the table before the warnings, where both go to one file */
        if (rc == 0) fflush(stdout);
        if (rc == 0) rc = verdict_reach(r->config.output, quiet, &r->gate, err);
        if (rc == -EBADMSG) rc = wrong_field_tell(&r->config, &r->shards, r->config.output, err);
    }
    return comm_agree(r->comm, rc, err);
}

/* ---- the whole ---- */

static int folder_open(struct running *r, struct err *err)
{
    const int rank = comm_rank(r->comm);
    int       rc = 0;

    if (rank == 0) rc = folder_check_datasets(&r->config, &r->shards, err);
    if (rank == 0 && rc == 0)
        rc = folder_check_target(r->config.output, bytes_slice(&r->resolved),
                                 &(struct folder_use){ r->options->clean, r->options->replace, r->options->extends },
                                 err);
    if (rank == 0 && rc == 0) rc = folder_check_outputs(r->config.output, &r->config, err);
    if (rank == 0 && rc == 0)
        rc = folder_check_files(r->config.output, r->options->files, r->options->file_count, &r->shards, err);
    if (rank == 0 && rc == 0) rc = stage_open(&r->stage, r->config.output, true, err);
    if (rank == 0 && rc == 0) {                             /* the lock is held: what others left is nobody's */
        folder_sweep(r->config.output);
        draft_remove(r);
    }
    if ((rc = comm_agree(r->comm, rc, err)) < 0) return rc;
    if (rank != 0) rc = stage_open(&r->stage, r->config.output, false, err);
    if (rank == 0 && r->options->clean) rc = stage_clear(r->stage, err);
    return comm_agree(r->comm, rc, err);
}

static void run_fill(struct running *r)
{
    const struct config *config = &r->config;

    snprintf(r->version, sizeof r->version, "%s %s", leakgraph_version(), leakgraph_commit());
    r->run = (struct run){ .comm = r->comm, .stage = r->stage, .version = r->version, .output = config->output,
                           .draft = r->draft,
                           .datasets = config->datasets, .dataset_count = config->dataset_count, .shards = &r->shards,
                           .store_text = config->store != STORE_NONE, .store_tokens = config->store == STORE_TOKENS,
                           .threads = r->options->threads ? r->options->threads : omp_get_max_threads(),
                           .memory = config->memory };
}

/* --verify: units of shards that have another content now, and all that was made of them, are forgotten. */
static int shards_verify(struct running *r, struct err *err)
{
    uint64_t changed = 0;
    int      rc;

    r->anew = calloc(r->shards.count + 1, sizeof *r->anew);
    rc = comm_agree(r->comm, r->anew ? 0 : err_memory(err, r->shards.count, "shards"), err);
    if (rc == 0) rc = content_verify(&r->run, r->anew, &changed, err);
    if (rc < 0) return rc;
    r->run.anew = r->anew, r->run.anew_count = r->shards.count;
    log_info("verified: shards=%zu changed=%llu", r->shards.count, (unsigned long long)changed);
    if (changed && comm_rank(r->comm) == 0) rc = stage_clear(r->stage, err);
    return comm_agree(r->comm, rc, err);
}

static int carry_out(struct running *r, struct err *err)
{
    int  rc, rank = comm_rank(r->comm);
    char path[FILE_NAME_MAX];

    rc = comm_agree(r->comm, config_get(r, err), err);
    if (rc == 0) rc = comm_agree(r->comm, config_resolve(r, err), err);
    if (rc == 0) rc = same_everywhere(r, err);
    if (rc < 0) return rc;
    if (rank == 0) interrupt_explain(!r->options->passing);
    if ((rc = folder_open(r, err)) < 0) return rc;
    rc = file_join(r->config.output, "run.log", path, err);
    if (rc == 0) rc = file_join(r->config.output, DRAFT, r->draft, err);
    if ((rc = comm_agree(r->comm, rc, err)) < 0) return rc;
    log_open(&(struct log_options){ .rank = rank, .quiet = r->options->quiet, .path = rank == 0 ? path : NULL });
    shard_list_warn(&r->shards);
    languages_log(r->config.datasets, r->config.dataset_count);

    run_fill(r);
    environment_keep_memory(run_memory_share(&r->run), r->run.threads);
    if ((rc = host_find(&r->host, r->comm, r->run.threads, err)) < 0) return rc;
    status_open(&(struct status_run){ r->options->name ? r->options->name : "run", r->version, r->run.threads },
                r->comm, r->stage);
    shards_sum(r);
    log_info("leakgraph %s (%s): datasets=%zu shards=%zu bytes=%llu ranks=%d threads=%d", leakgraph_version(),
             leakgraph_commit(), r->config.dataset_count, r->shards.count, (unsigned long long)r->summary.shard_bytes,
             comm_size(r->comm), r->run.threads);
    if (r->options->verify) status_stage("verifying shards", NULL);
    if (r->options->verify) rc = shards_verify(r, err);
    if (rc == 0) rc = run_begin(r, err);
    if (rc == 0) rc = run_pass(r, err);
    if (rc == 0) rc = run_work(r, err);
    if (rc == 0) rc = outcome(r, err);
    if (rc == 0) summary_line(&r->summary, r->comm, totals_of(r));
    return rc;
}

int run_carry_out(const struct run_options *options, struct err *err)
{
    struct running r = { .options = options, .summary = { .started = log_seconds(), .started_at = time(NULL) } };
    int            rc = ranks_open(&r.comm, options->quiet, err);

    if (rc < 0) return rc;
    rc = carry_out(&r, err);
    if (rc >= 0 && r.gate) rc = 3;
    status_close(command_status(rc), rc < 0 ? err->text : NULL);
    graph_build_free(&r.build);
    settings_free(&r.settings);
    config_free(&r.config);
    stage_close(r.stage);
    shard_list_free(&r.shards);
    free(r.anew);
    bytes_free(&r.resolved);
    return ranks_close(r.comm, rc, err);
}

/* ---- the command ---- */

static void run_help(void)
{
    fputs("usage: leakgraph run [pipeline.yaml] [--output DIR] [--set KEY=VALUE]...\n"
          "                     [--field [DATASET.]NAME=FIELD]... [--threads N] [--replace] [--clean]\n"
          "                     [--verify] [--quiet]\n\n"
          "Reads what pipeline.yaml names, finds which documents the datasets share, and writes into the output\n"
          "folder graph.db (SQLite), report.html, report.md, report.json, config.resolved.yaml and run.log.\n"
          "Killed at any moment, the same command goes on where it was; work/ holds the finished pieces.\n\n"
          "  --output DIR      the run folder (also `output:` in the file)\n"
          "  --set KEY=VALUE   changes a setting: --set near_duplicates.set_threshold=0.9,\n"
          "                    --set datasets.codetrans.language=java\n"
          "  --field NAME=FIELD\n"
          "                    the field of the records that is the text, id, path, repo, language, license,\n"
          "                    split, tokens, stars or date: --field text=code; of one dataset alone:\n"
          "                    --field humaneval.text=canonical_solution\n"
          "  --threads N       threads of this rank (otherwise OMP_NUM_THREADS, otherwise the CPUs it may use)\n"
          "  --replace         lets go of results of another configuration, which the folder keeps otherwise;\n"
          "                    finished pieces that fit are used.  Another `fail_on` or `memory`, or new shards\n"
          "                    of the same datasets, are no other configuration\n"
          "  --clean           forgets finished pieces first and begins anew, whatever the folder holds\n"
          "  --verify          reads all shards first: finished pieces are forgotten where one has another\n"
          "                    content than they were made of, though the same size and time\n"
          "  --quiet           no progress line and no table; errors still show\n\n"
          "`leakgraph help config` explains the file.\n\n"
          "examples:\n"
          "  leakgraph run --output results/first --set fail_on.leakage=5\n"
          "                    exit status 3 when more than 5 % of a benchmark are in a corpus\n"
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
        if (argv[at][0] == '-')
            return err_set(err, -EINVAL, "run does not know `%s`; see leakgraph run --help", argv[at]);
        if (options.yaml) return err_set(err, -EINVAL, "run takes one settings file; `%s` is a second", argv[at]);
        options.yaml = argv[at++];
    }
    if (!options.yaml) options.yaml = "pipeline.yaml";
    return run_carry_out(&options, err);
}
