/* corpus/source_csv: rows of CSV and TSV, good and bad, wherever reads end. */
#include "tests/unit/corpus/shards.h"

static const struct file { const char *name, *text, *records, *rejects; } csv_files[] = {
    { "a.csv", "", "", "" },
    { "a.csv", "text\n", "", "" },
    { "a.csv", "text", "", "" },
    /* a table without columns, as some write it; blank lines before the names */
    { "a.csv", "\n", "", "" },
    { "a.csv", "\r\n\n\r\n", "", "" },
    { "a.csv", "\xEF\xBB\xBF\n", "", "" },
    { "a.csv", "\n\r\nid,text\n1,a\n", "0 11  a\n", "" },
    { "a.csv", "id,text\n1,a\n2,b\n", "0 8  a\n1 12  b\n", "" },
    { "a.csv", "\xEF\xBB\xBFid,text\r\n1,a\r\n\r\n2,b", "0 12  a\n1 19  b\n", "" },
    { "a.csv", "\"text\",\"pa\"\"th\",path\n\"a\"\"b\",x,\"p\"\n", "0 21 p a\"b\n", "" },
    { "a.csv", "code,content,text,text\n1,2,3,4\n", "0 23  3\n", "" },
    { "a.csv", "text,path\n\"one,\ntwo\r\n\",p\n,q\n\"\",\n", "0 10 p one,\ntwo\r\n\n1 25 q \n2 28  \n", "" },
    { "a.tsv", "path\ttext\na,b\t\"c\td\"\n", "0 10 a,b c\td\n", "" },
    { "a.csv", "text,id\na\nb,2,3\nc,4\n", "2 16  c\n", "0 8 invalid-csv\n1 10 invalid-csv\n" },
    { "a.csv", "text,id\na \"b\" c,1\n", "0 8  a \"b\" c\n", "" },
    /* a quote that is never closed costs its row, and no other */
    { "a.csv", "id,text\n1,\"a\n2,\"b\"\n3,\"c\"\n", "1 13  b\n2 19  c\n", "0 16 invalid-csv\n" },
    { "a.csv", "id,text\n1,\"a\"b\n2,c\n", "1 15  c\n", "0 13 invalid-csv\n" },
    { "a.csv", "id,text\n1,\"a\n2,b\n3,c\n", "1 13  b\n2 17  c\n", "0 8 invalid-csv\n" },
    { "a.csv", "id,text\n1,\"a\n2,b,\"c\n3,d\n", "2 20  d\n", "0 18 invalid-csv\n1 13 invalid-csv\n" },
    { "a.csv", "id,text\n1,\"a\n2,\"b\nc\",d\n", "", "0 16 invalid-csv\n1 13 invalid-csv\n" },
};

static void test_rows(void **state)
{
    static const size_t sizes[] = { 0, 1, 2, 3, 5, 7, 11, 13, 17, 64 };
    const struct dataset dataset = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof csv_files / sizeof *csv_files; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct seen seen;

            batch_bytes = sizes[s];
            read_bytes(&seen, &dataset, csv_files[i].name, csv_files[i].text, strlen(csv_files[i].text));
            assert_text(&seen.records, csv_files[i].records);
            assert_text(&seen.rejects, csv_files[i].rejects);
            seen_free(&seen);
        }
    batch_bytes = 0;
}

/* What is longer than a record may be is a reject, of which no more than that is in memory; reading goes on behind it,
 * and behind a quote that is not closed after as much again. */
static void test_long(void **state)
{
    struct dataset dataset = { .max_record_bytes = 1000 };
    struct bytes   text = { 0 }, records = { 0 }, rejects = { 0 };

    (void)state;
    bytes_printf(&text, "text,id\n");
    for (uint64_t i = 0; i < 300; i++) {
        const uint32_t len = 900 + random_below(300), quoted = random_below(2),
            total = len + 2 + 2 * quoted;

        if (total > 1000) bytes_printf(&rejects, "%llu %zu too-long\n", (unsigned long long)i, text.len);
        else bytes_printf(&records, "%llu %zu  ", (unsigned long long)i, text.len);
        bytes_printf(&text, quoted ? "\"" : "");
        assert_int_equal(bytes_reserve(&text, text.len + len), 0);
        memset(text.at + text.len, quoted && i % 2 ? '\n' : 'x', len);
        if (total <= 1000) {
            bytes_append(&records, text.at + text.len, len);
            bytes_append(&records, "\n", 1);
        }
        text.len += len;
        bytes_printf(&text, "%s,%c%s", quoted ? "\"" : "", 'a', i % 3 ? "\n" : "\r\n");
    }
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        struct seen seen;

        batch_bytes = size;
        read_bytes(&seen, &dataset, "long.csv", text.at, text.len);
        assert_same(&seen.records, &records, "records");
        assert_same(&seen.rejects, &rejects, "rejects");
        seen_free(&seen);
    }
    text.len = 0;
    bytes_printf(&text, "text,id\n\"");
    for (int i = 0; i < 2000000; i++) bytes_printf(&text, "abcdef,%d\n", i % 10);
    for (size_t size = 100; size <= SOURCE_BATCH_BYTES; size *= 100) {
        struct seen seen;

        batch_bytes = size;
        read_bytes(&seen, &dataset, "open.csv", text.at, text.len);
        assert_text(&seen.rejects, "0 8 too-long\n");
        assert_in_range(seen.rejected_bytes, 2000, 2012);
        assert_int_equal(seen.record_count, 2000000 - 2003 / 9 - 1);
        assert_true(seen.room < 4u << 20);
        seen_free(&seen);
    }
    batch_bytes = 0;
    bytes_free(&text);
    bytes_free(&records);
    bytes_free(&rejects);
}

/* Text that is no UTF-8 is dealt with as the dataset says; the byte told is the file's, doubled quotes counted. */
static void test_utf8(void **state)
{
    static const char text[] = "id,text\n1,\"a\"\"b\xFF\"\n2,c\n";
    struct dataset    dataset = { .utf8 = UTF8_REJECT };
    struct seen       seen;

    (void)state;
    read_bytes(&seen, &dataset, "u.csv", text, sizeof text - 1);
    assert_text(&seen.records, "1 18  c\n");
    assert_text(&seen.rejects, "0 15 invalid-utf8\n");
    seen_free(&seen);
    dataset.utf8 = UTF8_REPAIR;
    read_bytes(&seen, &dataset, "u.csv", text, sizeof text - 1);
    assert_text(&seen.records, "0 8  a\"b\xEF\xBF\xBD\n1 18  c\n");
    seen_free(&seen);
}

/* A stream that is cut: what was decoded of the last row is none. */
static void test_cut(void **state)
{
    static const char    text[] = "text\none\ntwo\nthr";
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    pack_gzip(&packed, text, sizeof text - 1, false);
    read_bytes(&seen, &dataset, "cut.csv.gz", packed.at, packed.len - 8);
    assert_text(&seen.records, "0 5  one\n1 9  two\n");
    assert_text(&seen.rejects, "2 16 truncated\n");
    assert_true(seen.lost == 1 && seen.missing == 1);
    seen_free(&seen);
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows), cmocka_unit_test(test_long), cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_cut),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
