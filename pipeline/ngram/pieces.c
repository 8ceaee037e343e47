/* ngram/pieces.c -- what the n-grams that a document has say of the items' lines, and of the bytes around them; see
 * roller.h.
 *
 * N-grams that follow each other in the document and in the same lines are taken together (index.h), so that
 * boilerplate costs a step for each of its stretches and lines, not for each n-gram. */
#include "ngram/roller.h"

#include <errno.h>
#include <stdlib.h>

struct ngram_hit *roller_hit(struct roller *r, enum roller_side side, uint32_t line)
{
    struct line_state *state = &r->line[side][line];

    if (!state->hit) {
        struct ngram_hit made = { .line = line + (side == SIDE_KEPT ? r->index->lines : 0) };

        if (bytes_append(&r->hits, &made, sizeof made) < 0) return NULL;
        state->hit = (uint32_t)(r->hits.len / sizeof made);
    }
    return (struct ngram_hit *)r->hits.at + state->hit - 1;
}

void roller_line_begin(const struct roller *r, struct line_state *line)
{
    if (line->shard == r->shard) return;
    line->shard = r->shard;
    line->best_run = line->best_covered = 0;
    line->near = NGRAM_FAR;
    if (line->windows == WINDOWS_ALL) line->windows = WINDOWS_WANTED;
}

/* ---- bytes ---- */

/* Whether the document has these bytes there, in lower case where the job folds.  Most differ at once, so that it is
 * not worth making texts for it. */
static bool bytes_equal(const struct roller *r, size_t at, const char *bytes, size_t count)
{
    const char *there = r->text.at + at;
    size_t      i = 0;

    if (!r->job->fold) return memcmp(there, bytes, count) == 0;
    for (; i + 8 <= count; i += 8)
        if (view_folded_8(view_hash_load(there + i)) != view_folded_8(view_hash_load(bytes + i))) return false;
    for (; i < count; i++)
        if (view_folded_1(there[i]) != view_folded_1(bytes[i])) return false;
    return true;
}

/* Whether the entry's text lies in the document so that its second word is word i there. */
static int anchor_check(struct roller *r, uint32_t e, uint32_t i)
{
    const struct ngram_entry *entry = &r->index->entry[e];
    const char               *text = r->index->text + entry->text_at;
    uint32_t                  line = e * (uint32_t)r->job->options->sizes,
        inside = r->index->word_place[entry->word_at + 1], at = r->at_byte[i];
    struct ngram_hit         *hit;

    if (at < inside || entry->text_len > r->text.len - (at - inside) ||
        !bytes_equal(r, at - inside, text, entry->text_len)) return 0;
    hit = roller_hit(r, SIDE_FOUND, line);
    if (!hit) return -ENOMEM;
    hit->exact |= NGRAM_EXACT;
    if (r->job->both && memcmp(r->text.at + at - inside, text, entry->text_len) == 0) hit->exact |= NGRAM_EXACT_KEPT;
    return 0;
}

/* Makes r->bytes, when it is not there. */
static int bytes_ask(struct roller *r)
{
    struct err unused = { 0 };

    if (r->bytes.at) return 0;
    r->bytes = r->text;
    return ngram_text(r->job, &r->bytes, &r->folded, &unused);
}

/* How many bytes are equal from a and b on. */
static uint32_t bytes_after(const char *a, const char *b, size_t most)
{
    size_t at = 0;

    for (; at + 8 <= most; at += 8) {
        uint64_t x, y;

        memcpy(&x, a + at, sizeof x);
        memcpy(&y, b + at, sizeof y);
        if (x != y) break;
    }
    while (at < most && a[at] == b[at]) at++;
    return (uint32_t)at;
}

