/* tests/unit/portrait/build.c -- the file made of shards: what was put in is always found, bit by bit; no shard
 * twice. */
#include "tests/unit/portrait/world.h"

#include <errno.h>

/* Every passage of width + stride - 1 characters has a piece that is found; every text of the corpus has nearly all of
 * its characters in pieces. */
static void test_passages(void **state)
{
    struct world                 *w = *state;
    const struct portrait_options options = { .scheme = { PORTRAIT_WINDOWS, 50, 37 }, .fp = { 1, 1000 },
                                              .name = (char *)(uintptr_t)"a", .extends = (char *)(uintptr_t)"" };
    struct portrait               portrait;
    struct portrait_pieces        pieces = { 0 };
    struct portrait_found         found;
    struct err                    err = { 0 };
    char                          path[PATH], text[1400];

    assert_int_equal(make(w, &options, w->shards, &err), 0);
    snprintf(path, sizeof path, "%s/a.portrait", w->root);
    assert_true(portrait_is_file(path));
    assert_int_equal(portrait_open(&portrait, path, &err), 0);
    assert_int_equal(portrait.head.documents, SHARDS * RECORDS);
    assert_int_equal(portrait.head.shards, SHARDS);
    for (int s = 0; s < SHARDS; s++) {
        const struct portrait_shard *shard = &portrait.shard[s];

        assert_true(slice_equal(portrait_name(&portrait, shard->name_at, shard->name_len), slice_of(w->shard[s].name)));
        assert_int_equal(shard->documents, RECORDS);
    }
    for (int round = 0; round < 3000; round++) {
        const char *from = w->text[draw(&w->random) % SHARDS][1 + draw(&w->random) % (RECORDS - 1)];
        size_t      len = strlen(from), at = draw(&w->random) % (len - 85), before = draw(&w->random) % 300,
            after = draw(&w->random) % 300;

        for (size_t i = 0; i < before + 86 + after; i++) text[i] = (char)('0' + draw(&w->random) % 10);
        memcpy(text + before, from + at, 86);
        assert_int_equal(portrait_look_up(&portrait, (struct slice){ text, before + 86 + after }, &pieces, &found,
                                          &err), 0);
        assert_true(found.found >= 1 && found.covered >= 50);
        if (found.found > 3) continue;                      /* a passage has three at most: the others are chance */
        assert_true(found.longest >= 50 && found.end - found.at == found.longest && found.units == before + 86 + after);
    }
    for (int s = 0; s < SHARDS; s++)
        for (int r = 0; r < RECORDS; r++) {
            size_t len = strlen(w->text[s][r]), tail = len < 50 ? 0 : (len - 50) % 37;

            assert_int_equal(portrait_look_up(&portrait, (struct slice){ w->text[s][r], len }, &pieces, &found, &err),
                             0);
            if (len < 50) assert_int_equal(found.units, 0);
            else assert_true(found.longest >= len - tail && found.at == 0 && found.line == 1);
        }
    portrait_pieces_free(&pieces);
    portrait_close(&portrait);
}

/* The filter bit by bit, whatever slices and ranges it was filled in. */
static void test_bits(void **state)
{
    struct world                 *w = *state;
    const struct portrait_options options = { .scheme = { PORTRAIT_WINDOWS, 5, 1 }, .size = 6 << 20,
                                              .name = (char *)(uintptr_t)"e", .extends = (char *)(uintptr_t)"" };
    struct portrait               portrait;
    struct portrait_pieces        pieces = { 0 };
    struct err                    err = { 0 };
    char                          path[PATH];
    unsigned char                *bits;

    assert_int_equal(make(w, &options, w->shards, &err), 0);
    snprintf(path, sizeof path, "%s/e.portrait", w->root);
    assert_int_equal(portrait_open(&portrait, path, &err), 0);
    assert_int_equal(portrait.head.blocks, options.size / PORTRAIT_BLOCK);
    bits = calloc(portrait.head.blocks, PORTRAIT_BLOCK);
    assert_non_null(bits);
    for (int s = 0; s < SHARDS; s++)
        for (int r = 0; r < RECORDS; r++) {
            assert_int_equal(portrait_cut(&options.scheme, slice_of(w->text[s][r]), false, &pieces, &err), 0);
            for (size_t i = 0; i < pieces.count; i++)
                portrait_put(bits + portrait_block(pieces.at[i].key, portrait.head.blocks) * PORTRAIT_BLOCK,
                             portrait.head.hashes, pieces.at[i].key);
        }
    assert_memory_equal(bits, portrait.bits, portrait.head.blocks * PORTRAIT_BLOCK);
    free(bits);
    portrait_pieces_free(&pieces);
    portrait_close(&portrait);
}

static void test_twice(void **state)
{
    struct world                 *w = *state;
    const struct portrait_options first = { .scheme = { PORTRAIT_NGRAMS, 1, 1 }, .fp = { 1, 1000 },
                                            .name = (char *)(uintptr_t)"c", .extends = (char *)(uintptr_t)"" };
    struct portrait_options       more = first, other;
    struct shard                  twice[2] = { w->shard[0], w->shard[0] };
    struct portrait               portrait;
    struct portrait_pieces        pieces = { 0 };
    struct portrait_found         found;
    struct err                    err = { 0 };
    char                          path[PATH];

    twice[1].name = (char *)(uintptr_t)"another.jsonl";
    assert_int_equal(make(w, &first, (struct shard_list){ .at = twice, .count = 2 }, &err), -EINVAL);
    assert_non_null(strstr(err.text, "another.jsonl"));
    assert_int_equal(make(w, &first, (struct shard_list){ .at = w->shard, .count = 2 }, &err), 0);
    snprintf(path, sizeof path, "%s/c.portrait", w->root);
    more.name = (char *)(uintptr_t)"d";
    more.extends = path;
    assert_int_equal(make(w, &more, (struct shard_list){ .at = w->shard + 1, .count = 2 }, &err), -EINVAL);
    assert_non_null(strstr(err.text, w->shard[1].name));
    other = more;
    other.scheme.width = 2;
    assert_int_equal(make(w, &other, (struct shard_list){ .at = w->shard + 2, .count = 1 }, &err), -EINVAL);
    assert_int_equal(make(w, &more, (struct shard_list){ .at = w->shard + 2, .count = 1 }, &err), 0);

    snprintf(path, sizeof path, "%s/d.portrait", w->root);
    assert_int_equal(portrait_open(&portrait, path, &err), 0);
    assert_int_equal(portrait.head.shards, 3);
    assert_int_equal(portrait.head.insertions, SHARDS * RECORDS);               /* each text is one word */
    for (int s = 0; s < SHARDS; s++) {
        assert_true(slice_equal(portrait_name(&portrait, portrait.shard[s].name_at, portrait.shard[s].name_len),
                                slice_of(w->shard[s].name)));
        for (int r = 0; r < RECORDS; r++) {
            assert_int_equal(portrait_look_up(&portrait, slice_of(w->text[s][r]), &pieces, &found, &err), 0);
            assert_true(found.units == 1 && found.covered == 1);
        }
    }
    portrait_pieces_free(&pieces);
    portrait_close(&portrait);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_passages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_twice, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
