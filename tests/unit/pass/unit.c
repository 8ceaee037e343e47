/* tests/unit/pass/unit.c -- committed units: what their names depend on, one after the other, other layouts. */
#include "passing.h"

/* ---- keys ---- */

struct keyed {
    struct dataset dataset; struct dataset_split split; struct shard shard; struct unit_key scanner; uint64_t unit;
};
typedef void change(struct keyed *k);

static char word[] = "word", letter[] = "x", nothing[] = "";

static void other_name(struct keyed *k) { k->dataset.name = word; }
static void other_split(struct keyed *k) { k->split.name = word; }
static void other_language(struct keyed *k) { k->dataset.language = word; }
static void other_format(struct keyed *k) { k->dataset.format++; }
static void other_utf8(struct keyed *k) { k->dataset.utf8++; }
static void other_limit(struct keyed *k) { k->dataset.max_record_bytes++; }
static void other_ratio(struct keyed *k) { k->dataset.max_ratio++; }
static void other_field(struct keyed *k) { k->dataset.fields[FIELD_ID] = word; }
static void another_field(struct keyed *k) { k->dataset.fields[FIELD_PATH] = word; }
static void extra_column(struct keyed *k) { k->dataset.extra[0] = word; }
static void another_column(struct keyed *k) { k->dataset.extra[1] = word; }
static void other_path(struct keyed *k) { k->shard.path = word; }
static void other_file(struct keyed *k) { k->shard.name = word; }
static void other_bytes(struct keyed *k) { k->shard.bytes++; }
static void other_time(struct keyed *k) { k->shard.mtime_ns++; }
static void a_tree(struct keyed *k) { k->shard.tree = true; }
static void other_signature(struct keyed *k) { k->shard.signature++; }
static void other_unit(struct keyed *k) { k->unit++; }
static void other_scanner(struct keyed *k) { k->scanner.low++; }

static struct unit_key key_of(change *make)
{
    struct keyed k = { .dataset = { .name = letter }, .split = { .name = nothing },
                       .shard = { .path = letter, .name = letter }, .unit = 3 };

    k.dataset.splits = &k.split;
    if (make) make(&k);
    return pass_unit_key(&k.dataset, k.scanner, &k.shard, k.unit);
}

static void change_role(struct keyed *k) { k->dataset.role = ROLE_CORPUS; }
static void change_url(struct keyed *k) { k->dataset.url = word; }

/* Everything that changes what is read makes another key, and all of these are different. */
static void keys_tell_what_is_read(void **unused)
{
    static change *const changes[] = {
        NULL, other_name, other_split, other_language, other_format, other_utf8, other_limit, other_ratio, other_field,
        another_field, extra_column, another_column, other_path, other_file, other_bytes, other_time, a_tree,
        other_signature, other_unit, other_scanner,
    };
    const struct unit_key same = key_of(NULL);

    (void)unused;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (size_t j = 0; j < i; j++) {
            struct unit_key a = key_of(changes[i]), b = key_of(changes[j]);

            if (a.low == b.low || a.high == b.high) fail_msg("changes %zu and %zu", i, j);
        }
    assert_true(key_of(change_role).low == same.low && key_of(change_url).low == same.low);
}

/* ---- units ---- */

static void units_there_and_back(void **unused)
{
    static const struct content files[] = { { "a.jsonl", "{\"text\": \"x\"}\n" }, { "b.jsonl", "" } };
    const struct unit_header    header = { .documents = 7, .next = 6, .parts = 2 };
    struct part                 one = { .sequence = 1 }, two = { .sequence = 2 }, *part[] = { &one, &two };
    struct pass_behind          behind = { { 0 } };
    struct passing              g;
    struct pass_unit            unit;

    (void)unused;
    passing_open(&g, files, 2);
    passing_add(&g, "kept", PASS_RECORDS, false);
    assert_int_equal(bytes_append(&one.section[PART_ROWS], "rows", 4), 0);
    assert_int_equal(bytes_append(&two.section[PART_HEAP], "heap", 4), 0);
    passing_must(&g, pass_unit_commit(&g.pass, &g.pass.scanner[0], &g.shards.at[0], 5, &header, part, &g.err));
    unit = passing_unit(&g, 0, 0, 5);
    assert_memory_equal(unit.header, &header, sizeof header);
    assert_true(slice_equal(pass_unit_section(&unit, 0, PART_ROWS), SLICE("rows")));
    assert_true(slice_equal(pass_unit_section(&unit, 1, PART_HEAP), SLICE("heap")));
    assert_int_equal(pass_unit_section(&unit, 0, PART_HEAP).len, 0);
    assert_int_equal(pass_unit_section(&unit, 1, PART_ROWS).at - pass_unit_section(&unit, 0, PART_ROWS).at, 64);
    for (uint64_t p = 0; p < 2; p++) pass_unit_leave(&unit, p, &behind);    /* what is left can be read again */
    assert_true(behind.at[PART_ROWS] && slice_equal(pass_unit_section(&unit, 0, PART_ROWS), SLICE("rows")));
    unit_close(&unit.file);
    assert_int_equal(pass_unit_load(g.pass.run, &g.pass.scanner[0], 0, 4, &unit, &g.err), 0);
    assert_int_equal(pass_unit_load(g.pass.run, &g.pass.scanner[0], 1, 5, &unit, &g.err), 0);
    bytes_free(&one.section[PART_ROWS]);
    bytes_free(&two.section[PART_HEAP]);
    passing_close(&g);
}

/* Sections that are no unit of a pass: a short header, fewer than its parts have, more of them than there are, a next
 * unit that is not behind it. */
static void other_layouts_are_told(void **unused)
{
    static const struct content files[] = { { "a.jsonl", "" }, { "b.jsonl", "" } };
    const struct unit_header    none = { .parts = 0 }, one = { .parts = 1 },
        many = { .parts = UINT64_MAX / PART_SECTIONS }, back = { .next = 3 };
    const struct { const struct unit_header *header; size_t len, count; } bad[] = {
        { &none, sizeof none - 1, 1 }, { &one, sizeof one, 1 }, { &one, sizeof one, PART_SECTIONS + 2 },
        { &none, sizeof none, 2 },
        { &many, sizeof many, 2 }, { &back, sizeof back, 1 },
    };
    struct passing g;

    (void)unused;
    passing_open(&g, files, 2);
    passing_add(&g, "kept", PASS_RECORDS, false);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct slice     section[PART_SECTIONS + 2] = { { (const char *)bad[i].header, bad[i].len } };
        struct pass_unit unit;

        for (size_t s = 1; s < PART_SECTIONS + 2; s++) section[s] = SLICE("");
        passing_must(&g, stage_commit(g.told.stage, "kept",
                                      pass_unit_key(g.dataset, g.pass.scanner[0].key, &g.shards.at[0], 3), section,
                                      bad[i].count, &g.err));
        assert_int_equal(pass_unit_load(g.pass.run, &g.pass.scanner[0], 0, 3, &unit, &g.err), -EBADMSG);
        assert_true(strstr(g.err.text, "a.jsonl") && strstr(g.err.text, "--clean"));
    }
    passing_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_tell_what_is_read), cmocka_unit_test(units_there_and_back),
        cmocka_unit_test(other_layouts_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
