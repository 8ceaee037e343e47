/* scan/portrait: how texts are cut, that what was put in is always found, the false-positive rate, the file and its
 * damage. */
#include "portrait/private.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH = 512, SHARDS = 3, RECORDS = 40 };

static uint64_t seed = 20;

static uint64_t draw(void)                                  /* splitmix64 */
{
    uint64_t z = seed += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* ---- cutting ---- */

/* Against characters found one by one; bytes that continue nothing belong to the character before. */
static void test_windows(void **state)
{
    static const char *const alphabet[] = { "a", "b", "\n", "é", "漢", "🙂", "\x80", "\xC3", " ", "x" };
    struct portrait_pieces every = { 0 }, strided = { 0 };
    struct err             err = { 0 };

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct portrait_scheme scheme = { PORTRAIT_WINDOWS, (uint32_t)(draw() % 70 + 1), 0 };
        char                   text[2048];
        size_t                 len = 0, start[2049], characters = 0, limit = round % 3 ? 10 : 3;
        struct slice           slice;

        scheme.stride = (uint32_t)(draw() % scheme.width + 1);
        for (size_t n = draw() % 300; n > 0; n--) {
            const char *c = alphabet[draw() % limit];

            memcpy(text + len, c, strlen(c));
            len += strlen(c);
        }
        for (size_t i = 0; i < len; i++)
            if (i == 0 || ((unsigned char)text[i] & 0xC0) != 0x80) start[characters++] = i;
        start[characters] = len;
        slice = (struct slice){ text, len };
        assert_int_equal(portrait_cut(&scheme, slice, true, &every, &err), 0);
        assert_int_equal(portrait_cut(&scheme, slice, false, &strided, &err), 0);
        assert_int_equal(every.count, characters >= scheme.width ? characters - scheme.width + 1 : 0);
        for (size_t i = 0; i < every.count; i++) {
            assert_int_equal(every.at[i].at, start[i]);
            assert_int_equal(every.at[i].end, start[i + scheme.width]);
            for (size_t j = i > 5 ? i - 5 : 0; j < i; j++) { /* equal bytes, equal keys; others differ */
                size_t n = every.at[i].end - every.at[i].at;

                assert_int_equal(every.at[j].key == every.at[i].key,
                                 n == every.at[j].end - every.at[j].at &&
                                     memcmp(text + every.at[j].at, text + every.at[i].at, n) == 0);
            }
        }
        assert_int_equal(strided.count, every.count ? (every.count - 1) / scheme.stride + 1 : 0);
        for (size_t i = 0; i < strided.count; i++)
            assert_memory_equal(&strided.at[i], &every.at[i * scheme.stride], sizeof *strided.at);
    }
    portrait_pieces_free(&every);
    portrait_pieces_free(&strided);
}

static void test_ngrams(void **state)
{
    const struct portrait_scheme two = { PORTRAIT_NGRAMS, 2, 2 }, nine = { PORTRAIT_NGRAMS, 9, 9 };
    struct portrait_pieces       a = { 0 }, b = { 0 };
    struct err                   err = { 0 };
    char                         padded[128] = "x = foo_1(bar, été); x foo_1";

    (void)state;
    assert_int_equal(portrait_cut(&two, (struct slice){ padded, strlen(padded) }, true, &a, &err), 0);
    assert_int_equal(a.count, 5);                           /* x foo_1 bar été x foo_1 */
    assert_int_equal(a.at[0].at, 0);
    assert_int_equal(a.at[0].end, 9);
    assert_true(a.at[0].key == a.at[4].key);                /* what stands between the words does not matter */
    for (size_t i = 1; i < 4; i++) assert_true(a.at[i].key != a.at[0].key);
    assert_int_equal(portrait_cut(&two, (struct slice){ padded, strlen(padded) }, false, &b, &err), 0);
    assert_int_equal(b.count, 3);
    for (size_t i = 0; i < 3; i++) assert_memory_equal(&b.at[i], &a.at[2 * i], sizeof *b.at);
    assert_int_equal(portrait_cut(&nine, (struct slice){ padded, strlen(padded) }, true, &a, &err), 0);
    assert_int_equal(a.count, 0);
    portrait_pieces_free(&a);
    portrait_pieces_free(&b);
}

