/* corpus/parquet_fields: columns by name, in groups and lists, in the order of the schema; what cannot be a field. */
#include "corpus/parquet_fields.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GOLDEN TEST_DIR "/golden/parquet/one.parquet"

static int find(struct parquet_fields *out, struct dataset dataset, struct err *err)
{
    static struct parquet_footer footer;                    /* that the fields point into */
    struct input                 input;
    int                          rc;

    dataset.name = (char[]){ "d" };
    *err = (struct err){ 0 };
    parquet_footer_close(&footer);
    assert_int_equal(input_open(&input, GOLDEN, err), 0);
    assert_int_equal(parquet_footer_open(&footer, &input, err), 0);
    rc = parquet_fields_find(out, &footer, &dataset, err);
    input_close(&input);
    return rc;
}

static void test_found(void **state)
{
    struct dataset        dataset = { .fields = { [FIELD_TEXT] = "file.body", [FIELD_ID] = "idx",
                                                  [FIELD_REPO] = "repo.name.full" } };
    struct parquet_fields fields;
    struct err            err;

    (void)state;
    assert_int_equal(find(&fields, dataset, &err), 0);
    assert_true(fields.count >= 3 && fields.field[fields.text] == FIELD_TEXT);
    for (size_t i = 1; i < fields.count; i++) assert_true(fields.node[i - 1]->column <= fields.node[i]->column);
    /* one column may be two fields; the extra ones come behind all fields */
    dataset.fields[FIELD_LICENSE] = "idx";
    dataset.extra[1] = "idx";
    assert_int_equal(find(&fields, dataset, &err), 0);
    for (size_t i = 0, same = 0; i < fields.count; i++) {
        same += fields.field[i] == FIELD_ID || fields.field[i] == FIELD_LICENSE || fields.field[i] == FIELD_COUNT + 1;
        if (i + 1 == fields.count) assert_int_equal(same, 3);
    }
}

static void test_refused(void **state)
{
    static const struct { struct dataset dataset; const char *words[2]; } refused[] = {
        { { .name = NULL }, { "there is no column text, content or code", "file.body" } },
        { { .fields = { [FIELD_TEXT] = "nothing" } }, { "there is no column nothing", "fields: {text: COLUMN}" } },
        { { .fields = { [FIELD_TEXT] = "file" } }, { "datasets.d.fields.text: column file is a group", "" } },
        { { .fields = { [FIELD_TEXT] = "file.body", [FIELD_ID] = "file" } }, { "datasets.d.fields.id", "a group" } },
        { { .fields = { [FIELD_TEXT] = "file.body" }, .extra = { "file" } }, { "ngrams.fields", "a group" } },
    };
    struct parquet_fields fields;
    struct err            err;

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(find(&fields, refused[i].dataset, &err), -EINVAL);
        for (size_t w = 0; w < 2; w++)
            if (!strstr(err.text, refused[i].words[w])) fail_msg("%s: %s", refused[i].words[w], err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_found), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
