/* probe/ask.c -- all metrics of one text and one model; see item.h. */
#include "probe/item.h"

#include "probe/metric.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What is made of a text's scores, of its forms' scores, of what the model goes on with. */
enum {
    OF_SCORES = 1u << METRIC_NLL | 1u << METRIC_NLL_WINDOWS | 1u << METRIC_NLL_WEIGHTED | 1u << METRIC_MIN_K
              | 1u << METRIC_MIN_K_PP,
    OF_FAMILY = 1u << METRIC_PERPLEXITY | 1u << METRIC_LOWERCASE | 1u << METRIC_ZLIB | 1u << METRIC_WINDOW |
        1u << METRIC_RATIO | 1u << METRIC_DIFFERENCE,
    OF_STARTS = 1u << METRIC_ACCURACY | 1u << METRIC_EDIT | 1u << METRIC_ROUGE | 1u << METRIC_SUSPICIOUS,
};

/* What one text's metrics are made with. */
struct asking {
    struct model_session       *session;
    const struct model_info    *info;
    const struct probe_options *options;
    struct probe_scratch       *scratch;
    struct bytes               *answers, *lacks;
    struct err                 *err;
    uint32_t                    number;
};

/* What is of two models is made of their perplexities. */
static bool wants(const struct asking *a, enum probe_metric metric)
{
    return a->options->metrics >> metric & 1 ||
        (metric == METRIC_PERPLEXITY && a->options->metrics & (1u << METRIC_RATIO | 1u << METRIC_DIFFERENCE));
}

static int lack_add(const struct asking *a, enum probe_metric metric, const char *why)
{
    struct probe_lack lack = { .item = a->number, .metric = metric };

    snprintf(lack.reason, sizeof lack.reason, "%.159s", why);
    return bytes_append(a->lacks, &lack, sizeof lack) < 0 ? err_memory(a->err, a->lacks->len, "answers") : 0;
}

static int say(const struct asking *a, enum probe_metric metric, double value)
{
    struct probe_answer answer = { a->number, metric, value };

    if (!wants(a, metric)) return 0;
    if (!isfinite(value))
        return lack_add(a, metric, isnan(value) ? "not defined for this text"
                        : "a token of the text has probability 0");
    return bytes_append(a->answers, &answer, sizeof answer) < 0 ? err_memory(a->err, a->answers->len, "answers") : 0;
}

/* No failure: those of the metrics (bits) that are wanted are missing, for this reason. */
static int undefined(const struct asking *a, uint32_t metrics, const char *why)
{
    for (enum probe_metric metric = 0; metric < METRIC_COUNT; metric++)
        if (metrics >> metric & 1 && wants(a, metric) && lack_add(a, metric, why) < 0) return a->err->code;
    return 0;
}

/* Likewise for a model that has no answer.  Gives rc, 0 for -ENODATA. */
static int lacks(const struct asking *a, uint32_t metrics, int rc)
{
    const struct err why = *a->err;

    if (rc != -ENODATA) return rc;
    *a->err = (struct err){ 0 };
    return undefined(a, metrics, why.text);
}

/* Scores of all tokens but the first, chunk by chunk, each token's in score[its number]; those never scored are NaN. */
static int score_text(const struct asking *a, const struct model_tokens *tokens, struct nll_sums *sums)
{
    const struct nll_plan plan = { a->info->context, a->options->stride };
    struct probe_scratch *s = a->scratch;
    struct nll_chunk      chunk;

    *sums = (struct nll_sums){ 0 };
    if (tokens->count > s->room) {
        free(s->score);
        s->room = tokens->count + tokens->count / 2;
        s->score = malloc(s->room * sizeof *s->score);
        if (!s->score) s->room = 0;
        if (!s->score) return err_memory(a->err, tokens->count * sizeof *s->score, "a text's scores");
    }
    for (size_t i = 0; i < tokens->count; i++) s->score[i] = (struct model_score){ NAN, NAN, NAN };
    for (size_t number = 0; nll_chunk_at(&plan, tokens->count, !a->options->published, number, &chunk); number++) {
        int rc = model_score(a->session, tokens, chunk.begin, chunk.end, chunk.from, s->score + chunk.from, a->err);

        if (rc < 0) return rc;
        nll_add(sums, &chunk, s->score + chunk.from);
    }
    return 0;
}

