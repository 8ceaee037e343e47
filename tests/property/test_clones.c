/* tests/property/test_clones.c -- line clones, from shards to blocks, against the rule of clone/clone.h read to the
 * letter.
 *
 * Random documents over a few lines, made by copying pieces of earlier ones, so that blocks nest and overlap; then the
 * worked examples of what Simian reports. */
#include "config/config.h"
#include "clone/result.h"
#include "clone/task.h"
#include "pass_harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DOCUMENTS = 8, MOST_LINES = 40, MOST_BLOCKS = 4096 };

struct text { int side, lines, line[MOST_LINES]; };         /* side 0: benchmarks */

static uint64_t    state;
static struct text text[MOST_DOCUMENTS];
static int         texts;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

static void make_texts(void)
{
    int alphabet = 1 + (int)draw(5);

    texts = 2 + (int)draw(MOST_DOCUMENTS - 1);
    for (int t = 0; t < texts; t++) {
        struct text *made = &text[t];

        made->side = t == 0 ? 0 : t == 1 ? 1 : (int)draw(2);
        made->lines = 0;
        for (int wanted = (int)draw(MOST_LINES); made->lines < wanted;) {
            const struct text *from = &text[draw((unsigned)t + 1)];

            if (from != made && from->lines && draw(3)) {
                int at = (int)draw((unsigned)from->lines);

                for (int n = 1 + (int)draw(12); n && at < from->lines && made->lines < wanted; n--)
                    made->line[made->lines++] = from->line[at++];
            } else made->line[made->lines++] = draw(8) ? (int)draw((unsigned)alphabet) : 100 + (int)draw(50);
        }
    }
}

/* Lines differ by what the normalisation ignores. */
static void write_line(FILE *file, int line, bool simian)
{
    static const char *const exact[] = { "%d(x)\\n", "%d(x)  \\n", "%d(x)\\r\\n", "\\n%d(x)\\t\\n", "%d(x)\\r" };
    static const char *const loose[] = { "%d (X)\\n", "\\t%d(x);\\n", "%d. ( x )\\n", " ; \\n\\n%d(x)\\r\\n",
                                         "\\\"%d\\\": (x)!\\n" };

    fprintf(file, (simian ? loose : exact)[draw(5)], line);
}

static void write_sets(const char *dir, bool simian)
{
    for (int side = 0; side < 2; side++) {
        char  path[256];
        FILE *file;

        snprintf(path, sizeof path, "%s/side%d.jsonl", dir, side);
        file = fopen(path, "w");
        assert_non_null(file);
        for (int t = 0; t < texts; t++) {
            if (text[t].side != side) continue;
            fprintf(file, "{\"text\": \"");
            for (int i = 0; i < text[t].lines; i++) write_line(file, text[t].line[i], simian);
            fprintf(file, "\"}\n");
        }
        assert_int_equal(fclose(file), 0);
    }
}

/* ---- the obvious program ---- */

struct found { int lines, line[MOST_LINES], count[2]; };

static bool same(const struct text *t, int at, const int *line, int lines)
{
    return at + lines <= t->lines && memcmp(t->line + at, line, (size_t)lines * sizeof *line) == 0;
}

static void count_places(const int *line, int lines, int count[2])
{
    count[0] = count[1] = 0;
    for (int t = 0; t < texts; t++)
        for (int i = 0; i + lines <= text[t].lines; i++) count[text[t].side] += same(&text[t], i, line, lines);
}

/* M(i): with `self` side 1 is not there; with `simian` what is repeated on side 1 alone counts too. */
static int longest(const struct text *t, int i, bool simian, bool self)
{
    int count[2], n = 0;

    while (i + n < t->lines) {
        count_places(t->line + i, n + 1, count);
        if ((count[0] == 0 && (!simian || self)) || count[0] + (self ? 0 : count[1]) < 2) break;
        n++;
    }
    return n;
}

