/* corpus/parquet_footer: schemas laid by hand with the levels and paths that they must have, row groups, and everything
 * that a footer is not believed in. */
#include "corpus/parquet_footer.h"
#include "tests/unit/corpus/parquet_folder.h"
#include "tests/unit/corpus/parquet_put.h"

#include <stdlib.h>

enum { REQUIRED, OPTIONAL, REPEATED, NONE = -1, LIST = 3, UTF8 = 0 };
enum { DATA_BYTES = 500 };                                  /* of pages, before the footer */

/* ---- laying ---- */

struct element { const char *name; int type, repetition, children, converted; };

static void put_element(struct bytes *out, const struct element *element)
{
    unsigned last = 0;

    if (element->type >= 0) put_int(out, 1, element->type), last = 1;
    if (element->type == PARQUET_FIXED) put_int(out, 1, 16), last = 2;
    put_int(out, 3 - last, element->repetition);
    put_byte(out, 1 << 4 | 8);
    put_text(out, element->name);
    if (element->children != NONE) put_int(out, 1, element->children);
    if (element->converted != NONE) put_int(out, element->children != NONE ? 1 : 2, element->converted);
    put_byte(out, 0);
}

static void put_list(struct bytes *out, unsigned step, size_t count)
{
    put_byte(out, step << 4 | 9);
    put_byte(out, (count < 15 ? (unsigned)count : 15u) << 4 | 12);
    if (count >= 15) put_varint(out, count);
}

/* The head of a file's metadata up to the schema's end, its root left to the list of elements. */
static void put_schema(struct bytes *out, const struct element *element, size_t count)
{
    put_int(out, 1, 1);                                     /* version */
    put_list(out, 1, count);
    for (size_t i = 0; i < count; i++) put_element(out, &element[i]);
}

struct column { int type, codec; int64_t values, bytes, data_at, dictionary_at; };

static void put_column(struct bytes *out, const struct column *column)
{
    put_int(out, 2, 0);
    put_byte(out, 1 << 4 | 12);
    put_int(out, 1, column->type);
    put_int(out, 3, column->codec);
    put_int(out, 1, column->values);
    put_int(out, 2, column->bytes);
    put_int(out, 2, column->data_at);
    if (column->dictionary_at) put_int(out, 2, column->dictionary_at);
    put_byte(out, 0);
    put_byte(out, 0);
}

static void put_group(struct bytes *out, const struct column *column, size_t count, int64_t rows)
{
    put_list(out, 1, count);
    for (size_t i = 0; i < count; i++) put_column(out, &column[i]);
    put_int(out, 2, rows);
    put_byte(out, 0);
}

/* A file with these bytes as its footer, opened. */
static int open_footer(struct parquet_footer *footer, const struct bytes *metadata, struct err *err)
{
    struct bytes file = { 0 };
    struct input input;
    uint32_t     len = (uint32_t)metadata->len;
    int          rc;

    put(&file, "PAR1", 4);
    while (file.len < DATA_BYTES) put_byte(&file, 'x');
    put(&file, metadata->at, metadata->len);
    put(&file, &len, 4);
    put(&file, "PAR1", 4);
    write_file(path, file.at, file.len);
    assert_int_equal(input_open(&input, path, err), 0);
    rc = parquet_footer_open(footer, &input, err);
    input_close(&input);
    bytes_free(&file);
    return rc;
}

/* ---- schemas ---- */

/* "path:column:definition:repetition:list_len:list_definition[e] " of each node. */
static void assert_nodes(const struct parquet_footer *footer, const char *want)
{
    struct bytes got = { 0 };

    for (size_t i = 0; i < footer->node_count; i++) {
        const struct parquet_node *node = &footer->node[i];
        struct slice               name = parquet_node_path(footer, node);

        bytes_printf(&got, "%.*s:%d:%d:%d:%d:%d%s ", (int)name.len, name.at, (int)node->column, node->max_definition,
                     node->max_repetition, (int)node->list_len, node->list_definition, node->element ? "e" : "");
    }
    assert_int_equal(bytes_append(&got, "", 1), 0);
    assert_string_equal(got.at, want);
    bytes_free(&got);
}

