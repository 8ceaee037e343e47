/* tests/property/test_ngrams.c -- the overlap of n-grams, from shards to rows and rules, against brute force.
 *
 * Random items and documents over few words, some of them in capitals, cut from each other, with random bytes between
 * words.  Every number of every row must be that of the program that compares words one by one and knows nothing of
 * hashes; rows in lower case are those of the same documents in lower case. */
#include "config/config.h"
#include "ngram/task.h"
#include "pass_harness.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* CAPITALS: + a word, in capitals */
enum {
    CAPITALS = 1000, BENCHMARKS = 2, DATASETS = 4, MOST_DOCUMENTS = 14, MOST_WORDS = 70, MOST_TEXT = 20 * MOST_WORDS
};

struct made {
    int dataset, record, words;
    short word[MOST_WORDS], gap[MOST_WORDS], at[MOST_WORDS];
    char text[MOST_TEXT];
};

static uint64_t    state;
static struct made made[DATASETS * MOST_DOCUMENTS];
static int         made_count;
static bool        in_lower_case;                           /* rows are those beside those as written */
static char        directory[] = "/tmp/leakgraph-ngrams-XXXXXX";

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

/* ---- shards ---- */

static void document_print(struct made *d)
{
    static const char *const gaps[] = { " ", "\n", ", ", "  ", "(" };
    size_t                   at = 0;

    d->text[0] = 0;
    for (int w = 0; w < d->words; w++) {
        at += (size_t)snprintf(d->text + at, MOST_TEXT - at, "%s", w ? gaps[d->gap[w]] : "");
        d->at[w] = (short)at;
        at += (size_t)snprintf(d->text + at, MOST_TEXT - at, "%s%d", d->word[w] % 2 ? "longer_word_" : "w",
                               d->word[w] % CAPITALS);
        for (size_t i = (size_t)d->at[w]; i < at && d->word[w] >= CAPITALS; i++)
            d->text[i] = (char)toupper((unsigned char)d->text[i]);
    }
    assert_true(at < MOST_TEXT);
}

/* Puts some words of some documents in capitals, of all of them or of one in ten. */
static void letters_make(void)
{
    for (struct made *d = made; d < made + made_count; d++) {
        const unsigned one_in = draw(3) ? 0 : draw(2) ? 1 : 10;

        for (int w = 0; w < d->words && one_in; w++)
            if (draw(one_in) == 0) d->word[w] = (short)(d->word[w] % CAPITALS + CAPITALS);
        document_print(d);
    }
}

/* All documents in lower case, which every word is then as it was. */
static void letters_fold(void)
{
    for (struct made *d = made; d < made + made_count; d++) {
        for (int w = 0; w < d->words; w++) d->word[w] %= CAPITALS;
        document_print(d);
    }
}

static void documents_make(void)
{
    unsigned vocabulary = 3 + draw(30);

    made_count = 0;
    for (int dataset = 0; dataset < DATASETS; dataset++) {
        for (int record = 0, count = 2 + (int)draw(MOST_DOCUMENTS - 2); record < count; record++) {
            struct made *d = &made[made_count++];

            *d = (struct made){ .dataset = dataset, .record = record };
            while (d->words < MOST_WORDS && draw(8)) {
                const struct made *from = &made[draw((unsigned)made_count)];

                if (draw(3) && from->words) {               /* a piece of another, or of itself */
                    int start = (int)draw((unsigned)from->words),
                        end = start + 1 + (int)draw((unsigned)(from->words - start));

                    for (; start < end && d->words < MOST_WORDS; start++, d->words++) {
                        d->word[d->words] = from->word[start];
                        d->gap[d->words] = draw(60) ? from->gap[start] : (short)draw(5);
                    }
                } else for (unsigned n = 1 + draw(6); n && d->words < MOST_WORDS; n--, d->words++) {
                    d->word[d->words] = (short)draw(vocabulary);
                    d->gap[d->words] = (short)draw(5);
                }
            }
            document_print(d);
        }
    }
}

static void words_copy(struct made *to, const struct made *from, int start, int end)
{
    for (; start < end && to->words < MOST_WORDS; start++, to->words++) {
        to->word[to->words] = from->word[start];
        to->gap[to->words] = from->gap[start];
    }
}

/* What many items share: every document is made of a few long stretches, whole or cut, often the same one again and
 * again, with a word or two of its own between; some are others again. */
