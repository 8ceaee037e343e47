/* scan/ngram_scan.c -- the scanner of corpora: which n-grams of the items each document has.
 *
 * A document's words are hashed once.  For each length of n-grams its polynomials come from those of its prefixes, one bit tells of
 * most that no item has them, and the others are looked up.  What a part found is kept per n-gram and per line, in sums and greatest values, so
 * that parts add up in any order. */
#include "scan/ngram_index.h"

#include <errno.h>
#include <stdlib.h>

enum { LOOK_AHEAD = 8, LCS_N = 13 };

struct gram_state { uint32_t document, documents; uint64_t occurrences; };  /* the document that had it last; sums of the part */

struct line_state {
    uint32_t document, last, run, best, best_at;            /* in the document: where it was found last, runs of n-grams */
    uint32_t found;                                         /* n-grams of the line, repetitions included, that the document has */
    uint32_t until;                                         /* byte of the document up to which bytes were compared */
    uint32_t hit;                                           /* place in hits + 1 */
};

struct roller {
    struct scanner            scanner;                      /* first: what the pass sees */
    const struct ngram_job   *job;
    const struct ngram_index *index;
    struct view_scratch      *view;
    uint64_t                  power[NGRAM_N_MAX + 1];
    struct gram_state        *gram;                         /* [grams] */
    struct line_state        *line;                         /* [lines] */
    struct ngram_stretch     *stretch;                      /* [entries] the part's last one, from == to: none */
    uint32_t                  document;
    uint64_t                 *prefix, *key;                 /* [room] */
    uint32_t                 *at;
    size_t                    room;
    struct bytes              grams, lines;                 /* uint32_t: those that the part has, those that the document has */
    struct bytes              hits, stretches;
    /* The document. */
    struct slice              text;
    struct view_sequence      words;
    uint64_t                  record;
};