static void test_schema(void **state)
{
    static const struct element elements[] = {
        { "root", NONE, REQUIRED, 5, NONE },
        { "text", PARQUET_BYTE_ARRAY, REQUIRED, NONE, UTF8 },
        { "meta", NONE, OPTIONAL, 2, NONE },
        { "stars", PARQUET_INT32, OPTIONAL, NONE, NONE },
        { "deep", NONE, REQUIRED, 1, NONE },
        { "tag", PARQUET_BYTE_ARRAY, REPEATED, NONE, NONE },
        { "tokens", NONE, OPTIONAL, 1, LIST },
        { "list", NONE, REPEATED, 1, NONE },
        { "element", PARQUET_BYTE_ARRAY, OPTIONAL, NONE, UTF8 },
        { "pair", NONE, REPEATED, 2, NONE },
        { "a", PARQUET_INT64, REQUIRED, NONE, 13 },
        { "b", PARQUET_FIXED, REQUIRED, NONE, NONE },
        { "last", PARQUET_INT32, OPTIONAL, NONE, 6 },
    };
    struct bytes          out = { 0 };
    struct parquet_footer footer;
    struct err            err = { 0 };

    (void)state;
    put_schema(&out, elements, sizeof elements / sizeof *elements);
    put_int(&out, 1, 12345);
    put_list(&out, 1, 0);
    put_byte(&out, 0);
    if (open_footer(&footer, &out, &err) < 0) fail_msg("%s", err.text);
    assert_nodes(&footer, "text:0:0:0:0:0 meta:-1:1:0:0:0 meta.stars:1:2:0:0:0 meta.deep:-1:1:0:0:0 "
                          "meta.deep.tag:2:2:1:13:2e tokens:-1:1:0:0:0 tokens.list:-1:2:1:6:2 "
                          "tokens.list.element:3:3:1:6:2e pair:-1:1:1:4:1 pair.a:4:1:1:4:1 pair.b:5:1:1:4:1 "
                          "last:6:1:0:0:0 ");
    assert_int_equal(footer.columns, 7);
    assert_int_equal(footer.rows, 12345);
    assert_int_equal(footer.data_end, DATA_BYTES);
    assert_int_equal(footer.group_count, 0);
    assert_true(footer.node[2].type == PARQUET_INT32 && footer.node[10].type == PARQUET_FIXED);
    assert_true(footer.node[9].unsigned_number && !footer.node[2].unsigned_number);
    assert_int_equal(footer.node[10].type_bytes, 16);
    assert_true(footer.node[11].time == PARQUET_DATE && footer.node[2].time == PARQUET_NO_TIME);
    parquet_footer_close(&footer);
    assert_true(!footer.node && !footer.raw.at);
    parquet_footer_close(&footer);
    bytes_free(&out);
}

/* Groups in groups: as many as are read, and one more; names too long to be asked for. */
static void test_deep(void **state)
{
    (void)state;
    for (int depth = 62; depth < 65; depth++) {
        static char           name[100];
        struct element       *elements = calloc((size_t)depth + 2, sizeof *elements);
        struct bytes          out = { 0 };
        struct parquet_footer footer;
        struct err            err = { 0 };
        int                   rc;

        assert_non_null(elements);
        memset(name, 'n', 30);
        for (int i = 0; i <= depth; i++) elements[i] = (struct element){ name, NONE, OPTIONAL, 1, NONE };
        elements[depth + 1] = (struct element){ "leaf", PARQUET_INT32, OPTIONAL, NONE, NONE };
        put_schema(&out, elements, (size_t)depth + 2);
        put_int(&out, 1, 0);
        put_list(&out, 1, 0);
        put_byte(&out, 0);
        rc = open_footer(&footer, &out, &err);
        if (depth < 64) {
            const struct parquet_node *leaf = &footer.node[footer.node_count - 1];

            if (rc < 0) fail_msg("%d groups: %s", depth, err.text);
            assert_int_equal(footer.node_count, depth + 1);
            assert_int_equal(leaf->max_definition, depth + 1);
            assert_int_equal(footer.node[32].path_len, 33 * 31 - 1);            /* 1,022 bytes */
            assert_int_equal(footer.node[33].path_len, 0);
            assert_int_equal(leaf->path_len, 0);
        } else {
            assert_int_equal(rc, PARQUET_UNKNOWN);
            assert_non_null(strstr(err.text, "64 groups deep"));
        }
        parquet_footer_close(&footer);
        bytes_free(&out);
        free(elements);
    }
}

