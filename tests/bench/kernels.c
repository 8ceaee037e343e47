/* tests/bench/kernels.c -- times every level of every kernel that this machine can run, a line a kernel and size.
 *
 *   kernels
 *
 * SEED=n draws other inputs.  `make build/bench/kernels` builds it; `make bench` does not run it, as its cases are
 * whole runs and their stages. */
#include "kernels/kernels.h"
#include "tests/unit/draw.h"
#include "tests/unit/kernels/pairs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_now(void)                             /* of this process: other programs count less */
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { BENCH_BYTES = 1 << 20, BENCH_PAIRS = 1000, LANES_MAX = 256 };

struct bench {
    char          *text, *out;                              /* one JSON string of source-like text, closed; room */
    char          *container;                               /* the same between brackets, cut in strings of 2 KB */
    size_t         n, container_n, size_a, size_b;
    uint64_t      *bits, *a64, *b64;                        /* [BENCH_PAIRS, size] ascending rows */
    uint32_t      *a32, *b32, *start, *end;
    struct byteset set_a, set_b;
};

static volatile size_t bench_sink;                          /* keeps the calls alive */

static size_t bench_classify(const struct kernels *k, const struct bench *b)
{
    k->classify(b->bits, b->bits + b->n / 64 + 1, &b->set_a, &b->set_b, b->text, b->n);
    return b->n;
}

static size_t bench_spans(const struct kernels *k, const struct bench *b)
{
    bench_sink = k->spans(b->start, b->end, &b->set_a, b->text, b->n);
    return b->n;
}

static size_t bench_unescape(const struct kernels *k, const struct bench *b)
{
    size_t len, used;

    k->json_unescape(b->out, &len, b->text, b->n, &used);
    bench_sink = len;
    return used;
}

static size_t bench_string_end(const struct kernels *k, const struct bench *b)
{
    return k->json_string_end(b->text, b->n);
}
static size_t bench_string_check(const struct kernels *k, const struct bench *b)
{
    size_t used;

    k->json_string_check(b->text, b->n, &used);
    return used;
}
static size_t bench_container(const struct kernels *k, const struct bench *b)
{
    return k->json_container_end(b->container, b->container_n);
}

static size_t bench_u32(const struct kernels *k, const struct bench *b)
{
    size_t common = 0;

    for (size_t i = 0; i < BENCH_PAIRS; i++)
        common += k->intersect_u32(b->a32 + i * b->size_a, b->size_a, b->b32 + i * b->size_b, b->size_b);
    bench_sink = common;
    return BENCH_PAIRS;
}

static size_t bench_u64(const struct kernels *k, const struct bench *b)
{
    size_t common = 0;

    for (size_t i = 0; i < BENCH_PAIRS; i++)
        common += k->intersect_u64(b->a64 + i * b->size_a, b->size_a, b->b64 + i * b->size_b, b->size_b);
    bench_sink = common;
    return BENCH_PAIRS;
}

/* Documents of size_a features, size_b lanes; any numbers will do for multipliers and summands. */
static size_t bench_minhash(const struct kernels *k, const struct bench *b)
{
    static uint32_t lane[LANES_MAX];

    for (size_t i = 0; i < BENCH_PAIRS; i++)
        k->minhash(lane, b->a32, b->b32, b->size_b, b->a64 + i * b->size_a, b->size_a);
    bench_sink = lane[0];
    return BENCH_PAIRS * b->size_a;
}

static size_t bench_repeat(const struct kernels *k, const struct bench *b)
{
    static uint8_t back[16000 / sizeof(uint64_t)];

    for (size_t i = 0; i < BENCH_PAIRS; i++)
        k->repeat(back, b->a64 + i * b->size_a, b->size_a);
    bench_sink = back[0];
    return BENCH_PAIRS * b->size_a;
}

/* The best of many short runs, in calls' items a second: other programs disturb some of them, not all. */
static double bench_rate(size_t (*call)(const struct kernels *, const struct bench *), const struct kernels *k,
                         const struct bench *b)
{
    double best = 0;

    for (int run = 0; run < 25; run++) {
        double start = seconds_now(), elapsed, rate;
        size_t items = 0;

        do {
            items += call(k, b);
            elapsed = seconds_now() - start;
        } while (elapsed < 0.006);
        rate = (double)items / elapsed;
        best = rate > best ? rate : best;
    }
    return best;
}

static void bench_levels(const char *name, const char *unit, double scale,
                         size_t (*call)(const struct kernels *, const struct bench *),
                         const struct bench *b)
{
    printf("bench %-28s", name);
    for (const struct kernels *const *k = kernels_all; *k; k++)
        if (!((*k)->need & ~kernels_cpu()))
            printf("  %s %8.2f", (*k)->name, bench_rate(call, *k, b) * scale);
    printf("  %s\n", unit);
}

