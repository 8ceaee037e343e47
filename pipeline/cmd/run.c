/* cmd/run.c -- leakgraph run: from a settings file to graph.db and the report. */
#include "cmd/run.h"

#include "base/file.h"
#include "base/log.h"
#include "clean/clean.h"
#include "cmd/command.h"
#include "cmd/folder.h"
#include "cmd/interrupt.h"
#include "cmd/settings.h"
#include "cmd/summary.h"
#include "dedup/summary.h"
#include "cmd/verdict.h"
#include "cmd/version.h"
#include "dedup/result.h"
#include "graph/build.h"
#include "clone/tables.h"
#include "dedup/tables.h"
#include "graph/build_items.h"
#include "ngram/tables.h"
#include "repository/tables.h"
#include "sensitive/tables.h"
#include "near/expand.h"
#include "generate/tables.h"
#include "probe/tables.h"
#include "report/leakage.h"
#include "near/result.h"
#include "scan/scan.h"
#include "view/curve.h"

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
    int                       threads;
    struct scan_job           scan;
    struct near_job           near;
    struct dedup_job          dedup;
    struct ngram_job          ngram;
    struct clone_job          clones;
    struct portrait_job       portrait;
    struct repository_job     repositories;
    struct sensitive_job      sensitive;
    struct item_job           items;
    struct generate_job       generate;
    struct probe_job          probe;
    char                      version[96];
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
    char *base = realpath(r->config.base, NULL);
    int   rc = shard_list_open(&r->shards, r->config.datasets, datasets, base ? base : r->config.base, err);

    free(base);
    return rc;
}

static int config_get(struct running *r, struct err *err)
{
    const struct run_options *o = r->options;
    struct unit_key           key;
    int                       rc;

    if (!o->threads && (rc = threads_check(err)) < 0) return rc;
    if (o->yaml) rc = config_read(&r->config, o->yaml, o->set, o->set_count, err);
    else rc = config_parse(&r->config, o->name, o->text, strlen(o->text), ".", o->set, o->set_count, err);
    if (rc == 0) rc = shards_find(r, r->config.dataset_count - r->config.generate.datasets, err);
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
                                "system that all hosts share?",
                     comm_rank(r->comm));
    bytes_free(&first);
    return comm_agree(r->comm, rc, err);
}

/* ---- what comes out ---- */

/* What rank 0 reads back and makes of it; the graph points into the results. */
struct outcome {
    struct near_result  near;
    struct dedup_result dedup;
    struct clone_result clones;
    struct ngram_result ngrams;
    struct item_result  items;
    struct scan_counts  counts;
    struct repository_result repositories;
    struct sensitive_result sensitive;
    struct probe_result probes;
    struct clean_result cleaned;
    struct graph_build  build;
    struct settings     settings;
    char                digest[33];
};

static const struct pass_totals *totals_of(const struct running *r)
{
    if (r->config.near_on) return &r->near.totals;
    return r->config.dedup.on ? &r->dedup.totals : r->scan.items ? &r->items.totals : r->config.clones.on
        ? &r->clones.totals : r->config.repositories.on ? &r->repositories.totals : r->config.sensitive.on
            ? &r->sensitive.totals : &r->scan.pass.totals;
}

static bool asks_models(const struct running *r) { return r->config.probe.on && r->config.probe.options.metrics; }

