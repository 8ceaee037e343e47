/* corpus/batch: the records of batches of every kind, laid out by hand; which are passed over, why, and where. */
#include "corpus/json_record.h"
#include "corpus/record.h"
#include "corpus/shared.h"
#include "kernels/kernels.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

/* What the batch gives: "number byte text|" of each record, then "!number byte reason detail|" of each reject. */
static void assert_batch(struct batch *batch, const char *want)
{
    struct record record;
    struct bytes  got = { 0 };
    struct err    err = { 0 };
    int           rc;

    batch->next_record = batch->first_record;
    batch->next_at = batch->rejects.count = 0;
    bytes_append(&got, "", 0);
    while ((rc = batch_next(batch, &record, &err)) > 0) {
        bytes_printf(&got, "%d %d ", (int)record.number, (int)record.byte);
        bytes_append_slice(&got, record.text);
        bytes_append(&got, "|", 1);
    }
    assert_int_equal(rc, 0);
    assert_int_equal(batch_next(batch, &record, &err), 0);  /* still the end */
    for (size_t i = 0; i < batch->rejects.count; i++)
        bytes_printf(&got, "!%d %d %s %s|", (int)batch->rejects.at[i].record, (int)batch->rejects.at[i].byte,
                     reject_names[batch->rejects.at[i].reason], batch->rejects.at[i].detail);
    assert_int_equal(bytes_append(&got, "", 1), 0);
    assert_string_equal(got.at, want);
    bytes_free(&got);
}

static void set_raw(struct batch *batch, struct slice raw)
{
    batch->raw.len = 0;
    assert_int_equal(bytes_append_slice(&batch->raw, raw), 0);
}

static void test_lines(void **state)
{
    struct dataset dataset = { .max_record_bytes = 6 };
    struct batch   batch = { .dataset = &dataset, .kind = BATCH_LINES, .first_record = 10, .byte = 1000 };

    (void)state;
    assert_batch(&batch, "");
    set_raw(&batch, SLICE("one\n\ntwo\r\n sixes\nsevens!\nlast"));
    assert_batch(&batch, "10 1000 one|11 1004 |12 1005 two|13 1010  sixes|15 1025 last|!14 1017 too-long longer than 6 "
                         "bytes|");
    set_raw(&batch, SLICE("a\n"));                          /* reused */
    assert_batch(&batch, "10 1000 a|");
    batch_free(&batch);
    assert_true(!batch.raw.at && !batch.rejects.at && !batch.item);
    batch_free(&batch);
}

static void test_json(void **state)
{
    struct dataset dataset = { .max_record_bytes = 30 };
    struct batch   batch = { .dataset = &dataset, .kind = BATCH_JSON_LINES, .first_record = 5, .byte = 100 };
    struct record  record;
    struct err     err = { 0 };

    (void)state;
    field_map_set(&batch.fields, &dataset);
    set_raw(&batch, SLICE("{\"text\":\"a\\n\"}\n \t\r\n{\"id\":7}\nno json\n{\"text\":\"123456789012345678901\"}\n"
                          "{\"text\":\"\"}"));              /* blank lines are no records */
    assert_batch(&batch, "5 100 a\n|9 169 |!6 119 missing-field no \"text\", \"content\" or \"code\"; it has id|"
                         "!7 128 invalid-json not a JSON object|!8 136 too-long longer than 30 bytes|");
    batch.next_at = batch.next_record = 0;
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_true(record.json && slice_equal(record.line, SLICE("{\"text\":\"a\\n\"}")));
    assert_true(slice_equal(record.raw[FIELD_TEXT], SLICE("\"a\\n\"")) && !record.raw[FIELD_ID].at && !record.extra);
    batch_free(&batch);
}

static bool is_odd(void *context, uint64_t number)
{
    ++*(int *)context;
    return number % 2;
}

/* What is not wanted is no reject either; numbers and places are those of all records. */
static void test_wanted(void **state)
{
    struct dataset dataset = { .max_record_bytes = 30 };
    int            asked = 0;
    struct batch   batch = { .dataset = &dataset, .kind = BATCH_JSON_LINES, .first_record = 4, .byte = 100,
                             .wants = is_odd, .wants_context = &asked };

    (void)state;
    field_map_set(&batch.fields, &dataset);
    set_raw(&batch, SLICE("{\"text\":\"a\"}\n\n{\"text\":\"b\"}\nno json\nno json\n"
                          "{\"text\":\"c\"}\n{\"text\":\"d\"}"));
    assert_batch(&batch, "5 114 b|9 156 d|!7 135 invalid-json not a JSON object|");
    assert_int_equal(asked, 6);
    batch_free(&batch);
}

