/* inclusion/written.c -- see written.h. */
#include "inclusion/written.h"

#include "probe/answers.h"

#include <errno.h>
#include <string.h>

struct unit_key written_key(const struct inclusion_job *job, const struct model_info *model, size_t file)
{
    const struct inclusion_options *o = job->options;
    const uint64_t number[] = { o->published, (uint64_t)o->prompt, o->functions, o->function_tokens };

    return inclusion_file_key(job, model, file, (struct slice){ (const char *)number, sizeof number });
}

struct writing {
    const struct inclusion_job *job;
    const struct model_info    *model;
    struct model_session       *session;
    struct slice                text;
    struct bytes                padded, prompt;
    struct audit_reader         reader;
    struct inclusion_halves     halves;
};

/* The model's tokens in a text; of one that gives none as many as it hardly ever has more of. */
static int tokens_of(struct writing *w, struct slice text, uint64_t *count, struct err *err)
{
    struct model_tokens tokens;
    int                 rc = model_tokenize(w->session, text, &tokens, err);

    *count = rc == 0 ? tokens.count : text.len / 2 + 8;
    if (rc == -ENODATA) *err = (struct err){ 0 };
    return rc == -ENODATA ? 0 : rc;
}

/* How many new tokens are asked for: as many as the second half has; exact: a quarter more, as what is nearly the same
 * may be longer.  0: there is no room for them. */
static int wanted_tokens(struct writing *w, const struct inclusion_half *half, uint32_t *out, struct err *err)
{
    const struct inclusion_options *o = w->job->options;
    uint64_t                        shown = 0, count;
    int rc = tokens_of(w, (struct slice){ w->text.at + half->middle, half->end - half->middle }, &count, err);

    if (rc == 0) rc = tokens_of(w, half_shown(w->text, half, o->published), &shown, err);
    if (rc < 0) return rc;
    count += o->published ? 0 : count / 4 + 1;
    if (count == 0) count = 1;
    if ((w->model->context && shown + count >= w->model->context) ||
        count > (o->published ? UINT32_MAX : o->function_tokens)) count = 0;
    *out = (uint32_t)count;
    return 0;
}

/* What the model is shown: what stands before the second half, and behind it where the prompt says so; published: the
 * first half alone. */
static int prompt_make(struct writing *w, const struct inclusion_half *half, uint32_t tokens, struct err *err)
{
    struct inclusion_options   o = *w->job->options;
    const struct slice         shown = half_shown(w->text, half, o.published);
    const struct audit_element second = { .category = AUDIT_FUNCTION, .end = half->end,
                                          .at = (size_t)(shown.at - w->text.at) + shown.len };
    struct slice               wanted;

    o.sampling.tokens = tokens;
    if (!o.published) return inclusion_prompt_make(&o, w->text, &second, w->model, &w->prompt, &wanted, err);
    w->prompt.len = 0;
    return bytes_append_slice(&w->prompt, shown) < 0 ? err_memory(err, half->end, "a prompt") : 0;
}

static int function_ask(void *shared, uint64_t number, struct bytes section[2], struct err *err)
{
    struct writing                 *w = shared;
    const struct inclusion_half    *half = &w->halves.at[number];
    const struct inclusion_options *o = w->job->options;
    struct model_sampling           sampling = { .top_p = 1 };      /* the likeliest tokens: nothing is drawn */
    struct inclusion_written        row = { .at = (uint32_t)half->at, .head = (uint32_t)half->head,
                                            .middle = (uint32_t)half->middle, .end = (uint32_t)half->end,
                                            .line = half->line };
    struct model_generation         made = { .text = SLICE("") };
    int                             rc = wanted_tokens(w, half, &sampling.tokens, err);

    if (rc == 0 && sampling.tokens) rc = prompt_make(w, half, sampling.tokens, err);
    sampling.special = !o->published && inclusion_marks(o, w->model) != NULL;
    if (rc == 0 && sampling.tokens) rc = model_generate(w->session, bytes_slice(&w->prompt), &sampling, &made, err);
    if (rc == -ENODATA) *err = (struct err){ 0 };
    else if (rc < 0) return rc;
    row.refused = rc == -ENODATA || !sampling.tokens;
    if (row.refused) made.text = SLICE("");
    row.output = (struct heap_string){ (uint32_t)section[1].len, (uint32_t)made.text.len };
    return bytes_append_slice(&section[1], made.text) < 0 || bytes_append(&section[0], &row, sizeof row) < 0
        ? err_memory(err, made.text.len, "an answer") : 0;
}

int written_make(const struct inclusion_job *job, struct model_session *session, const struct model_info *model,
                 size_t file, struct err *err)
{
    const struct inclusion_options *o = job->options;
    struct writing                  w = { .job = job, .model = model, .session = session };
    int                             rc = inclusion_padded(job->file[file].text, &w.padded, &w.text, err);

    if (rc == 0) rc = half_find(&w.reader, job->file[file].language, w.text, o->published, o->functions, &w.halves,
                                err);
    if (rc == 0)
        rc = answers_make(&(struct answers){ job->run->stage, WRITTEN_UNIT, written_key(job, model, file),
                                             w.halves.count, function_ask, &w }, err);
    half_free(&w.halves);
    audit_reader_free(&w.reader);
    bytes_free(&w.padded);
    bytes_free(&w.prompt);
    return rc;
}
