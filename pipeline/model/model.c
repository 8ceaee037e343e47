/* model/model.c -- the one way to the backends: what all of them would check is checked here. */
#include "model/model.h"

#include <assert.h>
#include <errno.h>
#include <math.h>

const char model_backends[] = "ngram|http|replay|llama";

int model_open(struct model **out, const struct model_options *options, struct err *err)
{
    static int (*const open[])(struct model **, const struct model_options *, struct err *) = {
        [MODEL_NGRAM] = model_ngram_open, [MODEL_HTTP] = model_http_open, [MODEL_REPLAY] = model_replay_open,
            [MODEL_LLAMA] = model_llama_open, [MODEL_TOKENIZER] = model_tokenizer_open,
    };
    int rc;

    *out = NULL;
    if (!options->name || !options->name[0]) return err_set(err, -EINVAL, "a model has no name");
    if (options->backend < MODEL_NGRAM || options->backend > MODEL_TOKENIZER)
        return err_set(err, -EINVAL, "model %s: backend %d is none of %s", options->name, options->backend,
                       model_backends);
    if (options->backend == MODEL_HTTP ? !options->url || !options->url[0] : !options->path || !options->path[0])
        return err_set(err, -EINVAL, "model %s: no %s given", options->name, options->backend == MODEL_HTTP ? "url"
                       : "path");
    if (!open[options->backend])
        return err_set(err, -ENOSYS, "model %s: this program is built without its backend", options->name);
    if (options->context == 1)
        return err_set(err, -EINVAL, "model %s: a context of 1 token leaves none to predict", options->name);
    if ((rc = open[options->backend](out, options, err)) < 0) return err_add(err, "model %s", options->name);
    return rc;
}

void model_close(struct model *model)
{
    if (model) model->calls->close(model);
}

const struct model_info *model_info(const struct model *model) { return &model->info; }

int model_session_open(struct model_session **out, struct model *model, struct err *err)
{
    int rc;

    *out = NULL;
    if ((rc = model->calls->session_open(out, model, err)) < 0) return rc;
    (*out)->model = model;
    return 0;
}

void model_session_close(struct model_session *session)
{
    if (session) session->model->calls->session_close(session);
}

int model_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err)
{
    *out = (struct model_tokens){ .text = text };
    if (text.len > UINT32_MAX)
        return err_set(err, -ENODATA, "model %s: a text of %zu bytes is more than the 4 GB that a model is asked about",
                       session->model->info.name, text.len);
    return session->model->calls->tokenize(session, text, out, err);
}

int model_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end, size_t from,
                struct model_score *out,
                struct err *err)
{
    uint32_t context = session->model->info.context;

    assert(begin < from && from <= end && end <= tokens->count && (!context || end - begin <= context));
    if (from == end) return 0;
    return session->model->calls->score(session, tokens, begin, end, from, out, err);
}

int model_score_padding(struct model_session *session, const struct model_tokens *tokens, struct model_padding *out,
                        struct err *err)
{
    const struct model *model = session->model;

    *out = (struct model_padding){ NAN, NAN };
    if (model->calls->padding) return model->calls->padding(session, tokens, out, err);
    return err_set(err, -ENODATA, "model %s: the backend %s does not tell what padding costs, which the released code "
                                  "scores", model->info.name, model->info.backend);
}

int model_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                   struct model_generation *out,
                   struct err *err)
{
    const struct model_info *info = &session->model->info;
    bool                     decays = sampling->decay_tokens > 0;

    *out = (struct model_generation){ 0 };
    if (!isfinite(sampling->temperature) || sampling->temperature < 0 ||
        (decays && (!isfinite(sampling->decay_from) || sampling->decay_from < 0)))
        return err_set(err, -EINVAL, "model %s: a temperature is a number, 0 or more", info->name);
    if (!(sampling->top_p > 0 && sampling->top_p <= 1))
        return err_set(err, -EINVAL, "model %s: top_p is above 0 and at most 1", info->name);
    if (prompt.len > UINT32_MAX)
        return err_set(err, -ENODATA, "model %s: a prompt of %zu bytes", info->name, prompt.len);
    if (info->context && sampling->tokens >= info->context)
        return err_set(err, -EINVAL, "model %s: %u new tokens do not fit a context of %u", info->name, sampling->tokens,
                       info->context);
    return session->model->calls->generate(session, prompt, sampling, out, err);
}
