/* pass/pass.h -- the one pass over shards: every record is decoded, parsed and turned into features once, for all who
 * ask.
 *
 * Shards are dealt over ranks; one that is a fair share for several ranks is read by so many, each of which makes every
 * so-many-th of its units.  Inside a rank every thread has a shard of its own while there are enough, and helps with
 * the others' when there are not: under the shard's lock it decodes a batch, outside the lock it works on it.  A shard
 * whose parts can be read alone, as Parquet's row groups, is shared out among threads as it is among ranks, and nobody
 * decodes a part that is another's.  What a scanner makes of a batch is a part; the parts of a unit, in order, are
 * committed as one file.  Every scanner's units are its own, and nothing in them depends on the other scanners: a
 * scanner that is new reads the shards again, the others find their units there.
 *
 * What all units of a shard add up to depends on the input alone, whichever process made which of them, with however
 * many ranks and threads. A unit need not be the same bytes every time: a part may leave out what a document before it
 * in the shard, seen by the same thread in the same reading, has outdone already.  Documents of a reading come to a
 * thread in their order, so what is left out is never the best of the shard, nor the first of the best: the unit that
 * has that document says so, whoever made it. */
#ifndef LEAKGRAPH_PASS_PASS_H
#define LEAKGRAPH_PASS_PASS_H

#include "base/aside.h"
#include "base/comm.h"
#include "base/err.h"
#include "base/stage.h"
#include "corpus/dataset.h"
#include "corpus/record.h"
#include "licence/licence.h"
#include "pass/run.h"
#include "view/dictionary.h"
#include "view/view.h"
#include "view/words.h"

/* Sections of a part.  The pass fills groups and rejects; the others are the scanner's, heap being for strings of both,
 * paths for what part_add_path puts there. */
enum part_section {
    PART_GROUPS, PART_REJECTS, PART_HEAP, PART_ROWS, PART_VALUES, PART_COUNTS, PART_PATHS, PART_SECTIONS
};

/* values: of PART_VALUES, for a scanner that has very many (base/aside.h) */
struct part { uint64_t sequence; struct bytes section[PART_SECTIONS]; struct aside values; };

/* Documents of one split and language in a part; the strings are in the heap. */
struct part_group {
    uint32_t split_at, split_len, language_at, language_len;
    uint64_t documents, admitted, bytes;
};
_Static_assert(sizeof(struct part_group) == 40, "unit format");

struct unit_header {
    uint64_t documents, rejected, text_bytes;
    /* next: the shard's next unit, 0 in its last one, which has the xxh3 of the file */
    uint64_t xxh3, next;
    uint64_t parts;
    struct skips skipped;                                   /* while it was read: without what a tree's listing did */
};
enum { UNIT_HEADER_FORMAT = 2 };                            /* of that struct: part of every unit's key */

/* A record's licence and holders.  Finding them out takes longer than its features, so it is done for the first row
 * that is kept of the record, and not again for the others. */
struct licensing {
    bool                licence_known, holders_known;
    enum licence_source from;
    struct licence      licence;                            /* what the text says, where it is from there */
    struct bytes        holders;
};

struct document {                                           /* what a scanner sees of a record; valid during the call */
    const struct record        *record;
    const struct view_language *language;
    struct feature_list         features;
    struct known               *known;                      /* of the record's features, if a scanner wants it */
    const struct view_words    *words;                      /* of the text; NULL unless the scanner wants them */
    struct view_functions       functions;                  /* none unless the scanner wants them */
    struct view_scratch        *view;                       /* what has read the features and functions last */
    /* the text is that of this function of the record; NULL: the record's */
    const struct function      *function;
    const struct record        *file;                       /* that record; NULL where the text is the record's */
    size_t                      from;                       /* the first of the record's features that is its */
    struct licensing           *licensing;                  /* of the record */
    uint32_t                    group;                      /* index into the part's groups */
    bool                        admitted;                   /* features.count >= min_tokens, and not 0 */
    const struct shard         *shard;
    uint64_t                    unit;                       /* number of the shard's unit that it belongs to */
    /* of the shard's reading by this rank, which is met in order; not 0 */
    uint64_t                    reading;
};

/* One a thread.  document() appends to the part's sections; begin and end (may be NULL) tell that a part starts, and
 * that it has all its documents. */