int probe_text_score(struct model_session *session, const struct model_info *info, const struct probe_options *options,
                     struct slice text, struct probe_scratch *scratch, struct nll_sums *out, struct err *err)
{
    const struct asking a = { .session = session, .info = info, .options = options, .scratch = scratch, .err = err };
    struct model_tokens tokens;
    int                 rc = model_tokenize(session, text, &tokens, err);

    return rc < 0 ? rc : score_text(&a, &tokens, out);
}

/* Mean loss of a text; NaN with fewer than two tokens. */
static int loss_of(const struct asking *a, struct slice text, double *out)
{
    struct nll_sums sums;
    int             rc = probe_text_score(a->session, a->info, a->options, text, a->scratch, &sums, a->err);

    *out = rc == 0 ? nll_tokens(&sums) : NAN;
    return rc;
}

/* ---- metrics of the text as it stands ---- */

static int ask_scores(const struct asking *a, const struct model_tokens *tokens, struct nll_sums *sums)
{
    size_t scored = 0;
    double value;
    int    rc = score_text(a, tokens, sums);

    if (rc == 0) rc = say(a, METRIC_NLL, a->options->published ? nll_mean(sums) : nll_tokens(sums));
    if (rc == 0) rc = say(a, METRIC_NLL_WINDOWS, nll_mean(sums));
    if (rc == 0) rc = say(a, METRIC_NLL_WEIGHTED, nll_weighted(sums));
    for (size_t i = 0; rc == 0 && i < tokens->count; i++)
        if (!isnan(a->scratch->score[i].logprob)) a->scratch->score[scored++] = a->scratch->score[i];
    if (rc == 0) rc = min_k(a->scratch->score, scored, a->options->min_k, false, &value, a->err);
    if (rc == 0) rc = say(a, METRIC_MIN_K, value);
    if (rc == 0 && !a->info->moments)
        return undefined(a, 1u << METRIC_MIN_K_PP, "the model tells nothing of its whole vocabulary");
    for (size_t i = 0; rc == 0 && i < scored; i++)
        if (isnan(a->scratch->score[i].mean) || isnan(a->scratch->score[i].deviation))
            return undefined(a, 1u << METRIC_MIN_K_PP,
                             "the model tells nothing of its whole vocabulary at a token of this text");
    if (rc == 0) rc = min_k(a->scratch->score, scored, a->options->min_k, true, &value, a->err);
    return rc < 0 ? rc : say(a, METRIC_MIN_K_PP, value);
}

/* What the model goes on with after tokens [begin, at) of the text, against tokens [at, at + n).  Where it stopped
 * early, the last tokens of the prompt stand in front, as in the published program. */
struct hits { uint32_t asked, equal, edit, rouge; };

static int ask_start(const struct asking *a, const struct model_tokens *tokens, size_t begin, size_t at,
                     struct hits *hits)
{
    const uint32_t              n = a->options->n;
    const struct model_sampling greedy = { .tokens = n, .top_p = 1 };
    const struct slice          prompt = { tokens->text.at + tokens->at[begin], tokens->at[at] - tokens->at[begin] };
    const struct slice          truth = { tokens->text.at + tokens->at[at], tokens->at[at + n] - tokens->at[at] };
    struct model_generation     made;
    struct slice                predicted;
    double                      edit = 0, rouge = 0;
    bool                        equal;
    int                         rc = model_generate(a->session, prompt, &greedy, &made, a->err);

