/* tests/unit/model/model_replay.c -- recorded answers: found again as they were written, and refused line by line where
 * they are not. */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include <zstd.h>

static char folder[] = "/tmp/leakgraph-replay-XXXXXX", path[64];

static void write_file(const char *at, size_t len)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(at, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static const struct model_options options = { .name = folder, .backend = MODEL_REPLAY, .path = path };

struct opened { struct model *model; struct model_session *session; };

static struct opened open_lines(const char *lines)
{
    struct opened o;
    struct err    err = { 0 };

    write_file(lines, strlen(lines));
    if (model_open(&o.model, &options, &err) < 0) fail_msg("%s", err.text);
    if (model_session_open(&o.session, o.model, &err) < 0) fail_msg("%s", err.text);
    return o;
}

static void close_model(struct opened *o)
{
    model_session_close(o->session);
    model_close(o->model);
}

/* One line: a text in windows of 4 tokens that overlap by 2. */
static const char windows[] =
    "{\"text\": \"def f\\u00e9:\\n\", \"tokens\": [[\"def\", 10], [\" f\", 11], [\"\xC3\", 12], [\"\xA9\", 13], "
    "[\":\\n\", 14]], \"context\": 4, \"other\": [1, {}], "
    "\"windows\": [{\"begin\": 0, \"end\": 4, \"from\": 1, \"logprobs\": [-1.5, -2.25, 0], \"means\": [-3, null, -1], "
    "\"deviations\": [0.5, 1, 0]}, "
    "{\"begin\": 2, \"end\": 5, \"from\": 4, \"logprobs\": [-7e-3], \"means\": [-1], \"deviations\": [1]}]}\n";

static void test_text(void **unused)
{
    struct opened       o = open_lines(windows);
    struct model_tokens tokens;
    struct model_score  score[4];
    struct err          err = { 0 };
    const uint32_t      at[] = { 0, 3, 5, 6, 7, 9 };

    (void)unused;
    assert_int_equal(model_info(o.model)->context, 4);
    assert_true(model_info(o.model)->moments);
    assert_string_equal(model_info(o.model)->backend, "replay");
    assert_int_equal(model_tokenize(o.session, SLICE("def f\xC3\xA9:\n"), &tokens, &err), 0);
    assert_int_equal(tokens.count, 5);
    assert_memory_equal(tokens.at, at, sizeof at);
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(tokens.id[i], 10 + i);
    assert_int_equal(model_score(o.session, &tokens, 0, 4, 1, score, &err), 0);
    assert_true(score[0].logprob == -1.5 && score[0].mean == -3 && score[0].deviation == 0.5);
    assert_true(score[1].logprob == -2.25 && isnan(score[1].mean) && score[1].deviation == 1);
    assert_true(score[2].logprob == 0);
    /* a part of a window that begins there */
    assert_int_equal(model_score(o.session, &tokens, 0, 3, 2, score, &err), 0);
    assert_true(score[0].logprob == -2.25);
    assert_int_equal(model_score(o.session, &tokens, 2, 5, 4, score, &err), 0);
    assert_true(score[0].logprob == -7e-3);
    assert_int_equal(model_score(o.session, &tokens, 2, 5, 3, score, &err), -ENODATA);
    assert_non_null(strstr(err.text, "[2, 5) from token 3"));
    assert_non_null(strstr(err.text, "[2, 5) from 4"));
    assert_non_null(strstr(err.text, "[0, 4) from 1"));
    assert_int_equal(model_score(o.session, &tokens, 1, 3, 2, score, &err), -ENODATA);
    assert_int_equal(model_tokenize(o.session, SLICE("def f"), &tokens, &err), -ENODATA);
    assert_int_equal(model_tokenize(o.session, SLICE(""), &tokens, &err), 0);
    assert_int_equal(tokens.count, 0);
    close_model(&o);
}

/* Lines of one text add up; a window told again is the later one; pieces and ids may be apart; where no token has means
 * and deviations there are no moments. */
static void test_more_lines(void **unused)
{
    struct opened       o = open_lines("\n{\"text\": \"ab\", \"pieces\": [\"a\", \"b\"], \"ids\": [1, 4294967295], "
                                       "\"windows\": [{\"begin\":0,\"end\":2,\"from\":1,\"logprobs\":[-1]}]}\r\n"
                                       "{\"text\": \"abc\", \"tokens\": [[\"abc\", 7]]}\n"
                                       "{\"text\": \"ab\", \"tokens\": [[\"a\", 1], [\"b\", 4294967295]], "
                                       "\"windows\": [{\"begin\":0,\"end\":2,\"from\":1,\"logprobs\":[-2]}]}");
    struct model_tokens tokens;
    struct model_score  score;
    struct err          err = { 0 };

    (void)unused;
    assert_false(model_info(o.model)->moments);
    assert_int_equal(model_info(o.model)->context, 0);
    assert_int_equal(model_tokenize(o.session, SLICE("abc"), &tokens, &err), 0);
    assert_int_equal(tokens.count, 1);
    assert_int_equal(model_tokenize(o.session, SLICE("ab"), &tokens, &err), 0);
    assert_int_equal(tokens.id[1], UINT32_MAX);
    assert_int_equal(model_score(o.session, &tokens, 0, 2, 1, &score, &err), 0);
    assert_true(score.logprob == -2 && isnan(score.mean));
    close_model(&o);
}

static const char generated[] =
    "{\"prompt\": \"def \", \"sampling\": {\"tokens\": 3}, \"generated\": {\"text\": \"f(\xE2\", \"ids\": [8, 9, 10], "
    "\"prompt_ids\": [1, 2], \"stopped\": false}}\n"
    "{\"prompt\": \"def \", \"sampling\": {\"tokens\": 3, \"temperature\": 0.5, \"seed\": 7}, \"generated\": "
    "{\"text\": \"\", \"ids\": [], \"prompt_ids\": [1, 2], \"stopped\": true}}\n"
    "{\"prompt\": \"\", \"sampling\": {\"tokens\": 3, \"top_k\": 40, \"top_p\": 0.9, \"temperature\": 1, "
    "\"decay_from\": 4, \"decay_tokens\": 2}, "
    "\"generated\": {\"text\": \"x\", \"ids\": [5], \"prompt_ids\": []}}\n";

static void test_generated(void **unused)
{
    struct model_sampling   sampling = { .tokens = 3, .top_p = 1 };
    struct opened           o = open_lines(generated);
    struct model_generation made;
    struct err              err = { 0 };

    (void)unused;
    assert_int_equal(model_generate(o.session, SLICE("def "), &sampling, &made, &err), 0);
    assert_true(slice_equal(made.text, SLICE("f(\xE2")));
    assert_int_equal(made.prompt, 2);
    assert_int_equal(made.count, 3);
    assert_int_equal(made.id[1], 2);
    assert_int_equal(made.id[4], 10);
    assert_false(made.stopped);
    sampling.seed = 99;                                     /* nothing is drawn at temperature 0 */
    sampling.top_k = 5;
    assert_int_equal(model_generate(o.session, SLICE("def "), &sampling, &made, &err), 0);
    sampling = (struct model_sampling){ .tokens = 3, .top_p = 1, .temperature = 0.5, .seed = 7 };
    assert_int_equal(model_generate(o.session, SLICE("def "), &sampling, &made, &err), 0);
    assert_true(made.stopped && made.count == 0 && made.text.len == 0);
    sampling.seed = 8;
    assert_int_equal(model_generate(o.session, SLICE("def "), &sampling, &made, &err), -ENODATA);
    assert_non_null(strstr(err.text, "seed 8"));
    sampling = (struct model_sampling){ .tokens = 3, .top_p = 0.9, .top_k = 40, .temperature = 1, .decay_from = 4,
                                        .decay_tokens = 2 };
    assert_int_equal(model_generate(o.session, SLICE(""), &sampling, &made, &err), 0);
    assert_int_equal(made.prompt, 0);
    assert_int_equal(made.id[0], 5);
    sampling.decay_from = 3;
    assert_int_equal(model_generate(o.session, SLICE(""), &sampling, &made, &err), -ENODATA);
    sampling.tokens = 4;
    assert_int_equal(model_generate(o.session, SLICE("def"), &sampling, &made, &err), -ENODATA);
    close_model(&o);
}

/* A model that has no number, no byte of text, or no answer at all has places for them all the same. */
static void test_nothing(void **unused)
{
    struct model_sampling   sampling = { .tokens = 3, .top_p = 1 };
    struct opened           o = open_lines("{\"prompt\": \"a\", \"sampling\": {\"tokens\": 3}, "
                                           "\"generated\": {\"text\": \"\", \"prompt_ids\": [], \"ids\": [], "
                                           "\"stopped\": true}}\n");
    struct model_generation made;
    struct model_tokens     tokens;
    struct err              err = { 0 };

    (void)unused;
    assert_int_equal(model_generate(o.session, SLICE("a"), &sampling, &made, &err), 0);
    assert_true(made.stopped && made.prompt == 0 && made.count == 0 && made.text.len == 0);
    assert_true(made.id && made.text.at);
    assert_int_equal(model_tokenize(o.session, SLICE(""), &tokens, &err), 0);
    assert_true(tokens.count == 0 && tokens.at[0] == 0);
    close_model(&o);
    o = open_lines(windows);
    assert_int_equal(model_generate(o.session, SLICE("a"), &sampling, &made, &err), -ENODATA);
    close_model(&o);
}

/* Nothing of a line that is refused is there afterwards, and what stands around it is. */
static void test_refused(void **unused)
{
    static const char *const bad[] = {
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 1]]",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 1]]} x",
        "{\"text\": \"bad\"}",
        "{\"text\": \"bad\", \"tokens\": [[\"ba\", 1]]}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 1], [\"d\", 1]]}",
        "{\"text\": \"bad\", \"tokens\": [[\"bax\", 1]]}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 1.5]]}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", -1]]}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 4294967296]]}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 1, 2]]}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\"]]}",
        "{\"text\": \"bad\", \"tokens\": [[1, \"bad\"]]}",
        "{\"text\": \"bad\", \"pieces\": [\"bad\"], \"ids\": [1, 2]}",
        "{\"text\": \"bad\", \"pieces\": [\"bad\"]}",
        "{\"text\": \"bad\\u0000\", \"tokens\": [[\"bad\", 1]]}",
        "{\"text\": \"bad\", \"prompt\": \"bad\", \"tokens\": [[\"bad\", 1]]}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 1]], \"context\": 5}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 1]], \"context\": -1}",
        "{\"text\": \"bad\", \"tokens\": [[\"bad\", 1]], \"windows\": {}}",
        "{\"text\": \"def f\\u00e9:\\n\", \"tokens\": [[\"def f\\u00e9:\\n\", 1]]}",
        "{\"prompt\": \"bad\", \"generated\": {\"text\": \"\", \"ids\": [], \"prompt_ids\": []}}",
        "{\"prompt\": \"bad\", \"sampling\": {\"tokens\": 1, \"top_p\": \"1\"}, \"generated\": {\"text\": \"\", "
        "\"ids\": [], \"prompt_ids\": []}}",
        "{\"prompt\": \"bad\", \"sampling\": {\"tokens\": 1}, \"generated\": {\"ids\": [], \"prompt_ids\": []}}",
        "{\"prompt\": \"bad\", \"sampling\": {\"tokens\": 1}, \"generated\": {\"text\": \"\", \"ids\": [], "
        "\"prompt_ids\": 1}}",
        "{\"prompt\": \"bad\", \"sampling\": {\"tokens\": 1}, \"generated\": {\"text\": \"\", \"ids\": [1, 2], "
        "\"prompt_ids\": []}}",
        "{\"prompt\": \"bad\", \"sampling\": {\"tokens\": 1}, \"generated\": {\"text\": \"\", \"ids\": [1], "
        "\"prompt_ids\": [], \"stopped\": 1}}",
        "[]", "7", "\"text\"",
    };
    static const char *const bad_windows[] = {
        "{\"begin\": 1, \"end\": 2, \"from\": 1, \"logprobs\": [-1]}",
        "{\"begin\": 0, \"end\": 4, \"from\": 1, \"logprobs\": [-1, -1, -1]}",
        "{\"begin\": 0, \"end\": 2, \"from\": 3, \"logprobs\": []}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, -1, -1]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, 0.1]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, null]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, -1e999]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, NaN]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, -1], \"means\": [-1]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, -1], \"means\": [-1, 1]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, -1], \"deviations\": [1, -1]}",
        "{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, -1], \"deviations\": 1}",
    };
    enum { BAD = sizeof bad / sizeof *bad, WINDOWS = sizeof bad_windows / sizeof *bad_windows };

    (void)unused;
    for (size_t i = 0; i < BAD + WINDOWS; i++) {
        struct model_sampling   sampling = { .tokens = 1, .top_p = 1 };
        struct bytes            lines = { 0 };
        struct opened           o;
        struct model_tokens     tokens;
        struct model_score      score[4];
        struct model_generation made;
        struct err              err = { 0 };

        if (i < BAD) assert_int_equal(bytes_printf(&lines, "%s%s\n%s", windows, bad[i], generated), 0);
        else
            assert_int_equal(bytes_printf(&lines, "%s{\"text\": \"bad\", \"tokens\": [[\"b\", 1], [\"a\", 2], [\"d\", "
                                                  "3]], \"windows\": "
                                          "[{\"begin\": 0, \"end\": 3, \"from\": 1, \"logprobs\": [-1, -1]}, %s]}\n%s",
                                              windows, bad_windows[i - BAD], generated), 0);
        o = open_lines(lines.at);
        if (model_tokenize(o.session, SLICE("bad"), &tokens, &err) != -ENODATA) fail_msg("%s", lines.at);
        if (model_generate(o.session, SLICE("bad"), &sampling, &made, &err) != -ENODATA) fail_msg("%s", lines.at);
        assert_true(model_info(o.model)->moments);
        assert_int_equal(model_tokenize(o.session, SLICE("def f\xC3\xA9:\n"), &tokens, &err), 0);
        assert_int_equal(tokens.count, 5);
        assert_int_equal(tokens.id[4], 14);
        assert_int_equal(model_score(o.session, &tokens, 2, 5, 4, score, &err), 0);
        assert_true(score[0].logprob == -7e-3);
        sampling.tokens = 3;
        assert_int_equal(model_generate(o.session, SLICE("def "), &sampling, &made, &err), 0);
        assert_int_equal(made.id[4], 10);
        close_model(&o);
        bytes_free(&lines);
    }
}

