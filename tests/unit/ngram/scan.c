/* tests/unit/ngram/scan.c -- what the units say of documents that have n-grams of items, worked out by hand. */
#include "ngram/index.h"
#include "ngram/task.h"
#include "tests/unit/draw.h"
#include "tests/unit/small_run.h"

static struct small_run    small;
static struct ngram_job    jobs[NGRAM_JOBS], job;           /* job: the one of which there is a unit */
static struct pass_unit    unit;
static bool                in_parts;                        /* the corpus is larger than a batch */

static void scanner_add(struct pass *pass, struct ngram_job *of)
{
    struct err err = { 0 };

    if (ngram_prepare(of, &err) < 0 || pass_add(pass, ngram_scanner(of), &err) < 0) fail_msg("%s", err.text);
}

/* A pass of the jobs in `which` over the files of the corpus, the second one before the first. */
static void jobs_pass(const char *settings, const char *files, unsigned which)
{
    struct pass pass = { .run = &small.run };
    struct err  err = { 0 };
    char        yaml[512];

    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [%s]}\n"
                                "ngrams: {%s}\n", files, settings);
    small_start(&small, yaml);
    small.run.threads = 1;
    assert_int_equal(which >> ngram_jobs(&small.run, &ngram_task(&small.config)->options, jobs), 0);
    for (size_t j = NGRAM_JOBS; j-- > 0;)
        if (which >> j & 1) scanner_add(&pass, &jobs[j]);
    if (pass_stream(&pass, small.shards.count, &err) < 0) fail_msg("%s", err.text);
}

/* Makes it the job of which there is the unit of that shard. */
static void unit_take(size_t number, uint32_t shard)
{
    struct pass_scanner scanner;
    struct err          err = { 0 };

    job = jobs[number];
    scanner = ngram_scanner(&job);
    assert_false(scanner.takes(scanner.shared, &small.config.datasets[0]));
    assert_true(scanner.takes(scanner.shared, &small.config.datasets[1]));
    assert_int_equal(pass_unit_load(&small.run, &scanner, shard, 0, &unit, &err), 1);
    assert_true(unit.header->parts == 1 || in_parts);
}

/* number: of the run's jobs; behind: after the second one, in the same pass. */
static void scan_as(size_t number, bool behind, const char *settings, const char *bench, const char *code)
{
    small_open(&small);
    small_write(&small, "b.jsonl", bench);
    small_write(&small, "c.jsonl", code);
    jobs_pass(settings, "c.jsonl", 1u << number | (behind ? 2 : 0));
    unit_take(number, 1);
}

static void scan(const char *settings, const char *bench, const char *code)
{
    scan_as(0, false, settings, bench, code);
}

static void close_all(void)
{
    unit_close(&unit.file);
    for (size_t j = 0; j < NGRAM_JOBS; j++) ngram_release(&jobs[j]);
    small_close(&small);
}

/* The only hit of a line, or NULL. */
static const struct ngram_hit *hit_of(uint32_t line)
{
    struct slice            rows = pass_unit_section(&unit, 0, PART_ROWS);
    const struct ngram_hit *hit = (const void *)rows.at, *found = NULL;

    for (size_t i = 0; i < rows.len / sizeof *hit; i++) {
        if (hit[i].line != line) continue;
        assert_null(found);
        found = &hit[i];
    }
    return found;
}

static void check_count(uint32_t line, uint32_t i, uint64_t occurrences, uint32_t documents)
{
    struct slice              rows = pass_unit_section(&unit, 0, PART_VALUES);
    const struct ngram_count *count = (const void *)rows.at;
    uint32_t                  gram = job.index->gram[job.index->line[line].at + i];
    uint64_t                  there = 0, said = 0;

    for (size_t k = 0; k < rows.len / sizeof *count; k++)
        if (count[k].gram == gram) there = count[k].documents, said = count[k].occurrences;
    assert_int_equal(there, documents);
    assert_int_equal(said, occurrences);
}

