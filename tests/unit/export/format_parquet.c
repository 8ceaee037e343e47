/* export/format_parquet: columns have their types, and our own reader gives the values back, the hostile ones too. */
#include "tests/unit/export/exported.h"

#include "corpus/parquet_column.h"

/* All values of a column of the file, each with a line's end; nothing for null. */
static void read_column(const char *path, size_t place, enum parquet_type type, struct bytes *out)
{
    struct parquet_footer      footer;
    struct parquet_column      column = { 0 };
    struct parquet_chunk       chunk;
    struct input               input;
    const struct parquet_node *node;
    struct slice               value;
    struct err                 err = { 0 };
    uint64_t                   rows;
    uint32_t                   level;

    out->len = 0;
    assert_int_equal(input_open(&input, path, &err), 0);
    if (parquet_footer_open(&footer, &input, &err) < 0) fail_msg("%s", err.text);
    node = &footer.node[place];
    assert_int_equal(node->type, type);
    column = (struct parquet_column){ .node = node, .input = &input, .path = SLICE("column"), .max_ratio = 10000 };
    assert_int_equal(parquet_next_group(&footer, &node, 1, &chunk, &rows, &err), 1);
    parquet_column_start(&column, &chunk);
    while (parquet_column_next(&column, &value, &level, &err) == 1)
        assert_true(bytes_append_slice(out, value) == 0 && bytes_append(out, "\n", 1) == 0);
    assert_int_equal(err.code, 0);
    assert_int_equal(bytes_append(out, "", 1), 0);
    parquet_column_close(&column);
    parquet_footer_close(&footer);
    input_close(&input);
}

static void test_columns(void **state)
{
    struct made_graph     g;
    struct bytes          out = { 0 };
    struct export_request request = request_of("pairs", "parquet");
    char                  path[100];

    (void)state;
    made_open(&g, exported_sql);
    snprintf(path, sizeof path, "%s/exported", g.folder);
    request.columns = "b_path,b,similarity,b_license";
    assert_int_equal(exported(&g, &request, &out), 0);
    assert_says(&out, "leakgraph.digest");
    assert_says(&out, "abcdef");
    read_column(path, 0, PARQUET_BYTE_ARRAY, &out);
    assert_string_equal(out.at, HOSTILE_PATH "\n\xEF\xBF\xBD" "A" "\xEF\xBF\xBD\xE2\x80\xAE\x1B\nsrc/c7.c\n");
    read_column(path, 1, PARQUET_INT64, &out);
    assert_string_equal(out.at, "1000000000001\n1000000000002\n\n");
    read_column(path, 2, PARQUET_DOUBLE, &out);
    assert_string_equal(out.at, "1\n0.8888888888888888\n0.9\n");
    read_column(path, 3, PARQUET_BYTE_ARRAY, &out);
    assert_int_equal(out.len, sizeof "MIT\n" + (1 << 20) + sizeof "\nMIT\n" - 1);
    request = request_of("items", "parquet");
    request.columns = "leaked,id";
    assert_int_equal(exported(&g, &request, &out), 0);
    read_column(path, 0, PARQUET_BOOLEAN, &out);
    assert_string_equal(out.at, "true\ntrue\nfalse\n");
    made_close(&g);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_columns) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
