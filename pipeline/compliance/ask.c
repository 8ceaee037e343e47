/* compliance/ask.c -- see ask.h. */
#include "compliance/ask.h"

#include "compliance/extraction.h"
#include "probe/work.h"

#include <errno.h>
#include <string.h>

#define ASK_UNIT "licence"

enum question { BODY, LICENCE };
enum { REPLY_TOKENS = 32 };

struct asking { struct ask *ask; enum question question; };

/* ---- what is asked ---- */

static struct slice without_end(struct slice text)
{
    while (text.len && text.at[text.len - 1] == '\n') text.len--;
    return text;
}

/* 0 or -ENOMEM. */
static int prompt_make(const struct asking *of, size_t number, struct bytes *out)
{
    const struct ask   *ask = of->ask;
    const struct slice  prompt = without_end(ask->function[number].prompt);
    const bool          told = ask->how == ASK_INSTRUCT;
    const char         *question = told
        ? "\n\nWhich license is the function above under?  Answer with the license's name alone.\nAnswer:"
        : "\n\n# The license of the function above is:";
    int                 rc = 0;

    out->len = 0;
    if (told)
        rc = bytes_printf(out, "Complete the following Python function.  Answer with the function's code alone, in one "
                          "block of ```python.\n\n```python\n");
    if (rc == 0) rc = bytes_append_slice(out, prompt);
    if (rc == 0 && told) rc = bytes_printf(out, "\n```\n\nAnswer:\n");
    if (of->question == BODY || rc < 0) return rc;
    rc = bytes_append_slice(out, told ? ask->generated[number] : SLICE("\n"));
    if (rc == 0 && !told)
        rc = bytes_append_slice(out, ask_body(ask->how, ask->generated[number], ask->function[number].signature));
    return rc == 0 ? bytes_append_slice(out, slice_of(question)) : rc;
}

struct slice ask_body(enum ask_how how, struct slice generated, struct slice signature)
{
    size_t at = 0;

    if (how == ASK_INSTRUCT) return extraction_answer(generated, signature);
    while (generated.len && *generated.at == '\n') generated = (struct slice){ generated.at + 1, generated.len - 1 };
    while (at < generated.len) {                            /* a line that begins at the margin is of the module */
        const char *end = memchr(generated.at + at, '\n', generated.len - at);

        if (!strchr(" \t\r\n)]}", generated.at[at])) break;
        at = end ? (size_t)(end - generated.at) + 1 : generated.len;
    }
    return without_end((struct slice){ generated.at, at });
}

/* ---- units ---- */

static struct unit_key key_of(const struct asking *of, const struct model_info *model, uint32_t tokens,
                              struct slice prompt)
{
    const uint64_t  numbers[] = { of->question, tokens };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, of->ask->version, strlen(of->ask->version));

    key = unit_key_add(key, numbers, sizeof numbers);
    key = unit_key_add(key, &model->key, sizeof model->key);
    return unit_key_add(key, prompt.at, prompt.len);
}

/* New tokens for which there is room, with at least as much for the prompt. */
static uint32_t tokens_of(const struct asking *of, const struct model_info *model)
{
    const uint32_t wanted = of->question == LICENCE ? REPLY_TOKENS : of->ask->tokens;

    return model->context && wanted > model->context / 2 ? model->context / 2 : wanted;
}

static bool is_wanted(const struct asking *of, size_t number)
{
    return of->question == BODY || !of->ask->wanted || of->ask->wanted[number];
}

static int block_ask(const struct work *work, struct model_session *session, uint64_t number, struct err *err)
{
    const struct asking    *of = work->shared;
    const uint32_t          tokens = tokens_of(of, &work->info);
    struct model_generation made = { .text = { "", 0 } };
    struct bytes            prompt = { 0 };
    struct unit_key         key;
    struct unit             unit;
    struct err              refused = { 0 };
    int                     rc;

    if (!is_wanted(of, (size_t)number)) return 0;
    if (prompt_make(of, (size_t)number, &prompt) < 0) {
        bytes_free(&prompt);
        return err_memory(err, prompt.len, "a prompt");
    }
    key = key_of(of, &work->info, tokens, bytes_slice(&prompt));
    rc = stage_load(of->ask->stage, ASK_UNIT, key, &unit, err);
    if (rc == 1) unit_close(&unit);
    if (rc == 0) {
        const struct model_sampling sampling = { .tokens = tokens, .top_p = 1 };

        rc = model_generate(session, bytes_slice(&prompt), &sampling, &made, err);
        if (rc == -ENODATA) {
            refused = *err;
            *err = (struct err){ 0 };
            made.text = SLICE("");
            rc = 0;
        }
        if (rc == 0)
            rc = stage_commit(of->ask->stage, ASK_UNIT, key,
                              (struct slice[]){ made.text, slice_of(refused.text) }, 2, err);
        if (rc == 0) rc = 1;
    } else if (rc == 1) rc = 0;
    bytes_free(&prompt);
    return rc;
}

/* Reads the answers back, in order. */
static int answers_read(const struct asking *of, const struct model_info *model, struct slice *out, struct err *err)
{
    struct bytes prompt = { 0 };
    int          rc = 0;

    for (size_t i = 0; i < of->ask->count && rc == 0; i++) {
        struct unit unit;

        out[i] = (struct slice){ NULL, 0 };
        if (!is_wanted(of, i)) continue;
        if (prompt_make(of, i, &prompt) < 0) rc = err_memory(err, prompt.len, "a prompt");
        else
            rc = stage_load(of->ask->stage, ASK_UNIT,
                            key_of(of, model, tokens_of(of, model), bytes_slice(&prompt)), &unit, err);
        if (rc == 0)
            rc = err_set(err, -EIO, "%s: an answer of model %s has disappeared or is damaged; the same command again "
                         "asks for it anew", stage_dir(of->ask->stage), model->name);
        if (rc < 0) break;
        if (!unit.section[1].len && pool_copy(of->ask->pool, unit.section[0], &out[i]) < 0)
            rc = err_memory(err, unit.section[0].len, "an answer");
        else rc = 0;
        unit_close(&unit);
    }
    bytes_free(&prompt);
    return rc;
}

static int questions_ask(struct ask *ask, enum question question, struct slice *out, struct err *err)
{
    struct asking of = { ask, question };
    struct work   work = { .comm = ask->comm, .options = ask->model, .threads = ask->threads, .blocks = ask->count,
                           .block = block_ask, .shared = &of };
    int           rc = work_run(&work, err);

    ask->asked += work.asked;
    ask->found += work.found;
    if (rc == 0)
        for (size_t i = 0; i < ask->count; i++) ask->found -= !is_wanted(&of, i);
    if (rc == 0) rc = answers_read(&of, &work.info, out, err);
    return comm_agree(ask->comm, rc, err);
}

int ask_answers(struct ask *ask, struct err *err) { return questions_ask(ask, BODY, ask->generated, err); }

int ask_replies(struct ask *ask, struct err *err) { return questions_ask(ask, LICENCE, ask->reply, err); }
