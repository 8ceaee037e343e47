/* generate/tables.c -- see tables.h. */
#include "generate/tables.h"

#include "generate/memorised.h"
#include "stats/correlation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the tables ---- */

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_generation
static const struct graph_column generations_columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "from 1, by model as listed and output" },
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "its name in probe.models" },
    { "output", COLUMN_U64, FIELD(output), 0, NULL, "number, from 0" },
    { "prompt", COLUMN_MAYBE, FIELD(prompt), 0, NULL, "number of its prompt, from 0; NULL: none" },
    { "tokens", COLUMN_U32, FIELD(tokens), 0, NULL, "new ones" },
    { "stopped", COLUMN_FLAG, FIELD(stopped), 0, NULL, "1: the model ended it" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "generations-MODEL" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(output), 0, NULL, "" },
    { "path", COLUMN_TEXT, FIELD(path), 0, NULL, "the shard's, in the run folder" },
};
#undef ROW

static const struct graph_view generations_views[] = {
    { "generation_outputs", "model, outputs, tokens, stopped, stopped_percent",
      "SELECT model, count(*), sum(tokens), sum(stopped), " VIEW_PERCENT("sum(stopped)", "count(*)") " FROM "
      "generations GROUP BY model ORDER BY min(id)",
      "What each model wrote: outputs, their tokens, and those that the model ended itself." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_generations = {
    .name = "generations", .row_size = sizeof(struct graph_generation), TABLE_COLUMNS(generations_columns),
    .views = generations_views,
    .doc = "What models wrote (generate).  Its text is the record, and the snippet where snippets are stored.",
};

#define ROW graph_memorised
static const struct graph_column memorised_columns[] = {
    { "clone", COLUMN_ID, FIELD(clone), 0, "clones", "" },
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "" },
    { "occurrences", COLUMN_U64, FIELD(occurrences), 0, NULL, "places in its outputs" },
    { "outputs", COLUMN_U64, FIELD(outputs), 0, NULL, "that have it" },
    { "first_output", COLUMN_U64, FIELD(first), 0, NULL, "" },
};
#undef ROW

static const struct graph_check memorised_checks[] = {
    { "a model's outputs have no more of a block than all benchmarks",
      "SELECT 'clone ' || c.id, sum(m.occurrences), c.small_count FROM memorised AS m JOIN clones AS c ON c.id = "
      "m.clone GROUP BY c.id HAVING sum(m.occurrences) > c.small_count OR max(m.outputs > m.occurrences)",
      "places in outputs (or more outputs than places)", "places in benchmarks" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_view memorised_views[] = {
    { "memorised_lengths", "model, length, blocks, occurrences, place",
      "SELECT m.model, c.length, count(*), sum(m.occurrences), row_number() OVER (PARTITION BY m.model ORDER BY "
      "c.length) FROM memorised AS m JOIN clones AS c ON c.id = m.clone GROUP BY m.model, c.length ORDER BY "
      "min(m.rowid) OVER (PARTITION BY m.model), c.length",
      "Blocks that a model shares with the corpora by their length in lines, with their places in its outputs; place: "
      "1 is the model's shortest." },
    { "memorised_blocks", "model, clone, length, occurrences, corpus_count, begins, place",
      "SELECT model, clone, length, occurrences, corpus_count, begins, n FROM (SELECT m.model, m.clone, c.length, "
      "m.occurrences, c.corpus_count, "
      "trim(substr(c.text, 1, min(60, instr(c.text || char(10), char(10)) - 1)), ' ' || char(9) || char(13)) AS "
      "begins, min(m.rowid) OVER (PARTITION BY m.model) AS place, "
      "row_number() OVER (PARTITION BY m.model ORDER BY m.occurrences DESC, c.length DESC, c.id) AS n FROM memorised "
      "AS m JOIN clones AS c ON c.id = m.clone) ORDER BY place, n",
      "The blocks themselves, each model's most frequent first: its place among those of the model, how it begins." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_memorised = {
    .name = "memorised", .row_size = sizeof(struct graph_memorised), TABLE_COLUMNS(memorised_columns),
    .views = memorised_views, .checks = memorised_checks,
    .doc = "The blocks of pass clones that a model's outputs have.",
};

#define ROW graph_memorisation
static const struct graph_column memorisation_columns[] = {
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "" },
    { "outputs", COLUMN_U64, FIELD(outputs), 0, NULL, "the first so many" },
    { "tokens", COLUMN_U32, FIELD(tokens), 0, NULL, "generate.tokens" },
    { "blocks", COLUMN_U64, FIELD(blocks), 0, NULL, "different ones in these outputs" },
    { "occurrences", COLUMN_U64, FIELD(occurrences), 0, NULL, "their places" },
    { "outputs_with_any", COLUMN_U64, FIELD(with_any), 0, NULL, "" },
    { "spearman", COLUMN_MAYBE_REAL, FIELD(spearman), 0, NULL,
      "correlation of the blocks' places in these outputs with those in the corpora; NULL: not defined" },
    { "pearson", COLUMN_MAYBE_REAL, FIELD(pearson), 0, NULL, "" },
};
#undef ROW

static const struct graph_check memorisation_checks[] = {
    { "memorisation counts the blocks that are listed",
      "SELECT model, blocks, (SELECT count(*) FROM memorised AS m WHERE m.model = r.model AND m.first_output < "
      "r.outputs) AS listed FROM memorisation AS r WHERE blocks <> listed OR occurrences < blocks OR outputs_with_any "
      "> outputs",
      "blocks (or more outputs with one than there are)", "listed" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_view memorisation_views[] = {
    { "memorisation_shares",
      "model, outputs, tokens, blocks, occurrences, outputs_with_any, percent, spearman, pearson",
      "SELECT model, outputs, tokens, blocks, occurrences, outputs_with_any, "
      VIEW_PERCENT("outputs_with_any", "outputs") ", spearman, pearson FROM memorisation ORDER BY rowid",
      "The same with the share of outputs that have a block." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_memorisation = {
    .name = "memorisation", .row_size = sizeof(struct graph_memorisation), TABLE_COLUMNS(memorisation_columns),
    .views = memorisation_views, .checks = memorisation_checks,
    .doc = "The same in numbers, for the first quarter of a model's outputs, the first half, three quarters and all.  "
           "The blocks are those of the whole run.",
};

const struct graph_table *const generate_tables[] = { &table_generations, NULL };

const struct graph_table *const memorised_tables[] = { &table_memorised, &table_memorisation, NULL };

/* ---- their rows ---- */

int graph_add_generations(struct graph_build *build, const struct generate_job *job, const struct shard_list *shards,
                          struct err *err)
{
    struct graph_generation *row = graph_build_own(build, calloc(job->output_count + 1, sizeof *row));
    uint32_t                 shard = 0;
    char                    *path = NULL;

    if (!row) return err_memory(err, job->output_count * sizeof *row, "outputs");
    for (size_t i = 0; i < job->output_count; i++) {
        const struct generate_output *from = &job->output[i];
        const uint32_t                dataset = (uint32_t)job->dataset_count + from->model;

        if (i == 0 || from->model != from[-1].model) {
            while (shards->at[shard].dataset != dataset) shard++;
            if (asprintf(&path, "generations/%s", shards->at[shard].name) < 0) path = NULL;
            if (!graph_build_own(build, path)) return err_memory(err, 256, "a path");
        }
        row[i] = (struct graph_generation){ .output = from->number, .prompt = from->prompt,
                                            .model = slice_of(job->model[from->model].name), .tokens = from->tokens,
                                            .dataset = dataset, .shard = shard, .stopped = from->stopped,
                                            .path = slice_of(path) };
    }
    return graph_add_rows(build, &table_generations, row, job->output_count, err);
}

/* ---- what they had by heart ---- */

struct adding {
    const struct generate_job     *job;
    const struct clone_result     *result;
    struct graph_memorised        *memorised;
    size_t                         memorised_count, room;
    struct graph_memorisation     *row;
    size_t                         rows;
    double                        *written, *trained;       /* [blocks] places in outputs and in corpora */
};

static int blocks_add(struct adding *a, const struct memorised *found, uint32_t m)
{
    for (size_t b = 0; b < a->result->block_count; b++) {
        const struct memorised_block *block = &found->block[b];
        uint64_t                      places = 0;

        if (!block->outputs) continue;
        if (ARRAY_GROW(a->memorised, a->room, a->memorised_count) < 0) return -ENOMEM;
        for (size_t p = 0; p < MEMORISED_PARTS; p++) places += block->places[p];
        a->memorised[a->memorised_count++] = (struct graph_memorised){ slice_of(a->job->model[m].name), places,
                                                                       block->outputs, block->first, (uint32_t)b };
    }
    return 0;
}

/* Of all outputs up to and with a part. */
static int row_add(struct adding *a, const struct memorised *found, uint32_t m, size_t part)
{
    struct graph_memorisation *row = &a->row[a->rows++];
    struct correlation         ranks;
    size_t                     n = 0;

    *row = (struct graph_memorisation){ .model = slice_of(a->job->model[m].name), .outputs = found->upto[part],
                                        .tokens = a->job->options->sampling.tokens,
                                        .with_any = found->with_any[part] };
    for (size_t b = 0; b < a->result->block_count; b++) {
        uint64_t places = 0;

        for (size_t p = 0; p <= part; p++) places += found->block[b].places[p];
        if (!places) continue;
        row->occurrences += places;
        a->written[n] = (double)places;
        a->trained[n++] = (double)a->result->block[b].corpus_count;
    }
    row->blocks = n;
    row->pearson = pearson(a->trained, a->written, n).r;
    if (spearman(a->trained, a->written, n, &ranks) < 0) return -ENOMEM;
    row->spearman = ranks.r;
    return 0;
}

static int model_add(struct adding *a, const struct memorised *found, uint32_t m)
{
    int rc = blocks_add(a, found, m);

    for (size_t part = 0; part < MEMORISED_PARTS && rc == 0; part++)
        /* few outputs have fewer parts */
        if (part == 0 || found->upto[part] > found->upto[part - 1]) rc = row_add(a, found, m, part);
    return rc;
}

int graph_add_memorised(struct graph_build *build, const struct generate_job *job, const struct clone_job *clones,
                        const struct clone_result *result, struct err *err)
{
    const size_t  blocks = result->block_count;
    struct adding a = { .job = job, .result = result,
                        .row = graph_build_own(build, calloc(job->models * MEMORISED_PARTS + 1, sizeof *a.row)),
                        .written = malloc((blocks + 1) * sizeof *a.written),
                            .trained = malloc((blocks + 1) * sizeof *a.trained) };
    int           rc = a.row && a.written && a.trained ? 0
        : err_memory(err, blocks * 2 * sizeof *a.written, "places of blocks");

    for (uint32_t m = 0; m < job->models && rc == 0; m++) {
        struct memorised found;

        rc = memorised_count(clones, result, (uint32_t)job->dataset_count + m, job->options->outputs, &found, err);
        if (rc == 0 && model_add(&a, &found, m) < 0)
            rc = err_memory(err, blocks * sizeof *a.memorised, "blocks in outputs");
        memorised_free(&found);
    }
    graph_build_own(build, a.memorised);
    free(a.written);
    free(a.trained);
    if (rc == 0) rc = graph_add_rows(build, &table_memorised, a.memorised, a.memorised_count, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_memorisation, a.row, a.rows, err);
}
