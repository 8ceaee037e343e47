/* passage/passage.h -- items of benchmarks that stand in longer documents of the corpora, as runs of features.
 *
 * A run is n features of the view that follow each other: four names, twelve tokens, two lines.  An item is a passage
 * of a longer document that has at least a share (`passages`) of the item's different runs, so what the item is made of
 * must be there in its order, not only its words.  Items with fewer than `least` different runs are not looked for:
 * what is short is found by chance.
 *
 * Exact by construction: an item's runs are put in order, rarest first; a document that has ceil(t n) of n has one of
 * the first n - ceil(t n) + 1 (the prefix filter, as in near/near.h).  Those propose, and then all runs are counted.
 * Two runs are equal when their 64-bit hashes are.
 *
 * Decoys say how often that is by chance, in the run itself.  A decoy has as many runs as an item, but in blocks of
 * four, at most a quarter of them, taken from other items of its language: text that looks like items, and that nobody
 * wrote.  It is looked for as items are.  A document that holds one of the items that a decoy is made of is left aside:
 * all other pairs of a decoy and a document are unrelated, and those that reach the share are false (as decoys are used
 * where spectra are searched for peptides: Elias and Gygi, Nature Methods 2007). */
#ifndef LEAKGRAPH_PASSAGE_PASSAGE_H
#define LEAKGRAPH_PASSAGE_PASSAGE_H

#include "near/near.h"
#include "near/stages.h"

struct passage_index;

struct passage_job {
    const struct run      *run;
    const struct near_job *near;
    struct passage_index  *index;                           /* from passage_prepare to passage_release */
};

/* Is it asked for? */
static inline bool passage_on(const struct near_options *o) { return o->passages.den != 0; }

/* Collects the items' runs, resuming what is committed, and maps their index for the scan.  Collective.  Whatever it
 * returns, passage_release ends it. */
int  passage_prepare(struct passage_job *job, struct err *err);
void passage_release(struct passage_job *job);

/* The scanners of benchmarks, and of all corpora: the latter needs passage_prepare to run, not to find its units. */
struct pass_scanner passage_collector(const struct passage_job *job);
struct pass_scanner passage_scanner(const struct passage_job *job);
struct unit_key     passage_index_key(const struct passage_job *job);

/* ---- what units hold ---- */

/* Of items: PART_ROWS; their different runs, as they come, in PART_VALUES.  Of one with fewer than `least`, none. */
struct passage_item { uint64_t record, language, value_at; uint32_t runs, features; };
_Static_assert(sizeof(struct passage_item) == 32, "unit format");

/* Of a document and an entry of the index that is a passage of it: PART_ROWS.  line 0: where is not known. */
struct passage_row {
    uint64_t           record;
    uint32_t           entry, found;                        /* of the entry's runs */
    uint32_t           at, end, line, line_end;             /* bytes of its text, and lines from 1 */
    struct heap_string source_id, path, repo, license;
};
_Static_assert(sizeof(struct passage_row) == 64, "unit format");

/* Of a part: pairs of a decoy and a document that is long enough for it, and those that reached the share, the decoys
 * of which are in PART_VALUES (uint32_t, entries).  PART_COUNTS. */
struct passage_chance { uint64_t tested, reached; };
_Static_assert(sizeof(struct passage_chance) == 16, "unit format");

/* Features of the shortest document that is longer than an item of so many: by a quarter.  Others are compared with the
 * item as wholes, by near. */
static inline uint32_t passage_longer(uint32_t features) { return features + (features + 3) / 4; }

/* ---- runs ---- */

#define PASSAGE_BASE 0x9e3779b97f4a7c15ull                  /* odd: multiplying loses nothing modulo 2^64 */

/* The hash of a run from the polynomial of its features.  Never 0. */
static inline uint64_t passage_key(uint64_t sum)
{
    sum ^= sum >> 32;
    sum *= VIEW_HASH_K1;
    return sum + !sum;
}

/* PASSAGE_BASE to the power of a run's length. */
static inline uint64_t passage_power(uint32_t n)
{
    uint64_t power = 1;

    while (n--) power *= PASSAGE_BASE;
    return power;
}

#endif
