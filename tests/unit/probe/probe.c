/* probe: items put to models of which every answer is known.  The functions of model/model.h are defined here, over a
 * fake, so that the library's are not linked; what is tested is everything between a benchmark's shards and the values
 * of each item. */
#include "base/file.h"
#include "probe/tables.h"
#include "probe/probe.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ITEMS = 70, TOKEN = 4, MOST_CALLS = 100000 };

/* ---- a model: a token is 4 bytes; each costs `loss` nats, whatever is before it ---- */

struct fake {
    struct model    model;                                  /* first */
    double          loss;
    /* goes on with `known` where it holds the prompt; else with "?" */
    bool            knows;
};
struct fake_session { struct model_session session; uint32_t *id, *at, *new_id; size_t room; char text[256]; };

static struct {
    uint64_t calls, most;                                   /* scores and generations asked for; above most: -EDQUOT */
    uint64_t opened;
    char     known[8192];                                   /* a text that models know by heart */
    uint32_t stop_after;                                    /* tokens of a generation */
    size_t   call[64][3], prompt[64], scored, prompted;     /* windows of scores; bytes of prompts: the first of them */
} world_of_models;

const char model_backends[] = "ngram|http|replay|llama";

int model_open(struct model **out, const struct model_options *options, struct err *err)
{
    struct fake *fake = calloc(1, sizeof *fake);

    *out = NULL;
    if (!fake) return err_memory(err, sizeof *fake, "a model");
    fake->loss = atof(options->path);                       /* "2" or, of one that knows, "2 knows" */
    fake->knows = strstr(options->path, "knows") != NULL;
    fake->model.info = (struct model_info){ .name = "not this", .backend = "fake", .context = options->context,
                                            .parallel = options->threads, .moments = !strstr(options->path, "blind"),
                                            .key = unit_key_add((struct unit_key){ 0, 0 }, options->path,
                                                                strlen(options->path)) };
    world_of_models.opened++;
    *out = &fake->model;
    return 0;
}

void model_close(struct model *model) { free(model); }

const struct model_info *model_info(const struct model *model) { return &model->info; }

int model_session_open(struct model_session **out, struct model *model, struct err *err)
{
    struct fake_session *session = calloc(1, sizeof *session);

    *out = NULL;
    if (!session) return err_memory(err, sizeof *session, "a session");
    session->session.model = model;
    *out = &session->session;
    return 0;
}

void model_session_close(struct model_session *session)
{
    struct fake_session *fake = (struct fake_session *)session;

    if (!fake) return;
    free(fake->id);
    free(fake->at);
    free(fake->new_id);
    free(fake);
}

int model_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err)
{
    struct fake_session *s = (struct fake_session *)session;
    const size_t         count = (text.len + TOKEN - 1) / TOKEN;

    if (memmem(text.at, text.len, "UNREADABLE", 10)) return err_set(err, -ENODATA, "no such text");
    free(s->id);
    free(s->at);
    s->id = calloc(count + 1, sizeof *s->id);
    s->at = calloc(count + 1, sizeof *s->at);
    assert_non_null(s->id);
    assert_non_null(s->at);
    for (size_t i = 0; i < count; i++) {
        s->at[i] = (uint32_t)(TOKEN * i);
        memcpy(&s->id[i], text.at + TOKEN * i, text.len - TOKEN * i < TOKEN ? text.len - TOKEN * i : TOKEN);
    }
    s->at[count] = (uint32_t)text.len;
    *out = (struct model_tokens){ text, s->id, s->at, count };
    return 0;
}

static int call(struct err *err)
{
    if (__atomic_add_fetch(&world_of_models.calls, 1, __ATOMIC_RELAXED) > world_of_models.most)
        return err_set(err, -EDQUOT, "the budget is used");
    return 0;
}

int model_score_padding(struct model_session *session, const struct model_tokens *tokens, struct model_padding *out,
                        struct err *err)
{
    (void)session, (void)tokens;
    if (call(err) < 0) return err->code;
    *out = (struct model_padding){ -1, -1 };
    return 0;
}

int model_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end, size_t from,
                struct model_score *out, struct err *err)
{
    const struct fake *fake = (const struct fake *)session->model;
    const uint32_t     context = session->model->info.context;
    size_t             at;

