/* corpus/reject.h -- records that could not be used, each with the reason: nothing is lost in silence. */
#ifndef LEAKGRAPH_CORPUS_REJECT_H
#define LEAKGRAPH_CORPUS_REJECT_H

#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

enum reject_reason {
    REJECT_INVALID_JSON, REJECT_MISSING_FIELD, REJECT_INVALID_UTF8, REJECT_TOO_LONG, REJECT_TRUNCATED, REJECT_CORRUPT,
    REJECT_RATIO, REJECT_UNREADABLE, REJECT_UNTOKENISED, REJECT_INVALID_CSV, REJECT_REASON_COUNT
};
extern const char *const reject_names[REJECT_REASON_COUNT]; /* "invalid-json", "missing-field", ... */

struct reject {
    uint64_t           record;                              /* number in the shard, from 0 */
    /* offset in the decoded shard (an archive: in the member; damage of Parquet: in the file) */
    uint64_t           byte;
    /* this one and those behind it that are lost with it: 1, but of a row group */
    uint64_t           records;
    enum reject_reason reason;
    char               detail[100];                         /* printable ASCII, what was wrong, cut to fit */
};

_Static_assert(sizeof(struct reject) == 128, "unit format");

struct reject_list { struct reject *at; size_t count, room; };

/* The records that rejects stand for. */
static inline uint64_t reject_records(const struct reject *at, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++) sum += at[i].records;
    return sum;
}

/* Appends one for a single record; detail is made printable and cut.  0 or -ENOMEM. */
int  reject_add(struct reject_list *list, uint64_t record, uint64_t byte, enum reject_reason reason, const char *format,
                ...)
     __attribute__((format(printf, 5, 6)));
void reject_list_free(struct reject_list *list);

#endif