static void boilerplate_make(void)
{
    struct made stretch[3] = { 0 };

    for (int s = 0; s < 3; s++) {
        stretch[s].words = 10 + (int)draw(25);
        for (int w = 0; w < stretch[s].words; w++) {
            stretch[s].word[w] = (short)(draw(5) ? 100 * s + w : (int)draw(3));
            stretch[s].gap[w] = (short)draw(5);
        }
    }
    made_count = 0;
    for (int dataset = 0; dataset < DATASETS; dataset++) {
        for (int record = 0; record < MOST_DOCUMENTS; record++) {
            struct made *d = &made[made_count++];

            *d = (struct made){ .dataset = dataset, .record = record };
            if (made_count > 1 && !draw(6)) {
                const struct made *from = &made[draw((unsigned)made_count - 1)];

                words_copy(d, from, 0, from->words);
            }
            while (d->words < MOST_WORDS && draw(6)) {
                const struct made *from = &stretch[draw(3)];
                int                start = draw(2) ? 0 : (int)draw((unsigned)from->words);
                int                end = draw(2) ? from->words : start + (int)draw((unsigned)(from->words - start));

                for (unsigned times = 1 + draw(3) / 2; times; times--) words_copy(d, from, start, end);
                if (draw(3) && d->words < MOST_WORDS) {
                    d->word[d->words] = (short)(500 + draw(4));
                    d->gap[d->words++] = (short)draw(5);
                }
            }
            document_print(d);
        }
    }
}

static void shards_write(void)
{
    for (int dataset = 0; dataset < DATASETS; dataset++) {
        char  path[256];
        FILE *file;

        snprintf(path, sizeof path, "%s/d%d.jsonl", directory, dataset);
        file = fopen(path, "w");
        assert_non_null(file);
        for (int i = 0; i < made_count; i++) {
            if (made[i].dataset != dataset) continue;
            fprintf(file, "{\"text\": \"");
            for (const char *at = made[i].text; *at; at++) fprintf(file, *at == '\n' ? "\\n" : "%c", *at);
            fprintf(file, "\"}\n");
        }
        assert_int_equal(fclose(file), 0);
    }
}

/* ---- the obvious program ---- */

static bool same_words(const struct made *a, int at, const struct made *b, int bt, int length)
{
    return memcmp(a->word + at, b->word + bt, (size_t)length * sizeof *a->word) == 0;
}

static bool has(const struct made *d, const struct made *item, int at, int length)
{
    for (int i = 0; i + length <= d->words; i++)
        if (same_words(d, i, item, at, length)) return true;
    return false;
}

static int lcs(const struct made *a, const struct made *b)
{
    static int cell[MOST_WORDS + 1][MOST_WORDS + 1];

    for (int i = 0; i <= a->words; i++)
        for (int j = 0; j <= b->words; j++)
            cell[i][j] = !i || !j ? 0 : a->word[i - 1] == b->word[j - 1] ? cell[i - 1][j - 1] + 1
                : cell[i - 1][j] > cell[i][j - 1] ? cell[i - 1][j] : cell[i][j - 1];
    return cell[a->words][b->words];
}

static int covered(const struct made *item, int length, const bool *found)
{
    int sum = 0;

    for (int w = 0; w < item->words; w++) {
        bool in = false;

        for (int i = w - length + 1 < 0 ? 0 : w - length + 1; i <= w && i + length <= item->words; i++) in |= found[i];
        sum += in;
    }
    return sum;
}

/* What is asked of one document: its longest run, words covered, whether the text is in it. */
static void check_documents(const struct ngram_row *row, const struct made *item, int length)
{
    const struct made *best = NULL;
    int                run = 0, run_at = 0, once = 0, documents = 0;
    bool               exact = false, near = false;         /* near: any document that shares an n-gram */

    for (const struct made *d = made; d < made + made_count; d++) {
        bool found[MOST_WORDS] = { false }, any = false;
        int  here = 0;

        if (d->dataset != (int)row->corpus) continue;
        exact |= item->words >= 3 && strstr(d->text, item->text);
        for (int i = 0; length && i + length <= item->words; i++) any |= found[i] = has(d, item, i, length);
        documents += any;
        if (any) near |= 5 * lcs(item, d) >= 3 * (item->words < d->words ? item->words : d->words);
        if (length && covered(item, length, found) > once) once = covered(item, length, found);
        for (int i = 0; length && i + length <= d->words; i++) {
            here = has(item, d, i, length) ? here + 1 : 0;
            if (here <= run) continue;
            run = here;
            run_at = i - here + 1;
            best = d;
        }
    }
    assert_int_equal(row->documents, documents);
    assert_int_equal(row->covered_once, once);
    assert_int_equal(row->longest_run, run);
    assert_int_equal(row->exact, item->words < 3 ? -1 : exact);
    if (in_lower_case) {
        assert_int_equal(row->lcs_of, 0);
        assert_int_equal(row->near, NGRAM_FAR);
        best = NULL;
        near = false;
    }
    if (best) {
        assert_int_equal(row->run_record, best->record);
        assert_int_equal(row->run_at, run_at);
    }
    if (best && row->n == 13) {
        assert_int_equal(row->lcs, lcs(item, best));
        assert_int_equal(row->lcs_of, item->words < best->words ? item->words : best->words);
    } else assert_int_equal(row->lcs_of, 0);
    if (row->n == 13) assert_int_equal(row->near, near ? NGRAM_NEAR : NGRAM_FAR);
}

