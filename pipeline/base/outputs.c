/* base/outputs.c -- see outputs.h.
 *
 * A note is a unit whose key is the place: { size, modification time, hash }.  It is believed while the file has that
 * size and time; else the file is read. */
#include "base/outputs.h"

#include "base/log.h"
#include "base/stage_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE "output"

struct note { uint64_t bytes; int64_t seconds, nanoseconds; uint64_t low, high; };
_Static_assert(sizeof(struct note) == 40, "unit format");

static struct unit_key note_key(const char *place)
{
    return unit_key_add((struct unit_key){ 0, 0 }, place, strlen(place));
}

/* A damaged manifest names nothing: what it named stays, and is in the way of those who want its place. */
static int load(struct stage *stage, struct err *err)
{
    int rc;

    if (stage->manifest) return 0;
    stage->manifest = calloc(1, sizeof *stage->manifest);
    if (!stage->manifest) return err_memory(err, sizeof *stage->manifest, MANIFEST_FILE);
    rc = manifest_read(stage->manifest, stage->dir, err);
    if (rc == -EBADMSG) {
        log_warn("%s/%s: the files that it names are not taken for this program's", stage->dir, err->text);
        manifest_free(stage->manifest);
        *err = (struct err){ 0 };
        return 0;
    }
    return rc < 0 ? rc : 0;
}

/* 1: something is there; 0; <0. */
static int is_there(const struct stage *stage, const char *place, struct stat *is, struct err *err)
{
    const char *slash = strrchr(place, '/');
    char        folder[FILE_NAME_MAX];
    size_t      len = slash ? (size_t)(slash - place) : 0;
    int         at, rc;

    if (len >= sizeof folder) return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", place);
    memcpy(folder, place, len);
    folder[len] = '\0';
    at = inside_open(stage->dir, folder, false, err);
    if (at == -ENOENT) {
        *err = (struct err){ 0 };
        return 0;
    }
    if (at < 0) return at;
    rc = fstatat(at, slash ? slash + 1 : place, is, AT_SYMLINK_NOFOLLOW) == 0 ? 1 : errno == ENOENT ? 0
        : err_set(err, -errno, "%s/%s: %s", stage->dir, place, strerror(errno));
    close(at);
    return rc;
}

static int refuse_twice(const struct stage *stage, const char *place, struct err *err)
{
    return err_set(err, -EEXIST, "%s/%s: two results would be written to this file", stage->dir, place);
}

/* For the part of the run that begins with prefix.  known: it may be there, named or not. */
static int claim(struct stage *stage, const char *prefix, const char *place, bool done, bool known, struct err *err)
{
    struct manifest_entry *entry = manifest_find(stage->manifest, place);
    struct stat            is;
    int                    rc = entry || known ? 0 : is_there(stage, place, &is, err);

    if (rc < 0) return rc;
    if (rc > 0)
        return err_set(err, -EEXIST, "%s/%s: is there, and %s does not name it as a file of an earlier run: move it "
                                     "away, or choose another --output", stage->dir, place, MANIFEST_FILE);
    if (entry && entry->claimed && strcmp(entry->claimed, prefix) != 0) return refuse_twice(stage, place, err);
    if (!entry) entry = manifest_add(stage->manifest, place);
    if (entry && !entry->claimed) entry->claimed = strdup(prefix);
    if (!entry || !entry->claimed) return err_memory(err, sizeof *entry, MANIFEST_FILE);
    if (!done) entry->written = false;
    return 0;
}

struct wanted { const char *place; bool done; };

static int by_place(const void *a, const void *b)
{
    return strcmp(((const struct wanted *)a)->place, ((const struct wanted *)b)->place);
}

struct sweeping { const char *prefix; const struct wanted *wanted; size_t count; };

static bool goes(const struct manifest_entry *entry, const void *context)
{
    const struct sweeping *s = context;
    const struct wanted   *found = s->count ? bsearch(&(struct wanted){ .place = entry->place }, s->wanted, s->count,
                                                      sizeof *s->wanted, by_place) : NULL;

    return strncmp(entry->place, s->prefix, strlen(s->prefix)) == 0 && !(found && found->done);
}

/* What goes, and what is made anew, leaves the disk before the manifest forgets it. */
static int sweep(struct stage *stage, const struct sweeping *s, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < stage->manifest->count && rc == 0; i++) {
        const struct manifest_entry *entry = &stage->manifest->at[i];

        if (!goes(entry, s)) continue;
        if (entry->claimed && strncmp(entry->claimed, s->prefix, strlen(s->prefix)) != 0)
            rc = refuse_twice(stage, entry->place, err);
        else rc = inside_remove(stage->dir, entry->place, err);
    }
    return rc;
}

