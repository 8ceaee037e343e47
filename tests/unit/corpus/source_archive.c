/* corpus/source_archive: members of archives of every format, whole, damaged, too long, as records and rejects. */
#include "tests/unit/corpus/shards.h"

static const struct member members[] = {
    { "src", NULL, 0, AE_IFDIR, NULL },
    { "src/b.c", "int b;\n", 7, 0, NULL },
    { "src/link.c", NULL, 0, AE_IFLNK, "b.c" },
    { "src/empty.c", "", 0, 0, NULL },
    { "src/a.c", "int a;", 6, 0, NULL },
    { "picture", "\x89PNG\0\0", 6, 0, NULL },
    { "caf\xC3\xA9.c", "int c;\n", 7, 0, NULL },
};

static const char member_records[] =
    "0 0 src/b.c int b;\n\n1 7 src/empty.c \n2 7 src/a.c int a;\n4 19 caf\xC3\xA9.c int c;\n\n";
static const char member_rejects[] = "3 4 binary\n";

static void test_archives(void **state)
{
    static const struct { const char *name; add_filter *format, *filter; } forms[] = {
        { "a.tar", archive_write_set_format_ustar, NULL },
        { "b.tar", archive_write_set_format_gnutar, NULL },
        { "c.tar", archive_write_set_format_pax, NULL },
        { "d.tar", archive_write_set_format_v7tar, NULL },
        { "a.tgz", archive_write_set_format_ustar, archive_write_add_filter_gzip },
        { "a.tar.zst", archive_write_set_format_pax, archive_write_add_filter_zstd },
        { "a.tar.xz", archive_write_set_format_ustar, archive_write_add_filter_xz },
        { "a.tar.bz2", archive_write_set_format_ustar, archive_write_add_filter_bzip2 },
        { "a.tar.lzma", archive_write_set_format_ustar, archive_write_add_filter_lzma },
        { "a.cpio", archive_write_set_format_cpio_newc, NULL },
        { "b.cpio.gz", archive_write_set_format_cpio, archive_write_add_filter_gzip },
        { "a.zip", archive_write_set_format_zip, NULL },
        { "named.jsonl", archive_write_set_format_zip, NULL },
    };
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        packed.len = 0;
        pack_members(&packed, members, sizeof members / sizeof *members, forms[i].format, forms[i].filter);
        read_bytes(&seen, &dataset, forms[i].name, packed.at, packed.len);
        if (seen.reject_count != 1) fail_msg("%s: %.*s", forms[i].name, (int)seen.rejects.len, seen.rejects.at);
        assert_text(&seen.records, member_records);
        assert_text(&seen.rejects, member_rejects);
        seen_free(&seen);
    }
    bytes_free(&packed);
}

/* libarchive's writer of 7z wants a file to seek in. */
static void test_7zip(void **state)
{
    static const char *const names[] = { "0.c", "1.c", "2.c" };
    struct archive          *archive = archive_write_new();
    struct dataset           dataset = { 0 };
    char                     path[256], name[] = "made.7z";
    struct shard             shard = { .path = path, .name = name };
    struct seen              seen;
    struct stat              st;
    struct err               err = { 0 };

    (void)state;
    snprintf(path, sizeof path, "%s", path_of(name));
    archive_write_set_format_7zip(archive);
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    for (int i = 0; i < 3; i++) {
        struct archive_entry *entry = archive_entry_new();

        archive_entry_copy_pathname(entry, names[i]);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_size(entry, 4);
        assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
        assert_int_equal(archive_write_data(archive, "abc\n", 4), 4);
        archive_entry_free(entry);
    }
    archive_write_close(archive);
    archive_write_free(archive);
    assert_int_equal(stat(path, &st), 0);
    shard.bytes = (uint64_t)st.st_size;
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_text(&seen.records, "0 0 0.c abc\n\n1 4 1.c abc\n\n2 8 2.c abc\n\n");
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
}

