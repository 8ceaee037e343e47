/* compliance/compliance.c -- answers that are there, and models in turn; see compliance.h. */
#include "compliance/compliance.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what edits are counted in, and how licences are told: of rank 0, which scores ---- */

const char *compliance_edit_path(const char *edit_tokens, enum model_backend *backend)
{
    static const struct { const char *prefix; enum model_backend backend; } forms[] = {
        { "llama:", MODEL_LLAMA }, { "ngram:", MODEL_NGRAM }, { "json:", MODEL_TOKENIZER },
    };
    const char *end = strrchr(edit_tokens, '.');

    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        const size_t len = strlen(forms[f].prefix);

        if (strncmp(edit_tokens, forms[f].prefix, len) != 0) continue;
        *backend = forms[f].backend;
        return edit_tokens[len] ? edit_tokens + len : NULL;
    }
    *backend = MODEL_TOKENIZER;
    return end && strcmp(end, ".json") == 0 ? edit_tokens : NULL;
}

static int edit_tokens_open(struct compliance_job *job, struct err *err)
{
    enum model_backend   backend;
    const char          *path = compliance_edit_path(job->options->edit_tokens, &backend);
    char                 none[] = "", name[] = "edit_tokens";
    struct model_options options = { .name = name, .key_env = none, .cache = none, .served = none, .url = none,
                                     .backend = (int)backend, .path = (char *)(uintptr_t)path };
    int                  rc = model_open(&job->edit_model, &options, err);

    if (rc == 0) rc = model_session_open(&job->edit_session, job->edit_model, err);
    job->study.scorer.session = job->edit_session;
    return rc;
}

static int study_prepare(struct compliance_job *job, struct err *err)
{
    const struct compliance_options *o = job->options;
    int                              rc = *o->rules ? rules_open(&job->rules, o->rules, err) : 0;

    job->study.limits = o->limits;
    job->study.published = o->published;
    job->study.rules = job->rules;
    return rc == 0 && *o->edit_tokens ? edit_tokens_open(job, err) : rc;
}

/* ---- answers that are there ---- */

static int pairs_study(struct compliance_job *job, uint32_t dataset, struct err *err)
{
    const struct dataset             *of = &job->run->datasets[dataset];
    const uint64_t                    asked = job->options->asked;
    size_t                            count;
    const struct compliance_function *function = functions_of(&job->functions, dataset, &count);
    struct study_group               *group;
    int                               rc;

    if (asked && count > asked)
        return err_set(err, -EINVAL, "compliance: `%s` has more answers than the %llu functions of `asked`", of->name,
                       (unsigned long long)asked);
    rc = study_open_group(&job->study, slice_of(of->name), dataset, false, err);
    for (size_t i = 0; i < count && rc == 0; i++) {
        rc = study_add(&job->study, &function[i], function[i].answer, err);
        group = &job->study.group[job->study.groups - 1];
        if (rc == 0) rc = study_reply(&job->study, &group->at[i], function[i].reply, err);
        group->benchmark = asked;
    }
    return rc;
}

static int all_pairs_study(struct compliance_job *job, struct err *err)
{
    int rc = study_prepare(job, err);

    for (uint32_t d = 0; d < job->run->dataset_count && rc == 0; d++)
        if (job->options->pairs[d]) rc = pairs_study(job, d, err);
    return rc;
}

/* ---- models ---- */

static int bodies_study(struct compliance_job *job, const struct ask *ask, uint32_t dataset, struct err *err)
{
    int rc = study_open_group(&job->study, slice_of(ask->model->name), dataset, true, err);

    for (size_t i = 0; i < ask->count && rc == 0; i++) {
        const struct slice said = ask->generated[i];

        rc = study_add(&job->study, &ask->function[i],
                       said.at ? ask_body(ask->how, said, ask->function[i].signature) : said, err);
    }
    return rc;
}

