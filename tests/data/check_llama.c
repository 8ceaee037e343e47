/* tests/data/check_llama.c -- a real model in llama.cpp against numbers of the program that trained it.
 *
 *     zstd -dc FILE.jsonl.zst | check_llama MODEL.gguf ITEMS.jsonl KEY
 *
 * ITEMS has for each `id` the number of `tokens`, and for some the `first_ids` and, under KEY, the mean loss of the
 * tokens after the first in a window of 256; the texts are on standard input.  Ids and numbers of tokens are equal,
 * losses differ by at most 0.001.  Exit status: 0, 1 when something differs, 2 wrong usage or input, 77 when there is
 * no such backend. */
#include "model/model.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 256, WANTED = 40 };

struct counts { unsigned long long items, losses, wrong; double furthest; };

static const cJSON *item_of(cJSON *const *item, size_t count, const char *id)
{
    for (size_t i = 0; i < count && id; i++) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item[i], "id"));

        if (name && strcmp(name, id) == 0) return item[i];
    }
    return NULL;
}

static int check_loss(struct model_session *session, const struct model_tokens *tokens, double wanted,
                      struct counts *counts, const char *id, struct err *err)
{
    struct model_score score[WINDOW];
    size_t             end = tokens->count < WINDOW ? tokens->count : WINDOW;
    double             loss = 0;
    int                rc = model_score(session, tokens, 0, end, 1, score, err);

    if (rc < 0) return rc;
    for (size_t i = 0; i + 1 < end; i++) loss -= score[i].logprob / (double)(end - 1);
    counts->losses++;
    counts->furthest = fmax(counts->furthest, fabs(loss - wanted));
    if (fabs(loss - wanted) <= 1e-3) return 0;
    fprintf(stderr, "%s: loss %.6f, not %.6f\n", id, loss, wanted);
    counts->wrong++;
    return 0;
}

static int check(struct model_session *session, const cJSON *item, const char *text, const char *key,
                 struct counts *counts, struct err *err)
{
    const cJSON        *first = cJSON_GetObjectItemCaseSensitive(item, "first_ids"),
        *loss = cJSON_GetObjectItemCaseSensitive(item, key), *id;
    const char         *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "id"));
    double              count = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(item, "tokens"));
    struct model_tokens tokens;
    size_t              i = 0;
    bool                same = true;
    int                 rc = model_tokenize(session, slice_of(text), &tokens, err);

    if (rc < 0) return rc;
    counts->items++;
    same = (double)tokens.count == count;
    cJSON_ArrayForEach(id, first) {
        same &= i < tokens.count && (double)tokens.id[i] == cJSON_GetNumberValue(id);
        i++;
    }
    if (!same) fprintf(stderr, "%s: %zu tokens, not %g, or other ones\n", name, tokens.count, count);
    counts->wrong += !same;
    return cJSON_IsNumber(loss) ? check_loss(session, &tokens, loss->valuedouble, counts, name, err) : 0;
}

static size_t read_items(const char *path, cJSON ***out)
{
    FILE  *file = fopen(path, "r");
    char  *line = NULL;
    size_t room = 0, count = 0, items_room = 0;

    while (file && getline(&line, &room, file) > 0) {
        if (ARRAY_GROW(*out, items_room, count) < 0) break;
        if (((*out)[count] = cJSON_Parse(line))) count++;
    }
    free(line);
    if (file) fclose(file);
    return count;
}

int main(int argc, char **argv)
{
    struct model_options  options = { .name = argc == 4 ? argv[1] : NULL, .backend = MODEL_LLAMA, .path = argc == 4
                                      ? argv[1] : NULL, .threads = 1 };
    struct model         *model;
    struct model_session *session = NULL;
    struct counts         counts = { 0 };
    struct err            err = { 0 };
    cJSON               **item = NULL;
    char                 *line = NULL;
    size_t                items, room = 0;
    int                   rc;

    if (argc != 4 || (items = read_items(argv[2], &item)) == 0) {
        fprintf(stderr, "usage: check_llama MODEL.gguf ITEMS.jsonl KEY <TEXTS.jsonl\n");
        return 2;
    }
    if ((rc = model_open(&model, &options, &err)) == 0 && (rc = model_session_open(&session, model, &err)) == 0) {
        while (rc == 0 && getline(&line, &room, stdin) > 0) {
            cJSON       *record = cJSON_Parse(line);
            const char  *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "text"));
            const cJSON *known = item_of(item, items,
                                         cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "id")));

            if (known && text) rc = check(session, known, text, argv[3], &counts, &err);
            cJSON_Delete(record);
        }
    }
    if (rc < 0) fprintf(stderr, "%s\n", err.text);
    if (rc == 0)
        printf("%llu items, %llu losses, furthest off by %.2g, %llu wrong\n", counts.items, counts.losses,
               counts.furthest, counts.wrong);
    model_session_close(session);
    model_close(model);
    for (size_t i = 0; i < items; i++) cJSON_Delete(item[i]);
    free(item);
    free(line);
    return rc == -ENOSYS ? 77 : rc < 0 ? 2 : counts.wrong > 0 || counts.items != items || counts.losses < WANTED;
}
