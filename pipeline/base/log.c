/* base/log.c -- see log.h.
 *
 * One mutex guards the one static state.  A line is composed on the stack and leaves in a single write, so that lines
 * of several threads, and of several ranks that share a terminal or a file opened for appending, do not mix. */
#include "base/log.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { LOG_TEXT = 2048, LOG_LINE = 4 * LOG_TEXT + 128, LOG_COLUMNS = 80 };

static struct {
    pthread_mutex_t lock;
    int    rank, file;                                      /* file: descriptor of run.log, -1: none */
    bool   quiet, drawn;                                    /* drawn: a progress line stands on the terminal */
    double drawn_at;
} log_state = { .lock = PTHREAD_MUTEX_INITIALIZER, .file = -1 };

double log_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A log that cannot be written has nowhere to say so: the rest of the line is given up. */
static void log_write(int fd, const char *at, size_t len)
{
    while (len) {
        ssize_t sent = write(fd, at, len);

        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return;
        at += sent;
        len -= (size_t)sent;
    }
}

/* ---- what may reach a terminal ---- */

/* Length of the character at `at` when it is well-formed UTF-8 above ASCII, else 0.  The text ends with NUL, which is
 * no continuation. */
static size_t log_character(const unsigned char *at, uint32_t *code)
{
    size_t   len = at[0] >= 0xC2 && at[0] < 0xE0 ? 2 : at[0] >= 0xE0 && at[0] < 0xF0 ? 3 : at[0] >= 0xF0 && at[0] < 0xF5
        ? 4 : 0;
    uint32_t value = len ? at[0] & (0xFFu >> (len + 1)) : 0;

    for (size_t i = 1; i < len; i++) {
        if ((at[i] & 0xC0) != 0x80) return 0;
        value = value << 6 | (at[i] & 0x3Fu);
    }
    if ((len == 3 && value < 0x800) || (len == 4 && (value < 0x10000 || value > 0x10FFFF)) ||
        (value >= 0xD800 && value < 0xE000))
        return 0;
    *code = value;
    return len;
}

/* C1 controls act like ESC sequences on some terminals; bidirectional overrides make a line read other than it is. */
static bool log_acts(uint32_t code)
{
    return code < 0xA0 || (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
        (code >= 0x2066 && code <= 0x2069);
}

/* Appends text to line[0..LOG_LINE) with every byte that could act on a terminal as \xNN; returns the new length. */
static size_t log_escape(char *line, size_t used, const char *text)
{
    static const char    digit[] = "0123456789ABCDEF";
    const unsigned char *at = (const unsigned char *)text;

    while (*at && used + 5 < LOG_LINE) {
        uint32_t code = 0;
        size_t   len = *at >= 0x20 && *at < 0x7F ? 1 : log_character(at, &code);

        if (len > 1 && log_acts(code)) len = 0;
        for (size_t i = 0; i < len; i++) line[used++] = (char)*at++;
        if (len == 0) {
            line[used++] = '\\';
            line[used++] = 'x';
            line[used++] = digit[*at >> 4];
            line[used++] = digit[*at++ & 15];
        }
    }
    return used;
}

/* ---- lines ---- */

static void log_erase_locked(void)
{
    if (log_state.drawn) log_write(STDERR_FILENO, "\r\x1b[K", 4);
    log_state.drawn = false;
}

/* "2031-05-17T08:09:10.123Z ": written before the line in run.log. */
static size_t log_stamp(char out[40])
{
    struct timespec now;
    struct tm       utc;
    size_t          used;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    used = strftime(out, 40, "%Y-%m-%dT%H:%M:%S", &utc);
    return used + (size_t)snprintf(out + used, 40 - used, ".%03dZ ", (int)(now.tv_nsec / 1000000 % 1000));
}

/* label: what kind of line it is, "" for plain information, which alone is silent on stderr when quiet. */
static void log_line(bool every_rank, const char *label, const char *format, va_list args)
{
    /* the first 40 bytes are the time stamp's */
    char   text[LOG_TEXT], line[LOG_LINE], *phrase = line + 40;
    char   stamp[40];
    size_t used = 0, stamped;
    int    need, old_errno = errno;

    pthread_mutex_lock(&log_state.lock);
    if (every_rank || log_state.rank == 0) {
        need = vsnprintf(text, sizeof text, format, args);
        if (need >= (int)sizeof text) memcpy(text + sizeof text - 4, "...", 4);
        if (need < 0) snprintf(text, sizeof text, "%s", format);
        used += (size_t)sprintf(phrase, "%s", label);
        if (every_rank) used += (size_t)sprintf(phrase + used, "rank %d: ", log_state.rank);
        used = log_escape(line, 40 + used, text);
        line[used++] = '\n';
        log_erase_locked();
        if (*label || !log_state.quiet) log_write(STDERR_FILENO, phrase, used - 40);
        if (log_state.file >= 0) {
            stamped = log_stamp(stamp);
            memcpy(phrase - stamped, stamp, stamped);
            log_write(log_state.file, phrase - stamped, used - 40 + stamped);
        }
    }
    pthread_mutex_unlock(&log_state.lock);
    errno = old_errno;                                      /* callers log in the middle of handling an error */
}

void log_info(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    log_line(false, "", format, args);
    va_end(args);
}

void log_warn(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    log_line(false, "warning: ", format, args);
    va_end(args);
}

void log_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    log_line(false, "error: ", format, args);
    va_end(args);
}