    if (call(err) < 0) return err->code;
    assert_true(begin < from && from <= end && end <= tokens->count && (!context || end - begin <= context));
    assert_ptr_equal(tokens->id, ((struct fake_session *)session)->id);     /* the session's last */
    if ((at = __atomic_fetch_add(&world_of_models.scored, 1, __ATOMIC_RELAXED)) < 64) {
        size_t *window = world_of_models.call[at];

        window[0] = begin, window[1] = end, window[2] = from;
    }
    if (memmem(tokens->text.at, tokens->text.len, "SILENT", 6) || memmem(tokens->text.at, tokens->text.len, "quiet", 5))
        return err_set(err, -ENODATA, "the server says nothing");
    if (memmem(tokens->text.at, tokens->text.len, "NEVER", 5)) out[0].logprob = -INFINITY;
    for (size_t i = memmem(tokens->text.at, tokens->text.len, "NEVER", 5) ? 1 : 0; i < end - from; i++)
        out[i].logprob = -fake->loss;
    for (size_t i = 0; i < end - from; i++) out[i].mean = -2 * fake->loss, out[i].deviation = 0.5;
    if (memmem(tokens->text.at, tokens->text.len, "HALF", 4)) out[end - from - 1].deviation = NAN;
    return 0;
}

int model_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                   struct model_generation *out, struct err *err)
{
    const struct fake   *fake = (const struct fake *)session->model;
    struct fake_session *s = (struct fake_session *)session;
    const char          *at = fake->knows ? memmem(world_of_models.known, strlen(world_of_models.known), prompt.at,
                                                   prompt.len) : NULL;
    const uint32_t       count = world_of_models.stop_after && world_of_models.stop_after < sampling->tokens
        ? world_of_models.stop_after : sampling->tokens;
    const size_t         prompts = (prompt.len + TOKEN - 1) / TOKEN;
    size_t               place;

    if (call(err) < 0) return err->code;
    place = __atomic_fetch_add(&world_of_models.prompted, 1, __ATOMIC_RELAXED);
    if (place < 64) world_of_models.prompt[place] = prompt.len;
    assert_true(sampling->temperature == 0 && prompt.len % TOKEN == 0);
    for (size_t i = 0; i < count * TOKEN; i++) s->text[i] = at ? at[prompt.len + i] : '?';
    free(s->new_id);
    s->new_id = calloc(prompts + count, sizeof *s->new_id);
    assert_non_null(s->new_id);
    memcpy(s->new_id, prompt.at, prompt.len);
    memcpy(s->new_id + prompts, s->text, count * TOKEN);
    *out = (struct model_generation){ s->new_id, prompts, count, { s->text, count * TOKEN }, false };
    return 0;
}

/* ---- a benchmark ---- */

struct world {
    char                 root[64], *glob;
    struct comm         *comm;
    struct dataset       dataset;
    struct dataset_split split;
    struct shard_list    shards;
    struct run           run;
    struct probe_options options;
    bool                 member;
    char                 name[4][16], path[4][16];          /* of the models */
};

/* A file of items; text is the body of a JSON object. */
static void write_items(struct world *w, const char *name, const char *const *object, size_t count)
{
    char  path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s.jsonl", w->root, name);
    file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++) fprintf(file, "{%s}\n", object[i]);
    fclose(file);
}

static void open_items(struct world *w)
{
    struct err err = { 0 };

    shard_list_free(&w->shards);
    if (shard_list_open(&w->shards, &w->dataset, 1, w->root, &err) < 0) fail_msg("%s", err.text);
}

static void model_named(struct world *w, const char *name, const char *path)
{
    const size_t m = w->options.models++;

    strcpy(w->name[m], name);
    strcpy(w->path[m], path);
    w->options.model[m] = (struct model_options){ .name = w->name[m], .path = w->path[m], .backend = MODEL_REPLAY };
}

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct err    err = { 0 };

    if (!w) return -1;
    strcpy(w->root, "/tmp/test_probe.XXXXXX");
    if (!mkdtemp(w->root) || comm_open(&w->comm, &err) < 0 || asprintf(&w->glob, "%s/*.jsonl", w->root) < 0) return -1;
    w->split = (struct dataset_split){ .name = "", .globs = &w->glob, .glob_count = 1 };
    w->dataset = (struct dataset){ .name = "items", .url = "", .role = ROLE_BENCHMARK, .splits = &w->split,
                                   .split_count = 1 };
    w->member = true;
    w->options = (struct probe_options){ .metrics = (1u << METRIC_COUNT) - 1, .join = " ", .stride = 512, .n = 5,
                                         .starts = 5, .min_k = 20, .truth_field = "" };
    memset(&world_of_models, 0, sizeof world_of_models);
    world_of_models.most = MOST_CALLS;
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    char          command[96];

    shard_list_free(&w->shards);
    comm_close(w->comm);
    free(w->glob);
    snprintf(command, sizeof command, "rm -rf %s", w->root);
    free(w);
    return system(command);
}