/* A zip within gzip cannot be sought in: read in one go, from what stands before each member. */
static void test_packed_zip(void **state)
{
    const struct member  two[] = { { "a.c", "int a;\n", 7, 0, NULL }, { "b.c", "b", 1, 0, NULL } };
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    pack_members(&packed, two, 2, archive_write_set_format_zip, archive_write_add_filter_gzip);
    read_bytes(&seen, &dataset, "a.zip.gz", packed.at, packed.len);
    assert_text(&seen.records, "0 0 a.c int a;\n\n1 7 b.c b\n");
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    bytes_free(&packed);
}

/* What is passed over behind the last document is not lost, nor where there is none. */
static void test_skipped(void **state)
{
    const struct member some[] = { { ".git/config", "x", 1, 0, NULL }, { "a.c", "int a;\n", 7, 0, NULL },
                                   { "out/b.c", "b", 1, 0, NULL }, { "l.c", NULL, 0, AE_IFLNK, "a.c" },
                                   { "z/__pycache__/z.pyc", "x", 1, 0, NULL } };
    static const uint64_t want[3][SKIP_REASON_COUNT] = {
        { 0, 1, 1, 1, 1 }, { 0, 0, 1, 0, 0 }, { 0, 1, 0, 1, 1 },
    };
    static const size_t  part[3][2] = { { 0, 5 }, { 0, 2 }, { 2, 3 } };
    char                *exclude[] = { (char[]){ "out" } };
    const struct dataset dataset = { .exclude = exclude, .exclude_count = 1 };

    (void)state;
    for (size_t p = 0; p < 3; p++) {
        struct bytes packed = { 0 };
        struct seen  seen;

        pack_members(&packed, some + part[p][0], part[p][1], archive_write_set_format_ustar, NULL);
        read_bytes(&seen, &dataset, "skipped.tar", packed.at, packed.len);
        assert_text(&seen.records, p < 2 ? "0 0 a.c int a;\n\n" : "");
        assert_int_equal(seen.reject_count, 0);
        assert_memory_equal(seen.skipped.files, want[p], sizeof want[p]);
        seen_free(&seen);
        bytes_free(&packed);
    }
}

/* A hard link repeats a member that is there already. */
static void test_hard_links(void **state)
{
    const struct member  linked[] = { { "a.c", "int a;\n", 7, 0, NULL }, { "b.c", NULL, 0, 0, "a.c" } };
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    pack_members(&packed, linked, 2, archive_write_set_format_ustar, NULL);
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_text(&seen.records, "0 0 a.c int a;\n\n");
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    bytes_free(&packed);
}

/* Of a cpio's hard links the last has the bytes; the others are empty.  One without its end is cut. */
static void test_cpio(void **state)
{
    static const char    names[] = "one\0two", text[] = "int a;\n";
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    for (int i = 0; i < 3; i++) {
        const char *name = i < 2 ? names + 4 * i : "TRAILER!!!";

        bytes_printf(&packed, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", i < 2 ? 7u : 0u,
                     i < 2 ? 0100644u : 0u, 0u, 0u, i < 2 ? 2u : 1u, 0u, i == 1 ? 7u : 0u, 1u, 1u, 0u, 0u,
                     (unsigned)strlen(name) + 1, 0u);
        bytes_append(&packed, name, strlen(name) + 1);
        while (packed.len % 4) bytes_append(&packed, "", 1);
        if (i == 1) bytes_append(&packed, text, sizeof text);                   /* and a zero that fills four */
    }
    read_bytes(&seen, &dataset, "a.cpio", packed.at, packed.len);
    assert_text(&seen.records, "0 0 one \n1 0 two int a;\n\n");
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    read_bytes(&seen, &dataset, "a.cpio", packed.at, packed.len - 124);
    assert_text(&seen.rejects, "2 0 truncated\n");
    seen_free(&seen);
    bytes_free(&packed);
}

