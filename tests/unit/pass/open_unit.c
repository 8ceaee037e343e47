/* tests/unit/pass/open_unit.c -- units under way: what waits for what, and what is committed. */
#include "passing.h"

static const struct content files[] = { { "a.jsonl", "" }, { "b.jsonl", "" } };

/* Two scanners, of which the second takes the shards of b alone. */
static void open_pass(struct passing *g, struct open_shard *shard, size_t number)
{
    passing_open(g, files, 2);
    passing_add(g, "all", PASS_RECORDS, false);
    passing_add(g, "b", PASS_RECORDS, true);
    *shard = (struct open_shard){ .shard = &g->shards.at[number], .dataset = &g->dataset[number] };
    pthread_mutex_init(&shard->lock, NULL);
}

static void close_pass(struct passing *g, struct open_shard *shard)
{
    for (struct open_unit *unit = shard->units, *next; unit; unit = next) {
        next = unit->next;
        pass_unit_free(unit);
    }
    pthread_mutex_destroy(&shard->lock);
    passing_close(g);
}

static struct open_unit *batch_of(struct passing *g, struct open_shard *shard, uint64_t number)
{
    struct open_unit *unit;

    passing_must(g, pass_unit_for_batch(&g->run, shard, number, &unit, &g->err));
    unit->handed++;
    return unit;
}

/* A part for each scanner that wants one, with its sequence as its rows; `documents` for the sums. */
static void deliver(struct open_unit *unit, uint64_t sequence, uint64_t documents)
{
    struct part       *part[PASS_SCANNERS] = { NULL };
    struct unit_header sums[PASS_SCANNERS] = { { 0 } };

    for (size_t s = 0; s < 2; s++) {
        if (!(unit->todo >> s & 1)) continue;
        part[s] = calloc(1, sizeof *part[s]);
        assert_non_null(part[s]);
        part[s]->sequence = sequence;
        assert_int_equal(bytes_append(&part[s]->section[PART_ROWS], &sequence, sizeof sequence), 0);
        sums[s] = (struct unit_header){ .documents = documents + s, .rejected = 1, .text_bytes = 10 * documents };
    }
    assert_int_equal(pass_unit_deliver(unit, part, sums), 0);
}

/* Those of the thread that commits: the second one merges. */
static struct scanner        first_scanner, second_scanner;
static struct scanner *const scanners[PASS_SCANNERS] = { &first_scanner, &second_scanner };
static double                seconds[PASS_SCANNERS];

/* The rows of all parts, in the first. */
static int join(struct scanner *scanner, struct part *const *part, size_t parts, struct err *err)
{
    assert_ptr_equal(scanner, &second_scanner);
    for (size_t p = 1; p < parts; p++) {
        if (part[p]->sequence == 13) return err_set(err, -EIO, "no merging of part 13");
        assert_int_equal(bytes_append_slice(&part[0]->section[PART_ROWS], bytes_slice(&part[p]->section[PART_ROWS])),
                         0);
        bytes_free(&part[p]->section[PART_ROWS]);
    }
    return 0;
}

static bool is_there(struct passing *g, size_t scanner, size_t shard, uint64_t number)
{
    struct pass_unit unit;
    int              rc = pass_unit_load(g->pass.run, &g->pass.scanner[scanner], (uint32_t)shard, number, &unit,
                                         &g->err);

    passing_must(g, rc);
    if (rc) unit_close(&unit.file);
    return rc;
}

static void takers(void **unused)
{
    struct passing    g;
    struct open_shard shard;

    (void)unused;
    open_pass(&g, &shard, 0);
    assert_int_equal(pass_takers(&g.pass, &g.shards.at[0]), 1);
    assert_int_equal(pass_takers(&g.pass, &g.shards.at[1]), 3);
    g.pass.scanner_count = 0;
    assert_int_equal(pass_takers(&g.pass, &g.shards.at[1]), 0);
    close_pass(&g, &shard);
    part_free(NULL);
}

