/* generate/memorised.c -- see memorised.h.
 *
 * A block that the corpora have stands in the spans of its document that clone/result.h lists, from the first line of a
 * place to its last.  So every run of a span's lines that is as long as some block is looked up, by a rolling hash, and
 * compared line by line where a block has that hash. */
#include "generate/memorised.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>

/* A block by what it is looked up by. */
struct window { uint64_t hash; uint32_t length, block; };

/* Windows of the same length follow each other. */
struct group { uint64_t power; size_t from, to; uint32_t length; };

struct counting {
    const struct clone_result *result;
    struct memorised          *out;
    struct window             *window;                      /* [block_count] */
    struct group              *group;                       /* [groups] by length */
    size_t                     groups;
    /* [longest document + 1] hash of a document's first lines */
    uint64_t                  *before;
    uint64_t                  *last;                        /* [block_count] 1 + the last document with a place */
};

/* The hash of lines is a polynomial in ROLL_BASE modulo 2^64, so that a line more is one multiplication and first lines
 * less one subtraction.  Both numbers are odd, so multiplying loses nothing, and their bits are well mixed: 2^64 over
 * the golden ratio, and the multiplier of a published finalizer.  Equal hashes are compared, so a bad choice costs time
 * alone. */
#define ROLL_BASE 0x9E3779B97F4A7C15u
#define LINE_MIX  0xD6E8FEB86659FD93u
enum { LINE_TURN = 29 };                                    /* both halves of a line's hash count, and not alike */

static uint64_t line_value(const struct clone_line *line)
{
    return (line->low ^ (line->high >> LINE_TURN | line->high << (64 - LINE_TURN))) * LINE_MIX;
}

/* before[n] of the first n lines; that of lines [from, from + length) follows from two of them. */
static void hash_lines(const struct clone_line *line, uint64_t count, uint64_t *before)
{
    before[0] = 0;
    for (uint64_t i = 0; i < count; i++) before[i + 1] = before[i] * ROLL_BASE + line_value(&line[i]);
}

static const struct clone_line *block_lines(const struct clone_result *result, const struct clone_block *block)
{
    const struct clone_side_document *document = clone_small_find(&result->small, block->first);

    return document->line + (block->first - document->first);
}

static bool same_lines(const struct clone_line *a, const struct clone_line *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].low != b[i].low || a[i].high != b[i].high) return false;
    return true;
}

static int compare_windows(const void *left, const void *right)
{
    const struct window *a = left, *b = right;

    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

static void windows_make(struct counting *c)
{
    const size_t count = c->result->block_count;

    for (size_t b = 0; b < count; b++) {
        const struct clone_block *block = &c->result->block[b];
        const struct clone_line  *line = block_lines(c->result, block);

        c->window[b] = (struct window){ 0, block->length, (uint32_t)b };
        for (uint32_t i = 0; i < block->length; i++)
            c->window[b].hash = c->window[b].hash * ROLL_BASE + line_value(&line[i]);
    }
    if (count) qsort(c->window, count, sizeof *c->window, compare_windows);
    for (size_t w = 0; w < count; w++) {
        struct group *group = c->groups ? &c->group[c->groups - 1] : NULL;

        if (!group || group->length != c->window[w].length) {
            group = &c->group[c->groups++];
            *group = (struct group){ .power = 1, .from = w, .length = c->window[w].length };
            for (uint32_t i = 0; i < group->length; i++) group->power *= ROLL_BASE;
        }
        group->to = w + 1;
    }
}

/* The first window of the group with this hash or a greater one. */
static size_t window_find(const struct counting *c, const struct group *group, uint64_t hash)
{
    return search_u64(c->window, sizeof *c->window, offsetof(struct window, hash), group->from, group->to, hash);
}

static void place_take(struct counting *c, uint32_t block, uint64_t output, size_t document)
{
    struct memorised_block *to = &c->out->block[block];
    size_t                  part = 0;

    while (part + 1 < MEMORISED_PARTS && output >= c->out->upto[part]) part++;
    to->places[part]++;
    if (c->last[block] == document + 1) return;
    c->last[block] = document + 1;
    if (to->outputs++ == 0 || output < to->first) to->first = output;
}

/* Lines [from, to) of a document. */
static void span_take(struct counting *c, size_t d, uint64_t from, uint64_t to)
{
    const struct clone_side_document *document = &c->result->small.document[d];

    for (uint64_t i = from; i < to; i++)
        for (size_t g = 0; g < c->groups && c->group[g].length <= to - i; g++) {
            const struct group *group = &c->group[g];
            const uint64_t      hash = c->before[i + group->length] - c->before[i] * group->power;

            for (size_t w = window_find(c, group, hash); w < group->to && c->window[w].hash == hash; w++)
                if (same_lines(&document->line[i], block_lines(c->result, &c->result->block[c->window[w].block]),
                               group->length))
                    place_take(c, c->window[w].block, document->row->record, d);
        }
}

static void document_take(struct counting *c, size_t d, const struct clone_span *span, size_t spans)
{
    const struct clone_side_document *document = &c->result->small.document[d];
    const uint64_t                    count = document->row->line_count;
    uint64_t                          at = 0;
    size_t                            part = 0;

    hash_lines(document->line, count, c->before);
    for (size_t s = 0; s < spans; s++) {                    /* in the order of lines */
        uint64_t from;

        while (at < count && document->line[at].number < span[s].first) at++;
        from = at;
        while (at < count && document->line[at].number <= span[s].last) at++;
        span_take(c, d, from, at);
    }
    while (part + 1 < MEMORISED_PARTS && document->row->record >= c->out->upto[part]) part++;
    for (; part < MEMORISED_PARTS; part++) c->out->with_any[part]++;
}

int memorised_count(const struct clone_job *job, const struct clone_result *result, uint32_t dataset, uint64_t outputs,
                    struct memorised *out, struct err *err)
{
    const size_t    blocks = result->block_count;
    struct counting c = { .result = result, .out = out };
    uint64_t        lines = 0;
    size_t          spans;
    int             rc = 0;

    *out = (struct memorised){ .block = calloc(blocks + 1, sizeof *out->block) };
    for (size_t p = 0; p < MEMORISED_PARTS; p++)
        out->upto[p] = (outputs * (p + 1) + MEMORISED_PARTS - 1) / MEMORISED_PARTS;
    for (size_t d = 0; d < result->small.count; d++)
        if (result->small.document[d].row->line_count > lines) lines = result->small.document[d].row->line_count;
    c.window = malloc((blocks + 1) * sizeof *c.window);
    c.group = malloc((blocks + 1) * sizeof *c.group);
    c.last = calloc(blocks + 1, sizeof *c.last);
    c.before = malloc((lines + 1) * sizeof *c.before);
    if (!out->block || !c.window || !c.group || !c.last || !c.before)
        rc = err_memory(err, blocks * sizeof *out->block + lines * sizeof *c.before, "places of blocks in outputs");
    if (rc == 0) windows_make(&c);
    for (size_t s = 0; s < result->span_count && rc == 0; s += spans) {
        const size_t d = result->span[s].document;

        for (spans = 1; s + spans < result->span_count && result->span[s + spans].document == d; spans++) continue;
        if (job->run->shards->at[result->small.document[d].shard].dataset == dataset)
            document_take(&c, d, &result->span[s], spans);
    }
    free(c.window);
    free(c.group);
    free(c.last);
    free(c.before);
    return rc;
}

void memorised_free(struct memorised *memorised)
{
    free(memorised->block);
    *memorised = (struct memorised){ 0 };
}
