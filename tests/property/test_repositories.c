/* tests/property/test_repositories.c -- membership of repositories, from shards to rows, against brute force.
 *
 * Random files of random repositories, copied into corpora as they are, with other white space, with words changed,
 * under their own name (in any spelling, also an old one), another or none.  The test knows which repository it wrote
 * and which words, and compares all with all. */
#include "config/config.h"
#include "repository/result.h"
#include "near/task.h"
#include "pass_harness.h"
#include "repository/task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BENCHMARKS = 2, DATASETS = 5, REPOS = 8, MOST_DOCUMENTS = 24, MOST_WORDS = 24, MOST_TEXT = 512, MIN_TOKENS = 5 };

struct made {
    int dataset, repo, spelling, words;
    short word[MOST_WORDS], gap[MOST_WORDS];
    bool java;
    char text[MOST_TEXT];
};

/* Of a repository of a benchmark in a corpus, by brute force. */
/* [REPOS]: no repository */
struct truth { uint64_t documents, files, exact, near, elsewhere, copy_exact[REPOS + 1], copy_near[REPOS + 1]; };

struct chosen { bool near, first_only; uint32_t share, top; };           /* share in tenths */

static uint64_t    state;
static struct made made[DATASETS * MOST_DOCUMENTS];
static int         made_count;
static char        directory[] = "/tmp/leakgraph-repositories-XXXXXX";

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

/* ---- names ---- */

/* Some share an owner, or begin as another one does. */
static const char *const repo_names[REPOS] = { "own/a", "own/a-b", "own/a.b", "own/ab", "other/a", "own-x/a", "single",
                                               "o/w/n" };

/* One of the ways to write it: field or path, case, address, old name.  `single` and `o/w/n` have no two folders. */
static void record_print(FILE *file, const struct made *d)
{
    static const char *const spellings[][2] = {             /* before and after the name */
        { "", "" }, { "  ", " " }, { "/", "/" }, { "", ".git" }, { "https://host.org/", "" },
        { "HTTP://user:x@HOST.org:80/", ".git/" },
        { "git@host.org:", ".git" }, { "ssh://git@host/", "/" },
    };
    enum { WAYS = sizeof spellings / sizeof spellings[0], OLD = WAYS, OLDER, BY_PATH, ALL };
    char name[64] = "", repo[160] = "", path[160] = "src/a.py";
    int  way = d->spelling % ALL;

    if (d->repo >= 0) {
        if (way == BY_PATH && d->repo >= 6) way = 0;
        snprintf(name, sizeof name, "%s%s", way == OLD ? "old/" : way == OLDER ? "older/" : "", repo_names[d->repo]);
        for (char *at = name; *at && d->spelling / ALL % 2; at++) *at = (char)toupper((unsigned char)*at);
        if (way == BY_PATH) snprintf(path, sizeof path, "%s%s/src/a.py", d->spelling / ALL / 2 % 2 ? "./" : "", name);
        else
            snprintf(repo, sizeof repo, "%s%s%s", way < WAYS ? spellings[way][0] : "", name, way < WAYS
                     ? spellings[way][1] : "");
    }
    fprintf(file, "{");
    if (*repo || d->spelling % 2) fprintf(file, "\"repo\": \"%s\", ", repo);
    fprintf(file, "\"path\": \"%s\", \"language\": \"%s\", \"text\": \"", path, d->java ? "java" : "python");
    for (const char *at = d->text; *at; at++) fprintf(file, *at == '\n' ? "\\n" : *at == '\t' ? "\\t" : "%c", *at);
    fprintf(file, "\"}\n");
}

/* ---- shards ---- */

static void text_print(struct made *d)
{
    static const char *const gaps[] = { "", "\n", " ", "\n\t" };
    size_t                   at = (size_t)snprintf(d->text, MOST_TEXT, "%s", d->words ? "" : " \n");

    for (int w = 0; w < d->words; w++)
        at += (size_t)snprintf(d->text + at, MOST_TEXT - at, "w%d;%s", d->word[w], gaps[d->gap[w]]);
    assert_true(at < MOST_TEXT);
}

