/* scan/clone_result.c -- see clone_result.h.
 *
 * 1. Units of the corpora   2. What the small side repeats   3. Blocks and places   4. All together
 *
 * Nodes stand in the order of state and length.  The blocks that begin with a given one are then one range of nodes, so counts are differences
 * of running sums, and its first places are the smallest of a range. */
#include "scan/clone_result.h"

#include "base/sort.h"
#include "scan/clone_least.h"

#include <errno.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct place { uint64_t record; uint32_t node, shard, line; };

struct reading {
    const struct clone_job *job;
    struct clone_result    *result;
    struct clone_index      index;
    struct clone_node      *part_node;                      /* [part_node_count] as they stand in the units */
    size_t                  part_node_count, part_node_room;
    struct place           *part_place;                     /* [part_place_count] in the contract's order; node: a place in part_node, later in node */
    size_t                  part_place_count, part_place_room;
    uint64_t               *node;                           /* [node_count] state and length, ascending */
    uint64_t               *before;                         /* [node_count + 1] places of the nodes before */
    bool                   *leading;                        /* [node_count] */
    size_t                  node_count;
    size_t                 *place_at;                       /* [node_count + 1] */
    uint32_t               *place;                          /* [part_place_count] by node: place in part_place */
    uint32_t               *shared;                         /* [states] length of its longest block that the corpora have, or of its link's */
    uint64_t               *key;                            /* [key_count] of blocks to report */
    size_t                  key_count, key_room, block_place_room;
};

static int grow(void **at, size_t *room, size_t wanted, size_t size)
{
    size_t more = 2 * *room > wanted ? 2 * *room : wanted + 64;
    void  *grown;

    if (wanted <= *room) return 0;
    grown = realloc(*at, more * size);
    if (!grown) return -ENOMEM;
    *at = grown;
    *room = more;
    return 0;
}

static uint64_t key_of(uint32_t state, uint32_t length) { return (uint64_t)state << 32 | length; }

/* ---- 1. Units of the corpora ---- */

static int nodes_take(struct reading *r, const struct pass_unit *unit, uint32_t shard)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice              rows = pass_unit_section(unit, p, PART_ROWS), values = pass_unit_section(unit, p, PART_VALUES);
        const struct clone_place *place = (const void *)values.at;
        size_t                    nodes = rows.len / sizeof(struct clone_node), places = values.len / sizeof *place;

        if (grow((void **)&r->part_node, &r->part_node_room, r->part_node_count + nodes, sizeof *r->part_node) < 0 ||
            grow((void **)&r->part_place, &r->part_place_room, r->part_place_count + places, sizeof *r->part_place) < 0) return -ENOMEM;
        if (nodes) memcpy(r->part_node + r->part_node_count, rows.at, rows.len);
        for (size_t i = 0; i < places; i++)
            r->part_place[r->part_place_count++] = (struct place){ place[i].record, (uint32_t)r->part_node_count + place[i].node, shard, place[i].line };
        r->part_node_count += nodes;
    }
    return r->part_node_count < UINT32_MAX && r->part_place_count < UINT32_MAX ? 0 : -EOVERFLOW;
}

static int units_read(struct reading *r, struct err *err)
{
    const struct clone_job   *job = r->job;
    const struct pass         pass = clone_pass(job);
    const struct pass_scanner matcher = clone_scanner(job);

    for (size_t s = 0; s < job->shards->count; s++) {
        const struct shard *shard = &job->shards->at[s];
        struct pass_unit    unit;
        uint64_t            number = 0;

        if (job->options->self || !matcher.takes(matcher.shared, &job->datasets[shard->dataset])) continue;
        do {
            int rc = pass_unit_load(&pass, &matcher, shard, number, &unit, err);

            if (rc == 0) rc = err_set(err, -EIO, "%s: unit %llu of %s has disappeared or is damaged; the same command again makes it anew", stage_dir(job->stage),
                                      (unsigned long long)number, shard->path);
            if (rc < 0) return rc;
            rc = nodes_take(r, &unit, (uint32_t)s);
            number = unit.header->next;
            unit_close(&unit.file);
            if (rc == -EOVERFLOW) return err_set(err, rc, "line_clones: the corpora have more than 2^32 different blocks or places; compare fewer at a time");
            if (rc < 0) return err_memory(err, r->part_place_count * sizeof *r->part_place, "blocks found");
        } while (number > 0);
    }
    return 0;
}

