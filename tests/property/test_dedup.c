/* tests/property/test_dedup.c -- the whole self-join of a corpus, from shards to fates, against brute force.
 *
 * Random datasets made by copying and editing earlier documents, so that many pairs lie beside the thresholds; random
 * settings.  Links must be true, and complete where the method promises it; LSH must find what its S-curve says.  From
 * the links found, the fates of all documents must follow by the plain O(n^2) reading of the rules. */
#include "base/runs.h"
#include "config/config.h"
#include "dedup/task.h"
#include "dedup/result.h"
#include "view/curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { DATASETS = 3, MOST = 300, WORDS = 400, LONGEST = 260, LAYOUTS = 2, DAYS = 20000 };

/* Dataset 0 has two splits. */
struct made {
    int          dataset, split, number, language, layout, words;
    int          stars, day, path;                          /* -1: the record has none; path: its length */
    short        word[LONGEST];
    uint64_t     feature[LONGEST];                          /* distinct, ascending */
    uint32_t     count[LONGEST];
    size_t       distinct, total;
    char         text[LONGEST * 5 + 1];
    uint64_t     hash;
};

static uint64_t    state;
static struct made document[MOST];
static int         document_count;

static int draw(int below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state >> 33) % (unsigned)below);
}

static bool one_in(int n) { return draw(n) == 0; }

/* ---- documents ---- */

static void edit_words(struct made *m, int edits)
{
    while (edits--) {
        int at = draw(m->words + 1), kind = draw(3);

        if (kind == 0 && m->words < LONGEST) {
            memmove(m->word + at + 1, m->word + at, (size_t)(m->words++ - at) * sizeof *m->word);
            m->word[at] = (short)draw(WORDS);
        } else if (kind == 1 && at < m->words) {
            m->words--;
            memmove(m->word + at, m->word + at + 1, (size_t)(m->words - at) * sizeof *m->word);
        } else if (at < m->words) {
            m->word[at] = (short)draw(WORDS);
        }
    }
}

static void make_words(struct made *m, int before)
{
    static const int lengths[] = { 4, 12, 40, 120, LONGEST };

    m->words = draw(lengths[draw(5)] + 1);
    for (int w = 0; w < m->words; w++) m->word[w] = (short)draw(one_in(3) ? 8 : WORDS);
    m->layout = draw(LAYOUTS);
    m->language = one_in(4);
    if (!before || one_in(3)) return;

    /* some clusters are large */
    const struct made *like = &document[one_in(3) ? draw(before < 4 ? before : 4) : draw(before)];

    memcpy(m->word, like->word, sizeof m->word);
    m->words = like->words;
    if (!one_in(8)) m->language = like->language;
    if (!one_in(8)) m->layout = like->layout;
    if (!one_in(3)) edit_words(m, one_in(2) ? 1 + draw(3) : draw(1 + m->words / 8));
}

static void make_documents(void)
{
    document_count = 0;
    for (int d = 0; d < DATASETS; d++) {
        int count = 2 + draw(MOST / DATASETS - 1);

        for (int n = 0; n < count; n++) {
            struct made *m = &document[document_count];

            *m = (struct made){ .dataset = d, .split = d == 0 && n >= count / 2, .number = n };
            m->stars = one_in(3) ? -1 : draw(5);
            m->day = one_in(3) ? -1 : draw(3) * 1000 + draw(3);
            m->path = one_in(3) ? -1 : 1 + draw(4);
            make_words(m, document_count++);
        }
    }
}

