/* near/documents.c -- see documents.h.
 *
 * 1. Rows   2. The list   3. Classes
 *
 * Rank 0 keeps a row, its strings and an entry of the list for each matched document: there may be more of them than
 * memory takes, so they lie in files that are mapped (base/aside.h), and what has been looked at is left to the cache.
 * In memory are a brief of each and its classes, which are found by sorting outside of it, not by tables of keys. */
#include "near/documents.h"

#include "base/runs.h"
#include "near/index.h"

#include <errno.h>
#include <stdlib.h>

/* ---- 1. Rows ---- */

/* Pieces that stay where they are: the first small, as nearly all runs need no more. */
enum { KEPT_LEAST = 1 << 20, KEPT_MOST = 16 << 20 };

static void kept_leave(const struct near_kept *kept)
{
    if (aside_is_mapped(&kept->aside)) aside_leave(kept->bytes.at, kept->bytes.len);
}

static bool kept_has(const struct near_kept *kept, const struct near_row *row)
{
    return (uintptr_t)row - (uintptr_t)kept->bytes.at < kept->bytes.len;
}

const struct near_row *near_row_of(const struct near_result *result, struct near_look *look,
                                   const struct near_document *document)
{
    if (document->aside && !kept_has(&result->kept[look->kept], document->row))
        for (size_t k = 0; k < result->kept_count; k++) {
            if (!kept_has(&result->kept[k], document->row)) continue;
            kept_leave(&result->kept[look->kept]);
            look->kept = k;
            break;
        }
    return document->row;
}

const struct near_row *near_rows_keep(struct near_result *result, const struct run *run, struct slice rows,
                                      struct slice heap, struct err *err)
{
    struct near_kept *kept = result->kept_count ? &result->kept[result->kept_count - 1] : NULL;
    const size_t      size = rows.len + heap.len, doubled = kept ? 2 * kept->bytes.room : KEPT_LEAST,
                      room = doubled < KEPT_MOST ? doubled : KEPT_MOST;
    char             *at;

    if (!kept || kept->bytes.room - kept->bytes.len < size) {
        if (kept && aside_end(&kept->aside, &kept->bytes, run->stage, err) < 0) return NULL;
        if (kept) kept_leave(kept);
        if (ARRAY_GROW(result->kept, result->kept_room, result->kept_count) < 0) {
            err_memory(err, result->kept_room * sizeof *kept, "documents");
            return NULL;
        }
        kept = &result->kept[result->kept_count];
        *kept = (struct near_kept){ 0 };
        if (aside_reserve(&kept->aside, run->stage, &kept->bytes, size > room ? size : room, err) < 0) return NULL;
        result->kept_count++;
    }
    at = kept->bytes.at + kept->bytes.len;
    if (aside_append(&kept->aside, run->stage, &kept->bytes, rows, err) < 0 ||
        aside_append(&kept->aside, run->stage, &kept->bytes, heap, err) < 0) return NULL;
    kept->bytes.len = (kept->bytes.len + 63) / 64 * 64;
    if (kept->bytes.len > kept->bytes.room) kept->bytes.len = kept->bytes.room;
    return (const struct near_row *)(const void *)at;
}

/* ---- 2. The list ---- */

void near_documents_leave(const struct near_result *result) { kept_leave(&result->listed); }

static int list_add(struct near_kept *list, const struct run *run, const struct near_document *document, size_t count,
                    struct err *err)
{
    const struct slice piece = { (const char *)document, count * sizeof *document };

    if (!count) return 0;
    if (aside_reserve(&list->aside, run->stage, &list->bytes, piece.len, err) < 0) return err->code;
    return aside_append(&list->aside, run->stage, &list->bytes, piece, err);
}

/* The list, once it has got longer or another one: a small one is in memory. */
static void list_take(struct near_result *result)
{
    result->document = (struct near_document *)(void *)result->listed.bytes.at;
    result->document_count = result->listed.bytes.len / sizeof *result->document;
}

int near_documents_add(struct near_result *result, const struct run *run, const struct near_document *document,
                       size_t count, struct err *err)
{
    int rc;

    if (count >= UINT32_MAX - result->document_count)
        return err_set(err, -EFBIG, "more than 4,294,967,294 documents match; divide the corpora among several runs");
    rc = list_add(&result->listed, run, document, count, err);
    list_take(result);
    return rc;
}

