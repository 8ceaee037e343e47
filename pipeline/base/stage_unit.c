/* base/stage_unit.c -- unit files: written once, renamed into place, checked whenever they are mapped; see stage.h.
 *
 *   byte  0  header, 64 bytes
 *        64  section table: 16 bytes a section
 *        ..  sections, each at the next multiple of 64, zeros between; the file ends with the last one
 *
 * The checksum covers everything but itself.  The layout follows from the lengths alone, so a reader can insist on it.
 * No fsync: after a power failure a unit may be there with holes or zeros in it, its checksum then tells, and it is
 * made again. What a run must not lose (graph.db) is synced where it is written. */
#include "base/stage_private.h"

#include "base/aside.h"
#include "base/file.h"
#include "base/log.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNIT_ALIGN = 64, UNIT_VERSION = 1, UNIT_ORDER = 0x0102, UNIT_KIND = 16, UNIT_PATH = 4096, UNIT_PIECES = 1024 };

struct unit_header {
    char            magic[8];
    /* order reads 0x0201 on a machine of the other byte order */
    uint16_t        version, order;
    uint32_t        count;                                  /* sections */
    struct unit_key key;
    char            kind[UNIT_KIND];                        /* padded with NUL */
    uint64_t        bytes;                                  /* of the whole file */
    /* xxh3-64 of the bytes before this field and those after it */
    uint64_t        checksum;
};
_Static_assert(sizeof(struct unit_header) == UNIT_ALIGN, "file format");

struct unit_entry { uint64_t at, len; };
_Static_assert(sizeof(struct unit_entry) == 16, "file format");

static const char unit_magic[8] = "LKGUNIT\1";

struct unit_key unit_key_add(struct unit_key key, const void *at, size_t len)
{
    XXH3_state_t  state;
    uint64_t      size = len;
    XXH128_hash_t sum;

    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, &key, sizeof key);
    XXH3_128bits_update(&state, &size, sizeof size);        /* so that "ab"+"c" and "a"+"bc" differ */
    if (len) XXH3_128bits_update(&state, at, len);
    sum = XXH3_128bits_digest(&state);
    return (struct unit_key){ sum.low64, sum.high64 };
}

static uint64_t unit_align(uint64_t at) { return (at + UNIT_ALIGN - 1) / UNIT_ALIGN * UNIT_ALIGN; }

static int unit_path(const struct stage *stage, const char *kind, struct unit_key key, char path[UNIT_PATH],
                     struct err *err)
{
    int need = snprintf(path, UNIT_PATH, "%s/%s-%016llx%016llx" STAGE_UNIT, stage->work, kind,
                        (unsigned long long)key.high, (unsigned long long)key.low);

    return need < UNIT_PATH ? 0 : err_set(err, -EIO, "%s: path too long", stage->work);
}

/* ---- writing ---- */

int stage_write_error(const char *path, uint64_t byte, int number, struct err *err)
{
    return err_set(err, err_of_write(number), "%s: byte %llu: cannot write: %s", path, (unsigned long long)byte,
                   strerror(number));
}

int stage_write(int fd, const char *path, uint64_t byte, struct iovec *piece, size_t count, struct err *err)
{
    for (;;) {
        ssize_t sent;
        size_t  left;

        for (; count && piece->iov_len == 0; count--) piece++;
        if (count == 0) return 0;
        sent = writev(fd, piece, (int)(count < UNIT_PIECES ? count : UNIT_PIECES));
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return stage_write_error(path, byte, sent < 0 ? errno : EIO, err);
        byte += (uint64_t)sent;
        for (left = (size_t)sent; count && left >= piece->iov_len; piece++, count--) left -= piece->iov_len;
        if (count) {
            piece->iov_base = (char *)piece->iov_base + left;
            piece->iov_len -= left;
        }
    }
}

/* A fresh file work/tmp-HOST-PID-N.  O_EXCL settles the rare twins: two containers may share host name and process
 * number. */
