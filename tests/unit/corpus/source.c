/* corpus/source: what a shard is is told from its bytes, and it is read to the end in bounded calls, whole, cut and
 * damaged; source_archive, source_lines, source_parquet and source_tree have the kinds. */
#include "tests/unit/corpus/shards.h"

/* ---- codecs ---- */

static void test_codecs(void **state)
{
    static add_filter *const filters[] = { archive_write_add_filter_xz, archive_write_add_filter_bzip2,
                                           archive_write_add_filter_lz4,
                                           archive_write_add_filter_lzip, archive_write_add_filter_compress };
    static const char *const names[] = { "a.xz", "a.bz2", "a.lz4", "a.lz", "a.Z" };
    const struct dataset     dataset = { 0 };
    struct bytes             text = { 0 }, packed = { 0 };
    struct seen              plain, seen;
    size_t                   half;

    (void)state;
    make_lines(&text, 12000);
    half = text.len / 2;
    read_bytes(&plain, &dataset, "a.jsonl", text.at, text.len);
    assert_int_equal(plain.record_count, 12000);
    assert_int_equal(plain.reject_count, 0);
    assert_true(plain.batches > 1);
    for (int form = 0; form < 8; form++) {
        packed.len = 0;
        if (form == 0) pack_zstd(&packed, text.at, text.len, 3);
        if (form == 1) {                                    /* frames, one of them empty, and skippable frames around */
            bytes_append(&packed, "\x51\x2A\x4D\x18\3\0\0\0abc", 11);
            pack_zstd(&packed, text.at, half, 1);
            pack_zstd(&packed, text.at, 0, 1);
            bytes_append(&packed, "\x5F\x2A\x4D\x18\0\0\0\0", 8);
            pack_zstd(&packed, text.at + half, text.len - half, 5);
        }
        if (form == 2) pack_gzip(&packed, text.at, text.len, false);
        if (form == 3) pack_gzip(&packed, text.at, text.len, true);
        if (form == 4) {
            pack_gzip(&packed, text.at, half, true);
            pack_gzip(&packed, text.at, 0, false);
            pack_gzip(&packed, text.at + half, text.len - half, false);
        }
        if (form == 5) {                                    /* padded, as on tapes */
            pack_gzip(&packed, text.at, text.len, false);
            for (int i = 0; i < 1000; i++) bytes_append(&packed, "", 1);
        }
        if (form == 6)                                      /* many members, as bgzip makes them */
            for (size_t at = 0; at < text.len; at += 5000)
                pack_gzip(&packed, text.at + at, text.len - at < 5000 ? text.len - at : 5000, at % 2);
        if (form == 7) {
            pack_filter(&packed, text.at, half, archive_write_add_filter_xz);
            pack_filter(&packed, text.at + half, text.len - half, archive_write_add_filter_xz);
        }
        read_bytes(&seen, &dataset, "a", packed.at, packed.len);
        assert_same(&seen.records, &plain.records, form < 2 ? "zstd" : form < 7 ? "gzip" : "xz");
        assert_int_equal(seen.reject_count, 0);
        seen_free(&seen);
    }
    for (size_t i = 0; i < 5; i++) {
        packed.len = 0;
        pack_filter(&packed, text.at, text.len, filters[i]);
        read_bytes(&seen, &dataset, names[i], packed.at, packed.len);
        assert_same(&seen.records, &plain.records, names[i]);
        assert_int_equal(seen.reject_count, 0);
        seen_free(&seen);
    }
    /* Garbage behind a stream is said, and costs no record. */
    for (int form = 0; form < 2; form++) {
        packed.len = 0;
        if (form) pack_gzip(&packed, text.at, text.len, false);
        else pack_zstd(&packed, text.at, text.len, 3);
        bytes_append(&packed, "garbage", 7);
        read_bytes(&seen, &dataset, "a", packed.at, packed.len);
        assert_same(&seen.records, &plain.records, "garbage");
        assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
        seen_free(&seen);
    }
    seen_free(&plain);
    bytes_free(&text);
    bytes_free(&packed);
}

/* ---- damage ---- */

