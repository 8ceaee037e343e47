/* ngram/items.c -- the scanner of benchmarks: the fields of every item, as text and as words. */
#include "ngram/index.h"

#include "corpus/json_record.h"

#include <errno.h>
#include <stdlib.h>

struct collector {
    struct scanner          scanner;                        /* first: what the pass sees */
    const struct ngram_job *job;
    struct view_scratch    *view;
    /* one for each field: its source is the record's text there */
    struct field_map        map[NGRAM_FIELDS];
    struct bytes            text, scratch, folded;
};

struct unit_key ngram_options_key(const struct ngram_job *job)
{
    const struct ngram_options *o = job->options;
    /* the last: what units hold */
    uint64_t        number[] = { (uint64_t)o->unit, o->fields, job->fold, job->both, 3 };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));

    key = unit_key_add(key, number, sizeof number);
    for (size_t f = 0; f < o->fields; f++)
        key = unit_key_add(key, o->field[f].source, o->field[f].source ? strlen(o->field[f].source) : 0);
    return key;
}

struct view_options ngram_view(const struct ngram_options *options)
{
    return (struct view_options){ .kind = options->unit == NGRAM_TOKENS ? VIEW_TOKENS : VIEW_SHINGLES, .n = 1,
                                  .across_languages = true };
}

/* Bytes beyond ASCII stay, so that places are those of the text. */
static int text_fold(struct slice *text, struct bytes *folded, struct err *err)
{
    const char *from;
    char       *to;

    folded->len = 0;
    if (bytes_reserve(folded, text->len + 1) < 0) return err_memory(err, text->len, "a text in lower case");
    from = text->at;
    to = folded->at;
    for (size_t i = 0; i < text->len; i++) to[i] = view_folded_1(from[i]);
    folded->len = text->len;
    *text = bytes_slice(folded);
    return 0;
}

int ngram_text(const struct ngram_job *job, struct slice *text, struct bytes *folded, struct err *err)
{
    return job->fold && !job->both ? text_fold(text, folded, err) : 0;
}

int ngram_sequence(struct view_scratch *view, const struct ngram_options *options, const char *language,
                   const struct record *record, struct slice text, struct view_sequence *out, struct err *err)
{
    const struct view_language *of = view_language_of(view, options->unit == NGRAM_TOKENS ? language : "text", record,
                                                      err);

    return of ? view_sequence(view, of, text, out, err) : err->code;
}

static bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Appends the hashes of a text's words; words: of them and of their places. */
static int words_add(struct collector *c, const struct document *document, struct slice text, struct bytes *values,
                     struct view_sequence *words, struct err *err)
{
    const char *language = c->job->run->datasets[document->shard->dataset].language;

    if (ngram_sequence(c->view, c->job->options, language, document->record, text, words, err) < 0) return err->code;
    return bytes_append(values, words->hash, words->count * sizeof *words->hash) < 0
               ? err_memory(err, text.len, "an item's words") : 0;
}

static int item_add(struct collector *c, const struct document *document, uint32_t field, struct slice text,
                    struct part *part, struct err *err)
{
    const struct record *record = document->record;
    struct bytes        *values = &part->section[PART_VALUES], *places = &part->section[PART_COUNTS];
    struct ngram_item    item = { .record = record->number, .value_at = values->len / sizeof(uint64_t),
                                  .place_at = places->len / sizeof(uint32_t), .field = field };
    struct view_sequence words;

    while (text.len && is_white(text.at[0])) text.at++, text.len--;
    while (text.len && is_white(text.at[text.len - 1])) text.len--;
    if (ngram_text(c->job, &text, &c->folded, err) < 0) return err->code;
    if (c->job->both) {
        struct slice folded = text;

        if (text_fold(&folded, &c->folded, err) < 0 || words_add(c, document, folded, values, &words, err) < 0)
            return err->code;
    }
    if (words_add(c, document, text, values, &words, err) < 0) return err->code;
    item.words = (uint32_t)words.count;
    if (part_add_string(part, text, &item.text) < 0 ||
        bytes_append(places, words.at, words.count * sizeof *words.at) < 0 ||
            bytes_append(&part->section[PART_ROWS], &item, sizeof item) < 0)
        return err_memory(err, text.len, "an item's words");
    return 0;
}

static int collect_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct collector           *c = (struct collector *)scanner;
    const struct ngram_options *o = c->job->options;
    int                         rc = 0;

    for (uint32_t f = 0; f < o->fields && rc == 0; f++) {
        struct record     walked;
        struct json_fault fault;

        if (!o->field[f].source) rc = item_add(c, document, f, document->record->text, part, err);
        else if (document->record->extra) {
            if (document->record->extra[f].at) rc = item_add(c, document, f, document->record->extra[f], part, err);
        /* a field that is not there, or is no string, is none of the item's */
        } else if (document->record->line.len) {
            rc = json_record_parse(&walked, &c->map[f], document->record->line, 0, &c->text, &c->scratch, &fault);
            if (rc < 0) rc = err_memory(err, document->record->line.len, "an item's fields");
            else if (rc > 0) rc = item_add(c, document, f, walked.text, part, err);
        }
    }
    return rc;
}

static void collect_close(struct scanner *scanner)
{
    struct collector *c = (struct collector *)scanner;

    view_scratch_close(c->view);
    bytes_free(&c->text);
    bytes_free(&c->scratch);
    bytes_free(&c->folded);
    free(c);
}

static int collect_open(void *shared, struct scanner **out, struct err *err)
{
    const struct ngram_job *job = shared;
    struct view_options     view = ngram_view(job->options);
    struct collector       *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .document = collect_document, .close = collect_close };
    c->job = job;
    for (size_t f = 0; f < job->options->fields; f++)
        if (job->options->field[f].source) field_map_set_text(&c->map[f], job->options->field[f].source);
    if (view_scratch_open(&c->view, &view, err) < 0) {
        collect_close(&c->scanner);
        return err->code;
    }
    *out = &c->scanner;
    return 0;
}

struct pass_scanner ngram_collector(const struct ngram_job *job)
{
    return (struct pass_scanner){ .kind = "items", .key = ngram_options_key(job), .needs = PASS_RECORDS,
                                  .takes = pass_takes_benchmarks, .open = collect_open,
                                  .shared = (void *)(uintptr_t)job };
}
