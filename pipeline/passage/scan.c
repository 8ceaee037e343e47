/* passage/scan.c -- the scanner of corpora: which items are passages of each document.
 *
 * An item's run is made of its features, so it may stand only where n features follow each other that items may have,
 * which is known (view/dictionary.h): there is one rolling hash.  Nearly all documents have no run of the prefix of an
 * item, which are its rarest: a bit of a small map for each tells.  In the others all known runs are found, and counted
 * for the entries that have one of them in their prefix.  What is found is rare, so where it is may cost another
 * reading of the text. */
#include "base/search.h"
#include "corpus/line.h"
#include "passage/index.h"

#include <errno.h>
#include <stdlib.h>

enum { LOOK_AHEAD = 8 };

struct hit { uint32_t at, run; };                           /* feature of the document that the run begins with */

struct seeker {
    struct scanner              scanner;                    /* first: what the pass sees */
    const struct passage_job   *job;
    const struct passage_index *index;
    struct view_scratch        *view;
    uint32_t                    n, document;
    uint64_t                    power;
    uint32_t                   *seen, *of;                  /* [runs] by the document with it, the row made last */
    uint32_t                   *asked;                      /* [entries] by the document */
    uint32_t                    rows;                       /* made, counted */
    uint64_t                   *key;                        /* [runs] those that may be an item's, in order */
    uint32_t                   *at;                         /* [runs] the feature that each begins with */
    uint32_t                   *likely;                     /* [room] which of them may be one of a prefix, or known */
    struct hit                 *hit;                        /* [room] */
    uint32_t                   *known;                      /* [room] the different runs of hit */
    size_t                      room, runs, hits, distinct;
    struct passage_chance       chance;
    struct view_sequence        places;                     /* of the document, once they are asked for */
    struct passage_row          strings;                    /* likewise */
    bool                        has_places, has_strings;
};

static int seeker_reserve(struct seeker *s, size_t room, struct err *err)
{
    if (room <= s->room) return 0;
    room += room / 2;
    free(s->key);
    free(s->at);
    free(s->hit);
    free(s->known);
    free(s->likely);
    s->key = malloc(room * sizeof *s->key);
    s->at = malloc(room * sizeof *s->at);
    s->likely = malloc(room * sizeof *s->likely);
    s->hit = malloc(room * sizeof *s->hit);
    s->known = malloc(room * sizeof *s->known);
    s->room = s->key && s->at && s->hit && s->known && s->likely ? room : 0;
    return s->room ? 0 : err_memory(err, room * 28, "a document's runs");
}

static void prefetch(const struct seeker *s, uint32_t i)
{
    __builtin_prefetch(&s->index->key[scatter(s->key[i], s->index->factor, s->index->slot_shift)]);
}

/* 64 bits of the map from bit `from` on; behind its last word none is set. */
static uint64_t bits_from(const uint64_t *map, size_t words, size_t from)
{
    const size_t   word = from / 64;
    const unsigned shift = from % 64;

    if (word >= words) return 0;
    return map[word] >> shift | (shift && word + 1 < words ? map[word + 1] << (64 - shift) : 0);
}

/* Of the 64 runs from the w-th word of places on, those of which all features are likely; NULL: all may be. */
static uint64_t runs_likely(const struct seeker *s, const struct known *known, size_t w)
{
    uint64_t bits = UINT64_MAX;

    for (uint32_t i = 0; known && i < s->n && bits; i++)
        bits &= bits_from(known->likely, known->count / 64 + 1, 64 * w + i);
    return bits;
}

static uint64_t run_sum(const uint64_t *feature, uint32_t n)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < n; i++) sum = sum * PASSAGE_BASE + feature[i];
    return sum;
}

