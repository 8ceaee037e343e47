/* clean/blocks.c -- where the blocks of line_clones are in the documents of a corpus: from the units of that pass,
 * whose rows are all lines where a block begins. */
#include "clean/clean_private.h"

#include "clone/result.h"

#include <errno.h>
#include <stdlib.h>

/* significant lines [first, end); small: the first line of the small side where the same block begins */
struct block { uint64_t record, small; uint32_t first, end; };
struct block_list { struct block *at; size_t count, room; };

/* line: [states of the piece's index] the first line of the piece whose blocks begin with those of the state */
struct blocks { const struct clone_piece *piece; uint32_t **line; size_t pieces; struct block_list list; };

static int by_place(const void *a, const void *b)
{
    const struct block *x = a, *y = b;

    if (x->record != y->record) return x->record < y->record ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static int unit_take(const struct pass_unit *unit, const struct clone_piece *piece, const uint32_t *line,
                     struct block_list *blocks)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice            rows = pass_unit_section(unit, p, PART_ROWS);
        const struct clone_row *row = (const void *)rows.at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            if (ARRAY_GROW(blocks->at, blocks->room, blocks->count) < 0) return -ENOMEM;
            blocks->at[blocks->count++] = (struct block){ row[i].record, piece->first + line[row[i].state],
                                                          row[i].index, row[i].index + row[i].length };
        }
    }
    return 0;
}

/* All blocks of a shard, of whatever piece of the small side. */
static int shard_read(const struct clone_job *job, struct blocks *b, uint32_t shard, struct err *err)
{
    struct block_list *blocks = &b->list;
    int                rc = 0;

    for (size_t p = 0; p < b->pieces && rc == 0; p++) {
        const struct pass_scanner matcher = clone_matcher(job, &b->piece[p]);
        struct pass_walk          walk = pass_walk_shard(job->run, &matcher, shard);

        while ((rc = pass_walk_next(&walk, err)) > 0)
            if (unit_take(&walk.unit, &b->piece[p], b->line[p], blocks) < 0) {
                rc = err_memory(err, blocks->count * sizeof *blocks->at, "blocks found");
                break;
            }
        pass_walk_close(&walk);
    }
    return rc;
}

/* The document of a benchmark that has the longest of the blocks, as columns of the list. */
static int match_longest(const struct clean_job *job, const struct block *block, size_t count, struct bytes *out)
{
    const struct block               *longest = block;
    const struct clone_side_document *document;
    const struct shard               *shard;

    for (size_t i = 1; i < count; i++)
        if (block[i].end - block[i].first > longest->end - longest->first) longest = &block[i];
    out->len = 0;
    document = clone_small_find(job->small, longest->small);
    shard = &job->run->shards->at[document->shard];
    return match_print(out, &(struct match){ .kind = SLICE("clone"), .similarity = -1,
                                             .dataset = slice_of(job->run->datasets[shard->dataset].name),
                                             .shard = slice_of(shard->name), .record = document->row->record,
                                             .path = heap_slice(document->heap, document->row->path),
                                             .of_shard = document->shard }, job->counts);
}

/* The blocks of one document, joined where they overlap or touch; it is chosen when the rule holds of the lines in
 * them. */
static int document_add(struct clean_shards *shards, size_t shard, const struct block *block, size_t count,
                        struct bytes *why, struct bytes *match)
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
    if (rc == 0) rc = rule_reasons(shards->output->rule, value, why, NULL);
    if (rc == 0) rc = match_longest(shards->job, block, count, match);
    return rc < 0 ? rc : choices_add(choices, &choice, bytes_slice(why), bytes_slice(match));
}

static int shard_choose(struct clean_shards *shards, size_t shard, struct block_list *blocks, struct bytes *why,
                        struct bytes *match)
{
    int rc = 0;

    if (blocks->count) qsort(blocks->at, blocks->count, sizeof *blocks->at, by_place);
    for (size_t from = 0, to; from < blocks->count && rc == 0; from = to) {
        for (to = from + 1; to < blocks->count && blocks->at[to].record == blocks->at[from].record; to++) continue;
        rc = document_add(shards, shard, blocks->at + from, to - from, why, match);
    }
    return rc;
}

/* The index of a piece, asked where its blocks are. */
static int lines_read(const struct clone_job *job, const struct clone_piece *piece, uint32_t **out, struct err *err)
{
    struct clone_index index;
    uint32_t          *line;
    size_t             states;
    int                rc = clone_index_open(job->run->stage, clone_index_key(job, piece), &index, err);

    if (rc == 0)
        rc = err_set(err, -EIO, "%s: the index of line_clones has disappeared or is damaged; the same command again "
                                "makes it anew", stage_dir(job->run->stage));
    if (rc < 0) return rc;
    states = index.header->states;
    *out = line = malloc(states * sizeof *line);
    rc = line ? 0 : err_memory(err, states * sizeof *line, "lines by state");
    if (line) memset(line, 0xFF, states * sizeof *line);
    for (uint64_t i = 0; i < piece->lines && rc == 0; i++) line[index.at[i]] = (uint32_t)i;
    for (size_t s = states; rc == 0 && s-- > 1;)            /* a link has the smaller number */
        if (line[s] < line[index.state[s].link]) line[index.state[s].link] = line[s];
    clone_index_close(&index);
    return rc;
}

static int blocks_open(struct blocks *b, const struct clone_job *job, const struct bytes *pieces, struct err *err)
{
    int rc = 0;

    b->piece = (const void *)pieces->at;
    b->pieces = pieces->len / sizeof *b->piece;
    b->line = calloc(b->pieces + 1, sizeof *b->line);
    if (!b->line) return err_memory(err, b->pieces * sizeof *b->line, "lines by state");
    for (size_t p = 0; p < b->pieces && rc == 0; p++) rc = lines_read(job, &b->piece[p], &b->line[p], err);
    return rc;
}

static void blocks_close(struct blocks *b)
{
    for (size_t p = 0; p < b->pieces && b->line; p++) free(b->line[p]);
    free(b->line);
    free(b->list.at);
}

int decide_blocks(struct clean_shards *shards, struct err *err)
{
    const struct clean_job *job = shards->job;
    struct blocks           blocks = { 0 };
    struct bytes            pieces = { 0 }, why = { 0 }, match = { 0 };
    int                     rc = clone_pieces_read(job->clones, &pieces, err);

    if (rc == 0) rc = blocks_open(&blocks, job->clones, &pieces, err);
    for (size_t s = 0; s < job->run->shards->count && rc == 0; s++) {
        const struct shard *shard = &job->run->shards->at[s];

        if (!shards->output->member[shard->dataset]) continue;
        blocks.list.count = 0;
        rc = shard_read(job->clones, &blocks, (uint32_t)s, err);
        if (rc == 0 && shard_choose(shards, s, &blocks.list, &why, &match) < 0)
            rc = err_memory(err, shards->choices.choice.len, "what is cut");
    }
    blocks_close(&blocks);
    bytes_free(&pieces);
    bytes_free(&why);
    bytes_free(&match);
    return rc;
}
