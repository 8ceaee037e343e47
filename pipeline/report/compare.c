/* report/compare.c -- see compare.h. */
#include "report/compare.h"

#include "code/lexer.h"
#include "report/layout.h"
#include "report/window.h"

#include <stdlib.h>

static const struct language *language_of(const struct comparison *texts)
{
    const struct language *known = language_by_name(texts->language);

    return known ? known : language_generic();
}

/* The part of each text that is shown: all of it but of the longer one of a contained pair. */
static int find_windows(const struct comparison *texts, struct window *a, struct window *b, struct err *err)
{
    const struct language *language = language_of(texts);
    bool                   of_b = texts->contained && texts->b.len >= texts->a.len,
        of_a = texts->contained && !of_b;
    struct slice           all = { NULL, 0 };
    int                    rc = 0;

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

struct laid { struct layout a, b; struct diff diff; };

static void laid_free(struct laid *laid)
{
    diff_free(&laid->diff);
    layout_free(&laid->a);
    layout_free(&laid->b);
}

/* 1 with *out made when the texts are better compared in one layout, else 0. */
static int lay_both(struct slice a, struct slice b, const struct language *language, const struct diff *lines,
                    struct laid *out, struct err *err)
{
    int rc;

    if (!layout_fits(language) || a.len > LEXER_MAX_TEXT || b.len > LEXER_MAX_TEXT || !differs_much(lines, a, b))
        return 0;
    rc = layout_make(&out->a, a, language, err);
    if (rc == 0) rc = layout_make(&out->b, b, language, err);
    if (rc == 0 && diff_lines(&out->diff, bytes_slice(&out->a.text), bytes_slice(&out->b.text)) < 0)
        rc = err_memory(err, a.len + b.len, "a comparison");
    return rc < 0 ? rc : says_more(&out->diff, lines);
}

/* ---- output ---- */

static int say_window(const struct window *window, char side, struct slice all, struct bytes *out)
{
    if (window->text.len == all.len) return 0;
    return bytes_printf(out, "@@ %c is lines %u to %u of %u: where the other's tokens are @@\n", side,
                        window->first + 1, window->last + 1, window->lines);
}

/* Numbers of lines of a window for diff_print: those of the layout, or of the text, moved by the window's place. */
static int number_lines(struct layout *layout, size_t count, uint32_t first, uint32_t **out)
{
    size_t known = layout->count;

    *out = malloc((count + 1) * sizeof **out);
    if (!*out) return -ENOMEM;
    for (size_t i = 0; i <= count; i++)
        (*out)[i] = first + (layout->line ? (known ? layout->line[i < known ? i : known - 1] : 0) : (uint32_t)i);
    return 0;
}

int compare_print(const struct comparison *texts, const struct diff_style *style, struct bytes *out, struct err *err)
{
    struct diff_style mine = *style;
    struct window     a = { 0 }, b = { 0 };
    struct laid       laid = { 0 };
    struct diff       lines = { 0 }, *shown = &lines;
    uint32_t         *a_line = NULL, *b_line = NULL;
    int               rc = find_windows(texts, &a, &b, err), normal = 0;

    if (rc < 0) return rc;
    if (diff_lines(&lines, a.text, b.text) < 0) return err_memory(err, a.text.len + b.text.len, "a comparison");
    normal = lay_both(a.text, b.text, language_of(texts), &lines, &laid, err);
    if (normal < 0) {
        rc = normal;
        goto done;
    }
    if (normal) shown = &laid.diff;
    else laid_free(&laid);
    rc = number_lines(&laid.a, shown->a_count, a.first, &a_line);
    if (rc == 0) rc = number_lines(&laid.b, shown->b_count, b.first, &b_line);
    mine.a_line = a_line;
    mine.b_line = b_line;
    if (rc == 0) rc = say_window(&a, '-', texts->a, out);
    if (rc == 0) rc = say_window(&b, '+', texts->b, out);
    if (rc == 0 && normal)
        rc = bytes_append_slice(out, SLICE("@@ both are shown in one layout: their own line breaks differ @@\n"));
    if (rc == 0 && shown->coarse)
        rc = bytes_append_slice(out, SLICE("@@ they differ too much for a line by line comparison @@\n"));
    if (rc == 0) rc = diff_print(shown, &mine, out);
    if (rc < 0) rc = err_memory(err, out->len, "a comparison");
done:
    free(a_line);
    free(b_line);
    diff_free(&lines);
    laid_free(&laid);
    return rc;
}
