/* corpus/source_lines: JSON lines and lines, of any length, over the borders of batches and units. */
#include "tests/unit/corpus/shards.h"

static void test_lines(void **state)
{
    static const struct { const char *name, *text, *records,
                          *rejects; enum dataset_format format; size_t len; } files[] = {
        { "a.jsonl", "", "", "", FORMAT_AUTO, 0 },
        { "a.jsonl", "\n\n", "", "", FORMAT_AUTO, 2 },
        { "a", "{\"text\":\"1\"}", "0 0  1\n", "", FORMAT_AUTO, 12 },
        { "a", "{\"text\":\"1\"}\r\n\r\n{\"text\":\"2\"}\r\n", "0 0  1\n1 16  2\n", "", FORMAT_AUTO, 30 },
        { "a", "\xEF\xBB\xBF{\"text\":\"1\"}\n", "0 3  1\n", "", FORMAT_AUTO, 16 },
        { "a", "\n \t\n{\"text\":\"1\"}\n \n", "0 4  1\n", "", FORMAT_AUTO, 19 },
        { "a", "{\"text\":\"a\0b\"}\n{\"text\":\"2\"}\n", "1 15  2\n", "0 10 invalid-json\n", FORMAT_AUTO, 28 },
        { "a.jsonl", "oops\n{\"text\":\"2\"}\n", "1 5  2\n", "0 0 invalid-json\n", FORMAT_AUTO, 18 },
        { "a.txt", "oops\n{\"text\":\"2\"}\n", "0 0 a.txt oops\n{\"text\":\"2\"}\n\n", "", FORMAT_AUTO, 18 },
        { "a.c", "", "0 0 a.c \n", "", FORMAT_AUTO, 0 },
        { "a.o", "\x7f" "ELF\0\0", "", "0 4 invalid-utf8\n", FORMAT_AUTO, 6 },
        { "a", "", "", "", FORMAT_LINES, 0 },
        { "a", "\n", "0 0  \n", "", FORMAT_LINES, 1 },
        { "a", "one\n\ntwo\r\n three", "0 0  one\n1 4  \n2 5  two\n3 10   three\n", "", FORMAT_LINES, 16 },
        { "a", "\xEF\xBB\xBF" "x\n{\n", "0 3  x\n1 5  {\n", "", FORMAT_LINES, 7 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct dataset dataset = { .format = files[i].format };
        struct bytes   packed = { 0 };
        struct seen    seen;

        read_bytes(&seen, &dataset, files[i].name, files[i].text, files[i].len);
        assert_text(&seen.records, files[i].records);
        assert_text(&seen.rejects, files[i].rejects);
        seen_free(&seen);
        pack_gzip(&packed, files[i].text, files[i].len, false);
        if (!strcmp(files[i].name, "a.txt")) {              /* a packed document is called what it is inside */
            read_bytes(&seen, &dataset, "a.txt.gz", packed.at, packed.len);
            assert_text(&seen.records, files[i].records);
            seen_free(&seen);
        }
        bytes_free(&packed);
    }
}

/* Lines longer than a record may be are refused with number and place, wherever batches happen to end, and never are in
 * memory whole. */
static void test_long_lines(void **state)
{
    static const size_t lengths[] = { 10, 990, 1000, 1001, 1002, 1003, 5000, 1048570, 1048576, 3000000, 40000000, 20 };
    struct dataset      dataset = { .max_record_bytes = 1000 };
    struct bytes        text = { 0 }, records = { 0 }, rejects = { 0 };
    struct seen         seen;

    (void)state;
    for (int crlf = 0; crlf < 2; crlf++) {
        text.len = records.len = rejects.len = 0;
        for (size_t i = 0; i < 200; i++) {
            size_t len = lengths[i < 12 ? i : random_below(random_below(20) ? 7 : 9)];

            if (len > 1000) bytes_printf(&rejects, "%zu %zu too-long\n", i, text.len);
            else if (len < 11) bytes_printf(&rejects, "%zu %zu invalid-json\n", i, text.len + len);
            else bytes_printf(&records, "%zu %zu  ", i, text.len);
            bytes_append(&text, "{\"text\":\"", 9);
            assert_int_equal(bytes_reserve(&text, text.len + len), 0);
            if (len >= 11) {
                memset(text.at + text.len, 'y', len - 11);
                if (len <= 1000) {
                    bytes_append(&records, text.at + text.len, len - 11);
                    bytes_append(&records, "\n", 1);
                }
                text.len += len - 11;
            }
            /* a line of 10 bytes lacks its brace */
            bytes_append(&text, len < 11 ? "\"" : "\"}", len < 11 ? 1 : 2);
            bytes_append(&text, crlf ? "\r\n" : "\n", crlf ? 2 : 1);
        }
        read_bytes(&seen, &dataset, "long", text.at, text.len);
        assert_same(&seen.records, &records, "records");
        assert_same(&seen.rejects, &rejects, "rejects");
        assert_true(seen.room < 4u << 20);
        seen_free(&seen);
    }
    bytes_free(&text);
    bytes_free(&records);
    bytes_free(&rejects);
}

/* Lines around the length that is too long, while the read in hand ends between them and their ends. */
static void test_limit(void **state)
{
    static const char *const ends[] = { "\n", "\r\n", "" };
    struct bytes text = { 0 };

    (void)state;
    for (uint64_t most = SOURCE_BATCH_BYTES - 3; most <= SOURCE_BATCH_BYTES + 1; most++)
        for (uint64_t len = most - 1; len <= most + 2; len++)
            for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
                struct dataset dataset = { .format = FORMAT_LINES, .max_record_bytes = most };
                struct seen    seen;
                char           want[64];
                size_t         after;

                text.len = 0;
                assert_int_equal(bytes_reserve(&text, len), 0);
                memset(text.at, 'x', len);
                text.len = len;
                bytes_printf(&text, "%s%s", ends[e], *ends[e] ? "last" : "");
                read_bytes(&seen, &dataset, "limit", text.at, text.len);
                snprintf(want, sizeof want, "1 %zu  last\n", len + strlen(ends[e]));
                after = *ends[e] ? strlen(want) : 0;
                if (len > most) assert_text(&seen.rejects, "0 0 too-long\n");
                else assert_int_equal(seen.reject_count, 0);
                assert_int_equal(seen.record_count, (len <= most) + (*ends[e] != '\0'));
                assert_int_equal(seen.records.len, (len <= most ? strlen("0 0  \n") + len : 0) + after);
                if (after) assert_memory_equal(seen.records.at + seen.records.len - after, want, after);
                seen_free(&seen);
            }
    bytes_free(&text);
}

