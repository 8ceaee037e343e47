/* corpus/source_lines: what readers make of plain lines who pass over what others make, and what is counted for
 * them. */
#include "tests/unit/corpus/parts_check.h"
#include "tests/unit/corpus/shards.h"

/* A file of the test's folder, as it is now. */
static struct shard shard_at(const char *name)
{
    static char  path[256];
    struct shard shard = { .path = path, .name = strrchr(path, '/') };
    struct stat  is;

    snprintf(path, sizeof path, "%s", path_of(name));
    shard.name = strrchr(path, '/') + 1;
    assert_int_equal(stat(path, &is), 0);
    shard.bytes = (uint64_t)is.st_size;
    return shard;
}

static void put_blanks(struct bytes *text, size_t len)
{
    for (size_t i = 0; i < len; i++) bytes_append(text, &" \t\r"[random_below(3)], 1);
}

/* Records, what is none, what is blank, and what is too long, also if it is blank, with any ends of lines. */
static void put_lines(struct bytes *text, size_t lines, size_t most)
{
    for (size_t i = 0; i < lines; i++) {
        const size_t len = random_below(4) ? random_below(40) : random_below((uint32_t)most * 3);

        switch (random_below(5)) {
        case 0: put_blanks(text, len); break;
        case 1: bytes_printf(text, "%zu is no object", i); break;
        default:
            bytes_printf(text, "{\"text\": \"");
            for (size_t k = 0; k < len; k++) bytes_append(text, &"abc"[random_below(3)], 1);
            bytes_printf(text, "\"}");
        }
        if (i + 1 < lines || random_below(2)) bytes_printf(text, random_below(3) ? "\n" : "\r\n");
        for (size_t blank = random_below(40) ? 0 : random_below(50); blank > 0; blank--) bytes_printf(text, "\n");
    }
}

/* The text in frames of random lengths, some of nothing, some to be skipped. */
static void put_frames(struct bytes *out, struct slice text, size_t most)
{
    for (size_t at = 0; at < text.len || out->len == 0; ) {
        const size_t left = text.len - at, some = random_below((uint32_t)most), len = some < left ? some : left;

        if (random_below(5) == 0) {
            const unsigned char skipped[] = { 0x50 + (unsigned char)random_below(16), 0x2A, 0x4D, 0x18, 3, 0, 0, 0 };

            bytes_append(out, skipped, sizeof skipped);
            bytes_append(out, "abc", 3);
        }
        pack_frame(out, text.at + at, len, 1, random_below(2));
        at += len;
    }
}

static void test_parts(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };
    uint64_t     passed = 0, passed_packed = 0;

    (void)state;
    for (int round = 0; round < 200; round++) {
        struct dataset     dataset = { .name = (char[]){ "d" }, .max_record_bytes = 100 };
        struct parts_seen  seen;
        struct shard       shard;
        struct err         err = { 0 };
        const uint64_t     unit_bytes = round % 4 ? 1 + random_below(900) : 5000 + random_below(9000);

        if (random_below(2)) dataset.format = FORMAT_LINES;
        text.len = 0;
        if (random_below(4) == 0) bytes_append(&text, "\xEF\xBB\xBF", 3);
        if (random_below(8) == 0) put_blanks(&text, random_below(3000));
        put_lines(&text, random_below(round % 4 == 0 ? 1500 : unit_bytes < 100 ? 20 : 100), 100);
        write_shard("parts.jsonl", text.at, text.len);
        shard = shard_at("parts.jsonl");
        passed += check_parts(&dataset, &shard, unit_bytes);
        assert_int_equal(parts_read(&seen, &dataset, &shard, unit_bytes, 4, 4, &err), 0);

        if (round % 5) continue;                            /* they take longer */
        packed.len = 0;
        put_frames(&packed, bytes_slice(&text), random_below(2) ? 50 : 5000);
        write_shard("parts.jsonl.zst", packed.at, packed.len);
        shard = shard_at("parts.jsonl.zst");
        passed_packed += check_parts(&dataset, &shard, unit_bytes < 200 ? 200 + unit_bytes : unit_bytes);
    }
    assert_true(passed > 10000 && passed_packed > 500);
    bytes_free(&text);
    bytes_free(&packed);
}

/* Files of many batches, of which a reader who passes units over does not read what lies between; records that are
 * longer than a unit, and one that is longer than what is taken in at once. */
static void test_large(void **state)
{
    static const uint64_t unit_bytes[] = { 300000, 1 << 20, 1500000, 4000000 };
    struct dataset        dataset = { .name = (char[]){ "d" }, .max_record_bytes = 2 << 20 };
    struct bytes          text = { 0 }, packed = { 0 };
    struct shard          shard;

    (void)state;
    put_lines(&text, 2000, 2000);
    put_lines(&text, 9, 1 << 20);
    bytes_append(&text, "\n{\"text\":\"", 11);
    assert_int_equal(bytes_reserve(&text, text.len + (9 << 20)), 0);
    memset(text.at + text.len, 'x', 9 << 20);
    text.len += 9 << 20;
    bytes_append(&text, "\"}\n", 3);
    put_lines(&text, 2000, 2000);
    write_shard("large.jsonl", text.at, text.len);
    shard = shard_at("large.jsonl");
    for (size_t i = 0; i < sizeof unit_bytes / sizeof *unit_bytes; i++)
        assert_true(check_parts(&dataset, &shard, unit_bytes[i]) > 1000);
    put_frames(&packed, bytes_slice(&text), 700000);
    write_shard("large.jsonl.zst", packed.at, packed.len);
    shard = shard_at("large.jsonl.zst");
    for (size_t i = 1; i < sizeof unit_bytes / sizeof *unit_bytes; i += 2)
        assert_true(check_parts(&dataset, &shard, unit_bytes[i]) > 1000);
    bytes_free(&text);
    bytes_free(&packed);
}