static int outcome_read(struct outcome *out, struct running *r, struct err *err)
{
    int rc = r->config.near_on ? near_result_read(&r->near, &out->near, err) : 0;

    if (rc == 0 && r->config.near_on) rc = graph_build(&out->build, &r->near, &out->near, err);
    if (rc == 0 && r->config.dedup.on) rc = dedup_result_read(&r->dedup, &out->dedup, err);
    if (rc == 0 && r->config.dedup.on) rc = graph_add_dedup(&out->build, &r->dedup, &out->dedup, err);
    if (rc == 0 && !r->config.near_on && !r->config.dedup.on) {
        rc = scan_read_counts(&r->scan, &r->shards, &out->counts, err);
        if (rc == 0)
            rc = graph_build_counts(&out->build, r->config.datasets, r->config.dataset_count, &out->counts, err);
        if (rc == 0 && r->scan.items) rc = item_result_read(&r->items, &out->items, err);
        if (rc == 0 && r->scan.items) rc = graph_add_items(&out->build, &out->items, &out->counts, err);
    }
    if (rc == 0 && r->config.repositories.on)
        rc = repository_result_read(&r->repositories, r->config.near_on ? &out->near : NULL, &out->repositories, err);
    if (rc == 0 && r->config.repositories.on) rc = graph_add_repositories(&out->build, &out->repositories, err);
    if (rc == 0 && r->config.sensitive.on) rc = sensitive_result_read(&r->sensitive, &out->sensitive, err);
    if (rc == 0 && r->config.sensitive.on) rc = graph_add_sensitive(&out->build, &out->sensitive, err);
    if (rc == 0 && r->config.clones.on) rc = clone_result_read(&r->clones, &out->clones, err);
    if (rc == 0 && r->config.clones.on) rc = graph_add_clones(&out->build, &r->clones, &out->clones, err);
    if (rc == 0 && r->config.ngrams.on) rc = ngram_result_read(&r->ngram, &out->ngrams, err);
    if (rc == 0 && r->config.ngrams.on) rc = graph_add_ngrams(&out->build, &r->ngram, &out->ngrams, err);
    if (rc == 0 && r->config.generate.on) rc = graph_add_generations(&out->build, &r->generate, &r->shards, err);
    if (rc == 0 && r->config.generate.on && r->config.clones.on && !r->config.clones.options.self)
        rc = graph_add_memorised(&out->build, &r->generate, &r->clones, &out->clones, err);
    if (rc == 0 && asks_models(r)) rc = probe_result_read(&r->probe, &out->probes, err);
    if (rc == 0 && asks_models(r)) rc = graph_add_probes(&out->build, &r->probe, &out->probes, err);
    return rc;
}

/* Graph and settings; rules of clean are asked of the file, and once they are carried out it is written again with what
 * they did. */
static int outcome_store(struct outcome *out, const struct running *r, struct err *err)
{
    struct graph *graph = &out->build.graph;
    char          path[4400];
    int           rc = 0;

    settings_fill(&out->settings, &(struct settings_source){
        .config = &r->config, .resolved = bytes_slice(&r->resolved), .config_hash = r->config_hash,
            .near = r->config.near_on ? &r->near : NULL,
        .dedup = r->config.dedup.on ? &r->dedup : NULL, .clones = r->config.clones.on ? &r->clones : NULL,
            .portrait = r->config.portrait.on ? &r->portrait : NULL, .generate = r->config.generate.on ? &r->generate
                : NULL,
        .scan = &r->scan.pass, .totals = totals_of(r), .ranks = comm_size(r->comm), .threads = r->threads,
        .shard_bytes = r->summary.shard_bytes, .started = r->summary.started, .started_at = r->summary.started_at });
    graph->settings = out->settings.row;
    graph->setting_count = out->settings.count;
    graph->cleaned = out->cleaned.cleaned, graph->cleaned_count = out->cleaned.count;
    graph->cleaned_documents = out->cleaned.document, graph->cleaned_document_count = out->cleaned.document_count;
    if (!*out->digest) rc = graph_digest(graph, out->digest, err);
    snprintf(path, sizeof path, "%s/graph.db", r->config.output);
    return rc < 0 ? rc : graph_write(graph, path, out->digest, err);
}

static int outcome_report(const struct outcome *out, const struct running *r, struct err *err)
{
    const struct graph *graph = &out->build.graph;
    size_t              pairs = 0, clustered = 0;
    char                path[4400];
    int                 rc;

    for (size_t p = 0; p < GRAPH_PASSES; p++) {
        pairs += graph->passes[p].edge_count;
        clustered += graph->passes[p].cluster_count;
    }
    log_info("stored: documents=%zu pairs=%zu clustered=%zu rejects=%zu", graph->document_count, pairs, clustered,
             graph->reject_count);
    snprintf(path, sizeof path, "%s/config.resolved.yaml", r->config.output);
    rc = file_write(path, bytes_slice(&r->resolved), err);
    return rc < 0 ? rc : leakage_write(r->config.output, err);
}

