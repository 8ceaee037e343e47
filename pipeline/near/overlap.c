/* near/overlap.c -- see overlap.h.
 *
 * A key is a target: a dataset, or one split of it.  For every cell of source documents and every key, four tallies
 * count the documents that have it as a neighbour, in their cluster, as a copy, as a container.  Rows are sums of
 * cells. */
#include "near/overlap.h"

#include "base/bytes.h"
#include "near/links.h"

#include <stdlib.h>

struct key { uint32_t dataset; struct slice split; bool whole; };

enum tally_kind { TALLY_DIRECT, TALLY_TRANSITIVE, TALLY_COPIES, TALLY_CONTAINED, TALLY_KINDS };

struct overlap_work {
    const struct classes *classes;
    struct key *key;
    size_t      key_count, words;                           /* words: 64-bit words of a set of keys */
    /* [cell_count][words] the keys that a document of the cell belongs to */
    uint64_t   *cell_keys;
    uint64_t   *tally[TALLY_KINDS];                         /* [cell_count][key_count] */
    /* [dataset_count] more than MOST_SPLITS splits: only the whole dataset has rows */
    bool       *many;
};

/* Rows are made for pairs of splits, so a dataset whose records name very many would have a table that nobody can read.
 */
enum { MOST_SPLITS = 64 };

static void splits_count(struct overlap_work *w)
{
    const struct near_result *result = w->classes->result;

    /* cells are sorted by dataset and split */
    for (size_t c = 0, splits = 0; c < result->counts.cell_count; c++) {
        bool same = c && result->counts.cell[c - 1].dataset == result->counts.cell[c].dataset;

        splits = !same ? 1 : splits + !slice_equal(result->counts.cell[c - 1].split, result->counts.cell[c].split);
        if (splits > MOST_SPLITS) w->many[result->counts.cell[c].dataset] = true;
    }
}

static int keys_make(struct overlap_work *w, struct err *err)
{
    const struct near_result *result = w->classes->result;

    w->key = calloc(2 * result->counts.cell_count + 1, sizeof *w->key);
    w->many = calloc(w->classes->job->run->dataset_count + 1, sizeof *w->many);
    if (!w->key || !w->many) return err_memory(err, result->counts.cell_count * sizeof *w->key, "overlap");
    splits_count(w);
    for (size_t c = 0; c < result->counts.cell_count; c++) {       /* cells are sorted by dataset and split */
        const struct scan_cell *cell = &result->counts.cell[c], *before = c ? &result->counts.cell[c - 1] : NULL;

        if (!before || before->dataset != cell->dataset)
            w->key[w->key_count++] = (struct key){ cell->dataset, { 0 }, true };
        if (cell->split.len && !w->many[cell->dataset] &&
            (!before || before->dataset != cell->dataset || !slice_equal(before->split, cell->split)))
            w->key[w->key_count++] = (struct key){ cell->dataset, cell->split, false };
    }
    w->words = (w->key_count + 63) / 64;
    w->cell_keys = calloc(result->counts.cell_count * w->words + 1, sizeof *w->cell_keys);
    for (size_t t = 0; t < TALLY_KINDS; t++)
        w->tally[t] = calloc(result->counts.cell_count * w->key_count + 1, sizeof *w->tally[t]);
    for (size_t t = 0; t < TALLY_KINDS; t++)
        if (!w->tally[t]) return err_memory(err, result->counts.cell_count * w->key_count * 8, "overlap");
    if (!w->cell_keys) return err_memory(err, result->counts.cell_count * w->words * 8, "overlap");

    for (size_t k = 0; k < w->key_count; k++) {
        for (size_t c = 0; c < result->counts.cell_count; c++)
            if (result->counts.cell[c].dataset == w->key[k].dataset &&
                (w->key[k].whole || slice_equal(result->counts.cell[c].split, w->key[k].split)))
                w->cell_keys[c * w->words + k / 64] |= 1ull << (k % 64);
    }
    return 0;
}

