/* dedup/state.c -- shares of the documents; see state.h. */
#include "dedup/state.h"

#include <errno.h>
#include <stdlib.h>

/* all: partitions that a shuffle has at most */
enum { BLOCK_LEAST_BITS = 12, BLOCKS_MOST = 16384, BLOCKS_ALL = 65536, PARTS_MOST = 1024 };

/* Contiguous shares of about equal weight: a function of the catalogue and the number of ranks. */
static void units_share(struct dedup_state *s)
{
    uint64_t all = 0, before = 0;
    size_t   u = 0;

    for (size_t i = 0; i < s->catalogue.count; i++) all += s->catalogue.unit[i].bytes;
    for (int r = 0; r <= s->ranks; r++) {
        uint64_t goal = (uint64_t)((unsigned __int128)all * (unsigned)r / (unsigned)s->ranks);

        while (u < s->catalogue.count && (r == s->ranks || before + s->catalogue.unit[u].bytes / 2 < goal))
            before += s->catalogue.unit[u++].bytes;
        s->unit_first[r] = u;
        s->ordinal_first[r] = u < s->catalogue.count ? s->catalogue.unit[u].first : s->catalogue.documents;
    }
}

/* Everything that candidates and links of a generation follow from: the settings, and the columns of its shards and of
 * those before it. */
static struct unit_key key_make(const struct dedup_state *s, uint32_t generation)
{
    const struct dedup_options *o = s->job->options;
    uint64_t        number[] = { (uint64_t)o->method, o->bands, o->rows, o->bucket_cap, o->keep_count };
    struct ratio    ratio[] = { o->threshold, o->multiset_threshold, o->containment };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, number, sizeof number);

    key = unit_key_add(key, ratio, sizeof ratio);
    key = unit_key_add(key, o->keep, o->keep_count * sizeof o->keep[0]);
    for (size_t m = 0; m < s->job->member_count; m++) {
        uint32_t dataset = s->job->member[m], facts[] =
            { dataset, s->job->protect && s->job->protect[dataset], generation_of(s->job, dataset) };

        if (facts[2] <= generation) key = unit_key_add(key, facts, sizeof facts);
    }
    for (size_t u = 0; u < s->catalogue.count; u++) {
        struct unit_key columns;

        if (s->catalogue.unit[u].number ||
            generation_of(s->job, s->job->run->shards->at[s->catalogue.unit[u].shard].dataset) > generation)
            continue;
        columns = columns_shard_key(s->job, s->catalogue.unit[u].shard);
        key = unit_key_add(key, &columns, sizeof columns);
    }
    return key;
}

/* Blocks of at least 2^12 ids, and of more where a generation would have more than 16,384 of them, or a quarter of what
 * those before it have left: a generation's blocks may not depend on later ones.  What is in memory at once are the
 * pairs of a part of a block, with a pair as often as it was found: where there are few blocks, each has many parts. */
static int blocks_cut(struct dedup_state *s, struct err *err)
{
    uint64_t id = 0, cluster = (uint64_t)s->job->options->cluster;

    s->generations = 1;
    for (size_t m = 0; m < s->job->member_count; m++)
        if (generation_of(s->job, s->job->member[m]) >= s->generations)
            s->generations = generation_of(s->job, s->job->member[m]) + 1;
    s->generation = calloc(s->generations, sizeof *s->generation);
    if (!s->generation) return err_memory(err, s->generations * sizeof *s->generation, "generations");
    for (size_t u = 0; u < s->catalogue.count; u++)
        s->generation[generation_of(s->job,
                                    s->job->run->shards->at[s->catalogue.unit[u].shard].dataset)]
            .documents += s->catalogue.unit[u].documents;
    for (uint32_t n = 0; n < s->generations; n++) {
        struct generation *g = &s->generation[n];
        uint32_t           most = (BLOCKS_ALL - s->blocks) / 4 < BLOCKS_MOST ? (BLOCKS_ALL - s->blocks) / 4
            : BLOCKS_MOST;

        g->first_id = id;
        g->first_block = s->blocks;
        g->block_bits = BLOCK_LEAST_BITS;
        while (g->documents >> g->block_bits >= most && g->documents >> g->block_bits) g->block_bits++;
        g->key = key_make(s, n);
        s->blocks += (uint32_t)((g->documents + (1ull << g->block_bits) - 1) >> g->block_bits);
        id += g->documents;
    }
    while (s->part_bits < BLOCK_LEAST_BITS && s->blocks << (s->part_bits + 1) <= PARTS_MOST) s->part_bits++;
    s->key = unit_key_add(s->generation[s->generations - 1].key, &cluster, sizeof cluster);
    return 0;
}