static void test_lying_schemas(void **state)
{
    static const struct { struct element element[3]; size_t count; int code; const char *says; } schemas[] = {
        { { { "r", NONE, 0, 1, NONE }, { "a", PARQUET_INT32, 0, NONE, NONE } }, 2, 0, "" },
        { { { "r", NONE, 0, 2, NONE }, { "a", PARQUET_INT32, 0, NONE, NONE } }, 2, PARQUET_CORRUPT, "more columns" },
        { { { "r", NONE, 0, 0, NONE }, { "a", PARQUET_INT32, 0, NONE, NONE } }, 2, PARQUET_CORRUPT, "fewer columns" },
        { { { "r", NONE, 0, -2, NONE }, { "a", PARQUET_INT32, 0, NONE, NONE } }, 2, PARQUET_CORRUPT, "fewer than no" },
        { { { "r", NONE, 0, 1, NONE }, { "a", NONE, 0, -2, NONE } }, 2, PARQUET_CORRUPT, "fewer than no" },
        { { { "r", NONE, 0, 0, NONE } }, 1, PARQUET_CORRUPT, "without columns" },
        { { { "r", NONE, 0, 1, NONE }, { "a", NONE, 0, 0, NONE } }, 2, PARQUET_CORRUPT, "without columns" },
        { { { "r", NONE, 0, 0, NONE } }, 0, PARQUET_CORRUPT, "no schema" },
        { { { "r", NONE, 0, 1, NONE }, { "a", PARQUET_TYPE_COUNT, 0, NONE, NONE } }, 2, PARQUET_CORRUPT,
          "unknown type" },
        { { { "r", NONE, 0, 1, NONE }, { "a", PARQUET_INT32, 3, NONE, NONE } }, 2, PARQUET_CORRUPT, "repetition" },
    };
    struct bytes          out = { 0 };
    struct parquet_footer footer;

    (void)state;
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct err err = { 0 };

        out.len = 0;
        put_schema(&out, schemas[i].element, schemas[i].count);
        put_int(&out, 1, 0);
        put_list(&out, 1, 0);
        put_byte(&out, 0);
        if (open_footer(&footer, &out, &err) != schemas[i].code || !strstr(err.text, schemas[i].says))
            fail_msg("schema %zu: %d %s", i, err.code, err.text);
        if (schemas[i].code) assert_int_equal(strncmp(err.text, "parquet: the footer: ", 21), 0);
        parquet_footer_close(&footer);
    }
    bytes_free(&out);
}

/* ---- the file's end ---- */

static void test_ends(void **state)
{
    static const struct { struct slice file; int code; const char *says; } files[] = {
        { { "PAR1", 4 }, PARQUET_TRUNCATED, "4 bytes are no whole file" },
        { { "PAR1\0\0\0\0PARE", 12 }, PARQUET_UNKNOWN, "encrypted" },
        { { "PAR1\0\0\0\0PAR2", 12 }, PARQUET_TRUNCATED, "does not end with a footer" },
        { { "PAR1\1\0\0\0PAR1", 12 }, PARQUET_CORRUPT, "longer than the file" },
        { { "PAR1\0\0\0\0PAR1", 12 }, PARQUET_CORRUPT, "it is damaged" },
        { { "PAR1\0\1\0\0\0PAR1", 13 }, PARQUET_CORRUPT, "missing" },           /* an empty struct */
        { { "PAR1\xFF\xFF\xFF\xFFPAR1", 12 }, PARQUET_CORRUPT, "longer than the file" },
    };
    struct parquet_footer footer;

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct input input;
        struct err   err = { 0 };

        write_file(path, files[i].file.at, files[i].file.len);
        assert_int_equal(input_open(&input, path, &err), 0);
        if (parquet_footer_open(&footer, &input, &err) != files[i].code || !strstr(err.text, files[i].says))
            fail_msg("file %zu: %d %s", i, err.code, err.text);
        parquet_footer_close(&footer);
        input_close(&input);
    }
}

