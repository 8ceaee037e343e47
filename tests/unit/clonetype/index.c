/* tests/unit/clonetype/index.c -- what is found is what comparing with every function finds. */
#include "clonetype/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 40, FRAGMENTS = 60 };

struct sample { struct form form; uint64_t item[2 * MOST]; };

static uint64_t state = 3;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % below;
}

static struct content_hash hash_of(uint64_t value) { return (struct content_hash){ value, ~value }; }

/* Another one, or one that is like `of`, with a few items changed, gone or added. */
static void sample_draw(struct sample *out, const struct sample *of)
{
    size_t n = 0;

    for (size_t i = 0; of && i < of->form.items && n < 2 * MOST - 2; i++) {
        const uint64_t what = draw(12);

        if (what == 0) continue;
        if (what == 1) out->item[n++] = 1 + draw(30);
        out->item[n++] = what == 2 ? 1 + draw(30) : of->item[i];
    }
    while (!of && n < 6 + draw(MOST - 6)) out->item[n++] = 1 + draw(30);
    out->form = (struct form){ .exact = hash_of(draw(1 << 30)), .consistent = hash_of(draw(1 << 30)),
                               .blind = hash_of(draw(1 << 30)), .items = n, .tokens = n };
    if (!of || draw(3)) return;
    out->form.blind = of->form.blind;                       /* most equal forms have equal items */
    if (draw(3)) {
        memcpy(out->item, of->item, sizeof out->item);
        out->form.items = of->form.items;
    }
    if (draw(2)) return;
    out->form.consistent = of->form.consistent;
    if (draw(2)) out->form.exact = of->form.exact;
}

static size_t plain_lcs(const struct sample *a, const struct sample *b)
{
    size_t row[2 * MOST + 1] = { 0 };

    for (size_t i = 0; i < a->form.items; i++)
        for (size_t k = 0, corner = 0; k < b->form.items; k++) {
            const size_t above = row[k + 1];

            row[k + 1] = a->item[i] == b->item[k] ? corner + 1 : above > row[k] ? above : row[k];
            corner = above;
        }
    return row[b->form.items];
}

static bool same(struct content_hash a, struct content_hash b) { return a.low == b.low && a.high == b.high; }

/* The type by comparing the two; CLONE_TYPES: none. */
static enum clone_type plain_type(const struct clonetype_options *o, const struct sample *a, const struct sample *b)
{
    const size_t more = a->form.items > b->form.items ? a->form.items : b->form.items;

    if (o->type[CLONE_TYPE_1] && same(a->form.exact, b->form.exact) && same(a->form.blind, b->form.blind))
        return CLONE_TYPE_1;
    if (o->type[CLONE_TYPE_2C] && same(a->form.consistent, b->form.consistent) && same(a->form.blind, b->form.blind))
        return CLONE_TYPE_2C;
    if (o->type[CLONE_TYPE_2] && same(a->form.blind, b->form.blind)) return CLONE_TYPE_2;
    if (!o->type[CLONE_TYPE_3] || a->form.items < o->min_lines || b->form.items < o->min_lines) return CLONE_TYPES;
    return plain_lcs(a, b) * o->dissimilarity.den >= more * (o->dissimilarity.den - o->dissimilarity.num)
        ? CLONE_TYPE_3 : CLONE_TYPES;
}

/* The parts that are aligned have as much in common as the wholes, and begin and end with it. */
static void check_aligned(const struct clonetype_index *index, const struct clonetype_match *match, uint32_t fragment,
                          const struct sample *a, const struct sample *b)
{
    const struct lcs_span *s = &match->aligned;
    struct sample          x, y;
    struct item_lines      lines;

    assert_int_equal(match->common, plain_lcs(a, b));
    x.form.items = s->a_end - s->a;
    y.form.items = s->b_end - s->b;
    memcpy(x.item, a->item + s->a, x.form.items * sizeof *x.item);
    memcpy(y.item, b->item + s->b, y.form.items * sizeof *y.item);
    assert_int_equal(plain_lcs(&x, &y), match->common);
    assert_true(a->item[s->a] == b->item[s->b] && a->item[s->a_end - 1] == b->item[s->b_end - 1]);
    lines = clonetype_index_lines(index, fragment, s->a, s->a_end);
    assert_true(lines.line == 10 * s->a + 1 && lines.line_end == 10 * s->a_end - 5);
}

static int fragment_order(const void *a, const void *b)
{
    return (*(const uint32_t *)a > *(const uint32_t *)b) - (*(const uint32_t *)a < *(const uint32_t *)b);
}

