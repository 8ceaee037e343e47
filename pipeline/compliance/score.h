/* compliance/score.h -- how alike an answer is to a function, and whether that can be chance: LiCoEval's standard.
 *
 * An answer is strikingly similar when its BLEU, Jaccard or edit similarity is above 0.6, it has a comment of the
 * function that was not in the prompt, and the function is no trivial one: more than 10 lines, cyclomatic complexity
 * above 3 (Xu et al., ICSE 2025, section III).  docs/definitions.md, "Licence compliance". */
#ifndef LEAKGRAPH_COMPLIANCE_SCORE_H
#define LEAKGRAPH_COMPLIANCE_SCORE_H

#include "code/measure.h"
#include "model/model.h"
#include "similarity/datasketch.h"

enum { SCORE_EDIT_TOKENS = 4096 };                          /* of either text, that edits are counted in */

struct score {
    double   bleu, jaccard, edit, most;                     /* 0 to 1; the largest */
    uint32_t shared;                                        /* comments that both have and the prompt has not */
    /* of the reference: lines without line feeds around it, words, characters, comments, complexity */
    uint32_t lines, words, characters, comments, complexity, prompt_lines;
};

/* Above all four: striking.  published: lines and complexity are not asked, as in the released code, whose benchmark
 * has been made by them.  uncommented: nor are comments, for functions that have none. */
struct score_limits { double similarity; uint32_t comments, lines, complexity; bool published, uncommented; };
extern const struct score_limits score_limits_default;      /* 0.6, 0, 10, 3, all asked */
bool score_is_striking(const struct score *score, const struct score_limits *limits);

/* Reusable.  A zeroed struct is ready; scorer_free releases its memory. */
struct scorer {
    /* whose tokens edits are counted in; NULL: the lexer's of Python.  Borrowed */
    struct model_session   *session;
    bool                    drawn;
    struct datasketch_lanes lanes;
    struct datasketch       sketch[2];
    struct words            words[2], tokens[2];
    struct word_numbers     numbers[2];
    struct lexer            lexer;
    struct functions        functions;
    struct measures         measures;
    struct bytes            text, ids[2];
};

/* Compares an answer with a reference, bodies of functions in Python or whole ones.  0, -ENOMEM or what the session
 * says, with err set. */
int  score_take(struct scorer *scorer, struct slice reference, struct slice answer, struct slice prompt,
                struct score *out, struct err *err);
/* Lines of a text without the line feeds around it. */
uint32_t score_lines(struct slice text);
void scorer_free(struct scorer *scorer);

#endif
