/* scan/pass: several scanners on one pass; the units of each are what they would be if it were alone. */
#include "base/file.h"
#include "pass/pass.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SCANNERS = 3, SHARDS = 4, RECORDS = 400, UNIT_BYTES = 1 << 20 };

struct world {
    char                 root[64];
    struct comm         *comm;
    struct dataset       dataset[2];
    struct dataset_split split[2];
    char                *glob[2];
    struct shard_list    shards;
    struct view_options  view;
    struct run run;
};

/* What a kind of scanner met. */
struct met { uint64_t documents, features, shards_done; };

struct noter { struct scanner scanner; struct met *met; };

static int note(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct noter *noter = (struct noter *)scanner;

    __atomic_fetch_add(&noter->met->documents, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&noter->met->features, document->features.count, __ATOMIC_RELAXED);
    if (bytes_append(&part->section[PART_ROWS], &document->record->number, sizeof document->record->number) < 0)
        return err_memory(err, 8, "a row");
    return 0;
}

static int note_end(struct scanner *scanner, struct part *part, struct err *err)
{
    (void)scanner;
    return bytes_append(&part->section[PART_COUNTS], "end", 4) < 0 ? err_memory(err, 4, "an end") : 0;
}

static void noter_close(struct scanner *scanner) { free(scanner); }

static int noter_open(void *shared, struct scanner **out, struct err *err)
{
    struct noter *noter = calloc(1, sizeof *noter);

    if (!noter) return err_memory(err, sizeof *noter, "a scanner");
    *noter = (struct noter){ { .document = note, .end = note_end, .close = noter_close }, shared };
    *out = &noter->scanner;
    return 0;
}

static int shard_noted(void *shared, const struct shard *shard, struct err *err)
{
    (void)shard, (void)err;
    __atomic_fetch_add(&((struct met *)shared)->shards_done, 1, __ATOMIC_RELAXED);
    return 0;
}

static bool takes_b(const void *shared, const struct dataset *dataset)
{
    (void)shared;
    return strcmp(dataset->name, "b") == 0;
}

/* Every 50th record is no JSON, every 60th has tokens that are none: a reject of the view alone. */
static void write_shard(const char *root, const char *name)
{
    char  path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", root, name);
    file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < RECORDS; i++) {
        if (i % 50 == 7) fputs("{\"text\": nothing}\n", file);
        else if (i % 60 == 9) fprintf(file, "{\"tokens\": [1, 2], \"text\": \"%s %d\"}\n", name, i);
        else fprintf(file, "{\"split\": \"s%d\", \"text\": \"%s = word_%d(%*d)\"}\n", i % 3, name, i, 8000, i);
    }
    fclose(file);
}

static int set_up(void **state)
{
    static char   *names[2] = { "a", "b" };
    struct world  *w = calloc(1, sizeof *w);
    struct err     err = { 0 };

    if (!w) return -1;
    strcpy(w->root, "/tmp/test_pass.XXXXXX");
    if (!mkdtemp(w->root) || comm_open(&w->comm, &err) < 0) return -1;
    for (int s = 0; s < SHARDS; s++) {
        char name[32];

        snprintf(name, sizeof name, "%s%d.jsonl", names[s % 2], s);
        write_shard(w->root, name);
    }
    for (size_t d = 0; d < 2; d++) {
        if (asprintf(&w->glob[d], "%s/%s*.jsonl", w->root, names[d]) < 0) return -1;
        w->dataset[d] = (struct dataset){ .name = names[d], .url = "", .role = ROLE_CORPUS, .splits = &w->split[d],
                                          .split_count = 1 };
        w->split[d] = (struct dataset_split){ .name = "", .globs = &w->glob[d], .glob_count = 1 };
    }
    view_parse(&w->view, "identifiers", &err);
    *state = w;
    return shard_list_open(&w->shards, w->dataset, 2, w->root, &err);
}

static int tear_down(void **state)
{
    struct world *w = *state;
    char          command[96];

    shard_list_free(&w->shards);
    comm_close(w->comm);
    free(w->glob[0]);
    free(w->glob[1]);
    snprintf(command, sizeof command, "rm -rf %s", w->root);
    free(w);
    return system(command);
}