/* Runs in the folder and reads what came out; gives what probe_run gave. */
static int run(struct world *w, const char *folder, int threads, struct probe_job *job, struct probe_result *result)
{
    struct err    err = { 0 };
    struct stage *stage;
    char          path[128];
    int           rc;

    snprintf(path, sizeof path, "%s/%s", w->root, folder);
    if (stage_open(&stage, path, true, &err) < 0) fail_msg("%s", err.text);
    for (size_t m = 0; m < w->options.models; m++) w->options.model[m].threads = (uint32_t)threads;
    w->run = (struct run){ .comm = w->comm, .stage = stage, .version = "1", .datasets = &w->dataset,
                           .dataset_count = 1, .shards = &w->shards, .threads = threads };
    *job = (struct probe_job){ .run = &w->run, .member = &w->member, .options = &w->options };
    *result = (struct probe_result){ 0 };
    rc = probe_run(job, &err);
    if (rc == 0 && probe_result_read(job, result, &err) < 0) fail_msg("%s", err.text);
    if (rc < 0 && rc != -EDQUOT) fail_msg("%s", err.text);
    stage_close(stage);
    return rc;
}

static double value_of(const struct probe_result *result, uint64_t record, uint32_t model, uint32_t metric)
{
    for (size_t v = 0; v < result->count; v++)
        if (result->value[v].record == record && result->value[v].model == model && result->value[v].metric == metric)
            return result->value[v].value;
    return NAN;
}

