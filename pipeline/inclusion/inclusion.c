/* inclusion/inclusion.c -- files and models in turn, the answers of each a unit; see inclusion.h. */
#include "inclusion/inclusion.h"

#include "audit/hit.h"
#include "audit/mask.h"
#include "base/comm.h"
#include "base/log.h"
#include "inclusion/files.h"
#include "inclusion/written.h"
#include "probe/answers.h"
#include "probe/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define INCLUSION_UNIT "answers"

struct unit_key inclusion_file_key(const struct inclusion_job *job, const struct model_info *model, size_t file,
                                   struct slice more)
{
    const struct inclusion_file *f = &job->file[file];
    const uint64_t  number[] = { model->context, f->language ? 1 : 0 };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));

    key = unit_key_add(key, number, sizeof number);
    key = unit_key_add(key, more.at, more.len);
    key = unit_key_add(key, &model->key, sizeof model->key);
    key = unit_key_add(key, model->name, strlen(model->name));
    if (f->language) key = unit_key_add(key, language_name(f->language), strlen(language_name(f->language)));
    return unit_key_add(key, f->text.at, f->text.len);
}

/* Of everything that the answers for a file's elements depend on. */
static struct unit_key elements_key(const struct inclusion_job *job, const struct model_info *model, size_t file)
{
    const struct inclusion_options *o = job->options;
    const struct { uint64_t number[5]; double real[2]; } more = {
        { o->published, (uint64_t)o->prompt, o->per_category, o->sampling.tokens, o->sampling.seed },
        { o->sampling.temperature, o->sampling.top_p } };

    return inclusion_file_key(job, model, file, (struct slice){ (const char *)&more, sizeof more });
}

int inclusion_pad(struct bytes *text, struct slice *out, struct err *err)
{
    if (bytes_reserve(text, text->len + BYTES_PAD) < 0) return err_memory(err, text->len, "a file");
    memset(text->at + text->len, 0, BYTES_PAD);
    *out = bytes_slice(text);
    return 0;
}

int inclusion_padded(struct slice text, struct bytes *room, struct slice *out, struct err *err)
{
    room->len = 0;
    if (bytes_append_slice(room, text) < 0) return err_memory(err, text.len, "a file");
    return inclusion_pad(room, out, err);
}

struct asking {
    const struct inclusion_job *job;
    const struct model_info    *model;
    struct model_session       *session;
    struct slice                text;                       /* padded */
    struct audit_reader         reader;
    struct audit_elements       elements;
    struct bytes                room, prompt;
};

static int string_add(struct bytes *heap, struct slice s, struct heap_string *out)
{
    *out = (struct heap_string){ (uint32_t)heap->len, (uint32_t)s.len };
    return bytes_append_slice(heap, s);
}

static int answer_add(struct bytes section[2], struct inclusion_answer *answer, struct slice wanted,
                      struct slice output, struct err *err)
{
    if (string_add(&section[1], wanted, &answer->wanted) < 0 || string_add(&section[1], output, &answer->output) < 0 ||
        bytes_append(&section[0], answer, sizeof *answer) < 0) return err_memory(err, output.len, "an answer");
    return 0;
}

/* The released code has nothing of a file with a prompt that leaves no room for the answer.  Here the element stays,
 * with no score, and says why nothing else is there.  1, or <0 with err set. */
static int file_abandon(const struct asking *a, const struct audit_element *element, struct bytes section[2],
                        struct err *err)
{
    struct inclusion_answer answer = { .line = (uint32_t)element->line, .role = element->category,
                                       .inside = element->inside, .score = INCLUSION_REFUSED };

    int                     rc;

    section[0].len = section[1].len = 0;
    rc = answer_add(section, &answer, (struct slice){ a->text.at + element->at, element->end - element->at }, SLICE(""),
                    err);
    return rc < 0 ? rc : 1;
}

static int tokens_of(const struct asking *a, struct slice text, size_t *count, struct err *err)
{
    struct model_tokens tokens;
    int                 rc = model_tokenize(a->session, text, &tokens, err);

    if (rc == 0) *count += tokens.count;
    return rc;
}

/* Published: 1: the prompt and the longest answer fit the context, 0: they do not, or <0.  A mark is one token.  Of a
 * model that does not tell its context, or gives no tokens, all fit: it may refuse them. */
