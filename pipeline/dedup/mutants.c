/* dedup/mutants.c -- does the run find what it should?  Documents of the corpus are edited, renamed, reformatted and
 * truncated.
 *
 * Each mutant goes the way of a document: the view makes its features, these its records.  It counts when its exact
 * similarity to the original reaches the threshold, and as found when a bucket holds both and lets the pair pass.  All
 * that comes after buckets is exact, or, where a bucket is above its cap, seen by the sample that is joined exactly
 * (neighbours.c). */
#include "dedup/candidates.h"

#include "kernels/kernels.h"
#include "view/class.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum mutation { MUTATE_EDIT, MUTATE_RENAME, MUTATE_REFORMAT, MUTATE_TRUNCATE, MUTATIONS };

struct mutator {                                            /* one a thread */
    struct dedup_state     *state;
    const struct recording *recording;
    struct view_scratch    *view;
    struct bytes            text;
    struct multiset         features, original;
    uint64_t                random;
    uint64_t                mutants, found;                 /* that reach the threshold; that meet their original */
};

static uint64_t mutator_next(struct mutator *m)             /* splitmix64: the same numbers on every machine */
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* ---- texts ---- */

static bool is_word(unsigned char c)
{
    return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
}

static size_t word_end(struct slice text, size_t at)
{
    while (at < text.len && is_word((unsigned char)text.at[at])) at++;
    return at;
}

/* One word in thirty is replaced, left out or doubled. */
static int mutate_edit(struct mutator *m, struct slice text)
{
    for (size_t at = 0, end; at < text.len; at = end) {
        struct slice piece;
        uint64_t     what;
        int          rc = 0;

        end = word_end(text, at);
        if (end == at) end = at + 1;
        piece = (struct slice){ text.at + at, end - at };
        what = is_word((unsigned char)*piece.at) ? mutator_next(m) % 90 : 90;
        if (what == 0) rc = bytes_printf(&m->text, "edited%llu", (unsigned long long)(mutator_next(m) % 1000));
        else if (what == 1)
            rc = bytes_append_slice(&m->text, piece) < 0 ? -ENOMEM : bytes_append(&m->text, " again", 6);
        else if (what != 2) rc = bytes_append_slice(&m->text, piece);
        if (rc < 0) return rc;
    }
    return 0;
}

/* One word, taken by chance, has another name wherever it stands. */
static int mutate_rename(struct mutator *m, struct slice text)
{
    size_t       words = 0, chosen;
    struct slice name = { 0 };

    for (size_t at = 0; at < text.len; at = word_end(text, at) + 1) words += word_end(text, at) > at;
    chosen = words ? mutator_next(m) % words : 0;
    for (size_t at = 0; at < text.len; at = word_end(text, at) + 1) {
        size_t end = word_end(text, at);

        if (end > at && chosen-- == 0) name = (struct slice){ text.at + at, end - at };
        if (name.at) break;
    }
    for (size_t at = 0, end; at < text.len; at = end) {
        struct slice piece;

        end = word_end(text, at);
        if (end == at) end = at + 1;
        piece = (struct slice){ text.at + at, end - at };
        if (bytes_append_slice(&m->text, piece) < 0 ||
            (slice_equal(piece, name) && bytes_append(&m->text, "Renamed", 7) < 0))
            return -ENOMEM;
    }
    return 0;
}

/* Line ends and indentation become blanks, blanks are doubled. */
static int mutate_reformat(struct mutator *m, struct slice text)
{
    for (size_t at = 0; at < text.len; at++) {
        bool blank = text.at[at] == ' ' || text.at[at] == '\t' || text.at[at] == '\n' || text.at[at] == '\r';

        if (bytes_append(&m->text, blank ? "  " : text.at + at, blank ? 2 : 1) < 0) return -ENOMEM;
    }
    return 0;
}

static int mutate_truncate(struct mutator *m, struct slice text)
{
    size_t keep = text.len - text.len * (5 + mutator_next(m) % 20) / 100;

    /* never inside a character */
    while (keep && keep < text.len && ((unsigned char)text.at[keep] & 0xC0) == 0x80) keep--;
    return bytes_append(&m->text, text.at, keep);
}

/* ---- one mutant ---- */

/* Kept in `into`. */
static int mutator_features(struct mutator *m, const char *language, struct slice text, struct multiset *into,
                            struct column_features *out, struct err *err)
{
    struct record               record = { .text = text };
    const struct view_language *known = view_language_of(m->view, language, &record, err);
    struct feature_list         list;
    int                         rc = known ? view_features(m->view, known, &record, &list, err) : err->code;

    if (rc == -ENODATA || rc == -EBADMSG) list.count = 0;
    else if (rc < 0) return rc;
    if (multiset_make(into, list, err) < 0) return err->code;
    *out = (struct column_features){ into->hash, into->count, (uint32_t)into->distinct, (uint32_t)list.count };
    return 0;
}

static bool records_meet(const struct dedup_options *o, const struct sort_item *a, size_t na, const struct sort_item *b,
                         size_t nb)
{
    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++) {
            bool ordered = a[i].value >> 52 <= b[j].value >> 52;

            if (a[i].key == b[j].key && records_may_match(o, ordered ? a[i].value : b[j].value, ordered ? b[j].value
                                                          : a[i].value))
                return true;
        }
    return false;
}

