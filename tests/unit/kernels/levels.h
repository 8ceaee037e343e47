/* tests/unit/kernels/levels.h -- what the tests of the kernels share: buffers, texts, and the levels to compare.
 *
 * Every level of a kernel is compared with the scalar one, and the scalar one with something simpler.  Inputs end at,
 * or start behind, a page that cannot be touched, and so do outputs: a kernel that reads or writes outside its buffers
 * dies here.  SEED=n repeats a run. */
#ifndef LEAKGRAPH_TESTS_UNIT_KERNELS_LEVELS_H
#define LEAKGRAPH_TESTS_UNIT_KERNELS_LEVELS_H

#include "kernels/kernels.h"
#include "tests/unit/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* ---- buffers between two pages that cannot be touched ---- */

enum { ROOM = 1 << 17, PLACES = 2 };                        /* usable bytes of each; places: at its end, at its start */

struct fixture {
    uint64_t seed, random;
    unsigned cpu;                                           /* kernels_cpu(), which is slow under a hypervisor */
    char    *in, *in2, *out, *expect;                       /* [ROOM], guarded on both sides */
};

static inline char *guarded_open(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char  *at = mmap(NULL, ROOM + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(at != MAP_FAILED && ROOM % page == 0);
    assert_int_equal(mprotect(at, page, PROT_NONE), 0);
    assert_int_equal(mprotect(at + page + ROOM, page, PROT_NONE), 0);
    return at + page;
}

static inline void guarded_close(char *room)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    assert_int_equal(munmap(room - page, ROOM + 2 * page), 0);
}

static inline char *guarded_place(char *room, size_t bytes, int place)
{
    assert_true(bytes <= ROOM);
    return place == 0 ? room + ROOM - bytes : room;
}

/* A copy of the bytes in a place; the content around them is noise that must not matter. */
static inline char *guarded_copy(char *room, const void *from, size_t bytes, int place)
{
    char *at = guarded_place(room, bytes, place);

    if (bytes)
        memcpy(at, from, bytes);
    return at;
}

/* The levels besides scalar that this machine can run. */
static inline const struct kernels *level_next(const struct fixture *f, const struct kernels *const **at)
{
    for (; **at; ++*at)
        if (**at != &kernels_scalar && !((**at)->need & ~f->cpu))
            return *(*at)++;
    return NULL;
}

/* ---- texts ---- */

enum { TEXT_ANY, TEXT_ASCII, TEXT_QUOTES, TEXT_BACKSLASHES, TEXT_CONTROLS, TEXT_HIGH, TEXT_JSON, TEXT_CODE,
       TEXT_BRACKETS, TEXT_KINDS };

static inline void text_fill(char *text, size_t n, int kind, uint64_t *random)
{
    static const char json[] = "\"\\\\\\\\u00dDd8cCFf{}[]ntbfr/,:x \x01\x80";
    static const char code[] =
        "for (int i = 0; i < count; i++) {\\n\\tprintf(\\\"%s\\\\n\\\", \\u00e9\\ud83d\\ude00 name[i]);\\r\\n}";
    static const char brackets[] = "[]{}[]{}\"\\, ";

    for (size_t i = 0; i < n; i++) {
        uint64_t r = draw(random);

        switch (kind) {
        case TEXT_ASCII:       text[i] = (char)(32 + r % 95); break;
        case TEXT_QUOTES:      text[i] = r % 97 ? '"' : '\\'; break;
        case TEXT_BACKSLASHES: text[i] = r % 97 ? '\\' : "\"nuq"[r >> 32 & 3]; break;
        case TEXT_CONTROLS:    text[i] = (char)(r % 5 ? r >> 32 & 31 : 'a'); break;
        case TEXT_HIGH:        text[i] = (char)(0x80 | r); break;
        case TEXT_JSON:        text[i] = json[r % (sizeof json - 1)]; break;
        case TEXT_CODE:        text[i] = r % 499 ? code[i % (sizeof code - 1)] : (char)(r >> 32); break;
        case TEXT_BRACKETS:    text[i] = brackets[r % (sizeof brackets - 1)]; break;
        default:               text[i] = (char)r; break;
        }
    }
}

/* ---- the fixture ---- */

static inline int group_open(void **state)
{
    static struct fixture f;
    const char *seed = getenv("SEED");

    f.seed = f.random = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    f.cpu = kernels_cpu();
    printf("seed=%llu\n", (unsigned long long)f.seed);
    for (const struct kernels *const *k = kernels_all; *k; k++)
        if ((*k)->need & ~f.cpu)
            printf("skipped: %s (this machine cannot run it)\n", (*k)->name);
    f.in     = guarded_open();
    f.in2    = guarded_open();
    f.out    = guarded_open();
    f.expect = guarded_open();
    *state = &f;
    return 0;
}

static inline int group_close(void **state)
{
    struct fixture *f = *state;

    guarded_close(f->in);
    guarded_close(f->in2);
    guarded_close(f->out);
    guarded_close(f->expect);
    return 0;
}

#endif
