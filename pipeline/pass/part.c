/* pass/part.c -- what a batch became. */
#include "licence/licence.h"
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

int part_add_licence(struct part *part, const struct record *record, struct slice text, struct heap_string *out,
                     uint32_t *source)
{
    struct licence      licence;
    enum licence_source from;

    if (part_add_field(part, record, FIELD_LICENSE, out) < 0) return -ENOMEM;
    from = licence_of_record(&licence, heap_slice(part->section[PART_HEAP].at, *out), text);
    if (from == LICENCE_UNSAID && out->len != NO_STRING && out->len) from = LICENCE_IN_FIELD;
    if (source) *source = from;
    return from == LICENCE_IN_TEXT ? part_add_string(part, slice_of(licence.expression), out) : 0;
}

int part_add_holders(struct part *part, struct slice text, struct heap_string *out)
{
    struct bytes *heap = &part->section[PART_HEAP];
    const size_t  start = heap->len;

    *out = (struct heap_string){ 0, NO_STRING };
    if (licence_holders(heap, text) < 0 || heap->len >= NO_STRING) return -ENOMEM;
    if (heap->len > start) *out = (struct heap_string){ (uint32_t)start, (uint32_t)(heap->len - start) };
    return 0;
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
