/* tests/unit/repository/result.c -- where the repositories of a small benchmark are, worked out by hand. */
#include "near/task.h"
#include "repository/result.h"
#include "repository/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static const char bench[] = "{\"repo\": \"o/b\", \"text\": \"one alpha beta\"}\n"
                            "{\"repo\": \"o/a\", \"text\": \"one alpha beta\"}\n"
                            "{\"repo\": \"o/a\", \"text\": \"two alpha beta\"}\n"
                            "{\"repo\": \"o/a\", \"text\": \"three of them\"}\n"
                            "{\"repo\": \"o/a\", \"text\": \"\"}\n";

static const char code[] = "{\"repo\": \"O/A.git\", \"text\": \"one alpha beta\"}\n"
                           "{\"repo\": \"x/y\", \"text\": \"one alpha beta\"}\n"
                           "{\"repo\": \"x/y\", \"text\": \"one  alpha beta\"}\n"  /* again, and less alike */
                           "{\"repo\": \"x/z\", \"text\": \"two alpha  beta\"}\n"
                           "{\"repo\": \"x/y\", \"text\": \"two alpha  beta\"}\n"
                           "{\"text\": \"one alpha beta\"}\n"
                           "{\"repo\": \"o/b\", \"text\": \"something else\"}\n";

static struct small_run           small;
static struct repository_job     *job;
static struct repository_result   result;

static int read_result(const char *settings, struct err *err)
{
    char yaml[512];

    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "  - {name: other, role: corpus, files: [o.jsonl]}\n"
                                "%s\n", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", bench);
    small_write(&small, "c.jsonl", code);
    small_write(&small, "o.jsonl", "{\"repo\": \"q/q\", \"text\": \"three of  them\"}\n");
    small_start(&small, yaml);
    small_pass(&small);
    job = &repository_task(&small.config)->job;
    if (job->near && near_result_read(&near_task(&small.config)->job, &near_task(&small.config)->result, err) < 0)
        return err->code;
    return repository_result_read(job, job->near ? &near_task(&small.config)->result : NULL, &result, err);
}

static void close_all(void)
{
    repository_result_free(&result);
    assert_true(!result.row && !result.copy && !result.count && !result.copy_count);
    small_close(&small);
}

struct expected_row { const char *name; uint32_t corpus; uint64_t documents, files, exact, near, elsewhere; bool by; };
struct expected_copy { const char *name; uint32_t corpus; const char *other; uint64_t exact, near; };

static void check_rows(const struct expected_row *row, size_t count)
{
    assert_int_equal(result.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct membership *m = &result.row[i];

        if (m->benchmark != 0 || m->corpus != row[i].corpus || m->documents != row[i].documents ||
            m->files != row[i].files || m->exact != row[i].exact || m->near != row[i].near ||
            m->elsewhere != row[i].elsewhere || m->by_content != row[i].by ||
            !slice_equal(repository_name(result.index, m->name), slice_of(row[i].name)))
            fail_msg("row %zu: corpus %u documents %llu files %llu exact %llu near %llu elsewhere %llu by %d", i,
                     m->corpus, (unsigned long long)m->documents, (unsigned long long)m->files,
                     (unsigned long long)m->exact, (unsigned long long)m->near, (unsigned long long)m->elsewhere,
                     m->by_content);
    }
}

static void check_copies(const struct expected_copy *copy, size_t count)
{
    assert_int_equal(result.copy_count, count);
    for (size_t i = 0; i < count; i++) {
        const struct membership_copy *c = &result.copy[i];

        if (c->benchmark != 0 || c->corpus != copy[i].corpus || c->exact != copy[i].exact || c->near != copy[i].near ||
            !slice_equal(repository_name(result.index, c->name), slice_of(copy[i].name)) ||
            !slice_equal(repository_name(result.index, c->other), slice_of(copy[i].other)))
            fail_msg("copy %zu: corpus %u exact %llu near %llu", i, c->corpus, (unsigned long long)c->exact,
                     (unsigned long long)c->near);
    }
}

/* share 0.34: one of three files is not enough, two are. */
static const struct expected_row rows[] = {
    { "o/a", 1, 1, 3, 1, 1, 2, true }, { "o/a", 2, 0, 3, 0, 1, 1, false },
    { "o/b", 1, 1, 1, 1, 0, 1, true }, { "o/b", 2, 0, 1, 0, 0, 0, false },
};
static const struct expected_copy copies[] = {
    { "o/a", 1, "x/y", 1, 1 }, { "o/a", 1, "", 1, 0 }, { "o/a", 1, "x/z", 0, 1 }, { "o/a", 2, "q/q", 0, 1 },
    { "o/b", 1, "", 1, 0 }, { "o/b", 1, "o/a", 1, 0 }, { "o/b", 1, "x/y", 1, 0 },
};

static void test_layout(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    if (read_result("repositories: {share: 0.34}", &err) < 0) fail_msg("%s", err.text);
    check_rows(rows, 4);
    check_copies(copies, 7);
    close_all();
}

/* The same through the classes of pass near: here nothing but white space differs. */
static void test_near(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    if (read_result("repositories: {share: 0.34}\nnear_duplicates: {min_tokens: 1, set_threshold: 1, "
                    "multiset_threshold: 1}", &err) < 0) fail_msg("%s", err.text);
    assert_true(job->near);
    check_rows(rows, 4);
    check_copies(copies, 7);
    close_all();
}

/* Two others at most, of equal ones those with the smaller name; a third of the files is a third. */
static void test_top(void **unused)
{
    static const struct expected_copy two[] = {
        { "o/a", 1, "x/y", 1, 1 }, { "o/a", 1, "", 1, 0 }, { "o/a", 2, "q/q", 0, 1 },
        { "o/b", 1, "", 1, 0 }, { "o/b", 1, "o/a", 1, 0 },
    };
    struct err err = { 0 };

    (void)unused;
    if (read_result("repositories: {share: 0.33, top: 2}", &err) < 0) fail_msg("%s", err.text);
    check_copies(two, 5);
    assert_true(result.row[1].by_content);
    close_all();
    if (read_result("repositories: {share: 1, top: 0}", &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(result.copy_count, 0);
    assert_false(result.row[0].by_content);                 /* two of three */
    assert_true(result.row[2].by_content);                  /* the only one */
    close_all();
}

static void test_units_gone(void **unused)
{
    struct err err = { 0 };

    (void)unused;
    if (read_result("repositories: {}", &err) < 0) fail_msg("%s", err.text);
    repository_result_free(&result);
    assert_int_equal(stage_clear(small.stage, &err), 0);
    assert_int_equal(repository_result_read(job, NULL, &result, &err), -EIO);
    assert_non_null(strstr(err.text, "c.jsonl has disappeared or is damaged"));
    close_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_layout), cmocka_unit_test(test_near),
                                        cmocka_unit_test(test_top), cmocka_unit_test(test_units_gone) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