void log_rank_warn(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    log_line(true, "warning: ", format, args);
    va_end(args);
}

void log_open(const struct log_options *options)
{
    int file = -1, reason = 0;

    if (options->path) {
        file = file_open(options->path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW);
        reason = file < 0 ? errno : 0;
    }
    log_close();
    pthread_mutex_lock(&log_state.lock);
    log_state.rank = options->rank;
    log_state.quiet = options->quiet;
    log_state.file = file;
    pthread_mutex_unlock(&log_state.lock);
    if (reason) (options->rank ? log_rank_warn : log_warn)("no run log: %s: %s", options->path, strerror(reason));
}

void log_close(void)
{
    pthread_mutex_lock(&log_state.lock);
    log_erase_locked();
    if (log_state.file >= 0) close(log_state.file);
    log_state.file = -1;
    pthread_mutex_unlock(&log_state.lock);
}

/* ---- progress ---- */

/* 1300000000 -> "1.3 GB": three digits at most, powers of 1000. */
static void log_amount(char out[24], double bytes)
{
    static const char *const unit[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
    size_t i = 0;

    while (bytes >= 999.5 && i + 1 < sizeof unit / sizeof *unit) {
        bytes /= 1000;
        i++;
    }
    snprintf(out, 24, i && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, unit[i]);
}

static void log_duration(char out[32], unsigned seconds)
{
    if (seconds < 3600) snprintf(out, 32, "  ETA %u:%02u", seconds / 60, seconds % 60);
    else snprintf(out, 32, "  ETA %u:%02u:%02u", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

static int log_columns(void)
{
    struct winsize window;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col ? window.ws_col : LOG_COLUMNS;
}

void log_progress(const struct progress *progress)
{
    char   text[512], line[LOG_LINE], amount[24], rate[24], eta[32] = "";
    double now = log_seconds(), elapsed = now > progress->started ? now - progress->started : 0;
    double done = (double)(progress->text_bytes ? progress->text_bytes : progress->bytes);
    const uint64_t part = progress->unit ? progress->shards : progress->bytes, whole = progress->unit
        ? progress->shard_total : progress->byte_total;
    int    columns;
    size_t used;

    pthread_mutex_lock(&log_state.lock);
    if (log_state.rank == 0 && !log_state.quiet && now - log_state.drawn_at >= 0.1 && isatty(STDERR_FILENO)) {
        log_amount(amount, done);
        log_amount(rate, elapsed > 0 ? done / elapsed : 0);
        if (whole && part && whole >= part) {
            double left = elapsed * (double)(whole - part) / (double)part;

            log_duration(eta, left < 1e7 ? (unsigned)left : 10000000);
        }
        if (progress->unit)
            snprintf(text, sizeof text, "%s  %llu/%llu %s%s", progress->stage, (unsigned long long)part,
                     (unsigned long long)whole, progress->unit, eta);
        else
            snprintf(text, sizeof text, "%s  %llu/%llu shards  %s  %s/s%s", progress->stage,
                     (unsigned long long)progress->shards,
                     (unsigned long long)progress->shard_total, amount, rate, eta);
        columns = log_columns();
        if ((size_t)columns <= strlen(text)) text[columns - 1] = '\0';          /* a wrapped line could not be erased */
        line[0] = '\r';
        used = log_escape(line, 1, text);
        memcpy(line + used, "\x1b[K", 3);
        log_write(STDERR_FILENO, line, used + 3);
        log_state.drawn = true;
        log_state.drawn_at = now;
    }
    pthread_mutex_unlock(&log_state.lock);
}

void log_progress_end(void)
{
    pthread_mutex_lock(&log_state.lock);
    log_erase_locked();
    pthread_mutex_unlock(&log_state.lock);
}
