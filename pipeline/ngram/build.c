/* ngram/build.c -- building the table of the items' n-grams.
 *
 * 1. Items   2. N-grams   3. All together
 *
 * The result is a function of the items alone: entries, lines and ids are numbered in the order in which they are met.
 */
#include "ngram/build.h"

#include "base/bits.h"
#include "base/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* + entry, as a posting's line: where the entry's text may begin, one word before */
#define NGRAM_ANCHOR 0x80000000u

/* Bits of the number of slots, at least; n-grams whose slots are waited for together. */
enum { SLOT_BITS_LEAST = 6, PUT_AT_ONCE = 32 };
/* Entries, lines and ids between two looks at the memory that is held. */
enum { MEMORY_LOOKS = 64, LINES_LOOKS = 1024, IDS_LOOKS = 65536 };
/* N-grams in lines: those, and these as written with as many variants, are numbered in 32 bits. */
enum { GRAMS_MOST = 1 << 30 };
#define NO_GRAM UINT32_MAX                                  /* no id */
/* + variant, as an id while n-grams are numbered */
#define NGRAM_VARIANT 0x80000000u

struct posted { struct ngram_posting posting; uint32_t gram; };
/* the line + 1 that had an n-gram last, and where that was posted */
struct last_posted { uint32_t line, at; };

/* What the builder owns, to free it and to count it. */
#define OWNED(b) { &(b)->entry, &(b)->line, &(b)->word, &(b)->place, &(b)->text, &(b)->gram, &(b)->length, \
    &(b)->known, &(b)->posting_start, &(b)->posting, &(b)->anchor, &(b)->length_of, &(b)->last, &(b)->short_word, \
    &(b)->posted, &(b)->filter, &(b)->filter_start, &(b)->filter_shift, &(b)->word_filter, &(b)->short_filter, \
    &(b)->heads, &(b)->weight, &(b)->word_kept, &(b)->gram_kept, &(b)->kept, \
    &(b)->several }

/* Is there room for what is held, and so much more?  0, or -ENOMEM with err set. */
static int memory_look(struct ngram_builder *b, uint64_t more, struct err *err)
{
    struct bytes *owned[] = OWNED(b);
    const size_t  slot = sizeof *b->slots.key + sizeof *b->slots.id;
    uint64_t      held = (slot << b->slots.bits) + (b->variant.key ? slot << b->variant.bits : 0);

    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) held += owned[i]->len;
    return run_memory_check(b->job->run, false, held + more, "ngrams: n-grams of the benchmarks",
                            "write fewer sizes in ngrams.n, or fewer fields", err);
}

static int out_of_memory(const struct ngram_builder *b, struct err *err)
{
    return err_memory(err, b->word.len + b->gram.len + b->posted.len, "the table of n-grams");
}

/* ---- 1. Items ---- */

static int items_of_unit(struct ngram_builder *b, const struct pass_unit *unit, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice             rows = pass_unit_section(unit, p, PART_ROWS);
        const struct ngram_item *item = (const struct ngram_item *)rows.at;
        const char              *heap = pass_unit_section(unit, p, PART_HEAP).at;
        const uint64_t          *word = (const uint64_t *)pass_unit_section(unit, p, PART_VALUES).at;
        const uint32_t          *place = (const uint32_t *)pass_unit_section(unit, p, PART_COUNTS).at;

        for (size_t i = 0; i < rows.len / sizeof *item; i++) {
            const uint64_t    *words = word + item[i].value_at;
            struct ngram_entry entry = { .record = item[i].record, .word_at = b->word.len / sizeof *word,
                                         .text_at = b->text.len, .shard = unit->shard,
                                         .field = item[i].field, .words = item[i].words, .text_len = item[i].text.len };

            if (bytes_append(&b->entry, &entry, sizeof entry) < 0 ||
                bytes_append(&b->word, words, item[i].words * sizeof *word) < 0 ||
                (b->job->both &&
                 bytes_append(&b->word_kept, words + item[i].words, item[i].words * sizeof *word) < 0) ||
                bytes_append(&b->place, place + item[i].place_at, item[i].words * sizeof *place) < 0 ||
                bytes_append(&b->text, heap + item[i].text.at, item[i].text.len) < 0) return out_of_memory(b, err);
        }
    }
    return 0;
}

