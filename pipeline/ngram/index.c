/* ngram/index.c -- the file of the items' n-grams: its key, writing and mapping it; building it is build.c's. */
#include "ngram/build.h"

#include <errno.h>

enum ngram_section {
    NGRAM_HEADER, NGRAM_ENTRY, NGRAM_LINE, NGRAM_WORD, NGRAM_PLACE, NGRAM_TEXT, NGRAM_GRAM, NGRAM_LENGTH, NGRAM_KNOWN,
        NGRAM_POSTING_START, NGRAM_POSTING,
    NGRAM_ANCHORS, NGRAM_KEY, NGRAM_ID, NGRAM_FILTER, NGRAM_FILTER_START, NGRAM_FILTER_SHIFT, NGRAM_WORD_FILTER,
        NGRAM_SHORT_FILTER, NGRAM_HEADS, NGRAM_WEIGHT, NGRAM_WORD_KEPT, NGRAM_GRAM_KEPT, NGRAM_VARIANT_KEY,
    NGRAM_VARIANT_ID, NGRAM_SECTIONS
};

struct ngram_header {
    uint64_t entries, lines, grams, variants, lengths, slot_bits, variant_bits, word_shift, short_shift, factor;
};

/* What the sections are, part of the key. */
enum { NGRAM_TABLE_FORMAT = 2 };

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

int ngram_index_commit(struct ngram_builder *b, struct unit_key key, struct err *err)
{
    struct ngram_header header = { b->entry.len / sizeof(struct ngram_entry), b->line.len / sizeof(struct ngram_line),
                                   b->grams, b->variants, b->length.len / sizeof(uint32_t), b->slots.bits,
                                   b->variant.bits, b->word_shift, b->short_shift, scatter_factor[0] };
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
        [NGRAM_WORD_KEPT]     = bytes_slice(&b->word_kept),
        [NGRAM_GRAM_KEPT]     = bytes_slice(&b->gram_kept),
        [NGRAM_VARIANT_KEY]   = { (const char *)b->variant.key, sizeof *b->variant.key << b->variant.bits },
        [NGRAM_VARIANT_ID]    = { (const char *)b->variant.id, sizeof *b->variant.id << b->variant.bits },
    };

    return stage_commit(b->job->run->stage, "ngrams", key, section, NGRAM_SECTIONS, err);
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
    out->ids = (uint32_t)(header.grams + header.variants);
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
    out->classes = (uint32_t)(s[NGRAM_POSTING_START].len / sizeof(uint64_t) - 1);
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
    out->word_kept = s[NGRAM_WORD_KEPT].len ? (const uint64_t *)s[NGRAM_WORD_KEPT].at : out->word;
    out->gram_kept = s[NGRAM_GRAM_KEPT].len ? (const uint32_t *)s[NGRAM_GRAM_KEPT].at : out->gram;
    out->variant_key = (const uint64_t *)s[NGRAM_VARIANT_KEY].at;
    out->variant_id = (const uint32_t *)s[NGRAM_VARIANT_ID].at;
    out->variant_mask = (1ull << header.variant_bits) - 1;
    out->variant_shift = (unsigned)(64 - header.variant_bits);
    return 1;
}

void ngram_index_close(struct ngram_index *index)
{
    unit_close(&index->file);
    *index = (struct ngram_index){ 0 };
}
