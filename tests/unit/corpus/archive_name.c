/* corpus/archive_name: names beyond ASCII in archives that say that they are Unicode, read in the locale C. */
#include "tests/unit/corpus/shards.h"
#include "corpus/archive_name.h"

#include <langinfo.h>

static const struct member named[] = {
    { "gr\xC3\xB6\xC3\x9F" "e.c", "int a;", 6, 0, NULL }, { "a.c", "int b;", 6, 0, NULL },
    { "\xE6\x97\xA5\xE6\x9C\xAC.py", "c = 1", 5, 0, NULL }, { "\xF0\x9F\x90\x8D.py", "d = 1", 5, 0, NULL },
};
static const char named_records[] = "0 0 gr\xC3\xB6\xC3\x9F" "e.c int a;\n1 6 a.c int b;\n"
    "2 12 \xE6\x97\xA5\xE6\x9C\xAC.py c = 1\n3 17 \xF0\x9F\x90\x8D.py d = 1\n";

static int set_zip(struct archive *archive)
{
    archive_write_set_format_zip(archive);
    return archive_write_set_format_option(archive, "zip", "hdrcharset", "UTF-8");
}

/* Written by a process whose characters are UTF-8, read by this one. */
static void pack_named(struct bytes *out, add_filter *format)
{
    locale_t before = archive_name_enter();

    out->len = 0;
    pack_members(out, named, sizeof named / sizeof *named, format, NULL);
    archive_name_leave(before);
}

static void test_locale(void **state)
{
    locale_t before = archive_name_enter();

    (void)state;
    assert_string_equal(nl_langinfo(CODESET), "UTF-8");
    archive_name_leave(before);
    assert_string_not_equal(nl_langinfo(CODESET), "UTF-8");
}

static void test_formats(void **state)
{
    static const struct { const char *name; add_filter *format; } forms[] = {
        { "a.zip", set_zip }, { "pax.tar", archive_write_set_format_pax },
        { "ustar.tar", archive_write_set_format_ustar },
    };
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        pack_named(&packed, forms[f].format);
        read_bytes(&seen, &dataset, forms[f].name, packed.at, packed.len);
        if (seen.reject_count) fail_msg("%s: %s", forms[f].name, seen.detail);
        assert_text(&seen.records, named_records);
        seen_free(&seen);
    }
    bytes_free(&packed);
}

/* libarchive's writer of 7z, whose names are UTF-16, wants a file. */
static void test_7zip(void **state)
{
    locale_t        before = archive_name_enter();
    struct archive *archive = archive_write_new();
    struct dataset  dataset = { 0 };
    char            path[256], name[] = "named.7z";
    struct shard    shard = { .path = path, .name = name };
    struct seen     seen;
    struct stat     st;
    struct err      err = { 0 };

    (void)state;
    snprintf(path, sizeof path, "%s", path_of(name));
    archive_write_set_format_7zip(archive);
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        struct archive_entry *entry = archive_entry_new();

        archive_entry_copy_pathname(entry, named[i].path);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_size(entry, (la_int64_t)named[i].len);
        assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
        assert_int_equal(archive_write_data(archive, named[i].text, named[i].len), named[i].len);
        archive_entry_free(entry);
    }
    archive_write_close(archive);
    archive_write_free(archive);
    archive_name_leave(before);
    assert_int_equal(stat(path, &st), 0);
    shard.bytes = (uint64_t)st.st_size;
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_text(&seen.records, named_records);
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
}

/* A name that is not what the archive says: its bytes are taken all the same, of a zip from the member's own header.  A
 * zip that is packed cannot be looked at again: there the member is a reject.  Others are not touched. */
static void test_malformed(void **state)
{
    static const char *const files[] = { "odd.zip", "odd.tar", "odd.zip.gz" };
    const struct dataset     dataset = { 0 };
    struct bytes             packed = { 0 }, outer = { 0 };
    struct seen              seen;

    (void)state;
    for (int f = 0; f < 3; f++) {
        const bool tar = f == 1, again = f == 2;

        pack_named(&packed, tar ? archive_write_set_format_pax : set_zip);
        for (char *at = packed.at; (at = memmem(at, packed.len - (size_t)(at - packed.at), "\xC3\x9F" "e", 3)); at++)
            if (!tar || !memcmp(at - 9, "path=", 5)) at[1] = 'x';       /* an attribute of a tar has no sum */
        outer.len = 0;
        pack_gzip(&outer, packed.at, packed.len, false);
        read_bytes(&seen, &dataset, files[f], again ? outer.at : packed.at, again ? outer.len : packed.len);
        assert_int_equal(seen.record_count, again ? 3 : 4);
        assert_int_equal(seen.reject_count, again);
        if (!again && !memmem(seen.records.at, seen.records.len, " gr\xC3\xB6\xC3xe.c int a;", 16))
            fail_msg("%s: the name", files[f]);
        if (again && !strstr(seen.detail, "UTF-8")) fail_msg("the reject is: %s", seen.detail);
        seen_free(&seen);
    }
    bytes_free(&packed);
    bytes_free(&outer);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_locale), cmocka_unit_test(test_formats),
                                        cmocka_unit_test(test_7zip), cmocka_unit_test(test_malformed) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
