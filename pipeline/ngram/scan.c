/* ngram/scan.c -- the scanner of corpora: which n-grams of the items each document has.
 *
 * They are found by search.c, and what they say of lines by pieces.c.  What a part found is kept per n-gram and per
 * line, in sums and greatest values, so that parts add up in any order; what cannot be a shard's greatest value is not
 * looked at closer. */
#include "ngram/roller.h"

#include "base/lcs.h"
#include "corpus/line.h"

#include <errno.h>
#include <stdlib.h>

enum { LCS_N = 13, LINES_BLOCK = 1024 };

static void roller_empty(struct roller *r)
{
    if (r->hash_kept != r->hash) free(r->hash_kept);
    free(r->hash);
    free(r->prefix);
    free(r->prefix_kept);
    free(r->key);
    free(r->at);
    free(r->start);
    free(r->found);
    free(r->found_kept);
    r->hash = r->hash_kept = NULL;
    r->prefix = r->prefix_kept = r->key = NULL;
    r->at = r->start = r->found_kept = NULL;
    r->found = NULL;
}

static int roller_reserve(struct roller *r, size_t room, struct err *err)
{
    if (room <= r->room) return 0;
    room += room / 2;
    roller_empty(r);
    r->hash = malloc(room * sizeof *r->hash);
    r->hash_kept = r->hash;
    r->prefix = malloc(room * sizeof *r->prefix);
    r->key = malloc(room * sizeof *r->key);
    r->at = malloc(room * sizeof *r->at);
    r->start = malloc(room * sizeof *r->start);
    r->found = malloc(room * sizeof *r->found);
    if (r->job->both) {
        r->hash_kept = malloc(room * sizeof *r->hash_kept);
        r->prefix_kept = malloc(room * sizeof *r->prefix_kept);
        r->found_kept = malloc(room * sizeof *r->found_kept);
    }
    r->room = r->hash && r->hash_kept && r->prefix && r->key && r->at && r->start && r->found &&
        (!r->job->both || (r->prefix_kept && r->found_kept)) ? room : 0;
    return r->room ? 0 : err_memory(err, room * 64, "a document's n-grams");
}

/* ---- one document ---- */

