/* cmd/folder.c -- see folder.h. */
#include "cmd/folder.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/log.h"
#include "base/manifest.h"
#include "cmd/verdict.h"
#include "config/capabilities.h"
#include "config/config.h"
#include "corpus/extent.h"
#include "graph/edges.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool folder_has(const char *dir, const char *name)
{
    char       path[FILE_NAME_MAX];
    struct err ignored = { 0 };

    return file_join(dir, name, path, &ignored) == 0 && access(path, F_OK) == 0;
}

bool folder_has_manifest(const char *dir) { return folder_has(dir, MANIFEST_FILE); }

int folder_find_graph(const char *dir, char path[FILE_NAME_MAX], struct err *err)
{
    const size_t len = strlen(dir), tail = sizeof "/graph.db" - 1;
    char         parent[FILE_NAME_MAX];
    struct stat  is;
    int          rc;

    if (stat(dir, &is) == 0 && S_ISREG(is.st_mode) && len < sizeof parent && /* the file instead of its folder */
        (strcmp(dir, "graph.db") == 0 || (len > tail && strcmp(dir + len - tail, "/graph.db") == 0))) {
        snprintf(parent, sizeof parent, "%.*s", len > tail ? (int)(len - tail) : 1, len > tail ? dir : ".");
        dir = parent;
    }
    rc = file_join(dir, "graph.db", path, err);
    if (rc < 0 || access(path, F_OK) == 0 || !folder_has(dir, "work")) return rc;
    return err_set(err, -ENOENT, "%s: this run is not finished, so there is no graph.db yet: the same `leakgraph run` "
                                 "goes on where it was", dir);
}

enum { FOLDER_SETTINGS_MAX = 64 << 20 };                    /* no config.resolved.yaml is so large */

/* The file's bytes to out.  false: there is none; one that cannot be read is taken for an empty one, which is of no
 * configuration. */
static bool folder_read(const char *dir, const char *name, struct bytes *out)
{
    char       path[FILE_NAME_MAX];
    struct err ignored = { 0 };
    FILE      *file;

    if (!folder_has(dir, name) || file_join(dir, name, path, &ignored) < 0) return false;
    file = file_stream(path, "re");
    while (file && out->len < FOLDER_SETTINGS_MAX && bytes_reserve(out, out->len + 65536) == 0) {
        size_t got = fread(out->at + out->len, 1, 65536, file);

        out->len += got;
        if (got == 0) break;
    }
    if (file) fclose(file);
    return true;
}

/* The results there are of another configuration: may they go? */
static int folder_check_other(const char *dir, const struct slice differ[3], const struct folder_use *use,
                              struct err *err)
{
    char what[400] = "";

    if (!verdict_usable(dir)) {
        log_info("%s: replacing the results of a configuration by which a dataset could not be read", dir);
        return 0;
    }
    if (use->replace || use->clean) {
        log_info("%s: replacing the results of another configuration", dir);
        return 0;
    }
    if (differ[0].len || differ[1].len)
        snprintf(what, sizeof what, " (%.*s%sthere `%.*s`, here `%.*s`)",
                 (int)(differ[2].len < 90 ? differ[2].len : 90), differ[2].at, differ[2].len ? ": " : "",
                 (int)(differ[0].len < 140 ? differ[0].len : 140), differ[0].at,
                 (int)(differ[1].len < 140 ? differ[1].len : 140), differ[1].at);
    return err_set(err, -EINVAL, "%s holds the results of another configuration%s: choose another --output, or replace "
                                 "them with --replace", dir, what);
}

/* A file there of a name that every run writes; NULL: there is none. */
static const char *folder_result(const char *dir)
{
    static const char *const result[] = { "graph.db", "report.html", "report.md", "report.json", "config.resolved.yaml",
                                          "run.log", EDGES_FILE, MANIFEST_FILE, NULL };
    size_t                   i = 0;

    while (result[i] && !folder_has(dir, result[i])) i++;
    return result[i];
}

/* Has a run worked there?  Each has a lock in work/, which somebody may have removed; others have a work/, too. */
static bool folder_is_run(const char *dir)
{
    return folder_has(dir, "work/lock") || (folder_has(dir, "work") && folder_has_manifest(dir));
}

int folder_check_target(const char *dir, struct slice resolved, const struct folder_use *use, struct err *err)
{
    const char  *found = folder_result(dir);
    struct bytes there = { 0 }, room[3] = { { 0 }, { 0 }, { 0 } };
    struct slice differ[3];
    int          rc = 0;

    if (found && !use->clean && !folder_is_run(dir))
        return err_set(err, -EINVAL, "%s holds a %s but no work/ of an earlier run: choose another --output, or "
                                     "replace it with --clean", dir, found);
    if (folder_read(dir, "config.resolved.yaml", &there) &&
        !config_same_results(bytes_slice(&there), resolved, differ, room)) {
        if (use->extends) log_info("%s: extending the store; what it has is kept", dir);
        else rc = folder_check_other(dir, differ, use, err);
    }
    bytes_free(&there);
    for (int i = 0; i < 3; i++) bytes_free(&room[i]);
    return rc;
}

/* ---- whose files are there ---- */

struct owners { const struct manifest *manifest; char first[FILE_NAME_MAX]; size_t others; };

static int owner_see(void *context, const struct inside_entry *entry, struct err *err)
{
    struct owners *owners = context;

    (void)err;
    if (file_is_aside(entry->name) || manifest_find(owners->manifest, entry->place)) return 0;
    if (owners->others++ == 0) snprintf(owners->first, sizeof owners->first, "%s", entry->place);
    return 0;
}