static void test_hits(void **unused)
{
    const struct ngram_hit *hit;

    (void)unused;
    scan("n: [2, 3]", "{\"text\": \"a b c d\"}\n{\"text\": \"q\"}\n{\"text\": \"not there\"}\n",
         "{\"text\": \"z a b c\"}\n"                        /* a run of two 2-grams from word 1 on */
         "{\"text\": \"a b x c d a b\"}\n"                  /* more words, shorter runs */
         "{\"text\": \"q c b a q\"}\n"                      /* the short item, alone */
         "{\"text\": \"x a b c\"}\n"                        /* as long as the first: it stays */
         "{\"text\": \"there not\"}\n");
    hit = hit_of(0);
    assert_non_null(hit);
    assert_true(hit->documents == 3 && hit->record == 0 && hit->run == 2 && hit->at == 1);
    assert_true(hit->covered == 4 && !hit->exact && !hit->lcs && !hit->lcs_of);
    check_count(0, 0, 4, 3);                                /* a b */
    check_count(0, 1, 2, 2);                                /* b c */
    check_count(0, 2, 1, 1);                                /* c d */
    hit = hit_of(1);                                        /* n = 3 */
    assert_true(hit && hit->documents == 2 && hit->record == 0 && hit->run == 1 && hit->at == 1 && hit->covered == 3);
    check_count(1, 0, 2, 2);
    check_count(1, 1, 0, 0);                                /* b c d */
    hit = hit_of(2);                                        /* q, by either n one word */
    assert_true(hit && hit->documents == 1 && hit->record == 2 && hit->run == 1 && hit->at == 0 && hit->covered == 1);
    check_count(2, 0, 2, 1);
    assert_true(!hit_of(4) && !hit_of(5));
    close_all();
}

static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

/* The whole text in a document, byte by byte, also where its ends are parts of longer words; not with another gap. */
static void test_exact(void **unused)
{
    (void)unused;
    scan("n: [2]", "{\"text\": \"a b c d\"}\n{\"text\": \"e f g\"}\n{\"text\": \"h i\"}\n",
         "{\"text\": \"before a b c d behind\"}\n{\"text\": \"e  f g\"}\n{\"text\": \"h i\"}\n");
    assert_int_equal(hit_of(0)->exact, 1);
    assert_int_equal(hit_of(1)->exact, 0);
    assert_int_equal(hit_of(2)->exact, 0);                  /* two words: nobody asks */
    close_all();
    scan("n: [2]", "{\"text\": \"a b c d\"}\n{\"text\": \"e f g h\"}\n",
         "{\"text\": \"xa b c dx\"}\n{\"text\": \"e f g\"}\n");
    assert_int_equal(hit_of(0)->exact, 1);
    assert_int_equal(hit_of(1)->exact, 0);
    close_all();
}

/* Windows of 50 bytes where the bytes around an n-gram are equal. */
static void test_windows(void **unused)
{
    struct slice                rows;
    const struct ngram_stretch *stretch;

    (void)unused;
    /* 59 bytes; the first document has the last 55 of them, the second the first 50 */
    scan("n: [2]", "{\"text\": \"0001 0006 0011 0016 0021 0026 0031 0036 0041 0046 0051 0056\"}\n",
         "{\"text\": \"x 0006 0011 0016 0021 0026 0031 0036 0041 0046 0051 0056 y\"}\n"
         "{\"text\": \"0001 0006 0011 0016 0021 0026 0031 0036 0041 0046 z\"}\n");
    assert_int_equal(job.index->entry[0].text_len, 59);
    rows = pass_unit_section(&unit, 0, PART_COUNTS);
    stretch = (const void *)rows.at;
    assert_int_equal(rows.len, 2 * sizeof *stretch);
    /* from the blank before 0006 to the end; from the beginning to the blank behind 0046 */
    assert_true(stretch[0].entry == 0 && stretch[0].from == 4 && stretch[0].to == 10);
    assert_true(stretch[1].entry == 0 && stretch[1].from == 0 && stretch[1].to == 1);
    close_all();
}

