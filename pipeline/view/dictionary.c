/* view/dictionary.c -- see dictionary.h. */
#include "view/dictionary.h"

#include <errno.h>
#include <stdlib.h>

/* What was looked up last, by the end of its hash: most names of a file are those of the files before it. */
enum { LAST = 2048 };
struct looked_up { uint64_t feature; uint32_t rank; };

struct knower {
    const struct dictionary *dictionary;
    uint64_t                *present;                       /* of the last answer: zero but for its ranks */
    uint32_t                *different;                     /* [features] */
    size_t                   distinct;
    struct feature_list      features;                      /* of the last question */
    uint32_t                *rank, *place;                  /* [room] */
    uint64_t                *likely;                        /* [room / 64 + 1] */
    size_t                   room;
    struct looked_up         last[LAST];
};

int knower_open(struct knower **out, const struct dictionary *dictionary, struct err *err)
{
    struct knower *knower = calloc(1, sizeof *knower);

    *out = NULL;
    if (!knower) return err_memory(err, sizeof *knower, "a scanner");
    knower->dictionary = dictionary;
    knower->present = calloc(dictionary->features / 64 + 1, sizeof *knower->present);
    knower->different = malloc((dictionary->features + 1ull) * sizeof *knower->different);
    if (!knower->present || !knower->different) {
        knower_close(knower);
        return err_memory(err, dictionary->features * 5ull, "a scanner");
    }
    *out = knower;
    return 0;
}

void knower_close(struct knower *knower)
{
    if (!knower) return;
    free(knower->present);
    free(knower->different);
    free(knower->rank);
    free(knower->place);
    free(knower->likely);
    free(knower);
}

static int reserve(struct knower *knower, size_t room, struct err *err)
{
    if (room <= knower->room) return 0;
    room += room / 2;
    free(knower->rank);
    free(knower->place);
    free(knower->likely);
    knower->rank = malloc(room * sizeof *knower->rank);
    knower->place = malloc(room * sizeof *knower->place);
    knower->likely = malloc((room / 64 + 1) * sizeof *knower->likely);
    knower->room = knower->rank && knower->place && knower->likely ? room : 0;
    return knower->room ? 0 : err_memory(err, room * 9, "a document's features");
}

static void forget(struct knower *knower)
{
    for (size_t i = 0; i < knower->distinct; i++) knower->present[knower->different[i] >> 6] = 0;
    knower->distinct = 0;
}

/* Takes a rank of the document; no branch on whether it has been met. */
static void take(struct knower *knower, uint32_t rank)
{
    uint64_t      *word = &knower->present[rank >> 6];
    const uint64_t bit = 1ull << (rank & 63);

    knower->different[knower->distinct] = rank;
    knower->distinct += (*word & bit) == 0;
    *word |= bit;
}

/* Fills likely.  No branch on the filter's answer: it is a coin's. */
static void likely_find(struct knower *knower, struct feature_list features)
{
    for (size_t word = 0; word <= features.count / 64; word++) {
        const size_t end = features.count - 64 * word < 64 ? features.count : 64 * word + 64;
        uint64_t     bits = 0;

        for (size_t i = 64 * word; i < end; i++)
            bits |= (uint64_t)dictionary_maybe(knower->dictionary, features.hash[i]) << (i & 63);
        knower->likely[word] = bits;
    }
}

static uint32_t rank_of(struct knower *knower, uint64_t feature)
{
    struct looked_up *last = &knower->last[feature % LAST];

    if (last->feature != feature) *last = (struct looked_up){ feature, dictionary_rank(knower->dictionary, feature) };
    return last->rank;
}

int knower_ask(struct knower *knower, struct feature_list features, struct known *out, struct err *err)
{
    if (reserve(knower, features.count + 1, err) < 0) return err->code;
    forget(knower);
    knower->features = features;
    likely_find(knower, features);
    *out = (struct known){ .count = features.count, .likely = knower->likely, .untold = knower };
    return 0;
}

void known_rank(struct known *known)
{
    struct knower *knower = known->untold;
    size_t         placed = 0;

    if (!knower) return;
    memset(knower->rank, 0xff, known->count * sizeof *knower->rank);
    for (size_t word = 0; word <= known->count / 64; word++)
        for (uint64_t bits = known->likely[word]; bits; bits &= bits - 1) {
            const size_t   place = 64 * word + (size_t)__builtin_ctzll(bits);
            const uint32_t rank = rank_of(knower, knower->features.hash[place]);

            if (rank == DICTIONARY_NONE) continue;          /* the filter was wrong, or has more */
            knower->rank[place] = rank;
            knower->place[placed++] = (uint32_t)place;
            take(knower, rank);
        }
    *known = (struct known){ .count = known->count, .likely = known->likely, .rank = knower->rank,
                             .different = knower->different, .present = knower->present,
                             .distinct = knower->distinct, .place = knower->place, .placed = placed };
}

struct known knower_part(struct knower *knower, struct known *all, size_t from, size_t count)
{
    known_rank(all);
    forget(knower);
    for (size_t i = from; i < from + count; i++)
        if (all->rank[i] != DICTIONARY_NONE) take(knower, all->rank[i]);
    return (struct known){ .count = count, .likely = all->likely, .first = from, .rank = all->rank + from,
                           .different = knower->different, .present = knower->present, .distinct = knower->distinct };
}