/* The fragments of the last question's classes, ascending, and the match of each; how many. */
static size_t pairs_of(const struct clonetype_index *index, const struct clonetype_asker *asker,
                       const struct sample *asked, uint32_t fragment[FRAGMENTS],
                       const struct clonetype_match *match[FRAGMENTS])
{
    size_t count = 0;

    for (size_t m = 0; m < asker->count; m++) {
        const size_t before = count;

        const struct fragment *first = &index->at[asker->match[m].fragment];

        assert_true(m == 0 || asker->match[m - 1].fragment < asker->match[m].fragment);
        for (uint32_t f = asker->match[m].fragment; f != UINT32_MAX; f = index->at[f].next) {
            assert_true(index->at[f].next > f && same(index->at[f].blind, first->blind));
            assert_int_equal(index->at[f].items, first->items);
            match[f] = &asker->match[m];
            if (clonetype_type(index->options, &index->at[f], asked->form.exact, asked->form.consistent,
                               match[f]->loosest) != CLONE_TYPES) fragment[count++] = f;
        }
        assert_true(count > before);                        /* no class that has no clone */
    }
    qsort(fragment, count, sizeof *fragment, fragment_order);
    return count;
}

static void check(const struct clonetype_options *options, size_t *found)
{
    static struct sample    of[FRAGMENTS], asked;
    struct clonetype_index  index = { .options = options };
    struct clonetype_asker  asker = { 0 };
    struct item_lines       lines[2 * MOST];
    struct err              err = { 0 };

    for (uint32_t i = 0; i < 2 * MOST; i++) lines[i] = (struct item_lines){ 10 * i + 1, 10 * i + 5 };
    for (size_t f = 0; f < FRAGMENTS; f++) {
        struct fragment_row row = { .record = f / 2, .span = { .name = { 0, 1 }, .class_name = { 0, NO_STRING } } };

        sample_draw(&of[f], f && draw(2) ? &of[draw(f)] : NULL);
        row.exact = of[f].form.exact;
        row.consistent = of[f].form.consistent;
        row.blind = of[f].form.blind;
        row.items = of[f].form.items >= options->min_lines ? (uint32_t)of[f].form.items : 0;
        assert_int_equal(clonetype_index_add(&index, 0, &row, of[f].item, lines, "f"), 0);
    }
    assert_int_equal(index.documents, FRAGMENTS / 2);
    assert_int_equal(clonetype_index_finish(&index, &err), 0);
    for (int round = 0; round < 100; round++) {
        const struct clonetype_match *match[FRAGMENTS];
        uint32_t                      fragment[FRAGMENTS];
        size_t                        m = 0, pairs;

        sample_draw(&asked, draw(4) ? &of[draw(FRAGMENTS)] : NULL);
        asked.form.item = asked.item;
        assert_int_equal(clonetype_ask(&index, &asker, &asked.form, &err), 0);
        pairs = pairs_of(&index, &asker, &asked, fragment, match);
        for (uint32_t f = 0; f < FRAGMENTS; f++) {
            const enum clone_type type = plain_type(options, &of[f], &asked);

            if (type == CLONE_TYPES) continue;
            assert_true(m < pairs && fragment[m] == f);
            assert_int_equal(clonetype_type(options, &index.at[f], asked.form.exact, asked.form.consistent,
                                            match[f]->loosest), type);
            if (type == CLONE_TYPE_3) check_aligned(&index, match[f], f, &of[f], &asked);
            found[type]++;
            m++;
        }
        assert_int_equal(m, pairs);
    }
    clonetype_asker_free(&asker);
    clonetype_index_free(&index);
}

static void test_all(void **unused)
{
    static const struct ratio dissimilarity[] = { { 3, 10 }, { 1, 10 }, { 1, 2 }, { 9, 10 } };
    size_t                    found[CLONE_TYPES] = { 0 };

    (void)unused;
    for (size_t d = 0; d < 4; d++) {
        struct clonetype_options options = { .type = { true, true, true, true }, .dissimilarity = dissimilarity[d],
                                             .min_lines = 6, .unit = FORM_STATEMENTS };

        check(&options, found);
        options.type[CLONE_TYPE_2] = false;                 /* then they are of type 3 */
        check(&options, found);
        options.type[CLONE_TYPE_1] = options.type[CLONE_TYPE_3] = false;
        check(&options, found);
    }
    for (int t = 0; t < CLONE_TYPES; t++) assert_true(found[t] > 10);
}

static void test_none(void **unused)
{
    const struct clonetype_options options = { .type = { true, true, true, true }, .dissimilarity = { 3, 10 } };
    struct clonetype_index         index = { .options = &options };
    struct clonetype_asker         asker = { 0 };
    const uint64_t                 item[] = { 1, 2, 3 };
    const struct form              form = { .item = item, .items = 3, .tokens = 3 };
    struct err                     err = { 0 };

    (void)unused;
    assert_int_equal(clonetype_index_finish(&index, &err), 0);
    assert_int_equal(clonetype_ask(&index, &asker, &form, &err), 0);
    assert_int_equal(asker.count, 0);
    clonetype_asker_free(&asker);
    clonetype_index_free(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_all), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests_name("clonetype/index", tests, NULL, NULL);
}
