/* tests/data/check_tokens.c -- a vocabulary by llama.cpp and by a tokenizer.json: the same tokens of the same texts.
 *
 *     zstd -dc FILE.jsonl.zst | check_tokens MODEL.gguf TOKENIZER.json
 *
 * The texts are field `text` of the lines.  Exit status: 0, 1 when tokens differ, 2 wrong usage or input, 77 when there
 * is no such backend. */
#include "model/model.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int session_open(struct model **model, struct model_session **session, char *path, int backend, struct err *err)
{
    const struct model_options options = { .name = path, .backend = backend, .path = path, .threads = 1 };
    int                        rc = model_open(model, &options, err);

    return rc < 0 ? rc : model_session_open(session, *model, err);
}

/* 1: the tokens are the same; 0: they are not. */
static int compare(struct model_session *const *session, struct slice text, struct err *err)
{
    struct model_tokens tokens[2];

    for (int i = 0; i < 2; i++)
        if (model_tokenize(session[i], text, &tokens[i], err) < 0) return err->code;
    return tokens[0].count == tokens[1].count &&
        (!tokens[0].count || (memcmp(tokens[0].id, tokens[1].id, tokens[0].count * sizeof *tokens[0].id) == 0 &&
                              memcmp(tokens[0].at, tokens[1].at, tokens[0].count * sizeof *tokens[0].at) == 0));
}

int main(int argc, char **argv)
{
    struct model         *model[2] = { NULL };
    struct model_session *session[2] = { NULL };
    struct err            err = { 0 };
    char                 *line = NULL;
    size_t                room = 0, texts = 0, bytes = 0, wrong = 0;
    int                   rc;

    if (argc != 3) {
        fprintf(stderr, "usage: check_tokens MODEL.gguf TOKENIZER.json <TEXTS.jsonl\n");
        return 2;
    }
    rc = session_open(&model[0], &session[0], argv[1], MODEL_LLAMA, &err);
    if (rc >= 0) rc = session_open(&model[1], &session[1], argv[2], MODEL_TOKENIZER, &err);
    while (rc >= 0 && getline(&line, &room, stdin) > 0) {
        cJSON      *record = cJSON_Parse(line);
        const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "text"));

        if (text) {
            rc = compare(session, slice_of(text), &err);
            texts++;
            bytes += strlen(text);
            if (rc == 0 && wrong++ < 5) fprintf(stderr, "other tokens: %.200s\n", text);
        }
        cJSON_Delete(record);
    }
    if (rc < 0) fprintf(stderr, "%s\n", err.text);
    else printf("%zu texts of %zu bytes, %zu with other tokens\n", texts, bytes, wrong);
    for (int i = 0; i < 2; i++) {
        model_session_close(session[i]);
        model_close(model[i]);
    }
    free(line);
    return rc == -ENOSYS ? 77 : rc < 0 ? 2 : wrong > 0 || !texts;
}
