/* corpus/reject.c -- see reject.h. */
#include "corpus/reject.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *const reject_names[REJECT_REASON_COUNT] = {
    [REJECT_INVALID_JSON] = "invalid-json", [REJECT_MISSING_FIELD] = "missing-field",
    [REJECT_INVALID_UTF8] = "invalid-utf8", [REJECT_TOO_LONG] = "too-long",
    [REJECT_TRUNCATED] = "truncated",       [REJECT_CORRUPT] = "corrupt",
    [REJECT_RATIO] = "ratio",               [REJECT_UNREADABLE] = "unreadable",
    [REJECT_UNTOKENISED] = "untokenised",   [REJECT_INVALID_CSV] = "invalid-csv",
    [REJECT_RECORDS] = "records",           [REJECT_BINARY] = "binary",
    [REJECT_REFUSED] = "refused",
};

int reject_add(struct reject_list *list, uint64_t record, uint64_t byte, uint64_t bytes, enum reject_reason reason,
               const char *format, ...)
{
    struct reject *reject;
    va_list        args;

    if (list->count == list->room) {
        size_t         room = list->room ? list->room * 2 : 16;
        struct reject *at = room > SIZE_MAX / 2 / sizeof *at ? NULL : realloc(list->at, room * sizeof *at);

        if (!at) return -ENOMEM;
        list->at = at;
        list->room = room;
    }
    reject = &list->at[list->count++];
    *reject = (struct reject){ .record = record, .byte = byte, .records = 1, .bytes = bytes,
                               .reason = reason };
    va_start(args, format);
    vsnprintf(reject->detail, sizeof reject->detail, format, args);
    va_end(args);
    /* Details quote hostile data (keys, paths): nothing that a terminal or a page would act upon gets through. */
    for (char *c = reject->detail; *c; c++)
        if (*c < 0x20 || *c > 0x7E) *c = '?';
    return 0;
}

int reject_set_path(struct reject_list *list, struct slice path)
{
    struct reject *last = &list->at[list->count - 1];

    if (list->paths.len + path.len > UINT32_MAX || bytes_append_slice(&list->paths, path) < 0) return -ENOMEM;
    last->path_at = (uint32_t)(list->paths.len - path.len);
    last->path_len = (uint32_t)path.len;
    return 0;
}

void reject_list_clear(struct reject_list *list) { list->count = list->paths.len = 0; }

void reject_list_free(struct reject_list *list)
{
    free(list->at);
    bytes_free(&list->paths);
    *list = (struct reject_list){ 0 };
}