static uint32_t cell_of(const struct overlap_work *w, uint32_t document)
{
    return w->classes->result->brief[document].cell;
}

static void keys_of_document(const struct overlap_work *w, uint32_t document, uint64_t *set)
{
    const uint64_t *keys = w->cell_keys + (size_t)cell_of(w, document) * w->words;

    for (size_t i = 0; i < w->words; i++) set[i] |= keys[i];
}

/* Adds the keys of a class's members of some roles to a set. */
static void keys_of_members(const struct overlap_work *w, const struct members *members, uint32_t c,
                            enum member_role from, enum member_role to, uint64_t *set)
{
    const uint32_t *member;
    const size_t    count = members_between(members, c, (int)from, (int)to + 1, &member);

    for (size_t m = 0; m < count; m++) keys_of_document(w, member[m], set);
}

/* Adds them to three sets, one a role: the keys of those that documents of the role are compared with. */
static void keys_by_role(const struct overlap_work *w, const struct members *members, uint32_t c, uint64_t *sets)
{
    keys_of_members(w, members, c, MEMBER_BENCHMARK, MEMBER_STREAMED, sets + MEMBER_BENCHMARK * w->words);
    keys_of_members(w, members, c, MEMBER_BENCHMARK, MEMBER_RESIDENT, sets + MEMBER_RESIDENT * w->words);
    keys_of_members(w, members, c, MEMBER_BENCHMARK, MEMBER_BENCHMARK, sets + MEMBER_STREAMED * w->words);
}

/* Counts one document for every key in the set. */
static void count_document(struct overlap_work *w, enum tally_kind kind, uint32_t document, const uint64_t *set)
{
    uint64_t *tally = w->tally[kind] + (size_t)cell_of(w, document) * w->key_count;

    for (size_t i = 0; i < w->words; i++)
        for (uint64_t bits = set[i]; bits; bits &= bits - 1) tally[64 * i + (size_t)__builtin_ctzll(bits)]++;
}

/* Counts every member of a class for the keys of its role. */
static void count_members(struct overlap_work *w, enum tally_kind kind, const struct members *members, uint32_t c,
                          const uint64_t *sets)
{
    for (size_t role = 0; role < MEMBER_ROLES; role++) {
        const uint32_t *member;
        size_t          count = members_of(members, c, (enum member_role)role, &member);

        for (size_t m = 0; m < count; m++) count_document(w, kind, member[m], sets + role * w->words);
    }
}

static int count_class(struct overlap_work *w, uint32_t c, struct links *links, uint64_t *scratch, struct err *err)
{
    const struct classes *classes = w->classes;
    const struct members *members = &classes->admitted;
    uint64_t *near = scratch, *contained = near + MEMBER_ROLES * w->words;
    uint64_t *held = contained + MEMBER_BENCHMARK * w->words, *holding = contained + MEMBER_RESIDENT * w->words;
    const bool between = near_inside_between(classes->job->options);
    bool       any = false;
    struct near_link link;
    int        rc;

    memset(scratch, 0, 2 * MEMBER_ROLES * w->words * sizeof *scratch);
    keys_by_role(w, members, c, near);
    while ((rc = links_next(links, c, &link, err)) > 0) {
        if (link.marks & NEAR_SIMILAR) keys_by_role(w, members, link.second, near);
        if (!(link.marks & NEAR_INSIDE)) continue;
        any = true;
        /* benchmark items of c are inside these */
        if (link.marks & NEAR_FIRST_INSIDE)
            keys_of_members(w, members, link.second, between ? MEMBER_BENCHMARK : MEMBER_RESIDENT, MEMBER_STREAMED,
                            held);
        /* these items are inside documents of c */
        if (link.marks & NEAR_SECOND_INSIDE)
            keys_of_members(w, members, link.second, MEMBER_BENCHMARK, MEMBER_BENCHMARK, holding);
    }
    count_members(w, TALLY_DIRECT, members, c, near);
    if (rc < 0 || !any) return rc;
    /* for a benchmark item either way counts, where it may hold another */
    for (size_t i = 0; i < w->words && between; i++) held[i] |= holding[i];
    memcpy(contained + MEMBER_STREAMED * w->words, holding, w->words * sizeof *holding);
    count_members(w, TALLY_CONTAINED, members, c, contained);
    return 0;
}

