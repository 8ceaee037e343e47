/* sensitive/scan: what the units of both scanners hold, and which values the settings leave out. */
#include "sensitive/task.h"
#include "tests/unit/small_run.h"

static struct sensitive_job *job_start(struct small_run *r, const char *settings)
{
    char                   yaml[512];
    struct sensitive_task *task;
    struct err             err = { 0 };

    snprintf(yaml, sizeof yaml, "datasets:\n  - {name: a, role: benchmark, files: a.jsonl}\n"
             "  - {name: c, role: corpus, files: c.jsonl}\n  - {name: d, role: corpus, files: d.jsonl}\n"
             "sensitive: {%s}\n", settings);
    small_start(r, yaml);
    task = sensitive_task(&r->config);
    task->job = (struct sensitive_job){ .run = &r->run, .options = &task->options, .member = task->member };
    if (sensitive_prepare(&task->job, &err) < 0) fail_msg("%s", err.text);
    return &task->job;
}

/* Shows the units of a shard to a function. */
static int units_show(const struct run *run, const struct pass_scanner *scanner, uint32_t shard,
                      int (*show)(void *context, const struct pass_unit *unit, struct err *err), void *context,
                      struct err *err)
{
    struct pass_walk walk = pass_walk_shard(run, scanner, shard);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) show(context, &walk.unit, err);
    pass_walk_close(&walk);
    return rc;
}

/* ---- which values ---- */

struct listing { char text[512]; struct sensitive_row first; };

/* Masked values with their counts: "a…g (7) 2/3" stands in two documents, three times. */
static int rows_list(void *context, const struct pass_unit *unit, struct err *err)
{
    struct listing             *l = context;
    const struct slice          rows = pass_unit_section(unit, 0, PART_ROWS);
    const struct sensitive_row *row = (const void *)rows.at;
    const char                 *heap = pass_unit_section(unit, 0, PART_HEAP).at;

    (void)err;
    for (size_t i = 0; i < rows.len / sizeof *row; i++) {
        const size_t len = strlen(l->text);

        if (i == 0) l->first = row[0];
        snprintf(l->text + len, sizeof l->text - len, "%s%s%s%.*s %.*s %llu/%llu", len ? ", " : "",
                 sensitive_names[row[i].kind], row[i].pattern.len ? "/" : "", (int)row[i].pattern.len,
                 heap + row[i].pattern.at, (int)row[i].masked.len, heap + row[i].masked.at,
                 (unsigned long long)row[i].documents, (unsigned long long)row[i].occurrences);
    }
    return 0;
}

static struct listing collected(const char *settings)
{
    struct small_run      r;
    struct sensitive_job *job;
    struct pass_scanner   scanner;
    struct listing        l = { 0 };
    struct err            err = { 0 };

    small_open(&r);
    small_write(&r, "a.jsonl", "{\"text\": \"none\"}\n"
                "{\"text\": \" one@b.org, one@b.org and me@example.org\"}\n"
                "{\"text\": \"10.1.2.3 is near, 93.184.216.34 far\"}\n"
                "{\"text\": \"one@b.org: AKIA" "Q7XZ9KP2VW4JT6MB\"}\n");
    small_write(&r, "c.jsonl", "{\"text\": \"\"}\n");
    small_write(&r, "d.jsonl", "{\"text\": \"\"}\n");
    job = job_start(&r, settings);
    scanner = sensitive_collector(job, ROLE_BENCHMARK);
    assert_int_equal(units_show(&r.run, &scanner, 0, rows_list, &l, &err), 0);
    assert_int_equal(job->totals.documents, 4);
    sensitive_release(job);
    small_close(&r);
    return l;
}

#define ONE  "email o\xE2\x80\xA6g (9) 2/3"
#define ME   "email m\xE2\x80\xA6g (14) 1/1"
#define NEAR "ip 1\xE2\x80\xA6" "3 (8) 1/1"
#define FAR  "ip 9\xE2\x80\xA6" "4 (13) 1/1"
#define AWS  "key/aws A\xE2\x80\xA6" "B (20) 1/1"

