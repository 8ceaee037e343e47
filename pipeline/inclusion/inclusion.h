/* inclusion/inclusion.h -- were files in a model's training data?  A model is shown what stands around elements of
 * them (audit/element.h) and asked for each, or the first halves of their functions and asked for the second ones
 * (half.h; Majdinasab et al. 2024; docs/definitions.md, "Inclusion").
 *
 * A file's answers by a model are a unit, so that a killed run asks nothing twice. */
#ifndef LEAKGRAPH_INCLUSION_INCLUSION_H
#define LEAKGRAPH_INCLUSION_INCLUSION_H

#include "audit/element.h"
#include "base/ratio.h"
#include "base/stage.h"
#include "model/model.h"
#include "pass/pass.h"

/* What is shown before an element and behind it, by the marks of a family of models. */
enum inclusion_prompt {
    INCLUSION_PLAIN,                                        /* what stands before it, and nothing else */
    INCLUSION_SANTACODER, INCLUSION_STARCODER, INCLUSION_CODELLAMA, INCLUSION_DEEPSEEK, INCLUSION_QWEN,
    INCLUSION_OWN,                                          /* by those that the model's file names, if it does */
};

/* Whose p decides (audit/permutation.h): p_spread, p, p_rank. */
enum inclusion_test { INCLUSION_SPREAD, INCLUSION_FILES, INCLUSION_RANK, INCLUSION_TESTS };

/* Which are learned where files of both labels are there. */
enum inclusion_classifiers { INCLUSION_NONE, INCLUSION_FOREST, INCLUSION_ALL };

/* What models are asked for; bits. */
enum inclusion_ask { INCLUSION_ELEMENTS = 1, INCLUSION_FUNCTIONS = 2 };

/* When a repository is said to be trained on (verdict.h; by its functions: clones.h). */
struct inclusion_verdict_options {
    uint32_t     threshold, draws;                          /* score that is a hit; 0 draws: no tests */
    int          test;                                      /* enum inclusion_test */
    int          classifiers;                               /* enum inclusion_classifiers */
    struct ratio level;                                     /* of the adjusted p */
    struct ratio functions_back;                            /* of its functions more than this share is given back */
    uint64_t     seed;
};

struct inclusion_options {
    char    *from;                                          /* the dataset whose documents are the files */
    /* splits of it that the model was trained on, and that it was not: labels; '': none */
    char    *trained, *others;
    bool     by_comments;                                   /* labels are those of audit/label.h instead */
    unsigned ask;                                           /* of enum inclusion_ask */
    bool     published;                                     /* elements and prompts as the released code has them */
    int      prompt;                                        /* enum inclusion_prompt */
    uint32_t per_category;                                  /* elements asked for, of a category of a file; 0: all */
    uint32_t functions;                                     /* the same of functions */
    uint32_t function_tokens;                               /* new ones; one that needs more is not asked for */
    struct model_sampling sampling;                         /* tokens: of an answer, at most */
    struct inclusion_verdict_options verdict;
};

/* A file; the strings lie in units that the job keeps. */
struct inclusion_file { struct slice text, path, repo, split; const struct language *language;
                        uint32_t shard; uint64_t record; };

/* An answer, as a unit stores it; strings in the unit's second section. */
struct inclusion_answer {
    uint32_t line, role, inside, score;                  /* score: 0 .. 100; INCLUSION_REFUSED */
    struct heap_string wanted, output;
};
_Static_assert(sizeof(struct inclusion_answer) == 32, "unit format");
#define INCLUSION_REFUSED UINT32_MAX                        /* the model could not take the prompt */

/* What is wanted of an element: all of it, or the first so many bytes, to the end of a character. */
enum { INCLUSION_WANTED = 160 };

struct inclusion_job {
    const struct run               *run;
    const struct inclusion_options *options;
    const struct model_options     *model;                  /* [models] */
    size_t                          models;
    struct inclusion_file          *file;                   /* out: [files] in the contract's order, on every rank */
    size_t                          files, room;
    uint64_t                        asked, reused;          /* out: files times models times what is asked for */
    uint64_t                        refused;                /* out, on rank 0: those with a prompt that was too long */
    struct pass_totals              totals;                 /* out: of what was read */
    struct pass_units               units;                  /* what the files point into */
    /* out, on rank 0: [models * files] units of answers, the files of a model one after the other, and of functions
     * (written.h); NULL: not asked for */
    struct unit                    *answers, *written;
};

/* A file, a model, and `more` that its answers depend on. */
struct unit_key inclusion_file_key(const struct inclusion_job *job, const struct model_info *model, size_t file,
                                   struct slice more);

/* A text with the room behind it that the lexer reads, in place, and copied to *room.  0, or -ENOMEM with err set. */
int inclusion_pad(struct bytes *text, struct slice *out, struct err *err);
int inclusion_padded(struct slice text, struct bytes *room, struct slice *out, struct err *err);

/* Collective.  0, or <0 with err set (-EINVAL: the dataset has no documents; as work_run). */
int  inclusion_run(struct inclusion_job *job, struct err *err);
void inclusion_release(struct inclusion_job *job);          /* accepts a zeroed job */

/* ---- prompts ---- */

/* Between which marks the model is shown what stands around an element; NULL: it is shown what stands before it. */
const struct model_marks *inclusion_marks(const struct inclusion_options *options, const struct model_info *model);

/* Of an element of a text: what the model is given, and what it should answer.  What is too long for the model's
 * context loses what stands furthest from the element; published: nothing.  prompt: emptied first.  0 or -ENOMEM with
 * err set. */
int inclusion_prompt_make(const struct inclusion_options *options, struct slice text,
                          const struct audit_element *element, const struct model_info *model, struct bytes *prompt,
                          struct slice *wanted, struct err *err);

/* The part of an output that is compared, without white space before it: of a name the name that it begins with;
 * otherwise as many characters as are wanted, at most.  published: all of it. */
struct slice inclusion_answer_of(const struct inclusion_options *options, enum audit_category role,
                                 struct slice wanted, struct slice output);

/* The elements of a category that are asked for: `most` of those that are there, spread by their content, in their
 * order.  In place.  0 or -ENOMEM with err set. */
int inclusion_choose(struct audit_elements *elements, struct slice text, uint32_t most, struct err *err);

#endif