static int count_all(struct overlap_work *w, struct err *err)
{
    const struct classes *classes = w->classes;
    const struct members *members = &classes->admitted;
    uint64_t *scratch = calloc(2 * MEMBER_ROLES * w->words + 1, sizeof *scratch);
    /* keys of a component, kept at its smallest class */
    uint64_t *cluster = calloc(members->count * w->words + 1, sizeof *cluster);
    struct links links = { 0 };
    int          rc = 0;

    if (!scratch || !cluster) {
        free(scratch);
        free(cluster);
        return err_memory(err, members->count * w->words * 8, "overlap");
    }
    rc = links_open(&links, classes->result, err);
    for (int counting = 0; counting < 2; counting++) {
        for (uint32_t c = 0; c < members->count && rc == 0; c++) {
            const uint32_t *member;
            size_t          joined = members_joined(classes, c, &member);
            uint64_t       *keys = cluster + (size_t)classes->component[c] * w->words;

            for (size_t m = 0; m < joined; m++) {
                if (counting) count_document(w, TALLY_TRANSITIVE, member[m], keys);
                else keys_of_document(w, member[m], keys);
            }
            if (counting) rc = count_class(w, c, &links, scratch, err);
        }
    }
    links_close(&links);
    for (uint32_t c = 0; c < classes->copies.count && rc == 0; c++) {
        memset(scratch, 0, MEMBER_ROLES * w->words * sizeof *scratch);
        keys_by_role(w, &classes->copies, c, scratch);
        count_members(w, TALLY_COPIES, &classes->copies, c, scratch);
    }
    free(scratch);
    free(cluster);
    return rc;
}

/* Is `transitive` the true number, or a lower bound?  A chain may run through pairs inside a streamed corpus, or
 * between two of them, which are not looked for; only from a benchmark to the one corpus there is must it begin with a
 * pair that is.  Documents of a corpus with self_join that are short are as streamed ones. */
static bool row_complete(const struct near_job *job, uint32_t source, uint32_t target)
{
    size_t corpora = 0, streamed = 0;

    for (size_t d = 0; d < job->run->dataset_count; d++) {
        corpora += job->run->datasets[d].role == ROLE_CORPUS;
        streamed += role_of_dataset(&job->run->datasets[d]) == MEMBER_STREAMED ||
            (job->run->datasets[d].self_join && near_admits(job, (uint32_t)d) < job->minimums.corpora);
    }
    return !streamed || (corpora == 1 && job->run->datasets[source].role == ROLE_BENCHMARK &&
                         job->run->datasets[target].role == ROLE_CORPUS);
}

/* What one cell adds to the row of a split and a language. */
static struct graph_overlap row_make(const struct overlap_work *w, size_t c, size_t k, struct slice split,
                                     struct slice language)
{
    const struct scan_cell *cell = &w->classes->result->counts.cell[c];
    size_t                  at = c * w->key_count + k;

    return (struct graph_overlap){ .source = cell->dataset, .target = w->key[k].dataset, .split = split,
                                   .target_split = w->key[k].split,
                                   .language = language, .documents = cell->documents, .admitted = cell->admitted,
                                   .direct = w->tally[TALLY_DIRECT][at], .transitive = w->tally[TALLY_TRANSITIVE][at],
                                   .copies = w->tally[TALLY_COPIES][at], .contained = w->tally[TALLY_CONTAINED][at],
                                   .complete = row_complete(w->classes->job, cell->dataset, w->key[k].dataset) };
}