/* Text that is no UTF-8, by each policy: the place is that of the stored bytes. */
static void test_utf8(void **state)
{
    struct dataset dataset = { 0 };
    struct batch   batch = { .dataset = &dataset, .byte = 50 };

    (void)state;
    field_map_set(&batch.fields, &dataset);
    for (int json = 0; json < 2; json++) {
        batch.kind = json ? BATCH_JSON_LINES : BATCH_LINES;
        set_raw(&batch, json ? SLICE("{\"text\":\"\\u0041b\xFFz\"}\n{\"text\":\"\xC3\xA9\"}\n")
                             : SLICE("ab\xFFz\n\xC3\xA9\n"));
        dataset.utf8 = UTF8_KEEP;
        assert_batch(&batch, json ? "0 50 Ab\xFFz|1 71 \xC3\xA9|" : "0 50 ab\xFFz|1 55 \xC3\xA9|");
        dataset.utf8 = UTF8_REPAIR;
        assert_batch(&batch, json ? "0 50 Ab\xEF\xBF\xBDz|1 71 \xC3\xA9|" : "0 50 ab\xEF\xBF\xBDz|1 55 \xC3\xA9|");
        dataset.utf8 = UTF8_REJECT;
        assert_batch(&batch, json ? "1 71 \xC3\xA9|!0 66 invalid-utf8 byte 0xFF of the text|"
                                  : "1 55 \xC3\xA9|!0 52 invalid-utf8 byte 0xFF of the text|");
    }
    batch_free(&batch);
}

static void add_item(struct batch *batch, struct batch_item item)
{
    batch->item = realloc(batch->item, (batch->item_count + 1) * sizeof item);
    assert_non_null(batch->item);
    batch->item[batch->item_count++] = item;
}

static void test_members(void **state)
{
    enum { LOOK = 8192 };                                   /* where a NUL is looked for */
    struct dataset dataset = { .utf8 = UTF8_REJECT };
    struct batch   batch = { .dataset = &dataset, .kind = BATCH_MEMBERS, .first_record = 3, .byte = 500 };
    struct record  record;
    struct err     err = { 0 };
    static char    text[2 * LOOK + 2];

    (void)state;
    set_raw(&batch, SLICE("int a;b\0nx\xFF" "a.cdir/b"));
    add_item(&batch, (struct batch_item){ 0, 6, 11, 3 });
    add_item(&batch, (struct batch_item){ 6, 0, 14, 5 });   /* an empty one */
    add_item(&batch, (struct batch_item){ 6, 3, 14, 5 });
    add_item(&batch, (struct batch_item){ 9, 2, 14, 5 });
    assert_batch(&batch, "3 500 int a;|4 506 |!5 1 binary binary|!6 1 invalid-utf8 byte 0xFF of the text|");
    assert_true(batch.skipped.files[SKIP_BINARY] == 1 && skips_sum(&batch.skipped) == 1);
    batch.next_at = 0;
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_true(slice_equal(record.raw[FIELD_PATH], SLICE("a.c")) && !record.json && !record.line.at);
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_true(slice_equal(record.raw[FIELD_PATH], SLICE("dir/b")));

    memset(text, 'x', sizeof text);
    text[LOOK] = '\0';                                      /* one byte too far to be seen */
    batch.item_count = 0;
    set_raw(&batch, (struct slice){ text, LOOK + 1 });
    add_item(&batch, (struct batch_item){ 0, LOOK + 1, 0, 0 });
    batch.next_at = 0;
    assert_int_equal(batch_next(&batch, &record, &err), 1);
    assert_int_equal(record.text.len, LOOK + 1);
    batch.raw.at[LOOK - 1] = '\0';
    batch.alone = true;                                     /* what was named itself is not passed over */
    assert_batch(&batch, "!3 8191 invalid-utf8 binary|");
    assert_int_equal(skips_sum(&batch.skipped), 1);
    batch_free(&batch);
}

