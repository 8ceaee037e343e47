/* base/status_record.c -- see status_record.h. */
#include "base/status_record.h"

#include "base/file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STATUS_TIME_MAX ((int64_t)1 << 53)                 /* ms: no sum of two overflows */

enum { STATUS_ORDER = 0x01020304, STATUS_TRIES = 5 };

static const char status_magic[8] = "LKGSTAT\1";

/* Fields 3 and 22 of /proc/PID/stat, behind a name that may hold anything.  A process that nobody has waited for yet
 * has ended all the same. */
uint64_t status_born(uint32_t process)
{
    char               path[64], text[1024], *at;
    unsigned long long born = 0;
    FILE              *file;
    size_t             got;

    snprintf(path, sizeof path, "/proc/%u/stat", process);
    file = file_stream(path, "re");
    if (!file) return 0;
    got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = '\0';
    at = strrchr(text, ')');
    if (!at || strncmp(at, ") Z", 3) == 0 || strncmp(at, ") X", 3) == 0) return 0;
    for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
    return at && sscanf(at, "%llu", &born) == 1 ? born : 0;
}

int64_t status_slot(uint64_t sequence) { return (int64_t)(sequence & 1) * STATUS_SLOT; }

static uint64_t status_sum(const struct status_record *record)
{
    const size_t from = offsetof(struct status_record, sequence);

    return XXH3_64bits((const char *)record + from, sizeof *record - from);
}

void status_seal(struct status_record *record)
{
    memcpy(record->magic, status_magic, sizeof status_magic);
    record->order = STATUS_ORDER;
    record->checksum = status_sum(record);
}

static bool is_time(int64_t ms) { return ms >= 0 && ms < STATUS_TIME_MAX; }

static bool ends(const char *text, size_t room) { return memchr(text, '\0', room) != NULL; }

bool status_valid(const struct status_record *r)
{
    if (memcmp(r->magic, status_magic, sizeof status_magic) != 0 || r->checksum != status_sum(r)) return false;
    return r->order == STATUS_ORDER && r->rank < r->ranks && r->ranks <= STATUS_RANKS_MAX &&
        (r->state == STATUS_RUNNING || r->state == STATUS_ENDED) && is_time(r->started) &&
        is_time(r->stage_started) && is_time(r->written) && ends(r->host, sizeof r->host) &&
        ends(r->command, sizeof r->command) && ends(r->stage, sizeof r->stage) && ends(r->unit, sizeof r->unit) &&
        ends(r->version, sizeof r->version) && ends(r->error, sizeof r->error);
}

/* The newer of the two slots.  False: neither is valid. */
static bool newest(const char *slots, size_t len, uint32_t rank, struct status_record *out)
{
    struct status_record record;
    bool                 found = false;

    for (size_t at = 0; at + sizeof record <= len; at += STATUS_SLOT) {
        memcpy(&record, slots + at, sizeof record);
        if (!status_valid(&record) || record.rank != rank || (found && record.sequence < out->sequence)) continue;
        *out = record;
        found = true;
    }
    return found;
}

int status_read(int work, uint32_t rank, struct status_record *out, struct err *err)
{
    char        name[32], slots[2 * STATUS_SLOT];
    struct stat is;
    bool        found = false;

    snprintf(name, sizeof name, STATUS_NAME "%u", rank);
    for (int tries = 0; tries < STATUS_TRIES && !found; tries++) {
        int     file = file_open_in(work, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        ssize_t got;

        if (file < 0 && errno == ENOENT) return 0;
        if (file < 0) return err_set(err, -errno, "work/%s: %s", name, strerror(errno));
        got = fstat(file, &is) == 0 && S_ISREG(is.st_mode) ? file_read_at(file, slots, sizeof slots, 0) : 0;
        close(file);
        found = got > 0 && newest(slots, (size_t)got, rank, out);
        if (!found) nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);      /* one may be on its way */
    }
    return found ? 1 : err_set(err, -EBADMSG, "work/%s: holds no record of a run", name);
}
