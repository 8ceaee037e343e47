/* view/scratch.h -- what a thread's view keeps between documents.  Private to view/. */
#ifndef LEAKGRAPH_VIEW_SCRATCH_H
#define LEAKGRAPH_VIEW_SCRATCH_H

#include "base/table.h"
#include "view/view.h"
#include "view/words.h"

struct known_language {
    struct view_language language;
    /* a place for every keyword's hash, and no two in one place */
    uint64_t            *keyword;
    uint64_t             keyword_mask;
    unsigned             keyword_shift;
};

enum { VIEW_ROWS = 64 };

struct view_scratch {
    struct view_options     view;
    struct lexer            lexer;
    struct functions        functions;                      /* of view_functions, and where their features are */
    struct bytes            runs;
    struct known_language **known;                          /* pointers stay valid while the list grows */
    size_t                  known_count;
    struct table            names;                          /* hash of a canonical name: its place in known */
    /* of rows that paths and #! lines tell, by place: the last one with it */
    struct known_language  *of_row[VIEW_ROWS];
    /* the dataset's language at the last call, and what it was */
    const char             *last_given;
    struct known_language  *last;
    /* a record's language as it was written, and what that was */
    struct bytes            named;
    struct known_language  *last_named;
    struct bytes            field;
    uint64_t               *feature;
    size_t                  feature_room;
    uint32_t               *place;                          /* where each feature starts */
    size_t                  place_room;
    bool                    placed;                         /* that is so of the last text, and behind the last none */
    struct view_words       words;                          /* of the last text that was read for words */
};

static inline bool is_keyword(const struct known_language *known, uint64_t hash)
{
    return known->keyword[hash >> known->keyword_shift & known->keyword_mask] == hash;
}

/* Is the token, whose hash that is, a name that is no keyword? */
static inline bool is_identifier(const struct known_language *known, const struct token *token, uint64_t hash)
{
    return token->kind == TOKEN_QUOTED || (token->kind == TOKEN_NAME && !is_keyword(known, hash));
}

/* Without spaces and control characters around it. */
static inline struct slice trimmed(struct slice s)
{
    while (s.len && (unsigned char)s.at[0] <= ' ') s.at++, s.len--;
    while (s.len && (unsigned char)s.at[s.len - 1] <= ' ') s.len--;
    return s;
}

/* Room for so many features.  0, or -ENOMEM with err set. */
int view_reserve(struct view_scratch *scratch, size_t count, struct err *err);

/* The features of a text's tokens.  want: LEX_*, at least those of view_lexer_wants, and what is told beside them:
 * VIEW_ALSO_PLACES, where each feature starts, in `place`.  0, -ENODATA (as view_features), -ENOMEM, err set. */
enum { VIEW_ALSO_PLACES = 1 << 29 };
int view_lexed(struct view_scratch *scratch, const struct known_language *known, struct slice text, unsigned want,
               struct feature_list *out, struct err *err);

/* What the lexer is asked for by views of tokens. */
unsigned view_lexer_wants(const struct view_scratch *scratch);

#endif
