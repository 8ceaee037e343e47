/* clonetype/scan.c -- see clonetype.h, within.h: the scanners of functions in benchmarks and in corpora, and of clones
 * of the former in the latter. */
#include "clonetype/within.h"

#include "corpus/line.h"
#include "near/near.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions of a document ---- */

struct reader {
    struct scanner              scanner;                    /* first: what the pass sees */
    const struct clonetype_job *job;
    struct view_scratch        *scratch;
    struct forms               *forms;
    struct clonetype_asker      asker;
    size_t                      line_at;                    /* where lines are counted to, of the document's text */
    uint32_t                    line;
    struct form_place          *place;                      /* [place_room] of a function's items */
    size_t                      place_room;
    struct names_asker          names;
    bool                        asked;                      /* names: of the document that comes */
    struct view_scratch        *other;                      /* where names are; what is inside them */
    struct forms               *inside;
};

static void reader_close(struct scanner *scanner)
{
    struct reader *r = (struct reader *)scanner;

    view_scratch_close(r->scratch);
    view_scratch_close(r->other);
    forms_close(r->inside);
    names_asker_free(&r->names);
    forms_close(r->forms);
    clonetype_asker_free(&r->asker);
    free(r->place);
    free(r);
}

static int reader_open(const struct clonetype_job *job, struct reader **out, struct err *err)
{
    const struct view_options view = { .kind = VIEW_TOKENS }, names = { .kind = VIEW_IDENTIFIERS };
    struct reader            *r = calloc(1, sizeof *r);

    *out = NULL;
    if (!r) return err_memory(err, sizeof *r, "a scanner");
    r->job = job;
    r->scanner.close = reader_close;
    if (view_scratch_open(&r->scratch, &view, err) < 0 || forms_open(&r->forms, err) < 0 ||
        view_scratch_open(&r->other, &names, err) < 0 || forms_open(&r->inside, err) < 0) {
        reader_close(&r->scanner);
        return err->code;
    }
    *out = r;
    return 0;
}

/* The functions of a document; lines are counted anew. */
static int reader_read(struct reader *r, const struct document *document, const struct functions **functions,
                       struct err *err)
{
    const struct view_language *language = view_language_of(r->scratch, document->language->name, document->record,
                                                            err);

    r->line_at = 0;
    r->line = 1;
    return language ? forms_read(r->forms, r->scratch, language, document->record->text, functions, err) : err->code;
}

/* Functions come in the order in which they begin. */
static int span_make(struct reader *r, const struct record *record, const struct function *function,
                     struct part *part, struct function_span *out)
{
    const char *text = record->text.at;

    r->line += (uint32_t)line_ends(record->text, r->line_at, function->at);
    r->line_at = function->at;
    *out = (struct function_span){ .at = function->at, .end = function->end, .line = r->line,
                                   .class_name = { 0, NO_STRING } };
    out->line_end = r->line + (uint32_t)line_ends(record->text, function->at, function->end);
    if (part_add_string(part, (struct slice){ text + function->name_at, function->name_end - function->name_at },
                        &out->name) < 0) return -ENOMEM;
    if (function->class_end == function->class_at) return 0;
    return part_add_string(part, (struct slice){ text + function->class_at, function->class_end - function->class_at },
                           &out->class_name);
}

/* Where the items of function i lie, of whose form forms_of has spoken last.  0 or -ENOMEM. */
static int places_make(struct reader *r, size_t i, size_t items)
{
    if (items > r->place_room) {
        free(r->place);
        r->place_room = 0;
        r->place = malloc(2 * items * sizeof *r->place);
        if (!r->place) return -ENOMEM;
        r->place_room = 2 * items;
    }
    forms_places(r->forms, i, (enum form_items)r->job->options->unit, r->place);
    return 0;
}