static void document_make(struct made *d, int dataset)
{
    const struct made *from = made_count ? &made[draw((unsigned)made_count)] : NULL;

    *d = (struct made){ .dataset = dataset, .repo = (int)draw(REPOS + 2) - 2, .spelling = (int)draw(1000),
                        .java = draw(8) == 0 };
    if (from && draw(4)) {                                  /* a copy */
        struct made own = *d;

        *d = *from;
        d->dataset = dataset;
        d->spelling = own.spelling;
        if (draw(2)) d->repo = own.repo;
        if (draw(6) == 0) d->java = own.java;
        if (draw(2)) for (int w = 0; w < d->words; w++) d->gap[w] = (short)draw(4);
        for (unsigned changes = draw(2) ? 0 : draw(5); changes && d->words; changes--)
            d->word[draw((unsigned)d->words)] = (short)draw(60);
        if (d->words && draw(6) == 0) d->words -= 1 + (int)draw((unsigned)d->words);
    } else if (draw(10))
        for (d->words = 1 + (int)draw(MOST_WORDS); d->word[d->words - 1] == 0; d->word[d->words - 1] = 1)
        for (int w = 0; w < d->words; w++) d->word[w] = (short)(1 + draw(60)), d->gap[w] = (short)draw(4);
    text_print(d);
}

static void shards_write(void)
{
    char  path[256];
    FILE *file;

    for (int dataset = 0; dataset < DATASETS; dataset++) {
        snprintf(path, sizeof path, "%s/d%d.jsonl", directory, dataset);
        file = fopen(path, "w");
        assert_non_null(file);
        for (int i = 0; i < made_count; i++)
            if (made[i].dataset == dataset) record_print(file, &made[i]);
        assert_int_equal(fclose(file), 0);
    }
    snprintf(path, sizeof path, "%s/renames.tsv", directory);
    file = fopen(path, "w");
    assert_non_null(file);
    for (int r = 0; r < REPOS; r++) {
        fprintf(file, "OLDER/%s\told/%s\r\n", repo_names[r], repo_names[r]);
        fprintf(file, "old/%s\thttps://host.org/%s.git\n", repo_names[r], repo_names[r]);
    }
    assert_int_equal(fclose(file), 0);
}

static void documents_make(void)
{
    made_count = 0;
    for (int dataset = 0; dataset < DATASETS; dataset++)
        for (unsigned count = 1 + draw(MOST_DOCUMENTS); count; count--, made_count++)
            document_make(&made[made_count], dataset);
    shards_write();
}

/* ---- the obvious program ---- */

static bool same_words(const struct made *a, const struct made *b)
{
    return a->words == b->words && memcmp(a->word, b->word, (size_t)a->words * sizeof *a->word) == 0;
}

static int times(const struct made *d, int word)
{
    int count = 0;

    for (int w = 0; w < d->words; w++) count += d->word[w] == word;
    return count;
}

/* The default thresholds: 0.8 of the sets and 0.7 of the multisets. */
static bool similar(const struct made *a, const struct made *b)
{
    int shared = 0, all = 0, least = 0, most = 0;

    if (a->words < MIN_TOKENS || b->words < MIN_TOKENS || a->java != b->java) return false;
    for (int word = 0; word < 64; word++) {
        int x = times(a, word), y = times(b, word);

        shared += x && y;
        all += x || y;
        least += x < y ? x : y;
        most += x < y ? y : x;
    }
    return shared * 10 >= all * 8 && least * 10 >= most * 7;
}

enum likeness { UNLIKE, NEAR, EXACT };

