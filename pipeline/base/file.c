/* base/file.c -- see file.h. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* FILE_STALE: seconds; without locks, a file that nobody wrote to for so long is nobody's */
enum { FILE_BLOCK = 1 << 20, FILE_TRIES = 100, FILE_STALE = 3600 };

#define ASIDE     ".leakgraph-"                             /* how names of unfinished files begin, */
#define ASIDE_END ".tmp"                                    /* and end */

static int file_fail(const char *name, const char *what, struct err *err)
{
    int code = errno ? errno : EIO;

    return err_set(err, code == EDQUOT ? err_of_write(code) : -code, "%s: %s: %s", name, what, strerror(code));
}

/* ---- calls that a signal ends ---- */

/* Evaluates the call until it ends by itself. */
#define FILE_AGAIN(result, failed, call)                \
    do (result) = (call);                               \
    while ((result) == (failed) && errno == EINTR)

int file_open(const char *path, int flags)
{
    int file;

    FILE_AGAIN(file, -1, open(path, flags | O_CLOEXEC, 0666));
    return file;
}

int file_open_in(int folder, const char *name, int flags)
{
    int file;

    FILE_AGAIN(file, -1, openat(folder, name, flags | O_CLOEXEC, 0666));
    return file;
}

FILE *file_stream(const char *path, const char *mode)
{
    FILE *file;

    FILE_AGAIN(file, NULL, fopen(path, mode));
    return file;
}

DIR *file_list(const char *folder)
{
    DIR *list;

    FILE_AGAIN(list, NULL, opendir(folder));
    return list;
}

ssize_t file_read(int file, void *out, size_t len)
{
    ssize_t got;

    FILE_AGAIN(got, -1, read(file, out, len));
    return got;
}

ssize_t file_read_at(int file, void *out, size_t len, off_t at)
{
    ssize_t got;

    FILE_AGAIN(got, -1, pread(file, out, len, at));
    return got;
}

int file_cut(int file, off_t len)
{
    int rc;

    FILE_AGAIN(rc, -1, ftruncate(file, len));
    return rc;
}

int file_sync(int file)
{
    int rc;

    FILE_AGAIN(rc, -1, fsync(file));
    return rc;
}

int file_lock(int file, int operation)
{
    int rc;

    FILE_AGAIN(rc, -1, flock(file, operation));
    return rc;
}

/* ---- names ---- */

int file_folder(const char *path, char folder[FILE_NAME_MAX], struct err *err)
{
    const char *slash = strrchr(path, '/');
    size_t      len = !slash ? 1 : slash == path ? 1 : (size_t)(slash - path);

    if (len >= FILE_NAME_MAX) return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", path);
    memcpy(folder, slash ? path : ".", len);
    folder[len] = 0;
    return 0;
}

int file_join(const char *folder, const char *name, char path[FILE_NAME_MAX], struct err *err)
{
    size_t front = strlen(folder), back = strlen(name);

    if (front + 1 + back >= FILE_NAME_MAX) return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", folder);
    memcpy(path, folder, front);
    path[front] = '/';
    memcpy(path + front + 1, name, back + 1);
    return 0;
}

bool file_same_system(const char *folder, const char *other)
{
    struct stat a, b;

    return stat(folder, &a) < 0 || stat(other, &b) < 0 || a.st_dev == b.st_dev;
}

int file_real_path(const char *path, char **out, struct err *err)
{
    *out = realpath(path, NULL);
    return *out || errno != ENOMEM ? 0 : err_memory(err, strlen(path), "a path");
}

/* "a/b" -> "a", then "a/b".  A part that another process makes at the same moment is as good as ours. */
int file_make_folder(const char *folder, struct err *err)
{
    char       *path = strdup(folder);
    struct stat is;
    int         rc = 0;

    if (!path) return err_memory(err, strlen(folder) + 1, "a path");
    for (char *end = path + (*path != 0); rc == 0; end++) {
        char was = *end;
        int  refused;

        if (was && was != '/') continue;
        *end = '\0';
        refused = mkdir(path, 0777) < 0 && errno != EEXIST ? errno : 0;
        if (refused && (was == '\0' || access(path, F_OK) < 0)) {
            errno = refused;                                /* access() says only that it is not there */
            rc = file_fail(path, "cannot make the folder", err);
        } else if (stat(path, &is) < 0)
            rc = file_fail(path, "cannot make the folder", err);
        else if (!S_ISDIR(is.st_mode))
            rc = err_set(err, -ENOTDIR, "%s: is not a folder", path);
        *end = was;
        if (!was) break;
    }
    free(path);
    return rc;
}