/* The longest common subsequence is asked for with 13 words alone, of the document with the longest run. */
static void test_lcs(void **unused)
{
    const struct ngram_hit *hit;

    (void)unused;
    scan("n: [4, 13]", "{\"text\": \"a b c d e f g h i j k l m n o p\"}\n",
         "{\"text\": \"a b c d e f g h i j k l m x o\"}\n");
    hit = hit_of(1);
    assert_true(hit && hit->run == 1 && hit->lcs == 14 && hit->lcs_of == 15);
    hit = hit_of(0);
    assert_true(hit && hit->run == 10 && hit->lcs == 0 && hit->lcs_of == 0);
    close_all();
}

/* In lower case, of a text whose end alone differs. */
static void test_exact_folded(void **unused)
{
    static const char item[] = "one two three four five";

    (void)unused;
    for (size_t end = 0; end <= 8; end++) {                 /* the last byte that differs, from the end; 0: none */
        char bench[64], code[128], other[sizeof item];

        for (size_t i = 0; i < sizeof item; i++) other[i] = (char)(item[i] ^ (is_letter(item[i]) && i % 2 ? 32 : 0));
        if (end && item[sizeof item - 1 - end] == ' ') continue;
        if (end) other[sizeof item - 1 - end] = 'Z';
        snprintf(bench, sizeof bench, "{\"text\": \"%s\"}\n", item);
        snprintf(code, sizeof code, "{\"text\": \"say %s then\"}\n", other);
        scan("n: [2], case: fold", bench, code);
        assert_non_null(hit_of(0));
        assert_int_equal(hit_of(0)->exact, end == 0);
        close_all();
    }
}

/* A record of words w0, w1 and so on: of those from `own` on all are others, or one in three. */
static size_t long_write(char *out, size_t words, size_t own, bool third)
{
    size_t len = (size_t)sprintf(out, "{\"text\": \"");

    for (size_t i = 0; i < words; i++)
        len += (size_t)sprintf(out + len, "%s%zu ", i < own || (third && i % 3) ? "w" : "other", i);
    return len + (size_t)sprintf(out + len, "\"}\n");
}

/* Whether some document is near does not depend on which was the best so far, so neither on their order: a pair that
 * is too long for an answer is unknown where the words that both have would do, and far where they would not. */
static void test_near_of_long_pairs(void **unused)
{
    enum { WORDS = 20000, ROOM = 16 * WORDS };
    char *item = malloc(ROOM), *code = malloc(2 * ROOM);

    (void)unused;
    assert_true(item && code);
    long_write(item, WORDS, WORDS, false);
    for (int may = 0; may < 2; may++)
        for (int order = 0; order < 2; order++) {
            const struct ngram_hit *hit;
            size_t                  len = order ? long_write(code, 1000, 300, false) : 0;

            len += long_write(code + len, WORDS, 30, may);
            if (!order) long_write(code + len, 1000, 300, false);
            scan("n: [13]", item, code);
            hit = hit_of(0);
            assert_true(hit && hit->documents == 2 && hit->run == 300 - 12);
            assert_int_equal(hit->near, may ? NGRAM_UNKNOWN : NGRAM_FAR);
            close_all();
        }
    free(item);
    free(code);
}

/* The item's words from `from` on, behind `before` other words. */
static size_t run_write(char *out, size_t room, const char *other, size_t before, size_t from, size_t words)
{
    size_t len = (size_t)snprintf(out, room, "{\"text\": \"");

    for (size_t i = 0; i < before; i++) len += (size_t)snprintf(out + len, room - len, "%s ", other);
    for (size_t i = 0; i < words; i++) len += (size_t)snprintf(out + len, room - len, "w%zu ", from + i);
    return len + (size_t)snprintf(out + len, room - len, "%s\"}\n", other);
}

/* Runs of words of items, shorter than the n and longer, wherever they begin, behind words that no item has and behind
 * one that an item has elsewhere. */