/* Tables on standard output. */
static int outcome_say(const struct outcome *out, const struct running *r, struct err *err)
{
    int rc = 0;

    if (r->config.dedup.on) rc = summary_dedup(&r->dedup, &out->dedup, err);
    if (rc == 0 && r->config.dedup.on && r->config.near_on) printf("\n");
    if (rc == 0 && r->config.near_on)
        rc = summary_table(&out->build.graph, r->config.near.containment_threshold.den != 0, err);
    if (rc == 0)
        printf("\ngraph   %s/graph.db\nreport  %s/report.md\ndigest  %s\n", r->config.output, r->config.output,
               out->digest);
    if (rc == 0 && r->config.portrait.on)
        printf("portrait  %s/%s.portrait\n", r->config.output, r->config.portrait.options.name);
    return rc;
}

/* From the finished graph.db, of which rank 0 has the outcome.  Collective. */
static int run_clean(struct running *r, struct outcome *out, struct err *err)
{
    const uint64_t       most = r->config.near.max_matches;
    const struct clean_job job = { .comm = r->comm, .stage = r->stage, .version = r->version,
                                   .output = r->config.output, .datasets = r->config.datasets,
                                   .dataset_count = r->config.dataset_count, .shards = &r->shards,
                                       .outputs = r->config.clean.at,
                                   .output_count = r->config.clean.count, .clones = &r->clones,
                                       .counts = r->config.near_on ? &out->near.counts : &out->counts,
                                   .pairs_most = r->config.near.pairs_all || most < STAR_LIMIT ? most : STAR_LIMIT,
                                       .threads = r->threads };
    int                  rc = clean_run(&job, &out->cleaned, err);

    if (rc == 0 && comm_rank(r->comm) == 0) rc = outcome_store(out, r, err);
    return comm_agree(r->comm, rc, err);
}

/* Rank 0: units -> graph.db, report, table; all of them: cleaned shards. */
static int finish(struct running *r, struct err *err)
{
    const bool      first = comm_rank(r->comm) == 0;
    struct outcome *out = calloc(1, sizeof *out);
    int             rc = comm_agree(r->comm, out ? 0 : err_memory(err, sizeof *out, "the results"), err);

    if (rc == 0 && first) rc = outcome_read(out, r, err);
    if (rc == 0 && first) rc = outcome_store(out, r, err);
    rc = comm_agree(r->comm, rc, err);
    if (rc == 0 && r->config.clean.count) rc = run_clean(r, out, err);
    if (rc == 0 && first) {
        rc = outcome_report(out, r, err);
        if (rc == 0 && !r->options->quiet) rc = outcome_say(out, r, err);
        /* the table before the warnings, where both go to one file */
        if (rc == 0) fflush(stdout);
        if (rc == 0)
            rc = verdict_reach(&r->config, r->config.dedup.on ? &r->dedup.stats : NULL, r->config.output, &r->gate,
                               err);
    }
    if (out) {
        graph_build_free(&out->build);
        dedup_result_free(&out->dedup);
        clone_result_free(&out->clones);
        near_result_free(&out->near);
        counts_free(&out->counts);
        item_result_free(&out->items);
        repository_result_free(&out->repositories);
        sensitive_result_free(&out->sensitive);
        ngram_result_free(&out->ngrams);
        probe_result_free(&out->probes);
        clean_result_free(&out->cleaned);
    }
    free(out);
    return comm_agree(r->comm, rc, err);
}

/* ---- the whole ---- */

/* Three quarters of the machine's. */
static uint64_t memory_default(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)size : 0;
}