static void test_lines_and_content(void **state)
{
    const struct portrait_scheme lines = { PORTRAIT_LINES, 1, 1 }, content = { PORTRAIT_CONTENT, 1, 1 };
    struct portrait_pieces       a = { 0 }, b = { 0 };
    struct err                   err = { 0 };

    (void)state;
    assert_int_equal(portrait_cut(&lines, SLICE("  one\r\n\n \t\ntwo x\none"), true, &a, &err), 0);
    assert_int_equal(a.count, 3);
    assert_true(a.at[0].key == a.at[2].key);
    assert_true(a.at[1].key != a.at[0].key);
    assert_int_equal(a.at[1].at, 11);
    assert_int_equal(a.at[1].end, 16);
    assert_int_equal(portrait_cut(&content, SLICE("a b\n"), false, &a, &err), 0);
    assert_int_equal(portrait_cut(&content, SLICE("ab"), false, &b, &err), 0);
    assert_true(a.at[0].key != b.at[0].key);
    assert_true(a.at[1].key == b.at[1].key);
    portrait_pieces_free(&a);
    portrait_pieces_free(&b);
}

/* ---- the rate ---- */

/* Measured here with keys of its own, against the formula of a Bloom filter of that size, against what the file says
 * from its fill, and against what was asked for. */
