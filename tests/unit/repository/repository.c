/* tests/unit/repository/repository.c -- what the scanners of benchmarks and of corpora put into their units. */
#include "repository/index.h"
#include "repository/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static const char yaml[] = "datasets:\n"
                           "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                           "  - {name: left_out, role: benchmark, files: [l.jsonl]}\n"
                           "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                           "repositories: {benchmarks: [bench], renames: old.tsv, path_components: 2}\n";

static const char bench[] =
    "{\"repo\": \"https://host/Own/A.git\", \"path\": \"x/y/z\", \"text\": \"int a;\\n\"}\n"
    "{\"path\": \"p/q/r.c\", \"text\": \"int  b;\"}\n"
    "{\"path\": \"r.c\", \"text\": \"c\"}\n"                        /* no folders enough: no repository */
    "{\"repo\": \"own/a\", \"text\": \" \\t\\n\\r\"}\n";            /* blank */

static const char code[] =
    "{\"repo\": \"was/A\", \"text\": \"int a;\\n\"}\n"              /* own/a, as it was called; the same bytes */
    "{\"repo\": \"was/a\", \"text\": \"int a;\\n\"}\n"              /* again: said once */
    "{\"repo\": \"own/a\", \"text\": \"int a ;\"}\n"                /* other white space */
    "{\"repo\": \"else/where\", \"text\": \"intb;\"}\n"             /* a repository of no benchmark */
    "{\"text\": \"nothing of it\"}\n"
    "{\"repo\": \"p/q\", \"text\": \" \"}\n";                       /* blank: says the name alone */

static struct small_run small;

static void open_run(struct repository_job *job)
{
    struct repository_task *task;

    small_open(&small);
    small_write(&small, "b.jsonl", bench);
    small_write(&small, "l.jsonl", bench);
    small_write(&small, "c.jsonl", code);
    small_write(&small, "old.tsv", "was/a\town/a\n");
    small_start(&small, yaml);
    task = repository_task(&small.config);
    *job = (struct repository_job){ .run = &small.run, .options = &task->options, .benchmark = task->benchmark };
}

/* The only unit of a shard, which has one part. */
static void load(const struct pass_scanner *scanner, uint32_t shard, struct pass_unit *unit)
{
    struct err err = { 0 };

    assert_int_equal(pass_unit_load(&small.run, scanner, shard, 0, unit, &err), 1);
    assert_int_equal(unit->header->next, 0);
    assert_int_equal(unit->header->parts, 1);
}

static struct slice heap_at(const struct pass_unit *unit, struct heap_string s)
{
    return (struct slice){ pass_unit_section(unit, 0, PART_HEAP).at + s.at, s.len };
}

static void test_collector(void **unused)
{
    static const struct { const char *repo; uint32_t blank; } expected[] = {
        { "own/a", 0 }, { "p/q", 0 }, { "", 0 }, { "own/a", 1 },
    };
    struct repository_job        job;
    struct pass_scanner          collector;
    struct pass_unit             unit;
    const struct repository_row *row;
    struct err                   err = { 0 };

    (void)unused;
    open_run(&job);
    if (repository_prepare(&job, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(job.totals.documents, 4);              /* of the benchmark that is asked for */
    collector = repository_collector(&job);
    load(&collector, 0, &unit);
    row = (const void *)pass_unit_section(&unit, 0, PART_ROWS).at;
    assert_int_equal(pass_unit_section(&unit, 0, PART_ROWS).len, 4 * sizeof *row);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(row[i].record, i);
        assert_int_equal(row[i].blank, expected[i].blank);
        assert_true(slice_equal(heap_at(&unit, row[i].repo), slice_of(expected[i].repo)));
    }
    unit_close(&unit.file);
    assert_int_equal(pass_unit_load(&small.run, &collector, 1, 0, &unit, &err), 0);
    assert_int_equal(job.index->file_count, 2);
    repository_release(&job);
    assert_null(job.index);
    repository_release(&job);
    small_close(&small);
}

static void check_search(struct repository_job *job)
{
    struct pass                    pass = { .run = &small.run };
    struct pass_scanner            scanner = repository_scanner(job);
    struct pass_unit               unit;
    const struct repository_hit   *hit;
    const struct repository_named *named;
    struct err                     err = { 0 };
    size_t                         hits = 0;

    if (pass_add(&pass, scanner, &err) < 0 || pass_stream(&pass, small.shards.count, &err) < 0)
        fail_msg("%s", err.text);
    load(&scanner, 2, &unit);
    hit = (const void *)pass_unit_section(&unit, 0, PART_ROWS).at;
    hits = pass_unit_section(&unit, 0, PART_ROWS).len / sizeof *hit;
    assert_int_equal(hits, job->near ? 1 : 4);
    /* the name stands as the record says it: renames come with the result */
    assert_true(hit[0].likeness == REPOSITORY_EXACT && hit[0].text == 0);
    assert_true(slice_equal(heap_at(&unit, hit[0].repo), SLICE("was/a")));
    if (!job->near) {
        assert_true(hit[1].likeness == REPOSITORY_LAYOUT && hit[1].text == 0);
        assert_true(slice_equal(heap_at(&unit, hit[1].repo), SLICE("was/a")));
        assert_true(hit[2].likeness == REPOSITORY_LAYOUT && hit[2].text == 0);
        assert_true(slice_equal(heap_at(&unit, hit[2].repo), SLICE("own/a")));
        assert_true(hit[3].likeness == REPOSITORY_LAYOUT && hit[3].text == 1);
        assert_true(slice_equal(heap_at(&unit, hit[3].repo), SLICE("else/where")));
    }
    named = (const void *)pass_unit_section(&unit, 0, PART_COUNTS).at;
    assert_int_equal(pass_unit_section(&unit, 0, PART_COUNTS).len, 2 * sizeof *named);
    assert_true(named[0].name == 0 && named[0].documents == 3);
    assert_true(named[1].name == 1 && named[1].documents == 1);
    unit_close(&unit.file);
}

static void test_scanner(void **unused)
{
    struct repository_job job;
    struct unit_key       key, other;
    struct err            err = { 0 };

    (void)unused;
    open_run(&job);
    if (repository_prepare(&job, &err) < 0) fail_msg("%s", err.text);
    check_search(&job);
    key = repository_scanner(&job).key;
    job.near = true;                                        /* what is nearly equal is asked of pass near */
    other = repository_scanner(&job).key;
    assert_true(key.low != other.low);
    check_search(&job);
    assert_true(repository_scanner(&job).takes(&job, &small.config.datasets[2]));
    assert_false(repository_scanner(&job).takes(&job, &small.config.datasets[0]));
    assert_true(repository_collector(&job).takes(&job, &small.config.datasets[0]));
    assert_false(repository_collector(&job).takes(&job, &small.config.datasets[1]));
    key = repository_collector(&job).key;
    repository_task(&small.config)->options.path_components = 1;
    other = repository_collector(&job).key;
    assert_true(key.low != other.low);
    repository_release(&job);
    small_close(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_collector), cmocka_unit_test(test_scanner) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