/* Runs the scanners of the set `which` in the folder; what they met is added to met[]. */
static struct pass run(struct world *w, const char *folder, unsigned which, int threads, struct met met[SCANNERS])
{
    const struct pass_scanner all[SCANNERS] = {
        { .kind = "plain", .needs = PASS_RECORDS, .open = noter_open, .shard_done = shard_noted, .shared = &met[0] },
        { .kind = "grouped", .needs = PASS_GROUPS, .open = noter_open, .shard_done = shard_noted, .shared = &met[1],
          .takes = takes_b },
        { .kind = "featured", .needs = PASS_FEATURES, .min_tokens = 2, .open = noter_open, .shard_done = shard_noted,
          .shared = &met[2] },
    };
    struct pass pass = { .run = &w->run, .view = w->view, .unit_bytes = UNIT_BYTES };
    struct err  err = { 0 };
    char        path[128];

    w->run = (struct run){ .comm = w->comm, .datasets = w->dataset, .dataset_count = 2, .shards = &w->shards,
                           .threads = threads };
    snprintf(path, sizeof path, "%s/%s", w->root, folder);
    if (stage_open(&w->run.stage, path, true, &err) < 0) fail_msg("%s", err.text);
    for (int s = 0; s < SCANNERS; s++)
        if (which >> s & 1) assert_int_equal(pass_add(&pass, all[s], &err), 0);
    if (pass_stream(&pass, w->shards.count, &err) < 0) fail_msg("%s", err.text);
    stage_close(w->run.stage);
    return pass;
}

static int shell(const struct world *w, const char *command)
{
    char line[256];

    snprintf(line, sizeof line, "cd %s && %s", w->root, command);
    return system(line);
}

static void test_together(void **state)
{
    struct world *w = *state;
    struct met    met[SCANNERS] = { 0 }, again[SCANNERS] = { 0 };
    struct pass   pass;

    for (unsigned s = 0; s < SCANNERS; s++) run(w, "alone", 1u << s, 1, met);
    pass = run(w, "together", 7, 1, again);
    assert_memory_equal(met, again, sizeof met);
    assert_true(pass.totals.units > SHARDS * 2);            /* several in a shard, or nothing is tested */
    assert_int_equal(shell(w, "diff -r -x lock alone/work together/work >/dev/null"), 0);
    memset(again, 0, sizeof again);
    run(w, "threads", 7, 3, again);
    assert_memory_equal(met, again, sizeof met);
    assert_int_equal(shell(w, "diff -r -x lock alone/work threads/work >/dev/null"), 0);

    assert_int_equal(met[0].documents, SHARDS * (RECORDS - 8));
    assert_int_equal(met[1].documents, SHARDS / 2 * (RECORDS - 8));
    assert_int_equal(met[2].documents, SHARDS * (RECORDS - 8 - 7));         /* 8 are no JSON, 7 have no tokens */
    assert_int_equal(met[0].features + met[1].features, 0);
    assert_true(met[2].features > met[2].documents);
    assert_int_equal(met[0].shards_done, SHARDS);
    assert_int_equal(met[1].shards_done, SHARDS / 2);
    assert_int_equal(pass.totals.documents, met[0].documents);              /* of the first scanner, once */
    assert_int_equal(pass.totals.rejected, SHARDS * 8);
}

static void test_switched_on(void **state)
{
    struct world *w = *state;
    struct met    met[SCANNERS] = { 0 };
    struct pass   first = run(w, "later", 4, 2, met), second;

    second = run(w, "later", 7, 2, met);
    assert_int_equal(second.totals.units_reused, first.totals.units);
    assert_int_equal(met[2].documents, SHARDS * (RECORDS - 15));            /* not shown again */
    assert_int_equal(met[2].shards_done, 2 * SHARDS);                       /* but told that they are there */
    assert_int_equal(met[0].documents, SHARDS * (RECORDS - 8));

    /* One unit of one scanner is gone: its records are shown to that scanner, and no others. */
    memset(met, 0, sizeof met);
    assert_int_equal(shell(w, "rm $(ls later/work/plain-* | head -n 1)"), 0);
    second = run(w, "later", 7, 2, met);
    assert_int_equal(second.totals.units, 1);
    assert_true(met[0].documents > 0 && met[0].documents < RECORDS);
    assert_int_equal(met[1].documents + met[2].documents, 0);
    assert_int_equal(second.totals.documents, SHARDS * (RECORDS - 8));
}

