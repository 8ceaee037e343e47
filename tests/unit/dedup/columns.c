/* tests/unit/dedup/columns.c -- rows and features of documents, the catalogue of their units. */
#include "tests/unit/dedup/world.h"

static const char *const files[3] = {
    "{\"text\": \"x y x\", \"id\": \"i\", \"stars\": 7, \"date\": \"2020-01-02\", \"path\": \"p\", \"repo\": \"r\", "
    "\"license\": \"l\"}\n{\"bad\": 1}\n{\"text\": \"y x\", \"stars\": \"many\"}\n{\"text\": \"x y y\"}\n",
    "{\"text\": \"\"}\n", NULL };

static void test_rows(void **unused)
{
    struct world            w;
    struct column_unit      unit;
    const struct dedup_row *row[3];
    struct column_features  features[3];
    const char             *heap;

    (void)unused;
    world_open(&w, ", min_tokens: 3", files);
    world_columns(&w);
    WORLD_DO(columns_load(&w.job, &w.state.catalogue, 0, false, &unit, err));
    assert_int_equal(unit.documents, 3);
    for (uint64_t i = 0; i < 3; i++) row[i] = columns_row(&unit, i, &heap), features[i] = columns_features(&unit, i);
    assert_true(row[0]->record == 0 && row[0]->bytes == 5 && row[0]->total == 3 && row[0]->distinct == 2 &&
                row[0]->admitted && row[0]->stars && row[0]->date);
    assert_true(row[0]->source_id.len == 1 && heap[row[0]->source_id.at] == 'i' && row[0]->path.len == 1 &&
                row[0]->repo.len == 1 && heap[row[0]->license.at] == 'l' && row[0]->text.len == NO_STRING);
    assert_true(row[0]->raw.low == content_hash_raw(SLICE("x y x")).low);
    assert_true(row[1]->record == 2 && !row[1]->admitted && row[1]->stars == 0 && row[1]->path.len == NO_STRING);
    /* ascending; occurrences only where one is not 1 */
    assert_true(features[0].hash[0] < features[0].hash[1] && features[0].count && features[0].total == 3);
    assert_int_equal(features[0].count[0] + features[0].count[1], 3);
    assert_null(features[1].count);
    assert_memory_equal(features[0].hash, features[1].hash, 2 * sizeof *features[0].hash);
    assert_int_equal(features[2].count[0], features[0].count[1]);       /* x y x and x y y */
    assert_true(row[0]->class_low != row[2]->class_low);
    columns_close(&unit);
    world_close(&w);
}

static void test_catalogue(void **unused)
{
    struct world     w;
    struct catalogue again;
    struct err       err = { 0 };

    (void)unused;
    world_open(&w, "", files);
    world_columns(&w);
    assert_int_equal(catalogue_read(&w.job, &again, &err), 0);
    assert_int_equal(again.count, 3);
    assert_int_equal(again.documents, 5);
    assert_true(again.unit[0].first == 0 && again.unit[0].documents == 3 && again.unit[0].rejected == 1);
    assert_true(again.unit[1].first == 3 && again.unit[1].documents == 1 && again.unit[2].first == 4);
    assert_true(again.dataset_first[0] == 0 && again.dataset_first[1] == 3 && again.dataset_first[2] == 4);
    assert_int_equal(again.unit[0].text_bytes, 5 + 3 + 5);
    catalogue_free(&again);
    assert_null(again.unit);
    assert_int_equal(stage_clear(w.r.stage, &err), 0);
    assert_true(catalogue_read(&w.job, &again, &err) < 0);
    catalogue_free(&again);
    world_close(&w);
}

