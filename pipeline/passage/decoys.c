/* passage/decoys.c -- entries that stand in no document but by chance; see passage.h. */
#include "passage/index.h"

#include "base/table.h"

#include <errno.h>
#include <stdlib.h>

/* Decoys of a language; entries that it must have; runs in a row that are taken from one, of a quarter of the item's;
 * draws for each run. */
enum { DECOYS_MOST = 1000, DONORS_LEAST = 20, BLOCK_MOST = 4, BLOCKS_LEAST = 4, DRAWS = 4 };

static uint32_t block_of(uint32_t runs)
{
    const uint32_t part = runs / BLOCKS_LEAST;

    return part < 1 ? 1 : part < BLOCK_MOST ? part : BLOCK_MOST;
}

/* A number that looks drawn, of those before it (splitmix64: Steele, Lea, Flood 2014). */
static uint64_t drawn(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static const struct passage_entry *entry_at(const struct passage_builder *b, uint32_t e)
{
    return (const struct passage_entry *)(const void *)b->entry.at + e;
}

/* A block of the donor's runs that the decoy has not got yet; model: runs of the item that it is for.  Returns how
 * many were taken, or <0. */
static int block_take(struct passage_builder *b, struct table *seen, uint32_t donor, uint64_t draw, uint32_t model,
                      uint32_t most)
{
    const struct passage_entry from = *entry_at(b, donor);
    const uint32_t             start = (uint32_t)(draw % from.runs);
    int                        taken = 0;

    for (uint32_t i = start; i < from.runs && i < start + block_of(model) && (uint32_t)taken < most; i++) {
        const uint32_t run = ((const uint32_t *)(const void *)b->run.at)[from.run_at + i];
        bool           added;

        if (table_put(seen, run, 0, 0, &added) == TABLE_NONE ||
            (added && bytes_append(&b->run, &run, sizeof run) < 0)) return -ENOMEM;
        taken += added;
    }
    return taken && bytes_append(&b->donor, &donor, sizeof donor) < 0 ? -ENOMEM : taken;
}

/* A decoy for entry `of`, from those in list[count].  It may lack runs where items have few between them; then it is
 * none. */
static int decoy_add(struct passage_builder *b, struct table *seen, uint32_t of, const uint32_t *list, size_t count)
{
    const struct passage_entry model = *entry_at(b, of);
    const size_t               runs = b->run.len, donors = b->donor.len;
    struct passage_entry       decoy = { .run_at = runs / sizeof(uint32_t), .language = model.language,
                                         .need = model.need, .longer = model.longer,
                                         .donor_at = (uint32_t)(donors / sizeof(uint32_t)) };
    uint64_t                   state = of;

    table_clear(seen);
    for (uint64_t i = 0; decoy.runs < model.runs && i < DRAWS * (uint64_t)model.runs; i++) {
        const uint32_t donor = list[drawn(&state) % count];
        const int      taken = donor == of ? 0
            : block_take(b, seen, donor, drawn(&state), model.runs, model.runs - decoy.runs);

        if (taken < 0) return taken;
        decoy.runs += (uint32_t)taken;
        decoy.donors += taken > 0;
    }
    if (decoy.runs < model.runs) {
        b->run.len = runs;
        b->donor.len = donors;
        return 0;
    }
    b->decoys++;
    return bytes_append(&b->entry, &decoy, sizeof decoy);
}

static int number_order(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* How long documents must be for the decoys from entry `first` on, all of one language. */
static int needs_add(struct passage_builder *b, uint64_t language, uint32_t first)
{
    const uint32_t       last = (uint32_t)(b->entry.len / sizeof(struct passage_entry));
    struct passage_needs of = { language, (uint32_t)(b->need.len / sizeof(uint32_t)), last - first };

    for (uint32_t e = first; e < last; e++)
        if (bytes_append(&b->need, &entry_at(b, e)->longer, sizeof(uint32_t)) < 0) return -ENOMEM;
    qsort(b->need.at + of.first * sizeof(uint32_t), of.count, sizeof(uint32_t), number_order);
    return of.count ? bytes_append(&b->language, &of, sizeof of) : 0;
}

struct listed { uint64_t language; uint32_t entry; };

static int listed_order(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;

    if (x->language != y->language) return x->language < y->language ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

int passage_add_decoys(struct passage_builder *b)
{
    const size_t   count = b->entry.len / sizeof(struct passage_entry);
    struct listed *listed = malloc((count + 1) * sizeof *listed);
    uint32_t      *list = malloc((count + 1) * sizeof *list);
    struct table   seen = { 0 };
    int            rc = listed && list ? 0 : -ENOMEM;

    for (size_t e = 0; rc == 0 && e < count; e++)
        listed[e] = (struct listed){ entry_at(b, (uint32_t)e)->language, (uint32_t)e };
    if (rc == 0) qsort(listed, count, sizeof *listed, listed_order);
    for (size_t i = 0, end; rc == 0 && i < count; i = end) {
        const uint32_t first = (uint32_t)(b->entry.len / sizeof(struct passage_entry));
        size_t         decoys;

        for (end = i; end < count && listed[end].language == listed[i].language; end++)
            list[end - i] = listed[end].entry;
        decoys = end - i < DECOYS_MOST ? end - i : DECOYS_MOST;
        if (end - i < DONORS_LEAST) continue;
        for (size_t d = 0; rc == 0 && d < decoys; d++)
            rc = decoy_add(b, &seen, list[d * (end - i) / decoys], list, end - i);
        if (rc == 0) rc = needs_add(b, listed[i].language, first);
    }
    table_free(&seen);
    free(listed);
    free(list);
    return rc;
}