struct scanner {
    void (*begin)(struct scanner *scanner);
    /* of a scanner that looks at few records; false: this one need not be read, and may be shown all the same.  NULL:
     * all are wanted */
    bool (*wants)(struct scanner *scanner, const struct shard *shard, uint64_t unit, uint64_t record);
    /* for a scanner that wants functions: are those of the document worth telling, which has no more than its features
     * yet?  1, 0, <0 with err set.  NULL: always */
    int  (*asks)(struct scanner *scanner, const struct document *document, struct err *err);
    /* 0; 1: it is none to this scanner, which has appended nothing: a reject of its unit, err->text saying why; <0 */
    int  (*document)(struct scanner *scanner, const struct document *document, struct part *part, struct err *err);
    int  (*end)(struct scanner *scanner, struct part *part, struct err *err);
    /* between two parts: those of a unit that is complete, in order, whoever made them; what their rows, values and
     * counts add up to may be left in the first one alone.  NULL: they stay */
    int  (*merge)(struct scanner *scanner, struct part *const *part, size_t parts, struct err *err);
    void (*close)(struct scanner *scanner);
};

/* What a scanner needs of a document beside its record; each has what those before it have. */
enum pass_needs {
    PASS_RECORDS,                                           /* nothing */
    PASS_GROUPS,                                            /* language and group */
    /* features of the pass's view; a document that the view rejects is one of the unit's rejects */
    PASS_FEATURES,
};

/* Scanners of one kind, and the units that they make. */
struct pass_scanner {
    const char      *kind;                                  /* of unit files; no two scanners of a pass have the same */
    struct unit_key  key;                                   /* of everything but the shard that the units depend on */
    enum pass_needs  needs;
    uint32_t         min_tokens;                            /* features of an admitted document */
    bool             functions;                             /* wants those of each document, beside its features */
    bool             known;                                 /* wants what the pass's dictionary knows of them */
    bool             words;                                 /* wants to know where the words of the text are */
    /* whose shards it reads; NULL: all */
    bool           (*takes)(const void *shared, const struct dataset *dataset);
    int            (*open)(void *shared, struct scanner **out, struct err *err);
    /* may be NULL: see pass_run; with it no shard is divided among ranks */
    int            (*shard_done)(void *shared, const struct shard *shard, struct err *err);
    void            *shared;
    /* out: in the scanner's functions and, of the first scanner that needs them, making features; all threads of this
     * rank together */
    double           seconds;
};

struct pass_totals { uint64_t documents, rejected, bytes, text_bytes, units, units_reused; };

static inline void pass_totals_add(struct pass_totals *sums, const struct pass_totals *more)
{
    sums->documents += more->documents;
    sums->rejected += more->rejected;
    sums->bytes += more->bytes;
    sums->text_bytes += more->text_bytes;
    sums->units += more->units;
    sums->units_reused += more->units_reused;
}

/* Sets of scanners are 32 bits. */
enum { PASS_SCANNERS = 32 };

struct pass {
    const struct run      *run;
    const char            *stage;                           /* as base/status.h calls it; NULL: by its scanners */
    const uint32_t        *item;                            /* [item_count] indices of its shards */
    size_t                 item_count;
    /* [shards->count] items of one bundle stand side by side and are dealt together, to one rank; NULL: each alone */
    const uint32_t        *bundle;
    struct view_options    view;                            /* of the scanners that need features */
    const struct dictionary *dictionary;                    /* that they ask; NULL: nothing is known of features */
    uint64_t               unit_bytes;                      /* of text in a unit; 0: SOURCE_UNIT_BYTES */
    /* bits 1 << FIELD_STARS, FIELD_DATE: also looked for; the keys must tell */
    uint32_t               want_fields;
    struct pass_scanner    scanner[PASS_SCANNERS];          /* [scanner_count] */
    size_t                 scanner_count;
    /* out, of this rank: units of all scanners, documents in shards that the first one takes */
    struct pass_totals     totals;
    /* out: decoding and parsing, all threads of this rank together */
    double                 seconds;
    double                 wall;                            /* out: of pass_stream, on this rank */
};

/* Adds a scanner.  0, or -E2BIG with err set. */
int  pass_add(struct pass *pass, struct pass_scanner scanner, struct err *err);

/* `takes` of a scanner of one side. */
bool pass_takes_benchmarks(const void *shared, const struct dataset *dataset);
bool pass_takes_corpora(const void *shared, const struct dataset *dataset);

/* Fills item with the shards that a scanner takes, the largest first so that no rank ends late; of bundles the largest
 * first, and the shards of each in the list's order.  Owned by the caller (free).  0 or -ENOMEM. */
int  pass_take_shards(struct pass *pass, size_t shard_count, struct err *err);

/* Collective.  Returns 0 when every unit of every item is committed, else the worst rank's error.  A scanner's
 * shard_done is called once for each item that it takes when all its units are committed, on the rank that made or
 * found them, by any thread. */
int  pass_run(struct pass *pass, struct err *err);