/* Larger numbers and later dates are larger, whatever their sign and how much of them is there. */
static void test_fields(void **unused)
{
    struct world       w;
    struct column_unit unit;

    (void)unused;
    world_open(&w, "", (const char *const[3]){
        "{\"text\": \"a\", \"stars\": -5, \"date\": \"1999-12-31\"}\n"
        "{\"text\": \"b\", \"stars\": -1.5, \"date\": \"2000-01-01\"}\n"
        "{\"text\": \"c\", \"stars\": 0, \"date\": \"2000-01-01T00:00:01\"}\n"
        "{\"text\": \"d\", \"stars\": 2, \"date\": \"2000-01-01 01:00:00\"}\n"
        "{\"text\": \"e\", \"stars\": \"10\", \"date\": \"2000-02-01\"}\n", NULL, NULL });
    world_columns(&w);
    WORLD_DO(columns_load(&w.job, &w.state.catalogue, 0, false, &unit, err));
    for (uint64_t i = 0; i < 5; i++) {
        assert_true(columns_row(&unit, i, NULL)->stars > (i ? columns_row(&unit, i - 1, NULL)->stars : 0));
        assert_true(columns_row(&unit, i, NULL)->date > (i ? columns_row(&unit, i - 1, NULL)->date : 0));
    }
    columns_close(&unit);
    world_close(&w);
}

/* ---- long documents ---- */

/* A document for each number, of so many words; negative: each occurs twice. */
static char *shard_of(const int *words)
{
    struct bytes shard = { 0 };

    for (int d = 0; words[d]; d++) {
        assert_int_equal(bytes_printf(&shard, "{\"text\": \""), 0);
        for (int i = 0; i < abs(words[d]); i++)
            assert_int_equal(bytes_printf(&shard, words[d] < 0 ? "w%d w%d " : "w%d ", 7 * d + i, 7 * d + i), 0);
        assert_int_equal(bytes_printf(&shard, "\"}\n"), 0);
    }
    assert_int_equal(bytes_append(&shard, "", 1), 0);
    return shard.at;
}

static void open_words(struct world *w, const char *settings, const int *words)
{
    char *shard = shard_of(words);

    world_open(w, settings, (const char *const[3]){ shard, NULL, NULL });
    free(shard);
    world_columns(w);
}

/* Whatever a part is brief about: what it has of features is what a pass that keeps all has. */
static void test_brief(void **unused)
{
    static const struct { int words[8]; bool brief; } cases[] = {
        { { 20, 400, 200, -300, 180 }, false },             /* long ones have not twice the features of the others */
        { { -100, 400, -20, -900, 30 }, true },             /* they have: dropped at the end of the part */
        { { -50, -400, 20000, -60, 300, 70 }, true },       /* dropped at the third */
        { { 400, 300 }, true },
        { { 200, -250, 256 }, false },                      /* none is long */
    };

    (void)unused;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int         *words = cases[c].words;
        struct world       whole, brief;
        struct column_unit x, y;

        open_words(&whole, ", method: exact", words);
        open_words(&brief, ", method: auto", words);
        WORLD_DO(columns_load(&whole.job, &whole.state.catalogue, 0, false, &x, err));
        WORLD_DO(columns_load(&brief.job, &brief.state.catalogue, 0, false, &y, err));
        for (uint64_t i = 0; words[i]; i++) {
            const struct column_features all = columns_features(&x, i), kept = columns_features(&y, i);
            const struct sketch          sketch = columns_sketch(&y, i);
            const bool                   is_long = abs(words[i]) > 256;

            assert_int_equal(columns_row(&y, i, NULL)->brief, is_long && cases[c].brief);
            assert_int_equal(all.distinct, abs(words[i]));
            assert_memory_equal(sketch.hash, all.hash, sketch.count * sizeof *all.hash);
            if (columns_row(&y, i, NULL)->brief) {
                assert_true(kept.distinct == 0 && sketch.count == y.brief.sketch.size);
                continue;
            }
            assert_true(kept.distinct == all.distinct && kept.total == all.total && !kept.count == (words[i] > 0));
            assert_memory_equal(kept.hash, all.hash, all.distinct * sizeof *all.hash);
            if (kept.count) assert_memory_equal(kept.count, all.count, all.distinct * sizeof *all.count);
        }
        columns_close(&x);
        columns_close(&y);
        world_close(&whole);
        world_close(&brief);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_catalogue),
                                        cmocka_unit_test(test_fields), cmocka_unit_test(test_brief) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
