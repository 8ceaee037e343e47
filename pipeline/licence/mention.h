/* licence/mention.h -- where words name licences, with their versions, and which phrases of licences' texts they have:
 * one walk over the words. */
#ifndef LEAKGRAPH_LICENCE_MENTION_H
#define LEAKGRAPH_LICENCE_MENTION_H

#include "licence/table.h"
#include "licence/words.h"

enum { MENTIONS = 128 };

/* A licence that is named: row, or one of two (row[1] LICENCE_NOTHING: one).  at, end: words.  open: no version is said
 * of one that has several.  weak: in an address, or where a licence is pointed to (`see the`, `a copy of the`), so that
 * it says nothing where another is named.  denied: `not MIT`. */
struct mention { uint16_t row[2], family; uint32_t at, end; bool open, weak, denied; };

struct mentions {
    struct mention at[MENTIONS];
    size_t         count;
    uint32_t       more;                                    /* the first left out, its word + 1; 0: none */
    uint32_t       said[LICENCE_TESTS];                     /* the word at which a phrase stands first, + 1; 0: none */
};

/* prose: of licences and nothing else, as an answer; else names as short as MIT count beside the word license, `under`
 * or a version alone.  Beyond MENTIONS those are left out, and told by `more`, that
 * none of them says. */
void mentions_find(struct mentions *out, const struct words *words, bool prose);

#endif
