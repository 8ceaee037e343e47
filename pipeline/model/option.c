/* model/option.c -- see option.h. */
#include "model/option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct option model_rows[] = {
    { "name", OPTION_TEXT, offsetof(struct model_options, name), NULL, 0, 0, NULL,
      "in results: letters, digits, `.`, `_`, `-`; not beginning with `.`" },
    { "backend", OPTION_CHOICE, offsetof(struct model_options, backend), "ngram", 0, 0, model_backends,
      "ngram: a model of `leakgraph train-ngram`; http: a server of completions; replay: recorded answers; llama: a "
      "GGUF file" },
    { "path", OPTION_TEXT, offsetof(struct model_options, path), "", 0, 0, NULL,
      "of the file of ngram, replay and llama; from this file's folder" },
    { "context", OPTION_U32, offsetof(struct model_options, context), "0", 0, 0, NULL,
      "tokens in a window; 0: as many as the backend takes" },
    { "threads", OPTION_U32, offsetof(struct model_options, threads), "0", 0, 1024, NULL,
      "llama: of one evaluation; 0: all, or 1 of a model below a billion parameters" },
    { "url", OPTION_TEXT, offsetof(struct model_options, url), "", 0, 0, NULL, "http: up to and with /v1" },
    { "served", OPTION_TEXT, offsetof(struct model_options, served), "", 0, 0, NULL,
      "http: the model's name at the server; without it `name`" },
    { "key_env", OPTION_TEXT, offsetof(struct model_options, key_env), "", 0, 0, NULL,
      "http: the environment variable that holds the key; the key itself is written nowhere" },
    { "cache", OPTION_TEXT, offsetof(struct model_options, cache), "", 0, 0, NULL,
      "http: a folder where answers are kept, so that none is asked for twice; from this file's folder" },
    { "timeout", OPTION_U32, offsetof(struct model_options, timeout), "120", 1, 86400, NULL,
      "http: seconds for one answer" },
    { "retries", OPTION_U32, offsetof(struct model_options, retries), "5", 0, 100, NULL,
      "http: times that a failed request is repeated" },
    { "concurrency", OPTION_U32, offsetof(struct model_options, concurrency), "4", 1, 256, NULL,
      "http: requests at once, shared out over the ranks (each has one at least)" },
    { "rate", OPTION_U32, offsetof(struct model_options, rate), "0", 0, 0, NULL,
      "http: requests a minute, shared out likewise; 0: no limit" },
    { "budget", OPTION_U64, offsetof(struct model_options, budget), "0", 0, 0, NULL,
      "http: tokens, those of prompts included, that one run may ask for; the run ends there, and the next goes on; "
      "0: no limit" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static int text_put(char **to, struct slice text, struct err *err)
{
    free(*to);
    *to = strndup(text.at, text.len);
    return *to ? 0 : err_memory(err, text.len, "a model's name");
}

/* The place of the word among those between bars; -1: none. */
static int choice_of(const char *choices, struct slice word)
{
    for (int i = 0; *choices; i++) {
        const size_t len = strcspn(choices, "|");

        if (len == word.len && memcmp(choices, word.at, len) == 0) return i;
        choices += len + (choices[len] == '|');
    }
    return -1;
}

/* What says which model it is stands in --model. */
static int http_check(const struct node *http, struct err *err)
{
    static const char *const others[] = { "name", "backend", "path", "url", "threads" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (node_find(http, others[i]))
            return err_set(err, -EINVAL, "--http takes KEY=VALUE of a server (served, key_env, cache, timeout, "
                           "retries, concurrency, rate, budget, context), not `%s`", others[i]);
    return 0;
}

int model_option_cut(struct model_words *out, const char *value, struct err *err)
{
    const char *equals = strchr(value, '='), *colon = equals ? strchr(equals, ':') : NULL;

    if (!colon || equals == value || colon == equals + 1 || !colon[1])
        return err_set(err, -EINVAL, "--model takes NAME=BACKEND:PATH, as mine=ngram:mine.lm, not `%s`", value);
    *out = (struct model_words){ { value, (size_t)(equals - value) }, { equals + 1, (size_t)(colon - equals - 1) },
                                 colon + 1 };
    return 0;
}

int model_option_read(struct model_options *out, const char *value, const struct node *http, struct err *err)
{
    struct model_words words = { .path = NULL };
    int                backend, rc;

    *out = (struct model_options){ .backend = 0 };
    if (model_option_cut(&words, value, err) < 0) return err->code;
    backend = choice_of(model_backends, words.backend);
    if (backend < 0)
        return err_set(err, -EINVAL, "--model takes NAME=BACKEND:PATH, BACKEND being one of %s, not `%s`",
                       model_backends, value);
    rc = option_defaults(model_rows, out, err);
    if (rc == 0 && backend == MODEL_HTTP && http->count) {         /* the first row is the name */
        rc = http_check(http, err);
        if (rc == 0) rc = option_apply(model_rows + 1, out, http, NULL, "--http", "", err);
    }
    out->backend = backend;
    if (rc == 0) rc = text_put(&out->name, words.name, err);
    return rc < 0 ? rc : text_put(backend == MODEL_HTTP ? &out->url : &out->path, slice_of(words.path), err);
}
