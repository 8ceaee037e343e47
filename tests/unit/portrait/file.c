/* tests/unit/portrait/file.c -- the rate that a file states, its size, what of it cannot be changed unseen; a filter
 * asked of a text. */
#include "tests/unit/portrait/world.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>

/* ---- the rate ---- */

/* Measured here with keys of its own, against the formula of a Bloom filter of that size, against what the file says
 * from its fill, and against what was asked for. */
static void rate_at(uint64_t keys, struct ratio fp)
{
    const struct portrait_options options = { .fp = fp };
    const double                  wanted = (double)fp.num / fp.den;
    struct portrait_head          head = { .insertions = keys };
    uint64_t                      seed = seed_of_run();
    const uint64_t                first = draw(&seed), probes = (uint64_t)(40000 / wanted);
    unsigned char                *bits;
    uint64_t                      hits = 0;
    double                        formula, measured, said;

    portrait_shape(&options, keys, &head.blocks, &head.hashes);
    bits = calloc(head.blocks, PORTRAIT_BLOCK);
    assert_non_null(bits);
    seed = first;
    for (uint64_t i = 0; i < keys; i++) {
        uint64_t key = draw(&seed);

        portrait_put(bits + portrait_block(key, head.blocks) * PORTRAIT_BLOCK, head.hashes, key);
    }
    seed = first;
    for (uint64_t i = 0; i < keys; i++) assert_true(portrait_has(bits, head.blocks, head.hashes, draw(&seed)));
    for (uint64_t i = 0; i < probes; i++) hits += portrait_has(bits, head.blocks, head.hashes, draw(&seed));
    portrait_measure(&head, bits);
    measured = (double)hits / (double)probes;
    said = (double)head.probe_hits / (double)head.probes;
    formula = pow(1 - exp(-(double)head.hashes * (double)keys / ((double)head.blocks * 8 * PORTRAIT_BLOCK)),
                  head.hashes);
    print_message("keys %llu: formula %.6f computed %.6f measured %.6f said %.6f\n", (unsigned long long)keys, formula,
                  head.computed, measured, said);
    assert_true(fabs(measured / head.computed - 1) < 0.1);
    assert_true(fabs(said / head.computed - 1) < 0.1);
    assert_true(fabs(measured / formula - 1) < 0.1);
    assert_true(measured < wanted * 1.1);
    if (keys > 1000000) assert_true(measured > wanted * 0.9);
    free(bits);
}

static void test_rate(void **state)
{
    (void)state;
    rate_at(3000, (struct ratio){ 1, 100 });
    rate_at(100000, (struct ratio){ 1, 1000 });
    rate_at(1100000, (struct ratio){ 1, 100 });
}

static void test_size(void **state)
{
    const struct portrait_options given = { .size = 40000, .fp = { 1, 1000 } };
    uint64_t                      blocks;
    uint32_t                      hashes;

    (void)state;
    portrait_shape(&given, 10000, &blocks, &hashes);
    assert_int_equal(blocks, 9);                            /* not above the size */
    assert_int_equal(hashes, 20);                           /* 29.5 bits a key, times ln 2 */
    portrait_shape(&given, 100000000, &blocks, &hashes);
    assert_int_equal(hashes, 1);
}

/* ---- the file ---- */

