/* clonetype/names.h -- where a document may have an item with its names renamed one to one, told by the order of its
 * names alone.
 *
 * Two functions of one form of type 2c (view/forms.h) have as many names, and two of them are equal in the one where
 * they are in the other: what says of each name where it was met first is the same (the encoding of parameterised
 * matching, Baker 1993, A theory of parameterized pattern matching).  A document's names are read anyway, for near's
 * features; telling its functions, and their forms, takes all its tokens.  So every item has an anchor, the rarest of
 * its windows of NAMES_WINDOW names; a document is asked for the windows that are anchors, and there for the rest of
 * the item's names.
 *
 * It is necessary and not sufficient: what is found is compared in all its tokens (forms_inside), and what passes that
 * is decided by forms. */
#ifndef LEAKGRAPH_CLONETYPE_NAMES_H
#define LEAKGRAPH_CLONETYPE_NAMES_H

#include "base/bytes.h"
#include "base/table.h"
#include "view/view.h"

enum { NAMES_WINDOW = 12, NAMES_PLACES = 1 << 10 };

/* A zeroed struct is empty; names_free releases it. */
struct names {
    struct name_pattern *at;                                /* [count] owned; no two are the same */
    size_t               count, room;
    struct bytes         first;                             /* uint32_t: patterns, one behind the other */
    struct table         known;                             /* patterns: `inside`, and the last name */
    struct table         anchor;                            /* key of a window: the first pattern with this anchor */
    uint64_t            *filter;                            /* two bits a window, by hashes of anchors */
};

/* Adds a pattern: of each of `count` names, NAMES_WINDOW at least, the number of the first name equal to it; inside: of
 * the tokens from the first to before the last.  Copied.  0 or -ENOMEM. */
int  names_add(struct names *names, const uint32_t *first, size_t count, struct content_hash inside);
/* When all are there, before the first question.  0 or -ENOMEM. */
int  names_finish(struct names *names);
void names_free(struct names *names);
uint64_t names_need(const struct names *names);             /* bytes that it takes, names_finish with it, at most */

/* So many names from this one on are in a pattern's order. */
struct names_place { size_t from; uint32_t count; struct content_hash inside; };

/* What one thread asks with, zeroed at first. */
struct names_asker {
    struct names_place *place;                              /* [count] of the last question */
    size_t              count, room;
    uint8_t            *back;                               /* [back_room] how far before each name an equal one is */
    size_t              back_room;
    bool                many;                               /* there are more than NAMES_PLACES: anywhere, then */
};

/* All places where the names, of which equal ones have equal hashes, may be a pattern's.  In time linear in them and in
 * the patterns that share an anchor.  0 or -ENOMEM. */
int  names_ask(const struct names *names, struct names_asker *asker, struct feature_list of);
void names_asker_free(struct names_asker *asker);

#endif