/* Parts may have the same nodes: one of each, in order, with its places. */
static int nodes_merge(struct reading *r, struct err *err)
{
    size_t            n = r->part_node_count, m = r->part_place_count;
    struct sort_item *item = malloc((n + 1) * sizeof *item), *spare = malloc((n + 1) * sizeof *spare);
    uint32_t         *merged = malloc((n + 1) * sizeof *merged);
    int               rc = 0;

    r->node = malloc((n + 1) * sizeof *r->node);
    r->before = calloc(n + 2, sizeof *r->before);
    r->leading = calloc(n + 1, sizeof *r->leading);
    r->place_at = calloc(n + 2, sizeof *r->place_at);
    r->place = malloc((m + 1) * sizeof *r->place);
    if (!item || !spare || !merged || !r->node || !r->before || !r->leading || !r->place_at || !r->place) rc = err_memory(err, n * 72 + m * 4, "blocks found");
    for (size_t i = 0; i < n && rc == 0; i++) item[i] = (struct sort_item){ key_of(r->part_node[i].state, r->part_node[i].length), i };
    if (rc == 0) sort_items(item, spare, n);
    for (size_t i = 0; i < n && rc == 0; i++) {
        const struct clone_node *node = &r->part_node[item[i].value];

        if (i == 0 || item[i].key != item[i - 1].key) {
            r->node[r->node_count++] = item[i].key;
            r->before[r->node_count] = r->before[r->node_count - 1];
        }
        merged[item[i].value] = (uint32_t)r->node_count - 1;
        r->before[r->node_count] += node->count;
        r->leading[r->node_count - 1] |= node->leading > 0;
    }
    for (size_t i = 0; i < m && rc == 0; i++) {
        r->part_place[i].node = merged[r->part_place[i].node];
        r->place_at[r->part_place[i].node + 1]++;
    }
    for (size_t i = 0; i < r->node_count && rc == 0; i++) r->place_at[i + 1] += r->place_at[i];
    for (size_t i = m; i-- > 0 && rc == 0;) r->place[--r->place_at[r->part_place[i].node + 1]] = (uint32_t)i;    /* each becomes the start of its node */
    if (rc == 0) {
        memmove(r->place_at, r->place_at + 1, r->node_count * sizeof *r->place_at);
        r->place_at[r->node_count] = m;
    }
    free(item);
    free(spare);
    free(merged);
    return rc;
}

/* ---- 2. What the small side repeats ---- */

/* A block of a corpus makes all blocks that it begins with known there: those of the states that its state links to, wholly. */
static int shared_find(struct reading *r, struct err *err)
{
    const struct clone_state *state = r->index.state;
    size_t                    n = r->index.header->states;

    r->shared = calloc(n, sizeof *r->shared);
    if (!r->shared) return err_memory(err, n * sizeof *r->shared, "blocks found");
    for (size_t i = 0; i < r->node_count; i++) r->shared[r->node[i] >> 32] = (uint32_t)r->node[i];      /* the longest stands last */
    for (size_t s = n; s-- > 1;)
        if (r->shared[s]) r->shared[state[s].link] = state[state[s].link].length;
    for (size_t s = 1; s < n; s++)                          /* a link has the smaller number */
        if (!r->shared[s]) r->shared[s] = r->shared[state[s].link];
    return 0;
}

static int key_add(struct reading *r, uint64_t key)
{
    if (grow((void **)&r->key, &r->key_room, r->key_count + 1, sizeof *r->key) < 0) return -ENOMEM;
    r->key[r->key_count++] = key;
    return 0;
}

/* The blocks that the lines of a document begin, by the rule of clone.h, and the lines that others have too. */
static int document_take(struct reading *r, size_t d)
{
    const struct clone_side_document *document = &r->result->small.document[d];
    uint32_t                          least = r->job->options->lines, last = 0;
    uint64_t                          covered = 0;

    for (uint64_t i = 0; i < document->row->line_count; i++) {
        uint32_t state = r->index.at[document->first + i], link = r->index.state[state].link, own = r->index.state[link].length;
        uint32_t shared = r->shared[state], longest = own > shared ? own : shared, found = r->job->options->self ? own : shared;

        if (longest >= least && last <= longest && key_add(r, key_of(shared > own ? state : link, longest)) < 0) return -ENOMEM;
        last = longest;
        if (found < least) continue;
        if (covered < i) covered = i;
        if (covered < i + found) {
            r->result->shared[d] += i + found - covered;
            covered = i + found;
        }
    }
    return 0;
}

