/* dedup/dedup.c -- the stages of the self-join in order; see dedup.h. */
#include "dedup/dedup.h"

#include "base/environment.h"
#include "base/log.h"
#include "base/status.h"
#include "dedup/features.h"
#include "dedup/gather.h"
#include "dedup/state.h"
#include "dedup/wanted.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const char *const dedup_stage_names[DEDUP_STAGES] = { "columns", "order", "classes", "bands", "pairs", "features",
                                                      "verify", "measure", "clusters", "rewrite" };

void dedup_stage_begins(enum dedup_stage stage)
{
    char name[32];

    snprintf(name, sizeof name, "dedup: %s", dedup_stage_names[stage]);
    status_stage(name, NULL);
    environment_give_memory();                              /* `memory` is each stage's */
}

static int columns_make(struct dedup_job *job, struct err *err)
{
    struct pass pass = { 0 };
    uint64_t    sums[6];
    int         rc = comm_agree(job->run->comm, columns_pass(job, &pass, err), err);

    pass.stage = "dedup: columns";
    if (rc == 0 && pass.item_count) rc = pass_run(&pass, err);
    free((void *)(uintptr_t)pass.item);
    if (rc < 0) return rc;
    memcpy(sums, &pass.totals, sizeof sums);
    comm_sum(job->run->comm, sums, sizeof sums / sizeof sums[0]);
    memcpy(&job->totals, sums, sizeof sums);
    return 0;
}
_Static_assert(sizeof(struct pass_totals) == 6 * sizeof(uint64_t), "summed as numbers");

/* ---- what an earlier run has left ---- */

static struct unit_key stats_key(const struct dedup_state *s)
{
    return unit_key_add(unit_key_add(s->key, "stats", 5), &s->job->options->measure, sizeof s->job->options->measure);
}

/* What was counted while candidates were made, mutants among it. */
static struct unit_key buckets_key(const struct dedup_state *s) { return unit_key_add(stats_key(s), "buckets", 7); }

/* A unit of numbers, of all ranks together: 1; 0 when it is not there; <0 with err set. */
static int numbers_load(struct dedup_state *s, const char *kind, struct unit_key key, struct dedup_stats *out,
                        struct err *err)
{
    struct unit file;
    int         rc = stage_load(s->job->run->stage, kind, key, &file, err);

    if (rc > 0 && (file.count != 1 || file.section[0].len != sizeof *out)) rc = 0;
    if (rc > 0) memcpy(out, file.section[0].at, sizeof *out);
    unit_close(&file);
    return rc;
}

/* 1 when all fates are committed, the links that they follow from, and the numbers that belong to them. */
static int fates_there(struct dedup_state *s, struct err *err)
{
    struct dedup_stats stats = { 0 };
    uint64_t           missing = 0;
    int                rc = numbers_load(s, "stats", stats_key(s), &stats, err);

    if (rc >= 0) missing = rc == 0;
    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1] && rc > 0; u++) {
        struct fate_unit fates;

        if (fate_load(s->job, &s->catalogue, u, &fates, &(struct err){ 0 }) < 0) missing++;
        else unit_close(&fates.file);
    }
    for (uint32_t b = shuffle_first(s->blocks, s->ranks, s->rank);
         b < shuffle_first(s->blocks, s->ranks, s->rank + 1) && rc > 0; b++) {
        struct links links;

        if (links_load(s, b, &links, &(struct err){ 0 }) <= 0) missing++;
        else unit_close(&links.file);
    }
    rc = comm_agree(s->job->run->comm, rc < 0 ? rc : 0, err);
    if (rc < 0) return rc;
    comm_sum(s->job->run->comm, &missing, 1);
    if (missing) return 0;
    s->job->stats = stats;
    return 1;
}

/* Which blocks' links are committed, on all ranks. */
static int blocks_look(struct dedup_state *s, bool **done, bool *all, struct err *err)
{
    uint64_t *there = calloc(s->blocks + (size_t)1, sizeof *there);
    int       rc = 0;

    *done = calloc(s->blocks + (size_t)1, sizeof **done);
    if (!there || !*done) rc = err_memory(err, s->blocks * 9ull, "blocks");
    for (uint32_t b = shuffle_first(s->blocks, s->ranks, s->rank); b < shuffle_first(s->blocks, s->ranks,
            s->rank + 1) && rc == 0; b++) {
        struct links links;

        rc = links_load(s, b, &links, err);
        if (rc > 0) {
            there[b] = 1;
            unit_close(&links.file);
        }
        if (rc > 0 || rc == -EBADMSG) rc = 0;               /* what does not fit together is made again, too */
    }
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) comm_sum(s->job->run->comm, there, s->blocks);
    *all = true;
    for (uint32_t b = 0; b < s->blocks && rc == 0; b++) {
        (*done)[b] = there[b] > 0;
        *all &= (*done)[b];
    }
    free(there);
    return rc;
}

