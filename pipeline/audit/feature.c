/* audit/feature.c -- see feature.h: rows, and elements to rows.  The file of them: feature_csv.c. */
#include "audit/feature.h"

#include "audit/hit.h"
#include "base/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static char *copy_of(struct slice s)
{
    char *copy = malloc(s.len + 1);

    if (!copy) return NULL;
    if (s.len) memcpy(copy, s.at, s.len);
    copy[s.len] = 0;
    return copy;
}

int audit_features_add(struct audit_features *to, struct slice file, struct slice repository,
                       const double hits[AUDIT_CATEGORIES], const double *total, int label, struct err *err)
{
    struct audit_feature row = { .file = copy_of(file), .repository = repository.at ? copy_of(repository) : NULL,
                                 .label = label };

    for (int r = 0; r < AUDIT_CATEGORIES; r++) {
        row.hits[r] = hits[r];
        row.total[r] = total ? total[r] : NAN;
    }
    if (!row.file || (repository.at && !row.repository) || ARRAY_GROW(to->row, to->room, to->count) < 0) {
        free(row.file);
        free(row.repository);
        return err_memory(err, sizeof row + file.len, "feature rows");
    }
    to->row[to->count++] = row;
    return 0;
}

void audit_features_free(struct audit_features *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->row[i].file);
        free(f->row[i].repository);
    }
    free(f->row);
    *f = (struct audit_features){ 0 };
}

bool audit_features_have_totals(const struct audit_features *f)
{
    for (size_t i = 0; i < f->count; i++)
        for (int r = 0; r < AUDIT_CATEGORIES; r++)
            if (isnan(f->row[i].total[r])) return false;
    return true;
}

/* ---- from elements ---- */

/* What pandas 1.5 reads from a CSV as no value. */
static bool is_no_value(struct slice s)
{
    static const char *const word[] = { "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND",
                                        "1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null" };

    if (s.len == 0) return true;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (slice_equal(s, slice_of(word[i]))) return true;
    return false;
}

static XXH128_hash_t hash_of(struct slice s) { return XXH3_128bits(s.at ? s.at : "", s.len); }

/* Of file, category, objective and output. */
static XXH128_hash_t element_key(const struct audit_answer *e)
{
    const struct slice part[] = { e->file, e->objective, e->output };
    uint64_t           word[7] = { (uint64_t)e->category };

    for (size_t i = 0; i < 3; i++) {
        const XXH128_hash_t h = hash_of(part[i]);

        word[1 + 2 * i] = h.low64;
        word[2 + 2 * i] = h.high64;
    }
    return XXH3_128bits(word, sizeof word);
}

/* Whether the element counts; `seen` has the published form's elements that did.  1, 0 or -ENOMEM. */
static int element_counts(const struct audit_answer *e, bool published, struct table *seen)
{
    XXH128_hash_t key;
    bool          added = false;

    if (!e->output.at) return 0;
    if (!published) return 1;
    if (audit_is_trivial(e->objective) || is_no_value(e->file) || is_no_value(e->objective) || is_no_value(e->output))
        return 0;
    key = element_key(e);
    return table_put(seen, key.low64, key.high64, 0, &added) == TABLE_NONE ? -ENOMEM : added;
}

/* The row of the element's file, from `first` on; it is made where there is none. */
static int row_of(struct audit_features *to, struct table *files, size_t first, const struct audit_answer *e,
                  struct audit_feature **out, struct err *err)
{
    static const double none[AUDIT_CATEGORIES];
    const XXH128_hash_t key = hash_of(e->file);
    bool                added = false;
    const uint32_t      at = table_put(files, key.low64, key.high64, (uint32_t)(to->count - first), &added);

    if (at == TABLE_NONE) return err_memory(err, sizeof **out, "feature rows");
    if (added && audit_features_add(to, e->file, e->repository, none, none, -1, err) < 0) return err->code;
    *out = &to->row[first + at];
    if (!(*out)->repository && e->repository.at && !((*out)->repository = copy_of(e->repository)))
        return err_memory(err, e->repository.len, "a repository's name");
    return 0;
}

int audit_features_of(struct audit_features *to, const struct audit_answer *answer, size_t count, bool published,
                      struct err *err)
{
    const size_t first = to->count;
    struct table files = { 0 }, seen = { 0 };
    int          rc = 0;

    for (size_t i = 0; i < count && rc == 0; i++) {
        const struct audit_answer *e = &answer[i];
        struct audit_feature       *row = NULL;
        int                         counts = element_counts(e, published, &seen);

        if (counts < 0) rc = err_memory(err, count, "elements");
        /* the released code has no row where nothing counts */
        if (rc < 0 || (published && counts == 0) || (rc = row_of(to, &files, first, e, &row, err)) < 0) continue;
        if (e->label > row->label) row->label = e->label;
        row->hits[e->category] += counts && e->hit;
        row->total[e->category] += counts;
    }
    for (size_t i = first; i < to->count; i++)
        for (int r = 0; r < AUDIT_CATEGORIES; r++)
            if (to->row[i].total[r] > 0) to->row[i].hits[r] /= to->row[i].total[r];
    table_free(&files);
    table_free(&seen);
    return rc;
}
