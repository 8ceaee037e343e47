/* clone/result.c -- see result.h.
 *
 * 1. What the corpora have   2. A piece of the small side   3. Its blocks   4. Blocks of all pieces   5. All together
 *
 * Two rounds over the pieces: the first finds the longest repeated block that begins at each line of the small side,
 * for which all pieces are asked; the second takes from each piece the blocks that are to be reported.  With one piece
 * both are one. */
#include "clone/result.h"

#include "clone/corpora.h"
#include "clone/neighbours.h"
#include "clone/nodes.h"

#include <errno.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct reading {
    const struct clone_job   *job;
    struct clone_result      *result;
    const struct clone_piece *piece;                        /* [piece_count] */
    size_t                    piece_count;
    /* [small.lines] of the repeated blocks that begin at a line */
    uint32_t                 *longest;
    uint64_t                 *key;                          /* [key_count] of the blocks that a piece reports */
    size_t                    key_count, key_room, block_room, block_place_room, span_room;
};

/* What is known of a piece while it is read. */
struct side {
    const struct clone_piece *piece;
    struct clone_index        index;
    struct clone_nodes        corpus;                       /* lines of the corpora; leading: by the rule of clone.h */
    struct clone_nodes        other;                        /* of the other pieces; record: a line of the small side */
    /* [states] length of its longest block that the corpora have, or of its link's */
    uint32_t                 *shared;
    /* [states] the line of the piece whose state it is; the states of no line were split off others */
    uint32_t                 *line;
    struct least              begins;                       /* of line */
};

/* ---- 1. What the corpora have ---- */

struct noting { struct side *side; uint32_t most; };

static int row_note(void *context, const struct clone_row *row, uint32_t shard, bool leading)
{
    const struct noting *noting = context;

    return clone_nodes_add(&noting->side->corpus, clone_node_key(row->state, row->length), leading,
                           (struct clone_spot){ row->record, shard, row->number, 0 }, noting->most);
}

static size_t own_piece(const struct reading *r, const struct side *side) { return (size_t)(side->piece - r->piece); }

static int corpora_read(struct reading *r, struct side *side, struct err *err)
{
    struct noting noting = { side, r->job->options->places };
    int           rc = 0;

    if (!r->job->options->self)
        rc = clone_corpora_read(r->job, r->piece, r->piece_count, own_piece(r, side), row_note, &noting, err);
    if (rc == 0 && clone_nodes_sort(&side->corpus) < 0) rc = clone_rows_fail(-ENOMEM, err);
    return rc;
}

/* A block of a corpus makes all blocks that it begins with known there: those of the states that its state links to,
 * wholly. */
static int shared_find(struct side *side, struct err *err)
{
    const struct clone_state *state = side->index.state;
    size_t                    n = side->index.header->states;

    side->shared = calloc(n, sizeof *side->shared);
    if (!side->shared) return err_memory(err, n * sizeof *side->shared, "blocks found");
    /* the longest stands last */
    for (size_t i = 0; i < side->corpus.count; i++)
        side->shared[side->corpus.node[i].key >> 32] = (uint32_t)side->corpus.node[i].key;
    for (size_t s = n; s-- > 1;)
        if (side->shared[s]) side->shared[state[s].link] = state[state[s].link].length;
    for (size_t s = 1; s < n; s++)                          /* a link has the smaller number */
        if (!side->shared[s]) side->shared[s] = side->shared[state[s].link];
    return 0;
}

/* ---- 2. A piece of the small side ---- */

static uint32_t least_length(const struct reading *r) { return r->job->options->lines; }

/* The state that stands for all that follows a line, and the lengths of the longest blocks that begin there and are
 * elsewhere: in the piece, in the corpora. */
static uint32_t line_state(const struct side *side, uint64_t line, uint32_t *own, uint32_t *shared)
{
    uint32_t state = side->index.at[line - side->piece->first];

    *own = side->index.state[side->index.state[state].link].length;
    *shared = side->shared[state];
    return state;
}

/* A document of another piece: its blocks are repeated if the piece has them. */
static int other_take(struct reading *r, struct side *side, const struct clone_side_document *document,
                      struct clone_match *found)
{
    struct clone_match match = { 0, 0 };

    for (uint64_t i = document->row->line_count; i-- > 0;)
        found[i] = match = clone_index_step(&side->index, match, &document->line[i]);
    for (uint64_t i = 0; i < document->row->line_count; i++) {
        uint64_t line = document->first + i;
        int      rc;

        if (found[i].length < least_length(r)) continue;
        if (r->longest[line] < found[i].length) r->longest[line] = found[i].length;
        rc = clone_nodes_add(&side->other, clone_node_key(found[i].state, found[i].length), false,
                             (struct clone_spot){ .record = line }, r->job->options->places);
        if (rc < 0) return rc;
    }
    return 0;
}