/* Everything that is asked while the corpora stream by. */
static int run_scan(struct running *r, struct err *err)
{
    int rc;

    r->scan = (struct scan_job){ .pass = { .comm = r->comm, .stage = r->stage, .datasets = r->config.datasets,
                                           .shards = r->shards.at, .threads = r->threads },
                                 .shard_count = r->shards.count };
    if (r->config.near_on) r->scan.near = &r->near;
    r->near = (struct near_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                 .datasets = r->config.datasets, .dataset_count = r->config.dataset_count,
                                 .shards = &r->shards, .options = &r->config.near,
                                     .store_text = r->config.store != STORE_NONE,
                                 .store_tokens = r->config.store == STORE_TOKENS, .threads = r->threads,
                                 /* only rank 0 holds resident documents */
                                 .memory = r->config.memory ? r->config.memory : memory_default() };
    if (!r->config.near_on && (r->config.ngrams.on || r->config.clean.count || asks_models(r) || r->config.generate.on))
        r->scan.items = &r->items;
    r->items = (struct item_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                  .datasets = r->config.datasets, .shards = &r->shards,
                                  .view = &r->config.near.view, .store_text = r->config.store != STORE_NONE,
                                      .store_tokens = r->config.store == STORE_TOKENS,
                                  .threads = r->threads };
    if (r->config.ngrams.on) r->scan.ngram = &r->ngram;
    r->ngram = (struct ngram_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                   .datasets = r->config.datasets, .dataset_count = r->config.dataset_count,
                                   .shards = &r->shards, .options = &r->config.ngrams.options, .threads = r->threads };
    if (r->config.clones.on) r->scan.clones = &r->clones;
    r->clones = (struct clone_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                    .datasets = r->config.datasets, .dataset_count = r->config.dataset_count,
                                    .shards = &r->shards, .options = &r->config.clones.options,
                                        .store_text = r->config.store != STORE_NONE, .threads = r->threads,
                                    .memory = r->config.memory ? r->config.memory : memory_default() };
    if (r->config.portrait.on) r->scan.portrait = &r->portrait;
    r->portrait = (struct portrait_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                         .output = r->config.output, .datasets = r->config.datasets,
                                         .shards = &r->shards, .member = r->config.portrait.member,
                                             .options = &r->config.portrait.options, .threads = r->threads };
    if (r->config.repositories.on) r->scan.repositories = &r->repositories;
    r->repositories = (struct repository_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                               .datasets = r->config.datasets,
                                               .dataset_count = r->config.dataset_count, .shards = &r->shards,
                                                   .options = &r->config.repositories.options,
                                               .benchmark = r->config.repositories.benchmark, .near = r->config.near_on,
                                                   .threads = r->threads };
    if (r->config.sensitive.on) r->scan.sensitive = &r->sensitive;
    r->sensitive = (struct sensitive_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                           .datasets = r->config.datasets,
                                           .dataset_count = r->config.dataset_count, .shards = &r->shards,
                                               .options = &r->config.sensitive.options,
                                           .member = r->config.sensitive.member, .threads = r->threads };
    if (r->config.sensitive.on && r->config.store != STORE_NONE &&
        (r->config.near_on || r->config.dedup.on || r->config.clones.on || r->scan.items))
        log_warn("sensitive: graph.db has texts, with the strings as they are, for the other passes; `graph: {store: "
                 "none}` leaves them out");
    if (!r->scan.sensitive && !r->scan.repositories && !r->scan.near && !r->scan.ngram && !r->scan.clones &&
        !r->scan.portrait && !r->scan.items)
        return 0;
    rc = scan_run(&r->scan, err);
    if (rc == 0 && r->scan.near)
        log_info("joined: collect=%.2fs index=%.2fs join=%.2fs scan=%.2fs", r->near.seconds[NEAR_COLLECT],
                 r->near.seconds[NEAR_INDEX], r->near.seconds[NEAR_JOIN],
                 r->near.seconds[NEAR_SCAN]);
    if (rc == 0 && r->scan.clones)
        log_info("line clones: collect=%.2fs index=%.2fs scan=%.2fs", r->clones.seconds[CLONE_COLLECT],
                 r->clones.seconds[CLONE_INDEX], r->clones.seconds[CLONE_SCAN]);
    if (rc == 0 && r->scan.portrait)
        log_info("portrait: insertions=%llu bytes=%llu hashes=%u rate=%.3g seconds=%.2f",
                 (unsigned long long)r->portrait.head.insertions,
                 (unsigned long long)r->portrait.head.blocks * PORTRAIT_BLOCK, r->portrait.head.hashes,
                     r->portrait.head.computed, r->portrait.seconds);
    return rc;
}

/* What the bands catch, before hours are spent on it.  Those that the user gave are taken as they are, and what they
 * miss is said; of those of a tool (`compat`) the report's warning is enough. */