/* A whole footer cut at every byte of its inside, its length being right. */
static void test_cut(void **state)
{
    static const struct element elements[] = { { "r", NONE, 0, 1, NONE }, { "a", PARQUET_INT32, 0, NONE, NONE } };
    struct bytes                out = { 0 };
    struct parquet_footer       footer;

    (void)state;
    put_schema(&out, elements, 2);
    put_int(&out, 1, 5);
    put_list(&out, 1, 1);
    put_group(&out, &(struct column){ PARQUET_INT32, 0, 5, 20, 4, 0 }, 1, 5);
    put_byte(&out, 0);
    for (size_t len = 0; len <= out.len; len++) {
        struct bytes part = { out.at, len, out.room };
        struct err   err = { 0 };

        assert_int_equal(open_footer(&footer, &part, &err), len < out.len ? PARQUET_CORRUPT : 0);
        parquet_footer_close(&footer);
    }
    bytes_free(&out);
}

/* ---- row groups ---- */

/* Two columns, a and b, and row groups of them as given; opened. */
static void open_groups(struct parquet_footer *footer, const struct column (*group)[2], const int64_t *rows,
                        size_t count)
{
    static const struct element elements[] = {
        { "r", NONE, 0, 2, NONE }, { "a", PARQUET_INT32, 0, NONE, NONE },
        { "b", PARQUET_BYTE_ARRAY, REPEATED, NONE, NONE },
    };
    struct bytes out = { 0 };
    struct err   err = { 0 };

    put_schema(&out, elements, 3);
    put_int(&out, 1, 100);
    put_list(&out, 1, count);
    for (size_t g = 0; g < count; g++) put_group(&out, group[g], 2, rows[g]);
    put_byte(&out, 0);
    if (open_footer(footer, &out, &err) < 0) fail_msg("%s", err.text);
    bytes_free(&out);
}

static void test_groups(void **state)
{
    static const struct column groups[][2] = {
        { { PARQUET_INT32, 6, 10, 100, 4, 0 }, { PARQUET_BYTE_ARRAY, 1, 25, 50, 144, 104 } },
        { { PARQUET_INT32, 0, 0, 0, 499, 0 }, { PARQUET_BYTE_ARRAY, 0, 0, 0, 500, 0 } },
    };
    static const int64_t       rows[] = { 10, 0 };
    struct parquet_footer      footer;
    const struct parquet_node *node[3];
    struct parquet_chunk       chunk[3];
    uint64_t                   got;
    struct err                 err = { 0 };

    (void)state;
    open_groups(&footer, groups, rows, 2);
    node[0] = &footer.node[0];
    node[1] = node[2] = &footer.node[1];                    /* two fields of one column */
    assert_int_equal(footer.group_count, 2);
    assert_int_equal(parquet_next_group(&footer, node, 3, chunk, &got, &err), 1);
    assert_int_equal(got, 10);
    assert_true(chunk[0].there && chunk[0].at == 4 && chunk[0].bytes == 100 && chunk[0].values == 10);
    assert_int_equal(chunk[0].codec, 6);
    assert_true(chunk[1].at == 104 && chunk[1].bytes == 50 && chunk[1].values == 25);       /* its dictionary first */
    assert_memory_equal(&chunk[1], &chunk[2], sizeof *chunk);
    assert_int_equal(footer.groups_left, 1);
    assert_int_equal(parquet_next_group(&footer, node + 1, 1, chunk, &got, &err), 1);
    assert_true(got == 0 && chunk[0].at == 500 && chunk[0].bytes == 0);
    assert_int_equal(parquet_next_group(&footer, node, 3, chunk, &got, &err), 0);
    parquet_footer_close(&footer);
}

