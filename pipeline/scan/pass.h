/* scan/pass.h -- the one pass over shards: every record is decoded, parsed and turned into features once, for all who ask.
 *
 * Shards are dealt over ranks; inside a rank every thread has a shard of its own while there are enough, and helps with the others'
 * when there are not: under the shard's lock it decodes a batch, outside the lock it works on it.  What a scanner makes of a
 * batch is a part; the parts of a unit, in order, are committed as one file.  Nothing in a unit depends on ranks or threads. */
#ifndef LEAKGRAPH_SCAN_PASS_H
#define LEAKGRAPH_SCAN_PASS_H

#include "base/comm.h"
#include "base/err.h"
#include "base/stage.h"
#include "corpus/dataset.h"
#include "corpus/record.h"
#include "view/view.h"

/* Sections of a part.  The pass fills groups and rejects; the others are the scanner's, heap being for strings of both. */
enum part_section { PART_GROUPS, PART_REJECTS, PART_HEAP, PART_ROWS, PART_VALUES, PART_COUNTS, PART_SECTIONS };

struct part { uint64_t sequence; struct bytes section[PART_SECTIONS]; };

/* Documents of one split and language in a part; the strings are in the heap. */
struct part_group {
    uint32_t split_at, split_len, language_at, language_len;
    uint64_t documents, admitted, bytes;
};
_Static_assert(sizeof(struct part_group) == 40, "unit format");

struct unit_header {
    uint64_t documents, rejected, text_bytes;
    uint64_t xxh3, next;                                    /* next: the shard's next unit, 0 in its last one, which has the xxh3 of the file */
    uint64_t parts;
};

struct document {                                           /* what a scanner sees of a record; valid during the call */
    const struct record        *record;
    const struct view_language *language;
    struct feature_list         features;
    uint32_t                    group;                      /* index into the part's groups */
    bool                        admitted;                   /* features.count >= min_tokens */
    const struct shard         *shard;
    uint64_t                    unit;                       /* number of the shard's unit that it belongs to */
};

/* One a thread.  document() appends to the part's sections; begin and end (may be NULL) tell that a part starts, and that it has all its
 * documents. */
struct scanner {
    void (*begin)(struct scanner *scanner);
    int  (*document)(struct scanner *scanner, const struct document *document, struct part *part, struct err *err);
    int  (*end)(struct scanner *scanner, struct part *part, struct err *err);
    void (*close)(struct scanner *scanner);
};

struct pass_totals { uint64_t documents, rejected, bytes, text_bytes, units, units_reused; };

struct pass {
    struct comm           *comm;
    struct stage          *stage;
    const struct dataset  *datasets;
    const struct shard    *shards;                          /* all; an item is an index into this */
    const uint32_t        *item;                            /* [item_count] */
    size_t                 item_count;
    const char            *kind;                            /* of unit files */
    struct unit_key        key;                             /* of everything but the shard that the units depend on */
    struct view_options    view;
    uint32_t               min_tokens;
    uint64_t               unit_bytes;                      /* of text in a unit; 0: SOURCE_UNIT_BYTES */
    bool                   records_only;                    /* documents come without language, features and group, those too that the view alone rejects */
    uint32_t               want_fields;                     /* bits 1 << FIELD_STARS, FIELD_DATE: also looked for; the key must tell */
    int                    threads;
    int                  (*open_scanner)(void *shared, struct scanner **out, struct err *err);
    int                  (*shard_done)(void *shared, const struct shard *shard, struct err *err);  /* may be NULL: see below */
    void                  *shared;
    struct pass_totals     totals;                          /* out, of this rank */
};

/* Collective.  Returns 0 when every unit of every item is committed, else the worst rank's error.  shard_done is called once for each item
 * when all its units are committed, on the rank that made or found them, by any thread. */
int pass_run(struct pass *pass, struct err *err);

/* A committed unit of a shard.  1; 0 when it is not there; <0 with err set. */
struct pass_unit { struct unit file; const struct unit_header *header; };
int  pass_unit_load(const struct pass *pass, const struct shard *shard, uint64_t unit, struct pass_unit *out, struct err *err);
struct unit_key pass_unit_key(const struct pass *pass, const struct shard *shard, uint64_t unit);      /* uses datasets and key */
struct slice pass_unit_section(const struct pass_unit *unit, uint64_t part, enum part_section section);

/* Appends a field's value to the heap; at, len say where (len NO_STRING when the record has none).  0 or -ENOMEM. */
#define NO_STRING UINT32_MAX
struct heap_string { uint32_t at, len; };
int  part_add_string(struct part *part, struct slice s, struct heap_string *out);
int  part_add_field(struct part *part, const struct record *record, enum field field, struct heap_string *out);

#endif