/* Random, because processes of several machines can meet in one folder. */
int file_create_in(int folder, const char *shown, char name[FILE_ASIDE], struct err *err)
{
    for (int i = 0; i < FILE_TRIES; i++) {
        uint64_t mark;
        int      file;

        if (getrandom(&mark, sizeof mark, 0) != (ssize_t)sizeof mark) return file_fail(shown, "no random name", err);
        snprintf(name, FILE_ASIDE, ASIDE "%016llx" ASIDE_END, (unsigned long long)mark);
        file = file_open_in(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
        if (file >= 0) {
            (void)file_lock(file, LOCK_SH | LOCK_NB);       /* some file systems have none */
            return file;
        }
        if (errno != EEXIST) break;
    }
    return file_fail(shown, "cannot create a file", err);
}

int file_create_aside(const char *folder, char name[FILE_NAME_MAX], struct err *err)
{
    char own[FILE_ASIDE];
    int  rc = file_join(folder, ASIDE "0123456789abcdef" ASIDE_END, name, err), at, file;

    if (rc < 0) return rc;
    at = file_open(folder, O_RDONLY | O_DIRECTORY);
    if (at < 0) return file_fail(folder, "cannot create a file", err);
    file = file_create_in(at, folder, own, err);
    close(at);
    if (file >= 0) (void)file_join(folder, own, name, err); /* as long as the one above */
    return file;
}

bool file_is_aside(const char *name)
{
    size_t len = strlen(name), tail = strlen(ASIDE_END);

    return len == strlen(ASIDE) + 16 + tail && !memcmp(name, ASIDE, strlen(ASIDE)) &&
        !memcmp(name + len - tail, ASIDE_END, tail);
}

void file_sweep_aside(int folder, const char *name, unsigned age)
{
    struct stat is, named;
    int         file;

    if (!file_is_aside(name)) return;
    file = file_open_in(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return;
    if (file_lock(file, LOCK_EX | LOCK_NB) < 0) age = errno == EWOULDBLOCK ? UINT_MAX : FILE_STALE;
    if (age != UINT_MAX && fstat(file, &is) == 0 && S_ISREG(is.st_mode) && time(NULL) - is.st_mtime >= (time_t)age &&
        fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == is.st_ino)
        unlinkat(folder, name, 0);
    close(file);
}

void file_sweep_folder(const char *folder, unsigned age)
{
    DIR           *at = file_list(folder);
    struct dirent *entry;

    while (at && (entry = readdir(at))) file_sweep_aside(dirfd(at), entry->d_name, age);
    if (at) closedir(at);
}

/* The rename is durable only when the folder is synced too; file systems that cannot do that say EINVAL. */
static int file_rename(const char *from, const char *path, struct err *err)
{
    char folder[FILE_NAME_MAX];
    int  rc = file_folder(path, folder, err), directory;

    if (rc < 0) return rc;
    if (rename(from, path) < 0) return file_fail(path, "cannot rename to it", err);
    directory = file_open(folder, O_RDONLY | O_DIRECTORY);
    if (directory >= 0) {
        if (file_sync(directory) < 0 && errno != EINVAL) rc = file_fail(folder, "cannot sync", err);
        close(directory);
    }
    return rc;
}

int file_write_all(int file, const char *name, const char *at, size_t len, struct err *err)
{
    while (len) {
        ssize_t n = write(file, at, len);

        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return file_fail(name, "cannot write", err);
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

static int file_copy(int from, const char *from_name, int to, const char *to_name, struct err *err)
{
    char *block = malloc(FILE_BLOCK);
    off_t at = 0;
    int   rc = block ? 0 : err_memory(err, FILE_BLOCK, "a copy");

    while (rc == 0) {
        ssize_t n = file_read_at(from, block, FILE_BLOCK, at);

        if (n < 0) rc = file_fail(from_name, "cannot read", err);
        if (n <= 0) break;
        rc = file_write_all(to, to_name, block, (size_t)n, err);
        at += n;
    }
    free(block);
    return rc;
}

int file_move(int file, const char *name, const char *path, struct err *err)
{
    char folder[FILE_NAME_MAX], copy[FILE_NAME_MAX];
    int  rc, beside;

    rc = file_folder(path, folder, err);
    if (rc < 0) return rc;
    if (file_same_system(name, folder)) {
        if (file_sync(file) < 0) return file_fail(name, "cannot sync", err);
        rc = file_rename(name, path, err);
        if (rc != -EXDEV) return rc;                        /* two mounts of one file system */
    }
    beside = file_create_aside(folder, copy, err);
    if (beside < 0) return beside;
    rc = file_copy(file, name, beside, copy, err);
    if (rc == 0 && file_sync(beside) < 0) rc = file_fail(copy, "cannot sync", err);
    close(beside);
    if (rc == 0) rc = file_rename(copy, path, err);
    if (rc < 0) unlink(copy);
    else unlink(name);
    return rc;
}

int file_write(const char *path, struct slice content, struct err *err)
{
    char folder[FILE_NAME_MAX], name[FILE_NAME_MAX];
    int  file, rc = file_folder(path, folder, err);

    if (rc < 0) return rc;
    file = file_create_aside(folder, name, err);
    if (file < 0) return file;
    rc = file_write_all(file, name, content.at, content.len, err);
    if (rc == 0) rc = file_move(file, name, path, err);
    close(file);
    if (rc < 0) unlink(name);
    return rc;
}
