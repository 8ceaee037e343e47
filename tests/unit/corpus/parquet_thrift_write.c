/* corpus/parquet_thrift_write: what is put is read back: numbers of all sizes, texts, lists long and short, structs in
 * each other. */
#include "corpus/parquet_thrift_write.h"
#include "tests/unit/corpus/parquet_put.h"

static struct thrift reader(const struct bytes *from)
{
    return (struct thrift){ .at = (const unsigned char *)from->at, .end = (const unsigned char *)from->at + from->len };
}

static void test_varint(void **state)
{
    static const uint64_t value[] = { 0, 127, 128, 300, UINT32_MAX, UINT64_MAX };
    struct bytes          out = { 0 }, known = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        assert_int_equal(thrift_append_varint(&out, value[i]), 0);
        put_varint(&known, value[i]);
    }
    assert_int_equal(out.len, known.len);
    assert_memory_equal(out.at, known.at, out.len);
    bytes_free(&out);
    bytes_free(&known);
}

static void test_structs(void **state)
{
    static const int64_t number[] = { 0, -1, INT32_MAX, INT64_MIN };
    struct bytes         out = { 0 };
    struct thrift_writer writer = { .out = &out };
    struct thrift_field  field = { 0 }, inner = { 0 };
    struct thrift        t;
    enum thrift_type     type;
    int64_t              value = 0;

    (void)state;
    thrift_put_int(&writer, 1, THRIFT_I64, INT64_MAX);
    thrift_put_struct(&writer, 5);
    thrift_put_binary(&writer, 2, SLICE("in\0side"));
    thrift_put_end(&writer);
    thrift_put_list(&writer, 6, THRIFT_I32, 4);
    for (int i = 0; i < 4; i++) thrift_put_int_value(&writer, number[i]);
    thrift_put_list(&writer, 7, THRIFT_STRUCT, 20);         /* more than a head can say */
    for (int i = 0; i < 20; i++) {
        thrift_put_element(&writer);
        thrift_put_int(&writer, 1, THRIFT_I32, i);
        thrift_put_end(&writer);
    }
    thrift_put_list(&writer, 8, THRIFT_BINARY, 1);
    thrift_put_binary_value(&writer, SLICE(""));
    thrift_put_end(&writer);
    assert_false(writer.failed);

    t = reader(&out);
    assert_true(thrift_next_field(&t, &field) && field.id == 1 && thrift_take_int(&t, &field, &value));
    assert_true(value == INT64_MAX);
    assert_true(thrift_next_field(&t, &field) && field.id == 5 && field.type == THRIFT_STRUCT);
    assert_true(thrift_next_field(&t, &inner) && inner.id == 2);
    assert_true(slice_equal(thrift_binary(&t), SLICE("in\0side")));
    assert_false(thrift_next_field(&t, &inner));
    assert_true(thrift_next_field(&t, &field) && field.id == 6 && thrift_list(&t, &type) == 4 && type == THRIFT_I32);
    for (int i = 0; i < 4; i++) assert_true(thrift_int(&t) == number[i]);
    assert_true(thrift_next_field(&t, &field) && field.id == 7 && thrift_list(&t, &type) == 20);
    for (int i = 0; i < 20; i++) {
        inner = (struct thrift_field){ 0 };
        assert_true(thrift_next_field(&t, &inner) && thrift_take_int(&t, &inner, &value) && value == i);
        assert_false(thrift_next_field(&t, &inner));
    }
    assert_true(thrift_next_field(&t, &field) && field.id == 8 && thrift_list(&t, &type) == 1);
    assert_int_equal(thrift_binary(&t).len, 0);
    assert_false(thrift_next_field(&t, &field));
    assert_true(!t.broken && t.at == t.end);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_varint), cmocka_unit_test(test_structs) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