/* A group for each split, once in a part, however many there are. */
static void test_many_splits(void **state)
{
    enum { SPLITS = 30000 };
    struct world    *w = *state;
    struct met       met[SCANNERS] = { 0 };
    struct pass      pass;
    struct pass_walk walk;
    struct err       err = { 0 };
    int              rc;
    char             path[128];
    uint64_t         documents[SPLITS] = { 0 }, part_seen[SPLITS] = { 0 }, parts = 0;
    FILE            *file;

    snprintf(path, sizeof path, "%s/b3.jsonl", w->root);
    file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 2 * SPLITS; i++) fprintf(file, "{\"split\": \"%d\", \"text\": \"\"}\n", i % SPLITS);
    fclose(file);
    shard_list_free(&w->shards);
    assert_int_equal(shard_list_open(&w->shards, w->dataset, 2, w->root, &err), 0);
    pass = run(w, "splits", 2, 2, met);
    assert_int_equal(met[1].documents, RECORDS - 8 + 2 * SPLITS);

    snprintf(path, sizeof path, "%s/splits", w->root);
    if (stage_open(&w->run.stage, path, true, &err) < 0) fail_msg("%s", err.text);
    walk = pass_walk_shard(&w->run, &pass.scanner[0], SHARDS - 1);
    while ((rc = pass_walk_next(&walk, &err)) > 0) {
        const struct pass_unit unit = walk.unit;

        for (uint64_t p = 0; p < unit.header->parts; p++, parts++) {
            struct slice             groups = pass_unit_section(&unit, p, PART_GROUPS),
                heap = pass_unit_section(&unit, p, PART_HEAP);
            const struct part_group *group = (const struct part_group *)(const void *)groups.at;

            for (size_t g = 0; g < groups.len / sizeof *group; g++) {
                char     text[16] = "";
                uint64_t split;

                assert_true(group[g].split_len < sizeof text);
                memcpy(text, heap.at + group[g].split_at, group[g].split_len);
                split = strtoull(text, NULL, 10);
                assert_true(split < SPLITS && part_seen[split] < parts + 1);
                part_seen[split] = parts + 1;
                documents[split] += group[g].documents;
            }
        }
    }
    assert_int_equal(rc, 0);
    for (size_t s = 0; s < SPLITS; s++) assert_int_equal(documents[s], 2);
    stage_close(w->run.stage);
}

/* The units of a scanner read back: of the shards that it takes, in their order; one that is gone is an error. */
static void test_walk(void **state)
{
    struct world     *w = *state;
    struct met        met[SCANNERS] = { 0 };
    const struct pass pass = run(w, "walk", 7, 2, met);
    struct pass_units kept = { 0 };
    struct pass_walk  walk;
    struct err        err = { 0 };
    uint64_t          documents = 0, records = 0;
    char              path[128];
    int               rc;

    snprintf(path, sizeof path, "%s/walk", w->root);
    if (stage_open(&w->run.stage, path, true, &err) < 0) fail_msg("%s", err.text);
    walk = pass_walk_all(&w->run, &pass.scanner[1]);
    while ((rc = pass_walk_next(&walk, &err)) > 0) {
        assert_int_equal(w->shards.at[walk.unit.shard].dataset, 1);
        documents += walk.unit.header->documents;
        assert_int_equal(pass_units_keep(&kept, &walk, &err), 0);
        assert_null(walk.unit.header);
    }
    assert_int_equal(rc, 0);
    assert_int_equal(pass_walk_next(&walk, &err), 0);       /* and stays there */
    assert_int_equal(documents, met[1].documents);
    assert_true(kept.count > SHARDS / 2);
    for (size_t u = 0; u < kept.count; u++) {
        assert_true(u == 0 || kept.at[u].shard >= kept.at[u - 1].shard);
        for (uint64_t p = 0; p < kept.at[u].header->parts; p++)
            records += pass_unit_section(&kept.at[u], p, PART_ROWS).len / sizeof(uint64_t);
    }
    assert_int_equal(records, documents);

    walk = pass_walk_shard(&w->run, &pass.scanner[1], kept.at[0].shard);
    for (documents = 0; (rc = pass_walk_next(&walk, &err)) > 0; documents += walk.unit.header->documents)
        assert_int_equal(walk.unit.shard, kept.at[0].shard);
    assert_true(rc == 0 && documents == RECORDS - 8);
    walk = pass_walk_shard(&w->run, &pass.scanner[1], 0);   /* a shard that it does not take */
    assert_int_equal(pass_walk_next(&walk, &err), 0);
    pass_units_free(&kept);
    assert_true(!kept.at && !kept.count);

    assert_int_equal(shell(w, "rm $(ls walk/work/plain-* | head -n 1)"), 0);
    walk = pass_walk_all(&w->run, &pass.scanner[0]);
    walk.heads = true;
    while ((rc = pass_walk_next(&walk, &err)) > 0) {}
    pass_walk_close(&walk);
    assert_int_equal(rc, -EIO);
    assert_non_null(strstr(err.text, ".jsonl has disappeared or is damaged; the same command again"));
    stage_close(w->run.stage);
}

