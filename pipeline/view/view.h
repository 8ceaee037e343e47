/* view/view.h -- a view turns a document into a multiset of 64-bit features.
 *
 * One comparison, many views: whatever compares documents (join, MinHash, n-gram tables) works on features and serves
 * every view. */
#ifndef LEAKGRAPH_VIEW_VIEW_H
#define LEAKGRAPH_VIEW_VIEW_H

#include "base/bytes.h"
#include "base/err.h"
#include "code/function.h"
#include "code/language.h"
#include "code/lexer.h"
#include "corpus/record.h"
#include "view/hash.h"

#include <stdint.h>

enum view_kind { VIEW_IDENTIFIERS, VIEW_IDENTIFIERS_LITERALS, VIEW_TOKENS, VIEW_LINES, VIEW_SHINGLES, VIEW_CHARS };

struct view_options {
    enum view_kind kind;
    uint32_t       n;                                       /* shingles:N, chars:N (code points) */
    /* shingles:N: a document of w < N words has shingles of (w + 1) / 2 words */
    bool           backoff;
    /* off: equal tokens of two languages are different features */
    bool           across_languages;
    bool           published;                               /* compat: published */
    enum functions_how functions;                           /* how view_functions tells them */
};

/* "identifiers", "identifiers+literals", "tokens", "lines", "shingles:5", "chars:24".  0, or -EINVAL with err naming
 * the nearest. */
int  view_parse(struct view_options *out, const char *text, struct err *err);
void view_print(const struct view_options *view, char out[32]);

/* A language as records name it: known rows and any other name alike; equal names are one language. */
enum { VIEW_LANGUAGE_NAME = 32 };
struct view_language { const struct language *row; uint64_t seed; char name[VIEW_LANGUAGE_NAME]; };

/* The canonical name: a row's, or the name in lower case with what is not printable ASCII as '_', cut to fit.  Returns
 * the row or NULL. */
const struct language *view_language_name(struct slice name, char out[VIEW_LANGUAGE_NAME]);

struct view_scratch;                                        /* one a thread: lexer, keyword tables, buffers */
int  view_scratch_open(struct view_scratch **out, const struct view_options *view, struct err *err);
void view_scratch_close(struct view_scratch *scratch);

/* The language of a record: dataset (given may be NULL), record, path, shebang, generic, in this order.  The pointer
 * lives as long as the scratch.  NULL when memory is out (err set). */
const struct view_language *view_language_of(struct view_scratch *scratch, const char *given,
                                             const struct record *record, struct err *err);

/* The view's features of a record in document order, repeats included; valid until the next call.  Given tokens
 * (FIELD_TOKENS) replace the lexer for identifiers, identifiers+literals and tokens.  Returns 0, -EBADMSG (tokens that
 * are no array of strings), -ENODATA (compat: published, and the published tokeniser drops this text), -ENOMEM, err
 * set. */
struct feature_list { const uint64_t *hash; size_t count; };
int  view_features(struct view_scratch *scratch, const struct view_language *language, const struct record *record,
                   struct feature_list *out, struct err *err);

/* The same of views of tokens, and with it the functions of the text (code/function.h), each of which has a run of the
 * features.  A record with given tokens, and a language whose functions are not told, have none.  Valid until the next
 * call. */
struct view_function_run { uint32_t from, to; };            /* features [from, to) */
struct view_functions {
    const struct function          *at;
    size_t                          count;
    const struct view_function_run *run;                    /* [count] */
    struct functions_told           told;
};
int  view_functions(struct view_scratch *scratch, const struct view_language *language, const struct record *record,
                    struct feature_list *features, struct view_functions *functions, struct err *err);
/* The same of a record whose features view_features has told last: they stay what they are. */
int  view_functions_behind(struct view_scratch *scratch, const struct view_language *language,
                           const struct record *record, struct feature_list *features,
                           struct view_functions *functions, struct err *err);
static inline bool view_has_functions(const struct view_options *view)
{
    return view->kind <= VIEW_TOKENS && !view->published;
}
/* Does view_functions look for functions in the record? */
bool view_tells_functions(const struct view_options *view, const struct view_language *language,
                          const struct record *record);
static inline struct feature_list view_function_features(struct feature_list all,
                                                         const struct view_functions *functions, size_t i)
{
    const struct view_function_run run = functions->run[i];

    return (struct feature_list){ all.hash + run.from, run.to - run.from };
}

/* The words of a text (shingles:N, whatever N) or its tokens (tokens; those of the lexer) in order: their hashes, and
 * where they start.  Valid until the next call.  BYTES_PAD bytes past the text's end must be readable.  0, -ENODATA (as
 * above), -ENOMEM, err set. */
struct view_sequence { const uint64_t *hash; const uint32_t *at; size_t count; };
int  view_sequence(struct view_scratch *scratch, const struct view_language *language, struct slice text,
                   struct view_sequence *out, struct err *err);

/* The features of a record again, as view_features has them, and where in the text each starts; count 0 where that is
 * not told: views of no tokens, and given tokens.  As above. */
int  view_places(struct view_scratch *scratch, const struct view_language *language, const struct record *record,
                 struct view_sequence *out, struct err *err);

/* Where the features of the text that the scratch has read last start, in a view of identifiers; NULL where that is not
 * told: other views, given tokens.  Valid as they are. */
const uint32_t *view_last_places(const struct view_scratch *scratch);

/* The tokens of a record as a JSON array of strings (bytes that are not UTF-8 as U+FFFD), appended to *out: those given
 * in the record as they are, else the lexer's.  0, or -ENOMEM with err set. */
int  view_tokens_json(struct view_scratch *scratch, const struct view_language *language, const struct record *record,
                      struct bytes *out, struct err *err);

/* Sorts features into a multiset in place: hash[0..n) ascending and distinct with counts.  Returns n.  count has room
 * for `total` values. */
size_t view_multiset(uint64_t *hash, uint32_t *count, size_t total, uint64_t *scratch);

/* The same with room of its own, for whoever makes one multiset after the other.  A zeroed struct is ready;
 * multiset_make fills hash[distinct] ascending and count[distinct], valid until the next call.  0 or -ENOMEM with err
 * set. */
struct multiset { uint64_t *hash, *spare; uint32_t *count; size_t room, distinct; };
int  multiset_make(struct multiset *multiset, struct feature_list features, struct err *err);
void multiset_free(struct multiset *multiset);

/* Content hashes of a text: of its raw bytes, and of its bytes without ASCII white space. */
struct content_hash { uint64_t low, high; };
struct content_hash content_hash_raw(struct slice text);
/* Of a text's length and both its ends: equal texts have equal ones, and most others are told apart without being
 * read. */
uint64_t content_sketch(struct slice text);
struct content_hash content_hash_squeezed(struct slice text, struct bytes *scratch);    /* {0,0} when memory is out */
struct slice        content_squeezed(struct slice text, struct bytes *scratch);         /* at NULL when memory is out */

#endif