static bool comes_before(const struct near_document *x, const struct near_document *y)
{
    return x->dataset != y->dataset ? x->dataset < y->dataset : x->number < y->number;
}

/* Residents and the others, each in order, as one list. */
static int list_merge(struct near_result *result, const struct run *run, size_t residents, struct err *err)
{
    enum { AT_ONCE = 256 };
    struct near_look look = { 0 };
    struct near_kept merged = { 0 };
    int              rc = 0;

    for (size_t r = 0, s = residents; (r < residents || s < result->document_count) && rc == 0; ) {
        struct near_document some[AT_ONCE];
        size_t               count = 0;

        while (count < AT_ONCE && (r < residents || s < result->document_count)) {
            const bool resident = s == result->document_count ||
                (r < residents && comes_before(&result->document[r], &result->document[s]));

            some[count++] = *near_document_at(result, &look, resident ? r++ : s++);
        }
        rc = list_add(&merged, run, some, count, err);
    }
    if (rc < 0) {
        aside_free(&merged.aside, &merged.bytes);
        return rc;
    }
    aside_free(&result->listed.aside, &result->listed.bytes);
    result->listed = merged;
    list_take(result);
    return 0;
}

/* In their order, with numbers and cells; no more are added. */
static int list_end(struct near_result *result, const struct run *run, const uint32_t *place, struct err *err)
{
    const size_t      count = result->document_count;
    struct near_kept *last = result->kept_count ? &result->kept[result->kept_count - 1] : NULL;
    struct near_look  look = { 0 };
    size_t            residents = 0;
    int               rc = 0;

    for (size_t d = 0; d < count; d++) {
        struct near_document *document = &result->document[d];

        near_document_at(result, &look, d);
        document->number = counts_number(&result->counts, document->shard, document->number);
        document->cell = place[document->cell];
        residents += !document->aside;
    }
    if (residents && residents < count &&
        comes_before(&result->document[residents], &result->document[residents - 1]))
        rc = list_merge(result, run, residents, err);
    if (rc == 0) rc = aside_end(&result->listed.aside, &result->listed.bytes, run->stage, err);
    return rc == 0 && last ? aside_end(&last->aside, &last->bytes, run->stage, err) : rc;
}

static int briefs_make(struct near_result *result, struct err *err)
{
    const size_t     count = result->document_count;
    struct near_look look = { 0 };

    result->brief = malloc((count + 1) * sizeof *result->brief);
    result->class_of = malloc((count + 1) * sizeof *result->class_of);
    result->copy_of = malloc((count + 1) * sizeof *result->copy_of);
    result->same = malloc((count + 1) * sizeof *result->same);
    if (!result->brief || !result->class_of || !result->copy_of || !result->same)
        return err_memory(err, count * (sizeof *result->brief + 3 * sizeof *result->class_of), "documents");
    if (result->counts.cell_count > 1u << 24)
        return err_set(err, -EFBIG, "the datasets have %zu splits and languages, more than 16,777,216 together; are "
                       "`split` or `language` the right fields?", result->counts.cell_count);
    for (size_t d = 0; d < count; d++) {
        const struct near_document *document = near_document_at(result, &look, d);
        const struct near_row      *row = near_row_of(result, &look, document);

        result->brief[d] = near_brief_of(document->number, document->cell, row->total, row->distinct);
        result->class_of[d] = result->copy_of[d] = result->same[d] = NO_CLASS;
    }
    return 0;
}

/* ---- 3. Classes ---- */

struct keyed { uint64_t low, high; uint32_t document, unused; };
struct numbered { uint32_t first, document; };              /* the first document of its class */

static uint64_t keyed_key(const void *record) { return ((const struct keyed *)record)->low; }

static int keyed_compare(const void *a, const void *b, void *context)
{
    const struct keyed *x = a, *y = b;

    (void)context;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->document > y->document) - (x->document < y->document);
}

static uint64_t numbered_key(const void *record)
{
    const struct numbered *numbered = record;

    return (uint64_t)numbered->first << 32 | numbered->document;
}

struct content_hash near_class_of(const struct near_job *job, const struct near_document *document,
                                  const struct near_row *row)
{
    const struct content_hash hash = { row->class_low, row->class_high };

    if (!document->admitted || !(hash.low || hash.high)) return (struct content_hash){ 0, 0 };
    return near_class_key(hash, minimums_level(&job->minimums, job->run->datasets, document->dataset));
}

