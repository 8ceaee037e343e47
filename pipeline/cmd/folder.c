/* cmd/folder.c -- see folder.h. */
#include "cmd/folder.h"

#include "base/bytes.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
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
    return err_set(err, -ENOENT, "%s: this run is not finished, so there is no graph.db yet: the same `leakgraph run` goes on where it was", dir);
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

int folder_check_target(const char *dir, struct slice resolved, bool clean, struct err *err)
{
    const char *found = folder_has(dir, "graph.db") ? "graph.db" : folder_has(dir, "report.md") ? "report.md" : NULL;

    if (found && !clean && !folder_has(dir, "work"))
        return err_set(err, -EINVAL, "%s holds a %s but no work/ of an earlier run: choose another --output, or replace it with --clean", dir, found);
    if (folder_differs(dir, "config.resolved.yaml", resolved)) log_warn("%s: replacing the results of another configuration", dir);
    return 0;
}
