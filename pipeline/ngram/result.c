/* ngram/result.c -- what the units of the scan add up to, corpus by corpus, and the published rules over it. */
#include "ngram/index.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct merged { struct ngram_hit hit; uint32_t shard; };
struct frequency { uint64_t documents, occurrences; };

/* One corpus while it is added up: lines and n-grams as they were looked for and, where the job tells both cases, those
 * as written behind them, as units number them. */
struct adding {
    const struct ngram_job   *job;
    const struct ngram_index *index;
    struct merged            *line;                         /* [lines], twice */
    uint64_t                 *documents_of;                 /* likewise: that have any of a line's n-grams */
    struct frequency         *gram;                         /* [grams], and ids */
    uint32_t                 *windows;                      /* [entries] that were found */
    uint32_t                 *seen;                         /* [ids] the last line + 1 that had an n-gram */
    struct bytes              stretches;
    uint64_t                  documents;
};

/* ---- adding up ---- */

static int unit_add(struct adding *a, const struct pass_unit *unit, struct err *err)
{
    a->documents += unit->header->documents;
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice              hits = pass_unit_section(unit, p, PART_ROWS),
            counts = pass_unit_section(unit, p, PART_VALUES);
        const struct ngram_hit   *hit = (const struct ngram_hit *)hits.at;
        const struct ngram_count *count = (const struct ngram_count *)counts.at;

        for (size_t i = 0; i < hits.len / sizeof *hit; i++) {
            /* parts and shards come in order, so of equal runs the first one stays */
            if (ngram_hit_add(&a->line[hit[i].line].hit, &hit[i])) a->line[hit[i].line].shard = unit->shard;
            a->documents_of[hit[i].line] += hit[i].documents;
        }
        for (size_t i = 0; i < counts.len / sizeof *count; i++) {
            a->gram[count[i].gram].documents += count[i].documents;
            a->gram[count[i].gram].occurrences += count[i].occurrences;
        }
        if (bytes_append_slice(&a->stretches, pass_unit_section(unit, p, PART_COUNTS)) < 0)
            return err_memory(err, a->stretches.len, "windows of characters");
    }
    return 0;
}

static int corpus_add(struct adding *a, uint32_t dataset, struct err *err)
{
    const struct ngram_job   *job = a->job;
    const struct pass_scanner scanner = ngram_scanner(job);
    int                       rc = 0;

    for (uint32_t s = 0; s < job->run->shards->count && rc == 0; s++) {
        struct pass_walk walk = pass_walk_shard(job->run, &scanner, s);

        if (job->run->shards->at[s].dataset != dataset) continue;
        while ((rc = pass_walk_next(&walk, err)) > 0)
            if ((rc = unit_add(a, &walk.unit, err)) < 0) break;
        pass_walk_close(&walk);
    }
    return rc;
}

/* Windows of each entry that were found, in whatever documents. */
static void windows_count(struct adding *a)
{
    struct ngram_stretch *at = (struct ngram_stretch *)a->stretches.at;
    const size_t          count = ngram_stretches_join(at, a->stretches.len / sizeof *at);

    for (size_t i = 0; i < count; i++) a->windows[at[i].entry] += at[i].to - at[i].from;
}

/* Of n-grams that are written in one way units say what is not as written: now it is what is. */
static void kept_count(struct adding *a)
{
    struct frequency *kept = a->gram + a->index->grams;

    for (uint32_t g = 0; a->job->both && g < a->index->grams; g++) {
        if (!a->index->known[g].key) continue;
        kept[g].documents = a->gram[g].documents - kept[g].documents;
        kept[g].occurrences = a->gram[g].occurrences - kept[g].occurrences;
    }
}

/* ---- rows ---- */

/* What rows of a side are made from: n-grams of lines, their frequencies, the lines. */
struct side { const uint32_t *gram; const struct frequency *of; const struct merged *line; const uint64_t *documents; };

/* Sums over the line's n-grams. */
static void row_count(const struct adding *a, const struct side *side, const struct ngram_line *line,
                      struct ngram_row *row)
{
    const struct ngram_options *o = a->job->options;
    uint32_t                    until = 0, until_rare = 0;
    double                      found = 0, all = 0;

    for (uint32_t i = 0; i < line->count; i++) {
        const struct frequency *f = &side->of[side->gram[line->at + i]];
        double                  weight = log((1.0 + (double)a->documents) / (1.0 + (double)f->documents));
        uint32_t                end = i + line->length;
        bool                    rare = f->documents && (!o->max_df || f->documents <= o->max_df);

        all += weight;
        if (f->documents > row->max_frequency) row->max_frequency = f->documents;
        if (!f->documents) continue;
        found += weight;
        row->found++;
        row->covered += end - (until > i ? until : i);
        until = end;
        if (!rare) continue;
        row->rare++;
        row->covered_rare += end - (until_rare > i ? until_rare : i);
        until_rare = end;
    }
    row->idf_share = all > 0 ? found / all : -1;
}

