/* tests/unit/lm/file.c -- a model file there and back, and what is wrong with damaged ones. */
#include "toy.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static struct err err;

static void write_toy(void)
{
    struct lm_build b = toy_model();

    assert_int_equal(lm_write(&b.lm, toy_path, &err), 0);
    lm_build_free(&b);
}

static void there_and_back(void **unused)
{
    struct lm_build b = toy_model();
    struct lm       lm;
    struct lm_head  head;
    size_t          len;
    char           *bytes;

    (void)unused;
    b.lm.smoothing = SMOOTH_WITTEN_BELL;
    assert_int_equal(lm_write(&b.lm, toy_path, &err), 0);
    if (lm_open(&lm, toy_path, &err) < 0) fail_msg("%s", err.text);
    assert_true(lm.order == 2 && lm.tokens == TOKENS && lm.smoothing == SMOOTH_WITTEN_BELL && lm.states == TOY_STATES);
    assert_true(lm.begin == 1 && lm.arcs == TOY_ARCS && lm.trained_tokens == 6 && lm.trained_documents == 2);
    assert_memory_equal(lm.level, b.lm.level, sizeof lm.level);
    assert_memory_equal(lm.state, b.state, (TOY_STATES + 1) * sizeof *lm.state);
    assert_memory_equal(lm.arc, b.arc, TOY_ARCS * sizeof *lm.arc);
    assert_memory_equal(lm.piece_at, b.lm.piece_at, (TOKENS + 1) * sizeof *lm.piece_at);
    assert_memory_equal(lm.piece, b.lm.piece, lm.piece_at[TOKENS]);
    bytes = toy_read(&len);
    memcpy(&head, bytes, sizeof head);
    assert_true(lm.bytes == len && head.bytes == len && lm.xxh3 == head.xxh3 && lm.xxh3 == lm_head_hash(&head));
    for (size_t i = 0; i < LM_SECTIONS; i++) assert_int_equal(head.section[i].at % LM_ALIGN, 0);
    free(bytes);
    lm_close(&lm);
    assert_true(lm.map == NULL && lm.state == NULL);
    lm_close(&lm);
    lm_build_free(&b);
}

/* Any byte of the head or of a section. */
static void every_damaged_byte_is_found(void **unused)
{
    struct lm_head head;
    size_t         len;
    char          *bytes;

    (void)unused;
    write_toy();
    bytes = toy_read(&len);
    memcpy(&head, bytes, sizeof head);
    for (size_t i = 0; i < len; i++) {
        struct lm lm;
        bool      told = i < sizeof head;

        for (size_t s = 0; s < LM_SECTIONS; s++)
            told |= i >= head.section[s].at && i < head.section[s].at + head.section[s].len;
        if (!told) continue;
        bytes[i] ^= 0x10;
        toy_write(bytes, len);
        bytes[i] ^= 0x10;
        if (lm_open(&lm, toy_path, &err) != -EBADMSG) fail_msg("byte %zu", i);
        if (!strstr(err.text, toy_path) || !strstr(err.text, "byte ")) fail_msg("byte %zu: %s", i, err.text);
    }
    for (size_t cut = 0; cut < len; cut += 7) {             /* cut off, and with something behind it */
        struct lm lm;

        toy_write(bytes, cut);
        assert_int_equal(lm_open(&lm, toy_path, &err), -EBADMSG);
    }
    toy_write(bytes, len + 1);
    assert_int_equal(lm_open(&(struct lm){ 0 }, toy_path, &err), -EBADMSG);
    free(bytes);
}

/* ---- models that no training makes, with checksums that fit ---- */

struct parts { struct lm_head head; struct lm_state *state; struct lm_arc *arc; uint32_t *piece_at; };
typedef void change(struct parts *parts);

