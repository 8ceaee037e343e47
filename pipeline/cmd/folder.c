/* cmd/folder.c -- see folder.h. */
#include "cmd/folder.h"

#include "base/bytes.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool folder_has(const char *dir, const char *name)
{
    char       path[FILE_NAME_MAX];
    struct err ignored = { 0 };

    return file_join(dir, name, path, &ignored) == 0 && access(path, F_OK) == 0;
}

int folder_find_graph(const char *dir, char path[FILE_NAME_MAX], struct err *err)
{
    int rc = file_join(dir, "graph.db", path, err);

    if (rc < 0 || access(path, F_OK) == 0 || !folder_has(dir, "work")) return rc;
    return err_set(err, -ENOENT, "%s: this run is not finished, so there is no graph.db yet: the same `leakgraph run` "
                                 "goes on where it was", dir);
}

/* Is the file there, and other than text?  One that cannot be read is no reason to stop. */
static bool folder_differs(const char *dir, const char *name, struct slice text)
{
    char         path[FILE_NAME_MAX], part[4096];
    struct err   ignored = { 0 };
    FILE        *file = file_join(dir, name, path, &ignored) == 0 ? fopen(path, "re") : NULL;
    size_t       at = 0, got;
    bool         same = true;

    if (!file) return false;
    while (same && (got = fread(part, 1, sizeof part, file)) > 0) {
        same = got <= text.len - at && memcmp(part, text.at + at, got) == 0;
        at += same ? got : 0;
    }
    same &= at == text.len && !ferror(file);
    fclose(file);
    return !same;
}

int folder_check_target(const char *dir, struct slice resolved, bool clean, bool extends, struct err *err)
{
    const char *found = folder_has(dir, "graph.db") ? "graph.db" : folder_has(dir, "report.md") ? "report.md" : NULL;

    if (found && !clean && !folder_has(dir, "work"))
        return err_set(err, -EINVAL, "%s holds a %s but no work/ of an earlier run: choose another --output, or "
                                     "replace it with --clean", dir, found);
    if (!folder_differs(dir, "config.resolved.yaml", resolved)) return 0;
    if (extends) log_info("%s: extending the store; what it has is kept", dir);
    else log_warn("%s: replacing the results of another configuration", dir);
    return 0;
}

/* Does the file lie below the folder?  Both are paths without links. */
static bool folder_holds(const char *folder, const char *file)
{
    size_t len = strlen(folder);

    return strncmp(file, folder, len) == 0 && file[len] == '/';
}

int folder_check_shards(const char *dir, const char *const *folders, const struct shard_list *shards, struct err *err)
{
    int rc = 0;

    for (; *folders && rc == 0; folders++) {
        char  path[FILE_NAME_MAX], *folder;

        if ((rc = file_join(dir, *folders, path, err)) < 0) return rc;
        folder = realpath(path, NULL);                      /* NULL: not there, so nothing lies in it */
        for (size_t s = 0; folder && s < shards->count && rc == 0; s++) {
            char *file = realpath(shards->at[s].path, NULL);

            if (file && folder_holds(folder, file))
                rc = err_set(err, -EINVAL, "%s: is a result in the run folder itself, which a run replaces: choose an "
                                           "--output that no glob matches", shards->at[s].path);
            free(file);
        }
        free(folder);
    }
    return rc;
}
