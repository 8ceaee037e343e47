/* cmd/status_find: who lives and who does not, by the lock, by processes, by records; and what is left by others. */
#include "cmd/status_find.h"

#include "tests/unit/made_graph.h"
#include "tests/unit/status_folder.h"

#include <errno.h>
#include <sys/file.h>

static struct found look(const char *dir)
{
    struct found found;
    struct err   err = { 0 };

    if (status_find(dir, &found, &err) < 0) fail_msg("%s", err.text);
    return found;
}

/* The lock is held as by rank 0 of the example; its descriptor. */
static int hold(const struct status_folder *f, const char *holder)
{
    int file;

    status_folder_write(f, "lock", holder, strlen(holder));
    file = openat(f->work, "lock", O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(file, LOCK_EX | LOCK_NB), 0);
    return file;
}

static void is(const struct status_folder *f, enum found_state state, enum found_evidence evidence)
{
    struct found found = look(f->dir);

    if (found.state != state || found.evidence != evidence)
        fail_msg("%s by %s instead of %s by %s", found_states[found.state], found_evidences[found.evidence],
                 found_states[state], found_evidences[evidence]);
    found_free(&found);
}

static void test_life(void **unused)
{
    struct status_folder f;
    struct status_record r, other;
    char                 holder[128];
    int                  lock;

    (void)unused;
    status_folder_open(&f);
    r = status_example();
    status_folder_put(&f, r);
    is(&f, FOUND_RUNNING, BY_PROCESS);                          /* a file system without locks */
    snprintf(holder, sizeof holder, "%s %u\n", r.host, r.process);
    lock = hold(&f, holder);
    is(&f, FOUND_RUNNING, BY_LOCK);
    other = r;
    other.born++;                                               /* another process has its number now */
    other.sequence++;
    status_folder_put(&f, other);
    is(&f, FOUND_RUNNING, BY_LOCK);
    close(lock);
    is(&f, FOUND_DIED, BY_LOCK);
    other.state = STATUS_ENDED;
    other.exit_status = 2;
    other.sequence++;
    status_folder_put(&f, other);
    is(&f, FOUND_ENDED, BY_RECORD);
    lock = hold(&f, "elsewhere 17\n");                          /* the next run, which has not said anything yet */
    is(&f, FOUND_RUNNING, BY_LOCK);
    close(lock);
    status_folder_close(&f);
}

static void test_other_host(void **unused)
{
    struct status_folder f;
    struct status_record r;

    (void)unused;
    status_folder_open(&f);
    r = status_example();
    strcpy(r.host, "another-host.example.org");
    status_folder_put(&f, r);
    is(&f, FOUND_RUNNING, BY_HEARTBEAT);
    r.sequence++;
    r.written -= 3600000;
    status_folder_put(&f, r);
    is(&f, FOUND_DIED, BY_HEARTBEAT);
    status_folder_close(&f);
}

static void test_ranks(void **unused)
{
    struct status_folder f;
    struct status_record r, second;
    struct found         found;

    (void)unused;
    status_folder_open(&f);
    r = second = status_example();
    status_folder_put(&f, r);
    found = look(f.dir);
    assert_int_equal(found.ranks, 2);
    assert_int_equal(found.rank[0].state, RANK_LIVES);
    assert_int_equal(found.rank[1].state, RANK_UNHEARD);
    assert_int_equal(found.counts.items, 3);
    assert_true(found.elapsed == 10 && found.left == 60);       /* 6 MB at 1 MB in 10 s: what was found took no time */
    found_free(&found);
    second.rank = 1;
    second.born++;
    status_folder_put(&f, second);
    found = look(f.dir);
    assert_int_equal(found.rank[1].state, RANK_GONE);
    assert_int_equal(found.counts.items, 6);
    assert_int_equal(found.counts.item_total, 10);
    assert_int_equal(found.counts.bytes, 4000000);
    assert_int_equal(found.recent, 200000);
    found_free(&found);
    second.run++;                                               /* left by another run */
    second.sequence++;
    status_folder_put(&f, second);
    found = look(f.dir);
    assert_int_equal(found.rank[1].state, RANK_UNHEARD);
    assert_int_equal(found.counts.items, 3);
    found_free(&found);
    strcpy(second.stage, "another stage");
    second.run = r.run;
    second.sequence++;
    status_folder_put(&f, second);
    found = look(f.dir);
    assert_int_equal(found.counts.items, 3);                    /* of another stage are no items of this one */
    found_free(&found);
    status_folder_close(&f);
}

/* Folders in which nothing is said. */
static void test_silent(void **unused)
{
    struct status_folder f;
    struct made_graph    g;
    struct found         found;
    struct err           err = { 0 };
    char                 path[96];
    int                  lock;

    (void)unused;
    status_folder_open(&f);
    is(&f, FOUND_DIED, BY_LOCK);
    status_folder_write(&f, "a.unit", "12345", 5);
    status_folder_write(&f, "status-0", "damaged", 7);
    found = look(f.dir);
    assert_true(!found.told && found.units == 1 && found.unit_bytes == 5);
    found_free(&found);
    lock = hold(&f, "here 1\n");
    is(&f, FOUND_RUNNING, BY_LOCK);
    close(lock);
    snprintf(path, sizeof path, "%s/nowhere", f.dir);
    assert_int_equal(status_find(path, &found, &err), -ENOENT);
    assert_non_null(strstr(err.text, "is no folder of a run"));
    found_free(&found);
    status_folder_close(&f);

    made_open(&g, "INSERT INTO run VALUES ('records', '12'), ('rejected', '5');");
    found = look(g.folder);
    assert_int_equal(found.state, FOUND_ENDED);
    assert_int_equal(found.evidence, BY_GRAPH);
    assert_true(found.records == 12 && found.rejected == 5);
    found_free(&found);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_life), cmocka_unit_test(test_other_host),
                                        cmocka_unit_test(test_ranks), cmocka_unit_test(test_silent) };

    return cmocka_run_group_tests_name("cmd/status_find", tests, NULL, NULL);
}
