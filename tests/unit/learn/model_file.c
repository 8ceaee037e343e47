/* tests/unit/learn/model_file.c -- the head of a model's file, and files that are none. */
#include "learn/model_file.h"

#include "unit/learn/common.h"

#include <errno.h>
#include <string.h>

#define PATH "learn_model_file.json"

static int read_text(const char *text, struct err *err)
{
    cJSON *json;
    int    rc;

    write_text(PATH, text);
    rc = model_file_read(PATH, "leakgraph test", &json, err);
    cJSON_Delete(json);
    return rc;
}

static void test_head(void **unused)
{
    const char *const names[] = { "plain", "\"quotes\" and \\", "\xc3\xa4 \t" };
    struct bytes text = { 0 };
    struct err   err = { 0 };
    char       **copy, **back;
    size_t       columns;
    cJSON       *json;

    (void)unused;
    assert_int_equal(model_names_copy(names, 3, &copy), 0);
    assert_int_equal(model_file_head(&text, "leakgraph test", 3, copy), 0);
    assert_int_equal(bytes_printf(&text, "\"x\":0.5,\"list\":[1,2]}"), 0);
    assert_int_equal(file_write(PATH, bytes_slice(&text), &err), 0);
    assert_int_equal(model_file_read(PATH, "leakgraph test", &json, &err), 0);
    assert_int_equal(model_file_columns(json, &columns, &back, &err), 0);
    assert_int_equal(columns, 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(back[i], names[i]);
    model_names_free(back, 3);
    model_names_free(copy, 3);
    cJSON_Delete(json);
    bytes_free(&text);
    unlink(PATH);
}

static void test_refused(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    assert_int_equal(read_text("{\"format\":\"leakgraph test\",\"version\":1}", &err), 0);
    assert_int_equal(read_text("", &err), -EBADMSG);
    assert_int_equal(read_text("[1,2]", &err), -EBADMSG);
    assert_int_equal(read_text("{\"format\":\"leakgraph other\",\"version\":1}", &err), -EBADMSG);
    assert_non_null(strstr(err.text, PATH));
    assert_int_equal(read_text("{\"format\":\"leakgraph test\",\"version\":2}", &err), -EBADMSG);
    assert_non_null(strstr(err.text, "version 2"));
    assert_int_equal(read_text("{\"format\":\"leakgraph test\"}", &err), -EBADMSG);
    assert_int_equal(read_text("{\"format\":\"leakgraph test\",\"version\":1", &err), -EBADMSG);
    unlink(PATH);
    assert_int_equal(model_file_read(PATH, "leakgraph test", &(cJSON *){ NULL }, &err), -ENOENT);
    assert_int_equal(model_file_read(".", "leakgraph test", &(cJSON *){ NULL }, &err), -EINVAL);
}

static void test_numbers(void **unused)
{
    cJSON     *json = cJSON_Parse("{\"x\":0.5,\"far\":1e999,\"list\":[1,2.5],\"bad\":[1,1e999],\"columns\":2,"
                                  "\"names\":[\"a\"]}");
    struct err err = { 0 };
    double     x, list[2];
    char     **names;
    size_t     columns;

    (void)unused;
    assert_int_equal(model_file_number(json, "x", 0, 1, 0, &x, &err), 0);
    assert_true(x == 0.5);
    assert_int_equal(model_file_number(json, "x", 0, 1, 1, &x, &err), -EBADMSG);
    assert_int_equal(model_file_number(json, "x", 1, 2, 0, &x, &err), -EBADMSG);
    assert_int_equal(model_file_number(json, "far", 0, 1e300, 0, &x, &err), -EBADMSG);
    assert_int_equal(model_file_number(json, "none", 0, 1, 0, &x, &err), -EBADMSG);
    assert_int_equal(model_file_numbers(json, "list", 2, list, &err), 0);
    assert_true(list[0] == 1 && list[1] == 2.5);
    assert_int_equal(model_file_numbers(json, "list", 1, list, &err), -EBADMSG);
    assert_int_equal(model_file_numbers(json, "bad", 2, list, &err), -EBADMSG);
    assert_int_equal(model_file_numbers(json, "x", 2, list, &err), -EBADMSG);
    assert_int_equal(model_file_columns(json, &columns, &names, &err), -EBADMSG);   /* two columns, one name */
    assert_null(names);
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_head), cmocka_unit_test(test_refused),
                                        cmocka_unit_test(test_numbers) };

    return cmocka_run_group_tests_name("learn/model_file", tests, folder_enter, folder_leave);
}