    if (rc < 0) return rc;
    predicted = made.text;
    if (made.count < n) {
        size_t from = at - (n - made.count < at - begin ? n - made.count : at - begin);

        a->scratch->reason.len = 0;
        if (bytes_append(&a->scratch->reason, tokens->text.at + tokens->at[from],
                         tokens->at[at] - tokens->at[from]) < 0 ||
            bytes_append_slice(&a->scratch->reason, made.text) < 0) return err_memory(a->err, made.text.len,
                    "a prediction");
        predicted = bytes_slice(&a->scratch->reason);
    }
    equal = slice_equal(predicted, truth);
    if (a->options->compare_tokens)
        equal = made.prompt + made.count >= n && memcmp(made.id + made.prompt + made.count - n, tokens->id + at,
                                                        n * sizeof *made.id) == 0;
    rc = edit_similarity(predicted, truth, &edit, a->err);
    if (rc == 0 && wants(a, METRIC_ROUGE)) rc = rouge_l(predicted, truth, &rouge, a->err);
    hits->asked++;
    hits->equal += equal;
    hits->edit += edit > 0.75;
    hits->rouge += rouge > 0.75;
    return rc;
}

static int ask_accuracy(const struct asking *a, const struct model_tokens *tokens)
{
    const struct probe_options *o = a->options;
    const struct nll_plan       plan = { a->info->context, o->stride };
    struct nll_chunk            chunk = { 0, tokens->count, 0, tokens->count };
    struct hits                 hits = { 0 };
    size_t                      start[ACCURACY_STARTS];
    int                         rc = 0;

    for (size_t number = 0; rc == 0 &&
         (o->strided_starts ? nll_chunk_at(&plan, tokens->count, false, number, &chunk)
          : number == 0); number++) {
        if (!accuracy_starts(chunk.end - chunk.begin, a->info->context, o->n, o->starts, start)) continue;
        for (uint32_t i = 0; rc == 0 && i < o->starts; i++)
            rc = ask_start(a, tokens, chunk.begin, chunk.begin + start[i], &hits);
    }
    if (rc < 0) return rc;
    if (hits.asked == 0) return undefined(a, OF_STARTS, "too short for an n-gram");
    rc = say(a, METRIC_ACCURACY, (double)hits.equal / hits.asked);
    if (rc == 0) rc = say(a, METRIC_EDIT, (double)hits.edit / hits.asked);
    if (rc == 0) rc = say(a, METRIC_ROUGE, (double)hits.rouge / hits.asked);
    return rc < 0 ? rc : say(a, METRIC_SUSPICIOUS, hits.equal == hits.asked);
}

/* ---- the perplexity family: of the text with its line feeds collapsed ---- */

/* One window and, for the released code's number, its padding; *why keeps the reason where the model does not say. */
static int ask_window(const struct asking *a, struct slice text, struct window_loss *out, struct err *why)
{
    struct model_padding padding = { NAN, NAN };
    struct model_tokens  tokens;
    struct nll_sums      sums = { 0 };
    int                  rc = model_tokenize(a->session, text, &tokens, a->err);

    if (rc == 0 && tokens.count > 1) rc = score_text(a, &tokens, &sums);
    if (rc < 0) return rc;
    out->tokens = tokens.count;
    out->sum = tokens.count > 1 ? nll_tokens(&sums) * (double)(tokens.count - 1) : 0;
    if (a->options->published && (rc = model_score_padding(a->session, &tokens, &padding, a->err)) == -ENODATA) {
        *why = *a->err;
        *a->err = (struct err){ 0 };
        rc = 0;
    }
    out->pad = -padding.pad;
    out->first = -padding.first;
    return rc;
}

static int ask_windows(const struct asking *a, struct slice text)
{
    struct probe_scratch *s = a->scratch;
    struct slice          window;
    struct err            why = { 0 };
    size_t                at = 0, count = 0, scored = 0;
    double                sum = 0, published;

    for (; window_next(text, a->options->published, &at, &window); count++) {
        int rc;

        if (ARRAY_GROW(s->window, s->window_room, count) < 0)
            return err_memory(a->err, count * sizeof *s->window, "windows");
        if ((rc = ask_window(a, window, &s->window[count], &why)) < 0) return rc;
        if (s->window[count].tokens < 2) continue;
        scored++;
        sum += exp(s->window[count].sum / (double)(s->window[count].tokens - 1));
    }
    if (!a->options->published) return say(a, METRIC_WINDOW, scored ? sum / (double)scored : NAN);
    published = window_published(s->window, count);
    if (isnan(published) && scored && why.code) return err_set(a->err, -ENODATA, "%s", why.text);
    return say(a, METRIC_WINDOW, published);
}

