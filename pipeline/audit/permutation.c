/* audit/permutation.c -- see permutation.h. */
#include "audit/permutation.h"

#include "base/random.h"
#include "base/table.h"
#include "stats/distribution.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A file that can be tested: hits (less the reference's) and elements by category. */
struct known { uint32_t repository; double hits[AUDIT_CATEGORIES], total[AUDIT_CATEGORIES], gain, excess; };

struct test {
    struct known *known;                                    /* all files */
    size_t        count;
    bool         *clean;                                    /* repositories */
    size_t       *at;                                       /* of the pool: the repository's files, then clean ones */
    size_t        own, pool;
    double       *mean;                                     /* by repository */
    size_t       *files;
};

/* ---- files ---- */

/* A file's name, and its repository's where both models' rows tell them: files of several are called alike, as
 * setup.py.  Those that are alike in all are in the same order in both. */
static XXH128_hash_t name_key(const struct audit_feature *row, bool repositories, uint32_t before)
{
    const XXH128_hash_t file = XXH3_128bits(row->file, strlen(row->file));
    const char         *repository = repositories && row->repository ? row->repository : "";
    const XXH128_hash_t of = XXH3_128bits(repository, strlen(repository));
    const uint64_t      word[] = { file.low64, file.high64, of.low64, of.high64, before };

    return XXH3_128bits(word, sizeof word);
}

/* Rows by their names, and how many rows are called so. */
struct names { struct table at, called; uint32_t *count; size_t room, used; bool repositories; };

static void names_free(struct names *names)
{
    table_free(&names->at);
    table_free(&names->called);
    free(names->count);
}

/* The row's name, with how many have had it before.  0 or -ENOMEM. */
static int name_next(struct names *names, const struct audit_feature *row, XXH128_hash_t *out)
{
    const XXH128_hash_t name = name_key(row, names->repositories, 0);
    bool                added;
    const uint32_t      at = table_put(&names->called, name.low64, name.high64, (uint32_t)names->used, &added);

    if (at == TABLE_NONE || (added && ARRAY_GROW(names->count, names->room, names->used) < 0)) return -ENOMEM;
    if (added) names->count[names->used++] = 0;
    *out = name_key(row, names->repositories, names->count[at]++);
    return 0;
}

static bool tells_repositories(const struct audit_features *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->row[i].repository) return true;
    return false;
}

/* The rows of *reference by their names; of the other rows nothing is known yet. */
static int reference_names(const struct audit_features *f, const struct audit_features *reference,
                           struct names *names, struct err *err)
{
    names->repositories = reference && tells_repositories(f) && tells_repositories(reference);
    for (size_t i = 0; reference && i < reference->count; i++) {
        XXH128_hash_t name;
        bool          added;

        if (name_next(names, &reference->row[i], &name) < 0 ||
            table_put(&names->at, name.low64, name.high64, (uint32_t)i, &added) == TABLE_NONE)
            return err_memory(err, reference->count, "the reference's rows");
    }
    table_clear(&names->called);
    names->used = 0;
    return 0;
}

static bool know_file(const struct audit_feature *row, const struct audit_feature *reference, struct known *out)
{
    double elements = 0;

    out->gain = 0;
    for (int r = 0; r < AUDIT_CATEGORIES; r++) {
        const double total = isnan(row->total[r]) ? 1 : row->total[r];

        out->total[r] = total;
        out->hits[r] = total * (row->hits[r] - (reference ? reference->hits[r] : 0));
        out->gain += out->hits[r];
        elements += total;
    }
    if (elements <= 0) return false;
    out->gain /= elements;
    return true;
}

static int know_files(const struct audit_features *f, const struct audit_repositories *r,
                      const struct audit_features *reference, struct test *t, struct err *err)
{
    struct names names = { .used = 0 };
    int          rc = reference_names(f, reference, &names, err);

    for (size_t i = 0; i < f->count && rc == 0; i++) {
        const struct audit_feature *other = NULL;
        XXH128_hash_t               name;
        uint32_t                    at = TABLE_NONE;

        if (reference && name_next(&names, &f->row[i], &name) < 0) rc = err_memory(err, f->count, "names of files");
        else if (reference) at = table_find(&names.at, name.low64, name.high64);
        if (at != TABLE_NONE) other = &reference->row[at];
        if (rc < 0 || (reference && !other)) continue;
        t->known[t->count].repository = r->of[i];
        t->count += know_file(&f->row[i], other, &t->known[t->count]);
    }
    names_free(&names);
    return rc;
}

