/* generate/generate.c -- blocks of outputs, each a unit, and the files made of them; see generate.h. */
#include "generate/generate.h"

#include "base/file.h"
#include "base/log.h"
#include "base/outputs.h"
#include "corpus/writer.h"
#include "generate/prompts.h"
#include "probe/answers.h"
#include "probe/work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { BLOCK_OUTPUTS = 16, LEVEL = 3 };
#define GENERATE_UNIT "outputs"

struct generating { const struct generate_job *job; const struct prompts *prompts; };

static uint64_t blocks_of(const struct generate_options *options)
{
    return (options->outputs + BLOCK_OUTPUTS - 1) / BLOCK_OUTPUTS;
}

static uint64_t first_of(uint64_t block) { return block * BLOCK_OUTPUTS; }

static uint64_t end_of(const struct generate_options *options, uint64_t block)
{
    return first_of(block) + BLOCK_OUTPUTS < options->outputs ? first_of(block) + BLOCK_OUTPUTS : options->outputs;
}

static struct slice prompt_of(const struct prompts *prompts, uint64_t output)
{
    return prompts->count ? prompts->at[output % prompts->count] : (struct slice){ "", 0 };
}

/* Of everything that a block's outputs depend on. */
static struct unit_key block_key(const struct generating *of, const struct model_info *model, uint64_t block)
{
    const struct model_sampling *s = &of->job->options->sampling;
    const uint64_t               number[] = { first_of(block), end_of(of->job->options, block), s->tokens, s->top_k,
                                              s->decay_tokens, s->seed, model->context,
                                              of->prompts->count };
    const double                 real[] = { s->temperature, s->top_p, s->decay_from };
    struct unit_key              key = unit_key_add((struct unit_key){ 0, 0 }, of->job->run->version,
                                                    strlen(of->job->run->version));

    key = unit_key_add(key, number, sizeof number);
    key = unit_key_add(key, real, sizeof real);
    key = unit_key_add(key, &model->key, sizeof model->key);
    key = unit_key_add(key, model->name, strlen(model->name));
    for (uint64_t i = first_of(block); i < end_of(of->job->options, block); i++)
        key = unit_key_add(key, prompt_of(of->prompts, i).at, prompt_of(of->prompts, i).len);
    return key;
}

/* A block asked of a model. */
struct asking {
    const struct generating *of;
    const struct model_info *model;
    struct model_session    *session;
    uint64_t                 first;
};

/* Adds a line of JSON and a struct generate_output. */
static int output_make(void *shared, uint64_t in_block, struct bytes section[2], struct err *err)
{
    const struct asking     *a = shared;
    const struct generating *of = a->of;
    const uint64_t           number = a->first + in_block;
    struct bytes *const      lines = &section[0], *const rows = &section[1];
    struct model_sampling   sampling = of->job->options->sampling;
    struct model_generation made;
    const int64_t           prompt = of->prompts->count ? (int64_t)(number % of->prompts->count) : -1;
    struct generate_output  row;
    struct err              refused = { 0 };
    int                     rc;

    /* what JSON's numbers hold: recorded outputs are found again */
    sampling.seed = XXH3_64bits_withSeed(&number, sizeof number, sampling.seed) >> 11;
    rc = model_generate(a->session, prompt_of(of->prompts, number), &sampling, &made, err);
    /* this prompt, by this model: an output without text that says why */
    if (rc == -ENODATA) {
        refused = *err;
        *err = (struct err){ 0 };
        made = (struct model_generation){ .text = { "", 0 } };
    } else if (rc < 0) return rc;
    if (bytes_printf(lines, "{\"id\": \"output:%llu\", \"model\": ", (unsigned long long)number) < 0 ||
        json_append_string(lines, slice_of(a->model->name)) < 0 ||
        bytes_printf(lines, ", \"output\": %llu, \"prompt\": %lld, \"tokens\": %zu, \"stopped\": %s, \"text\": ",
                     (unsigned long long)number, (long long)prompt, made.count,
                     made.stopped ? "true" : "false") < 0 ||
        json_append_string(lines, made.text) < 0 ||
        (refused.code && (bytes_printf(lines, ", \"refused\": ") < 0 ||
                          json_append_string(lines, slice_of(refused.text)) < 0)) ||
                              bytes_append(lines, "}\n", 2) < 0) return err_memory(err, made.text.len, "an output");
    memset(&row, 0, sizeof row);                            /* its padding is written too */
    row.number = number, row.prompt = prompt, row.tokens = (uint32_t)made.count, row.stopped = made.stopped,
        row.refused = refused.code != 0;
    return bytes_append(rows, &row, sizeof row) < 0 ? err_memory(err, sizeof row, "an output") : 0;
}

static int block_make(const struct work *work, struct model_session *session, uint64_t block, struct err *err)
{
    const struct generating *of = work->shared;
    struct asking            asking = { of, &work->info, session, first_of(block) };
    const struct answers     answers = { of->job->run->stage, GENERATE_UNIT, block_key(of, &work->info, block),
                                         end_of(of->job->options, block) - asking.first, output_make, &asking };

    return answers_make(&answers, err);
}

/* ---- the files ---- */

/* One block's frame; its rows are appended where they are wanted. */
static int frame_make(const struct generating *of, const struct model_info *model, uint64_t block,
                      struct packer *packer, struct bytes *frame, struct bytes *rows, struct err *err)
{
    struct unit unit;
    int         rc = stage_load(of->job->run->stage, GENERATE_UNIT, block_key(of, model, block), &unit, err);

