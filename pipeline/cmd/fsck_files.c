/* cmd/fsck_files.c -- see fsck_files.h. */
#include "cmd/fsck_files.h"

#include "base/manifest.h"
#include "config/capabilities.h"
#include "graph/read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct files {
    const char                *dir;
    const struct check_report *report;
    struct manifest            manifest;
    int                        failed;
};

static void wrong(struct files *files, const char *place, const char *what)
{
    files->failed++;
    files->report->line(files->report->context, place, what);
}

/* ---- what is named ---- */

/* The file that is named with this content, which lies elsewhere now; NULL. */
static const char *whose(const struct files *files, const struct file_sum *sum, const char *place)
{
    for (size_t i = 0; i < files->manifest.count; i++) {
        const struct manifest_entry *entry = &files->manifest.at[i];

        if (entry->written && memcmp(&entry->sum, sum, sizeof *sum) == 0 && strcmp(entry->place, place) != 0)
            return entry->place;
    }
    return NULL;
}

/* 0, or -ENOMEM with err set. */
static int check_entry(struct files *files, const struct manifest_entry *entry, struct err *err)
{
    struct file_sum sum;
    struct err      found = { 0 };
    char            text[FILE_NAME_MAX + 128];
    const char     *other;
    int             rc = inside_sum(files->dir, entry->place, &sum, &found);

    if (rc == -ENOMEM) *err = found;
    if (rc == -ENOMEM) return rc;
    if (rc == -ENOENT) wrong(files, entry->place, "is not there");
    else if (rc < 0) wrong(files, entry->place, found.text);
    if (rc < 0 || memcmp(&sum, &entry->sum, sizeof sum) == 0) return 0;
    other = whose(files, &sum, entry->place);
    if (other) snprintf(text, sizeof text, "holds what %s held when it was written", other);
    else if (sum.bytes != entry->sum.bytes)
        snprintf(text, sizeof text, "has %llu bytes, %llu were written", (unsigned long long)sum.bytes,
                 (unsigned long long)entry->sum.bytes);
    else
        snprintf(text, sizeof text, "has the xxh3-128 %016llx%016llx, what was written has %016llx%016llx",
                 (unsigned long long)sum.high, (unsigned long long)sum.low, (unsigned long long)entry->sum.high,
                 (unsigned long long)entry->sum.low);
    wrong(files, entry->place, text);
    return 0;
}

static int check_named(struct files *files, struct err *err)
{
    const char *first = NULL;
    size_t      unwritten = 0;
    char        text[FILE_NAME_MAX + 128];
    int         rc = 0;

    for (size_t i = 0; i < files->manifest.count && rc == 0; i++) {
        const struct manifest_entry *entry = &files->manifest.at[i];

        if (entry->written) rc = check_entry(files, entry, err);
        else if (unwritten++ == 0) first = entry->place;
    }
    if (!unwritten) return rc;
    snprintf(text, sizeof text, "%s and %zu more are not finished: the same `leakgraph` command goes on where it was",
             first, unwritten - 1);
    wrong(files, MANIFEST_FILE, text);
    return rc;
}

/* ---- what is not ---- */

static int see(void *context, const struct inside_entry *entry, struct err *err)
{
    struct files *files = context;

    (void)err;
    if (!file_is_aside(entry->name) && !manifest_find(&files->manifest, entry->place))
        wrong(files, entry->place, "is of no run: " MANIFEST_FILE " does not name it");
    return 0;
}

static int check_others(struct files *files, struct err *err)
{
    /* what is read with graph.db when it is there */
    static const char *const beside[] = { "edges.tsv.zst", "graph.db-journal", "graph.db-wal", "graph.db-shm" };
    struct file_sum          sum;
    int                      rc = 0;

    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        struct err found = { 0 };

        if (!manifest_find(&files->manifest, beside[i]) &&
            inside_sum(files->dir, beside[i], &sum, &found) != -ENOENT)
            wrong(files, beside[i], "is of no run: " MANIFEST_FILE " does not name it");
    }
    for (size_t c = 0; capabilities[c] && rc == 0; c++)
        for (const char *const *folder = capabilities[c]->folders; folder && *folder && rc == 0; folder++) {
            bool seen = false;

            for (size_t b = 0; b < c && !seen; b++)         /* two may share one */
                for (const char *const *f = capabilities[b]->folders; f && *f; f++) seen |= strcmp(*f, *folder) == 0;
            rc = seen ? 0 : inside_walk(files->dir, *folder, see, files, err);
            if (rc != -ELOOP && rc != -ENOTDIR) continue;
            wrong(files, *folder, err->text);
            *err = (struct err){ 0 };
            rc = 0;
        }
    return rc;
}

/* ---- the whole ---- */

/* Is graph.db of a version that writes a manifest?  One that cannot be read is told of elsewhere. */
static bool is_new(const char *dir)
{
    struct err ignored = { 0 };
    sqlite3   *db = NULL;
    uint64_t   count = 0;
    char       path[FILE_NAME_MAX];

    if (file_join(dir, "graph.db", path, &ignored) == 0 && graph_open(&db, path, &ignored) == 0)
        graph_count(db, "SELECT count(*) FROM run WHERE key GLOB 'contents.*'", &count, &ignored);
    graph_close(db);
    return count > 0;
}

int fsck_files(const char *dir, const struct check_report *report, const char **unknown, struct err *err)
{
    struct files files = { .dir = dir, .report = report };
    struct err   found = { 0 };
    char         text[64];
    int          rc = manifest_read(&files.manifest, dir, &found);

    *unknown = NULL;
    if (rc > 0) {
        rc = check_named(&files, err);
        if (rc == 0) rc = check_others(&files, err);
        snprintf(text, sizeof text, MANIFEST_FILE ": %zu files", files.manifest.count);
        if (rc == 0 && files.failed == 0) report->line(report->context, text, NULL);
    } else if (rc == -EBADMSG) {
        wrong(&files, "manifest", found.text);
        rc = 0;
    } else if (rc < 0) *err = found;
    else if (is_new(dir)) wrong(&files, MANIFEST_FILE, "is not there: the run that wrote graph.db wrote one");
    else
        *unknown = "there is no " MANIFEST_FILE ", as a version before wrote this folder: reports and what is in "
                   "clean/, cleaned/, lists/ and generations/ cannot be checked";
    manifest_free(&files.manifest);
    return rc < 0 ? rc : files.failed;
}