static void no_order(struct parts *p) { p->head.order = 0; }
static void long_order(struct parts *p) { p->head.order = LM_ORDER_MAX + 1; }
static void few_tokens(struct parts *p) { p->head.tokens = LM_FIRST - 1; }
static void odd_smoothing(struct parts *p) { p->head.smoothing = 2; }
static void far_begin(struct parts *p) { p->head.begin = TOY_STATES; }
static void other_size(struct parts *p) { p->head.bytes++; }
static void other_place(struct parts *p) { p->head.section[LM_ARCS].at += 64; }
static void other_level(struct parts *p) { p->head.level[2] = TOY_STATES - 1; }
static void first_level(struct parts *p) { p->head.level[1] = 2; }
static void first_beyond(struct parts *p) { p->state[2].first = 10; }
static void suffix_of_its_level(struct parts *p) { p->state[2].suffix = 1; }
static void heavy_backoff(struct parts *p) { p->state[3].backoff = LM_BACKOFF_MOST; }
static void backoff_of_nothing(struct parts *p) { p->state[3].backoff = NAN; }
static void unigram_moved(struct parts *p) { p->arc[3].token = 4; }
static void token_beyond(struct parts *p) { p->arc[5].token = TOKENS; }
static void arcs_unsorted(struct parts *p) { p->arc[7].token = LM_END; }
static void above_one(struct parts *p) { p->arc[6].logprob = .1F; }
static void state_twice(struct parts *p) { p->arc[4].next = 2; }
static void next_beyond(struct parts *p) { p->arc[9].next = TOY_STATES; }
static void state_unreached(struct parts *p) { p->arc[4].next = 0; }
static void pieces_back(struct parts *p) { p->piece_at[4] = 3; }
static void pieces_late(struct parts *p) { p->piece_at[0] = 1; }
static void pieces_short(struct parts *p) { p->piece_at[5]--; }

static void impossible_models(void **unused)
{
    static const struct { change *make; const char *says; } bad[] = {
        { no_order, "byte 16: no model" }, { long_order, "byte 16: no model" }, { few_tokens, "byte 16: no model" },
        { odd_smoothing, "byte 16: no model" }, { far_begin, "byte 16: no model" }, { other_size, "another size" },
        { other_place, "another size" }, { other_level, "levels" }, { first_level, "levels" },
        { first_beyond, "no automaton" }, { suffix_of_its_level, "no automaton" }, { heavy_backoff, "no automaton" },
        { backoff_of_nothing, "no automaton" }, { unigram_moved, "no automaton" }, { token_beyond, "no automaton" },
        { arcs_unsorted, "no automaton" }, { above_one, "no automaton" }, { state_twice, "no automaton" },
        { next_beyond, "no automaton" }, { state_unreached, "no automaton" }, { pieces_back, "pieces out of order" },
        { pieces_late, "pieces out of order" }, { pieces_short, "pieces cut off" },
    };
    size_t len;
    char  *bytes;

    (void)unused;
    write_toy();
    bytes = toy_read(&len);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char        *copy = malloc(len);
        struct lm    lm;
        struct parts parts;
        struct lm_head was;

        assert_non_null(copy);
        memcpy(copy, bytes, len);
        memcpy(&was, copy, sizeof was);
        parts = (struct parts){ was, (void *)(copy + was.section[LM_STATES].at),
                                (void *)(copy + was.section[LM_ARCS].at),
                                (void *)(copy + was.section[LM_PIECE_AT].at) };
        bad[i].make(&parts);
        for (size_t s = 0; s < LM_SECTIONS; s++)
            parts.head.section[s].xxh3 = XXH3_64bits(copy + was.section[s].at, was.section[s].len);
        parts.head.xxh3 = lm_head_hash(&parts.head);
        memcpy(copy, &parts.head, sizeof parts.head);
        toy_write(copy, len);
        assert_int_equal(lm_open(&lm, toy_path, &err), -EBADMSG);
        if (!strstr(err.text, bad[i].says)) fail_msg("case %zu: %s", i, err.text);
        assert_null(lm.map);
        free(copy);
    }
    free(bytes);
}

static void what_is_no_model_file(void **unused)
{
    static const struct { size_t at; const char *bytes, *says; } heads[] = {
        { 0, "X", "byte 0: not a model" }, { 8, "\x02", "format version 2" }, { 12, "\x01", "other byte order" },
    };
    struct lm       lm;
    struct lm_build b = toy_model();
    size_t          len;
    char           *bytes;

    (void)unused;
    assert_int_equal(lm_open(&lm, "/nowhere/model", &err), -ENOENT);
    assert_non_null(strstr(err.text, "/nowhere/model"));
    assert_int_equal(lm_open(&lm, toy_folder, &err), -EIO);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_true(lm_write(&b.lm, "/nowhere/model", &err) < 0);
    lm_build_free(&b);
    write_toy();
    bytes = toy_read(&len);
    for (size_t i = 0; i < 3; i++) {
        char was = bytes[heads[i].at];

        bytes[heads[i].at] = heads[i].bytes[0];
        toy_write(bytes, len);
        bytes[heads[i].at] = was;
        assert_int_equal(lm_open(&lm, toy_path, &err), -EBADMSG);
        if (!strstr(err.text, heads[i].says)) fail_msg("%s", err.text);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back), cmocka_unit_test(every_damaged_byte_is_found),
        cmocka_unit_test(impossible_models), cmocka_unit_test(what_is_no_model_file),
    };

    return cmocka_run_group_tests(tests, toy_setup, toy_teardown);
}