static int unit_create(struct stage *stage, char path[UNIT_PATH], struct err *err)
{
    for (int tries = 0; tries < 1000; tries++) {
        unsigned long long number = (unsigned long long)atomic_fetch_add(&stage->counter, 1);
        int                fd, need;

        need = snprintf(path, UNIT_PATH, "%s/" STAGE_TEMPORARY "%s-%ld-%llu", stage->work, stage->host, (long)getpid(),
                        number);
        if (need >= UNIT_PATH) return err_set(err, -EIO, "%s: path too long", stage->work);
        fd = file_open_in(stage->folder, stage_name(stage, path), O_WRONLY | O_CREAT | O_EXCL);
        if (fd >= 0) return fd;
        if (errno != EEXIST) return stage_write_error(path, 0, errno, err);
    }
    return err_set(err, -EIO, "%s: cannot find a free temporary name", stage->work);
}

/* What is mapped is read in steps, and left to the cache behind them. */
enum { UNIT_STEP = 4 << 20, UNIT_LARGE = 64 << 20 };

static void unit_hash(XXH3_state_t *state, const char *at, size_t len, bool mapped)
{
    const size_t step = mapped ? UNIT_STEP : len;

    for (size_t done = 0; done < len; done += step) {
        const size_t here = len - done < step ? len - done : step;

        XXH3_64bits_update(state, at + done, here);
        if (mapped) aside_leave(at, done + here);
    }
}

/* Lays out header, table, sections and the zeros between them; returns the number of pieces, of which those of section
 * i are 2 + 2 i and the one after it. */
static size_t unit_arrange(struct unit_header *header, struct unit_entry *entry, const struct slice *section,
                           const bool *mapped, size_t count, struct iovec *piece)
{
    static const char zeros[UNIT_ALIGN] = { 0 };
    uint64_t          at = sizeof *header + count * sizeof *entry;
    size_t            pieces = 0;
    XXH3_state_t      state;

    piece[pieces++] = (struct iovec){ header, sizeof *header };
    piece[pieces++] = (struct iovec){ entry, count * sizeof *entry };
    for (size_t i = 0; i < count; i++) {
        piece[pieces++] = (struct iovec){ (void *)(uintptr_t)zeros, (size_t)(unit_align(at) - at) };
        piece[pieces++] = (struct iovec){ (void *)(uintptr_t)section[i].at, section[i].len };
        entry[i] = (struct unit_entry){ unit_align(at), section[i].len };
        at = entry[i].at + entry[i].len;
    }
    header->bytes = at;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, header, offsetof(struct unit_header, checksum));
    for (size_t i = 1; i < pieces; i++)
        unit_hash(&state, piece[i].iov_base, piece[i].iov_len, mapped && i >= 2 && i % 2 && mapped[i / 2 - 1]);
    header->checksum = XXH3_64bits_digest(&state);
    return pieces;
}

/* Writes all pieces; those of mapped sections one by one. */
static int unit_write(int fd, const char *path, struct iovec *piece, size_t pieces, const bool *mapped,
                      struct err *err)
{
    uint64_t byte = 0;
    size_t   from = 0;
    int      rc = 0;

    for (size_t i = 0; i < pieces && rc == 0; i++) {
        const char  *at = piece[i].iov_base;
        const size_t len = piece[i].iov_len;
        uint64_t     before = 0;

        if (!mapped || i < 2 || i % 2 == 0 || !mapped[i / 2 - 1]) continue;
        for (size_t p = from; p < i; p++) before += piece[p].iov_len;
        rc = stage_write(fd, path, byte, piece + from, i - from, err);
        byte += before;
        for (size_t done = 0; done < len && rc == 0; done += UNIT_STEP) {
            struct iovec step = { (char *)piece[i].iov_base + done, len - done < UNIT_STEP ? len - done : UNIT_STEP };

            rc = stage_write(fd, path, byte + done, &step, 1, err);
            aside_leave(at, done + UNIT_STEP < len ? done + UNIT_STEP : len);
        }
        byte += len;
        from = i + 1;
    }
    return rc < 0 ? rc : stage_write(fd, path, byte, piece + from, pieces - from, err);
}

int stage_commit(struct stage *stage, const char *kind, struct unit_key key, const struct slice *section, size_t count,
                 struct err *err)
{
    return stage_commit_mapped(stage, kind, key, section, NULL, count, err);
}