static void rate_at(uint64_t keys, struct ratio fp)
{
    const struct portrait_options options = { .fp = fp };
    const double                  wanted = (double)fp.num / fp.den;
    struct portrait_head          head = { .insertions = keys };
    const uint64_t                first = draw(), probes = (uint64_t)(40000 / wanted);
    unsigned char                *bits;
    uint64_t                      hits = 0;
    double                        formula, measured, said;

    portrait_shape(&options, keys, &head.blocks, &head.hashes);
    bits = calloc(head.blocks, PORTRAIT_BLOCK);
    assert_non_null(bits);
    seed = first;
    for (uint64_t i = 0; i < keys; i++) {
        uint64_t key = draw();

        portrait_put(bits + portrait_block(key, head.blocks) * PORTRAIT_BLOCK, head.hashes, key);
    }
    seed = first;
    for (uint64_t i = 0; i < keys; i++) assert_true(portrait_has(bits, head.blocks, head.hashes, draw()));
    for (uint64_t i = 0; i < probes; i++) hits += portrait_has(bits, head.blocks, head.hashes, draw());
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
    rate_at(2000000, (struct ratio){ 1, 100 });
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

struct world {
    char              root[64], text[SHARDS][RECORDS][600];
    struct comm      *comm;
    struct stage     *stage;
    struct dataset    dataset;
    struct dataset_split split;
    struct shard      shard[SHARDS];
    struct shard_list shards;
};

static void shard_write(struct world *w, int s, const char *first)
{
    char        path[PATH];
    struct stat is;
    FILE       *file;

    snprintf(path, sizeof path, "%s/%d.jsonl", w->root, s);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s", first);
    for (int r = 0; r < RECORDS; r++) {
        size_t len = r == 0 ? 30 : 100 + draw() % 400;

        for (size_t i = 0; i < len; i++) w->text[s][r][i] = (char)('a' + draw() % 26);
        w->text[s][r][len] = '\0';
        fprintf(file, "{\"text\": \"%s\"}\n", w->text[s][r]);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(stat(path, &is), 0);
    free(w->shard[s].path);
    free(w->shard[s].name);
    w->shard[s] = (struct shard){ .path = strdup(path), .name = strdup(strrchr(path, '/') + 1),
                                  .bytes = (uint64_t)is.st_size,
                                  .mtime_ns = is.st_mtim.tv_sec * 1000000000 + is.st_mtim.tv_nsec };
}

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct err    err = { 0 };

    if (!w) return -1;
    strcpy(w->root, "/tmp/test_portrait.XXXXXX");
    if (!mkdtemp(w->root) || comm_open(&w->comm, &err) < 0 || stage_open(&w->stage, w->root, true, &err) < 0) return -1;
    w->split.name = strdup("");
    w->dataset = (struct dataset){ .name = (char *)(uintptr_t)"c", .role = ROLE_CORPUS, .splits = &w->split,
                                   .split_count = 1 };
    for (int s = 0; s < SHARDS; s++) shard_write(w, s, "");
    w->shards = (struct shard_list){ w->shard, SHARDS };
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    char          command[PATH];

    stage_close(w->stage);
    comm_close(w->comm);
    for (int s = 0; s < SHARDS; s++) {
        free(w->shard[s].path);
        free(w->shard[s].name);
    }
    free(w->split.name);
    snprintf(command, sizeof command, "rm -r %s", w->root);
    free(w);
    return system(command) == 0 ? 0 : -1;
}

static int make(struct world *w, const struct portrait_options *options, struct shard_list shards, struct err *err)
{
    const bool          member = true;
    const struct run    run = { .comm = w->comm, .stage = w->stage, .version = "test", .output = w->root,
                                .datasets = &w->dataset, .dataset_count = 1, .shards = &shards, .threads = 2 };
    struct portrait_job job = { .run = &run, .member = &member, .options = options };
    struct pass         pass = { .run = &run, .scanner_count = 1 };
    int         rc;

    pass.scanner[0] = portrait_scanner(&job);
    rc = pass_stream(&pass, shards.count, err);
    return rc < 0 ? rc : portrait_make(&job, err);
}

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
        const char *from = w->text[draw() % SHARDS][1 + draw() % (RECORDS - 1)];
        size_t      len = strlen(from), at = draw() % (len - 85), before = draw() % 300, after = draw() % 300;

        for (size_t i = 0; i < before + 86 + after; i++) text[i] = (char)('0' + draw() % 10);
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
        off_t         at = round < 300 ? round : (off_t)(draw() % (uint64_t)is.st_size);
        unsigned char byte, other;

        assert_int_equal(pread(fd, &byte, 1, at), 1);
        other = (unsigned char)(byte ^ (1u << draw() % 8));
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
    assert_int_equal(make(w, &first, (struct shard_list){ twice, 2 }, &err), -EINVAL);
    assert_non_null(strstr(err.text, "another.jsonl"));
    assert_int_equal(make(w, &first, (struct shard_list){ w->shard, 2 }, &err), 0);
    snprintf(path, sizeof path, "%s/c.portrait", w->root);
    more.name = (char *)(uintptr_t)"d";
    more.extends = path;
    assert_int_equal(make(w, &more, (struct shard_list){ w->shard + 1, 2 }, &err), -EINVAL);
    assert_non_null(strstr(err.text, w->shard[1].name));
    other = more;
    other.scheme.width = 2;
    assert_int_equal(make(w, &other, (struct shard_list){ w->shard + 2, 1 }, &err), -EINVAL);
    assert_int_equal(make(w, &more, (struct shard_list){ w->shard + 2, 1 }, &err), 0);

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
        cmocka_unit_test(test_windows), cmocka_unit_test(test_ngrams), cmocka_unit_test(test_lines_and_content),
        cmocka_unit_test(test_rate), cmocka_unit_test(test_size),
        cmocka_unit_test_setup_teardown(test_passages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_twice, set_up, tear_down),
    };

    if (getenv("SEED")) seed = strtoull(getenv("SEED"), NULL, 10);
    print_message("SEED=%llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
