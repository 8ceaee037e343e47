/* ngram/roller.h -- what a thread knows of the corpora while it looks for the items' n-grams.  Private to scan.c (one
 * document, one part), search.c (which n-grams a document has) and pieces.c (what those say of lines and bytes). */
#ifndef LEAKGRAPH_NGRAM_ROLLER_H
#define LEAKGRAPH_NGRAM_ROLLER_H

#include "ngram/index.h"

enum { LOOK_AHEAD = 8, TALLIES = 1 << 15 };

/* the document that had it last; sums of the part */
struct gram_state { uint32_t document, documents; uint64_t occurrences; };

/* What is told of a shard is of the one with that number, so far. */
struct line_state {
    uint64_t best_record;
    uint32_t shard, best_run, best_covered;                 /* of the shard, best_record being the run's document */
    /* in the document: where it was found last, runs of n-grams */
    uint32_t document, last, run, best, best_at;
    /* n-grams of the line, repetitions included, that the document has; at most so many runs of them */
    uint32_t found, pieces;
    uint32_t next;                                          /* the line's n-gram that would follow the last one */
    uint32_t until;                                         /* byte of the document up to which bytes were compared */
    uint32_t hit;                                           /* place in hits + 1 */
    /* of its entry, around its n-grams: all were found in the shard */
    enum line_windows { WINDOWS_NONE, WINDOWS_WANTED, WINDOWS_ALL } windows : 16;
    enum ngram_near near : 16;                              /* of documents of the shard */
};
_Static_assert(sizeof(struct line_state) == 64, "a line of the cache");

struct found { uint32_t at, gram; };                        /* in the document */
struct compare { const uint32_t *place; uint32_t entry, line, first; };
struct entry_state { uint32_t shard, from, to; };           /* windows that the shard's last stretch has */

/* Where a document has n-grams: those of a length begin at words at[from[length]] .. at[to[length] - 1], ascending. */
struct places {
    struct bytes at;                                        /* uint32_t */
    size_t       from[NGRAM_N_MAX + 1], to[NGRAM_N_MAX + 1];
};

struct roller {
    struct scanner            scanner;                      /* first: what the pass sees */
    const struct ngram_job   *job;
    const struct ngram_index *index;
    struct view_scratch      *view;
    uint64_t                  power[NGRAM_N_MAX + 1];
    struct gram_state        *gram;                         /* [grams] */
    struct line_state        *line;                         /* [lines] */
    struct entry_state       *entry;                        /* [entries] */
    uint32_t                  document, shard;              /* counted */
    const struct shard       *last_shard;
    uint64_t                 *hash;                         /* [room] of the document's words; 0: not known yet */
    uint64_t                 *prefix, *key;                 /* [room] prefix: polynomials, right within runs */
    uint32_t                 *at, *start;                   /* [room] of key; where n-grams may start */
    struct found             *found;                        /* [room] */
    size_t                    room, found_count;
    /* of the job that folds: what it leaves for the other one */
    struct places             places;
    /* uint32_t: those that the part has, those that the document has */
    struct bytes              grams, lines;
    struct bytes              hits, stretches, compares;
    /* The document: its text, its bytes as they are compared, once they are asked for, and where its words start. */
    struct slice              text, bytes;
    struct bytes              folded;
    const struct view_words  *spans;
    const uint32_t           *at_byte;
    size_t                    words;
    struct bytes              line_counts;                  /* uint32_t: lines that end before each block, so far */
    uint32_t                  tally[TALLIES];               /* of its words, by some bits of their hashes, */
    bool                      tallied;                      /* once they are asked for */
    uint64_t                  record;
};

/* ---- search.c ---- */

/* Hands all n-grams that the document has to roller_pieces, the ones of each length together, ascending.  spotted: of
 * the document, read from the job that folds, and written by it.  0 or -ENOMEM. */
int  roller_search(struct roller *r, struct spotted *spotted);

/* Makes r->hash known of every word. */
void roller_hash_words(struct roller *r);

/* ---- pieces.c ---- */

/* Those in r->found, which are of one length.  0 or -ENOMEM. */
int  roller_pieces(struct roller *r);

/* The part's hit of a line; made when it is the first.  NULL when memory is out. */
struct ngram_hit *roller_hit(struct roller *r, uint32_t line);

#endif