int stage_commit_mapped(struct stage *stage, const char *kind, struct unit_key key, const struct slice *section,
                        const bool *mapped, size_t count, struct err *err)
{
    struct unit_header header = { .version = UNIT_VERSION, .order = UNIT_ORDER, .count = (uint32_t)count, .key = key };
    struct unit_entry *entry = calloc(count + 1, sizeof *entry);
    struct iovec      *piece = calloc(2 * count + 2, sizeof *piece);
    char               path[UNIT_PATH], temporary[UNIT_PATH];
    int                rc, fd = -1;

    assert(strlen(kind) < UNIT_KIND && !strchr(kind, '/') && count <= UINT32_MAX);
    memcpy(header.magic, unit_magic, sizeof header.magic);
    memcpy(header.kind, kind, strlen(kind));
    if (!entry || !piece) {
        rc = err_memory(err, (count + 1) * (sizeof *entry + 2 * sizeof *piece), "a unit's table");
        goto done;
    }
    if ((rc = unit_path(stage, kind, key, path, err)) < 0) goto done;
    if ((rc = fd = unit_create(stage, temporary, err)) < 0) goto done;
    rc = unit_write(fd, temporary, piece, unit_arrange(&header, entry, section, mapped, count, piece), mapped, err);
    /* NFS tells a full disk here */
    if (close(fd) < 0 && rc == 0 && errno != EINTR) rc = stage_write_error(temporary, header.bytes, errno, err);
    if (rc == 0 &&
        renameat(stage->folder, stage_name(stage, temporary), stage->folder, stage_name(stage, path)) < 0)
        rc = stage_write_error(path, header.bytes, errno, err);
    if (rc < 0) unlinkat(stage->folder, stage_name(stage, temporary), 0);
done:
    free(entry);
    free(piece);
    return rc;
}

/* ---- checking and reading ---- */

/* Checks a whole file in memory, mapped or read; no number in it is used before it is known to lie within the file.
 * content: its checksum too. */
static int unit_check(const char *path, const struct unit *unit, bool content, struct err *err)
{
    const unsigned char *at = unit->map;
    const uint64_t       size = unit->bytes;
    struct unit_header   header;
    struct unit_entry    entry;
    uint64_t             next;
    XXH3_state_t         state;

    if (size < sizeof header)
        return err_set(err, -EBADMSG, "%s: byte %llu: cut off within the header", path, (unsigned long long)size);
    memcpy(&header, at, sizeof header);
    if (memcmp(header.magic, unit_magic, sizeof header.magic) != 0)
        return err_set(err, -EBADMSG, "%s: byte 0: not a unit file", path);
    if (header.order != UNIT_ORDER)
        return err_set(err, -EBADMSG, "%s: byte 10: written on a machine of the other byte order", path);
    if (header.version != UNIT_VERSION)
        return err_set(err, -EBADMSG, "%s: byte 8: format version %u, this program reads %d", path, header.version,
                       UNIT_VERSION);
    if (header.bytes != size)
        return err_set(err, -EBADMSG, "%s: byte 48: the header says %llu bytes, the file has %llu", path,
                       (unsigned long long)header.bytes,
                       (unsigned long long)size);
    if (header.count > (size - sizeof header) / sizeof entry)
        return err_set(err, -EBADMSG, "%s: byte 12: %u sections do not fit in %llu bytes", path, header.count,
                       (unsigned long long)size);
    if (content) {
        XXH3_64bits_reset(&state);
        XXH3_64bits_update(&state, at, offsetof(struct unit_header, checksum));
        /* only what is mapped comes back when it was left */
        unit_hash(&state, (const char *)at + sizeof header, (size_t)(size - sizeof header),
                  unit->mapped && size > UNIT_LARGE);
        if (XXH3_64bits_digest(&state) != header.checksum)
            return err_set(err, -EBADMSG, "%s: byte 56: the checksum does not fit the content", path);
    }
    if (header.kind[UNIT_KIND - 1]) return err_set(err, -EBADMSG, "%s: byte 32: the kind has no end", path);
    next = sizeof header + header.count * (uint64_t)sizeof entry;
    for (uint32_t i = 0; i < header.count; i++) {
        memcpy(&entry, at + sizeof header + i * sizeof entry, sizeof entry);
        if (entry.at != unit_align(next) || entry.at > size || entry.len > size - entry.at)
            return err_set(err, -EBADMSG, "%s: byte %llu: section %u lies outside its place", path,
                           (unsigned long long)(sizeof header + i * sizeof entry), i);
        next = entry.at + entry.len;
    }
    if (next != size)
        return err_set(err, -EBADMSG, "%s: byte %llu: content after the last section", path, (unsigned long long)next);
    return 0;
}

