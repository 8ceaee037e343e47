/* tests/unit/clone/index.c -- the longest block that begins at a line, against trying all lengths. */
#include "clone/index.h"
#include "tests/unit/folder.h"

#include <errno.h>
#include <stdlib.h>

enum { MOST_DOCUMENTS = 6, MOST_LINES = 30 };

struct text { uint64_t count; struct clone_line line[MOST_LINES]; };

static char          folder[] = "/tmp/leakgraph-clone-index-XXXXXX";
static struct stage *stage;
static uint64_t      state = 17;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % below;
}

static struct clone_line line_of(uint64_t word)
{
    return (struct clone_line){ .low = (word + 1) * 0x9E3779B97F4A7C15ull, .high = word };
}

static void text_make(struct text *text, uint64_t alphabet)
{
    text->count = draw(MOST_LINES + 1);
    for (uint64_t i = 0; i < text->count; i++) text->line[i] = line_of(draw(alphabet));
}

static bool equal(const struct clone_line *a, const struct clone_line *b, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) if (a[i].low != b[i].low || a[i].high != b[i].high) return false;
    return true;
}

/* Places of the small side where the block begins. */
static uint64_t places(const struct text *small, size_t documents, const struct clone_line *block, uint64_t length)
{
    uint64_t count = 0;

    for (size_t d = 0; d < documents; d++)
        for (uint64_t i = 0; i + length <= small[d].count; i++) count += equal(small[d].line + i, block, length);
    return count;
}

static void check_text(const struct clone_index *index, const struct text *small, size_t documents,
                       const struct text *text, uint32_t window)
{
    struct clone_match match = { 0, 0 };
    bool               meets = false;

    for (uint64_t i = text->count; i-- > 0;) {
        uint64_t longest = 0;

        while (i + longest < text->count && places(small, documents, text->line + i, longest + 1)) longest++;
        match = clone_index_step(index, match, &text->line[i]);
        assert_int_equal(match.length, longest);
        if (longest) assert_int_equal(index->state[match.state].count, places(small, documents, text->line + i,
                                                                              longest));
        if (places(small, documents, text->line + i, 1)) assert_true(clone_index_knows(index, &text->line[i]));
        meets |= longest >= window;
    }
    assert_int_equal(clone_index_meets(index, text->line, text->count), meets);
}

/* States in preorder of their links; a line's state is one of those that begin with its own block. */
static void check_states(const struct clone_index *index, const struct text *small, size_t documents)
{
    const struct clone_state *s = index->state;
    uint64_t                  first = 0;

    for (uint32_t v = 1; v < index->header->states; v++) {
        assert_true(s[v].link < v && s[v].end > v && s[v].end <= s[s[v].link].end);
        assert_true(s[v].length > s[s[v].link].length && s[v].count > 0);
    }
    assert_true(s[0].end == index->header->states && s[0].length == 0);
    for (size_t d = 0; d < documents; first += small[d++].count) {
        struct clone_match match = { 0, 0 };

        for (uint64_t i = small[d].count; i-- > 0;) {
            match = clone_index_step(index, match, &small[d].line[i]);
            assert_int_equal(match.length, small[d].count - i);
            assert_true(index->at[first + i] >= match.state && index->at[first + i] < s[match.state].end);
        }
    }
    assert_int_equal(index->header->lines, first);
}

static void check(uint64_t alphabet, size_t documents, uint32_t window)
{
    static uint64_t    number;
    struct text        small[MOST_DOCUMENTS], text;
    struct clone_text  of[MOST_DOCUMENTS];
    struct clone_index index;
    struct unit_key    key = unit_key_add((struct unit_key){ 0, 0 }, &number, sizeof number);
    struct err         err = { 0 };
    uint64_t           lines = 0;

    number++;
    for (size_t d = 0; d < documents; d++) {
        text_make(&small[d], alphabet);
        of[d] = (struct clone_text){ small[d].line, small[d].count };
        lines += small[d].count;
    }
    assert_int_equal(clone_index_open(stage, key, &index, &err), 0);
    if (clone_index_build(stage, key, of, documents, window, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(clone_index_open(stage, key, &index, &err), 1);
    assert_int_equal(index.header->block_lines, window);
    if (lines > 100) assert_true(clone_index_memory(lines, documents) > index.file.bytes);
    check_states(&index, small, documents);
    for (size_t d = 0; d < documents; d++) check_text(&index, small, documents, &small[d], window);
    for (int i = 0; i < 5; i++) {
        text_make(&text, alphabet + 1);                     /* lines that are not there, too */
        check_text(&index, small, documents, &text, window);
    }
    clone_index_close(&index);
    clone_index_close(&index);
}

static void test_random(void **unused)
{
    (void)unused;
    check(1, 0, 1);                                         /* nothing */
    check(1, MOST_DOCUMENTS, 5);                            /* one line over and over */
    for (uint64_t round = 0; round < 60; round++)
        check(1 + round % 6, 1 + round % MOST_DOCUMENTS, 1 + (uint32_t)round % 7);
}

static void test_limits(void **unused)
{
    struct clone_text text = { NULL, CLONE_INDEX_MAX };
    struct err        err = { 0 };

    (void)unused;
    assert_int_equal(clone_index_build(stage, (struct unit_key){ 1, 1 }, &text, 1, 6, &err), -EOVERFLOW);
    assert_non_null(strstr(err.text, "more than 2^30"));
    assert_true(clone_index_memory(1000, 1) < clone_index_memory(1001, 1));
    assert_true(clone_index_memory(1000, 1) < clone_index_memory(1000, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_limits) };
    struct err              err = { 0 };
    int                     failed;

    if (!mkdtemp(folder) || stage_open(&stage, folder, true, &err) < 0) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    stage_close(stage);
    remove_tree(folder);
    return failed;
}