/* ---- the numbers of all ranks ---- */

static int stats_sum(struct dedup_state *s, struct dedup_stats *stats, struct err *err)
{
    uint64_t            most[] = { stats->largest_bucket, stats->largest_cluster, stats->state_bytes }, *all;
    size_t              ranks = (size_t)s->ranks, count = sizeof most / sizeof most[0];
    int                 rc;

    /* largest of all ranks: each puts its own beside the others' */
    all = calloc(ranks * count, sizeof *all);
    rc = comm_agree(s->job->run->comm, all ? 0 : err_memory(err, ranks * sizeof most, "the numbers of all ranks"), err);
    if (rc < 0) {
        free(all);
        return rc;
    }
    memcpy(all + (size_t)s->rank * count, most, sizeof most);
    comm_sum(s->job->run->comm, all, ranks * count);
    comm_sum(s->job->run->comm, (uint64_t *)(void *)stats, sizeof *stats / sizeof(uint64_t));
    for (size_t i = 0; i < ranks * count; i++)
        if (all[i] > most[i % count]) most[i % count] = all[i];
    stats->largest_bucket = most[0];
    stats->largest_cluster = most[1];
    stats->state_bytes = most[2];
    free(all);
    return 0;
}
_Static_assert(sizeof(struct dedup_stats) % sizeof(uint64_t) == 0, "summed as numbers");

static int numbers_commit(struct dedup_state *s, const char *kind, struct unit_key key, const struct dedup_stats *stats,
                          struct err *err)
{
    struct slice section = { (const char *)stats, sizeof *stats };
    int          rc = s->rank == 0 ? stage_commit(s->job->run->stage, kind, key, &section, 1, err) : 0;

    return comm_agree(s->job->run->comm, rc, err);
}

/* The numbers of candidates_make alone. */
static struct dedup_stats buckets_of(const struct dedup_stats *stats)
{
    return (struct dedup_stats){ .records_lsh = stats->records_lsh, .records_prefix = stats->records_prefix,
                                 .buckets = stats->buckets, .largest_bucket = stats->largest_bucket,
                                 .hot_buckets = stats->hot_buckets, .hot_members = stats->hot_members,
                                 .mutants = stats->mutants, .mutants_found = stats->mutants_found };
}

/* What the buckets have to say is committed before the links that they lead to: once all links are there, no run looks
 * into buckets again. */
static int buckets_commit(struct dedup_state *s, struct err *err)
{
    struct dedup_stats stats = buckets_of(&s->job->stats);
    int                rc = stats_sum(s, &stats, err);

    return rc < 0 ? rc : numbers_commit(s, "buckets", buckets_key(s), &stats, err);
}

/* 1: the committed numbers are this rank's (rank 0 has them for all); 0: there are none. */
static int buckets_take(struct dedup_state *s, struct err *err)
{
    struct dedup_stats stats = { 0 };
    int                rc = s->rank == 0 ? numbers_load(s, "buckets", buckets_key(s), &stats, err) : 0;
    uint64_t           there = rc > 0;

    if ((rc = comm_agree(s->job->run->comm, rc < 0 ? rc : 0, err)) < 0) return rc;
    comm_sum(s->job->run->comm, &there, 1);
    if (!there) return 0;
    s->job->stats.records_lsh = stats.records_lsh, s->job->stats.records_prefix = stats.records_prefix;
    s->job->stats.buckets = stats.buckets, s->job->stats.largest_bucket = stats.largest_bucket;
    s->job->stats.hot_buckets = stats.hot_buckets, s->job->stats.hot_members = stats.hot_members;
    s->job->stats.mutants = stats.mutants, s->job->stats.mutants_found = stats.mutants_found;
    return 1;
}

/* ---- all of it ---- */

static void stage_ended(struct dedup_job *job, enum dedup_stage stage, double *started)
{
    double now = log_seconds();

    job->seconds[stage] = now - *started;
    *started = now;
}

/* Of the brief documents that are compared the features are made again, and of all that are they are gathered: those of
 * pairs, and what the sample needs; of components also of pairs that were linked before, as any two of a component may
 * be compared when fates are made. */
