/* ngram/roller.h -- what a thread knows of the corpora while it looks for the items' n-grams.  Private to scan.c (one
 * document, one part), search.c (which n-grams a document has) and pieces.c (what those say of lines and bytes). */
#ifndef LEAKGRAPH_NGRAM_ROLLER_H
#define LEAKGRAPH_NGRAM_ROLLER_H

#include "ngram/index.h"

enum { LOOK_AHEAD = 8, TALLIES = 1 << 15 };

/* the document that had it last; sums of the part, whose text is no more than 32 bits count */
struct gram_state { uint32_t document, documents, occurrences; };
/* As written: the document that had it last, and of an n-gram that is written in one way the last that had it in
 * another alone; sums of the part, of such an n-gram of what is not as written (struct ngram_count). */
struct kept_state { uint32_t document, missed, documents, occurrences; };

/* What is told of a shard is of the one with that number, so far. */
struct line_state {
    uint64_t best_record;
    uint32_t shard, best_run, best_covered;                 /* of the shard, best_record being the run's document */
    /* in the document: where it was found last, runs of n-grams */
    uint32_t document, last, run, best, best_at;
    /* n-grams of the line, repetitions included, that the document has; at most so many runs of them */
    uint32_t found, pieces;
    uint32_t next;                                          /* the line's n-gram that would follow the last one */
    /* Of windows, which are those of the texts as written where the job tells both cases, told here all the same: byte
     * of the document up to which bytes were compared; */
    uint32_t until;
    uint32_t hit;                                           /* place in hits + 1 */
    /* of its entry, around its n-grams: all were found in the shard */
    enum line_windows { WINDOWS_NONE, WINDOWS_WANTED, WINDOWS_ALL } windows : 16;
    enum ngram_near near : 16;                              /* of documents of the shard */
};
_Static_assert(sizeof(struct line_state) == 64, "a line of the cache");

struct found { uint32_t at, gram; };                        /* in the document */
struct compare { const uint32_t *place; uint32_t entry, line, first; };
struct entry_state { uint32_t shard, from, to; };           /* windows that the shard's last stretch has */

/* N-grams as they are looked for, and as written beside that. */
enum roller_side { SIDE_FOUND, SIDE_KEPT, SIDES };

struct roller {
    struct scanner            scanner;                      /* first: what the pass sees */
    const struct ngram_job   *job;
    const struct ngram_index *index;
    struct view_scratch      *view;
    uint64_t                  power[NGRAM_N_MAX + 1];
    struct gram_state        *gram;                         /* [grams] */
    struct kept_state        *kept;                         /* [ids] of a job that tells both cases, else NULL */
    struct line_state        *line[SIDES];                  /* [lines]; of those as written NULL likewise */
    struct entry_state       *entry;                        /* [entries] */
    uint32_t                  document, shard;              /* counted */
    uint64_t                  last_reading;
    /* [room] of the document's words; 0: not known yet; hash_kept: as written, is `hash` where the job has one case */
    uint64_t                 *hash, *hash_kept;
    /* [room] prefix: polynomials, right within runs; prefix_kept: as written, of a job that tells both cases */
    uint64_t                 *prefix, *prefix_kept, *key;
    uint32_t                 *at, *start;                   /* [room] of key; where n-grams may start */
    struct found             *found;                        /* [room] */
    /* [room] of each that was found its id as written, or UINT32_MAX; of a job that tells both cases */
    uint32_t                 *found_kept;
    size_t                    room, found_count;
    /* [lines], [classes] of a job that tells both cases: the last document that has an n-gram of the line, or class, in
     * another way than items write it, or that items write in several; of lines that have none such in a document, what
     * is told of them is told of both sides */
    uint32_t                 *differs, *marked;
    /* uint32_t: those that the part has, those that the document has of each side */
    struct bytes              grams, kepts, lines[SIDES];
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

/* Hands all n-grams that the document has to roller_pieces, the ones of each length together, ascending.  0 or
 * -ENOMEM. */
int  roller_search(struct roller *r);

/* Makes r->hash_kept known of every word, which is r->hash where the job has one case. */
void roller_hash_words(struct roller *r);

/* ---- pieces.c ---- */

/* Those in r->found, which are of one length; alike: a job of one case, or all are as written, and items write all of
 * them in one way.  0 or -ENOMEM. */
int  roller_pieces(struct roller *r, bool alike);

/* The part's hit of a line of a side; made when it is the first.  NULL when memory is out. */
struct ngram_hit *roller_hit(struct roller *r, enum roller_side side, uint32_t line);

/* Forgets what is told of a line in a shard before this one. */
void roller_line_begin(const struct roller *r, struct line_state *line);

/* N-grams of lines as a side numbers them; does the document have one? */
static inline const uint32_t *roller_grams(const struct roller *r, enum roller_side side)
{
    return side == SIDE_KEPT ? r->index->gram_kept : r->index->gram;
}
static inline bool roller_has(const struct roller *r, enum roller_side side, uint32_t id)
{
    return (side == SIDE_KEPT ? r->kept[id].document : r->gram[id].document) == r->document;
}

#endif