/* Fills key and at. */
static void keys_make(struct seeker *s, struct feature_list features, const struct known *known)
{
    const uint32_t n = s->n, runs = (uint32_t)(features.count + 1 - n);
    uint64_t       sum = 0;
    size_t         next = SIZE_MAX, count = 0;              /* the run that follows the last one */

    for (size_t w = 0; 64 * w < runs; w++) {
        uint64_t bits = runs_likely(s, known, w);

        if (runs - 64 * w < 64) bits &= (1ull << (runs - 64 * w)) - 1;
        for (; bits; bits &= bits - 1) {
            const size_t i = 64 * w + (size_t)__builtin_ctzll(bits);

            if (i == next) sum = sum * PASSAGE_BASE + features.hash[i + n - 1] - features.hash[i - 1] * s->power;
            else sum = run_sum(features.hash + i, n);
            next = i + 1;
            s->key[count] = passage_key(sum);
            s->at[count++] = (uint32_t)i;
        }
    }
    s->runs = count;
}

/* Has the document a run of some prefix? */
static bool prefix_find(struct seeker *s)
{
    const struct passage_index *index = s->index;
    size_t                      likely = 0;

    for (size_t i = 0; i < s->runs; i++) {                  /* no branch on the filter's answer */
        s->likely[likely] = (uint32_t)i;
        likely += passage_maybe(index->prefix_filter, index->prefix_shift, s->key[i]);
    }
    for (size_t k = 0; k < likely; k++) {
        uint32_t run;

        if (k + LOOK_AHEAD < likely) prefetch(s, s->likely[k + LOOK_AHEAD]);
        run = passage_find(index, s->key[s->likely[k]]);
        if (run != UINT32_MAX && index->posting_start[run + 1] > index->posting_start[run]) return true;
    }
    return false;
}

/* Fills hit with the known runs of the document, and counts the different ones. */
static void runs_find(struct seeker *s)
{
    const struct passage_index *index = s->index;
    size_t                      likely = 0;

    for (size_t i = 0; i < s->runs; i++) {
        s->likely[likely] = (uint32_t)i;
        likely += passage_maybe(index->filter, index->filter_shift, s->key[i]);
    }
    s->hits = s->distinct = 0;
    for (size_t k = 0; k < likely; k++) {
        uint32_t run;

        if (k + LOOK_AHEAD < likely) prefetch(s, s->likely[k + LOOK_AHEAD]);
        run = passage_find(index, s->key[s->likely[k]]);
        if (run == UINT32_MAX) continue;
        s->known[s->distinct] = run;
        s->distinct += s->seen[run] != s->document;
        s->seen[run] = s->document;
        s->hit[s->hits++] = (struct hit){ s->at[s->likely[k]], run };
    }
}

/* How many of the entry's runs the document has; 0 when they are too few. */
static uint32_t runs_found(const struct seeker *s, const struct passage_entry *entry)
{
    const uint32_t *run = s->index->run + entry->run_at;
    uint32_t        missing = 0;

    for (uint32_t i = 0; i < entry->runs; i++) {
        missing += s->seen[run[i]] != s->document;
        if (missing > entry->runs - entry->need) return 0;
    }
    return entry->runs - missing;
}

/* ---- where it is ---- */

/* The features from the first run of the entry to the end of the last, in the stretch of the document, not much longer
 * than the item, that has most of them. */
static void stretch_find(struct seeker *s, const struct passage_entry *entry, uint32_t *from, uint32_t *to)
{
    const uint32_t *run = s->index->run + entry->run_at;
    const uint64_t  width = entry->runs + entry->runs / 2 + s->n;
    size_t          low = 0, best = 0, count = 0;

    if (++s->rows == 0) {
        memset(s->of, 0, (s->index->runs + 1ull) * sizeof *s->of);
        s->rows = 1;
    }
    for (uint32_t i = 0; i < entry->runs; i++) s->of[run[i]] = s->rows;
    for (size_t high = 0; high < s->hits; high++) {
        if (s->of[s->hit[high].run] != s->rows) continue;
        for (count++; s->of[s->hit[low].run] != s->rows || s->hit[high].at - s->hit[low].at > width; low++)
            count -= s->of[s->hit[low].run] == s->rows;
        if (count <= best) continue;
        best = count;
        *from = s->hit[low].at;
        *to = s->hit[high].at + s->n - 1;
    }
}

