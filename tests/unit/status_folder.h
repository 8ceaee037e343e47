/* tests/unit/status_folder.h -- the folder of a run that exists in its records alone. */
#ifndef LEAKGRAPH_TESTS_UNIT_STATUS_FOLDER_H
#define LEAKGRAPH_TESTS_UNIT_STATUS_FOLDER_H

#include "base/status_record.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct status_folder { char dir[64]; int work; };

static inline void status_folder_open(struct status_folder *f)
{
    char path[80];

    strcpy(f->dir, "/tmp/leakgraph-status-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    snprintf(path, sizeof path, "%s/work", f->dir);
    assert_int_equal(mkdir(path, 0700), 0);
    f->work = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(f->work >= 0);
}

static inline void status_folder_close(struct status_folder *f)
{
    close(f->work);
    remove_tree(f->dir);
}

/* Rank 0 of two, which is this process, in the midst of a stage that began ten seconds ago. */
static inline struct status_record status_example(void)
{
    const int64_t        now = (int64_t)time(NULL) * 1000;
    struct status_record r = { .sequence = 7, .run = 99, .started = now - 60000, .stage_started = now - 10000,
                               .written = now, .ranks = 2, .threads = 3, .process = (uint32_t)getpid(), .every = 1000,
                               .state = STATUS_RUNNING, .command = "run", .stage = "reading shards", .unit = "shards",
                               .version = "1.2.3",
                               .counts = { .items = 3, .item_total = 10, .bytes = 2000000, .byte_total = 8000000,
                                           .found = 1000000, .documents = 50, .rejected = 4 },
                               .recent = 100000 };

    r.born = status_born(r.process);
    assert_true(r.born > 0);
    assert_int_equal(gethostname(r.host, sizeof r.host - 1), 0);
    return r;
}

static inline void status_folder_put(const struct status_folder *f, struct status_record record)
{
    char name[32], slot[STATUS_SLOT] = { 0 };
    int  file;

    status_seal(&record);
    memcpy(slot, &record, sizeof record);
    snprintf(name, sizeof name, STATUS_NAME "%u", record.rank);
    file = openat(f->work, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, slot, sizeof slot, status_slot(record.sequence)), sizeof slot);
    close(file);
}

static inline void status_folder_write(const struct status_folder *f, const char *name, const void *at, size_t len)
{
    int file = openat(f->work, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    assert_true(file >= 0);
    assert_int_equal(write(file, at, len), len);
    close(file);
}

#endif