/* No byte of the file may change unseen, and no length. */
static void test_damage(void **state)
{
    struct world                 *w = *state;
    const struct portrait_options options = { .scheme = { PORTRAIT_WINDOWS, 50, 50 }, .fp = { 1, 1000 },
                                              .name = (char *)(uintptr_t)"b", .extends = (char *)(uintptr_t)"" };
    struct portrait               portrait;
    struct err                    err = { 0 };
    char                          path[PATH];
    struct stat                   is;
    int                           fd;

    assert_int_equal(make(w, &options, w->shards, &err), 0);
    snprintf(path, sizeof path, "%s/b.portrait", w->root);
    assert_int_equal(stat(path, &is), 0);
    fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    for (int round = 0; round < 400; round++) {
        off_t         at = round < 300 ? round : (off_t)(draw(&w->random) % (uint64_t)is.st_size);
        unsigned char byte, other;

        assert_int_equal(pread(fd, &byte, 1, at), 1);
        other = (unsigned char)(byte ^ (1u << draw(&w->random) % 8));
        assert_int_equal(pwrite(fd, &other, 1, at), 1);
        assert_int_equal(portrait_open(&portrait, path, &err), -EBADMSG);
        assert_non_null(strstr(err.text, path));
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    assert_int_equal(portrait_open(&portrait, path, &err), 0);
    portrait_close(&portrait);
    assert_int_equal(ftruncate(fd, is.st_size + PORTRAIT_BLOCK), 0);
    assert_int_equal(portrait_open(&portrait, path, &err), -EBADMSG);
    for (off_t len = is.st_size - 1; len >= 0; len--) {
        assert_int_equal(ftruncate(fd, len), 0);
        assert_int_equal(portrait_open(&portrait, path, &err), -EBADMSG);
    }
    close(fd);

    assert_int_equal(make(w, &options, w->shards, &err), 0);                    /* a damaged file is made again */
    assert_int_equal(portrait_open(&portrait, path, &err), 0);
    portrait_close(&portrait);
}

/* A head that lies although its checksum is right. */
static void test_lies(void **state)
{
    struct world                 *w = *state;
    const struct portrait_options options = { .scheme = { PORTRAIT_WINDOWS, 50, 50 }, .fp = { 1, 1000 },
                                              .name = (char *)(uintptr_t)"l", .extends = (char *)(uintptr_t)"" };
    const struct { size_t at, size; uint64_t value; } lie[] = {
#define LIE(field, value)                                                          \
    { offsetof(struct portrait_head, field), sizeof((struct portrait_head *)0)->field, value }
        LIE(kind, PORTRAIT_KINDS), LIE(kind, PORTRAIT_LINES), LIE(kind, PORTRAIT_CONTENT), LIE(width, 0),
            LIE(width, UINT32_MAX), LIE(stride, 0),
        LIE(stride, 51), LIE(hashes, 0), LIE(hashes, PORTRAIT_HASHES_MAX + 1), LIE(blocks, 0),
            LIE(blocks, 1ull << 52 | 1), LIE(blocks, UINT64_MAX),
        LIE(shards, SHARDS - 1), LIE(shards, SHARDS + (1ull << 60)), LIE(shards, UINT64_MAX),
            LIE(names_bytes, UINT64_MAX), LIE(names_bytes, 1ull << 63),
        LIE(insertions, UINT64_MAX), LIE(documents, 0), LIE(set_bits, UINT64_MAX), LIE(probes, 0),
            LIE(probe_hits, UINT64_MAX),
        LIE(computed, 0x7ff8000000000000u), LIE(computed, 0x7ff0000000000000u), LIE(computed, 0xbff0000000000000u),
            LIE(computed, 0x4000000000000000u),
#undef LIE
#define LIE(field, value)                                                             \
    { sizeof(struct portrait_head) + offsetof(struct portrait_shard, field),          \
      sizeof((struct portrait_shard *)0)->field, value }
        LIE(documents, UINT64_MAX), LIE(insertions, UINT64_MAX - 5), LIE(dataset_at, UINT32_MAX),
            LIE(dataset_len, UINT32_MAX), LIE(name_at, 4096),
        LIE(name_len, 4096),
#undef LIE
    };
    struct portrait portrait;
    struct err      err = { 0 };
    char            path[PATH], front[PORTRAIT_BLOCK], as_it_was[PORTRAIT_BLOCK];
    uint64_t        checksum;
    int             fd;

    assert_int_equal(make(w, &options, w->shards, &err), 0);
    snprintf(path, sizeof path, "%s/l.portrait", w->root);
    fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(pread(fd, as_it_was, sizeof as_it_was, 0), sizeof as_it_was);
    for (size_t i = 0; i < sizeof lie / sizeof *lie; i++) {
        memcpy(front, as_it_was, sizeof front);
        memcpy(front + lie[i].at, &lie[i].value, lie[i].size);
        checksum = portrait_head_hash(front, sizeof front);
        memcpy(front + offsetof(struct portrait_head, head_xxh3), &checksum, sizeof checksum);
        assert_int_equal(pwrite(fd, front, sizeof front, 0), sizeof front);
        if (portrait_open(&portrait, path, &err) != -EBADMSG) fail_msg("lie %zu is believed", i);
        assert_null(portrait.map);
    }
    assert_int_equal(pwrite(fd, as_it_was, sizeof as_it_was, 0), sizeof as_it_was);
    assert_int_equal(portrait_open(&portrait, path, &err), 0);
    /* or the lies were told beside the point */
    assert_int_equal(portrait_head_bytes(&portrait.head), sizeof front);
    portrait_close(&portrait);
    close(fd);
}

/* ---- looking up ---- */

/* Texts may be read past their end. */
static struct slice padded(const char *text)
{
    static char room[64 + BYTES_PAD];

    snprintf(room, 64, "%s", text);
    return slice_of(room);
}

/* A filter of one block that holds the pieces of some texts, and what it has of another. */
static struct portrait_found look_up(uint32_t kind, uint32_t width, const char *const *known, const char *text)
{
    static unsigned char   bits[PORTRAIT_BLOCK];
    const struct portrait  portrait = { .head = { .kind = kind, .width = width, .stride = width, .hashes = 20,
                                                  .blocks = 1 }, .bits = bits };
    const struct portrait_scheme scheme = { kind, width, width };
    struct portrait_pieces pieces = { 0 };
    struct portrait_found  found;
    struct err             err = { 0 };

    memset(bits, 0, sizeof bits);
    for (; *known; known++) {
        assert_int_equal(portrait_cut(&scheme, padded(*known), false, &pieces, &err), 0);
        for (size_t i = 0; i < pieces.count; i++) portrait_put(bits, 20, pieces.at[i].key);
    }
    assert_int_equal(portrait_look_up(&portrait, padded(text), &pieces, &found, &err), 0);
    portrait_pieces_free(&pieces);
    return found;
}

#define KNOWN(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void assert_found(struct portrait_found f, uint64_t pieces, uint64_t found, uint64_t units, uint64_t covered,
                         uint64_t longest)
{
    assert_int_equal(f.pieces, pieces);
    assert_int_equal(f.found, found);
    assert_int_equal(f.units, units);
    assert_int_equal(f.covered, covered);
    assert_int_equal(f.longest, longest);
}