/* Words of the line's field that are in an n-gram which the document has. */
static uint32_t line_covered(const struct roller *r, enum roller_side side, const struct ngram_line *line)
{
    const uint32_t *gram = roller_grams(r, side) + line->at;
    uint32_t        covered = 0, until = 0;

    for (uint32_t i = 0; i < line->count; i++) {
        if (!roller_has(r, side, gram[i])) continue;
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
    const uint64_t *word = r->index->word_kept + entry->word_at;
    uint32_t        most = 0;

    if (!r->tallied) {
        roller_hash_words(r);
        for (size_t i = 0; i < r->words; i++) ++*word_tally(r, r->hash_kept[i]);
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
    for (size_t i = 0; r->tallied && i < r->words; i++) *word_tally(r, r->hash_kept[i]) = 0;
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
    roller_hash_words(r);
    if (lcs_length(r->index->word_kept + entry->word_at, entry->words, r->hash_kept, r->words, &lcs) < 0)
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
        if (roller_has(r, SIDE_FOUND, r->index->gram[line->at + i])) sum += weight[i];
    if (sum > hit->weight) hit->weight = sum;
}

/* What the document adds to the part's hit of a line of a side, whose n-grams in it are told of side `as`. */
static int line_end(struct roller *r, enum roller_side side, enum roller_side as, uint32_t number,
                    const struct record *record, struct part *part)
{
    const struct ngram_line  *line = &r->index->line[number];
    const struct ngram_entry *entry = &r->index->entry[line->entry];
    const struct line_state  *found = &r->line[as][number];
    struct line_state        *state = &r->line[side][number];
    struct ngram_hit         *hit = roller_hit(r, side, number);
    uint64_t                  most = found->found + (uint64_t)found->pieces * (line->length - 1);
    bool                      best;

    if (!hit) return -ENOMEM;
    roller_line_begin(r, state);
    hit->documents++;
    if (most > state->best_covered && state->best_covered < entry->words) {
        uint32_t covered = line_covered(r, as, line);

        if (covered > state->best_covered) hit->covered = state->best_covered = covered;
    }
    best = found->best > state->best_run || (found->best == state->best_run && state->best_record > r->record);
    if (best) {
        hit->run = state->best_run = found->best;
        hit->record = state->best_record = r->record;
        hit->at = found->best_at;
        hit->lcs = hit->lcs_of = 0;
        if (text_line(r, r->at_byte[hit->at], &hit->text_line) < 0 || part_add_path(part, record) < 0) return -ENOMEM;
    }
    if (side == SIDE_FOUND && ngram_has_weights(line)) weight_look(r, line, hit);
    return line->n == LCS_N && side == (r->job->both ? SIDE_KEPT : SIDE_FOUND) ? lcs_look(r, entry, best, state, hit)
                                                                               : 0;
}

/* All lines that the document has n-grams of. */
static int lines_end(struct roller *r, const struct record *record, struct part *part)
{
    for (int side = 0; side < SIDES; side++) {
        const uint32_t *line = (const uint32_t *)(const void *)r->lines[side].at;

        for (size_t l = 0; l < r->lines[side].len / sizeof *line; l++) {
            if (line_end(r, (enum roller_side)side, (enum roller_side)side, line[l], record, part) < 0) return -ENOMEM;
            if (side == SIDE_FOUND && r->job->both && r->differs[line[l]] != r->document &&
                line_end(r, SIDE_KEPT, SIDE_FOUND, line[l], record, part) < 0) return -ENOMEM;
        }
    }
    return 0;
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
    if (r->spans && r->job->both) memset(r->hash_kept, 0, r->words * sizeof *r->hash_kept);
    if (r->spans) memset(r->hash, 0, r->words * sizeof *r->hash);
    else if (r->words) memcpy(r->hash, tokens.hash, r->words * sizeof *r->hash);
    return 0;
}

/* The number of documents begins again. */
static void documents_forget(struct roller *r)
{
    for (uint32_t g = 0; g < r->index->grams; g++) r->gram[g].document = 0;
    for (uint32_t k = 0; r->kept && k < r->index->ids; k++) r->kept[k].document = r->kept[k].missed = 0;
    if (r->kept) memset(r->differs, 0, r->index->lines * sizeof *r->differs);
    if (r->kept) memset(r->marked, 0, r->index->classes * sizeof *r->marked);
    for (int side = 0; side < SIDES; side++)
        for (uint32_t l = 0; r->line[side] && l < r->index->lines; l++) r->line[side][l].document = 0;
    r->document = 1;
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
    if (document->reading != r->last_reading) {
        r->last_reading = document->reading;
        r->shard++;
    }
    if (++r->document == 0) documents_forget(r);
    r->lines[SIDE_FOUND].len = r->lines[SIDE_KEPT].len = 0;
    rc = roller_search(r);
    if (rc == 0) rc = lines_end(r, document->record, part);
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
    for (size_t i = 0; i < r->kepts.len / sizeof(uint32_t); i++) {
        struct kept_state *kept = &r->kept[((const uint32_t *)r->kepts.at)[i]];

        kept->documents = 0;
        kept->occurrences = 0;
    }
    for (size_t i = 0; i < r->hits.len / sizeof(struct ngram_hit); i++) {
        const uint32_t line = ((const struct ngram_hit *)r->hits.at)[i].line, lines = r->index->lines;

        r->line[line >= lines][line % lines].hit = 0;
    }
    r->grams.len = r->kepts.len = r->hits.len = r->stretches.len = 0;
}

static int roll_end(struct scanner *scanner, struct part *part, struct err *err)
{
    struct roller *r = (struct roller *)scanner;
    const size_t   grams = r->grams.len / sizeof(uint32_t), kepts = r->kepts.len / sizeof(uint32_t);
    int            rc = bytes_append_slice(&part->section[PART_ROWS], bytes_slice(&r->hits));

    if (rc == 0) rc = bytes_reserve(&part->section[PART_VALUES], (grams + kepts) * sizeof(struct ngram_count));
    for (size_t i = 0; i < grams && rc == 0; i++) {
        uint32_t           g = ((const uint32_t *)r->grams.at)[i];
        struct ngram_count count = { r->gram[g].occurrences, g, r->gram[g].documents };

        rc = bytes_append(&part->section[PART_VALUES], &count, sizeof count);
    }
    for (size_t i = 0; i < kepts && rc == 0; i++) {
        uint32_t           k = ((const uint32_t *)r->kepts.at)[i];
        struct ngram_count count = { r->kept[k].occurrences, r->index->grams + k, r->kept[k].documents };

        rc = bytes_append(&part->section[PART_VALUES], &count, sizeof count);
    }
    if (rc == 0) rc = bytes_append_slice(&part->section[PART_COUNTS], bytes_slice(&r->stretches));
    return rc < 0 ? err_memory(err, r->hits.len + r->grams.len * 4 + r->stretches.len, "a part's n-grams") : 0;
}

bool ngram_hit_add(struct ngram_hit *to, const struct ngram_hit *hit)
{
    const bool longer = hit->run > to->run;

    if (longer) {
        to->run = hit->run;
        to->at = hit->at;
        to->record = hit->record;
        to->text_line = hit->text_line;
        to->lcs = hit->lcs;
        to->lcs_of = hit->lcs_of;
    }
    to->documents += hit->documents;
    to->exact |= hit->exact;
    if (hit->near > to->near) to->near = hit->near;
    if (hit->weight > to->weight) to->weight = hit->weight;
    if (hit->covered > to->covered) to->covered = hit->covered;
    return longer;
}

static int count_take(struct roller *r, const struct ngram_count *count)
{
    const bool     kept = count->gram >= r->index->grams;
    const uint32_t id = kept ? count->gram - r->index->grams : count->gram;
    uint32_t      *occurrences = kept ? &r->kept[id].occurrences : &r->gram[id].occurrences;

    if (!*occurrences && bytes_append(kept ? &r->kepts : &r->grams, &id, sizeof id) < 0) return -ENOMEM;
    *(kept ? &r->kept[id].documents : &r->gram[id].documents) += count->documents;
    *occurrences += (uint32_t)count->occurrences;
    return 0;
}

/* A part's, as if its documents had been read here.  0 or -ENOMEM. */
static int part_take(struct roller *r, const struct part *part)
{
    const struct slice        hits = bytes_slice(&part->section[PART_ROWS]),
        counts = bytes_slice(&part->section[PART_VALUES]);
    const struct ngram_hit   *hit = (const void *)hits.at;
    const struct ngram_count *count = (const void *)counts.at;

    for (size_t i = 0; i < hits.len / sizeof *hit; i++) {
        const uint32_t    lines = r->index->lines;
        struct ngram_hit *to = roller_hit(r, hit[i].line >= lines ? SIDE_KEPT : SIDE_FOUND, hit[i].line % lines);

        if (!to) return -ENOMEM;
        ngram_hit_add(to, &hit[i]);
    }
    for (size_t i = 0; i < counts.len / sizeof *count; i++)
        if (count_take(r, &count[i]) < 0) return -ENOMEM;
    return bytes_append_slice(&r->stretches, bytes_slice(&part->section[PART_COUNTS]));
}

/* What many documents of a unit have is written once, not once a batch. */
static int roll_merge(struct scanner *scanner, struct part *const *part, size_t parts, struct err *err)
{
    struct roller *r = (struct roller *)scanner;

    roll_begin(scanner);
    for (size_t p = 0; p < parts; p++) {
        if (part_take(r, part[p]) < 0) return err_memory(err, r->hits.len + r->grams.len * 4, "a unit's n-grams");
        bytes_free(&part[p]->section[PART_ROWS]);
        bytes_free(&part[p]->section[PART_VALUES]);
        bytes_free(&part[p]->section[PART_COUNTS]);
    }
    r->stretches.len = sizeof(struct ngram_stretch) *
        ngram_stretches_join((struct ngram_stretch *)(void *)r->stretches.at,
                             r->stretches.len / sizeof(struct ngram_stretch));
    return roll_end(scanner, part[0], err);
}

static void roll_close(struct scanner *scanner)
{
    struct roller *r = (struct roller *)scanner;

    view_scratch_close(r->view);
    bytes_free(&r->line_counts);
    bytes_free(&r->folded);
    free(r->gram);
    free(r->kept);
    free(r->line[SIDE_FOUND]);
    free(r->line[SIDE_KEPT]);
    free(r->differs);
    free(r->marked);
    free(r->entry);
    roller_empty(r);
    bytes_free(&r->grams);
    bytes_free(&r->kepts);
    bytes_free(&r->lines[SIDE_FOUND]);
    bytes_free(&r->lines[SIDE_KEPT]);
    bytes_free(&r->hits);
    bytes_free(&r->stretches);
    bytes_free(&r->compares);
    free(r);
}

/* Windows are looked for in the n-grams of the smallest n. */
static bool line_windows(const struct ngram_job *job, const struct ngram_index *index, uint32_t line)
{
    return job->options->unit == NGRAM_WORDS && line % job->options->sizes == 0 &&
        index->entry[index->line[line].entry].text_len >= NGRAM_WINDOW;
}

uint64_t ngram_scan_need(const struct ngram_job *job)
{
    const struct ngram_index *index = job->index;

    return index->grams * sizeof(struct gram_state) + index->lines * sizeof(struct line_state) +
        index->entries * sizeof(struct entry_state) +
        (job->both ? index->ids * sizeof(struct kept_state) + index->classes * sizeof(uint32_t) +
                         index->lines * (sizeof(struct line_state) + sizeof(uint32_t)) : 0);
}

static int roller_open(struct roller *r, struct err *err)
{
    const struct ngram_index *index = r->index;
    const size_t              lines = (index->lines + 1ull) * sizeof(struct line_state);

    r->gram = calloc(index->grams + 1ull, sizeof *r->gram);
    r->entry = calloc(index->entries + 1ull, sizeof *r->entry);
    r->line[SIDE_FOUND] = aligned_alloc(sizeof(struct line_state), lines);
    if (!r->gram || !r->entry || !r->line[SIDE_FOUND]) return err_memory(err, ngram_scan_need(r->job), "a scanner");
    for (uint32_t l = 0; l <= index->lines; l++)
        r->line[SIDE_FOUND][l] = (struct line_state){ .windows = l < index->lines && line_windows(r->job, index, l)
                                                      ? WINDOWS_WANTED : WINDOWS_NONE };
    if (!r->job->both) return 0;
    r->kept = calloc(index->ids + 1ull, sizeof *r->kept);
    r->line[SIDE_KEPT] = aligned_alloc(sizeof(struct line_state), lines);
    r->differs = calloc(index->lines + 1ull, sizeof *r->differs);
    r->marked = calloc(index->classes + 1ull, sizeof *r->marked);
    if (!r->kept || !r->line[SIDE_KEPT] || !r->differs || !r->marked)
        return err_memory(err, ngram_scan_need(r->job), "a scanner");
    memset(r->line[SIDE_KEPT], 0, lines);
    return 0;
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
                                   .merge = roll_merge, .close = roll_close };
    r->job = job;
    r->index = job->index;
    for (uint32_t length = 0; length <= NGRAM_N_MAX; length++) r->power[length] = ngram_power(length);
    rc = roller_open(r, err);
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

    return (struct pass_scanner){ .kind = "overlaps",
                                  .key = unit_key_add(ngram_options_key(job), &key, sizeof key),
                                  .needs = PASS_GROUPS, .words = job->options->unit == NGRAM_WORDS,
                                  .takes = pass_takes_corpora,
                                  .open = roll_open, .shared = (void *)(uintptr_t)job };
}
