/* cmd/fsck.c -- `leakgraph fsck`: is everything in a run's folder what it says it is. */
#include "cmd/command.h"

#include "base/bytes.h"
#include "base/manifest.h"
#include "base/stage.h"
#include "cmd/folder.h"
#include "cmd/fsck_files.h"
#include "config/capabilities.h"
#include "graph/check.h"
#include "report/visible.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char fsck_help[] =
    "usage: leakgraph fsck DIR\n"
    "\n"
    "Checks the folder of a run, and says what is wrong, one line a check that failed:\n"
    "  graph.db      SQLite's integrity, ids that exist, records in = documents + rejected, clusters that\n"
    "                are the components of the pairs, and the digests, computed again from the tables\n"
    "  manifest.tsv  every file that the run has written is there with its size and its hash, and clean/,\n"
    "                cleaned/, lists/ and generations/ have no other\n"
    "  work/*.unit   the checksum of every committed unit\n"
    "  *.portrait    head and filter of a portrait\n"
    "  report.json   is JSON\n"
    "Of a run that is not finished there are only units; that fails too.  A line that begins with -- says\n"
    "what cannot be checked: folders of versions before this one have no manifest.tsv.\n"
    "Exit status 1 when a check fails.\n"
    "\n"
    "Options:\n"
    "  --verbose     also a line for every check that did not fail\n"
    "  --help        this text\n"
    "\n"
    "Example:\n"
    "  leakgraph fsck results/demo\n";

/* Checks of one kind: without --verbose one line for all that are good. */
struct group { bool verbose; unsigned checks; };

static void fsck_line(void *context, const char *check, const char *wrong)
{
    struct group *group = context;
    struct bytes  text = { 0 };

    group->checks++;
    if (!wrong && !group->verbose) return;
    if (!wrong) printf("ok    %s\n", check);
    else if (visible_append(&text, slice_of(wrong), true) == 0)
        printf("FAIL  %s: %.*s\n", check, (int)text.len, text.at ? text.at : "");
    else printf("FAIL  %s\n", check);
    bytes_free(&text);
}

static void group_end(struct group *group, const char *name, int failed)
{
    if (failed == 0 && group->checks && !group->verbose)
        printf("ok    %s: %u check%s\n", name, group->checks, group->checks == 1 ? "" : "s");
    group->checks = 0;
}

static int fsck_is_unit(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);

    return len > 5 && strcmp(entry->d_name + len - 5, ".unit") == 0;
}

/* Returns the number of failed checks, or <0 with err set. */
static int fsck_units(const char *dir, struct group *group, struct err *err)
{
    struct dirent **entry = NULL;
    struct err      found = { 0 };
    char            work[FILE_NAME_MAX], path[FILE_NAME_MAX], line[64];
    int             failed = 0, rc = file_join(dir, "work", work, err), count;

    if (rc < 0) return rc;
    count = scandir(work, &entry, fsck_is_unit, alphasort);
    if (count < 0 && errno != ENOENT) return err_set(err, -errno, "%s: %s", work, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (rc == 0) rc = file_join(work, entry[i]->d_name, path, err);
        if (rc == 0 && unit_verify(path, &found) < 0) {
            fsck_line(group, "units", found.text);
            failed++;
        }
        free(entry[i]);
    }
    free(entry);
    if (rc == 0 && failed == 0) {
        if (count < 0) snprintf(line, sizeof line, "no units: there is no work/");
        else snprintf(line, sizeof line, "work/: %d units", count);
        printf("ok    %s\n", line);
    }
    return rc < 0 ? rc : failed;
}

/* What each capability has left in the folder.  Returns the number of failed checks, or <0 with err set. */
static int fsck_outputs(const char *dir, const struct check_report *report, struct err *err)
{
    int failed = 0;

    for (size_t c = 0; capabilities[c]; c++) {
        int rc = capabilities[c]->verify ? capabilities[c]->verify(dir, report, err) : 0;

        if (rc < 0) return rc;
        failed += rc;
    }
    return failed;
}