static void test_look_up(void **state)
{
    struct portrait_found f;

    (void)state;
    f = look_up(PORTRAIT_WINDOWS, 3, KNOWN("abc", "bcd", "efg"), "..abcdefg.abc");
    assert_found(f, 11, 4, 13, 10, 7);                      /* abc and bcd overlap, efg touches; abc again, alone */
    assert_true(f.at == 2 && f.end == 9 && f.line == 1);
    f = look_up(PORTRAIT_WINDOWS, 3, KNOWN("abc", "efg"), "abcdefg");
    assert_found(f, 5, 2, 7, 6, 3);                         /* one between them: two spans, the first of equals */
    assert_true(f.at == 0 && f.end == 3);
    f = look_up(PORTRAIT_WINDOWS, 3, KNOWN("abc"), "ab");
    assert_found(f, 0, 0, 0, 0, 0);                         /* shorter than a piece */
    assert_int_equal(f.line, 0);
    f = look_up(PORTRAIT_NGRAMS, 2, KNOWN("b c", "c d"), "a\nb,\nc d e");
    assert_found(f, 4, 2, 5, 3, 3);
    assert_true(f.at == 2 && f.end == 8 && f.line == 2);
    f = look_up(PORTRAIT_LINES, 1, KNOWN("x\ny\nz"), "y\n  z\n\nq\nx");
    assert_found(f, 4, 3, 4, 3, 2);
    assert_int_equal(f.line, 1);
    f = look_up(PORTRAIT_CONTENT, 1, KNOWN("a b"), "a b");
    assert_true(f.exact && f.squeezed && f.units == 1 && f.covered == 1 && f.longest == 1);
    f = look_up(PORTRAIT_CONTENT, 1, KNOWN("a b"), "ab");
    assert_true(!f.exact && f.squeezed && f.covered == 1);
    f = look_up(PORTRAIT_CONTENT, 1, KNOWN("a b"), "a c");
    assert_true(!f.exact && !f.squeezed && f.units == 1 && f.covered == 0 && f.longest == 0);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_size),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lies, set_up, tear_down),
        cmocka_unit_test(test_look_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