/* The lines of each item of a function, behind those of the functions before it.  0 or -ENOMEM. */
static int lines_add(struct reader *r, const struct record *record, size_t i, size_t items,
                     const struct function_span *span, struct part *part)
{
    struct item_lines lines = { .line = span->line };
    uint32_t          at = span->at;

    if (!items) return 0;
    if (places_make(r, i, items) < 0) return -ENOMEM;
    for (size_t n = 0; n < items; n++) {
        lines.line += (uint32_t)line_ends(record->text, at, r->place[n].at);
        at = r->place[n].at;
        lines.line_end = lines.line + (uint32_t)line_ends(record->text, at, r->place[n].end);
        if (bytes_append(&part->section[PART_COUNTS], &lines, sizeof lines) < 0) return -ENOMEM;
    }
    return 0;
}

/* The forms of function i, unless it is too short: 1, 0, or -ENOMEM with err set. */
static int form_make(struct reader *r, const struct function *function, size_t i, struct form *form, struct err *err)
{
    const struct clonetype_options *options = r->job->options;

    if (function->token_end - function->token < options->min_tokens) return 0;
    if (forms_of(r->forms, i, (enum form_items)options->unit, form, err) < 0) return err->code;
    return form->names >= options->min_names && form->repeated >= options->min_repeated;
}

/* ---- the benchmarks' ---- */

/* The record's own strings, once; *there says whether they have been added.  0 or -ENOMEM. */
static int strings_add(const struct record *record, struct function_row *row, bool *there, struct part *part)
{
    if (*there) return 0;
    *there = true;
    return part_add_field(part, record, FIELD_ID, &row->source_id) < 0 ||
        part_add_field(part, record, FIELD_PATH, &row->path) < 0 ||
        part_add_field(part, record, FIELD_REPO, &row->repo) < 0 ||
        part_add_field(part, record, FIELD_LICENSE, &row->license) < 0 ? -ENOMEM : 0;
}

/* What stands from one name to another, renamed; read by itself, so that it is told of every text alike. */
static int inside_make(struct reader *r, const struct document *document, uint32_t at, uint32_t end,
                       struct content_hash *out, struct err *err)
{
    const struct view_language *language = view_language_of(r->other, document->language->name, document->record, err);
    const struct slice          text = { document->record->text.at + at, end - at };

    return language ? forms_inside(r->inside, r->other, language, text, out, err) : err->code;
}

static bool is_main(const struct reader *r, const struct form *form)
{
    return 2 * form->tokens >= forms_tokens(r->forms);
}

/* Function i of the document, in this form: its row without the record's strings, its items and their lines, and the
 * order of its names.  0, or -ENOMEM with err set. */
static int function_add(struct reader *r, const struct document *document, const struct functions *functions, size_t i,
                        const struct form *form, bool names, struct fragment_row *row, struct part *part,
                        struct err *err)
{
    const struct clonetype_options *options = r->job->options;
    struct bytes                   *values = &part->section[PART_VALUES], *paths = &part->section[PART_PATHS];

    *row = (struct fragment_row){ .record = document->record->number, .item_at = values->len / sizeof(uint64_t),
                                  .exact = form->exact, .consistent = form->consistent, .blind = form->blind,
                                  .main = is_main(r, form), .name_at = paths->len / sizeof(uint32_t),
                                  .names = names ? (uint32_t)form->names : 0,
                                  .language = clonetype_language(document->language) };
    if (options->type[CLONE_TYPE_3] && (options->unit == FORM_TOKENS || form->items >= options->min_lines))
        row->items = (uint32_t)form->items;
    if (names && inside_make(r, document, form->inside.at, form->inside.end, &row->inside, err) < 0) return err->code;
    if (span_make(r, document->record, &functions->at[i], part, &row->span) < 0 ||
        lines_add(r, document->record, i, row->items, &row->span, part) < 0 ||
        bytes_append(values, form->item, row->items * sizeof *form->item) < 0 ||
        bytes_append(paths, form->name, row->names * sizeof *form->name) < 0)
        return err_memory(err, sizeof *row, "a part's functions");
    return 0;
}