static int fsck_read(const char *path, struct bytes *out, struct err *err)
{
    FILE *file = file_stream(path, "rbe");
    int   rc = 0;

    if (!file) return err_set(err, -errno, "%s: %s", path, strerror(errno));
    for (;;) {
        size_t n;

        if (bytes_reserve(out, out->len + (64 << 10)) < 0) {
            rc = err_memory(err, out->len, path);
            break;
        }
        n = fread(out->at + out->len, 1, 64 << 10, file);
        out->len += n;
        if (n == 0) break;
    }
    if (rc == 0 && ferror(file)) rc = err_set(err, -EIO, "%s: cannot read", path);
    fclose(file);
    return rc;
}

static int fsck_report(const char *dir, struct group *group, struct err *err)
{
    struct bytes text = { 0 };
    struct err   found = { 0 };
    char         path[FILE_NAME_MAX];
    const char  *end = NULL;
    cJSON       *value;
    int          rc = file_join(dir, "report.json", path, err);

    if (rc < 0) return rc;
    rc = fsck_read(path, &text, &found);
    if (rc == 0) {
        value = cJSON_ParseWithLengthOpts(text.at, text.len, &end, 0);
        if (!value) rc = err_set(&found, -EBADMSG, "%s: not JSON at byte %zu", path, end ? (size_t)(end - text.at) : 0);
        cJSON_Delete(value);
    }
    bytes_free(&text);
    fsck_line(group, "report.json is JSON", rc < 0 ? found.text : NULL);
    return rc < 0;
}

/* Neither of the two that every run makes is there. */
static int fsck_refuse(const char *dir, struct err *err)
{
    char path[FILE_NAME_MAX];
    int  rc = file_join(dir, "graph.db", path, err);

    if (rc == 0 && access(path, F_OK) == 0) return 0;
    if (rc == 0) rc = file_join(dir, "work", path, err);
    if (rc < 0 || access(path, F_OK) == 0) return rc;
    return err_set(err, -ENOENT, "%s is no folder of a run: it has neither graph.db nor work/", dir);
}

static int fsck_folder(const char *dir, struct group *group, struct err *err)
{
    const struct check_report report = { fsck_line, group };
    struct err                unfinished = { 0 };
    const char               *unknown = NULL;
    char                      path[FILE_NAME_MAX];
    int                       failed = 0, rc = folder_find_graph(dir, path, &unfinished);

    if (rc == 0) rc = check_graph(path, capability_tables(), &report, err);
    else if (rc != -ENOENT) *err = unfinished;
    else {
        fsck_line(group, "graph.db is there", unfinished.text);
        rc = 1;
    }
    failed += rc > 0 ? rc : 0;
    group_end(group, "graph.db", rc);
    if (rc >= 0) rc = fsck_units(dir, group, err);
    failed += rc > 0 ? rc : 0;
    group->checks = 0;
    if (rc >= 0) rc = fsck_files(dir, &report, &unknown, err);
    failed += rc > 0 ? rc : 0;
    group_end(group, MANIFEST_FILE, rc);
    if (unknown && !unfinished.code) printf("--    %s\n", unknown);
    if (rc >= 0) rc = fsck_outputs(dir, &report, err);
    failed += rc > 0 ? rc : 0;
    group_end(group, "other files", rc);
    if (rc >= 0 && !unfinished.code) rc = fsck_report(dir, group, err);
    failed += rc > 0 ? rc : 0;
    group_end(group, "report.json", rc);
    return rc < 0 ? rc : failed > 0;
}

int cmd_fsck(int argc, char **argv, struct err *err)
{
    struct group group = { 0 };
    const char  *dir = NULL;
    int          rc;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(fsck_help, stdout) < 0;
        if (strcmp(argv[i], "--verbose") == 0 || strcmp(argv[i], "-v") == 0) group.verbose = true;
        else if (argv[i][0] == '-')
            return err_set(err, -EINVAL, "fsck: unknown option %s (see leakgraph fsck --help)", argv[i]);
        else if (dir) return err_set(err, -EINVAL, "fsck: one folder is needed (see leakgraph fsck --help)");
        else dir = argv[i];
    }
    if (!dir) return err_set(err, -EINVAL, "fsck: one folder is needed (see leakgraph fsck --help)");
    rc = fsck_refuse(dir, err);
    return rc < 0 ? rc : fsck_folder(dir, &group, err);
}
