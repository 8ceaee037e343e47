/* tests/unit/dedup/features.c -- features of long documents, made again from the shards: the same as those of a pass
 * that keeps them, and an error where a shard is another one by now. */
#include "tests/unit/dedup/world.h"

#include <sys/stat.h>

enum { DOCUMENTS = 6 };

/* Documents of 20 words and of 400, of which each occurs twice in every other one; a record between them is none. */
static char *shard_of(int first)
{
    struct bytes shard = { 0 };

    for (int d = 0; d < DOCUMENTS; d++) {
        const int words = d % 2 ? 400 : 20;

        assert_int_equal(bytes_printf(&shard, "{\"text\": \""), 0);
        for (int i = 0; i < words; i++)
            assert_int_equal(bytes_printf(&shard, d % 4 == 3 ? "w%d w%d " : "w%d ", first + d * 1000 + i,
                                          first + d * 1000 + i), 0);
        assert_int_equal(bytes_printf(&shard, d == 2 ? "\"}\n{\"none\": 1}\n" : "\"}\n"), 0);
    }
    assert_int_equal(bytes_append(&shard, "", 1), 0);
    return shard.at;
}

static void open_long(struct world *w, const char *settings)
{
    char *a = shard_of(0), *b = shard_of(100000);

    world_open(w, settings, (const char *const[3]){ a, b, NULL });
    free(a);
    free(b);
    world_classes(w);
}

static struct column_features features_of(struct world *w, size_t u, uint64_t i, struct column_unit *unit)
{
    WORLD_DO(columns_load(&w->job, &w->state.catalogue, u, false, unit, err));
    return columns_features(unit, i);
}

#define AUTO ", method: auto"

static void want(struct world *w, struct wanted *wanted, const uint64_t *ordinal, size_t count)
{
    WORLD_DO(wanted_open(wanted, &w->state, err));
    for (size_t i = 0; i < count; i++) wanted_mark(wanted, ordinal[i]);
}

static void test_same(void **unused)
{
    static const uint64_t first[] = { 0, 1, 5, 7 }, more[] = { 1, 3, 9, 11 };
    struct world          whole, brief;
    struct wanted         wanted;

    (void)unused;
    open_long(&whole, ", method: exact");
    open_long(&brief, AUTO);
    for (int round = 0; round < 2; round++) {
        /* the second time units are there that know of other documents */
        want(&brief, &wanted, round ? more : first, 4);
        WORLD_DO(features_make(&brief.state, &wanted, err));
        assert_int_equal(brief.state.compared, 4);
        for (uint64_t ordinal = 0; ordinal < brief.state.catalogue.documents; ordinal++) {
            const size_t           u = catalogue_find(&brief.state.catalogue, ordinal);
            const uint64_t         i = ordinal - brief.state.catalogue.unit[u].first;
            struct column_unit     x, y;
            struct column_features of_whole = features_of(&whole, u, i, &x), of_brief = features_of(&brief, u, i, &y);

            if (columns_row(&y, i, NULL)->brief) {
                assert_memory_equal(columns_sketch(&y, i).hash, of_whole.hash, columns_sketch(&y, i).count * 8);
                assert_true(columns_sketch(&y, i).count == y.brief.sketch.size && of_whole.distinct == 400);
            }
            if (!columns_row(&y, i, NULL)->brief || is_wanted(&wanted, ordinal))
                assert_same_features(of_whole, of_brief);
            columns_close(&x);
            columns_close(&y);
        }
        wanted_close(&wanted);
    }
    WORLD_DO(features_remove(&brief.state, err));
    {
        struct column_unit unit;

        assert_int_equal(features_of(&brief, 0, 1, &unit).distinct, 0);
        columns_close(&unit);
    }
    world_close(&whole);
    world_close(&brief);
}

/* A unit of which the numbers do not fit each other, whatever its checksum says: the row's words are index, first of
 * its features, first of its counts, then distinct and total in halves. */
