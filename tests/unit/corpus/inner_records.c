/* corpus/inner_records: files of folders and archives that hold records, and those that only look like it. */
#include "tests/unit/corpus/shards.h"
#include "corpus/inner_records.h"
#include "corpus/json_record.h"

static const char *found(const char *path, const char *at, size_t len)
{
    static const struct dataset dataset = { 0 };
    struct field_map            fields;

    field_map_set(&fields, &dataset);
    return inner_records(&fields, slice_of(path), (struct slice){ at, len });
}

static void test_files(void **state)
{
    static const struct { const char *path; struct slice text; const char *want; } files[] = {
        { "a/train.jsonl", SLICE("{\"id\": 1, \"text\": \"a\"}\n{}\n"), "JSON lines" },
        { "train.ndjson", SLICE("\xEF\xBB\xBF\n \r\n{\"content\": \"a\"}"), "JSON lines" },
        { "train.jsonl", SLICE("{\"text\": \"a\"}\r\nnot JSON"), "JSON lines" },
        { "fixture.jsonl", SLICE("{\"input\": \"a\", \"output\": \"b\"}\n"), NULL },
        { "fixture.jsonl", SLICE("{\"text\": 1}\n"), NULL },
        { "fixture.jsonl", SLICE("[\"text\"]\n"), NULL },
        { "fixture.jsonl", SLICE("\n\n"), NULL },
        { "fixture.jsonl", SLICE(""), NULL },
        { "train.json", SLICE("{\"text\": \"a b\"}\n"), NULL },        /* may be anything */
        { "a/TRAIN.JSONL", SLICE("{\"text\": \"a\"}\n"), "JSON lines" },
        { "a.NdJson", SLICE("{\"text\": \"a\"}\n"), "JSON lines" },
        { "a.JSONL.GZ", SLICE("\x1F\x8B\x08\0"), "packed JSON lines" },
        { "a.jsonl.Z", SLICE("\x1F\x9D\x90"), "packed JSON lines" },
        { "a.jsonl.z", SLICE("\x1F\x9D\x90"), NULL },
        { "printed.jsonl", SLICE("{\n\"text\": \"a b\"\n}\n{\n\"text\": \"c\"\n}"), "JSON objects" },
        { "array.jsonl", SLICE("[{\"text\": \"a b\"}]"), "a JSON array" },

        { "train.json", SLICE("{\"text\": \"a b\"}\n{\"text\": \"c\"}\n"), "JSON objects" },
        { "train.json", SLICE("[{\"id\": 1, \"text\": \"int a;\"}, {\"id\": 2}]"), "a JSON array" },
        { "a/Train.JSON", SLICE("\xEF\xBB\xBF\n[\n  {\"content\": \"a\"},\n  {\"content\": \"a\\nb\"}"),
          "a JSON array" },
        { "train.json", SLICE("[{\"text\": \"a ]"), NULL },
        { "train.json", SLICE("[]"), NULL },
        { "train.json", SLICE(""), NULL },
        { "train.json", SLICE("[1, {\"text\": \"a b\"}]"), NULL },
        { "package.json", SLICE("{\"name\": \"a\", \"description\": \"a b\", \"files\": [{\"text\": \"a b\"}]}\n"),
          NULL },
        { "countries.json", SLICE("[{\"code\": \"AD\", \"name\": \"and so on\"}, {\"code\": \"AE\"}]"), NULL },
        { "fixture.json", SLICE("[{\"input\": \"a b\"}]"), NULL },
        { "array.js", SLICE("[{\"text\": \"a b\"}]"), NULL },

        { "train.csv", SLICE("id,text\r\n1,int a;\r\n"), "CSV" },
        { "TRAIN.CSV", SLICE("\xEF\xBB\xBF\"text\",id\n\"a\"\"\n,b\",2"), "CSV" },
        { "a.tsv", SLICE("code\tid\nx\t1\nint a;\t2"), "TSV" },
        { "a.csv", SLICE("code,text\na b,c\n"), NULL },        /* the text is in `text` */
        { "countries.csv", SLICE("code,name\nAD,and so on\n"), NULL },
        { "a.csv", SLICE("id,input\n1,a b\n"), NULL },
        { "a.csv", SLICE("id,text\n"), NULL },
        { "a.csv", SLICE("id,text\n1,\"a b"), NULL },
        { "a.csv", SLICE(""), NULL },
        { "train.jsonl.py", SLICE("{\"text\": \"a\"}\n"), NULL },
        { "a.jsonl.gz", SLICE("\x1F\x8B\x08\0"), "packed JSON lines" },
        { "a.ndjson.zst", SLICE("\x28\xB5\x2F\xFD"), "packed JSON lines" },
        { "a.jsonl.gz", SLICE("\x1F\x8B"), NULL },
        { "a.c.gz", SLICE("\x1F\x8B\x08\0"), NULL },
        { "whatever", SLICE("PAR1\0\0PAR1"), "Parquet" },
        { "whatever", SLICE("PAR"), NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *got = found(files[i].path, files[i].text.at, files[i].text.len);

        if (!got != !files[i].want || (got && strcmp(got, files[i].want)))
            fail_msg("%zu, %s: %s", i, files[i].path, got ? got : "a document");
    }
}

/* A member is a reject with its path and what to do; long or not. */
static void test_members(void **state)
{
    static const char    lines[] = "{\"text\": \"a\"}\n{\"text\": \"b\"}\n", table[] = "PAR1\0\0\0\0PAR1",
                         rows[] = "id,text\n1,a b\n2,c d\n3,e f\n";
    const struct member  list[] = {
        { "a.c", "int a;", 6, 0, NULL }, { "TRAIN.JSONL", lines, sizeof lines - 1, 0, NULL },
        { "train.csv", rows, sizeof rows - 1, 0, NULL }, { "train.parquet", table, sizeof table - 1, 0, NULL },
        { "b.c", "int b;", 6, 0, NULL },
    };
    struct dataset       dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    for (int is_long = 0; is_long < 2; is_long++) {
        dataset.max_record_bytes = is_long ? 6 : 0;
        packed.len = 0;
        pack_members(&packed, list, 5, archive_write_set_format_ustar, NULL);
        read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
        assert_int_equal(seen.record_count, 2);
        assert_text(&seen.rejects, "1 0 records\n2 0 records\n3 0 records\n");
        if (!strstr(seen.detail, "Parquet, whose records are read only of a file that `files` names"))
            fail_msg("%s", seen.detail);
        assert_int_equal(seen.skipped.files[SKIP_BINARY], 0);
        assert_int_equal(seen.lost, 0);
        seen_free(&seen);
    }
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_files), cmocka_unit_test(test_members) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