static void place_find(struct seeker *s, const struct document *document, const struct passage_entry *entry,
                       struct passage_row *row)
{
    const struct slice text = document->record->text;
    uint32_t           from = 0, to = 0;

    if (!s->places.count) return;
    stretch_find(s, entry, &from, &to);
    row->at = s->places.at[from];
    row->end = to + 1 < s->places.count ? s->places.at[to + 1] : (uint32_t)text.len;
    while (row->end > row->at && (unsigned char)text.at[row->end - 1] <= ' ') row->end--;
    row->line = 1 + (uint32_t)line_ends(text, 0, row->at);
    row->line_end = row->line + (uint32_t)line_ends(text, row->at, s->places.at[to]);
}

/* Where the features are: the pass knows it of names, and other views read the text again. */
static int places_read(struct seeker *s, const struct document *document, struct err *err)
{
    const char                 *given = s->job->run->datasets[document->shard->dataset].language;
    const uint32_t             *at = view_last_places(document->view);
    const struct view_language *language;

    s->places = (struct view_sequence){ document->features.hash, at, document->features.count };
    if (at) return 0;
    language = view_language_of(s->view, given, document->record, err);
    return language ? view_places(s->view, language, document->record, &s->places, err) : err->code;
}

static int row_add(struct seeker *s, const struct document *document, uint32_t number, uint32_t found,
                   struct part *part, struct err *err)
{
    const struct record *record = document->record;
    struct passage_row   row;

    if (!s->has_places && places_read(s, document, err) < 0) return err->code;
    if (!s->has_strings &&
        (part_add_field(part, record, FIELD_ID, &s->strings.source_id) < 0 ||
         part_add_field(part, record, FIELD_PATH, &s->strings.path) < 0 ||
         part_add_field(part, record, FIELD_REPO, &s->strings.repo) < 0 ||
         part_add_licence(part, document, &s->strings.license, NULL) < 0))
        return err_memory(err, record->text.len, "a part's strings");
    s->has_places = s->has_strings = true;
    row = s->strings;
    row.record = record->number;
    row.entry = number;
    row.found = found;
    row.at = row.end = row.line = row.line_end = 0;
    place_find(s, document, &s->index->entry[number], &row);
    return bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0 ? err_memory(err, sizeof row, "a part's rows")
        : 0;
}

/* ---- one document ---- */

/* Counts the pairs of decoys and the document that might be. */
static void chance_count(struct seeker *s, const struct document *document)
{
    const uint64_t features = document->features.count;

    for (uint32_t l = 0; l < s->index->languages; l++) {
        const struct passage_needs *of = &s->index->language[l];

        if (of->language != document->language->seed) continue;
        s->chance.tested += features >= UINT32_MAX ? of->count
            : search_u32(s->index->need, sizeof *s->index->need, 0, of->first, of->first + of->count,
                         (uint32_t)features + 1) - of->first;
    }
}

/* A decoy that has enough runs in the document is found by chance, unless the document holds what it is made of. */
static int decoy_found(struct seeker *s, uint32_t number, struct part *part)
{
    const struct passage_entry *decoy = &s->index->entry[number];

    for (uint32_t d = 0; d < decoy->donors; d++)
        if (runs_found(s, &s->index->entry[s->index->donor[decoy->donor_at + d]])) return 0;
    s->chance.reached++;
    return bytes_append(&part->section[PART_VALUES], &number, sizeof number);
}

static int entry_ask(struct seeker *s, const struct document *document, uint32_t number, struct part *part,
                     struct err *err)
{
    const struct passage_entry *entry = &s->index->entry[number];
    uint32_t                    found;