static enum likeness likeness(const struct made *a, const struct made *b, bool near)
{
    if (strcmp(a->text, b->text) == 0) return EXACT;
    return near ? (similar(a, b) ? NEAR : UNLIKE) : same_words(a, b) ? NEAR : UNLIKE;
}

/* A file in a corpus: the best that is there, and under each name. */
static void file_find(const struct made *file, int corpus, bool near, struct truth *out)
{
    enum likeness under[REPOS + 1] = { UNLIKE }, best = UNLIKE;
    bool          elsewhere = false;

    for (const struct made *d = made; d < made + made_count; d++) {
        enum likeness like = d->dataset == corpus ? likeness(file, d, near) : UNLIKE;
        int           name = d->repo < 0 ? REPOS : d->repo;

        if (like > under[name]) under[name] = like;
        if (like > best) best = like;
    }
    out->files++;
    out->exact += best == EXACT;
    out->near += best == NEAR;
    for (int name = 0; name <= REPOS; name++) {
        if (name == file->repo) continue;
        elsewhere |= under[name] != UNLIKE;
        out->copy_exact[name] += under[name] == EXACT;
        out->copy_near[name] += under[name] == NEAR;
    }
    out->elsewhere += elsewhere;
}

static struct truth truth_of(int benchmark, int repo, int corpus, bool near)
{
    struct truth truth = { 0 };

    for (const struct made *d = made; d < made + made_count; d++) {
        truth.documents += d->dataset == corpus && d->repo == repo;
        if (d->dataset == benchmark && d->repo == repo && d->words) file_find(d, corpus, near, &truth);
    }
    return truth;
}

/* ---- comparing ---- */

static int repo_of(struct slice name)
{
    for (int r = 0; r < REPOS; r++)
        if (slice_equal(name, slice_of(repo_names[r]))) return r;
    if (name.len) fail_msg("a repository called `%.*s`", (int)name.len, name.at);
    return REPOS;
}

static const char *name_of(int repo) { return repo < REPOS ? repo_names[repo] : ""; }

/* Its copies are the next ones: most files first, names by bytes where they are as many. */
static void check_copies(const struct repository_result *result, size_t *at, const struct membership *row,
                         struct truth *truth, uint32_t top)
{
    for (uint32_t n = 0; n < top; n++) {
        int best = -1;

        for (int name = 0; name <= REPOS; name++) {
            uint64_t files = truth->copy_exact[name] + truth->copy_near[name], most = best < 0 ? 1
                : truth->copy_exact[best] + truth->copy_near[best];

            if (files > most || (files && files == most && (best < 0 || strcmp(name_of(name), name_of(best)) < 0)))
                best = name;
        }
        if (best < 0) return;
        assert_true(*at < result->copy_count);
        assert_int_equal(result->copy[*at].benchmark, row->benchmark);
        assert_int_equal(result->copy[*at].corpus, row->corpus);
        assert_int_equal(result->copy[*at].name, row->name);
        assert_int_equal(repo_of(repository_name(result->index, result->copy[*at].other)), best);
        assert_int_equal(result->copy[*at].exact, truth->copy_exact[best]);
        assert_int_equal(result->copy[*at].near, truth->copy_near[best]);
        truth->copy_exact[best] = truth->copy_near[best] = 0;
        ++*at;
    }
}

