/* tests/unit/model/tokenizer_read.c -- files that are no tokenizer, or ask for what is not read: refused by name. */
#include "model/tokenizer.h"


#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A vocabulary of all bytes, spelt as they are in JSON, then `more`. */
static void vocabulary(struct bytes *out, const char *more)
{
    uint32_t other = 0x100;
    bool     first = true;

    for (uint32_t b = 0; b < 256; b++) {
        const bool     printed = (b >= '!' && b <= '~') || (b >= 0xA1 && b != 0xAD);
        const uint32_t c = printed ? b : other++;

        assert_int_equal(bytes_printf(out, "%s\"\\u%04x\":%u", first ? "" : ",", c, b), 0);
        first = false;
    }
    assert_int_equal(bytes_printf(out, "%s", more), 0);
}

#define LEVEL "\"pre_tokenizer\":{\"type\":\"ByteLevel\"}"

/* The file with what is between its parts; NULL err: it must be read. */
static struct tokenizer *parse(const char *tokens, const char *model, const char *rest, const char *why)
{
    struct bytes      text = { 0 };
    struct tokenizer *out;
    struct err        err = { 0 };
    int               rc;

    assert_int_equal(bytes_printf(&text, "{\"model\":{\"vocab\":{"), 0);
    vocabulary(&text, tokens);
    assert_int_equal(bytes_printf(&text, "}%s},%s}", model, rest), 0);
    rc = tokenizer_parse(&out, "t.json", bytes_slice(&text), &err);
    if (!why && rc < 0) fail_msg("%s", err.text);
    if (why && (rc != -EBADMSG || out || !strstr(err.text, why) || strncmp(err.text, "t.json: ", 8) != 0))
        fail_msg("`%s`, not `%s`", err.text, why);
    bytes_free(&text);
    return out;
}