/* Both, with no items beforehand or afterwards; then totals and seconds are those of all ranks.  Collective. */
int  pass_stream(struct pass *pass, size_t shard_count, struct err *err);

/* A committed unit of a shard. */
struct pass_unit { struct unit file; const struct unit_header *header; uint32_t shard; };

/* 1; 0 when it is not there; <0 with err set. */
int  pass_unit_load(const struct run *run, const struct pass_scanner *scanner, uint32_t shard, uint64_t number,
                    struct pass_unit *out, struct err *err);
/* The same, and the content is not verified. */
int  pass_unit_map(const struct run *run, const struct pass_scanner *scanner, uint32_t shard, uint64_t number,
                   struct pass_unit *out, struct err *err);
/* The first of one that must be there: 0, or <0 with err set. */
int  pass_unit_need(const struct run *run, const struct pass_scanner *scanner, uint32_t shard, uint64_t number,
                    struct pass_unit *out, struct err *err);

/* The units of a scanner, one after the other, in the contract's order:
 *     struct pass_walk walk = pass_walk_all(run, scanner);
 *     while ((rc = pass_walk_next(&walk, err)) > 0) ... walk.unit ...
 *     pass_walk_close(&walk);
 * A unit is open until the next step, unless it is kept. */
struct pass_walk {
    const struct run          *run;
    const struct pass_scanner *scanner;
    uint32_t                   shard, end;                  /* where the next unit is, and the shard to stop at */
    uint64_t                   number;                      /* of the next unit */
    bool                       heads;                       /* contents are not verified: their headers will do */
    struct pass_unit           unit;
};
struct pass_walk pass_walk_all(const struct run *run, const struct pass_scanner *scanner);  /* shards that it takes */
struct pass_walk pass_walk_shard(const struct run *run, const struct pass_scanner *scanner, uint32_t shard);
/* 1; 0 after the last; <0 with err set, -EIO when a unit is missing. */
int  pass_walk_next(struct pass_walk *walk, struct err *err);
void pass_walk_close(struct pass_walk *walk);

/* Units that stay open; a zeroed struct has none.  keep takes the walk's unit over: 0, or <0 with err set. */
struct pass_units { struct pass_unit *at; size_t count, room; };
int  pass_units_keep(struct pass_units *units, struct pass_walk *walk, struct err *err);
void pass_units_free(struct pass_units *units);

struct unit_key pass_unit_key(const struct dataset *datasets, struct unit_key scanner, const struct shard *shard,
                              uint64_t unit);

/* Where a part's section is among those of its unit's file: behind the header, sections of a kind side by side, so that
 * who goes through rows does not have the values between them read, too. */
static inline size_t pass_section_at(uint64_t parts, uint64_t part, enum part_section section)
{
    return 1 + (size_t)(section * parts + part);
}

static inline struct slice pass_unit_section(const struct pass_unit *unit, uint64_t part, enum part_section section)
{
    return unit->file.section[pass_section_at(unit->header->parts, part, section)];
}

/* For who goes through a unit part by part: what lies before this one's sections is left to the system's cache, once
 * that is much.  behind: of each kind, up to where it was done; a zeroed one at first. */
struct pass_behind { const char *at[PART_SECTIONS]; };
void pass_unit_leave(const struct pass_unit *unit, uint64_t part, struct pass_behind *behind);

/* Appends a field's value to the heap; at, len say where (len NO_STRING when the record has none).  0 or -ENOMEM. */
#define NO_STRING UINT32_MAX
struct heap_string { uint32_t at, len; };
static inline struct slice heap_slice(const char *heap, struct heap_string s)
{
    return s.len == NO_STRING ? (struct slice){ 0 } : (struct slice){ heap + s.at, s.len };
}
int  part_add_string(struct part *part, struct slice s, struct heap_string *out);
int  part_add_field(struct part *part, const struct record *record, enum field field, struct heap_string *out);

/* The licence of a document, a function's being its file's: of the record's field, else of its text; *source (or NULL):
 * enum licence_source.  Not for every record of a pass: for those that are kept.  0 or -ENOMEM. */
int  part_add_licence(struct part *part, const struct document *document, struct heap_string *out, uint32_t *source);
int  part_add_holders(struct part *part, const struct document *document, struct heap_string *out);

/* Keeps the path of a record of which rows of the part tell a place, once for rows of one record; of records in their
 * order.  What has none is left out.  pass/paths.h finds it again.  0 or -ENOMEM. */
struct part_path { uint64_t record; struct heap_string path; };
_Static_assert(sizeof(struct part_path) == 16, "unit format");
int  part_add_path(struct part *part, const struct record *record);

#endif