    if (rc == 0)
        rc = err_set(err, -EIO, "%s: outputs of model %s have disappeared or are damaged; the same command again "
                                "makes them anew", stage_dir(of->job->run->stage),
                              model->name);
    if (rc < 0) return rc;
    frame->len = 0;
    rc = packer_frame(packer, unit.section[0], frame, err);
    if (rc == 0 && rows && bytes_append_slice(rows, unit.section[1]) < 0)
        rc = err_memory(err, unit.section[1].len, "outputs");
    unit_close(&unit);
    return rc;
}

/* 1: the file holds all blocks' frames and nothing else; 0; <0.  rows: of all outputs, in order. */
static int file_holds(const struct generating *of, const struct model_info *model, uint64_t blocks, const char *path,
                      struct packer *packer, struct bytes *rows, struct err *err)
{
    FILE        *file = file_stream(path, "re");
    struct bytes frame = { 0 }, there = { 0 };
    bool         same = file != NULL;
    int          rc = 0;

    for (uint64_t block = 0; block < blocks && rc == 0; block++) {
        rc = frame_make(of, model, block, packer, &frame, rows, err);
        if (rc < 0 || !same) continue;
        if (bytes_reserve(&there, frame.len) < 0) rc = err_memory(err, frame.len, "outputs");
        else same = fread(there.at, 1, frame.len, file) == frame.len && memcmp(there.at, frame.at, frame.len) == 0;
    }
    if (same && rc == 0) same = fgetc(file) == EOF && !ferror(file);
    if (file) fclose(file);
    bytes_free(&frame);
    bytes_free(&there);
    return rc < 0 ? rc : same;
}

static int file_write_blocks(const struct generating *of, const struct model_info *model, uint64_t blocks,
                             const char *place, struct packer *packer, struct err *err)
{
    const struct run *run = of->job->run;
    struct writer    *writer = NULL;
    struct bytes      frame = { 0 };
    struct file_sum   sum;
    int               rc = writer_open(&writer, run->output, place, err);

    for (uint64_t block = 0; block < blocks && rc == 0; block++) {
        rc = frame_make(of, model, block, packer, &frame, NULL, err);
        if (rc == 0) rc = writer_append(writer, bytes_slice(&frame), err);
    }
    if (rc == 0) rc = writer_commit(writer, &sum, err);
    else writer_abandon(writer);
    if (rc > 0) rc = outputs_wrote(run->stage, place, &sum, err);
    bytes_free(&frame);
    return rc;
}

/* Rank 0: all blocks in order, each a frame; the outputs are added to the job's. */
static int file_make(const struct generating *of, struct generate_job *job, const struct model_info *model, uint32_t m,
                     const char *place, struct err *err)
{
    const uint64_t          blocks = blocks_of(job->options);
    char                    path[FILE_NAME_MAX];
    bool                    same = false;
    struct packer          *packer = NULL;
    struct bytes            rows = { 0 };
    struct generate_output *output;
    size_t                  refused = 0;
    int                     rc = file_join(job->run->output, place, path, err);

    if (rc == 0) rc = packer_open(&packer, LEVEL, err);
    if (rc == 0) rc = file_holds(of, model, blocks, path, packer, &rows, err);
    same = rc > 0;
    if (rc >= 0) rc = outputs_renew(job->run->stage, place, &place, &same, 1, err);
    if (rc == 0 && !same) rc = file_write_blocks(of, model, blocks, place, packer, err);
    packer_close(packer);
    output = rc < 0 ? NULL : realloc(job->output, job->output_count * sizeof *output + rows.len + 1);
    if (rc >= 0 && !output) rc = err_memory(err, rows.len, "outputs");
    if (output) {
        job->output = output;
        memcpy(output + job->output_count, rows.at, rows.len);
        for (size_t i = 0; i < rows.len / sizeof *output; i++) {
            refused += output[job->output_count].refused;
            output[job->output_count++].model = m;
        }
        if (refused)
            log_warn("model %s did not take the prompts of %zu of %llu outputs: \"refused\" in %s says why",
                     model->name, refused, (unsigned long long)job->options->outputs, path);
    }
    bytes_free(&rows);
    return rc < 0 ? rc : 0;
}

int generate_run(struct generate_job *job, struct err *err)
{
    struct prompts    prompts;
    struct generating of = { job, &prompts };
    int               rc = prompts_collect(job, &prompts, err);

    job->made = job->reused = 0;
    job->prompts = prompts.count, job->without = prompts.without;
    for (uint32_t m = 0; m < job->models && rc == 0; m++) {
        struct work work = { .comm = job->run->comm, .options = &job->model[m], .threads = job->run->threads,
                             .blocks = blocks_of(job->options), .block = block_make, .shared = &of };
        char        place[300];

        rc = work_run(&work, err);
        job->made += work.asked;
        job->reused += work.found;
        if (rc == 0 &&
            snprintf(place, sizeof place, GENERATE_FOLDER "/%s.jsonl.zst", job->model[m].name) >= (int)sizeof place)
            rc = err_set(err, -ENAMETOOLONG, "%.80s...: name too long", job->model[m].name);
        if (rc == 0 && comm_rank(job->run->comm) == 0) rc = file_make(&of, job, &work.info, m, place, err);
        rc = comm_agree(job->run->comm, rc, err);
    }
    prompts_free(&prompts);
    return rc;
}

void generate_release(struct generate_job *job)
{
    free(job->output);
    job->output = NULL;
    job->output_count = 0;
}

void generate_decay(struct model_sampling *sampling, enum generate_decay decay)
{
    sampling->decay_from = decay == DECAY_PUBLISHED ? 10 : decay == DECAY_PAPER ? 20 : 0;
    /* the paper's twentieth token is at 1 already */
    sampling->decay_tokens = decay == DECAY_PUBLISHED ? 20 : decay == DECAY_PAPER ? 19 : 0;
}