static void test_runs(void **unused)
{
    static const size_t sizes[] = { 1, 2, 3, 8, 13, 100 }, begins[] = { 0, 1, 2, 7, 8, 9, 12, 13, 14, 15, 99, 101 };
    static char         item[4096], documents[8192];
    char                settings[32];

    (void)unused;
    run_write(item, sizeof item, "x", 0, 0, 300);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t b = 0; b < 2 * sizeof begins / sizeof *begins; b++) {
            const size_t            n = sizes[s], begin = begins[b / 2], words = n + 30 + begin;
            const char             *other = b % 2 && n > 1 ? "x" : "y";
            const struct ngram_hit *hit;
            size_t                  len = run_write(documents, sizeof documents, other, begin, 10, words);

            run_write(documents + len, sizeof documents - len, other, begin, 10, n - 1);
            snprintf(settings, sizeof settings, "n: [%zu]", n);
            scan(settings, item, documents);
            hit = hit_of(0);
            assert_non_null(hit);
            assert_int_equal(hit->documents, 1);
            assert_int_equal(hit->record, 0);
            assert_int_equal(hit->run, words - n + 1);
            assert_int_equal(hit->at, begin);
            close_all();
        }
}

/* What a shard's batches have, whichever thread read them, is added up in the first part of the unit: the longest run
 * is that of the first document that has it, windows that meet are one stretch. */
static void test_parts(void **unused)
{
    enum { DOCUMENTS = 12, PAD = 300000, ROOM = DOCUMENTS * (PAD + 1000), WORDS = 40, BEST = 7, EVERY = 5 };
    static char                 item[1024];
    char                       *code = malloc(ROOM);
    const struct ngram_stretch *stretch;
    const struct ngram_hit     *hit;
    size_t                      len = 0;

    (void)unused;
    assert_non_null(code);
    run_write(item, sizeof item, "", 0, 0, WORDS);
    for (size_t d = 0; d < DOCUMENTS; d++) {                /* words 0 to 19, ..., 11 to 30; of some five more */
        len += (size_t)sprintf(code + len, "{\"text\": \"%0*d ", PAD, 0);
        for (size_t w = d; w < d + 20 + (d % EVERY == BEST % EVERY ? 5 : 0); w++)
            len += (size_t)sprintf(code + len, "w%zu ", w);
        len += (size_t)sprintf(code + len, "y\"}\n");
    }
    in_parts = true;
    scan("n: [4]", item, code);
    in_parts = false;
    assert_true(unit.header->parts > 2);
    for (uint64_t p = 1; p < unit.header->parts; p++)
        for (int s = PART_ROWS; s <= PART_COUNTS; s++)
            assert_int_equal(pass_unit_section(&unit, p, (enum part_section)s).len, 0);
    hit = hit_of(0);
    assert_true(hit && hit->documents == DOCUMENTS && hit->run == 25 - 3 && hit->record == BEST % EVERY);
    assert_true(hit->at == 1 && hit->covered == 25);
    for (uint32_t i = 0; i + 3 < WORDS; i++) {              /* of the documents that begin before it */
        uint32_t has = 0;

        for (uint32_t d = 0; d < DOCUMENTS; d++)
            has += i >= d && i + 4 <= d + 20 + (d % EVERY == BEST % EVERY ? 5 : 0);
        check_count(0, i, has, has);
    }
    assert_int_equal(pass_unit_section(&unit, 0, PART_COUNTS).len, sizeof *stretch);
    stretch = (const void *)pass_unit_section(&unit, 0, PART_COUNTS).at;
    assert_true(stretch->entry == 0 && stretch->from == 0 && stretch->to > 50);
    close_all();
    free(code);
}

