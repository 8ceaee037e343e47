/* cmd/audit_licence_ask.c -- `leakgraph audit licence --benchmark`: a model is asked, its answers become a group. */
#include "cmd/audit.h"
#include "cmd/ranks.h"
#include "cmd/texts.h"
#include "cmd/version.h"

#include "base/log.h"
#include "compliance/ask.h"
#include "compliance/pair.h"
#include "model/option.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct asking_of {
    struct texts         texts;
    struct ask_function *function;                          /* [count] in the pool */
    size_t               count, room;
    struct pool          pool;
};

static int function_take(void *context, const struct shard *shard, const struct batch *batch,
                         const struct record *record, struct err *err)
{
    struct asking_of   *of = context;
    struct ask_function one;
    struct pair         pair;
    const char         *why;
    int                 rc = pair_parse(&pair, record->line, &why, err);

    (void)batch;
    if (rc == 1 && !pair.prompt.len) {
        pair_free(&pair);
        rc = 0, why = "has no `prompt`";
    }
    if (rc == 0) return texts_reject(&of->texts, shard, record, why);
    if (rc < 0) return rc;
    rc = ARRAY_GROW(of->function, of->room, of->count) < 0 || pool_copy(&of->pool, pair.id, &one.id) < 0 ||
        pool_copy(&of->pool, pair.prompt, &one.prompt) < 0 ||
        pool_copy(&of->pool, pair.signature, &one.signature) < 0 ||
        pool_copy(&of->pool, pair.reference, &one.reference) < 0 ||
        pool_copy(&of->pool, pair.license, &one.license) < 0 ? err_memory(err, record->line.len, "functions") : 0;
    if (rc == 0) of->function[of->count++] = one;
    pair_free(&pair);
    return rc;
}

/* Which answers are strikingly similar: of those alone the licence is asked for. */
static int striking_find(struct study *study, struct ask *ask, bool *wanted, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < ask->count && rc == 0; i++) {
        const struct ask_function *f = &ask->function[i];
        struct score               score;

        rc = score_take(&study->scorer, f->reference, ask_body(ask->how, ask->generated[i], f->signature), f->prompt,
                        &score, err);
        wanted[i] = rc == 0 && score_is_striking(&score, &study->limits);
    }
    return rc;
}

static int group_add(struct study *study, const struct ask *ask, struct err *err)
{
    int rc = study_open_group(study, slice_of(ask->model->name), err);

    for (size_t i = 0; i < ask->count && rc == 0; i++) {
        const struct ask_function *f = &ask->function[i];

        rc = study_add(study, &(struct study_texts){ f->id, f->reference,
                                                     ask_body(ask->how, ask->generated[i], f->signature), f->prompt,
                                                     f->license, ask->reply[i] }, err);
    }
    return rc;
}

static int model_ask(const struct licence_ask *asked, const char *value, struct asking_of *of, struct comm *comm,
                     struct stage *stage, struct study *study, struct err *err)
{
    struct model_options options;
    struct slice        *texts = calloc(2 * of->count + 1, sizeof *texts);
    bool                *wanted = calloc(of->count + 1, sizeof *wanted);
    struct ask           ask = { .comm = comm, .stage = stage, .version = leakgraph_version(), .model = &options,
                                 .threads = asked->threads ? asked->threads : omp_get_max_threads(),
                                 .tokens = asked->tokens, .how = asked->instruct ? ASK_INSTRUCT : ASK_PLAIN,
                                 .function = of->function, .count = of->count, .generated = texts,
                                 .reply = texts + of->count, .wanted = wanted, .pool = &of->pool };
    int                  rc = model_option_read(&options, value, asked->http, err);

    if (rc == 0 && (!texts || !wanted)) rc = err_memory(err, 2 * of->count * sizeof *texts, "answers");
    rc = comm_agree(comm, rc, err);
    if (rc == 0) rc = ask_answers(&ask, err);
    if (rc == 0) rc = comm_agree(comm, striking_find(study, &ask, wanted, err), err);
    if (rc == 0) rc = ask_replies(&ask, err);
    if (rc == 0) rc = comm_agree(comm, group_add(study, &ask, err), err);
    if (rc == 0 && !asked->quiet)
        log_info("%s: %llu questions asked, %llu answers were there%s", options.name, (unsigned long long)ask.asked,
                 (unsigned long long)ask.found, ask.refused ? "; some were refused" : "");
    free(texts);
    free(wanted);
    option_free(model_rows, &options);
    return rc;
}

int audit_licence_ask(const struct licence_ask *asked, struct comm *comm, struct study *study, struct err *err)
{
    struct asking_of of = { .texts = { .command = "audit licence", .take = function_take, .context = &of } };
    struct stage    *stage = NULL;
    char            *file = (char *)(uintptr_t)asked->benchmark;
    int              rc;

    of.texts.dataset.fields[FIELD_TEXT] = (char *)(uintptr_t)(asked->text_field ? asked->text_field : "reference");
    rc = comm_agree(comm, texts_read(&of.texts, &file, 1, err), err);
    if (rc == 0 && comm_rank(comm) == 0) rc = stage_open(&stage, asked->output, true, err);
    rc = comm_agree(comm, rc, err);
    if (rc == 0 && comm_rank(comm) != 0) rc = stage_open(&stage, asked->output, false, err);
    rc = comm_agree(comm, rc, err);
    for (size_t m = 0; m < asked->models && rc == 0; m++)
        rc = model_ask(asked, asked->model[m], &of, comm, stage, study, err);
    stage_close(stage);
    free(of.function);
    pool_free(&of.pool);
    return rc;
}
