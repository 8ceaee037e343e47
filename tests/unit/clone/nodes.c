/* tests/unit/clone/nodes.c -- counts and first places of ranges of blocks, against walking over all lines. */
#include "clone/nodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST_LINES = 600, STATES = 9, LENGTHS = 5 };

static uint64_t state = 11;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)((state >> 33) % below);
}

struct line { uint64_t key; bool leading, kept; };

static void check_range(const struct clone_nodes *nodes, const struct line *line, size_t lines, uint64_t from,
                        uint64_t to)
{
    size_t   place[LEAST_MAX], most = draw(8), count = clone_nodes_first(nodes, from, to, most, place), met = 0;
    uint64_t there = 0;

    for (size_t i = 0; i < lines; i++) {
        if (line[i].key < from || line[i].key >= to) continue;
        there++;
        if (!line[i].kept || met == most) continue;
        assert_true(met < count);
        assert_int_equal(nodes->spot[place[met]].record, i);            /* the first that were kept, in their order */
        met++;
    }
    assert_int_equal(clone_nodes_count(nodes, from, to), there);
    assert_int_equal(count, met);
}

static void check(size_t lines, uint32_t most)
{
    static struct line line[MOST_LINES];
    struct clone_nodes nodes = { 0 };
    uint32_t           kept[STATES * LENGTHS] = { 0 };
    bool               leading[STATES * LENGTHS] = { 0 };

    for (size_t i = 0; i < lines; i++) {
        uint32_t of = draw(STATES), length = draw(LENGTHS), at = of * LENGTHS + length;

        line[i] = (struct line){ clone_node_key(of, length), draw(6) == 0, kept[at] < most };
        kept[at] += line[i].kept;
        leading[at] |= line[i].leading;
        assert_int_equal(clone_nodes_add(&nodes, line[i].key, line[i].leading,
                                         (struct clone_spot){ .record = i, .shard = 7, .line = (uint32_t)i }, most), 0);
    }
    assert_int_equal(clone_nodes_sort(&nodes), 0);
    for (size_t n = 0; n < nodes.count; n++) {
        uint64_t key = nodes.node[n].key;

        if (n) assert_true(key > nodes.node[n - 1].key);
        assert_int_equal(nodes.node[n].leading, leading[(key >> 32) * LENGTHS + (uint32_t)key]);
    }
    for (size_t s = 0; s < nodes.spots; s++) {              /* a spot still knows its node */
        assert_true(nodes.node[nodes.spot[s].node].key == line[nodes.spot[s].record].key);
        assert_int_equal(nodes.spot[s].shard, 7);
    }
    for (uint32_t from = 0; from <= STATES; from++) {
        for (uint32_t to = from; to <= STATES; to++) {
            check_range(&nodes, line, lines, clone_node_key(from, 0), clone_node_key(to, 0));
            if (from < to) check_range(&nodes, line, lines, clone_node_key(from, 2), clone_node_key(to, 0));
        }
    }
    clone_nodes_free(&nodes);
    assert_true(!nodes.node && !nodes.count);
}

static void test_ranges(void **unused)
{
    (void)unused;
    check(0, 3);
    check(1, 3);
    for (uint32_t most = 1; most < 6; most++) check(MOST_LINES / most, most);
    check(MOST_LINES, LEAST_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ranges) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