/* A process may have some 65,000 mappings, and a dataset more files than that: those of a page are read, and so are
 * small ones where many are mapped, and any where that are almost all there may be.  Not all small ones: a rank has the
 * links of its blocks open, some 10^4 files, and copies of them would be memory of its own, where a mapping is the
 * system's cache. */
enum { UNIT_PAGE = 4 << 10, UNIT_SMALL = 256 << 10, MAPPED_SMALL_MOST = 16 << 10, MAPPED_MOST = 48 << 10 };
static atomic_int mapped_units;

/* Whether a file of so many bytes is to be mapped; counted, until unit_unmap. */
static bool unit_maps(uint64_t bytes)
{
    if (bytes <= UNIT_PAGE) return false;
    if (atomic_fetch_add(&mapped_units, 1) < (bytes <= UNIT_SMALL ? MAPPED_SMALL_MOST : MAPPED_MOST)) return true;
    atomic_fetch_sub(&mapped_units, 1);
    return false;
}

/* The file's content, aligned as a section is, or MAP_FAILED with errno set. */
static void *unit_read(int fd, size_t bytes)
{
    char   *at = aligned_alloc(64, (bytes + 63) / 64 * 64);
    size_t  done = 0;
    ssize_t got = 1;

    if (!at) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    while (done < bytes && got > 0) {
        got = file_read(fd, at + done, bytes - done);
        if (got > 0) done += (size_t)got;
    }
    if (done == bytes) return at;
    if (got == 0) errno = EIO;                              /* shorter than it was */
    free(at);
    return MAP_FAILED;
}

static void unit_unmap(const struct unit *unit)
{
    if (!unit->mapped) {
        free(unit->map);
        return;
    }
    munmap(unit->map, (size_t)unit->bytes);
    atomic_fetch_sub(&mapped_units, 1);
}

static struct unit unit_content(int fd, uint64_t bytes)
{
    struct unit unit = { .bytes = bytes, .mapped = unit_maps(bytes) };

    unit.map = unit.mapped ? mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, fd, 0) : unit_read(fd, (size_t)bytes);
    if (unit.map == MAP_FAILED && unit.mapped) atomic_fetch_sub(&mapped_units, 1);
    return unit;
}

/* Maps the file `name` of a folder, `path` in messages, and checks it: 0; -ENOENT when there is none; -EBADMSG, -EIO,
 * -ENOMEM.  out: without sections; none but after 0. */