static void bands_say(const struct config_dedup *dedup)
{
    const struct dedup_options *o = &dedup->options;
    double                      threshold = (double)o->threshold.num / o->threshold.den;
    struct curve_verdict        verdict = curve_judge(threshold, o->hashes, o->bands, o->rows);

    if (o->method == DEDUP_EXACT) return;
    log_info("dedup: bands=%u rows=%u recall=%.4f at the threshold %g", o->bands, o->rows, verdict.recall, threshold);
    if (!dedup->bands || dedup->compat) return;
    if (verdict.misses_much)
        log_warn("dedup: %u bands of %u rows miss %.1f %% of the pairs at the threshold %g%s; without them (`bands: "
                 "0`, `rows: 0`) they are chosen for recall: %g",
                 o->bands, o->rows, 100 * (1 - verdict.recall), threshold, o->method == DEDUP_AUTO
                     ? ", those of short documents aside" : "", o->recall);
    if (verdict.wasted_hashes)
        log_warn("dedup: %u bands of %u rows use %u of %u hashes", o->bands, o->rows, o->bands * o->rows, o->hashes);
}

static int run_dedup(struct running *r, struct err *err)
{
    const struct config_dedup *dedup = &r->config.dedup;
    const double              *seconds = r->dedup.seconds;
    int                        rc;

    if (!dedup->on) return 0;
    bands_say(dedup);
    r->dedup = (struct dedup_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                   .output = r->config.output, .datasets = r->config.datasets,
                                   .dataset_count = r->config.dataset_count, .shards = &r->shards,
                                       .member = dedup->member, .member_count = dedup->member_count,
                                   .protect = dedup->protect, .generation = dedup->generation,
                                       .options = &dedup->options,
                                   .store_text = r->config.store != STORE_NONE, .threads = r->threads,
                                   .memory = r->config.memory ? r->config.memory
                                       : memory_default() / (uint64_t)comm_size(r->comm) };
    rc = dedup_run(&r->dedup, err);
    if (rc == 0)
        log_info("deduplicated: columns=%.2fs order=%.2fs classes=%.2fs bands=%.2fs pairs=%.2fs verify=%.2fs "
                 "measure=%.2fs clusters=%.2fs rewrite=%.2fs",
                 seconds[DEDUP_COLUMNS], seconds[DEDUP_ORDER], seconds[DEDUP_CLASSES], seconds[DEDUP_BANDS],
                     seconds[DEDUP_PAIRS], seconds[DEDUP_VERIFY],
                 seconds[DEDUP_MEASURE], seconds[DEDUP_CLUSTERS], seconds[DEDUP_REWRITE]);
    return rc;
}

/* What models write is read with all other shards from here on. */
static int run_generate(struct running *r, struct err *err)
{
    const double started = log_seconds();
    char         folder[FILE_NAME_MAX];
    int          rc = file_join(r->config.output, "generations", folder, err);

    if (rc < 0 || !r->config.generate.on) return rc;
    r->generate = (struct generate_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                         .datasets = r->config.datasets,
                                         .dataset_count = r->config.dataset_count - r->config.generate.datasets,
                                             .shards = &r->shards, .model = r->config.probe.options.model,
                                         .models = r->config.probe.options.models,
                                             .options = &r->config.generate.options, .threads = r->threads };
    rc = generate_run(&r->generate, folder, err);
    if (rc < 0) return rc;
    log_info("generated: models=%zu outputs=%llu prompts=%llu without=%llu blocks=%llu reused=%llu seconds=%.2f",
             r->generate.models,
             (unsigned long long)r->generate.options->outputs, (unsigned long long)r->generate.prompts,
                 (unsigned long long)r->generate.without,
             (unsigned long long)r->generate.made, (unsigned long long)r->generate.reused, log_seconds() - started);
    shard_list_free(&r->shards);
    rc = comm_agree(r->comm, shards_find(r, r->config.dataset_count, err), err);
    r->summary.shard_bytes = 0;
    for (size_t s = 0; s < r->shards.count; s++) r->summary.shard_bytes += r->shards.at[s].bytes;
    return rc < 0 ? rc : same_everywhere(r, err);
}

static int run_probe(struct running *r, struct err *err)
{
    const double started = log_seconds();
    int          rc;

    if (!asks_models(r)) return 0;
    r->probe = (struct probe_job){ .comm = r->comm, .stage = r->stage, .version = r->version,
                                   .datasets = r->config.datasets,
                                   .dataset_count = r->config.dataset_count, .shards = &r->shards,
                                       .member = r->config.probe.member,
                                   .options = &r->config.probe.options, .threads = r->threads };
    rc = probe_run(&r->probe, err);
    if (rc == 0)
        log_info("probed: models=%zu items=%llu blocks=%llu reused=%llu seconds=%.2f", r->config.probe.options.models,
                 (unsigned long long)r->probe.items,
                 (unsigned long long)r->probe.asked, (unsigned long long)r->probe.reused, log_seconds() - started);
    return rc;
}

