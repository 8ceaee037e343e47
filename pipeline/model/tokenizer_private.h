/* model/tokenizer_private.h -- a tokenizer as tokenizer_read.c makes it and tokenizer.c uses it. */
#ifndef LEAKGRAPH_MODEL_TOKENIZER_PRIVATE_H
#define LEAKGRAPH_MODEL_TOKENIZER_PRIVATE_H

#include "base/table.h"
#include "model/pattern.h"
#include "model/tokenizer.h"

/* A token that is found in the text before it is cut.  left, right: with the white space before it, behind it. */
struct added { struct slice content; uint32_t id; bool left, right; };

/* Those that begin with byte b are at[first[b], first[b + 1]), the longest first. */
struct added_set { struct added *at; size_t count, room, first[257]; };

/* A word becomes the matches of the pattern and what is between them; invert: the other way round. */
enum step_keep {
    STEP_ISOLATED,                                          /* each by itself */
    STEP_REMOVED,                                           /* without the matches */
    STEP_CONTIGUOUS,                                        /* matches side by side are one */
    STEP_SPACED                                             /* no pattern: with a space before it, if it has none */
};
struct step { struct pattern *pattern; enum step_keep keep; bool invert; };

enum { TOKENIZER_STEPS = 32 };

struct tokenizer {
    uint32_t         byte[256];                             /* the token of each */
    /* (token, token): their place in the order; [place] the token that they become */
    struct table     merges;
    uint32_t        *merged;
    /* tokens by how they are spelt; spelling: the characters that stand for bytes there */
    struct table     words;
    uint32_t         spelling[256];
    bool             whole;                                 /* a word that is a token is not put together */
    bool             composes;                              /* canonical composition (NFC) goes before */
    struct added_set added[2];                              /* found before composition, and behind it */
    struct step      step[TOKENIZER_STEPS];
    size_t           steps;
    struct bytes     contents;                              /* of added tokens */
    struct unit_key  key;
};

/* The token that is spelt so; TABLE_NONE: there is none. */
uint32_t tokenizer_find(const struct tokenizer *tokenizer, struct slice spelt);

#endif