static int mutant_measure(struct mutator *m, enum mutation mutation, const char *language, struct slice text,
                          struct column_features original, struct err *err)
{
    static int (*const mutate[MUTATIONS])(struct mutator *, struct slice) =
        { mutate_edit, mutate_rename, mutate_reformat, mutate_truncate };
    const struct dedup_options *o = m->state->job->options;
    struct column_features      features;
    struct sort_item           *a = NULL, *b = NULL;
    size_t                      na, nb, shared;
    int                         rc;

    m->text.len = 0;
    if (mutate[mutation](m, text) < 0 || bytes_reserve(&m->text, m->text.len) < 0)
        return err_memory(err, text.len, "a mutant");
    rc = mutator_features(m, language, bytes_slice(&m->text), &m->features, &features, err);
    if (rc < 0 || features.total < o->min_tokens || features.distinct == 0) return rc;
    shared = kernels->intersect_u64(original.hash, original.distinct, features.hash, features.distinct);
    if (!ratio_reached(o->threshold, shared, (uint64_t)original.distinct + features.distinct - shared)) return 0;
    m->mutants++;
    rc = records_of(m->recording, original, &a, &na) < 0 || records_of(m->recording, features, &b, &nb) < 0
        ? err_memory(err, text.len, "a mutant's records") : 0;
    if (rc == 0) m->found += records_meet(o, a, na, b, nb);
    free(a);
    free(b);
    return rc;
}

/* ---- all of this rank ---- */

/* The features of a document whose text is a sample: its columns, or where these are brief those of its text again,
 * which stay until the next original is made.  distinct 0: the record came with tokens of its own, and its text has
 * others. */
static int original_features(struct mutator *m, const struct column_unit *columns, uint64_t i, const char *language,
                             struct slice text, struct column_features *out, struct err *err)
{
    const struct dedup_row *row = columns_row(columns, i, NULL);
    struct content_hash     class;
    int                     rc;

    *out = columns_features(columns, i);
    if (!row->brief) return 0;
    rc = mutator_features(m, language, text, &m->original, out, err);
    if (rc < 0) return rc;
    class = class_hash(out->hash, out->count, out->distinct);
    if (class.low != row->class_low || class.high != row->class_high) *out = (struct column_features){ 0 };
    return 0;
}

static int unit_measure(struct mutator *m, const struct column_unit *columns, uint64_t *left, struct err *err)
{
    for (uint64_t p = 0; p < columns->file.header->parts; p++) {
        size_t                   groups;
        const char              *heap;
        const struct part_group *group = columns_groups(columns, p, &groups, &heap);
        const struct dedup_row  *row = (const struct dedup_row *)pass_unit_section(&columns->file, p, PART_ROWS).at;

        for (uint32_t i = columns->part_first[p]; i < columns->part_first[p + 1] && *left; i++, row++) {
            char                   language[VIEW_LANGUAGE_NAME] = "";
            struct bytes           text = { 0 };
            struct column_features original = { 0 };
            int                    rc;

            if (row->sample.len == NO_STRING || row->group >= groups) continue;
            --*left;
            snprintf(language, sizeof language, "%.*s", (int)group[row->group].language_len,
                     heap + group[row->group].language_at);
            if (bytes_append(&text, heap + row->sample.at, row->sample.len) < 0)
                return err_memory(err, row->sample.len, "a sample");
            m->random = row->raw.low;
            rc = original_features(m, columns, i, language, bytes_slice(&text), &original, err);
            for (enum mutation k = 0; k < MUTATIONS && rc == 0 && original.distinct; k++)
                rc = mutant_measure(m, k, language, bytes_slice(&text), original, err);
            bytes_free(&text);
            if (rc < 0) return rc;
        }
    }
    return 0;
}

/* Every unit has its share of the documents to measure, so that no rank does more for being first. */
static int units_measure(struct mutator *m, size_t *next, struct err *err)
{
    struct dedup_state *s = m->state;
    const uint64_t      measure = s->job->options->measure, units = s->catalogue.count;
    int                 rc = view_scratch_open(&m->view, &s->job->options->view, err);

    while (rc == 0) {
        const size_t       u = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
        uint64_t           left = measure / units + (u < measure % units);
        struct column_unit columns;

        if (u >= s->unit_first[s->rank + 1]) break;
        if (!left) continue;
        rc = state_unit(s, u, &columns, err);
        if (rc < 0) break;
        rc = unit_measure(m, &columns, &left, err);
        columns_close(&columns);
    }
    view_scratch_close(m->view);
    bytes_free(&m->text);
    multiset_free(&m->features);
    multiset_free(&m->original);
    return rc;
}

int mutants_measure(struct dedup_state *s, const struct recording *recording, struct err *err)
{
    size_t next = s->unit_first[s->rank];
    int    rc = 0;

#pragma omp parallel num_threads(s->threads)
    {
        struct mutator m = { .state = s, .recording = recording };
        struct err     mine = { 0 };
        int            done = s->unit_first[s->rank] < s->unit_first[s->rank + 1] ? units_measure(&m, &next, &mine) : 0;

#pragma omp critical(mutants_done)
        {
            s->job->stats.mutants += m.mutants;
            s->job->stats.mutants_found += m.found;
            if (done < 0) *err = mine, rc = done;
        }
    }
    return comm_agree(s->job->run->comm, rc, err);
}
