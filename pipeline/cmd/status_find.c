/* cmd/status_find.c -- see status_find.h. */
#include "cmd/status_find.h"

#include "base/inside.h"
#include "graph/read.h"

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

enum { LATE_RECORDS = 3, LATE_MORE = 10000, LOOK_AGAIN_MOST = 3000, HOLDER_MOST = 127 };    /* records; ms; bytes */

const char *const found_states[] = { "running", "ended", "died" };
const char *const found_evidences[] = { "record", "lock", "process", "heartbeat", "graph.db" };
const char *const rank_states[] = { "lives", "ended", "gone", "late", "unheard" };

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the lock ---- */

enum lock_state { LOCK_HELD, LOCK_FREE, LOCK_UNKNOWN };

/* Taken and given back at once when it is free: a run that begins meanwhile waits for 20 ms. */
static enum lock_state lock_look(int work, char holder[128])
{
    int             file = file_open_in(work, "lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    enum lock_state state = LOCK_UNKNOWN;
    ssize_t         got;

    holder[0] = '\0';
    if (file < 0) return errno == ENOENT ? LOCK_FREE : LOCK_UNKNOWN;
    if (file_lock(file, LOCK_SH | LOCK_NB) == 0) state = LOCK_FREE;
    else if (errno == EWOULDBLOCK) state = LOCK_HELD;
    got = file_read_at(file, holder, HOLDER_MOST, 0);
    holder[got > 0 ? got : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
    close(file);                                            /* and with it the lock */
    return state;
}

/* Is it rank 0 of these records that holds it? */
static bool lock_is_of(const char *holder, const struct status_record *first)
{
    char text[128];

    snprintf(text, sizeof text, "%s %u", first->host, first->process);
    return strcmp(text, holder) == 0;
}

/* ---- the ranks ---- */

static bool is_here(const struct status_record *record)
{
    char host[65] = "";

    if (gethostname(host, sizeof host - 1) < 0 || !*host) strcpy(host, "host");
    return strncmp(host, record->host, sizeof record->host - 1) == 0;
}

/* The process of that number may be another one by now. */
static bool process_lives(const struct status_record *record)
{
    const uint64_t born = status_born(record->process);

    return born && (!record->born || born == record->born);
}

static bool is_late(const struct status_record *record, int64_t now)
{
    return now - record->written > (int64_t)record->every * LATE_RECORDS + LATE_MORE;
}

static enum rank_state rank_look(const struct status_record *record, int64_t now)
{
    if (record->state == STATUS_ENDED) return RANK_ENDED;
    if (is_here(record)) return process_lives(record) ? RANK_LIVES : RANK_GONE;
    return is_late(record, now) ? RANK_LATE : RANK_LIVES;
}

/* What is not of the run of rank 0 was left by one with more ranks. */
static int ranks_read(struct found *f, int work, const struct status_record *first, struct err *err)
{
    const int64_t now = now_ms();

    f->rank = calloc(first->ranks, sizeof *f->rank);
    if (!f->rank) return err_memory(err, first->ranks * sizeof *f->rank, "ranks");
    f->ranks = first->ranks;
    for (size_t r = 0; r < f->ranks; r++) {
        struct found_rank    *rank = &f->rank[r];
        struct status_record  record = *first;
        struct err            ignored = { 0 };

        rank->state = RANK_UNHEARD;
        if (r && status_read(work, (uint32_t)r, &record, &ignored) <= 0) continue;
        if (record.run != first->run || record.ranks != first->ranks) continue;
        rank->record = record;
        rank->state = rank_look(&record, now);
        rank->silent = now > record.written ? (double)(now - record.written) / 1000 : 0;
    }
    return 0;
}

static void counts_add(struct found *f)
{
    const struct status_record *first = &f->rank[0].record;
    uint64_t                    part, whole, found = 0;

    for (size_t r = 0; r < f->ranks; r++) {
        const struct status_record *record = &f->rank[r].record;

        if (f->rank[r].state == RANK_UNHEARD || strcmp(record->stage, first->stage) != 0) continue;
        f->counts.items += record->counts.items;
        f->counts.bytes += record->counts.bytes;
        f->counts.found += record->counts.found;
        f->counts.documents += record->counts.documents;
        f->counts.rejected += record->counts.rejected;
        f->recent += record->recent;
    }
    f->counts.item_total = first->counts.item_total;
    f->counts.byte_total = first->counts.byte_total;
    f->elapsed = first->written > first->stage_started ? (double)(first->written - first->stage_started) / 1000 : 0;
    whole = f->counts.byte_total ? f->counts.byte_total : f->counts.item_total;
    part = f->counts.byte_total ? f->counts.bytes : f->counts.items;
    if (f->counts.byte_total) found = f->counts.found;
    f->left = part > found && whole >= part ? f->elapsed * (double)(whole - part) / (double)(part - found) : -1;
}

/* ---- does it live ---- */

/* Its clock may be another: a record that follows is a sure sign. */
static bool goes_on(int work, const struct status_record *first)
{
    const int64_t        wait = first->every < LOOK_AGAIN_MOST - 500 ? first->every + 500 : LOOK_AGAIN_MOST;
    struct status_record later;
    struct err           ignored = { 0 };

    for (int64_t waited = 0; waited < wait; waited += 100) {
        nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
        if (status_read(work, 0, &later, &ignored) > 0 && later.run == first->run && later.sequence != first->sequence)
            return true;
    }
    return false;
}

static void life_look(struct found *f, int work, enum lock_state lock)
{
    const struct status_record *first = &f->rank[0].record;

    f->remote = !is_here(first);
    f->evidence = BY_RECORD;
    f->state = FOUND_ENDED;
    if (first->state == STATUS_ENDED) {
        f->exit_status = first->exit_status;
        return;
    }
    f->state = FOUND_RUNNING;
    f->evidence = BY_LOCK;
    if (lock == LOCK_HELD) return;
    f->evidence = f->remote ? BY_HEARTBEAT : BY_PROCESS;
    if (f->remote ? !is_late(first, now_ms()) || goes_on(work, first) : process_lives(first)) return;
    f->state = FOUND_DIED;
    if (lock == LOCK_FREE && !f->remote) f->evidence = BY_LOCK;
}

/* A folder in which no rank has said anything: of an earlier version, or of a run that has only just begun. */
static void life_guess(struct found *f, enum lock_state lock)
{
    f->state = lock == LOCK_HELD ? FOUND_RUNNING : f->graph ? FOUND_ENDED : FOUND_DIED;
    f->evidence = lock == LOCK_HELD ? BY_LOCK : f->graph ? BY_GRAPH : BY_LOCK;
}

/* ---- what is there ---- */

static void units_count(struct found *f, int work)
{
    int            copy = file_open_in(work, ".", O_RDONLY | O_DIRECTORY);
    DIR           *folder = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *entry;
    struct stat    is;

    while (folder && (entry = readdir(folder))) {
        size_t len = strlen(entry->d_name);

        if (len < 5 || strcmp(entry->d_name + len - 5, ".unit") != 0) continue;
        if (fstatat(copy, entry->d_name, &is, AT_SYMLINK_NOFOLLOW) < 0) continue;
        f->units++;
        f->unit_bytes += (uint64_t)is.st_size;
    }
    if (folder) closedir(folder);
    else if (copy >= 0) close(copy);
}

static void gate_hear(void *context, enum gate_outcome outcome, const char *sentence)
{
    struct found      *f = context;
    struct found_gate *grown = realloc(f->gate, (f->gates + 1) * sizeof *grown);

    if (!grown) return;                                     /* one line less */
    f->gate = grown;
    f->gate[f->gates] = (struct found_gate){ .outcome = outcome };
    if (bytes_append_slice(&f->gate[f->gates].sentence, slice_of(sentence)) == 0) f->gates++;
}

/* A graph.db that cannot be read is for fsck to tell of. */
static void gates_look(struct found *f, const char *path)
{
    enum gate_outcome worst = GATE_PASSED;
    struct err        ignored = { 0 };
    sqlite3          *db = NULL;

    if (graph_open(&db, path, &ignored) == 0) {
        graph_count(db, "SELECT value FROM run WHERE key = 'records'", &f->records, &ignored);
        graph_count(db, "SELECT value FROM run WHERE key = 'rejected'", &f->rejected, &ignored);
        gates_read_back(db, &(struct gate_reader){ gate_hear, f }, &worst, &ignored);
    }
    graph_close(db);
    if (!f->told && worst != GATE_PASSED) f->exit_status = 3;
}

static int work_look(struct found *f, int work, struct err *err)
{
    struct status_record first;
    enum lock_state      lock = lock_look(work, f->holder);
    int                  rc = status_read(work, 0, &first, err);

    units_count(f, work);
    if (rc == -EBADMSG) *err = (struct err){ 0 }, rc = 0;   /* as if there were none */
    if (rc > 0 && lock == LOCK_HELD && !lock_is_of(f->holder, &first)) rc = 0;      /* left by another run */
    if (rc < 0) return rc;
    f->told = rc > 0;
    if (!f->told) {
        life_guess(f, lock);
        return 0;
    }
    if ((rc = ranks_read(f, work, &first, err)) < 0) return rc;
    counts_add(f);
    life_look(f, work, lock);
    return 0;
}

int status_find(const char *dir, struct found *out, struct err *err)
{
    struct err none = { 0 };
    char       path[FILE_NAME_MAX];
    int        work, rc = file_join(dir, "graph.db", path, err);

    *out = (struct found){ .left = -1 };
    if (rc < 0) return rc;
    out->graph = access(path, F_OK) == 0;
    work = inside_open(dir, "work", false, &none);
    if (work < 0 && work != -ENOENT) return err_set(err, work, "%s", none.text);
    if (work < 0 && !out->graph)
        return err_set(err, -ENOENT, "%s is no folder of a run: it has neither graph.db nor work/", dir);
    if (work < 0) life_guess(out, LOCK_FREE);
    else rc = work_look(out, work, err);
    if (work >= 0) close(work);
    if (rc == 0 && out->state == FOUND_ENDED && out->graph && (out->exit_status == 0 || out->exit_status == 3))
        gates_look(out, path);
    return rc;
}

void found_free(struct found *found)
{
    for (size_t g = 0; g < found->gates; g++) bytes_free(&found->gate[g].sentence);
    free(found->gate);
    free(found->rank);
    *found = (struct found){ .left = -1 };
}
