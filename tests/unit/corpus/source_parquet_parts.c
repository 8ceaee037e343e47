/* corpus/source_parquet: what a row group is to those who do not read the others: its units, their pieces, what it
 * costs and what may be made of it. */
#include "corpus/row_group.h"
#include "kernels/kernels.h"
#include "tests/unit/corpus/parquet_put.h"
#include "tests/unit/corpus/parquet_read.h"

#include <dirent.h>
#include <string.h>

static void test_parts(void **state)
{
    static const uint64_t unit_bytes[] = { 1, 100, 700, 1500, 2500, 1 << 20 };
    struct dataset        dataset = fixture_fields();
    struct bytes          file = { 0 };
    DIR                  *folder = opendir(GOLDEN);
    uint64_t              passed[sizeof unit_bytes / sizeof *unit_bytes] = { 0 };

    (void)state;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)); ) {
        char path[512];

        if (!strstr(entry->d_name, ".parquet")) continue;
        snprintf(path, sizeof path, GOLDEN "%s", entry->d_name);
        read_file(&file, path);
        for (size_t u = 0; u < sizeof unit_bytes / sizeof *unit_bytes; u++)
            passed[u] += check_parts_of_bytes(&dataset, file.at, file.len, unit_bytes[u]);
    }
    closedir(folder);
    /* a row group may have units of everybody; some are several readers'; and where there is but one unit, all but one
     * pass everything over */
    assert_true(passed[0] == 0 && passed[3] > 1000 && passed[4] > passed[3] && passed[5] > 1000);
    assert_int_equal(passed[5] % (1 + 2 + 3), 0);
    bytes_free(&file);
}

/* What is lost with damaged row groups, by all units that there may be, of which borders lie everywhere. */
static void check_lost(struct put_group *group, size_t count)
{
    struct dataset dataset = { .name = (char[]){ "d" } };
    struct bytes   file = { 0 };

    put_groups(&file, group, count);
    for (uint64_t unit_bytes = 1; unit_bytes < 400; unit_bytes++)
        check_parts_of_bytes(&dataset, file.at, file.len, unit_bytes);
    bytes_free(&file);
}

/* Where a row is less than a byte of the file, what a row group costs does not depend on how many were damaged before.
 */
static void test_lost_alike(void **state)
{
    const struct slice damage = { "\xFF\xFF\xFF\x7F", 4 };
    struct put_group   group[6] = { { .rows = 1, .page = damage }, { .rows = 1, .page = damage },
                                    { .rows = 1, .page = { "\1\0\0\0a", 5 } }, { .rows = 1, .page = damage },
                                    { .rows = 1000000, .page = damage }, { .rows = 1, .page = damage } };

    (void)state;
    check_lost(group, 6);
}

/* The footer counts more rows than row groups hold, the last of which is damaged: both are told, by everybody. */
static void test_lost_at_the_end(void **state)
{
    const struct slice whole = { "\1\0\0\0a", 5 }, damage = { "\xFF\xFF\xFF\x7F", 4 };
    struct put_group   group[2] = { { .rows = 1, .page = whole }, { .rows = 1, .page = damage, .more = 5 } };
    struct dataset     dataset = { .name = (char[]){ "d" } };
    struct bytes       file = { 0 };
    struct seen        seen;
    struct err         err = { 0 };

    (void)state;
    check_lost(group, 2);
    put_groups(&file, group, 2);
    assert_int_equal(read_bytes(&seen, &dataset, file.at, file.len, &err), 0);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.reject_count, 2);
    seen_free(&seen);
    bytes_free(&file);
}

/* Much more text than row groups claim, as a dictionary has it: no piece of a unit is much longer than a unit, and they
 * are everybody's.  Rows without text are not all of one unit. */
static void test_pieces(void **state)
{
    enum { UNIT_BYTES = 10000 };
    struct dataset   dataset = { .name = (char[]){ "d" } };
    struct bytes     file = { 0 }, index = { 0 }, text = { 0 }, none = { 0 };
    struct put_group group[4];
    struct batch     batch = { 0 };
    struct source   *source;
    struct err       err = { 0 };
    struct shard     shard = { .name = (char[]){ "a.parquet" } };
    char             path[64];
    uint64_t         used = 0, most = 0, number = 0, pieces = 0, units = 0;
    int              fd = memfd_create("shard", MFD_CLOEXEC);

    (void)state;
    put(&text, &(uint32_t){ 1000 }, 4);
    for (int i = 0; i < 1000; i++) put_byte(&text, 'a');
    put_byte(&index, 1);                                    /* 500 times the one text, and 500 times none */
    put_varint(&index, 500 << 1);
    put_byte(&index, 0);
    for (int i = 0; i < 500; i++) put(&none, &(uint32_t){ 0 }, 4);
    for (size_t g = 0; g < 4; g++)
        group[g] = g % 2 ? (struct put_group){ .rows = 500, .page = bytes_slice(&none) }
                         : (struct put_group){ .rows = 500, .dictionary = bytes_slice(&text),
                                               .page = bytes_slice(&index) };
    put_groups(&file, group, 4);
    for (uint64_t unit_bytes = 100; unit_bytes < 1 << 20; unit_bytes += unit_bytes / 2)
        check_parts_of_bytes(&dataset, file.at, file.len, unit_bytes);

    assert_true(fd >= 0 && write(fd, file.at, file.len) == (ssize_t)file.len);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    shard.path = path;
    shard.bytes = file.len;
    assert_int_equal(source_open(&source, &dataset, &shard, &err), 0);
    source_set_unit_bytes(source, UNIT_BYTES);
    while (source_next(source, &batch, &err) > 0) {
        const uint64_t now = (uint64_t)batch.unit << 32 | batch.piece;

        assert_true(now >= number);
        if (now != number) used = 0;
        pieces += now != number;
        units += now >> 32 != number >> 32;
        number = now;
        for (size_t i = 0; i < batch.item_count; i++) used += ROW_GROUP_ROW_COST + batch.item[i].len;
        if (used > most) most = used;
    }
    assert_true(most >= 2 * UNIT_BYTES && most < 2 * UNIT_BYTES + 1000 + ROW_GROUP_ROW_COST);
    assert_true(units == 13 && pieces > 2 * 500000 / (2 * UNIT_BYTES));
    source_close(source);
    batch_free(&batch);
    close(fd);
    bytes_free(&file);
    bytes_free(&index);
    bytes_free(&text);
    bytes_free(&none);
}

