/* tests/unit/dedup/summary.c -- the table at the end of a run, and what is said beside it. */
#include "dedup/summary.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

static char heard[4096];

/* What goes to standard output meanwhile. */
static void listen(const struct dedup_job *job, const struct dedup_result *result)
{
    FILE      *file = tmpfile();
    struct err err = { 0 };
    int        out;
    size_t     len;

    assert_non_null(file);
    fflush(stdout);
    out = dup(STDOUT_FILENO);
    assert_true(out >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    assert_int_equal(summary_dedup(job, result, &err), 0);
    fflush(stdout);
    assert_true(dup2(out, STDOUT_FILENO) >= 0);
    close(out);
    rewind(file);
    len = fread(heard, 1, sizeof heard - 1, file);
    heard[len] = '\0';
    fclose(file);
    assert_null(strchr(heard, '\x1b'));
}

static void says(const char *text)
{
    if (!strstr(heard, text)) fail_msg("not said: %s\n%s", text, heard);
}

static void test_table(void **unused)
{
    struct dataset        datasets[] = { { .name = (char *)(uintptr_t)"unused" }, { .name = (char *)(uintptr_t)"d" } };
    const uint32_t        member[] = { 1 };
    struct dedup_cell     cell[] = {
        { 1, SLICE("te\x1bst"), SLICE("c"), 10, 9, 0, 0, 1000000, 4, 500000 },
        { 1, SLICE("train"), SLICE("c"), 20, 9, 0, 0, 3000000, 0, 0 },
        { 1, SLICE("train"), SLICE("java"), 20, 9, 0, 0, 1000000, 1, 500000 },
    };
    struct dedup_options  options = { .write = DEDUP_WRITE_SHARDS };
    const struct run      run = { .datasets = datasets, .dataset_count = 2, .output = "the/run" };
    struct dedup_job      job = { .run = &run, .member = member, .member_count = 1, .options = &options,
                                  .stats = { .admitted = 27, .documents = 50, .copies = 3, .candidates = 8,
                                             .verified = 5, .clusters = 2, .largest_cluster = 4, .sample_pairs = 100,
                                             .sample_found = 100, .mutants = 0 } };
    const struct dedup_result result = { .cell = cell, .cell_count = 3 };

    (void)unused;
    listen(&job, &result);
    says("documents     removed      %        kept    text removed      %\n");
    says("te\\x1bst          10           4  40.00           6        0.500 MB  50.00\n");
    says("train          40           1   2.50          39        0.500 MB  12.50\n");
    says("all            50           5  10.00          45        1.000 MB  20.00\n");
    says("compared    27 of 50 documents, the others only as bytes; 3 copies of another; 8 candidates, 5 verified\n");
    says("clusters    2, the largest of 4 documents\n");
    says("recall      100.00 %, 95 % interval 96.30 to 100.00: 100 of 100 pairs of sampled documents\n");
    says("shards      the/run/clean\n");
    assert_null(strstr(heard, "hot  "));
    assert_null(strstr(heard, "an edit"));                  /* no mutants, nothing to say of them */
    assert_null(strstr(heard, "unused"));

    options.write = DEDUP_WRITE_LISTS;
    job.stats.hot_buckets = 2, job.stats.hot_members = 9, job.stats.mutants = 4, job.stats.mutants_found = 3;
    listen(&job, &result);
    says("hot         2 buckets above bucket_cap, of 9 documents in all");
    says("recall      75.00 %");
    says("lists       the/run/lists\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_table) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
