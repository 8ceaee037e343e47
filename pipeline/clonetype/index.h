/* clonetype/index.h -- the functions of the benchmarks, and what finds clones among them.
 *
 * Functions of one blind form and equal items are a class: a question names the class, whose functions differ in the
 * type at most, and clonetype_type tells it.  So what many items share is looked at, and written down, once.  One blind
 * form may have several classes: statements end at line ends, which the form does not know. */
#ifndef LEAKGRAPH_CLONETYPE_INDEX_H
#define LEAKGRAPH_CLONETYPE_INDEX_H

#include "base/lcs.h"
#include "base/table.h"
#include "clonetype/clonetype.h"
#include "clonetype/names.h"

/* A function of a benchmark; they are numbered in the contract's order. */
struct fragment {
    struct content_hash  exact, consistent, blind;
    uint64_t             item_at, record;
    uint32_t             items, shard, document;            /* document: counts those that have fragments, from 0 */
    uint32_t             next;                              /* of the same class, ascending; UINT32_MAX: none */
    uint32_t             last;                              /* of a class's first: its last one */
    uint32_t             other;                             /* the same: the next class of this blind form, or so */
    uint32_t             last_other;                        /* of a blind form's first: the last of its classes */
    bool                 first;                             /* of its class */
    bool                 main;                              /* it has half of its item's tokens or more */
    struct function_span span;                              /* strings: in `heap` of the index */
};

struct clonetype_index {
    const struct clonetype_options *options;
    struct fragment *at;                                    /* [count] owned */
    size_t           count, room, documents;
    struct bytes     item, lines, heap;                     /* uint64_t; struct item_lines of each; strings of spans */
    struct table     blind, class;                          /* form, form and items: to the first fragment */
    struct table     element;                               /* item and its how-manieth: number of the element */
    uint32_t        *frequency;                             /* [elements] classes that have it, as often as they do */
    uint64_t        *posting_at;                            /* [elements + 1] */
    uint32_t        *posting;                               /* first fragments of those that have it in their prefix */
    struct names     names;                                 /* of functions that have enough of them */
    uint32_t         languages;                             /* of these functions: bits of clonetype_language */
    struct unit_key  key;                                   /* of all units that it was read from */
};

/* Bytes that an index of so many functions and items takes of a process with so many threads, at most. */
uint64_t clonetype_index_need(uint64_t functions, uint64_t items, int threads);

/* 0, or -ENOMEM with err set where that is more than `memory`; of: whose functions they are. */
int clonetype_memory_check(const struct run *run, uint64_t need, const char *of, struct err *err);

/* Adds a function; item and lines: [row->items].  All is copied.  0 or -ENOMEM. */
int  clonetype_index_add(struct clonetype_index *index, uint32_t shard, const struct fragment_row *row,
                         const uint64_t *item, const struct item_lines *lines, const char *heap);
/* When all are there: frequencies and postings.  0, or -ENOMEM with err set. */
int  clonetype_index_finish(struct clonetype_index *index, struct err *err);

/* Adds all functions that the collector found, and finishes.  0, or <0 with err set; free it either way. */
int  clonetype_index_read(const struct clonetype_job *job, struct clonetype_index *out, struct err *err);
void clonetype_index_free(struct clonetype_index *index);

/* The lines of items [item, end) of a fragment. */
struct item_lines clonetype_index_lines(const struct clonetype_index *index, uint32_t fragment, uint32_t item,
                                        uint32_t end);

/* A class that a function is a clone of, by its first fragment.  loosest: CLONE_TYPE_2 or CLONE_TYPE_3, or CLONE_TYPES
 * where those alone are clones that are of a stricter type.  Where it is CLONE_TYPE_3: common of `whole` items are a
 * common subsequence; aligned: the items of the fragments (a) and of the function (b) that it is in. */
struct clonetype_match { uint32_t fragment, loosest, common, whole; struct lcs_span aligned; };

/* The type of a function of these forms and a fragment of a class that matches it so loosely at least; CLONE_TYPES: it
 * is no clone of those asked for. */
enum clone_type clonetype_type(const struct clonetype_options *options, const struct fragment *fragment,
                               struct content_hash exact, struct content_hash consistent, uint32_t loosest);

/* The items of a function that were met, and how often so far. */
struct turns { struct table met; uint32_t *count; size_t room; };

/* What one thread asks with.  A zeroed struct is ready. */
struct clonetype_asker {
    struct turns            turns;
    struct element         *known;                          /* [known_room] */
    size_t                  known_room;
    uint64_t               *asked;                          /* [fragments] number of the last question with it */
    uint64_t                question;
    uint32_t                before;                         /* looks at classes that begin before it; 0: at all */
    struct clonetype_match *match;                          /* [count] of the last question, by fragment */
    size_t                  count, room;
};

/* All classes that have a fragment that the function is a clone of.  0, or -ENOMEM with err set. */
int  clonetype_ask(const struct clonetype_index *index, struct clonetype_asker *asker, const struct form *form,
                   struct err *err);
void clonetype_asker_free(struct clonetype_asker *asker);

#endif