static int features_want(struct dedup_state *s, struct shuffle *pairs, const bool *done, struct neighbours *neighbours,
                         struct err *err)
{
    const bool    brief = brief_of(s->job->options).above != UINT32_MAX;        /* else all features are kept */
    struct wanted wanted;
    uint64_t      gathers = gather_pays(s);
    int           rc;

    comm_sum(s->job->run->comm, &gathers, 1);               /* hosts may differ in what memory they have */
    if (!brief && !gathers) return 0;
    rc = comm_agree(s->job->run->comm, wanted_open(&wanted, s, err), err);
    if (rc == 0) rc = wanted_pairs(&wanted, pairs, done, s->job->options->cluster == DEDUP_COMPONENT, err);
    if (rc == 0 && neighbours) rc = neighbours_want(neighbours, &wanted, err);
    if (rc == 0 && brief) rc = features_make(s, &wanted, err);
    if (rc == 0 && gathers) rc = gather_make(s, &wanted, err);
    wanted_close(&wanted);
    return rc;
}

static int join(struct dedup_state *s, double *started, struct err *err)
{
    struct neighbours *neighbours = NULL;
    struct shuffle *pairs = NULL;
    bool           *done = NULL, all = false, counted = false;
    int             rc;

    dedup_stage_begins(DEDUP_ORDER);
    rc = order_make(s, err);
    stage_ended(s->job, DEDUP_ORDER, started);
    dedup_stage_begins(DEDUP_CLASSES);
    if (rc == 0) rc = classes_make(s, err);
    if (rc == 0) rc = apart_count(s, err);
    stage_ended(s->job, DEDUP_CLASSES, started);
    if (rc == 0) rc = blocks_look(s, &done, &all, err);
    if (rc == 0 && all && (rc = buckets_take(s, err)) > 0) rc = !(counted = true);
    if (rc == 0 && !counted) rc = candidates_make(s, done, &pairs, err);
    if (rc == 0 && !counted) rc = buckets_commit(s, err);
    *started = log_seconds();
    dedup_stage_begins(DEDUP_FEATURES);
    if (rc == 0 && s->job->options->measure) rc = neighbours_open(&neighbours, s, err);
    if (rc == 0) rc = features_want(s, pairs, done, neighbours, err);
    stage_ended(s->job, DEDUP_FEATURES, started);
    dedup_stage_begins(DEDUP_VERIFY);
    if (rc == 0 && !all) rc = links_make(s, pairs, done, err);
    shuffle_close(pairs);
    free(done);
    stage_ended(s->job, DEDUP_VERIFY, started);
    dedup_stage_begins(DEDUP_MEASURE);
    if (rc == 0 && neighbours) rc = neighbours_measure(neighbours, err);
    neighbours_close(neighbours);
    stage_ended(s->job, DEDUP_MEASURE, started);
    dedup_stage_begins(DEDUP_CLUSTERS);
    if (rc == 0) rc = clusters_make(s, err);
    if (rc == 0) rc = fates_make(s, err);
    stage_ended(s->job, DEDUP_CLUSTERS, started);
    if (rc == 0) rc = features_remove(s, err);              /* before a run that goes on finds all there is */
    if (rc == 0) rc = stats_sum(s, &s->job->stats, err);
    return rc < 0 ? rc : numbers_commit(s, "stats", stats_key(s), &s->job->stats, err);
}

int dedup_run(struct dedup_job *job, struct err *err)
{
    struct dedup_state state = { 0 };
    double             started = log_seconds();
    int                rc;

    dedup_stage_begins(DEDUP_COLUMNS);
    memset(&job->stats, 0, sizeof job->stats);
    rc = columns_make(job, err);
    if (rc == 0) rc = state_open(&state, job, err);
    stage_ended(job, DEDUP_COLUMNS, &started);
    if (rc == 0) {
        job->fate_key = unit_key_add(state.key, "fates 2", 7);
        rc = fates_there(&state, err);
    }
    if (rc > 0) rc = features_remove(&state, err);          /* of a run of other settings that was cut off */
    else if (rc == 0) rc = join(&state, &started, err);
    started = log_seconds();
    dedup_stage_begins(DEDUP_REWRITE);
    if (rc >= 0) rc = rewrite_run(job, &state.catalogue, err);
    stage_ended(job, DEDUP_REWRITE, &started);
    state_close(&state);
    environment_give_memory();                              /* rank 0 goes on to hold what was found */
    return rc < 0 ? rc : 0;
}
