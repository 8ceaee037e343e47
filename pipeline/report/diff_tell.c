/* report/diff_tell.c -- see diff_tell.h. */
#include "report/diff_tell.h"

#include "report/marks.h"

#include <errno.h>

/* DIFF_EQUAL: lines that are shown of texts without a difference.  DIFF_WINDOW: added lines that a removed one is
 * compared with.  DIFF_WORK: bytes of lines compared in all, and DIFF_LINE_WORK of one, by words, each of which costs
 * up to DIFF_WORDS_LIMIT times its length. */
enum { DIFF_CONTEXT = 3, DIFF_EQUAL = 12, DIFF_WINDOW = 4, DIFF_WORK = 4 << 20, DIFF_LINE_WORK = 64 << 10 };

struct telling { const struct diff *diff; struct diff_listener *to; size_t work; };

/* The number of lines from i on that are the same in both. */
static size_t same_run(const struct diff *diff, size_t i)
{
    size_t run = 0;

    while (i + run < diff->count && diff->step[i + run].mark == DIFF_SAME) run++;
    return run;
}

/* The words of two lines when they are alike; 1, or 0 when they are not or were not compared. */
static int compare_words(struct telling *t, struct slice a, struct slice b, struct diff *words)
{
    if (a.len + b.len > DIFF_LINE_WORK || a.len > 4 * b.len + 64 || b.len > 4 * a.len + 64) return 0;
    if (t->work + a.len + b.len > DIFF_WORK) return 0;
    t->work += a.len + b.len;
    if (diff_words(words, a, b) < 0) return -ENOMEM;
    if (marks_alike(words)) return 1;
    diff_free(words);
    return 0;
}

/* The next step of one side from `at` on, or end. */
static size_t next_of(const struct diff *diff, size_t at, size_t end, enum diff_mark mark)
{
    while (at < end && diff->step[at].mark != mark) at++;
    return at;
}

/* All added lines of the stretch between `at` and `until`. */
static int tell_added(struct telling *t, size_t at, size_t until)
{
    int rc = 0;

    for (; at < until && rc == 0; at++)
        if (t->diff->step[at].mark == DIFF_ADDED) rc = t->to->step(t->to, &t->diff->step[at]);
    return rc;
}

/* A stretch [from, end) without a line in common.  Pairs go forward on both sides, so that both keep their order: what
 * is removed stands before what is added between two pairs. */
static int tell_changed(struct telling *t, size_t from, size_t end)
{
    const struct diff *diff = t->diff;
    size_t             added = from;                        /* added lines before are told */
    int                rc = 0;

    for (size_t i = next_of(diff, from, end, DIFF_REMOVED); i < end && rc == 0;
         i = next_of(diff, i + 1, end, DIFF_REMOVED)) {
        const uint32_t line = diff->step[i].a;
        struct diff    words = { 0 };
        size_t         k = next_of(diff, added, end, DIFF_ADDED);
        int            alike = 0;

        for (int tries = 0; tries < DIFF_WINDOW && k < end; tries++) {
            alike = t->to->whole_lines ? 0 : compare_words(t, diff->a[line], diff->b[diff->step[k].b], &words);
            if (alike) break;
            k = next_of(diff, k + 1, end, DIFF_ADDED);
        }
        if (alike < 0) return alike;
        if (!alike) {
            rc = t->to->step(t->to, &diff->step[i]);
            continue;
        }
        rc = tell_added(t, added, k);
        if (rc == 0) rc = t->to->nearly(t->to, line, diff->step[k].b, &words);
        diff_free(&words);
        added = k + 1;
    }
    return rc < 0 ? rc : tell_added(t, added, end);
}

int diff_tell(const struct diff *diff, struct diff_listener *to)
{
    struct telling t = { diff, to, 0 };
    int            rc = 0;

    for (size_t i = 0; i < diff->count && rc == 0;) {
        size_t run = same_run(diff, i);
        size_t before = i ? DIFF_CONTEXT : run == diff->count ? DIFF_EQUAL : 0,
            after = i + run == diff->count ? 0 : DIFF_CONTEXT;

        if (run > before + after + 1) {
            for (size_t k = 0; k < before && rc == 0; k++) rc = to->step(to, &diff->step[i + k]);
            if (rc == 0) rc = to->gap(to, &diff->step[i + before], run - before - after);
            i += run - after;
            run = after;
        }
        for (size_t k = 0; k < run && rc == 0; k++) rc = to->step(to, &diff->step[i + k]);
        i += run;
        for (run = i; run < diff->count && diff->step[run].mark != DIFF_SAME; run++) { }
        if (rc == 0) rc = tell_changed(&t, i, run);
        i = run;
    }
    return rc;
}