/* cpio's old form, in the byte order of either machine; what only has its magic is no archive. */
static void test_cpio_binary(void **state)
{
    static const char *const names[] = { "a.c", "bc.c", "TRAILER!!!" };
    const struct dataset     dataset = { 0 };
    struct bytes             packed = { 0 };
    struct seen              seen;

    (void)state;
    for (int low_first = 0; low_first < 2; low_first++) {
        packed.len = 0;
        for (unsigned i = 0; i < 3; i++) {
            const unsigned name = (unsigned)strlen(names[i]) + 1, bytes = i < 2 ? 7 : 0;
            const unsigned words[] = { 070707, 1, i, i < 2 ? 0100644 : 0, 0, 0, 1, 0, 0, 0, name, 0, bytes };

            for (size_t w = 0; w < 13; w++)
                bytes_append(&packed, (char[2]){ (char)(words[w] >> (low_first ? 0 : 8)),
                                                 (char)(words[w] >> (low_first ? 8 : 0)) }, 2);
            bytes_append(&packed, names[i], name);
            if (name % 2) bytes_append(&packed, "", 1);
            if (bytes) bytes_append(&packed, "int a;\n", 8);
        }
        read_bytes(&seen, &dataset, "a.cpio", packed.at, packed.len);
        assert_text(&seen.records, "0 0 a.c int a;\n\n1 7 bc.c int a;\n\n");
        assert_int_equal(seen.reject_count, 0);
        seen_free(&seen);
    }
    packed.at[6] = packed.at[7] = '\xFF';                   /* no such mode */
    read_bytes(&seen, &dataset, "a.bin", packed.at, packed.len);
    assert_int_equal(seen.record_count, 0);
    assert_int_equal(seen.reject_count, 1);
    seen_free(&seen);
    bytes_free(&packed);
}

/* Members longer than a record may be, between ones that are not. */
static void test_long_members(void **state)
{
    enum { LONG = 3000000 };
    struct dataset dataset = { .max_record_bytes = 1000000 };
    char          *text = malloc(LONG);
    struct member  list[5];
    struct bytes   packed = { 0 };
    struct seen    seen;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', LONG);
    for (int i = 0; i < 5; i++) list[i] = (struct member){ "m", text, i % 2 ? LONG : 3, 0, NULL };
    pack_members(&packed, list, 5, archive_write_set_format_ustar, NULL);
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_text(&seen.records, "0 0 m xxx\n2 3 m xxx\n4 6 m xxx\n");
    assert_text(&seen.rejects, "1 0 too-long\n3 0 too-long\n");
    seen_free(&seen);
    bytes_free(&packed);
    free(text);
}

/* ---- damage ---- */

static void pack_numbered(struct bytes *out, size_t count, add_filter *format, add_filter *filter)
{
    static char   names[16][24], texts[16][400];
    struct member list[16];

    for (size_t i = 0; i < count; i++) {
        int len = snprintf(texts[i], sizeof texts[i], "int number_%zu;\n", i);

        for (; len < 350; len++) texts[i][len] = (char)('a' + random_below(26));
        snprintf(names[i], sizeof names[i], "m%zu.c", i);
        list[i] = (struct member){ names[i], texts[i], 350, 0, NULL };
    }
    out->len = 0;
    pack_members(out, list, count, format, filter);
}

/* One bit of a tar.gz wrong, at every byte, also of its trailer: all documents are there, or something is said. */
static void test_flipped_tar_gzip(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          whole, seen;
    size_t               said = 0;

    (void)state;
    pack_numbered(&packed, 11, archive_write_set_format_ustar, archive_write_add_filter_gzip);
    read_bytes(&whole, &dataset, "f.tar.gz", packed.at, packed.len);
    assert_int_equal(whole.record_count, 11);
    assert_int_equal(whole.reject_count, 0);
    for (size_t at = 0; at < packed.len; at++) {
        char bit = (char)(1 << random_below(8));

        packed.at[at] ^= bit;
        read_bytes(&seen, &dataset, at % 2 ? "f.tar.gz" : "f.tgz", packed.at, packed.len);
        if (!seen.reject_count) assert_same(&seen.records, &whole.records, "a flipped tar.gz");
        said += seen.reject_count > 0;
        packed.at[at] ^= bit;
        seen_free(&seen);
    }
    assert_true(said > packed.len - 20);                    /* but for the header's time, system and flags */
    seen_free(&whole);
    bytes_free(&packed);
}

/* A tar header that is damaged costs its member, is said once, and those behind it are read; so is an archive behind
 * another. */