uint64_t block_first(const struct dedup_state *s, uint32_t block)
{
    const struct generation *g = s->generation + s->generations - 1;
    uint64_t                 first;

    while (block < g->first_block) g--;
    first = g->first_id + ((uint64_t)(block - g->first_block) << g->block_bits);
    return first < g->first_id + g->documents ? first : g->first_id + g->documents;
}

int state_read(struct dedup_state *out, struct dedup_job *job, struct err *err)
{
    int rc;

    *out = (struct dedup_state){ .job = job, .ranks = 1, .threads = job->run->threads };
    rc = catalogue_read(job, &out->catalogue, err);
    return rc < 0 ? rc : blocks_cut(out, err);
}

int state_open(struct dedup_state *out, struct dedup_job *job, struct err *err)
{
    int ranks = comm_size(job->run->comm), rc;

    *out = (struct dedup_state){ .job = job, .rank = comm_rank(job->run->comm), .ranks = ranks,
                                 .threads = job->run->threads };
    rc = catalogue_make(job, &out->catalogue, err);
    if (rc < 0) return rc;
    if (out->catalogue.documents >= ID_COPY)
        return err_set(err, -ERANGE, "2^%d documents or more", DEDUP_ID_BITS - 1);
    out->verified = calloc(out->catalogue.count + 1, sizeof *out->verified);
    out->gathered = calloc(out->catalogue.count + 1, sizeof *out->gathered);
    out->unit_first = calloc((size_t)ranks + 1, sizeof *out->unit_first);
    out->ordinal_first = calloc((size_t)ranks + 1, sizeof *out->ordinal_first);
    out->id_first = calloc((size_t)ranks + 1, sizeof *out->id_first);
    rc = out->verified && out->gathered && out->unit_first && out->ordinal_first && out->id_first ? 0
        : err_memory(err, 17 * out->catalogue.count + 24 * (size_t)ranks, "shares");
    if (rc == 0) {
        units_share(out);
        rc = blocks_cut(out, err);
    }
    for (int r = 0; r <= ranks && rc == 0; r++)
        out->id_first[r] = block_first(out, shuffle_first(out->blocks, ranks, r));
    return comm_agree(job->run->comm, rc, err);
}

void state_close(struct dedup_state *s)
{
    catalogue_free(&s->catalogue);
    free(s->generation);
    free(s->verified);
    free(s->gathered);
    free(s->unit_first);
    free(s->ordinal_first);
    free(s->id_first);
    packed_free(&s->id_of);
    packed_free(&s->place);
    packed_free(&s->representative);
    packed_free(&s->canonical);
    free(s->size);
    *s = (struct dedup_state){ 0 };
}

int state_unit(struct dedup_state *s, size_t unit, struct column_unit *out, struct err *err)
{
    int rc = columns_load(s->job, &s->catalogue, unit, s->verified[unit], out, err);

    if (rc == 0) s->verified[unit] = true;
    return rc;
}

uint64_t answer_place(void *context, uint64_t id)
{
    const struct dedup_state *s = context;

    return own_place(s, id);
}

bool is_protected(const struct dedup_state *s, uint64_t ordinal)
{
    const struct dedup_job *job = s->job;

    return job->protect &&
        job->protect[job->run->shards->at[s->catalogue.unit[catalogue_find(&s->catalogue, ordinal)].shard].dataset];
}