/* Sums over the line's distinct n-grams. */
static void row_count_distinct(const struct adding *a, const struct side *side, uint32_t number, struct ngram_row *row)
{
    const struct ngram_line *line = &a->index->line[number];

    for (uint32_t i = 0; i < line->count; i++) {
        uint32_t                g = side->gram[line->at + i];
        const struct frequency *f = &side->of[g];

        if (a->seen[g] == number + 1) continue;
        a->seen[g] = number + 1;
        row->found_distinct += f->documents > 0;
        row->occurrences += f->occurrences < a->job->options->cap ? f->occurrences : a->job->options->cap;
    }
}

static double decon_share(const struct adding *a, const struct ngram_line *line, const struct ngram_hit *hit)
{
    double all = 0;

    for (uint32_t i = 0; ngram_has_weights(line) && i < line->count; i++) all += a->index->weight[line->weight_at + i];
    return all > 0 ? hit->weight / all : -1;
}

/* kept: as written, beside what was looked for in lower case. */
static struct ngram_row row_make(const struct adding *a, const struct side *side, bool kept, uint32_t corpus,
                                 uint32_t number)
{
    const struct ngram_line  *line = &a->index->line[number];
    const struct ngram_entry *entry = &a->index->entry[line->entry];
    const struct merged      *merged = &side->line[number], *first = &a->line[number - number % a->job->options->sizes];
    struct ngram_row          row = {
        .shard = entry->shard, .field = entry->field, .corpus = corpus, .n = line->n, .record = entry->record,
            .entry = line->entry,
        .is_short = entry->words < line->n, .words = entry->words, .ngrams = line->count,
            .distinct = kept ? line->distinct_kept : line->distinct, .covered_once = merged->hit.covered,
        .longest_run = merged->hit.run, .run_shard = merged->shard, .run_at = merged->hit.at,
            .run_record = merged->hit.record, .run_line = merged->hit.text_line, .lcs = merged->hit.lcs,
        .lcs_of = merged->hit.lcs_of, .near = (enum ngram_near)merged->hit.near,
            .documents = side->documents[number], .exact = -1,
        .decon_share = kept ? -1 : decon_share(a, line, &merged->hit),
    };

    row_count(a, side, line, &row);
    row_count_distinct(a, side, number, &row);
    if (a->job->options->unit == NGRAM_TOKENS) return row;
    if (entry->words >= 3) row.exact = (first->hit.exact & (kept ? NGRAM_EXACT_KEPT : NGRAM_EXACT)) != 0;
    if (entry->text_len < NGRAM_WINDOW || kept != a->job->both) return row;
    row.windows = entry->text_len - NGRAM_WINDOW + 1;
    row.windows_found = a->windows[line->entry];
    return row;
}

static void side_rows(const struct adding *a, bool kept, uint32_t dataset, size_t place, size_t corpora,
                      struct ngram_row *out)
{
    const struct ngram_index *index = a->index;
    const size_t              sizes = a->job->options->sizes;
    const struct side         side = kept ? (struct side){ index->gram_kept, a->gram + index->grams,
                                                           a->line + index->lines, a->documents_of + index->lines }
                                          : (struct side){ index->gram, a->gram, a->line, a->documents_of };

    memset(a->seen, 0, (index->ids + 1ull) * sizeof *a->seen);
    for (uint32_t l = 0; l < index->lines; l++)
        out[(l / sizes * corpora + place) * sizes + l % sizes] = row_make(a, &side, kept, dataset, l);
}

static int corpus_rows(struct adding *a, uint32_t dataset, size_t place, size_t corpora, struct ngram_result *out,
                       struct err *err)
{
    const struct ngram_index *index = a->index;
    const size_t              lines = (a->job->both ? 2ull : 1ull) * index->lines + 1,
        grams = index->grams + (a->job->both ? index->ids : 0ull) + 1;
    int                       rc;

    a->line = calloc(lines, sizeof *a->line);
    a->documents_of = calloc(lines, sizeof *a->documents_of);
    a->gram = calloc(grams, sizeof *a->gram);
    a->windows = calloc(index->entries + 1ull, sizeof *a->windows);
    a->seen = calloc(index->ids + 1ull, sizeof *a->seen);
    rc = a->line && a->documents_of && a->gram && a->windows && a->seen
             ? corpus_add(a, dataset, err)
             : err_memory(err, grams * (sizeof *a->gram + sizeof *a->seen) + lines * sizeof *a->line,
                          "counts of n-grams");
    if (rc == 0) {
        windows_count(a);
        kept_count(a);
        side_rows(a, a->job->both, dataset, place, corpora, out->row);
        if (out->folded) side_rows(a, false, dataset, place, corpora, out->folded);
    }
    free(a->line);
    free(a->documents_of);
    free(a->gram);
    free(a->windows);
    free(a->seen);
    bytes_free(&a->stretches);
    return rc;
}