static size_t brute_force(struct found *found, int least, bool simian, bool self, int shared[MOST_DOCUMENTS])
{
    size_t n = 0;

    for (int t = 0; t < texts; t++) {
        int last = 0, covered = 0;

        shared[t] = 0;
        if (self && text[t].side) continue;
        for (int i = 0; i < text[t].lines; i++) {
            int          m = longest(&text[t], i, simian, self), count[2];
            struct found made = { .lines = m };
            bool         reported = m >= least && (i == 0 || last <= m), known = false;

            last = m;
            /* lines in a block that is elsewhere */
            for (int l = least; !text[t].side && i + l <= text[t].lines; l++) {
                count_places(text[t].line + i, l, count);
                if (self ? count[0] < 2 : count[1] == 0) break;
                if (covered < i) covered = i;
                if (i + l > covered) shared[t] += i + l - covered, covered = i + l;
            }
            if (!reported) continue;
            memcpy(made.line, text[t].line + i, (size_t)m * sizeof made.line[0]);
            count_places(made.line, m, made.count);
            if (self) made.count[1] = 0;
            else if (made.count[0] == 0 || made.count[1] == 0) continue;
            for (size_t f = 0; f < n && !known; f++)
                known = found[f].lines == m && memcmp(found[f].line, made.line, (size_t)m * sizeof made.line[0]) == 0;
            if (!known) found[n++] = made;
        }
    }
    return n;
}

/* ---- the program ---- */

struct searched {
    struct config config;
    struct shard_list shards;
    struct comm *comm;
    struct stage *stage;
    struct run run;
    struct clone_result *result;
};

static void run_open(struct searched *run, const char *dir, int least, bool simian, bool self)
{
    struct err      err = { 0 };
    char            yaml[1024], out[256];

    *run = (struct searched){ 0 };
    snprintf(out, sizeof out, "%s/run", dir);
    snprintf(yaml, sizeof yaml,
             "datasets:\n  - {name: small, role: benchmark, language: text, files: [%s/side0.jsonl]}\n"
             "  - {name: big, role: corpus, language: text, files: [%s/side1.jsonl]}\nline_clones: {lines: %d, "
             "normalisation: %s, self: %s, places: 3}\n",
             dir, dir, least, simian ? "simian" : "exact", self ? "true" : "false");
    if (config_parse(&run->config, "test", yaml, strlen(yaml), ".", NULL, 0, &err) < 0 ||
        shard_list_open(&run->shards, run->config.datasets, run->config.dataset_count, ".", &err) < 0 ||
            comm_open(&run->comm, &err) < 0 ||
        stage_open(&run->stage, out, true, &err) < 0 || stage_clear(run->stage, &err) < 0) fail_msg("%s", err.text);
    run->run = (struct run){ .comm = run->comm, .stage = run->stage, .version = "test",
                             .datasets = run->config.datasets, .dataset_count = 2, .shards = &run->shards,
                             .store_text = true, .threads = draw(8) ? 1 : 2,
                             /* one piece of the small side, or several */
                             .memory = draw(2) ? 0 : 24000 + draw(60000) };
    run->result = &clone_task(&run->config)->result;
    if (harness_pass(&run->config, &run->run, 0, &err) < 0 ||
        clone_result_read(&clone_task(&run->config)->job, run->result, &err) < 0) fail_msg("%s", err.text);
}

static void run_close(struct searched *run)
{
    stage_close(run->stage);
    comm_close(run->comm);
    shard_list_free(&run->shards);
    config_free(&run->config);
}

/* The lines of a block as numbers, read from its text. */
static int block_lines(const struct clone_result *result, const struct clone_block *block, int line[MOST_LINES])
{
    struct slice at = clone_block_text(result, block);
    int          n = 0;

    for (size_t i = 0; i < at.len;) {
        if (at.at[i] < '0' || at.at[i] > '9') {
            i++;
            continue;
        }
        assert_true(n < MOST_LINES);
        for (line[n] = 0; i < at.len && at.at[i] >= '0' && at.at[i] <= '9'; i++)
            line[n] = 10 * line[n] + at.at[i] - '0';
        n++;
    }
    return n;
}