    if (s->asked[number] == s->document) return 0;
    s->asked[number] = s->document;
    if (entry->need > s->distinct || document->features.count < entry->longer) return 0;
    if ((found = runs_found(s, entry)) == 0) return 0;
    if (!passage_is_decoy(s->index, number)) return row_add(s, document, number, found, part, err);
    return decoy_found(s, number, part) < 0 ? err_memory(err, sizeof number, "a part's decoys") : 0;
}

static int seek_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct seeker              *s = (struct seeker *)scanner;
    const struct passage_index *index = s->index;

    if (document->features.count < s->n || document->features.count > UINT32_MAX / 2) return 0;
    if (seeker_reserve(s, document->features.count + 1, err) < 0) return err->code;
    if (++s->document == 0) {
        memset(s->seen, 0, (index->runs + 1ull) * sizeof *s->seen);
        memset(s->asked, 0, (index->entries + 1ull) * sizeof *s->asked);
        s->document = 1;
    }
    s->has_places = s->has_strings = false;
    s->places.count = 0;
    chance_count(s, document);
    keys_make(s, document->features, document->known);
    if (!prefix_find(s)) return 0;
    runs_find(s);
    for (size_t k = 0; k < s->distinct; k++) {
        const uint32_t run = s->known[k];

        for (uint64_t p = index->posting_start[run]; p < index->posting_start[run + 1]; p++)
            if (entry_ask(s, document, index->posting[p], part, err) < 0) return err->code;
    }
    return 0;
}

static void seek_begin(struct scanner *scanner) { ((struct seeker *)scanner)->chance = (struct passage_chance){ 0 }; }

static int seek_end(struct scanner *scanner, struct part *part, struct err *err)
{
    const struct seeker *s = (struct seeker *)scanner;

    return bytes_append(&part->section[PART_COUNTS], &s->chance, sizeof s->chance) < 0
        ? err_memory(err, sizeof s->chance, "a part's counts") : 0;
}

static void seek_close(struct scanner *scanner)
{
    struct seeker *s = (struct seeker *)scanner;

    view_scratch_close(s->view);
    free(s->seen);
    free(s->of);
    free(s->asked);
    free(s->key);
    free(s->at);
    free(s->hit);
    free(s->known);
    free(s->likely);
    free(s);
}

uint64_t passage_scan_need(const struct passage_index *index)
{
    return 2ull * index->runs * sizeof(uint32_t) + index->entries * sizeof(uint32_t);
}

static int seek_open(void *shared, struct scanner **out, struct err *err)
{
    const struct passage_job *job = shared;
    struct seeker            *s = calloc(1, sizeof *s);

    *out = NULL;
    if (!s) return err_memory(err, sizeof *s, "a scanner");
    s->scanner = (struct scanner){ .begin = seek_begin, .document = seek_document, .end = seek_end,
                                   .close = seek_close };
    s->job = job;
    s->index = job->index;
    s->n = job->near->options->passage_run;
    s->power = passage_power(s->n);
    s->seen = calloc(s->index->runs + 1ull, sizeof *s->seen);
    s->of = calloc(s->index->runs + 1ull, sizeof *s->of);
    s->asked = calloc(s->index->entries + 1ull, sizeof *s->asked);
    if (!s->seen || !s->of || !s->asked) err_memory(err, s->index->runs * 8ull, "a scanner");
    else if (view_scratch_open(&s->view, &job->near->options->view, err) == 0) {
        *out = &s->scanner;
        return 0;
    }
    seek_close(&s->scanner);
    return err->code;
}

struct pass_scanner passage_scanner(const struct passage_job *job)
{
    enum { UNIT_FORMAT = 1 };
    const uint32_t        format = UNIT_FORMAT;
    const struct unit_key key = passage_index_key(job);

    return (struct pass_scanner){ .kind = "passage_rows", .key = unit_key_add(key, &format, sizeof format),
                                  .needs = PASS_FEATURES, .min_tokens = 1, .known = true, .takes = pass_takes_corpora,
                                  .open = seek_open, .shared = (void *)(uintptr_t)job };
}