static void test_damaged(void **unused)
{
    static const struct { size_t word; uint64_t value; } damage[] = {
        { 1, 1ull << 60 }, { 1, 401 }, { 2, 1ull << 60 }, { 2, 1 }, { 3, 800ull << 32 | 401 }, { 3, UINT64_MAX },
        { 4, 6 },                                           /* the unit has documents 0 to 5 */
        { 4, 1 },                                           /* the next row's index is not behind this one's */
    };
    struct world       w;
    struct wanted      wanted;
    struct column_unit columns;
    struct unit_key    key;
    struct err         err = { 0 };

    (void)unused;
    open_long(&w, AUTO);
    want(&w, &wanted, (const uint64_t[]){ 3, 5 }, 2);       /* of which the first has counts */
    assert_int_equal(features_make(&w.state, &wanted, &err), 0);
    wanted_close(&wanted);
    key = pass_unit_key(w.r.config.datasets, w.job.features_key, &w.r.shards.at[0], 0);
    for (size_t d = 0; d < sizeof damage / sizeof *damage; d++) {
        uint64_t     rows[8];
        struct unit  unit;
        struct slice section[64], good;

        assert_int_equal(stage_load(w.r.stage, "features", key, &unit, &err), 1);
        assert_true(unit.count == 1 + PART_SECTIONS && unit.section[1 + PART_ROWS].len == sizeof rows);
        memcpy(section, unit.section, unit.count * sizeof *section);
        good = section[1 + PART_ROWS];
        memcpy(rows, good.at, sizeof rows);
        rows[damage[d].word] = damage[d].value;
        section[1 + PART_ROWS] = (struct slice){ (const char *)rows, sizeof rows };
        assert_int_equal(stage_commit(w.r.stage, "features", key, section, unit.count, &err), 0);
        assert_int_equal(columns_load(&w.job, &w.state.catalogue, 0, false, &columns, &err), -EBADMSG);
        assert_non_null(strstr(err.text, "a unit of features does not fit together"));
        section[1 + PART_ROWS] = good;
        assert_int_equal(stage_commit(w.r.stage, "features", key, section, unit.count - 1, &err), 0);
        assert_int_equal(columns_load(&w.job, &w.state.catalogue, 0, false, &columns, &err), -EBADMSG);
        assert_int_equal(stage_commit(w.r.stage, "features", key, section, unit.count, &err), 0);
        unit_close(&unit);
        assert_int_equal(columns_load(&w.job, &w.state.catalogue, 0, false, &columns, &err), 0);
        columns_close(&columns);
    }
    world_close(&w);
}

/* Nothing is wanted, or nothing of it is brief: no shard is read. */
static void test_nothing(void **unused)
{
    struct world  w;
    struct wanted wanted;
    char          path[128];

    (void)unused;
    open_long(&w, AUTO);
    snprintf(path, sizeof path, "%s/a.jsonl", w.r.folder);
    assert_int_equal(unlink(path), 0);
    want(&w, &wanted, (const uint64_t[]){ 0, 2 }, 2);
    WORLD_DO(features_make(&w.state, &wanted, err));
    assert_int_equal(w.state.compared, 2);                  /* of 20 words each, which occur once */
    assert_int_equal(w.state.compared_bytes, 2 * 20 * 8);
    wanted_close(&wanted);
    world_close(&w);
}

/* Another text in the place of one, of the same length, with the same time. */
static void test_changed(void **unused)
{
    struct world    w;
    struct wanted   wanted;
    struct err      err = { 0 };
    struct stat     was;
    struct timespec times[2];
    char            path[128];
    FILE           *file;

    (void)unused;
    open_long(&w, AUTO);
    snprintf(path, sizeof path, "%s/a.jsonl", w.r.folder);
    assert_int_equal(stat(path, &was), 0);
    file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 400, SEEK_SET), 0);
    assert_int_equal(fputc('v', file), 'v');
    assert_int_equal(fclose(file), 0);
    times[0] = was.st_atim, times[1] = was.st_mtim;
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    want(&w, &wanted, (const uint64_t[]){ 1 }, 1);
    assert_int_equal(features_make(&w.state, &wanted, &err), -EIO);
    assert_non_null(strstr(err.text, "a.jsonl: has another content than before: --verify forgets"));
    wanted_close(&wanted);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same), cmocka_unit_test(test_damaged),
                                        cmocka_unit_test(test_nothing),
                                        cmocka_unit_test(test_changed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