/* A row group that cannot be used says which, and the one behind it can. */
static void test_lying_groups(void **state)
{
    static const struct { struct column b; int64_t rows; const char *says; } lies[] = {
        { { PARQUET_INT64, 0, 5, 20, 100, 0 }, 5, "row group 0, column b: its type is not the schema's" },
        { { PARQUET_BYTE_ARRAY, 0, -1, 20, 100, 0 }, 5, "row group 0, column b: it has fewer than no values" },
        { { PARQUET_BYTE_ARRAY, 0, 5, -1, 100, 0 }, 5, "row group 0, column b: it does not lie inside the file" },
        { { PARQUET_BYTE_ARRAY, 0, 5, 401, 100, 0 }, 5, "row group 0, column b: it does not lie inside the file" },
        { { PARQUET_BYTE_ARRAY, 0, 5, 1, 500, 0 }, 5, "row group 0, column b: it does not lie inside the file" },
        { { PARQUET_BYTE_ARRAY, 0, 5, 1, 501, 0 }, 5, "row group 0, column b: it does not lie inside the file" },
        { { PARQUET_BYTE_ARRAY, 0, 5, 1, 3, 0 }, 5, "row group 0, column b: it does not lie inside the file" },
        { { PARQUET_BYTE_ARRAY, 0, 5, INT64_MAX, 100, 0 }, 5, "it does not lie inside the file" },
        { { PARQUET_BYTE_ARRAY, 0, 4, 20, 100, 0 }, 5, "another number of values" },
        { { PARQUET_BYTE_ARRAY, 0, 5, 20, 100, 0 }, 4, "another number of values" },        /* a is not repeated */
        { { PARQUET_BYTE_ARRAY, 0, 5, 20, 100, 0 }, -1, "fewer than no rows" },
        { { PARQUET_BYTE_ARRAY, 0, 0, 0, 0, 0 }, 0, NULL }, /* no rows: nothing is asked of its columns */
    };

    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        const struct column groups[2][2] = {
            { { PARQUET_INT32, 0, 5, 20, 4, 0 }, lies[i].b },
            { { PARQUET_INT32, 0, 3, 20, 4, 0 }, { PARQUET_BYTE_ARRAY, 0, 7, 400, 100, 0 } },
        };
        const int64_t              rows[2] = { lies[i].rows, 3 };
        const struct parquet_node *node[2];
        struct parquet_footer      footer;
        struct parquet_chunk       chunk[2];
        uint64_t                   got;
        struct err                 err = { 0 };

        open_groups(&footer, groups, rows, 2);
        node[0] = &footer.node[0];
        node[1] = &footer.node[1];
        if (!lies[i].says) assert_int_equal(parquet_next_group(&footer, node, 2, chunk, &got, &err), 1);
        else if (parquet_next_group(&footer, node, 2, chunk, &got, &err) != PARQUET_CORRUPT ||
                 !strstr(err.text, lies[i].says))
            fail_msg("lie %zu: %d %s", i, err.code, err.text);
        assert_int_equal(got, lies[i].rows < 0 ? 0 : lies[i].rows);
        assert_int_equal(parquet_next_group(&footer, node, 2, chunk, &got, &err), 1);
        assert_true(got == 3 && chunk[1].values == 7);
        parquet_footer_close(&footer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema), cmocka_unit_test(test_deep), cmocka_unit_test(test_lying_schemas),
        cmocka_unit_test(test_ends),   cmocka_unit_test(test_cut),  cmocka_unit_test(test_groups),
        cmocka_unit_test(test_lying_groups),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
