/* tests/unit/model/model_tokenizer.c -- a tokenizer as a model: its tokens, by several sessions, and nothing else. */
#include "model/model.h"

#include "unit/folder.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char path[] = "/tmp/leakgraph-tokenizer-XXXXXX";

/* All bytes, and `ab` of two. */
static int file_make(void **unused)
{
    struct bytes text = { 0 };
    uint32_t     other = 0x100;
    int          file = mkstemp(path);

    (void)unused;
    if (file < 0) return -1;
    close(file);
    assert_int_equal(bytes_printf(&text, "{\"pre_tokenizer\":{\"type\":\"ByteLevel\"},\"model\":{\"type\":\"BPE\","
                                  "\"merges\":[\"a b\"],\"vocab\":{\"ab\":500"), 0);
    for (uint32_t b = 0; b < 256; b++)
        assert_int_equal(bytes_printf(&text, ",\"\\u%04x\":%u", (b >= '!' && b <= '~') || (b >= 0xA1 && b != 0xAD) ? b
                                      : other++, b), 0);
    assert_int_equal(bytes_append(&text, "}}}", 3), 0);
    write_file(path, text.at, text.len);
    bytes_free(&text);
    return 0;
}

static int file_remove(void **unused)
{
    (void)unused;
    return remove(path);
}

static struct model *opened(void)
{
    static char  name[] = "mine";
    struct model *model;
    struct err   err = { 0 };

    if (model_open(&model, &(struct model_options){ .name = name, .backend = MODEL_TOKENIZER, .path = path }, &err) < 0)
        fail_msg("%s", err.text);
    return model;
}

static void test_tokens(void **unused)
{
    static const struct slice text = SLICE("xab\xFF");
    struct model             *model = opened();
    struct model_session     *session[2];
    struct model_tokens       tokens, others;
    struct err                err = { 0 };

    (void)unused;
    for (int i = 0; i < 2; i++) assert_int_equal(model_session_open(&session[i], model, &err), 0);
    assert_int_equal(model_tokenize(session[0], text, &tokens, &err), 0);
    assert_int_equal(model_tokenize(session[1], SLICE("b"), &others, &err), 0);
    assert_true(tokens.count == 3 && tokens.id[0] == 'x' && tokens.id[1] == 500 && tokens.id[2] == 0xFF);
    assert_true(tokens.at[0] == 0 && tokens.at[1] == 1 && tokens.at[2] == 3 && tokens.at[3] == 4);
    assert_true(tokens.text.at == text.at && others.count == 1 && others.id[0] == 'b');
    for (int i = 0; i < 2; i++) model_session_close(session[i]);
    model_close(model);
}

static void test_nothing_else(void **unused)
{
    struct model           *model = opened();
    const struct model_info *info = model_info(model);
    struct model_session   *session;
    struct model_tokens     tokens;
    struct model_score      score;
    struct model_padding    padding;
    struct model_sampling   sampling = { .tokens = 1, .top_p = 1 };
    struct model_generation made;
    struct err              err = { 0 };

    (void)unused;
    assert_true(strcmp(info->name, "mine") == 0 && info->vocabulary == 257 && info->parallel > 1 && !info->context);
    assert_true(info->key.low | info->key.high);
    assert_int_equal(model_session_open(&session, model, &err), 0);
    assert_int_equal(model_tokenize(session, SLICE("xy"), &tokens, &err), 0);
    assert_int_equal(model_score(session, &tokens, 0, 2, 1, &score, &err), -ENODATA);
    assert_non_null(strstr(err.text, "model mine: a tokenizer alone"));
    assert_int_equal(model_score_padding(session, &tokens, &padding, &err), -ENODATA);
    assert_int_equal(model_generate(session, SLICE("x"), &sampling, &made, &err), -ENODATA);
    model_session_close(session);
    model_close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens), cmocka_unit_test(test_nothing_else),
    };

    return cmocka_run_group_tests(tests, file_make, file_remove);
}
