/* corpus/source_starts: where units of lines begin, and in which files they can be entered. */
#include "tests/unit/corpus/shards.h"

static struct dataset dataset = { .name = (char[]){ "d" } };

/* The file as it is now; *start to be freed. */
static uint64_t units_of(const struct bytes *content, const char *name, uint64_t unit_bytes,
                         struct source_start **start)
{
    struct shard  shard = { 0 };
    char          path[256];
    struct err    err = { 0 };
    struct frame *frame;
    size_t        frames;
    uint64_t      units = 0;
    int           rc;

    *start = NULL;
    write_shard(name, content->at, content->len);
    snprintf(path, sizeof path, "%s", path_of(name));
    shard.path = path;
    shard.name = strrchr(path, '/') + 1;
    shard.bytes = content->len;
    rc = source_frames(&frame, &frames, &dataset, &shard, &err);
    assert_true(rc >= 0);
    if (rc > 0 && frames) assert_true(source_measure(frame, frames, &shard, &err) >= 0);
    if (rc > 0) assert_int_equal(source_starts(start, &units, frame, frames, shard.bytes, unit_bytes, &err), 0);
    free(frame);
    return units;
}

static void put_lines(struct bytes *text, size_t len)
{
    bytes_printf(text, "{}\n");
    while (text->len < len) bytes_printf(text, "[%zu]\n", text->len);
    text->len = len;
}

static void test_plain(void **state)
{
    struct source_start *start;
    struct bytes         text = { 0 };

    (void)state;
    for (size_t len = 3; len < 400; len += 1 + random_below(20)) {
        uint64_t units;

        text.len = 0;
        put_lines(&text, len);
        units = units_of(&text, "a.jsonl", 100, &start);
        assert_int_equal(units, len / 100 + 1);
        for (uint64_t u = 1; u < units; u++)
            assert_true(start[u].file == u * 100 - 1 && start[u].text == u * 100 - 1 && start[u].record == 0);
        assert_true(start[units].file == len && start[units].text == len);
        free(start);
    }
    text.len = 0;
    assert_int_equal(units_of(&text, "a.jsonl", 100, &start), 1);
    free(start);
    bytes_free(&text);
}

/* Each unit's frame is the last one that begins before it does, or holds the byte before it. */
static void test_frames(void **state)
{
    struct source_start *start;
    struct bytes         text = { 0 }, packed = { 0 };

    (void)state;
    put_lines(&text, 5000);
    dataset.max_ratio = 1000000;                            /* a block may be 128 KB, for all that is known */
    for (int round = 0; round < 50; round++) {
        const size_t   most = 1 + random_below(400);
        struct { uint64_t file, text; } frame[5001];
        size_t         frames = 0, f = 0;
        uint64_t       units;

        packed.len = 0;
        for (size_t at = 0, len; at < text.len; at += len) {
            len = 1 + random_below((uint32_t)most);
            if (len > text.len - at) len = text.len - at;
            frame[frames].file = packed.len;
            frame[frames++].text = at;
            pack_frame(&packed, text.at + at, len, 1, random_below(2));
        }
        units = units_of(&packed, round % 2 ? "a.jsonl.zst" : "packed.jsonl", 100, &start);
        assert_int_equal(units, 51);
        for (uint64_t u = 1; u < units; u++) {
            while (f + 1 < frames && frame[f + 1].text <= u * 100 - 1) f++;
            assert_true(start[u].file == frame[f].file && start[u].text == frame[f].text);
        }
        assert_true(start[units].file == packed.len && start[units].text == text.len);
        free(start);
    }
    dataset.max_ratio = 0;
    bytes_free(&text);
    bytes_free(&packed);
}

/* One that is long, or says nothing of its length; what max_ratio may stop; what is no lines. */
static void test_none(void **state)
{
    enum { LONG = (64 << 20) + 1 };
    struct source_start *start;
    struct bytes         text = { 0 }, packed = { 0 };

    (void)state;
    put_lines(&text, 1000);
    assert_int_equal(bytes_reserve(&text, LONG), 0);
    for (size_t i = 1000; i < LONG; i++) text.at[i] = i % 100 ? (char)('a' + i * i % 23) : '\n';
    pack_zstd(&packed, text.at, LONG, 1);
    assert_int_equal(units_of(&packed, "a.jsonl.zst", 1 << 20, &start), 0);
    packed.len = 0;
    pack_zstd(&packed, text.at, LONG - 1, 1);
    pack_zstd(&packed, text.at, LONG - 1, 1);
    dataset.max_ratio = 1000000;
    assert_int_equal(units_of(&packed, "a.jsonl.zst", 1 << 20, &start), 129);
    free(start);
    dataset.max_ratio = 2;                                  /* in the second frame */
    assert_int_equal(units_of(&packed, "a.jsonl.zst", 1 << 20, &start), 0);
    dataset.max_ratio = 0;
    packed.len = 0;
    pack_zstd(&packed, "[\n{\"text\": \"a\"}\n]\n", 18, 1);
    assert_int_equal(units_of(&packed, "a.json.zst", 100, &start), 0);
    packed.len = 0;
    pack_gzip(&packed, text.at, 1000, false);
    assert_int_equal(units_of(&packed, "a.jsonl.gz", 100, &start), 0);
    bytes_free(&text);
    bytes_free(&packed);
}

/* What is counted, by units; and that what is damaged is so wherever it is counted. */
static void test_count(void **state)
{
    struct source_start *start;
    struct bytes         text = { 0 }, packed = { 0 };
    uint64_t             units, counted = 0, records = 0, unsound = 0;

    (void)state;
    put_lines(&text, 50000);
    for (size_t i = 0; i < text.len; i++) records += text.at[i] == '\n';
    records += text.at[text.len - 1] != '\n';
    for (size_t at = 0; at < text.len; at += 250) pack_zstd(&packed, text.at + at, 250, 1);
    for (int hurt = 0; hurt < 2; hurt++) {
        units = units_of(&packed, "a.jsonl.zst", 1000, &start);
        for (uint64_t u = 0; u < units; u++) {
            struct shard shard = { .name = (char[]){ "a.jsonl.zst" }, .bytes = packed.len };
            struct err   err = { 0 };
            uint64_t     here;
            char         path[256];
            int          rc;

            snprintf(path, sizeof path, "%s", path_of("a.jsonl.zst"));
            shard.path = path;
            rc = source_count_unit(&here, &dataset, &shard, 1000, u, &start[u], &err);
            assert_int_equal(err.code, 0);
            if (hurt) unsound += rc == 0;
            else assert_int_equal(rc, 1), counted += here;
        }
        free(start);
        packed.at[packed.len / 2] ^= 1;
    }
    assert_int_equal(counted, records);
    assert_true(unsound > 0 && unsound < 30);               /* where it is, and before it, as more is read at once */
    bytes_free(&text);
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain), cmocka_unit_test(test_frames), cmocka_unit_test(test_none),
        cmocka_unit_test(test_count),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