int outputs_renew(struct stage *stage, const char *prefix, const char *const *place, const bool *done, size_t count,
                  struct err *err)
{
    struct wanted  *wanted = calloc(count + 1, sizeof *wanted);
    struct sweeping s = { prefix, wanted, count };
    int             rc = wanted ? load(stage, err) : err_memory(err, count * sizeof *wanted, MANIFEST_FILE);

    for (size_t i = 0; i < count && rc == 0; i++) wanted[i] = (struct wanted){ place[i], done && done[i] };
    if (rc == 0 && count) qsort(wanted, count, sizeof *wanted, by_place);
    if (rc == 0) rc = sweep(stage, &s, err);
    if (rc == 0) manifest_drop(stage->manifest, goes, &s);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = claim(stage, prefix, wanted[i].place, wanted[i].done, wanted[i].done, err);
    if (rc == 0) rc = manifest_write(stage->manifest, stage->dir, err);
    free(wanted);
    return rc;
}

int outputs_replace(struct stage *stage, const char *const *place, size_t count, bool anyway, struct err *err)
{
    int rc = load(stage, err);

    for (size_t i = 0; i < count && rc == 0; i++) rc = claim(stage, place[i], place[i], false, anyway, err);
    return rc < 0 ? rc : manifest_write(stage->manifest, stage->dir, err);
}

int outputs_keep(struct stage *stage, const char *place, struct err *err)
{
    int rc = load(stage, err);

    if (rc == 0) rc = claim(stage, place, place, true, true, err);
    return rc < 0 ? rc : manifest_write(stage->manifest, stage->dir, err);
}

int outputs_wrote(struct stage *stage, const char *place, const struct file_sum *sum, struct err *err)
{
    struct stat is;
    struct note note;
    int         rc = is_there(stage, place, &is, err);

    if (rc <= 0) return rc < 0 ? rc : err_set(err, -EIO, "%s/%s: was written and is not there", stage->dir, place);
    note = (struct note){ sum->bytes, is.st_mtim.tv_sec, is.st_mtim.tv_nsec, sum->low, sum->high };
    return stage_commit(stage, NOTE, note_key(place), &(struct slice){ (const char *)&note, sizeof note }, 1, err);
}

/* Does the note say what the file holds? */
static int note_believe(struct stage *stage, const char *place, const struct stat *is, struct file_sum *out,
                        bool *believed, struct err *err)
{
    struct unit unit;
    struct note note;
    int         rc = stage_load(stage, NOTE, note_key(place), &unit, err);

    *believed = false;
    if (rc <= 0) return rc;
    if (unit.count == 1 && unit.section[0].len == sizeof note) {
        memcpy(&note, unit.section[0].at, sizeof note);
        *out = (struct file_sum){ note.bytes, note.low, note.high };
        *believed = note.bytes == (uint64_t)is->st_size && note.seconds == is->st_mtim.tv_sec &&
            note.nanoseconds == is->st_mtim.tv_nsec;
    }
    unit_close(&unit);
    return 0;
}

static int settle(struct stage *stage, struct manifest_entry *entry, struct err *err)
{
    struct stat is;
    bool        believed;
    int         rc = is_there(stage, entry->place, &is, err);

    if (rc < 0) return rc;
    if (rc == 0) {
        entry->written = false;
        return 0;
    }
    if (entry->written) return 0;
    if (!entry->claimed) return inside_remove(stage->dir, entry->place, err);
    rc = note_believe(stage, entry->place, &is, &entry->sum, &believed, err);
    if (rc == 0 && !believed) rc = inside_sum(stage->dir, entry->place, &entry->sum, err);
    entry->written = rc == 0;
    return rc;
}

int outputs_settle(struct stage *stage, const char *place, struct err *err)
{
    struct manifest_entry *entry = manifest_find(stage->manifest, place);
    int                    rc = entry ? settle(stage, entry, err) : 0;

    return rc < 0 ? rc : manifest_write(stage->manifest, stage->dir, err);
}

static bool is_gone(const struct manifest_entry *entry, const void *context)
{
    (void)context;
    return !entry->written;
}

int outputs_finish(struct stage *stage, struct err *err)
{
    int rc = load(stage, err);

    for (size_t i = 0; i < stage->manifest->count && rc == 0; i++) rc = settle(stage, &stage->manifest->at[i], err);
    if (rc < 0) return rc;
    manifest_drop(stage->manifest, is_gone, NULL);
    rc = manifest_write(stage->manifest, stage->dir, err);
    for (size_t i = 0; i < stage->manifest->count && rc == 0; i++)
        if (stage->manifest->at[i].claimed)
            rc = stage_remove(stage, NOTE, note_key(stage->manifest->at[i].place), err);
    return rc;
}
