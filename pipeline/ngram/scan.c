/* ngram/scan.c -- the scanner of corpora: which n-grams of the items each document has.
 *
 * The pass has found where a document's words are.  An n-gram of the smallest n can only be where n words of items
 * follow each other, so every n-th word is looked at, and those around it where an item has it: most are never hashed
 * unless fields of items are shorter than n, or about as short.  One bit tells of most n-grams that no item has them.
 * A longer n-gram of an item begins with n-grams of the smallest n that are the item's too, so it is looked up where
 * enough of them follow each other; a shorter one, that an item of few words makes, where its first word is.  Where a
 * document was shown to the job that folds before, the one that does not looks only where that has found something.
 *
 * N-grams that follow each other in the document and in the same lines are taken together (index.h), so that
 * boilerplate costs a step for each of its stretches and lines, not for each n-gram.  What a part found is kept per
 * n-gram and per line, in sums and greatest values, so that parts add up in any order; what cannot be a shard's
 * greatest value is not looked at closer. */
#include "ngram/index.h"

#include "base/lcs.h"
#include "corpus/line.h"

#include <errno.h>
#include <stdlib.h>

enum { LOOK_AHEAD = 8, LOOK_AT_ONCE = 32, LCS_N = 13, TALLIES = 1 << 15, LINES_BLOCK = 1024 };

/* the document that had it last; sums of the part */
struct gram_state { uint32_t document, documents; uint64_t occurrences; };

/* What is told of a shard is of the one with that number, so far. */
struct line_state {
    uint64_t best_record;
    uint32_t shard, best_run, best_covered;                 /* of the shard, best_record being the run's document */
    /* in the document: where it was found last, runs of n-grams */
    uint32_t document, last, run, best, best_at;
    /* n-grams of the line, repetitions included, that the document has; at most so many runs of them */
    uint32_t found, pieces;
    uint32_t next;                                          /* the line's n-gram that would follow the last one */
    uint32_t until;                                         /* byte of the document up to which bytes were compared */
    uint32_t hit;                                           /* place in hits + 1 */
    /* of its entry, around its n-grams: all were found in the shard */
    enum line_windows { WINDOWS_NONE, WINDOWS_WANTED, WINDOWS_ALL } windows : 16;
    enum ngram_near near : 16;                              /* of documents of the shard */
};
_Static_assert(sizeof(struct line_state) == 64, "a line of the cache");

struct found { uint32_t at, gram; };                        /* in the document */
struct compare { const uint32_t *place; uint32_t entry, line, first; };
struct entry_state { uint32_t shard, from, to; };           /* windows that the shard's last stretch has */

/* Where a document has n-grams: those of a length begin at words at[from[length]] .. at[to[length] - 1], ascending. */
struct places {
    struct bytes at;                                        /* uint32_t */
    size_t       from[NGRAM_N_MAX + 1], to[NGRAM_N_MAX + 1];
};

struct roller {
    struct scanner            scanner;                      /* first: what the pass sees */
    const struct ngram_job   *job;
    const struct ngram_index *index;
    struct view_scratch      *view;
    uint64_t                  power[NGRAM_N_MAX + 1];
    struct gram_state        *gram;                         /* [grams] */
    struct line_state        *line;                         /* [lines] */
    struct entry_state       *entry;                        /* [entries] */
    uint32_t                  document, shard;              /* counted */
    const struct shard       *last_shard;
    uint64_t                 *hash;                         /* [room] of the document's words; 0: not known yet */
    uint64_t                 *prefix, *key;                 /* [room] prefix: polynomials, right within runs */
    uint32_t                 *at, *start;                   /* [room] of key; where n-grams may start */
    struct found             *found;                        /* [room] */
    size_t                    room, found_count;
    /* of the job that folds: what it leaves for the other one */
    struct places             places;
    /* uint32_t: those that the part has, those that the document has */
    struct bytes              grams, lines;
    struct bytes              hits, stretches, compares;
    /* The document: its text, its bytes as they are compared, once they are asked for, and where its words start. */
    struct slice              text, bytes;
    struct bytes              folded;
    const struct view_words  *spans;
    const uint32_t           *at_byte;
    size_t                    words;
    struct bytes              line_counts;                  /* uint32_t: lines that end before each block, so far */
    uint32_t                  tally[TALLIES];               /* of its words, by some bits of their hashes, */
    bool                      tallied;                      /* once they are asked for */
    uint64_t                  record;
};