/* Parts come in any order and are committed in theirs; a unit is when it is complete and has all of them. */
static void parts_in_their_order(void **unused)
{
    enum { PARTS = 40 };
    struct passing    g;
    struct open_shard shard;
    struct open_unit *unit;
    struct pass_unit  kept;

    (void)unused;
    open_pass(&g, &shard, 1);
    for (uint64_t i = 0; i < PARTS; i++) unit = batch_of(&g, &shard, 0);
    assert_int_equal(unit->todo, 3);
    for (uint64_t i = 0; i < PARTS - 1; i++) deliver(unit, i * 7 % PARTS, 2);
    passing_must(&g, pass_units_commit(&g.run, &shard, scanners, seconds, &g.err));
    assert_ptr_equal(shard.units, unit);                    /* more may come */
    unit->complete = true;
    passing_must(&g, pass_units_commit(&g.run, &shard, scanners, seconds, &g.err));
    assert_ptr_equal(shard.units, unit);                    /* and one is to come */
    deliver(unit, (PARTS - 1) * 7 % PARTS, 2);
    passing_must(&g, pass_units_commit(&g.run, &shard, scanners, seconds, &g.err));
    assert_null(shard.units);
    for (size_t s = 0; s < 2; s++) {
        kept = passing_unit(&g, s, 1, 0);
        assert_true(kept.header->documents == (2 + s) * PARTS && kept.header->rejected == PARTS);
        assert_true(kept.header->text_bytes == 20 * PARTS && kept.header->parts == PARTS && kept.header->next == 0);
        for (uint64_t p = 0; p < PARTS; p++)
            assert_memory_equal(pass_unit_section(&kept, p, PART_ROWS).at, &p, sizeof p);
        unit_close(&kept.file);
    }
    assert_true(g.pass.totals.units == 2 && g.pass.totals.units_reused == 0);
    assert_true(g.pass.totals.documents == 2 * PARTS && g.pass.totals.rejected == PARTS);    /* the first scanner's */
    close_pass(&g, &shard);
}

/* What a scanner makes one part of is there once, in the parts' order; where it cannot, nothing is committed. */
static void parts_are_merged(void **unused)
{
    enum { PARTS = 9 };
    struct passing    g;
    struct open_shard shard;
    struct open_unit *unit;
    struct pass_unit  kept;

    (void)unused;
    second_scanner.merge = join;
    for (int fails = 0; fails < 2; fails++) {
        open_pass(&g, &shard, 1);
        for (uint64_t i = 0; i < PARTS; i++) unit = batch_of(&g, &shard, 0);
        for (uint64_t i = 0; i < PARTS; i++) deliver(unit, i * 7 % PARTS + 5 * (uint64_t)fails, 2);
        unit->complete = true;
        if (fails) {
            assert_int_equal(pass_units_commit(&g.run, &shard, scanners, seconds, &g.err), -EIO);
            assert_non_null(strstr(g.err.text, "part 13"));
            assert_true(is_there(&g, 0, 1, 0) && !is_there(&g, 1, 1, 0));
        } else {
            passing_must(&g, pass_units_commit(&g.run, &shard, scanners, seconds, &g.err));
            for (size_t s = 0; s < 2; s++) {
                kept = passing_unit(&g, s, 1, 0);
                assert_true(kept.header->parts == PARTS && kept.header->documents == (2 + s) * PARTS);
                for (uint64_t p = 0; p < PARTS; p++) {
                    const struct slice rows = pass_unit_section(&kept, p, PART_ROWS);

                    assert_int_equal(rows.len / sizeof p, s == 0 ? 1 : p == 0 ? PARTS : 0);
                    for (uint64_t i = 0; i < rows.len / sizeof p; i++)
                        assert_memory_equal(rows.at + i * sizeof p, &(uint64_t){ p + i }, sizeof p);
                }
                unit_close(&kept.file);
            }
            assert_true(seconds[0] == 0 && seconds[1] > 0);
        }
        close_pass(&g, &shard);
    }
    second_scanner.merge = NULL;
}