static void test_values(void **state)
{
    const struct listing all = collected("local: true, example: true");

    (void)state;
    assert_string_equal(all.text, ONE ", " ME ", " NEAR ", " FAR ", " AWS);
    assert_int_equal(all.first.first, 1);                   /* records of its first and its last document */
    assert_int_equal(all.first.last, 3);
    assert_int_equal(all.first.at, 1);
    assert_int_equal(all.first.needle.len, 9);
    assert_string_equal(collected("").text, ONE ", " FAR ", " AWS);
    assert_string_equal(collected("example: true").text, ONE ", " ME ", " FAR ", " AWS);
    assert_string_equal(collected("kinds: [ip, key], local: true").text, NEAR ", " FAR ", " AWS);
    assert_string_equal(collected("kinds: email").text, ONE);
}

/* ---- in the corpora ---- */

struct counts { struct sensitive_found found[4]; size_t count; };

static int found_list(void *context, const struct pass_unit *unit, struct err *err)
{
    struct counts     *counts = context;
    const struct slice rows = pass_unit_section(unit, 0, PART_ROWS);

    (void)err;
    counts->count = rows.len / sizeof *counts->found;
    assert_true(counts->count <= 4);
    memcpy(counts->found, rows.at, rows.len);
    return 0;
}

/* Verbatim, also where no pattern would find it; in every corpus, member or not. */
static void test_searched(void **state)
{
    struct small_run      r;
    struct sensitive_job *job;
    struct pass_scanner   scanner;
    struct counts         counts;
    struct err            err = { 0 };

    (void)state;
    small_open(&r);
    small_write(&r, "a.jsonl", "{\"text\": \"one@b.org, two@b.org, three@b.org\"}\n");
    small_write(&r, "c.jsonl", "{\"text\": \"two@b.orgtwo@b.org two@B.org\"}\n{\"text\": \"\"}\n"
                "{\"text\": \"xtwo@b.org\"}\n{\"text\": \"one@b.org\"}\n");
    small_write(&r, "d.jsonl", "{\"text\": \"four@b.org\"}\n");
    job = job_start(&r, "");
    sensitive_release(job);
    small_pass(&r);                                         /* the index is made again, and is the same */
    scanner = sensitive_searcher(job);
    assert_int_equal(units_show(&r.run, &scanner, 1, found_list, &counts, &err), 0);
    assert_int_equal(counts.count, 2);
    assert_int_equal(counts.found[0].number, 1);
    assert_int_equal(counts.found[0].documents, 2);
    assert_int_equal(counts.found[0].occurrences, 3);
    assert_int_equal(counts.found[0].last, 2);
    assert_int_equal(counts.found[1].number, 0);
    assert_int_equal(counts.found[1].documents, 1);
    assert_int_equal(units_show(&r.run, &scanner, 2, found_list, &counts, &err), 0);
    assert_int_equal(counts.count, 0);
    small_close(&r);
}

static void test_members(void **state)
{
    struct small_run      r;
    struct sensitive_job *job;

    (void)state;
    small_open(&r);
    small_write(&r, "a.jsonl", "{\"text\": \"\"}\n");
    small_write(&r, "c.jsonl", "{\"text\": \"\"}\n");
    small_write(&r, "d.jsonl", "{\"text\": \"\"}\n");
    job = job_start(&r, "datasets: d");
    assert_false(sensitive_has_member(job, ROLE_BENCHMARK));
    assert_true(sensitive_has_member(job, ROLE_CORPUS));
    for (size_t d = 0; d < 3; d++) {
        const struct dataset *dataset = &r.config.datasets[d];

        assert_false(sensitive_collector(job, ROLE_BENCHMARK).takes(job, dataset));
        assert_int_equal(sensitive_collector(job, ROLE_CORPUS).takes(job, dataset), d == 2);
        assert_int_equal(sensitive_searcher(job).takes(job, dataset), d > 0);
    }
    sensitive_release(job);
    sensitive_release(job);                                 /* nothing is left to release */
    small_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_values), cmocka_unit_test(test_searched),
                                        cmocka_unit_test(test_members) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
