/* tests/unit/generate/memorised.c -- places of blocks in the outputs of a model, against a look at every line. */
#include "generate/memorised.h"
#include "clone/task.h"
#include "tests/unit/draw.h"
#include "tests/unit/small_run.h"

enum { DOCUMENTS = 21, LINES = 30 };

static char text[DOCUMENTS][LINES + 1];                     /* a letter a line; dataset 0 has the first 8 */

static int side_of(int d) { return d < 8 ? 0 : d < 16 ? 1 : 2; }

static void write_side(const struct small_run *r, const char *name, int side)
{
    struct bytes lines = { 0 };

    for (int d = 0; d < DOCUMENTS; d++) {
        if (side_of(d) != side) continue;
        assert_int_equal(bytes_printf(&lines, "{\"text\": \""), 0);
        for (const char *c = text[d]; *c; c++) assert_int_equal(bytes_printf(&lines, "%c\\n", *c), 0);
        assert_int_equal(bytes_printf(&lines, "\"}\n"), 0);
    }
    assert_int_equal(bytes_append(&lines, "", 1), 0);
    small_write(r, name, lines.at);
    bytes_free(&lines);
}

/* Blocks are runs of letters in the text of their first place. */
static void letters_of(struct slice block, char out[LINES + 1])
{
    size_t len = 0;

    for (size_t i = 0; i < block.len; i++)
        if (block.at[i] != '\n') out[len++] = block.at[i];
    out[len] = '\0';
}

static void check(struct small_run *r, uint32_t dataset, int from, int to)
{
    const struct clone_result *result = &clone_task(&r->config)->result;
    const uint64_t             outputs = (uint64_t)(to - from);
    struct memorised           found;
    uint64_t                   with_any[MEMORISED_PARTS] = { 0 };
    bool                       has[DOCUMENTS] = { false };
    struct err                 err = { 0 };

    if (memorised_count(&clone_task(&r->config)->job, result, dataset, outputs, &found, &err) < 0)
        fail_msg("%s", err.text);
    for (uint64_t p = 0; p < MEMORISED_PARTS; p++)
        assert_int_equal(found.upto[p], (outputs * (p + 1) + 3) / 4);
    for (size_t b = 0; b < result->block_count; b++) {
        uint64_t places[MEMORISED_PARTS] = { 0 }, in = 0, first = 0;
        char     block[LINES + 1];

        letters_of(clone_block_text(result, &result->block[b]), block);
        assert_int_equal(strlen(block), result->block[b].length);
        for (int d = from; d < to; d++) {
            uint64_t here = 0, part = 0;

            for (const char *at = text[d]; (at = strstr(at, block)); at++) here++;
            while ((uint64_t)(d - from) >= found.upto[part]) part++;
            places[part] += here;
            if (here && in++ == 0) first = (uint64_t)(d - from);
        }
        assert_memory_equal(found.block[b].places, places, sizeof places);
        assert_int_equal(found.block[b].outputs, in);
        if (in) assert_int_equal(found.block[b].first, first);
    }
    for (int d = from; d < to; d++)                         /* three lines in a row that the corpus has */
        for (size_t i = 0; i + 3 <= strlen(text[d]); i++)
            for (int c = 16; c < DOCUMENTS; c++) has[d] |= memmem(text[c], strlen(text[c]), text[d] + i, 3) != NULL;
    for (int d = from; d < to; d++)
        for (uint64_t p = 0; p < MEMORISED_PARTS; p++) with_any[p] += has[d] && (uint64_t)(d - from) < found.upto[p];
    assert_memory_equal(found.with_any, with_any, sizeof with_any);
    memorised_free(&found);
    assert_null(found.block);
}

static void test_random(void **unused)
{
    struct small_run r;
    uint64_t         seed = seed_of_run();
    size_t           blocks = 0;

    (void)unused;
    small_open(&r);
    for (int round = 0; round < 12; round++) {
        struct clone_task *clones;
        struct err         err = { 0 };

        for (int d = 0; d < DOCUMENTS; d++) {
            size_t lines = draw(&seed) % LINES;

            for (size_t i = 0; i < lines; i++) text[d][i] = (char)('a' + draw(&seed) % 3);
            text[d][lines] = '\0';
        }
        write_side(&r, "a.jsonl", 0);
        write_side(&r, "b.jsonl", 1);
        write_side(&r, "c.jsonl", 2);
        small_start(&r, "datasets:\n  - {name: a, role: benchmark, language: text, files: a.jsonl}\n"
                    "  - {name: b, role: benchmark, language: text, files: b.jsonl}\n"
                    "  - {name: c, role: corpus, language: text, files: c.jsonl}\n"
                    "line_clones: {lines: 3, normalisation: exact}\n");
        small_pass(&r);
        clones = clone_task(&r.config);
        if (clone_result_read(&clones->job, &clones->result, &err) < 0) fail_msg("%s", err.text);
        blocks += clones->result.block_count;
        check(&r, 0, 0, 8);
        check(&r, 1, 8, 16);
        small_stop(&r);
    }
    assert_true(blocks > 50);
    small_close(&r);
}

/* Of few outputs the parts are the same, of none there is nothing. */
static void test_few(void **unused)
{
    const struct clone_result none = { 0 };
    struct memorised          found;
    struct err                err = { 0 };

    (void)unused;
    for (uint64_t outputs = 0; outputs <= 5; outputs++) {
        static const uint64_t upto[6][MEMORISED_PARTS] = { { 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 1, 1, 2, 2 },
                                                           { 1, 2, 3, 3 }, { 1, 2, 3, 4 }, { 2, 3, 4, 5 } };

        assert_int_equal(memorised_count(NULL, &none, 0, outputs, &found, &err), 0);
        assert_memory_equal(found.upto, upto[outputs], sizeof upto[outputs]);
        memorised_free(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_few) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