static int items_read(struct ngram_builder *b, struct err *err)
{
    const struct ngram_job   *job = b->job;
    const struct pass_scanner collector = ngram_collector(job);
    struct pass_walk          walk = pass_walk_all(job->run, &collector);
    int                       rc;

    while ((rc = pass_walk_next(&walk, err)) > 0)
        if ((rc = items_of_unit(b, &walk.unit, err)) < 0 || (rc = memory_look(b, 0, err)) < 0) break;
    pass_walk_close(&walk);
    if (rc < 0) return rc;
    if (b->entry.len / sizeof(struct ngram_entry) >= NGRAM_ANCHOR / NGRAM_SIZES ||
        b->word.len / sizeof(uint64_t) >= GRAMS_MOST / job->options->sizes)
        return err_set(err, -EFBIG, "more than %u fields of items, or %zu words in them, are too many for ngrams",
                       NGRAM_ANCHOR / NGRAM_SIZES - 1, GRAMS_MOST / job->options->sizes - 1);
    return 0;
}

/* ---- 2. N-grams ---- */

static uint64_t key_of_words(const uint64_t *word, uint32_t length)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < length; i++) sum = sum * NGRAM_BASE + word[i];
    return ngram_key(0, sum, 0, length);
}

/* Room for more n-grams. */
static int grams_reserve(struct ngram_builder *b, uint32_t more)
{
    return slots_reserve(&b->slots, b->grams + (uint64_t)more, SLOT_BITS_LEAST);
}

/* For what one n-gram more is as written. */
static int kept_room(struct ngram_builder *b)
{
    const uint64_t none = 0;

    if (b->grams % 64 == 0 && bytes_append(&b->several, &none, sizeof none) < 0) return -ENOMEM;
    return bytes_append(&b->kept, &none, sizeof none);
}

static bool is_several(const struct ngram_builder *b, uint32_t gram)
{
    return bits_has((const uint64_t *)(const void *)b->several.at, gram);
}

/* The id of an n-gram that has room; made when it is new.  Returns it, or NO_GRAM. */
static uint32_t gram_put(struct ngram_builder *b, uint64_t key, const uint64_t *word, uint32_t length)
{
    const uint64_t at = slots_find(&b->slots, key);

    if (b->slots.key[at]) return b->slots.id[at];
    if (bytes_append(&b->length_of, &(uint8_t){ (uint8_t)length }, 1) < 0 ||
        bytes_append(&b->last, &(struct last_posted){ 0 }, sizeof(struct last_posted)) < 0 ||
        (b->job->both && kept_room(b) < 0) ||
        (length < b->job->options->n[0] && bytes_append(&b->short_word, word, sizeof *word) < 0)) return NO_GRAM;
    b->slots.key[at] = key;
    b->slots.id[at] = b->grams;
    b->grams_of[length]++;
    return b->grams++;
}

/* The number of a variant, made when it is new, or NO_GRAM. */
static uint32_t variant_put(struct ngram_builder *b, uint64_t key)
{
    uint64_t at;

    if (slots_reserve(&b->variant, b->variants + 1ull, SLOT_BITS_LEAST) < 0) return NO_GRAM;
    at = slots_find(&b->variant, key);
    if (!b->variant.key[at]) {
        b->variant.key[at] = key;
        b->variant.id[at] = b->variants++;
    }
    return b->variant.id[at];
}

/* What the n-gram is as written, by its hash then: itself, as long as it is written in one way; or NGRAM_VARIANT + a
 * variant; NO_GRAM. */
