/* similarity/bleu.c -- see bleu.h. */
#include "similarity/bleu.h"

#include "base/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Of a run of words: in the candidate, the most of a reference, and in the reference that is being counted. */
struct run_count { uint32_t candidate, most, now; };

struct runs { struct table table; struct run_count *at; };

/* The run's count; NULL where it is not there, or memory is out.  A run of up to four words is a key as it stands:
 * numbers are told from what is missing by one more. */
static struct run_count *run_find(struct runs *runs, const uint32_t *word, size_t n, bool put)
{
    const uint64_t low = (word[0] + 1ull) << 32 | (n > 1 ? word[1] + 1u : 0),
        high = (n > 2 ? word[2] + 1ull : 0) << 32 | (n > 3 ? word[3] + 1u : 0);
    bool           added;
    const uint32_t place = put ? table_put(&runs->table, low, high, (uint32_t)runs->table.count, &added)
        : table_find(&runs->table, low, high);

    return place == TABLE_NONE ? NULL : &runs->at[place];
}

/* Of runs of n words: how many of the candidate's a reference has, at most as often as there.  0 or -ENOMEM. */
static int matches_count(struct runs *runs, struct bleu_text candidate, const struct bleu_text *reference,
                         size_t references, size_t n, uint64_t *matches)
{
    *matches = 0;
    table_clear(&runs->table);
    for (size_t i = 0; i + n <= candidate.count; i++) {
        const size_t      known = runs->table.count;
        struct run_count *count = run_find(runs, candidate.word + i, n, true);

        if (!count) return -ENOMEM;
        if (runs->table.count > known) *count = (struct run_count){ 0 };
        count->candidate++;
    }
    for (size_t r = 0; r < references; r++) {
        for (size_t k = 0; k < runs->table.count; k++) runs->at[k].now = 0;
        for (size_t i = 0; i + n <= reference[r].count; i++) {
            struct run_count *count = run_find(runs, reference[r].word + i, n, false);

            if (count && ++count->now > count->most) count->most = count->now;
        }
    }
    for (size_t k = 0; k < runs->table.count; k++)
        *matches += runs->at[k].candidate < runs->at[k].most ? runs->at[k].candidate : runs->at[k].most;
    return 0;
}

static double brevity(size_t count, const struct bleu_text *reference, size_t references)
{
    size_t best = reference[0].count;

    for (size_t r = 1; r < references; r++) {
        const size_t is = reference[r].count, off = is > count ? is - count : count - is,
            least = best > count ? best - count : count - best;

        if (off < least || (off == least && is < best)) best = is;
    }
    return count > best ? 1 : exp(1 - (double)best / (double)count);
}

int bleu4(struct bleu_text candidate, const struct bleu_text *reference, size_t references, double *out,
          struct err *err)
{
    struct runs runs = { .at = malloc((candidate.count + 1) * sizeof *runs.at) };
    double      sum = 0, smooth = 1;
    int         rc = runs.at ? 0 : -ENOMEM;

    *out = 0;
    for (size_t n = 1; n <= 4 && rc == 0 && candidate.count && references; n++) {
        const double of = candidate.count >= n ? (double)(candidate.count - n + 1) : 1;
        uint64_t     matches;

        rc = matches_count(&runs, candidate, reference, references, n, &matches);
        if (n == 1 && matches == 0) break;
        if (matches) sum += log((double)matches / of) / 4;
        else if (candidate.count > 1) sum += log(log((double)candidate.count) / (5 * (smooth *= 2)) / of) / 4;
        if (n == 4) *out = brevity(candidate.count, reference, references) * exp(sum);
    }
    table_free(&runs.table);
    free(runs.at);
    return rc < 0 ? err_memory(err, candidate.count * sizeof *runs.at, "runs of words") : 0;
}

/* ---- CodeBLEU ---- */

#define WEIGHT_OTHER 0.2
#define NO_MATCH     0.1

/* Of the reference's words those that the candidate has, at most as often as there, weighed; by the whole.  The runs
 * are those of single words, counted. */
static double keywords_found(struct runs *runs, struct bleu_text reference, const uint8_t *keyword)
{
    double found = 0, all = 0;

    for (size_t k = 0; k < runs->table.count; k++) runs->at[k].now = 0;
    for (size_t i = 0; i < reference.count; i++) {
        struct run_count *count = run_find(runs, reference.word + i, 1, false);
        const double      weight = keyword[i] ? 1 : WEIGHT_OTHER;

        all += weight;
        if (count && ++count->now <= count->candidate) found += weight;
    }
    return found / (all > 1 ? all : 1);
}

static double run_total(size_t count, size_t n) { return count >= n ? (double)(count - n + 1) : 1; }

int bleu_code(struct bleu_text candidate, struct bleu_text reference, const uint8_t *keyword, struct bleu_code *out,
              struct err *err)
{
    struct runs runs = { .at = malloc((candidate.count + 1) * sizeof *runs.at) };
    double      plain = 0, weighted = 0;
    uint64_t    matches = 0;
    int         rc = runs.at ? 0 : -ENOMEM;

    *out = (struct bleu_code){ 0 };
    for (size_t n = 1; n <= 4 && rc == 0; n++) {
        rc = matches_count(&runs, candidate, &reference, 1, n, &matches);
        if (rc < 0 || (n == 1 && matches == 0)) break;
        plain += log((matches ? (double)matches : NO_MATCH) / run_total(candidate.count, n)) / 4;
        weighted += log(n == 1 ? keywords_found(&runs, reference, keyword)
                               : (matches ? (double)matches : NO_MATCH) / run_total(reference.count, n)) / 4;
        if (n < 4) continue;
        out->plain = brevity(candidate.count, &reference, 1) * exp(plain);
        out->weighted = brevity(candidate.count, &reference, 1) * exp(weighted);
    }
    table_free(&runs.table);
    free(runs.at);
    return rc < 0 ? err_memory(err, candidate.count * sizeof *runs.at, "runs of words") : 0;
}