static bool same_before(const struct made *item, int at, int length)
{
    for (int i = 0; i < at; i++)
        if (same_words(item, i, item, at, length)) return true;
    return false;
}

/* decon: of the item's different 5-grams, by their frequency among items, what one document has. */
static double decon(const struct ngram_row *row, const struct made *item)
{
    double all = 0, most = 0, weight[MOST_WORDS] = { 0 };

    if (row->n != 5 || item->words < 5) return -1;
    for (int i = 0; i + 5 <= item->words; i++) {
        int items = 0, having = 0;

        if (same_before(item, i, 5)) continue;
        for (const struct made *d = made; d < made + made_count; d++) {
            if (d->dataset >= BENCHMARKS || d->words < 5) continue;
            items++;
            having += has(d, item, i, 5);
        }
        all += weight[i] = log((double)items / having);
    }
    for (const struct made *d = made; d < made + made_count; d++) {
        double sum = 0;

        if (d->dataset != (int)row->corpus) continue;
        for (int i = 0; i + 5 <= item->words; i++)
            if (has(d, item, i, 5)) sum += weight[i];
        if (sum > most) most = sum;
    }
    return all > 0 ? most / all : -1;
}

static void check_row(const struct ngram_row *row, const struct made *item, const struct ngram_options *o)
{
    int    length = item->words < (int)row->n ? item->words : (int)row->n, ngrams = length ? item->words - length + 1
        : 0;
    int    distinct = 0, found_distinct = 0, count_found = 0, count_rare = 0, documents = 0;
    bool   found[MOST_WORDS] = { false }, rare[MOST_WORDS] = { false };
    double weight_found = 0, weight = 0;
    uint64_t occurrences = 0, most = 0;

    for (const struct made *d = made; d < made + made_count; d++) documents += d->dataset == (int)row->corpus;
    for (int i = 0; i < ngrams; i++) {
        uint64_t df = 0, times = 0;
        bool     first = true;
        double   one;

        for (int j = 0; j < i; j++) first &= !same_words(item, i, item, j, length);
        for (const struct made *d = made; d < made + made_count; d++) {
            if (d->dataset != (int)row->corpus) continue;
            df += has(d, item, i, length);
            for (int j = 0; j + length <= d->words; j++) times += same_words(d, j, item, i, length);
        }
        found[i] = df > 0;
        rare[i] = df > 0 && (!o->max_df || df <= o->max_df);
        count_found += found[i], count_rare += rare[i], distinct += first, found_distinct += first && found[i];
        occurrences += !first ? 0 : times < o->cap ? times : o->cap;
        if (df > most) most = df;
        one = log((1.0 + documents) / (1.0 + (double)df));
        weight += one;
        weight_found += found[i] ? one : 0;
    }
    assert_int_equal(row->words, item->words);
    assert_int_equal(row->is_short, item->words < (int)row->n);
    assert_int_equal(row->ngrams, ngrams);
    assert_int_equal(row->distinct, distinct);
    assert_int_equal(row->found_distinct, found_distinct);
    assert_int_equal(row->found, count_found);
    assert_int_equal(row->rare, count_rare);
    assert_int_equal(row->covered, ngrams ? covered(item, length, found) : 0);
    assert_int_equal(row->covered_rare, ngrams ? covered(item, length, rare) : 0);
    assert_int_equal(row->occurrences, occurrences);
    assert_int_equal(row->max_frequency, most);
    if (weight > 0) assert_true(fabs(row->idf_share - weight_found / weight) < 1e-9);
    else assert_true(row->idf_share < 0);
    /* its rule is of texts in lower case, where both cases are told */
    assert_true(fabs(row->decon_share - (o->letters == NGRAM_SOURCE && !in_lower_case ? -1 : decon(row, item))) < 1e-9);
    check_documents(row, item, length);
}

