/* pass/starts.c -- which files are counted, and what is found in them. */
#include "passing.h"

#include "base/memory.h"
#include "tests/unit/corpus/pack.h"

enum { UNIT_BYTES = 1000, FILES = 3 };

/* Lines of 10 to 19 bytes, about one in nine of them blank; records[u]: how many records start before unit u. */
static void put_lines(struct bytes *text, size_t bytes, uint64_t *records)
{
    for (size_t i = 0; text->len < bytes; i++) {
        const size_t unit = text->len / UNIT_BYTES;

        records[unit + 1]++;
        if (i % 9 == 4) records[unit + 1]--, bytes_printf(text, "%*s\n", (int)(i % 13), "");
        else bytes_printf(text, "[\"%*d\"]\n", (int)(5 + i % 10), (int)i);
    }
}

/* a.jsonl is twice as large as b.jsonl, b2.jsonl is small. */
static void open_pass(struct passing *g, uint64_t records[2][64])
{
    struct bytes   text[2] = { { 0 }, { 0 } };
    struct content files[FILES] = { { .name = "a.jsonl" }, { .name = "b.jsonl" }, { "b2.jsonl", "[]\n" } };

    memset(records, 0, 2 * sizeof *records);
    for (size_t i = 0; i < 2; i++) {
        if (i == 0) bytes_printf(&text[i], "{\"text\": \"a\"}\n"), records[i][1] = 1;
        else bytes_printf(&text[i], "{}\n"), records[i][1] = 1;
        put_lines(&text[i], (2 - i) * 20000, records[i]);
        bytes_append(&text[i], "", 1);
        files[i].text = text[i].at;
        for (size_t u = 1; u < 64; u++) records[i][u] += records[i][u - 1];
    }
    passing_open(g, files, FILES);
    passing_add(g, "all", PASS_RECORDS, false);
    g->pass.unit_bytes = UNIT_BYTES;
    g->told.threads = 3;
    passing_must(g, pass_take_shards(&g->pass, FILES, &g->err));
    for (size_t i = 0; i < 2; i++) bytes_free(&text[i]);
}

static void close_pass(struct passing *g)
{
    pass_starts_free(&g->run);
    free((void *)(uintptr_t)g->pass.item);
    passing_close(g);
}

static void take_file(struct bytes *out, const char *path)
{
    FILE *file = fopen(path, "r");
    char  some[4096];

    assert_non_null(file);
    for (size_t got; (got = fread(some, 1, sizeof some, file)) > 0; ) bytes_append(out, some, got);
    fclose(file);
}

static void put_file(const char *path, struct slice content)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(content.at, 1, content.len, file), content.len);
    assert_int_equal(fclose(file), 0);
}

static void lines_are_counted(void **unused)
{
    static uint64_t records[2][64];
    struct passing  g;

    (void)unused;
    open_pass(&g, records);
    passing_must(&g, pass_starts_make(&g.run, &g.err));
    assert_null(g.run.starts);                              /* there is nothing to divide */
    g.run.starts_count = FILES;
    passing_must(&g, pass_starts_make(&g.run, &g.err));
    for (size_t i = 0; i < 2; i++) {
        const struct starts *starts = &g.run.starts[i];

        assert_int_equal(starts->units, g.shards.at[i].bytes / UNIT_BYTES + 1);
        for (uint64_t u = 0; u <= starts->units; u++) {
            assert_int_equal(starts->at[u].record, records[i][u]);
            assert_int_equal(starts->at[u].file, starts->at[u].text);
            if (u && u < starts->units) assert_int_equal(starts->at[u].file, u * UNIT_BYTES - 1);
        }
    }
    assert_true(g.run.starts[2].units == 1 && g.run.starts[2].at[1].record == 1);
    close_pass(&g);
}

