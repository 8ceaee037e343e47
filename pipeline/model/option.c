/* model/option.c -- see option.h. */
#include "model/option.h"

#include <errno.h>
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

int model_option_cut(struct model_words *out, const char *value, struct err *err)
{
    const char *equals = strchr(value, '='), *colon = equals ? strchr(equals, ':') : NULL;

    if (!colon || equals == value || colon == equals + 1 || !colon[1])
        return err_set(err, -EINVAL, "--model takes NAME=BACKEND:PATH, as mine=ngram:mine.lm, not `%s`", value);
    *out = (struct model_words){ { value, (size_t)(equals - value) }, { equals + 1, (size_t)(colon - equals - 1) },
                                 colon + 1 };
    return 0;
}