enum form { FORM_ZSTD, FORM_GZIP, FORM_XZ, FORM_BZIP2, FORM_LZ4, FORM_TAR, FORM_TAR_GZIP, FORM_ZIP, FORM_COUNT };
static const char *const form_names[FORM_COUNT] = { "d.jsonl.zst", "d.jsonl.gz", "d.jsonl.xz", "d.jsonl.bz2",
                                                    "d.jsonl.lz4", "d.tar", "d.tar.gz", "d.zip" };

static void pack_form(struct bytes *out, enum form form)
{
    static const struct member two[] = { { "a.c", "int a;\n", 7, 0, NULL }, { "b.c", "int b = 2;\n", 11, 0, NULL } };
    struct bytes               text = { 0 };

    out->len = 0;
    make_lines(&text, 10);
    switch (form) {
    case FORM_ZSTD:
        pack_zstd(out, text.at, text.len / 2, 3);
        pack_zstd(out, text.at + text.len / 2, text.len - text.len / 2, 3);
        break;
    case FORM_GZIP:
        pack_gzip(out, text.at, text.len / 2, true);
        pack_gzip(out, text.at + text.len / 2, text.len - text.len / 2, false);
        break;
    case FORM_XZ:       pack_filter(out, text.at, text.len, archive_write_add_filter_xz); break;
    case FORM_BZIP2:    pack_filter(out, text.at, text.len, archive_write_add_filter_bzip2); break;
    case FORM_LZ4:      pack_filter(out, text.at, text.len, archive_write_add_filter_lz4); break;
    case FORM_TAR:      pack_members(out, two, 2, archive_write_set_format_ustar, NULL); break;
    case FORM_TAR_GZIP: pack_members(out, two, 2, archive_write_set_format_ustar, archive_write_add_filter_gzip); break;
    case FORM_ZIP:      pack_members(out, two, 2, archive_write_set_format_zip, NULL); break;
    case FORM_COUNT:    break;
    }
    bytes_free(&text);
}

/* Cut at every byte: what is delivered is a beginning of what the whole gives, and the cut is said. */
static void test_truncated(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          whole, seen;

    (void)state;
    for (enum form form = 0; form < FORM_COUNT; form++) {
        /* Two frames or members make a valid file of the first alone; libarchive writes one, tar pads after its end
         * mark. */
        size_t silent = 0, step = form == FORM_TAR ? 37 : 1, half_records = 0;

        pack_form(&packed, form);
        read_bytes(&whole, &dataset, form_names[form], packed.at, packed.len);
        assert_int_equal(whole.reject_count, 0);
        assert_true(whole.lost == 0);
        for (size_t cut = 0; cut < packed.len; cut += step) {
            read_bytes(&seen, &dataset, form_names[form], packed.at, cut);
            if (seen.records.len > whole.records.len ||
                (seen.records.len && memcmp(seen.records.at, whole.records.at, seen.records.len)))
                fail_msg("%s cut at %zu: other records", form_names[form], cut);
            half_records += seen.record_count > 0 && seen.record_count < whole.record_count;
            if (!(seen.reasons & (1u << REJECT_TRUNCATED | 1u << REJECT_CORRUPT | 1u << REJECT_INVALID_JSON |
                                  1u << REJECT_INVALID_UTF8))) {
                /* Allowed where nothing is missing that the reader would need, or where nothing is left to be told from
                 * an empty text. */
                if (seen.record_count < whole.record_count && !(form >= FORM_TAR && cut < 512))
                    fail_msg("%s cut at %zu: not a word", form_names[form], cut);
                silent++;
            }
            /* not whole, wherever it is cut; a tar has padding behind its end mark */
            if ((form != FORM_TAR || cut < 2 * 1024 + 512) && !(seen.lost && seen.missing))
                fail_msg("%s cut at %zu: %d lost", form_names[form], cut, (int)seen.lost);
            if (form <= FORM_GZIP && seen.record_count && seen.record_count < whole.record_count
                && !(seen.reasons & (1u << REJECT_TRUNCATED |
                                     1u << REJECT_INVALID_JSON))) fail_msg("%s cut at %zu: not said to be truncated",
                                                                           form_names[form], cut);
            seen_free(&seen);
        }
        if (form == FORM_ZSTD || form == FORM_GZIP || form == FORM_TAR || form == FORM_TAR_GZIP)
            assert_true(half_records > 0);
        if (form < FORM_TAR) assert_true(silent == 0);
        seen_free(&whole);
    }
    bytes_free(&packed);
}