static void test_refused(void **unused)
{
    static const struct { const char *tokens, *model, *rest, *why; } cases[] = {
        { "", ",\"type\":\"Unigram\"", LEVEL, "a `model` of type Unigram" },
        { "", "", LEVEL, "a `model` of type (none)" },
        { "", ",\"type\":\"BPE\"", LEVEL, "`model.merges` is no list" },
        { "", ",\"dropout\":0.1,\"merges\":[]", LEVEL, "dropout" },
        { "", ",\"end_of_word_suffix\":\"</w>\",\"merges\":[]", LEVEL, "`model.end_of_word_suffix`" },
        { "", ",\"continuing_subword_prefix\":\"##\",\"merges\":[]", LEVEL, "`model.continuing_subword_prefix`" },
        { ",\"ab\":\"x\"", ",\"merges\":[]", LEVEL, "token `ab` has no number" },
        { ",\"ab\":1.5", ",\"merges\":[]", LEVEL, "token `ab` has no number" },
        { ",\"ab\":-1", ",\"merges\":[]", LEVEL, "token `ab` has no number" },
        { ",\"ab\":4294967295", ",\"merges\":[]", LEVEL, "token `ab` has no number" },
        { ",\"ab\":1,\"ab\":2", ",\"merges\":[]", LEVEL, "token `ab` stands there twice" },
        { "", ",\"merges\":[\"ab\"]", LEVEL, "merge 1 is no pair" },
        { "", ",\"merges\":[\"a b c\"]", LEVEL, "merge 1 is no pair" },
        { ",\"ab\":256", ",\"merges\":[\"a b\",[\"a\"]]", LEVEL, "merge 2 is no pair" },
        { "", ",\"merges\":[[\"a\",1]]", LEVEL, "merge 1 is no pair" },
        { "", ",\"merges\":[7]", LEVEL, "merge 1 is no pair" },
        { "", ",\"merges\":[\"a b\"]", LEVEL, "merge 1 is of what is no token: `ab`" },
        { "", ",\"merges\":[[\"x y\",\"b\"]]", LEVEL, "what is no token: `x y`" },
        { "", ",\"merges\":[]", "\"normalizer\":{\"type\":\"NFKC\"}," LEVEL, "a `normalizer` of type NFKC" },
        { "", ",\"merges\":[]", "\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFC\"},{}]}," LEVEL,
          "a `normalizer` of type (none)" },
        { "", ",\"merges\":[]", "\"x\":1", "has no `pre_tokenizer`" },
        { "", ",\"merges\":[]", "\"pre_tokenizer\":{\"type\":\"Metaspace\"}", "a `pre_tokenizer` of type Metaspace" },
        { "", ",\"merges\":[]", "\"pre_tokenizer\":{\"type\":\"Digits\"}", "has no ByteLevel" },
        { "", ",\"merges\":[]", "\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"ByteLevel\"},"
          "{\"type\":\"Digits\"}]}", "a step behind ByteLevel" },
        { "", ",\"merges\":[]", "\"pre_tokenizer\":{\"type\":\"Split\",\"behavior\":\"Isolated\"}", "a Split without" },
        { "", ",\"merges\":[]", "\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"a\"},\"behavior\":"
          "\"MergedWithNext\"}", "behavior MergedWithNext" },
        { "", ",\"merges\":[]", "\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"a\\\\b\"},\"behavior\":"
          "\"Isolated\"}", "byte 2 of the pattern is not read (an escape): `a\\b`" },
        { "", ",\"merges\":[]", "\"added_tokens\":{}," LEVEL, "`added_tokens` is no list" },
        { "", ",\"merges\":[]", "\"added_tokens\":[{\"id\":1}]," LEVEL, "without `content` or `id`" },
        { "", ",\"merges\":[]", "\"added_tokens\":[{\"content\":\"x\"}]," LEVEL, "without `content` or `id`" },
        { "", ",\"merges\":[]", "\"added_tokens\":[{\"id\":1,\"content\":\"x\",\"single_word\":true}]," LEVEL,
          "`x` with single_word" },
        { "", ",\"merges\":[]", "\"added_tokens\":[{\"id\":1,\"content\":\"xy\"},{\"id\":2,\"content\":\"xy\"}]," LEVEL,
          "`xy` stands there twice" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_null(parse(cases[i].tokens, cases[i].model, cases[i].rest, cases[i].why));
}

/* What is no JSON, no object, no byte-level vocabulary. */
static void test_files(void **unused)
{
    static const struct { struct slice text; const char *why; } cases[] = {
        { { "", 0 }, "is no JSON" }, { { "{", 1 }, "is no JSON" }, { { "\"\xFF\"", 3 }, "in UTF-8" },
        { { "[\"\\u0000\"]", 10 }, "a NUL" }, { { "[]", 2 }, "no tokenizer.json" }, { { "7", 1 }, "no tokenizer.json" },
        { { "{\"model\":{\"merges\":[],\"vocab\":[]}}", 34 }, "no object of tokens" },
        { { "{\"model\":{\"merges\":[],\"vocab\":{\"a\":1}}}", 39 }, "no token is byte 0x00" },
    };
    struct tokenizer *tokenizer;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = { 0 };

        if (tokenizer_parse(&tokenizer, "f", cases[i].text, &err) != -EBADMSG || !strstr(err.text, cases[i].why))
            fail_msg("case %zu: %s", i, err.text);
    }
    tokenizer_close(NULL);
}

/* What a file may leave out or say otherwise; a backslash before u0000 is no NUL. */
static void test_read(void **unused)
{
    static const struct { const char *tokens, *model, *rest; } cases[] = {
        { "", ",\"merges\":[]", LEVEL },
        { "", ",\"type\":\"BPE\",\"dropout\":null,\"continuing_subword_prefix\":\"\",\"merges\":[\"#version: 0.2\"]",
          "\"normalizer\":null,\"added_tokens\":[]," LEVEL },
        { ",\"ab\":256,\"\\\\u0000\":257", ",\"merges\":[[\"a\",\"b\"],\"a b\"]",
          "\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFC\"}]},"
          "\"truncation\":{\"max_length\":1},"
          "\"added_tokens\":[{\"id\":9,\"content\":\"\"}]," LEVEL },
    };
    struct tokenizer_cut tokens = { 0 };
    struct err           err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tokenizer *tokenizer = parse(cases[i].tokens, cases[i].model, cases[i].rest, NULL);

        assert_int_equal(tokenizer_vocabulary(tokenizer), i == 2 ? 258 : 256);
        assert_int_equal(tokenizer_cut(tokenizer, &tokens, SLICE("ab"), &err), 0);
        assert_int_equal(tokens.count, i == 2 ? 1 : 2);
        tokenizer_close(tokenizer);
    }
    tokenizer_cut_free(&tokens);
}

static void test_open(void **unused)
{
    struct tokenizer *tokenizer;
    struct err        err = { 0 };

    (void)unused;
    assert_int_equal(tokenizer_open(&tokenizer, "/no/such/file", &err), -ENOENT);
    assert_non_null(strstr(err.text, "/no/such/file"));
    assert_int_equal(tokenizer_open(&tokenizer, TEST_DIR "/golden/tokenizer/make.mjs", &err), -EBADMSG);
    assert_non_null(strstr(err.text, "make.mjs: is no JSON"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_files), cmocka_unit_test(test_read),
        cmocka_unit_test(test_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
