/* ngram/index.c -- building and mapping the table of the items' n-grams.
 *
 * 1. Items   2. N-grams   3. The file
 *
 * The result is a function of the items alone: entries, lines and ids are numbered in the order in which they are met.
 */
#include "ngram/index.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "base/slots.h"
#include "base/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum ngram_section {
    NGRAM_HEADER, NGRAM_ENTRY, NGRAM_LINE, NGRAM_WORD, NGRAM_PLACE, NGRAM_TEXT, NGRAM_GRAM, NGRAM_LENGTH, NGRAM_KNOWN,
        NGRAM_POSTING_START, NGRAM_POSTING,
    NGRAM_ANCHORS, NGRAM_KEY, NGRAM_ID, NGRAM_FILTER, NGRAM_FILTER_START, NGRAM_FILTER_SHIFT, NGRAM_WORD_FILTER,
        NGRAM_SHORT_FILTER, NGRAM_HEADS, NGRAM_WEIGHT, NGRAM_SECTIONS
};

struct ngram_header { uint64_t entries, lines, grams, lengths, slot_bits, word_shift, short_shift, factor; };

/* + entry, as a posting's line: where the entry's text may begin, one word before */
#define NGRAM_ANCHOR 0x80000000u

/* Bits of the number of slots, at least; n-grams whose slots are waited for together; no id. */
enum { SLOT_BITS_LEAST = 6, PUT_AT_ONCE = 32 };
/* Entries between two looks at the memory that is held. */
enum { MEMORY_LOOKS = 64 };
/* Bits of heads that may be set; what the table's sections are, part of its key. */
enum { NGRAM_HEAD_MOST = 1 << (NGRAM_HEAD_BITS - 2), NGRAM_TABLE_FORMAT = 1 };
#define NO_GRAM UINT32_MAX

struct posted { struct ngram_posting posting; uint32_t gram; };
/* the line + 1 that had an n-gram last, and where that was posted */
struct last_posted { uint32_t line, at; };

struct ngram_builder {
    const struct ngram_job *job;
    /* as the file has them */
    struct bytes            entry, line, word, place, text, gram, length, known, posting_start, posting, anchor;
    struct bytes            filter, filter_start, filter_shift, word_filter, short_filter, heads, weight;
    struct bytes            length_of, last;                /* by id: uint8_t, struct last_posted */
    /* uint64_t: first words of n-grams shorter than the smallest n */
    struct bytes            short_word;
    struct bytes            posted;                         /* in the order of lines */
    uint64_t                grams_of[NGRAM_N_MAX + 1];      /* by length */
    uint32_t                grams, classes, word_shift, short_shift;
    struct slots            slots;                          /* of n-grams, as the file has them */
};

struct unit_key ngram_index_key(const struct ngram_job *job)
{
    const struct ngram_options *o = job->options;
    const uint32_t              format = NGRAM_TABLE_FORMAT;
    struct unit_key             key = unit_key_add(ngram_options_key(job), o->n, o->sizes * sizeof *o->n), unit;

    key = unit_key_add(key, &format, sizeof format);
    for (size_t s = 0; s < job->run->shards->count; s++) {
        if (job->run->datasets[job->run->shards->at[s].dataset].role != ROLE_BENCHMARK) continue;
        unit = pass_unit_key(job->run->datasets, ngram_options_key(job), &job->run->shards->at[s], 0);
        key = unit_key_add(key, &unit, sizeof unit);
    }
    return key;
}

/* What the builder owns, to free it and to count it. */
#define OWNED(b) { &(b)->entry, &(b)->line, &(b)->word, &(b)->place, &(b)->text, &(b)->gram, &(b)->length, \
    &(b)->known, &(b)->posting_start, &(b)->posting, &(b)->anchor, &(b)->length_of, &(b)->last, &(b)->short_word, \
    &(b)->posted, &(b)->filter, &(b)->filter_start, &(b)->filter_shift, &(b)->word_filter, &(b)->short_filter, \
    &(b)->heads, &(b)->weight }