static int ask_family(const struct asking *a, struct slice text, double loss)
{
    double lower = NAN;
    size_t packed = 0;
    int    rc;

    if (!isfinite(loss))
        return undefined(a, OF_FAMILY, isnan(loss) ? "fewer than two tokens" : "a token of the text has probability 0");
    rc = say(a, METRIC_PERPLEXITY, exp(loss));
    if (rc == 0 && wants(a, METRIC_LOWERCASE)) {
        rc = metric_lower(text, &a->scratch->lower, a->err);
        if (rc == 0) rc = loss_of(a, bytes_slice(&a->scratch->lower), &lower);
        rc = rc == 0 ? say(a, METRIC_LOWERCASE, loss > 0 ? lower / loss : NAN) : lacks(a, 1u << METRIC_LOWERCASE, rc);
    }
    if (rc == 0 && wants(a, METRIC_ZLIB)) {
        rc = zlib_bytes(text, &packed, a->err);
        if (rc == 0) rc = say(a, METRIC_ZLIB, loss > 0 ? (double)packed / loss : NAN);
    }
    if (rc == 0 && wants(a, METRIC_WINDOW)) rc = lacks(a, 1u << METRIC_WINDOW, ask_windows(a, text));
    return rc;
}

int probe_item_ask(struct model_session *session, const struct model_info *info, const struct probe_options *options,
                   struct slice text, uint32_t number,
                   struct probe_scratch *scratch, struct bytes *answers, struct bytes *without, struct err *err)
{
    const struct asking a = { session, info, options, scratch, answers, without, err, number };
    struct model_tokens tokens;
    struct nll_sums     sums = { 0 };
    double              loss = NAN;
    int                 rc = metric_collapse(text, &scratch->collapsed, err);
    const bool          same = scratch->collapsed.len == text.len;

    if (rc == 0) rc = model_tokenize(session, text, &tokens, err);
    if (rc == -ENODATA) {
        const struct err why = *err;

        *err = (struct err){ 0 };
        return lack_add(&a, METRIC_COUNT, why.text);
    }
    if (rc == 0) rc = say(&a, METRIC_TOKENS, (double)tokens.count);
    if (rc == 0 && tokens.count < 2) return lack_add(&a, METRIC_COUNT, "fewer than two tokens");
    if (rc == 0 && options->metrics & OF_STARTS) rc = lacks(&a, OF_STARTS, ask_accuracy(&a, &tokens));
    if (rc == 0 && (options->metrics & OF_SCORES || (same && options->metrics & OF_FAMILY))) {
        rc = ask_scores(&a, &tokens, &sums);
        loss = nll_tokens(&sums);
        /* nor will it tell those of other forms of the text */
        if (rc == -ENODATA) return lacks(&a, OF_SCORES | OF_FAMILY, rc);
    }
    if (rc == 0 && options->metrics & OF_FAMILY && !same) {
        rc = loss_of(&a, bytes_slice(&scratch->collapsed), &loss);
        if (rc == -ENODATA) return lacks(&a, OF_FAMILY, rc);
    }
    if (rc == 0 && options->metrics & OF_FAMILY) rc = ask_family(&a, bytes_slice(&scratch->collapsed), loss);
    return rc;
}

void probe_scratch_free(struct probe_scratch *scratch)
{
    bytes_free(&scratch->collapsed);
    bytes_free(&scratch->lower);
    bytes_free(&scratch->reason);
    free(scratch->score);
    free(scratch->window);
}