/* A set of scanners has so many bits; one more is refused, and the pass is as it was. */
static void test_too_many(void **state)
{
    struct pass pass = { 0 };
    struct err  err = { 0 };

    (void)state;
    for (size_t s = 0; s < PASS_SCANNERS; s++)
        assert_int_equal(pass_add(&pass, (struct pass_scanner){ .min_tokens = (uint32_t)s }, &err), 0);
    assert_int_equal(pass_add(&pass, (struct pass_scanner){ .min_tokens = 99 }, &err), -E2BIG);
    assert_non_null(strstr(err.text, "more than 32 scanners"));
    assert_true(pass.scanner_count == PASS_SCANNERS && pass.scanner[PASS_SCANNERS - 1].min_tokens == 31);
}

static void assert_items(struct world *w, const uint32_t bundle[SHARDS], const uint32_t wanted[SHARDS], int threads)
{
    struct met  met = { 0 };
    struct pass pass = { .run = &w->run, .bundle = bundle };
    struct err  err = { 0 };
    char        path[128];

    snprintf(path, sizeof path, "%s/bundles-%u-%d", w->root, bundle[0], threads);
    w->run = (struct run){ .comm = w->comm, .datasets = w->dataset, .dataset_count = 2, .shards = &w->shards,
                           .threads = threads };
    assert_int_equal(stage_open(&w->run.stage, path, true, &err), 0);
    assert_int_equal(pass_add(&pass, (struct pass_scanner){ .kind = "plain", .open = noter_open,
                                                            .shard_done = shard_noted, .shared = &met }, &err), 0);
    assert_int_equal(pass_take_shards(&pass, SHARDS, &err), 0);
    assert_memory_equal(pass.item, wanted, SHARDS * sizeof *wanted);
    if (pass_run(&pass, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(met.shards_done, SHARDS);
    assert_int_equal(met.documents, SHARDS * (RECORDS - RECORDS / 50));
    free((void *)(uintptr_t)pass.item);
    stage_close(w->run.stage);
}

/* The largest bundle first, its shards in the list's order, and every one is read, whatever the number of threads. */
static void test_bundles(void **state)
{
    struct world *w = *state;

    for (int threads = 1; threads <= 3; threads++) {
        assert_items(w, (const uint32_t[]){ 0, 1, 1, 1 }, (const uint32_t[]){ 1, 2, 3, 0 }, threads);
        assert_items(w, (const uint32_t[]){ 5, 2, 5, 2 }, (const uint32_t[]){ 1, 3, 0, 2 }, threads);
        assert_items(w, (const uint32_t[]){ 1, 1, 1, 1 }, (const uint32_t[]){ 0, 1, 2, 3 }, threads);
    }
}

static void test_sides(void **unused)
{
    const struct dataset benchmark = { .role = ROLE_BENCHMARK }, corpus = { .role = ROLE_CORPUS };

    (void)unused;
    assert_true(pass_takes_benchmarks(NULL, &benchmark) && !pass_takes_benchmarks(NULL, &corpus));
    assert_true(pass_takes_corpora(NULL, &corpus) && !pass_takes_corpora(NULL, &benchmark));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_switched_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_splits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_walk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bundles, set_up, tear_down),
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_sides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