static void bench_sets(struct bench *b, size_t size_a, size_t size_b, uint64_t *random)
{
    char name[64];

    b->size_a = size_a;
    b->size_b = size_b;
    for (size_t i = 0; i < BENCH_PAIRS; i++) {
        size_t na = size_a, nb = size_b;

        pair_draw(b->a64 + i * size_a, &na, b->b64 + i * size_b, &nb, 50, 0, random);
    }
    for (size_t i = 0; i < BENCH_PAIRS * size_a; i++)
        b->a32[i] = (uint32_t)b->a64[i];
    for (size_t i = 0; i < BENCH_PAIRS * size_b; i++)
        b->b32[i] = (uint32_t)b->b64[i];
    snprintf(name, sizeof name, "intersect_u32 %zu with %zu", size_a, size_b);
    bench_levels(name, "M pairs/s", 1e-6, bench_u32, b);
    snprintf(name, sizeof name, "intersect_u64 %zu with %zu", size_a, size_b);
    bench_levels(name, "M pairs/s", 1e-6, bench_u64, b);
}

/* Words, indentation and punctuation as in code: an escape about every 25 bytes, most of them \n and \". */
static size_t bench_fill(char *text, size_t n, uint64_t *random)
{
    static const char *const piece[] = {
        "return ", "self.", "(", ")", " = ", "value", "index", ", ", "for ", " in ", "range", "items", "    ", "    ",
            "import ",
        "0", "42", "name", "result", "[", "]", ".append", "if ", "not ", ": ", "count", " + ", "# the ", "None",
    };
    static const char *const escape[] = { "\\n", "\\n", "\\n", "\\n", "\\\"", "\\\"", "\\t", "\\\\", "\\u00e9" };
    size_t at = 0;

    while (at < n - 16) {
        const char *next = draw_below(random, 6) ? piece[draw_below(random, sizeof piece / sizeof piece[0])]
                                                 : escape[draw_below(random, draw_below(random, 8) ? 7 : 9)];

        at += (size_t)sprintf(text + at, "%s", next);
    }
    return at;
}

int main(void)
{
    static const size_t sizes[][2] = {
        { 5, 5 }, { 8, 30 }, { 20, 20 }, { 30, 40 }, { 60, 60 }, { 1000, 1000 }, { 20, 400 }, { 20, 1000 },
        { 20, 2000 }, { 5, 2000 },
    };
    static const size_t signatures[][2] = { { 30, 128 }, { 30, 224 }, { 200, 128 }, { 200, 224 }, { 1000, 256 } };
    struct bench b = {
        .text = malloc(BENCH_BYTES + 64), .out = malloc(BENCH_BYTES + 64), .container = malloc(BENCH_BYTES + 4096),
            .bits = malloc(BENCH_BYTES),
        .a64 = malloc(BENCH_PAIRS * 16000), .b64 = malloc(BENCH_PAIRS * 16000), .a32 = malloc(BENCH_PAIRS * 8000),
            .b32 = malloc(BENCH_PAIRS * 8000),
        .start = malloc(BENCH_BYTES * 2 + 4 * (SPANS_PAD + 1)), .end = malloc(BENCH_BYTES * 2 + 4 * (SPANS_PAD + 1)),
    };
    uint64_t random = seed_of_run();

    if (!b.text || !b.out || !b.container || !b.bits || !b.a64 || !b.b64 || !b.a32 || !b.b32 || !b.start ||
        !b.end) {
        fprintf(stderr, "kernels: no memory\n");
        return 1;
    }
    b.set_a.high = 0xFF;
    for (int c = 'A'; c <= 'Z'; c++) {
        byteset_add(&b.set_a, (unsigned char)c);
        byteset_add(&b.set_a, (unsigned char)(c | 32));
    }
    byteset_add(&b.set_b, '"');
    byteset_add(&b.set_b, '#');
    b.n = bench_fill(b.text, BENCH_BYTES, &random);
    b.text[b.n++] = '"';
    b.container[b.container_n++] = '[';
    while (b.container_n < BENCH_BYTES - 4096) {
        b.container[b.container_n++] = '"';
        b.container_n += bench_fill(b.container + b.container_n, 2048, &random);
        memcpy(b.container + b.container_n, "\",[2],", 6);
        b.container_n += 6;
    }
    memcpy(b.container + b.container_n, "1]", 2);
    b.container_n += 2;

    bench_levels("classify, two sets", "GB/s", 1e-9, bench_classify, &b);
    bench_levels("spans", "GB/s", 1e-9, bench_spans, &b);
    bench_levels("json_unescape", "GB/s", 1e-9, bench_unescape, &b);
    bench_levels("json_string_check", "GB/s", 1e-9, bench_string_check, &b);
    bench_levels("json_string_end", "GB/s", 1e-9, bench_string_end, &b);
    bench_levels("json_container_end", "GB/s", 1e-9, bench_container, &b);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        bench_sets(&b, sizes[i][0], sizes[i][1], &random);
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        char name[64];

        b.size_a = signatures[i][0];
        b.size_b = signatures[i][1];
        snprintf(name, sizeof name, "minhash %zu, %zu lanes", b.size_a, b.size_b);
        bench_levels(name, "M features/s", 1e-6, bench_minhash, &b);
    }
    bench_levels("repeat 1000", "M values/s", 1e-6, bench_repeat, &b);
    free(b.text);
    free(b.out);
    free(b.container);
    free(b.bits);
    free(b.a64);
    free(b.b64);
    free(b.a32);
    free(b.start);
    free(b.end);
    free(b.b32);
    return 0;
}