static const struct probe_gap *gap_of(const struct probe_result *result, uint32_t model, uint32_t metric)
{
    for (size_t g = 0; g < result->gaps; g++)
        if (result->gap[g].model == model && result->gap[g].metric == metric) return &result->gap[g];
    return NULL;
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* ---- values ---- */

/* Twenty tokens, no two alike, in lines of 8 bytes: ten lines, the last without its end. */
static const char twenty[] =
    "Aa01Aa0\\nBb01Bb0\\nCc01Cc0\\nDd01Dd0\\nEe01Ee0\\nFf01Ff0\\nGg01Gg0\\nHh01Hh0\\nIi01Ii0\\nJj01Jj0.";

static const size_t starts_of_20[] = { 2, 5, 8, 11, 15 }, starts_of_1024[] = { 2, 256, 510, 764, 1019 };

static void test_values(void **state)
{
    struct world       *w = *state;
    struct probe_job    job;
    struct probe_result result;
    char                object[256];

    snprintf(object, sizeof object, "\"text\": \"%s\"", twenty);
    write_items(w, "a", (const char *const[]){ object }, 1);
    open_items(w);
    for (size_t i = 0; i < 10; i++)
        snprintf(world_of_models.known + 8 * i, 9, "%c%c01%c%c0%c", 'A' + (int)i, 'a' + (int)i, 'A' + (int)i,
                 'a' + (int)i, i == 9 ? '.' : '\n');
    model_named(w, "good", "2 knows");
    model_named(w, "poor", "3 blind");
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_int_equal(job.items, 1);
    assert_string_equal(job.model[0].name, "good");
    assert_near(value_of(&result, 0, 0, METRIC_TOKENS), 20);
    assert_near(value_of(&result, 0, 0, METRIC_NLL), 2);
    assert_near(value_of(&result, 0, 0, METRIC_NLL_WEIGHTED), 2);
    assert_near(value_of(&result, 0, 0, METRIC_PERPLEXITY), exp(2));
    assert_near(value_of(&result, 0, 0, METRIC_LOWERCASE), 1);
    assert_near(value_of(&result, 0, 0, METRIC_WINDOW), exp(2));
    assert_near(value_of(&result, 0, 1, METRIC_WINDOW), exp(3));
    assert_near(value_of(&result, 0, 0, METRIC_MIN_K), -2);
    assert_near(value_of(&result, 0, 0, METRIC_MIN_K_PP), (-2 + 4) / 0.5);
    assert_true(isnan(value_of(&result, 0, 1, METRIC_MIN_K_PP)));
    assert_int_equal(gap_of(&result, 1, METRIC_MIN_K_PP)->items, 1);
    assert_near(value_of(&result, 0, 0, METRIC_ZLIB) / value_of(&result, 0, 1, METRIC_ZLIB), 3. / 2);
    for (uint32_t metric = METRIC_ACCURACY; metric <= METRIC_SUSPICIOUS; metric++) {
        assert_near(value_of(&result, 0, 0, metric), 1);
        assert_near(value_of(&result, 0, 1, metric), 0);
    }
    assert_near(value_of(&result, 0, 0, METRIC_RATIO), 3. / 2);
    assert_near(value_of(&result, 0, 1, METRIC_RATIO), 2. / 3);
    assert_int_equal(result.gaps, 1);
    /* Starts of L = 20 in tokens: 2, 5, 8, 11, 15. */
    assert_int_equal(world_of_models.prompted, 10);
    for (size_t i = 0; i < 5; i++) assert_int_equal(world_of_models.prompt[i], TOKEN * starts_of_20[i]);
    probe_result_free(&result);

    /* The released code's windows: of ten lines 4 (the last is missing), exp(c ceil(4 / 32) / 4). */
    w->options.published = true;
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_near(value_of(&result, 0, 0, METRIC_WINDOW), exp(2. / 4));
    probe_result_free(&result);
}

static void test_windows(void **state)
{
    struct world       *w = *state;
    struct probe_job    job;
    struct probe_result result;
    char               *object;
    size_t              expected[4][3] = { { 0, 1024, 1 }, { 512, 1536, 1024 }, { 1024, 2048, 1536 },
                                           { 1476, 2500, 2048 } };

    object = malloc(2500 * TOKEN + 16);
    assert_non_null(object);
    strcpy(object, "\"text\": \"");
    for (size_t i = 0; i < 2500; i++) snprintf(object + 9 + TOKEN * i, TOKEN + 1, "%04zu", i);
    strcat(object, "\"");
    write_items(w, "long", (const char *const[]){ object }, 1);
    free(object);
    open_items(w);
    model_named(w, "m", "1.5");
    w->options.model[0].context = 1024;
    w->options.metrics = 1u << METRIC_NLL | 1u << METRIC_PERPLEXITY;
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_int_equal(world_of_models.scored, 4);            /* once: the text has no line feeds to collapse */
    assert_memory_equal(world_of_models.call, expected, sizeof expected);
    assert_near(value_of(&result, 0, 0, METRIC_NLL), 1.5);
    probe_result_free(&result);

    w->options.published = true;                            /* the guide's windows */
    world_of_models.scored = 0;
    expected[3][0] = 1536;
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_memory_equal(world_of_models.call, expected, sizeof expected);
    probe_result_free(&result);
    w->options.published = false;

    /* Five starts in each of the four windows, each prompt from its window's beginning. */
    w->options.metrics = 1u << METRIC_ACCURACY;
    w->options.strided_starts = true;
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_int_equal(world_of_models.prompted, 20);
    for (size_t i = 0; i < 15; i++) assert_int_equal(world_of_models.prompt[i], TOKEN * starts_of_1024[i % 5]);
    assert_int_equal(world_of_models.prompt[19], TOKEN * (964 - 5));
    probe_result_free(&result);
}

/* One that stops early is compared with what the end of its prompt adds, as in the published program. */
static void test_stopped(void **state)
{
    struct world       *w = *state;
    struct probe_job    job;
    struct probe_result result;

    write_items(w, "same", (const char *const[]){ "\"text\": \"abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd\"",
                                                  "\"text\": "
                                                  "\"abcdefghijklmnopqrstuvwxyz"
                                                  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ\"" }, 2);
    open_items(w);
    strcpy(world_of_models.known,
           "abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdefghijklmnopqrstuvwxyz"
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    world_of_models.stop_after = 2;
    model_named(w, "m", "1 knows");
    for (int tokens = 0; tokens < 2; tokens++) {
        w->options.compare_tokens = tokens;
        assert_int_equal(run(w, "run", 1, &job, &result), 0);
        assert_near(value_of(&result, 0, 0, METRIC_ACCURACY), 0.8);      /* 2 tokens in front and 2 new ones are no 5 */
        assert_near(value_of(&result, 1, 0, METRIC_ACCURACY), 0);
        probe_result_free(&result);
    }
}

static void test_gaps(void **state)
{
    struct world           *w = *state;
    struct probe_job        job;
    struct probe_result     result;
    const char *const       objects[] = {
        "\"text\": \"SILENT: longer than five tokens, this one, and so on.\"", "\"text\": \"UNREADABLE\"",
            "\"text\": \"abc\"", "\"text\": \"\\n\\n\\n\\n\\n\\n\"",
        "\"text\": \"NEVER seen; longer than five tokens, this one, and so on.\"", "\"text\": \"a short one\"",
            "\"text\": \"\"",
        "\"text\": \"HALF of what there is to be known is known.\"",
            "\"text\": \"QUIET only in lower case, as few things are.\"",
    };

    write_items(w, "gaps", objects, 9);
    open_items(w);
    model_named(w, "m", "2");
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_int_equal(gap_of(&result, 0, METRIC_COUNT)->items, 3);           /* UNREADABLE, abc, the empty one */
    assert_string_equal(gap_of(&result, 0, METRIC_COUNT)->reason, "no such text");
    assert_true(isnan(value_of(&result, 1, 0, METRIC_TOKENS)));
    assert_near(value_of(&result, 2, 0, METRIC_TOKENS), 1);
    assert_int_equal(gap_of(&result, 0, METRIC_NLL)->items, 2);             /* SILENT, NEVER */
    assert_string_equal(gap_of(&result, 0, METRIC_NLL)->reason, "the server says nothing");
    /* and the line feeds, which collapse to one */
    assert_int_equal(gap_of(&result, 0, METRIC_PERPLEXITY)->items, 3);
    assert_near(value_of(&result, 3, 0, METRIC_NLL), 2);
    assert_int_equal(gap_of(&result, 0, METRIC_ACCURACY)->items, 2);        /* two too short for an n-gram */
    assert_near(value_of(&result, 0, 0, METRIC_ACCURACY), 0);
    assert_near(value_of(&result, 5, 0, METRIC_PERPLEXITY), exp(2));
    assert_near(value_of(&result, 7, 0, METRIC_MIN_K), -2);
    assert_true(isnan(value_of(&result, 7, 0, METRIC_MIN_K_PP)) && isnan(value_of(&result, 8, 0, METRIC_LOWERCASE)));
    assert_int_equal(gap_of(&result, 0, METRIC_MIN_K_PP)->items, 3);        /* SILENT, NEVER, HALF */
    assert_int_equal(gap_of(&result, 0, METRIC_LOWERCASE)->items, 4);       /* SILENT, NEVER, the line feeds, QUIET */
    assert_near(value_of(&result, 8, 0, METRIC_PERPLEXITY), exp(2));
    assert_true(isnan(value_of(&result, 4, 0, METRIC_NLL)) && isnan(value_of(&result, 4, 0, METRIC_ZLIB)));
    probe_result_free(&result);

    /* Of what nobody wants nothing is missing. */
    w->options.metrics = 1u << METRIC_ROUGE;
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_null(gap_of(&result, 0, METRIC_NLL));
    assert_int_equal(gap_of(&result, 0, METRIC_ROUGE)->items, 2);
    probe_result_free(&result);
}

/* A model of perplexity 1 knows no text better than another: its ratios are missing, and that is said. */
static void test_ratios_missing(void **state)
{
    struct world       *w = *state;
    struct probe_job    job;
    struct probe_result result;
    const char *const   objects[] = { "\"text\": \"longer than five tokens, this one, and so on.\"",
                                      "\"text\": \"and this one also is, and differs, and so on\"",
                                          "\"text\": \"NEVER seen, though\"" };

    write_items(w, "gaps", objects, 3);
    open_items(w);
    model_named(w, "certain", "0");
    model_named(w, "other", "2");
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_near(value_of(&result, 0, 0, METRIC_PERPLEXITY), 1);
    assert_true(isnan(value_of(&result, 0, 0, METRIC_RATIO)));
    assert_near(value_of(&result, 0, 1, METRIC_RATIO), 0);
    assert_int_equal(gap_of(&result, 0, METRIC_RATIO)->items, 3);
    assert_int_equal(gap_of(&result, 1, METRIC_RATIO)->items, 1);           /* NEVER */
    probe_result_free(&result);
}

/* ---- records ---- */

static void test_fields(void **state)
{
    struct world       *w = *state;
    struct probe_job    job;
    struct probe_result result;
    const uint32_t      known[] = { KNOWN_IN, KNOWN_OUT, KNOWN_IN, KNOWN_OUT, KNOWN_NOT, KNOWN_NOT };

    write_items(w, "fields", (const char *const[]){ "\"text\": \"x\", \"q\": \"1234\", \"meta\": {\"a\": "
                                                    "\"5678901\"}, \"copies\": 2",
                                                        "\"text\": \"x\", \"q\": \"12345678\", \"copies\": 0",
                                                    "\"text\": \"x\", \"q\": 5, \"meta\": {\"a\": \"12345678\"}, "
                                                    "\"copies\": true",
                                                        "\"text\": \"x\", \"q\": \"12345678\", \"copies\": -0.5",
                                                    "\"text\": \"x\", \"q\": \"12345678\", \"copies\": \"2\"",
                                                        "\"text\": \"twelve bytes\"" }, 6);
    open_items(w);
    model_named(w, "m", "2");
    w->options.metrics = 1u << METRIC_TOKENS;
    w->options.truth = TRUTH_FIELD;
    w->options.truth_field = (char[]){ "copies" };
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_near(value_of(&result, 5, 0, METRIC_TOKENS), 3); /* the dataset's text */
    probe_result_free(&result);

    w->options.field[0] = (char[]){ "q" }, w->options.field[1] = (char[]){ "meta.a" }, w->options.fields = 2;
    assert_int_equal(run(w, "run", 1, &job, &result), 0);
    assert_int_equal(result.items, 6);
    for (size_t i = 0; i < 6; i++) assert_int_equal(result.item[i].known, known[i]);
    assert_near(value_of(&result, 0, 0, METRIC_TOKENS), 3); /* 4 + 1 + 7 bytes */
    assert_near(value_of(&result, 1, 0, METRIC_TOKENS), 2); /* one field: nothing is joined */
    assert_near(value_of(&result, 2, 0, METRIC_TOKENS), 2); /* a number is no text */
    assert_int_equal(gap_of(&result, 0, METRIC_COUNT)->items, 1);
    probe_result_free(&result);
}

/* ---- blocks ---- */

static void many_items(struct world *w)
{
    char        text[ITEMS][128];
    const char *object[ITEMS];

    for (int i = 0; i < ITEMS; i++) {
        snprintf(text[i], sizeof text[i], "\"text\": \"%s item number %d: %.*s\"", i % 9 == 4 ? "SILENT" : "", i,
                 1 + i % 40, "The quick brown fox jumps over the lazy dogs.");
        object[i] = text[i];
    }
    write_items(w, "a", object, ITEMS / 2);
    write_items(w, "b", object + ITEMS / 2, ITEMS - ITEMS / 2);
    open_items(w);
    model_named(w, "one", "2");
    model_named(w, "two", "3");
}

static void assert_same(const struct probe_result *a, const struct probe_result *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->gaps, b->gaps);
    for (size_t v = 0; v < a->count; v++) {
        const struct probe_value *x = &a->value[v], *y = &b->value[v];

        assert_true(x->record == y->record && x->shard == y->shard && x->model == y->model && x->metric == y->metric &&
                    x->other == y->other && x->value == y->value);
    }
    for (size_t g = 0; g < a->gaps; g++) {
        assert_true(a->gap[g].model == b->gap[g].model && a->gap[g].metric == b->gap[g].metric &&
                    a->gap[g].items == b->gap[g].items);
        assert_string_equal(a->gap[g].reason, b->gap[g].reason);
    }
}

static void test_resumed(void **state)
{
    struct world       *w = *state;
    struct probe_job    job;
    struct probe_result whole, result;
    uint64_t            all, runs = 0;

    many_items(w);
    assert_int_equal(run(w, "whole", 1, &job, &whole), 0);
    assert_int_equal(job.items, ITEMS);
    assert_int_equal(job.asked, 2 * 2 * 3);                 /* 35 items of a shard are 3 blocks */
    for (size_t v = 1; v < whole.count; v++)
        assert_true(whole.value[v - 1].shard < whole.value[v].shard ||
                    whole.value[v - 1].record <= whole.value[v].record);
    all = world_of_models.calls;

    /* The same again asks nothing. */
    assert_int_equal(run(w, "whole", 1, &job, &result), 0);
    assert_int_equal(world_of_models.calls, all);
    assert_true(job.asked == 0 && job.reused == 12);
    assert_same(&whole, &result);
    probe_result_free(&result);

    /* Nor does a third model make the others answer again. */
    model_named(w, "three", "4");
    assert_int_equal(run(w, "whole", 1, &job, &result), 0);
    assert_true(job.asked == 6 && job.reused == 12);
    probe_result_free(&result);
    w->options.models--;

    /* Another option does. */
    w->options.min_k = 30;
    assert_int_equal(run(w, "whole", 1, &job, &result), 0);
    assert_true(job.asked == 12);
    probe_result_free(&result);
    w->options.min_k = 20;

    assert_int_equal(run(w, "threads", 4, &job, &result), 0);
    assert_same(&whole, &result);
    probe_result_free(&result);

    /* A budget ends runs until everything is answered; what was answered stays, were two workers in the middle of a
     * block each. */
    do {
        world_of_models.calls = 0, world_of_models.most = all / 5;
        assert_true(++runs < 20);
    } while (run(w, "budget", 2, &job, &result) == -EDQUOT);
    assert_true(runs > 4);
    assert_same(&whole, &result);
    probe_result_free(&result);
    probe_result_free(&whole);
}

/* Without items there is nothing to ask, and nothing wrong. */
static void test_empty(void **state)
{
    struct world       *w = *state;
    struct probe_job    job;
    struct probe_result result;

    write_items(w, "empty", NULL, 0);
    open_items(w);
    model_named(w, "m", "2");
    assert_int_equal(run(w, "run", 2, &job, &result), 0);
    assert_true(job.items == 0 && job.asked == 0 && result.count == 0 && result.gaps == 0);
    probe_result_free(&result);
}

/* ---- truth ---- */

static void test_truth(void **state)
{
    /* 0 to 4 are items, 5 and 6 of a corpus.  4 has more pairs than there are rows; it is a twin of 3, as is 5. */
    const struct graph_dataset  dataset[] = { { .benchmark = true }, { .benchmark = false } };
    const struct graph_document document[] = { { .matches = 1 }, { .matches = 0 }, { .matches = 1 }, { .matches = 2 },
                                               { .matches = 9 }, { .dataset = 1, .matches = 2 }, { .dataset = 1 }, };
    const struct graph_edge     edge[] = { { 0, 5, EDGE_NEAR, 4, 5, 4, 5 }, { 1, 6, EDGE_BELOW, 1, 5, 1, 5 },
                                           { 1, 2, EDGE_NEAR, 5, 5, 5, 6 }, { 3, 4, EDGE_NEAR, 5, 5, 6, 6 },
                                           { 3, 5, EDGE_NEAR, 5, 5, 6, 6 } };
    struct graph                graph = { .datasets = dataset, .dataset_count = 2, .documents = document,
                                          .document_count = 7 };
    struct err                  err = { 0 };
    int8_t                      truth[7];

    (void)state;
    graph.passes[PASS_NEAR] = (struct graph_pass){ .edges = edge, .edge_count = 5 };
    assert_int_equal(graph_truth_near(&graph, truth, &err), 0);
    assert_memory_equal(truth, ((const int8_t[]){ 1, 0, 0, 1, 1 }), 5);
    graph.passes[PASS_NEAR].edge_count = 4;                 /* 3 and 4 have pairs that are not there */
    assert_int_equal(graph_truth_near(&graph, truth, &err), 0);
    assert_memory_equal(truth, ((const int8_t[]){ 1, 0, 0, -1, -1 }), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
             cmocka_unit_test_setup_teardown(test_windows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stopped, set_up, tear_down),
            cmocka_unit_test_setup_teardown(test_gaps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ratios_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fields, set_up, tear_down),
             cmocka_unit_test_setup_teardown(test_resumed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),   cmocka_unit_test(test_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