/* What is damaged, wherever, is read from its beginning, by all. */
static void test_damaged(void **state)
{
    struct bytes text = { 0 }, packed = { 0 }, hurt = { 0 };
    uint64_t     divided = 0;

    (void)state;
    put_lines(&text, 300, 100);
    put_frames(&packed, bytes_slice(&text), 2000);
    for (int round = 0; round < 30; round++) {
        struct dataset       dataset = { .name = (char[]){ "d" }, .max_record_bytes = 100 };
        struct shard         shard;
        struct source_start *start;
        struct err           err = { 0 };
        uint64_t             units;

        hurt.len = 0;
        bytes_append_slice(&hurt, bytes_slice(&packed));
        if (round % 3 == 0) hurt.len = 1 + random_below((uint32_t)hurt.len);
        else if (round % 3 == 1) hurt.at[random_below((uint32_t)hurt.len)] ^= (char)(1 << random_below(8));
        else bytes_append(&hurt, "\0\0\0\0\0\0\0\0\0", 1 + random_below(9));
        write_shard("hurt.jsonl.zst", hurt.at, hurt.len);
        shard = shard_at("hurt.jsonl.zst");
        check_parts(&dataset, &shard, 1500);
        start = parts_starts(&dataset, &shard, 1500, &units, &err);
        divided += start != NULL;                           /* a bit that says nothing, a cut between frames */
        free(start);
    }
    assert_true(divided < 12);
    bytes_free(&text);
    bytes_free(&packed);
    bytes_free(&hurt);
}

/* A frame whose header claims less than it gives, by more than is read ahead: libzstd tells at its end, which nobody
 * meets who enters behind it. */
static void test_lies(void **state)
{
    enum { FRAMES = 3, FRAME = 3 << 20, UNIT_BYTES = 1 << 20, LENGTH_AT = 6 };
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct bytes   text = { 0 }, frame = { 0 }, packed = { 0 };
    ZSTD_CCtx     *context = ZSTD_createCCtx();

    (void)state;
    while (text.len < FRAME) bytes_printf(&text, "{\"text\": \"%*zu\"}\n", (int)random_below(900), text.len);
    text.len = FRAME;
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 17);
    assert_int_equal(bytes_reserve(&frame, ZSTD_compressBound(FRAME)), 0);
    frame.len = ZSTD_compress2(context, frame.at, ZSTD_compressBound(FRAME), text.at, FRAME);
    ZSTD_freeCCtx(context);
    assert_int_equal((unsigned char)frame.at[4] >> 5, 4);   /* a length of four bytes, a window */
    for (int round = 0; round < 6; round++) {
        const uint32_t claim = 600000 + random_below(FRAME - 600000), lying = 1 + random_below(FRAMES - 1);
        struct shard   shard;

        packed.len = 0;
        for (int f = 0; f < FRAMES; f++) bytes_append_slice(&packed, bytes_slice(&frame));
        memcpy(packed.at + lying * frame.len + LENGTH_AT, &claim, sizeof claim);
        write_shard("lies.jsonl.zst", packed.at, packed.len);
        shard = shard_at("lies.jsonl.zst");
        check_parts(&dataset, &shard, UNIT_BYTES + random_below(UNIT_BYTES));
    }
    bytes_free(&text);
    bytes_free(&frame);
    bytes_free(&packed);
}

/* The same where a line of more than a batch lies over the border of a unit, so that damage behind it is met while the
 * line's end is looked for, and told only by the next read. */
static void test_lies_in_a_line(void **state)
{
    enum { UNIT_BYTES = 4 << 20, BEFORE = 2 << 20, LENGTH_AT = 6 };
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct bytes   text = { 0 }, packed = { 0 };

    (void)state;
    for (int round = 0; round < 3; round++) {
        const size_t   line_end = UNIT_BYTES + 50000 + random_below(250000), line = (5 << 18) + random_below(300000),
            end = line_end + 100000 + random_below(200000);
        const uint32_t claim = UNIT_BYTES - 200000 + random_below(150000) - BEFORE;
        struct shard   shard;
        size_t         lying;

        text.len = packed.len = 0;
        while (text.len < line_end - line - 2000) bytes_printf(&text, "{\"text\": \"%*zu\"}\n", 900, text.len);
        bytes_printf(&text, "{\"text\": \"%*d\"}\n", (int)(line_end - text.len - 13), round);
        assert_int_equal(text.len, line_end);
        while (text.len < end) bytes_printf(&text, "{\"text\": \"%*zu\"}\n", 500, text.len);
        pack_frame(&packed, text.at, BEFORE, 1, true);
        lying = packed.len;
        pack_frame(&packed, text.at + BEFORE, text.len - BEFORE, 1, true);
        assert_int_equal((unsigned char)packed.at[lying + 4] >> 5, 4);
        memcpy(packed.at + lying + LENGTH_AT, &claim, sizeof claim);
        for (int f = 0; f < 3; f++) pack_frame(&packed, text.at, BEFORE, 1, true);
        write_shard("lies.jsonl.zst", packed.at, packed.len);
        shard = shard_at("lies.jsonl.zst");
        check_parts(&dataset, &shard, UNIT_BYTES);
    }
    bytes_free(&text);
    bytes_free(&packed);
}