static int element_fits(struct asking *a, const struct audit_element *element, struct err *err)
{
    const struct inclusion_options *o = a->job->options;
    enum { MARKS = 3 };
    size_t       count = inclusion_marks(o, a->model) ? MARKS : 0;
    struct slice suffix;
    int          rc;

    if (!a->model->context) return 1;
    a->prompt.len = 0;
    rc = audit_mask_published(a->text, element, &a->prompt, &suffix, err);
    if (rc == 0) rc = tokens_of(a, bytes_slice(&a->prompt), &count, err);
    if (rc == 0 && inclusion_marks(o, a->model)) rc = tokens_of(a, suffix, &count, err);
    if (rc == -ENODATA) {
        *err = (struct err){ 0 };
        return 1;
    }
    return rc < 0 ? rc : count + o->sampling.tokens <= a->model->context;
}

/* Nobody is asked for a file that is abandoned: 1, with its answer. */
static int file_check(struct asking *a, struct bytes section[2], struct err *err)
{
    int rc = 1;

    for (size_t e = 0; e < a->elements.count && rc == 1; e++) {
        rc = element_fits(a, &a->elements.at[e], err);
        if (rc == 0) return file_abandon(a, &a->elements.at[e], section, err);
    }
    return rc < 0 ? rc : 0;
}

static int element_ask(void *shared, uint64_t number, struct bytes section[2], struct err *err)
{
    struct asking                  *a = shared;
    const struct audit_element     *element = &a->elements.at[number];
    const struct inclusion_options *o = a->job->options;
    struct model_sampling           sampling = o->sampling;
    struct inclusion_answer         answer = { .line = (uint32_t)element->line, .role = element->category,
                                               .inside = element->inside };
    struct model_generation         made;
    struct slice                    wanted, output = { "", 0 };
    int rc = number == 0 && o->published ? file_check(a, section, err) : 0;

    if (rc == 0) rc = inclusion_prompt_make(o, a->text, element, a->model, &a->prompt, &wanted, err);
    if (rc != 0 || (o->published && audit_is_trivial(wanted))) return rc;
    /* a token has a character at least, and hardly ever fewer than two */
    if (!o->published && sampling.tokens > wanted.len / 2 + 8) sampling.tokens = (uint32_t)(wanted.len / 2 + 8);
    sampling.special = inclusion_marks(o, a->model) != NULL;
    rc = model_generate(a->session, bytes_slice(&a->prompt), &sampling, &made, err);
    if (rc == -ENODATA) {
        answer.score = INCLUSION_REFUSED;
        *err = (struct err){ 0 };
        if (o->published) return file_abandon(a, element, section, err);
    } else if (rc < 0) return rc;
    else {
        output = inclusion_answer_of(o, element->category, wanted, made.text);
        rc = audit_score(wanted, output, &answer.score, err);
        if (rc < 0) return rc;
    }
    return answer_add(section, &answer, wanted, output, err);
}

static int elements_of(struct asking *a, const struct inclusion_file *file, struct err *err)
{
    int rc = inclusion_padded(file->text, &a->room, &a->text, err);

    if (rc < 0) return rc;
    rc = a->job->options->published ? audit_find_published(a->text, &a->elements, err)
        : audit_find_exact(&a->reader, file->language, a->text, &a->elements, err);
    return rc < 0 ? rc : inclusion_choose(&a->elements, a->text, a->job->options->per_category, err);
}

static int elements_ask(const struct inclusion_job *job, struct model_session *session, const struct model_info *model,
                        size_t file, struct err *err)
{
    struct asking a = { .job = job, .model = model, .session = session };
    int           rc = elements_of(&a, &job->file[file], err);

    if (rc == 0)
        rc = answers_make(&(struct answers){ job->run->stage, INCLUSION_UNIT, elements_key(job, model, file),
                                             a.elements.count, element_ask, &a }, err);
    audit_elements_free(&a.elements);
    audit_reader_free(&a.reader);
    bytes_free(&a.room);
    bytes_free(&a.prompt);
    return rc;
}

/* ---- what is asked for ---- */

