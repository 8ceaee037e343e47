/* tests/unit/corpus/again.c -- records of a shard by their numbers, and what is said where one is not to be had. */
#include "corpus/again.h"
#include "tests/unit/corpus/parquet_put.h"
#include "tests/unit/corpus/shards.h"

static const char lines[] = "{\"text\": \"a\", \"path\": \"p/a\"}\nbroken\n{\"text\": \"\"}\n{\"text\": \"d\"}\n";

static struct bytes text, path, note;

static int again(const struct dataset *dataset, const struct shard_list *list, struct shard_was was, uint64_t number)
{
    struct again_record record = { .number = number };
    struct err          err = { 0 };

    bytes_free(&text), bytes_free(&path), bytes_free(&note);
    if (again_read(dataset, &list->at[0], &was, &record, 1, &err) < 0) fail_msg("%s", err.text);
    text = record.text;
    path = record.path;
    note = record.note;
    assert_int_equal(bytes_append(&note, "", 1), 0);
    return record.read;
}

/* Several in one pass: each as it is alone. */
static void several(const struct dataset *dataset, const struct shard_list *list, struct shard_was was)
{
    struct again_record record[5];
    struct err          err = { 0 };

    for (size_t i = 0; i < 5; i++) record[i] = (struct again_record){ .number = i };
    assert_int_equal(again_read(dataset, &list->at[0], &was, record, 5, &err), 0);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(record[i].read, again(dataset, list, was, i));
        assert_true(slice_equal(bytes_slice(&record[i].text), bytes_slice(&text)));
        assert_true(slice_equal(bytes_slice(&record[i].path), bytes_slice(&path)));
        assert_int_equal(record[i].note.len + 1, note.len);
        assert_memory_equal(record[i].note.len ? record[i].note.at : "", note.at, record[i].note.len);
        again_record_free(&record[i]);
    }
}

static void by_number(void **unused)
{
    char                 glob[256], *globs[] = { glob }, name[] = "", of[] = "d";
    struct dataset_split split = { .name = name, .globs = globs, .glob_count = 1 };
    struct dataset       dataset = { .name = of, .url = name, .splits = &split, .split_count = 1 };
    struct shard_list    list;
    struct shard_was     was;
    struct err           err = { 0 };

    (void)unused;
    write_shard("again.jsonl", lines, sizeof lines - 1);
    snprintf(glob, sizeof glob, "%s", path_of("again.jsonl"));
    assert_int_equal(shard_list_open(&list, &dataset, 1, "/", &err), 0);
    was = (struct shard_was){ list.at[0].bytes, XXH3_64bits(lines, sizeof lines - 1), list.at[0].mtime_ns };

    for (int touched = 0; touched < 2; touched++) {         /* another time, the same content */
        was.mtime_ns -= touched;
        assert_int_equal(again(&dataset, &list, was, 0), 1);
        assert_true(slice_equal(bytes_slice(&text), SLICE("a")) && slice_equal(bytes_slice(&path), SLICE("p/a")));
        assert_int_equal(again(&dataset, &list, was, 2), 1);        /* it is empty, and there */
        assert_true(text.len == 0 && path.len == 0 && note.len == 1);
        assert_int_equal(again(&dataset, &list, was, 3), 1);
        assert_true(slice_equal(bytes_slice(&text), SLICE("d")));
        assert_int_equal(again(&dataset, &list, was, 1), 0);
        assert_non_null(strstr(note.at, "could not be used: invalid-json, at its byte "));
        assert_int_equal(again(&dataset, &list, was, 4), 0);
        assert_non_null(strstr(note.at, "has no record 4"));
        several(&dataset, &list, was);
    }
    was.xxh3++;
    assert_int_equal(again(&dataset, &list, was, 0), 0);
    assert_true(strstr(note.at, "its content is another one") && text.len == 0);
    was.bytes++;
    assert_int_equal(again(&dataset, &list, was, 0), 0);
    assert_non_null(strstr(note.at, "bytes, it had"));
    shard_list_free(&list);
    bytes_free(&text), bytes_free(&path), bytes_free(&note);
}