static bool nothing_wanted(void *context, const struct stretch *stretch)
{
    (void)context, (void)stretch;
    return false;
}

/* Who wants nothing reads next to nothing. */
static void test_not_read(void **state)
{
    enum { UNIT_BYTES = 8 << 20, UNITS = 8 };
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct shard   shard;
    struct source *source;
    struct batch   batch = { 0 };
    struct bytes   text = { 0 };
    struct err     err = { 0 };
    uint64_t       units;
    char           line[64];
    struct source_start *starts;

    (void)state;
    while (text.len < UNITS * (size_t)UNIT_BYTES - 100) bytes_printf(&text, "{\"text\": \"%80zu\"}\n", text.len);
    write_shard("large.jsonl", text.at, text.len);
    shard = shard_at("large.jsonl");
    starts = parts_starts(&dataset, &shard, UNIT_BYTES, &units, &err);
    assert_non_null(starts);
    assert_int_equal(units, UNITS);
    assert_int_equal(source_open(&source, &dataset, &shard, &err), 0);
    source_set_unit_bytes(source, UNIT_BYTES);
    source_set_wants(source, nothing_wanted, NULL);
    source_set_starts(source, starts, units);
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        assert_int_equal(source_next(source, &batch, &err), 1);
        assert_true(batch.unit == unit && batch.record_count == 0);
        assert_true(source_bytes_read(source) <= unit * (uint64_t)UNIT_BYTES + SOURCE_BATCH_BYTES);
    }
    assert_int_equal(source_next(source, &batch, &err), 0);
    assert_int_equal(source_bytes_read(source), shard.bytes);
    source_close(source);

    /* a line more than was counted, or one less, in a unit that is passed over, is told at the next one */
    for (uint64_t more = -(uint64_t)1; more + 1 <= 2; more += 2) {
        assert_int_equal(source_open(&source, &dataset, &shard, &err), 0);
        source_set_unit_bytes(source, UNIT_BYTES);
        starts[1].record += more;
        source_set_starts(source, starts, units);
        while (source_next(source, &batch, &err) > 0) assert_int_equal(batch.unit, 0);
        starts[1].record -= more;
        assert_int_equal(err.code, -EIO);
        snprintf(line, sizeof line, "record %llu was number %llu", (unsigned long long)starts[1].record,
                 (unsigned long long)(starts[1].record + more));
        if (!strstr(err.text, line)) fail_msg("%s, not %s", err.text, line);
        source_close(source);
        err = (struct err){ 0 };
    }
    batch_free(&batch);
    bytes_free(&text);
    free(starts);
}

/* Files that are something else are read as they always are, by everybody. */
static void test_others(void **state)
{
    static const char *const others[] = { "[\n{\"text\": \"a\"},\n{\"text\": \"b\"}\n]\n", "{\n\"text\": \"a\"\n}\n" };
    struct dataset           dataset = { .name = (char[]){ "d" } };
    struct bytes             packed = { 0 };
    struct shard             shard;
    struct parts_seen        seen;
    struct err               err = { 0 };
    struct source_start      none = { 0, 0, 0 };
    struct frame            *frame;
    size_t                   frames;
    uint64_t                 records;

    (void)state;
    pack_gzip(&packed, "{\"text\": \"a\"}\n{\"text\": \"b\"}\n", 28, false);
    for (size_t i = 0; i <= sizeof others / sizeof *others; i++) {
        const bool is_packed = i == sizeof others / sizeof *others;

        write_shard("other.json", is_packed ? packed.at : others[i], is_packed ? packed.len : strlen(others[i]));
        shard = shard_at("other.json");
        assert_int_equal(source_frames(&frame, &frames, &dataset, &shard, &err), 0);
        assert_true(!frame && !frames);
        assert_int_equal(source_count_unit(&records, &dataset, &shard, 10, 1, &none, &err), -EIO);
        err = (struct err){ 0 };
        check_parts(&dataset, &shard, 10);
        assert_int_equal(parts_read(&seen, &dataset, &shard, 10, 0, 2, &err), 0);
        assert_int_equal(seen.passed, 0);
    }
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts), cmocka_unit_test(test_large), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_lies), cmocka_unit_test(test_lies_in_a_line), cmocka_unit_test(test_not_read),
        cmocka_unit_test(test_others),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
