/* cmd/summary.c -- see summary.h. */
#include "cmd/summary.h"

#include "base/log.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

void summary_line(const struct run_summary *summary, struct comm *comm, const struct pass_totals *totals)
{
    struct rusage usage;
    struct bytes  mine = { 0 }, all = { 0 };
    struct err    err = { 0 };
    uint64_t      number[3], cpu_us = 0, peak = 0, sent = 0, *size = calloc((size_t)comm_size(comm), sizeof *size);
    double        wall = log_seconds() - summary->started;
    int           rc;

    getrusage(RUSAGE_SELF, &usage);
    number[0] = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
        (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    number[1] = memory_peak();
    number[2] = comm_sent(comm);
    rc = bytes_append(&mine, number, sizeof number) < 0 || !size ? err_memory(&err, sizeof number, "the summary") : 0;
    if (comm_agree(comm, rc, &err) == 0 && comm_gather(comm, &mine, &all, size, &err) == 0 && comm_rank(comm) == 0) {
        for (size_t at = 0; at + sizeof number <= all.len; at += sizeof number) {
            memcpy(number, all.at + at, sizeof number);
            cpu_us += number[0];
            if (number[1] > peak) peak = number[1];
            sent += number[2];
        }
        log_info("done: records in=%llu used=%llu rejected=%llu bytes=%llu text=%llu units=%llu reused=%llu "
                 "wall=%.2fs cpu=%.2fs peak_rss=%lluMB sent=%llu",
                 (unsigned long long)(totals->documents + totals->rejected), (unsigned long long)totals->documents,
                 (unsigned long long)totals->rejected, (unsigned long long)summary->shard_bytes,
                     (unsigned long long)totals->text_bytes,
                 (unsigned long long)(totals->units + totals->units_reused), (unsigned long long)totals->units_reused,
                     wall,
                 (double)cpu_us / 1e6, (unsigned long long)peak / 1000000, (unsigned long long)sent);
    }
    bytes_free(&mine);
    bytes_free(&all);
    free(size);
}