/* A share of n in whole, in percent. */
static unsigned percent(uint64_t n, uint64_t whole) { return (unsigned)(100 * n / whole); }

/* What a cut costs: a zstd frame that says its length tells how much is missing, others that something is.  What is
 * broken on the way costs what lies behind it. */
static void test_lost(void **state)
{
    static const unsigned cuts[] = { 6, 50, 90 };
    static const struct { const char *name; add_filter *filter; } others[] = {
        { "l.jsonl.gz", archive_write_add_filter_gzip }, { "l.jsonl.xz", archive_write_add_filter_xz },
        { "l.jsonl.bz2", archive_write_add_filter_bzip2 }, { "l.jsonl.lz4", archive_write_add_filter_lz4 },
    };
    const struct dataset dataset = { 0 };
    struct bytes         text = { 0 }, packed = { 0 };
    struct seen          seen;

    (void)state;
    make_lines(&text, 30000);
    pack_zstd(&packed, text.at, text.len, 1);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        const size_t len = packed.len * cuts[i] / 100;
        unsigned     lost;

        read_bytes(&seen, &dataset, "l.jsonl.zst", packed.at, len);
        lost = percent(seen.lost, len + seen.missing);
        /* a block of 128 KB is had as a whole or not */
        if (lost + 5 < 100 - cuts[i] || lost > 105 - cuts[i]) fail_msg("cut at %u %%: %u %% lost", cuts[i], lost);
        assert_true(seen.missing > 0 && seen.reject_count == 1);
        seen_free(&seen);
    }
    packed.at[packed.len / 4] ^= 1;
    memset(packed.at + packed.len / 4, 0, 100);
    read_bytes(&seen, &dataset, "l.jsonl.zst", packed.at, packed.len);
    assert_in_range(percent(seen.lost, packed.len), 70, 90);
    assert_true(seen.missing == 0);
    seen_free(&seen);
    for (size_t f = 0; f < sizeof others / sizeof *others; f++) {
        packed.len = 0;
        pack_filter(&packed, text.at, text.len, others[f].filter);
        for (size_t i = 0; i <= sizeof cuts / sizeof *cuts; i++) {
            const size_t len = i < 3 ? packed.len * cuts[i] / 100 : packed.len - 1;

            read_bytes(&seen, &dataset, others[f].name, packed.at, len);
            if (seen.missing != 1 || seen.reasons != 1u << REJECT_TRUNCATED)
                fail_msg("%s cut to %zu: %.*s", others[f].name, len, (int)seen.rejects.len, seen.rejects.at);
            /* nothing is thrown away that could be decoded, but of the block at hand */
            if (i == 2 && f != 3 && seen.record_count < 24000)
                fail_msg("%s cut to %zu: %zu lines", others[f].name, len, (size_t)seen.record_count);
            seen_free(&seen);
        }
    }
    bytes_free(&text);
    bytes_free(&packed);
}

/* A file that has become shorter since it was listed is not whole, whatever the bytes that are left say. */
static void test_shrunk(void **state)
{
    const struct dataset dataset = { 0 };
    char                 path[256], name[] = "s.jsonl";
    struct shard         shard = { .path = path, .name = name, .bytes = 100 };
    struct seen          seen;
    struct err           err = { 0 };

    (void)state;
    write_shard(name, "{\"text\": \"a\"}\n", 14);
    snprintf(path, sizeof path, "%s", path_of(name));
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_text(&seen.rejects, "1 14 truncated\n");
    assert_true(seen.record_count == 1 && seen.lost == 100 - 14 + 1 && seen.missing == 1);
    seen_free(&seen);
    shard.bytes = 14;
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_true(seen.reject_count == 0 && seen.lost == 0);
    seen_free(&seen);
}

/* One bit wrong at each byte: no crash, no hang; where checksums cover the data, wrong text is never taken in silence.
 */
