/* tests/unit/report/show.c -- what reaches the terminal: documents found by every name, differences of lines, no
 * control character. */
#include "tests/unit/sample_graph.h"

#include "graph/ids.h"
#include "graph/read.h"
#include "graph/store.h"
#include "report/diff.h"
#include "report/show.h"
#include "report/visible.h"

#include <errno.h>

static uint64_t seed;

/* ---- visible text ---- */

static void assert_visible(const char *text, size_t len, bool one_line, const char *expected)
{
    struct bytes out = { 0 };

    assert_int_equal(visible_append(&out, (struct slice){ text, len }, one_line), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, expected);
    bytes_free(&out);
}

static void test_visible(void **state)
{
    (void)state;
    assert_visible("a\tb\nc", 5, false, "a\tb\nc");
    assert_visible("a\tb\nc", 5, true, "a\\x09b\\x0ac");
    assert_visible("\x1b[31m\x07\x7f\r", 8, false, "\\x1b[31m\\x07\\x7f\\x0d");
    assert_visible("a\0b", 3, false, "a\\x00b");
    assert_visible("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 9, true, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    /* C1: an escape sequence in one character */
    assert_visible("\xC2\x9B" "31m", 5, false, "\\u009b31m");
    assert_visible("\xE2\x80\xAE\xE2\x81\xA6\xEF\xBB\xBF", 9, false, "\\u202e\\u2066\\ufeff");
    assert_visible("\xFF\xC3(\xE2\x82", 5, false, "\\xff\\xc3(\\xe2\\x82");
    assert_visible("\xED\xA0\x80\xC0\x80", 5, false, "\\xed\\xa0\\x80\\xc0\\x80");
    assert_int_equal(visible_cut(SLICE("a\xE2\x82\xAC" "b"), 3).len, 1);
    assert_int_equal(visible_cut(SLICE("a\xE2\x82\xAC" "b"), 4).len, 4);
    assert_int_equal(visible_cut(SLICE("abc"), 3).len, 3);
}

/* ---- differences ---- */

enum { LINES = 40 };

/* The length of a longest common subsequence, by the textbook's table. */
static size_t longest_common(const struct diff *diff)
{
    static size_t table[LINES + 2][LINES + 2];

    memset(table, 0, sizeof table);
    for (size_t i = diff->a_count; i-- > 0;)
        for (size_t k = diff->b_count; k-- > 0;)
            table[i][k] = slice_equal(diff->a[i], diff->b[k]) ? table[i + 1][k + 1] + 1
                : table[i + 1][k] > table[i][k + 1] ? table[i + 1][k] : table[i][k + 1];
    return table[0][0];
}

/* Every line of both texts appears once, in order, and steps say the truth.  Returns the number of lines kept. */
static size_t assert_steps(const struct diff *diff)
{
    uint32_t a = 0, b = 0;
    size_t   same = 0;

    for (size_t i = 0; i < diff->count; i++) {
        assert_int_equal(diff->step[i].a, a);
        assert_int_equal(diff->step[i].b, b);
        if (diff->step[i].mark == DIFF_SAME) assert_true(slice_equal(diff->a[a], diff->b[b]));
        a += diff->step[i].mark != DIFF_ADDED;
        b += diff->step[i].mark != DIFF_REMOVED;
        same += diff->step[i].mark == DIFF_SAME;
    }
    assert_int_equal(a, diff->a_count);
    assert_int_equal(b, diff->b_count);
    return same;
}

static void random_text(struct sample *random, struct bytes *out)
{
    size_t lines = sample_random(random, LINES), letters = 1 + sample_random(random, 5);

    out->len = 0;
    for (size_t i = 0; i < lines; i++) {
        char line[2] = { (char)('a' + sample_random(random, letters)), '\n' };

        assert_int_equal(bytes_append(out, line, i + 1 == lines ? 1 : 2), 0);
    }
}

static void test_diff(void **state)
{
    struct sample random = { .random = seed };
    struct bytes  a = { 0 }, b = { 0 };

    (void)state;
    for (int i = 0; i < 2000; i++) {
        struct diff diff;

        random_text(&random, &a);
        random_text(&random, &b);
        assert_int_equal(diff_lines(&diff, bytes_slice(&a), bytes_slice(&b)), 0);
        assert_false(diff.coarse);
        assert_int_equal(assert_steps(&diff), longest_common(&diff));
        diff_free(&diff);
    }
    bytes_free(&a);
    bytes_free(&b);
}

/* Texts with nothing in common are given up on, but not wrongly, nor slowly. */
static void test_diff_far(void **state)
{
    struct bytes a = { 0 }, b = { 0 };
    struct diff  diff;

    (void)state;
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(bytes_printf(&a, "%s%d\n", i == 0 || i == 4999 ? "" : "a", i), 0);
        assert_int_equal(bytes_printf(&b, "%s%d\n", i == 0 || i == 4999 ? "" : "b", i), 0);
    }
    assert_int_equal(diff_lines(&diff, bytes_slice(&a), bytes_slice(&b)), 0);
    assert_true(diff.coarse);
    assert_int_equal(assert_steps(&diff), 2);
    diff_free(&diff);
    bytes_free(&a);
    bytes_free(&b);
}