static void row_add(struct graph_overlap *row, const struct graph_overlap *more)
{
    row->documents += more->documents;
    row->admitted += more->admitted;
    row->direct += more->direct;
    row->transitive += more->transitive;
    row->copies += more->copies;
    row->contained += more->contained;
}

static int row_order(const void *a, const void *b)
{
    const struct graph_overlap *x = a, *y = b;
    int                         c;

    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    if ((c = slice_compare(x->split, y->split)) != 0) return c;
    if ((c = slice_compare(x->target_split, y->target_split)) != 0) return c;
    return slice_compare(x->language, y->language);
}

/* The rows of one dataset, as they come and then as they stand. */
struct overlap_rows { struct graph_overlap *row; size_t count, room; };

static int rows_add(struct overlap_rows *rows, struct graph_overlap row, struct err *err)
{
    if (ARRAY_GROW(rows->row, rows->room, rows->count) < 0)
        return err_memory(err, rows->room * sizeof *rows->row, "overlap");
    rows->row[rows->count++] = row;
    return 0;
}

/* A cell adds to the rows of its own split and of all, of its own language and of all. */
static int cell_add(const struct overlap_work *w, size_t c, struct overlap_rows *rows, struct err *err)
{
    const struct scan_cell *cell = &w->classes->result->counts.cell[c];
    enum member_role        role = role_of_dataset(&w->classes->job->run->datasets[cell->dataset]);
    const struct slice      all = { "", 0 };
    int                     rc = 0;

    for (size_t k = 0; k < w->key_count; k++) {
        const struct key *key = &w->key[k];
        bool              inside = key->dataset == cell->dataset;

        if (!roles_meet(role, role_of_dataset(&w->classes->job->run->datasets[key->dataset]))) continue;
        for (int part = 0; part < 4 && rc == 0; part++) {   /* all; own language; own split; both */
            struct slice split = part & 2 ? cell->split : all, language = part & 1 ? cell->language : all;

            if ((part & 2 && (!split.len || w->many[cell->dataset])) || (part & 1 && !language.len)) continue;
            if (inside && (key->whole || !split.len || slice_equal(key->split, split))) continue;
            rc = rows_add(rows, row_make(w, c, k, split, language), err);
        }
    }
    return rc;
}

/* One dataset after the other: cells are sorted by it, and rows begin with it. */
static int rows_make(struct overlap_work *w, struct graph_overlap **out, size_t *count, struct err *err)
{
    const struct scan_counts *counts = &w->classes->result->counts;
    struct overlap_rows       made = { 0 }, kept = { 0 };
    int                       rc = 0;

    for (size_t c = 0, end; c < counts->cell_count && rc == 0; c = end) {
        const size_t first = kept.count;

        made.count = 0;
        for (end = c; end < counts->cell_count && counts->cell[end].dataset == counts->cell[c].dataset; end++)
            if (rc == 0) rc = cell_add(w, end, &made, err);
        if (made.count) qsort(made.row, made.count, sizeof *made.row, row_order);
        for (size_t r = 0; r < made.count && rc == 0; r++) {
            if (kept.count > first && row_order(&kept.row[kept.count - 1], &made.row[r]) == 0)
                row_add(&kept.row[kept.count - 1], &made.row[r]);
            else rc = rows_add(&kept, made.row[r], err);
        }
    }
    free(made.row);
    *out = kept.row;
    *count = kept.count;
    return rc;
}

int overlap_compute(const struct classes *classes, struct graph_overlap **out, size_t *count, struct err *err)
{
    struct overlap_work w = { .classes = classes };
    int                 rc = keys_make(&w, err);

    *out = NULL;
    *count = 0;
    if (rc == 0) rc = count_all(&w, err);
    if (rc == 0) rc = rows_make(&w, out, count, err);
    free(w.key);
    free(w.cell_keys);
    free(w.many);
    for (size_t t = 0; t < TALLY_KINDS; t++) free(w.tally[t]);
    return rc;
}