/* Is there room for what is held, and so much more?  0, or -ENOMEM with err set. */
static int memory_look(struct ngram_builder *b, uint64_t more, struct err *err)
{
    struct bytes *owned[] = OWNED(b);
    uint64_t      held = (sizeof *b->slots.key + sizeof *b->slots.id) << b->slots.bits;

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
            struct ngram_entry entry = { .record = item[i].record, .word_at = b->word.len / sizeof *word,
                                         .text_at = b->text.len, .shard = unit->shard,
                                         .field = item[i].field, .words = item[i].words, .text_len = item[i].text.len };

            if (bytes_append(&b->entry, &entry, sizeof entry) < 0 ||
                bytes_append(&b->word, word + item[i].value_at, item[i].words * sizeof *word) < 0 ||
                bytes_append(&b->place, place + item[i].value_at, item[i].words * sizeof *place) < 0 ||
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
        b->word.len / sizeof(uint64_t) >= UINT32_MAX / NGRAM_SIZES)
        return err_set(err, -EFBIG, "more than %u fields of items, or %u words in them, are too many for ngrams",
                       NGRAM_ANCHOR / NGRAM_SIZES - 1,
                       UINT32_MAX / NGRAM_SIZES - 1);
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

/* The id of an n-gram that has room; made when it is new.  Returns it, or NO_GRAM. */
static uint32_t gram_put(struct ngram_builder *b, uint64_t key, const uint64_t *word, uint32_t length)
{
    const uint64_t at = slots_find(&b->slots, key);

    if (b->slots.key[at]) return b->slots.id[at];
    if (bytes_append(&b->length_of, &(uint8_t){ (uint8_t)length }, 1) < 0 ||
        bytes_append(&b->last, &(struct last_posted){ 0 }, sizeof(struct last_posted)) < 0 ||
        (length < b->job->options->n[0] && bytes_append(&b->short_word, word, sizeof *word) < 0)) return NO_GRAM;
    b->slots.key[at] = key;
    b->slots.id[at] = b->grams;
    b->grams_of[length]++;
    return b->grams++;
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
    return posted.gram == NO_GRAM || bytes_append(&b->posted, &posted, sizeof posted) < 0 ? -ENOMEM : 0;
}

/* The line's n-gram `i` has the key. */
static int line_put(struct ngram_builder *b, struct ngram_line *line, uint32_t i, uint64_t key, const uint64_t *word)
{
    const uint32_t      number = (uint32_t)(b->line.len / sizeof *line);
    struct posted       posted = { .posting = { number, 1, i }, .gram = gram_put(b, key, word + i, line->length) };
    struct last_posted *last;

    if (posted.gram == NO_GRAM || bytes_append(&b->gram, &posted.gram, sizeof posted.gram) < 0) return -ENOMEM;
    last = (struct last_posted *)b->last.at + posted.gram;
    if (last->line == number + 1) {
        ((struct posted *)b->posted.at)[last->at].posting.times++;
        return 0;
    }
    *last = (struct last_posted){ number + 1, (uint32_t)(b->posted.len / sizeof posted) };
    line->distinct++;
    return bytes_append(&b->posted, &posted, sizeof posted);
}

static int line_add(struct ngram_builder *b, uint32_t e, uint32_t n)
{
    const struct ngram_entry *entry = (const struct ngram_entry *)b->entry.at + e;
    const uint64_t           *word = (const uint64_t *)b->word.at + entry->word_at;
    struct ngram_line         line = { .at = b->gram.len / sizeof(uint32_t), .entry = e, .n = n,
                                       .length = entry->words < n ? entry->words : n };
    const uint64_t            power = ngram_power(line.length);
    uint64_t                  before = 0, after = 0;

    for (uint32_t i = 0; i < line.length; i++) after = after * NGRAM_BASE + word[i];
    line.count = line.length ? entry->words - line.length + 1 : 0;
    for (uint32_t from = 0, to; from < line.count; from = to) {             /* slots come while keys are made */
        uint64_t key[PUT_AT_ONCE];

        to = line.count - from < PUT_AT_ONCE ? line.count : from + PUT_AT_ONCE;
        if (grams_reserve(b, PUT_AT_ONCE) < 0) return -ENOMEM;
        for (uint32_t i = from; i < to; i++) {
            key[i - from] = ngram_key(before, after, power, line.length);
            __builtin_prefetch(&b->slots.key[slots_first(&b->slots, key[i - from])]);
            __builtin_prefetch(&b->slots.id[slots_first(&b->slots, key[i - from])]);
            if (i + 1 == line.count) break;
            before = before * NGRAM_BASE + word[i];
            after = after * NGRAM_BASE + word[i + line.length];
        }
        for (uint32_t i = from; i < to; i++)
            if (line_put(b, &line, i, key[i - from], word) < 0) return -ENOMEM;
    }
    return bytes_append(&b->line, &line, sizeof line);
}

/* What is known of an n-gram, from its postings, which become relative to its base. */
static int known_add(struct ngram_builder *b, struct table *classes, struct ngram_posting *posting, size_t count)
{
    const uint32_t      end = UINT32_MAX;
    struct ngram_known  known = { 0 };
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

/* Postings by n-gram, in the order of lines, then by class. */
static int postings_sort(struct ngram_builder *b)
{
    size_t                count = b->posted.len / sizeof(struct posted);
    const struct posted  *posted = (const struct posted *)b->posted.at;
    struct ngram_posting *posting = malloc((count + 1) * sizeof *posting);
    uint64_t             *end = calloc(b->grams + 2ull, sizeof *end);
    struct table          classes = { 0 };
    int                   rc = posting && end ? 0 : -ENOMEM;

    for (size_t i = 0; rc == 0 && i < count; i++) end[posted[i].gram + 1]++;
    for (size_t g = 0; rc == 0 && g < b->grams; g++) end[g + 1] += end[g];
    for (size_t i = 0; rc == 0 && i < count; i++) posting[end[posted[i].gram]++] = posted[i].posting;
    if (rc == 0) rc = bytes_append(&b->posting_start, &(uint64_t){ 0 }, sizeof(uint64_t));
    /* the list of those that have none */
    if (rc == 0) rc = bytes_append(&b->anchor, &(uint32_t){ UINT32_MAX }, sizeof(uint32_t));
    for (size_t g = 0, from = 0; rc == 0 && g < b->grams; from = end[g++])
        rc = known_add(b, &classes, posting + from, end[g] - from);
    table_free(&classes);
    free(posting);
    free(end);
    return rc;
}

/* An empty bitmap of 16 bits or more for each of count keys, whose highest bits after a shift are their places;
 * appended. */
static int filter_add(struct bytes *filter, uint64_t count, uint32_t *shift)
{
    unsigned bits = 6;

    while ((1ull << bits) < 16 * count) bits++;
    *shift = 64 - bits;
    if (bytes_reserve(filter, filter->len + (1ull << (bits - 3))) < 0) return -ENOMEM;
    memset(filter->at + filter->len, 0, 1ull << (bits - 3));
    filter->len += 1ull << (bits - 3);
    return 0;
}

static void filter_set(uint64_t *filter, uint32_t shift, uint64_t key)
{
    uint64_t bit = key >> shift;

    filter[bit >> 6] |= 1ull << (bit & 63);
}

/* About how many of them differ, never more: the bits that they set of 8 or more for each. */
static int count_distinct(const uint64_t *word, size_t count, uint64_t *out)
{
    uint64_t *bit;
    unsigned  bits = 6;

    while (1ull << bits < 8ull * count) bits++;
    *out = 0;
    if (!(bit = calloc(1ull << (bits - 6), sizeof *bit))) return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = word[i] >> (64 - bits);

        *out += ~bit[at >> 6] >> (at & 63) & 1;
        bit[at >> 6] |= 1ull << (at & 63);
    }
    free(bit);
    return 0;
}

/* Bitmaps of words: of all, of which every one counts once, and of those that short n-grams begin with. */
static int words_fill(struct ngram_builder *b)
{
    const uint64_t *word = (const uint64_t *)b->word.at, *first = (const uint64_t *)b->short_word.at;
    const size_t    words = b->word.len / sizeof *word, firsts = b->short_word.len / sizeof *first;
    uint64_t        distinct;

    if (count_distinct(word, words, &distinct) < 0 || filter_add(&b->word_filter, distinct, &b->word_shift) < 0 ||
        filter_add(&b->short_filter, firsts, &b->short_shift) < 0) return -ENOMEM;
    for (size_t i = 0; i < words; i++) filter_set((uint64_t *)b->word_filter.at, b->word_shift, word[i]);
    for (size_t i = 0; i < firsts; i++) filter_set((uint64_t *)b->short_filter.at, b->short_shift, first[i]);
    return 0;
}

/* How words begin; nothing where too many bits of the bitmap would be set for it to say no. */
static int heads_fill(struct ngram_builder *b, struct err *err)
{
    const struct ngram_entry *entry = (const struct ngram_entry *)b->entry.at;
    uint64_t                  set = 0, *heads;
    struct view_words         words = { 0 };
    int                       rc = 0;

    if (b->job->options->unit == NGRAM_TOKENS) return 0;
    if (bytes_reserve(&b->heads, NGRAM_HEAD_WORDS * sizeof *heads) < 0 ||
        bytes_reserve(&b->text, b->text.len + sizeof(uint64_t)) < 0) return out_of_memory(b, err);
    heads = memset(b->heads.at, 0, NGRAM_HEAD_WORDS * sizeof *heads);
    for (size_t e = 0; e < b->entry.len / sizeof *entry && rc == 0; e++) {
        const struct slice text = { b->text.at + entry[e].text_at, entry[e].text_len };

        rc = view_words_find(&words, text, err);
        for (size_t w = 0; w < words.count && rc == 0; w++) {
            const uint32_t head = ngram_head(view_words_at(&words, text.at, w));

            set += !bits_has(heads, head);
            bits_set(heads, head);
        }
    }
    if (set < NGRAM_HEAD_MOST) b->heads.len = NGRAM_HEAD_WORDS * sizeof *heads;
    view_words_free(&words);
    return rc;
}

/* The lengths that there are, each with a bitmap of its n-grams. */
static int lengths_fill(struct ngram_builder *b)
{
    uint64_t start[NGRAM_N_MAX + 1];
    uint32_t shift[NGRAM_N_MAX + 1];

    for (uint32_t length = 1; length <= NGRAM_N_MAX; length++) {
        if (!b->grams_of[length]) continue;
        start[length] = b->filter.len / sizeof(uint64_t);
        if (filter_add(&b->filter, b->grams_of[length], &shift[length]) < 0 ||
            bytes_append(&b->length, &length, sizeof length) < 0 ||
            bytes_append(&b->filter_start, &start[length], sizeof *start) < 0 ||
                bytes_append(&b->filter_shift, &shift[length], sizeof *shift) < 0) return -ENOMEM;
    }
    for (uint64_t s = 0; s < 1ull << b->slots.bits; s++) {
        uint8_t length;

        if (!b->slots.key[s]) continue;
        length = ((const uint8_t *)b->length_of.at)[b->slots.id[s]];
        filter_set((uint64_t *)b->filter.at + start[length], shift[length], b->slots.key[s]);
    }
    return 0;
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
    /* postings are sorted into others, and those are what the file has */
    if (rc == 0 && memory_look(b, b->posted.len / sizeof(struct posted) * 2 * sizeof(struct ngram_posting) + b->grams *
                               (sizeof(uint64_t) + sizeof(struct ngram_known)), err) < 0) return err->code;
    if (rc == 0) rc = weights_fill(b);
    if (rc == 0) rc = words_fill(b);
    if (rc == 0) rc = lengths_fill(b);
    if (rc == 0) rc = postings_sort(b);
    return rc < 0 ? out_of_memory(b, err) : heads_fill(b, err);
}

/* ---- 3. The file ---- */

static int index_commit(struct ngram_builder *b, struct unit_key key, struct err *err)
{
    struct ngram_header header = { b->entry.len / sizeof(struct ngram_entry), b->line.len / sizeof(struct ngram_line),
                                   b->grams,
                                   b->length.len / sizeof(uint32_t), b->slots.bits, b->word_shift, b->short_shift,
                                   scatter_factor[0] };
    const struct slice  section[NGRAM_SECTIONS] = {
        [NGRAM_HEADER]        = { (const char *)&header, sizeof header },
        [NGRAM_ENTRY]         = bytes_slice(&b->entry),
        [NGRAM_LINE]          = bytes_slice(&b->line),
        [NGRAM_WORD]          = bytes_slice(&b->word),
        [NGRAM_PLACE]         = bytes_slice(&b->place),
        [NGRAM_TEXT]          = bytes_slice(&b->text),
        [NGRAM_GRAM]          = bytes_slice(&b->gram),
        [NGRAM_LENGTH]        = bytes_slice(&b->length),
        [NGRAM_KNOWN]         = bytes_slice(&b->known),
        [NGRAM_POSTING_START] = bytes_slice(&b->posting_start),
        [NGRAM_POSTING]       = bytes_slice(&b->posting),
        [NGRAM_ANCHORS]       = bytes_slice(&b->anchor),
        [NGRAM_KEY]           = { (const char *)b->slots.key, sizeof *b->slots.key << b->slots.bits },
        [NGRAM_ID]            = { (const char *)b->slots.id, sizeof *b->slots.id << b->slots.bits },
        [NGRAM_FILTER]        = bytes_slice(&b->filter),
        [NGRAM_FILTER_START]  = bytes_slice(&b->filter_start),
        [NGRAM_FILTER_SHIFT]  = bytes_slice(&b->filter_shift),
        [NGRAM_WORD_FILTER]   = bytes_slice(&b->word_filter),
        [NGRAM_SHORT_FILTER]  = bytes_slice(&b->short_filter),
        [NGRAM_HEADS]         = bytes_slice(&b->heads),
        [NGRAM_WEIGHT]        = bytes_slice(&b->weight),
    };

    return stage_commit(b->job->run->stage, "ngrams", key, section, NGRAM_SECTIONS, err);
}

int ngram_index_build(const struct ngram_job *job, struct unit_key key, struct err *err)
{
    struct ngram_builder b = { .job = job };
    struct bytes        *owned[] = OWNED(&b);
    int                  rc = items_read(&b, err);

    if (rc == 0) rc = grams_make(&b, err);
    if (rc == 0) rc = index_commit(&b, key, err);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) bytes_free(owned[i]);
    slots_free(&b.slots);
    return rc;
}

