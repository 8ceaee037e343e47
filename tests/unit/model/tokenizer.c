/* tests/unit/model/tokenizer.c -- tokens of hard texts in the forms of published models, as Hugging Face's tokenizers
 * give them (tests/golden/tokenizer/make.mjs); where tokens begin; any bytes; words that are long. */
#include "model/tokenizer.h"

#include "base/file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

static cJSON *golden;

static int golden_read(void **unused)
{
    struct bytes text = { 0 };
    const int    file = file_open(TEST_DIR "/golden/tokenizer/golden.json", O_RDONLY);
    ssize_t      got = 1;

    (void)unused;
    while (file >= 0 && got > 0 && bytes_reserve(&text, text.len + 65536) == 0 &&
           (got = file_read(file, text.at + text.len, 65536)) > 0) text.len += (size_t)got;
    if (file >= 0) close(file);
    golden = cJSON_ParseWithLength(text.at, text.len);
    bytes_free(&text);
    return golden ? 0 : -1;
}

static int golden_free(void **unused)
{
    (void)unused;
    cJSON_Delete(golden);
    return 0;
}

/* A form with its model in the place of the model's name. */
static struct tokenizer *form_open(const char *name)
{
    cJSON            *form = cJSON_Duplicate(cJSON_GetObjectItem(cJSON_GetObjectItem(golden, "forms"), name), true);
    const cJSON      *model = cJSON_GetObjectItem(cJSON_GetObjectItem(golden, "models"),
                                                  cJSON_GetStringValue(cJSON_GetObjectItem(form, "model")));
    struct tokenizer *out;
    struct err        err = { 0 };
    char             *text;

    assert_non_null(model);
    cJSON_ReplaceItemInObject(form, "model", cJSON_Duplicate(model, true));
    text = cJSON_PrintUnformatted(form);
    if (tokenizer_parse(&out, name, slice_of(text), &err) < 0) fail_msg("%s", err.text);
    cJSON_free(text);
    cJSON_Delete(form);
    return out;
}

