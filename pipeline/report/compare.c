/* report/compare.c -- see compare.h. */
#include "report/compare.h"

#include "code/lexer.h"

#include <stdlib.h>

static const struct language *language_of(const struct comparison *texts)
{
    const struct language *known = language_by_name(texts->language);

    return known ? known : language_generic();
}

/* Lines that are known hold far more than the text that is in them: the place in them. */
enum { COMPARE_LONGER = 4 };

static int narrow(struct window *lines, struct slice part, const struct language *language, struct err *err)
{
    struct window inside;
    int           rc = 0;

    if (lines->text.len > LEXER_MAX_TEXT || part.len > LEXER_MAX_TEXT) return 0;
    rc = window_find(&inside, lines->text, part, language, err);
    if (rc < 0) return rc;
    *lines = (struct window){ inside.text, lines->first + inside.first, lines->first + inside.last, lines->lines };
    return 0;
}

/* The part of each text that is shown: all of it but of the longer one of a contained pair, or where the lines are
 * known. */
static int find_windows(const struct comparison *texts, struct window *a, struct window *b, struct err *err)
{
    const struct language *language = language_of(texts);
    bool                   of_b = texts->contained && texts->b.len >= texts->a.len,
        of_a = texts->contained && !of_b;
    struct slice           all = { NULL, 0 };
    int                    rc = 0;

    if (texts->line) {
        window_lines(a, texts->a, 0, UINT32_MAX);
        window_lines(b, texts->b, texts->line - 1, texts->line_end - 1);
        if (b->text.len < COMPARE_LONGER * texts->a.len + COMPARE_LONGER) return 0;
        return narrow(b, texts->a, language, err);
    }
    if (texts->a.len > LEXER_MAX_TEXT || texts->b.len > LEXER_MAX_TEXT) {
        *a = (struct window){ .text = texts->a };
        *b = (struct window){ .text = texts->b };
        return 0;
    }
    rc = window_find(a, texts->a, of_a ? texts->b : all, language, err);
    return rc < 0 ? rc : window_find(b, texts->b, of_b ? texts->a : all, language, err);
}

int compare_places(const struct comparison *texts, uint32_t *a, uint32_t *b, struct err *err)
{
    struct window in_a = { 0 }, in_b = { 0 };
    int           rc = find_windows(texts, &in_a, &in_b, err);

    *a = in_a.first;
    *b = in_b.first;
    return rc;
}

/* ---- which layout ---- */

static size_t ink_of(struct slice text)                     /* bytes that are not blank */
{
    size_t ink = 0;

    for (size_t i = 0; i < text.len; i++) ink += !memchr(" \t\r\n", text.at[i], 4);
    return ink;
}

static size_t ink_kept(const struct diff *diff)
{
    size_t ink = 0;

    for (size_t i = 0; i < diff->count; i++)
        if (diff->step[i].mark == DIFF_SAME) ink += ink_of(diff->a[diff->step[i].a]);
    return ink;
}

/* Whether lines say little: those in common are less than half of the shorter text. */
static bool differs_much(const struct diff *lines, struct slice a, struct slice b)
{
    size_t x = ink_of(a), y = ink_of(b);

    return 2 * ink_kept(lines) < (x < y ? x : y);
}

/* Whether one layout says more: it has more in common, or one text has twice the other's lines. */
static bool says_more(const struct diff *laid, const struct diff *lines)
{
    size_t few = lines->a_count < lines->b_count ? lines->a_count : lines->b_count,
        many = lines->a_count + lines->b_count - few;

    return ink_kept(laid) > ink_kept(lines) || many >= 2 * few;
}

/* Lays both windows in one layout when they are better compared so: 1, else 0 and out->diff is as it was. */
static int lay_both(struct compared *out, const struct language *language, struct err *err)
{
    struct diff  laid = { 0 };
    const struct slice a = out->a.text, b = out->b.text;
    int          rc;

    if (!layout_fits(language) || a.len > LEXER_MAX_TEXT || b.len > LEXER_MAX_TEXT || !differs_much(&out->diff, a, b))
        return 0;
    rc = layout_make(&out->laid_a, a, language, err);
    if (rc == 0) rc = layout_make(&out->laid_b, b, language, err);
    if (rc == 0 && diff_lines(&laid, bytes_slice(&out->laid_a.text), bytes_slice(&out->laid_b.text)) < 0)
        rc = err_memory(err, a.len + b.len, "a comparison");
    if (rc == 0 && says_more(&laid, &out->diff)) {
        diff_free(&out->diff);
        out->diff = laid;
        return 1;
    }
    diff_free(&laid);
    layout_free(&out->laid_a);
    layout_free(&out->laid_b);
    return rc;
}

/* Numbers of a window's lines in the diff: those of the layout, or of the text, moved by the window's place. */
static int number_lines(struct layout *layout, size_t count, uint32_t first, uint32_t **out)
{
    size_t known = layout->count;

    *out = malloc((count + 1) * sizeof **out);
    if (!*out) return -ENOMEM;
    for (size_t i = 0; i <= count; i++)
        (*out)[i] = first + (layout->line ? (known ? layout->line[i < known ? i : known - 1] : 0) : (uint32_t)i);
    return 0;
}

int compare_make(struct compared *out, const struct comparison *texts, struct err *err)
{
    int rc;

    *out = (struct compared){ 0 };
    rc = find_windows(texts, &out->a, &out->b, err);
    if (rc < 0) return rc;
    if (diff_lines(&out->diff, out->a.text, out->b.text) < 0)
        return err_memory(err, out->a.text.len + out->b.text.len, "a comparison");
    rc = lay_both(out, language_of(texts), err);
    out->laid = rc > 0;
    if (rc < 0) return rc;
    if (number_lines(&out->laid_a, out->diff.a_count, out->a.first, &out->a_line) < 0 ||
        number_lines(&out->laid_b, out->diff.b_count, out->b.first, &out->b_line) < 0)
        return err_memory(err, out->diff.a_count + out->diff.b_count, "a comparison");
    return 0;
}

void compared_free(struct compared *compared)
{
    diff_free(&compared->diff);
    layout_free(&compared->laid_a);
    layout_free(&compared->laid_b);
    free(compared->a_line);
    free(compared->b_line);
    *compared = (struct compared){ 0 };
}

/* ---- output ---- */

static int say_window(const struct window *window, char side, struct slice all, bool known, struct bytes *out)
{
    if (window->text.len == all.len) return 0;
    return bytes_printf(out, "@@ %c is lines %u to %u of %u: where the other%s @@\n", side, window->first + 1,
                        window->last + 1, window->lines, known ? " is" : "'s tokens are");
}

int compare_print(const struct comparison *texts, const struct diff_style *style, struct bytes *out, struct err *err)
{
    struct diff_style mine = *style;
    struct compared   compared;
    int               rc = compare_make(&compared, texts, err);

    mine.a_line = compared.a_line;
    mine.b_line = compared.b_line;
    if (rc == 0) {
        rc = say_window(&compared.a, '-', texts->a, false, out);
        if (rc == 0) rc = say_window(&compared.b, '+', texts->b, texts->line > 0, out);
        if (rc == 0 && compared.laid)
            rc = bytes_append_slice(out, SLICE("@@ both are shown in one layout: their own line breaks differ @@\n"));
        if (rc == 0 && compared.diff.coarse)
            rc = bytes_append_slice(out, SLICE("@@ they differ too much for a line by line comparison @@\n"));
        if (rc == 0) rc = diff_print(&compared.diff, &mine, out);
        if (rc < 0) rc = err_memory(err, out->len, "a comparison");
    }
    compared_free(&compared);
    return rc;
}
