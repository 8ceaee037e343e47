/* pass/part.c -- what a batch became. */
#include "pass/private.h"

#include <errno.h>
#include <stdlib.h>

int part_add_string(struct part *part, struct slice s, struct heap_string *out)
{
    struct bytes *heap = &part->section[PART_HEAP];

    *out = (struct heap_string){ 0, NO_STRING };
    if (heap->len + s.len >= NO_STRING || bytes_append_slice(heap, s) < 0) return -ENOMEM;
    *out = (struct heap_string){ (uint32_t)(heap->len - s.len), (uint32_t)s.len };
    return 0;
}

int part_add_field(struct part *part, const struct record *record, enum field field, struct heap_string *out)
{
    struct bytes *heap = &part->section[PART_HEAP];
    size_t        start = heap->len;

    *out = (struct heap_string){ 0, NO_STRING };
    if (bytes_reserve(heap, start) < 0) return -ENOMEM;     /* so that at stays NULL only where memory is out */
    if (!record_field(record, field, heap)) return 0;
    if (!heap->at || heap->len >= NO_STRING) return -ENOMEM;
    *out = (struct heap_string){ (uint32_t)start, (uint32_t)(heap->len - start) };
    return 0;
}

static struct slice file_text(const struct document *document)
{
    return document->file ? document->file->text : document->record->text;
}

int part_add_licence(struct part *part, const struct document *document, struct heap_string *out, uint32_t *source)
{
    struct licensing *known = document->licensing;

    if (part_add_field(part, document->record, FIELD_LICENSE, out) < 0) return -ENOMEM;
    if (!known->licence_known) {
        known->from = licence_of_record(&known->licence, heap_slice(part->section[PART_HEAP].at, *out),
                                        file_text(document));
        if (known->from == LICENCE_UNSAID && out->len != NO_STRING && out->len) known->from = LICENCE_IN_FIELD;
        known->licence_known = true;
    }
    if (source) *source = known->from;
    return known->from == LICENCE_IN_TEXT ? part_add_string(part, slice_of(known->licence.expression), out) : 0;
}

int part_add_holders(struct part *part, const struct document *document, struct heap_string *out)
{
    struct licensing *known = document->licensing;

    *out = (struct heap_string){ 0, NO_STRING };
    if (!known->holders_known) {
        known->holders.len = 0;
        if (licence_holders(&known->holders, file_text(document)) < 0) return -ENOMEM;
        known->holders_known = true;
    }
    return known->holders.len ? part_add_string(part, bytes_slice(&known->holders), out) : 0;
}

int part_add_path(struct part *part, const struct record *record)
{
    struct bytes    *paths = &part->section[PART_PATHS];
    struct part_path made = { .record = record->number }, last;

    if (paths->len) {
        memcpy(&last, paths->at + paths->len - sizeof last, sizeof last);
        if (last.record == record->number) return 0;
    }
    if (part_add_field(part, record, FIELD_PATH, &made.path) < 0) return -ENOMEM;
    return made.path.len == NO_STRING || made.path.len == 0 ? 0 : bytes_append(paths, &made, sizeof made);
}
