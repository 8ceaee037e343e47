/* model/model_tokenizer.c -- the backend `tokenizer`: a model of which only its tokens are known, by its
 * tokenizer.json.  What asks for probabilities or texts gets -ENODATA. */
#include "model/model.h"

#include "model/tokenizer.h"

#include <errno.h>
#include <stdlib.h>

struct alone         { struct model model; struct tokenizer *tokenizer; char *name; };
struct alone_session { struct model_session session; struct tokenizer_cut cut; };

static void alone_close(struct model *model)
{
    struct alone *m = (struct alone *)model;

    tokenizer_close(m->tokenizer);
    free(m->name);
    free(m);
}

static int alone_session_open(struct model_session **out, struct model *model, struct err *err)
{
    struct alone_session *s = calloc(1, sizeof *s);

    (void)model;
    if (!s) return err_memory(err, sizeof *s, "a session");
    *out = &s->session;
    return 0;
}

static void alone_session_close(struct model_session *session)
{
    struct alone_session *s = (struct alone_session *)session;

    tokenizer_cut_free(&s->cut);
    free(s);
}

static int alone_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err)
{
    struct alone_session *s = (struct alone_session *)session;
    const struct alone   *m = (const struct alone *)session->model;
    const int             rc = tokenizer_cut(m->tokenizer, &s->cut, text, err);

    if (rc < 0) return err_add(err, "model %s", m->name);
    *out = (struct model_tokens){ text, s->cut.id, s->cut.at, s->cut.count };
    return 0;
}

static int alone_refuse(const struct model_session *session, struct err *err)
{
    return err_set(err, -ENODATA, "model %s: a tokenizer alone tells tokens, and nothing else",
                   session->model->info.name);
}

static int alone_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                       size_t from, struct model_score *out, struct err *err)
{
    (void)tokens, (void)begin, (void)end, (void)from, (void)out;
    return alone_refuse(session, err);
}

static int alone_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                          struct model_generation *out, struct err *err)
{
    (void)prompt, (void)sampling, (void)out;
    return alone_refuse(session, err);
}

int model_tokenizer_open(struct model **out, const struct model_options *options, struct err *err)
{
    static const struct model_calls calls = {
        .close = alone_close, .session_open = alone_session_open, .session_close = alone_session_close,
        .tokenize = alone_tokenize, .score = alone_score, .generate = alone_generate,
    };
    struct alone *m = calloc(1, sizeof *m);
    int           rc;

    if (!m) return err_memory(err, sizeof *m, "a model");
    m->model.calls = &calls;
    m->name = strdup(options->name);
    rc = m->name ? tokenizer_open(&m->tokenizer, options->path, err)
        : err_memory(err, strlen(options->name), "a model's name");
    if (rc < 0) {
        alone_close(&m->model);
        return rc;
    }
    m->model.info = (struct model_info){ .name = m->name, .backend = "tokenizer", .parallel = 1 << 16,
                                         .vocabulary = tokenizer_vocabulary(m->tokenizer),
                                         .key = tokenizer_key(m->tokenizer) };
    *out = &m->model;
    return 0;
}