static void test_flipped(void **state)
{
    const struct dataset dataset = { 0 };
    struct bytes         packed = { 0 };
    struct seen          whole, seen;

    (void)state;
    for (enum form form = 0; form < FORM_COUNT; form++) {
        pack_form(&packed, form);
        read_bytes(&whole, &dataset, form_names[form], packed.at, packed.len);
        for (size_t at = 0; at < packed.len; at += form == FORM_TAR ? 11 : 1) {
            char bit = (char)(1 << random_below(8));

            packed.at[at] ^= bit;
            read_bytes(&seen, &dataset, form_names[form], packed.at, packed.len);
            if ((form <= FORM_XZ || form == FORM_TAR_GZIP) && !seen.reject_count)
                assert_same(&seen.records, &whole.records, form_names[form]);
            packed.at[at] ^= bit;
            seen_free(&seen);
        }
        seen_free(&whole);
    }
    bytes_free(&packed);
}

/* Names that promise a compression or an archive, and bytes that are neither. */
static void test_misnamed(void **state)
{
    static const struct { const char *name, *text, *records, *rejects; enum dataset_format format; } files[] = {
        { "a.jsonl.gz", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.jsonl.zst", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.jsonl.xz", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.jsonl.bz2", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.tgz", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.parquet", "oops\n", "", "0 0 corrupt\n", FORMAT_AUTO },
        { "a.jsonl.gz", "{\"text\":\"1\"}\n", "0 0  1\n", "", FORMAT_AUTO },
        { "a.gz", "one\n", "0 0  one\n", "", FORMAT_LINES },
    };
    const struct dataset lines = { .format = FORMAT_LINES };
    struct seen          seen;

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct dataset dataset = { .format = files[i].format };

        read_bytes(&seen, &dataset, files[i].name, files[i].text, strlen(files[i].text));
        assert_text(&seen.records, files[i].records);
        if (files[i].rejects[0]) assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
        else assert_int_equal(seen.reject_count, 0);
        seen_free(&seen);
    }
    read_bytes(&seen, &lines, "a.gz", "\x1F\x0B\x08\0\0\n\0", 7);
    assert_int_equal(seen.record_count, 0);
    assert_int_equal(seen.reasons, 1u << REJECT_CORRUPT);
    seen_free(&seen);
}

/* Tables that cannot be read are refused with the reason; nothing else that looks a little like one is. */
static void test_tables(void **state)
{
    static const struct { const char *name, *text, *word; enum dataset_format format; } files[] = {
        { "a", "PARE\x15\x04", "encrypted", FORMAT_AUTO },
                   { "a.parquet", "PAR1\x15\x04", "Parquet", FORMAT_LINES },
        { "a.csv", "body,id\nint a;\n", "no column text, content or code; the columns are body,id", FORMAT_AUTO },
        { "a.tsv", "\"text\nint a;\n", "a quote in its first line", FORMAT_AUTO },
        { "a.csv", "text\nint a;\n", NULL, FORMAT_AUTO },          { "a.tsv", "text\nint a;\n", NULL, FORMAT_AUTO },
        { "a.json", " \n[{\"text\":\"1\"}]", NULL, FORMAT_AUTO },
        { "a.csv", "text\n", NULL, FORMAT_LINES },                { "a.json", "[1]\n", NULL, FORMAT_LINES },
        { "a.json", "\"text\"\n", NULL, FORMAT_AUTO },            { "a.json", "{\"text\":\"1\"}\n", NULL, FORMAT_AUTO },
        { "a.py", "[1]\n", NULL, FORMAT_AUTO },                   { "a.json", "", NULL, FORMAT_AUTO },
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int gzip = 0; gzip < 2; gzip++) {
            const struct dataset dataset = { .format = files[i].format };
            struct bytes         packed = { 0 };
            struct source       *source;
            struct err           err = { 0 };
            char                 path[256], name[64];
            struct shard         shard = { .path = path, .name = name };
            int                  rc;

            snprintf(name, sizeof name, "%s%s", files[i].name, gzip ? ".gz" : "");
            snprintf(path, sizeof path, "%s", path_of(name));
            if (gzip) pack_gzip(&packed, files[i].text, strlen(files[i].text), false);
            else bytes_append(&packed, files[i].text, strlen(files[i].text));
            write_shard(name, packed.at, packed.len);
            rc = source_open(&source, &dataset, &shard, &err);
            if (rc != (files[i].word ? -EINVAL : 0)) fail_msg("%s: %d %s", name, rc, err.text);
            if (files[i].word && !strstr(err.text, files[i].word)) fail_msg("%s: %s", name, err.text);
            source_close(source);
            bytes_free(&packed);
        }
}

