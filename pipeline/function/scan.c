/* function/scan.c -- the scanner: each function of a document that may have one like an item goes through near's, as a
 * document of its own. */
#include "corpus/line.h"
#include "function/filter.h"
#include "function/function.h"
#include "function/shorts.h"

#include <errno.h>
#include <stdlib.h>

struct cutter {
    struct scanner             scanner;                     /* first: what the pass sees */
    const struct function_job *job;
    struct scanner            *match;
    struct function_filter    *filter;                      /* of documents */
    uint32_t                   least;                       /* features of a function that is admitted */
    struct functions_told      told;                        /* of the part's documents */
    struct bytes               scratch;
};

/* Where lines are counted to: functions come in the order in which they begin. */
struct counted { size_t at; uint32_t line; };

static int place_add(const struct record *record, const struct function *f, struct counted *to, struct part *part)
{
    const char           *text = record->text.at;
    struct function_place place = { .at = f->at, .end = f->end, .class_name = { 0, NO_STRING } };

    to->line += (uint32_t)line_ends(record->text, to->at, f->at);
    to->at = f->at;
    place.line = to->line;
    place.line_end = place.line + (uint32_t)line_ends(record->text, f->at, f->end);
    if (part_add_string(part, (struct slice){ text + f->name_at, f->name_end - f->name_at }, &place.name) < 0 ||
        (f->class_end > f->class_at &&
         part_add_string(part, (struct slice){ text + f->class_at, f->class_end - f->class_at },
                         &place.class_name) < 0)) return -ENOMEM;
    return bytes_append(&part->section[PART_COUNTS], &place, sizeof place);
}

static int cut_asks(struct scanner *scanner, const struct document *document, struct err *err)
{
    struct cutter *c = (struct cutter *)scanner;
    int            may;

    if (function_filter_may(c->filter, document->known) || !c->job->shorts) return 1;
    may = shorts_in(c->job->shorts, document->record->text, document->features, &c->scratch);
    return may < 0 ? err_memory(err, document->record->text.len, "a text without its white space") : may;
}

static int cut_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct cutter *c = (struct cutter *)scanner;
    struct counted counted = { 0, 1 };

    functions_told_add(&c->told, &document->functions.told);
    for (size_t i = 0; i < document->functions.count; i++) {
        const struct function *function = &document->functions.at[i];
        const size_t           rows = part->section[PART_ROWS].len;
        struct document        cut = *document;
        struct record          record = *document->record;

        cut.features = view_function_features(document->features, &document->functions, i);
        cut.admitted = cut.features.count >= c->least;
        /* what is all of its file is compared as the file, but for a short one's white space */
        if (!cut.features.count || (cut.admitted && cut.features.count == document->features.count)) continue;
        record.text = (struct slice){ record.text.at + function->at, function->end - function->at };
        cut.record = &record;
        cut.function = function;
        cut.file = document->record;
        cut.from = (size_t)(cut.features.hash - document->features.hash);
        if (c->match->document(c->match, &cut, part, err) < 0) return err->code;
        if (part->section[PART_ROWS].len > rows && place_add(document->record, function, &counted, part) < 0)
            return err_memory(err, sizeof(struct function_place), "a part's functions");
    }
    return 0;
}

static void cut_begin(struct scanner *scanner)
{
    struct cutter *c = (struct cutter *)scanner;

    c->told = (struct functions_told){ 0 };
    c->match->begin(c->match);
}

/* near's end tells lengths of documents: not of these. */
static int cut_end(struct scanner *scanner, struct part *part, struct err *err)
{
    const struct cutter *c = (struct cutter *)scanner;

    if (aside_end(&part->values, &part->section[PART_VALUES], c->job->near->run->stage, err) < 0) return err->code;
    return bytes_append(&part->section[PART_COUNTS], &c->told, sizeof c->told) < 0
        ? err_memory(err, sizeof c->told, "a part's counts") : 0;
}

static void cut_close(struct scanner *scanner)
{
    struct cutter *c = (struct cutter *)scanner;

    if (c->match) c->match->close(c->match);
    function_filter_close(c->filter);
    bytes_free(&c->scratch);
    free(c);
}

static int cut_open(void *shared, struct scanner **out, struct err *err)
{
    const struct function_job *job = shared;
    struct cutter             *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .begin = cut_begin, .asks = cut_asks, .document = cut_document, .end = cut_end,
                                   .close = cut_close };
    c->job = job;
    c->least = near_scanner(job->near).min_tokens;
    if (match_open((void *)(uintptr_t)job->near, &c->match, err) < 0 ||
        function_filter_open(&c->filter, job->near->benchmarks, job->near->options, err) < 0) {
        cut_close(&c->scanner);
        return err->code;
    }
    *out = &c->scanner;
    return 0;
}

static bool takes_compared(const void *shared, const struct dataset *dataset)
{
    const struct function_job *job = shared;

    return job->compared[dataset - job->run->datasets];
}

struct unit_key function_key(const struct function_job *job, struct unit_key key)
{
    const uint32_t how = job->near->options->view.functions;

    return unit_key_add(key, &how, sizeof how);
}

struct pass_scanner function_scanner(const struct function_job *job)
{
    enum { UNIT_FORMAT = 3 };
    const uint32_t      format = UNIT_FORMAT;
    struct pass_scanner scanner = near_scanner(job->near);

    scanner.kind = "functions";
    scanner.key = function_key(job, unit_key_add(scanner.key, &format, sizeof format));
    scanner.functions = true;
    scanner.takes = takes_compared;
    scanner.open = cut_open;
    scanner.shared = (void *)(uintptr_t)job;
    return scanner;
}