static int carry_out(struct running *r, struct err *err)
{
    int  rc, rank = comm_rank(r->comm);
    char path[4400];

    rc = comm_agree(r->comm, config_get(r, err), err);
    if (rc == 0) rc = same_everywhere(r, err);
    if (rc < 0) return rc;

    if (rank == 0) interrupt_explain();
    if (rank == 0)
        rc = folder_check_target(r->config.output, bytes_slice(&r->resolved), r->options->clean, r->options->extends,
                                 err);
    if (rank == 0 && rc == 0 && (r->config.dedup.on || r->config.clean.count))
        rc = folder_check_shards(r->config.output, &r->shards, err);
    if (rank == 0 && rc == 0) rc = stage_open(&r->stage, r->config.output, true, err);
    if ((rc = comm_agree(r->comm, rc, err)) < 0) return rc;
    if (rank != 0) rc = stage_open(&r->stage, r->config.output, false, err);
    if (rank == 0 && r->options->clean) rc = stage_clear(r->stage, err);
    if ((rc = comm_agree(r->comm, rc, err)) < 0) return rc;
    snprintf(path, sizeof path, "%s/run.log", r->config.output);
    log_open(&(struct log_options){ .rank = rank, .quiet = r->options->quiet, .path = rank == 0 ? path : NULL });

    snprintf(r->version, sizeof r->version, "%s %s", leakgraph_version(), leakgraph_commit());
    r->threads = r->options->threads ? r->options->threads : omp_get_max_threads();
    for (size_t s = 0; s < r->shards.count; s++) r->summary.shard_bytes += r->shards.at[s].bytes;
    log_info("leakgraph %s (%s): datasets=%zu shards=%zu bytes=%llu ranks=%d threads=%d", leakgraph_version(),
             leakgraph_commit(), r->config.dataset_count,
             r->shards.count, (unsigned long long)r->summary.shard_bytes, comm_size(r->comm), r->threads);
    rc = run_generate(r, err);
    if (rc == 0) rc = run_scan(r, err);
    if (rc == 0) rc = run_dedup(r, err);
    if (rc == 0) rc = run_probe(r, err);
    rc = comm_agree(r->comm, rc, err);
    if (rc == 0) rc = finish(r, err);
    if (rc == 0) summary_line(&r->summary, r->comm, totals_of(r));
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
    repository_release(&r.repositories);
    sensitive_release(&r.sensitive);
    generate_release(&r.generate);
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
    else if (strcmp(option, "--set") != 0 && strcmp(option, "--output") != 0 && strcmp(option, "--threads") != 0)
        return 0;
    else if (*at + 1 >= argc) return err_set(err, -EINVAL, "%s needs a value", option);
    else if (strcmp(option, "--threads") == 0) {
        threads = strtol(argv[++*at], &end, 10);
        if (*end || end == argv[*at] || threads < 1 || threads > THREADS_MAX)
            return err_set(err, -EINVAL, "--threads takes a number from 1 to %d, not `%s`", THREADS_MAX, argv[*at]);
        options->threads = (int)threads;
    } else {
        bool is_output = strcmp(option, "--output") == 0;

        if (options->set_count == sizeof options->set / sizeof options->set[0])
            return err_set(err, -EINVAL, "more than 256 settings");
        if (is_output && snprintf(output, 4096, "output=%s", argv[*at + 1]) >= 4096)
            return err_set(err, -EINVAL, "--output: the path is too long");
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
        if (argv[at][0] == '-')
            return err_set(err, -EINVAL, "run does not know `%s`; see leakgraph run --help", argv[at]);
        if (options.yaml) return err_set(err, -EINVAL, "run takes one settings file; `%s` is a second", argv[at]);
        options.yaml = argv[at++];
    }
    if (!options.yaml) options.yaml = "pipeline.yaml";
    return run_carry_out(&options, err);
}