/* ---- a graph ---- */

struct fixture { struct sample sample; char folder[64], path[80]; sqlite3 *db; };

static void fixture_open(struct fixture *f, uint64_t edge_limit)
{
    char       digest[33];
    struct err err = { 0 };

    sample_folder(f->folder);
    snprintf(f->path, sizeof f->path, "%s/graph.db", f->folder);
    sample_open(&f->sample, 11, 80, 60);
    f->sample.document[5].text = (struct slice){ NULL, 0 };
    f->sample.document[79].source_id = SLICE("a:b \x1b]0;");
    assert_int_equal(graph_digest(&f->sample.graph, digest, &err), 0);
    assert_int_equal(store_write(&f->sample.graph, capability_tables(), f->path, digest, edge_limit, 1, &err), 0);
    if (graph_open(&f->db, f->path, &err) < 0) fail_msg("%s", err.text);
}

static void fixture_close(struct fixture *f)
{
    graph_close(f->db);
    sample_close(&f->sample);
    sample_folder_remove(f->folder);
}

static void assert_found(struct fixture *f, struct slice name, uint64_t expected)
{
    uint64_t   id = 0;
    struct err err = { 0 };

    if (show_find(f->db, name, &id, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(id, expected);
}

static void test_find(void **state)
{
    static const char *const none[] = { "0", "81", "2000000000021", "999999999999999999", "9999999999999999999999",
                                        "codetrans/nosuch/0", "codetrans:nosuch", "", "/", ":",
                                        "codetrans//x", "\x1b[31m" };
    struct fixture f;
    struct bytes   name = { 0 };
    uint64_t       id;
    struct err     err;

    (void)state;
    fixture_open(&f, 1000000);
    assert_found(&f, SLICE("1"), 1);
    assert_found(&f, SLICE("2000000000020"), 2000000000020);
    assert_found(&f, SLICE("bigcode/stack//7"), 2000000000008);
    assert_found(&f, SLICE("bigcode/stack:item-9"), 2000000000010);
    assert_found(&f, SLICE("bigcode/stack:a:b \x1b]0;"), 2000000000020);
    assert_int_equal(bytes_printf(&name, "codetrans/%.*s/3", (int)f.sample.shard[0].split.len,
                                  f.sample.shard[0].split.at), 0);
    if (!memchr(f.sample.shard[0].split.at, 0, f.sample.shard[0].split.len) &&
        (unsigned char)f.sample.shard[0].split.at[0] < 0x80)
        assert_found(&f, bytes_slice(&name), 4);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(show_find(f.db, slice_of(none[i]), &id, &err), -ENOENT);
        assert_null(strchr(err.text, '\x1b'));
    }
    assert_int_equal(show_find(f.db, SLICE("codetrans:item-3"), &id, &err), -EEXIST);       /* in both of its splits */
    assert_non_null(strstr(err.text, "/3, codetrans/"));
    bytes_free(&name);
    fixture_close(&f);
}

/* No byte that a terminal obeys, colours of our own aside. */
static void assert_quiet(const struct bytes *out, bool colour)
{
    for (size_t i = 0; i < out->len; i++) {
        unsigned char c = (unsigned char)out->at[i];

        if (colour && c == 0x1b) assert_memory_equal(out->at + i, "\x1b[", 2);
        else assert_true(c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7F));
    }
}

