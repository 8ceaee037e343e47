/* base/inside.c -- see inside.h.  Each step of a way is an openat that follows no link, and what is done at its end is
 * done from the folder's descriptor: nobody can turn a folder into a link in between. */
#define XXH_INLINE_ALL
#include "base/inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static int inside_fail(const char *root, const char *place, const char *what, int number, struct err *err)
{
    if (number == 0) number = EIO;
    return err_set(err, -number, "%s/%s: %s%s%s", root, place, what, *what ? ": " : "", strerror(number));
}

/* What is in the way, which is no folder. */
static int inside_refuse(int folder, const char *name, const char *root, const char *place, int number, struct err *err)
{
    struct stat is;

    if ((number == ENOTDIR || number == ELOOP) && fstatat(folder, name, &is, AT_SYMLINK_NOFOLLOW) == 0) {
        if (S_ISLNK(is.st_mode))
            return err_set(err, -ELOOP, "%s/%s: is a symbolic link: below a run folder nothing is written or removed "
                                        "through links; put a folder there, or choose another --output", root, place);
        return err_set(err, -ENOTDIR, "%s/%s: is not a folder", root, place);
    }
    return inside_fail(root, place, "", number, err);
}

/* A step down: `folder` is closed. */
static int step(int folder, const char *name, const char *root, const char *place, bool make, struct err *err)
{
    int next, rc = 0;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        rc = err_set(err, -EINVAL, "%s/%s: leads out of its folder", root, place);
    else if (make && mkdirat(folder, name, 0777) < 0 && errno != EEXIST)
        rc = inside_fail(root, place, "cannot make the folder", errno, err);
    else {
        next = file_open_in(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        rc = next < 0 ? inside_refuse(folder, name, root, place, errno, err) : next;
    }
    close(folder);
    return rc;
}

/* Names the part of the root's path that is no folder. */
static int root_refuse(const char *root, int number, struct err *err)
{
    char        part[FILE_NAME_MAX];
    struct stat is;

    for (size_t at = 1; number == ENOTDIR && at <= strlen(root) && at < sizeof part; at++) {
        if (root[at] && root[at] != '/') continue;
        memcpy(part, root, at);
        part[at] = '\0';
        if (stat(part, &is) == 0 && !S_ISDIR(is.st_mode)) return err_set(err, -ENOTDIR, "%s: is not a folder", part);
    }
    return err_set(err, -number, "%s: %s", root, strerror(number));
}

int inside_open(const char *root, const char *folder, bool make, struct err *err)
{
    const char *shown = *root ? root : ".";
    char        way[FILE_NAME_MAX], name[FILE_NAME_MAX];
    size_t      at = 0, len = strlen(folder);
    int         rc = make ? file_make_folder(shown, err) : 0, now;

    if (rc < 0) return rc;
    if (len >= sizeof way) return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", folder);
    now = file_open(shown, O_RDONLY | O_DIRECTORY);
    if (now < 0) return root_refuse(shown, errno, err);
    while (at < len && now >= 0) {
        size_t part = strcspn(folder + at, "/");

        memcpy(way, folder, at + part);
        way[at + part] = '\0';
        memcpy(name, folder + at, part);
        name[part] = '\0';
        at += part + 1;
        if (part) now = step(now, name, shown, way, make, err);
    }
    return now;
}

/* The folder of a place, whose own name is *name. */
static int open_parent(const char *root, const char *place, bool make, const char **name, struct err *err)
{
    const char *slash = strrchr(place, '/');
    char        folder[FILE_NAME_MAX];
    size_t      len = slash ? (size_t)(slash - place) : 0;

    *name = slash ? slash + 1 : place;
    if (len >= sizeof folder) return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", place);
    if (!**name || strcmp(*name, ".") == 0 || strcmp(*name, "..") == 0)
        return err_set(err, -EINVAL, "%s/%s: is no name of a file", root, place);
    memcpy(folder, place, len);
    folder[len] = '\0';
    return inside_open(root, folder, make, err);
}

/* ---- writing ---- */

int inside_create(struct inside_file *out, const char *root, const char *place, struct err *err)
{
    const char *name;
    int         rc;

    *out = (struct inside_file){ .folder = -1, .file = -1 };
    rc = file_join(*root ? root : ".", place, out->path, err);
    if (rc < 0) return rc;
    out->hash = XXH3_createState();
    if (!out->hash) return err_memory(err, sizeof(XXH3_state_t), place);
    XXH3_128bits_reset(out->hash);
    rc = out->folder = open_parent(root, place, true, &name, err);
    if (rc >= 0) rc = out->file = file_create_in(out->folder, root, out->name, err);
    if (rc < 0) inside_abandon(out);
    return rc < 0 ? rc : 0;
}

int inside_append(struct inside_file *file, const char *at, size_t len, struct err *err)
{
    if (len) XXH3_128bits_update(file->hash, at, len);
    file->bytes += len;
    return file_write_all(file->file, file->path, at, len, err);
}

static struct file_sum sum_of(void *hash, uint64_t bytes)
{
    XXH128_hash_t sum = XXH3_128bits_digest(hash);

    return (struct file_sum){ bytes, sum.low64, sum.high64 };
}

static void inside_end(struct inside_file *file)
{
    if (file->file >= 0) close(file->file);
    if (file->folder >= 0) close(file->folder);
    XXH3_freeState(file->hash);
    file->file = file->folder = -1;
    file->hash = NULL;
}

/* The rename is durable only when the folder is synced too; file systems that cannot do that say EINVAL. */
int inside_commit(struct inside_file *file, struct file_sum *sum, struct err *err)
{
    const char *slash = strrchr(file->path, '/'), *name = slash ? slash + 1 : file->path;
    int         rc = 0;

    if (file_sync(file->file) < 0) rc = err_set(err, -errno, "%s: cannot sync: %s", file->path, strerror(errno));
    else if (renameat(file->folder, file->name, file->folder, name) < 0)
        rc = err_set(err, -errno, "%s: cannot rename to it: %s", file->path, strerror(errno));
    if (rc < 0) {
        inside_abandon(file);
        return rc;
    }
    if (file_sync(file->folder) < 0 && errno != EINVAL)
        rc = err_set(err, -errno, "%s: cannot sync its folder: %s", file->path, strerror(errno));
    if (sum) *sum = sum_of(file->hash, file->bytes);
    inside_end(file);
    return rc;
}

void inside_abandon(struct inside_file *file)
{
    if (file->file >= 0) unlinkat(file->folder, file->name, 0);
    inside_end(file);
}

int inside_write(const char *root, const char *place, struct slice content, struct file_sum *sum, struct err *err)
{
    struct inside_file file;
    int                rc = inside_create(&file, root, place, err);

    if (rc == 0) rc = inside_append(&file, content.at, content.len, err);
    if (rc == 0) return inside_commit(&file, sum, err);
    inside_abandon(&file);
    return rc;
}

/* ---- what is there ---- */

int inside_remove(const char *root, const char *place, struct err *err)
{
    const char *name;
    int         folder = open_parent(root, place, false, &name, err), rc = 0;

    if (folder == -ENOENT) {
        *err = (struct err){ 0 };
        return 0;
    }
    if (folder < 0) return folder;
    if (unlinkat(folder, name, 0) < 0 && errno != ENOENT) rc = inside_fail(root, place, "cannot remove", errno, err);
    close(folder);
    return rc;
}

enum { SUM_BLOCK = 1 << 20 };

static int sum_read(int file, const char *root, const char *place, struct file_sum *out, struct err *err)
{
    XXH3_state_t *hash = XXH3_createState();
    char         *block = malloc(SUM_BLOCK);
    uint64_t      bytes = 0;
    ssize_t       got = 1;
    int           rc = hash && block ? 0 : err_memory(err, SUM_BLOCK, place);

    if (rc == 0) XXH3_128bits_reset(hash);
    while (rc == 0 && got > 0) {
        got = file_read(file, block, SUM_BLOCK);
        if (got < 0) rc = inside_fail(root, place, "cannot read", errno, err);
        if (got > 0) XXH3_128bits_update(hash, block, (size_t)got);
        bytes += got > 0 ? (uint64_t)got : 0;
    }
    if (rc == 0) *out = sum_of(hash, bytes);
    XXH3_freeState(hash);
    free(block);
    return rc;
}

int inside_sum(const char *root, const char *place, struct file_sum *out, struct err *err)
{
    const char *name;
    struct stat is;
    int         folder = open_parent(root, place, false, &name, err), file = -1, rc = 0;

    *out = (struct file_sum){ 0 };
    if (folder < 0) return folder;
    file = file_open_in(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        rc = errno == ELOOP ? err_set(err, -ELOOP, "%s/%s: is a symbolic link, not the file that was written", root,
                                      place)
            : inside_fail(root, place, "", errno, err);
    else if (fstat(file, &is) < 0) rc = inside_fail(root, place, "", errno, err);
    else if (!S_ISREG(is.st_mode)) rc = err_set(err, -EBADMSG, "%s/%s: is no file", root, place);
    else rc = sum_read(file, root, place, out, err);
    if (file >= 0) close(file);
    close(folder);
    return rc;
}

/* ---- walking ---- */

struct walk {
    const char  *root;
    int        (*see)(void *context, const struct inside_entry *entry, struct err *err);
    void        *context;
    char         place[FILE_NAME_MAX];
};

enum { WALK_DEPTH = 64 };                                   /* a descriptor each */

static int walk_folder(struct walk *walk, int fd, size_t len, unsigned depth, struct err *err);

static int walk_entry(struct walk *walk, int fd, const char *name, size_t len, unsigned depth, struct err *err)
{
    size_t      more = strlen(name);
    struct stat is;
    int         next;

    if (len + more + 2 > sizeof walk->place) return err_set(err, -ENAMETOOLONG, "%s: name too long", walk->place);
    memcpy(walk->place + len, name, more + 1);
    if (fstatat(fd, name, &is, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : inside_fail(walk->root, walk->place, "", errno, err);
    if (!S_ISDIR(is.st_mode) || depth == WALK_DEPTH)
        return walk->see(walk->context, &(struct inside_entry){ walk->place, name, fd, S_ISREG(is.st_mode) }, err);
    next = file_open_in(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (next < 0) return errno == ENOENT ? 0 : inside_fail(walk->root, walk->place, "", errno, err);
    walk->place[len + more] = '/';
    return walk_folder(walk, next, len + more + 1, depth + 1, err);
}

/* Closes fd. */
static int walk_folder(struct walk *walk, int fd, size_t len, unsigned depth, struct err *err)
{
    DIR           *folder = fdopendir(fd);
    struct dirent *entry;
    int            rc = 0;

    if (!folder) {
        walk->place[len] = '\0';
        rc = inside_fail(walk->root, walk->place, "", errno, err);
        close(fd);
        return rc;
    }
    while (rc == 0 && (errno = 0, entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            rc = walk_entry(walk, fd, entry->d_name, len, depth, err);
        else continue;
    if (rc == 0 && errno) {
        walk->place[len] = '\0';
        rc = inside_fail(walk->root, walk->place, "", errno, err);
    }
    closedir(folder);
    return rc;
}

int inside_walk(const char *root, const char *folder,
                int (*see)(void *context, const struct inside_entry *entry, struct err *err), void *context,
                struct err *err)
{
    struct walk walk = { .root = *root ? root : ".", .see = see, .context = context };
    size_t      len = strlen(folder);
    int         fd = inside_open(root, folder, false, err);

    if (fd == -ENOENT) {
        *err = (struct err){ 0 };
        return 0;
    }
    if (fd < 0) return fd;
    memcpy(walk.place, folder, len);
    if (len) walk.place[len++] = '/';
    return walk_folder(&walk, fd, len, 0, err);
}

static int sweep_entry(void *context, const struct inside_entry *entry, struct err *err)
{
    (void)context, (void)err;
    if (entry->plain) file_sweep_aside(entry->folder, entry->name, 0);
    return 0;
}

int inside_sweep(const char *root, const char *folder, struct err *err)
{
    return inside_walk(root, folder, sweep_entry, NULL, err);
}