static void test_damaged_tar(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 }, twice = { 0 };
    struct seen          seen;

    (void)state;
    pack_numbered(&packed, 5, archive_write_set_format_ustar, NULL);
    bytes_append_slice(&twice, bytes_slice(&packed));
    bytes_append_slice(&twice, bytes_slice(&packed));
    packed.at[2 * 1024] ^= 1;                               /* of "m2.c" */
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_int_equal(seen.record_count, 4);
    assert_text(&seen.rejects, "2 0 corrupt\n");
    assert_true(seen.lost == 1024 && seen.missing == 0);    /* header and data of one member */
    seen_free(&seen);
    read_bytes(&seen, &dataset, "a.tar", packed.at, 4 * 1024 + 512);
    assert_true(seen.lost > 1024 && seen.missing > 0 && seen.missing < 512);   /* in the last member's data */
    seen_free(&seen);
    read_bytes(&seen, &dataset, "a.tar", packed.at, 4 * 1024);
    assert_true(seen.lost == 1024 + 1 && seen.missing == 1);            /* how many members there were, nothing says */
    seen_free(&seen);
    read_bytes(&seen, &dataset, "a.tar", twice.at, twice.len);
    assert_int_equal(seen.record_count, 10);
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    for (size_t i = 0; i < 512; i++) bytes_append(&twice, &"garbage"[i % 7], 1);
    read_bytes(&seen, &dataset, "a.tar", twice.at, twice.len);
    assert_int_equal(seen.record_count, 10);
    assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
    seen_free(&seen);
    bytes_free(&packed);
    bytes_free(&twice);
}

/* Zeros between members, or behind them, are what an archive's end and its last block have, but not without end. */
static void test_tar_hole(void **state)
{
    enum { HOLE = 4 << 20 };
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 }, holed = { 0 };
    char                *zeros = calloc(1, HOLE);
    struct seen          seen;

    (void)state;
    assert_non_null(zeros);
    pack_numbered(&packed, 5, archive_write_set_format_ustar, NULL);
    for (int at_end = 0; at_end < 2; at_end++)
        for (size_t zero_bytes = 1 << 20; zero_bytes <= HOLE; zero_bytes *= 4) {
            const bool hole = zero_bytes == HOLE;

            holed.len = 0;
            bytes_append(&holed, packed.at, 3 * 1024);
            bytes_append(&holed, zeros, zero_bytes);
            if (!at_end) bytes_append(&holed, packed.at + 3 * 1024, packed.len - 3 * 1024);
            read_bytes(&seen, &dataset, "hole.tar", holed.at, holed.len);
            assert_int_equal(seen.record_count, at_end ? 3 : 5);
            assert_text(&seen.rejects, hole ? "3 0 corrupt\n" : "");
            if (hole && !strstr(seen.detail, "zero bytes where a member should be")) fail_msg("%s", seen.detail);
            assert_true(hole ? seen.lost >= HOLE && seen.lost <= HOLE + 1024 : seen.lost == 0);
            seen_free(&seen);
        }
    free(zeros);
    bytes_free(&packed);
    bytes_free(&holed);
}