/* A line belongs to the unit that it starts in (read_shard looks), also when it starts with the unit. */
static void test_borders(void **state)
{
    const struct dataset dataset = { .format = FORMAT_LINES };
    struct bytes         text = { 0 };
    char                 path[256], name[] = "borders";
    struct shard         shard = { .path = path, .name = name };
    struct seen          whole, seen;

    (void)state;
    for (int i = 0; i < 2000; i++) bytes_printf(&text, "%.*s\n", i % 10, "123456789");
    read_bytes(&whole, &dataset, name, text.at, text.len);
    snprintf(path, sizeof path, "%s", path_of(name));
    shard.bytes = text.len;
    for (uint64_t unit = 1; unit < 120; unit++) {
        struct err err = { 0 };

        assert_int_equal(read_shard(&seen, &dataset, &shard, unit, &err), 0);
        assert_same(&seen.records, &whole.records, "lines in units");
        assert_int_equal(seen.units, (text.len - 10) / unit + 1);               /* the last line has ten bytes */
        seen_free(&seen);
    }
    seen_free(&whole);
    bytes_free(&text);
}

/* A stream that is cut: the lines before are there, and what was decoded of the last one is none. */
static void test_cut(void **state)
{
    const struct dataset dataset = { .format = FORMAT_LINES };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    pack_gzip(&packed, "one\ntwo\nthr", 11, false);
    read_bytes(&seen, &dataset, "cut", packed.at, packed.len);
    assert_text(&seen.records, "0 0  one\n1 4  two\n2 8  thr\n");
    seen_free(&seen);
    read_bytes(&seen, &dataset, "cut", packed.at, packed.len - 8);
    assert_text(&seen.records, "0 0  one\n1 4  two\n");
    assert_text(&seen.rejects, "2 11 truncated\n");
    seen_free(&seen);
    bytes_free(&packed);
}

/* A last line of JSON that ends in the middle: the file was cut.  With a line feed, or closed, it was not. */
static void test_open_end(void **state)
{
    static const struct { const char *tail, *rejects; uint64_t lost, rejected; } ends[] = {
        { "{\"text\": \"b\"}", "", 0, 0 },
        { "{\"text\": \"b\"", "1 26 truncated\n", 13, 0 },
        { "{\"text\": \"b", "1 23 truncated\n", 12, 0 },
        { " {\"te", "1 19 truncated\n", 6, 0 },
        { "{", "1 15 truncated\n", 2, 0 },
        { "{\"text\": \"b\"\n", "1 26 invalid-json\n", 0, 12 },
        { "{\"text\": \"b\"\n{\"a", "1 26 invalid-json\n2 30 truncated\n", 4, 12 },
        { "{\"text\": b}", "1 23 invalid-json\n", 0, 11 },
        { "text", "1 14 invalid-json\n", 0, 4 },
        { "{\"body\": \"b\"}", "1 14 missing-field\n", 0, 13 },
    };
    const struct dataset dataset = { 0 };
    struct bytes         text = { 0 }, packed = { 0 };
    struct seen          seen;

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        text.len = packed.len = 0;
        bytes_printf(&text, "{\"text\": \"a\"}\n%s", ends[i].tail);
        read_bytes(&seen, &dataset, "open.jsonl", text.at, text.len);
        assert_text(&seen.rejects, ends[i].rejects);
        if (seen.lost != ends[i].lost || seen.rejected_bytes != ends[i].rejected || seen.missing != (seen.lost > 0))
            fail_msg("%s: %d lost, %d rejected", ends[i].tail, (int)seen.lost, (int)seen.rejected_bytes);
        seen_free(&seen);
        pack_gzip(&packed, text.at, text.len, false);       /* the same of a packed one, in bytes of the file */
        read_bytes(&seen, &dataset, "open.jsonl.gz", packed.at, packed.len);
        assert_text(&seen.rejects, ends[i].rejects);
        assert_true((seen.lost > 0) == (ends[i].lost > 0) && seen.lost <= packed.len + 1);
        seen_free(&seen);
    }
    bytes_free(&text);
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),   cmocka_unit_test(test_long_lines), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_borders), cmocka_unit_test(test_cut),        cmocka_unit_test(test_open_end),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
