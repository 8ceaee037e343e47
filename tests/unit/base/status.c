/* base/status: what stages say is in the file soon, the end at once; a file that cannot be written stops nothing. */
#include "base/status.h"

#include "base/log.h"
#include "tests/unit/base/stage_folder.h"

#include <errno.h>
#include <time.h>

static void begin(const struct world *world, struct stage **stage, struct comm **comm)
{
    struct err err = { 0 };

    *stage = open_stage(world, true);
    assert_int_equal(comm_open(comm, &err), 0);
    status_open(&(struct status_run){ "run", "1.2.3", 4 }, *comm, *stage);
}

static struct status_record now_of(const struct world *world)
{
    struct status_record record;
    struct err           err = { 0 };
    int                  work = open(world->work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (status_read(work, 0, &record, &err) != 1) fail_msg("%s", err.text);
    close(work);
    return record;
}

static void test_told(void **state)
{
    struct world        *world = *state;
    struct stage        *stage;
    struct comm         *comm;
    struct status_record r;
    char                 old[160];

    stage_close(open_stage(world, true));
    snprintf(old, sizeof old, "%s/status-5", world->work);      /* of a run with more ranks */
    write_file(old, "x", 1);
    status_stage("before it is open", NULL);
    begin(world, &stage, &comm);
    assert_int_equal(access(old, F_OK), -1);
    r = now_of(world);
    assert_string_equal(r.command, "run");
    assert_string_equal(r.version, "1.2.3");
    assert_string_equal(r.stage, "starting");
    assert_int_equal(r.state, STATUS_RUNNING);
    assert_int_equal(r.ranks, 1);
    assert_int_equal(r.threads, 4);
    assert_int_equal(r.process, getpid());
    assert_int_equal(r.born, status_born((uint32_t)getpid()));
    assert_int_equal(r.every, 1000);
    status_stage("reading", "shards");
    status_count(&(struct status_counts){ .items = 1, .item_total = 2, .bytes = 5000, .byte_total = 9000,
                                          .found = 1000 });
    for (int i = 0; i < 100 && strcmp(now_of(world).stage, "reading") != 0; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    r = now_of(world);
    assert_string_equal(r.stage, "reading");
    assert_string_equal(r.unit, "shards");
    assert_int_equal(r.counts.bytes, 5000);
    assert_true(r.recent > 0 && r.recent < 1000000);            /* of 4000 that were read, not found */
    status_stage("next", NULL);
    status_close(3, "a gate failed");
    r = now_of(world);
    assert_string_equal(r.stage, "next");
    assert_int_equal(r.counts.bytes, 0);
    assert_int_equal(r.state, STATUS_ENDED);
    assert_int_equal(r.exit_status, 3);
    assert_string_equal(r.error, "a gate failed");
    status_close(0, NULL);                                      /* once is enough */
    status_items(1, 2);
    assert_int_equal(now_of(world).exit_status, 3);
    status_forget(stage);
    assert_int_equal(count_files(world, STATUS_NAME, "", NULL, 0), 0);
    comm_close(comm);
    stage_close(stage);
}

/* Something of that name is there and stays: said once, however often it is tried. */
static void test_cannot(void **state)
{
    struct world *world = *state;
    struct stage *stage;
    struct comm  *comm;
    struct bytes  log = { 0 };
    char          place[160];
    const char   *first;

    stage_close(open_stage(world, true));
    snprintf(place, sizeof place, "%s/status-0", world->work);
    assert_int_equal(mkdir(place, 0700), 0);
    begin(world, &stage, &comm);
    status_close(0, NULL);
    snprintf(place, sizeof place, "%s/log", world->root);
    read_file(place, &log);
    first = strstr(log.at, "status-0: cannot write: ");
    assert_non_null(first);
    assert_null(strstr(strchr(first, '\n'), "cannot write"));
    bytes_free(&log);
    comm_close(comm);
    stage_close(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_told, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_cannot, set_up, tear_down) };

    return cmocka_run_group_tests_name("base/status", tests, NULL, NULL);
}