static void check_result(const struct repository_result *result, const struct chosen *s)
{
    size_t rows = 0, copies = 0;

    for (int benchmark = 0; benchmark < (s->first_only ? 1 : BENCHMARKS); benchmark++)
        for (int r = 0; r < REPOS; r++) {
            static const int order[REPOS] = { 7, 4, 5, 0, 1, 2, 3, 6 };     /* names by bytes */
            int              repo = order[r];

            for (int corpus = BENCHMARKS; corpus < DATASETS; corpus++) {
                const struct membership *row = &result->row[rows];
                struct truth             truth = truth_of(benchmark, repo, corpus, s->near);

                if (!truth.files) break;
                assert_true(rows++ < result->count);
                assert_int_equal(row->benchmark, benchmark);
                assert_int_equal(row->corpus, corpus);
                assert_int_equal(repo_of(repository_name(result->index, row->name)), repo);
                assert_int_equal(row->documents, truth.documents);
                assert_int_equal(row->files, truth.files);
                assert_int_equal(row->exact, truth.exact);
                assert_int_equal(row->near, truth.near);
                assert_int_equal(row->elsewhere, truth.elsewhere);
                assert_int_equal(row->by_content, truth.exact + truth.near &&
                                 10 * (truth.exact + truth.near) >= s->share * truth.files);
                check_copies(result, &copies, row, &truth, s->top);
            }
        }
    assert_int_equal(rows, result->count);
    assert_int_equal(copies, result->copy_count);
}

static void run_and_check(const struct chosen *s, int threads, uint64_t unit_bytes)
{
    struct config            config;
    struct shard_list        shards;
    struct comm             *comm = NULL;
    struct stage            *stage = NULL;
    struct run               run;
    struct near_result      *pairs;
    struct repository_job   *job;
    struct repository_result result;
    struct err               err = { 0 };
    char                     yaml[1024], out[300], share[16];

    snprintf(share, sizeof share, "%u.%u", s->share / 10, s->share % 10);
    snprintf(out, sizeof out, "%s/out", directory);
    snprintf(yaml, sizeof yaml,
             "datasets:\n"
             "  - {name: d0, role: benchmark, files: [%s/d0.jsonl]}\n"
             "  - {name: d1, role: benchmark, files: [%s/d1.jsonl]}\n"
             "  - {name: d2, role: corpus, files: [%s/d2.jsonl]}\n"
             "  - {name: d3, role: corpus%s, files: [%s/d3.jsonl]}\n"
             "  - {name: d4, role: corpus, files: [%s/d4.jsonl]}\n"
             "%srepositories: {%srenames: %s/renames.tsv, path_components: 2, share: %s, top: %u}\n",
             directory, directory, directory, s->near ? ", self_join: exact" : "", directory, directory,
             s->near ? "near_duplicates: {min_tokens: 5}\n" : "", s->first_only ? "benchmarks: [d0], " : "", directory,
                 share, s->top);
    if (config_parse(&config, "test", yaml, strlen(yaml), ".", NULL, 0, &err) < 0 ||
        shard_list_open(&shards, config.datasets, config.dataset_count, ".", &err) < 0 || comm_open(&comm, &err) < 0 ||
        stage_open(&stage, out, true, &err) < 0 || stage_clear(stage, &err) < 0) fail_msg("%s", err.text);
    run = (struct run){ .comm = comm, .stage = stage, .version = "test", .datasets = config.datasets,
                        .dataset_count = config.dataset_count, .shards = &shards, .threads = threads };
    job = &repository_task(&config)->job;
    pairs = s->near ? &near_task(&config)->result : NULL;
    if (harness_pass(&config, &run, unit_bytes, &err) < 0 ||
        (s->near && near_result_read(&near_task(&config)->job, pairs, &err) < 0) ||
        repository_result_read(job, pairs, &result, &err) < 0) fail_msg("%s", err.text);
    check_result(&result, s);
    repository_result_free(&result);
    stage_close(stage);
    comm_close(comm);
    shard_list_free(&shards);
    config_free(&config);
}

static void membership_equals_brute_force(void **unused)
{
    (void)unused;
    for (int round = 0, rounds = getenv("LONG") && *getenv("LONG") ? 2000 : 40; round < rounds; round++) {
        documents_make();
        for (int near = 0; near < 2; near++) {
            const struct chosen settings = { near, draw(4) == 0, 1 + draw(10), draw(4) };

            run_and_check(&settings, draw(4) ? 1 : 2, draw(2) ? 0 : 600);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(membership_equals_brute_force) };
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