static int compare_keys(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static int keys_find(struct reading *r, struct err *err)
{
    size_t distinct = 0;
    int    rc = 0;

    for (size_t i = 0; i < r->node_count && rc == 0; i++)
        if (r->leading[i]) rc = key_add(r, r->node[i]);
    for (size_t d = 0; d < r->result->small.count && rc == 0; d++) rc = document_take(r, d);
    if (rc < 0) return err_memory(err, r->key_count * sizeof *r->key, "blocks found");
    if (r->key_count) qsort(r->key, r->key_count, sizeof *r->key, compare_keys);
    for (size_t i = 0; i < r->key_count; i++)
        if (i == 0 || r->key[i] != r->key[i - 1]) r->key[distinct++] = r->key[i];
    r->key_count = distinct;
    return 0;
}

/* ---- 3. Blocks and places ---- */

const struct clone_side_document *clone_small_find(const struct clone_small *small, uint64_t line)
{
    size_t low = 0, high = small->count;

    while (high - low > 1) {                                /* the last one that begins at or before it; empty ones before it begin there too */
        size_t middle = low + (high - low) / 2;

        if (small->document[middle].first <= line) low = middle;
        else high = middle;
    }
    return &small->document[low];
}

static void block_hash(const struct clone_small *small, struct clone_block *block)
{
    const struct clone_side_document *document = clone_small_find(small, block->first);
    const struct clone_line          *line = document->line + (block->first - document->first);
    XXH3_state_t                      state;
    XXH128_hash_t                     sum;

    XXH3_128bits_reset(&state);
    for (uint32_t i = 0; i < block->length; i++) XXH3_128bits_update(&state, &line[i], 2 * sizeof line->low);
    sum = XXH3_128bits_digest(&state);
    block->fingerprint_low = sum.low64;
    block->fingerprint_high = sum.high64;
}
_Static_assert(offsetof(struct clone_line, high) == offsetof(struct clone_line, low) + 8, "block_hash takes both words");

/* The first node that is not before the key. */
static size_t node_from(const struct reading *r, uint64_t key)
{
    size_t low = 0, high = r->node_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (r->node[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int compare_blocks(const void *left, const void *right)
{
    const struct clone_block *a = left, *b = right;

    if (a->fingerprint_high != b->fingerprint_high) return a->fingerprint_high < b->fingerprint_high ? -1 : 1;
    return (a->fingerprint_low > b->fingerprint_low) - (a->fingerprint_low < b->fingerprint_low);
}

static int blocks_make(struct reading *r, const struct least *begins, struct err *err)
{
    struct clone_result *result = r->result;

    result->block = malloc((r->key_count + 1) * sizeof *result->block);
    if (!result->block) return err_memory(err, r->key_count * sizeof *result->block, "blocks");
    for (size_t k = 0; k < r->key_count; k++) {
        struct clone_block        block = { .state = (uint32_t)(r->key[k] >> 32), .length = (uint32_t)r->key[k] };
        const struct clone_state *state = &r->index.state[block.state];
        size_t                    first;

        block.small_count = state->count;
        block.corpus_count = r->before[node_from(r, key_of(state->end, 0))] - r->before[node_from(r, r->key[k])];
        if (block.corpus_count == 0 && !r->job->options->self) continue;
        if (least_take(begins, block.state, state->end, 1, &first) == 0) return err_set(err, -EBADMSG, "line_clones: a block without a place; run again with --clean");
        block.first = begins->key[first];
        block_hash(&result->small, &block);
        result->block[result->block_count++] = block;
    }
    if (result->block_count) qsort(result->block, result->block_count, sizeof *result->block, compare_blocks);
    return 0;
}

static int places_make(struct reading *r, const struct least *begins, const struct least *corpus, struct err *err)
{
    struct clone_result *result = r->result;
    size_t               at[LEAST_MAX], count;

    for (size_t b = 0; b < result->block_count; b++) {
        const struct clone_block *block = &result->block[b];
        uint32_t                  end = r->index.state[block->state].end;

        if (grow((void **)&result->place, &r->block_place_room, result->place_count + 2 * LEAST_MAX, sizeof *result->place) < 0)
            return err_memory(err, result->place_count * sizeof *result->place, "places of blocks");
        count = least_take(begins, block->state, end, r->job->options->places, at);
        for (size_t i = 0; i < count; i++) {
            const struct clone_side_document *document = clone_small_find(&result->small, begins->key[at[i]]);

            result->place[result->place_count++] = (struct clone_block_place){ (uint32_t)b, document->shard, document->line[begins->key[at[i]] - document->first].number,
                                                                               document->row->record };
        }
        count = least_take(corpus, r->place_at[node_from(r, key_of(block->state, block->length))], r->place_at[node_from(r, key_of(end, 0))],
                           r->job->options->places, at);
        for (size_t i = 0; i < count; i++) {
            const struct place *place = &r->part_place[r->place[at[i]]];

            result->place[result->place_count++] = (struct clone_block_place){ (uint32_t)b, place->shard, place->line, place->record };
        }
    }
    return 0;
}

/* begins: by state, the line whose state it is; the states of no line were split off others. */
static int blocks_find(struct reading *r, struct err *err)
{
    size_t       states = r->index.header->states;
    uint32_t    *line = malloc(states * sizeof *line);
    struct least begins = { 0 }, corpus = { 0 };
    int          rc = line ? 0 : err_memory(err, states * sizeof *line, "lines by state");

    for (size_t s = 0; s < states && rc == 0; s++) line[s] = LEAST_NONE;
    for (size_t i = 0; i < r->index.header->lines && rc == 0; i++) line[r->index.at[i]] = (uint32_t)i;
    if (rc == 0 && (least_open(&begins, line, states) < 0 || least_open(&corpus, r->place, r->part_place_count) < 0)) rc = err_memory(err, states * 8, "places of blocks");
    if (rc == 0) rc = blocks_make(r, &begins, err);
    if (rc == 0) rc = places_make(r, &begins, &corpus, err);
    least_close(&begins);
    least_close(&corpus);
    free(line);
    return rc;
}

struct slice clone_block_text(const struct clone_result *result, const struct clone_block *block)
{
    const struct clone_side_document *document = clone_small_find(&result->small, block->first);
    const struct clone_line          *line = document->line + (block->first - document->first);
    struct heap_string                stored = document->row->text;
    size_t                            from = line[0].byte, to = line[block->length - 1].byte;

    if (stored.len == NO_STRING) return (struct slice){ 0 };
    while (to < stored.len && document->heap[stored.at + to] != '\n' && document->heap[stored.at + to] != '\r') to++;
    return (struct slice){ document->heap + stored.at + from, to - from < CLONE_TEXT_MAX ? to - from : CLONE_TEXT_MAX };
}

/* ---- 4. All together ---- */

int clone_result_read(const struct clone_job *job, struct clone_result *out, struct err *err)
{
    struct reading r = { .job = job, .result = out };
    int            rc;

    *out = (struct clone_result){ 0 };
    rc = clone_small_read(job, &out->small, err);
    if (rc == 0) rc = clone_index_open(job->stage, clone_index_key(job), &r.index, err) < 0 ? err->code : 0;
    if (rc == 0 && !r.index.header)
        rc = err_set(err, -EIO, "%s: the index of line_clones has disappeared or is damaged; the same command again makes it anew", stage_dir(job->stage));
    if (rc == 0 && r.index.header->lines != out->small.lines)
        rc = err_set(err, -EBADMSG, "%s: the index of line_clones is of other lines; run again with --clean", stage_dir(job->stage));
    if (rc == 0) {
        out->shared = calloc(out->small.count + 1, sizeof *out->shared);
        if (!out->shared) rc = err_memory(err, out->small.count * sizeof *out->shared, "documents of the small side");
    }
    if (rc == 0) rc = units_read(&r, err);
    if (rc == 0) rc = nodes_merge(&r, err);
    if (rc == 0) rc = shared_find(&r, err);
    if (rc == 0) rc = keys_find(&r, err);
    if (rc == 0) rc = blocks_find(&r, err);
    clone_index_close(&r.index);
    free(r.part_node);
    free(r.part_place);
    free(r.node);
    free(r.before);
    free(r.leading);
    free(r.place_at);
    free(r.place);
    free(r.shared);
    free(r.key);
    if (rc < 0) clone_result_free(out);
    return rc;
}

void clone_result_free(struct clone_result *result)
{
    clone_small_free(&result->small);
    free(result->block);
    free(result->place);
    free(result->shared);
    *result = (struct clone_result){ 0 };
}