/* Windows around the n-grams of the smallest n, each at its first place in the item: a document's bytes are compared
 * once.  Never more than there are. */
static void check_windows(const struct ngram_row *row, const struct made *item)
{
    int      len = (int)strlen(item->text), length = item->words < (int)row->n ? item->words : (int)row->n;
    uint32_t there = 0, found = 0, all = len < NGRAM_WINDOW ? 0 : (uint32_t)(len - NGRAM_WINDOW + 1);
    bool     in[MOST_TEXT] = { false };

    for (const struct made *d = made; d < made + made_count; d++) {
        for (int i = 0, until = 0; d->dataset == (int)row->corpus && length && i + length <= d->words; i++) {
            int first = 0, from, to, start;

            while (first + length <= item->words && !same_words(d, i, item, first, length)) first++;
            if (first + length > item->words || d->at[i] < until) continue;
            for (from = item->at[first], start = d->at[i]; from && start &&
                 item->text[from - 1] == d->text[start - 1]; )
                from--, start--;
            for (to = item->at[first], until = d->at[i]; item->text[to] && item->text[to] == d->text[until]; )
                to++, until++;
            for (int w = from; w + NGRAM_WINDOW <= to; w++) in[w] = true;
        }
    }
    for (uint32_t i = 0; i < all; i++) {
        bool anywhere = false;

        for (const struct made *d = made; d < made + made_count; d++)
            anywhere |= d->dataset == (int)row->corpus &&
                memmem(d->text, strlen(d->text), item->text + i, NGRAM_WINDOW);
        there += anywhere;
        found += in[i];
    }
    assert_int_equal(row->windows, all);
    assert_int_equal(row->windows_found, found);
    assert_true(found <= there);
}

static void check_rules(const struct ngram_row *row, size_t sizes, const struct ngram_options *o)
{
    struct ngram_rules rules = ngram_rules_of(row, row, sizes, o);

    assert_int_equal(rules.exact_substring, row->exact);
    assert_int_equal(rules.windows50, !row->windows ? -1 : row->windows_found >= 0.8 * row->windows);
    for (size_t i = 0; i < sizes; i++) {
        const uint32_t found = o->max_df ? row[i].rare : row[i].found;
        const bool     silent = row[i].words < row[i].n && !o->whole;

        if (row[i].n == 13) {
            assert_int_equal(rules.gpt3_13gram, silent ? -1 : found > 0);
            assert_int_equal(rules.qwen_lcs, silent ? -1 : found && row[i].near == NGRAM_NEAR);
        }
        if (row[i].n != 8) continue;
        assert_int_equal(rules.palm_8gram, silent ? -1 : found && 10 * found >= 7 * row[i].ngrams);
        assert_int_equal(rules.tulu3_8gram, silent ? -1 : 2 * row[i].covered_once > row[i].words);
    }
}

/* ---- both together ---- */

/* Removes about half of the scan's units: what is made again, by other threads, must fit what the others have left out.
 */
static void units_lose(const char *out)
{
    char           work[320], path[600];
    struct dirent *entry;
    DIR           *folder;

    snprintf(work, sizeof work, "%s/work", out);
    folder = opendir(work);
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        if (strncmp(entry->d_name, "overlaps-", 9) != 0 || draw(2)) continue;
        snprintf(path, sizeof path, "%s/%s", work, entry->d_name);
        assert_int_equal(remove(path), 0);
    }
    closedir(folder);
}

static void folded_check(const struct ngram_result *result, const struct ngram_options *o)
{
    static struct made written[DATASETS * MOST_DOCUMENTS];
    size_t             at = 0;

    memcpy(written, made, sizeof written);
    letters_fold();
    in_lower_case = true;
    for (int i = 0; i < made_count && made[i].dataset < BENCHMARKS; i++)
        for (uint32_t corpus = BENCHMARKS; corpus < DATASETS; corpus++)
            for (size_t s = 0; s < o->sizes; s++, at++) {
                assert_true(result->folded[at].corpus == corpus && result->folded[at].n == o->n[s]);
                check_row(&result->folded[at], &made[i], o);
            }
    in_lower_case = false;
    memcpy(made, written, sizeof made);
}

