/* tests/unit/ngram/scan.c -- what the units say of documents that have n-grams of items, worked out by hand. */
#include "ngram/index.h"
#include "ngram/task.h"
#include "tests/unit/draw.h"
#include "tests/unit/small_run.h"

static struct small_run    small;
static struct ngram_job    job;
static struct pass_unit    unit;
static bool                in_parts;                        /* the corpus is larger than a batch */

static void scan(const char *settings, const char *bench, const char *code)
{
    struct pass         pass = { .run = &small.run };
    struct pass_scanner scanner;
    struct err          err = { 0 };
    char                yaml[512];

    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "ngrams: {%s}\n", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", bench);
    small_write(&small, "c.jsonl", code);
    small_start(&small, yaml);
    small.run.threads = 1;
    job = ngram_job_of(&small.run, &ngram_task(&small.config)->options);
    scanner = ngram_scanner(&job);
    assert_false(scanner.takes(scanner.shared, &small.config.datasets[0]));
    assert_true(scanner.takes(scanner.shared, &small.config.datasets[1]));
    if (ngram_prepare(&job, &err) < 0 || pass_add(&pass, ngram_scanner(&job), &err) < 0 ||
        pass_stream(&pass, small.shards.count, &err) < 0) fail_msg("%s", err.text);
    scanner = ngram_scanner(&job);
    assert_int_equal(pass_unit_load(&small.run, &scanner, 1, 0, &unit, &err), 1);
    assert_true(unit.header->parts == 1 || in_parts);
}

static void close_all(void)
{
    unit_close(&unit.file);
    ngram_release(&job);
    small_close(&small);
}

/* The only hit with that number, or NULL. */
static const struct ngram_hit *hit_at(uint32_t number)
{
    struct slice            rows = pass_unit_section(&unit, 0, PART_ROWS);
    const struct ngram_hit *hit = (const void *)rows.at, *found = NULL;

    for (size_t i = 0; i < rows.len / sizeof *hit; i++) {
        if (hit[i].line != number) continue;
        assert_null(found);
        found = &hit[i];
    }
    return found;
}

/* That of a line, as written where the job tells both cases; whether its text is in a document so. */
static const struct ngram_hit *hit_of(uint32_t line) { return hit_at(line + (job.both ? job.index->lines : 0)); }
static int exact_of(uint32_t line)
{
    assert_non_null(hit_at(line));
    return (hit_at(line)->exact & (job.both ? NGRAM_EXACT_KEPT : NGRAM_EXACT)) != 0;
}

/* What is counted of an n-gram, or of its variant. */
static struct ngram_count count_of(uint32_t number)
{
    struct slice              rows = pass_unit_section(&unit, 0, PART_VALUES);
    const struct ngram_count *count = (const void *)rows.at;

    for (size_t k = 0; k < rows.len / sizeof *count; k++)
        if (count[k].gram == number) return count[k];
    return (struct ngram_count){ 0, 0, 0 };
}

static void check_count(uint32_t line, uint32_t i, uint64_t occurrences, uint32_t documents)
{
    const struct ngram_count count = count_of(job.index->gram[job.index->line[line].at + i]);

    assert_int_equal(count.documents, documents);
    assert_int_equal(count.occurrences, occurrences);
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
    assert_int_equal(exact_of(0), 1);
    assert_int_equal(exact_of(1), 0);
    assert_int_equal(exact_of(2), 0);                  /* two words: nobody asks */
    close_all();
    scan("n: [2]", "{\"text\": \"a b c d\"}\n{\"text\": \"e f g h\"}\n",
         "{\"text\": \"xa b c dx\"}\n{\"text\": \"e f g\"}\n");
    assert_int_equal(exact_of(0), 1);
    assert_int_equal(exact_of(1), 0);
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
        assert_int_equal(exact_of(0), end == 0);
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
static void letters_draw_one(struct texts *to, int t, uint64_t *seed)
{
    for (size_t i = 0; i < TEXT_ROOM; i++)
        to->at[t][i] = (char)(to->at[t][i] ^ (is_letter(to->at[t][i]) && draw_below(seed, 2) ? 32 : 0));
}

static void letters_draw(struct texts *to, const struct texts *from, uint64_t *seed)
{
    if (to != from) *to = *from;
    for (int t = 0; t < TEXTS; t++) letters_draw_one(to, t, seed);
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

/* Folded, a run finds what one of the same in small letters finds. */
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
    }
    assert_true(hits > 100 && exact > 10);
    bytes_free(&folded);
    bytes_free(&kept);
}