static int others_read(struct reading *r, struct side *side, struct err *err)
{
    const struct clone_small *small = &r->result->small;
    struct clone_match       *found;
    uint64_t                  lines = 0;
    int                       rc = 0;

    if (r->piece_count > 1)
        for (size_t d = 0; d < small->count; d++)
            if (small->document[d].row->line_count > lines) lines = small->document[d].row->line_count;
    found = malloc((lines + 1) * sizeof *found);
    if (!found) return err_memory(err, lines * sizeof *found, "the lines of a document");
    for (size_t d = 0; d < small->count && rc == 0 && r->piece_count > 1; d++)
        if (d < side->piece->from || d >= side->piece->to) rc = other_take(r, side, &small->document[d], found);
    free(found);
    if (rc == 0) rc = clone_nodes_sort(&side->other);
    return rc < 0 ? clone_rows_fail(rc, err) : 0;
}

static void side_close(struct side *side)
{
    clone_index_close(&side->index);
    clone_nodes_free(&side->corpus);
    clone_nodes_free(&side->other);
    least_close(&side->begins);
    free(side->shared);
    free(side->line);
    *side = (struct side){ 0 };
}

static int side_open(struct reading *r, const struct clone_piece *piece, struct side *out, struct err *err)
{
    const struct clone_job *job = r->job;
    int                     rc;

    *out = (struct side){ .piece = piece };
    rc = clone_index_open(job->run->stage, clone_index_key(job, piece), &out->index, err);
    if (rc == 0)
        rc = err_set(err, -EIO, "%s: the index of line_clones has disappeared or is damaged; the same command again "
                                "makes it anew", stage_dir(job->run->stage));
    if (rc > 0 && out->index.header->lines != piece->lines)
        rc = err_set(err, -EBADMSG, "%s: the index of line_clones is of other lines; run again with --clean",
                     stage_dir(job->run->stage));
    if (rc > 0) rc = 0;
    if (rc == 0) rc = corpora_read(r, out, err);
    if (rc == 0) rc = shared_find(out, err);
    if (rc == 0) rc = others_read(r, out, err);
    for (uint64_t i = 0; i < piece->lines && rc == 0; i++) {
        uint32_t *longest = &r->longest[piece->first + i], own, shared;

        line_state(out, piece->first + i, &own, &shared);
        if (*longest < own) *longest = own;
        if (*longest < shared) *longest = shared;
    }
    return rc;
}

/* ---- 3. Its blocks ---- */

static int key_add(struct reading *r, uint64_t key)
{
    if (ARRAY_GROW(r->key, r->key_room, r->key_count) < 0) return -ENOMEM;
    r->key[r->key_count++] = key;
    return 0;
}

static int span_add(struct reading *r, size_t d, uint32_t line)
{
    struct clone_result *result = r->result;

    if (ARRAY_GROW(result->span, r->span_room, result->span_count) < 0) return -ENOMEM;
    result->span[result->span_count++] = (struct clone_span){ (uint32_t)d, line, line };
    return 0;
}

/* The first place in the corpora of a block that begins in document d, if that has been found to have no longer one. */
static void elsewhere_take(struct reading *r, const struct side *side, size_t d, uint32_t state, uint32_t length)
{
    struct clone_elsewhere   *out = &r->result->elsewhere[d];
    const struct clone_state *at = side->index.state;
    const struct clone_spot  *spot;
    size_t                    first[LEAST_MAX];

    if (length <= out->length) return;
    while (at[at[state].link].length >= length) state = at[state].link;             /* that it is one of */
    if (!clone_nodes_first(&side->corpus, clone_node_key(state, length), clone_node_key(at[state].end, 0), 1, first))
        return;
    spot = &side->corpus.spot[first[0]];
    *out = (struct clone_elsewhere){ .record = spot->record, .shard = spot->shard, .line = spot->line,
                                     .length = length };
}