static void run_and_check(const char *settings, int threads, uint64_t unit_bytes)
{
    struct config       config;
    struct shard_list   shards = { 0 };
    struct comm        *comm = NULL;
    struct stage       *stage = NULL;
    struct run          run;
    const struct ngram_options *options;
    struct ngram_result result;
    struct err          err = { 0 };
    size_t              at = 0, sizes;
    char                yaml[1024], out[300];

    snprintf(out, sizeof out, "%s/out", directory);
    snprintf(yaml, sizeof yaml,
             "datasets:\n"
             "  - {name: d0, role: benchmark, files: [%s/d0.jsonl]}\n"
             "  - {name: d1, role: benchmark, files: [%s/d1.jsonl]}\n"
             "  - {name: d2, role: corpus, files: [%s/d2.jsonl]}\n"
             "  - {name: d3, role: corpus, self_join: exact, files: [%s/d3.jsonl]}\n"
             "near_duplicates: {}\n"
             "ngrams: {%s}\n", directory, directory, directory, directory, settings);
    if (config_parse(&config, "test", yaml, strlen(yaml), ".", NULL, 0, &err) < 0 ||
        shard_list_open(&shards, config.datasets, config.dataset_count, ".", &err) < 0 || comm_open(&comm, &err) < 0 ||
        stage_open(&stage, out, true, &err) < 0 || stage_clear(stage, &err) < 0) fail_msg("%s", err.text);
    options = &ngram_task(&config)->options;
    run = (struct run){ .comm = comm, .stage = stage, .version = "test", .datasets = config.datasets,
                        .dataset_count = config.dataset_count, .shards = &shards, .threads = threads };
    for (int pass = 0; pass < (unit_bytes ? 2 : 1); pass++) {
        if (pass) units_lose(out);
        run.threads = pass ? 2 : threads;
        if (harness_pass(&config, &run, unit_bytes, &err) < 0) fail_msg("%s", err.text);
    }
    if (ngram_result_read(&ngram_task(&config)->job, &result, &err) < 0) fail_msg("%s", err.text);

    sizes = options->sizes;
    for (int i = 0; i < made_count && made[i].dataset < BENCHMARKS; i++) {
        for (uint32_t corpus = BENCHMARKS; corpus < DATASETS; corpus++, at += sizes) {
            assert_true(at + sizes <= result.count);
            for (size_t s = 0; s < sizes; s++) {
                assert_int_equal(result.row[at + s].shard, made[i].dataset);
                assert_int_equal(result.row[at + s].record, made[i].record);
                assert_int_equal(result.row[at + s].corpus, corpus);
                assert_int_equal(result.row[at + s].n, options->n[s]);
                check_row(&result.row[at + s], &made[i], options);
            }
            check_windows(&result.row[at], &made[i]);
            check_rules(&result.row[at], sizes, options);
        }
    }
    assert_int_equal(at, result.count);
    assert_int_equal(result.folded != NULL, options->letters == NGRAM_SOURCE);
    if (result.folded) folded_check(&result, options);
    ngram_result_free(&result);
    stage_close(stage);
    comm_close(comm);
    shard_list_free(&shards);
    config_free(&config);
}

static const char *const settings[] = { "n: [8, 13]", "n: [1, 3, 5], cap: 2", "n: 2, max_df: 2",
                                        "n: [4, 8, 13], max_df: 1, cap: 1", "n: [13, 100]" };

/* As written, alone or beside the same in lower case. */
static void settings_check(const char *of)
{
    char text[128];

    snprintf(text, sizeof text, "%s, case: %s", of, draw(2) ? "keep" : "source");
    run_and_check(text, 1 + (int)draw(2), draw(2) ? 0 : 600);
}

static void overlap_equals_brute_force(void **unused)
{
    (void)unused;
    for (int round = 0, rounds = getenv("LONG") && *getenv("LONG") ? 100 : 4; round < rounds; round++) {
        documents_make();
        letters_make();
        shards_write();
        for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++)
            settings_check(settings[s]);
    }
}

static void boilerplate_equals_brute_force(void **unused)
{
    (void)unused;
    for (int round = 0, rounds = getenv("LONG") && *getenv("LONG") ? 100 : 3; round < rounds; round++) {
        boilerplate_make();
        letters_make();
        shards_write();
        for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++)
            settings_check(settings[s]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(overlap_equals_brute_force),
                                        cmocka_unit_test(boilerplate_equals_brute_force) };
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