static bool has_pair(const struct graph *graph, uint32_t document)
{
    for (size_t i = 0; i < graph->passes[PASS_NEAR].edge_count; i++)
        if (graph->passes[PASS_NEAR].edges[i].a == document || graph->passes[PASS_NEAR].edges[i].b == document)
            return true;
    return false;
}

static void test_document(void **state)
{
    struct fixture f;
    struct err     err = { 0 };

    (void)state;
    fixture_open(&f, 1000000);
    for (uint32_t i = 0; i < 80; i++) {
        const uint64_t id = graph_id_at(&f.sample.graph, i);
        struct bytes   out = { 0 };

        if (show_document(f.db, id, false, &out, &err) < 0) fail_msg("%s", err.text);
        assert_int_equal(bytes_append(&out, "", 1), 0);
        out.len--;
        assert_quiet(&out, false);
        assert_true((strstr(out.at, "no pair\n") != NULL) == !has_pair(&f.sample.graph, i));
        assert_true((strstr(out.at, "not stored") != NULL) == (id == 6));
        if (id != 6) assert_non_null(strstr(out.at, "// ```` <b> \\x07 | end\n"));
        if (f.sample.document[i].path.len) assert_non_null(strstr(out.at, "<script>\\x1b[2J.java"));
        bytes_free(&out);
    }
    assert_int_equal(show_document(f.db, 41, false, &(struct bytes){ 0 }, &err), -ENOENT);
    fixture_close(&f);
}

static void test_pair(void **state)
{
    struct fixture f;
    struct bytes   out = { 0 };
    struct err     err = { 0 };
    char           scores[64];
    uint64_t       a, b;

    (void)state;
    fixture_open(&f, 1000000);
    a = graph_id_at(&f.sample.graph, f.sample.edge[0].a);
    b = graph_id_at(&f.sample.graph, f.sample.edge[0].b);
    for (int colour = 0; colour < 2; colour++) {
        out.len = 0;
        if (show_pair(f.db, b, a, colour, &out, &err) < 0) fail_msg("%s", err.text);        /* either order */
        assert_int_equal(bytes_append(&out, "", 1), 0);
        out.len--;
        assert_quiet(&out, colour);
        assert_true((strchr(out.at, '\x1b') != NULL) == colour);
        snprintf(scores, sizeof scores, "%s: set %.6f", edge_kind_names[f.sample.edge[0].kind],
                 f.sample.edge[0].kind == EDGE_EXACT || f.sample.edge[0].kind == EDGE_COPY ? 1.0
                     : f.sample.edge[0].shared / 20.0);
        assert_non_null(strstr(out.at, scores));
        assert_non_null(strstr(out.at, "distinct features are in snippet"));
        assert_null(strstr(out.at, "contained 0"));
    }
    out.len = 0;
    assert_int_equal(show_pair(f.db, 10, 11, false, &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_non_null(strstr(out.at, "\n!    int a = [-9-]{+10+};\n"));
    assert_non_null(strstr(out.at, "\n     int c;\n }\n"));
    out.len = 0;
    assert_int_equal(show_pair(f.db, 6, 7, false, &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_non_null(strstr(out.at, "not stored"));
    bytes_free(&out);
    fixture_close(&f);
}

/* Pairs that lie in the list are said to be there, not to be none. */
static void test_pairs_aside(void **state)
{
    struct fixture f;
    struct bytes   out = { 0 };
    struct err     err = { 0 };

    (void)state;
    fixture_open(&f, 0);
    assert_int_equal(show_document(f.db, 1, false, &out, &err), 0);
    assert_int_equal(show_pair(f.db, 1, 2, false, &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_non_null(strstr(out.at, "its pairs are in edges.tsv.zst"));
    assert_non_null(strstr(out.at, "The pairs of this graph are in edges.tsv.zst"));
    bytes_free(&out);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visible), cmocka_unit_test(test_diff), cmocka_unit_test(test_diff_far),
            cmocka_unit_test(test_find),
        cmocka_unit_test(test_document), cmocka_unit_test(test_pair), cmocka_unit_test(test_pairs_aside),
    };

    seed = sample_seed();
    return cmocka_run_group_tests_name("show", tests, NULL, NULL);
}