static void test_files(void **unused)
{
    const struct model_options small = { .name = folder, .backend = MODEL_REPLAY, .path = path, .context = 3 };
    const struct model_options large = { .name = folder, .backend = MODEL_REPLAY, .path = path, .context = 5 };
    struct opened              o = open_lines(windows), packed;
    struct model_tokens        tokens;
    struct model              *model;
    struct err                 err = { 0 };
    char                       room[2048];
    size_t                     len = ZSTD_compress(room, sizeof room, windows, sizeof windows - 1, 3);

    (void)unused;
    assert_false(ZSTD_isError(len));
    write_file(room, len);
    assert_int_equal(model_open(&packed.model, &options, &err), 0);
    assert_int_equal(model_session_open(&packed.session, packed.model, &err), 0);
    assert_int_equal(model_tokenize(packed.session, SLICE("def f\xC3\xA9:\n"), &tokens, &err), 0);
    assert_memory_not_equal(&model_info(packed.model)->key, &model_info(o.model)->key, sizeof(struct unit_key));
    close_model(&packed);
    write_file(room, len - 9);                              /* nothing whole is left */
    assert_int_equal(model_open(&model, &options, &err), -EBADMSG);
    write_file(windows, sizeof windows - 1);
    assert_int_equal(model_open(&model, &options, &err), 0);
    assert_memory_equal(&model_info(model)->key, &model_info(o.model)->key, sizeof(struct unit_key));
    model_close(model);
    assert_int_equal(model_open(&model, &small, &err), 0);
    assert_int_equal(model_info(model)->context, 3);
    assert_memory_not_equal(&model_info(model)->key, &model_info(o.model)->key, sizeof(struct unit_key));
    model_close(model);
    assert_int_equal(model_open(&model, &large, &err), -EINVAL);
    write_file("", 0);
    assert_int_equal(model_open(&model, &options, &err), -EBADMSG);
    unlink(path);
    assert_int_equal(model_open(&model, &options, &err), -ENOENT);
    close_model(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text), cmocka_unit_test(test_more_lines), cmocka_unit_test(test_generated),
            cmocka_unit_test(test_nothing),
            cmocka_unit_test(test_refused),
        cmocka_unit_test(test_files),
    };
    int failed;

    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/recorded.jsonl", folder);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    rmdir(folder);
    return failed;
}
