/* base/status_record: what is written is read; the newer slot counts; what is damaged, half, or of others is not
 * believed. */
#include "tests/unit/status_folder.h"

#include <errno.h>

static void test_slots(void **unused)
{
    struct status_folder f;
    struct status_record r, back;
    struct err           err = { 0 };

    (void)unused;
    status_folder_open(&f);
    r = status_example();
    assert_int_equal(status_read(f.work, 0, &back, &err), 0);
    status_folder_put(&f, r);
    assert_int_equal(status_read(f.work, 0, &back, &err), 1);
    assert_int_equal(back.counts.items, 3);
    for (uint64_t sequence = 8; sequence < 12; sequence++) {
        r.sequence = sequence;
        r.counts.items = sequence;
        status_folder_put(&f, r);
        assert_int_equal(status_read(f.work, 0, &back, &err), 1);
        assert_int_equal(back.counts.items, sequence);
    }
    status_folder_close(&f);
}

/* A kill in the middle of a record leaves the one before, wherever it comes. */
static void test_cut(void **unused)
{
    struct status_folder f;
    struct status_record r, next, back;
    struct err           err = { 0 };
    char                 both[2 * STATUS_SLOT] = { 0 };

    (void)unused;
    status_folder_open(&f);
    r = next = status_example();
    next.sequence++;
    next.counts.items = 4;
    status_seal(&r);
    status_seal(&next);
    memcpy(both + status_slot(r.sequence), &r, sizeof r);
    for (size_t cut = 0; cut <= sizeof next; cut += 8) {
        memcpy(both + status_slot(next.sequence), &next, cut);
        status_folder_write(&f, "status-0", both, sizeof both);
        assert_int_equal(status_read(f.work, 0, &back, &err), 1);
        /* behind the items the two are alike */
        if (cut <= offsetof(struct status_record, counts)) assert_int_equal(back.counts.items, 3);
    }
    assert_int_equal(back.counts.items, 4);
    status_folder_close(&f);
}

static void test_strangers(void **unused)
{
    static const size_t  text[] = { offsetof(struct status_record, host), offsetof(struct status_record, command),
                                    offsetof(struct status_record, stage), offsetof(struct status_record, unit),
                                    offsetof(struct status_record, version), offsetof(struct status_record, error),
                                    sizeof(struct status_record) };
    struct status_folder f;
    struct status_record r, wrong, back;
    struct err           err = { 0 };
    char                 garbage[5000];

    (void)unused;
    status_folder_open(&f);
    r = status_example();
    status_seal(&r);
    assert_true(status_valid(&r));
    for (size_t byte = 0; byte < sizeof r; byte++) {
        wrong = r;
        ((char *)&wrong)[byte] ^= 1;
        assert_false(status_valid(&wrong));
    }
    for (size_t t = 0; t + 1 < sizeof text / sizeof *text; t++) {
        wrong = r;
        memset((char *)&wrong + text[t], 'x', text[t + 1] - text[t]);
        status_seal(&wrong);
        assert_false(status_valid(&wrong));
    }
    wrong = r;
    wrong.rank = wrong.ranks;
    status_seal(&wrong);
    assert_false(status_valid(&wrong));
    wrong = r;
    wrong.written = INT64_MIN;
    status_seal(&wrong);
    assert_false(status_valid(&wrong));

    memset(garbage, 'x', sizeof garbage);
    status_folder_write(&f, "status-0", garbage, sizeof garbage);
    assert_int_equal(status_read(f.work, 0, &back, &err), -EBADMSG);
    status_folder_write(&f, "status-0", "", 0);
    assert_int_equal(status_read(f.work, 0, &back, &err), -EBADMSG);
    status_folder_write(&f, "status-3", &r, sizeof r);          /* of rank 0, under another's name */
    assert_int_equal(status_read(f.work, 3, &back, &err), -EBADMSG);
    assert_int_equal(symlinkat("status-3", f.work, "status-4"), 0);
    assert_true(status_read(f.work, 4, &back, &err) < 0);
    assert_int_equal(mkdirat(f.work, "status-5", 0700), 0);
    assert_int_equal(mkfifoat(f.work, "status-6", 0700), 0);
    assert_true(status_read(f.work, 5, &back, &err) < 0);
    assert_true(status_read(f.work, 6, &back, &err) < 0);       /* and nobody waits for a writer */
    status_folder_close(&f);
}

static void test_born(void **unused)
{
    int   gone[2];
    pid_t child;
    char  byte;

    (void)unused;
    assert_int_equal(status_born((uint32_t)getpid()), status_born((uint32_t)getpid()));
    assert_int_equal(status_born(0), 0);
    assert_int_equal(pipe(gone), 0);
    if ((child = fork()) == 0) _exit(0);
    close(gone[1]);
    assert_int_equal(read(gone[0], &byte, 1), 0);               /* the child has closed its end */
    while (status_born((uint32_t)child)) usleep(1000);          /* ended, though nobody has waited for it */
    close(gone[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_slots), cmocka_unit_test(test_cut),
                                        cmocka_unit_test(test_strangers), cmocka_unit_test(test_born) };

    return cmocka_run_group_tests_name("base/status_record", tests, NULL, NULL);
}