/* Wrong bytes of a zip's member are a reject that names it, however the member is packed, and cost no other member. */
static void test_damaged_zip(void **state)
{
    static add_filter *const methods[] = { archive_write_zip_set_compression_store,
                                           archive_write_zip_set_compression_deflate };
    const struct dataset     dataset = { 0 };
    struct bytes             packed = { 0 };
    struct seen              seen;

    (void)state;
    for (size_t method = 0; method < 2; method++)
        for (int outer = 0; outer < 2; outer++) {
            struct archive *archive = archive_write_new();
            struct bytes    gzip = { 0 };
            char           *name, *data;

            packed.len = 0;
            archive_write_set_format_zip(archive);
            methods[method](archive);
            archive_write_set_bytes_in_last_block(archive, 1);
            assert_int_equal(archive_write_open(archive, &packed, NULL, take_packed, NULL), ARCHIVE_OK);
            for (int i = 0; i < 4; i++) {
                struct archive_entry *entry = archive_entry_new();
                char                  path[16], text[300];

                snprintf(path, sizeof path, "m%d.c", i);
                memset(text, 'a' + i, sizeof text);
                for (size_t k = 0; k < sizeof text; k += 3) text[k] = (char)('a' + random_below(26));
                archive_entry_copy_pathname(entry, path);
                archive_entry_set_filetype(entry, AE_IFREG);
                archive_entry_set_size(entry, sizeof text);
                assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
                assert_int_equal(archive_write_data(archive, text, sizeof text), sizeof text);
                archive_entry_free(entry);
            }
            archive_write_close(archive);
            archive_write_free(archive);
            name = memmem(packed.at, packed.len, "m1.c", 4);
            assert_non_null(name);
            data = name + 80;                               /* behind the header's extra field */
            *data ^= 0x10;
            if (outer) pack_gzip(&gzip, packed.at, packed.len, false);
            else bytes_append_slice(&gzip, bytes_slice(&packed));
            read_bytes(&seen, &dataset, outer ? "a.zip.gz" : "a.zip", gzip.at, gzip.len);
            /* read in one go, a broken member hides where the next one is */
            if (!outer) {
                assert_int_equal(seen.record_count, 3);
                assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
            }
            assert_int_equal(seen.reject_count, 1);
            assert_in_range(seen.lost, outer ? gzip.len / 2 : 100, outer ? gzip.len : 310);
            if (!strstr(seen.detail, "m1.c")) fail_msg("the reject is: %s", seen.detail);
            seen_free(&seen);
            bytes_free(&gzip);
        }
    bytes_free(&packed);
}

/* The checksum of a packed zip's stream stands behind all members. */
static void test_packed_zip_trailer(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          seen;

    (void)state;
    pack_numbered(&packed, 3, archive_write_set_format_zip, archive_write_add_filter_gzip);
    packed.at[packed.len - 6] ^= 1;
    read_bytes(&seen, &dataset, "a.zip.gz", packed.at, packed.len);
    assert_int_equal(seen.record_count, 3);
    assert_text(&seen.rejects, "3 0 corrupt\n");
    seen_free(&seen);
    bytes_free(&packed);
}

/* So it is for a member that is too long. */
static void test_huge_member(void **state)
{
    struct dataset dataset = { .max_record_bytes = 1000 };
    size_t         len = 70 << 20;
    char          *text = calloc(1, len);
    struct bytes   packed = { 0 };
    struct seen    seen;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', len / 2);                             /* a NUL in its first 8 KB would make it binary */
    pack_members(&packed, (struct member[]){ { "a", "1", 1, 0, NULL }, { "b", text, len, 0, NULL },
                                             { "c", "2", 1, 0, NULL } }, 3,
                 archive_write_set_format_ustar, NULL);
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_text(&seen.records, "0 0 a 1\n2 1 c 2\n");
    assert_text(&seen.rejects, "1 0 too-long\n");
    assert_int_equal(seen.empty, 1);
    seen_free(&seen);
    bytes_free(&packed);
    text[8191] = '\0';
    pack_members(&packed, (struct member[]){ { "b", text, 9000, 0, NULL }, { "c", "2", 1, 0, NULL } }, 2,
                 archive_write_set_format_ustar, NULL);
    read_bytes(&seen, &dataset, "a.tar", packed.at, packed.len);
    assert_text(&seen.records, "1 0 c 2\n");
    assert_text(&seen.rejects, "0 0 binary\n");
    assert_int_equal(seen.skipped.files[SKIP_BINARY], 1);
    seen_free(&seen);
    bytes_free(&packed);
    free(text);
    unlink(path_of("a.tar"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archives), cmocka_unit_test(test_7zip), cmocka_unit_test(test_packed_zip),
        cmocka_unit_test(test_skipped), cmocka_unit_test(test_hard_links), cmocka_unit_test(test_long_members),
        cmocka_unit_test(test_flipped_tar_gzip), cmocka_unit_test(test_damaged_tar),
        cmocka_unit_test(test_tar_hole), cmocka_unit_test(test_cpio), cmocka_unit_test(test_cpio_binary),
        cmocka_unit_test(test_damaged_zip), cmocka_unit_test(test_packed_zip_trailer),
        cmocka_unit_test(test_huge_member),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