static void test_ratio(void **state)
{
    enum { REPEATS = 220000 };
    static const char line[] = "{\"text\":\"";
    struct dataset    dataset = { .max_ratio = 500 };
    struct bytes      text = { 0 }, packed = { 0 };
    struct seen       seen;

    (void)state;
    assert_int_equal(bytes_reserve(&text, REPEATS * 1001ul), 0);
    for (int i = 0; i < REPEATS; i++) {
        bytes_append(&text, line, sizeof line - 1);
        memset(text.at + text.len, 'a', 988);
        text.len += 988;
        bytes_append(&text, "\"}\n", 3);
    }
    pack_zstd(&packed, text.at, text.len, 1);
    read_bytes(&seen, &dataset, "bomb.zst", packed.at, packed.len);
    assert_int_equal(seen.reasons, 1u << REJECT_RATIO);
    assert_int_equal(seen.reject_count, 1);
    assert_in_range(seen.record_count, 60000, 100000);
    seen_free(&seen);
    dataset.max_ratio = 1000000;
    read_bytes(&seen, &dataset, "bomb.zst", packed.at, packed.len);
    assert_int_equal(seen.record_count, REPEATS);
    assert_int_equal(seen.reject_count, 0);
    seen_free(&seen);
    bytes_free(&text);
    bytes_free(&packed);
}

/* ---- bounded calls ---- */

enum { HUGE_BYTES = 140 << 20 };