/* The lines of text t, counted from the record'th text of its side. */
static const struct text *text_of(int side, uint64_t record)
{
    for (int t = 0; t < texts; t++)
        if (text[t].side == side && record-- == 0) return &text[t];
    return NULL;
}

static struct found found[MOST_BLOCKS];

static void compare(const char *dir, int least, bool simian, bool self)
{
    int        shared[MOST_DOCUMENTS];
    size_t     count = brute_force(found, least, simian, self, shared), place = 0, document = 0;
    struct searched run;

    write_sets(dir, simian);
    run_open(&run, dir, least, simian, self);
    assert_int_equal(run.result->block_count, count);
    for (size_t b = 0; b < run.result->block_count; b++) {
        const struct clone_block *block = &run.result->block[b];
        int                       line[MOST_LINES], lines = block_lines(run.result, block, line), places[2] = { 0, 0 };
        size_t                    f = 0;

        assert_int_equal(lines, (int)block->length);
        while (f < count &&
               (found[f].lines != lines || memcmp(found[f].line, line, (size_t)lines * sizeof line[0]) != 0))
            f++;
        assert_true(f < count);
        assert_int_equal(block->small_count, found[f].count[0]);
        assert_int_equal(block->corpus_count, found[f].count[1]);
        for (; place < run.result->place_count && run.result->place[place].block == b; place++) {
            const struct clone_block_place *at = &run.result->place[place];

            assert_non_null(text_of((int)at->shard, at->record));
            assert_true(at->line >= 1);
            places[at->shard]++;
            if (places[at->shard] == 1) continue;
            assert_true(at[-1].record < at->record || (at[-1].record == at->record && at[-1].line < at->line));
        }
        for (int side = 0; side < 2; side++)
            assert_int_equal(places[side], found[f].count[side] < 3 ? found[f].count[side] : 3);
    }
    assert_int_equal(place, run.result->place_count);
    for (int t = 0; t < texts; t++)
        if (text[t].side == 0) assert_int_equal(run.result->shared[document++], shared[t]);
    run_close(&run);
}

static char folder[] = "/tmp/leakgraph-clones-XXXXXX";

static void test_random(void **unused)
{
    int rounds = getenv("LONG") && *getenv("LONG") ? 5000 : 500;

    (void)unused;
    for (int i = 0; i < rounds; i++) {
        make_texts();
        compare(folder, 1 + (int)draw(6), draw(2), draw(3) == 0);
    }
}

/* ---- worked examples ---- */

struct group { int lines, small, corpus; };

static void put(int t, int side, int from, int to)
{
    if (t == texts) text[texts++] = (struct text){ .side = side };
    for (int line = from; line <= to; line++) text[t].line[text[t].lines++] = line;
}

static void put_same(int t, int lines)
{
    for (int i = 0; i < lines; i++) put(t, 0, 1, 1);
}

static void expect_groups(bool simian, bool self, const struct group *wanted, size_t count)
{
    struct searched run;

    write_sets(folder, simian);
    run_open(&run, folder, 6, simian, self);
    assert_int_equal(run.result->block_count, count);
    for (size_t w = 0; w < count; w++) {
        size_t b = 0;

        while (b < count && ((int)run.result->block[b].length != wanted[w].lines ||
                             (int)run.result->block[b].small_count != wanted[w].small ||
                             (int)run.result->block[b].corpus_count != wanted[w].corpus)) b++;
        if (b == count)
            fail_msg("no block of %d lines in %d and %d places", wanted[w].lines, wanted[w].small, wanted[w].corpus);
    }
    run_close(&run);
}