static uint32_t kept_put(struct ngram_builder *b, uint32_t gram, uint64_t key)
{
    uint64_t *first = (uint64_t *)(void *)b->kept.at + gram;
    uint32_t  variant;

    if (!*first) *first = key;
    if (!is_several(b, gram)) {
        if (*first == key) return gram;
        if (variant_put(b, *first) == NO_GRAM) return NO_GRAM;
        bits_set((uint64_t *)(void *)b->several.at, gram);
    }
    variant = variant_put(b, key);
    return variant == NO_GRAM ? NO_GRAM : NGRAM_VARIANT + variant;
}

/* Where the text may begin: at the word before its second one.  The first and last of its words may be cut off from
 * longer ones, so they are left out. */
static int anchor_add(struct ngram_builder *b, uint32_t e)
{
    const struct ngram_entry *entry = (const struct ngram_entry *)b->entry.at + e;
    const uint64_t           *word = (const uint64_t *)b->word.at + entry->word_at + 1;
    struct posted             posted = { .posting = { .line = NGRAM_ANCHOR + e } };
    uint32_t                  length = entry->words < 3 ? 0 : entry->words - 2;

    if (!length || b->job->options->unit == NGRAM_TOKENS) return 0;
    if (length > b->job->options->n[0]) length = b->job->options->n[0];
    if (grams_reserve(b, 1) < 0) return -ENOMEM;
    posted.gram = gram_put(b, key_of_words(word, length), word, length);
    if (posted.gram == NO_GRAM || bytes_append(&b->posted, &posted, sizeof posted) < 0) return -ENOMEM;
    if (!b->job->both) return 0;
    word = (const uint64_t *)b->word_kept.at + entry->word_at + 1;
    return kept_put(b, posted.gram, key_of_words(word, length)) == NO_GRAM ? -ENOMEM : 0;
}

/* The line's n-gram `i` has the key; kept: as written, of a job that tells both cases. */
static int line_put(struct ngram_builder *b, struct ngram_line *line, uint32_t i, uint64_t key, uint64_t kept,
                    const uint64_t *word)
{
    const uint32_t      number = (uint32_t)(b->line.len / sizeof *line);
    struct posted       posted = { .posting = { number, 1, i }, .gram = gram_put(b, key, word + i, line->length) };
    struct last_posted *last;

    if (posted.gram == NO_GRAM || bytes_append(&b->gram, &posted.gram, sizeof posted.gram) < 0) return -ENOMEM;
    if (b->job->both) {
        const uint32_t id = kept_put(b, posted.gram, kept);

        if (id == NO_GRAM || bytes_append(&b->gram_kept, &id, sizeof id) < 0) return -ENOMEM;
    }
    last = (struct last_posted *)b->last.at + posted.gram;
    if (last->line == number + 1) {
        ((struct posted *)b->posted.at)[last->at].posting.times++;
        return 0;
    }
    *last = (struct last_posted){ number + 1, (uint32_t)(b->posted.len / sizeof posted) };
    line->distinct++;
    return bytes_append(&b->posted, &posted, sizeof posted);
}

/* Polynomials of a text's words up to an n-gram's start and up to its end. */
struct rolling { const uint64_t *word; uint64_t before, after, power; uint32_t length; };

static struct rolling rolling_begin(const uint64_t *word, uint32_t length)
{
    struct rolling r = { .word = word, .power = ngram_power(length), .length = length };

    for (uint32_t i = 0; i < length; i++) r.after = r.after * NGRAM_BASE + word[i];
    return r;
}

static uint64_t rolling_key(const struct rolling *r) { return ngram_key(r->before, r->after, r->power, r->length); }

static void rolling_step(struct rolling *r, uint32_t i)
{
    r->before = r->before * NGRAM_BASE + r->word[i];
    r->after = r->after * NGRAM_BASE + r->word[i + r->length];
}

