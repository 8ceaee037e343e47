/* audit/repository.c -- see repository.h. */
#include "audit/repository.h"

#include "base/random.h"
#include "learn/split.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct slice audit_repository_of(const struct audit_feature *row, bool published)
{
    const char *at = row->file;

    if (row->repository && !published) return slice_of(row->repository);
    while (*at == '/') at++;
    return (struct slice){ at, strcspn(at, "/") };
}

/* ---- repositories ---- */

struct named { struct slice name; size_t row; };

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int           c = slice_compare(x->name, y->name);

    return c ? c : (x->row > y->row) - (x->row < y->row);
}

static int most_of(size_t ones, size_t zeros) { return ones + zeros == 0 ? -1 : ones >= zeros; }

int audit_repositories_make(const struct audit_features *f, bool published, struct audit_repositories *out,
                            struct err *err)
{
    struct named *named = calloc(f->count + 1, sizeof *named);

    *out = (struct audit_repositories){ .at = calloc(f->count + 1, sizeof *out->at),
                                        .of = calloc(f->count + 1, sizeof *out->of) };
    if (!named || !out->at || !out->of) {
        free(named);
        audit_repositories_free(out);
        return err_memory(err, f->count * sizeof *named, "repositories");
    }
    for (size_t i = 0; i < f->count; i++) named[i] = (struct named){ audit_repository_of(&f->row[i], published), i };
    qsort(named, f->count, sizeof *named, compare_named);
    for (size_t i = 0; i < f->count; i++) {
        struct audit_repository *r;

        if (i == 0 || !slice_equal(named[i].name, named[i - 1].name)) out->at[out->count++].name = named[i].name;
        r = &out->at[out->count - 1];
        out->of[named[i].row] = (uint32_t)(out->count - 1);
        r->files++;
        r->ones += f->row[named[i].row].label == 1;
        r->zeros += f->row[named[i].row].label == 0;
        r->label = most_of(r->ones, r->zeros);
    }
    free(named);
    return 0;
}

void audit_repositories_free(struct audit_repositories *r)
{
    free(r->at);
    free(r->of);
    *r = (struct audit_repositories){ 0 };
}

/* ---- parts ---- */

/* test[i] of each repository: 1 for the test, 0 to learn from, 2 without a label. */
static int deal_repositories(const struct audit_repositories *r, double share, uint64_t seed, uint8_t *test,
                             struct err *err)
{
    uint8_t *label = calloc(r->count + 1, sizeof *label);
    size_t  *place = calloc(r->count + 1, sizeof *place), *row = calloc(r->count + 1, sizeof *row);
    size_t   labelled = 0, train;
    int      rc = label && place && row ? 0 : err_memory(err, r->count * sizeof *row, "parts");

    for (size_t i = 0; i < r->count && rc == 0; i++) {
        test[i] = 2;
        if (r->at[i].label < 0) continue;
        label[labelled] = (uint8_t)r->at[i].label;
        place[labelled++] = i;
    }
    if (rc == 0 && (rc = split_train_test(label, labelled, share, seed, row, &train, err)) < 0 && rc == -EINVAL)
        err_add(err, "repositories with a label");
    for (size_t i = 0; i < labelled && rc == 0; i++) test[place[row[i]]] = i >= train;
    free(label);
    free(place);
    free(row);
    return rc;
}

static int parts_by_repository(const struct audit_features *f, const struct audit_repositories *r, double share,
                               uint64_t seed, struct audit_parts *out, struct err *err)
{
    uint8_t *test = calloc(r->count + 1, sizeof *test);
    size_t   to = 0;
    int      rc = test ? deal_repositories(r, share, seed, test, err) : err_memory(err, r->count, "parts");

    for (int part = 0; part < 3 && rc == 0; part++) {
        size_t *count = part == 0 ? &out->train : part == 1 ? &out->test : &out->unknown;

        for (size_t i = 0; i < f->count; i++) {
            if ((f->row[i].label < 0 ? 2 : test[r->of[i]]) != part) continue;
            out->row[to++] = i;
            ++*count;
        }
    }
    free(test);
    return rc;
}

static int parts_by_file(const struct audit_features *f, double share, uint64_t seed, struct audit_parts *out,
                         struct err *err)
{
    struct random random = random_start(seed, 2);
    size_t        labelled = 0, to;

    for (size_t i = 0; i < f->count; i++) if (f->row[i].label >= 0) out->row[labelled++] = i;
    random_shuffle(&random, out->row, labelled);
    out->test = (size_t)ceil(share * (double)labelled - 1e-9);      /* 0.2 of 10 is 2, whatever the last bit says */
    if (out->test == 0 || out->test >= labelled)
        return err_set(err, -EINVAL, "a share of %g of %zu files with a label cannot be set apart", share, labelled);
    out->train = labelled - out->test;
    to = labelled;
    for (size_t i = 0; i < f->count; i++) if (f->row[i].label < 0) out->row[to++] = i;
    out->unknown = to - labelled;
    return 0;
}

int audit_parts_make(const struct audit_features *f, const struct audit_repositories *r, bool published,
                     double test_share, uint64_t seed, struct audit_parts *out, struct err *err)
{
    int rc;

    *out = (struct audit_parts){ .row = calloc(f->count + 1, sizeof *out->row) };
    if (!out->row) return err_memory(err, f->count * sizeof *out->row, "parts");
    rc = published ? parts_by_file(f, test_share, seed, out, err)
                   : parts_by_repository(f, r, test_share, seed, out, err);
    if (rc < 0) audit_parts_free(out);
    return rc;
}

int audit_parts_test(const struct audit_features *f, struct audit_parts *out, struct err *err)
{
    *out = (struct audit_parts){ .row = calloc(f->count + 1, sizeof *out->row) };
    if (!out->row) return err_memory(err, f->count * sizeof *out->row, "parts");
    for (size_t i = 0; i < f->count; i++) if (f->row[i].label >= 0) out->row[out->test++] = i;
    for (size_t i = 0; i < f->count; i++) if (f->row[i].label < 0) out->row[out->test + out->unknown++] = i;
    return 0;
}

void audit_parts_free(struct audit_parts *p)
{
    free(p->row);
    *p = (struct audit_parts){ 0 };
}

/* ---- votes ---- */

void audit_votes(const struct audit_features *f, const struct audit_repositories *r, const size_t *row, size_t count,
                 const uint8_t *said, bool published, struct audit_vote *out)
{
    for (size_t i = 0; i < r->count; i++) out[i] = (struct audit_vote){ .label = -1 };
    for (size_t i = 0; i < count; i++) {
        struct audit_vote *v = &out[r->of[row[i]]];
        const int          label = f->row[row[i]].label;

        v->files++;
        v->said += said[row[i]];
        v->ones += label == 1;
        v->zeros += label == 0;
        v->label = !published ? most_of(v->ones, v->zeros) : label >= 0 ? label : v->label;
    }
}

struct learn_scores audit_votes_score(const struct audit_vote *vote, size_t count, unsigned tenths)
{
    uint64_t n[2][2] = { { 0 } };

    for (size_t i = 0; i < count; i++)
        if (vote[i].files && vote[i].label >= 0) n[vote[i].label][audit_vote_says(&vote[i], tenths)]++;
    return learn_scores_of(n[1][1], n[0][1], n[0][0], n[1][0]);
}