/* A document of words of the item, of which some are others, as many words later as may be: every n-gram is counted. */
static void test_gaps(void **unused)
{
    enum { N = 4, WORDS = 40 };
    uint64_t seed = 1;

    (void)unused;
    for (int round = 0; round < 300; round++) {
        char   item[512] = "{\"text\": \"", code[1024] = "{\"text\": \"";
        bool   other[WORDS];
        size_t runs = 0, covered = 0;

        for (int w = 0; w < WORDS; w++) {
            other[w] = draw_below(&seed, 2 + (size_t)round % 9) == 0;
            sprintf(item + strlen(item), "w%d ", w);
            sprintf(code + strlen(code), "%s%d ", other[w] ? "other" : "w", w);
        }
        strcat(item, "\"}\n");
        strcat(code, "\"}\n");
        scan("n: [4]", item, code);
        for (int w = 0; w + N <= WORDS; w++) {
            const bool has = !other[w] && !other[w + 1] && !other[w + 2] && !other[w + 3];

            check_count(0, (uint32_t)w, has, has);
            runs += has;
        }
        for (int w = 0; w < WORDS; w++) {
            bool in = false;

            for (int i = w - N + 1; i <= w; i++)
                in |= i >= 0 && i + N <= WORDS && !other[i] && !other[i + 1] && !other[i + 2] && !other[i + 3];
            covered += in;
        }
        assert_int_equal(hit_of(0) ? hit_of(0)->covered : 0, covered);
        assert_int_equal(runs > 0, hit_of(0) != NULL);
        close_all();
    }
}

/* ---- letters ---- */

enum { TEXTS = 6, TEXT_ROOM = 4096 };

struct texts { char at[TEXTS][TEXT_ROOM]; };

/* The same with other letters, capital or small. */
static void letters_draw(struct texts *to, const struct texts *from, uint64_t *seed)
{
    for (int t = 0; t < TEXTS; t++)
        for (size_t i = 0; i < TEXT_ROOM; i++)
            to->at[t][i] = (char)(from->at[t][i] ^ (is_letter(from->at[t][i]) && draw_below(seed, 2) ? 32 : 0));
}

/* Of few words, now and then one that is longer than a piece that is hashed at once. */
static void texts_draw(struct texts *out, uint64_t *seed)
{
    static const char *const word[] = { "ab", "az", "azaz_09", "\303\200b\303\251", "abcdefghijklmnop",
                                        "abcdefghijklmnopq", "x", "[", "@", "`{" };

    *out = (struct texts){ 0 };
    for (int t = 0; t < TEXTS; t++)
        for (size_t words = draw_below(seed, 60), len = 0; words; words--)
            len += draw_below(seed, 40)
                ? (size_t)sprintf(out->at[t] + len, "%s ", word[draw_below(seed, sizeof word / sizeof *word)])
                : (size_t)sprintf(out->at[t] + len, "%0300x ", 0xabcu + (unsigned)draw_below(seed, 2));
}

static char *records_print(const struct texts *texts, bool in_small)
{
    static char room[2][2 * sizeof *texts];
    static int  turn;
    char       *out = room[turn ^= 1];
    size_t      len = 0;

    for (int t = 0; t < TEXTS; t++) {
        size_t from = len += (size_t)sprintf(out + len, "{\"text\": \"");

        len += (size_t)sprintf(out + len, "%s\"}\n", texts->at[t]);
        for (; in_small && from < len; from++) out[from] = (char)(out[from] | is_letter(out[from]) << 5);
    }
    return out;
}

/* What a unit says, in `out`. */
static void unit_copy(struct bytes *out)
{
    static const enum part_section section[] = { PART_ROWS, PART_VALUES, PART_COUNTS };

    out->len = 0;
    for (size_t i = 0; i < sizeof section / sizeof *section; i++)
        assert_int_equal(bytes_append_slice(out, pass_unit_section(&unit, 0, section[i])), 0);
}

/* Folded, a run finds what one of the same in small letters finds: the job that answers for all rules, and the one
 * beside that which keeps letters, which has neither windows nor common subsequences. */