static int replies_study(struct compliance_job *job, const struct ask *ask, struct err *err)
{
    const struct study_group *group = &job->study.group[job->study.groups - 1];
    int                       rc = 0;

    for (size_t i = 0; i < ask->count && rc == 0; i++)
        rc = study_reply(&job->study, &group->at[i], ask->reply[i], err);
    return rc;
}

/* Rank 0 tells the others which answers are strikingly similar: of those alone the licence is asked for. */
static int striking_share(struct compliance_job *job, const struct ask *ask, bool *wanted, struct err *err)
{
    struct comm *comm = job->run->comm;
    struct bytes flags = { 0 };
    int          rc = 0;

    for (size_t i = 0; comm_rank(comm) == 0 && i < ask->count; i++)
        wanted[i] = job->study.group[job->study.groups - 1].at[i].striking;
    if (comm_rank(comm) == 0 && bytes_append(&flags, wanted, ask->count * sizeof *wanted) < 0)
        rc = err_memory(err, ask->count, "answers");
    rc = comm_agree(comm, rc, err);
    if (rc == 0) rc = comm_broadcast(comm, &flags, err);
    if (rc == 0) memcpy(wanted, flags.at, ask->count * sizeof *wanted);
    bytes_free(&flags);
    return rc;
}

static int model_ask(struct compliance_job *job, size_t m, uint32_t dataset, struct err *err)
{
    const struct run *run = job->run;
    const bool        first = comm_rank(run->comm) == 0;
    struct ask        ask = { .comm = run->comm, .stage = run->stage, .version = run->version, .model = &job->model[m],
                              .threads = run->threads, .tokens = job->options->tokens, .how = job->options->how,
                              .pool = &job->pool };
    bool             *wanted;
    int               rc;

    ask.function = functions_of(&job->functions, dataset, &ask.count);
    ask.generated = calloc(2 * ask.count, sizeof *ask.generated);
    ask.reply = ask.generated ? ask.generated + ask.count : NULL;
    ask.wanted = wanted = calloc(ask.count, sizeof *wanted);
    rc = comm_agree(run->comm, ask.generated && wanted ? 0 : err_memory(err, ask.count * 32, "answers"), err);
    if (rc == 0) rc = ask_answers(&ask, err);
    if (rc == 0) rc = comm_agree(run->comm, first ? bodies_study(job, &ask, dataset, err) : 0, err);
    if (rc == 0) rc = striking_share(job, &ask, wanted, err);
    if (rc == 0) rc = ask_replies(&ask, err);
    if (rc == 0) rc = comm_agree(run->comm, first ? replies_study(job, &ask, err) : 0, err);
    if (rc == 0)
        log_info("%s: %llu questions asked, %llu answers were there", ask.model->name, (unsigned long long)ask.asked,
                 (unsigned long long)ask.found);
    job->asked += ask.asked;
    job->reused += ask.found;
    free(ask.generated);
    free(wanted);
    return rc;
}

int compliance_run(struct compliance_job *job, struct err *err)
{
    const struct run *run = job->run;
    int               rc;

    job->functions.run = run;
    job->functions.benchmark = job->options->benchmark;
    job->functions.pairs = job->options->pairs;
    rc = functions_collect(&job->functions, err);
    if (rc == 0) rc = comm_agree(run->comm, comm_rank(run->comm) == 0 ? all_pairs_study(job, err) : 0, err);
    for (uint32_t d = 0; d < run->dataset_count; d++) {
        if (strcmp(run->datasets[d].name, job->options->benchmark) != 0) continue;
        for (size_t m = 0; m < job->models && rc == 0; m++) rc = model_ask(job, m, d, err);
    }
    return rc;
}

void compliance_release(struct compliance_job *job)
{
    study_free(&job->study);
    model_session_close(job->edit_session);
    model_close(job->edit_model);
    rules_close(job->rules);
    pool_free(&job->pool);
    functions_release(&job->functions);
    job->edit_session = NULL, job->edit_model = NULL, job->rules = NULL;
}