static int line_add(struct ngram_builder *b, uint32_t e, uint32_t n)
{
    const struct ngram_entry *entry = (const struct ngram_entry *)b->entry.at + e;
    const uint64_t           *word = (const uint64_t *)b->word.at + entry->word_at,
        *as_written = b->job->both ? (const uint64_t *)b->word_kept.at + entry->word_at : word;
    struct ngram_line         line = { .at = b->gram.len / sizeof(uint32_t), .entry = e, .n = n,
                                       .length = entry->words < n ? entry->words : n };
    struct rolling            folded = rolling_begin(word, line.length),
        kept = rolling_begin(as_written, line.length);

    line.count = line.length ? entry->words - line.length + 1 : 0;
    for (uint32_t from = 0, to; from < line.count; from = to) {             /* slots come while keys are made */
        uint64_t key[PUT_AT_ONCE], key_kept[PUT_AT_ONCE];

        to = line.count - from < PUT_AT_ONCE ? line.count : from + PUT_AT_ONCE;
        if (grams_reserve(b, PUT_AT_ONCE) < 0) return -ENOMEM;
        for (uint32_t i = from; i < to; i++) {
            key[i - from] = rolling_key(&folded);
            key_kept[i - from] = rolling_key(&kept);
            __builtin_prefetch(&b->slots.key[slots_first(&b->slots, key[i - from])]);
            __builtin_prefetch(&b->slots.id[slots_first(&b->slots, key[i - from])]);
            if (i + 1 == line.count) break;
            rolling_step(&folded, i);
            if (b->job->both) rolling_step(&kept, i);
        }
        for (uint32_t i = from; i < to; i++)
            if (line_put(b, &line, i, key[i - from], key_kept[i - from], word) < 0) return -ENOMEM;
    }
    line.distinct_kept = b->job->both ? 0 : line.distinct;  /* of those as written: line_keep */
    return bytes_append(&b->line, &line, sizeof line);
}

/* The line's n-grams as written have their ids, once all n-grams are there; those of variants are posted.
 * last: [ids] */
static int line_keep(struct ngram_builder *b, uint32_t number, struct last_posted *last)
{
    const uint64_t    *first = (const uint64_t *)(const void *)b->kept.at;
    struct ngram_line *line = (struct ngram_line *)(void *)b->line.at + number;
    uint32_t          *id = (uint32_t *)(void *)b->gram_kept.at + line->at;

    for (uint32_t i = 0; i < line->count; i++) {
        struct posted posted = { .posting = { number, 1, i } };

        if (id[i] & NGRAM_VARIANT) id[i] = b->grams + (id[i] & ~NGRAM_VARIANT);
        else if (is_several(b, id[i])) id[i] = b->grams + b->variant.id[slots_find(&b->variant, first[id[i]])];
        if (last[id[i]].line == number + 1) {
            if (id[i] >= b->grams) ((struct posted *)(void *)b->posted.at)[last[id[i]].at].posting.times++;
            continue;
        }
        last[id[i]] = (struct last_posted){ number + 1, (uint32_t)(b->posted.len / sizeof posted) };
        line->distinct_kept++;
        posted.gram = id[i];
        if (id[i] >= b->grams && bytes_append(&b->posted, &posted, sizeof posted) < 0) return -ENOMEM;
    }
    return 0;
}

/* 0, or <0 with err set. */
static int lines_keep(struct ngram_builder *b, struct err *err)
{
    const uint32_t lines = (uint32_t)(b->line.len / sizeof(struct ngram_line));
    const size_t   room = (b->grams + b->variants + 1ull) * sizeof(struct last_posted);

    if (memory_look(b, room - b->last.len, err) < 0) return err->code;
    if (bytes_reserve(&b->last, room) < 0) return out_of_memory(b, err);
    memset(b->last.at, 0, b->last.len = room);              /* of lines in lower case before */
    for (uint32_t l = 0; l < lines; l++) {
        if (line_keep(b, l, (struct last_posted *)(void *)b->last.at) < 0) return out_of_memory(b, err);
        if (l % LINES_LOOKS == 0 && memory_look(b, 0, err) < 0) return err->code;
    }
    return 0;
}