int ngram_index_open(struct stage *stage, struct unit_key key, struct ngram_index *out, struct err *err)
{
    struct ngram_header header;
    const struct slice *s;
    int                 rc;

    *out = (struct ngram_index){ 0 };
    rc = stage_load(stage, "ngrams", key, &out->file, err);
    if (rc <= 0) return rc;
    s = out->file.section;
    if (out->file.count != NGRAM_SECTIONS || s[NGRAM_HEADER].len != sizeof header) {
        ngram_index_close(out);
        return err_set(err, -EBADMSG, "%s: the table of n-grams does not have the expected layout; remove the work "
                                      "folder with --clean", stage_dir(stage));
    }
    memcpy(&header, s[NGRAM_HEADER].at, sizeof header);
    out->entries = (uint32_t)header.entries;
    out->lines = (uint32_t)header.lines;
    out->grams = (uint32_t)header.grams;
    out->lengths = (uint32_t)header.lengths;
    out->word_shift = (uint32_t)header.word_shift;
    out->short_shift = (uint32_t)header.short_shift;
    out->entry = (const struct ngram_entry *)s[NGRAM_ENTRY].at;
    out->line = (const struct ngram_line *)s[NGRAM_LINE].at;
    out->word = (const uint64_t *)s[NGRAM_WORD].at;
    out->word_place = (const uint32_t *)s[NGRAM_PLACE].at;
    out->text = s[NGRAM_TEXT].at;
    out->gram = (const uint32_t *)s[NGRAM_GRAM].at;
    out->length = (const uint32_t *)s[NGRAM_LENGTH].at;
    out->known = (const struct ngram_known *)s[NGRAM_KNOWN].at;
    out->posting_start = (const uint64_t *)s[NGRAM_POSTING_START].at;
    out->posting = (const struct ngram_posting *)s[NGRAM_POSTING].at;
    out->anchor = (const uint32_t *)s[NGRAM_ANCHORS].at;
    out->word_filter = (const uint64_t *)s[NGRAM_WORD_FILTER].at;
    out->weight = (const double *)s[NGRAM_WEIGHT].at;
    out->short_filter = (const uint64_t *)s[NGRAM_SHORT_FILTER].at;
    out->heads = s[NGRAM_HEADS].len ? (const uint64_t *)s[NGRAM_HEADS].at : NULL;
    out->key = (const uint64_t *)s[NGRAM_KEY].at;
    out->id = (const uint32_t *)s[NGRAM_ID].at;
    out->filter = (const uint64_t *)s[NGRAM_FILTER].at;
    out->filter_start = (const uint64_t *)s[NGRAM_FILTER_START].at;
    out->filter_shift = (const uint32_t *)s[NGRAM_FILTER_SHIFT].at;
    out->slot_mask = (1ull << header.slot_bits) - 1;
    out->slot_shift = (unsigned)(64 - header.slot_bits);
    out->factor = header.factor;
    return 1;
}

void ngram_index_close(struct ngram_index *index)
{
    unit_close(&index->file);
    *index = (struct ngram_index){ 0 };
}