/* Rows of a document's functions: of benchmarks their forms, of corpora the record's strings too. */
static int functions_add(struct reader *r, const struct document *document, bool strings, struct part *part,
                         struct err *err)
{
    const bool              names = !strings && r->job->by_names;
    const struct functions *functions;
    struct function_row     row = { 0 };
    bool                    there = false;

    if (reader_read(r, document, &functions, err) < 0) return err->code;
    for (size_t i = 0; i < functions->count; i++) {
        struct form form;
        const int   rc = form_make(r, &functions->at[i], i, &form, err);

        if (rc < 0) return rc;
        if (!rc || (!strings && r->job->options->of == OF_ITEMS && !is_main(r, &form))) continue;
        if (function_add(r, document, functions, i, &form, names, &row.form, part, err) < 0) return err->code;
        if ((strings && strings_add(document->record, &row, &there, part) < 0) ||
            bytes_append(&part->section[PART_ROWS], &row, strings ? sizeof row : sizeof row.form) < 0)
            return err_memory(err, sizeof row, "a part's functions");
    }
    return 0;
}

static int collector_document(struct scanner *scanner, const struct document *document, struct part *part,
                              struct err *err)
{
    return functions_add((struct reader *)scanner, document, false, part, err);
}

static int within_document(struct scanner *scanner, const struct document *document, struct part *part,
                           struct err *err)
{
    return functions_add((struct reader *)scanner, document, true, part, err);
}

static int collector_open(void *shared, struct scanner **out, struct err *err)
{
    struct reader *r;

    *out = NULL;
    if (reader_open(shared, &r, err) < 0) return err->code;
    r->scanner.document = collector_document;
    *out = &r->scanner;
    return 0;
}

static int within_scan_open(void *shared, struct scanner **out, struct err *err)
{
    int rc = collector_open(shared, out, err);

    if (rc == 0) (*out)->document = within_document;
    return rc;
}

/* ---- their clones ---- */

/* Where what is in common with those of type 3 is. */
static void aligned_find(const struct reader *r, const struct record *record, const struct clonetype_match *match,
                         struct clonetype_row *row)
{
    const struct form_place *first, *last;

    if (match->loosest != CLONE_TYPE_3) return;
    first = &r->place[match->aligned.b];
    last = &r->place[match->aligned.b_end - 1];
    row->item = (uint32_t)match->aligned.a;
    row->item_end = (uint32_t)match->aligned.a_end;
    row->aligned.line = row->span.line + (uint32_t)line_ends(record->text, row->span.at, first->at);
    row->aligned.line_end = row->aligned.line + (uint32_t)line_ends(record->text, first->at, last->end);
}

/* Rows of what was found for function i, of this form. */
static int clones_add(struct reader *r, const struct document *document, const struct function *function, size_t i,
                      const struct form *form, struct clonetype_row *fields, struct part *part)
{
    const struct record *record = document->record;

    if (!fields->record) {                                  /* the record's strings, once */
        if (part_add_field(part, record, FIELD_ID, &fields->source_id) < 0 ||
            part_add_field(part, record, FIELD_PATH, &fields->path) < 0 ||
            part_add_field(part, record, FIELD_REPO, &fields->repo) < 0 ||
            part_add_licence(part, document, &fields->license, NULL) < 0) return -ENOMEM;
        fields->record = 1;
    }
    if (span_make(r, record, function, part, &fields->span) < 0 || places_make(r, i, form->items) < 0) return -ENOMEM;
    for (size_t m = 0; m < r->asker.count; m++) {
        const struct clonetype_match *match = &r->asker.match[m];
        struct clonetype_row          row = *fields;

        row.record = record->number;
        row.exact = form->exact;
        row.consistent = form->consistent;
        row.fragment = match->fragment;
        row.loosest = match->loosest;
        row.items = (uint32_t)form->items;
        row.common = match->common;
        row.whole = match->whole;
        aligned_find(r, record, match, &row);
        if (bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0) return -ENOMEM;
    }
    return 0;
}