static int check_owners(const char *dir, const char *folder, const struct manifest *manifest, bool there,
                        struct err *err)
{
    struct owners owners = { .manifest = manifest };
    int           rc = inside_walk(dir, folder, owner_see, &owners, err);

    if (rc == -ELOOP || rc == -ENOTDIR) return err->code = -EINVAL;
    if (rc < 0 || owners.others == 0) return rc;
    if (!there)
        return err_set(err, -EINVAL, "%s/%s holds files (%s), and there is no " MANIFEST_FILE " that says that an "
                                     "earlier run wrote them: choose another --output, or move %s/%s away", dir, folder,
                       owners.first, dir, folder);
    log_warn("%s/%s: is of no earlier run and stays where it is, as do %zu more in %s/: results are written beside "
             "them", dir, owners.first, owners.others - 1, folder);
    return 0;
}

int folder_check_outputs(const char *dir, const struct config *config, struct err *err)
{
    struct manifest manifest;
    int             there = manifest_read(&manifest, dir, err), rc = there < 0 && there != -EBADMSG ? there : 0;

    if (there == -EBADMSG) {                                /* it names nothing */
        log_warn("%s/%s", dir, err->text);
        *err = (struct err){ 0 };
        manifest_free(&manifest);
    }
    for (size_t t = 0; t < config->task_count && rc == 0; t++) {
        const struct task *task = &config->task[t];

        if (!task->on || !task->of->folders) continue;
        for (const char *const *folder = task->of->folders; *folder && rc == 0; folder++)
            rc = check_owners(dir, *folder, &manifest, there > 0, err);
    }
    manifest_free(&manifest);
    return rc;
}

static int check_file(const char *dir, const char *file, const struct manifest *manifest,
                      const struct shard_list *shards, struct err *err)
{
    char path[FILE_NAME_MAX], *real, *shard;
    int  rc = file_join(dir, file, path, err);

    if (rc < 0 || (rc = file_real_path(path, &real, err)) < 0) return rc;
    for (size_t s = 0; real && s < shards->count && rc == 0; s++) {
        rc = file_real_path(shards->at[s].path, &shard, err);
        if (rc == 0 && shard && strcmp(real, shard) == 0)
            rc = err_set(err, -EINVAL, "%s: would be read and replaced: choose another --output", path);
        free(shard);
    }
    free(real);
    if (rc == 0 && folder_has(dir, file) && !manifest_find(manifest, file))
        rc = err_set(err, -EINVAL, "%s: is there, and " MANIFEST_FILE " does not name it as a file of an earlier run: "
                                   "move it away, or choose another --output", path);
    return rc;
}

int folder_check_files(const char *dir, const char *const *files, size_t count, const struct shard_list *shards,
                       struct err *err)
{
    struct manifest manifest;
    int             rc = manifest_read(&manifest, dir, err);

    if (rc == -EBADMSG) *err = (struct err){ 0 };           /* it names nothing; folder_check_outputs warns of that */
    rc = rc == -EBADMSG || rc > 0 ? 0 : rc;
    for (size_t i = 0; i < count && rc == 0; i++) rc = check_file(dir, files[i], &manifest, shards, err);
    manifest_free(&manifest);
    return rc;
}

void folder_sweep(const char *dir)
{
    struct err ignored = { 0 };

    file_sweep_folder(dir, 0);
    for (size_t c = 0; capabilities[c]; c++)
        for (const char *const *folder = capabilities[c]->folders; folder && *folder; folder++)
            inside_sweep(dir, *folder, &ignored);
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
        if ((rc = file_real_path(path, &folder, err)) < 0) return rc;
        /* NULL: not there, so nothing lies in it */
        for (size_t s = 0; folder && s < shards->count && rc == 0; s++) {
            char *file;

            rc = file_real_path(shards->at[s].path, &file, err);
            if (rc == 0 && file && folder_holds(folder, file))
                rc = err_set(err, -EINVAL, "%s: is a result in the run folder itself, which a run replaces: choose an "
                                           "--output that no glob matches", shards->at[s].path);
            free(file);
        }
        free(folder);
    }
    return rc;
}

enum { FOLDER_GLOBS_MAX = 64 };

int folder_check_datasets(const struct config *config, const struct shard_list *shards, struct err *err)
{
    static const char *const always[] = { "graph.db", "report.html", "report.md", "report.json",
                                          "config.resolved.yaml", "run.log", "work/**/*.unit" };
    static const char *const within[] = { "jsonl.zst", "tsv", "tsv.zst" };
    const char *globs[FOLDER_GLOBS_MAX + 1] = { NULL };
    char        room[FOLDER_GLOBS_MAX][64];
    size_t      count = 0;

    for (size_t i = 0; i < sizeof always / sizeof *always; i++) globs[count++] = always[i];
    for (size_t t = 0; t < config->task_count; t++) {
        const struct task *task = &config->task[t];
        int                rc;

        if (!task->on || !task->of->folders) continue;
        if ((rc = folder_check_shards(config->output, task->of->folders, shards, err)) < 0) return rc;
        for (const char *const *folder = task->of->folders; *folder; folder++)
            for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
                assert(count < FOLDER_GLOBS_MAX);
                snprintf(room[count], sizeof room[count], "%s/**/*.%s", *folder, within[i]);
                globs[count] = room[count];
                count++;
            }
    }
    return extent_check(config->datasets, config->dataset_count - config->made, config->base, shards, config->output,
                        globs, err);
}