/* What is known of an n-gram, from its postings, which become relative to its base. */
static int known_add(struct ngram_builder *b, struct table *classes, uint32_t id, struct ngram_posting *posting,
                     size_t count)
{
    const bool          one = b->job->both && id < b->grams && !is_several(b, id);
    const uint32_t      end = UINT32_MAX;
    struct ngram_known  known = { .key = one ? ((const uint64_t *)(const void *)b->kept.at)[id] : 0 };
    struct content_hash hash;
    size_t              lines = 0;
    bool                added;

    for (size_t i = 0; i < count; i++) {
        if (posting[i].line & NGRAM_ANCHOR) {
            uint32_t entry = posting[i].line & ~NGRAM_ANCHOR;

            if (!known.anchor) known.anchor = (uint32_t)(b->anchor.len / sizeof entry);
            if (bytes_append(&b->anchor, &entry, sizeof entry) < 0) return -ENOMEM;
            continue;
        }
        if (lines == 0) known.base = posting[i].first;
        posting[lines++] = (struct ngram_posting){ posting[i].line, posting[i].times, posting[i].first - known.base };
    }
    if (known.anchor && bytes_append(&b->anchor, &end, sizeof end) < 0) return -ENOMEM;
    hash = content_hash_raw((struct slice){ (const char *)posting, lines * sizeof *posting });
    known.class = table_put(classes, hash.low, hash.high, b->classes, &added);
    if (known.class == TABLE_NONE || bytes_append(&b->known, &known, sizeof known) < 0) return -ENOMEM;
    if (!added) return 0;
    b->classes++;
    return bytes_append(&b->posting, posting, lines * sizeof *posting) < 0 ||
           bytes_append(&b->posting_start, &(uint64_t){ b->posting.len / sizeof *posting }, sizeof(uint64_t)) < 0
               ? -ENOMEM : 0;
}

/* Postings by n-gram, in the order of lines, then by class.  0, or <0 with err set. */
static int postings_sort(struct ngram_builder *b, struct err *err)
{
    const size_t          count = b->posted.len / sizeof(struct posted);
    const uint32_t        ids = b->grams + b->variants;
    const struct posted  *posted = (const struct posted *)(const void *)b->posted.at;
    const uint64_t        room = (count + 1) * sizeof(struct ngram_posting) + (ids + 2ull) * sizeof(uint64_t);
    struct ngram_posting *posting;
    uint64_t             *end;
    struct table          classes = { 0 };
    int                   rc = memory_look(b, room, err);

    if (rc < 0) return rc;
    posting = malloc((count + 1) * sizeof *posting);
    end = calloc(ids + 2ull, sizeof *end);
    rc = posting && end ? 0 : -ENOMEM;
    for (size_t i = 0; rc == 0 && i < count; i++) end[posted[i].gram + 1]++;
    for (size_t g = 0; rc == 0 && g < ids; g++) end[g + 1] += end[g];
    for (size_t i = 0; rc == 0 && i < count; i++) posting[end[posted[i].gram]++] = posted[i].posting;
    bytes_free(&b->posted);                                 /* what the file has of them may take as much */
    if (rc == 0) rc = bytes_append(&b->posting_start, &(uint64_t){ 0 }, sizeof(uint64_t));
    /* the list of those that have none */
    if (rc == 0) rc = bytes_append(&b->anchor, &(uint32_t){ UINT32_MAX }, sizeof(uint32_t));
    if (rc < 0) out_of_memory(b, err);
    for (uint64_t g = 0, from = 0; rc == 0 && g < ids; from = end[g++]) {
        if (known_add(b, &classes, (uint32_t)g, posting + from, end[g] - from) < 0) rc = out_of_memory(b, err);
        else if (g % IDS_LOOKS == 0) rc = memory_look(b, room + classes.room * sizeof *classes.slot, err);
    }
    table_free(&classes);
    free(posting);
    free(end);
    return rc;
}

/* The weights of a field's lines of n = 5: ln(lines / those that have the n-gram).  has: [grams], zeros before and
 * after. */