static int roller_reserve(struct roller *r, size_t room, struct err *err)
{
    if (room <= r->room) return 0;
    room += room / 2;
    free(r->hash);
    free(r->prefix);
    free(r->key);
    free(r->at);
    free(r->start);
    free(r->found);
    r->hash = malloc(room * sizeof *r->hash);
    r->prefix = malloc(room * sizeof *r->prefix);
    r->key = malloc(room * sizeof *r->key);
    r->at = malloc(room * sizeof *r->at);
    r->start = malloc(room * sizeof *r->start);
    r->found = malloc(room * sizeof *r->found);
    r->room = r->hash && r->prefix && r->key && r->at && r->start && r->found ? room : 0;
    return r->room ? 0 : err_memory(err, room * 40, "a document's n-grams");
}

/* The part's hit of a line; made when it is the first. */
static struct ngram_hit *hit_of(struct roller *r, uint32_t line)
{
    if (!r->line[line].hit) {
        struct ngram_hit made = { .line = line };

        if (bytes_append(&r->hits, &made, sizeof made) < 0) return NULL;
        r->line[line].hit = (uint32_t)(r->hits.len / sizeof made);
    }
    return (struct ngram_hit *)r->hits.at + r->line[line].hit - 1;
}

/* ---- bytes ---- */

/* Whether the document has these bytes there, as they are compared.  Most differ at once, so that it is not worth
 * making r->bytes for it. */
static bool bytes_equal(const struct roller *r, size_t at, const char *bytes, size_t count)
{
    const char *there = r->text.at + at;
    size_t      i = 0;

    if (!r->job->fold) return memcmp(there, bytes, count) == 0;
    for (; i + 8 <= count; i += 8) {
        const uint64_t eight = view_folded_8(view_hash_load(there + i));

        if (eight != view_hash_load(bytes + i)) return false;
    }
    for (; i < count; i++)
        if ((there[i] | (there[i] >= 'A' && there[i] <= 'Z') << 5) != bytes[i]) return false;
    return true;
}

/* Whether the entry's text lies in the document so that its second word is word i there. */
static int anchor_check(struct roller *r, uint32_t e, uint32_t i)
{
    const struct ngram_entry *entry = &r->index->entry[e];
    uint32_t                  line = e * (uint32_t)r->job->options->sizes,
        inside = r->index->word_place[entry->word_at + 1], at = r->at_byte[i];
    struct ngram_hit         *hit;

    if (at < inside || entry->text_len > r->text.len - (at - inside) ||
        !bytes_equal(r, at - inside, r->index->text + entry->text_at, entry->text_len)) return 0;
    hit = hit_of(r, line);
    if (!hit) return -ENOMEM;
    hit->exact = 1;
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

/* ---- one document ---- */

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
        struct line_state *line = &r->line[compare[c].line];

        for (uint32_t k = 0; k < piece->count; k++)
            if (at[k] >= line->until && stretch_find(r, compare[c].entry, line, compare[c].place[k], piece->i + k) < 0)
                return -ENOMEM;
    }
    return 0;
}

