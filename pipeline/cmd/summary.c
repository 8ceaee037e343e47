/* cmd/summary.c -- see summary.h. */
#include "cmd/summary.h"

#include "base/log.h"
#include "report/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

/* A name made harmless for a terminal; `all` when empty. */
static int name_append(struct bytes *out, struct slice name)
{
    if (!name.len) return bytes_printf(out, "all");
    return visible_append(out, visible_cut(name, 40), true);
}

int summary_table(const struct graph *graph, const char *dir, const char *digest, struct err *err)
{
    struct bytes name = { 0 };
    bool         lower = false;
    int          width = 12, rc = 0;

    for (size_t d = 0; d < graph->dataset_count; d++)
        if ((int)graph->datasets[d].name.len > width) width = graph->datasets[d].name.len > 32 ? 32 : (int)graph->datasets[d].name.len;
    printf("%-*s %-*s %-10s %12s %12s %8s %12s %8s %8s\n", width, "source", width, "target", "split", "documents", "direct", "%",
           "transitive", "%", "copies");
    for (size_t i = 0; i < graph->overlap_count && rc == 0; i++) {
        const struct graph_overlap *row = &graph->overlaps[i];
        bool                        inside = row->source == row->target;
        char                        split[96];

        if (row->language.len || (row->target_split.len && !inside)) continue;
        name.len = 0;
        rc = name_append(&name, row->split);
        if (rc == 0 && inside) rc = bytes_printf(&name, ">") < 0 ? -1 : name_append(&name, row->target_split);
        if (rc < 0) break;
        snprintf(split, sizeof split, "%.*s", (int)name.len, name.at);
        printf("%-*.*s %-*.*s %-10s %12llu %12llu %8.2f %12llu%s %7.2f %8llu\n", width, (int)graph->datasets[row->source].name.len,
               graph->datasets[row->source].name.at, width, (int)graph->datasets[row->target].name.len, graph->datasets[row->target].name.at,
               split, (unsigned long long)row->documents, (unsigned long long)row->direct, percent(row->direct, row->documents),
               (unsigned long long)row->transitive, row->complete ? " " : "+", percent(row->transitive, row->documents),
               (unsigned long long)row->copies);
        lower |= !row->complete;
    }
    bytes_free(&name);
    if (rc < 0) return err_memory(err, 64, "the table");
    if (lower) printf("+ a lower bound: the corpus was not joined with itself (self_join: exact)\n");
    printf("\ngraph   %s/graph.db\nreport  %s/report.md\ndigest  %s\n", dir, dir, digest);
    return 0;
}

void summary_line(const struct run_summary *summary, struct comm *comm, const struct near_job *job)
{
    struct rusage usage;
    struct bytes  mine = { 0 }, all = { 0 };
    struct err    err = { 0 };
    uint64_t      number[2], cpu_us = 0, peak_kb = 0, *size = calloc((size_t)comm_size(comm), sizeof *size);
    double        wall = log_seconds() - summary->started;
    int           rc;

    getrusage(RUSAGE_SELF, &usage);
    number[0] = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    number[1] = (uint64_t)usage.ru_maxrss;
    rc = bytes_append(&mine, number, sizeof number) < 0 || !size ? err_memory(&err, sizeof number, "the summary") : 0;
    if (comm_agree(comm, rc, &err) == 0 && comm_gather(comm, &mine, &all, size, &err) == 0 && comm_rank(comm) == 0) {
        for (size_t at = 0; at + sizeof number <= all.len; at += sizeof number) {
            memcpy(number, all.at + at, sizeof number);
            cpu_us += number[0];
            if (number[1] > peak_kb) peak_kb = number[1];
        }
        log_info("done: records in=%llu used=%llu rejected=%llu bytes=%llu text=%llu units=%llu reused=%llu wall=%.2fs cpu=%.2fs peak_rss=%lluMB",
                 (unsigned long long)(job->totals.documents + job->totals.rejected), (unsigned long long)job->totals.documents,
                 (unsigned long long)job->totals.rejected, (unsigned long long)summary->shard_bytes, (unsigned long long)job->totals.text_bytes,
                 (unsigned long long)(job->totals.units + job->totals.units_reused), (unsigned long long)job->totals.units_reused, wall,
                 (double)cpu_us / 1e6, (unsigned long long)peak_kb / 1024);
    }
    bytes_free(&mine);
    bytes_free(&all);
    free(size);
}