static int unit_map(int folder, const char *name, const char *path, bool content, struct unit *out, struct err *err)
{
    struct stat is;
    int         fd, rc = 0;

    *out = (struct unit){ 0 };
    fd = file_open_in(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return err_set(err, errno == ENOENT ? -ENOENT : errno == ELOOP ? -EBADMSG : -EIO, "%s: %s", path,
                       errno == ELOOP ? "is a symbolic link" : strerror(errno));
    if (fstat(fd, &is) < 0)
        rc = err_set(err, -EIO, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(is.st_mode))
        rc = err_set(err, -EIO, "%s: is not a regular file", path);
    else if (is.st_size < (off_t)sizeof(struct unit_header))
        /* says "cut off"; an empty file cannot be mapped */
        rc = unit_check(path, &(struct unit){ .bytes = (uint64_t)is.st_size }, content, err);
    else {
        const struct unit unit = unit_content(fd, (uint64_t)is.st_size);

        if (unit.map == MAP_FAILED)
            rc = err_set(err, errno == ENOMEM ? -ENOMEM : -EIO, "%s: cannot map: %s", path, strerror(errno));
        else if ((rc = unit_check(path, &unit, content, err)) < 0)
            unit_unmap(&unit);
        else
            *out = unit;
    }
    close(fd);
    return rc;
}

static int unit_load(struct stage *stage, const char *kind, struct unit_key key, bool content, struct unit *out,
                     struct err *err)
{
    char               path[UNIT_PATH];
    struct unit_header header;
    int                rc;

    *out = (struct unit){ 0 };
    if ((rc = unit_path(stage, kind, key, path, err)) < 0) return rc;
    rc = unit_map(stage->folder, stage_name(stage, path), path, content, out, err);
    if (rc == -ENOENT) return 0;
    if (rc == 0) {
        memcpy(&header, out->map, sizeof header);
        if (memcmp(&header.key, &key, sizeof key) != 0 || strcmp(header.kind, kind) != 0)
            rc = err_set(err, -EBADMSG, "%s: byte 16: holds unit %s-%016llx%016llx", path, header.kind,
                         (unsigned long long)header.key.high,
                         (unsigned long long)header.key.low);
    }
    if (rc == -EBADMSG) {
        unit_close(out);
        log_rank_warn("damaged unit is removed and made again: %s", err->text);
        if (unlinkat(stage->folder, stage_name(stage, path), 0) < 0 && errno != ENOENT)
            return err_set(err, -EIO, "%s: cannot remove the damaged unit: %s", path, strerror(errno));
        *err = (struct err){ 0 };
        return 0;
    }
    if (rc < 0) return rc;
    out->section = calloc(header.count + (size_t)1, sizeof *out->section);
    if (!out->section) {
        unit_close(out);
        return err_memory(err, header.count * sizeof *out->section, "a unit's sections");
    }
    out->count = header.count;
    for (size_t i = 0; i < out->count; i++) {
        struct unit_entry entry;

        memcpy(&entry, (const char *)out->map + sizeof header + i * sizeof entry, sizeof entry);
        out->section[i] = (struct slice){ (const char *)out->map + entry.at, (size_t)entry.len };
    }
    return 1;
}

int stage_load(struct stage *stage, const char *kind, struct unit_key key, struct unit *out, struct err *err)
{
    return unit_load(stage, kind, key, true, out, err);
}

int stage_map(struct stage *stage, const char *kind, struct unit_key key, struct unit *out, struct err *err)
{
    return unit_load(stage, kind, key, false, out, err);
}

int stage_remove(struct stage *stage, const char *kind, struct unit_key key, struct err *err)
{
    char path[UNIT_PATH];
    int  rc = unit_path(stage, kind, key, path, err);

    if (rc == 0 && unlinkat(stage->folder, stage_name(stage, path), 0) < 0 && errno != ENOENT)
        rc = err_set(err, -EIO, "%s: cannot remove: %s", path, strerror(errno));
    return rc;
}

void unit_close(struct unit *unit)
{
    if (unit->map) unit_unmap(unit);
    free(unit->section);
    *unit = (struct unit){ 0 };
}

/* Bytes for each of many places: reading so many in order takes as long as a page from anywhere does. */
enum { UNIT_DENSE = 256 << 10 };

void unit_expect(const struct unit *unit, uint64_t places)
{
    if (!unit->mapped) return;
    if (places < unit->bytes / UNIT_DENSE) madvise(unit->map, (size_t)unit->bytes, MADV_RANDOM);
#ifdef MADV_POPULATE_READ
    else madvise(unit->map, (size_t)unit->bytes, MADV_POPULATE_READ);   /* an older kernel says no, and faults */
#endif
}

void unit_forget(const struct unit *unit)
{
    if (unit->mapped) madvise(unit->map, (size_t)unit->bytes, MADV_DONTNEED);
}

void unit_forget_before(const struct unit *unit, const void *at, const char **behind)
{
    const char *map = unit->map, *to = at;

    if (!*behind) *behind = map;
    if (!map || to < *behind || to > map + unit->bytes || to - *behind < UNIT_STEP) return;
    if (unit->mapped) aside_leave(*behind, (size_t)(to - *behind));
    *behind = to;
}

int unit_verify(const char *path, struct err *err)
{
    const char        *base = strrchr(path, '/');
    char               name[UNIT_KIND + 48];
    struct unit_header header;
    struct unit        unit;
    int                rc = unit_map(AT_FDCWD, path, path, true, &unit, err);

    if (rc < 0) return rc == -ENOENT ? -EIO : rc;
    memcpy(&header, unit.map, sizeof header);
    unit_unmap(&unit);
    /* A sound file under another's name would be taken for that other by its key: the name is part of what is verified.
     */
    snprintf(name, sizeof name, "%s-%016llx%016llx" STAGE_UNIT, header.kind, (unsigned long long)header.key.high,
             (unsigned long long)header.key.low);
    base = base ? base + 1 : path;
    return strcmp(base, name) == 0 ? 0 : err_set(err, -EBADMSG, "%s: byte 16: holds the unit that belongs in %s", path,
                                                 name);
}
