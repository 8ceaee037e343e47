/* base/stage.c -- the run folder: made, locked, swept.  Its unit files are in stage_unit.c; see stage.h. */
#include "base/stage_private.h"

#include "base/inside.h"
#include "base/log.h"
#include "base/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STAGE_PATIENCE = 30, STAGE_STALE = 3600 };           /* seconds */

static int stage_code(int number)
{
    return number == ENOMEM ? -ENOMEM : number == EACCES || number == EPERM || number == EROFS ? -EACCES : -EIO;
}

/* ---- the lock ---- */

/* How long a dying predecessor is waited for: LEAKGRAPH_PATIENCE when that is shorter than 30 s. */
static double stage_patience(void)
{
    const char *text = getenv("LEAKGRAPH_PATIENCE");
    char       *end;
    double      seconds = text ? strtod(text, &end) : STAGE_PATIENCE;

    return text && (end == text || !(seconds >= 0)) ? STAGE_PATIENCE : seconds < STAGE_PATIENCE ? seconds
        : STAGE_PATIENCE;
}

/* The lock file says who holds it: "HOST PID". */
static void stage_holder(int fd, char out[128])
{
    ssize_t got = file_read_at(fd, out, 127, 0);

    out[got > 0 ? got : 0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    if (!*out) strcpy(out, "another process");
}

static int stage_lock(struct stage *stage, struct err *err)
{
    double started = log_seconds(), patience = stage_patience();
    bool   told = false;
    char   path[4096], holder[128];
    int    used;

    if ((size_t)snprintf(path, sizeof path, "%s/lock", stage->work) >= sizeof path)
        return err_set(err, -EIO, "%s: path too long", stage->work);
    /* a link there would have the file that it names emptied */
    stage->lock = file_open_in(stage->folder, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    if (stage->lock < 0 && errno == ELOOP)
        return err_set(err, -EIO, "%s: is a symbolic link: remove it", path);
    if (stage->lock < 0) return err_set(err, stage_code(errno), "%s: %s", path, strerror(errno));
    while (file_lock(stage->lock, LOCK_EX | LOCK_NB) < 0) {
        if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) {
            /* Some cluster file systems are mounted without locks.  Two runs at once waste work there and corrupt
             * nothing. */
            log_warn("%s: this file system has no locks: a second run in the same folder would not be noticed", path);
            break;
        }
        if (errno != EWOULDBLOCK) return err_set(err, -EIO, "%s: cannot lock: %s", path, strerror(errno));
        stage_holder(stage->lock, holder);
        if (log_seconds() - started >= patience)
            return err_set(err, -EBUSY, "%s: another run works in this folder: %s (host and process)", stage->dir,
                           holder);
        if (!told && log_seconds() - started > 1) {
            log_info("waiting for the run that holds %s: %s", stage->dir, holder);
            told = true;
        }
        nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
    }
    used = snprintf(holder, sizeof holder, "%s %ld\n", stage->host, (long)getpid());
    if (file_cut(stage->lock, 0) < 0) return err_set(err, -EIO, "%s: %s", path, strerror(errno));
    return file_write_all(stage->lock, path, holder, (size_t)used, err);
}

/* ---- sweeping ---- */

static bool stage_ends(const char *name, const char *ending)
{
    size_t len = strlen(name), tail = strlen(ending);

    return len > tail && strcmp(name + len - tail, ending) == 0;
}

/* Removes files of dir/work: temporaries older than `age` seconds, and units of which the name begins with `units`
 * (NULL: none).  Spill files may be read hours after they were written: only the folder's owner knows that their run is
 * over.  Files that vanish meanwhile were removed by somebody else. */
static int stage_sweep(const struct stage *stage, time_t age, const char *units, struct err *err)
{
    int            copy = file_open_in(stage->folder, ".", O_RDONLY | O_DIRECTORY);
    DIR           *folder = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *entry;
    struct stat    is;
    int            rc = 0;
    time_t         now = time(NULL);

    if (!folder) {
        rc = err_set(err, stage_code(errno), "%s: %s", stage->work, strerror(errno));
        if (copy >= 0) close(copy);
        return rc;
    }
    while (rc == 0 && (errno = 0, entry = readdir(folder))) {
        bool temporary = strncmp(entry->d_name, STAGE_TEMPORARY, strlen(STAGE_TEMPORARY)) == 0;

        if (!temporary && !(units && strncmp(entry->d_name, units, strlen(units)) == 0 &&
                            stage_ends(entry->d_name, STAGE_UNIT)))
            continue;
        if (temporary && stage_ends(entry->d_name, STAGE_SPILL)) {
            if (stage->lock < 0) continue;
        } else if (temporary && (fstatat(dirfd(folder), entry->d_name, &is, AT_SYMLINK_NOFOLLOW) < 0 ||
                                 now - is.st_mtime < age))
            continue;
        if (unlinkat(dirfd(folder), entry->d_name, 0) < 0 && errno != ENOENT)
            rc = err_set(err, stage_code(errno), "%s/%s: cannot remove: %s", stage->work, entry->d_name,
                         strerror(errno));
    }
    if (rc == 0 && errno) rc = err_set(err, stage_code(errno), "%s: %s", stage->work, strerror(errno));
    closedir(folder);
    return rc;
}

/* ---- life ---- */

int stage_open(struct stage **out, const char *dir, bool own, struct err *err)
{
    struct stage *stage = calloc(1, sizeof *stage);
    size_t        room = strlen(dir) + sizeof "/work";
    int           rc;

    *out = NULL;
    if (!stage) return err_memory(err, sizeof *stage, "the run folder");
    stage->lock = stage->folder = -1;
    atomic_init(&stage->counter, 0);
    if (gethostname(stage->host, sizeof stage->host - 1) < 0 || !*stage->host) strcpy(stage->host, "host");
    stage->dir = strdup(*dir ? dir : ".");
    stage->work = malloc(room + 1);
    if (!stage->dir || !stage->work) {
        rc = err_memory(err, room, "the run folder's path");
        goto fail;
    }
    snprintf(stage->work, room + 1, "%s/work", stage->dir);
    if ((rc = stage->folder = inside_open(stage->dir, "work", true, err)) < 0) {
        rc = err->code = stage_code(-rc);
        goto fail;
    }
    if (own && (rc = stage_lock(stage, err)) < 0) goto fail;
    /* An hour: far longer than any unit takes to write, so a temporary that old belongs to nobody. */
    if ((rc = stage_sweep(stage, STAGE_STALE, NULL, err)) < 0) goto fail;
    *out = stage;
    return 0;
fail:
    stage_close(stage);
    return rc;
}

void stage_close(struct stage *stage)
{
    if (!stage) return;
    /* the file stays: removing it would race with the next owner's open */
    if (stage->lock >= 0) close(stage->lock);
    if (stage->folder >= 0) close(stage->folder);
    if (stage->manifest) manifest_free(stage->manifest);
    free(stage->manifest);
    free(stage->dir);
    free(stage->work);
    free(stage);
}

int stage_clear(struct stage *stage, struct err *err)
{
    /* an owner knows that no temporary is in use */
    return stage_sweep(stage, stage->lock >= 0 ? 0 : STAGE_STALE, "", err);
}

int stage_remove_kind(struct stage *stage, const char *kind, struct err *err)
{
    char prefix[32];                                        /* a kind has 15 characters at most */

    snprintf(prefix, sizeof prefix, "%s-", kind);
    return stage_sweep(stage, STAGE_STALE, prefix, err);
}

const char *stage_dir(const struct stage *stage) { return stage->dir; }
