/* corpus/reject.h -- records that could not be used, each with the reason: nothing is lost in silence. */
#ifndef LEAKGRAPH_CORPUS_REJECT_H
#define LEAKGRAPH_CORPUS_REJECT_H

#include "base/bytes.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reject_reason {
    REJECT_INVALID_JSON, REJECT_MISSING_FIELD, REJECT_INVALID_UTF8, REJECT_TOO_LONG, REJECT_TRUNCATED, REJECT_CORRUPT,
    REJECT_RATIO, REJECT_UNREADABLE, REJECT_UNTOKENISED, REJECT_INVALID_CSV,
    /* a file of a folder or an archive that holds records (inner_records.h) */
    REJECT_RECORDS,
    /* no reject: a binary file of a folder or an archive, which took a number before it was read (skip.h) */
    REJECT_BINARY,
    /* a record that can be read, but is none to what reads the dataset */
    REJECT_REFUSED, REJECT_REASON_COUNT
};
extern const char *const reject_names[REJECT_REASON_COUNT]; /* "invalid-json", "missing-field", ... */

/* Damage costs bytes of the file; the other reasons a record that is whole. */
static inline bool reject_is_damage(enum reject_reason reason)
{
    return reason == REJECT_TRUNCATED || reason == REJECT_CORRUPT || reason == REJECT_RATIO ||
        reason == REJECT_UNREADABLE;
}

struct reject {
    uint64_t           record;                              /* number in the shard, from 0 */
    /* offset in the decoded shard (an archive: in the member; Parquet: in the texts of the row group; damage of it: in
     * the file) */
    uint64_t           byte;
    /* this one and those behind it that are lost with it: 1, but of a row group */
    uint64_t           records;
    /* lost with it.  Damage: bytes of the file that could not be used, 1 at least, estimated where the format tells no
     * better.  Else: decoded bytes of the record (too long: as many as were met, or as its container says) */
    uint64_t           bytes;
    /* damage: of these, the ones that the file does not have, as it ends too early */
    uint64_t           missing;
    enum reject_reason reason;
    /* in the list's paths, in a unit in the part's heap; len 0: not known */
    uint32_t           path_at, path_len;
    char               detail[84];                          /* printable ASCII, what was wrong, cut to fit */
};

_Static_assert(sizeof(struct reject) == 136, "unit format");
enum { REJECT_FORMAT = 4 };                                 /* of that struct: units of another one are made anew */

/* paths: of those that have one, laid end to end */
struct reject_list { struct reject *at; size_t count, room; struct bytes paths; };

/* Whether it only keeps a skipped file's number. */
static inline bool reject_is_skip(const struct reject *reject) { return reject->reason == REJECT_BINARY; }

/* The records that rejects stand for. */
static inline uint64_t reject_records(const struct reject *at, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++) sum += reject_is_skip(&at[i]) ? 0 : at[i].records;
    return sum;
}

/* Appends one for a single record; detail is made printable and cut.  0 or -ENOMEM. */
int  reject_add(struct reject_list *list, uint64_t record, uint64_t byte, uint64_t bytes, enum reject_reason reason,
                const char *format, ...)
     __attribute__((format(printf, 6, 7)));
/* The last one is of the document of that path, which is copied as it is.  0 or -ENOMEM. */
int  reject_set_path(struct reject_list *list, struct slice path);
void reject_list_clear(struct reject_list *list);           /* empties it; its memory stays */
void reject_list_free(struct reject_list *list);

#endif