static void test_files(void **state)
{
    struct dataset dataset = { .max_record_bytes = 10, .utf8 = UTF8_REPAIR };
    struct batch   batch = { .dataset = &dataset, .kind = BATCH_FILES };
    char           folder[] = "/tmp/test_batch.XXXXXX", path[64];
    static const struct { const char *name; struct slice content; uint64_t listed; } files[] = {
        { "a.c", { "int a;", 6 }, 6 }, { "empty", { "", 0 }, 0 }, { "ten", { "0123456789", 10 }, 7 },
        { "eleven", { "0123456789x", 11 }, 7 }, { "bin", { "b\0", 2 }, 2 }, { "bad", { "\xFFz", 2 }, 1 },
        { "cut", { "int", 3 }, 6 },
    };

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(bytes_printf(&batch.raw, "%s/", folder), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        write_file(path, files[i].content.at, files[i].content.len);
        /* The listed lengths are of earlier: a file may have grown since, but is none when it has shrunk. */
        add_item(&batch, (struct batch_item){ i * 100, files[i].listed, batch.raw.len, strlen(files[i].name) });
        bytes_append(&batch.raw, files[i].name, strlen(files[i].name));
    }
    add_item(&batch, (struct batch_item){ 700, 7, batch.raw.len, 4 });
    bytes_append(&batch.raw, "none", 4);
    add_item(&batch, (struct batch_item){ 800, 7, batch.raw.len, 1 });
    bytes_append(&batch.raw, ".", 1);                       /* a folder by now */
    assert_batch(&batch, "0 0 int a;|1 100 |2 200 0123456789|5 500 \xEF\xBF\xBDz|!3 0 too-long longer than 10 bytes|"
                         "!4 1 binary binary|!6 3 truncated 3 bytes, though it had 6 when it was listed|"
                         "!7 0 unreadable No such file or directory|!8 0 unreadable Invalid argument|");
    remove_tree(folder);
    batch_free(&batch);
}

/* Appends a value of a row: its bytes, or with `held` a pointer to them. */
static void put_value(struct bytes *raw, uint32_t field, struct slice bytes, bool held)
{
    struct row_value value = { field | (held ? ROW_HELD : 0), (uint32_t)bytes.len };

    assert_int_equal(bytes_append(raw, &value, sizeof value), 0);
    if (held) assert_int_equal(bytes_append(raw, &bytes.at, sizeof bytes.at), 0);
    else assert_int_equal(bytes_append_slice(raw, bytes), 0);
}

static void test_rows(void **state)
{
    struct dataset dataset = { .utf8 = UTF8_REJECT };
    struct batch   batch = { .dataset = &dataset, .kind = BATCH_ROWS, .first_record = 8, .byte = 77,
                             .held = shared_new() };
    struct record  record;
    struct err     err = { 0 };

    (void)state;
    assert_non_null(batch.held);
    bytes_append(&batch.held->bytes, "held text", 9);
    put_value(&batch.raw, FIELD_TEXT, SLICE("own"), false);
    put_value(&batch.raw, FIELD_STARS, SLICE("5"), false);
    put_value(&batch.raw, FIELD_COUNT + 3, SLICE("extra"), false);
    add_item(&batch, (struct batch_item){ 0, 3, 0, batch.raw.len });
    put_value(&batch.raw, FIELD_ID, SLICE("i"), false);
    put_value(&batch.raw, FIELD_TEXT, bytes_slice(&batch.held->bytes), true);
    add_item(&batch, (struct batch_item){ 3, 9, batch.item[0].path_len, batch.raw.len - batch.item[0].path_len });
    add_item(&batch, (struct batch_item){ 12, 0, batch.raw.len, 0 });           /* a row of nulls */
    put_value(&batch.raw, FIELD_TEXT, SLICE("\xFF"), false);
    add_item(&batch, (struct batch_item){ 12, 1, batch.item[2].path_at, batch.raw.len - batch.item[2].path_at });
    assert_batch(&batch, "8 77 own|9 80 held text|!10 89 missing-field the text is null|"
                         "!11 89 invalid-utf8 byte 0xFF of the text|");
    for (int want = 0; want < 2; want++) {
        batch.want_fields = want ? 1u << FIELD_STARS : 0;
        batch.next_at = 0;
        assert_int_equal(batch_next(&batch, &record, &err), 1);
        assert_true(want ? slice_equal(record.raw[FIELD_STARS], SLICE("5")) : !record.raw[FIELD_STARS].at);
        assert_true(!record.json && !record.raw[FIELD_ID].at && !record.raw[FIELD_PATH].at && record.extra);
        assert_true(slice_equal(record.extra[3], SLICE("extra")) && !record.extra[0].at);
        assert_int_equal(batch_next(&batch, &record, &err), 1);
        assert_true(slice_equal(record.raw[FIELD_ID], SLICE("i")) && !record.extra[3].at);      /* nothing is left */
        assert_ptr_equal(record.text.at, batch.held->bytes.at);
    }
    shared_hold(batch.held);
    batch.held->bytes.len = 4;
    {
        struct shared *held = batch.held;

        batch_free(&batch);                                 /* lets go of what others still hold */
        assert_true(shared_is_mine(held));
        shared_release(held);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),   cmocka_unit_test(test_json),
                                        cmocka_unit_test(test_wanted),  cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_members), cmocka_unit_test(test_files), cmocka_unit_test(test_rows),
    };

    kernels = kernels_select(kernels_cpu(), NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
