/* base/file.h -- whole files that appear under their name complete or not at all. */
#ifndef LEAKGRAPH_BASE_FILE_H
#define LEAKGRAPH_BASE_FILE_H

#include "base/err.h"
#include "base/slice.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

enum { FILE_NAME_MAX = 4096, FILE_ASIDE = 48 };            /* of a path; of the name of an unfinished file */

/* The folder of path ("." when it names none), and folder/name.  0, or -ENAMETOOLONG with err set. */
int  file_folder(const char *path, char folder[FILE_NAME_MAX], struct err *err);
int  file_join(const char *folder, const char *name, char path[FILE_NAME_MAX], struct err *err);
bool file_same_system(const char *folder, const char *other);               /* true also when one cannot be asked */

/* The path from the root, links followed; *out is the caller's, NULL when nothing is there or may be seen.  0, or
 * -ENOMEM with err set. */
int  file_real_path(const char *path, char **out, struct err *err);

/* Makes the folder with its parents where they are missing.  0, or <0 with err set. */
int  file_make_folder(const char *folder, struct err *err);

/* Creates an empty file with a name of its own in the folder, and locks it (flock) as long as it is open, so that
 * others can tell that it is in use.  Its descriptor, or <0 with err set.  The second takes the folder's descriptor,
 * gives the name within it, and calls the folder `shown` in messages. */
int  file_create_aside(const char *folder, char name[FILE_NAME_MAX], struct err *err);
int  file_create_in(int folder, const char *shown, char name[FILE_ASIDE], struct err *err);
/* whether a file of this name, in its folder, was created so */
bool file_is_aside(const char *name);

/* Removes a file of such a name that nobody has open and that was not written to for `age` seconds: its process was
 * killed.  Where the file system has no locks, only after an hour.  Any other file stays. */
void file_sweep_aside(int folder, const char *name, unsigned age);
/* All of them in a folder.  Where others may be writing too, FILE_FRESH seconds: a file is there before its lock. */
enum { FILE_FRESH = 60 };
void file_sweep_folder(const char *folder, unsigned age);

/* open, fopen, opendir, read, pread, ftruncate, fsync and flock as the system has them, again when a signal came in
 * between (EINTR): some file systems of clusters end any call so.  file_open: closed on exec, of mode 0666 when it is
 * made; file_open_in: openat, likewise. */
int     file_open(const char *path, int flags);
int     file_open_in(int folder, const char *name, int flags);
FILE   *file_stream(const char *path, const char *mode);
DIR    *file_list(const char *folder);
ssize_t file_read(int file, void *out, size_t len);
ssize_t file_read_at(int file, void *out, size_t len, off_t at);
int     file_cut(int file, off_t len);
int     file_sync(int file);
int     file_lock(int file, int operation);

/* Writes all bytes at the file's place.  0, or <0 with err set. */
int  file_write_all(int file, const char *name, const char *at, size_t len, struct err *err);

/* Syncs the file and gives it the name `path`: by rename, or on another file system by a copy beside path that is
 * synced and renamed. Afterwards nothing is left under `name`.  0, or <0 with err set; then path is as it was and name
 * is still there. */
int  file_move(int file, const char *name, const char *path, struct err *err);

/* Writes a whole file by way of file_create_aside and file_move. */
int  file_write(const char *path, struct slice content, struct err *err);

#endif
