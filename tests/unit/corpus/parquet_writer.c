/* corpus/parquet_writer: tables at random, written and read back by our own reader: nulls, empty texts, hostile ones,
 * dictionaries that overflow, several row groups, no rows at all; what is told besides; a sink that fails. */
#include "corpus/parquet_writer.h"
#include "corpus/parquet_column.h"
#include "tests/unit/corpus/parquet_folder.h"
#include "tests/unit/corpus/parquet_put.h"
#include "tests/unit/draw.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A sink that takes so many bytes. */
struct taken { struct bytes bytes; size_t room; };

static int take(void *context, struct slice bytes, struct err *err)
{
    struct taken *taken = context;

    if (taken->bytes.len + bytes.len > taken->room) return err_set(err, -ENOSPC, "the disk is full");
    put(&taken->bytes, bytes.at, bytes.len);
    return 0;
}

static void keep(const struct bytes *bytes)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes->at, 1, bytes->len, file), bytes->len);
    fclose(file);
}

/* ---- tables ---- */

static const struct parquet_field fields[] = {
    { "few", PARQUET_BYTE_ARRAY, false }, { "many", PARQUET_BYTE_ARRAY, true }, { "number", PARQUET_INT64, true },
    { "real", PARQUET_DOUBLE, true },     { "flag", PARQUET_BOOLEAN, true },    { "id", PARQUET_INT64, false },
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* The value of a column and a row: a function of the seed, so that it need not be kept.  At NULL: null. */
static struct slice made(uint64_t seed, size_t column, uint64_t row, char room[4096])
{
    static const struct slice text[] = {
        { "", 0 }, { "\0", 1 }, { "a\tb\r\n\"c\"", 8 }, { "\xF0\x9F\x98\x80\xE2\x80\xAE", 7 }, { "caf\xC3\xA9", 5 },
    };
    uint64_t state = seed ^ (row * FIELDS + column), drawn = draw(&state);
    size_t   len;

    if (fields[column].optional && drawn % 5 == 0) return (struct slice){ NULL, 0 };
    drawn = draw(&state);
    switch (column) {
    case 0: return text[drawn % 5];
    case 1:
        len = drawn % 4000;
        for (size_t i = 0; i < len; i++) room[i] = (char)('a' + draw(&state) % 26);
        return (struct slice){ room, len };
    case 2: len = (size_t)snprintf(room, 64, "%lld", (long long)drawn); break;
    case 3: return (struct slice){ room, (size_t)snprintf(room, 64, "%.15g", (double)(drawn % 1000) / 1024) };
    case 4: return drawn % 2 ? SLICE("true") : SLICE("false");
    default: len = (size_t)snprintf(room, 64, "%llu", (unsigned long long)row);
    }
    return (struct slice){ room, len };
}

static int give(struct parquet_pages *column, enum parquet_type type, struct slice value, struct err *err)
{
    if (!value.at) return parquet_pages_null(column, err);
    switch (type) {
    case PARQUET_BYTE_ARRAY: return parquet_pages_text(column, value, err);
    case PARQUET_INT64:      return parquet_pages_number(column, strtoll(value.at, NULL, 10), err);
    case PARQUET_DOUBLE:     return parquet_pages_real(column, strtod(value.at, NULL), err);
    default:                 return parquet_pages_flag(column, *value.at == 't', err);
    }
}

static int write_table(uint64_t seed, uint64_t rows, struct taken *taken, struct err *err)
{
    const struct parquet_sink sink = { take, taken };
    struct parquet_writer    *writer;
    char                      room[4096];
    int                       rc = parquet_writer_open(&writer, fields, FIELDS, &sink, 1, err);

    for (uint64_t row = 0; row < rows && rc == 0; row++) {
        for (size_t c = 0; c < FIELDS && rc == 0; c++)
            rc = give(parquet_writer_column(writer, c), fields[c].type, made(seed, c, row, room), err);
        if (rc == 0) rc = parquet_writer_row(writer, err);
    }
    if (rc == 0) rc = parquet_writer_tell(writer, SLICE("told"), SLICE("by the test"), err);
    if (rc == 0) rc = parquet_writer_finish(writer, err);
    parquet_writer_close(writer);
    return rc;
}

/* Reads the file at path and compares it; the number of its row groups. */
static size_t read_table(uint64_t seed, uint64_t rows)
{
    struct parquet_footer      footer;
    struct input               input;
    struct parquet_column      column[FIELDS] = { 0 };
    const struct parquet_node *node[FIELDS];
    struct parquet_chunk       chunk[FIELDS];
    struct slice               value, want;
    struct err                 err = { 0 };
    uint64_t                   in_group, row = 0;
    uint32_t                   level;
    size_t                     groups = 0;
    char                       room[4096], digits[64];

    assert_int_equal(input_open(&input, path, &err), 0);
    if (parquet_footer_open(&footer, &input, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(footer.columns, FIELDS);
    assert_int_equal(footer.rows, rows);
    for (size_t c = 0; c < FIELDS; c++) {
        node[c] = &footer.node[c];
        assert_true(slice_equal(parquet_node_path(&footer, node[c]), slice_of(fields[c].name)));
        assert_int_equal(node[c]->max_definition, fields[c].optional);
        column[c] = (struct parquet_column){ .node = node[c], .input = &input, .path = slice_of(fields[c].name),
                                             .max_ratio = 10000 };
    }
    for (; parquet_next_group(&footer, node, FIELDS, chunk, &in_group, &err) > 0; groups++) {
        for (size_t c = 0; c < FIELDS; c++) parquet_column_start(&column[c], &chunk[c]);
        for (uint64_t end = row + in_group; row < end; row++)
            for (size_t c = 0; c < FIELDS; c++) {
                if (parquet_column_next(&column[c], &value, &level, &err) != 1) fail_msg("row %llu: %s",
                                                                                        (unsigned long long)row,
                                                                                        err.text);
                want = made(seed, c, row, room);
                if (want.at && fields[c].type == PARQUET_DOUBLE) {
                    snprintf(digits, sizeof digits, "%.*s", (int)value.len, value.at);
                    assert_true(strtod(digits, NULL) == strtod(want.at, NULL));
                } else if (!want.at != !value.at || !slice_equal(want, value))
                    fail_msg("row %llu, %s: \"%.*s\", not \"%.*s\"", (unsigned long long)row, fields[c].name,
                             (int)value.len, value.at, (int)want.len, want.at);
            }
        for (size_t c = 0; c < FIELDS; c++)
            assert_int_equal(parquet_column_next(&column[c], &value, &level, &err), 0);
    }
    assert_int_equal(row, rows);
    assert_int_equal(err.code, 0);
    for (size_t c = 0; c < FIELDS; c++) parquet_column_close(&column[c]);
    parquet_footer_close(&footer);
    input_close(&input);
    return groups;
}

static void test_round_trip(void **state)
{
    static const struct { uint64_t rows; size_t groups; } size[] = { { 0, 0 }, { 1, 1 }, { 7, 1 }, { 44001, 2 } };
    uint64_t seed = seed_of_run();

    (void)state;
    print_message("seed=%llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct taken taken = { .room = SIZE_MAX };
        struct err   err = { 0 };

        if (write_table(seed + i, size[i].rows, &taken, &err) < 0) fail_msg("%s", err.text);
        keep(&taken.bytes);
        assert_int_equal(read_table(seed + i, size[i].rows), size[i].groups);
        assert_non_null(memmem(taken.bytes.at, taken.bytes.len, "by the test", 11));
        bytes_free(&taken.bytes);
    }
}

/* Wherever the disk is full, it is told, and nothing leaks. */
static void test_full_disk(void **state)
{
    struct taken whole = { .room = SIZE_MAX };
    struct err   err = { 0 };

    (void)state;
    assert_int_equal(write_table(1, 50, &whole, &err), 0);
    for (size_t room = 0; room < whole.bytes.len; room += 997) {
        struct taken taken = { .room = room };

        err = (struct err){ 0 };
        assert_int_equal(write_table(1, 50, &taken, &err), -ENOSPC);
        assert_string_equal(err.text, "the disk is full");
        bytes_free(&taken.bytes);
    }
    bytes_free(&whole.bytes);
}

/* Groups end by rows too: 131,072 of them are one. */
static void test_many_rows(void **state)
{
    static const struct parquet_field one = { "n", PARQUET_INT64, false };
    struct taken                      taken = { .room = SIZE_MAX };
    const struct parquet_sink         sink = { take, &taken };
    struct parquet_writer            *writer;
    struct parquet_footer             footer;
    struct input                      input;
    struct err                        err = { 0 };

    (void)state;
    assert_int_equal(parquet_writer_open(&writer, &one, 1, &sink, 1, &err), 0);
    for (int64_t i = 0; i < 200000; i++) {
        assert_int_equal(parquet_pages_number(parquet_writer_column(writer, 0), i, &err), 0);
        assert_int_equal(parquet_writer_row(writer, &err), 0);
    }
    assert_int_equal(parquet_writer_finish(writer, &err), 0);
    parquet_writer_close(writer);
    keep(&taken.bytes);
    assert_int_equal(input_open(&input, path, &err), 0);
    assert_int_equal(parquet_footer_open(&footer, &input, &err), 0);
    assert_int_equal(footer.group_count, 2);
    assert_int_equal(footer.rows, 200000);
    parquet_footer_close(&footer);
    input_close(&input);
    bytes_free(&taken.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test_setup_teardown(test_many_rows, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
