/* tests/unit/base/stage_folder.h -- a run folder of a test's own, and what lies in it. */
#ifndef LEAKGRAPH_TESTS_UNIT_BASE_STAGE_FOLDER_H
#define LEAKGRAPH_TESTS_UNIT_BASE_STAGE_FOLDER_H

#include "base/stage.h"
#include "tests/unit/draw.h"
#include "tests/unit/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world { char root[64], dir[96], work[112]; uint64_t random; int stderr_was; };

/* Reports of damaged units would clutter the output: stderr goes to a file that some tests read. */
static inline int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    char          log[96];
    int           fd;

    if (!world) return -1;
    strcpy(world->root, "/tmp/test_stage.XXXXXX");
    if (!mkdtemp(world->root)) return -1;
    snprintf(world->dir, sizeof world->dir, "%s/a/b", world->root);
    snprintf(world->work, sizeof world->work, "%s/work", world->dir);
    snprintf(log, sizeof log, "%s/log", world->root);
    world->random = seed_of_run();
    world->stderr_was = dup(STDERR_FILENO);
    fd = open(log, O_RDWR | O_CREAT | O_APPEND, 0600);
    if (world->stderr_was < 0 || fd < 0 || dup2(fd, STDERR_FILENO) < 0) return -1;
    close(fd);
    *state = world;
    return 0;
}

/* What fail_msg wrote into that file is told where it belongs. */
static inline void tell_failures(const struct world *world)
{
    char  line[4096];
    FILE *log;

    snprintf(line, sizeof line, "%s/log", world->root);
    if (!(log = fopen(line, "re"))) return;
    while (fgets(line, sizeof line, log))
        if (strncmp(line, "ERROR: ", 7) == 0) fputs(line, stderr);
    fclose(log);
}

static inline int tear_down(void **state)
{
    struct world *world = *state;

    dup2(world->stderr_was, STDERR_FILENO);
    close(world->stderr_was);
    tell_failures(world);
    remove_tree(world->root);
    free(world);
    return 0;
}

static inline struct stage *open_stage(const struct world *world, bool own)
{
    struct stage *stage = NULL;
    struct err    err = { 0 };

    if (stage_open(&stage, world->dir, own, &err) < 0) fail_msg("%s", err.text);
    return stage;
}

/* Files in dir/work whose name starts with `start` and ends with `end`; the last one's path in *path when it is not
 * NULL. */
static inline int count_files(const struct world *world, const char *start, const char *end, char *path, size_t room)
{
    DIR           *folder = opendir(world->work);
    struct dirent *entry;
    int            count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        size_t len = strlen(entry->d_name);

        if (strncmp(entry->d_name, start, strlen(start)) != 0 || len < strlen(end) ||
            strcmp(entry->d_name + len - strlen(end), end) != 0)
            continue;
        if (path) assert_true((size_t)snprintf(path, room, "%s/%s", world->work, entry->d_name) < room);
        count++;
    }
    closedir(folder);
    return count;
}

#endif