/* Of Parquet row groups without a record that is wanted are passed over, whatever is in them. */
static void of_row_groups(void **unused)
{
    char                 glob[256], *globs[] = { glob }, name[] = "", of[] = "d";
    struct dataset_split split = { .name = name, .globs = globs, .glob_count = 1 };
    struct dataset       dataset = { .name = of, .url = name, .splits = &split, .split_count = 1 };
    struct put_group     group[] = { { .rows = 2, .page = { "\1\0\0\0a\1\0\0\0b", 10 } },
                                     { .rows = 2, .page = { "broken", 6 } },
                                     { .rows = 3, .page = { "\1\0\0\0e\1\0\0\0f\1\0\0\0g", 15 } } };
    static const struct { uint64_t number; const char *text; } records[] =
        { { 0, "a" }, { 1, "b" }, { 4, "e" }, { 5, "f" }, { 6, "g" } };
    struct bytes      file = { 0 };
    struct shard_list list;
    struct shard_was  was;
    struct err        err = { 0 };

    (void)unused;
    put_groups(&file, group, 3);
    write_shard("again.parquet", file.at, file.len);
    snprintf(glob, sizeof glob, "%s", path_of("again.parquet"));
    assert_int_equal(shard_list_open(&list, &dataset, 1, "/", &err), 0);
    was = (struct shard_was){ list.at[0].bytes, XXH3_64bits(file.at, file.len), list.at[0].mtime_ns };
    for (int touched = 0; touched < 2; touched++) {
        was.mtime_ns -= touched;
        for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
            assert_int_equal(again(&dataset, &list, was, records[i].number), 1);
            assert_true(slice_equal(bytes_slice(&text), slice_of(records[i].text)) && note.len == 1);
        }
        assert_int_equal(again(&dataset, &list, was, 3), 0);
        assert_non_null(strstr(note.at, "could not be used: corrupt"));
        assert_int_equal(again(&dataset, &list, was, 7), 0);
        assert_non_null(strstr(note.at, "has no record 7"));
        several(&dataset, &list, was);
    }
    was.xxh3++;
    assert_int_equal(again(&dataset, &list, was, 5), 0);
    assert_non_null(strstr(note.at, "its content is another one"));
    shard_list_free(&list);
    bytes_free(&file);
    bytes_free(&text), bytes_free(&path), bytes_free(&note);
}

/* By its path, its id, its place among the documents: records that cannot be used take none. */
static void by_name(void **unused)
{
    static const char    text_lines[] = "{\"text\": \"a\", \"path\": \"p\"}\nbroken\n"
                                        "{\"text\": \"b\", \"id\": \"i\"}\n{\"text\": \"c\", \"path\": \"p\"}\n"
                                        "{\"text\": \"d\", \"path\": \"q\", \"id\": \"p\"}\n";
    static const struct {
        struct again_wanted wanted;
        uint64_t            from;
        int                 found;
        uint64_t            number;
        const char         *path;
    } rows[] = {
        { { .path = { { "p", 1 } } }, 0, 1, 0, "p" }, { { .path = { { "p", 1 } } }, 1, 1, 3, "p" },
        { { .path = { { "p", 1 } } }, 4, 0, 0, "" }, { { .path = { { "q:3", 3 }, { "q", 1 } } }, 0, 1, 4, "q" },
        { { .id = { "i", 1 } }, 0, 1, 2, "" }, { { .id = { "p", 1 } }, 0, 1, 4, "q" },
        { { .numbered = true, .number = 1 }, 0, 1, 2, "" }, { { .numbered = true, .number = 3 }, 0, 1, 4, "q" },
        { { .numbered = true, .number = 4 }, 0, 0, 0, "" },
    };
    char                 glob[256], *globs[] = { glob }, name[] = "", of[] = "d";
    struct dataset_split split = { .name = name, .globs = globs, .glob_count = 1 };
    struct dataset       dataset = { .name = of, .url = name, .splits = &split, .split_count = 1 };
    struct shard_list    list;
    struct err           err = { 0 };

    (void)unused;
    write_shard("find.jsonl", text_lines, sizeof text_lines - 1);
    snprintf(glob, sizeof glob, "%s", path_of("find.jsonl"));
    assert_int_equal(shard_list_open(&list, &dataset, 1, "/", &err), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct again_wanted wanted = rows[i].wanted;
        uint64_t            number = 0;

        path.len = 0;
        assert_int_equal(again_find(&dataset, &list.at[0], &wanted, rows[i].from, &number, &path, &err),
                         rows[i].found);
        if (!rows[i].found) continue;
        assert_int_equal(number, rows[i].number);
        assert_true(slice_equal(bytes_slice(&path), slice_of(rows[i].path)));
    }
    shard_list_free(&list);
    bytes_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_number), cmocka_unit_test(of_row_groups),
                                        cmocka_unit_test(by_name) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
