/* model/model.h -- a language model as the probes see it, whatever it runs on.
 *
 * A model is opened once; a session is what one thread works with.  Every backend answers the same three questions: how
 * a text is cut into tokens, how probable each token is after those before it, and what comes next.  What a backend
 * cannot tell is -ENODATA with the reason in err, never a number made up. */
#ifndef LEAKGRAPH_MODEL_MODEL_H
#define LEAKGRAPH_MODEL_MODEL_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "base/stage.h"

#include <stdbool.h>
#include <stdint.h>

/* The last one is no model that can be asked for more than its tokens, and settings have no word for it. */
enum model_backend { MODEL_NGRAM, MODEL_HTTP, MODEL_REPLAY, MODEL_LLAMA, MODEL_TOKENIZER };
extern const char model_backends[];                         /* "ngram|http|replay|llama" */

/* How to open one; the texts are owned by whoever read them, '' where not given. */
struct model_options {
    char    *name;                                          /* of the model in results */
    int      backend;
    char    *path;                                          /* all but http: its file */
    uint32_t context;                                       /* tokens in a window; 0: as many as the backend takes */
    uint32_t threads;                                       /* llama: of one evaluation; 0: all, or 1 */
    /* http */
    char    *url;                                           /* up to and with /v1 */
    char    *served;                                        /* the model's name at the server; '': name */
    /* environment variable that holds the key; the key itself is nowhere written */
    char    *key_env;
    char    *cache;                                         /* folder of answers, keyed by request; '': none */
    /* seconds, 0: 120; times; requests at once, 0: 1; requests a minute, 0: no limit */
    uint32_t timeout, retries, concurrency, rate;
    /* tokens, prompts included, that may be asked of the server; 0: no limit */
    uint64_t budget;
};

/* What stands before a prefix, before its suffix and before the middle that is asked for.  NULL: not known. */
struct model_marks { const char *prefix, *suffix, *middle; };

struct model_info {
    const char     *name, *backend;
    uint32_t        context;                                /* tokens in a window; 0: no limit */
    uint32_t        vocabulary;                             /* tokens; 0: not known */
    uint64_t        parameters;                             /* of the model; 0: not known */
    uint32_t        parallel;                               /* sessions that may work at once */
    bool            moments;                                /* scores have mean and deviation */
    struct model_marks marks;                               /* for filling in, as a GGUF file names them */
    /* of all that its answers depend on, so that results can be kept */
    struct unit_key key;
};

/* A text cut into tokens; all of it lives in the session until its next model_tokenize. */
struct model_tokens {
    struct slice    text;                                   /* borrowed from the caller */
    /* [count] equal where the tokens are equal, within a session's life */
    const uint32_t *id;
    const uint32_t *at;                                     /* [count + 1] byte of the text where each begins */
    size_t          count;
};

/* Of one predicted token: natural logarithm of its probability; mean and standard deviation of log p over the
 * vocabulary, each token weighing its probability there (Min-K%++, Zhang et al. 2024, eq. 3), NaN where not known. */
struct model_score { double logprob, mean, deviation; };

struct model_sampling {
    uint32_t tokens;                                        /* most new ones */
    /* 0: always the most probable token, of equals the one with the smaller id */
    double   temperature;
    uint32_t top_k;                                         /* only the k most probable; 0: all */
    double   top_p;                                         /* only the most probable that together reach it; 1: all */
    /* temperature of the first new token, falling in equal steps ... */
    double   decay_from;
    uint32_t decay_tokens;                                  /* ... to `temperature` at this one; 0: no decay */
    uint64_t seed;
    /* names of special tokens in the prompt, as <fim-prefix>, stand for them (llama; servers read them so anyway) */
    bool     special;
};

/* id[0, prompt) is the prompt as the model takes it, special tokens left out, then `count` new ones; text is that of
 * the new ones alone.  Lives in the session until its next model_generate. */
struct model_generation { const uint32_t *id; size_t prompt,
                          count; struct slice text; bool stopped; /* the model ended it */ };

struct model;
struct model_session;

/* 0; -EINVAL (options), -ENOENT, -EBADMSG (the file; http: no such call or model, no such server), -EACCES (http: the
 * key), -EDQUOT (http: the budget), -ENOSYS (not built with this backend), -EIO, -ENOMEM with err set. */
int  model_open(struct model **out, const struct model_options *options, struct err *err);
void model_close(struct model *model);                      /* after its sessions; accepts NULL */
const struct model_info *model_info(const struct model *model);

int  model_session_open(struct model_session **out, struct model *model, struct err *err);
void model_session_close(struct model_session *session);    /* accepts NULL */

/* 0; -ENODATA, -EDQUOT (the budget is used), -EIO, -ENOMEM with err set; http: also -EACCES, -ENOENT, -EBADMSG (an
 * answer that is none).  The same for the next two.  The text is any bytes. */
int  model_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err);

/* Scores of tokens [from, end) in a window of the tokens [begin, end) and nothing else: begin < from <= end, end -
 * begin <= context.  tokens are this session's last.  out[end - from]. */
int  model_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                 size_t from, struct model_score *out,
                 struct err *err);

/* What padding in front costs a text, as where a window shorter than others is filled up with the token that ends a
 * text: ln p of that token after itself alone, and of the tokens' first one (NaN: there is none) after it.  For n-grams
 * it is `</s>` after `<s>`.  -ENODATA also: a backend that cannot say. */
struct model_padding { double pad, first; };
int  model_score_padding(struct model_session *session, const struct model_tokens *tokens, struct model_padding *out,
                         struct err *err);

/* Goes on after a prompt; an empty one stands for the model's begin of text.  The same prompt, sampling and model give
 * the same text (http: as far as the server keeps its word).  A prompt that leaves no room in the context for the new
 * tokens loses its beginning.  -EINVAL also: sampling that makes no sense, or as many new tokens as the context has. */
int  model_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                    struct model_generation *out,
                    struct err *err);

/* ---- for backends: model.c calls them through this table ---- */

/* first member of a backend's own */
struct model       { const struct model_calls *calls; struct model_info info; };
struct model_session { struct model *model; };                                            /* likewise */

struct model_calls {
    void (*close)(struct model *model);
    /* model.c sets ->model */
    int  (*session_open)(struct model_session **out, struct model *model, struct err *err);
    void (*session_close)(struct model_session *session);
    int  (*tokenize)(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err);
    int  (*score)(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                  size_t from, struct model_score *out,
                  struct err *err);
    /* NULL: it cannot say */
    int  (*padding)(struct model_session *session, const struct model_tokens *tokens, struct model_padding *out,
                    struct err *err);
    int  (*generate)(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                     struct model_generation *out,
                     struct err *err);
};

int model_ngram_open(struct model **out, const struct model_options *options, struct err *err);
int model_http_open(struct model **out, const struct model_options *options, struct err *err);
int model_replay_open(struct model **out, const struct model_options *options, struct err *err);
bool model_has_llama(void);                                 /* built with it */
/* -ENOSYS where it was not built in */
int model_llama_open(struct model **out, const struct model_options *options, struct err *err);
int model_tokenizer_open(struct model **out, const struct model_options *options, struct err *err);

#endif
