/* clean/blocks.c -- where the blocks of line_clones are in the documents of a corpus: from the units of that pass,
 * whose rows are all lines where a block begins. */
#include "clean/clean_private.h"

#include "clone/stages.h"

#include <errno.h>
#include <stdlib.h>

struct block { uint64_t record; uint32_t first, end; };     /* significant lines [first, end) */
struct block_list { struct block *at; size_t count, room; };

static int by_place(const void *a, const void *b)
{
    const struct block *x = a, *y = b;

    if (x->record != y->record) return x->record < y->record ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static int unit_take(const struct pass_unit *unit, struct block_list *blocks)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice            rows = pass_unit_section(unit, p, PART_ROWS);
        const struct clone_row *row = (const void *)rows.at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            if (ARRAY_GROW(blocks->at, blocks->room, blocks->count) < 0) return -ENOMEM;
            blocks->at[blocks->count++] = (struct block){ row[i].record, row[i].index, row[i].index + row[i].length };
        }
    }
    return 0;
}

/* All blocks of a shard, of whatever piece of the small side. */
static int shard_read(const struct clone_job *job, const struct clone_piece *piece, size_t pieces, uint32_t shard,
                      struct block_list *blocks, struct err *err)
{
    int rc = 0;

    for (size_t p = 0; p < pieces && rc == 0; p++) {
        const struct pass_scanner matcher = clone_matcher(job, &piece[p]);
        struct pass_walk          walk = pass_walk_shard(job->run, &matcher, shard);

        while ((rc = pass_walk_next(&walk, err)) > 0)
            if (unit_take(&walk.unit, blocks) < 0) {
                rc = err_memory(err, blocks->count * sizeof *blocks->at, "blocks found");
                break;
            }
        pass_walk_close(&walk);
    }
    return rc;
}

/* The blocks of one document, joined where they overlap or touch; it is chosen when the rule holds of the lines in
 * them. */
static int document_add(struct clean_shards *shards, size_t shard, const struct block *block, size_t count,
                        struct bytes *why)
{
    struct clean_choices *choices = &shards->choices;
    struct clean_choice   choice = { .shard = shard, .record = block->record,
                                     .span_at = choices->span.len / sizeof(struct clean_span) };
    struct clean_span     span = { block->first, block->first };
    double                value[CLEAN_COLUMNS_MAX] = { 0 }, lines = 0;
    int                   rc = 0;

    for (size_t i = 0; i <= count && rc == 0; i++) {
        if (i < count && block[i].first <= span.last) {
            if (block[i].end > span.last) span.last = block[i].end;
            continue;
        }
        lines += span.last - span.first;
        span.last--;
        rc = bytes_append(&choices->span, &span, sizeof span);
        choice.span_count++;
        if (i < count) span = (struct clean_span){ block[i].first, block[i].end };
    }
    for (size_t c = 0; c < shards->job->columns->count; c++)
        if (shards->job->columns->of_lines >> c & 1) value[c] = lines;
    why->len = 0;
    if (rc == 0 && !rule_holds(shards->output->rule, value)) {
        choices->span.len = choice.span_at * sizeof span;
        return 0;
    }
    if (rc == 0) rc = rule_reasons(shards->output->rule, value, why);
    return rc < 0 ? rc : choices_add(choices, &choice, bytes_slice(why));
}

static int shard_choose(struct clean_shards *shards, size_t shard, struct block_list *blocks, struct bytes *why)
{
    int rc = 0;

    if (blocks->count) qsort(blocks->at, blocks->count, sizeof *blocks->at, by_place);
    for (size_t from = 0, to; from < blocks->count && rc == 0; from = to) {
        for (to = from + 1; to < blocks->count && blocks->at[to].record == blocks->at[from].record; to++) continue;
        rc = document_add(shards, shard, blocks->at + from, to - from, why);
    }
    return rc;
}

int decide_blocks(struct clean_shards *shards, struct err *err)
{
    const struct clean_job *job = shards->job;
    struct block_list       blocks = { 0 };
    struct bytes            pieces = { 0 }, why = { 0 };
    int                     rc = clone_pieces_read(job->clones, &pieces, err);

    for (size_t s = 0; s < job->run->shards->count && rc == 0; s++) {
        const struct shard *shard = &job->run->shards->at[s];

        if (!shards->output->member[shard->dataset]) continue;
        blocks.count = 0;
        rc = shard_read(job->clones, (const void *)pieces.at, pieces.len / sizeof(struct clone_piece), (uint32_t)s,
                        &blocks, err);
        if (rc == 0 && shard_choose(shards, s, &blocks, &why) < 0)
            rc = err_memory(err, shards->choices.choice.len, "what is cut");
    }
    free(blocks.at);
    bytes_free(&pieces);
    bytes_free(&why);
    return rc;
}