/* A file of that name: at, zeros (a hole) up to HUGE_BYTES, tail. */
static void write_sparse(const char *name, const char *at, const char *tail)
{
    FILE *out = fopen(path_of(name), "wb");

    assert_non_null(out);
    assert_true(fputs(at, out) >= 0);
    assert_int_equal(fseek(out, HUGE_BYTES, SEEK_SET), 0);
    assert_true(fputs(tail, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* The caller is given a chance every 64 MB, while a line is passed over, blank lines are, and the rest of a damaged
 * file is hashed. */
static void test_empty_batches(void **state)
{
    struct dataset dataset = { .max_record_bytes = 1000 };
    char           path[256], name[32];
    struct shard   shard = { .path = path, .name = name };
    struct seen    seen;
    struct bytes   blank = { 0 };
    struct err     err = { 0 };

    (void)state;
    snprintf(name, sizeof name, "huge.jsonl");
    snprintf(path, sizeof path, "%s", path_of(name));
    write_sparse(name, "{\"text\":\"1\"}\n{\"text\":\"", "\"}\n{\"text\":\"2\"}\n");
    shard.bytes = HUGE_BYTES + 16;
    assert_int_equal(read_shard(&seen, &dataset, &shard, 10 << 20, &err), 0);
    assert_text(&seen.records, "0 0  1\n2 146800643  2\n");
    assert_text(&seen.rejects, "1 13 too-long\n");
    assert_int_equal(seen.empty, 2);
    assert_int_equal(seen.units, 15);
    seen_free(&seen);

    /* Damage at the start of a gzip file: the rest is not decoded. */
    snprintf(name, sizeof name, "huge.gz");
    snprintf(path, sizeof path, "%s", path_of(name));
    write_sparse(name, "\x1F\x8B\x08\xFF", "x");
    shard.bytes = HUGE_BYTES + 1;
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_int_equal(seen.reject_count, 1);
    assert_int_equal(seen.empty, 2);
    seen_free(&seen);

    assert_int_equal(bytes_reserve(&blank, 70 << 20), 0);
    memset(blank.at, '\n', 70 << 20);
    blank.len = 70 << 20;
    read_bytes(&seen, &dataset, "blank.jsonl", blank.at, blank.len);
    assert_int_equal(seen.record_count + seen.reject_count, 0);
    assert_int_equal(seen.empty, 1);
    seen_free(&seen);
    bytes_free(&blank);
    unlink(path_of("huge.jsonl"));
    unlink(path_of("huge.gz"));
    unlink(path_of("blank.jsonl"));
}

/* ---- units ---- */

/* The same records whatever the unit; that a batch keeps to one unit is seen to by read_shard. */
static void test_units(void **state)
{
    static const uint64_t sizes[] = { 1, 100, 1000, 65536, 100003 };
    const struct dataset  dataset = { 0 };
    struct bytes          text = { 0 }, packed = { 0 };
    struct seen           whole, seen;

    (void)state;
    make_lines(&text, 2000);
    for (int tar = 0; tar < 2; tar++) {
        char         path[256], name[32];
        struct shard shard = { .path = path, .name = name };

        snprintf(name, sizeof name, "units%d", tar);
        if (tar) {
            struct member *list = calloc(3000, sizeof *list);

            assert_non_null(list);
            for (size_t i = 0; i < 3000; i++)
                list[i] = (struct member){ "m.c", text.at + i, random_below(700), 0, NULL };
            pack_members(&packed, list, 3000, archive_write_set_format_ustar, NULL);
            free(list);
        } else
            bytes_append_slice(&packed, bytes_slice(&text));
        read_bytes(&whole, &dataset, name, packed.at, packed.len);
        shard.bytes = packed.len;
        snprintf(path, sizeof path, "%s", path_of(name));
        for (size_t i = 0; i < 5; i++) {
            struct err err = { 0 };

            assert_int_equal(read_shard(&seen, &dataset, &shard, sizes[i], &err), 0);
            assert_same(&seen.records, &whole.records, "units");
            assert_true(seen.units > 1);
            seen_free(&seen);
        }
        seen_free(&whole);
        packed.len = 0;
    }
    bytes_free(&text);
    bytes_free(&packed);
}

static void test_missing(void **state)
{
    struct dataset dataset = { 0 };
    char           path[256], name[] = "none";
    struct shard   shard = { .path = path, .name = name };
    struct source *source;
    struct err     err = { 0 };

    (void)state;
    snprintf(path, sizeof path, "%s", path_of("none"));
    assert_int_equal(source_open(&source, &dataset, &shard, &err), -ENOENT);
    assert_null(source);
    assert_non_null(strstr(err.text, path));
    shard.tree = true;
    assert_int_equal(source_open(&source, &dataset, &shard, &err), -EIO);
    snprintf(path, sizeof path, "%s", folder);
    shard.tree = false;
    assert_int_equal(source_open(&source, &dataset, &shard, &err), -EIO);
    source_close(NULL);
}

/* What is not read is told with what it is; a text that is only called so is one. */
static void test_unread(void **state)
{
    static const struct { const char *name; struct slice head; const char *says; } files[] = {
        { "a.deb", { "!<arch>\ndebian-binary   ", 24 }, "an ar archive (.deb, .a), which is not read" },
        { "a.jsonl.br", { "\x8B\x07\x80{\xFF\xFF\xFF\xFF\xFF", 9 }, "brotli, which is not read" },
        { "a.jsonl.br", { "", 0 }, "brotli, which is not read" },
        { "a.jsonl.br", { "?", 1 }, "brotli, which is not read" },              /* nothing, packed */
        { "a.zz", { "\x78\x9C\0\xFF\xFF\xFF", 6 }, "zlib, which is not read" },
        { "a.avro", { "Obj\1\0\0", 6 }, "an Avro file, which is not read" },
        { "a.arrow", { "ARROW1\0\0\0", 9 }, "an Arrow file, which is not read" },
        { "a.lzma", { "\x5D\0\0", 3 }, "not in the compression that its name says" },
        { "a.cpio", { "07070", 5 }, "no archive, though its name says so" },
        { "a.br", { "++[>.<-]", 8 }, NULL },
        { "a.txt", { "!<arch", 6 }, NULL },
    };
    const struct dataset dataset = { 0 };
    struct seen          seen;

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        read_bytes(&seen, &dataset, files[i].name, files[i].head.at, files[i].head.len);
        assert_int_equal(seen.reject_count, files[i].says != NULL);
        assert_int_equal(seen.record_count, files[i].says == NULL);
        if (files[i].says && !strstr(seen.detail, files[i].says)) fail_msg("%s: %s", files[i].name, seen.detail);
        assert_int_equal(seen.lost > 0, files[i].says != NULL);
        seen_free(&seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codecs), cmocka_unit_test(test_truncated), cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_lost), cmocka_unit_test(test_shrunk),
        cmocka_unit_test(test_misnamed), cmocka_unit_test(test_tables), cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_empty_batches), cmocka_unit_test(test_units), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_unread),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