static void write_shards(const char *dir)
{
    char  path[512];
    FILE *file = NULL;

    for (int i = 0; i < document_count; i++) {
        struct made *m = &document[i];
        size_t       at = 0;

        if (i == 0 || m->dataset != m[-1].dataset || m->split != m[-1].split) {
            if (file) assert_int_equal(fclose(file), 0);
            snprintf(path, sizeof path, "%s/d%d-%d.jsonl", dir, m->dataset, m->split);
            file = fopen(path, "w");
            assert_non_null(file);
        }
        for (int w = 0; w < m->words; w++)
            at += (size_t)sprintf(m->text + at, "w%d%s", m->word[w], m->layout ? "." : " ");
        m->hash = content_hash_raw((struct slice){ m->text, at }).low;
        fprintf(file, "{\"id\": %d, \"language\": \"%s\"", m->number, m->language ? "prose" : "verse");
        if (m->stars >= 0) fprintf(file, ", \"stars\": %d", m->stars);
        if (m->day >= 0)
            fprintf(file, ", \"date\": \"20%02d-%02d-01T0%d:00:00Z\"", m->day / 1000 + 10, m->day % 3 + 1,
                    m->day % 1000);
        if (m->path >= 0) fprintf(file, ", \"path\": \"%.*s\"", m->path, "abcdefgh");
        fprintf(file, ", \"text\": \"%s\"}\n", m->text);
    }
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

/* ---- settings ---- */

struct setting {
    struct config     config;
    struct shard_list shards;
    char              yaml[2048];
    const struct dedup_options *options;
    int               n;                                    /* words of a shingle */
    bool              across;
};

static size_t print_names(char *at, size_t room, const char *key, int from, int count)
{
    size_t len = (size_t)snprintf(at, room, "  %s: [", key);

    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(at + len, room - len, "%sd%d", i ? ", " : "", (from + i) % DATASETS);
    return len + (size_t)snprintf(at + len, room - len, "]\n");
}

static void draw_setting(struct setting *s, const char *dir, int method)
{
    static const char *const methods[] = { "auto", "lsh", "exact" };
    static const char *const keeps[] = { "longest, path", "dataset", "stars, longest", "newest",
                                         "path, newest, stars, dataset, longest" };
    struct err               err = { 0 };
    int                      first = draw(DATASETS), threshold = one_in(6) ? 100 : 40 + draw(60);
    size_t                   len;

    *s = (struct setting){ .n = 1 + draw(3), .across = one_in(4) };
    len = (size_t)snprintf(s->yaml, sizeof s->yaml,
                           "datasets:\n"
                           "  - {name: d0, splits: {a: [%s/d0-0.jsonl], b: [%s/d0-1.jsonl]}}\n"
                           "  - {name: d1, files: [%s/d1-0.jsonl]}\n"
                           "  - {name: d2, files: [%s/d2-0.jsonl]}\n"
                           "dedup:\n"
                           "  view: shingles:%d\n  threshold: 0.%02d\n  method: %s\n  min_tokens: %d\n  cluster: %s\n "
                           " keep: [%s]\n  write: none\n"
                           "  across_languages: %s\n  bucket_cap: %d\n  measure: %d\n  recall: 0.9%d\n",
                           dir, dir, dir, dir, s->n, threshold % 100, methods[method], one_in(3) ? 1 + draw(12) : 1,
                               one_in(2) ? "component" : "star",
                           keeps[draw(5)], s->across ? "true" : "false", one_in(4) ? 2 + draw(10) : 1000000, one_in(3)
                               ? 20 : 0, draw(10));
    if (threshold == 100) *strstr(s->yaml, "0.00") = '1';
    if (one_in(4))
        len += (size_t)snprintf(s->yaml + len, sizeof s->yaml - len, "  multiset_threshold: 0.%02d\n", 30 + draw(70));
    if (one_in(4))
        len += (size_t)snprintf(s->yaml + len, sizeof s->yaml - len, "  containment: 0.%02d\n", 60 + draw(40));
    len += print_names(s->yaml + len, sizeof s->yaml - len, "datasets", first, DATASETS);
    if (one_in(3)) print_names(s->yaml + len, sizeof s->yaml - len, "protect", first + draw(DATASETS), 1 + draw(2));
    if (config_parse(&s->config, "test", s->yaml, strlen(s->yaml), ".", NULL, 0, &err) < 0 ||
        shard_list_open(&s->shards, s->config.datasets, s->config.dataset_count, ".", &err) < 0) fail_msg("%s\n%s",
                err.text, s->yaml);
    s->options = &dedup_task(&s->config)->options;
}

static void setting_free(struct setting *s)
{
    shard_list_free(&s->shards);
    config_free(&s->config);
}

/* ---- the obvious program ---- */

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* A shingle is its words' numbers side by side, and the language where that matters. */
static void make_features(struct made *m, const struct setting *s)
{
    uint64_t all[LONGEST];

    m->total = m->words >= s->n ? (size_t)(m->words - s->n + 1) : 0;
    m->distinct = 0;
    for (size_t i = 0; i < m->total; i++) {
        all[i] = s->across ? 0 : (uint64_t)m->language;
        for (int w = 0; w < s->n; w++) all[i] = all[i] << 10 | (uint64_t)m->word[i + (size_t)w];
    }
    qsort(all, m->total, sizeof *all, ascending);
    for (size_t i = 0; i < m->total; i++) {
        if (i == 0 || all[i] != all[i - 1]) m->feature[m->distinct] = all[i], m->count[m->distinct++] = 0;
        m->count[m->distinct - 1]++;
    }
}

static bool admitted(const struct made *m, const struct setting *s) { return m->total >= s->options->min_tokens; }

static bool same_class(const struct made *a, const struct made *b, const struct setting *s)
{
    if (admitted(a, s) != admitted(b, s)) return false;
    if (!admitted(a, s)) return (s->across || a->language == b->language) && strcmp(a->text, b->text) == 0;
    return a->distinct == b->distinct && memcmp(a->feature, b->feature, a->distinct * sizeof *a->feature) == 0 &&
           memcmp(a->count, b->count, a->distinct * sizeof *a->count) == 0;
}

struct numbers { uint32_t shared, whole, min_sum, max_sum; };

static struct numbers compare(const struct made *a, const struct made *b)
{
    struct numbers n = { 0 };
    size_t         i = 0, j = 0;

    while (i < a->distinct && j < b->distinct) {
        if (a->feature[i] < b->feature[j]) i++;
        else if (a->feature[i] > b->feature[j]) j++;
        else {
            n.shared++;
            n.min_sum += a->count[i] < b->count[j] ? a->count[i] : b->count[j];
            i++, j++;
        }
    }
    n.whole = (uint32_t)(a->distinct + b->distinct) - n.shared;
    n.max_sum = (uint32_t)(a->total + b->total) - n.min_sum;
    return n;
}

static bool similar(struct numbers n, const struct setting *s)
{
    const struct dedup_options *o = s->options;

    return ratio_reached(o->threshold, n.shared, n.whole) &&
        (!o->multiset_threshold.den || ratio_reached(o->multiset_threshold, n.min_sum, n.max_sum));
}

static const struct setting *order_setting;

static uint64_t criterion(const struct made *m, enum dedup_keep keep)
{
    const struct dedup_task *dedup = dedup_task(&order_setting->config);
    uint64_t                   place = 0;

    switch (keep) {
    case KEEP_DATASET:
        while (dedup->member[place] != (uint32_t)m->dataset) place++;
        return place * 2 + (uint64_t)m->split;
    case KEEP_LONGEST: return LONGEST * 5 - strlen(m->text);
    case KEEP_STARS:   return m->stars < 0 ? UINT64_MAX : 1000 - (uint64_t)m->stars;
    case KEEP_NEWEST:
        return m->day < 0 ? UINT64_MAX : DAYS - (uint64_t)(m->day / 1000 * 100 + m->day % 3 * 10 + m->day % 1000);
    case KEEP_PATH:    return m->path < 0 ? UINT64_MAX : (uint64_t)m->path;
    case KEEP_CRITERIA: break;
    }
    return 0;
}

static int by_preference(const void *a, const void *b)
{
    const struct made *x = &document[*(const int *)a], *y = &document[*(const int *)b];
    const bool        *protect = dedup_task(&order_setting->config)->protect;

    if (protect[x->dataset] != protect[y->dataset]) return protect[x->dataset] ? -1 : 1;
    for (size_t k = 0; k < order_setting->options->keep_count; k++) {
        uint64_t left = criterion(x, order_setting->options->keep[k]),
            right = criterion(y, order_setting->options->keep[k]);

        if (left != right) return left < right ? -1 : 1;
    }
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x < y ? -1 : 1;
}

static int  order[MOST], rank[MOST];                        /* documents by preference; place of each in it */
static int  class_of[MOST];                                 /* its most preferred member */
static bool linked[MOST][MOST];                             /* as the run found, between the classes' best */
static int  canonical[MOST];

static void make_classes(const struct setting *s)
{
    for (int i = 0; i < document_count; i++) make_features(&document[i], s), order[i] = i;
    order_setting = s;
    qsort(order, (size_t)document_count, sizeof *order, by_preference);
    for (int i = 0; i < document_count; i++) {
        rank[order[i]] = i;
        class_of[order[i]] = order[i];
        for (int j = i - 1; j >= 0; j--)
            if (same_class(&document[order[i]], &document[order[j]], s)) class_of[order[i]] = order[j];
    }
}

static void spread(int from, int best)
{
    canonical[from] = best;
    for (int i = 0; i < document_count; i++)
        if (canonical[i] < 0 && linked[from][i]) spread(i, best);
}

/* canonical[] of every document from the links found. */
static void make_clusters(const struct setting *s)
{
    for (int i = 0; i < document_count; i++) canonical[i] = -1;
    for (int i = 0; i < document_count; i++) {
        int me = order[i];

        if (class_of[me] != me) canonical[me] = canonical[class_of[me]];
        else if (s->options->cluster == DEDUP_COMPONENT) {
            if (canonical[me] < 0) spread(me, me);
        } else {
            canonical[me] = me;
            if (dedup_task(&s->config)->protect[document[me].dataset]) continue;
            for (int j = i - 1; j >= 0; j--)
                if (linked[me][order[j]] && canonical[order[j]] == order[j]) canonical[me] = order[j];
        }
    }
}

/* ---- one run against it ---- */

static struct { double expected, variance; uint64_t found, pairs; } lsh;    /* over all runs */

static int made_of(const struct dedup_result *result, uint64_t ordinal)
{
    for (int i = 0; i < document_count; i++)
        if (result->catalogue.dataset_first[document[i].dataset] + (uint64_t)document[i].number == ordinal) return i;
    fail_msg("document %llu was never made", (unsigned long long)ordinal);
    return -1;
}

/* A link is true, and its numbers are right. */
static void check_link(const struct dedup_link *link, int a, int b, const struct setting *s)
{
    struct numbers      n = compare(&document[a], &document[b]);
    const struct ratio  inside = s->options->containment;
    bool                a_worse = rank[a] > rank[b];
    uint64_t            worse_distinct = document[a_worse ? a : b].distinct;
    uint32_t            worse_inside = a_worse ? DEDUP_FIRST_INSIDE : DEDUP_SECOND_INSIDE;
    bool                contained = inside.den && ratio_reached(inside, n.shared, worse_distinct);

    assert_true(link->first < link->second);
    assert_int_equal(class_of[a], a);
    assert_int_equal(class_of[b], b);
    assert_int_equal(link->shared, n.shared);
    assert_int_equal(link->union_size, n.whole);
    assert_int_equal(link->min_sum, n.min_sum);
    assert_int_equal(link->max_sum, n.max_sum);
    assert_true(similar(n, s) || contained);
    assert_int_equal(!!(link->marks & DEDUP_SIMILAR), similar(n, s));
    assert_int_equal(!!(link->marks & worse_inside), contained);
    assert_false(linked[a][b]);
    linked[a][b] = linked[b][a] = true;
}

/* Whether it shares little with the documents that were counted.  Of documents that are made of each other the
 * signatures are nearly one draw: if one pair of two such families is missed, dozens are, and chance cannot be told
 * from a fault. */
static bool is_apart(const struct made *a, const int *counted, int count)
{
    for (int k = 0; k < count; k++) {
        struct numbers n = compare(a, &document[counted[k]]);

        if (5 * n.shared > n.whole) return false;
    }
    return true;
}

/* What the method promises to find, it found.  Containment promises nothing: it is decided where documents meet. */
static void check_complete(const struct setting *s, const struct dedup_stats *stats)
{
    const struct dedup_options *o = s->options;
    int                         counted[MOST], counted_count = 0;

    if (stats->hot_buckets) return;
    for (int i = 0; i < document_count; i++) {
        for (int j = i + 1; j < document_count; j++) {
            const struct made *a = &document[i], *b = &document[j];
            struct numbers     n = compare(a, b);
            bool               alike;

            if (class_of[i] != i || class_of[j] != j || !admitted(a, s) || !admitted(b, s)) continue;
            alike = similar(n, s);
            if (o->method == DEDUP_EXACT) {
                if (alike && !linked[i][j])
                    fail_msg("documents %d and %d share %u of %u features and were not found\n%s", i, j, n.shared,
                             n.whole, s->yaml);
            } else if (alike && is_apart(a, counted, counted_count) && is_apart(b, counted, counted_count)) {
                double p = curve_candidate((double)n.shared / n.whole, o->bands, o->rows);

                lsh.expected += p;
                lsh.variance += p * (1 - p);
                lsh.found += linked[i][j];
                lsh.pairs++;
                counted[counted_count++] = i;
                counted[counted_count++] = j;
            }
        }
    }
}

static void check_result(const struct dedup_result *result, const struct setting *s, const struct dedup_stats *stats)
{
    uint64_t            size[MOST] = { 0 }, removed = 0, clusters = 0, classes = 0, good = 0, largest = 0, last = 0;
    uint32_t            at = 0;
    struct runs_reader *links;
    const void         *record;
    struct err          err = { 0 };
    int                 more;

    make_classes(s);
    memset(linked, 0, sizeof linked);
    assert_int_equal(runs_read(result->links, &links, &err), 0);
    while ((more = runs_next(links, &record, &err)) == 1) {  /* many, and little memory: they are in a file */
        const struct dedup_link *link = record;

        assert_true(last <= link->first);
        last = link->first;
        check_link(link, made_of(result, link->first), made_of(result, link->second), s);
    }
    assert_int_equal(more, 0);
    runs_reader_close(links);
    check_complete(s, stats);
    make_clusters(s);
    for (int i = 0; i < document_count; i++) size[canonical[i]]++;
    for (int i = 0; i < document_count; i++) {              /* made in the order of ordinals */
        bool gone = canonical[i] != i && !dedup_task(&s->config)->protect[document[i].dataset], alone = true;

        removed += gone;
        clusters += size[i] > 1;
        classes += class_of[i] == i;
        good += admitted(&document[i], s);
        if (size[i] > largest) largest = size[i];
        for (int j = 0; j < document_count; j++)
            if ((j != i && class_of[j] == class_of[i]) || linked[class_of[i]][j]) alone = false;
        if (alone) {
            assert_int_equal(canonical[i], i);
            continue;
        }
        assert_true(at < result->listed.count);

        const struct graph_fate *fate = &result->fate[at];
        const uint64_t           ordinal = ranked_at(&result->listed, at),
            representative = ranked_at(&result->listed, result->representative[at]),
            kept = ranked_at(&result->listed, fate->canonical);
        const struct dedup_look  look = dedup_look(result, ordinal);

        at++;
        if (made_of(result, ordinal) != i || made_of(result, representative) != class_of[i] ||
            made_of(result, kept) != canonical[i] || fate->size != size[canonical[i]] || fate->kept == gone)
            fail_msg("document %d, class %d, canonical %d, size %llu, removed %d is reported as %d, %d, %d, %u, %u", i,
                     class_of[i], canonical[i],
                     (unsigned long long)size[canonical[i]], gone, made_of(result, ordinal),
                         made_of(result, representative), made_of(result, kept), fate->size, !fate->kept);
        assert_int_equal(s->shards.at[result->catalogue.unit[look.unit].shard].dataset, document[i].dataset);
        assert_true(look.row->distinct == document[i].distinct && fate->distinct == document[i].distinct);
        assert_true(look.row->total == document[i].total && fate->features == document[i].total);
    }
    assert_int_equal(at, result->listed.count);
    assert_int_equal(stats->documents, document_count);
    assert_int_equal(stats->admitted, good);
    assert_int_equal(stats->classes, classes);
    assert_int_equal(stats->copies, (uint64_t)document_count - classes);
    assert_int_equal(stats->removed, removed);
    assert_int_equal(stats->clusters, clusters);
    assert_int_equal(stats->largest_cluster, largest > 1 ? largest : 0);
    assert_true(stats->sample_found <= stats->sample_pairs && stats->mutants_found <= stats->mutants);
    if (s->options->method == DEDUP_EXACT && !s->options->containment.den && !stats->hot_buckets)
        assert_int_equal(stats->sample_found, stats->sample_pairs);
}

static void run_and_check(const char *dir, int method)
{
    struct setting      s;
    struct run          run;
    struct dedup_task  *task;
    struct dedup_job    job;
    struct dedup_result result;
    struct comm        *comm = NULL;
    struct stage       *stage = NULL;
    struct err          err = { 0 };
    char                out[300];

    snprintf(out, sizeof out, "%s/out", dir);
    draw_setting(&s, dir, method);
    if (comm_open(&comm, &err) < 0 || stage_open(&stage, out, true, &err) < 0 || stage_clear(stage, &err) < 0)
        fail_msg("%s", err.text);
    task = dedup_task(&s.config);
    run = (struct run){ .comm = comm, .stage = stage, .version = "test", .output = out, .datasets = s.config.datasets,
                        .dataset_count = s.config.dataset_count, .shards = &s.shards, .threads = 1 + draw(2),
                        .memory = one_in(2) ? 1 : 1u << 30 };
    job = (struct dedup_job){ .run = &run, .member = task->member, .member_count = task->member_count,
                              .protect = task->protect, .options = s.options };
    if (dedup_run(&job, &err) < 0 || dedup_result_read(&job, &result, &err) < 0) fail_msg("%s\n%s", err.text, s.yaml);
    check_result(&result, &s, &job.stats);
    dedup_result_free(&result);
    stage_close(stage);
    comm_close(comm);
    setting_free(&s);
}

static char directory[] = "/tmp/leakgraph-dedup-XXXXXX";

static void dedup_equals_brute_force(void **unused)
{
    (void)unused;
    for (int round = 0; round < 40; round++) {
        make_documents();
        write_shards(directory);
        for (int method = DEDUP_AUTO; method <= DEDUP_EXACT; method++) run_and_check(directory, method);
    }
}

/* Over all runs before: one pair of each family of documents; the family of hashes is not perfectly min-wise, hence the
 * share of the pairs that is allowed. */
static void lsh_finds_what_its_curve_says(void **unused)
{
    (void)unused;
    print_message("lsh and auto: %llu of %llu pairs, at least %.1f expected\n", (unsigned long long)lsh.found,
                  (unsigned long long)lsh.pairs, lsh.expected);
    assert_true(lsh.pairs > 100);
    assert_true((double)lsh.found >= lsh.expected - 0.005 * (double)lsh.pairs - 4 * sqrt(lsh.variance));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(dedup_equals_brute_force),
                                        cmocka_unit_test(lsh_finds_what_its_curve_says) };
    const char *seed = getenv("SEED");
    char        command[128];
    int         failed;

    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed=%llu\n", (unsigned long long)state);
    if (!mkdtemp(directory)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command) == 0 ? failed : 1;
}