/* ---- one repository ---- */

static void add_up(const struct test *t, size_t from, size_t to, double hits[AUDIT_CATEGORIES],
                   double total[AUDIT_CATEGORIES])
{
    for (int r = 0; r < AUDIT_CATEGORIES; r++) hits[r] = total[r] = 0;
    for (size_t i = from; i < to; i++)
        for (int r = 0; r < AUDIT_CATEGORIES; r++) {
            hits[r] += t->known[t->at[i]].hits[r];
            total[r] += t->known[t->at[i]].total[r];
        }
}

static double rate_of(const double hits[AUDIT_CATEGORIES], const double total[AUDIT_CATEGORIES])
{
    double h = 0, n = 0;

    for (int r = 0; r < AUDIT_CATEGORIES; r++) {
        h += hits[r];
        n += total[r];
    }
    return n > 0 ? h / n : NAN;
}

static void say_rates(const struct test *t, struct audit_suspect *out)
{
    double own_hits[AUDIT_CATEGORIES], own_total[AUDIT_CATEGORIES], hits[AUDIT_CATEGORIES], total[AUDIT_CATEGORIES];

    add_up(t, 0, t->own, own_hits, own_total);
    add_up(t, t->own, t->pool, hits, total);
    out->rate = rate_of(own_hits, own_total);
    out->against_rate = rate_of(hits, total);
    for (int r = 0; r < AUDIT_CATEGORIES; r++)
        out->by[r] = own_total[r] > 0 && total[r] > 0 ? own_hits[r] / own_total[r] - hits[r] / total[r] : NAN;
}

static void make_excesses(struct test *t)
{
    double hits[AUDIT_CATEGORIES], total[AUDIT_CATEGORIES];

    add_up(t, 0, t->pool, hits, total);
    for (size_t i = 0; i < t->pool; i++) {
        struct known *k = &t->known[t->at[i]];
        double        over = 0, elements = 0;

        for (int r = 0; r < AUDIT_CATEGORIES; r++) {
            if (total[r] > 0) over += k->hits[r] - k->total[r] * hits[r] / total[r];
            elements += k->total[r];
        }
        k->excess = over / elements;
    }
}

/* Sums of the same numbers in another order differ in their last bits. */
static bool as_large(double sum, double observed) { return sum >= observed - 1e-9; }

/* The share of choices of as many files as the repository has, itself among them, that exceed as much. */
static double choose(struct test *t, uint32_t draws, struct random *random)
{
    double   observed = 0;
    uint64_t reached = 1;

    for (size_t i = 0; i < t->own; i++) observed += t->known[t->at[i]].excess;
    for (uint32_t d = 0; d < draws; d++) {
        double sum = 0;

        for (size_t i = 0; i < t->own; i++) {
            const size_t j = i + (size_t)random_below(random, t->pool - i), was = t->at[i];

            t->at[i] = t->at[j];
            t->at[j] = was;
            sum += t->known[t->at[i]].excess;
        }
        reached += as_large(sum, observed);
    }
    return (double)reached / ((double)draws + 1);
}

static double flip(const struct test *t, uint32_t draws, struct random *random)
{
    double   observed = 0;
    uint64_t reached = 1;

    for (size_t i = 0; i < t->own; i++) observed += t->known[t->at[i]].gain;
    for (uint32_t d = 0; d < draws; d++) {
        double   sum = 0;
        uint64_t signs = 0;

        for (size_t i = 0; i < t->own; i++) {
            if (i % 64 == 0) signs = random_next(random);
            sum += signs >> i % 64 & 1 ? t->known[t->at[i]].gain : -t->known[t->at[i]].gain;
        }
        reached += as_large(sum, observed);
    }
    return (double)reached / ((double)draws + 1);
}