/* A row group of which too much is made costs itself alone, and what others have made counts for nothing in it. */
static void test_bombs(void **state)
{
    enum { TEXT = 100000 };
    /* 22 MB are free to each, and more to one that has more than a third of the rows */
    static const struct { int64_t rows[3]; unsigned bombs; } files[] = {
        { { 150, 150, 150 }, 0 }, { { 150, 400, 150 }, 1 }, { { 300, 300, 300 }, 3 },
    };
    struct dataset dataset = { .name = (char[]){ "d" }, .max_ratio = 10 };
    struct bytes   file = { 0 }, text = { 0 }, index[3] = { 0 };

    (void)state;
    put(&text, &(uint32_t){ TEXT }, sizeof(uint32_t));
    assert_int_equal(bytes_reserve(&text, TEXT + 4), 0);
    memset(text.at + 4, 'x', TEXT);
    text.len = TEXT + 4;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct put_group group[3] = { 0 };
        struct seen      seen;
        struct err       err = { 0 };

        file.len = 0;
        for (size_t g = 0; g < 3; g++) {
            index[g].len = 0;
            put_byte(&index[g], 1);                         /* a run of the dictionary's first entry */
            put_varint(&index[g], (uint64_t)files[f].rows[g] << 1);
            put_byte(&index[g], 0);
            group[g] = (struct put_group){ .rows = files[f].rows[g], .dictionary = bytes_slice(&text),
                                           .page = bytes_slice(&index[g]) };
        }
        put_groups(&file, group, 3);
        assert_int_equal(read_bytes(&seen, &dataset, file.at, file.len, &err), 0);
        assert_true(seen.count > 300);
        assert_int_equal(seen.count + seen.rejected, files[f].rows[0] + files[f].rows[1] + files[f].rows[2]);
        assert_int_equal(seen.reject_count, files[f].bombs);
        assert_int_equal(seen.reasons, files[f].bombs ? 1u << REJECT_RATIO : 0);
        seen_free(&seen);
        assert_true(check_parts_of_bytes(&dataset, file.at, file.len, 1 << 17) > 0);
    }
    for (size_t g = 0; g < 3; g++) bytes_free(&index[g]);
    bytes_free(&file);
    bytes_free(&text);
}

/* Nor do the bytes of others count for it: 30 MB from 100 KB are a bomb also behind a row group of 10 MB. */
static void test_bomb_behind(void **state)
{
    enum { GROUPS = 10, TEXT = 100000 };
    struct dataset   dataset = { .name = (char[]){ "d" }, .max_ratio = 10 };
    struct put_group group[GROUPS];
    struct bytes     file = { 0 }, plain = { 0 }, text = { 0 }, index = { 0 };
    char             line[1000];
    struct seen      seen;
    struct err       err = { 0 };

    (void)state;
    memset(line, 'y', sizeof line);
    for (int i = 0; i < 10000; i++) {
        put(&plain, &(uint32_t){ sizeof line }, 4);
        put(&plain, line, sizeof line);
    }
    put(&text, &(uint32_t){ TEXT }, 4);
    for (int i = 0; i < TEXT / 1000; i++) put(&text, line, sizeof line);
    put_byte(&index, 1);
    put_varint(&index, 300 << 1);
    put_byte(&index, 0);
    group[0] = (struct put_group){ .rows = 10000, .page = bytes_slice(&plain) };
    for (size_t g = 1; g < GROUPS; g++)
        group[g] = (struct put_group){ .rows = 1, .page = { "\1\0\0\0a", 5 } };
    group[GROUPS - 1] = (struct put_group){ .rows = 300, .dictionary = bytes_slice(&text),
                                            .page = bytes_slice(&index) };
    put_groups(&file, group, GROUPS);
    assert_int_equal(read_bytes(&seen, &dataset, file.at, file.len, &err), 0);
    assert_int_equal(seen.reasons, 1u << REJECT_RATIO);
    assert_true(seen.count > 10000 && seen.count + seen.rejected == 10000 + GROUPS - 2 + 300);
    seen_free(&seen);
    bytes_free(&file);
    bytes_free(&plain);
    bytes_free(&text);
    bytes_free(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts), cmocka_unit_test(test_lost_alike), cmocka_unit_test(test_lost_at_the_end),
        cmocka_unit_test(test_pieces), cmocka_unit_test(test_bombs), cmocka_unit_test(test_bomb_behind),
    };

    kernels = kernels_select(kernels_cpu(), NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