/* Windows that were found, in order. */
static void stretches_copy(struct bytes *out)
{
    const size_t from = out->len;
    size_t       count;

    assert_int_equal(bytes_append_slice(out, pass_unit_section(&unit, 0, PART_COUNTS)), 0);
    count = (out->len - from) / sizeof(struct ngram_stretch);
    count = ngram_stretches_join((struct ngram_stretch *)(void *)(out->at + from), count);
    out->len = from + count * sizeof(struct ngram_stretch);
}

/* What a unit says of lines and of their n-grams, in an order of its own: those as written where the job tells both
 * cases and `kept` is asked for. */
static void lines_copy(struct bytes *out, bool kept)
{
    const struct ngram_index *index = job.index;
    const struct ngram_hit    none = { 0 };

    out->len = 0;
    for (uint32_t l = 0; l < index->lines; l++) {
        const struct ngram_line *line = &index->line[l];
        const struct ngram_hit  *at = hit_at(l + (kept && job.both ? index->lines : 0));
        struct ngram_hit         hit = at ? *at : none;

        hit.line = kept ? line->distinct_kept : line->distinct;
        if (kept) hit.weight = 0;                           /* of those in lower case alone */
        hit.exact = hit_at(l) && (hit_at(l)->exact & (kept && job.both ? NGRAM_EXACT_KEPT : NGRAM_EXACT));
        if (!kept) hit.lcs = hit.lcs_of = hit.near = 0;     /* of those as written alone */
        assert_int_equal(bytes_append(out, &hit, sizeof hit), 0);
        for (uint32_t i = 0; i < line->count; i++) {
            const uint32_t     g = index->gram[line->at + i], id = index->gram_kept[line->at + i];
            struct ngram_count count = count_of(g);

            if (kept && job.both) {
                const struct ngram_count own = count_of(index->grams + id);

                assert_int_equal(id == g, index->known[g].key != 0);
                if (id != g) count = own;
                else count.documents -= own.documents, count.occurrences -= own.occurrences;
            }
            count.gram = i;
            assert_int_equal(bytes_append(out, &count, sizeof count), 0);
        }
    }
    if (kept) stretches_copy(out);
}

/* A job that tells both cases says of each what a job of that case alone says: of short n-grams and long ones, of runs
 * that touch each other, where items and documents write one n-gram in several ways. */
static void test_both(void **unused)
{
    static const char *const settings[] = { "n: [2, 13]", "n: [1, 3]", "n: [4, 5, 8]", "n: [50]", "n: [2]" };
    static struct texts      bench, code;
    struct bytes             both[2] = { { 0 }, { 0 } }, alone = { 0 };
    uint64_t                 seed = 11;
    size_t                   hits = 0, differ = 0, variants = 0;

    (void)unused;
    for (int round = 0; round < 300; round++) {
        const char *of = settings[round % 5], *items, *documents;
        char        one[64];

        texts_draw(&bench, &seed);
        texts_draw(&code, &seed);
        for (int t = 0; t < TEXTS; t++)                     /* of most rounds few texts have other letters */
            if (round % 4 == 1 || (round % 4 == 2 && draw_below(&seed, 3) == 0)) letters_draw_one(&bench, t, &seed);
        if (round % 3) code.at[round % TEXTS][0] = '\0', strcat(code.at[round % TEXTS], bench.at[0]);
        if (round % 7 == 0) letters_draw(&code, &bench, &seed);
        items = records_print(&bench, false);
        documents = records_print(&code, false);
        scan(of, items, documents);
        assert_true(job.both);
        variants += job.index->ids - job.index->grams;
        hits += pass_unit_section(&unit, 0, PART_ROWS).len / sizeof(struct ngram_hit);
        for (int kept = 0; kept < 2; kept++) lines_copy(&both[kept], kept);
        close_all();
        for (int kept = 0; kept < 2; kept++) {
            snprintf(one, sizeof one, "%s, case: %s", of, kept ? "keep" : "fold");
            scan(one, items, documents);
            assert_false(job.both);
            lines_copy(&alone, kept);
            assert_int_equal(alone.len, both[kept].len);
            assert_memory_equal(alone.at, both[kept].at, alone.len);
            close_all();
        }
        differ += both[0].len != both[1].len || memcmp(both[0].at, both[1].at, both[0].len) != 0;
    }
    assert_true(hits > 1000 && differ > 50 && variants > 1000);
    bytes_free(&both[0]);
    bytes_free(&both[1]);
    bytes_free(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hits), cmocka_unit_test(test_exact),
                                        cmocka_unit_test(test_exact_folded),
                                        cmocka_unit_test(test_near_of_long_pairs),
                                        cmocka_unit_test(test_windows), cmocka_unit_test(test_lcs),
                                        cmocka_unit_test(test_runs), cmocka_unit_test(test_parts),
                                        cmocka_unit_test(test_gaps),
                                        cmocka_unit_test(test_letters), cmocka_unit_test(test_both) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