static int roller_reserve(struct roller *r, size_t room, struct err *err)
{
    if (room <= r->room) return 0;
    room += room / 2;
    free(r->prefix);
    free(r->key);
    free(r->at);
    r->prefix = malloc(room * sizeof *r->prefix);
    r->key = malloc(room * sizeof *r->key);
    r->at = malloc(room * sizeof *r->at);
    r->room = r->prefix && r->key && r->at ? room : 0;
    return r->room ? 0 : err_memory(err, room * 20, "a document's n-grams");
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

/* Whether the entry's text lies in the document so that its second word is word i there. */
static int anchor_check(struct roller *r, uint32_t e, uint32_t i)
{
    const struct ngram_entry *entry = &r->index->entry[e];
    uint32_t                  line = e * (uint32_t)r->job->options->sizes, inside = r->index->word_place[entry->word_at + 1], at = r->words.at[i];
    struct ngram_hit         *hit;

    if (at < inside || entry->text_len > r->text.len - (at - inside) ||
        memcmp(r->text.at + at - inside, r->index->text + entry->text_at, entry->text_len) != 0) return 0;
    hit = hit_of(r, line);
    if (!hit) return -ENOMEM;
    hit->exact = 1;
    return 0;
}

/* An n-gram of the entry, at its word `first`, is at word i of the document: how far are the texts equal around it? */
static int stretch_find(struct roller *r, uint32_t e, struct line_state *line, uint32_t first, uint32_t i)
{
    const struct ngram_entry *entry = &r->index->entry[e];
    const char               *text = r->index->text + entry->text_at;
    uint32_t                  from = r->index->word_place[entry->word_at + first], to = from, start = r->words.at[i], end = start;
    struct ngram_stretch     *last = &r->stretch[e], found;

    if (start < line->until) return 0;
    while (to < entry->text_len && end < r->text.len && text[to] == r->text.at[end]) to++, end++;
    while (from && start && text[from - 1] == r->text.at[start - 1]) from--, start--;
    line->until = end;
    if (to - from < NGRAM_WINDOW) return 0;
    found = (struct ngram_stretch){ e, from, to - NGRAM_WINDOW + 1 };
    if (last->from <= found.from && found.to <= last->to) return 0;
    *last = found;
    return bytes_append(&r->stretches, &found, sizeof found);
}

/* ---- one document ---- */

static int gram_found(struct roller *r, uint32_t g, uint32_t i)
{
    const struct ngram_index   *index = r->index;
    const uint32_t              sizes = (uint32_t)r->job->options->sizes;
    const bool                  bytes = r->job->options->unit == NGRAM_WORDS;
    struct gram_state          *gram = &r->gram[g];
    bool                        fresh = gram->document != r->document;

    if (fresh && gram->occurrences == 0 && bytes_append(&r->grams, &g, sizeof g) < 0) return -ENOMEM;
    gram->document = r->document;
    gram->documents += fresh;
    gram->occurrences++;
    for (uint64_t p = index->posting_start[g]; p < index->posting_start[g + 1]; p++) {
        const struct ngram_posting *posting = &index->posting[p];
        struct line_state          *line;

        if (posting->line & NGRAM_ANCHOR) {
            if (anchor_check(r, posting->line & ~NGRAM_ANCHOR, i) < 0) return -ENOMEM;
            continue;
        }
        line = &r->line[posting->line];
        if (line->document != r->document) {
            if (bytes_append(&r->lines, &posting->line, sizeof posting->line) < 0) return -ENOMEM;
            *line = (struct line_state){ .document = r->document, .last = UINT32_MAX - 1, .hit = line->hit };
        }
        if (fresh) line->found += posting->times;
        line->run = line->last + 1 == i ? line->run + 1 : 1;
        line->last = i;
        if (line->run > line->best) {
            line->best = line->run;
            line->best_at = i + 1 - line->run;
        }
        if (bytes && posting->line % sizes == 0 && stretch_find(r, posting->line / sizes, line, posting->first, i) < 0) return -ENOMEM;
    }
    return 0;
}

static int length_roll(struct roller *r, uint32_t number)
{
    const struct ngram_index *index = r->index;
    const uint32_t            length = index->length[number], shift = index->filter_shift[number];
    const uint64_t           *prefix = r->prefix, power = r->power[length], *filter = index->filter + index->filter_start[number];
    size_t                    likely = 0;

    for (size_t i = 0; i + length <= r->words.count; i++) { /* no branch on the filter's answer */
        uint64_t key = ngram_key(prefix[i], prefix[i + length], power, length);

        r->key[likely] = key;
        r->at[likely] = (uint32_t)i;
        likely += ngram_maybe(filter, shift, key);
    }
    for (size_t k = 0; k < likely; k++) {
        uint32_t g;

        if (k + LOOK_AHEAD < likely) {
            __builtin_prefetch(&index->key[r->key[k + LOOK_AHEAD] >> index->slot_shift]);
            __builtin_prefetch(&index->id[r->key[k + LOOK_AHEAD] >> index->slot_shift]);
        }
        g = ngram_find(index, r->key[k]);
        if (g != UINT32_MAX && gram_found(r, g, r->at[k]) < 0) return -ENOMEM;
    }
    return 0;
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

/* What the document adds to the part's hit of a line. */
static int line_end(struct roller *r, uint32_t number)
{
    const struct ngram_line  *line = &r->index->line[number];
    const struct ngram_entry *entry = &r->index->entry[line->entry];
    const struct line_state  *state = &r->line[number];
    struct ngram_hit         *hit = hit_of(r, number);
    uint32_t                  covered;

    if (!hit) return -ENOMEM;
    hit->documents++;
    if ((uint64_t)state->found * line->length > hit->covered && hit->covered < entry->words) {
        covered = line_covered(r, line);
        if (covered > hit->covered) hit->covered = covered;
    }
    if (state->best <= hit->run) return 0;
    hit->run = state->best;
    hit->at = state->best_at;
    hit->record = r->record;
    hit->lcs = hit->lcs_of = 0;
    if (line->n != LCS_N) return 0;
    if (ngram_lcs(r->index->word + entry->word_at, entry->words, r->words.hash, r->words.count, &hit->lcs) < 0) return -ENOMEM;
    if (hit->lcs == UINT32_MAX) hit->lcs = 0;
    else hit->lcs_of = entry->words < r->words.count ? entry->words : (uint32_t)r->words.count;
    return 0;
}

static int roll_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct roller *r = (struct roller *)scanner;
    int            rc = 0;

    (void)part;
    r->text = document->record->text;
    r->record = document->record->number;
    if (ngram_sequence(r->view, r->job->options, r->job->datasets[document->shard->dataset].language, document->record, r->text, &r->words, err) < 0 ||
        roller_reserve(r, r->words.count + 1, err) < 0) return err->code;
    if (++r->document == 0) {
        for (uint32_t g = 0; g < r->index->grams; g++) r->gram[g].document = 0;
        for (uint32_t l = 0; l < r->index->lines; l++) r->line[l].document = 0;
        r->document = 1;
    }
    r->prefix[0] = 0;
    for (size_t i = 0; i < r->words.count; i++) r->prefix[i + 1] = r->prefix[i] * NGRAM_BASE + r->words.hash[i];
    r->lines.len = 0;
    for (uint32_t l = 0; l < r->index->lengths && r->index->length[l] <= r->words.count && rc == 0; l++) rc = length_roll(r, l);
    for (size_t l = 0; l < r->lines.len / sizeof(uint32_t) && rc == 0; l++) rc = line_end(r, ((const uint32_t *)r->lines.at)[l]);
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
    for (size_t i = 0; i < r->hits.len / sizeof(struct ngram_hit); i++) r->line[((const struct ngram_hit *)r->hits.at)[i].line].hit = 0;
    for (size_t i = 0; i < r->stretches.len / sizeof *r->stretch; i++)
        r->stretch[((const struct ngram_stretch *)r->stretches.at)[i].entry] = (struct ngram_stretch){ 0 };
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
    free(r->gram);
    free(r->line);
    free(r->stretch);
    free(r->prefix);
    free(r->key);
    free(r->at);
    bytes_free(&r->grams);
    bytes_free(&r->lines);
    bytes_free(&r->hits);
    bytes_free(&r->stretches);
    free(r);
}

static int roll_open(void *shared, struct scanner **out, struct err *err)
{
    const struct ngram_job *job = shared;
    struct view_options     view = ngram_view(job->options);
    struct roller          *r = calloc(1, sizeof *r);
    int                     rc;

    *out = NULL;
    if (!r) return err_memory(err, sizeof *r, "a scanner");
    r->scanner = (struct scanner){ .begin = roll_begin, .document = roll_document, .end = roll_end, .close = roll_close };
    r->job = job;
    r->index = job->index;
    for (uint32_t length = 0; length <= NGRAM_N_MAX; length++) r->power[length] = ngram_power(length);
    r->gram = calloc(r->index->grams + 1ull, sizeof *r->gram);
    r->line = calloc(r->index->lines + 1ull, sizeof *r->line);
    r->stretch = calloc(r->index->entries + 1ull, sizeof *r->stretch);
    rc = r->gram && r->line && r->stretch ? 0 : err_memory(err, r->index->grams * sizeof *r->gram, "a scanner");
    if (rc == 0) rc = view_scratch_open(&r->view, &view, err);
    if (rc < 0) {
        roll_close(&r->scanner);
        return rc;
    }
    *out = &r->scanner;
    return 0;
}

static bool takes_corpora(const void *shared, const struct dataset *dataset)
{
    (void)shared;
    return dataset->role == ROLE_CORPUS;
}

struct pass_scanner ngram_scanner(const struct ngram_job *job)
{
    struct unit_key key = ngram_index_key(job);

    return (struct pass_scanner){ .kind = "overlaps", .key = unit_key_add(ngram_options_key(job), &key, sizeof key), .needs = PASS_RECORDS, .takes = takes_corpora,
                                  .open = roll_open, .shared = (void *)(uintptr_t)job };
}