static void cut(const struct tokenizer *tokenizer, struct tokenizer_cut *to, struct slice text)
{
    struct err err = { 0 };

    if (tokenizer_cut(tokenizer, to, text, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(to->at[to->count], text.len);
    for (size_t i = 0; i < to->count; i++) assert_true(to->at[i] <= to->at[i + 1]);
}

static void test_golden(void **unused)
{
    struct tokenizer_cut tokens = { 0 };
    const cJSON         *form;
    size_t               wrong = 0;

    (void)unused;
    cJSON_ArrayForEach(form, cJSON_GetObjectItem(golden, "forms")) {
        struct tokenizer *tokenizer = form_open(form->string);
        const cJSON      *wanted = cJSON_GetObjectItem(cJSON_GetObjectItem(golden, "ids"), form->string), *text;
        int               number = 0;

        cJSON_ArrayForEach(text, cJSON_GetObjectItem(golden, "texts")) {
            const cJSON *ids = cJSON_GetArrayItem(wanted, number++), *id;
            size_t       i = 0;
            bool         same;

            cut(tokenizer, &tokens, slice_of(text->valuestring));
            same = (size_t)cJSON_GetArraySize(ids) == tokens.count;
            cJSON_ArrayForEach(id, ids) same = same && (double)tokens.id[i++] == id->valuedouble;
            if (!same) print_error("%s, text %d: `%s`\n", form->string, number, text->valuestring);
            wrong += !same;
        }
        assert_int_equal(number, cJSON_GetArraySize(wanted));
        tokenizer_close(tokenizer);
    }
    tokenizer_cut_free(&tokens);
    assert_int_equal(wrong, 0);
}

/* The tokens of one form make up the text, whatever its bytes; each begins where it says. */
static void test_bytes(void **unused)
{
    static const char    text[] = "caf\xC3\xA9 \xFF\xC3(\0)\xE4\xB8 def\xED\xA0\x80\xF0\x9F";
    struct tokenizer    *tokenizer = form_open("bytes"), *starcoder = form_open("starcoder");
    struct tokenizer_cut tokens = { 0 };

    (void)unused;
    cut(starcoder, &tokens, (struct slice){ text, sizeof text - 1 });
    /* but for what was learnt of é and def, a token a byte, which has its number */
    for (size_t i = 0; i < tokens.count; i++)
        if (tokens.at[i + 1] - tokens.at[i] == 1) assert_int_equal(tokens.id[i], (unsigned char)text[tokens.at[i]]);
    assert_true(tokens.count > 15 && tokens.count < sizeof text - 1);
    /* the space that is put before has no byte of its own */
    cut(tokenizer, &tokens, SLICE("\xFF"));
    assert_int_equal(tokens.count, 2);
    assert_true(tokens.id[0] == ' ' && tokens.at[0] == 0 && tokens.at[1] == 0);
    cut(tokenizer, &tokens, SLICE(""));
    assert_int_equal(tokens.count, 0);
    tokenizer_cut_free(&tokens);
    tokenizer_close(tokenizer);
    tokenizer_close(starcoder);
}

/* Where tokens begin in what was composed: bytes of the text as it was given. */
static void test_composed(void **unused)
{
    struct tokenizer    *tokenizer = form_open("qwen2");
    struct tokenizer_cut tokens = { 0 };

    (void)unused;
    cut(tokenizer, &tokens, SLICE("(e\xCC\x81)<fim_prefix>z"));
    assert_int_equal(tokens.count, 6);                      /* the letter is two bytes, composed */
    assert_true(tokens.id[1] == 0xC3 && tokens.at[1] == 1 && tokens.id[2] == 0xA9 && tokens.at[2] == 2);
    assert_true(tokens.at[3] == 4 && tokens.at[4] == 5 && tokens.at[5] == 17);
    cut(tokenizer, &tokens, SLICE("\xE0\xA5\x98"));          /* one that becomes two */
    assert_true(tokens.count > 2 && tokens.at[0] == 0);
    tokenizer_cut_free(&tokens);
    tokenizer_close(tokenizer);
}

/* A word of a million bytes: its pairs wait in a heap.  Joined from the left, all the same. */
static void test_long(void **unused)
{
    enum { BYTES = 1000000 };
    struct tokenizer    *tokenizer = form_open("bytes");
    struct tokenizer_cut tokens = { 0 };
    char                *text = malloc(BYTES);
    size_t               at = 0;

    (void)unused;
    assert_non_null(text);
    memset(text, '=', BYTES);
    cut(tokenizer, &tokens, (struct slice){ text, BYTES });
    assert_true(tokens.count < BYTES / 4 && tokens.count > 1000);
    for (size_t i = 1; i + 2 < tokens.count; i++) at += tokens.id[i] == tokens.id[1];
    assert_int_equal(at, tokens.count - 3);
    free(text);
    tokenizer_cut_free(&tokens);
    tokenizer_close(tokenizer);
}

/* A pattern that tries without end is an error, not a wait. */
static void test_hard(void **unused)
{
    static const char    step[] =
        "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"a*a*a*a*b\"},\"behavior\":\"Isolated\"}";
    cJSON               *form = cJSON_CreateObject(), *pre = cJSON_AddObjectToObject(form, "pre_tokenizer"), *list;
    struct tokenizer_cut tokens = { 0 };
    struct tokenizer    *tokenizer;
    struct err           err = { 0 };
    char                 letters[2000], *text;

    (void)unused;
    cJSON_AddItemToObject(form, "model", cJSON_Duplicate(cJSON_GetObjectItem(cJSON_GetObjectItem(golden, "models"),
                                                                             "lines"), true));
    cJSON_AddStringToObject(pre, "type", "Sequence");
    list = cJSON_AddArrayToObject(pre, "pretokenizers");
    cJSON_AddItemToArray(list, cJSON_Parse(step));
    cJSON_AddItemToArray(list, cJSON_Parse("{\"type\":\"ByteLevel\"}"));
    text = cJSON_PrintUnformatted(form);
    assert_int_equal(tokenizer_parse(&tokenizer, "hard", slice_of(text), &err), 0);
    memset(letters, 'a', sizeof letters);
    assert_int_equal(tokenizer_cut(tokenizer, &tokens, (struct slice){ letters, sizeof letters }, &err), -ENODATA);
    assert_non_null(strstr(err.text, "take too long"));
    cut(tokenizer, &tokens, SLICE("aaab"));
    tokenizer_cut_free(&tokens);
    tokenizer_close(tokenizer);
    cJSON_free(text);
    cJSON_Delete(form);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden), cmocka_unit_test(test_bytes), cmocka_unit_test(test_composed),
        cmocka_unit_test(test_long), cmocka_unit_test(test_hard),
    };

    return cmocka_run_group_tests(tests, golden_read, golden_free);
}
