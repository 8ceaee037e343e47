/* dedup/summary.c -- see summary.h. */
#include "dedup/summary.h"

#include "base/ratio.h"
#include "report/visible.h"
#include "stats/interval.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 32 };

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

/* Widths of the columns of names. */
struct widths { int dataset, split; };

struct sums { uint64_t documents, removed, bytes, removed_bytes; };

static void sums_add(struct sums *sums, const struct dedup_cell *cell)
{
    sums->documents += cell->documents;
    sums->removed += cell->removed;
    sums->bytes += cell->bytes;
    sums->removed_bytes += cell->removed_bytes;
}

/* A name made harmless for a terminal and padded with blanks. */
static int name_print(struct slice name, int width, struct bytes *scratch)
{
    scratch->len = 0;
    if (visible_append(scratch, visible_cut(name, NAME_MOST), true) < 0) return -ENOMEM;
    printf("%.*s%*s ", (int)scratch->len, scratch->at ? scratch->at : "", (int)scratch->len < width
           ? width - (int)scratch->len : 0, "");
    return 0;
}

static void widen(int *width, size_t len)
{
    if ((int)len > *width) *width = len < NAME_MOST ? (int)len : NAME_MOST;
}

static int row_print(const struct widths *widths, struct slice dataset, struct slice split, const struct sums *sums,
                     struct bytes *scratch)
{
    if (name_print(dataset, widths->dataset, scratch) < 0 || name_print(split, widths->split, scratch) < 0)
        return -ENOMEM;
    printf("%11llu %11llu %6.2f %11llu %12.3f MB %6.2f\n", (unsigned long long)sums->documents,
           (unsigned long long)sums->removed,
           percent(sums->removed, sums->documents), (unsigned long long)(sums->documents - sums->removed),
               (double)sums->removed_bytes / 1e6,
           percent(sums->removed_bytes, sums->bytes));
    return 0;
}

/* Cells lie by dataset, split and language: those of a split are neighbours, and so are a dataset's. */
static int dataset_print(const struct dedup_job *job, const struct dedup_result *result, const struct widths *widths,
                         uint32_t dataset, struct sums *total,
                         struct bytes *scratch)
{
    struct slice name = slice_of(job->run->datasets[dataset].name);
    struct sums  all = { 0 };
    size_t       at = 0, splits = 0;
    int          rc = 0;

    while (at < result->cell_count && result->cell[at].dataset != dataset) at++;
    while (at < result->cell_count && result->cell[at].dataset == dataset && rc == 0) {
        struct slice split = result->cell[at].split;
        struct sums  sums = { 0 };

        for (; at < result->cell_count && result->cell[at].dataset == dataset &&
             slice_equal(result->cell[at].split, split); at++) {
            sums_add(&sums, &result->cell[at]);
            sums_add(&all, &result->cell[at]);
            sums_add(total, &result->cell[at]);
        }
        splits++;
        rc = row_print(widths, name, split.len ? split : SLICE("all"), &sums, scratch);
    }
    return rc == 0 && splits > 1 ? row_print(widths, name, SLICE("all"), &all, scratch) : rc;
}

/* "recall 99.1 % (95 %: 98.6 to 99.4)" of what an exact comparison found. */
static void recall_print(const char *of, uint64_t found, uint64_t pairs)
{
    double low, high;

    if (!pairs) return;
    wilson_interval(found, pairs, &low, &high);
    printf("recall      %.2f %%, 95 %% interval %.2f to %.2f: %llu of %llu %s\n", percent(found, pairs), 100 * low,
           100 * high, (unsigned long long)found,
           (unsigned long long)pairs, of);
}

static void stats_print(const struct dedup_stats *stats)
{
    printf("compared    %llu of %llu documents, the others only as bytes; %llu copies of another; %llu candidates, "
           "%llu verified\n",
           (unsigned long long)stats->admitted, (unsigned long long)stats->documents, (unsigned long long)stats->copies,
           (unsigned long long)stats->candidates, (unsigned long long)stats->verified);
    printf("clusters    %llu, the largest of %llu documents\n", (unsigned long long)stats->clusters,
           (unsigned long long)stats->largest_cluster);
    if (stats->hot_buckets)
        printf("hot         %llu buckets above bucket_cap, of %llu documents in all (one in several counts in each), "
               "compared with the best one only\n", (unsigned long long)stats->hot_buckets,
               (unsigned long long)stats->hot_members);
    recall_print("pairs of sampled documents", stats->sample_found, stats->sample_pairs);
    recall_print("documents with an edit, a new name, another layout or a cut", stats->mutants_found, stats->mutants);
}

int summary_dedup(const struct dedup_job *job, const struct dedup_result *result, struct err *err)
{
    struct bytes  scratch = { 0 };
    struct sums   total = { 0 };
    struct widths widths = { .dataset = 7, .split = 5 };
    int           rc = 0;

    for (size_t m = 0; m < job->member_count; m++)
        widen(&widths.dataset, strlen(job->run->datasets[job->member[m]].name));
    for (size_t c = 0; c < result->cell_count; c++) widen(&widths.split, result->cell[c].split.len);
    printf("%-*s %-*s %11s %11s %6s %11s %15s %6s\n", widths.dataset, "dataset", widths.split, "split", "documents",
           "removed", "%", "kept", "text removed", "%");
    for (size_t m = 0; m < job->member_count && rc == 0; m++)
        rc = dataset_print(job, result, &widths, job->member[m], &total, &scratch);
    if (rc == 0 && job->member_count > 1) rc = row_print(&widths, SLICE("all"), SLICE("all"), &total, &scratch);
    bytes_free(&scratch);
    if (rc < 0) return err_memory(err, NAME_MOST, "the table");
    printf("\n");
    stats_print(&job->stats);
    if (job->options->write == DEDUP_WRITE_SHARDS) printf("shards      %s/clean\n", job->run->output);
    if (job->options->write == DEDUP_WRITE_LISTS) printf("lists       %s/lists\n", job->run->output);
    return 0;
}