static void test_letters(void **unused)
{
    static struct texts bench, code;
    struct bytes        folded = { 0 }, kept = { 0 };
    uint64_t            seed = 7;
    size_t              hits = 0, exact = 0;

    (void)unused;
    for (int round = 0; round < 60; round++) {
        texts_draw(&bench, &seed);
        texts_draw(&code, &seed);
        letters_draw(&bench, &bench, &seed);
        letters_draw(&code, round % 3 ? &code : &bench, &seed);
        scan("n: [2, 13], case: fold", records_print(&bench, false), records_print(&code, false));
        unit_copy(&folded);
        hits += pass_unit_section(&unit, 0, PART_ROWS).len / sizeof(struct ngram_hit);
        for (uint32_t line = 0; line < job.index->lines; line++) exact += hit_of(line) && hit_of(line)->exact;
        close_all();
        scan("n: [2, 13], case: keep", records_print(&bench, true), records_print(&code, true));
        unit_copy(&kept);
        assert_int_equal(folded.len, kept.len);
        assert_memory_equal(folded.at, kept.at, kept.len);
        close_all();
        scan_as(1, false, "n: [2, 13]", records_print(&bench, false), records_print(&code, false));
        unit_copy(&folded);
        close_all();
        scan_as(1, false, "n: [2, 13]", records_print(&bench, true), records_print(&code, true));
        unit_copy(&kept);
        assert_int_equal(folded.len, kept.len);
        assert_memory_equal(folded.at, kept.at, kept.len);
        close_all();
    }
    assert_true(hits > 100 && exact > 10);
    bytes_free(&folded);
    bytes_free(&kept);
}

/* The job that keeps letters says the same whether it looks everywhere or only where the one that folds has found
 * something: of short n-grams and long ones, of runs that touch each other. */
static void test_behind_the_folded(void **unused)
{
    static const char *const settings[] = { "n: [2, 13]", "n: [1, 3]", "n: [4, 5, 8]", "n: [50]" };
    static struct texts      bench, code;
    struct bytes             alone = { 0 }, behind = { 0 };
    uint64_t                 seed = 11;
    size_t                   hits = 0;

    (void)unused;
    for (int round = 0; round < 120; round++) {
        const char *of = settings[round % 4];

        texts_draw(&bench, &seed);
        texts_draw(&code, &seed);
        if (round % 3) letters_draw(&bench, &bench, &seed);
        if (round % 5) code.at[round % TEXTS][0] = '\0', strcat(code.at[round % TEXTS], bench.at[0]);
        scan(of, records_print(&bench, false), records_print(&code, false));
        unit_copy(&alone);
        hits += pass_unit_section(&unit, 0, PART_ROWS).len / sizeof(struct ngram_hit);
        close_all();
        scan_as(0, true, of, records_print(&bench, false), records_print(&code, false));
        unit_copy(&behind);
        assert_int_equal(alone.len, behind.len);
        assert_memory_equal(alone.at, behind.at, alone.len);
        close_all();
    }
    assert_true(hits > 200);
    bytes_free(&alone);
    bytes_free(&behind);
}

/* What was found in a document is not taken for another one's, which is not shown to the job that folds as its unit is
 * there: the shards behind the benchmark's are a large one without n-grams of items, then a small one with some. */
static void test_of_another_document(void **unused)
{
    (void)unused;
    small_open(&small);
    small_write(&small, "b.jsonl", "{\"text\": \"A b C d\"}\n");
    small_write(&small, "c.jsonl", "{\"text\": \"nothing of all this is in the item, which has four letters\"}\n");
    small_write(&small, "d.jsonl", "{\"text\": \"A b C\"}\n");
    jobs_pass("n: [2]", "d.jsonl", 2);
    for (size_t j = 0; j < NGRAM_JOBS; j++) ngram_release(&jobs[j]);
    small_stop(&small);
    jobs_pass("n: [2]", "c.jsonl, d.jsonl", 3);
    unit_take(0, 2);
    assert_true(hit_of(0) && hit_of(0)->run == 2);
    close_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hits), cmocka_unit_test(test_exact),
                                        cmocka_unit_test(test_exact_folded),
                                        cmocka_unit_test(test_near_of_long_pairs),
                                        cmocka_unit_test(test_windows), cmocka_unit_test(test_lcs),
                                        cmocka_unit_test(test_runs), cmocka_unit_test(test_parts),
                                        cmocka_unit_test(test_gaps),
                                        cmocka_unit_test(test_letters), cmocka_unit_test(test_behind_the_folded),
                                        cmocka_unit_test(test_of_another_document) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