/* The blocks that the lines of a document begin, by the rule of clone.h, and the lines that others have too. */
static int document_take(struct reading *r, const struct side *side, size_t d)
{
    const struct clone_side_document *document = &r->result->small.document[d];
    uint32_t                          least = least_length(r), last = 0;
    uint64_t                          covered = 0;

    for (uint64_t i = 0; i < document->row->line_count; i++) {
        uint32_t own, shared, state = line_state(side, document->first + i, &own, &shared),
            longest = r->longest[document->first + i];
        uint32_t found = r->job->options->self ? longest : shared;

        if (longest >= least && last <= longest &&
            key_add(r, clone_node_key(longest > own ? state : side->index.state[state].link, longest)) < 0)
            return -ENOMEM;
        last = longest;
        if (found < least) continue;
        elsewhere_take(r, side, d, state, shared);
        if ((covered < i || r->result->shared[d] == 0) && span_add(r, d, document->line[i].number) < 0) return -ENOMEM;
        if (covered < i) covered = i;
        if (covered < i + found) {
            r->result->shared[d] += i + found - covered;
            covered = i + found;
            r->result->span[r->result->span_count - 1].last = document->line[covered - 1].number;
        }
    }
    return 0;
}

static int compare_keys(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static void keys_sort(struct reading *r)
{
    size_t distinct = 0;

    if (r->key_count) qsort(r->key, r->key_count, sizeof *r->key, compare_keys);
    for (size_t i = 0; i < r->key_count; i++)
        if (i == 0 || r->key[i] != r->key[i - 1]) r->key[distinct++] = r->key[i];
    r->key_count = distinct;
}

static int row_ask(void *context, const struct clone_row *row, uint32_t shard, bool leading)
{
    (void)shard;
    return clone_neighbours_add(context, clone_node_key(row->state, row->length), row->before, row->behind, leading);
}

/* Adds those of the corpora's blocks that no line of the small side begins, and that have a place which stands alone in
 * the corpora: others are longer there wherever they are, by blocks that are repeated in the corpora only. */
static int alone_take(struct reading *r, const struct side *side, struct err *err)
{
    const size_t            known = r->key_count;
    uint64_t               *key = malloc((side->corpus.count + 1) * 2 * sizeof *key), *end = key + side->corpus.count;
    struct clone_neighbours asked = { 0 };
    size_t                  count = 0;
    int                     rc = key ? 0 : -ENOMEM;

    for (size_t i = 0, k = 0; rc == 0 && i < side->corpus.count; i++) {
        const struct clone_node *node = &side->corpus.node[i];

        while (k < known && r->key[k] < node->key) k++;
        if (!node->leading || (k < known && r->key[k] == node->key)) continue;
        key[count] = node->key;
        end[count++] = clone_node_key(side->index.state[node->key >> 32].end, 0);
    }
    if (rc == 0) rc = clone_neighbours_open(&asked, key, end, count);
    if (rc < 0) rc = err_memory(err, side->corpus.count * 16, "blocks found");
    if (rc == 0 && count)
        rc = clone_corpora_read(r->job, r->piece, r->piece_count, own_piece(r, side), row_ask, &asked, err);
    if (rc == 0 && clone_neighbours_end(&asked) < 0) rc = err_memory(err, count, "blocks found");
    for (size_t i = 0; i < count && rc == 0; i++)
        if (asked.alone[i] && key_add(r, key[i]) < 0)
            rc = err_memory(err, r->key_count * sizeof *r->key, "blocks found");
    clone_neighbours_free(&asked);
    free(key);
    return rc;
}

/* Blocks that lines of the piece begin, and those that lines of the corpora do. */
static int keys_find(struct reading *r, const struct side *side, struct err *err)
{
    const bool simian = r->job->options->normal == CLONE_SIMIAN;
    int        rc = 0;

    r->key_count = 0;
    for (size_t d = side->piece->from; d < side->piece->to && rc == 0; d++) rc = document_take(r, side, d);
    for (size_t i = 0; i < side->corpus.count && rc == 0 && !simian; i++)
        if (side->corpus.node[i].leading) rc = key_add(r, side->corpus.node[i].key);
    if (rc < 0) return err_memory(err, r->key_count * sizeof *r->key, "blocks found");
    keys_sort(r);
    if (simian && side->corpus.count) rc = alone_take(r, side, err);
    keys_sort(r);
    return rc;
}

const struct clone_side_document *clone_small_find(const struct clone_small *small, uint64_t line)
{
    size_t low = 0, high = small->count;

    /* the last one that begins at or before it; empty ones before it begin there too */
    while (high - low > 1) {
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
_Static_assert(offsetof(struct clone_line, high) == offsetof(struct clone_line, low) + 8,
               "block_hash takes both words");

/* A place on the small side or in a corpus, of the block that is added next. */
static int place_add(struct reading *r, struct clone_block_place place)
{
    struct clone_result *result = r->result;

    if (ARRAY_GROW(result->place, r->block_place_room, result->place_count) < 0)
        return -ENOMEM;
    place.block = (uint32_t)result->block_count;
    result->place[result->place_count++] = place;
    return 0;
}

static int place_add_small(struct reading *r, uint64_t line)
{
    const struct clone_side_document *document = clone_small_find(&r->result->small, line);

    return place_add(r, (struct clone_block_place){ .shard = document->shard,
                                                    .line = document->line[line - document->first].number,
                                                    .record = document->row->record,
                                                    .path = heap_slice(document->heap, document->row->path) });
}

/* The block's first places: those in the piece and in the other ones, then those in the corpora. */
static int places_take(struct reading *r, const struct side *side, uint64_t key, uint64_t end, uint64_t *first)
{
    size_t own[LEAST_MAX], other[LEAST_MAX], most = r->job->options->places;
    size_t owns = least_take(&side->begins, (size_t)(key >> 32), (size_t)(end >> 32), most, own), o = 0, i = 0;
    size_t others = clone_nodes_first(&side->other, key, end, most, other);

    for (size_t n = 0; n < most && (o < owns || i < others); n++) {
        uint64_t of_own = o < owns ? side->piece->first + side->line[own[o]] : UINT64_MAX;
        uint64_t of_other = i < others ? side->other.spot[other[i]].record : UINT64_MAX, line = of_own < of_other
            ? of_own : of_other;

        if (n == 0) *first = line;
        if (of_own < of_other) o++;
        else i++;
        if (place_add_small(r, line) < 0) return -ENOMEM;
    }
    others = clone_nodes_first(&side->corpus, key, end, most, other);
    for (i = 0; i < others; i++) {
        const struct clone_spot *spot = &side->corpus.spot[other[i]];

        if (place_add(r, (struct clone_block_place){ .shard = spot->shard, .line = spot->line,
                                                     .record = spot->record }) < 0) return -ENOMEM;
    }
    return 0;
}

static int block_add(struct reading *r, const struct side *side, uint64_t key)
{
    struct clone_result      *result = r->result;
    const struct clone_state *state = &side->index.state[key >> 32];
    uint64_t                  end = clone_node_key(state->end, 0);      /* behind all that begin with it */
    struct clone_block        block = { .length = (uint32_t)key, .place = result->place_count };

    block.small_count = state->count + clone_nodes_count(&side->other, key, end);
    block.corpus_count = clone_nodes_count(&side->corpus, key, end);
    if (block.corpus_count == 0 && !r->job->options->self) return 0;
    if (ARRAY_GROW(result->block, r->block_room, result->block_count) < 0)
        return -ENOMEM;
    if (places_take(r, side, key, end, &block.first) < 0) return -ENOMEM;
    block.places = (uint32_t)(result->place_count - block.place);
    block_hash(&result->small, &block);
    result->block[result->block_count++] = block;
    return 0;
}

static int blocks_take(struct reading *r, struct side *side, struct err *err)
{
    size_t states = side->index.header->states;
    int    rc = keys_find(r, side, err);

    if (rc < 0) return rc;
    side->line = malloc(states * sizeof *side->line);
    if (!side->line) return err_memory(err, states * sizeof *side->line, "lines by state");
    memset(side->line, 0xFF, states * sizeof *side->line);  /* LEAST_NONE */
    for (uint64_t i = 0; i < side->piece->lines; i++) side->line[side->index.at[i]] = (uint32_t)i;
    if (least_open(&side->begins, side->line, states) < 0) return err_memory(err, states * 8, "lines by state");
    for (size_t k = 0; k < r->key_count; k++)
        if (block_add(r, side, r->key[k]) < 0)
            return err_memory(err, r->result->block_count * sizeof *r->result->block, "blocks");
    return 0;
}

/* ---- 4. Blocks of all pieces ---- */

static int compare_blocks(const void *left, const void *right)
{
    const struct clone_block *a = left, *b = right;

    if (a->fingerprint_high != b->fingerprint_high) return a->fingerprint_high < b->fingerprint_high ? -1 : 1;
    return (a->fingerprint_low > b->fingerprint_low) - (a->fingerprint_low < b->fingerprint_low);
}

/* By fingerprint; of a block that several pieces have one is as good as the other. */
static int blocks_order(struct clone_result *result, struct err *err)
{
    struct clone_block_place *place = malloc((result->place_count + 1) * sizeof *place);
    size_t                    blocks = 0, places = 0;

    if (!place) return err_memory(err, result->place_count * sizeof *place, "places of blocks");
    if (result->block_count) qsort(result->block, result->block_count, sizeof *result->block, compare_blocks);
    for (size_t b = 0; b < result->block_count; b++) {
        struct clone_block block = result->block[b];

        if (blocks && compare_blocks(&block, &result->block[blocks - 1]) == 0) continue;
        for (uint32_t i = 0; i < block.places; i++) {
            place[places + i] = result->place[block.place + i];
            place[places + i].block = (uint32_t)blocks;
        }
        block.place = places;
        places += block.places;
        result->block[blocks++] = block;
    }
    free(result->place);
    result->place = place;
    result->place_count = places;
    result->block_count = blocks;
    return 0;
}

static bool is_of_corpus(const struct clone_job *job, const struct clone_block_place *place)
{
    return job->run->datasets[job->run->shards->at[place->shard].dataset].role != ROLE_BENCHMARK;
}

/* The paths of places in corpora.  Each piece's units have those of its own rows, and a place may be of any piece. */
static int paths_take(struct reading *r, struct err *err)
{
    struct clone_result *result = r->result;
    int                  rc = 0;

    for (size_t i = 0; i < result->place_count && rc == 0; i++) {
        const struct clone_block_place *place = &result->place[i];

        if (is_of_corpus(r->job, place) && paths_want(&result->paths, place->shard, place->record) < 0)
            rc = err_memory(err, result->place_count * sizeof *result->paths.at, "paths");
    }
    for (size_t d = 0; d < result->small.count && rc == 0; d++)
        if (result->elsewhere[d].length &&
            paths_want(&result->paths, result->elsewhere[d].shard, result->elsewhere[d].record) < 0)
            rc = err_memory(err, result->small.count * sizeof *result->paths.at, "paths");
    for (size_t p = 0; p < r->piece_count && rc == 0; p++) {
        const struct pass_scanner matcher = clone_matcher(r->job, &r->piece[p]);

        rc = paths_read(&result->paths, r->job->run, &matcher, err);
    }
    for (size_t i = 0; i < result->place_count && rc == 0; i++)
        if (is_of_corpus(r->job, &result->place[i]))
            result->place[i].path = paths_find(&result->paths, result->place[i].shard, result->place[i].record);
    for (size_t d = 0; d < result->small.count && rc == 0; d++)
        if (result->elsewhere[d].length)
            result->elsewhere[d].path = paths_find(&result->paths, result->elsewhere[d].shard,
                                                   result->elsewhere[d].record);
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

/* ---- 5. All together ---- */

static int pieces_read(struct reading *r, struct err *err)
{
    struct side side = { 0 };
    int         rc = 0;

    for (size_t p = 0; p < r->piece_count && rc == 0; p++) {
        side_close(&side);
        rc = side_open(r, &r->piece[p], &side, err);
    }
    for (size_t p = 0; p < r->piece_count && rc == 0; p++) {
        if (r->piece_count > 1) {
            side_close(&side);
            rc = side_open(r, &r->piece[p], &side, err);
        }
        if (rc == 0) rc = blocks_take(r, &side, err);
    }
    side_close(&side);
    return rc;
}

int clone_result_read(const struct clone_job *job, struct clone_result *out, struct err *err)
{
    struct reading r = { .job = job, .result = out };
    struct bytes   pieces = { 0 };
    int            rc;

    *out = (struct clone_result){ 0 };
    rc = clone_small_read(job, &out->small, err);
    if (rc == 0) rc = clone_pieces_read(job, &pieces, err);
    if (rc == 0) {
        r.piece = (const struct clone_piece *)(const void *)pieces.at;
        r.piece_count = pieces.len / sizeof *r.piece;
        r.longest = calloc(out->small.lines + 1, sizeof *r.longest);
        out->shared = calloc(out->small.count + 1, sizeof *out->shared);
        out->elsewhere = calloc(out->small.count + 1, sizeof *out->elsewhere);
        if (!r.longest || !out->shared || !out->elsewhere)
            rc = err_memory(err, out->small.count * 8 + out->small.lines * 4, "lines of the small side");
    }
    if (rc == 0) rc = pieces_read(&r, err);
    if (rc == 0) rc = blocks_order(out, err);
    if (rc == 0) rc = paths_take(&r, err);
    bytes_free(&pieces);
    free(r.longest);
    free(r.key);
    if (rc < 0) clone_result_free(out);
    return rc;
}

void clone_result_free(struct clone_result *result)
{
    clone_small_free(&result->small);
    paths_free(&result->paths);
    free(result->block);
    free(result->place);
    free(result->shared);
    free(result->elsewhere);
    free(result->span);
    *result = (struct clone_result){ 0 };
}