/* The repository's mean among those of the clean ones, of which there are out->against. */
static void say_spread(const struct test *t, uint32_t repository, size_t repositories, struct audit_suspect *out)
{
    const double n = (double)out->against;
    double       mean = 0, squares = 0, far;

    for (size_t i = 0; i < repositories; i++) if (i != repository && t->files[i]) mean += t->mean[i] / n;
    for (size_t i = 0; i < repositories; i++)
        if (i != repository && t->files[i]) squares += (t->mean[i] - mean) * (t->mean[i] - mean);
    if (out->against < 2 || squares < 1e-12) return;
    far = (t->mean[repository] - mean) / sqrt(squares / (n - 1) * (1 + 1 / n));
    out->p_spread = student_beyond(far, n - 1) / 2;
    if (far < 0) out->p_spread = 1 - out->p_spread;
}

/* Means of excesses by repository, and this one's place among the clean ones. */
static void say_rank(struct test *t, uint32_t repository, size_t repositories, struct audit_suspect *out)
{
    size_t reached = 1;
    double others = 0;

    for (size_t i = 0; i < repositories; i++) t->mean[i] = 0, t->files[i] = 0;
    for (size_t i = 0; i < t->pool; i++) {
        const struct known *k = &t->known[t->at[i]];

        t->mean[k->repository] += k->excess;
        t->files[k->repository]++;
        if (i >= t->own) others += k->excess;
    }
    for (size_t i = 0; i < repositories; i++) {
        if (!t->files[i]) continue;
        t->mean[i] /= (double)t->files[i];
        out->against += i != repository;
    }
    for (size_t i = 0; i < repositories; i++)
        reached += i != repository && t->files[i] && as_large(t->mean[i], t->mean[repository]);
    out->excess = t->mean[repository] - others / (double)(t->pool - t->own);
    out->p_rank = (double)reached / ((double)out->against + 1);
    say_spread(t, repository, repositories, out);
}

static void test_one(struct test *t, const struct audit_repositories *r, uint32_t repository, bool reference,
                     const struct audit_permutation_options *options, struct audit_suspect *out)
{
    const struct slice name = r->at[repository].name;
    struct random      random = random_start(options->seed, XXH3_64bits(name.at, name.len));

    *out = (struct audit_suspect){ .clean = t->clean[repository], .excess = NAN, .p = NAN, .p_rank = NAN,
                                   .p_spread = NAN, .gain = NAN, .p_gain = NAN };
    t->own = t->pool = 0;
    for (size_t i = 0; i < t->count; i++) if (t->known[i].repository == repository) t->at[t->own++] = i;
    t->pool = t->own;
    for (size_t i = 0; i < t->count; i++)
        if (t->known[i].repository != repository && t->clean[t->known[i].repository]) t->at[t->pool++] = i;
    out->files = t->own;
    out->against_files = t->pool - t->own;
    say_rates(t, out);
    if (reference && t->own) {
        out->gain = 0;
        for (size_t i = 0; i < t->own; i++) out->gain += t->known[t->at[i]].gain / (double)t->own;
        out->p_gain = flip(t, options->draws, &random);
    }
    if (t->own == 0 || t->pool == t->own) return;
    make_excesses(t);
    say_rank(t, repository, r->count, out);
    out->p = choose(t, options->draws, &random);
}

int audit_permutation(const struct audit_features *f, const struct audit_repositories *r,
                      const struct audit_features *reference, const struct audit_permutation_options *options,
                      struct audit_suspect *out, struct err *err)
{
    struct test t = { .known = calloc(f->count + 1, sizeof *t.known), .at = calloc(f->count + 1, sizeof *t.at),
                      .clean = calloc(r->count + 1, sizeof *t.clean), .mean = calloc(r->count + 1, sizeof *t.mean),
                      .files = calloc(r->count + 1, sizeof *t.files) };
    int         rc = t.known && t.at && t.clean && t.mean && t.files
                         ? know_files(f, r, reference, &t, err)
                         : err_memory(err, f->count * sizeof *t.known, "a permutation test");

    for (size_t i = 0; i < r->count && rc == 0; i++) t.clean[i] = r->at[i].ones == 0 && r->at[i].zeros > 0;
    for (size_t i = 0; i < r->count && rc == 0; i++)
        test_one(&t, r, (uint32_t)i, reference != NULL, options, &out[i]);
    free(t.known);
    free(t.at);
    free(t.clean);
    free(t.mean);
    free(t.files);
    return rc;
}