static int weights_of_field(struct ngram_builder *b, uint32_t field, uint32_t *has)
{
    const struct ngram_entry *entry = (const struct ngram_entry *)b->entry.at;
    const uint32_t           *gram = (const uint32_t *)b->gram.at;
    struct ngram_line        *line = (struct ngram_line *)b->line.at;
    const size_t              count = b->line.len / sizeof *line, posts = b->posted.len / sizeof(struct posted);
    double                    fields = 0;

    for (size_t l = 0; l < count; l++) fields += ngram_has_weights(&line[l]) && entry[line[l].entry].field == field;
    for (size_t p = 0; p < posts; p++) {                    /* once for each line and n-gram */
        const struct posted *posted = (const struct posted *)b->posted.at + p;

        if (posted->posting.line & NGRAM_ANCHOR) continue;
        if (ngram_has_weights(&line[posted->posting.line]) && entry[line[posted->posting.line].entry].field == field)
            has[posted->gram]++;
    }
    for (size_t l = 0; l < count; l++) {
        if (!ngram_has_weights(&line[l]) || entry[line[l].entry].field != field) continue;
        line[l].weight_at = (uint32_t)(b->weight.len / sizeof(double));
        for (uint32_t i = 0; i < line[l].count; i++) {
            struct last_posted *last = (struct last_posted *)b->last.at + gram[line[l].at + i];
            const bool          again = last->line == (uint32_t)l + 1 && last->at == UINT32_MAX;
            const double        weight = again ? 0 : log(fields / has[gram[line[l].at + i]]);

            *last = (struct last_posted){ (uint32_t)l + 1, UINT32_MAX };
            if (bytes_append(&b->weight, &weight, sizeof weight) < 0) return -ENOMEM;
        }
    }
    memset(has, 0, b->grams * sizeof *has);
    return 0;
}

static int weights_fill(struct ngram_builder *b)
{
    const struct ngram_options *o = b->job->options;
    uint32_t                   *has = NULL;
    int                         rc = 0;

    for (size_t i = 0; i < o->sizes; i++)
        if (o->n[i] == NGRAM_WEIGHED && !has) has = calloc(b->grams + 1ull, sizeof *has);
    for (uint32_t f = 0; has && f < o->fields && rc == 0; f++) rc = weights_of_field(b, f, has);
    for (size_t i = 0; i < o->sizes; i++)
        if (o->n[i] == NGRAM_WEIGHED && !has) rc = -ENOMEM;
    free(has);
    return rc;
}

static int grams_make(struct ngram_builder *b, struct err *err)
{
    const struct ngram_options *o = b->job->options;
    uint32_t                    entries = (uint32_t)(b->entry.len / sizeof(struct ngram_entry));
    int                         rc = grams_reserve(b, 0);

    for (uint32_t e = 0; e < entries && rc == 0; e++) {
        for (size_t i = 0; i < o->sizes && rc == 0; i++) rc = line_add(b, e, o->n[i]);
        if (rc == 0) rc = anchor_add(b, e);
        if (rc == 0 && e % MEMORY_LOOKS == 0 && memory_look(b, 0, err) < 0) return err->code;
    }
    if (rc == 0) rc = weights_fill(b);                      /* before postings of variants are there */
    if (rc == 0 && b->job->both && (rc = lines_keep(b, err)) < 0) return rc;
    bytes_free(&b->last);
    if (rc == 0) rc = ngram_filters_fill(b);
    if (rc < 0) return out_of_memory(b, err);
    rc = postings_sort(b, err);
    return rc < 0 ? rc : ngram_heads_fill(b, err);
}

/* ---- 3. All together ---- */

int ngram_index_build(const struct ngram_job *job, struct unit_key key, struct err *err)
{
    struct ngram_builder b = { .job = job };
    struct bytes        *owned[] = OWNED(&b);
    int                  rc = items_read(&b, err);

    if (rc == 0 && slots_reserve(&b.variant, 0, SLOT_BITS_LEAST) < 0) rc = out_of_memory(&b, err);
    if (rc == 0) rc = grams_make(&b, err);
    if (rc == 0) rc = ngram_index_commit(&b, key, err);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) bytes_free(owned[i]);
    slots_free(&b.slots);
    slots_free(&b.variant);
    return rc;
}
