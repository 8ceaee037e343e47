/* code/function_heads.h -- what the walk over braces asks of a head, and what the rules for heads share.  Private to
 * code/.
 *
 * A head is what stands before a brace since the last statement's end.  Where statements end with their line, it has
 * older statements in it too: rules read it from its end. */
#ifndef LEAKGRAPH_CODE_FUNCTION_HEADS_H
#define LEAKGRAPH_CODE_FUNCTION_HEADS_H

#include "code/functions.h"

enum opens {
    OPENS_OTHER, OPENS_CLASS, OPENS_ENUM, OPENS_FUNCTION,
    OPENS_SCOPE,                                            /* as outside all braces: a namespace */
    OPENS_PART,                                             /* a part of the head, which goes on: struct{} in Go */
};

/* A brace that opened a part of a head, and what reading the head from there back has found. */
struct head_part { uint32_t brace, found; };

/* A head: the tokens [first, brace). */
struct head {
    const struct finding *f;
    const uint32_t       *pair;                             /* of a closing bracket's token: that of the opening one */
    uint32_t              first, brace;
    enum opens            inside;                           /* what the innermost open brace is of */
    bool                  top;                              /* there is none but those of scopes */
    struct slice          class_name;                       /* of that brace's class */
    uint32_t              end;                              /* `brace`; in old C declarations stand between */
    struct head_part      part;                             /* the last one of the head; its brace may be before it */
    uint32_t              found;                            /* out: with OPENS_PART, what `part` says to the next one */
    uint32_t              name;                             /* out: token that names the function or class */
    uint32_t              name_last;                        /* out: last one of the name: 0: it has one */
    uint32_t              begin;                            /* out: where the function begins; is `first` before */
    uint32_t              of_class;                         /* out: names the class it says it is of, A::f; or
                                                               FUNCTION_NONE */
};

/* What the brace (or what stands for one: `=` in Kotlin) opens. */
typedef enum opens head_rule(struct head *h);
head_rule head_of_java, head_of_c, head_of_cpp, head_of_csharp, head_of_go, head_of_rust, head_of_php, head_of_kotlin,
    head_of_swift, head_of_scala, head_of_perl, head_of_shell, head_of_script, head_of_r;

bool     head_has(const struct head *h, uint32_t token, const char *const *words);
/* The bracket that the closing one at `token` belongs to, not before the head; h->brace: none. */
uint32_t head_opening(const struct head *h, uint32_t token);
/* The token before `token`, or for a closing bracket there its opening one; h->brace: the head begins. */
uint32_t head_back(const struct head *h, uint32_t token);
/* What reading the head back from its last part on finds; h->brace: nothing. */
uint32_t head_part_found(const struct head *h);
/* Where the `>` at `token` opens, by `<` and `>` alone; h->brace: nowhere. */
uint32_t head_angle(const struct head *h, uint32_t token);
/* `token`, or the first of the modifiers and annotations (@A(b), in PHP #[C]) right before it. */
uint32_t head_begin(const struct head *h, uint32_t token, const char *const *modifiers);

#endif