static int runs_want(struct ngram_result *out, const struct ngram_row *row, struct err *err)
{
    for (size_t i = 0; row && i < out->count; i++)
        if (row[i].longest_run && paths_want(&out->paths, row[i].run_shard, row[i].run_record) < 0)
            return err_memory(err, out->count * sizeof *out->paths.at, "paths");
    return 0;
}

static int runs_name(const struct ngram_job *job, struct ngram_result *out, struct err *err)
{
    const struct pass_scanner scanner = ngram_scanner(job);

    if (runs_want(out, out->row, err) < 0 || runs_want(out, out->folded, err) < 0) return err->code;
    return paths_read(&out->paths, job->run, &scanner, err);
}

int ngram_result_read(const struct ngram_job *job, struct ngram_result *out, struct err *err)
{
    struct ngram_index index;
    size_t             corpora = 0, place = 0;
    int                rc = ngram_index_open(job->run->stage, ngram_index_key(job), &index, err);

    *out = (struct ngram_result){ 0 };
    if (rc == 0)
        rc = err_set(err, -EIO, "%s: the table of n-grams has disappeared or is damaged; the same command again makes "
                                "it anew", stage_dir(job->run->stage));
    if (rc < 0) return rc;
    for (size_t d = 0; d < job->run->dataset_count; d++) corpora += job->run->datasets[d].role == ROLE_CORPUS;
    out->count = corpora * index.lines;
    out->row = calloc(out->count + 1, sizeof *out->row);
    if (job->both) out->folded = calloc(out->count + 1, sizeof *out->folded);
    rc = out->row && (out->folded || !job->both) ? 0 : err_memory(err, out->count * sizeof *out->row, "rows of ngrams");
    for (uint32_t d = 0; rc == 0 && d < job->run->dataset_count; d++)
        if (job->run->datasets[d].role == ROLE_CORPUS)
            rc = corpus_rows(&(struct adding){ .job = job, .index = &index }, d, place++, corpora, out, err);
    ngram_index_close(&index);
    if (rc == 0) rc = runs_name(job, out, err);
    if (rc < 0) ngram_result_free(out);
    return rc;
}

void ngram_result_free(struct ngram_result *result)
{
    free(result->row);
    free(result->folded);
    paths_free(&result->paths);
    *result = (struct ngram_result){ 0 };
}

/* ---- rules ---- */

/* Which case the source of a rule has: docs/definitions.md, "n-gram rules". */
static void rules_of_folded(const struct ngram_row *row, const struct ngram_options *options, struct ngram_rules *rules)
{
    uint32_t found = options->max_df ? row->rare : row->found;

    if (row->is_short && !options->whole) return;
    if (row->n == 13) rules->gpt3_13gram = found > 0;
    if (row->n == 8) rules->tulu3_8gram = row->covered_once * 2ull > row->words;
    if (row->n == 5) rules->decon_5gram = row->decon_share;
}

static void rules_of_kept(const struct ngram_row *row, const struct ngram_options *options, struct ngram_rules *rules)
{
    uint32_t found = options->max_df ? row->rare : row->found,
        covered = options->max_df ? row->covered_rare : row->covered;

    if (row->is_short && !options->whole) return;
    if (row->n == 13) rules->qwen_lcs = !found ? 0 : row->near == NGRAM_UNKNOWN ? -1 : row->near == NGRAM_NEAR;
    if (row->n != 8) return;
    rules->palm_8gram = found > 0 && found * 10ull >= row->ngrams * 7ull;
    if (row->words) rules->llama3_8gram = (double)covered / row->words;
}

struct ngram_rules ngram_rules_of(const struct ngram_row *keep, const struct ngram_row *folded, size_t count,
                                  const struct ngram_options *options)
{
    struct ngram_rules rules = { -1, -1, -1, -1, -1, -1, -1, -1, -1 };

    for (size_t i = 0; i < count; i++) {
        rules_of_kept(&keep[i], options, &rules);
        rules_of_folded(&folded[i], options, &rules);
    }
    if (!count) return rules;
    rules.exact_substring = folded->exact;
    if (keep->windows) rules.windows50 = keep->windows_found * 10ull >= keep->windows * 8ull;
    if (folded->idf_share >= 0 && (!folded->is_short || options->whole)) rules.idf_weighted = folded->idf_share;
    return rules;
}