/* Function i of the document is looked up.  fields: record is 1 when its strings are there. */
static int function_search(struct reader *r, const struct document *document, const struct function *function, size_t i,
                           struct clonetype_row *fields, struct part *part, struct err *err)
{
    struct form form;
    const int   rc = form_make(r, function, i, &form, err);

    if (rc <= 0) return rc;
    if (clonetype_ask(r->job->index, &r->asker, &form, err) < 0) return err->code;
    return r->asker.count && clones_add(r, document, function, i, &form, fields, part) < 0
        ? err_memory(err, r->asker.count * sizeof *fields, "a part's clones") : 0;
}

static int searcher_document(struct scanner *scanner, const struct document *document, struct part *part,
                             struct err *err)
{
    struct reader          *r = (struct reader *)scanner;
    const struct functions *functions;
    struct clonetype_row    fields = { 0 };
    int                     rc = reader_read(r, document, &functions, err);

    for (size_t i = 0; rc == 0 && i < functions->count; i++)
        rc = function_search(r, document, &functions->at[i], i, &fields, part, err);
    return rc;
}

uint32_t clonetype_language(const struct view_language *language)
{
    uint32_t sum = 0;

    for (const char *c = language->name; *c; c++) sum = sum * 31 + (unsigned char)*c;
    return UINT32_C(1) << sum % 32;
}

/* ---- those that only names have changed in, in the pass's own reading ---- */

static int names_look(struct reader *r, const struct document *document, struct err *err)
{
    r->asked = true;
    r->names.count = 0;
    r->names.many = false;
    if (!(r->job->index->languages & clonetype_language(document->language))) return 0;
    return names_ask(&r->job->index->names, &r->names, document->features) < 0
        ? err_memory(err, r->names.count * sizeof *r->names.place, "names of a document") : 0;
}

static int renamed_asks(struct scanner *scanner, const struct document *document, struct err *err)
{
    struct reader      *r = (struct reader *)scanner;
    const uint32_t     *at = view_last_places(document->view);
    struct content_hash inside;

    if (names_look(r, document, err) < 0) return err->code;
    if (!r->names.count || r->names.many) return r->names.many;
    for (size_t p = 0; p < r->names.count; p++) {
        const struct names_place *place = &r->names.place[p], *before = p ? place - 1 : NULL;

        if ((!before || before->from != place->from || before->count != place->count) &&
            inside_make(r, document, at[place->from], at[place->from + place->count - 1], &inside, err) < 0)
            return err->code;
        if (inside.low == place->inside.low && inside.high == place->inside.high) return 1;
    }
    return 0;
}

/* Is there a place that is all names of the function? */
static bool is_place(const struct reader *r, const struct view_functions *functions, size_t i)
{
    const size_t from = functions->run[i].from, count = functions->run[i].to - from;

    if (r->names.many) return true;
    for (size_t p = 0; p < r->names.count; p++)
        if (r->names.place[p].from == from && r->names.place[p].count == count) return true;
    return false;
}

static int renamed_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct reader        *r = (struct reader *)scanner;
    struct clonetype_row  fields = { 0 };
    int                   rc = 0;

    /* tokens that were given may be others than the text's */
    if (record_has_tokens(document->record)) return searcher_document(scanner, document, part, err);
    if (document->functions.count && !r->asked) rc = names_look(r, document, err);
    r->asked = false;
    if (rc < 0 || !document->functions.count) return rc;
    forms_take(r->forms, document->view, document->language, document->record->text);
    r->line_at = 0;
    r->line = 1;
    for (size_t i = 0; rc == 0 && i < document->functions.count; i++)
        if (is_place(r, &document->functions, i))
            rc = function_search(r, document, &document->functions.at[i], i, &fields, part, err);
    return rc;
}