/* The same lines in frames, of which some do not say their length; and one of them damaged. */
static void frames_are_counted(void **unused)
{
    static uint64_t records[2][64];
    struct bytes    text = { 0 }, packed = { 0 };
    struct passing  g;

    (void)unused;
    open_pass(&g, records);
    take_file(&text, g.shards.at[0].path);
    for (size_t at = 0, len; at < text.len; at += len) {
        len = text.len - at < 700 ? text.len - at : 700;
        pack_frame(&packed, text.at + at, len, 1, at % 3 != 0);
    }
    g.shards.at[0].bytes = packed.len;
    for (int hurt = 0; hurt < 2; hurt++) {
        put_file(g.shards.at[0].path, bytes_slice(&packed));
        g.run.starts_count = FILES;
        passing_must(&g, pass_starts_make(&g.run, &g.err));
        assert_int_equal(g.run.starts[0].units, hurt ? 0 : text.len / UNIT_BYTES + 1);
        for (uint64_t u = 0; u <= text.len / UNIT_BYTES + 1 && !hurt; u++) {
            assert_int_equal(g.run.starts[0].at[u].record, records[0][u]);
            assert_int_equal(g.run.starts[0].at[u].text,
                             u > text.len / UNIT_BYTES ? text.len : u ? (u * UNIT_BYTES - 1) / 700 * 700 : 0);
        }
        assert_int_equal(g.run.starts[1].at[1].record, records[1][1]);
        pass_starts_free(&g.run);
        g.run = (struct pass_run){ .pass = &g.pass };
        packed.at[packed.len / 2] ^= 1;
    }
    bytes_free(&text);
    bytes_free(&packed);
    close_pass(&g);
}

/* What is all there, is something else, or is larger than what stays in memory. */
static void others_are_not(void **unused)
{
    static uint64_t records[2][64];
    struct passing  g;

    (void)unused;
    open_pass(&g, records);
    passing_must(&g, pass_run(&g.pass, &g.err));
    for (int anew = 0; anew < 2; anew++) {
        g.run.starts_count = 1;
        if (anew) passing_clear(&g);
        passing_must(&g, pass_starts_make(&g.run, &g.err));
        assert_true((g.run.starts[0].at != NULL) == (anew == 1));
        pass_starts_free(&g.run);
        g.run = (struct pass_run){ .pass = &g.pass };
    }
    for (int other = 0; other < 3; other++) {
        char          packed[] = "a.jsonl.gz", *name = g.shards.at[0].name;
        const uint64_t bytes = g.shards.at[0].bytes;

        g.run.starts_count = 1;
        if (other == 0) g.shards.at[0].name = packed;
        else if (other == 1) g.shards.at[0].bytes = UINT64_MAX - 1;
        else put_file(g.shards.at[0].path, slice_of("[{\"text\": 1}]"));
        passing_must(&g, pass_starts_make(&g.run, &g.err));
        assert_null(g.run.starts[0].at);
        g.shards.at[0].name = name;
        g.shards.at[0].bytes = bytes;
        pass_starts_free(&g.run);
        g.run = (struct pass_run){ .pass = &g.pass };
    }
    close_pass(&g);
}

/* Nobody opens the file of units that are all there. */
static void found(void **unused)
{
    static uint64_t records[2][64];
    struct passing  g;

    (void)unused;
    open_pass(&g, records);
    passing_must(&g, pass_run(&g.pass, &g.err));
    assert_int_equal(unlink(g.shards.at[0].path), 0);
    g.run.starts_count = 1;
    passing_must(&g, pass_starts_make(&g.run, &g.err));
    assert_null(g.run.starts[0].at);
    close_pass(&g);
}

/* Files that stay in memory, each alone, but not together: the first is counted. */
static void too_large_together(void **unused)
{
    static uint64_t records[2][64];
    struct passing  g;

    (void)unused;
    open_pass(&g, records);
    for (size_t i = 0; i < 2; i++) g.shards.at[i].bytes = memory_limit() / 3;
    g.pass.unit_bytes = memory_limit() / 4;
    g.run.starts_count = FILES;
    passing_must(&g, pass_starts_make(&g.run, &g.err));
    assert_true(g.run.starts[0].units == 2 && g.run.starts[0].at && !g.run.starts[1].at);
    assert_true(g.run.starts[2].units == 1 && g.run.starts[2].at[1].record == 1);
    close_pass(&g);
}

/* A file that is gone is an error with its name. */
static void gone(void **unused)
{
    static uint64_t records[2][64];
    struct passing  g;

    (void)unused;
    open_pass(&g, records);
    assert_int_equal(unlink(g.shards.at[1].path), 0);
    g.run.starts_count = FILES;
    assert_int_equal(pass_starts_make(&g.run, &g.err), -ENOENT);
    assert_non_null(strstr(g.err.text, "b.jsonl"));
    close_pass(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_counted), cmocka_unit_test(frames_are_counted),
        cmocka_unit_test(others_are_not), cmocka_unit_test(found),
        cmocka_unit_test(too_large_together), cmocka_unit_test(gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