static const struct kind {
    enum inclusion_ask ask;
    const char        *unit;
    struct unit_key  (*key)(const struct inclusion_job *job, const struct model_info *model, size_t file);
    int              (*make)(const struct inclusion_job *job, struct model_session *session,
                             const struct model_info *model, size_t file, struct err *err);
} kinds[] = {
    { INCLUSION_ELEMENTS, INCLUSION_UNIT, elements_key, elements_ask },
    { INCLUSION_FUNCTIONS, WRITTEN_UNIT, written_key, written_make },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct unit **units_of(struct inclusion_job *job, const struct kind *kind)
{
    return kind->ask == INCLUSION_ELEMENTS ? &job->answers : &job->written;
}

/* The files are asked for one kind after the other. */
static int block_ask(const struct work *work, struct model_session *session, uint64_t number, struct err *err)
{
    const struct inclusion_job *job = work->shared;
    const struct kind          *kind = kinds;
    const size_t                file = number % job->files;
    struct unit                 unit;
    int                         rc;

    if (number >= job->files || !(job->options->ask & kind->ask)) kind++;
    rc = stage_load(job->run->stage, kind->unit, kind->key(job, &work->info, file), &unit, err);
    if (rc == 1) unit_close(&unit);
    if (rc != 0) return rc < 0 ? rc : 0;
    return kind->make(job, session, &work->info, file, err);
}

static bool has_refused(const struct unit *unit, const struct kind *kind)
{
    const struct inclusion_answer  *answer = (const void *)unit->section[0].at;
    const struct inclusion_written *written = (const void *)unit->section[0].at;
    bool                            refused = false;

    if (kind->ask == INCLUSION_FUNCTIONS)
        for (size_t i = 0; i < written_count(unit); i++) refused |= written[i].refused;
    else
        for (size_t i = 0; i < unit->section[0].len / sizeof *answer; i++)
            refused |= answer[i].score == INCLUSION_REFUSED;
    return refused;
}

/* Rank 0: the units of a model's answers, which stay open. */
static int answers_read(struct inclusion_job *job, const struct kind *kind, const struct model_info *model, size_t m,
                        struct err *err)
{
    struct unit *unit = *units_of(job, kind) + m * job->files;
    int          rc = 1;

    for (size_t f = 0; f < job->files && rc == 1; f++) {
        rc = stage_load(job->run->stage, kind->unit, kind->key(job, model, f), &unit[f], err);
        if (rc == 1) job->refused += has_refused(&unit[f], kind);
        if (rc == 0)
            rc = err_set(err, -EIO, "%s: answers of model %s have disappeared or are damaged; the same command again "
                         "asks for them anew", stage_dir(job->run->stage), model->name);
    }
    return rc < 0 ? rc : 0;
}

static int model_ask(struct inclusion_job *job, size_t m, struct err *err)
{
    const struct inclusion_options *o = job->options;
    const bool                      first = comm_rank(job->run->comm) == 0;
    const uint64_t                  asks = 1 + (o->ask == (INCLUSION_ELEMENTS | INCLUSION_FUNCTIONS));
    struct work work = { .comm = job->run->comm, .options = &job->model[m], .threads = job->run->threads,
                         .blocks = asks * job->files, .block = block_ask, .shared = job };
    int         rc = work_run(&work, err);

    if (rc == 0 && first && o->prompt == INCLUSION_OWN && !inclusion_marks(o, &work.info))
        log_info("inclusion: %s names no tokens for filling in: it is shown what stands before an element",
                 work.info.name);
    job->asked += work.asked;
    job->reused += work.found;
    for (int k = 0; k < KINDS && rc == 0 && first; k++)
        if (o->ask & kinds[k].ask) rc = answers_read(job, &kinds[k], &work.info, m, err);
    return comm_agree(job->run->comm, rc, err);
}

int inclusion_run(struct inclusion_job *job, struct err *err)
{
    const bool first = comm_rank(job->run->comm) == 0;
    int        rc = files_collect(job, err);

    for (int k = 0; k < KINDS && rc == 0 && first; k++) {
        if (!(job->options->ask & kinds[k].ask)) continue;
        *units_of(job, &kinds[k]) = calloc(job->models * job->files, sizeof(struct unit));
        if (!*units_of(job, &kinds[k])) rc = err_memory(err, job->models * job->files * sizeof(struct unit), "answers");
    }
    rc = comm_agree(job->run->comm, rc, err);
    for (size_t m = 0; m < job->models && rc == 0; m++) rc = model_ask(job, m, err);
    return rc;
}

void inclusion_release(struct inclusion_job *job)
{
    for (int k = 0; k < KINDS; k++) {
        struct unit *unit = *units_of(job, &kinds[k]);

        for (size_t i = 0; unit && i < job->models * job->files; i++) unit_close(&unit[i]);
        free(unit);
    }
    free(job->file);
    pass_units_free(&job->units);
    job->answers = job->written = NULL;
    job->file = NULL;
    job->files = 0;
}
