/* portrait/check.c -- are the portraits of a run's folder what they say they are; see check.h. */
#include "portrait/check.h"

#include "base/file.h"
#include "portrait/portrait.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_portrait(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);

    return len > 9 && strcmp(entry->d_name + len - 9, ".portrait") == 0;
}

int portrait_verify(const char *dir, const struct check_report *report, struct err *err)
{
    struct dirent **entry = NULL;
    char            path[FILE_NAME_MAX], line[64];
    int             failed = 0, rc = 0, count = scandir(dir, &entry, is_portrait, alphasort);

    if (count < 0 && errno != ENOENT) return err_set(err, -errno, "%s: %s", dir, strerror(errno));
    for (int i = 0; i < count; i++) {
        struct portrait portrait;
        struct err      found = { 0 };

        if (rc == 0) rc = file_join(dir, entry[i]->d_name, path, err);
        if (rc == 0) {
            int wrong = portrait_open(&portrait, path, &found) < 0;

            if (wrong) report->line(report->context, "portraits", found.text);
            else portrait_close(&portrait);
            failed += wrong;
        }
        free(entry[i]);
    }
    free(entry);
    if (rc == 0 && failed == 0 && count > 0) {
        snprintf(line, sizeof line, "%d portraits", count);
        report->line(report->context, line, NULL);
    }
    return rc < 0 ? rc : failed;
}