/* The batches of a shard begin with unit 2, which is its unit 0; each unit says which follows it. */
static void units_follow_each_other(void **unused)
{
    struct passing    g;
    struct open_shard shard;
    struct open_unit *unit, *second;
    struct pass_unit  kept;

    (void)unused;
    open_pass(&g, &shard, 0);
    unit = batch_of(&g, &shard, 2);
    assert_true(unit->number == 0 && unit->taken == 1 && unit->todo == 1);
    assert_ptr_equal(batch_of(&g, &shard, 2), unit);
    second = batch_of(&g, &shard, 5);
    assert_true(second != unit && second->number == 5 && shard.units == second && second->next == unit);
    assert_true(unit->complete && !second->complete);
    deliver(second, 2, 1);
    deliver(unit, 0, 1);
    deliver(unit, 1, 1);
    passing_must(&g, pass_units_commit(&g.run, &shard, scanners, seconds, &g.err));
    assert_true(shard.units == second && second->next == NULL);
    assert_true(is_there(&g, 0, 0, 0) && !is_there(&g, 0, 0, 5));
    kept = passing_unit(&g, 0, 0, 0);
    assert_int_equal(kept.header->next, 5);
    unit_close(&kept.file);
    assert_int_equal(pass_shard_is_done(&g.run, shard.shard, shard.share, &g.err), 0);   /* unit 5 is not there */
    second->complete = true;
    passing_must(&g, pass_units_commit(&g.run, &shard, scanners, seconds, &g.err));
    g.pass.totals = (struct pass_totals){ 0 };
    assert_int_equal(pass_shard_is_done(&g.run, shard.shard, shard.share, &g.err), 1);
    assert_true(g.pass.totals.units_reused == 2 && g.pass.totals.documents == 3 && g.pass.totals.text_bytes == 30);
    close_pass(&g, &shard);
}

/* A unit that one scanner has is made for the other alone. */
static void units_that_are_there(void **unused)
{
    struct passing    g;
    struct open_shard shard;
    struct open_unit *unit;

    (void)unused;
    open_pass(&g, &shard, 1);
    g.pass.scanner_count = 1;
    unit = batch_of(&g, &shard, 0);
    deliver(unit, 0, 4);
    unit->complete = true;
    passing_must(&g, pass_units_commit(&g.run, &shard, scanners, seconds, &g.err));
    assert_int_equal(pass_shard_is_done(&g.run, shard.shard, shard.share, &g.err), 1);
    g.pass.scanner_count = 2;
    g.pass.totals = (struct pass_totals){ 0 };
    assert_int_equal(pass_shard_is_done(&g.run, shard.shard, shard.share, &g.err), 0);
    assert_true(g.pass.totals.units_reused == 0 && g.pass.totals.documents == 0);   /* not before all are there */
    unit = batch_of(&g, &shard, 0);
    assert_true(unit->taken == 3 && unit->todo == 2);
    deliver(unit, 0, 9);
    unit->complete = true;
    passing_must(&g, pass_units_commit(&g.run, &shard, scanners, seconds, &g.err));
    assert_true(g.pass.totals.units == 1 && g.pass.totals.units_reused == 1);
    assert_int_equal(g.pass.totals.documents, 4);           /* as the first scanner's unit says */
    g.pass.totals = (struct pass_totals){ 0 };
    assert_int_equal(pass_shard_is_done(&g.run, shard.shard, shard.share, &g.err), 1);
    assert_true(g.pass.totals.documents == 4 && g.pass.totals.units_reused == 2);
    close_pass(&g, &shard);
}

static void broken_units_are_told(void **unused)
{
    struct passing    g;
    struct open_shard shard;
    struct open_unit *unit;

    (void)unused;
    open_pass(&g, &shard, 0);
    passing_must(&g, stage_commit(g.told.stage, "all", pass_unit_key(g.dataset, g.pass.scanner[0].key, shard.shard, 0),
                                  &SLICE("x"), 1, &g.err));
    assert_int_equal(pass_unit_for_batch(&g.run, &shard, 0, &unit, &g.err), -EBADMSG);
    assert_int_equal(pass_shard_is_done(&g.run, shard.shard, shard.share, &g.err), -EBADMSG);
    assert_non_null(strstr(g.err.text, "a.jsonl"));
    close_pass(&g, &shard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takers), cmocka_unit_test(parts_in_their_order), cmocka_unit_test(parts_are_merged),
        cmocka_unit_test(units_follow_each_other),
        cmocka_unit_test(units_that_are_there), cmocka_unit_test(broken_units_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