#define EXPECT(self, ...)                                                               \
    do {                                                                                \
        const struct group wanted[] = { __VA_ARGS__ };                                  \
        expect_groups(true, self, wanted, sizeof wanted / sizeof wanted[0]);            \
        texts = 0;                                                                      \
    } while (0)

/* What Simian 2.5.10 reports of these files, each a document. */
static void test_examples(void **unused)
{
    (void)unused;
    texts = 0;
    put(0, 0, 1, 6), put(1, 0, 1, 6), put(2, 1, 900, 900);
    EXPECT(true, { 6, 2, 0 });
    put(0, 0, 1, 5), put(1, 0, 1, 5), put(2, 1, 900, 900);
    expect_groups(true, true, NULL, 0);
    texts = 0;
    put(0, 0, 1, 3), put(0, 0, 500, 500), put(0, 0, 4, 6), put(1, 0, 1, 6), put(2, 1, 900, 900);
    expect_groups(true, true, NULL, 0);
    texts = 0;
    put(0, 0, 1, 12), put(1, 0, 1, 12), put(2, 0, 3, 9), put(3, 1, 900, 900);
    EXPECT(true, { 7, 3, 0 }, { 12, 2, 0 });
    put(0, 0, 1, 10), put(1, 0, 5, 14), put(2, 0, 1, 14), put(3, 1, 900, 900);
    EXPECT(true, { 10, 2, 0 }, { 10, 2, 0 });
    put(0, 0, 1, 10), put(1, 0, 5, 14), put(2, 0, 1, 14), put(3, 0, 5, 10), put(4, 1, 900, 900);
    EXPECT(true, { 10, 2, 0 }, { 10, 2, 0 }, { 6, 4, 0 });
    put_same(0, 14), put(1, 1, 900, 900);
    EXPECT(true, { 13, 2, 0 });
    put_same(0, 6), put_same(1, 8), put(2, 1, 900, 900);
    EXPECT(true, { 6, 4, 0 }, { 7, 2, 0 });
    /* Nothing is lost at the end of a log, and occurrences are not multiplied by the chunks of the corpus. */
    put(0, 0, 1, 8), put(0, 0, 501, 501), put(0, 0, 1, 8), put(0, 0, 502, 502), put(0, 0, 11, 17);
    put(1, 1, 1, 8), put(1, 1, 601, 601), put(1, 1, 1, 8);
    put(2, 1, 1, 8), put(2, 1, 602, 602), put(2, 1, 11, 17);
    EXPECT(false, { 8, 2, 3 }, { 7, 1, 1 });
}

/* Lines 1 to 8 stand in three documents of the corpora, in two of them before the same line: all three of their places
 * are in longer blocks, one of which is repeated in the corpora alone.  `exact` does not know that one. */
static void test_corpora_alone(void **unused)
{
    const struct group both[] = { { 9, 1, 1 }, { 8, 1, 3 } };

    (void)unused;
    texts = 0;
    put(0, 0, 0, 8), put(1, 1, 0, 8), put(2, 1, 100, 100), put(2, 1, 1, 8), put(2, 1, 200, 200);
    put(3, 1, 101, 101), put(3, 1, 1, 8), put(3, 1, 200, 200);
    expect_groups(true, false, both, 1);
    expect_groups(false, false, both, 2);
    text[3].line[9] = 201;                                  /* before another one: one of them is that long there */
    expect_groups(true, false, both, 2);
    text[3].line[0] = 100;                                  /* behind the same one: neither is */
    expect_groups(true, false, both, 1);
    put(4, 1, 300, 300), put(4, 1, 1, 8);                   /* a document's end is no line */
    put(5, 1, 301, 301), put(5, 1, 1, 8);
    EXPECT(false, { 9, 1, 1 }, { 8, 1, 5 });
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_examples),
                                        cmocka_unit_test(test_corpora_alone) };
    const char *seed = getenv("SEED");
    char        command[128];
    int         failed;

    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed=%llu\n", (unsigned long long)state);
    if (!mkdtemp(folder)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? failed : 1;
}