static int searcher_open(void *shared, struct scanner **out, struct err *err)
{
    struct reader *r;

    *out = NULL;
    if (reader_open(shared, &r, err) < 0) return err->code;
    r->scanner.document = r->job->by_names ? renamed_document : searcher_document;
    if (r->job->by_names) r->scanner.asks = renamed_asks;
    *out = &r->scanner;
    return 0;
}

/* ---- both ---- */

bool clonetype_searches(const struct clonetype_job *job, const struct dataset *dataset)
{
    return dataset->role == ROLE_CORPUS &&
        (job->options->of == OF_FUNCTIONS || near_in_functions(dataset));
}

static bool takes_corpus(const void *shared, const struct dataset *dataset)
{
    return clonetype_searches(shared, dataset);
}

static bool takes_within(const void *shared, const struct dataset *dataset) { return within_has(shared, dataset); }

struct pass_scanner clonetype_collector(const struct clonetype_job *job)
{
    const struct clonetype_options *o = job->options;
    const uint32_t format = 6, of[] = { format, o->min_tokens, o->min_names, o->min_repeated, o->min_lines,
                                        (uint32_t)o->unit, (uint32_t)o->of, o->type[CLONE_TYPE_3], job->by_names };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));

    return (struct pass_scanner){ .kind = "fragments", .key = unit_key_add(key, of, sizeof of), .needs = PASS_GROUPS,
                                  .takes = pass_takes_benchmarks, .open = collector_open,
                                  .shared = (void *)(uintptr_t)job };
}

struct pass_scanner within_collector(const struct clonetype_job *job)
{
    struct pass_scanner scanner = clonetype_collector(job);

    scanner.kind = "functionforms";
    scanner.takes = takes_within;
    scanner.open = within_scan_open;
    return scanner;
}

struct pass_scanner clonetype_searcher(const struct clonetype_job *job)
{
    const struct clonetype_options *o = job->options;
    struct pass_scanner             scanner = clonetype_collector(job);

    scanner.kind = "clonetypes";
    scanner.key = unit_key_add(scanner.key, &job->index->key, sizeof job->index->key);
    scanner.key = unit_key_add(scanner.key, o->type, sizeof o->type);
    scanner.key = unit_key_add(scanner.key, &o->dissimilarity, sizeof o->dissimilarity);
    scanner.takes = takes_corpus;
    scanner.open = searcher_open;
    if (!job->by_names) return scanner;
    scanner.needs = PASS_FEATURES;                          /* what the view rejects is not read */
    scanner.functions = true;
    return scanner;
}

/* ---- the small side ---- */

bool clonetype_between(const struct clonetype_job *job)
{
    bool benchmark = false, corpus = false;

    for (size_t d = 0; d < job->run->dataset_count; d++) {
        benchmark |= job->run->datasets[d].role == ROLE_BENCHMARK;
        corpus |= clonetype_searches(job, &job->run->datasets[d]);
    }
    return benchmark && corpus;
}

int clonetype_prepare(struct clonetype_job *job, struct err *err)
{
    struct pass collect = { .run = job->run, .scanner = { clonetype_collector(job) }, .scanner_count = 1 };
    int         rc = pass_stream(&collect, job->run->shards->count, err);

    pass_totals_add(&job->totals, &collect.totals);
    if (rc < 0) return rc;
    job->index = calloc(1, sizeof *job->index);
    rc = job->index ? clonetype_index_read(job, job->index, err)
        : err_memory(err, sizeof *job->index, "functions of the benchmarks");
    return comm_agree(job->run->comm, rc, err);
}

void clonetype_release(struct clonetype_job *job)
{
    if (job->index) clonetype_index_free(job->index);
    free(job->index);
    job->index = NULL;
}
