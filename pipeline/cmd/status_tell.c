/* cmd/status_tell.c -- see status_tell.h. */
#include "cmd/status_tell.h"

#include "corpus/writer.h"
#include "report/visible.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { RANKS_SHOWN = 32 };

/* ---- numbers for people ---- */

/* 1300000000 -> "1.3 GB". */
static const char *amount(char out[24], double bytes)
{
    static const char *const unit[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
    size_t i = 0;

    for (; bytes >= 999.5 && i + 1 < sizeof unit / sizeof *unit; i++) bytes /= 1000;
    snprintf(out, 24, i && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, unit[i]);
    return out;
}

/* 4000 -> "1:06:40", 42 -> "0:42". */
static const char *duration(char out[32], double seconds)
{
    unsigned long long s = seconds < 0 ? 0 : seconds < 1e12 ? (unsigned long long)seconds : 1000000000000ull;

    if (s < 3600) snprintf(out, 32, "%llu:%02llu", s / 60, s % 60);
    else snprintf(out, 32, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    return out;
}

static const char *stamp(char out[32], int64_t ms)
{
    time_t    seconds = (time_t)(ms / 1000);
    struct tm utc;

    if (!gmtime_r(&seconds, &utc) || !strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc)) strcpy(out, "?");
    return out;
}

static int visible(struct bytes *out, const char *text) { return visible_append(out, slice_of(text), true); }

/* ---- text ---- */

static const char *of_what(enum gate_outcome outcome)
{
    return outcome == GATE_PASSED ? "passed" : outcome == GATE_FAILED ? "failed" : "inconclusive";
}

static const char *reached_by(const struct found *f)
{
    switch (f->evidence) {
    case BY_LOCK:      return f->state == FOUND_DIED ? "nobody holds the folder's lock" : "the folder's lock is held";
    case BY_PROCESS:   return f->state == FOUND_DIED ? "its process is gone" : "its process is there";
    case BY_HEARTBEAT: return "it is on another host, of which only the last sign of life is known";
    default:           return "";
    }
}

/* "run: ended ...": the first line. */
static int headline(const char *dir, const struct found *f, struct bytes *out)
{
    const struct status_record *first = f->told ? &f->rank[0].record : NULL;
    char                        since[32], until[32], took[32];
    int                         rc = visible(out, dir);

    if (rc == 0 && first) stamp(since, first->started), stamp(until, first->written);
    if (rc == 0) rc = bytes_printf(out, ": %s", found_states[f->state]);
    if (rc < 0) return rc;
    if (!first && f->state == FOUND_RUNNING) {
        rc = bytes_printf(out, ", and how far is not told yet: ");
        if (rc == 0) rc = visible(out, *f->holder ? f->holder : "another process");
        return rc < 0 ? rc : bytes_printf(out, " holds the folder's lock\n");
    }
    if (!first && f->state == FOUND_ENDED) return bytes_printf(out, "\n");
    if (!first) return bytes_printf(out, ": there is no graph.db, and nobody holds the folder's lock\n");
    if (f->state == FOUND_ENDED)
        return bytes_printf(out, " with exit status %d at %s, after %s\n", f->exit_status, until,
                            duration(took, (double)(first->written - first->started) / 1000));
    if (f->state == FOUND_RUNNING)
        return bytes_printf(out, " since %s (%s)\n", since, reached_by(f));
    return bytes_printf(out, ", last heard of at %s (%s)\n", until, reached_by(f));
}

static int who(const struct found *f, struct bytes *out)
{
    const struct status_record *first = &f->rank[0].record;
    int                         rc = bytes_printf(out, "  leakgraph ");

    if (rc == 0) rc = visible(out, first->command);
    if (rc == 0) rc = bytes_printf(out, ", version ");
    if (rc == 0) rc = visible(out, first->version);
    return rc < 0 ? rc : bytes_printf(out, ", %zu rank%s of %u thread%s\n", f->ranks, f->ranks == 1 ? "" : "s",
                                      first->threads, first->threads == 1 ? "" : "s");
}

static int stage_line(const struct found *f, struct bytes *out)
{
    const struct status_record *first = &f->rank[0].record;
    const struct status_counts *c = &f->counts;
    char                        part[24], whole[24], rate[24], time[32];
    int                         rc = bytes_printf(out, "  %s ", f->state == FOUND_RUNNING ? "stage" : "last stage");

    if (rc == 0) rc = visible(out, first->stage);
    if (rc == 0 && c->item_total) {
        rc = bytes_printf(out, ": %llu of %llu ", (unsigned long long)c->items, (unsigned long long)c->item_total);
        if (rc == 0) rc = visible(out, first->unit);
    }
    if (rc == 0 && c->byte_total)
        rc = bytes_printf(out, ", %s of %s (%.0f %%)", amount(part, (double)c->bytes),
                          amount(whole, (double)c->byte_total), 100.0 * (double)c->bytes / (double)c->byte_total);
    if (rc == 0 && c->byte_total && f->state == FOUND_RUNNING)
        rc = bytes_printf(out, ", %s/s", amount(rate, (double)f->recent));
    if (rc == 0) rc = bytes_printf(out, ", for %s", duration(time, f->elapsed));
    if (rc == 0 && f->left >= 0 && f->state == FOUND_RUNNING)
        rc = bytes_printf(out, ", ETA of this stage %s", duration(time, f->left));
    if (rc == 0 && (c->documents || c->rejected))
        rc = bytes_printf(out, "\n  so far in it: %llu documents, %llu rejected records",
                          (unsigned long long)c->documents, (unsigned long long)c->rejected);
    return rc < 0 ? rc : bytes_printf(out, "\n");
}

static int rank_line(const struct found *f, size_t r, struct bytes *out)
{
    const struct found_rank    *rank = &f->rank[r];
    const struct status_record *first = &f->rank[0].record, *record = &rank->record;
    char                        rate[24], done[24], time[32];
    int                         rc = bytes_printf(out, "  rank %zu: %s", r, rank_states[rank->state]);

    if (rc < 0 || rank->state == RANK_UNHEARD) return rc < 0 ? rc : bytes_printf(out, "\n");
    if (rc == 0) rc = bytes_printf(out, ", ");
    if (rc == 0) rc = visible(out, record->host);
    if (rc == 0) rc = bytes_printf(out, " process %u", record->process);
    if (rc == 0 && strcmp(record->stage, first->stage) != 0) {
        rc = bytes_printf(out, ", ");
        if (rc == 0) rc = visible(out, record->stage);
    }
    if (rc == 0 && record->counts.item_total) {
        rc = bytes_printf(out, ", %llu ", (unsigned long long)record->counts.items);
        if (rc == 0) rc = visible(out, record->unit);
    }
    if (rc == 0 && record->counts.byte_total)
        rc = bytes_printf(out, ", %s, %s/s", amount(done, (double)record->counts.bytes),
                          amount(rate, (double)record->recent));
    return rc < 0 ? rc : bytes_printf(out, ", last sign %s ago\n", duration(time, rank->silent));
}

/* Those that are not well first; the others as far as there is room. */
static int ranks_lines(const struct found *f, struct bytes *out)
{
    size_t shown = 0;
    int    rc = 0;

    for (int well = 0; well < 2; well++)
        for (size_t r = 0; r < f->ranks && shown < RANKS_SHOWN && rc == 0; r++) {
            if ((f->rank[r].state == RANK_LIVES) != well) continue;
            rc = rank_line(f, r, out);
            shown++;
        }
    if (rc == 0 && shown < f->ranks) rc = bytes_printf(out, "  and %zu more: --json has all\n", f->ranks - shown);
    return rc;
}

/* What is not as it should be, and what to do. */
static int advice(const struct found *f, struct bytes *out)
{
    const struct status_record *first = f->told ? &f->rank[0].record : NULL;
    char                        size[24], time[32];
    int                         rc = 0;

    if (f->state == FOUND_DIED) {
        rc = bytes_printf(out, "  done: %llu units, %s; the same `leakgraph ", (unsigned long long)f->units,
                          amount(size, (double)f->unit_bytes));
        if (rc == 0) rc = visible(out, first ? first->command : "run");
        return rc < 0 ? rc : bytes_printf(out, "` goes on where it was\n");
    }
    if (f->state == FOUND_ENDED && f->records)
        rc = bytes_printf(out, "  %llu records, %llu of them rejected\n", (unsigned long long)f->records,
                          (unsigned long long)f->rejected);
    if (rc == 0 && f->state == FOUND_ENDED && first && *first->error) {
        rc = bytes_printf(out, "  error: ");
        if (rc == 0) rc = visible(out, first->error);
        if (rc == 0) rc = bytes_printf(out, "\n");
    }
    for (size_t g = 0; g < f->gates && rc == 0; g++) {
        rc = bytes_printf(out, "  ");
        if (rc == 0) rc = visible_append(out, bytes_slice(&f->gate[g].sentence), true);
        if (rc == 0) rc = bytes_printf(out, "\n");
    }
    if (rc == 0 && f->state == FOUND_RUNNING && first && f->rank[0].silent * 1000 > first->every * 3.0 + 10000)
        rc = bytes_printf(out, "  no sign of life for %s: it is stopped, or its host is%s\n",
                          duration(time, f->rank[0].silent), f->remote ? ", or the clocks of the hosts differ" : "");
    return rc;
}

int status_text(const char *dir, const struct found *f, struct bytes *out)
{
    int rc = headline(dir, f, out);

    if (rc == 0 && f->told) rc = who(f, out);
    if (rc == 0 && f->told && f->state != FOUND_ENDED) rc = stage_line(f, out);
    if (rc == 0 && f->told && f->state != FOUND_ENDED) rc = ranks_lines(f, out);
    return rc < 0 ? rc : advice(f, out);
}

/* ---- JSON ---- */

static int json_text(struct bytes *out, const char *key, const char *text)
{
    int rc = bytes_printf(out, "\"%s\": ", key);

    if (rc == 0) rc = text ? json_append_string(out, slice_of(text)) : bytes_printf(out, "null");
    return rc < 0 ? rc : bytes_printf(out, ", ");
}

static int json_stage(const struct found *f, struct bytes *out)
{
    const struct status_record *first = &f->rank[0].record;
    const struct status_counts *c = &f->counts;
    char                        time[32];
    int                         rc = bytes_printf(out, "\"stage\": {");

    if (rc == 0) rc = json_text(out, "name", first->stage);
    if (rc == 0) rc = json_text(out, "started", stamp(time, first->stage_started));
    if (rc == 0) rc = json_text(out, "unit", *first->unit ? first->unit : NULL);
    if (rc == 0)
        rc = bytes_printf(out, "\"items\": %llu, \"items_total\": %llu, \"bytes\": %llu, \"bytes_total\": %llu, "
                               "\"bytes_found\": %llu, \"documents\": %llu, \"rejected\": %llu, "
                               "\"bytes_per_second\": %llu, \"seconds\": %.3f, ", (unsigned long long)c->items,
                          (unsigned long long)c->item_total, (unsigned long long)c->bytes,
                          (unsigned long long)c->byte_total, (unsigned long long)c->found,
                          (unsigned long long)c->documents, (unsigned long long)c->rejected,
                          (unsigned long long)f->recent, f->elapsed);
    if (rc == 0) rc = f->left < 0 ? bytes_printf(out, "\"seconds_left\": null}, ")
        : bytes_printf(out, "\"seconds_left\": %.0f}, ", f->left);
    return rc;
}

static int json_rank(const struct found *f, size_t r, struct bytes *out)
{
    const struct found_rank    *rank = &f->rank[r];
    const struct status_record *record = &rank->record;
    char                        time[32];
    int                         rc = bytes_printf(out, "%s{\"rank\": %zu, ", r ? ", " : "", r);

    if (rc == 0) rc = json_text(out, "state", rank_states[rank->state]);
    if (rc < 0 || rank->state == RANK_UNHEARD) {            /* ends with a comma and a blank */
        out->len -= rc < 0 ? 0 : 2;
        return rc < 0 ? rc : bytes_printf(out, "}");
    }
    if (rc == 0) rc = json_text(out, "host", record->host);
    if (rc == 0) rc = bytes_printf(out, "\"process\": %u, ", record->process);
    if (rc == 0) rc = json_text(out, "stage", record->stage);
    if (rc == 0) rc = json_text(out, "written", stamp(time, record->written));
    if (rc == 0)
        rc = bytes_printf(out, "\"silent_seconds\": %.3f, \"items\": %llu, \"bytes\": %llu, \"documents\": %llu, "
                               "\"rejected\": %llu, \"bytes_per_second\": %llu}", rank->silent,
                          (unsigned long long)record->counts.items, (unsigned long long)record->counts.bytes,
                          (unsigned long long)record->counts.documents, (unsigned long long)record->counts.rejected,
                          (unsigned long long)record->recent);
    return rc;
}

static int json_gates(const struct found *f, struct bytes *out)
{
    int rc = bytes_printf(out, "\"gates\": [");

    for (size_t g = 0; g < f->gates && rc == 0; g++) {
        rc = bytes_printf(out, "%s{\"outcome\": \"%s\", \"sentence\": ", g ? ", " : "", of_what(f->gate[g].outcome));
        if (rc == 0) rc = json_append_string(out, bytes_slice(&f->gate[g].sentence));
        if (rc == 0) rc = bytes_printf(out, "}");
    }
    return rc < 0 ? rc : bytes_printf(out, "], ");
}

/* What rank 0 says of the run. */
static int json_told(const struct found *f, struct bytes *out)
{
    const struct status_record *first = &f->rank[0].record;
    char                        time[32];
    int                         rc = json_text(out, "command", first->command);

    if (rc == 0) rc = json_text(out, "version", first->version);
    if (rc == 0) rc = json_text(out, "started", stamp(time, first->started));
    if (rc == 0) rc = json_text(out, "written", stamp(time, first->written));
    if (rc == 0) rc = bytes_printf(out, "\"threads\": %u, ", first->threads);
    if (rc == 0) rc = json_stage(f, out);
    if (rc == 0) rc = bytes_printf(out, "\"ranks\": [");
    for (size_t r = 0; r < f->ranks && rc == 0; r++) rc = json_rank(f, r, out);
    return rc < 0 ? rc : bytes_printf(out, "], ");
}

int status_json(const char *dir, const struct found *f, struct bytes *out)
{
    int rc = bytes_printf(out, "{\"status_version\": %d, ", STATUS_JSON_VERSION);

    if (rc == 0) rc = json_text(out, "folder", dir);
    if (rc == 0) rc = json_text(out, "state", found_states[f->state]);
    if (rc == 0) rc = json_text(out, "evidence", found_evidences[f->evidence]);
    if (rc == 0) rc = bytes_printf(out, "\"other_host\": %s, ", f->remote ? "true" : "false");
    if (rc == 0 && f->told) rc = json_told(f, out);
    if (rc == 0 && f->state == FOUND_ENDED) {
        rc = bytes_printf(out, "\"exit_status\": %d, ", f->exit_status);
        if (rc == 0) rc = json_text(out, "error", f->told && *f->rank[0].record.error ? f->rank[0].record.error : NULL);
        if (rc == 0) rc = json_gates(f, out);
        if (rc == 0)
            rc = bytes_printf(out, "\"records\": %llu, \"rejected\": %llu, ", (unsigned long long)f->records,
                              (unsigned long long)f->rejected);
    }
    return rc < 0 ? rc : bytes_printf(out, "\"units\": %llu, \"unit_bytes\": %llu, \"graph\": %s}\n",
                                      (unsigned long long)f->units, (unsigned long long)f->unit_bytes,
                                      f->graph ? "true" : "false");
}
