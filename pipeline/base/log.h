/* base/log.h -- what a run says: phrases with key=value to stderr and run.log, and one progress line on a terminal.
 *
 * The log is rank 0's unless log_rank_* is used, which prefixes "rank N: ".  The progress line is drawn only when
 * stderr is a terminal, at most 10 times a second, is erased before a log line, and never reaches run.log.  Control
 * characters in arguments are shown as \xNN: a path cannot write escapes to a terminal. */
#ifndef LEAKGRAPH_BASE_LOG_H
#define LEAKGRAPH_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

struct log_options { int rank; bool quiet; const char *path; };             /* path: run.log, appended to; NULL: none */

/* main, once; before it, everything goes to stderr as rank 0 */
void log_open(const struct log_options *options);
void log_close(void);
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "warning: " before it; also when quiet, as errors */
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "error: " before it: what ends the command */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_rank_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One progress line: "scan  12/40 shards  1.3 GB  512 MB/s  ETA 0:42".  bytes of byte_total, as they lie on disk, drive
 * the ETA (total 0: unknown).  What is shown is text_bytes, or bytes where the text is not counted.  With a unit of its
 * own, work that has no bytes is shown by its shards alone, which drive the ETA then: "leaky  12/40 blocks  ETA 0:42".
 * */
struct progress {
    const char *stage;
    uint64_t shards, shard_total, bytes, byte_total, text_bytes;
    double started;
    const char *unit;
};
void log_progress(const struct progress *progress);
void log_progress_end(void);                                /* erases it */

double log_seconds(void);                                   /* monotonic clock */

#endif