/* The same backwards. */
static uint32_t bytes_before(const char *a, const char *b, size_t most)
{
    size_t at = 0;

    for (; at + 8 <= most; at += 8) {
        uint64_t x, y;

        memcpy(&x, a - at - 8, sizeof x);
        memcpy(&y, b - at - 8, sizeof y);
        if (x != y) break;
    }
    while (at < most && a[-1 - (ptrdiff_t)at] == b[-1 - (ptrdiff_t)at]) at++;
    return (uint32_t)at;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The entry's text from its byte `place` on is an n-gram that is at word i of the document: how far are the texts equal
 * around it? */
static int stretch_find(struct roller *r, uint32_t e, struct line_state *line, uint32_t place, uint32_t i)
{
    const struct ngram_entry *entry = &r->index->entry[e];
    const char               *text = r->index->text + entry->text_at;
    uint32_t                  start = r->at_byte[i], after, before;
    struct entry_state       *last = &r->entry[e];
    struct ngram_stretch      found;

    after = bytes_after(text + place, r->bytes.at + start, least(entry->text_len - place, r->bytes.len - start));
    before = bytes_before(text + place, r->bytes.at + start, least(place, start));
    line->until = start + after;
    if (before + after < NGRAM_WINDOW) return 0;
    found = (struct ngram_stretch){ e, place - before, place + after - NGRAM_WINDOW + 1 };
    if (before + after == entry->text_len) line->windows = WINDOWS_ALL;
    if (last->shard == r->shard && last->from <= found.from && found.to <= last->to) return 0;
    *last = (struct entry_state){ r->shard, found.from, found.to };
    return bytes_append(&r->stretches, &found, sizeof found);
}

static int stretch_order(const void *a, const void *b)
{
    const struct ngram_stretch *x = a, *y = b;

    if (x->entry != y->entry) return x->entry < y->entry ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

size_t ngram_stretches_join(struct ngram_stretch *at, size_t count)
{
    size_t kept = 0;

    if (count) qsort(at, count, sizeof *at, stretch_order);
    for (size_t i = 0; i < count; i++) {
        struct ngram_stretch *last = kept ? &at[kept - 1] : NULL;

        if (!last || last->entry != at[i].entry || last->to < at[i].from) at[kept++] = at[i];
        else if (last->to < at[i].to) last->to = at[i].to;
    }
    return kept;
}

/* ---- n-grams that follow each other ---- */

/* A piece: n-grams of one class that follow each other in the document from its word i on, and in the class' lines from
 * their n-gram base on. */
/* fresh: of count, those that the document has not had before */
struct piece { uint32_t i, count, base, fresh; };

/* Looks around the piece in the texts of the lines in compare. */
static int piece_bytes(struct roller *r, const struct piece *piece)
{
    const uint32_t *at = r->at_byte + piece->i;
    struct compare *compare = (struct compare *)r->compares.at;
    size_t          count = r->compares.len / sizeof *compare;

    if (count && bytes_ask(r) < 0) return -ENOMEM;
    for (size_t c = 0; c < count; c++) {                    /* what is waited for has been asked for before */
        const struct ngram_entry *entry = &r->index->entry[compare[c].entry];

        compare[c].place = r->index->word_place + entry->word_at + compare[c].first;
        __builtin_prefetch(compare[c].place);
    }
    for (size_t c = 0; c < count; c++)
        __builtin_prefetch(r->index->text + r->index->entry[compare[c].entry].text_at + *compare[c].place);
    for (size_t c = 0; c < count; c++) {
        struct line_state *line = &r->line[SIDE_FOUND][compare[c].line];

        for (uint32_t k = 0; k < piece->count; k++)
            if (at[k] >= line->until && stretch_find(r, compare[c].entry, line, compare[c].place[k], piece->i + k) < 0)
                return -ENOMEM;
    }
    return 0;
}

/* Of n-grams as written, what is told of lines that differ; alike: none does.  Windows are looked for where what is
 * found is as written. */
static int piece_found(struct roller *r, enum roller_side side, uint32_t class, const struct piece *piece, bool alike)
{
    const struct ngram_index   *index = r->index;
    const struct ngram_posting *end = index->posting + index->posting_start[class + 1];
    const uint32_t              sizes = (uint32_t)r->job->options->sizes,
        last_byte = r->at_byte[piece->i + piece->count - 1];
    struct line_state *const    lines = r->line[side];

    r->compares.len = 0;
    for (const struct ngram_posting *p = index->posting + index->posting_start[class]; p < end; p++) {
        struct line_state *line = &lines[p->line];
        const uint32_t     first = piece->base + p->first;
        const bool         differs = !alike && r->differs[p->line] == r->document;
        bool               adjacent;

        if (side == SIDE_KEPT && !differs) continue;
        if (side == SIDE_FOUND && end - p > LOOK_AHEAD) __builtin_prefetch(&lines[p[LOOK_AHEAD].line]);
        if (line->document != r->document) {
            if (bytes_append(&r->lines[side], &p->line, sizeof p->line) < 0) return -ENOMEM;
            roller_line_begin(r, line);
            line->document = r->document;
            line->last = UINT32_MAX - 1;
            line->best = line->found = line->pieces = line->until = 0;
        }
        adjacent = line->last + 1 == piece->i;
        line->run = (adjacent ? line->run : 0) + piece->count;
        line->last = piece->i + piece->count - 1;
        if (line->run > line->best) {
            line->best = line->run;
            line->best_at = line->last + 1 - line->run;
        }
        line->found += piece->fresh * p->times;
        if (p->times > 1) line->pieces += piece->fresh * p->times;
        else line->pieces += piece->fresh && !(adjacent && line->next == first);
        line->next = p->times > 1 ? UINT32_MAX : first + piece->count;
        if (differs != (side == SIDE_KEPT)) continue;
        line = &r->line[SIDE_FOUND][p->line];
        if (line->windows == WINDOWS_WANTED && last_byte >= line->until &&
            bytes_append(&r->compares, &(struct compare){ .entry = p->line / sizes, .line = p->line, .first = first },
                         sizeof(struct compare)) < 0) return -ENOMEM;
    }
    return piece_bytes(r, piece);
}

/* The n-gram is at word i of the document.  Returns whether it is so for the first time, or <0. */
static int gram_count(struct roller *r, uint32_t g, uint32_t i)
{
    struct gram_state *gram = &r->gram[g];
    bool               fresh = gram->document != r->document;

    if (fresh && gram->occurrences == 0 && bytes_append(&r->grams, &g, sizeof g) < 0) return -ENOMEM;
    gram->document = r->document;
    gram->documents += fresh;
    gram->occurrences++;
    for (const uint32_t *e = r->index->anchor + r->index->known[g].anchor; *e != UINT32_MAX; e++)
        if (anchor_check(r, *e, i) < 0) return -ENOMEM;
    return fresh;
}

/* Adds to what is counted of an n-gram as written, or of what is not as written. */
static int kept_add(struct roller *r, uint32_t id, bool document)
{
    if (!r->kept[id].occurrences && bytes_append(&r->kepts, &id, sizeof id) < 0) return -ENOMEM;
    r->kept[id].documents += document;
    r->kept[id].occurrences++;
    return 0;
}

/* The same as gram_count of one as written: what is counted of one that is written in one way is what is not so. */
static int kept_count(struct roller *r, uint32_t id)
{
    struct kept_state *kept = &r->kept[id];
    const bool         fresh = kept->document != r->document;

    kept->document = r->document;
    return id >= r->index->grams && kept_add(r, id, fresh) < 0 ? -ENOMEM : fresh;
}

/* The lines that have an n-gram of which not the same is found as written, if anything. */
static void lines_differ(struct roller *r)
{
    const struct ngram_index *index = r->index;

    for (size_t k = 0; k < r->found_count; k++) {
        const uint32_t class = index->known[r->found[k].gram].class;

        if (r->found_kept[k] == r->found[k].gram || r->marked[class] == r->document) continue;
        r->marked[class] = r->document;
        for (uint64_t p = index->posting_start[class]; p < index->posting_start[class + 1]; p++)
            r->differs[index->posting[p].line] = r->document;
    }
}

/* Those of one length that are not found as written, of n-grams that are written in one way: variants are counted
 * themselves. */
static int misses_count(struct roller *r)
{
    for (size_t k = 0; k < r->found_count; k++) {
        const uint32_t     g = r->found[k].gram;
        struct kept_state *kept = &r->kept[g];
        bool               document;

        if (r->found_kept[k] != UINT32_MAX || !r->index->known[g].key) continue;
        document = kept->document != r->document && kept->missed != r->document;
        kept->missed = r->document;
        if (kept_add(r, g, document) < 0) return -ENOMEM;
    }
    return 0;
}

/* What was found in place k, as a side has it: UINT32_MAX is nothing. */
static inline uint32_t found_at(const struct roller *r, enum roller_side side, size_t k)
{
    return side == SIDE_KEPT ? r->found_kept[k] : r->found[k].gram;
}

static int pieces_take(struct roller *r, enum roller_side side, bool alike)
{
    const struct found *found = r->found;

    for (size_t k = 0; k < r->found_count; ) {
        uint32_t           id = found_at(r, side, k);
        struct ngram_known first;
        struct piece       piece;

        if (id == UINT32_MAX) {
            k++;
            continue;
        }
        first = r->index->known[id];
        piece = (struct piece){ .i = found[k].at, .base = first.base };
        do {
            int rc = side == SIDE_KEPT ? kept_count(r, id) : gram_count(r, id, found[k].at);

            if (rc < 0) return rc;
            piece.fresh += (uint32_t)rc;
            piece.count++;
            if (++k == r->found_count || (id = found_at(r, side, k)) == UINT32_MAX) break;
        } while (found[k].at == piece.i + piece.count && r->index->known[id].class == first.class &&
                 r->index->known[id].base == first.base + piece.count)
            ;
        if (piece_found(r, side, first.class, &piece, alike) < 0) return -ENOMEM;
    }
    return 0;
}

int roller_pieces(struct roller *r, bool alike)
{
    if (!alike) lines_differ(r);
    if (pieces_take(r, SIDE_FOUND, alike) < 0) return -ENOMEM;
    if (alike) return 0;
    return pieces_take(r, SIDE_KEPT, false) < 0 ? -ENOMEM : misses_count(r);
}