/* What documents are told apart by: features; bytes that are no white space, where a pair may be looked for by that
 * alone; all bytes. */
enum told_by { BY_FEATURES, BY_COPY, BY_BYTES };

/* 0, 0: the document is in no class. */
static struct content_hash key_of(const struct near_job *job, enum told_by by, const struct near_document *document,
                                  const struct near_row *row)
{
    const bool alone = !document->admitted || row->total < job->minimums.most;

    if (by == BY_FEATURES) return near_class_of(job, document, row);
    if (by == BY_BYTES) return row->raw;
    return alone ? (struct content_hash){ row->copy_low, row->copy_high } : (struct content_hash){ 0, 0 };
}

/* Documents by their class: keyed, with those of one key together, is read, and numbered is filled. */
static int firsts_find(const struct runs *keyed, struct runs *numbered, struct err *err)
{
    struct runs_reader *reader;
    const void         *record;
    struct keyed        last = { 0 };
    struct numbered     found = { 0 };
    bool                any = false;
    int                 rc = runs_read(keyed, &reader, err);

    while (rc == 0 && (rc = runs_next(reader, &record, err)) > 0) {
        const struct keyed *at = record;

        if (!any || at->low != last.low || at->high != last.high) found.first = at->document;
        found.document = at->document;
        last = *at;
        any = true;
        rc = runs_add(numbered, &found, err);
    }
    runs_reader_close(reader);
    return rc < 0 ? rc : runs_end(numbered, err);
}

/* Gives every document of `numbered` the number of its class, which come in the order of their first documents. */
static int numbers_give(uint32_t *number, const struct runs *numbered, uint32_t *classes, struct err *err)
{
    struct runs_reader *reader;
    const void         *record;
    uint32_t            first = 0;
    int                 rc = runs_read(numbered, &reader, err);

    *classes = 0;
    while (rc == 0 && (rc = runs_next(reader, &record, err)) > 0) {
        const struct numbered *at = record;

        if (!*classes || at->first != first) ++*classes;
        first = at->first;
        number[at->document] = *classes - 1;
        rc = 0;
    }
    runs_reader_close(reader);
    return rc;
}

/* number[d] of each document, [document_count], and how many numbers there are. */
static int classes_number(const struct near_result *result, const struct near_job *job, enum told_by by,
                          uint32_t *number, uint32_t *classes, struct err *err)
{
    const uint64_t            memory = run_memory_sorting(job->run);
    const struct runs_options by_key = { .stage = job->run->stage, .name = "classes", .size = sizeof(struct keyed),
                                         .key = keyed_key, .compare = keyed_compare, .memory = memory },
        by_first = { .stage = job->run->stage, .name = "firsts", .size = sizeof(struct numbered),
                     .key = numbered_key, .memory = memory };
    struct near_look          look = { 0 };
    struct runs              *keyed = NULL, *numbered = NULL;
    int                       rc = runs_open(&keyed, &by_key, err);

    if (rc == 0) rc = runs_open(&numbered, &by_first, err);
    for (size_t d = 0; d < result->document_count && rc == 0; d++) {
        const struct near_document *document = near_document_at(result, &look, d);
        const struct content_hash   key = key_of(job, by, document, near_row_of(result, &look, document));

        if (key.low || key.high) rc = runs_add(keyed, &(struct keyed){ key.low, key.high, (uint32_t)d, 0 }, err);
    }
    if (rc == 0) rc = runs_end(keyed, err);
    if (rc == 0) rc = firsts_find(keyed, numbered, err);
    runs_close(keyed);
    if (rc == 0) rc = numbers_give(number, numbered, classes, err);
    runs_close(numbered);
    return rc;
}

int near_documents_end(struct near_result *result, const struct near_job *job, const uint32_t *place, struct err *err)
{
    uint32_t unused;
    int      rc = list_end(result, job->run, place, err);

    if (rc == 0) rc = briefs_make(result, err);
    if (rc == 0) rc = classes_number(result, job, BY_FEATURES, result->class_of, &result->class_count, err);
    if (rc == 0) rc = classes_number(result, job, BY_COPY, result->copy_of, &result->copy_class_count, err);
    return rc == 0 ? classes_number(result, job, BY_BYTES, result->same, &unused, err) : rc;
}