static int piece_found(struct roller *r, uint32_t class, const struct piece *piece)
{
    const struct ngram_index   *index = r->index;
    const struct ngram_posting *end = index->posting + index->posting_start[class + 1];
    const uint32_t              sizes = (uint32_t)r->job->options->sizes,
        last_byte = r->at_byte[piece->i + piece->count - 1];

    r->compares.len = 0;
    for (const struct ngram_posting *p = index->posting + index->posting_start[class]; p < end; p++) {
        struct line_state *line = &r->line[p->line];
        const uint32_t     first = piece->base + p->first;
        bool               adjacent;

        if (end - p > LOOK_AHEAD) __builtin_prefetch(&r->line[p[LOOK_AHEAD].line]);
        if (line->document != r->document) {
            if (bytes_append(&r->lines, &p->line, sizeof p->line) < 0) return -ENOMEM;
            if (line->shard != r->shard) {
                line->shard = r->shard;
                line->best_run = line->best_covered = 0;
                line->near = NGRAM_FAR;
                if (line->windows == WINDOWS_ALL) line->windows = WINDOWS_WANTED;
            }
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

/* All n-grams of one length that the document has, piece by piece. */
static int pieces_take(struct roller *r)
{
    const struct found *found = r->found;

    for (size_t k = 0; k < r->found_count; ) {
        const struct ngram_known first = r->index->known[found[k].gram];
        struct piece             piece = { .i = found[k].at, .base = first.base };
        const struct ngram_known *known;

        do {
            int rc = gram_count(r, found[k].gram, found[k].at);

            if (rc < 0) return rc;
            piece.fresh += (uint32_t)rc;
            piece.count++;
            if (++k == r->found_count) break;
            known = &r->index->known[found[k].gram];
        } while (found[k].at == piece.i + piece.count && known->class == first.class &&
                 known->base == first.base + piece.count)
            ;
        if (piece_found(r, first.class, &piece) < 0) return -ENOMEM;
    }
    return 0;
}

/* Of count n-grams whose keys and places are in the roller, those that are in the table. */
static void keys_find(struct roller *r, size_t count)
{
    const struct ngram_index *index = r->index;

    r->found_count = 0;
    for (size_t k = 0; k < count; k++) {
        if (k + LOOK_AHEAD < count) {
            const uint64_t at = scatter(r->key[k + LOOK_AHEAD], index->factor, index->slot_shift);

            __builtin_prefetch(&index->key[at]);
            __builtin_prefetch(&index->id[at]);
        }
        r->found[r->found_count] = (struct found){ r->at[k], ngram_find(index, r->key[k]) };
        r->found_count += r->found[r->found_count].gram != UINT32_MAX;
    }
}

/* N-grams of one length at the places in start, of which this one and `after` more must follow each other.  Keys first,
 * then what the filter says of them: what is written where the answers before lead to would make each wait. */
static int length_look(struct roller *r, uint32_t number, size_t count, uint32_t after)
{
    const struct ngram_index *index = r->index;
    const uint32_t            length = index->length[number], shift = index->filter_shift[number];
    const uint64_t *const     prefix = r->prefix, power = r->power[length],
        *const filter = index->filter + index->filter_start[number];
    uint64_t *const           key = r->key;
    uint32_t *const           at = r->at;
    size_t                    likely = 0;

    for (size_t k = 0, made = 0; k + after < count; ) {
        for (; k + after < count && made < LOOK_AT_ONCE; k++) {
            const uint32_t i = r->start[k];

            if (r->start[k + after] != i + after || i + length > r->words) continue;
            key[likely + made] = ngram_key(prefix[i], prefix[i + length], power, length);
            at[likely + made] = i;
            __builtin_prefetch(ngram_bits(filter, shift, key[likely + made]));
            made++;
        }
        for (const size_t to = likely + made; made > 0; made--) {
            key[likely] = key[to - made];
            at[likely] = at[to - made];
            likely += ngram_maybe(filter, shift, key[likely]);
        }
    }
    keys_find(r, likely);
    return pieces_take(r);
}

static inline uint64_t word_hash(struct roller *r, size_t i)
{
    if (!r->hash[i]) {
        const struct slice word = view_words_at(r->spans, r->text.at, i);

        r->hash[i] = r->job->fold ? view_hash_folded(word, 0) : view_hash(word, 0);
    }
    return r->hash[i];
}

static void words_hash_all(struct roller *r)
{
    for (size_t i = 0; i < r->words; i++) word_hash(r, i);
}

static void prefix_fill(struct roller *r, size_t from, size_t to)
{
    r->prefix[from] = 0;
    for (size_t i = from; i < to; i++) r->prefix[i + 1] = r->prefix[i] * NGRAM_BASE + r->hash[i];
}

/* False: no item has word i. */
static inline bool word_maybe(struct roller *r, size_t i)
{
    const uint64_t *heads = r->index->heads;

    if (heads && !r->hash[i] && !ngram_head_maybe(heads, ngram_head(view_words_at(r->spans, r->text.at, i))))
        return false;
    return ngram_maybe(r->index->word_filter, r->index->word_shift, word_hash(r, i));
}

/* Where n words start that items may have.  `from` is the first that may be one of them: they have the one with the
 * number n - 1 behind it, and are in the longest run of such words around that. */
static size_t run_starts(struct roller *r, uint32_t n)
{
    size_t count = 0;

    for (size_t from = 0, i, until; (i = from + n - 1) < r->words; from = until + 1) {
        until = i;
        if (!word_maybe(r, i)) continue;
        while (i > from && word_maybe(r, i - 1)) i--;
        do until++; while (until < r->words && word_maybe(r, until));
        if (until - i < n) continue;
        prefix_fill(r, i, until);
        for (; i + n <= until; i++) r->start[count++] = (uint32_t)i;
    }
    return count;
}

/* Those of a length that the job that folds has found, and what their keys are made of. */
static size_t starts_again(struct roller *r, const struct places *places, uint32_t length)
{
    const uint32_t *start = (const uint32_t *)places->at.at + places->from[length];
    const size_t    count = places->to[length] - places->from[length];
    size_t          until = 0;

    if (count) memcpy(r->start, start, count * sizeof *start);
    for (size_t k = 0; k < count && length <= r->job->options->n[0]; k++) {
        if (k == 0 || start[k] > until) r->prefix[until = start[k]] = 0;
        for (; until < start[k] + (size_t)length; until++)
            r->prefix[until + 1] = r->prefix[until] * NGRAM_BASE + word_hash(r, until);
    }
    return count;
}

/* Where n-grams shorter than the smallest n may start: what follows their first word may be any. */
static size_t short_starts(struct roller *r)
{
    size_t count = 0;

    words_hash_all(r);
    prefix_fill(r, 0, r->words);
    for (size_t i = 0; i < r->words; i++) {
        r->start[count] = (uint32_t)i;
        count += ngram_maybe(r->index->short_filter, r->index->short_shift, r->hash[i]);
    }
    return count;
}

/* Keeps where those of a length are. */
static int places_add(struct roller *r, uint32_t length)
{
    struct places *places = &r->places;

    places->from[length] = places->at.len / sizeof(uint32_t);
    places->to[length] = places->from[length] + r->found_count;
    if (bytes_reserve(&places->at, places->to[length] * sizeof(uint32_t)) < 0) return -ENOMEM;
    for (size_t k = 0; k < r->found_count; k++)
        ((uint32_t *)(void *)places->at.at)[places->from[length] + k] = r->found[k].at;
    places->at.len = places->to[length] * sizeof(uint32_t);
    return 0;
}

static int lengths_take_again(struct roller *r, const struct places *places)
{
    const struct ngram_index *index = r->index;
    int                       rc = 0;

    for (uint32_t l = 0; l < index->lengths && rc == 0; l++)
        rc = length_look(r, l, starts_again(r, places, index->length[l]), 0);
    return rc;
}

static int lengths_take(struct roller *r)
{
    const struct ngram_index *index = r->index;
    const uint32_t            n = r->job->options->n[0];
    size_t                    count = 0;
    int                       rc = 0;

    if (index->lengths && index->length[0] < n) count = short_starts(r);
    r->places.at.len = 0;
    for (uint32_t l = 0; l < index->lengths && rc == 0; l++) {
        if (index->length[l] == n) count = run_starts(r, n);
        rc = length_look(r, l, count, index->length[l] <= n ? 0 : index->length[l] - n);
        if (rc == 0 && ngram_is_second(r->job)) rc = places_add(r, index->length[l]);
        if (index->length[l] != n) continue;
        count = r->found_count;
        for (size_t k = 0; k < count; k++) r->start[k] = r->found[k].at;
    }
    return rc;
}

/* Words of the line's field that are in an n-gram which the document has. */
static uint32_t line_covered(const struct roller *r, const struct ngram_line *line)
{
    uint32_t covered = 0, until = 0;

    for (uint32_t i = 0; i < line->count; i++) {
        if (r->gram[r->index->gram[line->at + i]].document != r->document) continue;
        covered += i + line->length - (until > i ? until : i);
        until = i + line->length;
    }
    return covered;
}

/* The line of the document, from 1, that a byte of it is in: counted from where a block begins. */
static int text_line(struct roller *r, uint32_t byte, uint32_t *out)
{
    const uint32_t block = byte / LINES_BLOCK;

    for (uint32_t known = (uint32_t)(r->line_counts.len / sizeof known); known <= block; known++) {
        const size_t from = known ? (known - 1ull) * LINES_BLOCK : 0;
        const uint32_t before = known ? ((const uint32_t *)r->line_counts.at)[known - 1] : 0,
            ends = before + (uint32_t)(known ? line_ends(r->text, from, from + LINES_BLOCK) : 0);

        if (bytes_append(&r->line_counts, &ends, sizeof ends) < 0) return -ENOMEM;
    }
    *out = 1 + ((const uint32_t *)r->line_counts.at)[block] + (uint32_t)line_ends(r->text, block * LINES_BLOCK, byte);
    return 0;
}

static uint32_t *word_tally(struct roller *r, uint64_t hash) { return &r->tally[(uint32_t)(hash >> 32) % TALLIES]; }

/* At least as long as any common subsequence of the document and the entry is: the words that both have, each as often
 * as both have it. */
static uint32_t lcs_most(struct roller *r, const struct ngram_entry *entry)
{
    const uint64_t *word = r->index->word + entry->word_at;
    uint32_t        most = 0;

    if (!r->tallied) {
        words_hash_all(r);
        for (size_t i = 0; i < r->words; i++) ++*word_tally(r, r->hash[i]);
        r->tallied = true;
    }
    for (uint32_t i = 0; i < entry->words; i++) {           /* below 0 what the document does not have so often */
        const uint32_t left = (*word_tally(r, word[i]))--;

        most += left - 1 < INT32_MAX;
    }
    for (uint32_t i = 0; i < entry->words; i++) ++*word_tally(r, word[i]);
    return most;
}

/* For the next document. */
static void tallies_clear(struct roller *r)
{
    for (size_t i = 0; r->tallied && i < r->words; i++) *word_tally(r, r->hash[i]) = 0;
    r->tallied = false;
}

/* 0.6 of the shorter text: Qwen2.5's report. */
static bool lcs_is_near(uint32_t lcs, uint32_t of) { return lcs * 10ull >= of * 6ull; }

/* What the longest common subsequence says, of the document with the longest run (`best`), and of any.  Which document
 * is the best so far is another for other threads, so `near` must not depend on it: of a pair that is too long it is
 * what the bound says. */
static int lcs_look(struct roller *r, const struct ngram_entry *entry, bool best, struct line_state *state,
                    struct ngram_hit *hit)
{
    const uint32_t of = entry->words < r->words ? entry->words : (uint32_t)r->words;
    uint32_t       lcs;

    if (!best && (state->near == NGRAM_NEAR || !lcs_is_near(lcs_most(r, entry), of))) return 0;
    words_hash_all(r);
    if (lcs_length(r->index->word + entry->word_at, entry->words, r->hash, r->words, &lcs) < 0)
        return -ENOMEM;
    if (best && lcs != UINT32_MAX) {
        hit->lcs = lcs;
        hit->lcs_of = of;
    }
    if (lcs == UINT32_MAX ? state->near == NGRAM_FAR && lcs_is_near(lcs_most(r, entry), of) : lcs_is_near(lcs, of))
        state->near = lcs == UINT32_MAX ? NGRAM_UNKNOWN : NGRAM_NEAR;
    if (state->near > hit->near) hit->near = state->near;
    return 0;
}

/* What the document has of the line's weights.  Added in one order, so that all of them are their sum to the bit. */
static void weight_look(const struct roller *r, const struct ngram_line *line, struct ngram_hit *hit)
{
    const double *weight = r->index->weight + line->weight_at;
    double        sum = 0;

    for (uint32_t i = 0; i < line->count; i++)
        if (r->gram[r->index->gram[line->at + i]].document == r->document) sum += weight[i];
    if (sum > hit->weight) hit->weight = sum;
}

/* What the document adds to the part's hit of a line. */
static int line_end(struct roller *r, uint32_t number, const struct record *record, struct part *part)
{
    const struct ngram_line  *line = &r->index->line[number];
    const struct ngram_entry *entry = &r->index->entry[line->entry];
    struct line_state        *state = &r->line[number];
    struct ngram_hit         *hit = hit_of(r, number);
    uint64_t                  most = state->found + (uint64_t)state->pieces * (line->length - 1);
    bool                      best;

    if (!hit) return -ENOMEM;
    hit->documents++;
    if (most > state->best_covered && state->best_covered < entry->words) {
        uint32_t covered = line_covered(r, line);

        if (covered > state->best_covered) hit->covered = state->best_covered = covered;
    }
    best = state->best > state->best_run || (state->best == state->best_run && state->best_record > r->record);
    if (best) {
        hit->run = state->best_run = state->best;
        hit->record = state->best_record = r->record;
        hit->at = state->best_at;
        hit->lcs = hit->lcs_of = 0;
        if (text_line(r, r->at_byte[hit->at], &hit->text_line) < 0 || part_add_path(part, record) < 0) return -ENOMEM;
    }
    if (ngram_has_weights(line)) weight_look(r, line, hit);
    return line->n == LCS_N && !ngram_is_second(r->job) ? lcs_look(r, entry, best, state, hit) : 0;
}

/* The document's words, whose hashes are not known yet, or its tokens, whose are. */
static int words_take(struct roller *r, const struct document *document, struct err *err)
{
    const char          *language = r->job->run->datasets[document->shard->dataset].language;
    struct view_sequence tokens = { 0 };

    r->spans = document->words;
    if (!r->spans && ngram_sequence(r->view, r->job->options, language, document->record, r->text, &tokens, err) < 0)
        return err->code;
    r->words = r->spans ? r->spans->count : tokens.count;
    r->at_byte = r->spans ? r->spans->start : tokens.at;
    if (roller_reserve(r, r->words + 1, err) < 0) return err->code;
    if (r->spans) memset(r->hash, 0, r->words * sizeof *r->hash);
    else if (r->words) memcpy(r->hash, tokens.hash, r->words * sizeof *r->hash);
    return 0;
}

static int roll_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct roller *r = (struct roller *)scanner;
    int            rc = 0;

    r->text = document->record->text;
    r->bytes = (struct slice){ 0 };
    r->line_counts.len = 0;
    r->record = document->record->number;
    if (words_take(r, document, err) < 0) return err->code;
    if (document->shard != r->last_shard) {
        r->last_shard = document->shard;
        r->shard++;
    }
    if (++r->document == 0) {
        for (uint32_t g = 0; g < r->index->grams; g++) r->gram[g].document = 0;
        for (uint32_t l = 0; l < r->index->lines; l++) r->line[l].document = 0;
        r->document = 1;
    }
    r->lines.len = 0;
    if (r->job->folded && document->spotted->by == r->job->folded) rc = lengths_take_again(r, document->spotted->what);
    else rc = lengths_take(r);
    if (rc == 0 && ngram_is_second(r->job)) *document->spotted = (struct spotted){ r->job, &r->places };
    for (size_t l = 0; l < r->lines.len / sizeof(uint32_t) && rc == 0; l++)
        rc = line_end(r, ((const uint32_t *)r->lines.at)[l], document->record, part);
    tallies_clear(r);
    return rc < 0 ? err_memory(err, r->hits.len + r->grams.len + r->stretches.len, "a part's n-grams") : 0;
}

/* ---- one part ---- */

static void roll_begin(struct scanner *scanner)
{
    struct roller *r = (struct roller *)scanner;

    for (size_t i = 0; i < r->grams.len / sizeof(uint32_t); i++) {
        struct gram_state *gram = &r->gram[((const uint32_t *)r->grams.at)[i]];

        gram->documents = 0;
        gram->occurrences = 0;
    }
    for (size_t i = 0; i < r->hits.len / sizeof(struct ngram_hit); i++)
        r->line[((const struct ngram_hit *)r->hits.at)[i].line].hit = 0;
    r->grams.len = r->hits.len = r->stretches.len = 0;
}

static int roll_end(struct scanner *scanner, struct part *part, struct err *err)
{
    struct roller *r = (struct roller *)scanner;
    int            rc = bytes_append_slice(&part->section[PART_ROWS], bytes_slice(&r->hits));

    for (size_t i = 0; i < r->grams.len / sizeof(uint32_t) && rc == 0; i++) {
        uint32_t           g = ((const uint32_t *)r->grams.at)[i];
        struct ngram_count count = { r->gram[g].occurrences, g, r->gram[g].documents };

        rc = bytes_append(&part->section[PART_VALUES], &count, sizeof count);
    }
    if (rc == 0) rc = bytes_append_slice(&part->section[PART_COUNTS], bytes_slice(&r->stretches));
    return rc < 0 ? err_memory(err, r->hits.len + r->grams.len * 4 + r->stretches.len, "a part's n-grams") : 0;
}

static void roll_close(struct scanner *scanner)
{
    struct roller *r = (struct roller *)scanner;

    view_scratch_close(r->view);
    bytes_free(&r->line_counts);
    bytes_free(&r->folded);
    free(r->gram);
    free(r->line);
    free(r->entry);
    free(r->hash);
    free(r->prefix);
    free(r->key);
    free(r->at);
    free(r->start);
    free(r->found);
    bytes_free(&r->grams);
    bytes_free(&r->lines);
    bytes_free(&r->hits);
    bytes_free(&r->stretches);
    bytes_free(&r->compares);
    bytes_free(&r->places.at);
    free(r);
}

/* Windows are looked for in the n-grams of the smallest n. */
static bool line_windows(const struct ngram_job *job, const struct ngram_index *index, uint32_t line)
{
    return job->options->unit == NGRAM_WORDS && !ngram_is_second(job) && line % job->options->sizes == 0 &&
        index->entry[index->line[line].entry].text_len >= NGRAM_WINDOW;
}

static int roll_open(void *shared, struct scanner **out, struct err *err)
{
    const struct ngram_job *job = shared;
    struct view_options     view = ngram_view(job->options);
    struct roller          *r = calloc(1, sizeof *r);
    int                     rc;

    *out = NULL;
    if (!r) return err_memory(err, sizeof *r, "a scanner");
    r->scanner = (struct scanner){ .begin = roll_begin, .document = roll_document, .end = roll_end,
                                   .close = roll_close };
    r->job = job;
    r->index = job->index;
    for (uint32_t length = 0; length <= NGRAM_N_MAX; length++) r->power[length] = ngram_power(length);
    r->gram = calloc(r->index->grams + 1ull, sizeof *r->gram);
    r->line = aligned_alloc(sizeof *r->line, (r->index->lines + 1ull) * sizeof *r->line);
    r->entry = calloc(r->index->entries + 1ull, sizeof *r->entry);
    rc = r->gram && r->line && r->entry ? 0 : err_memory(err, r->index->grams * sizeof *r->gram, "a scanner");
    for (uint32_t l = 0; rc == 0 && l <= r->index->lines; l++)
        r->line[l] = (struct line_state){ .windows = l < r->index->lines && line_windows(job, r->index, l)
                                          ? WINDOWS_WANTED : WINDOWS_NONE };
    if (rc == 0) rc = view_scratch_open(&r->view, &view, err);
    if (rc < 0) {
        roll_close(&r->scanner);
        return rc;
    }
    *out = &r->scanner;
    return 0;
}

struct pass_scanner ngram_scanner(const struct ngram_job *job)
{
    struct unit_key key = ngram_index_key(job);

    return (struct pass_scanner){ .kind = ngram_is_second(job) ? "folded" : "overlaps",
                                  .key = unit_key_add(ngram_options_key(job), &key, sizeof key),
                                  .needs = PASS_GROUPS, .words = job->options->unit == NGRAM_WORDS,
                                  .takes = pass_takes_corpora,
                                  .open = roll_open, .shared = (void *)(uintptr_t)job };
}
